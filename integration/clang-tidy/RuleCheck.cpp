//===- RuleCheck.cpp - One rule as a check of clang-tidy ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleCheck.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <set>

namespace condlint::tidy {

namespace {

using clang::DiagnosticIDs;

/// The place in the files that were parsed; none where \p l names no such file.
clang::SourceLocation placeOf(const clang::SourceManager &sm, const SourceLocation &l) {
  if (!l.valid())
    return {};
  const clang::OptionalFileEntryRef file = sm.getFileManager().getOptionalFileRef(l.path);
  return file ? sm.translateFileLineCol(&file->getFileEntry(), l.line, std::max(l.column, 1U))
              : clang::SourceLocation();
}

/// All edits of \p fix, or nothing where one has no place.
std::vector<clang::FixItHint> hintsOf(const clang::SourceManager &sm, const Fix &fix) {
  std::vector<clang::FixItHint> hints;
  for (const Edit &edit : fix.edits) {
    SourceLocation last = edit.at;
    last.line = edit.at.endLine;
    last.column = edit.at.endColumn;
    const clang::SourceLocation begin = placeOf(sm, edit.at);
    const clang::SourceLocation end = placeOf(sm, last);
    if (begin.isInvalid() || end.isInvalid())
      return {};
    hints.push_back(clang::FixItHint::CreateReplacement(clang::CharSourceRange::getCharRange(begin, end), edit.text));
  }
  return hints;
}

} // namespace

RuleCheck::RuleCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, std::string_view rule)
    : ClangTidyCheck(name, context), run(context), id(rule), shared(UnitFindings::of(context)) {
  settings.target = option("Target");
  settings.condFunctions = option("CondFunctions");
}

/// The option of this check, or of all ("condlint-*.Target").
std::string RuleCheck::option(const char *name) {
  const OptionsView all("condlint-*", run->getOptions().CheckOptions, run);
  return Options.get(name).value_or(all.get(name, "")).str();
}

void RuleCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) {
  Options.store(options, "Target", settings.target);
  Options.store(options, "CondFunctions", settings.condFunctions);
}

void RuleCheck::registerPPCallbacks(const clang::SourceManager &, clang::Preprocessor *pp, clang::Preprocessor *) {
  preprocessor = pp;
  shared->watch(pp->getDiagnostics());
}

void RuleCheck::registerMatchers(clang::ast_matchers::MatchFinder *finder) {
  finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
}

void RuleCheck::check(const clang::ast_matchers::MatchFinder::MatchResult &result) {
  const Outcome &outcome = shared->find(*result.Context, preprocessor, getCurrentMainFile().str(),
                                        run->getCurrentBuildDirectory(), settings);
  if (!outcome.problem.empty() && shared->isNews(outcome.problem))
    configurationDiag("condlint: %0") << outcome.problem;
  // Several targets say the same of one place.
  std::set<std::pair<std::string, std::string_view>> said;
  for (const Finding &f : outcome.findings)
    if (f.rule == id && said.emplace(f.location.str(), f.message).second)
      report(f, *result.SourceManager);
}

void RuleCheck::report(const Finding &f, const clang::SourceManager &sm) {
  const clang::SourceLocation at = placeOf(sm, f.location);
  {
    // It is said when the builder goes.
    const clang::DiagnosticBuilder builder =
        diag(at, "%0", f.severity == Severity::Note ? DiagnosticIDs::Remark : DiagnosticIDs::Warning) << f.message;
    const auto fix = std::ranges::find_if(f.fixes, [](const Fix &each) { return !each.edits.empty(); });
    for (const clang::FixItHint &hint : fix == f.fixes.end() ? std::vector<clang::FixItHint>() : hintsOf(sm, *fix))
      builder << hint;
  }
  for (const Related &r : f.related) {
    const clang::SourceLocation place = placeOf(sm, r.location);
    diag(place.isValid() ? place : at, "%0", DiagnosticIDs::Note) << r.message;
  }
  if (!f.witness.empty()) {
    std::string text;
    for (const auto &[name, value] : f.witness)
      text += (text.empty() ? "for example: " : ", ") + name + " = " + std::to_string(value);
    diag(at, "%0", DiagnosticIDs::Note) << text;
  }
  if (!f.help.empty())
    diag(at, "%0", DiagnosticIDs::Note) << f.help;
}

} // namespace condlint::tidy
