//===- DimExpression.h - Sizes that exporters write as sums ----*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_DIMEXPRESSION_H
#define CONDLINT_READERS_ONNX_DIMEXPRESSION_H

#include "condlint/Dim.h"
#include <string_view>

namespace condlint::onnx {

/// The size that a `dim_param` names. Most are one name, which is one symbol of
/// the whole model. Exporters (torch, ONNX Runtime's symbolic shape inference)
/// also write expressions over such names: "2*s0", "past_length + 1", "N//2",
/// "Max(1, s0)", "floor(s0/2)"; they are read as what they say. What does not
/// parse as a whole is one opaque name. A minus binds names together ("batch-size")
/// unless blanks stand around it. A number is the size that it says where torch wrote it (\p isTorch), which names what
/// it has specialised so; elsewhere it is a name like another, and may stand for any size. \p text is not empty.
Dim readDimParam(DimTable &dims, std::string_view text, bool isTorch);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_DIMEXPRESSION_H
