//===- Fingerprint.cpp - What a finding is known by again -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fingerprint.h"
#include <fmt/format.h>
#include <initializer_list>
#include <xxhash.h>

namespace condlint {

namespace {

/// \p message without its numbers: sizes and lines drift, the break stays.
std::string withoutNumbers(std::string_view message) {
  std::string out;
  for (char c : message) {
    // Nor do the folders of a place count, which are as the user spelled them.
    if (c == '/')
      out.resize(out.find_last_of(" ('\"") + 1);
    else if (c < '0' || c > '9')
      out += c;
  }
  return out;
}

/// \p message without the names in it, which stand in quotes, without places, which stand in parentheses, and without
/// sizes, of which the number stays.
std::string withoutNames(std::string_view message) {
  std::string out;
  char closing = 0;
  for (const char c : message) {
    if (closing != 0) {
      if (c == closing)
        closing = 0;
      else if (closing == ']' && c == ',')
        out += c;
      continue;
    }
    closing = c == '\'' ? '\'' : c == '(' ? ')' : c == '[' ? ']' : '\0';
    if (c < '0' || c > '9')
      out += c;
  }
  return out;
}

/// Zero bytes keep the parts apart.
std::string hashOf(std::initializer_list<std::string_view> parts, std::string_view last) {
  std::string key;
  for (const std::string_view part : parts) {
    key += part;
    key += '\0';
  }
  key += last;
  return fmt::format("{:016x}", XXH3_64bits(key.data(), key.size()));
}

} // namespace

std::string normalisedPath(const std::string &path, const std::filesystem::path &here) {
  std::filesystem::path p = std::filesystem::path(path).lexically_normal();
  if (p.is_absolute() && !here.empty()) {
    std::filesystem::path relative = p.lexically_relative(here);
    if (!relative.empty() && *relative.begin() != "..")
      p = relative;
  }
  return p.generic_string();
}

std::string pathOf(const Finding &f, const InputReport &input, const std::filesystem::path &here) {
  const bool isInHeader = input.kind == "cxx" && f.location.valid() && f.location.path != input.path;
  return normalisedPath(isInHeader ? f.location.path : input.path, here);
}

std::string_view systemOf(std::string_view target) { return target.substr(0, target.find('@')); }

std::string fingerprintOf(const Finding &f, const std::string &path, std::size_t occurrence) {
  const std::string kindOfBreak = withoutNumbers(f.message);
  return hashOf({f.rule, path, f.conditional, f.graphPath, systemOf(f.target), kindOfBreak},
                occurrence == 0 ? std::string() : std::to_string(occurrence));
}

std::string likenessOf(const Finding &f, const std::string &path, std::string_view outputs) {
  const std::string position = f.output ? std::to_string(*f.output) : std::string();
  const std::string kindOfBreak = withoutNames(f.message);
  return hashOf({f.rule, path, systemOf(f.target), f.location.function, position, kindOfBreak}, outputs);
}

std::string outputsOf(const ConditionalSummary &c) {
  std::string out;
  for (const ConditionalSummary::BranchSummary &branch : c.branches) {
    for (const ConditionalSummary::Signature &s : branch.outputs)
      out += fmt::format("{} {} {};", s.kind, s.dtype, s.hasShape ? std::to_string(s.shape.size()) : "?");
    out += '|';
  }
  return out;
}

} // namespace condlint
