// condlint-test: target=tensorrt@10.3
// What leaves our sight makes what hangs on it unknown, and nothing else.
#include <NvInfer.h>
#include <algorithm>
#include <any>
#include <deque>
#include <forward_list>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
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
void tune(ILayer &l);
void look(const ILayer &l);
void tune(ITensor &t, DataType type);
void look(const ITensor &t);

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

// A layer that is given away may be set there.
void tuned(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-rank, output-shape
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *sum = n.addReduce(*in, ReduceOperation::kSUM, 1, false);
  tune(*sum);
  n.markOutput(*c->addOutput(*sum->getOutput(0), *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}

void lookedAt(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *sum = n.addReduce(*in, ReduceOperation::kSUM, 1, false);
  look(*sum);
  look(*x);
  n.markOutput(*c->addOutput(*sum->getOutput(0), *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0)); // expect: error output-rank
}

void retyped(INetworkDefinition &n) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *p = n.addInput("p", DataType::kFLOAT, Dims{0, {}});
  tune(*p, DataType::kBOOL);
  auto *c = n.addIfConditional(); // expect-unknown: predicate-dtype
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *yes = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}

IIfConditional &complete(INetworkDefinition &n, IIfConditional &c, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  c.setCondition(p);
  auto *in = c.addInput(*x)->getOutput(0);
  auto *yes = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  n.markOutput(*c.addOutput(*yes, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
  return c;
}

// Ways to hold a conditional until it is complete.
void atTheFront(INetworkDefinition &n, ITensor &p) {
  std::deque<IIfConditional *> all;
  complete(n, *all.emplace_front(n.addIfConditional()), p);
  std::forward_list<IIfConditional *> more;
  complete(n, *more.emplace_front(n.addIfConditional()), p);
}

void perhapsReferred(INetworkDefinition &n, ITensor &p) {
  std::optional<std::reference_wrapper<IIfConditional>> held = *n.addIfConditional();
  complete(n, held->get(), p);
}

void asNumber(INetworkDefinition &n, ITensor &p) {
  const auto user = reinterpret_cast<unsigned long>(n.addIfConditional());
  complete(n, *reinterpret_cast<IIfConditional *>(user), p);
}

void drop(ITensor *t);
void byDeleter(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  const std::unique_ptr<ITensor, void (*)(ITensor *)> held(x, drop);
  complete(n, *n.addIfConditional(), p);
}

void asTask(INetworkDefinition &n, ITensor &p) {
  auto task = std::async(std::launch::deferred, [&] { return n.addIfConditional(); });
  complete(n, *task.get(), p);
}

void asPromise(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional(); // expect-unknown: output-dtype
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::promise<ITensor *> promise;
  promise.set_value(n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0));
  auto *no = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*promise.get_future().get(), *no)->getOutput(0));
}

// One of several is set, and which one is not known.
void sortedThenSet(INetworkDefinition &n, ITensor &p, int rank) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *y = n.addInput("y", DataType::kFLOAT, Dims2{4, 6});
  auto *c = n.addIfConditional(); // expect-unknown: output-shape
  c->setCondition(p);
  auto *a = c->addInput(*x)->getOutput(0);
  auto *b = c->addInput(*y)->getOutput(0);
  ITensor *parts[] = {a, b};
  std::vector<std::pair<int, IConcatenationLayer *>> layers{{rank, n.addConcatenation(parts, 2)}, {1, nullptr}};
  ITensor *joined = layers[0].second->getOutput(0);
  std::sort(layers.begin(), layers.end());
  for (auto &[order, layer] : layers)
    if (layer)
      layer->setAxis(1);
  n.markOutput(*c->addOutput(*joined, *n.addUnary(*a, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}
