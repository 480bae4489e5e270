//===- Baseline.cpp - The findings that were there before -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Baseline.h"
#include "Fingerprint.h"
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace condlint {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr std::string_view suppressedBy = "baseline";

auto keyOf(const BaselineEntry &e) { return std::tie(e.input, e.rule, e.likeness); }

std::filesystem::path here() {
  std::error_code error;
  return std::filesystem::current_path(error);
}

/// Whether the file of an entry is there, seen from the working folder; it may be one in an archive. What is read from
/// standard input, and what is no file, is never gone.
bool isThere(const std::string &input) {
  std::error_code error;
  if (input.find_first_of("/.") == std::string::npos || std::filesystem::exists(input, error))
    return true;
  for (std::filesystem::path p = std::filesystem::path(input).parent_path(); !p.empty() && p != p.parent_path();
       p = p.parent_path())
    if (std::filesystem::exists(p, error))
      return !std::filesystem::is_directory(p, error);
  return false;
}

Error broken(const std::string &path, const std::string &what) {
  return {path, {}, what, "write it again with --write-baseline"};
}

std::string textOf(const Json &json, const char *key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

void Baseline::insert(BaselineEntry entry) {
  byInput[entry.input].insert(entry.likeness);
  const auto [known, isNew] = entries.try_emplace(entry.likeness, entry);
  if (isNew)
    return;
  std::ranges::move(entry.fingerprints, std::back_inserter(known->second.fingerprints));
}

void Baseline::add(const InputReport &input) {
  const std::filesystem::path folder = here();
  const std::string own = normalisedPath(input.path, folder);
  for (const Finding &f : input.findings) {
    const std::string path = pathOf(f, input, folder);
    insert({f.likeness,
            {f.fingerprint},
            f.rule,
            path,
            f.message,
            std::string(systemOf(f.target)),
            path == own ? std::string() : own});
  }
}

void Baseline::add(const Baseline &other) {
  for (const auto &[likeness, entry] : other.entries)
    insert(entry);
}

Baseline Baseline::from(const Report &r) {
  Baseline baseline;
  for (const InputReport &input : r.inputs)
    baseline.add(input);
  return baseline;
}

bool Baseline::isOne(std::string_view text) {
  constexpr std::size_t head = 200;
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) // what was cut off says in its head what it was
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos ||
           text.substr(0, head).find("\"tool\": \"condlint ") != std::string_view::npos;
  return json.is_object() && json.contains("version") && json.contains("findings") && json["findings"].is_array() &&
         !json.contains("schemaVersion");
}

Expected<Baseline> Baseline::parse(std::string_view text, const std::string &path) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_object() && json.contains("schemaVersion"))
    return Error{path, {}, "is a report, and no baseline", "make a baseline with --write-baseline"};
  if (json.is_discarded() || !json.is_object() || !json.contains("findings") || !json["findings"].is_array())
    return broken(path, "is no baseline: expected an object with the list \"findings\"");
  if (const auto found = json.find("version"); found == json.end() || !found->is_number() || *found != version)
    return broken(path, "is a baseline of another version");
  Baseline baseline;
  for (const Json &item : json["findings"]) {
    BaselineEntry entry;
    entry.likeness = item.is_object() ? textOf(item, "fingerprint") : std::string();
    const auto exact = item.is_object() ? item.find("exact") : item.end();
    if (entry.likeness.empty() || exact == item.end() || !exact->is_array() || exact->empty())
      return broken(path, "holds a finding without \"fingerprint\" or \"exact\"");
    for (const Json &fingerprint : *exact)
      entry.fingerprints.push_back(fingerprint.is_string() ? fingerprint.get<std::string>() : std::string());
    entry.rule = textOf(item, "rule");
    entry.input = textOf(item, "input");
    entry.message = textOf(item, "message");
    entry.system = textOf(item, "system");
    entry.source = textOf(item, "source");
    baseline.insert(std::move(entry));
  }
  return baseline;
}

std::string Baseline::text() const {
  std::vector<BaselineEntry> sorted;
  for (const auto &[likeness, entry] : entries)
    sorted.push_back(entry);
  std::ranges::sort(sorted, {}, keyOf);
  Json findings = Json::array();
  for (BaselineEntry &e : sorted) {
    std::ranges::sort(e.fingerprints);
    Json item = {{"rule", e.rule}, {"input", e.input}};
    if (!e.source.empty())
      item["source"] = e.source;
    if (!e.system.empty())
      item["system"] = e.system;
    item["message"] = e.message;
    item["fingerprint"] = e.likeness;
    item["count"] = e.fingerprints.size();
    item["exact"] = e.fingerprints;
    findings.push_back(std::move(item));
  }
  const Json json = {{"version", version}, {"tool", "condlint " CONDLINT_VERSION}, {"findings", std::move(findings)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Baseline Baseline::apply(Report &r) const {
  BaselineUse use(*this);
  for (InputReport &input : r.inputs)
    use.apply(input, [](const BaselineEntry &) { return true; });
  return use.stale();
}

Baseline Baseline::without(const Baseline &stale) const {
  Baseline left;
  for (const auto &[likeness, entry] : entries) {
    BaselineEntry kept = entry;
    if (const auto gone = stale.entries.find(likeness); gone != stale.entries.end())
      std::erase_if(kept.fingerprints, [&](const std::string &f) {
        return std::ranges::find(gone->second.fingerprints, f) != gone->second.fingerprints.end();
      });
    if (!kept.fingerprints.empty())
      left.insert(std::move(kept));
  }
  return left;
}

std::size_t Baseline::size() const {
  std::size_t n = 0;
  for (const auto &[likeness, entry] : entries)
    n += entry.fingerprints.size();
  return n;
}

void BaselineUse::apply(InputReport &input, const Asked &asked) {
  know(input);
  lookFor(input, asked);
}

void BaselineUse::know(InputReport &input) {
  const auto leftOf = [&](const Finding &f) -> std::vector<std::string> & {
    const auto [entry, isNew] = left.try_emplace(f.likeness);
    if (const auto known = baseline.entries.find(f.likeness); isNew && known != baseline.entries.end())
      entry->second = known->second.fingerprints;
    return entry->second;
  };
  // Those that are the same to the letter first: what is left is compared by what it is like.
  std::vector<bool> known(input.findings.size());
  for (const bool byLetter : {true, false})
    for (std::size_t i = 0; i < input.findings.size(); ++i) {
      if (known[i])
        continue;
      std::vector<std::string> &prints = leftOf(input.findings[i]);
      const auto print = byLetter ? std::ranges::find(prints, input.findings[i].fingerprint) : prints.begin();
      if (print == prints.end())
        continue;
      prints.erase(print);
      known[i] = true;
    }
  std::vector<Finding> others;
  for (std::size_t i = 0; i < known.size(); ++i) {
    Finding &f = input.findings[i];
    if (known[i])
      f.suppressedBy = suppressedBy;
    (known[i] ? input.suppressed : others).push_back(std::move(f));
  }
  input.findings = std::move(others);
}

void BaselineUse::lookFor(const InputReport &input, const Asked &asked) {
  const bool isSource = input.kind == "cxx";
  const std::filesystem::path folder = here();
  std::vector<std::string> paths{normalisedPath(input.path, folder)};
  if (isSource && input.status == InputStatus::Ok)
    analysed.insert(paths.front());
  // What a cache kept says what the input depends on alone.
  std::vector<std::string> files = isSource ? input.sources : std::vector<std::string>();
  for (const InputDependency &d : input.dependencies)
    if (isSource && d.state == InputDependency::State::Content)
      files.push_back(d.path);
  for (const std::string &file : files)
    if (std::string path = normalisedPath(file, folder); path != paths.front())
      paths.push_back(std::move(path));
  if (input.status != InputStatus::Ok) {
    anyUnread |= isSource && files.empty();
    unclear.insert(paths.begin(), paths.end());
    return;
  }
  for (const std::string &path : paths)
    if (const auto own = baseline.byInput.find(path); own != baseline.byInput.end())
      for (const std::string &likeness : own->second)
        if (asked(baseline.entries.at(likeness)))
          lookedFor.insert(likeness);
}

/// What stands in a header may be found with some of the sources that include it alone: the one that it was found with
/// must have been analysed, or be no more, and none that could not be analysed may include the header.
bool BaselineUse::isLookedFor(const BaselineEntry &entry) const {
  if (entry.source.empty())
    return true;
  std::error_code error;
  return !anyUnread && !unclear.contains(entry.input) &&
         (analysed.contains(entry.source) || !std::filesystem::exists(entry.source, error));
}

Baseline BaselineUse::stale() const {
  Baseline stale;
  for (const std::string &likeness : lookedFor) {
    BaselineEntry gone = baseline.entries.at(likeness);
    if (const auto some = left.find(likeness); some != left.end())
      gone.fingerprints = some->second;
    if (!gone.fingerprints.empty() && isLookedFor(gone))
      stale.insert(std::move(gone));
  }
  if (isOfElsewhere())
    return stale;
  for (const auto &[input, likenesses] : baseline.byInput)
    if (!isThere(input))
      for (const std::string &likeness : likenesses)
        if (!lookedFor.contains(likeness))
          stale.insert(baseline.entries.at(likeness));
  return stale;
}

bool BaselineUse::isOfElsewhere() const {
  return !baseline.byInput.empty() &&
         std::ranges::none_of(baseline.byInput, [](const auto &own) { return isThere(own.first); });
}

} // namespace condlint
