//===- Nesting.cpp - Constructs nest no deeper than readers accept --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkNesting(RuleContext &ctx) {
  const Model &m = ctx.m;
  // What other readers refuse says more than where condlint stops.
  const FormatIssue *worst = nullptr;
  for (const FormatIssue &issue : m.issues)
    if (issue.kind == FormatIssue::Kind::NestingLimit ||
        (issue.kind == FormatIssue::Kind::TooDeep && (!worst || worst->kind == issue.kind)))
      if (!worst || issue.kind == FormatIssue::Kind::NestingLimit)
        worst = &issue;
  if (!worst)
    return;
  Draft d;
  d.graph = worst->graph ? worst->graph : m.main();
  d.message = worst->message;
  d.help =
      m.info.format == Format::Onnx
          ? "protobuf readers accept 100 nested messages: 31 Ifs with typed outputs, 32 without; onnx then speaks of "
            "a missing opset_import, ONNX Runtime of failed parsing. Move inner conditionals into functions"
          : "move inner conditionals out of the outer ones";
  ctx.report(std::move(d));
}

} // namespace condlint
