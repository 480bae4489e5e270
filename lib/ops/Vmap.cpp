//===- Vmap.cpp - torch.vmap, which a model before dispatch spells out ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: torch/_functorch/predispatch.py. What stands between `_vmap_increment_nesting` and its
// `_vmap_decrement_nesting` works on one slice of the batch: `_add_batch_dim` takes it from a tensor, and
// `_remove_batch_dim` puts the slices of a result together again.
#include "Broadcast.h"
#include "ControlFlow.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Kernel.h"
#include "Shape.h"

namespace condlint {

namespace {

std::optional<std::int64_t> wholeArgument(InferContext &c, std::size_t i) {
  const auto attributes = c.model().attributes(c.node());
  return i < attributes.size() && attributes[i].kind == AttributeKind::Int ? std::optional(attributes[i].number)
                                                                           : std::nullopt;
}

void setShape(InferContext &c, const Type &like, std::vector<Dim> dims) {
  OwnedType t = freshTensor(c, like.element, like);
  t.setDims(std::move(dims));
  t.dropStrides();
  t.type.storageOffset = Dim();
  setFresh(c, 0, t);
}

/// `_add_batch_dim(x, in_dim, level)`.
void inferSlice(InferContext &c) {
  const Type &x = c.type(0);
  const auto dim = wholeArgument(c, 1);
  const auto axis = dim && x.isTensor() && x.hasRank ? normalizeAxis(*dim, x.dims.size()) : std::nullopt;
  if (!axis)
    return;
  std::vector<Dim> dims = copyDims(x.dims);
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
  setShape(c, x, std::move(dims));
}

/// `_remove_batch_dim(x, level, batch_size, out_dim)`.
void inferStack(InferContext &c) {
  const Type &x = c.type(0);
  const auto size = wholeArgument(c, 2), dim = wholeArgument(c, 3);
  const auto axis = dim && x.isTensor() && x.hasRank ? normalizeAxis(*dim, x.dims.size() + 1) : std::nullopt;
  if (!axis)
    return;
  std::vector<Dim> dims = copyDims(x.dims);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), size ? c.constant(*size) : Dim());
  setShape(c, x, std::move(dims));
}

void inferNothing(InferContext &) {}
void executeNothing(ExecContext &) {}

void marksAPlace(const Model &, NodeId, NodeEffects &effects) { effects.opaque = false; }
void isAView(const Model &, NodeId, NodeEffects &effects) {
  effects.opaque = false;
  effects.aliases.push_back({0, 0, AliasKind::Must});
}
/// The slices of one tensor put together are that tensor; those of results are not.
void mayBeAView(const Model &, NodeId, NodeEffects &effects) {
  effects.opaque = false;
  effects.aliases.push_back({0, 0, AliasKind::May});
}

} // namespace

const OpDef vmapPrepare{"vmap_prepare", inferNothing, OpTrait::Trivial, marksAPlace, executeNothing};
const OpDef vmapBegin{"vmap_begin", inferNothing, OpTrait::None, marksAPlace};
const OpDef vmapEnd{"vmap_end", inferNothing, OpTrait::None, marksAPlace};
const OpDef vmapSlice{"vmap_slice", inferSlice, OpTrait::None, isAView};
const OpDef vmapStack{"vmap_stack", inferStack, OpTrait::None, mayBeAView};

} // namespace condlint
