//===- KernelTest.cpp - What kernels compute ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What kernels compute at the edges of types, and what they refuse as torch and ONNX do.
#include "OneKernel.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

namespace condlint::test {
namespace {

TEST(NegativeIndices, AreRefusedWhereTorchRefusesThem) {
  const Array x = floats("self", {1, 2, 3, 4});
  for (const double last : {-1.0, 3.0}) {
    const Array at = indices("index", {0, last}), source = floats("src", {7, 8});
    const std::string along = R"({"name": "dim", "int": 0}, )" + operand("index");
    const auto gathered = [&](const std::string &op, const std::string &more, std::vector<Array> inputs) {
      return torch(op, operand("self") + ", " + along + more, inputs);
    };
    EXPECT_EQ(refused(gathered("gather.default", "", {x, at})), last < 0);
    EXPECT_EQ(refused(gathered("index_select.default", "", {x, at})), last < 0);
    EXPECT_EQ(refused(gathered("scatter.src", ", " + operand("src"), {x, at, source})), last < 0);
    EXPECT_EQ(refused(gathered("scatter_add.default", ", " + operand("src"), {x, at, source})), last < 0);
    Array other = source;
    other.name = "source";
    EXPECT_EQ(refused(gathered("index_add.default", ", " + operand("source"), {x, at, other})), last < 0);
    EXPECT_EQ(refused(gathered("index_copy.default", ", " + operand("source"), {x, at, other})), last < 0);
    Array weight = array("weight", DType::Float32, {4, 1}, {1, 2, 3, 4}), rows = at;
    rows.name = "indices";
    EXPECT_EQ(refused(torch("embedding.default", operand("weight") + ", " + operand("indices"), {weight, rows})),
              last < 0);
  }
}

TEST(NegativeIndices, CountFromTheEndWhereTheyDo) {
  const Array x = floats("self", {1, 2, 3, 4}), at = indices("index", {0, -1});
  EXPECT_EQ(torch("take.default", operand("self") + ", " + operand("index"), {x, at}), "float32[2]: 1, 4");
  EXPECT_EQ(torch("index.Tensor", operand("self") + R"(, {"name": "indices", "operands": ["index"]})", {x, at}),
            "float32[2]: 1, 4");
  EXPECT_EQ(torch("index_fill.int_Scalar",
                  operand("self") + R"(, {"name": "dim", "int": 0}, )" + operand("index") +
                      R"(, {"name": "value", "int": 9})",
                  {x, at}),
            "float32[4]: 9, 2, 3, 9");
  EXPECT_EQ(onnxNode("Gather", R"("self", "index")", {x, at}), "float32[2]: 1, 4");
  EXPECT_EQ(onnxNode("GatherElements", R"("self", "index")", {x, at}), "float32[2]: 1, 4");
  const auto backwards = [&](double start, double end) {
    return onnxNode("Slice", R"("self", "b", "e", "a", "t")",
                    {x, indices("b", {start}), indices("e", {end}), indices("a", {0}), indices("t", {-1})});
  };
  EXPECT_EQ(backwards(-9, -9), "float32[1]: 1"); // the first element is as far back as a start goes
  EXPECT_EQ(backwards(-2, -9), "float32[3]: 3, 2, 1");
  EXPECT_EQ(backwards(-9, 0), "float32[0]: ");
  EXPECT_EQ(onnxNode("ScatterElements", R"("self", "index", "u")", {x, at, floats("u", {7, 8})}),
            "float32[4]: 7, 2, 3, 8");
}

TEST(ElementTypes, AreRefusedWhereNoKernelOfTorchTakesThem) {
  const Array whole = indices("self", {1, 2, 3}), real = floats("self", {1, 2, 3});
  const std::string dim = operand("self") + R"(, {"name": "dim", "int": 0})";
  for (const char *op : {"softmax.int", "log_softmax.int", "logcumsumexp.default"}) {
    EXPECT_TRUE(refused(torch(op, dim, {whole}))) << op;
    EXPECT_FALSE(refused(torch(op, dim, {real}))) << op;
  }
  // The type that it is to compute in is named.
  EXPECT_FALSE(refused(torch("softmax.int", dim + R"(, {"name": "dtype", "dtype": "float32"})", {whole})));
  const Array yes = array("self", DType::Bool, {2, 2}, {1, 0, 1, 1}),
              other = array("mat2", DType::Bool, {2, 2}, {1, 0, 1, 1});
  EXPECT_TRUE(refused(torch("mm.default", operand("self") + ", " + operand("mat2"), {yes, other})));
  // What type inference refuses is refused here too.
  EXPECT_TRUE(
      refused(torch("masked_fill.Scalar", operand("self") + ", " + operand("mask") + R"(, {"name": "value", "int": 1})",
                    {real, indices("mask", {1, 0, 1})})));
  EXPECT_TRUE(refused(torch("dropout.default",
                            operand("input") + R"(, {"name": "p", "float": 2}, {"name": "train", "bool": false})",
                            {floats("input", {1, 2})})));
}

TEST(Probabilities, LieBetweenZeroAndOne) {
  EXPECT_TRUE(refused(torch("bernoulli.default", operand("self"), {floats("self", {0.5, 1.5})})));
  EXPECT_TRUE(refused(torch("bernoulli.default", operand("self"), {indices("self", {0, 1})})));
  EXPECT_EQ(torch("bernoulli.default", operand("self"), {floats("self", {0, 1})}), "float32[2]: 0, 1");
  EXPECT_EQ(torch("bernoulli.p", operand("self") + R"(, {"name": "p", "float": 1})", {indices("self", {5, 6})}),
            "int64[2]: 1, 1");
  const std::string samples = operand("self") + R"(, {"name": "num_samples", "int": 1})";
  EXPECT_TRUE(refused(torch("multinomial.default", samples, {floats("self", {-1, 2})})));
  EXPECT_EQ(torch("multinomial.default", samples, {floats("self", {0, 2})}), "int64[1]: 1");
  const std::string loss = operand("self") + ", " + operand("target");
  EXPECT_TRUE(refused(torch("binary_cross_entropy.default", loss, {floats("self", {1.5}), floats("target", {1})})));
  EXPECT_TRUE(refused(torch("binary_cross_entropy.default", loss, {floats("self", {0.5}), floats("target", {-1})})));
  EXPECT_EQ(torch("binary_cross_entropy.default", loss, {floats("self", {1}), floats("target", {1})}), "float32[]: 0");
}

TEST(Kernels, OnlyOneKeepsTheAxes) {
  const Array x = floats("self", {1, 2, 3});
  for (const int keep : {1, 0, -9}) {
    const std::string attribute = fmt::format(R"({{"name": "keepdims", "int": {}}})", keep);
    const std::string sizes = keep == 1 ? "[1]" : "[]";
    EXPECT_EQ(onnxNode("ReduceSum", R"("self")", {x}, attribute), "float32" + sizes + ": 6");
    EXPECT_EQ(onnxNode("ArgMax", R"("self")", {x}, attribute), "int64" + sizes + ": 2");
  }
}

TEST(Kernels, ABiasWithoutElementsIsNone) {
  const Array x = floats("x", {-1, 1}), one = floats("s", {1, 1});
  const auto with = [&](const Array &bias) {
    return onnxNode("LayerNormalization", R"("x", "s", "b")", {x, one, bias}, R"({"name": "epsilon", "float": 0})");
  };
  EXPECT_EQ(with(floats("b", {})), "float32[2]: -1, 1");
  EXPECT_EQ(with(floats("b", {2, 3})), "float32[2]: 1, 4");
}

TEST(Kernels, ADeviationIsNotLostInItsVariance) {
  const Array x = array("self", DType::Float16, {2}, {1000, -1000});
  const std::string more = R"(, {"name": "dim", "ints": [0]}, {"name": "correction", "int": 0})";
  EXPECT_EQ(torch("std.correction", operand("self") + more, {x}), "float16[]: 1000");
  EXPECT_EQ(torch("var.correction", operand("self") + more, {x}), "float16[]: inf");
  EXPECT_TRUE(refused(torch("var.correction", operand("self") + more, {indices("self", {1, 2})})));
}

TEST(Kernels, TheSignOfNanIsZeroInTorchAndNanInOnnx) {
  const Array x = floats("self", {std::nan(""), -2, 0});
  EXPECT_EQ(torch("sign.default", operand("self"), {x}), "float32[3]: 0, -1, 0");
  EXPECT_EQ(onnxNode("Sign", R"("self")", {x}), "float32[3]: nan, -1, 0");
}

TEST(Kernels, NanIsEachForItselfInTorchAndAllAlikeInOnnx) {
  const double nan = std::nan("");
  const Array x = floats("self", {nan, 2, nan, 1, 2});
  const std::string three = R"("r", "inverse", "counts")";
  EXPECT_EQ(torch("_unique2.default", operand("self"), {x}, three), "float32[4]: 1, 2, nan, nan");
  EXPECT_EQ(onnxNode("Unique", R"("self")", {x}), "float32[3]: 1, 2, nan");
  EXPECT_EQ(torch("unique_dim.default", operand("self") + R"(, {"name": "dim", "int": 0})", {x}, three),
            "float32[4]: 1, 2, nan, nan");
  EXPECT_TRUE(refused(torch("unique_dim.default", operand("self") + R"(, {"name": "dim", "int": 0})",
                            {array("self", DType::Float32, {}, {1})}, three)));
}

TEST(Kernels, ANumberIsARowOfOne) {
  const auto number = [](const std::string &name, DType t, double v) { return array(name, t, {}, {v}); };
  EXPECT_EQ(torch("cosine_similarity.default", operand("x1") + ", " + operand("x2") + R"(, {"name": "dim", "int": 0})",
                  {number("x1", DType::Float32, 2), number("x2", DType::Float32, -3)}),
            "float32[]: -1");
  const Array score = number("self", DType::Float32, 2), target = number("target", DType::Int64, 0);
  EXPECT_EQ(torch("multi_margin_loss.default", operand("self") + ", " + operand("target"), {score, target}),
            "float32[]: 0");
  EXPECT_TRUE(refused(torch("multi_margin_loss.default", operand("self") + ", " + operand("target"),
                            {score, number("target", DType::Int64, 1)})));
}

TEST(Kernels, UniqueGivesWhatItIsAskedFor) {
  const Array x = floats("self", {3, 1, 3});
  const auto all = [&](const std::string &op, const std::string &more) {
    return computed(R"("dialect": "torch", "version": "2.13")",
                    fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": ["r", "inverse", "counts"]}})", op,
                                operand("self") + more),
                    {x}, R"("inverse", "counts")");
  };
  const std::string inverse = R"(, {"name": "return_inverse", "bool": true})",
                    counts = R"(, {"name": "return_counts", "bool": true})", dim = R"(, {"name": "dim", "int": 0})";
  EXPECT_EQ(all("_unique2.default", ""), "int64[0]: \nint64[0]: ");
  EXPECT_EQ(all("_unique2.default", counts), "int64[0]: \nint64[2]: 1, 2");
  EXPECT_EQ(all("_unique2.default", inverse), "int64[3]: 1, 0, 1\nint64[0]: ");
  EXPECT_EQ(all("unique_consecutive.default", inverse), "int64[3]: 0, 1, 2\nint64[0]: ");
  // Along a dimension torch gives all.
  EXPECT_EQ(all("unique_dim.default", dim), "int64[3]: 1, 0, 1\nint64[2]: 1, 2");
}

TEST(Kernels, HeavisideTakesItsValuesAtZero) {
  EXPECT_EQ(torch("heaviside.default", operand("self") + ", " + operand("values"),
                  {floats("self", {-1, 0, 2}), floats("values", {5, 6, 7})}),
            "float32[3]: 0, 6, 1");
}

TEST(Kernels, TheNextFloatIsThatOfTheElementType) {
  const auto next = [](DType t, double a, double b) {
    return torch("nextafter.default", operand("self") + ", " + operand("other"),
                 {array("self", t, {}, {a}), array("other", t, {}, {b})});
  };
  EXPECT_EQ(next(DType::Float16, 1, 2), "float16[]: 1.0009765625");
  EXPECT_EQ(next(DType::Float16, 1, 0), "float16[]: 0.99951171875");
  EXPECT_EQ(next(DType::Float16, -65504, -INFINITY), "float16[]: -inf");
  EXPECT_EQ(next(DType::Float16, INFINITY, 0), "float16[]: 65504");
  EXPECT_EQ(next(DType::Float16, 0, -1), "float16[]: -5.960464477539063e-08");
  EXPECT_EQ(next(DType::BFloat16, 1, 2), "bfloat16[]: 1.0078125");
  EXPECT_EQ(next(DType::Float64, 1, 1), "float64[]: 1");
}

TEST(Kernels, WhatTorchDoesNotDefineIsRefused) {
  const Array yes = array("self", DType::Bool, {2}, {1, 0}), none = array("self", DType::Float32, {0}, {});
  for (const char *op : {"neg.default", "relu.default", "argmax.default"})
    EXPECT_TRUE(refused(torch(op, operand("self"), {yes}))) << op;
  EXPECT_TRUE(refused(torch("sub.Tensor", operand("self") + R"(, {"name": "other", "operand": "self"})", {yes})));
  EXPECT_TRUE(refused(torch("amax.default", operand("self") + R"(, {"name": "dim", "ints": [0]})", {none})));
  const Array mask = floats("mask", {1, 0}), x = floats("self", {1, 2});
  EXPECT_TRUE(refused(torch("masked_fill.Scalar",
                            operand("self") + ", " + operand("mask") + R"(, {"name": "value", "int": 1})", {x, mask})));
}

/// A tensor of rank 0.
Array point(const std::string &name, DType t = DType::Float32) { return array(name, t, {}, {5}); }
std::string number(const std::string &name, std::int64_t n) {
  return fmt::format(R"(, {{"name": "{}", "int": {}}})", name, n);
}
std::string numbers(const std::string &name, const std::vector<std::int64_t> &list) {
  return fmt::format(R"(, {{"name": "{}", "ints": [{}]}})", name, fmt::join(list, ", "));
}
constexpr std::int64_t huge = std::int64_t{1} << 62;

TEST(HostileOperands, AnAxisOfRankZeroIsThatOfOneElementAsInTorch) {
  const Array x = point("self");
  EXPECT_EQ(torch("movedim.int", operand("self") + number("source", 0) + number("destination", -1), {x}),
            "float32[]: 5");
  EXPECT_EQ(torch("_safe_softmax.default", operand("self") + number("dim", 0), {x}), "float32[]: 1");
  EXPECT_EQ(torch("repeat_interleave.self_int", operand("self") + number("repeats", 1) + number("dim", 0), {x}),
            "float32[]: 5");
  EXPECT_EQ(torch("take_along_dim.default", operand("self") + ", " + operand("indices") + number("dim", 0),
                  {x, array("indices", DType::Int64, {}, {0})}),
            "float32[]: 5");
  EXPECT_EQ(onnxNode("ArgMax", R"("self")", {x}), "int64[]: 0");
  EXPECT_EQ(onnxNode("Hardmax", R"("self")", {x}), "float32[]: 1");
}

TEST(HostileOperands, AnAxisOfRankZeroThatTorchDoesNotKnowIsRefused) {
  const Array x = point("self");
  const auto fails = [&](const std::string &op, const std::string &more, std::vector<Array> others = {}) {
    others.insert(others.begin(), x);
    return refused(torch(op, operand("self") + more, others));
  };
  EXPECT_TRUE(fails("unflatten.int", number("dim", 0) + numbers("sizes", {1, 1})));
  EXPECT_TRUE(fails("repeat_interleave.self_int", number("repeats", 3) + number("dim", 0)));
  EXPECT_TRUE(fails("slice_scatter.default", ", " + operand("src"), {point("src")}));
  EXPECT_TRUE(fails("diagonal_scatter.default", ", " + operand("src"), {floats("src", {1})}));
  EXPECT_TRUE(fails("fake_quantize_per_channel_affine.default",
                    ", " + operand("scale") + ", " + operand("zero_point") + number("axis", 0) +
                        number("quant_min", 0) + number("quant_max", 255),
                    {floats("scale", {1, 2}), array("zero_point", DType::Int32, {2}, {0, 0})}));
  EXPECT_TRUE(refused(onnxNode("Gather", R"("self", "i")", {x, indices("i", {0})})));
  EXPECT_TRUE(refused(onnxNode("Pad", R"("self", "p", null, "a")", {x, indices("p", {1, 1}), indices("a", {0})})));
  EXPECT_TRUE(refused(onnxNode("Slice", R"("self", "b", "e")", {x, indices("b", {0}), indices("e", {1})})));
}

TEST(HostileOperands, NumbersWithoutMeasureAreRefusedBeforeAnythingIsMadeOfThem) {
  const Array x = array("self", DType::Float32, {1, 4}, {1, 2, 3, 4});
  const auto fails = [&](const std::string &op, const std::string &more) {
    return refused(torch(op, operand("self") + more, {x}));
  };
  EXPECT_TRUE(fails("expand.default", numbers("size", {huge, huge, 1, 4})));
  EXPECT_TRUE(fails("expand.default", numbers("size", {-1, 1, 4})));
  EXPECT_TRUE(fails("repeat.default", numbers("repeats", {huge, huge})));
  EXPECT_TRUE(fails("chunk.default", number("chunks", huge) + number("dim", 1)));
  EXPECT_TRUE(fails("tensor_split.sections", number("sections", huge) + number("dim", 1)));
  EXPECT_TRUE(fails("repeat_interleave.self_int", number("repeats", huge)));
  EXPECT_TRUE(fails("constant_pad_nd.default", numbers("pad", {huge, huge})));
  EXPECT_TRUE(fails("diag_embed.default", number("offset", -huge - huge)));
  EXPECT_TRUE(fails("max_pool1d.default", numbers("kernel_size", {2}) + numbers("dilation", {huge})));
  EXPECT_TRUE(fails("_upsample_bilinear2d_aa.default", numbers("output_size", {2, 2})));
  EXPECT_TRUE(refused(
      torch("tril_indices.default", R"({"name": "row", "int": 4611686018427387904})" + number("col", huge), {})));
  const Array image = array("self", DType::Float32, {1, 1, 1, 1}, {1});
  EXPECT_TRUE(
      refused(onnxNode("DepthToSpace", R"("self")", {image}, R"({"name": "blocksize", "int": 4611686018427387904})")));
  EXPECT_TRUE(refused(onnxNode("Expand", R"("self", "s")", {image, array("s", DType::Int64, {1}, {9e18})})));
  EXPECT_TRUE(refused(onnxNode("Resize", R"("self", null, "s")", {image, floats("s", {1, 1, INFINITY, 1})})));
  EXPECT_TRUE(refused(onnxNode("RoiAlign", R"("self", "r", "b")",
                               {image, array("r", DType::Float32, {1, 4}, {0, 0, 1e30, 1e30}), indices("b", {0})})));
}

TEST(HostileOperands, AStepBeyondTheAxisIsOne) {
  const Array x = floats("self", {1, 2, 3});
  EXPECT_EQ(torch("slice.Tensor", operand("self") + number("start", 1) + number("step", INT64_MAX), {x}),
            "float32[1]: 2");
  EXPECT_EQ(
      torch("unfold.default", operand("self") + number("dimension", 0) + number("size", 3) + number("step", huge), {x}),
      "float32[1, 3]: 1, 2, 3");
}

TEST(Kernel, ANumberIsCastToTheIntegersItMeets) {
  const auto of = [](const char *op, int n, DType t = DType::UInt8, const std::string &name = "other") {
    return torch(op, operand("self") + fmt::format(R"(, {{"name": "{}", "int": {}}})", name, n),
                 {array("self", t, {2}, {5, 100})});
  };
  EXPECT_EQ(of("remainder.Scalar", -3), "uint8[2]: 5, 100");
  EXPECT_EQ(of("remainder.Scalar", -3, DType::Int8), "int8[2]: -1, -2");
  EXPECT_EQ(of("fmod.Scalar", 300), "uint8[2]: 5, 12");
  EXPECT_EQ(of("floor_divide.Scalar", -3), "uint8[2]: 0, 0");
  EXPECT_EQ(of("floor_divide.Scalar", -3, DType::Int32), "int32[2]: -2, -34");
  EXPECT_EQ(of("lt.Scalar", -3), "bool[2]: 1, 1");
  EXPECT_EQ(of("lt.Scalar", -3, DType::Int16), "bool[2]: 0, 0");
  EXPECT_EQ(of("clamp_min.default", -2, DType::UInt8, "min"), "uint8[2]: 254, 254");
  EXPECT_EQ(of("clamp_min.default", -2, DType::Int8, "min"), "int8[2]: 5, 100");
  EXPECT_TRUE(refused(of("clamp_min.default", 300, DType::UInt8, "min")));
  EXPECT_TRUE(refused(of("remainder.Scalar", 256)));
  EXPECT_EQ(torch("remainder.Tensor", operand("self") + ", " + operand("other"),
                  {array("self", DType::UInt8, {2}, {5, 100}), array("other", DType::Int64, {}, {-3})}),
            "uint8[2]: 5, 100");
}

TEST(Kernel, APowerOfAHalfIsARoot) {
  const auto of = [](DType t, double exponent) {
    return torch("pow.Tensor_Scalar",
                 operand("self") + fmt::format(R"(, {{"name": "exponent", "float": {}}})", exponent),
                 {array("self", t, {2}, {-HUGE_VAL, 4})});
  };
  EXPECT_NE(of(DType::Float32, 0.5).find("nan, 2"), std::string::npos);
  EXPECT_NE(of(DType::Float64, -0.5).find("nan, 0.5"), std::string::npos);
  EXPECT_EQ(of(DType::Float16, 0.5), "float16[2]: inf, 2");
  EXPECT_EQ(of(DType::Float32, 0.25).substr(0, 15), "float32[2]: inf");
}

TEST(Kernel, GelusOfOnnxRuntime) {
  const auto of = [](const char *op, const std::string &operands, const std::string &attributes = {}) {
    return computed(
        R"("dialect": "onnx", "opsets": {"": 20, "com.microsoft": 1})",
        fmt::format(
            R"({{"op": {{"name": "{}", "domain": "com.microsoft"}}, "operands": [{}], "attributes": [{}], "results": ["r"]}})",
            op, operands, attributes),
        {floats("x", {-1, 2}), floats("b", {1, -2}), floats("z", {1, 2, 3})});
  };
  EXPECT_EQ(of("BiasGelu", R"("x", "b")"), "float32[2]: 0, 0");
  EXPECT_EQ(of("FastGelu", R"("x", "b")"), "float32[2]: 0, 0");
  EXPECT_EQ(of("FastGelu", R"("x")").substr(0, 19), "float32[2]: -0.1588");
  EXPECT_EQ(of("QuickGelu", R"("x")").substr(0, 21), "float32[2]: -0.154204");
  EXPECT_EQ(of("QuickGelu", R"("x")", R"({"name": "alpha", "float": 0})"), "float32[2]: -0.5, 1");
  EXPECT_TRUE(refused(of("BiasGelu", R"("x", "z")")));
}

TEST(Kernel, TheLargestAndTheLeastOfNoNumbers) {
  const auto of = [](const char *op, DType dtype) { return onnxNode(op, R"("x")", {array("x", dtype, {0}, {})}); };
  EXPECT_EQ(of("ReduceMax", DType::Int32), "int32[1]: -2147483648");
  EXPECT_EQ(of("ReduceMin", DType::Int32), "int32[1]: 2147483647");
  EXPECT_EQ(of("ReduceMax", DType::Int8), "int8[1]: -128");
  EXPECT_EQ(of("ReduceMin", DType::UInt8), "uint8[1]: 255");
}

TEST(Kernel, NaNIsBehindAllThatIsSorted) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto place = [&](const std::vector<double> &sorted, double of) {
    return torch("searchsorted.Tensor", operand("sorted_sequence") + ", " + operand("self"),
                 {floats("sorted_sequence", sorted), floats("self", {of})});
  };
  EXPECT_EQ(place({1, 2, 3}, nan), "int64[1]: 3");
  EXPECT_EQ(place({1, 2, nan}, nan), "int64[1]: 2");
  EXPECT_EQ(place({1, 2, nan}, 9), "int64[1]: 2");
}

TEST(Kernel, WhichBagAnIndexIsOfIsNotAskedOfSums) {
  const auto bags = [](const std::string &more, DType dtype = DType::Float32) {
    return torch("_embedding_bag.default",
                 operand("weight") + ", " + operand("indices") + ", " + operand("offsets") + more,
                 {array("weight", dtype, {2, 1}, {1, 2}), indices("indices", {0, 1, 1}), indices("offsets", {0, 1})},
                 R"("y", "r", "s", "m")");
  };
  EXPECT_NE(bags("").find("int64[0]"), std::string::npos) << bags("");
  for (const std::string &other : {bags(R"(, {"name": "mode", "int": 1})"),
                                   bags(R"(, {"name": "padding_idx", "int": 0})"), bags("", DType::Float64)})
    EXPECT_NE(other.find("int64[3]: 0, 1, 1"), std::string::npos) << other;
}

TEST(HostileOperands, ListsAndTensorsThatDoNotFitEachOther) {
  const Array x = array("self", DType::Float32, {2, 2}, {1, 2, 3, 4});
  EXPECT_TRUE(refused(torch("take_along_dim.default", operand("self") + ", " + operand("indices") + number("dim", 1),
                            {x, indices("indices", {0, 1})})));
  EXPECT_TRUE(refused(
      torch("movedim.intlist", operand("self") + numbers("source", {0, 0}) + numbers("destination", {0, 1}), {x})));
  EXPECT_TRUE(
      refused(torch("_embedding_bag.default",
                    R"({"name": "weight", "operand": "self"}, )" + operand("indices") + ", " + operand("offsets") +
                        ", " + operand("per_sample_weights"),
                    {x, indices("indices", {0, 1}), indices("offsets", {0}), floats("per_sample_weights", {1})})));
  const auto put = [&](std::vector<double> values) {
    return refused(torch("put.default", operand("self") + ", " + operand("index") + ", " + operand("source"),
                         {x, indices("index", {0, 3}), floats("source", std::move(values))}));
  };
  EXPECT_FALSE(put({5, 6}));
  EXPECT_TRUE(put({5}));
  EXPECT_TRUE(refused(
      onnxNode("MaxUnpool", R"("self", "i")", {x, indices("i", {0})}, R"({"name": "kernel_shape", "ints": [2]})")));
  const Array line = array("self", DType::Float32, {1, 1, 1}, {1});
  for (const double place : {4.0, 1e15, -1.0})
    EXPECT_TRUE(refused(onnxNode("MaxUnpool", R"("self", "i", "shape")",
                                 {line, array("i", DType::Int64, {1, 1, 1}, {place}), indices("shape", {1, 1, 8})},
                                 R"({"name": "kernel_shape", "ints": [2]})")))
        << place;
}

TEST(HostileOperands, StatesWeightsAndGradientsThatDoNotFit) {
  const Array x = array("x", DType::Float32, {1, 1, 2}, {1, 2}), w = array("w", DType::Float32, {1, 1, 2}, {1, 1}),
              r = array("r", DType::Float32, {1, 1, 1}, {1});
  EXPECT_TRUE(refused(
      onnxNode("RNN", R"("x", "w", "r", null, null, "h")", {x, w, r, array("h", DType::Float32, {0, 1, 1}, {})})));
  EXPECT_TRUE(refused(onnxNode("RNN", R"("x", "w", "r")", {point("x"), w, r}, R"({"name": "layout", "int": 1})")));
  EXPECT_TRUE(refused(
      torch("gru_cell.default",
            operand("input") + ", " + R"({"name": "hx", "operand": "hx"}, )" + operand("w_ih") + ", " + operand("w_hh"),
            {array("input", DType::Float32, {2, 1}, {1, 2}), array("hx", DType::Float32, {1, 1}, {0}),
             array("w_ih", DType::Float32, {3, 1}, {1, 1, 1}), array("w_hh", DType::Float32, {3, 1}, {1, 1, 1})})));
  EXPECT_TRUE(refused(torch("avg_pool2d_backward.default",
                            operand("grad_output") + ", " + operand("self") + numbers("kernel_size", {1, 1}),
                            {array("grad_output", DType::Float32, {1, 1, 1, 1}, {1}),
                             array("self", DType::Float32, {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})})));
  EXPECT_TRUE(refused(
      torch("embedding_dense_backward.default",
            operand("grad_output") + ", " + operand("indices") + number("num_weights", 2) + number("padding_idx", -1),
            {array("grad_output", DType::Float32, {1, 1}, {1}), indices("indices", {0, 1})})));
  EXPECT_TRUE(refused(onnxNode(
      "Conv", R"("x", "k")",
      {array("x", DType::Float32, {1, 2, 3}, {1, 2, 3, 4, 5, 6}), array("k", DType::Float32, {2, 1, 1}, {1, 1})},
      R"({"name": "kernel_shape", "ints": [3]}, {"name": "group", "int": 2})")));
  EXPECT_TRUE(refused(onnxNode(
      "ConvInteger", R"("x", "k", null, "z")",
      {array("x", DType::UInt8, {1, 1, 2}, {1, 2}), point("k", DType::UInt8), array("z", DType::UInt8, {2}, {1, 1})})));
  EXPECT_TRUE(refused(onnxNode("RotaryEmbedding", R"("x", "k", "k")", {point("x"), floats("k", {1, 2})})));
  EXPECT_TRUE(refused(torch("conv_tbc.default", operand("self") + ", " + operand("weight"),
                            {floats("self", {1, 2}), floats("weight", {1, 2})})));
}

TEST(Kernels, ATransformOfALargePrimeLength) {
  constexpr std::size_t length = 1031;
  std::vector<double> signal(length);
  signal[1] = 1;
  const std::string spectrum = onnxNode("DFT", R"("self")", {array("self", DType::Float64, {1, length, 1}, signal)},
                                        R"({"name": "axis", "int": 1})");
  ASSERT_TRUE(spectrum.starts_with("float64[1, 1031, 2]: ")) << spectrum.substr(0, 80);
  std::istringstream values(spectrum.substr(spectrum.find(':') + 1));
  double value = 0;
  char comma = 0;
  for (std::size_t i = 0; i < 2 * length; ++i) {
    ASSERT_TRUE(values >> value);
    values >> comma;
    const double angle = -2 * 3.14159265358979323846 * static_cast<double>(i / 2) / static_cast<double>(length);
    EXPECT_NEAR(value, i % 2 == 0 ? std::cos(angle) : std::sin(angle), 1e-9);
  }
}

TEST(Kernels, RowsOfAnEmbeddingThatAreTooLong) {
  const Array self = array("self", DType::Float32, {2, 2}, {3, 4, 6, 8}), at = indices("indices", {0, 0});
  const auto shortened = [&](const std::string &op, const Array &places, double most) {
    return torch(
        op,
        operand("self") + ", " + operand("indices") +
            fmt::format(R"(, {{"name": "max_norm", "float": {}}}, {{"name": "norm_type", "float": 2.0}})", most),
        {self, places});
  };
  for (const char *op : {"embedding_renorm.default", "embedding_renorm_.default"}) {
    EXPECT_EQ(shortened(op, at, 5.5), "float32[2, 2]: 3, 4, 6, 8");
    EXPECT_EQ(shortened(op, at, 2.5), "float32[2, 2]: 1.5, 2, 6, 8"); // the row that is named, once
    EXPECT_TRUE(refused(shortened(op, indices("indices", {2}), 2.5)));
  }
  EXPECT_EQ(torch("_is_all_true.default", operand("self"), {array("self", DType::Bool, {2, 1}, {1, 0})}), "bool[]: 0");
  EXPECT_EQ(torch("_is_any_true.default", operand("self"), {array("self", DType::Bool, {2, 1}, {1, 0})}), "bool[]: 1");
}

TEST(Kernels, SoftmaxOfMoreThanAreComparedAtOnce) {
  const auto softmax = [](std::vector<double> x) {
    return torch("_softmax.default",
                 operand("self") + R"(, {"name": "dim", "int": 0}, {"name": "half_to_float", "bool": false})",
                 {floats("self", x)});
  };
  std::vector<double> x(9, -HUGE_VAL);
  x[8] = 200; // behind those that are compared at once
  EXPECT_EQ(softmax(x), "float32[9]: 0, 0, 0, 0, 0, 0, 0, 0, 1");
  x = {0, 0, 0, 0, 200, 0, 0, 0, 0};
  EXPECT_EQ(softmax(x), "float32[9]: 0, 0, 0, 0, 1, 0, 0, 0, 0");
  x[1] = std::nan("");
  EXPECT_EQ(softmax(x), "float32[9]: nan, nan, nan, nan, nan, nan, nan, nan, nan");
}

TEST(Kernels, TensorsPutTogetherOfOthers) {
  const Array a = floats("a", {1, 2}), b = floats("b", {3});
  const auto of = [&](const std::string &op, const std::string &list, const std::string &more = {}) {
    return torch(op, fmt::format(R"({{"name": "{}", "operands": ["a", "b"]}}{})", list, more), {a, b});
  };
  EXPECT_EQ(of("block_diag.default", "tensors"), "float32[2, 3]: 1, 2, 0, 0, 0, 3");
  EXPECT_EQ(of("cartesian_prod.default", "tensors"), "float32[2, 2]: 1, 3, 2, 3");
  EXPECT_EQ(of("pad_sequence.default", "sequences", R"(, {"name": "padding_value", "float": 9.0})"),
            "float32[2, 2]: 1, 3, 2, 9");
  EXPECT_EQ(of("pad_sequence.default", "sequences",
               R"(, {"name": "batch_first", "bool": true}, {"name": "padding_side", "string": "left"})"),
            "float32[2, 2]: 1, 2, 0, 3");
  const Array self = floats("self", {1, 2, 3});
  EXPECT_EQ(torch("combinations.default", operand("self"), {self}), "float32[3, 2]: 1, 2, 1, 3, 2, 3");
  EXPECT_EQ(
      torch("combinations.default", operand("self") + R"(, {"name": "with_replacement", "bool": true})", {b, self}),
      "float32[6, 2]: 1, 1, 1, 2, 1, 3, 2, 2, 2, 3, 3, 3");
  EXPECT_EQ(torch("combinations.default", operand("self") + R"(, {"name": "r", "int": 4})", {self}), "float32[0, 4]: ");
  EXPECT_TRUE(refused(torch("combinations.default", operand("self") + R"(, {"name": "r", "int": -1})", {self})));
  EXPECT_EQ(torch("diagflat.default", operand("self") + R"(, {"name": "offset", "int": -1})", {floats("self", {5})}),
            "float32[2, 2]: 0, 0, 5, 0");
}

TEST(Kernels, OperandsOfOtherRanksAreRefused) {
  const Array one = array("self", DType::Float32, {}, {1}), vector = floats("vec2", {1, 2});
  const std::string outer = operand("self") + ", " + operand("vec1") + ", " + operand("vec2");
  EXPECT_EQ(torch("addr.default", outer, {one, floats("vec1", {3}), vector}), "float32[1, 2]: 4, 7");
  EXPECT_TRUE(refused(torch("addr.default", outer, {one, array("vec1", DType::Float32, {}, {3}), vector})));
  const Array wide = array("self", DType::Float32, {1, 1, 1}, {1}), number = array("source", DType::Float32, {}, {2});
  const std::string slices =
      operand("self") + R"(, {"name": "dim", "int": 0}, )" + operand("index") + ", " + operand("source");
  EXPECT_TRUE(refused(torch("index_add.default", slices, {wide, indices("index", {0}), number})));
  EXPECT_EQ(torch("index_add.default", slices, {floats("self", {1}), indices("index", {0}), floats("source", {2})}),
            "float32[1]: 3");
}

TEST(Kernels, SimilarityCovarianceAndIntegrals) {
  const Array x = array("x1", DType::Float32, {2, 2}, {4, 0, 0, 0}),
              y = array("x2", DType::Float32, {2, 2}, {3, 4, 1, 0});
  EXPECT_EQ(torch("cosine_similarity.default", operand("x1") + ", " + operand("x2"), {x, y}),
            "float32[2]: 0.6000000238418579, 0");
  EXPECT_EQ(torch("pairwise_distance.default",
                  operand("x1") + ", " + operand("x2") + R"(, {"name": "eps", "float": 0.0})",
                  {floats("x1", {3, 4}), floats("x2", {0, 0})}),
            "float32[]: 5");
  EXPECT_EQ(torch("cov.default", operand("self"), {array("self", DType::Float32, {2, 2}, {1, 3, 2, 8})}),
            "float32[2, 2]: 2, 6, 6, 18");
  EXPECT_EQ(torch("corrcoef.default", operand("self"), {array("self", DType::Int64, {2, 2}, {1, 3, 8, 2})}),
            "float32[2, 2]: 1, -1, -1, 1");
  EXPECT_TRUE(refused(torch("cov.default", operand("self"), {array("self", DType::Float32, {1, 1, 2}, {1, 3})})));
  EXPECT_EQ(torch("trapezoid.x", operand("y") + ", " + operand("x"), {floats("y", {1, 2, 3}), floats("x", {0, 1, 3})}),
            "float32[]: 6.5");
  EXPECT_EQ(torch("cumulative_trapezoid.dx", operand("y"), {floats("y", {1, 2, 3})}), "float32[2]: 1.5, 4");
  EXPECT_EQ(torch("cross.default", operand("self") + ", " + operand("other"),
                  {floats("self", {1, 0, 0}), floats("other", {0, 1, 0})}),
            "float32[3]: 0, 0, 1");
}

// The distances from the mean count, whatever their direction.
TEST(Kernels, VariancesOfComplexNumbersAreReal) {
  const Array z = array("self", DType::Complex64, {3}, {1, 3, 2});
  const std::string dim = operand("self") + R"(, {"name": "dim", "ints": [0]})";
  EXPECT_EQ(torch("var.correction", dim, {z}), "float32[]: 1");
  EXPECT_EQ(torch("std.correction", dim + R"(, {"name": "correction", "int": 0}, {"name": "keepdim", "bool": true})",
                  {array("self", DType::Complex128, {2}, {1, 3})}),
            "float64[1]: 1");
}

TEST(Kernels, AWindowLargerThanWhatItIsMovedOverCountsOnceInOnnx) {
  const Array one = array("self", DType::Float32, {1, 1, 1}, {7}),
              two = array("self", DType::Float32, {1, 1, 2}, {3, 7});
  const std::string kernel = R"({"name": "kernel_shape", "ints": [2]})",
                    strides = R"(, {"name": "strides", "ints": [2]})";
  EXPECT_EQ(onnxNode("MaxPool", R"("self")", {one}, kernel + strides), "float32[1, 1, 1]: 7");
  EXPECT_EQ(onnxNode("MaxPool", R"("self")", {two}, kernel + strides), "float32[1, 1, 1]: 7");
  EXPECT_EQ(onnxNode("MaxPool", R"("self")", {one}, kernel), "float32[1, 1, 0]: ");
  EXPECT_TRUE(
      refused(torch("max_pool1d.default", operand("self") + R"(, {"name": "kernel_size", "ints": [2]})", {one})));
}

TEST(Kernels, FramesOfASignalAndBack) {
  const auto number = [](const std::string &name, int v) {
    return fmt::format(R"(, {{"name": "{}", "int": {}}})", name, v);
  };
  const std::string flags = R"(, {"name": "return_complex", "bool": false})";
  EXPECT_EQ(torch("stft.default", operand("self") + number("n_fft", 1) + number("hop_length", 2) + flags,
                  {floats("self", {1, 2, 5, 3})}),
            "float32[1, 2, 2]: 1, 0, 5, 0");
  EXPECT_TRUE(refused(torch("stft.default", operand("self") + number("n_fft", 8) + flags, {floats("self", {1, 2})})));
  EXPECT_TRUE(refused(torch("stft.default", operand("self") + number("n_fft", 0) + flags, {floats("self", {1, 2})})));
  EXPECT_EQ(
      torch("istft.default",
            operand("self") + number("n_fft", 2) + number("hop_length", 2) + R"(, {"name": "center", "bool": false})",
            {array("self", DType::Complex64, {2, 2}, {3, 8, -1, 2})}),
      "float32[4]: 1, 2, 5, 3");
}

TEST(HostileOperands, WhatIsEmptyOrLongerThanTheSignalTakesNoTime) {
  EXPECT_EQ(
      torch("tril_indices.default", R"({"name": "row", "int": 4611686018427387904}, {"name": "col", "int": 0})", {}),
      "int64[2, 0]: ");
  const auto grams = [](const std::string &shortest, const std::string &longest, const std::string &skips) {
    return onnxNode("TfIdfVectorizer", R"("x")", {indices("x", {7, 8, 7, 8})},
                    fmt::format(R"({{"name": "min_gram_length", "int": {}}}, {{"name": "max_gram_length", "int": {}}},
        {{"name": "max_skip_count", "int": {}}}, {{"name": "mode", "string": "TF"}},
        {{"name": "ngram_counts", "ints": [0, 1]}}, {{"name": "ngram_indexes", "ints": [0, 1]}},
        {{"name": "pool_int64s", "ints": [7, 7, 8]}})",
                                shortest, longest, skips));
  };
  EXPECT_EQ(grams("1", "2", "0"), "float32[2]: 2, 2");
  EXPECT_EQ(grams("-9223372036854775808", "9223372036854775807", "4611686018427387904"), "float32[2]: 2, 3");
}

TEST(Refused, WhatInferenceRefusesDoesNotRun) {
  OnnxIf m;
  m.yes.nodes = onnx("Not", R"("x")", "a");
  auto read = readJson(FileBytes::copy(m.json()), "test.json");
  ASSERT_TRUE(read);
  ExecutorOptions options = onTestDevice();
  options.refused = inferTypes(read->front()).invalid;
  ASSERT_EQ(options.refused.size(), 1U);
  // ONNX is well-typed before anything runs.
  const auto taken = Executor::create(read->front(), options, openConstants);
  ASSERT_FALSE(taken);
  EXPECT_TRUE(taken.error().place.starts_with("main/If_0/then_branch/"));
  options.bothBranches = true;
  auto both = Executor::create(read->front(), options, openConstants);
  ASSERT_TRUE(both);
  auto inputs = (*both)->bind(std::vector<Array>{truth("c", false), floats("x", {1, 2, 3, 4})});
  ASSERT_TRUE(inputs);
  EXPECT_TRUE((*both)->run(*inputs));
  ASSERT_EQ((*both)->conditionals().size(), 1U);
  EXPECT_FALSE((*both)->conditionals()[0].ran[0]);
  EXPECT_TRUE((*both)->conditionals()[0].ran[1]);
}

TEST(Refused, AResultThatNothingDefines) {
  TorchCond c = soundCond();
  c.results = R"({"undefined": "nowhere"})";
  Session s(c.json());
  EXPECT_NE(s.run({truth("p", true), floats("x", {1, 2, 3, 4})}).find("main: returns 'nowhere', which nothing defines"),
            std::string::npos);
}

/// What the two systems make of numbers at the edges of a type and beside it.
TEST(Kernels, ActivationsAtTheEdges) {
  const std::vector<Array> far{floats("self", {3e38, 4})}, x{floats("x", {3e38, 4})};
  EXPECT_EQ(torch("hardswish.default", operand("self"), far), "float32[2]: inf, 4");
  EXPECT_EQ(onnxNode("HardSwish", R"("x")", x), "float32[2]: 3.0000000054977558e+38, 4");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(onnxNode("ThresholdedRelu", R"("x")", {floats("x", {nan, 2})}), "float32[2]: 0, 2");
  EXPECT_EQ(onnxNode("Shrink", R"("x")", {floats("x", {nan, 2})}), "float32[2]: 0, 2");
  EXPECT_EQ(torch("softshrink.default", operand("self"), {floats("self", {nan, 2})}), "float32[2]: nan, 1.5");
}

/// Numbers that torch 2.13 computes.
TEST(Kernels, LossesOfRowsAndSequences) {
  const std::string pair = operand("self") + ", " + operand("target");
  const Array scores = array("self", DType::Float32, {2, 3}, {1, 2, 4, 0, 0, 0});
  EXPECT_EQ(torch("multi_margin_loss.default", pair + R"(, {"name": "reduction", "int": 0})",
                  {scores, indices("target", {2, 0})}),
            "float32[2]: 0, 0.6666666865348816");
  EXPECT_EQ(torch("multilabel_margin_loss.default", pair,
                  {scores, array("target", DType::Int64, {2, 3}, {2, -1, 0, 0, 1, -1})}),
            "float32[]: 0.3333333432674408");
  EXPECT_TRUE(refused(torch("multi_margin_loss.default", pair, {scores, indices("target", {2, 7})})));
  // Three steps, each a blank or a 1 as likely as the other: of 8 ways all read "1" but "bbb" and "1b1".
  const std::string lengths =
      R"({"name": "input_lengths", "ints": [3]}, {"name": "target_lengths", "ints": [1]}, {"name": "reduction", "int": 0})";
  const Array even = array("log_probs", DType::Float64, {3, 1, 2}, std::vector<double>(6, -std::log(2.0)));
  const std::string read = operand("log_probs") + ", " + operand("targets") + ", " + lengths;
  const std::string loss = torch("ctc_loss.IntList", read, {even, array("targets", DType::Int64, {1, 1}, {1})});
  EXPECT_TRUE(loss.starts_with("float64[1]: 0.28768207")) << loss; // -log(6 / 8)
  EXPECT_TRUE(refused(torch("ctc_loss.IntList", read, {even, array("targets", DType::Int64, {1, 1}, {2})})));
}

/// The step after 1 is 1/128: rounded after the product and after the sum, 1 + 1/256 + 1/256 would stay 1.
TEST(Kernel, AProductAndWhatIsAddedToItAreRoundedOnce) {
  const double half = 0.00390625;
  const Array x = array("x", DType::BFloat16, {1, 2}, {1, half}), w = array("w", DType::BFloat16, {1, 2}, {1, 1}),
              b = array("b", DType::BFloat16, {1}, {half});
  const auto named = [](const char *as, const char *value) {
    return fmt::format(R"({{"name": "{}", "operand": "{}"}})", as, value);
  };
  EXPECT_EQ(
      torch("linear.default", named("input", "x") + ", " + named("weight", "w") + ", " + named("bias", "b"), {x, w, b}),
      "bfloat16[1, 1]: 1.0078125");
  const Array tall = array("w", DType::BFloat16, {2, 1}, {1, 1});
  EXPECT_EQ(
      torch("addmm.default", named("self", "b") + ", " + named("mat1", "x") + ", " + named("mat2", "w"), {x, tall, b}),
      "bfloat16[1, 1]: 1.0078125");
  const Array image = array("x", DType::BFloat16, {1, 2, 1}, {1, half}),
              kernel = array("w", DType::BFloat16, {1, 2, 1}, {1, 1});
  EXPECT_EQ(torch("conv1d.default", named("input", "x") + ", " + named("weight", "w") + ", " + named("bias", "b"),
                  {image, kernel, b}),
            "bfloat16[1, 1, 1]: 1.0078125");
}

} // namespace
} // namespace condlint::test
