//===- ExecuTorchKernels.cpp - What ExecuTorch does not take of operators --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchKernels.h"
#include "condlint/Op.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

struct Missing {
  std::string_view op;
  Version until;     ///< the last version without a kernel; 0.0: all
  bool some = false; ///< for some arguments, or in one way of lowering, alone
};
/// `tests/oracles/executorch_kernels.py --table` compares them with what the package registers, and what torch
/// decomposes. Those that are no operators of their own are decomposed into one that is missing.
constexpr Missing missing[] = {
    {"__lshift__", {}},
    {"__rshift__", {}},
    {"_adaptive_avg_pool2d", {1, 2}},
    {"_adaptive_avg_pool3d", {}},
    {"_batch_norm_no_update", {}},
    {"_batch_norm_with_update", {}},
    {"_batch_norm_with_update_functional", {}},
    {"_embedding_bag", {}},
    {"_embedding_bag_forward_only", {}},
    {"_fft_c2c", {}},
    {"_fft_c2r", {1, 0}},
    {"_grouped_mm", {}},
    {"_histogramdd_bin_edges", {}},
    {"_histogramdd_from_bin_cts", {}},
    {"_histogramdd_from_bin_tensors", {}},
    {"_int_mm", {}},
    {"_linalg_det", {}},
    {"_linalg_eigh", {}},
    {"_linalg_eigvals", {}},
    {"_linalg_slogdet", {}},
    {"_linalg_solve_ex", {}},
    {"_linalg_svd", {}},
    {"_lu_with_info", {}},
    {"_native_batch_norm_legit_functional", {}},
    {"_scaled_dot_product_efficient_attention", {}},
    {"_scaled_dot_product_flash_attention", {}},
    {"_scaled_dot_product_fused_attention_overrideable", {}},
    {"_scaled_grouped_mm", {}},
    {"_scaled_mm", {}},
    {"_scaled_mm_v2", {}},
    {"_standard_gamma", {}},
    {"_to_dense", {}},
    {"_to_sparse", {}},
    {"_trilinear", {}},
    {"_unique", {}},
    {"_unique2", {}},
    {"adaptive_avg_pool2d", {1, 2}},
    {"adaptive_avg_pool3d", {}, true},
    {"adaptive_max_pool1d", {}},
    {"adaptive_max_pool2d", {}},
    {"adaptive_max_pool3d", {}},
    {"addbmm", {}},
    {"addmm.dtype", {}},
    {"addmv", {}},
    {"alpha_dropout", {}, true},
    {"angle", {}},
    {"argsort", {}},
    {"as_strided_scatter", {}},
    {"avg_pool3d", {}},
    {"bernoulli.Tensor", {}},
    {"bernoulli.p", {}},
    {"bilinear", {}},
    {"bincount", {}},
    {"binomial", {}},
    {"bitwise_and.Scalar_Tensor", {}},
    {"bitwise_left_shift", {}},
    {"bitwise_or.Scalar_Tensor", {}},
    {"bitwise_right_shift", {}},
    {"bitwise_xor.Scalar_Tensor", {}},
    {"bmm.dtype", {}},
    {"bucketize", {}},
    {"cauchy", {}},
    {"cholesky", {}},
    {"cholesky_inverse", {}},
    {"cholesky_solve", {}},
    {"combinations", {}},
    {"complex", {}},
    {"copysign", {}},
    {"cosine_embedding_loss", {}},
    {"cummax", {}},
    {"cummin", {}},
    {"cumprod", {}},
    {"det", {}},
    {"diagonal_scatter", {}},
    {"digamma", {}},
    {"dist", {}},
    {"embedding_bag", {}},
    {"embedding_renorm", {}},
    {"empty_like", {}},
    {"empty_permuted", {}},
    {"erfc", {}},
    {"erfinv", {}},
    {"exp2", {}},
    {"exponential", {}},
    {"fft_fft2", {}},
    {"fft_fftn", {}},
    {"fft_hfft", {}},
    {"fft_hfft2", {}},
    {"fft_hfftn", {}},
    {"fft_ifft", {}},
    {"fft_ifft2", {}},
    {"fft_ifftn", {}},
    {"fft_ihfft", {}},
    {"fft_ihfft2", {}},
    {"fft_ihfftn", {}},
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
    {"hash_tensor", {}},
    {"hinge_embedding_loss", {}},
    {"histc", {}},
    {"histogram", {}},
    {"histogramdd", {}},
    {"hypot", {}},
    {"i0", {}},
    {"igamma", {}},
    {"igammac", {}},
    {"imag", {}},
    {"index_reduce", {}},
    {"inverse", {}},
    {"istft", {}, true},
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
    {"linalg_ldl_factor", {}},
    {"linalg_ldl_factor_ex", {}},
    {"linalg_ldl_solve", {}},
    {"linalg_lu", {}},
    {"linalg_lu_factor", {}},
    {"linalg_lu_factor_ex", {}},
    {"linalg_lu_solve", {}},
    {"linalg_matrix_exp", {}},
    {"linalg_matrix_norm", {}, true},
    {"linalg_matrix_rank", {}},
    {"linalg_pinv", {}},
    {"linalg_qr", {}},
    {"linalg_slogdet", {}},
    {"linalg_solve", {}},
    {"linalg_solve_ex", {}},
    {"linalg_solve_triangular", {}},
    {"linalg_svd", {}},
    {"linalg_svdvals", {}},
    {"linalg_tensorinv", {}},
    {"linalg_tensorsolve", {}},
    {"linalg_vander", {}},
    {"log_normal", {}},
    {"logaddexp2", {}},
    {"logcumsumexp", {}},
    {"logdet", {}},
    {"lu_solve", {}},
    {"lu_unpack", {}},
    {"masked_select", {}},
    {"matrix_exp", {}},
    {"max_pool3d", {}},
    {"max_pool3d_with_indices", {}},
    {"median", {}},
    {"mm.dtype", {}},
    {"mode", {}},
    {"msort", {}},
    {"multinomial", {}},
    {"mvlgamma", {}},
    {"nanmedian", {}},
    {"nanquantile", {}},
    {"new_empty_strided", {}},
    {"nextafter", {}},
    {"nonzero_static", {}},
    {"normal", {}},
    {"normal_functional", {}},
    {"nuclear_norm", {}},
    {"ormqr", {}},
    {"pinverse", {}},
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
    {"remainder.Scalar_Tensor", {}},
    {"repeat_interleave.Tensor", {}},
    {"repeat_interleave.self_Tensor", {}},
    {"resize_as", {}},
    {"round.decimals", {}},
    {"rrelu", {}},
    {"rrelu_with_noise", {}},
    {"rrelu_with_noise_functional", {}},
    {"scatter.reduce", {}},
    {"scatter.value_reduce", {}},
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
    {"special_log_ndtr", {}},
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
    {"std_mean", {}},
    {"stft", {}, true},
    {"svd", {}},
    {"tensor_split.tensor_indices_or_sections", {}, true},
    {"to_sparse", {}},
    {"triangular_solve", {}},
    {"tril_indices", {}},
    {"triu_indices", {}},
    {"unfold", {}, true},
    {"unfold_copy", {}, true},
    {"uniform", {}},
    {"unique_consecutive", {}},
    {"unique_dim", {}},
    {"unique_dim_consecutive", {}},
    {"upsample_bicubic2d.default", {}},
    {"upsample_bilinear2d.default", {}},
    {"upsample_trilinear3d.default", {}},
    {"vander", {}},
    {"var_mean", {}},
    {"view.dtype", {}},
    {"view_as_complex", {}},
    {"view_as_real", {}},
};
static_assert(std::ranges::is_sorted(missing, {}, &Missing::op));

/// The operators of a higher order that `to_edge` goes into, or that are gone before; scan since 1.1.
constexpr std::string_view lowered[] = {
    "cond", "executorch_call_delegate", "map", "map_impl", "scan", "wrap_with_autocast", "wrap_with_set_grad_enabled",
};
static_assert(std::ranges::is_sorted(lowered));
/// Those that it was seen to refuse: what stands in their regions stays as it is (`aten.sin.default is not an Edge
/// operator`), or, where they have none, no kernel is looked for (`no attribute '_schema'`).
constexpr std::string_view refused[] = {
    "auto_functionalized",
    "auto_functionalized_v2",
    "foreach_map",
    "hints_wrapper",
    "inline_asm_elementwise",
    "invoke_subgraph",
    "out_dtype",
    "print",
    "strict_mode",
    "while_loop",
    "while_loop_stack_output",
    "with_effects",
};
static_assert(std::ranges::is_sorted(refused));
constexpr Version scanSince{1, 1};
/// The domains of torch's own operators, and of Python's on sizes.
constexpr std::string_view torchs[] = {"_operator", "aten", "builtins", "math", "operator", "prims", "torch"};
static_assert(std::ranges::is_sorted(torchs));

struct Instead {
  std::string_view op, text;
};
/// Each of them is a case of `tests/oracles/executorch_cases.py`, under `remedy/operator`.
constexpr std::string_view ordered = "torch.topk(x, n, largest=False) has one, and sorts";
constexpr std::string_view parts = "keep the real and the imaginary part as two tensors";
constexpr std::string_view counted = "count the bounds below each value: (x.unsqueeze(-1) > bounds).sum(-1)";
constexpr std::string_view letPass =
    "name it in EdgeCompileConfig(_core_aten_ops_exception_list=...): it has a kernel that to_edge does not let pass";
constexpr std::string_view turned = "it has one with the number behind the tensor";
constexpr std::string_view masked = "index with the mask itself, x[mask], or choose with torch.where(mask, x, y)";
constexpr std::string_view steps =
    "write the steps out where their number is fixed, or express it with torch's map, or since 1.1 with scan";
constexpr std::string_view itself = "call what it wraps itself, so that it is part of the branch";
constexpr std::string_view written = "write the result to a tensor of its own: let the operator return it";
constexpr std::string_view statistics =
    "in evaluation it has one, and of the batch's own where no running mean is passed";
constexpr Instead instead[] = {
    {"argsort", ordered},
    {"argwhere", masked},
    {"auto_functionalized", written},
    {"auto_functionalized_v2", written},
    {"batch_norm", statistics},
    {"bernoulli", "torch.bernoulli of a tensor of probabilities has one"},
    {"bitwise_and", turned},
    {"bitwise_left_shift", letPass},
    {"bitwise_or", turned},
    {"bitwise_right_shift", letPass},
    {"bitwise_xor", turned},
    {"bucketize", counted},
    {"complex", parts},
    {"erfc", "write 1 - torch.erf(x)"},
    {"exp2", "write torch.pow(2.0, x)"},
    {"foreach_map", itself},
    {"hints_wrapper", itself},
    {"hypot", "write torch.sqrt(x * x + y * y)"},
    {"instance_norm", statistics},
    {"invoke_subgraph",
     "take torch.compiler.nested_compile_region off, so that what it computes is part of the branch"},
    {"masked_select", letPass},
    {"msort", ordered},
    {"native_batch_norm", statistics},
    {"nonzero", masked},
    {"nonzero_numpy", masked},
    {"out_dtype", "cast its operands in front of the operator, and call it itself"},
    {"rand_like", "torch.rand(x.shape) has one"},
    {"randn_like", "torch.randn(x.shape) has one"},
    {"round", "without decimals it has one: torch.round(x * 100) / 100 for two of them"},
    {"scan", steps},
    {"scatter", "without reduce it has one, and torch.scatter_add for a sum"},
    {"scatter_reduce", "torch.scatter_add has one, for a sum"},
    {"searchsorted", counted},
    {"sort", ordered},
    {"std_mean", "torch.std and torch.mean have one each"},
    {"strict_mode", itself},
    {"unfold", "torch.stack of the slices does the same, where their number is fixed"},
    {"var_mean", "torch.var and torch.mean have one each"},
    {"view_as_real", parts},
    {"where", masked},
    {"while_loop", steps},
    {"while_loop_stack_output", steps},
};
static_assert(std::ranges::is_sorted(instead, {}, &Instead::op));

/// The operator whose result is written to the first operand: to_edge makes it that without the underscore.
std::string_view functional(std::string_view name) {
  if (name.ends_with('_') && !name.ends_with("__"))
    name.remove_suffix(1);
  return name;
}

} // namespace

Tri hasPortableKernel(const Model &m, OperatorId o, Version version) {
  const Operator &op = m[o];
  if (op.dialect != Dialect::Torch || m.text(op.domain) != "aten")
    return Tri::Yes;
  const std::string_view name = functional(m.text(op.name));
  const auto find = [&](std::string_view which) {
    const auto *row = std::ranges::lower_bound(missing, which, {}, &Missing::op);
    const bool isMissing =
        row != std::end(missing) && row->op == which && (row->until == Version{} || version <= row->until);
    return !isMissing ? Tri::Yes : row->some ? Tri::Unknown : Tri::No;
  };
  const Tri whole = find(name);
  return whole != Tri::Yes ? whole : find(fmt::format("{}.{}", name, m.text(op.overload)));
}

bool updatesStatistics(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return m[m[n].op].dialect == Dialect::Torch && m.text(m[m[n].op].domain) == "aten" &&
         (name.find("batch_norm") != std::string_view::npos || name == "instance_norm") &&
         !effectsOf(m, n).writes.empty();
}

std::string_view insteadForExecuTorch(const Model &m, OperatorId o) {
  const std::string_view name = functional(m.text(m[o].name));
  const auto *row = std::ranges::lower_bound(instead, name, {}, &Instead::op);
  return row != std::end(instead) && row->op == name ? row->text : std::string_view();
}

Tri isLoweredByExecuTorch(const Model &m, OperatorId o, Version version) {
  const Operator &op = m[o];
  if (op.dialect != Dialect::Torch)
    return Tri::Yes;
  const std::string_view domain = m.text(op.domain);
  if (domain != "higher_order") {
    const bool isKnown = op.definition != nullptr || op.effects != nullptr;
    return std::ranges::binary_search(torchs, domain) && (isKnown || domain != "aten") ? Tri::Yes : Tri::Unknown;
  }
  const std::string_view name = m.text(op.name);
  if (std::ranges::binary_search(refused, name) || (name == "scan" && version < scanSince))
    return Tri::No;
  return std::ranges::binary_search(lowered, name) ? Tri::Yes : Tri::Unknown;
}

} // namespace condlint
