//===- ReadUnit.h - A parsed source to its models ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_READUNIT_H
#define CONDLINT_CXX_DRIVER_READUNIT_H

#include "../Reading.h"
#include "ProjectFiles.h"
#include "cxx/CxxReader.h"

namespace condlint::cxx {

/// What the settings say of the sources, in the words of the reading. \p project
/// must outlive the result.
SourceOptions sourceOptions(const CxxSettings &settings, const ProjectFiles &project);

/// While it lives, who traverses \p ast meets what the project's files declare and
/// no library's code: for those who are handed an AST.
class ProjectScope {
public:
  ProjectScope(clang::ASTContext &ast, const SourceOptions &options);
  ~ProjectScope();
  ProjectScope(const ProjectScope &) = delete;
  ProjectScope &operator=(const ProjectScope &) = delete;

private:
  clang::ASTContext &ast;
  std::vector<clang::Decl *> before;
};

/// Reads what \p settings ask for from the parsed source \p path, and adds models and notes
/// to \p unit: one body for those who parse by themselves (the program) and those
/// who are handed an AST (the clang-tidy plugin). The traversal scope of the AST is
/// what the project's files declare. \p preprocessor may be null.
void readUnit(clang::ASTContext &ast, clang::Preprocessor *preprocessor, const std::string &path,
              const CxxSettings &settings, const SourceOptions &options, CxxUnit &unit);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_READUNIT_H
