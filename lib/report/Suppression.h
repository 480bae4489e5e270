//===- Suppression.h - Findings that the source asks not to see -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_SUPPRESSION_H
#define CONDLINT_REPORT_SUPPRESSION_H

#include "condlint/Report.h"

namespace condlint {

/// Moves the findings of \p input that a comment in the source silences from `findings` to
/// `suppressed`. The comments are those of clang-tidy, with the same meaning and the names
/// that the checks have there: `NOLINT` on the line of the finding, `NOLINTNEXTLINE` on the
/// line above, `NOLINTBEGIN` and `NOLINTEND` around it; without a list every check is meant,
/// else those that a pattern of the list fits, `NOLINT(condlint-output-*, -condlint-output-rank)`.
/// A source that cannot be read silences nothing.
void suppressMarked(InputReport &input);

} // namespace condlint

#endif // CONDLINT_REPORT_SUPPRESSION_H
