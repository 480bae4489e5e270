//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What branches do by classes and functions of the standard library.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Standard, ProjectionsOfRanges) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <iterator>
#include <ranges>
using torch::Tensor;
struct Box { Tensor t; float score; Tensor twice() const { return t * 2; } };
Tensor ordered(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x * 1, 1}, {x * 2, 2}};
    std::ranges::sort(v, {}, &Box::score);
    std::ranges::stable_sort(v, std::ranges::greater{}, [](const Box &b) { return b.score; });
    auto at = std::ranges::max_element(v, {}, &Box::score);
    std::vector<Tensor> out;
    std::ranges::transform(v, std::back_inserter(out), &Box::t);
    return out[0] * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x, 1}, {x * 2, 2}};
    std::ranges::for_each(v, [](Tensor &t) { t.neg_(); }, &Box::t); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x, 1}, {x, 2}};
    std::ranges::for_each(v, [](Tensor t) { t.neg_(); }, &Box::twice);
    auto hit = std::ranges::find_if(v, [&x](float s) {
      x.add_(1); // expect: error input-mutation
      return s > 1;
    }, &Box::score);
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Standard, WhatOrdersElementsIsCalled) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
using torch::Tensor;
Tensor ordered(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x * 1, x * 2};
    std::sort(v.begin(), v.end(), [](const Tensor &a, const Tensor &b) {
      return a.sum().item<float>() < b.sum().item<float>(); // expect: error host-sync
    });
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x * 1, x * 2};
    auto at = std::max_element(v.begin(), v.end(), [](const Tensor &a, const Tensor &b) { return a.dim() < b.dim(); });
    return *at * 1;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x * 1, x * 2};
    std::nth_element(v.begin(), v.begin() + 1, v.end(), [&x](const Tensor &a, const Tensor &b) {
      x.add_(1); // expect: error input-mutation
      return a.dim() < b.dim();
    });
    return x * 3;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> one{x};
    std::stable_sort(one.begin(), one.end(), [](const Tensor &a, const Tensor &b) { return a.sum().item<float>() < b.dim(); });
    return x * 3;
  }, other, {x});
}
)");
}

TEST(Standard, AnAlgorithmOverAListOfAnyLength) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, std::vector<Tensor> &parts) {
  auto plain = [](const Tensor &x) { return x * 2; };
  auto z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      std::for_each(parts.begin(), parts.end(), [](Tensor &t) { t.zero_(); }); // expect: error capture-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      std::for_each(parts.begin(), parts.end(), [](Tensor &t) { t = t * 2; }); // expect: error global-mutation
      return x * 3;
    }, {x});
  return condlint::cond(x.any(), plain, [](const Tensor &x) {
      std::vector<Tensor> rows = x.unbind(0);
      std::transform(rows.begin(), rows.end(), rows.begin(), [](const Tensor &r) { return r.softmax(0); });
      return torch::stack(rows);
    }, {x});
}
)");
}

TEST(Standard, WhatIsIgnoredIsNotWritten_E1) {
  EXPECT_AS_SAID(R"(
#include <tuple>
using Tensor = torch::Tensor;
static Tensor kept;
std::tuple<Tensor, Tensor> both(const Tensor &x) { return {x * 1, x * 2}; }
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(),
    [](const Tensor &x) {
      Tensor y;
      std::tie(std::ignore, y) = both(x);
      std::ignore = both(x);
      return y;
    },
    [](const Tensor &x) {
      Tensor y;
      std::tie(kept, y) = both(x); // expect: error global-mutation
      return y;
    }, {x});
}
)");
}

TEST(Standard, AViewOfElementsReadsAndWritesTheTensor_M1_B4) {
  EXPECT_AS_SAID(R"(
#include <span>
using Tensor = torch::Tensor;
Tensor f(const Tensor &x) {
  auto plain = [](const Tensor &x) { return x * 2; };
  auto z = condlint::cond(x.any(), plain, [](const Tensor &x) {
      std::span<float> s(x.data_ptr<float>(), 4);
      s[0] = 1.f; // expect: error input-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [](const Tensor &x) {
      std::span<float> s(x.data_ptr<float>(), 4);
      return x * s.front(); // expect: error host-sync
    }, {x});
  return condlint::cond(x.any(), plain, [](const Tensor &x) {
      auto y = x.clone();
      std::span<float> s(y.data_ptr<float>(), 4);
      for (float &v : s)
        v = 0;
      std::span<float> all(x.data_ptr<float>(), 4);
      for (float &v : all)
        v = 0; // expect: error input-mutation
      return y;
    }, {x});
}
)");
}

TEST(Standard, BitsOfAListOfBits_E1) {
  EXPECT_AS_SAID(R"(
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, std::vector<bool> &mask) {
  auto plain = [](const Tensor &x) { return x * 2; };
  auto z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      mask[0] = true; // expect: error global-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      auto bit = mask[1];
      bit = false; // expect: error global-mutation
      return x * 3;
    }, {x});
  z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
      mask.flip(); // expect: error global-mutation
      return x * 3;
    }, {x});
  CONDLINT_DTYPE(x, Float);
  return condlint::cond(x.any(), plain, [](const Tensor &x) {
      std::vector<bool> own(2);
      own[1] = !own[0];
      const std::vector<bool> fixed(2);
      return own[1] && !fixed[0] ? x * 3 : x.to(torch::kInt);
    }, {x});
}
)");
}

TEST(Standard, AnEntryByAKeyThatIsNotKnown_E1) {
  EXPECT_AS_SAID(R"(
#include <map>
using Tensor = torch::Tensor;
struct Cache {
  std::map<int64_t, Tensor> held;
  Tensor f(const Tensor &x, int64_t key) {
    auto plain = [](const Tensor &x) { return x * 2; };
    auto z = condlint::cond(x.any(), plain, [&](const Tensor &x) {
        return held.at(key); // expect: error output-alias; warning closure-capture; warning closure-scalar
      }, {x});
    return condlint::cond(x.any(), plain, [&](const Tensor &x) {
        held[key] = x * 2; // expect: error global-mutation; warning closure-scalar
        return x * 3;
      }, {x});
  }
};
)");
}

TEST(Standard, ALockIsTakenWhereItIsTaken_B4) {
  EXPECT_AS_SAID(R"(
#include <mutex>
using Tensor = torch::Tensor;
Tensor f(const Tensor &x, std::mutex &mutex) {
  auto z = condlint::cond(x.any(),
      [&](const Tensor &x) {
        mutex.lock(); // expect: warning side-effect
        mutex.unlock();
        return x + 1;
      },
      [&](const Tensor &x) {
        std::unique_lock<std::mutex> held(mutex); // expect: warning side-effect
        held.unlock();
        return x + 2;
      }, {x});
  return condlint::cond(x.any(),
      [&](const Tensor &x) {
        std::unique_lock<std::mutex> held(mutex, std::defer_lock);
        return x + 1;
      },
      [&](const Tensor &x) {
        std::unique_lock<std::mutex> held(mutex, std::defer_lock);
        held.lock(); // expect: warning side-effect
        return x + 2;
      }, {x});
}
)");
}

} // namespace
} // namespace condlint::test
