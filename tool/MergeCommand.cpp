//===- MergeCommand.cpp - condlint merge ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MergeCommand.h"
#include "ExitCode.h"
#include "ReportOutputs.h"
#include "condlint/Rule.h"
#include "report/ReportReader.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace condlint {

namespace {

/// A report, and the input of it whose turn is next.
struct Part {
  std::string path;
  std::unique_ptr<ReportReader> reader;
  std::optional<InputReport> front;
};

/// What is wrong with what was given, and the exit code for it.
struct Refusal {
  Error error;
  int code = Usage;
};

/// Of the digest of a shard what is of the inputs; behind it stands what is of the options.
std::string_view inputsOf(const Shard &shard) {
  return std::string_view(shard.digest).substr(0, shard.digest.find('-'));
}

class Merge {
public:
  explicit Merge(InputSink &s) : sink(s) {}

  std::optional<Refusal> open(const std::vector<std::string> &paths);
  std::optional<Refusal> run();
  int exitCode() const { return code; }

private:
  std::optional<Refusal> checkShards();
  std::optional<Refusal> checkInputs();
  std::optional<Refusal> advance(Part &part);
  std::optional<Refusal> take(InputReport input, const std::string &path);
  void give(InputReport &&input);

  InputSink &sink;
  std::vector<Part> parts;
  std::vector<std::string_view> ruleIds;
  bool areShards = false;
  std::size_t expected = 0; ///< of shards: how many inputs there are
  std::size_t taken = 0;    ///< how many came
  bool holds = false;       ///< a C++ source has come: others may share headers with it
  std::vector<InputReport> held;
  int code = Clean;
};

std::optional<Refusal> Merge::open(const std::vector<std::string> &reports) {
  for (const RuleInfo &rule : rules())
    ruleIds.push_back(rule.id);
  for (const std::string &path : reports) {
    Expected<std::unique_ptr<ReportReader>> reader = ReportReader::open(path, ruleIds);
    if (!reader)
      return Refusal{reader.error(), Unanalysed};
    const ReportHead &head = (*reader)->head();
    if (head.version != CONDLINT_VERSION)
      return Refusal{{path,
                      {},
                      fmt::format("was written by condlint {}, and this is {}", head.version, CONDLINT_VERSION),
                      "merge reports with the condlint that wrote all of them"}};
    code = std::max(code, head.exitCode);
    parts.push_back({path, std::move(*reader), std::nullopt});
  }
  if (std::optional<Refusal> wrong = checkShards())
    return wrong;
  return areShards ? std::nullopt : checkInputs();
}

/// Shards have no input in common. Of other reports it is found out before anything is written.
std::optional<Refusal> Merge::checkInputs() {
  std::map<std::string, const std::string *> owners;
  for (const Part &part : parts) {
    Expected<std::unique_ptr<ReportReader>> reader = ReportReader::open(part.path, ruleIds);
    if (!reader)
      return Refusal{reader.error(), Unanalysed};
    for (;;) {
      Expected<std::optional<InputReport>> input = (*reader)->next();
      if (!input)
        return Refusal{input.error(), Unanalysed};
      if (!*input)
        break;
      const auto [owner, isNew] = owners.try_emplace((*input)->path, &part.path);
      if (!isNew)
        return Refusal{{part.path,
                        {},
                        fmt::format("'{}' is in {} too", (*input)->path, *owner->second),
                        "give each input to one run alone"}};
    }
  }
  return std::nullopt;
}

/// All shards of one run must be there, each once; or none of the reports is one.
std::optional<Refusal> Merge::checkShards() {
  const std::optional<Shard> &first = parts.front().reader->head().shard;
  areShards = first.has_value();
  std::vector<const Part *> byIndex(areShards ? first->count : 0);
  for (const Part &part : parts) {
    const std::optional<Shard> &shard = part.reader->head().shard;
    if (shard.has_value() != areShards)
      return Refusal{
          {part.path, {}, areShards ? "is of no shard, as the others are" : "is of a shard, and others are not", {}}};
    if (!areShards)
      continue;
    if (shard->count != first->count || shard->inputs != first->inputs || inputsOf(*shard) != inputsOf(*first))
      return Refusal{{part.path,
                      {},
                      fmt::format("is shard {}/{} of {} inputs, and {} is {}/{} of {}{}: they are of different runs",
                                  shard->index, shard->count, shard->inputs, parts.front().path, first->index,
                                  first->count, first->inputs, shard->inputs == first->inputs ? " others" : ""),
                      "run all shards on the same inputs"}};
    if (shard->digest != first->digest)
      return Refusal{{part.path,
                      {},
                      fmt::format("was made with other options than {}", parts.front().path),
                      "give all shards the same rules, targets and severities"}};
    const Part *&known = byIndex[shard->index - 1];
    if (known != nullptr)
      return Refusal{
          {part.path, {}, fmt::format("is shard {}/{}, as {} is", shard->index, shard->count, known->path), {}}};
    known = &part;
  }
  std::string missing;
  for (std::size_t i = 0; i < byIndex.size(); ++i)
    if (byIndex[i] == nullptr)
      missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", i + 1, byIndex.size());
  if (!missing.empty())
    return Refusal{{"", "", "the report of shard " + missing + " is missing", "run it with --shard, and merge then"},
                   Unanalysed};
  expected = areShards ? first->inputs : 0;
  return std::nullopt;
}

std::optional<Refusal> Merge::advance(Part &part) {
  Expected<std::optional<InputReport>> next = part.reader->next();
  if (!next)
    return Refusal{next.error(), Unanalysed};
  part.front = std::move(*next);
  if (part.front && areShards && (!part.front->position || *part.front->position < taken))
    return Refusal{{part.path, {}, "holds an input twice, or out of its order", {}}};
  return std::nullopt;
}

void Merge::give(InputReport &&input) {
  const std::vector<std::string> prepared = sink.prepare(input);
  sink.take(std::move(input), prepared);
}

std::optional<Refusal> Merge::take(InputReport input, const std::string &path) {
  if (areShards && input.position != taken)
    return Refusal{
        {path, {}, fmt::format("an input of the shards, the one with position {}, is in no report", taken), {}}};
  ++taken;
  input.position.reset();
  holds |= input.kind == "cxx";
  if (holds)
    held.push_back(std::move(input));
  else
    give(std::move(input));
  return std::nullopt;
}

std::optional<Refusal> Merge::run() {
  for (Part &part : parts)
    if (std::optional<Refusal> wrong = advance(part))
      return wrong;
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const auto turnOf = [&](const Part &part) {
    return !part.front ? none : areShards ? *part.front->position : 0; // one report after the other
  };
  for (;;) {
    const auto next = std::ranges::min_element(parts, {}, turnOf);
    if (!next->front)
      break;
    if (std::optional<Refusal> wrong = take(std::move(*next->front), next->path))
      return wrong;
    if (std::optional<Refusal> wrong = advance(*next))
      return wrong;
    if (sink.failed())
      return std::nullopt;
  }
  if (areShards && taken != expected)
    return Refusal{{"", "", fmt::format("the shards hold {} of {} inputs", taken, expected), {}}, Unanalysed};
  mergeUnits(held);
  for (InputReport &input : held) {
    if (input.kind == "cxx")
      finishInput(input);
    give(std::move(input));
  }
  return std::nullopt;
}

} // namespace

int runMerge(const MergeArguments &arguments) {
  if (const std::optional<Error> error = overwritten(filesOf(arguments.outputs), arguments.reports)) {
    complain(error->str());
    return Usage;
  }
  ReportOutputs outputs(arguments.outputs, arguments.color, arguments.quiet);
  Merge merge(outputs);
  std::optional<Refusal> wrong;
  if (!outputs.failed())
    wrong = merge.open(arguments.reports);
  if (!wrong && !outputs.failed())
    wrong = merge.run();
  if (wrong) {
    outputs.abandon();
    complain(wrong->error.str());
    return wrong->code;
  }
  if (const std::optional<int> failed = outputs.failed()) {
    outputs.abandon();
    return *failed;
  }
  return outputs.finish({merge.exitCode(), std::nullopt});
}

} // namespace condlint
