//===- StructureTest.cpp - Scopes, laziness and sameness ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

TEST(Structure, ACapture) {
  TorchCond c = soundCond();
  c.before = aten("sin.default", "x", "outer", "float32[4]") + ",";
  c.yes.nodes = aten("sin.default", "outer", "sin", "float32[4]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error closure-capture"});
  EXPECT_EQ(found(OnnxIf().json(), "onnx"), Rules{}); // an If captures by design
}

TEST(Structure, F2CrossBranch) {
  OnnxIf i;
  i.no.nodes = onnx("Neg", R"("a")", "b");
  for (const char *target : {"onnx", "onnxruntime", "tensorrt@10.13"})
    EXPECT_EQ(found(i.json(), target), Rules{"error cross-branch-edge"}) << target;
  TorchCond c = soundCond();
  c.no.nodes = aten("cos.default", "sin", "cos", "float32[4]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error cross-branch-edge"});
}

/// A model whose main graph calls one function, F, with the condition c and x; If_0 is in its body.
std::string ifInFunction(const std::string &predicate, const Region &yes, const Region &no, const std::string &after,
                         const std::string &x = "float32[4]") {
  return fmt::format(
      R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20, "local": 1}}, "graph": {{
      "parameters": [{}, {}], "nodes": [{{"op": "local::F", "operands": ["c", "x"], "results": ["w"]}}], "results": ["w"]}},
      "functions": [{{"domain": "local", "name": "F", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "c"}}, {{"name": "x"}}],
      "nodes": [{{"op": "If", "name": "If_0", "operands": ["{}"], "attributes": [{{"name": "then_branch", "region": {}}},
      {{"name": "else_branch", "region": {}}}], "results": ["y"]}}{}], "results": ["y"]}}}}]}})",
      value("c", "bool[]"), value("x", x), predicate, yes.json("t"), no.json("e"), after);
}

TEST(Structure, ABodyOfAFunctionBreaksTheRulesOfTheMainGraph) {
  const OnnxIf sound;
  EXPECT_EQ(found(ifInFunction("c", sound.yes, sound.no, ""), "onnx"), Rules{});
  Region no = sound.no;
  no.nodes = onnx("Neg", R"("a")", "b");
  EXPECT_EQ(found(ifInFunction("c", sound.yes, no, ""), "onnx"), Rules{"error cross-branch-edge"});
  EXPECT_EQ(found(ifInFunction("y", sound.yes, sound.no, ""), "onnx", {"branch-identical", "predicate-constant"}),
            Rules{"error predicate-self"});
  no.nodes = onnx("Neg", R"("late")", "b");
  const std::string late = ifInFunction("c", sound.yes, no, ", " + onnx("Exp", R"("x")", "late"));
  EXPECT_EQ(found(late, "onnx"), Rules{"error value-undefined"});
  const Finding f = theFinding(late, "onnx", "value-undefined");
  EXPECT_NE(f.message.find("before it is defined"), std::string::npos) << f.message;
}

TEST(Structure, ACallNamesAllOutputsOfItsFunction) {
  const auto call = [](const std::string &results, const std::string &second = "Neg") {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20, "my": 1}}, "graph": {{"parameters": [{}],
        "nodes": [{{"op": "my::F", "operands": ["x"], "results": [{}]}}], "results": ["y"]}},
        "functions": [{{"domain": "my", "name": "F", "opsets": {{"": 20}}, "graph": {{"parameters": [{{"name": "a"}}],
        "nodes": [{}, {}], "results": ["p", "q"]}}}}]}})",
        value("x", "float32[4]"), results, onnx("Relu", R"("a")", "p"), onnx(second, R"("a")", "q"));
  };
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_EQ(found(call(R"("y")"), target), Rules{"error operator-type"}) << target;
    EXPECT_EQ(found(call(R"("y", "z")"), target), Rules{}) << target;
    EXPECT_EQ(found(call(R"("y", {})"), target), Rules{}) << target;
    EXPECT_EQ(found(call(R"("y")", "other::Op"), target), Rules{}) << "what has no type is given to nobody";
  }
  EXPECT_EQ(found(call(R"("y")"), "tensorrt@10.6"), Rules{});
}

TEST(Structure, DropoutDrawsInTraining_E4) {
  const auto verdict = [](const std::string &mode) {
    OnnxIf i;
    i.parameters += ", " + value("given", "bool[]");
    i.constants = R"({"name": "half", "type": "float32[]"},
        {"name": "yes", "type": "bool[]", "data": {"bytes": [1]}}, {"name": "no", "type": "bool[]", "data": {"bytes": [0]}})";
    i.yes.nodes = onnx("Dropout", R"("x", "half")" + mode, "a");
    return verdictOf(i.json(), "onnx", "random-in-branch");
  };
  EXPECT_EQ(verdict(R"(, "yes")"), "violated");
  EXPECT_EQ(verdict(R"(, "given")"), "unknown");
  EXPECT_EQ(verdict(R"(, "no")"), "proved");
  EXPECT_EQ(verdict(""), "proved");
}

// onnx.proto, AttributeProto.ref_attr_name: a branch may be an attribute of the call.
TEST(Structure, ABranchThatTheCallGives) {
  const auto given = [](const std::string &ofElse, const std::string &second = "", const std::string &x = "x") {
    const auto call = [&](const std::string &branch, const std::string &result) {
      return fmt::format(
          R"({{"op": "my::F", "operands": ["c", "{}"], "attributes": [{{"name": "tb", "region": {}}}, {{"name": "eb",
          "region": {}}}], "results": ["{}"]}})",
          x, Region{"", onnx("Relu", R"("x")", "a" + result), '"' + ("a" + result) + '"'}.json("t"),
          Region{"", onnx(branch, R"("x")", "b" + result, "", branch == "Cast" ? R"({"name": "to", "int": 7})" : ""),
                 '"' + ("b" + result) + '"'}
              .json("e"),
          result);
    };
    return R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20, "my": 1}, "graph": {"parameters": [)" +
           value("c", "bool[]") + ", " + value("x", "float32[4]") + ", " + value("z", "float32[4]") +
           R"(], "nodes": [)" + call(ofElse, "y") + (second.empty() ? "" : ", " + call(second, "w")) +
           R"(], "results": ["y"]}, "functions": [{"domain": "my", "name": "F", "opsets": {"": 20}, "graph": {"parameters": [{"name": "c"}, {"name": "x"}],
           "nodes": [{"op": "If", "name": "If_0", "operands": ["c"], "attributes": [{"name": "then_branch", "reference": "tb"},
           {"name": "else_branch", "reference": "eb"}], "results": ["r"]}], "results": ["r"]}}]})";
  };
  EXPECT_EQ(found(given("Neg"), "onnx"), Rules{});
  EXPECT_EQ(verdictOf(given("Neg"), "onnx", "output-dtype"), "proved");
  EXPECT_EQ(found(given("Cast"), "onnx"), Rules{"error output-dtype"});
  EXPECT_EQ(found(given("Neg", "Cast"), "onnx"), Rules{"error output-dtype"}) << "each call has its own";
  // Of the function x is what the call names z: which of the two the branch means, tools do not agree on.
  EXPECT_EQ(verdictOf(given("Cast", "", "z"), "onnx", "output-dtype"), "unknown");
}

TEST(Structure, TheBodyOfALoopReturnsWhatIsMadeInIt) {
  const auto loop = [](const std::string &returned) {
    OnnxIf i;
    const Region body{value("i", "int64[]") + ", " + value("k", "bool[]") + ", " + value("v", "float32[4]"),
                      onnx("Identity", R"("k")", "l") + ", " + onnx("Exp", R"("v")", "w"),
                      R"("l", ")" + returned + "\""};
    i.yes.nodes = R"({"op": "Loop", "operands": [null, "c", "x"], "attributes": [{"name": "body", "region": )" +
                  body.json("body") + R"(}], "results": [{"name": "a"}]})";
    return i.json();
  };
  for (const char *target : {"onnx", "onnxruntime"}) {
    EXPECT_EQ(found(loop("w"), target), Rules{}) << target;
    EXPECT_EQ(found(loop("v"), target), Rules{}) << target; // its own parameter
    EXPECT_EQ(found(loop("x"), target), Rules{"error value-undefined"}) << target;
  }
  EXPECT_EQ(theFinding(loop("x"), "onnx", "value-undefined").conditional, "main/If_0");
  EXPECT_EQ(found(loop("x"), "tensorrt@10.13"), Rules{});
}

TEST(Structure, AFunctionIsHeldAgainstItsNumbersAlone) {
  const Region no{"", onnx("Neg", R"("x")", "b"), R"("b")"};
  const auto declared = [&](const std::string &type, const std::string &x) {
    const Region yes{"", onnx("Concat", R"("x", "k")", "a", type, R"({"name": "axis", "int": 0})"), R"("a")",
                     value("k", "float32[1]")};
    return found(ifInFunction("c", yes, no, "", x), "onnxruntime", {"output-shape"});
  };
  EXPECT_EQ(declared("float32[N]", "float32[N]"), Rules{"warning output-declared"});
  EXPECT_EQ(declared("float32[4]", "float32[4]"), Rules{"error output-declared"});
  EXPECT_EQ(declared("float32[1, 5]", "float32[4]"), Rules{"error output-declared"});
  EXPECT_EQ(declared("float32[5]", "float32[4]"), Rules{});
}

TEST(Structure, ALeakIsOfTheNearestConditional) {
  // The other branch makes a value of the same name.
  OnnxIf i;
  const Region yes{"", onnx("Exp", R"("x")", "t"), R"("t")"}, no{"", onnx("Abs", R"("x")", "d"), R"("d")"};
  i.yes.nodes = R"({"op": "If", "name": "If_1", "operands": ["c"], "attributes": [{"name": "then_branch", "region": )" +
                yes.json("t1") + R"(}, {"name": "else_branch", "region": )" + no.json("e1") +
                R"(}], "results": ["w"]}, )" + onnx("Add", R"("w", "t")", "a");
  i.no.nodes = onnx("Neg", R"("x")", "t") + ", " + onnx("Neg", R"("t")", "b");
  EXPECT_EQ(found(i.json(), "onnx", {"predicate-constant", "output-unused"}), Rules{"error branch-leak"});
  EXPECT_EQ(theFinding(i.json(), "onnx", "branch-leak").conditional, "main/If_0/then_branch/If_1");
}

TEST(Structure, ACrossEdgeIsOfTheNearestConditional) {
  // An earlier conditional makes a value of the same name.
  OnnxIf i;
  const Region yes{"", onnx("Exp", R"("x")", "a"), R"("a")"}, no{"", onnx("Abs", R"("x")", "d"), R"("d")"};
  i.before =
      R"({"op": "If", "name": "If_first", "operands": ["c"], "attributes": [{"name": "then_branch", "region": )" +
      yes.json("t1") + R"(}, {"name": "else_branch", "region": )" + no.json("e1") + R"(}], "results": ["w"]},)";
  i.no.nodes = onnx("Neg", R"("a")", "b");
  i.results = R"("y", "w")";
  const Finding f = theFinding(i.json(), "onnx", "cross-branch-edge");
  EXPECT_EQ(f.conditional, "main/If_0");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error cross-branch-edge"});
}

TEST(Structure, F1Leak) {
  OnnxIf i;
  i.after = ", " + onnx("Abs", R"("a")", "z");
  i.results = R"("y", "z")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error branch-leak"});
  EXPECT_EQ(theFinding(i.json(), "onnx", "branch-leak").conditional, "main/If_0");
  i.after = "";
  i.results = R"("y", "a")";
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error branch-leak"});
}

TEST(Structure, UndefinedNames) {
  OnnxIf i;
  i.yes.nodes = onnx("Add", R"("nothing", "nothing")", "a");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"}); // once, however often it is read
  i.yes = {"", onnx("Relu", R"("x")", "a"), R"("nothing")"};
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"});
}

TEST(Structure, AnOperandThatNothingMakesIsNotTheBranchsParameterOfThatName) {
  TorchCond c = soundCond();
  c.operands = R"({"operands": ["gone"]})";
  c.yes.parameters = c.no.parameters = value("gone", "float32[4]");
  c.yes.nodes = aten("sin.default", "gone", "sin", "float32[4]");
  c.no.nodes = aten("cos.default", "gone", "cos", "float32[4]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error value-undefined"});
  // Nor a value of that name further inside.
  TorchCond inner = soundCond();
  inner.yes.nodes = aten("sin.default", "x", "gone", "float32[4]");
  inner.yes.results = R"("gone")";
  c.parameters += ", " + value("q", "bool[]");
  c.operands = R"({"operands": ["gone", "p"]})";
  c.yes.parameters = c.no.parameters = value("gone", "float32[4]") + ", " + value("q", "bool[]");
  c.yes.nodes = R"({"op": "higher_order.cond", "name": "cond_1", "attributes": [{"operand": "q"}, {"region": )" +
                inner.yes.json("true_graph_0") + R"(}, {"region": )" + inner.no.json("false_graph_0") +
                R"(}, {"operands": ["gone"]}], "results": [)" + value("sin", "float32[4]") + "]}";
  EXPECT_EQ(found(c.json(), "torch@2.13", {"predicate-constant", "output-unused", "operand-unused"}),
            Rules{"error value-undefined"});
}

TEST(Structure, AConditionalThatLostItsOutputsIsNoLeak) {
  TorchCond c = soundCond();
  c.outputs = "";
  c.results = R"("sin")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), (Rules{"error value-undefined", "error output-none"}));
}

TEST(Structure, WhatAConditionalYieldsIsNotThereInItsBranches) {
  TorchCond c = soundCond();
  c.yes.results = R"("y")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error value-undefined"});
}

TEST(Structure, AnOuterValueDefinedLater) {
  OnnxIf i;
  i.yes.nodes = onnx("Relu", R"("late")", "a");
  i.after = ", " + onnx("Abs", R"("x")", "late");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{}); // it sorts again
  // What depends on the If itself cannot be sorted.
  i.after = ", " + onnx("Abs", R"("y")", "late");
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"error value-undefined"});
}

TEST(Structure, NodesInTheWrongOrder) {
  OnnxIf i;
  i.before = onnx("Neg", R"("late")", "m") + ", ";
  i.after = ", " + onnx("Abs", R"("x")", "late");
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"error value-undefined"});
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{}); // it sorts the main graph
  i.after = ", " + onnx("Abs", R"("m")", "late");
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"error value-undefined"}) << "no order suits a cycle";
  EXPECT_NE(theFinding(i.json(), "onnx", "value-undefined").help.find("cycle"), std::string::npos);
  // It does not sort a branch, whoever reads there.
  i = {};
  i.yes = {"", onnx("Neg", R"("later")", "a") + ", " + onnx("Abs", R"("x")", "later"), R"("a")"};
  EXPECT_EQ(found(i.json(), "onnxruntime"), Rules{"error value-undefined"});
  const auto nested = [](const std::string &read) {
    const std::string yes = Region{"", onnx("Relu", '"' + read + '"', "ya"), R"("ya")"}.json("yes");
    const std::string no = Region{"", onnx("Neg", R"("x")", "na"), R"("na")"}.json("no");
    OnnxIf o;
    o.yes = {"",
             R"({"op": "If", "name": "If_1", "operands": ["c"], "attributes": [{"name": "then_branch", "region": )" +
                 yes + R"(}, {"name": "else_branch", "region": )" + no + R"(}], "results": [)" + value("i") + "]}, " +
                 onnx("Abs", R"("x")", "inner") + ", " + onnx("Add", R"("i", "inner")", "a"),
             R"("a")"};
    o.after = ", " + onnx("Exp", R"("x")", "outer");
    return o.json();
  };
  const std::vector<std::string> besides = {"branch-eager", "output-unused", "predicate-constant"};
  EXPECT_EQ(found(nested("inner"), "onnxruntime", besides), Rules{"error value-undefined"});
  EXPECT_EQ(found(nested("outer"), "onnxruntime", besides), Rules{});
  EXPECT_EQ(found(nested("outer"), "onnx", besides), Rules{"error value-undefined"});
  EXPECT_EQ(found(nested("x"), "onnxruntime", besides), Rules{});
}

TEST(Structure, F5Eager) {
  OnnxIf i;
  i.before = onnx("Exp", R"("x")", "e") + ",";
  i.yes.nodes = onnx("Relu", R"("e")", "a");
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"warning branch-eager"});
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"note branch-eager"});
  // Both branches need it.
  OnnxIf both = i;
  both.no.nodes = onnx("Neg", R"("e")", "b");
  EXPECT_EQ(found(both.json(), "tensorrt@10.13"), Rules{});
  // The model returns it as well.
  OnnxIf returned = i;
  returned.results = R"("y", "e")";
  EXPECT_EQ(found(returned.json(), "tensorrt@10.13"), Rules{});
  // No work.
  OnnxIf trivial = i;
  trivial.before = onnx("Identity", R"("x")", "e") + ",";
  EXPECT_EQ(found(trivial.json(), "tensorrt@10.13"), Rules{});
  // The other branch may mean it.
  OnnxIf misspelt = i;
  misspelt.no.nodes = onnx("Neg", R"("ee")", "b");
  EXPECT_EQ(found(misspelt.json(), "tensorrt@10.13"), Rules{"error value-undefined"});
}

TEST(Structure, F5WhatFollowsFromConstantsIsComputedOnce) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[2, 2]");
  i.constants = value("w", "float32[2, 2]");
  const auto with = [&](const std::string &before) {
    i.before = before + ", ";
    i.yes.nodes = onnx("MatMul", R"("x", "e")", "a");
    return found(i.json(), "tensorrt@10.13");
  };
  EXPECT_EQ(with(onnx("Transpose", R"("w")", "t") + ", " + onnx("Exp", R"("t")", "e")), Rules{});
  EXPECT_EQ(with(onnx("Shape", R"("x")", "s") + ", " + onnx("Expand", R"("w", "s")", "e")), Rules{})
      << "sizes that never change are constants";
  EXPECT_EQ(with(onnx("Mul", R"("w", "x")", "e")), Rules{"warning branch-eager"});
  EXPECT_EQ(with(onnx("RandomNormalLike", R"("w")", "e")), Rules{"warning branch-eager"});
  EXPECT_EQ(with(onnx("test::Any", R"("w")", "e", "float32[2, 2]")), Rules{"warning branch-eager"});
}

TEST(Structure, F5EagerThroughANode) {
  OnnxIf i;
  i.before = onnx("Exp", R"("x")", "d") + ", " + onnx("Sqrt", R"("d")", "e") + ",";
  i.yes.nodes = onnx("Relu", R"("e")", "a");
  const Finding f = theFinding(i.json(), "tensorrt@10.13", "branch-eager");
  EXPECT_EQ(f.related.size(), 2u);
}

TEST(Structure, TP9LayersThatTheParserFindsByName) {
  OnnxIf i;
  EXPECT_EQ(theFinding(i.json(), "tensorrt@10.3", "branch-eager").message,
            "tensorrt@10.3 gives input layers to layers whose names begin with that of a tensor from outside: "
            "'then_branch' and 'else_branch' have none, and always run");
  EXPECT_EQ(found(i.json(), "tensorrt@8.5"), Rules{});
  EXPECT_EQ(found(i.json(), "tensorrt@10.6"), Rules{});
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
  // The layer is called like what it reads.
  i.yes = {"", onnx("Relu", R"("x")", "x_relu"), R"("x_relu")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.3"), Rules{"note branch-eager"});
  // Nothing enters.
  i.no = {"", onnx("RandomNormalLike", R"("k")", "b"), R"("b")"};
  i.constants = R"({"name": "k", "type": "float32[4]"})";
  EXPECT_EQ(found(i.json(), "tensorrt@10.3", {"random-in-branch"}), Rules{});
}

TEST(Structure, TP7BothBranchesOfASelectionRun) {
  OnnxIf i;
  EXPECT_EQ(found(i.json(), "tensorrt@8.0"), Rules{"note branch-eager"});
  EXPECT_EQ(found(i.json(), "tensorrt@8.2"), Rules{});
  i.parameters = value("x", "float32[4]");
  i.constants = R"({"name": "c", "type": "bool[]", "data": {"bytes": [1]}})";
  EXPECT_EQ(found(i.json(), "tensorrt@8.0"), Rules{"note predicate-constant"});
  EXPECT_EQ(found(i.json(), "tensorrt@10.3"), Rules{"note predicate-constant"});
  // What a Constant makes is as constant to the parser as an initializer.
  i.constants = "";
  i.before = onnx("Constant", "", "c", "bool[]", R"({"name": "value", "tensor": {"bytes": [1]}})") + ", ";
  EXPECT_EQ(found(i.json(), "tensorrt@10.3"), Rules{"note predicate-constant"});
}

TEST(Structure, TP9WeightsOfOneNameInTwoBranches) {
  const auto adding = [](const std::string &op, const std::string &a, const std::string &b) {
    const auto weights = [](const std::string &type, const std::string &name) {
      return R"({"name": ")" + name + R"(", "type": "int64[1]", "data": {"ints": [)" + type + "]}}";
    };
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "int64[1]");
    i.yes = {"", onnx(op, R"("x", "w")", "a"), R"("a")", weights(a, "w")};
    i.no = {"", onnx(op, R"("x", "w")", "b"), R"("b")", weights(b, "w")};
    return i;
  };
  EXPECT_EQ(found(adding("Add", "1", "2").json(), "tensorrt@8.4"), Rules{"warning value-undefined"});
  EXPECT_EQ(theFinding(adding("Add", "1", "2").json(), "tensorrt@8.4", "value-undefined").message,
            "tensorrt@8.4 takes the weights 'w' of main/If_0/then_branch for those of the same name in "
            "main/If_0/else_branch, which are others");
  for (const char *target : {"tensorrt@8.2", "tensorrt@8.5", "tensorrt@10.13", "onnx"})
    EXPECT_EQ(found(adding("Add", "1", "2").json(), target), Rules{}) << target;
  EXPECT_EQ(found(adding("Add", "1", "1").json(), "tensorrt@8.4"), Rules{}) << "the same ones";
  EXPECT_EQ(found(adding("Reshape", "1", "-1").json(), "tensorrt@8.4"), Rules{}) << "which makes no layer of them";
  OnnxIf constant = adding("Add", "1", "2");
  constant.parameters = value("x", "int64[1]");
  constant.constants = R"({"name": "c", "type": "bool[]", "data": {"bytes": [1]}})";
  EXPECT_EQ(found(constant.json(), "tensorrt@8.4"), Rules{"note predicate-constant"});
}

TEST(Structure, EmptyAndIdentical) {
  OnnxIf i;
  i.yes = {"", onnx("Identity", R"("x")", "a"), R"("a")"};
  EXPECT_EQ(found(i.json(), "onnx", {}), Rules{"note branch-empty"});
  EXPECT_EQ(found(OnnxIf().json(), "onnx", {}), Rules{});
  OnnxIf same;
  same.no = {"", onnx("Relu", R"("x")", "b"), R"("b")"};
  EXPECT_EQ(found(same.json(), "onnx", {}), Rules{"note branch-identical"});
}

TEST(Structure, BranchesThatDifferInOneNumber) {
  const auto adding = [](int a, int b) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "int64[1]");
    i.yes = {"", onnx("Add", R"("x", "k")", "a"), R"("a")",
             fmt::format(R"({{"name": "k", "type": "int64[1]", "data": {{"ints": [{}]}}}})", a)};
    i.no = {"", onnx("Add", R"("x", "l")", "b"), R"("b")",
            fmt::format(R"({{"name": "l", "type": "int64[1]", "data": {{"ints": [{}]}}}})", b)};
    return found(i.json(), "onnx", {});
  };
  EXPECT_EQ(adding(1, 1), Rules{"note branch-identical"});
  EXPECT_EQ(adding(1, 2), Rules{});
}

TEST(Structure, I1Unsupported) {
  OnnxIf i;
  i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 3, 8, 8]");
  i.yes = {"", onnx("MaxPool", R"("x")", "a", "", R"({"name": "kernel_shape", "ints": [1, 1]})"), R"("a")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"warning unsupported-in-branch"});
  EXPECT_EQ(found(i.json(), "onnx"), Rules{});
  i.before = onnx("MaxPool", R"("x")", "m", "", R"({"name": "kernel_shape", "ints": [1, 1]})") + ",";
  i.yes = {"", onnx("Relu", R"("m")", "a"), R"("a")"};
  i.no = {"", onnx("Neg", R"("m")", "b"), R"("b")"};
  EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{});
}

TEST(Structure, I1WhatTheParserMakesOfAnOperatorCounts) {
  for (const char *op : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"}) {
    OnnxIf i;
    i.parameters = value("c", "bool[]") + ", " + value("x", "float32[1, 3, 8, 8]");
    i.yes = {"", onnx(op, R"("x")", "a"), R"("a")"};
    i.no = {"", onnx("AveragePool", R"("x")", "b", "", R"({"name": "kernel_shape", "ints": [8, 8]})"), R"("b")"};
    EXPECT_EQ(found(i.json(), "tensorrt@10.13"), Rules{"warning unsupported-in-branch"}) << op; // of the other branch
  }
}

TEST(Structure, I1UnsupportedInTorch) {
  const auto with = [](const std::string &op, const std::string &more = {}) {
    TorchCond c;
    c.parameters = value("p", "bool[]") + ", " + value("x", "float32[1, 3, 8, 8]");
    const std::string t = "float32[1, 3, 8, 8]";
    c.yes = {value("a", t), aten(op, "a", "r", t, more), R"("r")"};
    c.no = {value("b", t), aten("neg.default", "b", "s", t), R"("s")"};
    c.outputs = value("y", t);
    return found(c.json(), "tensorrt@10.13");
  };
  const Rules warned{"warning unsupported-in-branch"};
  EXPECT_EQ(with("adaptive_avg_pool2d.default"), warned);
  EXPECT_EQ(with("convolution.default", R"(, {"name": "transposed", "bool": true})"), warned);
  EXPECT_EQ(with("convolution.default", R"(, {"name": "transposed", "bool": false})"), Rules{});
  EXPECT_EQ(with("relu.default"), Rules{});
}

TEST(Structure, E4Random) {
  OnnxIf i;
  i.yes = {"", onnx("RandomNormalLike", R"("x")", "a"), R"("a")"};
  EXPECT_EQ(found(i.json(), "onnx"), Rules{"note random-in-branch"});
}

TEST(Structure, E4RandomInOneOfVeryManyFunctions) {
  const auto function = [](const std::string &name, const std::string &nodes) {
    return fmt::format(R"({{"domain": "local", "name": "{}", "opsets": {{"": 20, "local": 1}}, "graph": {{)"
                       R"("parameters": [{{"name": "v"}}], "nodes": [{}], "results": ["w"]}}}})",
                       name, nodes);
  };
  std::string calls, functions;
  for (int f = 0; f < 1500; ++f) {
    calls += fmt::format(R"({{"op": "local::G{}", "operands": ["v"], "results": ["{}"]}}{})", f,
                         f == 0 ? "w" : fmt::format("w{}", f), f == 1499 ? "" : ",");
    functions += ", " + function(fmt::format("G{}", f), onnx(f == 0 ? "RandomNormalLike" : "Relu", R"("v")", "w"));
  }
  EXPECT_EQ(found(R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20, "local": 1}, "graph": {
      "parameters": [{"name": "c", "type": "bool[]"}, {"name": "x", "type": "float32[4]"}],
      "nodes": [{"op": "If", "name": "If_0", "operands": ["c"], "attributes": [
        {"name": "then_branch", "region": {"nodes": [{"op": "local::F", "operands": ["x"], "results": ["r"]}], "results": ["r"]}},
        {"name": "else_branch", "region": {"nodes": [{"op": "Relu", "operands": ["x"], "results": ["s"]}], "results": ["s"]}}],
        "results": [{"name": "y", "type": "float32[4]"}]}], "results": ["y"]}, "functions": [)" +
                      function("F", calls) + functions + "]}",
                  "onnx"),
            Rules{"note random-in-branch"});
}

TEST(Structure, WhatIsReadAcrossBranchesIsTheOnlyBreak) {
  // The value of the other branch has another type: what follows from that is no news.
  TorchCond c = soundCond();
  c.yes.nodes = aten("to.dtype", "x", "sin", "float64[4]", R"(, {"name": "dtype", "dtype": "float64"})");
  c.yes.results = R"("cos")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error cross-branch-edge"});
  c = soundCond();
  c.before = aten("unsqueeze.default", "x", "outer", "float32[4, 1]", R"(, {"name": "dim", "int": 1})") + ",";
  c.yes.results = R"("outer")";
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error closure-capture"});
}

TEST(Structure, WhatReadsTheUnreachableSaysNothing) {
  TorchCond c = soundCond();
  c.before = aten("unsqueeze.default", "x", "outer", "float32[4, 1]", R"(, {"name": "dim", "int": 1})") + ",";
  c.yes.nodes = aten("clone.default", "outer", "sin", "float32[4]");
  EXPECT_EQ(found(c.json(), "torch@2.13"), Rules{"error closure-capture"});
}

} // namespace
