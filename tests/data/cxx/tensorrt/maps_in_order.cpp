// condlint-test: target=tensorrt@10.3
// What comes first in a map is for its comparison to say.
#include <NvInfer.h>
#include <functional>
#include <map>
#include <string>

using namespace nvinfer1;

struct HighestFirst {
  bool operator()(int a, int b) const { return a > b; }
};
struct NoCase {
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  bool operator()(const std::string &a, const std::string &b) const { return lower(a[0]) < lower(b[0]); }
};

void highestFirst(INetworkDefinition &n) {
  std::map<int, ITensor *, std::greater<int>> tensors;
  tensors[1] = n.addInput("p", DataType::kBOOL, Dims{0});
  tensors[2] = n.addInput("x", DataType::kFLOAT, Dims2{2, 4});
  auto it = tensors.begin();
  ITensor *x = it->second;
  ++it;
  auto *c = n.addIfConditional();
  c->setCondition(*it->second);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}

void lowestMeant(INetworkDefinition &n) {
  std::map<int, ITensor *, std::greater<int>> tensors;
  tensors[1] = n.addInput("p", DataType::kBOOL, Dims{0});
  tensors[2] = n.addInput("x", DataType::kFLOAT, Dims2{2, 4});
  auto *c = n.addIfConditional();
  c->setCondition(*tensors.begin()->second); // expect: error predicate-dtype; error predicate-shape
  auto *in = c->addInput(*tensors.at(2))->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}

void textsWalked(INetworkDefinition &n) {
  std::map<std::string, ITensor *, std::greater<>> tensors{{"b", n.addInput("x", DataType::kFLOAT, Dims2{2, 4})},
                                                           {"a", n.addInput("p", DataType::kBOOL, Dims{0})},
                                                           {"ab", n.addInput("z", DataType::kFLOAT, Dims2{2, 8})}};
  ITensor *inOrder[3];
  int i = 0;
  for (auto &[name, tensor] : tensors)
    inOrder[i++] = tensor;
  auto *c = n.addIfConditional();
  c->setCondition(*inOrder[2]);
  auto *yes = n.addUnary(*c->addInput(*inOrder[0])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *no = n.addUnary(*c->addInput(*inOrder[1])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *no)->getOutput(0)); // expect: error output-shape
}

void byTheUsersOrder(INetworkDefinition &n) {
  std::map<int, ITensor *, HighestFirst> tensors;
  tensors[1] = n.addInput("p", DataType::kBOOL, Dims{0});
  tensors[2] = n.addInput("x", DataType::kFLOAT, Dims2{2, 4});
  auto it = tensors.begin();
  ITensor *x = it->second;
  ++it;
  auto *c = n.addIfConditional();
  c->setCondition(*it->second);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}

void oneKey(INetworkDefinition &n) {
  std::map<std::string, ITensor *, NoCase> tensors;
  tensors["X"] = n.addInput("x", DataType::kFLOAT, Dims2{2, 4});
  tensors["x"] = n.addInput("p", DataType::kBOOL, Dims{0}); // in the place of the other
  auto *c = n.addIfConditional();
  c->setCondition(*tensors.at("X"));
  auto *in = c->addInput(*n.addInput("y", DataType::kFLOAT, Dims2{2, 4}))->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0));
}
