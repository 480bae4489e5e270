//===- HostValues.h - Host values of traced code ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_HOSTVALUES_H
#define CONDLINT_CXX_TRACING_HOSTVALUES_H

#include <clang/AST/ExprCXX.h>
#include <cstdint>

namespace condlint::cxx {

/// The name of a function of libtorch that reads what a tensor holds.
bool isRead(llvm::StringRef name);
/// A pointer to a tensor's elements.
bool isDataPointer(const clang::Expr *e, unsigned depth = 0);
/// An element of a tensor, read on the host.
bool isElement(const clang::Expr *e);

/// A class of the standard library or c10 that holds host values: `std::vector`, its
/// iterators, `std::optional`, `c10::Scalar`. What a user's class holds is known by its fields.
bool isHolder(clang::QualType type);
bool holdsHostValue(clang::QualType type); ///< a holder or a scalar
/// A holder that finds its elements by keys: `std::map`, `std::set`.
bool isKeyed(clang::QualType type);
/// An iterator or a pointer.
bool isPosition(clang::QualType type);

/// What a call asks of a holder.
enum class HolderQuestion : std::uint8_t {
  Other,   ///< what it holds
  Kind,    ///< whether there is something, or of what kind: says nothing of what it is
  HowMany, ///< how many elements there are, or where one stands among them
  Key,     ///< whether there is a key
};
HolderQuestion askedBy(const clang::CallExpr *call);

/// A std::function.
bool isFunctionObject(const clang::Expr *e);
/// What may be called: a lambda, a function, or a variable that holds one.
bool isCallable(const clang::Expr *e);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_HOSTVALUES_H
