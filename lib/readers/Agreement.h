//===- Agreement.h - What two declarations of a value agree on --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_AGREEMENT_H
#define CONDLINT_LIB_READERS_AGREEMENT_H

#include "condlint/Graph.h"

namespace condlint {

/// A file says \p a and \p b of one value, and that cannot both be: \p a without the facets in which they differ, so
/// that nothing follows from either. None where they are of two kinds.
TypeId agreedType(Model &m, TypeId a, TypeId b);

} // namespace condlint

#endif // CONDLINT_LIB_READERS_AGREEMENT_H
