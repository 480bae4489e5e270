//===- BoundTest.cpp - What lies behind the bounds of values --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each bound on values of docs/interpreter.md, with code that breaks behind it: what is
// within is known, and nothing is proved of what lies behind.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include "Questions.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace condlint::test {
namespace {

/// The verdict on the types of what a branch returns that does \p body with a float tensor `y`, beside one that returns
/// a float tensor.
std::string verdictOf(const std::string &body) {
  const std::string source = R"(#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
using Called = std::function<torch::Tensor(torch::Tensor)>;
struct Sine { torch::Tensor operator()(torch::Tensor t) const { return t.sin(); } };
struct Cast { torch::Tensor operator()(torch::Tensor t) const { return t.to(torch::kInt); } };
struct Holder { Called f; };
void changesCalled(Called &);
void changesVariant(std::variant<Sine, Cast> &);
void changesHolder(Holder &);
struct F1 { torch::Tensor t; };
struct F2 { F1 a; };
struct F3 { F2 a; };
struct F4 { F3 a; };
struct F5 { F4 a; };
struct F6 { F5 a; };
torch::Tensor f(torch::Tensor x, torch::Tensor p, int n) {
  CONDLINT_DTYPE(x, Float);
  return condlint::cond(p, [=](torch::Tensor x) -> torch::Tensor { torch::Tensor y = x.sin(); )" +
                             body + " }, [](torch::Tensor x) { return x.cos(); }, {x});\n}\n";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict("output-dtype", line);
  return verdict.substr(0, verdict.find(':')); // without the reason
}

std::string number(int n) { return std::to_string(n); }

TEST(Bound, TripsOfALoop) {
  const auto with = [](int trips, int at) {
    return "for (int i = 0; i < " + number(trips) + "; ++i) if (i == " + number(at) +
           ") y = y.to(torch::kInt); return y;";
  };
  EXPECT_EQ(verdictOf(with(60, 50)), "violated");
  EXPECT_EQ(verdictOf(with(60, 70)), "proved");
  EXPECT_EQ(verdictOf(with(100, 90)), "unknown");
}

TEST(Bound, NumbersFromOutsideMayBeBelowZero) {
  const auto where = [](const std::string &condition) {
    return "if (" + condition + ") y = y.to(torch::kInt); return y;";
  };
  for (const char *perhaps :
       {"n < 0", "n == -1", "n + 3 < 0", "0 > 2 * n", "-n > 4", "n <= -5", "n % 2 < 0", "n % 3 == -2", "n / 2 < 0",
        "(n & -4) < 0", "~n == 0", "std::min(n, 0) < 0", "std::max(n, 0) == 0"})
    EXPECT_EQ(verdictOf(where(perhaps)), "unknown") << perhaps;
  for (const char *never :
       {"n - n < 0", "n == n + 1", "x.size(0) < 0", "x.size(1) == -1", "n % 2 > 1", "n % 2 < -1", "(n & 3) < 0",
        "std::max(n, 0) < 0", "std::abs(n) < 0", "std::clamp(n, 0, 5) < 0", "x.size(0) % 2 < 0"})
    EXPECT_EQ(verdictOf(where(never)), "proved") << never;
}

TEST(Bound, ConversionsMayMakeOtherNumbers) {
  const auto where = [](const std::string &conditions) { return conditions + " y = y.to(torch::kInt); return y;"; };
  for (const char *perhaps : {"if (n < 0) if (std::size_t(n) > 5)", "if (n == -1) if (unsigned(n) == 0xffffffffu)",
                              "if (unsigned(n) > 5) if (n < 0)", "if (n > 300) if (std::uint8_t(n) < 5)",
                              "if (n > 0) if (std::int8_t(n) < 0)", "unsigned u = n; if (u + 1 == 0)",
                              "unsigned u = n; if (int(u) < 0)", "long l = x.size(0) * 1L + n; if (int(l) != l)"})
    EXPECT_EQ(verdictOf(where(perhaps)), "unknown") << perhaps;
  for (const char *never : {"if (n >= 0) if (std::size_t(n) != n)", "if (int(x.size(0)) != x.size(0))",
                            "long l = n; if (l == 2) if (n != 2)", "if (n < 0) return y; if (unsigned(n) != n)"})
    EXPECT_EQ(verdictOf(where(never)), "proved") << never;
}

TEST(Bound, NoNumberIsTriedThatItsTypeDoesNotHold) {
  expectTogether("", "int n, unsigned char c",
                 {{"unsigned(n) == 0xffffffffu", "n == -1", "may"},
                  {"unsigned(n) == 0xffffffffu", "n != -1", "unknown"},
                  {"unsigned(n) == 5u", "n > 4", "may"},
                  {"c > 200", "c < 255", "may"},
                  {"c + 45 > 200", "c * 2 > 400", "may"}});
}

TEST(Bound, ANumberMayBeCalledLikeASize) {
  const std::string source = R"(torch::Tensor f(torch::Tensor x, torch::Tensor p, int N) {
  CONDLINT_SHAPE(x, N);
  CONDLINT_DTYPE(x, Float);
  if (N + x.size(0) > 5) x = x + 1;
  return condlint::cond(p, [=](torch::Tensor x) -> torch::Tensor { torch::Tensor y = x.sin(); if (N < 0) y = y.to(torch::kInt); return y; }, [](torch::Tensor x) { return x.cos(); }, {x});
})";
  const std::string verdict = checkSource(source).verdict("output-dtype", 5);
  EXPECT_EQ(verdict.substr(0, verdict.find(':')), "unknown");
}

TEST(Bound, TripsOfLoopsWithinOneAnother) {
  const auto with = [](int trips, int at) {
    const std::string n = number(trips);
    return "for (int i = 0; i < " + n + "; ++i) for (int j = 0; j < " + n + "; ++j) for (int k = 0; k < " + n +
           "; ++k) if (i + j + k == " + number(at) + ") y = x.to(torch::kInt); return y;";
  };
  EXPECT_EQ(verdictOf(with(4, 10)), "proved"); // there is none, and it is seen
  EXPECT_EQ(verdictOf(with(50, 140)), "unknown");
}

TEST(Bound, ElementsOfAContainer) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) + ", y); v[3500] = y.to(torch::kInt); return v[3500];";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
  EXPECT_EQ(verdictOf(with(200000)), "unknown");
}

TEST(Bound, ElementsOfAPartOfASpan) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) +
           ", y); v[10] = y.to(torch::kInt); auto s = std::span<torch::Tensor>(v).subspan(5, " + number(size - 100) +
           "); return s[5];";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
}

TEST(Bound, ElementsOfAView) {
  const auto with = [](int size) {
    return "std::vector<torch::Tensor> v(" + number(size) +
           ", y); v[0] = y.to(torch::kInt); for (auto &t : v | std::views::take(1)) y = t; return y;";
  };
  EXPECT_EQ(verdictOf(with(4000)), "violated");
  EXPECT_EQ(verdictOf(with(4600)), "unknown");
}

TEST(Bound, PlacesOfAPointer) {
  const auto with = [](int places) {
    std::string body = "torch::Tensor t[12] = {y, y, y, y, y, y, y, y, y, y, y, y}; torch::Tensor *p = &t[0]; ";
    for (int i = 1; i < places; ++i)
      body += "if (x.size(" + number(i) + ") > 3) p = &t[" + number(i) + "]; ";
    return body;
  };
  EXPECT_EQ(verdictOf(with(4) + "*p = x.cos(); return t[11];"), "proved");
  EXPECT_EQ(verdictOf(with(10) + "*p = x.to(torch::kInt); return t[9];"), "unknown");
}

TEST(Bound, PlacesThatAreLost) {
  const auto with = [](int places) {
    std::string body = "int *p = nullptr; int apart = 0; ", cases;
    for (int i = 0; i < places; ++i) {
      body += "int w" + number(i) + " = 0; ";
      cases += "case " + number(i) + ": p = &w" + number(i) + "; break; ";
    }
    return body + "switch (n) { " + cases + "} if (p) *p = 1; ";
  };
  EXPECT_EQ(verdictOf(with(20) + "return apart == 1 ? y.to(torch::kInt) : y;"), "proved");
  EXPECT_EQ(verdictOf(with(20) + "return w19 == 1 ? y.to(torch::kInt) : y;"), "unknown");
  EXPECT_EQ(verdictOf(with(300) + "return w299 == 1 ? y.to(torch::kInt) : y;"), "unknown");
  EXPECT_EQ(verdictOf(with(300) + "return apart == 1 ? y.to(torch::kInt) : y;"), "unknown");
}

TEST(Bound, DepthOfWhatALoopKeeps) {
  EXPECT_EQ(verdictOf("F1 h; h.t = y; for (int i = 0; i < n; ++i) h.t = h.t.sin(); return h.t;"), "proved");
  EXPECT_EQ(
      verdictOf("F6 h; h.a.a.a.a.a.t = y; for (int i = 0; i < n; ++i) h.a.a.a.a.a.t = h.a.a.a.a.a.t.to(torch::kInt); "
                "return h.a.a.a.a.a.t;"),
      "unknown");
}

TEST(Bound, TripsThatChangeMore) {
  // Each trip decides what the one before could not.
  const auto with = [](int flags, const std::string &does) {
    std::string body = "bool f0 = false; ";
    for (int i = 1; i <= flags; ++i)
      body += "bool f" + number(i) + " = false; ";
    body += "for (int i = 0; i < n; ++i) { if (f" + number(flags) + ") " + does;
    for (int i = flags; i > 0; --i)
      body += "if (f" + number(i - 1) + ") f" + number(i) + " = true; ";
    return body + "f0 = true; } return y;";
  };
  EXPECT_EQ(verdictOf(with(1, "y = y.to(torch::kInt); ")), "unknown");
  EXPECT_EQ(verdictOf(with(12, "y = y.to(torch::kInt); ")), "unknown");
  EXPECT_EQ(verdictOf(with(90, "y = y.to(torch::kInt); ")), "unknown");
  EXPECT_EQ(verdictOf(with(12, "y = y.cos(); ")), "proved");
}

TEST(Bound, PartsThatALaterTripChanges) {
  for (const std::string flags :
       {"struct Q { bool a = false, b = false; } q; ", "bool v[2] = {false, false}; bool &a = v[0], &b = v[1]; "}) {
    const std::string q = flags.starts_with("struct") ? "q." : "";
    const auto with = [&](const std::string &does) {
      return flags + "for (int i = 0; i < n; ++i) { if (" + q + "b) y = y." + does + "; " + q + "b = " + q + "a; " + q +
             "a = true; } return y;";
    };
    EXPECT_EQ(verdictOf(with("to(torch::kInt)")), "unknown") << flags;
    EXPECT_EQ(verdictOf(with("cos()")), "proved") << flags;
  }
}

/// What a variable that may be called, or leads elsewhere, is before a loop, and what a trip makes of it with LATER,
/// which only a trip after it uses.
struct Reassigned {
  std::string before;
  std::string trip;
};

constexpr const char *fits = "[](torch::Tensor t) -> torch::Tensor { return t.sin(); }";
constexpr const char *breaks = "[](torch::Tensor t) -> torch::Tensor { return t.to(torch::kInt); }";

std::string loopOver(const Reassigned &r, const std::string &later) {
  std::string body = r.before + " for (int i = 0; i < n; ++i) { " + r.trip + " } return y;";
  for (const auto &[word, meant] : {std::pair<std::string, std::string>("FITS", fits),
                                    {"FN", "std::function<torch::Tensor(torch::Tensor)>"},
                                    {"LATER", later}})
    for (std::size_t at = body.find(word); at != std::string::npos; at = body.find(word, at + meant.size()))
      body.replace(at, word.size(), meant);
  return body;
}

TEST(Bound, ClosuresThatALaterTripCalls) {
  for (const Reassigned &r : std::vector<Reassigned>{
           {"FN f = FITS, g = FITS;", "y = f(y); f = g; g = LATER;"},
           {"FN f = FITS, g = LATER;", "y = f(y); std::swap(f, g);"},
           {"FN f = FITS, g = FITS;", "y = f(y); f = std::exchange(g, LATER);"},
           {"FN f = FITS, g = FITS;", "y = f(y); if (i % 3 == 0) f = g; if (i % 5 == 0) g = LATER;"},
           {"FN f[3] = {FITS, FITS, FITS};", "y = f[0](y); f[0] = f[1]; f[1] = f[2]; f[2] = LATER;"},
           {"std::vector<FN> f{FITS, FITS};", "y = f[0](y); f[0] = f[1]; f[1] = LATER;"},
           {"struct S { FN f, g; } s{FITS, FITS};", "y = s.f(y); s.f = s.g; s.g = LATER;"},
           {"std::pair<FN, FN> s{FITS, FITS};", "y = s.first(y); s.first = s.second; s.second = LATER;"},
           {"std::optional<FN> f = FITS, g = FITS;", "if (f) y = (*f)(y); f = g; g = LATER;"},
           {"auto make = [](FN h) { return [h](torch::Tensor t) -> torch::Tensor { return h(t); }; }; "
            "FN f = make(FITS), g = make(FITS);",
            "y = f(y); f = g; g = make(LATER);"},
           {"FN f = FITS;", "y = f(y); auto h = f; auto l = LATER; "
                            "f = [h, l](torch::Tensor t) -> torch::Tensor { return l(h(t)); };"},
       })
    EXPECT_EQ(verdictOf(loopOver(r, breaks)), "unknown") << r.before << r.trip;
  for (const Reassigned &r : std::vector<Reassigned>{
           {"FN f = FITS, g = FITS;", "y = f(y); g = LATER;"}, // no trip calls it
           {"FN f = FITS, g = LATER;", "y = f(y); g = f;"},
           {"FN f = FITS;", "y = f(y); FN g = f; g = LATER;"},
           {"struct S { FN f, g; } s{FITS, FITS};", "y = s.f(y); s.g = LATER;"},
           {"std::optional<FN> f = FITS, g = FITS;", "if (f) y = (*f)(y); g = LATER;"},
           {"FN f = [k = 0](torch::Tensor t) mutable -> torch::Tensor { ++k; return t.sin(); };", "y = f(y);"},
       })
    EXPECT_EQ(verdictOf(loopOver(r, breaks)), "proved") << r.before << r.trip;
}

TEST(Bound, PlacesThatALaterTripLeadsTo) {
  const std::string tensors = "torch::Tensor a = y, b = y, c = y, d = LATER; ";
  for (const Reassigned &r : std::vector<Reassigned>{
           {tensors + "torch::Tensor *p = &a, *q = &b, *r = &c;", "y = *p; p = q; q = r; r = &d;"},
           {tensors + "struct S { torch::Tensor *p, *q, *r; } s{&a, &b, &c};",
            "y = *s.p; s.p = s.q; s.q = s.r; s.r = &d;"},
           {tensors + "std::reference_wrapper<torch::Tensor> p = a, q = b, r = c;",
            "y = p.get(); p = q; q = r; r = std::ref(d);"},
           {"std::vector<torch::Tensor> v{y, y, y, LATER}; auto p = v.begin(), q = v.begin() + 1, r = v.begin() + 2;",
            "y = *p; p = q; q = r; r = v.begin() + 3;"},
       }) {
    EXPECT_EQ(verdictOf(loopOver(r, "y.to(torch::kInt)")), "unknown") << r.before << r.trip;
    EXPECT_EQ(verdictOf(loopOver(r, "y.cos()")), "proved") << r.before << r.trip;
  }
  const Reassigned shared{
      "struct B { virtual ~B() = default; virtual torch::Tensor go(torch::Tensor t) const { return t.sin(); } }; "
      "struct D : B { torch::Tensor go(torch::Tensor t) const override { return t.to(torch::kInt); } }; "
      "std::shared_ptr<B> p = std::make_shared<B>(), q = std::make_shared<B>(), r = std::make_shared<B>();",
      "y = p->go(y); p = q; q = r; r = std::make_shared<LATER>();"};
  EXPECT_EQ(verdictOf(loopOver(shared, "D")), "unknown");
  EXPECT_EQ(verdictOf(loopOver(shared, "B")), "proved");
}

TEST(Bound, ClassesThatCodeThatIsNotSeenChanges) {
  const std::string objects = "Called f = FITS, g = FITS; std::variant<Sine, Cast> v = Sine{}, w = Sine{}; "
                              "Holder s{FITS}, t{FITS}; changesCalled(g); changesVariant(w); changesHolder(t); return ";
  const auto verdict = [&](const std::string &returned) {
    std::string body = objects + returned + ";";
    for (std::size_t at = body.find("FITS"); at != std::string::npos; at = body.find("FITS"))
      body.replace(at, 4, fits);
    return verdictOf(body);
  };
  for (const char *of : {"f(y)", "s.f(y)", "std::visit([&](auto &h) { return h(y); }, v)"})
    EXPECT_EQ(verdict(of), "proved") << of;
  for (const char *of : {"g(y)", "t.f(y)", "std::visit([&](auto &h) { return h(y); }, w)"})
    EXPECT_EQ(verdict(of), "unknown") << of;
}

TEST(Bound, TypesThatALaterTripHolds) {
  const std::string types =
      "struct A { torch::Tensor operator()(torch::Tensor t) const { return t.sin(); } }; "
      "struct B { torch::Tensor operator()(torch::Tensor t) const { return t.to(torch::kInt); } }; ";
  const Reassigned variant{types + "std::variant<A, B> f = A{}, g = A{};",
                           "y = std::visit([&](auto &h) { return h(y); }, f); f = g; g = LATER{};"};
  EXPECT_EQ(verdictOf(loopOver(variant, "B")), "unknown");
  EXPECT_EQ(verdictOf(loopOver(variant, "A")), "proved");
  const Reassigned optional{"std::optional<int> f = 1, g = 2, h = 3;",
                            "if (!f) y = y.to(torch::kInt); f = g; g = h; h = LATER;"};
  EXPECT_EQ(verdictOf(loopOver(optional, "std::nullopt")), "unknown");
  EXPECT_EQ(verdictOf(loopOver(optional, "4")), "proved");
}

TEST(Bound, DepthOfWhatIsMovedFrom) {
  const auto with = [](int depth) {
    std::string body = "struct N0 { std::vector<torch::Tensor> a; }; ", path;
    for (int i = 1; i <= depth; ++i) {
      body += "struct N" + number(i) + " { N" + number(i - 1) + " a; }; ";
      path += "a.";
    }
    const std::string type = "N" + number(depth);
    return body + type + " o; o." + path + "a.push_back(y); " + type + " q = std::move(o); if (o." + path +
           "a.empty()) y = y.to(torch::kInt); return y;";
  };
  EXPECT_EQ(verdictOf(with(2)), "violated");
  EXPECT_EQ(verdictOf(with(12)), "violated");
}

TEST(Bound, WhatCodeThatIsNotSeenReaches) {
  const auto with = [](int objects) {
    std::string body = "struct N { torch::Tensor t; N *next = nullptr; }; ";
    for (int i = 0; i < objects; ++i)
      body += "N n" + number(i) + "; ";
    for (int i = 0; i + 1 < objects; ++i)
      body += "n" + number(i) + ".next = &n" + number(i + 1) + "; ";
    const std::string last = "n" + number(objects - 1) + ".t";
    return body + last + " = y; extern void look(N *); look(&n0); return " + last + ";";
  };
  EXPECT_EQ(verdictOf(with(3)), "unknown");
  EXPECT_EQ(verdictOf(with(80)), "unknown");
}

/// The verdict on writes to operands of a branch that does \p body with the operand `x`.
std::string writesOf(const std::string &body) {
  const std::string source =
      "torch::Tensor f(torch::Tensor x, torch::Tensor p, int n) {\n"
      "  return condlint::cond(p, [=](torch::Tensor x) -> torch::Tensor { torch::Tensor z = x; " +
      body + " return x.sin(); }, [](torch::Tensor x) { return x.cos(); }, {x});\n}\n";
  const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
  const std::string verdict = checkSource(source).verdict("input-mutation", line);
  return verdict.substr(0, verdict.find(':'));
}

// What a branch meets first behind such code is not what the other branch meets.
TEST(Bound, WhatCodeThatIsNotSeenChangesBeforeABranchReadsIt) {
  const auto both = [](const std::string &kept, const std::string &first, const std::string &second) {
    const std::string source =
        "struct Model { torch::Tensor w; };\nextern torch::Tensor held;\nextern bool on;\nvoid poke();\n"
        "torch::Tensor f(torch::Tensor x, torch::Tensor p, Model &m) {\n  CONDLINT_DTYPE(x, Float);\n  " +
        kept + "\n  return condlint::cond(p, [&](torch::Tensor x) { " + first + "; }, [&](torch::Tensor x) { " +
        second + "; }, {x});\n}\n";
    const std::string verdict = checkSource(source).verdict("output-dtype", 8);
    return verdict.substr(0, verdict.find(':'));
  };
  EXPECT_EQ(both("", "return held.clone()", "return held.clone()"), "proved");
  EXPECT_EQ(both("", "poke(); return held.clone()", "return held.clone()"), "unknown");
  EXPECT_EQ(both("", "return held.clone()", "poke(); return held.sin()"), "unknown");
  EXPECT_EQ(both("", "return m.w.clone()", "return m.w.clone()"), "proved");
  EXPECT_EQ(both("", "poke(); return m.w.clone()", "return m.w.clone()"), "unknown");
  EXPECT_EQ(both("torch::Tensor w = m.w, h = held;", "poke(); return w.clone()", "return w.clone()"), "proved");
  EXPECT_EQ(both("poke();", "return m.w.clone()", "return m.w.clone()"), "proved");
  EXPECT_EQ(both("", "poke(); return x.clone()", "return x.sin()"), "proved");
}

TEST(Bound, ReferencesToReferences) {
  const auto with = [](int references) {
    std::string body = "bool b0 = false; ";
    for (int i = 1; i <= references; ++i)
      body += "bool &b" + number(i) + " = b" + number(i - 1) + "; ";
    return body + "if (n > 3) b" + number(references) +
           " = true; if (b0) z = x.clone(); if (n > 5) z.add_(1);"; // which is the copy then
  };
  EXPECT_EQ(writesOf(with(2)), "unknown");
  EXPECT_EQ(writesOf(with(8)), "unknown");
}

TEST(Bound, VariablesThatOneHangsOn) {
  const auto with = [](int variables, const std::string &copied) {
    std::string body = "bool b0 = n > 3 ? true : n < -3; ";
    for (int i = 1; i <= variables; ++i)
      body += "bool b" + number(i) + " = b" + number(i - 1) + " ? true : n > " + number(i + 9) + "; ";
    return body + "bool c = x.size(0) > 3 ? true : x.size(0) < 1; if (b" + number(variables) + ") z = x.clone(); if (" +
           copied + ") z.add_(1);";
  };
  EXPECT_EQ(writesOf(with(3, "b0")), "unknown");
  EXPECT_EQ(writesOf(with(300, "b0")), "unknown");
  EXPECT_EQ(writesOf(with(1200, "b0")), "unknown");
  EXPECT_EQ(writesOf(with(3, "c")), "violated"); // nothing that says which tensor it is
}

TEST(Bound, PartsOfACondition) {
  const auto with = [](int parts) {
    std::string body = "if (n > 3";
    for (int i = 0; i < parts; ++i)
      body += " && x.size(1) != " + number(i + 10);
    return body + ") n; else z = x.clone(); if (n <= 3) z.add_(1);"; // which is the copy then
  };
  EXPECT_EQ(writesOf(with(3)), "unknown");
  EXPECT_EQ(writesOf(with(60)), "unknown");
}

TEST(Bound, DepthOfAChainOfConditions) {
  const auto with = [](int conditions) {
    std::string body = "bool b = false; if (n == 0) z.sin(); ";
    for (int i = 1; i < conditions; ++i)
      body += "else if (n == " + number(i) + ") z.sin(); ";
    return body + "else if (n > 5000) b = true; if (n > 5500) { if (!b) z.add_(1); }"; // which never runs
  };
  EXPECT_EQ(writesOf(with(3)), "unknown");
  EXPECT_EQ(writesOf(with(300)), "unknown");
}

TEST(Bound, WaysThatLeaveEarly) {
  const auto with = [](int ways) {
    std::string body = "bool t = n > 3 ? n < 7 : n < -3; for (int i = 0; i < n; ++i) { ";
    for (int i = 0; i < ways; ++i)
      body += "if (x.size(1) == " + number(i + 10) + ") return x.cos(); ";
    return body + "if (t) return x.cos(); } if (t && n > 0) x.add_(1);"; // which never runs
  };
  EXPECT_EQ(writesOf(with(3)), "unknown");
  EXPECT_EQ(writesOf(with(60)), "unknown");
}

TEST(Bound, WhatDoesNotHoldTogether) {
  const auto with = [](int pairs) {
    std::string body;
    for (int i = 0; i < pairs; ++i)
      body += "if (x.size(0) == " + number(i + 3) + " && n == " + number(i) + ") return x.cos(); ";
    return body + "if (x.size(0) == " + number(pairs + 2) + " && n == " + number(pairs - 1) + ") x.add_(1);";
  };
  EXPECT_EQ(writesOf(with(3)), "proved"); // it never runs, and that is seen
  EXPECT_NE(writesOf(with(60)), "violated");
}

/// The verdict on the types of the conditional in `pick`, which is given float tensors by one of its callers and what
/// \p callers do with whole ones by others.
std::string picked(const std::string &callers) {
  const std::string source = R"(
static torch::Tensor pick(torch::Tensor p, torch::Tensor x) {
  return condlint::cond(p, [](torch::Tensor x) { return x + 1; }, [](torch::Tensor x) { return x.cos(); }, {x});
}
torch::Tensor good(torch::Tensor p, torch::Tensor x) {
  CONDLINT_DTYPE(x, Float);
  return pick(p, x);
}
)" + callers;
  const std::string verdict = checkSource(source).verdict("output-dtype", 3);
  return verdict.substr(0, verdict.find(':'));
}

TEST(Bound, CallersOfCallers) {
  const auto with = [](int helpers) {
    std::string callers = "static torch::Tensor w0(torch::Tensor p, torch::Tensor x) { return pick(p, x); }\n";
    for (int i = 1; i <= helpers; ++i)
      callers += "static torch::Tensor w" + number(i) + "(torch::Tensor p, torch::Tensor x) { return w" +
                 number(i - 1) + "(p, x); }\n";
    return callers + "torch::Tensor bad(torch::Tensor p, torch::Tensor x) { return w" + number(helpers) +
           "(p, x.to(torch::kInt)); }\n";
  };
  EXPECT_EQ(picked(""), "proved");
  EXPECT_EQ(picked(with(2)), "violated");
  EXPECT_EQ(picked(with(10)), "violated");
  EXPECT_EQ(picked(with(30)), "unknown"); // calls that deep are not followed
}

TEST(Bound, CallersThatAreNotRun) {
  // By itself, one call deep.
  EXPECT_EQ(
      picked("static torch::Tensor again(torch::Tensor p, torch::Tensor x, int n) { torch::Tensor y = pick(p, x); "
             "return n > 0 ? again(p, y.to(torch::kInt), n - 1) : y; }\n"
             "torch::Tensor bad(torch::Tensor p, torch::Tensor x, int n) { CONDLINT_DTYPE(x, Float); return again(p, "
             "x, n); }\n"),
      "unknown");
  // Outside of any function.
  EXPECT_EQ(picked("extern torch::Tensor p0, x0; static torch::Tensor made = pick(p0, x0);\n"), "unknown");
  EXPECT_EQ(picked("extern torch::Tensor p0, x0; torch::Tensor given(torch::Tensor x = pick(p0, x0));\n"), "unknown");
  EXPECT_EQ(picked("struct S { torch::Tensor p, x, made = pick(p, x); };\n"), "unknown");
  EXPECT_EQ(picked("auto bad = [](torch::Tensor p, torch::Tensor x) { return pick(p, x.to(torch::kInt)); };\n"),
            "unknown");
}

TEST(Bound, NumbersWithinOneAnother) {
  const auto with = [](int depth) {
    std::string source = "struct N0 { int a; };\n", path;
    for (int i = 1; i <= depth; ++i) {
      source += "struct N" + number(i) + " { N" + number(i - 1) + " a; };\n";
      path += "a.";
    }
    source += "torch::Tensor f(torch::Tensor x, torch::Tensor p, N" + number(depth) +
              " s) {\n  return condlint::cond(p, [s](torch::Tensor x) { auto c = s; return x + c." + path +
              "a; }, [](torch::Tensor x) { return x.cos(); }, {x});\n}\n";
    const auto line = static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
    const std::string verdict = checkSource(source).verdict("closure-scalar", line);
    return verdict.substr(0, verdict.find(':'));
  };
  EXPECT_EQ(with(2), "violated");
  EXPECT_EQ(with(7), "violated");
}

} // namespace
} // namespace condlint::test
