//===- JsonCursor.cpp - A strict walk over JSON, token by token -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JsonCursor.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <simdjson.h>
#include <sys/mman.h>

namespace condlint {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

unsigned hexValue(char c) {
  if (isDigit(c))
    return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

/// Length of the escape that begins at the backslash \p s starts with; 0: none.
std::size_t escapeLength(std::string_view s) {
  if (s.size() < 2)
    return 0;
  if (s[1] == 'u')
    return s.size() >= 6 && isHex(s[2]) && isHex(s[3]) && isHex(s[4]) && isHex(s[5]) ? 6 : 0;
  switch (s[1]) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
    return 2;
  default:
    return 0;
  }
}

bool escapesAreSound(std::string_view s) {
  for (std::size_t at = s.find('\\'); at != std::string_view::npos; at = s.find('\\', at)) {
    const std::size_t length = escapeLength(s.substr(at));
    if (length == 0)
      return false;
    at += length;
  }
  return true;
}

unsigned unit(std::string_view s) {
  return hexValue(s[2]) << 12 | hexValue(s[3]) << 8 | hexValue(s[4]) << 4 | hexValue(s[5]);
}

void appendUtf8(std::string &out, unsigned c) {
  const auto put = [&](unsigned b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

/// Four bytes a token make many pages; touching each for the first time would
/// cost more than finding the tokens. Untouched memory stays free.
void useHugePages(void *memory, std::size_t size) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  constexpr std::size_t worthwhile = 16u << 20;
  if (size < worthwhile)
    return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + size) / page * page;
  ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)size;
#endif
}

/// JSON's grammar of numbers, which is narrower than C's.
bool isNumber(std::string_view s, bool &integral) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < s.size() && isDigit(s[i]))
      ++i;
    return i - from;
  };
  if (i < s.size() && s[i] == '-')
    ++i;
  const std::size_t first = i;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && s[first] == '0'))
    return false;
  integral = true;
  if (i < s.size() && s[i] == '.') {
    integral = false;
    ++i;
    if (digits() == 0)
      return false;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    integral = false;
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-'))
      ++i;
    if (digits() == 0)
      return false;
  }
  return i == s.size();
}

/// What the cursor looks at beyond the token it stands at, and more (\c onlyField).
constexpr std::uint32_t lookAhead = 8;

std::string problemOf(simdjson::error_code error) {
  switch (error) {
  case simdjson::UTF8_ERROR:
    return "the JSON is not valid UTF-8";
  case simdjson::UNCLOSED_STRING:
    return "the JSON ends inside a string";
  case simdjson::UNESCAPED_CHARS:
    return "the JSON holds a control character inside a string";
  case simdjson::EMPTY:
    return "the JSON is empty";
  case simdjson::MEMALLOC:
    return "not enough memory to read the JSON";
  default:
    return std::string("the JSON cannot be read: ") + simdjson::error_message(error);
  }
}

} // namespace

std::string_view jsonKindName(JsonKind k) {
  constexpr std::array<std::string_view, 7> names{"an object", "a list", "a string", "a number",
                                                  "a boolean", "null",   "nothing"};
  return names[static_cast<std::size_t>(k)];
}

std::optional<std::string> unescapeJson(std::string_view raw) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size();) {
    if (raw[i] != '\\') {
      std::size_t end = raw.find('\\', i);
      if (end == std::string_view::npos)
        end = raw.size();
      out.append(raw, i, end - i);
      i = end;
      continue;
    }
    const std::string_view escape = raw.substr(i);
    const std::size_t length = escapeLength(escape);
    if (length == 0)
      return std::nullopt;
    i += length;
    switch (escape[1]) {
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'n':
      out += '\n';
      break;
    case 'r':
      out += '\r';
      break;
    case 't':
      out += '\t';
      break;
    case 'u': {
      unsigned c = unit(escape);
      if (c >= 0xd800 && c < 0xdc00 && escapeLength(raw.substr(i)) == 6) {
        const unsigned low = unit(raw.substr(i));
        if (low >= 0xdc00 && low < 0xe000) {
          c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
          i += 6;
        }
      }
      // Python writes a surrogate that stands alone; UTF-8 has no words for it.
      appendUtf8(out, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
      break;
    }
    default:
      out += escape[1];
    }
  }
  return out;
}

/// simdjson's parser, of which only the first stage is used.
struct JsonCursor::Index {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  std::size_t capacity = 0;

  /// Finds the tokens of \p piece.
  simdjson::error_code find(std::string_view piece) {
    if (!parser || capacity < piece.size()) {
      parser.reset();
      capacity = piece.size() + piece.size() / 16; // windows end where they can, at about the same length
      const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser);
      if (error != simdjson::SUCCESS)
        return error;
      useHugePages(parser->structural_indexes.get(), capacity * sizeof(std::uint32_t));
    }
    return parser->stage1(reinterpret_cast<const std::uint8_t *>(piece.data()), piece.size(),
                          simdjson::stage1_mode::regular);
  }
};

JsonCursor::JsonCursor() : index(std::make_unique<Index>()) {}
JsonCursor::~JsonCursor() = default;

bool JsonCursor::open(std::string_view document, std::size_t windowBytes) {
  text = document.data();
  size = document.size();
  windowLength = windowBytes;
  message.clear();
  unescaped.clear();
  starts.clear();
  forget();
  if (size >= simdjson::SIMDJSON_MAXSIZE_BYTES) {
    message = "the JSON is larger than 4 GiB";
    return false;
  }
  if (size == 0) {
    message = "the JSON is empty";
    return false;
  }
  return load(0, 0);
}

void JsonCursor::forget() {
  window = windowEnd = text + size;
  first = next = known = count = 0;
}

/// Where a window of about \p length bytes ends that begins at \p from: behind what looks like the end of a string, so
/// that it hardly ever ends in one.
std::size_t JsonCursor::windowEndFrom(std::size_t from, std::size_t length) const {
  if (length >= size - from)
    return size;
  for (std::size_t i = from + length; i + 1 < size; ++i) {
    const char *quote = static_cast<const char *>(std::memchr(text + i, '"', size - 1 - i));
    if (quote == nullptr)
      return size;
    i = static_cast<std::size_t>(quote - text);
    if (quote[-1] != '\\' && (quote[1] == ',' || quote[1] == ':' || quote[1] == '}' || quote[1] == ']'))
      return i + 1;
  }
  return size;
}

/// Finds the tokens of the window that begins at the byte \p from, where the token \p number is. False: the cursor has
/// failed.
bool JsonCursor::load(std::size_t from, std::uint32_t number) {
  std::size_t end = 0;
  for (std::size_t length = windowLength;; length += length) {
    end = windowEndFrom(from, length);
    const simdjson::error_code error = index->find({text + from, end - from});
    // A window that ends in a string after all, or is too short to go on in, is made longer.
    if (end < size && (error == simdjson::UNCLOSED_STRING || error == simdjson::EMPTY ||
                       (error == simdjson::SUCCESS && index->parser->n_structural_indexes <= lookAhead)))
      continue;
    if (error == simdjson::SUCCESS)
      break;
    message = problemOf(error);
    forget();
    return false;
  }
  window = text + from;
  windowEnd = text + end;
  indexes = index->parser->structural_indexes.get();
  first = number;
  next = 0;
  known = index->parser->n_structural_indexes;
  count = end < size ? known - lookAhead : known;
  if (starts.empty() || starts.back().token < number)
    starts.push_back({from, number});
  return true;
}

/// The next window, with the token at the cursor as its first. False: there is none.
bool JsonCursor::advance() { return windowEnd != text + size && load(offset(), first + next); }

/// To a token outside of the window.
void JsonCursor::seekFar(std::uint32_t position) {
  const Start near = *std::prev(std::ranges::upper_bound(starts, position, {}, &Start::token));
  if ((position < first || near.token > first) && !load(near.byte, near.token))
    return;
  do
    next = std::min(position - first, count);
  while (first + next < position && advance());
}

std::uint32_t JsonCursor::tokens() const {
  const auto seen = static_cast<double>(windowEnd - text);
  return windowEnd == text + size
             ? first + known
             : static_cast<std::uint32_t>(static_cast<double>(first + known) * (static_cast<double>(size) / seen));
}

void JsonCursor::finish() {
  if (!failed() && ready())
    fail("expected the end of the document");
}

void JsonCursor::fail(std::string_view why) {
  if (failed())
    return;
  if (ready())
    message = "no JSON at byte " + std::to_string(offset()) + ": " + std::string(why);
  else if (!failed())
    message = "the JSON ends early at byte " + std::to_string(size) + ": " + std::string(why);
  forget();
}

std::string_view JsonCursor::since(std::size_t from) const {
  std::size_t end = offset();
  // The cursor stands behind the value: what lies between is white space.
  while (end > from && isSpace(text[end - 1]))
    --end;
  return {text + from, end - from};
}

std::string_view JsonCursor::rawString() {
  const std::string_view t = token();
  if (t.size() < 2 || t.back() != '"') {
    fail("expected a string");
    return {};
  }
  const std::string_view inside = t.substr(1, t.size() - 2);
  if (!escapesAreSound(inside)) {
    fail("a string holds an escape that JSON does not know");
    return {};
  }
  ++next;
  return inside;
}

std::string_view JsonCursor::escapedString() {
  const std::string_view raw = rawString();
  if (raw.find('\\') == std::string_view::npos)
    return raw;
  // rawString has seen that the escapes are sound.
  return unescaped.emplace_back(unescapeJson(raw).value_or(std::string()));
}

JsonNumber JsonCursor::number() {
  JsonNumber n;
  const std::string_view t = token();
  if (!isNumber(t, n.integral)) {
    fail("expected a number");
    return n;
  }
  if (n.integral) {
    std::int64_t value = 0;
    if (std::from_chars(t.data(), t.data() + t.size(), value).ec == std::errc()) {
      n.integer = value;
      n.real = static_cast<double>(value);
      ++next;
      return n;
    }
  }
  std::from_chars(t.data(), t.data() + t.size(), n.real);
  ++next;
  return n;
}

bool JsonCursor::boolean() {
  const std::string_view t = token();
  if (t != "true" && t != "false") {
    fail("expected true or false");
    return false;
  }
  ++next;
  return t.size() == 4;
}

void JsonCursor::scalar() {
  switch (kind()) {
  case JsonKind::String:
    rawString();
    return;
  case JsonKind::Number: {
    bool integral = false;
    if (!isNumber(token(), integral))
      return fail("expected a number");
    ++next;
    return;
  }
  case JsonKind::Bool:
    boolean();
    return;
  case JsonKind::Null:
    if (token() != "null")
      return fail("expected null");
    ++next;
    return;
  default:
    fail("expected a value");
  }
}

void JsonCursor::skip() {
  openBrackets.clear();
  const auto key = [&] {
    if (!is(JsonKind::String))
      return fail("expected a key in quotes");
    rawString();
    if (!take(':'))
      fail("expected ':' after a key");
  };
  while (!failed()) {
    if (take('{')) {
      if (!take('}')) {
        openBrackets.push_back('}');
        key();
        continue;
      }
    } else if (take('[')) {
      if (!take(']')) {
        openBrackets.push_back(']');
        continue;
      }
    } else {
      scalar();
    }
    // A value is complete: close what ends with it.
    for (;;) {
      if (openBrackets.empty() || failed())
        return;
      if (take(',')) {
        if (openBrackets.back() == '}')
          key();
        break;
      }
      if (!take(openBrackets.back()))
        return fail(openBrackets.back() == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
      openBrackets.pop_back();
    }
  }
}

} // namespace condlint
