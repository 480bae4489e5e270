//===- UnitReader.h - One C++ source to its models --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_UNITREADER_H
#define CONDLINT_CXX_DRIVER_UNITREADER_H

#include "CompileCommands.h"
#include "condlint/CxxReader.h"

namespace condlint::cxx {

/// The reader behind the module's door.
class UnitReader : public CxxReader {
public:
  UnitReader();
  CxxUnit read(const std::string &path, const CxxSettings &settings) override;
  std::string llvmVersion() const override;

private:
  void readOnThisStack(const std::string &path, const CxxSettings &settings, CxxUnit &unit);

  CompileCommands commands;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_UNITREADER_H
