//===- WrittenOutputs.h - Where a return spells its outputs -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_WRITTENOUTPUTS_H
#define CONDLINT_CXX_TORCH_WRITTENOUTPUTS_H

#include <clang/Basic/SourceLocation.h>
#include <optional>
#include <vector>

namespace clang {
class Expr;
class FunctionDecl;
class ReturnStmt;
} // namespace clang

namespace condlint::cxx {

/// The expression that a `return` spells for one of its outputs.
struct WrittenOutput {
  clang::SourceRange range;
  bool compound = false; ///< a call of a method can only follow it in parentheses
};

/// The expressions of the tensors that \p statement of \p function returns, in
/// their order; nothing where they are not all written in it, or where to write
/// something else there would mean more than this return: in a macro, in a template
/// of which there may be other instances, in a function that returns a reference.
std::vector<WrittenOutput> writtenOutputs(const clang::ReturnStmt &statement, const clang::FunctionDecl &function);

/// Whether the argument \p e of a call in \p function needs parentheses before an operator
/// can follow it; nothing where to write something there would mean more than this call.
std::optional<bool> needsParentheses(const clang::Expr &e, const clang::FunctionDecl &function);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_WRITTENOUTPUTS_H
