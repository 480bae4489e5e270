//===- Expected.h - A value, or the error that took its place ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_EXPECTED_H
#define CONDLINT_EXPECTED_H

#include <string>
#include <utility>
#include <variant>

namespace condlint {

/// Why something could not be had, in words for the person who asked for it.
struct Error {
  std::string file;    ///< The input at fault; empty when there is none.
  std::string place;   ///< Where in it ("byte 120", "models/model.json"), or empty.
  std::string message; ///< What was found and what was expected there.
  std::string hint;    ///< What to do about it, or empty.

  /// "file: place: message; hint", leaving out what is empty.
  std::string str() const;
};

/// Either a \p T or an \c Error. Test it before taking the value: `*` and `->` of
/// an error, and `error()` of a value, dereference a null pointer.
template <class T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() { return *std::get_if<0>(&state); }
  const T &operator*() const { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  const T *operator->() const { return std::get_if<0>(&state); }
  Error &error() { return *std::get_if<1>(&state); }
  const Error &error() const { return *std::get_if<1>(&state); }

private:
  std::variant<T, Error> state;
};

} // namespace condlint

#endif // CONDLINT_EXPECTED_H
