//===- Hostile.cpp - Each byte of a file changed, each length cut ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// hostile FILE...: reads every truncation of each file in memory, and the file with
// one byte changed, for every byte, and runs all rules on what still reads. It passes when nothing
// crashes, hangs or reads outside; run it in a build with sanitizers.
//
//   hostile [--stride N] [--seconds S] FILE...
//
// --stride N   try every Nth length and position (default 1: all of them)
// --seconds S  stop a file after S seconds and say how far it came (default 0: never)
//
//===----------------------------------------------------------------------===//
#include "condlint/Print.h"
#include "condlint/Reader.h"
#include "condlint/Report.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace condlint;

namespace {

using Clock = std::chrono::steady_clock;

struct Tally {
  std::size_t tried = 0;
  std::size_t refused = 0;
  std::size_t findings = 0;
  double slowest = 0;
};

/// Everything `condlint check` does to one input, for every system it may be for.
void analyse(std::string_view bytes, const std::string &path, Tally &tally) {
  const auto start = Clock::now();
  const auto format = formatOfPath(path);
  auto models = format == Format::Onnx  ? readOnnx(FileBytes::copy(bytes), path)
                : format == Format::Pt2 ? readPt2(FileBytes::copy(bytes), path)
                                        : readJson(FileBytes::copy(bytes), path);
  ++tally.tried;
  if (!models) {
    ++tally.refused;
  } else {
    Report report;
    for (Model &model : *models) {
      Analysis analysis(model);
      InputReport input;
      input.path = path;
      for (const char *name : {"torch", "onnx", "onnxruntime", "openvino@2026.1", "tensorrt@10.3"}) {
        CheckResult result = check(analysis, *parseTarget(name), RuleOptions());
        tally.findings += result.findings.size();
        input.findings.insert(input.findings.end(), result.findings.begin(), result.findings.end());
        input.summaries.insert(input.summaries.end(), result.conditionals.begin(), result.conditionals.end());
      }
      report.inputs.push_back(std::move(input));
      printModel(model);
    }
    finishReport(report);
    renderJson(report);
    renderText(report, ColorMode::Never, false);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (seconds > tally.slowest)
    tally.slowest = seconds;
}

} // namespace

int main(int argc, char **argv) {
  std::size_t stride = 1;
  double limit = 0;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--stride" && i + 1 < argc)
      stride = std::max<std::size_t>(1, std::strtoul(argv[++i], nullptr, 10));
    else if (word == "--seconds" && i + 1 < argc)
      limit = std::strtod(argv[++i], nullptr);
    else
      files.emplace_back(word);
  }
  if (files.empty()) {
    std::fputs("usage: hostile [--stride N] [--seconds S] FILE...\n", stderr);
    return 2;
  }
  for (const std::string &path : files) {
    auto whole = FileBytes::open(path);
    if (!whole) {
      std::fprintf(stderr, "%s\n", whole.error().str().c_str());
      return 2;
    }
    const std::string original((*whole)->view());
    const auto start = Clock::now();
    Tally tally;
    const auto expired = [&] {
      return limit > 0 && std::chrono::duration<double>(Clock::now() - start).count() > limit;
    };
    std::size_t done = 0;
    analyse(original, path, tally);
    for (std::size_t at = 0; at < original.size() && !expired(); at += stride, done = at) {
      analyse(std::string_view(original).substr(0, at), path, tally);
      // One change a position, by three masks in turn: the lowest bit, the highest, all of them.
      constexpr unsigned char changes[] = {0x01, 0x80, 0xff};
      std::string changed = original;
      const auto old = static_cast<unsigned char>(original[at]);
      changed[at] = static_cast<char>(old ^ changes[at % std::size(changes)]);
      analyse(changed, path, tally);
    }
    std::printf("%s: %zu variants up to byte %zu of %zu, %zu refused, %zu findings, slowest %.3f s\n", path.c_str(),
                tally.tried, std::min(done, original.size()), original.size(), tally.refused, tally.findings,
                tally.slowest);
    if (tally.slowest > 10) {
      std::puts("a variant took more than 10 s");
      return 1;
    }
  }
  return 0;
}
