//===- AskedTexts.h - Questions about texts from outside ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is asked of a text from outside is a number that has a name, as the numbers from
// outside have (SignedNumbers.h): whoever asks the same of the same text gets the same
// one, and what two of them may be together is told by what they ask.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_ASKEDTEXTS_H
#define CONDLINT_CXX_INTERP_MACHINE_ASKEDTEXTS_H

#include "../values/TextQuestion.h"
#include "../values/Value.h"
#include "SignedNumbers.h"

namespace condlint::cxx {

class AskedTexts {
public:
  /// The answer to \p question, as a symbol of \p dims.
  Dim answer(DimTable &dims, SignedNumbers &numbers, const TextQuestion &question);
  /// What \p symbol is the answer to; null for others.
  const TextQuestion *questionOf(const condlint::Symbol &symbol) const;
  /// The number without a sign \p d as it is ordered among those that are less than the greatest half: of where
  /// something is found, what is nowhere is the greatest. \p d itself where it is in order.
  Dim inOrder(DimTable &dims, SignedNumbers &numbers, Dim d);
  /// The symbol \p s is the text \p text.
  void note(SymbolId s, const AskedText &text) { texts.insert_or_assign(s.index(), text); }
  /// What the symbol \p s was noted to be; null: none.
  const AskedText *noted(SymbolId s) const;
  /// The symbol that was noted as \p text.
  std::optional<SymbolId> symbolOf(const AskedText &text) const;

private:
  std::map<std::string, TextQuestion, std::less<>> questions; ///< by the names of their answers
  std::map<std::uint32_t, AskedText> texts;                   ///< by symbol
};

class Machine;
/// The text that \p v, of the \p type, is: characters, or one alone; nothing for what is none that can be told from
/// others.
std::optional<AskedText> askedText(Machine &m, const Value &v, clang::QualType type);
/// \p text as a value of the class \p type.
Value textValue(Machine &m, const AskedText &text, clang::QualType type);
/// What \p question comes to, as a truth or a number; nothing where the domain keeps no such answers.
std::optional<Value> askText(Machine &m, const TextQuestion &question);
/// \p v, which an object of the \p type holds, is a text that is not known.
bool isOpenText(Machine &m, const Value &v, clang::QualType type);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_ASKEDTEXTS_H
