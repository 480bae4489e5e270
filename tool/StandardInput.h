//===- StandardInput.h - What comes from standard input ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_STANDARDINPUT_H
#define CONDLINT_TOOL_STANDARDINPUT_H

#include "condlint/Expected.h"
#include <cstddef>
#include <string>

namespace condlint {

/// The most that is kept of standard input, which may have no end: half of the machine's memory.
std::size_t mostOfStandardInput();

/// All that is left of standard input.
Expected<std::string> readStandardInput();
/// No more than its first \p size bytes.
Expected<std::string> beginStandardInput(std::size_t size);

} // namespace condlint

#endif // CONDLINT_TOOL_STANDARDINPUT_H
