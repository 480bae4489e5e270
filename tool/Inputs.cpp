//===- Inputs.cpp - The files behind the arguments ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "StandardInput.h"
#include "condlint/Reader.h"
#include "readers/ExecuTorchProgram.h"
#include <algorithm>
#include <array>
#include <utility>

namespace condlint {

Expected<std::vector<Model>> readInput(const std::string &path) {
  if (isCxxSource(path))
    return Error{path,
                 {},
                 "is C++ source, expected a .pt2, an .onnx or a graph .json",
                 "`condlint check` and `condlint explain --at` read sources"};
  if (path != standardInput)
    return readModel(path);
  Expected<std::string> text = readStandardInput();
  if (!text)
    return text.error();
  if (text->empty())
    return Error{path, {}, "standard input is empty, expected a .pt2, an .onnx or a graph .json", {}};
  return readBytes(FileBytes::copy(*text), {}, path);
}

Expected<std::vector<Model>> readBytes(std::shared_ptr<const FileBytes> bytes, std::string_view format,
                                       const std::string &path) {
  const std::string_view text = bytes->view();
  if (isExecuTorchProgram(text))
    return executorchProgramError(path);
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF"; // some editors put it before JSON
  const std::size_t start = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
  const std::size_t first = text.find_first_not_of(" \t\r\n", start);
  const bool isArchive = text.starts_with("PK");
  const bool isJson = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  if (format == "pt2" || (format.empty() && isArchive))
    return readPt2(std::move(bytes), path);
  if (format == "json" || (format.empty() && isJson))
    return readJson(std::move(bytes), path);
  return readOnnx(std::move(bytes), path);
}

std::string namesOf(const std::vector<Model> &models) {
  std::string names;
  for (const Model &m : models)
    names += (names.empty() ? "" : ", ") + (m.info.name.empty() ? std::string("one without a name") : m.info.name);
  return names;
}

bool isCxxSource(std::string_view path) {
  static constexpr std::array<std::string_view, 12> suffixes{".c",  ".C",   ".cc", ".cpp", ".c++", ".cxx",
                                                             ".cu", ".cuh", ".h",  ".hh",  ".hpp", ".hxx"};
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view s) { return path.ends_with(s); });
}

std::string kindOfPath(std::string_view path) {
  if (isCxxSource(path))
    return "cxx";
  std::optional<Format> format = formatOfPath(path);
  return format ? std::string(formatName(*format)) : std::string();
}

} // namespace condlint
