//===- CallableTest.cpp - Branch functions of every kind ------------------===//
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
torch::Tensor front(const torch::Tensor &w, const torch::Tensor &x) {
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
  y = condlint::cond(x.any(), std::bind_front(front, w), sine, {x});
  y = condlint::cond(x.any(), std::bind_front([](double f, const torch::Tensor &x) { return x * f; }, 2.0), sine, {x});
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

TEST(Callable, ABranchTakesExactlyTheOperands_B2) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
template <class T, class F, class... O> CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST) Tensor any(Tensor p, T t, F f, O... o) { return p; }
template <class T, class F> CONDLINT_COND Tensor vec(Tensor p, T t, F f, std::vector<Tensor> o);
template <class T, class F> CONDLINT_COND Tensor tup(Tensor p, T t, F f, std::tuple<Tensor, Tensor> o);
// What it adds to the operands is in its body.
template <class T, class F> CONDLINT_COND Tensor timed(Tensor p, T t, F f, Tensor o) { return p.is_nonzero() ? t(o, 3) : f(o, 3); }
Tensor one(Tensor x) { return x.sin(); }
Tensor two(Tensor x, Tensor y) { return x + y; }
Tensor scaled(Tensor x, double by = 2) { return x * by; }
Tensor after(Tensor x, int n) { return x + n; }
Tensor none() { return torch::zeros({2}); }
Tensor listed(std::vector<Tensor> x) { return x[0].cos(); }
Tensor wrong(Tensor p, Tensor x) {
  auto y = any(p, one, two, x); // expect: error operand-count
  y = any(p, one, one, x, x); // expect: error operand-count
  y = any(p, [](Tensor x) { return x.cos(); }, [](Tensor x, Tensor y) { return x * y; }, x); // expect: error operand-count
  y = any(p, [](auto x) { return x.cos(); }, [](auto... y) { return (y * ...); }, x, x); // expect: error operand-count
  y = any(p, none, none, x); // expect: error operand-count
  y = any(p, one, one); // expect: error operand-count
  y = vec(p, two, two, {x}); // expect: error operand-count
  y = vec(p, one, one, {x, x}); // expect: error operand-count
  return tup(p, two, one, {x, x}); // expect: error operand-count
}
Tensor right(Tensor p, Tensor x) {
  auto y = any(p, one, scaled, x);
  y = any(p, two, [](auto... y) { return (y * ...); }, x, x);
  y = any(p, none, none);
  y = vec(p, two, two, {x, x});
  y = vec(p, listed, listed, {x, x});
  y = any(p, listed, listed, x, x);
  return timed(p, after, after, x);
})");
}

TEST(Callable, AnOperandThatIsATupleIsOneParameterOfItsParts) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using State = std::tuple<Tensor, Tensor>;
template <class T, class F, class... O> CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST) Tensor own(Tensor p, T t, F f, const O &...o) { return p.is_nonzero() ? t(o...) : f(o...); }
Tensor f(const Tensor &x, const State &state, const std::pair<Tensor, State> &nested) {
  auto keep = [](const State &s) { return std::get<0>(s) * 2; };
  auto y = own(x.any(), keep, [](const State &s) {
    std::get<1>(s).neg_(); // expect: error input-mutation
    return std::get<0>(s); // expect: error output-alias
  }, state);
  return own(x.any(), [](const std::pair<Tensor, State> &p) { return p.first * 2; }, [](const std::pair<Tensor, State> &p) {
    std::get<0>(p.second).neg_(); // expect: error input-mutation
    return p.first * 1;
  }, nested);
}
Tensor negated(const Tensor &x) {
  return x.neg_(); // expect: error input-mutation
}
Tensor g(const Tensor &x) {
  auto pointer = &negated;
  return condlint::cond(x.any(), [pointer](const Tensor &x) {
    return (*pointer)(x) * 1;
  }, [](const Tensor &x) { return x * 2; }, {x});
}
)");
}

TEST(Callable, AConstantPointerToALambdaIsTheLambda) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using Function = Tensor (*)(const Tensor &);
struct Entry { const char *name; Function function; };
constexpr Function same = [](const Tensor &x) {
  return x; // expect: error output-alias
};
const Function twice = [](const Tensor &x) { return x * 2; };
constexpr Entry table[] = {{"exp", [](const Tensor &x) { return x.exp(); }}, {"add", [](const Tensor &x) {
  x.add_(1); // expect: error input-mutation
  return x * 1;
}}};
constexpr Function generic = [](const auto &x) {
  return x.view({-1}); // expect: error output-alias
};
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), same, twice, {x});
  y = condlint::cond(x.any(), table[0].function, table[1].function, {x});
  y = condlint::cond(x.any(), generic, twice, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { return table[0].function(x); }, twice, {x});
}
)");
}

TEST(Callable, TheOperandsOfATupleAreItsParts) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using State = std::tuple<Tensor, Tensor>;
struct Cell {
  State state_;
  std::array<Tensor, 2> pair_;
  static Tensor keep(const Tensor &h, const Tensor &c) { return h + c; }
  Tensor all(const Tensor &x, const Tensor &y, const State &state, const std::array<Tensor, 2> &pair) {
    auto z = condlint::cond(x.any(), keep, [](const Tensor &h, const Tensor &c) { h.add_(c); return h * 1; }, std::tie(x, y)); // expect: error input-mutation
    z = condlint::cond(x.any(), keep, [](const Tensor &h, const Tensor &c) { h.add_(c); return h * 1; }, std::forward_as_tuple(x, y)); // expect: error input-mutation
    z = condlint::cond(x.any(), keep, [](const Tensor &h, const Tensor &c) { h.add_(c); return h * 1; }, state); // expect: error input-mutation
    z = condlint::cond(x.any(), keep, [](const Tensor &h, const Tensor &c) { h.add_(c); return h * 1; }, pair); // expect: error input-mutation
    z = condlint::cond(x.any(), keep, [](const Tensor &h, const Tensor &c) { h.add_(c); return h * 1; }, state_); // expect: error input-mutation
    return condlint::cond(x.any(), keep, keep, pair_);
  }
};
)");
}

TEST(Callable, WhatCannotBeCalledOrTaken_B1_B3) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
template <class T, class F, class... O> CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST) Tensor any(Tensor p, T t, F f, O... o);
Tensor one(Tensor x) { return x.sin(); }
Tensor sized(int n) { return torch::zeros({n}); }
Tensor f(Tensor p, Tensor x, int n) {
  auto y = any(p, 3, one, x); // expect: error branch-missing
  y = any(p, x, one, x); // expect: error branch-missing
  y = any(p, sized, one, x); // expect: error operand-type
  y = any(p, sized, sized, n);
  return any(p, one, one, x);
})");
}

TEST(Callable, WhatAMemberOrVariableAlwaysHolds) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using Function = std::function<Tensor(Tensor)>;
Tensor plain(Tensor x) { return x.to(torch::kFloat); }
Tensor whole(Tensor x) { return x.to(torch::kLong); }
struct Const {
  Const() : set(whole) {}
  const Function held = [](Tensor x) { return x.to(torch::kLong); };
  const Function set;
  Tensor (*const pointer)(Tensor) = whole;
  Tensor run(Tensor p, Tensor x) {
    auto y = condlint::cond(p, held, plain, {x}); // expect: error output-dtype
    y = condlint::cond(p, pointer, plain, {x}); // expect: error output-dtype
    return condlint::cond(p, set, plain, {x}); // expect: error output-dtype
  }
};
class Private {
  Function held = whole;
public:
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect: error output-dtype
};
class Assigned {
  Function held = whole;
public:
  void use(Function f) { held = f; }
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
class Lent {
  Function held = whole;
public:
  Function &function() { return held; }
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
class Elsewhere {
  Function held = whole;
public:
  void use(Function f);
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
struct Aggregate {
  const Function held = whole;
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
struct Public {
  Public() : held(whole) {}
  Function held;
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
class Given {
  const Function held;
public:
  Given(Function f) : held(f) {}
  Tensor run(Tensor p, Tensor x) { return condlint::cond(p, held, plain, {x}); } // expect-unknown: output-dtype
};
static const auto named = [](Tensor x) { return x.to(torch::kLong); };
static Function stays = named;
static Function changes = named;
Function exported = named;
void change(Function f) { changes = f; }
Tensor globals(Tensor p, Tensor x) {
  auto y = condlint::cond(p, stays, plain, {x}); // expect: error output-dtype
  y = condlint::cond(p, exported, plain, {x}); // expect-unknown: output-dtype
  return condlint::cond(p, changes, plain, {x}); // expect-unknown: output-dtype
})");
}

TEST(Callable, WhatIsAssignedOnSomePathsIsNotTheBranchOfAll) {
  EXPECT_AS_SAID(R"(
using Branch = std::function<torch::Tensor(const torch::Tensor &)>;
static torch::Tensor mean(const torch::Tensor &x) { return x.sigmoid().mean(); }
torch::Tensor given(const torch::Tensor &x);
torch::Tensor f(const torch::Tensor &x, bool wide, Branch passed) {
  CONDLINT_TENSOR(x, Float, "N");
  Branch either = [](const torch::Tensor &x) { return x.argmax(); };
  Branch both;
  if (wide)
    either = [](const torch::Tensor &x) { return x.cos().mean(); };
  if (wide)
    both = [](const torch::Tensor &x) { return x.argmax(); };
  else
    both = [](const torch::Tensor &x) { return x.cos().mean(); };
  auto y = condlint::cond(x.any(), either, mean, {x}); // expect-unknown: output-dtype
  y = condlint::cond(x.any(), both, mean, {x});        // expect-unknown: output-dtype
  y = condlint::cond(x.any(), mean, passed, {x});      // expect-unknown: closure-capture, branch-missing
  if (wide)
    passed = [](const torch::Tensor &x) { return x.argmax(); };
  y = condlint::cond(x.any(), passed, mean, {x}); // expect-unknown: output-dtype
  Branch maybe;
  if (wide)
    maybe = mean;
  y = condlint::cond(x.any(), maybe, mean, {x}); // expect-unknown: branch-missing
  y = condlint::cond(x.any(), given, mean, {x}); // expect-unknown: closure-capture
  Branch last = mean;
  last = [](const torch::Tensor &x) { return x.argmax(); };
  return condlint::cond(x.any(), last, mean, {x}); // expect: error output-dtype
}
)");
}

TEST(Callable, ConstantTablesOfFunctions) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
using Function = Tensor (*)(Tensor);
static Tensor twice(Tensor x) { return x * 2; }
static Tensor toInt(Tensor x) { return x.to(torch::kInt); }
static Tensor same(Tensor x) {
  return x; // expect: error output-alias
}
static constexpr Function functions[] = {twice, same};
struct Pass {
  const char *name;
  Function run;
};
static constexpr Pass passes[] = {{"twice", &twice}, {"int", &toInt}, {"none", nullptr}};
Tensor f(const Tensor &x, int64_t k) {
  CONDLINT_DTYPE(x, Float);
  auto z = condlint::cond(x.any(), functions[0], functions[1], {x});
  z = condlint::cond(x.any(), passes[0].run, passes[1].run, {x}); // expect: error output-dtype
  z = condlint::cond(x.any(), passes[0].run, passes[2].run, {x}); // expect: error branch-missing
  return condlint::cond(x.any(), passes[0].run, passes[k].run, {x}); // expect-unknown: output-dtype
}
)");
}

// What libtorch's macros for element types run: one of the cases, whatever the type is.
TEST(Callable, ADispatchOnTheElementType) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
namespace detail { at::ScalarType scalar_type(at::ScalarType s); }
#define CASE(type, hint, ...) case type: { using scalar_t = hint; return __VA_ARGS__(); }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) [&] { const auto &the_type = TYPE; at::ScalarType _st = ::detail::scalar_type(the_type); \
  switch (_st) { CASE(at::ScalarType::Double, double, __VA_ARGS__) CASE(at::ScalarType::Float, float, __VA_ARGS__) default: TORCH_CHECK(false, NAME); } }()
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::zeros_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "fill", [&] { made.fill_(static_cast<scalar_t>(1)); });
    return made;
  }, [](const Tensor &x) {
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "fill", [&] { x.fill_(static_cast<scalar_t>(1)); }); // expect: error input-mutation
    return x + 1;
  }, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    return AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "twice", [&] { return x * 2; });
  }, [](const Tensor &x) {
    return AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "same", [&] { return x; }); // expect: error output-alias
  }, {y});
}
)");
}

TEST(Callable, AFunctionOfAutogradIsItsForward) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
namespace torch::autograd {
struct AutogradContext {
  void save_for_backward(std::vector<Tensor> tensors);
  void mark_dirty(std::vector<Tensor> tensors);
};
template <class T> struct Function { template <class... Args> static Tensor apply(Args &&...args); };
}
struct Twice : torch::autograd::Function<Twice> {
  static Tensor forward(torch::autograd::AutogradContext *context, const Tensor &x, double factor) {
    context->save_for_backward({x});
    return x * factor;
  }
};
struct Over : torch::autograd::Function<Over> {
  static Tensor forward(torch::autograd::AutogradContext *context, Tensor x) {
    x.mul_(2); // expect: error input-mutation
    context->mark_dirty({x});
    return x;
  }
};
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return Twice::apply(x, 2.0); }, [](const Tensor &x) {
    return Over::apply(x); // expect: error output-alias
  }, {x});
}
)");
}

TEST(Callable, WhatAPureFunctionReturnsIsNew) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
CONDLINT_PURE Tensor resample(const Tensor &x, double by);
CONDLINT_PURE std::tuple<Tensor, Tensor> halves(const Tensor &x);
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: output-dtype
    auto y = resample(x, 0.5);
    y.add_(1);
    return resample(y, 2);
  }, [](const Tensor &x) {
    auto [low, high] = halves(x);
    low.add_(1);
    return low;
  }, {x});
}
)");
  const Checked c = checkSource(R"(
using Tensor = torch::Tensor;
CONDLINT_PURE Tensor resample(const Tensor &x, double by);
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return resample(x, 0.5); }, [](const Tensor &x) { return x * 2; }, {x});
}
)");
  EXPECT_EQ(c.verdict("output-alias", 5), "proved");
  EXPECT_EQ(c.verdict("input-mutation", 5), "proved");
}

// When a coroutine runs, and how far, its promise says.
TEST(Callable, ACoroutineIsNotSeenInto) {
  const Checked c = checkSource(R"(
#include <coroutine>
using Tensor = torch::Tensor;
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
static Task work(Tensor x) {
  x.neg_();
  co_return;
}
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { work(x); return x * 3; }, [](const Tensor &x) { return x * 2; }, {x});
}
)");
  EXPECT_TRUE(c.verdict("input-mutation", 18).starts_with("unknown")) << c.verdict("input-mutation", 18);
}

TEST(Callable, TheDefaultOfAMemberThatNoConstructorMakes) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
struct Defaults {
  Tensor value = condlint::cond(torch::ones({1}).any(), [](const Tensor &x) {
    return x; // expect: error output-alias
  }, [](const Tensor &x) { return x * 2; }, {torch::ones({2})});
};
Defaults make() { return {}; }
struct Never {
  Tensor value = condlint::cond(torch::ones({1}).any(), [](const Tensor &x) {
    x.neg_(); // expect: error input-mutation
    return x + 1;
  }, [](const Tensor &x) { return x * 2; }, {torch::ones({2})});
};
)");
}

TEST(Callable, OfSeveralLambdasInOneTheTypeDecides) {
  EXPECT_AS_SAID(R"(
#include <variant>
using Tensor = torch::Tensor;
struct Copy {};
struct InPlace {};
struct Scale { double by; };
using Op = std::variant<InPlace, Scale>;
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
static Tensor perform(const Tensor &x, const Op &op) {
  return std::visit(overloaded{[&](const InPlace &) {
    return x.relu_() * 1; // expect: error input-mutation
  }, [&](const Scale &s) { return x * s.by; }}, op);
}
static Tensor scale(const Tensor &x, const Op &op) {
  return std::visit(overloaded{[&](const InPlace &) { return x.relu_() * 1; }, [&](const Scale &s) { return x * s.by; }}, op);
}
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return perform(x, InPlace{}); },
                        [](const Tensor &x) { return scale(x, Op{Scale{3.0}}); }, {x});
}
)");
  // One that is given from outside may hold any of them.
  const Checked c = checkSource(R"(
#include <variant>
using Tensor = torch::Tensor;
struct A {};
struct B {};
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> overloaded(Ts...) -> overloaded<Ts...>;
static Tensor visited(const Tensor &x, const std::variant<A, B> &v) {
  return std::visit(overloaded{[&](const A &) { return x.neg_() * 1; }, [&](const B &) { return x * 2; }}, v);
}
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return visited(x, std::variant<A, B>(std::in_place_type<B>)); },
                        [](const Tensor &x) { return x * 2; }, {x});
}
Tensor g(const Tensor &x, const std::variant<A, B> &v) {
  return condlint::cond(x.any(), [v](const Tensor &x) { return visited(x, v); },
                        [](const Tensor &x) { return x * 2; }, {x});
}
)");
  EXPECT_EQ(c.verdict("input-mutation", 12), "proved");
  EXPECT_EQ(c.verdict("input-mutation", 16), "violated");
}

TEST(Callable, BranchesThatAnObjectOfTheCallersHolds) {
  EXPECT_AS_SAID(R"(
#include <functional>
#include <memory>
using torch::Tensor;
struct Gate {
  std::function<Tensor(Tensor)> onTrue, onFalse;
  Tensor pred;
  Tensor operator()(Tensor x) { return condlint::cond(pred, onTrue, onFalse, {x}); }
};
Tensor made(const Tensor &x, const Tensor &p) {
  Gate g{[](Tensor x) {
    x.add_(1); // expect: error input-mutation
    return x * 2;
  }, [](Tensor x) { return x * 3; }, p};
  return g(x);
}
class Switch {
public:
  Switch(std::function<Tensor(Tensor)> a, std::function<Tensor(Tensor)> b) : a_(std::move(a)), b_(std::move(b)) {}
  Tensor run(Tensor p, Tensor x) const {
    return condlint::cond(p, a_, b_, {x}); // expect: error output-dtype
  }

private:
  std::function<Tensor(Tensor)> a_, b_;
};
Tensor constructed(const Tensor &x, const Tensor &p) {
  auto s = std::make_shared<Switch>([](Tensor x) { return x.to(torch::kLong); }, [](Tensor x) { return x.cos(); });
  return s->run(p, x);
}
struct Plain {
  Tensor (*yes)(const Tensor &), (*no)(const Tensor &);
};
Tensor twice(const Tensor &x) { return x * 2; }
Tensor written(const Tensor &x) {
  x.add_(1); // expect: error input-mutation
  return x * 2;
}
Tensor apply(const Plain &b, const Tensor &x) { return condlint::cond(x.any(), b.yes, b.no, {x}); }
Tensor handed(const Tensor &x) { return apply(Plain{written, twice}, x) + apply({twice, twice}, x); }
)");
}

} // namespace
} // namespace condlint::test
