//===- AtenLimits.cpp - Which literals ATen's operators admit -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenLimits.h"
#include "Words.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

constexpr double any = std::numeric_limits<double>::infinity();
constexpr std::string_view convolutions = "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
                                          "convolution _convolution";
constexpr std::string_view maxPools =
    "max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices "
    "max_pool3d_with_indices";
constexpr std::string_view pools = "max_pool1d max_pool2d max_pool3d max_pool1d_with_indices max_pool2d_with_indices "
                                   "max_pool3d_with_indices avg_pool1d avg_pool2d avg_pool3d";

/// What torch 2.13 refuses otherwise.
constexpr AtenLimit limits[] = {
    {"chunk unsafe_chunk", "chunks", 1, any, ""},
    {"dropout feature_dropout alpha_dropout feature_alpha_dropout", "p", 0, 1, ""},
    {"bernoulli", "p", 0, 1, ""},
    {"pixel_shuffle", "upscale_factor", 1, any, ""},
    {"pixel_unshuffle", "downscale_factor", 1, any, ""},
    {"polygamma", "n", 0, any, ""},
    {"mvlgamma", "p", 1, any, ""},
    {"cdist _cdist_forward", "p", 0, any, ""},
    {"cdist _cdist_forward", "compute_mode", 0, 2, ""},
    {"huber_loss", "delta", 0, any, "", true},
    {"cauchy", "sigma", 0, any, "", true},
    {"exponential", "lambd", 0, any, "", true},
    {"log_normal", "std", 0, any, "", true},
    {"geometric", "p", 0, 1, "", true},
    {"multinomial", "num_samples", 1, any, ""},
    {"multi_margin_loss", "p", 1, 2, ""},
    {"_fft_c2r", "last_dim_size", 0, any, ""},
    {"fractional_max_pool2d fractional_max_pool3d max_unpool2d max_unpool3d", "output_size", 0, any, ""},
    {"max_unpool3d", "stride", 1, any, ""},
    {"repeat_interleave", "output_size", 0, any, ""},
    {"as_strided as_strided_scatter", "storage_offset", 0, any, ""},
    {"smooth_l1_loss", "beta", 0, any, ""},
    {"group_norm native_group_norm", "num_groups", 1, any, ""},
    {"native_group_norm", "group", 1, any, ""},
    {"channel_shuffle native_channel_shuffle", "groups", 1, any, ""},
    {convolutions, "groups", 1, any, ""},
    {convolutions, "stride", 1, any, ""},
    {convolutions, "dilation", 1, any, ""},
    {convolutions, "padding", 0, any, ""},
    {pools, "kernel_size", 1, any, ""},
    {pools, "stride", 1, any, ""},
    {pools, "padding", 0, any, ""},
    {maxPools, "dilation", 1, any, ""},
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d "
     "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
     "output_size", 0, any, ""},
    {"upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d "
     "upsample_bicubic2d upsample_trilinear3d _upsample_bilinear2d_aa _upsample_bicubic2d_aa "
     "_upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d",
     "output_size", 1, any, ""},
    {"im2col", "kernel_size", 1, any, ""},
    {"im2col", "dilation", 1, any, ""},
    {"im2col", "stride", 1, any, ""},
    {"im2col", "padding", 0, any, ""},
    {"normal", "std", 0, any, ""},
    {"renorm", "maxnorm", 0, any, ""},
    {"nonzero_static", "size", 0, any, ""},
    {"topk", "k", 0, any, ""},
    {"kthvalue", "k", 1, any, ""},
    {"narrow", "length", 0, any, ""},
    {"split unsafe_split", "split_size", 0, any, ""},
    {"tensor_split", "sections", 1, any, ""},
    {"repeat repeat_interleave", "repeats", 0, any, ""},
    {"tile", "dims", 0, any, ""},
    {"as_strided as_strided_scatter empty_strided new_empty_strided", "size", 0, any, ""},
    {"as_strided as_strided_scatter", "stride", 0, any, ""},
    {"unfold", "size", 0, any, ""},
    {"unfold", "step", 1, any, ""},
    {"slice slice_scatter", "step", 1, any, ""},
    {"linspace logspace", "steps", 0, any, ""},
    {"eye randperm", "n", 0, any, ""},
    {"eye", "m", 0, any, ""},
    {"triu_indices tril_indices", "row", 0, any, ""},
    {"triu_indices tril_indices", "col", 0, any, ""},
    {"combinations", "r", 0, any, ""},
    {"hann_window hamming_window bartlett_window blackman_window kaiser_window", "window_length", 0, any, ""},
    {"zeros ones full empty rand randn randint normal new_zeros new_ones new_full new_empty", "size", 0, any, ""},
    {"fft_*", "norm", 0, 0, "backward ortho forward"},
    {"meshgrid", "indexing", 0, 0, "ij xy"},
    {"scatter_reduce", "reduce", 0, 0, "sum prod mean amax amin"},
    {"index_reduce", "reduce", 0, 0, "prod mean amax amin"},
    {"segment_reduce", "reduce", 0, 0, "sum prod mean amax amin max min"},
    {"scatter", "reduce", 0, 0, "add multiply"},
    {"pad", "mode", 0, 0, "constant reflect replicate circular"},
    {"gelu", "approximate", 0, 0, "none tanh"},
    {"div divide true_divide", "rounding_mode", 0, 0, "trunc floor"},
    {"linalg_qr", "mode", 0, 0, "reduced complete r"},
    {"quantile nanquantile", "interpolation", 0, 0, "linear lower higher midpoint nearest"},
};

constexpr AtenPair pairs[] = {
    {"as_strided as_strided_scatter empty_strided new_empty_strided", "size", "stride"},
    {"empty_permuted", "size", "physical_layout"},
    {"movedim moveaxis", "source", "destination", true},
    {"roll", "shifts", "dims", true},
    {"tensordot", "dims_self", "dims_other", true},
    {"fft_*", "s", "dim", true},
};

constexpr AtenOrder orders[] = {
    {"uniform", "from", "to", true},
    {"histc", "min", "max", true},
    {"random", "from", "to"},
    {"randint randint_like", "low", "high"},
};

/// \p word is among the \p words, of which one may end in an asterisk.
bool holds(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view each = nextWord(words);
    if (each == word || (each.ends_with('*') && word.starts_with(each.substr(0, each.size() - 1))))
      return true;
  }
  return false;
}

} // namespace

std::string AtenLimit::refusal(const Model &m, const Attribute &a) const {
  if (a.kind == AttributeKind::String && !words.empty())
    return holds(words, m.text(a.text)) ? ""
                                        : fmt::format("'{}' is '{}', not one of {}", parameter, m.text(a.text), words);
  if (!words.empty())
    return {};
  const auto judge = [&](double x) {
    if (isOpen ? x > least && x < most : x >= least && x <= most)
      return std::string();
    return most == any
               ? fmt::format("'{}' is {}, but must be {} {}", parameter, x, isOpen ? "more than" : "at least", least)
               : fmt::format("'{}' is {}, but must lie between {} and {}", parameter, x, least, most);
  };
  if (a.kind == AttributeKind::Int)
    return judge(static_cast<double>(a.number));
  if (a.kind == AttributeKind::Float)
    return judge(a.real);
  if (a.kind == AttributeKind::Ints)
    for (std::int64_t x : m.ints(a.list))
      if (std::string said = judge(static_cast<double>(x)); !said.empty())
        return said;
  return {};
}

const AtenLimit *findAtenLimit(std::string_view name, std::string_view parameter) {
  const auto *found = std::ranges::find_if(
      limits, [&](const AtenLimit &l) { return l.parameter == parameter && holds(l.operators, name); });
  return found == std::end(limits) ? nullptr : found;
}

std::vector<const AtenLimit *> findAtenLimits(std::string_view name) {
  std::vector<const AtenLimit *> found;
  for (const AtenLimit &l : limits)
    if (holds(l.operators, name))
      found.push_back(&l);
  return found;
}

const AtenPair *findAtenPair(std::string_view name) {
  const auto *found = std::ranges::find_if(pairs, [&](const AtenPair &p) { return holds(p.operators, name); });
  return found == std::end(pairs) ? nullptr : found;
}

std::string AtenOrder::refusal(InferContext &ctx) const {
  const auto numberOf = [&](std::string_view name) -> std::optional<double> {
    const Attribute *a = ctx.attribute(name);
    if (a && a->kind == AttributeKind::Int)
      return static_cast<double>(a->number);
    return a && a->kind == AttributeKind::Float ? std::optional(a->real) : std::nullopt;
  };
  const auto most = numberOf(upper), least = ctx.attribute(lower) ? numberOf(lower) : std::optional(0.0);
  if (!least || !most || *least < *most || (mayBeEqual && *least == *most))
    return {};
  return fmt::format("'{}' is {} and '{}' is {}, which is not more", lower, *least, upper, *most);
}

const AtenOrder *findAtenOrder(std::string_view name) {
  const auto *found = std::ranges::find_if(orders, [&](const AtenOrder &o) { return holds(o.operators, name); });
  return found == std::end(orders) ? nullptr : found;
}

} // namespace condlint
