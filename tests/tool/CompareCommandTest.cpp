//===- CompareCommandTest.cpp - condlint compare from the outside ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <gtest/gtest.h>

using namespace condlint::test;

namespace {

/// The same model before and after, by way of graph JSON.
void bothVersions(Workshop &w) {
  w.example("nested.onnx", "before.onnx");
  w.write("after.json", w.run({"dump", "before.onnx", "--output", "json"}).out);
}

} // namespace

TEST(CompareCommand, AModelAndItsDumpAreOne) {
  Workshop w;
  bothVersions(w);
  const Outcome o = w.run({"compare", "before.onnx", "after.json"});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_TRUE(o.says("2 conditionals before, 2 after, 2 the same: 0 errors")) << o.out;
}

TEST(CompareCommand, WhatIsWrongIsSaidAndCounts) {
  Workshop w;
  bothVersions(w);
  std::string after = w.read("after.json");
  const std::size_t mul = after.find("\"Mul\"");
  ASSERT_NE(mul, std::string::npos);
  after.replace(mul, 5, "\"Add\""); // both inner branches add now
  w.write("wrong.json", after);
  const Outcome o = w.run({"compare", "before.onnx", "wrong.json"});
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  EXPECT_TRUE(o.says("[overwritten]")) << o.out;
  EXPECT_EQ(w.run({"compare", "before.onnx", "wrong.json", "--fail-on", "never"}).code, 0);
  const nlohmann::json report = w.run({"compare", "before.onnx", "wrong.json", "--output", "json"}).json();
  EXPECT_EQ(report["exitCode"], 1);
  EXPECT_EQ(report["pairs"].size(), 2u);
  EXPECT_EQ(report["changes"][0]["severity"], "error");
}

TEST(CompareCommand, BothAreRunWhereThatIsAsked) {
  Workshop w;
  bothVersions(w);
  const nlohmann::json report = w.run({"compare", "before.onnx", "before.onnx", "--run", "--output", "json"}).json();
  EXPECT_EQ(report["exitCode"], 0);
  EXPECT_GT(report["run"]["draws"], 0);
  const Outcome none = w.run({"compare", "before.onnx", "after.json", "--run"});
  EXPECT_EQ(none.code, 3) << "graph JSON has no weights";
  EXPECT_TRUE(none.says("not all of it was run")) << none.out;
}

TEST(CompareCommand, SaysWhatCannotBeCompared) {
  Workshop w;
  bothVersions(w);
  EXPECT_EQ(w.run({"compare", "before.onnx"}).code, 2);
  EXPECT_EQ(w.run({"compare", "before.onnx", "absent.onnx"}).code, 3);
  w.write("broken.onnx", "no model");
  EXPECT_EQ(w.run({"compare", "broken.onnx", "before.onnx"}).code, 3);
  EXPECT_EQ(w.run({"compare", "before.onnx", "after.json", "--draws", "2"}).code, 2)
      << "nothing is drawn without --run";
  EXPECT_EQ(w.run({"compare", "before.onnx", "after.json", "--run", "--rtol", "-1"}).code, 2);
  EXPECT_EQ(w.run({"compare", "before.onnx", "after.json", "--fail-on", "sometimes"}).code, 2);
}
