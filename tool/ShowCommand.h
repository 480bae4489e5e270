//===- ShowCommand.h - condlint show ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_SHOWCOMMAND_H
#define CONDLINT_TOOL_SHOWCOMMAND_H

#include "CheckCommand.h"
#include <string>

namespace condlint {

/// `condlint show MODEL`: a page with a picture of each conditional, whether or not
/// something is wrong with it.
struct ShowArguments {
  std::string model;
  std::string at;       ///< the path of a conditional or of what is in it, or FILE:LINE; empty: all
  std::string save;     ///< "-": standard output; empty: beside nothing, in the working folder
  CheckArguments check; ///< how the model is read
};

/// Writes the page and names it. A place where there is no conditional is a wrong
/// command line, and so is a model without any.
int runShow(ShowArguments arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_SHOWCOMMAND_H
