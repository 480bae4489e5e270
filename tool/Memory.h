//===- Memory.h - How the program takes memory from the system --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_MEMORY_H
#define CONDLINT_TOOL_MEMORY_H

#include <cstddef>
#include <thread>

namespace condlint {

/// Makes the allocator take memory in large pieces, in huge pages where the
/// system has them, and keep what is freed for the next input: a quarter of the
/// time of a large model was the kernel's, handing out small pages. Call it
/// before anything is allocated. Never fails: where the system has no such
/// thing, nothing changes.
void takeMemoryInLargePieces();

/// Brings in, from a thread of its own, about as much of the heap as who reads a large model is going to fill: in a new
/// process a tenth of that time is the kernel's, clearing pages, and more where others use the memory. Ends with the
/// object, at the latest. Where there is one processor, or the system has no such thing, nothing changes.
class PagesAhead {
public:
  /// \param bytes that will be needed; few are not worth a thread, and none is made.
  explicit PagesAhead(std::size_t bytes);

private:
  std::jthread thread;
};

/// What `takeMemoryInLargePieces` does for the thread that makes it, before it allocates anything else, for as long as
/// it lives.
class ThreadMemory {
public:
  ThreadMemory();
  ~ThreadMemory();
  ThreadMemory(const ThreadMemory &) = delete;
  ThreadMemory &operator=(const ThreadMemory &) = delete;

private:
  /// The rest of the heap's first huge page. The allocator has written to its begin already, so that
  /// it comes in small pages, each at its own fault: nothing else is put there.
  void *first = nullptr;
};

} // namespace condlint

#endif // CONDLINT_TOOL_MEMORY_H
