//===- StorageTest.cpp - What is one thing and what is several ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers, holders, structs and containers of outside: what both branches and
// later conditionals reach through them is the same, and their parts are not.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Storage, MembersThroughPointersToThem) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct State { Tensor h, c; };
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    State s{x, x};
    auto m = &State::h;
    s.*m = x.clone();
    s.h.neg_();
    s.c.neg_(); // expect: error input-mutation
    return s.h;
  }, [](const Tensor &x) {
    State s{x, x};
    for (auto m : {&State::h, &State::c})
      s.*m = (s.*m).clone();
    return s.h.neg_() + s.c.neg_();
  }, {x});
}
)");
}

TEST(Storage, NewArraysHoldWhatIsWritten) {
  EXPECT_AS_SAID(R"(
#include <memory>
using torch::Tensor;
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::unique_ptr<Tensor[]> v(new Tensor[2]{x, x * 2});
    v[0].neg_(); // expect: error input-mutation
    return v[1];
  }, [](const Tensor &x) {
    Tensor *v = new Tensor[]{x * 3, x};
    v[0].neg_();
    return v[0] * 1;
  }, {x});
}
Tensor g(const Tensor &x, int n) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    const int *sizes = new int[3]{2, 3};
    return torch::zeros({sizes[0], sizes[1]});
  }, [n](const Tensor &x) {
    const int *sizes = new int[n]{2, 3}; // expect: warning closure-scalar
    return torch::zeros({sizes[0], sizes[1]});
  }, {x});
}
)");
}

TEST(Storage, OneAndTheSameThroughPointersInEveryBranch) {
  EXPECT_AS_SAID(R"(
struct Box { torch::Tensor a; };
struct Outer { std::unique_ptr<Box> box; Box *raw = nullptr; };
static Box *g_box = nullptr;
torch::Tensor f(const torch::Tensor &x, const std::shared_ptr<Box> &p, Box *q, const std::unique_ptr<Box> &u, Outer &o) {
  auto y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) {
        return x * p->a; // expect: warning closure-capture
      },
      [p](const torch::Tensor &x) {
        return p->a; // expect: warning closure-capture; error output-alias
      }, {x});
  y = condlint::cond(x.any(),
      [q](const torch::Tensor &x) {
        (*q).a.add_(1); // expect: error capture-mutation
        return x.exp();
      },
      [q](const torch::Tensor &x) {
        q[0].a.mul_(2); // expect: error capture-mutation
        return x.sin();
      }, {y});
  y = condlint::cond(x.any(),
      [&u](const torch::Tensor &x) {
        return x + u->a; // expect: warning closure-capture
      },
      [&](const torch::Tensor &x) {
        u->a.zero_(); // expect: error capture-mutation
        return x.sin();
      }, {y});
  y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        return x + g_box->a; // expect: warning closure-capture
      },
      [](const torch::Tensor &x) {
        g_box->a.zero_(); // expect: error global-mutation
        return x.sin();
      }, {y});
  y = condlint::cond(x.any(),
      [&o](const torch::Tensor &x) {
        o.box->a.zero_(); // expect: error capture-mutation
        return x.exp();
      },
      [&o](const torch::Tensor &x) {
        o.raw->a.zero_(); // expect: error capture-mutation
        return x.sin();
      }, {y});
  // And in a later conditional, after it was only read.
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); },
      [q, p](const torch::Tensor &x) {
        q->a.add_(1); // expect: error capture-mutation
        p->a.add_(1); // expect: error capture-mutation
        return x.sin();
      }, {y});
})");
}

TEST(Storage, OneAndTheSameThroughModuleHolders) {
  EXPECT_AS_SAID(R"(
struct Impl { torch::Tensor a; };
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  std::shared_ptr<Impl> impl;
  void bump() {
    impl->a.add_(1); // expect: error capture-mutation
  }
  torch::Tensor f(const torch::Tensor &x) {
    auto y = condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          return fc->forward(x) * 1; // expect: warning closure-capture
        },
        [this](const torch::Tensor &x) {
          fc->weight.zero_(); // expect: error capture-mutation
          return x.exp();
        }, {x});
    y = condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          bump();
          return x.exp();
        },
        [this](const torch::Tensor &x) {
          bump();
          auto &w = fc->weight;
          w.fill_(1); // expect: error capture-mutation
          return x.sin();
        }, {y});
    return condlint::cond(x.any(),
        [fc = fc](const torch::Tensor &x) mutable {
          return fc->weight; // expect: warning closure-capture; error output-alias
        },
        [&fc = fc](const torch::Tensor &x) {
          auto own = fc->weight.clone(); // expect: warning closure-capture
          own.zero_();
          return own;
        }, {y});
  }
};)");
}

TEST(Storage, FieldsOfAStructAreToldApart) {
  EXPECT_AS_SAID(R"(
struct Box { torch::Tensor a, b; int n = 0; };
static Box g_box;
torch::Tensor f(const torch::Tensor &x, Box &p, Box *q) {
  auto y = condlint::cond(x.any(),
      [&p](const torch::Tensor &x) {
        p.n = 1; // expect: error global-mutation
        return x.exp();
      },
      [&p](const torch::Tensor &x) {
        return x.sin() * p.a; // expect: warning closure-capture
      }, {x});
  y = condlint::cond(x.any(),
      [q](const torch::Tensor &x) {
        q->n = 1; // expect: error global-mutation
        return x.exp();
      },
      [q](const torch::Tensor &x) {
        q->a.add_(1); // expect: error capture-mutation
        return x.sin();
      }, {y});
  y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        return x * g_box.b; // expect: warning closure-capture
      },
      [](const torch::Tensor &x) {
        g_box.a = x * 1; // expect: error global-mutation
        return x.sin();
      }, {y});
  return y + p.a + q->b + g_box.b;
}
torch::Tensor g(const torch::Tensor &x, Box &p, Box *q) {
  auto y = condlint::cond(x.any(),
      [&p](const torch::Tensor &x) {
        p.a = x * 1; // expect: error global-mutation
        return x.exp();
      },
      [&p](const torch::Tensor &x) {
        return x.sin() * p.a; // expect: error cross-branch-edge
      }, {x});
  y = condlint::cond(x.any(),
      [&p](const torch::Tensor &x) {
        return x * p.b; // expect: error cross-branch-edge
      },
      [&p](const torch::Tensor &x) {
        p = Box(); // expect: error global-mutation
        return x.exp();
      }, {y});
  y = condlint::cond(x.any(),
      [q](const torch::Tensor &x) {
        q->b = x * 1; // expect: error global-mutation
        return x.exp();
      },
      [](const torch::Tensor &x) { return x.sin(); }, {y});
  return y + q->b; // expect: error branch-leak
})");
}

TEST(Storage, AVariableIsReportedOnce) {
  EXPECT_AS_SAID(R"(
struct Box { torch::Tensor a, b; double s = 1; int n = 0; };
struct Affine {
  torch::Tensor w, b;
  torch::Tensor apply(const torch::Tensor &x) const { return x * w + b; }
  torch::Tensor pure(const torch::Tensor &x) const { return x.exp(); }
};
struct ExpertImpl : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x) { return down->forward(up->forward(x)); }
  torch::nn::Linear up{nullptr}, down{nullptr};
};
TORCH_MODULE(Expert);
torch::Tensor f(const torch::Tensor &x, std::vector<torch::Tensor> s, Box *p, const Box *c, Box &r) {
  auto y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) {
        auto z = x * p->a; // expect: warning closure-capture
        return z * p->b + p->s;
      },
      [s](const torch::Tensor &x) {
        for (auto &t : s)
          t.fill_(0.5); // expect: error capture-mutation
        return x.sin();
      }, {x});
  y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) {
        auto z = x * p->a;
        p->n++; // expect: error global-mutation
        return z;
      },
      [&r](const torch::Tensor &x) {
        auto z = x * r.b;
        r.a.add_(1); // expect: error capture-mutation
        return z;
      }, {y});
  return condlint::cond(x.any(),
      [c](const torch::Tensor &x) {
        return x.exp() * c->s; // expect: warning closure-scalar
      },
      [c](const torch::Tensor &x) {
        return x.sin() + c->s; // expect: warning closure-scalar
      }, {y});
}
torch::Tensor g(const torch::Tensor &x, const Affine *p, const Affine &r, Expert e) {
  auto y = condlint::cond(x.any(),
      [p](const torch::Tensor &x) {
        return p->apply(x); // expect: warning closure-capture
      },
      [&r](const torch::Tensor &x) {
        return r.apply(x); // expect: warning closure-capture
      }, {x});
  y = condlint::cond(x.any(), [p](const torch::Tensor &x) { return p->pure(x); },
      [copy = r](const torch::Tensor &x) {
        return copy.apply(x); // expect: warning closure-capture
      }, {y});
  return condlint::cond(x.any(),
      [e](const torch::Tensor &x) mutable {
        return e->forward(x); // expect: warning closure-capture
      },
      [&e](const torch::Tensor &x) {
        return e->forward(x) * 1; // expect: warning closure-capture
      }, {y});
})");
}

TEST(Storage, WritingAllOfAVariableIsNoUseOfIt) {
  EXPECT_AS_SAID(R"(
#include <map>
#include <string>
#include <unordered_map>
static std::map<std::string, torch::Tensor> g_cache;
torch::Tensor f(const torch::Tensor &x, std::string &s, std::map<std::string, torch::Tensor> &m,
                std::unordered_map<int, torch::Tensor> &um, std::map<std::string, torch::Tensor> &other) {
  auto y = condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        s = "true"; // expect: error global-mutation
        g_cache["a"] = x * 1; // expect: error global-mutation
        return x * 2;
      },
      [&](const torch::Tensor &x) {
        s.assign("false"); // expect: error global-mutation
        g_cache.clear(); // expect: error global-mutation
        return x * 3;
      }, {x});
  y = condlint::cond(x.any(),
      [&](const torch::Tensor &x) {
        m.emplace("a", x * 1); // expect: error global-mutation
        um.insert({1, x * 1}); // expect: error global-mutation
        um.erase(2); // expect: error global-mutation
        return x * 2;
      },
      [&](const torch::Tensor &x) {
        m.insert_or_assign("a", x * 1); // expect: error global-mutation
        um.try_emplace(3, x * 1); // expect: error global-mutation
        std::map<std::string, torch::Tensor> own;
        own.emplace("a", x.exp());
        own.erase("b");
        return x * 3;
      }, {y});
  return condlint::cond(x.any(),
      [&other](const torch::Tensor &x) {
        return x * other.at("b"); // expect: warning closure-capture
      },
      [](const torch::Tensor &x) { return x.sin(); }, {y});
})");
}

TEST(Storage, OfTheOtherBranchNothingWasRun) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, torch::Tensor &w) {
  auto y = condlint::cond(x.any(),
      [&w](const torch::Tensor &x) {
        w = x * 1; // expect: error global-mutation
        return x.exp();
      },
      [&w](const torch::Tensor &x) {
        w.add_(1); // expect: error cross-branch-edge; error capture-mutation
        return x.sin();
      }, {x});
  return y + w; // expect: error branch-leak
})");
}

TEST(Storage, AllocationsKeptByContainers) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, std::vector<int *> &keep) {
  return condlint::cond(x.any(),
      [&keep](const torch::Tensor &x) {
        int *p = new int(1); // expect: warning side-effect
        keep.push_back(p); // expect: error global-mutation
        return x.exp();
      },
      [&keep](const torch::Tensor &x) {
        std::vector<int *> own;
        own.push_back(new int(1));
        keep.push_back(nullptr); // expect: error global-mutation
        return x.sin();
      }, {x});
})");
}

TEST(Storage, ElementsReadByTheLibrary) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <cstring>
#include <numeric>
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        auto y = x.exp();
        std::vector<float> c(y.data_ptr<float>(), y.data_ptr<float>() + 3); // expect: error host-sync
        float s = std::accumulate(y.data_ptr<float>(), y.data_ptr<float>() + 3, 0.f); // expect: error host-sync
        std::memcpy(&s, y.data_ptr<float>(), 4); // expect: error host-sync
        float m = *std::max_element(y.data_ptr<float>(), y.data_ptr<float>() + 3); // expect: error host-sync
        return y * (s + m + c[0]);
      },
      [](const torch::Tensor &x) {
        auto y = x.sin();
        std::fill(y.data_ptr<float>(), y.data_ptr<float>() + 3, 1.f);
        return y * double(std::distance(y.data_ptr<float>(), y.data_ptr<float>() + 3));
      }, {x});
})");
}

TEST(Storage, ParametersOfAModuleAsAList) {
  EXPECT_AS_SAID(R"(
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  torch::Tensor f(const torch::Tensor &x) {
    auto y = condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          for (auto &p : parameters())
            p.zero_(); // expect: error capture-mutation
          return x.exp();
        },
        [this](const torch::Tensor &x) {
          for (auto &item : named_buffers())
            item.value().zero_(); // expect: error capture-mutation
          return x.sin();
        }, {x});
    return condlint::cond(x.any(),
        [this](const torch::Tensor &x) {
          for (auto &p : fc->parameters())
            p.add_(1); // expect: error capture-mutation
          return x.exp();
        },
        [this](const torch::Tensor &x) {
          auto sum = x * 1;
          for (const auto &p : fc->parameters()) // expect: warning closure-capture
            sum = sum + p;
          return sum;
        }, {y});
  }
};)");
}

TEST(Storage, WhatAVariantHolds) {
  EXPECT_AS_SAID(R"(
#include <variant>
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        std::variant<torch::Tensor, int> v = x;
        return std::get<torch::Tensor>(v); // expect: error output-alias
      },
      [](const torch::Tensor &x) {
        std::variant<int, torch::Tensor> v = 3;
        v = x.exp();
        return std::get<1>(v);
      }, {x});
})");
}

TEST(Storage, ConditionalsWhereverTheyStand) {
  EXPECT_AS_SAID(R"(
static torch::Tensor g_table = condlint::cond(torch::ones({1}).any(), [] { return torch::zeros({2}); }, [] { return torch::zeros({2}, torch::kInt); }); // expect: error output-dtype
torch::Tensor f(const torch::Tensor &x, int n) {
  torch::Tensor y = x;
  int trips = 0;
again:
  y = y * 2;
  ++trips;
  if (++n < 3)
    goto again;
  return condlint::cond(y.any(),
      [](const torch::Tensor &x) {
        return x; // expect: error output-alias
      },
      [trips](const torch::Tensor &x) {
        return x * trips; // expect: warning closure-scalar
      }, {y});
})");
}

TEST(Storage, AnIndexThatIsANumberInATensorSelectsAView) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, const Tensor &scores, const Tensor &rows, const Tensor &any) {
  CONDLINT_TENSOR(scores, Float, "N");
  CONDLINT_TENSOR(rows, Long, "K");
  auto y = condlint::cond(x.any(), [](const Tensor &x, const Tensor &s) {
    return x[s.argmax()]; // expect: error output-alias
  }, [](const Tensor &x, const Tensor &s) {
    x.index({s.argmax()}).zero_(); // expect: error input-mutation
    return x[0] * 2;
  }, {x, scores});
  y = condlint::cond(x.any(), [](const Tensor &x, const Tensor &r) {
    auto picked = x.index({r});
    picked.zero_();
    return picked;
  }, [](const Tensor &x, const Tensor &r) {
    auto picked = x.index({x > 0});
    picked.zero_();
    return x.index({r}) * 2;
  }, {x, rows});
  return condlint::cond(x.any(), [](const Tensor &x, const Tensor &i) { // expect-unknown: output-alias
    return x.index({i});
  }, [](const Tensor &x, const Tensor &i) { return x.index({i}) * 2; }, {x, any});
}
)");
}

TEST(Storage, TheNumbersThatATensorIsMadeOfSayItsType) {
  EXPECT_AS_SAID(R"(
namespace torch {
namespace detail {
struct TensorDataContainer {
  TensorDataContainer();
  template <class T> TensorDataContainer(T number);
  template <class T> TensorDataContainer(const std::vector<T> &numbers);
  TensorDataContainer(std::initializer_list<TensorDataContainer> numbers);
};
}
at::Tensor tensor(detail::TensorDataContainer numbers, at::TensorOptions options = {});
}
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, const std::vector<int64_t> &given) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) { return torch::tensor(std::vector<uint8_t>{1, 2}); },
                          [](const Tensor &x) { return torch::zeros({2}, torch::kByte); }, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { return torch::tensor(int16_t(3)); },
                     [](const Tensor &x) { return torch::zeros({}, at::ScalarType::Short); }, {x});
  y = condlint::cond( // expect: error output-dtype
      x.any(), [](const Tensor &x) { return torch::tensor(std::vector<int>{1, 2}); },
      [](const Tensor &x) { return torch::zeros({2}, torch::kInt); }, {x});
  return condlint::cond(x.any(), [&](const Tensor &x) {
    return torch::tensor(given, torch::kFloat); // expect: warning closure-scalar
  }, [](const Tensor &x) { return torch::zeros({3}); }, {x});
}
)");
}

// Sizes do not hang on the default element type; what it makes is some floating type.
TEST(Storage, WhereTheDefaultTypeIsChanged) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor ranks(const Tensor &x) {
  torch::set_default_dtype(torch::kDouble);
  return condlint::cond(x.any(), [] { return torch::zeros({2, 3}); }, [] { return torch::zeros({2}); }); // expect: error output-rank
}
Tensor types(const Tensor &x) {
  return condlint::cond(x.any(), [] { return torch::zeros({2}); }, [] { return torch::zeros({2}, torch::kLong); }); // expect: error output-dtype
}
Tensor which(const Tensor &x) {
  return condlint::cond(x.any(), [] { return torch::zeros({2}); }, [] { return torch::zeros({2}, torch::kFloat); }); // expect-unknown: output-dtype
}
Tensor promoted(const Tensor &x) {
  CONDLINT_TENSOR(x, Long, 2);
  return condlint::cond(x.any(), [](const Tensor &x) { return x.sin(); }, [](const Tensor &x) { return x.to(torch::kFloat); }, {x}); // expect-unknown: output-dtype
}
)");
}

TEST(Storage, AStoreThatMayHaveGoneElsewhereProvesNothing) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using List = std::vector<Tensor>;
Tensor f(const Tensor &x, const Tensor &z, int64_t i) {
  auto other = [](Tensor x, Tensor z) { return x - z; };
  auto y = condlint::cond(x.any(), [](Tensor x, Tensor z) { // expect-unknown: input-mutation
    Tensor &big = x.size(0) > z.size(0) ? x : z;
    big = big * 2;
    big.neg_();
    return x + z;
  }, other, {x, z});
  y = condlint::cond(x.any(), [](Tensor x, Tensor z) {
    Tensor *big = x.size(0) > z.size(0) ? &x : &z;
    big->neg_(); // expect: error input-mutation
    return x + z;
  }, other, {x, z});
  y = condlint::cond(x.any(), [](Tensor x, Tensor z) { // expect-unknown: input-mutation
    List v{x, z};
    const int64_t i = x.size(0);
    v[i] = v[i].clone();
    v[i].neg_();
    return v[0] + v[1];
  }, other, {x, z});
  return condlint::cond(x.any(), [](Tensor x, Tensor z) {
    List v{x, z};
    v[x.size(0)].neg_(); // expect: error input-mutation
    return v[0] + v[1];
  }, other, {x, z});
}
)");
}

TEST(Storage, TheFirstTripOfALoopBeginsWithWhatIsKnown) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  auto other = [](Tensor x) { return x - 1; };
  auto y = condlint::cond(x.any(), [](Tensor x) {
    for (int64_t i = 0; i < x.size(0); ++i) {
      x.relu_(); // expect: error input-mutation
      x = x * 2;
    }
    return x * 1;
  }, other, {x});
  y = condlint::cond(x.any(), [](Tensor x) {
    for (int64_t i = 0; i < x.size(0); ++i) {
      x = x * 2;
      x.relu_();
    }
    return x * 1;
  }, other, {x});
  y = condlint::cond(x.any(), [](Tensor x) {
    auto y = x.clone();
    for (int64_t i = 0; i < x.size(0); ++i) {
      y.relu_();
      y = y * 2;
    }
    return y;
  }, other, {x});
  return condlint::cond(x.any(), [](Tensor x) { // expect-unknown: input-mutation
    const int64_t n = x.size(0);
    for (int64_t i = 0; i < n; ++i)
      x = x.sin();
    x.add_(1);
    return x * 2;
  }, other, {x});
}
)");
}

} // namespace
} // namespace condlint::test
