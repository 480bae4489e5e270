//===- ReportedFinding.h - A finding and what it rests on -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_REPORTEDFINDING_H
#define CONDLINT_CHECKS_ENGINE_REPORTEDFINDING_H

#include "condlint/Finding.h"
#include "condlint/Graph.h"

namespace condlint {

/// What a rule reported, with what is asked of it until all rules have answered.
struct ReportedFinding {
  NodeId conditional;   ///< the conditional that it is about
  NodeId loop;          ///< likewise, of a network, the loop
  GraphId graph;        ///< the graph where it is
  LocationId place;     ///< of the node where it is
  bool absence = false; ///< see `Draft`, likewise the next two
  bool idle = false;
  bool followsNull = false;
  Finding finding;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_REPORTEDFINDING_H
