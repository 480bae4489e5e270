//===- StandardInput.cpp - What comes from standard input -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StandardInput.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <unistd.h>

namespace condlint {

namespace {

/// Appends to \p text what comes, until there is nothing more or it has \p most bytes.
Expected<std::string> readUpTo(std::size_t most) try {
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (text.size() < most) {
    const ssize_t n = ::read(STDIN_FILENO, buffer.data(), std::min(buffer.size(), most - text.size()));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return Error{"-", "", std::string("standard input cannot be read: ") + std::strerror(errno), ""};
    if (n == 0)
      break;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
} catch (const std::bad_alloc &) {
  return Error{"-", "", "there is not enough memory for standard input", "give the model as a file"};
}

} // namespace

std::size_t mostOfStandardInput() {
  const long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && each > 0 ? static_cast<std::size_t>(pages) / 2 * static_cast<std::size_t>(each) : SIZE_MAX;
}

Expected<std::string> readStandardInput() {
  Expected<std::string> text = readUpTo(mostOfStandardInput());
  if (text && text->size() == mostOfStandardInput())
    return Error{"-", "", "standard input is more than half of the memory", "give the model as a file"};
  return text;
}

Expected<std::string> beginStandardInput(std::size_t size) { return readUpTo(size); }

} // namespace condlint
