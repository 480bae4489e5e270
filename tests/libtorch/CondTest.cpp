//===- CondTest.cpp - The public headers, run with libtorch -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// condlint/cond.h and condlint/annotations.h, run with libtorch. Compiled by
// tests/project/libtorch.sh, as it is and with CONDLINT_VALIDATE.
//
//===----------------------------------------------------------------------===//
#include <ATen/ATen.h>
#include <condlint/cond.h>
#include <gtest/gtest.h>

using at::Tensor;

namespace {

Tensor yes() { return at::ones({}, at::kBool); }
Tensor no() { return at::zeros({}, at::kBool); }
Tensor twice(const Tensor &x) { return x * 2; }
Tensor negative(Tensor x) { return -x; }

/// The message of the c10::Error that \p action throws; empty when it does not.
template <class Action> std::string errorOf(Action action) {
  try {
    action();
  } catch (const c10::Error &e) {
    return e.what_without_backtrace();
  }
  return "";
}

#define EXPECT_ERROR(text, ...)                                                                                        \
  do {                                                                                                                 \
    std::string message = errorOf([&] { (void)(__VA_ARGS__); });                                                       \
    EXPECT_EQ(message.rfind("condlint", 0), 0u) << message;                                                            \
    EXPECT_NE(message.find(text), std::string::npos) << message;                                                       \
  } while (false)

TEST(Cond, TakesTheBranchThatThePredicateSelects) {
  Tensor x = at::arange(4.);
  EXPECT_TRUE(condlint::cond(yes(), twice, negative, {x}).equal(x * 2));
  EXPECT_TRUE(condlint::cond(no(), twice, negative, {x}).equal(-x));
  EXPECT_TRUE(condlint::cond(true, twice, negative, {x}).equal(x * 2));
  EXPECT_TRUE(condlint::cond(c10::SymBool(false), twice, negative, {x}).equal(-x));
  EXPECT_TRUE(condlint::cond(yes().view({1, 1}), twice, negative, {x}).equal(x * 2));
}

struct Scale {
  double factor;
  Tensor operator()(const Tensor &x) const { return x * factor; }
};

TEST(Cond, ABranchIsWhateverCanBeInvoked) {
  Tensor given = at::ones({2});
  std::function<Tensor(Tensor)> stored = twice;
  auto generic = [](const auto &x) { return x + 1; };
  Tensor (*pointer)(Tensor) = negative;
  EXPECT_TRUE(condlint::cond(yes(), stored, generic, {given}).equal(given * 2));
  EXPECT_TRUE(condlint::cond(no(), stored, generic, {given}).equal(given + 1));
  EXPECT_TRUE(condlint::cond(no(), Scale{3}, pointer, {given}).equal(-given));
  auto scaled = [](const Tensor &x, double factor) { return x * factor; };
  EXPECT_TRUE(condlint::cond(yes(), std::bind(scaled, std::placeholders::_1, 4), Scale{5}, {given}).equal(given * 4));
  int calls = 0;
  auto counting = [calls](const Tensor &x) mutable { return x * ++calls; };
  EXPECT_TRUE(condlint::cond(yes(), counting, Scale{5}, {given}).equal(given));
}

TEST(Cond, OperandsComeInFiveForms) {
  Tensor x = at::ones({2}), y = at::full({2}, 3.);
  auto sum = [](const Tensor &a, const Tensor &b) { return a + b; };
  auto difference = [](const Tensor &a, const Tensor &b) { return a - b; };
  EXPECT_TRUE(condlint::cond(yes(), [&] { return x + 0; }, [&] { return y + 0; }).equal(x));
  EXPECT_TRUE(condlint::cond(yes(), sum, difference, {x, y}).equal(x + y));
  EXPECT_TRUE(condlint::cond(no(), sum, difference, std::array<Tensor, 2>{x, y}).equal(x - y));
  EXPECT_TRUE(condlint::cond(no(), sum, difference, std::make_tuple(x, y)).equal(x - y));
  auto first = [](std::vector<Tensor> list) { return list.at(0) * 1; };
  auto last = [](const std::vector<Tensor> &list) { return list.back() * 1; };
  EXPECT_TRUE(condlint::cond(no(), first, last, std::vector<Tensor>{x, y}).equal(y));
  auto repeat = [](const Tensor &a, int64_t n, const std::vector<Tensor> &) { return a.repeat({n}); };
  auto pad = [](const Tensor &a, int64_t n, const std::vector<Tensor> &rest) { return a.repeat({n}) + rest.at(0)[0]; };
  EXPECT_EQ(condlint::cond(yes(), repeat, pad, std::make_tuple(x, int64_t(3), std::vector<Tensor>{y})).numel(), 6);
}

TEST(Cond, OutputsMayBeAnythingThatTheBranchesReturnAlike) {
  Tensor given = at::ones({2});
  auto [sum, n] = condlint::cond(
      yes(), [](const Tensor &x) { return std::make_tuple(x.sum(), int64_t(1)); },
      [](const Tensor &x) { return std::make_tuple(x.prod(), int64_t(2)); }, {given});
  EXPECT_EQ(sum.item<float>(), 2);
  EXPECT_EQ(n, 1);
  auto list = condlint::cond(
      no(), [](const Tensor &x) { return std::vector<Tensor>{x * 1, x * 2}; },
      [](const Tensor &x) { return std::vector<Tensor>{x * 3, x * 4}; }, {given});
  EXPECT_TRUE(list.at(1).equal(given * 4));
}

TEST(Cond, AWrongPredicateIsRefused) {
  Tensor x = at::ones({2});
  EXPECT_ERROR("undefined", condlint::cond(Tensor(), twice, negative, {x}));
  EXPECT_ERROR("one element", condlint::cond(at::ones({2}, at::kBool), twice, negative, {x}));
  EXPECT_ERROR("kBool", condlint::cond(at::ones({}), twice, negative, {x}));
}

TEST(Cond, AnEmptyBranchIsRefusedEvenIfItIsNotTaken) {
  Tensor x = at::ones({2});
  std::function<Tensor(Tensor)> empty;
  Tensor (*null)(Tensor) = nullptr;
  EXPECT_ERROR("true branch is empty", condlint::cond(no(), empty, negative, {x}));
  EXPECT_ERROR("false branch is empty", condlint::cond(yes(), negative, null, {x}));
}

TEST(Contract, HoldsOrThrows) {
  auto contract = [](const Tensor &x) {
    CONDLINT_TENSOR(x, Float, "N", 4);
    return x;
  };
  EXPECT_EQ(errorOf([&] { contract(at::ones({3, 4})); }), "");
  EXPECT_ERROR("Float[N, 4]", contract(at::ones({3, 5})));
  EXPECT_ERROR("Long[3, 4]", contract(at::ones({3, 4}, at::kLong)));
  EXPECT_ERROR("Float[4]", contract(at::ones({4})));
  EXPECT_ERROR("undefined", contract(Tensor()));
}

TEST(Contract, OneSymbolIsOneSizeInACall) {
  auto pair = [](const Tensor &x, const Tensor &y) {
    CONDLINT_TENSOR(x, Float, "N", "N");
    CONDLINT_TENSOR(y, Long, "N", "M");
  };
  EXPECT_EQ(errorOf([&] { pair(at::ones({3, 3}), at::ones({3, 5}, at::kLong)); }), "");
  EXPECT_EQ(errorOf([&] { pair(at::ones({2, 2}), at::ones({2, 5}, at::kLong)); }), "");
  EXPECT_ERROR("N is 3", pair(at::ones({3, 4}), at::ones({3, 5}, at::kLong)));
  EXPECT_ERROR("N is 3", pair(at::ones({3, 3}), at::ones({4, 5}, at::kLong)));
  EXPECT_EQ(errorOf([&] { pair(at::ones({4, 4}), at::ones({4, 5}, at::kLong)); }), "");
}

int64_t halved(const Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N");
  return x.size(0) < 2 ? 1 : 1 + halved(x.slice(0, 0, x.size(0) / 2));
}

TEST(Contract, ASymbolIsAnotherSizeInAnotherCall) { EXPECT_EQ(halved(at::ones({8})), 4); }

TEST(Contract, DtypeAloneAndScalars) {
  Tensor x = at::ones({3}, at::kHalf), flag = yes();
  EXPECT_EQ(errorOf([&] { CONDLINT_DTYPE(x, Half); }), "");
  EXPECT_ERROR("Half", CONDLINT_DTYPE(x, Float));
  EXPECT_EQ(errorOf([&] { CONDLINT_SCALAR(flag, Bool); }), "");
  std::string message = errorOf([&] { CONDLINT_SCALAR(x, Half); });
  EXPECT_NE(message.find("expected Half[], and the tensor is Half[3]"), std::string::npos) << message;
}

CONDLINT_COND_ARGS(0, 1, 2, CONDLINT_REST)
Tensor ownCond(bool pred, Tensor (*t)(const Tensor &), Tensor (*f)(const Tensor &), const Tensor &x) {
  return pred ? t(x) : f(x);
}
CONDLINT_PURE Tensor pureOne(const Tensor &x);
Tensor pureOne(const Tensor &x) { return x.clone(); }
CONDLINT_TRACED Tensor tracedOne(const Tensor &x) { return x; }

TEST(Marks, CompileToNothingThatChangesTheFunction) {
  Tensor x = at::ones({2});
  EXPECT_TRUE(ownCond(true, twice, tracedOne, pureOne(x)).equal(x * 2));
}

#if defined(CONDLINT_VALIDATE) && CONDLINT_VALIDATE

TEST(Validate, BothBranchesRunTheOtherOneOnClones) {
  Tensor x = at::ones({2});
  std::vector<std::string> order;
  auto remember = [&](const char *name) {
    return [&order, name, x](const Tensor &operand) {
      order.push_back(std::string(name) + (operand.is_alias_of(x) ? " itself" : " clone"));
      return operand * 2;
    };
  };
  condlint::cond(yes(), remember("true"), remember("false"), {x});
  EXPECT_EQ(order, (std::vector<std::string>{"false clone", "true itself"}));
}

TEST(Validate, MetadataOfTheOutputsAgree) {
  Tensor given = at::rand({2, 3});
  auto run = [&](auto t, auto f) { return errorOf([&] { condlint::cond(yes(), t, f, {given}); }); };
  EXPECT_NE(run([](Tensor x) { return x * 1; }, [](Tensor x) { return x.to(at::kLong); }).find("dtype, Float"),
            std::string::npos);
  EXPECT_NE(run([](Tensor x) { return x * 1; }, [](Tensor x) { return x.sum(0); }).find("rank, 2"), std::string::npos);
  EXPECT_NE(run([](Tensor x) { return x * 1; }, [](Tensor x) { return x.t().contiguous().t(); }).find("strides"),
            std::string::npos);
  EXPECT_NE(run([](Tensor x) { return std::vector<Tensor>{x * 1}; },
                [](Tensor x) { return std::vector<Tensor>{x * 1, x * 2}; })
                .find("returns 1 values"),
            std::string::npos);
  EXPECT_NE(run([](Tensor x) { return x * 1; }, [](Tensor) { return Tensor(); }).find("kind, tensor"),
            std::string::npos);
  EXPECT_EQ(run([](Tensor x) { return x.exp(); }, [](Tensor x) { return x.sin(); }), "");
}

TEST(Validate, WritesToOperandsAreFoundOnEitherSide) {
  Tensor given = at::ones({2, 3});
  auto pure = [](Tensor x) { return x * 2; };
  auto write = [](Tensor x) { return x.add_(1) * 2; };
  auto raw = [](Tensor x) {
    x.data_ptr<float>()[1] = 7;
    return x * 2;
  };
  auto intermediate = [](Tensor x) { return (x * 2).add_(1); };
  for (Tensor pred : {yes(), no()}) {
    EXPECT_ERROR("the false branch writes to operand 0", condlint::cond(pred, pure, write, {given}));
    EXPECT_ERROR("the true branch writes to operand 0", condlint::cond(pred, raw, pure, {given}));
    EXPECT_EQ(errorOf([&] { condlint::cond(pred, pure, intermediate, {given}); }), "");
  }
}

TEST(Validate, AnUntakenBranchLeavesTheOperandsAlone) {
  Tensor x = at::zeros({4});
  Tensor strided = at::zeros({4, 4}).slice(1, 0, 2);
  errorOf([&] {
    condlint::cond(
        yes(), [](Tensor a, Tensor b) { return a + b.sum(); },
        [](Tensor a, Tensor b) {
          EXPECT_EQ(b.strides(), at::IntArrayRef({4, 1}));
          return a.add_(1) + b.add_(1).sum();
        },
        {x, strided});
  });
  EXPECT_TRUE(x.equal(at::zeros({4})));
  EXPECT_TRUE(strided.equal(at::zeros({4, 2})));
}

TEST(Validate, OutputsShareNoStorage) {
  Tensor given = at::ones({2, 3});
  auto copy = [](Tensor x) { return x.clone(); };
  EXPECT_ERROR("shares the storage of operand 0", condlint::cond(yes(), copy, [](Tensor x) { return x; }, {given}));
  EXPECT_ERROR("shares the storage of operand 0",
               condlint::cond(yes(), [](Tensor x) { return x.view(-1); }, copy, {given}));
  auto twins = [](Tensor x) {
    Tensor y = x * 2;
    return std::make_tuple(y, y.select(0, 1));
  };
  auto strangers = [](Tensor x) { return std::make_tuple(x * 2, x.select(0, 1) * 2); };
  EXPECT_ERROR("outputs 0 and 1 of the false branch", condlint::cond(yes(), strangers, twins, {given}));
}

TEST(Validate, TheOtherBranchDrawsNoRandomNumbers) {
  Tensor given = at::ones({2});
  at::manual_seed(7);
  Tensor expected = at::rand({2});
  at::manual_seed(7);
  auto draw = [](Tensor x) { return at::rand_like(x); };
  EXPECT_TRUE(condlint::cond(yes(), draw, draw, {given}).equal(expected));
}

#else

TEST(Cond, OnlyTheTakenBranchRuns) {
  Tensor given = at::ones({2});
  int calls = 0;
  auto count = [&](const Tensor &x) {
    ++calls;
    return x * 1;
  };
  auto fail = [](const Tensor &) -> Tensor { throw std::runtime_error("taken"); };
  condlint::cond(yes(), count, fail, {given});
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(condlint::cond(no(), count, fail, {given}), std::runtime_error);
}

TEST(Cond, OperandsArePassedByValueAndShareTheirStorage) {
  Tensor given = at::ones({2});
  auto rebind = [](Tensor &x) {
    x = x + 1;
    return x;
  };
  auto write = [](Tensor x) { return x.add_(1); };
  EXPECT_TRUE(condlint::cond(yes(), rebind, write, {given}).equal(at::full({2}, 2.)));
  EXPECT_TRUE(given.equal(at::ones({2})));
  EXPECT_TRUE(condlint::cond(no(), rebind, write, {given}).is_alias_of(given));
  EXPECT_TRUE(given.equal(at::full({2}, 2.)));
}

#endif

} // namespace
