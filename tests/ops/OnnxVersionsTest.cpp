//===- OnnxVersionsTest.cpp - Which operators ONNX has, and what they admit -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/OnnxVersions.h"
#include "OneNode.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

std::string check(OneNode &n, std::size_t outputs = 1) {
  n.run(outputs);
  Inference found;
  InferState state(n.m, found);
  InferContext ctx(n.m, n.node, &state);
  const bool sound = OnnxSchemas().fits(ctx);
  EXPECT_EQ(sound, found.invalid.empty());
  std::string text;
  for (const InvalidOperand &i : found.invalid)
    text += (text.empty() ? "" : "; ") + i.message;
  return text;
}

TEST(OnnxSchemas, NoOperatorTakesASparseTensor) {
  OneNode sparse = OneNode::onnx("Identity", 18);
  Type t = sparse.tensorType(DType::Float32, {4});
  t.layout = Layout::SparseCoo;
  EXPECT_NE(sparse.in(t).run().rejected().find("but is a sparse tensor"), std::string::npos);
  EXPECT_EQ(OneNode::onnx("Identity", 18).in(DType::Float32, {4}).run().rejected(), "");
}

TEST(OnnxVersions, OperatorsComeAndGo) {
  EXPECT_EQ(onnxOperatorExists("", "Relu", 1), true);
  EXPECT_EQ(onnxOperatorExists("ai.onnx", "Relu", 13), true);
  EXPECT_EQ(onnxOperatorExists("", "Gelu", 19), false);
  EXPECT_EQ(onnxOperatorExists("", "Gelu", 20), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 9), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 10), false);
  EXPECT_EQ(onnxOperatorExists("", "Scatter", 11), false);
  EXPECT_EQ(onnxOperatorExists("ai.onnx.ml", "TreeEnsemble", 5), true);
  EXPECT_EQ(onnxOperatorExists("ai.onnx.ml", "Relu", 1), false);
  EXPECT_EQ(onnxOperatorExists("", "Relu", 0), false);
}

TEST(OnnxVersions, WhatIsNotKnownStaysOpen) {
  EXPECT_EQ(onnxOperatorExists("com.example", "Relu", 1), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "Relu", 1000), true);
  EXPECT_EQ(onnxOperatorExists("", "Upsample", 1000), false);
  EXPECT_EQ(onnxOperatorExists("", "Novelty", 1000), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "Novelty", 20), false);
  EXPECT_EQ(onnxOperatorExists("", "Relu", -1), std::nullopt);
  // Withdrawn afterwards; it was valid when 18 was new.
  EXPECT_EQ(onnxOperatorExists("", "GroupNormalization", 18), std::nullopt);
  EXPECT_EQ(onnxOperatorExists("", "GroupNormalization", 21), true);
  // An experiment of early versions.
  EXPECT_EQ(onnxOperatorExists("", "ImageScaler", 8), std::nullopt);
}

TEST(OnnxVersions, InputsAreCounted) {
  OneNode two = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(two.in(Float32, {2}).in(Float32, {2})), "Relu takes 1 input, but has 2");
  OneNode none = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(none.attr("axis", 0)), "Concat takes at least 1 inputs, but has 0");
  OneNode many = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(many.attr("axis", 0).in(Float32, {2}).in(Float32, {2}).in(Float32, {2})), "");
  // What its one input is meant to be is not known, nor that it is all right.
  OneNode few = OneNode::onnx("And", 7), both = OneNode::onnx("And", 7), blank = OneNode::onnx("Where", 16);
  EXPECT_EQ(check(few.in(Float32, {2})), "And takes 2 inputs, but has 1");
  EXPECT_EQ(check(blank.in(Bool, {2}).absent()), "Where takes 3 inputs, but has 2");
  EXPECT_TRUE(check(both.in(Float32, {2}).in(Bool, {2})).starts_with("input 0 of And must be"));
  OneNode hole = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(hole.in(Float32, {2}).absent()), "Add needs its input 1");
  OneNode optional = OneNode::onnx("Clip", 13);
  EXPECT_EQ(check(optional.in(Float32, {2}).absent().in(Float32, {})), "");
}

TEST(OnnxVersions, ElementTypesAreAdmittedByVersion) {
  OneNode old = OneNode::onnx("Relu", 13);
  EXPECT_NE(check(old.in(Int32, {2})), "");
  OneNode current = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(current.in(Int32, {2})), "");
  OneNode mixed = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(mixed.in(Float32, {2}).in(Int64, {2})),
            "inputs 0 and 1 of Add must have one element type, but are float32 and int64");
  OneNode open = OneNode::onnx("Add", 14);
  EXPECT_EQ(check(open.in(Float32, {2}).in(Type())), "");
}

TEST(OnnxVersions, KindsAreAdmitted) {
  OneNode n = OneNode::onnx("Relu", 14);
  EXPECT_NE(check(n.in(n.of(ValueKind::Sequence, n.tensorType(Float32, {2})))), "");
  OneNode tensor = OneNode::onnx("SequenceLength", 11);
  EXPECT_NE(check(tensor.in(Float32, {2})), "");
  OneNode sequence = OneNode::onnx("SequenceLength", 11);
  EXPECT_EQ(check(sequence.in(sequence.of(ValueKind::Sequence, sequence.tensorType(Float32, {2})))), "");
  OneNode optional = OneNode::onnx("OptionalHasElement", 15);
  EXPECT_EQ(check(optional.in(optional.of(ValueKind::Optional, optional.tensorType(Float32, {2})))), "");
  OneNode map = OneNode::onnx("DictVectorizer", 1, "ai.onnx.ml");
  Type t;
  t.kind = ValueKind::Map;
  EXPECT_EQ(check(map.in(t).ints("int64_vocabulary", {1})), "");
  OneNode relu = OneNode::onnx("Relu", 14);
  EXPECT_NE(check(relu.in(t)), "");
}

TEST(OnnxVersions, AttributesAreThoseOfTheVersion) {
  OneNode extra = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(extra.in(Float32, {2}).attr("alpha", 1)), "Relu has no attribute 'alpha' at version 14");
  OneNode open = OneNode::onnx("LayerNormalization", 17);
  EXPECT_EQ(check(open.in(Float32, {2, 3}).in(Float32, {3}).attr("alpha", 1)), "");
  OneNode moved = OneNode::onnx("Squeeze", 13);
  EXPECT_NE(check(moved.in(Float32, {1}).ints("axes", {0})), "");
  OneNode before = OneNode::onnx("Squeeze", 11);
  EXPECT_EQ(check(before.in(Float32, {1}).ints("axes", {0})), "");
  OneNode missing = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(missing.in(Float32, {2})), "Concat needs the attribute 'axis'");
  OneNode wrong = OneNode::onnx("Concat", 13);
  EXPECT_EQ(check(wrong.in(Float32, {2}).real("axis", 1)),
            "the attribute 'axis' of Concat must be an int, but is a float");
  OneNode hidden = OneNode::onnx("Relu", 14);
  EXPECT_EQ(check(hidden.in(Float32, {2}).attr("__note", 1)), "");
}

TEST(OnnxVersions, NewerVersionsAreNotJudged) {
  OneNode n = OneNode::onnx("Relu", 1000);
  EXPECT_EQ(check(n.in(Float32, {2}).attr("alpha", 1)), "");
  OneNode custom = OneNode::onnx("Relu", 1, "com.example");
  EXPECT_EQ(check(custom.attr("alpha", 1)), "");
}

/// What onnx's inference refuses and no schema says.
TEST(OnnxLimits, ElementTypesOfAttributes) {
  const auto cast = [](std::int64_t to) {
    OneNode n = OneNode::onnx("Cast", 21);
    return n.in(Float32, {2}).attr("to", to).run().rejected();
  };
  EXPECT_EQ(cast(7), "");
  EXPECT_EQ(cast(0), "to of Cast is 0, which is no element type of ONNX");
  EXPECT_EQ(cast(-1), "to of Cast is -1, which is no element type of ONNX");
}

TEST(OnnxLimits, RanksOfInputs) {
  const auto dropout = [](std::vector<OneNode::Size> ratio) {
    OneNode n = OneNode::onnx("Dropout", 13);
    return n.in(Float32, {2, 3}).in(Float32, std::move(ratio)).run().rejected();
  };
  EXPECT_EQ(dropout({}), "");
  EXPECT_EQ(dropout({1}), "input 1 of Dropout must have 0 axes, but has 1");
  // Up to version 7 statistics could have more axes.
  for (const std::int32_t version : {7, 9}) {
    OneNode n = OneNode::onnx("BatchNormalization", version);
    n.in(Float32, {1, 2, 4});
    for (int i = 0; i < 4; ++i)
      n.in(Float32, {2, 4});
    EXPECT_EQ(n.run().rejected(), version == 7 ? "" : "input 1 of BatchNormalization must have 1 axis, but has 2");
  }
}

TEST(OnnxLimits, ConvolutionsHaveAnAxisInSpace) {
  for (const char *op : {"Conv", "ConvTranspose"}) {
    OneNode flat = OneNode::onnx(op, 11), line = OneNode::onnx(op, 11);
    EXPECT_EQ(check(flat.in(Float32, {2, 3}).in(Float32, {3, 3})),
              fmt::format("input 0 of {} must have at least 3 axes, but has 2", op));
    EXPECT_EQ(check(line.in(Float32, {2, 3, 8}).in(Float32, {3, 3, 1})), "");
  }
}

TEST(OnnxLimits, ListsHaveOneAxis) {
  const auto node = [](std::string_view op, std::int32_t version, std::vector<OneNode::Size> list) {
    OneNode n = OneNode::onnx(op, version);
    return n.in(Float32, {2, 3}).in(Int64, std::move(list)).run(op == "Split" ? 2 : 1).rejected();
  };
  for (const std::string_view op : {"ReduceSum", "Squeeze", "Unsqueeze", "Split", "Tile", "Expand", "Reshape"}) {
    EXPECT_EQ(node(op, 18, {2}), "") << op;
    EXPECT_NE(node(op, 18, {1, 2}), "") << op;
  }
  OneNode size = OneNode::onnx("Expand", 18);
  EXPECT_EQ(size.in(Float32, {2, 3}).numbers({3}, true).run().rejected(), "");
  EXPECT_EQ(node("Unsqueeze", 18, {}), ""); // one axis: runtimes take the number alone
  EXPECT_EQ(node("Squeeze", 18, {}), "input 1 of Squeeze must have 1 axis, but has 0");
  EXPECT_EQ(node("ReduceMax", 18, {1, 1}), "input 1 of ReduceMax must have 1 axis, but has 2");
  const auto eye = [](std::vector<OneNode::Size> sizes) {
    return OneNode::onnx("EyeLike", 9).in(Float32, std::move(sizes)).run().rejected();
  };
  EXPECT_EQ(eye({2, 3}), "");
  EXPECT_EQ(eye({3}), "input 0 of EyeLike must have 2 axes, but has 1");
}

TEST(OnnxLimits, SingleNumbers) {
  const auto node = [](std::string_view op, std::vector<OneNode::Size> number) {
    OneNode n = OneNode::onnx(op, 14);
    return n.in(Float32, {2, 3}).in(op == "Clip" ? Float32 : Int64, std::move(number)).run().rejected();
  };
  for (const std::string_view op : {"Clip", "CumSum", "Trilu"}) {
    EXPECT_EQ(node(op, {}) + node(op, {1}) + node(op, {"n"}), "") << op;
    EXPECT_NE(node(op, {2}), "") << op;
    EXPECT_NE(node(op, {1, 1}), "") << op;
  }
  EXPECT_EQ(node("Clip", {2}), "input 1 of Clip must be one number, but has the shape [2]");
}

TEST(OnnxLimits, WhatIsStretchedDoesNotStretch) {
  const auto norm = [](std::vector<OneNode::Size> scale) {
    OneNode n = OneNode::onnx("LayerNormalization", 17);
    return n.in(Float32, {2, 3}).in(Float32, std::move(scale)).run().rejected();
  };
  EXPECT_EQ(norm({3}) + norm({1}) + norm({}) + norm({2, 3}) + norm({"n"}), "");
  EXPECT_EQ(norm({2}), "LayerNormalization: input 1 of the shape [2] does not broadcast to [2, 3]");
  EXPECT_NE(norm({1, 2, 3}), "");
  const auto slope = [](std::int32_t version, std::vector<OneNode::Size> sizes) {
    return OneNode::onnx("PRelu", version).in(Float32, {2, 3}).in(Float32, std::move(sizes)).run().rejected();
  };
  EXPECT_EQ(slope(16, {3}) + slope(16, {1, 1}) + slope(6, {2}), "");
  EXPECT_EQ(slope(16, {1, 1, 1}), "") << "nobody looks at it, and both are stretched";
  EXPECT_EQ(slope(16, {2}), "PRelu: a slope of the shape [2] does not broadcast to [2, 3]");
  const auto gemm = [](std::int32_t version, std::vector<OneNode::Size> c) {
    OneNode n = OneNode::onnx("Gemm", version);
    return n.in(Float32, {2, 3}).in(Float32, {3, 4}).in(Float32, std::move(c)).run().rejected();
  };
  EXPECT_EQ(gemm(13, {4}) + gemm(13, {}) + gemm(13, {2, 1}) + gemm(6, {2}), "");
  EXPECT_EQ(gemm(13, {2}), "Gemm: input 2 of the shape [2] does not broadcast to [2, 4]");
}

TEST(OnnxLimits, RunningStatisticsAreOutputsOfTraining) {
  const auto batch = [](std::int32_t version, std::size_t outputs, std::int64_t training) {
    OneNode n = OneNode::onnx("BatchNormalization", version);
    n.in(Float32, {1, 2, 4});
    for (int i = 0; i < 4; ++i)
      n.in(Float32, {2});
    if (version >= 14)
      n.attr("training_mode", training);
    return n.run(outputs).rejected();
  };
  EXPECT_EQ(batch(15, 1, 0) + batch(15, 3, 1) + batch(9, 1, 0) + batch(9, 5, 0), "");
  EXPECT_EQ(batch(15, 3, 0), "BatchNormalization has 1 output without training_mode, but is given 3");
  EXPECT_EQ(batch(15, 1, 1), "BatchNormalization has 3 outputs with training_mode, but is given 1");
  EXPECT_EQ(batch(9, 3, 0), "BatchNormalization has 1 or 5 outputs, but is given 3");
}

TEST(OnnxLimits, RemaindersOfFractionsAreAskedFor) {
  const auto mod = [](DType t, std::int64_t fmod) {
    return OneNode::onnx("Mod", 13).in(t, {2}).in(t, {2}).attr("fmod", fmod).run().rejected();
  };
  EXPECT_EQ(mod(Int64, 0) + mod(Int64, 1) + mod(Float32, 1), "");
  EXPECT_EQ(mod(Float32, 0), "Mod of float32 needs the attribute 'fmod' to be 1");
}

TEST(OnnxLimits, AConstantHasOneValue) {
  OneNode none = OneNode::onnx("Constant", 13), one = OneNode::onnx("Constant", 13),
          two = OneNode::onnx("Constant", 13);
  EXPECT_EQ(none.run().rejected(), "Constant has 0 of the attributes that may say its value, and needs one");
  EXPECT_EQ(one.attr("value_int", 1).run().rejected(), "");
  EXPECT_NE(two.attr("value_int", 1).real("value_float", 1).run().rejected(), "");
}

TEST(OnnxLimits, ResizeHasOneSize) {
  const auto resize = [](std::int32_t version, bool scales, bool sizes) {
    OneNode n = OneNode::onnx("Resize", version);
    n.in(Float32, {1, 1, 2, 2}).in(Float32, {8});
    scales ? n.in(Float32, {4}) : n.absent();
    if (sizes)
      n.in(Int64, {4});
    return n.run().rejected();
  };
  EXPECT_EQ(resize(13, true, false) + resize(13, false, true), "");
  EXPECT_EQ(resize(11, true, true), "Resize needs either scales or sizes, and has both");
  EXPECT_EQ(resize(13, true, true), "Resize needs either scales or sizes, and has both");
  EXPECT_EQ(resize(13, false, false), "Resize needs either scales or sizes, and has neither");
  OneNode empty = OneNode::onnx("Resize", 13); // what some exporters write
  EXPECT_EQ(empty.in(Float32, {1, 1, 2, 2}).absent().in(Float32, {0}).in(Int64, {4}).run().rejected(), "");
}

TEST(OnnxLimits, NumbersAndHeads) {
  const auto blocks = [](std::int64_t size) {
    OneNode n = OneNode::onnx("SpaceToDepth", 13);
    return n.in(Float32, {1, 1, 4, 4}).attr("blocksize", size).run().rejected();
  };
  EXPECT_EQ(blocks(2), "");
  EXPECT_EQ(blocks(0), "blocksize of SpaceToDepth is 0, but must be at least 1");
  const auto attention = [](bool heads) {
    OneNode n = OneNode::onnx("Attention", 23);
    n.in(Float32, {1, 4, 8}).in(Float32, {1, 6, 8}).in(Float32, {1, 6, 8});
    if (heads)
      n.attr("q_num_heads", 2).attr("kv_num_heads", 2);
    return n.run().rejected();
  };
  EXPECT_EQ(attention(true), "");
  EXPECT_EQ(attention(false), "input 0 of Attention has 3 axes and needs q_num_heads to be at least 1");
  OneNode two = OneNode::onnx("OneHot", 11), one = OneNode::onnx("OneHot", 11);
  EXPECT_EQ(two.in(Int64, {3}).in(Int64, {2}).in(Float32, {2}).run().rejected(),
            "input 1 of OneHot must be one number, but has the shape [2]");
  EXPECT_EQ(one.in(Int64, {3}).in(Int64, {1}).in(Float32, {2}).run().rejected(), "");
}

TEST(OnnxLimits, WordsOfAttributes) {
  const auto resize = [](std::string_view mode) {
    OneNode n = OneNode::onnx("Resize", 13);
    return n.in(Float32, {1, 1, 2, 2}).absent().in(Float32, {4}).attr("mode", mode).run().rejected();
  };
  EXPECT_EQ(resize("cubic"), "");
  EXPECT_EQ(resize("bicubic"), "Resize has no mode 'bicubic'");
  EXPECT_EQ(resize(""), "Resize has no mode ''");
  const auto rounded = [](std::string_view mode) {
    OneNode n = OneNode::onnx("Resize", 13);
    return n.in(Float32, {1, 1, 2, 2}).absent().in(Float32, {4}).attr("nearest_mode", mode).run().rejected();
  };
  EXPECT_EQ(rounded("floor") + rounded(""), "");
  EXPECT_EQ(rounded("round"), "Resize has no nearest_mode 'round'");
  const auto sample = [](std::int32_t version, std::string_view mode) {
    OneNode n = OneNode::onnx("GridSample", version);
    return n.in(Float32, {1, 1, 4, 4}).in(Float32, {1, 2, 2, 2}).attr("mode", mode).run().rejected();
  };
  EXPECT_EQ(sample(16, "bilinear") + sample(20, "linear"), "");
  EXPECT_EQ(sample(20, "bilinear"), "GridSample has no mode 'bilinear'"); // as version 16 called it
  EXPECT_EQ(sample(16, "linear"), "GridSample has no mode 'linear'");
  const auto norm = [](std::int64_t p) {
    return OneNode::onnx("LpNormalization", 1).in(Float32, {2, 3}).attr("p", p).run().rejected();
  };
  EXPECT_EQ(norm(1) + norm(2), "");
  EXPECT_EQ(norm(3), "p of LpNormalization is 3, but must be from 1 to 2");
  const auto pool = [](std::string_view padding) {
    OneNode n = OneNode::onnx("MaxPool", 12);
    n.ints("kernel_shape", {3, 3}).ints("pads", {1, 1, 1, 1}).attr("auto_pad", padding);
    n.in(Float32, {1, 1, 4, 4}).run();
    return n.type() + n.rejected();
  };
  EXPECT_EQ(pool(""), "float32[1, 1, 4, 4]");
  EXPECT_EQ(pool("NOTSET"), "float32[1, 1, 4, 4]");
  EXPECT_NE(pool("SAME"), "float32[1, 1, 4, 4]");
  const auto attention = [](std::string_view rule, bool decay, bool beta) {
    OneNode n = OneNode::onnx("LinearAttention", 27);
    n.attr("q_num_heads", 2).attr("kv_num_heads", 2).attr("update_rule", rule);
    n.in(Float32, {1, 4, 8}).in(Float32, {1, 4, 8}).in(Float32, {1, 4, 8}).absent();
    decay ? n.in(Float32, {1, 4, 8}) : n.absent();
    if (beta)
      n.in(Float32, {1, 4, 2});
    return n.run(2).rejected();
  };
  EXPECT_EQ(attention("gated_delta", true, true) + attention("gated", true, false) + attention("delta", false, true) +
                attention("linear", false, false),
            "");
  EXPECT_EQ(attention("gated", false, true), "LinearAttention needs its input 4 for the update rule 'gated'");
  EXPECT_EQ(attention("gated_delta", true, false),
            "LinearAttention needs its input 5 for the update rule 'gated_delta'");
}

TEST(OnnxLimits, OperandsFitOneAnother) {
  using Shape = std::vector<OneNode::Size>;
  const auto grid = [](const Shape &from, const Shape &places) {
    return OneNode::onnx("GridSample", 20).in(Float32, from).in(Float32, places).run().rejected();
  };
  EXPECT_EQ(grid({2, 3, 4, 5}, {2, 6, 7, 2}) + grid({2, 3, 4, 5, 6}, {2, 6, 7, 8, 3}), "");
  EXPECT_EQ(grid({2, 3, 4, 5}, {2, 6, 7, 3}),
            "GridSample: the grid's places have 3 coordinates, the operand has 2 axes for them");
  const auto scatter = [](const Shape &update) {
    OneNode n = OneNode::onnx("TensorScatter", 24);
    return n.in(Float32, {2, 3, 4, 5}).in(Float32, update).in(Int64, {2}).run().rejected();
  };
  EXPECT_EQ(scatter({2, 3, 1, 5}), "");
  EXPECT_EQ(scatter({2, 3, 5}), "input 1 of TensorScatter must have as many axes as input 0, but they have 3 and 4");
  const auto conv = [](int channels) {
    OneNode n = OneNode::onnx("CausalConvWithState", 27);
    return n.in(Float32, {2, 3, 8}).in(Float32, {3, channels, 4}).run(2).rejected();
  };
  EXPECT_EQ(conv(1), "");
  EXPECT_EQ(conv(3), "axis 1 of input 1 of CausalConvWithState must be 1, but is 3");
  const auto heads = [](std::int64_t query, std::int64_t key, const Shape &state) {
    OneNode n = OneNode::onnx("LinearAttention", 27);
    n.attr("q_num_heads", query).attr("kv_num_heads", key).attr("update_rule", "linear");
    n.in(Float32, {2, 3, static_cast<int>(query) * 4}).in(Float32, {2, 3, 8}).in(Float32, {2, 3, 8});
    return n.in(Float32, state).run(2).rejected();
  };
  EXPECT_EQ(heads(4, 2, {2, 2, 4, 4}), "");
  EXPECT_EQ(heads(3, 2, {2, 2, 4, 4}), "q_num_heads of LinearAttention is 3, which is no multiple of kv_num_heads, 2");
  EXPECT_EQ(heads(2, 2, {2, 2, 4}), "input 3 of LinearAttention must have 4 axes, but has 3");
}

TEST(OnnxLimits, ListsAreAsLongAsTheirAxes) {
  const auto columns = [](std::vector<std::int64_t> strides, std::vector<std::int64_t> pads) {
    OneNode n = OneNode::onnx("Col2Im", 18);
    n.in(Float32, {1, 5, 5}).numbers({5, 5}).numbers({1, 5});
    return n.ints("strides", std::move(strides)).ints("pads", std::move(pads)).run().rejected();
  };
  EXPECT_EQ(columns({1, 1}, {0, 0, 0, 0}), "");
  EXPECT_EQ(columns({2}, {0, 0, 0, 0}), "Col2Im: 'strides' has 1 entries, expected 2");
  EXPECT_EQ(columns({1, 1}, {0, 0}), "Col2Im: 'pads' has 2 entries, expected 4");
  const auto sizes = [](int count) {
    OneNode n = OneNode::onnx("Resize", 18);
    n.in(Float32, {1, 1, 4, 4}).absent().absent().in(Int64, {count});
    return n.ints("axes", {2, 3}).run().rejected();
  };
  EXPECT_EQ(sizes(2) + sizes(-1), "");
  EXPECT_EQ(sizes(3), "Resize: 3 sizes for 2 axes");
  const auto split = [](std::int64_t outputs) {
    return OneNode::onnx("Split", 18).in(Float32, {6}).attr("num_outputs", outputs).run(2).rejected();
  };
  EXPECT_EQ(split(2), "");
  OneNode equal = OneNode::onnx("Split", 13), neither = OneNode::onnx("Split", 18);
  EXPECT_EQ(equal.in(Float32, {6}).run(2).rejected(), ""); // equal pieces, before they had to be asked for
  EXPECT_EQ(neither.in(Float32, {6}).run(2).rejected(),
            "Split needs either its input 1 or num_outputs, and has neither");
  EXPECT_EQ(split(3), "Split: num_outputs is 3, but there are 2 outputs");
}

TEST(OnnxLimits, ScalesAndAxesAreOneEach) {
  const auto scaled = [](std::int32_t version, int count) {
    OneNode n = OneNode::onnx("Resize", version);
    n.in(Float32, {2, 3});
    if (version > 10)
      n.absent();
    return n.in(Float32, {count}).run().rejected();
  };
  EXPECT_EQ(scaled(10, 2) + scaled(13, 2) + scaled(13, -1), "");
  EXPECT_EQ(scaled(13, 3), "Resize: 3 scales for 2 axes");
  EXPECT_EQ(scaled(10, 1), "Resize: 1 scales for 2 axes");
  const auto slice = [](std::vector<int> axes) {
    return OneNode::onnx("Slice", 13)
        .in(Float32, {2, 3})
        .numbers({0, 0})
        .numbers({1, 1})
        .numbers(std::move(axes))
        .run()
        .rejected();
  };
  EXPECT_EQ(slice({0, -1}), "");
  EXPECT_EQ(slice({0, -2}), "Slice: axis -2 is given twice");
}

TEST(OnnxLimits, IndicesPointInside) {
  const auto gather = [](std::string_view op, std::vector<OneNode::Size> sizes) {
    return OneNode::onnx(op, 13).in(Float32, {2, 3}).in(Int64, std::move(sizes)).run().rejected();
  };
  EXPECT_EQ(gather("GatherElements", {5, 3}) + gather("GatherElements", {1, "n"}), "");
  EXPECT_EQ(gather("GatherElements", {1, 4}), "GatherElements: the indices have 4 in axis 1, the operand 3");
  EXPECT_EQ(gather("GatherElements", {2}), "GatherElements: the operand has rank 2, the indices have rank 1");
  const auto scatter = [](std::string_view op, std::vector<OneNode::Size> at, std::vector<OneNode::Size> updates) {
    OneNode n = OneNode::onnx(op, 18);
    return n.in(Float32, {2, 3}).in(Int64, std::move(at)).in(Float32, std::move(updates)).run().rejected();
  };
  EXPECT_EQ(scatter("ScatterElements", {1, 2}, {1, 2}) + scatter("ScatterND", {4, 1}, {4, 3}) +
                scatter("ScatterND", {4, 2}, {4}) + scatter("ScatterND", {"n", 2}, {4}),
            "");
  EXPECT_EQ(scatter("ScatterElements", {1, 2}, {1, 1}),
            "ScatterElements: the updates have the shape [1, 1], expected [1, 2]");
  EXPECT_EQ(scatter("ScatterND", {4, 2}, {4, 1}), "ScatterND: the updates have the shape [4, 1], expected [4]");
  EXPECT_EQ(scatter("ScatterND", {4, 3}, {4}), "ScatterND: an index of 3 numbers is too long for rank 2");
  const auto along = [](int axis) {
    const std::string product = OneNode::onnx("CumProd", 26).in(Float32, {2, 3}).numbers({axis}, true).run().rejected();
    const std::string sum = OneNode::onnx("CumSum", 14).in(Float32, {2, 3}).numbers({axis}, true).run().rejected();
    EXPECT_EQ(product.empty(), sum.empty());
    return sum;
  };
  EXPECT_EQ(along(-2), "");
  EXPECT_EQ(along(2), "CumSum: axis 2 is out of range for rank 2");
}

TEST(OnnxLimits, WindowsHaveWhatTheirAxesNeed) {
  const auto conv = [](std::string_view op, std::string_view name, std::vector<std::int64_t> values) {
    OneNode n = OneNode::onnx(op, 11);
    n.in(Float32, {1, 4, 5, 5}).in(Float32, {4, 4, 2, 2}).in(Float32, {4});
    return n.ints(name, std::move(values)).run().rejected();
  };
  EXPECT_EQ(conv("Conv", "kernel_shape", {2, 2}) + conv("Conv", "pads", {0, 1, 0, 1}) +
                conv("ConvTranspose", "output_shape", {6, 6}) + conv("ConvTranspose", "output_padding", {0, 0}),
            "");
  EXPECT_EQ(conv("Conv", "kernel_shape", {2}), "Conv: 'kernel_shape' has 1 entries, expected 2");
  EXPECT_EQ(conv("Conv", "strides", {}), "Conv: 'strides' has 0 entries, expected 2");
  EXPECT_EQ(conv("Conv", "kernel_shape", {}), "Conv: 'kernel_shape' has 0 entries, expected 2");
  EXPECT_EQ(conv("ConvTranspose", "output_shape", {}), "ConvTranspose: 'output_shape' has 0 entries, expected 2");
  EXPECT_EQ(conv("Conv", "pads", {-1, 0, 0, 0}), "Conv: 'pads' holds -1, but must be at least 0");
  EXPECT_EQ(conv("Conv", "dilations", {1, 0}), "Conv: 'dilations' holds 0, but must be at least 1");
  EXPECT_EQ(conv("ConvTranspose", "output_shape", {1, 4, 6, 6}),
            "ConvTranspose: 'output_shape' has 4 entries, expected 2");
  EXPECT_EQ(conv("ConvTranspose", "output_padding", {1, 0}),
            "ConvTranspose: an output_padding of 1 is not below the step 1");
  const auto bias = [](std::vector<OneNode::Size> sizes) {
    OneNode n = OneNode::onnx("Conv", 11);
    n.in(Float32, {1, 4, 5, 5}).in(Float32, {4, 4, 2, 2}).in(Float32, std::move(sizes));
    return n.run().rejected();
  };
  EXPECT_EQ(bias({4}), "");
  EXPECT_EQ(bias({3}), "Conv: the numbers of the bias and of the channels that come out differ: 3 and 4");
  EXPECT_EQ(bias({4, 1}), "input 2 of Conv must have 1 axis, but has 2");
  const auto group = [](std::int64_t groups, std::vector<OneNode::Size> scale) {
    OneNode n = OneNode::onnx("GroupNormalization", 21);
    n.in(Float32, {1, 6, 4}).in(Float32, scale).in(Float32, scale);
    return n.attr("num_groups", groups).run().rejected();
  };
  EXPECT_EQ(group(2, {6}), "");
  EXPECT_EQ(group(2, {2}), "GroupNormalization: input 1 of the shape [2] does not broadcast to [6]");
  EXPECT_EQ(group(4, {6}), "GroupNormalization: 6 channels do not split into 4 groups");
}

TEST(OnnxLimits, AxesOfInputsAreAsLongAsOneAnother) {
  const auto roi = [](std::vector<OneNode::Size> rois, std::vector<OneNode::Size> batch) {
    OneNode n = OneNode::onnx("RoiAlign", 16);
    return n.in(Float32, {1, 1, 8, 8}).in(Float32, std::move(rois)).in(Int64, std::move(batch)).run().rejected();
  };
  EXPECT_EQ(roi({3, 4}, {3}) + roi({"n", 4}, {3}), "");
  EXPECT_EQ(roi({3, 4}, {2}),
            "axis 0 of input 2 of RoiAlign must be as long as axis 0 of input 1, but they are 2 and 3");
  const auto grid = [](std::vector<OneNode::Size> places) {
    return OneNode::onnx("GridSample", 20).in(Float32, {2, 1, 4, 4}).in(Float32, std::move(places)).run().rejected();
  };
  EXPECT_EQ(grid({2, 6, 6, 2}), "");
  EXPECT_NE(grid({1, 6, 6, 2}), "");
}

TEST(OnnxLimits, AxesCountFromTheFront) {
  const auto flatten = [](std::int32_t version, std::int64_t axis) {
    return OneNode::onnx("Flatten", version).in(Float32, {2, 3, 4}).attr("axis", axis).run().rejected();
  };
  EXPECT_EQ(flatten(9, 3) + flatten(11, -1), "");
  EXPECT_EQ(flatten(9, -1), "Flatten: axis -1 is out of range for rank 3");
  const auto transpose = [](std::vector<std::int64_t> order) {
    return OneNode::onnx("Transpose", 13).in(Float32, {2, 3}).ints("perm", std::move(order)).run().rejected();
  };
  EXPECT_EQ(transpose({1, 0}), "");
  EXPECT_EQ(transpose({-1, 0}), "Transpose: the axes are no permutation of the operand's 2");
}

TEST(OnnxLimits, UnpoolingHasAWindowForEachAxis) {
  const auto unpool = [](std::vector<std::int64_t> kernel, int sizes) {
    OneNode n = OneNode::onnx("MaxUnpool", 11);
    n.in(Float32, {1, 1, 2, 2}).in(Int64, {1, 1, 2, 2}).ints("kernel_shape", std::move(kernel));
    if (sizes > 0)
      n.in(Int64, {sizes});
    return n.run().rejected();
  };
  EXPECT_EQ(unpool({2, 2}, 0) + unpool({2, 2}, 4), "");
  EXPECT_EQ(unpool({2}, 0), "MaxUnpool: 'kernel_shape' has 1 entries, expected 2");
  EXPECT_EQ(unpool({2}, 4), "MaxUnpool: 'kernel_shape' has 1 entries, expected 2");
  EXPECT_NE(unpool({2, 2}, 3), "");
  OneNode other = OneNode::onnx("MaxUnpool", 11);
  other.in(Float32, {1, 1, 2, 2}).in(Int64, {1, 1, 2, 3}).ints("kernel_shape", {2, 2});
  EXPECT_NE(other.run().rejected(), "") << "each number has its index";
}

/// onnx and ONNX Runtime divide towards zero.
TEST(OnnxLimits, PoolsCountWindowsThatDoNotFit) {
  const auto pool = [](int size, std::int64_t kernel, std::int64_t stride) {
    OneNode n = OneNode::onnx("MaxPool", 12);
    n.in(Float32, {1, 1, size}).ints("kernel_shape", {kernel}).ints("strides", {stride}).run();
    return n.type() + n.rejected();
  };
  EXPECT_EQ(pool(1, 2, 2), "float32[1, 1, 1]");
  EXPECT_EQ(pool(5, 7, 2), "float32[1, 1, 0]");
  EXPECT_NE(pool(2, 5, 1).find("does not fit"), std::string::npos);
}

TEST(OnnxLimits, VariadicInputsAreAllThere) {
  OneNode sum = OneNode::onnx("Sum", 13);
  EXPECT_EQ(sum.in(Float32, {2}).absent().run().rejected(), "Sum needs its input 1");
}

using Sizes = std::vector<OneNode::Size>;

// Each was held against ONNX Runtime 1.32, which refuses it as it loads or when it comes to the node.
TEST(OnnxLimits, ImagesBlocksAndGridsFitTogether) {
  const auto crop = [](std::vector<std::int64_t> axes, std::vector<int> sizes) {
    return OneNode::onnx("CenterCropPad", 18).in(Float32, {4, 5, 6}).numbers(sizes).ints("axes", axes).run().rejected();
  };
  EXPECT_EQ(crop({0, 2}, {2, 3}), "");
  EXPECT_EQ(crop({0, 2}, {2}), "CenterCropPad: there are 1 sizes for 2 axes");
  EXPECT_EQ(crop({2, -1}, {2, 3}), "CenterCropPad: axis 2 is named twice");
  const auto columns = [](Sizes x, std::vector<int> image, std::vector<int> block,
                          std::vector<std::int64_t> dilations) {
    return OneNode::onnx("Col2Im", 18)
        .in(Float32, x)
        .numbers(image)
        .numbers(block)
        .ints("dilations", dilations)
        .run()
        .rejected();
  };
  EXPECT_EQ(columns({1, 4, 16}, {5, 5}, {2, 2}, {1, 1}), "");
  EXPECT_EQ(columns({1, 4, "n"}, {5, 5}, {2, 2}, {1, 1}), "");
  EXPECT_EQ(columns({1, 4, 12}, {5, 5}, {2, 2}, {2, 1}), "");
  EXPECT_EQ(columns({1, 4, 16}, {5, 5}, {2, 2}, {2, 1}), "Col2Im: the image has 12 blocks, but axis 2 is 16");
  EXPECT_EQ(columns({1, 5, 16}, {5, 5}, {2, 2}, {1, 1}),
            "Col2Im: axis 1 must be a multiple of 4, the elements of a block, but is 5");
  EXPECT_NE(columns({1, 4, 16}, {5, 0}, {2, 2}, {1, 1}), "");
  EXPECT_NE(columns({1, 4, 16}, {5, 5}, {2, 2}, {0, 1}), "");
  EXPECT_NE(columns({1, 4, 16}, {5, 5}, {2, 2}, {9, 1}), "") << "beyond the image";
  const auto grid = [](Sizes theta, std::vector<int> sizes) {
    return OneNode::onnx("AffineGrid", 20).in(Float32, theta).numbers(sizes).run().rejected();
  };
  EXPECT_EQ(grid({2, 2, 3}, {2, 3, 5, 6}), "");
  EXPECT_EQ(grid({"n", 3, 4}, {2, 3, 4, 5, 6}), "");
  EXPECT_NE(grid({2, 3, 4}, {2, 3, 5, 6}), "");
  EXPECT_NE(grid({3, 2, 3}, {2, 3, 5, 6}), "");
  EXPECT_NE(grid({2, 2, 3}, {2, 3, 0, 6}), "");
  EXPECT_NE(grid({2, 2, 3}, {2, 3, 5}), "");
  const auto deform = [](Sizes offset, std::int64_t groups, Sizes mask = {}) {
    OneNode n = OneNode::onnx("DeformConv", 22);
    n.in(Float32, {1, 2, 5, 5}).in(Float32, {3, 2, 2, 2}).in(Float32, offset);
    if (!mask.empty())
      n.absent().in(Float32, mask);
    return n.attr("offset_group", groups).run().rejected();
  };
  EXPECT_EQ(deform({1, 8, 4, 4}, 1), "");
  EXPECT_EQ(deform({"n", 16, "h", 4}, 2, {1, 8, 4, 4}), "");
  EXPECT_NE(deform({1, 8, 4, 4}, 2), "");
  EXPECT_NE(deform({1, 8, 5, 4}, 1), "");
  EXPECT_NE(deform({2, 8, 4, 4}, 1), "");
  EXPECT_NE(deform({1, 8, 4, 4}, 0), "");
  EXPECT_NE(deform({1, 8, 4, 4}, 1, {1, 4, 4, 5}), "");
}

TEST(OnnxLimits, WhatIsWrittenOrKeptFits) {
  const auto written = [](Sizes update, std::vector<int> first, std::int64_t axis, const char *mode) {
    OneNode n = OneNode::onnx("TensorScatter", 24);
    n.in(Float32, {2, 4, 8}).in(Float32, update).numbers(first);
    return n.attr("axis", axis).attr("mode", mode).run().rejected();
  };
  EXPECT_EQ(written({2, 2, 8}, {0, 2}, 1, "linear"), "");
  EXPECT_EQ(written({2, 2, 8}, {0, 3}, 1, "circular"), "");
  EXPECT_EQ(written({2, 2, 8}, {0, 3}, 1, "linear"), "TensorScatter: it begins to write at 3, which is out of range");
  EXPECT_NE(written({2, 2, 8}, {-1, 0}, 1, "circular"), "");
  EXPECT_NE(written({2, 5, 8}, {0, 0}, 1, "circular"), "");
  EXPECT_NE(written({2, 2, 7}, {0, 0}, 1, "linear"), "");
  EXPECT_NE(written({2, 4, 8}, {0, 0}, 0, "linear"), "") << "the batches";
  EXPECT_NE(written({2, 2, 8}, {0, 0}, 3, "linear"), "");
  EXPECT_NE(written({2, 2, 8}, {0, 0}, 1, "round"), "");
  const auto past = [](int kernel, int kept) {
    OneNode n = OneNode::onnx("CausalConvWithState", 27);
    return n.in(Float32, {1, 3, 6}).in(Float32, {3, 1, kernel}).absent().in(Float32, {1, 3, kept}).run(2).rejected();
  };
  EXPECT_EQ(past(4, 3), "");
  EXPECT_NE(past(4, 4), "");
  const auto linear = [](Sizes q, Sizes k, Sizes v, Sizes decay) {
    OneNode n = OneNode::onnx("LinearAttention", 27);
    n.in(Float32, q).in(Float32, k).in(Float32, v).absent().in(Float32, decay);
    return n.attr("q_num_heads", 4).attr("kv_num_heads", 2).attr("update_rule", "gated").run(2).rejected();
  };
  EXPECT_EQ(linear({1, 3, 16}, {1, 3, 8}, {1, 3, 10}, {1, 3, 2}), "");
  EXPECT_EQ(linear({1, 3, 16}, {1, 3, 8}, {1, 3, 10}, {1, 3, 8}), "") << "a number for each element of a key";
  EXPECT_NE(linear({1, 3, 16}, {1, 3, 8}, {1, 3, 10}, {1, 3, 3}), "");
  EXPECT_NE(linear({1, 3, 18}, {1, 3, 8}, {1, 3, 10}, {1, 3, 2}), "");
  EXPECT_NE(linear({1, 3, 16}, {1, 3, 10}, {1, 3, 10}, {1, 3, 2}), "");
  EXPECT_NE(linear({1, 3, 16}, {1, 3, 8}, {1, 3, 9}, {1, 3, 2}), "");
}

TEST(OnnxLimits, DepthsStridesAndMappingsMakeSense) {
  const auto depth = [](int n) {
    return OneNode::onnx("OneHot", 11).in(Int64, {3}).numbers({n}, true).in(Float32, {2}).run().rejected();
  };
  EXPECT_EQ(depth(4), "");
  EXPECT_EQ(depth(-1), "OneHot: the depth is -1, below 0");
  const auto unpooled = [](std::vector<int> shape) {
    OneNode n = OneNode::onnx("MaxUnpool", 11);
    n.in(Float32, {1, 2, 2, 2})
        .in(Int64, {1, 2, 2, 2})
        .numbers(shape)
        .ints("kernel_shape", {2, 2})
        .ints("strides", {2, 2});
    return n.run().rejected();
  };
  EXPECT_EQ(unpooled({1, 2, 5, 5}), "");
  EXPECT_NE(unpooled({1, 3, 5, 5}), "");
  const auto transposed = [](std::int64_t stride) {
    OneNode n = OneNode::onnx("ConvTranspose", 11);
    n.in(Float32, {1, 1, 3, 3}).in(Float32, {1, 2, 3, 3}).ints("output_shape", {10, 8}).ints("output_padding", {1, 1});
    return n.ints("strides", {stride, 2}).run().rejected();
  };
  EXPECT_EQ(transposed(2), "");
  EXPECT_NE(transposed(1), "");
  const auto labels = [](std::vector<std::string> keys, std::vector<std::int64_t> values) {
    OneNode n = OneNode::onnx("LabelEncoder", 4, "ai.onnx.ml");
    return n.in(String, {2}).strings("keys_strings", keys).ints("values_int64s", values).run().rejected();
  };
  EXPECT_EQ(labels({"a", "b"}, {1, 2}), "");
  EXPECT_EQ(labels({"a", "b"}, {1}), "LabelEncoder: there are 2 keys and 1 values");
  OneNode none = OneNode::onnx("LabelEncoder", 4, "ai.onnx.ml");
  EXPECT_NE(none.in(String, {2}).strings("keys_strings", {"a"}).run().rejected(), "");
  const auto compressed = [](std::int32_t version, Sizes sizes) {
    return OneNode::onnx("Compress", version).in(Float32, sizes).in(Bool, {1}).run().rejected();
  };
  EXPECT_EQ(compressed(9, {}) + compressed(11, {3}), "");
  EXPECT_NE(compressed(11, {}), "");
}

TEST(OnnxLimits, WhatAnOperatorYieldsIsOfTheTypesOfItsSchema) {
  const auto stashed = [](std::int64_t type, std::size_t results) {
    OneNode n = OneNode::onnx("LayerNormalization", 17);
    return n.in(Float32, {2, 3}).in(Float32, {3}).attr("stash_type", type).run(results).rejected();
  };
  EXPECT_EQ(stashed(1, 2), "");
  EXPECT_EQ(stashed(16, 2), "");
  EXPECT_NE(stashed(7, 2), "");
  EXPECT_NE(stashed(10, 2), "");
  EXPECT_EQ(stashed(7, 1) + stashed(-1, 1) + stashed(100, 1), "") << "nobody keeps it";
  const auto dequantized = [](std::int64_t type) {
    OneNode n = OneNode::onnx("DequantizeLinear", 23);
    return n.in(Int8, {3}).in(Float32, {}).attr("output_dtype", type).run().rejected();
  };
  for (const std::int64_t type : {0, 1, 10, 16})
    EXPECT_EQ(dequantized(type), "") << type;
  for (const std::int64_t type : {2, 7, 11})
    EXPECT_NE(dequantized(type), "") << type;
  const auto quantized = [](std::int64_t type) {
    OneNode n = OneNode::onnx("QuantizeLinear", 23);
    return n.in(Float32, {3}).in(Float32, {}).attr("output_dtype", type).run().rejected();
  };
  for (const std::int64_t type : {0, 2, 3, 4, 5, 17, 21, 22, 23})
    EXPECT_EQ(quantized(type), "") << type;
  for (const std::int64_t type : {1, 6, 7, 10, 16})
    EXPECT_NE(quantized(type), "") << type;
  const auto normalized = [](DType type) {
    OneNode n = OneNode::onnx("MeanVarianceNormalization", 13);
    return n.in(type, {2, 3, 4}).ints("axes", {0, 2}).run().rejected();
  };
  EXPECT_EQ(normalized(Float32), "");
  EXPECT_NE(normalized(Float16), "");
  EXPECT_NE(normalized(Float64), "");
}

TEST(OnnxLimits, GramsHavePlaces) {
  const auto grams = [](std::vector<std::int64_t> places) {
    OneNode n = OneNode::onnx("TfIdfVectorizer", 9);
    n.in(Int64, {5}).attr("mode", "TF").attr("max_gram_length", 1).attr("min_gram_length", 1);
    return n.attr("max_skip_count", 0).ints("ngram_counts", {0}).ints("ngram_indexes", places).run().rejected();
  };
  EXPECT_EQ(grams({0, 2}), "");
  EXPECT_EQ(grams({0, -2}), "TfIdfVectorizer: 'ngram_indexes' has entries, and none below 0");
}

TEST(OnnxLimits, TheSizeOfAWindowIsAScalarWhereItIsAConstant) {
  for (const char *op : {"BlackmanWindow", "HammingWindow", "HannWindow"}) {
    EXPECT_EQ(OneNode::onnx(op, 17).numbers({4}, true).run().type(), "float32[4]");
    EXPECT_NE(OneNode::onnx(op, 17).numbers({4}).run().rejected(), "");
    EXPECT_EQ(OneNode::onnx(op, 17).in(Int64, {1}).run().rejected(), "");
    EXPECT_NE(OneNode::onnx(op, 17).numbers({0}, true).run().rejected(), "");
  }
}

TEST(OnnxLimits, ScalesAreAboveNothingAndSlopesStretch) {
  const auto blocked = [](Sizes scale, std::int64_t block) {
    OneNode n = OneNode::onnx("DequantizeLinear", 21);
    return n.in(Int8, {4, 6}).in(Float32, scale).attr("block_size", block).run().rejected();
  };
  EXPECT_EQ(blocked({}, 0), "");
  EXPECT_EQ(blocked({4, 2}, 3), "");
  EXPECT_NE(blocked({}, 3), "");
  EXPECT_NE(blocked({6}, 3), "");
  EXPECT_NE(blocked({}, -1), "");
  const auto slope = [](Sizes x, Sizes s) {
    return OneNode::onnx("PRelu", 16).in(Float32, x).in(Float32, s).run().rejected();
  };
  EXPECT_EQ(slope({2, 3}, {3}), "");
  EXPECT_EQ(slope({"n", 3}, {2, 3}), "");
  EXPECT_EQ(slope({1, 3}, {2, 3}), "") << "nobody looks at it, and both are stretched";
  EXPECT_NE(slope({4, 3}, {2, 3}), "");
  const auto rounded = [](const char *mode) {
    OneNode n = OneNode::onnx("Resize", 19);
    n.in(Float32, {1, 1, 4, 4}).absent().absent().numbers({1, 1, 8, 8});
    return n.attr("mode", mode).attr("nearest_mode", "any").run().rejected();
  };
  EXPECT_EQ(rounded("linear"), "") << "nobody rounds";
  EXPECT_NE(rounded("nearest"), "");
  EXPECT_NE(
      OneNode::onnx("QuantizeLinear", 25).in(Float32, {2}).in(Float32, {}).attr("output_dtype", -1).run().rejected(),
      "");
  EXPECT_EQ(
      OneNode::onnx("QuantizeLinear", 25).in(Float32, {2}).in(Float32, {}).attr("output_dtype", 0).run().rejected(),
      "");
}

// onnx 1.23
TEST(OnnxVersions, Opset28) {
  const auto gated = [](std::vector<OneNode::Size> gate, std::vector<OneNode::Size> values, DType of = DType::Float32) {
    OneNode n = OneNode::onnx("SwiGLU", 28);
    n.in(DType::Float32, std::move(gate)).in(of, std::move(values)).run();
    return n.rejected().empty() ? n.type() : std::string("rejected");
  };
  EXPECT_EQ(gated({"n", 3}, {"n", 3}), "float32[n, 3]");
  EXPECT_EQ(gated({"n", 3}, {1, 3}), "float32[n, 3]") << "n may be 1";
  EXPECT_EQ(gated({2, 3}, {1, 3}), "rejected") << "nothing is stretched";
  EXPECT_EQ(gated({2, 3}, {3}), "rejected");
  EXPECT_EQ(gated({2, 3}, {2, 3}, DType::Float16), "rejected");
  EXPECT_EQ(OneNode::onnx("Mod", 28).in(DType::Float32, {2}).in(DType::Float32, {2}).attr("fmod", 1).run().rejected(),
            "");
  EXPECT_NE(OneNode::onnx("Celu", 28).in(DType::Int32, {2}).run().rejected(), "");
  EXPECT_NE(OneNode::onnx("Celu", 28).in(DType::Float32, {2}).attr("axis", 1).run().rejected(), "");
}

} // namespace
