//===- CaptureTest.cpp - What a branch reads besides its parameters -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a branch reads besides its parameters, and where the finding stands.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Capture, TensorsByEveryWay) {
  EXPECT_AS_SAID(R"(
static torch::Tensor g_table = torch::ones({4});
const torch::Tensor g_fixed = torch::ones({4});
struct Config { torch::Tensor bias; };
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w, const torch::Tensor *p, std::shared_ptr<torch::Tensor> s,
                const std::vector<torch::Tensor> &list, const Config &config, const std::pair<torch::Tensor, int> &pair) {
  auto plain = [](const torch::Tensor &x) { return x.sin(); };
  auto y = condlint::cond(x.any(),
      [w](const torch::Tensor &x) {
        return x * w; // expect: warning closure-capture
      },
      [&](const torch::Tensor &x) {
        auto z = x + w; // expect: warning closure-capture
        return z * w;
      }, {x});
  y = condlint::cond(x.any(),
      [scaled = w * 2](const torch::Tensor &x) {
        return x * scaled; // expect: warning closure-capture
      },
      [](const torch::Tensor &x) {
        return x * g_table + g_fixed; // expect: warning closure-capture
      }, {x});
  y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) {
        return x * *p; // expect: warning closure-capture
      },
      [s](const torch::Tensor &x) {
        return x * *s; // expect: warning closure-capture
      }, {x});
  y = condlint::cond(x.any(),
      [&list](const torch::Tensor &x) {
        auto z = x * 1;
        for (const auto &t : list) // expect: warning closure-capture
          z = z + t;
        return z;
      },
      [&config](const torch::Tensor &x) {
        return x * config.bias; // expect: warning closure-capture
      }, {x});
  return condlint::cond(x.any(),
      [&pair](const torch::Tensor &x) {
        return x * pair.first; // expect: warning closure-capture
      },
      plain, {y});
})");
}

TEST(Capture, ScalarsThatDifferAndThoseThatDoNot) {
  EXPECT_AS_SAID(R"(
constexpr double kEps = 1e-5;
const int64_t kHeads = 8;
double g_rate = 0.1;
enum Mode { Fast = 1, Exact = 2 };
template <int64_t N> torch::Tensor pooled(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x / N; }, [](const torch::Tensor &x) { return x / (N + 1); }, {x});
}
torch::Tensor f(const torch::Tensor &x, double t, int64_t steps) {
  CONDLINT_TENSOR(x, Float, "N", 8);
  double local = 0.5;
  const double derived = local * 2, root = 1.0 / 64.0;
  const auto width = x.size(1), rows = x.size(0);
  const double peak = x.max().item<double>();
  const auto count = x.argmax().item<int64_t>();
  double changed = 0;
  if (steps > 2)
    changed = 1;
  auto y = condlint::cond(x.any(),
      [=](const torch::Tensor &x) { return x * local + derived + root + width + kEps + kHeads + Exact; },
      [=](const torch::Tensor &x) {
        return x * t; // expect: warning closure-scalar
      }, {x});
  y = condlint::cond(x.any(),
      [rows](const torch::Tensor &x) {
        return x / rows; // expect: warning closure-scalar
      },
      [](const torch::Tensor &x) {
        return x * g_rate; // expect: warning closure-scalar
      }, {x});
  y = condlint::cond(x.any(),
      [peak](const torch::Tensor &x) {
        return x / peak; // expect: error closure-scalar
      },
      [count, changed](const torch::Tensor &x) {
        auto z = x / count; // expect: warning closure-scalar
        return z * changed; // expect: warning closure-scalar
      }, {x});
  for (int64_t i = 0; i < steps; ++i)
    y = condlint::cond(x.any(),
        [i](const torch::Tensor &x) {
          return x * i; // expect: warning closure-scalar
        },
        [](const torch::Tensor &x) { return x * 2; }, {y});
  return y + pooled<4>(x);
})");
}

TEST(Capture, AScalarThatSaysWhatIsWrittenIsReadAndNotWritten) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, torch::Tensor w, int64_t at, double by) {
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        w.slice(0, at, at + 1).copy_(x); // expect: error capture-mutation; warning closure-scalar
        return x * 1;
      },
      [&](const torch::Tensor &x) {
        auto own = x * 1;
        w.mul_(2); // expect: error capture-mutation
        own.mul_(by); // expect: warning closure-scalar
        return own;
      }, {x});
}
)");
}

TEST(Capture, ThroughThis) {
  EXPECT_AS_SAID(R"(
struct Net : torch::nn::Module {
  torch::Tensor weight, bias;
  torch::nn::Linear fc{nullptr};
  double gain = 1;
  const double fixed = 2;
  static constexpr double taps = 3;
  torch::Tensor helper(const torch::Tensor &x) const {
    return x * bias; // expect: warning closure-capture
  }
  static torch::Tensor pure(const torch::Tensor &x) { return x.relu(); }
  torch::Tensor forward(const torch::Tensor &x) {
    auto y = condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          auto h = x * weight; // expect: warning closure-capture
          return h * bias * gain;
        },
        [this](const torch::Tensor &x) { return helper(pure(x)); }, {x});
    y = condlint::cond(x.any(),
        [self = this](const torch::Tensor &x) {
          return x * self->gain; // expect: warning closure-scalar
        },
        [*this](const torch::Tensor &x) {
          return x * weight; // expect: warning closure-capture
        }, {x});
    return condlint::cond(x.any(), [this](const torch::Tensor &x) { return pure(x) * fixed * taps; },
        [&fc = fc](const torch::Tensor &x) mutable {
          return fc->forward(x); // expect: warning closure-capture
        }, {y});
  }
};)");
}

TEST(Capture, AModuleStandsWhereItIsCalledWhateverItReadsFirst) {
  EXPECT_AS_SAID(R"(
struct NormImpl : torch::nn::Module {
  torch::Tensor weight;
  double eps = 1e-6;
  torch::Tensor forward(const torch::Tensor &x) { return x * (x.pow(2).mean() + eps).rsqrt() * weight; }
};
TORCH_MODULE(Norm);
struct Net : torch::nn::Module {
  Norm norm{nullptr};
  torch::nn::Linear fc{nullptr};
  torch::Tensor forward(const torch::Tensor &x, torch::nn::Linear head) {
    auto y = condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          auto y = x * 2;
          return norm(y); // expect: warning closure-capture
        },
        [this](const torch::Tensor &x) {
          auto y = x * 2;
          return fc(y); // expect: warning closure-capture
        }, {x});
    return condlint::cond(y.any(),
        [head](const torch::Tensor &x) mutable {
          auto y = x * 2;
          return head(y); // expect: warning closure-capture
        },
        [](const torch::Tensor &x) { return x * 3; }, {y});
  }
};)");
}

TEST(Capture, WhatIsBoundKeepsItsOwnCaptures) {
  EXPECT_AS_SAID(R"(
#include <functional>
using std::placeholders::_1;
torch::Tensor plain(torch::Tensor x) { return x * 2; }
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w, double k) {
  auto y = condlint::cond(x.any(), std::bind([w](torch::Tensor x) { return x * w; }, _1), plain, {x}); // expect: warning closure-capture
  auto scaled = [k](torch::Tensor x, double c) {
    return x * k * c; // expect: warning closure-scalar
  };
  y = condlint::cond(x.any(), std::bind(scaled, _1, 2.0), plain, {y});
  y = condlint::cond(x.any(), std::bind_front([w](torch::Tensor x) { return x * w; }), plain, {y}); // expect: warning closure-capture
  return condlint::cond(x.any(), std::bind([](torch::Tensor x) { return x + 1; }, _1), plain, {y});
})");
}

TEST(Capture, AClosureWritesItsOwnCopiesWhereverItIsKept) {
  EXPECT_AS_SAID(R"(
#include <functional>
#include <optional>
#include <tuple>
#include <vector>
using Fn = std::function<torch::Tensor(torch::Tensor)>;
struct Branches { Fn yes, no; };
template <class F> struct Wrap { F f; torch::Tensor operator()(torch::Tensor x) { return f(x); } };
template <class F> Wrap(F) -> Wrap<F>;
torch::Tensor plain(torch::Tensor x) { return x * 2; }
torch::Tensor f(const torch::Tensor &x) {
  int steps = 0;
  auto count = [steps](torch::Tensor x) mutable { for (; steps < 3; ++steps) x = x.sin(); return x * 1; };
  Branches b{count, plain};
  auto y = condlint::cond(x.any(), b.yes, b.no, {x});
  std::vector<Fn> all{count, plain};
  y = condlint::cond(x.any(), all[0], all[1], {y});
  auto pair = std::make_tuple(count, plain);
  y = condlint::cond(x.any(), std::get<0>(pair), std::get<1>(pair), {y});
  Wrap wrap{count};
  y = condlint::cond(x.any(), wrap, plain, {y});
  auto outer = [&steps](torch::Tensor x) { ++steps; return x * 1; }; // expect: error global-mutation
  std::vector<Fn> others{outer, plain};
  return condlint::cond(x.any(), others[0], others[1], {y});
})");
}

TEST(Capture, AScalarMemberIsCalledByItsName) {
  const Checked c = checkSource(R"(
struct Net : torch::nn::Module {
  double gain = 1;
  torch::Tensor forward(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](const torch::Tensor &x) { return x * gain; },
                          [](const torch::Tensor &x) { return x * 2; }, {x});
  }
};)");
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_NE(c.findings[0].message.find("the host scalar 'this->gain' (through `this`)"), std::string::npos)
      << c.findings[0].message;
}

TEST(Capture, NamingIsNoUseAndInnerLambdasAreNoBranches) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w, int64_t n) {
  auto y = condlint::cond(x.any(), [&w, n](const torch::Tensor &x) { return x.exp(); }, [=](const torch::Tensor &x) { return x.sin(); }, {x});
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        auto own = x.exp();
        auto inner = [&](const torch::Tensor &h) {
          return h * own * w; // expect: warning closure-capture
        };
        return inner(x) + inner(own);
      },
      [](const torch::Tensor &x) {
        auto own = x.exp();
        return [&own](const torch::Tensor &h) { return h * own; }(x);
      }, {y});
})");
}

TEST(Capture, OfAnInnerConditionalOnce) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w) {
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        return condlint::cond(x.all(),
            [&](const torch::Tensor &h) {
              return h * w; // expect: warning closure-capture
            },
            [&x](const torch::Tensor &h) {
              return h + x; // expect: warning closure-capture
            }, {x.exp()});
      },
      [](const torch::Tensor &x) { return x.sin(); }, {x});
})");
}

TEST(Capture, ConstantsNeedNone) {
  EXPECT_AS_SAID(R"(
enum class Kind { A, B };
struct Setup { int n = 0; bool on = false; };
void f(const torch::Tensor &x, bool varies) {
  constexpr bool k = true;
  constexpr int n = 0;
  const bool inplace = false;
  constexpr Kind kind = Kind::A;
  constexpr Setup setup{2, true};
  auto exp = [](const torch::Tensor &x) { return x.exp(); };
  condlint::cond(x.any(), exp, [=](const torch::Tensor &x) { return k ? x.div(2) : x; }, {x});
  condlint::cond(x.any(), exp, [](const torch::Tensor &x) { if constexpr (n == 0) return x.div(2); else return x; }, {x});
  condlint::cond(x.any(), exp, [=](const torch::Tensor &x) { if (inplace) { x.add_(1); } return x.div(2); }, {x});
  condlint::cond(x.any(), exp, [](const torch::Tensor &x) { return kind == Kind::A ? x.div(2) : x; }, {x});
  condlint::cond(x.any(), exp, [](const torch::Tensor &x) { return setup.on && setup.n == 2 ? x.div(2) : x; }, {x});
  condlint::cond(x.any(), exp, [](const torch::Tensor &x) { return kind == Kind::B ? x.div(2) : x; }, {x}); // expect: error output-alias
  condlint::cond(x.any(), exp, [=](const torch::Tensor &x) { return !inplace ? x : x.div(2); }, {x}); // expect: error output-alias
})");
}

TEST(Capture, AConstantIsDefinedAfterItsDeclaration) {
  EXPECT_AS_SAID(R"(
struct Paths { static const int64_t count; static const double share; static const std::vector<int64_t> sizes; };
const int64_t Paths::count = 1024;
const double Paths::share = 0.5;
const std::vector<int64_t> Paths::sizes = {2, 3};
extern const int64_t early;
extern const int64_t unseen;
template <class V> struct Of { static const V value; };
template <class V> const V Of<V>::value = V(3);
torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x * Paths::count; },
                          [](const torch::Tensor &x) { return x * Of<int64_t>::value; }, {x});
  y = condlint::cond(y.any(), [](const torch::Tensor &x) { return x * Paths::share; },
                     [](const torch::Tensor &x) { return x * 0.25; }, {y});
  return condlint::cond(y.any(), [](const torch::Tensor &x) { return x * early; },
                        [](const torch::Tensor &x) { return x * unseen; }, {y});
}
const int64_t early = 3;
)");
}

TEST(Capture, MembersAreVariablesOfTheirOwn) {
  EXPECT_AS_SAID(R"(
struct Box { torch::Tensor a; int n = 0; };
torch::Tensor f(const torch::Tensor &x, Box &p) {
  auto y = condlint::cond(x.any(),
      [&p](const torch::Tensor &x) { p.n = 1; return x.exp(); }, // expect: error global-mutation
      [&p](const torch::Tensor &x) { return x.sin() * p.a; }, {x}); // expect: warning closure-capture
  y = condlint::cond(x.any(),
      [&p](const torch::Tensor &x) { p.n = 1; return x.exp(); }, // expect: error global-mutation
      [&p](const torch::Tensor &x) { p.a.add_(1); return x.sin(); }, {x}); // expect: error capture-mutation
  return y + p.a;
}
torch::Tensor g(const torch::Tensor &x, Box &p) {
  return condlint::cond(x.any(),
      [&p](const torch::Tensor &x) { p.a = x.cos(); return x.exp(); }, // expect: error global-mutation
      [&p](const torch::Tensor &x) { return x.sin() * p.a; }, {x}); // expect: error cross-branch-edge
})");
}

TEST(Capture, WhatAPointerLeadsToIsTheSameInBothBranches) {
  EXPECT_AS_SAID(R"(
#include <memory>
struct Box { torch::Tensor a; double s = 1; };
torch::Tensor f(const torch::Tensor &x, const std::shared_ptr<Box> &p, Box *q) {
  auto y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) { return x * p->a; }, // expect: warning closure-capture
      [p](const torch::Tensor &x) { return p->a; }, {x}); // expect: warning closure-capture; error output-alias
  y = condlint::cond(x.any(),
      [q](const torch::Tensor &x) { q->a.zero_(); return x.exp(); }, // expect: error capture-mutation
      [q](const torch::Tensor &x) { q->a.fill_(1); return x.exp(); }, {y}); // expect: error capture-mutation
  return condlint::cond(x.any(),
      [q](const torch::Tensor &x) { return x.exp() * q->s; }, // expect: warning closure-scalar
      [q](const torch::Tensor &x) { return x.sin() + q->s; }, {y}); // expect: warning closure-scalar
})");
}

TEST(Capture, WhatIsBoundStandsWhereItIsRead) {
  EXPECT_AS_SAID(R"(
#include <functional>
torch::Tensor affine(const torch::Tensor &x, const torch::Tensor &w, double b) {
  auto y = x * w; // expect: warning closure-capture
  return y + b; // expect: warning closure-scalar
}
class Layer {
public:
  torch::Tensor run(const torch::Tensor &y) {
    using namespace std::placeholders;
    return condlint::cond(y.any(), std::bind(&Layer::strong, this, _1), std::bind(&Layer::weak, this, _1), {y});
  }
  torch::Tensor strong(const torch::Tensor &x) const { return x.exp(); }
  torch::Tensor weak(const torch::Tensor &x) const {
    return x + w; // expect: warning closure-capture
  }
  torch::Tensor w;
};
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w, double b) {
  using namespace std::placeholders;
  return condlint::cond(x.any(), std::bind(affine, _1, w, b), [](const torch::Tensor &x) { return x.sin(); }, {x});
})");
}

TEST(Capture, WhatBindHoldsIsUsedInTheFunction) {
  EXPECT_AS_SAID(R"(
torch::Tensor plain(torch::Tensor x) { return x.sin(); }
torch::Tensor add(torch::Tensor x, torch::Tensor y) {
  auto z = x.cos();
  return z + y; // expect: warning closure-capture; warning closure-capture
}
torch::Tensor unused(torch::Tensor x, torch::Tensor y) { return x.cos(); }
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  auto bound = std::bind(add, std::placeholders::_1, y);
  auto z = condlint::cond(x.any(), bound, plain, {x});
  return condlint::cond(x.any(),
      std::bind(add, std::placeholders::_1, y), plain, {z});
})");
}

TEST(Capture, AModuleThatIsCapturedStandsWhereItIsCalled) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, torch::nn::Linear fc) {
  torch::nn::Linear net(4, 8);
  auto y = condlint::cond(x.any(),
      [&](torch::Tensor x) {
        auto y = x + 1;
        return fc(y); // expect: warning closure-capture
      },
      [](torch::Tensor x) { return x * 2; }, {x});
  return condlint::cond(x.any(),
      [&](torch::Tensor x) {
        auto y = x + 1;
        return net->forward(y); // expect: warning closure-capture
      },
      [](torch::Tensor x) { return x * 2; }, {y});
})");
}

TEST(Capture, AReferenceNamesWhatItIsBoundTo) {
  EXPECT_AS_SAID(R"(
struct Cache {
  torch::Tensor keys, values;
};
struct Attention {
  std::vector<Cache> caches;
  Cache last;
  torch::Tensor run(const torch::Tensor &q, const torch::Tensor &w) {
    const auto &outside = w;
    auto y = condlint::cond(q.any(),
        [&](const torch::Tensor &q) {
          const auto &gain = w; // expect: warning closure-capture
          const auto &again = gain;
          return q.exp() * again;
        },
        [&](const torch::Tensor &q) {
          return q * outside; // expect: warning closure-capture
        }, {q});
    return condlint::cond(y.any(),
        [this](const torch::Tensor &q) {
          const auto &cache = caches[0]; // expect: warning closure-capture
          return q.exp() * cache.keys;
        },
        [this](const torch::Tensor &q) {
          const auto &[keys, values] = last; // expect: warning closure-capture
          return q * values;
        }, {q});
  }
};
)");
}

TEST(Capture, AConstantIsWhatItsInitialiserMakesAndWasMadeBefore) {
  EXPECT_AS_SAID(R"(
namespace {
torch::Tensor seen;
int64_t columns();
std::vector<int64_t> announced() { std::printf("sizes"); return {2, 3}; }
const std::vector<int64_t> sizes = announced();
const std::vector<int64_t> rows = {2, columns()};
const auto wide = torch::TensorOptions().dtype(torch::kDouble);
const std::vector<torch::Tensor> anchors = {torch::ones({2, 3})};
const auto copied = seen.options();
}
torch::Tensor f(const torch::Tensor &x) {
  auto plain = [](const torch::Tensor &x) { return torch::zeros({2, 3}); };
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros(sizes); }, plain, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros(rows); }, plain, {x}); // expect-unknown: output-shape
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({2, 3}, copied); }, plain, {x}); // expect-unknown: output-dtype
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({2, 3}, wide); }, plain, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return anchors[0] * 2; }, plain, {x}); // expect: warning closure-capture
}
)");
}

TEST(Capture, ACopyInALambdaOfTheBranchIsReadWhereTheLambdaReadsIt) {
  EXPECT_AS_SAID(R"(
static torch::Tensor other(const torch::Tensor &x) { return x * 2; }
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &w, double s) {
  auto y = condlint::cond(x.any(), [&](const torch::Tensor &x) {
        auto local = x.exp();
        auto add = [local, s](const torch::Tensor &t) {
          return t + local * s; // expect: warning closure-scalar
        };
        auto unused = [w] { return w; };
        return add(x);
      }, other, {x});
  return condlint::cond(x.any(), [w](const torch::Tensor &x) {
        auto scale = [w](const torch::Tensor &t) {
          return t * w; // expect: warning closure-capture
        };
        return scale(x);
      }, other, {y});
}
struct Model {
  torch::Tensor weight;
  int64_t calls = 0;
  torch::Tensor f(const torch::Tensor &x) {
    return condlint::cond(x.any(), [*this](const torch::Tensor &x) mutable { calls++; return x * 1; },
        [*this](const torch::Tensor &x) mutable { weight = x * 2; return weight * 1; }, {x});
  }
};
)");
}

TEST(Capture, WhatLiesInAContainerHasPartsToo_M1_F2) {
  EXPECT_AS_SAID(R"(
struct Layer {
  torch::Tensor keys;
  int64_t filled = 0;
};
struct Caches {
  std::vector<Layer> layers;
  std::array<Layer, 2> pair;
  torch::Tensor apart(const torch::Tensor &q) {
    return condlint::cond(q.any(),
        [this](const torch::Tensor &q) {
          layers[0].filled += 1; // expect: error global-mutation
          pair[1].filled = 2; // expect: error global-mutation
          return q.exp();
        },
        [this](const torch::Tensor &q) {
          layers[0].keys.zero_(); // expect: error capture-mutation
          pair[1].keys.zero_(); // expect: error capture-mutation
          return q.sin();
        }, {q});
  }
  torch::Tensor same(const torch::Tensor &q) {
    return condlint::cond(q.any(),
        [this](const torch::Tensor &q) {
          layers.push_back({q, 1}); // expect: error global-mutation
          pair[0].keys = q; // expect: error global-mutation
          return q.exp();
        },
        [this](const torch::Tensor &q) {
          layers[1].keys.zero_(); // expect: error cross-branch-edge; error capture-mutation
          pair[0].keys.zero_(); // expect: error cross-branch-edge; error capture-mutation
          return q.sin();
        }, {q});
  }
};
torch::Tensor shared(const torch::Tensor &x) {
  auto log = std::make_shared<std::vector<torch::Tensor>>();
  return condlint::cond(x.any(),
      [log](const torch::Tensor &x) {
        log->push_back(x); // expect: error global-mutation
        return x * 1;
      },
      [log](const torch::Tensor &x) {
        log->at(0).zero_(); // expect: error cross-branch-edge
        return x * 1;
      }, {x});
}
)");
  const Checked named = checkSource(R"(torch::Tensor f(const torch::Tensor &x) {
  auto log = std::make_shared<std::vector<torch::Tensor>>();
  return condlint::cond(x.any(),
      [log](const torch::Tensor &x) { log->push_back(x); return x.exp(); }, [](const torch::Tensor &x) { return x.sin(); }, {x});
})");
  ASSERT_EQ(named.findings.size(), 1u);
  EXPECT_NE(named.findings[0].message.find("'*log'"), std::string::npos) << named.findings[0].message;
}

TEST(Capture, AnElementThatWasChangedIsTheOnlyOne) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(std::vector<torch::Tensor> xs, bool deep) {
  CONDLINT_DTYPE(xs[0], Float);
  CONDLINT_DTYPE(xs[1], Float);
  xs[0] = xs[0].argmax();
  if (deep)
    xs[1] = xs[1].exp();
  auto same = [](const torch::Tensor &a, const torch::Tensor &b) { return b * 1; };
  auto y = condlint::cond(xs[1].any(), same, [](const torch::Tensor &a, const torch::Tensor &b) { return b.exp(); }, {xs[0], xs[1]});
  return condlint::cond( // expect: error output-dtype
      y.any(), same, [](const torch::Tensor &a, const torch::Tensor &b) { return a * 2; }, {xs[0], xs[1]});
}
)");
}

TEST(Capture, AListOfNumbersIsHostScalars) {
  EXPECT_AS_SAID(R"(
const std::vector<int64_t> axes = {0, 1};
torch::Tensor f(const torch::Tensor &x, const std::vector<int64_t> &dims, std::optional<double> p) {
  const std::vector<int64_t> fixed{0, 1};
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        return x.sum(dims); // expect: warning closure-scalar
      },
      [&](const torch::Tensor &x) {
        return x.sum(fixed) + x.sum(axes);
      }, {x});
}
torch::Tensor writes(const torch::Tensor &x, std::vector<int64_t> dims) {
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        dims.push_back(1); // expect: error global-mutation
        return x.exp();
      },
      [](const torch::Tensor &x) {
        std::vector<int64_t> own{0};
        return x.sin() + x.sum(own);
      }, {x});
}
)");
}

TEST(Capture, AFunctionThatReturnsAReferenceNamesTheVariable) {
  EXPECT_AS_SAID(R"(
static torch::Tensor weight = torch::ones({4});
struct Layer {
  torch::Tensor mask;
  const torch::Tensor &its() const {
    return mask; // expect: warning closure-capture
  }
  torch::Tensor run(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](const torch::Tensor &x) { return x * its(); }, [](const torch::Tensor &x) { return x.exp(); }, {x});
  }
};
const torch::Tensor &global() {
  return weight; // expect: warning closure-capture
}
const torch::Tensor &made() {
  static const torch::Tensor mask = torch::ones({4});
  return mask; // expect: warning closure-capture
}
const torch::Tensor &through(const torch::Tensor &given) { return given; }
torch::Tensor f(const torch::Tensor &x, const Layer &layer, const torch::Tensor &w) {
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x * global(); }, [](const torch::Tensor &x) { return x * made(); }, {x});
  return condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        return x * layer.its(); // expect: warning closure-capture
      },
      [&](const torch::Tensor &x) {
        return x * through(w); // expect: warning closure-capture
      }, {y});
}
)");
}

TEST(Capture, AModuleThatACallGivesStandsWhereItIsCalled) {
  EXPECT_AS_SAID(R"(
struct ExpertImpl : torch::nn::Module {
  torch::nn::Linear up{nullptr};
  torch::Tensor forward(const torch::Tensor &x) { return up(x); }
};
std::shared_ptr<ExpertImpl> pick(int64_t i);
torch::Tensor f(const torch::Tensor &x, int64_t i) {
  auto expert = pick(i);
  auto *raw = expert.get();
  return condlint::cond(x.any(),
      [expert](const torch::Tensor &x) {
        return expert->forward(x); // expect: warning closure-capture
      },
      [raw](const torch::Tensor &x) {
        auto y = x * 1;
        return y + raw->forward(x); // expect: warning closure-capture
      }, {x});
}
)");
}

TEST(Capture, AnItemOfWhichOnlyTheKindIsKnown) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  const auto mean = x.mean().item();
  const auto any = x.item();
  const auto count = x.to(torch::kLong).item();
  auto y = condlint::cond(x.any(), [mean](const Tensor &x) { return x * mean; }, // expect: error closure-scalar
                          [](const Tensor &x) { return x * 2.5; }, {x});
  y = condlint::cond(x.any(), [any](const Tensor &x) { return x * any; }, // expect: warning closure-scalar
                     [](const Tensor &x) { return x * 2.5; }, {x});
  return condlint::cond(x.any(), [count](const Tensor &x) { return x * count; }, // expect: warning closure-scalar
                        [](const Tensor &x) { return x * 2; }, {x});
}
)");
}

TEST(Capture, AGenericLambdaIsRunWhereItIsCalled) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Model : torch::nn::Module {
  Tensor norm = torch::zeros({4});
  int calls = 0;
  Tensor forward(const Tensor &x) {
    auto run = [this](const auto &x) {
      return condlint::cond(x.any(), [this](const Tensor &x) {
        norm.mul_(0.9); // expect: error capture-mutation
        return x * 1;
      }, [this](const Tensor &x) {
        ++calls; // expect: error global-mutation
        return x * 2;
      }, {x});
    };
    return run(x);
  }
};
Tensor constant(const Tensor &x) {
  const double k = 2.0;
  int n = 3;
  auto run = [&](const auto &x) {
    return condlint::cond(x.any(), [&](const Tensor &x) { return x * k; }, [n](const Tensor &x) { return x * n; }, {x});
  };
  return run(x);
}
Tensor varying(const Tensor &x, int n) {
  auto run = [&](const auto &x) {
    return condlint::cond(x.any(), [&](const Tensor &x) {
      return x * n; // expect: warning closure-scalar
    }, [](const Tensor &x) { return x * 2; }, {x});
  };
  return run(x);
}
auto shared = [](const auto &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    return x; // expect: error output-alias
  }, [](const Tensor &x) { return x * 2; }, {x});
};
Tensor called(const Tensor &x) { return shared(x); }
)");
}

} // namespace
} // namespace condlint::test
