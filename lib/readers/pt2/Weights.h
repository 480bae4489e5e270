//===- Weights.h - Where the weights of a .pt2 lie --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_WEIGHTS_H
#define CONDLINT_LIB_READERS_PT2_WEIGHTS_H

#include "Archive.h"
#include "JsonCursor.h"
#include <string_view>

namespace condlint::pt2 {

/// Points the parameters, buffers and constants of \p m at their records:
/// `Constant::file` names the record, `size` its bytes, `offset` where they
/// begin in the archive (0 when the record is compressed). \p config is a
/// `*_weights_config.json` or `*_constants_config.json`. No weight is read; a
/// configuration that cannot be read, for which the answer is false, is an issue
/// of the model, and so is a record that is not there or too short for its tensor.
bool attachWeights(Model &m, Archive &archive, const ArchiveEntry &config, JsonCursor &cursor);
/// After all configurations were read, those in \p folder: a tensor that the model reads and none
/// of them names is an issue, too.
void checkWeightsAreNamed(Model &m, std::string_view folder);
/// The configuration \p name, of constants or of weights, is not in the archive: an issue, which names
/// what the model reads and nothing leads to.
void lackConfiguration(Model &m, std::string_view name, bool ofConstants);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_WEIGHTS_H
