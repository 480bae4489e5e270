//===- ModuleMembers.h - How the members of modules are made ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module's constructor says with which options the modules that it has for
// members are made; the methods that use them do not. The constructors of a class
// are interpreted once, when somebody asks.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_MODULEMEMBERS_H
#define CONDLINT_CXX_TORCH_MODULEMEMBERS_H

#include "../Reading.h"
#include "TorchData.h"
#include <clang/AST/Type.h>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <map>
#include <set>

namespace clang {
class CXXConstructorDecl;
class CXXRecordDecl;
class FieldDecl;
class FunctionDecl;
} // namespace clang

namespace condlint::cxx {

class Machine;
class TorchDomain;

/// A module of libtorch that another one holds: its class, and the options that it was made with.
class ModuleDatum : public TorchDatum<ModuleDatum> {
public:
  ModuleDatum(clang::QualType t, Value with) : type(t), options(std::move(with)) {}
  bool same(const ModuleDatum &o) const { return type == o.type && options.same(o.options); }
  clang::QualType type;
  Value options; ///< NamedOptions
};

/// A module of torch::nn, or of a class derived from that.
bool isModuleClass(const clang::CXXRecordDecl *c, unsigned depth = 0);

class ModuleMembers {
public:
  /// \p own: whose bodies may be looked into.
  ModuleMembers(clang::ASTContext &ast, const SourceOptions &options,
                std::function<bool(const clang::FunctionDecl &)> own);

  /// The NamedOptions of the module in the member \p field, as far as they are the same for every object of
  /// the class. Absent where that is not known: a constructor stands elsewhere, or somebody else assigns it.
  Value optionsOf(const clang::FieldDecl &field);

private:
  using Members = std::map<const clang::FieldDecl *, Value>;
  const Members &membersOf(const clang::CXXRecordDecl &record);
  /// By \p constructor, or by the initialisers of the members alone.
  bool make(const clang::CXXRecordDecl &record, const clang::CXXConstructorDecl *constructor, Members &out);
  void findAssignments();

  clang::ASTContext &ast;
  const SourceOptions &options;
  std::function<bool(const clang::FunctionDecl &)> own;
  std::map<const clang::CXXRecordDecl *, Members> classes;
  /// Who assigns a member: none is somebody of whom nothing is known.
  std::map<const clang::FieldDecl *, std::set<const clang::FunctionDecl *>> assigned;
  bool searched = false;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_MODULEMEMBERS_H
