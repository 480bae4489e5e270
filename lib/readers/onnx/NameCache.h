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
    if (name.empty())
      return strings.intern(name);
    Recent &r = recent[slotOf(name)];
    if (r.name.size() == name.size() && std::memcmp(r.name.data(), name.data(), name.size()) == 0)
      return r.id;
    r = {name, strings.internStable(name)};
    return r.id;
  }

private:
  struct Recent {
    std::string_view name; ///< empty: nothing is kept here
    StringId id;
  };
  static constexpr unsigned bits = 11;

  static std::size_t slotOf(std::string_view name) {
    // The ends of a name tell it from its neighbours: "layer.3/conv.7". The file
    // has 64 readable bytes behind it, so that short names are loaded whole.
    std::uint64_t head = 0, tail = 0;
    std::memcpy(&head, name.data(), sizeof head);
    if (name.size() >= sizeof head)
      std::memcpy(&tail, name.data() + name.size() - sizeof tail, sizeof tail);
    else
      head &= (std::uint64_t{1} << (8 * name.size())) - 1;
    const std::uint64_t h = (head * 0x9e3779b97f4a7c15u + tail + name.size()) * 0xff51afd7ed558ccdu;
    return static_cast<std::size_t>(h >> (64 - bits));
  }

  StringTable &strings;
  std::array<Recent, std::size_t{1} << bits> recent;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_NAMECACHE_H
