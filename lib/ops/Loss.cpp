//===- Loss.cpp - Losses --------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Loss.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include <fmt/format.h>

namespace condlint {
namespace {

// --- ONNX -------------------------------------------------------------------

/// scores [N, C, d1, ...] and labels [N, d1, ...]: one loss a label, or one in all.
void inferOnnxLoss(InferContext &c) {
  const Type &scores = c.type(0), &labels = c.type(1);
  const std::string_view reduction = c.stringAttr("reduction", "mean");
  if (admitRank(c, 0, 2, 64, "the scores") && scores.hasRank && labels.hasRank) {
    if (labels.dims.size() + 1 != scores.dims.size())
      c.reject(fmt::format("{}: labels must have one axis less than scores, but have {} and {}", c.opName(),
                           labels.dims.size(), scores.dims.size()),
               1);
    else
      for (std::size_t i = 0; i < labels.dims.size(); ++i)
        mustEqual(c, labels.dims[i], scores.dims[i == 0 ? 0 : i + 1], "the sizes of scores and labels", 1);
  }
  // How many there are decides the labels that may stand there, and nobody else asks for it.
  if (c.has(2))
    admitRank(c, 2, 1, 1, "the weights");
  // A word that the schema does not have is taken for "sum", by onnx's inference and by runtimes.
  c.setResult(0, reduction == "none" ? reshapedLike(c, scores.element, labels) : c.tensor(scores.element, {}));
  if (c.resultCount() > 1)
    c.setResult(1, reshapedLike(c, scores.element, scores));
}

// --- torch ------------------------------------------------------------------

/// at::Reduction: 1 mean, 2 sum, anything else none.
std::optional<bool> isReduced(InferContext &c) {
  const Attribute *a = c.attribute("reduction");
  if (!a)
    return true;
  const auto value = c.intAttr("reduction");
  return value ? std::optional(*value == 1 || *value == 2) : std::nullopt;
}

/// Sets result 0 to one number, or to the losses one by one in \p shape.
void setLoss(InferContext &c, DType element, const Type &like, std::optional<std::vector<Dim>> shape) {
  const auto reduced = isReduced(c);
  if (reduced && *reduced)
    return setTorchResult(c, 0, freshTensor(c, element, {}, like));
  if (reduced && shape)
    return setTorchResult(c, 0, looseTensor(c, element, std::move(*shape), like));
  setTorchResult(c, 0, freshTensor(c, element, like));
}

std::optional<std::vector<Dim>> sizesOf(const Type &t) {
  if (!t.hasRank)
    return std::nullopt;
  return std::vector<Dim>(t.dims.begin(), t.dims.end());
}

/// mse, l1, ...: an entry for each entry of the operands stretched to each other.
/// \p typeOf makes the result's element type of what they promote to.
void inferPointwise(
    InferContext &c, std::initializer_list<std::string_view> names,
    DType (*typeOf)(DType) = [](DType t) { return t; }) {
  std::vector<Type> types;
  for (std::string_view name : names)
    if (const ValueId v = c.arg(name))
      types.push_back(c.typeOf(v));
  if (types.empty() || !types[0].isTensor())
    return;
  const Shape shape = broadcast(c.dims(), types);
  if (shape.mismatch && c.model().info.format != Format::Cxx)
    c.reject(fmt::format("the operands of {} do not broadcast: sizes {} and {} in axis -{}", c.opName(),
                         c.dims().str(shape.left), c.dims().str(shape.right), shape.axis + 1));
  setLoss(c, typeOf(resultType(c, names)), types[0],
          shape.hasRank && !shape.mismatch ? std::optional(shape.dims) : std::nullopt);
}
void inferPair(InferContext &c) { inferPointwise(c, {"self", "target"}); }
void inferDistance(InferContext &c) { inferPointwise(c, {"self", "target"}, realType); }
void inferPoisson(InferContext &c) { inferPointwise(c, {"input", "target"}, floatOrDefault); }
void inferRanking(InferContext &c) { inferPointwise(c, {"input1", "input2", "target"}, floatOrDefault); }

/// The vectors along the last axis are compared.
void inferVectors(InferContext &c, std::string_view first, std::initializer_list<std::string_view> names) {
  std::vector<Type> types;
  for (std::string_view name : names)
    types.push_back(c.argType(name));
  const Type &t = c.argType(first);
  if (!t.isTensor())
    return;
  Shape shape = broadcast(c.dims(), types);
  std::optional<std::vector<Dim>> rows;
  if (shape.hasRank && !shape.mismatch && !shape.dims.empty()) {
    shape.dims.pop_back();
    rows = shape.dims;
  }
  setLoss(c, realType(floatOrDefault(resultType(c, names))), t, rows);
}
void inferCosine(InferContext &c) {
  // The target's size stands for that of the axis that is left.
  const Type &t = c.argType("input1");
  if (!t.isTensor())
    return;
  setLoss(c, floatOrDefault(resultType(c, {"input1", "input2"})), t, std::nullopt);
}
void inferTriplet(InferContext &c) { inferVectors(c, "anchor", {"anchor", "positive", "negative"}); }

/// Scores [N, C, ...] or [C], a class for each of them: [N, ...] or one, and a weight for each class.
void expectClasses(InferContext &c, const Type &self, const Type &target) {
  if (!self.hasRank || self.dims.empty())
    return;
  const std::size_t rank = self.dims.size();
  const Type &weight = c.argType("weight");
  if (weight.isTensor() && weight.hasRank && expectRank(c, weight, {1}, "weight"))
    mustEqual(c, weight.dims[0], self.dims[rank == 1 ? 0 : 1], "the weights and the classes");
  if (!target.isTensor() || !target.hasRank)
    return;
  if (rank == 1) {
    if (target.dims.size() > 1 || (target.dims.size() == 1 && neverEqual(c.dims(), target.dims[0], c.constant(1))))
      c.reject(fmt::format("{}: the scores of one are given and the classes {}", c.opName(),
                           spellDims(c.dims(), target.dims)));
    return;
  }
  if (target.dims.size() + 1 != rank)
    return c.reject(fmt::format("{}: the scores have {} axes and the classes {}, expected one less", c.opName(), rank,
                                target.dims.size()));
  for (std::size_t i = 0; i < target.dims.size(); ++i)
    mustEqual(c, target.dims[i], self.dims[i == 0 ? 0 : i + 1], "the sizes of scores and classes");
}

/// Scores [N, C, ...] or [C] against classes: one loss a label. Targets that are
/// probabilities have the shape of the scores.
void inferClasses(InferContext &c) {
  const Type &self = c.argType("self"), &target = c.argType("target");
  if (!self.isTensor())
    return;
  if (isIntegral(target.element))
    expectClasses(c, self, target);
  std::optional<std::vector<Dim>> shape = sizesOf(target);
  if (isFloating(target.element) || target.element == DType::Unknown) {
    shape = sizesOf(self);
    if (shape && !shape->empty())
      shape->erase(shape->begin() + (shape->size() == 1 ? 0 : 1));
    if (target.element == DType::Unknown && isReduced(c) != true)
      shape = std::nullopt;
  }
  setLoss(c, self.element, self, shape);
  if (c.resultCount() > 1) // the sum of weights, for the gradient
    c.setResult(1, freshTensor(c, self.element, {}, self).view());
}

/// One class for each row of scores, or as many as scores; a number is as good as a list of one.
void expectRows(InferContext &c, const Type &self, const Type &target) {
  if (!self.hasRank || !target.isTensor() || !target.hasRank)
    return;
  if (self.dims.size() > 2)
    return c.reject(fmt::format("{}: the scores have {} axes, expected 2 at most", c.opName(), self.dims.size()));
  const auto listed = [&](std::span<const Dim> dims) {
    return dims.empty() ? std::vector<Dim>{c.constant(1)} : std::vector<Dim>(dims.begin(), dims.end());
  };
  const bool isOneEach = c.opName() == "multi_margin_loss";
  const std::vector<Dim> scores = listed(self.dims), classes = listed(target.dims);
  const std::vector<Dim> wanted =
      !isOneEach ? scores : std::vector<Dim>{self.dims.size() == 2 ? self.dims[0] : c.constant(1)};
  if (!mayAgree(c.dims(), classes, wanted))
    c.reject(fmt::format("{}: the classes are {}, expected {}", c.opName(), spellDims(c.dims(), target.dims),
                         spellDims(c.dims(), wanted)));
}

/// `multi_margin_loss`, `multilabel_margin_loss`: one loss a row.
void inferRows(InferContext &c) {
  const Type &self = c.argType("self"), &target = c.argType("target");
  if (!self.isTensor())
    return;
  expectRows(c, self, target);
  std::optional<std::vector<Dim>> shape;
  if (self.hasRank && self.dims.size() == 2)
    shape = std::vector<Dim>{self.dims[0]};
  else if (self.hasRank)
    shape.emplace();
  setLoss(c, self.element, self, shape);
  if (c.resultCount() > 1 && target.isTensor())
    c.setResult(1, looseLike(c, self.element, target).view());
}

/// Scores [time, N, labels], or [time, labels] of one: a length for each, and a label that is blank.
void expectSequences(InferContext &c, const Type &scores) {
  if (!scores.hasRank || scores.dims.size() < 2 || scores.dims.size() > 3)
    return;
  const Dim batch = scores.dims.size() == 3 ? scores.dims[1] : c.constant(1);
  for (const std::string_view name : {"input_lengths", "target_lengths"})
    if (const Attribute *a = c.attribute(name); a && a->kind == AttributeKind::Ints)
      mustEqual(c, c.constant(a->list.count), batch, fmt::format("{} and the batch", name));
  const std::int64_t blank = c.intAttr("blank", 0);
  const Dim labels = scores.dims.back();
  if (blank < 0 || (labels.known() && c.dims().boundsOf(labels).max <= blank))
    c.reject(fmt::format("{}: the label {} for a blank is none of {}", c.opName(), blank, c.dims().str(labels)));
}

void inferCtc(InferContext &c) {
  const Type &scores = c.argType("log_probs");
  if (!scores.isTensor())
    return;
  expectSequences(c, scores);
  std::optional<std::vector<Dim>> shape;
  if (scores.hasRank && scores.dims.size() == 3)
    shape = std::vector<Dim>{scores.dims[1]};
  else if (scores.hasRank && scores.dims.size() == 2)
    shape.emplace();
  setLoss(c, scores.element, scores, shape);
}

/// What `ctc_loss` becomes: the loss of each sequence, then what its gradient needs.
void inferCtcLosses(InferContext &c) {
  const Type &scores = c.argType("log_probs");
  if (!scores.isTensor() || (scores.hasRank && !expectRank(c, scores, {3}, "log_probs")))
    return;
  expectSequences(c, scores);
  if (scores.hasRank)
    c.setResult(0, freshTensor(c, scores.element, {scores.dims[1]}, scores).view());
}

/// The gradient with respect to `self`.
void inferBackward(InferContext &c) {
  const Type &self = c.argType("self");
  if (self.isTensor())
    setTorchResult(c, 0, looseLike(c, self.element, self), "grad_input");
}

constexpr OpRow rows[] = {
    {"classification_loss", inferOnnxLoss, executeClassificationLoss, "",
     "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss"},
    {"pointwise_loss", inferPair, executePointwiseLoss,
     "aten.mse_loss aten.smooth_l1_loss aten.huber_loss aten.kl_div aten.soft_margin_loss "
     "aten.hinge_embedding_loss aten.binary_cross_entropy aten.binary_cross_entropy_with_logits",
     ""},
    {"l1_loss", inferDistance, executePointwiseLoss, "aten.l1_loss", ""},
    {"poisson_nll_loss", inferPoisson, executePoissonLoss, "aten.poisson_nll_loss", ""},
    {"margin_ranking_loss", inferRanking, executeMarginRankingLoss, "aten.margin_ranking_loss", ""},
    {"cosine_embedding_loss", inferCosine, executeCosineEmbeddingLoss, "aten.cosine_embedding_loss", ""},
    {"triplet_margin_loss", inferTriplet, executeTripletMarginLoss, "aten.triplet_margin_loss", ""},
    {"class_loss", inferClasses, executeClassLoss,
     "aten.nll_loss aten.nll_loss_nd aten.nll_loss2d aten.nll_loss_forward aten.nll_loss2d_forward "
     "aten.cross_entropy_loss",
     ""},
    {"row_loss", inferRows, executeRowLoss,
     "aten.multi_margin_loss aten.multilabel_margin_loss aten.multilabel_margin_loss_forward", ""},
    {"ctc_loss", inferCtc, executeCtcLoss, "aten.ctc_loss", ""},
    {"ctc_losses", inferCtcLosses, nullptr, "aten._ctc_loss", ""},
    {"loss_backward", inferBackward, nullptr,
     "aten.mse_loss_backward aten.nll_loss_backward aten.nll_loss2d_backward aten.smooth_l1_loss_backward "
     "aten.huber_loss_backward aten.soft_margin_loss_backward aten.binary_cross_entropy_backward "
     "aten.multi_margin_loss_backward aten.multilabel_margin_loss_backward",
     ""},
};

} // namespace

OpFamily lossFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
