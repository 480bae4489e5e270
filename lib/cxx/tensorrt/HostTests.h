//===- HostTests.h - What conditions ask of numbers of the host --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that are not known have names, and what they are compared with says what they
// may be on a run: that decides what is asked of them later.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_HOSTTESTS_H
#define CONDLINT_CXX_TENSORRT_HOSTTESTS_H

#include "../interp/machine/HostConditions.h"
#include "../interp/machine/Machine.h"
#include "../interp/values/PossibleValues.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace condlint::cxx {

/// What numbers may be on a run, each by the number of its HostSymbol.
class HostNumbers {
public:
  void clear();
  /// On this run, whichever paths of it are joined.
  PossibleValues &anywhere(std::uint32_t symbol) { return values[symbol]; }
  /// Where \p m is; null: nothing is known of it.
  const PossibleValues *find(const Machine &m, std::uint32_t symbol) const;
  /// The number \p opcode \p constant holds from here on. What holds on one of several paths that are joined later, or
  /// in the trip of a loop that is tried out, holds there alone.
  void restrict(const Machine &m, std::uint32_t symbol, clang::BinaryOperatorKind opcode, std::int64_t constant);

private:
  std::map<std::uint32_t, PossibleValues> values;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PossibleValues> onPaths; ///< by path and symbol
};

/// A number that is given from outside, or that code which is not seen gives back.
class HostSymbol : public Datum {
public:
  HostSymbol(std::uint32_t n, bool fromOutside, bool byCode = false) : number(n), given(fromOutside), made(byCode) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const HostSymbol *>(&other);
    return o && o->number == number;
  }
  std::uint32_t number;
  bool given;
  bool made; ///< it is a name for what the code itself makes
};

/// A number is compared with a constant.
class HostTest : public Test {
public:
  HostTest(HostNumbers &all, const HostSymbol &s, clang::BinaryOperatorKind op, std::int64_t c, int counts = 0)
      : numbers(all), symbol(s.number), given(s.given), made(s.made), opcode(op), constant(c), counting(counts) {}
  bool isGiven() const override { return given; }
  void assume(Machine &m, bool truth) const override;
  std::optional<bool> decided(Machine &m) const override;
  /// Leaves of \p values what the test allows where it \p holds.
  void restrict(PossibleValues &values, bool holds) const;

  HostNumbers &numbers;
  std::uint32_t symbol;
  bool given;
  bool made; ///< the code itself made the number, of what is not worked out
  clang::BinaryOperatorKind opcode;
  std::int64_t constant;
  int counting; ///< the constant is what a loop counts with: 1 up, -1 down, 0 it is not
};

/// Two numbers are compared: what the one may be says what the other is not.
std::shared_ptr<const Test> orderOf(HostNumbers &numbers, const HostSymbol &a, clang::BinaryOperatorKind op,
                                    const HostSymbol &b);
/// `a == b` of two truth values; what stands on both sides cancels out, as `f` does in `(f == g) == f`.
std::shared_ptr<const Test> alike(std::shared_ptr<const Test> a, std::shared_ptr<const Test> b);

/// What \p t asks of numbers that are not known: the words are empty where it asks anything else.
HostQuestion questionOf(const Test *t);
/// \p t compares two numbers that are not known, and all that follows from it is not worked out.
bool asksOrder(const Test *t);
/// \p t asks a number that the code makes, of what is not worked out; or, \p orUnknown, of something nobody knows what.
bool asksMade(const Test *t, bool orUnknown);
/// \p t asks some of \p numbers, and nothing else.
bool asksOnly(const Test *t, const std::set<std::uint32_t> &numbers);
/// The numbers that \p t asks; none where it asks anything else.
std::set<std::uint32_t> numbersOf(const Test *t);
/// The same of each comparison that \p t is made of, in the order in which they are written.
std::vector<std::set<std::uint32_t>> numbersOfParts(const Test *t);
/// `mode == a || mode == b` is true: the number is one of those.
void assumeEither(HostNumbers &numbers, const Test *t, bool truth);
/// The same is so for certain, or it is not.
std::optional<bool> isEither(const HostNumbers &numbers, const Machine &m, const Test *t);
/// What \p t is made of does not hold together, so that it is never true, or never false.
std::optional<bool> isAlways(const HostNumbers &numbers, const Machine &m, const Test *t);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_HOSTTESTS_H
