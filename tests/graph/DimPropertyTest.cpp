//===- DimPropertyTest.cpp - Random expressions against brute force -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "condlint/Dim.h"
#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace condlint {
namespace {

using Verdict = DimComparison::Verdict;
using Value = std::optional<std::int64_t>;
using Values = std::array<std::int64_t, 3>;
const std::array<const char *, 3> names{"a", "b", "c"};

/// An expression twice: in the table, and as a plain computation.
struct Twin {
  Dim dim;
  std::function<Value(const Values &)> value;
};

std::int64_t floorQuotient(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

class Maker {
public:
  Maker(DimTable &table, std::uint32_t seed) : t(table), random(seed) {}
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }

  Twin make(int depth) {
    if (depth == 0 || pick(0, 5) == 0) {
      if (pick(0, 2) == 0) {
        const std::int64_t v = pick(-4, 6);
        return {t.constant(v), [v](const Values &) { return Value(v); }};
      }
      const auto i = static_cast<std::size_t>(pick(0, 2));
      return {t.symbol(names[i], SymbolOrigin::Declared), [i](const Values &v) { return Value(v[i]); }};
    }
    const Twin x = make(depth - 1), y = make(depth - 1);
    auto both = [&](Dim d, std::function<Value(std::int64_t, std::int64_t)> f) -> Twin {
      return {d, [x, y, f](const Values &v) -> Value {
                const Value p = x.value(v), q = y.value(v);
                return p && q ? f(*p, *q) : std::nullopt;
              }};
    };
    using I = std::int64_t;
    switch (pick(0, 7)) {
    case 0:
      return both(t.sub(x.dim, y.dim), [](I p, I q) { return Value(p - q); });
    case 1:
      return both(t.mul(x.dim, y.dim), [](I p, I q) { return Value(p * q); });
    case 2:
      return both(t.min(x.dim, y.dim), [](I p, I q) { return Value(std::min(p, q)); });
    case 3:
      return both(t.max(x.dim, y.dim), [](I p, I q) { return Value(std::max(p, q)); });
    case 4:
      return both(t.floorDiv(x.dim, y.dim), [](I p, I q) { return q == 0 ? Value() : Value(floorQuotient(p, q)); });
    case 5:
      return both(t.mod(x.dim, y.dim), [](I p, I q) { return q == 0 ? Value() : Value(p - q * floorQuotient(p, q)); });
    case 6:
      return both(t.ceilDiv(x.dim, y.dim), [](I p, I q) { return q == 0 ? Value() : Value(-floorQuotient(-p, q)); });
    default:
      return both(t.add(x.dim, y.dim), [](I p, I q) { return Value(p + q); });
    }
  }

private:
  DimTable &t;
  std::mt19937 random;
};

void forAll(const std::array<Interval, 3> &box, const std::function<void(const Values &)> &f) {
  for (std::int64_t a = box[0].min; a <= box[0].max; ++a)
    for (std::int64_t b = box[1].min; b <= box[1].max; ++b)
      for (std::int64_t c = box[2].min; c <= box[2].max; ++c)
        f({a, b, c});
}

Assignment assignment(const Values &v) { return {{"a", v[0]}, {"b", v[1]}, {"c", v[2]}}; }

class DimPropertyTest : public testing::TestWithParam<int> {
protected:
  /// Declares the symbols; the last box is open above for every second seed.
  std::array<Interval, 3> declare(DimTable &t, Maker &m, bool open) {
    std::array<Interval, 3> box;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t low = m.pick(-2, 3);
      box[i] = {low, low + m.pick(0, 4)};
      t.symbol(names[i], SymbolOrigin::Declared, {low, open ? std::numeric_limits<std::int64_t>::max() : box[i].max});
    }
    return box;
  }
};

TEST_P(DimPropertyTest, EvaluateAgreesAndBoundsHold) {
  for (int round = 0; round < 150; ++round) {
    DimTable t;
    Maker m(t, static_cast<std::uint32_t>(GetParam() * 1000 + round));
    const auto box = declare(t, m, round % 2 == 0);
    const Twin x = m.make(3);
    if (!x.dim.known())
      continue;
    const Interval bounds = t.boundsOf(x.dim);
    forAll(box, [&](const Values &v) {
      const Value expected = x.value(v);
      if (!expected)
        return;
      const Value got = t.evaluate(x.dim, assignment(v));
      ASSERT_EQ(got, expected) << t.str(x.dim) << " at " << v[0] << "," << v[1] << "," << v[2];
      ASSERT_TRUE(bounds.contains(*expected)) << t.str(x.dim);
    });
  }
}

TEST_P(DimPropertyTest, CompareAgreesWithBruteForce) {
  for (int round = 0; round < 150; ++round) {
    DimTable t;
    Maker m(t, static_cast<std::uint32_t>(GetParam() * 1000 + round + 500));
    const bool open = round % 2 == 0;
    const auto box = declare(t, m, open);
    const Twin x = m.make(2), y = m.make(2);
    if (!x.dim.known() || !y.dim.known())
      continue;
    const DimComparison r = t.compare(x.dim, y.dim);
    std::size_t equal = 0, differ = 0, undefined = 0;
    forAll(box, [&](const Values &v) {
      const Value p = x.value(v), q = y.value(v);
      if (!p || !q)
        ++undefined;
      else
        ++(*p == *q ? equal : differ);
    });
    const std::string what = t.str(x.dim) + " == " + t.str(y.dim);
    if (r.result == Verdict::Proved) {
      EXPECT_EQ(differ, 0u) << what;
    } else if (r.result == Verdict::Refuted) {
      if (r.always) {
        EXPECT_EQ(equal, 0u) << what;
      }
      if (!open && undefined == 0) {
        EXPECT_NE(differ, 0u) << what;
        EXPECT_EQ(r.always, equal == 0) << what;
      }
      if (r.witness.empty() && r.always)
        continue; // defined for no values that were tried
      EXPECT_NE(r.witnessA, r.witnessB) << what;
      const Assignment &witness = r.witness;
      std::vector<Symbol> used = t.symbolsOf(x.dim);
      for (const Symbol &s : t.symbolsOf(y.dim))
        used.push_back(s);
      for (const auto &[name, value] : witness)
        for (const Symbol &s : used)
          if (s.name == name) {
            EXPECT_TRUE(s.bounds.contains(value)) << what;
          }
      if (const auto p = t.evaluate(x.dim, witness)) {
        EXPECT_EQ(*p, r.witnessA) << what;
      }
      if (const auto q = t.evaluate(y.dim, witness)) {
        EXPECT_EQ(*q, r.witnessB) << what;
      }
    } else if (!open && undefined == 0) {
      ADD_FAILURE() << what << " is undecided over " << equal + differ << " values: " << r.reason;
    }
  }
}

TEST_P(DimPropertyTest, FormsAreCanonicalAgain) {
  // Adding zero, multiplying by one, and undoing a shift give the same form.
  for (int round = 0; round < 150; ++round) {
    DimTable t;
    Maker m(t, static_cast<std::uint32_t>(GetParam() * 1000 + round + 250));
    declare(t, m, true);
    const Dim x = m.make(3).dim;
    if (!x.known())
      continue;
    EXPECT_EQ(t.sub(t.add(x, t.constant(7)), t.constant(7)), x);
    EXPECT_EQ(t.mul(x, t.constant(1)), x);
    EXPECT_EQ(t.negate(t.negate(x)), x);
    EXPECT_EQ(t.sub(x, x), t.constant(0));
    EXPECT_EQ(t.min(x, x), x);
    if (const Dim twice = t.add(x, x); twice.known()) {
      EXPECT_EQ(t.floorDiv(twice, t.constant(2)), x) << t.str(x);
      EXPECT_EQ(t.mod(twice, t.constant(2)), t.constant(0));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, DimPropertyTest, testing::Range(1, 13));

} // namespace
} // namespace condlint
