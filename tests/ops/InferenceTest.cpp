//===- InferenceTest.cpp - Types that follow through a graph ------------===//
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

/// A model written as graph JSON, typed.
struct Typed {
  std::vector<Model> models;
  Inference inference;
  Model &m() { return models.front(); }

  explicit Typed(const std::string &json) {
    auto read = readJson(FileBytes::copy(json), "test.json");
    if (!read) {
      ADD_FAILURE() << read.error().str();
      models.emplace_back();
      return;
    }
    models = std::move(*read);
    inference = inferTypes(m());
  }

  /// The type of the main graph's result \p i, as text.
  std::string result(std::size_t i = 0) {
    const auto results = m().results(m().main());
    return i < results.size() && results[i] ? text(m().type(results[i])) : "absent";
  }

  std::string text(const Type &t) {
    if (!t.isTensor())
      return std::string(kindName(t.kind));
    std::string out(dtypeName(t.element));
    if (!t.hasRank)
      return out + "[...]";
    out += '[';
    for (std::size_t i = 0; i < t.dims.size(); ++i)
      out += (i ? ", " : "") + m().dims.str(t.dims[i]);
    return out + ']';
  }
};

std::string onnx(const std::string &parameters, const std::string &nodes, const std::string &more = "") {
  return R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 17, "my": 1}, "symbols": {"N": {"origin": "named"}},)" +
         more + R"("graph": {"parameters": [)" + parameters + R"(], "nodes": [)" + nodes + R"(], "results": ["y"]}})";
}

std::string torch(const std::string &nodes) {
  return R"({"condlint": "graph-1", "dialect": "torch", "symbols": {"s0": {"min": 2, "max": 16}}, "graph": {
    "parameters": [{"name": "p", "type": "bool[]"}, {"name": "x", "type": "float32[s0, 4]"}], "nodes": [)" +
         nodes + R"(], "results": ["y"]}})";
}

std::string branch(const std::string &op, const std::string &input, const std::string &result) {
  return R"({"results": [")" + result + R"("], "nodes": [{"op": ")" + op + R"(", "operands": [")" + input +
         R"("], "results": [")" + result + R"("]}]})";
}

const char *const xy = R"({"name": "x", "type": "float32[N, 4]"}, {"name": "p", "type": "bool[]"})";

TEST(Inference, AnIfHasWhatIsTrueOfBothBranches) {
  Typed t(onnx(
      xy, R"({"op": "If", "operands": ["p"], "results": ["y"], "attributes": [{"name": "then_branch", "region": )" +
              branch("Relu", "x", "a") + R"(}, {"name": "else_branch", "region": )" + branch("Neg", "x", "b") + "}]}"));
  EXPECT_EQ(t.result(), "float32[N, 4]");
  EXPECT_TRUE(t.inference.contradictions.empty());
  EXPECT_TRUE(t.inference.untyped.empty());
}

TEST(Inference, BranchesOfDifferentTypesLeaveWhatDiffersUnknown) {
  Typed t(onnx(
      xy, R"({"op": "If", "operands": ["p"], "results": ["y"], "attributes": [{"name": "then_branch", "region": )" +
              branch("Shape", "x", "a") + R"(}, {"name": "else_branch", "region": )" + branch("Neg", "x", "b") +
              "}]}"));
  EXPECT_EQ(t.result(), "unknown[...]");
}

TEST(Inference, AnUnknownOperatorIsCountedAndItsResultUnknown) {
  Typed t(onnx(xy, R"({"op": "my::Magic", "operands": ["x"], "results": ["y"]})"));
  EXPECT_EQ(t.result(), "unknown");
  ASSERT_EQ(t.inference.untyped.size(), 1u);
  EXPECT_EQ(t.inference.untyped.begin()->first, "my::Magic");
}

TEST(Inference, ALoopsCarriedSizeThatGrowsIsUnknown) {
  // Each trip appends a row: [N, 4] before, something else after.
  Typed t(onnx(
      R"({"name": "x", "type": "float32[2, 4]"}, {"name": "m", "type": "int64[]"}, {"name": "p", "type": "bool[]"})",
      R"({"op": "Loop", "operands": ["m", "p", "x"], "results": ["y"], "attributes": [{"name": "body", "region": {
                 "parameters": [{"name": "i"}, {"name": "c"}, {"name": "v"}], "results": ["c2", "w"], "nodes": [
                   {"op": "Identity", "operands": ["c"], "results": ["c2"]},
                   {"op": "Concat", "operands": ["v", "v"], "results": ["w"], "attributes": [{"name": "axis", "int": 0}]}]}}]})"));
  EXPECT_EQ(t.result(), "float32[?, 4]");
  EXPECT_TRUE(t.inference.contradictions.empty());
}

TEST(Inference, ALoopsCarriedValueThatKeepsItsShapeKeepsIt) {
  Typed t(onnx(
      R"({"name": "x", "type": "float32[N, 4]"}, {"name": "m", "type": "int64[]"}, {"name": "p", "type": "bool[]"})",
      R"({"op": "Loop", "operands": ["m", "p", "x"], "results": ["y"], "attributes": [{"name": "body", "region": {
                 "parameters": [{"name": "i"}, {"name": "c"}, {"name": "v"}], "results": ["c2", "w"], "nodes": [
                   {"op": "Identity", "operands": ["c"], "results": ["c2"]},
                   {"op": "Relu", "operands": ["v"], "results": ["w"]}]}}]})"));
  EXPECT_EQ(t.result(), "float32[N, 4]");
}

TEST(Inference, WhatALoopCarriesComesBackAsItWent) {
  const auto faults = [](const std::string &parameters, const std::string &results, const std::string &op) {
    Typed t(onnx(
        R"({"name": "x", "type": "float32[4]"}, {"name": "m", "type": "int64[]"}, {"name": "p", "type": "bool[]"})",
        R"({"op": "Loop", "operands": ["m", "p", "x"], "results": ["y"], "attributes": [{"name": "body", "region": {
                 "parameters": [)" +
            parameters + R"(], "results": [)" + results + R"(], "nodes": [
                   {"op": "Identity", "operands": ["c"], "results": ["c2"]}, )" +
            op + "]}}]}"));
    return t.inference.invalid.size();
  };
  const std::string usual = R"({"name": "i"}, {"name": "c"}, {"name": "v"})", two = R"("c2", "w")";
  const std::string relu = R"({"op": "Relu", "operands": ["v"], "results": ["w"]})";
  const std::string cast =
      R"({"op": "Cast", "operands": ["v"], "results": ["w"], "attributes": [{"name": "to", "int": 10}]})";
  EXPECT_EQ(faults(usual, two, relu), 0u);
  EXPECT_EQ(faults(usual, two, cast), 1u);
  EXPECT_EQ(faults(usual + R"(, {"name": "k"})", two, relu), 1u);
  EXPECT_EQ(faults(usual, R"("w")", relu), 1u);
  EXPECT_EQ(faults(R"({"name": "i"}, {"name": "c"}, {"name": "v", "type": "float64[4]"})", two, relu), 1u);
  EXPECT_EQ(faults(R"({"name": "i"}, {"name": "c", "type": "bool[1]"}, {"name": "v"})", two, relu), 1u);
  EXPECT_EQ(faults(R"({"name": "i"}, {"name": "c", "type": "bool[]"}, {"name": "v"})", two, relu), 0u);
}

TEST(Inference, AFunctionTakesNoMoreThanItHasParametersFor) {
  const auto faults = [](const std::string &operands, const std::string &results) {
    Typed t(onnx(R"({"name": "x", "type": "float32[4]"})",
                 R"({"op": "my::Twice", "operands": [)" + operands + R"(], "results": [)" + results + "]}",
                 R"("functions": [{"domain": "my", "name": "Twice", "opsets": {"": 17}, "graph": {
                    "parameters": [{"name": "v"}, {"name": "u"}], "results": ["w"],
                    "nodes": [{"op": "Add", "operands": ["v", "v"], "results": ["w"]}]}}],)"));
    return t.inference.invalid.size();
  };
  EXPECT_EQ(faults(R"("x", "x")", R"("y")"), 0u);
  EXPECT_EQ(faults(R"("x")", R"("y")"), 0u);
  EXPECT_EQ(faults(R"("x", "x", "x")", R"("y")"), 1u);
  EXPECT_EQ(faults(R"("x", "x")", R"("y", "z")"), 1u);
}

// An input that the call leaves out is absent wherever the body reads it: some operators do without.
TEST(Inference, WhatACallLeavesOutIsAbsentInTheFunction) {
  const auto faults = [](const std::string &operands, const std::string &nodes) {
    Typed t(onnx(
        R"({"name": "x", "type": "float32[4]"}, {"name": "m", "type": "float32[]"}, {"name": "c", "type": "bool[]"})",
        R"({"op": "my::Body", "operands": [)" + operands + R"(], "results": ["y"]})",
        R"("functions": [{"domain": "my", "name": "Body", "opsets": {"": 17}, "graph": {
                    "parameters": [{"name": "v"}, {"name": "low"}], "results": ["w"], "nodes": [)" +
            nodes + "]}}],"));
    return t.inference.invalid.size();
  };
  const std::string clip = R"({"op": "Clip", "operands": ["v", "low"], "results": ["w"]})";
  const std::string add = R"({"op": "Add", "operands": ["v", "low"], "results": ["w"]})";
  EXPECT_EQ(faults(R"("x", "m")", add), 0u);
  EXPECT_EQ(faults(R"("x")", clip), 0u);
  EXPECT_EQ(faults(R"("x", null)", clip), 0u);
  EXPECT_EQ(faults(R"("x")", add), 1u);
  EXPECT_EQ(faults(R"("x", null)", add), 1u);
}

TEST(Inference, AFunctionIsTypedForEachWayItIsCalled) {
  Typed t(onnx(R"({"name": "x", "type": "float32[N, 4]"}, {"name": "k", "type": "int64[3]"})",
               R"({"op": "my::Twice", "operands": ["x"], "results": ["a"]},
                  {"op": "my::Twice", "operands": ["k"], "results": ["y"]})",
               R"("functions": [{"domain": "my", "name": "Twice", "opsets": {"": 17}, "graph": {
                    "parameters": [{"name": "v"}], "results": ["w"],
                    "nodes": [{"op": "Add", "operands": ["v", "v"], "results": ["w"]}]}}],)"));
  EXPECT_EQ(t.result(), "int64[3]");
  std::size_t copies = 0;
  for (std::uint32_t g = 0; g < t.m().graphCount(); ++g)
    copies += t.m()[GraphId(g)].instanceOf.valid() ? 1U : 0U;
  EXPECT_EQ(copies, 2u);
}

TEST(Inference, ALieIsReportedWhereItStandsAndNotBelow) {
  // relu is recorded as float64; what follows records the truth.
  Typed t(torch(R"({"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                    "results": [{"name": "r", "type": "float64[s0, 4]"}]},
                   {"op": "aten.neg.default", "attributes": [{"name": "self", "operand": "r"}],
                    "results": [{"name": "y", "type": "float32[s0, 4]"}]})"));
  ASSERT_EQ(t.inference.contradictions.size(), 1u);
  EXPECT_EQ(t.inference.contradictions[0].facet, "dtype");
  EXPECT_EQ(t.inference.contradictions[0].recorded, "float64");
  EXPECT_EQ(t.inference.contradictions[0].inferred, "float32");
  EXPECT_EQ(t.result(), "float32[s0, 4]");
}

TEST(Inference, ALieThatIsRepeatedBelowIsReportedOnce) {
  Typed t(torch(R"({"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                    "results": [{"name": "r", "type": "float64[s0, 4]"}]},
                   {"op": "aten.neg.default", "attributes": [{"name": "self", "operand": "r"}],
                    "results": [{"name": "y", "type": "float64[s0, 4]"}]})"));
  EXPECT_EQ(t.inference.contradictions.size(), 1u);
}

TEST(Inference, WhatBreaksBelowALieHasThatCause) {
  // r is recorded with the size 4, which the sum needs; what makes it yields 3.
  const auto sum = [](std::string_view other) {
    return Typed(torch(R"({"op": "aten.zeros.default", "attributes": [{"name": "size", "ints": [3]}],
                           "results": [{"name": "r", "type": "float32[4]"}]},
                          {"op": "aten.zeros.default", "attributes": [{"name": "size", "ints": [)" +
                       std::string(other) + R"(]}], "results": [{"name": "q", "type": "float32[)" + std::string(other) +
                       R"(]"}]},
                          {"op": "aten.add.Tensor", "attributes": [{"name": "self", "operand": "r"},
                           {"name": "other", "operand": "q"}], "results": [{"name": "y", "type": "float32[4]"}]})"));
  };
  const Typed once = sum("4"), twice = sum("5");
  EXPECT_EQ(once.inference.contradictions.size(), 1u);
  EXPECT_TRUE(once.inference.invalid.empty());
  EXPECT_EQ(twice.inference.invalid.size(), 1u); // whatever the record says
}

TEST(Inference, WhatIsWrongWithANodeSaysNothingOfTheNext) {
  const Typed t(torch(R"({"op": "aten.zeros.default", "attributes": [{"name": "size", "ints": [3]}],
                          "results": [{"name": "r", "type": "float32[3]"}]},
                         {"op": "aten.mm.default", "attributes": [{"name": "self", "operand": "r"},
                          {"name": "mat2", "operand": "r"}], "results": [{"name": "b"}]},
                         {"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                          "results": [{"name": "y", "type": "float32[7, 7]"}]})"));
  EXPECT_EQ(t.inference.invalid.size(), 1u);
  EXPECT_EQ(t.inference.contradictions.size(), 1u);
}

TEST(Inference, WhatIsMadeOfMisfitsIsNoWitness) {
  const auto misfits = [](const std::string &second, const std::string &operands) {
    Typed t(onnx(R"({"name": "x", "type": "float32[3, 4]"}, {"name": "b", "type": "float32[2, 3, 4]"})",
                 R"({"op": "MatMul", "operands": ["x", "x"], "results": [{"name": "z"}]},
                    {"op": ")" +
                     second + R"(", "operands": [)" + operands + R"(], "results": [{"name": "y"}]})"));
    return t.inference.invalid.size();
  };
  EXPECT_EQ(misfits("MatMul", R"("z", "x")"), 1u) << "what the first yields is not known";
  EXPECT_EQ(misfits("MatMul", R"("x", "x")"), 2u) << "a break of its own";
  EXPECT_EQ(misfits("And", R"("z", "x")"), 2u) << "its other operand is none for it";
  EXPECT_EQ(misfits("MatMul", R"("x", "b")"), 2u) << "one for its two sizes";
}

TEST(Inference, AnOnnxLabelThatReadsLikeArithmeticIsAName) {
  const auto labelled = [](std::string_view label) {
    const Typed t(
        R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 17}, "symbols": [{"name": "s"}], "graph": {
        "parameters": [{"name": "x", "type": "float32[s]"}, {"name": "k", "type": "float32[2]"}], "nodes": [
        {"op": "Concat", "operands": ["x", "k"], "attributes": [{"name": "axis", "int": 0}],
         "results": [{"name": "y", "type": "float32[)" +
        std::string(label) + R"(]"}]}], "results": ["y"]}})");
    return t.inference.contradictions.size();
  };
  EXPECT_EQ(labelled("s + 1"), 0u);
  EXPECT_EQ(labelled("s + 2"), 0u);
  EXPECT_EQ(labelled("s"), 1u);
}

TEST(Inference, SeveralResultsThatAreNotAsRecordedHaveOneCause) {
  const Typed t(torch(R"({"op": "aten.sort.default", "attributes": [{"name": "self", "operand": "x"}],
                          "results": [{"name": "y", "type": "float32[s0, 4, 2]"}, {"name": "i", "type": "int64[s0, 4, 2]"}]})"));
  EXPECT_EQ(t.inference.contradictions.size(), 1u);
}

TEST(Inference, UnderAutocastTheRecordSaysWhichFloat) {
  const auto cast = [](const std::string &enabled, const std::string &nodes, const std::string &type) {
    const Typed t(
        torch(R"({"op": "higher_order.wrap_with_autocast", "attributes": [{"string": "cpu"}, {"dtype": "bfloat16"},
        {"bool": )" +
              enabled +
              R"(}, {"bool": false}, {"region": {"parameters": [{"name": "x", "type": "float32[s0, 4]"},
        {"name": "h", "type": "bfloat16[4, 4]"}], "nodes": [)" +
              nodes + R"(], "results": ["r"]}}, {"operand": "x"}, {"operand": "x"}],
        "results": [{"name": "y", "type": ")" +
              type + R"("}]})"));
    return t.inference.contradictions.size() + t.inference.invalid.size();
  };
  const std::string relu = R"({"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                               "results": [{"name": "r", "type": "bfloat16[s0, 4]"}]})";
  const std::string mm = R"({"op": "aten.mm.default", "attributes": [{"name": "self", "operand": "x"},
      {"name": "mat2", "operand": "h"}], "results": [{"name": "r", "type": "bfloat16[s0, 4]"}]})";
  const std::string isnan = R"({"op": "aten.isnan.default", "attributes": [{"name": "self", "operand": "x"}],
                                "results": [{"name": "r", "type": "bfloat16[s0, 4]"}]})";
  EXPECT_EQ(cast("true", relu, "bfloat16[s0, 4]"), 0u);
  EXPECT_EQ(cast("true", mm, "bfloat16[s0, 4]"), 0u);
  EXPECT_EQ(cast("true", relu, "bfloat16[s0, 5]"), 1u);
  EXPECT_EQ(cast("true", isnan, "bool[s0, 4]"), 1u); // no cast makes a float of it
  EXPECT_EQ(cast("false", relu, "float32[s0, 4]"), 1u);
  EXPECT_EQ(cast("false", mm, "bfloat16[s0, 4]"), 1u);
}

// torch.export types a branch anew without the autocast regions in it: it writes float32 for what is bfloat16.
TEST(Inference, InABranchTheRecordOfWhatAutocastMakesIsNotWhichFloatItIs) {
  const auto types = [](const std::string &enabled) {
    Typed t(torch(R"({"op": "higher_order.cond", "attributes": [{"operand": "p"}, {"region": {"parameters":
        [{"name": "a", "type": "float32[s0, 4]"}], "nodes": [{"op": "higher_order.wrap_with_autocast", "attributes":
        [{"string": "cpu"}, {"dtype": "bfloat16"}, {"bool": )" +
                  enabled +
                  R"(}, {"bool": false}, {"region": {"parameters": [{"name": "b", "type": "float32[s0, 4]"}],
        "nodes": [{"op": "aten.mul.Tensor", "attributes": [{"name": "self", "operand": "b"}, {"name": "other", "operand": "b"}],
                   "results": [{"name": "m", "type": "float32[s0, 4]"}]}], "results": ["m"]}}, {"operand": "a"}],
        "results": [{"name": "w", "type": "float32[s0, 4]"}]},
        {"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "w"}],
         "results": [{"name": "r", "type": "float32[s0, 4]"}]},
        {"op": "aten.isnan.default", "attributes": [{"name": "self", "operand": "r"}],
         "results": [{"name": "n", "type": "bool[s0, 4]"}]},
        {"op": "aten._to_copy.default", "attributes": [{"name": "self", "operand": "r"}, {"name": "dtype", "dtype": "float32"}],
         "results": [{"name": "c", "type": "float32[s0, 4]"}]}], "results": ["r", "n", "c"]}},
        {"region": {"parameters": [{"name": "d", "type": "float32[s0, 4]"}], "nodes": [], "results": ["d", "d", "d"]}},
        {"operands": ["x"]}],
        "results": [{"name": "y", "type": "bfloat16[s0, 4]"}, {"name": "y1", "type": "bool[s0, 4]"},
                    {"name": "y2", "type": "float32[s0, 4]"}]})"));
    std::string all;
    for (std::uint32_t v = 0; v < t.m().valueCount(); ++v)
      if (std::string_view("mwrnc").find(t.m().name(ValueId(v))) != std::string_view::npos)
        all += std::string(dtypeName(t.m().type(ValueId(v)).element)) + ' ';
    return all + std::to_string(t.inference.contradictions.size());
  };
  EXPECT_EQ(types("true"), "unknown unknown unknown bool float32 0");
  EXPECT_EQ(types("false"), "float32 float32 float32 bool float32 1"); // what the conditional declares
}

// The record was made where there was enough to cut from; s0 is 2 to 16, and data decide N.
TEST(Inference, ARecordOfWhatIsCutHoldsOnlyWhereThereIsEnough) {
  const auto cutAt = [](int end, int recorded) {
    Typed t(torch(fmt::format(R"({{"op": "aten.slice.Tensor", "attributes": [{{"name": "self", "operand": "x"}},
        {{"name": "dim", "int": 0}}, {{"name": "start", "int": 0}}, {{"name": "end", "int": {}}}],
        "results": [{{"name": "m", "type": "float32[{}, 4]"}}]}}, {{"op": "aten.relu.default", "attributes":
        [{{"name": "self", "operand": "m"}}], "results": [{{"name": "y", "type": "float32[{}, 4]"}}]}})",
                              end, recorded, recorded)));
    return t.result() + ' ' + std::to_string(t.inference.contradictions.size());
  };
  EXPECT_EQ(cutAt(5, 5), "float32[min(s0, 5), 4] 0");
  EXPECT_EQ(cutAt(2, 2), "float32[2, 4] 0");  // there are always two
  EXPECT_EQ(cutAt(-5, 7), "float32[7, 4] 0"); // of the one size that was traced
  const std::string cut =
      R"({"op": "Slice", "operands": ["x", "b", "e"], "results": [{"name": "y", "type": "float32[5, 4]"}]})";
  Typed t(onnx(xy, R"({"op": "Constant", "attributes": [{"name": "value_ints", "ints": [0]}], "results": ["b"]},
                      {"op": "Constant", "attributes": [{"name": "value_ints", "ints": [5]}], "results": ["e"]}, )" +
                       cut));
  EXPECT_EQ(t.result(), "float32[min(N, 5), 4]");
}

TEST(Inference, AStridedTensorIsMadeOfStridedOnes) {
  const auto facets = [](const std::string &op, const std::string &layout, const std::string &from = "strided") {
    const auto type = [](const std::string &of) {
      return R"({"kind": "tensor", "dtype": "float32", "shape": [4], "layout": ")" + of + "\"}";
    };
    Typed t(R"({"condlint": "graph-1", "dialect": "torch", "graph": {"parameters": [{"name": "x", "type": )" +
            type(from) + R"(}], "nodes": [{"op": "aten.)" + op + R"(", "attributes": [{"name": "self", "operand": "x"}],
            "results": [{"name": "m", "type": )" +
            type(layout) + R"(}]}], "results": ["m"]}})");
    std::string all;
    for (const Contradiction &c : t.inference.contradictions)
      all += c.facet;
    return all;
  };
  EXPECT_EQ(facets("relu.default", "sparse_coo"), "layout");
  EXPECT_EQ(facets("relu.default", "strided"), "");
  EXPECT_EQ(facets("to_sparse.default", "sparse_coo"), "");
  EXPECT_EQ(facets("relu.default", "sparse_coo", "sparse_coo"), "");
}

TEST(Inference, DropoutOutsideOfTrainingMayCopy) {
  // Eager execution hands back the operand, a traced program holds a row-major copy.
  const auto faults = [](const std::string &strides) {
    const auto typed = [](const std::string &places) {
      return R"({"kind": "tensor", "dtype": "float32", "shape": [3, 4], "strides": )" + places + "}";
    };
    const Typed t(R"({"condlint": "graph-1", "dialect": "torch", "graph": {"parameters": [{"name": "x", "type": )" +
                  typed("[1, 3]") + R"(}], "results": ["y"], "nodes": [{"op": "aten.dropout.default", "attributes": [
                  {"name": "input", "operand": "x"}, {"name": "p", "float": 0.5}, {"name": "train", "bool": false}],
                  "results": [{"name": "y", "type": )" +
                  typed(strides) + "}]}]}}");
    return t.inference.contradictions.size();
  };
  EXPECT_EQ(faults("[4, 1]"), 0u);
  EXPECT_EQ(faults("[1, 3]"), 0u);
}

TEST(Inference, AnHonestRecordContradictsNothing) {
  Typed t(torch(R"({"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                    "results": [{"name": "y", "type": "float32[s0, 4]"}]})"));
  EXPECT_TRUE(t.inference.contradictions.empty());
}

TEST(Inference, ARecordThatMayBeTrueContradictsNothing) {
  // u0 rows may well be s0 rows.
  Typed t(torch(R"({"op": "aten.relu.default", "attributes": [{"name": "self", "operand": "x"}],
                    "results": [{"name": "y", "type": "float32[u0, 4]"}]})"));
  EXPECT_TRUE(t.inference.contradictions.empty());
}

TEST(Inference, AWrongOperandIsRejectedOnlyWhenItIsCertain) {
  const std::string add = R"({"op": "Add", "operands": ["x", "k"], "results": ["y"]})";
  Typed certain(onnx(R"({"name": "x", "type": "float32[N, 4]"}, {"name": "k", "type": "int64[4]"})", add));
  EXPECT_EQ(certain.inference.invalid.size(), 1u);
  Typed unknown(onnx(R"({"name": "x", "type": "float32[N, 4]"}, {"name": "k", "type": "?[4]"})", add));
  EXPECT_TRUE(unknown.inference.invalid.empty());
}

} // namespace
