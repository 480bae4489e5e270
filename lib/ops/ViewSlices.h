//===- ViewSlices.h - Parts of the family of views ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_VIEWSLICES_H
#define CONDLINT_LIB_OPS_VIEWSLICES_H

#include "OpTable.h"

namespace condlint {

/// Operators that take a part of a tensor, or all its parts.
std::span<const OpRow> sliceRows();

} // namespace condlint

#endif // CONDLINT_LIB_OPS_VIEWSLICES_H
