//===- SampleStatisticsTest.cpp - What random numbers are like ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Histograms, segments, numeric gradients and fractional pools: the numbers are torch's.
#include "OneKernel.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

const std::string self = operand("self");

/// All results of one node of torch.
std::string all(const std::string &op, const std::string &attributes, const std::vector<Array> &inputs,
                const std::string &results) {
  return computed(R"("dialect": "torch", "version": "2.13")",
                  fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": [{}]}})", op, attributes, results),
                  inputs, results);
}

std::string histogram(const std::string &more, std::vector<Array> inputs) {
  return all("histogram.bin_ct", self + more, inputs, R"("r", "edges")");
}

TEST(Histogram, CountsBetweenTheLeastAndTheLargest) {
  const Array x = floats("self", {1, 2, 2.5, 3, 9});
  EXPECT_EQ(histogram(R"(, {"name": "bins", "int": 4})", {x}), "float32[4]: 3, 1, 0, 1\nfloat32[5]: 1, 3, 5, 7, 9");
  EXPECT_EQ(histogram(R"(, {"name": "bins", "int": 2}, {"name": "range", "floats": [1, 3]})", {x}),
            "float32[2]: 1, 3\nfloat32[3]: 1, 2, 3");
  EXPECT_EQ(histogram(R"(, {"name": "bins", "int": 2})", {floats("self", {2, 2})}),
            "float32[2]: 0, 2\nfloat32[3]: 1.5, 2, 2.5");
}

TEST(Histogram, OfGivenEdgesAndWeights) {
  const Array x = floats("self", {1, 2, 2.5, 3}), bins = floats("bins", {1, 2, 3}),
              weight = floats("weight", {1, 2, 3, 4});
  const std::string arguments = self + ", " + operand("bins") + ", " + operand("weight");
  EXPECT_EQ(all("histogram.bins_tensor", arguments, {x, bins, weight}, R"("r", "edges")"),
            "float32[2]: 1, 9\nfloat32[3]: 1, 2, 3");
  const Array density = floats("weight", {1, 2, 3, 2});
  EXPECT_EQ(all("histogram.bins_tensor", arguments + R"(, {"name": "density", "bool": true})", {x, bins, density},
                R"("r", "edges")"),
            "float32[2]: 0.125, 0.875\nfloat32[3]: 1, 2, 3");
}

TEST(Histogram, OfPoints) {
  const Array points = array("self", DType::Float32, {4, 2}, {0, 1, 1, 0, 2, 0, 2, 2});
  EXPECT_EQ(all("histogramdd.default", self + R"(, {"name": "bins", "ints": [2, 1]})", {points}, R"("r", "a", "b")"),
            "float32[2, 1]: 1, 3\nfloat32[3]: 0, 1, 2\nfloat32[2]: 0, 2");
  EXPECT_TRUE(
      refused(all("histogramdd.default", self + R"(, {"name": "bins", "ints": [2]})", {points}, R"("r", "a", "b")")));
}

TEST(Histogram, RefusesWhatTorchRefuses) {
  const Array x = floats("self", {1, 2});
  EXPECT_TRUE(refused(histogram(R"(, {"name": "bins", "int": 0})", {x})));
  EXPECT_TRUE(refused(histogram(R"(, {"name": "bins", "int": 2}, {"name": "range", "floats": [3, 1]})", {x})));
  EXPECT_TRUE(refused(histogram(R"(, {"name": "bins", "int": 2})", {indices("self", {1, 2})})));
  EXPECT_TRUE(refused(histogram(R"(, {"name": "bins", "int": 2}, )" + operand("weight"), {x, floats("weight", {1})})));
}

std::string segments(const std::string &reduce, const std::string &parts, const std::vector<Array> &inputs,
                     const std::string &more = {}) {
  return torch("segment_reduce.default",
               operand("data") + R"(, {"name": "reduce", "string": ")" + reduce + R"("}, )" + operand(parts) + more,
               inputs);
}

TEST(SegmentReduce, ByLengthsAndByOffsets) {
  const Array data = floats("data", {1, 2, 3, 5, 6}), lengths = indices("lengths", {2, 0, 3});
  EXPECT_EQ(segments("sum", "lengths", {data, lengths}), "float32[3]: 3, 0, 14");
  EXPECT_EQ(segments("max", "lengths", {data, lengths}), "float32[3]: 2, -inf, 6");
  EXPECT_EQ(segments("prod", "lengths", {data, lengths}), "float32[3]: 2, 1, 90");
  EXPECT_EQ(segments("mean", "offsets", {data, indices("offsets", {0, 2, 4})}), "float32[2]: 1.5, 4");
  EXPECT_EQ(segments("min", "offsets", {data, indices("offsets", {0, 2, 2})}, R"(, {"name": "initial", "int": 0})"),
            "float32[2]: 0, 0");
}

TEST(SegmentReduce, AlongAnInnerAxis) {
  const Array data = array("data", DType::Float32, {2, 3}, {0, 1, 2, 3, 4, 5}),
              lengths = array("lengths", DType::Int64, {2, 2}, {2, 1, 0, 3});
  const std::string axis = R"(, {"name": "axis", "int": 1})";
  EXPECT_EQ(segments("sum", "lengths", {data, lengths}, axis), "float32[2, 2]: 1, 2, 0, 12");
  EXPECT_TRUE(refused(segments("sum", "lengths", {data, indices("lengths", {2, 1})}, axis)));
}

TEST(SegmentReduce, RefusesSegmentsThatAreNotTheRow) {
  const Array data = floats("data", {1, 2, 3});
  EXPECT_TRUE(refused(segments("sum", "lengths", {data, indices("lengths", {2, 2})})));
  EXPECT_TRUE(refused(segments("sum", "lengths", {data, indices("lengths", {1, 1})})));
  EXPECT_TRUE(refused(segments("sum", "lengths", {data, indices("lengths", {4, -1})})));
  EXPECT_TRUE(refused(segments("sum", "offsets", {data, indices("offsets", {0, 9})})));
  EXPECT_TRUE(refused(segments("sum", "lengths", {indices("data", {1, 2}), indices("lengths", {1, 1})})));
  EXPECT_EQ(segments("sum", "lengths", {data, indices("lengths", {1, 1})}, R"(, {"name": "unsafe", "bool": true})"),
            "float32[2]: 1, 2");
}

TEST(NumericGradient, EvenAndUneven) {
  const Array x = floats("self", {1, 2, 4, 7, 11, 16});
  EXPECT_EQ(torch("gradient.scalarint", self, {x}), "float32[6]: 1, 1.5, 2.5, 3.5, 4.5, 5");
  EXPECT_EQ(
      torch("gradient.scalarint", self + R"(, {"name": "spacing", "int": 2}, {"name": "edge_order", "int": 2})", {x}),
      "float32[6]: 0.25, 0.75, 1.25, 1.75, 2.25, 2.75");
  const std::string points = R"(, {"name": "spacing", "operands": ["p"]})";
  EXPECT_EQ(torch("gradient.tensorarrayint", self + points, {floats("self", {1, 2, 5}), floats("p", {0, 1, 2})}),
            "float32[3]: 1, 2, 3");
  EXPECT_TRUE(refused(torch("gradient.scalarint", self, {floats("self", {1})})));
}

TEST(NumericGradient, AlongEachAxis) {
  const Array x = array("self", DType::Float32, {2, 3}, {1, 2, 4, 7, 11, 16});
  EXPECT_EQ(all("gradient.scalarint", self, {x}, R"("a", "b")"),
            "float32[2, 3]: 6, 9, 12, 6, 9, 12\nfloat32[2, 3]: 1, 1.5, 2, 4, 4.5, 5");
  EXPECT_TRUE(refused(all("gradient.array", self + R"(, {"name": "dim", "ints": [0, 0]})", {x}, R"("a", "b")")));
}

TEST(FractionalMaxPool, PlacesItsWindowsByTheRandomNumbers) {
  std::vector<double> values;
  for (int i = 0; i < 20; ++i)
    values.push_back(i);
  const Array x = array("self", DType::Float32, {1, 1, 5, 4}, values);
  const auto pooled = [&](int height, double shiftY, double shiftX) {
    return all("fractional_max_pool2d.default",
               self + R"(, {"name": "kernel_size", "ints": [2, 2]}, {"name": "output_size", "ints": [)" +
                   std::to_string(height) + R"(, 2]}, )" + operand("random_samples"),
               {x, array("random_samples", DType::Float32, {1, 1, 2}, {shiftX, shiftY})}, R"("r", "places")");
  };
  EXPECT_EQ(pooled(3, 0.5, 0.1), "float32[1, 1, 3, 2]: 5, 7, 13, 15, 17, 19\nint64[1, 1, 3, 2]: 5, 7, 13, 15, 17, 19");
  EXPECT_EQ(pooled(3, 0.25, 0.75), "float32[1, 1, 3, 2]: 5, 7, 9, 11, 17, 19\nint64[1, 1, 3, 2]: 5, 7, 9, 11, 17, 19");
  EXPECT_TRUE(refused(pooled(5, 0.5, 0.1)));
}

} // namespace
} // namespace condlint::test
