//===- VirtualTest.cpp - Which body a virtual call runs -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Virtual, OfAnObjectFromOutsideTheBodyIsNotKnown) {
  EXPECT_AS_SAID(R"(
torch::Tensor half(torch::Tensor x) { return x.to(torch::kHalf) * 1; }
struct Block {
  virtual ~Block() = default;
  virtual torch::Tensor run(torch::Tensor x) { return x.to(torch::kLong) * 1; }
  virtual torch::Tensor always(torch::Tensor x) final { return x.to(torch::kLong) * 1; }
  torch::Tensor plain(torch::Tensor x) { return x.to(torch::kLong) * 1; }
  torch::Tensor open(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](torch::Tensor x) { return run(x); }, half, {x}); // expect-unknown: output-dtype, input-mutation
  }
  torch::Tensor closed(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](torch::Tensor x) { return plain(x); }, half, {x}); // expect: error output-dtype
  }
  torch::Tensor last(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](torch::Tensor x) { return always(x); }, half, {x}); // expect: error output-dtype
  }
  torch::Tensor own(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](torch::Tensor x) { return Block::run(x); }, half, {x}); // expect: error output-dtype
  }
};
torch::Tensor f(const torch::Tensor &x, Block &b) {
  return condlint::cond(x.any(), [&](torch::Tensor x) { return b.run(x); }, half, {x}); // expect-unknown: output-dtype, input-mutation
}
torch::Tensor g(const torch::Tensor &x, std::shared_ptr<Block> b) {
  return condlint::cond(x.any(), [b](torch::Tensor x) { return b->run(x); }, half, {x}); // expect-unknown: output-dtype, input-mutation
}
struct Last final : Block {
  torch::Tensor run(torch::Tensor x) override { return x.to(torch::kInt) * 1; }
};
torch::Tensor h(const torch::Tensor &x, Last &b) {
  return condlint::cond(x.any(), [&](torch::Tensor x) { return b.run(x); }, half, {x}); // expect: error output-dtype
})");
}

TEST(Virtual, OfAnObjectOfTheCodeItIsThatOfItsClass) {
  EXPECT_AS_SAID(R"(
torch::Tensor half(torch::Tensor x) { return x.to(torch::kHalf) * 1; }
struct Block {
  virtual ~Block() = default;
  virtual torch::Tensor run(torch::Tensor x) { return x.to(torch::kHalf) * 1; }
  torch::Tensor both(const torch::Tensor &x) {
    return condlint::cond(x.any(), [this](torch::Tensor x) { return run(x); }, half, {x}); // expect-unknown: output-dtype, input-mutation
  }
};
struct Other : Block {
  torch::Tensor run(torch::Tensor x) override { return x.to(torch::kLong) * 1; }
};
struct Holder {
  Other member;
};
torch::Tensor local(const torch::Tensor &x) {
  Other b;
  Block &base = b;
  Block copy = b;
  auto y = condlint::cond(x.any(), [&](torch::Tensor x) { return base.run(x); }, half, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [&](torch::Tensor x) { return copy.run(x) * 2; }, half, {x});
}
torch::Tensor made(const torch::Tensor &x, Holder &h) {
  std::unique_ptr<Block> b = std::make_unique<Other>();
  auto y = condlint::cond(x.any(), [&](torch::Tensor x) { return b->run(x); }, half, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [&](torch::Tensor x) { return h.member.run(x); }, half, {x}); // expect: error output-dtype
})");
}

TEST(Virtual, OfAClassThatNobodyElseNamesAllOverridersAreKnown) {
  EXPECT_AS_SAID(R"(
torch::Tensor half(torch::Tensor x) { return x.to(torch::kHalf) * 1; }
namespace {
struct One {
  virtual ~One() = default;
  virtual torch::Tensor run(torch::Tensor x) { return x.to(torch::kLong) * 1; }
};
struct Abstract {
  virtual ~Abstract() = default;
  virtual torch::Tensor run(torch::Tensor x) = 0;
};
struct Only : Abstract {
  torch::Tensor run(torch::Tensor x) override { return x.to(torch::kLong) * 1; }
};
struct Two : One {};
struct Open {
  virtual ~Open() = default;
  virtual torch::Tensor run(torch::Tensor x) { return x.to(torch::kLong) * 1; }
};
struct Another : Open {
  torch::Tensor run(torch::Tensor x) override { return x.to(torch::kHalf) * 2; }
};
} // namespace
torch::Tensor f(const torch::Tensor &x, One &a, Abstract &b, Open &c) {
  auto y = condlint::cond(x.any(), [&](torch::Tensor x) { return a.run(x); }, half, {x}); // expect: error output-dtype
  auto z = condlint::cond(x.any(), [&](torch::Tensor x) { return b.run(x); }, half, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [&](torch::Tensor x) { return c.run(x); }, half, {x}); // expect-unknown: output-dtype, input-mutation
})");
}

} // namespace
} // namespace condlint::test
