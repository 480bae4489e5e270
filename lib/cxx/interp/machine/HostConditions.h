//===- HostConditions.h - Conditions that are the same ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (config.mode == "gated")` here and `if (config.mode != "gated")` further down ask
// the same thing, and a run goes both according to one answer. Numbers are compared by
// their values (PossibleValues.h); texts, optionals, pointers, containers and what
// const methods say of them are recognised by what is asked of which value; what is one
// constant is no other one. What `&&`
// and `||` make of such questions is a question too: `wanted && able` that was denied is
// denied again, and where it is wanted it is not able. Of what else is asked about the
// same value it is not worked out whether the one implies the other.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_HOSTCONDITIONS_H
#define CONDLINT_CXX_INTERP_MACHINE_HOSTCONDITIONS_H

#include "../values/PossibleValues.h"
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
  std::vector<std::string> about;  ///< the values that it hangs on
  bool byNumbers = false;          ///< it compares numbers, and what these may be is followed elsewhere
  bool ofText = false;             ///< texts have a part in it
  bool ofContainer = false;        ///< containers of the library have
  std::vector<HostQuestion> alike; ///< two that are both true or both not: `a == b` of truth values

  /// What is compared with a constant, in words; empty where the question is none of that kind.
  std::string subject;
  clang::BinaryOperatorKind opcode = clang::BO_EQ;
  std::int64_t constant = 0;
  std::optional<std::string> text; ///< the constant, where it is a text
  PossibleValues possible;         ///< what the subject may be anyway

  /// Whether all of \p parts hold, denied where \p truth says so.
  static HostQuestion all(std::vector<HostQuestion> parts, bool truth);
  /// Whether \p a and \p b are both true or both not; denied where \p truth says so. Without words where one of them
  /// has none.
  static HostQuestion areAlike(HostQuestion a, HostQuestion b, bool truth);
};

/// The answers of one run.
class HostConditions {
public:
  void clear();
  /// \p seenOnly: what a const method says that is not seen here may differ from time to time.
  static HostQuestion questionOf(Machine &m, const clang::Expr *condition, bool seenOnly = false);
  /// Whether the container \p e has as many elements, or more, as \p op says (`==`, `>`); without words where it cannot
  /// be recognised again.
  static HostQuestion sizeOf(Machine &m, const clang::Expr &e, clang::BinaryOperatorKind op, std::int64_t constant);
  /// What the answers so far say of \p question.
  std::optional<bool> decided(const HostQuestion &question) const;
  void assume(const HostQuestion &question, bool truth);
  /// Something else was answered about what \p question hangs on, and may imply it.
  bool mayBeImplied(const HostQuestion &question) const;

private:
  struct Answer {
    bool truth = false;
    HostQuestion question;
  };
  /// What they say of it, what follows from several of them left out.
  std::optional<bool> answered(const HostQuestion &question) const;
  bool isRefuted(const HostQuestion &question, bool truth) const;
  std::optional<bool> answerTo(const HostQuestion &question) const;
  /// They never hold together.
  bool excludeEachOther(const std::vector<HostQuestion> &parts) const;
  std::optional<bool> answerBySubject(const HostQuestion &question) const;
  std::optional<bool> deniedBy(const std::vector<HostQuestion> &together, const HostQuestion &question) const;

  /// What is known of something that was compared with constants.
  struct Subject {
    PossibleValues values;
    std::optional<std::string> text;
    std::vector<Value> asked;
  };

  std::map<std::string, Answer> answers;        ///< by what is asked, not denied
  std::map<std::string, Subject> subjects;      ///< by their words
  std::vector<std::vector<HostQuestion>> never; ///< what does not hold together
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_HOSTCONDITIONS_H
