//===- Fingerprint.h - What a finding is known by again ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_FINGERPRINT_H
#define CONDLINT_REPORT_FINGERPRINT_H

#include "condlint/Report.h"
#include <filesystem>
#include <string>
#include <string_view>

namespace condlint {

/// The path that fingerprints hold: the same however the user spelled it, and the same on
/// every machine as long as the input lies below the working folder \p here.
std::string normalisedPath(const std::string &path, const std::filesystem::path &here);

/// The path that the fingerprint of \p f, a finding of \p input, holds: of what stands in a header that of the header,
/// whichever sources include it.
std::string pathOf(const Finding &f, const InputReport &input, const std::filesystem::path &here);

/// The system of \p target: versions come and go.
std::string_view systemOf(std::string_view target);

/// Stable over versions of the target and over sizes and lines that drift; \p occurrence tells
/// those apart that are alike in all that counts.
std::string fingerprintOf(const Finding &f, const std::string &path, std::size_t occurrence);

/// Stable over what an export anew changes besides: names of nodes and values, and their numbers. \p outputs is what
/// \c outputsOf says of the finding's conditional.
std::string likenessOf(const Finding &f, const std::string &path, std::string_view outputs);

/// Kinds, dtypes and ranks of what the branches of \p c yield: tells most conditionals of a model apart.
std::string outputsOf(const ConditionalSummary &c);

} // namespace condlint

#endif // CONDLINT_REPORT_FINGERPRINT_H
