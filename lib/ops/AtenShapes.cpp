//===- AtenShapes.cpp - How many axes and entries ATen admits -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenShapes.h"
#include "Broadcast.h"
#include "Facets.h"
#include "InferState.h"
#include "Shape.h"
#include "Strides.h"
#include "Words.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
using enum AtenShapeDemand::Of;

/// What torch 2.13 refuses otherwise.
constexpr AtenShapeDemand demands[] = {
    {"linalg_qr linalg_lu linalg_lu_factor linalg_lu_factor_ex linalg_svd _linalg_svd linalg_svdvals", "A", Axes, 2,
     any},
    {"linalg_householder_product", "input", Axes, 2, any},
    {"linalg_householder_product", "tau", Axes, 1, any},
    {"linalg_solve_triangular", "self B", Axes, 2, any},
    {"triangular_solve cholesky_solve lu_solve", "self A input2 LU_data", Axes, 2, any},
    {"linalg_lu_solve linalg_ldl_solve", "LU LD B", Axes, 2, any},
    {"triangular_solve cholesky_solve lu_solve linalg_lu_solve linalg_ldl_solve", "A input2 LU_data LU LD", Square},
    {"linalg_solve_triangular", "self", Square},
    {"linalg_solve linalg_solve_ex _linalg_solve_ex", "B", Axes, 1, any},
    {"linalg_lu_solve", "pivots", AllButLast, 0, 0, "LU"},
    {"linalg_ldl_solve", "pivots", AllButLast, 0, 0, "LD"},
    {"lu_solve", "LU_pivots", AllButLast, 0, 0, "LU_data"},
    {"ormqr", "self input3", Axes, 2, any},
    // the right side of an equation
    {"triangular_solve", "self", RightSide, 0, 0, "A"},
    {"cholesky_solve", "self", RightSide, 0, 0, "input2"},
    {"lu_solve", "self", RightSide, 0, 0, "LU_data"},
    {"linalg_lu_solve", "B", RightSide, 0, 0, "LU"},
    {"linalg_ldl_solve", "B", RightSide, 0, 0, "LD"},
    {"linalg_solve_triangular", "B", RightSide, 0, 0, "self"},
    {"triangular_solve", "self", Batch, 0, 0, "A"},
    {"cholesky_solve", "self", Batch, 0, 0, "input2"},
    {"lu_solve", "self", Batch, 0, 0, "LU_data"},
    {"linalg_lu_solve", "B", Batch, 0, 0, "LU"},
    {"linalg_ldl_solve", "B", Batch, 0, 0, "LD"},
    {"linalg_solve_triangular", "B", Batch, 0, 0, "self"},
    {"cdist _cdist_forward", "x2", Batch, 0, 0, "x1"},
    // whatever else
    {"dist", "other", Broadcast, 0, 0, "self"},
    {"put", "source", SameElements, 0, 0, "index"},
    {"_unsafe_masked_index_put_accumulate", "values", Broadcast, 0, 0, "mask"},
    {"masked_scatter", "mask", Broadcast, 0, 0, "self"},
    {"linalg_pinv pinverse", "self", Axes, 2, any},
    {"diag_embed", "self", Axes, 1, any},
    {"roll", "shifts", Entries, 1, any},
    {"_prelu_kernel", "weight", Broadcast, 0, 0, "self"},
    {"reflection_pad1d replication_pad1d", "self", Axes, 2, 3},
    {"reflection_pad2d replication_pad2d", "self", Axes, 3, 4},
    {"reflection_pad3d replication_pad3d", "self", Axes, 4, 5},
    {"reflection_pad1d replication_pad1d", "padding", Entries, 2, 2},
    {"reflection_pad2d replication_pad2d", "padding", Entries, 4, 4},
    {"reflection_pad3d replication_pad3d", "padding", Entries, 6, 6},
    {"multinomial", "self", Axes, 1, 2},
    {"trace", "self", Axes, 2, 2},
    {"linspace logspace", "start end", Axes, 0, 0},
    {"index_fill masked_fill", "value", Axes, 0, 0},
    {"index_fill index_add index_select", "index", Axes, 0, 1},
    {"embedding_bag _embedding_bag _embedding_bag_forward_only", "indices", Axes, 1, 2},
    {"embedding_bag _embedding_bag _embedding_bag_forward_only", "offsets per_sample_weights", Axes, 1, 1},
    {"embedding_bag _embedding_bag _embedding_bag_forward_only", "per_sample_weights", SameElements, 0, 0, "indices"},
    {"searchsorted", "sorter", SameSizes, 0, 0, "sorted_sequence"},
    {"upsample_nearest1d _upsample_nearest_exact1d upsample_linear1d", "output_size", Entries, 1, 1},
    {"upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d _upsample_bilinear2d_aa "
     "_upsample_bicubic2d_aa",
     "output_size", Entries, 2, 2},
    {"upsample_nearest3d _upsample_nearest_exact3d upsample_trilinear3d", "output_size", Entries, 3, 3},
    {"im2col", "kernel_size dilation padding stride", Entries, 2, 2},
    {"fractional_max_pool2d", "kernel_size output_size", Entries, 2, 2},
    {"fractional_max_pool3d", "kernel_size output_size", Entries, 3, 3},
    {"fractional_max_pool2d fractional_max_pool3d", "random_samples", Axes, 3, 3},
    {"max_unpool2d", "output_size", Entries, 2, 2},
    {"max_unpool3d", "output_size stride padding", Entries, 3, 3},
    {"_fft_r2c _fft_c2r", "dim", Entries, 1, any},
    {"gather scatter scatter_add scatter_reduce", "index", SameAxes, 0, 0, "self"},
    {"scatter scatter_add scatter_reduce", "index", SameAxes, 0, 0, "src"},
    {"max_unpool2d max_unpool3d", "indices", SameSizes, 0, 0, "self"},
    {"clone to _to contiguous zeros_like ones_like full_like empty_like rand_like randn_like randint_like", "self",
     InFormat},
    {"empty resize", "size", InFormat},
};

std::string admitted(std::size_t least, std::size_t most) {
  return least == most ? std::to_string(least)
         : most == any ? fmt::format("at least {}", least)
                       : fmt::format("{} to {}", least, most);
}

/// What a demand beside another argument asks for.
std::string_view wordsOf(AtenShapeDemand::Of of) {
  switch (of) {
  case SameAxes:
    return "as many axes";
  case SameElements:
    return "as many elements";
  case AllButLast:
    return "its sizes but the last";
  case Broadcast:
    return "sizes that broadcast";
  case Batch:
    return "batches that broadcast";
  case RightSide:
    return "as many rows, or columns where it stands on the left";
  default:
    return "one shape";
  }
}

} // namespace

bool AtenShapeDemand::misfits(InferContext &ctx, const Type &t, const Type &other) const {
  DimTable &dims = ctx.dims();
  const auto batch = [](const Type &x) { return x.dims.first(x.dims.size() - 2); };
  const bool areMatrices = t.dims.size() >= 2 && other.dims.size() >= 2;
  switch (of) {
  case SameAxes: // an index without elements is not looked at
    return !mayBeEmpty(dims, t) &&
           std::max<std::size_t>(t.dims.size(), 1) != std::max<std::size_t>(other.dims.size(), 1);
  case SameElements:
    return neverEqual(dims, elementCount(dims, t.dims), elementCount(dims, other.dims));
  case AllButLast:
    return !other.dims.empty() && !mayAgree(dims, t.dims, other.dims.first(other.dims.size() - 1));
  case Broadcast:
    return broadcast(dims, t.dims, other.dims).mismatch;
  case Batch:
    return areMatrices && broadcast(dims, batch(t), batch(other)).mismatch;
  case RightSide: {
    const bool isLeft = ctx.intAttr("left", 1) != 0;
    return areMatrices && neverEqual(dims, dimAt(t, isLeft ? -2 : -1), dimAt(other, -2));
  }
  default:
    return !mayAgree(dims, t.dims, other.dims);
  }
}

/// Why \p axes are none of the format that is asked for.
static std::string refusedFormat(InferContext &ctx, std::string_view name, std::size_t axes) {
  const auto format = static_cast<MemoryFormat>(ctx.intAttr("memory_format", 0));
  const std::size_t needed = format == MemoryFormat::ChannelsLast     ? 4
                             : format == MemoryFormat::ChannelsLast3d ? 5
                                                                      : axes;
  return axes == needed ? std::string()
                        : fmt::format("'{}' has {} axes, but the memory format {} is one of {}", name, axes,
                                      needed == 4 ? "channels_last" : "channels_last_3d", needed);
}

std::string AtenShapeDemand::refusal(InferContext &ctx) const {
  std::string_view rest = parameters;
  while (!rest.empty()) {
    const std::string_view name = nextWord(rest);
    if (of == InFormat) {
      const Type &t = ctx.argType(name);
      const Attribute *sizes = ctx.attribute(name);
      if (sizes && (sizes->kind == AttributeKind::Ints || sizes->kind == AttributeKind::Dims))
        return refusedFormat(ctx, name, sizes->list.count);
      return t.isTensor() && t.hasRank ? refusedFormat(ctx, name, t.dims.size()) : std::string();
    }
    if (of == Entries) {
      const Attribute *a = ctx.attribute(name);
      if (!a || a->kind != AttributeKind::Ints || (a->list.count >= least && a->list.count <= most))
        continue;
      return fmt::format("'{}' has {} entries, but must have {}", name, a->list.count, admitted(least, most));
    }
    const Type &t = ctx.argType(name);
    if (!t.isTensor() || !t.hasRank)
      continue;
    const std::size_t axes = t.dims.size();
    if (of == Axes) {
      if (axes < least || axes > most)
        return fmt::format("'{}' has {} axes, but must have {}", name, axes, admitted(least, most));
      continue;
    }
    if (of == Square) {
      if (axes >= 2 && neverEqual(ctx.dims(), dimAt(t, -2), dimAt(t, -1)))
        return fmt::format("'{}' is {}, but must be square", name, spellDims(ctx.dims(), t.dims));
      continue;
    }
    const Type &other = ctx.argType(like);
    if (other.isTensor() && other.hasRank && misfits(ctx, t, other))
      return fmt::format("'{}' is {} and '{}' is {}, but must have {}", like, spellDims(ctx.dims(), other.dims), name,
                         spellDims(ctx.dims(), t.dims), wordsOf(of));
  }
  return {};
}

std::vector<const AtenShapeDemand *> findAtenShapeDemands(std::string_view name) {
  std::vector<const AtenShapeDemand *> found;
  for (const AtenShapeDemand &d : demands)
    if (hasWord(d.operators, name))
      found.push_back(&d);
  return found;
}

} // namespace condlint
