//===- TargetQuantitiesTest.cpp - What kernels ask of what they are given -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"
#include <algorithm>
#include <bit>

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

/// One integer attribute.
std::string number(const char *name, std::int64_t n) { return fmt::format(R"({{"name": "{}", "int": {}}})", name, n); }

/// What a constant of float32 holds.
std::string reals(std::initializer_list<float> values) {
  std::string out = "\"bytes\": [";
  for (const float v : values)
    for (unsigned b = 0; b < 4; ++b)
      out += fmt::format("{}{}", out.back() == '[' ? "" : ", ", std::bit_cast<std::uint32_t>(v) >> (8 * b) & 0xff);
  return out + "]";
}

TEST(TargetQuantities, LengthsOfGramsGoTogether) {
  const InBranch n{value("x", "int64[4]")};
  const auto refuses = [&](std::int64_t least, std::int64_t most, std::int64_t skips) {
    const std::string attributes =
        number("min_gram_length", least) + ", " + number("max_gram_length", most) + ", " +
        number("max_skip_count", skips) +
        R"(, {"name": "ngram_counts", "ints": [0, 2]}, {"name": "ngram_indexes", "ints": [0, 1, 2]},
            {"name": "mode", "string": "TF"}, {"name": "pool_int64s", "ints": [1, 2, 3, 4]})";
    EXPECT_FALSE(n.isRefused("TfIdfVectorizer", R"("x")", attributes, "onnx"));
    return n.isRefused("TfIdfVectorizer", R"("x")", attributes);
  };
  EXPECT_FALSE(refuses(1, 2, 0));
  EXPECT_FALSE(refuses(2, 2, 3));
  EXPECT_TRUE(refuses(0, 1, 0));
  EXPECT_TRUE(refuses(2, 1, 0));
  EXPECT_TRUE(refuses(1, 2, -1));
  const std::string odd = R"({"name": "ngram_counts", "ints": [0, 1]}, {"name": "ngram_indexes", "ints": [0, 1, 2]},
      {"name": "mode", "string": "TF"}, {"name": "pool_int64s", "ints": [1, 2, 3, 4]}, )" +
                          number("min_gram_length", 1) + ", " + number("max_gram_length", 2) + ", " +
                          number("max_skip_count", 0);
  EXPECT_TRUE(n.isRefused("TfIdfVectorizer", R"("x")", odd)) << "three numbers are no pairs";
  const auto placed = [&](const char *places, const char *weights) {
    return n.isRefused(
        "TfIdfVectorizer", R"("x")",
        fmt::format(R"({{"name": "ngram_counts", "ints": [0, 2]}}, {{"name": "ngram_indexes", "ints": [{}]}},
                           {{"name": "weights", "floats": [{}]}}, {{"name": "mode", "string": "TF"}},
                           {{"name": "pool_int64s", "ints": [1, 2, 3, 4]}}, )",
                    places, weights) +
            number("min_gram_length", 1) + ", " + number("max_gram_length", 2) + ", " + number("max_skip_count", 0));
  };
  EXPECT_FALSE(placed("0, 1, 2", ""));
  EXPECT_FALSE(placed("0, 1, 2", "1, 2, 3"));
  EXPECT_TRUE(placed("0, 1", "")) << "two numbers and a pair";
  EXPECT_TRUE(placed("0, 1, 2", "1, 2"));
}

TEST(TargetQuantities, EdgesOfMelBandsAreInTheSpectrum) {
  const auto weights = [](float low, float high, const char *bands = "4") {
    OnnxIf i;
    i.opset = 17;
    i.parameters = value("c", "bool[]");
    i.constants = fmt::format(R"({{"name": "bands", "type": "int64[]", "data": {{"ints": [{}]}}}},
                                 {{"name": "length", "type": "int64[]", "data": {{"ints": [16]}}}},
                                 {{"name": "rate", "type": "int64[]", "data": {{"ints": [8000]}}}},
                                 {{"name": "low", "type": "float32[]", "data": {{{}}}}},
                                 {{"name": "high", "type": "float32[]", "data": {{{}}}}})",
                              bands, reals({low}), reals({high}));
    const std::string in = R"("bands", "length", "rate", "low", "high")";
    i.yes = {"", onnx("MelWeightMatrix", in, "a"), R"("a")"};
    i.no = {"", onnx("MelWeightMatrix", in, "b") + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    EXPECT_EQ(std::ranges::count(found(i.json(), "onnx"), "error operator-type"), 0);
    return std::ranges::count(found(i.json(), "onnxruntime"), "error operator-type") != 0;
  };
  EXPECT_FALSE(weights(0, 4000));
  EXPECT_TRUE(weights(0, 8000));
  EXPECT_TRUE(weights(-500, 4000));
  EXPECT_TRUE(weights(0, 4000, "-1"));
}

TEST(TargetQuantities, ARatioOfDropoutLeavesSomething) {
  const auto dropped = [](float ratio) {
    OnnxIf i;
    i.opset = 13;
    i.constants = fmt::format(R"({{"name": "r", "type": "float32[]", "data": {{{}}}}})", reals({ratio}));
    i.yes = {"", onnx("Dropout", R"("x", "r")", "a"), R"("a")"};
    EXPECT_EQ(std::ranges::count(found(i.json(), "onnx"), "error operator-type"), 0);
    return std::ranges::count(found(i.json(), "onnxruntime"), "error operator-type") != 0;
  };
  for (const float ratio : {0.0F, 0.5F, 0.99F})
    EXPECT_FALSE(dropped(ratio)) << ratio;
  for (const float ratio : {1.0F, -0.5F, 3.0F})
    EXPECT_TRUE(dropped(ratio)) << ratio;
}

TEST(TargetQuantities, MembersOfTreesAreListedWhereANodeAsks) {
  const auto trees = [](const char *mode, const std::string &members) {
    const InBranch n{value("x", "float32[2, 3]")};
    return n.isRefused("ai.onnx.ml::TreeEnsemble", R"("x")",
                       R"({"name": "tree_roots", "ints": [0]}, {"name": "n_targets", "int": 1},
                          {"name": "nodes_featureids", "ints": [0]}, {"name": "nodes_trueleafs", "ints": [1]},
                          {"name": "nodes_truenodeids", "ints": [0]}, {"name": "nodes_falseleafs", "ints": [1]},
                          {"name": "nodes_falsenodeids", "ints": [1]}, {"name": "leaf_targetids", "ints": [0, 0]},
                          {"name": "nodes_splits", "tensor": {"type": "float32[1]", )" +
                           reals({0.5F}) + R"(}}, {"name": "leaf_weights", "tensor": {"type": "float32[2]", )" +
                           reals({1, 2}) + R"(}}, {"name": "nodes_modes", "tensor": {"type": "uint8[1]", "bytes": [)" +
                           mode + "]}}" + members);
  };
  const std::string some =
      R"(, {"name": "membership_values", "tensor": {"type": "float32[2]", )" + reals({1, 2}) + "}}";
  EXPECT_FALSE(trees("0", ""));
  EXPECT_TRUE(trees("6", "")) << "BRANCH_MEMBER";
  EXPECT_FALSE(trees("6", some));
}

TEST(TargetQuantities, LinearClassifiersNeedTheirIntercepts) {
  const InBranch n{value("x", "float32[2, 3]")};
  const std::string coefficients = R"({"name": "coefficients", "floats": [1, 2, 3, 4, 5, 6]},
                                      {"name": "classlabels_ints", "ints": [0, 1]})";
  for (const auto &[more, isRefused] : {std::pair("", true),
                                        {R"(, {"name": "intercepts", "floats": []})", true},
                                        {R"(, {"name": "intercepts", "floats": [0, 1]})", false}}) {
    EXPECT_EQ(n.isRefused("ai.onnx.ml::LinearClassifier", R"("x")", coefficients + more), isRefused) << more;
    EXPECT_FALSE(n.isRefused("ai.onnx.ml::LinearClassifier", R"("x")", coefficients + more, "onnx")) << more;
  }
}

TEST(TargetQuantities, LabelsOfLinearClassifiersAreAsManyAsClasses) {
  const auto refuses = [](const char *intercepts, const char *coefficients, const char *labels) {
    return InBranch{value("x", "float32[2, 2]")}.isRefused(
        "ai.onnx.ml::LinearClassifier", R"("x")",
        fmt::format(R"({{"name": "intercepts", "floats": [{}]}}, {{"name": "coefficients", "floats": [{}]}},
                       {{"name": "classlabels_ints", "ints": [{}]}})",
                    intercepts, coefficients, labels));
  };
  EXPECT_FALSE(refuses("0", "1, 2", "3, 4"));
  EXPECT_TRUE(refuses("0", "1, 2", "3"));
  EXPECT_TRUE(refuses("0", "1, 2", "3, 4, 5"));
  EXPECT_FALSE(refuses("0, 1", "1, 2, 3, 4", "3, 4, 5"));
  EXPECT_TRUE(refuses("0, 1", "1, 2, 3, 4", "3"));
  EXPECT_TRUE(refuses("0, 1", "1, 2, 3", "3, 4"));
}

TEST(TargetQuantities, PoolsAreOverThreeAxesAtMost) {
  for (const char *op : {"GlobalAveragePool", "GlobalMaxPool"}) {
    EXPECT_FALSE((InBranch{value("x", "float32[1, 1, 2, 2, 2]")}.isRefused(op, R"("x")"))) << op;
    EXPECT_TRUE((InBranch{value("x", "float32[1, 1, 2, 2, 2, 2]")}.isRefused(op, R"("x")"))) << op;
    EXPECT_FALSE((InBranch{value("x", "float32[1, 1, 2, 2, 2, 2]")}.isRefused(op, R"("x")", "", "onnx"))) << op;
  }
  const std::string window = R"({"name": "kernel_shape", "ints": [1, 1, 1, 1]})";
  EXPECT_TRUE((InBranch{value("x", "float32[1, 1, 2, 2, 2, 2]")}.isRefused("MaxPool", R"("x")", window)));
}

TEST(TargetQuantities, WordsOfGeluAreTheKernelsOfFloat32) {
  const auto with = [](const char *type, const char *word, const char *target = "onnxruntime") {
    return InBranch{value("x", type), 20}.isRefused(
        "Gelu", R"("x")", fmt::format(R"({{"name": "approximate", "string": "{}"}})", word), target);
  };
  EXPECT_FALSE(with("float32[2]", "tanh"));
  EXPECT_TRUE(with("float32[2]", "Tanh"));
  EXPECT_FALSE(with("float32[2]", "Tanh", "onnx"));
  EXPECT_FALSE(with("float16[2]", "Tanh")) << "its function takes each other word for none";
}

TEST(TargetQuantities, WhatIsUnpooledHasRoomForAll) {
  const auto unpooled = [](const char *shape) {
    OnnxIf i;
    i.opset = 11;
    i.parameters =
        value("c", "bool[]") + ", " + value("x", "float32[1, 1, 2, 2]") + ", " + value("k", "int64[1, 1, 2, 2]");
    i.constants = fmt::format(R"({{"name": "s", "type": "int64[4]", "data": {{"ints": [{}]}}}})", shape);
    i.yes = {"",
             onnx("MaxUnpool", R"("x", "k", "s")", "a", "",
                  R"({"name": "kernel_shape", "ints": [2, 2]}, {"name": "strides", "ints": [2, 2]})"),
             R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return std::ranges::count(found(i.json(), "onnxruntime"), "error operator-type") != 0;
  };
  EXPECT_FALSE(unpooled("1, 1, 4, 4"));
  EXPECT_FALSE(unpooled("1, 1, 3, 9")) << "elements are counted";
  EXPECT_TRUE(unpooled("1, 1, 3, 5"));
  EXPECT_TRUE(unpooled("1, 2, 4, 4"));
}

TEST(TargetQuantities, OnnxRuntimeHasNoOperatorsThatTrain) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("r", "float32[]") + ", " + value("t", "int64[]") + ", " +
                 value("x", "float32[3]");
  const auto step = [](const char *operands) {
    return fmt::format(R"({{"op": "ai.onnx.preview.training::Momentum", "operands": [{}], "attributes": [
        {{"name": "alpha", "float": 0.9}}, {{"name": "beta", "float": 1}}, {{"name": "mode", "string": "standard"}},
        {{"name": "norm_coefficient", "float": 0.1}}], "results": ["a", "v"]}})",
                       operands);
  };
  i.yes = {"", step(R"("r", "t", "x", "x", "x")"), R"("a")"};
  i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
  EXPECT_EQ(std::ranges::count(found(i.json(), "onnx"), "error operator-type"), 0);
  i.yes.nodes = step(R"("r", "t", "x", "x", null)");
  EXPECT_EQ(std::ranges::count(found(i.json(), "onnx"), "error operator-type"), 1) << "what is left out has no type";
}

TEST(TargetQuantities, ACastWritesSomethingOnlyWhereItSaturatesOrDoesNot) {
  const auto with = [](std::int64_t saturate, int to, const char *target = "onnxruntime") {
    return InBranch{value("x", "float32[3]"), 19}.isRefused(
        "Cast", R"("x")", number("saturate", saturate) + ", " + number("to", to), target);
  };
  constexpr int toInt64 = 7, toFloat8 = 17;
  EXPECT_FALSE(with(1, toInt64));
  EXPECT_TRUE(with(0, toInt64));
  EXPECT_TRUE(with(2, toInt64));
  EXPECT_FALSE(with(2, toInt64, "onnx"));
  EXPECT_FALSE(with(0, toFloat8));
  EXPECT_FALSE(with(2, toFloat8));
  const InBranch like{value("x", "float32[3]") + ", " + value("y", "int32[3]"), 19};
  EXPECT_TRUE(like.isRefused("CastLike", R"("x", "y")", number("saturate", -1)));
  EXPECT_FALSE(like.isRefused("CastLike", R"("x", "y")", number("saturate", 1)));
}

TEST(TargetQuantities, NothingIsDividedByZeroThatTheFileHolds) {
  const auto divided = [](const char *type, const std::string &divisors) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", fmt::format("{}[2]", type));
    i.constants = fmt::format(R"({{"name": "z", "type": "{}[2]", "data": {{{}}}}})", type, divisors);
    i.yes = {"", onnx("Div", R"("x", "z")", "a"), R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return std::ranges::count(found(i.json(), "onnxruntime"), "error operator-type") != 0;
  };
  EXPECT_TRUE(divided("int64", R"("ints": [1, 0])"));
  EXPECT_FALSE(divided("int64", R"("ints": [1, 2])"));
  EXPECT_FALSE(divided("float32", reals({1, 0})));
}

TEST(TargetQuantities, BeforeVersion8NothingIsStretchedOfManyOperands) {
  for (const char *op : {"Max", "Mean", "Min", "Sum"})
    for (const char *other : {"float32[3]", "float32[2, 1]", "float32[2, n]", "float32[2, 3]"}) {
      const std::string operands = value("x", "float32[2, 3]") + ", " + value("z", other);
      const bool isStretched =
          !std::string_view(other).starts_with("float32[2, n") && std::string_view(other) != "float32[2, 3]";
      EXPECT_EQ((InBranch{operands, 7}.isRefused(op, R"("x", "z")")), isStretched) << op << other;
      EXPECT_FALSE((InBranch{operands, 7}.isRefused(op, R"("x", "z")", "", "onnx"))) << op << other;
      EXPECT_FALSE((InBranch{operands, 8}.isRefused(op, R"("x", "z")"))) << op << other;
    }
}

TEST(TargetQuantities, WhatOnnxRuntimeTakesOtherwiseThanItIsMeantIsAWarning) {
  const auto worst = [](const std::string &node, const std::string &target, int opset) {
    OnnxIf i;
    i.opset = opset;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4, 4, 1]") + ", " + value("n", "int64[4]") + ", " +
                   value("w", "float32[2, 2]");
    i.constants = R"({"name": "step", "type": "int64[]", "data": {"ints": [2]}})";
    i.yes = {"", node, R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return firstFound(i.json(), target, "operator-type");
  };
  const auto reversed = [&](std::int64_t time, const std::string &target) {
    return worst(
        onnx("ReverseSequence", R"("x", "n")", "a", "", number("batch_axis", 0) + ", " + number("time_axis", time)),
        target, 17);
  };
  EXPECT_EQ(reversed(1, "onnxruntime"), "");
  EXPECT_EQ(reversed(-1, "onnxruntime"), "warning operator-type");
  EXPECT_EQ(reversed(-3, "onnxruntime"), "warning operator-type");
  EXPECT_EQ(reversed(-1, "onnx"), "");
  EXPECT_EQ(reversed(2, "onnxruntime"), "error operator-type");
  const std::string framed = onnx("STFT", R"("x", "step", "w")", "a");
  EXPECT_EQ(worst(framed, "onnxruntime", 17), "warning operator-type");
  EXPECT_EQ(worst(framed, "onnx", 17), "");
  const auto normal = [&](const char *attributes, const std::string &target) {
    return worst(onnx("MeanVarianceNormalization", R"("x")", "a", "", attributes), target, 13);
  };
  EXPECT_EQ(normal("", "onnx"), "warning operator-type") << "its full check refuses it";
  EXPECT_EQ(normal("", "onnxruntime"), "");
  EXPECT_EQ(normal(R"({"name": "axes", "ints": [0, 2]})", "onnx"), "");
}

TEST(TargetQuantities, SlopesThatStretchTheOperandAreRunWhereNoBranchReturnsThem) {
  const auto with = [](const char *x, const char *slope, bool isReturned, const char *target = "onnxruntime") {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", x) + ", " + value("s", slope);
    i.yes = {"", onnx("PRelu", R"("x", "s")", "p") + (isReturned ? "" : ", " + onnx("Size", R"("p")", "a")),
             isReturned ? R"("p")" : R"("a")"};
    i.no = {"", isReturned ? onnx("Neg", R"("s")", "b") : onnx("Size", R"("s")", "b"), R"("b")"};
    return std::ranges::count(found(i.json(), target), "error operator-type") != 0;
  };
  EXPECT_TRUE(with("float32[4, 5]", "float32[3, 4, 5]", true));
  EXPECT_TRUE(with("float32[4, 1]", "float32[4, 5]", true));
  EXPECT_FALSE(with("float32[4, 1]", "float32[4, 5]", false));
  EXPECT_FALSE(with("float32[4, 1]", "float32[4, 5]", true, "onnx"));
  EXPECT_FALSE(with("float32[n, 1]", "float32[4, 5]", true)) << "nothing is laid out";
  EXPECT_FALSE(with("float32[4, 5]", "float32[5]", true));
}

TEST(TargetQuantities, TheShapeOfACenterCropPadIsInOneListOfInt64) {
  for (const auto &[type, isRefused] : {std::pair("int64[2]", false), {"int32[2]", true}, {"int64[2, 1]", true}}) {
    const InBranch n{value("x", "float32[3, 4]") + ", " + value("s", type), 18};
    EXPECT_EQ(n.isRefused("CenterCropPad", R"("x", "s")"), isRefused) << type;
  }
  const InBranch fed{value("x", "float32[3, 4]") + ", " + value("s", "int32[2]"), 18};
  EXPECT_FALSE(fed.isRefused("CenterCropPad", R"("x", "s")", "", "onnx"));
}

TEST(TargetQuantities, WhatIsNamedByNothingIsNotLeftOutToEachKernel) {
  const InBranch signal{value("x", "float32[2, 8, 1]"), 20};
  EXPECT_TRUE(signal.isRefused("DFT", R"("x", null, null)"));
  EXPECT_FALSE(signal.isRefused("DFT", R"("x", null)"));
  EXPECT_FALSE(signal.isRefused("DFT", R"("x", null, null)", "", "onnx"));
  const std::string kernel = R"({"name": "kernel_shape", "ints": [2, 2]})";
  const InBranch pooled{value("x", "float32[1, 1, 2, 2]") + ", " + value("i", "int64[1, 1, 2, 2]")};
  EXPECT_TRUE(pooled.isRefused("MaxUnpool", R"("x", "i", null)", kernel));
  EXPECT_FALSE(pooled.isRefused("MaxUnpool", R"("x", "i")", kernel));
}

TEST(TargetQuantities, AxesOfASqueezeAreGivenOrNot) {
  const InBranch n{value("x", "float32[3, 1]")};
  EXPECT_FALSE(n.isRefused("Squeeze", R"("x")"));
  EXPECT_TRUE(n.isRefused("Squeeze", R"("x", null)"));
  EXPECT_FALSE(n.isRefused("Squeeze", R"("x", null)", "", "onnx"));
}

} // namespace
} // namespace condlint::test
