//===- DimBench.cpp - How long proofs about sizes take --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Dim.h"
#include <benchmark/benchmark.h>

using namespace condlint;

namespace {

/// What shape arithmetic does most: small constants and one symbol.
void dimArithmetic(benchmark::State &state) {
  DimTable dims;
  const Dim n = dims.symbol("n", SymbolOrigin::Declared, {1, 4096});
  std::int64_t i = 0;
  for (auto _ : state) {
    const Dim c = dims.constant(i++ % 512);
    benchmark::DoNotOptimize(dims.add(dims.mul(n, c), c));
  }
}
BENCHMARK(dimArithmetic);

void dimRefuted(benchmark::State &state) {
  DimTable dims;
  const Dim n = dims.symbol("n", SymbolOrigin::Declared, {1, 4096});
  const Dim four = dims.constant(4);
  const Dim a = dims.min(n, four);
  for (auto _ : state)
    benchmark::DoNotOptimize(dims.compare(a, n));
}
BENCHMARK(dimRefuted);

void dimProved(benchmark::State &state) {
  DimTable dims;
  const Dim n = dims.symbol("n", SymbolOrigin::Declared, {1, 4096});
  const Dim three = dims.constant(3);
  const Dim a = dims.add(dims.mul(dims.floorDiv(n, three), three), dims.mod(n, three));
  for (auto _ : state)
    benchmark::DoNotOptimize(dims.compare(a, n));
}
BENCHMARK(dimProved);

} // namespace
