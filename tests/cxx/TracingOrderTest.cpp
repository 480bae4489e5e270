//===- TracingOrderTest.cpp - What variables hold where a condition stands --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a condition of traced code hangs on is what its variables hold there, not
// what they hold before or after. Labels: NS1, NS11.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// A module with \p body as its forward, after the declarations \p before.
std::string forward(const std::string &body, const std::string &before = {}) {
  return "#include <functional>\n#include <tuple>\n#include <vector>\n" + before +
         "struct M : torch::nn::Module { double rate = 0.1; torch::Tensor forward(torch::Tensor x, bool flag) {\n"
         "const auto m = x.argmax().item<int64_t>();" +
         body + "\nreturn x; } };\n";
}

TEST(TracingOrder, WhatIsOverwrittenBeforeItIsReadDecidesNothing_NS1_NS11) {
  EXPECT_AS_SAID(forward(R"(
    int64_t q = m;
    q = 3;
    if (q > 2)
      x = x + 1;
    bool t = is_training();
    x = torch::dropout(x, rate, t);
    t = flag;
    if (t)
      x = x + 1;
    double s = x.sum().item<double>();
    x = x * s;
    s = 2;
    for (int i = 0; i < s; ++i)
      x = x + 1;
    float low = m, high = m;
    std::tie(low, high) = std::make_tuple(0.f, 1.f);
    if (low < high)
      x = x + 1;
    struct Peak { double value; int64_t at; } peak{x.max().item<double>(), m};
    x = x / peak.value;
    peak.value = 1;
    if (peak.value > 0)
      x = x + 1;
    if (peak.at > 0) // expect: warning control-flow-frozen
      x = x + 1;
    auto sizes = x.sizes().vec();
    sizes[0] = m;
    x = x.reshape(sizes);
    sizes[0] = 1;
    if (sizes[0] > 2)
      x = x + 1;)"),
                 "nnscaler");
}

TEST(TracingOrder, WhatIsGivenAfterTheReadDecidesNothing_NS1_NS11) {
  EXPECT_AS_SAID(
      forward(R"(
    int64_t q = 3;
    if (q > 2)
      q = m;
    x = x + q;
    bool t = flag;
    if (t)
      x = x + 1;
    t = is_training();
    x = torch::dropout(x, rate, t);
    for (int64_t i = 0; i < 2; ++i) {
      int64_t top = i;
      if (top > 0)
        x = x + 1;
      top = x.argmax().item<int64_t>();
      x = x + top;
    }
    int64_t width = x.size(0);
    if (width > 4)
      x = x + 1;
    readInto(x, width);
    x = x + width;
    if (width > 4) // expect: warning control-flow-frozen
      x = x + 1;)",
              "static void readInto(const torch::Tensor &x, int64_t &n) { n = x.argmax().item<int64_t>(); }\n"),
      "nnscaler");
}

TEST(TracingOrder, WhatMayStillBeThereDecides_NS1_NS11) {
  EXPECT_AS_SAID(forward(R"(
    int64_t q = m;
    if (x.dim() == 2)
      q = 3;
    if (q > 2) // expect: warning control-flow-frozen
      x = x + 1;
    q = 3;
    q += m;
    if (q > 2) // expect: warning control-flow-frozen
      x = x + 1;
    double last = 0;
    for (int64_t i = 0; i < 3; ++i) {
      if (last > 1) // expect: warning control-flow-frozen
        break;
      last = x.max().item<double>();
    }
    double norm = 2;
    while (norm > 1) { // expect: warning control-flow-frozen
      x = x / 2;
      norm = x.norm().item<double>();
    }
    int64_t first = 0, second = m;
    std::swap(first, second);
    if (first > 2) // expect: warning control-flow-frozen
      x = x + 1;
    int64_t left = m;
    try {
      left = 0;
      x = x + left;
      left = m;
    } catch (const std::exception &) {
      if (left > 2) // expect: warning control-flow-frozen
        x = x + 1;
    })"),
                 "nnscaler");
}

// Through a reference, a pointer, an iterator or a lambda a variable is read when they are.
TEST(TracingOrder, AVariableOfSeveralNamesHasNoOrder_NS11) {
  EXPECT_AS_SAID(forward(R"(
    int64_t a = 0;
    const int64_t &name = a;
    a = m;
    if (name > 2) // expect: warning control-flow-frozen
      x = x + 1;
    int64_t b = 0;
    int64_t *pointer = &b;
    b = m;
    if (*pointer > 2) // expect: warning control-flow-frozen
      x = x + 1;
    std::vector<int64_t> v{1, 2};
    auto at = v.begin();
    v[0] = m;
    if (*at > 2) // expect: warning control-flow-frozen
      x = x + 1;
    int64_t c = 0;
    auto large = [&] { return c > 2; };
    c = m;
    if (large()) // expect: warning control-flow-frozen
      x = x + 1;
    int64_t d = 0;
    auto read = [&] { d = m; };
    d = 1;
    read();
    if (d > 2) // expect: warning control-flow-frozen
      x = x + 1;)"),
                 "nnscaler");
}

// A function gives its parameter what is there when it returns.
TEST(TracingOrder, AParameterIsGivenWhatIsThereInTheEnd_NS11) {
  EXPECT_AS_SAID(forward(R"(
    int64_t n = 0;
    count(x, n);
    if (n > 2)
      x = x + 1;
    peak(x, n);
    if (n > 2) // expect: warning control-flow-frozen
      x = x + 1;)",
                         R"(static void count(torch::Tensor &x, int64_t &n) {
  n = x.argmax().item<int64_t>();
  x = x + n;
  n = x.size(0);
}
static void peak(torch::Tensor &x, int64_t &n) {
  n = x.size(0);
  if (n > 2)
    n = x.argmax().item<int64_t>();
}
)"),
                 "nnscaler");
}

} // namespace
} // namespace condlint::test
