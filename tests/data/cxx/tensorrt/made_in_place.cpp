// condlint-test: target=tensorrt@10.3 -std=c++20
// Elements that a container makes from what its constructor takes, one argument or several.
#include <NvInfer.h>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace nvinfer1;

class Gate {
public:
  explicit Gate(IIfConditional *c) : c_(c) {}
  ITensor &in(ITensor &x) { return *c_->addInput(x)->getOutput(0); }
  IIfConditional &get() { return *c_; }

private:
  IIfConditional *c_;
};

void complete(INetworkDefinition &n, Gate &g, ITensor &p, ITensor &x) {
  g.get().setCondition(p);
  ITensor &h = g.in(x);
  n.markOutput(*g.get().addOutput(*n.addUnary(h, UnaryOperation::kEXP)->getOutput(0), h)->getOutput(0));
}

void inLists(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<Gate> gates;
  gates.emplace_back(n.addIfConditional());
  complete(n, gates.back(), p, x);
  std::list<Gate> more;
  complete(n, more.emplace_front(n.addIfConditional()), p, x);
  gates.emplace(gates.begin(), n.addIfConditional());
  complete(n, gates.front(), p, x);
}

void inMaps(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string, Gate> gates;
  gates.emplace("a", n.addIfConditional());
  complete(n, gates.at("a"), p, x);
  gates.try_emplace("b", n.addIfConditional());
  complete(n, gates.at("b"), p, x);
  std::pair<int, Gate> one(1, n.addIfConditional());
  complete(n, one.second, p, x);
}

void perhaps(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::optional<Gate> gate;
  gate.emplace(n.addIfConditional());
  complete(n, *gate, p, x);
  std::optional<Gate> other(std::in_place, n.addIfConditional());
  complete(n, *other, p, x);
  std::variant<std::monostate, Gate> either;
  either.emplace<Gate>(n.addIfConditional());
  complete(n, std::get<Gate>(either), p, x);
}

struct Tagged {
  ITensor *tensor;
  explicit Tagged(ITensor *t) : tensor(t) {}
};

struct Pair {
  ITensor *yes;
  std::string name;
};

void whatTheyHold(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  std::vector<Tagged> tagged;
  tagged.emplace_back(n.addCast(*in, DataType::kHALF)->getOutput(0));
  std::vector<Pair> pairs;
  pairs.emplace_back(n.addReduce(*in, ReduceOperation::kSUM, 1, false)->getOutput(0), "sum");
  const auto kept = [&] { return n.addUnary(*in, UnaryOperation::kABS)->getOutput(0); };
  n.markOutput(*c->addOutput(*tagged[0].tensor, *kept())->getOutput(0)); // expect: error output-dtype
  n.markOutput(*c->addOutput(*pairs[0].yes, *kept())->getOutput(0)); // expect: error output-rank
  tagged.emplace_back(n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0));
  n.markOutput(*c->addOutput(*tagged[1].tensor, *kept())->getOutput(0));
}
