//===- HostPaths.h - Which path code takes where that is not known --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that builds a network is followed one path at a time: a network is what one
// run of the code builds, never a mixture of two. Where a condition is not known and
// what hangs on it builds, the function is run once for each path.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_HOSTPATHS_H
#define CONDLINT_CXX_TENSORRT_HOSTPATHS_H

#include "../interp/machine/HostConditions.h"
#include "../interp/machine/Machine.h"
#include "../interp/machine/Relations.h"
#include "HostTests.h"
#include "Picks.h"
#include <functional>
#include <map>
#include <set>
#include <string>

namespace condlint::cxx {

/// A place where the code goes apart, as often as it comes there, and the path it took.
struct PathChoice {
  std::uint64_t place = 0;
  unsigned path = 0;
  unsigned paths = 2;
  bool fromOutside = false; ///< a value from outside decides, so that the code does take either path
  Pick pick = Pick::None;   ///< it picks a value, and builds nothing
  bool doubtful = false;    ///< what was asked before may leave one path only
};

class HostPaths {
public:
  /// \p building says that an expression deals with what is built.
  explicit HostPaths(std::function<bool(const clang::Expr &)> building) : concerns(std::move(building)) {}

  /// What a run stands for.
  enum class Mode : std::uint8_t {
    Run,    ///< one execution: what is not known is chosen, loops make some trips
    Strict, ///< all executions that go its paths: loops are run for any trip
    Joined  ///< all executions: no path is chosen
  };
  /// Begins a run that takes the paths \p script first.
  void begin(std::vector<unsigned> script, Mode mode);
  Mode mode() const { return stands; }
  /// Something was assumed of this run, so that an execution may do what no run does.
  void noteBound(std::string_view why) {
    if (bound.empty())
      bound = why;
  }
  /// The first of these; empty: none.
  const std::string &boundedBy() const { return bound; }
  /// From now on values that the code picks are joined, and no paths of their own.
  void joinValues() { joined = true; }
  /// The same of all but element types, dimensions and written numbers.
  void joinOthers() { othersJoined = true; }
  /// The paths that the run took where nothing forced it.
  const std::vector<PathChoice> &choices() const { return taken; }
  /// Choices that were not made, because there were too many.
  bool tooMany() const { return overflow; }

  std::optional<unsigned> choosePath(Machine &m, const clang::Stmt *at, unsigned paths, const Value &condition,
                                     std::span<const clang::Stmt *const> arms);

  /// The root takes the path \p arm of \p arms, which others decided.
  void noteLeaving(const Machine &m, std::span<const clang::Stmt *const> arms, unsigned arm);
  /// The root came to an end where something was not as it should be.
  bool leftEarly() const { return early; }

  /// For how many trips a loop is run of which nobody knows how many it makes: one that builds,
  /// for two, so that what the first leaves is met by the second.
  std::optional<unsigned> trips(Machine &m, const clang::Stmt &loop);

  // Numbers that are not known are the same wherever they are read. \p given: from outside.
  std::shared_ptr<const Datum> newSymbol(std::shared_ptr<const Test> *test, bool given);
  /// Of a number that the code makes, and that is not worked out.
  std::shared_ptr<const Datum> newName(std::shared_ptr<const Test> *test);
  /// Of how many elements something has that is given from outside: the \p size.
  std::shared_ptr<const Datum> newSize(Machine &m, Dim size);
  std::shared_ptr<const Test> compare(unsigned opcode, const Number &a, const Number &b);
  /// The same where one of them is such a number and some more or less: `i == count - 1`.
  std::shared_ptr<const Test> compareSizes(Machine &m, unsigned opcode, const Number &a, const Number &b);
  /// What an operator or a conversion made of such a number has a name from here on: the only symbol of \p size.
  void nameMade(Machine &m, Dim size);
  /// \p n is such a number, and a size by a name of its own.
  void nameSize(Machine &m, const Number &n);

  HostNumbers numbers; ///< what they may be on this run

private:
  bool isBuilding(const clang::Stmt *s);
  std::optional<unsigned> chooseAnew(Machine &m, const clang::Stmt &at, unsigned paths, const Value &condition,
                                     std::span<const clang::Stmt *const> arms);
  /// A loop that builds and has no end of its own is left at the last trip that is run.
  std::optional<unsigned> chooseToLeave(const Machine &m, const clang::Stmt &at,
                                        std::span<const clang::Stmt *const> arms);
  /// Where the code goes apart, by the calls that led there too.
  static std::uint64_t placeOf(const Machine &m, const clang::Stmt &at);
  /// The path where code that does not build leaves, or picks a value; nothing where it is to be joined.
  std::optional<unsigned> decide(Machine &m, const clang::Stmt &at, unsigned paths, const Value &condition, bool isPair,
                                 Pick pick);
  enum class Leaving : std::uint8_t { None, Return, Abort }; ///< Abort: by an exception, or with the program
  static Leaving leaves(const clang::Stmt *s);
  /// Whatever \p s catches in the function that nobody here calls, that ends without a network.
  static bool givesUp(const Machine &m, const clang::CXXTryStmt &s);
  /// The path \p arm of \p arms leaves and builds nothing, where the other goes on.
  bool isEarlyEnd(std::span<const clang::Stmt *const> arms, unsigned arm);
  /// Where the early return in \p arm leads on, in a function that some code calls: nothing where the paths meet
  /// behind the call.
  std::optional<unsigned> chooseReturn(Machine &m, const clang::Stmt &at, const Value &condition,
                                       std::span<const clang::Stmt *const> arms, unsigned arm);
  /// The function \p f has built something before it comes to \p arm.
  bool hasBegun(const clang::FunctionDecl &f, const clang::Stmt &arm);
  /// The root ends in \p arm, `return true;`, with what it has built.
  bool isDone(const Machine &m, const clang::Stmt &arm);
  /// What the function \p f that builds returns in \p arm says that it did what it should.
  bool succeeds(const Machine &m, const clang::FunctionDecl &f, const clang::Stmt &arm);

  void noteAnswer(Machine &m, const clang::Expr &asked, const Test *test);
  /// \p asked asks for something that the code makes and that is not worked out, and what is asked with it or was
  /// answered before hangs on the same, so that it may say what that is. \p isRecognised: it can be told from other
  /// conditions by its words.
  bool mayHangTogether(Machine &m, const clang::Expr &asked, const Test *test, bool isRecognised);

  /// Whether the current assumed loop makes a further trip; in the last one that is run it is known to be the last.
  std::optional<unsigned> chooseTrip(Machine &m, const Test *condition);
  /// How many trips a loop through \p container is run for, which from here on has as many elements.
  unsigned tripsThrough(Machine &m, const clang::Expr &container);
  /// \p test, which \p goesOn, is the condition of such a loop.
  void noteBound(const Test &test, bool goesOn, bool isLast);
  /// What a loop counts with, while it does: 1 up, -1 down; else 0.
  int countingOf(const Number &n);

  std::function<bool(const clang::Expr &)> concerns;
  llvm::DenseMap<const clang::Stmt *, bool> known;
  std::vector<unsigned> prescribed;
  std::vector<PathChoice> taken;
  std::map<std::uint64_t, unsigned> visits;
  std::map<std::pair<std::uint32_t, std::uint64_t>, unsigned> pathsOfTrips; ///< by loop and place: all trips go alike
  llvm::DenseMap<const clang::Stmt *, bool> endless; ///< conditions that leave a loop without an end of its own
  std::map<std::uint64_t, unsigned> timesToLeave;    ///< by place: how often it might have been left
  std::map<std::uint32_t, unsigned> tripsMade;       ///< by assumed loop
  std::map<std::uint32_t, unsigned> tripsPlanned;    ///< the same, how many are made
  unsigned planned = 0;                              ///< of the loop that is about to begin
  std::set<std::uint32_t> bounds;                    ///< numbers that say how many trips there are
  struct NamedSize {
    Dim dim; ///< the symbol: its name may become another's
    std::shared_ptr<const Datum> source;
  };
  std::map<std::string, NamedSize> sizes; ///< numbers by their names as sizes
  HostConditions conditions;
  /// What a condition asked that was answered: the variables, and the numbers where it asks nothing else.
  struct Answered {
    std::vector<Use> uses;
    std::set<std::uint32_t> numbers;
    bool isMade = false; ///< it asked for something that the code makes and that is not worked out
  };
  std::map<const clang::Expr *, Answered> answered;
  Relations relations; ///< of the variables of the functions that run
  std::uint32_t symbols = 0;
  Mode stands = Mode::Run;
  std::string bound;
  bool overflow = false;
  bool joined = false;
  bool othersJoined = false;
  bool early = false;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_HOSTPATHS_H
