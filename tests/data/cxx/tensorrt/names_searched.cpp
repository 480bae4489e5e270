// condlint-test: target=tensorrt@10.3
// What is built hangs on names: where they are known, so is what a search in them finds, and that it finds nothing.
#include <NvInfer.h>

#include <cstddef>
#include <cstring>
#include <string>

using namespace nvinfer1;

namespace {

struct Branch {
  Branch(INetworkDefinition &network, IIfConditional *conditional) : n(network), c(conditional) {
    c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
    in = c->addInput(*n.addInput("x", DataType::kFLOAT, Dims2{4, 8}))->getOutput(0);
    out = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  }
  void half() { out = n.addCast(*out, DataType::kHALF)->getOutput(0); }

  INetworkDefinition &n;
  IIfConditional *c;
  ITensor *in;
  ITensor *out;
};

} // namespace

void isFound(INetworkDefinition &n) {
  Branch b(n, n.addIfConditional());
  const std::string name = "encoder.fp16";
  if (name.find("fp16") != std::string::npos && name.compare(name.size() - 4, 4, "fp16") == 0)
    b.half();
  n.markOutput(*b.c->addOutput(*b.out, *b.in)->getOutput(0)); // expect: error output-dtype
}

void isNotFound(INetworkDefinition &n) {
  Branch b(n, n.addIfConditional());
  const std::string name = "encoder.fp32";
  if (name.find("fp16") != std::string::npos)
    b.half();
  if (const std::size_t slash = name.find_first_of("/:"); slash < name.size())
    b.half();
  if (name.find('.', 8) != std::string::npos || name.compare(name.size() - 4, 4, "fp16") == 0)
    b.half();
  if (std::strcmp(name.c_str(), "encoder.fp16") == 0 || !std::strncmp(name.c_str(), "decoder", 7))
    b.half();
  n.markOutput(*b.c->addOutput(*b.out, *b.in)->getOutput(0));
}

// The last part ends where no other separator is found.
void inParts(INetworkDefinition &n) {
  Branch b(n, n.addIfConditional());
  const std::string steps = "relu,abs";
  for (std::size_t start = 0; start != std::string::npos;) {
    const std::size_t comma = steps.find(',', start);
    if (steps.substr(start, comma == std::string::npos ? comma : comma - start) == "half")
      b.half();
    start = comma == std::string::npos ? comma : comma + 1;
  }
  n.markOutput(*b.c->addOutput(*b.out, *b.in)->getOutput(0));
}
