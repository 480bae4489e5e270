//===- Module.cpp - condlint's rules as checks of clang-tidy --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleCheck.h"
#include "condlint/Rule.h"
#include <clang-tidy/ClangTidyModule.h>

namespace condlint::tidy {
namespace {

/// One check for each rule of the table that is decided on C++ source.
class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &factories) override {
    for (const RuleInfo &rule : rules())
      if (!rule.source.empty())
        factories.registerCheckFactory("condlint-" + std::string(rule.id),
                                       [id = rule.id](llvm::StringRef name, clang::tidy::ClangTidyContext *context) {
                                         return std::make_unique<RuleCheck>(name, context, id);
                                       });
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<Module>
    registration("condlint-module", "Conditionals whose branches do not fit together.");

} // namespace
} // namespace condlint::tidy
