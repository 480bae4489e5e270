// condlint-test: target=tensorrt@10.3
// Results that leave by roads that are easily overlooked: nothing is unused.
#include <NvInfer.h>
#include <any>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
using namespace nvinfer1;
static ITensor *gate(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  return c->addOutput(*t, x)->getOutput(0);
}
void byPointer(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor **out) { *out = gate(n, p, x); }
void byArray(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor **out, int i) { out[i] = gate(n, p, x); }
void byReference(INetworkDefinition &n, ITensor &p, ITensor *&x) { x = gate(n, p, *x); }
void byVector(INetworkDefinition &n, ITensor &p, ITensor &x, std::vector<ITensor *> &out) { out.push_back(gate(n, p, x)); }
void byIndex(INetworkDefinition &n, ITensor &p, ITensor &x, std::vector<ITensor *> &out) { out[0] = gate(n, p, x); }
void byAt(INetworkDefinition &n, ITensor &p, ITensor &x, std::unordered_map<std::string, ITensor *> &out) { out.at("y") = gate(n, p, x); }
void byKey(INetworkDefinition &n, ITensor &p, ITensor &x, std::map<std::string, ITensor *> *out) { (*out)["y"] = gate(n, p, x); }
void byUnknownKey(INetworkDefinition &n, ITensor &p, ITensor &x, std::map<std::string, ITensor *> &out, const std::string &k) { out[k] = gate(n, p, x); }
void byInsert(INetworkDefinition &n, ITensor &p, ITensor &x, std::map<std::string, ITensor *> &out) { out.insert({"y", gate(n, p, x)}); }
void byEmplace(INetworkDefinition &n, ITensor &p, ITensor &x, std::list<ITensor *> &out) { out.emplace_back(gate(n, p, x)); }
struct Outs {
  ITensor *y;
  std::vector<ITensor *> all;
  std::map<int, std::vector<ITensor *>> levels;
};
void byStruct(INetworkDefinition &n, ITensor &p, ITensor &x, Outs &o) { o.y = gate(n, p, x); }
void byStructVector(INetworkDefinition &n, ITensor &p, ITensor &x, Outs *o) { o->all.push_back(gate(n, p, x)); }
void byLevels(INetworkDefinition &n, ITensor &p, ITensor &x, Outs &o, int level) { o.levels[level].push_back(gate(n, p, x)); }
std::tuple<ITensor *, bool> byTuple(INetworkDefinition &n, ITensor &p, ITensor &x) { return {gate(n, p, x), true}; }
std::unique_ptr<Outs> byUnique(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto o = std::make_unique<Outs>();
  o->all.push_back(gate(n, p, x));
  return o;
}
std::vector<ITensor *> collected(INetworkDefinition &n, ITensor &p, const std::vector<ITensor *> &xs) {
  std::vector<ITensor *> outs;
  outs.reserve(xs.size());
  for (ITensor *x : xs)
    outs.push_back(gate(n, p, *x));
  return outs;
}
void allMarked(INetworkDefinition &n, ITensor &p, const std::vector<ITensor *> &xs) {
  std::vector<ITensor *> outs;
  for (ITensor *x : xs)
    outs.push_back(gate(n, p, *x));
  for (auto *o : outs)
    n.markOutput(*o);
}
void queued(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::priority_queue<ITensor *> q;
  q.push(gate(n, p, x));
  n.markOutput(*q.top());
}
void inLambda(INetworkDefinition &n, ITensor &p, ITensor &x) {
  ITensor *y = nullptr;
  auto build = [&] { y = gate(n, p, x); };
  build();
  n.markOutput(*y);
}
static ITensor *cached = nullptr;
void inStatic(INetworkDefinition &n, ITensor &p, ITensor &x) { cached = gate(n, p, x); }
ITensor *memoised(INetworkDefinition &n, ITensor &p, ITensor &x) {
  static std::map<ITensor *, ITensor *> cache;
  auto it = cache.find(&x);
  if (it != cache.end())
    return it->second;
  ITensor *y = gate(n, p, x);
  cache[&x] = y;
  return y;
}
class Holder {
public:
  void add(INetworkDefinition &n, ITensor &p, ITensor &x) { outs_["y" + std::to_string(outs_.size())] = gate(n, p, x); }
  void finish(INetworkDefinition &n) {
    for (auto &[name, t] : outs_)
      n.markOutput(*t);
  }

private:
  std::map<std::string, ITensor *> outs_;
};
// What holds anything.
extern std::map<std::string, ITensor *> everybodys;
std::string nameOf(int i);
void global(INetworkDefinition &n, ITensor &p) { everybodys["y"] = gate(n, p, *everybodys.at("x")); }
void anyStored(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string, std::any> bag;
  auto *c = n.addIfConditional();
  bag["c"] = c;
  bag["in"] = c->addInput(x)->getOutput(0);
  std::any_cast<IIfConditional *>(bag["c"])->setCondition(p);
  auto *in = std::any_cast<ITensor *>(bag["in"]);
  auto *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*std::any_cast<IIfConditional *>(bag["c"])->addOutput(*a, x)->getOutput(0));
}
// A name that is not known may be any.
void unknownNames(INetworkDefinition &n, ITensor &p) {
  std::map<std::string, ITensor *> env;
  env["x"] = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  env[nameOf(1)] = n.addInput("y", DataType::kINT32, Dims2{2, 4});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *a = n.addUnary(*c->addInput(*env["x"])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*c->addInput(*env[nameOf(2)])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
// Used nowhere for certain.
void lost(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *t = n.addUnary(*c->addInput(x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  std::vector<ITensor *> outs;
  outs.push_back(c->addOutput(*t, x)->getOutput(0)); // expect: warning output-unused
  n.markOutput(*n.addIdentity(x)->getOutput(0));
}
