//===- RecordedTest.cpp - What the rules say of graphs that were recorded while code ran ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceSamples.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// As a recorder writes it: the same graph, and what the code did besides.
std::string recorded(const TorchCond &c, const std::string &captures = {}) {
  std::string json = replaced(c.json(), R"("dialect": "torch")", R"("dialect": "torch", "recorded": true)");
  if (!captures.empty())
    json = replaced(json, R"("name": "true_graph_0")", R"("name": "true_graph_0", "captures": [)" + captures + "]");
  return json;
}

/// The sound conditional with \p node at the end of its true branch.
TorchCond with(const std::string &node) {
  TorchCond c = soundCond();
  c.yes.nodes += ", " + node;
  return c;
}

std::string text(const std::string &name, const std::string &content) {
  return fmt::format(R"({{"name": "{}", "string": "{}"}})", name, content);
}

TEST(Recorded, ASoundOneIsProved) {
  const CheckResult r = checkJson(recorded(soundCond()), "torch@2.13");
  ASSERT_EQ(r.conditionals.size(), 1u);
  for (const char *rule :
       {"global-mutation", "side-effect", "host-sync", "closure-capture", "closure-scalar", "output-alias"})
    EXPECT_EQ(verdictIn(r, rule), Verdict::Proved) << rule;
  // What torch computed cannot contradict itself.
  EXPECT_FALSE(r.conditionals[0].verdicts.contains("graph-malformed"));
  // A graph that nobody recorded holds no word of what the code did.
  const CheckResult plain = checkJson(soundCond().json(), "torch@2.13");
  EXPECT_FALSE(plain.conditionals[0].verdicts.contains("global-mutation"));
}

TEST(Recorded, PythonStateIsWritten_E1) {
  const std::string attributes =
      R"({"name": "variable", "int": 0}, )" + text("name", "count") + ", " + text("what", "member");
  EXPECT_EQ(lines(recorded(with(line(14, "cxx.write", "", attributes))), "torch@2.13"),
            Rules{"14 error global-mutation"});
}

TEST(Recorded, EffectsOfABranch_E3_B4) {
  const auto effect = [](const std::string &what) {
    return recorded(with(line(14, "cxx.effect", "", text("what", what) + ", " + text("name", "print"))));
  };
  EXPECT_EQ(lines(effect("output"), "torch@2.13"), Rules{"14 warning side-effect"});
  for (const char *what : {"throw", "call", "caught", "size", "constant"})
    EXPECT_EQ(lines(effect(what), "torch@2.13"), Rules{"14 error side-effect"}) << what;
}

TEST(Recorded, ADecisionOnAValueIsAnError_ANumberANote_B4) {
  EXPECT_EQ(lines(recorded(with(line(14, "cxx.host_read", "", text("what", "a decision")))), "torch@2.13"),
            Rules{"14 error host-sync"});
  const std::string item = R"({"op": "aten.item.default", "attributes": [{"name": "self", "operand": "sin"}],
                               "results": [{"name": "n", "type": "sym_float"}], "location": "m.py:14:1"})";
  const Finding f = theFinding(recorded(with(item)), "torch@2.13", "host-sync");
  EXPECT_EQ(f.severity, Severity::Note);
  EXPECT_EQ(f.location.line, 14u);
}

TEST(Recorded, ALiftedTensorIsANote) {
  const Finding f = theFinding(recorded(soundCond(), R"({"name": "x", "value": "x", "firstUse": "m.py:14:1"})"),
                               "torch@2.13", "closure-capture");
  EXPECT_EQ(f.severity, Severity::Note);
  EXPECT_EQ(f.location.line, 14u);
}

TEST(Recorded, AFloatOfTheHostStandsAtTheConditional_O3) {
  const std::string json =
      recorded(soundCond(), R"({"name": "gain", "content": "float_item", "varies": true, "firstUse": "m.py:14:1"})");
  EXPECT_EQ(lines(json, "torch@2.13"), Rules{"12 error closure-scalar"});
}

TEST(Recorded, CallersAreRelated) {
  const Finding f =
      theFinding(recorded(with(line(14, "cxx.effect", "",
                                    text("what", "output") + R"(, {"name": "calls", "locations": ["m.py:3:1"]})"))),
                 "torch@2.13", "side-effect");
  ASSERT_EQ(f.related.size(), 1u);
  EXPECT_EQ(f.related[0].location.line, 3u);
}

TEST(Recorded, ABranchThatCouldNotBeRecordedLeavesAllOpen) {
  TorchCond c = soundCond();
  c.operands += R"(, {"name": "unknown", "string": "no rule for fake tensors"})";
  const CheckResult r = checkJson(recorded(c), "torch@2.13");
  EXPECT_EQ(verdictIn(r, "output-dtype"), Verdict::Unknown);
  EXPECT_EQ(verdictIn(r, "global-mutation"), Verdict::Unknown);
  EXPECT_EQ(lines(recorded(c), "torch@2.13"), Rules());
}

TEST(Recorded, OfAConstantPredicateOneBranchIsLeft_P5) {
  TorchCond c = soundCond();
  c.predicate = R"({"bool": true})";
  c.no = TorchCond(with(line(14, "cxx.effect", "", text("what", "throw") + ", " + text("name", "ValueError")))).yes;
  c.no.results = R"("sin", "x")";
  EXPECT_EQ(lines(recorded(c), "torch@2.13"), Rules{"12 warning predicate-constant"});
  const CheckResult r = checkJson(recorded(c), "torch@2.13");
  ASSERT_EQ(r.conditionals.size(), 1u);
  EXPECT_FALSE(r.conditionals[0].verdicts.contains("output-count"));
  // A file holds both: torch wrote them.
  EXPECT_EQ(std::ranges::count(found(c.json(), "torch@2.13"), "error output-count"), 1);
}

TEST(Recorded, WithinABranchASizeIsNoConstant_P5) {
  TorchCond inner = soundCond();
  inner.predicate = R"({"bool": true})";
  inner.no.results = R"("x")";
  TorchCond c = soundCond();
  c.yes = Region{value("x", "float32[4]"), inner.nodes(), R"("y")"};
  EXPECT_EQ(lines(recorded(c), "torch@2.13"), Rules{"12 warning predicate-constant"});
  const CheckResult r = checkJson(recorded(c), "torch@2.13");
  ASSERT_EQ(r.conditionals.size(), 2u);
  EXPECT_TRUE(r.conditionals[1].reasons.contains("output-alias"));
}

TEST(Recorded, TheTakenBranchIsCodeOfTheOneAroundIt_P5) {
  TorchCond inner = soundCond();
  inner.predicate = R"({"bool": true})";
  inner.yes.nodes += ", " + line(14, "cxx.host_read", "", text("what", "a decision"));
  inner.no.nodes += ", " + line(15, "cxx.host_read", "", text("what", "a decision"));
  TorchCond c = soundCond();
  c.yes = Region{value("x", "float32[4]"), inner.nodes(), R"("y")"};
  EXPECT_EQ(lines(recorded(c), "torch@2.13"), (Rules{"12 warning predicate-constant", "14 error host-sync"}));
}

TEST(Recorded, WhoCallsTorchCondGivesItTensors_O2) {
  TorchCond c = soundCond();
  for (Region *branch : {&c.yes, &c.no})
    branch->parameters += ", " + value("n", "sym_int");
  for (const char *operand : {"3", R"({"literal": "sym_int", "content": ["n"]})", R"({"literal": {"kind": "none"}})",
                              R"({"literal": {"kind": "sym_float"}, "real": 0.5})", "true"}) {
    c.operands = fmt::format(R"({{"operands": ["x", {}]}})", operand);
    const std::string json = replaced(recorded(c), R"("symbols": {)", R"("symbols": {"n": {"min": 0})");
    EXPECT_EQ(std::ranges::count(found(json, "torch@2.13"), "error operand-kind"), 1) << operand;
    EXPECT_EQ(std::ranges::count(found(json, "torch@2.6"), "error operand-kind"), 0) << operand;
    // Within a branch the tracer sees them.
    TorchCond outer = soundCond();
    outer.yes = Region{value("x", "float32[4]"), c.nodes(), R"("y")"};
    const std::string within = replaced(recorded(outer), R"("symbols": {)", R"("symbols": {"n": {"min": 0})");
    EXPECT_EQ(std::ranges::count(found(within, "torch@2.13"), "error operand-kind"), 0) << operand;
  }
}

TEST(Recorded, BehindARaiseNothingIsKnownOfOperands) {
  TorchCond c = soundCond();
  c.parameters += ", " + value("z", "float32[4]");
  c.operands = R"({"operands": ["x", "z"]})";
  for (Region *branch : {&c.yes, &c.no})
    branch->parameters += ", " + value("z", "float32[4]");
  EXPECT_EQ(verdictIn(checkJson(recorded(c), "torch@2.13"), "operand-unused"), Verdict::Violated);
  c.yes.nodes += ", " + line(14, "cxx.effect", "", text("what", "throw") + ", " + text("name", "ValueError"));
  const CheckResult r = checkJson(recorded(c), "torch@2.13");
  EXPECT_EQ(verdictIn(r, "operand-unused"), Verdict::Unknown);
}

TEST(Recorded, AViewThatIsReturnedTwiceIsNoMatterOfItsLayout_A2) {
  TorchCond c = soundCond("float32[4, 3]");
  const auto column = [](const std::string &of) {
    return R"({"op": "aten.select.int", "attributes": [{"name": "self", "operand": ")" + of +
           R"("}, {"name": "dim", "int": 1}, {"name": "index", "int": 0}], "results": [{"name": "c", "type": {"dtype": "float32",
           "shape": [4], "strides": [3], "storageOffset": 0, "device": "cpu", "layout": "strided"}}]})";
  };
  c.yes.nodes += ", " + column("sin");
  c.yes.results += R"(, "c")";
  c.no.nodes += ", " + column("cos");
  c.no.results += R"(, "c")";
  c.outputs += ", " + value("z");
  EXPECT_EQ(lines(recorded(c), "torch@2.13"), Rules{"12 error output-duplicate"});
}

} // namespace
