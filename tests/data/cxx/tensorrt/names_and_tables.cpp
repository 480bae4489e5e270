// condlint-test: target=tensorrt@8.6
// Names that are put together, tables of builders, classes that take their base's constructors.
#include <NvInfer.h>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

using namespace nvinfer1;

void keysPutTogether(INetworkDefinition &n, ITensor &p) {
  std::map<std::string, ITensor *> past;
  const std::string prefix = "past";
  for (int i = 0; i < 2; ++i)
    past[prefix + "." + std::to_string(i)] =
        n.addInput((prefix + std::to_string(i)).c_str(), i == 0 ? DataType::kHALF : DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *a = c->addInput(*past.at("past.0"))->getOutput(0);
  auto *b = c->addInput(*past.at("past.1"))->getOutput(0);
  n.markOutput(*c->addOutput(*a, *past["past.0"])->getOutput(0));
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // expect: error output-dtype; warning output-duplicate
}

struct Block {
  explicit Block(INetworkDefinition &n) : net(n) {}
  virtual ~Block() = default;
  virtual ITensor *operator()(ITensor *x) = 0;
  INetworkDefinition &net;
};
struct Relu : Block {
  using Block::Block;
  ITensor *operator()(ITensor *x) override { return net.addActivation(*x, ActivationType::kRELU)->getOutput(0); }
};
struct Half : Block {
  using Block::Block;
  ITensor *operator()(ITensor *x) override { return net.addCast(*x, target)->getOutput(0); }
  DataType target = DataType::kHALF;
};

using Factory = std::function<std::unique_ptr<Block>(INetworkDefinition &)>;
const std::map<std::string, Factory> &registry() {
  static const std::map<std::string, Factory> all{
      {"relu", [](INetworkDefinition &n) { return std::make_unique<Relu>(n); }},
      {"half", [](INetworkDefinition &n) { return std::make_unique<Half>(n); }},
  };
  return all;
}

void fromRegistry(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto relu = registry().at("relu")(n);
  auto half = registry().at("half")(n);
  n.markOutput(*c->addOutput(*(*relu)(in), *in)->getOutput(0));
  n.markOutput(*c->addOutput(*(*relu)(in), *(*half)(in))->getOutput(0)); // expect: error output-dtype
}

ITensor *absolute(INetworkDefinition &n, ITensor *x) { return n.addUnary(*x, UnaryOperation::kABS)->getOutput(0); }
ITensor *rows(INetworkDefinition &n, ITensor *x) {
  return n.addReduce(*x, ReduceOperation::kSUM, 2, false)->getOutput(0);
}
static std::map<std::string, ITensor *(*)(INetworkDefinition &, ITensor *)> builders{{"abs", absolute}, {"rows", &rows}};

void fromTable(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*builders["abs"](n, in), *in)->getOutput(0));
  n.markOutput(*c->addOutput(*builders.at("abs")(n, in), *builders.find("rows")->second(n, in))->getOutput(0)); // expect: error output-rank
}

void elementsMoved(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *i = n.addInput("i", DataType::kINT32, Dims2{4, 8});
  std::vector<ITensor *> v{nullptr, x, i};
  v.erase(std::remove(v.begin(), v.end(), nullptr), v.end()); // x i
  v.insert(v.begin() + 1, {x, x});                            // x x x i
  v.insert(v.begin(), 1, x);                                  // x x x x i
  v.erase(v.begin(), v.begin() + 2);                          // x x i
  auto *c = n.addIfConditional();
  c->setCondition(p);
  for (std::size_t k = 0; k + 1 < v.size(); ++k) {
    auto *t = n.addIdentity(*c->addInput(*v[k])->getOutput(0))->getOutput(0);
    auto *f = n.addIdentity(*c->addInput(*v[k + 1])->getOutput(0))->getOutput(0);
    n.markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-dtype
  }
}

struct Absolute {};
struct Sum {
  uint32_t axes;
};
struct Apply {
  INetworkDefinition &n;
  ITensor *x;
  ITensor *operator()(const Absolute &) const { return absolute(n, x); }
  ITensor *operator()(const Sum &s) const { return n.addReduce(*x, ReduceOperation::kSUM, s.axes, false)->getOutput(0); }
};

void byVariant(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  std::variant<Absolute, Sum> a = Absolute{}, b = Sum{2U};
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = std::visit(Apply{n, in}, a);
  if (!std::holds_alternative<Sum>(b) || !std::get_if<Absolute>(&a))
    return;
  n.markOutput(*c->addOutput(*t, *in)->getOutput(0));
  n.markOutput(*c->addOutput(*t, *std::visit(Apply{n, in}, b))->getOutput(0)); // expect: error output-rank; warning output-duplicate
}

void outputThatIsNone(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *t = n.addUnary(*in, UnaryOperation::kABS);
  if (ITensor *second = t->getOutput(1))
    n.markOutput(*second);
  n.markOutput(*c->addOutput(*t->getOutput(0), *in)->getOutput(0));
  n.markOutput(*c->addOutput(*t->getOutput(1), *n.addIdentity(*in)->getOutput(0))->getOutput(0)); // expect: error branch-missing
}

// What one configuration has no use for another one has.
void usedWhereWanted(INetworkDefinition &n, ITensor &p, bool both) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
  auto *second = c->addOutput(*n.addIdentity(*a)->getOutput(0), *n.addIdentity(*b)->getOutput(0))->getOutput(0);
  auto *never = c->addOutput(*n.addIdentity(*a)->getOutput(0), *n.addIdentity(*b)->getOutput(0))->getOutput(0); // expect: warning output-unused
  (void)never;
  if (both)
    n.markOutput(*second);
}

void pairsMadeInPlace(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<std::pair<ITensor *, ITensor *>> sides;
  sides.emplace_back(n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), in);
  sides.emplace_back(in, n.addCast(*in, DataType::kHALF)->getOutput(0));
  for (const auto &[t, f] : sides)
    n.markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-dtype
}
