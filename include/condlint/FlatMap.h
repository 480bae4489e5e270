//===- FlatMap.h - A small map in one piece of memory -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_FLATMAP_H
#define CONDLINT_FLATMAP_H

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace condlint {

/// A map for a few dozen entries, sorted by key in one vector: what C++23 calls
/// std::flat_map. Inserting in the order of the keys is constant time.
template <class K, class V> class FlatMap {
public:
  using value_type = std::pair<K, V>;
  using iterator = typename std::vector<value_type>::iterator;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  FlatMap() = default;
  FlatMap(std::initializer_list<value_type> init) {
    for (const value_type &entry : init)
      try_emplace(entry.first, entry.second);
  }

  const_iterator begin() const { return entries.begin(); }
  const_iterator end() const { return entries.end(); }
  bool empty() const { return entries.empty(); }
  std::size_t size() const { return entries.size(); }
  void reserve(std::size_t count) { entries.reserve(count); }

  const_iterator find(const K &key) const {
    const auto at = std::lower_bound(entries.begin(), entries.end(), key, before);
    return at != entries.end() && at->first == key ? at : entries.end();
  }
  bool contains(const K &key) const { return find(key) != end(); }
  /// Adds an entry whose key is greater than all that are there.
  void append(const K &key, V value) { entries.emplace_back(key, std::move(value)); }
  /// Leaves an entry alone that is there already.
  std::pair<iterator, bool> try_emplace(const K &key, V value) {
    if (entries.empty() || entries.back().first < key) {
      entries.emplace_back(key, std::move(value));
      return {std::prev(entries.end()), true};
    }
    const auto at = std::lower_bound(entries.begin(), entries.end(), key, before);
    if (at->first == key)
      return {at, false};
    return {entries.emplace(at, key, std::move(value)), true};
  }
  V &operator[](const K &key) { return try_emplace(key, V()).first->second; }

private:
  static bool before(const value_type &entry, const K &key) { return entry.first < key; }

  std::vector<value_type> entries;
};

} // namespace condlint

#endif // CONDLINT_FLATMAP_H
