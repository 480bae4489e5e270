//===- AtenKernelTest.cpp - What ATen's operators compute ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Single operators of ATen, against the numbers of torch 2.13.
#include "OneKernel.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

std::string ints(const std::string &name, const std::vector<int> &values) {
  return fmt::format(R"(, {{"name": "{}", "ints": [{}]}})", name, fmt::join(values, ", "));
}

TEST(AtenKernel, AViewWithElementsOfAnotherWidth) {
  const auto viewed = [](const Array &x, const std::string &to) {
    return torch("view.dtype", operand("self") + fmt::format(R"(, {{"name": "dtype", "dtype": "{}"}})", to), {x});
  };
  EXPECT_EQ(viewed(array("self", DType::Float32, {1, 2}, {1, 2}), "int16"), "int16[1, 4]: 0, 16256, 0, 16384");
  EXPECT_EQ(viewed(array("self", DType::UInt8, {1, 4}, {1, 2, 3, 4}), "int16"), "int16[1, 2]: 513, 1027");
  EXPECT_TRUE(refused(viewed(array("self", DType::UInt8, {1, 3}, {1, 2, 3}), "int16")));
  EXPECT_TRUE(refused(viewed(array("self", DType::Float32, {}, {1}), "int16")));
}

TEST(AtenKernel, BytesAreResizedWithWeightsOf16Bits) {
  const auto resized = [](const std::string &op, const char *corners) {
    return torch(op,
                 operand("self") + ints("output_size", {3, 4}) +
                     fmt::format(R"(, {{"name": "align_corners", "bool": {}}})", corners),
                 {array("self", DType::UInt8, {1, 1, 2, 3}, {0, 255, 10, 200, 33, 90})});
  };
  const std::string image = "uint8[1, 1, 3, 4]: ";
  EXPECT_EQ(resized("upsample_bilinear2d.default", "false"),
            image + "0, 159, 163, 10, 100, 128, 109, 50, 200, 96, 54, 90");
  // Of one axis after the other each result is a byte.
  EXPECT_EQ(resized("upsample_bilinear2d.default", "true"),
            image + "0, 170, 173, 10, 100, 130, 113, 50, 200, 89, 52, 90");
  EXPECT_EQ(resized("upsample_bicubic2d.default", "false"),
            image + "0, 199, 209, 0, 106, 139, 115, 47, 230, 78, 21, 102");
  EXPECT_EQ(resized("_upsample_bilinear2d_aa.default", "false"),
            image + "0, 159, 163, 10, 100, 128, 109, 50, 200, 96, 54, 90");
  EXPECT_EQ(resized("_upsample_bicubic2d_aa.default", "true"),
            image + "0, 135, 255, 37, 44, 131, 195, 49, 167, 121, 74, 74");
}

TEST(AtenKernel, AStridedViewIsOverwrittenInACopy) {
  const Array x = array("self", DType::Float32, {2, 3}, {0, 1, 2, 3, 4, 5}),
              src = array("src", DType::Float32, {2}, {9, 8});
  const auto scattered = [&](int offset) {
    return torch("as_strided_scatter.default",
                 operand("self") + ", " + operand("src") + ints("size", {2}) + ints("stride", {2}) +
                     fmt::format(R"(, {{"name": "storage_offset", "int": {}}})", offset),
                 {x, src});
  };
  EXPECT_EQ(scattered(1), "float32[2, 3]: 0, 9, 2, 8, 4, 5");
  EXPECT_TRUE(refused(scattered(4)));
  EXPECT_TRUE(refused(scattered(-1)));
}

TEST(AtenKernel, AnLstmProjectsItsState) {
  const auto half = [](const std::string &name, std::vector<std::int64_t> shape) {
    const auto count = static_cast<std::size_t>(elementCount(shape).value_or(0));
    return array(name, DType::Float64, std::move(shape), std::vector<double>(count, 0.5));
  };
  const auto run = [&](const Array &projection) {
    return computed(R"("dialect": "torch", "version": "2.13")",
                    R"({"op": "aten.lstm.input", "attributes": [{"name": "input", "operand": "x"},
                    {"name": "hx", "operands": ["h", "c"]}, {"name": "params", "operands": ["i", "j", "k", "l", "p"]},
                    {"name": "has_biases", "bool": true}, {"name": "num_layers", "int": 1}], "results": ["y", "m", "n"]})",
                    {array("x", DType::Float64, {2, 1, 1}, {1, 2}), array("h", DType::Float64, {1, 1, 1}, {0}),
                     array("c", DType::Float64, {1, 1, 2}, {0, 0}), half("i", {8, 1}), half("j", {8, 1}),
                     half("k", {8}), half("l", {8}), projection},
                    R"("y", "m", "n")");
  };
  EXPECT_EQ(run(half("p", {1, 2})),
            "float64[2, 1, 1]: 0.51438592253464, 0.8280511822068573\nfloat64[1, 1, 1]: 0.8280511822068573\n"
            "float64[1, 1, 2]: 1.5555807739856728, 1.5555807739856728");
  EXPECT_TRUE(refused(run(half("p", {1, 3}))));
}

TEST(AtenKernel, AnOperatorIsCalledForItsEffects) {
  const auto called = [](double info, const std::string &what) {
    return computed(R"("dialect": "torch", "version": "2.13")",
                    fmt::format(R"({{"op": "higher_order.with_effects", "attributes": [{{"operand": "t"}},
                    {{"string": "{}"}}, {{"operand": "i"}}, {{"string": "linalg.inv"}}, {{"name": "is_matrix", "bool": true}}],
                    "results": ["r"]}})",
                                what),
                    {array("t", DType::Float32, {0}, {}), array("i", DType::Int32, {}, {info})});
  };
  const std::string check = "torch.ops.aten._linalg_check_errors.default";
  EXPECT_EQ(called(0, check), "float32[0]: ");
  const std::string singular = called(2, check);
  EXPECT_NE(singular.find("linalg.inv: the matrix is singular"), std::string::npos) << singular;
  EXPECT_TRUE(refused(called(0, "torch.ops.mylib.log.default")));
}

TEST(AtenKernel, RowsOfGroupsAreMultipliedByTheMatrixOfTheirGroup) {
  const auto grouped = [](const std::vector<double> &ends) {
    return computed(
        R"("dialect": "torch", "version": "2.13")",
        R"({"op": "transformers.grouped_mm_fallback.default", "attributes": [{"name": "input", "operand": "x"},
                    {"name": "weight", "operand": "w"}, {"name": "offs", "operand": "o"}], "results": ["r"]})",
        {array("x", DType::Float32, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
         array("w", DType::Float32, {3, 2, 1}, {1, 0, 0, 1, 1, 1}), array("o", DType::Int32, {3}, ends)});
  };
  EXPECT_EQ(grouped({1, 1, 3}), "float32[4, 1]: 1, 7, 11, 0"); // no group has the last row
  EXPECT_EQ(grouped({2, 4, 4}), "float32[4, 1]: 1, 3, 6, 8");
  EXPECT_TRUE(refused(grouped({2, 1, 4})));
  EXPECT_TRUE(refused(grouped({2, 4, 5})));
}

TEST(AtenKernel, GroupsAreOfRowsOfColumnsOrOfWhatIsSummedOver) {
  const auto grouped = [](const Array &a, const Array &b, const std::vector<double> &ends) {
    const std::string offs = ends.empty() ? "" : R"(, {"name": "offs", "operand": "o"})";
    std::vector<Array> arrays{a, b};
    if (!ends.empty())
      arrays.push_back(array("o", DType::Int32, {static_cast<std::int64_t>(ends.size())}, ends));
    return computed(R"("dialect": "torch", "version": "2.13")",
                    R"({"op": "aten._grouped_mm.default", "attributes": [{"name": "self", "operand": "a"},
                       {"name": "mat2", "operand": "b"})" +
                        offs + R"(], "results": ["r"]})",
                    arrays);
  };
  const auto f32 = [](const char *name, const std::vector<std::int64_t> &shape, const std::vector<double> &values) {
    return array(name, DType::Float32, shape, values);
  };
  // The numbers are torch's.
  EXPECT_EQ(grouped(f32("a", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), f32("b", {2, 2, 1}, {1, 0, 0, 1}), {1, 4}),
            "float32[4, 1]: 1, 4, 6, 8");
  EXPECT_EQ(grouped(f32("a", {2, 1, 2}, {1, 2, 3, 4}), f32("b", {2, 3}, {1, 2, 3, 4, 5, 6}), {1, 3}),
            "float32[1, 3]: 9, 26, 33");
  EXPECT_EQ(grouped(f32("a", {1, 3}, {1, 2, 3}), f32("b", {3, 2}, {1, 2, 3, 4, 5, 6}), {2, 2, 3}),
            "float32[3, 1, 2]: 7, 10, 0, 0, 15, 18");
  EXPECT_EQ(grouped(f32("a", {2, 1, 2}, {1, 2, 3, 4}), f32("b", {2, 2, 1}, {1, 1, 2, 2}), {}),
            "float32[2, 1, 1]: 3, 14");
  EXPECT_TRUE(refused(grouped(f32("a", {2, 2}, {1, 2, 3, 4}), f32("b", {2, 2, 1}, {1, 1, 2, 2}), {1})));
  EXPECT_TRUE(refused(grouped(f32("a", {2, 2}, {1, 2, 3, 4}), f32("b", {2, 2, 1}, {1, 1, 2, 2}), {1, 3})));
}

} // namespace
} // namespace condlint::test
