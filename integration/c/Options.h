//===- Options.h - Options in JSON to what a call is asked ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_INTEGRATION_C_OPTIONS_H
#define CONDLINT_INTEGRATION_C_OPTIONS_H

#include "RunCommand.h"
#include "condlint/Expected.h"
#include "config/Config.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::c {

/// What a caller asks for in JSON, as docs/c-api.md tells. Whatever is not known there is an error.
struct Options {
  /// The keys of a `.condlint.json`, which win over the configuration of the input.
  Config given;
  /// Whose configuration holds: the one in the options, that of \c configFile, the nearest to the input, or none.
  enum class Which { Default, Nearest, File, Own, None };
  Which which = Which::Default;
  std::string configFile;
  Config own;

  std::optional<std::vector<std::string>> flags; ///< C++: the compiler's
  std::string compileCommands;                   ///< C++: the folder of compile_commands.json
  std::string cache;                             ///< C++: where parsed headers are kept; empty: nowhere

  RunArguments run;   ///< `run` alone; `name` is that of `dump` too, `draw` of `check`
  bool infer = false; ///< `dump` alone

  /// The configuration of \p input, with what is given here; \p byDefault is whether the nearest is looked for
  /// where the options do not say.
  Expected<Config> configOf(const std::string &input, bool byDefault) const;
};

/// The call that is made: each knows options of its own.
enum class Call { Check, Run, Dump };

Expected<Options> parseOptions(std::string_view json, Call call);

} // namespace condlint::c

#endif // CONDLINT_INTEGRATION_C_OPTIONS_H
