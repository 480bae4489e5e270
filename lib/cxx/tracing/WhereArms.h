//===- WhereArms.h - Arms of torch::where that are not safe (NS10) -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_WHEREARMS_H
#define CONDLINT_CXX_TRACING_WHEREARMS_H

#include "Assignments.h"
#include <string>

namespace condlint::cxx {

/// Why an arm of `where(condition, …)` must not be evaluated always (NS10).
struct UnsafeArm {
  std::string why;        ///< empty: it may be
  bool isOperand = false; ///< an operator takes what it is not safe for
  bool writes = false;    ///< it writes in place; otherwise it is a gradient that is lost, or numbers that are drawn
};

/// Of \p arm, the first one when \p onTrue, beside the arm \p other; through locals that are assigned once and
/// functions of this unit. What is drawn or written for a local that the condition or the other arm reads too happens
/// whichever arm is taken.
UnsafeArm unsafeInWhere(const clang::Expr *condition, const clang::Expr *arm, const clang::Expr *other, bool onTrue,
                        const Assignments &assignments, clang::ASTContext &ast);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_WHEREARMS_H
