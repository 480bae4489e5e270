//===- CheckModels.h - From models to their part of the report --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the program and the clang-tidy plugin share: the same models come to the
// same findings, in the same words.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONFIG_CHECKMODELS_H
#define CONDLINT_CONFIG_CHECKMODELS_H

#include "condlint/Report.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include "cxx/CxxReader.h"
#include <string>
#include <vector>

namespace condlint {

/// Checks \p model for \p targets and appends what comes out. \p prefix tells
/// the models of an archive apart.
void checkModel(Model &model, const std::vector<Target> &targets, const RuleOptions &rules, const std::string &prefix,
                InputReport &report);

/// Whether the rules of \p target can say something about C++ that \p reader read.
bool fits(FrontEnd reader, const Target &target);

/// Whether C++ sources are read for \p target.
bool isReadInSource(const Target &target);

/// That no C++ is read yet for some of \p targets; empty when it is for all.
std::string unreadTargets(const std::vector<Target> &targets);

/// Sets what has to be read in a C++ source for \p targets.
void chooseReadings(const std::vector<Target> &targets, CxxSettings &settings);

/// The same for the models of a C++ source, each for those of \p targets that fit
/// (for its own when there are none). A model is empty afterwards.
void checkModels(std::vector<Model> &models, const std::vector<Target> &targets, const RuleOptions &rules,
                 InputReport &report);

} // namespace condlint

#endif // CONDLINT_CONFIG_CHECKMODELS_H
