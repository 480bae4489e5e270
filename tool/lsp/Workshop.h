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
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace condlint::lsp {

/// A process that waits with a parsed source for other texts of it. It ends with this.
class Kept {
public:
  explicit Kept(int d) : door(d) {}
  ~Kept();
  Kept(const Kept &) = delete;
  Kept &operator=(const Kept &) = delete;

private:
  friend class Workshop;
  int door;
};

/// Runs each job in a process of its own, which is forked from one that has Clang loaded already: what breaks down
/// in it, or takes all memory, ends that process alone; what is not wanted any more is ended with it; and nothing
/// that a job keeps in memory is there for the next.
class Workshop {
public:
  /// Forks the process from which the others are forked. Before any thread is started, and by one that lives as long
  /// as this.
  explicit Workshop(const CheckArguments &arguments);
  ~Workshop() { end(); }
  Workshop(const Workshop &) = delete;
  Workshop &operator=(const Workshop &) = delete;

  /// Gets the result, which is null where the process broke down, and the process where it has kept what it parsed;
  /// called by a thread of the job's.
  using Done = std::function<void(std::uint64_t id, nlohmann::json result, std::shared_ptr<Kept> kept)>;
  /// Starts \p job, where the process that forks was ended by another that takes its place. By the thread that made
  /// this. \returns its number; 0: it cannot be started, and \p done is not called.
  std::uint64_t start(const nlohmann::json &job, Done done);
  /// The same for another \p text of what \p kept has parsed. The result is empty where it must be parsed again.
  std::uint64_t startAgain(const Kept &kept, const std::string &text, Done done);
  /// Whether the process that forks is not the first one.
  bool isRenewed() const { return renewed; }
  /// Ends \p id, whose result is null then.
  void cancel(std::uint64_t id);
  /// Ends all processes.
  void end();

private:
  void fork(); ///< the process that forks
  std::uint64_t startThrough(int opening, std::string text, Done done);
  void await(std::uint64_t id, int socket, const std::string &job, const Done &done);

  CheckArguments arguments;
  int door = -1;     ///< to the process that forks
  pid_t forker = -1; ///< that process
  bool renewed = false;
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, int> running; ///< the sockets of jobs
  std::map<std::uint64_t, std::jthread> threads;
  std::vector<std::uint64_t> finished;
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_WORKSHOP_H
