//===- SymExpr.cpp - Sizes as sympy writes them -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SymExpr.h"
#include "graph/DimRelation.h"
#include <algorithm>
#include <array>
#include <charconv>

namespace condlint::pt2 {

namespace {

constexpr std::size_t maxLength = 64 * 1024;
constexpr unsigned maxDepth = 128;
/// Powers up to this are multiplied out; larger ones stay opaque.
constexpr std::int64_t maxExponent = 8;

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }

/// A part of an expression: an integer, a real number, or something that is none.
struct Term {
  Dim dim;
  bool isReal = false;  ///< no integer: it is the same where it is written the same, and nothing else is known of it
  std::string function; ///< the last call's name, to look through CeilToInt(IntTrueDiv(a, b))
  Dim numerator;        ///< of IntTrueDiv
  Dim denominator;
};

class Parser {
public:
  Parser(std::string_view expression, DimTable &dimTable, SymbolTable &symbolTable)
      : text(expression), dims(dimTable), table(symbolTable) {}

  SymExpr run() {
    if (text.size() > maxLength)
      problem = "it is " + std::to_string(text.size()) + " characters long";
    Term t;
    if (problem.empty())
      t = comparison();
    space();
    if (problem.empty() && at != text.size())
      expected("the end");
    if (!problem.empty() || t.isReal)
      t = Term();
    return {t.dim, std::move(problem), std::move(seen)};
  }

private:
  // --- tokens ----------------------------------------------------------------
  void space() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n'))
      ++at;
  }
  char peek() {
    space();
    return at < text.size() ? text[at] : '\0';
  }
  bool take(std::string_view s) {
    space();
    if (text.substr(at, s.size()) != s)
      return false;
    at += s.size();
    return true;
  }
  void expected(std::string_view what) {
    if (problem.empty())
      problem = "expected " + std::string(what) + " at character " + std::to_string(at);
  }
  std::string_view name() {
    space();
    const std::size_t from = at;
    // "torch.utils._sympy.functions.FloorDiv": the last part is the name.
    std::size_t last = at;
    while (at < text.size() && (isNamePart(text[at]) || (text[at] == '.' && at > from))) {
      if (text[at] == '.')
        last = at + 1;
      ++at;
    }
    return text.substr(last, at - last);
  }
  std::optional<std::string> quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"')
      return std::nullopt;
    const std::size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos) {
      expected("a closing quote");
      return std::nullopt;
    }
    std::string s(text.substr(at + 1, end - at - 1));
    at = end + 1;
    return s;
  }

  // --- grammar ---------------------------------------------------------------
  Term comparison() {
    Term left = sum();
    constexpr std::array<std::string_view, 8> relations{"<=", ">=", "==", "!=", "<", ">", "&", "|"};
    for (bool more = true; more && problem.empty();) {
      more = false;
      for (const std::string_view r : relations) {
        if (!take(r))
          continue;
        const Term right = sum();
        const bool real = left.isReal || right.isReal;
        const auto truth = real ? std::nullopt : relation(r, left.dim, right.dim);
        left = truth ? plain(*truth) : opaque(r, {left.dim, right.dim});
        more = true;
        break;
      }
    }
    return left;
  }

  Term sum() {
    Term left = product();
    while (problem.empty()) {
      if (take("+"))
        left = both(&DimTable::add, left, product());
      else if (take("-"))
        left = both(&DimTable::sub, left, product());
      else
        break;
    }
    return left;
  }

  Term product() {
    Term left = unary();
    while (problem.empty()) {
      space();
      if (text.substr(at, 2) == "**")
        break;
      if (take("//"))
        left = ofIntegers(&DimTable::floorDiv, left, unary());
      else if (take("*"))
        left = both(&DimTable::mul, left, unary());
      else if (take("/"))
        left = asReal(opaque("Div", {left.dim, unary().dim}));
      else if (take("%"))
        left = ofIntegers(&DimTable::mod, left, unary());
      else
        break;
    }
    return left;
  }

  Term unary() {
    bool negative = false;
    for (;;) {
      if (take("-"))
        negative = !negative;
      else if (!take("+"))
        break;
    }
    // Python binds a power tighter than the sign before it.
    Term t = primary();
    if (problem.empty() && take("**")) {
      if (++depth > maxDepth) {
        tooDeep();
        return {};
      }
      t = power(t, unary());
      --depth;
    }
    return negative ? both(&DimTable::sub, plain(dims.constant(0)), t) : t;
  }

  Term primary() {
    if (++depth > maxDepth) {
      tooDeep();
      return {};
    }
    Term t = primaryAtDepth();
    --depth;
    return t;
  }

  Term primaryAtDepth() {
    if (!problem.empty())
      return {};
    if (take("(")) {
      Term t = comparison();
      if (!take(")"))
        expected("')'");
      return t;
    }
    if (take("~"))
      return plain(isNot(dims, primary().dim));
    const char c = peek();
    if (isDigit(c))
      return literal();
    if (c == '\'' || c == '"') {
      const auto written = quoted();
      return written ? asReal(opaque("Float " + *written, {})) : Term();
    }
    if (!isNameStart(c)) {
      expected("an expression");
      return {};
    }
    const std::string_view n = name();
    if (take("("))
      return call(n);
    if (n == "True" || n == "False" || n == "true" || n == "false" || n == "None" || n == "oo" || n == "int_oo" ||
        n == "nan" || n == "zoo")
      return {};
    return symbol(std::string(n), Interval{});
  }

  Term literal() {
    const std::size_t from = at;
    while (at < text.size() && (isNamePart(text[at]) || text[at] == '.' ||
                                ((text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E'))))
      ++at;
    const std::string_view digits = text.substr(from, at - from);
    if (std::all_of(digits.begin(), digits.end(), isDigit)) {
      std::int64_t v = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), v).ec != std::errc())
        return {}; // beyond 64 bits: no number that a size can have
      return plain(dims.constant(v));
    }
    double real = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    if (end.ec == std::errc::invalid_argument || end.ptr != digits.data() + digits.size())
      expected("a number");
    return asReal(opaque("Float " + std::string(digits), {}));
  }

  Term call(std::string_view function) {
    if (function == "Symbol" || function == "Dummy")
      return symbolCall();
    const std::vector<Term> args = arguments();
    return problem.empty() ? apply(function, args) : Term();
  }

  std::vector<Term> arguments() {
    std::vector<Term> args;
    if (take(")"))
      return args;
    while (problem.empty()) {
      space();
      const std::size_t from = at;
      // A keyword ("evaluate=False") says nothing about the value.
      if (isNameStart(peek())) {
        name();
        if (peek() == '=' && text.substr(at, 2) != "==") {
          ++at;
          comparison();
        } else {
          at = from;
          args.push_back(comparison());
        }
      } else {
        args.push_back(comparison());
      }
      if (take(","))
        continue;
      if (!take(")"))
        expected("',' or ')'");
      break;
    }
    return args;
  }

  Term symbolCall() {
    const auto n = quoted();
    if (!n || n->empty()) {
      expected("a symbol's name in quotes");
      return {};
    }
    Interval bounds;
    while (take(",")) {
      const std::string_view key = name();
      if (!take("=")) {
        expected("'='");
        return {};
      }
      const std::string_view value = name();
      if (value != "True" && value != "False" && value != "None") {
        expected("True or False");
        return {};
      }
      const bool yes = value == "True";
      if (key == "positive" && yes)
        bounds.min = std::max<std::int64_t>(bounds.min, 1);
      if ((key == "nonnegative" || (key == "negative" && value == "False")) && (yes || key == "negative"))
        bounds.min = std::max<std::int64_t>(bounds.min, 0);
      if (key == "negative" && yes)
        bounds.max = std::min<std::int64_t>(bounds.max, -1);
    }
    if (!take(")")) {
      expected("')'");
      return {};
    }
    // The tracer takes sizes to be at least 1, and what it wrote runs with none as well.
    if (originOfSymbol(*n) == SymbolOrigin::Declared && bounds.min == 1)
      bounds.min = 0;
    return symbol(*n, bounds);
  }

  Term symbol(const std::string &n, Interval bounds) {
    auto [it, isNew] = table.try_emplace(n, SymbolFacts{originOfSymbol(n), bounds});
    SymbolFacts &facts = it->second;
    if (!isNew) {
      facts.bounds.min = std::max(facts.bounds.min, bounds.min);
      facts.bounds.max = std::min(facts.bounds.max, bounds.max);
    }
    seen.push_back(n);
    return plain(dims.symbol(n, facts.origin, facts.bounds));
  }

  // --- meaning ---------------------------------------------------------------
  static Term plain(Dim d) {
    Term t;
    t.dim = d;
    return t;
  }
  static Term asReal(Term t) {
    t.isReal = true;
    return t;
  }
  /// A sum, a difference or a product.
  Term both(Dim (DimTable::*op)(Dim, Dim), const Term &a, const Term &b) {
    Term t = plain((dims.*op)(a.dim, b.dim));
    t.isReal = a.isReal || b.isReal;
    return t;
  }
  /// What is worked out for integers alone.
  Term ofIntegers(Dim (DimTable::*op)(Dim, Dim), const Term &a, const Term &b) {
    return a.isReal || b.isReal ? Term() : plain((dims.*op)(a.dim, b.dim));
  }

  /// Unknown arguments (fractions, booleans) make an unknown: two of them must
  /// not compare equal by their function's name.
  Term opaque(std::string_view function, std::vector<Dim> args) {
    if (std::any_of(args.begin(), args.end(), [](Dim d) { return !d.known(); }))
      return {};
    return plain(dims.opaque(function, args));
  }

  Term power(const Term &base, const Term &exponent) {
    const auto n = exponent.isReal ? std::nullopt : dims.asConstant(exponent.dim);
    Term t;
    if (!n || *n < 0 || *n > maxExponent) {
      t = opaque("Pow", {base.dim, exponent.dim});
    } else {
      t.dim = dims.constant(1);
      for (std::int64_t i = 0; i < *n; ++i)
        t.dim = dims.mul(t.dim, base.dim);
    }
    t.isReal = base.isReal || exponent.isReal;
    return t;
  }

  /// The truth of a comparison, or of two truths, called \p f; nothing when it is none.
  std::optional<Dim> relation(std::string_view f, Dim a, Dim b) {
    const auto is = [&](std::string_view sign, std::string_view name, std::string_view shortName) {
      return f == sign || f == name || f == shortName;
    };
    if (is("<", "StrictLessThan", "Lt"))
      return isLess(dims, a, b);
    if (is(">", "StrictGreaterThan", "Gt"))
      return isLess(dims, b, a);
    if (is("<=", "LessThan", "Le"))
      return isLessOrEqual(dims, a, b);
    if (is(">=", "GreaterThan", "Ge"))
      return isLessOrEqual(dims, b, a);
    if (is("==", "Equality", "Eq"))
      return isEqual(dims, a, b);
    if (is("!=", "Unequality", "Ne"))
      return isNot(dims, isEqual(dims, a, b));
    const bool truths = isTruth(dims, a) && isTruth(dims, b);
    if (truths && (f == "&" || f == "And"))
      return dims.min(a, b);
    if (truths && (f == "|" || f == "Or"))
      return dims.max(a, b);
    return std::nullopt;
  }

  /// A function of real numbers, which is a real number but where it says that it is an integer.
  Term ofReals(std::string_view f, const std::vector<Term> &args) {
    static constexpr std::array<std::string_view, 7> toInteger{"TruncToInt", "FloorToInt", "CeilToInt", "RoundToInt",
                                                               "floor",      "ceiling",    "Trunc"};
    std::vector<Dim> known;
    for (const Term &t : args)
      known.push_back(t.dim);
    Term t = opaque(f, std::move(known));
    t.isReal = std::ranges::find(toInteger, f) == toInteger.end();
    return t;
  }

  Term apply(std::string_view f, const std::vector<Term> &args) {
    const auto arg = [&](std::size_t i) { return args[i].dim; };
    const bool anyReal = std::ranges::any_of(args, &Term::isReal);
    const auto fold = [&](Dim (DimTable::*op)(Dim, Dim)) {
      Dim r = arg(0);
      for (std::size_t i = 1; i < args.size(); ++i)
        r = (dims.*op)(r, arg(i));
      Term t = plain(r);
      t.isReal = anyReal;
      return t;
    };
    const std::size_t n = args.size();
    if (f == "Float" && n > 0)
      return args[0];
    if (f == "Integer" && n == 1)
      return args[0];
    if (f == "Add" && n > 0)
      return fold(&DimTable::add);
    if (f == "Mul" && n > 0)
      return fold(&DimTable::mul);
    if ((f == "Pow" || f == "PowByNatural" || f == "FloatPow") && n == 2)
      return f == "FloatPow" ? asReal(power(args[0], args[1])) : power(args[0], args[1]);
    if (f == "IntTrueDiv" && n == 2) {
      Term t = asReal(opaque(f, {arg(0), arg(1)}));
      t.function = anyReal ? "" : f;
      t.numerator = arg(0);
      t.denominator = arg(1);
      return t;
    }
    if (n == 1 && args[0].function == "IntTrueDiv") {
      if (f == "CeilToInt" || f == "ceiling")
        return plain(dims.ceilDiv(args[0].numerator, args[0].denominator));
      if (f == "FloorToInt" || f == "floor")
        return plain(dims.floorDiv(args[0].numerator, args[0].denominator));
    }
    if (anyReal || f == "ToFloat")
      return ofReals(f, args);
    if (f == "Max" && n > 0)
      return fold(&DimTable::max);
    if (f == "Min" && n > 0)
      return fold(&DimTable::min);
    if ((f == "FloorDiv" || f == "CleanDiv") && n == 2)
      return plain(dims.floorDiv(arg(0), arg(1)));
    if ((f == "Mod" || f == "PythonMod") && n == 2)
      return plain(dims.mod(arg(0), arg(1)));
    if (f == "CeilDiv" && n == 2)
      return plain(dims.ceilDiv(arg(0), arg(1)));
    if (f == "ModularIndexing" && n == 3)
      return plain(dims.mod(dims.floorDiv(arg(0), arg(1)), arg(2)));
    if (f == "Identity" && n == 1)
      return args[0];
    if (const auto truth = n == 2 ? relation(f, arg(0), arg(1)) : std::nullopt)
      return plain(*truth);
    if (f == "Not" && n == 1)
      return plain(isNot(dims, arg(0)));
    std::vector<Dim> known;
    for (const Term &t : args)
      known.push_back(t.dim);
    return opaque(f, std::move(known));
  }

  void tooDeep() {
    if (problem.empty())
      problem = "it nests deeper than " + std::to_string(maxDepth) + " levels";
  }

  std::string_view text;
  DimTable &dims;
  SymbolTable &table;
  std::size_t at = 0;
  unsigned depth = 0;
  std::string problem;
  std::vector<std::string> seen;
};

} // namespace

SymbolOrigin originOfSymbol(std::string_view name) {
  const bool numbered =
      name.size() > 1 && std::all_of(name.begin() + 1, name.end(), isDigit) && (name[0] == 'u' || name[0] == 'i');
  return numbered || name.starts_with("zuf") ? SymbolOrigin::Unbacked : SymbolOrigin::Declared;
}

SymExpr parseSymExpr(std::string_view text, DimTable &dims, SymbolTable &symbols) {
  return Parser(text, dims, symbols).run();
}

} // namespace condlint::pt2
