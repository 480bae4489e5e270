//===- AtenEffectsRefine.cpp - Where ATen's table of effects is too coarse --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "ShapeSampler.h"
#include <algorithm>

namespace condlint {

namespace {

/// `at::detail::computeStride` on numbers: \p shape is a view of the old sizes.
std::optional<bool> isView(const std::vector<std::int64_t> &old, const std::vector<std::int64_t> &strides,
                           const std::vector<std::int64_t> &shape) {
  if (old.empty() || std::ranges::find(old, 0) != old.end())
    return true;
  auto view = static_cast<std::ptrdiff_t>(shape.size()) - 1;
  std::int64_t base = strides.back(), count = 1, taken = 1;
  for (std::size_t d = old.size(); d-- > 0;) {
    if (__builtin_mul_overflow(count, old[d], &count))
      return std::nullopt;
    std::int64_t next = 0;
    if (__builtin_mul_overflow(count, base, &next))
      return std::nullopt;
    if (d != 0 && (old[d - 1] == 1 || strides[d - 1] == next))
      continue;
    while (view >= 0 && (taken < count || shape[static_cast<std::size_t>(view)] == 1)) {
      if (__builtin_mul_overflow(taken, shape[static_cast<std::size_t>(view)], &taken))
        return std::nullopt;
      --view;
    }
    if (taken != count)
      return false;
    if (d > 0) {
      base = strides[d - 1];
      count = taken = 1;
    }
  }
  return view == -1;
}

/// The sizes are laid out with the axes of \p order from the inside.
std::optional<bool> isLaidOut(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                              std::span<const std::size_t> order) {
  if (std::ranges::find(sizes, 0) != sizes.end())
    return true;
  std::int64_t expected = 1;
  for (std::size_t axis : order) {
    if (sizes[axis] == 1)
      continue;
    if (strides[axis] != expected)
      return false;
    if (__builtin_mul_overflow(expected, sizes[axis], &expected))
      return std::nullopt;
  }
  return true;
}

bool hasLayout(const Type &t) {
  return t.isTensor() && t.hasRank && t.hasStrides && t.strides.size() == t.dims.size() && t.layout != Layout::Mkldnn;
}

/// \p format: torch's number of a memory format.
Tri isInFormat(const Model &m, const Type &t, std::int64_t format) {
  if (!hasLayout(t))
    return Tri::Unknown;
  std::vector<std::size_t> order;
  const std::size_t rank = t.dims.size();
  if ((format == 2 && rank == 4) || (format == 3 && rank == 5)) {
    order.push_back(1);
    for (std::size_t i = rank - 1; i >= 2; --i)
      order.push_back(i);
    order.push_back(0);
  } else if (format <= 1) {
    for (std::size_t i = rank; i-- > 0;)
      order.push_back(i);
  } else {
    return Tri::Unknown;
  }
  Sampler sampler(m.dims);
  sampler.add(t.dims);
  sampler.add(t.strides);
  return sampler.decide([&](const Assignment &values) -> std::optional<bool> {
    const auto sizes = numbers(m.dims, t.dims, values), strides = numbers(m.dims, t.strides, values);
    return sizes && strides ? isLaidOut(*sizes, *strides, order) : std::nullopt;
  });
}

std::optional<AliasKind> aliasFrom(Tri sameStorage) {
  if (sameStorage == Tri::No)
    return std::nullopt;
  return sameStorage == Tri::Yes ? AliasKind::Must : AliasKind::May;
}

/// The position of the operand passed as the first of \p names, if any.
std::optional<std::uint32_t> operandOf(const Model &m, NodeId n, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    if (const Range at = argumentOperands(m, n, name);
        at.count == 1 && at.first < m.operands(n).size() && m.operands(n)[at.first].valid())
      return at.first;
  return std::nullopt;
}

const Type &operandType(const Model &m, NodeId n, std::uint32_t i) { return m.type(m.operands(n)[i]); }

bool present(const Model &m, NodeId n, std::string_view name) {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind != AttributeKind::None;
}

/// One is the other, of which more or less is assumed.
bool isSameValue(const Model &m, ValueId a, ValueId b) {
  return a && b && withoutAssumptions(m, a) == withoutAssumptions(m, b);
}

} // namespace

void refineReshape(const Model &m, NodeId n, NodeEffects &e) {
  const std::string_view name = m.text(m[m[n].op].name);
  const bool mayCopy = name == "reshape" || name == "reshape_as" || name == "flatten" || name == "ravel";
  const auto self = operandOf(m, n, {"self"});
  if (!mayCopy || !self || m.resultCount(n) == 0)
    return;
  const Type &from = operandType(m, n, *self);
  if (name == "ravel")
    return setAliases(e, *self, aliasFrom(isInFormat(m, from, 1)));
  const Type &to = m.type(m.result(n, 0));
  Tri view = Tri::Unknown;
  if (from.isTensor() && from.hasRank && to.hasRank && std::ranges::equal(from.dims, to.dims) &&
      std::ranges::all_of(from.dims, [](Dim d) { return d.known(); })) {
    view = Tri::Yes;
  } else if (hasLayout(from) && to.isTensor() && to.hasRank) {
    Sampler sampler(m.dims);
    sampler.add(from.dims);
    sampler.add(from.strides);
    sampler.add(to.dims);
    // Of a tensor without elements nothing is shared.
    view = sampler.decideUnlessEmpty([&](const Assignment &values) -> std::optional<bool> {
      const auto old = numbers(m.dims, from.dims, values), strides = numbers(m.dims, from.strides, values),
                 shape = numbers(m.dims, to.dims, values);
      return old && strides && shape ? isView(*old, *strides, *shape) : std::nullopt;
    });
  }
  setAliases(e, *self, aliasFrom(view));
}

void refineContiguous(const Model &m, NodeId n, NodeEffects &e) {
  if (const auto self = operandOf(m, n, {"self"})) {
    const Attribute *format = m.attribute(n, "memory_format");
    const bool given = format && (format->kind == AttributeKind::MemoryFormat || format->kind == AttributeKind::Int);
    setAliases(e, *self, aliasFrom(isInFormat(m, operandType(m, n, *self), given ? format->number : 1)));
  }
}

void refineTo(const Model &m, NodeId n, NodeEffects &e) {
  const std::string_view name = m.text(m[m[n].op].name);
  const auto self = operandOf(m, n, {"self"});
  if ((name != "to" && name != "type_as") || !self || m.resultCount(n) == 0)
    return; // `_to_copy` and the like always copy
  const Type &from = operandType(m, n, *self);
  const Type &to = m.type(m.result(n, 0));
  Tri same = Tri::Yes;
  const auto need = [&](Tri t) {
    if (t == Tri::No || same == Tri::No)
      same = Tri::No;
    else if (t == Tri::Unknown)
      same = Tri::Unknown;
  };
  if (literalArgument(m, n, "copy").value_or(0) != 0)
    need(Tri::No);
  const auto other = operandOf(m, n, {"other"});
  const bool toItself = other && isSameValue(m, m.operands(n)[*self], m.operands(n)[*other]);
  const bool known = from.element != DType::Unknown && to.element != DType::Unknown;
  if (from.isTensor() && to.isTensor() && from.possible().disjoint(to.possible()))
    need(Tri::No);
  else if (!known && !toItself && (present(m, n, "dtype") || other || name == "type_as"))
    need(Tri::Unknown);
  const bool moves = !toItself && (present(m, n, "device") || other || name == "type_as");
  if (moves && !(from.device && to.device))
    need(Tri::Unknown);
  else if (moves && from.device != to.device)
    need(Tri::No);
  else if (moves && from.deviceIndex != to.deviceIndex)
    need(from.deviceIndex < 0 || to.deviceIndex < 0 ? Tri::Unknown : Tri::No);
  if (present(m, n, "layout") && from.layout != Layout::Unknown && to.layout != Layout::Unknown)
    need(toTri(from.layout == to.layout));
  const Attribute *format = m.attribute(n, "memory_format");
  if (format && (format->kind == AttributeKind::MemoryFormat || format->kind == AttributeKind::Int) &&
      format->number != 4 && format->number != 0 && isInFormat(m, from, format->number) != Tri::Yes)
    need(Tri::Unknown);
  setAliases(e, *self, aliasFrom(same));
}

void refineConj(const Model &m, NodeId n, NodeEffects &e) {
  const auto self = operandOf(m, n, {"self"});
  if (!self)
    return;
  const Type &from = operandType(m, n, *self);
  const std::string_view name = m.text(m[m[n].op].name);
  if (name == "conj_physical") // a number without an imaginary part is returned as it is
    setAliases(e, *self,
               from.element == DType::Unknown ? std::optional(AliasKind::May)
               : isComplex(from.element)      ? std::nullopt
                                              : std::optional(AliasKind::Must));
  else if (name == "resolve_conj")
    setAliases(e, *self,
               (from.element != DType::Unknown && !isComplex(from.element)) ? std::optional(AliasKind::Must)
               : from.conjugate == Tri::Yes                                 ? std::nullopt
               : from.conjugate == Tri::No                                  ? std::optional(AliasKind::Must)
                                                                            : std::optional(AliasKind::May));
}

void refineEinsum(const Model &m, NodeId n, NodeEffects &e) {
  // One operand may only be permuted; two or more are multiplied into a new tensor.
  if (argumentOperands(m, n, "tensors").count > 1)
    e.aliases.clear();
}

void refineDropout(const Model &m, NodeId n, NodeEffects &e) {
  const std::string_view name = m.text(m[m[n].op].name);
  const auto self = operandOf(m, n, {"input", "self"});
  const auto train = literalArgument(m, n, m.attribute(n, "train") ? "train" : "training");
  const Attribute *p = m.attribute(n, "p");
  const auto drops = [&](int all) {
    return p &&
           ((p->kind == AttributeKind::Float && p->real == all) || (p->kind == AttributeKind::Int && p->number == all));
  };
  // Of nothing and of all of it the kernel of `native_dropout` draws as of any other part.
  const bool isNative = name == "native_dropout";
  const bool off = (train && *train == 0) || (drops(0) && !isNative);
  if (off || (drops(1) && !isNative))
    e.random = false;
  // Where it is off the result is the operand itself; but a tracer takes `dropout` for its decomposition,
  // which clones, and `native_dropout` for one that does not, where the kernel copies.
  const bool isTraced = m.info.format != Format::Cxx;
  std::optional<AliasKind> identity = AliasKind::Must;
  if (name == "dropout" && isTraced)
    identity = AliasKind::Eager;
  else if (name == "native_dropout" && !isTraced)
    identity = std::nullopt;
  const bool functional = name == "dropout" || name == "feature_dropout" || name == "alpha_dropout" ||
                          name == "feature_alpha_dropout" || name == "native_dropout";
  if (self && functional)
    setAliases(e, *self,
               off                                 ? identity
               : train || name == "native_dropout" ? std::nullopt
                                                   : std::optional(AliasKind::May));
}

void refineBatchNorm(const Model &m, NodeId n, NodeEffects &e) {
  const std::string_view name = m.text(m[m[n].op].name);
  // Only the functional variants return the new statistics instead.
  if (name.ends_with("_functional") || name.ends_with("_no_training") || name == "batch_norm_stats" ||
      name == "batch_norm_elemt" || name.ends_with("backward"))
    return;
  bool trains = name.starts_with("batch_norm_update_stats") || name.starts_with("batch_norm_gather_stats") ||
                name == "_batch_norm_with_update";
  bool unknown = false;
  for (std::string_view argument : {"training", "train", "use_input_stats"})
    if (const auto v = literalArgument(m, n, argument))
      trains = *v != 0;
    else
      unknown = unknown || (present(m, n, argument) && m.info.format == Format::Cxx);
  for (std::string_view argument : {"running_mean", "running_var"}) {
    const auto i = operandOf(m, n, {argument});
    if (!i)
      continue;
    const auto at = std::ranges::find(e.writes, *i);
    if (unknown) {
      if (at != e.writes.end())
        e.writes.erase(at);
      e.mayWrite.push_back(*i);
      continue;
    }
    if (trains && at == e.writes.end())
      e.writes.push_back(*i);
    else if (!trains && at != e.writes.end())
      e.writes.erase(at);
  }
}

void refineAttention(const Model &m, NodeId n, NodeEffects &e) {
  const Attribute *p = m.attribute(n, "dropout_p");
  if (!p || (p->kind == AttributeKind::Float && p->real == 0) || (p->kind == AttributeKind::Int && p->number == 0))
    e.random = false;
}

} // namespace condlint
