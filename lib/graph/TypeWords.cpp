//===- TypeWords.cpp - Types and sizes in words ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TypeWords.h"
#include <fmt/format.h>
#include <vector>

namespace condlint {

std::string spellDims(const DimTable &table, std::span<const Dim> dims) {
  std::string out = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    out += i == 0 ? "" : ", ";
    out += table.str(dims[i]);
  }
  return out += ']';
}

std::string_view spellKind(ValueKind k) {
  switch (k) {
  case ValueKind::SymInt:
    return "symbolic int";
  case ValueKind::SymBool:
    return "symbolic bool";
  case ValueKind::SymFloat:
    return "symbolic float";
  case ValueKind::None:
    return "None";
  default:
    return kindName(k);
  }
}

std::string spellElement(const Type &t) {
  if (t.element != DType::Unknown)
    return std::string(dtypeName(t.element));
  if (t.elements.empty())
    return "unknown dtype";
  constexpr DTypeSet common{DType::Float16, DType::BFloat16, DType::Float32, DType::Float64};
  constexpr DTypeSet whole{DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64};
  DTypeSet rest = t.elements;
  std::vector<std::string> words;
  const auto kind = [&](DTypeSet all, DTypeSet least, std::string_view name) {
    if ((rest & least) != least)
      return;
    words.emplace_back(name);
    rest = rest - all;
  };
  kind(DTypeSet::integral(), whole, "integral");
  kind(DTypeSet::floating(), common, "floating");
  kind(DTypeSet::complex(), {DType::Complex64, DType::Complex128}, "complex");
  std::string out;
  for (auto i = static_cast<unsigned>(DType::Bool); i <= static_cast<unsigned>(DType::String); ++i)
    if (rest.contains(static_cast<DType>(i)))
      out += fmt::format("{}{}", out.empty() ? "" : " or ", dtypeName(static_cast<DType>(i)));
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}{}{}{}", out.empty() ? "" : " or ", i == 0 ? "some " : "", words[i],
                       i + 1 == words.size() ? " type" : "");
  return out;
}

std::string spellType(const Model &m, const Type &t) {
  if (t.kind == ValueKind::Sequence || t.kind == ValueKind::Optional) {
    // An item never nests deeper than the format lets it: sequences of optionals.
    const Type &item = m.types[t.item];
    const std::string inner = item.kind == ValueKind::Sequence || item.kind == ValueKind::Optional
                                  ? std::string(kindName(item.kind))
                                  : spellType(m, item);
    return fmt::format("{} of {}", kindName(t.kind), inner);
  }
  if (!t.isTensor())
    return std::string(spellKind(t.kind));
  const std::string element = spellElement(t);
  return t.hasRank ? element + spellDims(m.dims, t.dims) : element + " of unknown rank";
}

} // namespace condlint
