//===- InOrderTest.cpp - Work for many threads, taken in order ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InOrder.h"
#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <new>
#include <numeric>

using namespace condlint;

namespace {

using Numbers = std::vector<int>;

Numbers upTo(int count) {
  Numbers numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Finds \p count numbers, \p each at a time.
class Found {
public:
  Found(int c, int e) : count(c), each(e) {}

  Expected<Numbers> next() {
    Numbers numbers;
    while (at < count && numbers.size() < static_cast<std::size_t>(each))
      numbers.push_back(at++);
    return numbers;
  }

private:
  int count, each, at = 0;
};

/// What is taken of \p count numbers that come \p each at a time; \p work passes each on.
template <class Work> Numbers taken(int count, int each, Threads threads, const Work &work) {
  Found found(count, each);
  Numbers all;
  const std::optional<Error> error = inOrder(
      threads, [&] { return found.next(); }, work,
      [&](int number, int result) {
        EXPECT_EQ(number, result);
        all.push_back(result);
      });
  EXPECT_FALSE(error) << error->str();
  return all;
}

int same(int number) { return number; }

} // namespace

TEST(InOrder, TakesAllInTheirOrder) {
  for (const int count : {0, 1, 2, 7, 64, 511, 512, 513, 5000})
    for (const int each : {1, 3, 64, 10000})
      for (const Threads threads : {Threads{1}, Threads{2}, Threads{2, true}, Threads{5}})
        EXPECT_EQ(taken(count, each, threads, same), upTo(count)) << count << ' ' << each << ' ' << threads.most;
}

TEST(InOrder, WorksWhileMoreIsFound) {
  // The second batch comes when one of the first is done: the thread that finds them cannot have done it.
  std::latch isDone(1);
  int batches = 0;
  Numbers all;
  const std::optional<Error> error = inOrder(
      {2},
      [&] {
        if (++batches == 2)
          isDone.wait();
        return Expected(batches <= 2 ? Numbers{2 * batches, 2 * batches + 1} : Numbers());
      },
      [&](int number) {
        if (number == 2)
          isDone.count_down();
        return number;
      },
      [&](int, int result) {
        EXPECT_EQ(batches, 3) << "taken before all was found";
        all.push_back(result);
      });
  EXPECT_FALSE(error);
  EXPECT_EQ(all, (Numbers{2, 3, 4, 5}));
}

TEST(InOrder, TakesNothingWhereFindingFails) {
  Found found(2000, 50);
  int batches = 0;
  std::atomic<int> worked = 0;
  const std::optional<Error> error = inOrder(
      {3},
      [&]() -> Expected<Numbers> {
        if (++batches == 30)
          return Error{"list", "", "cannot be read", ""};
        return found.next();
      },
      [&](int number) {
        ++worked;
        return number;
      },
      [&](int, int) { ADD_FAILURE() << "something was taken"; });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->str(), "list: cannot be read");
  EXPECT_LE(worked, 512) << "more waited than may";
}

TEST(InOrder, EndsWhereFindingThrows) {
  int batches = 0;
  const auto more = [&]() -> Expected<Numbers> {
    if (++batches == 3)
      throw std::bad_alloc();
    return upTo(100);
  };
  EXPECT_THROW(static_cast<void>(inOrder({3}, more, same, [](int, int) {})), std::bad_alloc);
}

TEST(InOrder, BoundsHowManyWaitForASlowOne) {
  std::atomic<int> worked = 0;
  std::latch othersWaited(1);
  const Numbers all = taken(3000, 64, {2}, [&](int number) {
    if (number == 0)
      othersWaited.wait();
    else if (++worked == 511)
      othersWaited.count_down();
    EXPECT_TRUE(number < 512 || othersWaited.try_wait()) << "512 and the first were not waited for";
    return number;
  });
  EXPECT_EQ(all, upTo(3000));
}
