// condlint-test: target=tensorrt@10.3
// What a destructor does happens where the object comes to its end.
#include <NvInfer.h>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using namespace nvinfer1;

class ConditionalScope {
public:
  ConditionalScope(INetworkDefinition &n, ITensor &predicate) : network(n), inner(n.addIfConditional()) {
    inner->setCondition(predicate);
  }
  ConditionalScope(const ConditionalScope &) = delete;
  ~ConditionalScope() {
    if (onTrue && onFalse)
      network.markOutput(*inner->addOutput(*onTrue, *onFalse)->getOutput(0)); // expect: error output-shape
  }
  ITensor &in(ITensor &t) { return *inner->addInput(t)->getOutput(0); }
  ITensor *onTrue = nullptr;
  ITensor *onFalse = nullptr;

private:
  INetworkDefinition &network;
  IIfConditional *inner;
};

void closedByScope(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ConditionalScope scope(n, p);
  auto &in = scope.in(*x);
  scope.onTrue = n.addSoftMax(in)->getOutput(0);
  scope.onFalse = n.addUnary(in, UnaryOperation::kABS)->getOutput(0);
}

void eagerInScope(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ConditionalScope scope(n, p);
  auto &in = scope.in(*x);
  scope.onTrue = n.addSoftMax(in)->getOutput(0);
  scope.onFalse = n.addUnary(*x, UnaryOperation::kABS)->getOutput(0); // expect: warning branch-eager
}

bool leftEarly(INetworkDefinition &n, ITensor &p, bool simple) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ConditionalScope scope(n, p);
  auto &in = scope.in(*x);
  scope.onTrue = n.addSoftMax(in)->getOutput(0);
  scope.onFalse = n.addUnary(in, UnaryOperation::kABS)->getOutput(0);
  if (simple)
    return true;
  n.markOutput(*n.addIdentity(*x)->getOutput(0));
  return true;
}

struct OpenScope {
  OpenScope(INetworkDefinition &n, ITensor &p) : c(n.addIfConditional()) { c->setCondition(p); } // expect: error output-none
  ~OpenScope() { done = true; }
  IIfConditional *c;
  bool done = false;
};

void neverClosed(INetworkDefinition &n, ITensor &p) { OpenScope scope(n, p); }

// Twice the same condition: once by hand, once at the end.
struct ConditionAtTheEnd {
  ~ConditionAtTheEnd() { c->setCondition(*predicate); } // expect: error predicate-missing
  IIfConditional *c;
  ITensor *predicate;
};

void conditionTwice(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  ConditionAtTheEnd end{c, &p};
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = n.addSoftMax(*in)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *in)->getOutput(0));
}

template <class F> struct Finally {
  F f;
  explicit Finally(F g) : f(std::move(g)) {}
  ~Finally() { f(); }
};

void scopeGuard(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  Finally guard([&] { c->setCondition(p); });
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = n.addSoftMax(*in)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *in)->getOutput(0));
}

// The members come to their end with what holds them, and so does what a pointer owns.
struct Holder {
  std::unique_ptr<ConditionalScope> scope;
};

void heldByPointer(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  Holder first{std::make_unique<ConditionalScope>(n, p)};
  auto &in = first.scope->in(*x);
  Holder second{std::move(first)};
  second.scope->onTrue = n.addSoftMax(in)->getOutput(0);
  second.scope->onFalse = n.addUnary(in, UnaryOperation::kABS)->getOutput(0);
}

void shapesDiffer(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  std::vector<std::unique_ptr<ConditionalScope>> scopes;
  scopes.push_back(std::make_unique<ConditionalScope>(n, p));
  auto &in = scopes.back()->in(*x);
  scopes.back()->onTrue = n.addSoftMax(in)->getOutput(0);
  scopes.back()->onFalse = n.addReduce(in, ReduceOperation::kSUM, 2, true)->getOutput(0);
  scopes.clear();
}

struct Closer {
  ITensor *t;
  ITensor *f;
  INetworkDefinition *n;
  void operator()(IIfConditional *c) const { n->markOutput(*c->addOutput(*t, *f)->getOutput(0)); }
};

void customDeleter(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *raw = n.addIfConditional();
  raw->setCondition(p);
  auto *in = raw->addInput(*x)->getOutput(0);
  auto *t = n.addSoftMax(*in)->getOutput(0);
  std::unique_ptr<IIfConditional, Closer> c(raw, Closer{t, in, &n});
}

void sharedWithDeleter(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *raw = n.addIfConditional();
  auto *in = raw->addInput(*x)->getOutput(0);
  auto *t = n.addSoftMax(*in)->getOutput(0);
  std::shared_ptr<void> atEnd(nullptr, [&](void *) { raw->setCondition(p); });
  std::shared_ptr<IIfConditional> c(raw, [=, &n](IIfConditional *gate) {
    n.markOutput(*gate->addOutput(*t, *in)->getOutput(0));
  });
}

// A temporary lives until the end of its expression.
struct Fluent {
  Fluent(INetworkDefinition &n, ITensor &p) : net(n), gate(n.addIfConditional()) { gate->setCondition(p); }
  ~Fluent() { net.markOutput(*gate->addOutput(*t, *f)->getOutput(0)); } // expect: error output-dtype
  Fluent &then(ITensor *x) {
    t = x;
    return *this;
  }
  Fluent &otherwise(ITensor *x) {
    f = x;
    return *this;
  }
  INetworkDefinition &net;
  IIfConditional *gate;
  ITensor *t = nullptr;
  ITensor *f = nullptr;
};

void temporary(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *i = n.addInput("i", DataType::kINT32, Dims2{4, 8});
  Fluent(n, p).then(x).otherwise(n.addIdentity(*x)->getOutput(0));
  Fluent(n, p).then(x).otherwise(i);
}
