// condlint-test: target=tensorrt@8.6
// Smart pointers, a namespace of helpers, macros, explicit template arguments.
#include <NvInfer.h>
#include <cassert>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define ADD(net, layer, ...) net->add##layer(__VA_ARGS__)
#define OUT(layer) (layer)->getOutput(0)
#define N_CHECK(layer)                                                                                                 \
  do {                                                                                                                 \
    if ((layer) == nullptr)                                                                                            \
      return nullptr;                                                                                                  \
  } while (0)

namespace blocks {
using nvinfer1::ITensor;
using Net = nvinfer1::INetworkDefinition *;

template <nvinfer1::ActivationType A> ITensor *act(Net net, ITensor *x) {
  auto *l = ADD(net, Activation, *x, A); // expect: warning branch-eager
  N_CHECK(l);
  return OUT(l);
}

template <class Body> ITensor *when(Net net, ITensor *cond, ITensor *x, Body body) {
  auto *c = ADD(net, IfConditional);
  N_CHECK(c);
  N_CHECK(c->setCondition(*cond));
  auto *in = c->addInput(*x);
  N_CHECK(in);
  auto *t = body(OUT(in));
  N_CHECK(t);
  return OUT(c->addOutput(*t, *x));
}
} // namespace blocks

class Graph {
public:
  explicit Graph(blocks::Net net) : net_(net) {}
  Graph &input(const std::string &name, nvinfer1::DataType type, nvinfer1::Dims dims) {
    tensors_[name] = net_->addInput(name.c_str(), type, dims);
    return *this;
  }
  nvinfer1::ITensor *operator[](const std::string &name) { return tensors_[name]; }
  Graph &output(nvinfer1::ITensor *t) {
    assert(t != nullptr);
    net_->markOutput(*t);
    return *this;
  }
  blocks::Net net() const { return net_; }

private:
  blocks::Net net_;
  std::map<std::string, nvinfer1::ITensor *> tensors_;
};

std::unique_ptr<nvinfer1::INetworkDefinition> create(nvinfer1::IBuilder &b) {
  auto net = std::unique_ptr<nvinfer1::INetworkDefinition>(b.createNetworkV2(1U));
  Graph g(net.get());
  g.input("p", nvinfer1::DataType::kBOOL, nvinfer1::Dims{0, {}}).input("x", nvinfer1::DataType::kFLOAT, nvinfer1::Dims3{1, 4, 4});
  auto *y = blocks::when(g.net(), g["p"], g["x"], [&](nvinfer1::ITensor *in) {
    return blocks::act<nvinfer1::ActivationType::kSIGMOID>(g.net(), in);
  });
  g.output(y);
  auto *bad = blocks::when(g.net(), g["p"], g["x"], [&](nvinfer1::ITensor *) {
    return blocks::act<nvinfer1::ActivationType::kTANH>(g.net(), g["x"]);
  });
  g.output(bad);
  return net;
}
