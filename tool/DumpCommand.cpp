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
#include <fmt/ranges.h>

namespace condlint {

Expected<std::string> dumpModels(std::vector<Model> &models, const DumpArguments &arguments) {
  std::vector<std::string> matching;
  for (Model &model : models) {
    if (!arguments.model.empty() && model.info.name != arguments.model)
      continue;
    if (arguments.inferred)
      inferTypes(model);
    matching.push_back(arguments.format == OutputFormat::Json ? writeJson(model) : printModel(model));
    while (matching.back().ends_with('\n'))
      matching.back().pop_back();
  }
  if (matching.empty())
    return Error{arguments.input, "",
                 fmt::format("holds no model '{}' (it holds: {})", arguments.model, namesOf(models)), ""};
  // Several models are a list, which is an input as one of them is.
  const bool isList = arguments.format == OutputFormat::Json && matching.size() > 1;
  return isList ? fmt::format("[\n{}\n]\n", fmt::join(matching, ",\n"))
                : fmt::format("{}\n", fmt::join(matching, "\n"));
}

int runDump(const DumpArguments &arguments) {
  Expected<std::vector<Model>> models = readInput(arguments.input);
  if (!models) {
    complain(models.error().str());
    return Unanalysed;
  }
  const Expected<std::string> text = dumpModels(*models, arguments);
  if (!text) {
    complain(text.error().str());
    return Usage;
  }
  return writeStandardOutput(*text) ? Clean : Usage;
}

} // namespace condlint
