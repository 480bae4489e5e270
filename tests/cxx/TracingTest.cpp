//===- TracingTest.cpp - What a tracer freezes ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tracer freezes. Labels: NS1 to NS13.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// A module with \p body as its forward; line 1 is the first line of the body.
std::string forward(const std::string &body, const std::string &members = {}) {
  return "struct M : torch::nn::Module { bool wide = false; double rate = 0.5; int64_t n = 1; std::vector<double> "
         "rates; " +
         members + " torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &y) {" + body +
         "\nreturn x; } };\n";
}

TEST(Tracing, StatementsOnTheTrainingFlagAreFrozen_NS1) {
  EXPECT_AS_SAID(forward(R"(
    int64_t sum = 0;
    if (is_training()) // expect: warning control-flow-frozen
      return y;
    while (this->is_training()) // expect: warning control-flow-frozen
      return y;
    do { sum++; } while (is_training()); // expect: warning control-flow-frozen
    for (int i = 0; is_training(); ++i) // expect: warning control-flow-frozen
      sum += i;
    switch (int(is_training())) { // expect: warning control-flow-frozen
    default: break;
    }
    const bool flag = is_training();
    if (flag) // expect: warning control-flow-frozen
      return y;
    int steps = is_training() ? 4 : 1;
    for (int i = 0; i < steps; ++i) // expect: warning control-flow-frozen
      sum += i;)"),
                 "nnscaler");
}

TEST(Tracing, ControlFlowOnAValueIsFrozen_NS11) {
  EXPECT_AS_SAID(forward(R"(
    if (x.sum().item<float>() > 0) // expect: warning control-flow-frozen
      return y;
    if (torch::equal(x, y) || x.is_nonzero()) // expect: warning control-flow-frozen
      return y;
    auto z = torch::allclose(x, y) ? x : y; // expect: warning control-flow-frozen
    double peak = x.max().item<double>();
    while (peak > 1) // expect: warning control-flow-frozen
      peak = peak / 2;)"),
                 "nnscaler");
}

TEST(Tracing, ControlFlowOnShapesIsNot) {
  EXPECT_AS_SAID(forward(R"(
    TORCH_CHECK(x.dim() == 2, "a matrix");
    if (x.dim() == 3 && y.defined())
      return y;
    int64_t sum = 0;
    for (int64_t i = 0; i < x.size(0); ++i)
      sum += i;
    if (x.scalar_type() == torch::kFloat || wide)
      return y;
    double read = x.max().item<double>();
    double half = read / 2;)"),
                 "nnscaler");
}

TEST(Tracing, ASelectionConverts_NS2) {
  EXPECT_AS_SAID(forward(R"(
    double p = is_training() ? rate : 0.0; // expect: note select-convertible
    auto a = this->is_training() ? x + y : std::move(x); // expect: note select-convertible
    auto b = is_training() ? x : is_training() ? y : a; // expect: note select-convertible
    return torch::dropout(a + b, p, is_training());)"),
                 "nnscaler");
}

TEST(Tracing, ACallOrAnotherConditionKeepsItFromThat_NS3_NS4_NS6) {
  EXPECT_AS_SAID(forward(R"(
    auto a = is_training() ? x.relu() : y; // expect: warning control-flow-frozen
    auto b = !is_training() ? x : y; // expect: warning control-flow-frozen
    auto c = is_training() == true ? x : y; // expect: warning control-flow-frozen
    auto d = is_training() ? x : is_training() ? torch::relu(y) : y; // expect: warning control-flow-frozen
    bool e = is_training() && wide; // expect: warning control-flow-frozen
    return torch::dropout(a + b + c + d, rate, wide || is_training()); // expect: warning control-flow-frozen)"),
                 "nnscaler");
}

TEST(Tracing, ArmsThatAreNotSafeAlways_NS5) {
  EXPECT_AS_SAID(forward(R"(
    double a = is_training() ? (rate = 0.1) : rate; // expect: error select-eager
    int64_t b = is_training() ? n++ : n; // expect: error select-eager
    double c = is_training() ? rates[0] : rate; // expect: error select-eager
    int64_t d = is_training() ? 8 / n : n; // expect: error select-eager
    double *at = &rate;
    double e = is_training() ? *at : rate; // expect: error select-eager
    double f = is_training() ? throw 1 : rate; // expect: error select-eager
    double sound = is_training() ? rate / 3 : this->rate * 2 + double(n % 2);
    return x * (a + b + c + d + e + f + sound);)"),
                 "nnscaler");
}

TEST(Tracing, WhereComputesBothArms_NS10) {
  EXPECT_AS_SAID(forward(R"(
    auto a = torch::where(y > 0, x / y, x); // expect: warning select-eager
    auto b = torch::where(x > 0, x.log(), x); // expect: warning select-eager
    auto c = torch::where(x > 0, torch::rand_like(x), x); // expect: warning select-eager
    auto z = x.clone();
    auto d = torch::where(x > 0, z.add_(1), x); // expect: error select-eager
    auto safe = torch::where(y > 0, y, torch::ones_like(y));
    auto e = torch::where(y > 0, x / safe, x);
    auto f = torch::where(y > 0, x / y.clamp_min(1), x);
    auto g = torch::where(y > 0, x.pow(2), x);
    return a + b + c + d + e + f + g;)"),
                 "nnscaler");
}

TEST(Tracing, WhatTheConditionNeedsTooIsOfNoArm_NS10) {
  EXPECT_AS_SAID(forward(R"(
    auto noisy = x + torch::randn_like(x);
    auto large = noisy.abs() > 3;
    auto a = torch::where(large, noisy.exp() * 3, noisy);
    auto b = torch::where(x > 0, noisy * 2, noisy);
    auto c = torch::where(x > 0, noisy * 2, x); // expect: warning select-eager
    auto d = torch::where(large, noisy + torch::rand_like(x), noisy); // expect: warning select-eager
    auto copy = x.clone();
    auto shifted = copy.add_(1);
    auto e = torch::where(shifted > 0, shifted, x);
    auto f = torch::where(x > 0, shifted, x); // expect: error select-eager
    auto g = torch::where(copy > 0, copy.mul_(2), x); // expect: error select-eager
    auto ratio = x / y;
    auto h = torch::where(y != 0, ratio, -ratio); // expect: warning select-eager
    return a + b + c + d + e + f + g + h;)"),
                 "nnscaler");
}

TEST(Tracing, WhatTheConditionTestsIsGuardedOnItsOwnSide_NS10) {
  EXPECT_AS_SAID(forward(R"(
    auto zero = y == 0;
    auto ratio = x / y;
    auto a = torch::where(zero, x, ratio); // expect: warning select-eager
    auto b = torch::where(~zero, ratio, x); // expect: warning select-eager
    auto c = torch::where(zero, ratio, x);
    auto d = torch::where(y.ne(0), x.div(y), x); // expect: warning select-eager
    auto e = torch::where(x <= 0, x, torch::log(x)); // expect: warning select-eager
    auto powers = torch::where(x < 50, torch::pow(2.5, x), x); // expect: warning select-eager
    auto lower = torch::where(x > -10, torch::pow(0.5, x), x); // expect: warning select-eager
    auto ones = torch::where(x < 50, torch::pow(1.0, x), x);
    auto bounded = torch::where(x < 50, torch::pow(0.5, x), torch::pow(2.5, x.clamp_max(60)));
    auto f = torch::where(0 < x, torch::rsqrt(x), x); // expect: warning select-eager
    auto g = torch::where(x > 1, x.log(), x); // expect: warning select-eager
    auto h = torch::where(x < 10, x.sqrt(), x);
    auto i = torch::where(y < 100, x / y, x);
    auto j = torch::where(y.abs() > 1e-6, x / y, x); // expect: warning select-eager
    auto k = torch::where(x > y, x / y, x);
    auto l = torch::where(x.sum() > 0, x / x.sum(), x); // expect: warning select-eager
    auto m = torch::where(x > 0, torch::dropout(x, rate, is_training()), x); // expect: warning select-eager
    auto n = torch::where(x > 0, torch::dropout(x, rate, false), x);
    auto z = x.clone();
    auto o = torch::where(x > 0, torch::relu_(z), x); // expect: error select-eager
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o;)"),
                 "nnscaler");
}

TEST(Tracing, WhatWasMadeSafeSinceTheTestIsAnotherValue_NS10) {
  EXPECT_AS_SAID(R"(
    struct M : torch::nn::Module {
      torch::Tensor forward(const torch::Tensor &x, torch::Tensor n, torch::Tensor k) {
        auto early = torch::where(n > 0, x / n, x); // expect: warning select-eager
        auto valid = n > 0;
        n = torch::where(valid, n, torch::ones_like(n));
        auto replaced = torch::where(valid, x / n, x);
        auto zero = k == 0;
        auto raw = torch::where(zero, x, x / k); // expect: warning select-eager
        k.masked_fill_(zero, 1);
        auto filled = torch::where(zero, x, x / k);
        auto rows = x.sum(-1);
        auto found = rows != 0;
        auto column = torch::where(found.unsqueeze(-1), x / rows.unsqueeze(-1), x); // expect: warning select-eager
        auto safe = torch::where(found, rows, torch::ones_like(rows)).unsqueeze(-1);
        auto divided = torch::where(found.unsqueeze(-1), x / safe, x);
        return early + replaced + raw + filled + column + divided;
      }
    };)",
                 "nnscaler");
}

TEST(Tracing, AnArmDoesWhatItsFunctionsDo_NS10) {
  EXPECT_AS_SAID(R"(
    #include <functional>
    torch::Tensor jitter(const torch::Tensor &x) { return x + torch::randn_like(x); }
    torch::Tensor doubled(const torch::Tensor &x) { return x * 2; }
    torch::Tensor bumped(torch::Tensor &x) { return x.add_(1); }
    torch::Tensor ownBump(const torch::Tensor &x) { auto y = x.clone(); y.add_(1); return y; }
    torch::Tensor ratio(const torch::Tensor &a, const torch::Tensor &b) { return a / b; }
    torch::Tensor safeRatio(const torch::Tensor &a, const torch::Tensor &b) { return a / b.clamp_min(1); }
    struct M : torch::nn::Module {
      torch::nn::Dropout drop{nullptr};
      torch::nn::Linear fc{nullptr};
      torch::Tensor forward(const torch::Tensor &x, const torch::Tensor &n) {
        auto y = x.clone();
        auto a = torch::where(x > 0, jitter(x), x); // expect: warning select-eager
        auto b = torch::where(x > 0, doubled(x), x);
        auto c = torch::where(x > 0, bumped(y), x); // expect: error select-eager
        auto d = torch::where(x > 0, ownBump(x), x);
        auto e = torch::where(n != 0, ratio(x, n), x); // expect: warning select-eager
        auto f = torch::where(n != 0, safeRatio(x, n), x);
        auto g = torch::where(x > 0, drop(x), x); // expect: warning select-eager
        auto h = torch::where(x > 0, fc(x), x);
        auto fresh = (x * 2).add_(1);
        auto i = torch::where(x > 0, fresh, x);
        auto j = torch::where(x > 0, y.view({-1}).add_(1), x); // expect: error select-eager
        auto k = torch::where(n != 0, torch::pow(n, -1), x); // expect: warning select-eager
        std::function<torch::Tensor(const torch::Tensor &)> inverse = [](const torch::Tensor &t) { return 1.0 / t; };
        auto l = torch::where(n != 0, inverse(n), x); // expect: warning select-eager
        auto m = torch::where(n != 0, inverse(x), x);
        return a + b + c + d + e + f + g + h + i + j + k + l + m;
      }
    };)",
                 "nnscaler");
}

TEST(Tracing, TypesOfArmsAreThoseOfTheOperators_NS13) {
  EXPECT_AS_SAID(forward(R"(
    auto flat = x.to(torch::kFloat);
    auto index = x.argmax(-1);
    auto mean = flat.mean(-1);
    auto row = torch::zeros({4}), table = torch::zeros({2, 4});
    auto a = torch::where(y > 0, index, mean); // expect: warning select-type
    auto b = is_training() ? row : table; // expect: warning select-type
    auto c = torch::where(y > 0, row, table); // expect: warning select-type
    auto d = torch::where(y > 0, flat > 0, flat); // expect: warning select-type
    auto e = torch::where(y > 0, flat, 0.0);
    auto f = torch::where(y > 0, flat, flat.sigmoid());
    auto g = torch::where(y > 0, flat, torch::zeros({}));
    auto h = wide ? row : table; // on the host: not selected in the graph
    auto i = is_training() ? x : y; // nobody knows
    auto other = torch::zeros({5});
    auto j = is_training() ? (wide ? row : other) : table; // expect: warning select-type
    auto k = is_training() ? (wide ? row : table) : table; // of one rank or the other
    auto l = is_training() ? (wide ? row : other) : row;
    return a + b + c + d + e + f + g + h + i + j + k + l;)"),
                 "nnscaler");
}

TEST(Tracing, WhatAConfiguredFunctionDoesInsideIsItsOwnAffair_NS13) {
  const std::string source = "namespace my { template <class F> torch::Tensor pick(const torch::Tensor &, const F &, "
                             "const F &, const torch::Tensor &x) { return x; } }\n" +
                             forward(R"(
    const auto doubled = [](const torch::Tensor &t) { return torch::stack({t, t}); };
    auto picked = my::pick(x.sum() > 0, doubled, doubled, torch::zeros({4}));
    auto table = torch::zeros({2, 4});
    auto a = is_training() ? picked : table;)");
  const auto differing = [&](const CxxSettings &settings) {
    const std::vector<Finding> all = checkSource(source, "nnscaler", settings).findings;
    return std::ranges::count(all, "select-type", &Finding::rule);
  };
  EXPECT_EQ(differing({}), 1) << "as it is written, it gives back its operand";
  CondFunction pick;
  pick.name = "my::pick";
  pick.trueBranch = 1;
  pick.falseBranch = 2;
  pick.operands = 3;
  pick.operandsAreTheRest = true;
  CxxSettings settings;
  settings.condFunctions.push_back(pick);
  EXPECT_EQ(differing(settings), 0) << "its body stands for a conditional";
}

TEST(Tracing, ACallThroughAnObjectIsACall_NS4) {
  EXPECT_AS_SAID(forward(R"(
    auto f = [](const torch::Tensor &t) { return t; };
    auto a = is_training() ? fc(x) : x; // expect: warning control-flow-frozen
    auto b = is_training() ? f(x) : x; // expect: warning control-flow-frozen
    auto c = is_training() ? x / 2 : -x;
    return a + b + c;)",
                         "torch::nn::Linear fc{nullptr};"),
                 "nnscaler");
}

TEST(Tracing, ArmsOfDifferentTypes_NS13) {
  EXPECT_AS_SAID(forward(R"(
    auto half = x.to(torch::kHalf);
    auto full = x.to(torch::kFloat);
    auto a = is_training() ? half : full; // expect: warning select-type
    auto b = torch::where(y > 0, full, full.to(torch::kDouble)); // expect: warning select-type
    auto c = torch::where(y > 0, full, full * 2);
    return a + b + c;)"),
                 "nnscaler");
}

TEST(Tracing, AnotherNameOfTheModuleIsTheModule_NS7) {
  EXPECT_AS_SAID(R"(
template <class Self> struct Base : torch::nn::Module {
  torch::Tensor half(torch::Tensor x) {
    if (static_cast<Self &>(*this).is_training()) // expect: warning control-flow-frozen
      x = x * 2;
    return x;
  }
};
struct Net : Base<Net> {
  torch::nn::Dropout child{nullptr};
  torch::Tensor forward(torch::Tensor x) {
    auto &self = *this;
    if (self.is_training()) // expect: warning control-flow-frozen
      x = x * 2;
    auto twice = [me = this](torch::Tensor y) {
      if (me->is_training()) // expect: warning control-flow-frozen
        return y * 2;
      return y;
    };
    auto &other = *child;
    x = twice(half(x));
    if (other.is_training()) // expect: warning training-flag
      x = x * 3;
    return x;
  }
};)",
                 "nnscaler");
}

TEST(Tracing, TheFlagIsTheModulesOwn_NS7_NS8_NS9_NS12) {
  EXPECT_AS_SAID(
      forward(R"(
    auto a = torch::dropout(x, rate, this); // expect: error training-flag
    auto b = torch::dropout(x, rate, drop.get()); // expect: error training-flag
    auto c = torch::dropout(x, rate, drop->is_training()); // expect: warning training-flag
    drop->eval(); // expect: warning training-flag
    if (session.is_training()) // expect: warning training-flag
      return y;
    return torch::dropout(a + b + c, rate, is_training());)",
              "struct Session { bool training = true; bool is_training() const { return training; } } session;\n"
              "torch::nn::Dropout drop{nullptr};"),
      "nnscaler");
}

TEST(Tracing, OnlyWhatForwardAndTracedFunctionsReachIsTraced) {
  EXPECT_AS_SAID(R"(
    torch::Tensor reached(const torch::Tensor &x) {
      return x.sum().item<float>() > 0 ? x : x * 2; // expect: warning control-flow-frozen
    }
    bool alone(const torch::Tensor &x) { return x.is_nonzero() ? true : false; }
    CONDLINT_TRACED
    torch::Tensor traced(const torch::Tensor &x) { return reached(x); }
    struct M : torch::nn::Module {
      torch::Tensor forward(const torch::Tensor &x) { return step(x); }
      torch::Tensor step(const torch::Tensor &x) {
        if (is_training()) // expect: warning control-flow-frozen
          return x * 2;
        return x;
      }
      void report() { if (is_training()) eval(); }
    };
    struct NoModule {
      bool is_training() const { return true; }
      torch::Tensor forward(const torch::Tensor &x) { return is_training() ? x.relu() : x; }
    };)",
                 "nnscaler");
}

TEST(Tracing, AHelpersParameterHangsOnWhatItIsGiven_NS1_NS11_NS12) {
  EXPECT_AS_SAID(R"(
    torch::Tensor noise(const torch::Tensor &x, bool training) {
      if (!training) // expect: warning control-flow-frozen
        return x;
      return x * 2;
    }
    torch::Tensor limited(const torch::Tensor &x, float peak) {
      return peak > 10 ? x.clamp(-10, 10) : x; // expect: warning control-flow-frozen
    }
    torch::Tensor passedOn(const torch::Tensor &x, double p, bool training) { return torch::dropout(x, p, training); }
    torch::Tensor again(const torch::Tensor &x, bool training) { return noise(x, training); }
    torch::Tensor rolled(const torch::Tensor &x, int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        if (i % 2 == 1)
          return x * i;
      return x;
    }
    torch::Tensor configured(const torch::Tensor &x, bool training) { return training ? x : x * 2; }
    struct M : torch::nn::Module {
      torch::Tensor forward(const torch::Tensor &x) {
        auto y = again(x, is_training());
        y = limited(y, y.max().item<float>());
        return rolled(passedOn(y, 0.5, is_training()), x.size(0));
      }
    };
    struct N : torch::nn::Module {
      bool wide = false;
      torch::Tensor forward(const torch::Tensor &x) { return configured(x, wide); }
    };)",
                 "nnscaler");
}

TEST(Tracing, ElementsThatAreReadAreValues_NS11) {
  EXPECT_AS_SAID(forward(R"(
    if (x.data_ptr<float>()[0] > 0) // expect: warning control-flow-frozen
      return y;
    const float *p = x.data_ptr<float>();
    if (p == nullptr)
      return y;
    while (*(p + 1) > 3) // expect: warning control-flow-frozen
      return x;
    int64_t sum = 0;
    const int64_t count = *y.data_ptr<int64_t>();
    for (int64_t i = 0; i < count; ++i) // expect: warning control-flow-frozen
      sum += i;)"),
                 "nnscaler");
}

TEST(Tracing, WithoutTheTargetNothingIsSaid) { EXPECT_AS_SAID(forward("if (is_training()) return y;")); }

} // namespace
} // namespace condlint::test
