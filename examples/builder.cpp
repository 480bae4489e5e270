// A TensorRT network with a conditional: one branch is built on the conditional's inputs, the other is not.
#include <NvInfer.h>

using namespace nvinfer1;

void buildGate(INetworkDefinition *network) {
  ITensor *x = network->addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ITensor *isOpen = network->addInput("is_open", DataType::kBOOL, Dims{});
  IIfConditional *gate = network->addIfConditional();
  gate->setCondition(*isOpen);

  // Lazy: it hangs on an input of the conditional, so it runs only when the gate is open.
  ITensor *inside = gate->addInput(*x)->getOutput(0);
  ITensor *open = network->addActivation(*inside, ActivationType::kSIGMOID)->getOutput(0);

  // Eager: it hangs on `x` itself, so TensorRT runs it always, and nothing says so when the engine is built.
  ITensor *closed = network->addActivation(*x, ActivationType::kTANH)->getOutput(0);

  network->markOutput(*gate->addOutput(*open, *closed)->getOutput(0));
}
