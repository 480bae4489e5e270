//===- UnitReader.h - One C++ source to its models --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_UNITREADER_H
#define CONDLINT_CXX_DRIVER_UNITREADER_H

#include "cxx/CxxReader.h"

namespace condlint::cxx {

/// The reader behind the module's door; it lives as long as the program.
CxxReader &unitReader();

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_UNITREADER_H
