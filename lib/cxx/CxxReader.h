//===- CxxReader.h - C++ sources to models ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the program and the module that parses C++ with Clang. Nothing here
// needs Clang: the module is loaded when the first C++ source comes.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_CXXREADER_H
#define CONDLINT_CXX_CXXREADER_H

#include "condlint/Graph.h"
#include "condlint/Source.h"
#include "condlint/Target.h"
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// A function of the user's that works like `torch.cond`.
struct CondFunction {
  std::string name;                                        ///< qualified, without template arguments
  unsigned predicate = 0, trueBranch = 0, falseBranch = 0; ///< positions among the written parameters
  /// Position of the list of operands; none: the call has none.
  std::optional<unsigned> operands;
  bool operandsAreTheRest = false; ///< all remaining arguments are operands
};

/// What a file holds for this run, whatever the disk says: it is open in an editor.
struct UnsavedFile {
  std::string path; ///< absolute
  std::string text;
};

/// Lets a source be read again without being parsed again, where its text has changed inside the body of one function.
/// Who gives it lets each reading happen in a process of its own, which is forked when the source is parsed.
struct CxxRereading {
  /// Is called once, when the source is parsed and holds no error of the compiler's; returns in each process that is to
  /// read it. \returns the text it has there; none: that which was parsed. \p afterFirst, which may be empty, is what
  /// may be done once that was read: it is for the readings of other texts, and takes long.
  std::function<std::optional<std::string>(const std::function<void()> &afterFirst)> next;
  /// Is called instead where the source holds errors and there is something to do once it was read: no other text of it
  /// can be. Returns in the process that is to read it.
  std::function<void(const std::function<void()> &afterFirst)> once;
  /// The text asks for more: the source is to be parsed again. Does not return.
  std::function<void()> refuse;
};

/// What holds for one source, after command line and configuration.
struct CxxSettings {
  std::vector<CondFunction> condFunctions;
  /// The folder of compile_commands.json; empty: it is looked for in the source's
  /// folder and above it.
  std::string buildFolder;
  /// The compiler's flags, instead of a compile command.
  std::optional<std::vector<std::string>> flags;
  bool conditionals = true; ///< read the calls of cond-like functions and the building of networks
  bool tracing = false;     ///< read what a tracer freezes (nnscaler)
  /// Where library headers that several sources begin with are kept parsed;
  /// empty: nothing is kept.
  std::string cacheFolder;
  std::shared_ptr<const std::vector<UnsavedFile>> unsaved; ///< null: none
  std::shared_ptr<const CxxRereading> rereading;           ///< null: it is read once
  bool recordsFiles = false;                               ///< say of which paths the parse asked something
  std::size_t units = 1; ///< how many sources this run reads: with several it pays to parse headers for all
};

/// Something to tell the user about a place in a source.
struct CxxRemark {
  SourceLocation location; ///< none: about the source as a whole
  std::string message;
};

/// A path of which the parse of a source asked something, and what it was.
struct CxxDependency {
  enum class State : std::uint8_t { Absent, File, Folder };
  std::string path; ///< absolute
  State state = State::Absent;
};

enum class CxxStatus : std::uint8_t { Ok, Partial, Failed };

/// What became of one source.
struct CxxUnit {
  CxxStatus status = CxxStatus::Ok;
  std::string reason;            ///< Failed, unless `errors` say it
  std::vector<CxxRemark> notes;  ///< flags that were guessed or not understood, code that was not understood
  std::vector<CxxRemark> errors; ///< of the compiler; the first ones
  std::size_t errorCount = 0;
  std::vector<CxxDependency> dependencies;  ///< where that was asked
  std::vector<Model> models;                ///< one of a front end (`ModelInfo::frontEnd`)
  double parseSeconds = 0, readSeconds = 0; ///< the compiler's work, and what follows it
  /// The folder of the project that the source belongs to.
  std::string root;
  /// The folder in which the compiler runs: paths of locations are relative to it.
  std::string folder;
  std::vector<std::string> files; ///< those of the project that it was read from, as the compiler spells them
};

/// Reads C++ sources. Safe to use from many threads.
class CxxReader {
public:
  virtual ~CxxReader() = default;
  /// Parses \p path and reads what is asked for. Never throws.
  virtual CxxUnit read(const std::string &path, const CxxSettings &settings) = 0;
  /// All that the reading of \p path comes from but the files that it looks at: the compile command, the environment,
  /// Clang. Empty where there is no command.
  virtual std::string circumstances(const std::string &path, const CxxSettings &settings) = 0;
  /// "22.1.8"
  virtual std::string llvmVersion() const = 0;
};

/// The functions by which the module is entered, and their names in it.
using CxxReaderFunction = CxxReader *(); ///< the one reader; it lives as long as the program
using CxxModuleVersionFunction = const char *();
inline constexpr const char *cxxReaderSymbol = "condlintCxxReader";
inline constexpr const char *cxxModuleVersionSymbol = "condlintCxxModuleVersion";

} // namespace condlint

#endif // CONDLINT_CXX_CXXREADER_H
