//===- CxxSlots.cpp - How many C++ sources fit into memory ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CxxSlots.h"
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace condlint {

namespace {

constexpr std::uint64_t everything = std::numeric_limits<std::uint64_t>::max();

std::uint64_t numberIn(const char *file) {
  std::ifstream in(file);
  std::uint64_t number = everything; // "max" is no number
  return in >> number ? number : everything;
}

/// What the machine, or the container we run in, has left.
std::uint64_t freeMemory() {
  std::uint64_t free = everything;
  std::ifstream in("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kilobytes = 0; in >> name >> kilobytes && std::getline(in, unit);)
    if (name == "MemAvailable:")
      free = kilobytes * 1024;
  const std::uint64_t limit = numberIn("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = numberIn("/sys/fs/cgroup/memory.current");
  if (limit != everything && used != everything)
    free = std::min(free, limit > used ? limit - used : 0);
  return free;
}

std::size_t countSlots() {
  constexpr std::uint64_t perSource = std::uint64_t{600} << 20U;
  return static_cast<std::size_t>(std::max<std::uint64_t>(1, freeMemory() / perSource));
}

} // namespace

CxxSlots::Place CxxSlots::wait() {
  std::unique_lock lock(mutex);
  if (!left)
    left = countSlots();
  freed.wait(lock, [&] { return *left != 0; });
  --*left;
  return Place(this);
}

void CxxSlots::giveBack() {
  {
    const std::scoped_lock lock(mutex);
    ++*left;
  }
  freed.notify_one();
}

} // namespace condlint
