//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// run-model MODEL INPUTS.npz RUNS: the seconds of the fastest of RUNS runs, without
// reading the model.
//
//===----------------------------------------------------------------------===//
#include "condlint/Executor.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace condlint;

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fputs("usage: run-model MODEL INPUTS.npz RUNS\n", stderr);
    return 2;
  }
  const auto fail = [](const Error &e) {
    std::fprintf(stderr, "%s\n", e.str().c_str());
    return 3;
  };
  auto models = readModel(argv[1]);
  if (!models)
    return fail(models.error());
  inferTypes(models->front());
  auto executor = Executor::create(models->front(), {}, openConstants);
  if (!executor)
    return fail(executor.error());
  auto arrays = readNpz(argv[2]);
  if (!arrays)
    return fail(arrays.error());
  auto inputs = (*executor)->bind(*arrays);
  if (!inputs)
    return fail(inputs.error());
  double best = 1e9;
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    auto results = (*executor)->run(*inputs);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (!results)
      return fail(results.error());
  }
  std::printf("%.9f\n", best);
  return 0;
}
