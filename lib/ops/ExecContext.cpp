//===- ExecContext.cpp - What a kernel is given ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "AtenLimits.h"
#include "AtenTypes.h"
#include "Kernel.h"
#include "Words.h"
#include "kernels/TensorOps.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <new>

namespace condlint {

namespace {

const RuntimeValue absent;
const Tensor noTensor;

} // namespace

std::int64_t Scalar::toInt() const {
  if (isWhole())
    return whole;
  return std::isfinite(real) && std::fabs(real) < 9.2e18 ? static_cast<std::int64_t>(real) : INT64_MIN;
}

DType Scalar::category() const {
  switch (kind) {
  case Kind::Bool:
    return DType::Bool;
  case Kind::Int:
    return DType::Int64;
  case Kind::Float:
    return DType::Float64;
  case Kind::Complex:
    return DType::Complex128;
  }
  return DType::Int64;
}

KernelInfo kernelInfo(const Model &m, OperatorId id) {
  const Operator &op = m[id];
  KernelInfo info;
  info.definition = op.definition;
  info.name = m.text(op.name);
  info.overload = m.text(op.overload);
  info.torch = op.dialect == Dialect::Torch;
  if (info.torch) {
    info.demands = findAtenKernelDemands(baseName(info.name));
    info.limits = findAtenLimits(baseName(info.name));
  }
  if (!op.effects)
    return info;
  const EffectsRow &row = *op.effects;
  info.changesView = row.changesView();
  for (std::size_t i = 0; i < row.aliasCount(); ++i) {
    const EffectsRow::Alias a = row.alias(i);
    bool written = false;
    for (std::size_t w = 0; w < row.writeCount(); ++w)
      written = written || row.write(w) == a.argument;
    if (!written || a.result >= info.target.size())
      continue;
    info.target[a.result] = a.argument;
    info.writes = true;
  }
  return info;
}

namespace {

template <class F> std::optional<std::string> guard(const F &f) {
  try {
    f();
  } catch (const KernelFailure &failure) {
    return failure.message;
  } catch (const std::bad_alloc &) {
    return "there is not enough memory";
  } catch (const std::exception &e) {
    return std::string("internal error: ") + e.what();
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> executeNode(ExecContext &c) {
  return guard([&] {
    c.checkArguments();
    c.definition()->execute(c);
  });
}

std::optional<std::string> guarded(const std::function<void()> &f) { return guard(f); }

void ExecContext::fail(std::string message) const { throw KernelFailure{std::move(message)}; }

void ExecContext::checkArguments() const {
  for (const AtenLimit *limit : info.limits)
    if (const Attribute *a = attribute(limit->parameter))
      if (std::string refusal = limit->refusal(m, *a); !refusal.empty())
        fail(std::move(refusal));
  if (info.demands.empty())
    return;
  const auto given = [&](std::string_view name) -> GivenTensor {
    const RuntimeValue *v = value(name);
    if (!v || !v->isTensor())
      return {};
    return {v->tensor.dtype(), v->tensor.numel() == 0, v->tensor.rank() == 0};
  };
  if (hasArg("dtype")) // `softmax` of integers as floats converts them first
    return;
  for (const AtenTypeDemand *demand : info.demands)
    if (std::string refusal = demand->refusal(given, hasArg("out_dtype")); !refusal.empty())
      fail(std::move(refusal));
}

// --- operands by position -------------------------------------------------------

const RuntimeValue &ExecContext::operand(std::size_t i) const {
  return i < operandIds.size() && operandIds[i] ? values[operandIds[i].index()] : absent;
}

const Tensor &ExecContext::in(std::size_t i) const {
  const RuntimeValue &v = operand(i);
  if (!v.isTensor())
    fail(v.present() ? fmt::format("the input {} is a {}, not a tensor", i, kindName(v.kind))
                     : fmt::format("the input {} is missing", i));
  return v.tensor;
}

const Tensor *ExecContext::maybe(std::size_t i) const {
  const RuntimeValue &v = operand(i);
  return v.present() ? &in(i) : nullptr;
}

std::optional<Sizes> ExecContext::integersIn(std::size_t i) const {
  const RuntimeValue &v = operand(i);
  if (!v.present())
    return std::nullopt;
  if (v.isScalar())
    return Sizes{v.kind == ValueKind::SymFloat ? static_cast<std::int64_t>(v.real) : v.number};
  return integersOf(*this, in(i));
}

Scalar ExecContext::scalarIn(std::size_t i) const {
  const RuntimeValue &v = operand(i);
  if (const auto s = scalarOf(v))
    return *s;
  return scalarOfTensor(*this, in(i));
}

std::optional<Scalar> ExecContext::scalarOf(const RuntimeValue &v) const {
  switch (v.kind) {
  case ValueKind::SymInt:
    return Scalar::of(v.number);
  case ValueKind::SymBool:
    return Scalar::of(v.number != 0);
  case ValueKind::SymFloat:
    return Scalar::of(v.real);
  default:
    return std::nullopt;
  }
}

// --- arguments by name ----------------------------------------------------------

bool ExecContext::hasArg(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a || a->kind == AttributeKind::None)
    return false;
  if (a->kind == AttributeKind::Operand)
    return operand(a->list.first).present();
  return true;
}

const RuntimeValue *ExecContext::value(std::string_view name) const {
  const Attribute *a = attribute(name);
  return a && a->kind == AttributeKind::Operand ? &operand(a->list.first) : nullptr;
}

const Tensor *ExecContext::maybeTensor(std::string_view name) const {
  const RuntimeValue *v = value(name);
  return v && v->isTensor() ? &v->tensor : nullptr;
}

const Tensor &ExecContext::tensor(std::string_view name) const {
  const Tensor *t = maybeTensor(name);
  if (!t)
    fail(fmt::format("the argument '{}' is {}", name, hasArg(name) ? "no tensor" : "missing"));
  return *t;
}

std::optional<Scalar> ExecContext::maybeScalar(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  switch (a->kind) {
  case AttributeKind::Bool:
    return Scalar::of(a->number != 0);
  case AttributeKind::Int:
    return Scalar::of(a->number);
  case AttributeKind::Float:
    return Scalar::of(a->real);
  case AttributeKind::Complex: {
    const auto parts = m.reals(a->list);
    return Scalar{Scalar::Kind::Complex, 0, parts.empty() ? 0 : parts[0], parts.size() < 2 ? 0 : parts[1]};
  }
  case AttributeKind::Operand: {
    const RuntimeValue &v = operand(a->list.first);
    if (v.isTensor())
      return scalarOfTensor(*this, v.tensor);
    return scalarOf(v);
  }
  default:
    return std::nullopt;
  }
}

Scalar ExecContext::scalar(std::string_view name) const {
  const auto s = maybeScalar(name);
  if (!s)
    fail(fmt::format("the argument '{}' is {}", name, hasArg(name) ? "no number" : "missing"));
  return *s;
}

Operand ExecContext::tensorOrScalar(std::string_view name) const {
  if (const Tensor *t = maybeTensor(name))
    return {*t, {}};
  return {{}, scalar(name)};
}

std::vector<std::optional<Tensor>> ExecContext::optionalTensors(std::string_view name) const {
  std::vector<std::optional<Tensor>> list;
  const Attribute *a = attribute(name);
  if (!a || (a->kind != AttributeKind::Operands && a->kind != AttributeKind::Operand))
    return list;
  const std::uint32_t length = a->kind == AttributeKind::Operand ? 1 : a->list.count;
  for (std::uint32_t i = 0; i < length; ++i) {
    const RuntimeValue &v = operand(a->list.first + i);
    if (!v.present())
      list.emplace_back();
    else if (v.isTensor())
      list.emplace_back(v.tensor);
    else if (v.kind == ValueKind::Sequence)
      for (const RuntimeValue &item : v.list())
        list.emplace_back(item.tensor);
    else
      fail(fmt::format("the argument '{}' holds what is no tensor", name));
  }
  return list;
}

std::vector<Tensor> ExecContext::tensors(std::string_view name) const {
  std::vector<Tensor> list;
  for (std::optional<Tensor> &t : optionalTensors(name)) {
    if (!t)
      fail(fmt::format("the argument '{}' holds None", name));
    list.push_back(std::move(*t));
  }
  return list;
}

std::int64_t ExecContext::integer(std::string_view name, std::optional<std::int64_t> otherwise) const {
  const Attribute *a = attribute(name);
  if (!a || a->kind == AttributeKind::None || (a->kind == AttributeKind::Operand && !hasArg(name))) {
    if (otherwise)
      return *otherwise;
    fail(fmt::format("the argument '{}' is missing", name));
  }
  switch (a->kind) {
  case AttributeKind::Int:
  case AttributeKind::Bool:
  case AttributeKind::DType:
  case AttributeKind::Layout:
  case AttributeKind::MemoryFormat:
    return a->number;
  case AttributeKind::Ints:
    if (a->list.count == 1)
      return m.ints(a->list)[0];
    fail(fmt::format("the argument '{}' is a list", name));
  default:
    return scalar(name).toInt();
  }
}

double ExecContext::real(std::string_view name, std::optional<double> otherwise) const {
  if (!hasArg(name)) {
    if (otherwise)
      return *otherwise;
    fail(fmt::format("the argument '{}' is missing", name));
  }
  return scalar(name).toDouble();
}

std::string_view ExecContext::text(std::string_view name, std::string_view otherwise) const {
  const Attribute *a = attribute(name);
  return a && a->kind == AttributeKind::String ? m.text(a->text) : otherwise;
}

std::vector<std::string_view> ExecContext::texts(std::string_view name) const {
  std::vector<std::string_view> list;
  if (const Attribute *a = attribute(name); a && a->kind == AttributeKind::Strings)
    for (StringId s : m.stringsIn(a->list))
      list.push_back(m.text(s));
  return list;
}

/// One entry of a list of sizes: a number, or the operand at \p next. What is no
/// constant was a name, and so was a constant that the next operand is known to be.
std::optional<std::int64_t> ExecContext::sizeEntry(Dim d, std::uint32_t &next) const {
  const auto constant = m.dims.asConstant(d);
  const ValueId v = next < operandIds.size() ? operandIds[next] : ValueId();
  if (constant) {
    const ContentId content = v ? m[v].content : ContentId();
    if (!content || m.content(content).size() != 1 || m.content(content)[0] != d)
      return constant;
  }
  const auto s = v ? scalarOf(values[v.index()]) : std::nullopt;
  ++next;
  return s ? std::optional(s->toInt()) : constant;
}

std::optional<Sizes> ExecContext::integers(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  switch (a->kind) {
  case AttributeKind::Ints:
  case AttributeKind::Bools: {
    const auto list = m.ints(a->list);
    return Sizes(list.begin(), list.end());
  }
  case AttributeKind::Int:
  case AttributeKind::Bool:
    return Sizes{a->number};
  case AttributeKind::Floats:
    if (a->list.count == 0)
      return Sizes{};
    return std::nullopt;
  case AttributeKind::Operand: {
    const RuntimeValue &v = operand(a->list.first);
    if (!v.present())
      return std::nullopt;
    if (v.isTensor())
      return integersOf(*this, v.tensor);
    return Sizes{scalarOf(v)->toInt()};
  }
  case AttributeKind::Operands: {
    Sizes list;
    for (std::uint32_t i = 0; i < a->list.count; ++i) {
      const RuntimeValue &v = operand(a->list.first + i);
      if (v.isTensor())
        list.push_back(scalarOfTensor(*this, v.tensor).toInt());
      else if (const auto s = scalarOf(v))
        list.push_back(s->toInt());
      else
        fail(fmt::format("the argument '{}' holds what is no integer", name));
    }
    return list;
  }
  case AttributeKind::Dims: {
    // Its symbolic entries are operands, in order, after those of the arguments before it.
    Sizes list;
    std::uint32_t next = 0;
    for (const Attribute &at : m.attributes(n)) {
      if (at.kind == AttributeKind::Operand)
        next = at.list.first + 1;
      else if (at.kind == AttributeKind::Operands || at.kind == AttributeKind::Opaque)
        next = at.list.count != 0 ? at.list.first + at.list.count : next;
      else if (at.kind != AttributeKind::Dims)
        continue;
      else
        for (Dim d : m.dimsIn(at.list)) {
          const auto entry = sizeEntry(d, next);
          if (&at != a)
            continue;
          if (!entry)
            fail(fmt::format("the argument '{}' holds a size that is not known", name));
          list.push_back(*entry);
        }
      if (&at == a)
        break;
    }
    return list;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Sizes> ExecContext::integers(std::string_view name, std::size_t i) const {
  if (auto list = integers(name))
    return list;
  return integersIn(i);
}

std::optional<std::vector<double>> ExecContext::reals(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  if (a->kind == AttributeKind::Floats) {
    const auto list = m.reals(a->list);
    return std::vector<double>(list.begin(), list.end());
  }
  if (a->kind == AttributeKind::Operands) {
    std::vector<double> list;
    for (std::uint32_t i = 0; i < a->list.count; ++i)
      if (const auto s = scalarOf(operand(a->list.first + i)))
        list.push_back(s->toDouble());
    return list;
  }
  if (a->kind == AttributeKind::Float)
    return std::vector<double>{a->real};
  if (const auto list = integers(name))
    return std::vector<double>(list->begin(), list->end());
  return std::nullopt;
}

std::optional<DType> ExecContext::dtype(std::string_view name) const {
  const Attribute *a = attribute(name);
  if (!a)
    return std::nullopt;
  DType t = DType::Unknown;
  if (a->kind == AttributeKind::DType)
    t = static_cast<DType>(a->number);
  else if (a->kind == AttributeKind::Int && !isTorch())
    t = dtypeOfOnnx(a->number).value_or(DType::Unknown);
  else
    return std::nullopt;
  if (t == DType::Unknown)
    fail(fmt::format("the argument '{}' is no element type that condlint knows", name));
  return t;
}

std::vector<Scalar> ExecContext::scalars() const {
  std::vector<Scalar> all;
  const auto add = [&](const RuntimeValue &v) {
    if (const auto s = scalarOf(v))
      all.push_back(*s);
    else if (v.isTensor())
      all.push_back(scalarOfTensor(*this, v.tensor));
    else
      fail("an argument is no number");
  };
  for (const Attribute &a : m.attributes(n)) {
    switch (a.kind) {
    case AttributeKind::Bool:
      all.push_back(Scalar::of(a.number != 0));
      break;
    case AttributeKind::Int:
      all.push_back(Scalar::of(a.number));
      break;
    case AttributeKind::Float:
      all.push_back(Scalar::of(a.real));
      break;
    case AttributeKind::Ints:
    case AttributeKind::Dims: {
      const auto list = integers(m.text(a.name));
      for (std::int64_t v : list.value_or(Sizes()))
        all.push_back(Scalar::of(v));
      break;
    }
    case AttributeKind::Operand:
    case AttributeKind::Operands:
      for (std::uint32_t i = 0; i < std::max<std::uint32_t>(a.list.count, a.kind == AttributeKind::Operand ? 1 : 0);
           ++i)
        add(operand(a.list.first + i));
      break;
    default:
      fail("an argument is no number");
    }
  }
  return all;
}

Tensor ExecContext::constant(ConstantId c) const {
  Tensor t = constantSource ? constantSource(constantState, c) : Tensor();
  if (!t)
    fail(fmt::format("the data of the constant '{}' are not there", m.text(m[c].name)));
  return t;
}

// --- results --------------------------------------------------------------------

bool ExecContext::wants(std::size_t i) const {
  return i < count && (isTorch() || !m.name(ValueId(first + static_cast<std::uint32_t>(i))).empty());
}

DType ExecContext::recordedDType(std::size_t i) const {
  if (i >= count)
    return DType::Unknown;
  const TypeId t = m[ValueId(first + static_cast<std::uint32_t>(i))].recorded;
  return t ? m.types[t].element : DType::Unknown;
}

void ExecContext::set(std::size_t i, RuntimeValue v) {
  if (i < count)
    values[first + i] = std::move(v);
}

void ExecContext::finishView(Tensor t) {
  if (info.changesView)
    if (const Attribute *a = attribute("self"); a && a->kind == AttributeKind::Operand)
      values[operandIds[a->list.first].index()].tensor = t;
  set(0, info.name.ends_with("_copy") ? copied(*this, t) : std::move(t));
}

void ExecContext::setList(std::size_t firstResult, std::span<const Tensor> list) {
  if (firstResult + list.size() != count)
    fail(fmt::format("{} results are computed where the node has {}", firstResult + list.size(), count));
  for (std::size_t i = 0; i < list.size(); ++i)
    set(firstResult + i, list[i]);
}

const Tensor *ExecContext::target(std::size_t i) const {
  if (!info.writes || i >= info.target.size() || info.target[i].empty())
    return nullptr;
  return maybeTensor(info.target[i]);
}

void ExecContext::finish(std::size_t i, Tensor t) {
  if (i >= count && !info.writes)
    return;
  const Tensor *to = target(i);
  if (!to)
    return set(i, std::move(t));
  Tensor self = *to;
  if (self.same(t)) { // written already
    set(i, std::move(self));
    return;
  }
  if (!std::ranges::equal(self.sizes(), t.sizes())) {
    // `out=` takes the shape of the result, an in-place operator stretches it.
    const bool isOut = info.target[i] != "self";
    if (isOut) {
      Tensor fresh = cast(*this, t, self.dtype());
      noteWrite(self);
      values[operandIds[attribute(info.target[i])->list.first].index()] = fresh;
      return set(i, std::move(fresh));
    }
    const auto stretched = t.expanded(self.sizes());
    if (!stretched)
      fail(fmt::format("the result of shape {} does not fit the operand of shape {} that it is written to",
                       shapeText(t.sizes()), shapeText(self.sizes())));
    t = *stretched;
  }
  if (t.sharesStorage(self))
    t = copied(*this, t);
  noteWrite(self);
  copyInto(*this, self, t);
  set(i, std::move(self));
}

// --- memory ---------------------------------------------------------------------

Tensor KernelRuntime::takePlace(NodeId n, std::size_t bytes) {
  const auto p = std::ranges::find_if(
      places, [&](const ResultPlace &r) { return r.node == n && r.tensor.storage().size() == bytes; });
  if (p == places.end())
    return {};
  Tensor place = std::move(p->tensor);
  places.erase(p);
  return place;
}

Tensor ExecContext::empty(DType t, std::span<const std::int64_t> sizes) const {
  if (sizes.size() > Tensor::maxRank)
    fail(fmt::format("a tensor of rank {} is beyond the {} that condlint executes", sizes.size(), Tensor::maxRank));
  const std::size_t item = elementBytes(t);
  if (item == 0)
    fail("the element type of a result is not known");
  std::int64_t elements = 1;
  if (sizes.size() == 1 && sizes[0] >= 0 && sizes[0] < (std::int64_t{1} << 40)) {
    elements = sizes[0];
  } else {
    const auto product = elementCount(sizes);
    if (!product)
      fail(fmt::format("a tensor of shape {} cannot be", shapeText(sizes)));
    elements = *product;
  }
  const std::size_t bytes = static_cast<std::size_t>(elements) * item;
  const Tensor place = runtime.places.empty() ? Tensor() : runtime.takePlace(n, bytes);
  Storage *s = place ? &place.storage() : device().allocate(bytes);
  if (!s)
    fail(fmt::format("a tensor of shape {} ({}) is beyond the memory that may be used: {} of {} bytes are taken",
                     shapeText(sizes), dtypeName(t), device().used(), device().memoryLimit()));
  return {s, t, sizes};
}

Tensor ExecContext::emptyStrided(DType t, std::span<const std::int64_t> sizes,
                                 std::span<const std::int64_t> strides) const {
  std::int64_t extent = elementCount(sizes).value_or(-1) == 0 ? 0 : 1;
  for (std::size_t i = 0; i < sizes.size() && extent != 0; ++i) {
    std::int64_t reach = 0;
    if (sizes[i] < 0 || strides[i] < 0 || __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) ||
        __builtin_add_overflow(extent, reach, &extent))
      fail(fmt::format("a tensor of shape {} with the strides {} cannot be", shapeText(sizes), shapeText(strides)));
  }
  const std::int64_t flat[] = {extent};
  const Tensor memory = empty(t, flat);
  return memory.with(sizes, strides, 0);
}

void ExecContext::noteWrite(const Tensor &t) const {
  if (!t.storage().noteWrite(n))
    fail("there is no memory for a copy of the weight that is written");
}

} // namespace condlint
