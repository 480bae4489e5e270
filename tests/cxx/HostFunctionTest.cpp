//===- HostFunctionTest.cpp - What libtorch answers on the host -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libtorch answers on the host: ranges of integers, element types, messages,
// whether two tensors are one.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// What these tests use besides the small libtorch, as the real one declares it.
const std::string declarations = R"(
namespace c10 {
template <class I> struct integer_range {
  struct iterator {
    I operator*() const;
    iterator &operator++();
    bool operator!=(const iterator &other) const;
  };
  iterator begin() const;
  iterator end() const;
};
template <class I> integer_range<I> irange(I end);
template <class I, class J> integer_range<J> irange(I begin, J end);
template <class... A> std::string str(const A &...parts);
template <class C> int64_t multiply_integers(const C &sizes);
bool isFloatingType(ScalarType t);
bool isIntegralType(ScalarType t, bool includeBool);
size_t elementSize(ScalarType t);
ScalarType promoteTypes(ScalarType a, ScalarType b);
template <class T> struct Enumerated {
  struct iterator {
    std::pair<size_t, at::Tensor &> operator*() const;
    iterator &operator++();
    bool operator!=(const iterator &other) const;
  };
  iterator begin() const;
  iterator end() const;
};
template <class T> Enumerated<T> enumerate(T &all);
} // namespace c10
using torch::Tensor;
)";

TEST(HostFunction, ARangeOfIntegersIsALoopOverThem) {
  EXPECT_AS_SAID(declarations + R"(
Tensor f(const Tensor &x, int64_t n) {
  CONDLINT_TENSOR(x, Float, 4, 8);
  auto twice = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> all;
    for (const auto i : c10::irange(3))
      all.push_back(x * i);
    return torch::stack(all).sum(0);
  }, twice, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect: error output-rank
    std::vector<Tensor> all;
    for (const auto i : c10::irange(1, 3))
      all.push_back(x * i);
    return torch::stack(all);
  }, twice, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> all{x, x};
    for (const auto i : c10::irange(x.dim()))
      all[i] = x * i;
    all[1].add_(1);
    return all[1];
  }, twice, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> all{x, x};
    for (const auto i : c10::irange(1))
      all[i] = x * i;
    all[1].add_(1); // expect: error input-mutation
    return x * 1;
  }, twice, {x});
  return condlint::cond(x.any(), [n](const Tensor &x) {
    Tensor y = x.clone();
    for (const auto i : c10::irange(n)) // expect: warning closure-scalar
      y = y + i;
    return y;
  }, twice, {x});
}
)");
}

TEST(HostFunction, WhatElementTypesAreAndBecome) {
  EXPECT_AS_SAID(declarations + R"(
Tensor f(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, 4, 8);
  auto twice = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    if (!c10::isFloatingType(x.scalar_type()) || c10::isIntegralType(x.scalar_type(), true))
      x.add_(1);
    if (c10::elementSize(x.scalar_type()) != 4 || c10::multiply_integers(x.sizes()) != 32)
      x.add_(1);
    if (c10::promoteTypes(torch::kInt, torch::kHalf) != torch::kHalf)
      x.add_(1);
    return x * 1;
  }, twice, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    if (c10::multiply_integers(x.sizes()) == 32)
      x.add_(1); // expect: error input-mutation
    return x * 1;
  }, twice, {x});
}
Tensor checked(const Tensor &x) {
  TORCH_CHECK(c10::isFloatingType(x.scalar_type()));
  return condlint::cond(x.any(), [](const Tensor &x) { return x.to(torch::kLong); }, [](const Tensor &x) { return x * 2; }, {x}); // expect: error output-dtype
}
)");
}

TEST(HostFunction, WhatIsPutTogetherAsTextAndWhatIsChangedElsewhere) {
  EXPECT_AS_SAID(declarations + R"(
Tensor f(const Tensor &x, const Tensor &y) {
  auto twice = [](const Tensor &x, const Tensor &) { return x * 2; };
  auto z = condlint::cond(x.any(), [](const Tensor &x, const Tensor &) {
    const auto name = c10::str("layer", 3);
    return name == "layer3" ? x * 1 : x.add_(1);
  }, twice, {x, y});
  // Each is replaced where nobody looks.
  z = condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) { // expect-unknown: input-mutation
    std::vector<Tensor> all{x, y};
    for (auto &&[i, t] : c10::enumerate(all))
      t = t.clone();
    all[0].add_(1);
    return x * 1;
  }, twice, {x, y});
  return z;
}
)");
}

TEST(HostFunction, WhetherTwoTensorsAreOne) {
  EXPECT_AS_SAID(declarations + R"(
Tensor f(const Tensor &x) {
  auto twice = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor own = x;
    if (own.is_same(x))
      own = own.clone();
    own.add_(1);
    return own;
  }, twice, {x});
  // What `to` yields may be what it was given: the question says it.
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    Tensor own = x.to(torch::kFloat);
    if (own.is_same(x))
      own = own.clone();
    own.add_(1);
    return x * 1;
  }, twice, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    Tensor own = x;
    if (!own.is_same(x))
      own = own.clone();
    own.add_(1); // expect: error input-mutation
    return x * 1;
  }, twice, {x});
}
)");
}

TEST(StandardWrites, WhatAnAlgorithmChangesIsWritten) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
using torch::Tensor;
int counts[4] = {1, 2, 3, 4};
static Tensor other(const Tensor &x) { return x * 2; }
Tensor written(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::partial_sum(counts, counts + 4, counts); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    int own[4] = {4, 3, 2, 1};
    std::reverse_copy(own, own + 4, counts); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    int own[4] = {4, 3, 2, 1};
    std::swap_ranges(own, own + 4, counts); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  return y;
}
Tensor own(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<int> v{4, 3, 2, 1};
    std::partial_sum(v.begin(), v.end(), v.begin());
    std::next_permutation(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
    v.erase(std::remove(v.begin(), v.end(), 3), v.end());
    std::iter_swap(v.begin(), v.begin());
    double whole = 0;
    std::modf(3.5, &whole);
    return x * 3;
  }, other, {x});
  return y;
}
Tensor only_read(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    const bool sorted = std::is_sorted(counts, counts + 4) && std::equal(counts, counts + 4, counts);
    auto at = std::lower_bound(counts, counts + 4, 2);
    auto far = std::distance(counts, at) + std::accumulate(counts, counts + 4, 0); // expect: warning closure-scalar
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(StandardWrites, WhatIsNotFollowedMayWrite) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <memory>
using torch::Tensor;
int counts[4] = {1, 2, 3, 4};
static Tensor other(const Tensor &x) { return x * 2; }
Tensor perhaps(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: global-mutation
    std::construct_at(counts, 3);
    return x * 3;
  }, other, {x});
}
)");
}

TEST(StandardWrites, WhatIsAssignedIsWrittenWhateverItIs) {
  EXPECT_AS_SAID(R"(
#include <chrono>
#include <complex>
using torch::Tensor;
using Clock = std::chrono::steady_clock;
static Clock::duration total{};
static std::complex<double> phase;
static Tensor other(const Tensor &x) { return x * 2; }
struct Timed {
  Clock::duration spent{};
  Tensor run(const Tensor &x) {
    return condlint::cond(x.any(), [this](const Tensor &x) {
      const auto start = Clock::now();
      auto y = x * 3;
      spent += Clock::now() - start; // expect: error global-mutation
      return y;
    }, other, {x});
  }
};
Tensor written(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    total = Clock::duration(1); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    phase += 1.0; // expect: error global-mutation
    return x * 3;
  }, other, {x});
}
Tensor own(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    auto spent = Clock::duration(0);
    spent += Clock::duration(3);
    std::complex<double> z;
    z += 1.0;
    return x * 3;
  }, other, {x});
}
)");
}

TEST(StandardWrites, ElementsOfBitsetsAndValarraysAndTheTextsOfStreams) {
  EXPECT_AS_SAID(R"(
#include <bitset>
#include <sstream>
#include <valarray>
using torch::Tensor;
static std::bitset<8> bits;
static std::valarray<double> sums(4);
static std::ostringstream log_;
static Tensor other(const Tensor &x) { return x * 2; }
Tensor written(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    bits[1] = true; // expect: error global-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    sums[0] = 3; // expect: error global-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    log_ << 3 << "steps"; // expect: error global-mutation
    return x * 3;
  }, other, {x});
  return y;
}
Tensor own(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::bitset<8> b;
    b[1] = true;
    std::valarray<double> v(4);
    v[0] = 3;
    std::ostringstream o;
    o << 3;
    o.str("");
    return x * 3;
  }, other, {x});
}
)");
}

TEST(StandardWrites, AtomicOperationsAndObjectsMadeInPlace) {
  EXPECT_AS_SAID(R"(
#include <new>
using torch::Tensor;
static int steps = 0;
static Tensor other(const Tensor &x) { return x * 2; }
Tensor written(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    __atomic_store_n(&steps, 3, 0); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    new (&steps) int(4); // expect: error global-mutation
    return x * 3;
  }, other, {x});
}
Tensor own(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    int n = 1, m = 1;
    __atomic_store_n(&n, 3, 0);
    new (&m) int(4);
    if (n == 1 || m == 1)
      x.add_(1);
    return x * 3;
  }, other, {x});
}
)");
}

TEST(StandardWrites, ThroughASpanOfOutsideAndAPointerToAMember) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
using torch::Tensor;
struct P { int64_t n = 0; };
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x, std::span<float> w, std::span<Tensor> all, std::span<const float> read, P &p) {
  auto y = condlint::cond(x.any(), [w](const Tensor &x) {
    w[0] = 0; // expect: error global-mutation
    return x * 2;
  }, [w](const Tensor &x) {
    for (auto &v : w)
      v = 0; // expect: error global-mutation
    return x * 2;
  }, {x});
  y = condlint::cond(y.any(), [w](const Tensor &x) {
    std::fill(w.begin(), w.end(), 0.F); // expect: error global-mutation
    return x * 2;
  }, [all](const Tensor &x) {
    all.front() = x; // expect: error global-mutation
    return x * 2;
  }, {y});
  y = condlint::cond(y.any(), [&](const Tensor &x) {
    std::invoke(&P::n, p) = 2; // expect: error global-mutation
    return x * 2;
  }, [&](const Tensor &x) {
    std::mem_fn(&P::n)(p) = 2; // expect: error global-mutation
    return x * 2;
  }, {y});
  return condlint::cond(y.any(), [](const Tensor &x) {
    float own[2] = {1, 2};
    std::span<float> s(own);
    s[0] = 3;
    P local;
    std::invoke(&P::n, local) = 2;
    return x * 2;
  }, [read](const Tensor &x) {
    return x * read[0]; // expect: warning closure-scalar
  }, {y});
}
)");
}

TEST(StandardWrites, WhatTheCodeDecidesByItselfIsNoChoice) {
  // `isdigit('1')` is true always: that it was not worked out is held against nobody.
  EXPECT_AS_SAID(R"(
#include <cctype>
#include <cmath>
using torch::Tensor;
bool chance();
Tensor other(const Tensor &x) { return x * 3; }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) { return std::isdigit('1') ? x * 2 : x; }, other, {x}); // expect-unknown: output-alias
  y = condlint::cond(y.any(), [](const Tensor &x) { // expect-unknown: output-alias
    if (std::isdigit('1'))
      return x * 2;
    return x;
  }, other, {y});
  y = condlint::cond(y.any(), [](const Tensor &x) { // expect-unknown: output-alias
    Tensor z = x;
    if (std::isdigit('1'))
      z = x * 2;
    return z;
  }, other, {y});
  y = condlint::cond(y.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    (std::isdigit('1') ? x * 2 : x).neg_();
    return x * 2;
  }, other, {y});
  y = condlint::cond(y.any(), [](const Tensor &x) {
    for (int i = 0; i < 2; ++i)
      if (std::isdigit('1'))
        break;
    x.neg_(); // expect: error input-mutation
    return x * 2;
  }, other, {y});
  return condlint::cond(y.any(), [](const Tensor &x) {
    if (chance())
      return x * 2;
    return x; // expect: error output-alias
  }, other, {y});
}
)");
}

TEST(StandardWrites, TheOldValueIsGone) {
  // torch 2.6 takes equal sizes alone.
  EXPECT_AS_SAID(R"(
#include <functional>
#include <iterator>
#include <span>
using torch::Tensor;
struct P { int64_t n = 1; };
Tensor four(const Tensor &x) { return torch::zeros({4}); }
Tensor f(const Tensor &x) {
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    P p;
    std::invoke(&P::n, p) = 4;
    return torch::zeros({p.n});
  }, four, {x});
  y = condlint::cond(y.any(), [](const Tensor &x) { return torch::zeros({static_cast<int64_t>(std::size("abc"))}); }, four, {x});
  y = condlint::cond(y.any(), [](const Tensor &x) { // expect-unknown: output-shape
    int64_t n = 1;
    std::span<int64_t> s(&n, 1);
    s[0] = 4;
    return torch::zeros({n});
  }, four, {x});
  return condlint::cond(y.any(), [](const Tensor &x) { // expect: error output-shape
    P p;
    std::invoke(&P::n, p) = 5;
    return torch::zeros({p.n});
  }, four, {x});
}
)",
                 "torch@2.6");
}

} // namespace
} // namespace condlint::test
