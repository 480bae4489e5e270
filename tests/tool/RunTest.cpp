//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// condlint run: models are executed, kept, compared, and validated on both sides
// of their conditionals.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// "output-alias error" of each finding that is no note, sorted by the report.
std::string found(const Outcome &o) {
  const nlohmann::json report = o.json();
  std::string out;
  for (const nlohmann::json &f : report["findings"])
    if (f["severity"] != "note")
      out += f["rule"].get<std::string>() + ' ' + f["severity"].get<std::string>() + ';';
  return out;
}

TEST(Run, OutputsAreKeptAndComparedAgain) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  EXPECT_EQ(w.run({"run", "m.pt2", "--seed", "3", "--save", "a.npz"}).code, 0);
  // The same seed draws the same inputs.
  Outcome same = w.run({"run", "m.pt2", "--seed", "3", "--expect", "a.npz"});
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  Outcome other = w.run({"run", "m.pt2", "--seed", "4", "--expect", "a.npz"});
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_TRUE(other.says("error:")) << other.out;
}

TEST(Run, OnnxModelsRunToo) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  EXPECT_EQ(w.run({"run", "m.onnx"}).code, 0);
  Outcome both = w.run({"run", "m.onnx", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 0) << both.out;
  EXPECT_EQ(found(both), "");
}

TEST(Run, BothBranchesShowTheReturnedOperand_A1) {
  Workshop w;
  w.example("returned_operand.pt2", "m.pt2");
  EXPECT_EQ(w.run({"run", "m.pt2"}).code, 0);
  Outcome both = w.run({"run", "m.pt2", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 1);
  EXPECT_EQ(found(both), "output-alias error;");
}

TEST(Run, BothBranchesShowTheWrittenOperand_M1) {
  Workshop w;
  w.example("written_operand.pt2", "m.pt2");
  Outcome both = w.run({"run", "m.pt2", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 1);
  EXPECT_EQ(found(both), "input-mutation error;");
}

TEST(Run, ABranchThatCannotRunMakesTheInputPartial) {
  Workshop w;
  w.example("squeeze.onnx", "m.onnx");
  Outcome both = w.run({"run", "m.onnx", "--branch", "both", "--output", "json"});
  EXPECT_EQ(both.code, 3);
  EXPECT_EQ(both.json()["inputs"][0]["status"], "partial");
}

TEST(Run, WrongUsageIsSaid) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  w.write("bad.npz", "this is no archive");
  EXPECT_EQ(w.run({"run", "m.pt2", "--inputs", "bad.npz"}).code, 2);
  EXPECT_EQ(w.run({"run", "m.pt2", "--inputs", "absent.npz"}).code, 2);
  EXPECT_EQ(w.run({"run", "m.pt2", "--memory-limit", "much"}).code, 2);
  Outcome cuda = w.run({"run", "m.pt2", "--device", "cuda"});
  EXPECT_EQ(cuda.code, 2);
  EXPECT_TRUE(cuda.says("cuda")) << cuda.err;
  EXPECT_EQ(w.run({"run", "absent.pt2"}).code, 3);
}

} // namespace
} // namespace condlint::test
