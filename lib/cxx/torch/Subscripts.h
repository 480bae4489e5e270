//===- Subscripts.h - Views that indices make ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views that indices make.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_SUBSCRIPTS_H
#define CONDLINT_CXX_TORCH_SUBSCRIPTS_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::Subscripts {
public:
  explicit Subscripts(TorchDomain &torch) : domain(torch) {}
  /// A copy of elements of \p view that nobody knows.
  Value indexUnknown(const Value &view, const clang::Expr *at);
  Value index(const Value &self, const std::vector<Value> &indices, const clang::Expr *at, bool *copies,
              std::vector<ValueId> *tensors = nullptr);
  Value indexAssign(const Value &self, Value where, const Value &v, const clang::Expr *at, bool accumulate);
  ValueId scalarTensor(const Number &n, const clang::Expr *at);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_SUBSCRIPTS_H
