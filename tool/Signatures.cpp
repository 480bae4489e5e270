//===- Signatures.cpp - Types at a conditional's boundary, in words -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signatures.h"

namespace condlint {

std::string spell(const ConditionalSummary::Signature &s) {
  if (s.kind != "tensor" && !s.kind.empty())
    return s.kind;
  std::string out = s.dtype.empty() || s.dtype == "unknown" ? "?" : s.dtype;
  if (!s.hasShape)
    return out + "[…]";
  out += '[';
  for (std::size_t i = 0; i < s.shape.size(); ++i)
    out += (i == 0 ? "" : ", ") + s.shape[i];
  return out + ']';
}

std::string spell(const ConditionalSummary &c, const ConditionalSummary::BranchSummary &b) {
  std::string out;
  for (const ConditionalSummary::Signature &s : b.outputs)
    out += (out.empty() ? "" : ", ") + spell(s);
  const bool isKnown = c.reasons.find("output-count") == c.reasons.end();
  return !out.empty() ? out : isKnown ? "nothing" : "not known";
}

} // namespace condlint
