//===- AtenSchemaTest.cpp - ATen's schemas and what they refuse ---------===//
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

/// What is said of a call, "" where it fits.
std::string refusal(OneNode &n) { return n.run().rejected(); }

TEST(AtenSchema, WhatHasNoDefaultIsGiven) {
  EXPECT_EQ(refusal(OneNode::exported("zero_").reals("unused", {})),
            "the argument 'self' is not given, and has no default");
  EXPECT_EQ(refusal(OneNode::exported("zero_").arg("self", Float32, {3})), "");
  EXPECT_EQ(refusal(OneNode::exported("add", "Tensor").arg("self", Float32, {3})),
            "the argument 'other' is not given, and has no default");
  // `alpha` has one.
  EXPECT_EQ(refusal(OneNode::exported("add", "Tensor").arg("self", Float32, {3}).arg("other", Float32, {3})), "");
  // Graph JSON may leave out what is not known.
  EXPECT_EQ(refusal(OneNode::torch("add", "Tensor").arg("self", Float32, {3})), "");
  // Nothing is known of an operator of somebody else.
  EXPECT_EQ(refusal(OneNode::exported("no_such_operator").reals("unused", {})), "");
}

TEST(AtenSchema, TextIsNoTensorAndNoNumber) {
  EXPECT_EQ(refusal(OneNode::exported("relu").attr("self", "abc")),
            "the argument 'self' is the string 'abc', expected a tensor");
  EXPECT_EQ(refusal(OneNode::exported("sum", "dim_IntList").arg("self", Float32, {3}).attr("dim", "abc")),
            "the argument 'dim' is the string 'abc', expected a list of integers");
  // A mode of rounding is text.
  EXPECT_EQ(refusal(OneNode::exported("div", "Tensor_mode")
                        .arg("self", Float32, {3})
                        .arg("other", Float32, {3})
                        .attr("rounding_mode", "floor")),
            "");
}

// torch 2.13: a constant of its own is a number to some overloads, a number is a bool, and what it comes to no file
// says.
TEST(AtenSchema, WhatIsOfAnotherKindIsRefusedOrNotKnown) {
  OneNode squeezed = OneNode::exported("squeeze", "dim");
  squeezed.arg("self", Float32, {3, 1}).attr("dim", Float32).run();
  EXPECT_EQ(squeezed.rejected() + squeezed.type(), "float32[...]") << "its number is an axis, or out of range";
  OneNode summed = OneNode::exported("sum", "dim_IntList");
  summed.arg("self", Float32, {3, 2}).ints("dim", {0}).real("keepdim", 0.5).run();
  EXPECT_EQ(summed.rejected() + summed.type(), "float32[...]");
  OneNode kept = OneNode::exported("sum", "dim_IntList");
  EXPECT_NE(refusal(kept.arg("self", Float32, {3}).ints("dim", {0}).attr("keepdim", Float32)), "");
  OneNode padded = OneNode::exported("pad");
  EXPECT_NE(refusal(padded.arg("self", Float32, {3}).ints("pad", {1, 1}).attr("value", Float32)), "");
}

// torch 2.13: a constant of its own is an int and no SymInt, an int stands for int[2] and for no int[] or SymInt[1], a
// text without letters is a list of SymInt, and what is in no list is no number.
TEST(AtenSchema, IntegersAsTheSchemaWritesThem) {
  const auto call = [](std::string_view name, std::string_view overload = "default") {
    OneNode n = OneNode::exported(name, overload);
    n.arg("self", Float32, {1, 1});
    return n;
  };
  EXPECT_EQ(refusal(call("roll").attr("shifts", 1)), "the argument 'shifts' is 1, expected a list of integers");
  EXPECT_EQ(refusal(call("view").attr("size", 1)), "the argument 'size' is 1, expected a list of integers");
  EXPECT_EQ(refusal(call("flip").attr("dims", 1)), "the argument 'dims' is 1, expected a list of integers");
  EXPECT_EQ(refusal(call("sum", "dim_IntList").attr("dim", 1)), "");
  EXPECT_EQ(refusal(call("tril").attr("diagonal", Float32)),
            "the argument 'diagonal' is the element type float32, expected an integer");
  EXPECT_EQ(refusal(call("squeeze", "dim").attr("dim", Float32)), "");
  EXPECT_EQ(call("view").attr("size", "").run().type(), "float32[]");
  EXPECT_EQ(refusal(call("permute").attr("dims", "")),
            "the argument 'dims' is the string '', expected a list of integers");
  // A list of whatever kind in which there is nothing.
  EXPECT_EQ(call("view").reals("size", {}).run().type(), "float32[]");
  EXPECT_NE(refusal(OneNode::exported("stack").reals("tensors", {})), "");
}

/// Torch passes on what the overload names when it loads a file: the file's overload is meant, whatever else
/// an argument would choose.
TEST(AtenSchema, AnOverloadTakesWhatItNames) {
  EXPECT_EQ(OneNode::exported("max").arg("self", Float32, {3}).attr("other", 2).run().type(), "float32[]");
  EXPECT_EQ(OneNode::exported("max", "other").arg("self", Float32, {3}).arg("other", Float32, {3}).run().type(),
            "float32[3]");
  EXPECT_EQ(OneNode::exported("max", "dim").arg("self", Float32, {3, 2}).attr("dim", 1).run(2).type(), "float32[3]");
  // Of two of one name the last; in whatever order they stand.
  EXPECT_EQ(OneNode::exported("argmax").attr("dim", 1).arg("self", Float32, {3, 2}).attr("dim", 0).run().type(),
            "int64[2]");
  // Of an operator of somebody else all arguments count.
  EXPECT_EQ(refusal(OneNode::exported("no_such_operator").attr("more", 1)), "");
  // What may make a number is called by position, as Python's operators are.
  EXPECT_EQ(refusal(OneNode::exported("item").arg("self", Int64, {}).again("self")), "takes 1 argument(s), not 2");
  EXPECT_EQ(refusal(OneNode::exported("item").arg("self", Int64, {})), "");
}

TEST(AtenSchema, AsManyResultsAsTheOverloadReturns) {
  const auto declares = [](std::size_t results, std::string_view name, std::string_view overload = "default") {
    return OneNode::exported(name, overload).arg("self", Float32, {3, 2}).attr("dim", 1).run(results).rejected();
  };
  EXPECT_EQ(declares(1, "cos"), "");
  EXPECT_EQ(declares(2, "cos"), "yields 1 value(s), but 2 are declared");
  EXPECT_EQ(declares(2, "max", "dim"), "");
  EXPECT_EQ(declares(3, "max", "dim"), "yields 2 value(s), but 3 are declared");
  // A tuple that is taken for a tensor; of three values two can be taken.
  EXPECT_EQ(declares(1, "max", "dim"), "yields 2 value(s), but 1 is declared");
  const auto norm = OneNode::exported("native_layer_norm")
                        .arg("input", Float32, {3, 2})
                        .ints("normalized_shape", {2})
                        .arg("weight", Float32, {2})
                        .arg("bias", Float32, {2})
                        .real("eps", 1e-5)
                        .run(2)
                        .rejected();
  EXPECT_EQ(norm, "");
  // A list of any length.
  EXPECT_EQ(declares(2, "unbind", "int"), "");
}

/// An argument of another kind than its parameter: torch converts a few.
TEST(AtenSchema, KindsOfArguments) {
  const auto softmax = [] { return std::move(OneNode::exported("softmax", "int").arg("self", Float32, {2, 3})); };
  EXPECT_EQ(refusal(softmax().attr("dim", 1)), "");
  EXPECT_EQ(refusal(softmax().arg("dim", Int64, {})), ""); // `int(tensor)`
  EXPECT_EQ(refusal(softmax().real("dim", 1.5)), "the argument 'dim' is 1.5, expected an integer");
  EXPECT_EQ(refusal(softmax().ints("dim", {1})), "the argument 'dim' is a list of integers, expected an integer");
  EXPECT_EQ(refusal(softmax().arg("dim", Int64, {2})), "the argument 'dim' is a tensor, int64[2], expected an integer");
  EXPECT_EQ(refusal(OneNode::exported("relu").attr("self", 1)), "the argument 'self' is 1, expected a tensor");
  EXPECT_EQ(refusal(OneNode::exported("cat").arg("tensors", Float32, {3})),
            "the argument 'tensors' is a tensor, float32[3], expected a list of tensors");
  EXPECT_EQ(refusal(OneNode::exported("clamp").arg("self", Float32, {3}).arg("min", Float32, {})),
            "the argument 'min' is a tensor, float32[], expected a number");
  // One integer stands for a list of known length.
  EXPECT_EQ(refusal(OneNode::exported("sum", "dim_IntList").arg("self", Float32, {3}).attr("dim", 0)), "");
}

/// `x + 1` is exported as add.Tensor with a number (should_allow_numbers_as_tensors).
TEST(AtenSchema, NumbersForTensors) {
  EXPECT_EQ(refusal(OneNode::exported("add", "Tensor").arg("self", Float32, {3}).attr("other", 1)), "");
  EXPECT_EQ(refusal(OneNode::exported("mul_", "Tensor").arg("self", Float32, {3}).real("other", 0.5)), "");
  EXPECT_EQ(refusal(OneNode::exported("atan2").arg("self", Float32, {3}).attr("other", 1)),
            "the argument 'other' is 1, expected a tensor");
}

TEST(AtenSchema, AxesAreInRange) {
  const auto cumsum = [](std::int64_t dim) {
    return refusal(OneNode::exported("cumsum").arg("self", Float32, {2, 3}).attr("dim", dim));
  };
  EXPECT_EQ(cumsum(1), "");
  EXPECT_EQ(cumsum(-2), "");
  EXPECT_EQ(cumsum(2), "'dim' is 2, which is out of range for rank 2");
  EXPECT_EQ(cumsum(-3), "'dim' is -3, which is out of range for rank 2");
  // A number counts as a list of one, but not everywhere.
  EXPECT_EQ(refusal(OneNode::exported("cumsum").arg("self", Float32, {}).attr("dim", -1)), "");
  EXPECT_EQ(refusal(OneNode::exported("unbind", "int").arg("self", Float32, {}).attr("dim", 0)),
            "'dim' is 0, but the operand has no axes");
  // These add one.
  EXPECT_EQ(refusal(OneNode::exported("unsqueeze").arg("self", Float32, {2}).attr("dim", 1)), "");
  EXPECT_EQ(refusal(OneNode::exported("unsqueeze").arg("self", Float32, {2}).attr("dim", 2)),
            "'dim' is 2, which is out of range for rank 1");
  // Counts, not axes; and a list of no axes among others.
  EXPECT_EQ(refusal(OneNode::exported("tile").arg("self", Float32, {2}).ints("dims", {4, 5})), "");
  OneNode cat = OneNode::exported("cat");
  const Type none = cat.tensorType(Float32, {0}), image = cat.tensorType(Float32, {2, 3, 4});
  EXPECT_EQ(refusal(cat.args("tensors", {none, image}).attr("dim", 2)), "");
  // Of an unknown rank nothing is said.
  OneNode unranked = OneNode::exported("cumsum");
  EXPECT_EQ(refusal(unranked.arg("self", unranked.rankless(Float32)).attr("dim", 7)), "");
}

TEST(AtenSchema, AxesOfWhatIsNotCalledSelf) {
  const auto softmax = [](int dim) {
    OneNode n = OneNode::exported("_softmax_backward_data");
    n.arg("grad_output", DType::Float32, {2, 3}).arg("output", DType::Float32, {2, 3});
    return n.attr("dim", dim).attr("input_dtype", DType::Float32).run().rejected();
  };
  EXPECT_EQ(softmax(1), "");
  EXPECT_EQ(softmax(-2), "");
  EXPECT_EQ(softmax(-99), "'dim' is -99, which is out of range for rank 2");
  const auto trapezoid = [](int dim) {
    OneNode n = OneNode::exported("trapezoid", "dx");
    return n.arg("y", DType::Float32, {2, 3}).attr("dim", dim).run().rejected();
  };
  EXPECT_EQ(trapezoid(-1), "");
  EXPECT_NE(trapezoid(2), "");
}

TEST(AtenSchema, AxesAreNamedOnce) {
  const auto call = [](std::string_view name, std::string_view overload, std::string_view axes) {
    OneNode n = OneNode::exported(name, overload);
    n.arg("self", Float32, {2, 3}).ints(axes, {1, -1});
    if (name == "roll")
      n.ints("shifts", {1, 1});
    return refusal(n);
  };
  EXPECT_EQ(call("amax", "default", "dim"), "'dim' names the axis 1 twice");
  EXPECT_EQ(call("flip", "default", "dims"), "'dims' names the axis 1 twice");
  EXPECT_EQ(call("roll", "default", "dims"), ""); // twice as far
}

TEST(AtenSchema, NothingIsDoneWithNothing) {
  EXPECT_EQ(refusal(OneNode::exported("roll").arg("self", Float32, {0}).ints("shifts", {1}).ints("dims", {7})), "");
  EXPECT_EQ(refusal(OneNode::exported("diff").arg("self", Float32, {3}).attr("n", 0).attr("dim", 7)), "");
  EXPECT_EQ(refusal(OneNode::exported("diff").arg("self", Float32, {3}).attr("dim", 7)),
            "'dim' is 7, which is out of range for rank 1");
}

// "required rank 4 tensor to use channels_last format", of each operator that takes a format.
TEST(AtenSchema, AMemoryFormatIsOfSoManyAxes) {
  constexpr int channelsLast = 2, channelsLast3d = 3, preserve = 4;
  const auto clone = [](std::vector<OneNode::Size> shape, int format, std::string_view op = "clone") {
    return refusal(OneNode::exported(op).arg("self", Float32, std::move(shape)).attr("memory_format", format));
  };
  EXPECT_EQ(clone({2, 3, 4, 5}, channelsLast), "");
  EXPECT_EQ(clone({2, 3, 4}, channelsLast), "'self' has 3 axes, but the memory format channels_last is one of 4");
  EXPECT_EQ(clone({2, 3, 4, 5}, channelsLast3d),
            "'self' has 4 axes, but the memory format channels_last_3d is one of 5");
  EXPECT_EQ(clone({2, 3, 4}, preserve), "");
  for (const std::string_view op : {"contiguous", "_to_copy", "zeros_like", "empty_like"})
    EXPECT_EQ(clone({3}, channelsLast, op), "'self' has 1 axes, but the memory format channels_last is one of 4") << op;
  EXPECT_EQ(
      refusal(OneNode::exported("empty", "memory_format").ints("size", {2, 3}).attr("memory_format", channelsLast)),
      "'size' has 2 axes, but the memory format channels_last is one of 4");
}

TEST(AtenSchema, WindowsAndListsAsTheShapeFunctionsTakeThem) {
  const auto pool = [](std::vector<std::int64_t> kernel, std::vector<std::int64_t> stride, std::int64_t pad,
                       std::int64_t dilation = 1) {
    return refusal(OneNode::exported("max_pool2d")
                       .arg("self", Float32, {1, 2, 8, 8})
                       .ints("kernel_size", kernel)
                       .ints("stride", stride)
                       .ints("padding", {pad, pad})
                       .ints("dilation", {dilation, dilation}));
  };
  EXPECT_EQ(pool({2, 2}, {2, 2}, 1), "");
  EXPECT_EQ(pool({2, 2}, {}, 1), "");
  EXPECT_EQ(pool({2, 2}, {1}, 1, 2), "");
  EXPECT_EQ(pool({2, 2}, {2, 2}, 2), "max_pool2d: 'padding' is 2, more than half of a window of 2");
  EXPECT_EQ(pool({2, 2}, {2, 2, 2}, 1), "max_pool2d: 'stride' has 3 entries, not 2");
  EXPECT_EQ(pool({2, 2, 2}, {2, 2}, 1), "max_pool2d: 'kernel_size' has 3 entries, not 2");
  const auto adaptive = [](std::vector<std::int64_t> sizes) {
    return refusal(OneNode::exported("adaptive_avg_pool2d")
                       .arg("self", Float32, {1, 2, 2, 3, 4, 4})
                       .ints("output_size", std::move(sizes)));
  };
  EXPECT_EQ(adaptive({1, 1}), ""); // a mean
  EXPECT_NE(adaptive({2, 1}), "");
  const auto reflection = [](std::vector<std::int64_t> padding) {
    return refusal(OneNode::exported("reflection_pad1d").arg("self", Float32, {2, 3, 5}).ints("padding", padding));
  };
  EXPECT_EQ(reflection({1, 1}), "");
  EXPECT_EQ(reflection({1, 1, 1, 1}), "'padding' has 4 entries, but must have 2");
  const auto diagonal = [](std::int64_t other) {
    return refusal(OneNode::exported("diagonal").arg("self", Float32, {2, 3}).attr("dim1", 1).attr("dim2", other));
  };
  EXPECT_EQ(diagonal(0), "");
  EXPECT_EQ(diagonal(-1), "diagonal: 'dim1' and 'dim2' are both axis 1");
  const auto flatten = [](std::int64_t first, std::int64_t last) {
    return refusal(OneNode::exported("flatten", "using_ints")
                       .arg("self", Float32, {2, 3})
                       .attr("start_dim", first)
                       .attr("end_dim", last));
  };
  EXPECT_EQ(flatten(0, 1), "");
  EXPECT_EQ(flatten(1, 0), "flatten: 'start_dim' is axis 1, behind 'end_dim', axis 0");
  const auto split = [](int rows) {
    return refusal(OneNode::exported("split", "Tensor").arg("self", Float32, {rows, 4}).attr("split_size", 0));
  };
  EXPECT_EQ(split(0), "");
  EXPECT_EQ(split(6), "split: pieces of no elements of an axis of 6");
  const auto layerNorm = [](std::vector<std::int64_t> shape) {
    return refusal(OneNode::exported("layer_norm").arg("input", Float32, {2, 3}).ints("normalized_shape", shape));
  };
  EXPECT_EQ(layerNorm({3}), "");
  EXPECT_EQ(layerNorm({}), "layer_norm: normalized_shape has no sizes");
}

TEST(AtenSchema, Limits) {
  const auto chunk = [](std::int64_t chunks) {
    return refusal(OneNode::exported("chunk").arg("self", Float32, {4}).attr("chunks", chunks));
  };
  EXPECT_EQ(chunk(1), "");
  EXPECT_EQ(chunk(0), "'chunks' is 0, but must be at least 1");
  const auto reduce = [](std::string_view how) {
    return refusal(OneNode::exported("scatter_reduce", "two")
                       .arg("self", Float32, {4})
                       .attr("dim", 0)
                       .arg("index", Int64, {2})
                       .arg("src", Float32, {2})
                       .attr("reduce", how));
  };
  EXPECT_EQ(reduce("amax"), "");
  EXPECT_EQ(reduce("largest"), "'reduce' is 'largest', not one of sum prod mean amax amin");
  const auto repeat = [](std::vector<std::int64_t> repeats) {
    return refusal(OneNode::exported("repeat").arg("self", Float32, {4}).ints("repeats", repeats));
  };
  EXPECT_EQ(repeat({0}), "");
  EXPECT_EQ(repeat({-1}), "'repeats' is -1, but must be at least 0");
  const auto strided = [](std::vector<std::int64_t> stride) {
    return refusal(
        OneNode::exported("as_strided").arg("self", Float32, {4}).ints("size", {2, 2}).ints("stride", stride));
  };
  EXPECT_EQ(strided({2, 1}), "");
  EXPECT_EQ(strided({1}), "'size' has 2 entries and 'stride' has 1");
}

TEST(AtenSchema, BoundsThatAreNotAdmittedThemselves) {
  const auto drawn = [](std::string_view name, std::string_view parameter, double number) {
    return refusal(OneNode::exported(name).arg("self", Float32, {4}).real(parameter, number));
  };
  EXPECT_EQ(drawn("exponential", "lambd", 0.5), "");
  EXPECT_EQ(drawn("exponential_", "lambd", 0.0), "'lambd' is 0, but must be more than 0");
  EXPECT_EQ(drawn("geometric", "p", 0.5), "");
  EXPECT_EQ(drawn("geometric", "p", 1.0), "'p' is 1, but must lie between 0 and 1");
  EXPECT_EQ(drawn("normal_", "std", 0.0), "");
}

TEST(AtenSchema, TheLowerOfTwoNumbersIsLower) {
  const auto uniform = [](double from, double to) {
    return refusal(OneNode::exported("uniform").arg("self", Float32, {4}).real("from", from).real("to", to));
  };
  EXPECT_EQ(uniform(0, 1), "");
  EXPECT_EQ(uniform(1, 1), "");
  EXPECT_EQ(uniform(1, 0), "'from' is 1 and 'to' is 0, which is not more");
  const auto random = [](std::int64_t low, std::int64_t high) {
    return refusal(OneNode::exported("randint", "low").attr("low", low).attr("high", high).ints("size", {2}));
  };
  EXPECT_EQ(random(2, 3), "");
  EXPECT_EQ(random(3, 3), "'low' is 3 and 'high' is 3, which is not more");
  EXPECT_EQ(refusal(OneNode::exported("randint").attr("high", 0).ints("size", {2})),
            "'low' is 0 and 'high' is 0, which is not more");
}

TEST(AtenSchema, RightSidesOfEquations) {
  using Shape = std::vector<OneNode::Size>;
  const auto solve = [](const Shape &a, const Shape &b, bool left = true) {
    return refusal(OneNode::exported("linalg_solve_triangular")
                       .arg("self", Float32, a)
                       .arg("B", Float32, b)
                       .attr("upper", true)
                       .attr("left", left));
  };
  EXPECT_EQ(solve({3, 3}, {3, 2}), "");
  EXPECT_EQ(solve({"n", "m"}, {3, 2}), "");
  EXPECT_EQ(solve({2, 3, 3}, {3, 2}), "") << "the batch stretches";
  EXPECT_EQ(solve({3, 4}, {3, 2}), "'self' is [3, 4], but must be square");
  EXPECT_EQ(solve({3, 3}, {2, 3}),
            "'self' is [3, 3] and 'B' is [2, 3], but must have as many rows, or columns where it stands on the left");
  EXPECT_EQ(solve({3, 3}, {2, 3}, false), "");
  EXPECT_EQ(solve({2, 3, 3}, {4, 3, 2}),
            "'self' is [2, 3, 3] and 'B' is [4, 3, 2], but must have batches that broadcast");
  const auto pivoted = [](const Shape &pivots) {
    return refusal(OneNode::exported("linalg_lu_solve")
                       .arg("LU", Float32, {2, 3, 3})
                       .arg("pivots", Int32, pivots)
                       .arg("B", Float32, {2, 3, 1}));
  };
  EXPECT_EQ(pivoted({2, 3}), "");
  EXPECT_EQ(pivoted({3}), "'LU' is [2, 3, 3] and 'pivots' is [3], but must have its sizes but the last");
}

TEST(AtenSchema, ElementsOfListsBesideEachOther) {
  const auto bags = [](std::vector<OneNode::Size> weights, std::vector<OneNode::Size> offsets) {
    return OneNode::exported("_embedding_bag_forward_only")
        .arg("weight", Float32, {10, 5})
        .arg("indices", Int64, {5})
        .arg("offsets", Int64, std::move(offsets))
        .arg("per_sample_weights", Float32, std::move(weights))
        .run(4)
        .rejected();
  };
  EXPECT_EQ(bags({5}, {2}), "");
  EXPECT_EQ(bags({4}, {2}), "'indices' is [5] and 'per_sample_weights' is [4], but must have as many elements");
  EXPECT_EQ(bags({5}, {}), "'offsets' has 0 axes, but must have 1");
  const auto put = [](std::vector<OneNode::Size> source) {
    OneNode n = OneNode::exported("put");
    n.arg("self", Float32, {3, 2}).arg("index", Int64, {2, 2});
    return refusal(n.arg("source", Float32, std::move(source)));
  };
  EXPECT_EQ(put({4}), "");
  EXPECT_EQ(put({3}), "'index' is [2, 2] and 'source' is [3], but must have as many elements");
  const auto distance = [](std::vector<OneNode::Size> other) {
    return refusal(OneNode::exported("dist").arg("self", Float32, {3, 2}).arg("other", Float32, std::move(other)));
  };
  EXPECT_EQ(distance({2}), "");
  EXPECT_EQ(distance({3}), "'self' is [3, 2] and 'other' is [3], but must have sizes that broadcast");
}

TEST(AtenSchema, ShapesThatNothingIsComputedWith) {
  const auto drawn = [](const std::vector<OneNode::Size> &shape) {
    return refusal(OneNode::exported("multinomial").arg("self", Float32, shape).attr("num_samples", 1));
  };
  EXPECT_EQ(drawn({2, 3, 4}), "'self' has 3 axes, but must have 1 to 2");
  EXPECT_EQ(drawn({2, 3}), "");
  const auto entries = [](const std::vector<std::int64_t> &size) {
    return refusal(OneNode::exported("upsample_nearest1d").arg("self", Float32, {2, 3, 4}).ints("output_size", size));
  };
  EXPECT_EQ(entries({6, 6}), "'output_size' has 2 entries, but must have 1");
  EXPECT_EQ(entries({6}), "");
  const auto scattered = [](const std::vector<OneNode::Size> &index) {
    return refusal(OneNode::exported("scatter_add")
                       .arg("self", Float32, {3, 4})
                       .attr("dim", 0)
                       .arg("index", Int64, index)
                       .arg("src", Float32, {3, 4}));
  };
  EXPECT_EQ(scattered({2}), "'self' is [3, 4] and 'index' is [2], but must have as many axes");
  EXPECT_EQ(scattered({2, 2}), "");
  EXPECT_EQ(scattered({0}), "") << "nothing is looked up";
  const auto unpooled = [](const std::vector<OneNode::Size> &at) {
    return refusal(OneNode::exported("max_unpool2d")
                       .arg("self", Float32, {1, 2, 2})
                       .arg("indices", Int64, at)
                       .ints("output_size", {4, 4}));
  };
  EXPECT_EQ(unpooled({1, 2, 3}), "'self' is [1, 2, 2] and 'indices' is [1, 2, 3], but must have one shape");
  EXPECT_EQ(unpooled({1, 2, 2}), "");
  EXPECT_EQ(refusal(OneNode::exported("empty_strided").ints("size", {2, 3}).ints("stride", {1})),
            "'size' has 2 entries and 'stride' has 1");
  EXPECT_EQ(refusal(OneNode::exported("empty_strided").ints("size", {}).ints("stride", {1})),
            "'size' has 0 entries and 'stride' has 1");
  EXPECT_EQ(refusal(OneNode::exported("roll").arg("self", Float32, {3}).ints("shifts", {1}).ints("dims", {})), "");
  EXPECT_EQ(refusal(OneNode::exported("roll").arg("self", Float32, {3}).ints("shifts", {}).ints("dims", {0})),
            "'shifts' has 0 entries, but must have at least 1");
  EXPECT_EQ(refusal(OneNode::exported("roll").arg("self", Float32, {}).ints("shifts", {1}).ints("dims", {0})),
            "'dims' is 0, but the operand has no axes");
}

TEST(AtenSchema, LossesOfShapesThatDoNotBroadcast) {
  const auto loss = [](const std::vector<OneNode::Size> &target) {
    return refusal(OneNode::exported("mse_loss").arg("self", Float32, {2, 3}).arg("target", Float32, target));
  };
  EXPECT_EQ(loss({2, 4}), "the operands of mse_loss do not broadcast: sizes 3 and 4 in axis -1");
  EXPECT_EQ(loss({2, 1}), "");
}

TEST(AtenSchema, PaddingsOfNamedAxes) {
  const auto padded = [](std::string_view name, std::vector<OneNode::Size> shape, std::vector<std::int64_t> padding) {
    return refusal(OneNode::exported(name).arg("self", Float32, std::move(shape)).ints("padding", std::move(padding)));
  };
  EXPECT_EQ(padded("reflection_pad1d", {2, 3}, {1, 1}), "");
  EXPECT_EQ(padded("reflection_pad1d", {0, 2, 3}, {1, 1}), "");
  EXPECT_EQ(padded("replication_pad2d", {"n", 2, 3, 3}, {1, 1, 1, 1}), "");
  EXPECT_EQ(padded("reflection_pad1d", {3}, {1, 1}), "'self' has 1 axes, but must have 2 to 3");
  EXPECT_EQ(padded("replication_pad2d", {2, 3, 3}, {1, 1}), "'padding' has 2 entries, but must have 4");
  EXPECT_EQ(padded("replication_pad1d", {0, 3}, {1, 1}), "replication_pad1d: the operand has no elements in axis 0");
}

TEST(AtenSchema, SamplesOfFractionalPools) {
  const auto pooled = [](std::vector<OneNode::Size> samples) {
    return OneNode::exported("fractional_max_pool2d")
        .arg("self", Float32, {2, 3, 9, 9})
        .ints("kernel_size", {3, 3})
        .ints("output_size", {2, 2})
        .arg("random_samples", Float32, std::move(samples))
        .run(2)
        .rejected();
  };
  EXPECT_EQ(pooled({2, 3, 2}), "");
  EXPECT_EQ(pooled({4, 3, 2}), "");
  EXPECT_EQ(pooled({"n", "c", 2}), "");
  EXPECT_NE(pooled({1, 3, 2}), "");
  EXPECT_NE(pooled({2, 2, 2}), "");
  EXPECT_NE(pooled({2, 3, 3}), "");
  const auto sized = [](std::int64_t rows) {
    OneNode n = OneNode::exported("fractional_max_pool2d");
    n.arg("self", Float32, {2, 3, 9, 9}).ints("kernel_size", {3, 3}).ints("output_size", {rows, 2});
    return n.arg("random_samples", Float32, {2, 3, 2}).run(2).rejected();
  };
  EXPECT_EQ(sized(7), "");
  EXPECT_EQ(sized(8), "fractional_max_pool2d: 8 windows of 3 have no room in 9");
  EXPECT_EQ(pooled({3, 2}), "'random_samples' has 2 axes, but must have 3");
}

TEST(AtenSchema, WhatIsStackedShuffledAndSampled) {
  EXPECT_EQ(refusal(OneNode::exported("stack").args("tensors", {})), "stack: there are no tensors");
  const auto shuffled = [](std::vector<OneNode::Size> shape) {
    return refusal(OneNode::exported("channel_shuffle").arg("self", Float32, std::move(shape)).attr("groups", 3));
  };
  EXPECT_EQ(shuffled({2, 6, 4}), "");
  EXPECT_EQ(shuffled({2, "c", 4}), "");
  EXPECT_EQ(shuffled({2, 8, 4}), "channel_shuffle: 8 channels are not divided evenly into 3 groups");
  EXPECT_NE(shuffled({2, 6}), "");
  const auto sampled = [](OneNode::Size batch) {
    OneNode n = OneNode::exported("grid_sampler_2d");
    n.arg("input", Float32, {2, 3, 5, 5}).arg("grid", Float32, {batch, 4, 4, 2});
    return refusal(n.attr("interpolation_mode", 0).attr("padding_mode", 0).attr("align_corners", 0));
  };
  EXPECT_EQ(sampled(2), "");
  EXPECT_EQ(sampled("n"), "");
  EXPECT_NE(sampled(1), "");
}

} // namespace
