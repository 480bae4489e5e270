//===- Validation.cpp - Runs both branches, and judges --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Validation.h"
#include "AskedInputs.h"
#include "Breaks.h"
#include "Revision.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

namespace {

/// Without the file's name, beside which it is said.
std::string whyOf(const Error &e) { return e.place.empty() ? e.message : e.place + ": " + e.message; }

/// How many more inputs are drawn for what the first ones did not reach.
constexpr std::size_t moreDraws = 16;

/// The inputs of one run.
struct Draw {
  std::uint32_t number = 0;
  Assignment sizes;                ///< those of the witness that is tried
  const Finding *tried = nullptr;  ///< whose witness
  bool isAsked = false;            ///< for what a predicate asks
  std::vector<WishedValue> values; ///< that it asks for
};

/// One model while it is validated.
class Validation {
public:
  Validation(Analysis &a, Executor &e, const ValidationOptions &wanted, const std::vector<Array> *fixed, InputReport &r)
      : analysis(a), executor(e), options(wanted), given(fixed), report(r), statics(std::exchange(r.findings, {})),
        breaks(a, wanted.targets, wanted.rules, statics) {}

  void run() {
    std::vector<Draw> draws = firstDraws();
    const std::size_t most = draws.size() + moreDraws;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      if (const auto failure = runOnce(draws[i])) {
        report.findings = std::move(statics);
        return leaveUnvalidated(analysis, whyOf(*failure), report);
      }
      if (i + 1 == draws.size() && draws.size() < most && isAnythingOpen())
        draws.push_back({static_cast<std::uint32_t>(draws.size()), {}, nullptr, false, {}});
    }
    Revision(analysis.model, breaks, runs, executor, report).revise(statics);
    sayWhatWasNotSeen();
  }

private:
  /// A break that is possible is tried where the prover says that it happens.
  std::vector<Draw> firstDraws() const {
    if (given)
      return {Draw()};
    std::vector<Draw> all;
    for (std::uint32_t i = 0; i < options.draws; ++i)
      all.push_back({i, {}, nullptr, false, {}});
    for (const Finding &f : statics)
      if (f.verdict == Verdict::Possible && !f.witness.empty())
        all.push_back({static_cast<std::uint32_t>(all.size()), f.witness, &f, false, {}});
    for (AskedInputs &asked : askedInputs(analysis.model, analysis.conditionals))
      all.push_back(
          {static_cast<std::uint32_t>(all.size()), std::move(asked.sizes), nullptr, true, std::move(asked.values)});
    return all;
  }

  /// Other inputs may lead to it: a loop that makes no trip hides what is in it, and a break that hangs on sizes
  /// which the model computes happens for some inputs only.
  bool isAnythingOpen() {
    return !given && (!anyEnded || !unseenOf(analysis.model, analysis.conditionals, executor, {}).empty() ||
                      std::ranges::any_of(computed, [&](const Finding *f) { return !breaks.of(*f); }));
  }

  /// The sizes of the witness of \p f are not all sizes of inputs: those that were drawn need not lead to it.
  bool isOfComputedSizes(const Finding &f) const {
    return std::ranges::any_of(f.witness, [&](const auto &size) {
      return std::ranges::none_of(executor.symbols(), [&](const auto &known) { return known.first == size.first; });
    });
  }

  /// The error says why nothing more can be said of the model.
  std::optional<Error> runOnce(const Draw &draw) {
    auto inputs = given ? executor.bind(*given) : drawn(draw);
    if (!inputs && draw.isAsked)
      return std::nullopt; // no input of the model has such sizes
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
    anyEnded = anyEnded || results;
    if (!results && problem.empty())
      problem = whyOf(results.error());
    ++runs.count;
    const std::string sizes = sizesOfRun();
    if (breaks.judge(executor, sizes) && !given && options.keep)
      options.keep({draw.number, sizes, std::move(*arrays)});
    if (draw.tried && !breaks.of(*draw.tried)) {
      runs.unconfirmed[draw.tried] = fmt::format("it did not happen when executed with {}", sizes);
      if (isOfComputedSizes(*draw.tried))
        computed.push_back(draw.tried);
    }
    return std::nullopt;
  }

  Expected<std::vector<RuntimeValue>> drawn(const Draw &draw) {
    auto inputs = executor.draw(options.seed, draw.number, draw.sizes);
    if (!inputs || draw.values.empty())
      return inputs;
    auto arrays = copiesOf(*inputs);
    if (!arrays)
      return arrays.error();
    for (Array &a : *arrays)
      for (std::size_t i = 0; i < executor.inputs().size(); ++i)
        if (a.name == fmt::format("in{}", i))
          putAsked({draw.sizes, draw.values}, executor.inputs()[i], a);
    return executor.bind(*arrays);
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
    const Unseen unseen = unseenOf(analysis.model, analysis.conditionals, executor, problem);
    leaveOpen(unseen, report);
    // Inputs that a model's own assertions refuse are none of its inputs.
    if (unseen.empty() && anyEnded)
      return;
    report.status = InputStatus::Partial;
    std::string reasons;
    for (const auto &[path, why] : unseen)
      reasons += (reasons.empty() ? "" : "; ") + path + ": " + why;
    report.reason = reasons.empty() ? problem : reasons;
  }

  Analysis &analysis;
  Executor &executor;
  const ValidationOptions &options;
  const std::vector<Array> *given;
  InputReport &report;
  std::vector<Finding> statics; ///< what analysis found
  Breaks breaks;
  RunsOfModel runs;
  std::vector<const Finding *> computed; ///< not confirmed, with a witness of sizes that no input has
  bool anyEnded = false;                 ///< a run came to its end
  std::string problem;                   ///< why the first one that did not stopped
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
