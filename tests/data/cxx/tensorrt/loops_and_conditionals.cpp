// condlint-test: target=tensorrt@10.11
// Loops in branches, conditionals in loops.
#include <NvInfer.h>

using namespace nvinfer1;

ITensor *constant(INetworkDefinition &n, DataType type, const void *p) {
  return n.addConstant(Dims{0, {}}, Weights{type, p, 1})->getOutput(0);
}

void loopInBranch(INetworkDefinition &n) {
  static const int32_t kFive = 5;
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *loop = n.addLoop();
  loop->addTripLimit(*constant(n, DataType::kINT32, &kFive), TripLimit::kCOUNT);
  auto *r = loop->addRecurrence(*in);
  auto *next = n.addUnary(*r->getOutput(0), UnaryOperation::kSIN)->getOutput(0);
  r->setInput(1, *next);
  auto *last = loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0);
  n.markOutput(*c->addOutput(*last, *x)->getOutput(0));
}

void loopBesideBranch(INetworkDefinition &n) {
  static const int32_t kFive = 5;
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *loop = n.addLoop();
  loop->addTripLimit(*constant(n, DataType::kINT32, &kFive), TripLimit::kCOUNT);
  auto *r = loop->addRecurrence(*x); // expect: warning branch-eager
  auto *next = n.addUnary(*r->getOutput(0), UnaryOperation::kSIN)->getOutput(0);
  r->setInput(1, *next);
  auto *last = loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0);
  n.markOutput(*c->addOutput(*last, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}

void conditionalInLoop(INetworkDefinition &n) {
  static const int32_t kFive = 5;
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *loop = n.addLoop();
  loop->addTripLimit(*constant(n, DataType::kINT32, &kFive), TripLimit::kCOUNT);
  auto *r = loop->addRecurrence(*x);
  auto *state = r->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*state)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kSIN)->getOutput(0);
  auto *joined = c->addOutput(*t, *state)->getOutput(0);
  r->setInput(1, *joined);
  n.markOutput(*joined); // expect: error loop-leak
  n.markOutput(*loop->addLoopOutput(*state, LoopOutput::kLAST_VALUE)->getOutput(0));
}

void whileOfConditional(INetworkDefinition &n) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims{0});
  static const float kOne = 1.0F;
  auto *loop = n.addLoop();
  auto *r = loop->addRecurrence(*x);
  auto *go = n.addElementWise(*r->getOutput(0), *constant(n, DataType::kFLOAT, &kOne), ElementWiseOperation::kLESS)->getOutput(0);
  loop->addTripLimit(*go, TripLimit::kWHILE);
  auto *c = n.addIfConditional();
  c->setCondition(*go);
  auto *in = c->addInput(*r->getOutput(0))->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  r->setInput(1, *c->addOutput(*t, *in)->getOutput(0));
  n.markOutput(*loop->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
}

void innerMarked(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  auto *q = n.addInput("q", DataType::kBOOL, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *outer = n.addIfConditional();
  outer->setCondition(*p);
  auto *xo = outer->addInput(*x)->getOutput(0);
  auto *inner = n.addIfConditional();
  inner->setCondition(*q);
  auto *xi = inner->addInput(*xo)->getOutput(0);
  auto *y = inner->addOutput(*n.addUnary(*xi, UnaryOperation::kABS)->getOutput(0), *xi)->getOutput(0);
  n.markOutput(*y); // expect: error branch-leak
  n.markOutput(*outer->addOutput(*y, *x)->getOutput(0));
}

void collected(INetworkDefinition &n) {
  static const int32_t kFive = 5;
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{5, 8});
  auto *trips = constant(n, DataType::kINT32, &kFive);
  auto *loop = n.addLoop();
  loop->addTripLimit(*trips, TripLimit::kCOUNT);
  auto *it = loop->addIterator(*x, 0, true)->getOutput(0);
  auto *t = n.addUnary(*it, UnaryOperation::kABS)->getOutput(0);
  auto *rows = loop->addLoopOutput(*t, LoopOutput::kREVERSE, 0);
  rows->setInput(1, *trips);
  n.markOutput(*rows->getOutput(0));
  auto *lost = loop->addLoopOutput(*t, LoopOutput::kCONCATENATE, 0); // expect: error loop-output
  n.markOutput(*lost->getOutput(0));
}
