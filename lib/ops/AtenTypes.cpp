//===- AtenTypes.cpp - Which element types ATen's operators admit ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenTypes.h"
#include "Facets.h"
#include "Words.h"
#include <fmt/format.h>

namespace condlint {

namespace {

using enum DType;

constexpr DTypeSet anyButBool = DTypeSet::all() - DTypeSet{Bool};
constexpr DTypeSet anyButComplex = DTypeSet::all() - DTypeSet::complex();
constexpr DTypeSet integers = DTypeSet::integral() | DTypeSet{Bool};
constexpr DTypeSet continuous = DTypeSet::floating() | DTypeSet::complex();
constexpr DTypeSet indices{Int32, Int64};

/// What torch 2.13 refuses otherwise, where it computes (on the CPU) and mostly where it finds out types alone (meta).
constexpr AtenTypeDemand demands[] = {
    // masks
    {"masked_fill", "mask", {Bool}},
    {"masked_select", "mask", {Bool}},
    {"masked_scatter", "mask", {Bool, UInt8}},
    {"where", "condition", {Bool, UInt8}},
    // places
    {"gather scatter scatter_add scatter_reduce index_select index_add index_reduce", "index", indices},
    {"embedding take_along_dim", "indices", indices},
    {"take index_copy", "index", {Int64}},
    {"index_fill", "index", {Int64}},
    {"max_unpool2d max_unpool3d", "indices", {Int64}},
    {"one_hot", "self", {Int64}},
    {"lu_unpack", "LU_pivots", {Int32}},
    {"nll_loss_forward nll_loss2d_forward", "target", integers},
    // what is put into a tensor
    {"scatter scatter_add scatter_reduce masked_scatter", "src source", {}, "self"},
    {"index_add index_copy index_reduce", "source", {}, "self"},
    // pairs
    {"lerp", "end", {}, "self"},
    {"lerp", "weight", {}, "self", true},
    {"isclose allclose", "other", {}, "self"},
    {"addmv", "mat vec", {}, "self"},
    {"addmm", "mat1 mat2", {}, "self"},
    {"baddbmm", "batch1 batch2", {}, "self"},
    {"bmm", "mat2", {}, "self"},
    {"vdot", "other", {}, "self"},
    {"bilinear", "input2 weight bias", {}, "input1"},
    {"cholesky_solve ormqr", "input2 input3", {}, "self"},
    {"triangular_solve", "A", {}, "self"},
    {"fractional_max_pool2d", "random_samples", {}, "self"},
    {"linalg_solve _linalg_solve_ex linalg_solve_ex linalg_solve_triangular", "B", {}, "A"},
    {"linalg_lstsq", "b", {}, "self"},
    // arithmetic
    {"neg negative positive", "self", anyButBool},
    {"__lshift__ __rshift__ __ilshift__ __irshift__", "self", integers},
    {"trapezoid trapz cumulative_trapezoid", "y x", anyButBool},
    {"complex", "real imag", DTypeSet::floating()},
    {"polar", "abs angle", DTypeSet::floating()},
    {"isneginf isposinf deg2rad rad2deg", "self", anyButComplex},
    {"isin", "elements test_elements", anyButBool - DTypeSet::complex()},
    {"frexp", "self", DTypeSet::floating()},
    {"hardtanh relu6", "self", anyButBool},
    // reductions and distances
    {"var_mean std_mean", "self", continuous},
    {"quantile nanquantile", "self", {Float32, Float64}},
    {"norm linalg_vector_norm", "self", continuous},
    {"_cdist_forward cdist", "x1 x2", DTypeSet::floating()},
    // random numbers of a continuous distribution
    {"cauchy exponential log_normal", "self", DTypeSet::floating()},
    // factorizations and spectra
    {"linalg_cholesky linalg_cholesky_ex linalg_eig linalg_eigvals linalg_matrix_exp matrix_exp qr svd det logdet "
     "slogdet inverse renorm",
     "self", continuous},
    {"linalg_det _linalg_det linalg_slogdet _linalg_slogdet linalg_inv linalg_inv_ex linalg_svd _linalg_svd "
     "linalg_svdvals linalg_qr linalg_solve linalg_solve_ex _linalg_solve_ex",
     "A", continuous},
    {"fft_rfft fft_rfft2 fft_rfftn fft_ihfft fft_ihfft2 fft_ihfftn", "self", anyButComplex},
    {"_fft_c2c _fft_c2r", "self", DTypeSet::complex()},
    {"_fft_r2c", "self", DTypeSet::floating()},
};

bool holds(std::string_view words, std::string_view word) {
  while (!words.empty())
    if (nextWord(words) == word)
      return true;
  return false;
}

/// "bool, uint8 or int64"; a set that says more by what is not in it is told by that.
std::string namesOf(DTypeSet types) {
  const DTypeSet others = DTypeSet::all() - types;
  const bool isNegative = others.size() < types.size();
  std::string text;
  if (types == continuous)
    return "a floating or complex type";
  if (types == DTypeSet::floating())
    return "a floating type";
  if (types == integers)
    return "an integer type or bool";
  for (unsigned i = 0; i < 32; ++i) {
    const auto t = static_cast<DType>(i);
    if (t == Unknown || !(isNegative ? others : types).contains(t))
      continue;
    text += (text.empty() ? "" : " or ") + std::string(dtypeName(t));
  }
  return isNegative ? "any type but " + text : text;
}

} // namespace

std::string AtenTypeDemand::refusal(InferContext &ctx) const {
  const auto elementOf = [&](std::string_view name) {
    const Type &t = ctx.argType(name);
    return t.isTensor() ? t.element : Unknown;
  };
  std::string_view rest = parameters;
  while (!rest.empty()) {
    const std::string_view name = nextWord(rest);
    const DType element = elementOf(name);
    if (element == Unknown)
      continue;
    // An index without elements is not looked at.
    const bool isLookedAt = admitted != indices || !mayBeEmpty(ctx.dims(), ctx.argType(name));
    if (!admitted.empty() && !admitted.contains(element) && isLookedAt)
      return fmt::format("'{}' is {}, but must be {}", name, dtypeName(element), namesOf(admitted));
    // What is accumulated in a type of its own (`baddbmm.dtype`) is added to one of that type.
    const DType other = like.empty() || ctx.hasAttribute("out_dtype") ? Unknown : elementOf(like);
    const Type &t = ctx.argType(name);
    if (other != Unknown && other != element && !(sparesScalars && (!t.hasRank || t.dims.empty())))
      return fmt::format("'{}' is {} and '{}' is {}, but must be of one type", like, dtypeName(other), name,
                         dtypeName(element));
  }
  return {};
}

std::vector<const AtenTypeDemand *> findAtenTypeDemands(std::string_view name) {
  std::vector<const AtenTypeDemand *> found;
  for (const AtenTypeDemand &d : demands)
    if (holds(d.operators, name))
      found.push_back(&d);
  return found;
}

bool canCast(DType from, DType to) {
  if (isComplex(from) && !isComplex(to))
    return false;
  if (isFloating(from) && !isFloating(to) && !isComplex(to))
    return false;
  return from == Bool || to != Bool;
}

} // namespace condlint
