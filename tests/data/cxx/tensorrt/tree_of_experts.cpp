// condlint-test: target=tensorrt@11.1
// A tree of conditionals made by recursion, algorithms and structured bindings.
#include <NvInfer.h>
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

using namespace nvinfer1;

using Expert = std::function<ITensor *(INetworkDefinition &, ITensor &)>;

static ITensor *scalar(INetworkDefinition &n, const int32_t *value) {
  return n.addConstant(Dims{0, {}}, Weights{DataType::kINT32, value, 1})->getOutput(0);
}

static ITensor *choose(INetworkDefinition &n, ITensor &index, ITensor &x, const std::vector<Expert> &experts, size_t first, size_t last) {
  if (last - first == 1)
    return experts[first](n, x);
  static const int32_t kBounds[] = {0, 1, 2, 3, 4};
  const size_t middle = first + (last - first) / 2;
  auto *c = n.addIfConditional();
  auto *less = n.addElementWise(index, *scalar(n, &kBounds[middle]), ElementWiseOperation::kLESS)->getOutput(0);
  c->setCondition(*less);
  auto *xi = c->addInput(x)->getOutput(0);
  auto *ii = c->addInput(index)->getOutput(0); // expect: warning operand-unused
  auto *a = choose(n, *ii, *xi, experts, first, middle);
  auto *b = choose(n, *ii, *xi, experts, middle, last);
  return c->addOutput(*a, *b)->getOutput(0);
}

void four(INetworkDefinition &n) {
  auto *index = n.addInput("i", DataType::kINT32, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kHALF, Dims2{-1, 16});
  std::vector<Expert> experts;
  for (auto op : {UnaryOperation::kABS, UnaryOperation::kNEG, UnaryOperation::kEXP, UnaryOperation::kSIN})
    experts.push_back([op](INetworkDefinition &net, ITensor &t) { return net.addUnary(t, op)->getOutput(0); });
  n.markOutput(*choose(n, *index, *x, experts, 0, experts.size()));
}

std::tuple<ITensor *, ITensor *> halves(INetworkDefinition &n, ITensor &t) {
  auto *a = n.addSlice(t, Dims2{0, 0}, Dims2{4, 8}, Dims2{1, 1})->getOutput(0);
  auto *b = n.addSlice(t, Dims2{0, 8}, Dims2{4, 8}, Dims2{1, 1})->getOutput(0);
  return {a, b};
}

void bindings(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 16});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ITensor *> outer{x, x}, inner(2);
  std::transform(outer.begin(), outer.end(), inner.begin(), [&](ITensor *t) { return c->addInput(*t)->getOutput(0); });
  auto [a, b] = halves(n, *inner[0]);
  auto [d, e] = halves(n, *inner[1]);
  auto *yes = n.addElementWise(*a, *b, ElementWiseOperation::kSUM)->getOutput(0);
  auto *no = n.addElementWise(*d, *x, ElementWiseOperation::kSUM); // expect: error operator-type
  (void)e;
  n.markOutput(*c->addOutput(*yes, *no->getOutput(0))->getOutput(0));
}

void summed(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 16});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ITensor *> parts;
  for (int i = 0; i < 3; ++i)
    parts.emplace_back(n.addSlice(*x, Dims2{0, i * 4}, Dims2{4, 4}, Dims2{1, 1})->getOutput(0)); // expect: warning branch-eager
  auto *sum = std::accumulate(parts.begin() + 1, parts.end(), parts.front(), [&](ITensor *a, ITensor *b) {
    return n.addElementWise(*a, *b, ElementWiseOperation::kSUM)->getOutput(0);
  });
  auto *in = c->addInput(*x)->getOutput(0);
  auto *f = n.addSlice(*in, Dims2{0, 0}, Dims2{4, 4}, Dims2{1, 1})->getOutput(0);
  n.markOutput(*c->addOutput(*sum, *f)->getOutput(0));
}
