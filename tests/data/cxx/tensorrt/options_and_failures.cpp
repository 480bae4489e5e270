// condlint-test: target=tensorrt@10.3
// What hangs on the building code's own conditions: on options, and on what may fail.
#include <NvInfer.h>
#include <iostream>
#include <string>

using namespace nvinfer1;

struct Config {
  bool gated = true;
  bool half = false;
  int depth = 2;
  enum class Head { None, Linear, Conv } head = Head::None;
};
// The same flag twice: the two agree.
void consistent(INetworkDefinition &n, ITensor &p, ITensor &x, const Config &cfg) {
  ITensor *t = &x;
  IIfConditional *c = nullptr;
  if (cfg.gated) {
    c = n.addIfConditional();
    c->setCondition(p);
    t = c->addInput(x)->getOutput(0);
  }
  t = n.addUnary(*t, UnaryOperation::kABS)->getOutput(0);
  if (cfg.gated)
    t = c->addOutput(*t, x)->getOutput(0);
  n.markOutput(*t);
}
// Set on one path only.
void onePath(INetworkDefinition &n, ITensor &p, ITensor &x, bool gated) {
  auto *c = n.addIfConditional(); // expect: error predicate-missing
  if (gated)
    c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*t, x)->getOutput(0));
}
// Each path sets one.
void eachPath(INetworkDefinition &n, ITensor &p, ITensor &q, ITensor &x, int which) {
  auto *c = n.addIfConditional();
  if (which == 0)
    c->setCondition(p);
  else
    c->setCondition(q);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*t, x)->getOutput(0));
}
// A helper that fails.
static bool addHead(INetworkDefinition &n, const Config &cfg, ITensor *&t) {
  switch (cfg.head) {
  case Config::Head::None:
    return true;
  case Config::Head::Linear:
    t = n.addUnary(*t, UnaryOperation::kEXP)->getOutput(0);
    return t != nullptr;
  default:
    std::cerr << "unsupported head" << std::endl;
    return false;
  }
}
bool withHelper(INetworkDefinition &n, ITensor &p, ITensor &x, const Config &cfg) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *t = c->addInput(x)->getOutput(0);
  if (!addHead(n, cfg, t))
    return false;
  n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
  return true;
}
bool resultVariable(INetworkDefinition &n, ITensor *p, ITensor &x, const Config &cfg) {
  bool ok = true;
  auto *c = n.addIfConditional();
  ok = ok && c != nullptr;
  if (p != nullptr) {
    ok &= c->setCondition(*p) != nullptr;
  } else {
    std::cerr << "no condition\n";
    ok = false;
  }
  ITensor *t = c->addInput(x)->getOutput(0);
  ok &= addHead(n, cfg, t);
  if (ok)
    n.markOutput(*c->addOutput(*n.addUnary(*t, UnaryOperation::kABS)->getOutput(0), x)->getOutput(0));
  return ok;
}
// Options.
// An option that leaves a conditional without outputs.
void optionalOutput(INetworkDefinition &n, ITensor &p, ITensor &x, bool expose) {
  auto *c = n.addIfConditional(); // expect: error output-none
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  if (expose)
    n.markOutput(*c->addOutput(*t, x)->getOutput(0));
  else
    n.markOutput(x);
}
// An option to route the tensor.
void optionalLazy(INetworkDefinition &n, ITensor &p, ITensor *x, bool lazy) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *in = x;
  if (lazy)
    in = c->addInput(*x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0); // expect: warning branch-eager
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
}
void depthLoop(INetworkDefinition &n, ITensor &p, ITensor *x, const Config &cfg) {
  for (int i = 0; i < cfg.depth; ++i) {
    if (cfg.gated && i % 2 == 0) {
      auto *c = n.addIfConditional();
      c->setCondition(p);
      auto *in = c->addInput(*x)->getOutput(0);
      x = c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *x)->getOutput(0);
    } else {
      x = n.addUnary(*x, UnaryOperation::kEXP)->getOutput(0);
    }
  }
  n.markOutput(*x);
}
