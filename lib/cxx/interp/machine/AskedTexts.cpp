//===- AskedTexts.cpp - Questions about texts from outside -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AskedTexts.h"
#include "Machine.h"
#include "Types.h"
#include <algorithm>

namespace condlint::cxx {

Dim AskedTexts::answer(DimTable &dims, SignedNumbers &numbers, const TextQuestion &question) {
  const Dim d = numbers.made(dims, question.words(), {}, question.range());
  if (const auto symbol = dims.asSymbol(d))
    questions.try_emplace(symbol->name, question);
  return d;
}

const TextQuestion *AskedTexts::questionOf(const condlint::Symbol &symbol) const {
  const auto known = questions.find(symbol.name);
  return known == questions.end() ? nullptr : &known->second;
}

Dim AskedTexts::inOrder(DimTable &dims, SignedNumbers &numbers, Dim d) {
  const auto symbol = d.known() ? dims.asSymbol(d) : std::nullopt;
  const TextQuestion *question = symbol ? questionOf(*symbol) : nullptr;
  if (!question || !question->isSearch())
    return d;
  TextQuestion place = *question;
  place.search = place.kind;
  place.kind = TextQuestion::Kind::Place;
  return answer(dims, numbers, place);
}

const AskedText *AskedTexts::noted(SymbolId s) const {
  const auto known = texts.find(s.index());
  return known == texts.end() ? nullptr : &known->second;
}

std::optional<SymbolId> AskedTexts::symbolOf(const AskedText &text) const {
  const auto known = std::ranges::find_if(texts, [&](const auto &entry) { return entry.second == text; });
  return known == texts.end() ? std::nullopt : std::optional(SymbolId(known->first));
}

std::optional<AskedText> askedText(Machine &m, const Value &v, clang::QualType type) {
  AskedText text;
  if (const std::string *known = v.text()) {
    text.written = *known;
    return text;
  }
  if (const Number *n = v.number(); n && n->known && !type.isNull() && type.getNonReferenceType()->isCharType()) {
    text.written = std::string(1, static_cast<char>(n->integer));
    return text;
  }
  const Symbol *s = v.symbol();
  if (!s)
    return std::nullopt;
  if (const AskedText *noted = m.askedTexts().noted(s->id))
    return *noted;
  constexpr unsigned half = 32;
  const clang::QualType own = m.symbol(s->id).type;
  if (!isTextType(own))
    return std::nullopt;
  if (own->isPointerType() && !own->getPointeeType().isConstQualified()) // they may be written one by one
    return std::nullopt;
  text.of = s->id.index();
  if (own->isPointerType()) // what code that is not seen can get at is asked anew behind it
    text.of |= (std::uint64_t{m.unseen()} + 1) << half;
  return text;
}

Value textValue(Machine &m, const AskedText &text, clang::QualType type) {
  if (text.isWritten())
    return Value::text(text.written);
  if (const auto known = m.askedTexts().symbolOf(text))
    return Symbol{*known};
  SymbolInfo info;
  info.type = type.getNonReferenceType().getUnqualifiedType();
  info.origin = SymbolInfo::Origin::Result;
  info.name = "text";
  info.region = m.region();
  const SymbolId base(static_cast<std::uint32_t>(text.of));
  info.determined = m.symbol(base).determined;
  Value made = m.symbolic(std::move(info));
  if (const Symbol *s = made.symbol())
    m.askedTexts().note(s->id, text);
  return made;
}

std::optional<Value> askText(Machine &m, const TextQuestion &question) {
  if (!m.domain().relatesAnswers())
    return std::nullopt;
  if (const auto known = question.answer({}))
    return Value(Number::ofInteger(*known, Provenance::Fixed));
  using Kind = TextQuestion::Kind;
  const bool isTruth = question.kind == Kind::Equals || question.kind == Kind::BeginsWith ||
                       question.kind == Kind::EndsWith || question.kind == Kind::Contains;
  Number n = Number::ofDim(m.askedTexts().answer(m.dims(), m.signedNumbers(), question), Provenance::Varies);
  if (isTruth) {
    Number truth = Number::unknown(Number::Kind::Bool);
    truth.test = m.domain().comparison(m, clang::BO_NE, n, Number::ofInteger(0));
    n = truth;
  }
  const bool isDetermined = std::ranges::all_of(question.texts, [&](const AskedText &t) {
    return t.isWritten() || m.symbol(SymbolId(static_cast<std::uint32_t>(t.of))).determined;
  });
  return isDetermined ? m.determined(n) : Value(n);
}

bool isOpenText(Machine &m, const Value &v, clang::QualType type) {
  if (v.text())
    return false;
  return isTextType(v.symbol() ? m.symbol(v.symbol()->id).type : type);
}

} // namespace condlint::cxx
