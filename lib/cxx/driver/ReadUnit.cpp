//===- ReadUnit.cpp - A parsed source to its models -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadUnit.h"
#include "../tracing/Tracing.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <iterator>

namespace condlint::cxx {

SourceOptions sourceOptions(const CxxSettings &settings, const ProjectFiles &project) {
  SourceOptions options;
  for (const CondFunction &f : settings.condFunctions) {
    CondArguments arguments;
    arguments.predicate = static_cast<std::int32_t>(f.predicate);
    arguments.trueBranch = static_cast<std::int32_t>(f.trueBranch);
    arguments.falseBranch = static_cast<std::int32_t>(f.falseBranch);
    arguments.operands = f.operandsAreTheRest ? CondArguments::Rest
                         : f.operands         ? static_cast<std::int32_t>(*f.operands)
                                              : CondArguments::None;
    options.condFunctions.emplace(f.name, arguments);
  }
  options.isProjectFile = [&project](std::string_view path) { return project.contains(path); };
  return options;
}

ProjectScope::ProjectScope(clang::ASTContext &context, const SourceOptions &options)
    : ast(context), before(context.getTraversalScope()) {
  BodyFilter filter(options);
  std::vector<clang::Decl *> own;
  for (clang::Decl *d : ast.getTranslationUnitDecl()->decls())
    if (filter.needsBody(*d, ast.getSourceManager()))
      own.push_back(d);
  ast.setTraversalScope(own);
}

ProjectScope::~ProjectScope() { ast.setTraversalScope(before); }

void readUnit(clang::ASTContext &ast, clang::Preprocessor *preprocessor, const std::string &path,
              const CxxSettings &settings, const SourceOptions &options, CxxUnit &unit) {
  if (settings.tracing)
    if (std::optional<Model> traced = readTracing(ast, options)) {
      traced->info.path = path;
      unit.models.push_back(std::move(*traced));
    }
  if (!settings.conditionals)
    return;
  UnitReading reading = readConditionals(ast, preprocessor, options);
  std::ranges::move(reading.models, std::back_inserter(unit.models));
  for (const NotUnderstood &hint : reading.hints)
    unit.notes.push_back({hint.location, hint.reason});
  for (const NotUnderstood &part : reading.notUnderstood)
    unit.notes.push_back({part.location, "not understood: " + part.reason});
}

} // namespace condlint::cxx
