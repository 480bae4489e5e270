//===- CompileCommands.h - How a source is compiled -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_COMPILECOMMANDS_H
#define CONDLINT_CXX_DRIVER_COMPILECOMMANDS_H

#include "condlint/Expected.h"
#include "cxx/CxxReader.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang::tooling {
class CompilationDatabase;
} // namespace clang::tooling

namespace condlint::cxx {

/// How one source is compiled.
struct CompileCommand {
  std::vector<std::string> arguments; ///< the compiler first
  std::string folder;                 ///< where it runs
  std::string database;               ///< the file that said so; empty: the flags were given or guessed
  std::vector<std::string> notes;     ///< what was guessed
  std::vector<std::string> problems;  ///< what of it could not be read
};

/// Finds the compile commands of sources, as clangd does: the nearest
/// compile_commands.json in the folders above a source or in their folder
/// `build`, or compile_flags.txt. Every database is read once.
class CompileCommands {
public:
  CompileCommands();
  ~CompileCommands();

  /// The command for \p file, which is absolute. Without any, flags that fit most
  /// projects, and a note that says so.
  Expected<CompileCommand> find(const std::string &file, const CxxSettings &settings);

private:
  struct Database {
    std::string path; ///< empty: there is none
    std::unique_ptr<clang::tooling::CompilationDatabase> commands;
    std::string problem; ///< why it cannot be read
  };
  using DatabasePtr = std::shared_ptr<const Database>;

  DatabasePtr databaseIn(const std::string &folder);
  DatabasePtr nearest(const std::string &file);

  std::mutex mutex;
  std::map<std::string, DatabasePtr> byFolder; ///< null: nothing there
};

/// The flags for a source of which nothing is known.
CompileCommand guessedCommand(const std::string &file);

/// \p command made fit for reading: without outputs, plugins and precompiled
/// headers, with nvcc's words translated, for the host side of CUDA.
void prepare(CompileCommand &command, const std::string &file);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_COMPILECOMMANDS_H
