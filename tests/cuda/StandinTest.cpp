//===- StandinTest.cpp - Kernels on a stand-in for a device ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// CudaDevice on a host that plays the GPU, and that this host sees what is wrong.
#include "executor/Samples.h"
#include "executor/cuda/CudaDevice.h"
#include "ops/Kernel.h"
#include "standin/Faults.h"
#include "standin/cuda_runtime.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace condlint::test {
namespace {

using Shape = std::vector<std::int64_t>;

class Cuda : public testing::Test {
protected:
  void SetUp() override {
    if (testDevice() != "cuda")
      GTEST_SKIP() << "CONDLINT_TEST_DEVICE is not cuda";
  }

  /// 0, 1, 2, … as the host wrote them.
  Tensor counted(Device &d, const Shape &sizes) {
    const std::int64_t count = elementCount(sizes).value_or(0);
    Tensor t(d.allocate(static_cast<std::size_t>(count) * 4), DType::Float32, sizes);
    std::iota(t.out<float>(), t.out<float>() + count, 0.0F);
    return t;
  }
  std::vector<float> values(const Tensor &t) { return {t.as<float>(), t.as<float>() + t.numel()}; }
};

TEST_F(Cuda, BytesGoWhereTheyAreAskedFor) {
  CudaDevice d;
  const Tensor t = counted(d, {2, 3}), out(d.allocate(24), DType::Float32, Shape{3, 2});
  EXPECT_EQ(d.traffic().toDevice, 0U);
  const Tensor turned = t.transposed(0, 1);
  d.convert(out.sizes(), ElementOperand::of(out), ElementOperand::of(turned));
  EXPECT_EQ(d.traffic().toDevice, 24U);
  EXPECT_EQ(d.traffic().toHost, 0U);
  EXPECT_EQ(values(out), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(d.traffic().toHost, 24U);
  EXPECT_EQ(values(out).size(), 6U); // it is there now
  EXPECT_EQ(d.traffic().toHost, 24U);
  out.out<float>()[0] = 7; // from now on only the host has it
  d.convert(t.sizes(), ElementOperand::of(t), ElementOperand::of(out.transposed(0, 1)));
  EXPECT_EQ(values(t)[0], 7);
}

TEST_F(Cuda, WeightsAreReadWhereTheyLieAndCopiedBeforeTheyAreWritten) {
  CudaDevice d;
  const auto weights = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  const Tensor t(d.borrow(reinterpret_cast<const char *>(weights->data()), 8, weights), DType::Float32, Shape{2});
  const Tensor out(d.allocate(8), DType::Float32, Shape{2});
  EXPECT_EQ(static_cast<const void *>(t.bytes()), weights->data());
  d.convert(out.sizes(), ElementOperand::of(out), ElementOperand::of(t));
  EXPECT_EQ(d.used(), 16U); // what lies on the GPU counts
  EXPECT_EQ(static_cast<const void *>(t.bytes()), weights->data());
  ASSERT_TRUE(t.storage().noteWrite(NodeId(1)));
  t.out<float>()[0] = 5;
  EXPECT_EQ((*weights)[0], 1);
  EXPECT_EQ(values(t), (std::vector<float>{5, 2}));
}

TEST_F(Cuda, GivesItsMemoryBack) {
  const std::size_t before = standin::bytesTaken();
  {
    CudaDevice d;
    const Tensor t = counted(d, {1000}), copy(d.allocate(4000), DType::Float32, Shape{1000});
    copy.storage().assign(t.storage());
    EXPECT_GT(standin::bytesTaken(), before);
    EXPECT_EQ(values(copy), values(t));
  }
  EXPECT_EQ(standin::bytesTaken(), before);
}

TEST_F(Cuda, MultipliesAsCublasDoesAndWithoutIt) {
  for (const bool library : {true, false}) {
    standin::hasCublas = library;
    CudaDevice d;
    standin::hasCublas = true;
    const Tensor a = counted(d, {2, 3}), b = counted(d, {3, 4});
    // [2, 3] x [3, 4]; the same with the factors' transposes given as such.
    for (const auto &[left, right] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
      const Tensor c(d.allocate(32), DType::Float32, Shape{2, 4});
      Tensor x = a, y = b;
      if (left) {
        x = Tensor(d.allocate(24), DType::Float32, Shape{3, 2});
        d.convert(x.sizes(), ElementOperand::of(x), ElementOperand::of(a.transposed(0, 1)));
      }
      if (right) {
        y = Tensor(d.allocate(48), DType::Float32, Shape{4, 3});
        d.convert(y.sizes(), ElementOperand::of(y), ElementOperand::of(b.transposed(0, 1)));
      }
      MatrixProduct p;
      p.transposeA = left;
      p.transposeB = right;
      p.m = 2;
      p.n = 4;
      p.k = 3;
      p.a = x.deviceBytes();
      p.lda = left ? 2 : 3;
      p.b = y.deviceBytes();
      p.ldb = right ? 3 : 4;
      p.c = c.deviceOutBytes();
      p.ldc = 4;
      d.multiply(p);
      EXPECT_EQ(values(c), (std::vector<float>{20, 23, 26, 29, 56, 68, 80, 92})) << library << left << right;
    }
  }
}

TEST_F(Cuda, ARunCountsTheNodesInWhichTheHostTookPart) {
  // x is multiplied, added to and reduced on the device; sorting is the host's.
  const auto ran = [](const std::string &nodes, const std::string &result) {
    Session s(
        fmt::format(R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": 20}}, "graph": {{"parameters": [
        {{"name": "x", "type": "float32[2, 2]"}}, {{"name": "k", "type": "int64[1]"}}], "nodes": [{}], "results": ["{}"]}}}})",
                    nodes, result));
    const std::string out =
        s.run({array("x", DType::Float32, {2, 2}, {1, 2, 3, 4}), array("k", DType::Int64, {1}, {1})});
    const ExecutionStatistics counted = s.executor->statistics();
    return fmt::format("{} ({} of {})", out, counted.hostNodes, counted.nodes);
  };
  const std::string functors = R"({"op": "MatMul", "operands": ["x", "x"], "results": ["a"]},
      {"op": "Add", "operands": ["a", "x"], "results": ["b"]},
      {"op": "Softmax", "operands": ["b"], "results": ["c"]},
      {"op": "ReduceSum", "operands": ["c"], "results": ["d"], "attributes": [{"name": "keepdims", "int": 0}]})";
  EXPECT_EQ(ran(functors, "d"), "float32[]: 2 (0 of 4)");
  EXPECT_EQ(ran(functors + R"(, {"op": "TopK", "operands": ["b", "k"], "results": ["e", "f"]})", "e"),
            "float32[2, 1]: 12, 26 (1 of 5)");
}

ExecutorOptions asGraph() {
  ExecutorOptions o = onTestDevice();
  o.asGraph = true;
  return o;
}

TEST_F(Cuda, ALaunchRunsWhatDecidesAndOneBranch) {
  Session s(soundCond().json(), asGraph());
  s.run({truth("p", true), floats("x", {0, 0, 0, 0})});
  const standin::Counts before = standin::counts;
  s.run({truth("p", false), floats("x", {0, 0, 0, 0})});
  EXPECT_EQ(standin::counts.launches, before.launches + 1);
  EXPECT_EQ(standin::counts.atOnce, before.atOnce); // no kernel outside of the graph
  EXPECT_EQ(standin::counts.inGraphs, before.inGraphs + 2);
}

TEST_F(Cuda, AGraphGivesItsMemoryBack) {
  const std::size_t before = standin::bytesTaken();
  const auto input = [](bool p) { return std::vector<Array>{truth("p", p), floats("x", {1, 2, 3, 4})}; };
  {
    Session s(soundCond().json(), asGraph());
    s.run(input(true));
    const std::size_t taken = standin::bytesTaken();
    for (int i = 0; i < 3; ++i)
      s.run(input(i % 2 != 0));
    EXPECT_EQ(standin::bytesTaken(), taken); // a launch takes nothing that it keeps
  }
  EXPECT_EQ(standin::bytesTaken(), before);
  {
    TorchCond c = soundCond(); // cannot be recorded
    c.no.nodes = aten("add_.Scalar", "x", "cos", "float32[4]", R"(, {"name": "other", "int": 1})");
    Session s(c.json(), asGraph());
    s.run(input(true));
    EXPECT_NE(s.executor->statistics().notOneGraph, "");
  }
  EXPECT_EQ(standin::bytesTaken(), before);
}

/// What a kernel does that counts on the wrong memory.
struct Doubled {
  const float *from;
  float *to;
  void operator()(std::int64_t i) const { to[i] = 2 * from[i]; }
};

TEST_F(Cuda, TheStandinSeesWhoTakesOneMemoryForTheOther) {
  CudaDevice d;
  const Tensor t = counted(d, {4}), out(d.allocate(16), DType::Float32, Shape{4});
  const RangeLoop doubled{nullptr, [](const void *f, std::int64_t n, void *) {
                            const standin::OnDevice scope;
                            for (std::int64_t i = 0; i < n; ++i)
                              (*static_cast<const Doubled *>(f))(i);
                          }};
  const auto run = [&](const float *from, float *to) {
    const Doubled f{from, to};
    return faultOf([&] { d.run(doubled, &f, 4); });
  };
  const std::vector<float> numbers{1, 2, 3, 4};
  EXPECT_EQ(run(t.deviceAs<float>(), out.deviceOut<float>()), "");
  EXPECT_EQ(values(out), (std::vector<float>{0, 2, 4, 6}));
  EXPECT_EQ(run(numbers.data(), out.deviceOut<float>()), "a kernel touched the host's memory");
  const float *inside = t.deviceAs<float>();
  EXPECT_EQ(faultOf([&] { EXPECT_EQ(inside[0], 0); }), "the host touched the device's memory");
}

} // namespace
} // namespace condlint::test
