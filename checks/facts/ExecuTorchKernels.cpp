//===- ExecuTorchKernels.cpp - What ExecuTorch has no portable kernel for --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchKernels.h"
#include <algorithm>

namespace condlint {

namespace {

struct Missing {
  std::string_view op;
  Version until; ///< the last version without a kernel; 0.0: all
};
/// `tests/oracles/executorch_kernels.py --table` compares them with what the package registers, and what torch
/// decomposes. Those that are no operators of their own are decomposed into one that is missing.
constexpr Missing missing[] = {
    {"__lshift__", {}},
    {"__rshift__", {}},
    {"_adaptive_avg_pool2d", {1, 2}},
    {"_embedding_bag", {}},
    {"_embedding_bag_forward_only", {}},
    {"_fft_c2c", {}},
    {"_grouped_mm", {}},
    {"_int_mm", {}},
    {"_linalg_det", {}},
    {"_linalg_eigh", {}},
    {"_linalg_eigvals", {}},
    {"_linalg_slogdet", {}},
    {"_linalg_solve_ex", {}},
    {"_linalg_svd", {}},
    {"_scaled_dot_product_efficient_attention", {}},
    {"_scaled_dot_product_flash_attention", {}},
    {"_scaled_dot_product_fused_attention_overrideable", {}},
    {"_scaled_grouped_mm", {}},
    {"_scaled_mm", {}},
    {"_scaled_mm_v2", {}},
    {"_standard_gamma", {}},
    {"_to_dense", {}},
    {"_to_sparse", {}},
    {"_unique", {}},
    {"_unique2", {}},
    {"adaptive_avg_pool2d", {1, 2}},
    {"adaptive_max_pool1d", {}},
    {"adaptive_max_pool2d", {}},
    {"adaptive_max_pool3d", {}},
    {"addbmm", {}},
    {"addmv", {}},
    {"alpha_dropout", {}},
    {"angle", {}},
    {"argsort", {}},
    {"as_strided_scatter", {}},
    {"avg_pool3d", {}},
    {"bincount", {}},
    {"binomial", {}},
    {"bitwise_left_shift", {1, 0}},
    {"bitwise_right_shift", {1, 0}},
    {"bucketize", {}},
    {"cauchy", {}},
    {"cholesky", {}},
    {"cholesky_inverse", {}},
    {"cholesky_solve", {}},
    {"complex", {}},
    {"copysign", {}},
    {"cummax", {}},
    {"cummin", {}},
    {"cumprod", {}},
    {"det", {}},
    {"diagonal_scatter", {}},
    {"digamma", {}},
    {"dist", {}},
    {"embedding_bag", {}},
    {"empty_like", {}},
    {"empty_permuted", {}},
    {"erfc", {}},
    {"erfinv", {}},
    {"exp2", {}},
    {"exponential", {}},
    {"fft_fft2", {}},
    {"fft_fftn", {}},
    {"fft_hfft", {}},
    {"fmax", {}},
    {"fmin", {}},
    {"fractional_max_pool2d", {}},
    {"fractional_max_pool3d", {}},
    {"frexp", {}},
    {"gcd", {}},
    {"geometric", {}},
    {"geqrf", {}},
    {"grid_sampler", {1, 0}},
    {"grid_sampler_2d", {1, 0}},
    {"grid_sampler_3d", {}},
    {"histc", {}},
    {"histogram", {}},
    {"hypot", {}},
    {"i0", {}},
    {"igamma", {}},
    {"igammac", {}},
    {"index_reduce", {}},
    {"inverse", {}},
    {"kthvalue", {}},
    {"lcm", {}},
    {"ldexp", {}},
    {"lgamma", {}},
    {"linalg__powsum", {}},
    {"linalg_cholesky", {}},
    {"linalg_cholesky_ex", {}},
    {"linalg_cond", {}},
    {"linalg_det", {}},
    {"linalg_eig", {}},
    {"linalg_eigh", {}},
    {"linalg_eigvals", {}},
    {"linalg_eigvalsh", {}},
    {"linalg_householder_product", {}},
    {"linalg_inv", {}},
    {"linalg_inv_ex", {}},
    {"linalg_ldl_factor_ex", {}},
    {"linalg_ldl_solve", {}},
    {"linalg_lu", {}},
    {"linalg_lu_factor_ex", {}},
    {"linalg_lu_solve", {}},
    {"linalg_matrix_exp", {}},
    {"linalg_matrix_rank", {}},
    {"linalg_pinv", {}},
    {"linalg_qr", {}},
    {"linalg_slogdet", {}},
    {"linalg_solve", {}},
    {"linalg_solve_triangular", {}},
    {"linalg_svd", {}},
    {"linalg_svdvals", {}},
    {"log_normal", {}},
    {"logcumsumexp", {}},
    {"logdet", {}},
    {"lu_unpack", {}},
    {"masked_select", {}},
    {"matrix_exp", {}},
    {"max_pool3d", {}},
    {"max_pool3d_with_indices", {}},
    {"median", {}},
    {"mode", {}},
    {"msort", {}},
    {"multinomial", {}},
    {"nanmedian", {}},
    {"nanquantile", {}},
    {"nextafter", {}},
    {"nonzero_static", {}},
    {"normal", {}},
    {"normal_functional", {}},
    {"nuclear_norm", {}},
    {"ormqr", {}},
    {"poisson", {}},
    {"polar", {}},
    {"polygamma", {}},
    {"put", {}},
    {"qr", {}},
    {"quantile", {}},
    {"quantize_per_tensor", {}},
    {"rand_like", {}},
    {"randint", {}},
    {"randint_like", {}},
    {"randn_like", {}},
    {"randperm", {}},
    {"rrelu", {}},
    {"rrelu_with_noise", {}},
    {"rrelu_with_noise_functional", {}},
    {"scatter_reduce", {}},
    {"searchsorted", {}},
    {"segment_reduce", {}},
    {"signbit", {}},
    {"slogdet", {}},
    {"sort", {}},
    {"special_airy_ai", {}},
    {"special_bessel_j0", {}},
    {"special_bessel_j1", {}},
    {"special_bessel_y0", {}},
    {"special_bessel_y1", {}},
    {"special_chebyshev_polynomial_t", {}},
    {"special_chebyshev_polynomial_u", {}},
    {"special_chebyshev_polynomial_v", {}},
    {"special_chebyshev_polynomial_w", {}},
    {"special_digamma", {}},
    {"special_erfc", {}},
    {"special_erfcx", {}},
    {"special_erfinv", {}},
    {"special_exp2", {}},
    {"special_gammainc", {}},
    {"special_gammaincc", {}},
    {"special_gammaln", {}},
    {"special_hermite_polynomial_h", {}},
    {"special_hermite_polynomial_he", {}},
    {"special_i0", {}},
    {"special_i0e", {}},
    {"special_i1", {}},
    {"special_i1e", {}},
    {"special_laguerre_polynomial_l", {}},
    {"special_legendre_polynomial_p", {}},
    {"special_modified_bessel_i0", {}},
    {"special_modified_bessel_i1", {}},
    {"special_modified_bessel_k0", {}},
    {"special_modified_bessel_k1", {}},
    {"special_ndtri", {}},
    {"special_polygamma", {}},
    {"special_psi", {}},
    {"special_scaled_modified_bessel_k0", {}},
    {"special_scaled_modified_bessel_k1", {}},
    {"special_shifted_chebyshev_polynomial_t", {}},
    {"special_shifted_chebyshev_polynomial_u", {}},
    {"special_shifted_chebyshev_polynomial_v", {}},
    {"special_shifted_chebyshev_polynomial_w", {}},
    {"special_spherical_bessel_j0", {}},
    {"special_zeta", {}},
    {"svd", {}},
    {"triangular_solve", {}},
    {"tril_indices", {}},
    {"triu_indices", {}},
    {"uniform", {}},
    {"unique_consecutive", {}},
    {"unique_dim", {}},
    {"unique_dim_consecutive", {}},
    {"vander", {}},
    {"view_as_complex", {}},
    {"view_as_real", {}},
};
static_assert(std::ranges::is_sorted(missing, {}, &Missing::op));

struct Instead {
  std::string_view op, text;
};
/// Each of them is a case of `tests/oracles/executorch_cases.py`, under `remedy/operator`.
constexpr std::string_view ordered = "torch.topk(x, n, largest=False) has one, and sorts";
constexpr std::string_view parts = "keep the real and the imaginary part as two tensors";
constexpr std::string_view counted = "count the bounds below each value: (x.unsqueeze(-1) > bounds).sum(-1)";
constexpr Instead instead[] = {
    {"argsort", ordered},
    {"bucketize", counted},
    {"complex", parts},
    {"erfc", "write 1 - torch.erf(x)"},
    {"exp2", "write torch.pow(2.0, x)"},
    {"hypot", "write torch.sqrt(x * x + y * y)"},
    {"masked_select",
     "name it in EdgeCompileConfig(_core_aten_ops_exception_list=...): it has a kernel that to_edge does not let pass"},
    {"msort", ordered},
    {"rand_like", "torch.rand(x.shape) has one"},
    {"randn_like", "torch.randn(x.shape) has one"},
    {"scatter_reduce", "torch.scatter_add has one, for a sum"},
    {"searchsorted", counted},
    {"sort", ordered},
    {"view_as_real", parts},
};
static_assert(std::ranges::is_sorted(instead, {}, &Instead::op));

/// The operator whose result is written to the first operand: to_edge makes it that without the underscore.
std::string_view functional(std::string_view name) {
  if (name.ends_with('_') && !name.ends_with("__"))
    name.remove_suffix(1);
  return name;
}

} // namespace

bool lacksPortableKernel(const Model &m, OperatorId o, Version version) {
  const Operator &op = m[o];
  if (op.dialect != Dialect::Torch || m.text(op.domain) != "aten")
    return false;
  const std::string_view name = functional(m.text(op.name));
  const auto *row = std::ranges::lower_bound(missing, name, {}, &Missing::op);
  return row != std::end(missing) && row->op == name && (row->until == Version{} || version <= row->until);
}

std::string_view insteadOfKernel(const Model &m, OperatorId o) {
  const std::string_view name = functional(m.text(m[o].name));
  const auto *row = std::ranges::lower_bound(instead, name, {}, &Instead::op);
  return row != std::end(instead) && row->op == name ? row->text : std::string_view();
}

} // namespace condlint
