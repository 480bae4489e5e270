//===- AtenShapes.cpp - How many axes and entries ATen admits -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenShapes.h"
#include "Facets.h"
#include "InferState.h"
#include "Words.h"
#include "condlint/TypeWords.h"
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
    {"multinomial", "self", Axes, 1, 2},
    {"trace", "self", Axes, 2, 2},
    {"linspace logspace", "start end", Axes, 0, 0},
    {"index_fill", "value", Axes, 0, 0},
    {"index_fill index_add index_select", "index", Axes, 0, 1},
    {"embedding_bag _embedding_bag _embedding_bag_forward_only", "indices", Axes, 1, 2},
    {"upsample_nearest1d _upsample_nearest_exact1d upsample_linear1d", "output_size", Entries, 1, 1},
    {"upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d _upsample_bilinear2d_aa "
     "_upsample_bicubic2d_aa",
     "output_size", Entries, 2, 2},
    {"upsample_nearest3d _upsample_nearest_exact3d upsample_trilinear3d", "output_size", Entries, 3, 3},
    {"im2col", "kernel_size dilation padding stride", Entries, 2, 2},
    {"fractional_max_pool2d", "kernel_size output_size", Entries, 2, 2},
    {"fractional_max_pool3d", "kernel_size output_size", Entries, 3, 3},
    {"gather scatter scatter_add scatter_reduce", "index", SameAxes, 0, 0, "self"},
    {"scatter scatter_add scatter_reduce", "index", SameAxes, 0, 0, "src"},
    {"max_unpool2d max_unpool3d", "indices", SameSizes, 0, 0, "self"},
};

/// \p word is among the \p words.
bool holds(std::string_view words, std::string_view word) {
  while (!words.empty())
    if (nextWord(words) == word)
      return true;
  return false;
}

std::string admitted(std::size_t least, std::size_t most) {
  return least == most ? std::to_string(least)
         : most == any ? fmt::format("at least {}", least)
                       : fmt::format("{} to {}", least, most);
}

bool differ(const Model &m, const Type &a, const Type &b) {
  if (a.dims.size() != b.dims.size())
    return true;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (differAlways(m, a.dims[i], b.dims[i]))
      return true;
  return false;
}

} // namespace

std::string AtenShapeDemand::refusal(InferContext &ctx) const {
  std::string_view rest = parameters;
  while (!rest.empty()) {
    const std::string_view name = nextWord(rest);
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
    const Type &other = ctx.argType(like);
    // An index without elements is not looked at.
    if (!other.isTensor() || !other.hasRank || (of == SameAxes && mayBeEmpty(ctx.dims(), t)))
      continue;
    const bool misfits = of == SameAxes ? std::max<std::size_t>(axes, 1) != std::max<std::size_t>(other.dims.size(), 1)
                                        : differ(ctx.model(), t, other);
    if (misfits)
      return fmt::format("'{}' is {} and '{}' is {}, but must have {}", like, spellDims(ctx.dims(), other.dims), name,
                         spellDims(ctx.dims(), t.dims), of == SameAxes ? "as many axes" : "one shape");
  }
  return {};
}

std::vector<const AtenShapeDemand *> findAtenShapeDemands(std::string_view name) {
  std::vector<const AtenShapeDemand *> found;
  for (const AtenShapeDemand &d : demands)
    if (holds(d.operators, name))
      found.push_back(&d);
  return found;
}

} // namespace condlint
