//===- CompareTest.cpp - Two versions of one model ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compare/Compare.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

using namespace condlint;

namespace {

Model read(const std::string &path) {
  auto models = readModel(path);
  EXPECT_TRUE(models && models->size() == 1) << path << (models ? "" : models.error().str());
  return models && !models->empty() ? std::move(models->front()) : Model();
}

/// Tests run beside each other: each process has a file of its own.
Model readText(const std::string &text) {
  const std::string path = testing::TempDir() + "condlint-compare-" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << text;
  Model m = read(path);
  std::filesystem::remove(path);
  return m;
}

/// What the conditional of a small model is made of.
struct Parts {
  std::string predicate = "p", then = "Neg", other = "Abs";
  std::string before; ///< nodes in front of it
  std::string name = "If_0";
  std::string result = "y";
  std::string prefix; ///< of all names of the main graph
  std::string thenReads = "x", otherReads = "x";
  std::string thenType = "float32";
  std::string more; ///< nodes behind it
  std::string returned = "y";
};

std::string node(const std::string &op, const std::string &reads, const std::string &makes) {
  return fmt::format(R"({{"op": "{}", "operands": [{}], "results": [{{"name": "{}"}}]}})", op, reads, makes);
}

std::string branch(const std::string &name, const std::string &op, const std::string &reads, const std::string &makes) {
  return fmt::format(R"({{"name": "{0}", "region": {{"name": "{0}_graph", "nodes": [{1}], "results": ["{2}"]}}}})",
                     name, node(op, '"' + reads + '"', makes), makes);
}

Model model(const Parts &p) {
  const std::string cond = fmt::format(
      R"({{"op": "If", "name": "{}", "operands": ["{}"], "attributes": [{}, {}], "results": [{{"name": "{}"}}]}})",
      p.name, p.predicate, branch("then_branch", p.then, p.thenReads, p.result + "_t"),
      branch("else_branch", p.other, p.otherReads, p.result + "_e"), p.result);
  const std::string text = fmt::format(
      R"({{"condlint": "graph-1", "format": "onnx", "dialect": "onnx", "irVersion": 8, "opsets": {{"": 17}}, "graph": {{"name": "g", "parameters": [{{"name": "{0}p", "type": {{"kind": "tensor", "dtype": "bool", "shape": []}}}}, {{"name": "{0}x", "type": {{"kind": "tensor", "dtype": "{4}", "shape": [2, 3]}}}}], "nodes": [{1}{2}{3}], "results": ["{5}"]}}}})",
      p.prefix, p.before, cond, p.more, p.thenType, p.returned);
  return readText(text);
}

std::set<std::string> kindsOf(const Comparison &c) {
  std::set<std::string> out;
  for (const Change &change : c.changes)
    out.insert(fmt::format("{} {}", severityName(change.severity), change.kind));
  return out;
}

using Set = std::set<std::string>;

Comparison compared(const Parts &before, const Parts &after, bool run = false) {
  Model a = model(before), b = model(after);
  ComparisonOptions o;
  o.run = run;
  return compareModels(a, b, o);
}

} // namespace

TEST(Compare, AModelIsItself) {
  const Comparison c = compared({}, {}, true);
  EXPECT_EQ(c.pairs.size(), 1U);
  EXPECT_EQ(kindsOf(c), Set());
  EXPECT_TRUE(c.hasRun);
  EXPECT_EQ(c.notRun, "") << "the predicate is an input: draws come to both branches";
}

TEST(Compare, BranchesThatChangedPlaces) {
  Parts after;
  std::swap(after.then, after.other);
  const Comparison c = compared({}, after, true);
  EXPECT_EQ(kindsOf(c), Set({"error output", "error swapped"}));
}

TEST(Compare, BranchesThatChangedPlacesUnderANegationDidNot) {
  Parts after;
  std::swap(after.then, after.other);
  after.before = node("Not", "\"p\"", "np") + ", ";
  after.predicate = "np";
  EXPECT_EQ(kindsOf(compared({}, after, true)), Set());
  std::swap(after.then, after.other);
  EXPECT_EQ(kindsOf(compared({}, after, true)), Set({"error inverted", "error output"}));
}

TEST(Compare, ABranchThatWasOverwritten) {
  Parts after;
  after.then = "Abs";
  const Comparison c = compared({}, after);
  ASSERT_EQ(kindsOf(c), Set({"error overwritten"}));
  EXPECT_NE(c.changes.front().message.find("'then_branch' is lost"), std::string::npos);
  Parts same; // both were alike before: nothing is lost
  same.then = "Abs";
  EXPECT_EQ(kindsOf(compared(same, after)), Set());
}

TEST(Compare, WhatAnOptimiserMayDoIsNoChange) {
  Parts renamed;
  renamed.name = "If_optimised";
  EXPECT_EQ(kindsOf(compared({}, renamed)), Set());
  Parts other;
  other.then = "Exp"; // fused, rewritten: nobody knows
  EXPECT_EQ(kindsOf(compared({}, other)), Set());
  Parts copied;
  copied.before = node("Identity", "\"x\"", "x2") + ", ";
  copied.thenReads = "x2";
  EXPECT_EQ(kindsOf(compared({}, copied)), Set());
}

// No drawn input is as large as 1e30.
TEST(Compare, BranchesThatNoDrawComesToAreTakenNevertheless) {
  Parts before;
  before.before =
      R"({"op": "Constant", "attributes": [{"name": "value_float", "float": 1e30}], "results": [{"name": "c"}]}, {"op": "ReduceMax", "operands": ["x"], "attributes": [{"name": "keepdims", "int": 0}], "results": [{"name": "most"}]}, )" +
      node("Greater", R"("most", "c")", "isHuge") + ", ";
  before.predicate = "isHuge";
  const Comparison same = compared(before, before, true);
  EXPECT_EQ(kindsOf(same), Set());
  EXPECT_EQ(same.forced, std::vector<std::string>{"main/If_0/then_branch"});
  EXPECT_EQ(same.notRun, "");

  Parts after = before;
  after.then = "Exp";
  const Comparison other = compared(before, after, true);
  EXPECT_EQ(kindsOf(other), Set({"warning output"})) << "that it is ever taken nobody knows";
  EXPECT_NE(other.changes.front().message.find("where main/If_0/then_branch is taken whatever its predicate says"),
            std::string::npos);

  // Negated, with each branch in the other's place.
  Parts negated = before;
  negated.before += node("Not", R"("isHuge")", "isSmall") + ", ";
  negated.predicate = "isSmall";
  std::swap(negated.then, negated.other);
  const Comparison crossed = compared(before, negated, true);
  EXPECT_EQ(kindsOf(crossed), Set());
  EXPECT_EQ(crossed.forced.size(), 1U);
  negated.other = "Exp";
  EXPECT_EQ(kindsOf(compared(before, negated, true)), Set({"warning output"}));

  // Another predicate, of which nothing is known: neither is forced.
  Parts unlike = before;
  unlike.before += node("Identity", R"("isHuge")", "copy") + ", " + node("And", R"("copy", "p")", "both") + ", ";
  unlike.predicate = "both";
  const Comparison open = compared(before, unlike, true);
  EXPECT_EQ(kindsOf(open), Set());
  EXPECT_EQ(open.notRun, "no draw came to main/If_0/then_branch");
}

TEST(Compare, APrefixOfAllNames) {
  Parts after{"q_p", "Neg", "Abs", "", "q_If_0", "q_y", "q_", "q_x", "q_x", "float32", "", "q_y"};
  EXPECT_EQ(kindsOf(compared({}, after)), Set());
  after.thenReads = "x"; // the capture was forgotten
  const Set kinds = kindsOf(compared({}, after));
  EXPECT_TRUE(kinds.contains("error capture-lost")) << fmt::format("{}", fmt::join(kinds, ", "));
}

TEST(Compare, WhatIsDecidedByTheSameIsTheSameConditional) {
  // A converter renamed its result, put nodes in front of it, and its branches read what is made behind it.
  Parts after;
  after.name = "If_7";
  after.result = "_cast_to_y";
  after.thenReads = after.otherReads = "late";
  after.more = ", " + node("Exp", "\"x\"", "late") + ", " + node("Identity", "\"_cast_to_y\"", "y");
  const Comparison c = compared({}, after);
  EXPECT_EQ(c.pairs.size(), 1U);
  EXPECT_EQ(kindsOf(c), Set({"error broken"}));
  Parts other = after; // another input's value, negated or not, would pair them; a constant does not
  other.before =
      R"({"op": "Constant", "attributes": [{"name": "value", "tensor": {"type": {"kind": "tensor", "dtype": "bool", "shape": []}, "bytes": "AQ=="}}], "results": [{"name": "c"}]}, )";
  other.predicate = "c";
  EXPECT_TRUE(kindsOf(compared({}, other)).contains("error vanished"));
}

TEST(Compare, AConditionalThatIsGone) {
  Parts before;
  const std::string text =
      R"({"condlint": "graph-1", "format": "onnx", "dialect": "onnx", "irVersion": 8, "opsets": {"": 17}, "graph": {"name": "g", "parameters": [{"name": "p", "type": {"kind": "tensor", "dtype": "bool", "shape": []}}, {"name": "x", "type": {"kind": "tensor", "dtype": "float32", "shape": [2, 3]}}], "nodes": [{"op": "OP", "operands": [READS], "results": [{"name": "y"}]}], "results": ["y"]}})";
  const auto flat = [&](const std::string &op, const std::string &reads) {
    std::string s = text;
    s.replace(s.find("OP"), 2, op).replace(s.find("READS"), 5, reads);
    return readText(s);
  };
  Model a = model(before), b = flat("Neg", "\"x\"");
  EXPECT_EQ(kindsOf(compareModels(a, b, {})), Set({"error vanished"})) << "the predicate is an input";
  Model c = model(before), d = flat("Where", "\"p\", \"x\", \"x\"");
  EXPECT_EQ(kindsOf(compareModels(c, d, {})), Set({"note vanished"})) << "a selection decides";
  Parts constant;
  constant.before =
      R"({"op": "Constant", "attributes": [{"name": "value", "tensor": {"type": {"kind": "tensor", "dtype": "bool", "shape": []}, "bytes": "AQ=="}}], "results": [{"name": "c"}]}, )";
  constant.predicate = "c";
  Model e = model(constant), f = flat("Neg", "\"x\"");
  EXPECT_EQ(kindsOf(compareModels(e, f, {})), Set({"note folded"}));
  Parts unused;
  unused.more = ", " + node("Exp", "\"x\"", "z");
  unused.returned = "z";
  Model g = model(unused);
  std::string s = text;
  s.replace(s.find("OP"), 2, "Exp").replace(s.find("READS"), 5, "\"x\"");
  while (s.find("\"y\"") != std::string::npos)
    s.replace(s.find("\"y\""), 3, "\"z\"");
  Model h = readText(s);
  EXPECT_EQ(kindsOf(compareModels(g, h, {})), Set({"note vanished"})) << "nothing needed it";
}

TEST(Compare, EveryKindIsListedOnceAndInOrder) {
  std::set<std::string_view> names;
  for (const ChangeKind &k : changeKinds())
    EXPECT_TRUE(names.insert(k.name).second);
  EXPECT_TRUE(std::ranges::is_sorted(changeKinds(), {}, &ChangeKind::name));
  std::ifstream page(std::string(CONDLINT_SOURCE_DIR) + "/docs/compare.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const ChangeKind &k : changeKinds())
    EXPECT_NE(text.find(fmt::format("\n| `{}` | ", k.name)), std::string::npos) << k.name;
}

// What public tools made of small models, each with what must be said of it: tests/data/compare/expected.json.
TEST(Compare, PairsOfPublicTools) {
  const std::filesystem::path folder = std::filesystem::path(CONDLINT_TEST_DATA) / "compare";
  std::ifstream file(folder / "expected.json");
  const nlohmann::json all = nlohmann::json::parse(file);
  std::set<std::string> tools;
  for (const auto &[name, expected] : all["pairs"].items()) {
    tools.insert(expected["tool"]);
    Model a = read((folder / expected["before"]).string()), b = read((folder / name).string());
    ComparisonOptions o;
    o.run = expected["run"];
    const Comparison c = compareModels(a, b, o);
    Set errors;
    for (const Change &change : c.changes)
      if (change.severity >= Severity::Warning)
        errors.insert(fmt::format("{} {}", severityName(change.severity), change.kind));
    EXPECT_EQ(errors, expected["changes"].get<Set>()) << name;
    if (expected.contains("forced")) {
      EXPECT_EQ(c.forced, expected["forced"].get<std::vector<std::string>>()) << name;
    }
  }
  EXPECT_GE(tools.size(), 10U);
}
