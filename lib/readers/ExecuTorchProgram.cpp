//===- ExecuTorchProgram.cpp - A program that is no model any more --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchProgram.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace condlint {

namespace {

constexpr std::string_view contents = "its memory plan and kernels and no longer the model";
constexpr std::string_view advice = "with `--target executorch`";
constexpr std::size_t mostNamed = 3;

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

void ProgramsLeftOut::add(std::string path) {
  ++count;
  if (first.size() < mostNamed)
    first.push_back(std::move(path));
}

void ProgramsLeftOut::add(const ProgramsLeftOut &others, std::string_view folder) {
  for (const std::string &name : others.first)
    add(std::string(folder) + name);
  count += others.count - others.first.size();
}

std::string ProgramsLeftOut::note() const {
  if (empty())
    return {};
  const bool isOne = count == 1;
  return fmt::format("left out: {}{} {} of ExecuTorch, which {} {}: check the .pt2 {} made from, {}",
                     fmt::join(first, ", "),
                     count > first.size() ? fmt::format(" and {} more", count - first.size()) : std::string(),
                     isOne ? "is a program" : "are programs", isOne ? "holds" : "each hold", contents,
                     isOne ? "it is" : "they are", advice);
}

} // namespace condlint
