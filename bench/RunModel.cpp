//===- RunModel.cpp - How long running a model takes ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// run-model MODEL INPUTS.npz RUNS [cuda|cuda-nodes]: the seconds of the fastest of RUNS
// runs, without reading the model. On the GPU each is one graph, and an error if it
// cannot be, or with cuda-nodes goes node by node.
//
//===----------------------------------------------------------------------===//
#include "condlint/Executor.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

using namespace condlint;

namespace {

/// Time of the processor, for which it does not matter what else the machine does; on a GPU that of a clock.
double seconds(bool ofProcessor) {
  timespec now{};
  clock_gettime(ofProcessor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

int main(int argc, char **argv) {
  const std::string_view where = argc == 5 ? argv[4] : "cpu";
  const bool asGraph = where == "cuda";
  if ((argc != 4 && argc != 5) || (where != "cpu" && where != "cuda" && where != "cuda-nodes")) {
    std::fputs("usage: run-model MODEL INPUTS.npz RUNS [cuda|cuda-nodes]\n", stderr);
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
  ExecutorOptions options;
  options.device = where == "cpu" ? "cpu" : "cuda";
  options.asGraph = options.asGraphAlways = asGraph;
  auto executor = Executor::create(models->front(), options, openConstants);
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
    const double begin = seconds(where == "cpu");
    auto results = (*executor)->run(*inputs);
    best = std::min(best, seconds(where == "cpu") - begin);
    if (!results)
      return fail(results.error());
  }
  if (const std::string why = (*executor)->statistics().notOneGraph; asGraph && !why.empty()) {
    std::fprintf(stderr, "%s: the run is not one graph: %s\n", argv[1], why.c_str());
    return 3;
  }
  std::printf("%.9f\n", best);
  return 0;
}
