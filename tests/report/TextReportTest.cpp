//===- TextReportTest.cpp - What people read ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportSamples.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

std::string text(Report &r, bool quiet = false, ColorMode color = ColorMode::Never) {
  finishReport(r);
  return renderText(r, color, quiet);
}

Report with(std::vector<Finding> findings) {
  Report r;
  r.inputs = {input("m.onnx")};
  r.inputs[0].targets = {"onnx", "tensorrt@10.13"};
  r.inputs[0].conditionals = 1;
  r.inputs[0].summaries = {conditional("main/If_0", "onnx")};
  r.inputs[0].findings = std::move(findings);
  return r;
}

bool contains(const std::string &where, std::string_view what) { return where.find(what) != std::string::npos; }

std::size_t countOf(const std::string &where, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = where.find(what); at != std::string::npos; at = where.find(what, at + 1))
    ++n;
  return n;
}

} // namespace

TEST(TextReport, NamesTheUsersLineFirst) {
  Finding f = finding("output-dtype", "onnx");
  f.location = {"model.py", "forward", 12, 5, 0, 0};
  Report r = with({f});
  std::string out = text(r);
  EXPECT_TRUE(out.starts_with("model.py:12:5: error: the branches return different dtypes: float32 from 'then_branch', "
                              "int64 from 'else_branch' [output-dtype]\n"
                              "    in m.onnx: main/If_0/then_branch/Cast_1\n"))
      << out;
}

TEST(TextReport, NamesThePlaceInTheGraphWhereNoLineIsRecorded) {
  Report r = with({finding("output-dtype", "onnx")});
  EXPECT_TRUE(text(r).starts_with("m.onnx: main/If_0/then_branch/Cast_1: error: the branches"));
  Report whole = with({finding("graph-malformed", "onnx", "")});
  EXPECT_TRUE(text(whole).starts_with("m.onnx: error: the branches"));
}

TEST(TextReport, ShowsBothSidesTheWitnessAndTheHelp) {
  Finding f = finding("output-shape", "onnx");
  f.related = {{"the other branch returns [4]", {"model.py", "", 17, 0, 0, 0}, "main/If_0/else_branch/Neg_3"},
               {"declared here", {}, "main/If_0"}};
  f.witness = {{"n", 3}, {"m", 0}};
  f.help = "pad the shorter one";
  f.fixes = {{"pad the shorter one"}, {"slice the longer one"}};
  Report r = with({f});
  std::string out = text(r);
  EXPECT_TRUE(contains(out, "    model.py:17: note: the other branch returns [4] (main/If_0/else_branch/Neg_3)\n"
                            "    main/If_0: note: declared here\n"
                            "    for example: n = 3, m = 0\n"
                            "    help: pad the shorter one\n"
                            "    help: slice the longer one\n"
                            "    target: onnx\n"))
      << out;
}

TEST(TextReport, AFixIsOneThatCanBeMade) {
  Finding f = finding("output-alias", "torch");
  f.fixes = {{"return a copy", {{{"m.cc", "", 3, 8, 3, 9}, "x.clone()"}}}};
  Report r = with({f, finding("output-dtype", "torch")});
  const std::string out = text(r);
  EXPECT_TRUE(contains(out, "    fix: return a copy\n")) << out;
  EXPECT_TRUE(contains(out, "; 1 can be fixed with --fix\n")) << out;
  EXPECT_FALSE(contains(text(r, true), "fix"));
}

TEST(TextReport, SaysTheSameWithoutWhatIsProved) {
  Finding f = finding("output-dtype", "tensorrt@10.13");
  f.conditional = "main/If_1";
  Report r = with({f});
  r.inputs[0].summaries.clear();
  for (const char *path : {"main/If_0", "main/If_1", "main/If_2"})
    for (const char *target : {"onnx", "tensorrt@10.13"}) {
      ConditionalSummary s = conditional(path, target);
      s.verdicts = {};
      s.verdicts["output-rank"] = Verdict::Proved;
      r.inputs[0].summaries.push_back(s);
    }
  r.inputs[0].conditionals = 4;
  r.inputs[0].summaries.back().verdicts["output-rank"] = Verdict::Unknown;
  const std::string all = text(r);
  EXPECT_TRUE(
      contains(all, "4 conditionals in 1 input (onnx, tensorrt@10.13): 1 proved, 1 violated, 0 possible, 2 unknown"))
      << all;
  leaveOutProved(r.inputs[0]);
  EXPECT_EQ(r.inputs[0].summaries.size(), 4u) << "of main/If_0 nothing is left";
  EXPECT_EQ(text(r), all);
}

TEST(TextReport, CountsEachOfSeveralNodesOfOneName) {
  Finding f = finding("output-dtype", "onnx");
  f.conditional = "main/If";
  Report r = with({f});
  r.inputs[0].summaries.clear();
  for (const char *target : {"onnx", "tensorrt@10.13"})
    for (const Verdict v : {Verdict::Proved, Verdict::Violated, Verdict::Proved}) {
      r.inputs[0].summaries.push_back(conditional("main/If", target));
      r.inputs[0].summaries.back().verdicts["output-dtype"] = v;
    }
  r.inputs[0].conditionals = 3;
  std::string all = text(r);
  EXPECT_TRUE(contains(all, "3 conditionals in 1 input (onnx, tensorrt@10.13): 2 proved, 1 violated")) << all;
  // What a template makes three times is one.
  r.inputs[0].conditionals = 1;
  all = text(r);
  EXPECT_TRUE(contains(all, "1 conditional in 1 input (onnx, tensorrt@10.13): 0 proved, 1 violated")) << all;
}

TEST(TextReport, LeavesOutNodesOfOneNameThatAllHold) {
  Report r = with({});
  r.inputs[0].summaries = {conditional("main/If", "onnx"), conditional("main/If", "onnx")};
  r.inputs[0].conditionals = 2;
  leaveOutProved(r.inputs[0]);
  EXPECT_TRUE(r.inputs[0].summaries.empty());
  const std::string all = text(r);
  EXPECT_TRUE(contains(all, "2 conditionals in 1 input") && contains(all, ": 2 proved, 0 violated")) << all;
}

TEST(TextReport, ShowsEqualFindingsOfSeveralTargetsOnce) {
  Report r = with({finding("output-dtype", "onnx"), finding("output-dtype", "tensorrt@10.13")});
  std::string out = text(r);
  EXPECT_EQ(countOf(out, "[output-dtype]"), 1u) << out;
  EXPECT_TRUE(contains(out, "    targets: onnx, tensorrt@10.13\n")) << out;
}

TEST(TextReport, TellsWhichTargetObjectsHow) {
  Report r = with({finding("output-rank", "onnx"), finding("output-rank", "tensorrt@10.13")});
  r.inputs[0].findings[0].severity = Severity::Warning;
  std::string out = text(r);
  EXPECT_TRUE(contains(out, ": error: ")) << out;
  EXPECT_FALSE(contains(out, ": warning: ")) << out;
  EXPECT_TRUE(contains(out, "targets: onnx (warning), tensorrt@10.13 (error)")) << out;
}

TEST(TextReport, KeepsDifferentFindingsApart) {
  Report r = with({finding("output-dtype", "onnx"), finding("output-dtype", "tensorrt@10.13", "main/If_1")});
  EXPECT_EQ(countOf(text(r), "[output-dtype]"), 2u);
}

TEST(TextReport, EndsWithCountsAndWhatCouldNotBeAnalysed) {
  Report r = with({finding("output-dtype", "onnx")});
  r.inputs[0].untypedOperators = {{"a::Rare", 1}, {"b::Frequent", 7}};
  r.inputs[0].summaries.push_back(conditional("main/If_1", "onnx"));
  r.inputs[0].summaries.back().verdicts["output-shape"] = Verdict::Unknown;
  r.inputs[0].summaries.back().reasons["output-shape"] = "a::Rare is not known";
  r.inputs[0].conditionals = 2;
  r.inputs.push_back(input("no.onnx"));
  r.inputs[1].status = InputStatus::Failed;
  r.inputs[1].reason = "no such file";
  r.inputs[1].targets.clear();
  std::string out = text(r);
  EXPECT_TRUE(out.ends_with("\n"
                            "m.onnx: main/If_1: not decided: output-shape: a::Rare is not known\n"
                            "operators without type inference: b::Frequent (7), a::Rare (1)\n"
                            "no.onnx: failed: no such file\n"
                            "2 conditionals in 2 inputs (onnx, tensorrt@10.13): 0 proved, 1 violated, 0 possible, 1 "
                            "unknown; 1 error, 0 warnings, 0 notes; 1 input failed\n"))
      << out;
}

TEST(TextReport, QuietShowsOneLineAFindingAndTheFailures) {
  Report r = with({finding("output-dtype", "onnx"), finding("operand-unused", "onnx")});
  r.inputs[0].findings[0].help = "do this";
  r.inputs[0].findings[1].severity = Severity::Note;
  r.inputs.push_back(input("no.onnx"));
  r.inputs[1].status = InputStatus::Failed;
  r.inputs[1].reason = "no such file";
  std::string out = text(r, true);
  EXPECT_EQ(countOf(out, "\n"), 2u) << out;
  EXPECT_TRUE(contains(out, "[output-dtype]\nno.onnx: failed: no such file\n")) << out;
  Report clean = with({});
  EXPECT_EQ(text(clean, true), "");
}

TEST(TextReport, ColoursOnlyWhereAsked) {
  Report r = with({finding("output-dtype", "onnx")});
  EXPECT_FALSE(contains(text(r), "\x1b"));
  EXPECT_TRUE(contains(text(r, false, ColorMode::Always), "\x1b[1;31merror\x1b[0m"));
}

TEST(TextReport, ObeysNoNameOfTheModel) {
  Report r = with({finding("output-dtype", "onnx", "main/\x1b[2J\nforged.py:1: error: \xff\xe2\x80\xae")});
  std::string out = text(r);
  EXPECT_FALSE(contains(out, "\x1b"));
  EXPECT_FALSE(contains(out, "\nforged"));
  EXPECT_FALSE(contains(out, "\xff"));
  EXPECT_TRUE(contains(out, "main/\\x1b[2J\\x0aforged.py:1: error: \xEF\xBF\xBD\\xe2\\x80\\xae")) << out;
}

TEST(TextReport, ListsOfOpenRulesAreBounded) {
  Report r = with({});
  for (int i = 0; i < 100; ++i) {
    r.inputs[0].summaries.push_back(conditional("main/If_" + std::to_string(i), "onnx"));
    r.inputs[0].summaries.back().verdicts["output-shape"] = Verdict::Unknown;
  }
  std::string out = text(r);
  EXPECT_EQ(countOf(out, "not decided"), 10u);
  EXPECT_TRUE(contains(out, "further open rules"));
}
