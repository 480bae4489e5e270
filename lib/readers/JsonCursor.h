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
// The tokens are found a window of the document at a time, in memory that is
// used again for the next one: for a document of 50 MB, bringing in the pages
// that all of them need took longer than finding them.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_JSONCURSOR_H
#define CONDLINT_LIB_READERS_JSONCURSOR_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// `s == literal`, decided without a call: keys are compared for every token.
template <std::size_t N> inline bool same(std::string_view s, const char (&literal)[N]) {
  return s.size() == N - 1 && std::memcmp(s.data(), literal, N - 1) == 0;
}

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

  /// Bytes of the document whose tokens are known at a time: they stay in the processor's second cache. For who walks
  /// on, and seldom goes back.
  static constexpr std::size_t usualWindow = std::size_t{256} << 10;
  /// All tokens are known, for who goes to and fro by their numbers.
  static constexpr std::size_t wholeDocument = std::numeric_limits<std::size_t>::max();

  /// Takes \p document, which must stay alive and be followed by 64 readable
  /// bytes. False: see \c problem. What is no JSON behind the first window is
  /// a problem once the cursor comes there.
  bool open(std::string_view document, std::size_t windowBytes = usualWindow);
  bool failed() const { return !message.empty(); }
  /// What is no JSON here, with the byte: empty when all is well.
  const std::string &problem() const { return message; }
  /// To be called after the root value: nothing may follow.
  void finish();

  JsonKind kind() {
    if (!ready())
      return JsonKind::Invalid;
    switch (window[indexes[next]]) {
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
  bool is(JsonKind k) { return kind() == k; }

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
  std::string_view string() {
    const std::string_view t = token();
    if (t.size() < 2 || t.back() != '"' || hasBackslash(t.substr(1, t.size() - 2)))
      return escapedString();
    ++next;
    return t.substr(1, t.size() - 2);
  }
  /// Consumes an object that holds nothing but the string \p key, the commonest
  /// shape by far. False, with nothing consumed, for any other.
  template <std::size_t N> bool onlyField(const char (&key)[N], std::string_view &value) {
    if (!ready() || known - next < 5 || window[indexes[next]] != '{' || window[indexes[next + 1]] != '"' ||
        std::memcmp(window + indexes[next + 1] + 1, key, N - 1) != 0 || window[indexes[next + 1] + N] != '"' ||
        window[indexes[next + 2]] != ':' || window[indexes[next + 3]] != '"' || window[indexes[next + 4]] != '}')
      return false;
    const char *from = window + indexes[next + 3] + 1;
    const char *to = window + indexes[next + 4];
    while (isSpace(to[-1]))
      --to;
    if (to[-1] != '"' || to - 1 < from)
      return false;
    value = {from, static_cast<std::size_t>(to - 1 - from)};
    if (hasBackslash(value))
      return false;
    next += 5;
    return true;
  }
  /// The same as it is written between the quotes.
  std::string_view rawString();
  JsonNumber number();
  bool boolean();
  /// Consumes any one value and checks that it is JSON.
  void skip();

  /// The token at the cursor without the white space after it.
  std::string_view token() {
    if (!ready())
      return {};
    const char *from = window + indexes[next];
    const char *to = next + 1 < known ? window + indexes[next + 1] : windowEnd;
    while (to > from && isSpace(to[-1]))
      --to;
    return {from, static_cast<std::size_t>(to - from)};
  }
  /// True when \p s lies in the document.
  bool contains(std::string_view s) const { return s.data() >= text && s.data() + s.size() <= text + size; }
  /// How many tokens the document has; about as many where not all are known.
  std::uint32_t tokens() const;
  /// The number of the token at the cursor: a position to come back to with \c seek, at a value.
  std::uint32_t position() const { return first + next; }
  void seek(std::uint32_t position) {
    if (failed())
      return;
    if (position - first < count)
      next = position - first;
    else
      seekFar(position);
  }
  /// The first byte of the token at \p position, which is one. Only where all tokens are known.
  char at(std::uint32_t position) const { return window[indexes[position]]; }
  /// The document from the token at the cursor on.
  std::string_view rest() const { return std::string_view(text, size).substr(offset()); }
  /// The document from its byte \p from up to the cursor, without the white space before it.
  std::string_view since(std::size_t from) const;
  /// The byte of the document at which the cursor stands.
  std::size_t offset() const { return next < known ? static_cast<std::size_t>(window - text) + indexes[next] : size; }

  /// Gives up: \p why the document cannot be read here.
  void fail(std::string_view why);

private:
  /// True when there is a token at the cursor, one of the window then.
  bool ready() { return next < count || advance(); }
  bool take(char c) {
    if (ready() && window[indexes[next]] == c) {
      ++next;
      return true;
    }
    return false;
  }
  static bool isSpace(char ch) { return ch == ' ' || ch == '\n' || ch == '\r' || ch == '\t'; }
  /// Most strings are short: eight bytes at a time, as 64 bytes may be read behind the document.
  static bool hasBackslash(std::string_view s) {
    if (s.size() > 64)
      return std::memchr(s.data(), '\\', s.size()) != nullptr;
    for (std::size_t i = 0; i < s.size(); i += 8) {
      std::uint64_t word;
      std::memcpy(&word, s.data() + i, 8);
      if (s.size() - i < 8)
        word &= tailMask(s.size() - i);
      word ^= 0x5c5c5c5c5c5c5c5cu;
      if (((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0)
        return true;
    }
    return false;
  }
  /// Keeps the first \p n bytes of a word, 0 < n < 8.
  static constexpr std::uint64_t tailMask(std::size_t n) {
    const std::uint64_t all = ~std::uint64_t(0);
    return std::endian::native == std::endian::little ? all >> (64 - 8 * n) : all << (64 - 8 * n);
  }
  std::string_view escapedString();
  void scalar();
  bool advance();
  bool load(std::size_t from, std::uint32_t number);
  std::size_t windowEndFrom(std::size_t from, std::size_t length) const;
  void seekFar(std::uint32_t position);
  void forget();

  /// Where a window begins: at a token.
  struct Start {
    std::size_t byte;
    std::uint32_t token;
  };

  struct Index;
  std::unique_ptr<Index> index;
  const char *text = nullptr; ///< the document
  std::size_t size = 0;
  std::size_t windowLength = usualWindow;
  const char *window = nullptr; ///< what \c indexes count from
  const char *windowEnd = nullptr;
  const std::uint32_t *indexes = nullptr;
  std::uint32_t first = 0;   ///< the number of the window's first token
  std::uint32_t next = 0;    ///< the cursor, in the window
  std::uint32_t known = 0;   ///< tokens of the window
  std::uint32_t count = 0;   ///< those that the cursor may stand at: a few more are known, but at the document's end
  std::vector<Start> starts; ///< of the windows so far, in order
  std::string message;
  std::deque<std::string> unescaped;
  std::vector<char> openBrackets; ///< the brackets around the value that is skipped
};

/// \p raw, as it stands between quotes, without its escapes; nothing when they
/// are not JSON's.
std::optional<std::string> unescapeJson(std::string_view raw);

} // namespace condlint

#endif // CONDLINT_LIB_READERS_JSONCURSOR_H
