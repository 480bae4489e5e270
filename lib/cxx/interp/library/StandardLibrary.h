//===- StandardLibrary.h - What std:: and C's library do --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard library by what it means instead of by how it is written: a
// vector is a list, a tuple is one too, a smart pointer is a pointer, a
// std::function is what it holds. Shared by all domains.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H
#define CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H

#include "../machine/Machine.h"
#include <algorithm>
#include <span>
#include <string_view>

namespace condlint::cxx {

/// A class or function of that \p name is the library's.
inline bool isStandard(std::string_view name) { return name.starts_with("std::") || name.starts_with("__gnu_cxx::"); }

inline bool isAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Where the elements of a span lie that comes from outside, which nobody knows the elements of; else \p span itself.
Value spanned(Machine &m, const Value &span, clang::QualType type);

class StandardLibrary {
public:
  explicit StandardLibrary(Machine &machine) : m(machine) {}
  /// A function or method of the library (or of a class that the domain says is
  /// like one of its); nothing for others, and for those that call back what
  /// they are given in ways that have no model.
  std::optional<Value> call(Call &c);
  std::optional<Value> construct(Call &c);
  /// \p c is a function, method or constructor of the library that makes what it makes of what it is given,
  /// and asks neither the system nor the clock nor a file.
  static bool isClosed(Machine &m, const Call &c);
  /// The list that \p v puts elements into (std::back_inserter); nowhere for other values.
  static Pointer insertsInto(const Value &v);

private:
  using Answer = std::optional<Value>;
  // StandardContainers.cpp
  /// A position among those that \p position belongs to: it is not known which.
  Value somewhereIn(const Value &position, const Call &c);
  Answer sequence(Call &c, std::string_view method);
  Answer sequencePlace(Call &c, std::string_view method);
  Answer sequenceQuestion(Call &c, std::string_view method);
  Answer sequenceAsWhole(Call &c, std::string_view method);
  Answer sequenceElements(Call &c, std::string_view method);
  /// How many elements the container has that \p c is a method of, if that is known.
  std::optional<std::int64_t> countOf(Call &c);
  Value popped(Call &c, bool first);
  Value resized(Call &c, bool keeps);
  Value changedAt(Call &c, std::string_view method);
  /// Nothing is known of the elements afterwards.
  Value lostSequence(Call &c);
  /// One of the elements of the list \p held or of \p added; absent where that is not known.
  Value anyOf(const Value &held, std::span<const Value> added);
  /// `insert` and `erase` at a position that is not known: nothing where more is not known.
  Answer changedSomewhere(Call &c, std::string_view method, const Value &held);
  /// What orders the elements anew, or leaves some of them out.
  Value rearranged(Call &c, std::string_view method);
  /// A vector that grows may move what it holds.
  void grows(Call &c);
  /// Erases from a sequence, or inserts into it; false where it is not known what.
  bool erased(Call &c, std::vector<Value> &items, std::int64_t index);
  bool inserted(Call &c, std::string_view method, std::vector<Value> &items, std::int64_t index);
  // StandardHolders.cpp
  Answer optional(Call &c, std::string_view method);
  Answer smartPointer(Call &c, std::string_view method);
  Answer function(Call &c, std::string_view method);
  // StandardIterators.cpp
  Answer iterator(Call &c, std::string_view method);
  // StandardLibrary.cpp
  Answer constructContainer(Call &c, std::string_view className);
  Value constructArray(Call &c);
  Value constructSequence(Call &c, std::size_t count);
  Value constructQueue(Call &c, std::size_t count);
  /// Of a range, or of a pointer and a length.
  Value constructFromRange(Call &c, const Value &first);
  Value constructMap(Call &c);
  Value constructOptional(Call &c, std::size_t count);
  Value constructTuple(Call &c, std::size_t count);
  // StandardText.cpp
  Answer text(Call &c, std::string_view method);
  /// Where the character lies that \p method leads to, if it is one that does.
  Answer character(Call &c, std::string_view method);
  Answer textQuestion(Call &c, std::string_view method, const std::string &known);
  Answer textFunction(Call &c, std::string_view name);
  Answer cTextFunction(Call &c, std::string_view name);
  // StandardAlgorithms.cpp
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
  Answer algorithm(Call &c, std::string_view name);
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
  // StandardOrder.cpp
  static bool comparesNothing(std::string_view algorithm);
  clang::QualType elementType(const Call &c, const Elements &e) const;
  /// Calls what \p name compares elements with, or asks of each.
  void compareElements(Call &c, std::string_view name, const Elements &e);
  /// The element at \p a is before that at \p b, by the argument \p function or by itself.
  std::optional<bool> isBefore(Call &c, std::size_t function, const Elements &e, const Pointer &a, const Pointer &b);
  /// How the elements stand afterwards.
  struct Order {
    std::vector<std::size_t> from; ///< by position: which of them stands there
    std::vector<bool> ends;        ///< by position: a run ends with it, within which nobody knows the order
    std::size_t result = 0;        ///< the position that is given back
  };
  /// The number of the element of \p e at \p position, or how many there are where that is their end.
  std::optional<std::size_t> numberOf(const Value &position, const Elements &e);
  // Nothing where what they compare or ask is not known.
  std::optional<Order> sorted(Call &c, std::string_view name, const Elements &e);
  std::optional<Order> parted(Call &c, std::string_view name, const Elements &e);
  std::optional<Order> orderAfter(Call &c, std::string_view name, const Elements &e);
  /// Puts \p values, which stand in an order that is not known, where the elements from \p first on are.
  void placeRun(Call &c, const Elements &e, std::size_t first, std::span<const Value> values);
  Answer reorder(Call &c, std::string_view name, const Elements &e);
  Answer extremum(Call &c, std::string_view name, const Elements &e);
  const Place *extremumOf(Call &c, bool greatest, const Elements &e);
  /// `std::max(a, b)` of what is no number.
  Answer extremumOfTwo(Call &c, std::string_view name);
  /// Puts what was pushed last where its priority queue keeps it: the first to leave it stands last.
  void orderQueue(Call &c);
  /// Runs the operators of the user's own that the algorithm \p name compares elements with, any number of times; false
  /// where it is none that is known to compare.
  bool compareOwn(Call &c, std::string_view name);
  /// A method of a view (`std::span`) of \p elements that the domain keeps.
  Answer viewed(Call &c, std::string_view method, const Value &elements);
  /// The range that the argument \p i is becomes two, its beginning and its end; false where it is not followed.
  bool expandRange(Call &c, std::size_t i);
  /// The algorithm \p name of std::ranges: on positions, as the others.
  Answer ranges(Call &c, std::string_view name);
  /// A method of a bitset or a valarray: what is written to one of its elements is written to the whole.
  Answer elementsOfFixed(Call &c, std::string_view method);
  /// A method of what `std::vector<bool>::operator[]` returns.
  Answer bit(Call &c, std::string_view method);
  // StandardMaps.cpp
  Answer map(Call &c, std::string_view method);
  /// The key \p v of the map that \p c is a method of, which holds \p known; nothing where it is not known which
  /// of its keys that is.
  /// \p another: it is put in beside those of its kind that a multimap holds.
  std::optional<std::string> keyIn(Call &c, const Value &v, const Map *known, bool another = false);
  /// The entries, by number, whose keys are the same as one that is looked for; an empty range where it would stand.
  struct Among {
    std::size_t first = 0;
    std::size_t end = 0;
  };
  std::optional<Among> among(Call &c, const Value &v, const Map &known);
  /// The argument \p i as a key.
  Value keyGiven(Call &c, std::size_t i);
  Value mapEntry(Call &c, std::string_view method, Value whole);
  Answer mapQuestion(Call &c, std::string_view method, const Value &whole);
  Answer mapChange(Call &c, std::string_view method, const Value &whole);
  Answer eraseInMap(Call &c, const Map &known);
  Answer eraseAll(Call &c, const Value &which, const Map &known);
  Answer insertInMap(Call &c, std::string_view method, const Map &known);
  // StandardSets.cpp
  Answer set(Call &c, std::string_view method);
  /// The elements \p v as the set that \p c makes has them: each once, in its order.
  Value asSet(const Value &v, const Call &c);
  /// Something was put into a set, and where it stands is not known.
  Value lostSet(Call &c);
  /// Those of \p items, in a set of the \p type, that are the same as \p item.
  std::optional<Among> amongElements(const Value &item, std::span<const Value> items, clang::QualType type,
                                     const clang::Expr *at);
  // StandardUtility.cpp
  Answer utility(Call &c, std::string_view name);
  Answer handedOn(Call &c, std::string_view name);
  Answer called(Call &c, std::string_view name);
  /// Where the data member lies that \p function points to, in the argument \p object (`std::invoke(&P::n, p) = 2`).
  Answer dataMember(Call &c, const Value &function, std::size_t object);
  Answer bound(Call &c, std::string_view name);
  Answer owned(Call &c, std::string_view name);
  Answer position(Call &c, std::string_view name);
  /// The number of std::placeholders::_1, _2, …
  std::optional<unsigned> placeholder(const Argument &a);
  /// How many arguments \p callable takes, its object among them where it is a pointer to a method.
  std::optional<std::size_t> parametersOf(const Value &callable);
  // StandardViews.cpp
  /// A method of the class \p cls of `std::views`, or a function beside these.
  Answer view(Call &c, std::string_view cls, std::string_view name);
  std::optional<List> viewOf(Argument &range);
  Answer adapted(List view, std::string_view adaptor, std::span<const Value> given);
  // StandardVariant.cpp
  Answer holder(Call &c, std::string_view method);
  Answer variant(Call &c, std::string_view name);
  Value emptyVariant(const Call &c);
  Value constructHolder(Call &c, std::string_view className, std::size_t count);
  /// The number of the alternative that \p v, a variant of the \p type, holds.
  Value heldAlternative(const Value &v, clang::QualType type);
  /// Whether it is the alternative \p i.
  Value isHeld(const Value &v, clang::QualType type, unsigned i, const clang::Expr *at);
  /// \p v as that alternative, and where that lies: the variant lies at \p at.
  Value asAlternative(const Value &v, clang::QualType type, unsigned i);
  Argument placeOfAlternative(const Pointer &at, const Value &v, clang::QualType type, unsigned i);
  /// Calls the visitor with what is held by the arguments before \p next, and the others for each that they may hold.
  Value visited(Call &c, std::size_t next, std::vector<Argument> held);
  // StandardFunctions.cpp
  Answer pair(Call &c, std::string_view name);
  /// An operator that compares tuples or pairs part by part, or an order with 0.
  Answer comparison(Call &c, std::string_view name);
  Answer arithmetic(Call &c, std::string_view name);
  Answer operation(Call &c, std::string_view className);
  Answer stream(Call &c, std::string_view name);
  /// What a stream is read into holds what nobody knows.
  void readInto(Call &c);
  Answer cFunction(Call &c, std::string_view name);
  /// \p v is stored in any of the elements from where \p to points on.
  void storeFrom(const Value &to, clang::QualType pointee, const Value &v, const Call &c);
  Answer fileFunction(Call &c, std::string_view name); ///< std::filesystem's
  Answer fallback(Call &c);
  // StandardWrites.cpp
  /// Writes where a function that is known by its name alone writes for certain; false for others.
  bool writesThrough(Call &c);
  /// Whether one that nobody modelled may write to what lies outside: a parameter would let it.
  bool mayWriteOuter(Call &c);
  // StandardLibrary.cpp
  /// `first`, `last` and `subspan` of a span of the elements at \p whole.
  Answer partOfSpan(Call &c, std::string_view method, const Pointer &whole);
  /// Tells the domain that the arguments are kept where nobody looks.
  void lose(Call &c);

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
  /// What the argument \p i was bound to, if it is one to move from, has moved.
  void moved(Call &c, std::size_t i);
  /// \p item is put into the container at \p where.
  void hold(const Pointer &where, const Value &item, const Call &c);
  bool goesOnWithGiven(const Place &p);
  void append(Call &c, const Value &item);
  /// A new element of the container that \p c is a method of, from its arguments.
  Value element(Call &c, clang::QualType type);
  /// The argument \p i, a \p type, copied or moved as the parameter says.
  Value taken(Call &c, std::size_t i, clang::QualType type);
  /// The same by the class that the argument has; what it was made of stays what it is.
  Value kept(Call &c, std::size_t i);
  /// The argument \p i as a \p type: itself, or what a class of the user's makes of it.
  Value converted(Call &c, std::size_t i, clang::QualType type);

  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H
