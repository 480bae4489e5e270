//===- ExecuTorchProgram.h - A program that is no model any more -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_EXECUTORCHPROGRAM_H
#define CONDLINT_READERS_EXECUTORCHPROGRAM_H

#include "condlint/Expected.h"
#include <span>
#include <string>
#include <string_view>

namespace condlint {

/// Whether \p bytes are those of a program of ExecuTorch (a .pte), which is named as what it is wherever a model is
/// asked for: a flatbuffer with the identifier of some version of its schema.
bool isExecuTorchProgram(std::string_view bytes);

/// Whether a file of this name is meant to be one.
bool isNamedExecuTorchProgram(std::string_view path);

/// What it is, and what to check in its place.
Error executorchProgramError(const std::string &path);

/// The same of those that lie beside a model and are left out; empty where there are none.
std::string executorchProgramsNote(std::span<const std::string> paths);

} // namespace condlint

#endif // CONDLINT_READERS_EXECUTORCHPROGRAM_H
