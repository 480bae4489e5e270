//===- ClassicalMl.cpp - Classical machine learning: ai.onnx.ml -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/ClassicalMl.h"
#include "AttributeLists.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "kernels/Classifiers.h"
#include "kernels/Trees.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace condlint {
namespace {

bool listed(InferContext &c, std::string_view name) { return c.hasAttribute(name); }

/// How many entries the list \p name has.
Dim listSize(InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  if (!a || (a->kind != AttributeKind::Ints && a->kind != AttributeKind::Floats && a->kind != AttributeKind::Strings))
    return {};
  return c.constant(a->list.count);
}

/// Rows of the input: [N, C], or [C] for one row.
Dim rowsOf(InferContext &c) {
  const Type &x = c.type(0);
  if (!x.hasRank)
    return {};
  return x.dims.size() == 2 ? x.dims[0] : x.dims.size() == 1 ? c.constant(1) : Dim();
}

void inferLike(InferContext &c) { c.setResult(0, reshapedLike(c, c.type(0).element, c.type(0))); }
void inferFloatLike(InferContext &c) { c.setResult(0, reshapedLike(c, DType::Float32, c.type(0))); }

/// The features of the last axis whose positions the second input lists.
void inferExtract(InferContext &c) {
  const Type &x = c.type(0), &y = c.type(1);
  if (!x.hasRank)
    return c.setResult(0, c.tensor(x.element));
  Dim count;
  if (y.hasRank && y.dims.size() == 1)
    count = y.dims[0];
  else if (y.hasRank && y.dims.size() == 2)
    count = y.dims[1];
  // One row comes out as [1, count] in some runtimes and as [count] in others.
  if (x.dims.size() < 2)
    return c.setResult(0, c.tensor(x.element));
  c.setResult(0, c.tensor(x.element, *batchShape(x, 1, {count})));
}

/// int64 or text by which of the lists is there.
DType labelType(InferContext &c, std::string_view ints, std::string_view strings) {
  if (listed(c, strings) && !c.dims().isConstant(listSize(c, strings), 0))
    return DType::String;
  return listed(c, ints) ? DType::Int64 : DType::Unknown;
}

void setClassifier(InferContext &c, DType label, Dim classes) {
  c.setResult(0, c.tensor(label, {rowsOf(c)}));
  c.setResult(1, c.tensor(DType::Float32, {rowsOf(c), classes}));
}

/// With two classes the scores of one or of both come out, as the weights say.
Dim classScores(InferContext &c, std::string_view ints, std::string_view strings) {
  const Dim n = listed(c, strings) ? listSize(c, strings) : listSize(c, ints);
  const auto count = c.dims().asConstant(n);
  return count && *count > 2 ? n : Dim();
}

void inferLinearClassifier(InferContext &c) {
  admitRank(c, 0, 1, 2, "the input");
  setClassifier(c, labelType(c, "classlabels_ints", "classlabels_strings"),
                classScores(c, "classlabels_ints", "classlabels_strings"));
}
void inferSvmClassifier(InferContext &c) {
  // One class against one yields a score a pair instead of one a class.
  setClassifier(c, labelType(c, "classlabels_ints", "classlabels_strings"), Dim());
}
/// Numbers stand in a list or in a tensor, and not in both.
void expectOneOfEach(InferContext &c) {
  for (const std::string_view name :
       {"base_values", "class_weights", "nodes_hitrates", "nodes_values", "target_weights"})
    if (const std::string tensor = fmt::format("{}_as_tensor", name); c.attribute(name) && c.attribute(tensor))
      return c.reject(fmt::format("{}: '{}' and '{}' are given, and one may be", c.opName(), name, tensor));
}

void inferTreeClassifier(InferContext &c) {
  expectOneOfEach(c);
  setClassifier(c, labelType(c, "classlabels_int64s", "classlabels_strings"),
                classScores(c, "classlabels_int64s", "classlabels_strings"));
}

void setRegressor(InferContext &c, DType element, Dim targets) {
  c.setResult(0, c.tensor(element, {rowsOf(c), targets}));
}
void inferLinearRegressor(InferContext &c) { setRegressor(c, DType::Float32, c.constant(c.intAttr("targets", 1))); }
void inferSvmRegressor(InferContext &c) { setRegressor(c, DType::Float32, c.constant(1)); }
void inferTreeRegressor(InferContext &c) {
  expectOneOfEach(c);
  const auto targets = c.intAttr("n_targets");
  setRegressor(c, DType::Float32, targets ? c.constant(*targets) : Dim());
}
/// Each list of a tree's nodes has an entry for each node, and those of its leaves one for each leaf.
void expectNodes(InferContext &c) {
  const auto count = [&](std::string_view name) { return c.intsAttr(name); };
  const auto targets = count("leaf_targetids");
  const Attribute *splits = c.attribute("nodes_splits");
  const auto nodes = splits ? entriesOf(c.model(), *splits) : std::nullopt;
  for (const std::string_view name :
       {"nodes_falseleafs", "nodes_falsenodeids", "nodes_featureids", "nodes_hitrates",
        "nodes_missing_value_tracks_true", "nodes_modes", "nodes_trueleafs", "nodes_truenodeids"}) {
    const Attribute *list = c.attribute(name);
    const bool isList = list && (list->kind == AttributeKind::Ints || list->kind == AttributeKind::Tensor);
    if (const auto entries = isList ? entriesOf(c.model(), *list) : std::nullopt;
        entries && nodes && *entries != *nodes)
      return c.reject(fmt::format("TreeEnsemble: {} has {} entries for {} nodes", name, *entries, *nodes));
  }
  const Attribute *weights = c.attribute("leaf_weights");
  const auto leaves = weights && weights->kind == AttributeKind::Tensor ? entriesOf(c.model(), *weights) : std::nullopt;
  if (targets && leaves && targets->size() != *leaves)
    c.reject(fmt::format("TreeEnsemble: leaf_targetids has {} entries for {} leaves", targets->size(), *leaves));
}

void inferTreeEnsemble(InferContext &c) {
  admitRank(c, 0, 2, 2, "the input");
  expectNodes(c);
  const auto targets = c.intAttr("n_targets");
  setRegressor(c, c.type(0).element, targets ? c.constant(*targets) : Dim());
}

/// A new last axis with one entry a category.
void inferOneHot(InferContext &c) {
  const bool strings = listed(c, "cats_strings");
  const auto shape = batchShape(c.type(0), 0, {listSize(c, strings ? "cats_strings" : "cats_int64s")});
  c.setResult(0, shape ? c.tensor(DType::Float32, *shape) : c.tensor(DType::Float32));
}

void inferFeatures(InferContext &c) {
  Dim width;
  if (const auto sizes = c.intsAttr("inputdimensions")) {
    width = c.constant(0);
    for (std::int64_t n : *sizes)
      width = c.dims().add(width, c.constant(n));
  }
  c.setResult(0, c.tensor(DType::Float32, {rowsOf(c), width}));
}

/// From version 4 on inference looks for one list of keys and one of values, of as many entries.
void expectMapping(InferContext &c) {
  const Model &m = c.model();
  std::array<std::optional<std::size_t>, 2> entries;
  constexpr std::array<std::string_view, 2> sides{"keys_", "values_"};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    std::size_t given = 0;
    for (const Attribute &a : m.attributes(c.node()))
      if (m.text(a.name).starts_with(sides[side])) {
        ++given;
        entries[side] = entriesOf(m, a);
      }
    if (given != 1)
      return c.reject(
          fmt::format("LabelEncoder: {} of the attributes {}... are given, and one must be", given, sides[side]));
  }
  if (entries[0] && entries[1] && entries[0] != entries[1])
    c.reject(fmt::format("LabelEncoder: there are {} keys and {} values", *entries[0], *entries[1]));
}

/// What the values of the mapping are; version 1 maps between text and int64.
void inferLabels(InferContext &c) {
  if (c.version() >= 4)
    expectMapping(c);
  const Type &x = c.type(0);
  DType element = DType::Unknown;
  if (c.version() == 1 || listed(c, "classes_strings"))
    element = x.element == DType::String ? DType::Int64 : x.element == DType::Int64 ? DType::String : DType::Unknown;
  else if (listed(c, "values_strings"))
    element = DType::String;
  else if (listed(c, "values_int64s"))
    element = DType::Int64;
  else if (listed(c, "values_floats"))
    element = DType::Float32;
  else if (const Attribute *a = c.attribute("values_tensor"); a && a->kind == AttributeKind::Tensor) {
    const Type &values = c.model().types[c.model()[ConstantId(a->list.first)].type];
    element = values.element;
  }
  c.setResult(0, reshapedLike(c, element, x));
}

void inferCategories(InferContext &c) {
  const Type &x = c.type(0);
  const DType element = x.element == DType::String  ? DType::Int64
                        : x.element == DType::Int64 ? DType::String
                                                    : DType::Unknown;
  c.setResult(0, reshapedLike(c, element, x));
}

void inferCastMap(InferContext &c) {
  const std::string_view to = c.stringAttr("cast_to", "TO_FLOAT");
  const DType element = to == "TO_FLOAT"    ? DType::Float32
                        : to == "TO_STRING" ? DType::String
                        : to == "TO_INT64"  ? DType::Int64
                                            : DType::Unknown;
  c.setResult(0, c.tensor(element));
}

/// The type of the map's values; one column an entry of the vocabulary.
void inferDictionary(InferContext &c) {
  const Dim width = listSize(c, listed(c, "string_vocabulary") ? "string_vocabulary" : "int64_vocabulary");
  c.setResult(0, c.tensor(DType::Unknown, {c.constant(1), width}));
}

/// A sequence of maps from label to score.
void inferZipMap(InferContext &c) {
  Type map;
  map.kind = ValueKind::Map;
  c.setResult(0, c.sequenceOf(c.model().types.intern(map)));
}

constexpr OpRow rows[] = {
    {"array_feature_extractor", inferExtract, executeArrayFeatureExtractor, "", "ai.onnx.ml::ArrayFeatureExtractor"},
    {"binarizer", inferLike, executeBinarizer, "", "ai.onnx.ml::Binarizer"},
    {"imputer", inferLike, executeImputer, "", "ai.onnx.ml::Imputer"},
    {"scaler", inferFloatLike, executeScaler, "", "ai.onnx.ml::Scaler"},
    {"normalizer", inferFloatLike, executeNormalizer, "", "ai.onnx.ml::Normalizer"},
    {"linear_classifier", inferLinearClassifier, executeLinearClassifier, "", "ai.onnx.ml::LinearClassifier"},
    {"svm_classifier", inferSvmClassifier, executeSvmClassifier, "", "ai.onnx.ml::SVMClassifier"},
    {"tree_ensemble_classifier", inferTreeClassifier, executeTreeClassifier, "", "ai.onnx.ml::TreeEnsembleClassifier"},
    {"linear_regressor", inferLinearRegressor, executeLinearRegressor, "", "ai.onnx.ml::LinearRegressor"},
    {"svm_regressor", inferSvmRegressor, executeSvmRegressor, "", "ai.onnx.ml::SVMRegressor"},
    {"tree_ensemble_regressor", inferTreeRegressor, executeTreeRegressor, "", "ai.onnx.ml::TreeEnsembleRegressor"},
    {"tree_ensemble", inferTreeEnsemble, executeTreeEnsemble, "", "ai.onnx.ml::TreeEnsemble"},
    {"one_hot_encoder", inferOneHot, executeOneHotEncoder, "", "ai.onnx.ml::OneHotEncoder"},
    {"feature_vectorizer", inferFeatures, nullptr, "", "ai.onnx.ml::FeatureVectorizer"},
    {"label_encoder", inferLabels, executeLabelEncoder, "", "ai.onnx.ml::LabelEncoder"},
    {"category_mapper", inferCategories, nullptr, "", "ai.onnx.ml::CategoryMapper"},
    {"cast_map", inferCastMap, nullptr, "", "ai.onnx.ml::CastMap"},
    {"dict_vectorizer", inferDictionary, nullptr, "", "ai.onnx.ml::DictVectorizer"},
    {"zip_map", inferZipMap, nullptr, "", "ai.onnx.ml::ZipMap"},
};

} // namespace

OpFamily classicalMlFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
