//===- EmbeddedHeaders.h - The models' headers as text ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H
#define CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H

#include <span>

namespace condlint::cxx {

/// A header that is compiled in by EmbedHeaders.cmake.
struct EmbeddedHeader {
  const char *name; ///< as it is included
  const char *text;
};

/// include/condlint/cond.h and annotations.h, and what CUDA code needs.
extern const std::span<const EmbeddedHeader> embeddedHeaders;

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_EMBEDDEDHEADERS_H
