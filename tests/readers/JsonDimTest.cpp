//===- JsonDimTest.cpp - Sizes as text: what is printed is read again -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "readers/json/DimText.h"
#include <gtest/gtest.h>
#include <random>

namespace condlint {
namespace {

Dim parse(DimTable &t, std::string_view text) {
  const auto d = json::parseDim(
      t, text, [&](std::string_view name) { return t.symbol(name, SymbolOrigin::Declared, Interval()); });
  EXPECT_TRUE(d) << text << ": " << (d ? "" : d.error().message);
  return d ? *d : Dim();
}

std::string errorOf(std::string_view text) {
  DimTable t;
  const auto d = json::parseDim(t, text, [&](std::string_view name) { return t.symbol(name, SymbolOrigin::Named); });
  return d ? "no error: " + t.str(*d) : d.error().message;
}

TEST(JsonDimTest, ReadsTheNotation) {
  DimTable t;
  for (const char *text : {"4",
                           "-3",
                           "s0",
                           "2*s0 + 1",
                           "s0//2",
                           "(s0 + 1)//2",
                           "min(s0, 4)",
                           "max(s0, s1, 2)",
                           "2*(s0//2)",
                           "s0 % 4",
                           "(s0 + 1) % s1",
                           "-s0 + 4",
                           "s0*s0 + s0*s1 - 7",
                           "f(s0, 3)",
                           "f()",
                           "'batch size' + 1",
                           "x.0",
                           "?",
                           "-9223372036854775808",
                           R"('a\'\\\x0a')"})
    EXPECT_EQ(t.str(parse(t, text)), text);
  // Also what is never printed.
  EXPECT_EQ(t.str(parse(t, "(s0)//2")), "s0//2");
  EXPECT_EQ(t.str(parse(t, "((2)*( s0))+s0")), "3*s0");
  EXPECT_EQ(t.str(parse(t, "- - s0")), "s0");
  EXPECT_EQ(t.str(parse(t, "s0*?")), "?");
  EXPECT_EQ(t.str(parse(t, "7//0")), "?");
}

TEST(JsonDimTest, RefusesTheRest) {
  EXPECT_EQ(errorOf(""), "expected a number, a name or '(' at character 1 of the size");
  EXPECT_EQ(errorOf("2 s0"), "expected the end or an operator at character 3 of the size");
  EXPECT_EQ(errorOf("(s0"), "expected ')' at character 4 of the size");
  EXPECT_EQ(errorOf("min(s0"), "expected ',' or ')' at character 7 of the size");
  EXPECT_EQ(errorOf("min()"), "expected a size to choose from at character 6 of the size");
  EXPECT_EQ(errorOf("'open"), "expected a name that ends in a quote at character 6 of the size");
  EXPECT_EQ(errorOf("s0/2"), "expected the end or an operator at character 3 of the size");
  EXPECT_EQ(errorOf("99999999999999999999"), "expected a number of 64 bits at character 1 of the size");
  EXPECT_EQ(errorOf(std::string(100'000, '(')).substr(0, 41), "expected a size that nests less deeply at");
  std::string sum = "1";
  for (int i = 0; i < 20'000; ++i)
    sum += "+1";
  EXPECT_EQ(errorOf(sum).substr(0, 23), "expected a shorter size");
}

TEST(JsonDimTest, RandomExpressionsReadAsTheSameForm) {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    DimTable t;
    std::vector<Dim> pool;
    for (const char *name : {"a", "b", "c"})
      pool.push_back(t.symbol(name, SymbolOrigin::Declared, {pick(-2, 2), pick(3, 40)}));
    for (int i = 0; i < 6; ++i) {
      const auto any = [&] { return pool[static_cast<std::size_t>(pick(0, static_cast<int>(pool.size()) - 1))]; };
      const Dim x = any(), y = pick(0, 1) == 0 ? t.constant(pick(-3, 9)) : any();
      switch (pick(0, 7)) {
      case 0:
        pool.push_back(t.sub(x, y));
        break;
      case 1:
        pool.push_back(t.mul(x, y));
        break;
      case 2:
        pool.push_back(t.floorDiv(x, y));
        break;
      case 3:
        pool.push_back(t.mod(x, y));
        break;
      case 4:
        pool.push_back(t.min(x, y));
        break;
      case 5:
        pool.push_back(t.max(x, y));
        break;
      case 6: {
        const Dim args[] = {x, y};
        pool.push_back(t.opaque("f", args));
        break;
      }
      default:
        pool.push_back(t.add(x, y));
      }
    }
    for (const Dim d : pool) {
      if (!d.known())
        continue;
      // In a table of its own, made in another order, without bounds.
      DimTable other;
      const std::string text = t.str(d);
      EXPECT_EQ(other.str(parse(other, text)), text);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10'000);
}

} // namespace
} // namespace condlint
