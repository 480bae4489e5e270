//===- Reporter.h - Where a reader stands, and what it met ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_REPORTER_H
#define CONDLINT_LIB_READERS_PT2_REPORTER_H

#include "JsonCursor.h"
#include "condlint/Graph.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::pt2 {

/// Keeps the path from the root of the document to where a reader stands, and
/// turns what contradicts the format into issues of the model. The path is text
/// only when an issue needs it.
class Reporter {
public:
  Reporter(Model &model, JsonCursor &cursor) : m(model), c(cursor) {}

protected:
  /// A step of the path while it lives: `.key`, or `.key[index]`.
  class At {
  public:
    At(Reporter &r, std::string_view key, std::int64_t index = -1) : reporter(r) {
      // A vector that never shrinks: this runs for every value of the document.
      if (r.depth == r.steps.size())
        r.steps.resize(r.depth * 2);
      r.steps[r.depth++] = {key, index};
    }
    ~At() { --reporter.depth; }
    At(const At &) = delete;
    At &operator=(const At &) = delete;

  private:
    Reporter &reporter;
  };

  std::string place() const {
    std::string out;
    for (std::size_t i = 0; i < depth; ++i) {
      const Step &s = steps[i];
      if (!s.key.empty()) {
        if (!out.empty())
          out += '.';
        out += s.key;
      }
      if (s.index >= 0)
        out += fmt::format("[{}]", s.index);
    }
    return out;
  }

  void issue(FormatIssue::Kind kind, std::string message, std::string_view below = {}, ValueId value = ValueId()) {
    ++issueCount;
    if (m.issues.size() <= maxIssues && !c.failed())
      list(made(kind, std::move(message), below, value));
  }

  /// An issue of what is at the cursor that is not listed: \c list lists it once it is known to be one.
  FormatIssue made(FormatIssue::Kind kind, std::string message, std::string_view below = {},
                   ValueId value = ValueId()) const {
    FormatIssue i;
    i.kind = kind;
    i.graph = currentGraph;
    i.value = value;
    if (value)
      i.node = m[value].def;
    i.place = place();
    i.place += below;
    i.message = std::move(message);
    return i;
  }

  void list(FormatIssue i) {
    if (m.issues.size() > maxIssues)
      return;
    if (m.issues.size() == maxIssues) {
      i.message = fmt::format("more than {} places contradict the format; the rest is not listed", maxIssues);
      i.place.clear();
    }
    m.issues.push_back(std::move(i));
  }
  void malformed(std::string message) { issue(FormatIssue::Kind::Malformed, std::move(message)); }

  /// Says that the value at the cursor is not \p expected, and skips it.
  void unexpected(std::string_view expected) {
    malformed(fmt::format("expected {}, found {}", expected, jsonKindName(c.kind())));
    c.skip();
  }

  /// The integer at the cursor; nothing, with an issue, when there is none.
  std::optional<std::int64_t> integer(std::string_view what) {
    if (!c.is(JsonKind::Number)) {
      unexpected(what);
      return std::nullopt;
    }
    const JsonNumber n = c.number();
    if (!n.integer && !c.failed())
      malformed(n.integral ? fmt::format("expected {}, found a number beyond 64 bits", what)
                           : fmt::format("expected {}, found a fraction", what));
    return n.integer;
  }

  /// The string at the cursor; nothing, with an issue, when there is none.
  std::optional<std::string_view> text(std::string_view what) {
    if (!c.is(JsonKind::String)) {
      unexpected(what);
      return std::nullopt;
    }
    return c.string();
  }

  /// The fields of the object at the cursor: calls \p field with each key, a step of the path,
  /// at its value. A key that is given twice is reported, for JSON does not say which counts, and
  /// read once; not behind more keys than any record of the format has.
  template <class F> void fields(F &&field) {
    std::array<std::string_view, 16> seen;
    std::size_t count = 0;
    c.object([&](std::string_view key) {
      const At at(*this, key);
      const auto end = seen.begin() + static_cast<std::ptrdiff_t>(count);
      if (std::find(seen.begin(), end, key) != end) {
        malformed("the key is given twice");
        return c.skip();
      }
      if (count < seen.size())
        seen[count++] = key;
      field(key);
    });
  }

  /// An object that must have exactly one key, the tag: calls \p alternative
  /// with the first, at its value. A second key is reported and skipped: which of
  /// the two is meant nobody knows, for they have no order.
  /// \returns whether there was one key, and no more.
  template <class F> bool oneOf(std::string_view what, F &&alternative) {
    if (!c.is(JsonKind::Object)) {
      unexpected(what);
      return false;
    }
    std::uint32_t keys = 0;
    std::string_view first;
    std::string_view second;
    c.object([&](std::string_view tag) {
      if (keys++ == 0) {
        first = tag;
        return alternative(tag);
      }
      if (keys == 2)
        second = tag;
      c.skip();
    });
    if (keys == 0)
      malformed(fmt::format("expected {}, found an object without a key", what));
    else if (keys > 1)
      malformed(fmt::format("expected {} with exactly one key, found {}: '{}' and '{}'", what, keys, first, second));
    return keys == 1;
  }

  /// Most names come again soon, which spares a look-up in a large table.
  StringId intern(std::string_view s) {
    if (s.empty() || s.size() > 64)
      return internNew(s);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned mix = byte(s.size() - 1) + byte(s.size() / 2) * 33u + byte(0) * 7u +
                         (s.size() > 1 ? byte(s.size() - 2) * 17u : 0u) + static_cast<unsigned>(s.size()) * 5u;
    Recent &r = recent[mix % recent.size()];
    if (r.text != s) {
      const StringId id = internNew(s);
      r = {m.text(id), id};
    }
    return r.id;
  }

  Model &m;
  JsonCursor &c;
  GraphId currentGraph;
  std::size_t issueCount = 0; ///< all that were met, listed or not

private:
  /// A hostile file can hold a break in every byte.
  static constexpr std::size_t maxIssues = 1000;

  /// Names are copied, to lie side by side: each time one is met again it is compared, and where it lies in a large
  /// document is far from everything else. Long texts stay there: the model keeps it alive.
  StringId internNew(std::string_view s) {
    return s.size() > 64 && c.contains(s) ? m.strings.internStable(s) : m.strings.intern(s);
  }

  struct Recent {
    std::string_view text;
    StringId id;
  };
  struct Step {
    std::string_view key;
    std::int64_t index = -1;
  };
  std::vector<Step> steps = std::vector<Step>(64);
  std::size_t depth = 0;
  std::array<Recent, 512> recent;
};

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_REPORTER_H
