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
#include "condlint/Expected.h"
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace condlint {

/// How many threads work.
struct Threads {
  unsigned most;             ///< no more than there are items
  bool secondAtOnce = false; ///< several items are to come: a second one gets ready while the first are looked for
};

/// Calls \p work for each item that \p more finds, on up to \p threads.most threads, and \p take with the item and what
/// came of it: in order, one at a time, on whichever thread. The caller's thread finds the items, some at a time until
/// there are none, while the others work already; it takes none before all are there. No more than some hundreds wait
/// for their turn: where one takes long, the others do not fill the memory meanwhile. The error is that of \p more;
/// nothing was taken then. What \p take leaves of a result is freed by the thread that made it: from its own part of
/// the heap, where another would wait for it.
template <class More, class Work, class Take>
std::optional<Error> inOrder(Threads threads, const More &more, const Work &work, const Take &take) {
  using Items = std::remove_cvref_t<decltype(*more())>;
  using Item = typename Items::value_type;
  using Result = decltype(work(std::declval<Item &>()));
  constexpr std::size_t mostWaiting = 512;
  enum class Search { UnderWay, Over, Failed };
  std::mutex mutex;
  std::condition_variable moved;
  using Made = std::unique_ptr<Result>;
  struct Worker {
    std::vector<Made> spent; // of what it made
  };
  struct Ready {
    Made result;
    Worker *maker = nullptr;
  };
  std::deque<Item> items;   // stay where they are when others come
  std::vector<Ready> ready; // as many as there are items, or a ring
  const auto slot = [&](std::size_t i) -> Ready & { return ready[i % mostWaiting]; };
  std::size_t next = 0, taken = 0;
  Search search = Search::UnderWay;
  bool isTaking = false;

  const auto takeReady = [&](std::unique_lock<std::mutex> &lock) {
    if (search != Search::Over || isTaking)
      return; // by another thread, which takes these too
    isTaking = true;
    while (taken < items.size() && slot(taken).result) {
      Item &item = items[taken];
      Ready one = std::exchange(slot(taken), {});
      lock.unlock();
      take(item, std::move(*one.result));
      lock.lock();
      one.maker->spent.push_back(std::move(one.result));
      if (next == taken++ + mostWaiting)
        moved.notify_all();
    }
    isTaking = false;
  };
  const auto loop = [&](Worker &self) {
    std::vector<Made> spent;
    std::unique_lock lock(mutex);
    for (;;) {
      takeReady(lock);
      moved.wait(lock, [&] {
        return next < std::min(items.size(), taken + mostWaiting) ||
               (search != Search::UnderWay && next == items.size());
      });
      if (next == items.size())
        return;
      const std::size_t i = next++;
      Item &item = items[i];
      spent.swap(self.spent);
      lock.unlock();
      spent.clear();
      auto result = std::make_unique<Result>(work(item));
      lock.lock();
      slot(i) = {std::move(result), &self};
    }
  };
  const auto searchEnds = [&](Search how) {
    const std::scoped_lock lock(mutex);
    search = how;
    if (how == Search::Failed)
      next = items.size(); // nobody begins another
    moved.notify_all();
  };

  std::deque<Worker> workers(1); // the caller's thread; outlive the threads, as what they made may
  std::vector<std::jthread> others;
  const auto startOthers = [&](std::size_t known) {
    while (others.size() + 1 < std::min<std::size_t>(threads.most, known))
      others.push_back(startOptionalThread([&loop, &self = workers.emplace_back()] {
        const ThreadMemory memory;
        loop(self);
      }));
  };
  startOthers(threads.secondAtOnce ? 2 : 1);
  try {
    for (;;) {
      Expected<Items> found = more();
      if (!found) {
        searchEnds(Search::Failed);
        return found.error();
      }
      if (found->empty())
        break;
      std::size_t known = 0;
      {
        const std::scoped_lock lock(mutex);
        std::ranges::move(*found, std::back_inserter(items));
        known = items.size();
        ready.resize(std::min(known, mostWaiting));
        moved.notify_all();
      }
      startOthers(known);
    }
  } catch (...) {
    searchEnds(Search::Failed); // or the others would wait for ever
    throw;
  }
  searchEnds(Search::Over);
  loop(workers.front());
  return std::nullopt;
}

} // namespace condlint

#endif // CONDLINT_TOOL_INORDER_H
