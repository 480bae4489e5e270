//===- Workshop.h - Processes that analyse ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_WORKSHOP_H
#define CONDLINT_TOOL_LSP_WORKSHOP_H

#include "CheckCommand.h"
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace condlint::lsp {

/// Runs each job in a process of its own, which is forked from one that has Clang loaded already: what breaks down
/// in it, or takes all memory, ends that process alone; what is not wanted any more is ended with it; and nothing
/// that a job keeps in memory is there for the next.
class Workshop {
public:
  /// Forks the process from which the others are forked. Before any thread is started.
  explicit Workshop(const CheckArguments &arguments);
  ~Workshop() { end(); }
  Workshop(const Workshop &) = delete;
  Workshop &operator=(const Workshop &) = delete;

  /// Gets the result, which is null where the process broke down; called by a thread of the job's.
  using Done = std::function<void(std::uint64_t id, nlohmann::json result)>;
  /// Starts \p job. \returns its number; 0: it cannot be started, and \p done is not called.
  std::uint64_t start(const nlohmann::json &job, Done done);
  /// Ends \p id, whose result is null then.
  void cancel(std::uint64_t id);
  /// Ends all processes.
  void end();

private:
  void await(std::uint64_t id, int socket, const std::string &job, const Done &done);

  int door = -1; ///< to the process that forks
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, int> running; ///< the sockets of jobs
  std::map<std::uint64_t, std::jthread> threads;
  std::vector<std::uint64_t> finished;
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_WORKSHOP_H
