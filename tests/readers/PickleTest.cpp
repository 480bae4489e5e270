//===- PickleTest.cpp - Tensors in archives of torch.save -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "readers/data/Pickle.h"
#include "Pt2Files.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace condlint;
using namespace condlint::test;

namespace {

/// The instructions of a pickle, as torch.save writes them.
class Pickle {
public:
  Pickle &raw(std::string_view instructions) {
    text += instructions;
    return *this;
  }
  Pickle &name(const std::string &module, const std::string &symbol) {
    return raw('c' + module + '\n' + symbol + '\n');
  }
  Pickle &word(const std::string &w) { return raw(std::string("\x8c") + static_cast<char>(w.size()) + w); }
  Pickle &number(std::uint8_t n) { return raw(std::string("K") + static_cast<char>(n)); }
  /// A tuple of numbers.
  Pickle &sizes(const std::vector<std::uint8_t> &list) {
    raw("(");
    for (const std::uint8_t n : list)
      number(n);
    return raw("t");
  }
  /// A storage of floats in the record \p record.
  Pickle &storage(const std::string &record) {
    return raw("(").word("storage").name("torch", "FloatStorage").word(record).word("cpu").number(6).raw("tQ");
  }
  Pickle &tensor(const std::string &record, const std::vector<std::uint8_t> &shape,
                 const std::vector<std::uint8_t> &strides) {
    name("torch._utils", "_rebuild_tensor_v2").raw("(").storage(record).number(0).sizes(shape).sizes(strides);
    return raw("\x89").name("collections", "OrderedDict").raw(")RtR");
  }
  std::string text = "\x80\x02";
};

/// What is in the archive: "name: float32[2, 3] strides [3, 1], 24 bytes", or why it cannot be read.
std::string read(const Pickle &pickle) {
  Zip zip;
  zip.add("a/data.pkl", pickle.text + ".").add("a/data/0", std::string(24, 'x'));
  const auto tensors = readTorchSave(zip.bytes(), "weights.pt");
  if (!tensors)
    return tensors.error().str();
  std::string out;
  for (const auto &[name, a] : *tensors)
    out += fmt::format("{}: {}[{}] strides [{}], {} bytes;", name, dtypeName(a.dtype), fmt::join(a.shape, ", "),
                       fmt::join(a.strides, ", "), a.bytes.size());
  return out;
}
bool refuses(const Pickle &pickle, const std::string &words) {
  const std::string answer = read(pickle);
  EXPECT_NE(answer.find(words), std::string::npos) << answer;
  return answer.find("weights.pt: the pickle ") == 0;
}

} // namespace

TEST(Pickle, ATensorAndADictionaryOfTensorsAreRead) {
  EXPECT_EQ(read(Pickle().tensor("0", {2, 3}, {3, 1})), ": float32[2, 3] strides [3, 1], 24 bytes;");
  EXPECT_EQ(read(Pickle().raw("}(").word("w").tensor("0", {6}, {1}).word("b").tensor("0", {}, {}).raw("u")),
            "b: float32[] strides [], 24 bytes;w: float32[6] strides [1], 24 bytes;");
}

TEST(Pickle, NothingInItIsRun) {
  EXPECT_TRUE(refuses(Pickle().name("os", "system").word("true").raw("\x85R"), "needs 'os.system'"));
  EXPECT_TRUE(refuses(Pickle().name("builtins", "eval").word("1").raw("\x85R"), "needs 'builtins.eval'"));
  EXPECT_TRUE(refuses(Pickle().raw("o"), "holds the instruction OBJ,"));
  EXPECT_TRUE(refuses(Pickle().raw("ios\nsystem\n"), "holds the instruction INST,"));
  EXPECT_TRUE(refuses(Pickle().raw("\xff"), "holds the instruction 0xff,"));
  EXPECT_TRUE(refuses(Pickle().number(1).number(2).raw("b"), "gives a state"));
}

TEST(Pickle, WhatMakesNoTensorIsRefused) {
  EXPECT_TRUE(refuses(Pickle().number(7), "neither a tensor nor a dictionary"));
  EXPECT_TRUE(refuses(Pickle().tensor("1", {6}, {1}), "refers to the record 'a/data/1', which is not there"));
  EXPECT_TRUE(refuses(Pickle().raw("0"), "takes from an empty stack"));
  EXPECT_TRUE(refuses(Pickle().raw("h\x05"), "recalls what was not remembered"));
  EXPECT_TRUE(refuses(Pickle().raw("X\xff\xff\xff\x7f"), "ends in the middle"));
  EXPECT_TRUE(refuses(Pickle().raw("]").word("key").number(1).raw("s"), "no list or dictionary"));
}

TEST(Pickle, SmallOnesTakeLittleMemory) {
  // A long tuple that is recalled for the sizes of many tensors.
  std::vector<std::uint8_t> longOne(200, 1);
  EXPECT_TRUE(refuses(Pickle().tensor("0", longOne, {1}), "a tensor of 200 axes"));
  EXPECT_TRUE(refuses(Pickle().name("torch._utils", "_rebuild_tensor_v2").sizes(longOne).raw("R"),
                      "calls a function with 200 arguments"));
  Pickle marks;
  marks.text.append(2'000'000, '(');
  EXPECT_TRUE(refuses(marks, "holds more objects"));
}

TEST(Pickle, EveryTruncationIsRefused) {
  const std::string whole = Pickle().raw("}(").word("w").tensor("0", {2, 3}, {3, 1}).raw("u").text;
  for (std::size_t n = 0; n < whole.size(); ++n) {
    Zip zip;
    zip.add("a/data.pkl", whole.substr(0, n)).add("a/data/0", std::string(24, 'x'));
    EXPECT_FALSE(readTorchSave(zip.bytes(), "weights.pt")) << n;
  }
}
