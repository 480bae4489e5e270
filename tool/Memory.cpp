//===- Memory.cpp - How the program takes memory from the system ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "OptionalThread.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib> // says whether this is glibc

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace condlint {

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
namespace {

constexpr std::uintptr_t hugePage = 2 << 20;
std::uintptr_t pieceEnd = 0; ///< of the piece that the heap was made longer by at the start

/// Where the first huge page begins at \p address or behind it.
std::uintptr_t hugePageFrom(const void *address) {
  return (reinterpret_cast<std::uintptr_t>(address) + hugePage - 1) & ~(hugePage - 1);
}

} // namespace
#endif

void takeMemoryInLargePieces() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  constexpr int piece = 64 << 20;
  constexpr int largestInHeap = 32 << 20; // the most that glibc takes for this setting
  mallopt(M_TOP_PAD, piece);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, largestInHeap);
  const std::uintptr_t begin = hugePageFrom(sbrk(0));
  // An allocation for which there is no room makes the heap longer by a whole piece, whose pages come when they are
  // touched. What follows it is touched here, and comes in small pages: it is near the begin of the piece.
  constexpr std::size_t beyondTheFirst = 256 << 10;
  void *volatile first = std::malloc(beyondTheFirst); // volatile: or the pair is optimised away
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) & ~(hugePage - 1);
  std::free(first);
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  pieceEnd = end;
#endif
}

PagesAhead::PagesAhead([[maybe_unused]] std::size_t bytes) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) && defined(MADV_POPULATE_WRITE)
  constexpr std::size_t worthAThread = 2 * hugePage;
  if (bytes < worthAThread || std::thread::hardware_concurrency() < 2)
    return;
  // What is new is taken from the end of what is used.
  void *volatile last = std::malloc(hugePage);
  const std::uintptr_t begin = hugePageFrom(last);
  std::free(last);
  thread = startOptionalThread(
      [begin, end = std::min<std::uintptr_t>(pieceEnd, begin + bytes)](const std::stop_token &stop) {
        for (std::uintptr_t page = begin; page < end && !stop.stop_requested(); page += hugePage)
          if (madvise(reinterpret_cast<void *>(page), hugePage, MADV_POPULATE_WRITE) != 0)
            return;
      });
#endif
}

ThreadMemory::ThreadMemory() {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
  // glibc gives a thread a heap of this size and alignment. Where it does not, the advice is for
  // nothing, or for pages of ours that may be large as well.
  constexpr std::uintptr_t heap = 64 << 20;
  first = std::malloc(hugePage);
  madvise(reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(first) & ~(heap - 1)), heap, MADV_HUGEPAGE);
#endif
}

ThreadMemory::~ThreadMemory() { std::free(first); }

} // namespace condlint
