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
static bool mine, own;
void setMine() { mine = true; }
struct Options { bool inplace = false; int mode = 0; };
inline void need(bool c) { if (!c) throw std::runtime_error("no"); }
inline void needBoth(bool a, bool b) { if (a) { if (!b) throw std::runtime_error("no"); } }
inline bool reject(bool c) { if (c) throw std::runtime_error("no"); return true; }
inline bool is(bool c) { if (c) return true; return false; }
inline bool adds(torch::Tensor t) { t.add_(1); return true; }
torch::Tensor f(torch::Tensor x, torch::Tensor p, bool f, bool g, int n, const Options &o) {
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

// Which way a block of `try` was left decides what was written in it.
TEST(Left, ABlockThatAnExceptionEnds) {
  expectNotWritten({
      "bool on = false; try { if (f) throw 1; on = true; } catch (int) {} if (f && on) y.add_(1);",
      "bool on = true; try { if (f) throw 1; on = false; } catch (int) {} if (!f && on) y.add_(1);",
      "bool bad = false; try { if (!f) throw 1; } catch (int) { bad = true; } if (f && bad) y.add_(1);",
      "int k = 0; try { k = 1; if (f) throw 1; k = 2; } catch (int) {} if (f) { if (k == 2) y.add_(1); }",
      "bool on = false; try { f && (throw 1, true); on = true; } catch (int) {} if (f && on) y.add_(1);",
      "bool on = false; try { reject(f); on = true; } catch (...) {} if (f && on) y.add_(1);",
      "bool on = false; try { if (f) { if (g) throw 1; } on = true; } catch (int) {} if (f && g && on) y.add_(1);",
  });
  expectWritten({
      "bool on = false; try { if (f) throw 1; on = true; } catch (int) {} if (on) y.add_(1);",
      "bool on = false; try { if (f) throw 1; on = true; } catch (int) {} if (g && on) y.add_(1);",
      "bool on = false; try { if (f) throw 1; on = true; } catch (int) { throw; } if (on) y.add_(1);",
      "int k = 0; try { k = 1; if (f) throw 1; k = 2; } catch (int) { k += 10; } if (k == 2) y.add_(1);",
  });
}

// One of several tensors, and a question that hangs together with the one that chose it, or with none.
TEST(Left, AVariableThatWasMadeOfWhatChose) {
  expectNotWritten({
      "int k = 0; if (f) k = 1; if (k) y = y.clone(); if (f) y.add_(1);",
      "bool k = false; if (f) k = true; if (f) y = y.clone(); if (k) y.add_(1);",
      "int k = f ? 3 : 4; if (k == 3) y = y.clone(); if (f) y.add_(1);",
      "int k = 0; for (int i = 0; i < n; ++i) ++k; if (k > 0) y = y.clone(); if (n > 0) y.add_(1);",
      "if (o.mode > 1) y = y.clone(); if (o.mode > 2) y.add_(1);",
  });
  expectWritten({
      "if (f) y = y.clone(); if (g) y.add_(1);",
      "if (o.mode > 1) y = y.clone(); if (o.inplace) y.add_(1);",
      "int k = 0; if (f) k = 1; if (k) y = y.clone(); if (g) y.add_(1);",
  });
}

// What a tensor is asked for by two names may be one and the same.
TEST(Left, TwoQuestionsOfOneTensor) {
  expectNotWritten({
      "if (y.is_floating_point()) return y.exp(); if (y.scalar_type() == torch::kHalf) y.add_(1);",
      "if (y.numel() == 0) return y.exp(); if (y.size(0) == 0) y.add_(1);",
      "if (y.is_contiguous()) return y.exp(); if (y.dim() == 0) y.add_(1);",
      "if (y.is_cuda()) return y.exp(); if (y.device().is_cuda()) y.add_(1);",
      "auto z = y; if (y.scalar_type() == torch::kHalf) z = y.clone(); if (y.dtype() == torch::kHalf) z.add_(1);",
  });
  expectWritten({
      "if (y.is_cuda()) return y.exp(); if (y.scalar_type() == torch::kHalf) y.add_(1);",
      "if (y.is_cuda()) return y.exp(); if (y.dim() == 3) y.add_(1);",
      "auto z = y; if (y.scalar_type() == torch::kHalf) z = y.clone(); if (y.is_cuda()) z.add_(1);",
  });
}

// Code that is not seen cannot name a static variable; a function of the unit that it may call can.
TEST(Left, AStaticVariableThatOthersSet) {
  expectNotWritten({"own = false; ask(); if (own) y.add_(1);"});
  EXPECT_NE(verdictOf("mine = false; ask(); if (mine) y.add_(1);"), "proved");
  EXPECT_EQ(verdictOf("mine = false; if (mine) y.add_(1);"), "proved");
}

} // namespace
} // namespace condlint::test
