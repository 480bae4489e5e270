//===- JsonTextTest.cpp - JSON as it is written ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/JsonText.h"
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace condlint {
namespace {

std::string textOf(std::string_view value) {
  JsonText json;
  json.value(value);
  return json.take();
}

TEST(JsonText, WritesWhatALibraryWrites) {
  JsonText json;
  json.object([&] {
    json.member("name", "a");
    json.memberOrNull("none", "");
    json.member("yes", true);
    json.member("least", std::numeric_limits<std::int64_t>::min());
    json.member("most", std::numeric_limits<std::size_t>::max());
    json.key("empty").object([] {});
    json.key("list").arrayOf(std::vector<int>{1, 2}, [&](int i) { json.value(i); });
    json.key("nested").array([&] {
      json.array([] {});
      json.null();
      json.object([&] { json.member("k", false); });
    });
  });
  const std::string text = json.take();
  EXPECT_EQ(text, R"({"name":"a","none":null,"yes":true,"least":-9223372036854775808,"most":18446744073709551615,)"
                  R"("empty":{},"list":[1,2],"nested":[[],null,{"k":false}]})");
  EXPECT_EQ(nlohmann::ordered_json::parse(text).dump(), text);
}

TEST(JsonText, EscapesAsALibraryDoes) {
  std::vector<std::string> texts{
      "", "\xE2\x82", "\xE2\x82x", "\xED\xA0\x80", "\xF0\x9F\x98\x80\xC3", "\xC3\xB8\xFF\xFE!"};
  std::string all;
  for (int c = 0; c < 256; ++c) {
    texts.push_back(std::string(1, static_cast<char>(c)));
    texts.push_back("a" + std::string(1, static_cast<char>(c)) + "b");
    all += static_cast<char>(c);
  }
  texts.push_back(all);
  for (const std::string &text : texts)
    EXPECT_EQ(textOf(text), nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
        << testing::PrintToString(text);
}

} // namespace
} // namespace condlint
