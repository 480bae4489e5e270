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
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace condlint {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr std::string_view suppressedBy = "baseline";

auto keyOf(const BaselineEntry &e) { return std::tie(e.input, e.rule, e.likeness); }

/// As fingerprints name it.
std::string pathOf(const InputReport &input) {
  std::error_code error;
  return normalisedPath(input.path, std::filesystem::current_path(error));
}

Error broken(const std::string &path, const std::string &what) {
  return {path, {}, what, "write it again with --write-baseline"};
}

std::string textOf(const Json &json, const char *key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

Baseline Baseline::of(const Report &r) {
  std::map<std::string, BaselineEntry> byLikeness;
  for (const InputReport &input : r.inputs)
    for (const Finding &f : input.findings) {
      BaselineEntry &entry = byLikeness[f.likeness];
      if (entry.fingerprints.empty()) {
        entry.likeness = f.likeness;
        entry.rule = f.rule;
        entry.input = pathOf(input);
        entry.message = f.message;
      }
      entry.fingerprints.push_back(f.fingerprint);
    }
  Baseline baseline;
  for (auto &[likeness, entry] : byLikeness) {
    std::ranges::sort(entry.fingerprints);
    baseline.entries.push_back(std::move(entry));
  }
  std::ranges::sort(baseline.entries, {}, keyOf);
  return baseline;
}

Expected<Baseline> Baseline::parse(std::string_view text, const std::string &path) {
  const Json json = Json::parse(text, nullptr, false);
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
    std::ranges::sort(entry.fingerprints);
    baseline.entries.push_back(std::move(entry));
  }
  std::ranges::sort(baseline.entries, {}, keyOf);
  return baseline;
}

std::string Baseline::text() const {
  Json findings = Json::array();
  for (const BaselineEntry &e : entries)
    findings.push_back({{"rule", e.rule},
                        {"input", e.input},
                        {"message", e.message},
                        {"fingerprint", e.likeness},
                        {"count", e.fingerprints.size()},
                        {"exact", e.fingerprints}});
  const Json json = {{"version", version}, {"tool", "condlint " CONDLINT_VERSION}, {"findings", std::move(findings)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Baseline Baseline::apply(Report &r) const {
  // Those that are the same to the letter first: what is left is compared by what it is like.
  std::map<std::string_view, std::set<std::string_view>> exact;
  std::map<std::string_view, std::size_t> counts;
  for (const BaselineEntry &e : entries) {
    exact[e.likeness].insert(e.fingerprints.begin(), e.fingerprints.end());
    counts[e.likeness] += e.fingerprints.size();
  }
  std::set<std::string, std::less<>> known;
  for (const bool byLetter : {true, false})
    for (const InputReport &input : r.inputs)
      for (const Finding &f : input.findings) {
        const auto count = counts.find(f.likeness);
        if (count == counts.end() || count->second == 0 || known.contains(f.fingerprint))
          continue;
        if (byLetter && !exact[count->first].contains(f.fingerprint))
          continue;
        --count->second;
        known.insert(f.fingerprint);
      }
  std::set<std::string, std::less<>> analysed;
  for (InputReport &input : r.inputs) {
    if (input.status == InputStatus::Ok)
      analysed.insert(pathOf(input));
    const auto old =
        std::ranges::stable_partition(input.findings, [&](const Finding &f) { return !known.contains(f.fingerprint); });
    for (Finding &f : old)
      f.suppressedBy = suppressedBy;
    std::ranges::move(old, std::back_inserter(input.suppressed));
    input.findings.erase(old.begin(), old.end());
  }
  Baseline stale;
  for (const BaselineEntry &e : entries) {
    const std::size_t left = counts[e.likeness];
    if (left == 0 || !analysed.contains(e.input))
      continue;
    BaselineEntry gone = e;
    std::erase_if(gone.fingerprints, [&](const std::string &f) { return known.contains(f); });
    gone.fingerprints.resize(std::min(left, gone.fingerprints.size()));
    if (!gone.fingerprints.empty())
      stale.entries.push_back(std::move(gone));
  }
  return stale;
}

Baseline Baseline::without(const Baseline &stale) const {
  std::set<std::string_view> gone;
  for (const BaselineEntry &e : stale.entries)
    gone.insert(e.fingerprints.begin(), e.fingerprints.end());
  Baseline left;
  for (BaselineEntry e : entries) {
    std::erase_if(e.fingerprints, [&](const std::string &f) { return gone.contains(f); });
    if (!e.fingerprints.empty())
      left.entries.push_back(std::move(e));
  }
  return left;
}

std::size_t Baseline::size() const {
  std::size_t n = 0;
  for (const BaselineEntry &e : entries)
    n += e.fingerprints.size();
  return n;
}

} // namespace condlint
