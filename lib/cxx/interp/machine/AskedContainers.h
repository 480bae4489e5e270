//===- AskedContainers.h - Questions about containers from outside -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many elements a container from outside has, and how many of one key, are numbers
// that have names (SignedNumbers.h): whoever asks the same of the same container gets the
// same one. What is in it is counted in its size: `m.count("a")` is 0 where `m.empty()` is.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_ASKEDCONTAINERS_H
#define CONDLINT_CXX_INTERP_MACHINE_ASKEDCONTAINERS_H

#include "../values/PossibleValues.h"
#include "../values/Value.h"
#include "SignedNumbers.h"
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace condlint::cxx {

/// What the symbol of a number says of a container.
struct ContainerAnswer {
  std::string container; ///< the name of the symbol for its size, which stands for it
  bool isCount = false;  ///< of one key; else its size
  bool isWritten = true; ///< of a key that is known, and told from each other one that is
};

/// What is known of a position in a container from outside that is not worked out.
struct AskedPosition {
  enum class Kind : std::uint8_t { First, End, OfKey };
  Kind kind = Kind::First;
  Value key = {}; ///< that was looked for: the position of one of it, or the end
};

class AskedContainers {
public:
  /// Positions by the index that stands for each (`Machine::positionIndex`).
  void notePosition(std::int64_t index, const AskedPosition &what) { positions.try_emplace(index, what); }
  const AskedPosition *positionAt(const Step &step) const;
  /// How many elements of the key \p key, in words, are in the container of the size \p size, a symbol of \p dims;
  /// not known for what is none. \p most: so many at most. \p isWritten: as in \ref ContainerAnswer.
  Dim count(DimTable &dims, SignedNumbers &numbers, Dim size, std::string_view key, std::int64_t most, bool isWritten);
  /// What \p symbol says; null for what is not asked of a container.
  const ContainerAnswer *answerOf(const condlint::Symbol &symbol) const;
  /// What a number of that name is known to be, as far as it is.
  using Known = std::function<PossibleValues(const std::string &)>;
  /// What \p symbol may be by what \p known says of the other answers of its container.
  PossibleValues valuesOf(const condlint::Symbol &symbol, const Known &known) const;
  /// The answers of one container are \p chosen, those that are: they may be so together. False where that is not
  /// worked out, too.
  bool mayBe(const std::string &container, const Known &chosen) const;

private:
  std::map<std::int64_t, AskedPosition> positions;
  std::map<std::string, ContainerAnswer, std::less<>> answers;         ///< by the names of their symbols
  std::map<std::string, std::vector<std::string>, std::less<>> counts; ///< of a container, by the same
};

class Machine;
/// How many elements of \p key, a \p type, the container \p whole holds, which is from outside; nothing where that is
/// not kept. \p several: it holds one more than once.
std::optional<Value> askCount(Machine &m, const Value &whole, const Value &key, clang::QualType type, bool several);
/// The container \p whole from outside has the element \p index, or one at all where that is below zero: it was asked
/// for.
void assumeElement(Machine &m, const Value &whole, std::int64_t index);
/// A container of the standard library has a part in \p s: what it comes to hangs on whatever else is asked of that.
bool asksContainer(const clang::Stmt *s);
/// The same of the type of an expression.
bool isContainerType(clang::QualType type);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_ASKEDCONTAINERS_H
