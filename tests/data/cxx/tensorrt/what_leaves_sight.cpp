// condlint-test: target=tensorrt@10.3
// What leaves our sight makes what hangs on it unknown, and nothing else.
#include <NvInfer.h>
#include <any>
#include <map>
#include <string>
#include <vector>

using namespace nvinfer1;

struct Registry {
  static Registry &instance();
  void put(const std::string &name, ITensor *t);
  ITensor *get(const std::string &name);
};
void remember(void *p);
ITensor *pick(const std::vector<ITensor *> &all);

void stored(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *work = n.addSoftMax(*x)->getOutput(0);
  Registry::instance().put("work", work); // somebody else may read it
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*work, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}

void fetched(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype, output-shape
  c->setCondition(p);
  auto *t = Registry::instance().get("t");
  auto *f = Registry::instance().get("f");
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}

void handedOver(INetworkDefinition &n) {
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing, output-none
  remember(c);
}

IIfConditional *gGate;
void global(INetworkDefinition &n) {
  gGate = n.addIfConditional(); // expect-unknown: predicate-missing, output-none
}

void picked(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  std::vector<ITensor *> all{c->addInput(*x)->getOutput(0), x};
  auto *t = n.addSoftMax(*pick(all))->getOutput(0);
  auto *f = n.addUnary(*all[0], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}

void stillSeen(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *y = n.addInput("y", DataType::kINT32, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  remember(x);
  n.markOutput(*c->addOutput(*x, *y)->getOutput(0)); // expect: error output-dtype
}

void byIndex(INetworkDefinition &n, ITensor &p, int k) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  std::vector<ITensor *> in;
  for (int i = 0; i < k; ++i) {
    auto *x = n.addInput(("x" + std::to_string(i)).c_str(), DataType::kFLOAT, Dims2{4, 8});
    in.push_back(c->addInput(*x)->getOutput(0));
  }
  ITensor *t = in[0];
  for (int i = 1; i < k; ++i)
    t = n.addElementWise(*t, *in[i], ElementWiseOperation::kSUM)->getOutput(0);
  auto *f = n.addUnary(*in[k - 1], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}
