//===- LayoutTest.cpp - Device, layout and strides of outputs -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

std::string tensor(const std::string &shape, const std::string &more) {
  return R"({"kind": "tensor", "dtype": "float32", "shape": [)" + shape + "]" + (more.empty() ? "" : ", " + more) + "}";
}

std::string strided(const std::string &shape, const std::string &strides, const std::string &offset = "0") {
  return tensor(shape, R"("strides": [)" + strides + R"(], "storageOffset": )" + offset + R"(, "layout": "strided")");
}

TorchCond returning(const std::string &a, const std::string &b) {
  TorchCond c = soundCond();
  c.yes.nodes = aten("made_up.default", "x", "a", a);
  c.yes.results = R"("a")";
  c.no.nodes = aten("made_up.other", "x", "b", b);
  c.no.results = R"("b")";
  c.outputs = value("y");
  return c;
}

Rules layout(const std::string &a, const std::string &b, const std::string &target = "torch@2.13") {
  return found(returning(a, b).json(), target, {"output-shape", "output-declared"});
}

const Rules broken{"error output-layout"};

TEST(Layout, R7Devices) {
  const auto on = [](const std::string &d) { return tensor("4", R"("device": ")" + d + "\""); };
  EXPECT_EQ(layout(on("cpu"), on("meta")), Rules{"error output-device"});
  EXPECT_EQ(layout(on("cpu"), on("meta"), "torch@2.6"), Rules{});
  EXPECT_EQ(layout(on("cpu"), on("cpu")), Rules{});
  EXPECT_EQ(layout(tensor("4", R"("device": "cuda", "deviceIndex": 0)"),
                   tensor("4", R"("device": "cuda", "deviceIndex": 1)")),
            Rules{"error output-device"});
  EXPECT_EQ(layout(on("cuda"), tensor("4", R"("device": "cuda", "deviceIndex": 1)")), Rules{});
}

TEST(Layout, AnOutputOnAnotherDeviceIsNoneOfTheOthers) {
  TorchCond c = returning(tensor("4", R"("device": "cpu")"), tensor("4", R"("device": "meta")"));
  c.yes.results = R"("a", "a")";
  EXPECT_EQ(found(c.json(), "torch@2.13", {"output-declared", "output-duplicate"}),
            (Rules{"error output-count", "error output-device"}));
}

TEST(Layout, WhatAnInnerConditionalDeclaresFalselyIsReportedThereAlone) {
  const std::string type = strided("2, 3", "3, 1");
  const auto declared = [&](const std::string &inner) {
    TorchCond c = soundCond();
    c.parameters = value("p", "bool[]") + R"(, {"name": "x", "type": )" + type + "}";
    c.operands = R"({"operands": ["x", "p"]})";
    const std::string x = R"({"name": "x", "type": )" + type + "}", parameters = x + ", " + value("q", "bool[]");
    const auto computed = [&](const std::string &op, const std::string &result) {
      return R"({"op": "aten.)" + op +
             R"(.default", "attributes": [{"name": "self", "operand": "x"}], "results": [{"name": ")" + result +
             R"(", "type": )" + type + "}]}";
    };
    const Region sin{x, computed("sin", "s"), R"("s")"}, cos{x, computed("cos", "t"), R"("t")"};
    c.yes = {
        parameters,
        fmt::format(R"({{"op": "higher_order.cond", "name": "cond", "attributes": [{{"operand": "q"}}, {{"region": {}}},
               {{"region": {}}}, {{"operands": ["x"]}}], "results": [{{"name": "z", "type": {}}}]}})",
                    sin.json("true_graph_0"), cos.json("false_graph_0"), inner),
        R"("z")"};
    c.no = {parameters, computed("exp", "e"), R"("e")"};
    c.outputs = R"({"name": "y", "type": )" + type + "}";
    return found(c.json(), "torch@2.13", {"predicate-constant"});
  };
  EXPECT_EQ(declared(type), Rules{});
  EXPECT_EQ(declared(strided("2, 3", "1, 2")), Rules{"error output-declared"});
  EXPECT_EQ(declared(strided("2, 3", "3, 1", "4")), Rules{"error output-declared"});
}

TEST(Layout, R8R11Flags) {
  EXPECT_EQ(layout(tensor("4", R"("layout": "strided")"), tensor("4", R"("layout": "sparse_coo")")), broken);
  EXPECT_EQ(layout(tensor("4", R"("layout": "sparse_coo")"), tensor("4", R"("layout": "sparse_coo")")), broken);
  EXPECT_EQ(layout(tensor("4", R"("conjugate": true)"), tensor("4", R"("conjugate": true)")), broken);
  EXPECT_EQ(layout(tensor("4", R"("quantized": true)"), tensor("4", "")), broken);
  EXPECT_EQ(layout(tensor("4", R"("layout": "sparse_coo")"), tensor("4", ""), "torch@2.6"), Rules{});
}

TEST(Layout, R10StorageOffset) {
  EXPECT_EQ(layout(strided("2", "1", "4"), strided("2", "1")), broken);
  EXPECT_EQ(layout(strided("2", "1", "4"), strided("2", "1", "4")), Rules{});
}

TEST(Layout, R13StrideOrder) {
  EXPECT_EQ(layout(strided("3, 4", "4, 1"), strided("3, 4", "1, 3")), broken);
  EXPECT_EQ(layout(strided("3, 4", "1, 3"), strided("3, 4", "1, 3")), Rules{});
  EXPECT_EQ(layout(strided(R"("s0", 4)", "4, 1"), strided(R"("s0", 4)", R"(1, "s0")")), broken);
}

TEST(Layout, R14Dense) {
  EXPECT_EQ(layout(strided("3, 2", "4, 1"), strided("3, 2", "4, 1")), broken);
  EXPECT_EQ(layout(strided("3, 2", "2, 1"), strided("3, 2", "2, 1")), Rules{});
  EXPECT_EQ(layout(strided(R"("s0", 2)", "2, 1"), strided(R"("s0", 2)", "2, 1")), Rules{});
  // Sizes that differ merge; the strides follow them.
  EXPECT_EQ(layout(strided("3, 2", "2, 1"), strided("3, 5", "5, 1")), Rules{});
}

TEST(Layout, R14SizesOfOneAndNone) {
  EXPECT_EQ(layout(strided("1, 3", "3, 1"), strided("1, 3", "3, 1")), Rules{});
  EXPECT_EQ(layout(strided("3, 0", "1, 1"), strided("3, 0", "1, 1")), Rules{});
  EXPECT_EQ(layout(strided("", ""), strided("", "")), Rules{});
}

TEST(Layout, R15Expanded) {
  EXPECT_EQ(layout(strided("3, 4", "0, 1"), strided("3, 4", "0, 1")), Rules{});
  EXPECT_EQ(layout(strided("4, 3", "1, 0"), strided("4, 3", "3, 1")), broken);
}

TEST(Layout, UnknownStridesAreUnknown) {
  EXPECT_EQ(verdictOf(returning("float32[4]", "float32[4]").json(), "torch@2.13", "output-layout"), "unknown");
}

TEST(Layout, R16RequiresGrad) {
  const std::string yes = tensor("4", R"("requiresGrad": true)");
  const std::string no = tensor("4", R"("requiresGrad": false)");
  EXPECT_EQ(layout(yes, no, "torch@2.5"), Rules{"error output-requires-grad"});
  EXPECT_EQ(layout(yes, no, "torch@2.6"), Rules{});
  EXPECT_EQ(layout(yes, yes, "torch@2.5"), Rules{});
}

TEST(Layout, R14OneSideAloneIsNotDense) {
  const std::string open = tensor("4, 2", ""); // how it lies is not known
  EXPECT_EQ(layout(strided("4, 2", "4, 1"), open), broken);
  EXPECT_EQ(layout(open, strided("4, 2", "2, 4")), broken);
  EXPECT_EQ(layout(strided("4, 2", "2, 1"), open), Rules{});
  EXPECT_EQ(layout(strided("4, 2", "1, 4"), open), Rules{}) << "dense by columns";
  EXPECT_EQ(layout(strided("4, 2", "0, 1"), open), Rules{}) << "expanded";
}

// "to(options) doesn't support converting to a different layout"
TEST(Layout, AConversionKeepsTheLayoutOfItsOperand) {
  const std::string type = strided("2, 3", "3, 1");
  const auto verdict = [&](const std::string &layout) {
    TorchCond c = soundCond(type);
    c.yes.nodes = aten("_to_copy.default", "x", "a", "", R"(, {"name": "layout", "layout": ")" + layout + "\"}");
    c.yes.results = R"("a")";
    return verdictOf(c.json(), "torch@2.13", "operator-type");
  };
  EXPECT_EQ(verdict("strided"), "proved");
  EXPECT_EQ(verdict("sparse_coo"), "violated");
}

} // namespace
