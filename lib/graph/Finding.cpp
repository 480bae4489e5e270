//===- Finding.cpp - How severities and verdicts are spelt ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Finding.h"

namespace condlint {

std::string_view severityName(Severity s) {
  switch (s) {
  case Severity::Off:
    return "off";
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "off";
}

std::optional<Severity> severityByName(std::string_view name) {
  for (Severity s : {Severity::Off, Severity::Note, Severity::Warning, Severity::Error})
    if (severityName(s) == name)
      return s;
  return std::nullopt;
}

std::string_view verdictName(Verdict v) {
  switch (v) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Unknown:
    return "unknown";
  case Verdict::Possible:
    return "possible";
  case Verdict::Violated:
    return "violated";
  }
  return "unknown";
}

} // namespace condlint
