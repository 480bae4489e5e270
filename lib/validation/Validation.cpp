//===- Validation.cpp - Runs both branches, and judges --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Validation.h"
#include "Breaks.h"
#include "Revision.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

namespace {

/// Without the file's name, beside which it is said.
std::string whyOf(const Error &e) { return e.place.empty() ? e.message : e.place + ": " + e.message; }

/// The inputs of one run.
struct Draw {
  std::uint32_t number = 0;
  Assignment sizes;               ///< those of the witness that is tried
  const Finding *tried = nullptr; ///< whose witness
};

/// One model while it is validated.
class Validation {
public:
  Validation(Analysis &a, Executor &e, const ValidationOptions &wanted, const std::vector<Array> *fixed, InputReport &r)
      : analysis(a), executor(e), options(wanted), given(fixed), report(r), statics(std::exchange(r.findings, {})),
        breaks(a, wanted.targets, statics) {}

  void run() {
    for (const Draw &d : draws())
      if (const auto problem = runOnce(d)) {
        report.findings = std::move(statics);
        return leaveUnvalidated(analysis, whyOf(*problem), report);
      }
    Revision(analysis.model, breaks, runs, executor, report).revise(statics);
    sayWhatWasNotSeen();
  }

private:
  /// A break that is possible is tried where the prover says that it happens.
  std::vector<Draw> draws() const {
    if (given)
      return {Draw()};
    std::vector<Draw> all;
    for (std::uint32_t i = 0; i < options.draws; ++i)
      all.push_back({i, {}, nullptr});
    for (const Finding &f : statics)
      if (f.verdict == Verdict::Possible && !f.witness.empty())
        all.push_back({static_cast<std::uint32_t>(all.size()), f.witness, &f});
    return all;
  }

  /// The error says why nothing more can be said of the model.
  std::optional<Error> runOnce(const Draw &draw) {
    auto inputs = given ? executor.bind(*given) : executor.draw(options.seed, draw.number, draw.sizes);
    if (!inputs && draw.tried) {
      runs.unconfirmed[draw.tried] = whyOf(inputs.error());
      return std::nullopt;
    }
    if (!inputs)
      return inputs.error();
    auto arrays = copiesOf(*inputs); // as they are now: the model may write to them
    if (!arrays)
      return arrays.error();
    executor.forget();
    auto results = executor.run(*inputs);
    if (!results && runs.problem.empty())
      runs.problem = whyOf(results.error());
    ++runs.count;
    const std::string sizes = sizesOfRun();
    if (breaks.judge(executor, sizes) && !given && options.keep)
      options.keep({draw.number, sizes, std::move(*arrays)});
    if (draw.tried && !breaks.of(*draw.tried))
      runs.unconfirmed[draw.tried] = fmt::format("it did not happen when executed with {}", sizes);
    return std::nullopt;
  }

  Expected<std::vector<Array>> copiesOf(const std::vector<RuntimeValue> &inputs) const {
    std::vector<Array> arrays;
    for (std::size_t i = 0; !given && i < inputs.size(); ++i) {
      if (!inputs[i].present())
        continue;
      auto array = executor.toArray(inputs[i]);
      if (!array)
        return array.error();
      array->name = fmt::format("in{}", i);
      arrays.push_back(std::move(*array));
    }
    return arrays;
  }

  /// "n = 3, m = 4"
  std::string sizesOfRun() const {
    std::vector<std::string> sizes;
    for (const auto &[name, value] : executor.symbols())
      sizes.push_back(fmt::format("{} = {}", name, value));
    return fmt::format("{}", fmt::join(sizes, ", "));
  }

  /// A branch that could not run was not validated, and that is said.
  void sayWhatWasNotSeen() {
    const Unseen unseen = unseenOf(analysis.model, analysis.conditionals, executor);
    leaveOpen(unseen, report);
    if (unseen.empty() && runs.problem.empty())
      return;
    report.status = InputStatus::Partial;
    std::string reasons;
    for (const auto &[path, why] : unseen)
      reasons += (reasons.empty() ? "" : "; ") + path + (why.starts_with('\'') ? ": " : " ") + why;
    report.reason = reasons.empty() ? runs.problem : reasons;
  }

  Analysis &analysis;
  Executor &executor;
  const ValidationOptions &options;
  const std::vector<Array> *given;
  InputReport &report;
  std::vector<Finding> statics; ///< what analysis found
  Breaks breaks;
  RunsOfModel runs;
};

} // namespace

void validate(Analysis &a, Executor &e, const ValidationOptions &options, const std::vector<Array> *given,
              InputReport &report) {
  Validation(a, e, options, given, report).run();
}

void leaveUnvalidated(const Analysis &a, const std::string &why, InputReport &report) {
  report.status = InputStatus::Partial;
  report.reason = why;
  Unseen unseen;
  for (const Conditional &c : a.conditionals)
    unseen.emplace(a.model.path(c.node), why);
  leaveOpen(unseen, report);
}

} // namespace condlint
