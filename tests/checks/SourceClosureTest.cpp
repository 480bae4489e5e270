//===- SourceClosureTest.cpp - Closures in source -------------------------===//
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

SourceCond capturing(const std::string &yes, const std::string &no = {}) {
  SourceCond c;
  c.yes.captures = yes;
  c.no.captures = no;
  return c;
}

TEST(SourceClosure, TensorsHoweverTheyAreReached) {
  for (const char *kind : {"value", "reference", "this", "pointer", "global", "static", "bound", "member"}) {
    const std::string json = capturing(capture("w", 12, fmt::format(R"("kind": "{}")", kind))).json();
    EXPECT_EQ(lines(json), Rules{"12 warning closure-capture"}) << kind;
  }
  // One for each variable and branch, each at its first use.
  EXPECT_EQ(lines(capturing(capture("w", 12) + ", " + capture("b", 14), capture("w", 22)).json()),
            (Rules{"12 warning closure-capture", "14 warning closure-capture", "22 warning closure-capture"}));
  // Two on one line are one finding.
  const Finding f =
      theFinding(capturing(capture("w", 12) + ", " + capture("b", 12)).json(), "torch@2.14", "closure-capture");
  EXPECT_NE(f.message.find("'w'"), std::string::npos);
  EXPECT_EQ(f.severity, Severity::Warning);
  // What is neither tensor nor number does not matter.
  EXPECT_EQ(lines(capturing(capture("fill", 12, R"("content": "other")")).json()), Rules());
}

TEST(SourceClosure, ScalarsThatCanDiffer) {
  const auto scalar = [](const std::string &more) {
    return capturing(capture("n", 12, R"("content": "scalar")" + more)).json();
  };
  EXPECT_EQ(lines(scalar(R"(, "varies": true)")), Rules{"12 warning closure-scalar"});
  EXPECT_EQ(lines(scalar(R"(, "varies": false)")), Rules());
  EXPECT_EQ(lines(scalar("")), Rules());
  EXPECT_EQ(lines(capturing(capture("peak", 12, R"("content": "float_item")")).json()),
            Rules{"12 error closure-scalar"});
}

TEST(SourceClosure, ThisIsReportedOnce) {
  const std::string self = R"("kind": "this")";
  EXPECT_EQ(lines(capturing(capture("this", 12, self) + ", " + capture("this", 14, self)).json()),
            Rules{"12 warning closure-capture"});
  EXPECT_EQ(
      lines(capturing(capture("gain_", 12, self + R"(, "content": "scalar")") + ", " + capture("w_", 14, self)).json()),
      Rules{"14 warning closure-capture"});
  EXPECT_EQ(lines(capturing(capture("gain_", 12, self + R"(, "content": "scalar", "varies": true)")).json()),
            Rules{"12 warning closure-scalar"});
}

TEST(SourceClosure, TheOutermostBranchReports) {
  const auto nested = [](const std::string &outer, const std::string &inside) {
    SourceCond in;
    in.yes.captures = inside;
    SourceCond c;
    c.yes.nodes = in.node(14);
    c.yes.results = R"("y")";
    c.yes.returnLine = 16;
    c.yes.captures = outer;
    return c.json();
  };
  EXPECT_EQ(lines(nested(capture("w", 12, R"("variable": 1)"), capture("w", 12, R"("variable": 1)"))),
            Rules{"12 warning closure-capture"});
  EXPECT_EQ(theFinding(nested(capture("w", 12), capture("w", 12)), "torch@2.14", "closure-capture").conditional,
            "ns::f/cond@10:10");
  // The outer branch's own, read by the inner one alone.
  EXPECT_EQ(theFinding(nested("", capture("h", 12)), "torch@2.14", "closure-capture").conditional, "ns::f/cond@14:10");
  // Another variable of that name.
  EXPECT_EQ(lines(nested(capture("w", 11, R"("variable": 1)"), capture("w", 15, R"("variable": 2)"))),
            (Rules{"11 warning closure-capture", "15 warning closure-capture"}));
}

TEST(SourceClosure, TheCallsThatLeadToTheUseAreRelated) {
  const SourceCond c = capturing(capture("weight_", 3, R"("calls": ["m.cpp:12:5"])"));
  const Finding f = theFinding(c.json(), "torch@2.14", "closure-capture");
  EXPECT_EQ(f.location.line, 3u);
  ASSERT_EQ(f.related.size(), 1u);
  EXPECT_EQ(f.related[0].location.str(), "m.cpp:12:5");
}

TEST(SourceClosure, TheUserSetsTheSeverity) {
  RuleOptions options;
  options.severity = {{"closure-capture", Severity::Error}};
  const CheckResult r = checkJson(capturing(capture("w", 12)).json(), "torch@2.14", options);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].severity, Severity::Error);
}

TEST(SourceOperands, PlacesOfTheArguments) {
  SourceCond c;
  c.operands = R"({"operands": [{"literal": {"kind": "string"}}]})";
  EXPECT_EQ(lines(c.json()), Rules{"31 error operand-kind"});
  SourceCond views;
  views.before = call(5, "t.default", "x", "v") + ", ";
  views.operands = R"({"operands": ["x", "v"]})";
  views.yes.parameters = views.no.parameters = value("x") + ", " + value("v");
  EXPECT_EQ(lines(views.json()), Rules{"31 error operand-alias"});
  views.before = call(5, "t.default", "x", "t") + ", " + call(6, "clone.default", "t", "v") + ", ";
  EXPECT_EQ(lines(views.json()), Rules());
  // Joined in opposite ways they never meet.
  views.before = line(5, "cxx.join", R"("x", "w")", "", value("a")) + ", " +
                 line(6, "cxx.join", R"("w", "x")", "", value("v")) + ", ";
  views.operands = R"({"operands": ["a", "v"]})";
  EXPECT_EQ(lines(views.json()), Rules());
  EXPECT_EQ(verdictOf(views.json(), "torch@2.14", "operand-alias"), "unknown");
}

TEST(SourceOperands, CountsAndLists) {
  SourceCond c;
  c.yes.parameters = value("x") + ", " + value("z");
  EXPECT_EQ(lines(c.json()), Rules{"10 error operand-count"});
  // A list of which nobody knows how long it is.
  c.parameters = value("p", "bool[]") + ", " + value("x", "sequence");
  EXPECT_EQ(lines(c.json()), Rules());
  EXPECT_EQ(verdictOf(c.json(), "torch@2.14", "operand-count"), "unknown");
  EXPECT_EQ(verdictOf(c.json(), "torch@2.14", "operand-kind"), "unknown");
}

TEST(SourceOperands, WhatABranchDemandsOfItsParameter_B3) {
  SourceCond c;
  c.parameters = value("p", "bool[]") + ", " + value("x", "int64[4, 4]");
  c.yes.parameters = value("x", "float32");
  EXPECT_EQ(lines(c.json()), Rules{"10 error operand-type"});
  c.yes.parameters = value("x", "int64");
  EXPECT_EQ(lines(c.json()), Rules());
  c.yes.parameters = value("x", "int64[4, N]"); // N is whatever is passed
  EXPECT_EQ(lines(c.json()), Rules());
  c.yes.parameters = value("x", "int64[4, 5]");
  EXPECT_EQ(lines(c.json()), Rules{"10 error operand-type"});
  c.parameters = value("p", "bool[]") + ", " + value("x", "float16|float32[...]");
  c.yes.parameters = value("x", "int64");
  EXPECT_EQ(lines(c.json()), Rules{"10 error operand-type"});
  c.yes.parameters = value("x", "float32");
  EXPECT_EQ(lines(c.json()), Rules());
}

TEST(SourcePredicate, Kinds_P2_P6_P7) {
  const auto of = [](const std::string &predicate, const std::string &type = "bool[]") {
    SourceCond c;
    c.predicate = predicate;
    c.parameters = value("p", type) + ", " + value("x", "?[...]");
    return c.json();
  };
  const std::string p = R"({"operand": "p"})";
  EXPECT_EQ(lines(of(p)), Rules());
  EXPECT_EQ(lines(of(p, "sym_bool")), Rules());
  EXPECT_EQ(lines(of(R"({"bool": true})")), Rules{"30 warning predicate-constant"});
  EXPECT_EQ(lines(of(p, "sym_int")), Rules{"30 error predicate-kind"});
  EXPECT_EQ(lines(of(R"({"opaque": "a pointer"})")), Rules{"30 error predicate-kind"});
  EXPECT_EQ(lines(of(R"({"string": "yes"})")), Rules{"30 error predicate-kind"});
  EXPECT_EQ(lines(of(R"({"int": 3})")), Rules{"30 error predicate-kind"});
  EXPECT_EQ(lines(of(p, "none")), Rules{"30 error predicate-missing"});
  EXPECT_EQ(lines(of(R"({"operand": null})")), Rules{"30 error predicate-missing"});
}

TEST(SourcePredicate, WhatIsGivenFromOutsideIsNoConstant) {
  SourceCond c;
  c.predicate = R"({"operand": {"literal": "bool[]"}})";
  EXPECT_EQ(lines(c.json()), Rules());
  c.predicate = R"({"operand": {"literal": "bool[]", "content": [1]}})";
  EXPECT_EQ(lines(c.json()), Rules{"30 warning predicate-constant"});
}

TEST(SourcePredicate, DtypeAndShapeAsFarAsTheyAreKnown_P3_P4) {
  const auto of = [](const std::string &nodes) {
    SourceCond c;
    c.parameters = value("q", "float32[3, 4]") + ", " + value("x", "?[...]");
    c.before = nodes + ", ";
    return c.json();
  };
  const std::string greater = R"(, {"name": "other", "int": 0})";
  EXPECT_EQ(lines(of(call(5, "sigmoid.default", "x", "s") + ", " + call(6, "mean.default", "s", "p"))),
            Rules{"30 error predicate-dtype"});
  EXPECT_EQ(lines(of(call(5, "gt.Scalar", "x", "s", greater) + ", " + call(6, "sum.default", "s", "p"))),
            Rules{"30 error predicate-dtype"});
  // `any` of bytes is bytes: nobody knows.
  const std::string any = of(call(5, "any.default", "x", "p"));
  EXPECT_EQ(lines(any), Rules());
  EXPECT_EQ(verdictOf(any, "torch@2.14", "predicate-dtype"), "unknown");
  EXPECT_EQ(verdictOf(any, "torch@2.14", "predicate-shape"), "proved");
  EXPECT_EQ(lines(of(call(6, "gt.Scalar", "q", "p", greater))), Rules{"30 error predicate-shape"});
  EXPECT_EQ(lines(of(call(6, "gt.Scalar", "x", "p", greater))), Rules());
}

TEST(SourceBranches, MissingOnes_B1) {
  SourceCond c;
  c.no.parameters = "none";
  EXPECT_EQ(lines(c.json()), Rules{"10 error branch-missing"});
}

TEST(SourceBranches, WhatWasNotUnderstoodIsNotIdentical) {
  const std::vector<std::string> none;
  SourceCond c;
  c.no = c.yes;
  EXPECT_EQ(found(c.json(), "torch@2.14", none), Rules{"note branch-identical"});
  for (SourceBranch *b : {&c.yes, &c.no})
    b->nodes = line(12, "cxx.unknown", "", R"({"name": "reason", "string": "a lookup"})", value("a", "?[...]"));
  for (const Finding &f : checkJson(c.json(), "torch@2.14").findings)
    EXPECT_NE(f.rule, "branch-identical");
}

} // namespace
