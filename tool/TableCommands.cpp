//===- TableCommands.cpp - condlint explain, rules, targets ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "CxxModule.h"
#include "ExitCode.h"
#include "condlint/Executor.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include "config/UnknownWord.h"
#include "ops/OpenBlas.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

using Json = nlohmann::ordered_json;

std::string spell(const Json &json) { return json.dump(2) + "\n"; }
int print(const std::string &text) { return writeStandardOutput(text) ? Clean : Usage; }

std::string versionOf(Version v) { return fmt::format("{}.{}", v.major, v.minor); }

/// The system at the newest version that condlint knows.
Target newestOf(const SystemInfo &info) { return {info.system, info.newest, info.newest != Version()}; }

Json ruleJson(const RuleInfo &rule) {
  Json severity = Json::object();
  for (const SystemInfo &info : systems())
    severity[std::string(info.name)] = severityName(rule.severity(newestOf(info)));
  Json rows = Json::array();
  for (const RuleInfo::Row &row : rule.rows)
    rows.push_back({{"variant", row.variant.empty() ? Json(nullptr) : Json(row.variant)},
                    {"system", systemName(row.system)},
                    {"from", row.from == Version() ? Json(nullptr) : Json(versionOf(row.from))},
                    {"to", row.to == Version() ? Json(nullptr) : Json(versionOf(row.to))},
                    {"severity", severityName(row.severity)}});
  Json readers = Json::array();
  for (const FrontEnd reader : rule.source)
    readers.push_back(frontEndName(reader));
  return {{"id", rule.id},          {"group", rule.group},          {"summary", rule.summary},
          {"graph", rule.graph},    {"source", std::move(readers)}, {"severity", std::move(severity)},
          {"rows", std::move(rows)}};
}

char letterOf(Severity s) {
  switch (s) {
  case Severity::Error:
    return 'E';
  case Severity::Warning:
    return 'W';
  case Severity::Note:
    return 'N';
  case Severity::Off:
    break;
  }
  return '-';
}

/// The inputs on which a rule is decided, as the last section of its page.
std::string whereDecided(const RuleInfo &rule) {
  constexpr std::pair<FrontEnd, std::string_view> sources[] = {
      {FrontEnd::Torch, "C++ with libtorch: branches of cond-like functions"},
      {FrontEnd::TensorRT, "C++ that builds TensorRT networks"},
      {FrontEnd::Tracing, "C++ modules that are traced (`--target nnscaler`)"}};
  std::string out = "\n## Where it is decided\n\n";
  if (rule.graph)
    out += "- models: `.pt2`, `.onnx`, graph `.json`\n";
  for (const auto &[reader, what] : sources)
    if (std::ranges::find(rule.source, reader) != rule.source.end())
      out += fmt::format("- {}\n", what);
  return out;
}

} // namespace

Expected<std::string> explainRule(const std::string &id, OutputFormat format) {
  const RuleInfo *rule = findRule(id);
  if (rule == nullptr)
    return Error{"", "", unknownRule(id), ""};
  std::string page(rulePage(id));
  if (!page.ends_with('\n'))
    page += '\n';
  page += whereDecided(*rule);
  if (format == OutputFormat::Text)
    return page;
  Json json = ruleJson(*rule);
  json["page"] = page;
  return spell(json);
}

int runExplain(const std::string &id, OutputFormat format) {
  const Expected<std::string> page = explainRule(id, format);
  if (page)
    return print(*page);
  complain(page.error().str());
  return Usage;
}

std::string listRules(OutputFormat format) {
  if (format == OutputFormat::Json) {
    Json list = Json::array();
    for (const RuleInfo &rule : rules())
      list.push_back(ruleJson(rule));
    return spell({{"schemaVersion", "1.0"}, {"rules", std::move(list)}});
  }
  std::size_t width = 4;
  for (const RuleInfo &rule : rules())
    width = std::max(width, rule.id.size());
  std::string out = fmt::format("{:{}}", "RULE", width);
  for (const SystemInfo &info : systems())
    out += fmt::format("  {}", info.name);
  out += "  WHAT MUST HOLD\n";
  std::string group;
  for (const RuleInfo &rule : rules()) {
    if (rule.group != group)
      out += fmt::format("\n{}\n", group = rule.group);
    out += fmt::format("{:{}}", rule.id, width);
    for (const SystemInfo &info : systems())
      out += fmt::format("  {:^{}}", letterOf(rule.severity(newestOf(info))), info.name.size());
    out += fmt::format("  {}\n", rule.summary);
  }
  out += "\nE error, W warning, N note, - allowed or cannot occur; at the newest version of each system.\n"
         "condlint explain RULE says more.\n";
  return out;
}

std::string listTargets(OutputFormat format) {
  if (format == OutputFormat::Json) {
    Json list = Json::array();
    for (const SystemInfo &info : systems())
      list.push_back({{"name", info.name},
                      {"newest", info.newest == Version() ? Json(nullptr) : Json(versionOf(info.newest))},
                      {"summary", info.summary},
                      {"versions", info.versions}});
    return spell({{"schemaVersion", "1.0"}, {"targets", std::move(list)}});
  }
  std::size_t width = 0;
  for (const SystemInfo &info : systems())
    width = std::max(width, newestOf(info).str().size());
  std::string out;
  for (const SystemInfo &info : systems())
    out += fmt::format("{:{}}  {}\n{:{}}  {}\n", newestOf(info).str(), width, info.summary, "", width, info.versions);
  return out;
}

int runRules(OutputFormat format) { return print(listRules(format)); }
int runTargets(OutputFormat format) { return print(listTargets(format)); }

int runTidyPlugin() {
  const std::string path = ownModule("condlint-tidy.so");
  if (!path.empty())
    return print(path + '\n');
  complain(CONDLINT_WITH_CXX != 0
               ? "condlint-tidy.so, which holds the checks of clang-tidy, is not where this program was "
                 "built or installed; build all, or install condlint again"
               : "this condlint is built without C++ support, and so without checks of clang-tidy");
  return Unanalysed;
}

std::string versionText() {
  Expected<CxxReader *> reader = cxxReader();
  std::string out = fmt::format("condlint {}\nLLVM: {}\ntargets:", CONDLINT_VERSION,
                                reader ? (*reader)->llvmVersion() : "none (" + reader.error().str() + ")");
  for (const SystemInfo &info : systems())
    out += " " + newestOf(info).str();
  const std::string products = openBlasVersion();
  return fmt::format("{}\ndevices: {}\nOpenBLAS: {}", out, fmt::join(executorDevices(), " "),
                     products.empty() ? "none" : products);
}

} // namespace condlint
