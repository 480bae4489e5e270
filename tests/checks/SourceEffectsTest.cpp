//===- SourceEffectsTest.cpp - Effects in source --------------------------===//
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

/// The sound conditional with \p nodes at the start of its true branch.
SourceCond with(const std::string &nodes, const std::string &captures = {}) {
  SourceCond c;
  c.yes.nodes = nodes + ", " + c.yes.nodes;
  c.yes.captures = captures;
  return c;
}

std::string write(int at, int variable, const std::string &name, const std::string &what) {
  return line(at, "cxx.write", "",
              fmt::format(R"({{"name": "variable", "int": {}}}, {{"name": "name", "string": "{}"}}, {{"name": "what",
              "string": "{}"}})",
                          variable, name, what));
}
std::string read(int at, int variable, const std::string &name) {
  return line(at, "cxx.read", "",
              fmt::format(R"({{"name": "variable", "int": {}}}, {{"name": "name", "string": "{}"}})", variable, name));
}

TEST(SourceEffects, NothingIsFoundWhereNothingIs) {
  EXPECT_EQ(lines(SourceCond().json()), Rules());
  const CheckResult r = checkJson(SourceCond().json(), "torch@2.14");
  ASSERT_EQ(r.conditionals.size(), 1u);
  EXPECT_EQ(r.conditionals[0].path, "ns::f/cond@10:10");
  for (const char *rule : {"input-mutation", "capture-mutation", "global-mutation", "side-effect", "host-sync",
                           "closure-capture", "closure-scalar", "cross-branch-edge", "branch-leak", "output-alias"})
    EXPECT_EQ(verdictIn(r, rule), Verdict::Proved) << rule;
  // What only a file can break is no question.
  for (const char *rule : {"graph-malformed", "value-undefined", "output-declared", "operator-type", "output-unused"})
    EXPECT_FALSE(r.conditionals[0].verdicts.contains(rule)) << rule;
}

TEST(SourceEffects, EachPlaceThatWritesAnOperand_M1) {
  EXPECT_EQ(lines(with(call(12, "add_.Tensor", "x", "u", R"(, {"name": "other", "int": 1})") + ", " +
                       call(14, "mul_.Tensor", "x", "v", R"(, {"name": "other", "int": 2})"))
                      .json()),
            (Rules{"12 error input-mutation", "14 error input-mutation"}));
  // Twice on one line is once.
  EXPECT_EQ(lines(with(call(12, "neg_.default", "x", "u") + ", " + call(12, "neg_.default", "u", "v")).json()),
            Rules{"12 error input-mutation"});
  // A view leads there, a copy does not.
  EXPECT_EQ(lines(with(call(12, "t.default", "x", "u") + ", " + call(14, "zero_.default", "u", "v")).json()),
            Rules{"14 error input-mutation"});
  EXPECT_EQ(lines(with(call(12, "clone.default", "x", "u") + ", " + call(14, "zero_.default", "u", "v")).json()),
            Rules());
}

TEST(SourceEffects, AStoreThroughAPointerIsAWrite) {
  EXPECT_EQ(lines(with(line(14, "cxx.store", R"("x")")).json()), Rules{"14 error input-mutation"});
  EXPECT_EQ(lines(with(call(12, "exp.default", "x", "u") + ", " + line(14, "cxx.store", R"("u")")).json()), Rules());
}

TEST(SourceEffects, AJoinIsEachOfItsPathsForCertain) {
  const std::string join =
      call(12, "exp.default", "x", "u") + ", " + line(13, "cxx.join", R"("u", "x")", "", value("j")) + ", ";
  EXPECT_EQ(lines(with(join + call(14, "neg_.default", "j", "v")).json()), Rules{"14 error input-mutation"});
  const std::string own = call(12, "exp.default", "x", "u") + ", " + call(12, "sin.default", "x", "t") + ", " +
                          line(13, "cxx.join", R"("u", "t")", "", value("j")) + ", ";
  EXPECT_EQ(lines(with(own + call(14, "neg_.default", "j", "v")).json()), Rules());
}

TEST(SourceEffects, TheChainOfCallsIsRelated) {
  const SourceCond c = with(R"({"op": "aten.neg_.default", "attributes": [{"name": "self", "operand": "x"},
      {"name": "calls", "locations": ["m.cpp:12:5", "m.cpp:3:5"]}], "results": ["u"], "location": "m.cpp:4:5"})");
  const Finding f = theFinding(c.json(), "torch@2.14", "input-mutation");
  EXPECT_EQ(f.location.str(), "m.cpp:4:5");
  std::vector<std::string> calls;
  for (const Related &r : f.related)
    if (r.message == "called from here")
      calls.push_back(r.location.str());
  EXPECT_EQ(calls, (std::vector<std::string>{"m.cpp:12:5", "m.cpp:3:5"}));
}

TEST(SourceEffects, CapturedStorage_M6) {
  const std::string use = call(14, "neg_.default", "w", "v");
  EXPECT_EQ(lines(with(use, capture("w", 14, R"("kind": "reference", "value": "w")")).json()),
            Rules{"14 error capture-mutation"});
  // A global tensor is a global whatever is done to it.
  EXPECT_EQ(lines(with(use, capture("w", 14, R"("kind": "global", "value": "w")")).json()),
            Rules{"14 error global-mutation"});
  EXPECT_EQ(lines(with(use, capture("w", 14, R"("kind": "static", "value": "w")")).json()),
            Rules{"14 error global-mutation"});
  // Through `this`: the object is not reported besides.
  EXPECT_EQ(lines(with(use, capture("this", 14, R"("kind": "this")")).json()), Rules{"14 error capture-mutation"});
  // What else it reads is.
  EXPECT_EQ(lines(with(use, capture("this", 14, R"("kind": "this", "value": "w")") + ", " +
                                capture("this", 15, R"("kind": "this")"))
                      .json()),
            (Rules{"14 error capture-mutation", "15 warning closure-capture"}));
}

TEST(SourceEffects, RunningStatisticsOfABatchNorm_M6) {
  const auto norm = [](const std::string &training) {
    return R"({"op": "aten.batch_norm.default", "attributes": [{"name": "input", "operand": "x"}, {"name": "weight",
        "none": true}, {"name": "bias", "none": true}, {"name": "running_mean", "operand": "w"}, {"name": "running_var",
        "operand": "w"}, {"name": "training", )" +
           training +
           R"(}, {"name": "momentum", "float": 0.1}, {"name": "eps", "float": 1e-5}, {"name": "cudnn_enabled",
        "bool": false}], "results": ["n"], "location": "m.cpp:14:3"})";
  };
  const std::string w = capture("w", 14, R"("value": "w")");
  EXPECT_EQ(lines(with(norm(R"("bool": true)"), w).json()), Rules{"14 error capture-mutation"});
  EXPECT_EQ(lines(with(norm(R"("bool": false)"), w).json()), Rules{"14 warning closure-capture"});
  // The mode of the module is not known.
  const std::string open = with(norm(R"("opaque": "mode")"), w).json();
  EXPECT_EQ(lines(open), Rules{"14 warning closure-capture"});
  EXPECT_EQ(verdictOf(open, "torch@2.14", "capture-mutation"), "unknown");
}

TEST(SourceEffects, VariablesThatOutliveTheBranch_E1) {
  for (const char *what : {"global", "static", "member", "reference", "pointer"})
    EXPECT_EQ(lines(with(write(14, 3, "n", what)).json()), Rules{"14 error global-mutation"}) << what;
  EXPECT_NE(theFinding(with(write(14, 3, "n", "global")).json(), "torch@2.14", "global-mutation")
                .message.find("the global 'n'"),
            std::string::npos);
  // Written and read: one finding.
  EXPECT_EQ(lines(with(write(14, 3, "n", "reference"),
                       capture("n", 14, R"("content": "scalar", "varies": true, "variable": 3)"))
                      .json()),
            Rules{"14 error global-mutation"});
}

TEST(SourceEffects, OutputLocksAndThrows_B4_E3) {
  const auto effect = [](const std::string &what) {
    return with(line(14, "cxx.effect", "",
                     fmt::format(R"({{"name": "what", "string": "{}"}}, {{"name": "name", "string": "g"}})", what)))
        .json();
  };
  for (const char *what : {"output", "input", "lock", "allocation", "anything else"})
    EXPECT_EQ(lines(effect(what)), Rules{"14 warning side-effect"}) << what;
  EXPECT_EQ(lines(effect("throw")), Rules{"14 error side-effect"});
}

TEST(SourceEffects, HostReads_B4) {
  EXPECT_EQ(lines(with(call(14, "item.default", "x", "n")).json()), Rules{"14 error host-sync"});
  EXPECT_EQ(lines(with(call(14, "is_nonzero.default", "x", "n")).json()), Rules{"14 error host-sync"});
  EXPECT_EQ(lines(with(call(14, "equal.default", "x", "n", R"(, {"name": "other", "operand": "x"})")).json()),
            Rules{"14 error host-sync"});
  EXPECT_EQ(lines(with(call(14, "allclose.default", "x", "n", R"(, {"name": "other", "operand": "x"})")).json()),
            Rules{"14 error host-sync"});
  EXPECT_EQ(lines(with(line(14, "cxx.host_read", R"("x")")).json()), Rules{"14 error host-sync"});
  EXPECT_EQ(lines(with(call(14, "size.int", "x", "n", R"(, {"name": "dim", "int": 0})")).json()), Rules());
}

TEST(SourceEffects, CallsWithoutABodyAreUnknown) {
  const std::string json =
      with(line(14, "cxx.opaque", R"("x")", R"({"name": "name", "string": "resample"})", value("r", "?[...]"))).json();
  EXPECT_EQ(lines(json), Rules());
  const CheckResult r = checkJson(json, "torch@2.14");
  for (const char *rule : {"input-mutation", "capture-mutation", "global-mutation", "side-effect", "host-sync"}) {
    EXPECT_EQ(verdictIn(r, rule), Verdict::Unknown) << rule;
    EXPECT_NE(r.conditionals[0].reasons.at(std::string(rule)).find("resample()"), std::string::npos) << rule;
  }
  // What is certain stays so.
  EXPECT_EQ(verdictIn(r, "closure-capture"), Verdict::Proved);
  EXPECT_EQ(verdictIn(r, "output-alias"), Verdict::Proved);
}

TEST(SourceEffects, WritesToWhatWasNotUnderstoodAreUnknown) {
  const std::string json =
      with(line(12, "cxx.unknown", "", R"({"name": "reason", "string": "a lookup"})", value("u", "?[...]")) + ", " +
           call(14, "neg_.default", "u", "v"))
          .json();
  EXPECT_EQ(lines(json), Rules());
  EXPECT_EQ(verdictOf(json, "torch@2.14", "input-mutation"), "unknown");
}

TEST(SourceEffects, ABranchWithoutABodyIsUnknown) {
  SourceCond c;
  c.yes = {line(14, "cxx.opaque", R"("x")", R"({"name": "name", "string": "hook"}, {"name": "branch", "bool": true})",
                value("r", "?[...]")),
           R"("r")"};
  const CheckResult r = checkJson(c.json(), "torch@2.14");
  EXPECT_TRUE(r.findings.empty());
  for (const char *rule : {"output-dtype", "output-rank", "output-alias", "input-mutation", "closure-capture",
                           "closure-scalar", "side-effect", "host-sync", "cross-branch-edge"})
    EXPECT_EQ(verdictIn(r, rule), Verdict::Unknown) << rule;
  for (const char *rule : {"predicate-kind", "operand-kind", "branch-missing", "output-kind"})
    EXPECT_EQ(verdictIn(r, rule), std::string_view(rule) == "output-kind" ? Verdict::Unknown : Verdict::Proved) << rule;
}

TEST(SourceEffects, AConditionalThatCouldNotBeReadIsUnknown) {
  SourceCond c = with(call(12, "neg_.default", "x", "u"));
  c.extra = R"(, {"name": "unknown", "string": "too large"})";
  const CheckResult r = checkJson(c.json(), "torch@2.14");
  EXPECT_TRUE(r.findings.empty());
  for (const auto &[rule, verdict] : r.conditionals[0].verdicts) {
    if (findRule(std::string(rule))->severity(*parseTarget("torch@2.14")) == Severity::Off)
      continue; // what the target allows is not open
    EXPECT_EQ(verdict, Verdict::Unknown) << rule;
    const auto reason = r.conditionals[0].reasons.find(rule);
    ASSERT_NE(reason, r.conditionals[0].reasons.end()) << rule;
    EXPECT_EQ(reason->second, "too large") << rule;
  }
}

TEST(SourceEffects, VariablesBetweenTheBranches_F2) {
  SourceCond c = with(write(14, 5, "cache", "reference"));
  c.no.nodes = read(24, 5, "cache") + ", " + read(25, 5, "cache") + ", " + c.no.nodes;
  c.no.captures = capture("cache", 24, R"("kind": "reference", "variable": 5)");
  EXPECT_EQ(lines(c.json()), (Rules{"14 error global-mutation", "24 error cross-branch-edge"}));
  // Nobody writes it: an ordinary capture.
  SourceCond d;
  d.no.captures = capture("cache", 24, R"("kind": "reference", "variable": 5)");
  d.no.nodes = read(24, 5, "cache") + ", " + d.no.nodes;
  EXPECT_EQ(lines(d.json()), Rules{"24 warning closure-capture"});
}

TEST(SourceEffects, VariablesThatLeaveABranch_F1) {
  SourceCond c = with(write(14, 5, "hidden", "reference"));
  c.after = ", " + read(40, 5, "hidden") + ", " + read(41, 5, "hidden");
  EXPECT_EQ(lines(c.json()), (Rules{"14 error global-mutation", "40 error branch-leak"}));
  // Read before it is written, or another variable: nothing leaves.
  SourceCond d = with(write(14, 5, "hidden", "reference"));
  d.before = read(5, 5, "hidden") + ", ";
  d.after = ", " + read(40, 6, "other");
  EXPECT_EQ(lines(d.json()), Rules{"14 error global-mutation"});
}

TEST(SourceEffects, AnInnerConditionalReportsItsOwn) {
  SourceCond inner;
  inner.yes.nodes = call(15, "neg_.default", "x", "n") + ", " + inner.yes.nodes;
  SourceCond c;
  c.yes.nodes = inner.node(14);
  c.yes.results = R"("y")";
  c.yes.returnLine = 16;
  const CheckResult r = checkJson(c.json(), "torch@2.14");
  ASSERT_EQ(r.conditionals.size(), 2u);
  EXPECT_EQ(lines(c.json()), Rules{"15 error input-mutation"});
  const Finding f = theFinding(c.json(), "torch@2.14", "input-mutation");
  EXPECT_EQ(f.conditional, "ns::f/cond@14:10");
  EXPECT_EQ(f.graphPath, "ns::f/cond@14:10/true/n");
  bool related = false;
  for (const Related &x : f.related)
    related = related || x.graphPath == "ns::f/cond@10:10";
  EXPECT_TRUE(related);
}

} // namespace
