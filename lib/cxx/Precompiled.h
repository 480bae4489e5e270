//===- Precompiled.h - Clang's headers, parsed once -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The precompiled header of lib/cxx: what most of its files include, and no more,
// for each of them loads all of it. Files still include what they use.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_PRECOMPILED_H
#define CONDLINT_CXX_PRECOMPILED_H

#include "condlint/Graph.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#endif // CONDLINT_CXX_PRECOMPILED_H
