//===- TestDevice.h - The device that the tests run on ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_EXECUTOR_TESTDEVICE_H
#define CONDLINT_TESTS_EXECUTOR_TESTDEVICE_H

#include "condlint/Executor.h"
#include <functional>
#include <string>

namespace condlint::test {

/// What CONDLINT_TEST_DEVICE names, else "cpu". Where there is no such device every test is skipped.
std::string testDevice();
/// Options for it.
inline ExecutorOptions onTestDevice() {
  ExecutorOptions o;
  o.device = testDevice();
  return o;
}

/// Calls \p f. On the host that plays a GPU (tests/cuda/standin): what memory it touched that it
/// may not touch there, or nothing.
std::string faultOf(const std::function<void()> &f);

} // namespace condlint::test

#endif // CONDLINT_TESTS_EXECUTOR_TESTDEVICE_H
