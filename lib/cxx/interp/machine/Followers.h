//===- Followers.h - What leads to what moves -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place is an object and a way into it. What lies there may move to another place while
// pointers, references and iterators lead to it all the same: the elements of a container
// that is moved or swapped, an object that is built where the result of its function is.
// Those follow it. While nobody knows where it has gone they lead to an object that stands
// for it (`Storage::Moved`): what is read there is not known, and what is written there may
// be anywhere.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_FOLLOWERS_H
#define CONDLINT_CXX_INTERP_MACHINE_FOLLOWERS_H

#include "Machine.h"
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

namespace condlint::cxx {

class Machine::Followers {
public:
  explicit Followers(Machine &machine);
  ~Followers();
  Followers(const Followers &) = delete;
  Followers &operator=(const Followers &) = delete;

  /// Makes a place that led to what moved lead there where it is now; false for others.
  using Move = std::function<bool(Place &)>;
  /// Lets \p move change all that leads to one of the objects \p targets.
  void follow(std::initializer_list<ObjectId> targets, const Move &move);
  /// The reference \p variable was bound to what \p at leads to.
  void noteBound(const clang::ValueDecl &variable, const Pointer &at);
  /// The references that are bound while it lives are gone afterwards.
  class Bindings;
  /// \p part is stored in \p holder.
  void noteStored(ObjectId holder, const Value &part);

  /// What \p a and \p b hold, of the \p type, has been swapped.
  void swapped(const Pointer &a, const Pointer &b, clang::QualType type);
  /// \p held, of the \p type, leaves \p from: the elements of containers in it are where it arrives.
  void depart(const Place &from, const Value &held, clang::QualType type);
  /// The object \p held is built at \p from for another place, and is that object.
  void departWhole(const Place &from, const Value &held);
  /// \p v as it is on its way: what in it leads to something that has departed leads to what stands for that.
  Value leaving(Value v);
  /// \p held was stored at \p to: what has departed may be a part of it.
  void arrive(const Place &to, const Value &held);
  /// The same of \p held, which will be stored at \p to: as it is there.
  Value arriving(const Place &to, Value held);
  /// What lies in \p whole goes where nobody knows.
  void lose(const Place &whole);
  /// Something leads to a part of what lies at \p whole.
  bool isLedInto(const Place &whole);
  /// The elements of the container at \p whole, which held \p before, were moved about in it: what lies in one of them
  /// goes with it.
  void rearranged(const Place &whole, const Value &before);
  /// The view at \p at will show something else: what leads into \p held leads to that.
  void leaveView(const Place &at, const Value &held);
  bool isAnyUnderWay() const { return !underWay.empty(); }

  /// What leads to a part of something is unknown after what happens while it lives, which may never happen.
  class Apart;
  /// The objects that may hold something that leads to \p target.
  std::vector<ObjectId> holdersOf(ObjectId target);

private:
  /// Something that has left a place and has not been seen again.
  struct Departed {
    Place from;
    Value held;
    ObjectId stand; ///< what leads to it leads here meanwhile; null where nothing does
    bool whole;     ///< it is the object itself, and not only what lies in it
    unsigned waits; ///< for so many more stores
  };

  class Index;
  /// What is led to in \p v satisfies \p move, which may change what it is given.
  static bool concerns(const Value &v, const Move &move);
  static void followIn(Value &v, const Move &move);
  /// Lets what has departed and is found in \p held, which is stored at \p to, arrive there; \p renew makes what is
  /// stored follow.
  void land(const Place &to, const Value &held, const std::function<void(const Move &)> &renew);
  void setOut(const Place &from, const Value &held, bool whole);
  /// What is led to in \p whole is led to in an object that stands for it, which holds \p held.
  ObjectId standFor(const Place &whole, Value held, bool orAt);

  Machine &m;
  std::unique_ptr<Index> leading; ///< who leads where
  std::vector<Departed> underWay;
};

class Machine::Followers::Bindings {
public:
  explicit Bindings(Followers &f);
  ~Bindings();
  Bindings(const Bindings &) = delete;
  Bindings &operator=(const Bindings &) = delete;

private:
  Followers &all;
  std::size_t before;
};

/// What departs on one of two paths does not arrive on the other.
class Machine::Followers::Apart {
public:
  explicit Apart(Followers &f) : all(f), before(f.underWay) {}
  ~Apart();
  Apart(const Apart &) = delete;
  Apart &operator=(const Apart &) = delete;
  void next();

private:
  Followers &all;
  std::vector<Departed> before;
  bool isSame = true;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_FOLLOWERS_H
