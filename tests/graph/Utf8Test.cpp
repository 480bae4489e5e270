//===- Utf8Test.cpp - The characters of a text ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "graph/Utf8.h"
#include <gtest/gtest.h>
#include <vector>

namespace condlint {
namespace {

std::vector<char32_t> pointsOf(std::string_view text) {
  std::vector<char32_t> points;
  std::size_t bytes = 0;
  eachCharacter(text, [&](const Utf8Character &c, std::string_view own) {
    EXPECT_EQ(c.isText, c.point != 0xFFFD || own == "\xEF\xBF\xBD");
    bytes += own.size();
    points.push_back(c.point);
    return true;
  });
  EXPECT_EQ(bytes, text.size());
  return points;
}

using Points = std::vector<char32_t>;

TEST(Utf8, ReadsCharactersOfEachLength) {
  EXPECT_EQ(pointsOf("a\xC3\xB8\xE2\x82\xAC\xF0\x9F\x98\x80z"), (Points{'a', 0xF8, 0x20AC, 0x1F600, 'z'}));
  EXPECT_EQ(pointsOf(std::string_view("\0", 1)), (Points{0}));
  EXPECT_EQ(pointsOf("\xF4\x8F\xBF\xBF\xED\x9F\xBF\xEE\x80\x80"), (Points{0x10FFFF, 0xD7FF, 0xE000}));
  EXPECT_EQ(pointsOf(""), Points());
  EXPECT_EQ(firstCharacter("\xF0\x9F\x98\x80").utf16Units(), 2U);
  EXPECT_EQ(firstCharacter("\xEF\xBF\xBD").utf16Units(), 1U);
}

// As `bytes.decode("utf-8", "replace")` of Python and `TextDecoder` of browsers do.
TEST(Utf8, BytesThatAreNoTextAreOneCharacterAsFarAsTheyCouldBeginOne) {
  constexpr char32_t no = 0xFFFD;
  EXPECT_EQ(pointsOf("\xFF\xFE"), (Points{no, no}));
  EXPECT_EQ(pointsOf("\x80x"), (Points{no, 'x'}));
  EXPECT_EQ(pointsOf("\xE2\x82x"), (Points{no, 'x'})) << "begun and not ended";
  EXPECT_EQ(pointsOf("\xF0\x9F\x98"), (Points{no})) << "at the end";
  EXPECT_EQ(pointsOf("\xC0\xAF"), (Points{no, no})) << "too long for its value";
  EXPECT_EQ(pointsOf("\xE0\x9F\xBF"), (Points{no, no, no}));
  EXPECT_EQ(pointsOf("\xED\xA0\x80"), (Points{no, no, no})) << "a surrogate";
  EXPECT_EQ(pointsOf("\xF4\x90\x80\x80"), (Points{no, no, no, no})) << "beyond Unicode";
  EXPECT_EQ(pointsOf("\xF0\x9F\xC3\xB8"), (Points{no, 0xF8}));
}

TEST(Utf8, ReplacesWhatIsNoText) {
  std::string out = "> ";
  appendSound(out, "a\xE2\x82z\xC3\xB8");
  EXPECT_EQ(out, "> a\xEF\xBF\xBDz\xC3\xB8");
}

} // namespace
} // namespace condlint
