//===- AttributeLists.h - How much an attribute lists -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATTRIBUTELISTS_H
#define CONDLINT_OPS_ATTRIBUTELISTS_H

#include "condlint/Graph.h"
#include <cstddef>
#include <optional>

namespace condlint {

/// How many entries \p a lists, numbers, words or the elements of a tensor; nothing where that is not known, as of what
/// a function is given, or where it is no list.
std::optional<std::size_t> entriesOf(const Model &m, const Attribute &a);

} // namespace condlint

#endif // CONDLINT_OPS_ATTRIBUTELISTS_H
