//===- Networks.cpp - Code that builds networks, read and checked ------------ -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include "cxx/Reading.h"
#include "cxx/driver/ParseUnit.h"
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

namespace condlint::test {

namespace {

class Reader : public clang::ASTConsumer {
public:
  Reader(clang::Preprocessor &preprocessor, cxx::UnitReading &reading) : pp(preprocessor), out(reading) {}
  void HandleTranslationUnit(clang::ASTContext &ast) override { out = cxx::readConditionals(ast, &pp, {}); }

private:
  clang::Preprocessor &pp;
  cxx::UnitReading &out;
};

class Action : public clang::ASTFrontendAction {
public:
  explicit Action(cxx::UnitReading &reading) : out(reading) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &ci, llvm::StringRef) override {
    return std::make_unique<Reader>(ci.getPreprocessor(), out);
  }

private:
  cxx::UnitReading &out;
};

} // namespace

Finding Checked::of(std::string_view rule) const {
  for (const Finding &f : findings)
    if (f.rule == rule)
      return f;
  return {};
}

Checked checkNetwork(const std::string &code, int version, const std::string &targetName) {
  cxx::UnitReading reading;
  const std::vector<std::string> arguments{"-std=c++20",
                                           "-resource-dir",
                                           cxx::resourceFolder(),
                                           "-w",
                                           "-fsyntax-only",
                                           "-isystem",
                                           std::string(CONDLINT_SOURCE_DIR) + "/tests/mocks/tensorrt",
                                           "-DCONDLINT_MOCK_TENSORRT=" + std::to_string(version)};
  Checked out;
  out.compiled = clang::tooling::runToolOnCodeWithArgs(std::make_unique<Action>(reading), code, arguments, "net.cc",
                                                       "condlint-test");
  for (const cxx::NotUnderstood &part : reading.notUnderstood)
    out.notUnderstood.push_back(part.reason);
  for (Model &model : reading.models) {
    if (model.info.dialect != Dialect::TensorRT)
      continue;
    out.version = model.info.version;
    out.functions = model.functionCount();
    Target target = defaultTarget(model);
    if (!targetName.empty())
      if (const auto given = parseTarget(targetName))
        target = *given;
    ModelResult found = check(model, std::vector<Target>{target}, {});
    CheckResult &result = found.targets.front().result;
    out.findings = std::move(result.findings);
    out.conditionals = std::move(result.conditionals);
    out.conditionals.insert(out.conditionals.end(), result.loops.begin(), result.loops.end());
  }
  return out;
}

std::string differences(const std::string &code, int version) {
  static const std::regex expectation(R"(//\s*expect(?:@([+-]\d+))?:\s*(.+?)\s*$)");
  static const std::regex verdicts(R"(//\s*expect-(unknown|open|proved)(?:@([+-]\d+))?:\s*(.+?)\s*$)");
  std::map<std::string, int> left;
  std::set<std::tuple<unsigned, std::string, std::string>> judged;
  std::istringstream lines(code);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    const auto at = [&] { return number + (match[1].matched ? std::stoi(match[1]) : 0); };
    if (std::regex_search(line, match, expectation)) {
      std::istringstream parts(match[2].str());
      for (std::string part; std::getline(parts, part, ';');) {
        std::istringstream words(part);
        std::string severity, rule;
        words >> severity >> rule;
        ++left[std::to_string(at()) + ": " + severity + ' ' + rule];
      }
    }
    if (std::regex_search(line, match, verdicts)) {
      const int where = number + (match[2].matched ? std::stoi(match[2]) : 0);
      std::istringstream rules(match[3].str());
      for (std::string rule; std::getline(rules, rule, ',');)
        judged.emplace(static_cast<unsigned>(where), rule.substr(rule.find_first_not_of(' ')), match[1].str());
    }
  }
  const Checked checked = checkNetwork(code, version);
  std::string out;
  if (!checked.compiled)
    out += "does not compile\n";
  for (const Finding &f : checked.findings) {
    const std::string key =
        std::to_string(f.location.line) + ": " + std::string(severityName(f.severity)) + ' ' + f.rule;
    if (f.severity >= Severity::Warning || left.contains(key))
      --left[key];
  }
  for (const auto &[key, count] : left)
    if (count != 0)
      out += (count > 0 ? "missed " : "extra ") + key + '\n';
  const auto fits = [](Verdict v, const std::string &wanted) {
    return v == Verdict::Unknown ? wanted != "proved"
                                 : wanted == (v == Verdict::Proved     ? "proved"
                                              : v == Verdict::Possible ? "open"
                                                                       : "");
  };
  for (const auto &[at, rule, wanted] : judged) {
    bool found = false;
    for (const ConditionalSummary &s : checked.conditionals)
      for (const auto &[id, verdict] : s.verdicts)
        found = found || (s.location.line == at && id == rule && fits(verdict, wanted));
    if (!found)
      out += std::to_string(at) + ": " + rule + " should be " + wanted + '\n';
  }
  if (!out.empty())
    for (const Finding &f : checked.findings)
      out += "  " + std::to_string(f.location.line) + ": " + f.message + " [" + f.rule + "]\n";
  return out;
}

std::string networks(const std::string &functions) {
  return "#include <NvInfer.h>\nusing namespace nvinfer1;\n" + functions;
}

void expectNone(const std::string &functions, int version) { EXPECT_EQ(differences(networks(functions), version), ""); }

std::string differencesOfFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const std::string code = text.str();
  std::smatch match;
  static const std::regex target(R"(target=tensorrt@(\d+)\.(\d+))");
  const std::string first = code.substr(0, code.find('\n'));
  if (!std::regex_search(first, match, target))
    return "no target in the first line";
  return differences(code, 100 * std::stoi(match[1]) + std::stoi(match[2]));
}

} // namespace condlint::test
