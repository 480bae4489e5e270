//===- ConditionalsTest.cpp - The rules on conditionals of networks, both sides -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

TEST(PredicateMissing, C1SetOnceOrGivenAway) {
  expectNone(R"(
void never(INetworkDefinition &n, ITensor &x) {
  auto *c = n.addIfConditional(); // expect: error predicate-missing
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), *in)->getOutput(0));
}
void onOneOfTwoWays(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x, bool first) {
  auto *c = n.addIfConditional();
  if (first)
    c->setCondition(p);
  else
    c->setCondition(q);
  n.markOutput(*c->addOutput(*n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
void checked(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  if (!c || !c->setCondition(p))
    return;
  n.markOutput(*c->addOutput(*n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
void elsewhere(IIfConditional *c);
void givenAway(INetworkDefinition &n) {
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing, output-none
  elsewhere(c);
}
struct Keeper {
  IIfConditional *kept;
  void open(INetworkDefinition &n) { kept = n.addIfConditional(); } // expect-unknown: predicate-missing, output-none
};
)");
}

TEST(Escapes, WhatTheObjectOrAnArgumentHolds) {
  expectNone(R"(
struct Gate {
  INetworkDefinition *network;
  IIfConditional *gate = nullptr;
  void branches(); // elsewhere
  void close() const;
  void build(ITensor &p) {
    gate = network->addIfConditional();
    gate->setCondition(p);
    branches();
  }
  void predicate();
  void later(ITensor &x) {
    gate = network->addIfConditional();
    predicate();
    auto *i = gate->addInput(x)->getOutput(0);
    network->markOutput(*gate->addOutput(*network->addUnary(*i, UnaryOperation::kEXP)->getOutput(0), *i)->getOutput(0));
  }
};
struct Context {
  INetworkDefinition *network;
  IIfConditional *gate;
};
void finish(Context &context);
void byReference(INetworkDefinition &n, ITensor &p) {
  Context context{&n, n.addIfConditional()};
  context.gate->setCondition(p);
  finish(context);
}
// Nobody else gets at this one.
void notHanded(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional(); // expect: error output-none
  c->setCondition(p);
  n.setName("gated");
}
)");
}

TEST(Escapes, DestructorsMayFinishWhatTheyHold) {
  expectNone(R"(
struct Scope {
  INetworkDefinition &network;
  IIfConditional *gate;
  ITensor *yes = nullptr, *no = nullptr;
  Scope(INetworkDefinition &n, ITensor &p) : network(n), gate(n.addIfConditional()) { gate->setCondition(p); }
  ~Scope() { network.markOutput(*gate->addOutput(*yes, *no)->getOutput(0)); }
};
void closed(INetworkDefinition &n, ITensor &p, ITensor &x) {
  Scope s(n, p);
  auto *i = s.gate->addInput(x)->getOutput(0);
  s.yes = n.addUnary(*i, UnaryOperation::kEXP)->getOutput(0);
  s.no = i;
}
struct Plain {
  IIfConditional *gate;
  ~Plain() {}
};
void leftOpen(INetworkDefinition &n, ITensor &p) {
  Plain s{n.addIfConditional()}; // expect: error output-none
  s.gate->setCondition(p);
}
)");
}

TEST(Escapes, WhoGetsTheConditionMayLeadItsTensorsOut) {
  expectNone(R"(
void closeGate(IIfConditional *c, ITensor *yes, ITensor *no);
void closedElsewhere(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *i = c->addInput(x)->getOutput(0);
  closeGate(c, n.addUnary(*i, UnaryOperation::kEXP)->getOutput(0), i);
}
void used(ITensor *t);
void leaked(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *i = c->addInput(x)->getOutput(0);
  auto *t = n.addUnary(*i, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *i)->getOutput(0));
  n.markOutput(*t); // expect: error branch-leak
  closeGate(c, t, i);
}
)");
}

TEST(Outputs, MarkedForShapes) {
  expectNone(R"(
void shapes(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *i = c->addInput(*n.addShape(x)->getOutput(0))->getOutput(0);
  n.markOutputForShapes(*c->addOutput(*n.addElementWise(*i, *i, ElementWiseOperation::kSUM)->getOutput(0), *i)->getOutput(0));
}
void interior(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *i = c->addInput(*n.addShape(x)->getOutput(0))->getOutput(0);
  auto *t = n.addElementWise(*i, *i, ElementWiseOperation::kSUM)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *i)->getOutput(0));
  n.markOutputForShapes(*t); // expect: error branch-leak
}
)");
}

TEST(PredicateDtype, C2C3AScalarBool) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &x, ITensor &anything) {
  auto *p = n.addInput("p", DataType::kINT32, Dims{1, {1}});
  auto *c = n.addIfConditional();
  c->setCondition(*p); // expect: error predicate-dtype; error predicate-shape
  n.markOutput(*c->addOutput(x, *n.addIdentity(*c->addInput(x)->getOutput(0))->getOutput(0))->getOutput(0));
  auto *d = n.addIfConditional(); // expect-unknown: predicate-dtype, predicate-shape
  d->setCondition(anything);
  n.markOutput(*d->addOutput(x, *n.addIdentity(*d->addInput(x)->getOutput(0))->getOutput(0))->getOutput(0));
}
)");
}

TEST(PredicateSelf, F7AlsoByItsOwnOutput) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  auto *out = c->addOutput(*n.addUnary(*c->addInput(p)->getOutput(0), UnaryOperation::kNOT)->getOutput(0), p)->getOutput(0);
  c->setCondition(*out); // expect: error predicate-self
  n.markOutput(*out);
}
)");
}

TEST(OutputDtype, C11C13) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &any) {
  auto *a = n.addInput("a", DataType::kINT64, Dims{1, {4}});
  auto *b = n.addInput("b", DataType::kUINT8, Dims{1, {4}});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  n.markOutput(*c->addOutput(*a, *n.addIdentity(*a)->getOutput(0))->getOutput(0));
  n.markOutput(*c->addOutput(*b, *n.addIdentity(*b)->getOutput(0))->getOutput(0)); // expect: error output-dtype
  auto *d = n.addIfConditional(); // expect-unknown: output-dtype
  d->setCondition(p);
  n.markOutput(*d->addOutput(*a, any)->getOutput(0));
}
)");
}

// A conditional whose condition is known while building is built all the same.
TEST(OutputDtype, C11AlsoUnderAConstant) {
  expectNone(R"(
static const bool kYes = true;
void f(INetworkDefinition &n) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *yes = n.addConstant(Dims{0, {}}, Weights{DataType::kBOOL, &kYes, 1})->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(*yes);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addCast(*in, DataType::kHALF)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *in)->getOutput(0)); // expect: error output-dtype
  auto *b = n.addReduce(*in, ReduceOperation::kSUM, 2, false)->getOutput(0);
  n.markOutput(*c->addOutput(*b, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
)",
             1003);
}

// A type that is set is a wish in a weakly typed network: it is that or what it would be without.
// The shape of what has no dynamic axis is known as TensorRT builds.
TEST(PredicateConstant, C12OfAShape) {
  const auto check = [](const std::string &rows) {
    return checkNetwork(networks(R"(static const int kZero = 0;
static const long kOne = 1;
void f(INetworkDefinition &n) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{)" +
                                 rows + R"(, 8});
  auto *axis = n.addConstant(Dims{0, {}}, Weights{DataType::kINT32, &kZero, 1})->getOutput(0);
  auto *one = n.addConstant(Dims{0, {}}, Weights{DataType::kINT64, &kOne, 1})->getOutput(0);
  auto *rows = n.addGather(*n.addShape(*x)->getOutput(0), *axis, 0)->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(*n.addElementWise(*rows, *one, ElementWiseOperation::kGREATER)->getOutput(0));
  auto *in = c->addInput(*x)->getOutput(0);
  auto *sum = n.addReduce(*in, ReduceOperation::kSUM, 1, false)->getOutput(0);
  n.markOutput(*c->addOutput(*sum, *in)->getOutput(0));
}
)"),
                        1013);
  };
  EXPECT_EQ(check("4").of("predicate-constant").severity, Severity::Note);
  EXPECT_EQ(check("4").of("output-rank").rule, "");
  EXPECT_EQ(check("-1").of("predicate-constant").rule, "");
  EXPECT_EQ(check("-1").of("output-rank").severity, Severity::Error);
}

TEST(OutputDtype, C11OfATypeThatIsSetAndReset) {
  expectNone(R"(
void reset(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 4});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *l = n.addUnary(*c->addInput(*x)->getOutput(0), UnaryOperation::kEXP);
  l->setOutputType(0, DataType::kHALF);
  l->resetOutputType(0);
  n.markOutput(*c->addOutput(*l->getOutput(0), *x)->getOutput(0));
}
void ofWhich(INetworkDefinition &n, ITensor &p, int i) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 4});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(p);
  auto *l = n.addUnary(*c->addInput(*x)->getOutput(0), UnaryOperation::kEXP);
  l->setOutputType(0, DataType::kHALF);
  l->resetOutputType(i);
  n.markOutput(*c->addOutput(*l->getOutput(0), *x)->getOutput(0));
}
)");
}

TEST(OutputDtype, C11OfATypeThatIsSet) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addElementWise(*in, *in, ElementWiseOperation::kSUM);
  a->setOutputType(0, DataType::kHALF);
  auto *b = n.addCast(*in, DataType::kHALF);
  n.markOutput(*c->addOutput(*a->getOutput(0), *b->getOutput(0))->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addElementWise(*in, *in, ElementWiseOperation::kSUM);
  a->setOutputType(0, DataType::kHALF);
  auto *b = n.addCast(*in, DataType::kINT32);
  n.markOutput(*c->addOutput(*a->getOutput(0), *b->getOutput(0))->getOutput(0)); // expect: error output-dtype
}
)",
             1003);
}

TEST(OutputShape, C12HangsOnTheVersion) {
  const std::string code = networks(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *a = n.addInput("a", DataType::kFLOAT, Dims2{2, 3});
  auto *b = n.addInput("b", DataType::kFLOAT, Dims2{4, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
)");
  EXPECT_EQ(checkNetwork(code, 806).of("output-shape").severity, Severity::Error);
  EXPECT_EQ(checkNetwork(code, 1003).of("output-shape").severity, Severity::Error);
  EXPECT_EQ(checkNetwork(code, 1013).of("output-shape").severity, Severity::Note);
  EXPECT_EQ(checkNetwork(code, 1013, "tensorrt@10.10").of("output-shape").severity, Severity::Error);
  EXPECT_EQ(checkNetwork(code, 1101).version, "11.1");
}

// Two of one size are equal only where it is 0.
TEST(OutputShape, C12TwiceADynamicSizeIsAnother) {
  const std::string twice = networks(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  ITensor *two[] = {in, in};
  n.markOutput(*c->addOutput(*n.addConcatenation(two, 2)->getOutput(0), *in)->getOutput(0)); // expect: warning output-shape
}
)");
  EXPECT_EQ(differences(twice, 1003), "");
  const Finding f = checkNetwork(twice, 1003).of("output-shape");
  EXPECT_EQ(f.verdict, Verdict::Possible);
  EXPECT_NE(f.message.find("float32[2*x.0, 8]"), std::string::npos) << f.message;
  EXPECT_NE(f.message.find("with x.0 = 1 they are 2 and 1"), std::string::npos) << f.message;
  EXPECT_EQ(f.witness, (Assignment{{"x.0", 1}}));
  // What may be equal for a size of its own is not known.
  expectNone(R"(
void known(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, 4});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addSlice(*in, Dims2{0, 0}, Dims2{3, 4}, Dims2{1, 1})->getOutput(0), *in)->getOutput(0));
}
void turned(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, -1});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *s = n.addShuffle(*in);
  s->setFirstTranspose(Permutation{{1, 0}});
  n.markOutput(*c->addOutput(*s->getOutput(0), *in)->getOutput(0));
}
// How many there are data decides: there may be none.
void found(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kBOOL, Dims2{4, 4});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *all = c->addInput(*n.addNonZero(*x)->getOutput(0))->getOutput(0);
  ITensor *two[] = {all, all};
  auto *l = n.addConcatenation(two, 2);
  l->setAxis(1);
  n.markOutput(*c->addOutput(*l->getOutput(0), *all)->getOutput(0));
}
)",
             1003);
}

TEST(OutputShape, C12OneDynamicSizeIsOneSizeThroughout) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, 4});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
}
void g(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{-1, 4});
  auto *y = n.addInput("y", DataType::kFLOAT, Dims2{-1, 4});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  n.markOutput(*c->addOutput(*x, *y)->getOutput(0));
}
)",
             1003);
}

// Of a tensor from outside nobody knows the shape, and yet what keeps it has the same one.
TEST(OutputShape, C12AShapeFromOutsideIsOneShapeThroughout) {
  const auto verdicts = [](const std::string &yes, const std::string &no) {
    const Checked c =
        checkNetwork(networks(R"(void f(INetworkDefinition &n, ITensor &p, ITensor &a, ITensor &b, Dims d) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *x = c->addInput(a)->getOutput(0), *y = c->addInput(b)->getOutput(0);
  auto *z = c->addInput(*n.addInput("z", DataType::kFLOAT, d))->getOutput(0);
  auto *t = n.addShuffle(*x);
  t->setFirstTranspose(Permutation{{1, 0}});
  auto *turned = t->getOutput(0);
  auto *yes = )" + yes +
                              "; auto *no = " + no + R"(;
  n.markOutput(*c->addOutput(*yes, *no)->getOutput(0));
}
)"),
                     1003);
    const auto &rules = c.conditionals.at(0).verdicts;
    return std::string(verdictName(rules.find("output-rank")->second)) + ", " +
           std::string(verdictName(rules.find("output-shape")->second));
  };
  const std::string kept = "n.addUnary(*x, UnaryOperation::kABS)->getOutput(0)";
  const std::string sum = "n.addElementWise(*x, *y, ElementWiseOperation::kSUM)->getOutput(0)";
  EXPECT_EQ(verdicts(kept, "x"), "proved, proved");
  EXPECT_EQ(verdicts(kept, "n.addSoftMax(*" + kept + ")->getOutput(0)"), "proved, proved");
  EXPECT_EQ(verdicts("z", "n.addUnary(*z, UnaryOperation::kABS)->getOutput(0)"), "proved, proved");
  EXPECT_EQ(verdicts(sum, "n.addElementWise(*y, *x, ElementWiseOperation::kPROD)->getOutput(0)"), "proved, proved");
  for (const std::string &other : {std::string("y"), std::string("z"), std::string("turned"), sum})
    EXPECT_EQ(verdicts(kept, other), "unknown, unknown") << other;
}

TEST(BranchEager, F5SharedAndCheapWorkIsNone) {
  expectNone(R"(
void shapesOnly(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *shape = n.addShape(x)->getOutput(0);
  auto *twice = n.addElementWise(*shape, *shape, ElementWiseOperation::kSUM)->getOutput(0);
  n.markOutput(*c->addOutput(*twice, *shape)->getOutput(0));
}
void bothNeedIt(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *work = n.addSoftMax(x)->getOutput(0);
  n.markOutput(*c->addOutput(*work, *work)->getOutput(0));
}
void unknownTensor(INetworkDefinition &n, ITensor &p, ITensor **list, int i) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *in[] = {c->addInput(*list[0])->getOutput(0), c->addInput(*list[1])->getOutput(0)};
  auto *t = n.addSoftMax(*in[i])->getOutput(0);
  n.markOutput(*c->addOutput(*t, *in[0])->getOutput(0));
}
void chain(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *a = n.addSoftMax(x)->getOutput(0);                              // expect: warning branch-eager
  auto *b = n.addUnary(*a, UnaryOperation::kEXP)->getOutput(0);
  auto *d = n.addElementWise(*a, *b, ElementWiseOperation::kSUM)->getOutput(0);
  n.markOutput(*c->addOutput(x, *d)->getOutput(0));
}
)");
}

// Who has a tensor shown needs it on every run.
TEST(BranchEager, F5WhatIsShownForDebuggingIsNeeded) {
  expectNone(R"(
void shown(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *heavy = n.addSoftMax(x)->getOutput(0);
  n.markDebug(*heavy);
  auto *in = c->addInput(*heavy)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kSIN)->getOutput(0), x)->getOutput(0));
}
void noLonger(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *heavy = n.addSoftMax(x)->getOutput(0); // expect: warning branch-eager
  n.markDebug(*heavy);
  n.unmarkDebug(*heavy);
  auto *in = c->addInput(*heavy)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kSIN)->getOutput(0), x)->getOutput(0));
}
// Inside it is no output of the network, and no input layer is without effect for it.
void inside(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor &y) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kSIN)->getOutput(0);
  n.markDebug(*t);
  n.markDebug(*n.addUnary(*c->addInput(y)->getOutput(0), UnaryOperation::kSIN)->getOutput(0));
  n.markOutput(*c->addOutput(*t, x)->getOutput(0));
}
)");
}

TEST(BranchEager, F6AnInnerConditionalThatIsNotInside) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *xo = outer->addInput(x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(q);
  auto *xi = inner->addInput(x)->getOutput(0);
  auto *a = n.addSoftMax(*xi)->getOutput(0); // expect: warning branch-eager
  auto *joined = inner->addOutput(*a, *xi)->getOutput(0);
  n.markOutput(*outer->addOutput(*joined, *n.addUnary(*xo, UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
void insideByItsCondition(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *qo = outer->addInput(q)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(*qo);
  auto *xi = inner->addInput(x)->getOutput(0);
  auto *joined = inner->addOutput(*n.addSoftMax(*xi)->getOutput(0), *xi)->getOutput(0);
  n.markOutput(*outer->addOutput(*joined, x)->getOutput(0));
}
)");
}

TEST(BranchEager, ItSaysWhichLayersAndWhatToRoute) {
  const Finding f = checkNetwork(networks(R"(
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("features", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *a = n.addSoftMax(*x)->getOutput(0);
  auto *b = n.addUnary(*a, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*b, *x)->getOutput(0));
}
)"),
                                 1003)
                        .of("branch-eager");
  EXPECT_EQ(f.location.line, 8U);
  EXPECT_NE(f.message.find("'true'"), std::string::npos) << f.message;
  EXPECT_NE(f.message.find("1 layer more"), std::string::npos) << f.message;
  EXPECT_NE(f.help.find("'features'"), std::string::npos) << f.help;
  EXPECT_FALSE(f.fixes.empty());
  EXPECT_EQ(f.conditional, "f/cond@6:15");
}

// What is led into an inner conditional is what has to go through the outer one's input layer.
TEST(BranchEager, ItRoutesWhatAnInnerConditionalReads) {
  const Checked c = checkNetwork(networks(R"(void f(INetworkDefinition &n, ITensor &p, ITensor &q) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{1, 8});
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *xo = outer->addInput(*x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(q);
  auto *xi = inner->addInput(*x)->getOutput(0);
  auto *a = n.addUnary(*xi, UnaryOperation::kEXP)->getOutput(0);
  auto *b = n.addUnary(*xi, UnaryOperation::kNEG)->getOutput(0);
  auto *y = inner->addOutput(*a, *b)->getOutput(0);
  n.markOutput(*outer->addOutput(*y, *n.addUnary(*xo, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
)"),
                                 1003);
  const Finding f = c.of("branch-eager");
  EXPECT_NE(f.message.find("the conditional around it stands outside"), std::string::npos) << f.message;
  EXPECT_TRUE(std::ranges::any_of(f.related,
                                  [](const auto &r) { return r.message.starts_with("the one that stands outside"); }));
  EXPECT_NE(f.help.find("route 'x' "), std::string::npos) << f.help;
  ASSERT_EQ(f.fixes.size(), 1U);
  EXPECT_NE(f.fixes[0].description.find("outer->addInput"), std::string::npos);
}

TEST(OperandUnused, F5) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor &y) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *dead = c->addInput(y)->getOutput(0); // expect: warning operand-unused
  n.addUnary(*dead, UnaryOperation::kNEG);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0), y)->getOutput(0));
}
)");
}

TEST(BranchLeak, F1F3F4) {
  expectNone(R"(
void throughAnotherConditional(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *a = n.addIfConditional();
  a->setCondition(p);
  auto *in = a->addInput(x)->getOutput(0);
  auto *hidden = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*a->addOutput(*hidden, x)->getOutput(0));
  auto *b = n.addIfConditional();
  b->setCondition(q);
  auto *bi = b->addInput(*hidden)->getOutput(0); // expect: error branch-leak
  n.markOutput(*b->addOutput(*n.addUnary(*bi, UnaryOperation::kNEG)->getOutput(0), x)->getOutput(0));
}
void takenBack(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *a = n.addIfConditional();
  a->setCondition(p);
  auto *hidden = n.addUnary(*a->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*hidden);
  n.unmarkOutput(*hidden);
  n.markOutput(*a->addOutput(*hidden, x)->getOutput(0));
}
)");
}

// What an input layer takes comes from outside of its conditional.
TEST(BranchLeak, F1WhatIsInsideIsNotLedInAgain) {
  expectNone(R"(
void again(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *twice = c->addInput(*in)->getOutput(0); // expect: error branch-leak
  n.markOutput(*c->addOutput(*n.addUnary(*twice, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
void interior(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *e = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  auto *in = c->addInput(*e)->getOutput(0); // expect: error branch-leak
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
}
void outputOfAnInnerOne(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *in = outer->addInput(x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(q);
  auto *i = inner->addInput(*in)->getOutput(0);
  auto *y = inner->addOutput(*n.addUnary(*i, UnaryOperation::kEXP)->getOutput(0), *i)->getOutput(0);
  auto *again = outer->addInput(*y)->getOutput(0); // expect: error branch-leak
  n.markOutput(*outer->addOutput(*n.addUnary(*again, UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
}
void intoAnInnerOne(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *outer = n.addIfConditional();
  outer->setCondition(p);
  auto *in = outer->addInput(x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(q);
  auto *i = inner->addInput(*in)->getOutput(0);
  auto *y = inner->addOutput(*n.addUnary(*i, UnaryOperation::kEXP)->getOutput(0), *i)->getOutput(0);
  n.markOutput(*outer->addOutput(*n.addUnary(*y, UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
}
void twoOfOneTensor(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  auto *f = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}
// It may be the raw tensor.
void oneOfSeveral(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *all[] = {&x, c->addInput(x)->getOutput(0)};
  auto *in = c->addInput(*all[k])->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
void nextOne(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x) {
  auto *a = n.addIfConditional();
  a->setCondition(p);
  auto *y = a->addOutput(*n.addUnary(*a->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0);
  n.markOutput(*y);
  auto *b = n.addIfConditional();
  b->setCondition(q);
  n.markOutput(*b->addOutput(*n.addUnary(*b->addInput(*y)->getOutput(0), UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0));
}
)");
}

TEST(CrossBranchEdge, F2) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *shape = n.addShape(*in)->getOutput(0); // expect: error cross-branch-edge
  n.markOutput(*c->addOutput(*n.addUnary(*shape, UnaryOperation::kNEG)->getOutput(0), *shape)->getOutput(0));
}
)");
}

// A loop for one branch alone begins its work where the raw tensor goes into it. A counter that
// begins with a constant is as lazy as its loop.
TEST(BranchEager, F5OfALoop) {
  expectNone(R"(
static const int kZero = 0;
ITensor *zero(INetworkDefinition &n) { return n.addConstant(Dims{1, {1}}, Weights{DataType::kINT32, &kZero, 1})->getOutput(0); }
void eachRow(INetworkDefinition &n, ITensor &p, ITensor &trips) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{5, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *row = loop->addIterator(*x)->getOutput(0); // expect: warning branch-eager
  auto *rows = loop->addLoopOutput(*n.addUnary(*row, UnaryOperation::kABS)->getOutput(0), LoopOutput::kCONCATENATE);
  rows->setInput(1, trips);
  n.markOutput(*c->addOutput(*rows->getOutput(0), *c->addInput(*x)->getOutput(0))->getOutput(0));
}
void counted(INetworkDefinition &n, ITensor &p, ITensor &trips) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *counter = loop->addRecurrence(*zero(n));
  counter->setInput(1, *n.addElementWise(*counter->getOutput(0), *zero(n), ElementWiseOperation::kSUM)->getOutput(0));
  auto *row = n.addGather(*in, *counter->getOutput(0), 0)->getOutput(0);
  auto *state = loop->addRecurrence(*in);
  state->setInput(1, *n.addElementWise(*state->getOutput(0), *row, ElementWiseOperation::kSUM)->getOutput(0));
  auto *last = loop->addLoopOutput(*state->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0);
  n.markOutput(*c->addOutput(*last, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
)");
}

// What leads a tensor into a loop cannot stand in a conditional of its body; work of the body can.
TEST(BranchEager, F5InABodyOfALoop) {
  expectNone(R"(
void masked(INetworkDefinition &n, ITensor &trips) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{20, 4});
  auto *mask = n.addInput("mask", DataType::kBOOL, Dims{1, {20}});
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *row = loop->addIterator(*x)->getOutput(0);
  auto *h = loop->addRecurrence(*n.addInput("h", DataType::kFLOAT, Dims{1, {4}}));
  auto *z = loop->addRecurrence(*n.addInput("z", DataType::kFLOAT, Dims{1, {4}}));
  auto *c = n.addIfConditional();
  c->setCondition(*loop->addIterator(*mask)->getOutput(0));
  auto *in = c->addInput(*row)->getOutput(0);
  auto *zIn = c->addInput(*z->getOutput(0))->getOutput(0);
  auto *hIn = c->addInput(*h->getOutput(0))->getOutput(0);
  auto *sum = n.addElementWise(*in, *zIn, ElementWiseOperation::kSUM)->getOutput(0);
  auto *next = c->addOutput(*sum, *hIn)->getOutput(0);
  h->setInput(1, *next);
  z->setInput(1, *next);
  n.markOutput(*loop->addLoopOutput(*h->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
void late(INetworkDefinition &n, ITensor &trips) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{20, 4});
  auto *mask = n.addInput("mask", DataType::kBOOL, Dims{1, {20}});
  auto *loop = n.addLoop();
  loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *row = loop->addIterator(*x)->getOutput(0);
  auto *h = loop->addRecurrence(*n.addInput("h", DataType::kFLOAT, Dims{1, {4}}));
  auto *c = n.addIfConditional();
  c->setCondition(*loop->addIterator(*mask)->getOutput(0));
  auto *heavy = n.addSoftMax(*row)->getOutput(0); // expect: warning branch-eager
  auto *hIn = c->addInput(*h->getOutput(0))->getOutput(0);
  auto *sum = n.addElementWise(*c->addInput(*heavy)->getOutput(0), *hIn, ElementWiseOperation::kSUM)->getOutput(0);
  h->setInput(1, *c->addOutput(*sum, *hIn)->getOutput(0));
  n.markOutput(*loop->addLoopOutput(*h->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}
)");
}

TEST(UnsupportedInBranch, I1OnlyWhereItIsLazy) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &p, ITensor &slope) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims4{1, 3, 8, 8});
  auto *before = n.addParametricReLU(*x, slope)->getOutput(0);
  n.markOutput(*before);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*before)->getOutput(0);
  auto *t = n.addParametricReLU(*in, slope)->getOutput(0); // expect: warning unsupported-in-branch
  n.markOutput(*c->addOutput(*t, *before)->getOutput(0));
}
)");
}

TEST(ValueUndefined, C5) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &trips, ITensor &x) {
  auto *loop = n.addLoop();
  auto *limit = loop->addTripLimit(trips, TripLimit::kCOUNT);
  auto *r = loop->addRecurrence(x);
  r->setInput(1, *n.addUnary(*r->getOutput(0), UnaryOperation::kEXP)->getOutput(0));
  n.markOutput(*loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
  auto *nothing = limit->getOutput(0); // expect: error value-undefined
  n.addUnary(*nothing, UnaryOperation::kNOT);
}
)");
}

TEST(OperatorType, OnlyWhatIsRefusedWhateverHappens) {
  expectNone(R"(
void f(INetworkDefinition &n, ITensor &any) {
  static const float kTwo[] = {1, 2};
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *y = n.addInput("y", DataType::kFLOAT, Dims2{-1, 3});
  auto *v = n.addInput("v", DataType::kFLOAT, Dims{1, {3}});
  n.markOutput(*n.addElementWise(*x, *y, ElementWiseOperation::kSUM)->getOutput(0));
  n.markOutput(*n.addElementWise(*x, any, ElementWiseOperation::kSUM)->getOutput(0));
  n.markOutput(*n.addElementWise(*x, *v, ElementWiseOperation::kSUM)->getOutput(0)); // expect: error operator-type
  n.markOutput(*n.addUnary(*x, UnaryOperation::kNOT)->getOutput(0)); // expect: error operator-type
  n.markOutput(*n.addElementWise(*x, *x, ElementWiseOperation::kAND)->getOutput(0)); // expect: error operator-type
  n.markOutput(*n.addSelect(*x, *x, *x)->getOutput(0)); // expect: error operator-type
  auto *less = n.addElementWise(*x, *x, ElementWiseOperation::kLESS)->getOutput(0);
  n.markOutput(*n.addElementWise(*less, any, ElementWiseOperation::kXOR)->getOutput(0));
  n.markOutput(*n.addSelect(*less, *x, *y)->getOutput(0));
  n.markOutput(*n.addConstant(Dims{1, {3}}, Weights{DataType::kFLOAT, kTwo, 2})->getOutput(0)); // expect: error operator-type
}
)");
}

TEST(Reading, OtherVendorsWithTheSameNames) {
  EXPECT_EQ(differences(R"(
namespace vendor {
struct Dims { int nbDims; long d[8]; };
enum class DataType { kBOOL = 7, kFLOAT = 3 };
struct ITensor {};
struct ILayer { ITensor *getOutput(int); };
struct IIfConditionalInputLayer : ILayer {};
struct IIfConditionalOutputLayer : ILayer {};
struct IConditionLayer : ILayer {};
struct IIfConditional {
  IConditionLayer *setCondition(ITensor &);
  IIfConditionalInputLayer *addInput(ITensor &);
  IIfConditionalOutputLayer *addOutput(ITensor &, ITensor &);
};
struct INetworkDefinition {
  ITensor *addInput(const char *, DataType, const Dims &);
  IIfConditional *addIfConditional();
  void markOutput(ITensor &);
};
}
void f(vendor::INetworkDefinition &n) {
  auto *p = n.addInput("p", vendor::DataType::kFLOAT, vendor::Dims{0, {}});
  auto *x = n.addInput("x", vendor::DataType::kFLOAT, vendor::Dims{1, {2}});
  auto *c = n.addIfConditional();
  c->setCondition(*p); // expect: error predicate-dtype
  n.markOutput(*c->addOutput(*c->addInput(*x)->getOutput(0), *x)->getOutput(0));
}
)"),
            "");
}

TEST(Reading, CodeThatDoesNotCompileIsUnknown) {
  const Checked c = checkNetwork(networks(R"(
void f(INetworkDefinition &n, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setConditoin(x);
  n.markOutput(*c->addOutput(*c->addInput(x)->getOutput(0), x)->getOutput(0));
}
)"),
                                 1003);
  EXPECT_FALSE(c.compiled);
  EXPECT_TRUE(c.findings.empty());
  ASSERT_EQ(c.conditionals.size(), 1U);
  EXPECT_EQ(c.conditionals.front().verdicts.find("predicate-missing")->second, Verdict::Unknown);
  EXPECT_EQ(c.notUnderstood.size(), 1U);
}

TEST(Reading, AParserAddsToItsNetwork) {
  expectNone(R"(
#include <NvOnnxParser.h>
void f(INetworkDefinition &n, ILogger &logger, ITensor &p) {
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing, output-none
  auto *parser = nvonnxparser::createParser(n, logger);
  if (!parser->parseFromFile("model.onnx", 0))
    return;
  auto *x = n.getInput(0);
  n.markOutput(*n.addUnary(*x, UnaryOperation::kEXP)->getOutput(0));
}
)");
}

} // namespace
} // namespace condlint::test
