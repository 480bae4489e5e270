//===- ExecuTorchProgramTest.cpp - Programs that are left out ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "readers/ExecuTorchProgram.h"
#include <gtest/gtest.h>
#include <string>

namespace condlint {
namespace {

TEST(ProgramsLeftOut, KeepsTheFirstNamesHoweverManyThereAre) {
  ProgramsLeftOut inArchive;
  EXPECT_EQ(inArchive.note(), "");
  for (int i = 0; i < 100000; ++i)
    inArchive.add(std::to_string(i) + ".pte");
  EXPECT_EQ(inArchive.names().size(), 3U);
  EXPECT_TRUE(inArchive.note().starts_with("left out: 0.pte, 1.pte, 2.pte and 99997 more are programs of ExecuTorch"))
      << inArchive.note();

  ProgramsLeftOut all;
  all.add("before.pte");
  all.add(inArchive, "m.tar/");
  EXPECT_EQ(all.names().size(), 3U);
  EXPECT_TRUE(all.note().starts_with("left out: before.pte, m.tar/0.pte, m.tar/1.pte and 99998 more are programs"))
      << all.note();
}

} // namespace
} // namespace condlint
