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
  c.after = ", " + aten("gelu.default", "seen", "w", "float32[2, 2]");
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

TEST(ExecuTorch, ET1WhatIsNotLaidOutIsNotKnown) {
  TwoConds c;
  c.yes = unary("gelu");
  c.no = unary("gelu");
  EXPECT_EQ(found(c.json(), target), Rules{});
  const CheckResult r = checkJson(c.json(), target);
  ASSERT_EQ(r.conditionals.size(), 2u);
  EXPECT_EQ(verdictName(r.conditionals[0].verdicts.find(rule)->second), "unknown");
  EXPECT_EQ(verdictName(r.conditionals[1].verdicts.find(rule)->second), "proved");
  EXPECT_EQ(verdictOf(soundCond().json(), target, rule), "proved");
}

} // namespace
