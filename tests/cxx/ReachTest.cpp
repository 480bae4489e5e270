//===- ReachTest.cpp - Code that no execution comes to --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands behind a loop, a `switch`, a `try` or a condition that always leaves is not
// held against the code; what some execution comes to is.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// The verdicts on writes to operands of branches that do what each of \p bodies does with `a`, `f`, `g` and `n`.
std::vector<std::string> writesOf(const std::vector<std::string> &bodies) {
  std::string source = R"(#include <cstdlib>
#include <vector>
[[noreturn]] void stop();
bool ask();
constexpr bool always() { return true; }
)";
  const auto first = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) + 1;
  for (const std::string &body : bodies)
    source += "torch::Tensor f" + std::to_string(&body - bodies.data()) +
              "(torch::Tensor x, torch::Tensor p, bool f, bool g, int n) { CONDLINT_TENSOR(x, Float, 2, 3); return "
              "condlint::cond(p, [=](torch::Tensor a) -> torch::Tensor { " +
              body + " return a + 3; }, [](torch::Tensor a) { return a + 1; }, {x}); }\n";
  const Checked checked = checkSource(source);
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    out.push_back(checked.verdict("input-mutation", first + i));
  for (std::string &verdict : out)
    verdict = verdict.substr(0, verdict.find(':')); // without the reason
  return out;
}

TEST(Reach, WhatNoExecutionComesToIsNotHeldAgainstTheCode) {
  const std::vector<std::string> bodies{
      "for (;;) { if (a.size(0) > 0) return a + 1; else return a + 2; } a.add_(1);",
      "while (true) { return a + 1; } a.add_(1);",
      "do { return a + 1; } while (f); a.add_(1);",
      "for (int i = 0; i < 3; ++i) { return a + i; } a.add_(1);",
      "for (int i = 0; i < 3; ++i) { if (f) return a + i; else return a + 2; } a.add_(1);",
      "for (int i = 0; i < 3; ++i) { if (f) continue; return a + i; } if (!f) a.add_(1);",
      "if (n > 2) { for (int i = 0; i < n; ++i) return a + 1; a.add_(1); }",
      "if (n == 3) { for (int i = 0; i < n; ++i) return a + 1; a.add_(1); }",
      "if (n == 3) { for (int i = 0; i < n; ++i) if (i == 2) return a + 1; a.add_(1); }",
      "if (n > 2) { int i = 0; while (i < n) { ++i; return a + 1; } a.add_(1); }",
      "if (n > 2) { for (int i = 0; i < n; ++i) { if (i == 1) return a + 1; } a.add_(1); }",
      "if (n > 0) { for (int i = n; i > 0; --i) { return a + 1; } a.add_(1); }",
      "if (n != 0) { while (n != 0) { return a + 1; } a.add_(1); }",
      "if (n) { while (n) { return a + 1; } a.add_(1); }",
      "for (int i = 0; i < n; ++i) return a + 1; if (n > 0) a.add_(1);",
      "for (int i = 0; i < n; ++i) return a + 1; if (n > 2) a.add_(1);",
      "for (int i = 0; i < n; ++i) { if (f) return a + 1; return a + 2; } if (n == 3) a.add_(1);",
      "while (f) { return a + 1; } if (f) a.add_(1);",
      "while (f) { return a + 1; } if (f && g) a.add_(1);",
      "for (; f;) { return a + 1; } if (f) a.add_(1);",
      "if (f) return a + 1; if (f) a.add_(1);",
      "if (f) throw 1; if (f) a.add_(1);",
      "if (f) abort(); if (f) a.add_(1);",
      "if (f) std::exit(1); if (f) a.add_(1);",
      "if (f) stop(); if (f) a.add_(1);",
      "stop(); a.add_(1);",
      "throw 1; a.add_(1);",
      "TORCH_CHECK(!f); if (f) a.add_(1);",
      "TORCH_CHECK(false, \"no\"); a.add_(1);",
      "switch (n) { case 1: return a + 1; default: return a + 2; } a.add_(1);",
      "switch (n) { case 1: return a + 1; default: break; } if (n == 1) a.add_(1);",
      "switch (n) { case 1: case 2: return a + 1; } if (n == 2) a.add_(1);",
      "switch (3) { case 3: return a + 1; } a.add_(1);",
      "switch (n) { case 1: return a + 1; a.add_(1); default: ; }",
      "switch (n) { a.add_(1); case 1: return a + 1; }",
      "switch (f) { case true: return a + 1; case false: return a + 2; } a.add_(1);",
      "try { return a + 1; } catch (...) { return a + 2; } a.add_(1);",
      "try { throw 1; } catch (...) { return a + 2; } a.add_(1);",
      "try { throw 1; a.add_(1); } catch (...) { return a + 2; }",
      "goto end; a.add_(1); end: ;",
      "if (f) goto end; else return a + 1; a.add_(1); end: ;",
      "for (auto &t : std::vector<torch::Tensor>{a, a}) { return t + 1; } a.add_(1);",
      "std::vector<torch::Tensor> v{a}; for (auto &t : v) { return t + 1; } a.add_(1);",
      "std::vector<torch::Tensor> v; for (auto &t : v) { t.add_(1); } ",
      "std::vector<torch::Tensor> v; if (f) v.push_back(a); v.push_back(a); for (auto &t : v) { return t + 1; } "
      "a.add_(1);",
      "std::vector<torch::Tensor> v{a}; for (int i = 0; i < n; ++i) v.push_back(a); for (auto &t : v) { return t + 1; "
      "} a.add_(1);",
      "std::vector<torch::Tensor> v{a}; for (int i = 0; i < n; ++i) v.push_back(a); for (int i = 0; i < (int)v.size(); "
      "++i) { return v[i] + 1; } a.add_(1);",
      "std::vector<torch::Tensor> v{a}; for (int i = 0; i < n; ++i) v.push_back(a); if (v.size() > 0) return a + 1; "
      "a.add_(1);",
      "std::vector<torch::Tensor> v{a}; for (int i = 0; i < n; ++i) v.push_back(a); if (!v.empty()) return a + 1; "
      "a.add_(1);",
      "for (int i = 0; i < 3; ++i) { for (int j = 0; j < 2; ++j) { if (i == 1) return a + 1; } } a.add_(1);",
      "for (int i = 0; i < 3; ++i) { break; a.add_(1); }",
      "for (int i = 0; i < n; ++i) { break; a.add_(1); }",
      "for (int i = 0; i < n; ++i) { continue; a.add_(1); }",
      "for (int i = 0; i < n; ++i) { if (f) break; else continue; a.add_(1); }",
      "while (true) { if (f) return a + 1; if (!f) return a + 2; a.add_(1); }",
      "bool done = false; for (int i = 0; i < n && !done; ++i) { done = true; } if (done && n == 0) a.add_(1);",
      "bool done = false; for (int i = 0; i < 3; ++i) { done = true; } if (!done) a.add_(1);",
      "int k = 0; for (int i = 0; i < 3; ++i) { ++k; } if (k != 3) a.add_(1);",
      "int k = 0; while (k < n) ++k; if (k < n) a.add_(1);",
      "int k = 0; for (;;) { if (k == n) break; ++k; } if (k != n) a.add_(1);",
      "for (int i = 0; i < n; ++i) { if (i < 0) a.add_(1); }",
      "for (int i = 0; i < n; ++i) { if (i >= n) a.add_(1); }",
      "for (int i = 0; i < n; ++i) { if (n == 0) a.add_(1); }",
      "for (int i = 1; i < n; ++i) { if (i == 0) a.add_(1); }",
      "for (int i = n; i-- > 0;) { if (i == n) a.add_(1); }",
      "[&] { return; a.add_(1); }();",
      "auto h = [&](bool q) -> bool { if (q) return true; return false; }; if (h(f)) return a + 1; if (f) a.add_(1);",
      "if (!f) { } else { return a + 1; } f ? (void)a.add_(1) : (void)0;",
      "if (always()) return a + 1; a.add_(1);",
      "for (int i = 0; i < 100; ++i) { if (i == 90) return a + 1; } a.add_(1);",
      "for (int i = 0; i < 100; ++i) { return a + 1; } a.add_(1);",
      "for (int i = 0; i < 100; ++i) { if (f) return a + 1; } if (f) a.add_(1);",
      "int i = 0; do { ++i; } while (i < 100); if (i < 100) a.add_(1);",
      "if (n > 2) { int i = 0; do { ++i; return a + 1; } while (i < n); a.add_(1); }",
      "if (n > 2) { bool any = false; for (int i = 0; i < n; ++i) any = true; if (!any) a.add_(1); }",
      "if (n > 2) { torch::Tensor r = a; for (int i = 0; i < n; ++i) r = a.clone(); r.add_(1); }",
      "if (n > 2) { torch::Tensor r = a; for (int i = 0; i < n; ++i) r = r.clone(); r.add_(1); }",
      "torch::Tensor r = a; for (int i = 0; i < 100; ++i) r = r.clone(); r.add_(1);",
      "torch::Tensor r = a; int i = 0; do { r = r.clone(); ++i; } while (i < n); r.add_(1);",
      "torch::Tensor r = a; for (;;) { r = r.clone(); if (ask()) break; } r.add_(1);",
      "torch::Tensor r = a; bool q = true; while (q) { r = r.clone(); q = ask(); } r.add_(1);",
      "torch::Tensor r = a; for (int i = 0; i < n; ++i) { r = r.clone(); } if (n > 0) r.add_(1);",
      "torch::Tensor r = a; if (n > 2) { r = r.clone(); } if (n > 3) r.add_(1);",
      "torch::Tensor r = a; if (f) { r = r.clone(); } if (f) r.add_(1);",
      "torch::Tensor r = a; if (!f) { if (g) r = r.clone(); else return r + 1; } else r = r.clone(); r.add_(1);",
      "torch::Tensor r = a; switch (n) { case 1: r = r.clone(); break; default: return a + 1; } r.add_(1);",
      "torch::Tensor r = a; try { r = r.clone(); } catch (...) { return a + 1; } r.add_(1);",
      "int k = f ? 1 : 0; if (k == 1) return a + 1; if (f) a.add_(1);",
      "int k = 0; if (f) k = 1; if (k) return a + 1; if (f) a.add_(1);",
      "if (a.dim() > 1) return a + 1; if (a.dim() == 2) a.add_(1);",
      "if (f || g) return a + 1; if (f) a.add_(1);",
      "if (!(f && g)) return a + 1; if (!f) a.add_(1);",
      "if (f == g) return a + 1; if (f && g) a.add_(1);",
      "if (f != g) return a + 1; if (f && !g) a.add_(1);",
      "if (f) { if (g) return a + 1; } else return a + 2; if (g) a.add_(1);",
      "for (bool q : {true, false}) { if (q == f) return a + 1; } a.add_(1);",
      "for (int i : {1, 2, 3}) { if (i == 2) return a + 1; } a.add_(1);",
      "int q[3] = {1, 2, 3}; for (int i : q) { if (i == 2) return a + 1; } a.add_(1);",
      "if (n > 2) if (n < 1) a.add_(1);",
      "if (n > 2 && n < 3) a.add_(1);",
      "if (n > 2) return a + 1; if (n > 3) a.add_(1);",
      "if (n % 2 == 0) return a + 1; if (n == 2) a.add_(1);",
      "if (n <= 2) return a + 1; while (n > 2) { return a + 1; } a.add_(1);",
      "if (n > 2) { for (int i = 0; i < n; ++i) { if (f) break; if (!f) break; a.add_(1); } }",
      "if (n > 2) { int i = 0; for (; i < n; ++i) { if (f) break; } if (!f && i < n) a.add_(1); }",
      "if (n > 2) { int i = 0; for (; i < n; ++i) { if (f) break; } if (f && i == n) a.add_(1); }",
  };
  const std::vector<std::string> verdicts = writesOf(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_NE(verdicts[i], "violated") << bodies[i];
    EXPECT_NE(verdicts[i], "absent") << bodies[i];
  }
}

TEST(Reach, WhatSomeExecutionComesToIs) {
  const std::vector<std::string> bodies{
      "for (int i = 0; i < n; ++i) return a + 1; a.add_(1);",
      "for (int i = 0; i < n; ++i) return a + 1; if (n < 1) a.add_(1);",
      "for (;;) { if (f) break; return a + 1; } a.add_(1);",
      "while (true) { if (f) break; } a.add_(1);",
      "do { if (f) break; return a + 1; } while (f); a.add_(1);",
      "do { if (f) continue; return a + 1; } while (false); a.add_(1);",
      "for (int i = 0; i < 3; ++i) { if (f) continue; return a + i; } a.add_(1);",
      "while (f) { return a + 1; } if (!f) a.add_(1);",
      "while (f) { return a + 1; } a.add_(1);",
      "if (f) return a + 1; if (!f) a.add_(1);",
      "if (f) stop(); a.add_(1);",
      "switch (n) { case 1: return a + 1; default: break; } if (n == 2) a.add_(1);",
      "switch (n) { case 1: return a + 1; case 2: a.add_(1); }",
      "switch (n) { case 1: return a + 1; } a.add_(1);",
      "switch (3) { case 2: return a + 1; } a.add_(1);",
      "try { a.add_(1); } catch (...) { return a + 2; }",
      "try { throw 1; } catch (...) { } a.add_(1);",
      "if (f) goto end; a.add_(1); end: ;",
      "goto end; end: a.add_(1);",
      "std::vector<torch::Tensor> v; for (auto &t : v) { return t + 1; } a.add_(1);",
      "std::vector<torch::Tensor> v; if (f) v.push_back(a); for (auto &t : v) { return t + 1; } a.add_(1);",
      "for (int i = 0; i < n; ++i) { if (f) continue; a.add_(1); }",
      "bool done = false; for (int i = 0; i < n; ++i) { done = true; } if (!done) a.add_(1);",
      "bool done = false; for (int i = 0; i < n; ++i) { done = true; } if (done) a.add_(1);",
      "for (int i = 0; i < n; ++i) { if (i == 1) a.add_(1); }",
      "torch::Tensor r = a; while (f && n > 2) { r = r.clone(); break; } r.add_(1);",
      "if (f || g) return a + 1; if (!f) a.add_(1);",
      "if (n > 2) return a + 1; if (n > 1) a.add_(1);",
      "for (int i : {1, 2, 3}) { if (i == 4) return a + 1; } a.add_(1);",
      "int i = 0; again: if (i < 3) { ++i; goto again; } a.add_(1);",
  };
  const std::vector<std::string> verdicts = writesOf(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    EXPECT_EQ(verdicts[i], "violated") << bodies[i];
}

// Whether a loop left before, or which of several tensors it is, hangs on what was asked before.
TEST(Reach, WhatMayBeComeToIsNotProved) {
  const std::vector<std::string> bodies{
      "if (n > 2) { for (int i = 0; i < n; ++i) if (f) return a + 1; a.add_(1); }",
      "if (n > 2) { for (int i = 3; i < n; ++i) return a + 1; a.add_(1); }",
      "if (n > 2) { for (int i = 0; i < n; ++i) if (i == 3) return a + 1; a.add_(1); }",
      "if (n == 3) { for (int i = 0; i < n; ++i) if (i == 3) return a + 1; a.add_(1); }",
      "for (int i = 0; i < 100; ++i) { if (i == 90) a.add_(1); }",
      "for (int i = 0; i < 100; ++i) { if (f) return a + 1; } a.add_(1);",
      "torch::Tensor r = a; for (int i = 0; i < n; ++i) r = r.clone(); r.add_(1);",
      "if (n > 2) { torch::Tensor r = a; for (int i = 3; i < n; ++i) r = a.clone(); r.add_(1); }",
      "torch::Tensor r = a; for (int i = 0; i < n; ++i) { r = r.clone(); } if (n < 1) r.add_(1);",
      "if (n > 2) { int i = 0; for (; i < n; ++i) { if (f) break; } if (i == n) a.add_(1); }",
  };
  const std::vector<std::string> verdicts = writesOf(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    EXPECT_TRUE(verdicts[i] == "violated" || verdicts[i] == "unknown") << bodies[i] << ": " << verdicts[i];
}

} // namespace
} // namespace condlint::test
