//===- JsonView.h - A JSON value and the way to it --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is a place among the tokens of the document: nothing is built of it, so that a million nodes cost little more
// than the file.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONVIEW_H
#define CONDLINT_READERS_JSON_JSONVIEW_H

#include "JsonCursor.h"
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint::json {

/// What ends the reading of a file; it never leaves this folder.
struct Refusal {
  std::string pointer; ///< RFC 6901; empty for the whole document
  std::string message;
  std::size_t byte = 0; ///< from 1; 0: the place is the pointer
  std::string place() const;
};

/// The tokens of a document. Refuses what is no JSON, and objects in which a key
/// stands twice: one of the two would be lost.
class Document {
public:
  /// \p text must stay alive and be followed by 64 readable bytes.
  explicit Document(std::string_view text);

  JsonKind kind(std::uint32_t at) const {
    cursor.seek(at);
    return cursor.kind();
  }
  /// The token at \p at as it is written.
  std::string_view token(std::uint32_t at) const {
    cursor.seek(at);
    return cursor.token();
  }
  /// The string at \p at.
  std::string string(std::uint32_t at) const;
  bool isString(std::uint32_t at, std::string_view text) const;
  /// The token behind the value at \p at.
  std::uint32_t after(std::uint32_t at) const;
  /// Calls \p member with the tokens of the key and of the value of each member of the object at \p at, until it says
  /// that it has enough.
  template <class F> void members(std::uint32_t at, F member) const {
    for (++at; cursor.at(at) != '}'; at += cursor.at(at) == ',' ? 1U : 0U) {
      if (member(at, at + 2))
        return;
      at = after(at + 2);
    }
  }
  /// True where a value stands at \p at, none where its list ends.
  bool isElement(std::uint32_t at) const { return cursor.at(at) != ']'; }
  /// The element after the one at \p at, or the end of its list.
  std::uint32_t nextElement(std::uint32_t at) const {
    at = after(at);
    return cursor.at(at) == ',' ? at + 1 : at;
  }

private:
  /// True for what is certainly a document; else the slower parser is to say.
  bool isSound(std::string_view text);
  void findEnds();

  mutable JsonCursor cursor;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends; ///< of long containers: the token behind, by their first
};

/// A JSON value that knows where it stands, so that whatever is wrong with it
/// can be named. Lives no longer than the view it was taken from.
class View {
public:
  explicit View(const Document &document) : json(&document) {}
  View(std::uint32_t token, const View &parent, std::string_view memberKey)
      : json(parent.json), place(token), up(&parent), key(memberKey), isMember(true) {}
  View(std::uint32_t token, const View &parent, std::size_t elementIndex)
      : json(parent.json), place(token), up(&parent), index(elementIndex) {}

  std::string pointer() const;
  [[noreturn]] void refuse(std::string message) const { throw Refusal{pointer(), std::move(message)}; }
  [[noreturn]] void expected(std::string_view what) const;

  bool isNull() const { return json->kind(place) == JsonKind::Null; }
  bool isObject() const { return json->kind(place) == JsonKind::Object; }
  bool isArray() const { return json->kind(place) == JsonKind::Array; }
  bool isString() const { return json->kind(place) == JsonKind::String; }
  bool isBoolean() const { return json->kind(place) == JsonKind::Bool; }
  bool isNumber() const { return json->kind(place) == JsonKind::Number; }
  /// Without fraction and exponent, of 64 bits with or without sign.
  bool isInteger() const { return isNumber() && whole(); }
  /// A text: a string, or `{"latin1": ...}` for bytes that are no UTF-8.
  bool isText() const { return isString() || (isObject() && latin1()); }

  // Objects.
  /// Refuses what is no object and keys that are not in \p known.
  void keys(std::initializer_list<std::string_view> known) const;
  std::optional<View> find(std::string_view name) const;
  View at(std::string_view name) const;
  /// Calls \p member with the name and the view of each member, by name.
  template <class F> void eachMember(F member) const {
    std::vector<std::pair<std::string, std::uint32_t>> sorted;
    json->members(place, [&](std::uint32_t k, std::uint32_t value) {
      sorted.emplace_back(json->string(k), value);
      return false;
    });
    std::ranges::sort(sorted);
    for (const auto &[name, value] : sorted)
      member(name, View(value, *this, std::string_view(name)));
  }

  // Arrays.
  std::size_t size() const;
  /// Quick for one after the other.
  View operator[](std::size_t i) const;

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
  /// An integer of 64 bits; of those with a sign the bits.
  struct Whole {
    std::uint64_t bits = 0;
    bool isNegative = false; ///< written with a sign
  };
  std::optional<Whole> whole() const;
  /// The only member of the object, where it is called so.
  std::optional<std::uint32_t> latin1() const;

  const Document *json;
  std::uint32_t place = 0; ///< its first token
  const View *up = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool isMember = false;
  /// Of a list: the last element that was asked for, and how many there are.
  mutable std::pair<std::size_t, std::uint32_t> last{0, 0};
  mutable std::optional<std::size_t> elements;
};

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONVIEW_H
