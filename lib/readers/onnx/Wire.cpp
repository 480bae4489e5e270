//===- Wire.cpp - Protobuf's wire format --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Wire.h"
#include <algorithm>
#include <vector>

namespace condlint::onnx {

void WireReader::badTag(std::uint64_t tag) const {
  if (tag > 0xffffffffu)
    throw WireError{start, "a field number above 2^29"};
  if (tag < 8)
    throw WireError{start, "a field with the number 0, which protobuf does not have"};
  throw WireError{start, (tag & 7) == 6 ? "a field of wire type 6, which protobuf does not have"
                                        : "a field of wire type 7, which protobuf does not have"};
}

void WireReader::badVarint() const {
  if (end - position >= 10)
    throw WireError{position, "a number of more than ten bytes"};
  throw WireError{position, "the message ends inside a number"};
}

void WireReader::skipGroup() {
  // The numbers of the groups that are open; a bomb of them costs a word a byte.
  std::vector<std::uint32_t> open{fieldKey >> 3};
  const char *const first = start;
  const std::uint32_t outer = fieldKey;
  std::size_t deepest = 1;
  while (!open.empty()) {
    if (position == end)
      throw WireError{first, "a group that never ends"};
    start = position;
    const std::uint64_t tag = varint();
    if (tag > 0xffffffffu || tag < 8)
      badTag(tag);
    const auto number = static_cast<std::uint32_t>(tag >> 3);
    switch (static_cast<WireType>(tag & 7)) {
    case WireType::Varint:
      varint();
      break;
    case WireType::Length: {
      const std::uint64_t length = varint();
      if (length > static_cast<std::uint64_t>(end - position))
        throw WireError{start, "a field claims more bytes than are left"};
      position += length;
      break;
    }
    case WireType::Fixed64:
      fixed<std::uint64_t>();
      break;
    case WireType::Fixed32:
      fixed<std::uint32_t>();
      break;
    case WireType::Group:
      open.push_back(number);
      deepest = std::max(deepest, open.size());
      break;
    case WireType::GroupEnd:
      if (open.back() != number)
        throw WireError{start, "the end of another group than the one that is open"};
      open.pop_back();
      break;
    default:
      badTag(tag);
    }
  }
  start = first;
  fieldKey = outer;
  nestedGroups = static_cast<std::uint32_t>(deepest);
}

std::uint64_t countVarints(std::string_view packed) {
  if (!packed.empty() && (static_cast<unsigned char>(packed.back()) & 0x80u) != 0)
    throw WireError{packed.data(), "a run of numbers that ends inside one"};
  return static_cast<std::uint64_t>(
      std::ranges::count_if(packed, [](char c) { return (static_cast<unsigned char>(c) & 0x80u) == 0; }));
}

} // namespace condlint::onnx
