//===- LibraryClasses.cpp - The table of library classes ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryClasses.h"
#include "Functions.h"
#include "Holders.h"
#include "Maps.h"
#include "Sequences.h"
#include "Sets.h"
#include "Texts.h"
#include "Variants.h"
#include <algorithm>
#include <array>
#include <unordered_map>

namespace condlint::cxx {

// Models that nothing but their row calls.
std::optional<Value> makeUnorderedMultiset(Machine &m, Call &c, std::string_view cls);  // UnorderedMultiset.cpp
std::optional<Value> inUnorderedMultiset(Machine &m, Call &c, std::string_view method); // UnorderedMultiset.cpp

namespace {

using enum LibraryClass::Trait;
using Form = LibraryClass::Form;

constexpr LibraryClass::Model makeList = &by<&Sequences::constructList>, makeArray = &by<&Sequences::constructArray>,
                              inSequence = &by<&Sequences::sequence>, inFixed = &by<&Sequences::elementsOfFixed>,
                              inBit = &by<&Sequences::bit>, makeSet = &by<&Sets::construct>, inSet = &by<&Sets::set>,
                              makeMap = &by<&Maps::construct>, inMap = &by<&Maps::map>,
                              makeTuple = &by<&Functions::constructTuple>, inTuple = &by<&Functions::pair>,
                              inOptional = &by<&Holders::optional>, makeHolder = &by<&Variants::construct>,
                              inHolder = &by<&Variants::holder>, ofType = &by<&Variants::info>,
                              makePointer = &by<&Holders::constructPointer>,
                              throughPointer = &by<&Holders::smartPointer>,
                              makeFunction = &by<&Holders::constructFunction>, ofFunction = &by<&Holders::function>,
                              makeText = &by<&Texts::construct>, inText = &by<&Texts::text>;

/// Name, construction, methods, form, traits; and what compares: order, hash, equality.
const auto libraryClasses = std::to_array<LibraryClass>({
    // Lists
    {"std::vector", makeList, inSequence, Form::List,
     Indexed | CopiedByPart | DestroyedByPart | ComparedByPart | Numbers},
    {"std::array", makeArray, inSequence, Form::List,
     Indexed | CopiedByPart | MovedByPart | DestroyedByPart | ComparedByPart | Numbers},
    {"std::deque", makeList, inSequence, Form::List,
     Indexed | CopiedByPart | DestroyedByPart | ComparedByPart | Numbers},
    {"std::list", makeList, inSequence, Form::List, CopiedByPart | DestroyedByPart | ComparedByPart},
    {"std::forward_list", makeList, inSequence, Form::List, CopiedByPart | DestroyedByPart | ComparedByPart},
    {"std::initializer_list", makeList, inSequence, Form::List, CopiedByPart | ComparedByPart | Numbers},
    {"std::span", makeList, inSequence, Form::List, ComparedByPart | Numbers},
    {"std::stack", makeList, inSequence, Form::List, CopiedByPart | DestroyedByPart | LastOut},
    {"std::queue", makeList, inSequence, Form::List, CopiedByPart | DestroyedByPart | FirstOut},
    {"std::priority_queue", &by<&Sequences::constructQueue>, inSequence, Form::List, LastOut | Heap, {2, 0, 0}},
    // Sets and maps
    {"std::set", makeSet, inSet, Form::List, CopiedByPart | ComparedByPart, {1, 0, 0}},
    {"std::multiset", makeSet, inSet, Form::List, ComparedByPart | Multi, {1, 0, 0}},
    {"std::unordered_set", makeSet, inSet, Form::List, 0, {0, 1, 2}},
    {"std::unordered_multiset",
     &makeUnorderedMultiset,
     &inUnorderedMultiset,
     Form::List,
     CopiedByPart | DestroyedByPart | Multi,
     {0, 1, 2}},
    {"std::map", makeMap, inMap, Form::Map, CopiedByPart | DestroyedByPart, {2, 0, 0}},
    {"std::multimap", makeMap, inMap, Form::Map, CopiedByPart | DestroyedByPart | Multi, {2, 0, 0}},
    {"std::unordered_map", makeMap, inMap, Form::Map, CopiedByPart | DestroyedByPart, {0, 2, 3}},
    {"std::unordered_multimap", makeMap, inMap, Form::Map, CopiedByPart | DestroyedByPart | Multi, {0, 2, 3}},
    // What holds a fixed number of others
    {"std::tuple", makeTuple, inTuple, Form::Parts, CopiedByPart | MovedByPart | DestroyedByPart | ComparedByPart},
    {"std::pair", makeTuple, inTuple, Form::Parts, CopiedByPart | MovedByPart | DestroyedByPart | ComparedByPart},
    {"std::optional", &by<&Holders::constructOptional>, inOptional, Form::Optional,
     CopiedByPart | MovedByPart | DestroyedByPart | ComparedByPart | Numbers},
    {"std::optional*", nullptr, inOptional, Form::Other},
    {"std::_Optional*", nullptr, inOptional, Form::Other},
    {"std::any", makeHolder, inHolder, Form::Other},
    {"std::variant", makeHolder, inHolder, Form::Other},
    {"std::type_info", nullptr, ofType, Form::Other},
    // Bits and numbers
    {"std::bitset", nullptr, inFixed, Form::Other},
    {"std::valarray", nullptr, inFixed, Form::Other, Numbers},
    {"std::_Bit_reference", nullptr, inBit, Form::Other},
    {"std::__bit_reference", nullptr, inBit, Form::Other},
    {"std::bitset::reference", nullptr, inBit, Form::Other},
    // What points to something, or calls it
    {"std::unique_ptr", makePointer, throughPointer, Form::Pointer},
    {"std::shared_ptr", makePointer, throughPointer, Form::Pointer},
    {"std::weak_ptr", makePointer, throughPointer, Form::Pointer},
    {"std::__shared_ptr", makePointer, throughPointer, Form::Pointer},
    {"std::__shared_ptr*", nullptr, throughPointer, Form::Other},
    {"std::reference_wrapper", &by<&Holders::constructReference>, throughPointer, Form::Other},
    {"std::reference_wrapper*", nullptr, throughPointer, Form::Other},
    {"std::function", makeFunction, ofFunction, Form::Other},
    {"std::move_only_function", makeFunction, ofFunction, Form::Other},
    {"std::packaged_task", makeFunction, ofFunction, Form::Other},
    {"std::_Function_base", nullptr, ofFunction, Form::Other},
    {"std::_Bind*", nullptr, ofFunction, Form::Other},
    {"std::_Mem_fn*", nullptr, ofFunction, Form::Other},
    // Texts
    {"std::basic_string", makeText, inText, Form::Other},
    {"std::basic_string_view", makeText, inText, Form::Other},
});

} // namespace

const LibraryClass *libraryClass(std::string_view name) {
  static const auto byName = [] {
    std::unordered_map<std::string_view, const LibraryClass *> rows;
    for (const LibraryClass &row : libraryClasses)
      rows.emplace(row.name, &row);
    return rows;
  }();
  if (const auto row = byName.find(name); row != byName.end())
    return row->second;
  const auto begins = [&](const LibraryClass &row) {
    return row.name.ends_with('*') && name.starts_with(row.name.substr(0, row.name.size() - 1));
  };
  const auto *row = std::ranges::find_if(libraryClasses, begins);
  return row == libraryClasses.end() ? nullptr : row;
}

} // namespace condlint::cxx
