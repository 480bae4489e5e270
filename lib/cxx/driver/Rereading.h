//===- Rereading.h - Another body in a parsed source ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_REREADING_H
#define CONDLINT_CXX_DRIVER_REREADING_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace condlint::cxx {

/// A source with blanks at the ends of its lines: lines and columns are what they were, and where a body grows later
/// what stands behind it stays where it is.
class RoomyText {
public:
  explicit RoomyText(std::string text);

  const std::string &plain() const { return original; }
  const std::string &text() const { return roomy; }
  /// Of an offset in that text the one in the plain text.
  std::size_t toPlain(std::size_t roomy) const;

private:
  std::string original, roomy;
  std::vector<std::size_t> ends; ///< before these there is room
};

/// Brings the AST, which was parsed to the end from \p roomy, to what parsing \p text would yield, where the two differ
/// inside the body of one function that nothing else is made of: its old body is taken out and the new one parsed.
/// \p declarations are what the project's files declare. \returns false where more must be parsed; the AST is of
/// no use then. What was instantiated for the old body alone, and names nothing, stays.
bool rereadBody(clang::Sema &sema, std::vector<clang::Decl *> &declarations, const RoomyText &roomy,
                std::string_view text);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_REREADING_H
