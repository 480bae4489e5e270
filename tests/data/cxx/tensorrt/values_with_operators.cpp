// condlint-test: target=tensorrt@10.3
// A value class with operators around the tensors of a network.
#include <NvInfer.h>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

using namespace nvinfer1;

struct Var {
  INetworkDefinition *net = nullptr;
  ITensor *t = nullptr;
  Var operator+(const Var &o) const { return {net, net->addElementWise(*t, *o.t, ElementWiseOperation::kSUM)->getOutput(0)}; }
  Var operator*(const Var &o) const { return {net, net->addElementWise(*t, *o.t, ElementWiseOperation::kPROD)->getOutput(0)}; }
  Var &operator+=(const Var &o) {
    *this = *this + o;
    return *this;
  }
  Var relu() const { return {net, net->addActivation(*t, ActivationType::kRELU)->getOutput(0)}; } // expect: warning branch-eager
  explicit operator bool() const { return t != nullptr; }
};

class If {
public:
  If(Var cond) : net(cond.net), c(cond.net->addIfConditional()) {
    assert(c);
    c->setCondition(*cond.t);
  }
  Var enter(Var v) { return {net, c->addInput(*v.t)->getOutput(0)}; }
  template <class T, class F> Var select(T &&yes, F &&no, Var x) {
    Var in = enter(x);
    Var a = std::forward<T>(yes)(in);
    Var b = std::forward<F>(no)(in);
    return {net, c->addOutput(*a.t, *b.t)->getOutput(0)};
  }

private:
  INetworkDefinition *net;
  IIfConditional *c;
};

void fine(INetworkDefinition &n) {
  Var p{&n, n.addInput("p", DataType::kBOOL, Dims{0})};
  Var x{&n, n.addInput("x", DataType::kFLOAT, Dims2{4, 8})};
  Var y = If(p).select([](Var v) { return v + v; }, [](Var v) { return (v * v).relu(); }, x);
  n.markOutput(*y.t);
}

void captured(INetworkDefinition &n) {
  Var p{&n, n.addInput("p", DataType::kBOOL, Dims{0})};
  Var x{&n, n.addInput("x", DataType::kFLOAT, Dims2{4, 8})};
  Var y = If(p).select([&](Var) {
    Var r = x.relu(); // the layer stands in relu()
    r += x;
    return r; }, [](Var v) { return v * v; }, x);
  n.markOutput(*y.t);
}
