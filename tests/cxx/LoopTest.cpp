//===- LoopTest.cpp - Loops in branches -----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops in branches: how many trips they make, and what they leave.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Loop, WhatLoopsLeaveIsKnownAsFarAsEachTripKeepsIt) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 8);
  auto halves = [](const torch::Tensor &x) {
    auto y = x * 1;
    for (int64_t i = 0; i < x.size(0); ++i)
      y = y * 0.5 + x;
    return y;
  };
  auto grows = [](const torch::Tensor &x) {
    auto y = x * 1;
    for (int64_t i = 0; i < x.size(0); ++i)
      y = torch::cat({y, x});
    return y;
  };
  auto changes = [](const torch::Tensor &x) {
    auto y = x * 1;
    while (y.size(0) > 4)
      y = y.to(torch::kDouble).unsqueeze(0);
    return y;
  };
  auto longs = [](const torch::Tensor &x) { return x.to(torch::kLong); };
  auto y = condlint::cond(x.any(), halves, longs, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), grows, longs, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), halves, [](const torch::Tensor &x) { return x.sum({1}); }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), changes, [](const torch::Tensor &x) { return x.sum({1}); }, {x}); // expect-unknown: output-rank, output-dtype
  return condlint::cond(x.any(), halves, [](const torch::Tensor &x) { return x.exp(); }, {x});
}
)");
}

TEST(Loop, WaysOutOfLoopsThatAreNotCounted) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", "M");
  auto found = [](const torch::Tensor &x) {
    for (int64_t i = 0; i < x.size(0); ++i)
      for (int64_t j = 0; j < x.size(1); ++j)
        if (i * j > 100)
          return x[i] * 2;
    return x.sum({0});
  };
  auto alias = [](const torch::Tensor &x) {
    for (int64_t i = 0; i < x.size(0); ++i)
      for (int64_t j = 0; j < x.size(1); ++j)
        if (i * j > 100)
          return x[i]; // that some sizes lead here is not worked out
    return x.sum({0});
  };
  auto y = condlint::cond(x.any(), found, [](const torch::Tensor &x) { return x.mean({0}); }, {x});
  y = condlint::cond(x.any(), found, [](const torch::Tensor &x) { return x.to(torch::kLong).sum({0}); }, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), found, [](const torch::Tensor &x) { return x.mean(); }, {x}); // expect: error output-rank
  return condlint::cond(x.any(), alias, [](const torch::Tensor &x) { return x.mean({0}); }, {x}); // expect-unknown: output-alias
}
)");
}

TEST(Loop, LoopsWithKnownTripsAreFollowed) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(),
      [](torch::Tensor x) {
        torch::Tensor y = x;
        for (int i = 0; i < 3; ++i) {
          if (i == 1)
            y.add_(i); // expect: error input-mutation
          if (i == 2)
            break;
        }
        do
          y = y + 1;
        while (false);
        y.add_(1);
        return y;
      },
      [](torch::Tensor x) {
        for (int i = 0; i < 100; ++i) {
          x = x * 2;
          x.add_(1);
        }
        for (auto y : {x + 1, x + 2})
          y.neg_();
        return x;
      }, {x}); // the second branch writes what it made
}
)");
}

TEST(Loop, ALoopLeavesTheMembersThatItDoesNotWrite) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Model : torch::nn::Module {
  Tensor norm = torch::zeros({4});
  int calls = 0;
  Tensor forward(Tensor x, int n) {
    for (int i = 0; i < n; ++i)
      x = condlint::cond(x.any(), [this](const Tensor &x) {
        norm.mul_(0.9); // expect: error capture-mutation
        return x * 1;
      }, [this](const Tensor &x) {
        ++calls; // expect: error global-mutation
        return x * 2;
      }, {x});
    return x;
  }
};
)");
}

TEST(Loop, AWayOutOfALoopWritesNothingThatAFurtherTripMeets) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  auto once = [](const Tensor &x) { return x * 1; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    int axis = x.dim();
    while (axis > 0) {
      if (axis == 3)
        break;
      --axis;
    }
    x.add_(axis); // expect: error input-mutation
    return x * 2;
  }, once, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    for (int64_t axis = 0; axis < x.dim(); ++axis)
      for (int64_t other = 0; other < axis; ++other)
        if (x.size(axis) == x.size(other))
          goto found;
  found:
    x.add_(1); // expect: error input-mutation
    return x * 2;
  }, once, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor own = x * 1;
    for (int64_t axis = x.dim(); axis > 0; --axis) {
      if (x.size(axis) == 3)
        break;
      own.add_(axis);
    }
    own.add_(1);
    return own;
  }, once, {x});
  // Which sizes it has asked for before it comes there is not worked out.
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    Tensor own = x * 1;
    for (int64_t axis = x.dim() - 1; axis >= 0; --axis) {
      if (x.size(axis) == 3) {
        own = x;
        break;
      }
    }
    own.add_(1);
    return x * 1;
  }, once, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    Tensor own = x * 1;
    while (true) {
      if (x.dim() > 3) {
        own = x;
        break;
      }
      own.add_(1);
    }
    own.add_(1); // expect: error input-mutation
    return x * 1;
  }, once, {x});
}
)");
}

TEST(Loop, AListThatIsFilledKnowsWhatItsElementsAre) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using Tensors = std::vector<Tensor>;
Tensor f(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  auto once = [](const Tensor &x) { return x * 1; };
  auto rows = [](const Tensor &x) {
    Tensors all;
    for (int64_t i = 0; i < x.size(0); ++i)
      all.push_back(x[i] * 2);
    return torch::stack(all);
  };
  auto states = [](const Tensor &x) {
    Tensors all;
    Tensor state = torch::zeros({4});
    for (int64_t i = 0; i < x.size(0); ++i) {
      state = torch::tanh(x[i] + state);
      all.emplace_back(state);
    }
    return torch::cat(all);
  };
  auto y = condlint::cond(x.any(), rows, [](const Tensor &x) { return x.to(torch::kLong); }, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), rows, [](const Tensor &x) { return x.sum(); }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), rows, once, {x}); // expect-unknown: output-shape
  y = condlint::cond(x.any(), states, once, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensors own, views;
    for (int64_t i = 0; i < x.size(0); ++i) {
      own.push_back(x[i] * 2);
      views.push_back(x[i]);
    }
    own[0].add_(1);
    for (auto &t : own)
      t.mul_(2);
    views[0].add_(1); // expect: error input-mutation
    return torch::stack(own);
  }, once, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { // expect: error output-rank
    Tensors all;
    for (int i = 0; i < 100; ++i)
      all.push_back(x * i);
    return torch::stack(all);
  }, once, {x});
}
Tensors two(const Tensor &x) {
  auto fixed = [](const Tensor &x) { return Tensors{x[0] * 1, x[0] * 2}; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: output-duplicate
    Tensors all;
    for (int64_t i = 0; i < x.size(0); ++i)
      all.push_back(x[i] * 2);
    return Tensors{all[0], all[1]};
  }, fixed, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: output-duplicate
    auto axes = torch::where(x);
    return Tensors{axes[0], axes[1]};
  }, fixed, {x});
}
struct Beam {
  Tensor tokens, score;
};
Tensor search(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  auto best = [](const Tensor &x) {
    std::vector<Beam> beams;
    for (int64_t i = 0; i < x.size(0); ++i)
      beams.push_back({x.to(torch::kLong), x[i].sum()});
    beams[0].score.add_(1);
    return beams[0].tokens;
  };
  auto y = condlint::cond(x.any(), best, [](const Tensor &x) { return x.to(torch::kLong); }, {x});
  return condlint::cond(x.any(), best, [](const Tensor &x) { return x * 1; }, {x}); // expect: error output-dtype
}
)");
}

TEST(Loop, AnAccumulatorThatBeginsWithNothing) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  auto sums = [](const Tensor &x) {
    Tensor all;
    for (int64_t i = 0; i < x.size(0); ++i) {
      Tensor row = x[i] * 2;
      all = all.defined() ? all + row : row;
    }
    return all;
  };
  auto inPlace = [](const Tensor &x) {
    Tensor all;
    for (int64_t i = 0; i < x.size(0); ++i) {
      if (!all.defined())
        all = x[i].clone();
      else
        all.add_(x[i]);
    }
    return all;
  };
  auto y = condlint::cond(x.any(), sums, [](const Tensor &x) { return x.to(torch::kLong).sum(0); }, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), sums, [](const Tensor &x) { return x.sum(); }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), inPlace, [](const Tensor &x) { return x.mean(0); }, {x}); // expect-unknown: output-kind
  return condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation, output-rank
    Tensor all;
    for (int64_t i = 0; i < x.size(0); ++i) {
      if (!all.defined())
        all = x[i];
      else
        all.add_(x[i]);
    }
    return all * 1;
  }, [](const Tensor &x) { return x.mean(0); }, {x});
}
)");
}

TEST(Loop, ARangeOfOnesOwnIsWalkedThroughAsItIsDefined) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using Tensors = std::vector<Tensor>;
struct Numbered {
  struct Item {
    int number;
    Tensor &value;
  };
  struct Position {
    int number;
    Tensors::iterator at;
    bool operator!=(const Position &other) const { return at != other.at; }
    Position &operator++() {
      ++number;
      ++at;
      return *this;
    }
    Item operator*() const { return {number, *at}; }
  };
  Tensors &all;
  Position begin() { return {0, all.begin()}; }
  Position end() { return {static_cast<int>(all.size()), all.end()}; }
};
struct Layers {
  Tensors held;
  Tensors::iterator begin() { return held.begin(); }
  Tensors::iterator end() { return held.end(); }
};
Tensor f(const Tensor &x, const Tensor &y) {
  auto sum = [](const Tensor &x, const Tensor &y) { return x + y; };
  auto z = condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) {
    Tensors all{x, y};
    for (auto [number, value] : Numbered{all})
      value = value * number;
    all[0].add_(1);
    return all[0] + all[1];
  }, sum, {x, y});
  z = condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) {
    Tensors all{x, y};
    for (auto [number, value] : Numbered{all})
      if (number == 1)
        value.add_(1); // expect: error input-mutation
    return x * 1;
  }, sum, {x, y});
  z = condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) {
    Layers layers{{x, y}};
    for (Tensor &t : layers)
      t = t.clone();
    layers.held[1].add_(1);
    return layers.held[1];
  }, sum, {x, y});
  return condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) {
    Layers layers{{x * 1, y}};
    for (Tensor &t : layers)
      t.add_(1); // expect: error input-mutation
    return x * 1;
  }, sum, {x, y});
}
)");
}

TEST(Loop, ALongLoopThatIsMadeForCertainLeavesWhatItsTripsLeave) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  auto twice = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    std::vector<Tensor> all(70, x);
    for (int i = 0; i < 70; ++i)
      all[i] = all[i] * i;
    all[1].add_(1);
    return x * 1;
  }, twice, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor own = x;
    for (int i = 0; i < 100; ++i)
      own = own * 2;
    own.add_(1);
    return own;
  }, twice, {x});
  return condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    Tensor own = x;
    for (int i = 200; i < 100; ++i)
      own = own * 2;
    own.add_(1);
    return x * 1;
  }, twice, {x});
}
)");
}

TEST(Loop, TheConditionThatEndsALoopDoesNotHoldBehindIt) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor other(const Tensor &x) { return x * 3; }
Tensor halved(const Tensor &x, int n) {
  while (n > 3)
    n /= 2;
  if (n > 3)
    return condlint::cond(x.any(), [](const Tensor &x) { return x.add_(1); }, other, {x}); // not reached
  return x;
}
Tensor ofASize(const Tensor &x) {
  int64_t n = x.size(0);
  do
    n /= 2;
  while (n > 3);
  auto y = condlint::cond(x.any(), [n](const Tensor &x) {
    if (n > 3) // expect: warning closure-scalar
      x.add_(1);
    return x * 2;
  }, other, {x});
  n += 5; // another number
  return condlint::cond(x.any(), [n](const Tensor &x) {
    if (n > 3)   // expect: warning closure-scalar
      x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
}
Tensor left(const Tensor &x, int n, bool stop) {
  n = static_cast<int>(x.size(1));
  while (n > 3) {
    if (stop)
      break;
    n /= 2;
  }
  return condlint::cond(x.any(), [&](const Tensor &x) {
    if (n > 3)   // expect: warning closure-scalar
      x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
}
struct State {
  int64_t n;
  bool more;
};
Tensor ofAStruct(const Tensor &x, State s) {
  while (s.n > 3 && s.more)
    s.n /= 2;
  auto y = condlint::cond(x.any(), [s](const Tensor &x) {
    if (s.n > 3 && s.more) // expect: warning closure-scalar
      x.add_(1);
    return x * 2;
  }, other, {x});
  return condlint::cond(x.any(), [s](const Tensor &x) {
    if (s.n > 3)   // expect: warning closure-scalar
      x.add_(1);   // expect: error input-mutation
    return x * 2;
  }, other, {x});
}
)");
}

TEST(Loop, WhatIsAssignedIsOneNumberWhoeverGaveIt) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
int64_t measure(int64_t n);
Tensor f(const Tensor &x, bool b) {
  int64_t n = 0;
  n = measure(2);
  if (n > 3)
    return x;
  auto other = [](const Tensor &x) { return x * 3; };
  if (n > 3)
    return condlint::cond(x.any(), [](const Tensor &x) { return x.add_(1); }, other, {x}); // not reached
  if (b)
    n = measure(3);
  if (n > 3)
    return condlint::cond(x.any(), [](const Tensor &x) {
      x.add_(1); // expect: error input-mutation
      return x * 2;
    }, other, {x});
  return x;
}
)");
}

TEST(Loop, TheOnlyBreakOfAnEndlessLoopHoldsBehindIt) {
  for (const char *loop : {"for (;;) { if (n <= 3) break; n /= 2; }", "while (true) { n /= 2; if (n <= 3) { break; } }",
                           "do { if (n <= 3) break; n /= 2; } while (true);"})
    EXPECT_AS_SAID(std::string(R"(
using torch::Tensor;
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    int64_t n = x.size(0);
)") + loop + R"(
    if (n > 3)
      x.add_(1);
    return x * 2;
  }, other, {x});
}
Tensor g(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    int64_t n = x.size(0);
)" + loop + R"(
    if (n > 2)
      x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
}
Tensor h(const Tensor &x) { // another way out
  return condlint::cond(x.any(), [](const Tensor &x) {
    int64_t n = x.size(0);
    for (;;) {
      if (n <= 3)
        break;
      if (n % 2 == 0)
        break;
      n /= 2;
    }
    if (n > 3)
      x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
}
)") << loop;
}

TEST(Loop, APointerThatMovesOnStaysInItsTensor) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor stepped(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 3; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    auto *p = x.data_ptr<float>();
    auto *end = p + x.numel();
    while (p != end)
      *p++ = 0; // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto *p = x.data_ptr<float>();
    for (int64_t i = 0; i < x.numel(); ++i, ++p)
      p[0] = 0; // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::empty_like(x);
    auto *to = made.data_ptr<float>();
    for (int64_t i = 0; i < x.numel(); ++i)
      *to++ = 1.0f;
    return made;
  }, other, {x});
  return y;
}
)");
}

} // namespace
} // namespace condlint::test
