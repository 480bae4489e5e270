//===- OwnSizes.cpp - What data decide in a function, by call -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OwnSizes.h"
#include <algorithm>

namespace condlint {

OwnSizes::OwnSizes(Model &model, NodeId call) : m(model), hint(std::string(m.text(m[call].name)) + ".size") {
  for (const ValueId v : m.operands(call)) {
    if (!v)
      continue;
    const Type *t = &m.type(v);
    for (; t->item; t = &m.types[t->item])
      keep(t->dims);
    keep(t->dims);
    if (m[v].content)
      keep(m.content(m[v].content));
  }
}

TypeId OwnSizes::of(TypeId id) {
  if (!id)
    return id;
  Type t = m.types[id];
  t.item = of(t.item);
  const std::vector<Dim> dims = of(t.dims);
  t.dims = dims;
  return m.types.intern(t);
}

ContentId OwnSizes::of(ContentId id) {
  if (!id)
    return id;
  const std::vector<Dim> numbers = of(m.content(id));
  return std::ranges::equal(numbers, m.content(id)) ? id : m.addContent(numbers);
}

void OwnSizes::keep(std::span<const Dim> dims) {
  for (const Dim d : dims)
    for (const Symbol &s : m.dims.symbolsOf(d))
      given.insert(s.name);
}

std::vector<Dim> OwnSizes::of(std::span<const Dim> dims) {
  std::vector<Dim> out(dims.begin(), dims.end());
  for (Dim &d : out)
    if (isDecidedInside(d)) {
      const auto [own, isNew] = owns.try_emplace(d, Dim());
      if (isNew)
        own->second = m.dims.fresh(hint, SymbolOrigin::Unbacked);
      d = own->second;
    }
  return out;
}

bool OwnSizes::isDecidedInside(Dim d) const {
  return d.known() && std::ranges::any_of(m.dims.symbolsOf(d), [&](const Symbol &s) {
           return (s.origin == SymbolOrigin::Unbacked || s.origin == SymbolOrigin::Anonymous) &&
                  !given.contains(s.name);
         });
}

} // namespace condlint
