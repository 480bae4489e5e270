//===- FileKind.cpp - What a file is that is no model ------------------ ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FileKind.h"
#include <algorithm>
#include <array>

namespace condlint::onnx {

namespace {
using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  std::string_view kind;
};

constexpr std::array magics{
    Magic{0, "PK\x03\x04"sv, "a zip archive (a .pt2, .pt or .npz?)"},
    Magic{0, "PK\x05\x06"sv, "an empty zip archive"},
    Magic{0, "version https://git-lfs"sv, "a Git LFS pointer: the model itself was not fetched"},
    Magic{4, "ORTM"sv, "a model in ONNX Runtime's own format (.ort)"},
    Magic{4, "TFL3"sv, "a TensorFlow Lite model"},
    Magic{0, "\x1f\x8b"sv, "a gzip archive"},
    Magic{0, "BZh"sv, "a bzip2 archive"},
    Magic{0,
          "\xfd"
          "7zXZ"sv,
          "an xz archive"},
    Magic{0, "\x28\xb5\x2f\xfd"sv, "a zstd archive"},
    Magic{0, "\x89HDF"sv, "an HDF5 file"},
    Magic{0,
          "\x7f"
          "ELF"sv,
          "an ELF program or library"},
    Magic{0, "ftrt"sv, "a TensorRT engine"},
    Magic{0, "GGUF"sv, "a GGUF file"},
    Magic{0, "\x80\x02"sv, "a Python pickle"},
    Magic{0, "\x80\x03"sv, "a Python pickle"},
    Magic{0, "\x80\x04"sv, "a Python pickle"},
    Magic{0, "\x80\x05"sv, "a Python pickle"},
    Magic{0, "\x93NUMPY"sv, "a NumPy array"},
    Magic{0, "\x89PNG"sv, "an image"},
    Magic{0, "<!DOCTYPE"sv, "an HTML page: a download that failed?"},
    Magic{0, "<html"sv, "an HTML page: a download that failed?"},
    Magic{0, "<?xml"sv, "an XML file"},
};
} // namespace

std::string_view foreignKind(std::string_view bytes) {
  for (const Magic &magic : magics)
    if (bytes.size() >= magic.offset && bytes.substr(magic.offset).starts_with(magic.bytes))
      return magic.kind;
  const std::string_view head = bytes.substr(0, 256);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (head[first] == '{' || head[first] == '['))
    return "a JSON file";
  const auto isText = [](char ch) {
    const auto u = static_cast<unsigned char>(ch);
    return (u >= 0x20 && u < 0x7f) || u == '\t' || u == '\n' || u == '\r';
  };
  if (!head.empty() && std::ranges::all_of(head, isText))
    return head.find("ir_version:") != std::string_view::npos ? "a model in protobuf's text form" : "a text file";
  return {};
}

} // namespace condlint::onnx
