//===- OperandTest.cpp - Operands that hold tensors -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands that hold tensors: structs, containers, pointers. Their tensors are
// the operands, and a branch sees the same structure over its parameters.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

const std::string own = R"(
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>
struct State { torch::Tensor h, c; };
struct Beam { State s; torch::Tensor score; std::vector<torch::Tensor> cache; };
namespace my {
template <class T, class F, class... Ops>
CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST)
auto cond(const torch::Tensor &p, T t, F f, const Ops &...ops) { return p.item<bool>() ? t(ops...) : f(ops...); }
}
)";

TEST(Operand, TheTensorsOfAStructAreItsLeaves) {
  EXPECT_AS_SAID(own + R"(
struct Scored : State { torch::Tensor score; int64_t step; std::string name; };
class Hidden {
public:
  const torch::Tensor &h() const { return h_; }
private:
  torch::Tensor h_, c_;
};
torch::Tensor made(const torch::Tensor &x) {
  State s{x.exp(), x.sin()};
  return my::cond(x.any(), [](const State &s) { return s.h * 2; }, [](const State &s) {
    s.c.neg_(); // expect: error input-mutation
    return s.h; // expect: error output-alias
  }, s);
}
State given(const torch::Tensor &x, const State &s) {
  return my::cond(x.any(), [](const torch::Tensor &x, const State &s) { return State{s.h * 2, s.c * x}; },
                  [](const torch::Tensor &x, const State &s) {
                    return State{s.h + x, s.c}; // expect: error output-alias
                  }, x, s);
}
torch::Tensor derived(const torch::Tensor &x, const Scored &s) {
  return my::cond(x.any(), [](const Scored &s) { return s.score * 2; }, [](const Scored &s) {
    s.h.neg_(); // expect: error input-mutation
    return s.score + s.step;
  }, s);
}
torch::Tensor hidden(const torch::Tensor &x, const Hidden &s) {
  return my::cond(x.any(), [](const Hidden &s) { return s.h() * 2; }, [](const Hidden &s) {
    return s.h(); // expect: error output-alias
  }, s);
}
torch::Tensor typed(const torch::Tensor &x) {
  State s{torch::zeros({2, 3}), torch::zeros({2, 3}, torch::kLong)};
  return my::cond( // expect: error output-dtype
      x.any(), [](const State &s) { return s.h * 2; }, [](const State &s) { return s.c + 1; }, s);
}
torch::Tensor overlapping(const torch::Tensor &x) {
  State s{x, x.view({-1})};
  return my::cond(x.any(), [](const State &s) { return s.h * 2; }, [](const State &s) { return s.h + 1; },
                  s); // expect: error operand-alias
}
torch::Tensor own(const torch::Tensor &x, const Beam &b) {
  return my::cond(x.any(), [](const Beam &b) {
    State t = b.s;
    t.h = t.h + 1;
    t.h.mul_(2);
    return t.h;
  }, [](Beam b) {
    b.s.c = b.s.c.clone();
    b.s.c.mul_(2);
    return b.s.c;
  }, b);
})");
}

TEST(Operand, WhatNobodyKnowsOfAContainerIsAPartOfIt) {
  EXPECT_AS_SAID(own + R"(
torch::Tensor nested(const torch::Tensor &x, const Beam &b, const std::vector<State> &layers,
                     const std::map<std::string, torch::Tensor> &named) {
  auto y = my::cond(x.any(), [](const Beam &b) { return b.score * 2; }, [](const Beam &b) {
    b.s.h.zero_(); // expect: error input-mutation
    b.cache[0].add_(1); // expect: error input-mutation
    return b.score + 1;
  }, b);
  y = my::cond(x.any(), [](const std::vector<State> &l) { return l[0].h * 2; }, [](const std::vector<State> &l) {
    for (const auto &s : l)
      s.h.mul_(2); // expect: error input-mutation
    return l[0].c; // expect: error output-alias
  }, layers);
  return my::cond(x.any(), [](const torch::Tensor &x, const std::map<std::string, torch::Tensor> &m) { return x * m.at("k"); },
                  [](const torch::Tensor &x, const std::map<std::string, torch::Tensor> &m) {
                    m.at("k").mul_(2); // expect: error input-mutation
                    auto k = m.at("k") + 1;
                    k.mul_(2);
                    return k * x;
                  }, y, named);
}
torch::Tensor known(const torch::Tensor &x) {
  std::map<std::string, torch::Tensor> m{{"a", x.exp()}, {"b", x.sin()}};
  return my::cond(x.any(), [](const std::map<std::string, torch::Tensor> &m) { return m.at("a") * 2; },
                  [](const std::map<std::string, torch::Tensor> &m) {
                    m.at("b").mul_(2); // expect: error input-mutation
                    return m.at("a"); // expect: error output-alias
                  }, m);
}
torch::Tensor masked(const torch::Tensor &x, const std::optional<torch::Tensor> &mask) {
  return my::cond(x.any(), [](const torch::Tensor &x, const std::optional<torch::Tensor> &m) { return m ? x * *m : x * 2; },
                  [](const torch::Tensor &x, const std::optional<torch::Tensor> &m) {
                    if (m)
                      m->mul_(2); // expect: error input-mutation
                    return x * 3;
                  }, x, mask);
})");
}

TEST(Operand, WhatAPointerLeadsToIsGivenToTheBranch) {
  EXPECT_AS_SAID(own + R"(
torch::Tensor raw(const torch::Tensor &x, State *s, const State *untouched) {
  return my::cond(x.any(), [](const torch::Tensor &x, State *s, const State *u) { return x * u->h; },
                  [](const torch::Tensor &x, State *s, const State *u) {
                    s->h.mul_(2); // expect: error input-mutation
                    s->c = x + 1; // expect: error global-mutation
                    return x + u->c;
                  }, x, s, untouched);
}
torch::Tensor shared(const torch::Tensor &x, const std::shared_ptr<State> &given) {
  auto made = std::make_shared<State>(State{x.exp(), x.sin()});
  auto y = my::cond(x.any(), [](const std::shared_ptr<State> &s) { return s->h * 2; }, [](const std::shared_ptr<State> &s) {
    return s->h; // expect: error output-alias
  }, made);
  return my::cond(x.any(), [](const std::shared_ptr<State> &s) { return s->h * 2; }, [](const std::shared_ptr<State> &s) {
    s->c.neg_(); // expect: error input-mutation
    return s->h + 1;
  }, given);
})");
}

TEST(Operand, WhatHoldsNoTensorsIsHandedOn) {
  EXPECT_AS_SAID(own + R"(
struct Config { double eps = 1e-5; int64_t heads = 8; };
torch::Tensor f(const torch::Tensor &x, const Config &c) {
  Config fixed;
  auto y = my::cond(x.any(), [](const torch::Tensor &x, const Config &c) { return x / c.heads; },
                    [](const torch::Tensor &x, const Config &c) { return x + c.eps; }, x, c);
  return my::cond( // expect: error output-rank
      x.any(), [](const torch::Tensor &x, const Config &c) { return x.reshape({c.heads, 2}); },
                  [](const torch::Tensor &x, const Config &c) { return x.reshape({c.heads}); }, y, fixed);
})");
}

TEST(Operand, WhatIsGivenByReferenceIsOfOutside) {
  EXPECT_AS_SAID(own + R"(
namespace my {
template <class T, class F, class... Ops>
CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST)
auto branch(bool p, T &&t, F &&f, Ops &&...ops) {
  return p ? std::forward<T>(t)(std::forward<Ops>(ops)...) : std::forward<F>(f)(std::forward<Ops>(ops)...);
}
}
torch::Tensor f(const torch::Tensor &x, State s, bool p) {
  auto y = my::branch(p, [](State &s) {
    s.h = s.h * 2; // expect: error global-mutation
    return s.h * 1;
  }, [](State &s) { return s.h + s.c; }, s);
  y = my::branch(p, [](State s) {
    s.h = s.h * 2;
    return s.h * 1;
  }, [](const State &s) { return s.h + s.c; }, s);
  return my::branch(p, [](torch::Tensor &x) {
    x = x * 2; // expect: error global-mutation
    return x + 1;
  }, [](torch::Tensor x) {
    x = x * 2;
    return x;
  }, y);
})");
}

TEST(Operand, TheSameTensorTwiceOnSomeWay) {
  EXPECT_AS_SAID(R"(
#include <cmath>
#include <optional>
using torch::Tensor;
Tensor attend(const Tensor &x, const std::optional<Tensor> &context, bool f) {
  auto sum = [](const Tensor &a, const Tensor &b) { return a + b; };
  auto difference = [](const Tensor &a, const Tensor &b) { return a - b; };
  const Tensor keys = context ? *context : x;
  auto y = condlint::cond(x.any(), sum, difference, {x, keys});
  const Tensor twice = f ? x : x * 2;
  y = condlint::cond(x.any(), sum, difference, {x, twice});
  const Tensor part = f ? x.select(0, 0) : x * 2;
  return condlint::cond(x.any(), sum, difference, {x, part}); // expect: error operand-alias
}
Tensor masked(const Tensor &x, const Tensor &mask) {
  return condlint::cond(x.any(), [](const Tensor &x, const Tensor &mask) { return x.masked_fill(mask, -INFINITY); },
      [](const Tensor &x, const Tensor &) {
        x.add_(1); // expect: error input-mutation
        return x * 2;
      }, {x, mask});
}
)");
}

TEST(Operand, TheSameTensorByAnotherName_A3) {
  const std::string source = R"(
using torch::Tensor;
Tensor again(const Tensor &x, const Tensor &z) {
  CONDLINT_DTYPE(x, Float);
  auto sum = [](const Tensor &a, const Tensor &b) { return a.sum() + b.sum(); };
  auto difference = [](const Tensor &a, const Tensor &b) { return a.sum() - b.sum(); };
  const Tensor y = torch::zeros({4});
  auto r = condlint::cond(x.any(), sum, difference, {x, x.to(torch::kFloat)});
  r = condlint::cond(x.any(), sum, difference, {x, x.type_as(x)});
  r = condlint::cond(x.any(), sum, difference, {y, y.cpu()});
  r = condlint::cond(x.any(), sum, difference, {y, torch::dropout(y, 0.5, false)});
  r = condlint::cond(x.any(), sum, difference, {y.contiguous(), y.to(y.options())});
  r = condlint::cond(x.any(), sum, difference, {z, z.contiguous()});
  r = condlint::cond(x.any(), sum, difference, {z, z.contiguous().t()}); // expect-unknown: operand-alias
  r = condlint::cond(x.any(), sum, difference, {y, y.view({4})}); // expect: error operand-alias
  return condlint::cond(x.any(), sum, difference, {x, x.to(torch::kFloat).t()}); // expect: error operand-alias
}
)";
  EXPECT_AS_SAID(source);
  const Checked c = checkSource(source);
  for (const std::uint32_t line : {8u, 9u, 10u, 11u, 12u, 13u})
    EXPECT_EQ(c.verdict("operand-alias", line), "proved") << line;
}

TEST(Operand, ANumberThatIsKnownIsNoSymbol_O3) {
  const std::string source = R"(
#include <cstdint>
using torch::Tensor;
template <class T, class F, class... Ops>
CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST) Tensor choose(const Tensor &p, T t, F f, Ops &&...ops) {
  return p.item<bool>() ? t(ops...) : f(ops...);
}
Tensor scaled(const Tensor &x, std::int64_t k) {
  auto times = [](const Tensor &x, std::int64_t n) { return x * n; };
  auto plus = [](const Tensor &x, std::int64_t n) { return x + n; };
  const int two = 2;
  auto y = choose(x.any(), times, plus, x, 3);
  y = choose(x.any(), times, plus, x, two + 1);
  y = choose(x.any(), times, plus, x, k);         // expect-unknown: operand-kind
  return choose(x.any(), times, plus, x, x.size(0)); // expect: error operand-kind
}
)";
  EXPECT_AS_SAID(source, "torch@2.6");
  EXPECT_EQ(checkSource(source, "torch@2.6").verdict("operand-kind", 12), "proved");
  EXPECT_EQ(checkSource(source, "torch@2.13").verdict("operand-kind", 14), "proved");
}

} // namespace
} // namespace condlint::test
