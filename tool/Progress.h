//===- Progress.h - A line that says how far a long run is ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_PROGRESS_H
#define CONDLINT_TOOL_PROGRESS_H

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace condlint {

/// Shows on standard error how many inputs are done: only on a terminal, and
/// only when the run takes longer than a second. Safe to use from many threads.
class Progress {
public:
  explicit Progress(bool wanted);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \p more inputs are known.
  void expect(std::size_t more);
  void start(const std::string &input);
  void finish();

private:
  void show();

  std::mutex mutex;
  std::condition_variable changed;
  std::jthread painter; ///< runs only where there is a terminal
  std::string current;
  std::size_t total = 0;
  std::size_t done = 0;
  bool over = false;
};

} // namespace condlint

#endif // CONDLINT_TOOL_PROGRESS_H
