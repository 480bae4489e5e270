//===- TracingStateTest.cpp - State, constants and unsafe operands ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a trace loses of a module's members, constants where the training flag belongs,
// and operators without a gradient where their guard fails. Labels: NS10, NS14, NS15.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(TracedState, NS14MembersThatOutliveTheCall) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    hidden = torch::tanh(x + hidden); // expect: warning traced-state
    ++steps; // expect: warning traced-state
    last = x; // expect: warning traced-state
    seen.push_back(x); // expect: warning traced-state
    state.h = x; // expect: warning traced-state
    return hidden;
  }
  torch::Tensor attention() { return shown; }
  torch::Tensor hidden, last;
  std::vector<torch::Tensor> seen;
  struct State { torch::Tensor h; } state;
  int64_t steps = 0;
private:
  torch::Tensor shown;
};
struct Shows : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    weights = x * 2; // expect: warning traced-state
    return weights;
  }
  torch::Tensor attention() { return weights; }
private:
  torch::Tensor weights;
};
)",
                 "nnscaler");
}

TEST(TracedState, NS14WhatIsOnlyHandedOn) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  M() { mean = torch::zeros({4}); }
  torch::Tensor forward(torch::Tensor x) {
    mask = x * 2;
    x = x + mask;
    mean.copy_(x);
    mean += x;
    mean[0] = 1;
    torch::Tensor local;
    local = x;
    bias = x;
    return apply(local);
  }
  void set(torch::Tensor m) { other = m; }
private:
  torch::Tensor apply(torch::Tensor x) { return x + bias; }
  torch::Tensor mask, mean, bias, other;
};
struct NoModule {
  torch::Tensor call(torch::Tensor x) { kept = x; return kept; }
  torch::Tensor kept;
};
)",
                 "nnscaler");
}

TEST(TrainingConstant, NS15) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x, double given) {
    auto a = torch::dropout(x, 0.1, true); // expect: warning training-constant
    auto b = torch::dropout(x, rate, true); // expect: warning training-constant
    auto c = torch::dropout(x, rate, is_training());
    auto d = torch::dropout(x, is_training() ? rate : 0.0, true);
    auto e = torch::dropout(x, given, true);
    auto f = torch::dropout(x, 0.0, true);
    auto g = torch::dropout(x, 0.1, false);
    auto h = torch::feature_dropout(x, 0.1, true); // expect: warning training-constant
    const double p = 0.2;
    auto i = torch::dropout(x, p, true); // expect: warning training-constant
    return a + b + c + d + e + f + g + h + i;
  }
  double rate = 0.1;
};
struct Decides : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    if (!is_training()) // expect: warning control-flow-frozen
      return x;
    return torch::dropout(x, 0.1, true);
  }
};
)",
                 "nnscaler");
}

TEST(TracedState, NS14WaysToAMember) {
  EXPECT_AS_SAID(R"(
#include <array>
#include <memory>
#include <utility>
struct M : torch::nn::Module {
  torch::nn::Linear layer{nullptr};
  std::array<torch::Tensor, 2> pair;
  std::shared_ptr<int> counter;
  static inline int total = 0;
  torch::Tensor last;
  double scale = 1;
  int untouched = 0;
  torch::Tensor forward(torch::Tensor x) {
    layer->weight = x;         // expect: warning traced-state
    layer->weight.mul_(2);
    std::swap(pair[0], pair[1]); // expect: warning traced-state
    auto before = std::exchange(last, x); // expect: warning traced-state
    *counter += 1;             // expect: warning traced-state
    ++total;                   // expect: warning traced-state
    auto &again = scale;
    again *= 2;                // expect: warning traced-state
    auto copy = untouched;
    copy = 2;
    int here = 0, there = copy;
    std::swap(here, there);
    std::array<torch::Tensor, 2> own = pair;
    own[0] = x;
    return layer->forward(x) + before + untouched + here + there + total + *counter + scale;
  }
};
)",
                 "nnscaler");
}

TEST(TrainingConstant, NS15OptionsOfFunctions) {
  EXPECT_AS_SAID(R"(
namespace F = torch::nn::functional;
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x, double given) {
    x = F::dropout(x); // expect: warning training-constant
    x = F::dropout(x, {}); // expect: warning training-constant
    x = F::dropout(x, F::DropoutFuncOptions().p(0.2)); // expect: warning training-constant
    x = F::dropout(x, F::DropoutFuncOptions().p(0.2).training(true)); // expect: warning training-constant
    x = F::alpha_dropout(x, F::AlphaDropoutFuncOptions().training(true).p(0.2)); // expect: warning training-constant
    x = F::alpha_dropout(x);
    x = F::dropout(x, F::DropoutFuncOptions().p(0.0));
    x = F::dropout(x, F::DropoutFuncOptions().p(given));
    x = F::dropout(x, F::DropoutFuncOptions().training(false));
    x = F::dropout(x, F::DropoutFuncOptions().training(is_training()));
    x = F::dropout(x, F::DropoutFuncOptions().training(true).training(is_training()));
    F::DropoutFuncOptions elsewhere;
    elsewhere.training(is_training());
    return F::dropout(x, elsewhere);
  }
};
)",
                 "nnscaler");
}

TEST(TrainingConstant, NS15WhatTheFlagDecidesAbout) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x, bool asked) {
    if (is_training()) // expect: warning control-flow-frozen
      x = torch::dropout(x, 0.1, true);
    x = torch::dropout(x, 0.1, true); // expect: warning training-constant
    if (asked)
      x = torch::dropout(x, 0.1, true); // expect: warning training-constant
    const bool trains = is_training() && asked;
    for (int i = 0; i < 2; ++i)
      x = trains ? torch::dropout(x, 0.1, true) : x; // expect: warning control-flow-frozen
    const auto later = [](torch::Tensor y) { return torch::dropout(y, 0.1, true); };
    if (!is_training()) // expect: warning control-flow-frozen
      return x;
    return torch::dropout(x, 0.1, true) + later(x);
  }
};
)",
                 "nnscaler");
}

TEST(SelectEager, NS10OperatorsWithoutAFiniteGradient) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor a, torch::Tensor n) {
    auto b = torch::where(a <= 0, torch::exp(a), a); // expect: warning select-eager
    auto c = torch::where(a > 20, a, torch::log(torch::exp(a) + 1)); // expect: warning select-eager
    auto d = torch::where(a >= 1, torch::pow(a - 1, 0.5), a); // expect: warning select-eager
    auto e = torch::where(a.abs() < 1, torch::sqrt(1 - a * a), a); // expect: warning select-eager
    auto f = torch::where(a < 0, torch::log(-a), a); // expect: warning select-eager
    auto g = torch::where(a != 2, n / (a - 2), n); // expect: warning select-eager
    auto h = (a / n).masked_fill(n == 0, 0); // expect: warning select-eager
    auto shifted = a - 1;
    auto i = torch::where(a > 1, shifted.log(), a); // expect: warning select-eager
    auto j = torch::where(shifted > 0, shifted.log(), a); // expect: warning select-eager
    auto k = torch::where(a * 2 > 0, a.rsqrt(), a); // expect: warning select-eager
    auto l = a.log().masked_fill(a <= 0, 0); // expect: warning select-eager
    return b + c + d + e + f + g + h + i + j + k + l;
  }
};
)",
                 "nnscaler");
}

TEST(SelectEager, NS10WhereThereAreNoGradients) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    torch::Tensor y;
    {
      torch::NoGradGuard none;
      y = torch::where(x > 0, torch::log(x), x);
      for (int i = 0; i < 2; ++i)
        y = (x / x).masked_fill(x == 0, 0);
    }
    y = torch::where(x > 0, torch::log(x), x); // expect: warning select-eager
    if (x.dim() == 2) {
      y = torch::where(x > 0, torch::log(x), x); // expect: warning select-eager
      c10::InferenceMode guard;
      y = torch::where(x > 0, torch::log(x), x);
      c10::AutoGradMode again(true);
    } else if (x.dim() == 3) {
      c10::InferenceMode guard(false);
      y = torch::where(x > 0, torch::log(x), x); // expect: warning select-eager
      c10::AutoGradMode off(false);
      y = torch::where(x > 0, torch::log(x), x);
    }
    return y + torch::where(x > 0, torch::sqrt(x), x); // expect: warning select-eager
  }
};
)",
                 "nnscaler");
}

TEST(SelectEager, NS10OperatorsOfSeveralOperands) {
  EXPECT_AS_SAID(R"(
namespace at {
Tensor hypot(const Tensor &, const Tensor &);
Tensor addcdiv(const Tensor &, const Tensor &, const Tensor &);
Tensor mvlgamma(const Tensor &, int64_t);
Tensor special_expm1(const Tensor &);
}
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor a, torch::Tensor n) {
    auto b = torch::where(a != 0, at::hypot(a, n), a); // expect: warning select-eager
    auto c = torch::where(a != 0, at::hypot(n, a), a); // expect: warning select-eager
    auto d = torch::where(a > 0, at::addcdiv(n, n, a), n); // expect: warning select-eager
    auto e = torch::where(a > 1, at::mvlgamma(a, 3), a); // expect: warning select-eager
    auto f = torch::where(a < 50, at::special_expm1(a), a); // expect: warning select-eager
    auto g = torch::where(a.abs() < 50, torch::pow(a, 20), a); // expect: warning select-eager
    return b + c + d + e + f + g;
  }
};
struct Safe : torch::nn::Module {
  torch::Tensor forward(torch::Tensor a, torch::Tensor n) {
    auto b = torch::where(a > 1, at::hypot(a * a + 1, n), a);
    auto c = torch::where(a > 0, at::addcdiv(a, a, n), n);
    auto d = torch::where(a > 0, at::addcdiv(n, n, a * a + 1), n);
    auto e = torch::where(a > 0, at::special_expm1(a), a);
    auto f = torch::where(a > 0, torch::pow(a, 3), a);
    return b + c + d + e + f;
  }
};
)",
                 "nnscaler");
}

TEST(SelectEager, NS10WhatIsSafe) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  torch::Tensor forward(torch::Tensor a, torch::Tensor n) {
    auto b = torch::where(a > 0, torch::exp(a), a);
    auto c = torch::where(a > 20, a, torch::log(torch::exp(a.clamp_max(20)) + 1));
    auto d = torch::where(a >= 1, torch::pow(a - 1, 2), a);
    auto e = torch::where(a > 0, torch::pow(a + 1, 2.0), a);
    auto f = torch::where(a < 5, torch::sqrt(a), a);
    auto g = (a / n).masked_fill(a == 0, 0);
    auto h = a.masked_fill(n == 0, 0) / 2;
    auto i = (a / n.masked_fill(n == 0, 1)).masked_fill(n == 0, 0);
    return b + c + d + e + f + g + h + i;
  }
};
)",
                 "nnscaler");
}

TEST(ControlFlowFrozen, OneCauseIsOneFinding) {
  EXPECT_AS_SAID(R"(
struct M : torch::nn::Module {
  bool noisy() const { return is_training() && sigma > 0; }
  bool both() const { return noisy() || is_training(); } // expect: warning control-flow-frozen
  torch::Tensor forward(torch::Tensor x) {
    if (noisy()) // expect: warning control-flow-frozen
      x = x + 1;
    const bool wide = is_training() && sigma > 1;
    if (wide) // expect: warning control-flow-frozen
      x = x + 2;
    const bool handed = is_training() && sigma > 2; // expect: warning control-flow-frozen
    const bool kept = both();
    return torch::dropout(torch::dropout(x, 0.1, kept), 0.1, handed);
  }
  double sigma = 0.1;
};
)",
                 "nnscaler");
}

} // namespace
} // namespace condlint::test
