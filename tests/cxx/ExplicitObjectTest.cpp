//===- ExplicitObjectTest.cpp - Methods that take their object as a parameter --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++23: methods that take their object as a parameter.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(ExplicitObject, BranchesAndWhatTheyCall) {
  CxxSettings settings;
  settings.flags = std::vector<std::string>{"-std=c++23"};
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Scale {
  Tensor w;
  Tensor operator()(this const Scale &self, const Tensor &x) { return x * self.w; } // expect: warning closure-capture
};
struct Wrong {
  Tensor operator()(this const Wrong &, const Tensor &x) { return x.to(torch::kLong); }
};
struct Count {
  int n = 0;
  Tensor operator()(this Count &self, const Tensor &x) {
    self.n++; // expect: error global-mutation
    return x * 2;
  }
};
struct OwnCount {
  int n = 0;
  Tensor operator()(this OwnCount self, const Tensor &x) {
    self.n++;
    return x * 2;
  }
};
struct Base {
  template <class S> Tensor run(this S &&self, const Tensor &x) { return self.step(x) * 2; }
};
struct Derived : Base {
  Tensor step(const Tensor &x) const { return x.to(torch::kLong); }
};
Tensor explicitly(const Tensor &x, const Tensor &w) {
  auto other = [](const Tensor &x) { return x * 0.5; };
  auto y = condlint::cond(x.any(), Scale{w}, other, {x});
  y = condlint::cond(x.any(), Wrong{}, other, {x}); // expect: error output-dtype
  Count count;
  y = condlint::cond(x.any(), count, other, {x});
  OwnCount own;
  y = condlint::cond(x.any(), own, other, {x});
  y = condlint::cond(x.any(), [](this auto, const Tensor &x) { return x.to(torch::kLong); }, other, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), [w](this auto &&self, const Tensor &x) {
    return x * w; // expect: warning closure-capture
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { return Derived().run(x); }, other, {x}); // expect: error output-dtype
  return y;
}
)",
                 "torch@2.14", settings);
}

} // namespace
} // namespace condlint::test
