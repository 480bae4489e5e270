//===- CommandOptions.cpp - Which options each command has ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CommandOptions.h"
#include "Output.h"
#include <charconv>
#include <fmt/format.h>

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

/// Adds an option that takes one value each time it is given, so that the
/// inputs behind it stay inputs.
CLI::Option *addRepeatable(CLI::App &app, const std::string &names, std::vector<std::string> &into,
                           const std::string &help) {
  return app.add_option(names, into, help)->allow_extra_args(false);
}

} // namespace

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

} // namespace condlint
