//===- JsonReportTest.cpp - The JSON report is what its schema says -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportSamples.h"
#include "SchemaCheck.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using Json = nlohmann::json;

namespace {

Json schema() { return Json::parse(std::ifstream(CONDLINT_SOURCE_DIR "/docs/report.schema.json")); }

Json rendered(Report &r) {
  finishReport(r);
  std::string text = renderJson(r);
  EXPECT_EQ(text.back(), '\n');
  Json json = Json::parse(text);
  EXPECT_EQ(SchemaCheck(schema()).check(json), "");
  return json;
}

/// A report with everything in it.
Report fullReport() {
  Report r;
  r.exitCode = 3;
  InputReport m = input("m.onnx");
  m.targets = {"onnx", "tensorrt@10.13"};
  m.conditionals = 3;
  m.untypedOperators = {{"com.example::Magic", 2}};
  Finding f = finding("output-dtype", "onnx");
  f.help = "cast one of them";
  f.location = {"model.py", "forward", 12, 5, 12, 9};
  f.related = {{"the other branch", {"model.py", "", 17, 0, 0, 0}, "main/If_0/else_branch/Neg_3"}, {"nowhere", {}, ""}};
  f.witness = {{"n", 3}};
  f.verdict = Verdict::Possible;
  f.fixes = {{"cast one of them"}};
  m.findings = {f, finding("output-unused", "onnx")};
  m.findings[1].severity = Severity::Note;
  ConditionalSummary open = conditional("main/If_1", "onnx");
  open.verdicts["output-shape"] = Verdict::Unknown;
  open.reasons["output-shape"] = "com.example::Magic is not known";
  m.summaries = {conditional("main/If_0", "onnx"), open, conditional("main/If_2", "onnx")};
  InputReport broken = input("broken.onnx");
  broken.kind.clear();
  broken.status = InputStatus::Failed;
  broken.reason = "is empty";
  r.inputs = {m, broken};
  return r;
}

} // namespace

TEST(JsonReport, FitsItsSchemaWithEverythingInIt) {
  Report r = fullReport();
  Json json = rendered(r);
  EXPECT_EQ(json["summary"]["exitCode"], 3);
  EXPECT_EQ(json["summary"]["inputs"], Json::parse(R"({"total":2,"analyzed":1,"partial":0,"failed":1,"skipped":0})"));
  EXPECT_EQ(json["summary"]["findings"], Json::parse(R"({"error":1,"warning":0,"note":1})"));
  EXPECT_EQ(json["summary"]["conditionals"],
            Json::parse(R"({"total":3,"proved":1,"violated":0,"possible":1,"unknown":1})"));
  EXPECT_EQ(json["summary"]["untypedOperators"], Json::parse(R"({"com.example::Magic":2})"));
}

TEST(JsonReport, FitsItsSchemaWithNothingInIt) {
  Report r;
  Json json = rendered(r);
  EXPECT_EQ(json["findings"], Json::array());
  EXPECT_EQ(json["summary"]["inputs"]["total"], 0);
}

TEST(JsonReport, TheSchemaCheckSeesWhatDoesNotFit) {
  Report r = fullReport();
  Json json = rendered(r);
  SchemaCheck check(schema());
  for (const char *pointer : {"/findings/0/rule", "/findings/0/location/line", "/inputs/0/status", "/summary/exitCode",
                              "/conditionals/0/operands/0/shape", "/findings/0/fingerprint"}) {
    Json broken = json;
    broken[Json::json_pointer(pointer)] = Json::object({{"x", 1}});
    EXPECT_NE(check.check(broken), "") << pointer;
  }
  Json extra = json;
  extra["findings"][0]["surprise"] = 1;
  EXPECT_NE(check.check(extra), "");
  Json missing = json;
  missing["findings"][0].erase("witness");
  EXPECT_NE(check.check(missing), "");
}

TEST(JsonReport, WhatIsNotKnownIsNull) {
  Report r = fullReport();
  Json json = rendered(r);
  EXPECT_EQ(json["inputs"][0]["reason"], nullptr);
  EXPECT_EQ(json["inputs"][1]["kind"], nullptr);
  EXPECT_EQ(json["inputs"][1]["conditionals"], nullptr);
  EXPECT_EQ(json["inputs"][1]["reason"], "is empty");
  const Json &plain = json["findings"][0]["rule"] == "output-unused" ? json["findings"][0] : json["findings"][1];
  EXPECT_EQ(plain["location"], nullptr);
  EXPECT_EQ(plain["witness"], nullptr);
  EXPECT_EQ(plain["help"], nullptr);
  EXPECT_EQ(plain["fixes"], Json::array());
}

TEST(JsonReport, DimensionsAreNumbersExpressionsOrNull) {
  Report r = fullReport();
  Json json = rendered(r);
  const Json &c = json["conditionals"][0];
  EXPECT_EQ(c["operands"][0]["shape"], Json::parse(R"(["s0", 4, null])"));
  EXPECT_EQ(c["predicate"], Json::parse(R"({"kind":"tensor","dtype":"bool","shape":[]})"));
  EXPECT_EQ(c["branches"][1]["outputs"][0], Json::parse(R"({"kind":"tensor","dtype":null,"shape":null})"));
}

TEST(JsonReport, KeepsWitnessAndLocation) {
  Report r = fullReport();
  Json json = rendered(r);
  const Json &f = json["findings"][0]["witness"].is_null() ? json["findings"][1] : json["findings"][0];
  EXPECT_EQ(f["witness"], Json::parse(R"({"n":3})"));
  EXPECT_EQ(f["location"], Json::parse(R"({"path":"model.py","line":12,"column":5,"endLine":12,"endColumn":9,
                                           "function":"forward"})"));
  EXPECT_EQ(f["related"][0]["location"], Json::parse(R"({"path":"model.py","line":17})"));
  EXPECT_EQ(f["related"][1]["location"], nullptr);
}

TEST(JsonReport, StaysSoundWhateverTheModelHolds) {
  Report r = fullReport();
  InputReport &m = r.inputs[0];
  std::string hostile("\xff\xfe\"\\\n\x00\x1b[31m\xc3", 12);
  m.path = hostile;
  m.findings[0].message = hostile;
  m.findings[0].graphPath = hostile;
  m.findings[0].witness = {{hostile, 1}};
  m.summaries[0].path = hostile;
  m.summaries[0].branches[0].name = hostile;
  m.untypedOperators = {{"\xff", 1}, {"\xfe", 2}, {hostile, 3}};
  Json json = rendered(r);
  // Two names that no text can tell apart are counted together.
  EXPECT_EQ(json["summary"]["untypedOperators"]["\xEF\xBF\xBD"], 3);
}

TEST(JsonReport, ANoteMakesNoConditionalWrong) {
  Report r;
  r.inputs = {input("m.onnx")};
  r.inputs[0].conditionals = 2;
  r.inputs[0].summaries = {conditional("main/If_0", "onnx"), conditional("main/If_1", "onnx")};
  r.inputs[0].findings = {finding("output-shape", "onnx")};
  r.inputs[0].findings[0].severity = Severity::Note;
  EXPECT_EQ(rendered(r)["summary"]["conditionals"]["proved"], 2);
  r.inputs[0].findings[0].severity = Severity::Warning;
  Json counts = rendered(r)["summary"]["conditionals"];
  EXPECT_EQ(counts["proved"], 1);
  EXPECT_EQ(counts["violated"], 1);
}

TEST(JsonReport, CountsAConditionalOnceForAllTargets) {
  Report r;
  r.inputs = {input("m.onnx")};
  r.inputs[0].targets = {"onnx", "tensorrt@10.13"};
  r.inputs[0].conditionals = 2; // one of them stands where no rule looks
  r.inputs[0].summaries = {conditional("main/If_0", "onnx"), conditional("main/If_0", "tensorrt@10.13")};
  r.inputs[0].findings = {finding("output-rank", "tensorrt@10.13")};
  EXPECT_EQ(rendered(r)["summary"]["conditionals"],
            Json::parse(R"({"total":2,"proved":0,"violated":1,"possible":0,"unknown":1})"));
}
