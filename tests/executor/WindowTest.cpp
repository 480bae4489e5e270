//===- WindowTest.cpp - Convolutions and pools over dense runs ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Of floats they are computed over dense runs of a padded image, or over gathered columns in
// parts; of whole numbers element by element. What is computed of small whole numbers is the same.
#include "OneKernel.h"
#include <cmath>
#include <limits>

namespace condlint::test {
namespace {

using Numbers = std::vector<std::int64_t>;

std::string ints(const std::string &name, const Numbers &values) {
  return fmt::format(R"(, {{"name": "{}", "ints": [{}]}})", name, fmt::join(values, ", "));
}

Array image(const std::string &name, DType t, Numbers shape, int step) {
  std::int64_t count = 1;
  for (std::int64_t s : shape)
    count *= s;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i * step % 23 - 11));
  return array(name, t, std::move(shape), values);
}

/// What is behind the element type.
std::string valuesOf(const std::string &outcome) {
  const std::size_t at = outcome.find('[');
  return at == std::string::npos ? outcome : outcome.substr(at);
}

std::string convolution(DType t, const Numbers &in, const Numbers &kernel, const Numbers &stride,
                        const Numbers &padding, const Numbers &dilation, std::int64_t groups, std::int64_t outputs) {
  const std::int64_t channels = groups * (groups == 1 ? 3 : groups == 2 ? 2 : 1);
  Numbers x{2, channels}, w{outputs, channels / groups};
  x.insert(x.end(), in.begin(), in.end());
  w.insert(w.end(), kernel.begin(), kernel.end());
  return torch("convolution.default",
               operand("input") + ", " + operand("weight") + R"(, {"name": "bias", "none": true})" +
                   ints("stride", stride) + ints("padding", padding) + ints("dilation", dilation) +
                   R"(, {"name": "transposed", "bool": false})" + ints("output_padding", Numbers(in.size(), 0)) +
                   fmt::format(R"(, {{"name": "groups", "int": {}}})", groups),
               {image("input", t, x, 7), image("weight", t, w, 5)});
}

TEST(Windows, ConvolutionsOfFloatsAreThoseOfWholeNumbers) {
  const struct {
    Numbers in, kernel, stride, padding, dilation;
  } windows[] = {
      {{7, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {{7, 9}, {3, 2}, {2, 1}, {0, 2}, {1, 1}},
      {{8, 8}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
      {{9, 8}, {5, 5}, {3, 2}, {4, 3}, {1, 1}},
      {{9, 9}, {3, 3}, {2, 2}, {2, 3}, {2, 3}},
      {{5, 5}, {1, 1}, {2, 2}, {0, 0}, {1, 1}},
      {{4, 4}, {3, 3}, {1, 1}, {7, 7}, {1, 1}},
      {{700, 3}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
      {{13}, {4}, {3}, {2}, {1}},
      {{4, 5, 6}, {2, 3, 2}, {1, 2, 2}, {1, 1, 0}, {1, 1, 2}},
  };
  for (const auto &w : windows)
    for (std::int64_t groups : {1, 2, 6})
      for (std::int64_t each : {1, 4, 5}) {
        const auto of = [&](DType t) {
          return convolution(t, w.in, w.kernel, w.stride, w.padding, w.dilation, groups, groups * each);
        };
        const std::string expected = of(DType::Int64);
        ASSERT_FALSE(refused(expected)) << expected;
        EXPECT_EQ(valuesOf(of(DType::Float32)), valuesOf(expected)) << groups << " groups of " << each;
        EXPECT_EQ(valuesOf(of(DType::Float64)), valuesOf(expected)) << groups << " groups of " << each;
      }
}

/// Many channels: the columns are gathered in parts.
TEST(Windows, ColumnsInPartsAreAllColumns) {
  const auto of = [](DType t) {
    return valuesOf(onnxNode("Conv", R"("x", "w")",
                             {image("x", t, {1, 96, 30, 30}, 7), image("w", t, {3, 96, 5, 5}, 5)},
                             R"({"name": "kernel_shape", "ints": [5, 5]}, {"name": "pads", "ints": [1, 2, 3, 0]})"));
  };
  const std::string all = of(DType::Float32);
  EXPECT_TRUE(all.starts_with("[1, 3, 30, 28]")) << all.substr(0, 80);
  EXPECT_EQ(all, of(DType::Float64));
}

TEST(Windows, PoolsOfFloatsAreThoseOfWholeNumbers) {
  for (std::int64_t size : {2, 3})
    for (std::int64_t stride : {1, 2, 3})
      for (std::int64_t dilation : {1, 2})
        for (const char *ceiling : {"false", "true"}) {
          const auto of = [&](DType t) {
            return valuesOf(torch("max_pool2d.default",
                                  operand("self") + ints("kernel_size", {size, size}) + ints("stride", {stride, 2}) +
                                      ints("padding", {1, 0}) + ints("dilation", {dilation, dilation}) +
                                      fmt::format(R"(, {{"name": "ceil_mode", "bool": {}}})", ceiling),
                                  {image("self", t, {2, 3, 9, 8}, 7)}));
          };
          EXPECT_EQ(of(DType::Float32), of(DType::Int64)) << size << " " << stride << " " << dilation << ceiling;
        }
}

TEST(Windows, WhatIsNoNumberIsTheLargest) {
  const double none = std::nan(""), least = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(onnxNode("MaxPool", R"("x")", {array("x", DType::Float32, {1, 1, 6}, {none, 2, 3, 4, least, least})},
                     R"({"name": "kernel_shape", "ints": [2]})"),
            "float32[1, 1, 5]: nan, 3, 4, 4, -inf");
}

/// LpPool sums one window after the other.
// As ONNX Runtime 1.32 computes it: where an odd number of places is left out, the larger half is at the beginning.
TEST(Windows, WhatAConvolutionIsAskedToComeTo) {
  const auto wanted = [](int size, const std::string &more = {}) {
    return onnxNode(
        "ConvTranspose", R"("x", "w")",
        {array("x", DType::Float32, {1, 1, 3}, {1, 2, 3}), array("w", DType::Float32, {1, 1, 4}, {1, 10, 100, 1000})},
        fmt::format(R"({{"name": "strides", "ints": [2]}}, {{"name": "output_shape", "ints": [{}]}}{})", size, more));
  };
  EXPECT_EQ(wanted(4), "float32[1, 1, 4]: 102, 1020, 203, 2030");
  EXPECT_EQ(wanted(5), "float32[1, 1, 5]: 102, 1020, 203, 2030, 300");
  EXPECT_EQ(wanted(5, R"(, {"name": "auto_pad", "string": "SAME_UPPER"})"),
            "float32[1, 1, 5]: 10, 102, 1020, 203, 2030");
  EXPECT_EQ(wanted(9), "float32[1, 1, 9]: 1, 10, 102, 1020, 203, 2030, 300, 3000, 0");
  const std::string pads = R"(, {"name": "pads", "ints": [0, 0]})";
  EXPECT_TRUE(refused(wanted(5, pads + R"(, {"name": "auto_pad", "string": "VALID"})")));
  EXPECT_FALSE(refused(wanted(5, pads + R"(, {"name": "auto_pad", "string": "NOTSET"})")));
}

TEST(Windows, OneAloneRoundsUp) {
  const auto pooled = [](int ceiling) {
    return onnxNode("MaxPool", R"("x")", {array("x", DType::Float32, {1, 1, 6}, {1, 2, 3, 4, 5, 6})},
                    fmt::format(R"({{"name": "kernel_shape", "ints": [3]}}, {{"name": "strides", "ints": [2]}},
                                   {{"name": "ceil_mode", "int": {}}})",
                                ceiling));
  };
  EXPECT_EQ(pooled(1), "float32[1, 1, 3]: 3, 5, 6");
  for (const int ceiling : {0, 2, -1})
    EXPECT_EQ(pooled(ceiling), "float32[1, 1, 2]: 3, 5");
}

TEST(Windows, MeansAreSumsByTheirCounts) {
  std::vector<double> values;
  for (int i = 0; i < 2 * 5 * 6; ++i)
    values.push_back(i * 7 % 23);
  const Array x = array("x", DType::Float32, {1, 2, 5, 6}, values);
  const std::string window =
      R"({"name": "kernel_shape", "ints": [3, 2]}, {"name": "strides", "ints": [2, 1]}, {"name": "pads", "ints": [1, 1, 1, 0]})";
  const std::string sums = onnxNode("LpPool", R"("x")", {x}, window + R"(, {"name": "p", "int": 1})");
  ASSERT_FALSE(refused(sums)) << sums;
  const std::string divided = torch(
      "avg_pool2d.default",
      operand("self") + ints("kernel_size", {3, 2}) + ints("stride", {2, 1}) + ints("padding", {1, 1}) +
          R"(, {"name": "ceil_mode", "bool": false}, {"name": "count_include_pad", "bool": true}, {"name": "divisor_override", "int": 1})",
      {array("self", DType::Float32, {1, 2, 5, 6}, values)});
  // torch pads both sides: its last column is one more.
  EXPECT_TRUE(divided.starts_with("float32[1, 2, 3, 7]: ")) << divided;
  EXPECT_EQ(valuesOf(sums).substr(0, 14), "[1, 2, 3, 6]: ") << sums;
  EXPECT_EQ(onnxNode("AveragePool", R"("x")", {array("x", DType::Float32, {1, 1, 3}, {3, 6, 9})},
                     R"({"name": "kernel_shape", "ints": [2]}, {"name": "pads", "ints": [1, 1]})"),
            "float32[1, 1, 4]: 3, 4.5, 7.5, 9");
  EXPECT_EQ(onnxNode("AveragePool", R"("x")", {array("x", DType::Float32, {1, 1, 3}, {3, 6, 9})},
                     R"({"name": "kernel_shape", "ints": [2]}, {"name": "pads", "ints": [1, 1]}, )"
                     R"({"name": "count_include_pad", "int": 1})"),
            "float32[1, 1, 4]: 1.5, 4.5, 7.5, 4.5");
}

} // namespace
} // namespace condlint::test
