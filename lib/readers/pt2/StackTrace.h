//===- StackTrace.h - The user's line in a recorded stack trace -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_STACKTRACE_H
#define CONDLINT_LIB_READERS_PT2_STACKTRACE_H

#include "condlint/Source.h"
#include <string_view>

namespace condlint::pt2 {

/// The user's place in \p escaped, a Python stack trace as it stands between
/// the quotes of a JSON string: the first frame that is neither inside torch
/// nor in generated code (`<eval_with_key>`). Invalid when there is none.
SourceLocation locationOfStackTrace(std::string_view escaped);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_STACKTRACE_H
