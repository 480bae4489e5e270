//===- Store.h - Objects and what they hold ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of the interpreter. It knows one state at a time and a log of what
// was there before, so that a path can be undone and its writes be kept: forking
// costs nothing, and joining costs what the paths wrote.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_STORE_H
#define CONDLINT_CXX_INTERP_STORE_H

#include "Value.h"
#include <functional>

namespace condlint::cxx {

/// What a path wrote, by object, with the values at its end.
using Delta = std::vector<std::pair<ObjectId, Value>>;

class Store {
public:
  /// A point in the log.
  using Mark = std::size_t;

  ObjectId create(Value v);
  /// An object that was there all along, whichever path meets it first.
  ObjectId createTimeless(Value v);
  void setTimeless(ObjectId o, Value v) { slots[o.index()] = std::move(v); }
  const Value &get(ObjectId o) const { return slots[o.index()]; }
  void set(ObjectId o, Value v);
  std::size_t size() const { return slots.size(); }

  Mark mark() const { return log.size(); }
  /// What was written since \p since, each object once, in the order of the first write.
  Delta changes(Mark since);
  /// Takes back what was written since \p since.
  void undo(Mark since);
  void apply(const Delta &d);

private:
  std::vector<Value> slots;
  std::vector<std::pair<ObjectId, Value>> log; ///< what stood there before
  std::vector<std::uint32_t> seen;             ///< by object: the last `changes` that met it
  std::uint32_t round = 0;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_STORE_H
