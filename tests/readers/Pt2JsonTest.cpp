//===- Pt2JsonTest.cpp - Strict JSON, and what hides in it ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "readers/JsonCursor.h"
#include "readers/pt2/StackTrace.h"
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::pt2 {
namespace {

/// Why \p text is no JSON, when the reader skips all of it; empty when it is.
std::string problem(const std::string &text) {
  const std::string padded = text + std::string(64, '}');
  JsonCursor c;
  if (c.open(std::string_view(padded).substr(0, text.size()))) {
    c.skip();
    c.finish();
  }
  return c.problem();
}

TEST(JsonCursorTest, AcceptsJson) {
  for (const char *text : {"{}", "[]", "0", "-0", "1.5e+3", "true", "false", "null", "\"\"", "\"\\u00e4\\n\\\"\"",
                           " { \"a\" : [ 1 , { } ] } ", "[[],[[]],{\"a\":{\"b\":[]}}]", "\"\\ud800\"", "\"äöü\""})
    EXPECT_EQ(problem(text), "") << text;
}

TEST(JsonCursorTest, RefusesWhatIsNoJsonWhereverItStands) {
  for (const char *text : {"",
                           " ",
                           "{",
                           "[",
                           "}",
                           "]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{1:1}",
                           "[1 2]",
                           "[1}",
                           "{\"a\":1]",
                           "[}",
                           "{]",
                           "1 2",
                           "{} {}",
                           "[1],",
                           "01",
                           "1.",
                           ".5",
                           "1e",
                           "+1",
                           "--1",
                           "0x10",
                           "1a",
                           "nul",
                           "nulll",
                           "True",
                           "tru",
                           "falsee",
                           "NaN",
                           "Infinity",
                           "'a'",
                           "\"a",
                           "\"\\q\"",
                           "\"\\u12g4\"",
                           "\"\\u12\"",
                           "\"a\"b",
                           "\"a\" \"b\"",
                           "\"\x01\"",
                           "[\"a\n\"]",
                           "\"\xff\"",
                           "{\"a\":1 \"b\":2}",
                           "{\"a\":1:2}",
                           "[[[[[",
                           "[]]"})
    EXPECT_NE(problem(text), "") << text;
}

TEST(JsonCursorTest, DepthTakesNoStack) {
  const std::string open(1000000, '[');
  EXPECT_NE(problem(open), "");
  EXPECT_EQ(problem(open + std::string(1000000, ']')), "");
  std::string mixed;
  for (int i = 0; i < 100000; ++i)
    mixed += "{\"a\":[";
  EXPECT_NE(problem(mixed), "");
}

/// All that a cursor sees that walks over \p text, with windows of \p windowBytes: what it reads, and why it stopped.
std::vector<std::string> walk(const std::string &text, std::size_t windowBytes) {
  const std::string padded = text + std::string(64, '}');
  std::vector<std::string> seen;
  JsonCursor c;
  const std::function<void(int)> value = [&](int depth) {
    std::string_view only;
    const std::uint32_t place = c.position();
    const std::size_t begin = c.offset();
    if (depth % 3 == 2 && c.onlyField("name", only)) {
      seen.push_back("only " + std::string(only));
    } else if (c.is(JsonKind::Object)) {
      c.object([&](std::string_view key) {
        seen.push_back("key " + std::string(key));
        value(depth + 1);
      });
    } else if (c.is(JsonKind::Array)) {
      c.array([&](std::uint32_t) { value(depth + 1); });
    } else {
      seen.push_back("token " + std::string(c.token()));
      c.skip();
    }
    seen.push_back(std::to_string(place) + " to " + std::to_string(c.position()) + " at " + std::to_string(begin));
    if (c.failed())
      return;
    // Back, once more over it, and to where it was.
    const std::uint32_t end = c.position();
    const std::string_view written = c.since(begin);
    c.seek(place);
    c.skip();
    EXPECT_EQ(c.position(), end);
    EXPECT_EQ(c.since(begin), written);
    c.seek(place);
    c.seek(end);
    seen.emplace_back(written);
  };
  if (c.open(std::string_view(padded).substr(0, text.size()), windowBytes)) {
    value(0);
    c.finish();
  }
  seen.push_back(c.problem());
  return seen;
}

TEST(JsonCursorTest, WindowsChangeNothing) {
  std::string many = "[";
  for (int i = 0; i < 40; ++i)
    many += std::string(i % 7 == 3 ? 90 : 0, ' ') + R"({"name":"n)" + std::to_string(i) + R"("}, [)" +
            std::to_string(i) + R"(,-2.5e3 ,true,null,"a\",\"b",{"name":"\\"},["","\\\"","\",",{}]],{"name": "x" } ,)";
  // What looks like the end of a string stands in this one.
  const std::string misleading =
      R"(["a","\\\",\":", ")" + std::string(300, 'x') + R"(,\u0022,","]:", 1, [2, 3], {"k":"v","l":{"m":"n"}}])";
  for (const std::string &text :
       {many + "0]", misleading, many + "0", many + "0]]", many + "tru]", many + "\"a\tb\"]", many + "\"\xff\"]",
        many + "\"open", many + "{\"a\":1,}]", many + std::string(500, ' ') + "]", std::string(500, ' ') + many + "0]",
        std::string("\"alone\"")}) {
    const std::vector<std::string> whole = walk(text, JsonCursor::wholeDocument);
    const bool readsAtOnce = whole.size() == 1; // what is no JSON is found before anything is read
    for (std::size_t window : {1u, 2u, 7u, 30u, 64u, 100u, 333u, 1000u, 5000u}) {
      const std::vector<std::string> seen = walk(text, window);
      EXPECT_EQ(seen.back(), whole.back()) << window << ": " << text;
      if (!readsAtOnce) {
        EXPECT_EQ(seen, whole) << window;
      }
    }
  }
}

TEST(JsonCursorTest, ReadsValues) {
  const std::string text =
      "{\"a\\u0062\": [1, -2.5, 18446744073709551616, true, \"x\\ty\", null], \"c\": {}}" + std::string(64, ' ');
  JsonCursor c;
  ASSERT_TRUE(c.open(std::string_view(text).substr(0, text.size() - 64)));
  std::vector<std::string> keys;
  c.object([&](std::string_view key) {
    keys.emplace_back(key);
    if (key != "ab")
      return c.skip();
    c.array([&](std::uint32_t i) {
      switch (i) {
      case 0:
        EXPECT_EQ(c.number().integer, 1);
        break;
      case 1: {
        const JsonNumber n = c.number();
        EXPECT_FALSE(n.integral);
        EXPECT_EQ(n.real, -2.5);
        break;
      }
      case 2: {
        const JsonNumber n = c.number();
        EXPECT_TRUE(n.integral);
        EXPECT_FALSE(n.integer.has_value());
        break;
      }
      case 3:
        EXPECT_TRUE(c.boolean());
        break;
      case 4:
        EXPECT_EQ(c.string(), "x\ty");
        break;
      default:
        EXPECT_TRUE(c.is(JsonKind::Null));
        c.skip();
      }
    });
  });
  c.finish();
  EXPECT_EQ(c.problem(), "");
  EXPECT_EQ(keys, (std::vector<std::string>{"ab", "c"}));
}

TEST(JsonCursorTest, Unescapes) {
  EXPECT_EQ(unescapeJson("a\\\"\\\\\\/\\b\\f\\n\\r\\t"), "a\"\\/\b\f\n\r\t");
  EXPECT_EQ(unescapeJson("\\u0041\\u00e4\\u20ac\\ud83d\\ude00"), "A\u00e4\u20ac\U0001F600");
  EXPECT_EQ(unescapeJson("\\ud800x"), "\ufffdx");
  EXPECT_EQ(unescapeJson("\\udc00\\ud800\\ud800"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(unescapeJson("\\x"), std::nullopt);
  EXPECT_EQ(unescapeJson("\\"), std::nullopt);
}

TEST(StackTraceTest, FirstFrameOfTheUser) {
  SourceLocation l = locationOfStackTrace("File \\\"models/gen.py\\\", line 9, in forward\\n    a, b = c\\n  File "
                                          "\\\"<eval_with_key>.5\\\", line 12, in forward\\n    x");
  EXPECT_EQ(l.path, "models/gen.py");
  EXPECT_EQ(l.line, 9u);
  EXPECT_EQ(l.function, "forward");
  // Strict exports from 2.13 on begin inside torch.
  l = locationOfStackTrace(
      "  File \\\"/usr/lib/python3/dist-packages/torch/_dynamo/functional_export.py\\\", line 203, in "
      "forward\\n    res\\n  File \\\"<eval_with_key>.1\\\", line 3, in f\\n  File "
      "\\\"/home/u/torch/a b.py\\\", line 5, in g\\n");
  EXPECT_EQ(l.path, "/home/u/torch/a b.py");
  EXPECT_EQ(l.line, 5u);
  EXPECT_EQ(l.function, "g");
  l = locationOfStackTrace(
      "File \\\"C:\\\\venv\\\\Lib\\\\site-packages\\\\torch\\\\nn\\\\x.py\\\", line 1, in a\\n  File "
      "\\\"m.py\\\", line 2, in <module>");
  EXPECT_EQ(l.path, "m.py");
  EXPECT_EQ(l.function, "<module>");
}

TEST(StackTraceTest, NothingForNoFrame) {
  for (const char *text : {"", "x", "File", "File \\\"a", "File \\\"a\\\", line x, in f",
                           "File \\\"torch/_ops.py\\\", line 1", "\\q", "File \\\"a\\\", line 99999999999, in f"})
    EXPECT_FALSE(locationOfStackTrace(text).valid()) << text;
  EXPECT_TRUE(locationOfStackTrace("File \\\"a\\\", line 7").valid());
}

} // namespace
} // namespace condlint::pt2
