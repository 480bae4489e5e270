//===- Gradients.h - Gradients, and what passes backwards ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradients, and what passes backwards.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_GRADIENTS_H
#define CONDLINT_CXX_TORCH_GRADIENTS_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::Gradients {
public:
  explicit Gradients(TorchDomain &torch) : domain(torch) {}
  /// A backward pass from \p loss.
  void takeBack(const Value &loss, const clang::Expr *at);
  std::optional<Value> autograd(Call &c, std::string_view name);
  /// The gradient of \p tensor is changed by \p by.
  void changeGradient(const Value &tensor, std::string_view by, const clang::Expr *at);
  /// Where \p written is the gradient of a tensor, that one's changes.
  void noteGradientWrite(const Value &written, std::string_view by, const clang::Expr *at);
  /// torch::nn::utils::clip_grad_norm_ and its kin.
  std::optional<Value> gradientUtility(Call &c, std::string_view name);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_GRADIENTS_H
