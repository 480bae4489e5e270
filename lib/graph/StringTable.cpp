//===- StringTable.cpp - Every distinct string once -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/StringTable.h"
#include <algorithm>
#include <bit>
#include <cstring>
#define XXH_INLINE_ALL // most strings are short: a call would cost more than the hash
#include <xxhash.h>

namespace condlint {

namespace {

constexpr std::size_t blockSize = std::size_t{1} << 16;

inline std::uint64_t numberOf(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

} // namespace

StringTable::StringTable() : slots(64) {}

[[gnu::always_inline]] inline std::size_t StringTable::slotOf(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  for (;; slot = (slot + 1) & mask) {
    const Slot s = slots[slot];
    if (s.entry == 0 || (s.hash == static_cast<std::uint32_t>(hash) && texts[s.entry - 1] == text))
      return slot;
  }
}

StringHash StringTable::hashOf(std::string_view text) { return static_cast<StringHash>(numberOf(text)); }

StringId StringTable::find(std::string_view text) const {
  const std::uint32_t entry = slots[slotOf(text, numberOf(text))].entry;
  return entry == 0 ? StringId() : StringId(entry - 1);
}

StringId StringTable::insert(std::string_view text, StringHash textHash, bool copy) {
  const auto hash = static_cast<std::uint64_t>(textHash);
  Slot &slot = slots[slotOf(text, hash)];
  if (slot.entry != 0)
    return StringId(slot.entry - 1);
  texts.push_back(copy && !text.empty() ? copyOf(text) : text);
  const auto count = static_cast<std::uint32_t>(texts.size());
  slot = {static_cast<std::uint32_t>(hash), count};
  if (texts.size() * 2 > slots.size()) [[unlikely]]
    rehash(slots.size() * 2);
  return StringId(count - 1);
}

std::string_view StringTable::copyOf(std::string_view text) {
  if (text.size() > blockLeft) {
    const std::size_t size = std::max(blockSize, text.size());
    blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
    blockNext = blocks.back().get();
    blockLeft = size;
  }
  char *copy = blockNext;
  std::memcpy(copy, text.data(), text.size());
  blockNext += text.size();
  blockLeft -= text.size();
  return {copy, text.size()};
}

StringHash StringTable::prefetch(std::string_view text) const {
  const std::uint64_t hash = numberOf(text);
  __builtin_prefetch(&slots[static_cast<std::size_t>(hash) & (slots.size() - 1)]);
  return static_cast<StringHash>(hash);
}

void StringTable::reserve(std::size_t count) {
  texts.reserve(count);
  const std::size_t needed = std::bit_ceil(count * 2);
  if (needed > slots.size())
    rehash(needed);
}

void StringTable::rehash(std::size_t slotCount) {
  std::vector<Slot> old(slotCount);
  old.swap(slots);
  const std::size_t mask = slots.size() - 1;
  for (const Slot &s : old) {
    if (s.entry == 0)
      continue;
    // The kept half of the hash is what `slotOf` starts from, while the table
    // has fewer than 2^32 slots.
    std::size_t slot = s.hash & mask;
    while (slots[slot].entry != 0)
      slot = (slot + 1) & mask;
    slots[slot] = s;
  }
}

} // namespace condlint
