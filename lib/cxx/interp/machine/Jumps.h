//===- Jumps.h - Ways out of blocks, loops and functions --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where `break`, `continue`, `goto` and `return` go: the paths that leave a stretch of
// code early, which meet where it ends.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_JUMPS_H
#define CONDLINT_CXX_INTERP_MACHINE_JUMPS_H

#include "Machine.h"

namespace clang {
class CXXThrowExpr;
class CXXTryStmt;
} // namespace clang

namespace condlint::cxx {

/// A path that left early, and what it did.
struct Machine::Exit {
  Delta delta;
  Value value;
  bool isInDoubt = false; ///< it may never be taken
};

/// Where `break`, `continue` and `return` go.
struct Machine::Jump {
  Store::Mark mark = 0;
  std::size_t living = 0;    ///< what was made later comes to its end on the way
  std::size_t openForks = 0; ///< how many there were before, as of those below
  std::size_t conditions = 0;
  std::uint32_t condition = 0;
  std::uint32_t path = 0;  ///< the one that leads there
  std::size_t leaving = 0; ///< how many paths had been left by then for somewhere further out
  std::size_t doubts = 0;  ///< that were open before
  std::size_t failures = 0;
  std::size_t leftPaths = 0;
  bool isCertain = false; ///< a path goes there in no doubt but these
  Asked asked = {};       ///< on the paths that go there
  std::vector<Exit> exits = {};
};

/// The body of a function that is run.
struct Machine::Body {
  Jump returns;
  const ReturnHandler *onReturn = nullptr;
};

/// A label further on in the blocks that are run, to which something jumps.
struct Machine::Label {
  const clang::LabelDecl *decl = nullptr;
  Jump jump;
};

class Machine::Jumps {
public:
  explicit Jumps(Machine &machine) : m(machine) {}
  Jump here();
  /// A path comes to \p to: what was asked on it is noted.
  void noteAsked(Jump &to);
  void jump(Jump *to, Value v = Value(), ObjectId returned = ObjectId());
  void land(Jump &from, Value *result = nullptr);
  /// The paths that were left behind the first \p from were left where \p condition, whose test is \p test, is \p
  /// truth.
  void leftUnder(std::size_t from, const clang::Stmt *condition, const std::shared_ptr<const Test> &test, bool truth);
  /// Of those it is not kept what was asked on them; \p by did, too, if it is not null.
  void leftIn(std::size_t from, const clang::Stmt *by);
  /// What follows runs where none of those was taken that asked \p least conditions or more.
  void assumeNotLeft(std::size_t from, std::size_t least = 1);
  /// What was written since \p mark is what it is known to be on this path, of which the conditions behind the first \p
  /// decided are about to be forgotten.
  void settle(Store::Mark mark, std::size_t decided);
  /// Some of what ran left for further out, as of \p before: what follows is on a path of its own.
  void setExitsApart(std::size_t before);

  /// How many exits there were on the way to each.
  struct Exits {
    std::size_t left = 0, breaks = 0, continues = 0, returns = 0;
    std::vector<std::size_t> labels = {};
  };
  Exits exits() const;
  /// Forgets those behind \p before.
  void forgetBehind(const Exits &before);

  std::vector<Body *> bodies;
  Jump *breaks = nullptr;
  Jump *continues = nullptr;
  std::vector<Label> labels; ///< of the blocks around, the innermost last
  /// The `try` blocks around, the innermost last, and how much lived when each began.
  std::vector<std::pair<const clang::CXXTryStmt *, std::size_t>> tries;
  /// What the handlers around have caught, the innermost last: where it was thrown, null where that is not known.
  std::vector<std::pair<const clang::CXXThrowExpr *, Value>> caught;
  std::shared_ptr<const Test> chosen;   ///< what is true on the first of the two paths that are about to meet
  const clang::Stmt *doubted = nullptr; ///< the last condition of which it is not certain how it comes out
  std::vector<const Jump *> left;       ///< where the paths go that were left and have not been met again

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_JUMPS_H
