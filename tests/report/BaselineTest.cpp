//===- BaselineTest.cpp - Findings that were there before are known -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Baseline.h"
#include "ReportSamples.h"
#include "report/Suppression.h"
#include <filesystem>
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;

namespace {

Finding rankBreak(const std::string &node, const std::string &value) {
  Finding f = finding("output-rank", "onnx", "main/" + node);
  f.conditional = "main/" + node;
  f.message = "the branches return different ranks: float32[4] from 'then_branch' ('" + value + "' at main/" + node +
              "/then_branch/Squeeze_1) and float32[n, 4] from 'else_branch' ('x')";
  return f;
}

Report reportOf(std::vector<Finding> findings, const std::string &path = "m.onnx") {
  Report r;
  InputReport m = input(path);
  for (const Finding &f : findings)
    m.summaries.push_back(conditional(f.conditional, f.target));
  m.findings = std::move(findings);
  r.inputs = {m};
  finishReport(r);
  return r;
}

Baseline reread(const Baseline &b) {
  Expected<Baseline> again = Baseline::parse(b.text(), "b.json");
  EXPECT_TRUE(again) << again.error().str();
  return again ? *again : Baseline();
}

TEST(Baseline, WhatItHoldsIsKnownAndNothingElse) {
  Report before = reportOf({rankBreak("If_0", "a")});
  const Baseline baseline = reread(Baseline::from(before));
  EXPECT_EQ(baseline.size(), 1U);
  EXPECT_EQ(baseline.apply(before).size(), 0U);
  EXPECT_TRUE(before.inputs[0].findings.empty());
  ASSERT_EQ(before.inputs[0].suppressed.size(), 1U);
  EXPECT_EQ(before.inputs[0].suppressed[0].suppressedBy, "baseline");

  Report other = reportOf({finding("output-dtype", "onnx")});
  EXPECT_EQ(baseline.apply(other).size(), 1U) << "what is gone is told";
  EXPECT_EQ(other.inputs[0].findings.size(), 1U);
}

TEST(Baseline, SurvivesRenamedNodesAndChangedNumbers) {
  const Baseline baseline = reread(Baseline::from(reportOf({rankBreak("If_0", "/layer/Squeeze_output_0")})));
  Report after = reportOf({rankBreak("/encoder/block/If_17", "squeezed")});
  EXPECT_EQ(baseline.apply(after).size(), 0U);
  EXPECT_TRUE(after.inputs[0].findings.empty());
}

TEST(Baseline, KnowsAsManyAsThereWere) {
  const Baseline baseline = reread(Baseline::from(reportOf({rankBreak("If_0", "a"), rankBreak("If_1", "b")})));
  Report more = reportOf({rankBreak("If_0", "a"), rankBreak("If_1", "b"), rankBreak("If_2", "c")});
  baseline.apply(more);
  ASSERT_EQ(more.inputs[0].findings.size(), 1U);
  EXPECT_EQ(more.inputs[0].findings[0].graphPath, "main/If_2") << "those that are the same to the letter come first";

  Report fewer = reportOf({rankBreak("If_1", "b")});
  const Baseline stale = baseline.apply(fewer);
  EXPECT_EQ(stale.size(), 1U);
  EXPECT_EQ(baseline.without(stale).size(), 1U);
}

TEST(Baseline, AnotherBreakOfTheSameRuleIsNew) {
  const Baseline baseline = reread(Baseline::from(reportOf({rankBreak("If_0", "a")})));
  Finding other = rankBreak("If_0", "a");
  other.message =
      "the branches return different ranks: float32[4] from 'then_branch' ('a') and int64[n, 4, 2] from 'x'";
  Report r = reportOf({other});
  baseline.apply(r);
  EXPECT_EQ(r.inputs[0].findings.size(), 1U);
  Report elsewhere = reportOf({rankBreak("If_0", "a")}, "other.onnx");
  baseline.apply(elsewhere);
  EXPECT_EQ(elsewhere.inputs[0].findings.size(), 1U);
}

TEST(Baseline, WhatWasNotAnalysedIsNotGone) {
  const Baseline baseline = Baseline::from(reportOf({rankBreak("If_0", "a")}));
  Report failed = reportOf(std::vector<Finding>{});
  failed.inputs[0].status = InputStatus::Failed;
  EXPECT_EQ(baseline.apply(failed).size(), 0U);
  Report elsewhere = reportOf(std::vector<Finding>{}, "other.onnx");
  EXPECT_EQ(baseline.apply(elsewhere).size(), 0U);
}

/// A break in the header gate.h that \p source includes, or nothing where \p finds is false.
InputReport sourceWithHeader(const std::string &source, bool finds) {
  InputReport m = input(source);
  m.kind = "cxx";
  std::error_code error;
  m.sources = {(std::filesystem::current_path(error) / "gate.h").string()};
  if (!finds)
    return m;
  Finding f = rankBreak("If_0", "a");
  f.target = "torch@2.5";
  f.location.path = "gate.h";
  f.location.line = 7;
  m.findings = {f};
  return m;
}

Report reportOf(std::vector<InputReport> inputs) {
  Report r;
  r.inputs = std::move(inputs);
  finishReport(r);
  return r;
}

TEST(Baseline, WhatStandsInAHeaderGoesByTheHeader) {
  const Report before = reportOf({sourceWithHeader("a.cpp", true), sourceWithHeader("b.cpp", true)});
  const Baseline baseline = reread(Baseline::from(before));
  EXPECT_EQ(baseline.size(), 1U);
  Report more = reportOf({sourceWithHeader("0.cpp", true), sourceWithHeader("a.cpp", true)});
  EXPECT_EQ(more.inputs[0].findings.at(0).fingerprint, before.inputs[0].findings.at(0).fingerprint);
  EXPECT_EQ(baseline.apply(more).size(), 0U);
  EXPECT_TRUE(more.inputs[0].findings.empty());
  Report one = reportOf({sourceWithHeader("b.cpp", true)});
  EXPECT_EQ(baseline.apply(one).size(), 0U);
  EXPECT_TRUE(one.inputs[0].findings.empty());
  Report another = reportOf({sourceWithHeader("a.cpp", true)});
  another.inputs[0].findings[0].location.path = "other.h";
  finishReport(another);
  baseline.apply(another);
  EXPECT_EQ(another.inputs[0].findings.size(), 1U) << "another header is another place";
}

TEST(Baseline, WhatStandsInAHeaderIsGoneWhereItWasLookedForAlone) {
  const Baseline baseline = reread(Baseline::from(reportOf({sourceWithHeader("BaselineTest-gone.cpp", true)})));
  Report gone = reportOf({sourceWithHeader("BaselineTest-gone.cpp", false)});
  EXPECT_EQ(baseline.apply(gone).size(), 1U);
  Report renamed = reportOf({sourceWithHeader("b.cpp", false)});
  EXPECT_EQ(baseline.apply(renamed).size(), 1U) << "the source that it was found with is no more";
  Report failed = reportOf({sourceWithHeader("BaselineTest-gone.cpp", false), sourceWithHeader("b.cpp", false)});
  failed.inputs[1].status = InputStatus::Partial;
  EXPECT_EQ(baseline.apply(failed).size(), 0U) << "it may be in what was not analysed";
  Report without = reportOf({sourceWithHeader("b.cpp", false)});
  without.inputs[0].sources.clear();
  EXPECT_EQ(baseline.apply(without).size(), 0U) << "the header was not read";
}

TEST(Baseline, WhatWasNotAskedIsNotGone) {
  const Baseline baseline = reread(Baseline::from(reportOf({rankBreak("If_0", "a"), rankBreak("If_1", "b")})));
  Report r = reportOf(std::vector<Finding>{});
  BaselineUse use(baseline);
  use.apply(r.inputs[0], [](const BaselineEntry &e) { return e.rule != "output-rank" || e.system != "onnx"; });
  EXPECT_EQ(use.stale().size(), 0U);
}

TEST(Baseline, WhatIsNoneIsRefused) {
  for (const char *text :
       {"", "[]", "{}", R"({"version": 1})", R"({"version": 2, "findings": []})", R"({"version": 1, "findings": [1]})",
        R"({"version": 1, "findings": [{"fingerprint": "a"}]})",
        R"({"version": 1, "findings": [{"fingerprint": "a", "exact": []}]})"})
    EXPECT_FALSE(Baseline::parse(text, "b.json")) << text;
  EXPECT_TRUE(Baseline::parse(R"({"version": 1, "findings": []})", "b.json"));
}

TEST(ConfiguredSuppression, FitsByPatternsAndCarriesItsReason) {
  Report r = reportOf({rankBreak("If_0", "a"), rankBreak("If_1", "b"), finding("output-dtype", "onnx")}, "old/m.onnx");
  InputReport &m = r.inputs[0];
  EXPECT_EQ(suppress(m, "old/m.onnx", {"new/*", "*", "*", "why"}), std::nullopt);
  EXPECT_EQ(suppress(m, "old/m.onnx", {"old/*", "*", "loop-cycle", "why"}), 0U);
  EXPECT_EQ(suppress(m, "old/m.onnx", {"m.onnx", "main/If_1", "output-*", "the batch is 1"}), 1U);
  ASSERT_EQ(m.suppressed.size(), 1U);
  EXPECT_EQ(m.suppressed[0].suppressedBy, "configuration");
  EXPECT_EQ(m.suppressed[0].justification, "the batch is 1");
  EXPECT_EQ(m.findings.size(), 2U);
}

} // namespace
