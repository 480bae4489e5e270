//===- Module.cpp - The module's door -------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cxx/driver/UnitReader.h"

extern "C" {

__attribute__((visibility("default"))) const char *condlintCxxModuleVersion() { return CONDLINT_VERSION; }

__attribute__((visibility("default"))) condlint::CxxReader *condlintCxxReader() { return &condlint::cxx::unitReader(); }

} // extern "C"
