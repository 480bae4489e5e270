//===- ClosureScalar.cpp - No captured host scalar that varies (section 1.6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <fmt/format.h>
#include <set>

namespace condlint {

namespace {

bool isScalar(ValueKind k) { return k == ValueKind::SymInt || k == ValueKind::SymFloat || k == ValueKind::SymBool; }

} // namespace

void checkClosureScalar(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  // A graph that is closed has no captures, and one of tensors no scalars.
  if (!ctx.isTorch() || m.info.format != Format::Cxx)
    return ctx.absent();
  std::set<ValueId> seen;
  for (const Branch &b : c.branches) {
    if (!b.graph)
      continue;
    for (NodeId n : m.nodes(b.graph))
      for (ValueId v : m.operands(n)) {
        if (!v || m[v].graph == b.graph || !m.encloses(m[v].graph, b.graph) || !isScalar(ctx.typeOf(v).kind) ||
            !seen.insert(v).second)
          continue;
        const ValueKind kind = ctx.typeOf(v).kind;
        Draft d;
        d.node = n;
        d.variant = kind == ValueKind::SymFloat ? "float" : "";
        d.message = fmt::format("'{}' captures the {} {} ({}): its value is frozen into the graph", b.name,
                                spellKind(kind), spellValue(m, v), spellPlace(m, v));
        d.help = "pass it as a tensor operand";
        d.related.push_back(relatedTo(m, v, "the scalar is made here"));
        ctx.report(std::move(d));
      }
  }
}

} // namespace condlint
