//===- LibraryClasses.h - The table of library classes ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter knows of a class of the standard library, one row a class: how
// its objects are made, what its methods do, and what the machine asks of it where it
// copies, moves, compares or destroys one. A new container is a model and a row.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_LIBRARYCLASSES_H
#define CONDLINT_CXX_INTERP_LIBRARY_LIBRARYCLASSES_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace condlint::cxx {

class Machine;
class Value;
struct Call;

struct LibraryClass {
  /// What a call comes to: of a constructor by the name of the class, of a method by its own.
  using Model = std::optional<Value> (*)(Machine &, Call &, std::string_view);

  /// What an object comes to.
  enum class Form : std::uint8_t {
    Other,
    List, ///< its elements, which have the class's first type argument
    Map,
    Parts, ///< one part a type argument
    Optional,
    Pointer,
  };
  /// What holds of it besides.
  enum Trait : std::uint16_t {
    Indexed = 1U << 0U,         ///< elements lie by number: one that is written leaves the others
    CopiedByPart = 1U << 1U,    ///< a copy copies what it holds
    MovedByPart = 1U << 2U,     ///< moving it moves what it holds, where others hand it on
    DestroyedByPart = 1U << 3U, ///< what it holds comes to its end with it
    ComparedByPart = 1U << 4U,
    Numbers = 1U << 5U,  ///< of numbers it is read as a whole, as `dims` is in `x.sum(dims)`
    Multi = 1U << 6U,    ///< holds several that are the same
    FirstOut = 1U << 7U, ///< `pop` takes the element that stands first
    LastOut = 1U << 8U,  ///< `pop` takes the one that stands last
    Heap = 1U << 9U,     ///< the greatest stands last
  };
  /// What compares the elements or keys: type arguments by number, 0 for none.
  struct Comparison {
    unsigned order = 0;
    unsigned hash = 0;
    unsigned equality = 0;
    constexpr bool any() const { return order != 0 || hash != 0 || equality != 0; }
  };

  std::string_view name; ///< "std::deque"; one that ends with `*` is of all names that begin so
  Model construct = nullptr;
  Model method = nullptr;
  Form form = Form::Other;
  unsigned traits = 0;
  Comparison compares = {};

  constexpr bool has(Trait t) const { return (traits & t) != 0; }
};

/// The row of the class \p name; null for others.
const LibraryClass *libraryClass(std::string_view name);
/// The class stands for one bit of a list of bits, and is a reference to it by itself.
inline bool isBitReference(std::string_view name) {
  return name == "std::_Bit_reference" || name == "std::__bit_reference";
}
/// It has its elements or keys in an order.
inline bool isOrdered(std::string_view name) {
  const LibraryClass *known = libraryClass(name);
  return known && known->compares.order != 0;
}
/// It has a model as a map.
inline bool isMapClass(std::string_view name) {
  const LibraryClass *known = libraryClass(name);
  return known && known->method && known->form == LibraryClass::Form::Map;
}
/// It is a class of the library that has the trait.
inline bool isLibraryClass(std::string_view name, LibraryClass::Trait trait) {
  const LibraryClass *known = libraryClass(name);
  return known && known->has(trait);
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_LIBRARYCLASSES_H
