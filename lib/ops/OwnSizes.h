//===- OwnSizes.h - What data decide in a function, by call -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_OWNSIZES_H
#define CONDLINT_OPS_OWNSIZES_H

#include "condlint/Graph.h"
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace condlint {

/// The sizes and numbers that one call of a function yields, of a copy of its body that other calls share: what data
/// decide in it is another number in each.
class OwnSizes {
public:
  OwnSizes(Model &model, NodeId call);

  TypeId of(TypeId id);
  ContentId of(ContentId id);

private:
  void keep(std::span<const Dim> dims);
  std::vector<Dim> of(std::span<const Dim> dims);
  bool isDecidedInside(Dim d) const;

  Model &m;
  std::string hint;
  std::set<std::string> given; ///< symbols that the call hands in
  std::map<Dim, Dim> owns;
};

} // namespace condlint

#endif // CONDLINT_OPS_OWNSIZES_H
