//===- CxxModule.h - The module that parses C++ -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CXXMODULE_H
#define CONDLINT_TOOL_CXXMODULE_H

#include "condlint/Expected.h"
#include "cxx/CxxReader.h"
#include <string>
#include <string_view>

namespace condlint {

/// The path of \p file among what is loaded when it is needed: the module that reads C++, the one of clang-tidy.
/// Empty where it is not there.
std::string ownModule(std::string_view file);

/// The reader of C++ sources, loaded with Clang's libraries on the first call;
/// it lives as long as the program. The error says why there is none.
Expected<CxxReader *> cxxReader();

} // namespace condlint

#endif // CONDLINT_TOOL_CXXMODULE_H
