// condlint-test: target=tensorrt@10.3
// Tensors in containers of all kinds, by name, by position and through iterators.
#include <NvInfer.h>
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <vector>

using namespace nvinfer1;

namespace named {

using Env = std::unordered_map<std::string, ITensor *>;

static Env enter(IIfConditional *c, const Env &outer) {
  Env inner;
  for (const auto &[name, tensor] : outer)
    inner[name] = c->addInput(*tensor)->getOutput(0);
  return inner;
}

void good(INetworkDefinition &n) {
  Env env;
  env["x"] = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  env["y"] = n.addInput("y", DataType::kFLOAT, Dims2{2, 3});
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  Env in = enter(c, env);
  auto *t = n.addElementWise(*in.at("x"), *in.at("y"), ElementWiseOperation::kSUM)->getOutput(0);
  auto *f = n.addElementWise(*in["x"], *in["y"], ElementWiseOperation::kSUB)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}

void shapes(INetworkDefinition &n) {
  std::map<std::string, ITensor *> env;
  env.emplace("x", n.addInput("x", DataType::kFLOAT, Dims2{2, 3}));
  env.insert({"y", n.addInput("y", DataType::kFLOAT, Dims2{2, 4})});
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  for (auto &kv : env)
    kv.second = c->addInput(*kv.second)->getOutput(0);
  auto it = env.find("x");
  if (it == env.end())
    return;
  auto *t = n.addUnary(*it->second, UnaryOperation::kEXP)->getOutput(0);
  auto *f = n.addUnary(*env.find("y")->second, UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-shape
}

void eager(INetworkDefinition &n) {
  Env env{{"x", n.addInput("x", DataType::kFLOAT, Dims2{2, 3})}, {"p", n.addInput("p", DataType::kBOOL, Dims{0, {}})}};
  auto *c = n.addIfConditional();
  c->setCondition(*env["p"]);
  Env in;
  in["x"] = c->addInput(*env["x"])->getOutput(0);
  auto *t = n.addUnary(*in["x"], UnaryOperation::kEXP)->getOutput(0);
  auto *f = n.addUnary(*env["x"], UnaryOperation::kNEG)->getOutput(0); // expect: warning branch-eager
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0));
}
void iterators(INetworkDefinition &n) {
  std::map<std::string, ITensor *> env;
  env["a"] = n.addInput("a", DataType::kFLOAT, Dims2{2, 3});
  env["b"] = n.addInput("b", DataType::kINT32, Dims2{2, 3});
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ITensor *> ins;
  for (auto it = env.begin(); it != env.end(); ++it)
    ins.push_back(c->addInput(*it->second)->getOutput(0));
  auto *t = n.addUnary(*ins.front(), UnaryOperation::kABS)->getOutput(0);
  auto *f = n.addUnary(*ins.back(), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*t, *f)->getOutput(0)); // expect: error output-dtype
}
} // namespace named

namespace algorithms {

void transformed(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  std::vector<ITensor *> outer = {n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("y", DataType::kFLOAT, Dims2{2, 4})};
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ITensor *> inner;
  std::transform(outer.begin(), outer.end(), std::back_inserter(inner),
                 [&](ITensor *t) { return c->addInput(*t)->getOutput(0); });
  auto *a = n.addUnary(*inner[0], UnaryOperation::kEXP)->getOutput(0);
  auto *b = n.addUnary(*inner[1], UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // expect: error output-shape
}
void resized(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  std::vector<ITensor *> outer = {n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("y", DataType::kFLOAT, Dims2{2, 3})};
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  std::vector<ITensor *> inner(outer.size());
  std::transform(outer.begin(), outer.end(), inner.begin(), [c](ITensor *t) { return c->addInput(*t)->getOutput(0); });
  auto *a = std::accumulate(inner.begin() + 1, inner.end(), inner.front(), [&n](ITensor *l, ITensor *r) {
    return n.addElementWise(*l, *r, ElementWiseOperation::kSUM)->getOutput(0);
  });
  auto *b = n.addUnary(*inner[1], UnaryOperation::kEXP)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
void forEach(INetworkDefinition &n) {
  auto *p = n.addInput("p", DataType::kBOOL, Dims{0, {}});
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(*p);
  ITensor *cur = x;
  const std::array<UnaryOperation, 3> ops{UnaryOperation::kEXP, UnaryOperation::kABS, UnaryOperation::kISNAN};
  std::for_each(ops.begin(), ops.end(), [&](UnaryOperation op) { cur = n.addUnary(*cur, op)->getOutput(0); }); // expect: warning branch-eager
  auto *in = c->addInput(*x)->getOutput(0);
  auto *f = n.addUnary(*in, UnaryOperation::kISINF)->getOutput(0);
  n.markOutput(*c->addOutput(*cur, *f)->getOutput(0));
}

int64_t volume(const Dims &d) { return std::accumulate(d.d, d.d + d.nbDims, int64_t{1}, std::multiplies<int64_t>()); }
Dims dimsOf(std::initializer_list<int> l) {
  Dims d;
  d.nbDims = 0;
  for (int i : l)
    d.d[d.nbDims++] = i;
  return d;
}
void flattened(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, dimsOf({2, 3, 4}));
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *s = n.addShuffle(*in);
  s->setReshapeDimensions(Dims2{2, volume(in->getDimensions()) / 2});
  auto *r = n.addReduce(*in, ReduceOperation::kAVG, 1U << 2, false)->getOutput(0);
  n.markOutput(*c->addOutput(*s->getOutput(0), *r)->getOutput(0)); // expect: error output-shape
}
void found(INetworkDefinition &n, ITensor &p) {
  std::vector<ITensor *> v{n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("i", DataType::kINT32, Dims2{2, 3})};
  auto *c = n.addIfConditional();
  c->setCondition(p);
  const auto whole = std::find_if(v.begin(), v.end(), [](ITensor *t) { return t->getType() == DataType::kINT32; });
  if (whole == v.end())
    return;
  auto *a = n.addUnary(*c->addInput(**whole)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*c->addInput(*v.front())->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // expect: error output-dtype
}
} // namespace algorithms

namespace positions {
void deques(INetworkDefinition &n, ITensor &p) {
  std::deque<ITensor *> todo;
  todo.push_back(n.addInput("x", DataType::kFLOAT, Dims2{2, 3}));
  todo.push_back(n.addInput("y", DataType::kINT32, Dims2{2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(p);
  std::vector<ITensor *> done;
  while (!todo.empty()) {
    ITensor *t = todo.front();
    todo.pop_front();
    done.push_back(n.addUnary(*c->addInput(*t)->getOutput(0), UnaryOperation::kABS)->getOutput(0));
  }
  n.markOutput(*c->addOutput(*done[0], *done[1])->getOutput(0)); // expect: error output-dtype
}
void stacks(INetworkDefinition &n, ITensor &p) {
  std::stack<ITensor *> s;
  s.push(n.addInput("x", DataType::kFLOAT, Dims2{2, 3}));
  s.push(n.addInput("y", DataType::kINT32, Dims2{2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *y = s.top();
  s.pop();
  ITensor *x = s.top();
  auto *a = n.addUnary(*c->addInput(*y)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*c->addInput(*x)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0)); // expect: error output-dtype
}
void reversed(INetworkDefinition &n, ITensor &p) {
  std::vector<ITensor *> v{n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("y", DataType::kINT32, Dims2{2, 3}), n.addInput("z", DataType::kFLOAT, Dims2{2, 3})};
  auto *c = n.addIfConditional();
  c->setCondition(p);
  std::vector<ITensor *> in;
  for (auto it = v.rbegin(); it != v.rend(); ++it)
    in.push_back(c->addInput(**it)->getOutput(0));
  auto *a = n.addUnary(*in[0], UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*in[2], UnaryOperation::kABS)->getOutput(0);
  auto *d = n.addUnary(*in[1], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*a, UnaryOperation::kEXP)->getOutput(0), *d)->getOutput(0)); // expect: error output-dtype
}
void nested(INetworkDefinition &n, ITensor &p) {
  std::vector<std::vector<ITensor *>> grid(2, std::vector<ITensor *>(2, nullptr));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      grid[i][j] = n.addInput(("x" + std::to_string(2 * i + j)).c_str(), i == j ? DataType::kFLOAT : DataType::kHALF, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *a = n.addUnary(*c->addInput(*grid[0][0])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*c->addInput(*grid[1][1])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  auto *d = n.addUnary(*c->addInput(*grid[1][0])->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
  n.markOutput(*c->addOutput(*n.addUnary(*a, UnaryOperation::kEXP)->getOutput(0), *d)->getOutput(0)); // expect: error output-dtype
}
void indexes(INetworkDefinition &n, ITensor &p, size_t k) {
  std::vector<ITensor *> v{n.addInput("x", DataType::kFLOAT, Dims2{2, 3}), n.addInput("y", DataType::kFLOAT, Dims2{2, 3})};
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*v[k])->getOutput(0);
  auto *a = n.addUnary(*in, UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *v[k])->getOutput(0));
}
struct Block {
  std::string name;
  std::unique_ptr<std::vector<ITensor *>> outs = std::make_unique<std::vector<ITensor *>>();
  ITensor *last() const { return outs->back(); }
};
void owned(INetworkDefinition &n, ITensor &p) {
  Block b;
  b.outs->push_back(n.addInput("x", DataType::kFLOAT, Dims2{2, 3}));
  auto *c = n.addIfConditional();
  c->setCondition(p);
  b.outs->emplace_back(c->addInput(*b.last())->getOutput(0));
  b.outs->emplace_back(n.addReduce(*b.last(), ReduceOperation::kSUM, 2, false)->getOutput(0));
  n.markOutput(*c->addOutput(*b.last(), *b.outs->front())->getOutput(0)); // expect: error output-rank
}

// Keys are numbers, which sort as numbers do.
void levels(INetworkDefinition &n, ITensor &p) {
  std::map<int, ITensor *> level{{10, n.addInput("x", DataType::kFLOAT, Dims2{2, 3})}, {9, n.addInput("y", DataType::kINT32, Dims2{2, 3})}};
  level[-1] = n.addInput("z", DataType::kFLOAT, Dims2{2, 3});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  std::vector<ITensor *> in;
  for (const auto &[number, t] : level)
    if (number != 9)
      in.push_back(n.addUnary(*c->addInput(*t)->getOutput(0), UnaryOperation::kABS)->getOutput(0));
  n.markOutput(*c->addOutput(*in.front(), *in.back())->getOutput(0));
  auto *i = n.addUnary(*c->addInput(*std::next(level.begin())->second)->getOutput(0), UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in.front(), UnaryOperation::kEXP)->getOutput(0), *i)->getOutput(0)); // expect: error output-dtype
}
// By the tensor itself.
void remapped(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor &y) {
  std::unordered_map<ITensor *, ITensor *> inner;
  std::set<ITensor *> seen;
  auto *c = n.addIfConditional();
  c->setCondition(p);
  for (ITensor *t : {&x, &y, &x})
    if (seen.insert(t).second)
      inner.emplace(t, c->addInput(*t)->getOutput(0));
  auto *a = n.addUnary(*inner.at(&x), UnaryOperation::kABS)->getOutput(0);
  auto *b = n.addUnary(*inner[&y], UnaryOperation::kABS)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
} // namespace positions
