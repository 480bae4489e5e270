// condlint-test: target=tensorrt@10.3
#include <NvInfer.h>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

using namespace nvinfer1;

void entered(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  std::map<std::string, ITensor *> tensors;
  for (const char *name : {"a", "b"})
    tensors[name] = n.addInput(name, DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  for (auto &[name, t] : tensors)
    t = c->addInput(*t)->getOutput(0);
  auto *yes = n.addElementWise(*tensors["a"], *tensors["b"], ElementWiseOperation::kSUM)->getOutput(0);
  auto *no = n.addElementWise(*tensors["a"], *tensors["b"], ElementWiseOperation::kSUB)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *no)->getOutput(0));
}

void byEntry(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  std::unordered_map<int, ITensor *> tensors;
  tensors[3] = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::unordered_map<int, ITensor *> inner;
  for (const auto &entry : tensors)
    inner[entry.first] = c->addInput(*entry.second)->getOutput(0);
  auto *yes = n.addSoftMax(*tensors.at(3))->getOutput(0); // expect: warning branch-eager
  auto *no = n.addUnary(*inner[3], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *no)->getOutput(0));
}

void found(INetworkDefinition &n, const std::string &which) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0});
  std::map<std::string, ITensor *> tensors;
  tensors["a"] = n.addInput("a", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  tensors["in"] = c->addInput(*tensors["a"])->getOutput(0);
  auto it = tensors.find(which);
  if (it == tensors.end())
    return;
  auto *yes = n.addSoftMax(*it->second)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *n.addUnary(*tensors[which], UnaryOperation::kABS)->getOutput(0))->getOutput(0));
}

void byLayerAndHead(INetworkDefinition &n, ITensor &p) {
  std::map<std::pair<int, std::string>, ITensor *> past;
  past[{0, "key"}] = n.addInput("k", DataType::kFLOAT, Dims2{2, 3});
  past[{0, "value"}] = n.addInput("v", DataType::kHALF, Dims2{2, 3});
  past.emplace(std::make_pair(1, "key"), n.addInput("k1", DataType::kFLOAT, Dims2{2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(p);
  for (auto &[place, t] : past)
    t = c->addInput(*t)->getOutput(0);
  n.markOutput(*c->addOutput(*past[{0, "key"}], *past.at({1, "key"}))->getOutput(0));
  auto *yes = n.addUnary(*past[{0, "key"}], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*yes, *past[{0, "value"}])->getOutput(0)); // expect: error output-dtype
}
