//===- OnnxLoopsTest.cpp - What Loop, Scan and SequenceMap demand ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

using namespace condlint;

namespace {

std::string value(const std::string &name, const std::string &type = {}) {
  return type.empty() ? fmt::format(R"({{"name": "{}"}})", name)
                      : fmt::format(R"({{"name": "{}", "type": "{}"}})", name, type);
}

std::string node(const std::string &op, const std::string &operands, const std::string &result) {
  return fmt::format(R"({{"op": "{}", "operands": [{}], "results": [{}]}})", op, operands, value(result));
}

/// A loop and what it is called with.
struct Loop {
  std::string op, inputs, operands, attributes = {};
  std::string parameters, nodes, yields, results;

  /// What its operators reject, and what is not as it is declared, joined.
  std::string run() const {
    auto models =
        readJson(FileBytes::copy(fmt::format(
                     R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 17}}, "graph": {{"parameters": [{}],
              "nodes": [{{"op": "{}", "operands": [{}], "attributes": [{}{{"name": "body", "region": {{"parameters": [{}], "nodes": [{}],
              "results": [{}]}}}}], "results": [{}]}}], "results": []}}}})",
                     inputs, op, operands, attributes, parameters, nodes, yields, results)),
                 "test.json");
    if (!models)
      return models.error().str();
    std::string text;
    const Inference found = inferTypes(models->front());
    for (const InvalidOperand &i : found.invalid)
      text += (text.empty() ? "" : "; ") + i.message;
    for (const Contradiction &c : found.contradictions)
      text += fmt::format("{}{} {}, not {}", text.empty() ? "" : "; ", c.facet, c.inferred, c.recorded);
    return text;
  }
};

/// A Scan that carries s and runs over the rows of x.
Loop scan(const std::string &s = "float32[3]", const std::string &row = "float32[3]") {
  return {"Scan",
          value("s0", "float32[3]") + "," + value("x", "float32[N, 3]"),
          R"("s0", "x")",
          R"({"name": "num_scan_inputs", "int": 1}, )",
          value("s", s) + "," + value("row", row),
          node("Add", R"("s", "row")", "s1") + "," + node("Neg", R"("row")", "y"),
          R"("s1", "y")",
          value("a") + "," + value("b")};
}

TEST(OnnxLoops, WhatIsWrongInTheBodyOfAMisgivenLoopIsItsOwn) {
  Loop loop{"Loop", value("m", "int64[]"), R"("m")", "", "", "", R"("y")", value("a")};
  loop.nodes = R"({"op": "Neg", "operands": ["m", "m"], "results": [{"name": "y"}]})";
  EXPECT_EQ(loop.run(), "Loop takes at least 2 inputs, but has 1; Neg takes 1 input, but has 2");
  loop.nodes = node("Neg", R"("m")", "y");
  EXPECT_EQ(loop.run(), "Loop takes at least 2 inputs, but has 1");
}

TEST(OnnxLoops, AScanPassesSlices) {
  EXPECT_EQ(scan().run(), "");
  EXPECT_EQ(scan("float32[M]", "float32[M]").run(), "");
  EXPECT_EQ(scan("float32[...]", "float32[...]").run(), "");
  EXPECT_TRUE(scan("float32[3]", "int64[3]").run().ends_with("its body takes int64 for what is passed as float32"));
  EXPECT_EQ(scan("float32[3]", "float32[1, 3]").run(), "its body takes float32[1, 3] for what is passed as float32[3]");
  EXPECT_EQ(scan("float32[3]", "float32[1]").run(), "its body takes float32[1] for what is passed as float32[3]");
  EXPECT_EQ(scan("float32[1]").run(), "its body takes float32[1] for what is passed as float32[3]");
  Loop rows = scan();
  rows.inputs = value("s0", "float32[3]") + "," + value("x", "float32[3, N]");
  rows.attributes += R"({"name": "scan_input_axes", "ints": [1]}, )";
  EXPECT_EQ(rows.run(), "");
  rows.attributes = R"({"name": "num_scan_inputs", "int": 1}, {"name": "scan_input_axes", "ints": [2]}, )";
  EXPECT_EQ(rows.run(), "it scans axis 2 of an input of rank 2");
  rows.attributes = R"({"name": "num_scan_inputs", "int": 3}, )";
  EXPECT_EQ(rows.run(), "num_scan_inputs is 3, but it has 2 input(s)");
}

TEST(OnnxLoops, TheListsOfAScanHaveANumberForEachValue) {
  const auto with = [](const std::string &name, const std::string &numbers) {
    Loop rows = scan();
    rows.attributes += fmt::format(R"({{"name": "{}", "ints": [{}]}}, )", name, numbers);
    return rows.run();
  };
  for (const char *axis : {"0", "1", "-1", "-2"})
    EXPECT_EQ(with("scan_output_axes", axis), "");
  EXPECT_EQ(with("scan_output_axes", "2"), "it puts slices together along axis 2 of a result of rank 2");
  EXPECT_EQ(with("scan_output_axes", "-3"), "it puts slices together along axis -3 of a result of rank 2");
  for (const char *name : {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"}) {
    EXPECT_EQ(with(name, "0, 0"), fmt::format("{} has 2 numbers for 1 value(s)", name));
    EXPECT_EQ(with(name, "0"), "");
  }
  for (const char *name : {"scan_input_directions", "scan_output_directions"}) {
    EXPECT_EQ(with(name, "1"), "");
    EXPECT_EQ(with(name, "-1"), fmt::format("{} has -1, and forward is 0, backward 1", name));
  }
}

TEST(OnnxLoops, AScanGoesOverAsManySlicesOfEach) {
  const auto of = [](const std::string &x, const std::string &z) {
    Loop both{"Scan",
              value("x", x) + "," + value("z", z),
              R"("x", "z")",
              R"({"name": "num_scan_inputs", "int": 2}, )",
              value("a") + "," + value("b"),
              node("Add", R"("a", "b")", "y"),
              R"("y")",
              value("r")};
    return both.run();
  };
  EXPECT_EQ(of("float32[4, 3]", "float32[5, 3]"), "it scans 4 and 5 slices at once");
  EXPECT_EQ(of("float32[4, 3]", "float32[4, 3]"), "");
  EXPECT_EQ(of("float32[N, 3]", "float32[5, 3]"), "");
}

TEST(OnnxLoops, ATripOfAScanSeesTheDeclaredNumbers) {
  const auto with = [](const std::string &declared, const std::string &given) {
    Loop rows = scan(declared);
    rows.inputs = value("s0", given) + "," + value("x", "float32[N, 3]");
    return rows.run();
  };
  EXPECT_EQ(with("float32[7]", "float32[M]"), "the operands of Add do not broadcast: sizes 7 and 3 in axis -1");
  EXPECT_EQ(with("float32[3]", "float32[M]"), "");
  EXPECT_EQ(with("float32[K]", "float32[M]"), "");
}

/// Loops in one another, each with a tensor that grows; the innermost one calls \p op.
Loop nested(int depth, const std::string &op) {
  Loop loop = scan();
  loop.op = "Loop";
  loop.inputs = value("m", "int64[]") + "," + value("c", "bool[]") + "," + value("x", "float32[2]");
  loop.operands = R"("m", "c", "x")";
  loop.attributes.clear();
  for (int i = 0; i < depth; ++i) {
    const std::string carried = fmt::format("s{}", i), grown = fmt::format("g{}", i), more = fmt::format("r{}", i);
    const std::string inner =
        i == 0 ? node(op, '"' + carried + '"', more)
               : fmt::format(R"({{"op": "Loop", "operands": ["m", "c", "{}"], "attributes": [{{"name": "body", "region":
                 {{"parameters": [{}], "nodes": [{}], "results": [{}]}}}}], "results": [{}]}})",
                             carried, loop.parameters, loop.nodes, loop.yields, value(more));
    loop.nodes =
        inner + "," +
        fmt::format(R"({{"op": "Concat", "operands": ["{}", "{}"], "attributes": [{{"name": "axis", "int": 0}}],
                 "results": [{}]}})",
                    carried, more, value(grown));
    loop.parameters =
        fmt::format("{},{},{}", value(fmt::format("i{}", i)), value(fmt::format("c{}", i)), value(carried));
    loop.yields = fmt::format(R"("c{}", "{}")", i, grown);
  }
  loop.results = value("y");
  return loop;
}

TEST(OnnxLoops, WhatManyLoopsInOneAnotherCarryIsTypedInTime) {
  EXPECT_EQ(nested(2, "Neg").run(), "");
  EXPECT_EQ(nested(28, "Neg").run(), "");
  EXPECT_EQ(nested(28, "Not").run(), "input 0 of Not must be a tensor of bool, but is float32");
}

/// A Loop that carries s, which begins as float32[2], and \p nodes that make t of it.
Loop carrying(const std::string &nodes, const std::string &w = "float32[3]") {
  return {"Loop",
          value("m", "int64[]") + "," + value("c", "bool[]") + "," + value("x", "float32[2]") + "," + value("w", w),
          R"("m", "c", "x")",
          "",
          value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("s"),
          nodes,
          R"("go", "t")",
          value("y")};
}

TEST(OnnxLoops, AFirstTripThatFailsIsFound) {
  const std::string fault = "the operands of Add do not broadcast: sizes 2 and 3 in axis -1, in the loop's first trip,";
  EXPECT_EQ(carrying(node("Add", R"("s", "w")", "t")).run(), fault);
  EXPECT_EQ(carrying(node("Add", R"("s", "w")", "u") + "," + node("Neg", R"("u")", "t")).run(), fault);
  EXPECT_EQ(carrying(node("Add", R"("s", "w")", "t"), "float32[2]").run(), "");
  EXPECT_EQ(carrying(node("Add", R"("s", "w")", "t"), "float32[n]").run(), "");
  // The second trip alone would be given what does not fit.
  const std::string grows =
      R"({"op": "Concat", "operands": ["s", "s"], "attributes": [{"name": "axis", "int": 0}], "results": [{"name": "t"}]})";
  EXPECT_EQ(carrying(node("Add", R"("s", "w")", "u") + "," + grows, "float32[2]").run(), "");
}

TEST(OnnxLoops, WhatNotEveryTripComesToIsLeftOut) {
  const std::string asks = R"({"op": "If", "operands": ["go"], "results": [{"name": "t"}], "attributes": [
      {"name": "then_branch", "region": {"nodes": [{"op": "Add", "operands": ["s", "w"], "results": [{"name": "p"}]}], "results": ["p"]}},
      {"name": "else_branch", "region": {"nodes": [{"op": "Concat", "operands": ["s", "s"],
        "attributes": [{"name": "axis", "int": 0}], "results": [{"name": "q"}]}], "results": ["q"]}}]})";
  EXPECT_EQ(carrying(asks).run(), "");
}

TEST(OnnxLoops, WhatAScanCarriesKeepsItsShape) {
  Loop wide = scan();
  wide.nodes = node("Concat", R"("s", "row")", "s1");
  wide.nodes.insert(wide.nodes.find(R"("operands")"), R"("attributes": [{"name": "axis", "int": 0}], )");
  wide.nodes += "," + node("Neg", R"("row")", "y");
  EXPECT_EQ(wide.run(), "what is carried begins as float32[3] and comes back as float32[6]");
}

TEST(OnnxLoops, ABodyYieldsWhatTheNodeHasOutputsFor) {
  Loop more = scan();
  more.yields = R"("s1", "y", "row")";
  EXPECT_EQ(more.run(), "its body yields 3 value(s), but 2 are needed");
  more.yields = R"("s1")";
  EXPECT_EQ(more.run(), "its body yields 1 value(s), but 2 are needed");
  Loop loop{"Loop",
            value("m", "int64[]") + "," + value("c", "bool[]") + "," + value("v0", "float32[3]"),
            R"("m", "c", "v0")",
            "",
            value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v", "float32[...]"),
            node("Neg", R"("v")", "w"),
            R"("go", "w")",
            value("a")};
  EXPECT_EQ(loop.run(), "");
  loop.yields = R"("go", "w", "w")";
  EXPECT_EQ(loop.run(), "its body yields 3 value(s), but 2 are needed");
  loop.results += "," + value("b");
  EXPECT_EQ(loop.run(), "");
  // What a Loop carries may change its shape; its counter is an int64.
  loop.parameters = value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v", "float32[4]");
  EXPECT_EQ(loop.run(), "");
  loop.parameters = value("i", "int32[]") + "," + value("go", "bool[]") + "," + value("v", "float32[3]");
  EXPECT_EQ(loop.run(), "its body takes int32 for what is passed as int64");
}

TEST(OnnxLoops, WhatIsCarriedIsThere) {
  Loop loop{"Loop",
            value("m", "int64[]") + "," + value("c", "bool[]"),
            R"("m", "c", null)",
            "",
            value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v", "float32[3]"),
            node("Neg", R"("v")", "w"),
            R"("go", "w")",
            value("a")};
  EXPECT_EQ(loop.run(), "Loop needs its input 2");
  loop.operands = R"(null, null, "m")"; // the trips and the condition may be left out
  loop.parameters = value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v", "int64[]");
  EXPECT_EQ(loop.run(), "");
}

TEST(OnnxLoops, WhatALoopCarriesKeepsItsElementType) {
  const auto carried = [](const std::string &op, const std::string &v) {
    return Loop{"Loop",
                value("m", "int64[]") + "," + value("c", "bool[]") + "," + value("v0", "float32[3]"),
                R"("m", "c", "v0")",
                "",
                value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v"),
                R"({"op": "my::Opaque", "operands": ["v"], "results": [{"name": "w"}]}, )" + node(op, v, "u"),
                R"("go", "w")",
                value("a")}
        .run();
  };
  // Whatever the body makes of it.
  EXPECT_EQ(carried("Add", R"("v", "v")"), "");
  EXPECT_EQ(carried("Add", R"("v", "i")"),
            "inputs 0 and 1 of Add must have one element type, but are float32 and int64");
}

TEST(OnnxLoops, SizesThatABodyDeclaresHoldForEveryTrip) {
  const auto carried = [](const std::string &first, const std::string &parameter, const std::string &last, bool grows) {
    std::string body = node(grows ? "Concat" : "Neg", grows ? R"("v", "v")" : R"("v")", "w");
    body.replace(body.find(R"({"name": "w"})"), 13, value("w", last));
    if (grows)
      body.insert(body.find(R"("operands")"), R"("attributes": [{"name": "axis", "int": 0}], )");
    return Loop{"Loop",
                value("m", "int64[]") + "," + value("c", "bool[]") + "," + value("v0", first),
                R"("m", "c", "v0")",
                "",
                value("i", "int64[]") + "," + value("go", "bool[]") + "," + value("v", parameter),
                body,
                R"("go", "w")",
                value("a", "float32[K]")}
        .run();
  };
  EXPECT_EQ(carried("float32[3]", "float32[3]", "float32[3]", false), "");
  EXPECT_EQ(carried("float32[3]", "float32[3]", "float32[5]", false), "shape [3], not [5]");
  EXPECT_EQ(carried("float32[3]", "float32[3]", "float32[6]", true), "");
  EXPECT_EQ(carried("float32[3]", "float32[3]", "float32[3]", true), "shape [6], not [3]");
  // The first trip begins with others: what the body declares of itself agrees.
  EXPECT_EQ(carried("float32[3]", "float32[4]", "float32[4]", false), "");
  EXPECT_EQ(carried("float32[3]", "float32[4]", "float32[3]", false), "shape [4], not [3]");
  EXPECT_EQ(carried("float32[N]", "float32[4]", "float32[3]", false), "shape [4], not [3]");
  // Where it declares none, they may be any.
  EXPECT_EQ(carried("float32[3]", "float32[...]", "float32[...]", true), "");
  EXPECT_EQ(carried("float32[3]", "float32[N]", "float32[N]", true), "");
}

TEST(OnnxLoops, ASequenceMapPassesItems) {
  const auto map = [](const std::string &item) {
    return Loop{"SequenceMap",
                R"({"name": "q", "type": {"kind": "sequence", "item": "float32[3]"}}, )" + value("x", "float32[3]"),
                R"("q", "x")",
                "",
                value("a", item) + "," + value("b", "float32[3]"),
                node("Neg", R"("a")", "y"),
                R"("y")",
                value("r")}
        .run();
  };
  EXPECT_EQ(map("float32[3]"), "");
  EXPECT_EQ(map("float32[...]"), "");
  EXPECT_EQ(map("int8[3]"), "its body takes int8 for what is passed as float32");
  EXPECT_EQ(map("float32[4]"), "its body takes float32[4] for what is passed as float32[3]");
}

} // namespace
