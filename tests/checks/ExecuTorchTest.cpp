//===- ExecuTorchTest.cpp - What ExecuTorch makes of several conditionals -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

constexpr const char *target = "executorch@1.5";
constexpr const char *rule = "output-memory";

std::string cond(const std::string &name, const Region &yes, const Region &no, const std::string &operand,
                 const std::string &results) {
  return fmt::format(
      R"({{"op": "higher_order.cond", "name": "{}", "attributes": [{{"operand": "p"}}, {{"region": {}}}, {{"region": {}}},
         {{"operands": ["{}"]}}], "results": [{}]}})",
      name, yes.json("true_of_" + name), no.json("false_of_" + name), operand, results);
}

std::string binary(const std::string &op, const std::string &a, const std::string &b, const std::string &result,
                   const std::string &type = "float32[4]") {
  return aten(op + ".Tensor", a, result, type, fmt::format(R"(, {{"name": "other", "operand": "{}"}})", b));
}

Region unary(const std::string &op, const std::string &type = "float32[4]") {
  return {value("v", type), aten(op + ".default", "v", "r", type), R"("r")"};
}

/// Of two operators, the second of which reads what the region is given once more.
Region twice(const std::string &op) {
  return {value("v", "float32[4]"), aten(op + ".default", "v", "s", "float32[4]") + ", " + binary("add", "s", "v", "r"),
          R"("r")"};
}

struct TwoConds {
  Region yes = unary("sin"), no = unary("cos");
  std::string results = value("y", "float32[4]");
  std::string between = {}; ///< nodes, each followed by a comma
  Region laterYes = unary("exp"), laterNo = unary("neg");
  std::string operand = "x";
  std::string laterResults = value("z", "float32[4]");
  std::string after = ", " + binary("add", "y", "z", "sum");
  std::string returned = R"("sum")";

  std::string json() const {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [{}, {}],
        "nodes": [{}, {} {} {}], "results": [{}]}}}})",
        value("p", "bool[]"), value("x", "float32[4]"), cond("cond", yes, no, "x", results), between,
        cond("cond_1", laterYes, laterNo, operand, laterResults), after, returned);
  }
};

TEST(ExecuTorch, ET1TheLaterConditionalWritesOverTheResult) {
  EXPECT_EQ(found(TwoConds().json(), target), Rules{"error output-memory"});
  for (const char *other : {"torch@2.13", "aoti@2.13"})
    EXPECT_EQ(found(TwoConds().json(), other), Rules{}) << other;
  const Finding f = theFinding(TwoConds().json(), target, rule);
  EXPECT_NE(f.message.find("true_of_cond_1"), std::string::npos) << f.message;
  TwoConds returned;
  returned.after = "";
  returned.returned = R"("y", "z")";
  EXPECT_EQ(found(returned.json(), target), Rules{"error output-memory"});
}

TEST(ExecuTorch, ET1TheSameNumbersAgain) {
  TwoConds c;
  c.laterYes = c.yes;
  c.laterNo = c.no;
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  // Of another value they are others, and what is written to in between may be.
  c.between = aten("neg.default", "x", "n", "float32[4]") + ",";
  c.operand = "n";
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
  c.operand = "x";
  c.between =
      R"({"op": "aten.add_.Tensor", "attributes": [{"name": "self", "operand": "x"}, {"name": "other", "operand": "x"}], "results": [)" +
      value("written", "float32[4]") + "]},";
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1WhatNobodyNeedsAnyMore) {
  TwoConds c;
  c.after = "";
  c.returned = R"("z")";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  // Arithmetic or a copy in front saves it, a view does not.
  c = {};
  c.between = aten("clone.default", "y", "kept", "float32[4]") + ",";
  c.after = ", " + binary("add", "kept", "z", "sum");
  EXPECT_EQ(found(c.json(), target), Rules{});
  c.between = aten("contiguous.default", "y", "kept", "float32[4]") + ",";
  EXPECT_EQ(found(c.json(), target), Rules{"error output-memory"});
}

TEST(ExecuTorch, ET1ALaterOneThatNobodyNeedsIsDropped) {
  TwoConds c;
  c.after =
      R"(, {"op": "aten._assert_tensor_metadata.default", "attributes": [{"name": "a", "operand": "z"}], "results": []})";
  c.returned = R"("y")";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  c.returned = R"("y", "z")";
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1AViewOfAViewIsCopiedWhereItIsTaken) {
  TwoConds c;
  const std::string first = aten("view.default", "y", "seen", "float32[2, 2]"),
                    second = aten("view.default", "seen", "back", "float32[4]");
  c.between = first + ",";
  c.after = ", " + second;
  c.returned = R"("back", "z")";
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
  c.between = first + ", " + second + ",";
  c.after = "";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1AChainOfManyIsLookedAtOnce) {
  // Each is looked at with those behind it that come before its last reader; all of them with all takes minutes.
  std::string nodes, previous = "x";
  for (int i = 0; i < 3000; ++i) {
    const std::string y = fmt::format("y{}", i), sum = fmt::format("sum{}", i);
    nodes += (i == 0 ? "" : ", ") +
             cond(fmt::format("cond_{}", i), unary("sin"), unary("cos"), previous, value(y, "float32[4]")) + ", " +
             binary("add", y, previous, sum);
    previous = sum;
  }
  EXPECT_EQ(
      found(fmt::format(R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters":
        [{}, {}], "nodes": [{}], "results": ["{}"]}}}})",
                        value("p", "bool[]"), value("x", "float32[4]"), nodes, previous),
            target),
      Rules{});
}

TEST(ExecuTorch, ET2AViewReadsAnotherPlace) {
  TwoConds c;
  const std::string view = aten("view.default", "y", "seen", "float32[2, 2]");
  // Behind the later conditional and in front of it, where only the first of them counts.
  c.between = view + ",";
  c.after = ", " + binary("mul", "seen", "seen", "w", "float32[2, 2]");
  c.returned = R"("w", "z")";
  EXPECT_EQ(found(c.json(), target), Rules{"error output-memory"});
  EXPECT_NE(theFinding(c.json(), target, rule).message.find("reads a view of output 0"), std::string::npos);
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{});
  // A view that is returned is copied from the right place, and so what else reads it is right.
  c.returned = R"("w", "seen", "z")";
  EXPECT_EQ(found(c.json(), target), Rules{});
  c.after = "";
  c.returned = R"("seen", "z")";
  EXPECT_EQ(found(c.json(), target), Rules{});
  // A copy in front of it saves it; of others who read it nothing is known.
  c.between = aten("clone.default", "y", "kept", "float32[4]") + ", " +
              aten("view.default", "kept", "seen", "float32[2, 2]") + ",";
  c.after = ", " + binary("mul", "seen", "seen", "w", "float32[2, 2]");
  c.returned = R"("w", "z")";
  EXPECT_EQ(found(c.json(), target), Rules{});
  c.between = view + ",";
  c.after = ", " + aten("logit.default", "seen", "w", "float32[2, 2]");
  EXPECT_EQ(found(c.json(), target), Rules{});
  EXPECT_EQ(verdictName(checkJson(c.json(), target).conditionals[0].verdicts.find(rule)->second), "unknown");
}

TEST(ExecuTorch, ET1OperandsOfTheLaterOne) {
  TwoConds c;
  c.operand = "y";
  c.after = "";
  c.returned = R"("z")";
  EXPECT_EQ(found(c.json(), target), Rules{}) << "element by element, in place";
  c.laterYes = twice("exp");
  c.laterNo = twice("neg");
  EXPECT_EQ(found(c.json(), target), Rules{}) << "the sum lies there, which comes last";
  // exp behind it, cos at its place, and then it is read.
  c.laterYes = {value("v", "float32[4]"),
                aten("exp.default", "v", "s", "float32[4]") + ", " + aten("sin.default", "s", "t", "float32[4]") +
                    ", " + aten("cos.default", "t", "u", "float32[4]") + ", " + binary("add", "u", "v", "r"),
                R"("r")"};
  EXPECT_EQ(found(c.json(), target), Rules{"error output-memory"});
}

TEST(ExecuTorch, ET1WhichOfTwoOutputs) {
  TwoConds c;
  const auto pair = [](const std::string &a, const std::string &b) {
    return Region{value("v", "float32[4]"),
                  aten(a + ".default", "v", "r", "float32[4]") + ", " + aten(b + ".default", "v", "s", "float32[4]"),
                  R"("r", "s")"};
  };
  c.yes = pair("sin", "cos");
  c.no = pair("exp", "neg");
  c.results = value("y", "float32[4]") + ", " + value("w", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, "error output-memory")) << "the first lies behind the second";
  c.after = ", " + binary("add", "w", "z", "sum");
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

/// Only the result of the true branch is lost, and only to the later false branch: each other pair has places of its
/// own.
std::string onePair(const std::string &first, const std::string &later, const std::string &computed = {}) {
  const auto pair = [](const std::string &nodes) {
    return Region{value("v", "float32[4]"), aten("sin.default", "v", "r", "float32[4]") + ", " + nodes, R"("r", "s")"};
  };
  const auto conditional = [](std::string text, const std::string &predicate) {
    const std::string old = R"({"operand": "p"})";
    return text.replace(text.find(old), old.size(), fmt::format(R"({{"operand": "{}"}})", predicate));
  };
  const Region yes = pair(aten("cos.default", "v", "s", "float32[4]")),
               no = pair(aten("cos.default", "v", "t", "float32[4]") + ", " +
                         aten("exp.default", "t", "s", "float32[4]")),
               laterNo = {value("v", "float32[4]"),
                          aten("exp.default", "v", "s", "float32[4]") + ", " +
                              aten("neg.default", "s", "r", "float32[4]"),
                          R"("r")"};
  const std::string parameters = R"({"name": "w", "type": "float32[4]", "role": "parameter"},
      {"name": "b", "type": "float32[4]", "role": "buffer"})";
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [{}, {}, {}, {}],
      "nodes": [{} {}, {}, {}], "results": ["sum"]}}}})",
      parameters, value("p", "bool[]"), value("q", "bool[]"), value("x", "float32[4]"), computed,
      conditional(cond("cond", yes, no, "x", value("y", "float32[4]") + ", " + value("y2", "float32[4]")), first),
      conditional(cond("cond_1", unary("exp"), laterNo, "x", value("z", "float32[4]")), later),
      binary("add", "y", "z", "sum"));
}

std::string_view firstVerdict(const std::string &text) {
  return verdictName(checkJson(text, target).conditionals.at(0).verdicts.find(rule)->second);
}

TEST(ExecuTorch, ET1OfOneFlagBothTakeTheSameSide) {
  EXPECT_FALSE(has(onePair("p", "p"), target, "error output-memory"));
  EXPECT_EQ(firstVerdict(onePair("p", "p")), "proved");
  EXPECT_TRUE(has(onePair("p", "q"), target, "error output-memory"));
  const std::string isNot = aten("logical_not.default", "p", "n", "bool[]") + ",";
  EXPECT_TRUE(has(onePair("p", "n", isNot), target, "error output-memory"));
  EXPECT_TRUE(has(onePair("n", "p", isNot), target, "error output-memory"));
  EXPECT_EQ(firstVerdict(onePair("n", "n", isNot)), "proved");
}

TEST(ExecuTorch, ET1ThePairThatIsNamedIsOneThatARunTakes) {
  // All four pairs lose the result.
  TwoConds c;
  EXPECT_NE(
      theFinding(c.json(), target, rule).message.find("as 'true_of_cond' makes it, where main/cond_1/true_of_cond_1"),
      std::string::npos)
      << theFinding(c.json(), target, rule).message;
  c.between = aten("logical_not.default", "p", "n", "bool[]") + ",";
  std::string opposite = c.json();
  opposite.replace(opposite.rfind(R"({"operand": "p"})"), std::string(R"({"operand": "p"})").size(),
                   R"({"operand": "n"})");
  EXPECT_NE(
      theFinding(opposite, target, rule).message.find("as 'true_of_cond' makes it, where main/cond_1/false_of_cond_1"),
      std::string::npos)
      << theFinding(opposite, target, rule).message;
}

/// `NAME = all(OF > NUMBER)`, and a comma.
std::string above(const std::string &name, const std::string &of, int number) {
  return aten("gt.Scalar", of, name + "_each", "bool[4]", fmt::format(R"(, {{"name": "other", "int": {}}})", number)) +
         ", " + aten("all.default", name + "_each", name, "bool[]") + ",";
}

TEST(ExecuTorch, ET1PredicatesThatAreComputed) {
  EXPECT_EQ(firstVerdict(onePair("a", "b", above("a", "x", 0) + above("b", "x", 0))), "proved");
  // Whether x can be above 0 and not above 1 is not decided.
  const std::string related = onePair("a", "b", above("a", "x", 0) + above("b", "x", 1));
  EXPECT_TRUE(has(related, target, "warning output-memory"));
  EXPECT_NE(theFinding(related, target, rule).message.find("the two predicates follow from the same values"),
            std::string::npos);
  EXPECT_TRUE(has(onePair("a", "q", above("a", "x", 0)), target, "error output-memory"));
}

/// The two conditionals of `onePair` in the true branch of one on p.
std::string inBranchOfP(const std::string &first, const std::string &later, const std::string &computed = {}) {
  std::string text = onePair(first, later, computed);
  const std::size_t nodes = text.find(R"("nodes")");
  const std::string body = text.substr(nodes, text.rfind('}') - nodes - 1);
  const std::string parameters =
      fmt::format("{}, {}, {}", value("p", "bool[]"), value("q", "bool[]"), value("x", "float32[4]"));
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [{}], "nodes": [
      {{"op": "higher_order.cond", "name": "outer", "attributes": [{{"operand": "p"}},
       {{"region": {{"name": "yes", "parameters": [{}], {}}}}},
       {{"region": {{"name": "no", "parameters": [{}], "nodes": [{}], "results": ["r"]}}}},
       {{"operands": ["p", "q", "x"]}}], "results": [{}]}}], "results": ["whole"]}}}})",
      parameters, parameters, body, parameters, aten("neg.default", "x", "r", "float32[4]"),
      value("whole", "float32[4]"));
}

TEST(ExecuTorch, ET1WhatTheBranchAroundDecides) {
  const std::string isNot = aten("logical_not.default", "p", "n", "bool[]") + ",";
  EXPECT_TRUE(has(inBranchOfP("p", "q"), target, "error output-memory"));
  EXPECT_FALSE(has(inBranchOfP("n", "q", isNot), target, "error output-memory"));
  EXPECT_FALSE(has(inBranchOfP("q", "p"), target, "error output-memory"));
  EXPECT_TRUE(has(inBranchOfP("q", "n", isNot), target, "error output-memory"));
  EXPECT_FALSE(has(inBranchOfP("q", "q"), target, "error output-memory"));
  EXPECT_TRUE(has(inBranchOfP("p", "n", isNot), target, "error output-memory"));
}

TEST(ExecuTorch, ET1APredicateOfWeightsTakesOneSide) {
  for (const char *weight : {"w", "b"}) {
    const std::string computed = above("a", weight, 0);
    for (const std::string &text : {onePair("a", "p", computed), onePair("p", "a", computed)}) {
      EXPECT_TRUE(has(text, target, "warning output-memory")) << weight;
      EXPECT_NE(theFinding(text, target, rule).message.find("which branches run follows from weights"),
                std::string::npos);
    }
    // Both sides of the one are lost to either of the other.
    TwoConds c;
    c.between = computed;
    std::string text = c.json();
    const std::size_t second = text.find(R"({"operand": "p"})", text.find(R"("cond_1")"));
    text.replace(second, 16, R"({"operand": "a"})");
    text.replace(text.find(R"({"name": "p")"), 0,
                 fmt::format(R"({{"name": "{}", "type": "float32[4]", "role": "parameter"}}, )", weight));
    EXPECT_TRUE(has(text, target, "error output-memory")) << text;
  }
  // One that the model writes to is another in another run.
  const std::string write =
      R"({"op": "aten.add_.Tensor", "attributes": [{"name": "self", "operand": "b"}, {"name": "other", "operand": "x"}], "results": [)" +
      value("written", "float32[4]") + "]},";
  const std::string text = onePair("a", "p", above("a", "b", 0) + write);
  EXPECT_NE(theFinding(text, target, rule).message.find("follow from the same values"), std::string::npos);
}

TEST(ExecuTorch, ET1OperatorsThatBecomeOneKernelAreLaidOut) {
  for (const char *op :
       {"clamp.default", "gelu.default", "clone.default", "softmax.int", "gt.Scalar", "slice.Tensor"}) {
    TwoConds c;
    c.yes.nodes = aten("sin.default", "v", "s", "float32[4]") + ", " +
                  aten(op, "s", "r", std::string_view(op) == "gt.Scalar" ? "bool[4]" : "float32[4]");
    c.no = c.yes;
    EXPECT_NE(firstVerdict(c.json()), "unknown") << op;
  }
  // One that works element by element may read the result where it writes, others may not.
  const auto reading = [](const char *op) {
    TwoConds c;
    c.operand = "y";
    c.laterYes = {value("v", "float32[4]"), aten(op, "v", "r", "float32[4]"), R"("r")"};
    c.laterNo = c.laterYes;
    c.after = "";
    c.returned = R"("z")";
    return c.json();
  };
  EXPECT_FALSE(has(reading("clamp.default"), target, "error output-memory"));
  EXPECT_TRUE(has(reading("softmax.int"), target, "error output-memory"));
}

TEST(ExecuTorch, ET1WhatASliceLeavesOutIsNotKnown) {
  // mul writes over the result, which cat reads behind it; a slice may keep none of that.
  TwoConds c;
  c.operand = "y";
  const std::string joined =
      binary("mul", "v", "v", "s") + ", " +
      R"({"op": "aten.cat.default", "attributes": [{"name": "tensors", "operands": ["s", "v"]}], "results": [)" +
      value("j", "float32[8]") + "]}";
  c.laterYes = {value("v", "float32[4]"), joined + ", " + aten("slice.Tensor", "j", "r", "float32[4]"), R"("r")"};
  c.laterNo = c.laterYes;
  c.after = "";
  c.returned = R"("z")";
  EXPECT_EQ(firstVerdict(c.json()), "unknown");
  c.laterYes.nodes = joined + ", " + aten("neg.default", "j", "r", "float32[8]");
  c.laterNo = c.laterYes;
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1WhatIsReadForAnOutputThatNobodyNeeds) {
  // The first kernel writes over the result; what reads that afterwards is the second output.
  TwoConds c;
  c.operand = "y";
  c.laterYes = {value("v", "float32[4]"),
                aten("exp.default", "v", "s", "float32[4]") + ", " + aten("neg.default", "s", "e", "float32[4]") +
                    ", " + aten("cos.default", "v", "r", "float32[4]"),
                R"("e", "r")"};
  c.laterNo = c.laterYes;
  c.laterResults = value("z", "float32[4]") + ", " + value("u", "float32[4]");
  c.after = ", " + aten("neg.default", "u", "unread", "float32[4]");
  c.returned = R"("z")";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  c.returned = R"("z", "unread")";
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1WhatIsAssertedOfMetadataIsNoReader) {
  // In a branch as behind the conditional: what is written over before the assertion is read by nothing else.
  TwoConds c;
  c.operand = "y";
  const std::string asserted =
      R"(, {"op": "aten._assert_tensor_metadata.default", "attributes": [{"name": "a", "operand": "v"}], "results": []})";
  c.laterYes = {value("v", "float32[4]"), aten("exp.default", "v", "r", "float32[4]") + asserted, R"("r")"};
  c.laterNo = c.laterYes;
  c.after = "";
  c.returned = R"("z")";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  c.laterYes.nodes = aten("exp.default", "v", "s", "float32[4]") + ", " + aten("exp.default", "s", "t", "float32[4]") +
                     ", " + binary("add", "t", "v", "r");
  c.laterNo = c.laterYes;
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET1WhatIsNotLaidOutIsNotKnown) {
  TwoConds c;
  c.yes = unary("erf");
  c.no = unary("erf");
  EXPECT_EQ(found(c.json(), target), Rules{});
  const CheckResult r = checkJson(c.json(), target);
  ASSERT_EQ(r.conditionals.size(), 2u);
  EXPECT_EQ(verdictName(r.conditionals[0].verdicts.find(rule)->second), "unknown");
  EXPECT_NE(r.conditionals[0].reasons.find(rule)->second.find("a `.clone()` of the result"), std::string::npos);
  EXPECT_EQ(verdictName(r.conditionals[1].verdicts.find(rule)->second), "proved");
  EXPECT_EQ(verdictOf(soundCond().json(), target, rule), "proved");
}

TEST(ExecuTorch, ET1WhatABufferKeepsIsNeededAtTheEnd) {
  TwoConds c;
  const std::string kept =
      R"({"op": "aten.copy_.default", "attributes": [{"name": "self", "operand": "x"}, {"name": "src", "operand": "y"}],
    "results": [)" +
      value("c", "float32[4]") + "]},";
  c.after = "";
  c.returned = R"("z")";
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
  c.between = kept;
  EXPECT_TRUE(has(c.json(), target, "error output-memory"));
  // A copy that is made of it in front is what is kept.
  c.between = aten("clone.default", "y", "own", "float32[4]") + ", " + kept;
  c.between.replace(c.between.find(R"("operand": "y"}],)", c.between.find("copy_")), 14, R"("operand": "own")");
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET2WhateverReadsAView) {
  TwoConds c;
  c.between = aten("view.default", "y", "seen", "float32[2, 2]") + ",";
  c.returned = R"("w", "z")";
  for (const char *reader : {"squeeze", "gelu", "silu", "t", "clamp", "clone"}) {
    c.after = ", " + aten(std::string(reader) + ".default", "seen", "w", "float32[2, 2]");
    EXPECT_EQ(found(c.json(), target), Rules{"error output-memory"}) << reader;
  }
  // A later conditional, whose branches both compute with it.
  c = {};
  c.between = aten("view.default", "y", "seen", "float32[2, 2]") + ",";
  c.laterYes = unary("exp", "float32[2, 2]");
  c.laterNo = unary("neg", "float32[2, 2]");
  c.operand = "seen";
  c.laterResults = value("z", "float32[2, 2]");
  c.after = "";
  c.returned = R"("z")";
  EXPECT_EQ(found(c.json(), target), Rules{"error output-memory"});
  EXPECT_NE(theFinding(c.json(), target, rule).message.find("reads a view of output 0"), std::string::npos);
  c.laterNo = {value("v", "float32[2, 2]"), aten("logit.default", "v", "r", "float32[2, 2]"), R"("r")"};
  EXPECT_FALSE(has(c.json(), target, "error output-memory"));
}

TEST(ExecuTorch, ET3OperatorsWithoutAPortableKernel) {
  const std::string unsupported = "unsupported-in-branch";
  for (const char *op :
       {"sort", "argsort", "cumprod", "linalg_det", "rand_like", "complex", "exponential_", "__rshift__"}) {
    TorchCond c = soundCond();
    c.yes.nodes = aten(std::string(op) + ".default", "x", "sin", "float32[4]");
    EXPECT_TRUE(has(c.json(), target, "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(c.json(), "torch@2.13", "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(c.json(), "aoti@2.13", "error unsupported-in-branch")) << op;
  }
  // What has one, and what is decomposed.
  for (const char *op : {"topk", "cumsum", "gelu", "layer_norm", "rand", "relu_"}) {
    TorchCond c = soundCond();
    c.yes.nodes = aten(std::string(op) + ".default", "x", "sin", "float32[4]");
    EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch")) << op;
    EXPECT_EQ(verdictOf(c.json(), target, unsupported), "proved") << op;
  }
  // What was not measured: operators that nobody knows, and of other libraries.
  for (const char *op : {"aten.made_up.default", "mylib.scale.default"}) {
    TorchCond c = soundCond();
    c.yes.nodes = fmt::format(R"({{"op": "{}", "attributes": [{{"name": "self", "operand": "x"}}], "results": [{}]}})",
                              op, value("sin", "float32[4]"));
    EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch")) << op;
    EXPECT_EQ(verdictOf(c.json(), target, unsupported), "unknown") << op;
  }
  TorchCond c = soundCond();
  c.yes.nodes = aten("sort.default", "x", "sin", "float32[4]");
  const Finding f = theFinding(c.json(), target, unsupported);
  EXPECT_NE(f.message.find("'true_graph_0' holds aten.sort.default, for which executorch@1.5 has no portable kernel"),
            std::string::npos)
      << f.message;
  EXPECT_NE(f.help.find("torch.topk"), std::string::npos) << f.help;
  // Nobody reads it: exporting drops it.
  c.yes.nodes =
      aten("sort.default", "x", "unread", "float32[4]") + ", " + aten("sin.default", "x", "sin", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch"));
  // In front of the conditional it is no matter of a branch.
  c = soundCond();
  c.before = aten("sort.default", "x", "sorted", "float32[4]") + ",";
  c.operands = R"({"operands": ["sorted"]})";
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch"));
}

TEST(ExecuTorch, ET3ANormalisationThatUpdatesStatistics) {
  const auto normalised = [](const std::string &op, const std::string &flag, bool trains, bool tracks) {
    TorchCond c = soundCond("float32[2, 3, 4, 4]");
    c.parameters += ", " + value("m", "float32[3]") + ", " + value("v", "float32[3]");
    c.operands = R"({"operands": ["x", "m", "v"]})";
    for (Region *side : {&c.yes, &c.no})
      side->parameters += ", " + value("m", "float32[3]") + ", " + value("v", "float32[3]");
    const std::string given =
        tracks ? R"({"name": "running_mean", "operand": "m"}, {"name": "running_var", "operand": "v"})"
               : R"({"name": "running_mean", "none": true}, {"name": "running_var", "none": true})";
    c.yes.nodes = fmt::format(
        R"({{"op": "aten.{}", "attributes": [{{"name": "input", "operand": "x"}}, {{"name": "weight", "none": true}},
           {{"name": "bias", "none": true}}, {}, {{"name": "{}", "bool": {}}}], "results": [{}]}})",
        op, given, flag, trains, value("sin", "float32[2, 3, 4, 4]"));
    return c.json();
  };
  for (const auto &[op, flag] :
       {std::pair("batch_norm.default", "training"), {"instance_norm.default", "use_input_stats"}}) {
    EXPECT_TRUE(has(normalised(op, flag, true, true), target, "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(normalised(op, flag, true, false), target, "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(normalised(op, flag, false, true), target, "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(normalised(op, flag, true, true), "torch@2.13", "error unsupported-in-branch")) << op;
  }
}

TEST(ExecuTorch, ET3OfAnOperatorOneOverloadIsLeft) {
  for (const char *op : {"round.decimals", "round_.decimals", "bitwise_and.Scalar_Tensor", "scatter.reduce",
                         "bernoulli.p", "var_mean.correction", "var_mean.default"}) {
    TorchCond c = soundCond();
    c.yes.nodes = aten(op, "x", "sin", "float32[4]");
    EXPECT_TRUE(has(c.json(), target, "error unsupported-in-branch")) << op;
  }
  for (const char *op : {"round.default", "bitwise_and.Scalar", "bitwise_and.Tensor", "scatter.src",
                         "bernoulli.default", "var.correction"}) {
    TorchCond c = soundCond();
    c.yes.nodes = aten(op, "x", "sin", "float32[4]");
    EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch")) << op;
  }
  TorchCond c = soundCond();
  c.yes.nodes = aten("round.decimals", "x", "sin", "float32[4]");
  EXPECT_NE(theFinding(c.json(), target, "unsupported-in-branch").help.find("torch.round(x * 100) / 100"),
            std::string::npos);
}

TEST(ExecuTorch, ET3AListOfPlacesIsReadAcross) {
  const std::string bad = "error unsupported-in-branch";
  // What is listed has as many axes as type, and a node of its list is read by \p reader.
  const auto listed = [](const std::string &op, const std::string &type, const std::string &reader,
                         const std::string &more = {}) {
    TorchCond c = soundCond(type);
    c.yes.nodes = aten(op, "x", "l", "int64[u0, 2]") + ", " + aten(reader, "l", "n", "int64[...]", more) + ", " +
                  aten("sin.default", "x", "sin", type);
    c.yes.results = R"("n")";
    return c.json();
  };
  for (const char *op : {"nonzero.default", "argwhere.default"}) {
    EXPECT_TRUE(has(listed(op, "float32[4]", "sum.default"), target, bad)) << op;
    EXPECT_FALSE(has(listed(op, "float32[4]", "sum.default"), "torch@2.13", bad)) << op;
    EXPECT_FALSE(has(listed(op, "float32[2, 3]", "sum.default"), target, bad)) << op << ", of two axes, all of it";
    EXPECT_NE(verdictOf(listed(op, "float32[2, 3]", "sum.default"), target, "unsupported-in-branch"), "unknown");
    for (const char *reader : {"sum.dim_IntList", "mul.Tensor", "max.default", "select.int", "contiguous.default"})
      EXPECT_TRUE(has(listed(op, "float32[2, 3]", reader), target, bad)) << op << reader;
    EXPECT_FALSE(has(listed(op, "float32[4]", "sym_size.int"), target, bad)) << op << ", how many there are";
    EXPECT_FALSE(has(listed(op, "float32[4]", "to.dtype"), target, bad)) << op;
    EXPECT_EQ(verdictOf(listed(op, "float32[4]", "to.dtype"), target, "unsupported-in-branch"), "unknown") << op;
  }
  for (const char *op : {"nonzero_numpy.default", "where.default"})
    EXPECT_TRUE(has(listed(op, "float32[2, 3]", "sum.default"), target, bad)) << op;
  TorchCond c = soundCond();
  c.yes.nodes = aten("where.self", "x", "sin", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, bad));
  c.yes.nodes = aten("adaptive_avg_pool3d.default", "x", "sin", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, bad));
  EXPECT_EQ(verdictOf(c.json(), target, "unsupported-in-branch"), "unknown");
}

TEST(ExecuTorch, ET3ComplexNumbers) {
  const auto verdict = [](const std::string &first, const std::string &second, const char *asked = target) {
    TorchCond c = soundCond();
    c.yes.nodes = aten(first, "x", "z", "complex64[3]") + ", " + aten(second, "z", "sin", "float32[3]");
    return has(c.json(), asked, "error unsupported-in-branch") ? std::string("error")
                                                               : verdictOf(c.json(), asked, "unsupported-in-branch");
  };
  EXPECT_EQ(verdict("fft_rfft.default", "abs.default"), "proved");
  EXPECT_EQ(verdict("fft_rfft.default", "real.default"), "error");
  EXPECT_EQ(verdict("fft_fft.default", "abs.default"), "error");
  EXPECT_EQ(verdict("fft_rfft.default", "tan.default"), "unknown");
  EXPECT_EQ(verdict("fft_rfft.default", "abs.default", "executorch@1.3"), "unknown");
  TorchCond c = soundCond();
  c.yes.nodes = aten("real.default", "x", "sin", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch")) << "of what is real it is nothing";
}

TEST(ExecuTorch, ET3ChannelsLastIsNotKnown) {
  TorchCond c = soundCond("float32[1, 2, 2, 2]");
  const std::string format = R"(, {"name": "memory_format", "int": 2})";
  c.yes.nodes = aten("to.memory_format", "x", "sin", "float32[1, 2, 2, 2]", format);
  EXPECT_NE(verdictOf(c.json(), target, "unsupported-in-branch"), "unknown") << "it is returned alone";
  c.yes.nodes = aten("to.memory_format", "x", "l", "float32[1, 2, 2, 2]", format) + ", " +
                aten("relu.default", "l", "sin", "float32[1, 2, 2, 2]");
  EXPECT_EQ(verdictOf(c.json(), target, "unsupported-in-branch"), "unknown");
}

TEST(ExecuTorch, ET3KernelsCameWithVersions) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("grid_sampler_2d.default", "x", "sin", "float32[4]");
  EXPECT_TRUE(has(c.json(), "executorch@1.0", "error unsupported-in-branch"));
  EXPECT_FALSE(has(c.json(), "executorch@1.1", "error unsupported-in-branch"));
  c.yes.nodes = aten("adaptive_avg_pool2d.default", "x", "sin", "float32[4]");
  EXPECT_TRUE(has(c.json(), "executorch@1.2", "error unsupported-in-branch"));
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch"));
}

std::string whileLoop(const Region &body, const std::string &operand, const std::string &result) {
  const Region test{value("t", "float32[4]"), aten("any.default", "t", "go", "bool[]"), R"("go")"};
  return fmt::format(
      R"({{"op": "higher_order.while_loop", "name": "while_loop", "attributes": [{{"region": {}}}, {{"region": {}}},
         {{"operands": ["{}"]}}], "results": [{}]}})",
      test.json("cond_graph"), body.json("body_graph"), operand, value(result, "float32[4]"));
}

TEST(ExecuTorch, ET4AWhileLoopIsNotLowered) {
  TorchCond c = soundCond();
  const Region body{value("w", "float32[4]"), aten("neg.default", "w", "v", "float32[4]"), R"("v")"};
  c.yes.nodes = whileLoop(body, "x", "sin");
  EXPECT_TRUE(has(c.json(), target, "error unsupported-in-branch"));
  EXPECT_FALSE(has(c.json(), "torch@2.13", "error unsupported-in-branch"));
  const Finding f = theFinding(c.json(), target, "unsupported-in-branch");
  EXPECT_NE(f.message.find("which executorch@1.5 does not lower"), std::string::npos) << f.message;
  // The conditional in the loop.
  TorchCond inner = soundCond();
  const Region around{value("p", "bool[]") + ", " + value("x", "float32[4]"), inner.nodes(), R"("y")"};
  const std::string loop = fmt::format(
      R"({{"op": "higher_order.while_loop", "name": "while_loop", "attributes": [{{"region": {}}}, {{"region": {}}},
         {{"operands": ["p", "x"]}}], "results": [{}]}})",
      Region{value("q", "bool[]") + ", " + value("t", "float32[4]"), "", R"("q")"}.json("cond_graph"),
      around.json("body_graph"), value("z", "float32[4]"));
  inner.results = R"("z")";
  EXPECT_TRUE(has(inner.jsonOf(loop), target, "error unsupported-in-branch"));
  EXPECT_FALSE(has(inner.jsonOf(loop), "torch@2.13", "error unsupported-in-branch"));
}

std::string higherOrder(const std::string &op, const Region &region, const std::string &operands,
                        const std::string &result) {
  return fmt::format(
      R"({{"op": "higher_order.{0}", "name": "{0}", "attributes": [{{"region": {1}}}, {{"operands": [{2}]}}], "results": [{3}]}})",
      op, region.json("body_of_" + op), operands, value(result, "float32[4]"));
}

TEST(ExecuTorch, ET6OperatorsOfAHigherOrder) {
  const Region body{value("w", "float32[4]"), aten("neg.default", "w", "v", "float32[4]"), R"("v")"};
  for (const char *op : {"invoke_subgraph", "hints_wrapper", "strict_mode"}) {
    TorchCond c = soundCond();
    c.yes.nodes = higherOrder(op, body, R"("x")", "sin");
    EXPECT_TRUE(has(c.json(), target, "error unsupported-in-branch")) << op;
    EXPECT_FALSE(has(c.json(), "torch@2.13", "error unsupported-in-branch")) << op;
    EXPECT_FALSE(theFinding(c.json(), target, "unsupported-in-branch").help.empty()) << op;
  }
  // What is gone in front of it, what it goes into, and what no export was seen to hold.
  for (const char *op : {"wrap_with_set_grad_enabled", "wrap_with_autocast", "map_impl"}) {
    TorchCond c = soundCond();
    c.yes.nodes = higherOrder(op, body, R"("x")", "sin");
    EXPECT_EQ(verdictOf(c.json(), target, "unsupported-in-branch"), "proved") << op;
  }
  TorchCond c = soundCond();
  c.yes.nodes = higherOrder("run_const_graph", body, R"("x")", "sin");
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch"));
  EXPECT_EQ(verdictOf(c.json(), target, "unsupported-in-branch"), "unknown");
  // Nobody reads it.
  c.yes.nodes =
      higherOrder("invoke_subgraph", body, R"("x")", "unread") + ", " + aten("sin.default", "x", "sin", "float32[4]");
  EXPECT_FALSE(has(c.json(), target, "error unsupported-in-branch"));
}

TEST(ExecuTorch, ET6AConditionalInOne) {
  TorchCond inner = soundCond();
  const Region around{value("p", "bool[]") + ", " + value("x", "float32[4]"), inner.nodes(), R"("y")"};
  inner.results = R"("z")";
  const std::string region = higherOrder("invoke_subgraph", around, R"("p", "x")", "z");
  EXPECT_TRUE(has(inner.jsonOf(region), target, "error unsupported-in-branch"));
  EXPECT_NE(theFinding(inner.jsonOf(region), target, "unsupported-in-branch").message.find("lowers no invoke_subgraph"),
            std::string::npos);
  EXPECT_FALSE(has(inner.jsonOf(region), "torch@2.13", "error unsupported-in-branch"));
  const std::string gone = higherOrder("wrap_with_set_grad_enabled", around, R"("p", "x")", "z");
  EXPECT_FALSE(has(inner.jsonOf(gone), target, "error unsupported-in-branch"));
}

TEST(ExecuTorch, ET5AnOperandsSizeThatFollowsFromData) {
  TorchCond c = soundCond("float32[u0]");
  c.symbols = R"("u0": {"origin": "unbacked", "min": 0})";
  EXPECT_TRUE(has(c.json(), target, "error operand-type"));
  EXPECT_FALSE(has(c.json(), "torch@2.13", "error operand-type"));
  EXPECT_NE(theFinding(c.json(), target, "operand-type").message.find("follows from data (u0)"), std::string::npos);
  EXPECT_EQ(verdictOf(c.json(), "executorch@1.3", "operand-type"), "unknown");
  // What nonzero gave of an input is remembered, of what is computed it is not.
  c = soundCond("int64[u0, 0]");
  c.symbols = R"("u0": {"origin": "unbacked", "min": 0})";
  c.operands = R"({"operands": ["found"]})";
  c.before = aten("nonzero.default", "p", "found", "int64[u0, 0]") + ",";
  EXPECT_FALSE(has(c.json(), target, "error operand-type"));
  c.before = aten("logical_not.default", "p", "q", "bool[]") + ", " +
             aten("nonzero.default", "q", "found", "int64[u0, 0]") + ",";
  EXPECT_TRUE(has(c.json(), target, "error operand-type"));
  // A size of an input is none of data.
  c = soundCond("float32[s0]");
  c.symbols = R"("s0": {"min": 2, "max": 8})";
  EXPECT_FALSE(has(c.json(), target, "error operand-type"));
}

} // namespace
