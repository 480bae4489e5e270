//===- Scope.h - Which value a name means here ----------------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_SCOPE_H
#define CONDLINT_READERS_ONNX_SCOPE_H

#include "condlint/Id.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace condlint::onnx {

/// The names that are visible at one place of nested graphs: an array by name,
/// and a log by which leaving a graph takes back what it defined.
class Scope {
public:
  /// None when the name is not visible.
  ValueId lookup(StringId name) const { return name.index() < visible.size() ? visible[name.index()] : ValueId(); }

  /// Makes \p name mean \p value until the graph is left.
  /// \returns what it meant before.
  ValueId define(StringId name, ValueId value) {
    if (name.index() >= visible.size()) [[unlikely]]
      visible.resize(std::max(static_cast<std::size_t>(name.index()) + 1, visible.capacity()));
    const ValueId before = std::exchange(visible[name.index()], value);
    log.push_back({name, before});
    return before;
  }

  /// Makes room for about \p names and \p values: a hint that spares copies.
  void reserve(std::size_t names, std::size_t values) {
    visible.reserve(names);
    log.reserve(values);
  }

  std::size_t enter() const { return log.size(); }
  void leave(std::size_t entered) {
    while (log.size() > entered) {
      visible[log.back().name.index()] = log.back().before;
      log.pop_back();
    }
  }

private:
  struct Change {
    StringId name;
    ValueId before;
  };
  std::vector<ValueId> visible;
  std::vector<Change> log;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_SCOPE_H
