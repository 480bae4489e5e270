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
    {"bitwise_not bitwise_and bitwise_or bitwise_xor __and__ __or__ __xor__ __iand__ __ior__ __ixor__ "
     "bitwise_left_shift bitwise_right_shift __lshift__ __rshift__ __ilshift__ __irshift__ gcd lcm",
     "self other", integers},
    {"trapezoid trapz cumulative_trapezoid", "y x", anyButBool},
    {"complex", "real imag", DTypeSet::floating()},
    {"polar", "abs angle", DTypeSet::floating()},
    {"isneginf isposinf deg2rad rad2deg", "self", anyButComplex},
    {"isin", "elements test_elements", anyButBool - DTypeSet::complex()},
    {"frexp", "self", DTypeSet::floating()},
    {"hardtanh relu6 relu clamp clamp_min clamp_max", "self", anyButComplex},
    {"hardtanh relu6 relu", "self", anyButBool},
    {"floor ceil trunc fix sign signbit heaviside", "self", anyButComplex},
    {"maximum minimum fmax fmin max min", "self other", anyButComplex},
    {"argmax argmin", "self", anyButBool - DTypeSet::complex()},
    {"sort argsort topk", "self", anyButComplex},
    {"sub subtract rsub", "self other", anyButBool},
    // reductions and distances
    {"var std var_mean std_mean", "self", continuous},
    {"quantile nanquantile", "self", {Float32, Float64}},
    {"norm linalg_vector_norm", "self", continuous},
    {"_cdist_forward cdist", "x1 x2", DTypeSet::floating()},
    // random numbers of a continuous distribution
    {"cauchy exponential log_normal multinomial", "self", DTypeSet::floating()},
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

constexpr DTypeSet real = anyButComplex - DTypeSet{Bool};

/// What torch 2.13 has no kernels for on the CPU; what its kernels for a GPU are known to take is left out.
constexpr AtenTypeDemand kernelDemands[] = {
    {"_softmax _log_softmax _safe_softmax softmax log_softmax cross_entropy_loss nll_loss nll_loss_nd nll_loss2d "
     "nll_loss_forward nll_loss2d_forward prelu _prelu_kernel softshrink",
     "self", DTypeSet::floating()},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d "
     "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
     "self", DTypeSet::floating()},
    {"avg_pool1d avg_pool2d avg_pool3d", "self", DTypeSet::floating() | DTypeSet{Int64}},
    {"max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices", "self",
     real},
    {"layer_norm native_layer_norm group_norm native_group_norm instance_norm rms_norm", "input", continuous},
    {"grid_sampler grid_sampler_2d grid_sampler_3d", "input", DTypeSet::floating()},
    {"scaled_dot_product_attention", "query key value", DTypeSet::floating()},
    {"upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d _upsample_nearest_exact2d "
     "_upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d",
     "self input", DTypeSet::floating() | DTypeSet{UInt8}},
    {"conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution _convolution linear", "input",
     anyButBool},
    {"mm addmm bmm matmul mv addmv dot vdot baddbmm addbmm", "self", anyButBool},
    {"median nanmedian kthvalue", "self", real},
    {"cross linalg_cross", "self other", anyButBool},
    {"searchsorted bucketize", "sorted_sequence self boundaries", real},
    {"bincount", "self", DTypeSet::integral()},
    {"dist logcumsumexp", "self", continuous},
    {"ceil floor round trunc threshold", "self", anyButBool},
    {"uniform normal", "self", continuous},
};

/// Other operators whose kernels take no bools and integers for their first operand. A .pt2 is not judged by them.
constexpr std::string_view continuousOnly =
    "_batch_norm_with_update _native_batch_norm_legit addcdiv alpha_dropout batch_norm bernoulli "
    "binary_cross_entropy binary_cross_entropy_with_logits celu cholesky cosine_similarity dropout elu "
    "feature_alpha_dropout feature_dropout frac frobenius_norm gelu glu hardshrink hardsigmoid hardswish histc "
    "huber_loss hypot kl_div leaky_relu lerp linalg_matrix_norm linalg_norm linalg_pinv log_sigmoid mean mish "
    "mse_loss nanmean native_batch_norm native_dropout nuclear_norm pinverse rand_like randn_like rrelu selu silu "
    "smooth_l1_loss softplus special_log_softmax special_softmax";

/// What ATen calls the parameter of an operator's first operand.
constexpr std::string_view firstParameters = "self input A x1 real abs query";

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

std::string AtenTypeDemand::refusal(const std::function<GivenTensor(std::string_view)> &given, bool choosesType) const {
  std::string_view rest = parameters;
  while (!rest.empty()) {
    const std::string_view name = nextWord(rest);
    const GivenTensor t = given(name);
    if (t.element == Unknown)
      continue;
    // An index without elements is not looked at.
    const bool isLookedAt = admitted != indices || !t.mayBeEmpty;
    if (!admitted.empty() && !admitted.contains(t.element) && isLookedAt)
      return fmt::format("'{}' is {}, but must be {}", name, dtypeName(t.element), namesOf(admitted));
    // What is accumulated in a type of its own (`baddbmm.dtype`) is added to one of that type.
    const DType other = like.empty() || choosesType ? Unknown : given(like).element;
    if (other != Unknown && other != t.element && !(sparesScalars && t.mayBeScalar))
      return fmt::format("'{}' is {} and '{}' is {}, but must be of one type", like, dtypeName(other), name,
                         dtypeName(t.element));
  }
  return {};
}

std::string AtenTypeDemand::refusal(InferContext &ctx) const {
  const auto given = [&](std::string_view name) -> GivenTensor {
    const Type &t = ctx.argType(name);
    if (!t.isTensor())
      return {};
    return {t.element, mayBeEmpty(ctx.dims(), t), !t.hasRank || t.dims.empty()};
  };
  return refusal(given, ctx.hasAttribute("out_dtype"));
}

std::vector<const AtenTypeDemand *> findAtenTypeDemands(std::string_view name) {
  std::vector<const AtenTypeDemand *> found;
  for (const AtenTypeDemand &d : demands)
    if (hasWord(d.operators, name))
      found.push_back(&d);
  return found;
}

std::vector<const AtenTypeDemand *> findAtenKernelDemands(std::string_view name) {
  std::vector<const AtenTypeDemand *> found = findAtenTypeDemands(name);
  for (const AtenTypeDemand &d : kernelDemands)
    if (hasWord(d.operators, name))
      found.push_back(&d);
  return found;
}

ElementKinds kindsOfFirstOperand(std::string_view name) {
  ElementKinds kinds;
  kinds.whole = !hasWord(continuousOnly, name);
  for (const AtenTypeDemand *d : findAtenKernelDemands(name)) {
    std::string_view rest = d->parameters;
    if (d->admitted.empty() || !hasWord(firstParameters, nextWord(rest)))
      continue;
    kinds.whole = kinds.whole && !d->admitted.disjoint(integers);
    kinds.continuous = kinds.continuous && !d->admitted.disjoint(continuous);
  }
  return kinds;
}

bool canCast(DType from, DType to) {
  if (isComplex(from) && !isComplex(to))
    return false;
  if (isFloating(from) && !isFloating(to) && !isComplex(to))
    return false;
  return from == Bool || to != Bool;
}

} // namespace condlint
