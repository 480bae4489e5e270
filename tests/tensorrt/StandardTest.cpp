//===- StandardTest.cpp - The standard library around a network -------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// A network in which \p functions find what stands in `Net`: a conditional that `open` adds, and that `close`
/// completes.
void expectSame(const std::string &functions) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <any>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>
using namespace nvinfer1;
ITensor *un(INetworkDefinition &n, ITensor &x) { return n.addUnary(x, UnaryOperation::kABS)->getOutput(0); }
ITensor *sum(INetworkDefinition &n, ITensor &x, ITensor &y) {
  return n.addElementWise(x, y, ElementWiseOperation::kSUM)->getOutput(0);
}
ITensor *result(INetworkDefinition &n, IIfConditional &c, ITensor &x) {
  auto *in = c.addInput(x)->getOutput(0);
  return c.addOutput(*un(n, *in), *in)->getOutput(0);
}
void close(INetworkDefinition &n, IIfConditional &c, ITensor &x) { n.markOutput(*result(n, c, x)); }
IIfConditional *open(INetworkDefinition &n, ITensor &p) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  return c;
}
)" + functions),
            "");
}

TEST(Variants, WhatIsVisitedIsWhatTheyHold) {
  expectSame(R"(
struct Abs {};
struct Sum { int axis; };
using Step = std::variant<Abs, Sum>;
template <class... F> struct Overloaded : F... { using F::operator()...; };
template <class... F> Overloaded(F...) -> Overloaded<F...>;
void known(INetworkDefinition &n, ITensor &p) {
  ITensor &x = *n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  std::vector<Step> steps{Abs{}, Sum{0}};
  auto *c = open(n, p);
  ITensor *in = c->addInput(x)->getOutput(0), *y = in, *z = in;
  for (auto &s : steps)
    y = std::visit(Overloaded{[&](const Abs &) { return un(n, *y); },
                              [&](const Sum &) { return n.addReduce(*y, ReduceOperation::kSUM, 1, false)->getOutput(0); }},
                   s);
  for (auto &s : steps)
    if (std::holds_alternative<Abs>(s))
      z = un(n, *z);
  n.markOutput(*c->addOutput(*y, *z)->getOutput(0)); // expect: error output-rank
}
void pointers(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::variant<IIfConditional *, ILoop *> v;
  v = n.addIfConditional(); // expect: error predicate-missing
  if (v.index() == 1)
    std::get<0>(v)->setCondition(p);
  close(n, **std::get_if<0>(&v), x);
  std::variant<ILoop *, IIfConditional *> w = n.addIfConditional();
  if (std::holds_alternative<IIfConditional *>(w))
    std::get<IIfConditional *>(w)->setCondition(p);
  if (auto **c = std::get_if<IIfConditional *>(&w))
    close(n, **c, x);
}
void several(INetworkDefinition &n, ITensor &p, ITensor &x) {
  Step a = Abs{}, b = Sum{1};
  auto *c = n.addIfConditional();
  std::visit([&](const auto &, const auto &) { c->setCondition(p); }, a, b);
  std::visit([&](const auto &, const auto &) { c->setCondition(p); }, a, b); // expect: error predicate-missing
  close(n, *c, x);
}
)");
}

TEST(Variants, OneFromOutsideMayHoldAny) {
  expectSame(R"(
struct Abs {};
struct Half {};
using Step = std::variant<Abs, Half>;
struct Visitor {
  INetworkDefinition &n;
  ITensor &x;
  ITensor *operator()(Abs) const { return un(n, x); }
  ITensor *operator()(Half) const { return n.addCast(x, DataType::kHALF)->getOutput(0); }
};
void steps(INetworkDefinition &n, ITensor &p, const std::vector<Step> &all, const Step &one) {
  ITensor &x = *n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  auto *c = n.addIfConditional(); // expect: error predicate-missing
  ITensor *in = c->addInput(x)->getOutput(0), *y = in;
  for (const auto &s : all)
    y = std::visit(Visitor{n, *y}, s);
  n.markOutput(*c->addOutput(*y, *in)->getOutput(0));
  auto *d = open(n, p);
  auto *on = d->addInput(x)->getOutput(0);
  ITensor *t = std::visit(Visitor{n, *on}, one);
  n.markOutput(*d->addOutput(*t, *on)->getOutput(0)); // expect: error output-dtype
  // Asked once more, it is what it was.
  auto *e = open(n, p);
  auto *at = e->addInput(x)->getOutput(0);
  ITensor *u = std::holds_alternative<Half>(one) ? n.addCast(*at, DataType::kHALF)->getOutput(0) : un(n, *at);
  n.markOutput(*e->addOutput(*u, *std::visit(Visitor{n, *at}, one))->getOutput(0));
}
)");
}

// What the code itself says is no choice of anybody's, though it is not worked out here.
TEST(Variants, WhatTypesDecideIsNoChoice) {
  expectSame(R"(
void settled(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::variant<std::monostate, std::string, ITensor *> none;
  auto *c = n.addIfConditional();
  if (none.index() == 0)
    c->setCondition(p);
  close(n, *c, x);
  std::variant<int, long> number = 1L;
  auto *d = n.addIfConditional();
  if (std::holds_alternative<long>(number))
    d->setCondition(p);
  close(n, *d, x);
}
)");
}

TEST(Holders, AnyHoldsWhatWasPutIntoIt) {
  expectSame(R"(
void kept(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string, std::any> m;
  m["c"] = n.addIfConditional(); // expect: error predicate-missing
  m["d"] = open(n, p);
  m["x"] = &x;
  if (auto **c = std::any_cast<IIfConditional *>(&m["c"]))
    close(n, **c, *std::any_cast<ITensor *>(m.at("x")));
  if (m["d"].has_value())
    close(n, *std::any_cast<IIfConditional *>(m["d"]), x);
}
)");
}

// What several elements hold is of the code's own making: which one is asked is nobody's choice.
TEST(Variants, OfAMapAreEachWhatTheyWereGiven) {
  expectSame(R"(
using Node = std::variant<std::monostate, std::string, ITensor *, std::vector<ITensor *>>;
void several(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string, Node> m;
  m["a"] = &x;
  m["b"] = std::vector<ITensor *>{&x, &x};
  m["c"] = "text";
  auto *c = n.addIfConditional();
  for (auto &[k, v] : m) {
    if (std::holds_alternative<std::monostate>(v))
      continue;
    if (auto *t = std::get_if<ITensor *>(&v))
      c->setCondition(p);
    if (auto *l = std::get_if<std::vector<ITensor *>>(&v))
      for (auto *t : *l)
        (void)t;
  }
  close(n, *c, x);
}
)");
}

TEST(Maps, KeysAreObjectsToo) {
  expectSame(R"(
enum class Kind { One, Two };
struct Key {
  int a, b;
  bool operator<(const Key &o) const { return std::tie(a, b) < std::tie(o.a, o.b); }
  bool operator==(const Key &) const = default;
};
struct Hash { std::size_t operator()(const Key &k) const { return static_cast<std::size_t>(k.a * 31 + k.b); } };
struct Folded { // its keys are the same where their sums are
  int a, b;
  bool operator<(const Folded &o) const { return a + b < o.a + o.b; }
};
struct Ordered {
  int a, b;
  auto operator<=>(const Ordered &) const = default;
};
template <class M, class K> void keyed(INetworkDefinition &n, ITensor &p, ITensor &x, K first, K second) {
  M m;
  m[first] = n.addIfConditional();
  m[second] = n.addIfConditional(); // expect: error predicate-missing
  m.at(first)->setCondition(p);
  for (auto &[k, c] : m)
    close(n, *c, x);
}
void all(INetworkDefinition &n, ITensor &p, ITensor &x) {
  keyed<std::map<Kind, IIfConditional *>>(n, p, x, Kind::One, Kind::Two);
  keyed<std::map<Key, IIfConditional *>>(n, p, x, Key{0, 1}, Key{0, 2});
  keyed<std::unordered_map<Key, IIfConditional *, Hash>>(n, p, x, Key{0, 1}, Key{0, 2});
  keyed<std::map<Ordered, IIfConditional *>>(n, p, x, Ordered{0, 1}, Ordered{0, 2});
  keyed<std::map<std::pair<int, std::string>, IIfConditional *>>(n, p, x, std::pair(0, std::string("a")),
                                                                 std::pair(0, std::string("b")));
}
void folded(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<Folded, IIfConditional *> m;
  m[Folded{0, 2}] = n.addIfConditional();
  m[Folded{1, 1}]->setCondition(p); // the one above
  close(n, *m.at(Folded{2, 0}), x);
}
void read(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<Key, IIfConditional *> m{{Key{0, 1}, n.addIfConditional()}, {Key{1, 0}, n.addIfConditional()}};
  for (auto &[k, c] : m)
    if (k.a == 0 || k.b == 0)
      c->setCondition(p);
  for (auto &[k, c] : m)
    close(n, *c, x);
}
)");
}

TEST(Ranges, ABuiltInArrayIsOneToo) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <numeric>
#include <vector>
using namespace nvinfer1;
static void build(INetworkDefinition &n, const Dims &d, const Dims &e) {
  auto *c = n.addIfConditional();
  c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
  auto *x = n.addInput("x", DataType::kFLOAT, d);
  auto *y = n.addInput("y", DataType::kFLOAT, e);
  n.markOutput(*c->addOutput(*c->addInput(*x)->getOutput(0), *c->addInput(*y)->getOutput(0))->getOutput(0));
}
void filled(INetworkDefinition &n) {
  Dims d{2, {7, 7}};
  std::ranges::fill(d.d, 1);
  build(n, d, Dims2{1, 1});
}
void visited(INetworkDefinition &n) {
  Dims d{2, {7, 7}};
  std::ranges::for_each(d.d, [](auto &i) { i = 1; });
  build(n, d, Dims2{1, 1});
}
void transformed(INetworkDefinition &n) {
  int a[2] = {1, 2}, b[2] = {3, 4};
  std::ranges::transform(a, b, a, [](int i, int j) { return i * j; });
  build(n, Dims2{a[0], a[1]}, Dims2{3, 8});
}
void counted(INetworkDefinition &n) {
  int32_t order[8];
  std::ranges::generate(order, [i = 0]() mutable { return i++; });
  build(n, Dims2{order[1], order[2]}, Dims2{1, 2});
}
void asked(INetworkDefinition &n) {
  const int a[2] = {1, 2};
  const bool has = std::ranges::any_of(a, [](int i) { return i == 2; }) && std::ranges::count(a, 1) == 1;
  build(n, Dims2{has ? 1 : 2, 2}, Dims2{1, 2});
}
void different(INetworkDefinition &n) {
  Dims d{2, {7, 7}};
  std::ranges::fill(d.d, 2);
  auto *c = n.addIfConditional();
  c->setCondition(*n.addInput("p", DataType::kBOOL, Dims{0, {}}));
  auto *x = n.addInput("x", DataType::kFLOAT, d);
  auto *y = n.addInput("y", DataType::kFLOAT, Dims2{1, 1});
  n.markOutput(*c->addOutput(*c->addInput(*x)->getOutput(0), *c->addInput(*y)->getOutput(0))->getOutput(0)); // expect: error output-shape
}
)",
                        806),
            "");
}

// A span of a part, or of some elements from a position on, is of these, whatever way it is looked into.
TEST(Ranges, PartsOfSpansAreOfElements) {
  expectSame(R"(
void parts(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::array<IIfConditional *, 3> all{n.addIfConditional(), n.addIfConditional(), n.addIfConditional()}; // expect: error predicate-missing
  std::span<IIfConditional *> span(all);
  for (auto *c : span.subspan(2))
    c->setCondition(p);
  for (auto *c : span.first(2).last(1))
    c->setCondition(p);
  for (auto *c : all)
    close(n, *c, x);
}
void asked(INetworkDefinition &n, ITensor &p, ITensor &x) {
  IIfConditional *all[] = {n.addIfConditional(), n.addIfConditional(), n.addIfConditional()}; // expect: error predicate-missing
  const auto part = std::span<IIfConditional *>(all + 1, 2).subspan<0, 1>();
  for (std::size_t i = 0; i < part.size(); ++i)
    part[i]->setCondition(p);
  std::span<IIfConditional *>(all, 3).last<1>().front()->setCondition(p);
  for (auto *c : all)
    close(n, *c, x);
}
void written(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::array<IIfConditional *, 2> all{open(n, p), nullptr};
  std::span(all).last(1)[0] = n.addIfConditional(); // expect: error predicate-missing
  for (auto *c : all)
    close(n, *c, x);
}
void viewed(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::array<IIfConditional *, 3> all{open(n, p), n.addIfConditional(), open(n, p)}; // expect: error predicate-missing
  for (auto *c : std::span(all) | std::views::filter([&](auto *c) { return c == all[1]; }))
    close(n, *c, x);
  for (auto *c : std::span(all).first(1) | std::views::reverse)
    close(n, *c, x);
  close(n, *all[2], x);
}
// Which elements they are is not known.
void unknown(INetworkDefinition &n, ITensor &p, ITensor &x, std::size_t k) {
  std::array<IIfConditional *, 2> all{n.addIfConditional(), n.addIfConditional()};
  for (auto *c : std::span(all).first(k))
    c->setCondition(p);
  for (auto *c : all)
    close(n, *c, x);
}
)");
}

// A loop over a view goes through the elements that it leaves, in its order.
TEST(Ranges, ViewsAreOfElements) {
  expectSame(R"(
void some(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<IIfConditional *> all;
  for (const int i : std::views::iota(0, 4))
    all.push_back(i == 3 ? open(n, p) : n.addIfConditional()); // expect: error predicate-missing
  for (auto *c : all | std::views::take(1))
    c->setCondition(p);
  for (auto *c : all | std::views::drop(1) | std::views::reverse | std::views::drop(2))
    c->setCondition(p);
  for (auto *c : std::views::take(all, 10))
    close(n, *c, x);
}
void written(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<IIfConditional *> all(2);
  for (auto *&c : all | std::views::reverse)
    c = n.addIfConditional(); // expect: error predicate-missing
  all.back()->setCondition(p);
  for (auto *c : all)
    close(n, *c, x);
}
void made(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<int, IIfConditional *> all{{0, open(n, p)}, {1, n.addIfConditional()}, {2, n.addIfConditional()}}; // expect: error predicate-missing
  int last = 0;
  for (const int i : all | std::views::keys)
    last = i;
  for (auto *c : all | std::views::drop(last) | std::views::transform([](auto &e) { return e.second; }))
    c->setCondition(p);
  for (auto *c : all | std::views::values)
    close(n, *c, x);
}
// How many it leaves, or what, is not known.
void unknown(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  std::vector<IIfConditional *> all{n.addIfConditional(), n.addIfConditional()};
  for (auto *c : all | std::views::take(k))
    c->setCondition(p);
  for (auto *c : all | std::views::filter([&](auto *c) { return c != all[0] || k > 1; }))
    c->setCondition(p);
  for (auto *c : all)
    close(n, *c, x);
}
)");
}

TEST(Ranges, OfTheProgramsOwnAreNotRead) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
using namespace nvinfer1;
struct Sizes {
  int held[2] = {4, 8};
  int *begin() { return held; }
  int *end() { return held + 2; }
};
void build(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  Sizes sizes;
  std::ranges::generate(sizes, [] { return 2; });
  std::ranges::for_each(sizes, [](int &i) { i *= 2; }, [](int &i) -> int & { return i; });
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *n.addUnary(*in, UnaryOperation::kNEG)->getOutput(0))->getOutput(0));
}
)"),
            "");
}

TEST(Folds, WhatTheyCallIsFollowed) {
  expectSame(R"(
void sums(INetworkDefinition &n, ITensor &p, ITensor &x, int k) {
  std::vector<ITensor *> outs;
  for (int i = 0; i < k; ++i)
    outs.push_back(result(n, *open(n, p), x));
  const auto both = [&](ITensor *a, ITensor *b) { return sum(n, *a, *b); };
  n.markOutput(*std::accumulate(outs.begin(), outs.end(), &x, both));
}
void few(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<ITensor *> few;
  const auto both = [&](ITensor *a, ITensor *b) { return sum(n, *a, *b); };
  for (int i = 0; i < 3; ++i) {
    auto *c = open(n, p);
    auto *in = c->addInput(x)->getOutput(0);
    few.push_back(c->addOutput(*un(n, *in), *in)->getOutput(0)); // expect: warning output-unused
  }
  n.markOutput(*std::reduce(few.begin() + 1, few.end(), &x, both));
}
void transforms(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<IIfConditional *> cs;
  for (int i = 0; i < 2; ++i) {
    cs.push_back(n.addIfConditional()); // expect: error predicate-missing
    if (i != 0)
      cs[i]->setCondition(p);
  }
  n.markOutput(*std::transform_reduce(
      cs.begin(), cs.end(), &x, [&](ITensor *a, ITensor *b) { return sum(n, *a, *b); },
      [&](IIfConditional *c) { return result(n, *c, x); }));
}
void eager(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<ITensor *> xs{&x, &x};
  auto *c = open(n, p);
  auto *t = std::accumulate(xs.begin(), xs.end(), &x, [&](ITensor *a, ITensor *b) {
    return n.addElementWise(*a, *b, ElementWiseOperation::kSUM)->getOutput(0); // expect: warning branch-eager
  });
  n.markOutput(*c->addOutput(*t, *c->addInput(x)->getOutput(0))->getOutput(0));
}
)");
}

TEST(Orders, AreThoseOfWhatCompares) {
  expectSame(R"(
struct Job { int rank; IIfConditional *c; };
struct Less { bool operator()(const Job &a, const Job &b) const { return a.rank < b.rank; } };
void queues(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::priority_queue<Job, std::vector<Job>, Less> q;
  for (int i = 0; i < 3; ++i)
    q.push({i, n.addIfConditional()}); // expect: error predicate-missing
  for (int i = 0; !q.empty(); ++i, q.pop()) {
    if (i != 0) // the greatest is on top: that of the last trip
      q.top().c->setCondition(p);
    close(n, *q.top().c, x);
  }
  std::priority_queue<std::pair<int, IIfConditional *>> pairs;
  pairs.emplace(1, open(n, p));
  pairs.emplace(2, n.addIfConditional()); // expect: error predicate-missing
  for (; !pairs.empty(); pairs.pop())
    close(n, *pairs.top().second, x);
}
void sorted(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<Job> jobs;
  for (int i = 0; i < 4; ++i)
    jobs.push_back({4 - i, n.addIfConditional()}); // expect: error predicate-missing
  std::sort(jobs.begin(), jobs.end(), Less{});
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].rank != static_cast<int>(i) + 1 || i != 2)
      jobs[i].c->setCondition(p);
  for (auto &j : jobs)
    close(n, *j.c, x);
}
void parted(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<Job> jobs;
  for (int i = 0; i < 4; ++i)
    jobs.push_back({i, n.addIfConditional()}); // expect: error predicate-missing
  const auto even = std::stable_partition(jobs.begin(), jobs.end(), [](const Job &j) { return j.rank % 2 == 0; });
  for (auto j = jobs.begin(); j != even; ++j)
    j->c->setCondition(p);
  for (auto j = even; j != jobs.end(); ++j)
    if (j->rank == 1)
      j->c->setCondition(p);
  for (auto &j : jobs)
    close(n, *j.c, x);
}
)");
}

// Where a comparison of the program's own, or of the library's, puts an element is followed.
TEST(Orders, OfMapsAndSetsAreThoseOfTheirComparison) {
  expectSame(R"(
using Ranked = std::pair<int, IIfConditional *>;
struct More { bool operator()(const Ranked &a, const Ranked &b) const { return a.first > b.first; } };
struct Later { bool operator()(std::string_view a, std::string_view b) const { return b < a; } };
struct By {
  int sign;
  bool operator()(int a, int b) const { return sign * a < sign * b; }
};
void setOfPairs(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::set<Ranked, More> s;
  s.insert({1, n.addIfConditional()}); // expect: error predicate-missing
  s.insert({2, n.addIfConditional()});
  if (s.insert({2, nullptr}).second || s.size() != 2) // of that rank there is one
    n.addIfConditional();
  s.begin()->second->setCondition(p);
  for (auto &[rank, c] : s)
    close(n, *c, x);
}
void numbers(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<IIfConditional *> all{n.addIfConditional(), open(n, p)}; // expect: error predicate-missing
  std::set<int, std::greater<int>> s{0, 1, 0};
  if (s.size() == 2 && *s.begin() == 1 && *s.rbegin() == 0)
    for (const int i : s)
      close(n, *all[i], x);
  std::multiset<int> twice{1, 1};
  if (twice.count(1) != 2 || std::distance(twice.lower_bound(1), twice.upper_bound(1)) != 2)
    n.addIfConditional();
}
void greater(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string, IIfConditional *, std::greater<>> m{{"a", n.addIfConditional()}, {"b", open(n, p)}};
  m.rbegin()->second->setCondition(p);
  for (auto c = m.rbegin(); c != m.rend(); ++c)
    close(n, *c->second, x);
}
void ownOrder(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::map<std::string_view, IIfConditional *, Later> m;
  m["a"] = n.addIfConditional();
  m["c"] = n.addIfConditional(); // expect: error predicate-missing
  m["b"] = open(n, p);
  m.rbegin()->second->setCondition(p);
  m.find("a")->second = m.at("a");
  for (auto &[name, c] : m)
    close(n, *c, x);
}
void byLambda(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto descending = [](int a, int b) { return a > b; };
  std::map<int, IIfConditional *, decltype(descending)> m(descending);
  m.emplace(1, n.addIfConditional()); // expect: error predicate-missing
  m.emplace(2, n.addIfConditional());
  m.lower_bound(2)->second->setCondition(p);
  for (auto &[rank, c] : m)
    close(n, *c, x);
}
// Which way it compares is not known.
void byState(INetworkDefinition &n, ITensor &p, ITensor &x, int sign) {
  std::map<int, IIfConditional *, By> m(By{sign});
  m[1] = n.addIfConditional();
  m[2] = n.addIfConditional();
  m.begin()->second->setCondition(p);
  m.rbegin()->second->setCondition(p);
  for (auto &[rank, c] : m)
    close(n, *c, x);
}
)");
}

TEST(Maps, AMultimapHoldsAKeyMoreThanOnce) {
  expectSame(R"(
void range(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::multimap<int, IIfConditional *> m;
  m.emplace(1, n.addIfConditional()); // expect: error predicate-missing
  m.insert({0, n.addIfConditional()});
  m.emplace(1, n.addIfConditional());
  auto ones = m.equal_range(1);
  std::next(ones.first)->second->setCondition(p);
  m.find(0)->second->setCondition(p);
  if (m.count(1) != 2 || m.count(2) != 0 || m.lower_bound(2) != m.end())
    n.addIfConditional();
  for (auto &[key, c] : m)
    close(n, *c, x);
}
void erased(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::multimap<std::string, IIfConditional *> m{{"a", open(n, p)}, {"b", open(n, p)}, {"a", open(n, p)}};
  for (auto &[key, c] : m)
    close(n, *c, x);
  if (m.erase("a") == 2 && m.size() == 1)
    m.emplace("c", n.addIfConditional()); // expect: error predicate-missing
  for (auto c = m.upper_bound("b"); c != m.end(); ++c)
    close(n, *c->second, x);
}
)");
}

TEST(Maps, AnUnorderedMultimapHoldsAKeyMoreThanOnce) {
  expectSame(R"(
void erased(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::unordered_multimap<std::string, IIfConditional *> m{{"a", open(n, p)}, {"b", open(n, p)}, {"a", open(n, p)}};
  for (auto &[key, c] : m)
    close(n, *c, x);
  if (m.erase("a") == 2 && m.size() == 1 && m.find("a") == m.end() && m.count("b") == 1)
    m.emplace("c", n.addIfConditional()); // expect: error predicate-missing
  close(n, *m.find("c")->second, x);
}
void range(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::unordered_multimap<int, IIfConditional *> m;
  m.emplace(1, n.addIfConditional());
  m.insert({0, n.addIfConditional()}); // expect: error predicate-missing
  m.emplace(1, n.addIfConditional());
  auto ones = m.equal_range(1);
  for (auto c = ones.first; c != ones.second; ++c)
    c->second->setCondition(p);
  if (m.count(1) != 2 || m.count(2) != 0 || m.contains(3))
    n.addIfConditional();
  for (auto &[key, c] : m)
    close(n, *c, x);
}
// Which of those of one key is found, nobody says.
void found(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::unordered_multimap<int, IIfConditional *> m;
  m.emplace(1, n.addIfConditional());
  m.emplace(1, n.addIfConditional());
  m.find(1)->second->setCondition(p);
  for (auto &[key, c] : m)
    close(n, *c, x);
}
struct Parity {
  bool operator()(int a, int b) const { return a % 2 == b % 2; }
};
struct Bucket {
  std::size_t operator()(int a) const { return a % 2; }
};
void own(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::unordered_multimap<int, IIfConditional *, Bucket, Parity> m;
  m.emplace(1, open(n, p));
  m.emplace(3, open(n, p));
  m.emplace(2, n.addIfConditional()); // expect: error predicate-missing
  for (auto &[key, c] : m)
    close(n, *c, x);
  if (m.count(5) != 2 || m.erase(7) != 2 || m.size() != 1)
    n.addIfConditional();
}
)");
}

// The user's own operators may do anything that they can reach.
TEST(Orders, WhatComparesMayBuild) {
  expectSame(R"(
struct Entry {
  int rank;
  IIfConditional *c;
  ITensor *p;
  bool operator<(const Entry &o) const {
    c->setCondition(*p);
    return rank < o.rank;
  }
  bool operator==(const Entry &o) const {
    c->setCondition(*p);
    return rank == o.rank;
  }
};
void bounds(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  std::vector<Entry> all{{1, c, &p}, {2, c, &p}, {3, c, &p}};
  std::lower_bound(all.begin(), all.end(), all[1]);
  close(n, *c, x);
  auto *d = n.addIfConditional();
  std::vector<Entry> more{{1, d, &p}, {2, d, &p}};
  std::unique(more.begin(), more.end());
  close(n, *d, x);
  auto *e = n.addIfConditional();
  Entry one{1, e, &p}, two{2, e, &p};
  std::max(one, two);
  close(n, *e, x);
}
)");
}

TEST(Algorithms, TensorsThatAreRotatedAreKnown) {
  expectSame(R"(
void known(INetworkDefinition &n, ITensor &p) {
  ITensor &x = *n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  ITensor &y = *n.addInput("y", DataType::kHALF, Dims{1, {4}});
  std::vector<ITensor *> ts{&x, &y};
  std::rotate(ts.begin(), ts.begin() + 1, ts.end());
  auto *c = open(n, p);
  auto *in = c->addInput(x)->getOutput(0);
  n.markOutput(*c->addOutput(*un(n, *in), *ts[1])->getOutput(0));
  auto *d = open(n, p);
  auto *other = d->addInput(x)->getOutput(0);
  n.markOutput(*d->addOutput(*un(n, *other), *ts[0])->getOutput(0)); // expect: error output-dtype
}
void conditionals(INetworkDefinition &n, ITensor &p, ITensor &x) {
  std::vector<IIfConditional *> cs{n.addIfConditional(), n.addIfConditional()};
  std::rotate(cs.begin(), cs.begin() + 1, cs.end());
  for (auto *c : cs)
    c->setCondition(p);
  close(n, *cs[0], x);
  close(n, *cs[1], x);
}
void parted(INetworkDefinition &n, ITensor &p) {
  ITensor &x = *n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  ITensor &y = *n.addInput("y", DataType::kFLOAT, Dims{1, {8}});
  std::vector<ITensor *> ts{&y, &x, un(n, y), un(n, x)}; // which of the last two is which nobody knows
  std::partition(ts.begin(), ts.end(), [](ITensor *t) { return t->getDimensions().d[0] == 4; });
  auto *c = open(n, p);
  auto *a = c->addInput(*ts[0])->getOutput(0), *b = c->addInput(*ts[1])->getOutput(0);
  n.markOutput(*c->addOutput(*un(n, *a), *un(n, *b))->getOutput(0));
}
)");
}

/// A conditional whose first branch yields float32, or float16 where \p body says so, and the second one float32.
std::string branchesOf(const std::string &body, const std::string &remark) {
  static int count = 0;
  return "void f" + std::to_string(++count) + R"((INetworkDefinition &n, ITensor &p, int k) {
  ITensor &x = *n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  auto *c = open(n, p);
  ITensor *in = c->addInput(x)->getOutput(0), *abs = un(n, *in), *half = n.addCast(*in, DataType::kHALF)->getOutput(0);
  ITensor *yes = abs;
  )" + body +
         R"(
  n.markOutput(*c->addOutput(*yes, *un(n, *in))->getOutput(0));)" +
         remark + "\n}\n";
}

void expectTypes(std::initializer_list<const char *> same, std::initializer_list<const char *> other) {
  std::string all;
  for (const char *body : same)
    all += branchesOf(body, "");
  for (const char *body : other)
    all += branchesOf(body, " // expect: error output-dtype");
  expectSame(all);
}

TEST(Sets, WhatAnotherOneTakesLeaves) {
  expectTypes(
      {"std::set<int> m{1, 3}, o{1}; o.merge(m); if (m.count(3) || !o.count(3) || m.size() != 1) yes = half;",
       "std::multiset<int> m{1}, o{1}; o.merge(m); if (!m.empty() || o.count(1) != 2) yes = half;",
       "std::set<int> m{1}; m.merge(m); if (m.size() != 1) yes = half;",
       "std::map<int, ITensor *> m{{1, half}, {2, half}}, o{{1, abs}}; o.merge(m); yes = o.at(1); "
       "if (m.count(2) || m.size() != 1) yes = half;",
       "std::map<int, ITensor *> m{{1, half}, {2, abs}}; auto node = m.extract(1); if (m.count(1)) yes = half;"},
      {"std::set<int> m{1, 3}, o{1}; o.merge(m); if (m.size() == 1) yes = half;",
       "std::unordered_map<int, ITensor *> m{{1, abs}, {2, half}}, o{{1, abs}}; o.merge(m); yes = o.at(2);",
       "std::map<int, ITensor *> m{{1, half}}, o{{1, abs}}; o.merge(m); yes = m.at(1);",
       "std::set<int> m{k, 3}, o{1}; o.merge(m); if (m.size() == 1) yes = half;",
       "std::map<int, ITensor *> m{{1, half}, {2, abs}}; m.extract(m.begin()); if (m.size() == 1) yes = half;"});
}

TEST(Holders, TypesThatAreAskedFor) {
  expectTypes({"std::any w = 3; if (w.type() == typeid(float)) yes = half;",
               "std::any w = 2.5f; if (w.type() != typeid(float)) yes = half;",
               "std::any w; if (w.type() != typeid(void)) yes = half;",
               "if (typeid(int) == typeid(const int &)) {} else yes = half;"},
              {"std::any w = 3; if (w.type() == typeid(int)) yes = half;",
               "std::any w = std::string(); if (w.type() == typeid(std::string)) yes = half;",
               "const std::type_info &t = typeid(k); if (t == typeid(int)) yes = half;",
               "std::any w; if (k) w = 1; if (w.type() == typeid(int)) yes = half;"});
}

TEST(Moves, WhatLeadsIntoAListGoesWithIt) {
  const std::string list = "std::vector<ITensor *> v{abs}; ITensor *&e = v[0]; ";
  std::string all;
  for (const char *moved :
       {"auto w = std::make_unique<std::vector<ITensor *>>(std::move(v)); e = half; yes = (*w)[0];",
        "auto w = std::make_shared<std::vector<ITensor *>>(std::move(v)); e = half; yes = w->front();",
        "std::variant<int, std::vector<ITensor *>> w; w = std::move(v); e = half; yes = std::get<1>(w)[0];",
        "std::variant<int, std::vector<ITensor *>> w = std::move(v); e = half; yes = std::get<1>(w)[0];",
        "std::any w; w = std::move(v); e = half; yes = std::any_cast<std::vector<ITensor *> &>(w)[0];"})
    all += branchesOf(list + moved, " // expect: error output-dtype");
  for (const char *copied :
       {"auto w = std::make_unique<std::vector<ITensor *>>(v); e = half; yes = (*w)[0];",
        "std::variant<int, std::vector<ITensor *>> w; w = v; e = half; yes = std::get<1>(w)[0];",
        "std::any w; w = v; e = half; yes = std::any_cast<std::vector<ITensor *> &>(w)[0];",
        "std::variant<int, std::vector<ITensor *>> w; w = std::move(v); if (!v.empty()) yes = half;"})
    all += branchesOf(list + copied, "");
  expectSame(all);
}

} // namespace
} // namespace condlint::test
