//===- UnitFindings.h - What condlint finds in a source ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks of one run share one analysis: the source is read into graphs once,
// and each check picks the findings of its rule.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_INTEGRATION_CLANGTIDY_UNITFINDINGS_H
#define CONDLINT_INTEGRATION_CLANGTIDY_UNITFINDINGS_H

#include "condlint/Finding.h"
#include "condlint/Target.h"
#include "cxx/CxxReader.h"
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class DiagnosticConsumer;
class DiagnosticsEngine;
class Preprocessor;
} // namespace clang

namespace condlint::cxx {
class ErrorCollector;
} // namespace condlint::cxx

namespace condlint::tidy {

/// What the options of a check say, as they are written.
struct CheckOptions {
  std::string target;        ///< "torch@2.13, aoti"; empty: what the configuration or the source says
  std::string condFunctions; ///< as in .condlint.json; empty: those of the configuration
  friend bool operator<(const CheckOptions &a, const CheckOptions &b) {
    return std::tie(a.target, a.condFunctions) < std::tie(b.target, b.condFunctions);
  }
};

/// What came out for one set of options.
struct Outcome {
  std::vector<Finding> findings;
  /// Why the options, the configuration or the source are not as they should be.
  std::string problem;
};

class UnitFindings {
public:
  /// The one that all checks of \p run share; it lives as long as one of them.
  static std::shared_ptr<UnitFindings> of(const void *run);

  /// Learns where the errors are that the compiler tells \p diagnostics from here on: of
  /// a body that did not parse wholly nothing is said.
  void watch(clang::DiagnosticsEngine &diagnostics);
  /// Forgets the source before.
  void beginUnit() { outcomes.clear(); }
  /// The findings in the source that \p ast is of, which is called \p file and
  /// compiled in \p folder. Analysed once for each set of options. Never throws.
  const Outcome &find(clang::ASTContext &ast, clang::Preprocessor *preprocessor, const std::string &file,
                      const std::string &folder, const CheckOptions &options);
  /// True the first time that somebody wants to say \p problem.
  bool isNews(const std::string &problem) { return told.insert(problem).second; }

private:
  std::map<CheckOptions, Outcome> outcomes;
  const cxx::ErrorCollector *errors = nullptr;         ///< lives as long as the compiler's diagnostics
  const clang::DiagnosticConsumer *watching = nullptr; ///< who gives them to it
  std::set<std::string> told;
};

} // namespace condlint::tidy

#endif // CONDLINT_INTEGRATION_CLANGTIDY_UNITFINDINGS_H
