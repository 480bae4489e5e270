//===- OpenVinoReading.cpp - Which operators OpenVINO reads in a branch ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenVinoReading.h"
#include "ConstantValues.h"
#include "NodeText.h"
#include "OpenVinoRanks.h"
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace condlint {

namespace {

/// In which use an operator is not read.
enum class Use : std::uint8_t {
  Any,
  Some,        ///< not in some of the models that were measured
  Trains,      ///< training_mode is not false
  Captured,    ///< its first operand comes from the graph around the branch
  Reduces,     ///< what is there is kept in part
  Results,     ///< more than one result is written down
  NoZeroPoint, ///< a zero point is left out
  UnnamedZero, ///< it has an empty name
  Ignores,     ///< some index is ignored
  Axes,        ///< axes are written down
  Linear,      ///< the mode "linear" is written down
  Wraps,       ///< the mode "wrap" is
  OpenStep,    ///< the step is no constant
  EachChannel, ///< from version 21 on, of a scale for each channel
  FewOperands, ///< fewer than nine
  NotFloat32,  ///< of another type
  Float64,
  OneSided, ///< half of what is computed is left out
  Bytes,    ///< of int8 or uint8, which is read, but rounded where it should be cut off
};

struct Unread {
  std::string_view op;
  Version from, until; ///< the versions that were seen not to read it; 0.0: from the first, to the last
  Use use = Use::Any;
};

constexpr Version all{};
/// `tests/oracles/openvino_operators.py` holds them against each version of the package.
constexpr Unread standard[] = {
    {"AffineGrid", all, {2023, 3}},
    {"AffineGrid", all, {2024, 6}, Use::Some},
    {"AffineGrid", all, all, Use::NotFloat32},
    {"Attention", all, {2026, 0}},
    {"BatchNormalization", all, {2026, 3}, Use::Trains},
    {"Bernoulli", all, all},
    {"BitCast", all, all},
    {"BitwiseNot", all, {2023, 3}},
    {"BitwiseOr", all, {2023, 3}},
    {"BitwiseXor", all, {2023, 3}},
    {"CausalConvWithState", all, all},
    {"Celu", all, all, Use::NotFloat32},
    {"CenterCropPad", all, {2023, 3}},
    {"CenterCropPad", all, {2024, 6}, Use::Axes},
    {"Col2Im", all, {2026, 2}},
    {"ConcatFromSequence", all, {2026, 0}},
    {"CumProd", all, all},
    {"DFT", all, all, Use::Float64},
    {"DFT", all, all, Use::OneSided},
    {"DeformConv", all, all},
    {"Det", all, all},
    {"Div", all, all, Use::Bytes},
    {"Dropout", all, all, Use::Trains},
    {"Dropout", {2026, 0}, all, Use::Captured},
    {"Gelu", all, {2023, 3}},
    {"GridSample", all, {2026, 2}, Use::Linear},
    {"GroupNormalization", all, {2023, 3}, Use::EachChannel},
    {"GroupNormalization", {2024, 6}, all},
    {"ImageDecoder", all, all},
    {"LayerNormalization", all, {2023, 3}},
    {"LayerNormalization", all, {2026, 2}, Use::Results},
    {"LinearAttention", all, all},
    {"LpPool", all, {2026, 3}},
    {"MaxRoiPool", all, {2023, 3}},
    {"MaxUnpool", all, all},
    {"MelWeightMatrix", all, all},
    {"Mish", all, {2023, 3}},
    {"Multinomial", all, {2023, 3}},
    {"NegativeLogLikelihoodLoss", all, {2024, 6}},
    {"NegativeLogLikelihoodLoss", {2026, 0}, all, Use::Ignores},
    {"Optional", all, all},
    {"OptionalGetElement", all, all},
    {"OptionalHasElement", all, all},
    {"Pad", all, all, Use::Wraps},
    {"QuantizeLinear", all, {2024, 6}, Use::NoZeroPoint},
    {"QuantizeLinear", all, {2026, 3}, Use::UnnamedZero},
    {"RMSNormalization", all, {2026, 2}},
    {"RegexFullMatch", all, all},
    {"RotaryEmbedding", all, {2026, 2}},
    {"STFT", all, all, Use::OpenStep},
    {"ScatterND", all, {2026, 2}, Use::Reduces},
    {"SequenceAt", all, {2024, 6}},
    {"SequenceConstruct", all, {2026, 0}},
    {"SequenceEmpty", all, {2026, 0}},
    {"SequenceErase", all, {2026, 2}},
    {"SequenceInsert", all, {2026, 0}},
    {"SequenceLength", all, {2026, 2}},
    {"SequenceMap", all, all},
    {"SimplifiedLayerNormalization", all, {2024, 6}}, // which ONNX Runtime puts among those of the standard
    {"SoftmaxCrossEntropyLoss", all, {2024, 6}},
    {"SplitToSequence", all, {2024, 6}},
    {"StringConcat", all, all},
    {"StringNormalizer", all, all},
    {"StringSplit", all, all},
    {"SwiGLU", all, all},
    {"Swish", all, {2026, 3}},
    {"TensorScatter", all, all},
    {"TfIdfVectorizer", all, all},
};
static_assert(std::ranges::is_sorted(standard, {}, &Unread::op));

/// Of the domain ai.onnx.ml.
constexpr Unread classical[] = {
    {"ArrayFeatureExtractor", all, all},
    {"Binarizer", all, all},
    {"CastMap", all, all},
    {"CategoryMapper", all, all},
    {"DictVectorizer", all, all},
    {"FeatureVectorizer", all, all},
    {"Imputer", all, all},
    {"LabelEncoder", all, all},
    {"LinearClassifier", all, all},
    {"LinearRegressor", all, all},
    {"Normalizer", all, {2026, 1}},
    {"OneHotEncoder", all, all},
    {"SVMClassifier", all, all},
    {"SVMRegressor", all, all},
    {"Scaler", all, all},
    {"TreeEnsemble", all, all},
    {"TreeEnsembleClassifier", all, all},
    {"TreeEnsembleRegressor", all, all},
    {"ZipMap", all, all},
};
static_assert(std::ranges::is_sorted(classical, {}, &Unread::op));

/// Those of ONNX Runtime (com.microsoft) that are read, and since when; all others are not. GroupNorm is, but becomes a
/// GroupNormalization, which no branch holds.
struct Read {
  std::string_view op;
  Version from;
};
constexpr Read ofOnnxRuntime[] = {
    {"Attention", all},
    {"BiasAdd", {2025, 4}},
    {"BiasGelu", all},
    {"BifurcationDetector", {2026, 3}},
    {"DequantizeLinear", all},
    {"DynamicQuantizeLSTM", {2026, 3}},
    {"DynamicQuantizeMatMul", {2025, 4}},
    {"EmbedLayerNormalization", all},
    {"FastGelu", {2025, 4}},
    {"FusedConv", all},
    {"FusedGemm", all},
    {"FusedMatMul", {2025, 4}},
    {"GatherBlockQuantized", {2026, 4}},
    {"GatherND", {2024, 6}},
    {"Gelu", {2024, 6}},
    {"GroupQueryAttention", {2025, 4}},
    {"MatMulIntegerToFloat", {2025, 4}},
    {"MatMulNBits", {2024, 6}},
    {"MultiHeadAttention", {2026, 3}},
    {"Pad", {2024, 6}},
    {"QLinearAdd", {2025, 4}},
    {"QLinearAveragePool", {2025, 4}},
    {"QLinearConcat", {2025, 4}},
    {"QLinearLeakyRelu", {2025, 4}},
    {"QLinearMul", {2025, 4}},
    {"QLinearReduceMean", {2025, 4}},
    {"QLinearSigmoid", {2025, 4}},
    {"QLinearSoftmax", {2025, 4}},
    {"QLinearWhere", {2025, 4}},
    {"QuantizeLinear", all},
    {"QuickGelu", {2024, 6}},
    {"Range", {2025, 4}},
    {"RotaryEmbedding", {2025, 4}},
    {"SkipLayerNormalization", all},
    {"SkipSimplifiedLayerNormalization", {2025, 4}},
    {"Trilu", all},
};
static_assert(std::ranges::is_sorted(ofOnnxRuntime, {}, &Read::op));
/// Those of them that are not read in some use.
constexpr Unread usesOfOnnxRuntime[] = {{"GroupQueryAttention", all, {2026, 1}, Use::FewOperands},
                                        {"Pad", all, all, Use::Wraps}};

/// An attribute of one of them that ONNX Runtime lets a node leave out, and OpenVINO, to the version \p until, does
/// not.
struct Demanded {
  std::string_view op, attribute;
  Version until; ///< 0.0: to the last
  std::string_view how, help;
};
constexpr Demanded demandedOfOnnxRuntime[] = {
    {"EmbedLayerNormalization", "epsilon", all, "without epsilon",
     "write epsilon down: 1e-12 is meant where it is left out"},
    {"FusedConv", "activation", {2026, 0}, "without activation", "use Conv of the standard, which computes the same"},
    {"QLinearLeakyRelu", "alpha", all, "without alpha", "write alpha down: 0.01 is meant where it is left out"},
    {"QuickGelu", "alpha", {2026, 0}, "without alpha", "write alpha down: 1.702 is meant where it is left out"},
    {"RotaryEmbedding", "interleaved", all, "without interleaved",
     "write interleaved down: 0 is meant where it is left out"},
    {"SkipLayerNormalization",
     "epsilon",
     {2025, 4},
     "without epsilon",
     "write epsilon down: 1e-12 is meant where it is left out"},
    {"SkipSimplifiedLayerNormalization",
     "epsilon",
     {2026, 0},
     "without epsilon",
     "write epsilon down: 1e-12 is meant where it is left out"},
};
static_assert(std::ranges::is_sorted(demandedOfOnnxRuntime, {}, &Demanded::op));

/// Domains of which it reads no operator.
constexpr std::string_view unreadDomains[] = {"ai.onnx.preview", "ai.onnx.preview.training", "ai.onnx.training",
                                              "com.microsoft.nchwc", "com.ms.internal.nhwc"};
static_assert(std::ranges::is_sorted(unreadDomains));
/// The domain in which what it writes itself stands.
constexpr std::string_view own = "org.openvinotoolkit";

ValueId operandOf(const Model &m, NodeId n, std::size_t i) {
  const auto operands = m.operands(n);
  return i < operands.size() ? operands[i] : ValueId();
}

bool isOfConstant(const Model &m, ValueId v) {
  return v && (m[v].origin == ValueOrigin::Constant || operatorOf(m, v) == "Constant");
}

std::optional<std::int64_t> numberOf(const Model &m, ValueId v) {
  const ContentId content = v ? m[v].content : ContentId();
  return content && m.content(content).size() == 1 && m.content(content)[0].known()
             ? m.dims.asConstant(m.content(content)[0])
             : std::nullopt;
}

/// By an attribute, or, of Dropout from version 12 on, by the third operand, which is false where it is left out.
bool isTraining(const Model &m, NodeId n) {
  if (const Attribute *mode = m.attribute(n, "training_mode"))
    return mode->kind == AttributeKind::Int && mode->number != 0;
  const ValueId mode = m.text(m[m[n].op].name) == "Dropout" ? operandOf(m, n, 2) : ValueId();
  const auto number = numberOf(m, mode);
  return number ? *number != 0 : mode && !isOfConstant(m, mode);
}

bool isUsedSo(const Model &m, NodeId n, Use use) {
  constexpr std::int32_t scalesEachChannel = 21;
  const std::size_t zeroPoint = 2, allOfAttention = 9;
  const std::string_view mode = attributeText(m, n, "mode"), reduction = attributeText(m, n, "reduction");
  const ValueId first = operandOf(m, n, 0);
  const DType type = first ? m.type(first).element : DType::Unknown;
  switch (use) {
  case Use::Any:
  case Use::Some:
    return true;
  case Use::Trains:
    return isTraining(m, n);
  case Use::Captured: {
    const ValueId v = operandOf(m, n, 0);
    return v && m[v].graph != m[n].graph;
  }
  case Use::Reduces:
    return !reduction.empty() && reduction != "none";
  case Use::Results:
    return m.resultCount(n) > 1;
  case Use::NoZeroPoint:
    return !operandOf(m, n, zeroPoint);
  case Use::UnnamedZero:
    return m.operands(n).size() > zeroPoint && !operandOf(m, n, zeroPoint);
  case Use::Ignores:
    return m.attribute(n, "ignore_index") != nullptr;
  case Use::Axes:
    return m.attribute(n, "axes") != nullptr;
  case Use::Linear:
    return mode == "linear";
  case Use::Wraps:
    return mode == "wrap";
  case Use::OpenStep: {
    const ValueId step = operandOf(m, n, 1);
    return !isOfConstant(m, step) && !(step && isDefault(m, step));
  }
  case Use::EachChannel:
    return m[m[n].op].version >= scalesEachChannel;
  case Use::FewOperands:
    return m.operands(n).size() < allOfAttention;
  case Use::NotFloat32:
    return type != DType::Unknown && type != DType::Float32;
  case Use::Float64:
    return type == DType::Float64;
  case Use::OneSided: {
    const Attribute *half = m.attribute(n, "onesided");
    return half != nullptr && half->number != 0;
  }
  case Use::Bytes:
    return type == DType::Int8 || type == DType::UInt8;
  }
  return false;
}

/// What to do so that it is read; each is a model of `tests/oracles/onnx_cases.py`, under `remedy/operator`.
std::string_view helpFor(Use use) {
  switch (use) {
  case Use::Trains:
    return "export the model in evaluation mode";
  case Use::Captured:
    return "leave it out: in evaluation it changes nothing";
  case Use::NoZeroPoint:
  case Use::UnnamedZero:
    return "write the zero point down: 0 of uint8 is meant where it is left out";
  case Use::FewOperands:
    return "name cos_cache and sin_cache as well: without do_rotary they are not read";
  case Use::NotFloat32:
  case Use::Float64:
    return "cast its operand to float32, and the result back";
  case Use::Bytes:
    return "cast its operands to int32, and the result back";
  case Use::Results:
    return "return what is normalised alone, and compute mean and deviation by themselves";
  default:
    return "express it otherwise, or compute it before the model runs";
  }
}

std::string_view spellUse(Use use) {
  switch (use) {
  case Use::Any:
  case Use::Some:
    return {};
  case Use::Trains:
    return "in training mode";
  case Use::Captured:
    return "of a value of the graph around the branch";
  case Use::Reduces:
    return "with a reduction";
  case Use::Results:
    return "with more than one result";
  case Use::NoZeroPoint:
    return "without a zero point";
  case Use::UnnamedZero:
    return "with a zero point that has an empty name";
  case Use::Ignores:
    return "with ignore_index";
  case Use::Axes:
    return "with axes";
  case Use::Linear:
    return "with the mode linear";
  case Use::Wraps:
    return "with the mode wrap";
  case Use::OpenStep:
    return "with a step that is no constant";
  case Use::EachChannel:
    return "from version 21 on";
  case Use::FewOperands:
    return "with fewer than nine operands";
  case Use::NotFloat32:
    return "of another type than float32";
  case Use::Float64:
    return "of float64";
  case Use::OneSided:
    return "with onesided";
  case Use::Bytes:
    return "it rounds quotients of int8 and uint8 where ONNX cuts them off";
  }
  return {};
}

/// The worst of the rows of \p table that speak of \p n.
template <std::size_t Size>
OpenVinoReading readingBy(const Unread (&table)[Size], const Model &m, NodeId n, Version version) {
  OpenVinoReading out;
  const auto rows = std::ranges::equal_range(table, m.text(m[m[n].op].name), {}, &Unread::op);
  for (const Unread &row : rows) {
    if (version < row.from || (row.until != all && version > row.until) || !isUsedSo(m, n, row.use))
      continue;
    if (row.use != Use::Some)
      return {Tri::No, spellUse(row.use), helpFor(row.use), row.use == Use::Bytes};
    out.isRead = Tri::Unknown;
  }
  return out;
}

} // namespace

OpenVinoReading openVinoReading(const Model &m, NodeId n, Version version) {
  const Operator &op = m[m[n].op];
  if (op.dialect != Dialect::Onnx)
    return {};
  const std::string_view name = m.text(op.name), domain = m.text(op.domain);
  if (domain.empty()) {
    const OpenVinoReading reading = readingBy(standard, m, n, version);
    const Tri hasRank = reading.isRead == Tri::Yes ? openVinoFindsRank(m, n, version) : Tri::Yes;
    if (hasRank == Tri::Yes)
      return reading;
    constexpr std::string_view open = "where its axes or sizes are no constants, on which the rank of the result hangs";
    return {hasRank, open, "store them as an initializer, and name the axes of a Squeeze"};
  }
  if (domain == "ai.onnx.ml")
    return readingBy(classical, m, n, version);
  if (domain == "com.microsoft") {
    const auto *row = std::ranges::lower_bound(ofOnnxRuntime, name, {}, &Read::op);
    if (row == std::end(ofOnnxRuntime) || row->op != name || version < row->from)
      return {Tri::No, {}, helpFor(Use::Any)};
    for (const Demanded &d : std::ranges::equal_range(demandedOfOnnxRuntime, name, {}, &Demanded::op))
      if ((d.until == all || version <= d.until) && m.attribute(n, d.attribute) == nullptr)
        return {Tri::No, d.how, d.help};
    return readingBy(usesOfOnnxRuntime, m, n, version);
  }
  if (std::ranges::binary_search(unreadDomains, domain))
    return {Tri::No, {}, helpFor(Use::Any)};
  return {domain == own ? Tri::Yes : Tri::Unknown, {}, {}};
}

} // namespace condlint
