//===- Signatures.h - Types at a conditional's boundary, in words -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_SIGNATURES_H
#define CONDLINT_TOOL_SIGNATURES_H

#include "condlint/ConditionalSummary.h"
#include <string>
#include <vector>

namespace condlint {

/// "float32[N, 8]"; "?[…]" of what is not known.
std::string spell(const ConditionalSummary::Signature &s);
/// The same of all that the branch \p b of \p c yields, "nothing", or "not known".
std::string spell(const ConditionalSummary &c, const ConditionalSummary::BranchSummary &b);

} // namespace condlint

#endif // CONDLINT_TOOL_SIGNATURES_H
