//===- ContainerCaptureTest.cpp - Containers that a branch captures -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Containers that a branch captures: where it begins to use one, and that it is one variable.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(ContainerCapture, WhatIsPutBehindWhatACopyHoldsUsesIt) {
  EXPECT_AS_SAID(R"(
#include <vector>
using torch::Tensor;
Tensor given(const Tensor &x, std::vector<Tensor> ws) {
  return condlint::cond(x.any(),
      [ws](const Tensor &x) mutable {
        ws.push_back(x.exp()); // expect: warning closure-capture
        return ws[0] * 2;
      },
      [ws](const Tensor &x) mutable {
        ws.emplace_back(x.exp()); // expect: warning closure-capture
        return torch::cat(ws);
      }, {x});
}
Tensor made(const Tensor &x, const Tensor &w) {
  std::vector<Tensor> ws{w};
  return condlint::cond(x.any(),
      [ws](const Tensor &x) mutable {
        ws.push_back(x.exp()); // expect: warning closure-capture
        return ws[0] + ws[1];
      },
      [](const Tensor &x) { return x.sin(); }, {x});
}
Tensor own(const Tensor &x, std::vector<Tensor> ws, std::vector<Tensor> log) {
  return condlint::cond(x.any(),
      [ws](const Tensor &x) mutable {
        ws.clear();
        ws.push_back(x.exp());
        return ws[0] + 1;
      },
      [ws, &log](const Tensor &x) mutable {
        ws = {x.exp()};
        ws.push_back(x.sin());
        std::vector<Tensor> local;
        local.push_back(ws[1]);
        log.push_back(x.sin()); // expect: error global-mutation
        return local[0] + 1;
      }, {x});
}
)");
}

TEST(ContainerCapture, ACopyStaysOneVariableWhateverIsWrittenToIt) {
  EXPECT_AS_SAID(R"(
#include <vector>
using torch::Tensor;
Tensor f(const Tensor &x, std::vector<Tensor> ws) {
  return condlint::cond(x.any(),
      [ws](const Tensor &x) mutable {
        ws.insert(ws.begin(), x.exp()); // expect: warning closure-capture
        return ws.back() + 1;
      },
      [ws](const Tensor &x) mutable {
        ws.resize(2); // expect: warning closure-capture
        ws.pop_back();
        return ws[0] + 1;
      }, {x});
}
)");
}

TEST(ContainerCapture, WhatWasPutIntoThePartOfAPairIsRead) {
  EXPECT_AS_SAID(R"(
#include <tuple>
#include <utility>
using torch::Tensor;
Tensor pairs(const Tensor &x, std::pair<Tensor, int> p, std::tuple<Tensor, Tensor> t) {
  return condlint::cond(x.any(), // expect: error output-dtype
      [p](const Tensor &x) mutable {
        p.first = x.exp();
        return p.first * 2;
      },
      [t](const Tensor &x) mutable {
        std::get<0>(t) = x.gt(0);
        return std::get<0>(t);
      }, {x});
}
Tensor others(const Tensor &x, std::pair<Tensor, int> p, std::tuple<Tensor, Tensor> t) {
  return condlint::cond(x.any(),
      [p](const Tensor &x) mutable {
        p.first = x.exp();
        return p.first * p.second; // expect: warning closure-scalar
      },
      [t](const Tensor &x) mutable {
        std::get<0>(t) = x.sin();
        return std::get<0>(t) + std::get<1>(t); // expect: warning closure-capture
      }, {x});
}
Tensor outside(const Tensor &x, std::pair<Tensor, int> &p) {
  return condlint::cond(x.any(),
      [&](const Tensor &x) {
        p.first = x.exp(); // expect: error global-mutation
        return x.cos();
      },
      [](const Tensor &x) { return x.sin(); }, {x});
}
)");
}

} // namespace
} // namespace condlint::test
