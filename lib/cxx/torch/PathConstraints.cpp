//===- PathConstraints.cpp - What is known on a path ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathConstraints.h"
#include <algorithm>

namespace condlint::cxx {

void PathConstraints::add(const NumberComparison &c) {
  values[c.what].restrict(c.opcode, c.constant);
  // Where all of several hold but one, that one does not.
  for (bool more = true; more;) {
    more = false;
    for (const auto &together : never) {
      const auto isOpen = [&](const NumberComparison &one) { return !answerTo(one); };
      if (answerTo(together) || std::ranges::count_if(together, isOpen) != 1)
        continue;
      const NumberComparison last = std::ranges::find_if(together, isOpen)->negated();
      values[last.what].restrict(last.opcode, last.constant);
      more = true;
    }
  }
}

bool PathConstraints::addAll(const PathConstraints &other) {
  for (const auto &[what, possible] : other.values)
    values[what].restrict(possible);
  for (const auto &together : other.never)
    if (std::ranges::find(never, together) == never.end())
      never.push_back(together);
  alike.insert(alike.end(), other.alike.begin(), other.alike.end());
  return alike.empty() && !isCut && !other.isCut;
}

const TextQuestion *textQuestionOf(const HostNumbers &of, Dim d) {
  const auto symbol = d.known() ? of.dims.asSymbol(d) : std::nullopt;
  return symbol ? of.texts.questionOf(*symbol) : nullptr;
}

std::vector<AnsweredText> answersIn(const HostNumbers &of, const PathConstraints &all) {
  std::vector<AnsweredText> out;
  for (const auto &[what, values] : all.values)
    if (const TextQuestion *question = textQuestionOf(of, what))
      out.push_back({question, values});
  return out;
}

/// What \p all says of the number that is called \p name.
static PossibleValues valuesOf(const HostNumbers &of, const PathConstraints &all, const std::string &name) {
  for (const auto &[what, possible] : all.values)
    if (const auto own = of.dims.asSymbol(what); own && own->name == name)
      return possible;
  return {};
}

std::optional<PossibleValues> containerValuesIn(const HostNumbers &of, const PathConstraints &all, Dim d) {
  const auto symbol = d.known() ? of.dims.asSymbol(d) : std::nullopt;
  if (!symbol || !of.containers.answerOf(*symbol))
    return std::nullopt;
  return of.containers.valuesOf(*symbol, [&](const std::string &name) {
    PossibleValues values = valuesOf(of, all, name);
    values.restrict(clang::BO_GE, 0);
    return values;
  });
}

std::optional<std::int64_t> valueIn(const HostNumbers &of, const PathConstraints &all, Dim d) {
  return of.host.valueAt(of.dims, d, [&](const condlint::Symbol &s) {
    const PossibleValues values = valuesOf(of, all, s.name);
    return values.lowest() == values.highest() ? values.lowest() : std::nullopt;
  });
}

bool isOtherText(const HostNumbers &of, const PathConstraints &all, const TextQuestion &q) {
  if (q.kind != TextQuestion::Kind::Equals || q.texts.size() != 2 || q.texts[0].isPart || q.texts[1].isPart ||
      q.texts[0].isWritten() == q.texts[1].isWritten())
    return false;
  const bool isFirst = q.texts[1].isWritten();
  const SupposedTexts supposed{{q.texts[isFirst ? 0 : 1].of, q.texts[isFirst ? 1 : 0].written}};
  const auto answer = [&](const condlint::Symbol &s) {
    const TextQuestion *question = of.texts.questionOf(s);
    return question ? question->answer(supposed) : std::nullopt;
  };
  return std::ranges::any_of(all.values, [&](const auto &known) {
    const auto value = of.host.valueAt(of.dims, known.first, answer);
    return value && known.second.holds(clang::BO_EQ, *value) == std::optional(false);
  });
}

} // namespace condlint::cxx
