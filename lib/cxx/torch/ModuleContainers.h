//===- ModuleContainers.h - Modules that hold others ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A container is known by the modules that it was made of and filled with, as
// far as that was seen: by their number and their names, and each by its class and
// its options.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_MODULECONTAINERS_H
#define CONDLINT_CXX_TORCH_MODULECONTAINERS_H

#include "../interp/machine/Machine.h"
#include "ModuleMembers.h"
#include <functional>

namespace condlint::cxx {

/// The method \p name of \p c or of a base that can be called with so many arguments; null where there is none.
const clang::CXXMethodDecl *methodNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, std::size_t arguments,
                                        unsigned depth = 0);

/// The module class of a holder; null for what is none.
const clang::CXXRecordDecl *containedIn(Machine &m, const clang::CXXRecordDecl *holder);

/// A module that holds others, of which each has its own options.
bool isModuleContainer(Machine &m, clang::QualType type);

/// Enters what \p c, a method of a container, puts into it; false where that is not known.
bool addModules(Machine &m, NamedOptions &into, Call &c);

/// `module.as<To>()`.
Value castModule(Machine &m, const Pointer &module, clang::QualType to);

/// What the `forward` of \p module makes of \p inputs; nothing where that is not known.
std::optional<Value> forwardOf(Machine &m, const Pointer &module, const std::vector<Argument> &inputs, const Call &c);

/// What a container holds, where it was seen how it was made and filled.
class ContainedModules {
public:
  /// Keeps the options of a module that is a part of the container.
  using Keep = std::function<void(SymbolId, const Value &)>;
  /// Of the container \p self, which was made with \p made.
  ContainedModules(Machine &machine, const Value &self, const Value &made, Keep keep);

  /// The method \p name of a container says what it holds.
  static bool answers(std::string_view name);
  bool isKnown() const { return !modules.values.empty(); }
  /// What the method \p name of the container says of it; nothing for another one.
  std::optional<Value> ask(Call &c, std::string_view name) const;
  /// What its modules make of \p input one after the other.
  std::optional<Value> run(Value input, const Call &c) const;

private:
  Pointer moduleAt(std::size_t i, const clang::Expr *at) const;
  std::optional<std::size_t> positionOf(const Value &index) const;

  Machine &m;
  Value container;
  NamedOptions modules;
  Keep keepOptions;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_MODULECONTAINERS_H
