//===- RepeatedNotes.cpp - What holds of many inputs is told once ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RepeatedNotes.h"
#include <fmt/format.h>

namespace condlint {

std::string RepeatedNotes::Line::repeated() const {
  return others == 0 ? std::string() : fmt::format(" (and of {} more input{})", others, others == 1 ? "" : "s");
}

std::size_t RepeatedNotes::add(const InputReport &input) {
  std::size_t left = 0;
  for (const std::string &note : input.notes)
    if (const auto at = places.find(note); at != places.end())
      ++met[at->second].others;
    else if (met.size() == most)
      ++left;
    else {
      places.emplace(note, met.size());
      met.push_back({input.path, note});
    }
  return left;
}

} // namespace condlint
