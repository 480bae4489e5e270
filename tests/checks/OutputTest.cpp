//===- OutputTest.cpp - The rules that compare outputs --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

/// Branches that return operands of an unknown operator, of the given types.
TorchCond returning(const std::string &a, const std::string &b, const std::string &declared = {}) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("made_up.default", "x", "a", a);
  c.yes.results = R"("a")";
  c.no.nodes = aten("made_up.other", "x", "b", b);
  c.no.results = R"("b")";
  c.outputs = value("y", declared);
  return c;
}

/// Branches that return results of operators that nobody knows, which are declared to be of the given types.
OnnxIf onnxDeclaring(const std::string &a, const std::string &b, const std::string &declared = {}) {
  OnnxIf i;
  i.yes = {"", onnx("test::A", R"("x")", "a", a), R"("a")"};
  i.no = {"", onnx("test::B", R"("x")", "b", b), R"("b")"};
  i.outputs = value("y", declared);
  return i;
}

/// The same of what is computed: of inputs of those types.
OnnxIf onnxReturning(const std::string &a, const std::string &b, const std::string &declared = {}) {
  OnnxIf i = onnxDeclaring(a, b, declared);
  if (!a.starts_with("float32") || !b.starts_with("float32"))
    return i;
  i.parameters += ", " + value("v", a) + ", " + value("w", b);
  i.yes.nodes = onnx("Abs", R"("v")", "a");
  i.no.nodes = onnx("Neg", R"("w")", "b");
  return i;
}

TEST(Output, R1CountsDiffer) {
  TorchCond c = soundCond();
  c.yes.results = R"("sin", "sin2")";
  c.yes.nodes += ", " + aten("sin.default", "sin", "sin2", "float32[4]");
  const std::vector<std::string> besides{"output-unused"};
  EXPECT_EQ(found(c.json(), "torch@2.13", besides), Rules{"error output-count"});
  // Declared more than returned.
  TorchCond more = soundCond();
  more.outputs += ", " + value("z", "float32[4]");
  EXPECT_EQ(found(more.json(), "torch@2.13", besides), Rules{"error output-count"});
}

TEST(Output, TP8AnOutputThatTheBranchReadsItself) {
  OnnxIf i;
  i.yes = {"", onnx("Relu", R"("x")", "a") + ", " + onnx("Exp", R"("a")", "a2"), R"("a", "a2")"};
  i.no = {"", onnx("Neg", R"("x")", "b") + ", " + onnx("Abs", R"("x")", "b2"), R"("b", "b2")"};
  i.outputs = value("y") + ", " + value("y2");
  i.results = R"("y", "y2")";
  const std::vector<std::string> besides{"branch-eager"};
  EXPECT_EQ(found(i.json(), "tensorrt@8.6", besides), Rules{"note output-count"});
  EXPECT_EQ(found(i.json(), "tensorrt@9.0", besides), Rules{});
  EXPECT_EQ(found(i.json(), "onnx", besides), Rules{});
  i.yes.nodes = onnx("Relu", R"("x")", "a") + ", " + onnx("Exp", R"("x")", "a2");
  EXPECT_EQ(found(i.json(), "tensorrt@8.6", besides), Rules{});
}

TEST(Output, R1CommonPositionsAreStillCompared) {
  TorchCond c = returning("float32[4]", "int64[4]");
  c.yes.nodes += ", " + aten("sin.default", "x", "more", "float32[4]");
  c.yes.results = R"("a", "more")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), (Rules{"error output-count", "error output-dtype"}));
}

TEST(Output, R1AnOutputTooManyShiftsTheOthers) {
  TorchCond c = returning("int64[4]", "int64[4]");
  c.yes.nodes += ", " + aten("sin.default", "x", "more", "float32[4]");
  c.yes.results = R"("more", "a")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-count"});
  EXPECT_EQ(verdictOf(c.json(), "torch@2.13", "output-dtype"), "unknown");
}

TEST(Output, C6NoOutputs) {
  TorchCond c = soundCond();
  c.outputs = "";
  c.results = R"("x")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-none"});
}

TEST(Output, R2R5Kinds) {
  TorchCond c = soundCond();
  c.no.results = "1";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-kind"});
  // R4: ints that are constants merge from 2.7 on.
  c.yes.results = "2";
  c.outputs = value("y", "sym_int");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  EXPECT_EQ(found(c.json(), "torch@2.6"), Rules{"error output-kind"});
  EXPECT_EQ(found(c.json(), "aoti"), Rules{"error output-kind"});
  c.yes.results = c.no.results = R"({"literal": "none"})";
  c.outputs = value("y", "none");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-kind"});
}

TEST(Output, TP6KindsOfAnIf) {
  const std::string sequence = R"({"kind": "sequence", "item": "float32[2]"})";
  OnnxIf i = onnxReturning(sequence, sequence);
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"error output-kind"});
  i.opset = 12; // If-11
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-kind"});
  EXPECT_EQ(found(onnxReturning(sequence, "float32[2]").json(), "onnx"), Rules{"error output-kind"});
}

TEST(Output, R6DtypesDiffer) {
  EXPECT_EQ(found(returning("float32[4]", "float64[4]").json(), "torch@2.13"), Rules{"error output-dtype"});
  EXPECT_EQ(found(returning("float32[4]", "float32[4]").json(), "torch@2.13"), Rules{});
  EXPECT_EQ(verdictOf(returning("float32[4]", "?[4]").json(), "torch@2.13", "output-dtype"), "unknown");
  const Finding f = theFinding(returning("float32[4]", "float64[4]").json(), "torch@2.13", "output-dtype");
  EXPECT_EQ(f.message,
            "the branches return different dtypes: float32 from 'true_graph_0' ('a' at main/cond/true_graph_0/a) "
            "and float64 from 'false_graph_0' ('b' at main/cond/false_graph_0/b)");
  EXPECT_EQ(f.location.str(), "model.py:12");
  EXPECT_EQ(f.target, "torch@2.13");
  EXPECT_EQ(f.conditional, "main/cond");
  EXPECT_EQ(f.related.size(), 2u);
  EXPECT_FALSE(f.help.empty());
}

TEST(Output, TheConversionThatIsAdvisedLosesNothing) {
  const auto help = [](const std::string &a, const std::string &b) {
    return theFinding(returning(a, b).json(), "torch@2.13", "output-dtype").help;
  };
  EXPECT_EQ(help("int64[4]", "float32[4]"), "convert one side, for instance `.to(torch.float32)` in 'true_graph_0'");
  EXPECT_EQ(help("float32[4]", "int64[4]"), "convert one side, for instance `.to(torch.float32)` in 'false_graph_0'");
}

TEST(Output, R6TheOperatorsCountNotTheRecords) {
  TorchCond c = soundCond();
  c.no.nodes = aten("gt.Scalar", "x", "b", "", R"(, {"name": "other", "int": 0})");
  c.no.results = R"("b")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-dtype"});
}

TEST(Output, AnIfTakesBfloat16SinceVersion16) {
  OnnxIf i = onnxReturning("bfloat16[2]", "bfloat16[2]");
  for (const int opset : {13, 15}) {
    i.opset = opset;
    EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-dtype"}) << opset;
    EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{}) << opset;
  }
  i.opset = 16;
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
}

TEST(Output, AnIfTakesNarrowTypesSinceTheirVersions) {
  for (const auto &[type, since] : {std::pair("float8e4m3fn", 19),
                                    {"float8e5m2fnuz", 19},
                                    {"int4", 21},
                                    {"uint4", 21},
                                    {"float4e2m1", 23},
                                    {"float8e8m0fnu", 24},
                                    {"int2", 25}}) {
    OnnxIf i = onnxReturning(fmt::format("{}[2]", type), fmt::format("{}[2]", type));
    i.opset = since - 1;
    EXPECT_EQ(found(i.json(), "onnx"), Rules{"error output-dtype"}) << type;
    EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"error output-dtype"}) << type;
    i.opset = since;
    EXPECT_EQ(found(i.json(), "onnx"), Rules{}) << type;
    // It has an If for floats of a byte, and for nothing smaller.
    EXPECT_EQ(found(i.json(), "onnxruntime"), since == 19 ? Rules{} : Rules{"error output-dtype"}) << type;
  }
  const OnnxIf complex = onnxReturning("complex64[2]", "complex64[2]");
  EXPECT_EQ(found(complex.json(), "onnx"), Rules{});
  EXPECT_EQ(found(complex.json(), "onnxruntime"), Rules{"error output-dtype"});
}

TEST(Output, AnIfTakesSequencesOfTensorsAlone) {
  const std::string flat = R"({"kind": "sequence", "item": "float32[2]"})";
  const std::string deep = fmt::format(R"({{"kind": "sequence", "item": {}}})", flat);
  const std::string perhaps = fmt::format(R"({{"kind": "optional", "item": {}}})", flat);
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_EQ(found(onnxReturning(flat, flat).json(), target), Rules{}) << target;
    EXPECT_EQ(found(onnxReturning(perhaps, perhaps).json(), target), Rules{}) << target;
    EXPECT_EQ(found(onnxReturning(deep, deep).json(), target), Rules{"error output-kind"}) << target;
  }
}

TEST(Output, C13TypesOfTensorRT) {
  for (const char *type : {"bool", "int32", "int64", "float16", "bfloat16", "float32"})
    EXPECT_EQ(found(onnxReturning(fmt::format("{}[2]", type), fmt::format("{}[2]", type)).json(), "tensorrt@10.6"),
              Rules{})
        << type;
  EXPECT_EQ(found(onnxReturning("bfloat16[2]", "bfloat16[2]").json(), "tensorrt@8.6", {"branch-eager"}),
            Rules{"error output-dtype"});
  EXPECT_EQ(
      found(onnxReturning("bfloat16[2]", "bfloat16[2]").json(), "tensorrt@9.0", {"branch-eager", "output-unused"}),
      Rules{});
  for (const char *type : {"string", "int8", "uint8"}) {
    const OnnxIf i = onnxReturning(fmt::format("{}[2]", type), fmt::format("{}[2]", type));
    EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"error output-dtype"}) << type;
    EXPECT_EQ(found(i.json(), "onnx"), Rules{}) << type;
  }
}

TEST(Output, R9C12WhatIsOnlyDeclaredOfAShapeIsNotKnown) {
  const auto verdicts = [](const OnnxIf &i, const char *target) {
    return verdictOf(i.json(), target, "output-rank") + " " + verdictOf(i.json(), target, "output-shape");
  };
  OnnxIf i = onnxDeclaring("float32[4]", "float32[4, 1]");
  for (const char *target : {"onnx", "tensorrt@10.3", "tensorrt@10.13"})
    EXPECT_EQ(verdictOf(i.json(), target, "output-rank"), "unknown") << target;
  EXPECT_EQ(verdictOf(i.json(), "onnxruntime", "output-rank"), "violated") << "nothing else fits in the room for it";
  EXPECT_EQ(verdictOf(onnxDeclaring("float32[n]", "float32[4, 1]").json(), "onnxruntime", "output-rank"), "unknown");
  i = onnxDeclaring("float32[4]", "float32[5]");
  for (const char *target : {"onnx", "tensorrt@10.3"})
    EXPECT_EQ(verdicts(i, target), "unknown unknown") << target;
  EXPECT_EQ(verdictOf(i.json(), "onnxruntime", "output-shape"), "violated");
  // One side that is computed does not help; both do.
  i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
  i.yes = {"", onnx("test::A", R"("x")", "a", "float32[5]"), R"("a")"};
  EXPECT_EQ(verdicts(i, "onnx"), "unknown unknown");
  i.yes = {"", onnx("Concat", R"("x", "x")", "a", "", R"({"name": "axis", "int": 0})"), R"("a")"};
  EXPECT_EQ(verdicts(i, "onnx"), "proved violated");
  // Branches of an If-1 the checker compares as they are declared.
  i = onnxDeclaring("float32[4]", "float32[4, 1]");
  i.opset = 9;
  EXPECT_EQ(verdictOf(i.json(), "onnx", "output-rank"), "violated");
  i = onnxDeclaring("float32[4]", "float32[5]");
  i.opset = 9;
  EXPECT_EQ(verdictOf(i.json(), "onnx", "output-shape"), "violated");
}

TEST(Output, R9C12RanksDiffer) {
  EXPECT_EQ(found(returning("float32[4]", "float32[4, 1]").json(), "torch@2.13"), Rules{"error output-rank"});
  const OnnxIf i = onnxReturning("float32[4]", "float32[4, 1]");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"warning output-rank"});
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"error output-rank"});
  OnnxIf old = i;
  old.opset = 9; // If-1
  EXPECT_EQ(found(old.json(), "onnx"), Rules{"error output-rank"});
  // What is declared then is no second cause; where ranks may differ none may be declared.
  old.outputs = value("y", "float32[4]");
  EXPECT_EQ(found(old.json(), "onnx"), Rules{"error output-rank"});
  EXPECT_EQ(found(old.json(), "onnxruntime"), Rules{"error output-rank"});
  OnnxIf young = i;
  young.outputs = value("y", "float32[4]");
  EXPECT_EQ(found(young.json(), "onnx"), (Rules{"warning output-rank", "error output-declared"}));
  EXPECT_EQ(verdictOf(onnxReturning("float32[4]", "float32[...]").json(), "onnx", "output-rank"), "unknown");
}

TEST(Output, AnIf1IsHeldToWhatInferenceComparesOfIt) {
  const auto worst = [](const std::string &yes, const std::string &operand, const char *target) {
    OnnxIf i;
    i.opset = 9;
    i.parameters = value("c", "bool[]") + ", " + value("x", operand);
    i.constants = R"({"name": "four", "type": "int64[1]", "data": {"ints": [4]}},
                     {"name": "one", "type": "int64[1]", "data": {"ints": [1]}})";
    i.yes = {"", yes, R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return firstFound(i.json(), target, "output-shape");
  };
  const std::string twice = onnx("Concat", R"("x", "x")", "a", "", R"({"name": "axis", "int": 0})");
  for (const char *target : {"onnx", "onnxruntime"})
    EXPECT_EQ(worst(twice, "float32[4]", target), "error output-shape") << target;
  // Sizes by a name are not compared, and those that come of computed numbers are not known.
  EXPECT_EQ(worst(twice, "float32[n]", "onnx"), "warning output-shape");
  EXPECT_EQ(worst(twice, "float32[n]", "onnxruntime"), "note output-shape");
  const std::string computed = onnx("Mul", R"("four", "one")", "s") + ", " + onnx("Expand", R"("one", "s")", "w") +
                               ", " + onnx("Cast", R"("w")", "a", "", R"({"name": "to", "int": 1})");
  EXPECT_EQ(worst(computed, "float32[3]", "onnx"), "warning output-shape");
  EXPECT_EQ(worst(computed, "float32[3]", "onnxruntime"), "note output-shape");
}

TEST(Output, TP6ElementTypesAreThoseOfTheImportedNetwork) {
  const auto with = [](const std::string &yes, const std::string &no, const std::string &target) {
    OnnxIf i = onnxReturning("float32[4]", "float32[4]");
    const auto cast = [](const std::string &type, const std::string &name) {
      return onnx("Cast", R"("x")", name, "", R"({"name": "to", "int": )" + type + "}");
    };
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4]");
    i.yes = {"", cast(yes, "a"), R"("a")"};
    i.no = {"", cast(no, "b"), R"("b")"};
    return found(i.json(), target, {"branch-identical", "branch-eager"});
  };
  const std::string float32 = "1", int32 = "6", int64 = "7", float64 = "11", uint8 = "2";
  for (const char *target : {"tensorrt@8.6", "tensorrt@10.13"}) {
    EXPECT_EQ(with(float64, float64, target), Rules{}) << target << ": it becomes a float32";
    EXPECT_EQ(with(float64, float32, target), Rules{}) << target;
    EXPECT_EQ(with(float64, int32, target), Rules{"error output-dtype"}) << target;
    EXPECT_EQ(with(uint8, uint8, target), Rules{"error output-dtype"}) << target;
  }
  EXPECT_EQ(with(float64, float32, "onnx"), Rules{"error output-dtype"});
  EXPECT_EQ(with(int64, int32, "tensorrt@8.6"), Rules{}) << "it had no int64";
  for (const char *target : {"tensorrt@9.0", "tensorrt@10.0"})
    EXPECT_EQ(with(int64, int32, target), Rules{"error output-dtype"}) << target;
}

TEST(Output, TP1CountsAreComparedBeforeTheConditionIsAsked) {
  OnnxIf i;
  i.parameters = value("x", "float32[4]");
  i.constants = R"({"name": "c", "type": "bool[]", "data": {"bytes": [1]}})";
  i.no = {"", onnx("Neg", R"("x")", "b") + ", " + onnx("Exp", R"("x")", "d"), R"("b", "d")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), (Rules{"note predicate-constant", "error output-count"}));
  i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
}

TEST(Output, TheSqueezePatternIsNamed) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 4]");
  i.constants = R"({"name": "axes", "type": "int64[1]", "data": {"ints": [0]}})";
  i.yes = {"", onnx("Squeeze", R"("x", "axes")", "a"), R"("a")"};
  i.no = {"", onnx("Identity", R"("x")", "b"), R"("b")"};
  EXPECT_NE(theFinding(i.json(), "onnx", "output-rank").message.find("If(Squeeze / Identity)"), std::string::npos);
}

TEST(Output, R12C12ShapesDiffer) {
  const TorchCond c = returning("float32[4]", "float32[6]", "float32[u0]");
  EXPECT_EQ(found(c.json(), "torch@2.6"), Rules{"error output-shape"});
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"note output-shape"});
  const OnnxIf i = onnxReturning("float32[4]", "float32[6]");
  EXPECT_EQ(found(i.json(), "tensorrt@10.10"), Rules{"error output-shape"});
  EXPECT_EQ(found(i.json(), "tensorrt@10.11"), Rules{"note output-shape"});
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"note output-shape"});
}

// A dim_param of an input that reads like arithmetic is a name: it may be the other size.
TEST(Output, C12SizesThatAreNamesMayDiffer) {
  OnnxIf i = onnxReturning("float32[N]", "float32[N]");
  i.constants = R"({"name": "one", "type": "float32[1]"})";
  i.no.nodes = onnx("Concat", R"("w", "one")", "b", "", R"({"name": "axis", "int": 0})");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"error output-shape"});
  i = onnxReturning("float32[N]", "float32[N + 1]");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"warning output-shape"});
  OnnxIf other = onnxReturning("float32[2]", "float32[4]");
  other.parameters += ", " + value("p", "float32[N]") + ", " + value("q", "float32[N + 1]");
  EXPECT_EQ(found(other.json(), "tensorrt@10.6"), Rules{"error output-shape"});
}

TEST(Output, ShapesOfSymbols) {
  const auto verdict = [](const std::string &a, const std::string &b) {
    return found(onnxReturning("float32[" + a + "]", "float32[" + b + "]").json(), "tensorrt@10.6");
  };
  EXPECT_EQ(verdict("2*N", "N + N"), Rules{});
  EXPECT_EQ(verdict("N", "N + 1"), Rules{"warning output-shape"}); // the names of inputs
  EXPECT_EQ(verdict("N", "2*N"), Rules{"warning output-shape"});   // the range is our assumption
  // Of what is declared of a node that is refused nothing follows.
  OnnxIf refused = onnxReturning("float32[N]", "float32[2*N]");
  refused.constants = R"({"name": "r", "type": "int64[1]", "data": {"ints": [-1]}})";
  refused.yes.nodes = onnx("Tile", R"("x", "r")", "a", "float32[N]");
  EXPECT_EQ(found(refused.json(), "tensorrt@10.6"), Rules{"error operator-type"});
  EXPECT_EQ(verdict("?", "4"), Rules{});
  const Finding f = theFinding(onnxReturning("float32[N]", "float32[2*N]").json(), "tensorrt@10.6", "output-shape");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  EXPECT_FALSE(f.witness.empty());
}

/// Branches that take a vector N apart, by operators that do not take every N.
OnnxIf dividing(const std::string &yes, const std::string &no) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 1, N]");
  i.constants = R"({"name": "w", "type": "float32[1, 1, 2]"}, {"name": "s", "type": "int64[1]", "data": {"ints": [1]}},
      {"name": "e", "type": "int64[1]", "data": {"ints": [9223372036854775807]}},
      {"name": "k", "type": "int64[1]", "data": {"ints": [2]}})";
  i.yes = {"", yes, R"("a")"};
  i.no = {"", no, R"("b")"};
  return i;
}

TEST(Output, SizesThatAnOperatorDoesNotTakeAreNoWitness) {
  const auto of = [](const char *op, const char *operands, const char *result, const char *more) {
    return fmt::format(R"({{"op": "{}", "operands": [{}], "results": ["{}"], "attributes": [{}]}})", op, operands,
                       result, more);
  };
  const char *window = R"({"name": "kernel_shape", "ints": [2]}, {"name": "strides", "ints": [2]})";
  const std::string pool = of("MaxPool", R"("x")", "a", window), mean = of("AveragePool", R"("x")", "b", window);
  const std::string convolution = of("Conv", R"("x", "w")", "b", R"({"name": "strides", "ints": [2]})");
  const std::string slice = of("Slice", R"("x", "s", "e", "k", "k")", "b", "");
  const auto verdict = [&](const std::string &a, const std::string &b) {
    return verdictOf(dividing(a, b).json(), "onnx", "output-shape");
  };
  EXPECT_EQ(verdict(pool, mean), "proved");
  EXPECT_EQ(verdict(pool, convolution), "proved") << "a convolution's window fits";
  EXPECT_EQ(verdict(pool, slice), "possible");
  EXPECT_EQ(theFinding(dividing(pool, slice).json(), "onnx", "output-shape").witness, (Assignment{{"N", 1}}));
  const std::string thirds = R"({"op": "Split", "operands": ["x"], "results": ["a", "p", "q"],
      "attributes": [{"name": "axis", "int": 2}]})";
  const std::string halves = R"({"op": "Split", "operands": ["x"], "results": ["b", "r"],
      "attributes": [{"name": "axis", "int": 2}]})";
  OnnxIf parts = dividing(thirds, halves);
  parts.opset = 13;
  EXPECT_EQ(theFinding(parts.json(), "onnx", "output-shape").witness, (Assignment{{"N", 6}}));
}

TEST(Output, ASizeBornInABranchIsUnknown) {
  const TorchCond c = returning("float32[u3]", "float32[4]", "float32[u9]");
  EXPECT_EQ(verdictOf(c.json(), "torch@2.6", "output-shape"), "unknown");
  EXPECT_EQ(found(c.json(), "torch@2.6"), Rules{});
}

TEST(Output, R12TheDeclaredSizeMustBeASymbol) {
  EXPECT_EQ(found(returning("float32[4]", "float32[6]", "float32[4]").json(), "torch@2.13"),
            (Rules{"note output-shape", "error output-declared"}));
  EXPECT_EQ(found(returning("float32[4]", "float32[6]", "float32[4]").json(), "torch@2.6"),
            Rules{"error output-shape"});
  EXPECT_EQ(found(returning("float32[u0]", "float32[u0]", "float32[u1]").json(), "torch@2.13"), Rules{});
}

TEST(Output, R12WhatTheModelAssertsOfASizeIsDeclared) {
  // `torch._check(y.shape[0] == 6)`, or a broadcast against six elements, behind the conditional.
  const auto behind = [](const std::string &compared, const std::string &axis) {
    TorchCond c = returning("float32[4, 2]", "float32[6, 2]", "float32[6, 2]");
    c.after = "," + aten("sym_size.int", "y", "n", "sym_int", R"(, {"name": "dim", "int": )" + axis + "}") +
              R"(, {"op": "_operator.)" + compared +
              R"(", "attributes": [{"name": "a", "operand": "n"}, {"name": "b", "int": 6}],
                  "results": [{"name": "e", "type": "sym_bool"}]},
                 {"op": "aten._assert_scalar.default", "attributes": [{"name": "self", "operand": "e"}], "results": []})";
    return found(c.json(), "torch@2.13");
  };
  EXPECT_EQ(behind("eq", "0"), Rules{"note output-shape"});
  EXPECT_EQ(behind("le", "0"), (Rules{"note output-shape", "error output-declared"}));
  EXPECT_EQ(behind("eq", "1"), (Rules{"note output-shape", "error output-declared"}));
}

TEST(Output, DeclaredFacets) {
  EXPECT_EQ(found(returning("float32[4]", "float32[4]", "int64[4]").json(), "torch@2.13"),
            Rules{"error output-declared"});
  EXPECT_EQ(found(returning("float32[4]", "float32[4]", "float32[4, 1]").json(), "torch@2.13"),
            Rules{"error output-declared"});
  EXPECT_EQ(found(returning("float32[4]", "float32[4]", "float32[5]").json(), "torch@2.13"),
            Rules{"error output-declared"});
  EXPECT_EQ(found(returning("float32[4]", "float32[4]", "float32[...]").json(), "torch@2.13"), Rules{});
}

TEST(Output, R10DeclaredOffsets) {
  const auto with = [](const std::string &offset, const std::string &declared, const std::string &target) {
    const auto at = [](const std::string &where) {
      return R"({"kind": "tensor", "dtype": "float32", "shape": [4], "storageOffset": )" + where + "}";
    };
    return found(returning(at(offset), at(offset), at(declared)).json(), target);
  };
  EXPECT_EQ(with("0", "4", "torch@2.13"), Rules{"error output-declared"});
  EXPECT_EQ(with("4", "8", "torch@2.13"), Rules{"error output-declared"});
  // torch records either.
  EXPECT_EQ(with("4", "0", "torch@2.13"), Rules{});
  EXPECT_EQ(with("4", "4", "torch@2.13"), Rules{});
  EXPECT_EQ(with("0", "4", "torch@2.6"), Rules{}) << "its records are worth nothing";
}

TEST(Output, DeclaredOfAnIf) {
  // The standard forbids it, every tool accepts it.
  EXPECT_EQ(found(onnxReturning("float32[2]", "float32[4]", "float32[2]").json(), "onnx"),
            (Rules{"note output-shape", "error output-declared"}));
  EXPECT_EQ(found(onnxReturning("float32[2]", "float32[4]", "float32[d]").json(), "onnx"), Rules{"note output-shape"});
  EXPECT_EQ(found(onnxReturning("float32[N]", "float32[N]", "float32[4]").json(), "onnx"), Rules{});
  // Sizes that differ take a name of their own, not that of an input's size.
  OnnxIf named = onnxReturning("float32[2]", "float32[4]", "float32[N]");
  EXPECT_EQ(found(named.json(), "onnx"), Rules{"note output-shape"});
  named.parameters += ", " + value("n", "float32[N]");
  EXPECT_EQ(found(named.json(), "onnx"), (Rules{"note output-shape", "error output-declared"}));
  const auto ofInput = [](const std::string &given, const std::string &declared) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", given);
    i.outputs = value("y", declared);
    return verdictOf(i.json(), "onnx", "output-declared");
  };
  EXPECT_EQ(ofInput("float32[2]", "float32[N]"), "proved");
  EXPECT_EQ(verdictOf(onnxDeclaring("float32[2]", "float32[2]", "float32[2]").json(), "onnx", "output-declared"),
            "unknown")
      << "nobody knows what those operators yield";
  // A dim_param that reads like arithmetic is a name all the same: it confirms, and does not contradict.
  EXPECT_EQ(ofInput("float32[2*N]", "float32[2*N]"), "proved");
  EXPECT_EQ(
      verdictOf(onnxReturning("float32[2*N]", "float32[2*N]", "float32[N + 1]").json(), "onnx", "output-declared"),
      "unknown");
  EXPECT_EQ(found(onnxReturning("float32[2]", "float32[2, 1]", "float32[2]").json(), "onnx"),
            (Rules{"warning output-rank", "error output-declared"}));
}

TEST(Output, R12OneNewSymbolIsNoTwoSizes) {
  const std::string a = "float32[2, 5]", b = "float32[3, 7]";
  EXPECT_EQ(found(returning(a, b, "float32[u0, u1]").json(), "torch@2.13", {"output-shape"}), Rules{});
  EXPECT_EQ(found(returning(a, b, "float32[u0, u0]").json(), "torch@2.13", {"output-shape"}),
            Rules{"error output-declared"});
  EXPECT_EQ(
      found(returning("float32[2, 2]", "float32[3, 3]", "float32[u0, u0]").json(), "torch@2.13", {"output-shape"}),
      Rules{});
}

TEST(Output, R4DeclaredInts) {
  TorchCond c = soundCond();
  c.yes.results = "2";
  c.no.results = "3";
  c.outputs = R"({"name": "y", "type": "sym_int", "content": [2]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-declared"});
  c.outputs = R"({"name": "y", "type": "sym_int", "content": ["u0"]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.symbols = R"("u0": {"origin": "unbacked", "min": 1, "max": 2})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-declared"}) << "the range has 2, but not 3";
  c.no.results = "2";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.outputs = R"({"name": "y", "type": "sym_int", "content": [2]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  c.outputs = R"({"name": "y", "type": "sym_int", "content": [3]})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error output-declared"});
}

TEST(Output, KindOrDtypeHidesWhatFollowsFromIt) {
  // A dtype mismatch does not hide a shape mismatch, a rank mismatch does.
  EXPECT_EQ(found(returning("float32[4]", "int64[6]", "float32[u0]").json(), "torch@2.13"),
            (Rules{"error output-dtype", "note output-shape"}));
  EXPECT_EQ(found(returning("float32[4]", "float32[6, 1]", "float32[4]").json(), "torch@2.13"),
            Rules{"error output-rank"});
}

TEST(Output, F9Unused) {
  TorchCond c = soundCond();
  c.results = R"("x")";
  EXPECT_EQ(found(c.json(), "torch@2.13", {}), Rules{"note output-unused"});
  OnnxIf i;
  i.results = R"("x")";
  EXPECT_EQ(found(i.json(), "tensorrt@10.6", {}), Rules{"warning output-unused"});
  i.outputs = value("");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6", {}), Rules{});
  // What reads a name that nothing defines may mean it.
  i = {};
  i.results = R"("yy")";
  EXPECT_EQ(found(i.json(), "tensorrt@10.6", {}), Rules{"error value-undefined"});
}

// What a branch declares of its own initializer does not count for ONNX Runtime.
TEST(Output, OnnxRuntimeTakesAnInitializerAsItIs) {
  const auto with = [](const std::string &data, const std::string &target) {
    OnnxIf i;
    // Declared as one type and stored as another, so that nobody else knows which it is.
    i.yes = {"", "", R"("w")",
             R"({"name": "w", "type": "unknown[4]", "data": {"type": ")" + data + R"(", "size": 32}})"};
    i.outputs = value("y", "float32[4]");
    return found(i.json(), target);
  };
  EXPECT_EQ(with("int64[4]", "onnxruntime"), Rules{"error output-dtype"});
  EXPECT_EQ(with("float32[4]", "onnxruntime"), Rules{});
  EXPECT_EQ(with("int64[4]", "onnx"), Rules{}) << "the declaration itself is at fault there";
}

// Runtimes make room for as much as is declared, and a run that yields another size fails.
TEST(Output, ANumberThatOnlyTheDeclarationSaysIsNotProved) {
  const auto with = [](const std::string &node) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[n, 3]") + ", " + value("s", "int64[2]");
    i.yes = {"", node, R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    i.outputs = value("y", "float32[k, 3]");
    return verdictOf(i.json(), "onnxruntime", "output-declared");
  };
  EXPECT_EQ(with(onnx("Relu", R"("x")", "a", "float32[n, 3]")), "proved");
  EXPECT_EQ(with(onnx("Relu", R"("x")", "a", "float32[2, 3]")), "unknown") << "n may be another";
  EXPECT_EQ(with(onnx("Relu", R"("x")", "a", "float32[?, 3]")), "proved");
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "a", "float32[2, 3]")), "unknown") << "s may say another";
  EXPECT_EQ(with(onnx("Slice", R"("x", "s", "s")", "a", "float32[k, 3]")), "unknown") << "s may cut both axes";
}

// What a declaration alone says of a shape is a name, and no more: a run has whatever shape comes.
TEST(Output, NoProofRestsOnADeclarationAlone) {
  const auto with = [](const std::string &before, const std::string &yes, const std::string &no) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[n, 3]") + ", " + value("w", "float32[n, 3]") +
                   ", " + value("s", "int64[2]") + ", " + value("r", "int64[q]");
    i.before = before.empty() ? "" : before + ",";
    i.yes = {"", yes, R"("a")"};
    i.no = {"", no, R"("b")"};
    i.outputs = value("y", "float32[?, ?]");
    const std::string model = i.json();
    return verdictOf(model, "onnxruntime", "output-rank") + ' ' + verdictOf(model, "onnxruntime", "output-shape");
  };
  const std::string neg = onnx("Neg", R"("x")", "b", "float32[n, 3]");
  const std::string reshaped = onnx("Reshape", R"("x", "s")", "z", "float32[n, 3]");
  EXPECT_EQ(with("", onnx("Neg", R"("x")", "a", "float32[n, 3]"), neg), "proved proved");
  EXPECT_EQ(with("", onnx("Reshape", R"("x", "s")", "a", "float32[n, 3]"), neg), "proved unknown");
  EXPECT_EQ(with("", onnx("Reshape", R"("x", "r")", "a", "float32[n, 3]"), neg), "unknown unknown");
  EXPECT_EQ(with("", onnx("Mystery", R"("x")", "a", "float32[n, 3]"), neg), "unknown unknown");
  EXPECT_EQ(with("", reshaped + ", " + onnx("Relu", R"("z")", "a"), neg), "proved unknown") << "it follows";
  // One size that nobody knows is itself, and two of one name are not one.
  EXPECT_EQ(with(reshaped, onnx("Relu", R"("z")", "a"), onnx("Neg", R"("z")", "b")), "proved proved");
  const auto found = [](const std::string &of, const std::string &as) {
    return onnx("NonZero", '"' + of + '"', "u" + as, "int64[2, k]") + ", " +
           onnx("Cast", "\"u" + as + '"', as, "float32[2, k]", R"({"name": "to", "int": 1})");
  };
  EXPECT_EQ(with("", found("x", "a"), found("w", "b")), "proved unknown");
  // What follows without the declaration is known.
  EXPECT_EQ(with(onnx("Shape", R"("x")", "l", "int64[2]"), onnx("Reshape", R"("w", "l")", "a", "float32[n, 3]"), neg),
            "proved proved");
}

// A result that can have several ranks is declared as one of them, as exporters do; that proves nothing of it.
TEST(Output, NoProofRestsOnTheRankDeclaredForSeveral) {
  const auto with = [](const std::string &squeezed, const std::string &declared) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("d", "bool[]") + ", " + value("x", "float32[n, 3]");
    const Region yes = {"", squeezed, R"("u")"}, no = {"", onnx("Relu", R"("x")", "v"), R"("v")"};
    i.yes = {"",
             fmt::format(R"({{"op": "If", "name": "If_1", "operands": ["d"], "attributes": [
               {{"name": "then_branch", "region": {}}}, {{"name": "else_branch", "region": {}}}], "results": [{}]}})",
                         yes.json("y"), no.json("z"), value("a", declared)),
             R"("a")"};
    i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    const CheckResult all = checkJson(i.json(), "onnxruntime");
    for (const ConditionalSummary &c : all.conditionals)
      if (const auto verdict = c.verdicts.find("output-rank"); c.path.ends_with("If_0") && verdict != c.verdicts.end())
        return std::string(verdictName(verdict->second));
    return std::string("none");
  };
  const std::string flat = onnx("ReduceSum", R"("x")", "u", "", R"({"name": "keepdims", "int": 0})");
  EXPECT_EQ(with(flat, "float32[?, ?]"), "unknown");
  EXPECT_EQ(with(flat, "float32[n, 3]"), "unknown");
  EXPECT_EQ(with(flat, "float32"), "unknown");
  EXPECT_EQ(with(onnx("Neg", R"("x")", "u"), "float32[?, ?]"), "proved");
}

// Calls that are like each other share one copy of the body, and not what data decide in it.
TEST(Output, WhatDataDecideInAFunctionIsAnotherSizeInEachCall) {
  const auto with = [](const std::string &before, const std::string &yes, const std::string &no) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[4]") + ", " + value("w", "float32[4]");
    i.before = before.empty() ? "" : before + ",";
    i.yes = {"", yes, R"("a")"};
    i.no = {"", no, R"("b")"};
    std::string model = i.json();
    model.pop_back();
    return verdictOf(model +
                         fmt::format(R"(, "functions": [{{"domain": "my", "name": "F", "opsets": {{"": 20}}, "graph":
        {{"parameters": [{}], "nodes": [{}], "results": ["v"]}}}}]}})",
                                     value("u"), onnx("NonZero", R"("u")", "v")),
                     "onnx", "output-shape");
  };
  const auto call = [](const std::string &of, const std::string &as) { return onnx("my::F", '"' + of + '"', as); };
  EXPECT_EQ(with("", call("x", "a"), call("w", "b")), "unknown");
  EXPECT_EQ(with("", call("x", "a"), call("x", "b")), "unknown") << "nobody asks what the data are";
  EXPECT_EQ(with(call("x", "z"), onnx("Neg", R"("z")", "a"), onnx("Abs", R"("z")", "b")), "proved");
}

// What arithmetic on shapes knows is no word of the declaration alone.
TEST(Output, ANumberThatShapesSayIsProved) {
  const auto with = [](const std::string &given, const std::string &shaped, const std::string &nodes) {
    OnnxIf i;
    i.parameters =
        value("c", "bool[]") + ", " + value("x", given) + ", " + value("h", shaped) + ", " + value("s", "int64[3]");
    i.yes = {"", nodes, R"("a")"};
    i.no = {"", onnx("Neg", R"("h")", "b"), R"("b")"};
    i.outputs = value("y", "float32[?, ?, ?]");
    return verdictOf(i.json(), "onnx", "output-declared");
  };
  const std::string shape = onnx("Shape", R"("h")", "l", "int64[3]") + ", ";
  const std::string expand = shape + onnx("Expand", R"("x", "l")", "a", "float32[1, k, 8]");
  EXPECT_EQ(with("float32[]", "float32[1, n, 8]", expand), "proved");
  EXPECT_EQ(with("float32[1, 8]", "float32[1, n, 8]", expand), "proved");
  EXPECT_EQ(with("float32[m, 1, 1]", "float32[1, n, 8]", expand), "unknown") << "m may be another number than 1";
  EXPECT_EQ(with("float32[1, 1, 8]", "float32[1, n, m]", expand), "proved");
  EXPECT_EQ(with("float32[1, 1, 1]", "float32[1, n, m]", expand), "unknown") << "m may be another number than 8";
  const std::string reshape = shape + onnx("Reshape", R"("x", "l")", "a", "float32[1, k, 8]");
  EXPECT_EQ(with("float32[n, 8]", "float32[1, n, 8]", reshape), "proved");
  EXPECT_EQ(with("float32[n, 8]", "float32[1, n, 8]", onnx("Reshape", R"("x", "s")", "a", "float32[1, k, 8]")),
            "unknown");
}

TEST(Output, ASparseInitializerIsNoOutputOfABranch) {
  const auto with = [](const std::string &returned, const std::string &more, const std::string &target) {
    OnnxIf i;
    i.yes = {"", onnx("Relu", R"("w")", "a"), '"' + returned + '"',
             R"({"name": "w", "type": "float32[4]", "data": {"type": "float32[4]", "size": 16)" + more + "}}"};
    return found(i.json(), target);
  };
  const std::string sparse = R"(, "sparse": true)";
  for (const char *target : {"onnx", "onnxruntime"})
    EXPECT_EQ(with("w", "", target), Rules{}) << target;
  EXPECT_EQ(with("w", sparse, "onnxruntime"), Rules{"error output-kind"});
  EXPECT_EQ(with("a", sparse, "onnxruntime"), Rules{});
  // To onnx's inference no operator takes what is sparse.
  EXPECT_EQ(with("w", sparse, "onnx"), (Rules{"error operator-type", "error output-kind"}));
  EXPECT_EQ(with("a", sparse, "onnx"), Rules{"error operator-type"});
}

// ONNX Runtime logs a false shape inside. Up to opset 10 it holds the branches against each other by what it infers and
// what is declared, and of a size that the two say differently nothing is left.
TEST(Output, WhatIsKnownOfBranchesIsComparedUpToOpset10) {
  const auto with = [](int opset, const std::string &x, const std::string &yes, const std::string &no) {
    OnnxIf i;
    i.opset = opset;
    i.parameters = value("c", "bool[]") + ", " + value("x", x);
    i.yes.nodes = onnx("Relu", R"("x")", "a", yes);
    i.no.nodes = onnx("Neg", R"("x")", "b", no);
    return found(i.json(), "onnxruntime", {"branch-identical"});
  };
  const Rules one{"warning output-declared"}, two{"warning output-declared", "warning output-declared"};
  for (const int opset : {9, 11}) {
    EXPECT_EQ(with(opset, "float32[4]", "float32[3]", "float32[4]"), one) << opset;
    EXPECT_EQ(with(opset, "float32[4]", "float32[3]", ""), one) << opset;
    EXPECT_EQ(with(opset, "float32[4]", "float32[3]", "float32[3]"), two) << opset;
    EXPECT_EQ(with(opset, "float32[4]", "float32[3]", "float32[5]"), two) << opset;
    EXPECT_EQ(with(opset, "float32[4]", "float32[4,1]", "float32[4]"), one) << opset;
  }
  // The sizes that are left are compared.
  EXPECT_EQ(with(9, "float32[4,n]", "float32[3,5]", "float32[4,6]"),
            (Rules{"warning output-shape", "error output-declared"}));
  EXPECT_EQ(with(9, "float32[4,n]", "float32[3,5]", "float32[4,5]"),
            (Rules{"note output-shape", "warning output-declared"}));
}

} // namespace
