//===- EmbeddedHeaders.h - The models' headers as text ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H
#define CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H

namespace condlint::cxx {

struct EmbeddedHeader {
  const char *name;
  const char *text;
};

/// include/condlint/cond.h and annotations.h, compiled in by EmbedHeaders.cmake.
extern const EmbeddedHeader embeddedHeaders[2];

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H
