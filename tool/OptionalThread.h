//===- OptionalThread.h - A thread that can be done without -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_OPTIONALTHREAD_H
#define CONDLINT_TOOL_OPTIONALTHREAD_H

#include <system_error>
#include <thread>
#include <utility>

namespace condlint {

/// Starts a thread for \p work, which goes on without it as well. Where the system allows no more threads, as in a
/// container with a limit, none runs: what is returned is not joinable.
template <class Work> std::jthread startOptionalThread(Work &&work) {
  try {
    return std::jthread(std::forward<Work>(work));
  } catch (const std::system_error &) {
    return {};
  }
}

} // namespace condlint

#endif // CONDLINT_TOOL_OPTIONALTHREAD_H
