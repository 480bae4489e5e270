//===- NameCache.h - Names that were read a moment ago ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_NAMECACHE_H
#define CONDLINT_READERS_ONNX_NAMECACHE_H

#include "NameEnds.h"
#include "condlint/StringTable.h"
#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>
#include <vector>

namespace condlint::onnx {

/// Stands before a model's string table. Most names in a graph are read soon
/// after they were defined; those cost neither a hash of all their bytes nor
/// the cache misses of a large table.
class NameCache {
public:
  /// \param fileBytes that the model has: what a small one could not fill would only have to be cleared.
  NameCache(StringTable &stringTable, std::size_t fileBytes)
      : strings(stringTable), bits(std::clamp(static_cast<unsigned>(std::bit_width(fileBytes / 64)), 1U, mostBits)),
        recent(std::size_t{1} << bits) {}

  /// The id of \p name, which must lie in the model's FileBytes.
  StringId intern(std::string_view name) {
    return find(name, [&] { return strings.internStable(name); });
  }
  /// The same of a name whose \p hash is known.
  StringId intern(std::string_view name, StringHash hash) {
    return find(name, [&] { return strings.internStable(name, hash); });
  }

private:
  struct Recent {
    NameEnds name; ///< empty: nothing is kept here
    StringId id;
  };
  static constexpr unsigned mostBits = 11;

  template <class Insert> StringId find(std::string_view name, const Insert &insert) {
    if (name.empty())
      return strings.intern(name);
    const NameEnds ends(name);
    Recent &r = recent[ends.slot(bits)];
    if (r.name != ends) {
      r.name = ends;
      r.id = insert();
    }
    return r.id;
  }

  StringTable &strings;
  unsigned bits;
  std::vector<Recent> recent;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_NAMECACHE_H
