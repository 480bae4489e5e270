//===- InputTest.cpp - Inputs of a run ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Inputs that do not fit are refused before anything runs, with words.
#include "Samples.h"

namespace condlint::test {
namespace {

struct Case {
  const char *what;
  std::vector<Array> inputs;
  const char *says;
};

std::string model() {
  TorchCond c = soundCond("float32[s0, 4]");
  c.symbols = R"("s0": {"min": 3, "max": 8})";
  return c.json();
}

Array matrix(std::int64_t rows, std::int64_t columns, DType t = DType::Float32) {
  return array("x", t, {rows, columns}, std::vector<double>(static_cast<std::size_t>(rows * columns)));
}

TEST(Inputs, AStringOfTheExportIsLeftOut) {
  const auto given = [](const std::string &format) {
    Session s(R"({"condlint": "graph-1", )" + format +
              R"("dialect": "torch", "version": "2.13", "graph": {"parameters": [
        {"name": "mode", "type": {"kind": "string"}}, {"name": "x", "type": "float32[2]"}], "nodes": [], "results": ["x"]}})");
    return s.run({array("mode", DType::Int64, {}, {1}), floats("x", {1, 2})});
  };
  EXPECT_TRUE(given("").ends_with("is a string, which condlint cannot be given")) << given("");
  const std::string exported = given(R"("format": "pt2", )");
  EXPECT_TRUE(exported.ends_with("is a string, which condlint cannot be given: leave it out")) << exported;
}

TEST(Inputs, AFloatOfTheExportIsThatOneAlone) {
  const std::string json = R"({"condlint": "graph-1", "format": "pt2", "dialect": "torch", "version": "2.13", "graph": {
      "parameters": [{"name": "f", "type": "sym_float", "real": 0.1, "role": "scalar_input"}, {"name": "x", "type": "float32[2]"}],
      "nodes": [], "results": ["x", "f", {"literal": "sym_float", "real": 0.25}]}})";
  const auto given = [&](std::vector<Array> f) {
    f.push_back(floats("x", {1, 2}));
    Session s(json);
    return s.run(f);
  };
  const std::string held = given({});
  EXPECT_TRUE(held.starts_with("float32[2]")) << held;
  EXPECT_NE(held.find("0.1"), std::string::npos) << held;
  EXPECT_NE(held.find("0.25"), std::string::npos) << held;
  EXPECT_EQ(given({array("f", DType::Float64, {}, {0.1})}), held);
  EXPECT_EQ(given({array("f", DType::Float32, {}, {0.1})}), held);
  const std::string other = given({array("f", DType::Float64, {}, {0.2})});
  EXPECT_TRUE(other.ends_with("is 0.2, but the model was exported for 0.1 alone")) << other;
  EXPECT_TRUE(given({array("f", DType::Int64, {}, {0})}).ends_with("for 0.1 alone"));
}

TEST(Inputs, WhatDoesNotFitIsRefusedBeforeAnythingRuns) {
  const std::vector<Case> cases{
      {"dtype", {truth("p", true), matrix(4, 4, DType::Float64)}, "float64[4, 4]"},
      {"rank", {truth("p", true), floats("x", {1, 2})}, "float32[2]"},
      {"size", {truth("p", true), matrix(4, 5)}, "axis 1 has 5 elements instead of 4"},
      {"name", {truth("p", true), array("y", DType::Float32, {4, 4}, std::vector<double>(16))}, "no input 'y'"},
      {"number", {truth("p", true)}, "input 'x'"},
      {"twice", {truth("p", true), truth("p", true), matrix(4, 4)}, "twice"},
      {"too many", {truth("p", true), matrix(4, 4), truth("in2", true)}, "in2"},
      {"below the range", {truth("p", true), matrix(2, 4)}, "s0 = 2"},
      {"above the range", {truth("p", true), matrix(9, 4)}, "at most 8"},
  };
  for (const Case &c : cases) {
    Session s(model());
    const std::string out = s.run(c.inputs);
    EXPECT_TRUE(out.starts_with("error: ")) << c.what << ": " << out;
    EXPECT_NE(out.find(c.says), std::string::npos) << c.what << ": " << out;
    EXPECT_TRUE(s.ran.empty()) << c.what;
  }
  Session s(model());
  EXPECT_TRUE(s.run({truth("p", true), matrix(3, 4)}).starts_with("float32[3, 4]"));
}

TEST(Inputs, OneSymbolHasOneSize) {
  TorchCond c = soundCond("float32[s0]");
  c.parameters += ", " + value("z", "float32[s0]");
  Session s(c.json());
  const std::string out = s.run({truth("p", true), floats("x", {1, 2, 3}), floats("z", {1, 2})});
  EXPECT_NE(out.find("s0 is 3"), std::string::npos) << out;
}

/// `2*Dim("h")` and `Dim("h") + 1` are sizes of a symbol that no axis is by itself.
TEST(Inputs, TheSymbolOfASumIsSolvedFor) {
  TorchCond c = soundCond("float32[2*s0 + 1]");
  c.symbols = R"("s0": {"min": 3, "max": 8})";
  const auto run = [&](std::size_t size) {
    Session s(c.json());
    return s.run({truth("p", true), floats("x", std::vector<double>(size))});
  };
  EXPECT_TRUE(run(7).starts_with("float32[7]")) << run(7);
  EXPECT_NE(run(8).find("is 8, but 2*s0 + 1 is that for no whole s0"), std::string::npos) << run(8);
  EXPECT_NE(run(19).find("is 2*s0 + 1 = 19, so that s0 is 9, which the model declares to be at least 3 and at most 8"),
            std::string::npos)
      << run(19);
  EXPECT_NE(run(5).find("s0 is 2"), std::string::npos) << run(5);
  // What is no sum is compared when its symbol is known, and not before.
  c = soundCond("float32[s0 // 2]");
  EXPECT_TRUE(run(5).starts_with("float32[5]")) << run(5);
}

TEST(Inputs, PositionsAndNamesBothWork) {
  Session s(soundCond().json());
  EXPECT_EQ(s.run({truth("in0", true), floats("in1", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  EXPECT_EQ(s.run({truth("", true), floats("", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  EXPECT_EQ(s.run({floats("x", {0, 0, 0, 0}), truth("p", true)}), "float32[4]: 0, 0, 0, 0");
}

TEST(Inputs, MemoryBeyondTheLimitIsRefusedBeforeAnythingRuns) {
  TorchCond c = soundCond("float32[1000]");
  c.before =
      aten("neg.default", "x", "first", "float32[1000]") + ", " +
      R"({"op": "aten.new_zeros.default", "attributes": [{"name": "self", "operand": "x"}, {"name": "size", "ints": [100000]}],
             "results": [{"name": "big", "type": "float32[100000]"}]},)";
  ExecutorOptions o = onTestDevice();
  o.memoryLimit = 100000;
  Session s(c.json(), o);
  const std::string out = s.run({truth("p", true), floats("x", std::vector<double>(1000))});
  EXPECT_TRUE(out.starts_with("error: ")) << out;
  EXPECT_NE(out.find("--memory-limit"), std::string::npos) << out;
  EXPECT_TRUE(s.ran.empty());
  o.memoryLimit = 1000000;
  EXPECT_TRUE(
      Session(c.json(), o).run({truth("p", true), floats("x", std::vector<double>(1000))}).starts_with("float32"));
}

TEST(Inputs, MemoryThatNobodyCouldForeseeIsRefusedToo) {
  // The size depends on data: what is refused is the allocation.
  const std::string json = fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [{}], "nodes": [
      {{"op": "ConstantOfShape", "operands": ["n"], "results": ["z"]}}], "results": ["z"]}}}})",
      value("n", "int64[1]"));
  ExecutorOptions o = onTestDevice();
  o.memoryLimit = 1 << 20;
  Session s(json, o);
  EXPECT_TRUE(s.run({array("n", DType::Int64, {1}, {10})}).starts_with("float32[10]"));
  const std::string out = s.run({array("n", DType::Int64, {1}, {1e9})});
  EXPECT_TRUE(out.starts_with("error: ")) << out;
  EXPECT_NE(out.find("memory"), std::string::npos) << out;
}

TEST(Inputs, AFlagThatTheModelWasExportedForIsDrawnAsItIs) {
  TorchCond c = soundCond();
  c.parameters += R"(, {"name": "b", "type": "sym_bool", "content": [1]})";
  Session s(c.json());
  for (std::uint32_t draw = 0; draw < 8; ++draw) {
    const auto drawn = s.executor->draw(7, draw, {});
    EXPECT_TRUE(drawn) << drawn.error().str();
  }
  const std::string out = s.run({truth("p", true), floats("x", {1, 2, 3, 4}), truth("b", false)});
  EXPECT_NE(out.find("input 'b': is 0, but the model was exported for 1 alone"), std::string::npos) << out;
}

TEST(Inputs, WhatTheModelWasExportedWithNeedNotBeGiven) {
  TorchCond c = soundCond();
  c.parameters += R"(, {"name": "n", "type": "none", "role": "scalar_input"},
                       {"name": "b", "type": "sym_bool", "content": [1], "role": "scalar_input"})";
  Session s(c.json());
  EXPECT_EQ(s.run({truth("p", true), floats("x", {0, 0, 0, 0})}), "float32[4]: 0, 0, 0, 0");
  EXPECT_EQ(s.run({truth("in0", true), floats("in1", {0, 0, 0, 0}), truth("in3", true)}), "float32[4]: 0, 0, 0, 0");
  EXPECT_TRUE(s.executor->draw(7, 0, {}));
  const std::string other = s.run({truth("p", true), floats("x", {0, 0, 0, 0}), truth("b", false)});
  EXPECT_NE(other.find("exported for 1 alone"), std::string::npos) << other;
  const std::string few = s.run({truth("p", true)});
  EXPECT_NE(few.find("input 'x': is not given"), std::string::npos) << few;
}

TEST(Inputs, DrawnInputsLieInTheDeclaredRangesSmallOnesFirst) {
  Session s(model());
  std::int64_t before = 0;
  for (std::uint32_t draw = 0; draw < 20; ++draw) {
    const auto drawn = s.executor->draw(7, draw, {});
    ASSERT_TRUE(drawn) << drawn.error().str();
    const std::int64_t rows = (*drawn)[1].tensor.size(0);
    EXPECT_TRUE(rows >= 3 && rows <= 8) << rows;
    before = std::max(before, rows);
    EXPECT_TRUE(draw != 0 || rows <= 4) << rows;
    const auto again = s.executor->draw(7, draw, {});
    EXPECT_EQ(spelled(*s.executor->toArray((*drawn)[1])), spelled(*s.executor->toArray((*again)[1])));
  }
  EXPECT_GT(before, 4);
  const auto fixed = s.executor->draw(7, 0, {{"s0", 6}});
  ASSERT_TRUE(fixed);
  EXPECT_EQ((*fixed)[1].tensor.size(0), 6);
  EXPECT_FALSE(s.executor->draw(7, 0, {{"s0", 60}}));
}

TEST(Inputs, IntegersAreOfEveryKindWhereEveryKindIsTaken) {
  // k is compared, i says which rows are taken, and e too in the end.
  TorchCond c = soundCond();
  c.parameters += ", " + value("k", "int64[64]") + ", " + value("i", "int64[64]") + ", " + value("e", "int64[64]");
  const auto take = [](const std::string &from, const std::string &to) {
    return fmt::format(R"({{"op": "aten.index_select.default", "attributes": [{{"name": "self", "operand": "x"}},
      {{"name": "dim", "int": 0}}, {{"name": "index", "operand": "{}"}}], "results": ["{}"]}}, )",
                       from, to);
  };
  c.before = aten("gt.Scalar", "k", "q", "bool[64]", R"(, {"name": "other", "int": 3})") + ", " + take("i", "r") +
             aten("add.Tensor", "e", "f", "int64[64]", R"(, {"name": "other", "int": 1})") + ", " + take("f", "g");
  Session s(c.json());
  std::int64_t least = 0, most = 0;
  for (std::uint32_t draw = 0; draw < 3; ++draw) {
    const auto drawn = s.executor->draw(7, draw, {});
    ASSERT_TRUE(drawn) << drawn.error().str();
    for (std::size_t input = 2; input < 5; ++input) {
      const Array a = *s.executor->toArray((*drawn)[input]);
      for (std::int64_t j = 0; j < 64; ++j) {
        const auto number = loadElement<std::int64_t>(a.dtype, a.bytes.data(), j);
        if (input == 2) {
          least = std::min(least, number);
          most = std::max(most, number);
        } else {
          EXPECT_TRUE(number >= 0 && number <= 2) << number;
        }
      }
    }
  }
  EXPECT_LT(least, -1000);
  EXPECT_GT(most, 1000);
}

TEST(Inputs, ManyOpenSizesMakeNoLargeInput) {
  std::string shape, symbols;
  for (int i = 0; i < 20; ++i) {
    shape += fmt::format("{}s{}", i == 0 ? "" : ", ", i);
    symbols += fmt::format(R"({}"s{}": {{"min": 0, "max": 100}})", i == 0 ? "" : ", ", i);
  }
  Session s(fmt::format(R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "symbols": {{{}}},
    "graph": {{"parameters": [{}], "nodes": [{}], "results": ["y"]}}}})",
                        symbols, value("x", "float32[" + shape + "]"), aten("sin.default", "x", "y", "")));
  for (std::uint32_t draw = 0; draw < 12; ++draw) {
    const auto drawn = s.executor->draw(7, draw, {});
    ASSERT_TRUE(drawn) << drawn.error().str();
    EXPECT_LE((*drawn)[0].tensor.numel(), 1 << 18);
  }
}

TEST(Inputs, SequencesAreDrawnOfWhatTheyAreDeclaredToHold) {
  // What is drawn lies on the session's device.
  const auto session = [](const std::string &item) {
    return std::make_unique<Session>(
        fmt::format(R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters":
      [{{"name": "s", "type": {{"kind": "sequence", "item": "{}"}}}}], "nodes": [{{"op": "SequenceLength", "operands": ["s"], "results": ["r"]}}],
      "results": ["r"]}}}})",
                    item));
  };
  const auto whole = session("float32[2]"), open = session("float32");
  const auto list = whole->executor->draw(7, 0, {});
  ASSERT_TRUE(list) << list.error().str();
  ASSERT_FALSE((*list)[0].list().empty());
  EXPECT_EQ((*list)[0].list()[0].tensor.size(0), 2);
  const auto unknown = open->executor->draw(7, 0, {});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().str().find("of a sequence, the file says no more of it than float32"), std::string::npos)
      << unknown.error().str();
}

} // namespace
} // namespace condlint::test
