//===- StackTrace.cpp - The user's line in a stack trace --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StackTrace.h"
#include "JsonCursor.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace condlint::pt2 {

namespace {

/// Frames of torch's own machinery: strict exports from 2.13 on begin with
/// `torch/_dynamo/functional_export.py`. A user's own folder may be called torch.
bool isInsideTorch(std::string_view path) {
  std::string p(path);
  std::replace(p.begin(), p.end(), '\\', '/');
  constexpr std::array<std::string_view, 6> places{"site-packages/torch/", "dist-packages/torch/", "torch/_",
                                                   "torch/nn/modules/",    "torch/export/",        "torch/fx/"};
  return std::any_of(places.begin(), places.end(), [&](std::string_view place) {
    for (std::size_t at = p.find(place); at != std::string::npos; at = p.find(place, at + 1))
      if (at == 0 || p[at - 1] == '/')
        return true;
    return false;
  });
}

/// `File "PATH", line N, in FUNCTION`
std::optional<SourceLocation> frameOf(std::string_view line) {
  constexpr std::string_view begin = "File \"";
  constexpr std::string_view middle = "\", line ";
  const std::size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || !line.substr(indent).starts_with(begin))
    return std::nullopt;
  line.remove_prefix(indent + begin.size());
  // From the end: a path may hold anything.
  const std::size_t split = line.rfind(middle);
  if (split == std::string_view::npos)
    return std::nullopt;
  SourceLocation l;
  l.path = line.substr(0, split);
  line.remove_prefix(split + middle.size());
  const auto number = std::from_chars(line.data(), line.data() + line.size(), l.line);
  if (number.ec != std::errc())
    return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(number.ptr - line.data()));
  constexpr std::string_view in = ", in ";
  if (line.starts_with(in))
    l.function = line.substr(in.size());
  return l;
}

} // namespace

SourceLocation locationOfStackTrace(std::string_view escaped) {
  const std::optional<std::string> trace = unescapeJson(escaped);
  if (!trace)
    return {};
  for (std::string_view left = *trace; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const auto frame = frameOf(left.substr(0, end));
    if (frame && frame->valid() && !frame->path.starts_with("<eval_with_key>") && !isInsideTorch(frame->path))
      return *frame;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return {};
}

} // namespace condlint::pt2
