//===- ExclusionTest.cpp - Conditions that exclude one another ----------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// \p functions, which open a conditional on some of the ways that they go, and `close` it.
void expectSaid(const std::string &functions) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
using namespace nvinfer1;
void close(INetworkDefinition &n, IIfConditional *c) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  auto *in = c->addInput(*x)->getOutput(0);
  n.markOutput(*c->addOutput(*n.addUnary(*in, UnaryOperation::kSQRT)->getOutput(0), *x)->getOutput(0));
}
ITensor *P(INetworkDefinition &n, const char *name) { return n.addInput(name, DataType::kBOOL, Dims{0, {}}); }
)" + functions),
            "");
}

TEST(Exclusion, TwoFlagsOfWhichOneHolds) {
  expectSaid(R"(
bool checked(INetworkDefinition &n, bool a, bool b) {
  if (a == b)
    return false;
  auto *c = n.addIfConditional();
  if (a)
    c->setCondition(*P(n, "p"));
  if (b)
    c->setCondition(*P(n, "q"));
  close(n, c);
  return true;
}
void asserted(INetworkDefinition &n, bool a, bool b) {
  assert(a != b);
  auto *c = n.addIfConditional();
  if (a)
    c->setCondition(*P(n, "p"));
  if (b == true)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void differ(INetworkDefinition &n, bool a, bool b) {
  if (!(a ^ b))
    throw std::invalid_argument("one");
  auto *c = n.addIfConditional();
  if (!a)
    c->setCondition(*P(n, "p"));
  if (b == false)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
bool alike(INetworkDefinition &n, bool a, bool b) {
  if (a != b)
    return false;
  auto *c = n.addIfConditional();
  if (a)
    c->setCondition(*P(n, "p"));
  if (b)
    c->setCondition(*P(n, "q")); // expect: error predicate-missing
  if (!a)
    c->setCondition(*P(n, "r"));
  close(n, c);
  return true;
}
)");
}

TEST(Exclusion, ANumberThatIsOneOfAFew) {
  expectSaid(R"(
void ranged(INetworkDefinition &n, int m) {
  if (m < 0 || m > 1)
    throw std::out_of_range("m");
  auto *c = n.addIfConditional();
  if (m == 0)
    c->setCondition(*P(n, "p"));
  else if (m == 1)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void wider(INetworkDefinition &n, int m) {
  if (m < 0 || m > 2)
    throw std::out_of_range("m");
  auto *c = n.addIfConditional(); // expect: error predicate-missing
  if (m == 0)
    c->setCondition(*P(n, "p"));
  else if (m == 1)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void modulo(INetworkDefinition &n, unsigned m) {
  auto *c = n.addIfConditional();
  if (m % 2 == 0)
    c->setCondition(*P(n, "p"));
  if (m % 2 == 1)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void sized(INetworkDefinition &n, const std::vector<ITensor *> &xs) {
  auto *c = n.addIfConditional();
  if (xs.empty())
    c->setCondition(*P(n, "p"));
  if (xs.size() > 0)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
)");
}

TEST(Exclusion, ATextIsOneText) {
  expectSaid(R"(
void kinds(INetworkDefinition &n, const std::string &kind) {
  auto *c = n.addIfConditional();
  if (kind == "lazy")
    c->setCondition(*P(n, "p"));
  if (kind == "eager")
    c->setCondition(*P(n, "q"));
  if (kind != "lazy" && kind != "eager")
    c->setCondition(*P(n, "r"));
  close(n, c);
}
void two(INetworkDefinition &n, const std::string &kind, const std::string &other) {
  auto *c = n.addIfConditional();
  if (kind == "lazy")
    c->setCondition(*P(n, "p"));
  if (other == "eager")
    c->setCondition(*P(n, "q")); // expect: error predicate-missing
  close(n, c);
}
)");
}

// What the one says of the other is not worked out: then nobody knows whether both ways are open.
TEST(Exclusion, WhatIsNotWorkedOutIsUnknown) {
  expectSaid(R"(
void even(INetworkDefinition &n, unsigned m) {
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing
  if (m % 2 == 0)
    c->setCondition(*P(n, "p"));
  if (m == 3)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void sum(INetworkDefinition &n, int a, int b) {
  if (a + b != 1)
    return;
  auto *c = n.addIfConditional(); // expect-unknown: predicate-missing
  if (a == 1)
    c->setCondition(*P(n, "p"));
  if (b == 1)
    c->setCondition(*P(n, "q"));
  close(n, c);
}
void others(INetworkDefinition &n, const std::string &kind, const std::string &name) {
  auto *c = n.addIfConditional();
  if (kind == "lazy")
    c->setCondition(*P(n, "p"));
  if (name == "eager")
    c->setCondition(*P(n, "q")); // expect: error predicate-missing
  close(n, c);
}
)");
}

/// A tensor of the branch that is of another type than its sibling where \p condition holds.
std::string otherWhere(const std::string &name, const std::string &condition, const std::string &remark = "",
                       const std::string &unknown = "") {
  return "void " + name +
         R"((INetworkDefinition &n, bool a, bool b, int k, const std::vector<int> &v, const std::string &text, std::uint64_t large) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims{1, {4}});
  auto *c = n.addIfConditional();)" +
         unknown + R"(
  c->setCondition(*P(n, "p"));
  auto *in = c->addInput(*x)->getOutput(0);
  auto *yes = n.addUnary(*in, UnaryOperation::kSQRT)->getOutput(0);
)" + condition +
         "\n    yes = n.addCast(*in, DataType::kHALF)->getOutput(0);\n" +
         "  n.markOutput(*c->addOutput(*yes, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));" +
         remark + "\n}\n";
}

TEST(Exclusion, ConditionsThatNeverHold) {
  std::string all;
  for (const char *never : {"if (a && !a)",
                            "if (k > 3 && k < 2)",
                            "if (!(a || b) && b)",
                            "if (a != b && a && b)",
                            "unsigned u = unsigned(k); if (u) {} else if (u > 0)",
                            "unsigned u = unsigned(k); if (u == 0 && u >= 1)",
                            "if (a && b && !(a && b))",
                            "if (a && (k > 2 && !a))",
                            "bool e = a; if (e && !a)",
                            "bool e = !a; if (e && a)",
                            "bool e = a || b; if (!e && b)",
                            "bool e = a, d = !a; if (e && d)",
                            "auto f = [&] { return a && b; }; if (f() && !b)",
                            "if (bool e = a; e && !a)",
                            "bool e = false; if (a) e = true; if (e && !a)",
                            "bool e = true; e &= a; e &= b; if (e && !b)",
                            "if (a & !a)",
                            "if (a ? !a : false)",
                            "if (a ? false : a)",
                            "if (a ^ a)",
                            "if ((a && b) || (a && !b)) {} else if (a)",
                            "if (a && b) return; if (a && !b) return; if (a)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"if (a && !b)", "if (k > 1 && k < 3)", "bool e = a && b; if (a && !e)", "if (!(a && b) && b)",
        "bool e = false; if (a) e = true; if (e && !b)", "bool e = false; if (a) e = true; a = b; if (e && !a)",
        "if (a & b)", "if (a | b)", "if (a ? b : false)", "if (a ? !b : a)", "if (a ^ b)",
        "if ((a && b) || (!a && !b)) {} else if (a)", "if (a && b) return; if (!a && !b) return; if (a)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, " // expect: error output-dtype");
  expectSaid(all);
}

constexpr const char *differs = " // expect: error output-dtype";
constexpr const char *open = " // expect-unknown: output-dtype";

TEST(Exclusion, HowManyThereAreIsNotBelowZero) {
  std::string all;
  for (const char *never :
       {"auto d = std::count(v.begin(), v.end(), k); if (d < 0)",
        "auto d = std::count(v.begin(), v.end(), k); if (d != 0 && d <= 0)",
        "auto d = std::count_if(v.begin(), v.end(), [](int i) { return i > 1; }); if (d) {} "
        "else if (d > 0)",
        "if (std::count(v.begin(), v.end(), 3) < 0)", "auto d = v.end() - v.begin(); if (d < 0)",
        "auto d = std::distance(v.begin(), v.end()); if (d > 0 && v.empty())",
        "if (std::distance(v.begin(), std::find(v.begin(), v.end(), k)) < 0)",
        "auto d = v.size(); if (d > 0 && v.empty())", "auto d = v.size(); if (d > 2) if (v.size() < 2)",
        "int d = int(v.size()); if (d > 0) {} else if (!v.empty())",
        "int d = 0; for (int i : v) if (i > 1) ++d; if (d < 0)", "int i = 0; while (i < k) ++i; if (i < 0)",
        "int i = 2; while (i < k) ++i; if (i == 1)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"auto d = std::count(v.begin(), v.end(), k); if (d > 0)", "auto d = v.end() - v.begin(); if (d > 1)",
        "auto d = v.begin() - v.end(); if (d < 0)", "if (std::distance(v.end(), std::find(v.begin(), v.end(), k)) < 0)",
        "auto d = std::find(v.begin(), v.end(), 1) - v.end(); if (d < 0)",
        "auto d = v.size(); if (d > 1) if (v.size() < 3)", "int d = 0; for (int i : v) if (i > 1) --d; if (d < 0)",
        "int i = 0; while (i < k) ++i; if (i > 0)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

TEST(Exclusion, ANumberFromOutsideMayBeBelowZero) {
  std::string all;
  for (const char *never : {"if (k < 0) return; if (k < 0)", "if (k >= 0) if (k == -1)", "if (k > 3 && k < 0)",
                            "if (k - k < 0)", "if (k == k + 1)", "if (k + 2 < 1) if (k > 0)",
                            "if (k < 0 && v.size() < 0)", "unsigned char u = n.getNbLayers() > 2; if (u < 0)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"if (k < 0)", "if (k == -1)", "if (k <= -5)", "if (k < 0) if (k > -3)", "if (k > 0) {} else if (k != 0)",
        "if (k * 2 < 7) {} if (k < 0)", "if (k + 2 < 1) if (k == -4)", "static int s = k; if (s < 0)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

TEST(Exclusion, ARemainderHasTheSignOfWhatIsDivided) {
  std::string all;
  for (const char *never :
       {"if (k % 2 == 2)", "if (k % 3 < -2)", "if (large % 2 > 1)", "if (v.size() % 2 < 0)",
        "if (int(v.size()) % 2 < 0)", "if (k % 2 == 1) if (k % 2 == -1)", "if ((k & 7) < 0)", "if ((k & 7) > 7)",
        "if (std::max(k, 0) < 0)", "if (std::min(k, 0) > 0)", "if (std::abs(k) < 0)", "if (std::clamp(k, 0, 5) < 0)",
        "if (k * k < 0)", "if (k > 0) if (k % 2 < 0)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"if (k % 2 < 0)", "if (k % 2 == -1)", "if (k % 3 == -2)", "if (k % 2 == 1) {} else if (k % 2 == -1)",
        "if (k % 2 == 0) {} else if (k % 2 == 1) {} else", "int m = k % 4; if (m < 0)", "k %= 2; if (k < 0)",
        "if ((k + 1) % 2 < 0)", "if (k / 2 < 0)", "if (k >> 1 < 0)", "if (-k < 0)", "if (~k == 0)", "if (!(k % 2))",
        "if (std::min(k, 0) < 0)", "if (std::max(k, 0) == 0)", "if (std::clamp(k, -5, 5) < 0)", "if (std::abs(k) > 3)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  for (const char *unclear :
       {"if (k < 0) if (k % 2 == -1)", "if ((k % 3 + 3) % 3 == 1) if (k % 3 == -2)", "if (k % 2 == 1 && k < 0)"})
    all += otherWhere("unclear" + std::to_string(all.size()), unclear, "", open);
  expectSaid(all);
}

TEST(Exclusion, AConversionMayMakeAnotherNumber) {
  std::string all;
  for (const char *never :
       {"if (v.size() > -1)", "if (std::min(text.npos, std::size_t(3)) != 3)", "if (v.size() < -1) {} else",
        "if (k >= 0) if (std::size_t(k) != unsigned(k))", "unsigned u = 0; if (~u != 0xffffffffu)",
        "if (std::uint8_t(k) > 255)", "if (std::uint8_t(k) < 0)", "if (unsigned(k) < 0)",
        "int i = int(v.size()); if (i == 2) if (v.size() != 2)", "long i = k; if (i == 2) if (k != 2)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"if (std::size_t(k) > 5)", "if (k < 0) {} if (unsigned(k) == 0xffffffffu)", "if (int(large) == -1)",
        "if (std::int64_t(large) < 0)", "if (std::int8_t(k) < 0)", "if (std::int32_t(large) < 0)",
        "if (unsigned(k) + 1 == 0)", "if (large + 1 == 0)", "if (v.size() - 1 > 5)", "if (k < v.size())"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  for (const char *unclear :
       {"if (k < 0) if (std::size_t(k) > 5)", "if (k < 0 && std::size_t(k) > 5)", "if (unsigned(k) > 5) if (k < 0)",
        "if (k > 5) {} else if (std::size_t(k) > 5)", "if (k == -1) if (!(k < v.size()))",
        "auto at = text.find(99); if (at == text.npos) if (int(at) == -1)",
        "int i = int(large); if (i < 0) if (large > 5)", "if (large > 5) if (std::int64_t(large) < 0)",
        "if (k > 300) if (std::uint8_t(k) < 5)", "if (large == 0) if (large - 1 > 5)"})
    all += otherWhere("unclear" + std::to_string(all.size()), unclear, "", open);
  expectSaid(all);
}

TEST(Exclusion, WhatIsAlikeTwiceCancelsOut) {
  std::string all;
  for (const char *never :
       {"bool e = a == b; bool d = e == a; if (d && !b)", "bool e = a != b; bool d = e != a; if (d && !b)",
        "if ((a == b) == a && !b)", "bool e = a == b, d = e == b; if (d) if (!a)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps : {"bool e = a == b; bool d = e == a; if (d && b)",
                              "bool e = a == b, d = e == b; if (d && !b)", "if ((a == b) == a && !a)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

TEST(Exclusion, ATextMayLackWhatIsLookedFor) {
  std::string all;
  for (const char *never : {"if (large < 0)", "if (large >= 0) {} else", "if (text.size() == text.npos)",
                            "auto at = text.find(99); if (at == text.npos) {} else if (at >= text.npos)",
                            "auto at = text.find(99); if (at != text.npos) if (at == text.npos)",
                            "if (large == ~std::uint64_t(0)) if (large < 5)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"if (text.find(99) == text.npos)", "if (text.find(99) < text.npos)", "if (text.rfind(99) != text.npos)",
        "if (int(text.find(99)) == -1)", "if (large == ~std::uint64_t(0))", "if (large > 5)",
        "if (large > 5) if (large == ~std::uint64_t(0))"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

TEST(Exclusion, WhatOneIsMadeOfMayExcludeTheOther) {
  std::string all;
  for (const char *unclear :
       {"int i = 0; while (i < k) ++i; if (i > 0 && k <= 0)", "int i = 0; while (i < k) ++i; if (k > 0) if (i <= 0)",
        "auto d = std::count(v.begin(), v.end(), 1); if (d > 0 && v.empty())",
        "auto d = std::count(v.begin(), v.end(), 1); auto at = std::find(v.begin(), v.end(), 1); "
        "if (d > 0 && at == v.end())",
        "int d = 0; for (int i : v) if (i > 1) ++d; if (d > 0 && v.empty())",
        "std::vector<int> w; for (int i : v) if (i > 1) w.push_back(i); if (!w.empty() && "
        "v.empty())",
        "std::map<int, int> m; for (int i : v) m[i] = 1; if (v.empty()) if (!m.empty())"})
    all += otherWhere("unclear" + std::to_string(all.size()), unclear, "", open);
  for (const char *perhaps :
       {"std::map<int, int> m; for (int i : v) m[i] = 1; if (!m.empty())",
        "int i = 0; while (i < k) ++i; if (i > 0 && a)", "auto d = std::count(v.begin(), v.end(), 1); if (d > 0 && b)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

TEST(Exclusion, TruthValuesThatAreCompared) {
  std::string all;
  for (const char *never : {"bool e = a == b; if (a && b && !e)", "bool e = a ^ b; if (a && b && e)",
                            "bool e = a != b; if (a) if (b) if (e)", "bool e = (k > 1) == a; if (a && k > 2 && !e)",
                            "bool e = a == b, d = e; if (d && a && !b)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps :
       {"bool e = a == b; if (a && !e)", "bool e = a ^ b; if (a && e)", "bool e = (k > 2) == a; if (a && k > 1 && !e)",
        "bool e = a == b; a = !a; if (a && b && !e)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

// What lets a loop make a trip holds in it.
TEST(Exclusion, ConditionsOfLoops) {
  std::string all;
  for (const char *never : {"for (int i = 0; i < k; ++i) if (k == 0)", "for (int i = 1; i <= k; ++i) if (k < 1)",
                            "for (int i = 0; i < k; ++i) if (i < 0)"})
    all += otherWhere("never" + std::to_string(all.size()), never);
  for (const char *perhaps : {"for (int i = 0; i < k; ++i) if (k == 2)"})
    all += otherWhere("perhaps" + std::to_string(all.size()), perhaps, differs);
  expectSaid(all);
}

} // namespace
} // namespace condlint::test
