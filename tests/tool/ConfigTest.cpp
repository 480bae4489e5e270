//===- ConfigTest.cpp - .condlint.json from the outside -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <utility>

using namespace condlint::test;

namespace {

/// What `check` says of a model with a float predicate under \p config.
Outcome under(const std::string &config, std::vector<std::string> more = {}) {
  Workshop w;
  w.example("float_predicate.pt2", "project/models/m.pt2");
  w.write("project/.condlint.json", config);
  more.insert(more.begin(), {"check", "project/models/m.pt2"});
  return w.run(more);
}

void expectRefused(const std::string &config, const std::string &why) {
  Outcome o = under(config);
  EXPECT_EQ(o.code, 2) << config << o.out;
  EXPECT_EQ(o.out, "") << config;
  EXPECT_TRUE(o.says("project/.condlint.json: ")) << config << o.err;
  EXPECT_TRUE(o.says(why)) << config << o.err;
}

} // namespace

TEST(Config, HoldsForTheFoldersBelowIt) {
  EXPECT_EQ(under("{}").code, 1);
  EXPECT_EQ(under(R"({"ignore": ["predicate-dtype"]})").code, 0);
  EXPECT_EQ(under(R"({"select": "output-dtype"})").code, 0);
  EXPECT_EQ(under(R"({"failOn": "never"})").code, 0);
  EXPECT_EQ(under(R"({"severity": {"predicate-dtype": "off"}})").code, 0);
  Outcome note = under(R"({"severity": {"predicate-dtype": "note"}})");
  EXPECT_EQ(note.code, 0);
  EXPECT_TRUE(note.says(": note: ")) << note.out;
  EXPECT_TRUE(under(R"({"target": ["torch@2.6", "aoti"]})").says("torch@2.6, aoti@"));
  EXPECT_EQ(under("{/* comments are welcome */ \"failOn\": \"never\"}").code, 0);
}

TEST(Config, TheNearestHolds) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.example("float_predicate.pt2", "sub/deep/m.pt2");
  w.write(".condlint.json", R"({"ignore": ["predicate-dtype"]})");
  EXPECT_EQ(w.run({"check", "m.pt2", "sub/deep/m.pt2"}).code, 0);
  w.write("sub/.condlint.json", "{}");
  nlohmann::json report = w.run({"check", "--output", "json", "m.pt2", "sub/deep/m.pt2"}).json();
  ASSERT_EQ(report["findings"].size(), 1u);
  EXPECT_EQ(report["findings"][0]["input"], "sub/deep/m.pt2");
}

TEST(Config, TheCommandLineWins) {
  EXPECT_EQ(under(R"({"failOn": "never"})", {"--fail-on", "error"}).code, 1);
  EXPECT_EQ(under(R"({"ignore": ["predicate-dtype"]})", {"--ignore", "output-rank"}).code, 1);
  EXPECT_EQ(under(R"({"select": ["predicate-dtype"]})", {"--select", "output-rank"}).code, 0);
  EXPECT_EQ(under(R"({"ignore": ["predicate-dtype"]})").code, 0);
  EXPECT_EQ(under(R"({"ignore": ["predicate-dtype"]})", {"--select", "predicate-dtype,output-rank"}).code, 1);
  EXPECT_TRUE(under(R"({"target": "torch@2.6"})", {"--target", "torch@2.14"}).says("torch@2.14"));
  EXPECT_EQ(under(R"({"failOn": "never"})", {"--no-config"}).code, 1);
}

TEST(Config, CanBeGiven) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.write(".condlint.json", "{}");
  w.write("ci.json", R"({"failOn": "never"})");
  EXPECT_EQ(w.run({"check", "--config", "ci.json", "m.pt2"}).code, 0);
  EXPECT_EQ(w.run({"check", "--config", "absent.json", "m.pt2"}).code, 2);
  EXPECT_EQ(w.run({"check", "--config", "ci.json", "--no-config", "m.pt2"}).code, 2);
}

TEST(Config, WhatItDoesNotKnowIsAnErrorThatNamesTheNearest) {
  expectRefused(R"({"taget": "torch"})", "unknown key 'taget': did you mean 'target'");
  expectRefused(R"({"target": "troch"})", "did you mean 'torch'");
  expectRefused(R"({"ignore": ["output-dtyp"]})", "unknown rule 'output-dtyp': did you mean 'output-dtype'");
  expectRefused(R"({"severity": {"output-rnk": "error"}})", "did you mean 'output-rank'");
  expectRefused(R"({"severity": {"output-rank": "warn"}})", "did you mean 'warning'");
  expectRefused(R"({"severity": {"output-rank": 3}})", "severity.output-rank");
  expectRefused(R"({"failOn": "errors"})", "did you mean 'error'");
}

TEST(Config, HasOneForm) {
  expectRefused("", "is not valid JSON");
  expectRefused("{", "line 1");
  expectRefused("[]", "must hold one JSON object");
  expectRefused(R"({"target": 3})", "must be a string or a list of strings");
  expectRefused(R"({"select": [3]})", "must be a string or a list of strings");
  expectRefused(R"({"failOn": true})", "failOn");
  expectRefused(R"({"severity": []})", "must be an object");
  expectRefused(std::string(100000, '['), "is not valid JSON");
}

TEST(Config, DescribesTheUsersOwnCondFunctions) {
  EXPECT_EQ(under(R"({"condFunctions": {"my::cond": {"predicate": 0, "true": 1, "false": 2, "operands": 3},
                      "Graph::branch": {"predicate": 0, "true": 1, "false": 2, "operands": "rest"},
                      "pick": {"predicate": 2, "true": 0, "false": 1, "operands": null}}})")
                .code,
            1);
  expectRefused(R"({"condFunctions": []})", "must be an object");
  expectRefused(R"({"condFunctions": {"f": 3}})", "condFunctions.f");
  expectRefused(R"({"condFunctions": {"f": {"predicate": 0, "true": 1}}})", "\"false\"");
  expectRefused(R"({"condFunctions": {"f": {"predicate": -1, "true": 1, "false": 2}}})", "condFunctions.f.predicate");
  expectRefused(R"({"condFunctions": {"f": {"predicate": 0, "true": 1, "fasle": 2}}})", "did you mean 'false'");
  expectRefused(R"({"condFunctions": {"f": {"predicate": 0, "true": 1, "false": 2, "operands": "all"}}})", "\"rest\"");
}

TEST(Config, DescribesTheUsersOwnOperators) {
  expectRefused(R"({"operators": []})", "must be an object");
  expectRefused(R"({"operators": {"my.op": {}}})", "my::op, or my::op.overload");
  expectRefused(R"({"operators": {"::op": {}}})", "must be named with its library");
  expectRefused(R"({"operators": {"my::op": 3}})", "operators.my::op");
  expectRefused(R"({"operators": {"my::op": {"write": [0]}}})", "did you mean 'writes'");
  expectRefused(R"({"operators": {"my::op": {"writes": 0}}})", "operators.my::op.writes");
  expectRefused(R"({"operators": {"my::op": {"writes": [-1]}}})", "operators.my::op.writes");
  expectRefused(R"({"operators": {"my::op": {"aliases": [0, 0]}}})", "[result, argument]");
  expectRefused(R"({"operators": {"my::op": {"aliases": [["out", 0]]}}})", "[result, argument]");
  expectRefused(R"({"operators": {"my::op": {"pure": 1}}})", "true or false");
  expectRefused(R"({"operators": {"my::op": {"result": "0"}}})", "like ARGUMENT");
  expectRefused(R"({"operators": {"my::op": {"result": null}}})", "like ARGUMENT");
  EXPECT_EQ(under(R"({"operators": {"my::op_": {"writes": [0, "out"], "aliases": [[0, 0], [1, "out"]], "pure": true,
                                                "result": ["like 0", null, "like out"]}, "my::op.out": {}}})")
                .code,
            1);
}

TEST(Config, WhatItSaysOfAnOperatorHoldsInCheckAndInRun) {
  Workshop w;
  std::filesystem::copy_file(CONDLINT_SOURCE_DIR "/tests/data/labelled/pt2-broken/unknown_op_custom.nan_guard.pt2",
                             w.path("m.pt2"));
  const Outcome before = w.run({"check", "m.pt2"});
  EXPECT_TRUE(before.says("mylib.fused_tail.default may do anything")) << before.out;
  w.write(".condlint.json", R"({"operators": {"mylib::fused_tail": {"pure": true, "result": "like 0"}}})");
  const Outcome check = w.run({"check", "m.pt2"});
  EXPECT_TRUE(check.says("1 proved")) << check.out;
  const Outcome run = w.run({"run", "m.pt2", "--branch", "both"});
  EXPECT_FALSE(run.says("may do anything")) << run.out;
  w.write(".condlint.json", R"({"operators": {"mylib::fused_tail": {"writes": [0], "pure": true}}})");
  EXPECT_EQ(w.run({"check", "m.pt2"}).code, 0); // what it writes is the branch's own
}

namespace {

/// The keys that are known where \p config has one that is not, as the refusal lists them.
std::set<std::string> keysKnownAt(const std::string &config) {
  const Outcome o = under(config);
  EXPECT_EQ(o.code, 2) << config << o.out;
  const std::string_view begin = "(known: ";
  std::size_t at = o.err.find(begin);
  EXPECT_NE(at, std::string::npos) << o.err;
  if (at == std::string::npos)
    return {};
  std::set<std::string> keys;
  std::string key;
  for (at += begin.size(); at < o.err.size(); ++at) {
    const char c = o.err[at];
    if (c == ',' || c == ')')
      keys.insert(std::exchange(key, {}));
    else if (c != ' ')
      key += c;
    if (c == ')')
      break;
  }
  return keys;
}

std::set<std::string> keysOf(const nlohmann::json &object) {
  std::set<std::string> keys;
  for (const auto &[key, value] : object.items())
    keys.insert(key);
  return keys;
}

} // namespace

TEST(Config, ItsSchemaHasTheKeysThatAreRead) {
  std::ifstream file(CONDLINT_SOURCE_DIR "/docs/config.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  const nlohmann::json &keys = schema["properties"];
  EXPECT_EQ(keysOf(keys), keysKnownAt(R"({"zzz": 1})"));
  EXPECT_EQ(keysOf(keys["suppress"]["items"]["properties"]), keysKnownAt(R"({"suppress": [{"zzz": 1}]})"));
  EXPECT_EQ(keysOf(keys["condFunctions"]["additionalProperties"]["properties"]),
            keysKnownAt(R"({"condFunctions": {"f": {"zzz": 1}}})"));
  EXPECT_EQ(keysOf(keys["operators"]["additionalProperties"]["properties"]),
            keysKnownAt(R"({"operators": {"my::op": {"zzz": 1}}})"));
  for (const nlohmann::json &word : keys["failOn"]["enum"])
    EXPECT_NE(under(R"({"failOn": )" + word.dump() + "}").code, 2) << word;
  for (const nlohmann::json &word : keys["severity"]["additionalProperties"]["enum"])
    EXPECT_NE(under(R"({"severity": {"output-shape": )" + word.dump() + "}}").code, 2) << word;
}
