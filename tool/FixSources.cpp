//===- FixSources.cpp - Applies the fixes of findings to sources ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FixSources.h"
#include "graph/NewFile.h"
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// True when \p path, which is resolved, lies below \p root.
bool isBelow(const fs::path &path, const std::string &root) {
  std::error_code error;
  const fs::path folder = fs::canonical(root, error);
  if (root.empty() || error)
    return false;
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() && rest != path.end();
}

class Planner {
public:
  explicit Planner(fs::file_time_type since) : readSince(since) {}

  FixPlan plan(const std::vector<InputReport> &inputs) {
    for (const InputReport &input : inputs)
      for (const Finding &f : input.findings)
        consider(input, f);
    for (auto &[path, file] : files)
      out.files.push_back(std::move(file));
    return std::move(out);
  }

private:
  void consider(const InputReport &input, const Finding &f) {
    const auto fix = std::find_if(f.fixes.begin(), f.fixes.end(), [](const Fix &each) { return !each.edits.empty(); });
    if (fix == f.fixes.end())
      return;
    const std::string why =
        input.status == InputStatus::Ok ? reasonAgainst(*fix, input.root) : "the source does not compile";
    if (!why.empty()) {
      const std::string line = fmt::format("{}: [{}] is not fixed: {}", f.location.str(), f.rule, why);
      if (std::find(out.refused.begin(), out.refused.end(), line) == out.refused.end())
        out.refused.push_back(line);
      return;
    }
    bool changes = false;
    for (const Edit &edit : fix->edits) {
      FileFix &file = files.at(resolved(edit));
      if (std::find(file.edits.begin(), file.edits.end(), edit) == file.edits.end()) {
        file.edits.push_back(edit);
        changes = true;
      }
    }
    out.findings += changes ? 1 : 0; // several targets, or sources, find the same
  }

  static std::string resolved(const Edit &edit) {
    std::error_code error;
    const fs::path path = fs::canonical(edit.at.path, error);
    return error ? std::string() : path.string();
  }

  /// Empty when \p fix can be made besides what is planned.
  std::string reasonAgainst(const Fix &fix, const std::string &root) {
    for (const Edit &edit : fix.edits) {
      const std::string path = resolved(edit);
      if (path.empty())
        return edit.at.path + " cannot be found";
      if (!isBelow(path, root))
        return fmt::format("{} lies outside of the project in {}", path, root);
      std::error_code error;
      if (fs::last_write_time(path, error) > readSince || error)
        return edit.at.path + " has changed since it was read";
      if (access(path.c_str(), W_OK) != 0)
        return edit.at.path + " may not be written";
      FileFix &file = fileAt(path, edit.at.path);
      const bool known = std::find(file.edits.begin(), file.edits.end(), edit) != file.edits.end();
      if (!known &&
          std::any_of(file.edits.begin(), file.edits.end(), [&](const Edit &e) { return areInConflict(e, edit); }))
        return "another fix changes the same place; run it again afterwards";
      if (!applyEdits(file.before, {edit}))
        return edit.at.path + " is not what was read";
    }
    return {};
  }

  FileFix &fileAt(const std::string &path, const std::string &shown) {
    const auto [entry, isNew] = files.try_emplace(path);
    if (isNew) {
      std::ifstream stream(path, std::ios::binary);
      entry->second = {path, shown, {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}, {}};
    }
    return entry->second;
  }

  fs::file_time_type readSince;
  FixPlan out;
  std::map<std::string, FileFix> files;
};

} // namespace

FixPlan planFixes(const std::vector<InputReport> &inputs, fs::file_time_type readSince) {
  FixPlan plan = Planner(readSince).plan(inputs);
  std::erase_if(plan.files, [](const FileFix &file) { return file.edits.empty(); });
  return plan;
}

Expected<std::string> diffOf(const FixPlan &plan) {
  std::string out;
  for (const FileFix &file : plan.files) {
    Expected<std::string> diff = unifiedDiff(file.shown, file.before, file.edits);
    if (!diff)
      return diff.error();
    out += *diff;
  }
  return out;
}

std::optional<Error> applyFixes(const FixPlan &plan) {
  std::vector<NewFile> written;
  for (const FileFix &file : plan.files) {
    Expected<std::string> text = applyEdits(file.before, file.edits);
    if (!text)
      return text.error();
    Expected<NewFile> fresh = NewFile::beside(file.path);
    if (!fresh)
      return fresh.error();
    std::ofstream stream(fresh->path(), std::ios::binary | std::ios::trunc);
    stream << *text;
    stream.close();
    if (!stream)
      return Error{file.path, "", "cannot be written: the disk may be full", ""};
    written.push_back(std::move(*fresh));
  }
  for (NewFile &file : written)
    if (auto problem = file.keep())
      return problem;
  return std::nullopt;
}

} // namespace condlint
