//===- ReachingDefinitions.h - What a local holds where --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_REACHINGDEFINITIONS_H
#define CONDLINT_CXX_TRACING_REACHINGDEFINITIONS_H

#include "Assignments.h"
#include <memory>
#include <optional>
#include <vector>

namespace condlint::cxx {

/// Which of the values that a variable is given may still be there where it is read:
/// reaching definitions over the control flow graphs of the traced functions; and what
/// the graphs say besides.
class ReachingDefinitions {
public:
  ReachingDefinitions(const Assignments &given, clang::ASTContext &ast);
  ~ReachingDefinitions();

  struct Values {
    bool first = false; ///< what it begins with: its initializer, or the argument
    std::vector<const Assignments::Given *> given;
    std::vector<const Assignments::Passed *> passed;
  };
  /// What the part \p steps of \p v may hold where \p read reads it, or, for null, where
  /// its function returns. Everything, where the order is not known: \p read is
  /// elsewhere (in a lambda), or \p v may be reached by another name.
  Values at(const clang::VarDecl *v, const Steps &steps, const clang::Expr *read);
  /// The conditions of \p f that decide whether it evaluates \p e. None at all where the order is not known: \p e is
  /// elsewhere (in a lambda).
  std::optional<std::vector<const clang::Expr *>> decisionsOver(const clang::Expr *e, const clang::FunctionDecl *f);
  /// So much was asked that there is no order any more.
  bool isExhausted() const { return stepsLeft == 0; }
  /// Whatever \p v is given anywhere.
  Values everything(const clang::ValueDecl *v) const;

private:
  struct Flow;
  struct Local;
  Flow *flowOf(const clang::FunctionDecl *f);
  const Local &localOf(const clang::VarDecl *v, const Flow &flow);

  const Assignments &assignments;
  clang::ASTContext &ast;
  std::map<const clang::FunctionDecl *, std::unique_ptr<Flow>> flows;
  std::map<const clang::VarDecl *, std::unique_ptr<Local>> locals;
  std::size_t stepsLeft; ///< of all walks together
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_REACHINGDEFINITIONS_H
