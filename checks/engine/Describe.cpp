//===- Describe.cpp - Values and places in words --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "condlint/SourceGraph.h"
#include <fmt/format.h>

namespace condlint {

std::string spellValue(const Model &m, ValueId v) {
  v = withoutAssumptions(m, v);
  if (!v)
    return "nothing";
  const Value &x = m[v];
  if (const auto made = m.info.format == Format::Cxx && x.def ? cxxOpOf(m, x.def) : std::nullopt) {
    // What comes from outside is called by its name in the source.
    if (made == CxxOp::Input && has(m, x.def, attr::name))
      return fmt::format("'{}'", spellOperation(m, x.def));
    // Names that the source does not have say nothing.
    if (made == CxxOp::Join || made == CxxOp::Perhaps)
      return "one of several values";
    if (made == CxxOp::Unknown)
      return "a value that was not understood";
  }
  if (const auto name = m.name(v); !name.empty())
    return fmt::format("'{}'", name);
  if (x.content && m.content(x.content).size() == 1)
    return m.dims.str(m.content(x.content)[0]);
  if (m.info.format == Format::Cxx && x.def) {
    const std::string operation = spellOperation(m, x.def);
    return !isCxx(m, x.def) || isCxx(m, x.def, CxxOp::Opaque) || isCxx(m, x.def, CxxOp::Call)
               ? "the result of " + operation
               : operation;
  }
  return "a literal " + std::string(spellKind(m.type(v).kind));
}

std::string spellPredicate(const Model &m, ValueId v) {
  const std::string value = spellValue(m, v);
  return value.starts_with('\'') ? "the predicate " + value : fmt::format("the predicate ({})", value);
}

std::string spellOperation(const Model &m, NodeId n) {
  if (!isCxx(m, n))
    return m.operatorName(m[n].op);
  const std::string_view who = read(m, n, attr::name);
  switch (cxxOpOf(m, n).value_or(CxxOp::Effect)) {
  case CxxOp::Opaque:
    return who.empty()                 ? "a call without a body"
           : who.find(' ') != who.npos ? std::string(who)
                                       : fmt::format("{}()", who);
  case CxxOp::Call:
    return fmt::format("{}()", who);
  case CxxOp::Store:
    return who.empty() ? "a store to its elements" : fmt::format("{}()", who);
  case CxxOp::Gradient:
    return who.empty() ? "a backward pass, which adds to its gradient"
                       : fmt::format("{}(), which changes its gradient", who);
  case CxxOp::HostRead:
    return "a read of its elements";
  case CxxOp::Join:
    return "one of several paths";
  case CxxOp::Unknown:
    return "an expression that was not understood";
  default:
    break;
  }
  return who.empty() ? m.operatorName(m[n].op) : std::string(who);
}

std::string spellVariable(const Model &m, NodeId n) {
  const std::string_view name = read(m, n, attr::name);
  return name.empty() ? std::string("a variable") : fmt::format("'{}'", name);
}

std::string_view spellCapture(CaptureKind k) {
  switch (k) {
  case CaptureKind::Value:
    return "by value";
  case CaptureKind::Reference:
    return "by reference";
  case CaptureKind::This:
    return "through `this`";
  case CaptureKind::Pointer:
    return "through a pointer";
  case CaptureKind::Global:
    return "a global";
  case CaptureKind::Static:
    return "a static";
  case CaptureKind::Bound:
    return "bound by `std::bind`";
  case CaptureKind::Member:
    return "a member of the function object";
  }
  return "from outside";
}

namespace {

/// Where a value comes from: its node, or in source the function it is a parameter of.
SourceLocation locationOf(const Model &m, ValueId v) {
  const Value &x = m[withoutAssumptions(m, v)];
  if (x.def)
    return m.location(x.def);
  return m.info.format == Format::Cxx ? m.location(x.graph) : SourceLocation();
}

} // namespace

std::string pathOf(const Model &m, ValueId v) {
  v = withoutAssumptions(m, v);
  const Value &x = m[v];
  if (x.origin == ValueOrigin::Result && x.def)
    return m.path(x.def);
  std::string path = x.graph ? m.path(x.graph) : std::string();
  if (const auto name = m.name(v); !name.empty())
    path += fmt::format("/{}", name);
  return path;
}

std::string spellPlace(const Model &m, ValueId v) {
  const SourceLocation l = locationOf(m, v);
  if (!l.valid())
    return pathOf(m, v);
  // The finding stands in the same file nearly always, and says which.
  const NodeId owner = m[m[v].graph].owner;
  const std::string around = (owner ? m.location(owner) : m.location(m[v].graph)).path;
  return around == l.path ? fmt::format("line {}", l.line) : l.str();
}

std::string spellSide(const RuleContext &ctx, std::size_t branch, ValueId v, const std::string &what) {
  const std::string &name = ctx.conditional().branches[branch].name;
  return fmt::format("{} from '{}' ({} at {})", what, name, spellValue(ctx.m, v), spellPlace(ctx.m, v));
}

std::string spellSides(const RuleContext &ctx, const Output &o, const std::string &a, const std::string &b) {
  return spellSide(ctx, 0, o.values[0], a) + " and " + spellSide(ctx, 1, o.values[1], b);
}

std::string spellPosition(const RuleContext &ctx, std::size_t position) {
  return ctx.results(0).size() > 1 || ctx.results(1).size() > 1 ? fmt::format(" in output {}", position)
                                                                : std::string();
}

Related relatedTo(const Model &m, ValueId v, std::string message) {
  return {std::move(message), locationOf(m, v), pathOf(m, v)};
}

Related relatedTo(const Model &m, NodeId n, std::string message) {
  return {std::move(message), m.location(n), m.path(n)};
}

std::vector<Related> relatedSides(const RuleContext &ctx, const Output &o) {
  std::vector<Related> out;
  for (std::size_t b = 0; b < 2; ++b)
    out.push_back(relatedTo(ctx.m, o.values[b],
                            fmt::format("'{}' returns {}, {}", ctx.conditional().branches[b].name,
                                        spellValue(ctx.m, o.values[b]), spellType(ctx.m, ctx.typeOf(o.values[b])))));
  return out;
}

std::string whyDropped(const RuleContext &ctx, std::string_view what) {
  return fmt::format("nothing needs {}, and {} drops what it sees to be unused", what, ctx.target.str());
}

std::string spellDevice(const Model &m, const Type &t) {
  std::string out(m.text(t.device));
  if (t.deviceIndex >= 0)
    out += ':' + std::to_string(t.deviceIndex);
  return out;
}

FalseRecord spellFalseRecord(const RuleContext &ctx, ValueId v) {
  FalseRecord r;
  r.shapeAlone = true;
  const auto found = ctx.facts.contradictions.find(v);
  if (found == ctx.facts.contradictions.end())
    return r;
  for (std::size_t i : found->second) {
    const Contradiction &c = ctx.analysis.inference.contradictions[i];
    r.recorded += fmt::format("{}{} {}", r.recorded.empty() ? "" : " and the ", c.facet, c.recorded);
    r.inferred += (r.inferred.empty() ? "" : " and ") + c.inferred;
    r.shapeAlone = r.shapeAlone && c.facet == "shape";
    if (!c.when.empty())
      r.inferred += ' ' + textOf(ctx.m, std::span<const Known>(c.when));
  }
  return r;
}

bool sayFollowUp(const RuleContext &ctx, ValueId v, Draft &d) {
  const auto &all = ctx.analysis.inference.followUps;
  const auto at = std::ranges::find(all, v, &FollowUp::declared);
  if (at == all.end() || ctx.isNeverTaken(ctx.m[at->fault.node].graph))
    return false;
  d.related.push_back(relatedTo(
      ctx.m, at->fault.node, fmt::format("ONNX Runtime refuses this by one of the two: {}", textOf(ctx.m, at->fault))));
  return true;
}

} // namespace condlint
