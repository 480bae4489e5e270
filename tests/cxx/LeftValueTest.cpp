//===- LeftValueTest.cpp - What stands in a variable on the way out -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (n > 1) y = a;` and further down `if (n > 1) return other;`: behind it `y` never is `a`. Each way in
// which a variable comes to be one of several tensors, with what excludes one of them, and its near miss.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// The verdict on views of the operand `a` that a branch returns which does \p body to `y` and returns it.
std::string verdictOf(const std::string &body, std::string_view rule = "output-alias") {
  const std::string source = R"(#include <coroutine>
#include <list>
#include <memory>
#include <variant>
#include <vector>
using torch::Tensor;
bool ask();
struct Task {
  struct promise_type {
    Tensor v;
    Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(Tensor t) { v = t; }
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
  bool await_ready() const { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  Tensor await_resume() { return h.promise().v; }
  Tensor get() { return h.promise().v; }
};
inline Task itself(Tensor x) { co_return x; }
inline Task twice(Tensor x) { Tensor t = co_await itself(x); co_return t; }
struct Through { Tensor *to; const Tensor *from; void go() const; };
std::shared_ptr<Tensor> kept(const Tensor &);
std::list<Tensor> listed(const Tensor &);
std::variant<int, Tensor> either(const Tensor &);
struct Held { Tensor *t; };
Held held(const Tensor &);
void take(const Held &);
void takeThrough(const Held *);
Tensor f(Tensor x, Tensor p, bool f, bool g, bool h, int n, const std::vector<int> &v) {
  CONDLINT_TENSOR(x, Float, 2, 3);
  return condlint::cond(p, [=](Tensor a) -> Tensor { Tensor y = a.exp(); )" +
                             body + " return y; }, [](Tensor a) { return a.cos(); }, {x});\n}\n";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict(std::string(rule), line);
  return verdict.substr(0, verdict.find(':')); // without the reason
}

void expectView(std::initializer_list<const char *> bodies) {
  for (const char *body : bodies)
    EXPECT_EQ(verdictOf(body), "violated") << body;
}

/// No execution returns one: it is not always seen, but nobody is blamed.
void expectNoView(std::initializer_list<const char *> bodies) {
  for (const char *body : bodies)
    EXPECT_NE(verdictOf(body), "violated") << body;
}

TEST(LeftValue, BehindALoop) {
  expectNoView({
      "for (int i = 0; i < n; ++i) { if (i > 0) y = a; if (i % 2 == 1) return a.sin(); }",
      "for (int i = 0; i < n; ++i) { if (i == 5) y = a; if (i == 3) break; }",
      "for (int i = 0; i < n; ++i) { if (i == 3) break; if (i == 5) y = a; }",
      "for (int i = 0; i < n; ++i) { if (i > 0) y = a; if (i > 0) return a.sin(); }",
      "for (int i = 0; i < n; ++i) { if (i > 0) y = a; if (i > 0) throw 1; }",
      "for (int i = 0; i < n; ++i) { if (i > 0) y = a; } if (n > 1) return a.sin();",
      "for (int i = 0; i < n; ++i) { if (g) y = a; } if (g) return a.sin();",
      "for (int i = 0; i < n; ++i) { for (int j = 0; j < i; ++j) y = a; if (i > 0) return a.sin(); }",
      "bool on = false; for (int i = 0; i < n; ++i) { if (i > 3) { on = true; y = a; } } if (on) return a.sin();",
      "bool on = true; int m = n; while (m-- > 0) { y = a; on = false; } return on ? y : a.sin();",
      "int c = 0, m = n; while (m-- > 0) { ++c; y = a; } if (c > 0) return a.sin();",
      "Tensor z; for (int k : v) { z = a; y = a; } if (!z.defined()) return y; y = a.sin();",
      "for (int k : v) { y = a; } if (!v.empty()) return a.sin();",
  });
  expectView({
      "for (int i = 0; i < n; ++i) y = a;",
      "for (int i = 0; i < n; ++i) { if (i == 2) y = a; }",
      "for (int i = 0; i < n; ++i) { if (g) break; y = a; }",
      "for (int i = 0; i < n; ++i) { y = a; if (i > 2) break; }",
      "for (int k : v) { if (k == 3) { y = a; break; } }",
      "for (int i = 0; i < n; ++i) { y = a; } if (g) return a.sin();",
      "int m = n; do { y = a; --m; } while (m > 0);",
  });
}

TEST(LeftValue, WithinAnArm) {
  expectNoView({
      "if (f) { if (g) y = a; } if (g) return a.sin();",
      "if (f) { for (int i = 0; i < 3; ++i) if (g) y = a; } if (g) return a.sin();",
      "if (f) { if (g) { if (h) y = a; } } if (h) return a.sin();",
      "try { if (n > 0) y = a; if (n > 0) throw 1; } catch (int) { y = a.sin(); }",
      "do { if (n > 1) y = a; if (n > 1) break; return y; } while (false); y = a.sin();",
  });
  expectView({
      "if (f) { if (g) y = a; }",
      "if (f) { if (g) y = a; } if (h) return a.sin();",
      "if (f) { y = a; } else if (g) { y = a.sin(); }",
      "try { if (n > 0) y = a; } catch (int) { y = a.sin(); }",
  });
}

// That the arm is ever run is not certain.
TEST(LeftValue, OfAnArmInDoubt) {
  expectNoView({
      "int k = 0; if (f) k = 1; if (f && k == 0) y = a;",
      "int k = 0; if (f) k = 1; if (f && k == 0) { if (g) y = a; }",
      "int k = 0; if (f) k = 1; do { if (f && k == 0) { y = a; break; } y = a.cos(); } while (false);",
      "int k = 0; if (f) k = 1; y = f && k == 0 ? a : a.cos();",
      "int k = 0; if (f) k = 1; auto get = [&]() -> Tensor { if (f && k == 0) return a; return a.cos(); }; y = get();",
      "int k = 0; if (f) k = 1; for (int i = 0; i < n; ++i) if (f && k == 0) { y = a; break; }",
  });
  expectView({
      "int k = 0; if (f) k = 1; if (g) y = a;",
      "y = f && g ? a : a.cos();",
      "auto get = [&]() -> Tensor { if (f) return a; return a.cos(); }; y = get();",
  });
}

// What stands behind what unseen code gives back, and coroutines.
TEST(LeftValue, OfCodeThatIsNotSeen) {
  for (const char *body : {"y = *kept(a);", "y = listed(a).front();", "y = std::get<1>(either(a));",
                           "y = itself(a).get();", "y = twice(a).get();"})
    EXPECT_EQ(verdictOf(body), "unknown") << body;
  for (const char *body : {"Through w{&y, &a}; w.go();", "take({&y});", "Held one{&y}; takeThrough(&one);",
                           "[&]() -> Task { y = a.to(torch::kDouble); co_return y; }();"})
    EXPECT_EQ(verdictOf(body, "output-dtype"), "unknown") << body;
  EXPECT_EQ(verdictOf("Tensor z = a.exp(); Through w{&z, &y}; w.go();", "output-dtype"), "proved");
}

// A coroutine is read as any function is; what comes back from a suspension is not known.
TEST(LeftValue, AConditionalInACoroutine) {
  EXPECT_AS_SAID(R"(
#include <coroutine>
using torch::Tensor;
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(Tensor) { return {}; }
    void return_value(Tensor) {}
    void unhandled_exception() {}
  };
  bool await_ready() const { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  Tensor await_resume() { return {}; }
};
Task make(Tensor x);
Task returned(Tensor x, Tensor p) {
  co_return condlint::cond(p, [](Tensor a) { return a.to(torch::kInt); }, [](Tensor a) { return a > 0; }, {x}); // expect: error output-dtype
}
Task awaited(Tensor x, Tensor p) {
  CONDLINT_TENSOR(x, Float, 2, 3);
  Tensor t = co_await make(condlint::cond(p, [](Tensor a) { return a.exp(); }, [](Tensor a) { return a.sum(); }, {x})); // expect: error output-rank
  co_yield condlint::cond(p, [](Tensor a) { return a.exp(); }, [](Tensor a) { return a.to(torch::kFloat).clone(); }, {t}); // expect-unknown: output-dtype
  co_return t;
}
)");
}

} // namespace
} // namespace condlint::test
