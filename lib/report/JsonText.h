//===- JsonText.h - JSON as it is written -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_JSONTEXT_H
#define CONDLINT_LIB_REPORT_JSONTEXT_H

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace condlint {

/// Writes JSON on one line, part by part, without a tree of it before: a report has a record for each of very many
/// conditionals. Bytes that are no text are replaced, so that it is sound JSON whatever the model holds. Byte for byte
/// what nlohmann's `dump` writes of the same.
class JsonText {
public:
  /// A value in an array, or the one that belongs to a key.
  void null() { put("null"); }
  void value(std::string_view text);
  void value(const char *text) { value(std::string_view(text)); }
  void value(bool truth) { put(truth ? "true" : "false"); }
  template <std::integral Number> void value(Number number) { put(std::to_string(number)); }
  /// Empty text is not known: null.
  void valueOrNull(std::string_view text);

  /// \p fill writes what is in it.
  template <class Fill> void object(const Fill &fill) { enclosed('{', '}', fill); }
  template <class Fill> void array(const Fill &fill) { enclosed('[', ']', fill); }
  /// An array with one element for each of \p all, which \p one writes.
  template <class All, class One> void arrayOf(const All &all, const One &one) {
    array([&] {
      for (const auto &item : all)
        one(item);
    });
  }

  /// What is written next belongs to \p name.
  JsonText &key(std::string_view name);
  template <class Value> void member(std::string_view name, const Value &v) { key(name).value(v); }
  void memberOrNull(std::string_view name, std::string_view text) { key(name).valueOrNull(text); }

  std::string take() { return std::move(out); }

private:
  template <class Fill> void enclosed(char open, char close, const Fill &fill) {
    put(std::string_view(&open, 1));
    needsComma = false;
    fill();
    out += close;
    needsComma = true;
  }
  void put(std::string_view written);
  void quote(std::string_view text);

  std::string out;
  bool needsComma = false;
};

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_JSONTEXT_H
