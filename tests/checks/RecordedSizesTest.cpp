//===- RecordedSizesTest.cpp - Sizes that a .pt2 records ------------------===//
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

/// The rules that are broken, or "unknown": what is recorded may be so.
Rules judged(const std::string &json) {
  Rules rules = found(json, "torch@2.13");
  if (rules.empty() && verdictOf(json, "torch@2.13", "graph-malformed") == "unknown")
    rules.push_back("unknown");
  return rules;
}
const Rules open{"unknown"};

Rules sizes(const std::string &op, const std::string &more, const std::string &shape) {
  const std::string type = "float32[" + shape + "]";
  return judged(recorded(aten(op, "x", "m", type, more), type));
}

std::string ints(const std::string &name, const std::string &list) {
  return R"(, {"name": ")" + name + R"(", "ints": [)" + list + "]}";
}
std::string number(const std::string &name, int n) { return fmt::format(R"(, {{"name": "{}", "int": {}}})", name, n); }

TEST(RecordedSizes, ANumberIsNoSizeThatGrows) {
  const auto pad = [](const std::string &size) { return sizes("constant_pad_nd.default", ints("pad", "1, 2"), size); };
  EXPECT_EQ(pad("s0, s1 + 3"), Rules{});
  EXPECT_EQ(pad("s0, 97"), lie); // s1 would be 94, and called so
  EXPECT_EQ(pad("s0, 4"), lie);  // never, in the range
  EXPECT_EQ(pad("s0, 2*s1"), lie);
  EXPECT_EQ(pad("s0, s0 + 3"), open);
}

TEST(RecordedSizes, WhatIsCutIsAsLongAsItsRangeSays) {
  const auto slice = [](int end, const std::string &size) {
    return sizes("slice.Tensor", number("dim", 0) + number("start", 0) + number("end", end), size + ", s1");
  };
  EXPECT_EQ(slice(-1, "s0 - 1"), Rules{});
  EXPECT_EQ(slice(5, "5"), Rules{}); // where there is enough
  EXPECT_EQ(slice(5, "s0"), Rules{});
  EXPECT_EQ(slice(-99, "s0 - 99"), Rules{});
  EXPECT_EQ(slice(-99, "1"), open); // at s0 = 100 alone
  const auto diagonal = [](int offset, const std::string &size) {
    return sizes("diagonal.default", number("offset", offset), size);
  };
  EXPECT_EQ(diagonal(0, "min(s0, s1)"), Rules{});
  EXPECT_EQ(diagonal(0, "s0"), Rules{}); // where s0 <= s1
  EXPECT_EQ(diagonal(2, "max(min(s0, s1 - 2), 0)"), Rules{});
  EXPECT_EQ(diagonal(-99, "max(min(s0, s1 - 2), 0)"), open);
}

// An operator that asks for a number, and not for a symbol, gets the example's; the guard cannot be solved.
TEST(RecordedSizes, WhatAGuardMayHaveMadeANumber) {
  const auto pool = [](const std::string &size) {
    return sizes("max_pool1d.default", ints("kernel_size", "2") + ints("stride", "2"), "s0, " + size);
  };
  EXPECT_EQ(pool("s1//2"), Rules{});
  EXPECT_EQ(pool("1"), Rules{});           // s1 is 2 or 3
  EXPECT_EQ(pool("(s1 + 1)//2"), Rules{}); // s1 is even
  EXPECT_EQ(pool("97"), open);             // s1 is 194 or 195
  EXPECT_EQ(pool("s0//2"), open);
  const auto flatten = [](const std::string &size) {
    return sizes("flatten.using_ints", number("start_dim", 0) + number("end_dim", -1), size);
  };
  EXPECT_EQ(flatten("s0*s1"), Rules{});
  EXPECT_EQ(flatten("96"), open);
  EXPECT_EQ(sizes("view.default", ints("size", "24"), "24"), Rules{});
}

TEST(RecordedSizes, WhatIsComparedMayBeWrittenAsEither) {
  EXPECT_EQ(sizes("view.default", ints("size", "24"), "s0*s1"), Rules{});
  EXPECT_EQ(sizes("view.default", ints("size", "24"), "s0*s1 - 1"), open);
  // x flattened, and a sum with six others.
  const auto sum = [](const std::string &size) {
    const std::string type = "float32[" + size + "]";
    return judged(recorded(
        aten("flatten.using_ints", "x", "f", "float32[s0*s1]", number("start_dim", 0) + number("end_dim", -1)) + ", " +
            aten("add.Tensor", "f", "m", type, R"(, {"name": "other", "operand": "v"})"),
        type));
  };
  EXPECT_EQ(sum("6"), Rules{});
  EXPECT_EQ(sum("s0*s1"), Rules{});
  EXPECT_EQ(sum("12"), lie);
  EXPECT_EQ(sum("s0*s1 + s0"), open);
}

// What is made of it is as doubtful, so that nothing is proved by the record.
TEST(RecordedSizes, WhatFollowsFromADoubtfulSizeIsOpen) {
  const auto verdict = [](const std::string &size) {
    TorchCond c = soundCond("float32[s0, s1]");
    c.symbols = R"("s0": {"min": 2}, "s1": {"min": 2})";
    const std::string type = "float32[" + size + ", s1]";
    c.yes.nodes = aten("slice.Tensor", "x", "a", type, number("dim", 0) + number("start", 0) + number("end", -99)) +
                  ", " + aten("clone.default", "a", "sin", type);
    c.no.nodes = aten("sum.dim_IntList", "x", "cos", "float32[1, s1]",
                      ints("dim", "0") + R"(, {"name": "keepdim", "bool": true})");
    c.outputs = value("y", "float32[1, s1]");
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return verdictOf(json, "torch@2.13", "output-shape");
  };
  EXPECT_EQ(verdict("1"), "unknown");
  EXPECT_EQ(verdict("s0 - 99"), "possible");
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

TEST(RecordedSizes, AStrideIsSpelledAsTheSizesThatItIsMadeOf) {
  const auto transposed = [](const std::string &shape, const std::string &strides) {
    TorchCond c = soundCond("float32[s0, s1]");
    c.symbols = R"("s0": {"min": 2}, "s1": {"min": 2})";
    const auto type = [](const std::string &sizes, const std::string &steps) {
      return R"({"kind": "tensor", "dtype": "float32", "shape": [)" + sizes + R"(], "strides": [)" + steps +
             R"(], "storageOffset": 0, "layout": "strided", "device": "cpu"})";
    };
    c.parameters += R"(, {"name": "w", "type": )" + type(R"("s0", "s1")", R"("s1", 1)") + "}";
    c.before = R"({"op": "aten.t.default", "attributes": [{"name": "self", "operand": "w"}], "results": [{"name": "m",
      "type": )" +
               type(shape, strides) + "}]},";
    std::string json = c.json();
    json.insert(1, R"("format": "pt2", )");
    return judged(json);
  };
  const std::string shape = R"("s1", "s0")";
  EXPECT_EQ(transposed(shape, R"(1, "s1")"), Rules{});
  EXPECT_EQ(transposed(shape, R"(1, "s0")"), lie); // where they are one, they have one name
  EXPECT_EQ(transposed(shape, "1, 97"), lie);
  EXPECT_EQ(transposed(shape, R"(1, "2*s1")"), lie);
  EXPECT_EQ(transposed(shape, R"(1, "s0 + s1 - 7")"), Rules{}); // a guard may have made them one
}

/// A conditional whose branches yield the first two rows of x: float32[s0, 3], declared as \p declared.
std::string firstRows(const std::string &declared) {
  TorchCond c = soundCond("float32[s0, 3]");
  const std::string rows = R"(, {"name": "dim", "int": 0}, {"name": "start", "int": 0}, {"name": "end", "int": 2})";
  c.yes = {value("x", "float32[s0, 3]"),
           aten("slice.Tensor", "x", "r", "float32[2, 3]", rows) + ", " +
               aten("sin.default", "r", "a", "float32[2, 3]"),
           R"("a")"};
  c.no = {value("x", "float32[s0, 3]"),
          aten("slice.Tensor", "x", "r", "float32[2, 3]", rows) + ", " + aten("cos.default", "r", "a", "float32[2, 3]"),
          R"("a")"};
  c.outputs = value("y", declared);
  c.symbols = R"("s0": {"min": 0})";
  std::string json = c.json();
  json.insert(1, R"("format": "pt2", )");
  return json;
}

// torch.export takes a size that may vary for one of two or more, whatever the range says, and runs with one row.
TEST(RecordedSizes, WhatIsDeclaredFollowsFromSizesOfTwoOrMore) {
  EXPECT_EQ(found(firstRows("float32[2, 3]"), "torch@2.13"), Rules{});
  EXPECT_EQ(found(firstRows("float32[1, 3]"), "torch@2.13"), Rules{"error output-declared"});
  EXPECT_EQ(found(firstRows("float32[s0, 3]"), "torch@2.13"), Rules{"error output-declared"});
}

} // namespace
