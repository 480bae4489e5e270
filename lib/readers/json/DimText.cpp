//===- DimText.cpp - Reads sizes as they are printed ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/DimText.h"
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace condlint::json {
namespace {

constexpr unsigned maxNesting = 160; ///< the deepest form that DimTable keeps needs less
constexpr unsigned maxWords = 16384;

/// A recursive descent whose first error ends everything.
class Parser {
public:
  Parser(DimTable &table, std::string_view source, const SymbolByName &symbolOf)
      : dims(table), text(source), symbol(symbolOf) {}

  Expected<Dim> parse() {
    const Dim d = sum();
    if (!failed() && at < text.size())
      fail("the end or an operator");
    if (failed())
      return Error{{}, {}, problem, {}};
    return d;
  }

private:
  bool failed() const { return !problem.empty(); }
  Dim fail(std::string_view expected) {
    if (!failed())
      problem = fmt::format("expected {} at character {} of the size", expected, at + 1);
    return {};
  }

  void blanks() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool accept(std::string_view word) {
    blanks();
    if (failed() || text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    if (++words > maxWords) {
      fail("a shorter size");
      return false;
    }
    return true;
  }

  Dim sum() {
    if (++nesting > maxNesting)
      return fail("a size that nests less deeply");
    Dim d = product();
    while (!failed()) {
      if (accept("+"))
        d = dims.add(d, product());
      else if (accept("-"))
        d = dims.sub(d, product());
      else
        break;
    }
    --nesting;
    return d;
  }

  Dim product() {
    Dim d = factor();
    while (!failed()) {
      if (accept("*"))
        d = dims.mul(d, factor());
      else if (accept("//"))
        d = dims.floorDiv(d, factor());
      else if (accept("%"))
        d = dims.mod(d, factor());
      else
        break;
    }
    return d;
  }

  Dim factor() {
    bool negative = false;
    while (accept("-"))
      negative = !negative;
    blanks();
    if (failed() || at >= text.size())
      return fail("a number, a name or '('");
    const char c = text[at];
    if (c >= '0' && c <= '9')
      return number(negative);
    Dim d;
    if (accept("(")) {
      d = sum();
      if (!failed() && !accept(")"))
        return fail("')'");
    } else if (accept("?")) {
      d = Dim();
    } else {
      d = named();
    }
    return negative ? dims.negate(d) : d;
  }

  /// The sign belongs to it: the least number has no positive counterpart.
  Dim number(bool negative) {
    std::size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    const std::string digits = (negative ? "-" : "") + std::string(text.substr(at, end - at));
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
      return fail("a number of 64 bits");
    at = end;
    if (++words > maxWords)
      return fail("a shorter size");
    return dims.constant(value);
  }

  Dim named() {
    const bool quoted = text[at] == '\'';
    const std::optional<std::string> name = quoted ? quotedName() : plainName();
    if (!name)
      return fail(quoted ? "a name that ends in a quote" : "a number, a name or '('");
    if (++words > maxWords)
      return fail("a shorter size");
    if (!accept("("))
      return failed() ? Dim() : symbol(*name);
    std::vector<Dim> args;
    if (!accept(")")) {
      do
        args.push_back(sum());
      while (!failed() && accept(","));
      if (failed() || !accept(")"))
        return fail("',' or ')'");
    }
    if (!quoted && (*name == "min" || *name == "max")) {
      if (args.empty())
        return fail("a size to choose from");
      Dim d = args[0];
      for (std::size_t i = 1; i < args.size(); ++i)
        d = *name == "min" ? dims.min(d, args[i]) : dims.max(d, args[i]);
      return d;
    }
    return dims.opaque(*name, args);
  }

  std::optional<std::string> plainName() {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (!letter(text[at]))
      return std::nullopt;
    const std::size_t start = at;
    while (at < text.size() && (letter(text[at]) || (text[at] >= '0' && text[at] <= '9') || text[at] == '.'))
      ++at;
    return std::string(text.substr(start, at - start));
  }

  std::optional<std::string> quotedName() {
    std::string name;
    for (++at; at < text.size(); ++at) {
      if (text[at] == '\'') {
        ++at;
        return name;
      }
      if (text[at] != '\\') {
        name += text[at];
        continue;
      }
      if (++at >= text.size())
        break;
      if (text[at] != 'x') {
        name += text[at];
        continue;
      }
      unsigned value = 0;
      const std::string_view digits = text.substr(at + 1, 2);
      if (digits.size() != 2 || std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr != digits.data() + 2)
        break;
      name += static_cast<char>(value);
      at += 2;
    }
    return std::nullopt;
  }

  DimTable &dims;
  std::string_view text;
  const SymbolByName &symbol;
  std::size_t at = 0;
  unsigned nesting = 0;
  unsigned words = 0;
  std::string problem;
};

} // namespace

Expected<Dim> parseDim(DimTable &dims, std::string_view text, const SymbolByName &symbol) {
  return Parser(dims, text, symbol).parse();
}

} // namespace condlint::json
