//===- TextQuestion.h - What is asked of texts -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `name == "ab"`, `name.find("b")`, `name.size()` and `name[0]` are numbers that one text
// says: what one of them is says what another may be. A text that makes all answers what
// they are known to be shows that they hold together; that none does follows from how long
// it is, what it begins and ends with, what is in it and what is not.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_TEXTQUESTION_H
#define CONDLINT_CXX_INTERP_VALUES_TEXTQUESTION_H

#include "PossibleValues.h"
#include "condlint/Dim.h"
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::cxx {

/// The texts from outside, by their numbers, as what they are supposed to be.
using SupposedTexts = std::map<std::uint64_t, std::string>;

/// A text that is written in the code, or one from outside, or a part of that.
struct AskedText {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t of = none; ///< the number of the text from outside
  std::string written;     ///< where it is none
  bool isPart = false;     ///< `text.substr(from, count)`
  std::size_t from = 0, count = std::string::npos;

  bool isWritten() const { return of == none; }
  /// Nothing where it begins behind the end, or the text is not among \p texts.
  std::optional<std::string> in(const SupposedTexts &texts) const;
  friend bool operator==(const AskedText &, const AskedText &) = default;
};

/// A number that texts say.
struct TextQuestion {
  enum class Kind : std::uint8_t {
    Size,          ///< how many characters it has
    Character,     ///< the one at a position; zero behind the last one
    Equals,        ///< 1 where both are the same, else 0
    Order,         ///< -1, 0, 1: how both compare
    BeginsWith,    ///< 1 or 0
    EndsWith,      ///< 1 or 0
    Contains,      ///< 1 or 0
    Find,          ///< where the second one is in the first, from a position on; -1: nowhere
    FindBack,      ///< the same, back from there
    FindAny,       ///< where one of its characters is
    FindAnyBack,   ///<
    FindOther,     ///< where a character is that it has not
    FindOtherBack, ///<
    /// What is found where, as a number without a sign: what is nowhere is the greatest.
    Place,
  };
  Kind kind = Kind::Size;
  Kind search = Kind::Find; ///< of a \c Place: which one
  std::vector<AskedText> texts;
  std::int64_t at = 0; ///< the position

  /// What it comes to; nothing where the program does not come that far, or a text is not among \p supposed.
  std::optional<std::int64_t> answer(const SupposedTexts &supposed) const;
  Interval range() const;
  bool isSearch() const { return kind >= Kind::Find && kind < Kind::Place; }
  bool asksOf(std::uint64_t text) const;
  /// The same for the same question.
  std::string words() const;
};

/// A question, and what its answer is known to be.
struct AnsweredText {
  const TextQuestion *question = nullptr;
  PossibleValues values;
};

/// Whether "\p q \p opcode \p k" holds wherever all of \p known does, or nowhere there; nothing where that is not
/// worked out.
std::optional<bool> followsFrom(std::span<const AnsweredText> known, const TextQuestion &q,
                                clang::BinaryOperatorKind opcode, std::int64_t k);

/// What the text \p text may be, of which \p known is known: what is written in the questions, and what is easily made
/// of that. Not all that it may be.
std::vector<std::string> textsToTry(std::span<const AnsweredText> known, std::uint64_t text);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_TEXTQUESTION_H
