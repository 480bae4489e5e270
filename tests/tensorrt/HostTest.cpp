//===- HostTest.cpp - The C++ around a network: texts and virtual calls ------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

void expectNone(const std::string &code, int version = 1013) {
  EXPECT_EQ(differences("#include <NvInfer.h>\n#include <memory>\n#include <string>\n#include <vector>\n"
                        "using namespace nvinfer1;\n" +
                            code,
                        version),
            "");
}

TEST(Host, WhatALayerOrAnObjectIsIsKnown) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
using namespace nvinfer1;
struct Block { virtual ~Block() = default; };
struct Half : Block {};
struct Plain : Block {};
ITensor *made(INetworkDefinition &n, ITensor &x, const Block &b) {
  auto *y = n.addUnary(x, UnaryOperation::kEXP)->getOutput(0);
  if (dynamic_cast<const Half *>(&b))
    y = n.addCast(*y, DataType::kHALF)->getOutput(0);
  return y;
}
void known(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ILayer *l = n.addUnary(*in, UnaryOperation::kEXP);
  ITensor *t = l->getOutput(0);
  if (l->getType() == LayerType::kACTIVATION)
    t = n.addCast(*t, DataType::kHALF)->getOutput(0);
  if (l->getType() != LayerType::kUNARY || dynamic_cast<IActivationLayer *>(l))
    t = n.addCast(*t, DataType::kHALF)->getOutput(0);
  if (in->isNetworkInput() || !x->isNetworkInput())
    t = n.addCast(*t, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *made(n, *in, Plain{}))->getOutput(0));
  n.markOutput(*c->addOutput(*made(n, *in, Half{}), *made(n, *in, Plain{}))->getOutput(0)); // expect: error output-dtype
}
)"),
            "");
}

TEST(Text, ItsCharactersAreKnown) {
  expectNone(R"(
ITensor *block(INetworkDefinition &n, ITensor &x, char kind) {
  return kind == 'h' ? n.addCast(x, DataType::kHALF)->getOutput(0) : n.addUnary(x, UnaryOperation::kABS)->getOutput(0);
}
void build(INetworkDefinition &n, ITensor &p, const std::string &given) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  const std::string kinds = "afh";
  std::string changed = kinds;
  changed[2] = 'f';
  const char *literal = "fh";
  ITensor *last = in;
  for (char kind : kinds)
    last = block(n, *last, kind);
  const auto a = [&] { return block(n, *in, kinds.front()); };
  n.markOutput(*c->addOutput(*a(), *block(n, *in, changed.back()))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, changed.at(1)))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, literal[0]))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *block(n, *in, *literal))->getOutput(0));
  n.markOutput(*c->addOutput(*a(), *last)->getOutput(0)); // expect: error output-dtype
  n.markOutput(*c->addOutput(*a(), *block(n, *in, kinds[2]))->getOutput(0)); // expect: error output-dtype
  n.markOutput(*c->addOutput(*a(), *block(n, *in, literal[1]))->getOutput(0)); // expect: error output-dtype
}
)");
}

// Each builds a layer of its number's size in one branch, and of the number that C++ yields in the other.
TEST(HostNumbers, AreRoundedToTheirTypes) {
  expectNone(R"(
#include <cmath>
#include <cstdint>
#include <set>
int width(int x, float gain, int divisor) { return int(std::ceil((x * gain) / divisor)) * divisor; }
int tenths() { float e = 0.7f; return int(e * 10); }
int same() { float a = 0.1f; float b = a * 3; return b == 0.3f ? 4 : 5; }
int doubled() { float f = 16777216.f; f += 1; return f == 16777216.f ? 6 : 7; }
int wrapped() { unsigned char c = 255; c++; return c + 1; }
int negative() { int8_t c = 127; ++c; return c + 130; }
int unique() { std::set<int> s{3, 1, 3}; return int(s.size()); }
int lowest() { std::set<int> s{3, 1, 2}; s.insert(0); return *s.begin() + 1; }
int joined() { std::set<std::string> s{"b", "a", "b"}; std::string all; for (const auto &t : s) all += t; return all == "ab" ? 1 : 2; }
void sized(INetworkDefinition &n, IIfConditional &c, ITensor &x, int a, int b) {
  auto part = [&](int k) { return n.addSlice(x, Dims{1, {0}}, Dims{1, {k}}, Dims{1, {1}})->getOutput(0); };
  n.markOutput(*c.addOutput(*part(a), *part(b))->getOutput(0)); // expect: error output-shape
}
void build(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *x = c->addInput(*n.addInput("x", DataType::kFLOAT, Dims{1, {64}}))->getOutput(0);
  auto part = [&](int k) { return n.addSlice(*x, Dims{1, {0}}, Dims{1, {k}}, Dims{1, {1}})->getOutput(0); };
  n.markOutput(*c->addOutput(*part(width(80, 0.1f, 8)), *part(8))->getOutput(0));
  n.markOutput(*c->addOutput(*part(tenths()), *part(7))->getOutput(0));
  n.markOutput(*c->addOutput(*part(same()), *part(4))->getOutput(0));
  n.markOutput(*c->addOutput(*part(doubled()), *part(6))->getOutput(0));
  n.markOutput(*c->addOutput(*part(wrapped()), *part(1))->getOutput(0));
  n.markOutput(*c->addOutput(*part(negative()), *part(2))->getOutput(0));
  n.markOutput(*c->addOutput(*part(unique()), *part(2))->getOutput(0));
  n.markOutput(*c->addOutput(*part(lowest()), *part(1))->getOutput(0));
  n.markOutput(*c->addOutput(*part(joined()), *part(1))->getOutput(0));
  sized(n, *c, *x, width(80, 0.1f, 8), 16);
}
)",
             1003);
}

// A loop of unknown length is run for two trips: what they build is a network that the code may build.
TEST(HostLoops, CarryATensorOn) {
  expectNone(R"(
void skipped(INetworkDefinition &n, int layers, const std::vector<ITensor *> &gates) {
  ITensor *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 64});
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional();
    c->setCondition(*gates[i]);
    auto *in = c->addInput(*x)->getOutput(0);
    auto *t = n.addUnary(*x, UnaryOperation::kEXP)->getOutput(0); // expect: warning branch-eager
    x = c->addOutput(*t, *in)->getOutput(0);
  }
  n.markOutput(*x);
}
void cast(INetworkDefinition &n, const std::vector<ITensor *> &gates) {
  ITensor *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 64});
  for (auto *gate : gates) {
    auto *c = n.addIfConditional();
    c->setCondition(*gate);
    auto *in = c->addInput(*x)->getOutput(0);
    auto *h = n.addCast(*in, DataType::kHALF)->getOutput(0);
    x = c->addOutput(*in, *h)->getOutput(0); // expect: error output-dtype
  }
  n.markOutput(*x);
}
)");
}

TEST(HostLoops, FillLists) {
  expectNone(R"(
void reduced(INetworkDefinition &n, ITensor &p, int count) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<ITensor *> parts;
  for (int i = 0; i < count; ++i)
    parts.push_back(n.addUnary(*in, UnaryOperation::kABS)->getOutput(0));
  auto *all = n.addConcatenation(parts.data(), static_cast<int>(parts.size()));
  all->setAxis(0);
  auto *sum = n.addReduce(*all->getOutput(0), ReduceOperation::kSUM, 1, false)->getOutput(0);
  n.markOutput(*c->addOutput(*sum, *in)->getOutput(0)); // expect: error output-rank
}
void phases(INetworkDefinition &n, int layers) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  std::vector<IIfConditional *> conds;
  std::vector<ITensor *> ins;
  for (int i = 0; i < layers; ++i) {
    auto *p = n.addInput(("p" + std::to_string(i)).c_str(), DataType::kBOOL, Dims{0, {}});
    conds.push_back(n.addIfConditional());
    conds.back()->setCondition(*p);
    ins.push_back(conds.back()->addInput(*x)->getOutput(0));
  }
  for (int i = 0; i < layers; ++i) {
    auto *y = n.addReduce(*ins[i], ReduceOperation::kSUM, 2, false)->getOutput(0);
    n.markOutput(*conds[i]->addOutput(*y, *ins[i])->getOutput(0)); // expect: error output-rank
  }
}
)",
             1003);
}

// How many trips there are decides nothing: sizes that they add up to, what a loop looks for, or how often a layer is
// added.
TEST(HostLoops, WhatHangsOnTheNumberOfTripsIsNotKnown) {
  expectNone(R"(
void sizes(INetworkDefinition &n, ITensor &p, int heads) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<ITensor *> parts;
  int64_t width = 0;
  for (int i = 0; i < heads; ++i, width += 64)
    parts.push_back(n.addUnary(*in, UnaryOperation::kABS)->getOutput(0));
  auto *all = n.addConcatenation(parts.data(), static_cast<int>(parts.size()));
  all->setAxis(1);
  auto *wide = n.addConstant(Dims2{1, 512}, Weights{DataType::kFLOAT, nullptr, 512})->getOutput(0);
  n.markOutput(*c->addOutput(*all->getOutput(0), *wide)->getOutput(0));
  auto *zeros = n.addFill(Dims2{1, width}, FillOperation::kLINSPACE, DataType::kFLOAT)->getOutput(0);
  n.markOutput(*c->addOutput(*zeros, *n.addUnary(*wide, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
void grows(INetworkDefinition &n, ITensor &p, int layers) {
  ITensor *h = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  for (int i = 0; i < layers; ++i) {
    ITensor *two[] = {h, h};
    auto *l = n.addConcatenation(two, 2);
    l->setAxis(1);
    h = l->getOutput(0);
  }
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*h)->getOutput(0);
  auto *k = n.addConstant(Dims2{1, 1024}, Weights{DataType::kFLOAT, nullptr, 1024})->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *k)->getOutput(0));
}
void named(INetworkDefinition &n, ITensor &p, int count) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  std::string name = "n";
  for (int i = 0; i < count; ++i, name += "x")
    x = n.addUnary(*x, UnaryOperation::kABS)->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *y = in;
  if (name == "nxxx")
    y = n.addCast(*in, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*y, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
bool isCondition(ITensor &t);
void finds(INetworkDefinition &n, const std::vector<std::string> &names) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 64});
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing
  for (const std::string &name : names) {
    auto *t = n.addInput(name.c_str(), DataType::kBOOL, Dims{0, {}});
    if (name == "condition")
      c->setCondition(*t);
  }
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
  ITensor *found = nullptr;
  for (int i = 0; i < n.getNbInputs(); ++i)
    if (isCondition(*n.getInput(i)))
      found = n.getInput(i);
  auto *d = n.addIfConditional();
  d->setCondition(*found);
  auto *on = d->addInput(*x)->getOutput(0);
  n.markOutput(*d->addOutput(*n.addUnary(*on, UnaryOperation::kABS)->getOutput(0), *on)->getOutput(0));
}
)",
             1003);
}

// What is opened for the next round only where there is one is completed in it.
TEST(HostLoops, TheLastTripIsKnownToBeTheLast) {
  expectNone(R"(
IIfConditional *open(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  return c;
}
ITensor *round(INetworkDefinition &n, IIfConditional *c, ITensor &x) {
  auto *in = c->addInput(x)->getOutput(0);
  return c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
}
void counted(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  ITensor *t = &x, *u = &x, *v = &x, *w = &x;
  auto *c = open(n, p);
  for (int i = 0; i < k; ++i) {
    t = round(n, c, *t);
    if (i + 1 < k)
      c = open(n, p);
  }
  auto *d = open(n, p);
  for (int i = 0; i != k; ++i) {
    u = round(n, d, *u);
    const bool last = i == k - 1;
    if (!last)
      d = open(n, p);
  }
  auto *e = open(n, p);
  int i = 0;
  while (i < k) {
    v = round(n, e, *v);
    ++i;
    if (i != k)
      e = open(n, p);
  }
  auto *f = open(n, p);
  for (int left = k; left > 0; --left) {
    w = round(n, f, *w);
    if (left > 1)
      f = open(n, p);
  }
  for (auto *each : {t, u, v, w})
    n.markOutput(*each);
}
void never(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  ITensor *t = &x;
  auto *d = open(n, p);
  for (int i = 0; i < k; ++i) {
    t = round(n, d, *t);
    if (i + 1 < k)
      d = n.addIfConditional(); // expect: error predicate-missing
  }
  n.markOutput(*t);
}
)");
}

TEST(HostLoops, OneWithoutAnEndIsLeftWhereItsBodyLeavesIt) {
  expectNone(R"(
bool more();
IIfConditional *open(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  return c;
}
ITensor *round(INetworkDefinition &n, IIfConditional *c, ITensor &x) {
  auto *in = c->addInput(x)->getOutput(0);
  return c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
}
ITensor *counted(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  ITensor *t = &x;
  auto *c = open(n, p);
  for (int i = 1;; ++i) {
    t = round(n, c, *t);
    if (i == k)
      return t;
    c = open(n, p);
  }
}
void asked(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  ITensor *t = counted(n, p, x, k);
  auto *c = open(n, p);
  while (true) {
    t = round(n, c, *t);
    if (!more())
      break;
    c = open(n, p);
  }
  n.markOutput(*t);
}
void lacking(INetworkDefinition &n, ITensor &x, int k) {
  ITensor *t = &x;
  for (int i = 0;;) {
    t = round(n, n.addIfConditional(), *t); // expect: error predicate-missing
    if (++i >= k)
      break;
  }
  n.markOutput(*t);
}
)");
}

TEST(Virtual, TheBodyOfTheObjectsOwnClassBuilds) {
  expectNone(R"(
struct Block {
  virtual ~Block() = default;
  virtual ITensor *build(INetworkDefinition &n, ITensor &x) const { return n.addCast(x, DataType::kHALF)->getOutput(0); }
};
struct Abs : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kABS)->getOutput(0); }
};
struct Neg final : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kNEG)->getOutput(0); }
};
ITensor *either(INetworkDefinition &n, ITensor &p, ITensor &x, const Block &yes, const Block &no) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *a = yes.build(n, *in);
  auto *b = no.build(n, *in);
  return c->addOutput(*a, *b)->getOutput(0); // expect: error output-dtype
}
void wrong(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  n.markOutput(*either(n, p, *x, Abs(), Block()));
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<Abs>());
  blocks.push_back(std::make_unique<Neg>());
  n.markOutput(*either(n, p, *x, *blocks[0], *blocks[1]));
}
)");
}

// What a reference from outside names may be of any class that overrides; a final one is just that.
TEST(Virtual, OfAnObjectFromOutsideOnlyAFinalBodyIsKnown) {
  expectNone(R"(
struct Block {
  virtual ~Block() = default;
  virtual ITensor *build(INetworkDefinition &n, ITensor &x) const { return n.addCast(x, DataType::kHALF)->getOutput(0); }
};
struct Neg final : Block {
  ITensor *build(INetworkDefinition &n, ITensor &x) const override { return n.addUnary(x, UnaryOperation::kNEG)->getOutput(0); }
};
void open(INetworkDefinition &n, ITensor &p, const Block &block) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype, output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = block.build(n, *in);
  n.markOutput(*c->addOutput(*a, *in)->getOutput(0));
}
void final(INetworkDefinition &n, ITensor &p, const Neg &block) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = block.build(n, *in);
  n.markOutput(*c->addOutput(*a, *n.addCast(*in, DataType::kHALF)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
)");
}

// A condition that constants decide by a function that is not worked out is no choice; and what is
// written through a span is written to what it was made of.
TEST(Host, WhatConstantsDecideIsNoChoiceAndSpansHoldPlaces) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <span>
#include <vector>
using namespace nvinfer1;
bool equal(const Dims &a, const Dims &b) { return a.nbDims == b.nbDims && std::equal(a.d, a.d + a.nbDims, b.d); }
void build(INetworkDefinition &n, ITensor &p, bool half) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  if (half)
    a = n.addCast(*a, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
void same(INetworkDefinition &n, ITensor &p) { build(n, p, !equal(Dims2{2, 3}, Dims2{2, 3})); }
void given(INetworkDefinition &n, ITensor &p, bool half) { build(n, p, half); }
void enter(IIfConditional &c, std::span<ITensor *> ts) {
  for (auto &t : ts)
    t = c.addInput(*t)->getOutput(0);
}
void entered(INetworkDefinition &n, ITensor &p) {
  std::vector<ITensor *> v{n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("y", DataType::kFLOAT, Dims2{2, 3})};
  auto *c = n.addIfConditional();
  c->setCondition(p);
  enter(*c, v);
  n.markOutput(*c->addOutput(*n.addUnary(*v[0], UnaryOperation::kABS)->getOutput(0),
                             *n.addUnary(*v[1], UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
)",
                        1013),
            "");
}

/// A network in which the branches part where \p question is true, with what is expected of the conditional and of
/// its output.
std::string asking(const std::string &question, const std::string &conditional, const std::string &output) {
  return R"(void build(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional(); // )" +
         conditional + R"(
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *l = n.addReduce(*in, ReduceOperation::kSUM, 2U, true);
  l->setName("sum");
  auto *m = n.addMatrixMultiply(*in, MatrixOperation::kNONE, *in, MatrixOperation::kTRANSPOSE);
  auto *s = n.addSlice(*in, Dims2{0, 0}, Dims2{1, 3}, Dims2{1, 1});
  ITensor *a = l->getOutput(0), *b = n.addReduce(*in, ReduceOperation::kMAX, 2U, true)->getOutput(0);
  b->setName("greatest");
  if ()" +
         question + R"()
    a = n.addCast(*a, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // )" +
         output + "\n}\n";
}

TEST(Getters, AnswerWhatWasSet) {
  for (const char *question :
       {"l->getReduceAxes() == 2U", "l->getKeepDimensions()", "m->getOperation(1) == MatrixOperation::kTRANSPOSE",
        "s->getSize().d[1] == 3", "n.addCast(*a, DataType::kHALF)->getToType() == DataType::kHALF",
        "std::string(l->getName()) == \"sum\"", "std::string(x->getName()) == \"x\"",
        "std::string(b->getName()) == \"greatest\"", "DimsHW(3, 4).w() == 4", "x->isNetworkInput()"}) {
    expectNone(asking(question, "", "expect: error output-dtype"));
    expectNone(asking("!(" + std::string(question) + ")", "", ""));
  }
}

// What they do not know is fixed by the code, and nobody's choice.
// The layers, inputs and outputs of a network that is made here.
TEST(Getters, ListWhatTheNetworkHas) {
  expectNone(R"(
ITensor *branch(INetworkDefinition &n, int blocks) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  n.addInput("x", DataType::kFLOAT, Dims2{4, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*n.getInput(0));
  auto *in = c->addInput(*n.getInput(n.getNbInputs() - 1))->getOutput(0);
  ITensor *t = in;
  for (int i = 0; i < blocks; ++i)
    t = n.addUnary(*t, UnaryOperation::kABS)->getOutput(0);
  return c->addOutput(*n.addReduce(*t, ReduceOperation::kSUM, 1, true)->getOutput(0), *in)->getOutput(0);
}
void walk(INetworkDefinition &n) {
  for (int i = 0; i < n.getNbLayers(); ++i) {
    ILayer *l = n.getLayer(i);
    if (l->getType() == LayerType::kREDUCE)
      static_cast<IReduceLayer *>(l)->setKeepDimensions(false);
  }
}
void all(IBuilder &b) {
  auto &n = *b.createNetworkV2(0);
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  c->addOutput(*n.addReduce(*in, ReduceOperation::kSUM, 1, true)->getOutput(0), *in); // expect: error output-rank
  walk(n);
  for (int i = 0; i < n.getNbLayers(); ++i)
    if (n.getLayer(i)->getType() == LayerType::kCONDITIONAL_OUTPUT)
      n.markOutput(*n.getLayer(i)->getOutput(0));
}
void some(IBuilder &b, int blocks) {
  auto &n = *b.createNetworkV2(0);
  n.markOutput(*branch(n, blocks));
  walk(n);
}
void given(INetworkDefinition &n) {
  n.markOutput(*branch(n, 1));
  walk(n);
}
)",
             1003);
}

// Of a network from outside nobody knows which layers a walk meets; inputs are none.
TEST(Getters, AWalkOfANetworkFromOutsideMayMeetAnyLayer) {
  for (const char *body : {"n.getLayer(i)->setOutputType(0, DataType::kHALF);",
                           "if (n.getLayer(i)->getType() == LayerType::kUNARY)"
                           "  n.getLayer(i)->setOutputType(0, DataType::kHALF);",
                           "if (n.getLayer(i)->getNbOutputs() > 0)"
                           "  n.getLayer(i)->getOutput(0)->setType(DataType::kHALF);"}) {
    const std::string code = std::string(R"(
void f(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 3});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addCast(*in, DataType::kHALF)->getOutput(0);
  for (int i = 0; i < n.getNbLayers(); ++i) {
    )") + body + R"(
  }
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
  auto *d = n.addIfConditional();
  d->setCondition(*x); // expect: error predicate-dtype; error predicate-shape
  auto *e = d->addInput(*x)->getOutput(0);
  n.markOutput(*d->addOutput(*n.addCast(*e, DataType::kFLOAT)->getOutput(0), *e)->getOutput(0));
}
)";
    expectNone(code, 1003);
  }
}

TEST(Getters, WhatTheyDoNotKnowIsNoChoice) {
  for (const char *question : {"n.getNbLayers() == 4", "n.getNbInputs() != 2", "m->getPrecision() == DataType::kHALF",
                               "std::string(m->getName()) == \"product\""})
    expectNone(asking(question, "expect-unknown: output-dtype", ""));
}

// The handler is followed where the block ends in what it catches for certain, and only there.
TEST(Host, AnExceptionThatIsThrownIsCaught) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <stdexcept>
#include <vector>
using namespace nvinfer1;
bool isLarge(int k) {
  try {
    if (k > 2)
      throw std::runtime_error("large");
    return false;
  } catch (const std::logic_error &) {
    return false;
  } catch (const std::exception &) {
    return true;
  }
}
void build(INetworkDefinition &n, ITensor &p, bool half) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  if (half)
    a = n.addCast(*a, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
void caught(INetworkDefinition &n, ITensor &p) { build(n, p, !isLarge(3)); }
void notThrown(INetworkDefinition &n, ITensor &p) { build(n, p, isLarge(2)); }
void thrown(INetworkDefinition &n, ITensor &p) { build(n, p, isLarge(4)); }
void thrownAgain(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  try {
    try {
      throw 1;
    } catch (int) {
      throw;
    }
  } catch (int code) {
    if (code != 1)
      a = n.addCast(*a, DataType::kHALF)->getOutput(0);
  }
  n.markOutput(*c->addOutput(*a, *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
void largest(INetworkDefinition &n, ITensor &p) {
  const std::vector<int> sizes{1, 3, 2};
  build(n, p, *std::max_element(sizes.begin(), sizes.end()) != 3);
}
)",
                        1013),
            "");
}

TEST(Host, ATextThatSaysANumberIsRead) {
  const auto verdictOf = [](const std::string &condition) {
    return checkNetwork("#include <NvInfer.h>\n#include <cstdlib>\n#include <string>\nusing namespace nvinfer1;\n"
                        "void f(INetworkDefinition &n, ITensor &p, const std::string &given) {\n"
                        "  auto *c = n.addIfConditional();\n  c->setCondition(p);\n"
                        "  auto *in = c->addInput(*n.addInput(\"x\", DataType::kFLOAT, Dims2{2, 3}))->getOutput(0);\n"
                        "  ITensor *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);\n  if (" +
                            condition +
                            ")\n    a = n.addCast(*a, DataType::kHALF)->getOutput(0);\n"
                            "  n.markOutput(*c->addOutput(*a, *in)->getOutput(0));\n}\n",
                        1003)
        .conditionals.front()
        .verdicts.find("output-dtype")
        ->second;
  };
  for (const char *isFalse : {"std::stoi(\"42\") != 42", "std::stol(\" -7 rows\") != -7", "std::stoul(\"+3\") != 3",
                              "atoi(\"12\") != 12", "std::stod(\"0.25\") != 0.25", "std::stof(\"0.1\") != 0.1f"})
    EXPECT_EQ(verdictOf(isFalse), Verdict::Proved) << isFalse;
  EXPECT_EQ(verdictOf("std::stoi(std::string(\"16\")) == 16"), Verdict::Violated);
  // What ends in an exception, is read in another base, or is not known.
  for (const char *open :
       {"std::stoi(\"x\") == 1", "std::stoi(\"99999999999\") == 1", "std::stoi(\"ff\", nullptr, 16) == 1"})
    EXPECT_EQ(verdictOf(open), Verdict::Unknown) << open;
  EXPECT_EQ(verdictOf("std::stoi(given) == 1"), Verdict::Possible);
}

// What a stream is read into, what an inserter grows and what code that is not seen may set is not
// what it was.
TEST(Host, WhatIsReadOrPutIsNotWhatItWas) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>
using namespace nvinfer1;
void build(INetworkDefinition &n, ITensor &p, int w, int h) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, -1});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addSlice(*in, Dims2{0, 0}, Dims2{h, w}, Dims2{1, 1})->getOutput(0);
  auto *b = n.addSlice(*in, Dims2{1, 1}, Dims2{h, 8}, Dims2{1, 1})->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
void read(INetworkDefinition &n, ITensor &p) {
  int w = 0, h = 0;
  std::ifstream f("sizes");
  f >> w >> h;
  build(n, p, w, h);
}
void put(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{8, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<int> sizes, more;
  std::fill_n(std::back_inserter(sizes), 2, 4);
  std::move(sizes.begin(), sizes.end(), std::back_inserter(more));
  auto *a = n.addSlice(*in, Dims2{0, 0}, Dims2{sizes[0], more[1]}, Dims2{1, 1})->getOutput(0);
  auto *b = n.addSlice(*in, Dims2{1, 1}, Dims2{4, 5}, Dims2{1, 1})->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // expect: error output-shape
}
int size = 0;
void touch();
void set(INetworkDefinition &n, ITensor &p) {
  size = 8;
  touch();
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{8, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addSlice(*in, Dims2{0, 0}, Dims2{4, 8}, Dims2{1, 1})->getOutput(0);
  auto *b = n.addSlice(*in, Dims2{1, 1}, Dims2{4, size}, Dims2{1, 1})->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
)",
                        1003),
            "");
}

// A function that some code calls comes back to it wherever it returns; the code that builds ends where it
// returns itself, and both where nothing comes back.
TEST(Host, AFunctionThatReturnsEarlyGivesWhatItReturns) {
  expectNone(R"(
struct Options { int mode; bool isHalf() const { if (mode > 3) return true; return false; } };
bool isWanted(const Options &o) {
  if (o.mode > 3)
    return true;
  return false;
}
int level(int mode) {
  if (mode > 8)
    return 2;
  if (mode > 3)
    return 1;
  throw mode;
}
void options(INetworkDefinition &n, ITensor &p, ITensor &x, const Options &o, int asked) {
  auto *c = n.addIfConditional();
  if (isWanted(o))
    c->setCondition(p);
  if (!isWanted(o))
    c->setCondition(*n.addUnary(p, UnaryOperation::kNOT)->getOutput(0));
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  auto *z = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  if (level(o.mode) == 3)
    y = n.addCast(*y, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*y, *z)->getOutput(0));
}
ITensor *part(INetworkDefinition &n, IIfConditional &c, ITensor &x, bool known) {
  auto *in = c.addInput(x)->getOutput(0);
  if (!known)
    return nullptr;
  return c.addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0);
}
void failing(INetworkDefinition &n, ITensor &p, ITensor &x, bool known) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  if (auto *y = part(n, *c, x, known))
    n.markOutput(*y);
}
void method(INetworkDefinition &n, ITensor &p, ITensor &x, const Options &o) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  auto *z = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  if (o.isHalf())
    y = n.addCast(*y, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*y, *z)->getOutput(0)); // expect: error output-dtype
}
void number(INetworkDefinition &n, ITensor &p, ITensor &x, int mode) {
  auto *c = n.addIfConditional();
  const int found = level(mode);
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  auto *z = n.addCast(*in, DataType::kFLOAT)->getOutput(0);
  if (found == 2)
    y = n.addCast(*y, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*y, *z)->getOutput(0)); // expect: error output-dtype
}
)");
}

TEST(Host, AFunctionThatCallsItselfIsNotFollowedForEver) {
  expectNone(R"(
int fib(int v) {
  if (v < 2)
    return v;
  return fib(v - 1) + fib(v - 2);
}
void build(INetworkDefinition &n, ITensor &p, ITensor &x, int v) {
  const int unused = fib(v);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *y = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*y, x)->getOutput(0));
  n.markOutput(*y); // expect: error branch-leak
}
)");
}

} // namespace
} // namespace condlint::test
