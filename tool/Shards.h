//===- Shards.h - Parts of the inputs, for several machines -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_SHARDS_H
#define CONDLINT_TOOL_SHARDS_H

#include "Inputs.h"
#include "condlint/Expected.h"
#include "condlint/Report.h"
#include <memory>
#include <string>
#include <vector>

namespace condlint {

/// Reads `--shard I/N`.
Expected<Shard> parseShard(const std::string &word);

/// Chooses the inputs of one shard. Which one an input belongs to follows from its content alone: it stays where it is
/// when others come or go, or when it is renamed.
class ShardFilter {
public:
  explicit ShardFilter(const Shard &s);
  ~ShardFilter();
  ShardFilter(const ShardFilter &) = delete;
  ShardFilter &operator=(const ShardFilter &) = delete;

  /// Leaves of \p files, the next of all inputs, those of this shard, with their positions among all.
  void keepOwn(std::vector<InputFile> &files);
  /// The shard, with what is known of all inputs when they have passed.
  Shard shard() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace condlint

#endif // CONDLINT_TOOL_SHARDS_H
