//===- RulesBench.cpp - How long the rules take ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include "condlint/Reader.h"
#include "condlint/Rule.h"
#include <benchmark/benchmark.h>

using namespace condlint;

namespace {

void checkOnnx(benchmark::State &state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  auto models = readOnnx(FileBytes::copy(bench::generateOnnx({nodes, nodes / 100, 0})), "bench.onnx");
  const Analysis analysis(models->front());
  const Target target = *parseTarget("tensorrt@10.3");
  for (auto _ : state)
    benchmark::DoNotOptimize(check(analysis, target, RuleOptions()));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(checkOnnx)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void checkPt2(benchmark::State &state) {
  auto models = readPt2(FileBytes::copy(bench::generatePt2(static_cast<std::size_t>(state.range(0)))), "bench.pt2");
  const Analysis analysis(models->front());
  const Target target = *parseTarget("torch@2.13");
  for (auto _ : state)
    benchmark::DoNotOptimize(check(analysis, target, RuleOptions()));
}
BENCHMARK(checkPt2)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

} // namespace
