//===- MemberName.cpp - Names in an archive that lead nowhere good --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MemberName.h"
#include <algorithm>

namespace condlint {

bool leadsOut(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos)
    return true;
  for (std::string_view left = name; !left.empty();) {
    const std::size_t end = std::min(left.find('/'), left.size());
    if (left.substr(0, end) == "..")
      return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

} // namespace condlint
