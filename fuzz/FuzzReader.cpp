//===- FuzzReader.cpp - One reader and all rules under libFuzzer ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libFuzzer target over one reader and all rules: -DCONDLINT_FUZZ=ON with Clang
// builds one for each format (fuzz-pt2, fuzz-onnx, fuzz-json).
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include "condlint/Rule.h"
#include <cstddef>
#include <cstdint>

using namespace condlint;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size); // NOLINT: the fuzzer's bytes
  auto models = CONDLINT_FUZZ_READER(FileBytes::copy(bytes), "fuzz");
  if (!models)
    return 0;
  for (Model &model : *models) {
    const Analysis analysis(model);
    for (const char *name : {"torch", "onnx", "tensorrt@10.3"})
      check(analysis, *parseTarget(name), RuleOptions());
  }
  return 0;
}
