//===- DimExpression.cpp - Sizes that exporters write as sums ---------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DimExpression.h"
#include <algorithm>
#include <charconv>

namespace condlint::onnx {

namespace {

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// sum = product (('+' | ' - ') product)*; product = factor (('*' | '//' | '%') factor)*;
/// factor = number | name | name '(' sum, ... ')' | '(' sum ')'.
class Parser {
public:
  Parser(DimTable &table, std::string_view expression, bool build) : dims(table), text(expression), building(build) {}

  /// The whole text as an expression; unknown when it is none.
  Dim parse(bool &ok) {
    const Dim d = sum(0);
    blanks();
    ok = !failed && at == text.size();
    return d;
  }

private:
  static constexpr unsigned deepest = 16;

  void blanks() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool take(std::string_view token) {
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }
  Dim fail() {
    failed = true;
    return {};
  }

  Dim sum(unsigned depth) {
    Dim d = product(depth);
    while (!failed) {
      blanks();
      if (take("+")) {
        const Dim b = product(depth);
        d = building ? dims.add(d, b) : d;
      } else if (at != 0 && text[at - 1] == ' ' && take("- ")) {
        const Dim b = product(depth);
        d = building ? dims.sub(d, b) : d;
      } else {
        break;
      }
    }
    return d;
  }

  Dim product(unsigned depth) {
    Dim d = factor(depth);
    while (!failed) {
      blanks();
      if (text.substr(at).starts_with("**"))
        return fail();
      if (take("*")) {
        const Dim b = factor(depth);
        d = building ? dims.mul(d, b) : d;
      } else if (take("//")) {
        const Dim b = factor(depth);
        d = building ? dims.floorDiv(d, b) : d;
      } else if (take("%")) {
        const Dim b = factor(depth);
        d = building ? dims.mod(d, b) : d;
      } else {
        break;
      }
    }
    return d;
  }

  Dim factor(unsigned depth) {
    blanks();
    if (depth > deepest || at == text.size())
      return fail();
    if (take("(")) {
      const Dim d = sum(depth + 1);
      blanks();
      return take(")") ? d : fail();
    }
    if (isDigit(text[at])) {
      std::int64_t n = 0;
      const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), n);
      if (error != std::errc())
        return fail();
      at = static_cast<std::size_t>(end - text.data());
      return building ? dims.constant(n) : Dim();
    }
    if (!isNameStart(text[at]))
      return fail();
    const std::size_t first = at;
    while (at < text.size() && (isNameStart(text[at]) || isDigit(text[at]) || text[at] == '.'))
      ++at;
    const std::string_view name = text.substr(first, at - first);
    if (take("("))
      return call(name, depth + 1);
    return building ? dims.symbol(name, SymbolOrigin::Named) : Dim();
  }

  Dim call(std::string_view function, unsigned depth) {
    if (function == "floor" || function == "ceiling") {
      // sympy writes a floor division as floor(a/b).
      const Dim a = product(depth);
      blanks();
      if (!take("/"))
        return fail();
      const Dim b = factor(depth);
      blanks();
      if (!take(")"))
        return fail();
      if (!building)
        return {};
      return function == "floor" ? dims.floorDiv(a, b) : dims.ceilDiv(a, b);
    }
    const bool isMax = function == "Max" || function == "max";
    if (!isMax && function != "Min" && function != "min" && function != "FloorDiv" && function != "Mod")
      return fail();
    Dim d = sum(depth);
    blanks();
    unsigned arguments = 1;
    while (!failed && take(",")) {
      const Dim b = sum(depth);
      ++arguments;
      blanks();
      if (!building)
        continue;
      if (function == "FloorDiv")
        d = dims.floorDiv(d, b);
      else if (function == "Mod")
        d = dims.mod(d, b);
      else
        d = isMax ? dims.max(d, b) : dims.min(d, b);
    }
    if ((function == "FloorDiv" || function == "Mod") && arguments != 2)
      return fail();
    return take(")") ? d : fail();
  }

  DimTable &dims;
  std::string_view text;
  std::size_t at = 0;
  bool building;
  bool failed = false;
};

} // namespace

Dim readDimParam(DimTable &dims, std::string_view text, bool isTorch) {
  constexpr std::size_t longest = 256;
  const bool isNumber = std::ranges::all_of(text, isDigit);
  const bool isExpression = text.find_first_of("+-*/%(") != std::string_view::npos;
  if (text.size() <= longest && (isExpression || (isNumber && isTorch))) {
    // Names are made only for what parses as a whole.
    bool ok = false;
    Parser(dims, text, false).parse(ok);
    if (ok)
      if (const Dim d = Parser(dims, text, true).parse(ok); d.known() && (isTorch || !dims.asConstant(d)))
        return d;
  }
  return dims.symbol(text, SymbolOrigin::Named);
}

} // namespace condlint::onnx
