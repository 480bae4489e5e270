//===- Config.cpp - .condlint.json ----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Config.h"
#include "OperatorWords.h"
#include "RuleWords.h"
#include "UnknownWord.h"
#include "condlint/Reader.h"
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// Reads one configuration; the first problem stops it.
class ConfigReader {
public:
  explicit ConfigReader(const std::string &path) { config.path = path; }

  Expected<Config> read(std::string_view text) {
    // Comments are welcome: a configuration is written by hand.
    Json json;
    try {
      json = Json::parse(text, nullptr, true, true);
    } catch (const Json::parse_error &e) {
      std::string_view what = e.what(); // "[json.exception.…] parse error at line 1, column 2: …"
      return fail("", "is not valid JSON: " + std::string(what.substr(what.find("] ") + 2)));
    }
    if (!json.is_object())
      return fail("", "must hold one JSON object");
    for (const auto &[key, value] : json.items())
      if (!readKey(key, value))
        return problem;
    return std::move(config);
  }

private:
  bool readKey(const std::string &key, const Json &value) {
    if (key == "target")
      return readTargets(value);
    if (key == "failOn")
      return readFailOn(value);
    if (key == "select")
      return readRules(key, value, config.select);
    if (key == "ignore")
      return readRules(key, value, config.ignore);
    if (key == "severity")
      return readSeverities(value);
    if (key == "condFunctions")
      return readCondFunctions(value);
    if (key == "operators") {
      const auto wrong = readOperators(value, config.operators);
      return !wrong || bad(wrong->place, wrong->message);
    }
    if (key == "suppress")
      return readSuppressions(value);
    return bad(key, unknownWord("key", key, configKeys()));
  }

  /// A string, or a list of strings.
  bool readStrings(const std::string &key, const Json &value, std::vector<std::string> &out) {
    if (value.is_string()) {
      out = {value.get<std::string>()};
      return true;
    }
    if (!value.is_array())
      return bad(key, "must be a string or a list of strings");
    for (const Json &item : value) {
      if (!item.is_string())
        return bad(key, "must be a string or a list of strings");
      out.push_back(item.get<std::string>());
    }
    return true;
  }

  bool readTargets(const Json &value) {
    std::vector<std::string> names;
    if (!readStrings("target", value, names))
      return false;
    std::vector<Target> targets;
    for (const std::string &name : names) {
      Expected<Target> target = parseTarget(name);
      if (!target)
        return bad("target", target.error().str());
      targets.push_back(*target);
    }
    config.targets = std::move(targets);
    return true;
  }

  bool readFailOn(const Json &value) {
    if (!value.is_string())
      return bad("failOn", "must be \"error\", \"warning\", \"note\" or \"never\"");
    Expected<Severity> severity = parseFailOn(value.get<std::string>());
    if (!severity)
      return bad("failOn", severity.error().message);
    config.failOn = *severity;
    return true;
  }

  bool readRules(const std::string &key, const Json &value, std::optional<RuleSet> &out) {
    std::vector<std::string> names;
    if (!readStrings(key, value, names))
      return false;
    out.emplace();
    for (const std::string &name : names)
      if (const std::optional<std::string> wrong = addRules(name, *out))
        return bad(key, *wrong);
    return true;
  }

  bool readSeverities(const Json &value) {
    if (!value.is_object())
      return bad("severity", "must be an object of rules, such as {\"output-rank\": \"error\"}");
    for (const auto &[rule, level] : value.items()) {
      if (findRule(rule) == nullptr)
        return bad("severity", unknownRule(rule));
      std::optional<Severity> severity =
          level.is_string() ? severityByName(level.get<std::string>()) : std::optional<Severity>();
      if (!severity)
        return bad("severity." + rule, unknownWord("severity", level.is_string() ? level.get<std::string>() : "?",
                                                   {"error", "warning", "note", "off"}));
      config.severity[rule] = *severity;
    }
    return true;
  }

  bool readSuppressions(const Json &value) {
    if (!value.is_array())
      return bad("suppress", "must be a list of objects such as {\"input\": \"old/*.onnx\", \"rule\": \"output-rank\", "
                             "\"reason\": \"the batch is always 1\"}");
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string at = "suppress[" + std::to_string(i) + "]";
      if (!value[i].is_object())
        return bad(at, "must be an object");
      SuppressionRule rule;
      for (const auto &[key, text] : value[i].items()) {
        std::string *into = key == "input"         ? &rule.input
                            : key == "conditional" ? &rule.conditional
                            : key == "rule"        ? &rule.rule
                            : key == "reason"      ? &rule.reason
                                                   : nullptr;
        if (into == nullptr)
          return bad(at, unknownWord("key", key, {"input", "conditional", "rule", "reason"}));
        if (!text.is_string() || text.get_ref<const std::string &>().empty())
          return bad(at + '.' + key, "must be a string that is not empty");
        *into = text.get<std::string>();
      }
      RuleSet named;
      if (const std::optional<std::string> wrong = addRules(rule.rule, named))
        return bad(at + ".rule", *wrong);
      if (rule.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        return bad(at, "must say why: \"reason\" is missing");
      config.suppress.push_back(std::move(rule));
    }
    return true;
  }

  bool readCondFunctions(const Json &value) {
    if (!value.is_object())
      return bad("condFunctions", "must be an object of function names");
    for (const auto &[name, positions] : value.items()) {
      std::string at = "condFunctions." + name;
      if (!positions.is_object())
        return bad(at, "must be an object such as {\"predicate\": 0, \"true\": 1, \"false\": 2, \"operands\": 3}");
      CondFunction function;
      function.name = name;
      for (const auto &[key, position] : positions.items())
        if (!readPosition(at, key, position, function))
          return false;
      for (const char *needed : {"predicate", "true", "false"})
        if (!positions.contains(needed))
          return bad(at, std::string("must say at which position the argument \"") + needed + "\" stands");
      config.condFunctions.push_back(std::move(function));
    }
    return true;
  }

  bool readPosition(const std::string &at, const std::string &key, const Json &value, CondFunction &function) {
    bool isOperands = key == "operands";
    if (!isOperands && key != "predicate" && key != "true" && key != "false")
      return bad(at, unknownWord("key", key, {"predicate", "true", "false", "operands"}));
    if (isOperands && (value.is_null() || value == "rest")) {
      function.operandsAreTheRest = !value.is_null();
      return true;
    }
    constexpr unsigned mostArguments = 255;
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > mostArguments)
      return bad(at + '.' + key,
                 isOperands ? "must be a position from 0, \"rest\" or null" : "must be a position from 0");
    auto position = value.get<unsigned>();
    if (isOperands)
      function.operands = position;
    else
      (key == "predicate" ? function.predicate : key == "true" ? function.trueBranch : function.falseBranch) = position;
    return true;
  }

  Error fail(const std::string &place, const std::string &message) const { return {config.path, place, message, ""}; }

  bool bad(const std::string &place, const std::string &message) {
    problem = fail(place, message);
    return false;
  }

  Config config;
  Error problem;
};

} // namespace

std::span<const std::string_view> configKeys() {
  static constexpr std::array<std::string_view, 8> keys{"target",   "failOn",        "select",    "ignore",
                                                        "severity", "condFunctions", "operators", "suppress"};
  return keys;
}

RuleOptions Config::rules() const {
  RuleOptions options;
  options.select = select.value_or(RuleSet());
  options.ignore = ignore.value_or(RuleSet());
  options.severity = severity;
  return options;
}

Config Config::with(const Config &nearer) const {
  Config both = *this;
  if (nearer.targets)
    both.targets = nearer.targets;
  if (nearer.failOn)
    both.failOn = nearer.failOn;
  if (nearer.select) {
    both.select = nearer.select;
    if (both.ignore)
      for (const std::string &id : *nearer.select)
        both.ignore->erase(id);
  }
  if (nearer.ignore)
    both.ignore = nearer.ignore;
  for (const auto &[rule, level] : nearer.severity)
    both.severity[rule] = level;
  both.suppress.insert(both.suppress.end(), nearer.suppress.begin(), nearer.suppress.end());
  for (const auto &[name, said] : nearer.operators)
    both.operators[name] = said;
  both.condFunctions.insert(both.condFunctions.begin(), nearer.condFunctions.begin(), nearer.condFunctions.end());
  return both;
}

Expected<Config> parseConfig(std::string_view text, const std::string &path) { return ConfigReader(path).read(text); }

Expected<Severity> parseFailOn(std::string_view text) {
  if (text == "never")
    return Severity::Off;
  std::optional<Severity> severity = severityByName(text);
  if (!severity || *severity == Severity::Off)
    return Error{"", "", unknownWord("severity", text, {"error", "warning", "note", "never"}), ""};
  return *severity;
}

Expected<std::shared_ptr<const Config>> ConfigFinder::load(const std::string &path) {
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(path);
  if (!bytes)
    return bytes.error();
  Expected<Config> config = parseConfig((*bytes)->view(), path);
  if (!config)
    return config.error();
  return std::make_shared<const Config>(std::move(*config));
}

Expected<std::shared_ptr<const Config>> ConfigFinder::forInput(const std::string &input) {
  // A folder of models is asked for once, as the user spelled it.
  const std::string spelled = input.substr(0, input.rfind('/') + 1);
  if (const auto known = bySpelling.find(spelled); known != bySpelling.end())
    return known->second;
  Expected<std::shared_ptr<const Config>> found = searchFrom(input);
  if (found)
    bySpelling.emplace(spelled, *found);
  return found;
}

Expected<std::shared_ptr<const Config>> ConfigFinder::searchFrom(const std::string &input) {
  std::error_code error;
  fs::path folder = fs::absolute(input, error).lexically_normal().parent_path();
  std::vector<std::string> passed;
  std::shared_ptr<const Config> found;
  while (!error && !folder.empty()) {
    auto known = byFolder.find(folder.string());
    if (known != byFolder.end()) {
      found = known->second;
      break;
    }
    passed.push_back(folder.string());
    fs::path candidate = folder / Config::fileName;
    if (fs::exists(candidate, error)) {
      Expected<std::shared_ptr<const Config>> loaded = load(candidate.string());
      if (!loaded)
        return loaded.error();
      found = *loaded;
      break;
    }
    error.clear(); // a folder that may not be looked into has no configuration for us
    if (folder == folder.root_path())
      break;
    folder = folder.parent_path();
  }
  for (std::string &each : passed)
    byFolder.emplace(std::move(each), found);
  return found;
}

} // namespace condlint
