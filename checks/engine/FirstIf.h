//===- FirstIf.h - What If-1 demands of its branches ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_FIRSTIF_H
#define CONDLINT_CHECKS_ENGINE_FIRSTIF_H

#include "engine/RuleContext.h"
#include <string_view>

namespace condlint {

/// Type inference of ONNX Runtime, which compares the results \p a and \p b of an If's branches up to opset 10, finds
/// two ranks or two sizes in them. It merges what it infers with what the branches declare: of a rank or size that
/// contradicts the other nothing is left, and what it cannot infer is what is declared.
bool differForInference(RuleContext &ctx, ValueId a, ValueId b);

/// The same of onnx's checker, which knows less of computed numbers and takes what is declared where it knows nothing.
bool differForChecker(RuleContext &ctx, ValueId a, ValueId b);

/// The variant of the rules on shapes that \p o is of: "if-1" where the conditional is of the first version, which
/// demands equal shapes, and the target sees that they are not; "if-1-unseen" where onnx's checker does not. Nobody
/// looks when the model runs.
std::string_view variantOfIf(RuleContext &ctx, const Output &o);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_FIRSTIF_H
