//===- PathConstraints.h - What is known on a path -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_PATHCONSTRAINTS_H
#define CONDLINT_CXX_TORCH_PATHCONSTRAINTS_H

#include "../interp/machine/AskedContainers.h"
#include "../interp/machine/AskedTexts.h"
#include "../interp/machine/SignedNumbers.h"
#include "../interp/values/PossibleValues.h"
#include "TorchData.h"
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace condlint::cxx {

/// What is known on the current path.
class PathConstraints : public TorchDatum<PathConstraints> {
public:
  bool same(const PathConstraints &o) const {
    const auto samePair = [](const auto &a, const auto &b) { return a.first.same(b.first) && a.second.same(b.second); };
    return values == o.values && declared == o.declared && never == o.never && isCut == o.isCut &&
           std::ranges::equal(alike, o.alike, samePair);
  }
  std::vector<std::pair<SourceDatum, SourceDatum>> alike; ///< facets of tensors that are the same
  std::map<Dim, PossibleValues> values;                   ///< of numbers, as far as they were compared
  std::vector<NumberComparison> declared;                 ///< of sizes that the code names
  std::vector<std::vector<NumberComparison>> never;       ///< what does not hold together
  bool isCut = false;                                     ///< there is more of that than is kept

  std::optional<bool> answerTo(const NumberComparison &c) const {
    const auto known = values.find(c.what);
    return known == values.end() ? std::nullopt : known->second.holds(c.opcode, c.constant);
  }
  /// All of them hold, or one of them does not.
  std::optional<bool> answerTo(const std::vector<NumberComparison> &all) const {
    bool hold = true;
    for (const NumberComparison &c : all) {
      const auto one = answerTo(c);
      if (one && !*one)
        return false;
      hold = hold && one;
    }
    return hold ? std::optional(true) : std::nullopt;
  }
  void add(const NumberComparison &c);
  /// What holds elsewhere holds, too; false where not all of that is kept.
  bool addAll(const PathConstraints &other);
};

/// What the symbols of numbers stand for.
struct HostNumbers {
  const DimTable &dims;
  const SignedNumbers &host;
  const AskedTexts &texts;
  const AskedContainers &containers;
};

/// What \p d, the answer to a question about a text, is the answer to; null for others.
const TextQuestion *textQuestionOf(const HostNumbers &of, Dim d);
/// What \p all says of answers to questions about texts.
std::vector<AnsweredText> answersIn(const HostNumbers &of, const PathConstraints &all);
/// What \p d, an answer about a container, may be by what \p all says of that; nothing for what is none.
std::optional<PossibleValues> containerValuesIn(const HostNumbers &of, const PathConstraints &all, Dim d);
/// The one value of \p d by what \p all says of the numbers that it is made of; nothing where it may have several.
std::optional<std::int64_t> valueIn(const HostNumbers &of, const PathConstraints &all, Dim d);
/// \p q says which text it is that it asks of, and what \p all says of numbers that were made of other answers about
/// that is not so: `int(name.find("b")) == -1` of "ab".
bool isOtherText(const HostNumbers &of, const PathConstraints &all, const TextQuestion &q);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_PATHCONSTRAINTS_H
