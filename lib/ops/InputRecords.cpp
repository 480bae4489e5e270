//===- InputRecords.cpp - Inputs of a model that are recorded falsely -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Nothing yields an input of a model, so what a file records of it stands, and where that is
// false everything that reads it seems to be. One record that settles them all is the cause.
#include "InferState.h"
#include <algorithm>

namespace condlint {

namespace {

/// What an input may be instead of what is recorded of it.
struct OtherRecord {
  ValueId input;
  TypeId type;
  bool ofBranch = false; ///< a branch declares it so, which is compared there
};

bool isInput(const Model &m, ValueId v) {
  return v && m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main() && m[v].recorded;
}

void collect(std::vector<OtherRecord> &out, OtherRecord other) {
  constexpr std::size_t most = 8;
  const auto same = [&](const OtherRecord &o) { return o.input == other.input && o.type == other.type; };
  if (out.size() < most && std::ranges::none_of(out, same))
    out.push_back(other);
}

/// What the branches of conditionals declare of the inputs that they are passed.
void collectFromBranches(const Model &m, std::vector<OtherRecord> &out) {
  for (NodeId n = m[m.main()].firstNode; n; n = m[n].next) {
    if (m[n].regions.empty() || !nodeHas(m, n, OpTrait::Conditional))
      continue;
    const std::vector<ValueId> given = regionOperands(m, n);
    for (GraphId g : m.regions(n))
      for (std::size_t i = 0; g && i < given.size() && i < m[g].parameters.count; ++i) {
        const TypeId declared = m[ValueId(m[g].parameters.first + static_cast<std::uint32_t>(i))].recorded;
        if (declared && isInput(m, given[i]) && neverPasses(m, m.types[m[given[i]].recorded], m.types[declared]))
          collect(out, {given[i], declared, true});
      }
  }
}

/// \p t with \p facet as it is in \p like; none where that facet does not go from operand to result.
TypeId patched(Model &m, Type t, std::string_view facet, const Type &like) {
  if (!t.isTensor() || !like.isTensor())
    return TypeId();
  if (facet == "dtype") {
    t.element = like.element;
  } else if (facet == "device") {
    t.device = like.device;
    t.deviceIndex = like.deviceIndex;
  } else if (facet == "shape") {
    t.dims = like.dims;
    t.hasStrides = like.hasStrides;
    t.strides = like.strides;
  } else {
    return TypeId();
  }
  return m.types.intern(t);
}

/// What is recorded of what is made of the inputs, and is not what their records yield.
void collectFromReaders(Model &m, std::span<const Contradiction> found, std::vector<OtherRecord> &out) {
  for (const Contradiction &c : found) {
    const NodeId reader = m[c.value].def;
    if (!reader || !m[c.value].recorded)
      continue;
    for (ValueId v : m.operands(reader))
      if (isInput(m, v))
        if (const TypeId other = patched(m, m.types[m[v].recorded], c.facet, m.types[m[c.value].recorded]))
          collect(out, {v, other, false});
  }
}

} // namespace

void InferState::settleInputs(const Faults &before) {
  if (m.info.dialect != Dialect::Torch || m.info.format == Format::Cxx)
    return;
  std::size_t found = faultsSince(before);
  if (found == 0)
    return;
  std::vector<OtherRecord> others;
  collectFromBranches(m, others);
  if (found > 1)
    collectFromReaders(m, std::span(out.contradictions).subspan(before.contradictions), others);
  const auto again = [&] {
    forgetSince(before);
    inferGraph(m.main());
    return faultsSince(before);
  };
  std::vector<Contradiction> settled;
  bool stale = false;
  for (const OtherRecord &other : others) {
    if (!mayRepeat())
      break;
    const TypeId was = m[other.input].type;
    m[other.input].type = other.type;
    const std::size_t left = again();
    // What a branch declares is a finding there; another record is one of its own.
    const std::size_t own = other.ofBranch ? 0 : 1;
    stale = left + own >= found;
    if (stale) {
      m[other.input].type = was;
      continue;
    }
    found = left;
    if (own != 0) {
      std::vector<Contradiction> here = merge(other.input, other.type);
      here.resize(std::min<std::size_t>(here.size(), 1));
      settled.insert(settled.end(), here.begin(), here.end());
      m[other.input].type = other.type;
    }
  }
  if (stale)
    again();
  out.contradictions.insert(out.contradictions.end(), settled.begin(), settled.end());
}

} // namespace condlint
