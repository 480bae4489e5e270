// condlint-test: target=tensorrt@10.3
// What was made here is one thing or another; what is given from outside may be the same thing twice.
#include <NvInfer.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace nvinfer1;

namespace {

struct Branch {
  explicit Branch(INetworkDefinition &network) : n(network), c(network.addIfConditional()) {
    c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
    x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
    y = n.addInput("y", DataType::kFLOAT, Dims2{4, 8});
  }
  ITensor *half(ITensor *t) { return n.addCast(*t, DataType::kHALF)->getOutput(0); }

  INetworkDefinition &n;
  IIfConditional *c;
  ITensor *x;
  ITensor *y;
};

} // namespace

void apart(INetworkDefinition &n) {
  Branch b(n);
  auto *first = b.c->addInput(*b.x);
  auto *t = n.addUnary(*first->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *f = n.addUnary(*b.c->addInput(*b.y)->getOutput(0), UnaryOperation::kNEG)->getOutput(0);
  const std::vector<ITensor *> known{b.x, b.y};
  const std::set<ITensor *> seen{b.x};
  if (b.x == b.y || std::find(known.begin(), known.end(), t) != known.end() || seen.count(b.y) != 0)
    t = b.half(t);
  n.markOutput(*b.c->addOutput(*t, *f)->getOutput(0));
}

// The input layer is asked for by the tensor, and the second tensor is not among those that have one.
void remembered(INetworkDefinition &n) {
  Branch b(n);
  const std::vector<ITensor *> routed{b.x};
  const auto enter = [&](ITensor *t) {
    return std::find(routed.begin(), routed.end(), t) == routed.end() ? t : b.c->addInput(*t)->getOutput(0);
  };
  auto *t = n.addUnary(*enter(b.x), UnaryOperation::kABS)->getOutput(0);
  auto *f = n.addUnary(*enter(b.y), UnaryOperation::kABS)->getOutput(0); // expect: warning branch-eager
  n.markOutput(*b.c->addOutput(*t, *f)->getOutput(0));
}

// One of the two ways gives a branch another type.
void given(INetworkDefinition &n, ITensor *a, ITensor *other) {
  Branch b(n);
  auto *in = b.c->addInput(*b.x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  if (a == other)
    t = b.half(t);
  n.markOutput(*b.c->addOutput(*t, *in)->getOutput(0)); // expect: error output-dtype
}
