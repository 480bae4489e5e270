//===- OnnxWireTest.cpp - Damaged and hostile bytes -------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxBytes.h"
#include <algorithm>

using namespace condlint;
using namespace condlint::testing;
using ::testing::Test;

namespace {

using Kind = FormatIssue::Kind;

bool says(const std::string &text, std::string_view word) { return text.find(word) != std::string::npos; }

const std::string sound = model(node("Relu", {"x"}, {"y"}) + output("y", tensorType(1, {2})));

TEST(OnnxWire, ASoundModelHasNoIssues) {
  const Model m = readBytes(sound);
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.nodeCount(), 1u);
}

TEST(OnnxWire, EveryTruncationIsRefusedOrMalformed) {
  for (std::size_t n = 0; n < sound.size(); ++n) {
    auto r = readOnnx(FileBytes::copy(std::string_view(sound).substr(0, n)), "model.onnx");
    if (r)
      EXPECT_FALSE(r->front().issues.empty()) << n;
    else
      EXPECT_FALSE(r.error().message.empty()) << n;
  }
}

TEST(OnnxWire, NoByteCanCrashIt) {
  for (std::size_t n = 0; n < sound.size(); ++n)
    for (int b = 0; b < 256; b += 5) {
      std::string bytes = sound;
      bytes[n] = static_cast<char>(b);
      (void)readOnnx(FileBytes::copy(bytes), "model.onnx");
    }
}

TEST(OnnxWire, NamesTheByteAtFault) {
  EXPECT_TRUE(says(refusal(sound + std::string(1, '\0') + "\1"), "byte " + std::to_string(sound.size())));
  EXPECT_TRUE(says(refusal(sound + "\x07\x01"), "number 0"));
  EXPECT_TRUE(says(refusal(sound + "\x0e\x01"), "wire type 6"));
  EXPECT_TRUE(says(refusal(sound + "\x0f\x01"), "wire type 7"));
  EXPECT_TRUE(says(refusal(sound + "\x0c"), "group ends"));
  EXPECT_TRUE(says(refusal(sound + "\xf3\x01"), "never ends"));
  EXPECT_TRUE(says(refusal(sound + "\xf3\x01\xfc\x01"), "another group"));
  EXPECT_TRUE(says(refusal(sound + "\x08" + std::string(11, '\x80') + "\x01"), "ten bytes"));
  EXPECT_TRUE(says(refusal(sound + "\x3a\x7f"), "more bytes than are left"));
}

// A length above 32 bits must not be cut to a small one.
TEST(OnnxWire, LengthsHave64Bits) {
  EXPECT_TRUE(says(refusal(sound + "\x32" + varint((std::uint64_t{1} << 32) + 1) + "ab"), "more bytes"));
  EXPECT_TRUE(says(refusal(sound + "\x32" + varint(0x7fffffffffffffffu)), "more bytes"));
  EXPECT_TRUE(says(refusal(sound + varint((std::uint64_t{1} << 35) | 0x08) + "\x01"), "field number"));
}

TEST(OnnxWire, NamesWhatTheFileIs) {
  EXPECT_TRUE(says(refusal(std::string("PK\x03\x04") + std::string(40, '\0')), "zip"));
  EXPECT_TRUE(says(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"), "Git LFS"));
  EXPECT_TRUE(says(refusal("{\"graph\": 1}"), "JSON"));
  EXPECT_TRUE(says(refusal("import onnx\n"), "text"));
  EXPECT_TRUE(says(refusal(std::string("\x1c\0\0\0ORTM\0\0", 10)), "ONNX Runtime's own format"));
  EXPECT_TRUE(says(refusal(""), "empty"));
}

TEST(OnnxWire, OnlyUnknownFieldsAreNoModel) { EXPECT_TRUE(says(refusal(field(200, "abc")), "none of the fields")); }

TEST(OnnxWire, UnknownFieldsAreSkipped) {
  const Model m = readBytes(sound + field(200, "abc") + field(201, 7) + "\xf3\x01\xf8\x01\x05\xf4\x01");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
}

TEST(OnnxWire, AKnownFieldOfAnotherWireTypeIsMalformedAndIgnored) {
  const std::string rest = sound.substr(field(1, 8).size());
  const Model m = readBytes(field(1, "8") + rest);
  EXPECT_EQ(kinds(m), std::vector{Kind::Malformed}) << messages(m);
  EXPECT_EQ(m.nodeCount(), 1u);
}

TEST(OnnxWire, WhatAModelMustHave) {
  EXPECT_EQ(kinds(readBytes(field(1, 8) + field(8, field(2, 17)))), std::vector{Kind::Malformed});
  EXPECT_EQ(kinds(readBytes(sound.substr(2))), std::vector{Kind::Malformed}); // no ir_version
  const std::string g = sound.substr(2 + field(8, field(2, 17)).size());
  EXPECT_EQ(kinds(readBytes(field(1, 8) + g)), std::vector{Kind::Malformed}); // no opset_import
  const Model old = readBytes(field(1, 2) + g);                               // which IR version 2 did not have
  EXPECT_TRUE(old.issues.empty()) << messages(old);
  EXPECT_EQ(old[old[NodeId(0)].op].version, 1);
}

// Protobuf merges an embedded message that occurs more than once.
TEST(OnnxWire, AGraphInTwoPartsIsOneGraph) {
  const Model m = readBytes(sound + field(7, field(10, "documented")));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.nodeCount(), 1u);
  const Model more = readBytes(sound + field(7, node("Relu", {"y"}, {"z"}) + output("z", tensorType(1, {2}))));
  EXPECT_TRUE(more.issues.empty()) << messages(more);
  EXPECT_EQ(more.results(more.main()).size(), 2u);
}

TEST(OnnxWire, ABranchATensorAndATypeInParts) {
  const std::string then = graph("t", node("Relu", {"x"}, {"p"}) + output("p"));
  const std::string inParts =
      field(5, field(1, "then_branch") + field(20, 5) + field(6, then) + field(6, field(10, "doc")));
  const std::string other = branch("else_branch", graph("e", node("Neg", {"x"}, {"q"}) + output("q")));
  const std::string rows = field(1, 1) + field(2, 7), data = field(1, 2) + field(7, 4) + field(7, 5);
  const std::string value = field(5, field(1, "value") + field(20, 4) + field(5, rows) + field(5, data));
  const std::string element = field(1, field(1, 7));
  const std::string one = field(1, field(2, field(1, field(1, 1)))), two = field(1, field(2, field(1, field(1, 2))));
  const Model m = readBytes(model(node("If", {"c"}, {"y"}, inParts + other) + node("Constant", {}, {"k"}, value) +
                                  output("y", tensorType(1, {2})) +
                                  field(12, field(1, "k") + field(2, element) + field(2, one + two))));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.nodeCount(), 4u);
  EXPECT_EQ(spelled(m, m[m.results(m.main())[1]].recorded), "int64[1, 2]");
}

// The last member of a oneof holds, and none of the parts before another one.
TEST(OnnxWire, PartsOfATypeEndWhereAnotherKindBegins) {
  const std::string list = field(4, field(1, tensorType(1, {})));
  const Model m =
      readBytes(model(node("Relu", {"x"}, {"y"}) + output("y", field(1, field(1, 1)) + list + tensorType(7, {2}))));
  EXPECT_EQ(spelled(m, m[m.results(m.main())[0]].recorded), "int64[2]");
  EXPECT_EQ(
      kinds(readBytes(model(node("Relu", {"x"}, {"y"}) + output("y", field(1, field(1, 1)) + list + field(1, ""))))),
      std::vector{Kind::Malformed});
}

TEST(OnnxWire, WhatIsWrongInAPartHasItsPlaceInTheFile) {
  const std::string second = field(7, node("Relu", {"y"}, {"y"}));
  const Model m = readBytes(sound + second);
  ASSERT_EQ(kinds(m), std::vector{Kind::Redefined}) << messages(m);
  EXPECT_EQ(m.issues[0].place, "byte " + std::to_string(sound.size() + 4));
  EXPECT_TRUE(
      says(refusal(sound + field(7, field(11, std::string("\x0a\x7f")))), "byte " + std::to_string(sound.size() + 4)));
  // A part that ends inside a field does not go on in the next one.
  EXPECT_TRUE(says(refusal(sound + field(7, "\x52\x05") + field(7, "12345")), "more bytes than are left"));
}

// Parts of parts would be copied once a level.
TEST(OnnxWire, PartsInPartsCostNoMoreThanTheFileIsLong) {
  std::string type = tensorType(1, {2});
  for (int i = 0; i < 20; ++i)
    type = field(4, field(1, field(6, std::string(1000, 'd')))) + field(4, field(1, type));
  EXPECT_TRUE(says(refusal(model(node("Relu", {"x"}, {"y"}) + output("y", type))), "in parts"));
}

/// \p levels Ifs, each in the then branch of the one before.
std::string nested(unsigned levels) {
  std::string g = graph("g", "");
  for (unsigned i = 0; i < levels; ++i)
    g = graph("g", node("If", {"c"}, {"o"}, branch("then_branch", g) + branch("else_branch", graph("e", ""))));
  return field(1, 8) + field(8, field(2, 17)) + field(7, g);
}

TEST(OnnxWire, NestingIsBoundedAndCountedBelowTheBound) {
  const Model shallow = readBytes(nested(33));
  EXPECT_EQ(shallow.info.wireDepth, 100u); // the innermost graph
  EXPECT_TRUE(shallow.issues.empty()) << messages(shallow);
  const Model deep = readBytes(nested(255));
  EXPECT_EQ(kinds(deep), std::vector{Kind::NestingLimit}) << messages(deep);
  for (unsigned levels : {256u, 1000u, 5000u}) {
    const Model m = readBytes(nested(levels));
    EXPECT_EQ(m.info.wireDepth, 1 + 3 * levels);
    EXPECT_EQ(kinds(m), (std::vector{Kind::TooDeep, Kind::NestingLimit})) << messages(m);
    std::size_t cut = 0;
    for (std::uint32_t g = 0; g < m.graphCount(); ++g)
      cut += m[GraphId(g)].tooDeep ? 1U : 0U;
    EXPECT_EQ(cut, 2u);
  }
}

TEST(OnnxWire, GroupsAndTypesNestToo) {
  std::string open, close;
  for (int i = 0; i < 101; ++i) {
    open += "\xf3\x01";
    close += "\xf4\x01";
  }
  const Model groups = readBytes(sound + open + close);
  EXPECT_EQ(groups.info.wireDepth, 101u);
  EXPECT_EQ(kinds(groups), std::vector{Kind::NestingLimit});
  std::string type = tensorType(1, {2});
  for (int i = 0; i < 2000; ++i)
    type = field(4, field(1, type));
  const Model types = readBytes(model(node("Relu", {"x"}, {"y"}) + output("y", type)));
  EXPECT_GT(types.info.wireDepth, 4000u);
  EXPECT_EQ(kinds(types), std::vector{Kind::NestingLimit}) << messages(types);
}

TEST(OnnxWire, ManyIssuesAreCountedNotKept) {
  std::string nodes;
  for (int i = 0; i < 3000; ++i)
    nodes += node("Relu", {"x"}, {"x"});
  const Model m = readBytes(model(nodes));
  EXPECT_EQ(m.issues.size(), 1000u);
  EXPECT_TRUE(says(m.issues.back().message, "2000 more"));
}

} // namespace
