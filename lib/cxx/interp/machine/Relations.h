//===- Relations.h - Which variables hang on which others -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (n > 2) return x; if (tooLong) x.add_(1);`: whether the write is ever reached hangs on
// what `tooLong` was made of. Variables that are assigned from one another, under conditions
// on one another, or in one loop are of one group: what is asked of one may decide what is
// asked of another. It is worked out from how the code is written, whatever path runs.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_RELATIONS_H
#define CONDLINT_CXX_INTERP_MACHINE_RELATIONS_H

#include "PathCondition.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <optional>
#include <span>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace condlint::cxx {

class Domain;

class Relations {
public:
  using Names = std::vector<const clang::Decl *>;

  /// The variables that \p s names, and the members of `this`; without those that are constants.
  static Names namesIn(const clang::Stmt *s);
  /// What \p s asks of which of them.
  static std::vector<Use> usesIn(const clang::Stmt *s, const clang::ASTContext &ast, const Domain &domain);
  /// That \p container has elements.
  static std::vector<Use> sizeOf(const clang::Expr &container, const clang::ASTContext &ast, const Domain &domain);
  /// Those that the conditions in \p loop name, and its own.
  static Names namesInConditions(const clang::Stmt *loop);

  /// Learns from the body of \p f, once.
  void read(const clang::FunctionDecl &f);
  /// \p parameter is given what the \p argument says.
  void bind(const clang::Decl *parameter, const clang::Expr &argument);

  /// What is asked may hang together. Two things that are got at by way of one variable do not, where the variable was
  /// given from outside and nothing here changes it: `v.size()` and `v[0]`, `p` and `p->mode`. \p atOnce: both are
  /// parts of one condition, between which nothing changes.
  bool areRelated(std::span<const Use> a, std::span<const Use> b, bool atOnce = false) const;
  /// The same by what each is made of, or was assigned under: `y = f ? a : b` hangs on `a`, and `a` not on `f`. Of what
  /// hangs on too much to tell it is not known: they may.
  bool haveCommonOrigin(std::span<const Use> a, std::span<const Use> b) const;
  /// By two names the same may be asked of one object (`Use::aspects`).
  static bool areMeasuredAlike(std::span<const Use> a, std::span<const Use> b);
  /// Several paths leave among its elements what is not worked out: nobody knows whether a condition on it may turn out
  /// either way.
  bool isCarried(const clang::Decl *v) const;
  /// It may be assigned on several paths: what it is hangs on which was taken.
  bool isMixed(const clang::Decl *v) const;
  /// It counts the trips of a loop that may end before its condition says so.
  bool isLeftEarly(const clang::Decl *v) const;
  /// \p condition asks for the only way that leaves a loop early: none has left before.
  bool isSoleLeave(const clang::Stmt *condition) const { return soleLeaves.contains(condition); }
  /// Code is nested too deep to be read to its end: anything may hang on anything.
  bool isIncomplete() const { return isCut; }
  /// It is changed by one `++` (1) or `--` (-1) of a loop and nothing else; 0 for any other.
  int counts(const clang::Decl *v) const;
  /// Whatever changes it steps it, always up (1) or always down (-1); 0 for any other.
  int steps(const clang::Decl *v) const;

private:
  friend class RelationReader;
  struct Variable {
    const clang::Decl *above = nullptr; ///< the group's, up to one that has none
    unsigned height = 0;                ///< how far it is up from the lowest below it, at most
    Names from;                         ///< what it was made of, or assigned under
    unsigned loops = 0;                 ///< around its declaration
    unsigned changes = 0;
    int step = 0;             ///< of its last change, where that counts
    int steps = 0;            ///< of all of its changes, where that is one
    bool isLeftEarly = false; ///< the loop that counts it may end before its condition says so
    bool isCarried = false;
    bool isMixed = false;
    bool holdsElements = false; ///< has some from the start, or gets some on every path
    bool isContainer = false;
    Names places;                           ///< of a pointer or reference: what it may lead to
    bool isMade = false;                    ///< it began with something else than another variable
    bool isWrittenThrough = false;          ///< what it leads to is changed
    const clang::Decl *same = nullptr;      ///< the variable that it began with
    const clang::Decl *elementOf = nullptr; ///< of a loop over a range: the container; of an iterator: where it leads
    bool isIterator = false;
  };
  const clang::Decl *groupOf(const clang::Decl *v) const;
  using Origins = llvm::DenseSet<const clang::Decl *>;
  /// What \p v hangs on, and what that hangs on; nothing where that is too much to tell.
  std::optional<Origins> originsOf(const clang::Decl *v) const;
  /// It was given from outside, and nothing that was read changes it.
  bool isGiven(const clang::Decl *v) const;
  bool areApart(const Use &a, const Use &b, bool atOnce) const;
  void unite(const clang::Decl *v, const Names &others);

  llvm::DenseMap<const clang::Decl *, Variable> variables;
  llvm::DenseSet<const clang::FunctionDecl *> known;
  llvm::DenseSet<const clang::Stmt *> soleLeaves;
  bool isCut = false; ///< see `isIncomplete`
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_RELATIONS_H
