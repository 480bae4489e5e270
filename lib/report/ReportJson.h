//===- ReportJson.h - The parts of the JSON report --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in docs/report.schema.json: the report of one object and the
// one of a record a line are made of the same parts.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_REPORTJSON_H
#define CONDLINT_LIB_REPORT_REPORTJSON_H

#include "Tally.h"
#include "condlint/Report.h"
#include "condlint/ReportFormat.h"
#include <nlohmann/json.hpp>

namespace condlint {

using Json = nlohmann::ordered_json;

/// An object each, as text on one line: there are as many as there are inputs, conditionals and findings.
std::string conditionalJson(const InputReport &input, const ConditionalSummary &c);
std::string findingJson(const InputReport &input, const Finding &f);
std::string inputJson(const InputReport &input);
Json summaryJson(const ReportTotals &totals, const RunEnd &run);

/// \p json on one line. Names come from the file: bytes that are not UTF-8 are replaced, so that
/// it is sound JSON whatever the model holds.
std::string textOf(const Json &json);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_REPORTJSON_H
