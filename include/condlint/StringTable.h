//===- StringTable.h - Every distinct string once ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_STRINGTABLE_H
#define CONDLINT_STRINGTABLE_H

#include "condlint/Id.h"
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace condlint {

/// What a `StringTable` finds a text by, for who has it at hand already.
enum class StringHash : std::uint64_t {};

/// Holds each distinct string of a model once and names it by a number, so
/// that names compare and index as integers. Not thread-safe.
class StringTable {
public:
  StringTable();

  /// The id of \p text, copied into the table when it is new.
  StringId intern(std::string_view text) { return insert(text, hashOf(text), true); }
  /// The same without a copy: the bytes of \p text must outlive the table
  /// (a mapped file that the model keeps alive).
  StringId internStable(std::string_view text) { return internStable(text, hashOf(text)); }
  /// The same of a text whose \p hash `prefetch` has said.
  StringId internStable(std::string_view text, StringHash hash) { return insert(text, hash, false); }
  /// The id of \p text if some string equals it, else none.
  StringId find(std::string_view text) const;
  /// The text of \p id; empty for none.
  std::string_view view(StringId id) const { return id ? texts[id.index()] : std::string_view(); }
  /// Brings the place of \p text into the cache. A reader that says a little
  /// ahead what it will intern does not wait for memory.
  /// \returns the hash that it will need then.
  StringHash prefetch(std::string_view text) const;
  /// Makes room for about \p count strings: a hint that spares copies.
  void reserve(std::size_t count);
  /// Number of distinct strings; ids are below it.
  std::size_t size() const { return texts.size(); }

private:
  static StringHash hashOf(std::string_view text);
  StringId insert(std::string_view text, StringHash textHash, bool copy);
  std::string_view copyOf(std::string_view text);
  std::size_t slotOf(std::string_view text, std::uint64_t hash) const;
  void rehash(std::size_t slotCount);

  /// A place of the open-addressing table. The hash stands here too, so that a
  /// string that is not there costs one cache miss.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0; ///< index + 1 into texts, 0 when free
  };
  std::vector<std::string_view> texts;
  std::vector<Slot> slots;
  std::vector<std::unique_ptr<char[]>> blocks;
  std::size_t blockLeft = 0;
  char *blockNext = nullptr;
};

} // namespace condlint

#endif // CONDLINT_STRINGTABLE_H
