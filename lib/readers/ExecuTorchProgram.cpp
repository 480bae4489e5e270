//===- ExecuTorchProgram.cpp - A program that is no model any more --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchProgram.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

namespace {

constexpr std::string_view contents = "its memory plan and kernels and no longer the model";
constexpr std::string_view advice = "with `--target executorch`";

} // namespace

bool isExecuTorchProgram(std::string_view bytes) {
  // The offset of the root table, and the identifier: schema/program.fbs.
  constexpr std::size_t at = 4, size = 4;
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  return bytes.size() >= at + size && bytes.substr(at, 2) == "ET" && isDigit(bytes[at + 2]) && isDigit(bytes[at + 3]);
}

bool isNamedExecuTorchProgram(std::string_view path) { return path.ends_with(".pte"); }

Error executorchProgramError(const std::string &path) {
  return Error{path,
               {},
               fmt::format("is a program of ExecuTorch, which holds {}", contents),
               fmt::format("check the .pt2 it is made from, {}", advice)};
}

std::string executorchProgramsNote(std::span<const std::string> paths) {
  constexpr std::size_t mostNamed = 3;
  if (paths.empty())
    return {};
  const std::size_t named = std::min(paths.size(), mostNamed);
  const bool isOne = paths.size() == 1;
  return fmt::format("left out: {}{} {} of ExecuTorch, which {} {}: check the .pt2 {} made from, {}",
                     fmt::join(paths.first(named), ", "),
                     paths.size() > named ? fmt::format(" and {} more", paths.size() - named) : std::string(),
                     isOne ? "is a program" : "are programs", isOne ? "holds" : "each hold", contents,
                     isOne ? "it is" : "they are", advice);
}

} // namespace condlint
