//===- Features.h - What the editor is told of an analysis ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_FEATURES_H
#define CONDLINT_TOOL_LSP_FEATURES_H

#include "condlint/Report.h"
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Each is a function of what an analysis found. They know places in files, and nothing of the protocol.
namespace condlint::lsp {

struct Note {
  SourceLocation at;
  std::string message;
};

/// A finding as editors show it.
struct Diagnostic {
  enum class Level : std::uint8_t { Error = 1, Warning, Information, Hint };
  SourceLocation at;
  Level level = Level::Error;
  std::string rule; ///< empty: of the file as a whole, no rule's
  std::string message;
  std::string fingerprint;
  bool isUnnecessary = false; ///< what it stands at has no use
  std::vector<Note> related;
};
/// The findings of \p report; where \p withUnknown also what could not be decided of each conditional. What has no
/// place in a source stands at the input, and so does what stands in one that is not the \p user's, or no more in it: a
/// model tells where it was exported from, and comes from anywhere.
using IsOfUser = std::function<bool(const SourceLocation &at)>;
std::vector<Diagnostic> diagnostics(const InputReport &report, bool withUnknown, const IsOfUser &user);

struct Hover {
  SourceLocation at;
  std::string markdown;
};
/// The text of a line of a file, counted from 1.
using LineOf = std::function<std::string_view(std::size_t)>;
/// The contract of the conditional in whose call, but in no branch's body, or at the head of whose branch the \p cursor
/// is; or when the layer there is evaluated. \p lineOf is of the cursor's file; without it a call is its first line.
std::optional<Hover> hover(const InputReport &report, const SourceLocation &cursor, const LineOf &lineOf = {});

/// A line above a conditional that says what its branches yield.
struct Lens {
  SourceLocation at;
  std::string title;
  std::string conditional;
};
std::vector<Lens> lenses(const InputReport &report, const std::string &path, const IsOfUser &user);

/// The type that stands behind a conditional's call.
struct Hint {
  SourceLocation behind;
  std::string label;
  std::string tooltip;
};
std::vector<Hint> hints(const InputReport &report, const std::string &path);

struct Symbol {
  std::string name, detail;
  SourceLocation at;
  std::vector<Symbol> below;
};
/// The conditionals in \p path (empty: wherever they are), with their branches. What is in no source of the \p user's
/// stands at the input.
std::vector<Symbol> symbols(const InputReport &report, const std::string &path, const IsOfUser &user);
/// What of \p path can be folded.
std::vector<SourceLocation> folds(const InputReport &report, const std::string &path);
/// In a branch the other one, at a conditional both.
std::vector<SourceLocation> otherBranch(const InputReport &report, const SourceLocation &cursor);

/// Something to do about a finding, or with a conditional.
struct Action {
  enum class Kind : std::uint8_t { Fix, Suppress, Explain, ShowBoth, RunBoth } kind = Kind::Fix;
  std::string title;
  bool isPreferred = false;
  std::vector<Edit> edits;  ///< Fix, Suppress
  Diagnostic about;         ///< all but ShowBoth and RunBoth
  std::string conditional;  ///< ShowBoth
  bool isElsewhere = false; ///< what it is about is shown in another file
};
/// What Suppress writes where the user is to say why.
inline constexpr std::string_view reasonToWrite = "why it is right here";

/// What can be done about the findings and conditionals that touch the lines of \p range. \p lineOf yields the text of
/// a line of its file, counted from 1. In a model itself they touch all lines.
std::vector<Action> actions(const InputReport &report, const SourceLocation &range, const LineOf &lineOf,
                            const IsOfUser &user);

/// The page of \p rule in the web.
std::string pageOf(std::string_view rule);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_FEATURES_H
