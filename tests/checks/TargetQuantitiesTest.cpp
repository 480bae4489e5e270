//===- TargetQuantitiesTest.cpp - What kernels ask of what they are given -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// A node in a branch, with what it is given; whether `operator-type` finds something in it.
struct InBranch {
  std::string parameters;
  int opset = 17;

  bool isRefused(const std::string &op, const std::string &operands, const std::string &attributes = {},
                 const std::string &target = "onnxruntime") const {
    OnnxIf i;
    i.opset = opset;
    i.parameters = value("c", "bool[]") + ", " + parameters;
    i.yes = {"", onnx(op, operands, "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, operands, "b", "", attributes) + ", " + onnx("Identity", R"("b")", "d"), R"("d")"};
    return std::ranges::count(found(i.json(), target), "error operator-type") != 0;
  }
};

TEST(TargetQuantities, ProductsOfIntegersTakeOneNumberOrOneForEachColumn) {
  const auto matrices = [](const std::string &zero, const char *operands) {
    const InBranch n{value("a", "uint8[4, 2]") + ", " + value("b", "uint8[2, 3]") + ", " + value("z", "uint8" + zero) +
                     ", " + value("s", "uint8[]")};
    EXPECT_FALSE(n.isRefused("MatMulInteger", operands, "", "onnx")) << zero;
    return n.isRefused("MatMulInteger", operands);
  };
  for (const char *zero : {"[]", "[1]", "[n]"})
    EXPECT_FALSE(matrices(zero, R"("a", "b", "z", "s")")) << zero;
  for (const char *zero : {"[4]", "[1, 1]", "[0]"})
    EXPECT_TRUE(matrices(zero, R"("a", "b", "z", "s")")) << zero;
  for (const char *zero : {"[]", "[1]", "[3]", "[1, 3]", "[n]"})
    EXPECT_FALSE(matrices(zero, R"("a", "b", "s", "z")")) << zero;
  for (const char *zero : {"[2]", "[4]", "[1, 1]", "[3, 1]", "[0]"})
    EXPECT_TRUE(matrices(zero, R"("a", "b", "s", "z")")) << zero;
}

TEST(TargetQuantities, ConvolutionsOfIntegersTakeOneNumberOrOneForEachFilter) {
  const auto convolution = [](const std::string &type, std::size_t place) {
    const bool isScale = place == 1 || place == 4 || place == 6;
    std::string names;
    for (std::size_t i = 0; i < 8; ++i) {
      const bool isReal = i == 1 || i == 4 || i == 6;
      const char *name = i == place ? "q" : i == 0 ? "x" : i == 3 ? "w" : isReal ? "f" : "z";
      names += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", name);
    }
    const InBranch n{value("x", "uint8[1, 2, 4, 4]") + ", " + value("w", "uint8[3, 2, 2, 2]") + ", " +
                     value("f", "float32[]") + ", " + value("z", "uint8[]") + ", " +
                     value("q", (isScale ? "float32" : "uint8") + type)};
    EXPECT_FALSE(n.isRefused("QLinearConv", names, "", "onnx")) << type << place;
    return n.isRefused("QLinearConv", names);
  };
  for (const std::size_t place : {1u, 2u, 6u, 7u}) {
    EXPECT_FALSE(convolution("[1]", place)) << place;
    EXPECT_TRUE(convolution("[3]", place)) << place;
    EXPECT_TRUE(convolution("[1, 1]", place)) << place;
  }
  for (const std::size_t place : {4u, 5u}) {
    EXPECT_FALSE(convolution("[1]", place)) << place;
    EXPECT_FALSE(convolution("[3]", place)) << place;
    EXPECT_TRUE(convolution("[2]", place)) << place;
    EXPECT_TRUE(convolution("[3, 1]", place)) << place;
  }
}

TEST(TargetQuantities, WhatIsReflectedIsThere) {
  const auto padded = [](const char *type, const char *pads, const char *mode = "reflect") {
    return InBranch{value("x", type), 10}.isRefused(
        "Pad", R"("x")",
        fmt::format(R"({{"name": "pads", "ints": [{}]}}, {{"name": "mode", "string": "{}"}})", pads, mode));
  };
  EXPECT_FALSE(padded("float32[3]", "2, 2"));
  EXPECT_TRUE(padded("float32[3]", "3, 0"));
  EXPECT_TRUE(padded("float32[3]", "-1, 2")) << "two elements are left";
  EXPECT_FALSE(padded("float32[3]", "-1, 1"));
  EXPECT_TRUE(padded("float32[1]", "1, 0"));
  EXPECT_FALSE(padded("float32[1]", "0, 0"));
  EXPECT_FALSE(padded("float32[1]", "9, 9", "edge"));
  EXPECT_FALSE(padded("float32[n]", "9, 9"));
}

TEST(TargetQuantities, ModelsOfTextsAndTreesNeedTheirLists) {
  const InBranch n{value("x", "int64[4]")};
  const auto grams = [&](const std::string &more) {
    return n.isRefused("TfIdfVectorizer", R"("x")",
                       R"({"name": "ngram_counts", "ints": [0, 2]}, {"name": "ngram_indexes", "ints": [0, 1]},
                          {"name": "mode", "string": "TF"}, {"name": "max_skip_count", "int": 0}, )" +
                           more);
  };
  const std::string lengths = R"({"name": "min_gram_length", "int": 1}, {"name": "max_gram_length", "int": 2})";
  const std::string pool = R"(, {"name": "pool_int64s", "ints": [2, 3]})";
  EXPECT_TRUE(grams(lengths));
  EXPECT_FALSE(grams(lengths + pool));
  EXPECT_TRUE(grams(R"({"name": "min_gram_length", "int": 3}, {"name": "max_gram_length", "int": 3})" + pool));
}

TEST(TargetQuantities, NormalizerTakesRowsAndOneRow) {
  for (const auto &[type, isRefused] :
       {std::pair("float32[]", true), {"float32[2]", false}, {"float32[2, 3]", false}, {"float32[2, 3, 4]", true}}) {
    const InBranch n{value("x", type)};
    const std::string norm = R"({"name": "norm", "string": "L1"})";
    EXPECT_EQ(n.isRefused("ai.onnx.ml::Normalizer", R"("x")", norm), isRefused) << type;
    EXPECT_FALSE(n.isRefused("ai.onnx.ml::Normalizer", R"("x")", norm, "onnx")) << type;
  }
}

} // namespace
} // namespace condlint::test
