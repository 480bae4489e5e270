//===- FollowerIndex.h - Who leads where ------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By object: which other objects may hold something that leads to it, and which references
// were bound to a part of it. It grows with what is stored and bound; nobody walks all that
// there is to find who leads somewhere.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_FOLLOWERINDEX_H
#define CONDLINT_CXX_INTERP_MACHINE_FOLLOWERINDEX_H

#include "Followers.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <utility>
#include <vector>

namespace condlint::cxx {

class Machine::Followers::Index {
public:
  explicit Index(Machine &machine) : m(machine) {}

  void noteStored(ObjectId holder, const Value &part);
  void noteBound(const clang::ValueDecl &variable, const Pointer &at);
  /// How many references are bound; those that are bound later end with \ref endBindings.
  std::size_t bindings() const { return inOrder.size(); }
  void endBindings(std::size_t since);

  std::vector<ObjectId> holdersOf(ObjectId target);
  /// Something leads behind \p whole, or to it.
  bool isLedTo(const Place &whole, bool orAt);
  void follow(std::initializer_list<ObjectId> moved, const Move &move);

private:
  using Variables = std::vector<const clang::ValueDecl *>;
  /// Notes what led where in the objects that have changed.
  void refresh();
  void noteLeads(ObjectId holder, const Value &v);
  /// A value of the \p type may lead to something.
  bool mayLead(clang::QualType type);
  void noteBound(const clang::ValueDecl &variable, ObjectId target);
  /// The references that may lead to a part of \p target.
  Variables boundTo(ObjectId target) const;
  bool isConcerned(ObjectId o, const Move &move);
  void followFrom(ObjectId o, const Move &move);
  /// \p variable is the one that is bound to what \p at leads to; null where there is none.
  void followBound(Pointer &at, const Move &move, bool isCertain, const clang::ValueDecl *variable);

  Machine &m;
  llvm::DenseMap<std::uint32_t, std::vector<ObjectId>> holders;  ///< by what they may lead to
  llvm::DenseSet<std::pair<std::uint32_t, std::uint32_t>> known; ///< holder and what it leads to
  llvm::DenseMap<const clang::Type *, bool> leading;             ///< by type: it may lead somewhere
  llvm::DenseMap<std::uint32_t, Variables> bound;                ///< by what they may lead to a part of
  llvm::DenseMap<const clang::ValueDecl *, llvm::SmallVector<std::uint32_t, 2>> targets; ///< the same by reference
  Variables inOrder; ///< in the order in which they were bound first
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_FOLLOWERINDEX_H
