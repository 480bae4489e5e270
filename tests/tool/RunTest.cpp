//===- RunTest.cpp - condlint run -----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// condlint run: models are executed, kept, compared, and validated on both sides
// of their conditionals.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

namespace condlint::test {
namespace {

/// "output-alias error" of each finding that is no note, sorted by the report.
std::string found(const Outcome &o) {
  const nlohmann::json report = o.json();
  std::string out;
  for (const nlohmann::json &f : report["findings"])
    if (f["severity"] != "note")
      out += f["rule"].get<std::string>() + ' ' + f["severity"].get<std::string>() + ';';
  return out;
}

TEST(RunOutput, AReportThatCannotBeWrittenIsAMistakeOfTheCommandLine) {
  Workshop w;
  w.example("squeeze.onnx", "m.onnx");
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"check", "m.onnx"}, {"run", "m.onnx"}, {"run", "--branch", "both", "m.onnx"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--output", "json=missing/report.json"});
    const Outcome o = w.run(arguments);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_NE(o.err.find("missing/report.json: cannot be written"), std::string::npos) << o.err;
  }
}

TEST(RunOutput, ASourceIsNoModelToRun) {
  Workshop w;
  w.write("a.cc", "int x;");
  for (const char *command : {"run", "dump"}) {
    const Outcome o = w.run({command, "a.cc"});
    EXPECT_NE(o.err.find("a.cc: is C++ source"), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("check"), std::string::npos) << o.err;
  }
}

TEST(Run, OutputsAreKeptAndComparedAgain) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  EXPECT_EQ(w.run({"run", "m.pt2", "--seed", "3", "--save", "a.npz"}).code, 0);
  // The same seed draws the same inputs.
  Outcome same = w.run({"run", "m.pt2", "--seed", "3", "--expect", "a.npz"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  Outcome other = w.run({"run", "m.pt2", "--seed", "4", "--expect", "a.npz"});
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_TRUE(other.says("error:")) << other.out;
}

/// Two numbers \p value of the element type \p dtype.
std::string filled(const std::string &dtype, const std::string &value) {
  return fmt::format(R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{"parameters": [],
                         "nodes": [{{"op": "aten.full.default", "attributes": [{{"name": "size", "ints": [2]}},
                         {{"name": "fill_value", {}}}, {{"name": "dtype", "dtype": "{}"}}], "results": [{{"name": "y"}}]}}],
                         "results": ["y"]}}}})",
                     value, dtype);
}

TEST(Run, WhatMayDifferIsAsTheElementTypeSays) {
  struct Pair {
    std::string dtype, got, near, far;
  };
  const auto real = [](double x) { return fmt::format(R"("float": {})", x); };
  const auto whole = [](std::int64_t x) { return fmt::format(R"("int": {})", x); };
  for (const Pair &p :
       {Pair{"float32", real(1), real(1.00005), real(1.001)}, Pair{"float64", real(1), real(1.00005), real(1.001)},
        Pair{"float16", real(1), real(1.002), real(1.01)}, Pair{"bfloat16", real(1), real(1.0157), real(1.04)},
        Pair{"int64", whole(10000000), whole(10000000), whole(10000001)},
        Pair{"int32", whole(-7), whole(-7), whole(-8)}, Pair{"uint8", whole(200), whole(200), whole(201)},
        Pair{"bool", whole(1), whole(1), whole(0)}}) {
    Workshop w;
    w.write("got.json", filled(p.dtype, p.got));
    w.write("near.json", filled(p.dtype, p.near));
    w.write("far.json", filled(p.dtype, p.far));
    const Outcome saved = w.run({"run", "got.json", "--save", "o.npz"});
    EXPECT_EQ(saved.code, 0) << p.dtype << saved.out << saved.err;
    const Outcome near = w.run({"run", "near.json", "--expect", "o.npz"});
    EXPECT_EQ(near.code, 0) << p.dtype << near.out << near.err;
    const Outcome far = w.run({"run", "far.json", "--expect", "o.npz"});
    EXPECT_EQ(far.code, 1) << p.dtype << far.out << far.err;
    // Who asks for a tolerance has it.
    EXPECT_EQ(w.run({"run", "far.json", "--expect", "o.npz", "--rtol", "1", "--atol", "1"}).code, 0) << p.dtype;
  }
}

TEST(Run, StandardInputBringsItsWeights) {
  const Workshop w;
  for (const char *model : {"early_exit.pt2", "nested.onnx"}) {
    w.example(model, model);
    const Outcome o = w.run({"run", "-"}, w.read(model));
    EXPECT_EQ(o.code, 0) << o.err;
  }
}

TEST(Run, AnOutputThatIsNoneHasNothingToCompare) {
  Workshop w;
  const std::string sine = R"({"op": "aten.sin.default", "attributes": [{"name": "self", "operand": "x"}],
                               "results": [{"name": "y", "type": "float32[4]"}]})";
  const auto model = [&](const std::string &results) {
    return fmt::format(R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": {{
                           "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": [{}]}}}})",
                       sine, results);
  };
  w.write("none.json", model(R"("y", {"literal": {"kind": "none"}})"));
  w.write("two.json", model(R"("y", "x")"));
  w.write("one.json", model(R"("y")"));
  EXPECT_EQ(w.run({"run", "one.json", "--save", "o.npz"}).code, 0);
  const Outcome none = w.run({"run", "none.json", "--expect", "o.npz"});
  EXPECT_EQ(none.code, 0) << none.out << none.err;
  EXPECT_TRUE(none.says("out1 (): none\n")) << none.out;
  EXPECT_EQ(w.run({"run", "two.json", "--expect", "o.npz"}).code, 1);
}

TEST(Run, AnInputOfABranchThatIsAnInitializerIsWhatItIs) {
  // As IR version 3 wrote them: c is true in one of the draws, and then w is read.
  const std::string model = CONDLINT_SOURCE_DIR "/tests/data/onnx/branch_initializer_is_input.onnx";
  const Workshop w;
  const Outcome both = w.run({"run", model, "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 0) << both.out;
  EXPECT_EQ(both.json()["inputs"][0]["status"], "ok") << both.out;
}

TEST(Run, OnnxModelsRunToo) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  EXPECT_EQ(w.run({"run", "m.onnx"}).code, 0);
  Outcome both = w.run({"run", "m.onnx", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 0) << both.out;
  EXPECT_EQ(found(both), "");
}

TEST(Run, BothBranchesShowTheReturnedOperand_A1) {
  Workshop w;
  w.example("returned_operand.pt2", "m.pt2");
  EXPECT_EQ(w.run({"run", "m.pt2"}).code, 0);
  Outcome both = w.run({"run", "m.pt2", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 1);
  EXPECT_EQ(found(both), "output-alias error;");
}

TEST(Run, BothBranchesShowTheWrittenOperand_M1) {
  Workshop w;
  w.example("written_operand.pt2", "m.pt2");
  Outcome both = w.run({"run", "m.pt2", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 1);
  EXPECT_EQ(found(both), "input-mutation error;");
}

TEST(Run, ABranchThatCannotRunMakesTheInputPartial) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  std::string graph = w.run({"dump", "m.onnx", "--output", "json"}).out;
  const std::string add = "\"op\": \"Add\"";
  ASSERT_NE(graph.find(add), std::string::npos);
  graph.replace(graph.find(add), add.size(), "\"op\": \"com.example::Add\"");
  w.write("m.json", graph);
  Outcome both = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 3);
  EXPECT_EQ(both.json()["inputs"][0]["status"], "partial");
  // There is no kernel for it, and it may be all right.
  both = w.run({"run", "m.json", "--branch", "both", "--allow-partial", "--output", "json"});
  EXPECT_EQ(both.code, both.json()["summary"]["findings"]["error"] == 0 ? 0 : 1);
  EXPECT_EQ(both.json()["inputs"][0]["status"], "partial");
}

TEST(Run, BothBranchesTakeWhatTheModelTakes) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  w.example("nested.onnx", "m.onnx");
  ASSERT_EQ(w.run({"run", "m.onnx", "--save", "other.npz"}).code, 0);
  const Outcome both = w.run({"run", "m.pt2", "--branch", "both", "--inputs", "other.npz"});
  EXPECT_EQ(both.code, 2) << "nothing has run";
  EXPECT_EQ(both.out, "");
  EXPECT_EQ(both.err, w.run({"run", "m.pt2", "--inputs", "other.npz"}).err);
}

TEST(Run, NodesOfBothBranchesAreTraced) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  const auto lines = [](const Outcome &o) { return std::count(o.err.begin(), o.err.end(), '\n'); };
  const auto taken = lines(w.run({"run", "m.pt2", "--trace"}));
  EXPECT_GT(taken, 0);
  EXPECT_GT(lines(w.run({"run", "m.pt2", "--trace", "--branch", "both", "--draws", "1"})), taken);
  EXPECT_TRUE(w.run({"run", "m.pt2", "--allow-partial"}).says("--allow-partial: counts with --branch both alone"));
}

TEST(Run, WrongUsageIsSaid) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  w.write("bad.npz", "this is no archive");
  EXPECT_EQ(w.run({"run", "m.pt2", "--inputs", "bad.npz"}).code, 2);
  EXPECT_EQ(w.run({"run", "m.pt2", "--inputs", "absent.npz"}).code, 2);
  EXPECT_EQ(w.run({"run", "m.pt2", "--memory-limit", "much"}).code, 2);
  Outcome cuda = w.run({"run", "m.pt2", "--device", "cuda"});
  EXPECT_TRUE(cuda.code == 0 || (cuda.code == 2 && cuda.says("there is no device 'cuda'"))) << cuda.err;
  EXPECT_EQ(w.run({"run", "m.pt2", "--device", "tpu"}).code, 2);
  EXPECT_EQ(w.run({"run", "absent.pt2"}).code, 3);
}

// --- what a run shows is said in the words of `condlint check` -------------------

/// A torch model around one cond of x; the branches' nodes and results in JSON.
std::string model(const std::string &yes, const std::string &no, const std::string &output = "float32[4]",
                  const std::string &x = "float32[4]") {
  const auto region = [&](const char *name, const std::string &nodes) {
    return fmt::format(R"({{"region": {{"name": "{}", "parameters": [{{"name": "x", "type": "{}"}}], "nodes": [{}],
                       "results": ["r"]}}}})",
                       name, x, nodes);
  };
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "torch", "version": "2.6", "symbols": {{"n": {{"min": 3, "max": 16}}}}, "graph": {{
      "parameters": [{{"name": "p", "type": "bool[]"}}, {{"name": "x", "type": "{}"}}], "nodes": [{{"op": "higher_order.cond",
      "name": "cond", "attributes": [{{"operand": "p"}}, {}, {}, {{"operands": ["x"]}}], "results": [{{"name": "y", "type": "{}"}}],
      "location": {{"path": "model.py", "line": 12}}}}], "results": ["y"]}}}})",
      x, region("true_graph_0", yes), region("false_graph_0", no), output);
}

std::string node(const std::string &op, const std::string &self, const std::string &result, const std::string &type,
                 const std::string &more = {}) {
  return fmt::format(
      R"({{"op": "aten.{}", "attributes": [{{"name": "self", "operand": "{}"}}{}], "results": [{{"name": "{}",
                     "type": "{}"}}]}})",
      op, self, more, result, type);
}

/// The messages of \p rule in a report, and whether each is dynamic evidence.
std::vector<std::string> messages(const Outcome &o, const std::string &rule, bool dynamic) {
  std::vector<std::string> out;
  const nlohmann::json report = o.json();
  for (const nlohmann::json &f : report["findings"])
    if (f["rule"] == rule && f.contains("evidence") == dynamic)
      out.push_back(f["message"]);
  return out;
}

/// The same rule in the same words, once by analysis and once by execution.
void expectTheSameWords(const std::string &json, const std::string &rule) {
  Workshop w;
  w.write("m.json", json);
  const Outcome check = w.run({"check", "m.json", "--output", "json"});
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(check.code, 1) << check.out;
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  const std::vector<std::string> said = messages(check, rule, false);
  EXPECT_EQ(said.size(), 1U) << check.out;
  EXPECT_EQ(messages(run, rule, true), said) << run.out;
  EXPECT_TRUE(messages(run, "executor", true).empty()) << run.out;
}

const std::string sine = node("sin.default", "x", "r", "float32[4]");

TEST(RunBoth, AWrittenOperandInTheWordsOfCheck_M1) {
  expectTheSameWords(model(node("add_.Scalar", "x", "w", "float32[4]", R"(, {"name": "other", "int": 1})") + ", " +
                               node("clone.default", "w", "r", "float32[4]"),
                           sine),
                     "input-mutation");
}

TEST(RunBoth, AReturnedViewInTheWordsOfCheck_A1) {
  expectTheSameWords(model(node("view.default", "x", "r", "float32[4]", R"(, {"name": "size", "ints": [4]})"), sine),
                     "output-alias");
}

TEST(RunBoth, AFileThatLiesAboutDtypesInTheWordsOfCheck) {
  expectTheSameWords(model(node("sin.default", "x", "r", "float16[4]"), sine), "graph-malformed");
}

/// [min(n, 4)] against [4].
std::string onlyForThree() {
  return model(node("slice.Tensor", "x", "s", "float32[min(n, 4)]",
                    R"(, {"name": "dim", "int": 0}, {"name": "start", "int": 0}, {"name": "end", "int": 4})") +
                   ", " + node("sin.default", "s", "r", "float32[min(n, 4)]"),
               node("new_ones.default", "x", "r", "float32[4]", R"(, {"name": "size", "ints": [4]})"), "?[?]",
               "float32[n]");
}

TEST(RunBoth, ABreakForOneSizeHappensAtItsWitness_R12) {
  expectTheSameWords(onlyForThree(), "output-shape");
  Workshop w;
  w.write("m.json", onlyForThree());
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--draws", "1", "--seed", "5"});
  EXPECT_TRUE(run.says("n = 3: [3] against [4]")) << run.out;
}

TEST(RunTaken, AReshapeThatFitsNothingStopsOnlyTheBranchThatItIsIn) {
  Workshop w;
  w.write("m.json", R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 17}, "graph": {
      "parameters": [{"name": "c", "type": "bool[]"}, {"name": "x", "type": "float32[3, 4]"}],
      "nodes": [{"op": "If", "operands": ["c"], "results": ["y"], "attributes": [
        {"name": "then_branch", "region": {"nodes": [
          {"op": "Constant", "attributes": [{"name": "value_ints", "ints": [1]}], "results": ["t"]},
          {"op": "Reshape", "operands": ["x", "t"], "results": ["a"]}], "results": ["a"]}},
        {"name": "else_branch", "region": {"nodes": [{"op": "Neg", "operands": ["x"], "results": ["b"]}], "results": ["b"]}}]}],
      "results": ["y"]}})");
  // Of seeds 0 to 7 some draw either predicate.
  std::set<int> codes;
  for (int seed = 0; seed < 8; ++seed)
    codes.insert(w.run({"run", "m.json", "--seed", std::to_string(seed)}).code);
  EXPECT_EQ(codes, (std::set<int>{0, 3}));
}

/// [n] against [n + (n == \p size)], by a comparison that the model computes.
std::string onlyForComputed(int size) {
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 17}}, "graph": {{
      "parameters": [{{"name": "c", "type": "bool[]"}}, {{"name": "x", "type": "float32[n]"}}],
      "nodes": [{{"op": "If", "operands": ["c"], "results": ["y"], "attributes": [
        {{"name": "then_branch", "region": {{"nodes": [{{"op": "Relu", "operands": ["x"], "results": ["a"]}}], "results": ["a"]}}}},
        {{"name": "else_branch", "region": {{"nodes": [
          {{"op": "Shape", "operands": ["x"], "results": ["s"]}},
          {{"op": "Constant", "attributes": [{{"name": "value_ints", "ints": [{}]}}], "results": ["k"]}},
          {{"op": "Equal", "operands": ["s", "k"], "results": ["e"]}},
          {{"op": "Cast", "operands": ["e"], "attributes": [{{"name": "to", "int": 7}}], "results": ["i"]}},
          {{"op": "Constant", "attributes": [{{"name": "value_ints", "ints": [0]}}], "results": ["z"]}},
          {{"op": "Concat", "operands": ["z", "i"], "attributes": [{{"name": "axis", "int": 0}}], "results": ["p"]}},
          {{"op": "Pad", "operands": ["x", "p"], "results": [{{"name": "b", "type": "float32[m]"}}]}}], "results": ["b"]}}}}]}}],
      "results": ["y"]}}}})",
      size);
}

TEST(RunBoth, SizesThatComparisonsAskForAreDrawn) {
  Workshop w;
  w.write("m.json", onlyForComputed(3));
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--target", "tensorrt@10.3"});
  EXPECT_TRUE(run.says("when executed with n = 3: [3] against [4]")) << run.out;
  // It is what the comparison asks for that is drawn, not one size after the other.
  w.write("m.json", onlyForComputed(8));
  const Outcome more = w.run({"run", "m.json", "--branch", "both", "--target", "tensorrt@10.3"});
  EXPECT_TRUE(more.says("when executed with n = 8: [8] against [9]")) << more.out;
  w.write("m.json", onlyForComputed(800));
  const Outcome large = w.run({"run", "m.json", "--branch", "both", "--target", "tensorrt@10.3"});
  EXPECT_TRUE(large.says("when executed with n = 800: [800] against [801]")) << large.out;
}

TEST(RunBoth, TheInputsThatShowItAreKeptWithTheCommandThatRepeatsIt) {
  Workshop w;
  w.write("m.json", onlyForThree());
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  const std::string note = run.json()["inputs"][0]["notes"].dump();
  EXPECT_NE(note.find("condlint run m.json --branch both --inputs m-seed0-draw0.npz"), std::string::npos) << note;
  const Outcome again =
      w.run({"run", "m.json", "--branch", "both", "--inputs", "m-seed0-draw0.npz", "--output", "json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_EQ(messages(again, "output-shape", true), messages(run, "output-shape", true));
}

TEST(RunBoth, WhatDoesNotHappenIsNotConfirmed) {
  // The model refuses n = 3 itself, in a way that sizes do not show.
  std::string json = onlyForThree();
  const auto replace = [&](const std::string &what, const std::string &with) {
    json.replace(json.find(what), what.size(), with);
  };
  replace(
      R"("nodes": [{"op": "higher_order.cond")",
      R"("nodes": [{"op": "aten.as_strided.default", "attributes": [{"name": "self", "operand": "x"}, {"name": "size", "ints": [1]},
          {"name": "stride", "ints": [1]}, {"name": "storage_offset", "int": 3}], "results": ["e"]}, {"op": "aten.add.Tensor", "attributes": [
          {"name": "self", "operand": "x"}, {"name": "other", "operand": "e"}], "results": ["z"]}, {"op": "higher_order.cond")");
  replace(R"({"operands": ["x"]})", R"({"operands": ["z"]})");
  Workshop w;
  w.write("m.json", json);
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_TRUE(messages(run, "output-shape", true).empty()) << run.out;
  EXPECT_EQ(messages(run, "output-shape", false).size(), 1U) << run.out;
  EXPECT_TRUE(run.says("not confirmed")) << run.out;
}

TEST(RunBoth, ASoundModelIsProvedAndLeavesNoFile) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  const Outcome run = w.run({"run", "m.pt2", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_EQ(run.json()["summary"]["conditionals"]["proved"], 1) << run.out;
  EXPECT_FALSE(std::filesystem::exists(w.path("m-seed0-draw0.npz")));
}

TEST(RunBoth, DtypesAndStridesAreJudgedByTheTarget_R6_R13) {
  Workshop w;
  w.write("dtype.json",
          model(sine, node("to.dtype", "x", "r", "float64[4]", R"(, {"name": "dtype", "dtype": "float64"})"), "?[4]"));
  EXPECT_EQ(found(w.run({"run", "dtype.json", "--branch", "both", "--output", "json"})), "output-dtype error;");
  const std::string turned =
      model(node("sin.default", "x", "r", "float32[2, 3]"),
            node("sin.default", "x", "s", "float32[2, 3]") + ", " +
                node("permute.default", "s", "t", "float32[3, 2]", R"(, {"name": "dims", "ints": [1, 0]})") + ", " +
                node("clone.default", "t", "u", "float32[3, 2]", R"(, {"name": "memory_format", "memoryFormat": 1})") +
                ", " + node("permute.default", "u", "r", "float32[2, 3]", R"(, {"name": "dims", "ints": [1, 0]})"),
            "float32[2, 3]", "float32[2, 3]");
  w.write("strides.json", turned);
  EXPECT_EQ(found(w.run({"run", "strides.json", "--branch", "both", "--target", "torch@2.13", "--output", "json"})),
            "output-layout error;");
  EXPECT_EQ(found(w.run({"run", "strides.json", "--branch", "both", "--target", "onnx", "--output", "json"})), "");
}

/// Two branches of `x[1::2]`, one element for the n = 3 that is drawn first: \p then of it
/// against `sin`.
std::string everySecond(const std::string &then) {
  const std::string slice =
      node("slice.Tensor", "x", "s", "?[?]",
           R"(, {"name": "dim", "int": 0}, {"name": "start", "int": 1}, {"name": "step", "int": 2})");
  return model(slice + ", " + then, slice + ", " + node("sin.default", "s", "r", "?[?]"), "?[?]", "float32[n]");
}

TEST(RunBoth, AnAxisOfOneElementHasNoDistance_R14) {
  Workshop w;
  w.write("m.json", everySecond(node("clone.default", "s", "r", "?[?]")));
  const Outcome one =
      w.run({"run", "m.json", "--branch", "both", "--target", "torch@2.13", "--draws", "1", "--output", "json"});
  EXPECT_EQ(found(one), "") << one.out;
  // What such a view of the operand is besides is still said.
  w.write("view.json", everySecond(node("view.dtype", "s", "r", "?[?]", R"(, {"name": "dtype", "dtype": "float32"})")));
  const Outcome apart = w.run({"run", "view.json", "--branch", "both", "--target", "torch@2.13", "--output", "json"});
  EXPECT_TRUE(apart.says("different storage offsets")) << apart.out;
}

// --- what analysis found stands beside what was executed ---------------------------

/// The verdict of \p rule on the only conditional.
std::string verdict(const Outcome &o, const std::string &rule) {
  return o.json()["conditionals"][0]["rules"][rule].get<std::string>();
}

TEST(RunBoth, WhatNoRunCanShowIsReportedAllTheSame) {
  // One branch returns a value more.
  std::string json = model(sine, sine);
  json.replace(json.find(R"("results": ["r"])"), 16, R"("results": ["r", "x"])");
  Workshop w;
  w.write("m.json", json);
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_EQ(messages(run, "output-count", false).size(), 1U) << run.out;
  EXPECT_EQ(verdict(run, "output-count"), "violated");
  EXPECT_EQ(run.json()["summary"]["conditionals"]["proved"], 0) << run.out;
}

TEST(RunBoth, TheConfigurationHoldsAsForCheck) {
  Workshop w;
  w.example("returned_operand.pt2", "m.pt2");
  const auto rules = [&](const std::string &config) {
    w.write(".condlint.json", config);
    return found(w.run({"run", "m.pt2", "--branch", "both", "--output", "json"}));
  };
  EXPECT_EQ(rules("{}"), "output-alias error;");
  EXPECT_EQ(rules(R"({"severity": {"output-alias": "warning"}})"), "output-alias warning;");
  EXPECT_EQ(rules(R"({"ignore": ["output-alias"]})"), "");
  EXPECT_EQ(rules(R"({"select": ["output-dtype"]})"), "");
  w.write(".condlint.json", R"({"ignroe": []})");
  EXPECT_EQ(w.run({"run", "m.pt2", "--branch", "both"}).code, 2);
}

TEST(RunBoth, WhatWasNotExecutedIsNotProved) {
  const std::string unknown =
      R"({"op": "nobody.knows.default", "attributes": [{"name": "self", "operand": "x"}], "results": [{"name": "r", "type": "float32[4]"}]})";
  Workshop w;
  w.write("m.json", model(sine, unknown));
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(verdict(run, "output-dtype"), "unknown") << run.out;
  EXPECT_EQ(run.json()["summary"]["conditionals"]["proved"], 0) << run.out;
}

TEST(RunBoth, AnOperatorThatCannotBeExecutedIsSaidWithItsPlace) {
  Workshop w;
  w.write("m.json",
          R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20, "my.dom": 1}, "graph": {"parameters": [
      {"name": "x", "type": "float32[2]"}], "nodes": [{"op": "my.dom::Foo", "name": "foo", "operands": ["x"], "results": [
      {"name": "c", "type": "bool[]"}]}, {"op": "If", "name": "if0", "operands": ["c"], "attributes": [
      {"name": "then_branch", "region": {"nodes": [{"op": "Relu", "operands": ["x"], "results": ["a"]}], "results": ["a"]}},
      {"name": "else_branch", "region": {"nodes": [{"op": "Neg", "operands": ["x"], "results": ["b"]}], "results": ["b"]}}],
      "results": [{"name": "y", "type": "float32[2]"}]}], "results": ["y"]}})");
  const Outcome run = w.run({"run", "m.json", "--branch", "both"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_TRUE(run.says("main/if0: the conditional was not reached: stopped at main/foo")) << run.out << run.err;
  EXPECT_TRUE(run.says("my.dom::Foo")) << run.out << run.err;
}

TEST(RunBoth, WithoutInputsThatCanBeDrawnAnalysisStandsAlone) {
  Workshop w;
  w.write("m.json", model(sine, node("to.dtype", "x", "r", "float64[4]", R"(, {"name": "dtype", "dtype": "float64"})"),
                          "?[?]", "float32[...]"));
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(messages(run, "output-dtype", false).size(), 1U) << run.out;
}

TEST(RunBoth, NothingLeaksFromOneBranchToAnother) {
  const auto leaking = [](const std::string &from) {
    std::string json = model(sine + ", " + node("cos.default", "x", "own", "float32[4]"), sine);
    const std::size_t second = json.find("false_graph_0");
    return json.replace(json.find(R"("operand": "x")", second), 14, R"("operand": ")" + from + '"');
  };
  Workshop w;
  w.write("m.json", leaking("own"));
  const Outcome run = w.run({"run", "m.json", "--branch", "both", "--output", "json"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(run.json()["inputs"][0]["status"], "partial") << run.out;
  EXPECT_GE(run.json()["summary"]["findings"]["error"], 1) << run.out;
}

TEST(RunBoth, AWriteInANestedConditionalIsTheInnerOnes_M1) {
  const std::string inner = fmt::format(
      R"({{"op": "higher_order.cond", "name": "inner", "attributes": [{{"operand": "q"}},
        {{"region": {{"name": "true_graph_0", "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": ["r"]}}}},
        {{"region": {{"name": "false_graph_0", "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": ["r"]}}}},
        {{"operands": ["x"]}}], "results": [{{"name": "r", "type": "float32[4]"}}]}})",
      node("add_.Scalar", "x", "w", "float32[4]", R"(, {"name": "other", "int": 1})") + ", " +
          node("clone.default", "w", "r", "float32[4]"),
      sine);
  const std::string predicate = node("sum.default", "x", "s", "float32[]") + ", " +
                                node("gt.Scalar", "s", "q", "bool[]", R"(, {"name": "other", "int": 0})");
  expectTheSameWords(model(predicate + ", " + inner, sine), "input-mutation");
}

/// The rules that are broken at more than a note, by check and by run --branch both.
std::pair<std::vector<std::string>, std::vector<std::string>> brokenRules(const std::string &json) {
  Workshop w;
  w.write("m.json", json);
  const auto rulesOf = [](const Outcome &o) {
    std::vector<std::string> rules;
    const nlohmann::json report = o.json();
    for (const nlohmann::json &f : report["findings"])
      if (f["severity"] != "note")
        rules.push_back(f["rule"].get<std::string>());
    return rules;
  };
  return {rulesOf(w.run({"check", "m.json", "--output", "json"})),
          rulesOf(w.run({"run", "m.json", "--branch", "both", "--output", "json"}))};
}

TEST(RunBoth, WhatFollowsFromAFindingIsNoOther) {
  using Rules = std::vector<std::string>;
  std::string self = model(sine, sine);
  self.replace(self.find(R"({"operand": "p"})"), 16, R"({"operand": "y"})");
  EXPECT_EQ(brokenRules(self), std::pair(Rules{"predicate-self"}, Rules{"predicate-self"}));

  const auto nested = [](const std::string &nodes) {
    return fmt::format(
        R"({{"op": "aten.sum.default", "attributes": [{{"name": "self", "operand": "x"}}], "results": [{{"name": "s", "type": "float32[]"}}]}},
        {{"op": "aten.gt.Scalar", "attributes": [{{"name": "self", "operand": "s"}}, {{"name": "other", "int": 0}}], "results": [{{"name": "q", "type": "bool[]"}}]}},
        {{"op": "higher_order.cond", "name": "inner", "attributes": [{{"operand": "q"}},
        {{"region": {{"name": "true_graph_0", "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": ["r"]}}}},
        {{"region": {{"name": "false_graph_0", "parameters": [{{"name": "x", "type": "float32[4]"}}], "nodes": [{}], "results": ["r"]}}}},
        {{"operands": ["x"]}}], "results": [{{"name": "r", "type": "float32[4]"}}]}})",
        nodes, sine);
  };
  const std::string view = node("view.default", "x", "r", "float32[4]", R"(, {"name": "size", "ints": [4]})");
  EXPECT_EQ(brokenRules(model(nested(view), sine)), std::pair(Rules{"output-alias"}, Rules{"output-alias"}));
  // Two of their own are two.
  EXPECT_EQ(brokenRules(model(nested(view), view)),
            std::pair(Rules({"output-alias", "output-alias"}), Rules({"output-alias", "output-alias"})));

  const auto declared = [](const char *yes, const char *y) {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "c", "type": "bool[]"}},
        {{"name": "x", "type": "float32[4]"}}], "nodes": [{{"op": "If", "name": "If_0", "operands": ["c"], "attributes": [
        {{"name": "then_branch", "region": {{"nodes": [{{"op": "Relu", "operands": ["x"], "results": [{{"name": "a", "type": "{0}"}}]}}], "results": ["a"]}}}},
        {{"name": "else_branch", "region": {{"nodes": [{{"op": "Neg", "operands": ["x"], "results": [{{"name": "b", "type": "{0}"}}]}}], "results": ["b"]}}}}],
        "results": [{{"name": "y", "type": "{1}"}}]}}], "results": ["y"]}}}})",
        yes, y);
  };
  EXPECT_EQ(brokenRules(declared("int64[4]", "int64[4]")),
            std::pair(Rules({"output-declared", "output-declared"}), Rules({"output-declared", "output-declared"})));
  EXPECT_EQ(brokenRules(declared("float32[4]", "int64[4]")),
            std::pair(Rules{"output-declared"}, Rules{"output-declared"}));
}

TEST(RunBoth, ABranchThatReturnsAFloatReturnsAFloat_R4) {
  std::string json = model(sine, sine, "?[?]");
  for (int i = 0; i < 2; ++i)
    json.replace(json.find(R"("results": ["r"])"), 16, R"("results": [{"literal": "sym_float"}])");
  expectTheSameWords(json, "output-kind");
}

// --- the report of one run -------------------------------------------------------

TEST(RunTaken, TheReportIsWrittenInTheFormatThatIsAskedFor) {
  Workshop w;
  w.write("m.json", model(sine, sine));
  const Outcome run = w.run({"run", "m.json", "--save", "o.npz", "--output", "json", "--output", "text=o.txt"});
  EXPECT_EQ(run.code, 0) << run.err;
  const nlohmann::json shown = run.json()["run"];
  EXPECT_EQ(shown["outputs"][0]["dtype"], "float32");
  EXPECT_EQ(shown["outputs"][0]["shape"], nlohmann::json::array({4}));
  EXPECT_TRUE(std::filesystem::exists(w.path("o.txt")));
  const Outcome differs = w.run({"run", "m.json", "--seed", "9", "--expect", "o.npz", "--output", "json"});
  EXPECT_EQ(differs.code, 1);
  EXPECT_EQ(differs.json()["run"]["differences"].size(), 1U);
  EXPECT_EQ(differs.json()["summary"]["exitCode"], 1);
  const Outcome absent = w.run({"run", "absent.pt2", "--output", "json"});
  EXPECT_EQ(absent.code, 3);
  EXPECT_EQ(absent.json()["inputs"][0]["status"], "failed");
}

TEST(RunTaken, AResultThatNothingDefinesStopsTheRun) {
  std::string json = model(sine, sine);
  json.replace(json.find(R"("results": ["y"])"), 16, R"("results": ["nowhere"])");
  Workshop w;
  w.write("m.json", json);
  const Outcome run = w.run({"run", "m.json", "--save", "o.npz"});
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_TRUE(run.says("nowhere")) << run.err;
}

TEST(RunTaken, AnUnknownModelIsRefusedWithWhatThereIs) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  const Outcome other = w.run({"run", "m.pt2", "--model", "other"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(other.says("it holds: model)")) << other.err;
  EXPECT_EQ(w.run({"run", "m.pt2", "--model", "model"}).code, 0);
}

// --- inputs, weights and limits that do not fit ------------------------------------

TEST(RunBad, InputsAreRefusedWithTheirNameAndNothingIsWritten) {
  Workshop w;
  w.write("m.json", model(sine, sine));
  ASSERT_EQ(w.run({"run", "m.json", "--save", "good.npz"}).code, 0);
  // The outputs of that are inputs of the wrong number and rank here.
  const Outcome bad = w.run({"run", "m.json", "--inputs", "good.npz", "--save", "new.npz"});
  EXPECT_EQ(bad.code, 2) << bad.out << bad.err;
  EXPECT_TRUE(bad.says("input")) << bad.err;
  EXPECT_FALSE(std::filesystem::exists(w.path("new.npz")));
}

TEST(RunBad, MoreMemoryThanAllowed) {
  Workshop w;
  w.write("m.json",
          model(node("new_zeros.default", "x", "r", "float32[100000000]", R"(, {"name": "size", "ints": [100000000]})"),
                sine));
  EXPECT_EQ(w.run({"run", "m.json", "--memory-limit", "100M", "--seed", "1", "--branch", "both"}).code, 3);
  const Outcome none = w.run({"run", "m.json", "--memory-limit", "0"});
  EXPECT_EQ(none.code, 2) << none.err;
}

TEST(Run, WhatABranchWroteOnAnEarlierTripWasItsOwn) {
  Workshop w;
  const Outcome o =
      w.run({"run", "--branch", "both", CONDLINT_SOURCE_DIR "/tests/data/graphs/loop_writes_its_own.json"});
  EXPECT_EQ(o.code, 0) << o.out;
  EXPECT_TRUE(o.says("1 proved")) << o.out;
}

} // namespace
} // namespace condlint::test
