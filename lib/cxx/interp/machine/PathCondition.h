//===- PathCondition.h - What conditions ask --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (c) y = y.clone();` and further down `if (c) y.add_(1);`: joined, `y` may be either
// tensor, but the second arm meets only one of them. The paths are not followed apart;
// it is only known that the second condition asks what the first one asked, or asks
// for what was written there (`owned = true`), and may exclude one of the two.
//
// `if (c) return x;` and further down `if (d) y.add_(1);` where `d` was made of `c`: that it is
// ever written is not certain, unless what the two ask is worked out.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_PATHCONDITION_H
#define CONDLINT_CXX_INTERP_MACHINE_PATHCONDITION_H

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class Stmt;
} // namespace clang

namespace condlint::cxx {

class Domain;
class Relations;
class Test;

/// What is asked of a variable: of itself, or of what is got at by way of it (`v.size()`, `v[i]`, `o->mode`).
struct Use {
  const clang::Decl *name = nullptr;
  std::uint64_t access = 0;             ///< how it is got at, by its spelling; 0: itself
  bool isSize = false;                  ///< of a container: how many elements it has
  const clang::Decl *indexOf = nullptr; ///< it only says which element of this one is asked for
  unsigned aspects = 0;                 ///< of the access: `Domain::aspectsOf`
  const clang::Decl *method = nullptr;  ///< that has these
  bool isElement = false;               ///< of a container: one that is told from others by its index or key
  friend bool operator==(const Use &, const Use &) = default;
};

/// What a condition asks. The first two lists are sorted.
struct Asked {
  std::vector<std::uint64_t> questions; ///< by their spelling, without `!`, `&&` and `||`
  std::vector<const clang::Decl *> names;
  std::vector<Use> uses; ///< of these names
  /// It asks for whatever the other one asks for: there are too many of them to keep.
  bool isAny = false;
};

/// Where several paths join.
struct JoinPoint {
  bool determined = false;                  ///< they were chosen by what is determined; see `Number::determined`
  std::uint32_t number = 0;                 ///< of the first condition that chose them; 0: none is known
  Asked asked;                              ///< by the conditions
  std::vector<const clang::Decl *> written; ///< on the paths
  /// What met at \p inner is one of what meets here: who knows the way there may know which of these it is, too.
  void take(const JoinPoint &inner);
};

/// The conditions that decide what runs now.
class PathCondition {
public:
  PathCondition(const clang::ASTContext &ast, const Domain &domain);
  ~PathCondition();
  /// What \p condition asks; local variables stand for what they were initialised with.
  const Asked &asked(const clang::Stmt *condition);
  /// From here on \p condition decides, which is the \p test; null where what it says is kept nowhere. Of a \p loop
  /// it is the condition that there is another trip.
  void add(const clang::Stmt *condition, const Test *test = nullptr, const clang::Stmt *loop = nullptr);
  /// What the two ask for may hang together.
  bool areRelated(const clang::Stmt *a, const clang::Stmt *b);
  /// What \p s asks for hangs together with what was asked before.
  bool asksAgain(const clang::Stmt *s);
  /// As \ref add, of one whose tests are all kept.
  void addKept(const clang::Stmt *condition);
  /// As \ref add, of more conditions than are told apart.
  void addAnything();
  /// Whether \p condition comes out as \p truth in some execution is not certain: what was asked before may exclude
  /// it, or how a loop made what it asks for.
  bool isUnsure(Domain &domain, const clang::Stmt *condition, const Test *test, bool truth);
  Relations &relations() { return *hangsOn; }
  std::size_t size() const { return open.size(); }
  void resize(std::size_t n) { open.resize(n); }
  std::uint32_t lastNumber() const { return last; }
  /// Adds to \p all what those ask that were added behind the first \p from.
  void addAsked(Asked &all, std::size_t from) const;
  /// Whoever asks \p again may know which path was taken to \p where.
  bool isAskedBy(const JoinPoint &where, const Asked &again) const;
  /// One that was made after the condition \p number asks again what was asked before \p where.
  bool askAgain(const JoinPoint &where, std::uint32_t number) const;

private:
  struct Open {
    std::uint32_t number = 0;
    const Asked *asked = nullptr;
    bool isKept = false; ///< what it says is among the domain's constraints
    const clang::Stmt *loop = nullptr;
  };
  bool isMixed(const clang::Decl *name) const;
  bool areRelated(const Asked &a, const Asked &b) const;
  const clang::ASTContext &context;
  const Domain &dom;
  std::vector<Open> open;
  std::uint32_t last = 0;
  llvm::DenseMap<const clang::Stmt *, std::unique_ptr<Asked>> known;
  std::unique_ptr<Relations> hangsOn;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_PATHCONDITION_H
