//===- LeftTest.cpp - What follows an operand or arm that may not return --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `f && (throw 1, true);` and further down `if (f) y.add_(1);`: the write is never reached.
// Each way to leave, from within an expression, an arm or a function that is called, with
// what is never reached behind it, and with its near miss.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// The verdict on writes to the operand `y` of a branch that does \p body.
std::string verdictOf(const std::string &body) {
  const std::string source = R"(#include <stdexcept>
[[noreturn]] bool die();
bool ask();
int count(int);
inline void need(bool c) { if (!c) throw std::runtime_error("no"); }
inline void needBoth(bool a, bool b) { if (a) { if (!b) throw std::runtime_error("no"); } }
inline bool reject(bool c) { if (c) throw std::runtime_error("no"); return true; }
inline bool is(bool c) { if (c) return true; return false; }
inline bool adds(torch::Tensor t) { t.add_(1); return true; }
torch::Tensor f(torch::Tensor x, torch::Tensor p, bool f, bool g, int n) {
  return condlint::cond(p, [=](torch::Tensor y) -> torch::Tensor { )" +
                             body + " return y.exp(); }, [](torch::Tensor y) { return y.cos(); }, {x});\n}\n";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict("input-mutation", line);
  return verdict.substr(0, verdict.find(':')); // without the reason
}

void expectWritten(std::initializer_list<const char *> bodies) {
  for (const char *body : bodies)
    EXPECT_EQ(verdictOf(body), "violated") << body;
}

/// No execution writes: it is not always seen, but nobody is blamed.
void expectNotWritten(std::initializer_list<const char *> bodies) {
  for (const char *body : bodies)
    EXPECT_NE(verdictOf(body), "violated") << body;
}

TEST(Left, AnOperandThatThrows) {
  expectNotWritten({
      "f && (throw 1, true); if (f) y.add_(1);",
      "f || (throw 1, true); if (!f) y.add_(1);",
      "bool d = f && (throw 1, true); if (d) y.add_(1);",
      "if (f && (throw 1, true)) y.add_(1);",
      "f && die(); if (f) y.add_(1);",
      "(f && g) && (throw 1, true); if (f && g) y.add_(1);",
      "f && (g && (throw 1, true)); if (f) { if (g) y.add_(1); }",
      "(f || g) && (throw 1, true); if (g) y.add_(1);",
      "n > 3 && (throw 1, true); if (n > 4) y.add_(1);",
      "int d = f ? throw 1 : 3; if (f) y.add_(1);",
      "g && ({ if (f) return y.exp(); true; }); if (f && g) y.add_(1);",
      "f && !f && adds(y);",
      "if (f) return y.exp(); if (f && adds(y)) y = y * 2;",
  });
  expectWritten({
      "f && (throw 1, true); if (!f) y.add_(1);",
      "f || (throw 1, true); if (f) y.add_(1);",
      "(f && g) && (throw 1, true); if (f) y.add_(1);",
      "f && (g && (throw 1, true)); if (f) y.add_(1);",
      "n > 3 && (throw 1, true); if (n > 2) y.add_(1);",
      "int d = f ? throw 1 : 3; if (d == 3) y.add_(1);",
      "f && adds(y);",
      "f || adds(y);",
      "f && g && adds(y);",
      "if (f) return y.exp(); if (n > 2 && adds(y)) y = y * 2;",
  });
}

TEST(Left, WithinAnArm) {
  expectNotWritten({
      "if (f) { if (g) throw 1; } if (f && g) y.add_(1);",
      "if (f) { if (g) return y.sin(); } if (f) { if (g) y.add_(1); }",
      "if (f) { if (!g) return y.sin(); } else { if (g) throw 1; } if (f != g) y.add_(1);",
      "if (f) TORCH_CHECK(g, \"no\"); if (f) { if (!g) y.add_(1); }",
      "switch (n) { case 1: if (f) return y.sin(); break; default: break; } if (n == 1) { if (f) y.add_(1); }",
  });
  expectWritten({
      "if (f) { if (g) throw 1; } if (f) y.add_(1);",
      "if (f) { if (g) return y.sin(); } if (g) y.add_(1);",
      "if (f) { if (n > 2) return y.sin(); } if (f && n > 1) y.add_(1);",
      "if (f) { try { if (g) throw 1; } catch (...) {} } y = y; if (g) y.add_(1);",
  });
}

TEST(Left, WithinAFunctionThatIsCalled) {
  expectNotWritten({
      "need(f); if (!f) y.add_(1);",
      "needBoth(f, g); if (f) { if (!g) y.add_(1); }",
      "needBoth(f, g); if (f && !g) y.add_(1);",
      "reject(f) && reject(g); if (f || g) y.add_(1);",
      "g && reject(f); if (g && f) y.add_(1);",
      "auto q = [&] { return f ? throw 1 : true; }; g && q(); if (f && g) y.add_(1);",
  });
  expectWritten({
      "need(f); if (f) y.add_(1);",
      "need(f); if (g) y.add_(1);",
      "needBoth(f, g); if (f) y.add_(1);",
      "needBoth(f, g); if (!g) y.add_(1);",
      "g && reject(f); if (f) y.add_(1);",
      "is(f); if (f) y.add_(1);",
      "is(f); is(g); if (f && g) y.add_(1);",
  });
}

TEST(Left, AFunctionThatIsAskedAgain) {
  expectNotWritten({
      "if (ask()) return y.sin(); if (ask()) y.add_(1);",
      "if (count(1) > 2) return y.sin(); if (count(1) > 2) y.add_(1);",
  });
  expectWritten({
      "if (ask()) y = y.view(-1); if (f) y.add_(1);",
      "if (ask()) return y.sin(); if (f) y.add_(1);",
      "if (count(1) > 2) return y.sin(); if (count(2) > 2) y.add_(1);",
      "if (count(1) > 2) return y.sin(); if (ask()) y.add_(1);",
  });
}

TEST(Left, WhatIsCaughtIsGoneOnFrom) {
  expectWritten({
      "try { if (f) throw 1; } catch (int) {} if (f) y.add_(1);",
      "try { reject(f); } catch (...) {} if (f) y.add_(1);",
  });
  expectNotWritten({
      "try { if (f) throw 1; } catch (int) { return y.sin(); } if (f) y.add_(1);",
  });
}

} // namespace
} // namespace condlint::test
