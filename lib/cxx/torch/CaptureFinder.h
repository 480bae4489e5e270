//===- CaptureFinder.h - Which variable of outside a place is --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which variable of outside a place is, and what it is to a branch.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_CAPTUREFINDER_H
#define CONDLINT_CXX_TORCH_CAPTUREFINDER_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::CaptureFinder {
public:
  explicit CaptureFinder(TorchDomain &torch) : domain(torch) {}
  Variable variableOf(const Place &p, const BranchScope &scope);
  std::string pointerTo(ObjectId o, const BranchScope &scope) const;
  /// Says of a `cxx.read` or `cxx.write` which variable it is, or which part of one.
  void addVariable(NodeDraft &d, std::int64_t number, std::int64_t whole);
  std::int64_t variableNumber(ObjectId top, const std::string &key, const std::string &name);
  /// The object in which the value from outside lies in the end, and the member of it that leads there.
  ObjectId topOf(ObjectId o) const;
  std::string memberTo(SymbolId s) const;
  /// Where \p v, which is used at \p at, is named in the branch: at the call of its own method; it is used as a
  /// \p module where that is one of a module.
  LocationId useOf(const Variable &v, const clang::Expr *at, const BranchScope &scope, Attribute &calls, bool &module);
  BranchScope *outermostScope(ObjectId o);
  bool holdsNumbers(clang::QualType type) const;
  /// What the value \p v at \p p is to a branch that reads it at \p at; \c Other for what cannot matter.
  Capture captured(const Place &p, const Value &v, const clang::Expr *at);
  /// What is left of \p after, which a branch wrote over \p before in the variable at \p p.
  Value leaked(const Place &p, const Value &before, const Value &after, const BranchScope &scope, unsigned depth = 0);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_CAPTUREFINDER_H
