//===- WaysTest.cpp - Ways that code that builds can go, and its loops -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

std::string networks(const std::string &functions) {
  return "#include <NvInfer.h>\nusing namespace nvinfer1;\n" + functions;
}

void expectNone(const std::string &functions, int version = 1013) {
  EXPECT_EQ(differences(networks(functions), version), "");
}

TEST(BranchLeak, OnOneWayOnlyItIsPossible) {
  const Checked c = checkNetwork(networks(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool debug) {
  auto *a = n.addIfConditional();
  a->setCondition(p);
  auto *hidden = n.addUnary(*a->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  if (debug)
    n.markOutput(*hidden);
  n.markOutput(*a->addOutput(*hidden, x)->getOutput(0));
}
)"),
                                 1003);
  EXPECT_EQ(c.functions, 2U);
  EXPECT_EQ(c.of("branch-leak").verdict, Verdict::Possible);
  EXPECT_EQ(c.of("branch-leak").location.line, 9U);
}

TEST(Ways, ItSaysWhichConditionShowsIt) {
  const Checked c = checkNetwork(networks(R"(struct Config { bool gated; };
void f(INetworkDefinition &n, ITensor &p, ITensor &x, const Config &config) {
  auto *c = n.addIfConditional();
  if (config.gated)
    c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), *in)->getOutput(0));
}
)"),
                                 1013);
  const Finding f = c.of("predicate-missing");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  ASSERT_EQ(f.related.size(), 1U);
  EXPECT_EQ(f.related[0].message, "it is so where 'config.gated' is false");
  EXPECT_EQ(f.related[0].location.line, 6);
}

TEST(Ways, ConditionsThatAreTheSameGoTheSameWay) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, bool gated, int mode) {
  IIfConditional *c = nullptr;
  ITensor *in = &x;
  if (gated) {
    c = n.addIfConditional();
    c->setCondition(p);
    in = c->addInput(x)->getOutput(0);
  }
  ITensor *y = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  if (mode == 2)
    y = n.addUnary(*y, UnaryOperation::kNEG)->getOutput(0);
  if (gated)
    y = c->addOutput(*y, x)->getOutput(0);
  n.markOutput(*y);
}
)");
}

TEST(Ways, AnEarlyReturnWithHalfAConditionalIsNoFinding) {
  expectNone(R"(
bool ready();
bool f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  if (!ready())
    return false;
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  if (!ready())
    throw 1;
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
  return true;
}
)");
}

TEST(Loops, UnknownTripsOfTheHostAreOneTrip) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor *x, int layers) {
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    c->setCondition(p);
    auto *in = c->addInput(*x)->getOutput(0);
    auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
    x = c->addOutput(*t, *x)->getOutput(0);
  }
  n.markOutput(*x);
}
void broken(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional(); // expect: error predicate-missing
    auto *in = c->addInput(x)->getOutput(0);
    n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
  }
}
)");
}

} // namespace
} // namespace condlint::test
