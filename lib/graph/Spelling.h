//===- Spelling.h - The known name nearest to a misspelt one ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_SPELLING_H
#define CONDLINT_GRAPH_SPELLING_H

#include <cstddef>
#include <span>
#include <string_view>

namespace condlint {

/// Insertions, deletions and replacements that turn \p a into \p b. Both are
/// cut after 64 characters, so that a hostile name costs nothing.
std::size_t editDistance(std::string_view a, std::string_view b);
/// The entry of \p known that \p name may be a misspelling or a part of; the nearest,
/// the first among equals, empty when there is none.
std::string_view nearestName(std::string_view name, std::span<const std::string_view> known);

} // namespace condlint

#endif // CONDLINT_GRAPH_SPELLING_H
