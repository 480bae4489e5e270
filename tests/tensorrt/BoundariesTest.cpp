//===- BoundariesTest.cpp - What may decide a construct, and leave it ----- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

// A condition comes from recurrences of its own loop; what these get in a trip may come from anywhere.
TEST(LoopTripType, L2OfACondition) {
  expectNone(R"(
ITensor *less(INetworkDefinition &n, ITensor &a, ITensor &b) {
  return n.addElementWise(a, b, ElementWiseOperation::kLESS)->getOutput(0);
}
ITensor *sum(INetworkDefinition &n, ITensor &a, ITensor &b) {
  return n.addElementWise(a, b, ElementWiseOperation::kSUM)->getOutput(0);
}
void byIterator(INetworkDefinition &n, ITensor &) {
  auto *xs = n.addInput("xs", DataType::kFLOAT, Dims{1, {8}});
  auto *top = n.addInput("top", DataType::kFLOAT, Dims{0, {}});
  auto *loop = n.addLoop();
  auto *r = loop->addRecurrence(*top);
  auto *x = loop->addIterator(*xs)->getOutput(0);
  r->setInput(1, *sum(n, *r->getOutput(0), *x));
  loop->addTripLimit(*less(n, *x, *top), TripLimit::kWHILE); // expect: error loop-trip-type
  n.markOutput(*loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
void byWhatARecurrenceGets(INetworkDefinition &n, ITensor &) {
  auto *xs = n.addInput("xs", DataType::kFLOAT, Dims{1, {8}});
  auto *top = n.addInput("top", DataType::kFLOAT, Dims{0, {}});
  auto *loop = n.addLoop();
  auto *r = loop->addRecurrence(*top);
  auto *x = loop->addIterator(*xs)->getOutput(0);
  r->setInput(1, *sum(n, *r->getOutput(0), *x));
  loop->addTripLimit(*less(n, *r->getOutput(0), *top), TripLimit::kWHILE);
  n.markOutput(*loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
void byTheOuterLoop(INetworkDefinition &n, ITensor &trips) {
  auto *start = n.addInput("start", DataType::kFLOAT, Dims{0, {}});
  auto *outer = n.addLoop();
  outer->addTripLimit(trips, TripLimit::kCOUNT);
  auto *o = outer->addRecurrence(*start);
  auto *inner = n.addLoop();
  auto *i = inner->addRecurrence(*o->getOutput(0));
  i->setInput(1, *sum(n, *i->getOutput(0), *i->getOutput(0)));
  inner->addTripLimit(*less(n, *i->getOutput(0), *o->getOutput(0)), TripLimit::kWHILE); // expect: error loop-trip-type
  o->setInput(1, *inner->addLoopOutput(*i->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
  n.markOutput(*outer->addLoopOutput(*o->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
void byAnInnerLoop(INetworkDefinition &n, ITensor &trips) {
  auto *start = n.addInput("start", DataType::kFLOAT, Dims{0, {}});
  auto *outer = n.addLoop();
  auto *o = outer->addRecurrence(*start);
  auto *inner = n.addLoop();
  inner->addTripLimit(trips, TripLimit::kCOUNT);
  auto *i = inner->addRecurrence(*o->getOutput(0));
  i->setInput(1, *sum(n, *i->getOutput(0), *i->getOutput(0)));
  auto *last = inner->addLoopOutput(*i->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0);
  o->setInput(1, *last);
  outer->addTripLimit(*less(n, *last, *start), TripLimit::kWHILE); // expect: error loop-trip-type
  n.markOutput(*outer->addLoopOutput(*o->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
)");
}

TEST(LoopOutput, L4LengthIsAWholeNumberOfRankZero) {
  expectNone(R"(
void collect(INetworkDefinition &n, ITensor &trips, ITensor &length, int) {
  auto *xs = n.addInput("xs", DataType::kFLOAT, Dims2{8, 4});
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *row = n.addUnary(*loop->addIterator(*xs)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *rows = loop->addLoopOutput(*row, LoopOutput::kCONCATENATE);
  rows->setInput(1, length); // expect: error loop-output
  n.markOutput(*rows->getOutput(0));
}
void real(INetworkDefinition &n, ITensor &trips) {
  collect(n, trips, *n.addInput("length", DataType::kFLOAT, Dims{0, {}}), 0);
}
)");
  expectNone(R"(
void collect(INetworkDefinition &n, ITensor &trips) {
  auto *xs = n.addInput("xs", DataType::kFLOAT, Dims2{8, 4});
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *row = n.addUnary(*loop->addIterator(*xs)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *rows = loop->addLoopOutput(*row, LoopOutput::kCONCATENATE);
  rows->setInput(1, *n.addInput("lengths", DataType::kINT32, Dims{1, {1}})); // expect: error loop-output
  n.markOutput(*rows->getOutput(0));
  auto *backwards = loop->addLoopOutput(*row, LoopOutput::kREVERSE);
  backwards->setInput(1, *n.addInput("length", DataType::kINT64, Dims{0, {}}));
  n.markOutput(*backwards->getOutput(0));
}
)");
}

TEST(BranchLeak, F3AnInputOfTheNetworkIsNoOutput) {
  expectNone(R"(
void build(INetworkDefinition &n, ITensor &given) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 4});
  n.markOutput(*x); // expect: error branch-leak
  n.markOutput(*n.addIdentity(*x)->getOutput(0));
  n.markOutput(given);
}
)");
}

// What is wrong with the layer is that it reads what is not there; where it belongs is another question.
TEST(BranchEager, F1IsToldAlone) {
  expectNone(R"(
void build(INetworkDefinition &n) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 4});
  auto *a = n.addIfConditional();
  a->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
  auto *in = a->addInput(*x)->getOutput(0);
  n.markOutput(*a->addOutput(*n.addUnary(*in, UnaryOperation::kSIN)->getOutput(0), *x)->getOutput(0));
  auto *b = n.addIfConditional();
  b->setCondition(*n.addInput("q", DataType::kBOOL, Dims{0, {}}));
  auto *t = n.addUnary(*in, UnaryOperation::kCOS)->getOutput(0); // expect: error branch-leak
  n.markOutput(*b->addOutput(*t, *x)->getOutput(0));
}
)");
}

TEST(PredicateShape, C2OfAConstant) {
  expectNone(R"(
const bool kYes = true;
void build(INetworkDefinition &n, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(*n.addConstant(Dims{1, {1}}, Weights{DataType::kBOOL, &kYes, 1})->getOutput(0)); // expect: error predicate-shape
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kSIN)->getOutput(0), *in)->getOutput(0));
  auto *d = n.addIfConditional();
  d->setCondition(*n.addConstant(Dims{0, {}}, Weights{DataType::kBOOL, &kYes, 1})->getOutput(0));
  auto *other = d->addInput(x)->getOutput(0);
  n.markOutput(*d->addOutput(*n.addUnary(*other, UnaryOperation::kSIN)->getOutput(0), *other)->getOutput(0));
}
)");
}

} // namespace
} // namespace condlint::test
