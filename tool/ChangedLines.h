//===- ChangedLines.h - What a change touched -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CHANGEDLINES_H
#define CONDLINT_TOOL_CHANGEDLINES_H

#include "condlint/Expected.h"
#include "condlint/Report.h"
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

/// What the command line says of a change.
struct DiffArguments {
  std::string base; ///< a commit of git
  std::string file; ///< a unified diff; `-` is standard input
  bool asked() const { return !base.empty() || !file.empty(); }
};

/// The lines and files that a change touched: what a finding must stand on to be reported. Safe to use from many
/// threads.
class ChangedLines {
public:
  /// What differs from the commit that the working tree and the base have in common, files that git does not know yet
  /// too; or what the diff says, whose paths are relative to the working folder. The error says what git or the diff
  /// does not give.
  static Expected<std::unique_ptr<ChangedLines>> of(const DiffArguments &arguments);

  /// Moves the findings of the finished \p input to `suppressed` that stand on no line that changed: neither where they
  /// are reported nor where one of their branches does. All of a model that changed are kept, and those in files of
  /// which nobody can say whether they changed.
  void apply(InputReport &input);
  /// The changed models and C++ sources that no input is, and none includes.
  std::vector<std::string> notReached() const;
  /// A sentence on the files with findings of which nobody can say whether they changed, and which were all kept; or
  /// nothing.
  std::string unknownFiles() const;

private:
  struct File {
    bool whole = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lines; ///< first and last
    std::string shown;
  };
  explicit ChangedLines(std::string w) : where(std::move(w)) {}
  std::string absolute(const std::string &path);
  File &add(const std::string &path);
  bool isKnown(const std::string &path) const;
  bool touches(const SourceLocation &l);
  /// Of the file that \p l is in nobody can say whether it changed. It is told then.
  bool isInUnknown(const SourceLocation &l);
  void noteUnknown(const std::string &path);
  std::optional<Error> parse(std::string_view diff, const std::string &folder, const std::string &name);
  std::optional<Error> askGit(const std::string &base);

  std::string where;                              ///< the change, for the reason of what is left out
  std::map<std::string, File, std::less<>> files; ///< by absolute path
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> known; ///< absolute paths
  std::set<std::string, std::less<>> reached;
  std::string top;                            ///< the folder that the change is in
  std::set<std::string, std::less<>> tracked; ///< what git knows there
  std::set<std::string> unknown;              ///< files with findings of which nothing is known
};

} // namespace condlint

#endif // CONDLINT_TOOL_CHANGEDLINES_H
