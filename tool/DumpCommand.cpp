//===- DumpCommand.cpp - condlint dump ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "ExitCode.h"
#include "Inputs.h"
#include "condlint/Op.h"
#include "condlint/Print.h"
#include "condlint/Reader.h"
#include <fmt/format.h>

namespace condlint {

int runDump(const DumpArguments &arguments) {
  Expected<std::vector<Model>> models = readInput(arguments.input);
  if (!models) {
    complain(models.error().str());
    return Unanalysed;
  }
  std::size_t matching = 0;
  std::string out;
  for (Model &model : *models) {
    if (!arguments.model.empty() && model.info.name != arguments.model)
      continue;
    if (arguments.inferred)
      inferTypes(model);
    out += arguments.format == OutputFormat::Json ? writeJson(model) : printModel(model);
    if (!out.ends_with('\n'))
      out += '\n';
    ++matching;
  }
  if (matching == 0) {
    complain(fmt::format("{}: holds no model '{}' (it holds: {})", arguments.input, arguments.model, namesOf(*models)));
    return Usage;
  }
  if (matching > 1 && arguments.format == OutputFormat::Json) {
    complain(fmt::format("{}: holds several models; choose one with --model ({})", arguments.input, namesOf(*models)));
    return Usage;
  }
  return writeStandardOutput(out) ? Clean : Internal;
}

} // namespace condlint
