//===- OutVariantTest.cpp - Functions that write results into arguments --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that write several results into arguments, whatever those are called.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// As the real libtorch declares them.
const std::string declarations = R"(
#include <tuple>
namespace at {
using Two = std::tuple<Tensor &, Tensor &>;
Two max_out(Tensor &max, Tensor &max_values, const Tensor &self, int64_t dim, bool keepdim = false);
Tensor &max_out(Tensor &out, const Tensor &self, const Tensor &other);
Two sort_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim = -1, bool descending = false);
Two topk_outf(const Tensor &self, int64_t k, int64_t dim, bool largest, bool sorted, Tensor &values, Tensor &indices);
Two kthvalue_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t k, int64_t dim = -1, bool keepdim = false);
std::tuple<Tensor &, Tensor &, Tensor &> svd_out(Tensor &U, Tensor &S, Tensor &V, const Tensor &self, bool some = true,
                                                 bool compute_uv = true);
}
using T = torch::Tensor;
T other(T x, T) { return x * 3; }
)";

TEST(OutVariant, EachOutputIsWritten_M1) {
  EXPECT_AS_SAID(declarations + R"(
T f(T x, T w) {
  auto y = condlint::cond(x.any(), [](T x, T w) {
    auto own = torch::empty({2});
    at::max_out(x, own, w, 1); // expect: error input-mutation
    at::max_out(own, x, w, 1); // expect: error input-mutation
    return w * 2;
  }, other, {x, w});
  y = condlint::cond(x.any(), [](T x, T w) {
    auto own = torch::empty({2});
    at::sort_out(own, x, w); // expect: error input-mutation
    at::topk_outf(w, 1, 0, true, true, own, x); // expect: error input-mutation
    at::svd_out(own, own, x, w); // expect: error input-mutation
    return w * 2;
  }, other, {x, w});
  return condlint::cond(x.any(), [w](T x) mutable {
    auto own = torch::empty({2});
    at::kthvalue_out(own, w, x, 1); // expect: error capture-mutation
    return x * 2;
  }, [](T x) { return x * 3; }, {x});
})");
}

TEST(OutVariant, OwnOutputsMayBeWrittenAndAreTheResults_R6) {
  EXPECT_AS_SAID(declarations + R"(
T f(T x) {
  CONDLINT_TENSOR(x, Float, 4, 8);
  auto y = condlint::cond(x.any(), [](T x) {
    auto values = torch::empty({0}), left = values;
    auto places = torch::empty({0}, torch::kLong);
    at::max_out(values, places, x, 1);
    at::sort_out(values, places, x);
    at::svd_out(left, values, places, x.exp());
    at::kthvalue_out(values, places, x, 1, 0);
    return at::max_out(values, values, values) * 2;
  }, [](T x) { return x.select(0, 0) * 1; }, {x});
  y = condlint::cond(x.any(), [](T x) { // expect: error output-dtype
    auto values = torch::empty({0}), places = torch::empty({0}, torch::kLong);
    auto [best, where] = at::max_out(values, places, x, 1);
    return where + 1;
  }, [](T x) { return x.select(1, 0) * 1; }, {x});
  return condlint::cond(x.any(), [](T x) { // expect: error output-rank
    auto values = torch::empty({0}), places = torch::empty({0}, torch::kLong);
    at::topk_outf(x, 3, 1, true, true, values, places);
    return values;
  }, [](T x) { return x.select(1, 0) * 1; }, {x});
})");
}

} // namespace
} // namespace condlint::test
