//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branch functions of every kind.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Callable, LambdasInEveryPlace) {
  EXPECT_AS_SAID(R"(
auto scaleBy(double f) {
  return [f](const torch::Tensor &x) { return x * f; }; // expect: warning closure-scalar
}
auto toLong() { return [](const torch::Tensor &x) { return x.to(torch::kLong); }; }
struct Holder {
  std::function<torch::Tensor(torch::Tensor)> strong = [](torch::Tensor x) { return x.exp(); }; // anyone may set it
  torch::Tensor run(const torch::Tensor &x) const { return condlint::cond(x.any(), strong, toLong(), {x}); } // expect-unknown: output-dtype
};
torch::Tensor f(const torch::Tensor &x, double v) {
  auto stored = [](const torch::Tensor &x) { return x.sin(); };
  const auto &named = stored;
  auto moved = std::move(stored);
  auto generic = [](const auto &x) { return x.exp(); };
  auto y = condlint::cond(x.any(), named, std::ref(moved), {x});
  y = condlint::cond(x.any(), generic, toLong(), {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), scaleBy(v), stored, {y});
  y = condlint::cond(x.any(), [] { return [](const torch::Tensor &x) { return x.exp(); }; }(), stored, {y});
  torch::Tensor (*decayed)(const torch::Tensor &) = [](const torch::Tensor &x) { return x.exp(); };
  return condlint::cond(x.any(), decayed, +[](const torch::Tensor &x) { return x > 0; }, {y}); // expect: error output-dtype
})");
}

TEST(Callable, FunctionsAndTemplates) {
  EXPECT_AS_SAID(R"(
torch::Tensor plain(torch::Tensor x) { return x.exp(); }
torch::Tensor counted(torch::Tensor x) { return x.argmax(); }
template <class T> torch::Tensor cast(const torch::Tensor &x) {
  if constexpr (std::is_integral_v<T>)
    return x.to(torch::kLong);
  else
    return x.to(torch::kDouble);
}
struct Ops {
  static torch::Tensor same(const torch::Tensor &x) {
    return x; // expect: error output-alias
  }
  torch::Tensor twice(const torch::Tensor &x) const { return x * 2; }
};
template <class F, class G> torch::Tensor either(const torch::Tensor &x, F f, G g) {
  return condlint::cond(x.any(), f, g, {x}); // expect: error output-dtype
}
torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(), plain, &counted, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), cast<int64_t>, cast<double>, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), cast<int64_t>, cast<int>, {x});
  y = condlint::cond(x.any(), Ops::same, plain, {x});
  Ops ops;
  y = condlint::cond(x.any(), [&](const torch::Tensor &x) { return ops.twice(x); }, plain, {x});
  return y + either(x, plain, plain) + either(x, counted, plain);
})");
}

TEST(Callable, FunctorsAndBind) {
  EXPECT_AS_SAID(R"(
struct Generic {
  template <class T> T operator()(const T &x) const { return x.exp(); }
};
struct Weighted {
  torch::Tensor w;
  torch::Tensor operator()(const torch::Tensor &x) const {
    return x * w; // expect: warning closure-capture
  }
};
struct Counting {
  int calls = 0;
  torch::Tensor operator()(const torch::Tensor &x) {
    ++calls; // expect: error global-mutation
    return x.exp();
  }
};
torch::Tensor scaled(const torch::Tensor &x, double f) { return x * f; }
torch::Tensor product(const torch::Tensor &x, const torch::Tensor &w) {
  return x * w; // expect: warning closure-capture
}
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w) {
  using std::placeholders::_1;
  auto sine = [](const torch::Tensor &x) { return x.sin(); };
  auto y = condlint::cond(x.any(), Generic{}, sine, {x});
  y = condlint::cond(x.any(), Weighted{w}, sine, {x});
  Counting counting;
  y = condlint::cond(x.any(), std::ref(counting), sine, {x});
  y = condlint::cond(x.any(), std::bind(scaled, _1, 2.0), sine, {x});
  return condlint::cond(x.any(), std::bind(product, _1, w), sine, {y});
})");
}

TEST(Callable, WhatIsMissingOrNotKnown_B1) {
  EXPECT_AS_SAID(R"(
using Fn = std::function<torch::Tensor(torch::Tensor)>;
torch::Tensor elsewhere(const torch::Tensor &x);
torch::Tensor sine(torch::Tensor x) { return x.sin(); }
torch::Tensor f(const torch::Tensor &x, Fn given, bool fast) {
  Fn empty, reset = sine;
  reset = nullptr;
  torch::Tensor (*none)(torch::Tensor) = nullptr;
  auto y = condlint::cond(x.any(), empty, sine, {x}); // expect: error branch-missing
  y = condlint::cond(x.any(), sine, none, {x}); // expect: error branch-missing
  y = condlint::cond(x.any(), sine, reset, {x}); // expect: error branch-missing
  y = condlint::cond(x.any(), sine, given, {x}); // expect-unknown: output-dtype, input-mutation
  y = condlint::cond(x.any(), elsewhere, sine, {x}); // expect-unknown: output-dtype, side-effect
  Fn chosen = fast ? Fn(sine) : Fn([](torch::Tensor x) { return x.exp(); });
  return condlint::cond(x.any(), chosen, sine, {y}); // expect-unknown: output-dtype
})");
}

TEST(Callable, ConditionalsOfTheUsersOwn) {
  EXPECT_AS_SAID(R"(
namespace my {
CONDLINT_COND torch::Tensor choose(const torch::Tensor &p, std::function<torch::Tensor(torch::Tensor)> a,
                                   std::function<torch::Tensor(torch::Tensor)> b, const torch::Tensor &x) {
  return p.item<bool>() ? a(x) : b(x); // its own affair
}
template <class T, class F, class... Ops>
CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST) auto pick(const torch::Tensor &p, T t, F f, const Ops &...ops) { return p.item<bool>() ? t(ops...) : f(ops...); }
} // namespace my
double cond(const torch::Tensor &m) { return m.norm().item<double>(); } // a name is nothing
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  auto a = my::choose(x.any(), [](torch::Tensor x) { return x.exp(); }, [](torch::Tensor x) { return x > 0; }, x); // expect: error output-dtype
  a = my::pick(x.any(), [](auto x, auto y) { return (x - y).exp(); }, [](auto x, auto y) { return y.argmax(); }, x, y); // expect: error output-dtype
  return cond(x) > 3 ? a : y;
})");
}

TEST(Callable, AListIsOneParameterUnlessItsTensorsAreTaken_B2) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using List = std::vector<Tensor>;
CONDLINT_COND Tensor one(Tensor p, std::function<Tensor(Tensor)> t, std::function<Tensor(Tensor)> f, List operands);
CONDLINT_COND Tensor two(Tensor p, std::function<Tensor(Tensor, Tensor)> t, std::function<Tensor(Tensor, Tensor)> f,
                         const List &operands);
CONDLINT_COND Tensor all(Tensor p, std::function<Tensor(const List &)> t, std::function<Tensor(const List &)> f,
                         List operands);
Tensor scaled(Tensor x) { return x * 2; }
Tensor f(const Tensor &x) {
  CONDLINT_DTYPE(x, Half);
  auto y = one(x.any(), [](Tensor x) { return x.to(torch::kFloat); }, [](Tensor x) { return x * 1; }, {x}); // expect: error output-dtype
  y = two(x.any(), [](Tensor x, Tensor y) { return x + y; }, [](auto x, auto y) { return x.to(torch::kInt) * y.to(torch::kInt); }, {x, x}); // expect: error output-dtype
  y = all(x.any(), [](const List &x) { return x[0].to(torch::kInt); }, [](const auto &x) { return x.at(0) * 1; }, {x}); // expect: error output-dtype
  y = one(x.any(), [](Tensor x) { return x * 1; }, scaled, {x});
  return two(x.any(), [](Tensor x, Tensor y) { return x + y; }, [](auto x, auto y) { return x * y; }, {x, x});
})");
}

} // namespace
} // namespace condlint::test
