//===- Print.h - A model as text --------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_PRINT_H
#define CONDLINT_PRINT_H

#include <string>

namespace condlint {

class Model;

/// \p m as text for people: one node a line, regions indented.
std::string printModel(const Model &m);

} // namespace condlint

#endif // CONDLINT_PRINT_H
