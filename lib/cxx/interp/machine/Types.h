//===- Types.h - Questions about C++ types ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_TYPES_H
#define CONDLINT_CXX_INTERP_MACHINE_TYPES_H

#include "../values/Value.h"
#include <clang/AST/Type.h>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class NamedDecl;
} // namespace clang

namespace condlint::cxx {

/// The kind of number that \p type is (enumerations are integers); nothing for other types.
std::optional<Number::Kind> numberKind(clang::QualType type);
/// The type of the part \p step of a \p whole: a field's, the element type of
/// a container of the standard library or of one like it. Null where that is not known.
clang::QualType partType(clang::ASTContext &ast, clang::QualType whole, const Step &step);
/// \p v as a number of the floating \p type holds it.
double roundedTo(clang::QualType type, double v);
/// The function \p f as a value. What a lambda without captures becomes as a pointer
/// calls it, and has no body in the source: it is the lambda.
Value callableOf(const clang::FunctionDecl &f);
/// How many parts each object of the type \p whole has: of a tuple, a pair or an array.
std::optional<std::int64_t> partCount(clang::ASTContext &ast, clang::QualType whole);
/// The \p i-th type argument of a class template's specialisation, packs
/// flattened; null when there is none.
clang::QualType typeArgument(clang::QualType type, unsigned i);
unsigned typeArgumentCount(clang::QualType type);
/// The \p i-th argument of a specialisation, if it is an integer.
std::optional<std::int64_t> integerArgument(const clang::NamedDecl &d, unsigned i);
/// What a pointer, smart pointer or iterator to it points to; null for others.
clang::QualType pointeeType(clang::QualType type);
/// \p t as what an object of it is: no reference, no qualifiers, no alias.
clang::QualType plainType(clang::QualType t);
/// A string or a view of one, of plain characters, or a pointer to such.
bool isTextType(clang::QualType t);
/// What `typeid(t)` refers to: equal for one type, and for no other.
Value typeInfo(clang::QualType t);
/// "ns::Class::name", without template arguments and inline or unnamed namespaces.
std::string qualifiedNameOf(const clang::NamedDecl &d);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_TYPES_H
