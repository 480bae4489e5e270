//===- FlowTest.cpp - Control flow in branches ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow in branches, macros, recursion, and code that does not compile.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Flow, BothArmsAreJoined) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  CONDLINT_DTYPE(x, Float);
  auto branch = [](const torch::Tensor &x) {
    torch::Tensor y;
    if (x.dim() == 1)
      y = x.unsqueeze(0).exp();
    else
      y = x.exp();
    auto z = x.size(0) > 4 ? y * 2 : y / 2;
    return z;
  };
  auto either = [](const torch::Tensor &x) { return x.dim() == 2 ? x.to(torch::kInt) : x.sin(); };
  auto z = condlint::cond(x.any(), branch, [](const torch::Tensor &x) { return x.sin(); }, {x});
  z = condlint::cond(x.any(), branch, [](const torch::Tensor &x) { return x.to(torch::kInt); }, {x}); // expect: error output-dtype
  z = condlint::cond(x.any(), branch, either, {x}); // expect-unknown: output-dtype
  return condlint::cond(x.any(),
      [](const torch::Tensor &x, const torch::Tensor &y) {
        torch::Tensor best = x;
        if (x.size(0) < y.size(0))
          best = y;
        best.zero_(); // expect: error input-mutation
        return x * 1;
      },
      [](const torch::Tensor &x, const torch::Tensor &y) {
        switch (x.dim()) {
        case 1:
          return x.sin();
        case 2:
          return y; // expect: error output-alias
        default:
          return x.cos();
        }
      }, {z, y});
}
)");
}

TEST(Flow, ASwitchIsFollowedWhereItsLabelsStandBeforeStatementsOfItsBody) {
  EXPECT_AS_SAID(R"(
struct Branches {
  static torch::Tensor whole(const torch::Tensor &x) { return x.to(torch::kInt); }
};
torch::Tensor f(const torch::Tensor &x, Branches given) {
  CONDLINT_TENSOR(x, Float, "N");
  auto sine = [](const torch::Tensor &x) { return x.sin(); };
  auto single = [](const torch::Tensor &x) {
    switch (x.dim())
    case 1:
      return x.to(torch::kInt);
    return x.sin();
  };
  auto passed = [](const torch::Tensor &x) {
    switch (x.dim())
    case 2:
      return x.to(torch::kInt);
    return x.cos();
  };
  auto inside = [](const torch::Tensor &x) {
    switch (x.dim()) {
      for (;;) {
      case 1:
        return x.to(torch::kInt);
      }
    }
    return x.sin();
  };
  auto z = condlint::cond(x.any(), single, sine, {x}); // expect: error output-dtype
  z = condlint::cond(x.any(), passed, sine, {x});
  z = condlint::cond(x.any(), given.whole, sine, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), inside, sine, {x});   // expect-unknown: output-dtype
}
)");
}

TEST(Flow, AJumpForwardLandsAtItsLabel) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  auto sine = [](const torch::Tensor &x) { return x.sin(); };
  auto skips = [](const torch::Tensor &x) {
    torch::Tensor y = x.exp();
    if (x.size(0) > 3)
      goto done;
    y = y * 2;
  done:
    return y;
  };
  auto outOfLoops = [](const torch::Tensor &x) {
    torch::Tensor y = x * 1;
    for (int64_t i = 0; i < x.size(0); ++i)
      for (int64_t k = 0; k < 4; ++k) {
        if (i + k > 5)
          goto found;
        y = y + k;
      }
    y = y.neg();
  found:
    return y;
  };
  auto writes = [](const torch::Tensor &x) {
    if (x.size(0) > 3)
      goto write;
    return x.exp();
  write:
    x.add_(1); // expect: error input-mutation
    return x.clone();
  };
  auto always = [](const torch::Tensor &x) {
    goto end;
    x.add_(1); // never
  end:
    return x.sum(0);
  };
  auto y = condlint::cond(x.any(), skips, sine, {x});
  y = condlint::cond(x.any(), outOfLoops, sine, {x});
  y = condlint::cond(x.any(), outOfLoops, [](const torch::Tensor &x) { return x.sum(); }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), writes, sine, {x});
  return condlint::cond(x.any(), always, sine, {x}); // expect: error output-rank
}
)");
}

TEST(Flow, AHandlerStartsFromAnyStateOfItsBlock) {
  EXPECT_AS_SAID(R"(
torch::Tensor risky(const torch::Tensor &x);
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 8);
  auto plain = [](const torch::Tensor &x) { return x.sin(); };
  // What it held in between, which the end of the block has overwritten.
  auto z = condlint::cond(x.any(), plain, [](const torch::Tensor &x) {
      torch::Tensor best = x.clone();
      try {
        best = x;
        risky(best.clone());
        best = x.cos();
      } catch (const c10::Error &) {
        best.zero_(); // expect: error input-mutation
        return x * 1;
      }
      return best * 1;
    }, {x});
  // What was written on the way that throws.
  z = condlint::cond(x.any(), plain, [](const torch::Tensor &x) { // expect-unknown: output-dtype
      torch::Tensor best = x.clone();
      try {
        if (x.size(0) > 3) {
          best = x.to(torch::kInt);
          TORCH_CHECK(false, "too many");
        }
        best = x.cos();
      } catch (const c10::Error &) {
        return best * 2;
      }
      return best * 1;
    }, {x});
  // A variable that each way sets anew is what it is set to.
  z = condlint::cond(x.any(), plain, [](const torch::Tensor &x) {
      torch::Tensor y;
      try {
        y = x.to(torch::kInt);
        y = x.tanh();
      } catch (const c10::Error &) {
        y = torch::zeros_like(x);
      }
      return y;
    }, {x});
  return condlint::cond(x.any(), plain, [](const torch::Tensor &x) {
      auto y = x.clone();
      try {
        y.add_(1);
        for (int i = 0; i < x.size(0); ++i)
          y = y + i;
      } catch (...) {
        y.zero_();
      }
      return y;
    }, {x});
}
)");
}

// Where a block ends in an exception for certain, what its handler starts from is what the block has left: that another
// one comes before is not held against the code.
TEST(Flow, AnExceptionThatIsThrownForCertainEndsInItsHandler) {
  EXPECT_AS_SAID(R"(
#include <stdexcept>
using torch::Tensor;
struct Stop { int code; };
Tensor f(const Tensor &x, const Tensor &p) {
  CONDLINT_TENSOR(x, Float, 2, 3);
  auto plain = [](const Tensor &x) { return x.sin(); };
  auto z = condlint::cond(p, plain, [](const Tensor &x) {
    Tensor t = x;
    try {
      t = t * 2;
      throw Stop{2}; // expect: error side-effect
    } catch (const Stop &stop) {
      return stop.code == 2 ? t : x;
    }
  }, {x});
  z = condlint::cond(p, plain, [](const Tensor &x) {
    Tensor t = x;
    try {
      try {
        throw 1; // expect: error side-effect
      } catch (int) {
        t = t * 2;
        throw; // expect: error side-effect
      }
    } catch (int) {
      t.add_(1);
    }
    return t * 1;
  }, {x});
  z = condlint::cond(p, plain, [](const Tensor &x) {
    try {
      throw 1; // expect: error side-effect
    } catch (int) {
      x.add_(1); // expect: error input-mutation
    }
    return x * 1;
  }, {x});
  // Of a condition either is.
  return condlint::cond(p, plain, [](const Tensor &x) {
    Tensor t = x;
    try {
      if (x.size(0) > 1)
        throw 1; // expect: error side-effect
      t = t * 2;
    } catch (int) {
      t.add_(1); // expect: error input-mutation
    }
    return t * 1;
  }, {x});
}
)");
}

TEST(Flow, RecursionEnds) {
  EXPECT_AS_SAID(R"(
torch::Tensor down(const torch::Tensor &x, int n) { return n == 0 ? x * 2 : down(x, n - 1) + 1; }
torch::Tensor even(const torch::Tensor &x, int n);
torch::Tensor odd(const torch::Tensor &x, int n) { return n == 0 ? x : even(x, n - 1); }
torch::Tensor even(const torch::Tensor &x, int n) { return n == 0 ? x : odd(x, n - 1); }
template <int N> torch::Tensor levels(const torch::Tensor &x) {
  if constexpr (N == 0)
    return x.argmax();
  else
    return levels<N - 1>(x);
}
torch::Tensor f(const torch::Tensor &x, int n) {
  auto mean = [](const torch::Tensor &x) { return x.mean(); };
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return down(x, 1000000); }, mean, {x}); // expect-unknown: output-dtype
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return even(x, 1000000); }, mean, {x}); // expect-unknown: output-dtype
  return condlint::cond(x.any(), levels<8>, mean, {y}); // expect: error output-dtype
}
)");
}

TEST(Flow, MacrosStandWhereTheyAreExpanded) {
  EXPECT_AS_SAID(R"(
#define BRANCH(expr) [](const torch::Tensor &x) { return (expr); }
#define SELECT(p, yes, no, x) condlint::cond((p), BRANCH(yes), BRANCH(no), {x})
#define BUMP(t) (t).add_(1)
#define DEFINE(name, op) static torch::Tensor name(const torch::Tensor &x) { return x.op(); }
DEFINE(sine, sin)
DEFINE(same, detach) // expect: error output-alias
torch::Tensor f(const torch::Tensor &x) {
  auto y = SELECT(x.any(), x.exp(), x.sin(), x);
  y = SELECT(y.any(), x.argmax(), x.mean(), x); // expect: error output-dtype
  y = condlint::cond(x.any(), sine, same, {y});
  return condlint::cond(x.any(),
      [](torch::Tensor x) {
        BUMP(x); // expect: error input-mutation
        return x * 1;
      }, sine, {y});
}
)");
}

TEST(Flow, WhatABranchDemandsOfItsParameter_B3) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &any) {
  CONDLINT_TENSOR(x, Long, 4, 4);
  auto free = [](const torch::Tensor &x) { return x.exp(); };
  auto annotated = [](const torch::Tensor &x) {
    CONDLINT_DTYPE(x, Float);
    return x.exp();
  };
  auto checked = [](const torch::Tensor &x) {
    TORCH_CHECK(x.dim() == 3, "three dimensions");
    return x.exp();
  };
  auto onOnePath = [](const torch::Tensor &x) {
    if (x.requires_grad())
      TORCH_CHECK(x.scalar_type() == torch::kFloat);
    return x.exp();
  };
  auto early = [](const torch::Tensor &x) {
    if (x.dim() == 2)
      return x.exp();
    TORCH_CHECK(x.dim() == 3);
    return x.sin();
  };
  auto y = condlint::cond(x.any(), free, annotated, {x}); // expect: error operand-type
  y = condlint::cond(x.any(), free, annotated, {any});
  y = condlint::cond(x.any(), checked, free, {x}); // expect: error operand-type
  y = condlint::cond(x.any(), checked, free, {any});
  y = condlint::cond(x.any(), onOnePath, free, {x});
  return condlint::cond(x.any(), early, free, {x});
}
)");
}

TEST(Flow, AConditionalOverCodeThatDoesNotCompileIsNotDecided) {
  const Checked c = checkSource(R"(torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) -> torch::Tensor { return x.nothing(); }, [](const torch::Tensor &x) { return x.sin(); }, {x});
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.argmax(); }, [](const torch::Tensor &x) { return x.mean(); }, {y});
}
torch::Tensor g(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.nothing(); }, [](const torch::Tensor &x) { return x.add_(1); }, {x});
}
)");
  EXPECT_EQ(c.unit.status, CxxStatus::Partial);
  ASSERT_FALSE(c.unit.errors.empty());
  EXPECT_EQ(c.unit.errors[0].location.line, 2u);
  for (const Finding &f : c.findings)
    EXPECT_TRUE(f.location.line == 3 && f.rule == "output-dtype")
        << f.location.line << ' ' << f.rule << ": " << f.message;
  EXPECT_TRUE(c.verdict("output-dtype", 3).starts_with("violated")) << "what compiles is judged";
  EXPECT_TRUE(c.verdict("output-dtype", 2).starts_with("unknown")) << c.verdict("output-dtype", 2);
}

TEST(Flow, WhatTheCompilerLeftOutOfABranchIsNotDecided) {
  const Checked c =
      checkSource(R"(torch::Tensor helper(const torch::Tensor &x) { for (auto t : nowhere) x.add_(1); return x * 1; }
torch::Tensor f(const torch::Tensor &x) {
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { for (auto t : nowhere) x.add_(1); return x * 1; }, [](const torch::Tensor &x) { return x.sin(); }, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return helper(x); }, [](const torch::Tensor &x) { return x.sin(); }, {x});
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.cos(); }, [](const torch::Tensor &x) { return x.sin(); }, {y});
}
)");
  EXPECT_EQ(c.unit.status, CxxStatus::Partial);
  EXPECT_TRUE(c.verdict("input-mutation", 3).starts_with("unknown")) << c.verdict("input-mutation", 3);
  EXPECT_TRUE(c.verdict("input-mutation", 4).starts_with("unknown")) << c.verdict("input-mutation", 4);
  EXPECT_TRUE(c.verdict("input-mutation", 5).starts_with("proved")) << c.verdict("input-mutation", 5);
}

TEST(Flow, ALongFileTakesItsTimeAndNoMore) {
  std::string source;
  for (int i = 0; i < 2000; ++i)
    source += "torch::Tensor f" + std::to_string(i) +
              "(const torch::Tensor &x) {\n  return condlint::cond(x.any(), [](const torch::Tensor &x) { return "
              "x.exp(); }, [](const torch::Tensor &x) { return x.sin(); }, {x});\n}\n";
  const Checked c = checkSource(source);
  EXPECT_EQ(c.unit.status, CxxStatus::Ok);
  EXPECT_EQ(c.conditionals, 2000u);
  std::string large = "torch::Tensor f(const torch::Tensor &x) {\n  return condlint::cond(x.any(), [](const "
                      "torch::Tensor &x) {\n    auto y = x * 1;\n";
  for (int i = 0; i < 30000; ++i)
    large += "    y = y + " + std::to_string(i) + ";\n";
  large += "    return y; }, [](const torch::Tensor &x) { return x.sin(); }, {x});\n}\n";
  const Checked one = checkSource(large);
  EXPECT_EQ(one.unit.status, CxxStatus::Ok);
  EXPECT_TRUE(one.verdict("output-dtype", 2).starts_with("unknown")) << one.verdict("output-dtype", 2);
}

TEST(Flow, WhatIsLikeAnotherStaysSo) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor f(T x, T y, T z, bool flag) {
  auto rows = [](T x) { return x.sum({0}); };
  auto twice = [](T x) { return x * 2; };
  if (flag)
    TORCH_CHECK(x.dim() == z.dim());
  TORCH_CHECK(z.dim() == 3);
  return condlint::cond(x.any(), rows, twice, {x}); // expect-unknown: output-rank
}
torch::Tensor g(T x, T y, T z) {
  TORCH_CHECK(x.sizes() == y.sizes());
  TORCH_CHECK(y.dim() == z.dim());
  TORCH_CHECK(x.scalar_type() == z.scalar_type());
  TORCH_CHECK(z.dim() == 2 && z.scalar_type() == torch::kFloat);
  auto a = condlint::cond(y.any(), [](T y) { return y.sum({0}); }, [](T y) { return y * 2; }, {y}); // expect: error output-rank
  a = condlint::cond(x.any(), [](T x) { return x.to(torch::kLong).sum(); }, [](T x) { return x.sum(); }, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [](T x) { return x.sum({0}); }, [](T x) { return x * 2; }, {x}); // expect: error output-rank
}
)");
}

TEST(Flow, AReturnThatDoesNotCompileReturnsNotNothing) {
  const Checked c = checkSource(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); }, [](const torch::Tensor &x) { return torch::nowhere::inverse(x); }, {x});
})");
  EXPECT_TRUE(c.findings.empty());
}

TEST(Flow, WhatStandsBehindAStatementThatDoesNotParseIsNotKnown_A1) {
  const Checked c = checkSource(R"(using torch::Tensor;
Tensor whole(const Tensor &x) { return condlint::cond(x.any(), [](const Tensor &x) { return x; }, [](const Tensor &x) { return x * 2; }, {x}); }
Tensor broken(const Tensor &x) {
  auto before = condlint::cond(x.any(), [](const Tensor &x) { return x; }, [](const Tensor &x) { return x * 2; }, {x});
  Tensor p = torch::ones({3});
  p = p.any(;
  return condlint::cond(p, [](const Tensor &x) { return x; }, [](const Tensor &x) { return x * 2; }, {x});
}
Tensor inside(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    Tensor y = x;
    y = y.clone(;
    return y;
  }, [](const Tensor &x) { return x * 2; }, {x});
}
Tensor declared(const Tensor &x) {
  Tensor y = nowhere(x);
  return condlint::cond(x.any(), [](const Tensor &x) { return x; }, [](const Tensor &x) { return x * 2; }, {x});
}
)");
  EXPECT_EQ(c.unit.status, CxxStatus::Partial);
  EXPECT_EQ(c.verdict("output-alias", 2), "violated");
  EXPECT_EQ(c.verdict("output-alias", 4), "violated");
  for (const std::uint32_t line : {7u, 10u})
    EXPECT_TRUE(c.verdict("output-alias", line).find("does not compile") != std::string::npos) << line;
  EXPECT_EQ(c.verdict("output-alias", 18), "violated") << "what does not compile there changes nothing else";
}

TEST(Flow, ACallThatDoesNotCompileIsAConditionalAllTheSame) {
  const Checked c = checkSource(R"(torch::Tensor up(const torch::Tensor &x) { return x.exp(); }
CONDLINT_COND torch::Tensor mine(const torch::Tensor &p, torch::Tensor (*t)(const torch::Tensor &), torch::Tensor (*f)(const torch::Tensor &), const torch::Tensor &x);
struct Graph { CONDLINT_COND torch::Tensor branch(const torch::Tensor &p, torch::Tensor (*t)(const torch::Tensor &), torch::Tensor (*f)(const torch::Tensor &), const torch::Tensor &x); };
void other(int, int);
torch::Tensor a(const torch::Tensor &x) { return mine(x.any(), up, missing, x); }
torch::Tensor b(const torch::Tensor &x) { return condlint::cond(x.any(), up, missing, {x}); }
torch::Tensor c(const torch::Tensor &x) { return condlint::cond(x.any(), up, up, {missing}); }
torch::Tensor d(const torch::Tensor &x, Graph g) { return g.branch(x.any(), up, missing, x); }
torch::Tensor e(const torch::Tensor &x) { return missing(condlint::cond(x.any(), up, [](const torch::Tensor &x) { return x.sin(); }, {x})); }
void f() { other(missing, 1); }
)");
  EXPECT_EQ(c.unit.status, CxxStatus::Partial);
  EXPECT_EQ(c.conditionals, 5u);
  for (const std::uint32_t line : {5u, 6u, 7u, 8u})
    EXPECT_TRUE(c.verdict("output-dtype", line).find("does not compile") != std::string::npos)
        << line << ": " << c.verdict("output-dtype", line);
  EXPECT_EQ(c.verdict("output-dtype", 9), "proved");
  EXPECT_TRUE(c.findings.empty());
}

TEST(Flow, WhatIsCaughtIsTheBranchsOwn) {
  EXPECT_AS_SAID(R"(
#include <stdexcept>
using torch::Tensor;
int parse(const char *s);
Tensor f(const Tensor &x, int scale) {
  return condlint::cond(x.any(), [&](const Tensor &x) {
    try {
      return x * 2;
    } catch (int code) {
      return x * code;
    }
  }, [&](const Tensor &x) {
    return x * scale; // expect: warning closure-scalar
  }, {x});
}
)");
}

TEST(Flow, TheLocalsOfABranchStayThereWhereItsCallIsTried) {
  EXPECT_AS_SAID(R"(
#include <stdexcept>
using torch::Tensor;
Tensor served(const Tensor &x) {
  auto up = [](const Tensor &x) { return x.exp(); };
  Tensor r, kept;
  try {
    r = condlint::cond(x.any(), [](const Tensor &x) {
      Tensor y;
      y = x * 2;
      return y;
    }, up, {x});
  } catch (const std::exception &) {
    r = x * 3;
  }
  try {
    r = condlint::cond(x.any(), [&](const Tensor &x) {
      kept = x * 2; // expect: error global-mutation
      return x * 4;
    }, up, {x});
  } catch (const std::exception &) {
    throw;
  }
  return r;
}
)");
}

TEST(Flow, ATensorThatWasMovedFromOrResetIsUndefined) {
  EXPECT_AS_SAID(R"(
#include <optional>
#include <tuple>
#include <vector>
using torch::Tensor;
struct Box { Tensor t; int n; };
Tensor moved(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 1; };
  auto y = condlint::cond(x.any(), [](Tensor x) {
    Tensor y = std::move(x);
    if (x.defined()) y.add_(1);
    x = std::move(y);
    if (y.defined()) x.add_(1);
    x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Box a{x, 1}, c{x, 2};
    Box b = std::move(a);
    if (a.t.defined()) x.add_(1);
    c = std::move(b);
    if (b.t.defined()) x.add_(1);
    std::vector<Tensor> v;
    v.push_back(std::move(c.t));
    auto pair = std::make_tuple(std::move(v[0]), 1);
    if (c.t.defined() || v[0].defined()) x.add_(1);
    if (std::get<0>(pair).defined()) x.add_(1); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect: error output-kind
    Tensor y = x;
    y.reset();
    return y;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Tensor y = x, z = x;
    y.reset();
    y = x * 2;
    y.add_(1);
    return y + z;
  }, other, {x});
  Tensor p = x.any(), q = x.any();
  Tensor r = std::move(p);
  y = condlint::cond(p, other, other, {x}); // expect: error predicate-missing
  y = condlint::cond(r, other, other, {x});
  q.reset();
  return condlint::cond(q, other, other, {x}); // expect: error predicate-missing
}
)");
}

TEST(Flow, TheDeviceThatABranchDemands_B3) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) { // expect: error operand-type
    TORCH_CHECK(x.device().is_cuda());
    return x * 1;
  }, other, {torch::zeros({4})});
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect: error operand-type
    TORCH_CHECK(x.device() == torch::kCUDA);
    return x * 1;
  }, other, {torch::zeros({4})});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    TORCH_CHECK(x.device().is_cpu() && x.device() == torch::kCPU);
    return x * 1;
  }, other, {torch::zeros({4})});
  return condlint::cond(x.any(), [](const Tensor &x) {
    TORCH_CHECK(x.device().is_cuda());
    return x * 1;
  }, other, {x});
}
)");
}

} // namespace
} // namespace condlint::test
