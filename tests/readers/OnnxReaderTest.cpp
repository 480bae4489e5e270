//===- OnnxReaderTest.cpp - Real ONNX models --------------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxBytes.h"

using namespace condlint;
using namespace condlint::testing;

namespace {

TEST(OnnxReader, ReadsAnIfWithItsBranches) {
  const Model m = readFile("00_valid.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.info.irVersion, 8);
  ASSERT_EQ(m.info.opsets.size(), 1u);
  EXPECT_EQ(m.info.opsets[0].second, 17);
  const NodeId n = nodeAt(m, "main/if0");
  EXPECT_EQ(m.operatorName(m[n].op), "If");
  ASSERT_EQ(m.regions(n).size(), 2u);
  for (GraphId g : m.regions(n)) {
    EXPECT_EQ(m[g].owner, n);
    EXPECT_EQ(m[g].parent, m.main());
    EXPECT_EQ(m[g].depth, 1u);
    ASSERT_EQ(m.results(g).size(), 1u);
    EXPECT_EQ(m[m.results(g)[0]].graph, g);
  }
  // In the order of the file; an attribute says which region it is.
  for (const char *role : {"then_branch", "else_branch"}) {
    const Attribute *a = m.attribute(n, role);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->kind, AttributeKind::Region);
    EXPECT_EQ(m.text(m[m.regions(n)[a->list.first]].role), role);
  }
}

TEST(OnnxReader, OrderOfFieldsDoesNotMatter) {
  const Model m = readFile("file_fields_reversed.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.nodeCount(), readFile("00_valid.onnx").nodeCount());
}

TEST(OnnxReader, UnknownGroupsAreSkipped) { EXPECT_TRUE(readFile("file_unknown_group.onnx").issues.empty()); }

TEST(OnnxReader, TorchRecordsTheUsersLine) {
  const Model m = readFile("dynamo_nested.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m.info.producer, "pytorch 2.13.0+cpu");
  const SourceLocation l = m.location(nodeAt(m, "main/node_cond__0"));
  EXPECT_EQ(l.path, "models/dynamo.py");
  EXPECT_EQ(l.line, 46u);
  EXPECT_EQ(l.function, "forward");
  // The inner branch reads x and y of the main graph, over two levels.
  const NodeId add = nodeAt(m, "main/node_cond__0/then_branch/node_cond__0_2/then_branch/node_add");
  ASSERT_EQ(m.operands(add).size(), 2u);
  EXPECT_EQ(m[m.operands(add)[0]].graph, m.main());
  EXPECT_EQ(m[m.operands(add)[0]].origin, ValueOrigin::Parameter);
  // value_info types what the graph does not return.
  const ValueId gt = m.result(nodeAt(m, "main/node_gt"), 0);
  EXPECT_EQ(spelled(m, m[gt].recorded), "bool[]");
}

TEST(OnnxReader, ExportersOtherThanTorch) {
  for (const char *name : {"spox_if.onnx", "onnxscript_two_levels.onnx", "script_elif.onnx"}) {
    const Model m = readFile(name);
    EXPECT_TRUE(m.issues.empty()) << name << ": " << messages(m);
    EXPECT_NE(m.nodeCount(), 0u);
  }
}

TEST(OnnxReader, AFunctionIsARootOfItsOwn) {
  const Model m = readFile("51_function_if_captures_function_scope.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  ASSERT_EQ(m.functionCount(), 1u);
  const Function &f = m[FunctionId(0)];
  EXPECT_EQ(m.text(m[f.body].role), "my.F");
  EXPECT_EQ(m[f.body].function, FunctionId(0));
  const NodeId call = nodeAt(m, "main/F_0");
  EXPECT_EQ(m[call].callee, f.body);
  EXPECT_EQ(m[m[call].op].version, 1);
  // The If of the function reads the function's value.
  const NodeId relu = nodeAt(m, "my.F/If_1/then_branch/Relu_0");
  EXPECT_EQ(m[m.operands(relu)[0]].graph, f.body);
}

TEST(OnnxReader, AFunctionDoesNotSeeItsCaller) {
  const Model m = readFile("52_function_if_captures_caller_scope.onnx");
  bool dangling = false;
  for (std::uint32_t v = 0; v < m.valueCount(); ++v)
    dangling = dangling || m[ValueId(v)].origin == ValueOrigin::Undefined;
  EXPECT_TRUE(dangling);
}

TEST(OnnxReader, AnAttributeThatRefersToTheFunctions) {
  const Model m = readFile("function_branch_as_attribute_ref.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  const Attribute *a = m.attribute(nodeAt(m, "my.Mul2/Constant_0"), "value_float");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->kind, AttributeKind::Reference);
  EXPECT_EQ(m.text(a->text), "k");
  ASSERT_EQ(m.stringsIn(m[FunctionId(0)].attributes).size(), 1u);
}

TEST(OnnxReader, SequenceTypes) {
  const Model m = readFile("kind_sequence_opset13.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  const GraphId g = m.regions(nodeAt(m, "main/if0"))[0];
  EXPECT_EQ(spelled(m, m[m.results(g)[0]].recorded), "sequence(float32[2])");
}

TEST(OnnxReader, LoopsHaveABody) {
  const Model m = readFile("if_holds_loop.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  const NodeId loop = nodeAt(m, "main/if0/then_branch/Loop_2");
  ASSERT_EQ(m.regions(loop).size(), 1u);
  EXPECT_EQ(m[m.regions(loop)[0]].parameters.count, 3u);
  const Attribute *value = m.attribute(nodeAt(m, "main/if0/then_branch/Constant_0"), "value");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->kind, AttributeKind::Tensor);
}

TEST(OnnxReader, AListOfGraphsIsNoBranch) {
  const Model m = readFile("branch_as_graph_list.onnx");
  const NodeId n = nodeAt(m, "main/if0");
  const Attribute *a = m.attribute(n, "then_branch");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->kind, AttributeKind::Regions);
  ASSERT_NE(a->list.count, 0u);
  EXPECT_EQ(m.text(m[m.regions(n)[a->list.first]].role), "then_branch[0]");
}

TEST(OnnxReader, SparseInitializer) {
  const Model m = readFile("sparse_ok.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  ASSERT_EQ(m[m.main()].constants.count, 1u);
  const Constant &c = m[m[ValueId(m[m.main()].constants.first)].constant];
  EXPECT_TRUE(c.sparse);
  EXPECT_EQ(m.types[c.type].layout, Layout::SparseCoo);
  EXPECT_EQ(spelled(m, c.type), "float32[2]");
}

TEST(OnnxReader, ExternalDataIsAReference) {
  const Model m = readFile("external_ok.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  const Constant &c = m[m[ValueId(m[m.main()].constants.first)].constant];
  EXPECT_EQ(m.text(c.file), "external_ok.bin");
  EXPECT_EQ(c.size, 8u);
  EXPECT_TRUE(c.bytes.empty());
}

TEST(OnnxReader, NamesThatAreNotUtf8KeepTheirBytes) {
  const Model m = readFile("wire_node_name_not_utf8.onnx");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
}

TEST(OnnxReader, ASiblingsValueIsFound) {
  const Model m = readFile("13_cross_branch.onnx");
  const NodeId n = nodeAt(m, "main/if0");
  const auto region = [&](const char *role) { return m.regions(n)[m.attribute(n, role)->list.first]; };
  bool found = false;
  for (NodeId inner : m.nodes(region("else_branch")))
    for (ValueId v : m.operands(inner))
      found = found || m[v].graph == region("then_branch");
  EXPECT_TRUE(found);
}

// Rule nesting: protobuf reads 100 nested messages, in files that its own readers
// accept and refuse.
TEST(OnnxReader, CountsNestedMessagesAsProtobufDoes) {
  const Model accepted = readFile("d30.onnx");
  EXPECT_TRUE(accepted.issues.empty()) << messages(accepted);
  EXPECT_EQ(accepted.info.wireDepth, 99u);
  const Model typed = readFile("d31.onnx");
  EXPECT_EQ(typed.info.wireDepth, 102u);
  EXPECT_EQ(kinds(typed), std::vector{FormatIssue::Kind::NestingLimit});
  const Model untyped = readFile("nesting_33_untyped.onnx");
  EXPECT_EQ(untyped.info.wireDepth, 101u);
  EXPECT_EQ(kinds(untyped), std::vector{FormatIssue::Kind::NestingLimit});
  EXPECT_EQ(untyped.nodeCount(), 67u);
}

// What ONNX Runtime builds a type of has an element type.
TEST(OnnxReader, ABranchOutputWithoutAnElementType) {
  const auto reads = [](const std::string &type) {
    const std::string then = graph("t", node("Relu", {"x"}, {"p"}) + output("p", type));
    return kinds(readBytes(model(ifNode("y", then, graph("e", node("Neg", {"x"}, {"q"}) + output("q"))) +
                                 output("y", tensorType(1, {2})))));
  };
  EXPECT_EQ(reads(tensorType(1, {2})), std::vector<FormatIssue::Kind>{});
  EXPECT_EQ(reads(""), std::vector<FormatIssue::Kind>{});
  const std::vector lacks{FormatIssue::Kind::MalformedOrt};
  EXPECT_EQ(reads(tensorType(0, {2})), lacks);
  // So has what a sequence, an optional or a map holds, and a sparse tensor.
  constexpr unsigned sequence = 4, map = 5, sparse = 8, optional = 9;
  const auto holds = [](unsigned kind, const std::string &item) { return field(kind, field(1, item)); };
  for (const unsigned kind : {sequence, optional}) {
    EXPECT_EQ(reads(holds(kind, tensorType(1, {2}))), std::vector<FormatIssue::Kind>{}) << kind;
    EXPECT_EQ(reads(holds(kind, tensorType(0, {2}))), lacks) << kind;
    EXPECT_EQ(reads(field(kind, "")), lacks) << kind;
  }
  EXPECT_EQ(reads(field(sparse, "")), lacks);
  EXPECT_EQ(reads(field(map, field(2, tensorType(1, {2})))), lacks);
}

TEST(OnnxReader, ValueInfoWithoutAnElementType) {
  constexpr int infos = 13;
  const auto reads = [](const std::string &type) {
    return kinds(readBytes(model(node("Relu", {"x"}, {"h"}) + node("Relu", {"h"}, {"y"}) +
                                 field(infos, valueInfo("h", type)) + output("y", tensorType(1, {2})))));
  };
  EXPECT_EQ(reads(tensorType(1, {2})), std::vector<FormatIssue::Kind>{});
  EXPECT_EQ(reads(tensorType(0, {2})), std::vector{FormatIssue::Kind::MalformedOrt});
  EXPECT_EQ(reads(tensorType(99, {2})), std::vector{FormatIssue::Kind::Malformed}) << "ONNX has no such type";
  EXPECT_EQ(reads(tensorType(28, {2})), std::vector{FormatIssue::Kind::MalformedNote}) << "it has, since 1.23";
}

TEST(OnnxReader, AKeyOfTheMetadataHasOneValue) {
  const auto entry = [](std::string_view key, std::string_view value) {
    return field(14, field(1, key) + field(2, value));
  };
  const auto with = [](const std::string &entries) { return kinds(readBytes(model("", 8, 17, entries))); };
  EXPECT_EQ(with(entry("k", "1") + entry("l", "1")), std::vector<FormatIssue::Kind>{});
  EXPECT_EQ(with(entry("k", "1") + entry("k", "1")), std::vector{FormatIssue::Kind::MalformedNote});
}

} // namespace
