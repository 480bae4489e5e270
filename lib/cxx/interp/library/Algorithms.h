//===- Algorithms.h - <algorithm> -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that go through the elements between two positions, or of a range.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_ALGORITHMS_H
#define CONDLINT_CXX_INTERP_LIBRARY_ALGORITHMS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Algorithms : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer algorithm(Call &c, std::string_view name);
  /// `std::max(a, b)` of what is no number.
  Answer extremumOfTwo(Call &c, std::string_view name);
  /// Puts what was pushed last where its priority queue keeps it: the first to leave it stands last.
  void orderQueue(Call &c);
  /// Runs the operators of the user's own that the algorithm \p name compares elements with, any number of times; false
  /// where it is none that is known to compare.
  bool compareOwn(Call &c, std::string_view name);
  /// The algorithm \p name of std::ranges: on positions, as the others.
  Answer ranges(Call &c, std::string_view name);

private:
  /// What an algorithm goes through.
  struct Elements {
    Value first;
    Value last;                               ///< the position behind them, or how many
    std::optional<std::vector<Place>> places; ///< where they lie, if that is known
    clang::QualType type;
    /// std::ranges: the argument that makes of an element what the function gets.
    std::optional<std::size_t> projection;
    /// Each of them is looked at, not one for all.
    bool followed() const { return places && places->size() <= 64; }
  };
  /// How the elements stand afterwards.
  struct Order {
    std::vector<std::size_t> from; ///< by position: which of them stands there
    std::vector<bool> ends;        ///< by position: a run ends with it, within which nobody knows the order
    std::size_t result = 0;        ///< the position that is given back
  };
  /// \p projects: behind its function it may be given a projection, as in std::ranges.
  Answer runAlgorithm(Call &c, std::string_view name, bool projects);
  Answer forEach(Call &c, std::string_view name, const Elements &e);
  Answer transform(Call &c, std::string_view name, const Elements &e);
  Answer fill(Call &c, std::string_view name, const Elements &e);
  Answer copy(Call &c, std::string_view name, const Elements &e);
  Answer iota(Call &c, std::string_view name, const Elements &e);
  /// Stores what \p made yields, anew for each, in the elements.
  Value give(Call &c, const Elements &e, const std::function<Value()> &made);
  Answer generate(Call &c, std::string_view name, const Elements &e);
  Answer reverse(Call &c, std::string_view name, const Elements &e);
  Answer fold(Call &c, std::string_view name, const Elements &e);
  /// Whether the element at \p at equals the argument behind the positions.
  Value equals(Call &c, const Elements &e, const Pointer &at);
  /// The elements of which \p name keeps some, in front of the others.
  Answer removed(Call &c, std::string_view name, const Elements &e);
  Answer search(Call &c, std::string_view name, const Elements &e);
  Answer searchKnown(Call &c, std::string_view name, const Elements &e);
  /// Visits each element with its number; once, with -1, for any of them where they are not followed.
  void eachElement(Call &c, const Elements &e, const std::function<void(const Pointer &, std::int64_t)> &visit);
  /// The element at \p at as functions get it.
  Argument projected(Call &c, const Elements &e, const Pointer &at);
  Value elementAt(Call &c, const Elements &e, const Pointer &at); ///< The same, read.
  /// Calls the argument \p function with the element at \p at, if there is one, and \p more.
  Value callOn(Call &c, std::size_t function, const Elements &e, const Pointer *at, std::vector<Value> more = {});
  /// The second argument of \p algorithm is a position between the first and the last.
  static bool standsInTheMiddle(std::string_view algorithm);
  /// Where \p algorithm takes what it calls, or compares elements with.
  static std::size_t functionOf(std::string_view algorithm);
  static bool comparesNothing(std::string_view algorithm);
  clang::QualType elementType(const Call &c, const Elements &e) const;
  /// Calls what \p name compares elements with, or asks of each.
  void compareElements(Call &c, std::string_view name, const Elements &e);
  /// The element at \p a is before that at \p b, by the argument \p function or by itself.
  std::optional<bool> isBefore(Call &c, std::size_t function, const Elements &e, const Pointer &a, const Pointer &b);
  /// The number of the element of \p e at \p position, or how many there are where that is their end.
  std::optional<std::size_t> numberOf(const Value &position, const Elements &e);
  std::optional<Order> sorted(Call &c, std::string_view name, const Elements &e);
  std::optional<Order> parted(Call &c, std::string_view name, const Elements &e);
  std::optional<Order> orderAfter(Call &c, std::string_view name, const Elements &e);
  /// Puts \p values, which stand in an order that is not known, where the elements from \p first on are.
  void placeRun(Call &c, const Elements &e, std::size_t first, std::span<const Value> values);
  Answer reorder(Call &c, std::string_view name, const Elements &e);
  Answer extremum(Call &c, std::string_view name, const Elements &e);
  const Place *extremumOf(Call &c, bool greatest, const Elements &e);
  /// The range that the argument \p i is becomes two, its beginning and its end; false where it is not followed.
  bool expandRange(Call &c, std::size_t i);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_ALGORITHMS_H
