//===- DimCopier.cpp - Expressions in another store -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DimCopier.h"

namespace condlint::detail {

ExprId DimCopier::copy(ExprId e) {
  if (e == 0)
    return 0;
  ExprId sum = to.constant(from.expr(e).constant);
  for (const Term &t : from.terms(e)) {
    ExprId product = to.constant(t.coefficient);
    for (const AtomId a : from.factors(t.monomial))
      product = to.mul(product, atom(a));
    sum = to.add(sum, product);
  }
  return sum;
}

ExprId DimCopier::atom(AtomId a) {
  for (const auto &[known, e] : done)
    if (known == a)
      return e;
  const ExprId made = make(a);
  done.emplace_back(a, made);
  return made;
}

ExprId DimCopier::make(AtomId a) {
  const Atom &x = from.atom(a);
  if (x.kind == AtomKind::Symbol) {
    for (const auto &[s, by] : symbols)
      if (s == x.name)
        return by;
    return 0;
  }
  std::vector<ExprId> args;
  for (const ExprId e : from.arguments(a))
    args.push_back(copy(e));
  switch (x.kind) {
  case AtomKind::FloorDiv:
    return to.floorDiv(args[0], args[1]);
  case AtomKind::Mod:
    return expand ? to.sub(args[0], to.mul(args[1], to.floorDiv(args[0], args[1]))) : to.mod(args[0], args[1]);
  case AtomKind::Max:
    if (expand && args.size() == 2)
      return to.sub(to.add(args[0], args[1]), to.extremum(AtomKind::Min, args));
    return to.extremum(AtomKind::Max, args);
  case AtomKind::Min:
    return to.extremum(AtomKind::Min, args);
  case AtomKind::Opaque:
    return to.opaque(from.functionName(x.name), args);
  case AtomKind::Symbol:
    break;
  }
  return 0;
}

} // namespace condlint::detail
