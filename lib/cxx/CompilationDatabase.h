//===- CompilationDatabase.h - Where compile commands stand -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names that the module that reads C++, the program and its language server
// look for. Nothing here needs Clang.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_COMPILATIONDATABASE_H
#define CONDLINT_CXX_COMPILATIONDATABASE_H

#include <array>
#include <string_view>

namespace condlint {

/// A command for each source, as CMake, Bear and Bazel's extractors write it (Clang's "JSON Compilation Database").
inline constexpr std::string_view compileCommandsName = "compile_commands.json";

/// Flags, a line each, for every source below the folder.
inline constexpr std::string_view compileFlagsName = "compile_flags.txt";

/// Below a folder, in the order in which they are looked for: the first that is there counts.
inline constexpr std::array<std::string_view, 3> compilationDatabases{compileCommandsName,
                                                                      "build/compile_commands.json", compileFlagsName};

} // namespace condlint

#endif // CONDLINT_CXX_COMPILATIONDATABASE_H
