//===- Statements.h - Statements --------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each kind of statement does, and how a condition is followed.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_STATEMENTS_H
#define CONDLINT_CXX_INTERP_MACHINE_STATEMENTS_H

#include "Machine.h"

namespace condlint::cxx {

/// The kinds of statements.
class Machine::Statements {
public:
  explicit Statements(Machine &machine) : m(machine) {}
  void run(const clang::Stmt *s);
  /// What \p condition, which may declare \p variable, comes to.
  Value conditionOf(const clang::VarDecl *variable, const clang::Expr *condition);
  /// Runs \p yes where \p condition holds and \p no where it does not: one of them, or both and joins them. The
  /// condition is that of \p at, which stands before \p yesArm and \p noArm.
  void branchOn(const Value &condition, const std::function<void()> &yes, const std::function<void()> &no,
                const clang::Stmt *at, const clang::Stmt *yesArm, const clang::Stmt *noArm);
  /// A condition that is not known: what it comes to, what it is and tests, and what it decides.
  struct Followed {
    const Value &condition;
    const clang::Stmt *asked;
    const std::shared_ptr<const Test> &test;
    const clang::Stmt *at;
  };
  /// As \ref branchOn, of one that comes out either way: both paths, or the \p only one.
  void follow(const Followed &what, const std::function<void()> &yes, const std::function<void()> &no,
              std::optional<bool> only = std::nullopt);

private:
  void runBlock(const clang::CompoundStmt &block);
  void runDecl(const clang::Stmt *s);
  void runVariable(const clang::VarDecl &v);
  /// What making a static variable of a function does the first time that its declaration is reached.
  void initialiseOnce(const clang::VarDecl &v);
  void runIf(const clang::IfStmt &s);
  void runReturn(const clang::ReturnStmt &s);
  void runInTry(const clang::CXXTryStmt &s);
  void runSwitch(const clang::SwitchStmt &s);
  void runRange(const clang::CXXForRangeStmt &s);
  void runTry(const clang::CXXTryStmt &s);
  void runTryBlock(const clang::CXXTryStmt &s);
  /// Runs the handler of the exception that the block of \p s has ended in for certain; false where there is none.
  bool runCertainHandler(const clang::CXXTryStmt &s);
  /// \p what, which was thrown at \p from, is caught; null where that is not known.
  void runHandler(const clang::CXXCatchStmt &handler, const clang::CXXThrowExpr *from, const Value &what);
  /// The state in which the handlers of a block begin that wrote \p written.
  void enterHandlers(const Trace &written);
  /// Evaluates \p e, of which nobody takes the value.
  void discard(const clang::Expr &e);

  Machine &m;
};

/// Which handler of \p s an exception of the type \p thrown ends in.
std::optional<unsigned> handlerOf(const clang::CXXTryStmt &s, clang::QualType thrown);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_STATEMENTS_H
