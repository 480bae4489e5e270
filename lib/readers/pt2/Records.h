//===- Records.h - The records that a .pt2 must hold ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_RECORDS_H
#define CONDLINT_LIB_READERS_PT2_RECORDS_H

#include "Archive.h"
#include "condlint/Graph.h"
#include <string_view>

namespace condlint::pt2 {

/// Holds the records around the program \p key against what torch.export.load asks of
/// them: one that is not there and one that holds something else are issues of \p m, also
/// where no graph reads them. \p root is the folder of the archive, with its slash; the
/// configurations of weights and constants are read elsewhere (Weights.h).
void checkRecords(Model &m, Archive &archive, std::string_view root, std::string_view key);
/// The same of the layout that torch wrote up to 2.6, whose records lie at the top.
void checkOldRecords(Model &m, Archive &archive);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_RECORDS_H
