//===- Program.h - Starts condlint with files around it ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_PROGRAM_H
#define CONDLINT_TESTS_PROGRAM_H

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace condlint::test {

/// What one run of the program left.
struct Outcome {
  int code = -1; ///< the exit code; 128 + N for signal N
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
  bool says(std::string_view text) const {
    return out.find(text) != std::string::npos || err.find(text) != std::string::npos;
  }
};

/// A temporary folder in which the program runs, removed at the end. Holds
/// nothing that looks like a configuration above it.
class Workshop {
public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop &) = delete;
  Workshop &operator=(const Workshop &) = delete;

  /// Runs `condlint ARGUMENTS` in the folder with \p input on standard input.
  Outcome run(const std::vector<std::string> &arguments, const std::string &input = {}) const;
  /// Runs a command of the system's shell in the folder, in silence. False when it fails.
  bool shell(const std::string &command) const;
  /// Writes a file, making the folders on the way.
  void write(const std::string &name, const std::string &content) const;
  /// Copies a model of examples/ under \p name.
  void example(const std::string &model, const std::string &name) const;
  std::string read(const std::string &name) const;
  std::string program = CONDLINT_PROGRAM; ///< the one that is started
  std::filesystem::path path(const std::string &name = {}) const { return folder / name; }

private:
  std::filesystem::path folder;
};

} // namespace condlint::test

#endif // CONDLINT_TESTS_PROGRAM_H
