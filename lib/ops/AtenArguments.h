//===- AtenArguments.h - What types of parameters take ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENARGUMENTS_H
#define CONDLINT_OPS_ATENARGUMENTS_H

#include "AtenTypes.h"
#include "InferState.h"
#include <string>
#include <string_view>

namespace condlint {

/// What an argument of a type is to people; empty for types that are not judged.
std::string_view spellParameter(AtenType type);

/// A parameter of \p type is given a list.
bool isListType(AtenType type);

/// A literal that torch takes for a parameter of another kind, and of which the file does not say what it comes to: a
/// constant of torch for a number, which is one in torch's own code, a number for such a constant, any number for a
/// bool, a bool for a list.
bool isTakenForAnother(const Model &m, const Attribute &a, AtenType type);

/// Torch takes \p a for a parameter of \p type, or converts it; \p takesNumbers where a number stands for a tensor.
bool admits(InferContext &ctx, const Attribute &a, AtenType type, bool takesNumbers);

/// Torch takes \p a for a parameter of \p type whose schema writes its integers so: a constant of torch is an int and
/// no SymInt, an int stands for a list that has its length in the schema, a text is a list of SymInt, and no list has
/// none in the place of a number.
bool suitsIntegers(InferContext &ctx, const Attribute &a, AtenType type, AtenIntegers integers);

/// A list, of whatever kind, in which there is nothing.
bool isEmptyList(const Model &m, const Attribute &a);

/// What \p a is to people: "the string 'abc'", "1.5", "a tensor".
std::string spellArgument(InferContext &ctx, const Attribute &a);

} // namespace condlint

#endif // CONDLINT_OPS_ATENARGUMENTS_H
