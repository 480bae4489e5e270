//===- ExecuTorchProgram.h - A program that is no model any more -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_EXECUTORCHPROGRAM_H
#define CONDLINT_READERS_EXECUTORCHPROGRAM_H

#include "condlint/Expected.h"
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// Whether \p bytes are those of a program of ExecuTorch (a .pte), which is named as what it is wherever a model is
/// asked for: a flatbuffer with the identifier of some version of its schema.
bool isExecuTorchProgram(std::string_view bytes);

/// Whether a file of this name is meant to be one.
bool isNamedExecuTorchProgram(std::string_view path);

/// What it is, and what to check in its place.
Error executorchProgramError(const std::string &path);

/// Programs that lie beside models and are left out: how many, and the names of the first, however many there are.
class ProgramsLeftOut {
public:
  void add(std::string path);
  /// Adds those of \p others, whose names stand below \p folder, which ends with a slash.
  void add(const ProgramsLeftOut &others, std::string_view folder);
  bool empty() const { return count == 0; }
  std::span<const std::string> names() const { return first; }
  /// What the report of a model beside them says; empty where there are none.
  std::string note() const;

private:
  std::vector<std::string> first;
  std::size_t count = 0;
};

} // namespace condlint

#endif // CONDLINT_READERS_EXECUTORCHPROGRAM_H
