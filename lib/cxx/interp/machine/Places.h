//===- Places.h - Reading and writing places --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lies at a part of an object, and the object with another part.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_PLACES_H
#define CONDLINT_CXX_INTERP_MACHINE_PLACES_H

#include "Machine.h"
#include <algorithm>
#include <span>

namespace condlint::cxx {

/// \p x and \p y are spelled as positions in one list or map: they are in one where the code says so (`first`, `last`).
inline bool areSpelledInOne(const Place &x, const Place &y) {
  return x.object == y.object && !x.path.empty() && x.path.size() == y.path.size() &&
         std::equal(x.path.begin(), x.path.end() - 1, y.path.begin());
}

/// They are in one: no step on the way there may lead to another one the next time.
inline bool areBesideEachOther(const Place &x, const Place &y) {
  return areSpelledInOne(x, y) &&
         std::none_of(x.path.begin(), x.path.end() - 1, [](const Step &s) { return s.isAny() || s.hasUnknownKey(); });
}

/// What lies behind \p whole on the way to \p place; empty where that does not lead there.
inline std::span<const Step> stepsBehind(const Place &whole, const Place &place) {
  const bool leadsThere = place.object == whole.object && place.path.size() > whole.path.size() &&
                          std::equal(whole.path.begin(), whole.path.end(), place.path.begin());
  return leadsThere ? std::span(place.path).subspan(whole.path.size()) : std::span<const Step>();
}

/// Writing a part of a value.
class Machine::Places {
public:
  explicit Places(Machine &machine) : m(machine) {}
  /// Stores \p v through a pointer of which nobody knows where it leads to: perhaps in one of the lost places.
  void storeSomewhere(const Value &v);
  /// \p v with what is a view of something that has changed since as unknown.
  Value asItIsNow(Value v);
  /// \p p, where it leads behind the end of an array that is an element of another one: there the next one begins.
  Place carried(Place p) const;
  /// Where a \p wanted lies that is given what lies at \p at, of the type \p held: a wrapper of a reference becomes
  /// what it refers to.
  Pointer unwrapped(const Pointer &at, clang::QualType held, clang::QualType wanted, const clang::Expr *site);
  /// What lies at a part itself, where \c peek follows what is a reference.
  Value heldAt(const Place &p);
  /// \p v, of the \p type, with \p leaf as what \p path leads to in it.
  Value with(const Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type);
  using Change = std::function<Value(const Value &)>;
  /// The outer place that \p p, in a closure of this region, was copied from.
  std::optional<Place> copiedFrom(const Place &p) const;
  Value withField(const Value &v, const Step &step, const Change &changed, clang::QualType type);
  Value withElement(const List &old, const Step &step, const Change &changed, clang::QualType elementType);
  Value withEntry(const Value &v, const Step &step, const Change &changed, clang::QualType entryType);
  bool isSequence(clang::QualType type);
  /// The element \p step of \p l, of which is not known how many it has, is what \p changed makes of it.
  void changeUnsized(List &l, const Step &step, const Change &changed, clang::QualType elementType);
  /// The part of \p v that stands in it, to be changed in place; null where there is none of its own.
  static Value *ownPart(Value &v, const Step &step);
  /// What `with` makes, where \p v stands.
  void replace(Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type);

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_PLACES_H
