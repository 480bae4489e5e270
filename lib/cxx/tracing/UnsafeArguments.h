//===- UnsafeArguments.h - Where operators have no finite gradient -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `torch::where` does not take is evaluated all the same, and gets the gradient zero:
// NaN, where the operator's own gradient is infinite or none. Found by running each
// operator of torch 2.13 on float32, with the gradient zero from above.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_UNSAFEARGUMENTS_H
#define CONDLINT_CXX_TRACING_UNSAFEARGUMENTS_H

#include <functional>
#include <optional>
#include <string_view>

namespace condlint::cxx {

/// For which numbers something is not safe.
using Region = std::function<bool(double)>;

/// For which values of its operand the operator \p name is not safe; null: for none.
Region unsafeOperand(std::string_view name);
/// The same of the second operand of those that have two.
Region unsafeSecondOperand(std::string_view name);
/// The same of the base of a power. \p exponent: none where it is no number that is written down.
Region unsafeBase(std::optional<double> exponent);
/// The same of the logarithm of the gamma function of that many dimensions.
Region unsafeMultigamma(std::optional<double> order);
/// The same of what something is divided by.
Region unsafeDivisor();
/// The same of the exponent of a power. \p base: as above.
Region unsafeExponent(std::optional<double> base);
/// What \p name makes of a number, for operators that say it; null for others.
std::function<double(double)> functionOf(std::string_view name);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_UNSAFEARGUMENTS_H
