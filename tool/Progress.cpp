//===- Progress.cpp - A line that says how far a long run is --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Progress.h"
#include "OptionalThread.h"
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace condlint {

namespace {

using namespace std::chrono_literals;
constexpr auto patience = 1s;
constexpr auto interval = 200ms;
constexpr std::size_t widestName = 60;

} // namespace

Progress::Progress(bool wanted) {
  if (wanted && ::isatty(STDERR_FILENO) == 1)
    painter = startOptionalThread([this] { show(); });
}

Progress::~Progress() {
  if (!painter.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    over = true;
  }
  changed.notify_all();
  painter.join();
}

void Progress::expect(std::size_t more) {
  const std::lock_guard lock(mutex);
  total += more;
}

void Progress::start(const std::string &input) {
  if (!painter.joinable())
    return;
  std::lock_guard lock(mutex);
  current = input.size() <= widestName ? input : "..." + input.substr(input.size() - widestName);
}

void Progress::finish() {
  if (!painter.joinable())
    return;
  std::lock_guard lock(mutex);
  ++done;
}

void Progress::show() {
  std::unique_lock lock(mutex);
  bool shown = false;
  for (auto wait = std::chrono::milliseconds(patience); !changed.wait_for(lock, wait, [this] { return over; });
       wait = interval) {
    fmt::print(stderr, "\r\x1b[K[{}/{}] {}", done, total, current);
    std::fflush(stderr);
    shown = true;
  }
  if (shown)
    fmt::print(stderr, "\r\x1b[K");
}

} // namespace condlint
