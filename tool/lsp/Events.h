//===- Events.h - What is to be done next, and when -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_EVENTS_H
#define CONDLINT_TOOL_LSP_EVENTS_H

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

namespace condlint::lsp {

/// Brings to one thread what others have for it, and what is due at a time: all that the server knows is touched by
/// that thread alone. It sleeps in between.
class Events {
public:
  using Clock = std::chrono::steady_clock;
  using Event = std::function<void()>;

  /// From any thread.
  void post(Event event) {
    {
      const std::lock_guard lock(mutex);
      waiting.push_back(std::move(event));
    }
    arrived.notify_one();
  }

  /// From the thread of `run` alone.
  void at(Clock::time_point time, Event event) { timers.emplace(time, std::move(event)); }

  /// Until `stop`.
  void run() {
    while (!stopped) {
      if (const auto first = timers.begin(); first != timers.end() && first->first <= Clock::now()) {
        const Event event = std::move(first->second);
        timers.erase(first);
        event();
        continue;
      }
      if (const Event event = next())
        event();
    }
  }
  void stop() { stopped = true; }

private:
  Event next() {
    std::unique_lock lock(mutex);
    const auto any = [this] { return !waiting.empty(); };
    if (timers.empty())
      arrived.wait(lock, any);
    else if (!arrived.wait_until(lock, timers.begin()->first, any))
      return {};
    Event event = std::move(waiting.front());
    waiting.pop_front();
    return event;
  }

  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Event> waiting;
  std::multimap<Clock::time_point, Event> timers;
  bool stopped = false;
};

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_EVENTS_H
