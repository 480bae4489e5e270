//===- ConvolutionTest.cpp - Sizes of convolutions ----------------------===//
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

OneNode conv(std::vector<OneNode::Size> x, std::vector<OneNode::Size> w) {
  OneNode n = OneNode::onnx("Conv", 11);
  n.in(Float32, std::move(x)).in(Float32, std::move(w));
  return n;
}

TEST(Convolution, OnnxConv) {
  EXPECT_EQ(conv({"n", 3, 32, 32}, {8, 3, 3, 3}).run().type(), "float32[n, 8, 30, 30]");
  EXPECT_EQ(conv({1, 3, "h", 32}, {8, 3, 3, 3}).ints("pads", {1, 1, 1, 1}).ints("strides", {2, 2}).run().type(),
            "float32[1, 8, (h + 1)//2, 16]");
  EXPECT_EQ(conv({1, 3, 5, 7}, {8, 3, 3, 3}).attr("auto_pad", "SAME_UPPER").ints("strides", {2, 2}).run().type(),
            "float32[1, 8, 3, 4]");
  EXPECT_EQ(conv({1, 4, 9}, {8, 2, 3}).attr("group", 2).ints("dilations", {2}).run().type(), "float32[1, 8, 5]");
  EXPECT_NE(conv({1, 4, 9}, {8, 3, 3}).run().rejected(), "");
  EXPECT_NE(conv({1, 4, 2}, {8, 4, 3}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("ConvInteger", 10).in(UInt8, {1, 1, 4, 4}).in(UInt8, {1, 1, 2, 2}).run().type(),
            "int32[1, 1, 3, 3]");
}

TEST(Convolution, OnnxConvTranspose) {
  const auto node = [] {
    OneNode n = OneNode::onnx("ConvTranspose", 11);
    n.in(Float32, {"n", 4, 5, 5}).in(Float32, {4, 2, 3, 3});
    return n;
  };
  EXPECT_EQ(node().ints("strides", {2, 2}).run().type(), "float32[n, 2, 11, 11]");
  EXPECT_EQ(node().ints("strides", {2, 2}).ints("output_padding", {1, 1}).ints("pads", {1, 1, 1, 1}).run().type(),
            "float32[n, 2, 10, 10]");
  EXPECT_EQ(node().attr("group", 2).ints("output_shape", {7, 8}).run().type(), "float32[n, 4, 7, 8]");
}

TEST(Convolution, ABiasForEachChannelOfTheResult) {
  const auto rejected = [](const char *op, DType element, std::vector<OneNode::Size> bias) {
    return OneNode::torch(op)
        .arg("input", Float32, {"n", 3, 8, 8})
        .arg("weight", Float32, {3, 6, 3, 3})
        .arg("bias", element, std::move(bias))
        .run()
        .rejected();
  };
  EXPECT_EQ(rejected("conv_transpose2d", Float32, {6}), "");
  EXPECT_NE(rejected("conv_transpose2d", Float32, {3}), "");
  EXPECT_EQ(rejected("conv_transpose2d", Float64, {6}), "");
  const auto plain = [](DType element, std::vector<OneNode::Size> bias) {
    return OneNode::torch("conv2d")
        .arg("input", Float32, {1, 3, 8, 8})
        .arg("weight", Float32, {4, 3, 3, 3})
        .arg("bias", element, std::move(bias))
        .run()
        .rejected();
  };
  EXPECT_EQ(plain(Float32, {4}), "");
  EXPECT_EQ(plain(Float32, {"k"}), "");
  EXPECT_EQ(plain(Float32, {10}), "conv2d: the elements of the bias and the channels of the result differ: 10 and 4");
  EXPECT_EQ(plain(Float32, {4, 1}), "conv2d: the bias has rank 2, expected 1");
  EXPECT_EQ(plain(Float64, {4}), "conv2d: the operand is float32, the bias is float64");
}

TEST(Convolution, TheNameSaysHowManyAxes) {
  const auto rejected = [](const char *op) {
    return OneNode::torch(op).arg("input", Float32, {1, 3, 8, 8}).arg("weight", Float32, {3, 3, 3, 3}).run().rejected();
  };
  EXPECT_EQ(rejected("conv2d"), "");
  EXPECT_EQ(rejected("conv_transpose2d"), "");
  EXPECT_EQ(rejected("convolution"), "");
  EXPECT_EQ(rejected("conv1d"), "conv1d: the weight has rank 4, expected 3");
  EXPECT_EQ(rejected("conv_transpose3d"), "conv_transpose3d: the weight has rank 4, expected 5");
  EXPECT_EQ(OneNode::torch("conv2d").arg("input", Float32, {1, 3, 8, 8}).arg("weight", Float32, {3}).run().rejected(),
            "conv2d: the weight has rank 1, expected 4");
}

TEST(Convolution, ANumberForEachAxisOrOneForAll) {
  const auto dilated = [](std::vector<std::int64_t> dilation) {
    OneNode n = OneNode::exported("conv2d");
    n.arg("input", Float32, {1, 1, 9, 9}).arg("weight", Float32, {1, 1, 3, 3});
    return n.ints("dilation", std::move(dilation)).run().rejected();
  };
  EXPECT_EQ(dilated({2, 1}), "");
  EXPECT_EQ(dilated({2}), "");
  EXPECT_EQ(dilated({2, 1, 1}), "conv2d: 'dilation' has 3 numbers for 2 axes");
}

TEST(Convolution, TorchNames) {
  EXPECT_EQ(OneNode::torch("conv2d")
                .arg("input", Float32, {"n", 3, 8, 8})
                .arg("weight", Float32, {4, 3, 3, 3})
                .ints("stride", {2})
                .run()
                .type(),
            "float32[n, 4, 3, 3]");
  EXPECT_EQ(OneNode::torch("conv1d", "padding")
                .arg("input", Float32, {3, "l"})
                .arg("weight", Float32, {4, 3, 5})
                .attr("padding", "same")
                .run()
                .type(),
            "float32[4, l]");
  EXPECT_EQ(OneNode::source("conv1d", "padding")
                .arg("input", Float32, {3, "l"})
                .arg("weight", Float32, {4, 3, 5})
                .attr("padding", "same")
                .run()
                .type(),
            "float32[4, l]");
  // The size of a window that is not known changes no rank.
  EXPECT_EQ(OneNode::source("conv2d")
                .arg("input", Float32, {"n", 3, 8, 8})
                .arg("weight", Float32, {4, 3, 3, 3})
                .opaque("stride")
                .run()
                .type(),
            "float32[n, 4, ?, ?]");
  OneNode back = OneNode::torch("convolution_backward");
  back.arg("grad_output", Float32, {2, 4, 6}).arg("input", Float32, {2, 3, 8}).arg("weight", Float32, {4, 3, 3});
  back.ints("output_mask", {1, 0, 1}).run(3);
  EXPECT_EQ(back.type(0) + back.type(2), "float32[2, 3, 8]float32[4]");
}

TEST(Pooling, AsManySizesAsAxes) {
  const auto pool = [](std::vector<std::int64_t> sizes) {
    return OneNode::exported("adaptive_avg_pool2d")
        .arg("self", Float32, {1, 2, 5, 5})
        .ints("output_size", std::move(sizes))
        .run()
        .rejected();
  };
  EXPECT_EQ(pool({3, 3}), "");
  EXPECT_EQ(pool({}), "adaptive_avg_pool2d: output_size has 0 sizes, not 2");
  EXPECT_NE(pool({3}), "");
}

TEST(Pooling, AWindowFitsHoweverItIsRounded) {
  const auto pool = [](std::int64_t window, std::int64_t ceil) {
    OneNode n = OneNode::exported("max_pool2d");
    return n.arg("self", Float32, {1, 2, 3, 6})
        .ints("kernel_size", {window, 3})
        .ints("stride", {2, 2})
        .attr("ceil_mode", ceil)
        .run()
        .rejected();
  };
  EXPECT_EQ(pool(3, 1), "");
  EXPECT_EQ(pool(4, 1), "") << "one more, which reaches beyond";
  EXPECT_NE(pool(4, 0), "");
  EXPECT_NE(pool(5, 1), "");
}

TEST(Pooling, Onnx) {
  const auto pool = [](const char *name, std::vector<OneNode::Size> sizes) {
    OneNode n = OneNode::onnx(name, 12);
    n.in(Float32, std::move(sizes));
    return n;
  };
  EXPECT_EQ(pool("AveragePool", {"n", 3, 8}).ints("kernel_shape", {2}).run().type(), "float32[n, 3, 7]");
  // A window that lacks less than its stride is counted once, and no size is 0.
  EXPECT_EQ(pool("MaxPool", {1, 3, "n"}).ints("kernel_shape", {2}).ints("strides", {2}).run().type(),
            "float32[1, 3, max(n, 2)//2]");
  EXPECT_EQ(
      pool("MaxPool", {1, 3, "n"}).ints("kernel_shape", {3}).ints("strides", {2}).ints("pads", {1, 1}).run().type(),
      "float32[1, 3, (n + 1)//2]");
  // Of what is 2 at most and 2 at least where the pool takes it, a window of 3 is none.
  OneNode cut = OneNode::onnx("MaxPool", 18);
  Type narrow = cut.tensorType(DType::Float32, {1, 1, "n"});
  const std::vector<Dim> sizes{narrow.dims[0], narrow.dims[1], cut.m.dims.min(narrow.dims[2], cut.m.dims.constant(2))};
  narrow.dims = sizes;
  cut.in(narrow).ints("kernel_shape", {3}).run();
  EXPECT_EQ(cut.type() + cut.rejected(), "float32[1, 1, min(n, 2) - 2]");
  EXPECT_EQ(pool("MaxPool", {1, 3, 7}).ints("kernel_shape", {2}).ints("strides", {2}).attr("ceil_mode", 1).run().type(),
            "float32[1, 3, 4]");
  OneNode both = pool("MaxPool", {1, 3, 7, 7});
  both.ints("kernel_shape", {3, 3}).run(2);
  EXPECT_EQ(both.type(1), "int64[1, 3, 5, 5]");
  EXPECT_EQ(pool("GlobalAveragePool", {"n", 3, "h", "w"}).run().type(), "float32[n, 3, 1, 1]");
  EXPECT_NE(pool("MaxPool", {1, 3, 7}).ints("kernel_shape", {3, 3}).run().rejected(), "");
  EXPECT_EQ(OneNode::onnx("MaxUnpool", 11)
                .in(Float32, {1, 1, 2, 2})
                .in(Int64, {1, 1, 2, 2})
                .ints("kernel_shape", {2, 2})
                .ints("strides", {2, 2})
                .run()
                .type(),
            "float32[1, 1, 4, 4]");
  EXPECT_EQ(OneNode::onnx("RoiAlign", 16)
                .in(Float32, {1, 3, 9, 9})
                .in(Float32, {"r", 4})
                .in(Int64, {"r"})
                .attr("output_height", 5)
                .run()
                .type(),
            "float32[r, 3, 5, 1]");
}

TEST(Resize, ScalesAndSizes) {
  OneNode sizes = OneNode::onnx("Resize", 13);
  sizes.in(Float32, {"n", 3, 4, 4}).absent().absent().numbers({1, 3, 7, 8}).run();
  EXPECT_EQ(sizes.type(), "float32[1, 3, 7, 8]");
  EXPECT_EQ(OneNode::onnx("Upsample", 7).in(Float32, {"n", 3, 4}).reals("scales", {1, 1, 2.5}).run().type(),
            "float32[n, 3, 10]");
  EXPECT_EQ(OneNode::onnx("Resize", 13).in(Float32, {2, 3}).absent().in(Float32, {2}).run().type(), "float32[?, ?]");
  EXPECT_EQ(OneNode::torch("upsample_nearest2d", "vec")
                .arg("input", Float32, {1, 3, "h", 4})
                .reals("scale_factors", {2, 0.5})
                .run()
                .type(),
            "float32[1, 3, 2*h, 2]");
  EXPECT_EQ(OneNode::onnx("GridSample", 16).in(Float32, {"n", 3, 4, 4}).in(Float32, {"n", 6, 7, 2}).run().type(),
            "float32[n, 3, 6, 7]");
}

} // namespace
