//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "MemoryEstimate.h"
#include "cpu/CpuDevice.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>

namespace condlint {

namespace {

/// What the machine has left, by the kernel's own estimate.
std::uint64_t freeMemory() {
  std::ifstream info("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kilobytes = 0;
  while (info >> key >> kilobytes) {
    std::getline(info, unit);
    if (key == "MemAvailable:")
      return kilobytes * 1024;
  }
  return std::uint64_t{4} << 30;
}

std::string typeText(const Model &m, const Type &t) {
  if (!t.isTensor())
    return std::string(kindName(t.kind));
  std::string text(dtypeName(t.element));
  if (!t.hasRank)
    return text;
  text += '[';
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    text += (i != 0 ? ", " : "") + m.dims.str(t.dims[i]);
  return text + ']';
}

std::string arrayText(const Array &a) {
  if (a.kind != ValueKind::Tensor)
    return std::string(kindName(a.kind));
  return std::string(dtypeName(a.dtype)) + shapeText(a.shape);
}

class ExecutorImpl final : public Executor {
public:
  ExecutorImpl(const Model &model, ExecutorOptions o)
      : m(model), options(std::move(o)), interpreter(m, device, options) {
    device.setLimit(options.memoryLimit != 0 ? options.memoryLimit : freeMemory() / 5 * 4);
  }

  std::optional<Error> prepare();

  std::span<const Port> inputs() const override { return inputPorts; }
  std::span<const Port> outputs() const override { return outputPorts; }
  bool isOptional(std::size_t i) const override {
    const Value &v = m[inputPorts[i].value];
    return v.constant.valid() || m.types[inputPorts[i].type].kind == ValueKind::Optional;
  }
  Expected<std::vector<RuntimeValue>> bind(std::span<const Array> arrays) override;
  Expected<std::vector<RuntimeValue>> draw(std::uint64_t seed, std::uint32_t draw, const Assignment &sizes) override;
  Array toArray(const RuntimeValue &v) const override;
  Expected<std::vector<RuntimeValue>> run(std::span<const RuntimeValue> given) override;

  std::span<const Observation> observations() const override { return interpreter.observations; }
  std::vector<ObservedType> observed() const override {
    std::vector<ObservedType> all;
    for (const auto &[n, y] : interpreter.yielded)
      all.insert(all.end(), y.types.begin(), y.types.end());
    std::ranges::sort(all, {}, &ObservedType::value);
    return all;
  }
  void forget() override {
    interpreter.observations.clear();
    interpreter.yielded.clear();
  }
  const Assignment &symbols() const override { return interpreter.symbols; }
  std::span<const ConditionalRun> conditionals() const override { return interpreter.conditionalRuns; }
  std::span<const ExecutionProblem> problems() const override { return interpreter.problems; }
  std::uint64_t peakMemory() const override { return device.peak(); }

private:
  std::optional<Error> loadConstants();
  Expected<RuntimeValue> fromArray(const Array &a, const Sizes *strides);
  Expected<RuntimeValue> bindOne(const Port &port, const Array &a);
  std::optional<Error> bindSizes(const Port &port, const Type &t, const Array &a);
  std::optional<Error> bindSymbols();
  Error badInput(const Port &port, std::string message) const {
    return {m.info.path, "input '" + port.name + "'", std::move(message), {}};
  }

  const Model &m;
  ExecutorOptions options;
  CpuDevice device;
  std::map<std::string, Tensor, std::less<>> storages; ///< of weights, by record
  std::vector<std::pair<ConstantId, Array>> weights;
  std::vector<Tensor> weightTensors;
  Interpreter interpreter;
  std::vector<Port> inputPorts, outputPorts;
  std::vector<std::size_t> userResults; ///< positions in the main graph's results
  /// Sizes that the inputs give, to be compared with the declared expressions.
  struct Bound {
    Dim declared;
    std::int64_t size;
    std::string place;
  };
  std::vector<Bound> bounds;
  bool first = true;
};

std::optional<Error> ExecutorImpl::prepare() {
  const GraphId main = m.main();
  if (!main)
    return Error{m.info.path, {}, "the file holds no graph that could run", {}};
  const Range parameters = m[main].parameters;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const ValueId v(parameters.first + i);
    const ParameterRole role = m[v].role;
    if (role == ParameterRole::Input || role == ParameterRole::ScalarInput)
      inputPorts.push_back({v, std::string(m.name(v)), m[v].recorded});
  }
  const auto results = m.results(main);
  const Range roles = m[main].resultRoles;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!roles.empty()) {
      const std::string_view role = m.text(m.stringsIn(roles)[i]);
      if (!role.empty() && role != "loss_output")
        continue;
    }
    userResults.push_back(i);
    outputPorts.push_back({results[i], results[i] ? std::string(m.name(results[i])) : std::string(),
                           results[i] ? m[results[i]].recorded : TypeId()});
  }
  return loadConstants();
}

std::optional<Error> ExecutorImpl::loadConstants() {
  std::set<ConstantId> wanted;
  const auto want = [&](ConstantId c) {
    if (c)
      wanted.insert(c);
  };
  for (std::uint32_t i = 0; i < m.valueCount(); ++i)
    want(m[ValueId(i)].constant);
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    for (NodeId n : m.nodes(GraphId(g)))
      for (const Attribute &a : m.attributes(n))
        if (a.kind == AttributeKind::Tensor)
          want(ConstantId(a.list.first));
        else if (a.kind == AttributeKind::Tensors)
          for (std::uint32_t i = 0; i < a.list.count; ++i)
            want(ConstantId(a.list.first + i));
  if (wanted.empty())
    return std::nullopt;
  auto data = ConstantData::open(m);
  if (!data)
    return data.error();
  for (ConstantId c : wanted) {
    auto array = (*data)->read(c);
    if (!array)
      return array.error();
    auto value = fromArray(*array, nullptr);
    if (!value) {
      value.error().place = "the constant '" + std::string(m.text(m[c].name)) + "'";
      return value.error();
    }
    interpreter.setConstant(c, value->tensor);
    weightTensors.push_back(value->tensor);
    weights.emplace_back(c, std::move(*array));
  }
  return std::nullopt;
}

/// A tensor over the array's own bytes where they can be used as they lie.
Expected<RuntimeValue> ExecutorImpl::fromArray(const Array &a, const Sizes *strides) {
  if (a.kind == ValueKind::Sequence || a.kind == ValueKind::Optional) {
    std::vector<RuntimeValue> items;
    for (const Array &item : a.items) {
      auto v = fromArray(item, nullptr);
      if (!v)
        return v;
      items.push_back(std::move(*v));
    }
    RuntimeValue list = RuntimeValue::sequence(std::move(items));
    list.kind = a.kind;
    return list;
  }
  if (a.shape.size() > Tensor::maxRank)
    return Error{
        m.info.path, {}, fmt::format("a tensor of rank {} is beyond what condlint executes", a.shape.size()), {}};
  const auto noMemory = [&] {
    return Error{m.info.path,
                 {},
                 fmt::format("a tensor of shape {} is beyond the memory that may be used, {} bytes", shapeText(a.shape),
                             device.memoryLimit()),
                 "allow more with --memory-limit"};
  };
  if (a.dtype == DType::String) {
    Storage *s = device.allocate(a.strings.size() * 8);
    if (!s)
      return noMemory();
    Tensor t(s, DType::String, a.shape);
    for (std::size_t i = 0; i < a.strings.size(); ++i)
      t.out<std::uint64_t>()[i] = interpreter.strings().intern(a.strings[i]);
    return RuntimeValue(t);
  }
  const Sizes own = a.strides.empty() ? contiguousStrides(a.shape) : a.strides;
  const std::size_t alignment = std::min<std::size_t>(elementBytes(a.dtype), 8);
  const bool aligned = reinterpret_cast<std::uintptr_t>(a.bytes.data()) % alignment == 0;
  Storage *s = nullptr;
  if (!a.storage.empty()) {
    if (const auto known = storages.find(a.storage); known != storages.end())
      return RuntimeValue(Tensor(&known->second.storage(), a.dtype, a.shape, own, a.offset));
  }
  if (aligned) {
    s = device.borrow(a.bytes.data(), a.bytes.size(), a.keepAlive);
  } else {
    s = device.allocate(a.bytes.size());
    if (!s)
      return noMemory();
    device.copy(s->data(), a.bytes.data(), a.bytes.size());
  }
  Tensor t(s, a.dtype, a.shape, own, a.offset);
  if (!a.storage.empty())
    storages.emplace(a.storage, t);
  if (strides && !std::ranges::equal(*strides, t.strides())) {
    // Laid out as the file says that the input will come.
    Storage *fresh = device.allocate(static_cast<std::size_t>(t.numel()) * t.itemBytes());
    if (!fresh)
      return noMemory();
    Tensor laid(fresh, t.dtype(), t.sizes(), *strides, 0);
    device.convert(t.sizes(), {laid.bytes(), laid.dtype(), laid.strides().data()},
                   {t.bytes(), t.dtype(), t.strides().data()});
    t = laid;
  }
  return RuntimeValue(t);
}

// --- inputs ---------------------------------------------------------------------

Expected<std::vector<RuntimeValue>> ExecutorImpl::bind(std::span<const Array> arrays) {
  std::vector<const Array *> chosen(inputPorts.size(), nullptr);
  const auto byName = [&](std::string_view name) {
    for (std::size_t i = 0; i < inputPorts.size(); ++i)
      if (inputPorts[i].name == name)
        return i;
    return inputPorts.size();
  };
  std::size_t position = 0;
  for (const Array &a : arrays) {
    std::size_t i = a.name.empty() ? position : byName(a.name);
    if (i == inputPorts.size() && a.name.starts_with("in") && a.name.size() > 2 && a.name.size() < 8 &&
        std::all_of(a.name.begin() + 2, a.name.end(), [](char ch) { return ch >= '0' && ch <= '9'; }))
      i = static_cast<std::size_t>(std::stoul(a.name.substr(2)));
    ++position;
    if (i >= inputPorts.size()) {
      std::string known;
      for (const Port &p : inputPorts)
        known += (known.empty() ? "" : ", ") + p.name;
      return Error{m.info.path,
                   {},
                   fmt::format("the model has no input '{}'; it has {}: {}", a.name, inputPorts.size(), known),
                   {}};
    }
    if (chosen[i])
      return badInput(inputPorts[i], "is given twice");
    chosen[i] = &a;
  }
  bounds.clear();
  interpreter.symbols.clear();
  std::vector<RuntimeValue> bound;
  for (std::size_t i = 0; i < inputPorts.size(); ++i) {
    if (!chosen[i]) {
      if (!isOptional(i))
        return badInput(inputPorts[i], fmt::format("is not given; the model takes {} input(s), {} are given",
                                                   inputPorts.size(), arrays.size()));
      bound.emplace_back();
      continue;
    }
    auto v = bindOne(inputPorts[i], *chosen[i]);
    if (!v)
      return v.error();
    bound.push_back(std::move(*v));
  }
  if (auto problem = bindSymbols())
    return *problem;
  return bound;
}

Expected<RuntimeValue> ExecutorImpl::bindOne(const Port &port, const Array &a) {
  const Type &t = m.types[port.type];
  switch (t.kind) {
  case ValueKind::SymInt:
  case ValueKind::SymBool:
  case ValueKind::SymFloat: {
    if (a.kind != ValueKind::Tensor || !a.shape.empty() || a.bytes.empty())
      return badInput(port, fmt::format("is a number, found {}", arrayText(a)));
    const bool whole = isIntegral(a.dtype) || a.dtype == DType::Bool;
    if (t.kind != ValueKind::SymFloat && (!whole || (t.kind == ValueKind::SymBool) != (a.dtype == DType::Bool)))
      return badInput(port, fmt::format("is {}, found {}", t.kind == ValueKind::SymBool ? "a bool" : "an integer",
                                        dtypeName(a.dtype)));
    const auto number = loadElement<std::int64_t>(a.dtype, a.bytes.data(), 0);
    const ContentId content = m[port.value].content;
    if (content && m.content(content).size() == 1 && t.kind != ValueKind::SymFloat)
      bounds.push_back({m.content(content)[0], number, "input '" + port.name + "'"});
    if (t.kind == ValueKind::SymFloat)
      return RuntimeValue::ofFloat(loadElement<double>(a.dtype, a.bytes.data(), 0));
    return t.kind == ValueKind::SymInt ? RuntimeValue::ofInt(number) : RuntimeValue::ofBool(number != 0);
  }
  case ValueKind::Sequence:
  case ValueKind::Optional:
    if (a.kind != t.kind && !(t.kind == ValueKind::Optional && a.kind == ValueKind::Tensor))
      return badInput(port, fmt::format("is a {}, found {}", kindName(t.kind), arrayText(a)));
    if (a.kind != t.kind) {
      auto item = fromArray(a, nullptr);
      return item ? Expected<RuntimeValue>(RuntimeValue::optional(*item)) : item;
    }
    return fromArray(a, nullptr);
  case ValueKind::Tensor:
  case ValueKind::Unknown:
    break;
  default:
    return badInput(port, fmt::format("is a {}, which condlint cannot be given", kindName(t.kind)));
  }
  if (a.kind != ValueKind::Tensor)
    return badInput(port, fmt::format("is {}, found a {}", typeText(m, t), kindName(a.kind)));
  if (t.element != DType::Unknown && t.element != a.dtype)
    return badInput(port, fmt::format("is {}, found {}", typeText(m, t), arrayText(a)));
  if (t.hasRank) {
    if (t.dims.size() != a.shape.size())
      return badInput(port, fmt::format("is {} of rank {}, found {}", typeText(m, t), t.dims.size(), arrayText(a)));
    if (auto problem = bindSizes(port, t, a))
      return *problem;
  }
  Sizes strides;
  const bool laidOut = t.hasRank && t.hasStrides && m.info.dialect == Dialect::Torch;
  for (std::size_t i = 0; laidOut && i < t.strides.size(); ++i) {
    auto s = m.dims.asConstant(t.strides[i]);
    if (!s) {
      // A symbol stands for the size that this input has there.
      Assignment sizes = interpreter.symbols;
      for (std::size_t k = 0; k < t.dims.size(); ++k)
        if (const auto symbols = m.dims.symbolsOf(t.dims[k]);
            symbols.size() == 1 && symbols[0].name == m.dims.str(t.dims[k]))
          sizes.emplace_back(symbols[0].name, a.shape[k]);
      s = m.dims.evaluate(t.strides[i], sizes);
    }
    if (!s)
      break;
    strides.push_back(*s);
  }
  // Only what is dense: every element lies within as many.
  bool dense = laidOut && strides.size() == t.strides.size();
  std::int64_t reach = 1;
  for (std::size_t i = 0; dense && i < strides.size(); ++i) {
    dense = strides[i] > 0 && strides[i] < (std::int64_t{1} << 40);
    reach += dense ? (a.shape[i] - 1) * strides[i] : 0;
  }
  dense = dense && elementCount(a.shape).value_or(-1) == reach;
  return fromArray(a, dense ? &strides : nullptr);
}

std::optional<Error> ExecutorImpl::bindSizes(const Port &port, const Type &t, const Array &a) {
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    const auto constant = m.dims.asConstant(t.dims[i]);
    if (constant && *constant != a.shape[i])
      return badInput(port, fmt::format("is {}, found {}: axis {} has {} elements instead of {}", typeText(m, t),
                                        arrayText(a), i, a.shape[i], *constant));
    if (!constant && t.dims[i].known())
      bounds.push_back({t.dims[i], a.shape[i], fmt::format("axis {} of input '{}'", i, port.name)});
  }
  return std::nullopt;
}

/// Symbols that stand alone get their values; expressions are compared with them.
std::optional<Error> ExecutorImpl::bindSymbols() {
  Assignment &symbols = interpreter.symbols;
  const auto find = [&](std::string_view name) {
    return std::ranges::find(symbols, name, [](const auto &p) { return std::string_view(p.first); });
  };
  const auto fail = [&](const Bound &b, std::string message) {
    return Error{m.info.path, b.place, std::move(message), {}};
  };
  for (const Bound &b : bounds) {
    const auto used = m.dims.symbolsOf(b.declared);
    if (used.size() != 1 || used[0].name != m.dims.str(b.declared))
      continue;
    const Symbol &s = used[0];
    if (const auto known = find(s.name); known != symbols.end()) {
      if (known->second != b.size && m.info.dialect == Dialect::Torch)
        return fail(b, fmt::format("has {} elements, but {} is {} by another input", b.size, s.name, known->second));
      continue;
    }
    // As torch: a declared minimum of up to 2 says how the model was traced, no more.
    const bool declared = s.origin == SymbolOrigin::Declared;
    if (declared && ((s.bounds.min > 2 && b.size < s.bounds.min) || b.size > s.bounds.max)) {
      const std::string most = s.bounds.max == INT64_MAX ? "" : " and at most " + std::to_string(s.bounds.max);
      return fail(b, fmt::format("is {} = {}, which the model declares to be at least {}{}", s.name, b.size,
                                 s.bounds.min, most));
    }
    symbols.emplace_back(s.name, b.size);
  }
  for (const Bound &b : bounds) {
    const auto value = m.dims.evaluate(b.declared, symbols);
    if (value && *value != b.size && m.info.dialect == Dialect::Torch)
      return fail(b, fmt::format("has {} elements, but {} is {} here", b.size, m.dims.str(b.declared), *value));
  }
  return std::nullopt;
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::draw(std::uint64_t seed, std::uint32_t draw,
                                                       const Assignment &fixed) {
  // One value for each symbol of the inputs: small at first.
  Assignment chosen = fixed;
  Philox sizes{seed, (std::uint64_t{1} << 32) + draw};
  std::uint64_t drawn = 0;
  const auto sizeOf = [&](Dim d) -> std::int64_t {
    for (const Symbol &s : m.dims.symbolsOf(d)) {
      if (std::ranges::any_of(chosen, [&](const auto &p) { return p.first == s.name; }))
        continue;
      const std::int64_t low = std::max<std::int64_t>(s.bounds.min, s.origin == SymbolOrigin::Declared ? 0 : 1);
      const std::int64_t start = std::clamp<std::int64_t>(2, low, std::max(low, s.bounds.max));
      const std::int64_t room = s.bounds.max - start;
      const auto spread = static_cast<std::uint64_t>(std::min<std::int64_t>(room, 2 * static_cast<std::int64_t>(draw)));
      chosen.emplace_back(s.name, start + static_cast<std::int64_t>(sizes.bits(drawn++) % (spread + 1)));
    }
    return d.known() ? m.dims.evaluate(d, chosen).value_or(2) : 2;
  };
  std::vector<Array> arrays;
  std::vector<std::shared_ptr<std::string>> kept;
  for (std::size_t i = 0; i < inputPorts.size(); ++i) {
    const Port &port = inputPorts[i];
    const Type &t = m.types[port.type];
    if (m[port.value].constant)
      continue;
    Philox random{seed, (std::uint64_t{draw} << 16) + i};
    Array a;
    a.name = port.name;
    auto bytes = std::make_shared<std::string>();
    const auto numbers = [&](DType type, std::int64_t count, bool counts) {
      a.dtype = type;
      if (type == DType::String) {
        for (std::int64_t k = 0; k < count; ++k)
          a.strings.emplace_back(1, static_cast<char>('a' + random.bits(static_cast<std::uint64_t>(k)) % 26));
        return;
      }
      bytes->assign(static_cast<std::size_t>(count) * elementBytes(type), '\0');
      for (std::int64_t k = 0; k < count; ++k) {
        const auto at = static_cast<std::uint64_t>(k);
        if (type == DType::Bool)
          storeElement<std::int64_t>(type, bytes->data(), k, static_cast<std::int64_t>(random.bits(at) & 1));
        else if (isIntegral(type))
          storeElement<std::int64_t>(type, bytes->data(), k,
                                     static_cast<std::int64_t>(random.bits(at) % (counts ? 4 : 3)));
        else
          storeElement<ComplexDouble>(
              type, bytes->data(), k,
              ComplexDouble(random.normal(2 * at), isComplex(type) ? random.normal(2 * at + 1) : 0));
      }
    };
    if (t.kind == ValueKind::SymInt || t.kind == ValueKind::SymBool || t.kind == ValueKind::SymFloat) {
      numbers(t.kind == ValueKind::SymInt    ? DType::Int64
              : t.kind == ValueKind::SymBool ? DType::Bool
                                             : DType::Float64,
              1, true);
      const ContentId content = m[port.value].content;
      if (t.kind == ValueKind::SymInt && content && m.content(content).size() == 1)
        storeElement<std::int64_t>(DType::Int64, bytes->data(), 0, sizeOf(m.content(content)[0]));
    } else if (t.isTensor() && t.element != DType::Unknown && t.hasRank) {
      for (Dim d : t.dims)
        a.shape.push_back(m.dims.asConstant(d).value_or(0));
      for (std::size_t k = 0; k < a.shape.size(); ++k)
        if (!m.dims.asConstant(t.dims[k]))
          a.shape[k] = sizeOf(t.dims[k]);
      const auto count = elementCount(a.shape);
      if (!count || *count > (std::int64_t{1} << 31))
        return badInput(port, fmt::format("cannot be drawn: {} has too many elements", shapeText(a.shape)));
      numbers(t.element, *count, false);
    } else if (isOptional(i)) {
      continue;
    } else {
      return badInput(port, fmt::format("cannot be drawn: the file says no more of it than {}", typeText(m, t)));
    }
    a.bytes = *bytes;
    a.keepAlive = bytes;
    arrays.push_back(std::move(a));
  }
  return bind(arrays);
}

// --- running --------------------------------------------------------------------

Expected<std::vector<RuntimeValue>> ExecutorImpl::run(std::span<const RuntimeValue> given) {
  // Every run starts from the stored weights.
  if (!first && std::ranges::any_of(weightTensors, [](const Tensor &t) { return t.storage().version() != 0; })) {
    storages.clear();
    weightTensors.clear();
    for (const auto &[c, array] : weights) {
      auto value = fromArray(array, nullptr);
      if (!value)
        return value.error();
      interpreter.setConstant(c, value->tensor);
      weightTensors.push_back(value->tensor);
    }
  }
  first = false;
  interpreter.setSeed(options.seed);
  const GraphId main = m.main();
  const Range parameters = m[main].parameters;
  std::vector<RuntimeValue> arguments(parameters.count);
  for (std::uint32_t i = 0; i < parameters.count; ++i)
    if (const ConstantId c = m[ValueId(parameters.first + i)].constant)
      arguments[i] = interpreter.constant(c);
  for (std::size_t i = 0; i < inputPorts.size() && i < given.size(); ++i)
    if (given[i].kind != ValueKind::Unknown)
      arguments[inputPorts[i].value.index() - parameters.first] = given[i];
  if (const MemoryEstimate least = leastMemory(m, interpreter.symbols, device.memoryLimit());
      least.bytes > device.memoryLimit())
    return Error{m.info.path, m.path(least.node),
                 fmt::format("the model takes at least {} bytes here, beyond the memory that may be used, {} bytes",
                             least.bytes, device.memoryLimit()),
                 "allow more with --memory-limit"};
  const std::size_t before = interpreter.problems.size();
  auto results = interpreter.runRegion(main, arguments);
  if (!results) {
    if (interpreter.problems.size() > before)
      return interpreter.problems[before].error;
    return interpreter.problems.empty() ? Error{m.info.path, {}, "the model did not run to its end", {}}
                                        : interpreter.problems.front().error;
  }
  std::vector<RuntimeValue> outputs;
  for (std::size_t i : userResults)
    outputs.push_back(std::move((*results)[i]));
  return outputs;
}

Array ExecutorImpl::toArray(const RuntimeValue &v) const {
  Array a;
  const auto own = [&](std::string bytes) {
    auto kept = std::make_shared<const std::string>(std::move(bytes));
    a.bytes = *kept;
    a.keepAlive = kept;
  };
  const auto number = [&](DType t, auto value) {
    a.dtype = t;
    std::string bytes(elementBytes(t), '\0');
    storeElement(t, bytes.data(), 0, value);
    own(std::move(bytes));
  };
  switch (v.kind) {
  case ValueKind::SymInt:
    number(DType::Int64, v.number);
    break;
  case ValueKind::SymBool:
    number(DType::Bool, v.number);
    break;
  case ValueKind::SymFloat:
    number(DType::Float64, v.real);
    break;
  case ValueKind::Tensor: {
    const Tensor &t = v.tensor;
    a.dtype = t.dtype();
    a.shape = sizesOf(t);
    std::string bytes(static_cast<std::size_t>(t.numel()) * t.itemBytes(), '\0');
    const Sizes strides = contiguousStrides(t.sizes());
    t.device().convert(t.sizes(), {bytes.data(), t.dtype(), strides.data()},
                       {t.bytes(), t.dtype(), t.strides().data()});
    if (t.dtype() == DType::String) {
      for (std::int64_t i = 0; i < t.numel(); ++i) {
        std::uint64_t handle = 0;
        std::memcpy(&handle, bytes.data() + 8 * i, 8);
        a.strings.emplace_back(const_cast<Interpreter &>(interpreter).strings().view(handle));
      }
      break;
    }
    own(std::move(bytes));
    break;
  }
  default:
    a.kind = v.kind;
    for (const RuntimeValue &item : v.list())
      a.items.push_back(toArray(item));
  }
  return a;
}

} // namespace

Expected<std::unique_ptr<Executor>> Executor::create(const Model &m, const ExecutorOptions &options) {
  if (auto problem = deviceProblem(options.device))
    return Error{{}, {}, *problem, {}};
  auto executor = std::make_unique<ExecutorImpl>(m, options);
  if (auto problem = executor->prepare())
    return *problem;
  return std::unique_ptr<Executor>(std::move(executor));
}

std::vector<std::string> executorDevices() { return {"cpu"}; }

std::optional<std::string> deviceProblem(const std::string &device) {
  if (device == "cpu")
    return std::nullopt;
  if (device == "cuda")
    return "there is no device 'cuda': this condlint is built without CUDA";
  return "there is no device '" + device + "'; known are cpu and cuda";
}

std::optional<std::string> differenceOf(const Array &got, const Array &wanted, double rtol, double atol) {
  if (got.kind != wanted.kind) {
    // An optional that holds something is written as what it holds.
    if (got.kind == ValueKind::Optional && got.items.size() == 1)
      return differenceOf(got.items[0], wanted, rtol, atol);
    return fmt::format("is {}, expected {}", arrayText(got), arrayText(wanted));
  }
  if (got.kind == ValueKind::Sequence || got.kind == ValueKind::Optional) {
    if (got.items.size() != wanted.items.size())
      return fmt::format("has {} items, expected {}", got.items.size(), wanted.items.size());
    for (std::size_t i = 0; i < got.items.size(); ++i)
      if (auto d = differenceOf(got.items[i], wanted.items[i], rtol, atol))
        return fmt::format("item {} {}", i, *d);
    return std::nullopt;
  }
  if (got.kind != ValueKind::Tensor)
    return std::nullopt;
  if (got.dtype != wanted.dtype || got.shape != wanted.shape)
    return fmt::format("is {}, expected {}", arrayText(got), arrayText(wanted));
  std::int64_t count = elementCount(got.shape).value_or(0), wrong = 0, firstWrong = 0;
  double worst = 0;
  // Expected values may lie in another order.
  const Sizes strides = wanted.strides.empty() ? contiguousStrides(wanted.shape) : wanted.strides;
  const auto placeOf = [&](std::int64_t i) {
    std::int64_t at = wanted.offset;
    for (std::size_t k = wanted.shape.size(); k-- > 0; i /= std::max<std::int64_t>(wanted.shape[k], 1))
      at += i % wanted.shape[k] * strides[k];
    return at;
  };
  const auto near = [&](double a, double b) {
    return a == b || (a != a && b != b) || std::fabs(a - b) <= atol + rtol * std::fabs(b);
  };
  std::string shown, expected;
  for (std::int64_t i = 0; i < count; ++i) {
    bool same = true;
    std::string a, b;
    if (got.dtype == DType::String) {
      same = got.strings[static_cast<std::size_t>(i)] == wanted.strings[static_cast<std::size_t>(i)];
      a = got.strings[static_cast<std::size_t>(i)];
      b = wanted.strings[static_cast<std::size_t>(i)];
    } else if (isFloating(got.dtype) || isComplex(got.dtype)) {
      const auto x = loadElement<ComplexDouble>(got.dtype, got.bytes.data(), i);
      const auto y = loadElement<ComplexDouble>(wanted.dtype, wanted.bytes.data(), placeOf(i));
      same = near(x.real(), y.real()) && near(x.imag(), y.imag());
      if (!same) {
        worst = std::max(worst, std::abs(x - y));
        a = isComplex(got.dtype) ? fmt::format("{}{:+}i", x.real(), x.imag()) : fmt::format("{}", x.real());
        b = isComplex(got.dtype) ? fmt::format("{}{:+}i", y.real(), y.imag()) : fmt::format("{}", y.real());
      }
    } else {
      const auto x = loadElement<std::int64_t>(got.dtype, got.bytes.data(), i);
      const auto y = loadElement<std::int64_t>(wanted.dtype, wanted.bytes.data(), placeOf(i));
      same = x == y || near(static_cast<double>(x), static_cast<double>(y));
      if (!same) {
        a = std::to_string(x);
        b = std::to_string(y);
      }
    }
    if (same)
      continue;
    if (wrong++ == 0) {
      firstWrong = i;
      shown = a;
      expected = b;
    }
  }
  if (wrong == 0)
    return std::nullopt;
  Sizes index(got.shape.size());
  for (std::size_t k = got.shape.size(); k-- > 0; firstWrong /= got.shape[k])
    index[k] = firstWrong % got.shape[k];
  std::string text = fmt::format("differs in {} of {} elements, the first at {}: {}, expected {}", wrong, count,
                                 shapeText(index), shown, expected);
  if (worst > 0)
    text += fmt::format("; by at most {:.3g}", worst);
  return text;
}

} // namespace condlint
