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
                     0};
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
                     std::nullopt};
}

} // namespace

bool mayExceedTarget(const Model &m, OperatorId o, System system) {
  const Operator &op = m[o];
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty())
    return false;
  return (system == System::Onnx && m.text(op.name) == "Constant") ||
         (system == System::OnnxRuntime && kernelRankOf(m.text(op.name)) != nullptr);
}

std::optional<TargetLimit> exceededLimit(const Model &m, NodeId n, System system) {
  if (!mayExceedTarget(m, m[n].op, system))
    return std::nullopt;
  return system == System::Onnx ? exceededConstant(m, n) : exceededRank(m, n, m.text(m[m[n].op].name));
}

} // namespace condlint
