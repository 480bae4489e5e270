//===- CommandLine.cpp - From the arguments to a command ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "CommandOptions.h"
#include "Commands.h"
#include "ExitCode.h"
#include "Shards.h"
#include "config/RuleWords.h"
#include "config/UnknownWord.h"
#include "graph/Spelling.h"
#include "lsp/LspCommand.h"
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace condlint {

namespace {

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
