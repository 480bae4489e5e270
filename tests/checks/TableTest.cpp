//===- TableTest.cpp - The table, the pages and the framework -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"
#include "graph/Spelling.h"
#include <fmt/format.h>
#include <set>

using namespace condlint;
using namespace condlint::test;

namespace {

Target targetOf(const std::string &text) {
  const auto t = parseTarget(text);
  EXPECT_TRUE(t) << text;
  return t ? *t : Target();
}

TEST(RuleTable, EveryRuleHasAPageThatBeginsWithItsSummary) {
  ASSERT_EQ(rules().size(), 59u);
  std::set<std::string_view> ids;
  for (const RuleInfo &rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    const std::string_view page = rulePage(rule.id);
    EXPECT_TRUE(page.starts_with(fmt::format("# {}\n\n{}\n", rule.id, rule.summary))) << rule.id;
    EXPECT_GT(std::ranges::count(page, '\n'), 15) << rule.id;
    EXPECT_FALSE(rule.group.empty());
  }
  EXPECT_TRUE(rulePage("no-such-rule").empty());
  EXPECT_TRUE(rulePage("").empty());
}

TEST(RuleTable, SeveritiesByVersion) {
  const RuleInfo *shape = findRule("output-shape");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->severity(targetOf("torch@2.6")), Severity::Error);
  EXPECT_EQ(shape->severity(targetOf("torch@2.14")), Severity::Note);
  EXPECT_EQ(shape->severity(targetOf("torch")), Severity::Note);
  EXPECT_EQ(shape->severity(targetOf("aoti@2.6")), Severity::Error);
  EXPECT_EQ(shape->severity(targetOf("tensorrt@10.3")), Severity::Error);
  EXPECT_EQ(shape->severity(targetOf("tensorrt@10.10")), Severity::Error);
  EXPECT_EQ(shape->severity(targetOf("tensorrt@10.11")), Severity::Note);
  EXPECT_EQ(shape->severity(targetOf("onnx")), Severity::Note);
  EXPECT_EQ(shape->severity(targetOf("onnxruntime"), "if-1"), Severity::Error);
  EXPECT_EQ(shape->severity(targetOf("onnx"), "no such variant"), Severity::Note);
  Target newest;
  newest.system = System::TensorRT;
  EXPECT_EQ(shape->severity(newest), Severity::Note);
  EXPECT_EQ(findRule("operand-alias")->severity(targetOf("onnx")), Severity::Off);
}

TEST(RuleTable, NearestRule) {
  EXPECT_EQ(nearestRule("output-dtyp"), "output-dtype");
  EXPECT_EQ(nearestRule("branch-egaer"), "branch-eager");
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance(std::string(100000, 'a'), "a"), 63u);
}

TEST(Targets, AreRead) {
  EXPECT_EQ(targetOf("torch@2.13.0+cpu").str(), "torch@2.13");
  EXPECT_EQ(targetOf("tensorrt@10").str(), "tensorrt@10.0");
  EXPECT_EQ(targetOf("onnx").str(), "onnx");
  EXPECT_EQ(targetOf("torch").str(), "torch@2.15");
  EXPECT_FALSE(targetOf("torch").versionGiven);
  for (const char *bad : {"", "torc", "torch@", "torch@x", "torch@2.", "torch@2.13x", "torch@99999999999999999999"})
    EXPECT_FALSE(parseTarget(bad)) << bad;
  const auto near = parseTarget("tensort@10.3");
  ASSERT_FALSE(near);
  EXPECT_NE(near.error().message.find("'tensorrt'"), std::string::npos);
  for (const SystemInfo &s : systems())
    EXPECT_EQ(systemName(s.system), s.name);
}

TEST(Targets, VersionsWithoutRulesAreTold) {
  for (const char *known : {"torch", "torch@2.6", "torch@2.15.1", "torch@2", "tensorrt@8", "tensorrt@8.2", "onnx"})
    EXPECT_EQ(versionCaution(targetOf(known)), "") << known;
  EXPECT_EQ(versionCaution(targetOf("torch@9.9")),
            "the rules of torch@9.9 are not known, only those of 2.0 to 2.15: those of 2.15 are taken");
  EXPECT_EQ(versionCaution(targetOf("tensorrt@7.2")),
            "the rules of tensorrt@7.2 are not known, only those of 8.2 to 11.1: those of 8.2 are taken");
  EXPECT_EQ(versionCaution(targetOf("openvino@26.4")),
            "the rules of openvino@26.4 are not known, only those of 2023.3 to 2026.4: those of 2023.3 are taken; its "
            "versions begin with the whole year");
  EXPECT_EQ(targetOf("onnx@18").str(), "onnx");
  EXPECT_NE(versionCaution(targetOf("onnx@18")).find("opset is in the file"), std::string::npos);
}

TEST(Targets, AVersionThatWasNotMeasuredIsTakenForOneThatWas) {
  for (const char *measured : {"openvino@2023.3", "openvino@2026.0", "openvino@2026.4.1", "executorch@1.0", "openvino"})
    EXPECT_EQ(versionCaution(targetOf(measured)), "") << measured;
  for (const auto &[asked, taken] : {std::pair("openvino@2023.0", "2023.3"),
                                     {"openvino@2023.4", "2024.6"},
                                     {"openvino@2024.2.0", "2024.6"},
                                     {"openvino@2025.5", "2026.0"}}) {
    const Target t = targetOf(asked);
    const std::string named = t.str();
    EXPECT_TRUE(std::string(asked).starts_with(named)) << named;
    EXPECT_EQ(versionCaution(t), named + " was not measured: the rules of " + taken + " are taken");
  }
  EXPECT_EQ(versionCaution(targetOf("openvino@2026")),
            "openvino@2026 names no minor version: the rules of 2026.4 are taken");
  EXPECT_EQ(versionCaution(targetOf("executorch@1")),
            "executorch@1 names no minor version: the rules of 1.5 are taken");
  EXPECT_EQ(versionCaution(targetOf("openvino@2022")),
            "the rules of openvino@2022 are not known, only those of 2023.3 to 2026.4: those of 2023.3 are taken");
  EXPECT_EQ(versionCaution(targetOf("openvino@2027")),
            "the rules of openvino@2027 are not known, only those of 2023.3 to 2026.4: those of 2026.4 are taken");
  // The rules are those of the version that is named.
  const RuleInfo *kind = findRule("output-kind");
  ASSERT_NE(kind, nullptr);
  EXPECT_EQ(kind->severity(targetOf("openvino@2026"), "entries"), Severity::Warning);
  EXPECT_EQ(kind->severity(targetOf("openvino@2024.2"), "entries"), Severity::Error);
}

TEST(Checker, OptionsSelectIgnoreAndSet) {
  TorchCond c = soundCond();
  c.no.nodes = aten("gt.Scalar", "x", "cos", "", R"(, {"name": "other", "int": 0})");
  c.yes.nodes = "";
  c.yes.results = R"("x")";
  const auto rulesOf = [&](const RuleOptions &o) {
    std::set<std::string> out;
    for (const Finding &f : checkJson(c.json(), "torch@2.13", o).findings)
      out.insert(std::string(severityName(f.severity)) + ' ' + f.rule);
    return out;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(rulesOf({}), (Set{"error output-dtype", "error output-alias", "note branch-empty"}));
  RuleOptions select;
  select.select = {"output-dtype"};
  EXPECT_EQ(rulesOf(select), Set{"error output-dtype"});
  RuleOptions ignore;
  ignore.ignore = {"output-dtype", "branch-empty"};
  EXPECT_EQ(rulesOf(ignore), Set{"error output-alias"});
  RuleOptions severity;
  severity.severity = {
      {"output-dtype", Severity::Note}, {"output-alias", Severity::Off}, {"branch-empty", Severity::Warning}};
  EXPECT_EQ(rulesOf(severity), (Set{"note output-dtype", "warning branch-empty"}));
}

TEST(Checker, SummaryOfAConditional) {
  const CheckResult r = checkJson(soundCond("float32[s0, 4]").json(), "torch@2.13");
  ASSERT_EQ(r.conditionals.size(), 1u);
  const ConditionalSummary &s = r.conditionals[0];
  EXPECT_EQ(s.path, "main/cond");
  EXPECT_EQ(s.location.str(), "model.py:12");
  EXPECT_EQ(s.target, "torch@2.13");
  EXPECT_EQ(s.predicateKind, "tensor");
  EXPECT_EQ(s.predicateType, "bool[]");
  ASSERT_EQ(s.operands.size(), 1u);
  EXPECT_EQ(s.operands[0].dtype, "float32");
  EXPECT_EQ(s.operands[0].shape, (std::vector<std::string>{"s0", "4"}));
  ASSERT_EQ(s.branches.size(), 2u);
  EXPECT_EQ(s.branches[1].name, "false_graph_0");
  ASSERT_EQ(s.branches[1].outputs.size(), 1u);
  EXPECT_EQ(s.verdicts.find("output-dtype")->second, Verdict::Proved);
  EXPECT_FALSE(s.verdicts.contains("branch-eager")); // cannot occur in torch
  EXPECT_FALSE(s.verdicts.contains("loop-leak"));
}

TEST(Checker, WhatAnUnknownOperatorYieldsIsNotProvedOfAnything) {
  TorchCond c = soundCond();
  c.no.nodes = aten("gt.Scalar", "x", "cos", "", R"(, {"name": "other", "int": 0})");
  c.no.nodes.replace(c.no.nodes.find("aten.gt.Scalar"), 14, "mine.rotate.default");
  const CheckResult r = checkJson(c.json(), "torch@2.13");
  EXPECT_TRUE(r.findings.empty());
  const ConditionalSummary &s = r.conditionals.at(0);
  for (const char *rule : {"output-kind", "output-dtype", "output-rank", "output-shape", "output-device",
                           "output-duplicate", "host-sync", "random-in-branch"})
    EXPECT_EQ(s.verdicts.find(rule)->second, Verdict::Unknown) << rule;
  EXPECT_EQ(s.verdicts.find("predicate-dtype")->second, Verdict::Proved);
}

TEST(Checker, WhatTheTargetAllowsIsNoQuestion) {
  const ConditionalSummary s = checkJson(soundCond().json(), "torch@2.6").conditionals.at(0);
  EXPECT_FALSE(s.verdicts.contains("output-device"));
  RuleOptions options;
  options.severity = {{"output-device", Severity::Warning}};
  EXPECT_TRUE(
      checkJson(soundCond().json(), "torch@2.6", options).conditionals.at(0).verdicts.contains("output-device"));
}

TEST(Checker, FunctionsAreOneConditional) {
  const std::string json = R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20, "local": 1}, "graph": {
    "parameters": [{"name": "c", "type": "bool[]"}, {"name": "x", "type": "float32[4]"}, {"name": "z", "type": "float16[4]"}],
    "nodes": [{"op": "local::F", "operands": ["c", "x"], "results": ["a"]}, {"op": "local::F", "operands": ["c", "z"], "results": ["b"]}],
    "results": ["a", "b"]}, "functions": [{"domain": "local", "name": "F", "opsets": {"": 20}, "graph": {
    "parameters": [{"name": "p"}, {"name": "v"}], "nodes": [{"op": "If", "name": "If_0", "operands": ["p"], "attributes": [
    {"name": "then_branch", "region": {"nodes": [{"op": "Relu", "operands": ["v"], "results": ["r"]}], "results": ["r"]}},
    {"name": "else_branch", "region": {"nodes": [{"op": "Cast", "operands": ["v"], "attributes": [{"name": "to", "int": 1}],
    "results": ["k"]}], "results": ["k"]}}], "results": ["o"]}], "results": ["o"]}}]})";
  const CheckResult r = checkJson(json, "onnx");
  ASSERT_EQ(r.conditionals.size(), 1u);
  EXPECT_EQ(r.conditionals[0].path, "local.F/If_0");
  // Right for float32, wrong for float16: the worst verdict counts.
  EXPECT_EQ(r.conditionals[0].verdicts.find("output-dtype")->second, Verdict::Violated);
  EXPECT_EQ(found(json, "onnx"), Rules{"error output-dtype"});
}

} // namespace
