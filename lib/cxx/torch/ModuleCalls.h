//===- ModuleCalls.h - Calls of modules of libtorch ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of modules of libtorch.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_MODULECALLS_H
#define CONDLINT_CXX_TORCH_MODULECALLS_H

#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::ModuleCalls {
public:
  explicit ModuleCalls(TorchDomain &torch) : domain(torch) {}
  /// An option that is asked for, or set (of `torch::nn::LinearOptions` and its like).
  Value moduleOption(Call &c, std::string_view name);
  /// The module in a holder is called.
  Value runHeld(Call &c);
  Value runModule(Call &c, std::string_view cls);
  /// \p c puts modules into the container of modules that it is a method of.
  void fillModule(Call &c);
  /// A method of what named_parameters() and the like return, or of an item of it.
  std::optional<Value> orderedDict(Call &c, std::string_view cls, std::string_view name);
  Value runSequential(Call &c, const Value &self, const NamedOptions &modules, Value input);
  /// What a recurrent module returns for \p input: tensors of its element type and rank.
  Value recurrentResult(const Value &input, clang::QualType type, const Call &c);
  /// What the parameter or buffer \p info of a module of libtorch has by its class and by the module's options;
  /// its sizes are in \p dims.
  Type parameterFacts(const SymbolInfo &info, std::vector<Dim> &dims);
  /// The NamedOptions with which the module was made whose part \p s is, or which it is.
  Value madeWith(SymbolId s);
  std::optional<Value> moduleCall(Call &c, std::string_view cls, std::string_view name);
  void writesModule(const Call &c);
  std::optional<Value> parametersOf(Call &c);
  /// One tensor, of the type \p tensor, for all that the module or optimiser of the call has, called \p what.
  std::optional<Value> anyParameter(Call &c, std::string_view what, clang::QualType tensor);
  /// The gradients, or the elements, of all parameters of the module or optimiser change.
  bool changesParameters(Call &c, CxxOp access);
  std::optional<Value> optimizerCall(Call &c, std::string_view name);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_MODULECALLS_H
