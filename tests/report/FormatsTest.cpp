//===- FormatsTest.cpp - What CI systems and viewers read -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportSamples.h"
#include "condlint/ReportFormat.h"
#include "report/SourceText.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace condlint;
using namespace condlint::test;
using Json = nlohmann::json;

namespace {

RenderOptions options() {
  RenderOptions o;
  o.rules = {{"output-dtype", "Outputs", "Both branches return the same dtype in each position.",
              "# output-dtype\n\nBoth.\n\n## Why\n\nIt was compiled\nfor one.\n\nMore.\n", Severity::Error},
             {"output-unused", "Outputs", "Each output is used.", "# output-unused\n", Severity::Note},
             {"input-mutation", "Effects", "No in-place write.", "# input-mutation\n", Severity::Error}};
  o.workingFolder = CONDLINT_SOURCE_DIR;
  return o;
}

std::string rendered(Report r, std::string_view format) {
  finishReport(r);
  const ReportFormat *f = findReportFormat(format);
  EXPECT_NE(f, nullptr) << format;
  return f == nullptr ? std::string() : f->render(r, options());
}
Json renderedJson(const Report &r, std::string_view format) { return Json::parse(rendered(r, format)); }

/// One error at a source's line with both sides, one note on a graph, and an input that failed.
Report sample() {
  Report r;
  r.exitCode = 3;
  InputReport m = input("m.onnx");
  m.targets = {"onnx", "tensorrt@10.13"};
  m.conditionals = 2;
  Finding f = finding("output-dtype", "onnx");
  f.message = "float32 [a] against int64";
  f.help = "cast one of them";
  f.location = {"model.py", "forward", 12, 5, 12, 9};
  f.graphPath = "main/If_0";
  f.related = {{"then", {"model.py", "", 17, 0, 0, 0}, "main/If_0/then_branch/Neg_3"}, {"else", {}, "main/If_0/else"}};
  f.witness = {{"n", 3}};
  Finding same = f;
  same.target = "tensorrt@10.13";
  same.severity = Severity::Warning;
  Finding note = finding("output-unused", "onnx");
  note.severity = Severity::Note;
  note.graphPath = "main/If_1";
  m.findings = {f, same, note};
  ConditionalSummary open = conditional("main/If_1", "tensorrt@10.13");
  open.verdicts["output-shape"] = Verdict::Unknown;
  open.reasons["output-shape"] = "Magic is not known";
  m.summaries = {conditional("main/If_0", "onnx"), open};
  InputReport broken = input("brøken <&>.onnx");
  broken.kind.clear();
  broken.status = InputStatus::Failed;
  broken.reason = "is \"empty\"";
  r.inputs = {m, broken};
  return r;
}

Report many(std::size_t count) {
  Report r;
  InputReport m = input("m.onnx");
  for (std::size_t i = 0; i < count; ++i) {
    Finding f = finding("output-dtype", "onnx");
    f.severity = i % 2 == 0 ? Severity::Note : Severity::Error;
    f.graphPath = "main/If_" + std::to_string(i);
    m.findings.push_back(f);
  }
  r.inputs = {m};
  return r;
}

TEST(Formats, AreListedOnceEach) {
  std::set<std::string_view> names;
  for (const ReportFormat &f : reportFormats()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name;
    EXPECT_EQ(findReportFormat(f.name), &f);
    EXPECT_TRUE(f.suffix.starts_with('.')) << f.name;
    EXPECT_FALSE(f.summary.empty()) << f.name;
  }
  EXPECT_EQ(findReportFormat("xml"), nullptr);
}

TEST(Formats, AnEmptyReportIsSoundInEach) {
  for (const ReportFormat &f : reportFormats())
    if (f.name == "json" || f.name == "sarif" || f.name == "gitlab" || f.name == "rdjson")
      EXPECT_NO_THROW((void)renderedJson({}, f.name)) << f.name;
    else
      EXPECT_NO_THROW((void)rendered({}, f.name)) << f.name;
}

TEST(Sarif, HasWhatCodeScanningReads) {
  const Json log = renderedJson(sample(), "sarif");
  EXPECT_EQ(log["version"], "2.1.0");
  const Json &run = log["runs"][0];
  EXPECT_EQ(run["columnKind"], "utf16CodeUnits");
  EXPECT_EQ(run["invocations"][0]["exitCode"], 3);
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  const std::string failed = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
  EXPECT_NE(failed.find("is \"empty\""), std::string::npos);
  const Json &rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[0]["name"], "OutputDtype");
  EXPECT_EQ(rules[0]["fullDescription"]["text"], "It was compiled for one.");
  EXPECT_EQ(rules[1]["fullDescription"]["text"], "Each output is used.");
  EXPECT_EQ(rules[1]["properties"]["problem.severity"], "recommendation");

  // Equal findings of two targets are one result, with the worst level.
  const Json &results = run["results"];
  ASSERT_EQ(results.size(), 2U);
  const Json *dtype = nullptr;
  const Json *unused = nullptr;
  for (const Json &result : results)
    (result["ruleId"] == "output-dtype" ? dtype : unused) = &result;
  ASSERT_TRUE(dtype != nullptr && unused != nullptr);
  EXPECT_EQ((*dtype)["level"], "error");
  EXPECT_EQ((*dtype)["ruleIndex"], 0);
  EXPECT_EQ((*dtype)["properties"]["targets"], Json({"onnx", "tensorrt@10.13"}));
  EXPECT_EQ((*dtype)["message"]["text"],
            "float32 \\[a\\] against int64 ([then](0); [else](1); [the model](2)). For example n = 3. "
            "Help: cast one of them.");
  const Json &place = (*dtype)["locations"][0];
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "model.py");
  EXPECT_EQ(place["physicalLocation"]["region"],
            Json({{"startLine", 12}, {"startColumn", 5}, {"endLine", 12}, {"endColumn", 9}}));
  EXPECT_EQ(place["logicalLocations"][0]["fullyQualifiedName"], "main/If_0");
  ASSERT_EQ((*dtype)["relatedLocations"].size(), 3U);
  EXPECT_EQ((*dtype)["relatedLocations"][2]["physicalLocation"]["artifactLocation"]["uri"], "m.onnx");

  // A model has no lines: the artifact is the file.
  const Json &model = (*unused)["locations"][0];
  EXPECT_EQ(model["physicalLocation"]["artifactLocation"]["uri"], "m.onnx");
  EXPECT_EQ(model["physicalLocation"]["region"]["startLine"], 1);
}

TEST(Sarif, FingerprintsDifferAndAreThere) {
  const Json log = renderedJson(many(20), "sarif");
  std::set<std::string> prints;
  for (const Json &result : log["runs"][0]["results"]) {
    EXPECT_TRUE(result["partialFingerprints"].contains("primaryLocationLineHash"));
    prints.insert(result["partialFingerprints"]["condlint/v1"]);
  }
  EXPECT_EQ(prints.size(), 20U);
}

TEST(Sarif, WhatIsTooMuchIsCutByPriorityAndSaid) {
  const Json log = renderedJson(many(6000), "sarif");
  const Json &results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 5000U);
  EXPECT_EQ(std::ranges::count_if(results, [](const Json &r) { return r["level"] == "error"; }), 3000);
  const Json &notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  EXPECT_NE(notes[0]["message"]["text"].get<std::string>().find("1000 results"), std::string::npos);
}

TEST(Sarif, SuppressedFindingsAreThereAndMarked) {
  Report r = sample();
  r.inputs[0].suppressed = {r.inputs[0].findings[2]};
  r.inputs[0].findings.clear();
  const Json log = renderedJson(r, "sarif");
  ASSERT_EQ(log["runs"][0]["results"].size(), 1U);
  EXPECT_EQ(log["runs"][0]["results"][0]["suppressions"][0]["kind"], "inSource");
}

TEST(Sarif, AWriteIsAFlowOfSteps) {
  Report r = sample();
  Finding &f = r.inputs[0].findings[0];
  f.rule = "input-mutation";
  r.inputs[0].findings.resize(1);
  const Json log = renderedJson(r, "sarif");
  const Json &steps = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2]["location"]["physicalLocation"]["region"]["startLine"], 12);
}

TEST(Sarif, EditsAreReplacements) {
  Report r = sample();
  Finding &f = r.inputs[0].findings[0];
  f.fixes = {{"cast it", {{{"model.py", "", 12, 5, 12, 5}, "x"}}}, {"in words", {}}};
  r.inputs[0].findings.resize(1);
  const Json fixes = renderedJson(r, "sarif")["runs"][0]["results"][0]["fixes"];
  ASSERT_EQ(fixes.size(), 1U);
  EXPECT_EQ(fixes[0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "x");
}

TEST(GitLab, EachIssueHasItsOwnFingerprint) {
  const Json issues = renderedJson(sample(), "gitlab");
  ASSERT_EQ(issues.size(), 3U);
  std::set<std::string> prints;
  for (const Json &issue : issues) {
    prints.insert(issue["fingerprint"]);
    EXPECT_FALSE(issue["location"]["path"].get<std::string>().starts_with("./"));
    EXPECT_TRUE(issue["location"]["lines"]["begin"].is_number());
  }
  EXPECT_EQ(prints.size(), 3U);
  EXPECT_EQ(issues[2]["check_name"], "not-analysed");
  EXPECT_EQ(issues[2]["severity"], "blocker");
}

TEST(Rdjson, SuggestsEditsOfTheSameFile) {
  Report r = sample();
  r.inputs[0].findings[0].fixes = {{"a", {{{"model.py", "", 12, 5, 12, 5}, "x"}}},
                                   {"b", {{{"other.py", "", 1, 1, 1, 1}, "y"}}}};
  r.inputs[0].findings.resize(1);
  const Json out = renderedJson(r, "rdjson");
  ASSERT_EQ(out["diagnostics"].size(), 2U);
  EXPECT_EQ(out["diagnostics"][0]["suggestions"].size(), 1U);
  EXPECT_EQ(out["diagnostics"][0]["location"]["range"]["end"]["column"], 9);
  EXPECT_EQ(out["diagnostics"][0]["severity"], "ERROR");
}

TEST(GitHub, RanksEscapesAndCounts) {
  const std::string text = rendered(sample(), "github");
  EXPECT_NE(text.find("::error file=br\xC3\xB8ken <&>.onnx,title=condlint::failed: is \"empty\"\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("::error file=model.py,line=12,col=5,endLine=12,endColumn=9,title=condlint%3A output-dtype::"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("%0Ahelp: cast one of them"), std::string::npos);
  EXPECT_LT(text.find("::error"), text.find("::notice"));

  const std::string cut = rendered(many(50), "github");
  EXPECT_EQ(std::ranges::count(cut, '\n'), 21);
  EXPECT_NE(cut.find("condlint: 30 more"), std::string::npos);
}

TEST(JUnit, ACaseATargetAndSkippedWhereOpen) {
  const std::string xml = rendered(sample(), "junit");
  EXPECT_NE(xml.find(R"(<testsuites name="condlint" tests="3" failures="1" errors="1">)"), std::string::npos) << xml;
  EXPECT_NE(xml.find(R"(<testcase classname="m.onnx" name="onnx">)"), std::string::npos);
  EXPECT_NE(xml.find("<skipped message=\"main/If_1: output-shape is not decided: Magic is not known\"/>"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("br\xC3\xB8ken &lt;&amp;&gt;.onnx"), std::string::npos);
}

TEST(JUnit, WhatFailsIsWhatFailsTheRun) {
  Report r = sample();
  r.inputs[0].failOn = Severity::Off;
  EXPECT_NE(rendered(r, "junit").find("failures=\"0\""), std::string::npos);
}

TEST(Ndjson, IsARecordALineAndEndsWithTheSummary) {
  std::istringstream lines(rendered(sample(), "ndjson"));
  std::vector<std::string> types;
  for (std::string line; std::getline(lines, line);)
    types.push_back(Json::parse(line)["type"]);
  EXPECT_EQ(types, (std::vector<std::string>{"header", "input", "conditional", "conditional", "finding", "finding",
                                             "finding", "input", "summary"}));
}

TEST(SourceText, HashesLinesAsGitHubDoes) {
  EXPECT_EQ(lineHashes(" a\nb\n  \t\tc\n d"), (std::vector<std::string>{"271789c17abda88f:1", "54703d4cd895b18:1",
                                                                        "180aee12dab6264:1", "a23a3dc5e078b07b:1"}));
  EXPECT_EQ(lineHashes("x\r\ny\rz"), lineHashes("x\ny\nz")) << "ends of lines are alike";
}

TEST(SourceText, ReadsNothingOutsideOfItsFolder) {
  SourceText sources(CONDLINT_SOURCE_DIR "/tests");
  EXPECT_TRUE(sources.line("CMakeLists.txt", 1));
  EXPECT_FALSE(sources.line("../CMakeLists.txt", 1));
  EXPECT_FALSE(sources.line("/etc/passwd", 1));
  EXPECT_FALSE(sources.line("CMakeLists.txt", 100000));
  EXPECT_FALSE(SourceText("").line("CMakeLists.txt", 1));
}

TEST(SourceText, CountsUtf16) {
  EXPECT_EQ(utf16Length("abc", 2), 2U);
  EXPECT_EQ(utf16Length("\xC3\xB8x", 3), 2U);
  EXPECT_EQ(utf16Length("\xF0\x9F\x98\x80x", 4), 2U) << "a surrogate pair";
  EXPECT_EQ(utf16Length("\xFFx", 2), 2U) << "no text";
  EXPECT_EQ(utf16Length("\xE2\x82x", 3), 2U) << "no text";
}

} // namespace
