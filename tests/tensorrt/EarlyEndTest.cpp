//===- EarlyEndTest.cpp - Ways that end before the network is whole --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

TEST(Ways, ASuccessThatComesEarlyLeavesAConditionalBehind) {
  const Checked c = checkNetwork(networks(R"(
bool build(INetworkDefinition &n, bool debug, bool failed) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 4});
  auto *c = n.addIfConditional();
  c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
  auto *in = c->addInput(*x)->getOutput(0);
  if (failed)
    return false;
  if (debug)
    return true;
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kSQRT)->getOutput(0), *x)->getOutput(0));
  return true;
}
)"),
                                 1003);
  ASSERT_EQ(c.findings.size(), 1U);
  EXPECT_EQ(c.of("output-none").verdict, Verdict::Possible);
}

// Nothing in an optional is a result, and what is built without it is somebody's network.
TEST(Ways, AHelperWithoutAResultGoesOn) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <optional>
using namespace nvinfer1;
std::optional<ITensor *> halved(INetworkDefinition &n, ITensor &x, bool wanted) {
  if (!wanted)
    return std::nullopt;
  return n.addCast(x, DataType::kHALF)->getOutput(0);
}
void perhaps(INetworkDefinition &n, ITensor &x, ITensor &p, bool wanted) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*n.addCast(x, DataType::kFLOAT)->getOutput(0))->getOutput(0);
  auto *yes = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  if (auto half = halved(n, *in, wanted))
    yes = *half;
  n.markOutput(*c->addOutput(*yes, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
void alike(INetworkDefinition &n, ITensor &x, ITensor &p, bool wanted) {
  auto *c = n.addIfConditional(); // expect-proved: output-dtype, output-kind
  c->setCondition(p);
  auto *in = c->addInput(*n.addCast(x, DataType::kFLOAT)->getOutput(0))->getOutput(0);
  auto *other = n.addCast(*in, DataType::kHALF)->getOutput(0);
  auto *yes = halved(n, *in, wanted).value_or(other);
  n.markOutput(*c->addOutput(*yes, *n.addCast(*in, DataType::kHALF)->getOutput(0))->getOutput(0));
}
)"),
            "");
}

TEST(Ways, WhereSomethingIsReachedIsSaid) {
  const Checked c = checkNetwork(networks(R"(
void build(INetworkDefinition &n, ITensor &p, ITensor &x, bool quick) {
  auto *half = n.addCast(x, DataType::kHALF)->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*half)->getOutput(0);
  if (quick) {
    n.markOutput(*c->addOutput(*n.addCast(*in, DataType::kFLOAT)->getOutput(0), *in)->getOutput(0));
    return;
  }
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}
)"),
                                 1003);
  const Finding f = c.of("output-dtype");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  ASSERT_FALSE(f.related.empty());
  EXPECT_EQ(f.related.back().message, "it is so where 'quick' is true");
}

} // namespace
} // namespace condlint::test
