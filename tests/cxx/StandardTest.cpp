//===- StandardTest.cpp - Classes and functions of the standard library --===//
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

TEST(Standard, AnUnorderedMultisetKeepsEachOfThem) {
  EXPECT_AS_SAID(R"(
#include <string>
#include <unordered_set>
using torch::Tensor;
Tensor counted(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::unordered_multiset<std::string> s{"a", "b", "a"};
    s.insert("a");
    if (s.count("a") == 3 && s.size() == 4 && s.find("c") == s.end())
      return x * 3;
    return x.clone().add_(1).unsqueeze(0);
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::unordered_multiset<int> s;
    s.emplace(1);
    s.insert(1);
    s.insert(2);
    if (s.erase(1) == 2 && s.size() == 1)
      x.add_(1); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::unordered_multiset<int> s{1, 1};
    if (s.erase(1) == 1 || s.contains(1))
      x.add_(1);
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Standard, AFieldOfWhatASmartPointerHolds) {
  EXPECT_AS_SAID(R"(
#include <functional>
#include <memory>
using torch::Tensor;
struct Box { Tensor t; };
Tensor held(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    auto b = std::make_unique<Box>(Box{x});
    std::invoke(&Box::t, b).neg_(); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto b = std::make_unique<Box>(Box{x * 1});
    std::invoke(&Box::t, b).neg_();
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Standard, ASmartPointerThatWasMovedFromIsNull) {
  EXPECT_AS_SAID(R"(
#include <memory>
#include <vector>
using torch::Tensor;
using Owned = std::unique_ptr<Tensor>;
struct Box { Owned t; };
Tensor moved(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    auto p = std::make_unique<Tensor>(x * 1);
    auto q = std::move(p);
    if (p) x.add_(1);
    auto eat = [](Owned t) { return *t * 2; };
    auto r = eat(std::move(q));
    if (q) x.add_(1);
    if (!q) x.add_(1); // expect: error input-mutation
    return r;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto p = std::make_shared<Tensor>(x * 1);
    std::shared_ptr<Tensor> q, copy = p;
    if (p == nullptr) x.add_(1);
    q = std::move(p);
    if (p != nullptr) x.add_(1);
    if (copy) x.add_(1); // expect: error input-mutation
    return *q * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto p = std::make_unique<Tensor>(x * 1);
    auto look = [](Owned &&t) { return *t * 2; }; // takes nothing away
    auto r = look(std::move(p));
    if (p) x.add_(1); // expect: error input-mutation
    return r * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Box a{std::make_unique<Tensor>(x * 1)};
    Box b = std::move(a);
    if (a.t) x.add_(1);
    std::vector<Owned> v;
    v.push_back(std::move(b.t));
    if (b.t) x.add_(1);
    if (v[0]) x.add_(1); // expect: error input-mutation
    auto k = [z = std::move(v[0])] { return *z * 2; };
    if (v[0]) x.add_(1);
    return k();
  }, other, {x});
  Owned outer = std::make_unique<Tensor>(x * 1);
  return condlint::cond(x.any(), [&outer](const Tensor &x) {
    Owned mine = std::move(outer); // expect: error global-mutation
    return x * *mine; // expect: warning closure-capture
  }, other, {x});
}
)");
}

TEST(Standard, PointersToThePartsOfAPair) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <utility>
using torch::Tensor;
using Scored = std::pair<Tensor, float>;
Tensor ordered(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Scored> v{{x, 1.f}, {x * 2, 2.f}};
    std::ranges::for_each(v, [](Tensor &t) { t.neg_(); }, &Scored::first); // expect: error input-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Scored> v{{x * 1, 1.f}, {x * 2, 2.f}};
    std::ranges::for_each(v, [](Tensor &t) { t.neg_(); }, &Scored::first);
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::pair<Tensor, Tensor> p{x * 1, x};
    auto m = &std::pair<Tensor, Tensor>::first;
    (p.*m).neg_();
    m = &std::pair<Tensor, Tensor>::second;
    (p.*m).neg_(); // expect: error input-mutation
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

TEST(Standard, AnyEntryOfAMapFromOutsideIsAPartOfIt) {
  EXPECT_AS_SAID(R"(
#include <map>
#include <unordered_map>
using Tensor = torch::Tensor;
struct State { Tensor h, c; };
Tensor f(const Tensor &x, std::map<std::string, Tensor> &m, std::unordered_map<int64_t, State> &states, const std::string &k, int64_t n) {
  auto y = condlint::cond(x.any(), [&](const Tensor &x) {
    Tensor sum = x * 1;
    for (const auto &[name, v] : m) // expect: warning closure-capture
      sum = sum + v;
    return sum;
  }, [&](const Tensor &x) {
    for (auto &entry : m)
      entry.second.mul_(2); // expect: error capture-mutation
    return x * 3;
  }, {x});
  y = condlint::cond(x.any(), [&](const Tensor &x) {
    for (auto &[name, v] : m)
      v = x * 2; // expect: error global-mutation
    return x + 1;
  }, [&](const Tensor &x) {
    m[k] = x * 2; // expect: error global-mutation
    return x + 2;
  }, {y});
  return condlint::cond(x.any(), [&](const Tensor &x) {
    states[n].h.mul_(2); // expect: error capture-mutation; warning closure-scalar
    return x + 1;
  }, [&](const Tensor &x) {
    states.at(n).c = x; // expect: error global-mutation; warning closure-scalar
    return x + 2;
  }, {y});
}
)");
}

TEST(Standard, AWriteToAnyElementLeavesTheList) {
  EXPECT_AS_SAID(R"(
#include <array>
using Tensor = torch::Tensor;
struct State { Tensor h, c; };
Tensor f(const Tensor &x, std::vector<State> &states, std::vector<Tensor> list, std::array<Tensor, 4> four, int64_t i) {
  list[i] = x * 2;
  four[i] = x * 2;
  auto y = condlint::cond(x.any(), [&](const Tensor &x) {
    states[i].h = x * 2; // expect: error global-mutation; warning closure-scalar
    states[i].c.mul_(2); // expect: error capture-mutation
    return x + 1;
  }, [](const Tensor &x) { return x * 3; }, {x});
  y = condlint::cond(x.any(), [](const Tensor &a, const Tensor &b) {
    a.mul_(2); // expect: error input-mutation
    return a + 1;
  }, [](const Tensor &a, const Tensor &b) {
    return b; // expect: error output-alias
  }, {list[0], list[1]});
  return condlint::cond(x.any(), [&](const Tensor &x) {
    four[0].mul_(2); // expect: error capture-mutation
    return x + 1;
  }, [&](const Tensor &x) {
    return four[2]; // expect: error output-alias; warning closure-capture
  }, {y});
}
)");
}

TEST(Standard, FilesAndTasks) {
  EXPECT_AS_SAID(R"(
#include <filesystem>
#include <future>
#include <system_error>
using Tensor = torch::Tensor;
namespace fs = std::filesystem;
Tensor files(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    fs::create_directory("out"); // expect: warning side-effect
    return x + 1;
  }, [](const Tensor &x) {
    std::error_code failed;
    fs::copy("a", "b", failed); // expect: warning side-effect
    return x + 2;
  }, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    if (fs::exists("out")) // expect: warning side-effect
      return x + 3;
    return x + 1;
  }, [](const Tensor &x) {
    const fs::path name = fs::path("out") / "model.pt";
    return x + static_cast<double>(name.string().size());
  }, {y});
}
Tensor tasks(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::packaged_task<Tensor(Tensor)> task([](Tensor a) { return a * 2; });
    task(x);
    return x + 1;
  }, [](const Tensor &x) {
    std::packaged_task<void()> task([&] { x.neg_(); }); // expect: error input-mutation
    task();
    return x + 2;
  }, {x});
}
)");
}

TEST(Standard, WhatAnOrderedContainerComparesWith) {
  EXPECT_AS_SAID(R"(
#include <queue>
#include <set>
using Tensor = torch::Tensor;
struct BySum {
  bool operator()(const Tensor &a, const Tensor &b) const {
    return a.sum().item<float>() < b.sum().item<float>(); // expect: error host-sync
  }
};
struct Node { float score; int id; };
struct ByScore { bool operator()(const Node &a, const Node &b) const { return a.score < b.score; } };
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::priority_queue<Tensor, std::vector<Tensor>, BySum> queue;
    queue.push(x);
    queue.push(x * 2);
    return x + 1;
  }, [](const Tensor &x) {
    std::priority_queue<Node, std::vector<Node>, ByScore> queue;
    queue.push({0.5F, 1});
    std::set<int> seen;
    seen.insert(3);
    return x + 2;
  }, {x});
}
Tensor g(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    const auto less = [](const Tensor &a, const Tensor &b) {
      return a.sum().item<float>() < b.sum().item<float>(); // expect: error host-sync
    };
    std::set<Tensor, decltype(less)> sorted(less);
    sorted.insert(x);
    sorted.insert(x * 2);
    return x + 1;
  }, [](const Tensor &x) { return x + 2; }, {x});
}
)");
}

TEST(Standard, TheElementsOwnOrder) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <queue>
using Tensor = torch::Tensor;
struct Hypothesis {
  Tensor tokens, score;
  bool operator<(const Hypothesis &o) const {
    return score.item<float>() < o.score.item<float>(); // expect: error host-sync
  }
};
struct Box {
  Tensor corners;
  float score;
};
bool operator<(const Box &a, const Box &b) { return a.score < b.score; }
Tensor best(const Tensor &x, const Tensor &s) {
  return condlint::cond(x.any(), [](const Tensor &x, const Tensor &s) {
    std::priority_queue<Hypothesis> beam;
    beam.push({x, s});
    beam.push({x * 2, s * 2});
    return x + 1;
  }, [](const Tensor &x, const Tensor &s) {
    std::vector<Box> boxes{{x * 1, 2}, {x * 2, 1}};
    std::sort(boxes.begin(), boxes.end());
    return boxes[0].corners * s;
  }, {x, s});
}
)");
  EXPECT_AS_SAID(R"(
#include <algorithm>
using Tensor = torch::Tensor;
struct Row {
  Tensor t;
};
static int g_compared = 0;
bool operator<(const Row &a, const Row &b) {
  ++g_compared; // expect: error global-mutation
  return a.t.size(0) < b.t.size(0);
}
Tensor f(const Tensor &x, const std::vector<Row> &rows) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Row> rows{{x * 1}, {x * 2}};
    std::sort(rows.begin(), rows.end());
    return rows[0].t + 1;
  }, [](const Tensor &x) { return x + 2; }, {x});
}
)");
}

TEST(Standard, ViewsInListsThatAreArrangedAnew_M1) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <list>
#include <vector>
using torch::Tensor;
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x.view({-1}), x.t(), x};
    v.erase(v.begin() + x.dim());
    v[0].add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x * 1, x + 1, x.exp()};
    v.erase(v.begin() + x.dim());
    v[0].add_(1);
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::list<Tensor> v{x.view({-1}), x * 1};
    v.reverse();
    v.front().add_(1);
    v.back().add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::list<Tensor> v{x.view({-1}), x.t()};
    v.sort([](const Tensor &a, const Tensor &b) { return a.dim() < b.dim(); });
    v.front().add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::list<Tensor> v{x * 1, x * 2};
    v.remove_if([](const Tensor &t) {
      t.add_(1);
      return t.dim() == 1;
    });
    v.front().add_(1);
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x.view({-1}), x * 1};
    v.insert(v.begin() + x.dim(), x * 3);
    v.clear();
    return x * 2;
  }, other, {x});
  return y;
}
)");
}

TEST(Standard, WhatHoldersOfTheNewestStandardHoldIsNotFollowed_M1) {
  const auto found = [](const std::string &body) {
    CxxSettings settings;
    settings.flags = std::vector<std::string>{"-std=c++23"};
    const Checked c = checkSource(R"(#include <expected>
#include <optional>
using torch::Tensor;
Tensor f(const Tensor &p) {
  return condlint::cond(p.any(), [](Tensor x) {
)" + body + R"(
  }, [](Tensor x) { return x * 3; }, {p});
}
)",
                                  "torch@2.14", settings);
    std::string text = c.verdict("input-mutation", 5) + " " + c.verdict("output-alias", 5);
    for (const Finding &f : c.findings)
      text += " " + f.rule;
    return text;
  };
  EXPECT_TRUE(found("std::expected<Tensor, int> r = x; r->add_(1); return x * 2;").starts_with("unknown")) << "M1";
  const std::string held =
      found("std::optional<Tensor> o = x; return o.transform([](Tensor t) { return t * 2; }).value_or(x * 2);");
  EXPECT_EQ(held.find("output-alias"), std::string::npos) << held;
}

} // namespace
} // namespace condlint::test
