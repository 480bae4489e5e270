//===- BelievedShape.h - Shapes that only a declaration says ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_BELIEVEDSHAPE_H
#define CONDLINT_CHECKS_ENGINE_BELIEVEDSHAPE_H

#include "RuleContext.h"
#include <optional>
#include <string>

namespace condlint {

/// The type that counts for a rule (`RuleContext::typeOf`), without what only declarations say of its shape: no proof
/// rests on their word alone. That of another format than ONNX is as it is.
const Type &undeclaredTypeOf(const RuleContext &ctx, ValueId v);

/// Why it is not known that the two values of \p o, whose types agree so far, have one rank, and with \p sizes one
/// shape: only a declaration says so. Empty where it follows without.
std::string whyOnlyDeclaredAlike(const RuleContext &ctx, const Output &o, bool sizes);

/// Why it is not known that the two values of \p o, whose types are apart in rank, or in the size of their axis \p
/// axis, are so when they are computed: only a declaration says so, which no system holds an operator to that it does
/// not know. Empty where it follows without, and of an If-1, whose branches onnx's inference holds against each other
/// as they are declared.
std::string whyOnlyDeclaredApart(RuleContext &ctx, const Output &o, std::optional<std::size_t> axis);

/// "nothing but a declaration says that 'r' is of rank 2", or that its axis \p axis is as it is.
std::string nothingElseSaysRank(const RuleContext &ctx, ValueId v);
std::string nothingElseSaysSize(const RuleContext &ctx, ValueId v, std::size_t axis);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_BELIEVEDSHAPE_H
