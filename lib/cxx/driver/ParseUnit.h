//===- ParseUnit.h - A source to an AST -------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_PARSEUNIT_H
#define CONDLINT_CXX_DRIVER_PARSEUNIT_H

#include "../Reading.h"
#include "CompileCommands.h"
#include "PrefixStore.h"
#include "ProjectFiles.h"
#include "Rereading.h"
#include "cxx/CxxReader.h"
#include <functional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace condlint::cxx {

/// What parsing came to.
struct ParseOutcome {
  bool parsed = false; ///< there is an AST; `problem` says why not
  std::string problem;
  std::size_t declarations = 0; ///< of the project's files, sound ones
  std::size_t errorCount = 0;
  std::vector<CxxRemark> errors; ///< the first ones
  std::vector<CxxRemark> notes;
  std::vector<std::string> files; ///< of the project, that it was read from
};

/// Where library headers that several sources begin with are kept parsed.
struct SharedPrefix {
  PrefixStore &store;
  const ProjectFiles &project;
  std::string cacheFolder; ///< empty: nothing is kept
  bool worthwhile = false; ///< others in this run may begin with the same
  const std::vector<UnsavedFile> *unsaved = nullptr;
  std::vector<CxxDependency> *dependencies = nullptr; ///< where they are wanted
  const RoomyText *roomy = nullptr;                   ///< the source, where it is read several times
  const CxxRereading *rereading = nullptr;
};

/// What is done with an AST; the places are those of the errors in it.
using UseOfAst = std::function<void(clang::ASTContext &, clang::Preprocessor &, const ErrorPlaces &errors)>;

/// Parses a source as \p command says and hands the AST to \p use while it lives.
/// The bodies of functions outside the project are skipped. The traversal scope
/// of the AST is what the project's files declare.
ParseOutcome parseUnit(const CompileCommand &command, const SourceOptions &options, const SharedPrefix &shared,
                       const UseOfAst &use);

/// The folder of the headers that belong to the Clang we are linked with.
std::string resourceFolder();

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_PARSEUNIT_H
