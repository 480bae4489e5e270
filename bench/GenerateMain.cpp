//===- GenerateMain.cpp - Writes a model of a kind and a size -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// generate KIND SIZE FILE: writes a model for bench/compare.
//   onnx NODES,IFS[,WEIGHT_BYTES]   onnx-many COUNT (FILE is a folder)   pt2 JSON_BYTES   json JSON_BYTES
//   network CALLS
//
//===----------------------------------------------------------------------===//
#include "Generate.h"
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

using namespace condlint::bench;

namespace {

std::vector<std::size_t> numbers(std::string_view text) {
  std::vector<std::size_t> out;
  while (!text.empty()) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
      return {};
    out.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty())
      text.remove_prefix(1);
  }
  return out;
}

bool write(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file.good();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fputs("usage: generate onnx|onnx-many|pt2|json|network SIZE FILE\n", stderr);
    return 2;
  }
  const std::string kind = argv[1];
  const std::vector<std::size_t> size = numbers(argv[2]);
  const std::string path = argv[3];
  if (size.empty())
    return 2;
  if (kind == "onnx") {
    OnnxShape shape;
    shape.nodes = size[0];
    shape.ifs = size.size() > 1 ? size[1] : 0;
    shape.weightBytes = size.size() > 2 ? size[2] : 0;
    return write(path, generateOnnx(shape)) ? 0 : 1;
  }
  if (kind == "onnx-many") {
    std::filesystem::create_directories(path);
    for (std::size_t i = 0; i < size[0]; ++i)
      if (!write(fmt::format("{}/m{:04}.onnx", path, i), generateOnnx({100 + i % 50, 2 + i % 3, 0})))
        return 1;
    return 0;
  }
  if (kind == "pt2")
    return write(path, generatePt2(size[0])) ? 0 : 1;
  if (kind == "json")
    return write(path, generatePt2Json(size[0])) ? 0 : 1;
  if (kind == "network")
    return write(path, generateNetwork(size[0])) ? 0 : 1;
  return 2;
}
