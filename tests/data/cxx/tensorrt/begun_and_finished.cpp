// condlint-test: target=tensorrt@10.11
// A network begun in the constructor and finished in other methods.
#include <NvInfer.h>
#include <memory>
#include <optional>
#include <vector>

using namespace nvinfer1;

struct InferDeleter {
  template <typename T> void operator()(T *obj) const { delete obj; }
};
template <typename T> using Unique = std::unique_ptr<T, InferDeleter>;

class Pipeline {
public:
  explicit Pipeline(ILogger &logger) {
    builder_ = Unique<IBuilder>(createInferBuilder(logger));
    network_.reset(builder_->createNetworkV2(0U));
    cond_ = network_->addInput("cond", DataType::kBOOL, Dims{0});
    x_ = network_->addInput("x", DataType::kFLOAT, Dims2{1, 8});
    gate_ = network_->addIfConditional();
    gate_->setCondition(*cond_);
  }
  void body() {
    ITensor *in = gate_->addInput(*x_)->getOutput(0);
    yes_ = network_->addSoftMax(*in)->getOutput(0);
    hidden_ = network_->addUnary(**yes_, UnaryOperation::kLOG)->getOutput(0);
  }
  bool finish() {
    if (!yes_.has_value())
      return false;
    auto *out = gate_->addOutput(*hidden_, *x_);
    network_->markOutput(*out->getOutput(0));
    network_->markOutput(**yes_); // expect: error branch-leak
    return true;
  }
  bool run(ILogger &) {
    body();
    return finish();
  }

private:
  Unique<IBuilder> builder_;
  Unique<INetworkDefinition> network_;
  ITensor *cond_{nullptr}, *x_{nullptr}, *hidden_{nullptr};
  std::optional<ITensor *> yes_;
  IIfConditional *gate_{nullptr};
};

int main() {
  struct Quiet : ILogger {
    void log(Severity, AsciiChar const *) noexcept override {}
  } logger;
  Pipeline p(logger);
  return p.run(logger) ? 0 : 1;
}

// Only begun: others may finish it.
class Begun {
public:
  explicit Begun(INetworkDefinition &n) : n_(n), c_(n.addIfConditional()) {} // expect-unknown: predicate-missing, output-none
  IIfConditional *get() { return c_; }

private:
  INetworkDefinition &n_;
  IIfConditional *c_;
};

// Nobody else can reach it.
void local(INetworkDefinition &n) {
  struct Holder {
    IIfConditional *c;
  } h{n.addIfConditional()}; // expect: error predicate-missing; error output-none
  (void)h;
}
