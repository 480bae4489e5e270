//===- TracedCode.h - Questions about traced code ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_TRACEDCODE_H
#define CONDLINT_CXX_TRACING_TRACEDCODE_H

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace condlint::cxx {

/// What a host value hangs on.
enum class Dependence : std::uint8_t { Nothing, Flag, Value };

bool isModule(const clang::CXXRecordDecl *record); ///< torch::nn::Module, or derived from it
bool isTensor(clang::QualType type);
/// A module, a holder of one, or a pointer to one.
bool isModuleLike(clang::QualType type);
/// The name of the function that \p call calls, when it is libtorch's; else empty.
llvm::StringRef torchCallee(const clang::CallExpr *call);
/// `[this->]is_training()`.
bool isOwnFlag(const clang::Expr *e);
/// `child->is_training()`.
bool isOtherModulesFlag(const clang::Expr *e);
/// `is_training()` or `training` of a class that is no module.
bool isImpostorsFlag(const clang::Expr *e);

/// The locals of one function, by how they are assigned.
class Locals {
public:
  explicit Locals(const clang::Stmt *body);
  /// What the one and only assignment of \p v gives it; null when there are several.
  const clang::Expr *onlyValue(const clang::VarDecl *v) const;
  const std::multimap<const clang::VarDecl *, const clang::Expr *> &values() const { return assigned; }
  /// The parameter \p v hangs on \p d where the function is called.
  void give(const clang::VarDecl *v, Dependence d) { parameters[v] = d; }
  Dependence given(const clang::VarDecl *v) const {
    const auto known = parameters.find(v);
    return known == parameters.end() ? Dependence::Nothing : known->second;
  }

private:
  std::map<const clang::VarDecl *, Dependence> parameters;
  std::multimap<const clang::VarDecl *, const clang::Expr *> assigned;
};

/// What the host value of \p e hangs on, through locals and functions of this unit.
Dependence dependenceOf(const clang::Expr *e, const Locals &locals);

/// A call in \p arm, as nnScaler counts calls: not an operator, a conversion, a
/// copy, or std::move (NS2, NS4).
bool holdsCall(const clang::Expr *arm);
/// Why \p arm must not be evaluated always (NS5); empty when it may.
std::string unsafeToEvaluate(const clang::Expr *arm, clang::ASTContext &ast);
/// Why an arm of `where(condition, …)` must not be (NS10), the first one \p onTrue;
/// \p writes tells an in-place write from a gradient that is lost. Empty when it may.
std::string unsafeInWhere(const clang::Expr *condition, const clang::Expr *arm, bool onTrue, const Locals &locals,
                          clang::ASTContext &ast, bool &writes);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_TRACEDCODE_H
