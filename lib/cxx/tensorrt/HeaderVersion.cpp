//===- HeaderVersion.cpp - The version that TensorRT's headers say ------------ -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadNetworks.h"
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>
#include <optional>
#include <span>
#include <vector>

namespace condlint::cxx {

namespace {

constexpr unsigned deepestInclude = 16;
constexpr std::size_t mostTokens = 256;

/// The tokens of the macro \p name with all macros in it replaced. False for what is
/// no macro without parameters.
bool expand(clang::Preprocessor &pp, llvm::StringRef name, std::vector<clang::Token> &out, unsigned depth) {
  const clang::IdentifierInfo *id = pp.getIdentifierInfo(name);
  const clang::MacroInfo *macro = id ? pp.getMacroInfo(id) : nullptr;
  if (!macro || macro->isFunctionLike() || depth > deepestInclude)
    return false;
  for (const clang::Token &t : macro->tokens()) {
    if (out.size() > mostTokens)
      return false;
    if (const clang::IdentifierInfo *inner = t.getIdentifierInfo()) {
      if (!expand(pp, inner->getName(), out, depth + 1))
        return false;
      continue;
    }
    out.push_back(t);
  }
  return true;
}

/// Numbers, the four operations, remainders, parentheses.
class Calculator {
public:
  Calculator(clang::Preprocessor &preprocessor, std::span<const clang::Token> all) : pp(preprocessor), tokens(all) {}
  std::optional<std::int64_t> run() {
    const auto v = sum(0);
    return at == tokens.size() ? v : std::nullopt;
  }

private:
  bool is(clang::tok::TokenKind k) const { return at < tokens.size() && tokens[at].is(k); }

  std::optional<std::int64_t> primary(unsigned depth) {
    if (depth > deepestInclude || at >= tokens.size())
      return std::nullopt;
    if (is(clang::tok::l_paren)) {
      ++at;
      const auto v = sum(depth + 1);
      if (!is(clang::tok::r_paren))
        return std::nullopt;
      ++at;
      return v;
    }
    if (!is(clang::tok::numeric_constant))
      return std::nullopt;
    std::int64_t v = 0;
    const std::string text = pp.getSpelling(tokens[at++]);
    if (llvm::StringRef(text).getAsInteger(0, v) || v < 0 || v > 1'000'000'000)
      return std::nullopt;
    return v;
  }
  std::optional<std::int64_t> product(unsigned depth) {
    auto v = primary(depth);
    while (v && (is(clang::tok::star) || is(clang::tok::slash) || is(clang::tok::percent))) {
      const clang::tok::TokenKind op = tokens[at++].getKind();
      const auto r = primary(depth);
      std::int64_t out = 0;
      if (!r || (op != clang::tok::star && *r == 0) || (op == clang::tok::star && __builtin_mul_overflow(*v, *r, &out)))
        return std::nullopt;
      v = op == clang::tok::star ? out : op == clang::tok::slash ? *v / *r : *v % *r;
    }
    return v;
  }
  std::optional<std::int64_t> sum(unsigned depth) {
    auto v = product(depth);
    while (v && (is(clang::tok::plus) || is(clang::tok::minus))) {
      const bool plus = tokens[at++].is(clang::tok::plus);
      const auto r = product(depth);
      std::int64_t out = 0;
      if (!r || (plus ? __builtin_add_overflow(*v, *r, &out) : __builtin_sub_overflow(*v, *r, &out)))
        return std::nullopt;
      v = out;
    }
    return v;
  }

  clang::Preprocessor &pp;
  std::span<const clang::Token> tokens;
  std::size_t at = 0;
};

std::optional<std::int64_t> macroValue(clang::Preprocessor &pp, llvm::StringRef name) {
  std::vector<clang::Token> tokens;
  if (!expand(pp, name, tokens, 0))
    return std::nullopt;
  return Calculator(pp, tokens).run();
}

} // namespace

std::int32_t tensorrtVersion(clang::Preprocessor *pp) {
  if (!pp)
    return 0;
  const auto version = [](std::int64_t major, std::int64_t minor) {
    return major > 0 && major < 1000 && minor >= 0 && minor < 100 ? static_cast<std::int32_t>(100 * major + minor) : 0;
  };
  const auto major = macroValue(*pp, "NV_TENSORRT_MAJOR");
  const auto minor = macroValue(*pp, "NV_TENSORRT_MINOR");
  if (major && minor)
    return version(*major, *minor);
  const auto whole = macroValue(*pp, "NV_TENSORRT_VERSION");
  if (!whole)
    return 0;
  // 8601 and 100300: with 10 the minor version got another digit.
  constexpr std::int64_t wide = 100'000;
  return *whole >= wide ? version(*whole / 10'000, *whole / 100 % 100) : version(*whole / 1000, *whole / 100 % 10);
}

} // namespace condlint::cxx
