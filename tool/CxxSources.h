//===- CxxSources.h - The C++ sources of a folder ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CXXSOURCES_H
#define CONDLINT_TOOL_CXXSOURCES_H

#include "Inputs.h"
#include <string>
#include <vector>

namespace condlint {

/// The compile_commands.json in \p folder or in its folder `build`; empty where
/// there is none.
std::string compileCommandsIn(const std::string &folder);
/// The same for the nearest folder above \p folder, itself included.
std::string compileCommandsAbove(const std::string &folder);

/// The C++ sources below \p folder that \p databases (paths of
/// compile_commands.json) know, each once, sorted. What a build made below its
/// own folder is left out. A database that cannot be read is an entry with the
/// problem.
std::vector<InputFile> cxxSourcesBelow(const std::string &folder, const std::vector<std::string> &databases);

} // namespace condlint

#endif // CONDLINT_TOOL_CXXSOURCES_H
