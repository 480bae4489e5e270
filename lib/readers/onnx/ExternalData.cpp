//===- ExternalData.cpp - Weights beside the model --------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExternalData.h"
#include "Context.h"
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace condlint::onnx {

namespace fs = std::filesystem;

namespace {

/// True when the normal path \p inner lies in the folder \p outer.
bool isInside(const fs::path &outer, const fs::path &inner) {
  auto i = inner.begin();
  for (const fs::path &part : outer) {
    if (part.empty())
      continue;
    if (i == inner.end() || *i != part)
      return false;
    ++i;
  }
  return true;
}

ExternalFile judge(const std::string &folder, std::string_view location) {
  ExternalFile file;
  if (location.empty()) {
    file.problem = "external data without a location";
    return file;
  }
  if (location.find('\0') != std::string_view::npos) {
    file.problem = "external data at a location that holds a zero byte";
    return file;
  }
  const bool hasDrive = location.size() > 1 && location[1] == ':' && location.find_first_of("/\\") == 2;
  if (location.front() == '/' || location.front() == '\\' || hasDrive) {
    file.problem = fmt::format("external data at the absolute path {}; it must lie beside the model", quoted(location));
    return file;
  }
  const fs::path relative(location);
  int level = 0;
  for (const fs::path &part : relative) {
    if (part == "..")
      --level;
    else if (!part.empty() && part != ".")
      ++level;
    if (level < 0) {
      file.problem = fmt::format("external data at {}, outside the model's folder", quoted(location));
      return file;
    }
  }
  std::error_code error;
  const fs::path base = fs::weakly_canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  if (error)
    return file;
  const fs::path full = base / relative;
  const fs::path real = fs::weakly_canonical(full, error);
  if (error)
    return file;
  if (!isInside(base, real)) {
    file.problem = fmt::format("external data at {}, a link that leads out of the model's folder", quoted(location));
    return file;
  }
  file.path = real.string();
  const auto status = fs::status(real, error);
  if (error || !fs::exists(status))
    return file;
  if (!fs::is_regular_file(status)) {
    file.problem = fmt::format("external data at {}, which is no file", quoted(location));
    return file;
  }
  const std::uintmax_t size = fs::file_size(real, error);
  if (!error)
    file.size = size;
  return file;
}

} // namespace

const ExternalFile &ExternalFolder::look(std::string_view location) {
  auto [at, isNew] = seen.try_emplace(std::string(location));
  if (isNew) {
    try {
      at->second = judge(folder, location);
    } catch (const fs::filesystem_error &) {
      // A name that the file system cannot hold: the file is not there.
    }
  }
  return at->second;
}

} // namespace condlint::onnx
