//===- ClassicalMlTest.cpp - Classical machine learning -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

OneNode ml(std::string_view name, std::int32_t version = 1) { return OneNode::onnx(name, version, "ai.onnx.ml"); }

TEST(ClassicalMl, ShapesLikeTheInput) {
  EXPECT_EQ(ml("Binarizer").in(Int64, {5, 10}).run().type(), "int64[5, 10]");
  EXPECT_EQ(ml("Scaler").in(Int64, {5, 10}).run().type(), "float32[5, 10]");
  EXPECT_EQ(ml("Normalizer").in(Type()).run().type(), "float32[...]");
}

TEST(ClassicalMl, ExtractorTakesFeaturesOfTheLastAxis) {
  EXPECT_EQ(ml("ArrayFeatureExtractor").in(Float32, {3, 10}).in(Int64, {1, 2}).run().type(), "float32[3, 2]");
  EXPECT_EQ(ml("ArrayFeatureExtractor").in(Float32, {3, 4, 10}).in(Int64, {2}).run().type(), "float32[3, 4, 2]");
  EXPECT_EQ(ml("ArrayFeatureExtractor").in(Float32, {10}).in(Int64, {2}).run().type(), "float32[...]");
}

TEST(ClassicalMl, ClassifiersYieldLabelsAndScores) {
  OneNode ints = ml("LinearClassifier");
  ints.in(Float32, {5, 10}).ints("classlabels_ints", {1, 2, 3}).run(2);
  EXPECT_EQ(ints.type(0) + ints.type(1), "int64[5]float32[5, 3]");
  OneNode texts = ml("TreeEnsembleClassifier");
  texts.in(Float32, {"n", 10}).strings("classlabels_strings", {"a", "b"}).run(2);
  EXPECT_EQ(texts.type(0) + texts.type(1), "string[n]float32[n, ?]");
}

TEST(ClassicalMl, Regressors) {
  EXPECT_EQ(ml("LinearRegressor").in(Float32, {5, 10}).attr("targets", 2).run().type(), "float32[5, 2]");
  EXPECT_EQ(ml("TreeEnsembleRegressor").in(Float32, {5, 10}).attr("n_targets", 3).run().type(), "float32[5, 3]");
  EXPECT_EQ(ml("TreeEnsemble", 5).in(Float64, {5, 10}).attr("n_targets", 3).run().type(), "float64[5, 3]");
  EXPECT_EQ(ml("SVMRegressor").in(Float32, {5, 10}).run().type(), "float32[5, 1]");
}

TEST(ClassicalMl, EncodersAndMaps) {
  EXPECT_EQ(ml("OneHotEncoder").in(Int64, {5}).ints("cats_int64s", {1, 2, 3}).run().type(), "float32[5, 3]");
  EXPECT_EQ(ml("LabelEncoder").in(Int64, {5}).strings("classes_strings", {"a"}).run().type(), "string[5]");
  EXPECT_EQ(ml("LabelEncoder", 2).in(Int64, {5}).reals("values_floats", {1}).run().type(), "float32[5]");
  EXPECT_EQ(ml("LabelEncoder", 4).in(Int64, {5}).run().type(), "unknown[5]");
  EXPECT_EQ(ml("ZipMap").in(Float32, {5, 3}).run().type(), "sequence<map>");
  EXPECT_EQ(ml("FeatureVectorizer").in(Float32, {5, 3}).ints("inputdimensions", {3, 4}).run().type(), "float32[5, 7]");
}

} // namespace
