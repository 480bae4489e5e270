//===- RuleCheck.h - One rule as a check of clang-tidy ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_INTEGRATION_CLANGTIDY_RULECHECK_H
#define CONDLINT_INTEGRATION_CLANGTIDY_RULECHECK_H

#include "UnitFindings.h"
#include <clang-tidy/ClangTidyCheck.h>

namespace condlint::tidy {

/// Gives clang-tidy the findings of one rule. Notes carry the other places, the
/// other branch among them; a finding of severity note is a remark, and an error
/// is a warning, as of every check (WarningsAsErrors makes it one): clang-tidy's
/// own errors cannot be suppressed.
class RuleCheck : public clang::tidy::ClangTidyCheck {
public:
  RuleCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, std::string_view rule);

  bool isLanguageVersionSupported(const clang::LangOptions &language) const override { return language.CPlusPlus; }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) override;
  void registerPPCallbacks(const clang::SourceManager &sm, clang::Preprocessor *pp,
                           clang::Preprocessor *expander) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *finder) override;
  void onStartOfTranslationUnit() override { shared->beginUnit(); }
  void check(const clang::ast_matchers::MatchFinder::MatchResult &result) override;

private:
  std::string option(const char *name);
  void report(const Finding &f, const clang::SourceManager &sm);

  clang::tidy::ClangTidyContext *run;
  clang::Preprocessor *preprocessor = nullptr;
  std::string_view id;
  std::shared_ptr<UnitFindings> shared;
  CheckOptions settings;
};

} // namespace condlint::tidy

#endif // CONDLINT_INTEGRATION_CLANGTIDY_RULECHECK_H
