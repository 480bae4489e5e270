//===- AtenEffects.cpp - What ATen overloads write and alias --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Words.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace condlint {
namespace {

enum class Argument : std::uint8_t {
#define ATEN_ARGUMENT(id, name) id,
#include "AtenEffects.inc"
};

constexpr std::string_view argumentNames[] = {
#define ATEN_ARGUMENT(id, name) name,
#include "AtenEffects.inc"
};

constexpr Argument writeTable[] = {
#define ATEN_WRITE(argument) Argument::argument,
#include "AtenEffects.inc"
};

struct AliasEntry {
  std::uint8_t result;
  Argument argument;
  AliasKind kind;
};
constexpr AliasEntry aliasTable[] = {
#define ATEN_ALIAS(result, argument, kind) {result, Argument::argument, AliasKind::kind},
#include "AtenEffects.inc"
};

struct Signature {
  std::uint8_t firstWrite, writes, firstAlias, aliases;
};
constexpr Signature signatureTable[] = {
#define ATEN_SIGNATURE(firstWrite, writes, firstAlias, aliases) {firstWrite, writes, firstAlias, aliases},
#include "AtenEffects.inc"
};

// All names lie behind one another in one object, so that the rows hold offsets
// and the loader has nothing to relocate.
struct Names {
#define ATEN_OVERLOAD(id, name, signature, parameters, flags, results) char id[sizeof(name)];
#include "AtenEffects.inc"
};
constexpr Names names = {
#define ATEN_OVERLOAD(id, name, signature, parameters, flags, results) name,
#include "AtenEffects.inc"
};

// The same for the lists of parameters.
struct ParameterLists {
#define ATEN_PARAMETERS(id, text) char id[sizeof(text)];
#include "AtenEffects.inc"
};
constexpr ParameterLists parameterLists = {
#define ATEN_PARAMETERS(id, text) text,
#include "AtenEffects.inc"
};
struct ListAt {
  std::uint32_t first, size;
};
constexpr ListAt listTable[] = {
#define ATEN_PARAMETERS(id, text) {offsetof(ParameterLists, id), sizeof(text) - 1},
#include "AtenEffects.inc"
};

constexpr EffectsRow rows[] = {
#define ATEN_OVERLOAD(id, name, signature, parameters, flags, results)                                                 \
  {offsetof(Names, id), sizeof(name) - 1, signature, flags, results, parameters},
#include "AtenEffects.inc"
};

} // namespace

std::string_view EffectsRow::name() const { return {reinterpret_cast<const char *>(&names) + nameAt, nameLength}; }
std::size_t EffectsRow::writeCount() const { return signatureTable[signature].writes; }
std::string_view EffectsRow::write(std::size_t i) const {
  return argumentNames[static_cast<std::size_t>(writeTable[signatureTable[signature].firstWrite + i])];
}
std::size_t EffectsRow::aliasCount() const { return signatureTable[signature].aliases; }
EffectsRow::Alias EffectsRow::alias(std::size_t i) const {
  const AliasEntry &e = aliasTable[signatureTable[signature].firstAlias + i];
  return {e.result, argumentNames[static_cast<std::size_t>(e.argument)], e.kind};
}

std::vector<AtenParameter> EffectsRow::parameters() const {
  const ListAt at = listTable[parameterList];
  // "self:T other:T shifts:I$ alpha:s=": a letter for each type, $ behind SymInt, # behind a list of int of a given
  // length, = behind what has a default.
  std::string_view text(reinterpret_cast<const char *>(&parameterLists) + at.first, at.size);
  std::vector<AtenParameter> list;
  while (!text.empty()) {
    const std::string_view word = nextWord(text);
    const std::size_t colon = word.rfind(':');
    if (colon == std::string_view::npos || colon + 1 >= word.size())
      continue;
    const std::string_view marks = word.substr(colon + 2);
    const AtenIntegers integers = marks.starts_with('$')   ? AtenIntegers::Symbolic
                                  : marks.starts_with('#') ? AtenIntegers::Repeated
                                                           : AtenIntegers::Plain;
    list.push_back({word.substr(0, colon), static_cast<AtenType>(word[colon + 1]), word.ends_with('='), integers});
  }
  return list;
}

std::span<const EffectsRow> atenOverloads(std::string_view name) {
  const std::string prefix = "aten." + std::string(name) + ".";
  const auto starts = [&](const EffectsRow &row) { return row.name().starts_with(prefix); };
  const EffectsRow *first = std::lower_bound(std::begin(rows), std::end(rows), std::string_view(prefix),
                                             [](const EffectsRow &row, std::string_view k) { return row.name() < k; });
  const EffectsRow *last = std::find_if_not(first, std::end(rows), starts);
  return {first, last};
}

std::size_t atenEffectsCount() { return std::size(rows); }

const EffectsRow *findAtenEffects(std::string_view domain, std::string_view name, std::string_view overload) {
  if (overload.empty())
    overload = "default";
  // No name of the table is longer than a row can say.
  std::array<char, 256> key{};
  if (domain.size() + name.size() + overload.size() + 2 > key.size())
    return nullptr;
  char *end = std::copy(domain.begin(), domain.end(), key.data());
  *end++ = '.';
  end = std::copy(name.begin(), name.end(), end);
  *end++ = '.';
  end = std::copy(overload.begin(), overload.end(), end);
  std::string_view wanted(key.data(), static_cast<std::size_t>(end - key.data()));
  const EffectsRow *found = std::lower_bound(std::begin(rows), std::end(rows), wanted,
                                             [](const EffectsRow &row, std::string_view k) { return row.name() < k; });
  return found != std::end(rows) && found->name() == wanted ? found : nullptr;
}

Range argumentOperands(const Model &m, NodeId n, std::string_view name) {
  const Attribute *a = m.attribute(n, name);
  if (!a)
    return {};
  if (a->kind == AttributeKind::Operand)
    return {a->list.first, 1};
  if (a->kind == AttributeKind::Operands)
    return a->list;
  return {};
}

std::optional<std::int64_t> literalArgument(const Model &m, NodeId n, std::string_view name) {
  const Attribute *a = m.attribute(n, name);
  if (a && (a->kind == AttributeKind::Bool || a->kind == AttributeKind::Int))
    return a->number;
  return std::nullopt;
}

void addAtenEffects(const EffectsRow &row, const Model &m, NodeId n, NodeEffects &effects) {
  effects.random |= row.random();
  effects.hostSync |= row.hostSync();
  const auto valid = [&](std::uint32_t operand) {
    return operand < m.operands(n).size() && m.operands(n)[operand].valid();
  };
  for (std::size_t i = 0; i < row.writeCount(); ++i) {
    const Range at = argumentOperands(m, n, row.write(i));
    for (std::uint32_t k = 0; k < at.count; ++k)
      if (valid(at.first + k))
        effects.writes.push_back(at.first + k);
  }
  const auto results = static_cast<std::uint32_t>(m.resultCount(n));
  for (std::size_t i = 0; i < row.aliasCount(); ++i) {
    const EffectsRow::Alias alias = row.alias(i);
    const Range at = argumentOperands(m, n, alias.argument);
    for (std::uint32_t k = 0; k < at.count; ++k) {
      if (!valid(at.first + k))
        continue;
      if (alias.result != EffectsRow::everyResult) {
        if (alias.result < results)
          effects.aliases.push_back({alias.result, at.first + k, alias.kind});
      } else if (m.attribute(n, alias.argument)->kind == AttributeKind::Operands) {
        // A list in, a list out: each result is a view of its own operand.
        if (k < results)
          effects.aliases.push_back({k, at.first + k, alias.kind});
      } else {
        for (std::uint32_t r = 0; r < results; ++r)
          effects.aliases.push_back({r, at.first + k, alias.kind});
      }
    }
  }
}

void setAliases(NodeEffects &effects, std::uint32_t operand, std::optional<AliasKind> kind) {
  if (!kind) {
    std::erase_if(effects.aliases, [&](const NodeEffects::Alias &a) { return a.operand == operand; });
    return;
  }
  bool found = false;
  for (NodeEffects::Alias &a : effects.aliases)
    if (a.operand == operand) {
      a.kind = *kind;
      found = true;
    }
  if (!found)
    effects.aliases.push_back({0, operand, *kind});
}

} // namespace condlint
