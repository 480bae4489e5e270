//===- TracingFlowTest.cpp - What tracing reaches -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the training flag and what tensors hold get to conditions of traced code,
// and what tracing reaches. Labels: NS1, NS8 to NS11.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// A module with \p body as its forward, after the declarations \p before.
std::string forward(const std::string &body, const std::string &before = {}, const std::string &members = {}) {
  return "#include <functional>\n#include <map>\n#include <memory>\n#include <optional>\n#include <tuple>\n" + before +
         "struct M : torch::nn::Module { bool wide = false; " + members +
         " torch::Tensor forward(const torch::Tensor &x) {" + body + "\nreturn x; } };\n";
}

TEST(TracingFlow, AValueGoesThroughWhatHoldsIt_NS11) {
  EXPECT_AS_SAID(forward(R"(
    torch::Scalar total = x.sum().item();
    if (total.toDouble() > 1) // expect: warning control-flow-frozen
      return x;
    auto [low, rank] = std::make_pair(x.min().item<float>(), x.dim());
    if (rank == 2)
      return x;
    if (low < 0) // expect: warning control-flow-frozen
      return x;
    float high = 0;
    int64_t width = 0;
    std::tie(high, width) = std::make_tuple(x.max().item<float>(), x.size(1));
    if (width == 4)
      return x;
    if (high < 0) // expect: warning control-flow-frozen
      return x;
    std::vector<float> values;
    values.push_back(low);
    if (values.empty() || values.size() > 3)
      return x;
    if (values[0] > 1) // expect: warning control-flow-frozen
      return x;
    int64_t pair[2] = {x.size(0), x.argmax().item<int64_t>()};
    if (pair[0] == 1)
      return x;
    if (pair[1] == 1) // expect: warning control-flow-frozen
      return x;
    std::optional<double> limit;
    if (x.dim() == 2)
      limit = x.max().item<double>();
    if (limit && limit.has_value())
      return x;
    if (*limit > 1) // expect: warning control-flow-frozen
      return x;
    float &other = high;
    float peak = 0;
    float &alias = peak;
    alias = low;
    if (peak > other) // expect: warning control-flow-frozen
      return x;)"),
                 "nnscaler");
}

TEST(TracingFlow, FieldsAreKnownOneByOne_NS1_NS8_NS11) {
  EXPECT_AS_SAID(forward(R"(
    Stats s = measure(x);
    if (s.width > 4)
      return x;
    if (s.peak > 4) // expect: warning control-flow-frozen
      return x;
    Context c{is_training(), 3};
    if (c.steps > 2)
      return x;
    if (c.train) // expect: warning control-flow-frozen
      return x;
    Tracker tracker;
    tracker.update(x);
    if (tracker.updates > 0)
      return x;
    if (tracker.large()) // expect: warning control-flow-frozen
      return x;
    Summary sum(x);
    if (sum.flat())
      return x;
    if (sum.positive()) // expect: warning control-flow-frozen
      return x;
    peak = x.max().item<float>();
    if (calls > 1)
      return x;
    if (peak > 1) // expect: warning control-flow-frozen
      return x;
    Impostor i{is_training()};
    if (i.training) // expect: warning training-flag
      return x;)",
                         R"(
    struct Stats { float peak = 0; int64_t width = 0; };
    Stats measure(const torch::Tensor &x) {
      Stats s;
      s.peak = x.max().item<float>();
      s.width = x.size(-1);
      return s;
    }
    struct Context { bool train; int64_t steps; };
    struct Impostor { bool training; };
    struct Tracker {
      float peak = 0;
      int64_t updates = 0;
      void update(const torch::Tensor &x) { peak = x.max().item<float>(); ++updates; }
      bool large() const { return peak > 1; }
    };
    struct Summary {
      Summary(const torch::Tensor &x) : mean(x.mean().item<double>()), rank(x.dim()) {}
      bool flat() const { return rank == 1; }
      bool positive() const { return mean > 0; }
      double mean;
      int64_t rank;
    };
)",
                         "float peak = 0; int64_t calls = 0; void outside(const torch::Tensor &w) { calls = "
                         "w.item<int64_t>(); }"),
                 "nnscaler");
}

TEST(TracingFlow, FunctionsInConstantsAreReachedWhereTheyAreNamed) {
  EXPECT_AS_SAID(R"(
using Function = torch::Tensor (*)(const torch::Tensor &);
static constexpr Function table[] = {[](const torch::Tensor &x) {
  if (x.sum().item<float>() > 0) // expect: warning control-flow-frozen
    return x;
  return x * 2;
}};
const Function unused = [](const torch::Tensor &x) {
  if (x.sum().item<float>() > 0)
    return x;
  return x * 2;
};
struct NetImpl : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x) { return table[0](x); }
};
TORCH_MODULE(Net);
)",
                 "nnscaler");
}

TEST(TracingFlow, WhatIsCalledThroughAPointerOrByAnAlgorithm) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <functional>
static bool large(const torch::Tensor &x) { return x.max().item<float>() > 1; }
static bool flat(const torch::Tensor &x) { return x.dim() == 1; }
struct NetImpl : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x, const std::vector<torch::Tensor> &xs) {
    if (std::any_of(xs.begin(), xs.end(), [](const torch::Tensor &t) { return t.sum().item<float>() > 0; })) // expect: warning control-flow-frozen
      return x;
    if (std::all_of(xs.begin(), xs.end(), large)) // expect: warning control-flow-frozen
      return x;
    if (std::any_of(xs.begin(), xs.end(), flat))
      return x;
    std::function<bool(const torch::Tensor &)> asked = large;
    if (asked(x)) // expect: warning control-flow-frozen
      return x;
    bool (*pointer)(const torch::Tensor &) = &large;
    if (pointer(x)) // expect: warning control-flow-frozen
      return x;
    pointer = flat;
    std::function<bool(const torch::Tensor &)> shape = flat;
    if (shape(x))
      return x;
    std::function<bool()> mode = [this] { return is_training(); };
    if (mode()) // expect: warning control-flow-frozen
      return x;
    std::vector<float> peaks;
    peaks.push_back(x.max().item<float>());
    if (peaks[0] > 0) // expect: warning control-flow-frozen
      return x;
    return x * 2;
  }
};
TORCH_MODULE(Net);
)",
                 "nnscaler");
}

TEST(TracingFlow, AFunctionsResultHangsOnTheArgumentsOfThisCall) {
  EXPECT_AS_SAID(forward(R"(
    if (larger(x.max().item<float>(), 1)) // expect: warning control-flow-frozen
      return x;
    if (larger(x.size(0), 1))
      return x;
    if (second(is_training(), x.size(0)) > 1)
      return x;
    float peak = 0;
    int64_t width = 0;
    readInto(x, peak, &width);
    if (width > 3)
      return x;
    if (peak > 1) // expect: warning control-flow-frozen
      return x;
    const float limit = x.max().item<float>();
    auto above = [&](float v) { return v > limit; };
    auto sized = [n = x.size(0)](int64_t v) { return v > n; };
    if (sized(3))
      return x;
    if (above(3)) // expect: warning control-flow-frozen
      return x;)",
                         R"(
    bool larger(double a, double b) { return a > b; }
    int64_t second(bool, int64_t b) { return b; }
    void readInto(const torch::Tensor &x, float &peak, int64_t *width) {
      peak = x.max().item<float>();
      *width = x.size(-1);
    }
)"),
                 "nnscaler");
}

TEST(TracingFlow, TracingReachesWhatIsHandedOnAndWhatOverrides) {
  EXPECT_AS_SAID(R"(
    #include <functional>
    torch::Tensor shrink(const torch::Tensor &x) {
      return x.norm().item<float>() > 1 ? x / 2 : x; // expect: warning control-flow-frozen
    }
    torch::Tensor unused(const torch::Tensor &x) { return x.is_nonzero() ? x : x * 2; }
    torch::Tensor twice(const torch::Tensor &x, const std::function<torch::Tensor(const torch::Tensor &)> &f) { return f(f(x)); }
    struct Limited {
      explicit Limited(const torch::Tensor &x) {
        if (x.is_nonzero()) // expect: warning control-flow-frozen
          limit = 2;
      }
      float limit = 1;
    };
    struct Base : torch::nn::Module {
      virtual torch::Tensor activate(const torch::Tensor &x) = 0;
      virtual torch::Tensor other(const torch::Tensor &x) = 0;
      torch::Tensor forward(const torch::Tensor &x) { return twice(activate(x), shrink) * Limited(x).limit; }
    };
    struct Derived : Base {
      torch::Tensor activate(const torch::Tensor &x) override {
        return x.is_nonzero() ? x : -x; // expect: warning control-flow-frozen
      }
      torch::Tensor other(const torch::Tensor &x) override { return x.is_nonzero() ? x : -x; }
    };)",
                 "nnscaler");
}

TEST(TracingFlow, ForwardOfATemplateIsTracedAsItIsInstantiated) {
  EXPECT_AS_SAID(R"(
    template <class Derived> struct Mixin : torch::nn::Module {
      torch::Tensor forward(const torch::Tensor &x) { return static_cast<Derived *>(this)->impl(x); }
    };
    struct Mixed : Mixin<Mixed> {
      torch::Tensor impl(const torch::Tensor &x) {
        return x.is_nonzero() ? x : -x; // expect: warning control-flow-frozen
      }
    };
    template <class T> struct Unused : torch::nn::Module {
      torch::Tensor forward(const torch::Tensor &x) { return x.is_nonzero() ? x : T::fallback(x); }
    };)",
                 "nnscaler");
}

TEST(TracingFlow, AConditionIsNamedOnceAndAChecksNotAtAll) {
  EXPECT_AS_SAID(forward(R"(
    if (x.dim() == 2 && // expect: warning control-flow-frozen
        (x.is_nonzero() ||
         !(x.equal(x) && wide)))
      return x;
    TORCH_CHECK(x.is_nonzero() && wide, "zero");
    assert(x.is_nonzero());
    assert(x.is_nonzero() && wide);)",
                         "#include <cassert>\n"),
                 "nnscaler");
}

TEST(TracingFlow, TheFlagOfAnother_NS7_NS8_NS9) {
  EXPECT_AS_SAID(forward(R"(
    child->train(false); // expect: warning training-flag
    child->trains(false);
    double p = Mode::is_training() ? 0.1 : 0.0; // expect: warning training-flag
    if (Mode::training) // expect: warning training-flag
      return x;
    double q = session.is_training() ? 0.1 : 0.0; // expect: warning training-flag
    const bool on = session.training; // expect: warning training-flag
    if (on && p > q)
      return x;
    torch::dropout(x, 0.1, session.is_training()); // expect: warning training-flag
    torch::dropout(x, 0.1, session.training); // expect: warning training-flag
    session.training = false; // expect: warning traced-state
    torch::dropout(x, 0.1, (*this).is_training());
    Drop(this); // expect: error training-flag
    Drop(is_training());
    optional(static_cast<bool>(child));
    training(static_cast<bool>(child)); // expect: error training-flag
    train(false);)",
                         R"(
    struct Mode { static bool is_training(); static bool training; };
    struct Session { bool training = true; bool is_training() const { return training; } };
    struct Drop { explicit Drop(bool train) : train(train) {} bool train; };
    void optional(bool isThere);
    void training(bool train);
    struct ChildImpl : torch::nn::Module {
      void train(bool on) override { torch::nn::Module::train(on); }
      void trains(bool) {}
    };
    TORCH_MODULE(Child);
)",
                         "Child child{nullptr}; Session session;"),
                 "nnscaler");
}

// What a virtual operator is overridden by, and a callable that a field begins with, is traced code.
TEST(TracingFlow, CallablesOfMembersAreReached_NS11) {
  EXPECT_AS_SAID(forward(R"(
    return (*act)(x) + hook(x);)",
                         R"(
    struct Activation { virtual ~Activation() = default; virtual torch::Tensor operator()(const torch::Tensor &) const = 0; };
    struct Clamped : Activation {
      torch::Tensor operator()(const torch::Tensor &t) const override {
        return t.max().item<float>() > 3 ? t * 2 : t; // expect: warning control-flow-frozen
      }
    };
)",
                         R"(std::unique_ptr<Activation> act = std::make_unique<Clamped>();
  std::function<torch::Tensor(const torch::Tensor &)> hook = [](const torch::Tensor &t) {
    return t.max().item<float>() > 3 ? -t : t; // expect: warning control-flow-frozen
  };)"),
                 "nnscaler");
}

// So is a callable that a field is given, by an assignment or in the list of a constructor, if it is used.
TEST(TracingFlow, WhatAFieldIsGivenToCallIsTraced_NS11) {
  EXPECT_AS_SAID(forward("return gate(act(x));", {}, R"(
  std::function<torch::Tensor(const torch::Tensor &)> act, gate, unused;
  M() : gate([this](const torch::Tensor &t) {
    if (is_training()) // expect: warning control-flow-frozen
      return t * 2;
    return t * 1;
  }) {
    act = [](const torch::Tensor &t) {
      return t.max().item<float>() > 3 ? -t : t; // expect: warning control-flow-frozen
    };
    unused = [](const torch::Tensor &t) { return t.max().item<float>() > 3 ? -t : t; };
  })"),
                 "nnscaler");
}

TEST(TracingFlow, TheFlagOfTheTracedModuleThroughParametersAndOverriders_NS1) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
template <class M> Tensor scaled(M &m, Tensor x) {
  if (m.is_training()) // expect: warning control-flow-frozen
    return x * 2;
  return x;
}
Tensor shifted(const torch::nn::Module *m, Tensor x) {
  return m->is_training() ? x + 1 : x; // expect: warning control-flow-frozen
}
struct Mode {
  virtual ~Mode() = default;
  virtual bool mode() const = 0;
  Tensor drop(Tensor x) {
    if (mode()) // expect: warning control-flow-frozen
      return x * 2;
    return x;
  }
};
struct Net : torch::nn::Module, Mode {
  bool mode() const override { return is_training(); }
  Tensor forward(Tensor x) {
    return drop(shifted(this, scaled(*this, x)));
  }
};
Tensor asked(const torch::nn::Module &m, Tensor x) {
  if (m.is_training()) // expect: warning training-flag
    return x * 2;
  return x;
}
struct Outer : torch::nn::Module {
  Net net;
  Tensor forward(Tensor x) { return asked(net, x); }
};
)",
                 "nnscaler");
}

TEST(TracingFlow, BitsOfAListByATensorsValue_NS11) {
  EXPECT_AS_SAID(R"(
#include <vector>
using torch::Tensor;
struct Net : torch::nn::Module {
  Tensor forward(Tensor x) {
    std::vector<bool> grown, written(2);
    grown.push_back(x.sum().item<float>() > 0);
    written[1] = x.sum().item<float>() > 0;
    if (grown[0]) // expect: warning control-flow-frozen
      x = x * 2;
    if (written[1]) // expect: warning control-flow-frozen
      x = x * 3;
    if (written[0])
      x = x * 4;
    return x;
  }
};
)",
                 "nnscaler");
}

TEST(TracingFlow, AConditionThatGrowsLineByLine) {
  // Each line asks all that the ones before asked: once, not once more for each of them.
  std::string body = "bool ok = x.dim() > 2; bool no = x.dim() > 9;\n";
  for (int i = 0; i < 60; ++i)
    body += "ok = ok && x.size(" + std::to_string(i) + ") > 1; if (ok) return x * " + std::to_string(i) +
            "; no = no || x.size(" + std::to_string(i) + ") > 7; if (!no) return x + " + std::to_string(i) + ";\n";
  EXPECT_AS_SAID(forward(body), "nnscaler");
}

} // namespace
} // namespace condlint::test
