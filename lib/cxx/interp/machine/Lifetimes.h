//===- Lifetimes.h - When objects come to their end -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When objects come to their end, and what their end does.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_LIFETIMES_H
#define CONDLINT_CXX_INTERP_MACHINE_LIFETIMES_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Lifetimes {
public:
  explicit Lifetimes(Machine &machine) : m(machine) {}
  bool doesWorkAtItsEnd(const clang::CXXRecordDecl &record, clang::QualType type);
  /// From here on \p o is destroyed when the scope or full expression is left.
  void keepAlive(ObjectId o);
  /// The temporaries that a reference was bound to live as long as it.
  void adoptExtended();
  /// Destroys what was made since; it stays on the list for other paths out.
  void endLives(std::size_t since, ObjectId except = ObjectId());
  void leaveScope(std::size_t since);
  void destroyAs(const Pointer &at, const clang::CXXRecordDecl &record);
  void destroyElements(const Place &place, const Value &held);
  void destroyPointee(const Value &pointer);
  /// What the smart pointer at \p place, of the class \p type, owns goes with it.
  void release(const Place &place, clang::QualType type, const Value &held);
  /// What the smart pointer that \p call makes at \p at is given to release what it owns with.
  void keepDeleter(Call &call, const Pointer *at);
  /// The smart pointer \p o moves to where its deleter is not followed.
  void loseDeleter(ObjectId o);
  /// Whether something besides \p except may own what \p pointer leads to.
  bool isShared(const Value &pointer, const Place &except);
  Value leftBehind(const Value &v, clang::QualType type);

  std::vector<ObjectId> living;   ///< what is destroyed at the end of a scope, the youngest last
  std::vector<ObjectId> extended; ///< temporaries that live as long as the variable that is initialised
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> destroyed; ///< by class: its end does something
  llvm::DenseMap<std::pair<const clang::CXXRecordDecl *, unsigned>, bool> transferred; ///< by class, and how
  llvm::DenseMap<std::uint32_t, Value> deleters;                                       ///< by smart pointer

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_LIFETIMES_H
