//===- Construction.h - Objects come to be ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How objects come to be: by constructors, from lists of initialisers, by `new`.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_CONSTRUCTION_H
#define CONDLINT_CXX_INTERP_MACHINE_CONSTRUCTION_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Construction {
public:
  explicit Construction(Machine &machine) : m(machine) {}
  /// Constructs in \p at, which holds nothing yet; without it, somewhere.
  Value construct(const clang::CXXConstructorDecl &ctor, std::vector<Argument> arguments, const clang::Expr *site,
                  clang::QualType type, const Pointer *at);
  void initialise(const Pointer &at, clang::QualType type, const clang::Expr *init);
  Value evalInitList(const clang::InitListExpr &e);
  Value evalNew(const clang::CXXNewExpr &e);
  Value evalNewArray(const clang::CXXNewExpr &e);
  Value evalConstruct(const clang::CXXConstructExpr &e);
  /// Runs \p ctor on what lies at \p self, an object of the class \p type: its own, or one
  /// of a base (`using Base::Base`).
  void runConstructor(const clang::CXXConstructorDecl &ctor, const clang::CXXRecordDecl &type, const Pointer &self,
                      std::vector<Argument> &arguments, const clang::Expr *site);
  Value aggregate(clang::QualType type, std::span<clang::Expr *const> inits);
  void runConstructorInitialisers(const clang::CXXConstructorDecl &ctor, const Pointer &self);

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_CONSTRUCTION_H
