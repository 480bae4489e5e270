//===- Inputs.h - The files behind the arguments ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_INPUTS_H
#define CONDLINT_TOOL_INPUTS_H

#include "condlint/Expected.h"
#include "condlint/Graph.h"
#include "condlint/Reader.h"
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// How standard input is named.
inline constexpr std::string_view standardInput = "-";

/// One file to analyse, or a folder in which there is nothing to.
struct InputFile {
  std::string path;    ///< as it is shown; "-" is standard input
  std::string problem; ///< not empty: it cannot be analysed, and why
  bool emptyFolder = false;
  std::string buildFolder = {};                     ///< C++: where the compile command was found
  std::shared_ptr<const FileBytes> bytes = nullptr; ///< of what is no file of its own, or was read before
  std::optional<std::size_t> position = {};         ///< of a shard: where it stands among the inputs of all
  std::vector<std::string> notes = {};              ///< of what lies beside it and is left out
};

/// Walks over the files that arguments name, each once, in their order; no more of them are known at a time than are
/// asked for. An argument may be
/// - a file; `-` is standard input;
/// - a folder: the `.pt2` and `.onnx` files in it at any depth, sorted, the `.json` files that hold condlint's own
///   graphs, and then the C++ sources that a compile_commands.json knows: the one in the build folder, or else those in
///   the folder and the nearest one above. Hidden files and folders are left out;
/// - a zip or a tar: the models in it; standard input may be one too. Here and in folders a note of a model names the
///   `.pte` files that are left out;
/// - `@FILE`: what the lines of FILE name, `@-` those of standard input.
class InputWalk {
public:
  InputWalk(std::vector<std::string> arguments, std::string buildFolder);
  ~InputWalk();
  InputWalk(const InputWalk &) = delete;
  InputWalk &operator=(const InputWalk &) = delete;

  /// The next inputs, up to \p most, or until those that are in memory have \p mostBytes; none at the end. The error
  /// says which list cannot be read.
  Expected<std::vector<InputFile>> next(std::size_t most, std::size_t mostBytes);
  /// False where one argument names a file, which is one input or an archive of some.
  bool mayBeMany() const;
  /// Whether there is no other input; known at the latest when none came.
  bool isOver() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// All that the walk over \p arguments comes to. A list that cannot be read is an input with a problem.
std::vector<InputFile> expandInputs(const std::vector<std::string> &arguments, const std::string &buildFolder);

/// Reads the model or models of \p path; "-" is standard input, whose kind is
/// told by its first bytes.
Expected<std::vector<Model>> readInput(const std::string &path);

/// Reads the model or models in \p bytes, which are of \p format ("pt2", "onnx", "json"), or, where that is
/// empty, of the kind that their first bytes tell. \p path is what messages call them.
Expected<std::vector<Model>> readBytes(std::shared_ptr<const FileBytes> bytes, std::string_view format,
                                       const std::string &path);

/// "encoder, decoder", for a complaint about a name that none of \p models has.
std::string namesOf(const std::vector<Model> &models);

bool isCxxSource(std::string_view path);

/// What the report calls the kind of \p path: "pt2", "onnx", "json", "cxx", or
/// nothing when its name does not tell.
std::string kindOfPath(std::string_view path);

} // namespace condlint

#endif // CONDLINT_TOOL_INPUTS_H
