//===- CxxSlots.h - How many C++ sources fit into memory --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_CXXSLOTS_H
#define CONDLINT_TOOL_CXXSLOTS_H

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

namespace condlint {

/// Lets no more sources be parsed at a time than memory allows: one that
/// includes all of libtorch takes hundreds of megabytes.
class CxxSlots {
public:
  /// A place among those who may parse; given back at the end of its life.
  class Place {
  public:
    Place() = default;
    explicit Place(CxxSlots *s) : slots(s) {}

  private:
    struct GiveBack {
      void operator()(CxxSlots *s) const { s->giveBack(); }
    };
    std::unique_ptr<CxxSlots, GiveBack> slots;
  };
  Place wait();

private:
  void giveBack();

  std::mutex mutex;
  std::condition_variable freed;
  std::optional<std::size_t> left; ///< counted when the first source comes
};

} // namespace condlint

#endif // CONDLINT_TOOL_CXXSLOTS_H
