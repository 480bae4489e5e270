//===- Sarif.cpp - The report as SARIF 2.1.0 ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OASIS' Static Analysis Results Interchange Format, as GitHub's code scanning reads it: one run,
// one result for each finding (equal ones of several targets are one). The first location is the
// user's own line where it is known, else the model file, which has no lines: then the place in its
// graph is a logical location. Within GitHub's limits: what is cut is the least severe, and a
// notification of the run says how many.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Groups.h"
#include "ReportJson.h"
#include "SafeText.h"
#include "SourceText.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <unordered_map>

namespace condlint {

namespace {

/// GitHub keeps the 5,000 most severe of at most 25,000 results, and shows 100 locations and 1,024 characters
/// of a description.
constexpr std::size_t mostResults = 5000;
constexpr std::size_t mostRelated = 100;
constexpr std::size_t longestDescription = 1024;

std::string_view levelOf(Severity s) {
  switch (s) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Off:
    break;
  }
  return "none";
}

/// "output-dtype": "OutputDtype"; empty where that would be the id again, but for its first letter.
std::string ruleName(std::string_view id) {
  if (id.find('-') == std::string_view::npos)
    return {};
  std::string name;
  bool upper = true;
  for (const char c : id) {
    if (c != '-')
      name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = c == '-';
  }
  return name;
}

/// The paragraph below `## Why`, in one line: what a list of alerts shows beneath the summary.
std::string whyOf(std::string_view page, std::string_view summary) {
  const std::size_t heading = page.find("\n## Why\n");
  if (heading == std::string_view::npos)
    return std::string(summary);
  std::string_view text = page.substr(heading + 8);
  text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
  text = text.substr(0, text.find("\n\n"));
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  if (line.size() > longestDescription) {
    line.resize(line.rfind(". ", longestDescription - 1) + 1);
    if (line.empty())
      line = summary;
  }
  return line.empty() ? std::string(summary) : line;
}

Json ruleJson(const RuleText &rule) {
  Json out = {{"id", rule.id}};
  if (std::string name = ruleName(rule.id); !name.empty())
    out["name"] = std::move(name);
  out.update(
      Json{{"shortDescription", {{"text", rule.summary}}},
           {"fullDescription", {{"text", whyOf(rule.page, rule.summary)}}},
           {"help", {{"text", rule.page}, {"markdown", rule.page}}},
           {"helpUri", fmt::format("{}/blob/v{}/checks/{}.md", CONDLINT_HOMEPAGE, CONDLINT_VERSION, rule.id)},
           {"defaultConfiguration", {{"level", levelOf(rule.severity)}}},
           {"properties",
            {{"tags", {rule.group}},
             {"precision", "very-high"},
             {"problem.severity", rule.severity == Severity::Note ? "recommendation" : levelOf(rule.severity)}}}});
  return out;
}

/// A path as a URI reference: what has a meaning there, or is no ASCII, is escaped.
std::string uriOf(const std::string &path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos)
      uri += c;
    else
      uri += fmt::format("%{:02X}", byte);
  }
  return uri;
}

/// \p text inside of a message's link: `[`, `]` and `\` have a meaning there.
std::string linkText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

/// Makes the run of one report.
class Run {
public:
  Run(const Report &r, const RenderOptions &o) : report(r), options(o), sources(o.workingFolder) {
    for (std::size_t i = 0; i < o.rules.size(); ++i)
      ruleIndex.emplace(o.rules[i].id, i);
  }

  Json json() {
    Json results = resultsJson();
    Json run = {{"tool", toolJson()},
                {"invocations", {invocationJson()}},
                {"automationDetails", {{"id", "condlint/"}}},
                {"columnKind", "utf16CodeUnits"}};
    if (!options.workingFolder.empty())
      run["originalUriBaseIds"] = {{"SRCROOT", {{"uri", uriOf(options.workingFolder) + "/"}}}};
    run["results"] = std::move(results);
    return run;
  }

private:
  struct Shown {
    const InputReport *input;
    FindingGroup group;
    bool isSuppressed;
  };

  Json toolJson() const {
    Json rules = Json::array();
    for (const RuleText &rule : options.rules)
      rules.push_back(ruleJson(rule));
    return {{"driver",
             {{"name", "condlint"},
              {"version", CONDLINT_VERSION},
              {"semanticVersion", CONDLINT_VERSION},
              {"informationUri", CONDLINT_HOMEPAGE},
              {"rules", std::move(rules)}}}};
  }

  Json artifactJson(const std::string &path) const {
    const std::string relative = relativePath(path, options.workingFolder);
    Json artifact = {{"uri", uriOf(relative)}};
    if (!relative.starts_with('/') && !options.workingFolder.empty())
      artifact["uriBaseId"] = "SRCROOT";
    return artifact;
  }

  /// \p column counts bytes, from 1; SARIF's counts UTF-16 code units here.
  std::uint32_t columnOf(const SourceLocation &l, std::uint32_t line, std::uint32_t column) {
    const auto text = sources.line(l.path, line);
    return text ? utf16Length(*text, column - 1) + 1 : column;
  }

  Json regionJson(const SourceLocation &l) {
    Json region = {{"startLine", l.line}};
    region["startColumn"] = l.column != 0 ? columnOf(l, l.line, l.column) : 1;
    const bool hasEnd = l.endLine != 0 && l.endColumn != 0 && l.column != 0;
    region["endLine"] = hasEnd ? l.endLine : l.line;
    if (hasEnd)
      region["endColumn"] = columnOf(l, l.endLine, l.endColumn);
    else if (const auto text = sources.line(l.path, l.line))
      region["endColumn"] = utf16Length(*text, text->size()) + 1;
    else
      region["endColumn"] = region["startColumn"].get<std::uint32_t>() + 1;
    return region;
  }

  /// \p input stands for a place that no source records.
  Json locationJson(const InputReport &input, const SourceLocation &l, const std::string &graphPath) {
    Json physical;
    if (l.valid())
      physical = {{"artifactLocation", artifactJson(l.path)}, {"region", regionJson(l)}};
    else
      physical = {{"artifactLocation", artifactJson(input.path)},
                  {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 2}}}};
    Json location = {{"physicalLocation", std::move(physical)}};
    if (!graphPath.empty())
      location["logicalLocations"] = {{{"fullyQualifiedName", graphPath}, {"kind", "member"}}};
    return location;
  }

  Json relatedJson(const InputReport &input, const Finding &f) {
    Json related = Json::array();
    for (const Related &r : f.related) {
      if (related.size() == mostRelated)
        break;
      Json location = locationJson(input, r.location, r.graphPath);
      location["id"] = related.size();
      location["message"] = {{"text", r.message}};
      related.push_back(std::move(location));
    }
    // Of a line in a source one must know which model was made there.
    if (f.location.valid() && f.location.path != input.path) {
      Json location = locationJson(input, {}, f.graphPath);
      location["id"] = related.size();
      location["message"] = {{"text", "the model"}};
      related.push_back(std::move(location));
    }
    return related;
  }

  /// The sentence, with a link to each place that it speaks of: GitHub shows only those that are linked.
  static std::string messageOf(const Finding &f, const Json &related) {
    std::string text = linkText(f.message);
    if (!related.empty()) {
      text += " (";
      for (std::size_t i = 0; i < related.size(); ++i)
        text += fmt::format("{}[{}]({})", i == 0 ? "" : "; ",
                            linkText(related[i]["message"]["text"].get_ref<const std::string &>()), i);
      text += ')';
    }
    if (!text.ends_with('.'))
      text += '.';
    if (!f.witness.empty()) {
      text += " For example";
      for (std::size_t i = 0; i < f.witness.size(); ++i)
        text += fmt::format("{} {} = {}", i == 0 ? "" : ",", linkText(f.witness[i].first), f.witness[i].second);
      text += '.';
    }
    if (!f.help.empty())
      text += fmt::format(" Help: {}{}", linkText(f.help), f.help.ends_with('.') ? "" : ".");
    return text;
  }

  /// How a value comes to where it must not be: from the operand over views and calls to the finding's place.
  Json codeFlowsJson(const InputReport &input, const Finding &f) {
    const auto rule = ruleIndex.find(f.rule);
    const std::string_view group = rule == ruleIndex.end() ? "" : options.rules[rule->second].group;
    const bool isFlow = group == "Effects" || group == "Closures" || f.rule == "output-alias";
    if (!isFlow || f.related.empty())
      return nullptr;
    Json steps = Json::array();
    const auto add = [&](const SourceLocation &at, const std::string &path, const std::string &message) {
      Json location = locationJson(input, at, path);
      location["message"] = {{"text", message}};
      steps.push_back({{"location", std::move(location)}});
    };
    for (const Related &r : f.related)
      if (steps.size() < mostRelated)
        add(r.location, r.graphPath, r.message);
    add(f.location, f.graphPath, f.message);
    Json flows = Json::array();
    flows.push_back({{"threadFlows", {{{"locations", std::move(steps)}}}}});
    return flows;
  }

  Json fixesJson(const Finding &f) {
    Json fixes = Json::array();
    for (const Fix &fix : f.fixes) {
      std::vector<std::pair<std::string, Json>> changes;
      for (const Edit &e : fix.edits) {
        auto known = std::ranges::find(changes, e.at.path, &std::pair<std::string, Json>::first);
        if (known == changes.end())
          known = changes.insert(changes.end(), {e.at.path, Json::array()});
        Json region = {{"startLine", e.at.line},
                       {"startColumn", columnOf(e.at, e.at.line, e.at.column)},
                       {"endLine", e.at.endLine},
                       {"endColumn", columnOf(e.at, e.at.endLine, e.at.endColumn)}};
        known->second.push_back({{"deletedRegion", std::move(region)}, {"insertedContent", {{"text", e.text}}}});
      }
      if (changes.empty())
        continue; // of a graph a fix is words, which are the message's
      Json artifactChanges = Json::array();
      for (auto &[path, replacements] : changes)
        artifactChanges.push_back(
            {{"artifactLocation", artifactJson(path)}, {"replacements", std::move(replacements)}});
      fixes.push_back({{"description", {{"text", fix.description}}}, {"artifactChanges", std::move(artifactChanges)}});
    }
    return fixes;
  }

  static Json suppressionJson(const Finding &f) {
    Json suppression = {{"kind", f.suppressedBy.empty() || f.suppressedBy == "source" ? "inSource" : "external"},
                        {"status", "accepted"}};
    if (const std::string &reason = f.justification.empty() ? f.suppressedBy : f.justification; !reason.empty())
      suppression["justification"] = reason;
    return suppression;
  }

  Json resultJson(const Shown &shown) {
    const Finding &f = *shown.group.finding;
    Json related = relatedJson(*shown.input, f);
    Json result = {{"ruleId", f.rule}};
    if (const auto rule = ruleIndex.find(f.rule); rule != ruleIndex.end())
      result["ruleIndex"] = rule->second;
    result["level"] = levelOf(shown.group.severity);
    result["message"] = {{"text", messageOf(f, related)}};
    Json location = locationJson(*shown.input, f.location, f.graphPath.empty() ? f.conditional : f.graphPath);
    Json prints = {{"condlint/v1", f.fingerprint}};
    std::string hash = f.location.valid() ? sources.lineHash(f.location.path, f.location.line) : std::string();
    // Of a model, which has no lines, the place and the break are what names the alert.
    prints["primaryLocationLineHash"] = hash.empty() ? f.fingerprint + ":1" : hash;
    result["locations"] = {std::move(location)};
    if (!related.empty())
      result["relatedLocations"] = std::move(related);
    if (Json flows = codeFlowsJson(*shown.input, f); !flows.is_null())
      result["codeFlows"] = std::move(flows);
    if (Json fixes = fixesJson(f); !fixes.empty())
      result["fixes"] = std::move(fixes);
    result["partialFingerprints"] = std::move(prints);
    if (shown.isSuppressed)
      result["suppressions"] = {suppressionJson(f)};
    Json targets = Json::array();
    for (const Finding *member : shown.group.members)
      targets.push_back(member->target);
    result["properties"] = {{"verdict", verdictName(f.verdict)}, {"targets", std::move(targets)}};
    if (!f.conditional.empty())
      result["properties"]["conditional"] = f.conditional;
    if (f.executed)
      result["properties"]["evidence"] = "dynamic";
    return result;
  }

  Json resultsJson() {
    std::vector<Shown> all;
    for (const InputReport &input : report.inputs)
      for (const bool isSuppressed : {false, true})
        for (FindingGroup &group : groupByTarget(isSuppressed ? input.suppressed : input.findings))
          all.push_back({&input, std::move(group), isSuppressed});
    if (all.size() > mostResults) {
      cut = all.size() - mostResults;
      std::vector<const Shown *> order;
      for (const Shown &shown : all)
        order.push_back(&shown);
      std::ranges::stable_sort(order, std::greater<>(),
                               [](const Shown *s) { return std::pair(!s->isSuppressed, s->group.severity); });
      order.resize(mostResults);
      std::ranges::sort(order); // as they stood
      std::vector<Shown> kept;
      for (const Shown *shown : order)
        kept.push_back(*shown);
      all = std::move(kept);
    }
    Json results = Json::array();
    for (const Shown &shown : all)
      results.push_back(resultJson(shown));
    return results;
  }

  /// Whether the run came to its end, and what it could not look at.
  Json invocationJson() const {
    Json notifications = Json::array();
    for (const InputReport &input : report.inputs) {
      if (input.status != InputStatus::Ok)
        notifications.push_back(
            {{"level", input.status == InputStatus::Failed ? "error" : "warning"},
             {"message", {{"text", fmt::format("{}: {}: {}", input.path, statusName(input.status), input.reason)}}},
             {"locations", {{{"physicalLocation", {{"artifactLocation", artifactJson(input.path)}}}}}}});
      for (const std::string &note : input.notes)
        notifications.push_back({{"level", "note"}, {"message", {{"text", fmt::format("{}: {}", input.path, note)}}}});
    }
    if (cut != 0)
      notifications.push_back(
          {{"level", "warning"},
           {"message",
            {{"text", fmt::format("{} results, the least severe, are left out: GitHub shows {} of a run. They are in "
                                  "the other formats, such as --output json.",
                                  cut, mostResults)}}}});
    Json invocation = {{"executionSuccessful", report.exitCode == 0 || report.exitCode == 1},
                       {"exitCode", report.exitCode}};
    if (!options.workingFolder.empty())
      invocation["workingDirectory"] = {{"uri", uriOf(options.workingFolder) + "/"}};
    if (!notifications.empty())
      invocation["toolExecutionNotifications"] = std::move(notifications);
    return invocation;
  }

  const Report &report;
  const RenderOptions &options;
  SourceText sources;
  std::unordered_map<std::string_view, std::size_t> ruleIndex;
  std::size_t cut = 0;
};

} // namespace

std::string formats::sarif(const Report &r, const RenderOptions &options) {
  Json runs = Json::array();
  runs.push_back(Run(r, options).json());
  const Json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
  return log.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace condlint
