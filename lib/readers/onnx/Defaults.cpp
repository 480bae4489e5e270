//===- Defaults.cpp - Sizes of inputs that have defaults ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Defaults.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace condlint::onnx {

namespace {

/// What a name of a size stands for, in a run in which no default is replaced.
struct Meanings {
  bool isGiven = false;            ///< by an input that has no default
  bool isComputed = false;         ///< a default has a size that an expression of the name declares
  std::set<std::int64_t> defaults; ///< what defaults have where the name stands

  bool areSeveral() const { return (isGiven ? 1U : 0U) + (isComputed ? 1U : 0U) + defaults.size() > 1; }
};

/// The shape that \p v has when nobody passes it; nothing for an input that must be given, or one that is declared with
/// another rank, of which nobody knows what is meant.
const Type *defaultOf(const Model &m, ValueId v) {
  const Type &declared = m.types[m[v].recorded];
  if (!m[v].constant || !declared.isTensor() || !declared.hasRank)
    return nullptr;
  const Type &own = m.types[m[m[v].constant].type];
  return own.hasRank && own.dims.size() == declared.dims.size() ? &own : nullptr;
}

} // namespace

void freeSizesOfDefaults(Model &m) {
  const Range inputs = m[m.main()].parameters;
  std::map<std::string, Meanings> names;
  bool hasDefaults = false;
  for (std::uint32_t i = 0; i < inputs.count; ++i)
    hasDefaults = hasDefaults || defaultOf(m, ValueId(inputs.first + i));
  for (std::uint32_t i = 0; hasDefaults && i < inputs.count; ++i) {
    const ValueId v(inputs.first + i);
    const Type *own = defaultOf(m, v);
    const auto declared = m.types[m[v].recorded].dims;
    for (std::size_t axis = 0; axis < declared.size(); ++axis)
      for (const Symbol &s : m.dims.symbolsOf(declared[axis])) {
        Meanings &name = names[s.name];
        const auto size = own ? m.dims.asConstant(own->dims[axis]) : std::nullopt;
        if (!size)
          name.isGiven = true;
        else if (m.dims.asSymbol(declared[axis]))
          name.defaults.insert(*size);
        else
          name.isComputed = true;
      }
  }
  const auto isOpen = [&](Dim d) {
    return std::ranges::any_of(m.dims.symbolsOf(d), [&](const Symbol &s) { return names[s.name].areSeveral(); });
  };
  for (std::uint32_t i = 0; !names.empty() && i < inputs.count; ++i) {
    const ValueId v(inputs.first + i);
    if (!defaultOf(m, v))
      continue;
    Type t = m.types[m[v].recorded];
    std::vector<Dim> sizes(t.dims.begin(), t.dims.end());
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      if (isOpen(sizes[axis]))
        sizes[axis] = m.dims.fresh(fmt::format("{}.{}", m.text(m[v].name), axis), SymbolOrigin::Anonymous);
    t.dims = sizes;
    m[v].recorded = m.types.intern(t);
  }
}

} // namespace condlint::onnx
