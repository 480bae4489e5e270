//===- TestDevice.cpp - The device that the tests run on ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevice.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>

namespace condlint::test {

std::string testDevice() {
  const char *name = std::getenv("CONDLINT_TEST_DEVICE");
  return name != nullptr ? name : "cpu";
}

// The stand-in has its own.
__attribute__((weak)) std::string faultOf(const std::function<void()> &f) {
  f();
  return {};
}

namespace {

class DeviceIsThere final : public testing::Environment {
public:
  void SetUp() override {
    if (const auto problem = deviceProblem(testDevice())) {
      std::cout << "[  SKIPPED ] " << *problem << '\n';
      GTEST_SKIP() << *problem;
    }
  }
};
const testing::Environment *const environment = testing::AddGlobalTestEnvironment(new DeviceIsThere);

} // namespace

} // namespace condlint::test
