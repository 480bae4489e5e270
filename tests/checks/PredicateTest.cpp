//===- PredicateTest.cpp - The rules about the predicate ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

TorchCond withPredicate(const std::string &type) {
  TorchCond c = soundCond();
  c.parameters = value("p", type) + ", " + value("x", "float32[4]");
  return c;
}

OnnxIf ifWithPredicate(const std::string &type) {
  OnnxIf i;
  i.parameters = value("c", type) + ", " + value("x", "float32[4]");
  return i;
}

TEST(Predicate, P4FloatIsNoPredicate) {
  EXPECT_EQ(found(withPredicate("float32[]").json(), "torch@2.13"), Rules{"error predicate-dtype"});
  EXPECT_EQ(found(withPredicate("bool[]").json(), "torch@2.13"), Rules{});
  EXPECT_EQ(verdictOf(withPredicate("?[]").json(), "torch@2.13", "predicate-dtype"), "unknown");
}

TEST(Predicate, C3IntIsNoPredicateOfAnIf) {
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.6"}) {
    EXPECT_EQ(found(ifWithPredicate("int32[]").json(), target), Rules{"error predicate-dtype"}) << target;
    EXPECT_EQ(found(ifWithPredicate("bool[]").json(), target), Rules{}) << target;
  }
}

TEST(Predicate, P3OneElementOfAnyRank) {
  EXPECT_EQ(found(withPredicate("bool[2]").json(), "torch@2.13"), Rules{"error predicate-shape"});
  EXPECT_EQ(found(withPredicate("bool[0]").json(), "torch@2.13"), Rules{"error predicate-shape"});
  EXPECT_EQ(found(withPredicate("bool[1, 1]").json(), "torch@2.13"), Rules{});
  EXPECT_EQ(verdictOf(withPredicate("bool[...]").json(), "torch@2.13", "predicate-shape"), "unknown");
  EXPECT_EQ(found(withPredicate("bool[...]").json(), "torch@2.13"), Rules{});
}

TEST(Predicate, TP3ReshapesOneElement) {
  EXPECT_EQ(found(ifWithPredicate("bool[1]").json(), "tensorrt@10.6"), Rules{});
  EXPECT_EQ(found(ifWithPredicate("bool[3]").json(), "tensorrt@10.6"), Rules{"error predicate-shape"});
  // A size that is open is -1 to the parser, and two of them are 1.
  EXPECT_EQ(found(ifWithPredicate("bool[N]").json(), "tensorrt@10.6"), Rules{"error predicate-shape"});
  EXPECT_EQ(found(ifWithPredicate("bool[1, N]").json(), "tensorrt@10.6"), Rules{"error predicate-shape"});
  EXPECT_EQ(found(ifWithPredicate("bool[N, N]").json(), "tensorrt@10.6"), Rules{"warning predicate-shape"});
  // Of a size that is computed the parser may know more.
  OnnxIf i = ifWithPredicate("bool[4]");
  i.parameters += ", " + value("shape", "int64[1]");
  i.inputs = R"("p")";
  for (const std::string &before :
       {onnx("Reshape", R"("c", "shape")", "p"), onnx("test::Any", R"("c")", "p", "bool[K]")}) {
    i.before = before + ", ";
    EXPECT_NE(verdictOf(i.json(), "tensorrt@10.6", "predicate-shape"), "violated") << before;
  }
}

TEST(Predicate, P3ASizeThatMayBeOneIsPossible) {
  TorchCond c = withPredicate("bool[s0]");
  c.symbols = R"("s0": {"min": 1, "max": 8})";
  const Finding f = theFinding(c.json(), "torch@2.13", "predicate-shape");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  EXPECT_EQ(f.severity, Severity::Error); // the range is declared
  ASSERT_EQ(f.witness.size(), 1u);
  EXPECT_GT(f.witness[0].second, 1);
  // A name without a range is our assumption.
  EXPECT_EQ(found(ifWithPredicate("bool[N]").json(), "onnx"), Rules{"warning predicate-shape"});
}

TEST(Predicate, P2P7Kinds) {
  EXPECT_EQ(found(withPredicate("sym_int").json(), "torch@2.13"), Rules{"error predicate-kind"});
  EXPECT_EQ(found(withPredicate("sym_bool").json(), "torch@2.13"), Rules{});
  TorchCond text = soundCond();
  text.predicate = R"({"string": "yes"})";
  EXPECT_EQ(found(text.json(), "torch@2.13"), Rules{"error predicate-kind"});
  text.predicate = R"({"none": true})";
  EXPECT_EQ(found(text.json(), "torch@2.13"), Rules{"error predicate-kind"});
}

// Before TensorRT 8.0 an If is a choice between two networks.
TEST(Predicate, TP7OlderParsersTakeConstantsOnly) {
  const std::string model = ifWithPredicate("bool[]").json();
  EXPECT_EQ(found(model, "tensorrt@7.2"), Rules{"error predicate-kind"});
  EXPECT_EQ(found(model, "tensorrt@8.0", {"branch-eager"}), Rules{});
}

TEST(Predicate, P5ALiteralIsConstant) {
  TorchCond c = soundCond();
  c.predicate = R"({"bool": true})";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"warning predicate-constant"});
  EXPECT_NE(theFinding(c.json(), "torch@2.13", "predicate-constant").message.find("'false_graph_0' is never taken"),
            std::string::npos);
}

TEST(Predicate, P5WhatTheRangeOfASizeDecidesIsConstant) {
  const auto comparedWith = [](const std::string &op, int number) {
    TorchCond c = soundCond();
    c.parameters = value("x", "float32[4]") + ", " + value("w", "float32[s0]");
    c.symbols = R"("s0": {"min": 2, "max": 64})";
    c.before = aten("sym_size.int", "w", "n", "sym_int", R"(, {"name": "dim", "int": 0})") + R"(, {"op": "_operator.)" +
               op + R"(", "attributes": [{"name": "a", "operand": "n"}, {"name": "b", "int": )" +
               std::to_string(number) + R"(}], "results": [{"name": "p", "type": "sym_bool"}]}, )";
    return c.json();
  };
  EXPECT_EQ(found(comparedWith("gt", 1), "torch@2.13"), Rules{"warning predicate-constant"});
  EXPECT_EQ(found(comparedWith("gt", 64), "torch@2.13"), Rules{"warning predicate-constant"});
  EXPECT_NE(theFinding(comparedWith("gt", 64), "torch@2.13", "predicate-constant")
                .message.find("false for all sizes that the model admits: 'true_graph_0' is never taken"),
            std::string::npos);
  EXPECT_EQ(found(comparedWith("gt", 63), "torch@2.13"), Rules{});
  EXPECT_EQ(found(comparedWith("ge", 3), "torch@2.13"), Rules{});
  EXPECT_EQ(verdictOf(comparedWith("ge", 3), "torch@2.13", "predicate-constant"), "proved");
}

TEST(Predicate, WhatFollowsFromConstantsAloneIsOneOfThem) {
  const auto verdict = [](const std::string &role, const std::string &predicate) {
    TorchCond c = soundCond();
    c.parameters = R"({"name": "p", "type": "bool[]", "role": ")" + role + R"("}, )" + value("x", "float32[4]");
    c.before = aten("logical_not.default", "p", "q", "bool[]") + R"(, {"op": "aten.ones.default", "attributes": [
                   {"name": "size", "ints": []}], "results": [{"name": "one", "type": "float32[]"}]}, )" +
               aten("gt.Tensor", "one", "r", "bool[]", R"(, {"name": "other", "operand": "one"})") + ",";
    c.predicate = R"({"operand": ")" + predicate + R"("})";
    return verdictOf(c.json(), "torch@2.13", "predicate-constant");
  };
  EXPECT_EQ(verdict("constant", "p"), "violated");
  EXPECT_EQ(verdict("constant", "q"), "violated");
  EXPECT_EQ(verdict("buffer", "r"), "violated");
  // What is given, and a buffer that may be written between calls.
  EXPECT_EQ(verdict("buffer", "q"), "proved");
  EXPECT_EQ(verdict("input", "p"), "proved");
}

/// A conditional on what \p nodes, each with a comma behind it, compute as p of w: float32[s0], where s0 may be
/// anything.
std::string onComputed(const std::string &nodes) {
  TorchCond c = soundCond();
  c.parameters = value("x", "float32[4]") + ", " + value("w", "float32[s0]");
  c.symbols = R"("s0": {"min": 0})";
  c.before = aten("sym_size.int", "w", "n", "sym_int", R"(, {"name": "dim", "int": 0})") + ", " + nodes;
  return c.json();
}

/// `_operator.OP(a, b) -> result`; \p b is an argument in JSON.
std::string python(const std::string &op, const std::string &a, const std::string &b, const std::string &result,
                   const std::string &type) {
  return fmt::format(R"({{"op": "_operator.{}", "attributes": [{{"name": "a", "operand": "{}"}}, {{"name": "b", {}}}],
                          "results": [{}]}}, )",
                     op, a, b, value(result, type));
}

// Neither sizes were found for both branches, nor does the data of a run decide it.
TEST(Predicate, P5WhatFollowsFromSizesInAWayNobodyUnderstandsIsUnknown) {
  const auto verdict = [](const std::string &nodes) {
    return verdictOf(onComputed(nodes), "torch@2.13", "predicate-constant");
  };
  const std::string half = python("truediv", "n", R"("int": 2)", "h", "sym_float");
  EXPECT_EQ(verdict(half + python("gt", "h", R"("float": -1.0)", "p", "sym_bool")), "unknown");
  EXPECT_EQ(verdict(python("gt", "n", R"("int": 3)", "q", "sym_bool") +
                    python("eq", "q", R"("operand": "q")", "p", "sym_bool")),
            "violated");
  // A tensor that is made of a size, or of as many ones.
  const std::string scalar = R"({"op": "aten.scalar_tensor.default", "attributes": [{"name": "s", "operand": "n"}],
                                 "results": [{"name": "t", "type": "float32[]"}]}, )";
  EXPECT_EQ(verdict(scalar + aten("ge.Scalar", "t", "p", "bool[]", R"(, {"name": "other", "int": 0})") + ", "),
            "unknown");
  EXPECT_EQ(verdict(aten("zeros_like.default", "w", "z", "float32[s0]") + ", " +
                    aten("sum.default", "z", "t", "float32[]") + ", " +
                    aten("ge.Scalar", "t", "p", "bool[]", R"(, {"name": "other", "int": 0})") + ", "),
            "unknown");
  // What the elements decide.
  const std::string item =
      aten("sum.default", "w", "t", "float32[]") + ", " + aten("item.default", "t", "v", "sym_float") + ", ";
  EXPECT_EQ(verdict(item + python("gt", "v", R"("float": 0.5)", "p", "sym_bool")), "proved");
  EXPECT_EQ(verdict(aten("sum.default", "w", "t", "float32[]") + ", " +
                    aten("gt.Scalar", "t", "p", "bool[]", R"(, {"name": "other", "int": 0})") + ", "),
            "proved");
}

TEST(Predicate, P5WhatConstantsDecideIsConstantAsANumberToo) {
  TorchCond c = soundCond();
  c.parameters = R"({"name": "k", "type": "float32[]", "role": "constant"}, )" + value("x", "float32[4]");
  c.before = aten("item.default", "k", "v", "sym_float") + ", " + python("gt", "v", R"("float": 0.5)", "p", "sym_bool");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"warning predicate-constant"});
}

/// An If on x: float32[N] in a branch of another one, each on what its nodes, with commas behind them, compute as
/// outer and as inner; the verdict on the one inside.
std::string verdictOfNested(const std::string &outer, const std::string &inner, bool inThen = true) {
  OnnxIf i;
  i.parameters = value("x", "float32[N]") + ", " + value("c", "bool[]");
  i.constants = R"({"name": "three", "type": "int64[1]", "data": {"ints": [3]}},
                   {"name": "two", "type": "int64[1]", "data": {"ints": [2]}})";
  i.before = onnx("Shape", R"("x")", "n") + ", " + outer;
  i.inputs = R"("outer")";
  const std::string within = inner + fmt::format(R"({{"op": "If", "name": "If_1", "operands": ["inner"], "attributes": [
          {{"name": "then_branch", "region": {}}}, {{"name": "else_branch", "region": {}}}], "results": [{{"name": "v"}}]}})",
                                                 i.yes.json("t1"), i.no.json("e1"));
  (inThen ? i.yes : i.no) = {"", within, R"("v")"};
  for (const ConditionalSummary &s : checkJson(i.json(), "onnx").conditionals)
    if (s.path.ends_with("If_1"))
      return std::string(verdictName(s.verdicts.find("predicate-constant")->second));
  return "not there";
}

TEST(Predicate, WhatTheConditionalsAroundItDecideIsConstant) {
  const std::string above3 = onnx("Greater", R"("n", "three")", "outer") + ", ";
  EXPECT_EQ(verdictOfNested(above3, onnx("Greater", R"("n", "two")", "inner") + ", "), "violated");
  EXPECT_EQ(verdictOfNested(above3, onnx("Less", R"("n", "two")", "inner") + ", "), "violated");
  EXPECT_EQ(verdictOfNested(above3, onnx("Greater", R"("n", "two")", "inner") + ", ", false), "proved") << "3 is one";
  EXPECT_EQ(verdictOfNested(onnx("Greater", R"("n", "two")", "outer") + ", ",
                            onnx("Greater", R"("n", "three")", "inner") + ", "),
            "proved");
  // The same flag, or its opposite.
  const std::string flag = onnx("Identity", R"("c")", "outer") + ", ";
  const std::string opposite = onnx("Not", R"("outer")", "inner") + ", ";
  EXPECT_EQ(verdictOfNested(flag, opposite), "violated");
  EXPECT_EQ(verdictOfNested(flag, opposite, false), "violated");
  EXPECT_EQ(verdictOfNested(flag, onnx("Greater", R"("n", "two")", "inner") + ", "), "proved");
  // Computed twice. What is used twice at each step is looked at once, and what follows from too much is not known.
  const auto computed = [](const std::string &prefix, const std::string &last, int steps, const std::string &op) {
    std::string nodes, before = "c";
    for (int k = 1; k <= steps; ++k) {
      const std::string now = k == steps ? last : fmt::format("{}{}", prefix, k);
      nodes += onnx(k == steps ? op : "And", fmt::format(R"("{0}", "{0}")", before), now) + ", ";
      before = now;
    }
    return nodes;
  };
  const auto twice = [&](int steps, const std::string &op = "And") {
    return verdictOfNested(computed("o", "outer", steps, "And"), computed("i", "inner", steps, op));
  };
  EXPECT_EQ(twice(20), "violated");
  EXPECT_EQ(twice(20, "Or"), "proved");
  EXPECT_EQ(twice(1200), "unknown");
}

TEST(Predicate, SizesOfAnOnnxModelDecideAsThoseOfTorchDo) {
  const auto verdict = [](const std::string &nodes, const std::string &type = "float32[N]") {
    OnnxIf i;
    i.parameters = value("x", type);
    i.constants = R"({"name": "k", "type": "int64[1]", "data": {"ints": [-1]}},
                     {"name": "one", "type": "int64[1]", "data": {"ints": [1]}},
                     {"name": "half", "type": "float32[]", "data": {"type": "float32[]", "size": 4}})";
    i.before = onnx("Shape", R"("x")", "n") + ", " + nodes;
    return verdictOf(i.json(), "onnx", "predicate-constant");
  };
  EXPECT_EQ(verdict(onnx("Greater", R"("n", "k")", "c") + ", "), "violated");
  EXPECT_EQ(verdict(onnx("Equal", R"("n", "one")", "c") + ", "), "proved");
  EXPECT_EQ(verdict(onnx("Equal", R"("n", "one")", "d") + ", " + onnx("Not", R"("d")", "e") + ", " +
                    onnx("Or", R"("d", "e")", "c") + ", "),
            "violated");
  EXPECT_EQ(verdict(onnx("Equal", R"("n", "one")", "d") + ", " + onnx("Greater", R"("n", "one")", "e") + ", " +
                    onnx("And", R"("d", "e")", "c") + ", "),
            "violated");
  EXPECT_EQ(verdict(onnx("ReduceSum", R"("x")", "s", "", R"({"name": "keepdims", "int": 0})") + ", " +
                    onnx("Greater", R"("s", "half")", "c") + ", "),
            "proved");
  EXPECT_EQ(verdict(onnx("Cast", R"("n")", "f", "", R"({"name": "to", "int": 1})") + ", " +
                    onnx("Sqrt", R"("f")", "r") + ", " + onnx("Greater", R"("r", "half")", "c") + ", "),
            "unknown");
}

// A file may declare any size for what is computed, and runs have whatever comes: it settles no predicate.
TEST(Predicate, SizesThatAreOnlyDeclaredSettleNothing) {
  const auto with = [](const std::string &made, const std::string &size = "d") {
    OnnxIf i;
    i.parameters = value("x", "float32[N, 3]") + ", " + value("fixed", "float32[2, 3]") + ", " +
                   value("open", "float32[?, ?]") + ", " + value("s", "int64[2]");
    i.constants = R"({"name": "zero", "type": "int64[1]", "data": {"ints": [0]}},
                     {"name": "two", "type": "int64[1]", "data": {"ints": [2]}})";
    i.before = made + ", " + onnx("Shape", R"("v")", "n") + ", " + onnx("Gather", R"("n", "zero")", "d") + ", " +
               onnx("Shape", R"("x")", "m") + ", " + onnx("Gather", R"("m", "zero")", "N0") + ", " +
               onnx("Equal", '"' + size + R"(", ")" + (size == "d" ? "two" : "d") + '"', "c") + ", ";
    for (const char *target : {"onnx", "tensorrt@10.6"})
      EXPECT_EQ(verdictOf(i.json(), target, "predicate-constant"),
                verdictOf(i.json(), "onnxruntime", "predicate-constant"));
    return verdictOf(i.json(), "onnxruntime", "predicate-constant");
  };
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "v", "float32[2, 3]")), "unknown");
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "v", "float32[5, 3]")), "unknown");
  EXPECT_EQ(with(onnx("Relu", R"("open")", "v", "float32[2, 3]")), "unknown");
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "u", "float32[2, 3]") + ", " + onnx("Neg", R"("u")", "v")), "unknown");
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "v", "float32[N, 3]"), "N0"), "unknown") << "a name is no size";
  // Both branches come: of open sizes, and of what a run is given.
  EXPECT_EQ(with(onnx("Relu", R"("x")", "v", "float32[N, 3]")), "proved");
  EXPECT_EQ(with(onnx("Reshape", R"("x", "s")", "v", "float32[K, 3]")), "proved");
  // A fixed size of an input holds in every run, and so does what follows from it and is declared as well.
  EXPECT_EQ(with(onnx("Relu", R"("fixed")", "v", "float32[2, 3]")), "violated");
  EXPECT_EQ(with(onnx("Relu", R"("x")", "v", "float32[N, 3]"), "N0"), "violated");
}

TEST(Predicate, TP2NeverLooksAtTheOtherBranch) {
  OnnxIf i;
  i.parameters = value("x", "float32[4]");
  i.constants = R"({"name": "c", "type": "bool[]", "data": {"bytes": [1]}})";
  i.no.nodes = onnx("Cast", R"("x")", "b", "", R"({"name": "to", "int": 7})");
  EXPECT_EQ(found(i.json(), "onnx"), (Rules{"note predicate-constant", "error output-dtype"}));
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
  // Of the branch that is taken no conditional is made, which could not hold or yield something.
  i.yes.nodes = onnx("Cast", R"("x")", "a", "", R"({"name": "to", "int": 2})");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
  i.parameters = value("x", "float32[1, 3, 8, 8]");
  i.yes.nodes = onnx("MaxPool", R"("x")", "a", "", R"({"name": "kernel_shape", "ints": [1, 1]})");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
  // What is wrong with its operators is.
  i.yes.nodes = onnx("MatMul", R"("x", "x")", "a", "", "") + ", " + onnx("Relu", R"("x", "x")", "e");
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), (Rules{"error operator-type", "note predicate-constant"}));
}

TEST(Predicate, WhatFailsOnlyWhereItRunsIsNoFaultOfABranchThatIsNeverTaken) {
  const auto reshaping = [](bool taken, const std::string &sizes, std::size_t count, bool known) {
    OnnxIf i;
    i.parameters = value("x", "float32[3, 4]") + (known ? "" : ", " + value("c", "bool[]"));
    const std::string shape =
        fmt::format(R"({{"name": "t", "type": "int64[{}]", "data": {{"bytes": [{}]}}}})", count, sizes);
    i.constants =
        known ? fmt::format(R"({{"name": "c", "type": "bool[]", "data": {{"bytes": [{}]}}}}, )", taken ? 1 : 0) + shape
              : shape;
    i.yes.nodes = onnx("Reshape", R"("x", "t")", "a");
    return i;
  };
  const auto isRefused = [&](const OnnxIf &i, const char *target) {
    const Rules rules = found(i.json(), target);
    return std::ranges::find(rules, "error operator-type") != rules.end();
  };
  const std::string one = "1, 0, 0, 0, 0, 0, 0, 0",
                    open = "255, 255, 255, 255, 255, 255, 255, 255, 5, 0, 0, 0, 0, 0, 0, 0";
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_FALSE(isRefused(reshaping(false, one, 1, true), target)) << target;
    EXPECT_TRUE(isRefused(reshaping(true, one, 1, true), target)) << target;
    EXPECT_TRUE(isRefused(reshaping(false, one, 1, false), target)) << target;
    // What a size of -1 stands for is computed as the model is loaded; onnx's inference sees no numbers of a graph
    // around the branch.
    EXPECT_EQ(isRefused(reshaping(false, open, 2, true), target), target == std::string("onnxruntime")) << target;
  }
}

// Two conditionals on one flag: what stands in the branch of the inner one that never comes does not run.
TEST(Predicate, WhatFailsWhereItRunsIsNoFaultWhereTheFlagAroundSaysNo) {
  const auto refused = [](const char *flag, const std::string &sizes) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("d", "bool[]") + ", " + value("x", "float32[3, 4]");
    i.constants =
        fmt::format(R"({{"name": "t", "type": "int64[1]", "data": {{"bytes": [{}, 0, 0, 0, 0, 0, 0, 0]}}}})", sizes);
    const Region yes = {"", onnx("Relu", R"("x")", "u"), R"("u")"},
                 no = {"", onnx("Reshape", R"("x", "t")", "v"), R"("v")"};
    i.yes = {"",
             fmt::format(R"({{"op": "If", "name": "If_1", "operands": ["{}"], "attributes": [
               {{"name": "then_branch", "region": {}}}, {{"name": "else_branch", "region": {}}}], "results": [{}]}})",
                         flag, yes.json("y"), no.json("z"), value("a")),
             R"("a")"};
    const Rules rules = found(i.json(), "onnxruntime");
    return std::ranges::find(rules, "error operator-type") != rules.end();
  };
  EXPECT_FALSE(refused("c", "1"));
  EXPECT_TRUE(refused("d", "1"));
  EXPECT_FALSE(refused("d", "12"));
}

TEST(Predicate, C12WhatFollowsFromConstantsIsConstant) {
  // Whether an axis has the size 1, which exporters ask before they squeeze it.
  const auto squeezed = [](const std::string &type) {
    OnnxIf i;
    i.parameters = value("x", type);
    i.constants = R"({"name": "axis", "type": "int64[1]", "data": {"ints": [1]}},
                     {"name": "one", "type": "int64[1]", "data": {"ints": [1]}})";
    i.before = onnx("Shape", R"("x")", "s") + ", " + onnx("Gather", R"("s", "axis")", "d") + ", " +
               onnx("Equal", R"("d", "one")", "c") + ", ";
    i.yes = {"", onnx("Squeeze", R"("x", "axis")", "a"), R"("a")"};
    return i;
  };
  const OnnxIf known = squeezed("float32[2, 1]");
  EXPECT_EQ(found(known.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
  EXPECT_EQ(found(known.json(), "onnx"), Rules{"note predicate-constant"}) << "one branch alone comes";
  EXPECT_EQ(found(squeezed("float32[2, N]").json(), "onnx"), Rules{"warning output-rank"});
  EXPECT_EQ(verdictOf(known.json(), "tensorrt@7.2", "predicate-kind"), "unknown") << "whether that parser folds it";
  EXPECT_EQ(found(squeezed("float32[2, N]").json(), "tensorrt@10.6"), Rules{"error output-rank"});
  // The parser folds some operators itself, and reads one branch alone then.
  OnnxIf typed = known;
  typed.no.nodes = onnx("Cast", R"("x")", "b", "", R"({"name": "to", "int": 7})");
  EXPECT_EQ(found(typed.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
  EXPECT_EQ(verdictOf(typed.json(), "tensorrt@10.6", "output-dtype"), "unknown");
  EXPECT_EQ(found(typed.json(), "onnx"), (Rules{"note predicate-constant", "error output-dtype"}));
}

TEST(Predicate, C12HoweverLongTheWayFromTheConstants) {
  const auto through = [](const std::string &first) {
    OnnxIf i;
    i.parameters = value("p", "bool[]") + ", " + value("x", "float32[4]");
    i.constants = R"({"name": "k", "type": "bool[]", "data": {"bytes": [1]}})";
    std::string last = first;
    for (int n = 0; n < 99; ++n) {
      const std::string next = n == 98 ? "c" : "k" + std::to_string(n);
      i.before += onnx("Not", '"' + last + '"', next) + ", ";
      last = next;
    }
    return found(i.json(), "onnx");
  };
  EXPECT_EQ(through("k"), Rules{"note predicate-constant"});
  EXPECT_EQ(through("p"), Rules{});
}

TEST(Predicate, C12WorkThatAConstantPredicateLeavesOutIsNotEager) {
  OnnxIf i;
  i.before = onnx("Exp", R"("x")", "h") + ", ";
  i.no = {"", onnx("Neg", R"("h")", "b"), R"("b")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"warning branch-eager"});
  i.parameters = value("x", "float32[4]");
  i.constants = R"({"name": "c", "type": "bool[]", "data": {"bytes": [1]}})";
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"note predicate-constant"});
}

// TensorRT's parser keeps an input that is an initializer as well out of the network's inputs; others let a caller
// override it.
TEST(Predicate, TP2ADefaultIsAConstantOfTensorRT) {
  OnnxIf i = ifWithPredicate("bool[]");
  i.constants = R"({"name": "k", "type": "bool[]", "data": {"bytes": [1]}})";
  i.no.nodes = onnx("Cast", R"("x")", "b", "", R"({"name": "to", "int": 7})");
  const auto foundWithDefault = [](const OnnxIf &of, const std::string &target) {
    auto models = readJson(FileBytes::copy(of.json()), "test.json");
    Model &m = models->front();
    const ValueId first(m[m.main()].parameters.first), constant(m[m.main()].constants.first);
    m[first].constant = m[constant].constant;
    const Analysis analysis(m);
    Rules rules;
    for (const Finding &f : check(analysis, *parseTarget(target), {}).findings)
      rules.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
    return rules;
  };
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{"error output-dtype"});
  EXPECT_EQ(foundWithDefault(i, "tensorrt@10.6"), Rules{"note predicate-constant"});
  EXPECT_EQ(foundWithDefault(i, "onnx"), Rules{"error output-dtype"});
  EXPECT_EQ(foundWithDefault(i, "onnxruntime"), Rules{"error output-dtype"});
  // So is what is computed of it, and not drawn.
  i.inputs = R"("d")";
  i.before = onnx("Not", R"("c")", "d") + ", ";
  EXPECT_EQ(foundWithDefault(i, "tensorrt@10.6"), Rules{"note predicate-constant"});
  EXPECT_EQ(foundWithDefault(i, "onnx"), Rules{"error output-dtype"});
  i.before = onnx("test::Any", R"("c")", "d", "bool[]") + ", ";
  EXPECT_EQ(foundWithDefault(i, "tensorrt@10.6"), Rules{"error output-dtype"}) << "who knows what that does";
  i.before = onnx("Cast", R"("c")", "f", "", R"({"name": "to", "int": 1})") + ", " +
             onnx("Bernoulli", R"("f")", "d", "", R"({"name": "dtype", "int": 9})") + ", ";
  EXPECT_EQ(foundWithDefault(i, "tensorrt@10.6"), Rules{"error output-dtype"});
}

/// F(c, x) holds an If whose branches differ in rank, and is called once for each of \p given: "true" and "false" are
/// constants, "c" an input, "n" what is computed of one. Where \p through is set, G calls F.
std::string ifInCalledFunction(const std::vector<std::string> &given, bool through = false,
                               const std::string &predicate = "") {
  std::string calls, results;
  for (std::size_t i = 0; i < given.size(); ++i) {
    calls += fmt::format(R"({}{{"op": "my::{}", "operands": ["{}", "x"], "results": ["y{}"]}})", i == 0 ? "" : ", ",
                         through ? "G" : "F", given[i], i);
    results += fmt::format(R"({}"y{}")", i == 0 ? "" : ", ", i);
  }
  const std::string callsF = through ? R"(, {"domain": "my", "name": "G", "opsets": {"": 20, "my": 1}, "graph": {
      "parameters": [{"name": "c"}, {"name": "x"}],
      "nodes": [{"op": "my::F", "operands": ["c", "x"], "results": ["y"]}], "results": ["y"]}})"
                                     : "";
  const std::string not_ = predicate.empty() ? "" : onnx(predicate, R"("c")", "d") + ", ";
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20, "my": 1}}, "graph": {{
      "parameters": [{}, {}], "constants": [{{"name": "true", "type": "bool[]", "data": {{"bytes": [1]}}}},
      {{"name": "false", "type": "bool[]", "data": {{"bytes": [0]}}}}], "nodes": [{}, {}], "results": [{}]}},
      "functions": [{{"domain": "my", "name": "F", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "c"}}, {{"name": "x"}}],
      "nodes": [{}{{"op": "If", "name": "If_0", "operands": ["{}"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}], "results": ["y"]}}], "results": ["y"]}}}}{}]}})",
      value("c", "bool[]"), value("x", "float32[2, 3]"), onnx("Not", R"("false")", "n"), calls, results, not_,
      predicate.empty() ? "c" : "d", Region{"", onnx("Relu", R"("x")", "a"), R"("a")"}.json("t"),
      Region{"", onnx("ReduceSum", R"("x")", "b", "", R"({"name": "keepdims", "int": 0})"), R"("b")"}.json("e"),
      callsF);
}

// Each call of a function is imported by itself: TensorRT's parser never looks at the other branch there.
TEST(Predicate, TP2AFunctionThatIsCalledWithAConstant) {
  for (const bool through : {false, true}) {
    const auto given = [&](const std::vector<std::string> &values, const std::string &predicate = "") {
      return found(ifInCalledFunction(values, through, predicate), "tensorrt@10.6");
    };
    EXPECT_EQ(given({"true"}), Rules{"note predicate-constant"});
    EXPECT_EQ(given({"true", "true"}), Rules{"note predicate-constant"});
    EXPECT_EQ(given({"true", "false"}), Rules{}) << "of each call one branch";
    EXPECT_EQ(given({"c"}), Rules{"error output-rank"});
    EXPECT_EQ(given({"true", "c"}), Rules{"error output-rank"});
    EXPECT_EQ(given({"n"}), Rules{"note predicate-constant"});
    EXPECT_EQ(given({"true"}, "Not"), Rules{"note predicate-constant"});
  }
}

TEST(Predicate, AFunctionsPredicateIsConstantWhereAllCallsAgree) {
  const auto verdict = [](const std::vector<std::string> &values) {
    return verdictOf(ifInCalledFunction(values), "onnx", "predicate-constant");
  };
  EXPECT_EQ(verdict({"true", "true"}), "violated");
  EXPECT_EQ(verdict({"true", "false"}), "unknown");
  EXPECT_EQ(verdict({"true", "c"}), "proved");
  EXPECT_EQ(verdict({"c"}), "proved");
  const Finding f = theFinding(ifInCalledFunction({"false"}), "onnx", "predicate-constant");
  EXPECT_NE(f.message.find("a constant, false: 'then_branch' is never taken"), std::string::npos) << f.message;
}

TEST(Predicate, ACallInAFunctionThatNobodyCallsIsNone) {
  std::string json = ifInCalledFunction({"true"});
  const std::string list = R"("functions": [)";
  const auto with = [&](const std::string &function) {
    return std::string(json).insert(json.find(list) + list.size(), function + ", ");
  };
  const std::string unused = R"({"domain": "my", "name": "U", "opsets": {"": 20, "my": 1}, "graph": {
      "parameters": [{"name": "c"}, {"name": "x"}],
      "nodes": [{"op": "my::F", "operands": ["c", "x"], "results": ["y"]}], "results": ["y"]}})";
  EXPECT_EQ(verdictOf(json, "onnx", "predicate-constant"), "violated");
  EXPECT_EQ(verdictOf(with(unused), "onnx", "predicate-constant"), "violated");
  EXPECT_EQ(verdictOf(with(unused), "onnx", "output-dtype"), "proved");
}

// What a recording writes down of a size, or of a number that was read, is no constant.
TEST(Predicate, NumbersOfACallAreNoConstants) {
  for (const char *number :
       {R"({"literal": "sym_int", "content": ["n"]})", R"({"literal": "sym_int", "content": ["u0"]})",
        R"({"literal": "sym_int"})", R"({"literal": "sym_float"})"}) {
    TorchCond c = soundCond();
    c.symbols =
        R"("n": {"origin": "declared", "min": 2, "max": 64}, "u0": {"origin": "unbacked", "min": 0, "max": null})";
    c.before = fmt::format(
        R"({{"op": "_operator.ge", "attributes": [{{"name": "a", "operand": {}}}, {{"name": "b", "int": 8}}],
        "results": [{{"name": "ge", "type": {{"kind": "sym_bool"}}}}]}}, )",
        number);
    c.predicate = R"({"operand": "ge"})";
    EXPECT_FALSE(has(c.json(), "torch@2.13", "warning predicate-constant")) << number;
  }
}

TEST(Predicate, P1Missing) {
  TorchCond c = soundCond();
  c.predicate = "";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error predicate-missing"});
  OnnxIf i;
  i.inputs = "";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error predicate-missing"});
  EXPECT_EQ(verdictOf(OnnxIf().json(), "onnx", "predicate-missing"), "proved");
}

TEST(Predicate, F7DependsOnItsOwnConditional) {
  OnnxIf i;
  i.inputs = R"("y")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error predicate-self"});
  // Through a node behind it.
  i.inputs = R"("d")";
  i.after = ", " + onnx("Greater", R"("y", "x")", "d");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error predicate-self"});
  // Through nodes on either side of it: a cycle that no order undoes is one finding.
  i.before = onnx("Not", R"("d")", "p") + ", ";
  i.inputs = R"("p")";
  i.after = ", " + onnx("Greater", R"("y", "x")", "d");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error predicate-self"});
  // A cycle without the predicate is another matter.
  i.before = onnx("Add", R"("x", "z")", "s") + ", ";
  i.inputs = R"("c")";
  i.yes.nodes = onnx("Relu", R"("s")", "a");
  i.no.nodes = onnx("Neg", R"("s")", "b");
  i.after = ", " + onnx("Neg", R"("y")", "z");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"});
  i = OnnxIf();
  i.inputs = R"("d")";
  // Later, but independent: the order is what is wrong.
  i.after = ", " + onnx("Greater", R"("x", "x")", "d");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"});
}

} // namespace
