//===- FilesTest.cpp - The annotated sources in tests/data/cxx/tensorrt ------ -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

TEST(Networks, AnnotatedFilesYieldExactlyWhatTheySay) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(CONDLINT_TEST_DATA "/cxx/tensorrt"))
    files.push_back(entry.path().string());
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  for (const std::string &file : files)
    EXPECT_EQ(differencesOfFile(file), "") << file;
}

} // namespace
} // namespace condlint::test
