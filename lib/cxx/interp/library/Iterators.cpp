//===- Iterators.cpp - Positions in containers ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Iterators.h"
#include "../machine/Names.h"
#include "../machine/Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

std::optional<Value> Iterators::iterator(Call &c, std::string_view name) {
  std::vector<Argument *> operands;
  if (c.self)
    operands.push_back(&*c.self);
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      operands.push_back(&a);
  if (operands.size() == 1 && c.self && name == "base")
    return m.load(*c.self);
  if (operands.empty() || !name.starts_with("operator"))
    return std::nullopt;
  const Value a = m.load(*operands[0]);
  const Value b = operands.size() > 1 ? m.load(*operands[1]) : Value();
  const std::string_view op = name.substr(8);
  if (operands.size() == 2 && (op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=")) {
    if (!a.pointer() && !a.isNull() && !a.text() && !a.callable() && !a.record() && !a.symbol())
      return std::nullopt;
    const unsigned code = op == "=="   ? clang::BO_EQ
                          : op == "!=" ? clang::BO_NE
                          : op == "<"  ? clang::BO_LT
                          : op == ">"  ? clang::BO_GT
                          : op == "<=" ? clang::BO_LE
                                       : clang::BO_GE;
    const auto plain = [](const Value &v) { return v.pointer() || v.isNull() || v.text() || v.callable(); };
    if (a.record() && b.isNull())
      return Number::boolean(code == clang::BO_NE, Provenance::Fixed);
    return plain(a) && plain(b) ? m.compare(code, a, b, c.expr) : Value(Number::unknown(Number::Kind::Bool));
  }
  if (!a.pointer()) {
    const bool isDifference = op == "-" && c.type->isIntegerType();
    if (!c.self && !isDifference)
      return std::nullopt;
    // A position that is not known.
    if (op == "*" || op == "->" || op == "[]")
      return Pointer::unknown();
    if (op == "++" || op == "--" || op == "+=" || op == "-=")
      return self(c);
    const Place *from = isDifference && b.pointer() ? b.pointer()->only() : nullptr;
    if (from && m.isFirst(*from)) // nothing is before it
      return someCount(m, "distance");
    return m.unknown(c.type, "a position that is not known");
  }
  const Argument &first = *operands[0];
  const bool backwards = m.className(!first.type.isNull() ? first.type
                                     : first.expr         ? first.expr->getType()
                                                          : clang::QualType()) == "std::reverse_iterator";
  const int ahead = backwards ? -1 : 1;
  const Value target = backwards ? m.offset(a, Number::ofInteger(1), -1) : a;
  if (op == "*" || op == "->")
    return target;
  if (op == "[]")
    return m.offset(target, b, ahead);
  if (op == "++" || op == "--") {
    const Value now = m.offset(a, Number::ofInteger(1), op == "++" ? ahead : -ahead);
    m.store(self(c), now, c.expr);
    return operands.size() == 1 ? Value(self(c)) : a; // the postfix one has a dummy argument
  }
  if (op == "+=" || op == "-=") {
    m.store(self(c), m.offset(a, b, op == "+=" ? ahead : -ahead), c.expr);
    return self(c);
  }
  if (op == "+" || op == "-")
    return b.pointer() ? m.arithmetic(clang::BO_Sub, backwards ? b : a, backwards ? a : b, m.ast().LongTy, c.expr)
                       : m.offset(a, b, op == "+" ? ahead : -ahead);
  if (op == "=") {
    m.store(self(c), b, c.expr);
    return self(c);
  }
  return std::nullopt;
}

} // namespace condlint::cxx
