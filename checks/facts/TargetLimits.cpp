//===- TargetLimits.cpp - Where ONNX and ONNX Runtime part ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TargetLimits.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The least number of axes that ONNX Runtime's kernels ask of the first input, on every device
/// (onnxruntime/core/providers: pool.cc, lrn.cc, instance_norm_helper.h, ...).
struct KernelRank {
  std::string_view op;
  std::size_t least;
};
constexpr KernelRank kernelRanks[] = {
    {"ArgMax", 1},
    {"ArgMin", 1},
    {"GatherElements", 1},
    {"GlobalAveragePool", 3},
    {"GlobalLpPool", 3},
    {"GlobalMaxPool", 3},
    {"GridSample", 4},
    {"GroupNormalization", 2},
    {"InstanceNormalization", 3},
    {"LRN", 4},
    {"LpNormalization", 1},
    {"MeanVarianceNormalization", 1},
    {"ScatterElements", 1},
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
  if (!t.isTensor() || !t.hasRank || t.dims.size() >= limit->least)
    return std::nullopt;
  return TargetLimit{fmt::format("{}: the kernels of ONNX Runtime take at least {} {}, but input 0 has {}", op,
                                 limit->least, limit->least == 1 ? "axis" : "axes", t.dims.size()),
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

/// The recurrent kernels ask for the size of the hidden state, which the schemas leave to the weights, and take the
/// time as the first axis (rnn.h, deep_cpu_gru.h, lstm_base.h).
std::optional<TargetLimit> exceededRecurrence(const Model &m, NodeId n, std::string_view op) {
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

bool writesAllOutputs(std::string_view op) { return op == "Split" || op == "BatchNormalization"; }

bool isRecurrent(std::string_view op) { return op == "GRU" || op == "LSTM" || op == "RNN"; }

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
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty())
    return false;
  const std::string_view name = m.text(op.name);
  return (system == System::Onnx && (name == "Constant" || hasSparseData(m))) ||
         (system == System::OnnxRuntime &&
          (kernelRankOf(name) != nullptr || isRecurrent(name) || writesAllOutputs(name)));
}

std::optional<TargetLimit> exceededLimit(const Model &m, NodeId n, System system) {
  if (!mayExceedTarget(m, m[n].op, system))
    return std::nullopt;
  const std::string_view op = m.text(m[m[n].op].name);
  if (system == System::Onnx && op != "Constant")
    return sparseOperand(m, n, op);
  return system == System::Onnx ? exceededConstant(m, n)
         : isRecurrent(op)      ? exceededRecurrence(m, n, op)
         : writesAllOutputs(op) ? unnamedOutput(m, n, op)
                                : exceededRank(m, n, op);
}

} // namespace condlint
