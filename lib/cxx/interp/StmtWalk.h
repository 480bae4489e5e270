//===- StmtWalk.h - Looks through a statement -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_STMTWALK_H
#define CONDLINT_CXX_INTERP_STMTWALK_H

#include <clang/AST/Stmt.h>
#include <cstdint>
#include <vector>

namespace condlint::cxx {

/// What \ref findStatement does behind a statement.
enum class Walk : std::uint8_t {
  On,    ///< looks into it
  Past,  ///< leaves out what is inside
  Found, ///< ends
};

/// Asks \p visit for \p root and what is inside of it; true when something was found.
template <class Visit> bool findStatement(const clang::Stmt *root, const Visit &visit) {
  std::vector<const clang::Stmt *> open{root};
  while (!open.empty()) {
    const clang::Stmt *s = open.back();
    open.pop_back();
    const Walk next = s ? visit(*s) : Walk::Past;
    if (next == Walk::Found)
      return true;
    if (next == Walk::On)
      open.insert(open.end(), s->child_begin(), s->child_end());
  }
  return false;
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_STMTWALK_H
