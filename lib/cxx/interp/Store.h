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
#include <algorithm>
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
  /// Changes the value of \p o where it stands: what is large and nobody else holds is
  /// not copied for it.
  void edit(ObjectId o, const std::function<void(Value &)> &change);
  std::size_t size() const { return slots.size(); }

  Mark mark() {
    newest = log.size();
    return newest;
  }
  /// The newest mark that may still be asked for; \ref release returns to an older one.
  Mark newestMark() const { return newest; }
  void release(Mark older) { newest = std::min(older, log.size()); }
  /// What was written since \p since, each object once, in the order of the first write.
  Delta changes(Mark since);
  /// Takes back what was written since \p since.
  void undo(Mark since);
  void apply(const Delta &d);

private:
  std::vector<Value> slots;
  /// A write since the newest mark is in the log: what the next one overwrites nobody asks for.
  bool isLogged(ObjectId o) const;
  std::vector<std::pair<ObjectId, Value>> log; ///< what stood there before
  std::vector<Mark> logged;                    ///< by object: where its newest entry is, or was
  Mark newest = 0;
  std::vector<std::uint32_t> seen; ///< by object: the last `changes` that met it
  std::uint32_t round = 0;
};

/// The marks taken while it lives are not asked for afterwards.
class MarkScope {
public:
  explicit MarkScope(Store &s) : store(s), outer(s.newestMark()) {}
  ~MarkScope() { store.release(outer); }
  MarkScope(const MarkScope &) = delete;
  MarkScope &operator=(const MarkScope &) = delete;

private:
  Store &store;
  Store::Mark outer;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_STORE_H
