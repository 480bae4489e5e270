//===- SuppressionTest.cpp - Comments that suppress findings ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Which findings a comment in the source silences.
#include "report/Suppression.h"
#include "ReportSamples.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace condlint::test {
namespace {

/// A source of which \p text are the lines; what is left of an `output-dtype` on each line, as the lines' numbers.
std::string leftOf(const std::vector<std::string> &text, const std::string &rule = "output-dtype",
                   std::vector<std::string> *said = nullptr) {
  const auto path =
      std::filesystem::temp_directory_path() / ("condlint-suppression-" + std::to_string(getpid()) + ".cc");
  InputReport report = input(path.string());
  report.kind = "cxx";
  {
    std::ofstream file(path);
    for (const std::string &line : text) {
      file << line << '\n';
      report.findings.push_back(finding(rule, "torch@2.13"));
      report.findings.back().location.path = path.string();
      report.findings.back().location.line = static_cast<std::uint32_t>(report.findings.size());
    }
  }
  std::vector<std::string> idle = suppressMarked(report);
  if (said != nullptr)
    for (const std::string &note : idle)
      said->push_back(note.substr(path.string().size()));
  EXPECT_EQ(report.findings.size() + report.suppressed.size(), text.size());
  std::filesystem::remove(path);
  std::string left;
  for (const Finding &f : report.findings)
    left += (left.empty() ? "" : " ") + std::to_string(f.location.line);
  return left;
}

TEST(Suppression, TheLineTheNextLineAndBlocks) {
  EXPECT_EQ(leftOf({"a", "b // NOLINT", "c", "d"}), "1 3 4");
  EXPECT_EQ(leftOf({"a", "// NOLINTNEXTLINE", "c", "d"}), "1 2 4");
  EXPECT_EQ(leftOf({"a", "/* NOLINTBEGIN */", "c", "// NOLINTEND", "e"}), "1 5");
}

TEST(Suppression, AListNamesTheChecks) {
  EXPECT_EQ(leftOf({"// NOLINT(condlint-output-dtype)", "// NOLINT(condlint-output-rank)", "// NOLINT(output-dtype)",
                    "// NOLINT(bugprone-*, condlint-*)", "// NOLINT(condlint-*, -condlint-output-dtype)", "// NOLINT()",
                    "// NOLINT(*)"}),
            "2 3 6");
}

TEST(Suppression, OtherWordsSilenceNothing) {
  EXPECT_EQ(leftOf({"// NOLINTS", "// NO LINT", "// nolint", "// NOLINTNEXTLINES", "x"}), "1 2 3 4 5");
}

TEST(Suppression, ABlockEndsWithItsOwnList) {
  EXPECT_EQ(leftOf({"// NOLINTBEGIN(condlint-output-dtype)", "b", "// NOLINTEND", "d"}), "1 2 3 4");
  EXPECT_EQ(leftOf({"// NOLINTBEGIN(condlint-*)", "// NOLINTBEGIN", "// NOLINTEND", "// NOLINTEND(condlint-*)", "e"}),
            "5");
}

TEST(Suppression, AllowNamesRulesAndGivesAReason) {
  EXPECT_EQ(leftOf({"a // condlint: allow(output-dtype) the engine casts", "// condlint: allow(output-*) all of them",
                    "c", "d // condlint: allow(output-dtype)", "e // condlint: allow(output-rank) another",
                    "f // condlint:allow( output-rank , condlint-output-dtype )  both",
                    "g condlint: allow(output-dtype) no"}),
            "2 4 5 7");
}

TEST(Suppression, WhatSilencesNothingIsTold) {
  std::vector<std::string> said;
  leftOf({"a // NOLINT(condlint-output-rank)", "b // NOLINT(bugprone-*)", "c // NOLINT",
          "d // NOLINT(condlint-output-dtype)", "e // condlint: allow(output-rank) never",
          "f // condlint: allow(output-dtype)", "// NOLINTBEGIN(condlint-closure-*)", "h",
          "// NOLINTEND(condlint-closure-*)", "i // NOLINT(condlint-output-rank, misc-*)"},
         "output-dtype", &said);
  EXPECT_EQ(said, (std::vector<std::string>{":1: NOLINT(condlint-output-rank) suppresses nothing: remove it",
                                            ":5: allow(output-rank) suppresses nothing: remove it",
                                            ":6: allow(output-dtype) gives no reason behind it, and is passed over",
                                            ":7: NOLINTBEGIN(condlint-closure-*) suppresses nothing: remove it"}));
}

TEST(Suppression, WhatHasNoSourceStays) {
  InputReport report = input("model.onnx");
  report.findings.push_back(finding("output-dtype", "onnx"));
  report.findings.push_back(finding("output-dtype", "onnx"));
  report.findings.back().location.path = "no/such/file.cc";
  report.findings.back().location.line = 3;
  suppressMarked(report);
  EXPECT_EQ(report.findings.size(), 2u);
}

} // namespace
} // namespace condlint::test
