//===- DrawConditional.h - From a model to a drawing ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_DRAWING_DRAWCONDITIONAL_H
#define CONDLINT_LIB_REPORT_DRAWING_DRAWCONDITIONAL_H

#include "condlint/Conditional.h"
#include "condlint/ConditionalSummary.h"
#include "condlint/Drawing.h"
#include "condlint/Report.h"
#include <string>
#include <vector>

namespace condlint {

/// Draws \p c of \p m, whose values are typed. \p findings are those that speak of it, and decide what matters: each
/// place they name with the way from the operands to what is returned, and the outputs that they name, or that differ,
/// with what makes them. \p summary says of a TensorRT network's layers when they are evaluated; it may be null. Of a
/// branch with more than \p mostBoxes operators only what matters is kept.
Drawing drawConditional(const Model &m, const Conditional &c, const std::vector<const Finding *> &findings,
                        const ConditionalSummary *summary, std::size_t mostBoxes);

/// Draws the conditionals of \p m that \p report asks for (`InputReport::drawing`) and keeps them in it; its findings
/// and summaries are those of \p m already, with \p prefix in front of their paths.
void drawInto(InputReport &report, const Model &m, const std::string &prefix);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_DRAWING_DRAWCONDITIONAL_H
