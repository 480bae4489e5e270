//===- JsonView.h - A JSON value and the way to it --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONVIEW_H
#define CONDLINT_READERS_JSON_JSONVIEW_H

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace condlint::json {

/// Not `ordered_json`: its objects copy all they hold whenever they grow.
using Json = nlohmann::json;

/// What ends the reading of a file; it never leaves this folder.
struct Refusal {
  std::string pointer; ///< RFC 6901; empty for the whole document
  std::string message;
  std::size_t byte = 0; ///< from 1; 0: the place is the pointer
  std::string place() const;
};

/// Parses a document. Refuses what is no JSON, and objects in which a key
/// stands twice: one of the two would be lost.
Json parseDocument(std::string_view text);

/// A JSON value that knows where it stands, so that whatever is wrong with it
/// can be named. Lives no longer than the view it was taken from.
class View {
public:
  explicit View(const Json &value) : json(value) {}
  View(const Json &value, const View &parent, std::string_view memberKey)
      : json(value), up(&parent), key(memberKey), isMember(true) {}
  View(const Json &value, const View &parent, std::size_t elementIndex)
      : json(value), up(&parent), index(elementIndex) {}

  std::string pointer() const;
  [[noreturn]] void refuse(std::string message) const { throw Refusal{pointer(), std::move(message)}; }
  [[noreturn]] void expected(std::string_view what) const;

  bool isNull() const { return json.is_null(); }
  bool isObject() const { return json.is_object(); }
  bool isArray() const { return json.is_array(); }
  bool isString() const { return json.is_string(); }
  bool isBoolean() const { return json.is_boolean(); }
  bool isInteger() const { return json.is_number_integer(); }
  /// A text: a string, or `{"latin1": ...}` for bytes that are no UTF-8.
  bool isText() const { return isString() || (isObject() && json.size() == 1 && json.contains("latin1")); }

  // Objects.
  /// Refuses what is no object and keys that are not in \p known.
  void keys(std::initializer_list<std::string_view> known) const;
  std::optional<View> find(std::string_view name) const;
  View at(std::string_view name) const;
  const Json &raw() const { return json; }

  // Arrays.
  std::size_t size() const;
  View operator[](std::size_t i) const { return View(json[i], *this, i); }

  // Scalars; each refuses another type.
  std::string text() const;
  bool boolean() const;
  std::int64_t integer(std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
  std::uint32_t index32() const { return static_cast<std::uint32_t>(integer(0, 0xffffffff)); }
  std::uint64_t natural() const;
  /// A number, or "nan", "inf", "-inf", which JSON has no numbers for.
  double real() const;
  /// Base64, or a list of integers 0 to 255.
  std::string bytes() const;

private:
  const Json &json;
  const View *up = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool isMember = false;
};

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONVIEW_H
