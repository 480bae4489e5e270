//===- Summaries.h - Calls that are like others -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `h2` calls `h1` twice, which calls `h0` twice: run anew at each call, a chain of n
// functions is run 2^n times. A call that only reads what was there before, and makes
// something of it, does the same again wherever all that it read is the same: what it
// read is noted while it runs, and another call that finds the like is not run. What
// the domain records of a call, it records of a repeated one in short.
//
// Functions are run anew all the same until what is run repeatedly has become long:
// what is short is run in full.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_SUMMARIES_H
#define CONDLINT_CXX_INTERP_MACHINE_SUMMARIES_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Summaries {
public:
  explicit Summaries(Machine &machine) : m(machine) {}

  /// What a call is given.
  struct Given {
    const clang::FunctionDecl *function = nullptr; ///< its definition
    std::optional<Pointer> self;
    std::vector<Argument> arguments;
  };
  /// Enough was run again by now that calls are summarised, and the one of \p given may be.
  bool mayKeep(const Given &given) const;
  /// What the call of \p given at \p site comes to, where one was run that is like it.
  std::optional<Value> find(const Given &given, const clang::Expr *site);
  /// What \p run makes of a call of \p given, which is kept in mind.
  Value keep(const Given &given, const std::function<Value()> &run);
  /// A body begins to run.
  void noteDepth() {
    for (std::size_t &deepest : depths)
      deepest = std::max(deepest, m.stack.size());
  }
  /// What is kept from here on is forgotten by \ref endTrial.
  void beginTrial() { firstTried = kept; }
  void endTrial();

private:
  /// Values that are the same value, each in another object where they are objects that \p before is given.
  class Likeness;
  /// What is made outside of the domain where the program is, besides values.
  struct Made {
    std::size_t symbols = 0, parts = 0, pointees = 0, globals = 0, damaged = 0, gaps = 0, doubts = 0;
    friend bool operator==(const Made &, const Made &) = default;
  };
  struct Summary {
    std::size_t number = 0;
    Given given;
    std::uint32_t where = 0;
    // What decides besides that what is read.
    std::uint64_t tripsAround = 1;
    std::uint32_t assumed = 0;
    std::optional<std::uint32_t> path; ///< where that was asked for
    Delta reads;
    Value result;
    std::vector<ObjectId> newObjects; ///< in it that the call made
    std::uint32_t before = 0;         ///< how many objects there were
    std::shared_ptr<const Datum> recorded;
    std::size_t height = 0; ///< calls within one another
    std::size_t failures = 0, openForks = 0;
    bool mayLeave = false; ///< in an exception or a failed check
  };
  Made made() const;
  bool addNewObjects(const Value &v, Summary &s, unsigned depth = 0) const;
  std::optional<Value> repeated(const Summary &s, const Given &given, const clang::Expr *site);
  Value rebuilt(const Value &v, const Summary &s, const Likeness &alike, const std::vector<ObjectId> &newObjects) const;

  Machine &m;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<Summary>> summaries;
  std::vector<std::size_t> depths; ///< by call that is being kept in mind: how many frames there were at most
  std::size_t kept = 0;
  std::size_t firstTried = 0;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_SUMMARIES_H
