//===- Branch.h - A branch of a conditional, as it is read ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the reading of a conditional (Conditionals.cpp) and of its branches
// (Branches.cpp) tell each other.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_BRANCH_H
#define CONDLINT_CXX_TORCH_BRANCH_H

#include "TorchDomain.h"
#include <array>

namespace condlint::cxx {

/// As what branches take their operands.
enum class TorchDomain::OperandForm : std::uint8_t {
  Each,    ///< a parameter for each
  List,    ///< one parameter, the list of all
  AnyList, ///< one parameter, a list of which it is not known how long it is
};

/// What a conditional hands to its branches.
struct TorchDomain::Operands {
  OperandForm form = OperandForm::Each;
  std::vector<Value> given;             ///< each is one parameter of the branches
  std::vector<clang::QualType> types;   ///< what each is declared as
  std::vector<Value> leaves;            ///< the tensors and numbers in them
  std::vector<ValueId> values;          ///< the leaves in the graph around
  const clang::Expr *written = nullptr; ///< where they begin
  bool adapted = false;                 ///< the cond's own body says how its branches are called
};

/// What becomes of the parts of an operand.
struct TorchDomain::OperandParts {
  /// A tensor, a number, or a container of which it is not known what it holds.
  std::function<Value(const Value &leaf, clang::QualType type)> leaf;
  /// What lies where \p to leads, of the type \p type, has become \p held.
  std::function<Value(const Value &held, clang::QualType type, const Pointer &to)> pointee;
};

struct TorchDomain::Branch {
  bool missing = false;
  bool mayBeMissing = false; ///< on some path nothing was put there
  std::string instead;       ///< what stands there that nobody can call
  bool invalid = false;      ///< the function does not compile
  const clang::FunctionDecl *function = nullptr;
  const clang::FunctionDecl *body = nullptr; ///< its definition, where that is seen
  GraphId graph;
  BranchScope scope; ///< when it is finished
  LocationId location;
  std::string name;
  std::vector<ValueId> parameters;
  std::vector<std::pair<ValueId, ObjectId>> handles; ///< the parameters as the branch holds them
  clang::QualType type;
  std::vector<std::vector<ValueId>> returned; ///< by each `return`
  std::vector<ValueId> results;
  std::vector<Dim> admitted; ///< where it returns: see `TorchDomain::admittedSizes`
  bool resultsKnown = true;  ///< their number
  Value value;               ///< what it returns, joined
  bool returns = false;
  std::vector<std::pair<ObjectId, Value>> writes; ///< to objects of outside, with what they were before
};

struct TorchDomain::Branches : std::array<TorchDomain::Branch, 2> {};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_BRANCH_H
