//===- Wire.h - Protobuf's wire format, one message at a time ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// protozero decodes varints. Its `pbf_reader` cannot serve here: it refuses the
// groups that a reader must skip, and cuts lengths and tags to 32 bits before
// it looks at them, so that a field of 2^63 bytes could pass for a small one.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_WIRE_H
#define CONDLINT_READERS_ONNX_WIRE_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <protozero/varint.hpp>
#include <string_view>

namespace condlint::onnx {

static_assert(std::endian::native == std::endian::little, "fixed fields are read as they lie");

/// Thrown on bytes that are no protobuf; caught by `readOnnx`, never outside.
struct WireError {
  const char *at;      ///< Where in the file's bytes.
  const char *message; ///< What is wrong there.
};

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Length = 2, Group = 3, GroupEnd = 4, Fixed32 = 5 };

/// A field's number together with its wire type, as it stands on the wire.
constexpr std::uint32_t varintKey(std::uint32_t number) { return number << 3; }
constexpr std::uint32_t fixed64Key(std::uint32_t number) { return number << 3 | 1; }
constexpr std::uint32_t lengthKey(std::uint32_t number) { return number << 3 | 2; }
constexpr std::uint32_t fixed32Key(std::uint32_t number) { return number << 3 | 5; }

[[noreturn]] void badTag(const char *at, std::uint64_t tag);
[[noreturn]] void badVarint(const char *at, const char *end);
[[noreturn]] void badLength(const char *at);

/// Skips the rest of the group that began at \p start with the number \p number,
/// of which \p position is the first byte inside. Returns where it ends, and how
/// many groups it nests, itself included.
struct SkippedGroup {
  const char *end;
  std::uint32_t depth;
};
SkippedGroup skipGroup(const char *start, const char *position, const char *end, std::uint32_t number);

inline std::uint64_t readVarint(const char *&position, const char *end) {
  if (position != end && static_cast<signed char>(*position) >= 0)
    return static_cast<std::uint64_t>(*position++);
  const char *p = position;
  try {
    const std::uint64_t v = protozero::decode_varint(&p, end);
    position = p;
    return v;
  } catch (const protozero::exception &) {
    badVarint(p, end);
  }
}

template <class T> T readFixed(const char *&position, const char *end) {
  if (end - position < static_cast<std::ptrdiff_t>(sizeof(T)))
    badVarint(position, end);
  T v;
  std::memcpy(&v, position, sizeof(T));
  position += sizeof(T);
  return v;
}

/// Reads the fields of one message in order. Views point into the message.
/// Groups are skipped as a whole. Throws WireError on malformed bytes. What is
/// rare lives in functions that take copies, so that a reader stays in registers.
class WireReader {
public:
  explicit WireReader(std::string_view message) : position(message.data()), end(message.data() + message.size()) {}

  /// Moves to the next field; false at the end of the message.
  [[gnu::always_inline]] bool next() {
    if (position == end)
      return false;
    start = position;
    if (isShortField()) [[likely]] {
      fieldKey = static_cast<unsigned char>(position[0]);
      fieldBytes = {position + 2, static_cast<unsigned char>(position[1])};
      position += 2 + fieldBytes.size();
      return true;
    }
    return nextOfAny();
  }

  /// Number and wire type of the current field: compare with `lengthKey(n)` and so on.
  std::uint32_t key() const { return fieldKey; }
  std::uint32_t number() const { return fieldKey >> 3; }
  std::string_view bytes() const { return fieldBytes; }
  std::uint64_t value() const { return fieldValue; }
  std::int64_t integer() const { return static_cast<std::int64_t>(fieldValue); }
  std::int32_t enumerator() const { return static_cast<std::int32_t>(fieldValue); }
  float real32() const { return std::bit_cast<float>(static_cast<std::uint32_t>(fieldValue)); }
  bool isGroup() const { return (fieldKey & 7) == 3; }
  /// How many groups the current group nests, itself included.
  std::uint32_t groupDepth() const { return nestedGroups; }
  /// Where the current field begins.
  const char *at() const { return start; }

private:
  /// A whole field follows whose number is below 16, and that is a run of fewer than 128 bytes: most are.
  bool isShortField() const {
    std::uint16_t tagAndLength = 0; // readable beyond the end of a message too, as a file has 64 bytes behind it
    std::memcpy(&tagAndLength, position, sizeof tagAndLength);
    return (tagAndLength & 0x8087u) == static_cast<unsigned>(WireType::Length) && (tagAndLength & 0x78u) != 0 &&
           (tagAndLength >> 8) <= end - position - 2;
  }

  [[gnu::always_inline]] bool nextOfAny() {
    const std::uint64_t tag = readVarint(position, end);
    if (tag > 0xffffffffu || tag < 8) [[unlikely]]
      badTag(start, tag);
    fieldKey = static_cast<std::uint32_t>(tag);
    const auto wireType = static_cast<WireType>(tag & 7);
    if (wireType == WireType::Length) [[likely]] {
      const std::uint64_t length = readVarint(position, end);
      if (length > static_cast<std::uint64_t>(end - position)) [[unlikely]]
        badLength(start);
      fieldBytes = {position, static_cast<std::size_t>(length)};
      position += length;
    } else if (wireType == WireType::Varint) {
      fieldValue = readVarint(position, end);
    } else if (wireType == WireType::Fixed32) {
      fieldValue = readFixed<std::uint32_t>(position, end);
    } else if (wireType == WireType::Fixed64) {
      fieldValue = readFixed<std::uint64_t>(position, end);
    } else if (wireType == WireType::Group) {
      const SkippedGroup group = skipGroup(start, position, end, number());
      position = group.end;
      nestedGroups = group.depth;
    } else {
      badTag(start, tag);
    }
    return true;
  }

  const char *position;
  const char *end;
  const char *start = nullptr;
  std::uint32_t fieldKey = 0;
  std::uint32_t nestedGroups = 0;
  std::uint64_t fieldValue = 0;
  std::string_view fieldBytes;
};

/// Calls \p f with each number of a packed run of varints.
template <class F> void forEachVarint(std::string_view packed, F &&f) {
  const char *p = packed.data();
  const char *const last = p + packed.size();
  while (p != last)
    f(static_cast<std::int64_t>(readVarint(p, last)));
}

/// How many varints \p packed holds. Throws when it ends inside one.
std::uint64_t countVarints(std::string_view packed);

/// Calls \p f with each fixed-width number of a packed run.
template <class T, class F> void forEachFixed(std::string_view packed, F &&f) {
  if (packed.size() % sizeof(T) != 0)
    throw WireError{packed.data(), "a run of numbers that ends inside one"};
  for (std::size_t i = 0; i < packed.size(); i += sizeof(T)) {
    T v;
    std::memcpy(&v, packed.data() + i, sizeof(T));
    f(v);
  }
}

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_WIRE_H
