//===- ReaderBench.cpp - How long reading a model takes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <benchmark/benchmark.h>

using namespace condlint;

namespace {

void readOnnxModel(benchmark::State &state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const auto bytes = FileBytes::copy(bench::generateOnnx({nodes, nodes / 100, 0}));
  for (auto _ : state)
    benchmark::DoNotOptimize(readOnnx(bytes, "bench.onnx"));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(readOnnxModel)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void readOnnxWeights(benchmark::State &state) {
  const auto bytes = FileBytes::copy(bench::generateOnnx({1'000, 10, static_cast<std::uint64_t>(state.range(0))}));
  for (auto _ : state)
    benchmark::DoNotOptimize(readOnnx(bytes, "bench.onnx"));
}
BENCHMARK(readOnnxWeights)->Arg(0)->Arg(1 << 20)->Arg(1 << 28)->Unit(benchmark::kMicrosecond);

void readPt2Model(benchmark::State &state) {
  const auto bytes = FileBytes::copy(bench::generatePt2(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state)
    benchmark::DoNotOptimize(readPt2(bytes, "bench.pt2"));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(readPt2Model)->Arg(100'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);

void inferOnnx(benchmark::State &state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const auto bytes = FileBytes::copy(bench::generateOnnx({nodes, nodes / 100, 0}));
  for (auto _ : state) {
    state.PauseTiming();
    auto models = readOnnx(bytes, "bench.onnx");
    state.ResumeTiming();
    benchmark::DoNotOptimize(inferTypes(models->front()));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(inferOnnx)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

} // namespace
