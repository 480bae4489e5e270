//===- ReportSamples.h - Reports for the tests ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_REPORTSAMPLES_H
#define CONDLINT_TESTS_REPORTSAMPLES_H

#include "condlint/Report.h"

namespace condlint::test {

inline Finding finding(std::string rule, std::string target, std::string graphPath = "main/If_0/then_branch/Cast_1") {
  Finding f;
  f.rule = std::move(rule);
  f.target = std::move(target);
  f.message = "the branches return different dtypes: float32 from 'then_branch', int64 from 'else_branch'";
  f.conditional = "main/If_0";
  f.graphPath = std::move(graphPath);
  return f;
}

inline ConditionalSummary conditional(std::string path, std::string target) {
  ConditionalSummary c;
  c.path = std::move(path);
  c.target = std::move(target);
  c.predicateKind = "tensor";
  c.predicate = {"tensor", "bool", true, {}};
  c.operands = {{"tensor", "float32", true, {"s0", "4", "?"}}};
  c.branches = {{"then_branch", {{"tensor", "float32", true, {"s0", "4"}}}},
                {"else_branch", {{"tensor", "unknown", false, {}}}}};
  c.verdicts = {{"output-dtype", Verdict::Proved}};
  return c;
}

inline InputReport input(std::string path) {
  InputReport i;
  i.path = std::move(path);
  i.kind = "onnx";
  i.targets = {"onnx"};
  return i;
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_REPORTSAMPLES_H
