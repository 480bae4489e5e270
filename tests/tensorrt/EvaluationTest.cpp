//===- EvaluationTest.cpp - When the layers of a conditional are evaluated ---- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

using When = ConditionalSummary::When;

/// "5 lazy true": the line, when, for which branch; one for each layer that is listed.
std::vector<std::string> layersOf(const Checked &c, std::size_t conditional = 0) {
  std::vector<std::string> out;
  for (const ConditionalSummary::Layer &l : c.conditionals.at(conditional).layers)
    out.push_back(std::to_string(l.location.line) +
                  (l.when == When::Lazy    ? " lazy "
                   : l.when == When::Eager ? " eager "
                                           : " shared ") +
                  l.branch);
  return out;
}

using Layers = std::vector<std::string>;

Checked check(const std::string &function) {
  return checkNetwork("#include <NvInfer.h>\nusing namespace nvinfer1;\n" + function, 1013);
}

// Figure A of the guide: all three layers depend on an input layer.
TEST(Evaluation, BehindTheInputLayersLayersAreLazy) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *t1 = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  auto *t2 = n.addUnary(*t1, UnaryOperation::kNEG)->getOutput(0);
  auto *t3 = n.addSoftMax(*in)->getOutput(0);
  n.markOutput(*c->addOutput(*t2, *t3)->getOutput(0));
}
)");
  EXPECT_EQ(layersOf(c), (Layers{"8 lazy true", "9 lazy true", "10 lazy false"}));
  EXPECT_EQ(c.conditionals[0].layers[0].name, "addUnary");
}

// Nothing leads into a fill of given sizes: it is a constant. What computes with it is work.
TEST(Evaluation, AFillIsAConstant) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  auto *zeros = n.addFill(Dims{1, {4}}, FillOperation::kLINSPACE, DataType::kFLOAT)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *zeros)->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  auto *fill = n.addFill(Dims{1, {4}}, FillOperation::kLINSPACE, DataType::kFLOAT);
  fill->setInput(0, *n.addShape(x)->getOutput(0));
  n.markOutput(*c->addOutput(*t, *fill->getOutput(0))->getOutput(0));
}
)");
  EXPECT_TRUE(c.compiled);
  EXPECT_EQ(c.of("branch-eager").rule, "");
}

// Figure B: an input layer behind T1 makes T1 eager.
TEST(Evaluation, InFrontOfALateInputLayerTheyAreEager) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t1 = n.addUnary(*x, UnaryOperation::kEXP)->getOutput(0);
  auto *in = c->addInput(*t1)->getOutput(0);
  auto *t2 = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  n.markOutput(*c->addOutput(*t2, *x)->getOutput(0));
}
)");
  EXPECT_EQ(layersOf(c), (Layers{"8 eager true", "10 lazy true"}));
  EXPECT_EQ(c.conditionals[0].layers[0].via, "'x'");
  EXPECT_EQ(c.of("branch-eager").location.line, 8U);
}

// Figure C: without an input layer nothing is left to be lazy.
TEST(Evaluation, WithoutAnInputLayerAllIsEager) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t1 = n.addUnary(x, UnaryOperation::kEXP)->getOutput(0);
  auto *t2 = n.addUnary(*t1, UnaryOperation::kNEG)->getOutput(0);
  auto *t3 = n.addSoftMax(x)->getOutput(0);
  n.markOutput(*c->addOutput(*t2, *t3)->getOutput(0));
}
)");
  EXPECT_EQ(layersOf(c), (Layers{"7 eager true", "8 eager true", "9 eager false"}));
  EXPECT_EQ(c.conditionals[0].layers[1].via, "");
}

TEST(Evaluation, WhatOthersNeedAsWellIsShared) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *common = n.addSoftMax(x)->getOutput(0);
  auto *in = c->addInput(*common)->getOutput(0);
  auto *t = n.addElementWise(*in, *common, ElementWiseOperation::kSUM)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *common)->getOutput(0));
}
)");
  EXPECT_EQ(layersOf(c), (Layers{"7 shared ", "9 lazy true"}));
}

TEST(Evaluation, NestingFollowsFromTheFlowOfValues) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *xo = outer->addInput(x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(q);
  auto *xi = inner->addInput(*xo)->getOutput(0);
  auto *t = n.addUnary(*xi, UnaryOperation::kEXP)->getOutput(0);
  auto *joined = inner->addOutput(*t, *xi)->getOutput(0);
  n.markOutput(*outer->addOutput(*xo, *joined)->getOutput(0));
}
)");
  ASSERT_EQ(c.conditionals.size(), 2U);
  EXPECT_EQ(c.conditionals[0].inside, "");
  EXPECT_EQ(c.conditionals[1].inside, c.conditionals[0].path);
  EXPECT_EQ(c.conditionals[1].insideBranch, "false");
  EXPECT_EQ(layersOf(c, 1), Layers{"11 lazy true"});
}

std::string edited(const std::string &code, const Fix &fix) {
  std::vector<std::string> lines(1);
  for (char c : code)
    c == '\n' ? lines.emplace_back() : lines.back() += std::string(1, c);
  for (auto e = fix.edits.rbegin(); e != fix.edits.rend(); ++e)
    lines.at(e->at.line - 1).insert(e->at.column - 1, e->text);
  std::string out;
  for (const std::string &line : lines)
    out += line + '\n';
  return out;
}

TEST(Evaluation, RoutingTheRawTensorMakesTheBranchLazy) {
  const std::string code = R"(#include <NvInfer.h>
using namespace nvinfer1;
void f(INetworkDefinition &n, ITensor &p, ITensor *x, ITensor &y) {
  auto *gate = n.addIfConditional();
  gate->setCondition(p);
  auto *in = gate->addInput(y)->getOutput(0);
  auto *sum = n.addElementWise(*x, y, ElementWiseOperation::kSUM)->getOutput(0);
  auto *t = n.addUnary(*sum, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*gate->addOutput(*t, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
)";
  const Checked before = checkNetwork(code, 1013);
  const Finding eager = before.of("branch-eager");
  ASSERT_EQ(eager.fixes.size(), 1U);
  ASSERT_EQ(eager.fixes[0].edits.size(), 4U);
  const std::string cured = edited(code, eager.fixes[0]);
  EXPECT_NE(cured.find("n.addElementWise(*gate->addInput(*x)->getOutput(0), *gate->addInput(y)->getOutput(0), "),
            std::string::npos)
      << cured;
  const Checked after = checkNetwork(cured, 1013);
  EXPECT_TRUE(after.compiled);
  EXPECT_TRUE(after.findings.empty()) << after.findings.front().message;
}

TEST(Evaluation, WhereTheConditionalCannotBeNamedTheRepairIsWordsAlone) {
  const auto editsOf = [](const std::string &function) {
    const Finding f = check(function).of("branch-eager");
    return f.fixes.empty() ? std::size_t{99} : f.fixes[0].edits.size();
  };
  // Before the conditional.
  EXPECT_EQ(editsOf(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *t = n.addUnary(x, UnaryOperation::kEXP)->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  n.markOutput(*c->addOutput(*t, x)->getOutput(0));
}
)"),
            0U);
  // In a function that others call too.
  EXPECT_EQ(editsOf(R"(
static ITensor *exp(INetworkDefinition &n, ITensor &x) { return n.addUnary(x, UnaryOperation::kEXP)->getOutput(0); }
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  n.markOutput(*c->addOutput(*exp(n, x), x)->getOutput(0));
}
)"),
            0U);
  // Its variable is another's by then.
  EXPECT_EQ(editsOf(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *first = c;
  c = nullptr;
  n.markOutput(*first->addOutput(*n.addUnary(x, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
)"),
            0U);
}

// Read outside by mistake it is needed there, and the mistake is branch-leak's.
TEST(Evaluation, WhatLeaksIsNotEagerForAnother) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  auto *y = c->addOutput(*t, x)->getOutput(0);
  auto *d = n.addIfConditional();
  d->setCondition(p);
  auto *u = n.addUnary(*d->addInput(*t)->getOutput(0), UnaryOperation::kNEG)->getOutput(0);
  n.markOutput(*d->addOutput(*u, *y)->getOutput(0));
}
)");
  ASSERT_EQ(c.findings.size(), 1U);
  EXPECT_EQ(c.findings[0].rule, "branch-leak");
}

TEST(Evaluation, WithoutAnOutputNoInputIsBlamed) {
  const Checked c = check(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  c->addInput(x);
  n.markOutput(x);
}
)");
  ASSERT_EQ(c.findings.size(), 1U);
  EXPECT_EQ(c.findings[0].rule, "output-none");
}

} // namespace
} // namespace condlint::test
