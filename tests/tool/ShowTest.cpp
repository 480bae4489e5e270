//===- ShowTest.cpp - condlint show, and the page ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <filesystem>
#include <gtest/gtest.h>

using namespace condlint::test;
using Words = std::vector<std::string>;

TEST(Show, WritesAPageAndNamesIt) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  const Outcome o = w.run({"show", "m.onnx"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("m.onnx.html: ")) << o.out;
  const std::string page = w.read("m.onnx.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

TEST(Show, OneConditionalByItsPathOrByWhatIsInIt) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  const nlohmann::json all = w.run({"check", "m.onnx", "--output", "json"}).json()["conditionals"];
  ASSERT_GE(all.size(), 2u);
  const std::string path = all.back()["path"];
  Outcome one = w.run({"show", "m.onnx", "--at", path, "--save", "-"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.out.find('>' + path + ' '), std::string::npos);
  EXPECT_EQ(one.out.find("id=\"c2\""), std::string::npos) << "one section alone";
  EXPECT_TRUE(w.run({"show", "m.onnx", "--at", path + "/then_branch/Add_7", "--save", "one.html"})
                  .out.starts_with("one.html: 1 "));
  const Outcome none = w.run({"show", "m.onnx", "--at", "main/If_99"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(none.says("unknown conditional 'main/If_99'"));
}

TEST(Show, AnArchiveIsDrawnAsAWhole) {
  const Workshop w;
  w.example("nested.onnx", "pack/a.onnx");
  w.example("float_predicate.pt2", "pack/b.pt2");
  ASSERT_TRUE(w.shell("tar cf m.tar -C pack ."));
  ASSERT_EQ(w.run({"show", "pack/a.onnx", "--save", "a.html"}).code, 0);
  const Outcome all = w.run({"show", "m.tar", "--save", "all.html"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_TRUE(all.says("all.html: 3 conditionals")) << all.out;
}

TEST(Show, SaysWhatCannotBeShown) {
  Workshop w;
  EXPECT_EQ(w.run({"show"}).code, 2);
  EXPECT_EQ(w.run({"show", "absent.onnx"}).code, 3);
  w.write("broken.onnx", "no model");
  EXPECT_EQ(w.run({"show", "broken.onnx"}).code, 3);
  w.write("folder/x.txt", "");
  EXPECT_TRUE(w.run({"show", "folder"}).says("is a folder"));
  w.write(
      "none.json",
      R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 17}, "graph": {"parameters": [], "nodes": [], "results": []}})");
  const Outcome none = w.run({"show", "none.json"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(none.says("holds no conditional")) << none.err;
  w.example("nested.onnx", "m.onnx");
  EXPECT_EQ(w.run({"show", "m.onnx", "--save", "m.onnx"}).code, 2) << "the model itself";
  EXPECT_EQ(w.run({"show", "m.onnx", "--save", "no/such/folder/x.html"}).code, 2);
}

TEST(Page, OfCheckAndOfRunHasPictures) {
  Workshop w;
  w.example("squeeze.onnx", "m.onnx");
  w.run({"check", "m.onnx", "--output", "html=check.html"});
  EXPECT_NE(w.read("check.html").find("<svg"), std::string::npos);
  w.example("written_operand.pt2", "w.pt2");
  w.run({"run", "w.pt2", "--branch", "both", "--output", "html=run.html"});
  EXPECT_NE(w.read("run.html").find("<svg"), std::string::npos);
  w.run({"run", "w.pt2", "--output", "html=taken.html"});
  EXPECT_NE(w.read("taken.html").find("<!DOCTYPE html>"), std::string::npos);
}

TEST(Page, OfANetworkInSourceHasTones) {
  if (!CONDLINT_WITH_CXX)
    GTEST_SKIP();
  Workshop w;
  w.example("builder.cpp", "builder.cpp");
  const std::string mocks = CONDLINT_SOURCE_DIR "/tests/mocks/tensorrt";
  const Outcome o = w.run({"show", "builder.cpp", "--save", "b.html", "--", "-std=c++17", "-I" + mocks});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string page = w.read("b.html");
  EXPECT_NE(page.find(" eager"), std::string::npos);
  EXPECT_NE(page.find(">lazy</text>"), std::string::npos);
}

TEST(Show, OneConditionalByItsLineHoweverTheFileIsSpelled) {
  if (!CONDLINT_WITH_CXX)
    GTEST_SKIP();
  Workshop w;
  w.example("builder.cpp", "b.cpp");
  const Words flags{"--", "-std=c++17", "-I" CONDLINT_SOURCE_DIR "/tests/mocks/tensorrt"};
  const auto with = [&](Words words) {
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
  };
  const nlohmann::json at = w.run(with({"check", "b.cpp", "--output", "json"})).json()["conditionals"][0]["location"];
  const std::string line = ":" + std::to_string(at["line"].get<int>());
  for (const std::string &file : {std::string("b.cpp"), std::string("./b.cpp"), w.path("b.cpp").string()})
    EXPECT_TRUE(w.run(with({"show", "b.cpp", "--at", file + line, "--save", "b.html"})).says("b.html: 1 ")) << file;
  EXPECT_EQ(w.run(with({"show", "b.cpp", "--at", "other.cpp" + line})).code, 2);
  EXPECT_EQ(w.run(with({"show", "b.cpp", "--at", "b.cpp:1"})).code, 2);
}
