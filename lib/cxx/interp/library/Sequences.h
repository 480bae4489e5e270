//===- Sequences.h - Lists and what is kept like one ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The methods of containers that hold elements one behind the other: vectors, arrays,
// lists, queues; and of what has a fixed number of bits or numbers.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_SEQUENCES_H
#define CONDLINT_CXX_INTERP_LIBRARY_SEQUENCES_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Sequences : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  /// An array, with so many elements as its type says.
  Answer constructArray(Call &c, std::string_view cls);
  Answer constructList(Call &c, std::string_view cls);
  Answer constructQueue(Call &c, std::string_view cls);
  /// What a list holds that is made of what \p c is given, of which \p count arguments are written.
  Value constructSequence(Call &c, std::size_t count);
  std::optional<Value> spanFrom(const Value &first, const Value &count);
  Answer sequence(Call &c, std::string_view method);
  /// Nothing is known of the elements afterwards.
  Value lostSequence(Call &c);
  /// A method of a view (`std::span`) of \p elements that the domain keeps.
  Answer viewed(Call &c, std::string_view method, const Value &elements);
  /// A method of a bitset or a valarray: what is written to one of its elements is written to the whole.
  Answer elementsOfFixed(Call &c, std::string_view method);
  /// A method of what `std::vector<bool>::operator[]` returns.
  Answer bit(Call &c, std::string_view method);

private:
  Answer sequencePlace(Call &c, std::string_view method);
  Answer sequenceQuestion(Call &c, std::string_view method);
  Answer sequenceAsWhole(Call &c, std::string_view method);
  Answer sequenceElements(Call &c, std::string_view method);
  /// How many elements the container has that \p c is a method of, if that is known.
  std::optional<std::int64_t> countOf(Call &c);
  void fill(std::vector<Value> &items, std::size_t size, const Value &first, clang::QualType type,
            const std::function<Value()> &made);
  Value popped(Call &c, bool first);
  Value resized(Call &c, bool keeps);
  Value changedAt(Call &c, std::string_view method);
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
  /// Of a range, or of a pointer and a length.
  Value constructFromRange(Call &c, const Value &first);
  bool goesOnWithGiven(const Place &p);
  Value settled(const Pointer &where, const Value &item);
  void append(Call &c, const Value &given);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_SEQUENCES_H
