//===- EffectTest.cpp - Writes and side effects ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes and side effects, and what is none.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Effect, InPlaceOnEachOfAListOfAnyLength_M1) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const std::vector<torch::Tensor> &xs, const torch::Tensor &p) {
  return condlint::cond(p,
      [](const std::vector<torch::Tensor> &v) {
        torch::_foreach_add_(v, 1); // expect: error input-mutation
        torch::TensorList all = v;
        torch::_foreach_add_(all, 1); // expect: error input-mutation
        return v[0].exp();
      },
      [](std::vector<torch::Tensor> v) {
        std::vector<torch::Tensor> own;
        for (const torch::Tensor &t : v)
          own.push_back(t.clone());
        torch::_foreach_add_(own, 1);
        return v[0].cos();
      }, xs);
}
)");
}

TEST(Effect, InPlaceOnOperands_M1) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &m) {
  auto pure = [](torch::Tensor x, torch::Tensor m) { return x * m; };
  auto y = condlint::cond(x.any(),
      [](torch::Tensor x, torch::Tensor m) {
        x += 1; // expect: error input-mutation
        x.add_(1); // expect: error input-mutation
        x[0] = 1; // expect: error input-mutation
        x[0][1] += m; // expect: error input-mutation
        x.index_put_({m}, x); // expect: error input-mutation
        at::mul_out(x, m, m); // expect: error input-mutation
        torch::_foreach_add_({x, m}, 1); // expect: error input-mutation
        return m * 1;
      },
      [](const torch::Tensor &x, const torch::Tensor &m) {
        x.copy_(m); // expect: error input-mutation
        torch::relu_(const_cast<torch::Tensor &>(x)); // expect: error input-mutation
        x.set_(m); // expect: error input-mutation
        m.resize_({2}); // expect: error input-mutation
        x.mutable_grad() = m; // expect: error input-mutation
        return m * 1;
      }, {x, m});
  return condlint::cond(x.any(),
      [](torch::Tensor x, torch::Tensor m) {
        auto row = x[0], flat = x.view({-1}), same = x.detach();
        row.zero_(); // expect: error input-mutation
        flat.narrow(0, 0, 1).fill_(1); // expect: error input-mutation
        same.t().unsqueeze(0).mul_(2); // expect: error input-mutation
        x.chunk(2)[0].neg_(); // expect: error input-mutation
        for (auto r : x.unbind(0))
          r.abs_(); // expect: error input-mutation
        auto [a, b] = std::make_pair(x, m);
        b.copy_(a); // expect: error input-mutation
        return x * 1;
      }, pure, {y, m});
})");
}

TEST(Effect, AStatementThatWritesToAStreamIsToldOnce) {
  EXPECT_AS_SAID(R"(
#include <iostream>
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) {
    std::cerr << "the rank is " // expect: warning side-effect
              << x.dim()
              << "\n";
    return x * 2;
  }, [](const torch::Tensor &x) { return x * 3; }, {x});
})");
}

TEST(Effect, OwnStorageAndHandlesMayBeWritten_M5) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &rows) {
  CONDLINT_TENSOR(rows, Long, 2);
  return condlint::cond(x.any(),
      [](torch::Tensor x, const torch::Tensor &rows) {
        x = x.clone();
        x.add_(1).mul_(2);
        x[0] = 0;
        auto y = torch::empty_like(x);
        y.copy_(x);
        y.view({-1}).neg_();
        x.index({rows}).zero_();
        x.index_select(0, rows).add_(1);
        std::vector<torch::Tensor> parts = {x.exp(), x.sin()};
        torch::_foreach_add_(parts, 1);
        parts[0] = parts[1];
        at::mul_out(y, x, x);
        std::swap(x, y);
        x.neg_();
        return x;
      },
      [](torch::Tensor x, const torch::Tensor &rows) {
        auto row = x[0];
        row = row * 2;
        row.add_(1);
        auto y = std::exchange(x, x.sin());
        x.abs_();
        torch::Tensor z = y;
        z = z + 1;
        z += 1;
        return x + z;
      }, {x, rows});
})");
}

TEST(Effect, RawPointers) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, 8);
  auto own = [](torch::Tensor x) {
    auto y = torch::empty({8});
    float *p = y.data_ptr<float>();
    for (int64_t i = 0; i < 8; ++i)
      p[i] = 1;
    *y.mutable_data_ptr<float>() = 2;
    return y * x;
  };
  auto y = condlint::cond(x.any(),
      [](torch::Tensor x) {
        float *p = x.data_ptr<float>();
        for (int64_t i = 0; i < 8; ++i)
          p[i] = 1; // expect: error input-mutation
        *(p + 1) = 2; // expect: error input-mutation
        return x * 1;
      }, own, {x});
  return condlint::cond(x.any(),
      [](torch::Tensor x) {
        float first = x.const_data_ptr<float>()[0]; // expect: error host-sync
        return x - first;
      }, own, {y});
})");
}

TEST(Effect, CapturedTensorsAndVariablesOutside_E1) {
  EXPECT_AS_SAID(R"(
static int64_t g_count = 0;
static torch::Tensor g_last;
static std::vector<torch::Tensor> g_log;
struct State { torch::Tensor h; int64_t n = 0; };
struct Net : torch::nn::Module {
  torch::Tensor running, latest;
  torch::nn::Linear fc{nullptr};
  int64_t calls = 0;
  torch::Tensor forward(const torch::Tensor &x) {
    return condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          running.mul_(0.9); // expect: error capture-mutation
          fc->weight.add_(1); // expect: error capture-mutation
          return x.exp();
        },
        [this](const torch::Tensor &x) {
          ++calls; // expect: error global-mutation
          latest = x * 1; // expect: error global-mutation
          return x.sin();
        }, {x});
  }
};
torch::Tensor f(const torch::Tensor &x, torch::Tensor w, torch::Tensor &out, int *flag, State &state) {
  bool seen = false;
  auto y = condlint::cond(x.any(),
      [w](const torch::Tensor &x) {
        w.add_(1); // expect: error capture-mutation
        return x.exp();
      },
      [&](const torch::Tensor &x) {
        out = x.exp(); // expect: error global-mutation
        *flag = 1; // expect: error global-mutation
        seen = true; // expect: error global-mutation
        state.n += 1; // expect: error global-mutation
        return x.sin();
      }, {x});
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        static int64_t calls = 0;
        ++g_count; // expect: error global-mutation
        calls += 1; // expect: error global-mutation
        g_last = x.exp(); // expect: error global-mutation
        g_log.push_back(x); // expect: error global-mutation
        return x.exp();
      },
      [state, n = int64_t(0)](const torch::Tensor &x) mutable {
        state.n += 1;
        n++;
        state.h = x.exp();
        return state.h + n;
      }, {y});
})");
}

TEST(Effect, SideEffects_B4_E3) {
  EXPECT_AS_SAID(R"(
#include <atomic>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <sstream>
static std::mutex g_mutex;
static std::atomic<int> g_count{0};
[[noreturn]] void fail() { throw std::runtime_error("no"); } // expect: error side-effect
torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        std::cout << "true " << x.dim(); // expect: warning side-effect
        std::printf("true"); // expect: warning side-effect
        std::lock_guard<std::mutex> lock(g_mutex); // expect: warning side-effect
        return x.exp();
      },
      [](const torch::Tensor &x) {
        if (x.dim() == 0)
          fail();
        ++g_count; // expect: error global-mutation
        return x.sin();
      }, {x});
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        TORCH_CHECK(x.dim() > 0, "no scalars, but ", x.dim());
        assert(x.defined());
        std::ostringstream text;
        text << x.dim();
        std::string name = text.str() + "!";
        int *own = new int(3);
        *own = 4;
        delete own;
        return x.exp();
      },
      [](const torch::Tensor &x) -> torch::Tensor {
        throw std::runtime_error("empty"); // expect: error side-effect
      }, {y});
})");
}

TEST(Effect, AllocationsThatEscape) {
  EXPECT_AS_SAID(R"(
static int *g_kept = nullptr;
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        g_kept = new int(3); // expect: error global-mutation; warning side-effect
        return x.exp();
      },
      [](const torch::Tensor &x) {
        auto own = std::make_unique<torch::Tensor>(x.exp());
        own->add_(1);
        return *own * 2;
      }, {x});
})");
}

TEST(Effect, HostReads_B4) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  auto z = condlint::cond(x.any(),
      [](const torch::Tensor &x, const torch::Tensor &y) {
        float peak = x.max().item<float>(); // expect: error host-sync
        return x / peak;
      },
      [](const torch::Tensor &x, const torch::Tensor &y) {
        if (torch::equal(x, y)) // expect: error host-sync
          return x * 2;
        return (x.sum() > 0).is_nonzero() ? x + y : x - y; // expect: error host-sync
      }, {x, y});
  return condlint::cond(x.any(),
      [](const torch::Tensor &x, const torch::Tensor &y) {
        if (x.dim() == 3 && x.size(0) == y.size(0) && x.scalar_type() == torch::kFloat)
          return x * y;
        for (int64_t i = 0; i < x.size(0); ++i)
          TORCH_CHECK(y.size(0) > i);
        return x + y;
      },
      [](const torch::Tensor &x, const torch::Tensor &y) { return y.defined() ? x - y : x * 1; }, {z, y});
})");
}

TEST(Effect, NamesThatMislead) {
  EXPECT_AS_SAID(R"(
namespace lib {
torch::Tensor add_(const torch::Tensor &x, double v) { return x + v; }
torch::Tensor normal(const torch::Tensor &x) {
  return x.div_(x.norm()); // expect: error input-mutation
}
} // namespace lib
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return lib::add_(x, 1) + lib::normal(x.abs()); },
                        [](const torch::Tensor &x) { return lib::normal(x) * 1; }, {x});
})");
}

TEST(Effect, RandomNumbers_E4) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        return x + torch::randn_like(x); // expect: note random-in-branch
      },
      [](const torch::Tensor &x) {
        return torch::dropout(x, 0.5, true); // expect: note random-in-branch
      }, {x});
})");
}

TEST(Effect, SeedsAndEnginesOfOutside_E1_E3) {
  EXPECT_AS_SAID(R"(
#include <random>
namespace torch { void manual_seed(uint64_t seed); }
torch::Tensor f(const torch::Tensor &x) {
  static std::mt19937 engine(0);
  auto plain = [](const torch::Tensor &x) { return x * 2; };
  torch::manual_seed(1);
  auto y = condlint::cond(x.any(), plain,
      [](const torch::Tensor &x) {
        torch::manual_seed(0); // expect: warning side-effect
        return x * 3;
      }, {x});
  y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        std::uniform_real_distribution<double> number(0, 1);
        return x * number(engine); // expect: error global-mutation
      },
      [](const torch::Tensor &x) {
        engine.discard(1); // expect: error global-mutation
        return x * 3;
      }, {y});
  return condlint::cond(x.any(), plain,
      [](const torch::Tensor &x) {
        std::mt19937 own(7);
        std::normal_distribution<double> number;
        return x * number(own) + static_cast<double>(own() % 3);
      }, {y});
})");
}

TEST(Effect, WhatTheStandardLibraryRunsAndChanges_E1) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <random>
#include <thread>
using torch::Tensor;
static int calls = 0;
static std::once_flag once;
struct Op {
  int count = 0;
  Tensor apply(const Tensor &x) {
    ++count; // expect: error global-mutation
    return x * 3;
  }
};
Tensor f(const Tensor &x, const Tensor &state, Op &op, std::vector<int> &order, std::queue<int> &queue) {
  static std::mt19937 engine;
  auto plain = [](const Tensor &x) { return x * 2; };
  auto applied = std::mem_fn(&Op::apply);
  auto y = condlint::cond(x.any(), plain, [&](const Tensor &x) { return applied(op, x); }, {x});
  y = condlint::cond(y.any(),
      [&state](const Tensor &x) {
        std::thread worker([&] { state.add_(1); }); // expect: error capture-mutation
        worker.join();
        return x * 3;
      },
      [](const Tensor &x) {
        std::call_once(once, [] { ++calls; }); // expect: error global-mutation
        return x * 4;
      }, {y});
  y = condlint::cond(y.any(),
      [&state](const Tensor &x) {
        auto task = std::async(std::launch::async, [&] { state.mul_(2); }); // expect: error capture-mutation
        task.wait();
        return x * 3;
      },
      [&order](const Tensor &x) {
        std::shuffle(order.begin(), order.end(), engine); // expect: error global-mutation
        return x * 4;
      }, {y});
  y = condlint::cond(y.any(), plain,
      [&queue](const Tensor &x) {
        queue.pop(); // expect: error global-mutation
        return x * 3;
      }, {y});
  return condlint::cond(y.any(), plain,
      [](const Tensor &x) {
        Op own;
        Tensor mine = x.clone();
        std::queue<int> next;
        next.push(1);
        next.pop();
        std::thread worker([&] { mine.add_(own.count); });
        worker.join();
        return mine;
      }, {y});
})");
}

TEST(Effect, ValuesBetweenBranches) {
  EXPECT_AS_SAID(R"(
std::pair<torch::Tensor, torch::Tensor> f(const torch::Tensor &x) {
  torch::Tensor cache, hidden = torch::zeros({1}), scratch;
  auto y = condlint::cond(x.any(),
      [&cache](const torch::Tensor &x) {
        cache = x.exp(); // expect: error global-mutation
        return cache + 1;
      },
      [&](const torch::Tensor &x) {
        scratch = x.exp(); // expect: error global-mutation
        hidden = x.sin(); // expect: error global-mutation
        return cache.defined() ? cache * x : x.sin(); // expect: error cross-branch-edge
      }, {x});
  scratch = y * 2;
  return {y + scratch, hidden}; // expect: error branch-leak
})");
}

TEST(Effect, TheStandardLibraryReadsElements) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <tuple>
torch::Tensor handedOn(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        auto y = x.exp(), z = x.cos();
        auto pair = std::make_pair(y.data_ptr<float>(), 4);
        pair.first[2] = 1;
        float *p = nullptr;
        int n = 0;
        std::tie(p, n) = std::make_tuple(z.data_ptr<float>(), 3);
        *std::assume_aligned<16>(p) = 1;
        std::swap(p, pair.first);
        return y + z;
      },
      [](const torch::Tensor &x) {
        auto y = x.sin();
        std::swap(y.data_ptr<float>()[0], y.data_ptr<float>()[1]); // expect: error host-sync
        return y * 2;
      }, {x});
}
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        auto y = x.exp();
        float s = std::accumulate(y.data_ptr<float>(), y.data_ptr<float>() + 3, 0.f); // expect: error host-sync
        return y * s;
      },
      [](const torch::Tensor &x) {
        auto y = x.sin();
        auto z = y.clone();
        std::memcpy(z.data_ptr(), y.data_ptr(), 4); // expect: error host-sync
        std::copy(y.data_ptr<float>(), y.data_ptr<float>() + 3, z.data_ptr<float>()); // expect: error host-sync
        std::fill_n(z.data_ptr<float>(), 3, 0.f);
        float s = 0;
        std::memcpy(z.data_ptr<float>(), &s, 4);
        std::memcpy(&s, y.data_ptr(), 4); // expect: error host-sync
        return z * s;
      }, {x});
})");
}

TEST(Effect, ATensorOverTheElementsOfAnother_M1_A1) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) { auto y = torch::from_blob(x.data_ptr(), {4}); y.add_(1); return x * 1; }, // expect: error input-mutation
      [](const torch::Tensor &x) { return torch::from_blob(x.data_ptr(), {4}); }, {x}); // expect: error output-alias
})");
}

TEST(Effect, ADestructorWritesWhereItsObjectEnds) {
  EXPECT_AS_SAID(R"(
int depth = 0;
struct Entered {
  ~Entered() { --depth; } // expect: error global-mutation
};
struct Zeroed {
  torch::Tensor t;
  explicit Zeroed(const torch::Tensor &x) : t(x) {}
  Zeroed(const Zeroed &) = delete;
  Zeroed(Zeroed &&o) : t(o.t), armed(o.armed) { o.armed = false; }
  ~Zeroed() {
    if (armed)
      t.zero_(); // expect: error input-mutation
  }
  bool armed = true;
};
struct Counted {
  int n = 0;
  ~Counted() { n = 0; }
};
torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(), [](torch::Tensor x) { Entered e; return x * 1; },
                          [](torch::Tensor x) { Counted c; Zeroed own(x.clone()); return x * 2; }, {x});
  return condlint::cond(x.any(),
      [](torch::Tensor x) { Zeroed z(x); return x * 1; },
      [](torch::Tensor x) { Zeroed a(x.clone()); Zeroed b(std::move(a)); return x * 2; }, {y});
})");
}

TEST(Effect, ABackwardPassAddsToGradients_M1) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor f(T x, T w) {
  auto plain = [](T x, T) { return (x * 2).sum(); };
  auto y = condlint::cond(x.any(), // expect-unknown: input-mutation
      [](T x, T w) {
        auto loss = (x * w).sum();
        loss.backward();
        return loss.detach().clone();
      }, plain, {x, w});
  auto asks = torch::ones({3}).requires_grad_(true);
  y = condlint::cond(x.any(),
      [](T x, T w) {
        auto loss = (x * w).sum();
        loss.backward(); // expect: error input-mutation
        return loss.detach().clone();
      }, plain, {x, asks});
  y = condlint::cond(x.any(),
      [&w](T x, T) {
        auto loss = (x.detach() * w).sum();
        loss.backward(); // expect: error capture-mutation
        return loss.detach().clone();
      }, plain, {x, x});
  y = condlint::cond(x.any(),
      [](T x, T) {
        auto own = x.detach().clone().requires_grad_(true);
        auto loss = (own * 2).sum();
        loss.backward();
        return loss.detach().clone();
      }, plain, {x, w});
  return condlint::cond(x.any(), // expect-unknown: input-mutation
      [](T x, T w) {
        auto own = x.detach().clone().requires_grad_(true);
        auto loss = (own * w).sum();
        loss.backward();
        return loss.detach().clone();
      }, plain, {x, w});
})");
}

TEST(Effect, AGradientIsItsTensors_M1) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, Tensor w, std::vector<Tensor> ps) {
  auto plain = [](const Tensor &x) { return x * 2; };
  auto z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      w.mutable_grad().zero_(); // expect: error capture-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      auto g = w.grad();
      g.add_(1); // expect: error capture-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      if (w.grad().defined()) // expect: warning closure-capture
        return x * w.grad();
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      torch::nn::utils::clip_grad_norm_(ps, 1.0); // expect: error capture-mutation
      return x * 3;
    }, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { return torch::ones({3}); }, [](const Tensor &x) {
      auto v = torch::zeros({3}).requires_grad_();
      (v * v).sum().backward();
      v.grad().add_(2);
      return v.grad() * 3;
    }, {x});
}
)");
}

TEST(Effect, MetadataChangesInPlaceToo_M1) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, const Tensor &y) {
  return condlint::cond(x.any(), [](const Tensor &x) {
      x.detach_(); // expect: error input-mutation
      x.retain_grad(); // expect: error input-mutation
      return x * 2;
    }, [](const Tensor &x) {
      auto own = x * 3;
      own.detach_();
      own.retain_grad();
      own.resize_({2, 2});
      own.requires_grad_();
      return own * 3;
    }, {x});
}
)");
}

TEST(Effect, AStepOfAnOptimiserWritesParameters_M1) {
  EXPECT_AS_SAID(R"(
namespace torch::optim {
struct SGD {
  SGD(std::vector<at::Tensor> parameters, double rate);
  at::Tensor step(std::function<at::Tensor()> closure = nullptr);
  void zero_grad(bool set_to_none = true);
};
} // namespace torch::optim
torch::Tensor f(const torch::Tensor &x, torch::optim::SGD &given, torch::nn::Linear fc) {
  torch::optim::SGD made(fc->parameters(), 0.1);
  auto plain = [](const torch::Tensor &x) { return x * 2; };
  given.zero_grad();
  auto y = condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        given.zero_grad(); // expect: error capture-mutation
        made.step(); // expect: error capture-mutation
        return x * 3;
      }, plain, {x});
  given.step();
  return condlint::cond(x.any(), plain, // expect-unknown: capture-mutation
      [fc](const torch::Tensor &x) {
        torch::optim::SGD own(fc->parameters(), 0.1); // expect: warning closure-capture
        own.step();
        return x * 3;
      }, {y});
})");
}

TEST(Effect, TheModeOfAModuleIsItsOwn_E1) {
  EXPECT_AS_SAID(R"(
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  torch::Tensor forward(const torch::Tensor &x) {
    fc->eval();
    return condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          fc->train(); // expect: error global-mutation
          return x.exp();
        },
        [](const torch::Tensor &x) {
          torch::nn::Linear own(4, 4);
          own->eval();
          return x.sin();
        }, {x});
  }
};)");
}

TEST(Effect, WhatAModuleHoldsIsReadAndWrittenOutside_E1) {
  EXPECT_AS_SAID(R"(
struct Net : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x) {
    return condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          register_buffer("seen", x.clone()); // expect: error global-mutation
          x.print(); // expect: warning side-effect
          return x.exp();
        },
        [this](const torch::Tensor &x) {
          return is_training() ? x * 2 : x * 3; // expect: warning closure-scalar
        }, {x});
  }
};)");
}

TEST(Effect, TheNamedBuffersOfAModule_M6) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  Tensor run(const Tensor &x) {
    auto other = [](const Tensor &x) { return x * 2; };
    auto y = condlint::cond(x.any(), [this](const Tensor &x) {
      for (auto &b : fc->named_buffers())
        b.value().zero_(); // expect: error capture-mutation
      return x * 1;
    }, other, {x});
    y = condlint::cond(x.any(), [this](const Tensor &x) {
      for (auto &b : fc->named_buffers().values())
        b.zero_(); // expect: error capture-mutation
      return x * 1;
    }, other, {x});
    y = condlint::cond(x.any(), [this](const Tensor &x) {
      for (auto &[name, b] : fc->named_buffers().pairs())
        b.zero_(); // expect: error capture-mutation
      return x * 1;
    }, other, {x});
    return condlint::cond(x.any(), [this](const Tensor &x) {
      Tensor sum = x * 1;
      for (auto &b : fc->named_buffers().values()) // expect: warning closure-capture
        sum = sum + b.sum();
      return sum;
    }, other, {x});
  }
};
)");
}

TEST(Effect, AListOfAnyLengthHoldsTheOperands_M1_A1) {
  EXPECT_AS_SAID(R"(
using List = std::vector<torch::Tensor>;
torch::Tensor f(const List &xs) {
  auto sum = [](const List &xs) { return xs[0] + xs[1]; };
  auto y = condlint::cond(xs[0].any(), [](List xs) { xs[1].add_(1); return xs[0] * 2; }, sum, xs); // expect: error input-mutation
  y = condlint::cond(xs[0].any(), [](List xs) { return xs[0]; }, sum, xs); // expect: error output-alias
  y = condlint::cond(xs[0].any(), [](List xs) {
    TORCH_CHECK(xs[0].dim() == 1);
    return xs[1].exp();
  }, [](List xs) { return xs[2].sum(); }, xs);
  return condlint::cond(xs[0].any(), [](List xs) { for (auto &x : xs) x = x * 2; return xs[0] + xs[1]; }, sum, xs);
})");
}

TEST(Effect, TheCompilersOwnFunctionsChangeWhatTheyAreGiven_E1) {
  const std::string source = R"(
using torch::Tensor;
static long counter;
Tensor checked(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    CONDLINT_TENSOR(x, Float, 4);
    long big = 0, n = 3;
    __builtin_prefetch(&big);
    if (__builtin_mul_overflow(n, n, &big)) n = 1;
    __sync_synchronize();
    const long *p = static_cast<const long *>(__builtin_assume_aligned(&big, 8));
    float copy[2], from[2] = {1, 2};
    __builtin_memcpy(copy, from, sizeof copy);
    return x * 2 + *p;
  }, [](const Tensor &x) { return x * 3; }, {x});
}
Tensor counted(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    __sync_fetch_and_add(&counter, 1); // expect: error global-mutation
    return x * 2;
  }, [](const Tensor &x) {
    __builtin_memset(x.data_ptr<float>(), 0, 4); // expect: error input-mutation
    __builtin_printf("x"); // expect: warning side-effect
    return x * 3;
  }, {x});
}
)";
  EXPECT_AS_SAID(source);
  const Checked c = checkSource(source);
  for (const char *rule : {"input-mutation", "capture-mutation", "global-mutation", "side-effect", "host-sync"})
    EXPECT_EQ(c.verdict(rule, 5), "proved") << rule;
}

TEST(Effect, CFunctionsWriteTheTextsThatTheyAreGivenFirst_E1) {
  EXPECT_AS_SAID(R"(
#include <cstdio>
#include <cstring>
using torch::Tensor;
static char name[64];
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::strcpy(name, "x"); // expect: error global-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::strncat(name, "x", 1); // expect: error global-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::snprintf(name, 4, "%d", 3); // expect: error global-mutation
    return x * 2;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    char own[64];
    std::strcpy(own, "x");
    std::strcat(own, "y");
    std::snprintf(own, 4, "%d", 3);
    return std::strlen(own) == 9 ? x * 4 : x * 2;
  }, other, {x});
}
)");
}

TEST(Effect, WhatIsSetForTheWholeProcessOutlivesABranch_E3) {
  const std::string source = R"(
#include <cstdlib>
namespace at {
void set_num_threads(int n);
struct GradMode { static void set_enabled(bool enabled); };
struct Context { void setBenchmarkCuDNN(bool b); };
Context &globalContext();
}
namespace torch { struct Own { void set_size(int n); int size; }; }
using torch::Tensor;
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    at::set_num_threads(3); // expect: warning side-effect
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    at::globalContext().setBenchmarkCuDNN(true); // expect: warning side-effect
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    at::GradMode::set_enabled(false); // expect: warning side-effect
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::srand(1); // expect: warning side-effect
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    torch::Own o;
    o.set_size(1);
    return x * 2;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { return x * std::rand(); }, other, {x});
}
)";
  EXPECT_AS_SAID(source);
  // A number is drawn from a sequence that everybody draws from.
  const Checked c = checkSource(source);
  ASSERT_EQ(c.summaries.size(), 6U);
  EXPECT_TRUE(c.verdict("random-in-branch", c.summaries.back().location.line).starts_with("unknown"));
}

TEST(Effect, AStaticVariableIsMadeTheFirstTime_M1_B4) {
  EXPECT_AS_SAID(R"(
#include <iostream>
using torch::Tensor;
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    static const bool once = [&] {
      x.add_(1); // expect: error input-mutation
      return true;
    }();
    (void)once;
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    static bool said = (std::cout << "once", true); // expect: warning side-effect
    (void)said;
    return x * 2;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    static const int three = 3;
    static const Tensor table = torch::arange(4).add_(1);
    return x * three;
  }, other, {x});
}
)");
}

} // namespace
} // namespace condlint::test
