//===- LateInstantiation.h - Bodies that nobody asked for -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_LATEINSTANTIATION_H
#define CONDLINT_CXX_DRIVER_LATEINSTANTIATION_H

#include <llvm/ADT/ArrayRef.h>

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace condlint::cxx {

/// Instantiates the templates below \p declarations that were declared for a
/// use, and whose body nothing demanded because the function that calls them was
/// skipped: a generic lambda that ends up in a std::function, or is in another unit:
/// the forward of a module.
void instantiateUsedTemplates(clang::Sema &sema, llvm::ArrayRef<clang::Decl *> declarations);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_LATEINSTANTIATION_H
