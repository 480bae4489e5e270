//===- NewFile.cpp - Files that appear whole or not at all ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NewFile.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace condlint {

namespace {

Error cannotWrite(const std::string &path) {
  return {path, "", std::string("cannot be written: ") + std::strerror(errno), ""}; // NOLINT(concurrency-mt-unsafe)
}

} // namespace

Expected<NewFile> NewFile::beside(const std::string &given) {
  struct stat old = {};
  const bool isThere = ::stat(given.c_str(), &old) == 0;
  if (isThere && !S_ISREG(old.st_mode))
    return Error{given, "", "is no file, but a folder, a pipe or a device", "name a file"};
  // What a link leads to is replaced, not the link.
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(given, error);
  const std::string path = error ? given : real.string();
  static std::atomic<unsigned> count{0};
  std::string name;
  int file = -1;
  do {
    name = fmt::format("{}.condlint-{}-{}", path, ::getpid(), count++);
    file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0)
    return cannotWrite(path);
  if (isThere)
    static_cast<void>(::fchmod(file, old.st_mode & 07777)); // of somebody else's file it cannot be had
  ::close(file);
  return NewFile(path, std::move(name));
}

NewFile::NewFile(NewFile &&other) noexcept : place(std::move(other.place)), aside(std::exchange(other.aside, {})) {}

NewFile::~NewFile() {
  if (!aside.empty())
    std::remove(aside.c_str());
}

std::optional<Error> NewFile::keep() {
  if (std::rename(aside.c_str(), place.c_str()) != 0)
    return cannotWrite(place);
  aside.clear();
  return std::nullopt;
}

} // namespace condlint
