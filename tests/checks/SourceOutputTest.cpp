//===- SourceOutputTest.cpp - Outputs in source ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceSamples.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

/// Branches whose nodes make 'a' and 'b' of x.
SourceCond outputs(const std::string &yes, const std::string &no, const std::string &type = "?[...]") {
  SourceCond c;
  c.parameters = value("p", "bool[]") + ", " + value("x", type) + ", " + value("w", "?[...]");
  c.yes.nodes = yes;
  c.no.nodes = no;
  return c;
}

/// An annotated tensor: its sizes are known and it is strided, its strides are not.
std::string annotated(const std::string &shape) {
  return fmt::format(R"({{"dtype": "float32", "shape": [{}], "layout": "strided"}})", shape);
}

const std::string dim0 = R"(, {"name": "dim", "ints": [0]})";

TEST(SourceOutput, ElementTypesThatNeverAgree_R6) {
  const auto verdict = [](const std::string &yes, const std::string &no) {
    return verdictOf(outputs(yes, no).json(), "torch@2.14", "output-dtype");
  };
  const std::string longs = call(22, "to.dtype", "x", "b", R"(, {"name": "dtype", "dtype": "int64"})");
  const std::string floats = call(22, "to.dtype", "x", "b", R"(, {"name": "dtype", "dtype": "float32"})");
  for (const char *op : {"cos.default", "exp.default", "sigmoid.default", "gelu.default", "mean.default", "std.default",
                         "linalg_vector_norm.default", "true_divide.Scalar"})
    EXPECT_EQ(verdict(call(12, op, "x", "a", R"(, {"name": "other", "int": 2})"), longs), "violated") << op;
  EXPECT_EQ(verdict(call(12, "softmax.int", "x", "a", R"(, {"name": "dim", "int": -1})"), longs), "violated");
  EXPECT_EQ(verdict(call(12, "cos.default", "x", "a"), floats), "unknown");
  EXPECT_EQ(verdict(call(12, "argmax.default", "x", "a"), floats), "violated");
  EXPECT_EQ(verdict(call(12, "argmax.default", "x", "a"), longs), "proved");
  EXPECT_EQ(verdict(call(12, "mul.Tensor", "x", "a", R"(, {"name": "other", "float": 2.5})"), longs), "violated");
  EXPECT_EQ(verdict(call(12, "mul.Tensor", "x", "a", R"(, {"name": "other", "int": 2})"), longs), "unknown");
  // Sums of integers are int64: never int32.
  const std::string ints = call(22, "to.dtype", "x", "b", R"(, {"name": "dtype", "dtype": "int32"})");
  EXPECT_EQ(verdict(call(12, "sum.default", "x", "a"), ints), "violated");
  EXPECT_EQ(verdict(call(12, "sum.default", "x", "a"), longs), "unknown");
  EXPECT_EQ(verdict(call(12, "gt.Scalar", "x", "a", R"(, {"name": "other", "int": 0})"), longs), "violated");
  // An unknown operand: nothing follows.
  EXPECT_EQ(verdict(call(12, "clone.default", "x", "a"), longs), "unknown");
  const Finding f = theFinding(outputs(call(12, "cos.default", "x", "a"), longs).json(), "torch@2.14", "output-dtype");
  EXPECT_EQ(f.location.line, 10u);
  EXPECT_NE(f.message.find("some floating or complex type from 'true'"), std::string::npos) << f.message;
  EXPECT_NE(f.message.find("int64 from 'false'"), std::string::npos) << f.message;
}

TEST(SourceOutput, TheTypeOfAJoinIsOneOfItsPaths) {
  const std::string path = call(12, "to.dtype", "x", "i", R"(, {"name": "dtype", "dtype": "int32"})") + ", " +
                           call(13, "to.dtype", "x", "l", R"(, {"name": "dtype", "dtype": "int64"})") + ", " +
                           line(14, "cxx.join", R"("i", "l")", "", value("a"));
  EXPECT_EQ(lines(outputs(path, call(22, "exp.default", "x", "b")).json()), Rules{"10 error output-dtype"});
  const std::string longs = call(22, "to.dtype", "x", "b", R"(, {"name": "dtype", "dtype": "int64"})");
  EXPECT_EQ(verdictOf(outputs(path, longs).json(), "torch@2.14", "output-dtype"), "unknown");
}

TEST(SourceOutput, AnInnerMismatchIsTheInnerConditionals) {
  SourceCond inner = outputs(call(15, "argmax.default", "x", "a"), call(16, "exp.default", "x", "b"));
  SourceCond c;
  c.yes = {inner.node(14), R"("y")", 17};
  const std::string json = c.json();
  EXPECT_EQ(lines(json), Rules{"14 error output-dtype"});
}

TEST(SourceOutput, AssumptionsHold) {
  const std::string assumed =
      line(11, "cxx.assume", R"("x")", "", value("t", R"({"dtypes": ["float16", "float32", "float64"]})"));
  EXPECT_EQ(
      lines(outputs(assumed + ", " + call(12, "clone.default", "t", "a"), call(22, "argmax.default", "x", "b")).json()),
      Rules{"10 error output-dtype"});
  // And they are the same value.
  EXPECT_EQ(lines(outputs(assumed + ", " + call(12, "t.default", "t", "a"), call(22, "exp.default", "x", "b")).json()),
            Rules{"13 error output-alias"});
}

TEST(SourceOutput, RanksAndSizes_R9_R12) {
  const std::string x = annotated(R"("N", 4)");
  const auto of = [&](const std::string &yes, const std::string &no, const std::string &target) {
    SourceCond c = outputs(yes, no, x);
    c.symbols = R"("N": {"origin": "declared", "min": 0})";
    return lines(c.json(), target);
  };
  const std::string sum = call(12, "sum.dim_IntList", "x", "a", dim0);
  const std::string kept = call(12, "sum.dim_IntList", "x", "a", dim0 + R"(, {"name": "keepdim", "bool": true})");
  const std::string same = call(22, "exp.default", "x", "b");
  EXPECT_EQ(of(sum, same, "torch@2.14"), Rules{"10 error output-rank"});
  EXPECT_EQ(of(kept, same, "torch@2.14"), Rules());
  EXPECT_EQ(of(kept, same, "torch@2.6"), Rules{"10 error output-shape"}); // N = 2 shows it
  EXPECT_EQ(of(call(12, "exp.default", "x", "a"), same, "torch@2.6"), Rules());
  // Nothing is known of the rank: nothing is found.
  EXPECT_EQ(lines(outputs(sum, same).json()), Rules());
  EXPECT_EQ(verdictOf(outputs(sum, same).json(), "torch@2.14", "output-rank"), "unknown");
  // An argument that is not known decides.
  const std::string open = call(12, "sum.dim_IntList", "x", "a", R"(, {"name": "dim", "opaque": "a list"})");
  EXPECT_EQ(of(open, same, "torch@2.14"), Rules());
}

TEST(SourceOutput, Devices_R7) {
  const std::string cpu = R"({"kind": "tensor", "device": "cpu"})";
  const std::string moved = call(12, "to.device", "x", "a", R"(, {"name": "device", "device": "cuda"})");
  EXPECT_EQ(lines(outputs(moved, call(22, "exp.default", "x", "b"), cpu).json()), Rules{"10 error output-device"});
  EXPECT_EQ(lines(outputs(moved, call(22, "exp.default", "x", "b")).json()), Rules());
}

TEST(SourceOutput, LayoutsWhateverTheStridesOfTheOperand_R8_R10_R13) {
  const auto of = [](const std::string &shape, const std::string &yes, const std::string &no) {
    return lines(outputs(yes, no, annotated(shape)).json());
  };
  const std::string exp = call(12, "exp.default", "x", "e") + ", ";
  const auto slice = [](int start, int end, const std::string &result) {
    return call(12, "slice.Tensor", "e", result,
                fmt::format(R"(, {{"name": "dim", "int": 0}}, {{"name": "start", "int": {}}}, {{"name": "end",
                            "int": {}}})",
                            start, end));
  };
  // The offset is not 0 whichever stride it is times.
  EXPECT_EQ(of("8, 4", exp + slice(4, 8, "a"), exp + slice(0, 4, "b")), Rules{"10 error output-layout"});
  EXPECT_EQ(of("8, 4", exp + slice(0, 4, "a"), exp + slice(0, 4, "b")), Rules());
  // Which way an operand lies nobody said.
  const std::string turned = call(12, "t.default", "x", "t") + ", " + call(12, "clone.default", "t", "a");
  EXPECT_EQ(of("4, 4", turned, call(22, "clone.default", "x", "b")), Rules());
  EXPECT_EQ(of("8, 4", call(12, "to_sparse.default", "x", "a"), call(22, "relu.default", "x", "b")),
            Rules{"10 error output-layout"});
  // A vector has one way to lie.
  const std::string expanded = exp + call(12, "unsqueeze.default", "e", "u", R"(, {"name": "dim", "int": 0})") + ", " +
                               call(12, "expand.default", "u", "a", R"(, {"name": "size", "ints": [3, 8]})");
  const std::string repeated = exp + call(12, "repeat.default", "e", "b", R"(, {"name": "repeats", "ints": [3, 1]})");
  EXPECT_EQ(of("8", expanded, repeated), Rules{"10 error output-layout"});
}

TEST(SourceOutput, WhateverTheStridesOfTheOperandOneSideIsNotDense_R14_R15) {
  const auto of = [](const std::string &yes, const std::string &no) {
    return lines(outputs(yes, no, annotated("8, 4")).json());
  };
  const std::string zeros = line(12, "aten.zeros.default", "", R"({"name": "size", "ints": [1]})", value("z")) + ", ";
  const std::string expanded = zeros + call(12, "expand.default", "z", "a", R"(, {"name": "size", "ints": [8, 4]})");
  EXPECT_EQ(of(expanded, call(22, "exp.default", "x", "b")), Rules{"10 error output-layout"});
  EXPECT_EQ(of(call(12, "exp.default", "x", "a"),
               zeros + call(22, "expand.default", "z", "b", R"(, {"name": "size", "ints": [8, 4]})")),
            Rules{"10 error output-layout"});
  // Every second column: strides (s, 2) or (1, 16).
  const auto slice = [](int step) {
    return call(12, "exp.default", "x", "e") + ", " +
           call(
               12, "slice.Tensor", "e", "a",
               fmt::format(R"(, {{"name": "dim", "int": 1}}, {{"name": "start", "int": 0}}, {{"name": "end", "int": 4}},
                            {{"name": "step", "int": {}}})",
                           step));
  };
  const auto fresh = [](int columns) {
    return line(22, "aten.zeros.default", "", fmt::format(R"({{"name": "size", "ints": [8, {}]}})", columns),
                value("b"));
  };
  EXPECT_EQ(of(slice(2), fresh(2)), Rules{"10 error output-layout"});
  EXPECT_EQ(of(slice(1), fresh(4)), Rules());
  EXPECT_EQ(of(call(12, "relu.default", "x", "a"), fresh(4)), Rules());
}

TEST(SourceOutput, Kinds_R2_R5) {
  const auto of = [](const std::string &type, const std::string &target) {
    SourceCond c;
    c.yes = {line(12, "cxx.unknown", "", "", value("a", type)), R"("a")", 13};
    c.no = {line(22, "cxx.unknown", "", "", value("b", type)), R"("b")", 23};
    return lines(c.json(), target);
  };
  EXPECT_EQ(of("?[...]", "torch@2.14"), Rules());
  EXPECT_EQ(of("sym_float", "torch@2.14"), Rules{"10 error output-kind"});
  EXPECT_EQ(of("string", "torch@2.14"), Rules()); // the element type of that name
  EXPECT_EQ(of(R"({"kind": "string"})", "torch@2.14"), Rules{"10 error output-kind"});
  SourceCond none;
  none.no = {line(22, "cxx.none", "", "", value("b")), R"("b")", 23};
  EXPECT_EQ(lines(none.json()), Rules{"10 error output-kind"});
  // A list of unknown length is taken apart by whoever calls.
  SourceCond list;
  list.yes = {line(12, "cxx.unknown", "", "", value("a", "sequence")), R"("a")", 13};
  EXPECT_EQ(lines(list.json()), Rules());
  for (const char *rule : {"output-count", "output-kind", "output-dtype", "output-alias"})
    EXPECT_EQ(verdictOf(list.json(), "torch@2.14", rule), "unknown") << rule;
}

TEST(SourceOutput, CountAndNone_R1) {
  SourceCond c;
  c.yes.results = R"("a", "a")";
  c.yes.nodes += ", " + call(12, "exp.default", "x", "c");
  c.yes.results = R"("a", "c")";
  c.outputs = value("y") + ", " + value("z");
  EXPECT_EQ(lines(c.json()), Rules{"10 error output-count"});
  SourceCond none;
  none.yes.results = none.no.results = none.outputs = "";
  EXPECT_EQ(lines(none.json()), Rules{"10 error output-none"});
}

TEST(SourceOutput, EachReturnThatHandsBackWhatIsNotItsOwn_A1_A4) {
  SourceCond c;
  c.yes.nodes = line(14, "cxx.return", R"("x")") + ", " + call(15, "t.default", "x", "v") + ", " +
                line(16, "cxx.return", R"("v")") + ", " + call(17, "exp.default", "x", "e") + ", " +
                line(18, "cxx.return", R"("e")") + ", " + line(19, "cxx.join", R"("x", "v", "e")", "", value("a"));
  c.yes.returnLine = 0;
  EXPECT_EQ(lines(c.json()), (Rules{"14 error output-alias", "16 error output-alias"}));
  // A captured tensor is no better, and one that was not understood may be anything.
  c.yes = {line(12, "cxx.assume", R"("w")", "", value("a")), R"("a")", 13, capture("w", 12, R"("value": "w")")};
  EXPECT_EQ(lines(c.json()), (Rules{"12 warning closure-capture", "13 error output-alias"}));
  c.yes = {line(12, "cxx.unknown", "", "", value("a", "?[...]")), R"("a")", 13};
  EXPECT_EQ(lines(c.json()), Rules());
  EXPECT_EQ(verdictOf(c.json(), "torch@2.14", "output-alias"), "unknown");
}

TEST(SourceOutput, AnAliasIsNoLayout) {
  SourceCond c = outputs(call(12, "t.default", "x", "a"), call(22, "exp.default", "x", "b"), annotated("4, 4"));
  EXPECT_EQ(lines(c.json()), Rules{"13 error output-alias"});
}

TEST(SourceOutput, EachReturnThatRepeatsAValue_A2_A5) {
  const auto of = [](const std::string &nodes, const std::string &results) {
    SourceCond c;
    c.yes = {nodes, results, 14};
    c.no = {call(22, "exp.default", "x", "c") + ", " + call(22, "log.default", "x", "d"), R"("c", "d")", 24};
    c.outputs = value("y") + ", " + value("z");
    return c.json();
  };
  const std::string exp = call(12, "exp.default", "x", "a");
  EXPECT_EQ(lines(of(exp, R"("a", "a")")), Rules{"14 error output-duplicate"});
  EXPECT_EQ(lines(of(exp + ", " + call(13, "t.default", "a", "v"), R"("a", "v")")), Rules{"14 error output-duplicate"});
  EXPECT_EQ(lines(of(exp + ", " + call(13, "clone.default", "a", "v"), R"("a", "v")")), Rules());
  const std::string both = exp + ", " + call(12, "log.default", "x", "l") + ", " +
                           line(13, "cxx.join", R"("a", "l")", "", value("j")) + ", ";
  // One of the paths returns one tensor twice.
  EXPECT_EQ(lines(of(both + call(13, "t.default", "j", "v"), R"("a", "v")")), Rules{"14 error output-duplicate"});
  // Swapped on each path: never.
  const std::string swapped = of(both + line(13, "cxx.join", R"("l", "a")", "", value("k")), R"("j", "k")");
  EXPECT_EQ(lines(swapped), Rules());
  EXPECT_EQ(verdictOf(swapped, "torch@2.14", "output-duplicate"), "unknown");
}

TEST(SourceOutput, RequiresGrad_R16) {
  const auto zeros = [](int at, const std::string &result, const std::string &type) {
    return fmt::format(R"({{"op": "aten.zeros.default", "attributes": [{{"name": "size", "ints": [3]}}], "results":
        [{}], "location": {}}})",
                       value(result, type), place(at));
  };
  const std::string asked = R"({"kind": "tensor", "requiresGrad": true})";
  EXPECT_EQ(lines(outputs(zeros(12, "a", asked), zeros(22, "b", "")).json(), "torch@2.5"),
            Rules{"10 error output-requires-grad"});
  EXPECT_EQ(lines(outputs(zeros(12, "a", ""), zeros(22, "b", "")).json(), "torch@2.5"), Rules());
  EXPECT_EQ(lines(outputs(zeros(12, "a", asked), zeros(22, "b", "")).json(), "torch@2.14"), Rules());
}

TEST(SourceOutput, AnotherDefaultTypeIsUnknown) {
  const auto verdict = [](bool other) {
    auto models =
        readJson(FileBytes::copy(outputs(call(12, "to.dtype", "x", "i", R"(, {"name": "dtype", "dtype": "int64"})") +
                                             ", " + call(12, "exp.default", "i", "a"),
                                         call(22, "to.dtype", "x", "b", R"(, {"name": "dtype", "dtype": "float64"})"))
                                     .json()),
                 "test.json");
    models->front().info.otherDefaultFloat = other;
    const Analysis analysis(models->front());
    return verdictIn(check(analysis, *parseTarget("torch@2.14"), {}), "output-dtype");
  };
  EXPECT_EQ(verdict(false), Verdict::Violated);
  EXPECT_EQ(verdict(true), Verdict::Unknown);
}

TEST(SourceOutput, WhatSeveralInstancesMakeIsOneConditional) {
  const SourceCond c = outputs(call(12, "argmax.default", "x", "a"), call(22, "exp.default", "x", "b"));
  std::string json = c.json();
  const std::size_t at = json.find(R"({"name": "ns::f")");
  const std::string function = json.substr(at, json.rfind("]}") - at);
  json.insert(at, function + ", ");
  const CheckResult r = checkJson(json, "torch@2.14");
  EXPECT_EQ(r.conditionals.size(), 1u);
  EXPECT_EQ(lines(json), Rules{"10 error output-dtype"});
}

} // namespace
