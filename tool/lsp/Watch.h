//===- Watch.h - Files that other programs write ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_WATCH_H
#define CONDLINT_TOOL_LSP_WATCH_H

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace condlint::lsp {

/// Tells of files that appear, change or go, for clients that do not: editors watch the folders of their workspace, if
/// they watch at all. Sleeps in between. Lives as long as the program.
class Watch {
public:
  /// Called by a thread of the watch's own.
  using Changed = std::function<void(const std::string &path)>;
  explicit Watch(Changed c) : changed(std::move(c)) {}

  /// From now on it tells of \p files, absolute and normal, whether they are there or not, and of whatever else
  /// changes beside one of them.
  void set(std::set<std::string> files);

private:
  void begin();
  void run();
  void update();
  std::set<std::string> foldersToWatch() const;
  void tell(const std::string &path, bool isFolder);

  Changed changed;
  int descriptor = -1;
  bool begun = false;
  std::mutex mutex;
  std::set<std::string> wanted;
  std::map<int, std::string> folders; ///< by the number that the system gave
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_WATCH_H
