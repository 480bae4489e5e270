//===- Copies.h - Values of memory of their own -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_EXECUTOR_COPIES_H
#define CONDLINT_EXECUTOR_COPIES_H

#include "Interpreter.h"
#include <utility>
#include <vector>

namespace condlint {

/// A value of its own storages; tensors that share one go on sharing it. \p copies: those that were made so far.
RuntimeValue deepCopy(const ExecContext &c, const RuntimeValue &v, std::vector<std::pair<Storage *, Tensor>> &copies);

} // namespace condlint

#endif // CONDLINT_EXECUTOR_COPIES_H
