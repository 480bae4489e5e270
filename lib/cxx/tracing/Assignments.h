//===- Assignments.h - What variables of traced code are given --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_ASSIGNMENTS_H
#define CONDLINT_CXX_TRACING_ASSIGNMENTS_H

#include "TracedCode.h"
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace condlint::cxx {

/// One step into a value: to a field, or to an element that is known by its
/// position (of a pair, a tuple, a container); or to what a container is as a whole.
struct PartStep {
  static constexpr std::uint64_t size = ~std::uint64_t{0}; ///< how many elements there are
  static constexpr std::uint64_t keys = size - 1;          ///< which keys there are

  const clang::FieldDecl *field = nullptr;
  std::uint64_t element = 0;
  friend auto operator<=>(const PartStep &, const PartStep &) = default;
};
using Steps = std::vector<PartStep>;

/// What \p e is a part of: `s.peak` of `s`, `v[1]` of `v`, `*p` of `p`.
struct Part {
  const clang::Expr *whole = nullptr; ///< null: \p e is no part
  std::optional<PartStep> step;       ///< none: all of it, or an element that is not known
  const clang::Expr *index = nullptr; ///< the subscript
  bool isElement = false;             ///< an element that is not known, without a subscript
};
Part partOf(const clang::Expr *e, const clang::ASTContext &ast);
/// The step to the element at \p index, where that is known.
std::optional<PartStep> elementAt(const clang::Expr *index, const clang::ASTContext &ast);

/// What the variables and fields of traced functions are given, whatever the order
/// (which of it is there where a variable is read: ReachingDefinitions.h).
class Assignments {
public:
  explicit Assignments(const clang::ASTContext &a) : ast(a) {}
  /// Adds the assignments and calls of \p f, which has a body.
  void add(const clang::FunctionDecl &f);

  struct Given {
    const clang::Expr *value = nullptr;
    Steps into;                      ///< the part of the variable that is given it
    Steps from;                      ///< the part of the value that it is given
    bool asElement = false;          ///< a container gets it as one of its elements, no matter which
    Steps within;                    ///< the part of that element
    bool whole = false;              ///< nothing is left of what was in that part before
    const clang::Stmt *by = nullptr; ///< the assignment or call; null: no single place
  };
  /// Assignments to \p v (a field: of `this`), without its initializer.
  const std::vector<Given> &to(const clang::ValueDecl *v) const;

  /// What the loop that declares \p v goes over; null: no such loop.
  const clang::Expr *rangeOf(const clang::VarDecl *v) const {
    const auto found = ranges.find(v);
    return found == ranges.end() ? nullptr : found->second;
  }

  /// Calls that may assign to a variable: it is bound to the parameter, or pointed at.
  struct Passed {
    const clang::Expr *call = nullptr;
    const clang::ParmVarDecl *parameter = nullptr;
    Steps into;
  };
  const std::vector<Passed> &passed(const clang::ValueDecl *v) const;
  /// \p e is the object that runs, `this`, also where every call of a function gives it that as a parameter.
  bool isOwnObject(const clang::Expr *e, unsigned depth = 0) const;
  /// `is_training()` of that object.
  bool isOwnFlag(const clang::Expr *e) const;
  /// The methods that a virtual call of \p method may run besides.
  const std::vector<const clang::CXXMethodDecl *> &overriders(const clang::CXXMethodDecl *method) const;
  /// The calls and constructions that reach \p f, which is a definition.
  const std::vector<const clang::Expr *> &callsOf(const clang::FunctionDecl *f) const;

  /// The part \p steps of the local \p v may be reached by a reference or a pointer, or by
  /// an iterator (which leaves a container its elements).
  bool hasOtherNames(const clang::ValueDecl *v, const Steps &steps) const {
    const bool asWhole = !steps.empty() && steps.front().field == nullptr && steps.front().element >= PartStep::keys;
    return referenced.contains(v) || (!asWhole && iterated.contains(v));
  }

  /// What the one and only assignment of the local \p v gives it; null when there
  /// are several, or its value is written in place.
  const clang::Expr *onlyValue(const clang::VarDecl *v) const;
  /// What \p v was last given before \p at, in the order of the source; null: nothing.
  const clang::Expr *lastValue(const clang::VarDecl *v, const clang::Expr *at) const;

private:
  struct Collector;
  const clang::ASTContext &ast;
  std::map<const clang::ValueDecl *, std::vector<Given>> given;
  std::map<const clang::ValueDecl *, std::vector<Passed>> bound;
  std::set<const clang::ValueDecl *> referenced, iterated;
  std::map<const clang::VarDecl *, const clang::Expr *> ranges;
  std::map<const clang::FunctionDecl *, std::vector<const clang::Expr *>> calls;
  std::map<const clang::CXXMethodDecl *, std::vector<const clang::CXXMethodDecl *>> overriding;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_ASSIGNMENTS_H
