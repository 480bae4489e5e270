//===- LoopWays.h - Ways that a loop may go ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loop leaves in a number is chosen by nobody: `for (int i : v) k += 2` leaves no
// odd one. So a loop that leaves numbers of which nothing is known is tried out: some ways
// are gone that it may go, each with so many trips and one answer to each condition. What
// these leave is what the numbers may be, where all that was asked on the way may hold.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_LOOPWAYS_H
#define CONDLINT_CXX_INTERP_MACHINE_LOOPWAYS_H

#include "Machine.h"

namespace condlint::cxx {

/// Runs a loop, and tells the domain what it may leave in numbers.
class Machine::LoopWays {
public:
  explicit LoopWays(Machine &machine) : m(machine) {}
  /// \p run runs \p loop.
  void run(const clang::Stmt &loop, const std::function<void()> &run);

private:
  std::vector<LoopEnd> tryOut(const clang::Stmt &stmt, const std::function<void()> &loop, const Delta &left);
  /// Nobody chooses a text that trips make.
  void determineTexts(Store::Mark since);
  void go(const std::function<void()> &loop, Way &one);
  /// Steps and objects are left for more ways.
  bool isAffordable() const;

  Machine &m;
};

/// One way through a loop, while it is gone.
class Machine::Way {
public:
  /// \p first: the first answers; all others are no. \p end is called wherever the loop ends.
  Way(std::vector<bool> first, const std::function<void()> &end) : given(std::move(first)), onEnd(end) {}
  /// As many trips of \p loop as are tried out at most, with a stop behind each, and one \p answer to all else.
  Way(const clang::Stmt &loop, bool answer, const std::function<void()> &end)
      : outermost(&loop), far(answer), onEnd(end) {}

  /// Which way is gone where the \p condition is not known for which \p asked asks.
  bool choose(Machine &m, const Value &condition, const clang::Stmt *asked, const Test *test);
  /// Whether \p loop makes another trip, for which \p test asks; its answer is assumed.
  bool goesOn(Machine &m, const clang::Stmt &loop, const Value &condition, const Test *test);
  /// The same of a loop over \p count elements behind its first \p i trips.
  bool hasMore(Machine &m, const clang::Stmt &loop, const Value &count, std::int64_t i);
  bool next();
  /// What comes of it is not what the loop leaves.
  void lose() { isLost = true; }
  /// It came to the end of the loop.
  void end() const {
    if (!isLost)
      onEnd();
  }
  const std::vector<bool> &answers() const { return made; }

private:
  std::vector<bool> given, made;
  std::vector<std::pair<const clang::Stmt *, bool>> decided; ///< what was asked, and whether that is kept
  const clang::Stmt *outermost = nullptr;                    ///< the loop that is gone through far
  std::optional<bool> far;
  const std::function<void()> &onEnd;
  unsigned trips = 0;
  const clang::Stmt *unkept = nullptr; ///< the one condition of which nothing is kept: it has one answer
  bool unkeptAnswer = false;
  bool isLost = false;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_LOOPWAYS_H
