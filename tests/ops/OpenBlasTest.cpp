//===- OpenBlasTest.cpp - Whose kernels OpenBLAS runs ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/OpenBlas.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

using namespace condlint;

namespace {

TEST(OpenBlas, KernelsFollowFromWhatAProcessorCanDo) {
  EXPECT_EQ(openBlasKernelsFor({}), nullptr); // it may choose itself
  EXPECT_STREQ(openBlasKernelsFor({.avx2 = true}), "Haswell");
  EXPECT_STREQ(openBlasKernelsFor({.avx2 = true, .isAmd = true}), "Zen");
  EXPECT_STREQ(openBlasKernelsFor({.avx2 = true, .avx512 = true}), "SkylakeX");
  // A Xeon with AMX, which OpenBLAS 0.3.21 would take for a Prescott.
  EXPECT_STREQ(openBlasKernelsFor({.avx2 = true, .avx512 = true, .bfloat16 = true}), "Cooperlake");
}

TEST(OpenBlas, RunsTheKernelsOfThisProcessor) {
  const std::string version = openBlasVersion();
  const char *kernels = openBlasKernelsFor(vectorExtensions());
  if (version.empty() || kernels == nullptr)
    GTEST_SKIP() << "no OpenBLAS, or a processor that it may choose for";
  const char *wish = std::getenv("OPENBLAS_CORETYPE"); // NOLINT(concurrency-mt-unsafe): nothing else runs
  EXPECT_TRUE(version.ends_with(std::string(", kernels for ") + (wish != nullptr ? wish : kernels))) << version;
}

} // namespace
