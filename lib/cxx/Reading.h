//===- Reading.h - A parsed translation unit to graphs ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between those who parse C++ (the tool, the plugin) and those who understand
// it: what a reading needs besides the AST, and what it gives back.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_READING_H
#define CONDLINT_CXX_READING_H

#include "condlint/Graph.h"
#include <clang/Basic/SourceLocation.h>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace condlint::cxx {

/// Which arguments of a cond-like function are what. Positions count the
/// parameters that are written, from 0; the object of a method is none.
struct CondArguments {
  // NOLINTBEGIN(readability-identifier-naming): they stand where an enumerator would
  static constexpr std::int32_t Rest = -1; ///< `operands`: every argument after the last of the other three is one
  static constexpr std::int32_t None = -2; ///< `operands`: the call has none
  // NOLINTEND(readability-identifier-naming)
  std::int32_t predicate = 0;
  std::int32_t trueBranch = 1;
  std::int32_t falseBranch = 2;
  std::int32_t operands = 3;
};

/// Where the compiler found errors: of a body around one the AST may lack what the source says.
struct ErrorPlaces {
  std::vector<clang::SourceLocation> known; ///< where macros are expanded
  /// From here on it may have found more, of which it said nothing. Invalid: nowhere.
  clang::SourceLocation untoldFrom;
};

/// What the user says about the sources.
struct SourceOptions {
  /// Cond functions of the configuration, by qualified name without template
  /// arguments and inline namespaces ("my::cond", "Graph::branch").
  std::map<std::string, CondArguments, std::less<>> condFunctions;
  /// Tells the user's own files from libraries' by their path, as the compiler
  /// spells it. Empty: the main file and whatever is no system header is the
  /// user's. A system header never is.
  std::function<bool(std::string_view path)> isProjectFile;
  ErrorPlaces errors;
};

/// One of the errors of \p options stands within \p code.
bool holdsError(const SourceOptions &options, const clang::SourceManager &sm, clang::SourceRange code);

/// A part of the unit of which nothing could be said, and why: a function that
/// was too large, a conditional that holds an error.
struct NotUnderstood {
  SourceLocation location;
  std::string reason;
};

/// What a translation unit came to.
struct UnitReading {
  /// One model for each system whose API the unit calls in a conditional;
  /// empty when there is none. `info.path` is the main file as the compiler spells it.
  std::vector<Model> models;
  std::vector<NotUnderstood> notUnderstood;
  std::vector<NotUnderstood> hints; ///< what may be a conditional that nobody has named
};

/// Reads every conditional of the unit's project code into graphs. \p pp may be
/// null; then macros that give versions count as unknown. The AST may hold
/// errors: what contains one is unknown. Linear in the code that the
/// conditionals' functions reach, and bounded whatever they do.
UnitReading readConditionals(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options);

/// True when a reading may look into the body of \p function (or of the functions
/// that it is a template for): it stands in a file of the user's. For the
/// parser, which skips the other bodies. Cheap; \p path is asked once a file.
class BodyFilter {
public:
  explicit BodyFilter(const SourceOptions &options) : opts(options) {}
  bool needsBody(const clang::Decl &function, const clang::SourceManager &sm);
  /// Gives \p visit what stands at the top of \p ast, as far as its bodies are read.
  void forEachRead(clang::ASTContext &ast, const std::function<void(clang::Decl *)> &visit);

private:
  const SourceOptions &opts;
  std::map<std::int32_t, bool> files; ///< by the file's number in the source manager
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_READING_H
