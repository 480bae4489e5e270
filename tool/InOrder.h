//===- InOrder.h - Work for many threads, taken in order --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_INORDER_H
#define CONDLINT_TOOL_INORDER_H

#include "Memory.h"
#include "OptionalThread.h"
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace condlint {

/// Calls \p work for each of 0 to \p count - 1 on up to \p threads threads, and \p take with what it yields: in order,
/// one at a time, on whichever thread. No more than some hundreds wait for their turn: where one takes long, the others
/// do not fill the memory meanwhile.
template <class Work, class Take>
void inOrder(std::size_t count, unsigned threads, const Work &work, const Take &take) {
  using Result = decltype(work(std::size_t{0}));
  constexpr std::size_t mostWaiting = 512;
  std::mutex mutex;
  std::condition_variable moved;
  std::vector<std::optional<Result>> ready(std::min(count, mostWaiting)); // a ring
  const auto slot = [&](std::size_t i) -> std::optional<Result> & { return ready[i % ready.size()]; };
  std::size_t next = 0, taken = 0;
  bool isTaking = false;

  const auto loop = [&] {
    std::unique_lock lock(mutex);
    for (;;) {
      moved.wait(lock, [&] { return next == count || next < taken + mostWaiting; });
      if (next == count)
        return;
      const std::size_t i = next++;
      lock.unlock();
      Result result = work(i);
      lock.lock();
      slot(i) = std::move(result);
      if (isTaking)
        continue; // by another thread, which takes this one too
      isTaking = true;
      while (taken < count && slot(taken)) {
        const std::size_t at = taken;
        Result one = std::move(*slot(at));
        slot(at).reset();
        lock.unlock();
        take(at, std::move(one));
        lock.lock();
        if (next == taken++ + mostWaiting)
          moved.notify_all();
      }
      isTaking = false;
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min<std::size_t>(threads, count); ++i)
    others.push_back(startOptionalThread([&loop] {
      const ThreadMemory memory;
      loop();
    }));
  loop();
}

} // namespace condlint

#endif // CONDLINT_TOOL_INORDER_H
