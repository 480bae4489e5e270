//===- Calls.h - From a call expression to what it comes to -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call: what is called, its arguments, and in which order the domain, the models of the
// library and bodies are asked for what it does.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_CALLS_H
#define CONDLINT_CXX_INTERP_MACHINE_CALLS_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Calls {
public:
  explicit Calls(Machine &machine) : m(machine) {}
  Value evalCall(const clang::CallExpr &e);
  /// A call that does not compile: what is left of it.
  Value evalBroken(const clang::Expr &e);
  Argument argument(const clang::Expr *e, clang::QualType parameter);
  std::vector<Argument> arguments(std::span<clang::Expr *const> args, const clang::FunctionDecl *callee,
                                  std::size_t skip = 0);
  Value dispatch(Call &call);
  Value dispatched(Call &call);
  void bindParameters(Frame &f, const clang::FunctionDecl &function, std::vector<Argument> &arguments);
  /// It has a body that is looked into, as far as no limit forbids it.
  bool isSeen(const clang::FunctionDecl &function) const;
  bool mayInline(const clang::FunctionDecl &function) const;
  /// Makes the callee of a virtual call the method that runs, or the call an open one.
  void resolveVirtual(Call &call);
  /// What the body of \p function comes to, from a summary where there is one.
  Value inlined(const clang::FunctionDecl &function, std::optional<Pointer> self, std::vector<Argument> &arguments,
                const clang::Expr *site, const ReturnHandler &onReturn);
  /// How often \p definition runs already.
  unsigned running(const clang::FunctionDecl &definition) const;

private:
  /// The same, whatever was called before.
  Value runBody(const clang::FunctionDecl &function, std::optional<Pointer> self, std::vector<Argument> &arguments,
                const clang::Expr *site, const ReturnHandler &onReturn);

  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_CALLS_H
