//===- Describe.h - Values and places in words ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_DESCRIBE_H
#define CONDLINT_CHECKS_ENGINE_DESCRIBE_H

#include "RuleContext.h"
#include "facts/NodeText.h"
#include "graph/TypeWords.h"
#include <string>
#include <string_view>

namespace condlint {

/// "'y'", or for a literal what it is: "1", "none"; of source also "the result of clone".
std::string spellValue(const Model &m, ValueId v);
/// "the predicate 'p'", "the predicate (the result of addUnary)".
std::string spellPredicate(const Model &m, ValueId v);
/// Where a value comes from: "line 12" of the file that its graph stands in, or "model.py:12", or else its path in the
/// graph.
std::string spellPlace(const Model &m, ValueId v);
/// The path of what makes \p v: of its node, or of its graph and its name.
std::string pathOf(const Model &m, ValueId v);
/// "float32[2] from 'then_branch' ('y' at main/If_0/then_branch/Relu_0)" with
/// \p what in place of the type.
std::string spellSide(const RuleContext &ctx, std::size_t branch, ValueId v, const std::string &what);
/// Both sides of one output: "A from 'true' (…) and B from 'false' (…)".
std::string spellSides(const RuleContext &ctx, const Output &o, const std::string &a, const std::string &b);
/// "in output 1" when there are several outputs, else nothing.
std::string spellPosition(const RuleContext &ctx, std::size_t position);
/// The place of a value as a note.
Related relatedTo(const Model &m, ValueId v, std::string message);
Related relatedTo(const Model &m, NodeId n, std::string message);
/// Both sides of an output as notes.
std::vector<Related> relatedSides(const RuleContext &ctx, const Output &o);
/// Why OpenVINO may take what breaks a rule: nothing needs \p what.
std::string whyDropped(const RuleContext &ctx, std::string_view what);
/// A device: "cuda:1", "cpu".
std::string spellDevice(const Model &m, const Type &t);
/// What a node does, in words: "aten.add_.Tensor", or of source "resample()", "a
/// store through a pointer".
std::string spellOperation(const Model &m, NodeId n);
/// "'cache'": the variable of a `cxx.write` or `cxx.read`.
std::string spellVariable(const Model &m, NodeId n);
/// Where something is captured: "by value", "through this".
std::string_view spellCapture(CaptureKind k);
/// What is recorded falsely of one value, in all its facets: "dtype float32 and the shape [2]"; and "int64 and [3]".
struct FalseRecord {
  std::string recorded, inferred;
  bool shapeAlone = false; ///< nothing but the shape
};
FalseRecord spellFalseRecord(const RuleContext &ctx, ValueId v);
/// Adds to \p d which node ONNX Runtime refuses by what is declared falsely of \p v, or by what is so instead; false
/// where there is none that may come.
bool sayFollowUp(const RuleContext &ctx, ValueId v, Draft &d);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_DESCRIBE_H
