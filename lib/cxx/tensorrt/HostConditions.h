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
// const methods say of them are recognised by what is asked of which value.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_HOSTCONDITIONS_H
#define CONDLINT_CXX_TENSORRT_HOSTCONDITIONS_H

#include "../interp/Machine.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace condlint::cxx {

/// The answers of one run.
class HostConditions {
public:
  void clear() { answers.clear(); }
  /// What the answers so far say of \p condition.
  std::optional<bool> decided(Machine &m, const clang::Expr *condition) const;
  void assume(Machine &m, const clang::Expr *condition, bool truth);

private:
  struct Answer {
    bool truth = false;
    std::vector<Value> asked; ///< what lay at the places that it is about
  };
  std::map<std::string, Answer> answers; ///< by what is asked
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_HOSTCONDITIONS_H
