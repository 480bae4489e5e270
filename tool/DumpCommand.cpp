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

int runDump(const DumpArguments &arguments) {
  Expected<std::vector<Model>> models = readInput(arguments.input);
  if (!models) {
    complain(models.error().str());
    return Unanalysed;
  }
  std::vector<std::string> matching;
  for (Model &model : *models) {
    if (!arguments.model.empty() && model.info.name != arguments.model)
      continue;
    if (arguments.inferred)
      inferTypes(model);
    matching.push_back(arguments.format == OutputFormat::Json ? writeJson(model) : printModel(model));
    while (matching.back().ends_with('\n'))
      matching.back().pop_back();
  }
  if (matching.empty()) {
    complain(fmt::format("{}: holds no model '{}' (it holds: {})", arguments.input, arguments.model, namesOf(*models)));
    return Usage;
  }
  // Several models are a list, which is an input as one of them is.
  const bool isList = arguments.format == OutputFormat::Json && matching.size() > 1;
  bool isWritten = !isList || writeStandardOutput("[\n");
  for (std::string &text : matching) {
    text += !isList ? "\n" : &text != &matching.back() ? ",\n" : "\n]\n";
    isWritten = isWritten && writeStandardOutput(text);
  }
  return isWritten ? Clean : Internal;
}

} // namespace condlint
