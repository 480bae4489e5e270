//===- JsonCursor.h - A strict walk over JSON, token by token ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// simdjson's first stage finds every token of a document, and checks UTF-8 and
// the quotes, at memory speed. This cursor walks those tokens once, on demand:
// what the reader looks at is decoded, what it skips is checked and stays where
// it is. simdjson's own on-demand front end leaves skipped values unchecked and
// matches no brackets there; a file that is not JSON must be refused wherever
// it is broken.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_JSONCURSOR_H
#define CONDLINT_LIB_READERS_PT2_JSONCURSOR_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::pt2 {

/// What a token begins.
enum class JsonKind : std::uint8_t { Object, Array, String, Number, Bool, Null, Invalid };
/// "an object", "a string": for messages.
std::string_view jsonKindName(JsonKind k);

/// A JSON number. `integer` holds what has neither fraction nor exponent and
/// fits 64 bits.
struct JsonNumber {
  bool integral = false; ///< written without fraction and exponent
  std::optional<std::int64_t> integer;
  double real = 0;
};

/// Walks one document. Every value must be consumed exactly once, by the
/// function of its kind or by \c skip. After a syntax error every value is
/// \c Invalid and every loop ends, so that a reader unwinds by itself.
class JsonCursor {
public:
  JsonCursor();
  ~JsonCursor();
  JsonCursor(const JsonCursor &) = delete;
  JsonCursor &operator=(const JsonCursor &) = delete;

  /// Takes \p document, which must stay alive and be followed by 64 readable
  /// bytes. False: see \c problem.
  bool open(std::string_view document);
  bool failed() const { return !message.empty(); }
  /// What is no JSON here, with the byte: empty when all is well.
  const std::string &problem() const { return message; }
  /// To be called after the root value: nothing may follow.
  void finish();

  JsonKind kind() const {
    if (next >= count)
      return JsonKind::Invalid;
    switch (text[indexes[next]]) {
    case '{':
      return JsonKind::Object;
    case '[':
      return JsonKind::Array;
    case '"':
      return JsonKind::String;
    case 't':
    case 'f':
      return JsonKind::Bool;
    case 'n':
      return JsonKind::Null;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return JsonKind::Number;
    default:
      return JsonKind::Invalid;
    }
  }
  bool is(JsonKind k) const { return kind() == k; }

  /// Calls \p field with each key; it must consume one value. The cursor must
  /// be at an object.
  template <class F> void object(F &&field) {
    ++next;
    if (take('}'))
      return;
    do {
      if (!is(JsonKind::String))
        return fail("expected a key in quotes");
      const std::string_view key = string();
      if (!take(':'))
        return fail("expected ':' after a key");
      field(key);
    } while (take(','));
    if (!take('}'))
      fail("expected ',' or '}'");
  }

  /// Calls \p element with the number of each element; it must consume one
  /// value. The cursor must be at an array.
  template <class F> void array(F &&element) {
    ++next;
    if (take(']'))
      return;
    std::uint32_t i = 0;
    do
      element(i++);
    while (take(','));
    if (!take(']'))
      fail("expected ',' or ']'");
  }

  /// The string at the cursor, unescaped. Points into the document, see
  /// \c contains, or into memory of the cursor.
  std::string_view string();
  /// The same as it is written between the quotes.
  std::string_view rawString();
  JsonNumber number();
  bool boolean();
  /// Consumes any one value and checks that it is JSON.
  void skip();

  /// True when \p s lies in the document.
  bool contains(std::string_view s) const { return s.data() >= text && s.data() + s.size() <= text + size; }
  /// A position to come back to with \c seek, at a value.
  std::uint32_t position() const { return next; }
  void seek(std::uint32_t position) {
    if (!failed())
      next = position;
  }
  /// The document from the token at the cursor on.
  std::string_view rest() const {
    return next < count ? std::string_view(text + indexes[next], size - indexes[next]) : std::string_view();
  }
  /// The bytes of the tokens from \p from up to the cursor.
  std::string_view since(std::uint32_t from) const;
  /// The byte of the document at which the cursor stands.
  std::size_t offset() const { return next < count ? indexes[next] : size; }

  /// Gives up: \p why the document cannot be read here.
  void fail(std::string_view why);

private:
  bool take(char c) {
    if (next < count && text[indexes[next]] == c) {
      ++next;
      return true;
    }
    return false;
  }
  /// The token at the cursor without the white space after it.
  std::string_view token() const;
  void scalar();

  struct Index;
  std::unique_ptr<Index> index;
  const char *text = nullptr;
  std::size_t size = 0;
  const std::uint32_t *indexes = nullptr;
  std::uint32_t next = 0;
  std::uint32_t count = 0;
  std::string message;
  std::deque<std::string> unescaped;
  std::vector<char> open_; ///< the brackets around the value that is skipped
};

/// \p raw, as it stands between quotes, without its escapes; nothing when they
/// are not JSON's.
std::optional<std::string> unescapeJson(std::string_view raw);

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_JSONCURSOR_H
