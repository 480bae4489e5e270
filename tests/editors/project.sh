# A project for an editor to open; read by the scripts beside it, which say where condlint's sources are ($root).

# project FOLDER: with one finding that can be mended, in $SOURCE, and a sound conditional behind it
project() {
  mkdir -p "$1"
  cat >"$1/net.cpp" <<'END'
#include <condlint/cond.h>
#include <torch/torch.h>
using torch::Tensor;
Tensor f(const Tensor &x, const Tensor &p) {
  CONDLINT_SCALAR(p, Bool);
  CONDLINT_TENSOR(x, Float, "N", 8);
  return condlint::cond(
      p, [](const Tensor &a) { return a; },
      [](const Tensor &a) { return torch::relu(a); }, {x});
}
Tensor g(const Tensor &y, const Tensor &q) {
  CONDLINT_SCALAR(q, Bool);
  CONDLINT_TENSOR(y, Float, "M", 4);
  return condlint::cond(
      q, [](const Tensor &b) { return torch::sigmoid(b); },
      [](const Tensor &b) { return torch::tanh(b); }, {y});
}
END
  printf '%s\n' -std=c++17 "-I$root/include" -isystem "$root/tests/mocks" >"$1/compile_flags.txt"
  export SOURCE=$1/net.cpp
}

# network FOLDER: a source that builds a network with a lazy, an eager and a shared layer
network() {
  mkdir -p "$1"
  cat >"$1/builder.cpp" <<'END'
#include <NvInfer.h>
using namespace nvinfer1;
void build(INetworkDefinition *net) {
  ITensor *x = net->addInput("x", DataType::kFLOAT, Dims2{4, 8});
  ITensor *p = net->addInput("p", DataType::kBOOL, Dims{0, {}});
  ITensor *both = net->addActivation(*x, ActivationType::kRELU)->getOutput(0);
  IIfConditional *which = net->addIfConditional();
  which->setCondition(*p);
  ITensor *in = which->addInput(*both)->getOutput(0);
  ITensor *a = net->addActivation(*in, ActivationType::kSIGMOID)->getOutput(0);
  ITensor *b = net->addActivation(*both, ActivationType::kTANH)->getOutput(0);
  net->markOutput(*which->addOutput(*a, *b)->getOutput(0));
}
END
  printf '%s\n' -std=c++17 -isystem "$root/tests/mocks/tensorrt" >"$1/compile_flags.txt"
}

# exported FOLDER: a model of the examples, as if it had been exported from a script in that folder
exported() {
  mkdir -p "$1"
  { echo 'import torch'; for _ in $(seq 1000); do echo '# another line of the script'; done; } >"$1/net.py"
  python3 - "$root/examples/returned_operand.pt2" "$1" <<'END'
import re, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2] + "/m.pt2", "w") as new:
    for name in old.namelist():
        data = old.read(name)
        if name.endswith(".json"):
            data = re.sub(rb'File \\"[^"]+\\"', b'File \\"' + sys.argv[2].encode() + b'/net.py\\"', data)
        new.writestr(name, data)
END
}
