//===- Traceback.cpp - Source lines that exporters record -------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Traceback.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace condlint::onnx {

namespace {

struct Frame {
  std::string_view path;
  std::string_view function;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

std::optional<std::uint32_t> leadingNumber(std::string_view &text) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return n;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
    s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r'))
    s.remove_suffix(1);
  return s;
}

/// `File "model.py", line 12, in forward`
std::optional<Frame> pythonFrame(std::string_view line) {
  if (!line.starts_with("File \""))
    return std::nullopt;
  line.remove_prefix(6);
  const std::size_t quote = line.find("\", line ");
  if (quote == std::string_view::npos)
    return std::nullopt;
  Frame f;
  f.path = line.substr(0, quote);
  line.remove_prefix(quote + 8);
  const auto n = leadingNumber(line);
  if (!n)
    return std::nullopt;
  f.line = *n;
  if (line.starts_with(", in "))
    f.function = line.substr(5);
  return f;
}

/// `model.py(12): forward`, `# model.py:12:4`, `model.py:12`
std::optional<Frame> scriptFrame(std::string_view line) {
  if (line.starts_with("# "))
    line.remove_prefix(2);
  const std::size_t suffix = line.find(".py");
  if (suffix == std::string_view::npos || suffix + 3 >= line.size())
    return std::nullopt;
  Frame f;
  f.path = line.substr(0, suffix + 3);
  const char mark = line[suffix + 3];
  line.remove_prefix(suffix + 4);
  const auto n = leadingNumber(line);
  if (!n || (mark != '(' && mark != ':'))
    return std::nullopt;
  f.line = *n;
  if (mark == '(') {
    if (!line.starts_with(")"))
      return std::nullopt;
    if (line.starts_with("): "))
      f.function = line.substr(3);
  } else if (line.starts_with(":")) {
    line.remove_prefix(1);
    if (const auto column = leadingNumber(line))
      f.column = *column + 1; // TorchScript counts columns from 0
  }
  return f;
}

/// Frames of the machinery between the user's code and the exporter.
bool isLibrary(std::string_view path) {
  if (path.empty() || path.front() == '<')
    return true; // generated code: "<eval_with_key>.3", "<string>"
  if (path.find("site-packages/") != std::string_view::npos || path.find("dist-packages/") != std::string_view::npos)
    return true;
  constexpr std::array<std::string_view, 4> packages{"torch/", "onnxscript/", "functorch/", "torch_onnx/"};
  for (std::string_view package : packages)
    if (path.starts_with(package))
      return true;
  // A folder called torch may be the user's own; these parts of it are not.
  constexpr std::array<std::string_view, 13> parts{"nn/",          "_",    "fx/",       "onnx/",         "export/",
                                                   "utils/",       "jit/", "autograd/", "functional.py", "tensor",
                                                   "overrides.py", "ops/", "amp/"};
  for (std::size_t at = path.find("/torch/"); at != std::string_view::npos; at = path.find("/torch/", at + 1)) {
    const std::string_view rest = path.substr(at + 7);
    if (std::ranges::any_of(parts, [&](std::string_view p) { return rest.starts_with(p); }))
      return true;
  }
  return path.find("/onnxscript/") != std::string_view::npos;
}

} // namespace

bool isTracebackKey(std::string_view key) {
  return key.ends_with("stack_trace") || key.ends_with("stacktrace") || key.ends_with("source_location");
}

SourceLocation decodeTraceback(std::string_view text) {
  // The innermost frame of the user's, and of anybody's with a real path.
  std::optional<Frame> user, any;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto python = pythonFrame(line);
    const auto frame = python ? python : scriptFrame(line);
    if (!frame || frame->line == 0)
      continue;
    const bool innermostLast = python.has_value();
    if (!isLibrary(frame->path) && (innermostLast || !user))
      user = frame;
    if (!frame->path.empty() && frame->path.front() != '<' && (innermostLast || !any))
      any = frame;
  }
  SourceLocation l;
  if (const auto &best = user ? user : any) {
    l.path = best->path;
    l.function = best->function;
    l.line = best->line;
    l.column = best->column;
  }
  return l;
}

} // namespace condlint::onnx
