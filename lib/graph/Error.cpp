//===- Error.cpp - What went wrong, in one line -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Expected.h"

namespace condlint {

std::string Error::str() const {
  std::string out;
  for (const std::string *part : {&file, &place, &message}) {
    if (part->empty())
      continue;
    if (!out.empty())
      out += ": ";
    out += *part;
  }
  if (!hint.empty()) {
    if (!out.empty())
      out += "; ";
    out += hint;
  }
  return out;
}

} // namespace condlint
