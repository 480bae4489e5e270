//===- Reader.cpp - Which reader a file belongs to --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include "ExecuTorchProgram.h"
#include <algorithm>
#include <array>
#include <exception>
#include <new>

namespace condlint {

namespace {

bool endsWith(std::string_view path, std::string_view suffix) {
  if (path.size() < suffix.size())
    return false;
  const std::string_view end = path.substr(path.size() - suffix.size());
  return std::equal(end.begin(), end.end(), suffix.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

Expected<std::vector<Model>> readAs(Format format, std::shared_ptr<const FileBytes> bytes, const std::string &path) {
  switch (format) {
  case Format::Pt2:
    return readPt2(std::move(bytes), path);
  case Format::Onnx:
    return readOnnx(std::move(bytes), path);
  case Format::Json:
    return readJson(std::move(bytes), path);
  case Format::Cxx:
    break;
  }
  return Error{path, {}, "is C++ source, expected a .pt2, an .onnx or a graph .json", {}};
}

/// A file of which the name says no format.
Error unreadKind(const std::string &path) {
  constexpr std::array<std::string_view, 6> included{".inl", ".inc", ".ipp", ".tpp", ".tcc", ".txx"};
  const bool isIncluded =
      std::ranges::any_of(included, [&](std::string_view suffix) { return endsWith(path, suffix); });
  return Error{path,
               {},
               "is of a kind that condlint does not read, expected a .pt2, an .onnx, a graph .json or a C++ source",
               isIncluded ? "C++ that other files include is read with them: give `condlint check` the .cpp, .cu or .h "
                            "that includes it"
                          : "`condlint check` reads C++ sources: .c, .cc, .cpp, .cxx, .cu, .h, .hpp and the like"};
}

} // namespace

std::optional<Format> formatOfPath(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, Format>, 3> suffixes{
      {{".pt2", Format::Pt2}, {".onnx", Format::Onnx}, {".json", Format::Json}}};
  for (const auto &[suffix, format] : suffixes)
    if (endsWith(path, suffix))
      return format;
  return std::nullopt;
}

Expected<std::vector<Model>> readModel(const std::string &path) {
  try {
    auto bytes = FileBytes::open(path);
    if (!bytes)
      return bytes.error();
    // Whatever it is called.
    if (isExecuTorchProgram((*bytes)->view()))
      return executorchProgramError(path);
    const std::optional<Format> format = formatOfPath(path);
    if (!format)
      return unreadKind(path);
    return readAs(*format, std::move(*bytes), path);
  } catch (const std::bad_alloc &) {
    return Error{path, {}, "not enough memory to read the file", {}};
  } catch (const std::exception &e) {
    return Error{path, {}, std::string("cannot be read: ") + e.what(), {}};
  }
}

} // namespace condlint
