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

void Baseline::insert(BaselineEntry entry) {
  byInput[entry.input].insert(entry.likeness);
  const auto [known, isNew] = entries.try_emplace(entry.likeness, entry);
  if (isNew)
    return;
  std::ranges::move(entry.fingerprints, std::back_inserter(known->second.fingerprints));
}

void Baseline::add(const InputReport &input) {
  for (const Finding &f : input.findings)
    insert({f.likeness, {f.fingerprint}, f.rule, pathOf(input), f.message});
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
    findings.push_back({{"rule", e.rule},
                        {"input", e.input},
                        {"message", e.message},
                        {"fingerprint", e.likeness},
                        {"count", e.fingerprints.size()},
                        {"exact", e.fingerprints}});
  }
  const Json json = {{"version", version}, {"tool", "condlint " CONDLINT_VERSION}, {"findings", std::move(findings)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Baseline Baseline::apply(Report &r) const {
  Baseline stale;
  for (InputReport &input : r.inputs)
    stale.add(apply(input));
  return stale;
}

Baseline Baseline::apply(InputReport &input) const {
  std::map<std::string_view, std::size_t> counts;
  const auto countOf = [&](const Finding &f) -> std::size_t & {
    const auto entry = entries.find(f.likeness);
    return counts.try_emplace(f.likeness, entry == entries.end() ? 0 : entry->second.fingerprints.size()).first->second;
  };
  // Those that are the same to the letter first: what is left is compared by what it is like.
  std::set<std::string, std::less<>> known;
  for (const bool byLetter : {true, false})
    for (const Finding &f : input.findings) {
      std::size_t &count = countOf(f);
      if (count == 0 || known.contains(f.fingerprint))
        continue;
      if (byLetter && std::ranges::find(entries.at(f.likeness).fingerprints, f.fingerprint) ==
                          entries.at(f.likeness).fingerprints.end())
        continue;
      --count;
      known.insert(f.fingerprint);
    }
  Baseline stale;
  const auto own = byInput.find(pathOf(input));
  if (input.status == InputStatus::Ok && own != byInput.end())
    for (const std::string &likeness : own->second) {
      BaselineEntry gone = entries.at(likeness);
      const auto count = counts.find(likeness);
      const std::size_t left = count == counts.end() ? gone.fingerprints.size() : count->second;
      std::erase_if(gone.fingerprints, [&](const std::string &f) { return known.contains(f); });
      gone.fingerprints.resize(std::min(left, gone.fingerprints.size()));
      if (!gone.fingerprints.empty())
        stale.insert(std::move(gone));
    }
  const auto old =
      std::ranges::stable_partition(input.findings, [&](const Finding &f) { return !known.contains(f.fingerprint); });
  for (Finding &f : old)
    f.suppressedBy = suppressedBy;
  std::ranges::move(old, std::back_inserter(input.suppressed));
  input.findings.erase(old.begin(), old.end());
  return stale;
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

} // namespace condlint
