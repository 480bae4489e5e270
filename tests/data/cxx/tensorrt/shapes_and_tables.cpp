// condlint-test: target=tensorrt@10.3
#include <NvInfer.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace nvinfer1;

static Dims toDims(std::initializer_list<int64_t> sizes) {
  Dims d{};
  d.nbDims = static_cast<int32_t>(sizes.size());
  std::copy(sizes.begin(), sizes.end(), d.d);
  return d;
}

static Dims fromVector(const std::vector<int64_t> &v) {
  Dims d;
  d.nbDims = v.size();
  for (size_t i = 0; i < v.size(); ++i)
    d.d[i] = v[i];
  return d;
}

static ITensor *constant(INetworkDefinition &n, const std::vector<float> &v, Dims d) {
  return n.addConstant(d, Weights{DataType::kFLOAT, v.data(), static_cast<int64_t>(v.size())})->getOutput(0);
}

void references(INetworkDefinition &n) {
  auto &p = *n.addInput("p", DataType::kBOOL, toDims({}));
  auto &x = *n.addInput("x", DataType::kFLOAT, toDims({2, 3}));
  IIfConditional &c = *n.addIfConditional();
  c.setCondition(p);
  ITensor &in = *c.addInput(x)->getOutput(0);
  auto &t = *n.addUnary(in, UnaryOperation::kABS);
  t.getOutput(0)->setName("t");
  auto &f = *n.addUnary(*t.getInput(0), UnaryOperation::kNEG);
  n.markOutput(*c.addOutput(*t.getOutput(0), *f.getOutput(0))->getOutput(0));
}

void shapesByHelpers(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, toDims({}));
  auto *x = n.addInput("x", DataType::kFLOAT, fromVector({2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<float> two(6, 2.0F);
  auto *t = n.addElementWise(*in, *constant(n, two, fromVector({2, 3})), ElementWiseOperation::kPROD)->getOutput(0);
  auto *s = n.addShuffle(*in);
  s->setReshapeDimensions(toDims({3, 2}));
  n.markOutput(*c->addOutput(*t, *s->getOutput(0))->getOutput(0)); // expect: error output-shape
}

std::optional<ITensor *> maybe(INetworkDefinition &n, ITensor *x, bool on) {
  if (!on)
    return std::nullopt;
  return n.addSoftMax(*x)->getOutput(0);
}

void optionals(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, toDims({}));
  auto *x = n.addInput("x", DataType::kFLOAT, toDims({2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto t = maybe(n, in, true);
  auto f = maybe(n, in, false);
  n.markOutput(*c->addOutput(**t, *f.value_or(x))->getOutput(0));
}

struct Spec {
  const char *name;
  UnaryOperation op;
  bool half;
};

void table(INetworkDefinition &n) {
  static constexpr Spec kSpecs[] = {{"a", UnaryOperation::kABS, false}, {"b", UnaryOperation::kNEG, false}, {"c", UnaryOperation::kEXP, true}};
  auto *p = n.addInput("p", DataType::kBOOL, toDims({}));
  auto *x = n.addInput("x", DataType::kFLOAT, toDims({2, 3}));
  for (const auto &spec : kSpecs) {
    auto *c = n.addIfConditional();
    c->setName(spec.name);
    c->setCondition(*p);
    auto *in = c->addInput(*x)->getOutput(0);
    auto *t = n.addUnary(*in, spec.op)->getOutput(0);
    if (spec.half)
      t = n.addCast(*t, DataType::kHALF)->getOutput(0);
    auto *y = c->addOutput(*t, *in)->getOutput(0); // expect: error output-dtype
    n.markOutput(*y);
  }
}

std::pair<ITensor *, ITensor *> both(INetworkDefinition &n, ITensor &x) {
  return std::make_pair(n.addUnary(x, UnaryOperation::kABS)->getOutput(0), n.addUnary(x, UnaryOperation::kNEG)->getOutput(0));
}

void pairs(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, toDims({}));
  auto *x = n.addInput("x", DataType::kFLOAT, toDims({2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  ITensor *a = nullptr, *b = nullptr;
  std::tie(a, b) = both(n, *c->addInput(*x)->getOutput(0));
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
  std::swap(a, b);
  n.markOutput(*a); // expect: error branch-leak
}

void chainOfLayers(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, toDims({}));
  auto *x = n.addInput("x", DataType::kFLOAT, toDims({2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ILayer *> layers;
  ITensor *t = x;
  for (int i = 0; i < 4; ++i) {
    layers.push_back(n.addActivation(*t, ActivationType::kRELU));
    t = layers.back()->getOutput(0);
  }
  layers.front()->setInput(0, *c->addInput(*x)->getOutput(0)); // rewired: lazy after all
  n.markOutput(*c->addOutput(*t, *x)->getOutput(0));
}

void counted(INetworkDefinition &n) {
  std::vector<float> w(5);
  auto *k = n.addConstant(toDims({2, 3}), Weights{DataType::kFLOAT, w.data(), static_cast<int64_t>(w.size())}); // expect: error operator-type
  n.markOutput(*k->getOutput(0));
}
