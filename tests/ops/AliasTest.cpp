//===- AliasTest.cpp - Who shares storage -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Alias.h"
#include "condlint/Reader.h"
#include "ops/TensorItself.h"
#include <gtest/gtest.h>
#include <memory>
#include <string>

using namespace condlint;

namespace {

using Sharing = AliasAnalysis::Sharing;

/// A typed torch model with parameters p: bool[], x and y: float32[4, 4], contiguous.
struct Aliases {
  std::vector<Model> models;
  std::unique_ptr<AliasAnalysis> analysis;
  Model &m() { return models.front(); }

  explicit Aliases(const std::string &nodes) {
    const std::string type =
        R"({"kind": "tensor", "dtype": "float32", "shape": [4, 4], "strides": [4, 1], "device": "cpu",
                                "layout": "strided", "storageOffset": 0})";
    auto read = readJson(FileBytes::copy(R"({"condlint": "graph-1", "dialect": "torch", "graph": {"parameters": [
        {"name": "p", "type": "bool[]"}, {"name": "x", "type": )" +
                                         type + R"(}, {"name": "y", "type": )" + type + R"(}], "nodes": [)" + nodes +
                                         R"(], "results": []}})"),
                         "test.json");
    if (!read) {
      ADD_FAILURE() << read.error().str();
      models.emplace_back();
    } else {
      models = std::move(*read);
    }
    inferTypes(m());
    analysis = std::make_unique<AliasAnalysis>(m());
  }

  ValueId value(std::string_view name) {
    for (std::uint32_t i = 0; i < m().valueCount(); ++i)
      if (m().name(ValueId(i)) == name && m()[ValueId(i)].graph == m().main())
        return ValueId(i);
    ADD_FAILURE() << "no value " << name;
    return ValueId(0);
  }
  Sharing share(std::string_view a, std::string_view b) { return analysis->share(value(a), value(b)); }
};

std::string unary(const std::string &op, const std::string &in, const std::string &out, const std::string &more = "") {
  return R"({"op": "aten.)" + op + R"(", "attributes": [{"name": "self", "operand": ")" + in + "\"}" + more +
         R"(], "results": [")" + out + R"("]})";
}

TEST(Alias, WhatIsHandedBackIsTheTensorItself) {
  const std::string float64 = R"(, {"name": "dtype", "dtype": "float64"})",
                    float32 = R"(, {"name": "dtype", "dtype": "float32"})";
  Aliases a(unary("to.dtype", "x", "same", float32) + "," + unary("contiguous.default", "same", "again") + "," +
            unary("real.default", "x", "real") + "," + unary("to.dtype", "x", "copy", float64) + "," +
            unary("t.default", "x", "view") + "," + unary("detach.default", "x", "detached"));
  for (const char *name : {"x", "same", "again", "real"})
    EXPECT_EQ(tensorItself(a.m(), a.value(name)), a.value("x")) << name;
  for (const char *name : {"copy", "view", "detached"})
    EXPECT_EQ(tensorItself(a.m(), a.value(name)), a.value(name)) << name;
  EXPECT_TRUE(isItselfOrCopy(a.m(), a.m()[a.value("copy")].def));
  EXPECT_FALSE(isItselfOrCopy(a.m(), a.m()[a.value("real")].def));
}

TEST(Alias, AViewOfAViewSharesStorage) {
  Aliases a(unary("t.default", "x", "a") + "," + unary("detach.default", "a", "b"));
  EXPECT_EQ(a.share("b", "x"), Sharing::Yes);
  EXPECT_EQ(a.share("b", "y"), Sharing::No);
}

TEST(Alias, ACopyDoesNot) {
  Aliases a(unary("clone.default", "x", "a") + "," + unary("t.default", "a", "b"));
  EXPECT_EQ(a.share("b", "x"), Sharing::No);
  EXPECT_EQ(a.share("b", "a"), Sharing::Yes);
}

TEST(Alias, ContiguousOfAContiguousTensorIsTheTensor) {
  Aliases a(unary("contiguous.default", "x", "a") + "," + unary("t.default", "x", "b") + "," +
            unary("contiguous.default", "b", "c"));
  EXPECT_EQ(a.share("a", "x"), Sharing::Yes);
  EXPECT_EQ(a.share("c", "x"), Sharing::No);
}

TEST(Alias, AnUnknownOperatorMayShare) {
  Aliases a(R"({"op": "mylib.fused.default", "attributes": [{"name": "self", "operand": "x"}],
               "results": [{"name": "a", "type": "float32[4, 4]"}]})");
  EXPECT_EQ(a.share("a", "x"), Sharing::May);
  EXPECT_EQ(a.analysis->opaqueNodes(a.m().main()).size(), 1u);
}

TEST(Alias, AnOperatorThatWorksOnCopiesSharesNothing) {
  for (const std::string op : {"auto_functionalized", "auto_functionalized_v2"}) {
    Aliases a(R"({"op": "higher_order.)" + op + R"(", "attributes": [{"string": "torch.ops.my.add.default"},
                  {"name": "k", "operand": "y"}, {"name": "_all_bases", "operands": ["x"]}], "results": ["r", "x1"]})");
    for (const std::string result : {"r", "x1"})
      for (const std::string operand : {"x", "y"})
        EXPECT_EQ(a.share(result, operand), Sharing::No) << op;
    EXPECT_EQ(a.share("r", "x1"), Sharing::No);
    EXPECT_TRUE(a.analysis->writes(a.m().main()).empty());
    EXPECT_TRUE(a.analysis->opaqueNodes(a.m().main()).empty());
    // What it may do besides is not known.
    EXPECT_TRUE(effectsOf(a.m(), a.m()[a.m().main()].firstNode).opaque);
    // The bases come back as they were, and last.
    const bool second = op == "auto_functionalized_v2";
    EXPECT_EQ(a.m().type(a.value("x1")).element, second ? DType::Float32 : DType::Unknown);
    EXPECT_FALSE(a.m().type(a.value("r")).isTensor());
  }
}

TEST(Alias, AnInPlaceOperatorWritesAndReturnsItsOperand) {
  Aliases a(unary("t.default", "x", "a") + "," + unary("relu_.default", "a", "b"));
  const auto writes = a.analysis->writes(a.m().main());
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].target, a.value("a"));
  EXPECT_EQ(a.share("b", "x"), Sharing::Yes);
}

TEST(Alias, AWriteInABranchReachesTheOperandOfTheConditional) {
  Aliases a(R"({"op": "higher_order.cond", "name": "cond", "results": ["r"], "attributes": [{"operand": "p"},
      {"region": {"name": "true_graph_0", "parameters": [{"name": "v", "type": "float32[4, 4]"}], "results": ["c"], "nodes": [)" +
            unary("relu_.default", "v", "w") + "," + unary("clone.default", "w", "c") + R"(]}},
      {"region": {"name": "false_graph_0", "parameters": [{"name": "v", "type": "float32[4, 4]"}], "results": ["c"], "nodes": [)" +
            unary("neg.default", "v", "c") + R"(]}},
      {"operands": ["y"]}]})");
  const auto writes = a.analysis->writes(a.m().main());
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].target, a.value("y"));
  EXPECT_EQ(a.m().path(writes[0].writer), "main/cond/true_graph_0/w");
  EXPECT_EQ(a.share("r", "y"), Sharing::No);
}

TEST(Alias, AWriteToABranchsOwnValueStaysInside) {
  Aliases a(R"({"op": "higher_order.cond", "name": "cond", "results": ["r"], "attributes": [{"operand": "p"},
      {"region": {"name": "true_graph_0", "parameters": [{"name": "v", "type": "float32[4, 4]"}], "results": ["w"], "nodes": [)" +
            unary("clone.default", "v", "c") + "," + unary("relu_.default", "c", "w") + R"(]}},
      {"region": {"name": "false_graph_0", "parameters": [{"name": "v", "type": "float32[4, 4]"}], "results": ["v"], "nodes": []}},
      {"operands": ["y"]}]})");
  EXPECT_TRUE(a.analysis->writes(a.m().main()).empty());
  // One branch returns its operand, the other does not.
  EXPECT_EQ(a.share("r", "y"), Sharing::May);
}

TEST(Alias, WhatMayComeFromVeryManyIsNotTakenForWhatComesFromFew) {
  // Each result may be any value before it.
  std::string nodes = unary("clone.default", "x", "v0");
  const auto opaque = [](int i, const std::string &with) {
    return R"(, {"op": "mylib.pick.default", "attributes": [{"operands": ["v)" + std::to_string(i - 1) + R"(", ")" +
           with + R"("]}], "results": [{"name": "v)" + std::to_string(i) + R"(", "type": "float32[4, 4]"}]})";
  };
  for (int i = 1; i < 200; ++i)
    nodes += "," + unary("clone.default", "x", "c" + std::to_string(i)) + opaque(i, "c" + std::to_string(i));
  nodes += opaque(200, "y");
  Aliases a(nodes);
  EXPECT_TRUE(a.analysis->isComplete(a.value("v3")));
  EXPECT_EQ(a.share("v3", "y"), Sharing::No);
  EXPECT_FALSE(a.analysis->isComplete(a.value("v200")));
  EXPECT_EQ(a.share("v200", "y"), Sharing::May);
}

TEST(Alias, AChainOfWritesIsFollowedInLinearTime) {
  std::string nodes = unary("relu_.default", "x", "v0");
  for (int i = 1; i < 20'000; ++i)
    nodes += "," + unary("relu_.default", "v" + std::to_string(i - 1), "v" + std::to_string(i));
  Aliases a(nodes);
  EXPECT_EQ(a.share("v19999", "x"), Sharing::Yes);
  EXPECT_EQ(a.analysis->writes(a.m().main()).size(), 20'000u);
}

} // namespace
