//===- FieldPointer.h - A pointer to a data member --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_FIELDPOINTER_H
#define CONDLINT_CXX_INTERP_VALUES_FIELDPOINTER_H

#include "Value.h"

namespace condlint::cxx {

/// `&Box::score`: what it is called with, an object or a pointer to one, it yields a field of.
class FieldPointer : public Datum {
public:
  explicit FieldPointer(const clang::FieldDecl *f) : field(f) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const FieldPointer *>(&other);
    return o && o->field == field;
  }
  const clang::FieldDecl *field;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_FIELDPOINTER_H
