//===- SourceGraphTest.cpp - The words of source in a model ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include <array>
#include <gtest/gtest.h>

using namespace condlint;

namespace {

/// A node with \p attributes.
NodeId nodeOf(Model &m, std::string_view domain, std::string_view name, std::vector<Attribute> attributes = {}) {
  const GraphId g = m.addGraph(m.strings.intern("g"), m.strings.intern("g"), {}, {});
  Operator op;
  op.domain = m.strings.intern(domain);
  op.name = m.strings.intern(name);
  return m.addNode(g, m.addOperator(op), op.name, {}, {}, attributes);
}

TEST(SourceGraph, AnOperatorIsKnownByItsName) {
  Model m;
  for (int i = 0; i <= static_cast<int>(CxxOp::Write); ++i) {
    const auto op = static_cast<CxxOp>(i);
    const NodeId n = nodeOf(m, cxxDomain, nameOf(op));
    EXPECT_EQ(cxxOpOf(m, n), op) << nameOf(op);
    EXPECT_TRUE(isCxx(m, n, op)) << nameOf(op);
    EXPECT_FALSE(isCxx(m, nodeOf(m, "aten", nameOf(op)), op)) << nameOf(op);
  }
  EXPECT_EQ(cxxOpOf(m, nodeOf(m, cxxDomain, "another")), std::nullopt);
  EXPECT_EQ(nameOf(CxxOp::HostRead), "host_read");
  EXPECT_EQ(nameOf(TracingOp::WhereWrite), "where_write");
  EXPECT_TRUE(isTracing(m, nodeOf(m, tracingDomain, "frozen_flag"), TracingOp::FrozenFlag));
  EXPECT_FALSE(isTracing(m, nodeOf(m, tracingDomain, "frozen_flag"), TracingOp::Flag));
}

TEST(SourceGraph, WhatIsWrittenIsRead) {
  Model m;
  SourceLocation line;
  line.path = "a.rs";
  line.line = 7;
  const LocationId at = m.addLocation(line);
  const std::array<std::int64_t, 3> numbers{0, 1, 2};
  const NodeId n =
      nodeOf(m, cxxDomain, nameOf(CxxOp::Call),
             {make(m, attr::name, "f"), make(m, attr::loop), make(m, attr::branch, false), make(m, attr::variable, 3),
              make(m, attr::aliases, numbers), make(m, attr::doubtAt, at), make(m, attr::calls, std::array{at, at})});
  EXPECT_EQ(read(m, n, attr::name), "f");
  EXPECT_EQ(read(m, n, attr::loop), true);
  EXPECT_EQ(read(m, n, attr::branch), false);
  EXPECT_TRUE(has(m, n, attr::branch));
  EXPECT_EQ(read(m, n, attr::variable), 3);
  EXPECT_EQ(read(m, n, attr::aliases).size(), 3u);
  ASSERT_TRUE(read(m, n, attr::doubtAt));
  EXPECT_EQ(read(m, n, attr::doubtAt)->line, 7u);
  EXPECT_EQ(read(m, n, attr::calls).size(), 2u);
}

TEST(SourceGraph, WhatIsNotThereOrOfAnotherKindIsEmpty) {
  Model m;
  Attribute wrong;
  wrong.name = m.strings.intern("variable");
  wrong.kind = AttributeKind::String;
  wrong.text = m.strings.intern("x");
  const NodeId n = nodeOf(m, cxxDomain, nameOf(CxxOp::Write), {wrong});
  EXPECT_EQ(read(m, n, attr::variable), std::nullopt);
  EXPECT_EQ(read(m, n, attr::holder), "x");
  EXPECT_EQ(read(m, n, attr::name), "");
  EXPECT_FALSE(read(m, n, attr::doubtAt));
  EXPECT_FALSE(has(m, n, attr::unsized));
}

} // namespace
