//===- Admission.h - Values at which constraints hold -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_ADMISSION_H
#define CONDLINT_CXX_TORCH_ADMISSION_H

#include "PathConstraints.h"
#include <span>

namespace condlint::cxx {

/// By name: what numbers are that loops leave.
using LeftNumbers = std::map<std::string, Dim, std::less<>>;

/// Values of the symbols of numbers, and texts, at which constraints hold.
class Admission {
public:
  /// Of all that hangs together with \p askedFirst.
  Admission(const HostNumbers &of, const PathConstraints &all, const LeftNumbers &byLoops,
            const std::vector<Dim> &askedFirst);
  /// The symbols of numbers that are free: neither made of others nor among those that \p byLoops says.
  const std::vector<condlint::Symbol> &open() const { return symbols; }
  /// Some are found.
  bool isFound();

private:
  bool involve(Dim d);
  void gather();
  std::vector<std::int64_t> candidates(const condlint::Symbol &s) const;
  bool hold() const;
  /// What is chosen of the answers about containers may be so together.
  bool containersHold() const;
  bool search(std::size_t next);
  bool searchTexts(std::size_t next);
  /// Chooses what the texts say, and what is made of numbers that are chosen; false where something of that is not
  /// known.
  bool chooseAnswers();
  bool chooseMade();
  /// Of what \p s is made.
  std::span<const Dim> partsOf(const condlint::Symbol &s) const;
  std::optional<std::int64_t> chosenFor(const condlint::Symbol &s) const;

  const DimTable &dims;
  const SignedNumbers &host;
  const AskedTexts &texts;
  const AskedContainers &containers;
  const PathConstraints &constraints;
  const LeftNumbers &left;
  const std::vector<Dim> &first;
  std::vector<condlint::Symbol> symbols; ///< of numbers that are free
  std::vector<condlint::Symbol> made;    ///< of others
  std::vector<condlint::Symbol> said;    ///< by texts
  std::vector<std::uint64_t> asked;      ///< texts
  std::vector<AnsweredText> known;
  SupposedTexts supposed;
  std::vector<std::int64_t> numbers; ///< that conditions compare with
  Assignment chosen;
  std::size_t choices = 4096; ///< that are looked at
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_ADMISSION_H
