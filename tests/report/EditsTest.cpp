//===- EditsTest.cpp - Edits of a text -------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/Edits.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

Edit edit(std::uint32_t line, std::uint32_t column, std::uint32_t endLine, std::uint32_t endColumn, std::string text) {
  return {{"a.cc", "", line, column, endLine, endColumn}, std::move(text)};
}
Edit insertion(std::uint32_t line, std::uint32_t column, std::string text) {
  return edit(line, column, line, column, std::move(text));
}

TEST(Edits, AreAppliedWhateverTheirOrder) {
  const std::string text = "one\ntwo\nthree\n";
  EXPECT_EQ(*applyEdits(text, {insertion(3, 6, "!"), insertion(1, 1, "<"), edit(1, 3, 2, 2, "-")}), "<on-wo\nthree!\n");
  EXPECT_EQ(*applyEdits(text, {}), text);
  EXPECT_EQ(*applyEdits("end", {insertion(1, 4, ".")}), "end.");
}

TEST(Edits, WhatIsNotThereOrMeetsAnotherIsRefused) {
  EXPECT_FALSE(applyEdits("one\n", {insertion(3, 1, "x")}));
  EXPECT_FALSE(applyEdits("one\n", {insertion(1, 9, "x")}));
  EXPECT_FALSE(applyEdits("one\n", {insertion(0, 1, "x")}));
  EXPECT_FALSE(applyEdits("one\n", {edit(1, 3, 1, 1, "x")}));
  EXPECT_FALSE(applyEdits("one\n", {insertion(1, 2, "x"), insertion(1, 2, "y")}));
  EXPECT_FALSE(applyEdits("one\n", {edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 4, "y")}));
  EXPECT_TRUE(applyEdits("one\n", {edit(1, 1, 1, 2, "x"), edit(1, 2, 1, 3, "y")})) << "side by side";
  EXPECT_FALSE(applyEdits("", {insertion(1, 1, "x")}));
}

TEST(Edits, ADiffShowsThreeLinesAround) {
  EXPECT_EQ(*unifiedDiff("./src/a.cc", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {insertion(5, 2, "!")}),
            "--- a/src/a.cc\n+++ b/src/a.cc\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+5!\n 6\n 7\n 8\n");
  EXPECT_EQ(*unifiedDiff("/x/a.cc", "1", {insertion(1, 2, "!")}),
            "--- a/x/a.cc\n+++ b/x/a.cc\n@@ -1,1 +1,1 @@\n-1\n\\ No newline at end of file\n+1!\n\\ No newline at end "
            "of file\n");
}

TEST(Edits, ADiffCountsTheLinesThatTheTextGrew) {
  std::string text;
  for (int i = 1; i <= 30; ++i)
    text += std::to_string(i) + '\n';
  EXPECT_EQ(*unifiedDiff("a", text, {insertion(1, 1, "x\n"), insertion(4, 1, "y"), insertion(20, 1, "z")}),
            "--- a/a\n+++ b/a\n@@ -1,7 +1,8 @@\n-1\n+x\n+1\n 2\n 3\n-4\n+y4\n 5\n 6\n 7\n"
            "@@ -17,7 +18,7 @@\n 17\n 18\n 19\n-20\n+z20\n 21\n 22\n 23\n");
}

} // namespace
} // namespace condlint::test
