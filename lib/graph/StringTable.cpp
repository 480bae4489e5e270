//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/StringTable.h"
#include <algorithm>
#include <cstring>
#include <xxhash.h>

namespace condlint {

namespace {
constexpr std::size_t blockSize = std::size_t{1} << 16;
}

StringTable::StringTable() : slots(64, 0) {}

std::size_t StringTable::slotOf(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  for (;; slot = (slot + 1) & mask) {
    std::uint32_t entry = slots[slot];
    if (entry == 0)
      return slot;
    if (hashes[entry - 1] == static_cast<std::uint32_t>(hash) && texts[entry - 1] == text)
      return slot;
  }
}

StringId StringTable::find(std::string_view text) const {
  std::uint32_t entry = slots[slotOf(text, XXH3_64bits(text.data(), text.size()))];
  return entry == 0 ? StringId() : StringId(entry - 1);
}

StringId StringTable::insert(std::string_view text, bool copy) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  std::size_t slot = slotOf(text, hash);
  if (slots[slot] != 0)
    return StringId(slots[slot] - 1);
  if (copy && !text.empty()) {
    if (text.size() > blockLeft) {
      const std::size_t size = std::max(blockSize, text.size());
      blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
      blockNext = blocks.back().get();
      blockLeft = size;
    }
    std::memcpy(blockNext, text.data(), text.size());
    text = {blockNext, text.size()};
    blockNext += text.size();
    blockLeft -= text.size();
  }
  texts.push_back(text);
  hashes.push_back(static_cast<std::uint32_t>(hash));
  slots[slot] = static_cast<std::uint32_t>(texts.size());
  if (texts.size() * 2 > slots.size())
    grow();
  return StringId(static_cast<std::uint32_t>(texts.size() - 1));
}

void StringTable::grow() {
  std::vector<std::uint32_t> old(slots.size() * 2, 0);
  old.swap(slots);
  const std::size_t mask = slots.size() - 1;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    // The kept half of the hash is what `slotOf` starts from, while the table
    // has fewer than 2^32 slots.
    std::size_t slot = hashes[i] & mask;
    while (slots[slot] != 0)
      slot = (slot + 1) & mask;
    slots[slot] = i + 1;
  }
}

} // namespace condlint
