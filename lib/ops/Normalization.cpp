//===- Normalization.cpp - Normalisations ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Normalization.h"
#include "AtenEffects.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Gradients.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace condlint {

namespace {

const Type &operand(InferContext &c) { return c.argType(c.hasAttribute("input") ? "input" : "self"); }

std::string_view outName(InferContext &c, std::size_t i) {
  static constexpr std::array<std::string_view, 6> numbered{"out0", "out1", "out2", "out3", "out4", "out5"};
  static constexpr std::array<std::string_view, 3> named{"out", "save_mean", "save_invstd"};
  if (c.hasAttribute("out0"))
    return numbered[std::min<std::size_t>(i, 5)];
  return named[std::min<std::size_t>(i, 2)];
}

/// Like the operand; row-major or channels last as it is, where that is plain.
void setNormalized(InferContext &c, const Type &from, std::size_t i = 0) {
  if (c.resultCount() == 1)
    keepsShape(c);
  if (!from.hasRank)
    return setFresh(c, i, from.element, from, outName(c, i));
  OwnedType t = freshInFormatOf(c, from.element, copyDims(from.dims), std::span<const Type>(&from, 1));
  if (isContiguous(c.dims(), from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, i, t, outName(c, i));
}

/// Statistics of half precision are wider on some devices.
DType statisticsType(const Type &from) {
  return from.element == DType::Float32 || from.element == DType::Float64 ? from.element : DType::Unknown;
}

/// A freshly made statistic.
void setStatistic(InferContext &c, std::size_t i, const Type &from, std::optional<std::vector<Dim>> shape) {
  if (i >= c.resultCount())
    return;
  if (shape)
    setFresh(c, i, statisticsType(from), std::move(*shape), from, outName(c, i));
  else
    setFresh(c, i, statisticsType(from), from, outName(c, i));
}

void inferLayerNorm(InferContext &c) {
  const Type &from = operand(c);
  const auto shape = c.dimsArg("normalized_shape");
  setNormalized(c, from);
  if (!from.hasRank || !shape)
    return;
  if (shape->empty())
    return c.reject(std::string(c.opName()) + ": normalized_shape has no sizes");
  if (shape->size() > from.dims.size())
    return c.reject(std::string(c.opName()) + ": normalized_shape is longer than the operand's rank " +
                    std::to_string(from.dims.size()));
  const std::size_t kept = from.dims.size() - shape->size();
  for (std::size_t i = 0; i < shape->size(); ++i)
    if (neverEqual(c.dims(), from.dims[kept + i], (*shape)[i])) {
      c.reject(std::string(c.opName()) + ": normalized_shape has " + c.dims().str((*shape)[i]) + ", the operand " +
               c.dims().str(from.dims[kept + i]) + " in axis " + std::to_string(kept + i));
      break;
    }
  for (const std::string_view name : {"weight", "bias"}) {
    const Type &t = c.argType(name);
    const bool isAsked = t.isTensor() && t.hasRank && c.opName() != "_fused_rms_norm"; // which stretches it
    if (isAsked && !mayAgree(c.dims(), t.dims, *shape))
      c.reject(fmt::format("{}: {} is {} and normalized_shape {}", c.opName(), name, spellDims(c.dims(), t.dims),
                           spellDims(c.dims(), *shape)));
  }
  std::vector<Dim> statistic = copyDims(from.dims.first(kept));
  statistic.resize(from.dims.size(), c.constant(1));
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    setStatistic(c, i, from, statistic);
}

void inferRmsNorm(InferContext &c) {
  const Type &from = operand(c), &weight = c.argType("weight");
  inferLayerNorm(c);
  if (weight.isTensor() && weight.element != from.element) { // promotes, or not, by version
    Type t = from;
    t.element = DType::Unknown;
    setNormalized(c, t);
  }
}

/// Each group has as many channels.
void expectWholeGroups(InferContext &c, const Type &from) {
  if (!from.hasRank)
    return;
  if (from.dims.size() < 2)
    return c.reject(fmt::format("{}: the operand has {} axes, expected at least 2", c.opName(), from.dims.size()));
  const bool isComposite = c.opName() == "group_norm";
  if (!isComposite) { // it is told what the operand is
    expectEqual(c, elementCount(c.dims(), from.dims),
                c.dims().mul(c.dims().mul(c.dimArg("N"), c.dimArg("C")), c.dimArg("HxW")),
                "the elements of the operand and N * C * HxW");
    if (!expectEvenGroups(c, c.dimArg("C"), c.dimArg("group")))
      return;
  }
  for (const std::string_view name : {"weight", "bias"})
    if (const Type &t = c.argType(name); t.isTensor() && t.hasRank)
      expectEqual(c, elementCount(c.dims(), t.dims), isComposite ? from.dims[1] : c.dimArg("C"),
                  "the elements of " + std::string(name) + " and the channels");
  expectEvenGroups(c, from.dims[1], c.dimArg(isComposite ? "num_groups" : "group"));
}

void inferGroupNorm(InferContext &c) {
  const Type &from = operand(c);
  expectWholeGroups(c, from);
  setNormalized(c, from);
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    setStatistic(c, i, from, std::vector<Dim>{c.dimArg("N"), c.dimArg("group")});
}

/// `batch_norm` counts the elements of what it is given for each channel, unless there is nothing
/// to normalise; what it becomes demands one axis of its statistics.
void expectOneForEachChannel(InferContext &c, const Type &from) {
  const auto isNever0 = [&](Dim d) { return d.known() && c.dims().boundsOf(d).min > 0; };
  const std::string_view op = c.opName();
  const bool isComposite = op == "batch_norm";
  if ((!isComposite && op != "native_batch_norm" && !op.starts_with("_native_batch_norm_legit") &&
       !op.starts_with("_batch_norm_with_update") && op != "_batch_norm_no_update") ||
      !from.hasRank || from.dims.size() < 2 || !std::ranges::all_of(from.dims, isNever0))
    return;
  for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"}) {
    const Type &t = c.argType(name);
    if (!t.isTensor() || !t.hasRank || (!isComposite && !name.starts_with("running")))
      continue;
    if (!isComposite && t.dims.size() != 1)
      return c.reject(fmt::format("{}: {} has {} axes, expected 1", op, name, t.dims.size()));
    // One channel is stretched, or stands at the front of more statistics than there are channels.
    if (!isComposite && c.dims().isConstant(from.dims[1], 1))
      continue;
    expectEqual(c, elementCount(c.dims(), t.dims), from.dims[1],
                "the elements of " + std::string(name) + " and the channels");
  }
}

/// Results: the normalised operand, the saved mean and inverse deviation, and what
/// the variant adds.
void inferBatchNorm(InferContext &c) {
  const Type &from = operand(c);
  setNormalized(c, from);
  expectOneForEachChannel(c, from);
  if (c.resultCount() == 1)
    return;
  const std::string_view name = c.opName();
  const Dim channels = from.hasRank && from.dims.size() > 1 ? from.dims[1] : Dim();
  const auto training = c.intAttr("training");
  std::optional<Dim> count;
  if (name.starts_with("_batch_norm_with_update") || training == 1)
    count = channels;
  else if (name == "_native_batch_norm_legit_no_training" || name == "_batch_norm_no_update" || training == 0)
    count = c.constant(0);
  const bool known = count && !name.starts_with("miopen") && !name.starts_with("_batch_norm_impl");
  for (std::size_t i = 1; i < 3; ++i)
    setStatistic(c, i, from, known ? std::optional(std::vector<Dim>{*count}) : std::nullopt);
  const bool functional = name.ends_with("_functional");
  if (!functional)
    return;
  // The new running statistics stand at the end.
  const std::string_view statistics[] = {"running_mean", "running_var"};
  for (std::size_t k = 0; k < 2 && c.resultCount() >= 5; ++k) {
    const Type &old = c.argType(statistics[k]);
    const std::size_t i = c.resultCount() - 2 + k;
    if (old.hasRank)
      setFresh(c, i, statisticsType(old), copyDims(old.dims), old);
    else
      setFresh(c, i, statisticsType(old), old);
  }
}

void inferLikeFirst(InferContext &c) {
  Type from = c.arg("v") ? c.argType("v") : operand(c);
  if (c.arg("v") && c.argType("g").element != from.element)
    from.element = DType::Unknown; // promotes
  setNormalized(c, from);
}

void inferGlu(InferContext &c) {
  const Type &from = operand(c);
  if (!from.hasRank)
    return setFresh(c, 0, from.element, from);
  const auto at = axisOf(c, c.intAttr("dim", -1), from.dims.size());
  if (!at)
    return setFresh(c, 0, from.element, from);
  DimTable &dims = c.dims();
  std::vector<Dim> shape = copyDims(from.dims);
  if (neverEqual(dims, dims.mod(shape[*at], dims.constant(2)), dims.constant(0)))
    c.reject("glu: the size " + dims.str(shape[*at]) + " is odd");
  shape[*at] = dims.floorDiv(shape[*at], dims.constant(2));
  OwnedType t = freshTensor(c, from.element, shape, from);
  if (isContiguous(dims, from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, 0, t);
}

/// Gradients of the operand, the weight and the bias, where the mask asks for them.
void inferNormBackward(InferContext &c) {
  const auto mask = c.intsAttr("output_mask");
  const Type &from = c.argType("input"), &weight = c.argType("weight");
  for (std::size_t i = 0; i < c.resultCount() && i < 3; ++i) {
    if (!mask || i >= mask->size() || (*mask)[i] == 0)
      continue;
    const Type &like = i == 0 ? from : weight;
    OwnedType t =
        like.hasRank ? freshTensor(c, like.element, copyDims(like.dims), like) : freshTensor(c, like.element, like);
    t.dropStrides();
    setFresh(c, i, t, outName(c, i));
  }
}

// --- ONNX ------------------------------------------------------------------------
void inferLikeInput(InferContext &c) {
  setLikeOperand(c);
  // The function that MeanVarianceNormalization stands for computes with constants of float32.
  if (const DType element = c.type(0).element;
      c.opName() == "MeanVarianceNormalization" && element != DType::Float32 && isFloating(element))
    c.reject(fmt::format("MeanVarianceNormalization: the function that it stands for takes float32, and not {}",
                         dtypeName(element)),
             0);
}

void inferBatchNormOnnx(InferContext &c) {
  const Type &from = c.type(0);
  setLikeOperand(c);
  // The statistics have the type of the scale up to 8, of the mean from 15 on.
  const DType element = c.version() >= 15 ? c.type(3).element : from.element;
  // A list of numbers is one channel.
  const bool isList = from.hasRank && from.dims.size() == 1;
  const Dim channels = isList ? c.constant(1) : from.hasRank && from.dims.size() > 1 ? from.dims[1] : Dim();
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    c.setResult(i, c.tensor(element, {channels}));
  // Up to version 7 each place could have statistics of its own.
  for (std::size_t i = 1; i < 5 && (c.version() == 0 || c.version() >= 9); ++i) {
    const Type &t = c.type(i);
    if (!t.hasRank || t.dims.size() != 1 || !neverEqual(c.dims(), t.dims[0], channels))
      continue;
    return c.reject("BatchNormalization: input " + std::to_string(i) + " has " + c.dims().str(t.dims[0]) +
                        " elements for " + c.dims().str(channels) + " channels",
                    i);
  }
}

void inferLpNormalization(InferContext &c) {
  setLikeOperand(c);
  if (c.type(0).hasRank)
    axisOf(c, c.intAttr("axis", -1), c.type(0).dims.size());
}

/// The scale and the bias have a number for each channel. GroupNormalization 18 had one for each group.
void inferChannelNormOnnx(InferContext &c) {
  const Type &from = c.type(0);
  setLikeOperand(c);
  const bool grouped = c.opName() == "GroupNormalization";
  if (!from.hasRank || from.dims.size() < 2)
    return;
  const Dim channels = from.dims[1];
  const Dim groups = c.constant(c.intAttr("num_groups", 1));
  if (grouped && neverEqual(c.dims(), c.dims().mod(channels, groups), c.constant(0)))
    return c.reject("GroupNormalization: " + c.dims().str(channels) + " channels do not split into " +
                    c.dims().str(groups) + " groups");
  const Dim scaled = grouped && c.version() > 0 && c.version() < 21 ? groups : channels;
  for (std::size_t i = 1; i < 3; ++i)
    if (const Type &t = c.type(i); !grouped && t.hasRank && t.dims.size() == 1)
      expectEqual(c, t.dims[0], channels, i == 1 ? "the scales and the channels" : "the biases and the channels");
    else if (grouped && t.hasRank && t.dims.size() == 1 && !expectStretches(c, i, c.tensor(from.element, {scaled})))
      return;
}

void inferLayerNormOnnx(InferContext &c) {
  const Type &from = c.type(0);
  setLikeOperand(c);
  const DType element =
      c.hasAttribute("stash_type") ? c.dtypeAttr("stash_type").value_or(DType::Unknown) : DType::Float32;
  const auto at = from.hasRank ? axisOf(c, c.intAttr("axis", -1), from.dims.size()) : std::nullopt;
  const Attribute *stash = c.attribute("stash_type");
  if (stash && stash->kind == AttributeKind::Int && c.resultCount() > 1 && element != DType::Float32 &&
      element != DType::BFloat16)
    c.reject(
        fmt::format("LayerNormalization: means are float32 or bfloat16, and not of the stash_type {}", stash->number));
  for (std::size_t i = 1; i < c.resultCount(); ++i) {
    if (!from.hasRank) {
      c.setResult(i, c.tensor(element));
      continue;
    }
    std::vector<Dim> shape = copyDims(from.dims);
    for (std::size_t k = at.value_or(shape.size()); k < shape.size(); ++k)
      shape[k] = c.constant(1);
    c.setResult(i, at ? c.tensor(element, shape) : c.tensorOfRank(element, shape.size()));
  }
}

/// The result has the type of the scale.
void inferRmsNormOnnx(InferContext &c) {
  setLikeOperand(c, 0, c.type(1).element);
  if (c.type(0).hasRank)
    axisOf(c, c.intAttr("axis", -1), c.type(0).dims.size());
}

constexpr OpRow rows[] = {
    {"layer_norm", inferLayerNorm, executeLayerNorm, "aten.layer_norm aten.native_layer_norm", ""},
    {"rms_norm", inferRmsNorm, executeRmsNorm, "aten.rms_norm aten._fused_rms_norm", ""},
    {"group_norm", inferGroupNorm, executeGroupNorm, "aten.group_norm aten.native_group_norm", ""},
    {"batch_norm", inferBatchNorm, executeBatchNorm,
     "aten.batch_norm aten.native_batch_norm aten._native_batch_norm_legit aten._native_batch_norm_legit_no_training "
     "aten._native_batch_norm_legit_functional aten.cudnn_batch_norm aten.miopen_batch_norm "
     "aten._batch_norm_with_update aten._batch_norm_with_update_functional aten._batch_norm_no_update "
     "aten._batch_norm_impl_index",
     "", OpTrait::None, refineBatchNorm},
    {"batch_norm_statistics", nullptr, nullptr,
     "aten.batch_norm_update_stats aten.batch_norm_gather_stats aten.batch_norm_gather_stats_with_counts", "",
     OpTrait::None, refineBatchNorm},
    {"instance_norm", inferLikeFirst, executeInstanceNorm, "aten.instance_norm", "", OpTrait::None, refineBatchNorm},
    {"weight_norm", inferLikeFirst, executeWeightNorm, "aten._weight_norm aten.renorm aten.renorm_", ""},
    {"glu", inferGlu, executeGlu, "aten.glu", ""},
    {"norm_backward", inferNormBackward, executeNormBackward,
     "aten.native_layer_norm_backward aten.native_group_norm_backward aten.native_batch_norm_backward", ""},
    {"batch_normalization", inferBatchNormOnnx, executeBatchNormalization, "", "BatchNormalization"},
    {"layer_normalization", inferLayerNormOnnx, executeLayerNormalization, "", "LayerNormalization"},
    {"rms_normalization", inferRmsNormOnnx, executeLayerNormalization, "", "RMSNormalization"},
    {"normalization", inferLikeInput, executeNormalization, "", "MeanVarianceNormalization LRN"},
    {"lp_normalization", inferLpNormalization, executeNormalization, "", "LpNormalization"},
    {"channel_normalization", inferChannelNormOnnx, executeNormalization, "",
     "InstanceNormalization GroupNormalization"},
};

} // namespace

OpFamily normalizationFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
