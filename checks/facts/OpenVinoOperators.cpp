//===- OpenVinoOperators.cpp - What OpenVINO makes of single nodes --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenVinoOperators.h"
#include <algorithm>
#include <cstdint>
#include <optional>

namespace condlint {

namespace {

/// Operators of one operand that the front end makes one node of.
constexpr std::string_view oneNode[] = {
    "Abs",        "Acos", "Acosh",   "Asin",     "Asinh",    "Atan", "Atanh",     "Cast",     "Ceil",    "Cos",
    "Cosh",       "Elu",  "Erf",     "Exp",      "Floor",    "Gelu", "HardSwish", "Identity", "IsNaN",   "Log",
    "LogSoftmax", "Mish", "Neg",     "NonZero",  "Not",      "Relu", "Round",     "Shape",    "Sigmoid", "Sign",
    "Sin",        "Sinh", "Softmax", "Softplus", "Softsign", "Sqrt", "Tan",       "Tanh",
};
static_assert(std::ranges::is_sorted(oneNode));

/// The last version that finds a sequence in a branch where it is made there and taken apart at once alone.
constexpr Version madeThereUntil{2026, 2};

/// The first version that was seen to find an entry that the branch itself computes.
constexpr Version computedSince{2026, 1};

/// Where a sequence comes from within one graph, and by way of what.
struct SequenceOrigin {
  std::string_view maker; ///< empty: it comes from the graph around
  bool isInserted = false, isCopied = false;
  bool isCopiedLast = false; ///< by what \p maker is asked of, an Identity
};

SequenceOrigin originOf(const Model &m, ValueId v, GraphId g) {
  SequenceOrigin out;
  NodeId last;
  // Of a model that is not sorted the walk may come round again.
  for (std::size_t left = m.nodeCount(); v && left > 0; --left) {
    const NodeId maker = m[v].def;
    if (!maker || m[maker].graph != g)
      return out;
    const std::string_view name = m.text(m[m[maker].op].name);
    const bool isCopy = name == "Identity", isInsert = name == "SequenceInsert";
    if (!isCopy && !isInsert && name != "SequenceErase") {
      out.maker = name;
      return out;
    }
    out.isCopiedLast = last ? out.isCopiedLast : isCopy;
    out.isCopied |= isCopy;
    out.isInserted |= isInsert;
    const auto operands = m.operands(maker);
    v = operands.empty() ? ValueId() : operands[0];
    last = maker;
  }
  return out;
}

/// Whether the entry that \p at takes may be a value that its own graph computes, and none of the graph around.
bool mayTakeComputed(const Model &m, NodeId at) {
  const auto isComputed = [&](ValueId v) { return v && m[v].def && m[m[v].def].graph == m[at].graph; };
  const auto asked = m.operands(at);
  const NodeId last = m[asked[0]].def;
  if (m.text(m[m[last].op].name) == "SequenceConstruct" && asked.size() > 1 && asked[1]) {
    const ContentId content = m[asked[1]].content;
    const auto index = content && m.content(content).size() == 1 && m.content(content)[0].known()
                           ? m.dims.asConstant(m.content(content)[0])
                           : std::nullopt;
    const auto entries = m.operands(last);
    const auto count = static_cast<std::int64_t>(entries.size());
    if (index && *index >= -count && *index < count)
      return isComputed(entries[static_cast<std::size_t>(*index < 0 ? *index + count : *index)]);
  }
  ValueId v = asked[0];
  // Of a model that is not sorted the walk may come round again.
  for (std::size_t left = m.nodeCount(); isComputed(v) && left > 0; --left) {
    const NodeId maker = m[v].def;
    const auto operands = m.operands(maker);
    const std::string_view name = m.text(m[m[maker].op].name);
    const bool isConstruct = name == "SequenceConstruct", isInsert = name == "SequenceInsert";
    const auto entries = isConstruct ? operands : operands.subspan(std::min<std::size_t>(operands.size(), 1));
    if ((isConstruct || isInsert) && !entries.empty() &&
        (isConstruct ? std::ranges::any_of(entries, isComputed) : isComputed(entries[0])))
      return true;
    v = isConstruct || operands.empty() ? ValueId() : operands[0];
  }
  return false;
}

} // namespace

SequenceFault sequenceFault(const Model &m, NodeId n, Version version) {
  const Operator &op = m[m[n].op];
  const std::string_view name = m.text(op.name);
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty() ||
      (name != "SequenceAt" && name != "ConcatFromSequence"))
    return SequenceFault::None;
  const auto operands = m.operands(n);
  if (operands.empty() || !operands[0])
    return SequenceFault::None;
  const SequenceOrigin from = originOf(m, operands[0], m[n].graph);
  const bool isOld = version <= madeThereUntil, isPutTogether = name == "ConcatFromSequence";
  if (from.maker.empty())
    return isPutTogether || isOld || from.isInserted ? SequenceFault::Outer : SequenceFault::None;
  if (from.isCopied && (isPutTogether || isOld))
    return SequenceFault::Copied;
  if (isPutTogether)
    return isOld && from.isInserted ? SequenceFault::Inserted : SequenceFault::None;
  const bool isMadeOfTensors = from.maker == "SequenceConstruct" || from.maker == "SequenceEmpty";
  if (isOld && from.isInserted)
    return SequenceFault::Element;
  if (!isMadeOfTensors || from.isCopiedLast)
    return SequenceFault::None;
  return version < computedSince || !mayTakeComputed(m, n) ? SequenceFault::Element : SequenceFault::Unsure;
}

bool isDroppedAsSurplus(const Model &m, ValueId v, GraphId branch) {
  if (!v || m[v].origin == ValueOrigin::Undefined)
    return false;
  // A weight of its own it drops, and one of the graph around it does not find (OV6).
  const bool isWeight = m[v].origin == ValueOrigin::Constant, isOwn = m[v].graph == branch;
  if (isWeight || !isOwn)
    return isWeight == isOwn;
  const NodeId maker = m[v].def;
  if (!maker || m[m[maker].op].dialect != Dialect::Onnx || !m.text(m[m[maker].op].domain).empty())
    return false;
  const std::string_view name = m.text(m[m[maker].op].name);
  const auto operands = m.operands(maker);
  const auto isGiven = [&](ValueId x) {
    return x && m[x].origin != ValueOrigin::Undefined && (m[x].graph != branch || m[x].origin == ValueOrigin::Constant);
  };
  return name == "Constant" ||
         (std::ranges::binary_search(oneNode, name) && operands.size() == 1 && isGiven(operands[0]));
}

} // namespace condlint
