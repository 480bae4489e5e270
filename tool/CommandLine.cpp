//===- CommandLine.cpp - From the arguments to a command ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "CheckCommand.h"
#include "Commands.h"
#include "CompareCommand.h"
#include "ExitCode.h"
#include "ExplainCommand.h"
#include "MergeCommand.h"
#include "RunCommand.h"
#include "Shards.h"
#include "ShowCommand.h"
#include "config/RuleWords.h"
#include "config/UnknownWord.h"
#include "graph/Spelling.h"
#include "lsp/LspCommand.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace condlint {

namespace {

constexpr std::uint64_t mostJobs = 1024, mostDraws = 10000;

/// Takes a whole number from \p least to \p most, and says what was expected of any other word.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto problem = [least, most](const std::string &word) -> std::string {
    std::uint64_t n = 0;
    const char *end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, n);
    if (error == std::errc() && rest == end && n >= least && n <= most)
      return {};
    return most == UINT64_MAX ? fmt::format("'{}' is not a whole number from {} on", word, least)
                              : fmt::format("'{}' is not a whole number from {} to {}", word, least, most);
  };
  return {problem, ""};
}

/// The words of the options of `check`, before they are understood.
struct CheckWords {
  std::vector<std::string> targets, outputs, select, ignore;
  std::string failOn, color = "auto", shard;
  bool noCache = false, fix = false, showFixes = false;
};

/// Adds an option that takes one value each time it is given, so that the
/// inputs behind it stay inputs.
CLI::Option *addRepeatable(CLI::App &app, const std::string &names, std::vector<std::string> &into,
                           const std::string &help) {
  return app.add_option(names, into, help)->allow_extra_args(false);
}

CLI::App *addCheck(CLI::App &app, CheckArguments &a, CheckWords &w) {
  CLI::App *check = app.add_subcommand("check", "Find what is wrong with the conditionals of models");
  check
      ->add_option("INPUT", a.inputs,
                   "A .pt2, an .onnx, a graph .json, a C++ source, a folder that is searched, or a zip or tar of "
                   "models; - reads "
                   "standard input, @FILE names inputs, a line each")
      ->required();
  addRepeatable(*check, "--target", w.targets, "The system that will run the model: NAME or NAME@VERSION (repeatable)")
      ->type_name("NAME[@VERSION]");
  addRepeatable(*check, "--output", w.outputs, formatNames() + "; to standard output or a file (repeatable)")
      ->type_name("FORMAT[=FILE]");
  check
      ->add_option("--fail-on", w.failOn,
                   "Exit with 1 from this severity on: error (the default), warning, note or never")
      ->type_name("SEVERITY");
  addRepeatable(*check, "--select", w.select, "Only these rules")->delimiter(',')->type_name("RULE,...");
  addRepeatable(*check, "--ignore", w.ignore, "All but these rules")->delimiter(',')->type_name("RULE,...");
  check->add_option("-j,--jobs", a.jobs, "How many inputs are analysed at a time (default: one a processor)")
      ->check(wholeNumber(1, mostJobs))
      ->type_name("N");
  check->add_flag("-q,--quiet", a.quiet, "One line for each error and warning, no notes, no summary");
  check->add_option("--color", w.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  CLI::Option *config =
      check->add_option("--config", a.configFile, "This configuration instead of the nearest .condlint.json")
          ->type_name("FILE");
  check->add_flag("--no-config", a.noConfig, "No configuration")->excludes(config);
  check->add_flag("--allow-partial", a.allowPartial, "An input that was analysed in part is no failure");
  check->add_option("--baseline", a.baseline.file, "Keep quiet about the findings that this file knows")
      ->type_name("FILE");
  CLI::Option *written =
      check->add_flag("--write-baseline", a.baseline.write,
                      "Write what is found to the file of --baseline (default: condlint.baseline.json)");
  check->add_flag("--prune-baseline", a.baseline.prune, "Remove from that file what is not found any more")
      ->excludes(written);
  CLI::Option *base =
      check
          ->add_option("--diff", a.diff.base,
                       "Report only what stands on lines, or in models, that differ from this commit of git")
          ->type_name("BASE");
  check->add_option("--diff-from", a.diff.file, "The same for what this unified diff touches; - is standard input")
      ->type_name("FILE")
      ->excludes(base);
  check
      ->add_option(
          "--shard", w.shard,
          "Only this part of the inputs: I of N, which follows from their contents; `condlint merge` joins the "
          "reports")
      ->type_name("I/N");
  CLI::Option *fix = check->add_flag("--fix", w.fix, "C++: make the safe fixes; the report is on what is left");
  check->add_flag("--fix-dry-run", w.showFixes, "C++: print the safe fixes as a diff and change nothing")
      ->excludes(fix);
  check->add_flag("--timing", a.timing, "C++: say on standard error how long parsing, reading and checking took");
  CLI::Option *cache =
      check
          ->add_option("--cache", a.cacheFolder,
                       "Keep in this folder what is found, for inputs that do not change, and parsed library headers")
          ->type_name("DIR");
  check->add_flag("--no-cache", w.noCache, "Keep nothing between runs, no parsed library headers of C++ either")
      ->excludes(cache);
  check->add_option("-p", a.compileCommands, "C++: the folder of compile_commands.json")->type_name("DIR");
  check->footer("What stands behind -- are compiler flags for C++ sources.\n"
                "Exit code: 0 clean, 1 findings, 2 wrong usage, 3 some input could not be analysed, 4 internal error.");
  return check;
}

CLI::App *addMerge(CLI::App &app, MergeArguments &a, std::vector<std::string> &outputs, std::string &color) {
  CLI::App *merge =
      app.add_subcommand("merge", "Make one report of several: of shards, or of runs on different inputs");
  merge->add_option("REPORT", a.reports, "What `condlint check` wrote with --output json or ndjson")->required();
  addRepeatable(*merge, "--output", outputs, formatNames() + "; to standard output or a file (repeatable)")
      ->type_name("FORMAT[=FILE]");
  merge->add_flag("-q,--quiet", a.quiet, "One line for each error and warning, no notes, no summary");
  merge->add_option("--color", color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  merge->footer(
      "Exit code: that of one run on all inputs; 2 where the reports do not fit together, 3 where one is missing "
      "or cut off.");
  return merge;
}

/// The words of the options of `run`, before they are understood.
struct RunWords {
  std::vector<std::string> targets, outputs;
  std::string branch = "taken", memory, color = "auto";
  std::optional<std::uint32_t> draws;
};

/// An option that names a file or a folder names one: a variable of a script that is not set is a mistake.
void refuseEmptyNames(CLI::App &command) {
  const CLI::Validator named([](const std::string &word) { return word.empty() ? "names nothing" : ""; }, "");
  for (const char *name :
       {"--config", "--cache", "--diff", "--diff-from", "-p", "--inputs", "--expect", "--save", "--at"})
    if (CLI::Option *option = command.get_option_no_throw(name))
      option->check(named);
}

CLI::App *addRun(CLI::App &app, RunArguments &a, RunWords &w) {
  CLI::App *run = app.add_subcommand("run", "Execute a model, or both branches of each of its conditionals");
  run->add_option("MODEL", a.model, "A .pt2, an .onnx, or a graph in JSON")->required();
  run->add_option("--inputs", a.inputs, "An .npz, or a folder of input_0.pb, ...; without it inputs are drawn")
      ->type_name("FILE");
  CLI::Option *expect =
      run->add_option("--expect", a.expect, "Compare the outputs with these: an .npz, or a folder of output_0.pb, ...")
          ->type_name("FILE");
  run->add_option("--branch", w.branch,
                  "taken (the default), or both: run both branches of every conditional and compare them")
      ->check(CLI::IsMember({"taken", "both"}))
      ->type_name("WHICH");
  run->add_option("--device", a.device, "cpu (the default) or cuda")->type_name("NAME");
  run->add_option("--rtol", a.rtol, "Relative tolerance of --expect (default: by element type, 1e-4 of float32)")
      ->type_name("R")
      ->needs(expect);
  run->add_option("--atol", a.atol, "Absolute tolerance of --expect (default: by element type, 1e-5 of float32)")
      ->type_name("A")
      ->needs(expect);
  run->add_option("--save", a.save, "Write the outputs as an .npz")->type_name("FILE");
  run->add_option("--seed", a.seed, "For random operators and drawn inputs (default: 0)")
      ->check(wholeNumber(0, UINT64_MAX))
      ->type_name("N");
  run->add_option("--draws", w.draws, "How often inputs are drawn for --branch both, small sizes first (default: 3)")
      ->check(wholeNumber(1, mostDraws))
      ->type_name("N");
  run->add_option("--memory-limit", w.memory, "Bytes that tensors may take, such as 2G (default: 80 % of what is free)")
      ->type_name("BYTES");
  run->add_option("--time-limit", a.timeLimit, "Seconds that one run may take (default: no limit)")
      ->type_name("SECONDS");
  addRepeatable(*run, "--target", w.targets, "With --branch both: the system whose rules hold (repeatable)")
      ->type_name("NAME[@VERSION]");
  addRepeatable(*run, "--output", w.outputs, formatNames() + "; to standard output or a file (repeatable)")
      ->type_name("FORMAT[=FILE]");
  run->add_option("--model", a.name, "Which model of an archive that holds several")->type_name("NAME");
  run->add_flag("--allow-partial", a.allowPartial, "With --branch both: a branch that could not run is no failure");
  run->add_flag("--trace", a.trace, "Print each node with its results and its time");
  run->add_flag("-q,--quiet", a.quiet, "Only what is wrong");
  run->add_option("--color", w.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  run->footer(
      "Exit code: 0 as expected, 1 not, 2 wrong usage or inputs, 3 the model could not be run, 4 internal error.");
  return run;
}

CLI::Option *addFormat(CLI::App &app, std::string &format) {
  return app.add_option("--output", format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
}

CLI::App *addExplain(CLI::App &app, ExplainArguments &a, CheckWords &w, std::string &rule) {
  CLI::App *explain =
      app.add_subcommand("explain", "Say what a rule means and how to repair, or what a conditional comes to");
  CLI::Option *id = explain->add_option("RULE", rule, "The id of a rule, such as output-dtype");
  explain
      ->add_option("--at", a.at,
                   "The conditional at this place: what its branches yield, and of a TensorRT network which layers run "
                   "when")
      ->type_name("FILE:LINE")
      ->excludes(id);
  addRepeatable(*explain, "--target", w.targets, "With --at: the system that will run the model")
      ->type_name("NAME[@VERSION]");
  explain->add_option("-p", a.check.compileCommands, "With --at: the folder of compile_commands.json")
      ->type_name("DIR");
  explain->footer("What stands behind -- are compiler flags for C++ sources.");
  return explain;
}

CLI::App *addShow(CLI::App &app, ShowArguments &a, CheckWords &w) {
  CLI::App *show =
      app.add_subcommand("show", "Draw the conditionals of a model, both branches side by side, in a page");
  show->add_option("MODEL", a.model, "A .pt2, an .onnx, a graph .json or a C++ source")->required();
  show->add_option("--at", a.at, "Only the conditional with this path, such as main/If_0, or on this line of a file")
      ->type_name("PATH");
  show->add_option("--save", a.save,
                   "Write the page to this file (default: MODEL.html in the working folder); - is standard output")
      ->type_name("FILE");
  addRepeatable(*show, "--target", w.targets, "The system that will run the model: NAME or NAME@VERSION (repeatable)")
      ->type_name("NAME[@VERSION]");
  show->add_option("-p", a.check.compileCommands, "C++: the folder of compile_commands.json")->type_name("DIR");
  show->footer("What stands behind -- are compiler flags for C++ sources.\n"
               "Exit code: 0 drawn, 2 wrong usage or nothing to draw, 3 the model could not be read.");
  return show;
}

/// The words of the options of `compare`, before they are understood.
struct CompareWords {
  std::vector<std::string> targets;
  std::string failOn;
};

CLI::App *addCompare(CLI::App &app, CompareArguments &a, CompareWords &w) {
  CLI::App *compare = app.add_subcommand("compare", "Say what a tool made of a model's conditionals");
  compare->add_option("BEFORE", a.before, "The model as it was: a .pt2, an .onnx or a graph .json")->required();
  compare->add_option("AFTER", a.after, "The model as it is")->required();
  CLI::Option *run = compare->add_flag("--run", a.comparison.run, "Execute both on the same drawn inputs, too");
  compare->add_option("--draws", a.comparison.draws, "With --run: how often inputs are drawn (default: 4)")
      ->check(wholeNumber(1, mostDraws))
      ->type_name("N")
      ->needs(run);
  compare->add_option("--seed", a.comparison.seed, "With --run: for drawn inputs (default: 0)")
      ->check(wholeNumber(0, UINT64_MAX))
      ->type_name("N")
      ->needs(run);
  compare->add_option("--rtol", a.comparison.rtol, "With --run: relative tolerance (default: 1e-4)")
      ->type_name("R")
      ->needs(run);
  compare->add_option("--atol", a.comparison.atol, "With --run: absolute tolerance (default: 1e-5)")
      ->type_name("A")
      ->needs(run);
  addRepeatable(*compare, "--target", w.targets,
                "The system that will run the model: NAME or NAME@VERSION (repeatable)")
      ->type_name("NAME[@VERSION]");
  compare
      ->add_option("--fail-on", w.failOn,
                   "Exit with 1 from this severity on: error (the default), warning, note or never")
      ->type_name("SEVERITY");
  compare->add_flag("-q,--quiet", a.quiet, "Errors and warnings alone");
  compare->footer("Exit code: 0 nothing is wrong, 1 something is, 2 wrong usage, 3 a model could not be read or run, 4 "
                  "internal error.");
  return compare;
}

/// What the server is told is what \c check is told of each file.
CLI::App *addLsp(CLI::App &app, CheckArguments &a, CheckWords &w, bool &stdio) {
  CLI::App *lsp = app.add_subcommand("lsp", "Serve an editor (language server protocol) on standard input and output");
  addRepeatable(*lsp, "--target", w.targets, "The system that will run the model: NAME or NAME@VERSION (repeatable)")
      ->type_name("NAME[@VERSION]");
  addRepeatable(*lsp, "--select", w.select, "Only these rules")->delimiter(',')->type_name("RULE,...");
  addRepeatable(*lsp, "--ignore", w.ignore, "All but these rules")->delimiter(',')->type_name("RULE,...");
  CLI::Option *config =
      lsp->add_option("--config", a.configFile, "This configuration instead of the nearest .condlint.json")
          ->type_name("FILE");
  lsp->add_flag("--no-config", a.noConfig, "No configuration")->excludes(config);
  CLI::Option *cache =
      lsp->add_option("--cache", a.cacheFolder, "C++: keep parsed library headers in this folder")->type_name("DIR");
  lsp->add_flag("--no-cache", w.noCache, "C++: keep nothing between runs")->excludes(cache);
  lsp->add_option("-p", a.compileCommands, "C++: the folder of compile_commands.json")->type_name("DIR");
  lsp->add_flag("--stdio", stdio, "What it does anyway: some editors say it");
  lsp->footer("What stands behind -- are compiler flags for C++ sources.");
  return lsp;
}

OutputFormat formatOf(const std::string &text) { return text == "json" ? OutputFormat::Json : OutputFormat::Text; }

/// Where programs keep what they can make again; empty when there is no such place.
std::string usualCacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"); // NOLINT(concurrency-mt-unsafe): before any thread
  if (cache != nullptr && *cache == '/')
    return std::string(cache) + "/condlint";
  const char *home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe)
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/condlint" : std::string();
}

ColorChoice colorOf(const std::string &word) {
  return word == "always" ? ColorChoice::Always : word == "never" ? ColorChoice::Never : ColorChoice::Auto;
}

Expected<std::vector<Target>> targetsOf(const std::vector<std::string> &words) {
  std::vector<Target> targets;
  for (const std::string &word : words) {
    Expected<Target> target = parseTarget(word);
    if (!target)
      return Error{"", "--target", target.error().str(), ""};
    if (std::find(targets.begin(), targets.end(), *target) == targets.end())
      targets.push_back(*target);
  }
  return targets;
}

/// The rules that \p words name, or nothing when the option was not given.
Expected<std::optional<RuleSet>> ruleSet(const std::vector<std::string> &words, const std::string &option) {
  std::optional<RuleSet> rules;
  for (const std::string &word : words)
    if (const std::optional<std::string> problem = addRules(word, rules ? *rules : rules.emplace()))
      return Error{"", option, *problem, ""};
  return rules;
}

/// What \c check and \c run share: targets and outputs.
template <class Words, class Arguments> std::optional<Error> understandCommon(const Words &w, Arguments &a) {
  Expected<std::vector<Target>> targets = targetsOf(w.targets);
  if (!targets)
    return targets.error();
  a.targets = *targets;
  Expected<std::vector<OutputRequest>> outputs = parseOutputs(w.outputs);
  if (!outputs)
    return outputs.error();
  a.outputs = *outputs;
  a.color = colorOf(w.color);
  return std::nullopt;
}

/// Turns \p w into what it means. An error is a wrong command line.
std::optional<Error> understand(const CheckWords &w, CheckArguments &a) {
  if (std::optional<Error> error = understandCommon(w, a))
    return error;
  a.fix = w.fix ? FixMode::Apply : w.showFixes ? FixMode::Show : FixMode::None;
  if (w.showFixes) {
    if (w.outputs.empty())
      a.outputs.clear(); // standard output is the diff's
    for (const OutputRequest &output : a.outputs)
      if (output.toStandardOutput())
        return Error{"", "--fix-dry-run", "standard output is for the diff; give --output a file: FORMAT=FILE", ""};
  }
  if (!w.failOn.empty()) {
    Expected<Severity> failOn = parseFailOn(w.failOn);
    if (!failOn)
      return Error{"", "--fail-on", failOn.error().message, ""};
    a.failOn = *failOn;
  }
  Expected<std::optional<RuleSet>> select = ruleSet(w.select, "--select");
  Expected<std::optional<RuleSet>> ignore = ruleSet(w.ignore, "--ignore");
  if (!select || !ignore)
    return !select ? select.error() : ignore.error();
  if (!a.cacheFolder.empty())
    a.findingsFolder = a.cacheFolder + "/findings";
  if (a.cacheFolder.empty() && !w.noCache)
    a.cacheFolder = usualCacheFolder();
  a.leavesOutProved = std::ranges::none_of(a.outputs, [](const OutputRequest &o) { return o.format->tellsAll; });
  a.drawing.which = draws(a.outputs) ? DrawingLimits::Which::WithFindings : DrawingLimits::Which::None;
  a.select = *select;
  a.ignore = *ignore;
  if (!w.shard.empty()) {
    Expected<Shard> shard = parseShard(w.shard);
    if (!shard)
      return shard.error();
    a.shard = *shard;
  }
  return std::nullopt;
}

/// That the option \p name says nothing without \p other.
Error countsWith(std::string_view name, std::string_view other) {
  return {"", std::string(name), fmt::format("counts with {} alone", other),
          fmt::format("give {}, or leave it out", other)};
}

std::optional<Error> understand(const RunWords &w, RunArguments &a) {
  if (std::optional<Error> error = understandCommon(w, a))
    return error;
  a.bothBranches = w.branch == "both";
  for (const auto &[name, given] : {std::pair("--draws", w.draws.has_value()),
                                    {"--target", !w.targets.empty()},
                                    {"--allow-partial", a.allowPartial}})
    if (given && !a.bothBranches)
      return countsWith(name, "--branch both");
  a.draws = w.draws.value_or(a.draws);
  if (!w.memory.empty()) {
    const auto bytes = parseBytes(w.memory);
    if (!bytes)
      return Error{"", "--memory-limit", "'" + w.memory + "' is no size, such as 800M or 2G", ""};
    a.memoryLimit = *bytes;
  }
  for (const auto &[name, number] :
       {std::pair("--rtol", a.rtol.value_or(0)), {"--atol", a.atol.value_or(0)}, {"--time-limit", a.timeLimit}})
    if (!(number >= 0)) // nor is it no number
      return Error{"", name, "must not be negative", ""};
  return std::nullopt;
}

/// "it is one of 'condlint run' and 'condlint check'", where other commands than \p command know the option \p word.
std::string ownersOf(const std::string &word, const CLI::App &command) {
  const CLI::App &root = command.get_parent() == nullptr ? command : *command.get_parent();
  std::string owners;
  for (const CLI::App *other : root.get_subcommands([](const CLI::App *) { return true; }))
    if (other != &command && other->get_option_no_throw(word) != nullptr)
      owners += fmt::format("{}'condlint {}'", owners.empty() ? "" : " and ", other->get_name());
  return owners.empty() ? "" : ": it is one of " + owners;
}

/// The first option that \p command was given and does not know, and which one may be meant.
std::optional<Error> unknownOption(const CLI::App &command) {
  const std::vector<std::string> left = command.remaining();
  const auto at = std::ranges::find_if(left, [](const std::string &word) { return word.starts_with('-'); });
  if (at == left.end())
    return std::nullopt;
  std::vector<std::string> known;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      known.push_back("--" + name);
  const std::string word = at->substr(0, at->find('='));
  const std::string_view nearest = nearestName(word, std::vector<std::string_view>(known.begin(), known.end()));
  std::string meant = ownersOf(word, command);
  if (meant.empty() && !nearest.empty())
    meant = fmt::format(": did you mean '{}'?", nearest);
  const std::string owner = command.get_parent() == nullptr ? "" : ' ' + command.get_name();
  return Error{"", "", fmt::format("unknown option '{}'{} ('condlint{} --help' lists all)", word, meant, owner), ""};
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, word) != all.end();
}

/// The commands, their options and what the user gave of them.
class CommandLine {
public:
  CommandLine(int argc, const char *const *argv);
  int run();

private:
  void understandHelp();
  std::optional<Error> unknownCommand() const;
  std::optional<int> parse();
  int runExplainOrAt();
  int runComparison();
  void readAsChecked(CheckArguments &other) const;

  /// Says what is wrong with the command line.
  static int refuse(const Error &e) {
    complain(e.str());
    return Usage;
  }

  std::span<const char *const> words;  ///< without the compiler's flags
  std::vector<const char *> reordered; ///< the words of `help COMMAND` as those of `COMMAND --help`
  CLI::App app;
  CheckArguments check;
  CheckWords checkWords;
  RunArguments runArguments;
  RunWords runWords;
  MergeArguments merge;
  std::vector<std::string> mergeOutputs;
  std::string mergeColor = "auto";
  DumpArguments dump;
  ExplainArguments explain;
  ShowArguments show;
  CompareArguments compare;
  CompareWords compareWords;
  std::string format = "text", rule;
  CLI::App *compareCommand, *checkCommand, *mergeCommand, *runCommand, *dumpCommand, *explainCommand, *showCommand,
      *rulesCommand, *targetsCommand, *tidyCommand, *lspCommand;
  bool stdio = false;
};

CommandLine::CommandLine(int argc, const char *const *argv)
    : words(argv, static_cast<std::size_t>(argc)),
      app("Finds conditionals whose two branches do not fit together, in PyTorch (.pt2) and ONNX models and in "
          "C++ sources.",
          "condlint") {
  // As in every tool that takes C++: what follows -- goes to the compiler.
  if (words.size() > 1 && isOneOf(words[1], {"check", "explain", "show", "lsp"})) {
    const auto flags = std::ranges::find(words, std::string_view("--"));
    check.hasCompilerFlags = flags != words.end();
    if (check.hasCompilerFlags)
      check.compilerFlags.assign(flags + 1, words.end());
    words = {words.begin(), flags};
  }
  app.require_subcommand(1);
  app.failure_message([](const CLI::App *, const CLI::Error &e) {
    return std::string("condlint: ") + e.what() + "\nRun with --help for more information.\n";
  });
  app.set_version_flag("--version", [] { return versionText(); }, "Print the version and what this condlint knows");
  checkCommand = addCheck(app, check, checkWords);
  mergeCommand = addMerge(app, merge, mergeOutputs, mergeColor);
  runCommand = addRun(app, runArguments, runWords);
  dumpCommand = app.add_subcommand("dump", "Print the graphs of a model, as text or as graph JSON");
  dumpCommand->add_option("MODEL", dump.input, "A .pt2, an .onnx or a graph .json; - reads standard input")->required();
  dumpCommand->add_option("--model", dump.model, "Which model of an archive that holds several")->type_name("NAME");
  dumpCommand->add_flag("--infer", dump.inferred, "Type the values first, and show what the operators yield");
  explainCommand = addExplain(app, explain, checkWords, rule);
  showCommand = addShow(app, show, checkWords);
  compareCommand = addCompare(app, compare, compareWords);
  lspCommand = addLsp(app, check, checkWords, stdio);
  for (CLI::App *command : {checkCommand, runCommand, explainCommand, showCommand, lspCommand})
    refuseEmptyNames(*command);
  rulesCommand = app.add_subcommand("rules", "List the rules and their severities");
  targetsCommand = app.add_subcommand("targets", "List the systems whose rules are known");
  tidyCommand = app.add_subcommand("tidy-plugin", "Print where the checks of clang-tidy are, for its option -load");
  for (CLI::App *command : {dumpCommand, explainCommand, rulesCommand, targetsCommand, compareCommand})
    addFormat(*command, format);
}

/// That the first word is the name of no command, and which one may be meant.
std::optional<Error> CommandLine::unknownCommand() const {
  if (words.size() < 2 || *words[1] == '-')
    return std::nullopt;
  std::vector<std::string_view> known;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    known.push_back(command->get_name());
  if (std::ranges::find(known, words[1]) != known.end())
    return std::nullopt;
  return Error{"", "", unknownWord("command", words[1], known), ""};
}

/// The exit code when the command line itself ends the program (help, version,
/// a mistake); nothing when a command is to run.
std::optional<int> CommandLine::parse() {
  try {
    app.parse(static_cast<int>(words.size()), words.data());
    return std::nullopt;
  } catch (const CLI::ParseError &e) {
    // What follows from an option that is misspelt, such as an input that is missing, is no mistake of its own.
    std::vector<const CLI::App *> given{&app};
    std::ranges::copy(app.get_subcommands(), std::back_inserter(given));
    for (const CLI::App *command : given)
      if (const std::optional<Error> unknown = unknownOption(*command); unknown && e.get_exit_code() != 0)
        return refuse(*unknown);
    return app.exit(e) == 0 ? Clean : Usage;
  }
}

/// `condlint help` and `condlint help COMMAND` are what `--help` is.
void CommandLine::understandHelp() {
  constexpr std::string_view help = "help";
  if (words.size() < 2 || words.size() > 3 || words[1] != help)
    return;
  reordered = {words[0]};
  if (words.size() == 3)
    reordered.push_back(words[2]);
  reordered.push_back("--help");
  words = reordered;
}

int CommandLine::run() {
  understandHelp();
  if (const std::optional<Error> unknown = unknownCommand())
    return refuse(*unknown);
  if (const std::optional<int> end = parse())
    return *end;
  if (*runCommand) {
    if (const std::optional<Error> error = understand(runWords, runArguments))
      return refuse(*error);
    return runModel(runArguments);
  }
  if (*mergeCommand) {
    Expected<std::vector<OutputRequest>> outputs = parseOutputs(mergeOutputs);
    if (!outputs)
      return refuse(outputs.error());
    merge.outputs = *outputs;
    merge.color = colorOf(mergeColor);
    return runMerge(merge);
  }
  if (*dumpCommand) {
    dump.format = formatOf(format);
    return runDump(dump);
  }
  if (*compareCommand)
    return runComparison();
  if (*rulesCommand)
    return runRules(formatOf(format));
  if (*targetsCommand)
    return runTargets(formatOf(format));
  if (*tidyCommand)
    return runTidyPlugin();
  if (*explainCommand)
    return runExplainOrAt();
  if (const std::optional<Error> error = understand(checkWords, check))
    return refuse(*error);
  if (*showCommand) {
    readAsChecked(show.check);
    return runShow(std::move(show));
  }
  if (*lspCommand)
    return runLsp(check);
  return runCheck(check);
}

int CommandLine::runComparison() {
  const Expected<std::vector<Target>> targets = targetsOf(compareWords.targets);
  if (!targets)
    return refuse(targets.error());
  compare.comparison.targets = *targets;
  if (!compareWords.failOn.empty()) {
    const Expected<Severity> failOn = parseFailOn(compareWords.failOn);
    if (!failOn)
      return refuse(Error{"", "--fail-on", failOn.error().message, ""});
    compare.failOn = *failOn;
  }
  for (const auto &[name, number] : {std::pair("--rtol", compare.comparison.rtol), {"--atol", compare.comparison.atol}})
    if (!(number >= 0)) // nor is it no number
      return refuse(Error{"", name, "must not be negative", ""});
  compare.format = formatOf(format);
  return runCompare(compare);
}

/// What the words that commands share say of how an input is read.
void CommandLine::readAsChecked(CheckArguments &other) const {
  other.targets = check.targets;
  other.cacheFolder = check.cacheFolder;
  other.hasCompilerFlags = check.hasCompilerFlags;
  other.compilerFlags = check.compilerFlags;
}

/// The page of a rule, or the conditional at a place.
int CommandLine::runExplainOrAt() {
  if (explain.at.empty() && rule.empty())
    return refuse(Error{"", "", "explain: RULE or --at FILE:LINE is required", ""});
  if (explain.at.empty()) {
    for (const auto &[name, given] : {std::pair("--target", !checkWords.targets.empty()),
                                      {"-p", !explain.check.compileCommands.empty()},
                                      {"--", check.hasCompilerFlags}})
      if (given)
        return refuse(countsWith(name, "--at"));
    return runExplain(rule, formatOf(format));
  }
  if (const std::optional<Error> error = understand(checkWords, check))
    return refuse(*error);
  explain.format = formatOf(format);
  readAsChecked(explain.check);
  return runExplainAt(std::move(explain));
}

} // namespace

int runCommandLine(int argc, const char *const *argv) { return CommandLine(argc, argv).run(); }

} // namespace condlint
