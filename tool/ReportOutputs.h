//===- ReportOutputs.h - A report on its way to its files -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_REPORTOUTPUTS_H
#define CONDLINT_TOOL_REPORTOUTPUTS_H

#include "Output.h"
#include "condlint/Report.h"
#include "report/RepeatedNotes.h"
#include <memory>
#include <string>
#include <vector>

namespace condlint {

/// Where the inputs of a run go when they are done with.
class InputSink {
public:
  virtual ~InputSink() = default;
  /// What can be done for a finished input before its turn. Several threads may ask at a time.
  virtual std::vector<std::string> prepare(const InputReport & /*input*/) const { return {}; }
  /// Takes \p input, in the order of the inputs, with what `prepare` made of it.
  virtual void take(InputReport &&input, const std::vector<std::string> &parts) = 0;
  /// An exit code where nobody takes what comes any more.
  virtual std::optional<int> failed() const { return std::nullopt; }
};

/// The reports that were asked for. Those whose format allows it are written while the inputs come, and keep none of
/// them; of others the inputs are kept that have a place in them.
class ReportOutputs : public InputSink {
public:
  ReportOutputs(const std::vector<OutputRequest> &requests, ColorChoice color, bool quiet);

  std::vector<std::string> prepare(const InputReport &input) const override;
  void take(InputReport &&input, const std::vector<std::string> &parts) override;
  std::optional<int> failed() const override;
  /// Leaves no file that is half written, where there will be no end.
  void abandon();
  /// Writes what is left to write. \returns the exit code, which is that of \p run where all went well.
  int finish(const RunEnd &run);

private:
  struct Output {
    const OutputRequest *request;
    RenderOptions options;
    std::unique_ptr<ReportStream> stream;   ///< null: the format needs all of the report
    std::unique_ptr<OutputInMaking> making; ///< of a stream
    bool works = true;
  };
  void tell(const InputReport &input);

  std::vector<Output> outputs;
  Report whole, spokenOf; ///< all inputs; those that formats which pass over the others speak of
  bool needsWhole = false, needsSpokenOf = false;
  bool shownToPeople = false, quiet;
  /// More lines for the person at the terminal nobody reads, and a million of them would fill the memory.
  static constexpr std::size_t mostTold = 1000;
  RepeatedNotes notes{mostTold};
  std::vector<std::string> failures;
  std::size_t untold = 0;
};

} // namespace condlint

#endif // CONDLINT_TOOL_REPORTOUTPUTS_H
