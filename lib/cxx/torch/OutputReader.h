//===- OutputReader.h - What a branch returns ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a branch returns as the values of a graph.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_OUTPUTREADER_H
#define CONDLINT_CXX_TORCH_OUTPUTREADER_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::OutputReader {
public:
  explicit OutputReader(TorchDomain &torch) : domain(torch) {}
  void flatten(std::vector<ValueId> &out, bool &known, const Value &v, clang::QualType type, const clang::Stmt *at,
               unsigned depth = 0);
  /// The list \p v of unknown length: what each of its elements is, where that is something of outside.
  void flattenOpenList(std::vector<ValueId> &out, const Value &v, clang::QualType type, const clang::Stmt *at);
  Value rebuild(const Value &pattern, clang::QualType type, const std::vector<ValueId> &leaves, std::size_t &next,
                unsigned depth = 0);
  std::optional<std::size_t> leafCount(clang::QualType type, unsigned depth = 0);
  ValueId literalOf(const Value &v);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_OUTPUTREADER_H
