//===- DeclaredOperatorsTest.cpp - Operators that a user describes --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/DeclaredOperators.h"
#include "RuleSamples.h"
#include <map>

using namespace condlint;
using namespace condlint::test;

namespace {

/// A node of the custom operator `my::op` (or another of that library) on \p given.
std::string custom(const std::string &op, const std::string &given, const std::string &result,
                   const std::string &type = "float32[4]") {
  return fmt::format(R"({{"op": "my.{}", "attributes": [{{"name": "x", "operand": "{}"}}], "results": [{}]}})", op,
                     given, value(result, type));
}

/// The true branch as given, the false one sound.
std::string branchOf(const std::string &nodes, const std::string &result) {
  TorchCond c = soundCond();
  c.yes.nodes = nodes;
  c.yes.results = '"' + result + '"';
  return c.json();
}

struct Verdicts {
  std::map<std::string, std::string> of, reasons;
  std::vector<std::string> findings;
};

Verdicts judged(const std::string &json, const OperatorDeclarations &said, const std::string &target = "torch@2.13") {
  Verdicts out;
  auto models = readJson(FileBytes::copy(json), "test.json");
  if (!models) {
    ADD_FAILURE() << models.error().str() << "\n" << json;
    return out;
  }
  declareOperators(models->front(), std::make_shared<const OperatorDeclarations>(said));
  const Analysis analysis(models->front());
  const CheckResult r = check(analysis, *parseTarget(target), {});
  EXPECT_EQ(r.conditionals.size(), 1u);
  for (const auto &[rule, verdict] : r.conditionals.front().verdicts)
    out.of[std::string(rule)] = verdictName(verdict);
  for (const auto &[rule, why] : r.conditionals.front().reasons)
    out.reasons[std::string(rule)] = why;
  for (const Finding &f : r.findings)
    if (f.severity >= Severity::Warning)
      out.findings.push_back(f.rule);
  return out;
}

const std::vector<std::string> effects{"input-mutation", "output-alias", "random-in-branch", "host-sync"};

} // namespace

TEST(DeclaredOperators, OneThatNobodyDescribesLeavesEachRuleOpenThatHangsOnIt) {
  const Verdicts v = judged(branchOf(custom("op.default", "x", "a"), "a"), {});
  for (const std::string &rule : effects)
    EXPECT_EQ(v.of.at(rule), "unknown") << rule;
  EXPECT_TRUE(v.findings.empty());
}

TEST(DeclaredOperators, EveryOneIsNamed) {
  const std::string two = branchOf(custom("first.default", "x", "a") + ", " + custom("second.default", "a", "b") +
                                       ", " + custom("third.out", "b", "c") + ", " + custom("first.default", "c", "d"),
                                   "d");
  const Verdicts v = judged(two, {});
  for (const std::string rule : {"random-in-branch", "host-sync"})
    EXPECT_EQ(v.reasons.at(rule), "my.first.default, my.second.default and my.third.out may do anything") << rule;
  EXPECT_EQ(v.reasons.at("input-mutation"), "my.first.default, my.second.default and my.third.out may write anything");
  // What is described is not named any more.
  OperatorDeclaration pure;
  pure.pure = true;
  EXPECT_EQ(judged(two, {{"my::second", pure}}).reasons.at("host-sync"),
            "my.first.default and my.third.out may do anything");
}

TEST(DeclaredOperators, APureOneIsLikeAnyOther) {
  OperatorDeclaration pure;
  pure.pure = true;
  const Verdicts v = judged(branchOf(custom("op.default", "x", "a"), "a"), {{"my::op", pure}});
  for (const std::string &rule : effects)
    EXPECT_EQ(v.of.at(rule), "proved") << rule;
  EXPECT_TRUE(v.findings.empty());
}

TEST(DeclaredOperators, AWriteIsOneByPositionAndByName) {
  for (const OperatorDeclaration::Argument &argument :
       {OperatorDeclaration::Argument(0u), OperatorDeclaration::Argument("x")}) {
    OperatorDeclaration writes;
    writes.writes = {argument};
    writes.pure = true;
    const Verdicts v = judged(branchOf(custom("op_.default", "x", "a"), "a"), {{"my::op_", writes}});
    EXPECT_EQ(v.of.at("input-mutation"), "violated");
    EXPECT_EQ(v.of.at("output-alias"), "proved");
    // Of what the branch made itself.
    const Verdicts own =
        judged(branchOf(aten("clone.default", "x", "c", "float32[4]") + ", " + custom("op_.default", "c", "a"), "a"),
               {{"my::op_", writes}});
    EXPECT_EQ(own.of.at("input-mutation"), "proved");
  }
  OperatorDeclaration other; // an argument that there is not
  other.writes = {7u};
  EXPECT_EQ(judged(branchOf(custom("op_.default", "x", "a"), "a"), {{"my::op_", other}}).of.at("input-mutation"),
            "proved");
}

TEST(DeclaredOperators, AnAliasIsOne) {
  OperatorDeclaration view;
  view.aliases = {{0, 0u}};
  const Verdicts v = judged(branchOf(custom("op.default", "x", "a"), "a"), {{"my::op", view}});
  EXPECT_EQ(v.of.at("output-alias"), "violated");
  EXPECT_EQ(v.of.at("input-mutation"), "proved");
  // It is not said to be pure: what else it does is not known.
  EXPECT_EQ(v.of.at("random-in-branch"), "unknown");
  EXPECT_EQ(v.of.at("host-sync"), "unknown");
}

TEST(DeclaredOperators, AnOverloadWins) {
  OperatorDeclaration pure, view;
  pure.pure = view.pure = true;
  view.aliases = {{0, "x"}};
  const OperatorDeclarations both{{"my::op", pure}, {"my::op.view", view}};
  EXPECT_EQ(judged(branchOf(custom("op.view", "x", "a"), "a"), both).of.at("output-alias"), "violated");
  EXPECT_EQ(judged(branchOf(custom("op.default", "x", "a"), "a"), both).of.at("output-alias"), "proved");
}

TEST(DeclaredOperators, AResultHasTheTypeOfAnArgumentWhereNoneIsRecorded) {
  OperatorDeclaration like;
  like.pure = true;
  like.like = {0u};
  const auto verdict = [&](const std::string &result, const OperatorDeclarations &said) {
    OnnxIf i;
    i.yes = {"", onnx("my::Op", R"("x")", "a"), R"("a")"};
    i.no = {"", onnx("Cast", R"("x")", "b", {}, R"({"name": "to", "int": 7})"), R"("b")"};
    if (result == "float32")
      i.no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
    return judged(i.json(), said, "onnx").of.at("output-dtype");
  };
  EXPECT_EQ(verdict("int64", {}), "unknown");
  EXPECT_EQ(verdict("int64", {{"my::Op", like}}), "violated");
  EXPECT_EQ(verdict("float32", {{"my::Op", like}}), "proved");
  like.like = {std::nullopt};
  EXPECT_EQ(verdict("float32", {{"my::Op", like}}), "unknown");
}

TEST(DeclaredOperators, WhatIsKnownOfAnOperatorStands) {
  OperatorDeclaration view;
  view.aliases = {{0, 0u}};
  EXPECT_EQ(
      judged(branchOf(aten("sin.default", "x", "a", "float32[4]"), "a"), {{"aten::sin", view}}).of.at("output-alias"),
      "proved");
}
