//===- TargetLimitsTest.cpp - Where ONNX and ONNX Runtime part ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

namespace condlint::test {
namespace {

using Rules = std::vector<std::string>;

TEST(TargetLimits, KernelsOfOnnxRuntimeTakeFewerRanks) {
  struct Case {
    const char *op, *attributes, *refused, *taken;
  };
  for (const Case &c : {Case{"GlobalAveragePool", "", "float32[2, 3]", "float32[2, 3, 4]"},
                        Case{"LRN", R"({"name": "size", "int": 3})", "float32[2, 3, 4]", "float32[2, 3, 4, 5]"},
                        Case{"LRN", R"({"name": "size", "int": 3})", "float32[2, 3, 4, 5, 6]", "float32[2, 3, 4, 5]"},
                        Case{"ArgMax", "", "float32[]", "float32[2]"}}) {
    for (const auto &[type, wanted] :
         {std::pair(c.refused, Rules{"error operator-type"}), {c.taken, Rules{}}, {"float32[...]", Rules{}}}) {
      OnnxIf i;
      i.parameters = value("c", "bool[]") + ", " + value("x", type);
      i.yes = {"", onnx(c.op, R"("x")", "a", "", c.attributes), R"("a")"};
      i.no = {"", onnx(c.op, R"("x")", "b", "", c.attributes) + ", " + onnx("Identity", R"("b")", "d"), R"("d")"};
      EXPECT_EQ(found(i.json(), "onnx"), Rules{}) << c.op << type;
      EXPECT_EQ(found(i.json(), "tensorrt@10.13", {"unsupported-in-branch"}), Rules{}) << c.op << type;
      EXPECT_EQ(found(i.json(), "onnxruntime"), wanted) << c.op << type; // one for both branches
    }
  }
}

TEST(TargetLimits, KernelsOfOnnxRuntimeLimitAttributes) {
  const auto with = [](const char *op, const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 3, 9, 9]");
    i.yes = {"", onnx(op, R"("x")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, R"("x")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  const auto neighbours = [](int size) { return fmt::format(R"({{"name": "size", "int": {}}})", size); };
  EXPECT_EQ(with("LRN", neighbours(4), "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("LRN", neighbours(4), "onnx"), Rules{});
  EXPECT_EQ(with("LRN", neighbours(5), "onnxruntime"), Rules{});
  const auto padded = [](int pad) {
    return fmt::format(R"({{"name": "kernel_shape", "ints": [3, 3]}}, {{"name": "pads", "ints": [0, 0, {}, 0]}})", pad);
  };
  for (const char *pool : {"MaxPool", "AveragePool", "LpPool"}) {
    EXPECT_EQ(with(pool, padded(3), "onnxruntime"), Rules{"error operator-type"}) << pool;
    EXPECT_EQ(with(pool, padded(3), "onnx"), Rules{}) << pool;
    EXPECT_EQ(with(pool, padded(2), "onnxruntime"), Rules{}) << pool;
  }
}

TEST(TargetLimits, PoolsOfOnnxRuntimeNeedElementsAndLeaveDilationsOut) {
  const auto with = [](const std::string &type, const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", type);
    i.yes = {"", onnx("MaxPool", R"("x")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx("MaxPool", R"("x")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  const std::string kernel = R"({"name": "kernel_shape", "ints": [2, 2]})";
  EXPECT_EQ(with("float32[1, 3, 0, 9]", kernel + R"(, {"name": "pads", "ints": [1, 1, 1, 1]})", "onnxruntime"),
            Rules{"error operator-type"});
  const auto spread = [&](int step) {
    return kernel + fmt::format(R"(, {{"name": "dilations", "ints": [2, 1]}}, {{"name": "strides", "ints": [{}, 1]}},
                                {{"name": "auto_pad", "string": "SAME_UPPER"}})",
                                step);
  };
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(1), "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(1), "onnx"), Rules{});
  EXPECT_EQ(with("float32[1, 3, 8, 8]", spread(8), "onnxruntime"), Rules{}) << "one window either way";
}

TEST(TargetLimits, ThereIsNoLargestOfNoElements) {
  const auto with = [](const std::string &type, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", type);
    i.yes = {"", onnx("ArgMax", R"("x")", "a"), R"("a")"};
    i.no = {"", onnx("ArgMax", R"("x")", "b") + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with("float32[0, 3]", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("float32[0, 3]", "onnx"), Rules{});
  EXPECT_EQ(with("float32[3, 0]", "onnxruntime"), Rules{}) << "there are no results";
}

TEST(TargetLimits, TheKernelOfRnnTellsUpperCaseFromLower) {
  const auto with = [](const char *op, int gates, const std::string &names) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[3, 2, 4]") + ", " +
                   value("w", fmt::format("float32[1, {}, 4]", gates * 5)) + ", " +
                   value("r", fmt::format("float32[1, {}, 5]", gates * 5));
    const std::string attributes =
        R"({"name": "hidden_size", "int": 5}, {"name": "activations", "strings": [)" + names + "]}";
    i.yes = {"", onnx(op, R"("x", "w", "r")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx(op, R"("x", "w", "r")", "b", "", attributes) + ", " + onnx("Neg", R"("b")", "d"), R"("d")"};
    return found(i.json(), "onnxruntime");
  };
  EXPECT_EQ(with("RNN", 1, R"("tanh")"), Rules{"error operator-type"});
  EXPECT_EQ(with("RNN", 1, R"("Tanh")"), Rules{});
  EXPECT_EQ(with("GRU", 3, R"("sigmoid", "tanh")"), Rules{});
}

TEST(TargetLimits, KernelsOfOnnxRuntimeTakeFlagsOfZeroAndOne) {
  const auto with = [](int fmod, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2]");
    i.yes = {"", onnx("Mod", R"("x", "x")", "a", "", fmt::format(R"({{"name": "fmod", "int": {}}})", fmod)), R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with(2, "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(-1, "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(2, "onnx"), Rules{});
  EXPECT_EQ(with(1, "onnxruntime"), Rules{});
}

TEST(TargetLimits, OldConstantsAreOfFloats) {
  const auto with = [](int opset, const std::string &type, const std::string &target) {
    OnnxIf i;
    i.opset = opset;
    const std::string data = fmt::format(R"({{"name": "value", "tensor": {{"type": "{}"}}}})", type);
    for (Region *branch : {&i.yes, &i.no})
      *branch = {"",
                 onnx("Constant", "", "k", "", data) + ", " + onnx("Constant", "", "l", "", data) + ", " +
                     onnx(branch == &i.yes ? "Add" : "Mul", R"("k", "l")", "r"),
                 R"("r")"};
    return found(i.json(), target);
  };
  EXPECT_EQ(with(8, "int64[2]", "onnx"), Rules{"error operator-type"});
  EXPECT_EQ(with(8, "int64[2]", "onnxruntime"), Rules{}) << "it makes initializers of them";
  EXPECT_EQ(with(8, "float32[2]", "onnx"), Rules{});
  EXPECT_EQ(with(9, "int64[2]", "onnx"), Rules{});
}

TEST(TargetLimits, RecurrencesOfOnnxRuntimeNeedTheirHiddenSize) {
  const auto with = [](const std::string &attributes, const std::string &target) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[5, 2, 3]") + ", " +
                   value("w", "float32[1, 4, 3]") + ", " + value("r", "float32[1, 4, 4]");
    i.yes = {"", onnx("RNN", R"("x", "w", "r")", "a", "", attributes), R"("a")"};
    i.no = {"", onnx("RNN", R"("x", "w", "r")", "b", "", R"({"name": "hidden_size", "int": 4})"), R"("b")"};
    return found(i.json(), target, {"branch-identical", "output-shape", "output-declared"});
  };
  EXPECT_EQ(with("", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with("", "onnx"), Rules{});
  const std::string hidden = R"({"name": "hidden_size", "int": 4}, )";
  EXPECT_EQ(with(hidden + R"({"name": "layout", "int": 1})", "onnxruntime"), Rules{"error operator-type"});
  EXPECT_EQ(with(hidden + R"({"name": "layout", "int": 0})", "onnxruntime"), Rules{});
}

} // namespace
} // namespace condlint::test
