//===- Pt2SymExprTest.cpp - Sizes as sympy writes them ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "readers/pt2/SymExpr.h"
#include <gtest/gtest.h>

namespace condlint::pt2 {
namespace {

class SymExprTest : public ::testing::Test {
protected:
  std::string read(std::string_view text) {
    const SymExpr e = parseSymExpr(text, dims, symbols);
    return e.problem.empty() ? dims.str(e.dim) : "! " + e.problem;
  }
  bool equal(std::string_view a, std::string_view b) {
    return parseSymExpr(a, dims, symbols).dim == parseSymExpr(b, dims, symbols).dim;
  }

  DimTable dims;
  SymbolTable symbols;
};

const std::string s0 = "Symbol('s0', positive=True, integer=True)";
const std::string u0 = "Symbol('u0', integer=True)";

TEST_F(SymExprTest, Integers) {
  EXPECT_EQ(read("Integer(3)"), "3");
  EXPECT_EQ(read("Integer(-3)"), "-3");
  EXPECT_EQ(read("7"), "7");
}

TEST_F(SymExprTest, SymbolsAndWhatTheyAssume) {
  EXPECT_EQ(read(s0), "s0");
  EXPECT_EQ(symbols["s0"].origin, SymbolOrigin::Declared);
  EXPECT_EQ(symbols["s0"].bounds.min, 0) << "how it was traced says nothing of what it may be";
  EXPECT_EQ(read(u0), "u0");
  EXPECT_EQ(symbols["u0"].origin, SymbolOrigin::Unbacked);
  EXPECT_EQ(symbols["u0"].bounds.min, std::numeric_limits<std::int64_t>::min());
  read("Symbol('u0', integer=True, nonnegative=True)");
  EXPECT_EQ(symbols["u0"].bounds.min, 0);
  EXPECT_EQ(originOfSymbol("i3"), SymbolOrigin::Unbacked);
  EXPECT_EQ(originOfSymbol("zuf2"), SymbolOrigin::Unbacked);
  EXPECT_EQ(originOfSymbol("unit"), SymbolOrigin::Declared);
}

TEST_F(SymExprTest, SizesByWayOfRealNumbersAreTheSameWhereTheyAreWrittenTheSame) {
  const std::string half = "TruncToInt(Mul(Float('0.5', precision=53), ToFloat(" + s0 + ")))";
  EXPECT_EQ(read(half), "TruncToInt('Float 0.5'()*ToFloat(s0))");
  EXPECT_TRUE(equal(half, "TruncToInt(Mul(ToFloat(" + s0 + "), Float('0.5', precision=53)))"));
  EXPECT_TRUE(equal("Mul(Integer(2), " + half + ")", "Add(" + half + ", " + half + ")"));
  EXPECT_FALSE(equal(half, "TruncToInt(Mul(Float('1.5', precision=53), ToFloat(" + s0 + ")))"));
  EXPECT_FALSE(equal(half, "FloorToInt(Mul(Float('0.5', precision=53), ToFloat(" + s0 + ")))"));
  EXPECT_TRUE(equal("TruncToInt(1.5*ToFloat(s0))", "TruncToInt(ToFloat(s0)*1.5)"));
  // A real number is no size, and what holds of integers does not hold of it.
  EXPECT_EQ(read("Mul(Float('0.5', precision=53), ToFloat(" + s0 + "))"), "?");
  EXPECT_EQ(read("Integer(2)*1.5"), "?");
  EXPECT_EQ(read("FloorDiv(Mul(Integer(2), ToFloat(" + s0 + ")), Integer(2))"), "?");
  EXPECT_EQ(read("Lt(ToFloat(" + s0 + "), Float('2.5', precision=53))"), "?");
}

TEST_F(SymExprTest, ArithmeticInBothSpellings) {
  EXPECT_TRUE(equal("Mul(Integer(2), " + s0 + ")", "2*s0"));
  EXPECT_TRUE(equal("Add(" + s0 + ", Integer(-1))", "s0 - 1"));
  EXPECT_TRUE(equal("Pow(" + s0 + ", Integer(2))", "s0**2"));
  EXPECT_TRUE(equal("s0*s0", "s0**2"));
  EXPECT_TRUE(equal("Mul(Integer(-1), Pow(" + s0 + ", Integer(2)))", "-s0**2"));
  EXPECT_TRUE(equal("FloorDiv(" + s0 + ", Integer(2))", "s0//2"));
  EXPECT_TRUE(equal("torch.utils._sympy.functions.FloorDiv(" + s0 + ", Integer(2))", "(s0//2)"));
  EXPECT_TRUE(equal("PythonMod(" + s0 + ", Integer(2))", "s0 % 2"));
  EXPECT_TRUE(equal("Mod(" + s0 + ", Integer(2))", "Mod(s0, 2)"));
  EXPECT_TRUE(equal("CeilToInt(IntTrueDiv(" + s0 + ", Integer(2)))", "CeilDiv(s0, 2)"));
  EXPECT_TRUE(equal("ModularIndexing(" + s0 + ", 2, 3)", "(s0//2) % 3"));
  EXPECT_TRUE(equal("Max(Integer(1), " + s0 + ", 4)", "Max(4, Max(1, s0))"));
  EXPECT_TRUE(equal("Min(3, s0)", "Min(s0, 3)"));
  EXPECT_TRUE(equal("Add(1, s0, evaluate=False)", "s0 + 1"));
}

TEST_F(SymExprTest, ValuesOfWhatWasRead) {
  const Dim d =
      parseSymExpr("Add(Integer(5), Mul(Integer(3), " + s0 + "), FloorDiv(" + u0 + ", Integer(4)))", dims, symbols).dim;
  EXPECT_EQ(dims.evaluate(d, {{"s0", 2}, {"u0", 9}}), 13);
}

TEST_F(SymExprTest, ComparisonsAreTruths) {
  EXPECT_TRUE(equal("StrictGreaterThan(" + s0 + ", Integer(2))", "2 < s0"));
  EXPECT_TRUE(equal("GreaterThan(" + s0 + ", Integer(3))", "s0 > 2"));
  EXPECT_TRUE(equal("Not(Equality(" + s0 + ", Integer(2)))", "Ne(s0, 2)"));
  EXPECT_TRUE(equal("And(s0 > 2, s0 > 4)", "(s0 > 4) & (s0 > 2)"));
  EXPECT_FALSE(equal("LessThan(s0, Integer(2))", "StrictLessThan(s0, Integer(2))"));
  const auto at = [&](const char *text, std::int64_t s) {
    return dims.evaluate(parseSymExpr(text, dims, symbols).dim, {{"s0", s}}).value_or(-1);
  };
  for (const std::int64_t s : {2, 3, 4}) {
    EXPECT_EQ(at("s0 < 3", s), s < 3 ? 1 : 0);
    EXPECT_EQ(at("s0 <= 3", s), s <= 3 ? 1 : 0);
    EXPECT_EQ(at("Eq(s0, 3)", s), s == 3 ? 1 : 0);
    EXPECT_EQ(at("(s0 < 3) | (s0 > 3)", s), s != 3 ? 1 : 0);
  }
  EXPECT_EQ(read("~s0").substr(0, 1) == "!", false);
}

TEST_F(SymExprTest, WhatIsNotKnownIsOpaque) {
  EXPECT_TRUE(equal("Foo(" + s0 + ", 2)", "Foo(s0, 2)"));
  EXPECT_FALSE(equal("Foo(s0, 2)", "Foo(s0, 3)"));
  EXPECT_FALSE(equal("Foo(s0)", "Bar(s0)"));
  const Dim d = parseSymExpr("StrictGreaterThan(" + s0 + ", Integer(2))", dims, symbols).dim;
  EXPECT_TRUE(d.known());
  EXPECT_FALSE(dims.asConstant(d).has_value());
  EXPECT_EQ(read("s0 > 2").substr(0, 1) == "!", false);
  EXPECT_EQ(read("Pow(s0, Integer(-1))").substr(0, 1) == "!", false);
  EXPECT_EQ(read("Pow(s0, Integer(1000000))").substr(0, 1) == "!", false);
}

TEST_F(SymExprTest, NoIntegerIsUnknown) {
  for (const char *text : {"Float('0.5', precision=53)", "0.5", "1e-3", "True", "oo", "99999999999999999999"}) {
    const SymExpr e = parseSymExpr(text, dims, symbols);
    EXPECT_EQ(e.problem, "") << text;
    EXPECT_FALSE(e.dim.known()) << text;
  }
}

TEST_F(SymExprTest, SyntaxErrorsSayWhere) {
  EXPECT_EQ(read("Symbol('s77', positive=True"), "! expected ')' at character 27");
  for (const char *text : {"", "(", ")", "Symbol(", "Symbol()", "Symbol('')", "Symbol('s0", "Add(1,", "1 +", "s0 s1",
                           "s0 **", "Symbol('s0', positive=maybe)", "\x01", "1.2.3"})
    EXPECT_EQ(read(text).substr(0, 1), "!") << text;
}

TEST_F(SymExprTest, BoundedInDepthAndLength) {
  EXPECT_NE(read(std::string(100000, '(')).find("characters long"), std::string::npos);
  EXPECT_NE(read(std::string(10000, '(')).find("deeper"), std::string::npos);
  std::string powers = "s0";
  for (int i = 0; i < 5000; ++i)
    powers += "**s0";
  EXPECT_NE(read(powers).find("deeper"), std::string::npos);
  std::string calls;
  for (int i = 0; i < 5000; ++i)
    calls += "Max(";
  EXPECT_NE(read(calls).find("deeper"), std::string::npos);
  EXPECT_NE(read(std::string(60000, '-') + "1"), "");
  // Powers of sums of powers: terms must not explode.
  std::string tower = "s0 + s1 + s2 + s3";
  for (int i = 0; i < 8; ++i)
    tower = "Pow(Add(" + tower + ", s" + std::to_string(i + 4) + "), Integer(8))";
  read(tower);
}

} // namespace
} // namespace condlint::pt2
