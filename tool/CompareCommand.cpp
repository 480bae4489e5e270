//===- CompareCommand.cpp - condlint compare ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompareCommand.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "report/SafeText.h"
#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

std::string textOf(const Comparison &c, const CompareArguments &a) {
  std::string out;
  for (const Change &change : c.changes) {
    if (a.quiet && change.severity < Severity::Warning)
      continue;
    std::string place = change.before.empty() ? a.after : a.before + ": " + change.before;
    if (!change.after.empty() && (change.before.empty() || change.after != change.before))
      place += (change.before.empty() ? ": " : " -> ") + change.after;
    out += safeText(fmt::format("{}: {}: {} [{}]", place, severityName(change.severity), change.message, change.kind)) +
           '\n';
  }
  if (a.quiet)
    return out;
  const auto count = [&](Severity s) { return std::ranges::count(c.changes, s, &Change::severity); };
  out += fmt::format("{} conditional{} before, {} after, {} the same: {} error{}, {} warning{}, {} note{}\n", c.before,
                     c.before == 1 ? "" : "s", c.after, c.pairs.size(), count(Severity::Error),
                     count(Severity::Error) == 1 ? "" : "s", count(Severity::Warning),
                     count(Severity::Warning) == 1 ? "" : "s", count(Severity::Note),
                     count(Severity::Note) == 1 ? "" : "s");
  if (c.hasRun)
    out += fmt::format("both ran on {} draw{} of inputs\n", c.draws, c.draws == 1 ? "" : "s");
  for (const std::string &branch : c.forced)
    out += safeText(fmt::format("no draw came to {}, which both took whatever its predicate says", branch)) + '\n';
  if (!c.notRun.empty())
    out += safeText("not all of it was run: " + c.notRun) + '\n';
  return out;
}

std::string jsonOf(const Comparison &c, const CompareArguments &a, int code) {
  using Json = nlohmann::ordered_json;
  const auto orNull = [](const std::string &s) { return s.empty() ? Json(nullptr) : Json(s); };
  Json pairs = Json::array(), changes = Json::array();
  for (const auto &[before, after] : c.pairs)
    pairs.push_back({{"before", before}, {"after", after}});
  for (const Change &change : c.changes)
    changes.push_back({{"kind", change.kind},
                       {"severity", severityName(change.severity)},
                       {"before", orNull(change.before)},
                       {"after", orNull(change.after)},
                       {"message", change.message}});
  const Json out = {{"schemaVersion", "1.0"},
                    {"tool", {{"name", "condlint"}, {"version", CONDLINT_VERSION}}},
                    {"exitCode", code},
                    {"before", {{"path", a.before}, {"conditionals", c.before}}},
                    {"after", {{"path", a.after}, {"conditionals", c.after}}},
                    {"pairs", std::move(pairs)},
                    {"changes", std::move(changes)},
                    {"run", a.comparison.run
                                ? Json({{"draws", c.draws}, {"forced", c.forced}, {"notRun", orNull(c.notRun)}})
                                : Json(nullptr)}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// The one model in the file \p path.
Expected<Model> modelIn(const std::string &path) {
  Expected<std::vector<Model>> models = readInput(path);
  if (!models)
    return models.error();
  if (models->size() != 1)
    return Error{path, "", fmt::format("holds {} models, and one can be compared", models->size()), ""};
  return std::move(models->front());
}

int codeOf(const Comparison &c, const CompareArguments &a) {
  if (a.failOn != Severity::Off &&
      std::ranges::any_of(c.changes, [&](const Change &change) { return change.severity >= a.failOn; }))
    return Findings;
  return a.comparison.run && c.draws == 0 ? Unanalysed : Clean;
}

} // namespace

int runCompare(const CompareArguments &arguments) {
  try {
    Expected<Model> before = modelIn(arguments.before), after = modelIn(arguments.after);
    for (const Expected<Model> *model : {&before, &after})
      if (!*model) {
        complain(model->error().str());
        return Unanalysed;
      }
    const Comparison c = compareModels(*before, *after, arguments.comparison);
    const int code = codeOf(c, arguments);
    const std::string text = arguments.format == OutputFormat::Json ? jsonOf(c, arguments, code) : textOf(c, arguments);
    return writeStandardOutput(text) ? code : Usage;
  } catch (const std::bad_alloc &) {
    complain(arguments.after + ": there is not enough memory to compare it");
    return Unanalysed;
  }
}

} // namespace condlint
