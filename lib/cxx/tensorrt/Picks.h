//===- Picks.h - Values that code picks for what it builds ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_PICKS_H
#define CONDLINT_CXX_TENSORRT_PICKS_H

#include <clang/AST/Type.h>
#include <span>

namespace clang {
class ASTContext;
class Stmt;
class SwitchStmt;
} // namespace clang

namespace condlint::cxx {

/// Dims, or one of a fixed number: Dims2, DimsHW, …
bool isDimensions(clang::QualType type);

/// What code picks with an `if` or `?:` of these \p arms, of which one may be null.
enum class Pick {
  None,
  Other,         ///< anything else, or what a list, a map or an object then holds: `if (half) names.push_back("cast");`
  OtherReturned, ///< an object, a text or something to call that a function gives back
  Value,         ///< an element type, dimensions, or a number that is written down: `half ? kHALF : kFLOAT`
  Returned       ///< an element type that a function gives back: `if (half) return kHALF;`
};

Pick pickOf(const clang::ASTContext &ast, std::span<const clang::Stmt *const> arms);
/// What code picks with the switch \p s.
Pick pickIn(const clang::SwitchStmt &s);
inline bool isReturned(Pick p) { return p == Pick::OtherReturned || p == Pick::Returned; }
inline bool isOther(Pick p) { return p == Pick::Other || p == Pick::OtherReturned; }

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_PICKS_H
