//===- NameEnds.h - Names of a file, compared by their ends ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_NAMEENDS_H
#define CONDLINT_READERS_ONNX_NAMEENDS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace condlint::onnx {

/// A name that lies in the model's FileBytes, by its first and its last eight bytes, which are all of a short name.
/// They tell a name from its neighbours, "layer.3/conv.7", and are compared without a call.
class NameEnds {
public:
  /// Of no name.
  NameEnds() = default;
  explicit NameEnds(std::string_view name) : at(name.data()), size(name.size()) {
    // The file has 64 readable bytes behind it, so that short names are loaded whole.
    std::memcpy(&head, at, length);
    if (size >= length)
      std::memcpy(&tail, at + size - length, length);
    else
      head &= (std::uint64_t{1} << (8 * size)) - 1;
  }

  friend bool operator==(const NameEnds &a, const NameEnds &b) {
    return a.head == b.head && a.tail == b.tail && a.size == b.size &&
           (a.size <= 2 * length || std::memcmp(a.at + length, b.at + length, a.size - 2 * length) == 0);
  }

  /// A number below 2^\p bits.
  std::size_t slot(unsigned bits) const {
    const std::uint64_t h = (head * 0x9e3779b97f4a7c15u + tail + size) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(h >> (64 - bits));
  }

private:
  static constexpr std::size_t length = sizeof(std::uint64_t);
  const char *at = nullptr;
  std::size_t size = 0;
  std::uint64_t head = 0, tail = 0;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_NAMEENDS_H
