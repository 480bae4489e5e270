//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a .pt2 records of a size that its operator computes of symbols: what a guard of the exporter may have made one,
// and what nothing can have.
//
//===----------------------------------------------------------------------===//
#include "RuleSamples.h"

using namespace condlint;
using namespace condlint::test;

namespace {

const Rules lie{"error graph-malformed"};

/// x: float32[s0, s1] and v: float32[6], both from 2 on; \p node makes m, of which a relu follows.
std::string recorded(const std::string &node, const std::string &type) {
  TorchCond c = soundCond("float32[s0, s1]");
  c.parameters += ", " + value("v", "float32[6]");
  c.symbols = R"("s0": {"min": 2}, "s1": {"min": 2})";
  c.before = node + ", " + aten("relu.default", "m", "r", type) + ",";
  std::string json = c.json();
  json.insert(1, R"("format": "pt2", )");
  return json;
}

Rules sizes(const std::string &op, const std::string &more, const std::string &shape) {
  const std::string type = "float32[" + shape + "]";
  return found(recorded(aten(op, "x", "m", type, more), type), "torch@2.13");
}

std::string ints(const std::string &name, const std::string &list) {
  return R"(, {"name": ")" + name + R"(", "ints": [)" + list + "]}";
}
std::string number(const std::string &name, int n) { return fmt::format(R"(, {{"name": "{}", "int": {}}})", name, n); }

TEST(RecordedSizes, ANumberIsNoSizeThatGrows) {
  const auto pad = [](const std::string &size) { return sizes("constant_pad_nd.default", ints("pad", "1, 2"), size); };
  EXPECT_EQ(pad("s0, s1 + 3"), Rules{});
  EXPECT_EQ(pad("s0, 97"), lie);
  EXPECT_EQ(pad("s0, 4"), lie); // never, in the range
  const auto flatten = [](const std::string &size) {
    return sizes("flatten.using_ints", number("start_dim", 0) + number("end_dim", -1), size);
  };
  EXPECT_EQ(flatten("s0*s1"), Rules{});
  EXPECT_EQ(flatten("97"), lie);
  EXPECT_EQ(flatten("96"), lie); // 2 by 48 is one input of many
  EXPECT_EQ(flatten("s0 + s1"), lie);
}

TEST(RecordedSizes, WhatIsCutIsAsLongAsItsRangeSays) {
  const auto slice = [](int end, const std::string &size) {
    return sizes("slice.Tensor", number("dim", 0) + number("start", 0) + number("end", end), size + ", s1");
  };
  EXPECT_EQ(slice(-1, "s0 - 1"), Rules{});
  EXPECT_EQ(slice(5, "5"), Rules{}); // where there is enough
  EXPECT_EQ(slice(5, "s0"), Rules{});
  EXPECT_EQ(slice(-99, "s0 - 99"), Rules{});
  EXPECT_EQ(slice(-99, "1"), lie); // at s0 = 100 alone
  const auto diagonal = [](int offset, const std::string &size) {
    return sizes("diagonal.default", number("offset", offset), size);
  };
  EXPECT_EQ(diagonal(0, "min(s0, s1)"), Rules{});
  EXPECT_EQ(diagonal(0, "s0"), Rules{}); // where s0 <= s1
  EXPECT_EQ(diagonal(2, "max(min(s0, s1 - 2), 0)"), Rules{});
  EXPECT_EQ(diagonal(-99, "max(min(s0, s1 - 2), 0)"), lie);
}

TEST(RecordedSizes, WhatIsDividedMayHaveNoRest) {
  const auto pool = [](const std::string &size) {
    return sizes("max_pool1d.default", ints("kernel_size", "2") + ints("stride", "2"), "s0, " + size);
  };
  EXPECT_EQ(pool("s1//2"), Rules{});
  EXPECT_EQ(pool("1"), Rules{});           // s1 is 2 or 3
  EXPECT_EQ(pool("(s1 + 1)//2"), Rules{}); // s1 is even
  EXPECT_EQ(pool("97"), lie);              // s1 is 194 or 195
  EXPECT_EQ(pool("s0//2"), lie);
}

// torch asks whether they are one where an operator compares them, and writes either.
TEST(RecordedSizes, WhatIsComparedMayBeWrittenAsEither) {
  const auto views = [](const std::string &op, const std::string &shape) {
    return sizes(op, ints("size", "24"), shape);
  };
  EXPECT_EQ(views("view.default", "24"), Rules{});
  EXPECT_EQ(views("view.default", "s0*s1"), Rules{});
  EXPECT_EQ(views("view.default", "s0*s1 - 1"), lie);
  // x flattened, and a sum with six others.
  const auto sum = [](const std::string &size, const std::string &op = "add.Tensor") {
    const std::string flat =
        aten("flatten.using_ints", "x", "f", "float32[s0*s1]", number("start_dim", 0) + number("end_dim", -1));
    return found(
        recorded(flat + ", " + aten(op, "f", "m", "float32[" + size + "]", R"(, {"name": "other", "operand": "v"})"),
                 "float32[" + size + "]"),
        "torch@2.13");
  };
  EXPECT_EQ(sum("6"), Rules{});
  EXPECT_EQ(sum("s0*s1"), Rules{});
  EXPECT_EQ(sum("12"), lie);
  // Also with 1, where there is nothing else to stretch to.
  const auto half = [](const std::string &size) {
    const std::string pool =
        aten("max_pool1d.default", "x", "h", "float32[s0, s1//2 - 1]", ints("kernel_size", "4") + ints("stride", "2"));
    const std::string type = "float32[s0, " + size + "]";
    return found(recorded(pool + ", " + aten("neg.default", "h", "m", type), type), "torch@2.13");
  };
  EXPECT_EQ(half("s1//2 - 1"), Rules{});
  EXPECT_EQ(half("1"), Rules{});
  EXPECT_EQ(half("7"), lie);
}

/// Both branches pad x; \p size is what one of them records of its second axis.
TorchCond padded(const std::string &size) {
  TorchCond c = soundCond("float32[s0, s1]");
  c.symbols = R"("s0": {"min": 2}, "s1": {"min": 2})";
  const auto type = [](const std::string &columns) {
    return R"({"kind": "tensor", "dtype": "float32", "shape": ["s0", )" + columns +
           R"(], "strides": ["s1 + 3", 1], "storageOffset": 0, "layout": "strided"})";
  };
  const auto node = [&](const std::string &result, const std::string &columns) {
    return R"({"op": "aten.constant_pad_nd.default", "attributes": [{"name": "self", "operand": "x"})" +
           ints("pad", "1, 2") + R"(], "results": [{"name": ")" + result + R"(", "type": )" + type(columns) + "}]}";
  };
  c.yes.nodes = node("sin", R"("s1 + 3")");
  c.no.nodes = node("cos", size);
  c.outputs = R"({"name": "y", "type": )" + type(R"("s1 + 3")") + "}";
  return c;
}

TEST(RecordedSizes, OneLieIsOneFinding) {
  const auto rules = [](const std::string &size) {
    std::string json = padded(size).json();
    json.insert(1, R"("format": "pt2", )");
    return found(json, "torch@2.13");
  };
  EXPECT_EQ(rules(R"("s1 + 3")"), Rules{});
  EXPECT_EQ(rules("97"), lie); // neither of what the conditional declares, nor of its strides
  EXPECT_EQ(rules(R"("s1 + 4")"), lie);
}

TEST(RecordedSizes, WhatAGuardMayHaveMadeOneIsNotKnown) {
  TorchCond c = soundCond("float32[s0, s1]");
  c.symbols = R"("s0": {"min": 2}, "s1": {"min": 2})";
  c.yes.nodes = aten("view.default", "x", "sin", "float32[s0*s1]", ints("size", "24"));
  c.no.nodes = aten("view.default", "x", "cos", "float32[24]", ints("size", "24"));
  c.outputs = value("y", "float32[24]");
  std::string json = c.json();
  json.insert(1, R"("format": "pt2", )");
  EXPECT_EQ(verdictOf(json, "torch@2.13", "output-shape"), "unknown");
}

} // namespace
