//===- LayoutTest.cpp - Places for boxes ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "report/drawing/Layout.h"
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <random>

using namespace condlint;
using namespace condlint::drawing;

namespace {

struct Sample {
  std::vector<LayoutBox> boxes;
  std::vector<Drawing::Edge> edges;
};

/// \p n boxes of many sizes, each of which reads some of those before it, mostly near ones.
Sample graphOf(std::uint32_t n, std::uint32_t seed, bool hasCircles = false) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % most); };
  Sample g;
  for (std::uint32_t i = 0; i < n; ++i) {
    LayoutBox box{40.0 + below(160), 20.0 + below(50), LayoutBox::Where::Free};
    if (i < 3)
      box.where = LayoutBox::Where::Top;
    else if (i + 3 >= n)
      box.where = LayoutBox::Where::Bottom;
    g.boxes.push_back(box);
  }
  for (std::uint32_t i = 3; i < n; ++i)
    for (std::uint32_t k = 0; k < 1 + below(2); ++k) {
      const std::uint32_t reach = below(20) == 0 ? i : std::min(i, 12U);
      std::uint32_t from = i - 1 - below(reach);
      if (from + 3 >= n) // outputs are read by nobody
        from = n / 2;
      g.edges.push_back({from, i});
      if (hasCircles && below(5) == 0 && i + 3 < n && from >= 3)
        g.edges.push_back({i, from});
    }
  return g;
}

void expectNoOverlap(const Sample &g, const Placement &l) {
  ASSERT_EQ(l.corners.size(), g.boxes.size());
  std::vector<std::uint32_t> order(g.boxes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return l.corners[i].y; });
  for (std::size_t a = 0; a < order.size(); ++a) {
    const std::uint32_t i = order[a];
    EXPECT_GE(l.corners[i].x, 0);
    EXPECT_LE(l.corners[i].x + g.boxes[i].width, l.width);
    EXPECT_LE(l.corners[i].y + g.boxes[i].height, l.height);
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      const std::uint32_t k = order[b];
      if (l.corners[k].y >= l.corners[i].y + g.boxes[i].height)
        break;
      EXPECT_TRUE(l.corners[i].x + g.boxes[i].width <= l.corners[k].x ||
                  l.corners[k].x + g.boxes[k].width <= l.corners[i].x)
          << i << " and " << k << " overlap";
    }
  }
}

/// No line passes over a box that it does not join, where it is straight.
void expectLinesPassBy(const Sample &g, const Placement &l) {
  for (std::size_t e = 0; e < g.edges.size(); ++e)
    for (std::size_t p = 1; p < l.lines[e].size(); ++p) {
      const Point &a = l.lines[e][p - 1], &b = l.lines[e][p];
      if (a.x != b.x)
        continue;
      for (std::uint32_t i = 0; i < g.boxes.size(); ++i) {
        const bool isEnd = i == g.edges[e].from || i == g.edges[e].to;
        const bool isInside = a.x > l.corners[i].x && a.x < l.corners[i].x + g.boxes[i].width &&
                              std::max(a.y, b.y) > l.corners[i].y &&
                              std::min(a.y, b.y) < l.corners[i].y + g.boxes[i].height;
        EXPECT_FALSE(isInside && !isEnd) << "line " << e << " passes over " << i;
      }
    }
}

} // namespace

TEST(Layout, NoBoxOverlapsAnother) {
  for (std::uint32_t seed = 0; seed < 20; ++seed)
    for (const std::uint32_t n : {7U, 30U, 300U}) {
      const Sample g = graphOf(n, seed);
      const Placement l = layOut(g.boxes, g.edges);
      expectNoOverlap(g, l);
      expectLinesPassBy(g, l);
    }
}

TEST(Layout, CirclesAndEdgesToItselfAreTaken) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Sample g = graphOf(60, seed, true);
    g.edges.push_back({10, 10});
    g.edges.push_back(g.edges.front());
    const Placement l = layOut(g.boxes, g.edges);
    expectNoOverlap(g, l);
    EXPECT_TRUE(l.lines[g.edges.size() - 2].empty());
  }
}

TEST(Layout, WhatReadsStandsBelow) {
  const Sample g = graphOf(200, 5);
  const Placement l = layOut(g.boxes, g.edges);
  for (const Drawing::Edge &e : g.edges)
    EXPECT_LT(l.corners[e.from].y + g.boxes[e.from].height, l.corners[e.to].y);
}

TEST(Layout, LinesJoinTheirBoxes) {
  const Sample g = graphOf(100, 6);
  const Placement l = layOut(g.boxes, g.edges);
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    if (l.lines[e].empty())
      continue;
    const auto &[from, to] = g.edges[e];
    EXPECT_DOUBLE_EQ(l.lines[e].front().y, l.corners[from].y + g.boxes[from].height);
    EXPECT_DOUBLE_EQ(l.lines[e].back().y, l.corners[to].y);
    EXPECT_GE(l.lines[e].back().x, l.corners[to].x);
    EXPECT_LE(l.lines[e].back().x, l.corners[to].x + g.boxes[to].width);
  }
}

TEST(Layout, ARowIsNoWiderThanAScreen) {
  // Hundreds of operators that all read one operand, and one that reads them all.
  Sample g;
  g.boxes.assign(402, {150, 40, LayoutBox::Where::Free});
  g.boxes.front().where = LayoutBox::Where::Top;
  g.boxes.back().where = LayoutBox::Where::Bottom;
  for (std::uint32_t i = 1; i < 401; ++i) {
    g.edges.push_back({0, i});
    g.edges.push_back({i, 401});
  }
  const Placement l = layOut(g.boxes, g.edges);
  expectNoOverlap(g, l);
  EXPECT_LT(l.width, 8000);
}

TEST(Layout, NothingIsNothing) {
  const Placement l = layOut({}, {});
  EXPECT_TRUE(l.corners.empty());
  EXPECT_GT(l.width, 0);
}

TEST(Layout, TheSameGraphComesOutTheSame) {
  const Sample g = graphOf(150, 9);
  const Placement a = layOut(g.boxes, g.edges), b = layOut(g.boxes, g.edges);
  for (std::size_t i = 0; i < g.boxes.size(); ++i) {
    EXPECT_EQ(a.corners[i].x, b.corners[i].x);
    EXPECT_EQ(a.corners[i].y, b.corners[i].y);
  }
}

TEST(Layout, TwoThousandBoxesTakeMilliseconds) {
  const Sample g = graphOf(2000, 1);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Placement l = layOut(g.boxes, g.edges);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    if (i == 0)
      expectNoOverlap(g, l);
  }
  RecordProperty("milliseconds", std::to_string(best));
#if !defined(__SANITIZE_ADDRESS__)
  EXPECT_LE(best, 50);
#endif
}
