//===- Suppression.h - Findings that the source asks not to see -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_SUPPRESSION_H
#define CONDLINT_REPORT_SUPPRESSION_H

#include "condlint/Report.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// Which comments count.
enum class Comments : std::uint8_t {
  All,
  Allow, ///< those that clang-tidy does not know itself
};

/// The text of a file that is open in an editor, by the path that locations have; nothing: it is what lies on the disk.
using UnsavedText = std::function<std::optional<std::string>(const std::string &path)>;

/// Moves the findings of \p input that a comment in the source silences from `findings` to `suppressed`. The comments
/// are
/// - those of clang-tidy, with the same meaning and the names that the checks have there: `NOLINT` on the line of the
///   finding, `NOLINTNEXTLINE` on the line above, `NOLINTBEGIN` and `NOLINTEND` around it; without a list every check
///   is meant, else those that a pattern of the list fits, `NOLINT(condlint-output-*, -condlint-output-rank)`;
/// - `// condlint: allow(RULE, …) REASON` on the line of the finding, or alone on the line above. The reason must be
/// there. A source that cannot be read silences nothing.
/// \returns what to say of comments in the input itself that do nothing: they name rules of condlint and silence no
/// finding, or give no reason.
std::vector<std::string> suppressMarked(InputReport &input, Comments comments = Comments::All,
                                        const UnsavedText &unsaved = {});

/// What a configuration asks not to see: findings whose input, conditional and rule fit these patterns (`*`, `?`,
/// `[…]`).
struct SuppressionRule {
  std::string input = "*"; ///< relative to the folder of the configuration, or a file's name
  std::string conditional = "*";
  std::string rule = "*";
  std::string reason; ///< never empty
};

/// Moves what \p rule fits among the findings of \p input to `suppressed`; \p path is that of the input as the patterns
/// know it. \returns how many these are; nothing where the input is none that the rule speaks of.
std::optional<std::size_t> suppress(InputReport &input, const std::string &path, const SuppressionRule &rule);

} // namespace condlint

#endif // CONDLINT_REPORT_SUPPRESSION_H
