//===- OnnxLimits.cpp - What ONNX's operators demand besides types --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ranks of inputs, ranges of attributes, values that must be there: what onnx's own
// inference refuses and a schema has no words for.
#include "OnnxVersions.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {
namespace {

constexpr std::size_t any = 64;

/// The number of axes of an input.
struct RankLimit {
  std::string_view op;
  std::size_t input, least, most;
};
constexpr RankLimit ranks[] = {
    {"Attention", 0, 3, 4},
    {"Attention", 1, 3, 4},
    {"Attention", 2, 3, 4},
    {"Attention", 4, 4, 4},
    {"Attention", 5, 4, 4},
    {"BatchNormalization", 1, 1, 1},
    {"BatchNormalization", 2, 1, 1},
    {"BatchNormalization", 3, 1, 1},
    {"BatchNormalization", 4, 1, 1},
    {"CausalConvWithState", 0, 3, 3},
    {"CausalConvWithState", 1, 3, 3},
    {"CausalConvWithState", 2, 1, 1},
    {"CausalConvWithState", 3, 3, 3},
    {"Col2Im", 1, 1, 1},
    {"Col2Im", 2, 1, 1},
    {"Dropout", 1, 0, 0},
    {"Dropout", 2, 0, 0},
    {"FlexAttention", 0, 4, 4},
    {"FlexAttention", 1, 4, 4},
    {"FlexAttention", 2, 4, 4},
    {"LinearAttention", 0, 3, 3},
    {"LinearAttention", 1, 3, 3},
    {"LinearAttention", 2, 3, 3},
    {"LinearAttention", 5, 3, 3},
    {"MaxUnpool", 1, 2, any},
    {"Reshape", 1, 1, 1},
    {"Resize", 3, 1, 1},
    {"ReverseSequence", 0, 2, any},
    {"ReverseSequence", 1, 1, 1},
    {"RoiAlign", 0, 4, 4},
    {"RoiAlign", 1, 2, 2},
    {"RoiAlign", 2, 1, 1},
};

/// The least number that an attribute, or each of a list, may be.
struct NumberLimit {
  std::string_view op, attribute;
  std::int64_t least;
};
constexpr NumberLimit numbers[] = {
    {"AveragePool", "kernel_shape", 1},    {"DepthToSpace", "blocksize", 1}, {"LinearAttention", "kv_num_heads", 1},
    {"LinearAttention", "q_num_heads", 1}, {"LpPool", "kernel_shape", 1},    {"MaxPool", "kernel_shape", 1},
    {"Scan", "num_scan_inputs", 1},        {"SpaceToDepth", "blocksize", 1}, {"Split", "num_outputs", 1},
};

/// What an attribute may say, in any version.
struct ChoiceLimit {
  std::string_view op, attribute;
  std::array<std::string_view, 4> words;
};
constexpr ChoiceLimit choices[] = {
    {"AveragePool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"CausalConvWithState", "activation", {"none", "silu", "swish"}},
    {"Conv", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"ConvTranspose", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"DepthToSpace", "mode", {"DCR", "CRD"}},
    {"GRU", "direction", {"forward", "reverse", "bidirectional"}},
    {"Gelu", "approximate", {"none", "tanh"}},
    {"LSTM", "direction", {"forward", "reverse", "bidirectional"}},
    {"LinearAttention", "update_rule", {"linear", "gated", "delta", "gated_delta"}},
    {"LpPool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"MaxPool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"Pad", "mode", {"constant", "reflect", "edge", "wrap"}},
    {"RNN", "direction", {"forward", "reverse", "bidirectional"}},
    {"Resize", "mode", {"nearest", "linear", "cubic"}},
    {"RoiAlign", "mode", {"avg", "max"}},
};

/// Padding that is named by an empty word is what `pads` say, as if no word stood there: onnx and
/// runtimes agree. Any other word that is empty is refused.
constexpr bool mayBeEmpty(const ChoiceLimit &limit) { return limit.attribute == "auto_pad"; }

struct ByOp {
  bool operator()(const auto &row, std::string_view op) const { return row.op < op; }
  bool operator()(std::string_view op, const auto &row) const { return op < row.op; }
};
static_assert(std::ranges::is_sorted(ranks, {}, &RankLimit::op));
static_assert(std::ranges::is_sorted(numbers, {}, &NumberLimit::op));
static_assert(std::ranges::is_sorted(choices, {}, &ChoiceLimit::op));

std::string axes(std::size_t least, std::size_t most) {
  const auto count = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "axis" : "axes"); };
  return least == most ? count(least)
         : most == any ? "at least " + count(least)
                       : fmt::format("{} or {}", least, count(most));
}

bool checkRanks(InferContext &ctx, std::string_view op) {
  // Up to version 7 each place could have statistics of its own.
  if (op == "BatchNormalization" && ctx.version() < 9)
    return true;
  const auto [first, last] = std::equal_range(std::begin(ranks), std::end(ranks), op, ByOp());
  for (const RankLimit *limit = first; limit != last; ++limit) {
    const Type &t = ctx.type(limit->input);
    if (!ctx.has(limit->input) || !t.isTensor() || !t.hasRank ||
        (t.dims.size() >= limit->least && t.dims.size() <= limit->most))
      continue;
    ctx.reject(fmt::format("input {} of {} must have {}, but has {}", limit->input, op, axes(limit->least, limit->most),
                           t.dims.size()),
               limit->input);
    return false;
  }
  return true;
}

bool checkNumbers(InferContext &ctx, std::string_view op) {
  const auto [first, last] = std::equal_range(std::begin(numbers), std::end(numbers), op, ByOp());
  for (const NumberLimit *limit = first; limit != last; ++limit)
    for (std::int64_t n : ctx.intsAttr(limit->attribute).value_or(std::vector<std::int64_t>{}))
      if (n < limit->least) {
        ctx.reject(fmt::format("{} of {} is {}, but must be at least {}", limit->attribute, op, n, limit->least));
        return false;
      }
  return true;
}

bool checkChoices(InferContext &ctx, std::string_view op) {
  const auto [first, last] = std::equal_range(std::begin(choices), std::end(choices), op, ByOp());
  for (const ChoiceLimit *limit = first; limit != last; ++limit) {
    const std::string_view word = ctx.stringAttr(limit->attribute, limit->words.front());
    const bool known = std::ranges::find(limit->words, word) != limit->words.end();
    if (word.empty() ? mayBeEmpty(*limit) : known)
      continue;
    ctx.reject(fmt::format("{} has no {} '{}'", op, limit->attribute, word));
    return false;
  }
  return true;
}

/// Attributes that are numbers of TensorProto.DataType.
bool checkElementTypes(InferContext &ctx, std::string_view op) {
  for (std::string_view name : {"to", "dtype", "output_datatype"}) {
    const Attribute *a = ctx.attribute(name);
    if (!a || a->kind != AttributeKind::Int || ctx.dtypeAttr(name))
      continue;
    ctx.reject(fmt::format("{} of {} is {}, which is no element type of ONNX", name, op, a->number));
    return false;
  }
  return true;
}

/// A constant is what one of these attributes says.
bool checkConstant(InferContext &ctx) {
  constexpr std::array<std::string_view, 8> forms{"value",     "sparse_value", "value_float",  "value_floats",
                                                  "value_int", "value_ints",   "value_string", "value_strings"};
  const auto given = std::ranges::count_if(forms, [&](std::string_view f) { return ctx.hasAttribute(f); });
  if (given == 1)
    return true;
  ctx.reject(fmt::format("Constant has {} of the attributes that may say its value, and needs one", given));
  return false;
}

/// From version 13 on the new size is given in one way; before, the other is empty.
bool checkResize(InferContext &ctx) {
  if (ctx.version() < 13)
    return true;
  const Type &scales = ctx.type(2);
  const bool maybeEmpty = !scales.hasRank || scales.dims.empty() || !scales.dims[0].known() ||
                          ctx.dims().boundsOf(scales.dims[0]).contains(0);
  const bool both = ctx.has(2) && ctx.has(3) && !maybeEmpty;
  if (!both && (ctx.has(2) || ctx.has(3)))
    return true;
  ctx.reject(fmt::format("Resize needs either scales or sizes, and has {}", both ? "both" : "neither"));
  return false;
}

/// Operands of 3 axes are heads side by side: how many, an attribute says.
bool checkAttention(InferContext &ctx) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string_view name = i == 0 ? "q_num_heads" : "kv_num_heads";
    const Type &t = ctx.type(i);
    const Attribute *heads = ctx.attribute(name);
    if (!t.hasRank || t.dims.size() != 3 || (heads && (heads->kind != AttributeKind::Int || heads->number > 0)))
      continue;
    ctx.reject(fmt::format("input {} of Attention has 3 axes and needs {} to be at least 1", i, name), i);
    return false;
  }
  return true;
}

/// Which further operands there are, the rule of the update says.
bool checkLinearAttention(InferContext &ctx) {
  const std::string_view rule = ctx.stringAttr("update_rule", "gated_delta");
  const std::size_t needed = rule.starts_with("gated") && !ctx.has(4) ? 4
                             : rule.ends_with("delta") && !ctx.has(5) ? 5
                                                                      : 0;
  if (needed == 0)
    return true;
  ctx.reject(fmt::format("LinearAttention needs its input {} for the update rule '{}'", needed, rule));
  return false;
}

/// How many classes there are is one number.
bool checkOneHot(InferContext &ctx) {
  const Type &depth = ctx.type(1);
  if (!depth.hasRank || depth.dims.empty())
    return true;
  const DimTable &dims = ctx.dims();
  if (depth.dims.size() == 1 && (!depth.dims[0].known() || dims.boundsOf(depth.dims[0]).contains(1)))
    return true;
  ctx.reject("the depth of OneHot must be one number", 1);
  return false;
}

} // namespace

bool checkOnnxLimits(InferContext &ctx) {
  const std::string_view op = ctx.opName();
  if (!checkElementTypes(ctx, op) || !checkRanks(ctx, op) || !checkNumbers(ctx, op) || !checkChoices(ctx, op))
    return false;
  if (op == "Constant")
    return checkConstant(ctx);
  if (op == "Resize")
    return checkResize(ctx);
  if (op == "Attention")
    return checkAttention(ctx);
  if (op == "LinearAttention")
    return checkLinearAttention(ctx);
  return op != "OneHot" || checkOneHot(ctx);
}

} // namespace condlint
