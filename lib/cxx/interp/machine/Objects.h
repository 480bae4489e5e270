//===- Objects.h - Objects, and how much may be done ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of an object besides what it holds, and how much may be done for one
// function that is read.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_OBJECTS_H
#define CONDLINT_CXX_INTERP_MACHINE_OBJECTS_H

#include "../values/Value.h"
#include <clang/AST/Type.h>

namespace clang {
class ValueDecl;
} // namespace clang

namespace condlint::cxx {

/// Where an object comes from.
enum class Storage : std::uint8_t {
  Local,
  Parameter,
  Temporary,
  Heap,
  Global,
  Static,   ///< a static local
  This,     ///< the object of the method that is the root
  Pointee,  ///< what a pointer or reference from outside points to
  External, ///< its reads and writes are the domain's
  Moved,    ///< what was moved, and where to is not known
};

struct Object {
  clang::QualType type;
  const clang::ValueDecl *decl = nullptr; ///< the variable that it is
  Storage storage = Storage::Local;
  std::uint16_t region = 0; ///< the nesting of regions when it was made
  /// For what is reached through another object that is not seen into.
  ObjectId holder;
  /// For what a value from outside points to: that value.
  SymbolId pointer;
};

/// How much may be done for one root function.
struct Limits {
  unsigned calls = 16;         ///< nested calls
  unsigned recursion = 0;      ///< how often a function may be entered again while it runs
  unsigned reentries = 256;    ///< how often all functions may, one after the other too
  unsigned unroll = 64;        ///< trips of a loop that are followed one by one
  unsigned nested = 8'192;     ///< those of loops within one another, all together
  unsigned steps = 400'000;    ///< expressions and statements
  unsigned nesting = 1'000;    ///< expressions and statements within one another, on this program's own stack
  unsigned objects = 400'000;  ///< objects
  unsigned elements = 100'000; ///< elements of one container
  unsigned repeated = 10'000;  ///< steps in functions that were run before, until calls are summarised
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_OBJECTS_H
