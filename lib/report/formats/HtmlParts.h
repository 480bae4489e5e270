//===- HtmlParts.h - What the page in HTML is made of -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_FORMATS_HTMLPARTS_H
#define CONDLINT_LIB_REPORT_FORMATS_HTMLPARTS_H

#include "condlint/Drawing.h"
#include "condlint/ReportFormat.h"
#include "report/Groups.h"
#include "report/SourceText.h"
#include <string>
#include <string_view>
#include <vector>

namespace condlint::html {

/// The style of the page: light and dark, on screen and on paper.
std::string_view style();
/// The few lines that filter the table. The page says their hash and admits no other script.
std::string_view script();
std::string_view scriptHash(); ///< SHA-256, in base 64

/// One conditional with what was found of it, as a section of the page.
struct ConditionalPart {
  const InputReport *input = nullptr;
  std::string path;
  std::string id;                              ///< of the section
  const ConditionalSummary *summary = nullptr; ///< may be null
  const Drawing *drawing = nullptr;            ///< may be null
  std::vector<FindingGroup> findings;
};

/// The section. Of branches of which the picture shows a part the whole is drawn too where it takes no more than
/// \p wholeBytes, of which what was used is taken.
std::string conditionalSection(const ConditionalPart &part, const RenderOptions &options, SourceText &sources,
                               std::size_t &wholeBytes);

} // namespace condlint::html

#endif // CONDLINT_LIB_REPORT_FORMATS_HTMLPARTS_H
