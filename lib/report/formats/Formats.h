//===- Formats.h - What each format's file defines --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_FORMATS_FORMATS_H
#define CONDLINT_LIB_REPORT_FORMATS_FORMATS_H

#include "condlint/ReportFormat.h"

/// One function a format; the table is in Formats.cpp.
namespace condlint::formats {

std::string sarif(const Report &r, const RenderOptions &options);
std::string gitlab(const Report &r, const RenderOptions &options);
std::string rdjson(const Report &r, const RenderOptions &options);
std::string github(const Report &r, const RenderOptions &options);
std::string junit(const Report &r, const RenderOptions &options);
std::string ndjson(const Report &r, const RenderOptions &options);
std::string html(const Report &r, const RenderOptions &options);

std::unique_ptr<ReportStream> openText(const RenderOptions &options);
std::unique_ptr<ReportStream> openNdjson(const RenderOptions &options);

/// What \p stream makes of all of \p r.
std::string streamed(std::unique_ptr<ReportStream> stream, const Report &r);

} // namespace condlint::formats

#endif // CONDLINT_LIB_REPORT_FORMATS_FORMATS_H
