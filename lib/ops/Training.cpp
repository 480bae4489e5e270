//===- Training.cpp - Steps of optimisers, and gradients ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "kernels/Selection.h"
#include <fmt/format.h>

namespace condlint {
namespace {

/// Inputs are a rate, a count, then \p groups lists of one length: the tensors,
/// their gradients and the optimiser's state. New tensors and new state come
/// out, each like the one it replaces; gradients do not.
void inferStep(InferContext &c, std::size_t groups) {
  const std::size_t given = c.operandCount();
  if (given < 2 + groups || (given - 2) % groups != 0) {
    c.reject(fmt::format("{} takes a rate, a count and {} lists of one length, but has {} inputs", c.opName(), groups,
                         given));
    return;
  }
  for (std::size_t i = 0; i < given; ++i)
    if (!c.has(i))
      return c.reject(fmt::format("{} needs its input {}, which is left out", c.opName(), i));
  const std::size_t count = (given - 2) / groups;
  if (c.resultCount() != count * (groups - 1))
    c.reject(fmt::format("{} of {} tensors has {} outputs, but declares {}", c.opName(), count, count * (groups - 1),
                         c.resultCount()));
  for (std::size_t i = 0; i < c.resultCount() && i < count * (groups - 1); ++i) {
    const Type &t = c.type(2 + (i < count ? i : i + count));
    c.setResult(i, reshapedLike(c, t.element, t));
  }
}
void inferAdagrad(InferContext &c) { inferStep(c, 3); }
void inferMomentum(InferContext &c) { inferStep(c, 3); }
void inferAdam(InferContext &c) { inferStep(c, 4); }

/// dy/dx for each name in `xs`, in order, each like its x.
void inferGradient(InferContext &c) {
  const Attribute *xs = c.attribute("xs");
  const std::size_t count = xs && xs->kind == AttributeKind::Strings ? xs->list.count : 0;
  for (std::size_t i = 0; i < c.resultCount() && i < count; ++i) {
    const Type &t = c.type(i);
    c.setResult(i, reshapedLike(c, t.element, t));
  }
}

constexpr OpRow rows[] = {
    {"adagrad_step", inferAdagrad, executeAdagrad, "", "ai.onnx.preview.training::Adagrad"},
    {"adam_step", inferAdam, executeAdam, "", "ai.onnx.preview.training::Adam"},
    {"momentum_step", inferMomentum, executeMomentum, "", "ai.onnx.preview.training::Momentum"},
    {"gradient", inferGradient, nullptr, "", "ai.onnx.preview.training::Gradient"},
};

} // namespace

OpFamily trainingFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
