//===- FileKind.h - What a file is that is no model -----------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_FILEKIND_H
#define CONDLINT_READERS_ONNX_FILEKIND_H

#include <string_view>

namespace condlint::onnx {

/// What \p bytes are by their first ones, in words ("a zip archive"), when that
/// is something else than an ONNX model; empty when nothing is recognised.
std::string_view foreignKind(std::string_view bytes);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_FILEKIND_H
