//===- ElementSets.cpp - Which element types a result may have ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++ source says little of the element types of its tensors, and yet `x.cos()`
// is never an integer. What an operator yields follows from its definition: it is
// asked once for each element type that the operands may have, and the answers
// are the set that the result may have.
//
//===----------------------------------------------------------------------===//
#include "AtenTypes.h"
#include "InferState.h"
#include "Words.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>

namespace condlint {

namespace {

/// The element types that are tried. Rarer ones behave like others of their kind.
constexpr std::array tried{DType::Bool,      DType::UInt8,     DType::Int8,      DType::Int16,   DType::Int32,
                           DType::Int64,     DType::Float16,   DType::BFloat16,  DType::Float32, DType::Float64,
                           DType::Complex32, DType::Complex64, DType::Complex128};
/// One of each kind, where the operands are too many to try all.
constexpr std::array categories{DType::Bool, DType::Int64, DType::Float32, DType::Complex64};
constexpr std::size_t maxTrials = 128;

constexpr DTypeSet categoryOf(DType t) {
  for (DTypeSet s : {DTypeSet::integral(), DTypeSet::floating(), DTypeSet::complex()})
    if (s.contains(t))
      return s;
  return {t};
}

/// Whether torch computes what takes \p kinds for a first operand of type \p first.
bool takes(ElementKinds kinds, DType first) {
  return first == DType::Unknown || (first == DType::Bool || isIntegral(first) ? kinds.whole : kinds.continuous);
}

/// Anything that torch has.
constexpr DTypeSet anything() { return DTypeSet::all() - DTypeSet{DType::String}; }

} // namespace

void InferState::forgetUnresolved(const InferContext &ctx) {
  if (!ctx.unresolvedShape && !ctx.unresolvedElement)
    return;
  for (TypeId &id : pending) {
    if (!id || !m.types[id].isTensor())
      continue;
    Type t = m.types[id];
    if (ctx.unresolvedShape) {
      t.hasRank = t.hasStrides = false;
      t.storageOffset = Dim();
    }
    if (ctx.unresolvedElement) {
      t.element = DType::Unknown;
      t.elements = {};
    }
    id = m.types.intern(t);
  }
}

namespace {

/// The name of an element type: what decides it, and a letter for each type that this
/// may have: the type that comes of it, or '-' where none does.
struct ElementName {
  std::string root;
  std::string table;
};

ElementName parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

DType typeOfLetter(char c) {
  const auto at = static_cast<std::size_t>(c - 'a');
  return c >= 'a' && at < tried.size() ? tried[at] : DType::Unknown;
}

char letterOf(DType t) {
  const auto at = std::ranges::find(tried, t);
  return at == tried.end() ? '?' : static_cast<char>('a' + (at - tried.begin()));
}

} // namespace

std::string elementName(std::string_view root) {
  std::string name(root);
  name += ':';
  for (DType t : tried)
    name += letterOf(t);
  return name;
}

bool sameElements(const Model &m, const Type &a, const Type &b) {
  if (!a.names.element || !b.names.element)
    return false;
  if (a.names.element == b.names.element)
    return true;
  const ElementName x = parse(m.text(a.names.element));
  const ElementName y = parse(m.text(b.names.element));
  if (x.root != y.root || x.table.size() != y.table.size())
    return false;
  bool common = false;
  for (std::size_t i = 0; i < x.table.size(); ++i) {
    if (x.table[i] == '-' || y.table[i] == '-') // one of them throws
      continue;
    common = true;
    if (x.table[i] != y.table[i])
      return false;
  }
  return common;
}

/// The operands of a node whose element types, or ranks, nobody knows.
struct InferState::OpenOperands {
  std::vector<ValueId> unknown;   ///< of unknown element type, each once
  std::vector<ElementName> names; ///< of their element types
  std::vector<ValueId> rankless;
  DTypeSet given;        ///< what the unknown ones may be
  bool nameless = false; ///< some element type had no name

  /// One value decides them all.
  bool haveOneRoot() const {
    return std::ranges::all_of(names, [&](const ElementName &e) { return e.root == names[0].root; });
  }
};

/// What came of asking an operator for each element type: for each result.
struct InferState::ElementAnswers {
  std::vector<DTypeSet> found;
  std::vector<std::string> tables; ///< as in an ElementName
  bool complete = true;
};

InferState::OpenOperands InferState::openOperands(NodeId n) {
  OpenOperands open;
  for (ValueId v : m.operands(n)) {
    if (!v)
      continue;
    const Type &t = typeOf(v);
    if (!t.isTensor() && t.kind != ValueKind::Unknown)
      continue;
    if (t.element == DType::Unknown && std::ranges::find(open.unknown, v) == open.unknown.end()) {
      open.unknown.push_back(v);
      const StringId name = m.types[named(v)].names.element;
      open.nameless = open.nameless || !name;
      open.names.push_back(parse(name ? std::string(m.text(name)) : elementName(std::to_string(v.index()))));
      open.given = open.given | typeOf(v).possible();
    }
    if (!typeOf(v).hasRank && std::ranges::find(open.rankless, v) == open.rankless.end())
      open.rankless.push_back(v);
  }
  return open;
}

/// Each trial says what the unknown operands are. Where one value decides them all,
/// its types are tried; else one of each kind.
std::vector<std::vector<DType>> InferState::elementTrials(const OpenOperands &open) const {
  std::vector<std::vector<DType>> trials;
  if (open.haveOneRoot()) {
    for (std::size_t t = 0; t < (open.unknown.empty() ? 1 : tried.size()); ++t) {
      std::vector<DType> &of = trials.emplace_back();
      for (std::size_t i = 0; i < open.unknown.size(); ++i) {
        const std::string &table = open.names[i].table;
        const DType type = t < table.size() ? typeOfLetter(table[t]) : DType::Unknown;
        of.push_back(typeOf(open.unknown[i]).possible().contains(type) ? type : DType::Unknown);
      }
    }
    return trials;
  }
  trials.emplace_back();
  for (ValueId v : open.unknown) {
    std::vector<std::vector<DType>> longer;
    for (const std::vector<DType> &start : trials)
      for (DType t : categories)
        if (!categoryOf(t).disjoint(typeOf(v).possible()) && longer.size() <= maxTrials) {
          longer.push_back(start);
          longer.back().push_back(t);
        }
    trials = std::move(longer);
  }
  return trials;
}

InferState::ElementAnswers InferState::askElements(NodeId n, const OpenOperands &open) {
  const std::vector<std::vector<DType>> trials = elementTrials(open);
  const bool byCategory = !open.haveOneRoot();
  const ElementKinds admitted = kindsOfFirstOperand(baseName(m.text(m[m[n].op].name)));
  // Whether operands of unknown rank are scalars decides how some types promote.
  std::size_t scalarChoices = open.rankless.size() < 4 ? std::size_t{1} << open.rankless.size() : 0;
  if (scalarChoices * trials.size() > maxTrials)
    scalarChoices = 0;
  const std::size_t results = pending.size();
  ElementAnswers answers{std::vector<DTypeSet>(results), std::vector<std::string>(results), trials.size() <= maxTrials};
  for (std::size_t trial = 0; answers.complete && trial < trials.size(); ++trial) {
    std::vector<DTypeSet> here(results);
    const std::vector<DType> &of = trials[trial];
    const bool possible = std::ranges::find(of, DType::Unknown) == of.end();
    substitutes.clear();
    for (std::size_t i = 0; i < open.unknown.size(); ++i) {
      Type t = m.types[effective(open.unknown[i])];
      t.kind = ValueKind::Tensor;
      t.element = of[i];
      t.elements = {};
      substitutes.emplace_back(open.unknown[i], t);
    }
    for (std::size_t s = 0; possible && answers.complete && s < std::max<std::size_t>(1, scalarChoices); ++s) {
      assumedScalars = scalarChoices == 0 ? std::nullopt : std::optional(static_cast<unsigned>(s));
      answers.complete = tryOnce(n, admitted, here, byCategory);
    }
    for (std::size_t i = 0; i < results; ++i) {
      answers.found[i] = answers.found[i] | here[i];
      answers.tables[i] += here[i].empty() ? '-' : letterOf(here[i].only());
    }
  }
  substitutes.clear();
  assumedScalars.reset();
  return answers;
}

/// Makes of result \p i, whose element type is unknown, what the answers say.
void InferState::adoptElements(std::size_t i, const OpenOperands &open, const ElementAnswers &answers) {
  Type t = m.types[pending[i]];
  t.elements = {};
  DTypeSet may = answers.complete ? answers.found[i] : DTypeSet();
  // What keeps several types of one kind keeps the rare ones of that kind too.
  for (DTypeSet kind : {DTypeSet::integral(), DTypeSet::floating(), DTypeSet::complex()})
    if ((may & kind).size() > 1)
      may = may | (kind & open.given);
  if (!may.empty() && may != anything())
    t.restrict(may);
  const std::string &table = answers.tables[i];
  if (answers.complete && open.haveOneRoot() && !open.unknown.empty() && !open.nameless &&
      table.find('?') == std::string::npos && table.find_first_not_of('-') != std::string::npos)
    t.names.element = m.strings.intern(open.names[0].root + ':' + table);
  pending[i] = m.types.intern(t);
}

void InferState::tryElements(NodeId n) {
  const auto isOpen = [&](TypeId id) { return id && m.types[id].isTensor() && m.types[id].element == DType::Unknown; };
  if (std::ranges::none_of(pending, isOpen) || isCxx(m, n))
    return;
  const OpenOperands open = openOperands(n);
  // The trials write what the operator yields; all of that is taken back.
  const std::vector<TypeId> base = pending;
  std::vector<ContentId> contents;
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    contents.push_back(m[m.result(n, i)].content);
  const ElementAnswers answers = askElements(n, open);
  for (std::size_t i = 0; i < contents.size(); ++i)
    m[m.result(n, i)].content = contents[i];
  pending = base;
  for (std::size_t i = 0; i < pending.size(); ++i)
    if (isOpen(pending[i]))
      adoptElements(i, open, answers);
}

/// One trial; false when the operator does not say what comes of it.
bool InferState::tryOnce(NodeId n, const ElementKinds &admitted, std::vector<DTypeSet> &found, bool byCategory) {
  // The first operand decides where an operator takes one kind alone.
  if (const ValueId first = m.operands(n).empty() ? ValueId() : m.operands(n)[0];
      first && typeOf(first).isTensor() && !takes(admitted, typeOf(first).element))
    return true;
  pending.assign(pending.size(), TypeId());
  refused = false;
  const std::size_t invalid = out.invalid.size();
  InferContext ctx(m, n, this);
  m[m[n].op].definition->infer(ctx);
  if (out.invalid.size() != invalid) {
    out.invalid.resize(invalid);
    return true;
  }
  if (refused)
    return true;
  if (ctx.unresolvedElement)
    return false;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Type &t = m.types[pending[i]];
    if (!pending[i] || !t.isTensor())
      continue;
    if (t.element == DType::Unknown && t.elements.empty())
      return false;
    const DTypeSet may = t.possible();
    for (DType one : tried)
      if (byCategory && may.contains(one))
        found[i] = found[i] | categoryOf(one);
    found[i] = found[i] | may;
  }
  return true;
}

} // namespace condlint
