//===- MovedElements.h - Pointers to elements that move ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element has its place by its number. In a container that keeps its elements where they
// are (a list, a set, the ends of a deque) it gets another number when others come and go:
// pointers, references and iterators to it lead to it all the same.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_MOVEDELEMENTS_H
#define CONDLINT_CXX_INTERP_LIBRARY_MOVEDELEMENTS_H

#include "../machine/Machine.h"
#include <optional>
#include <string_view>

namespace condlint::cxx {

/// While it lives, the method \p name of a container changes the container: what led to its elements follows at the
/// end.
class MovedElements {
public:
  MovedElements(Machine &m, Call &c, std::string_view name);
  ~MovedElements();
  MovedElements(const MovedElements &) = delete;
  MovedElements &operator=(const MovedElements &) = delete;

private:
  Machine &machine;
  std::string_view method;
  std::optional<Place> container; ///< none: its elements are not followed
  Value before;                   ///< absent where what is put in stands behind all that was there
  std::optional<std::int64_t> sizeBefore;
  bool keepsPlaces = false;             ///< it keeps its elements where they are; others move what is in them
  std::optional<std::int64_t> position; ///< where something is put in or taken out, if that is said
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_MOVEDELEMENTS_H
