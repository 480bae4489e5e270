//===- JsonOut.h - JSON on its way out --------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONOUT_H
#define CONDLINT_READERS_JSON_JSONOUT_H

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint::json {

/// A JSON value to be written: members keep the order in which they were set,
/// and a tree moves without being copied, however deep it is.
class JsonOut {
public:
  JsonOut() : text("null") {}
  JsonOut(std::nullptr_t) : JsonOut() {}
  JsonOut(bool v) : text(v ? "true" : "false") {}
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  JsonOut(T v) : text(std::to_string(v)) {}
  /// "nan", "inf", "-inf" for what JSON has no numbers for.
  JsonOut(double v);
  /// A string; `{"latin1": ...}` for bytes that are no UTF-8.
  JsonOut(std::string_view v);
  JsonOut(const char *v) : JsonOut(std::string_view(v)) {}
  JsonOut(const std::string &v) : JsonOut(std::string_view(v)) {}

  static JsonOut object() { return JsonOut(Shape::Object); }
  static JsonOut array(std::initializer_list<JsonOut> elements = {});
  /// An object of one member.
  static JsonOut of(std::string_view key, JsonOut value);
  static JsonOut base64(std::string_view bytes);

  /// The member \p key of an object, made when new.
  JsonOut &operator[](std::string_view key);
  /// Adds a member whose key is new, without looking.
  void append(std::string_view key, JsonOut value);
  void push_back(JsonOut element) { children.emplace_back(std::string(), std::move(element)); }
  void erase(std::string_view key);
  bool empty() const { return children.empty(); }
  std::size_t size() const { return children.size(); }

private:
  friend class JsonStream;
  enum class Shape : unsigned char { Scalar, Object, Array };
  explicit JsonOut(Shape s) : shape(s) {}
  bool oneLine(std::string &out, std::size_t limit) const;
  void lines(std::string &out, std::size_t indent) const;

  Shape shape = Shape::Scalar;
  std::string text;                                      ///< a scalar as it is written
  std::vector<std::pair<std::string, JsonOut>> children; ///< the key as it is written
};

/// A document that is written while it is made: what has to stand on lines of its own is not kept. What fits on a line
/// stands on one.
class JsonStream {
public:
  /// Where \p keeps is false the text is only counted.
  explicit JsonStream(bool keeps, std::size_t expected = 0) : isKept(keeps) { text.reserve(expected); }

  void beginObject() { begin(JsonOut::Shape::Object); }
  void beginArray() { begin(JsonOut::Shape::Array); }
  void end();
  /// The key of what comes next.
  void key(std::string_view name);
  void value(JsonOut v);
  void member(std::string_view name, JsonOut v) {
    key(name);
    value(std::move(v));
  }

  /// How long the text is.
  std::size_t size() const { return counted + text.size(); }
  /// The text, which ends in a line feed, once all has ended.
  std::string take();

private:
  /// What has begun and has not ended.
  struct Open {
    JsonOut::Shape shape;
    std::string key;          ///< as it is written
    JsonOut held;             ///< what may still stand on one line
    std::size_t length = 2;   ///< of that line
    std::size_t children = 0; ///< that are written
    bool isBroken = false;    ///< each child stands on a line of its own
  };
  void begin(JsonOut::Shape shape);
  void breakLines();
  void write(std::size_t level, const std::string &name, const JsonOut &v);
  void startLine(std::size_t level, const std::string &name);
  void count();

  std::vector<Open> stack;
  std::string text;
  std::string next; ///< the key that was given
  std::size_t counted = 0;
  bool isKept;
};

bool isUtf8(std::string_view text);

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONOUT_H
