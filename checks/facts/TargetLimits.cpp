//===- TargetLimits.cpp - Where ONNX and ONNX Runtime part ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TargetLimits.h"
#include "KernelNode.h"
#include "KernelNumbers.h"
#include "KernelOperands.h"
#include "KernelWindows.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

/// The numbers of axes that ONNX Runtime's kernels take of the first input, on every device
/// (onnxruntime/core/providers: pool.cc, lrn.cc, instance_norm_helper.h, ...).
struct KernelRank {
  std::string_view op;
  std::size_t least, most;
};
constexpr std::size_t anyRank = std::numeric_limits<std::size_t>::max();
constexpr KernelRank kernelRanks[] = {
    {"ArgMax", 1, anyRank},
    {"ArgMin", 1, anyRank},
    {"AveragePool", 0, 5},
    {"GatherElements", 1, anyRank},
    {"GlobalAveragePool", 3, 5},
    {"GlobalLpPool", 3, 5},
    {"GlobalMaxPool", 3, 5},
    {"GridSample", 4, anyRank},
    {"GroupNormalization", 2, anyRank},
    {"InstanceNormalization", 3, anyRank},
    {"LRN", 4, 4},
    {"LpNormalization", 1, anyRank},
    {"LpPool", 0, 5},
    {"MaxPool", 0, 5},
    {"MeanVarianceNormalization", 1, anyRank},
    {"Normalizer", 1, 2},
    {"ScatterElements", 1, anyRank},
};
static_assert(std::ranges::is_sorted(kernelRanks, {}, &KernelRank::op));

const KernelRank *kernelRankOf(std::string_view op) {
  const auto *at = std::ranges::lower_bound(kernelRanks, op, {}, &KernelRank::op);
  return at != std::end(kernelRanks) && at->op == op ? at : nullptr;
}

std::optional<TargetLimit> exceededRank(const Model &m, NodeId n, std::string_view op) {
  const KernelRank *limit = kernelRankOf(op);
  const auto operands = m.operands(n);
  if (!limit || operands.empty() || !operands[0])
    return std::nullopt;
  const Type &t = m.type(operands[0]);
  const std::size_t rank = t.dims.size();
  if (!t.isTensor() || !t.hasRank || (rank >= limit->least && rank <= limit->most))
    return std::nullopt;
  const std::string axes = limit->most == limit->least ? fmt::format("{}", limit->least)
                           : limit->most == anyRank    ? fmt::format("at least {}", limit->least)
                                                       : fmt::format("{} to {}", limit->least, limit->most);
  return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take {} {}, but input 0 has {}", op, axes,
                                 axes.ends_with(" 1") ? "axis" : "axes", rank),
                     0, false};
}

/// Up to version 8 a constant was of floats; ONNX Runtime makes it an initializer, of whatever type.
constexpr std::int32_t constantOfAnyType = 9;

std::optional<TargetLimit> exceededConstant(const Model &m, NodeId n) {
  const std::int32_t version = m[m[n].op].version;
  const DType element = m.resultCount(n) == 1 ? m.type(m.result(n, 0)).element : DType::Unknown;
  if (version < 1 || version >= constantOfAnyType || element == DType::Unknown || element == DType::Float16 ||
      element == DType::Float32 || element == DType::Float64)
    return std::nullopt;
  return TargetLimit{fmt::format("Constant is of floats alone before version {}, but this is {} at version {}",
                                 constantOfAnyType, dtypeName(element), version),
                     std::nullopt, false};
}

/// The kernel of RNN takes its functions by their very names, where those of GRU and LSTM read any letters (rnn.h).
std::optional<TargetLimit> exceededActivation(const Model &m, NodeId n, std::string_view op) {
  constexpr std::string_view known[] = {"Affine",   "Elu",        "HardSigmoid",    "LeakyRelu",
                                        "Relu",     "ScaledTanh", "Sigmoid",        "Softplus",
                                        "Softsign", "Tanh",       "ThresholdedRelu"};
  const Attribute *names = op == "RNN" ? m.attribute(n, "activations") : nullptr;
  if (!names || names->kind != AttributeKind::Strings)
    return std::nullopt;
  for (const StringId name : m.stringsIn(names->list))
    if (!std::ranges::binary_search(known, m.text(name)))
      return TargetLimit{fmt::format("RNN: the kernel of ONNX Runtime has no activation '{}': it tells upper case from "
                                     "lower",
                                     m.text(name)),
                         std::nullopt, false};
  return std::nullopt;
}

/// The recurrent kernels ask for the size of the hidden state, which the schemas leave to the weights, and take the
/// time as the first axis (rnn.h, deep_cpu_gru.h, lstm_base.h).
/// Those of GRU and LSTM clip at a number above 0.
std::optional<TargetLimit> exceededRecurrence(const Model &m, NodeId n, std::string_view op) {
  if (auto limit = exceededActivation(m, n, op))
    return limit;
  if (const Attribute *clip = m.attribute(n, "clip");
      clip && clip->kind == AttributeKind::Float && clip->real <= 0 && op != "RNN")
    return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take clip above 0, but it is {}", op, clip->real),
                       std::nullopt, false};
  if (!m.attribute(n, "hidden_size"))
    return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime need 'hidden_size'", op), std::nullopt, false};
  const Attribute *layout = m.attribute(n, "layout");
  if (!layout || layout->kind != AttributeKind::Int || layout->number == 0)
    return std::nullopt;
  return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take no layout {}", op, layout->number), std::nullopt,
                     false};
}

/// Kernels of ONNX Runtime that write to each of their outputs, named or not: it crashes (1.32, split.cc,
/// batch_norm.cc).
std::optional<TargetLimit> unnamedOutput(const Model &m, NodeId n, std::string_view op) {
  const Attribute *training = m.attribute(n, "training_mode");
  if (op == "BatchNormalization" && (!training || training->kind != AttributeKind::Int || training->number == 0))
    return std::nullopt;
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    if (m.name(m.result(n, i)).empty())
      return TargetLimit{fmt::format("{}: output {} has no name, and ONNX Runtime crashes when it runs", op, i),
                         std::nullopt, true};
  return std::nullopt;
}

/// A pool's padding is smaller than its window, to the kernels of ONNX Runtime, also where `auto_pad` decides
/// (pool_attributes.h); the schemas set no limit.
std::optional<TargetLimit> exceededPadding(const Model &m, NodeId n, std::string_view op) {
  const Attribute *pads = m.attribute(n, "pads"), *kernel = m.attribute(n, "kernel_shape");
  if (!pads || !kernel || pads->kind != AttributeKind::Ints || kernel->kind != AttributeKind::Ints)
    return std::nullopt;
  const auto padding = m.ints(pads->list), windows = m.ints(kernel->list);
  for (std::size_t i = 0; padding.size() == 2 * windows.size() && i < padding.size(); ++i)
    if (const std::int64_t window = windows[i % windows.size()]; padding[i] >= window)
      return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take less padding than the window is wide, but "
                                     "pads {} for a window of {}",
                                     op, padding[i], window),
                         std::nullopt, false};
  return std::nullopt;
}

/// Pools have something to look at in each axis but the first, and GridSample in those of space (pool_attributes.h,
/// grid_sample.cc).
std::optional<TargetLimit> emptyOperand(const Model &m, NodeId n, std::string_view op) {
  const auto operands = m.operands(n);
  const Type t = operands.empty() || !operands[0] ? Type() : m.type(operands[0]);
  for (std::size_t axis = op == "GridSample" ? 2 : 1; t.hasRank && axis < t.dims.size(); ++axis)
    if (operandSize(m, n, 0, axis) == 0)
      return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take no operand without elements, but axis {} is "
                                     "of size 0",
                                     op, axis),
                         0, false};
  return std::nullopt;
}

/// Where `auto_pad` decides, the kernels of pools leave the dilations out of the padding (pool_attributes.h): they come
/// to another size than was inferred, and stop.
std::optional<TargetLimit> exceededDilation(const Model &m, NodeId n, std::string_view op) {
  const Attribute *pad = m.attribute(n, "auto_pad"), *dilations = m.attribute(n, "dilations"),
                  *kernel = m.attribute(n, "kernel_shape"), *strides = m.attribute(n, "strides");
  const auto isList = [](const Attribute *a) { return a && a->kind == AttributeKind::Ints; };
  if (!pad || !m.text(pad->text).starts_with("SAME_") || !isList(dilations) || !isList(kernel) ||
      dilations->list.count != kernel->list.count)
    return std::nullopt;
  const auto windows = m.ints(kernel->list), spread = m.ints(dilations->list);
  const auto steps = isList(strides) ? m.ints(strides->list) : decltype(windows)();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t step = i < steps.size() ? steps[i] : 1;
    const auto size = operandSize(m, n, 0, i + 2);
    if (!size || *size < 1 || step < 1 || spread[i] < 2)
      continue;
    const std::int64_t inferred = (*size + step - 1) / step;
    const std::int64_t padding = std::max<std::int64_t>(0, (inferred - 1) * step + windows[i] - *size);
    const std::int64_t room = *size + padding - spread[i] * (windows[i] - 1) - 1;
    if (const std::int64_t computed = room < 0 ? 0 : room / step + 1; computed != inferred)
      return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take no dilations with auto_pad '{}': they come "
                                     "to the size {} in axis {}, where {} is inferred",
                                     op, m.text(pad->text), computed, i + 2, inferred),
                         std::nullopt, false};
  }
  return std::nullopt;
}

/// The kernels take 1 alone for a yes, where others than 0 are one for what inference expects (reshape_helper.h).
std::optional<TargetLimit> exceededZeros(const Model &m, NodeId n, std::string_view /*op*/) {
  const Attribute *a = m.attribute(n, "allowzero");
  const auto operands = m.operands(n);
  if (!a || a->kind != AttributeKind::Int || a->number == 0 || a->number == 1 || operands.size() < 2 || !operands[1] ||
      !m[operands[1]].content)
    return std::nullopt;
  const auto sizes = m.content(m[operands[1]].content);
  if (std::ranges::none_of(sizes, [&](Dim d) { return m.dims.isConstant(d, 0); }))
    return std::nullopt;
  return TargetLimit{fmt::format("Reshape: ONNX Runtime takes allowzero 0 or 1, but it is {}", a->number), std::nullopt,
                     false};
}

/// The same of what a reduction does without axes.
std::optional<TargetLimit> exceededNoop(const Model &m, NodeId n, std::string_view op) {
  const Attribute *a = m.attribute(n, "noop_with_empty_axes");
  const auto operands = m.operands(n);
  const bool isScalar =
      !operands.empty() && operands[0] && m.type(operands[0]).hasRank && m.type(operands[0]).dims.empty();
  if (!a || a->kind != AttributeKind::Int || a->number == 0 || a->number == 1 || isScalar ||
      (operands.size() > 1 && operands[1] && operandSize(m, n, 1, 0) != 0))
    return std::nullopt;
  return TargetLimit{fmt::format("{}: ONNX Runtime takes noop_with_empty_axes 0 or 1, but it is {}", op, a->number),
                     std::nullopt, false};
}

/// There is no largest of no elements: the axis that is gone along has some (reduction_ops.cc).
std::optional<TargetLimit> emptyAxis(const Model &m, NodeId n, std::string_view op) {
  const auto operands = m.operands(n);
  const Type t = operands.empty() || !operands[0] ? Type() : m.type(operands[0]);
  const Attribute *a = m.attribute(n, "axis");
  const std::int64_t axis = a && a->kind == AttributeKind::Int ? a->number : 0;
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  if (!t.hasRank || axis < -rank || axis >= rank)
    return std::nullopt;
  const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
  if (operandSize(m, n, 0, at) != 0)
    return std::nullopt;
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (i != at && operandSize(m, n, 0, i).value_or(0) == 0)
      return std::nullopt;
  return TargetLimit{fmt::format("{}: axis {} has no elements", op, axis), 0, false};
}

/// ONNX Runtime sums over a channel and as many on either side of it, of images (lrn.h).
std::optional<TargetLimit> exceededNeighbours(const Model &m, NodeId n, std::string_view /*op*/) {
  const Attribute *size = m.attribute(n, "size");
  if (size && size->kind == AttributeKind::Int && size->number % 2 == 0)
    return TargetLimit{fmt::format("LRN: the kernels of ONNX Runtime take an odd 'size', but it is {}", size->number),
                       std::nullopt, false};
  for (const std::string_view name : {"alpha", "beta"})
    if (const Attribute *a = m.attribute(n, name); a && a->kind == AttributeKind::Float && a->real <= 0)
      return TargetLimit{fmt::format("LRN: the kernels of ONNX Runtime take {} above 0, but it is {}", name, a->real),
                         std::nullopt, false};
  return std::nullopt;
}

/// Attributes that say yes or no by a number, of which the kernels of ONNX Runtime take 0 and 1 (cumsum.cc, cumprod.cc,
/// element_wise_ops.cc, non_max_suppression.h, attention.cc, batch_norm.h, top_k.cc, unique.cc): another number some
/// refuse, and some take for 0, where onnx's own reference takes it for 1.
struct KernelFlag {
  std::string_view op, attribute;
};
constexpr KernelFlag kernelFlags[] = {{"Attention", "is_causal"},
                                      {"BatchNormalization", "training_mode"},
                                      {"CumProd", "exclusive"},
                                      {"CumProd", "reverse"},
                                      {"CumSum", "exclusive"},
                                      {"CumSum", "reverse"},
                                      {"MaxPool", "storage_order"},
                                      {"Mod", "fmod"},
                                      {"NonMaxSuppression", "center_point_box"},
                                      {"RotaryEmbedding", "interleaved"},
                                      {"TopK", "largest"},
                                      {"Unique", "sorted"}};

bool hasKernelFlags(std::string_view op) {
  return std::ranges::find(kernelFlags, op, &KernelFlag::op) != std::end(kernelFlags);
}

std::optional<TargetLimit> exceededFlag(const Model &m, NodeId n, std::string_view op) {
  for (const KernelFlag &flag : kernelFlags)
    if (const Attribute *a = flag.op == op ? m.attribute(n, flag.attribute) : nullptr;
        a && a->kind == AttributeKind::Int && a->number != 0 && a->number != 1)
      return TargetLimit{
          fmt::format("{}: the kernels of ONNX Runtime take {} 0 or 1, but it is {}", op, flag.attribute, a->number),
          std::nullopt, false};
  return std::nullopt;
}

/// Padding is named once, by `pads` or by auto_pad.
std::optional<TargetLimit> exceededPads(const Model &m, NodeId n, std::string_view op) {
  return paddedTwice({m, n, op});
}

bool isConvolution(std::string_view op) {
  return op == "Conv" || op == "ConvInteger" || op == "ConvTranspose" || op == "QLinearConv";
}

bool isPool(std::string_view op) {
  return op == "AveragePool" || op == "LpPool" || op == "MaxPool" || op == "MaxUnpool";
}

/// What the kernels of ONNX Runtime refuse of some operators, in the order in which it is looked for.
struct KernelLimit {
  bool (*concerns)(std::string_view op);
  std::optional<TargetLimit> (*exceeded)(const Model &m, NodeId n, std::string_view op);
};
constexpr KernelLimit kernelLimits[] = {
    {[](std::string_view op) { return op == "LRN"; }, exceededNeighbours},
    {[](std::string_view op) { return op == "Reshape"; }, exceededZeros},
    {[](std::string_view op) { return op.starts_with("Reduce"); }, exceededNoop},
    {[](std::string_view op) { return op == "ArgMax" || op == "ArgMin"; }, emptyAxis},
    {[](std::string_view op) { return op == "GRU" || op == "LSTM" || op == "RNN"; }, exceededRecurrence},
    {[](std::string_view op) { return op == "Split" || op == "BatchNormalization"; }, unnamedOutput},
    {hasKernelFlags, exceededFlag},
    {isConvolution, exceededPads},
    {isPool, exceededPadding},
    {[](std::string_view op) { return isPool(op) || op.starts_with("Global") || op == "GridSample"; }, emptyOperand},
    {isPool, exceededDilation},
    {[](std::string_view op) { return kernelRankOf(op) != nullptr; }, exceededRank},
    {hasOperandLimits, exceededOperands},
    {hasNumberLimits, exceededNumbers},
};

} // namespace

/// Some initializer is stored sparsely.
static bool hasSparseData(const Model &m) {
  for (std::uint32_t i = 0; i < m.constantCount(); ++i)
    if (m[ConstantId(i)].sparse)
      return true;
  return false;
}

/// To onnx's inference an initializer that is stored sparsely has a sparse type, which no operator takes; ONNX Runtime
/// makes a dense tensor of it.
static std::optional<TargetLimit> sparseOperand(const Model &m, NodeId n, std::string_view op) {
  const auto operands = m.operands(n);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (const ValueId v = operands[i];
        v && m[v].origin == ValueOrigin::Constant && m[v].constant && m[m[v].constant].sparse)
      return TargetLimit{fmt::format("{}: input {} is an initializer that is stored sparsely, which onnx's inference "
                                     "takes for a sparse tensor",
                                     op, i),
                         static_cast<std::uint32_t>(i), false};
  return std::nullopt;
}

bool mayExceedTarget(const Model &m, OperatorId o, System system) {
  const Operator &op = m[o];
  const std::string_view domain = m.text(op.domain);
  if (op.dialect != Dialect::Onnx || (!domain.empty() && domain != "ai.onnx.ml"))
    return false;
  const std::string_view name = m.text(op.name);
  return (system == System::Onnx &&
          (name == "Constant" || name == "ConvTranspose" || name == "MeanVarianceNormalization" || hasSparseData(m))) ||
         (system == System::OnnxRuntime &&
          std::ranges::any_of(kernelLimits, [&](const KernelLimit &limit) { return limit.concerns(name); }));
}

std::optional<TargetLimit> exceededLimit(const Model &m, NodeId n, System system) {
  if (!mayExceedTarget(m, m[n].op, system))
    return std::nullopt;
  const std::string_view op = m.text(m[m[n].op].name);
  if (system == System::Onnx) {
    if (op == "Constant")
      return exceededConstant(m, n);
    if (op == "MeanVarianceNormalization" && !m.attribute(n, "axes"))
      return TargetLimit{"MeanVarianceNormalization: the full check of onnx 1.23 refuses it without 'axes', which the "
                         "function that it stands for passes on",
                         std::nullopt, true};
    auto misread = op == "ConvTranspose" ? misreadTransposed({m, n, op}) : std::nullopt;
    return misread ? misread : sparseOperand(m, n, op);
  }
  for (const KernelLimit &limit : kernelLimits)
    if (limit.concerns(op))
      if (auto exceeded = limit.exceeded(m, n, op))
        return exceeded;
  return std::nullopt;
}

} // namespace condlint
