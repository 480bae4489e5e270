//===- FrontEndTest.cpp - A front end of another language ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/front-end.md, followed by hand: what it says is enough for the rules.
//
//===----------------------------------------------------------------------===//
#include "condlint/Rule.h"
#include "condlint/SourceGraph.h"
#include <array>
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// Builds `cond(p, f, g, [x])` of float32[2, 3] as that page says.
class Source {
public:
  Source() {
    m.info.format = Format::Cxx;
    m.info.dialect = Dialect::Torch;
    m.info.frontEnd = FrontEnd::Torch;
    const StringId name = m.strings.intern("forward");
    root = m.addGraph(name, name, {}, {});
    Function function;
    function.name = name;
    function.body = root;
    m[root].function = m.addFunction(std::move(function));
    p = m.addParameter(root, m.strings.intern("p"), tensor(DType::Bool, {}));
    x = m.addParameter(root, m.strings.intern("x"), tensor(DType::Float32, {m.dims.constant(2), m.dims.constant(3)}));
    for (const ValueId v : {p, x})
      m[v].type = m[v].recorded;
  }

  /// A branch that returns what \p make makes of its parameter.
  template <class Make> void branch(std::string_view role, Make make) {
    const StringId name = m.strings.intern(role);
    const GraphId g = m.addGraph(name, name, root, {});
    const ValueId parameter = m.addParameter(g, m.strings.intern("y"), {});
    inferParameters(m, g, std::array{x});
    if (const std::optional<ValueId> result = make(g, parameter)) {
      node(g, cxxDomain, nameOf(CxxOp::Return), std::array{*result}, {}, 0);
      m.setResults(g, std::array{*result});
    }
    branches.push_back(g);
  }

  ValueId node(GraphId g, std::string_view domain, std::string_view name, std::span<const ValueId> operands,
               std::vector<Attribute> attributes, std::size_t results = 1, std::string_view overload = {}) {
    Operator op;
    op.domain = m.strings.intern(domain);
    op.name = m.strings.intern(name);
    op.overload = m.strings.intern(overload);
    const std::array<StringId, 1> names{m.strings.intern(std::string(name) + "_result")};
    const NodeId n = m.addNode(g, m.addOperator(op), op.name, operands, std::span(names).first(results), attributes);
    m[n].location = m.addLocation(at(g == root ? 1 : 2 + g.index()));
    inferNode(m, n);
    return results == 0 ? ValueId() : m.result(n, 0);
  }

  ValueId aten(GraphId g, std::string_view name, std::string_view overload, ValueId self,
               std::vector<Attribute> more = {}) {
    more.insert(more.begin(), argument("self", AttributeKind::Operand, 0));
    return node(g, "aten", name, std::array{self}, std::move(more), 1, overload);
  }

  Attribute argument(std::string_view name, AttributeKind kind, std::uint32_t first, std::uint32_t count = 1) {
    Attribute a;
    a.name = m.strings.intern(name);
    a.kind = kind;
    a.list = {first, count};
    return a;
  }

  CheckResult check(const char *target = "torch@2.13") {
    Operator op;
    op.domain = m.strings.intern(higherOrderDomain);
    op.name = m.strings.intern(condOperator);
    const std::array attributes{argument("", AttributeKind::Operand, 0), argument("", AttributeKind::Region, 0),
                                argument("", AttributeKind::Region, 1), argument("", AttributeKind::Operands, 1),
                                make(m, attr::predicateAt, m.addLocation(at(9)))};
    const std::array results{m.strings.intern("out")};
    const NodeId n =
        m.addNode(root, m.addOperator(op), m.strings.intern("cond@1:1"), std::array{p, x}, results, attributes);
    m[n].location = m.addLocation(at(1));
    for (const GraphId g : branches)
      m[g].owner = n;
    m.setRegions(n, branches);
    inferNode(m, n);
    m.setResults(root, std::array{m.result(n, 0)});
    const std::vector<Target> targets{*parseTarget(target)};
    ModelResult found = condlint::check(m, targets, {});
    return std::move(found.targets.front().result);
  }

  TypeId tensor(DType element, std::vector<Dim> dims) {
    Type t;
    t.kind = ValueKind::Tensor;
    t.element = element;
    t.hasRank = true;
    t.dims = dims;
    return m.types.intern(t);
  }

  static SourceLocation at(std::uint32_t line) {
    SourceLocation l;
    l.path = "model.rs";
    l.function = "forward";
    l.line = line;
    l.column = 1;
    return l;
  }

  Model m;
  GraphId root;
  ValueId p, x;
  std::vector<GraphId> branches;
};

std::string verdictOf(const CheckResult &r, std::string_view rule) {
  for (const ConditionalSummary &s : r.conditionals)
    for (const auto &[id, verdict] : s.verdicts)
      if (id == rule)
        return std::string(verdictName(verdict));
  return "not asked";
}

TEST(FrontEnd, BranchesThatFitAreProved) {
  Source s;
  s.branch("true", [&](GraphId g, ValueId y) { return s.aten(g, "exp", "default", y); });
  s.branch("false", [&](GraphId g, ValueId y) { return s.aten(g, "sin", "default", y); });
  const CheckResult r = s.check();
  EXPECT_TRUE(r.findings.empty()) << r.findings.front().message;
  ASSERT_EQ(r.conditionals.size(), 1u);
  EXPECT_EQ(verdictOf(r, "output-dtype"), "proved");
  EXPECT_EQ(verdictOf(r, "output-shape"), "proved");
}

TEST(FrontEnd, BranchesThatDoNotFitAreFound) {
  Source s;
  s.branch("true", [&](GraphId g, ValueId y) { return s.aten(g, "exp", "default", y); });
  s.branch("false", [&](GraphId g, ValueId y) { return s.aten(g, "isnan", "default", y); });
  const CheckResult r = s.check();
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].rule, "output-dtype");
  EXPECT_EQ(r.findings[0].conditional, "forward/cond@1:1");
  EXPECT_EQ(r.findings[0].location.path, "model.rs");
}

TEST(FrontEnd, WhatIsNotUnderstoodIsUnknown) {
  Source s;
  s.branch("true", [&](GraphId g, ValueId y) { return s.aten(g, "exp", "default", y); });
  s.branch("false", [&](GraphId g, ValueId) {
    return s.node(g, cxxDomain, nameOf(CxxOp::Unknown), {}, {make(s.m, attr::reason, "a macro")});
  });
  const CheckResult r = s.check();
  EXPECT_TRUE(r.findings.empty()) << r.findings.front().message;
  EXPECT_EQ(verdictOf(r, "output-dtype"), "unknown");
}

TEST(FrontEnd, ABranchWithoutABodyIsUnknown) {
  Source s;
  s.branch("true", [&](GraphId g, ValueId y) { return s.aten(g, "exp", "default", y); });
  s.branch("false", [&](GraphId g, ValueId y) -> std::optional<ValueId> {
    s.node(g, cxxDomain, nameOf(CxxOp::Opaque), std::array{y}, {make(s.m, attr::branch, true)}, 0);
    const ValueId result = s.node(g, cxxDomain, nameOf(CxxOp::Unknown), {}, {make(s.m, attr::reason, "no body")});
    s.m.setResults(g, std::array{result});
    return std::nullopt;
  });
  const CheckResult r = s.check();
  EXPECT_TRUE(r.findings.empty()) << r.findings.front().message;
  EXPECT_EQ(verdictOf(r, "output-dtype"), "unknown");
}

} // namespace
} // namespace condlint::test
