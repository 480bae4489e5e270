//===- main.cpp - A project that uses condlint's libraries ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <condlint/Reader.h>
#include <condlint/Report.h>
#include <condlint/Rule.h>
#include <cstdio>

/// Prints the report on the models that are its arguments.
int main(int argc, char **argv) {
  condlint::Report report;
  for (int i = 1; i < argc; ++i) {
    condlint::InputReport input;
    input.path = argv[i];
    auto models = condlint::readModel(input.path);
    if (!models) {
      std::fprintf(stderr, "%s\n", models.error().str().c_str());
      return 1;
    }
    for (condlint::Model &model : *models) {
      const std::vector<condlint::Target> targets{condlint::defaultTarget(model)};
      condlint::ModelResult found = condlint::check(model, targets, {});
      for (auto &of : found.targets)
        condlint::append(input, std::move(of.result.conditionals), std::move(of.result.loops),
                         std::move(of.result.findings));
    }
    report.inputs.push_back(std::move(input));
  }
  condlint::finishReport(report);
  std::fputs(condlint::renderJson(report).c_str(), stdout);
  return argc > 1 ? 0 : 1;
}
