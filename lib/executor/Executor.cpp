//===- Executor.cpp - Runs a model ----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecutorImpl.h"
#include "MemoryEstimate.h"
#include "cpu/CpuDevice.h"
#include "ops/Loading.h"
#include "ops/TorchNames.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>
#include <set>

namespace condlint {

namespace {

/// A row-major copy of \p t that outlives the run.
struct HostCopy {
  HostCopy(const Tensor &t, std::uint64_t limit) {
    device.setLimit(limit);
    Storage *bytes = device.allocate(static_cast<std::size_t>(t.numel()) * t.itemBytes());
    if (!bytes)
      throw std::bad_alloc();
    tensor = Tensor(bytes, t.dtype(), t.sizes());
    device.convert(t.sizes(), ElementOperand::of(tensor), ElementOperand::of(t));
  }
  CpuDevice device;
  Tensor tensor;
};

/// Positions in the main graph's results that are the caller's; others only write back.
std::vector<std::size_t> userResultsOf(const Model &m) {
  const Range roles = m[m.main()].resultRoles;
  std::vector<std::size_t> user;
  for (std::size_t i = 0; i < m.results(m.main()).size(); ++i) {
    const std::string_view role = roles.empty() ? std::string_view() : m.text(m.stringsIn(roles)[i]);
    if (role.empty() || role == "loss_output")
      user.push_back(i);
  }
  return user;
}

} // namespace

std::vector<Executor::Port> inputPortsOf(const Model &m) {
  std::vector<Executor::Port> ports;
  const Range parameters = m.main() ? m[m.main()].parameters : Range();
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const ValueId v(parameters.first + i);
    const ParameterRole role = m[v].role;
    if (role == ParameterRole::Input || role == ParameterRole::ScalarInput)
      ports.push_back({v, std::string(m.name(v)), m[v].recorded});
  }
  return ports;
}

std::vector<Executor::Port> outputPortsOf(const Model &m) {
  std::vector<Executor::Port> ports;
  if (!m.main())
    return ports;
  for (std::size_t i : userResultsOf(m)) {
    const ValueId v = m.results(m.main())[i];
    ports.push_back({v, v ? std::string(m.name(v)) : std::string(), v ? m[v].recorded : TypeId()});
  }
  return ports;
}

ExecutorImpl::ExecutorImpl(const Model &model, ExecutorOptions o, std::unique_ptr<Device> on)
    : m(model), options(std::move(o)), ownDevice(std::move(on)), device(*ownDevice), interpreter(m, device, options) {
  device.setLimit(options.memoryLimit != 0 ? options.memoryLimit : device.freeMemory() / 5 * 4);
}

std::optional<Error> ExecutorImpl::prepare(OpenConstants &open) {
  const GraphId main = m.main();
  if (!main)
    return Error{m.info.path, {}, "the file holds no graph that could run", {}};
  // An ONNX model is well-typed before any of it runs; torch finds out as it goes.
  for (const InvalidOperand &i : options.refused)
    if (m.info.dialect == Dialect::Onnx && i.when.empty() && !options.bothBranches &&
        !nodeHas(m, i.node, OpTrait::Conditional) && !isFoundWhenItRuns(m, i))
      return Error{m.info.path, m.path(i.node), textOf(m, i), {}};
  for (std::uint32_t i = 0; i < m.nodeCount() && !options.bothBranches; ++i)
    if (const NodeId n(i); isRefused(faultOfName(m, m[n].op)))
      return Error{m.info.path, m.path(n), unknownName(m, m[n].op), {}};
  inputPorts = inputPortsOf(m);
  outputPorts = outputPortsOf(m);
  userResults = userResultsOf(m);
  return loadConstants(open);
}

std::optional<Error> ExecutorImpl::loadConstants(OpenConstants &open) {
  std::set<ConstantId> wanted;
  const auto want = [&](ConstantId c) {
    if (c)
      wanted.insert(c);
  };
  for (std::uint32_t i = 0; i < m.valueCount(); ++i)
    want(m[ValueId(i)].constant);
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    for (NodeId n : m.nodes(GraphId(g))) {
      hasConditional = hasConditional || nodeHas(m, n, OpTrait::Conditional);
      for (const Attribute &a : m.attributes(n))
        if (a.kind == AttributeKind::Tensor)
          want(ConstantId(a.list.first));
        else if (a.kind == AttributeKind::Tensors)
          for (std::uint32_t i = 0; i < a.list.count; ++i)
            want(ConstantId(a.list.first + i));
    }
  if (wanted.empty())
    return std::nullopt;
  auto data = open(m, device.memoryLimit());
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
    std::memcpy(s->hostBytesToWrite(), a.bytes.data(), a.bytes.size());
  }
  Tensor t(s, a.dtype, a.shape, own, a.offset);
  if (!a.storage.empty())
    storages.emplace(a.storage, t);
  if (strides && !std::ranges::equal(*strides, t.strides())) {
    // Laid out as the file says that the input will come.
    std::int64_t reach = 1;
    for (std::size_t i = 0; i < t.rank(); ++i)
      reach += (t.size(i) - 1) * (*strides)[i];
    Storage *fresh = device.allocate(static_cast<std::size_t>(reach) * t.itemBytes());
    if (!fresh)
      return noMemory();
    Tensor laid(fresh, t.dtype(), t.sizes(), *strides, 0);
    device.convert(t.sizes(), ElementOperand::of(laid), ElementOperand::of(t));
    t = laid;
  }
  return RuntimeValue(t);
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::run(std::span<const RuntimeValue> given) {
  return orError([&] { return runMain(given); });
}

/// Every run starts from the stored weights, and draws the same random numbers.
std::optional<Error> ExecutorImpl::beginRun() {
  interpreter.setSeed(options.seed);
  interpreter.startClock();
  if (std::ranges::none_of(weightTensors, [](const Tensor &t) { return t.storage().version() != 0; }))
    return std::nullopt;
  storages.clear();
  weightTensors.clear();
  for (const auto &[c, array] : weights) {
    auto value = fromArray(array, nullptr);
    if (!value)
      return value.error();
    interpreter.setConstant(c, value->tensor);
    weightTensors.push_back(value->tensor);
  }
  return std::nullopt;
}

/// What the parameters of the main graph hold: what is given, and the weights.
std::vector<RuntimeValue> ExecutorImpl::argumentsOf(std::span<const RuntimeValue> given) const {
  const Range parameters = m[m.main()].parameters;
  std::vector<RuntimeValue> arguments(parameters.count);
  for (std::uint32_t i = 0; i < parameters.count; ++i)
    if (const ConstantId c = m[ValueId(parameters.first + i)].constant)
      arguments[i] = interpreter.constant(c);
  for (std::size_t i = 0; i < inputPorts.size() && i < given.size(); ++i)
    if (given[i].kind != ValueKind::Unknown)
      arguments[inputPorts[i].value.index() - parameters.first] = given[i];
  return arguments;
}

/// The main graph's results, one node after the other.
Expected<std::vector<RuntimeValue>> ExecutorImpl::runNodes(std::span<const RuntimeValue> given) {
  if (auto broken = beginRun())
    return *broken;
  const std::size_t before = interpreter.problems.size();
  std::optional<std::vector<RuntimeValue>> results = interpreter.runRegion(m.main(), argumentsOf(given));
  device.finish();
  if (results)
    return std::move(*results);
  if (interpreter.problems.size() > before)
    return interpreter.problems[before].error;
  return interpreter.problems.empty() ? Error{m.info.path, {}, "the model did not run to its end", {}}
                                      : interpreter.problems.front().error;
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::runMain(std::span<const RuntimeValue> given) {
  if (const MemoryEstimate least = leastMemory(m, interpreter.symbols, device.memoryLimit());
      least.bytes > device.memoryLimit())
    return Error{m.info.path, m.path(least.node),
                 fmt::format("the model takes at least {} bytes here, beyond the memory that may be used, {} bytes",
                             least.bytes, device.memoryLimit()),
                 "allow more with --memory-limit"};
  if (recorded && !recorded->fits(argumentsOf(given)))
    recorded.reset();
  if (!recorded && options.asGraph && (hasConditional || options.asGraphAlways) && !options.bothBranches) {
    if (auto broken = beginRun())
      return *broken;
    recorded = record(argumentsOf(given));
  }
  auto results = recorded ? launch(argumentsOf(given)) : runNodes(given);
  if (!results)
    return results;
  std::vector<RuntimeValue> outputs;
  for (std::size_t i : userResults)
    outputs.push_back(std::move((*results)[i]));
  return outputs;
}

Expected<Array> ExecutorImpl::toArray(const RuntimeValue &v) const {
  return orError([&] { return Expected<Array>(arrayOf(v)); });
}

Array ExecutorImpl::arrayOf(const RuntimeValue &v) const {
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
    const auto copy = std::make_shared<HostCopy>(t, device.memoryLimit());
    if (t.dtype() == DType::String) {
      for (std::int64_t i = 0; i < t.numel(); ++i)
        a.strings.emplace_back(
            const_cast<Interpreter &>(interpreter).strings().view(copy->tensor.as<std::uint64_t>()[i]));
      break;
    }
    a.bytes = {copy->tensor.bytes(), static_cast<std::size_t>(t.numel()) * t.itemBytes()};
    a.keepAlive = copy;
    break;
  }
  default:
    a.kind = v.kind;
    for (const RuntimeValue &item : v.list())
      a.items.push_back(arrayOf(item));
  }
  return a;
}

Expected<std::unique_ptr<Executor>> Executor::create(const Model &m, const ExecutorOptions &options,
                                                     OpenConstants &open) {
  auto device = makeDevice(options.device);
  if (!device)
    return device.error();
  std::unique_ptr<ExecutorImpl> executor;
  std::optional<Error> problem;
  const auto broken = guarded([&] {
    executor = std::make_unique<ExecutorImpl>(m, options, std::move(*device));
    problem = executor->prepare(open);
  });
  if (broken)
    return Error{m.info.path, {}, *broken, {}};
  if (problem)
    return *problem;
  return std::unique_ptr<Executor>(std::move(executor));
}

} // namespace condlint
