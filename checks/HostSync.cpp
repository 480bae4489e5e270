//===- HostSync.cpp - No copy of a tensor's value to the host (B4, R17) ---===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include "ops/DeclaredOperators.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <vector>

namespace condlint {

namespace {

/// What is read is the branch's own operand: AOTInductor 2.13 has no symbol for the number then, which it has for what
/// the branch computes.
bool readsOperand(const Model &m, NodeId n, GraphId branch) {
  const OpDef *definition = m[m[n].op].definition;
  const auto operands = m.operands(n);
  return definition && definition->name == "item" && !operands.empty() && operands[0] &&
         m[operands[0]].origin == ValueOrigin::Parameter && m[operands[0]].graph == branch;
}

/// The node that reads, from a tensor, a number that the symbolic value \p v is computed from; none where no such node
/// is behind it.
NodeId numberRead(const Model &m, ValueId v) {
  std::vector<ValueId> todo{v};
  std::set<ValueId> seen;
  while (!todo.empty()) {
    const ValueId at = todo.back();
    todo.pop_back();
    const ValueKind kind = at ? m.type(at).kind : ValueKind::None;
    const bool isSymbolic = kind == ValueKind::SymBool || kind == ValueKind::SymInt || kind == ValueKind::SymFloat;
    if (!isSymbolic || !m[at].def || !seen.insert(at).second)
      continue;
    const OpDef *definition = m[m[m[at].def].op].definition;
    if (definition && definition->name == "item")
      return m[at].def;
    todo.insert(todo.end(), m.operands(m[at].def).begin(), m.operands(m[at].def).end());
  }
  return {};
}

/// Something takes the number \p v, or one that is computed from it, beside conditionals that go by it.
bool isUsed(const Model &m, ValueId v) {
  std::set<ValueId> numbers{v};
  const auto isNumber = [&](ValueId x) { return x && numbers.contains(x); };
  for (NodeId n : m.nodes(m[v].graph)) {
    const auto operands = m.operands(n);
    if (std::ranges::none_of(operands, isNumber))
      continue;
    const bool goesByIt = nodeHas(m, n, OpTrait::Conditional) && std::ranges::none_of(operands.subspan(1), isNumber);
    if (goesByIt)
      continue;
    if (m.resultCount(n) == 0)
      return true; // an assertion
    for (std::size_t r = 0; r < m.resultCount(n); ++r) {
      const ValueKind kind = m.type(m.result(n, r)).kind;
      if (kind != ValueKind::SymBool && kind != ValueKind::SymInt && kind != ValueKind::SymFloat)
        return true;
      numbers.insert(m.result(n, r));
    }
  }
  return std::ranges::any_of(m.results(m[v].graph), isNumber);
}

/// AOTInductor writes C++ for a comparison of such a number that does not compile, up to 2.14, unless something else
/// makes it write the number down; a bool that is read it takes.
void checkPredicate(RuleContext &ctx) {
  const Model &m = ctx.m;
  constexpr Version compilesIt{2, 15};
  if (ctx.target.system != System::Aoti || ctx.target.version >= compilesIt || ctx.isSource() || ctx.isRecorded())
    return;
  const ValueId predicate = ctx.conditional().predicate;
  const NodeId read = numberRead(m, predicate);
  if (!read || read == m[predicate].def || m.resultCount(read) == 0 || isUsed(m, m.result(read, 0)))
    return;
  Draft d;
  d.variant = "operand";
  d.message = fmt::format("the predicate is computed from a number that {} reads from a tensor: the code that "
                          "AOTInductor writes for it does not compile",
                          spellOperation(m, read));
  d.help = "compute the predicate with tensors: it may be one";
  d.related.push_back(relatedTo(m, read, "the number is read here"));
  ctx.report(std::move(d));
}

} // namespace

void checkHostSync(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.conditional().dialect != Dialect::Torch)
    return ctx.absent();
  checkPredicate(ctx);
  // AOTInductor refuses the conditional for the first number that it has no symbol for.
  std::optional<Draft> refused;
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
      const NodeEffects effects = effectsOf(m, n);
      if (mayDoAnything(m, n, effects))
        ctx.unknownBy(n, "do anything");
      if (!effects.hostSync)
        return;
      const bool operand = readsOperand(m, n, m[n].graph);
      Draft d;
      d.node = n;
      // Recorded: a number that stays a symbol is followed, a decision is not.
      const bool decides = ctx.isRecorded() && isCxx(m, n, CxxOp::HostRead);
      d.variant = ctx.isSource() || decides ? "source" : operand ? "operand" : "";
      d.message =
          decides ? fmt::format("'{}' decides on a tensor's value while it is traced: only one way would be recorded",
                                b.name)
                  : fmt::format("'{}' copies a tensor's value to the host: {}", b.name, spellOperation(m, n));
      d.help = decides ? "select with torch.where, or nest a torch.cond"
               : operand && ctx.target.system == System::Aoti
                   ? "AOTInductor compiles no item() of an operand inside a branch: read the number in front of the "
                     "conditional, or compute with the tensor instead"
                   : "the device waits for the host here; compute with the tensor instead";
      if (!operand || ctx.isSource() || ctx.target.system != System::Aoti)
        ctx.report(std::move(d));
      else if (refused)
        refused->related.push_back(relatedTo(m, n, fmt::format("so does '{}'", b.name)));
      else
        refused = std::move(d);
    });
  }
  if (refused)
    ctx.report(std::move(*refused));
}

} // namespace condlint
