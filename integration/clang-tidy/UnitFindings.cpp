//===- UnitFindings.cpp - What condlint finds in a source -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnitFindings.h"
#include "config/CheckModels.h"
#include "config/Config.h"
#include "cxx/driver/Diagnostics.h"
#include "cxx/driver/ReadUnit.h"
#include "report/Suppression.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/Stack.h>
#include <clang/Frontend/ChainedDiagnosticConsumer.h>
#include <exception>
#include <filesystem>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/thread.h>

namespace condlint::tidy {

namespace {

namespace fs = std::filesystem;

/// The command line of clang-tidy wins, then the configuration of the source's folder.
struct Settings {
  std::vector<Target> targets;
  RuleOptions rules;
  CxxSettings cxx;
};

Expected<Settings> settingsFor(const CheckOptions &options, const std::string &file) {
  static ConfigFinder finder; // clang-tidy has one thread
  Expected<std::shared_ptr<const Config>> config = finder.forInput(file);
  if (!config)
    return config.error();
  Settings settings;
  if (const Config *c = config->get()) {
    settings.targets = c->targets.value_or(std::vector<Target>());
    settings.rules = c->rules();
    settings.cxx.condFunctions = c->condFunctions;
  }
  if (!options.condFunctions.empty()) {
    Expected<Config> own =
        parseConfig("{\"condFunctions\": " + options.condFunctions + "}", "the option CondFunctions");
    if (!own)
      return own.error();
    settings.cxx.condFunctions = own->condFunctions;
  }
  std::vector<Target> targets;
  for (llvm::StringRef word : llvm::split(options.target, ',')) {
    if (word.trim().empty())
      continue;
    Expected<Target> target = parseTarget(std::string_view(word.trim()));
    if (!target)
      return Error{"the option Target", "", target.error().str(), ""};
    targets.push_back(*target);
  }
  if (!targets.empty())
    settings.targets = std::move(targets);
  return settings;
}

Outcome analyse(clang::ASTContext &ast, clang::Preprocessor *preprocessor, const std::string &file,
                const std::string &folder, const CheckOptions &options, const cxx::ErrorPlaces &errors) {
  Outcome outcome;
  std::error_code error;
  const std::string path =
      (fs::path(folder.empty() ? fs::current_path(error).string() : folder) / file).lexically_normal().string();
  Expected<Settings> settings = settingsFor(options, path);
  if (!settings) {
    outcome.problem = settings.error().str();
    return outcome;
  }
  outcome.problem = unreadTargets(settings->targets);
  chooseReadings(settings->targets, settings->cxx);
  const cxx::ProjectFiles project(path, folder, "");
  cxx::SourceOptions source = cxx::sourceOptions(settings->cxx, project);
  source.errors = errors;
  CxxUnit unit;
  const cxx::ProjectScope scope(ast, source);
  cxx::readUnit(ast, preprocessor, path, settings->cxx, source, unit);
  InputReport report;
  report.path = file;
  checkModels(unit.models, settings->targets, settings->rules, report);
  suppressMarked(report, Comments::Allow); // clang-tidy knows its own
  outcome.findings = std::move(report.findings);
  return outcome;
}

} // namespace

std::shared_ptr<UnitFindings> UnitFindings::of(const void *run) {
  static std::map<const void *, std::weak_ptr<UnitFindings>> runs;
  std::erase_if(runs, [](const auto &entry) { return entry.second.expired(); });
  std::shared_ptr<UnitFindings> found = runs[run].lock();
  if (!found) {
    found = std::make_shared<UnitFindings>();
    runs[run] = found;
  }
  return found;
}

void UnitFindings::watch(clang::DiagnosticsEngine &diagnostics) {
  if (watching == diagnostics.getClient())
    return; // each check asks
  auto collector = std::make_unique<cxx::ErrorCollector>();
  errors = collector.get();
  clang::DiagnosticConsumer *const before = diagnostics.getClient();
  std::unique_ptr<clang::DiagnosticConsumer> owned = diagnostics.takeClient();
  auto both = owned ? std::make_unique<clang::ChainedDiagnosticConsumer>(std::move(owned), std::move(collector))
                    : std::make_unique<clang::ChainedDiagnosticConsumer>(before, std::move(collector));
  watching = both.get();
  diagnostics.setClient(both.release());
}

const Outcome &UnitFindings::find(clang::ASTContext &ast, clang::Preprocessor *preprocessor, const std::string &file,
                                  const std::string &folder, const CheckOptions &options) {
  const auto [entry, isNew] = outcomes.try_emplace(options);
  Outcome &outcome = entry->second;
  if (!isNew)
    return outcome;
  // Deeply nested code takes much stack. The memory is only used where it is needed.
  constexpr unsigned stackSize = 64U << 20U;
  llvm::thread worker(std::optional<unsigned>(stackSize), [&] {
    clang::noteBottomOfStack();
    try {
      const bool watched = watching == ast.getDiagnostics().getClient();
      outcome = analyse(ast, preprocessor, file, folder, options, watched ? errors->places : cxx::ErrorPlaces());
    } catch (const std::bad_alloc &) {
      outcome.problem = "there is not enough memory to analyse " + file;
    } catch (const std::exception &e) {
      outcome.problem = std::string("internal error: ") + e.what();
    }
  });
  worker.join();
  return outcome;
}

} // namespace condlint::tidy
