//===- MeasuredVersions.h - Whose rules hold for a version ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_MEASUREDVERSIONS_H
#define CONDLINT_LIB_GRAPH_MEASUREDVERSIONS_H

#include "condlint/Target.h"

namespace condlint {

/// The version whose rules are taken for \p t: of a system of which single versions were measured the next one that was
/// after the version asked for, or the newest; of a major version alone the newest of that one. `versionCaution` tells
/// where it is another than the one asked for. Of other systems each version has rules of its own.
Version measuredVersion(const Target &t);

} // namespace condlint

#endif // CONDLINT_LIB_GRAPH_MEASUREDVERSIONS_H
