//===- SettledTest.cpp - What a condition implies further down ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a check, an early return or an enclosing `if` has settled is not open again
// further down, also where it is no equation; what it has not settled is.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// `WRITE` in each of \p bodies, a branch's own, is an `x.add_(1)` that \p runs, or never does.
void expectWrites(bool runs, const std::vector<std::string> &bodies, const std::string &before = "") {
  for (std::string body : bodies) {
    const std::string_view write = "WRITE";
    body.replace(body.find(write), write.size(),
                 runs ? "\nx.add_(1); // expect: error input-mutation\n" : "\nx.add_(1);\n");
    EXPECT_AS_SAID("using torch::Tensor;\nTensor f(const Tensor &x, const Tensor &y) {\n" + before +
                   "return condlint::cond(x.any(), [](const Tensor &x, const Tensor &y) { return x * y; },\n"
                   "[](const Tensor &x, const Tensor &y) {\n" +
                   body + "; return x * y; }, {x, y}); }\n")
        << body;
  }
}

/// The end of each of \p bodies, of a function that is given numbers, \p runs, or never does.
void expectReached(bool runs, const std::vector<std::string> &bodies) {
  for (const std::string &body : bodies)
    EXPECT_AS_SAID("using torch::Tensor;\nbool heavy(const Tensor &);\n"
                   "struct M { bool flag_; Tensor f(const Tensor &x, bool on, int64_t n, double p) {\n" +
                   body + "\nreturn condlint::cond(x.any(), [](const Tensor &x) { return x * 2; },\n" +
                   "[](const Tensor &x) { return x; }, {x});" + (runs ? " // expect: error output-alias\n" : "\n") +
                   "return x * 4; } };\n")
        << body;
}

TEST(Settled, WhatIsAskedAgainHasOneAnswer) {
  expectWrites(false, {
                          "TORCH_CHECK(x.size(0) > 3); if (x.size(0) <= 3) WRITE",
                          "TORCH_CHECK(x.size(0) > 3); if (3 >= x.size(0)) WRITE",
                          "TORCH_CHECK(x.size(0) > 3); if (x.size(0) == 2) WRITE",
                          "if (x.size(0) > 3) { if (x.size(0) < 2) WRITE }",
                          "if (x.size(0) <= 3) return x * 3; if (x.size(0) < 3) WRITE",
                          "TORCH_CHECK(x.size(0) % 2 == 0); if (x.size(0) % 2) WRITE",
                          "TORCH_CHECK(x.size(0) <= y.size(0)); if (y.size(0) < x.size(0)) WRITE",
                          "TORCH_CHECK(x.numel() > 0); if (x.numel() == 0) WRITE",
                          "TORCH_CHECK(!x.is_cuda()); if (x.is_cuda()) WRITE",
                          "TORCH_CHECK(x.device() != torch::kCUDA); if (x.is_cuda()) WRITE",
                          "TORCH_CHECK(x.is_contiguous()); if (!x.is_contiguous()) WRITE",
                          "TORCH_CHECK(x.defined()); if (!x.defined()) WRITE",
                          "TORCH_CHECK(x.sizes() == y.sizes()); if (x.sizes() != y.sizes()) WRITE",
                          "if (x.sizes() != y.sizes()) return x * 3; if (y.sizes() != x.sizes()) WRITE",
                          "if (x.sizes() == torch::IntArrayRef({2, 3})) return x * 3;"
                          "if (x.sizes() == torch::IntArrayRef({2, 3})) WRITE",
                          "if (x.scalar_type() == torch::kFloat) return x * 3;"
                          "if (x.scalar_type() == torch::kFloat) WRITE",
                          "if (x.scalar_type() == y.scalar_type()) return x * 3; if (y.dtype() == x.dtype()) WRITE",
                          "if (x.dim() == 2) return x * 3; if (x.dim() == 2) WRITE",
                          "const auto d = x.dim(); if (d == 2) return x * 3; if (d != 2) return x * 4; WRITE",
                          "const auto d = x.dim(); if (d >= 2) return x * 3; if (x.dim() > 4) WRITE",
                          "const Tensor z = x; if (z.size(0) > 3) return x * 3; if (x.size(0) > 3) WRITE",
                          "const bool own = x.numel() > 3; if (own) return x * 3; if (own) WRITE",
                          "const int64_t n = x.size(0); if (n > 3) return x * 3;"
                          "for (int64_t i = 0; i < n; ++i) { if (y.dim() > 2) continue; if (n > 3) WRITE }",
                      });
}

TEST(Settled, WhatIsNotImpliedIsOpen) {
  expectWrites(true, {
                         "TORCH_CHECK(x.size(0) > 3); if (x.size(0) > 4) WRITE",
                         "TORCH_CHECK(x.size(0) > 3); if (x.size(1) <= 3) WRITE",
                         "TORCH_CHECK(x.size(0) > 3); if (y.size(0) <= 3) WRITE",
                         "TORCH_CHECK(x.size(0) > 3); if (x.size(0) != 5) WRITE",
                         "TORCH_CHECK(x.size(0) % 2 == 0); if (x.size(0) % 3) WRITE",
                         "TORCH_CHECK(!x.is_cuda()); if (y.is_cuda()) WRITE",
                         "TORCH_CHECK(x.is_contiguous()); if (!y.is_contiguous()) WRITE",
                         "TORCH_CHECK(x.sizes() != y.sizes()); if (x.size(0) != y.size(0)) WRITE",
                         "if (x.dim() == 2) return x * 3; if (x.dim() == 3) WRITE",
                         "if (x.dim() == 2 && y.dim() == 2) return x * 3; if (x.dim() == 2) WRITE",
                         "if (y.dim() == 2) { TORCH_CHECK(x.size(0) > 3); } if (x.size(0) <= 3) WRITE",
                         "Tensor z = x.view({-1}); if (z.size(0) > 3) return x * 3; if (x.size(0) > 3) WRITE",
                         "Tensor z = x; if (z.size(0) > 3) return x * 3; z = y; if (z.size(0) > 3) WRITE",
                     });
}

TEST(Settled, NumbersFromOutsideAreAskedOnce) {
  expectReached(false, {
                           "if (on) return x * 3; if (on)",
                           "if (n > 3) return x * 3; if (n == 5)",
                           "if (p > 0.5) return x * 3; if (p > 0.75)",
                           "if (flag_) return x * 3; if (flag_)",
                           "if (x.size(0) > 3 || on) return x * 3; if (x.size(0) > 3)",
                           "for (int64_t i = 0; i < n; ++i) { TORCH_CHECK(!on); } if (on) return x * 3; if (on)",
                       });
  expectReached(true, {
                          "if (on) return x * 3; if (!on)",
                          "if (n > 3) return x * 3; if (n == 2)",
                          "if (p > 0.75) return x * 3; if (p > 0.5)",
                          "bool b = on; if (b) return x * 3; b = heavy(x); if (b)",
                          "int64_t k = n; if (k > 3) return x * 3; k += 2; if (k > 3)",
                          "if (heavy(x)) return x * 3; if (heavy(x))",
                          "if (on) { TORCH_CHECK(n > 3); } if (n < 3)",
                      });
}

TEST(Settled, ConditionsMadeOfOthers) {
  expectWrites(false,
               {
                   "if (x.size(0) > 3 && x.size(1) > 3) return x * 3; if (x.size(0) > 3) { if (x.size(1) > 3) WRITE }",
                   "const bool own = x.size(0) > 3 && x.is_contiguous(); if (own) return x * 3; if (own) WRITE",
                   "const bool own = x.size(0) > 3 || y.dim() > 2; if (!own) return x * 3; if (y.dim() <= 2) { if "
                   "(x.size(0) <= 2) WRITE }",
                   "if (x.dim() > 2 && x.numel() > 9) return x * 3; if (x.numel() > 9 && x.dim() > 2) WRITE",
                   "if (x.dim() > 2 && y.dim() > 2) return x * 3; TORCH_CHECK(x.dim() == 4); if (y.dim() == 3) WRITE",
               });
  expectWrites(true,
               {
                   "if (x.size(0) > 3 && x.size(1) > 3) return x * 3; if (x.size(0) > 3) WRITE",
                   "if (x.dim() > 2 && x.numel() > 9) return x * 3; if (x.numel() > 9 && x.dim() > 1) WRITE",
                   "if (x.dim() > 2 || x.numel() > 9) return x * 3; if (x.dim() > 1) WRITE",
                   "if (x.dim() > 2) { if (x.dim() > 3 && x.numel() > 9) return x * 3; } if (x.numel() > 9) WRITE",
               });
}

TEST(Settled, TextsOptionalsAndContainersAreAskedOnce) {
  const std::vector<std::string> before{
      "#include <string>\n#include <vector>\n#include <optional>\nusing torch::Tensor;\nbool heavy();\n"
      "struct Config { std::string mode; bool ready() const; bool fast() const { return mode == \"fast\"; } };\n"
      "Tensor f(const Tensor &x, Config c, const Config &d, std::vector<int> v, std::optional<Tensor> o) {\n"};
  const auto expect = [&](bool runs, const std::vector<std::string> &bodies) {
    for (const std::string &body : bodies)
      EXPECT_AS_SAID(before.front() + body +
                     "\nreturn condlint::cond(x.any(), [](const Tensor &x) { return x * 2; },\n"
                     "[](const Tensor &x) { return x; }, {x});" +
                     (runs ? " // expect: error output-alias\n" : "\n") + "return x * 4; }\n")
          << body;
  };
  expect(false, {
                    "if (c.mode == \"fast\") return x * 3; if (c.mode == \"fast\")",
                    "TORCH_CHECK(d.mode != \"fast\"); if (d.mode == \"fast\")",
                    "if (!o.has_value()) return x * 3; if (!o)",
                    "if (v.empty()) return x * 3; if (v.empty())",
                    "if (v.size() > 3) return x * 3; if (v.size() > 3)",
                    "const bool slow = heavy(); if (slow) return x * 3; if (slow)",
                });
  expect(true, {
                   "if (c.mode == \"fast\") return x * 3; if (c.mode == \"slow\")",
                   "if (c.mode == \"fast\") return x * 3; if (d.mode == \"fast\")",
                   "if (c.mode == \"fast\") return x * 3; c.mode += \"t\"; if (c.mode == \"fast\")",
                   "if (d.ready()) return x * 3; if (d.ready())",
                   "if (v.empty()) return x * 3; v.pop_back(); if (v.empty())",
                   "if (heavy()) return x * 3; if (heavy())",
               });
}

TEST(Settled, SafeCopies) {
  for (const char *copy : {"x.is_contiguous() ? x.clone() : x.contiguous()",
                           "x.dtype() == torch::kFloat ? x.clone() : x.to(torch::kFloat)"})
    EXPECT_EQ(checkSource("using torch::Tensor;\nTensor f(const Tensor &x) {\n"
                          "return condlint::cond(x.any(), [](const Tensor &x) { Tensor z = " +
                          std::string(copy) +
                          "; z.add_(1); return x * 2; }, [](const Tensor &x) { return x * 1; }, {x}); }\n")
                  .verdict("input-mutation", 3),
              "proved")
        << copy;
  expectWrites(false,
               {
                   "Tensor z = x.contiguous(); if (z.data_ptr() == x.data_ptr()) z = z.clone(); z.add_(1);"
                   "if (false) WRITE",
                   "Tensor z = x.to(torch::kFloat); if (z.is_same(x)) z = z.clone(); z.add_(1); if (false) WRITE",
                   "Tensor z = x.contiguous(); if (z.data_ptr() != x.data_ptr()) z.add_(1); if (false) WRITE",
               });
  // A view that begins elsewhere is one all the same.
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { // expect-unknown: input-mutation
    torch::Tensor z = x[1];
    if (z.data_ptr() != x.data_ptr())
      z.add_(1);
    return x * 2;
  }, [](const torch::Tensor &x) { return x * 1; }, {x});
}
torch::Tensor g(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { // expect-unknown: input-mutation
    torch::Tensor z = x.contiguous();
    if (z.data_ptr<float>() + 4 != x.data_ptr<float>())
      z.add_(1);
    return x * 2;
  }, [](const torch::Tensor &x) { return x * 1; }, {x});
}
torch::Tensor h(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) {
    torch::Tensor z = x.is_contiguous() ? x.contiguous() : x.clone();
    z.add_(1); // expect: error input-mutation
    return x * 2;
  }, [](const torch::Tensor &x) { return x * 1; }, {x});
})");
}

TEST(Settled, WhatHoldsOfAnOperandHoldsInTheBranch) {
  const std::string before = "TORCH_CHECK(x.size(0) > 3 && x.is_contiguous() && x.sizes() == y.sizes());\n";
  expectWrites(false,
               {"if (x.size(0) <= 3) WRITE", "if (!x.is_contiguous()) WRITE", "if (x.sizes() != y.sizes()) WRITE"},
               before);
  expectWrites(true, {"if (x.size(0) <= 5) WRITE", "if (!y.is_contiguous()) WRITE"}, before);
}

TEST(Settled, SizesThatACheckExcludesShowNoDifference) {
  // The one branch yields 2 * (N / 2) elements, the other N.
  const auto source = [](const std::string &check, const std::string &inBranch, bool differ) {
    return "using torch::Tensor;\nTensor f(const Tensor &x) {\nCONDLINT_TENSOR(x, Float, \"N\");\n" + check +
           "\nreturn condlint::cond(x.any(), [](const Tensor &x) { " + inBranch +
           " return torch::zeros({x.size(0) / 2 * 2}); },\n[](const Tensor &x) { return x * 1; }, {x}); }" +
           (differ ? "" : "\n");
  };
  for (const char *check : {"TORCH_CHECK(x.size(0) % 2 == 0);", "if (x.size(0) % 2 != 0) return x * 2;"})
    for (const std::string &text : {source(check, "", false), source("", check, false)})
      EXPECT_EQ(differences(text, "torch@2.6"), "") << text;
  for (const char *check : {"", "TORCH_CHECK(x.size(0) > 3);", "if (x.size(0) == 1) return x * 2;"}) {
    const Checked found = checkSource(source(check, "", true), "torch@2.6");
    EXPECT_TRUE(found.verdict("output-shape", 5).starts_with("possible")) << check;
  }
}

TEST(Settled, ASqueezedAxisMayBeOne) {
  const auto verdict = [](const std::string &before, const std::string &other) {
    return checkSource("using torch::Tensor;\nTensor f(const Tensor &x) {\nCONDLINT_TENSOR(x, Float, \"N\", 4);\n" +
                       before +
                       "\nreturn condlint::cond(x.any(), [](const Tensor &x) { return x.squeeze(0) * 1; },\n"
                       "[](const Tensor &x) { return " +
                       other + "; }, {x}); }\n")
        .verdict("output-rank", 5);
  };
  EXPECT_TRUE(verdict("", "x * 1").starts_with("possible"));
  EXPECT_TRUE(verdict("", "x.sum(0)").starts_with("possible"));
  EXPECT_TRUE(verdict("TORCH_CHECK(x.size(0) > 1);", "x * 1").starts_with("unknown"));
}

TEST(Settled, WhatIsResizedInPlaceIsAskedAnew) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  return condlint::cond(x.any(), [](const torch::Tensor &x, const torch::Tensor &y) {
    torch::Tensor z = x.clone();
    const auto before = z.dim();
    if (z.dim() == 2)
      return y * 2;
    z.set_(y);
    if (z.dim() == 2)
      y.add_(1); // expect: error input-mutation
    if (before == 2)
      y.add_(1);
    return y * 3;
  }, [](const torch::Tensor &x, const torch::Tensor &y) { return y * 1; }, {x, y});
})");
}

} // namespace
} // namespace condlint::test
