//===- CheckCommand.cpp - condlint check ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckCommand.h"
#include "CheckRun.h"
#include "ReportOutputs.h"
#include <utility>

namespace condlint {

namespace {

/// Keeps all inputs.
class KeptInputs : public InputSink {
public:
  explicit KeptInputs(Report &r) : report(r) {}
  void take(InputReport &&input, const std::vector<std::string> & /*parts*/) override {
    report.inputs.push_back(std::move(input));
  }

private:
  Report &report;
};

} // namespace

std::optional<int> analyseInputs(const CheckArguments &arguments, Report &report) {
  KeptInputs sink(report);
  CheckRun run(arguments, sink);
  if (const std::optional<int> end = run.run())
    return end;
  report.exitCode = run.end().exitCode;
  return std::nullopt;
}

int runCheck(const CheckArguments &arguments) {
  // The process ends with this report: to give its memory back piece by piece would only take time.
  auto &outputs = *new ReportOutputs(arguments.outputs, arguments.color, arguments.quiet);
  CheckRun run(arguments, outputs);
  std::optional<int> end = outputs.failed();
  if (!end)
    end = run.run();
  if (end) {
    outputs.abandon();
    return *end;
  }
  return outputs.finish(run.end());
}

} // namespace condlint
