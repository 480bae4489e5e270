// condlint-test: target=tensorrt@11.1
// Early exit from a stack of blocks, made by a loop that carries the conditional's state.
#include <NvInfer.h>
#include <string>
#include <vector>

using namespace nvinfer1;

class EarlyExit {
public:
  EarlyExit(INetworkDefinition &n, int blocks) : n_(n), blocks_(blocks) {}

  void build() {
    ITensor *x = n_.addInput("x", DataType::kFLOAT, Dims2{1, 64});
    ITensor *done = falseScalar();
    for (int i = 0; i < blocks_; ++i) {
      IIfConditional *gate = n_.addIfConditional();
      gate->setCondition(*done);
      ITensor *in = gate->addInput(*x)->getOutput(0);
      ITensor *y = block(*in, i);
      ITensor *sure = confident(*y);
      x = gate->addOutput(*x, *y)->getOutput(0);
      done = gate->addOutput(*done, *sure)->getOutput(0);
    }
    n_.markOutput(*x);
    n_.markOutput(*done);
  }

private:
  ITensor *falseScalar() {
    static const bool kFalse = false;
    return n_.addConstant(Dims{0, {}}, Weights{DataType::kBOOL, &kFalse, 1})->getOutput(0);
  }
  ITensor *block(ITensor &x, int i) {
    auto *a = n_.addActivation(x, i % 2 == 0 ? ActivationType::kRELU : ActivationType::kGELU_ERF);
    a->setName(("block" + std::to_string(i)).c_str());
    return n_.addElementWise(x, *a->getOutput(0), ElementWiseOperation::kSUM)->getOutput(0);
  }
  ITensor *confident(ITensor &y) {
    static const float kThreshold = 0.9F;
    auto *m = n_.addReduce(y, ReduceOperation::kMAX, 3, false)->getOutput(0);
    auto *t = n_.addConstant(Dims{0, {}}, Weights{DataType::kFLOAT, &kThreshold, 1})->getOutput(0);
    return n_.addElementWise(*m, *t, ElementWiseOperation::kGREATER)->getOutput(0);
  }
  INetworkDefinition &n_;
  int blocks_;
};

void six(INetworkDefinition &n) { EarlyExit(n, 6).build(); }
void any(INetworkDefinition &n, int k) {
  EarlyExit e(n, k);
  e.build();
}
