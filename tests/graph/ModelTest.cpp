//===- ModelTest.cpp - Graphs that are built ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Graph.h"
#include <gtest/gtest.h>
#include <string>

using namespace condlint;

namespace {

TEST(StringTable, EqualTextsHaveOneId) {
  StringTable t;
  const StringId a = t.intern("relu");
  EXPECT_EQ(t.intern(std::string("re") + "lu"), a);
  EXPECT_EQ(t.internStable("relu"), a);
  EXPECT_EQ(t.internStable("relu", t.prefetch("relu")), a);
  EXPECT_NE(t.intern("relu_"), a);
  EXPECT_EQ(t.view(a), "relu");
  EXPECT_EQ(t.find("relu"), a);
  EXPECT_FALSE(t.find("absent").valid());
  EXPECT_EQ(t.view(StringId()), "");
}

TEST(StringTable, IdsAndTextsSurviveGrowth) {
  StringTable t;
  const std::string_view first = t.view(t.intern("first"));
  for (int i = 0; i < 100'000; ++i)
    EXPECT_EQ(t.intern("name_" + std::to_string(i)).index(), static_cast<std::uint32_t>(i + 1));
  for (int i = 0; i < 100'000; i += 999)
    EXPECT_EQ(t.find("name_" + std::to_string(i)).index(), static_cast<std::uint32_t>(i + 1));
  EXPECT_EQ(first, "first");
  EXPECT_EQ(t.intern(std::string(1'000'000, 'x')).index(), 100'001u);
}

TEST(TensorType, EqualTypesHaveOneId) {
  TypeTable types;
  DimTable dims;
  const std::vector<Dim> shape{dims.constant(2), dims.symbol("n", SymbolOrigin::Named)};
  Type t;
  t.kind = ValueKind::Tensor;
  t.element = DType::Float32;
  t.hasRank = true;
  t.dims = shape;
  const TypeId a = types.intern(t);
  const std::vector<Dim> again = shape;
  t.dims = again;
  EXPECT_EQ(types.intern(t), a);
  t.element = DType::Float16;
  EXPECT_NE(types.intern(t), a);
  EXPECT_EQ(types[a].dims.size(), 2u);
  EXPECT_EQ(types[a].dims[1], shape[1]);
  EXPECT_EQ(types[TypeId()].kind, ValueKind::Unknown);
}

TEST(TensorType, AnUnknownRankIsNotRankZero) {
  TypeTable types;
  Type t;
  t.kind = ValueKind::Tensor;
  const TypeId unranked = types.intern(t);
  t.hasRank = true;
  EXPECT_NE(types.intern(t), unranked);
  EXPECT_FALSE(types[unranked].rank().has_value());
  EXPECT_EQ(types[types.intern(t)].rank(), 0u);
}

TEST(TensorType, ReferencesStayValidWhileTheTableGrows) {
  TypeTable types;
  DimTable dims;
  Type t;
  t.kind = ValueKind::Tensor;
  t.hasRank = true;
  const std::vector<Dim> shape{dims.constant(7)};
  t.dims = shape;
  const Type &first = types[types.intern(t)];
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<Dim> other{dims.constant(i + 100)};
    t.dims = other;
    types.intern(t);
  }
  EXPECT_EQ(dims.asConstant(first.dims[0]), 7);
}

TEST(TensorType, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(DType::String); ++i)
    EXPECT_EQ(dtypeByName(dtypeName(static_cast<DType>(i))), static_cast<DType>(i));
  for (int i = 0; i <= static_cast<int>(ValueKind::Object); ++i)
    EXPECT_EQ(kindByName(kindName(static_cast<ValueKind>(i))), static_cast<ValueKind>(i));
  for (int i = 0; i <= static_cast<int>(Layout::Jagged); ++i)
    EXPECT_EQ(layoutByName(layoutName(static_cast<Layout>(i))), static_cast<Layout>(i));
  EXPECT_FALSE(dtypeByName("float33").has_value());
}

TEST(TensorType, Categories) {
  EXPECT_TRUE(isFloating(DType::BFloat16));
  EXPECT_TRUE(isFloating(DType::Float8E5M2));
  EXPECT_FALSE(isFloating(DType::Complex64));
  EXPECT_TRUE(isComplex(DType::Complex128));
  EXPECT_TRUE(isIntegral(DType::Int4));
  EXPECT_FALSE(isIntegral(DType::Bool));
  EXPECT_TRUE(isSigned(DType::Int8));
  EXPECT_FALSE(isSigned(DType::UInt8));
  EXPECT_EQ(dtypeBits(DType::Int4), 4u);
  EXPECT_EQ(dtypeBits(DType::String), 0u);
}

/// main: x -> cond(p)[true: t(x'), false: f(x')] -> y
struct Sample {
  Model m;
  GraphId main, onTrue, onFalse;
  ValueId x, p, xTrue, xFalse;
  NodeId cond, inTrue, inFalse;

  Sample() {
    const auto s = [&](const char *text) { return m.strings.intern(text); };
    main = m.addGraph(s("main"), s("main"), GraphId(), NodeId());
    m.setMain(main);
    x = m.addParameter(main, s("x"), TypeId());
    p = m.addParameter(main, s("p"), TypeId());
    Operator op;
    op.domain = s("higher_order");
    op.name = s("cond");
    const std::vector<ValueId> operands{p, x};
    const std::vector<StringId> results{s("y")};
    cond = m.addNode(main, m.addOperator(op), s("cond"), operands, results, {});
    op.domain = s("aten");
    op.name = s("relu");
    op.overload = s("default");
    const OperatorId relu = m.addOperator(op);
    const auto branch = [&](const char *name, ValueId &parameter, NodeId &node) {
      const GraphId g = m.addGraph(s(name), s(name), main, cond);
      parameter = m.addParameter(g, s("x"), TypeId());
      const std::vector<ValueId> in{parameter};
      const std::vector<StringId> out{s("r")};
      node = m.addNode(g, relu, s("relu"), in, out, {});
      const std::vector<ValueId> returned{m.result(node, 0)};
      m.setResults(g, returned);
      return g;
    };
    onTrue = branch("true_graph_0", xTrue, inTrue);
    onFalse = branch("false_graph_0", xFalse, inFalse);
    const std::vector<GraphId> regions{onTrue, onFalse};
    m.setRegions(cond, regions);
  }
};

TEST(Graph, PathsNameGraphsAndNodes) {
  Sample s;
  EXPECT_EQ(s.m.path(s.main), "main");
  EXPECT_EQ(s.m.path(s.cond), "main/cond");
  EXPECT_EQ(s.m.path(s.onTrue), "main/cond/true_graph_0");
  EXPECT_EQ(s.m.path(s.inFalse), "main/cond/false_graph_0/relu");
}

TEST(Graph, ScopesEncloseTheirRegionsAndThemselves) {
  Sample s;
  EXPECT_TRUE(s.m.encloses(s.main, s.onTrue));
  EXPECT_TRUE(s.m.encloses(s.onTrue, s.onTrue));
  EXPECT_FALSE(s.m.encloses(s.onTrue, s.main));
  EXPECT_FALSE(s.m.encloses(s.onTrue, s.onFalse));
}

TEST(Graph, NodesKeepTheirOrderAndResultsTheirPlace) {
  Sample s;
  std::vector<NodeId> order;
  for (NodeId n : s.m.nodes(s.onTrue))
    order.push_back(n);
  ASSERT_EQ(order.size(), 1u);
  EXPECT_EQ(order[0], s.inTrue);
  EXPECT_EQ(s.m[s.m.result(s.inTrue, 0)].def, s.inTrue);
  EXPECT_EQ(s.m[s.xTrue].index, 0u);
  EXPECT_EQ(s.m.operatorName(s.m[s.inTrue].op), "aten.relu.default");
  EXPECT_EQ(s.m.operatorName(s.m[s.cond].op), "higher_order.cond");
}

TEST(Graph, EqualOperatorsAreOneEntry) {
  Sample s;
  EXPECT_EQ(s.m[s.inTrue].op, s.m[s.inFalse].op);
  EXPECT_EQ(s.m.operatorCount(), 2u);
}

TEST(Graph, AMillionNodesFitInHalfAGigabyte) {
  // Beyond the tables themselves a node costs one operand, one value, its name.
  EXPECT_LE(sizeof(Node) + sizeof(Value) + sizeof(Attribute) + sizeof(ValueId) + sizeof(StringId), 300u);
}

ValueId operandOf(Sample &s, NodeId n, const char *name) {
  const ValueId dangling = s.m.addUndefined(s.m[n].graph, s.m.strings.intern(name));
  s.m.setOperand(n, 0, dangling);
  resolveUndefined(s.m);
  return s.m.operands(n)[0];
}

TEST(ResolveUndefined, LinksAValueOfTheSiblingBranch) {
  Sample s;
  // "only" exists in the true branch alone.
  s.m[s.m.result(s.inTrue, 0)].name = s.m.strings.intern("only");
  EXPECT_EQ(operandOf(s, s.inFalse, "only"), s.m.result(s.inTrue, 0));
}

TEST(ResolveUndefined, LinksAnOuterNameOfAClosedGraph) {
  Sample s;
  EXPECT_EQ(operandOf(s, s.inFalse, "p"), s.p);
}

TEST(ResolveUndefined, LinksAValueInsideABranch) {
  Sample s;
  s.m[s.m.result(s.inTrue, 0)].name = s.m.strings.intern("only");
  EXPECT_EQ(operandOf(s, s.cond, "only"), s.m.result(s.inTrue, 0));
}

TEST(ResolveUndefined, PrefersTheUsersOwnGraph) {
  Sample s;
  // Both branches and the main graph know "r" or "x"; the later one of the own
  // graph is meant.
  EXPECT_EQ(operandOf(s, s.inFalse, "r"), s.m.result(s.inFalse, 0));
}

TEST(ResolveUndefined, PrefersTheSiblingWhoseScopeIsNearest) {
  Sample s;
  const StringId name = s.m.strings.intern("only");
  const auto nodeIn = [&](GraphId g) {
    const std::vector<StringId> results{s.m.strings.intern("w")};
    return s.m.addNode(g, s.m[s.cond].op, s.m.strings.intern("inner"), {}, results, {});
  };
  const NodeId inner = nodeIn(s.onFalse);
  const auto region = [&](const char *role, GraphId parent, NodeId owner = NodeId()) {
    return s.m.addGraph(s.m.strings.intern(role), s.m.strings.intern(role), parent, owner ? owner : nodeIn(parent));
  };
  const GraphId user = region("user", s.onFalse, inner), near = region("near", s.onFalse, inner);
  const ValueId far = s.m.addConstant(s.onTrue, name, ConstantId());
  const ValueId wanted = s.m.addConstant(region("deep", near), name, ConstantId());
  const ValueId dangling = s.m.addUndefined(user, name);
  s.m.setResults(user, std::vector<ValueId>{dangling});
  const ValueId fromMain = s.m.addUndefined(s.main, name);
  s.m.setResults(s.main, std::vector<ValueId>{fromMain});
  resolveUndefined(s.m);
  EXPECT_EQ(s.m.results(user)[0], wanted);
  EXPECT_EQ(s.m.results(s.main)[0], far);
}

TEST(ResolveUndefined, PrefersWhatIsMadeInsideToTheSibling) {
  Sample s;
  const StringId name = s.m.strings.intern("only");
  const std::vector<StringId> results{s.m.strings.intern("w")};
  const NodeId inner = s.m.addNode(s.onFalse, s.m[s.cond].op, s.m.strings.intern("inner"), {}, results, {});
  s.m.addConstant(s.onTrue, name, ConstantId());
  const ValueId below = s.m.addConstant(s.m.addGraph(name, name, s.onFalse, inner), name, ConstantId());
  EXPECT_EQ(operandOf(s, s.inFalse, "only"), below);
}

TEST(ResolveUndefined, TakesOneNameInVeryManyGraphs) {
  Sample s;
  const StringId name = s.m.strings.intern("only");
  std::vector<GraphId> graphs;
  ValueId first;
  for (int i = 0; i < 100000; ++i) {
    const GraphId g = s.m.addGraph(name, name, s.main, s.cond);
    if (const ValueId v = i % 2 == 0 ? s.m.addConstant(g, name, ConstantId()) : ValueId())
      first = first ? first : v;
    else
      s.m.setResults(g, std::vector<ValueId>{s.m.addUndefined(g, name)});
    graphs.push_back(g);
  }
  resolveUndefined(s.m);
  for (std::size_t i = 1; i < graphs.size(); i += 2)
    ASSERT_EQ(s.m.results(graphs[i])[0], first);
}

TEST(ResolveUndefined, LeavesANameThatNothingDefines) {
  Sample s;
  const ValueId v = operandOf(s, s.inFalse, "nowhere");
  EXPECT_EQ(s.m[v].origin, ValueOrigin::Undefined);
  EXPECT_EQ(s.m.name(v), "nowhere");
}

} // namespace
