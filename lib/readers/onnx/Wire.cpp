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

void badTag(const char *at, std::uint64_t tag) {
  if (tag > 0xffffffffu)
    throw WireError{at, "a field number above 2^29"};
  if (tag < 8)
    throw WireError{at, "a field with the number 0, which protobuf does not have"};
  switch (tag & 7) {
  case 4:
    throw WireError{at, "a group ends that never began"};
  case 6:
    throw WireError{at, "a field of wire type 6, which protobuf does not have"};
  default:
    throw WireError{at, "a field of wire type 7, which protobuf does not have"};
  }
}

void badVarint(const char *at, const char *end) {
  if (end - at >= protozero::max_varint_length)
    throw WireError{at, "a number of more than ten bytes"};
  throw WireError{at, "the message ends inside a number"};
}

void badLength(const char *at) { throw WireError{at, "a field claims more bytes than are left"}; }

SkippedGroup skipGroup(const char *start, const char *position, const char *end, std::uint32_t number) {
  // The numbers of the groups that are open; a bomb of them costs a word a byte.
  std::vector<std::uint32_t> open{number};
  std::size_t deepest = 1;
  while (!open.empty()) {
    if (position == end)
      throw WireError{start, "a group that never ends"};
    const char *const at = position;
    const std::uint64_t tag = readVarint(position, end);
    if (tag > 0xffffffffu || tag < 8)
      badTag(at, tag);
    const auto inner = static_cast<std::uint32_t>(tag >> 3);
    switch (static_cast<WireType>(tag & 7)) {
    case WireType::Varint:
      readVarint(position, end);
      break;
    case WireType::Length: {
      const std::uint64_t length = readVarint(position, end);
      if (length > static_cast<std::uint64_t>(end - position))
        badLength(at);
      position += length;
      break;
    }
    case WireType::Fixed64:
      readFixed<std::uint64_t>(position, end);
      break;
    case WireType::Fixed32:
      readFixed<std::uint32_t>(position, end);
      break;
    case WireType::Group:
      open.push_back(inner);
      deepest = std::max(deepest, open.size());
      break;
    case WireType::GroupEnd:
      if (open.back() != inner)
        throw WireError{at, "the end of another group than the one that is open"};
      open.pop_back();
      break;
    default:
      badTag(at, tag);
    }
  }
  return {position, static_cast<std::uint32_t>(deepest)};
}

std::uint64_t countVarints(std::string_view packed) {
  if (!packed.empty() && (static_cast<unsigned char>(packed.back()) & 0x80u) != 0)
    throw WireError{packed.data(), "a run of numbers that ends inside one"};
  return static_cast<std::uint64_t>(
      std::ranges::count_if(packed, [](char c) { return (static_cast<unsigned char>(c) & 0x80u) == 0; }));
}

} // namespace condlint::onnx
