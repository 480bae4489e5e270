//===- Effects.cpp - What an operator writes, aliases and draws -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <string>

namespace condlint {

namespace {

/// Domains of torch whose functions work on numbers or, like ATen's core
/// without an entry in the table, are pure by construction.
bool isPureDomain(std::string_view domain) {
  constexpr std::array<std::string_view, 6> pure{"_operator", "math", "torch", "builtins", "operator", "prims"};
  return std::ranges::find(pure, domain) != pure.end();
}

/// An operator without an entry in the table that is known to write nothing and to yield
/// tensors of its own.
bool isPure(const Model &m, const Operator &op) {
  // torch's quantisation on plain integer tensors: no schema of that library has an alias
  // or a write, nor has the one of transformers that is known. Of an operator that is not known there nothing is said.
  const std::string_view domain = m.text(op.domain);
  return isPureDomain(domain) || (op.definition && (domain == "quantized_decomposed" || domain == "transformers"));
}

/// An operator that draws only where an argument says so: outside of training, or of a dropout of nothing, it does not.
/// An argument that is left out is its default, which is no training and no dropout wherever there is one.
bool drawsNothing(const EffectsRow &row, const Model &m, NodeId n) {
  const std::vector<AtenParameter> parameters = row.parameters();
  const auto hasDefault = [&](std::string_view name) {
    return std::ranges::any_of(parameters, [&](const AtenParameter &p) { return p.name == name && p.hasDefault; });
  };
  for (const std::string_view name : {"train", "training"}) {
    const Attribute *a = m.attribute(n, name);
    if (a ? (a->kind == AttributeKind::Bool || a->kind == AttributeKind::Int) && a->number == 0 : hasDefault(name))
      return true;
  }
  for (const std::string_view name : {"dropout", "dropout_p"}) {
    const Attribute *a = m.attribute(n, name);
    if (a ? (a->kind == AttributeKind::Float && a->real == 0) || (a->kind == AttributeKind::Int && a->number == 0)
          : hasDefault(name))
      return true;
  }
  return false;
}

} // namespace

NodeEffects effectsOf(const Model &m, NodeId n) {
  NodeEffects effects;
  const Operator &op = m[m[n].op];
  if (op.definition) {
    effects.random = has(op.definition->traits, OpTrait::Random);
    effects.hostSync = has(op.definition->traits, OpTrait::HostSync);
    effects.opaque = has(op.definition->traits, OpTrait::Opaque);
  }
  if (op.effects) {
    addAtenEffects(*op.effects, m, n, effects);
    effects.random = effects.random || op.effects->random();
    effects.hostSync = effects.hostSync || op.effects->hostSync();
  } else if (op.definition && m.text(op.domain) == cxxDomain) {
    // What stands in C++ source besides operators; the definition says it all.
  } else if (op.dialect == Dialect::Torch && (m[n].regions.empty() ? !isPure(m, op) : !op.definition)) {
    // An overload that no table holds may do anything.
    effects.opaque = true;
  }
  if (op.definition && op.definition->refineEffects)
    op.definition->refineEffects(m, n, effects);
  if (effects.random && op.effects && m.info.format != Format::Cxx && drawsNothing(*op.effects, m, n))
    effects.random = false;
  return effects;
}

} // namespace condlint
