// condlint-test: target=tensorrt@10.3
// Conditionals that one loop of unknown length opens and another one closes: which of them it means is not known.
#include <NvInfer.h>
#include <map>
#include <string>
#include <vector>

using namespace nvinfer1;

IIfConditional *open(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  return c;
}

ITensor *close(INetworkDefinition &n, IIfConditional &c, ITensor &x) {
  auto *in = c.addInput(x)->getOutput(0);
  return c.addOutput(*n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0), x)->getOutput(0);
}

void fromTheLast(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  std::vector<IIfConditional *> all;
  for (int i = 0; i < layers; ++i)
    all.push_back(open(n, p));
  ITensor *t = &x;
  for (int i = layers - 1; i >= 0; --i)
    t = close(n, *all[i], *t);
  n.markOutput(*t);
}

void fromTheBack(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  std::vector<IIfConditional *> all;
  for (int i = 0; i < layers; ++i)
    all.push_back(open(n, p));
  ITensor *t = &x;
  while (!all.empty()) {
    t = close(n, *all.back(), *t);
    all.pop_back();
  }
  n.markOutput(*t);
}

void withRoomForAll(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  std::vector<IIfConditional *> all(layers);
  for (int i = 0; i < layers; ++i)
    all[i] = open(n, p);
  ITensor *t = &x;
  for (int i = 0; i < layers; ++i)
    t = close(n, *all[i], *t);
  n.markOutput(*t);
}

void byName(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  std::map<std::string, IIfConditional *> all;
  for (int i = 0; i < layers; ++i)
    all["layer" + std::to_string(i)] = open(n, p);
  ITensor *t = &x;
  for (auto &[name, c] : all)
    t = close(n, *c, *t);
  n.markOutput(*t);
}

void everySecond(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  IIfConditional *c = nullptr;
  ITensor *t = &x;
  for (int i = 0; i < layers; ++i) {
    if (i % 2 == 0)
      c = open(n, p);
    t = close(n, *c, *t);
  }
  n.markOutput(*t);
}

void loopsFromTheLast(INetworkDefinition &n, ITensor &x, ITensor &count, int layers) {
  std::vector<ILoop *> all;
  for (int i = 0; i < layers; ++i)
    all.push_back(n.addLoop());
  for (int i = layers - 1; i >= 0; --i) {
    all[i]->addTripLimit(count, TripLimit::kCOUNT);
    auto *r = all[i]->addRecurrence(x);
    r->setInput(1, *n.addUnary(*r->getOutput(0), UnaryOperation::kEXP)->getOutput(0));
    n.markOutput(*all[i]->addLoopOutput(*r->getOutput(0), LoopOutput::kLAST_VALUE)->getOutput(0));
  }
}

// What nobody closes is known to be open.
void forgotten(INetworkDefinition &n, ITensor &p, ITensor &x, int layers) {
  ITensor *t = &x;
  for (int i = 0; i < layers; ++i) {
    auto *c = n.addIfConditional(); // expect: error output-none
    c->setCondition(p);
    t = n.addUnary(*t, UnaryOperation::kEXP)->getOutput(0);
  }
  n.markOutput(*t);
}
