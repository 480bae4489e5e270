//===- TextQuestion.cpp - What is asked of texts ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextQuestion.h"
#include <algorithm>
#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <limits>

namespace condlint::cxx {

namespace {

using Kind = TextQuestion::Kind;
using View = std::string_view;

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

std::int64_t numberOf(std::size_t at) { return at == View::npos ? -1 : static_cast<std::int64_t>(at); }

/// Where \p how finds \p sought in \p in; -1 for nowhere.
std::int64_t found(Kind how, View in, View sought, std::int64_t start) {
  const auto at = static_cast<std::size_t>(start); // -1 is the greatest number that there is
  switch (how) {
  case Kind::Find:
    return numberOf(in.find(sought, at));
  case Kind::FindBack:
    return numberOf(in.rfind(sought, at));
  case Kind::FindAny:
    return numberOf(in.find_first_of(sought, at));
  case Kind::FindAnyBack:
    return numberOf(in.find_last_of(sought, at));
  case Kind::FindOther:
    return numberOf(in.find_first_not_of(sought, at));
  default:
    return numberOf(in.find_last_not_of(sought, at));
  }
}

} // namespace

std::optional<std::string> AskedText::in(const SupposedTexts &texts) const {
  if (isWritten())
    return written;
  const auto known = texts.find(of);
  if (known == texts.end() || (isPart && from > known->second.size()))
    return std::nullopt;
  return isPart ? known->second.substr(from, count) : known->second;
}

std::optional<std::int64_t> TextQuestion::answer(const SupposedTexts &supposed) const {
  std::vector<std::string> all;
  for (const AskedText &one : texts)
    if (auto text = one.in(supposed))
      all.push_back(std::move(*text));
    else
      return std::nullopt;
  const View first = all.front(), second = all.size() > 1 ? View(all[1]) : View();
  switch (kind) {
  case Kind::Size:
    return static_cast<std::int64_t>(first.size());
  case Kind::Character: {
    const auto index = static_cast<std::size_t>(at);
    if (index > first.size())
      return std::nullopt;
    return index == first.size() ? 0 : static_cast<std::int64_t>(first[index]);
  }
  case Kind::Equals:
    return first == second ? 1 : 0;
  case Kind::Order:
    return first == second ? 0 : first < second ? -1 : 1;
  case Kind::BeginsWith:
    return first.starts_with(second) ? 1 : 0;
  case Kind::EndsWith:
    return first.ends_with(second) ? 1 : 0;
  case Kind::Contains:
    return first.find(second) != View::npos ? 1 : 0;
  case Kind::Place: {
    const std::int64_t where = found(search, first, second, at);
    return where < 0 ? greatest : where;
  }
  default:
    return found(kind, first, second, at);
  }
}

Interval TextQuestion::range() const {
  constexpr std::int64_t character = 128;
  switch (kind) {
  case Kind::Size:
  case Kind::Place:
    return {0, greatest};
  case Kind::Character:
    return {-character, 2 * character - 1};
  case Kind::Equals:
  case Kind::BeginsWith:
  case Kind::EndsWith:
  case Kind::Contains:
    return {0, 1};
  case Kind::Order:
    return {-1, 1};
  default:
    return {-1, greatest};
  }
}

bool TextQuestion::asksOf(std::uint64_t text) const {
  return std::ranges::any_of(texts, [&](const AskedText &one) { return one.of == text; });
}

std::string TextQuestion::words() const {
  std::string out = fmt::format("{}.{} {}", static_cast<int>(kind), static_cast<int>(search), at);
  for (const AskedText &one : texts)
    out += one.isWritten() ? fmt::format(" '{}'", one.written)
           : one.isPart    ? fmt::format(" t{}[{},{}]", one.of, one.from, one.count)
                           : fmt::format(" t{}", one.of);
  return out;
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

namespace {

constexpr std::size_t longest = 4096; ///< text that is made

/// What answers say of one text.
struct KnownText {
  std::vector<View> begins, ends, holds; ///< what it begins with, ends with, and what is in it
  std::vector<View> lacks;               ///< what is not in it
  PossibleValues size;
  bool isNone = false; ///< there is no such text
};

bool isIn(View whole, View part) { return whole.find(part) != View::npos; }

/// \p answer where it is one.
std::optional<std::int64_t> only(const PossibleValues &values) {
  const auto low = values.lowest();
  return low && low == values.highest() ? low : std::nullopt;
}

/// What \p q, which is about the text \p text as a whole and one that is written, is known to be says of it.
void learn(KnownText &text, const TextQuestion &q, const PossibleValues &values) {
  const View written = q.texts.size() > 1 ? View(q.texts[1].written) : View();
  const auto truth = only(values);
  const auto low = values.lowest();
  const auto isAlways = [&](clang::BinaryOperatorKind op, std::int64_t k) { return values.holds(op, k) == true; };
  switch (q.kind) {
  case Kind::Size:
    if (low)
      text.size.restrict(clang::BO_GE, *low);
    if (const auto high = values.highest())
      text.size.restrict(clang::BO_LE, *high);
    break;
  case Kind::Character:
    if (q.at >= 0 && isAlways(clang::BO_NE, 0))
      text.size.restrict(clang::BO_GT, q.at);
    break;
  case Kind::Equals: // of one that it is not, nothing of this kind follows
    if (written.empty() && truth == 0)
      text.size.restrict(clang::BO_GT, 0);
    break;
  case Kind::Order:
    if (low && *low > 0)
      text.size.restrict(clang::BO_GT, 0);
    break;
  case Kind::BeginsWith:
    if (truth == 1)
      text.begins.push_back(written);
    break;
  case Kind::EndsWith:
    if (truth == 1)
      text.ends.push_back(written);
    break;
  case Kind::Contains:
    if (truth)
      (*truth == 1 ? text.holds : text.lacks).push_back(written);
    break;
  case Kind::Find:
  case Kind::FindBack:
  case Kind::Place: {
    const Kind how = q.kind == Kind::Place ? q.search : q.kind;
    const std::int64_t nowhere = q.kind == Kind::Place ? greatest : -1;
    const bool isWhole = how == Kind::Find ? q.at == 0 : q.at == -1;
    if (how != Kind::Find && how != Kind::FindBack)
      break;
    if (written.empty()) { // it is everywhere
      text.isNone = text.isNone || (isWhole && isAlways(clang::BO_EQ, nowhere)) ||
                    (how == Kind::Find && q.at == 0 && isAlways(clang::BO_NE, 0));
      break;
    }
    if (isAlways(clang::BO_NE, nowhere)) {
      text.holds.push_back(written);
      if (low && *low > 0)
        text.size.restrict(clang::BO_GE, *low > greatest - std::ssize(written) ? *low : *low + std::ssize(written));
    }
    if (truth == 0)
      text.begins.push_back(written);
    if (isWhole && isAlways(clang::BO_EQ, nowhere))
      text.lacks.push_back(written);
    break;
  }
  default:
    break;
  }
}

/// Puts together what is known.
void settle(KnownText &text) {
  for (const auto *parts : {&text.begins, &text.ends, &text.holds})
    for (const View part : *parts) {
      text.size.restrict(clang::BO_GE, std::ssize(part));
      text.isNone = text.isNone || std::ranges::any_of(text.lacks, [&](View no) { return isIn(part, no); });
    }
  for (const View a : text.begins)
    text.isNone =
        text.isNone || std::ranges::any_of(text.begins, [&](View b) { return !a.starts_with(b) && !b.starts_with(a); });
  for (const View a : text.ends)
    text.isNone =
        text.isNone || std::ranges::any_of(text.ends, [&](View b) { return !a.ends_with(b) && !b.ends_with(a); });
  text.isNone = text.isNone || text.size.isNone();
}

/// The one text that \p q is about, beside what is written.
std::optional<std::uint64_t> subjectOf(const TextQuestion &q) {
  if (q.texts.front().isWritten() ||
      std::ranges::any_of(q.texts.begin() + 1, q.texts.end(), [](const AskedText &t) { return !t.isWritten(); }))
    return std::nullopt;
  return q.texts.front().of;
}

/// Whether "\p q \p opcode \p k" holds of a text of which that is known.
bool mayHold(std::span<const AnsweredText> known, const TextQuestion &q, clang::BinaryOperatorKind opcode,
             std::int64_t k) {
  const auto subject = subjectOf(q);
  if (!subject)
    return true;
  std::vector<AnsweredText> all(known.begin(), known.end());
  auto asked = std::ranges::find_if(all, [&](const AnsweredText &a) { return a.question->words() == q.words(); });
  if (asked == all.end())
    asked = all.insert(all.end(), AnsweredText{&q, {}});
  asked->values.restrict(opcode, k);
  for (AnsweredText &one : all) {
    const Interval range = one.question->range();
    one.values.restrict(clang::BO_GE, range.min);
    if (range.max != greatest)
      one.values.restrict(clang::BO_LE, range.max);
    if (one.values.isNone())
      return false;
  }
  // A text that is known is held against all that is asked of it.
  std::optional<std::string> is;
  KnownText text;
  text.size.restrict(clang::BO_GE, 0);
  for (const AnsweredText &one : all) {
    if (subjectOf(*one.question) != subject || one.question->texts.front().isPart)
      continue;
    const Kind kind = one.question->kind;
    const auto value = only(one.values);
    if ((kind == Kind::Equals && value == 1) || (kind == Kind::Order && value == 0))
      is = one.question->texts[1].written;
    learn(text, *one.question, one.values);
  }
  if (!is && text.size.highest() == 0)
    is = "";
  if (is) {
    const SupposedTexts supposed{{*subject, *is}};
    return std::ranges::all_of(all, [&](const AnsweredText &one) {
      if (subjectOf(*one.question) != subject)
        return true;
      const auto answer = one.question->answer(supposed);
      return !answer || one.values.holds(clang::BO_EQ, *answer).value_or(true);
    });
  }
  settle(text);
  return !text.isNone;
}

} // namespace

std::optional<bool> followsFrom(std::span<const AnsweredText> known, const TextQuestion &q,
                                clang::BinaryOperatorKind opcode, std::int64_t k) {
  if (!mayHold(known, q, opcode, k))
    return false;
  if (!mayHold(known, q, clang::BinaryOperator::negateComparisonOp(opcode), k))
    return true;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Texts that are tried
//===----------------------------------------------------------------------===//

namespace {

/// A character that none of \p all has.
char strangerTo(const std::vector<std::string> &all) {
  for (const char c : View("zyxwvqjkZYXWVQJK_#~"))
    if (std::ranges::none_of(all, [&](const std::string &s) { return s.find(c) != std::string::npos; }))
      return c;
  return '\x01';
}

} // namespace

std::vector<std::string> textsToTry(std::span<const AnsweredText> known, std::uint64_t text) {
  constexpr std::size_t mostWritten = 12, most = 512;
  std::vector<std::string> written{""}, out;
  std::vector<std::size_t> sizes;
  const auto add = [&](std::vector<std::string> &to, std::string s) {
    if (s.size() <= longest && to.size() < most && std::ranges::find(to, s) == to.end())
      to.push_back(std::move(s));
  };
  for (const AnsweredText &one : known) {
    const TextQuestion &q = *one.question;
    if (!q.asksOf(text))
      continue;
    for (const AskedText &t : q.texts)
      if (t.isWritten() && written.size() < mostWritten)
        add(written, t.written);
    std::vector<std::int64_t> telling = one.values.telling();
    if (q.kind == Kind::Character)
      for (const std::int64_t c : telling)
        if (c > 0 && c < 128 && written.size() < mostWritten)
          add(written, std::string(1, static_cast<char>(c)));
    if (q.kind == Kind::Character || q.isSearch() || q.kind == Kind::Place)
      telling.push_back(std::max<std::int64_t>(q.at, 0) + 1);
    if (q.kind == Kind::Size || q.kind == Kind::Character || q.isSearch() || q.kind == Kind::Place)
      for (const std::int64_t n : telling)
        if (n >= 0 && n <= static_cast<std::int64_t>(longest) && sizes.size() < 16)
          sizes.push_back(static_cast<std::size_t>(n));
    if (q.texts.front().isPart)
      sizes.push_back(std::min(q.texts.front().from, longest));
  }
  const char other = strangerTo(written);
  add(written, std::string(1, other));
  out = written;
  for (const std::string &a : written)
    for (const std::string &b : written)
      add(out, a + b);
  for (const std::size_t n : sizes)
    for (const std::string &a : written) {
      if (a.size() < n) {
        add(out, a + std::string(n - a.size(), other));
        add(out, std::string(n - a.size(), other) + a);
      }
      add(out, std::string(n, other) + a);
    }
  for (const std::string &a : written)
    for (const std::string &b : written)
      add(out, a + std::string(1, other) + b);
  return out;
}

} // namespace condlint::cxx
