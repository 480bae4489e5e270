//===- JsonReaderTest.cpp - Graph JSON: reading, writing, errors ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonSamples.h"
#include "condlint/Conditional.h"
#include "condlint/Print.h"
#include <algorithm>

namespace condlint {
namespace {

using test::errorOf;
using test::readText;

std::string model(const std::string &graph, const std::string &dialect = "onnx") {
  return R"({"condlint": "graph-1", "dialect": ")" + dialect + R"(", "graph": )" + graph + "}";
}

class JsonRoundTripTest : public testing::TestWithParam<test::JsonSample> {};

TEST_P(JsonRoundTripTest, WhatIsWrittenReadsAsTheSame) {
  const std::string first = writeJson(readText(GetParam().text)[0]);
  const std::string second = writeJson(readText(first)[0]);
  EXPECT_EQ(second, first);
  EXPECT_FALSE(printModel(readText(first)[0]).empty());
  EXPECT_EQ(printModel(readText(first)[0]), printModel(readText(GetParam().text)[0]));
}

INSTANTIATE_TEST_SUITE_P(Samples, JsonRoundTripTest, testing::ValuesIn(test::jsonSamples),
                         [](const auto &x) { return std::string(x.param.name); });

const test::JsonSample &sample(const std::string &name) {
  return *std::find_if(test::jsonSamples.begin(), test::jsonSamples.end(),
                       [&](const auto &s) { return s.name == name; });
}

TEST(JsonReaderTest, ReadsEveryAttribute) {
  const auto models = readText(sample("EveryAttribute").text);
  const Model &m = models[0];
  const NodeId n = m[m.main()].firstNode;
  const auto get = [&](std::string_view name) { return *m.attribute(n, name); };
  EXPECT_EQ(get("none").kind, AttributeKind::None);
  EXPECT_EQ(get("bool").number, 0);
  EXPECT_EQ(get("int").number, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(get("float").real, 0.1);
  EXPECT_NE(get("nan").real, get("nan").real);
  EXPECT_EQ(get("inf").real, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(m.text(get("string").text), std::string_view("a \"quoted\" \0 text", 17));
  EXPECT_EQ(get("dtype").number, static_cast<std::int64_t>(DType::Float8E5M2));
  EXPECT_EQ(get("layout").number, static_cast<std::int64_t>(Layout::SparseCsr));
  EXPECT_EQ(get("format").number, 2);
  EXPECT_EQ(m.text(get("device").text), "cuda");
  EXPECT_EQ(get("device").number, 1);
  EXPECT_EQ(get("cpu").number, -1);
  EXPECT_EQ(m.reals(get("complex").list)[1], -2);
  EXPECT_EQ(m.ints(get("bools").list)[0], 1);
  EXPECT_EQ(m.ints(get("ints").list).size(), 3u);
  EXPECT_EQ(m.text(m.stringsIn(get("strings").list)[1]), "b");
  EXPECT_EQ(m.dims.str(m.dimsIn(get("dims").list)[0]), "s0");
  EXPECT_FALSE(m.dimsIn(get("dims").list)[2].known());
  const Constant &t = m[ConstantId(get("tensor").list.first)];
  EXPECT_EQ(m.text(t.name), "t");
  EXPECT_EQ(m.ints(t.ints)[1], 4);
  ASSERT_EQ(get("tensors").list.count, 2u);
  EXPECT_EQ(m[ConstantId(get("tensors").list.first)].bytes, "\x01\x02\xff");
  EXPECT_EQ(m[ConstantId(get("tensors").list.first + 1)].bytes, "\x01\x02");
  EXPECT_EQ(m.types[m.types[TypeId(get("type").list.first)].item].element, DType::Float32);
  EXPECT_EQ(get("operand").list.first, 1u); // after the one behind the symbolic integer
  const Attribute list = m.attributes(n)[24];
  EXPECT_EQ(list.kind, AttributeKind::Operands);
  EXPECT_EQ(list.list.first, 2u);
  ASSERT_EQ(m.operands(n).size(), 8u);
  EXPECT_FALSE(m.operands(n)[3].valid());
  const ValueId seven = m.operands(n)[4];
  EXPECT_EQ(m[seven].origin, ValueOrigin::Constant);
  EXPECT_EQ(m.dims.asConstant(m.content(m[seven].content)[0]), 7);
  EXPECT_EQ(m.type(m.operands(n)[6]).kind, ValueKind::None);
  EXPECT_TRUE(get("opaque").text.valid());
  EXPECT_FALSE(get("unread").text.valid());
  const Constant &weight = m[m[m.operands(n)[0]].constant];
  EXPECT_EQ(m.text(weight.name), "x");
  EXPECT_EQ(weight.offset, 64u);
}

TEST(JsonReaderTest, ReadsTypesShortAndLong) {
  const auto models = readText(sample("EveryType").text);
  const Model &m = models[0];
  const Graph &g = m[m.main()];
  const auto type = [&](std::uint32_t i) { return m.type(ValueId(g.parameters.first + i)); };
  const Type a = type(0);
  EXPECT_EQ(m.dims.str(a.dims[3]), "2*s0 + 1");
  EXPECT_FALSE(a.dims[2].known());
  EXPECT_EQ(m.dims.str(a.storageOffset), "u0 % 3");
  EXPECT_EQ(a.requiresGrad, Tri::Yes);
  EXPECT_EQ(a.conjugate, Tri::No);
  EXPECT_EQ(a.deviceIndex, 0);
  EXPECT_EQ(m.dims.boundsOf(a.dims[0]), (Interval{2, 16}));
  EXPECT_FALSE(type(1).hasRank);
  EXPECT_EQ(type(2).element, DType::Unknown);
  ASSERT_EQ(type(2).dims.size(), 2u);
  EXPECT_EQ(m.dims.str(type(2).dims[1]), "'odd, name'//2");
  EXPECT_EQ(m.types[m.types[type(3).item].item].rank(), 0u);
  EXPECT_EQ(type(4).kind, ValueKind::Unknown);
  EXPECT_EQ(m.dims.boundsOf(m.content(m[ValueId(g.parameters.first + 5)].content)[0]).min, 2);
  EXPECT_EQ(m[ValueId(g.parameters.first + 1)].role, ParameterRole::Buffer);
  EXPECT_TRUE(m.dims.mentions(a.storageOffset, SymbolOrigin::Unbacked));
  EXPECT_EQ(type(9).element, DType::Float16); // what was inferred
  EXPECT_TRUE(m[ValueId(g.parameters.first + 9)].contradicted);
  EXPECT_EQ(m.text(m.stringsIn(g.resultRoles)[0]), "buffer_mutation:b");
}

TEST(JsonReaderTest, ReadsConditionals) {
  const auto torch = readText(sample("CondOfTorch").text);
  auto all = conditionals(torch[0]);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].predicateKind, PredicateKind::Value);
  ASSERT_TRUE(all[0].hasBothBranches());
  EXPECT_EQ(all[0].branches[0].name, "true_graph_0");
  EXPECT_EQ(all[0].operands.size(), 1u);
  EXPECT_EQ(torch[0].location(all[0].node).str(), "model.py:12:3");
  EXPECT_EQ(torch[0].info.format, Format::Pt2);
  EXPECT_EQ(torch[0].info.schemaMinor, 20);

  const auto onnx = readText(sample("IfOfOnnx").text);
  all = conditionals(onnx[0]);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_TRUE(all[0].hasBothBranches());
  EXPECT_EQ(onnx[0].path(all[0].branches[0].graph), "main/If_0/then_branch");
  EXPECT_EQ(onnx[0].path(all[0].branches[1].graph), "main/If_0/another");
  const NodeId add = onnx[0][all[0].branches[0].graph].firstNode;
  EXPECT_EQ(onnx[0][onnx[0].operands(add)[0]].graph, onnx[0].main()); // a capture
  EXPECT_EQ(onnx[0][onnx[0][add].op].version, 20);
  EXPECT_EQ(onnx[0][onnx[0][onnx[0][add].next].op].version, 1);
  EXPECT_TRUE(onnx[0].issues.empty());
}

TEST(JsonReaderTest, ReadsWhatStandsInSource) {
  std::vector<Model> models = test::readText(test::jsonSamples[0].text);
  const Model &m = models[0];
  ASSERT_EQ(m.functionCount(), 1u);
  EXPECT_TRUE(m.info.otherDefaultFloat);
  const GraphId root = m[FunctionId(0)].body;
  const ValueId x(m[root].parameters.first + 1);
  const ValueId w(m[root].parameters.first + 2);
  EXPECT_EQ(m.type(x).element, DType::Unknown);
  EXPECT_EQ(m.type(x).possible(), (DTypeSet{DType::Int32, DType::Int64}));
  EXPECT_EQ(m.type(w).possible(), (DTypeSet{DType::Float16, DType::Float32}));
  const NodeId cond = m[root].firstNode;
  EXPECT_EQ(m.path(cond), "ns::f/cond@7:3");
  EXPECT_EQ(m.location(*m.attribute(cond, "predicate_at")).str(), "m.cpp:7:9");
  const auto calls = m.locationsIn(m.attribute(cond, "calls")->list);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[1].str(), "n.cpp:4");
  const Conditional c = conditionalAt(m, cond);
  EXPECT_EQ(c.branches[1].problem, Branch::Problem::Misplaced);
  EXPECT_EQ(c.branches[1].instead.kind, AttributeKind::None);
  EXPECT_EQ(c.operands.size(), 1u);
  EXPECT_EQ(c.extraInputs, 0u);
  const GraphId yes = c.branches[0].graph;
  EXPECT_EQ(m.location(yes).str(), "m.cpp:8:5");
  EXPECT_EQ(m.path(m[yes].firstNode), "ns::f/cond@7:3/true/r");
  const auto captures = m.captures(yes);
  ASSERT_EQ(captures.size(), 3u);
  EXPECT_EQ(m.text(captures[0].name), "w");
  EXPECT_EQ(captures[0].kind, CaptureKind::Reference);
  EXPECT_EQ(captures[0].variable, 3);
  EXPECT_EQ(captures[0].value, w);
  EXPECT_EQ(m.location(captures[0].firstUse).str(), "m.cpp:9:12");
  EXPECT_EQ(m.locationsIn(captures[0].calls).size(), 1u);
  EXPECT_EQ(captures[1].kind, CaptureKind::This);
  EXPECT_TRUE(captures[1].varies);
  EXPECT_EQ(captures[2].content, CaptureContent::FloatItem);
  const std::string printed = printModel(m);
  EXPECT_NE(printed.find("{int32, int64}[2]"), std::string::npos) << printed;
  EXPECT_NE(printed.find("reads [w (reference, tensor), n (this, scalar, varies), peak (value, float_item)]"),
            std::string::npos)
      << printed;
}

TEST(JsonReaderTest, LinksCallsToFunctions) {
  const auto models = readText(sample("Functions").text);
  const Model &m = models[0];
  const NodeId call = m[m.main()].firstNode;
  ASSERT_TRUE(m[call].callee.valid());
  EXPECT_EQ(m.path(m[call].callee), "local.F");
  const NodeId relu = m[m[call].callee].firstNode;
  EXPECT_EQ(m[m[relu].op].version, 17);
  EXPECT_EQ(m.path(m[m[relu].next].callee), "local.G");
  EXPECT_EQ(m.attributesIn(m[FunctionId(0)].defaults)[0].real, 2);
}

TEST(JsonReaderTest, AFunctionThatCallsItselfHasNoBodyThere) {
  const auto models = readText(R"({"condlint": "graph-1", "dialect": "onnx", "functions": [
    {"name": "F", "graph": {"nodes": [{"op": "G"}]}}, {"name": "G", "graph": {"nodes": [{"op": "F"}, {"op": "G"}]}}]})");
  const Model &m = models[0];
  ASSERT_EQ(m.issues.size(), 2u);
  EXPECT_EQ(m.issues[0].kind, FormatIssue::Kind::Malformed);
  EXPECT_TRUE(m[NodeId(0)].callee.valid());
  EXPECT_FALSE(m[NodeId(1)].callee.valid());
  EXPECT_FALSE(m[NodeId(2)].callee.valid());
}

TEST(JsonReaderTest, NamesReachAsFarAsTheDialectSays) {
  const std::string graph = R"({"parameters": [{"name": "x"}], "nodes": [{"op": "a.n", "attributes": [
    {"name": "r", "region": {"nodes": [{"op": "a.m", "operands": ["x"], "results": ["x"]}], "results": ["x"]}}]}], "results": []})";
  const auto onnx = readText(model(graph)), torch = readText(model(graph, "torch"));
  ASSERT_EQ(onnx[0].issues.size(), 1u);
  EXPECT_EQ(onnx[0].issues[0].kind, FormatIssue::Kind::Shadowed);
  EXPECT_EQ(onnx[0].issues[0].place, "/graph/nodes/0/attributes/0/region/nodes/0/results/0");
  EXPECT_TRUE(torch[0].issues.empty()); // each graph has names of its own
  // What a closed graph reads from outside is found all the same, out of reach.
  const auto open = readText(model(R"({"parameters": [{"name": "x"}], "nodes": [
    {"op": "a.n", "attributes": [{"region": {"results": ["x"]}}]}]})",
                                   "torch"));
  EXPECT_EQ(open[0].results(GraphId(1))[0], ValueId(0));
}

TEST(JsonReaderTest, FindsNamesDefinedTwice) {
  const auto models = readText(model(R"({"parameters": [{"name": "x"}, {"name": "x"}], "constants": [{"name": "c"}],
    "nodes": [{"op": "If", "attributes": [{"name": "then_branch", "region": {"constants": [{"name": "c"}]}}]}]})"));
  ASSERT_EQ(models[0].issues.size(), 2u);
  EXPECT_EQ(models[0].issues[0].kind, FormatIssue::Kind::Redefined);
  EXPECT_EQ(models[0].issues[0].value, ValueId(1));
  EXPECT_EQ(models[0].issues[1].kind, FormatIssue::Kind::ShadowedUnread);
}

TEST(JsonReaderTest, AnInitializerThatHidesWhatTheOtherBranchReads) {
  const auto with = [](const std::string &other) {
    return readText(model(R"({"parameters": [{"name": "k"}, {"name": "x"}], "nodes": [{"op": "If", "attributes": [
      {"name": "then_branch", "region": {"constants": [{"name": "k"}], "nodes": [{"op": "Neg", "operands": ["k"],
        "results": ["a"]}], "results": ["a"]}},
      {"name": "else_branch", "region": {"nodes": [{"op": "Neg", "operands": [")" +
                          other + R"("], "results": ["b"]}], "results": ["b"]}}]}]})"));
  };
  const auto outer = with("k"), none = with("x");
  ASSERT_EQ(outer[0].issues.size(), 1u);
  EXPECT_EQ(outer[0].issues[0].kind, FormatIssue::Kind::ShadowedConstant);
  EXPECT_EQ(outer[0].passedInstead(outer[0].issues[0].value), ValueId(0));
  ASSERT_EQ(none[0].issues.size(), 1u);
  EXPECT_EQ(none[0].issues[0].kind, FormatIssue::Kind::ShadowedUnread);
}

TEST(JsonReaderTest, TakesListedIssuesAtTheirWord) {
  const auto models = readText(sample("Issues").text);
  const Model &m = models[0];
  ASSERT_EQ(m.issues.size(), 3u);
  EXPECT_EQ(m.issues[0].graph, m.main());
  EXPECT_EQ(m.name(m.issues[0].value), "x");
  EXPECT_EQ(m.issues[0].value, ValueId(1));
  EXPECT_EQ(m.issues[1].node, NodeId(0));
  EXPECT_EQ(m.issues[2].kind, FormatIssue::Kind::NestingLimit);
}

TEST(JsonReaderTest, ResolvesWhatIsOutOfReach) {
  const auto models = readText(sample("RefersAnywhere").text);
  const Model &m = models[0];
  const auto early = m.operands(NodeId(0));
  EXPECT_EQ(m[early[0]].def, NodeId(1));
  EXPECT_EQ(m[early[1]].def, NodeId(3)); // later in the same graph
  EXPECT_EQ(m[early[2]].origin, ValueOrigin::Undefined);
  EXPECT_EQ(m.operands(NodeId(3))[0], m.operands(NodeId(3))[1]); // inside a branch, by number and by name
}

TEST(JsonReaderTest, SeveralModelsInOneFile) {
  const std::string one = model("{}");
  EXPECT_EQ(readText("[" + one + ", " + one + "]").size(), 2u);
  EXPECT_EQ(errorOf("[]"), ": expected at least one model");
}

TEST(JsonReaderTest, NamesNodesThatHaveNoName) {
  const auto onnx = readText(model(R"({"nodes": [{"op": "A"}, {"op": "d::B", "results": ["y"]}]})"));
  EXPECT_EQ(onnx[0].path(NodeId(0)), "main/A_0");
  EXPECT_EQ(onnx[0].path(NodeId(1)), "main/B_1");
  const auto torch = readText(model(R"({"nodes": [{"op": "a.b.c", "results": ["y"]}, {"op": "a.b"}]})", "torch"));
  EXPECT_EQ(torch[0].path(NodeId(0)), "main/y");
  EXPECT_EQ(torch[0].path(NodeId(1)), "main/target_1");
  EXPECT_EQ(torch[0].text(torch[0][torch[0][NodeId(0)].op].overload), "c");
}

TEST(JsonReaderTest, NestingIsBounded) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += R"({"nodes": [{"op": "If", "attributes": [{"name": "b", "region": )";
  text += "{}";
  for (int i = 0; i < 300; ++i)
    text += "}]}]}";
  const auto models = readText(model(text));
  ASSERT_EQ(models[0].issues.size(), 1u);
  EXPECT_EQ(models[0].issues[0].kind, FormatIssue::Kind::TooDeep);
  EXPECT_EQ(models[0].graphCount(), 258u);
  const std::string once = writeJson(models[0]);
  EXPECT_EQ(writeJson(readText(once)[0]), once);
  EXPECT_EQ(errorOf(std::string(2'000'000, '[')).substr(0, 12), "byte 2000001");
}

TEST(JsonReaderTest, DeepObjectsCostWhatTheyHold) {
  // Members after a deep one must not copy it.
  std::string text = "1";
  constexpr int depth = 200'000;
  std::string open, close;
  for (int i = 0; i < depth; ++i) {
    open += R"({"a":)";
    close += R"(,"b":1})";
  }
  EXPECT_EQ(errorOf(open + text + close), "at /a: unknown key");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"name": )" + open + text + close + "}}"),
            "at /graph/name: expected a string, found an object");
}

TEST(JsonReaderTest, ThousandsOfSymbolsAreWrittenAtOnce) {
  std::string parameters;
  for (int i = 0; i < 20'000; ++i)
    parameters += (i == 0 ? "" : ",") + ("{\"type\": \"float32[s" + std::to_string(i)) + "]\"}";
  const std::string once = writeJson(readText(model("{\"parameters\": [" + parameters + "]}"))[0]);
  EXPECT_EQ(writeJson(readText(once)[0]), once);
}

TEST(JsonReaderTest, LongListsAreReadOneByOne) {
  // Elements of one token and of many, and members behind long ones.
  std::string nodes, longList;
  for (int i = 0; i < 1000; ++i)
    longList += (i == 0 ? "" : ",") + std::to_string(i);
  for (int i = 0; i < 2000; ++i)
    nodes += (i == 0 ? "" : ",") + (R"({"op": "A", "operands": [], "attributes": [{"name": "v", "ints": [)" +
                                    (i % 500 == 1 ? longList : "7") + R"(]}], "results": ["r)" + std::to_string(i) +
                                    R"("], "name": "n)" + std::to_string(i) + "\"}");
  const auto models = readText(model("{\"nodes\": [" + nodes + R"(], "results": ["r1999"], "name": "g"})"));
  const Model &m = models[0];
  ASSERT_EQ(m.nodeCount(), 2000u);
  EXPECT_EQ(m.text(m[m.main()].name), "g");
  EXPECT_EQ(m.text(m[NodeId(1501)].name), "n1501");
  EXPECT_EQ(m.ints(m.attribute(NodeId(1501), "v")->list).back(), 999);
  EXPECT_EQ(m.ints(m.attribute(NodeId(1502), "v")->list).size(), 1u);
}

TEST(JsonReaderTest, SpellingsOfTheSame) {
  const auto models = readText("\xEF\xBB\xBF" + model(R"({"n\u0061me": "a\/\ud83d\ude00", "nodes": [{"op": "A",
      "attributes": [{"float": -1e-999}, {"float": 1E2}, {"float": 18446744073709551616}, {"int": -0}]}]})"));
  const Model &m = models[0];
  EXPECT_EQ(m.text(m[m.main()].name), "a/\xF0\x9F\x98\x80");
  const auto attributes = m.attributes(NodeId(0));
  EXPECT_EQ(attributes[0].real, 0);
  EXPECT_EQ(attributes[1].real, 100);
  EXPECT_EQ(attributes[2].real, 18446744073709551616.0);
  EXPECT_EQ(attributes[3].number, 0);
}

TEST(JsonErrorTest, WhatIsNoJsonWhereverItStands) {
  EXPECT_EQ(errorOf(model(R"({"name": "a", "n\u0061me": "b"})")), ": the key 'name' stands twice in one object");
  EXPECT_NE(errorOf(model(R"({"name": "\ud800"})")).find("is not JSON"), std::string::npos); // half a character
  EXPECT_NE(errorOf(model(R"({"name": 1e999})")).find("is not JSON"), std::string::npos);
  EXPECT_NE(errorOf(model(R"({"name": 01})")).find("is not JSON"), std::string::npos);
  EXPECT_NE(errorOf(model("{}") + "{}").find("is not JSON"), std::string::npos);
  EXPECT_NE(errorOf(model("{\"name\": \"\x01\"}")).find("is not JSON"), std::string::npos);
  EXPECT_NE(errorOf(model("{\"name\": \"\xFF\"}")).find("is not JSON"), std::string::npos);
  EXPECT_EQ(errorOf(model(R"({"name": 18446744073709551616})")), "at /graph/name: expected a string, found a number");
  EXPECT_EQ(errorOf(model(R"({"name": 18446744073709551615})")), "at /graph/name: expected a string, found an integer");
  // The first of several by name.
  EXPECT_EQ(errorOf(model(R"({"z": 1, "b": 2})")), "at /graph/b: unknown key");
}

TEST(JsonErrorTest, SaysWhereAndWhat) {
  EXPECT_EQ(errorOf(""),
            "byte 1: is not JSON: syntax error while parsing value - unexpected end of input; expected '[', '{', "
            "or a literal")
      << "the wording is the parser's";
  EXPECT_EQ(errorOf("{\"condlint\": 3,").substr(0, 9), "byte 16: ");
  EXPECT_EQ(errorOf("3"), ": expected an object, found an integer");
  EXPECT_EQ(errorOf("{}"), ": the key 'condlint' is missing");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-2"})"), "at /condlint: expected \"graph-1\", found \"graph-2\"");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-1"})"), ": the key 'dialect' is missing");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-1", "dialect": "tf"})"),
            "at /dialect: expected one of 'torch', 'onnx', 'tensorrt', found 'tf'");
  EXPECT_EQ(errorOf(model(R"({"nodes": [{"op": "A", "atributes": []}]})")),
            "at /graph/nodes/0/atributes: unknown key, did you mean 'attributes'?");
  EXPECT_EQ(errorOf(model(R"({"a/b~c": 1})")), "at /graph/a~1b~0c: unknown key");
  EXPECT_EQ(errorOf(model(R"({"nodes": {}})")), "at /graph/nodes: expected an array, found an object");
  EXPECT_EQ(errorOf(model(R"({"nodes": [], "nodes": []})")), ": the key 'nodes' stands twice in one object");
}

TEST(JsonErrorTest, RefusesWhatMeansNothing) {
  const auto graph = [](const std::string &parameters, const std::string &node) {
    return errorOf(model("{\"parameters\": [" + parameters + "], \"nodes\": [" + node + "]}"));
  };
  const auto attribute = [&](const std::string &a) { return graph("", R"({"op": "A", "attributes": [)" + a + "]}"); };
  EXPECT_EQ(graph(R"({"type": "float33[2]"})", ""),
            "at /graph/parameters/0/type: 'float33' is neither an element type nor a kind of value");
  EXPECT_EQ(graph(R"({"type": "float32[2"})", ""), "at /graph/parameters/0/type: expected ']' at the end of the shape");
  EXPECT_EQ(graph(R"({"type": "float32[2,]"})", ""),
            "at /graph/parameters/0/type: expected a number, a name or '(' at character 1 of the size");
  EXPECT_EQ(
      graph(R"({"type": {"shape": [2.5]}})", ""),
      "at /graph/parameters/0/type/shape/0: expected an integer, an expression in a string, or null, found a number");
  EXPECT_EQ(graph(R"({"type": {"shape": ["2 +"]}})", ""),
            "at /graph/parameters/0/type/shape/0: expected a number, a name or '(' at character 4 of the size");
  EXPECT_EQ(graph(R"({"type": {"dtype": "float"}})", ""),
            "at /graph/parameters/0/type/dtype: 'float' is no element type");
  EXPECT_EQ(graph(R"({"id": 1}, {"id": 1})", ""), "at /graph/parameters/1/id: the id is given twice");
  EXPECT_EQ(graph("", R"({"op": "A", "operands": [{"ref": 1}]})"),
            "at /graph/nodes/0/operands/0: no value has the id 1");
  EXPECT_EQ(graph("", R"({"op": "A", "operands": [""]})"),
            "at /graph/nodes/0/operands/0: expected a name; null stands for an absent operand");
  EXPECT_EQ(graph("", "{}"), "at /graph/nodes/0: the key 'op' is missing");
  EXPECT_EQ(attribute("{}"), "at /graph/nodes/0/attributes/0: an attribute has a value; 'none' is one too");
  EXPECT_EQ(attribute(R"({"int": 1, "bool": true})"),
            "at /graph/nodes/0/attributes/0: an attribute has one value, found 'bool' and 'int'");
  EXPECT_EQ(attribute(R"({"int": 1, "index": 1})"), "at /graph/nodes/0/attributes/0/index: belongs to 'device' alone");
  EXPECT_EQ(attribute(R"({"int": 9223372036854775808})"),
            "at /graph/nodes/0/attributes/0/int: expected an integer of 64 bits with sign");
  EXPECT_EQ(attribute(R"({"operandAt": 0})"),
            "at /graph/nodes/0/attributes/0/operandAt: the node has 0 operands so far");
  EXPECT_EQ(attribute(R"({"regionsAt": [0, 1]})"),
            "at /graph/nodes/0/attributes/0/regionsAt: the node has 0 regions so far");
  EXPECT_EQ(attribute(R"({"tensor": {"bytes": "A"}})"),
            "at /graph/nodes/0/attributes/0/tensor/bytes: expected base64 with padding");
  EXPECT_EQ(attribute(R"({"complex": [1]})"),
            "at /graph/nodes/0/attributes/0/complex: expected the real and the imaginary part");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-1", "dialect": "onnx", "symbols": {"a": {"min": 3, "max": 2}}})"),
            "at /symbols/a: expected min to be at most max");
  EXPECT_EQ(errorOf(R"({"condlint": "graph-1", "dialect": "onnx", "functions": [{"name": "F", "graph": {},
    "defaults": [{"operand": "x"}]}]})"),
            "at /functions/0/defaults/0/operand: a default refers to no operands and regions");
}

TEST(JsonErrorTest, EveryTruncationAndCorruptionEnds) {
  for (const test::JsonSample &s : test::jsonSamples) {
    const std::string text = s.text;
    for (std::size_t i = 0; i < text.size(); i += 17)
      EXPECT_NE(errorOf(text.substr(0, i)), "no error") << s.name << " at " << i;
    for (std::size_t i = 0; i < text.size(); i += 13)
      for (const char c : {'0', '"', '[', '\xff'}) {
        std::string broken = text;
        broken[i] = c;
        if (auto models = readJson(FileBytes::copy(broken), "test.json")) {
          printModel((*models)[0]);
          writeJson((*models)[0]);
        }
      }
  }
}

TEST(PrintTest, ADocumentedExampleIsPrintedAsDocumented) {
  const std::string page = test::fileText(CONDLINT_SOURCE_DIR "/docs/graph-json.md");
  const std::size_t start = page.find("```\n# json graph") + 4;
  const std::string printed = page.substr(start, page.find("```", start) - start);
  EXPECT_EQ(printModel(readText(test::documentedExample())[0]), printed);
}

TEST(PrintTest, ShowsCapturesAndWhatIsOutOfReach) {
  const std::string text = printModel(readText(sample("IfOfOnnx").text)[0]);
  EXPECT_NE(text.find("then_branch() captures [%x, %w, %k]"), std::string::npos) << text;
  EXPECT_NE(text.find("%w: float32[1000] = constant <float32[1000] 4000 bytes in weights.bin>"), std::string::npos)
      << text;
  EXPECT_NE(text.find("Old(%a, -, %k)"), std::string::npos) << text;
  const std::string leaks = printModel(readText(sample("RefersAnywhere").text)[0]);
  EXPECT_NE(leaks.find("Late(%inside<in main/If_1/then_branch>"), std::string::npos) << leaks;
  EXPECT_NE(leaks.find("%nowhere<undefined>"), std::string::npos) << leaks;
}

TEST(PrintTest, NamesCannotDisturbATerminal) {
  const std::string text = printModel(readText(sample("HostileNames").text)[0]);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_NE(text.find(R"(%'a\xffb\x80')"), std::string::npos) << text;
}

} // namespace
} // namespace condlint
