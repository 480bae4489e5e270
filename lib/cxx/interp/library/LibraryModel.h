//===- LibraryModel.h - What the models of library classes share --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model says what the methods of a class of the standard library do, or what
// functions of it do, by what they mean instead of by how they are written. What
// all of them ask of a call is here.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_LIBRARYMODEL_H
#define CONDLINT_CXX_INTERP_LIBRARY_LIBRARYMODEL_H

#include "../machine/Machine.h"
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace condlint::cxx {

/// A class or function of that \p name is the library's.
inline bool isStandard(std::string_view name) { return name.starts_with("std::") || name.starts_with("__gnu_cxx::"); }

inline bool isAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Where the elements of a span lie that comes from outside, which nobody knows the elements of; else \p span itself.
Value spanned(Machine &m, const Value &span, clang::QualType type);
/// Where the elements of a span that holds \p span lie; nothing where that is not known.
std::optional<std::vector<Value>> elementsOfSpan(Machine &m, const Value &span);

class LibraryModel {
public:
  /// Nothing: what it does has no model.
  using Answer = std::optional<Value>;
  explicit LibraryModel(Machine &machine) : m(machine) {}
  /// The list that \p v puts elements into (std::back_inserter); nowhere for other values.
  static Pointer insertsInto(const Value &v);
  static Value inserterInto(Pointer list, bool atFront);

protected:
  /// A position among those that \p position belongs to: it is not known which.
  Value somewhereIn(const Value &position, const Call &c);
  /// Tells the domain that the arguments are kept where nobody looks.
  void lose(Call &c);
  /// What \p c makes, an ordered container of the class \p cls, is given nothing but what compares.
  bool comparesOnly(const Call &c, std::string_view cls) const;
  /// The places from \p first to \p last, if both are known positions of one container.
  std::optional<std::vector<Place>> range(const Value &first, const Value &last);
  /// The place after \p p, \p by further; nothing for what is no position.
  Pointer advanced(const Pointer &p, std::int64_t by);
  /// What the position \p first leads to, as one of those behind it: a use of it.
  Value anyElement(const Value &first, clang::QualType type, const Call &c) {
    return m.load(m.dereference(first, type, c.expr), c.expr, type);
  }
  /// Puts \p v where the output iterator \p out points, \p i further on.
  void put(const Value &out, std::int64_t i, const Value &v, const Call &c);
  /// The element at \p at is assigned \p v.
  void assignTo(const Pointer &at, const Value &v, const Call &c);
  Pointer self(Call &c) { return m.placeOf(*c.self); }
  Value argument(Call &c, std::size_t i) { return i < c.arguments.size() ? m.load(c.arguments[i]) : Value(); }
  std::size_t written(const Call &c) const; ///< arguments that are no defaults
  /// What the argument \p i was bound to is one to move from.
  static bool isTakenOver(const Call &c, std::size_t i);
  /// What the argument \p i was bound to, if it is one to move from, has moved.
  void moved(Call &c, std::size_t i);
  /// \p item is put into the container at \p where.
  void hold(const Pointer &where, const Value &item, const Call &c);
  /// A new element of the container that \p c is a method of, from its arguments.
  Value element(Call &c, clang::QualType type);
  /// The argument \p i, a \p type, copied or moved as the parameter says.
  Value taken(Call &c, std::size_t i, clang::QualType type);
  /// The same by the class that the argument has; what it was made of stays what it is.
  Value kept(Call &c, std::size_t i);
  /// The argument \p i as a \p type: itself, or what a class of the user's makes of it.
  Value converted(Call &c, std::size_t i, clang::QualType type);
  /// The entries or elements, by number, that are the same as one that is looked for; an empty range where it would
  /// stand.
  struct Among {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  Machine &m;
};

/// The model of a class, or of functions, whose method \p model is: as the table calls it (LibraryClasses.h).
template <class T> T madeFor(Machine &m, LibraryModel::Answer (T::*)(Call &, std::string_view)) { return T(m); }
template <auto model> LibraryModel::Answer by(Machine &m, Call &c, std::string_view name) {
  return (madeFor(m, model).*model)(c, name);
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_LIBRARYMODEL_H
