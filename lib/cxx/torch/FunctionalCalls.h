//===- FunctionalCalls.h - Calls of torch::nn::functional ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of torch::nn::functional.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_FUNCTIONALCALLS_H
#define CONDLINT_CXX_TORCH_FUNCTIONALCALLS_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::FunctionalCalls {
public:
  explicit FunctionalCalls(TorchDomain &torch) : domain(torch) {}
  /// What the function of torch::nn::functional that is called so makes of \p inputs, and
  /// of \p options where they are \p known; nothing where that is not known.
  std::optional<Value> applyFunction(std::string_view function, const std::vector<Value> &inputs, const Value &given,
                                     bool known, Call &c);
  /// The same of a function that is one operator; \p inPlace: it writes to the first of \p inputs.
  std::optional<Value> operatorRow(std::string_view function, const std::vector<Value> &inputs,
                                   const NamedOptions *with, bool inPlace, Call &c);
  /// Functions that are several operators.
  std::optional<Value> composedFunction(std::string_view function, const std::vector<Value> &inputs,
                                        const NamedOptions *with, Call &c);
  std::optional<Value> functional(Call &c, std::string_view name);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_FUNCTIONALCALLS_H
