//===- Tracing.h - What a tracer freezes ------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TRACING_TRACING_H
#define CONDLINT_CXX_TRACING_TRACING_H

#include "../Reading.h"
#include <optional>

namespace clang {
class ASTContext;
} // namespace clang

namespace condlint::cxx {

/// Reads every `forward` of a module and every function marked CONDLINT_TRACED
/// below the traversal scope, and what they call in this unit, into a model of the
/// domain `tracing` (docs/cxx-graph.md); nothing when there is no such function.
std::optional<Model> readTracing(clang::ASTContext &ast, const SourceOptions &options);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TRACING_TRACING_H
