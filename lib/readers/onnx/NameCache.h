//===- NameCache.h - Names that were read a moment ago ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_NAMECACHE_H
#define CONDLINT_READERS_ONNX_NAMECACHE_H

#include "condlint/StringTable.h"
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace condlint::onnx {

/// Stands before a model's string table. Most names in a graph are read soon
/// after they were defined; those cost neither a hash of all their bytes nor
/// the cache misses of a large table.
class NameCache {
public:
  explicit NameCache(StringTable &stringTable) : strings(stringTable) {}

  /// The id of \p name, which must lie in the model's FileBytes.
  StringId intern(std::string_view name) {
    return find(name, [&] { return strings.internStable(name); });
  }
  /// The same of a name whose \p hash is known.
  StringId intern(std::string_view name, StringHash hash) {
    return find(name, [&] { return strings.internStable(name, hash); });
  }

private:
  /// The first and the last eight bytes, which are all of a short name. They tell a name from its neighbours:
  /// "layer.3/conv.7".
  struct Ends {
    std::uint64_t head = 0, tail = 0;
    std::size_t size = 0;
    friend bool operator==(const Ends &, const Ends &) = default;
  };
  struct Recent {
    Ends ends; ///< of size 0: nothing is kept here
    const char *name = nullptr;
    StringId id;
  };
  static constexpr unsigned bits = 11;

  template <class Insert> StringId find(std::string_view name, const Insert &insert) {
    if (name.empty())
      return strings.intern(name);
    const Ends ends = endsOf(name);
    Recent &r = recent[slotOf(ends)];
    if (r.ends == ends && isSameBetween(r.name, name))
      return r.id;
    r = {ends, name.data(), insert()};
    return r.id;
  }

  static bool isSameBetween(const char *a, std::string_view b) {
    constexpr std::size_t end = sizeof(std::uint64_t);
    return b.size() <= 2 * end || std::memcmp(a + end, b.data() + end, b.size() - 2 * end) == 0;
  }

  static Ends endsOf(std::string_view name) {
    // The file has 64 readable bytes behind it, so that short names are loaded whole.
    Ends e{0, 0, name.size()};
    std::memcpy(&e.head, name.data(), sizeof e.head);
    if (name.size() >= sizeof e.head)
      std::memcpy(&e.tail, name.data() + name.size() - sizeof e.tail, sizeof e.tail);
    else
      e.head &= (std::uint64_t{1} << (8 * name.size())) - 1;
    return e;
  }

  static std::size_t slotOf(const Ends &e) {
    const std::uint64_t h = (e.head * 0x9e3779b97f4a7c15u + e.tail + e.size) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(h >> (64 - bits));
  }

  StringTable &strings;
  std::array<Recent, std::size_t{1} << bits> recent;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_NAMECACHE_H
