//===- Matching.h - Which conditional is which ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_COMPARE_MATCHING_H
#define CONDLINT_LIB_COMPARE_MATCHING_H

#include "Expressions.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace condlint::compare {

/// A conditional with what it is known by.
struct Known {
  Conditional conditional;
  std::string path, plainPath;
  std::string name;                    ///< of the node, without what a tool put in front
  std::vector<std::string> results;    ///< names, likewise
  std::uint64_t predicate = 0;         ///< what it is computed from
  std::uint64_t negated = 0;           ///< the same of what it negates; 0: nothing
  std::vector<std::uint64_t> branches; ///< what they return
  std::vector<std::size_t> outputs;    ///< how many
};

/// The conditionals of \p m, those of functions once.
std::vector<Known> knownConditionals(const Model &m, Expressions &expressions);

/// Positions in \p before and \p after that are one and the same, each at most once, in the order of \p before.
std::vector<std::pair<std::size_t, std::size_t>> match(const std::vector<Known> &before,
                                                       const std::vector<Known> &after);

/// What a tool put in front of the names of all inputs of \p after; empty where it did not.
std::string prefixOf(const Model &before, const Model &after);

} // namespace condlint::compare

#endif // CONDLINT_LIB_COMPARE_MATCHING_H
