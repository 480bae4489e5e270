//===- ReportOrderTest.cpp - Order and fingerprints -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportSamples.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

using namespace condlint;
using namespace condlint::test;

namespace {

Report with(std::vector<Finding> findings, std::string path = "m.onnx") {
  Report r;
  r.inputs = {input(std::move(path))};
  r.inputs[0].targets = {"tensorrt@10.13", "onnx"};
  r.inputs[0].findings = std::move(findings);
  finishReport(r);
  return r;
}

std::string fingerprint(Finding f, std::string path = "m.onnx") {
  return with({std::move(f)}, std::move(path)).inputs[0].findings[0].fingerprint;
}

} // namespace

TEST(ReportOrder, FindingsOfTwoPlacesOfOnePathStay) {
  Finding one = finding("a-rule", "onnx", "main/If_1"), other = one, again = one;
  one.places = again.places = 1;
  other.places = 2;
  const Report r = with({one, other, again});
  ASSERT_EQ(r.inputs[0].findings.size(), 2U);
  EXPECT_NE(r.inputs[0].findings[0].fingerprint, r.inputs[0].findings[1].fingerprint);
}

TEST(ReportOrder, IsByLocationGraphPathRuleAndTheTargetsAsked) {
  Finding late = finding("a-rule", "onnx", "main/a");
  late.location = {"model.py", "", 30, 0, 0, 0};
  Finding early = finding("z-rule", "onnx", "main/z");
  early.location = {"model.py", "", 4, 0, 0, 0};
  Finding second = finding("b", "onnx", "main/m"), first = finding("b", "tensorrt@10.13", "main/m"),
          rule = finding("a", "onnx", "main/m");
  Report r = with({late, second, early, first, rule});
  std::vector<std::string> order;
  for (const Finding &f : r.inputs[0].findings)
    order.push_back(f.rule + " " + f.target);
  EXPECT_EQ(order, (std::vector<std::string>{"a onnx", "b tensorrt@10.13", "b onnx", "z-rule onnx", "a-rule onnx"}));
}

TEST(ReportOrder, DoesNotDependOnTheOrderOfDiscovery) {
  std::vector<Finding> findings{finding("c", "onnx"), finding("b", "onnx"), finding("a", "onnx", "x")};
  Report one = with(findings);
  std::reverse(findings.begin(), findings.end());
  Report two = with(findings);
  EXPECT_EQ(renderJson(one), renderJson(two));
}

TEST(ReportOrder, DropsWhatIsReportedTwice) {
  Report r = with({finding("a", "onnx"), finding("a", "onnx"), finding("a", "tensorrt@10.13")});
  EXPECT_EQ(r.inputs[0].findings.size(), 2u);
}

TEST(Fingerprint, SurvivesNumbersThatDrift) {
  Finding f = finding("output-shape", "torch@2.13");
  f.message = "shape [4, 8] against [4, 9]";
  Finding moved = f;
  moved.message = "shape [16, 8] against [16, 10]";
  moved.target = "torch@2.14";
  moved.location.line = 99;
  EXPECT_EQ(fingerprint(f), fingerprint(moved));
}

TEST(Fingerprint, SurvivesFoldersThatPlacesLieIn) {
  Finding f = finding("output-dtype", "tensorrt@10.3");
  f.message = "float32 from 'true' (addInput at /home/a/net.cc:12:3) and int32 from 'false' (addInput at net.cc:13:3)";
  Finding spelled = f;
  spelled.message =
      "float32 from 'true' (addInput at ../b/net.cc:12:3) and int32 from 'false' (addInput at net.cc:13:3)";
  EXPECT_EQ(fingerprint(f), fingerprint(spelled));
  spelled.message = "float32 from 'true' (addInput at other.cc:12:3) and int32 from 'false' (addInput at net.cc:13:3)";
  EXPECT_NE(fingerprint(f), fingerprint(spelled));
}

TEST(Fingerprint, TellsRulePlaceInputSystemAndBreakApart) {
  Finding f = finding("output-shape", "onnx");
  std::set<std::string> all{fingerprint(f), fingerprint(f, "other.onnx")};
  Finding x = f;
  x.rule = "output-rank";
  all.insert(fingerprint(x));
  x = f;
  x.graphPath = "main/If_1";
  all.insert(fingerprint(x));
  x = f;
  x.conditional = "main/If_9";
  all.insert(fingerprint(x));
  x = f;
  x.target = "onnxruntime";
  all.insert(fingerprint(x));
  x = f;
  x.message = "something else";
  all.insert(fingerprint(x));
  EXPECT_EQ(all.size(), 7u);
}

TEST(Fingerprint, IsTheSameHoweverTheInputIsSpelled) {
  Finding f = finding("output-shape", "onnx");
  std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(fingerprint(f, "a/m.onnx"), fingerprint(f, "./a/../a//m.onnx"));
  EXPECT_EQ(fingerprint(f, "a/m.onnx"), fingerprint(f, here + "/a/m.onnx"));
}

TEST(Fingerprint, IsUniqueInAReport) {
  std::vector<Finding> findings;
  for (int i = 0; i < 50; ++i) {
    findings.push_back(finding("output-shape", "onnx"));
    findings.back().message = "size " + std::to_string(i);
  }
  Report r = with(findings);
  std::set<std::string> all;
  for (const Finding &f : r.inputs[0].findings)
    all.insert(f.fingerprint);
  EXPECT_EQ(all.size(), 50u);
}

TEST(Report, AConditionalOfAHeaderIsAsTheWorstOfItsSourcesFindsIt) {
  Report r;
  for (const char *path : {"one.cc", "two.cc"}) {
    InputReport &i = r.inputs.emplace_back(input(path));
    i.kind = "cxx";
    i.conditionals = 1;
    ConditionalSummary s = conditional("lib::cast/cond@3:9", "torch");
    s.location = {"lib.h", "cast", 3, 9, 0, 0};
    s.verdicts = {};
    s.verdicts["output-dtype"] = Verdict::Proved;
    i.summaries = {s};
  }
  Finding f = finding("output-dtype", "torch");
  f.conditional = "lib::cast/cond@3:9";
  f.location = {"lib.h", "cast", 4, 1, 0, 0};
  r.inputs[1].findings = {f};
  r.inputs[1].summaries[0].verdicts["output-dtype"] = Verdict::Violated;
  finishReport(r);
  const std::string text = renderText(r, ColorMode::Never, false);
  EXPECT_NE(text.find("0 proved, 1 violated, 0 possible, 0 unknown"), std::string::npos) << text;
}
