//===- WeightsTest.cpp - Weights that a run reads -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Weights that are absent, too short or outside of the model's folder stop the run
// before it begins, and the error names them.
#include "Samples.h"
#include "readers/OnnxBytes.h"
#include <filesystem>
#include <fstream>

namespace condlint::test {
namespace {

namespace fs = std::filesystem;
using condlint::testing::field;

class Weights : public ::testing::Test {
protected:
  Weights() {
    folder = fs::temp_directory_path() /
             fmt::format("condlint-weights-{}", ::testing::UnitTest::GetInstance()->random_seed());
    folder += ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder);
  }
  ~Weights() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  static std::string entry(const std::string &key, const std::string &value) {
    return field(13, field(1, key) + field(2, value));
  }
  /// A float32 [2] called w, with its data in \p data.
  static std::string weight(const std::string &data) { return field(1, 2) + field(2, 1) + field(8, "w") + data; }
  static std::string external(const std::string &file, const std::string &offset = {}, const std::string &length = {}) {
    return weight(entry("location", file) + (offset.empty() ? "" : entry("offset", offset)) +
                  (length.empty() ? "" : entry("length", length)) + field(14, 1));
  }

  /// x + w, or why it does not run.
  std::string run(const std::string &tensor) const {
    using namespace condlint::testing;
    return runModel(node("Add", {"x", "w"}, {"y"}) + field(5, tensor) + output("y"), true);
  }
  /// What a model with the inputs c and x makes of \p predicate and [1, 2].
  std::string runModel(const std::string &graph, bool predicate) const {
    write("m.onnx", condlint::testing::model(graph));
    auto models = readModel((folder / "m.onnx").string());
    if (!models)
      return "error: " + models.error().str();
    inferTypes(models->front());
    auto e = Executor::create(models->front(), {}, openConstants);
    if (!e)
      return "error: " + e.error().str();
    auto bound = (*e)->bind(std::vector<Array>{truth("c", predicate), floats("x", {1, 2})});
    if (!bound)
      return "error: " + bound.error().str();
    auto results = (*e)->run(*bound);
    return results ? spelled(*(*e)->toArray((*results)[0])) : "error: " + results.error().str();
  }
  void refuses(const std::string &tensor, std::string_view words) const {
    const std::string out = run(tensor);
    EXPECT_TRUE(out.starts_with("error: ")) << out;
    EXPECT_NE(out.find("'w'"), std::string::npos) << out;
    EXPECT_NE(out.find(words), std::string::npos) << out;
  }

  fs::path folder;
};

const std::string one("\0\0\x80\x3f", 4);

TEST_F(Weights, InsideTheFileAndBesideIt) {
  write("w.bin", "head" + one + one);
  EXPECT_EQ(run(weight(field(9, one + one))), "float32[2]: 2, 3");
  EXPECT_EQ(run(external("w.bin", "4", "8")), "float32[2]: 2, 3");
}

/// As ONNX Runtime 1.32: what the other branch reads of a name comes to both.
TEST_F(Weights, AnInitializerThatHidesAValueAroundIt) {
  using namespace condlint::testing;
  const std::string hidden = node("Neg", {"x"}, {"w"});
  const std::string hides = condlint::testing::graph("t", field(5, weight(field(9, one + one))) +
                                                              node("Add", {"x", "w"}, {"a"}) + output("a"));
  const auto with = [&](const std::string &other, bool predicate) {
    return runModel(hidden + ifNode("y", hides, condlint::testing::graph("e", other + output("b"))) + output("y"),
                    predicate);
  };
  const std::string reads = node("Mul", {"x", "w"}, {"b"}), reads_not = node("Abs", {"x"}, {"b"});
  EXPECT_EQ(with(reads, true), "float32[2]: 0, 0"); // x + -x
  EXPECT_EQ(with(reads, false), "float32[2]: -1, -4");
  EXPECT_EQ(with(reads_not, true), "float32[2]: 2, 3");
  const std::string returns = condlint::testing::graph("t", field(5, weight(field(9, one + one))) + output("w"));
  EXPECT_EQ(
      runModel(hidden + ifNode("y", returns, condlint::testing::graph("e", reads + output("b"))) + output("y"), true),
      "float32[2]: 1, 1");
}

TEST_F(Weights, OfTwoOfOneNameTheLastCounts) {
  using namespace condlint::testing;
  const std::string two("\0\0\0\x40", 4);
  EXPECT_EQ(runModel(field(5, weight(field(9, one + one))) + field(5, weight(field(9, two + two))) +
                         node("Add", {"x", "w"}, {"y"}) + output("y"),
                     true),
            "float32[2]: 3, 4");
}

TEST_F(Weights, AbsentOrTooShort) {
  write("w.bin", one);
  refuses(weight(field(9, one)), "4");
  refuses(external("w.bin"), "w.bin");
  refuses(external("w.bin", "0", "8"), "w.bin");
  refuses(external("w.bin", "18446744073709551615", "8"), "w.bin");
  refuses(external("absent.bin"), "absent.bin");
}

TEST_F(Weights, NothingOutsideOfTheFolderIsOpened) {
  write("w.bin", one + one);
  fs::create_directories(folder / "inner");
  std::error_code error;
  fs::create_symlink("/etc/hostname", folder / "link.bin", error);
  refuses(external("../" + folder.filename().string() + "/w.bin"), "..");
  refuses(external("/etc/hostname"), "/etc/hostname");
  refuses(external("inner"), "inner");
  if (!error)
    refuses(external("link.bin"), "link.bin");
}

TEST_F(Weights, BeyondTheLimitOfMemory) {
  // Row-major bytes are used where they lie; a string tensor needs memory.
  ExecutorOptions o = onTestDevice();
  o.memoryLimit = 4;
  Session s(
      R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 20}, "graph": {"parameters": [{"name": "x", "type":
      "float32[2]"}], "nodes": [{"op": "Neg", "operands": ["x"], "results": ["y"]}], "results": ["y"]}})",
      o);
  const std::string out = s.run({floats("x", {1, 2})});
  EXPECT_TRUE(out.starts_with("error: ")) << out;
}

} // namespace
} // namespace condlint::test
