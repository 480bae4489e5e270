//===- Annotated.cpp - Sources that say what is to be found ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include "cxx/driver/UnitReader.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

namespace condlint::test {

namespace {

namespace fs = std::filesystem;

/// Before the user's own lines; the same for all, so that it is parsed once.
constexpr const char *prologue = "#include <torch/torch.h>\n#include <condlint/cond.h>\n";
constexpr std::uint32_t prologueLines = 2;

/// A folder for this process, gone when it ends.
const fs::path &workFolder() {
  struct Folder {
    fs::path path = fs::temp_directory_path() / ("condlint-cxx-" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

/// "LINE severity rule" for each one.
using Said = std::multiset<std::string>;

std::vector<std::string> parts(const std::string &text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    out.push_back(part);
  }
  return out;
}

std::string listed(const char *what, const Said &a, const Said &b) {
  std::vector<std::string> left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
  std::string out;
  for (const std::string &s : left)
    out += std::string(what) + " line " + s + "; ";
  return out;
}

} // namespace

Checked checkSource(const std::string &source, const std::string &target, const CxxSettings &given) {
  static int count = 0;
  const fs::path file = workFolder() / ("m" + std::to_string(++count) + ".cpp");
  std::ofstream(file) << prologue << source;
  CxxSettings settings = given;
  if (!settings.flags)
    settings.flags = std::vector<std::string>{"-std=c++20"};
  for (const char *flag : {"-isystem" CONDLINT_SOURCE_DIR "/tests/mocks", "-I" CONDLINT_SOURCE_DIR "/include"})
    settings.flags->emplace_back(flag);
  settings.cacheFolder = CONDLINT_TEST_CACHE;
  settings.units = 2;
  const Expected<Target> parsed = parseTarget(target);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().str();
    return {};
  }
  settings.tracing = parsed->system == System::NnScaler;
  settings.conditionals = !settings.tracing;

  Checked out;
  out.unit = cxx::unitReader().read(file.string(), settings);
  fs::remove(file);
  std::set<std::string> paths;
  for (Model &m : out.unit.models) {
    const Analysis analysis(m);
    CheckResult result = check(analysis, *parsed, {});
    for (const ConditionalSummary &s : result.conditionals)
      paths.insert(s.path);
    out.findings.insert(out.findings.end(), result.findings.begin(), result.findings.end());
    out.summaries.insert(out.summaries.end(), result.conditionals.begin(), result.conditionals.end());
  }
  out.conditionals = paths.size();
  for (CxxRemark &error : out.unit.errors)
    error.location.line -= std::min(error.location.line, prologueLines);
  for (Finding &f : out.findings)
    f.location.line -= std::min(f.location.line, prologueLines);
  for (ConditionalSummary &s : out.summaries)
    s.location.line -= std::min(s.location.line, prologueLines);
  return out;
}

std::string Checked::verdict(std::string_view rule, std::uint32_t line) const {
  for (const ConditionalSummary &s : summaries)
    if (s.location.line == line) {
      const auto found = s.verdicts.find(rule);
      if (found == s.verdicts.end())
        return "absent";
      const auto reason = s.reasons.find(rule);
      return std::string(verdictName((*found).second)) + (reason == s.reasons.end() ? "" : ": " + reason->second);
    }
  return "no conditional";
}

std::string differences(const std::string &source, const std::string &target, const CxxSettings &settings) {
  static const std::regex expected("// expect: (.*)$"), undecided("// expect-unknown: (.*)$");
  Said wanted;
  std::set<std::pair<std::uint32_t, std::string>> unknown;
  std::istringstream lines(source);
  std::uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch hit;
    if (std::regex_search(line, hit, expected))
      for (const std::string &one : parts(hit[1], ';'))
        wanted.insert(std::to_string(number) + ' ' + one);
    if (std::regex_search(line, hit, undecided))
      for (const std::string &one : parts(hit[1], ','))
        unknown.emplace(number, one);
  }
  const Checked checked = checkSource(source, target, settings);
  std::string out;
  for (const CxxRemark &error : checked.unit.errors)
    out += "line " + std::to_string(error.location.line) + ": " + error.message + "; ";
  if (checked.unit.status == CxxStatus::Failed)
    out += checked.unit.reason;
  // Instances of a template, and a helper that is inlined twice, say one thing.
  std::set<std::string> seen;
  Said got;
  for (const Finding &f : checked.findings) {
    const std::string said =
        std::to_string(f.location.line) + ' ' + std::string(severityName(f.severity)) + ' ' + f.rule;
    const bool counts = f.severity >= Severity::Warning || wanted.contains(said);
    if (counts && seen.insert(said + ' ' + f.conditional).second)
      got.insert(said);
  }
  out += listed("missed", wanted, got) + listed("extra", got, wanted);
  for (const auto &[line, rule] : unknown)
    if (const std::string verdict = checked.verdict(rule, line); !verdict.starts_with("unknown"))
      out += "line " + std::to_string(line) + ": " + rule + " is " + verdict + "; ";
  return out;
}

} // namespace condlint::test
