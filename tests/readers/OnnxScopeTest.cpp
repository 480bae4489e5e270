//===- OnnxScopeTest.cpp - Names, scopes and functions ----------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxBytes.h"
#include "condlint/Op.h"
#include "condlint/Print.h"
#include "ops/OnnxOpset.h"

using namespace condlint;
using namespace condlint::testing;

namespace {

using Kind = FormatIssue::Kind;
const std::string f2 = tensorType(1, {2});

std::string scalar(std::string_view name) {
  return field(5, join({field(2, 1), field(8, name), field(9, std::string_view("\0\0\0\0", 4))}));
}
std::string relu(std::string_view in, std::string_view out) { return node("Relu", {in}, {out}); }

ValueId operandOf(const Model &m, std::string_view path, std::size_t i = 0) { return m.operands(nodeAt(m, path))[i]; }

/// float[...] of as many numbers, and of sizes with names.
std::string sizedTensor(std::string_view name, std::int64_t size) {
  return field(5, join({field(1, size), field(2, 1), field(8, name),
                        field(9, std::string(static_cast<std::size_t>(size) * 4, '\0'))}));
}
std::string namedType(std::initializer_list<std::string_view> names) {
  std::string shape;
  for (const std::string_view n : names)
    shape += field(1, field(2, n));
  return field(1, field(1, 1) + field(2, shape));
}
std::string inputTypes(const std::string &rest) {
  const Model m = readBytes(model(rest));
  std::string types;
  for (std::uint32_t i = 2; i < m[m.main()].parameters.count; ++i)
    types += spelled(m, m[ValueId(m[m.main()].parameters.first + i)].recorded) + " ";
  return types;
}

TEST(OnnxScope, NamesAreToldApartByAllTheirBytes) {
  // Of one length, and alike in their first and last eight bytes; and short ones, of which these are all.
  const std::string_view names[] = {"encoder.layer.1.out",
                                    "encoder.layer.2.out",
                                    "abcdefgh12345678",
                                    "abcdefgh1234567",
                                    "abcdefg",
                                    "abcdefh",
                                    "a",
                                    "b"};
  std::string nodes;
  for (const std::string_view name : names)
    nodes += relu("x", name);
  for (const std::string_view name : names)
    nodes += relu(name, std::string("of_") + std::string(name));
  const Model m = readBytes(model(input("x", f2) + nodes));
  std::uint32_t i = 0;
  for (const std::string_view name : names)
    EXPECT_EQ(m.name(m.operands(NodeId(static_cast<std::uint32_t>(std::size(names)) + i++))[0]), name);
}

TEST(OnnxScope, ADefaultNeedNotHaveTheSizeOfAnInputThatNamesTheSame) {
  const std::string n = namedType({"N"}), w = sizedTensor("w", 3);
  EXPECT_EQ(inputTypes(input("v", n) + input("w", n) + w), "float32[N] float32[w.0] ");
  // Two defaults that part; two that are alike, and one that nobody shares its name with.
  EXPECT_EQ(inputTypes(input("v", n) + input("w", n) + sizedTensor("v", 2) + w), "float32[v.0] float32[w.0] ");
  EXPECT_EQ(inputTypes(input("v", n) + input("w", n) + sizedTensor("v", 3) + w), "float32[N] float32[N] ");
  EXPECT_EQ(inputTypes(input("w", n) + w), "float32[N] ");
  EXPECT_EQ(inputTypes(input("v", namedType({"M"})) + input("w", n) + w), "float32[M] float32[N] ");
  // An expression of the name, and a size that is said.
  EXPECT_EQ(inputTypes(input("v", n) + input("w", namedType({"N + 1"})) + w), "float32[N] float32[w.0] ");
  EXPECT_EQ(inputTypes(input("v", n) + input("w", tensorType(1, {3})) + w), "float32[N] float32[3] ");
}

TEST(OnnxScope, InnerGraphsSeeWhatIsDefinedBeforeTheirNode) {
  const Model m = readBytes(model(join(
      {relu("x", "h"), ifNode("y", graph("t", relu("h", "a") + output("a")), graph("e", relu("x", "a") + output("a"))),
       output("y", f2)})));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(operandOf(m, "main/If_1/then_branch/Relu_0"), m.result(nodeAt(m, "main/Relu_0"), 0));
}

TEST(OnnxScope, AnOpsetWithoutOperatorsIsToldOnce) {
  const auto issues = [](std::int64_t opset) {
    return readBytes(model(join({ifNode("y", graph("t", relu("x", "a") + output("a")),
                                        graph("e", node("Neg", {"x"}, {"b"}) + output("b"))),
                                 output("y", f2)}),
                           8, opset))
        .issues;
  };
  for (const std::int64_t opset : {0, -1}) {
    const std::vector<FormatIssue> found = issues(opset);
    ASSERT_EQ(found.size(), 1u) << opset;
    EXPECT_EQ(found[0].kind, Kind::Malformed);
    EXPECT_EQ(found[0].message, "the model imports opset " + std::to_string(opset) +
                                    ", in which no operator exists (and 2 more such nodes)");
  }
  EXPECT_TRUE(issues(1).empty());
}

TEST(OnnxScope, ADomainThatIsNotImportedIsOfTheVersionThatOnnxRuntimeTakes) {
  const auto versionOf = [](std::string_view domain, const std::string &imports) {
    const Model m = readBytes(field(1, 8) + imports +
                              field(7, graph("g", input("x", f2) + node("Abs", {"x"}, {"y"}, field(7, domain)))));
    return std::pair(m[m[NodeId(0)].op].version, m.issues.size());
  };
  const std::string other = field(8, field(1, "d") + field(2, 1));
  EXPECT_EQ(versionOf("", other), std::pair(28, std::size_t{0})) << "a rule says that it is not imported";
  EXPECT_EQ(versionOf("com.microsoft", other), std::pair(1, std::size_t{0}));
  EXPECT_EQ(versionOf("com.example", other), std::pair(-1, std::size_t{1}));
  EXPECT_EQ(versionOf("", ""), std::pair(-1, std::size_t{1})) << "nothing is imported at all";
}

TEST(OnnxScope, TheNodesOwnResultsAndLaterNamesAreFreeInside) {
  const Model m = readBytes(model(
      join({ifNode("y", graph("t", relu("x", "y") + output("y")), graph("e", relu("x", "later") + output("later"))),
            relu("y", "later"), output("later", f2)})));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(operandOf(m, "main/Relu_1"), m.result(nodeAt(m, "main/If_0"), 0));
}

TEST(OnnxScope, ALaterValueIsLinkedButOutOfReach) {
  const Model m = readBytes(
      model(join({ifNode("y", graph("t", relu("later", "a") + output("a")), graph("e", relu("x", "b") + output("b"))),
                  relu("x", "later"), output("y", f2)})));
  EXPECT_EQ(operandOf(m, "main/If_0/then_branch/Relu_0"), m.result(nodeAt(m, "main/Relu_1"), 0));
}

TEST(OnnxScope, AValueInsideABranchIsLinked) {
  const Model m = readBytes(
      model(join({ifNode("y", graph("t", relu("x", "a") + output("a")), graph("e", relu("x", "b") + output("b"))),
                  relu("a", "z"), output("z", f2)})));
  EXPECT_EQ(operandOf(m, "main/Relu_1"), m.result(nodeAt(m, "main/If_0/then_branch/Relu_0"), 0));
}

TEST(OnnxScope, ThePredicateMayBeTheIfItself) {
  const Model m = readBytes(model(node("If", {"y"}, {"y"},
                                       branch("then_branch", graph("t", relu("x", "a") + output("a"))) +
                                           branch("else_branch", graph("e", relu("x", "b") + output("b"))))));
  EXPECT_EQ(operandOf(m, "main/If_0"), m.result(nodeAt(m, "main/If_0"), 0));
}

TEST(OnnxScope, ANameThatNothingDefines) {
  const Model m = readBytes(model(relu("nowhere", "y") + relu("nowhere", "z")));
  const ValueId v = operandOf(m, "main/Relu_0");
  EXPECT_EQ(m[v].origin, ValueOrigin::Undefined);
  EXPECT_EQ(m.name(v), "nowhere");
  EXPECT_EQ(operandOf(m, "main/Relu_1"), v);
}

TEST(OnnxScope, TheEmptyNameIsAbsent) {
  const Model m = readBytes(model(node("Clip", {"x", "", "x"}, {"y", "", ""})));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_FALSE(operandOf(m, "main/Clip_0", 1).valid());
  EXPECT_EQ(m.resultCount(NodeId(0)), 3u);
}

TEST(OnnxScope, ABranchMayReturnAnOuterValue) {
  const Model m = readBytes(
      model(ifNode("y", graph("t", output("x", tensorType(7, {9}))), graph("e", relu("x", "b") + output("b")))));
  const GraphId t = m.regions(NodeId(0))[0];
  ASSERT_EQ(m.results(t).size(), 1u);
  EXPECT_EQ(m[m.results(t)[0]].origin, ValueOrigin::Parameter);
  // What the branch says of it is not about the outer value.
  EXPECT_EQ(spelled(m, m[m.results(t)[0]].recorded), "float32[2]");
  EXPECT_TRUE(m.issues.empty()) << messages(m);
}

TEST(OnnxScope, DefinedTwiceInOneGraph) {
  EXPECT_EQ(kinds(readBytes(model(relu("x", "y") + relu("x", "y")))), std::vector{Kind::Redefined});
  EXPECT_EQ(kinds(readBytes(model(relu("x", "x")))), std::vector{Kind::Redefined});
  EXPECT_EQ(kinds(readBytes(model(scalar("w") + scalar("w")))), std::vector{Kind::RedefinedConstant});
  const std::string twice = scalar("w") + scalar("w");
  EXPECT_EQ(kinds(readBytes(model(ifNode("y", graph("t", twice + relu("w", "a") + output("a")),
                                         graph("e", relu("x", "b") + output("b")))))),
            std::vector{Kind::Redefined});
  EXPECT_EQ(kinds(readBytes(model(scalar("w") + relu("x", "w")))), std::vector{Kind::Redefined});
  // An input that has an initializer is one of the initializers to ONNX Runtime.
  const std::string inputs = input("w", tensorType(1, {})) + input("w", tensorType(1, {}));
  EXPECT_EQ(kinds(readBytes(model(inputs + relu("w", "y")))), std::vector{Kind::Redefined});
  EXPECT_EQ(kinds(readBytes(model(inputs + scalar("w") + relu("w", "y")))), std::vector{Kind::RedefinedConstant});
  EXPECT_EQ(kinds(readBytes(model(node("Split", {"x"}, {"y", "y"})))), std::vector{Kind::Redefined});
}

TEST(OnnxScope, ShadowingAnOuterName) {
  const auto inBranch = [](const std::string &inside) {
    return kinds(readBytes(model(relu("x", "h") + scalar("w") +
                                 ifNode("y", graph("t", inside), graph("e", relu("x", "b") + output("b"))))));
  };
  EXPECT_EQ(inBranch(relu("x", "h") + output("h")), std::vector{Kind::Shadowed});
  EXPECT_EQ(inBranch(relu("x", "w") + output("w")), std::vector{Kind::Shadowed});
  EXPECT_EQ(inBranch(scalar("w") + output("w")), std::vector{Kind::ShadowedUnread});
  EXPECT_EQ(inBranch(input("h", f2) + output("h")), std::vector{Kind::Shadowed});
  EXPECT_TRUE(inBranch(relu("x", "b") + output("b")).empty()); // a sibling's name
}

/// ONNX Runtime passes an If what one of its branches reads, and each takes what has a name that it knows.
TEST(OnnxScope, AnInitializerThatHidesWhatTheOtherBranchReads) {
  const std::string hides = graph("t", scalar("h") + relu("h", "a") + output("a"));
  const auto with = [](const std::string &first, const std::string &second) {
    return readBytes(model(relu("x", "h") + ifNode("y", first, second)));
  };
  const std::string reads = graph("e", relu("h", "b") + output("b"));
  for (const bool isFirst : {true, false}) {
    const Model m = isFirst ? with(hides, reads) : with(reads, hides);
    ASSERT_EQ(kinds(m), std::vector{Kind::ShadowedConstant});
    const ValueId inner = m.issues[0].value;
    EXPECT_EQ(m.passedInstead(inner), m.result(nodeAt(m, "main/Relu_0"), 0));
  }
  EXPECT_EQ(kinds(with(hides, graph("e", relu("x", "b") + output("b")))), std::vector{Kind::ShadowedUnread});
  // Only nodes take what is passed; what a branch returns is its own.
  EXPECT_EQ(kinds(with(graph("t", scalar("h") + output("h")), reads)), std::vector{Kind::ShadowedUnread});
  const std::string deep = graph("e", ifNode("b", reads, graph("n", relu("x", "n") + output("n"))) + output("b"));
  EXPECT_EQ(kinds(with(hides, deep)), std::vector{Kind::ShadowedConstant});
  // The same number on both sides.
  const std::string same = scalar("w") + ifNode("y", graph("t", scalar("w") + relu("w", "a") + output("a")),
                                                graph("e", relu("w", "b") + output("b")));
  EXPECT_EQ(kinds(readBytes(model(same))), std::vector{Kind::ShadowedUnread});
}

TEST(OnnxScope, TwoNodesOfOneName) {
  const auto named = [](std::string_view name) { return field(3, name); };
  EXPECT_EQ(kinds(readBytes(model(node("Relu", {"x"}, {"a"}, named("n")) + node("Neg", {"x"}, {"b"}, named("n"))))),
            std::vector{Kind::MalformedOrt});
  // Constants are initializers when ONNX Runtime looks at names.
  EXPECT_TRUE(readBytes(model(node("Constant", {}, {"a"}, named("n")) + node("Constant", {}, {"b"}, named("n"))))
                  .issues.empty());
  // One in the main graph, one in each branch: three scopes.
  const std::string inner = graph("t", node("Relu", {"x"}, {"a"}, named("n")) + output("a"));
  EXPECT_TRUE(readBytes(model(node("Relu", {"x"}, {"h"}, named("n")) + ifNode("y", inner, inner))).issues.empty());
  // And twice in the main graph with the If between.
  EXPECT_EQ(kinds(readBytes(model(node("Relu", {"x"}, {"h"}, named("n")) + ifNode("y", inner, inner) +
                                  node("Relu", {"x"}, {"k"}, named("n"))))),
            std::vector{Kind::MalformedOrt});
}

TEST(OnnxScope, WhatASubgraphYieldsHasAName) {
  const std::string inner = graph("t", relu("x", "a") + relu("x", "b") + output("a") + output("b"));
  const auto yielding = [&](std::initializer_list<std::string_view> names) {
    return kinds(
        readBytes(model(node("If", {"c"}, names, branch("then_branch", inner) + branch("else_branch", inner)))));
  };
  EXPECT_TRUE(yielding({"y", "z"}).empty());
  EXPECT_EQ(yielding({"y", ""}), std::vector{Kind::MalformedOrt});
  EXPECT_EQ(yielding({"", "y"}), std::vector{Kind::MalformedOrt});
  // Any other operator may leave an output out that its schema lets out.
  EXPECT_TRUE(kinds(readBytes(model(node("Dropout", {"x"}, {"y", ""})))).empty());
  EXPECT_TRUE(kinds(readBytes(model(node("Split", {"x"}, {"", "y"})))).empty());
  EXPECT_EQ(kinds(readBytes(model(node("TopK", {"x", "k"}, {"y", ""}) + scalar("k")))), std::vector{Kind::Malformed});
}

/// The checker and ONNX Runtime refuse a type without elements at the model's borders.
TEST(OnnxScope, InputsAndOutputsOfTheModelHaveAnElementType) {
  const auto issues = [](const std::string &in, const std::string &out) {
    const Model m = readBytes(model(input("z", in) + relu("z", "y") + output("y", out)));
    return m.issues.empty() ? std::string() : m.issues.front().message;
  };
  const std::string sized = field(1, field(2, field(1, field(1, 3)))); // a shape alone
  EXPECT_EQ(issues(tensorType(1, {3}), tensorType(1, {3})), "");
  EXPECT_EQ(issues(tensorType(1, {3}), ""), ""); // runtimes infer it
  EXPECT_EQ(issues(tensorType(0, {3}), ""), "the model's input 'z' has no element type, which ONNX demands");
  EXPECT_EQ(issues(tensorType(1, {3}), sized), "the model's output 'y' has no element type, which ONNX demands");
}

/// Runtimes take the shape of the initializer; onnx's checker asks the input itself for one.
TEST(OnnxScope, AnInputWithoutAShapeHasNoneBesideItsInitializer) {
  const auto types = [](const std::string &declared) {
    const std::string data = field(1, 3) + field(2, 1) + field(8, "w") + field(9, std::string(12, '\0'));
    const Model m = readBytes(model(input("w", declared) + relu("w", "y") + output("y") + field(5, data)));
    const ValueId w = m.operands(NodeId(0))[0];
    return spelled(m, m[w].recorded) + " " + spelled(m, m[w].type ? m[w].type : m[w].recorded) +
           (m.issues.empty() ? "" : " contradicted");
  };
  EXPECT_EQ(types(field(1, field(1, 1))), "float32 float32[3]");
}

TEST(OnnxScope, RecordedTypesAreMerged) {
  const auto recorded = [](const std::string &info, const std::string &out) {
    const Model m = readBytes(model(relu("x", "y") + field(13, valueInfo("y", info)) + output("y", out)));
    return spelled(m, m[m.result(NodeId(0), 0)].recorded) + (m.issues.empty() ? "" : " contradicted");
  };
  EXPECT_EQ(recorded(tensorType(1, {2, -1}), tensorType(1, {-1, 3})), "float32[2, 3]");
  EXPECT_EQ(recorded(tensorType(0, {2}), tensorType(1, {2})), "float32[2] contradicted"); // it lacks an element type
  EXPECT_EQ(recorded(tensorType(1, {2}), tensorType(1, {3})), "float32[3] contradicted");
  EXPECT_EQ(recorded(tensorType(1, {2}), tensorType(7, {2})), "int64[2] contradicted");
}

// ONNX Runtime takes the last declaration of what is neither an input nor an output.
TEST(OnnxScope, OfTwoDeclarationsOfAnInnerValueTheLastCounts) {
  const auto recorded = [](const std::string &first, const std::string &last) {
    const Model m = readBytes(model(relu("x", "h") + relu("h", "y") + field(13, valueInfo("h", first)) +
                                    field(13, valueInfo("h", last)) + output("y", tensorType(1, {2}))));
    return spelled(m, m[m.result(NodeId(0), 0)].recorded) + (m.issues.empty() ? "" : " contradicted");
  };
  EXPECT_EQ(recorded(tensorType(7, {2}), tensorType(1, {2})), "float32[2] contradicted");
  EXPECT_EQ(recorded(tensorType(1, {2}), tensorType(7, {2})), "int64[2] contradicted");
  EXPECT_EQ(recorded(tensorType(1, {2}), tensorType(1, {-1})), "float32[2]");
}

TEST(OnnxScope, NothingFollowsFromAnInitializerThatIsDeclaredTwice) {
  const auto recorded = [](const std::string &declared) {
    const std::string data = field(1, 3) + field(2, 1) + field(8, "w") + field(9, std::string(12, '\0'));
    const Model m =
        readBytes(model(field(5, data) + input("w", declared) + relu("w", "y") + output("y", tensorType(1, {-1}))));
    return spelled(m, m[m.operands(NodeId(0))[0]].recorded) + (m.issues.empty() ? "" : " contradicted");
  };
  EXPECT_EQ(recorded(tensorType(1, {3})), "float32[3]");
  EXPECT_EQ(recorded(tensorType(7, {3})), "unknown[3] contradicted");
  EXPECT_EQ(recorded(tensorType(1, {4})), "float32[?] contradicted");
  EXPECT_EQ(recorded(tensorType(1, {3, 1})), "float32 contradicted");
}

TEST(OnnxScope, WhatIsDeclaredOfAnOutputThatNothingMakesIsShown) {
  EXPECT_NE(printModel(readBytes(model(output("gone", f2)))).find("return %gone<undefined: float32[2]>"),
            std::string::npos);
}

TEST(OnnxScope, WhatIsSaidAgainInsideOfANodeMustBeTrue) {
  const auto saying = [](std::string_view read, const std::string &info) {
    return kinds(readBytes(model(join(
        {ifNode("y", graph("t", join({relu(read, "a"), output("a"), info})), graph("e", relu("x", "b") + output("b"))),
         output("y", f2)}))));
  };
  const auto info = [](const std::string &type) { return field(13, valueInfo("x", type)); };
  const std::vector<Kind> wrong{Kind::Malformed};
  EXPECT_EQ(saying("x", info(f2)), std::vector<Kind>{});
  EXPECT_EQ(saying("x", info(tensorType(1, {-1}))), std::vector<Kind>{});
  EXPECT_EQ(saying("x", info(tensorType(7, {2}))), wrong);
  EXPECT_EQ(saying("x", info(tensorType(1, {3}))), wrong);
  EXPECT_EQ(saying("x", info(tensorType(1, {2, 1}))), wrong);
  EXPECT_EQ(saying("c", info(tensorType(7, {2}))), std::vector<Kind>{}) << "nobody asks";
}

TEST(OnnxScope, WhatIsSaidInsideOfANodeAloneIsSaidOfTheValue) {
  const auto recorded = [](std::string_view read) {
    const Model m = readBytes(
        model(join({relu("x", "r"),
                    ifNode("y", graph("t", join({relu(read, "a"), output("a"), field(13, valueInfo("r", f2))})),
                           graph("e", relu("r", "b") + output("b"))),
                    output("y", f2)})));
    EXPECT_EQ(kinds(m), std::vector<Kind>{});
    return spelled(m, m[m.result(NodeId(0), 0)].recorded);
  };
  EXPECT_EQ(recorded("r"), "float32[2]");
  EXPECT_EQ(recorded("x"), "unknown") << "nobody asks";
}

// A body's inputs have the types of what the SequenceMap is given.
TEST(OnnxScope, WhatTheBodyOfASequenceMapReturnsHasAType) {
  const auto mapping = [](const std::string &in, const std::string &out) {
    const std::string body = graph("m", join({input("e", in), relu("e", "o"), output("o", out)}));
    return relu("x", "s") + node("SequenceConstruct", {"s"}, {"q"}) +
           node("SequenceMap", {"q"}, {"r"}, branch("body", body)) + node("SequenceLength", {"r"}, {"n"});
  };
  const auto bare = [&](const std::string &in, const std::string &out) {
    return kinds(readBytes(model(mapping(in, out) + output("n", tensorType(7, {})))));
  };
  EXPECT_EQ(bare(f2, f2), std::vector<Kind>{});
  EXPECT_EQ(bare("", f2), std::vector<Kind>{});
  EXPECT_EQ(bare(f2, ""), std::vector<Kind>{Kind::MalformedOrt});
  const Model m = readBytes(model(ifNode("y", graph("t", mapping("", "") + output("n")),
                                         graph("e", join({node("Size", {"x"}, {"b"}), output("b")}))) +
                                  output("y", tensorType(7, {}))));
  EXPECT_EQ(kinds(m), std::vector<Kind>{}) << "types of branches are inferred first";
}

TEST(OnnxScope, AnOutputWithoutAnElementType) {
  const std::string none = field(1, field(2, field(1, field(1, 1))));
  const std::string initializer =
      field(5, join({field(1, 1), field(2, 1), field(8, "w"), field(9, std::string(4, 0))}));
  const auto returning = [&](const std::string &content, std::string_view name) {
    return kinds(readBytes(
        model(join({ifNode("y", graph("t", content + output(name, none)), graph("e", relu("x", "b") + output("b"))),
                    output("y", f2)}))));
  };
  EXPECT_EQ(returning(relu("x", "a"), "a"), std::vector{Kind::MalformedOrt});
  EXPECT_EQ(returning(initializer, "w"), std::vector<Kind>{}) << "which has one of its own";
}

TEST(OnnxScope, ANegativeSizeIsUnknown) {
  const auto dimension = [](std::int64_t size) {
    return field(1, field(1, 1) + field(2, field(1, field(1, size)) + field(1, field(1, 3))));
  };
  const Model m = readBytes(model(relu("x", "y") + output("y", dimension(-1))));
  EXPECT_EQ(spelled(m, m[m.result(NodeId(0), 0)].recorded), "float32[?, 3]");
  EXPECT_TRUE(m.issues.empty());
  const Model odd = readBytes(model(relu("x", "y") + output("y", dimension(-2))));
  ASSERT_EQ(odd.issues.size(), 1u);
  EXPECT_EQ(odd.issues[0].kind, FormatIssue::Kind::MalformedNote);
}

TEST(OnnxScope, DimensionsWithoutANameAreSymbolsOfTheInput) {
  const std::string named = field(1, field(1, 1) + field(2, field(1, field(2, "N")) + field(1, "")));
  const Model m =
      readBytes(join({field(1, 8), field(8, field(2, 17)),
                      field(7, graph("g", input("x", named) + node("Relu", {"x"}, {"y"}) + output("y", named)))}));
  const Type &in = m.types[m[ValueId(m[m.main()].parameters.first)].recorded];
  ASSERT_EQ(in.dims.size(), 2u);
  EXPECT_EQ(m.dims.str(in.dims[0]), "N");
  EXPECT_TRUE(m.dims.mentions(in.dims[0], SymbolOrigin::Named));
  EXPECT_TRUE(m.dims.mentions(in.dims[1], SymbolOrigin::Anonymous));
  EXPECT_EQ(m.dims.str(in.dims[1]).substr(0, 3), "x.1");
  const Type &out = m.types[m[m.result(NodeId(0), 0)].recorded];
  EXPECT_EQ(out.dims[0], in.dims[0]);
  EXPECT_FALSE(out.dims[1].known());
}

std::string function(std::string_view name, const std::string &nodes, const std::string &imports = {},
                     std::string_view domain = "d") {
  std::string body;
  // NodeProtos stand in field 1 of a graph and in field 7 of a function.
  for (std::string_view rest = nodes; !rest.empty();) {
    const auto size = static_cast<std::size_t>(static_cast<unsigned char>(rest[1]));
    body += field(7, rest.substr(2, size));
    rest.remove_prefix(2 + size);
  }
  return field(25, join({field(1, name), field(10, domain), field(4, "a"), field(5, "b"), body, field(9, field(2, 17)),
                         imports.empty() ? field(9, field(1, "d") + field(2, 1)) : imports}));
}
std::string call(std::string_view name, std::string_view in, std::string_view out) {
  return node(name, {in}, {out}, field(7, "d"));
}
const std::string importD = field(8, field(1, "d") + field(2, 1));

TEST(OnnxScope, FunctionsMayStandInAnyOrder) {
  const Model m = readBytes(model(call("F", "x", "y") + output("y", f2), 8, 17,
                                  importD + function("F", call("G", "a", "b")) + function("G", relu("a", "b"))));
  EXPECT_TRUE(m.issues.empty()) << messages(m);
  EXPECT_EQ(m[nodeAt(m, "d.F/G_0")].callee, m[FunctionId(1)].body);
}

TEST(OnnxScope, FunctionsThatCallThemselvesHaveNoBody) {
  const Model m = readBytes(model(call("F", "x", "y"), 8, 17,
                                  importD + function("F", call("G", "a", "b")) + function("G", call("F", "a", "b"))));
  EXPECT_EQ(kinds(m), std::vector{Kind::Malformed}) << messages(m);
  EXPECT_TRUE(m[nodeAt(m, "main/F_0")].callee.valid());
  EXPECT_FALSE(m[nodeAt(m, "d.F/G_0")].callee.valid());
  EXPECT_FALSE(m[nodeAt(m, "d.G/F_0")].callee.valid());
}

TEST(OnnxScope, AMisspeltBranchIsAMissingOne) {
  const std::string inner = graph("t", relu("x", "a") + output("a"));
  const auto with = [&](std::string_view second, const std::string &more = {}) {
    return readBytes(model(node("If", {"c"}, {"y"}, branch("then_branch", inner) + branch(second, inner) + more)))
        .issues.size();
  };
  EXPECT_EQ(with("else_branch"), 0u);
  EXPECT_EQ(with("else_brnch"), 0u) << "a rule says what is missing";
  EXPECT_EQ(with("body"), 1u);
  EXPECT_EQ(with("else_branch", branch("else_brnch", inner)), 1u) << "there is one already";
}

TEST(OnnxScope, ChainsOfCallsAreBounded) {
  const auto chain = [](int length) {
    std::string functions = importD;
    for (int i = 0; i + 1 < length; ++i)
      functions += function("F" + std::to_string(i), call("F" + std::to_string(i + 1), "a", "b"));
    functions += function("F" + std::to_string(length - 1), relu("a", "b"));
    return readBytes(model(call("F0", "x", "y"), 8, 17, functions));
  };
  EXPECT_TRUE(chain(100).issues.empty());
  EXPECT_EQ(kinds(chain(101)), std::vector{Kind::Malformed});
  EXPECT_EQ(chain(2000).issues.size(), 19u);
}

TEST(OnnxScope, AFunctionOfOneNameTwice) {
  EXPECT_EQ(kinds(readBytes(model(call("F", "x", "y"), 8, 17,
                                  importD + function("F", relu("a", "b")) + function("F", relu("a", "b"))))),
            std::vector{Kind::Malformed});
}

TEST(OnnxScope, OperatorsMustExist) {
  const auto issues = [](const std::string &nodes, std::int64_t opset = 17, const std::string &more = {}) {
    return readBytes(model(nodes, 8, opset, more)).issues.size();
  };
  EXPECT_NE(issues(relu("x", "y"), -1), issues(relu("x", "y"))) << "no version is negative";
  EXPECT_EQ(issues(node("Gelu", {"x"}, {"y"}), 17), 1u);
  EXPECT_EQ(issues(node("Gelu", {"x"}, {"y"}), 20), 0u);
  EXPECT_EQ(issues(node("Gelu", {"x"}, {"y"}) + node("Gelu", {"y"}, {"z"}), 17), 1u); // one cause, one issue
  EXPECT_EQ(issues(call("Magic", "x", "y")), 1u);                                     // its domain is not imported
  EXPECT_EQ(issues(call("Magic", "x", "y"), 17, importD), 0u);                        // opaque
  EXPECT_EQ(issues(node("", {"x"}, {"y"})), 1u);
  EXPECT_EQ(issues(node("Relu", {"x"}, {"y"}, field(7, "ai.onnx"))), 1u); // the default domain, and not for all
}

/// ONNX Runtime writes "" for "ai.onnx" in the nodes of the main graph alone, onnx's checker nowhere.
TEST(OnnxScope, TheDefaultDomainByItsLongName) {
  const std::string longName = field(7, "ai.onnx");
  const std::vector<Kind> both{Kind::MalformedOnnx}, checker{Kind::MalformedChecker};
  const auto relu = [](std::string_view in, const std::string &domain) { return node("Relu", {in}, {"b"}, domain); };
  const auto inBranch = [&](const std::string &domain) {
    return kinds(readBytes(
        model(ifNode("y", graph("t", relu("x", domain) + output("b")), graph("e", relu("x", "") + output("b"))))));
  };
  EXPECT_EQ(kinds(readBytes(model(relu("x", longName)))), checker);
  EXPECT_EQ(kinds(readBytes(model(relu("x", longName) + node("Neg", {"b"}, {"y"}, longName)))), checker) << "one cause";
  EXPECT_EQ(inBranch(""), std::vector<Kind>{});
  EXPECT_EQ(inBranch(longName), both);
  const auto inFunction = [&](const std::string &domain, const std::string &import, bool isCalled) {
    const std::string f = join({field(1, "F"), field(10, "d"), field(4, "a"), field(5, "b"),
                                field(7, relu("a", domain).substr(2)), field(9, import + field(2, 17))});
    return kinds(readBytes(model(isCalled ? call("F", "x", "y") : relu("x", ""), 8, 17, importD + field(25, f))));
  };
  const std::string imported = field(1, "ai.onnx");
  EXPECT_EQ(inFunction("", "", true), std::vector<Kind>{});
  EXPECT_EQ(inFunction("", imported, false), both);
  EXPECT_EQ(inFunction(longName, "", false), both);
  EXPECT_EQ(inFunction(longName, imported, true), both);
  EXPECT_EQ(inFunction(longName, imported, false), checker) << "ONNX Runtime does not look into it";
  // Names of nodes: Runtime sees no constants.
  const auto named = [](const std::string &op, const std::string &domain) {
    return kinds(
        readBytes(model(node("Relu", {"x"}, {"b"}, field(3, "n")) + node(op, {}, {"k"}, field(3, "n") + domain))));
  };
  EXPECT_EQ(named("Constant", longName), checker);
  EXPECT_EQ(named("RandomNormal", longName), (std::vector{Kind::MalformedOrt, Kind::MalformedChecker}));
}

TEST(OnnxScope, FunctionsOfDomainsThatHaveOperatorsAlone) {
  const auto calls = [](std::string_view domain, std::string_view name, const std::string &import) {
    const std::string f = function(name, node("Neg", {"a"}, {"b"}), "", domain);
    return readBytes(model(node(name, {"x"}, {"y"}, field(7, domain)), 8, 17, import + f)).issues.size();
  };
  EXPECT_EQ(calls("", "F", ""), 1u);
  EXPECT_EQ(calls("ai.onnx", "F", ""), 1u);
  EXPECT_EQ(calls("ai.onnx.ml", "F", field(8, field(1, "ai.onnx.ml") + field(2, 3))), 1u);
  EXPECT_EQ(calls("mine", "F", field(8, field(1, "mine") + field(2, 3))), 0u);
}

/// onnx's checker goes by the version that is imported of "", ONNX Runtime by the last of "" and "ai.onnx".
TEST(OnnxScope, TwoVersionsOfTheDefaultDomain) {
  const auto import = [](std::string_view domain, std::int64_t version) {
    return field(8, field(1, domain) + field(2, version));
  };
  const auto version = [](const std::string &op, const std::string &imports) {
    Model m = readBytes(model(node(op, {"x"}, {"y"}), 8, 11, imports));
    resolveOperators(m);
    const Operator &o = m[m[m[m.main()].firstNode].op];
    return std::pair(o.version, o.definition != nullptr);
  };
  EXPECT_EQ(version("Squeeze", import("ai.onnx", 18)), std::pair(disputedVersion, false));
  EXPECT_EQ(version("Squeeze", import("ai.onnx", 12)), std::pair(12, true)) << "the same in both";
  EXPECT_EQ(version("Squeeze", import("", 18)), std::pair(18, true)) << "all take the last";
  EXPECT_EQ(version("Squeeze", import("ai.onnx", 18) + import("", 11)), std::pair(11, true));
  EXPECT_EQ(version("Gelu", import("ai.onnx", 20)).first, disputedVersion) << "one of them has no such operator";
}

} // namespace
