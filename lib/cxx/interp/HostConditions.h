//===- HostConditions.h - Conditions that are the same --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (config.mode == "gated")` here and `if (config.mode != "gated")` further down ask
// the same thing, and a run goes both according to one answer. Numbers are compared by
// their values (PossibleValues.h); texts, optionals, pointers, containers and what
// const methods say of them are recognised by what is asked of which value. What `&&`
// and `||` make of such questions is a question too: `wanted && able` that was denied is
// denied again, and where it is wanted it is not able.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_HOSTCONDITIONS_H
#define CONDLINT_CXX_INTERP_HOSTCONDITIONS_H

#include "Machine.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace condlint::cxx {

/// What a condition asks: a question, or whether several hold together; denied or not.
struct HostQuestion {
  bool truth = true;               ///< false: it is denied
  std::string words;               ///< the same for the same question; empty: it cannot be recognised again
  std::vector<Value> asked;        ///< what lay at the places that the words name
  std::vector<HostQuestion> parts; ///< that all hold; none for what is not made of others

  /// Whether all of \p parts hold, denied where \p truth says so.
  static HostQuestion all(std::vector<HostQuestion> parts, bool truth);
};

/// The answers of one run.
class HostConditions {
public:
  void clear();
  /// \p seenOnly: what a const method says that is not seen here may differ from time to time.
  static HostQuestion questionOf(Machine &m, const clang::Expr *condition, bool seenOnly = false);
  /// What the answers so far say of \p question.
  std::optional<bool> decided(const HostQuestion &question) const;
  void assume(const HostQuestion &question, bool truth);

private:
  struct Answer {
    bool truth = false;
    std::vector<Value> asked;
  };
  std::optional<bool> answerTo(const HostQuestion &question) const;
  std::optional<bool> deniedBy(const std::vector<HostQuestion> &together, const HostQuestion &question) const;

  std::map<std::string, Answer> answers;        ///< by what is asked, not denied
  std::vector<std::vector<HostQuestion>> never; ///< what does not hold together
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_HOSTCONDITIONS_H
