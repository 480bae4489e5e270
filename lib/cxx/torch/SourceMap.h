//===- SourceMap.h - Places of Clang's as places of the model ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_SOURCEMAP_H
#define CONDLINT_CXX_TORCH_SOURCEMAP_H

#include "condlint/Graph.h"
#include <clang/Basic/SourceLocation.h>
#include <map>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace condlint::cxx {

/// The place where \p range stands; in a macro, where the outermost macro is
/// expanded. \p function is the qualified name of the function around it.
SourceLocation sourceLocation(const clang::ASTContext &ast, clang::SourceRange range, std::string_view function);
/// Where an expression or statement is seen: a call at the callee's name, an
/// operator at its sign.
clang::SourceLocation placeOf(const clang::Stmt &s);
/// The function whose code it is: for a lambda the function around it.
const clang::FunctionDecl *namedFunction(const clang::FunctionDecl *f);

/// Gives each place of a unit one LocationId in a model.
class SourceMap {
public:
  SourceMap(const clang::ASTContext &context, Model &model) : ast(context), m(model) {}
  LocationId at(clang::SourceRange range, const clang::FunctionDecl *in);
  LocationId at(const clang::Stmt &s, const clang::FunctionDecl *in);

private:
  const clang::ASTContext &ast;
  Model &m;
  std::map<std::tuple<std::uint32_t, std::uint32_t, const clang::FunctionDecl *>, LocationId> known;
  std::map<const clang::FunctionDecl *, std::string> names; ///< qualified
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_SOURCEMAP_H
