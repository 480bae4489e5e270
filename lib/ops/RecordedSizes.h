//===- RecordedSizes.h - Sizes that a .pt2 records of results ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_RECORDEDSIZES_H
#define CONDLINT_OPS_RECORDEDSIZES_H

#include "condlint/Graph.h"
#include <cstdint>

namespace condlint {

/// What a recorded size is to the one that the operator computes.
enum class SizeRecord : std::uint8_t {
  Fits,     ///< As far as the model's symbols say: the same, or the same wherever the exporter's guards let it run.
  May,      ///< The declared ranges admit sizes at which it is another, but a guard may have made them one, or no proof
            ///< was found: the size is not known.
  Differs,  ///< The declared ranges admit sizes at which it is another, and no guard can have made them one.
  Narrower, ///< Fits, and is the same from some number on, or up to one, of the one symbol that both speak of.
};

/// Holds \p was, which is recorded for a size of \p v, against \p is, which what makes \p v computes.
SizeRecord judgeRecordedSize(Model &m, ValueId v, Dim was, Dim is);

} // namespace condlint

#endif // CONDLINT_OPS_RECORDEDSIZES_H
