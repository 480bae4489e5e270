//===- EitherBranchTest.cpp - Values that are of either branch ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The result of an If is of either branch's type, for all that follows.
#include "RuleSamples.h"

namespace condlint::test {
namespace {

/// The errors and warnings, sorted.
Rules loud(const std::string &json, const std::string &target) {
  Rules rules = found(json, target);
  std::erase_if(rules, [](const std::string &r) { return r.starts_with("note "); });
  std::ranges::sort(rules);
  return rules;
}

/// [2, 3] where c is true, [3, 2] where it is not.
OnnxIf turned() {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("d", "bool[]") + ", " + value("x", "float32[2, 3]");
  i.constants = R"({"name": "w", "type": "float32[3, 5]", "data": {"type": "float32[3, 5]", "size": 60}})";
  i.no.nodes = onnx("Transpose", R"("x")", "b");
  i.outputs = value("v");
  return i;
}

/// The same, and \p nodes behind it, which make y.
std::string behind(const std::string &nodes) {
  OnnxIf i = turned();
  i.after = ", " + nodes;
  return i.json();
}

std::string another(const std::string &predicate, const std::string &yes, const std::string &no,
                    const std::string &result) {
  return fmt::format(R"({{"op": "If", "operands": ["{}"], "attributes": [{{"name": "then_branch", "region": {}}},
        {{"name": "else_branch", "region": {}}}], "results": [{}]}})",
                     predicate, Region{"", yes, R"("a2")"}.json("t2"), Region{"", no, R"("b2")"}.json("e2"),
                     value(result));
}

const std::string product = onnx("MatMul", R"("v", "w")", "y");

TEST(EitherBranch, WhatTakesOneBranchsResultAloneFails) {
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.13"})
    EXPECT_EQ(loud(behind(product), target), Rules{"error operator-type"}) << target;
  // TensorRT says of two shapes that they differ where it compares them.
  EXPECT_EQ(loud(behind(product), "tensorrt@10.3"), Rules{"error output-shape"});
  const Finding f = theFinding(behind(product), "onnx", "operator-type");
  EXPECT_NE(f.message.find("where 'c' is false"), std::string::npos) << f.message;
  EXPECT_EQ(loud(behind(onnx("MatMul", R"("v", "v")", "y")), "onnx"), (Rules{"error operator-type"}));
  EXPECT_EQ(loud(behind(onnx("Relu", R"("v")", "y")), "onnx"), Rules{});
  EXPECT_EQ(loud(behind(onnx("Transpose", R"("v")", "vt") + ", " + onnx("MatMul", R"("v", "vt")", "y")), "onnx"),
            Rules{});
}

TEST(EitherBranch, ThroughWhateverStandsBetween) {
  const std::string chain = onnx("Neg", R"("v")", "n") + ", " + onnx("Identity", R"("n")", "m") + ", ";
  EXPECT_EQ(loud(behind(chain + onnx("MatMul", R"("m", "w")", "y")), "onnx"), Rules{"error operator-type"});
  const std::string reshaped = onnx("Shape", R"("v")", "s") + ", " + onnx("Neg", R"("v")", "n") + ", ";
  EXPECT_EQ(loud(behind(reshaped + onnx("Reshape", R"("n", "s")", "y")), "onnx"), Rules{});
}

TEST(EitherBranch, OnePredicateGoesOneWay) {
  const std::string same = another("c", onnx("Relu", R"("x")", "a2"), onnx("Transpose", R"("x")", "b2"), "u") + ", ";
  EXPECT_EQ(loud(behind(same + onnx("Add", R"("v", "u")", "y")), "onnx"), Rules{});
  EXPECT_EQ(loud(behind(same + onnx("MatMul", R"("v", "u")", "y")), "onnx"), Rules{"error operator-type"});
  const std::string not_ = onnx("Not", R"("c")", "nc") + ", " +
                           another("nc", onnx("Relu", R"("x")", "a2"), onnx("Transpose", R"("x")", "b2"), "u") + ", ";
  EXPECT_EQ(loud(behind(not_ + onnx("MatMul", R"("v", "u")", "y")), "onnx"), Rules{});
  EXPECT_EQ(loud(behind(not_ + onnx("Add", R"("v", "u")", "y")), "onnx"), Rules{"error operator-type"});
}

TEST(EitherBranch, InABranchOfAnother) {
  const std::string neg = onnx("Neg", R"("v")", "b2"), multiply = onnx("MatMul", R"("v", "w")", "a2");
  EXPECT_EQ(loud(behind(another("c", multiply, neg, "y")), "onnx"), Rules{}) << "only there is it of that type";
  EXPECT_EQ(loud(behind(another("d", multiply, neg, "y")), "onnx"), Rules{"error operator-type"});
  // What decides the other may hang on the same.
  const std::string hangs = onnx("ReduceMax", R"("x")", "most", "", R"({"name": "keepdims", "int": 0})") + ", " +
                            onnx("Cast", R"("most")", "e", "", R"({"name": "to", "int": 9})") + ", ";
  EXPECT_EQ(loud(behind(hangs + another("e", multiply, neg, "y")), "onnx"), Rules{});
}

TEST(EitherBranch, TwoThatMeetCanGoFourWays) {
  const std::string other = another("d", onnx("Relu", R"("x")", "a2"), onnx("Transpose", R"("x")", "b2"), "u") + ", ";
  EXPECT_EQ(loud(behind(other + onnx("Add", R"("v", "u")", "y")), "onnx"), Rules{"error operator-type"});
}

/// What is declared never replaces what is known.
TEST(EitherBranch, ADeclaredShapeBehindItIsHeldAgainstBoth) {
  const auto declared = [](const std::string &type) { return behind(onnx("Neg", R"("v")", "y", type)); };
  EXPECT_EQ(loud(declared("float32[2, 3]"), "onnx"), Rules{"error graph-malformed"});
  EXPECT_EQ(loud(declared("float32[2, 3]"), "onnxruntime"), Rules{"warning graph-malformed"});
  EXPECT_EQ(loud(declared("float32[N, M]"), "onnx"), Rules{});
  const std::string further = onnx("Neg", R"("v")", "n", "float32[2, 3]") + ", ";
  EXPECT_EQ(loud(behind(further + onnx("Abs", R"("n")", "y", "float32[2, 3]")), "onnx"), Rules{"error graph-malformed"})
      << "what follows is not told again";
  EXPECT_EQ(loud(behind(further + onnx("MatMul", R"("n", "w")", "y")), "onnxruntime"),
            (Rules{"error operator-type", "warning graph-malformed"}));
}

TEST(EitherBranch, WhatABranchYieldsCountsAndNotWhatItDeclares) {
  OnnxIf i;
  i.constants = R"({"name": "axis", "type": "int64[1]", "data": {"ints": [0]}})";
  i.no.nodes = onnx("Unsqueeze", R"("x", "axis")", "b", "float32[4]");
  EXPECT_EQ(loud(i.json(), "onnx"), (Rules{"error output-declared", "warning output-rank"}));
  EXPECT_EQ(loud(i.json(), "onnxruntime"), (Rules{"warning output-declared", "warning output-rank"}));
  EXPECT_EQ(loud(i.json(), "tensorrt@10.3"), Rules{"error output-rank"}) << "its parser reads no declared shape";
}

/// Of a result of the model ONNX Runtime takes back what both branches show to be wrong.
TEST(EitherBranch, ADeclarationThatARuntimeTakesBack) {
  const auto declared = [](const char *type, const std::string &no, const char *target) {
    OnnxIf i;
    i.constants = R"({"name": "axis", "type": "int64[1]", "data": {"ints": [0]}})";
    i.no.nodes = no;
    i.outputs = value("y", type);
    return found(i.json(), target, {"output-shape", "output-rank"});
  };
  const std::string same = onnx("Neg", R"("x")", "b"),
                    wider = onnx("Concat", R"("x", "x")", "b", {}, R"({"name": "axis", "int": 0})"),
                    deeper = onnx("Unsqueeze", R"("x", "axis")", "b");
  for (const char *type : {"float32[5]", "float32[4, 1]", "float32[]"}) {
    EXPECT_EQ(declared(type, same, "onnxruntime"), Rules{"warning output-declared"}) << type;
    EXPECT_EQ(declared(type, same, "onnx"), Rules{"error output-declared"}) << type;
  }
  EXPECT_EQ(declared("float32[4]", same, "onnxruntime"), Rules{});
  // Of one rank: another rank is taken back, a size is told on.
  EXPECT_EQ(declared("float32[4]", wider, "onnxruntime"), Rules{"error output-declared"});
  EXPECT_EQ(declared("float32[4, 1]", wider, "onnxruntime"), Rules{"warning output-declared"});
  EXPECT_EQ(declared("float32[4]", deeper, "onnxruntime"), Rules{"error output-declared"});
}

/// ONNX Runtime goes by what is declared where it knows nothing better, and refuses what does not fit that.
TEST(EitherBranch, ADeclarationThatARuntimeBelieves) {
  OnnxIf i;
  i.constants = R"({"name": "axis", "type": "int64[1]", "data": {"ints": [0]}},
                   {"name": "copy", "type": "int64[2]", "data": {"ints": [0, -1]}})";
  i.no.nodes = onnx("Unsqueeze", R"("x", "axis")", "b");
  i.outputs = value("v", "float32[]");
  i.after = ", " + onnx("Reshape", R"("v", "copy")", "y");
  EXPECT_EQ(loud(i.json(), "onnxruntime"), (Rules{"error output-declared", "warning output-rank"}));
  i.after = ", " + onnx("Relu", R"("v")", "y");
  EXPECT_EQ(loud(i.json(), "onnxruntime"), (Rules{"warning output-declared", "warning output-rank"}));
}

/// A predicate that can be known decides the type.
TEST(EitherBranch, OneBranchComesWhereTheRankIsKnown) {
  OnnxIf i = turned();
  i.constants += R"(, {"name": "zero", "type": "int64[]", "data": {"ints": [0]}})";
  i.before = onnx("Shape", R"("x")", "s") + ", " + onnx("Size", R"("s")", "n") + ", " +
             onnx("Equal", R"("n", "zero")", "k") + ", ";
  i.inputs = R"("k")";
  i.after = ", " + product;
  EXPECT_EQ(loud(i.json(), "onnx"), Rules{"error operator-type"}) << "[3, 2] comes, always";
  i.after = ", " + onnx("MatMul", R"("x", "v")", "y");
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.3"})
    EXPECT_EQ(loud(i.json(), target), Rules{}) << target;
}

/// A sequence of one entry where c is true, of two where it is not.
OnnxIf oneOrTwo() {
  OnnxIf i;
  i.constants = R"({"name": "zero", "type": "int64[]", "data": {"ints": [0]}},
                   {"name": "one", "type": "int64[]", "data": {"ints": [1]}},
                   {"name": "last", "type": "int64[]", "data": {"ints": [-1]}},
                   {"name": "two", "type": "int64[]", "data": {"ints": [2]}})";
  i.yes = {"", onnx("SequenceConstruct", R"("x")", "a"), R"("a")"};
  i.no = {"", onnx("SequenceConstruct", R"("x", "x")", "b"), R"("b")"};
  i.outputs = value("v");
  return i;
}

TEST(EitherBranch, ASequenceHasTheEntriesOfItsBranch) {
  const auto after = [](const std::string &nodes) {
    OnnxIf i = oneOrTwo();
    i.after = ", " + nodes;
    return i.json();
  };
  const Rules none, fails{"error operator-type"};
  EXPECT_EQ(loud(after(onnx("SequenceAt", R"("v", "zero")", "y")), "onnxruntime"), none);
  EXPECT_EQ(loud(after(onnx("SequenceAt", R"("v", "last")", "y")), "onnxruntime"), none);
  const std::string beyond = after(onnx("SequenceAt", R"("v", "one")", "y"));
  EXPECT_EQ(loud(beyond, "onnxruntime"), fails);
  EXPECT_NE(theFinding(beyond, "onnxruntime", "operator-type").message.find("where 'c' is true"), std::string::npos);
  EXPECT_EQ(loud(after(onnx("SequenceErase", R"("v", "one")", "y")), "onnxruntime"), fails);
  // A position behind the last is one to insert at.
  EXPECT_EQ(loud(after(onnx("SequenceInsert", R"("v", "x", "one")", "y")), "onnxruntime"), none);
  EXPECT_EQ(loud(after(onnx("SequenceInsert", R"("v", "x", "two")", "y")), "onnxruntime"), fails);
  const std::string more = onnx("SequenceInsert", R"("v", "x")", "w") + ", ",
                    less = onnx("SequenceErase", R"("v")", "w") + ", ";
  EXPECT_EQ(loud(after(more + onnx("SequenceAt", R"("w", "one")", "y")), "onnxruntime"), none);
  EXPECT_EQ(loud(after(less + onnx("SequenceAt", R"("w", "zero")", "y")), "onnxruntime"), fails);
  EXPECT_EQ(loud(after(less + onnx("SequenceLength", R"("w")", "y")), "onnxruntime"), none);
}

TEST(EitherBranch, WhetherAnOptionalHoldsSomethingIsOfItsBranch) {
  OnnxIf i;
  i.yes = {"", onnx("Optional", R"("x")", "a"), R"("a")"};
  i.no = i.yes;
  i.no.nodes = onnx("Optional", R"("x")", "b");
  i.no.results = R"("b")";
  i.outputs = value("v");
  i.after = ", " + onnx("OptionalGetElement", R"("v")", "y");
  EXPECT_EQ(loud(i.json(), "onnxruntime"), Rules{});
  i.no.nodes =
      R"({"op": "Optional", "operands": [], "attributes": [{"name": "type", "type": "float32[4]"}], "results": [{"name": "b"}]})";
  EXPECT_EQ(loud(i.json(), "onnxruntime"), Rules{"error operator-type"});
  // Who asks first takes what is there.
  i.after = ", " + onnx("OptionalHasElement", R"("v")", "q") + ", " +
            another("q", onnx("OptionalGetElement", R"("v")", "a2"), onnx("Neg", R"("x")", "b2"), "y");
  EXPECT_EQ(loud(i.json(), "onnxruntime"), Rules{});
  i.after = ", " + onnx("OptionalHasElement", R"("v")", "q") + ", " +
            another("q", onnx("Neg", R"("x")", "a2"), onnx("OptionalGetElement", R"("v")", "b2"), "y");
  EXPECT_EQ(loud(i.json(), "onnxruntime"), Rules{"error operator-type"});
}

/// A loop in the branch for true, which carries x[4] and calls \p op with it and w[5] in each trip.
std::string looping(const std::string &op, const std::string &trips, const std::string &more = {}) {
  OnnxIf i;
  i.constants = R"({"name": "w", "type": "float32[5]", "data": {"type": "float32[5]", "size": 20}},
                   {"name": "axis", "type": "int64[1]", "data": {"ints": [0]}},
                   {"name": "trips", "type": "int64[]", "data": {"ints": [)" +
                trips + "]}}";
  const Region body{value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("s"),
                    onnx(op, R"("s", "w")", "t") + more, R"("go", "t")"};
  i.yes.nodes =
      fmt::format(R"({{"op": "Loop", "operands": ["trips", null, "x"], "attributes": [{{"name": "body", "region": {}}}],
                          "results": [{{"name": "a"}}]}})",
                  body.json("body"));
  return i.json();
}

TEST(EitherBranch, AFirstTripThatFailsIsFoundWhateverLaterOnesAreGiven) {
  const std::string fails = looping("Add", "3");
  EXPECT_EQ(loud(fails, "onnxruntime"), Rules{"error operator-type"});
  const Finding f = theFinding(fails, "onnxruntime", "operator-type");
  EXPECT_NE(f.message.find("in the loop's first trip, where 'go' is true"), std::string::npos) << f.message;
  EXPECT_EQ(loud(looping("Add", "0"), "onnxruntime"), Rules{}) << "it never runs";
}

/// A loop that carries s: float32[2, 3] and makes of it what \p grow says, with an If in its body on c.
OnnxIf conditionalInLoop(const std::string &grow, const std::string &declared, const std::string &yes,
                         const std::string &trips = "3") {
  OnnxIf inner;
  inner.yes = {"", yes, R"("a")"};
  inner.no = {"", onnx("Identity", R"("w")", "b"), R"("b")"};
  const std::string conditional = fmt::format(
      R"({{"op": "If", "name": "If_0", "operands": ["c"], "attributes": [{{"name": "then_branch", "region": {}}},
                      {{"name": "else_branch", "region": {}}}], "results": [{{"name": "y"}}]}})",
      inner.yes.json("t"), inner.no.json("e"));
  const Region body{value("i", "int64[]") + ", " + value("go", "bool[]") + ", " + value("s", declared),
                    conditional + ", " + grow, R"("go", "t")"};
  OnnxIf out;
  out.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 3]");
  out.constants = R"({"name": "w", "type": "float32[2, 3]", "data": {"type": "float32[2, 3]", "size": 24}},
                     {"name": "trips", "type": "int64[]", "data": {"ints": [)" +
                  trips + "]}}";
  out.before = fmt::format(
      R"({{"op": "Loop", "name": "Loop_0", "operands": ["trips", null, "x"], "attributes": [{{"name": "body", "region": {}}}],
          "results": [{{"name": "z"}}]}})",
      body.json("body"));
  return out;
}

std::string jsonOfLoop(const OnnxIf &i) {
  return fmt::format(R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"name": "g",
      "parameters": [{}], "constants": [{}], "nodes": [{}], "results": ["z"]}}}})",
                     i.parameters, i.constants, i.before);
}

// The first trip is right and the second fails, or its branches part: nothing is proved by the first.
TEST(EitherBranch, WhatHoldsOfTheFirstTripAloneIsNotProved) {
  const std::string twice = onnx("Concat", R"("s", "s")", "t", "", R"({"name": "axis", "int": 0})");
  const std::string flat = onnx("Flatten", R"("s")", "t"), same = onnx("Neg", R"("s")", "t");
  const std::string reads = onnx("Add", R"("s", "w")", "a");
  const auto verdict = [&](const std::string &grow, const std::string &declared, const std::string &rule,
                           const std::string &trips = "3") {
    return verdictOf(jsonOfLoop(conditionalInLoop(grow, declared, reads, trips)), "onnxruntime", rule);
  };
  for (const std::string declared : {"", "float32[2, 3]", "float32[A, B]"}) {
    EXPECT_EQ(verdict(twice, declared, "operator-type"), "unknown") << declared;
    EXPECT_NE(verdictOf(jsonOfLoop(conditionalInLoop(twice, declared, onnx("Relu", R"("s")", "a"))), "onnxruntime",
                        "output-shape"),
              "proved")
        << declared;
    EXPECT_EQ(verdict(same, declared, "operator-type"), "proved") << declared;
    EXPECT_EQ(verdict(same, declared, "output-shape"), "proved") << declared;
    EXPECT_EQ(verdict(twice, declared, "operator-type", "1"), "proved") << declared;
  }
  EXPECT_EQ(verdict(flat, "", "operator-type"), "proved") << "it stays [2, 3]";
  // A branch that reads nothing of the sort.
  EXPECT_EQ(
      verdictOf(jsonOfLoop(conditionalInLoop(twice, "", onnx("Neg", R"("w")", "a"))), "onnxruntime", "operator-type"),
      "proved");
  const std::string ranks = onnx("Unsqueeze", R"("s", "axis")", "t");
  OnnxIf deeper = conditionalInLoop(ranks, "float32[A, B]", onnx("Identity", R"("s")", "a"));
  deeper.constants += R"(, {"name": "axis", "type": "int64[1]", "data": {"ints": [0]}})";
  EXPECT_EQ(verdictOf(jsonOfLoop(deeper), "onnxruntime", "output-rank"), "unknown");
}

/// \p result: float32[3, 3], which reads nothing.
std::string ones(const std::string &result) {
  return fmt::format(
      R"({{"op": "aten.ones.default", "attributes": [{{"name": "size", "ints": [3, 3]}}], "results": [{}]}})",
      value(result, ""));
}

/// A loop of torch that carries x: float32[3, 3], makes g of x by \p grow, and holds a conditional on p whose first
/// branch yields a.
std::string torchLoop(const std::string &grow, const std::string &yes, const std::string &loop = "while_loop") {
  const std::string square =
      R"({"kind": "tensor", "dtype": "float32", "shape": [3, 3], "strides": [3, 1], "storageOffset": 0, "layout": "strided"})";
  TorchCond c = soundCond(square);
  c.yes = {value("x", square), yes, R"("a")"};
  c.no = {value("x", square), ones("b"), R"("b")"};
  c.parameters = value("p", "bool[]") + ", " + value("x", square) + ", " + value("xs", "float32[n]");
  c.symbols = R"("n": {"min": 2})";
  c.results = R"("z")";
  const bool isScan = loop == "scan";
  const std::string parameters =
      value("x", square) + ", " + (isScan ? value("k", "float32[]") + ", " : "") + value("p", "bool[]");
  const Region condition{parameters, aten("logical_not.default", "p", "go", "bool[]"), R"("go")"};
  const Region body{parameters, c.nodes() + ", " + grow, isScan ? R"("g", "k")" : R"("g")"};
  const std::string regions = (isScan ? "" : fmt::format(R"({{"region": {}}}, )", condition.json("condition"))) +
                              fmt::format(R"({{"region": {}}})", body.json("body"));
  return c.jsonOf(fmt::format(
      R"({{"op": "higher_order.{}", "name": "loop", "attributes": [{}, {{"operands": ["x"]}}{}, {{"operands": ["p"]}}],
           "results": [{}{}]}})",
      loop, regions, isScan ? R"(, {"operands": ["xs"]})" : "", value("z", ""), isScan ? ", " + value("ks", "") : ""));
}

TEST(EitherBranch, WhatHoldsOfTheFirstTripOfATorchLoopAloneIsNotProved) {
  const auto verdict = [](const std::string &grow, const std::string &rule, const std::string &loop = "while_loop",
                          const std::string &yes = aten("sin.default", "x", "a", "")) {
    return verdictOf(torchLoop(grow, yes, loop), "torch@2.13", rule);
  };
  const std::string same = aten("neg.default", "x", "g", "");
  const std::string flat = aten("view.default", "x", "g", "", R"(, {"name": "size", "ints": [9]})");
  const std::string wide = aten("_to_copy.default", "x", "g", "", R"(, {"name": "dtype", "dtype": "float64"})");
  const std::string turned = aten("permute.default", "x", "t", "", R"(, {"name": "dims", "ints": [1, 0]})") + ", " +
                             aten("clone.default", "t", "g", "");
  for (const std::string loop : {"while_loop", "scan"}) {
    for (const std::string rule : {"output-rank", "output-shape", "output-dtype", "output-layout", "operator-type"})
      EXPECT_EQ(verdict(same, rule, loop), "proved") << rule;
    EXPECT_EQ(verdict(flat, "output-rank", loop), "unknown");
    EXPECT_EQ(verdict(flat, "operator-type", loop, aten("t.default", "x", "a", "")), "unknown");
    EXPECT_EQ(verdict(wide, "output-dtype", loop), "unknown");
    EXPECT_EQ(verdict(turned, "output-layout", loop), "unknown") << "its strides are (1, 3) and (3, 1) in turn";
    EXPECT_EQ(verdict(turned, "output-shape", loop), "proved");
  }
  // What reads nothing of the sort.
  EXPECT_EQ(verdict(flat, "output-rank", "while_loop", ones("a")), "proved");
}

} // namespace
} // namespace condlint::test
