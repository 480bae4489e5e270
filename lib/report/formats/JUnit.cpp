//===- JUnit.cpp - The report as JUnit's XML ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Jenkins, GitLab and Azure show as tests: a suite an input, a case a target. A case fails where a
// finding fails the run, and is skipped, with the reasons, where some rule is not decided. In the terms of
// the schema that Jenkins' plug-in publishes (junit-10.xsd).
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "HtmlText.h"
#include "SafeText.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// \p text as XML: of control characters it admits three.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : soundUtf8(text))
    if (const std::string_view entity = entityOf(c); !entity.empty())
      out += entity;
    else if (c == '\n')
      out += "&#10;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t')
      out += c;
  return out;
}

std::string lineOf(const InputReport &input, const Finding &f) {
  std::string place = f.location.valid() ? f.location.str() : input.path;
  if (!f.graphPath.empty())
    place += ": " + f.graphPath;
  std::string line = fmt::format("{}: {}: {} [{}]", place, severityName(f.severity), f.message, f.rule);
  for (const Related &r : f.related)
    line += fmt::format("\n    {}: {}", r.location.valid() ? r.location.str() : r.graphPath, r.message);
  if (!f.help.empty())
    line += "\n    help: " + f.help;
  return line;
}

struct Case {
  std::string name;
  std::vector<std::string> failures, remarks, open;
  std::string firstMessage, firstRule;
};

Case caseOf(const InputReport &input, const std::string &target) {
  Case c;
  c.name = target.empty() ? "condlint" : target;
  for (const Finding &f : input.findings) {
    if (f.target != target)
      continue;
    if (input.failOn == Severity::Off || f.severity < input.failOn) {
      c.remarks.push_back(lineOf(input, f));
      continue;
    }
    if (c.failures.empty()) {
      c.firstMessage = f.message;
      c.firstRule = f.rule;
    }
    c.failures.push_back(lineOf(input, f));
  }
  for (const ConditionalSummary &s : input.summaries)
    if (s.target == target)
      for (const auto &[rule, verdict] : s.verdicts)
        if (verdict == Verdict::Unknown) {
          const auto reason = s.reasons.find(rule);
          c.open.push_back(fmt::format("{}: {} is not decided{}{}", s.path, rule, reason == s.reasons.end() ? "" : ": ",
                                       reason == s.reasons.end() ? std::string() : reason->second));
        }
  return c;
}

std::string joined(const std::vector<std::string> &lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}")", tests, failures, errors, skipped);
  }
};

std::string caseXml(const InputReport &input, const Case &c, Counts &counts) {
  ++counts.tests;
  std::string out = fmt::format("  <testcase classname=\"{}\" name=\"{}\"", xml(input.path), xml(c.name));
  std::string inside;
  if (!c.failures.empty()) {
    ++counts.failures;
    inside = fmt::format("   <failure type=\"{}\" message=\"{}\">{}</failure>\n", xml(c.firstRule), xml(c.firstMessage),
                         xml(joined(c.failures)));
  } else if (!c.open.empty()) {
    ++counts.skipped;
    inside = fmt::format("   <skipped message=\"{}\"/>\n", xml(joined(c.open)));
  }
  if (!c.remarks.empty())
    inside += fmt::format("   <system-out>{}</system-out>\n", xml(joined(c.remarks)));
  return out + (inside.empty() ? "/>\n" : ">\n" + inside + "  </testcase>\n");
}

std::string suiteXml(const InputReport &input, Counts &total) {
  Counts counts;
  std::string cases;
  const bool isFailure = input.status == InputStatus::Failed || input.status == InputStatus::Partial;
  if (isFailure || input.status == InputStatus::Skipped) {
    ++counts.tests;
    ++(isFailure ? counts.errors : counts.skipped);
    cases += fmt::format("  <testcase classname=\"{}\" name=\"analysis\">\n   <{} message=\"{}\"/>\n  </testcase>\n",
                         xml(input.path), isFailure ? "error" : "skipped", xml(input.reason));
  }
  std::vector<std::string> targets;
  if (input.status == InputStatus::Ok || input.status == InputStatus::Partial)
    targets = input.targets;
  for (const Finding &f : input.findings) // of what concerns no target in particular
    if (std::ranges::find(targets, f.target) == targets.end())
      targets.push_back(f.target);
  for (const std::string &target : targets)
    cases += caseXml(input, caseOf(input, target), counts);
  total.tests += counts.tests;
  total.failures += counts.failures;
  total.errors += counts.errors;
  total.skipped += counts.skipped;
  return fmt::format(" <testsuite name=\"{}\" {}>\n{} </testsuite>\n", xml(input.path), counts.attributes(), cases);
}

} // namespace

std::string formats::junit(const Report &r, const RenderOptions & /*options*/) {
  Counts total;
  std::string suites;
  for (const InputReport &input : r.inputs)
    suites += suiteXml(input, total);
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"condlint\" tests=\"{}\" "
                     "failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
                     total.tests, total.failures, total.errors, suites);
}

} // namespace condlint
