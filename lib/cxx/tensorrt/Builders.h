//===- Builders.h - The functions of a unit that build ------------*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_BUILDERS_H
#define CONDLINT_CXX_TENSORRT_BUILDERS_H

#include "../Reading.h"
#include "TensorRtDomain.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>

namespace condlint::cxx {

/// Which functions of a unit's own code build, by themselves or by what they call,
/// and from which of them to begin.
class Builders {
public:
  Builders(clang::ASTContext &ast, const SourceOptions &options, TensorRtClasses &classes);

  bool empty() const { return direct.empty(); }
  /// The functions that nobody else in the unit calls, in the order in which they
  /// are best run.
  const std::vector<const clang::FunctionDecl *> &roots() const { return first; }
  /// The functions that build themselves, in the order of the unit.
  const std::vector<const clang::FunctionDecl *> &builders() const { return direct; }
  /// \p f builds, or something that it calls does.
  bool leads(const clang::FunctionDecl *f) const;
  bool isOwn(const clang::FunctionDecl &f);

private:
  void walk(const clang::DeclContext &context, unsigned depth);
  void visit(const clang::FunctionDecl *f);

  clang::ASTContext &context;
  BodyFilter filter;
  TensorRtClasses &cls;
  std::vector<const clang::FunctionDecl *> all;
  std::vector<const clang::FunctionDecl *> direct;
  std::vector<const clang::FunctionDecl *> first;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallSetVector<const clang::FunctionDecl *, 4>> callers;
  llvm::DenseSet<const clang::FunctionDecl *> seen;
  llvm::DenseSet<const clang::FunctionDecl *> leading;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_BUILDERS_H
