//===- ExplainCommand.h - condlint explain --at ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_EXPLAINCOMMAND_H
#define CONDLINT_TOOL_EXPLAINCOMMAND_H

#include "CheckCommand.h"

namespace condlint {

/// `condlint explain --at FILE:LINE`: what condlint understands of the conditionals at
/// one place.
struct ExplainArguments {
  std::string at;
  CheckArguments check; ///< how the file is read
  OutputFormat format = OutputFormat::Text;
};

/// Prints each conditional that stands on the line, has a layer there or is found fault
/// with there. A place where there is none is a wrong command line; the message names
/// the nearest ones.
int runExplainAt(ExplainArguments arguments);

} // namespace condlint

#endif // CONDLINT_TOOL_EXPLAINCOMMAND_H
