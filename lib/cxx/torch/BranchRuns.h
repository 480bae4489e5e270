//===- BranchRuns.h - Branches that are run --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch that is run: what it is given, demands and returns.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_BRANCHRUNS_H
#define CONDLINT_CXX_TORCH_BRANCHRUNS_H

#include "Branch.h"
#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::BranchRuns {
public:
  explicit BranchRuns(TorchDomain &torch) : domain(torch) {}
  Branch runBranch(std::string_view role, Argument &callable, const Operands &operands, const Call &c);
  void findFunction(Branch &b, const Value &target, const Operands &operands);
  /// As many as the branch has: others than operands where it takes too few or too many.
  void addParameters(Branch &b, const Value &target, const Operands &operands, const Call &c);
  /// What kind of value the branch declares where it is another than \p given is.
  void recordKind(ValueId parameter, const Value &given, clang::QualType type);
  void runBody(Branch &b, const Pointer &at, std::vector<Argument> arguments, const clang::Expr *callable,
               const Call &c);
  void noteReturn(Branch &b, const Value &value, const clang::ReturnStmt *statement, const clang::Expr *callable,
                  const Call &c);
  /// Says on the node of \p statement where it spells its outputs.
  void noteWritten(NodeDraft &d, const clang::ReturnStmt &statement, const clang::FunctionDecl &function,
                   std::size_t outputs);
  /// What the branch demands of its parameters on every path.
  void recordDemands(const Branch &b);
  /// What it returns on one of its paths.
  void joinReturns(Branch &b, const Call &c);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_BRANCHRUNS_H
