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
#ifndef CONDLINT_CXX_INTERP_VALUES_STORE_H
#define CONDLINT_CXX_INTERP_VALUES_STORE_H

#include "Value.h"
#include <algorithm>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <utility>
#include <vector>

namespace condlint::cxx {

/// What a path wrote, by object, with the values at its end.
using Delta = std::vector<std::pair<ObjectId, Value>>;

/// All that was ever written on the way through a piece of code, on whichever path.
class Trace {
public:
  /// How many values of one object are told apart; of what holds more nothing is known.
  static constexpr std::size_t most = 16;
  struct Entry {
    ObjectId object;
    std::vector<Value> values; ///< each once
    bool overflown = false;
  };
  void add(ObjectId o, const Value &v);
  const std::vector<Entry> &entries() const { return written; }

private:
  std::vector<Entry> written;
  llvm::DenseMap<std::uint32_t, std::size_t> rows;
};

class Store {
public:
  /// A point in the log.
  using Mark = std::size_t;

  ObjectId create(Value v);
  /// An object that was there all along, whichever path meets it first.
  ObjectId createTimeless(Value v);
  void setTimeless(ObjectId o, Value v) {
    noteWrite(o);
    noteChange(o);
    slots[o.index()] = std::move(v);
  }
  const Value &get(ObjectId o) const {
    if (!watches.empty())
      note(o);
    return slots[o.index()];
  }
  void set(ObjectId o, Value v);
  /// Who edits an object tells of the change himself; see \ref takeChanged.
  enum class Told : bool { No, Yes };
  /// Changes the value of \p o where it stands: what is large and nobody else holds is
  /// not copied for it.
  void edit(ObjectId o, const std::function<void(Value &)> &change, Told isTold = Told::No);
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

  /// What is written goes to these as well; returns those to which it went before.
  std::vector<Trace *> exchangeTraces(std::vector<Trace *> with) { return std::exchange(traces, std::move(with)); }
  const std::vector<Trace *> &activeTraces() const { return traces; }

  /// The objects that hold something else than when this was asked last, each once; those that were edited by who
  /// tells of it himself (`Told::Yes`) are not among them.
  std::vector<ObjectId> takeChanged();

  /// What a piece of code did to the objects that were there before it.
  struct Use {
    Delta reads;               ///< each object once, in the order of the first read, with what it held
    bool leavesWrites = false; ///< one of them holds something else in the end
  };
  /// Notes from here to \ref endWatch what becomes of the objects that there are. May be nested.
  void beginWatch();
  Use endWatch();

private:
  std::vector<Value> slots;
  /// A write since the newest mark is in the log: what the next one overwrites nobody asks for.
  bool isLogged(ObjectId o) const;
  std::vector<std::pair<ObjectId, Value>> log; ///< what stood there before
  std::vector<Mark> logged;                    ///< by object: where its newest entry is, or was
  Mark newest = 0;
  std::vector<std::uint32_t> seen; ///< by object: the last `changes` that met it
  std::uint32_t round = 0;
  std::vector<Trace *> traces;
  void trace(ObjectId o);
  std::vector<ObjectId> changed; ///< since somebody asked
  std::vector<bool> isChanged;   ///< by object
  void noteChange(ObjectId o) {
    if (isChanged[o.index()])
      return;
    isChanged[o.index()] = true;
    changed.push_back(o);
  }

  struct Watch {
    std::uint32_t before = 0; ///< how many objects there were
    std::size_t firstMet = 0, firstWritten = 0;
  };
  std::vector<Watch> watches; ///< the innermost last
  // While somebody watches:
  mutable Delta met;                      ///< what objects held that are read or written, before they are
  mutable std::vector<std::size_t> metAt; ///< by object: behind its newest entry there
  std::vector<ObjectId> written;
  void note(ObjectId o) const;
  void noteWrite(ObjectId o) {
    if (watches.empty() || o.index() >= watches.back().before)
      return;
    note(o);
    written.push_back(o);
  }
};

/// While it lives, what is written goes to \p to as well.
class TraceScope {
public:
  TraceScope(Store &s, Trace &to) : store(s), outer(s.activeTraces()) {
    std::vector<Trace *> all = outer;
    all.push_back(&to);
    store.exchangeTraces(std::move(all));
  }
  ~TraceScope() { store.exchangeTraces(std::move(outer)); }
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

private:
  Store &store;
  std::vector<Trace *> outer;
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

#endif // CONDLINT_CXX_INTERP_VALUES_STORE_H
