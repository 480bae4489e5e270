//===- Tests.h - Truth values made of others --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_TESTS_H
#define CONDLINT_CXX_INTERP_VALUES_TESTS_H

#include "Value.h"

namespace condlint::cxx {

/// `!a`.
class NotTest : public Test {
public:
  explicit NotTest(std::shared_ptr<const Test> t) : inner(std::move(t)) {}
  void assume(Machine &m, bool truth) const override { inner->assume(m, !truth); }
  void refuted(Machine &m, bool needed) const override { inner->refuted(m, !needed); }
  std::optional<bool> decided(Machine &m) const override {
    const auto truth = inner->decided(m);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  bool isGiven() const override { return inner->isGiven(); }
  bool isKept() const override { return inner->isKept(); }
  bool isOfMade() const override { return inner->isOfMade(); }
  const Test &denied() const { return *inner; }

private:
  std::shared_ptr<const Test> inner;
};

/// `a && b`. Where it is false what holds is what both paths of that have in common.
class BothTest : public Test {
public:
  BothTest(std::shared_ptr<const Test> a, std::shared_ptr<const Test> b) : first(std::move(a)), second(std::move(b)) {}
  void assume(Machine &m, bool truth) const override;
  std::optional<bool> decided(Machine &m) const override;
  bool isGiven() const override { return first && second && first->isGiven() && second->isGiven(); }
  bool isKept() const override { return first && second && first->isKept() && second->isKept(); }
  bool isOfMade() const override { return (first && first->isOfMade()) || (second && second->isOfMade()); }
  /// Null: nothing is known of it.
  const Test *left() const { return first.get(); }
  const Test *right() const { return second.get(); }

private:
  std::shared_ptr<const Test> first, second;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_TESTS_H
