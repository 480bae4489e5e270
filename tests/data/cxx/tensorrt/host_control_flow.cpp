// condlint-test: target=tensorrt@10.3
// Host control flow around a conditional's calls.
#include <NvInfer.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace nvinfer1;

#define CHECK(x) do { if (!(x)) { std::fprintf(stderr, "%s\n", #x); std::abort(); } } while (0)
#define REQUIRE(x) if (!(x)) throw std::runtime_error(#x)

enum class Mode { kOff, kGate, kSkip };

bool build(INetworkDefinition &n, Mode mode, bool verbose) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  if (!p || !x)
    return false;
  ITensor *y = nullptr;
  switch (mode) {
  case Mode::kOff:
    y = n.addIdentity(*x)->getOutput(0);
    break;
  case Mode::kGate: {
    auto *c = n.addIfConditional();
    CHECK(c != nullptr);
    REQUIRE(c->setCondition(*p));
    auto *in = c->addInput(*x);
    if (!in)
      return false;
    auto *t = n.addActivation(*in->getOutput(0), ActivationType::kTANH);
    if (verbose)
      std::printf("tanh\n");
    y = c->addOutput(*t->getOutput(0), *x)->getOutput(0);
    break;
  }
  default: {
    auto *c = n.addIfConditional(); // expect: error predicate-missing
    auto *in = c->addInput(*x)->getOutput(0);
    y = c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *x)->getOutput(0);
  }
  }
  n.markOutput(*y);
  return true;
}

void tries(INetworkDefinition &n, ITensor &p, ITensor &x) {
  IIfConditional *c = nullptr;
  try {
    c = n.addIfConditional();
    if (!c->setCondition(p))
      throw std::logic_error("no condition");
    auto *in = c->addInput(x)->getOutput(0);
    auto *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
    n.markOutput(*c->addOutput(*t, x)->getOutput(0));
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return;
  }
}

void whileLoop(INetworkDefinition &n, ITensor &p, ITensor *x) {
  int i = 0;
  do {
    auto *c = n.addIfConditional();
    c->setCondition(p);
    auto *t = n.addUnary(*c->addInput(*x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
    x = c->addOutput(*t, *x)->getOutput(0);
  } while (++i < 5);
  n.markOutput(*x);
}

void setLater(INetworkDefinition &n, bool strict) {
  auto *p = n.addInput("p", strict ? DataType::kBOOL : DataType::kINT32, Dims{0});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  auto *t = n.addUnary(*c->addInput(*x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
  if (!strict) {
    auto *cast = n.addCast(*p, DataType::kBOOL);
    p = cast->getOutput(0);
  }
  c->setCondition(*p);
}
