//===- Refused.cpp - What cond.h refuses to compile ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What condlint/cond.h refuses to compile: each line that says so, with that
// message, and no other error. Read by tests/project/libtorch.sh.
//
//===----------------------------------------------------------------------===//
#include <condlint/cond.h>
#include <string>

using at::Tensor;

struct Convertible {
  operator bool() const { return true; }
};

static Tensor keep(const Tensor &x) { return x.clone(); }
static std::vector<Tensor> list(const Tensor &x) { return {x}; }
static void nothing(const Tensor &) {}
static Tensor scaled(const Tensor &x, double) { return x.clone(); }

void refused(const Tensor &x, const Convertible &c, int n) {
  condlint::cond(c, keep, keep, {x}); // refused: the predicate must be a bool, an at::Tensor or a c10::SymBool
  condlint::cond(
      n, keep, keep,
      std::vector<Tensor>{x}); // refused: the predicate must be; the true branch cannot; the false branch cannot
  condlint::cond(true, scaled, scaled, std::make_tuple(x, 0.5)); // refused: operands are tensors or integers
  condlint::cond(true, keep, 7, {x});                            // refused: the false branch cannot be called
  condlint::cond(true, nullptr, keep, {x, x}); // refused: the true branch cannot be called; the false branch cannot
  condlint::cond(true, keep, list, std::array<Tensor, 1>{x}); // refused: both branches must return the same type
  condlint::cond(true, nothing, nothing, {x});                // refused: the branches must return something
}

void accepted(const Tensor &x) {
  condlint::cond(true, keep, keep, {x});
  condlint::cond(x.defined(), [&] { return keep(x); }, [&] { return keep(x); });
}
