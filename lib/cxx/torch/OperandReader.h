//===- OperandReader.h - What a conditional hands to its branches --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of a conditional, and the parameters that they become.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_OPERANDREADER_H
#define CONDLINT_CXX_TORCH_OPERANDREADER_H

#include "Branch.h"
#include "TorchDomain.h"

namespace condlint::cxx {

class TorchDomain::OperandReader {
public:
  explicit OperandReader(TorchDomain &torch) : domain(torch) {}
  Operands operandsOf(Call &c, const CondArguments &where, Argument &branch);
  /// The operands that are written as one argument, \p given, as \p branch takes them.
  void collectOperands(Operands &o, Argument &given, Argument &branch);
  /// The operand \p v of the type \p type, each of its parts being what \p parts makes of it.
  Value mapOperand(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  Value mapRecord(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  Value mapPointer(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  /// A class of which the fields are what it holds: none of a library, and no module.
  bool isOwnStruct(clang::QualType type);
  bool isPointerLike(clang::QualType type);
  /// A container of which it is not known what it holds.
  bool isOpen(const Value &leaf, clang::QualType type);
  /// The operands as the branch sees them: the same structure over its parameters.
  std::vector<Argument> branchArguments(Branch &b, const Operands &operands);
  Value asParameter(Branch &b, const Value &v, clang::QualType type, std::size_t &next);
  /// A container of the type \p type of which all tensors are parts of the \p parameter.
  Value openParameter(ValueId parameter, clang::QualType type);
  /// The parameter in whose container \p part lies; none for other values.
  ValueId openOperandOf(const SymbolInfo &part) const;
  Value partOfOperand(ValueId parameter, const clang::Stmt *at);

private:
  TorchDomain &domain;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_OPERANDREADER_H
