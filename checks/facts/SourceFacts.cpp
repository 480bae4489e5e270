//===- SourceFacts.cpp - Variables and captures of C++ source -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceFacts.h"
#include "ModelFacts.h"
#include "NodeText.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

std::vector<Edit> editsToCopy(const Model &m, NodeId n, std::size_t output, const std::string &copy) {
  const std::vector<SourceLocation> at = n ? read(m, n, attr::writtenAt) : std::vector<SourceLocation>();
  const std::span<const std::int64_t> compound = n ? read(m, n, attr::compound) : std::span<const std::int64_t>();
  if (output >= at.size())
    return {};
  const SourceLocation &place = at[output];
  if (!place.valid() || place.column == 0 || place.endLine == 0 || place.endColumn == 0)
    return {};
  const bool inParentheses = output >= compound.size() || compound[output] != 0;
  if (!inParentheses)
    return {Edit::behind(place, copy)};
  return {Edit::before(place, "("), Edit::behind(place, ")" + copy)};
}

std::vector<Edit> editsToCompare(const Model &m, NodeId n, std::string_view comparison) {
  const std::optional<bool> compound = read(m, n, attr::predicateCompound);
  if (!compound)
    return {};
  const SourceLocation place = read(m, n, attr::predicateAt).value_or(SourceLocation());
  if (!place.valid() || place.column == 0 || place.endLine == 0 || place.endColumn == 0)
    return {};
  if (!*compound)
    return {Edit::behind(place, std::string(comparison))};
  return {Edit::before(place, "("), Edit::behind(place, ")" + std::string(comparison))};
}

bool isUnexplained(const Model &m, ValueId v) {
  const Value &x = m[v];
  if (x.origin != ValueOrigin::Result)
    return x.origin == ValueOrigin::Undefined;
  return isCxx(m, x.def, CxxOp::Unknown) || isCxx(m, x.def, CxxOp::Read) || effectsOf(m, x.def).opaque;
}

SourceFacts::SourceFacts(const Model &model) : m(model) {
  if (m.info.format != Format::Cxx)
    return;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const bool write = isCxx(m, n, CxxOp::Write);
    if (write || isCxx(m, n, CxxOp::Read))
      if (const std::int64_t variable = wholeOf(n); variable >= 0)
        variables[variable].push_back({n, write});
    if (const auto branch = isCxx(m, n, CxxOp::Opaque) ? read(m, n, attr::branch) : std::nullopt)
      unseenBranches.try_emplace(m[n].graph, UnseenBranch{read(m, n, attr::name), *branch});
  }
  std::vector<std::int64_t> order;
  for (const auto &[variable, accesses] : variables)
    order.push_back(variable);
  std::ranges::sort(order);
  for (std::int64_t variable : order)
    follow(variables[variable]);
}

const UnseenBranch *SourceFacts::unseen(GraphId branch) const {
  const auto found = unseenBranches.find(branch);
  return found == unseenBranches.end() ? nullptr : &found->second;
}

std::int64_t SourceFacts::variableOf(NodeId n) const { return read(m, n, attr::variable).value_or(-1); }

std::int64_t SourceFacts::wholeOf(NodeId n) const {
  const std::optional<std::int64_t> whole = read(m, n, attr::of);
  return whole ? *whole : variableOf(n);
}

/// What is written is what is read, or one of the two is the whole of which the other is a part.
bool SourceFacts::overlap(NodeId write, NodeId read) const {
  const std::int64_t w = variableOf(write);
  const std::int64_t r = variableOf(read);
  return w == r || w == wholeOf(read) || r == wholeOf(write);
}

void SourceFacts::follow(const std::vector<Access> &accesses) {
  // Programs have few of both; a generated one may have very many.
  std::size_t budget = 1'000'000;
  for (const Access &read : accesses) {
    if (read.write)
      continue;
    const VariableFlow *nearest = nullptr;
    VariableFlow leak;
    for (const Access &write : accesses) {
      if (budget == 0) {
        flowsLeft = true;
        return;
      }
      --budget;
      if (!write.write || !overlap(write.node, read.node))
        continue;
      const GraphId common = commonScope(m, m[write.node].graph, m[read.node].graph);
      const NodeId holder = common ? holderIn(m, common, m[write.node].graph) : NodeId();
      if (!holder || !isConditional(m, holder))
        continue;
      VariableFlow flow{holder, regionUnder(m, common, m[write.node].graph), GraphId(), write.node, read.node};
      const bool same = m[read.node].graph == common;
      const NodeId reader = same ? read.node : holderIn(m, common, m[read.node].graph);
      if (reader == holder) {
        flow.reader = regionUnder(m, common, m[read.node].graph);
        add(crossings, flow, true);
      } else if (m[holder].position < m[reader].position &&
                 (!nearest || m[leak.conditional].position <= m[holder].position)) {
        leak = flow;
        nearest = &leak;
      }
    }
    if (nearest)
      add(leaks, leak, false);
  }
}

/// One finding for each variable and branch: the first read.
void SourceFacts::add(std::vector<VariableFlow> &list, const VariableFlow &flow, bool byReader) const {
  const std::int64_t variable = wholeOf(flow.write);
  for (const VariableFlow &f : list)
    if (f.conditional == flow.conditional && wholeOf(f.write) == variable &&
        (byReader ? f.reader == flow.reader : f.writer == flow.writer))
      return;
  list.push_back(flow);
}

const Capture *SourceFacts::captureOf(const AliasAnalysis &aliases, GraphId branch, ValueId value) const {
  for (GraphId g = branch; g; g = m[g].parent)
    for (const Capture &c : m.captures(g)) {
      if (!c.value)
        continue;
      if (c.value == value)
        return &c;
      for (const AliasAnalysis::Source &s : aliases.sources(c.value))
        if (s.certain && s.value == value)
          return &c;
    }
  return nullptr;
}

bool SourceFacts::isWritten(const AliasAnalysis &aliases, GraphId branch, const Capture &c) const {
  if (const auto accesses = variables.find(c.variable); c.variable >= 0 && accesses != variables.end())
    for (const Access &a : accesses->second)
      if (a.write && m.encloses(branch, m[a.node].graph))
        return true;
  if (c.variable >= 0)
    for (const VariableFlow &f : crossings)
      if (f.reader == branch && wholeOf(f.write) == c.variable)
        return true;
  // What belongs to one variable is written where a part of it is.
  std::vector<ValueId> held;
  if (c.value)
    held.push_back(c.value);
  if (c.variable >= 0)
    for (const Capture &other : m.captures(branch))
      if (other.variable == c.variable && other.value && other.value != c.value)
        held.push_back(other.value);
  const SourceLocation use = m.location(c.firstUse);
  const bool writable = c.content == CaptureContent::Tensor || c.kind == CaptureKind::This;
  for (const AliasAnalysis::Write &w : aliases.writes(branch)) {
    if (!w.certain)
      continue;
    for (const AliasAnalysis::Source &s : aliases.sources(w.target)) {
      if (!s.certain || m[s.value].graph == branch || !m.encloses(m[s.value].graph, branch))
        continue;
      for (const ValueId v : held)
        if (v == s.value || aliases.share(v, s.value) == AliasAnalysis::Sharing::Yes)
          return true;
      // A container or `this`: where its use and the write are one, so are they. A
      // scalar that says what is written, or where, is read and not written.
      if (const SourceLocation at = m.location(w.writer);
          writable && !c.value && at.line == use.line && at.path == use.path)
        return true;
    }
  }
  return false;
}

bool SourceFacts::capturedAround(GraphId branch, const Capture &c) const {
  const bool numbered = c.variable >= 0;
  for (GraphId g = m[branch].parent; g; g = m[g].parent)
    for (const Capture &outer : m.captures(g))
      if (numbered && outer.variable >= 0 ? outer.variable == c.variable : outer.name == c.name && outer.kind == c.kind)
        return true;
  return false;
}

std::vector<const Capture *> SourceFacts::reportedCaptures(const AliasAnalysis &aliases, GraphId branch) const {
  std::vector<const Capture *> out;
  std::vector<std::int64_t> judged;
  bool object = false;
  for (const Capture &c : m.captures(branch)) {
    const bool matters = c.content == CaptureContent::Tensor || c.content == CaptureContent::FloatItem ||
                         (c.content == CaptureContent::Scalar && c.varies);
    if (!matters || (c.kind == CaptureKind::This && object) ||
        (c.variable >= 0 && std::ranges::find(judged, c.variable) != judged.end()))
      continue;
    judged.push_back(c.variable);
    if (capturedAround(branch, c) || isWritten(aliases, branch, c))
      continue;
    object = object || c.kind == CaptureKind::This;
    out.push_back(&c);
  }
  return out;
}

} // namespace condlint
