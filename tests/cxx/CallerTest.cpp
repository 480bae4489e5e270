//===- CallerTest.cpp - What only one caller says of a function ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Caller, SaysWhatAFunctionOfThisUnitAloneIsGiven) {
  EXPECT_AS_SAID(R"(
static torch::Tensor pick(const torch::Tensor &x, const torch::Tensor &p) {
  return condlint::cond(p, [](torch::Tensor y) { return y + 1; }, [](torch::Tensor y) { return y.argmax(-1, true) + 1; }, {x}); // expect: error output-dtype
}
torch::Tensor peaks(torch::Tensor x, torch::Tensor p) {
  CONDLINT_TENSOR(x, Float, "N", 10);
  return pick(x, p);
}
)");
}

// Somebody else may call it, or hold it.
TEST(Caller, SaysNothingOfWhatOthersCanCall) {
  EXPECT_AS_SAID(R"(
torch::Tensor open(const torch::Tensor &x, const torch::Tensor &p) {
  return condlint::cond(p, [](torch::Tensor y) { return y + 1; }, [](torch::Tensor y) { return y.argmax(-1, true) + 1; }, {x}); // expect-unknown: output-dtype
}
torch::Tensor callsOpen(torch::Tensor x, torch::Tensor p) {
  CONDLINT_TENSOR(x, Long, "N", 10);
  return open(x, p);
}
static torch::Tensor held(const torch::Tensor &x, const torch::Tensor &p) {
  return condlint::cond(p, [](torch::Tensor y) { return y + 1; }, [](torch::Tensor y) { return y.argmax(-1, true) + 1; }, {x}); // expect-unknown: output-dtype
}
using Held = torch::Tensor (*)(const torch::Tensor &, const torch::Tensor &);
Held take() { return held; }
torch::Tensor callsHeld(torch::Tensor x, torch::Tensor p) {
  CONDLINT_TENSOR(x, Long, "N", 10);
  return held(x, p);
}
)");
}

TEST(Caller, EachOfSeveralAndOfThoseInBetween) {
  EXPECT_AS_SAID(R"(
static torch::Tensor pick(const torch::Tensor &x, const torch::Tensor &p) {
  return condlint::cond(p, [](torch::Tensor y) { return y.sin(); }, [](torch::Tensor y) { return y + 1; }, {x}); // expect: error output-dtype
}
static torch::Tensor between(const torch::Tensor &x, const torch::Tensor &p) { return pick(x, p); }
torch::Tensor floats(torch::Tensor x, torch::Tensor p) {
  CONDLINT_TENSOR(x, Float, "N", 10);
  return pick(x, p);
}
torch::Tensor whole(torch::Tensor x, torch::Tensor p) {
  CONDLINT_TENSOR(x, Long, "N", 10);
  return between(x, p);
}
// Nobody calls it.
[[maybe_unused]] static torch::Tensor unused(const torch::Tensor &x, const torch::Tensor &p) {
  return condlint::cond(p, [](torch::Tensor y) { return y.sin(); }, [](torch::Tensor y) { return y.argmax(-1); }, {x}); // expect: error output-dtype
}
)");
}

} // namespace
} // namespace condlint::test
