//===- OnnxLimits.cpp - What ONNX's operators demand besides types --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Ranks of inputs, ranges of attributes, values that must be there: what onnx's own
// inference refuses and a schema has no words for.
#include "Broadcast.h"
#include "OnnxOpset.h"
#include "OnnxVersions.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace condlint {
namespace {

constexpr std::size_t any = 64;

/// The number of axes of an input, from a version on.
struct RankLimit {
  std::string_view op;
  std::size_t input, least, most;
  std::int32_t since = 1;
};
constexpr RankLimit ranks[] = {
    {"AffineGrid", 1, 1, 1},
    {"Attention", 0, 3, 4},
    {"Attention", 1, 3, 4},
    {"Attention", 2, 3, 4},
    {"Attention", 4, 4, 4},
    {"Attention", 5, 4, 4},
    {"AveragePool", 0, 2, any},
    {"BatchNormalization", 1, 1, 1, 9}, // before, each place could have statistics of its own
    {"BatchNormalization", 2, 1, 1, 9},
    {"BatchNormalization", 3, 1, 1, 9},
    {"BatchNormalization", 4, 1, 1, 9},
    {"CausalConvWithState", 0, 3, 3},
    {"CausalConvWithState", 1, 3, 3},
    {"CausalConvWithState", 2, 1, 1},
    {"CausalConvWithState", 3, 3, 3},
    {"Col2Im", 0, 3, 3},
    {"Col2Im", 1, 1, 1},
    {"Col2Im", 2, 1, 1},
    {"Compress", 0, 1, any, 11},
    {"ConstantOfShape", 0, 1, any},
    {"Conv", 0, 3, any},
    {"Conv", 2, 1, 1},
    {"ConvInteger", 0, 3, any},
    {"ConvTranspose", 0, 3, any},
    {"ConvTranspose", 2, 1, 1},
    {"DeformConv", 3, 1, 1},
    {"Dropout", 1, 0, 0},
    {"Dropout", 2, 0, 0},
    {"EyeLike", 0, 2, 2},
    {"FlexAttention", 0, 4, 4},
    {"FlexAttention", 1, 4, 4},
    {"FlexAttention", 2, 4, 4},
    {"GatherND", 0, 1, any},
    {"GatherND", 1, 1, any},
    {"InstanceNormalization", 1, 1, 1},
    {"InstanceNormalization", 2, 1, 1},
    {"LinearAttention", 0, 3, 3},
    {"LinearAttention", 1, 3, 3},
    {"LinearAttention", 2, 3, 3},
    {"LinearAttention", 3, 4, 4},
    {"LinearAttention", 4, 3, 3},
    {"LinearAttention", 5, 3, 3},
    {"LpPool", 0, 2, any},
    {"MaxPool", 0, 2, any},
    {"MaxRoiPool", 0, 4, any},
    {"MaxUnpool", 0, 2, any},
    {"MaxUnpool", 1, 2, any},
    {"MaxUnpool", 2, 1, 1},
    {"Multinomial", 0, 2, 2},
    {"OneHot", 0, 1, any},
    {"OneHot", 2, 1, 1},
    {"Pad", 1, 1, 2, 11}, // [1, 2 * axes] is run where nobody knows the numbers beforehand
    {"Pad", 3, 1, 1, 18},
    {"QLinearConv", 0, 3, any},
    {"ReduceL1", 1, 1, 1, 18},
    {"ReduceL2", 1, 1, 1, 18},
    {"ReduceLogSum", 1, 1, 1, 18},
    {"ReduceLogSumExp", 1, 1, 1, 18},
    {"ReduceMax", 1, 1, 1, 18},
    {"ReduceMean", 1, 1, 1, 18},
    {"ReduceMin", 1, 1, 1, 18},
    {"ReduceProd", 1, 1, 1, 18},
    {"ReduceSum", 1, 1, 1, 13},
    {"ReduceSumSquare", 1, 1, 1, 18},
    {"Reshape", 1, 1, 1},
    {"Resize", 3, 1, any},
    {"ReverseSequence", 0, 2, any},
    {"ReverseSequence", 1, 1, 1},
    {"RoiAlign", 0, 4, 4},
    {"RoiAlign", 1, 2, 2},
    {"RoiAlign", 2, 1, 1},
    {"RotaryEmbedding", 0, 3, 4},
    {"Slice", 1, 1, 1, 10},
    {"Slice", 2, 1, 1, 10},
    {"Slice", 3, 1, 1, 10},
    {"Slice", 4, 1, 1, 10},
    {"Split", 1, 1, 1},
    {"Squeeze", 1, 1, 1},
    {"TensorScatter", 2, 1, 1},
    {"Tile", 1, 1, 1, 6},
    {"Unsqueeze", 1, 0, 1},
};

/// Inputs that are one number: a scalar, or a tensor of one element that has not too many axes.
struct NumberInput {
  std::string_view op;
  std::size_t input, mostAxes;
};
constexpr NumberInput singles[] = {
    {"Clip", 1, 1},  {"Clip", 2, 1},  {"CumSum", 1, 1}, {"OneHot", 1, 1}, {"Pad", 2, any},
    {"Range", 0, 1}, {"Range", 1, 1}, {"Range", 2, 1},  {"Trilu", 1, 1},
};

/// Inputs that are stretched to the first one and never stretch it.
struct StretchedInput {
  std::string_view op;
  std::size_t input;
  std::int32_t since;
};
constexpr StretchedInput stretched[] = {
    {"LayerNormalization", 1, 17},
    {"LayerNormalization", 2, 17},
    {"RMSNormalization", 1, 23},
};

/// An axis of an input that is as long as one of another input; axes count from the back when negative.
struct SameSize {
  std::string_view op;
  std::size_t input;
  std::ptrdiff_t axis;
  std::size_t other;
  std::ptrdiff_t otherAxis;
};
constexpr SameSize sameSizes[] = {
    {"CausalConvWithState", 1, 0, 0, 1},
    {"CausalConvWithState", 2, 0, 0, 1},
    {"CausalConvWithState", 3, 0, 0, 0},
    {"CausalConvWithState", 3, 1, 0, 1},
    {"Col2Im", 2, 0, 1, 0},
    {"DeformConv", 2, 0, 0, 0},
    {"DeformConv", 3, 0, 1, 0},
    {"GridSample", 1, 0, 0, 0},
    {"LinearAttention", 1, 0, 0, 0},
    {"LinearAttention", 1, 1, 0, 1},
    {"LinearAttention", 2, 0, 0, 0},
    {"LinearAttention", 2, 1, 0, 1},
    {"LinearAttention", 3, 0, 0, 0},
    {"LinearAttention", 4, 0, 0, 0},
    {"LinearAttention", 4, 1, 0, 1},
    {"LinearAttention", 5, 0, 0, 0},
    {"LinearAttention", 5, 1, 0, 1},
    {"RoiAlign", 2, 0, 1, 0},
    {"TensorScatter", 1, 0, 0, 0},
    {"TensorScatter", 2, 0, 0, 0},
};

/// An input of as many axes as another one.
struct SameRank {
  std::string_view op;
  std::size_t input, other;
};
constexpr SameRank sameRanks[] = {{"DeformConv", 2, 0}, {"TensorScatter", 1, 0}};

/// An axis of an input that is of one size always.
struct FixedSize {
  std::string_view op;
  std::size_t input;
  std::ptrdiff_t axis;
  std::int64_t size;
};
constexpr FixedSize fixedSizes[] = {{"CausalConvWithState", 1, 1, 1}, {"MaxRoiPool", 1, 1, 5}};

/// The numbers that an attribute, or each of a list, may be.
struct NumberLimit {
  std::string_view op, attribute;
  std::int64_t least;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};
constexpr NumberLimit numbers[] = {
    {"AveragePool", "kernel_shape", 1},
    {"Col2Im", "dilations", 1},
    {"Col2Im", "strides", 1},
    {"ConvTranspose", "group", 1},
    {"DeformConv", "offset_group", 1},
    {"DepthToSpace", "blocksize", 1},
    {"GroupNormalization", "num_groups", 1},
    {"LRN", "size", 1},
    {"LinearAttention", "kv_num_heads", 1},
    {"LinearAttention", "q_num_heads", 1},
    {"LpNormalization", "p", 1, 2},
    {"LpPool", "kernel_shape", 1},
    {"MaxPool", "kernel_shape", 1},
    {"MaxUnpool", "kernel_shape", 1},
    {"Multinomial", "sample_size", 1},
    {"ReverseSequence", "batch_axis", std::numeric_limits<std::int64_t>::min(), 1}, // nobody looks below 0
    {"ReverseSequence", "time_axis", std::numeric_limits<std::int64_t>::min(), 1},
    {"RotaryEmbedding", "num_heads", 0},
    {"RotaryEmbedding", "rotary_embedding_dim", 0},
    {"Scan", "num_scan_inputs", 1},
    {"SpaceToDepth", "blocksize", 1},
    {"Split", "num_outputs", 1},
};

/// What an attribute may say, in some versions.
struct ChoiceLimit {
  std::string_view op, attribute;
  std::array<std::string_view, 8> words;
  std::int32_t since = 1;
  std::int32_t until = std::numeric_limits<std::int32_t>::max();
};
constexpr ChoiceLimit choices[] = {
    {"AveragePool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"BitShift", "direction", {"LEFT", "RIGHT"}},
    {"Cast", "round_mode", {"up", "down", "nearest"}, 24},
    {"CausalConvWithState", "activation", {"none", "silu", "swish"}},
    {"Conv", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"ConvInteger", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"ConvTranspose", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"DepthToSpace", "mode", {"DCR", "CRD"}},
    {"GRU", "direction", {"forward", "reverse", "bidirectional"}},
    {"GridSample", "mode", {"bilinear", "nearest", "bicubic"}, 16, 19},
    {"GridSample", "mode", {"linear", "nearest", "cubic"}, 20},
    {"GridSample", "padding_mode", {"zeros", "border", "reflection"}},
    {"LSTM", "direction", {"forward", "reverse", "bidirectional"}},
    {"LinearAttention", "update_rule", {"linear", "gated", "delta", "gated_delta"}},
    {"LpPool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"MaxPool", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"Pad", "mode", {"constant", "reflect", "edge", "wrap"}},
    {"QLinearConv", "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
    {"RNN", "direction", {"forward", "reverse", "bidirectional"}},
    {"Resize",
     "coordinate_transformation_mode",
     {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize",
      "tf_half_pixel_for_nn"}},
    {"Resize", "keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}, 18},
    {"Resize", "mode", {"nearest", "linear", "cubic"}},
    {"Resize", "nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}},
    {"RoiAlign", "mode", {"avg", "max"}},
    {"StringNormalizer", "case_change_action", {"NONE", "LOWER", "UPPER"}},
    {"TensorScatter", "mode", {"linear", "circular"}},
    {"TfIdfVectorizer", "mode", {"TF", "IDF", "TFIDF"}},
    {"Upsample", "mode", {"nearest", "linear", "cubic"}},
};

/// Padding that is named by an empty word is what `pads` say, as if no word stood there: onnx and
/// runtimes agree. So it is with the rounding of Resize. Any other word that is empty is refused.
constexpr bool mayBeEmpty(const ChoiceLimit &limit) {
  return limit.attribute == "auto_pad" || limit.attribute == "nearest_mode";
}

/// How Resize rounds is nobody's business where it does not take the nearest element.
bool isLookedAt(const InferContext &ctx, const ChoiceLimit &limit) {
  return limit.attribute != "nearest_mode" || ctx.stringAttr("mode", "nearest") == "nearest";
}

static_assert(std::ranges::is_sorted(ranks, {}, &RankLimit::op));
static_assert(std::ranges::is_sorted(singles, {}, &NumberInput::op));
static_assert(std::ranges::is_sorted(stretched, {}, &StretchedInput::op));
static_assert(std::ranges::is_sorted(sameSizes, {}, &SameSize::op));
static_assert(std::ranges::is_sorted(numbers, {}, &NumberLimit::op));
static_assert(std::ranges::is_sorted(choices, {}, &ChoiceLimit::op));

std::string axes(std::size_t least, std::size_t most) {
  const auto count = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "axis" : "axes"); };
  return least == most ? count(least)
         : most == any ? "at least " + count(least)
                       : fmt::format("{} or {}", least, count(most));
}

/// The operator is of a version before \p since.
bool isBefore(const InferContext &ctx, std::int32_t since) { return ctx.version() > 0 && ctx.version() < since; }

bool checkRanks(InferContext &ctx, std::string_view op) {
  for (const RankLimit &limit : std::ranges::equal_range(ranks, op, {}, &RankLimit::op)) {
    const Type &t = ctx.type(limit.input);
    if (isBefore(ctx, limit.since) || !ctx.has(limit.input) || !t.isTensor() || !t.hasRank ||
        (t.dims.size() >= limit.least && t.dims.size() <= limit.most))
      continue;
    ctx.reject(fmt::format("input {} of {} must have {}, but has {}", limit.input, op, axes(limit.least, limit.most),
                           t.dims.size()),
               limit.input);
    return false;
  }
  return true;
}

/// A tensor that has one element whatever its unknown sizes are, or may have.
bool mayBeOneNumber(const DimTable &dims, const Type &t, std::size_t mostAxes) {
  return !t.hasRank || (t.dims.size() <= mostAxes &&
                        std::ranges::all_of(t.dims, [&](Dim d) { return !d.known() || dims.boundsOf(d).contains(1); }));
}

bool checkSingles(InferContext &ctx, std::string_view op) {
  for (const NumberInput &limit : std::ranges::equal_range(singles, op, {}, &NumberInput::op)) {
    const Type &t = ctx.type(limit.input);
    if (!ctx.has(limit.input) || mayBeOneNumber(ctx.dims(), t, limit.mostAxes))
      continue;
    ctx.reject(fmt::format("input {} of {} must be one number, but has the shape {}", limit.input, op,
                           spellDims(ctx.dims(), t.dims)),
               limit.input);
    return false;
  }
  return true;
}

/// A bias without elements is none: onnx's inference does not look, and ONNX Runtime runs it.
bool isNoBias(InferContext &ctx, const StretchedInput &limit) {
  const Type &t = ctx.type(limit.input);
  return limit.op == "LayerNormalization" && limit.input == 2 && t.hasRank && t.dims.size() == 1 &&
         ctx.dims().isConstant(t.dims[0], 0);
}

bool checkStretched(InferContext &ctx, std::string_view op) {
  for (const StretchedInput &limit : std::ranges::equal_range(stretched, op, {}, &StretchedInput::op))
    if (!isBefore(ctx, limit.since) && !isNoBias(ctx, limit) && !expectStretches(ctx, limit.input, ctx.type(0)))
      return false;
  return true;
}

/// The size of an axis of input \p i; unknown where it has none.
Dim sizeAt(InferContext &ctx, std::size_t i, std::ptrdiff_t axis) {
  const Type &t = ctx.type(i);
  const auto at = t.hasRank ? normalizeAxis(axis, t.dims.size()) : std::nullopt;
  return at ? t.dims[*at] : Dim();
}

bool checkSameSizes(InferContext &ctx, std::string_view op) {
  for (const SameSize &limit : std::ranges::equal_range(sameSizes, op, {}, &SameSize::op)) {
    const Dim size = sizeAt(ctx, limit.input, limit.axis), other = sizeAt(ctx, limit.other, limit.otherAxis);
    if (!neverEqual(ctx.dims(), size, other))
      continue;
    ctx.reject(fmt::format("axis {} of input {} of {} must be as long as axis {} of input {}, but they are {} and {}",
                           limit.axis, limit.input, op, limit.otherAxis, limit.other, ctx.dims().str(size),
                           ctx.dims().str(other)),
               limit.input);
    return false;
  }
  return true;
}

bool checkSameRanks(InferContext &ctx, std::string_view op) {
  for (const SameRank &limit : sameRanks) {
    const Type &t = ctx.type(limit.input), &other = ctx.type(limit.other);
    if (limit.op != op || !t.hasRank || !other.hasRank || t.dims.size() == other.dims.size())
      continue;
    ctx.reject(fmt::format("input {} of {} must have as many axes as input {}, but they have {} and {}", limit.input,
                           op, limit.other, t.dims.size(), other.dims.size()),
               limit.input);
    return false;
  }
  return true;
}

bool checkFixedSizes(InferContext &ctx, std::string_view op) {
  for (const FixedSize &limit : fixedSizes) {
    const Dim size = limit.op == op ? sizeAt(ctx, limit.input, limit.axis) : Dim();
    if (!size.known() || !neverEqual(ctx.dims(), size, ctx.dims().constant(limit.size)))
      continue;
    ctx.reject(fmt::format("axis {} of input {} of {} must be {}, but is {}", limit.axis, limit.input, op, limit.size,
                           ctx.dims().str(size)),
               limit.input);
    return false;
  }
  return true;
}

bool checkNumbers(InferContext &ctx, std::string_view op) {
  for (const NumberLimit &limit : std::ranges::equal_range(numbers, op, {}, &NumberLimit::op))
    for (std::int64_t n : ctx.intsAttr(limit.attribute).value_or(std::vector<std::int64_t>{}))
      if (n < limit.least || n > limit.most) {
        const bool isOpen = limit.most == NumberLimit().most;
        ctx.reject(fmt::format("{} of {} is {}, but must be {} {}{}", limit.attribute, op, n,
                               isOpen ? "at least" : "from", limit.least,
                               isOpen ? "" : fmt::format(" to {}", limit.most)));
        return false;
      }
  return true;
}

bool checkChoices(InferContext &ctx, std::string_view op) {
  for (const ChoiceLimit &limit : std::ranges::equal_range(choices, op, {}, &ChoiceLimit::op)) {
    const std::string_view word = ctx.stringAttr(limit.attribute, limit.words.front());
    const bool known = std::ranges::find(limit.words, word) != limit.words.end();
    if (isBefore(ctx, limit.since) || ctx.version() > limit.until || !isLookedAt(ctx, limit))
      continue;
    if (word.empty() ? mayBeEmpty(limit) : known)
      continue;
    ctx.reject(fmt::format("{} has no {} '{}'", op, limit.attribute, word));
    return false;
  }
  return true;
}

/// Attributes that are numbers of TensorProto.DataType; `output_dtype` is 0 where it says none.
constexpr std::array<std::string_view, 4> elementTypes{"dtype", "output_datatype", "output_dtype", "to"};

bool checkElementTypes(InferContext &ctx, std::string_view op) {
  for (std::string_view name : elementTypes) {
    const Attribute *a = ctx.attribute(name);
    if (!a || a->kind != AttributeKind::Int || ctx.dtypeAttr(name) || (a->number == 0 && name == "output_dtype"))
      continue;
    ctx.reject(fmt::format("{} of {} is {}, which is no element type of ONNX", name, op, a->number));
    return false;
  }
  return true;
}

constexpr std::array<std::string_view, 8> constantForms{"value",     "sparse_value", "value_float",  "value_floats",
                                                        "value_int", "value_ints",   "value_string", "value_strings"};

/// A constant is what one of these attributes says. Of two the first is the one that runtimes take, and what follows
/// is typed by it.
bool checkConstant(InferContext &ctx) {
  const auto given = std::ranges::count_if(constantForms, [&](std::string_view f) { return ctx.hasAttribute(f); });
  if (given == 1)
    return true;
  ctx.reject(fmt::format("Constant has {} of the attributes that may say its value, and needs one", given));
  return given > 1;
}

/// The new size is given in one way, and the other is absent, or empty.
bool checkResize(InferContext &ctx) {
  if (isBefore(ctx, 11))
    return true;
  const auto isGiven = [&](std::size_t i) {
    const Type &t = ctx.type(i);
    return ctx.has(i) && t.hasRank && !t.dims.empty() && t.dims[0].known() &&
           !ctx.dims().boundsOf(t.dims[0]).contains(0);
  };
  // Up to version 12 both stand there, and the sizes may be the empty ones.
  const bool both = isGiven(2) && (isBefore(ctx, 13) ? isGiven(3) : ctx.has(3));
  if (const std::string_view policy = ctx.stringAttr("keep_aspect_ratio_policy", "stretch");
      policy != "stretch" && isGiven(2) && !ctx.has(3)) {
    ctx.reject(fmt::format("Resize takes the keep_aspect_ratio_policy '{}' with sizes, not with scales", policy), 2);
    return false;
  }
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

/// The heads of the query share those of the key evenly; which further operands there are, the rule of the update says.
bool checkLinearAttention(InferContext &ctx) {
  const auto q = ctx.intAttr("q_num_heads"), kv = ctx.intAttr("kv_num_heads");
  if (q && kv && *kv > 0 && *q % *kv != 0) {
    ctx.reject(fmt::format("q_num_heads of LinearAttention is {}, which is no multiple of kv_num_heads, {}", *q, *kv));
    return false;
  }
  const std::string_view rule = ctx.stringAttr("update_rule", "gated_delta");
  const std::size_t needed = rule.starts_with("gated") && !ctx.has(4) ? 4
                             : rule.ends_with("delta") && !ctx.has(5) ? 5
                                                                      : 0;
  if (needed == 0)
    return true;
  ctx.reject(fmt::format("LinearAttention needs its input {} for the update rule '{}'", needed, rule));
  return false;
}

/// From version 18 on one of the two says what the pieces are; before, they were equal without a word, and so they are
/// where nobody knows how long the axis is.
bool checkSplit(InferContext &ctx) {
  if (isBefore(ctx, 18) || ctx.has(1) != ctx.hasAttribute("num_outputs"))
    return true;
  const Type &t = ctx.type(0);
  const auto axis = t.hasRank ? normalizeAxis(ctx.intAttr("axis", 0), t.dims.size()) : std::nullopt;
  if (!ctx.has(1) && !(axis && ctx.dims().asConstant(t.dims[*axis])))
    return true;
  ctx.reject(fmt::format("Split needs either its input 1 or num_outputs, and has {}", ctx.has(1) ? "both" : "neither"));
  return false;
}

/// The values beside the named classes, and at them.
bool checkOneHot(InferContext &ctx) {
  const Type &values = ctx.type(2);
  const bool areTwo = !values.hasRank || !values.dims[0].known() || ctx.dims().boundsOf(values.dims[0]).contains(2);
  if (!areTwo)
    ctx.reject(
        fmt::format("the values of OneHot must be two, but have the shape {}", spellDims(ctx.dims(), values.dims)), 2);
  return areTwo;
}

/// The running statistics are results of training alone.
bool checkBatchNormalization(InferContext &ctx) {
  const bool trains = ctx.intAttr("training_mode", 0) != 0;
  const std::size_t given = ctx.resultCount();
  if (isBefore(ctx, 14) ? given == 1 || given == 5 : given == (trains ? 3 : 1))
    return true;
  const std::string_view wanted = isBefore(ctx, 14) ? "1 or 5 outputs"
                                  : trains          ? "3 outputs with training_mode"
                                                    : "1 output without training_mode";
  ctx.reject(fmt::format("BatchNormalization has {}, but is given {}", wanted, given));
  return false;
}

/// Up to version 27 the remainder of fractions is that of C's fmod, and has to be asked for.
bool checkMod(InferContext &ctx) {
  if (ctx.version() > 27 || !isFloating(ctx.type(0).element) || ctx.intAttr("fmod", 0) != 0)
    return true;
  ctx.reject(fmt::format("Mod of {} needs the attribute 'fmod' to be 1", dtypeName(ctx.type(0).element)));
  return false;
}

/// What one operator alone demands.
struct OwnLimit {
  std::string_view op;
  bool (*check)(InferContext &);
};
constexpr OwnLimit own[] = {
    {"Attention", checkAttention},
    {"BatchNormalization", checkBatchNormalization},
    {"Constant", checkConstant},
    {"LinearAttention", checkLinearAttention},
    {"Mod", checkMod},
    {"OneHot", checkOneHot},
    {"Resize", checkResize},
    {"Split", checkSplit},
};
static_assert(std::ranges::is_sorted(own, {}, &OwnLimit::op));

} // namespace

bool checkOnnxLimits(InferContext &ctx) {
  const std::string_view op = ctx.opName();
  if (!checkElementTypes(ctx, op) || !checkRanks(ctx, op) || !checkSingles(ctx, op) || !checkStretched(ctx, op) ||
      !checkSameSizes(ctx, op) || !checkSameRanks(ctx, op) || !checkFixedSizes(ctx, op) || !checkNumbers(ctx, op) ||
      !checkChoices(ctx, op))
    return false;
  return std::ranges::all_of(std::ranges::equal_range(own, op, {}, &OwnLimit::op),
                             [&](const OwnLimit &limit) { return limit.check(ctx); });
}

bool saysConstant(std::string_view attribute) {
  return std::ranges::find(constantForms, attribute) != constantForms.end();
}

bool hasOnnxLimits(std::string_view op, std::string_view attributes) {
  const auto among = [&](const auto &table, auto name) { return std::ranges::binary_search(table, op, {}, name); };
  const auto isListed = [&](std::string_view name) { return attributes.find(name) != std::string_view::npos; };
  return among(ranks, &RankLimit::op) || among(singles, &NumberInput::op) || among(stretched, &StretchedInput::op) ||
         among(sameSizes, &SameSize::op) || among(numbers, &NumberLimit::op) || among(choices, &ChoiceLimit::op) ||
         among(own, &OwnLimit::op) || std::ranges::any_of(elementTypes, isListed);
}

} // namespace condlint
