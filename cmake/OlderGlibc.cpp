//===- OlderGlibc.cpp - Functions that glibc 2.35 and 2.36 changed --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wheel for manylinux_2_34 must not ask for them. The linker leads the calls here
// (--wrap, CondlintPortable.cmake), where the older ones are called.
//
//===----------------------------------------------------------------------===//
#include <cstddef>
#include <cstdint>
#include <sys/random.h>

extern "C" {

double condlintHypot(double, double);
float condlintHypotf(float, float);
__asm__(".symver condlintHypot, hypot@GLIBC_2.2.5");
__asm__(".symver condlintHypotf, hypotf@GLIBC_2.2.5");

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
double __wrap_hypot(double x, double y);
float __wrap_hypotf(float x, float y);
void __wrap_arc4random_buf(void *bytes, std::size_t size);
std::uint32_t __wrap_arc4random();

double __wrap_hypot(double x, double y) { return condlintHypot(x, y); }
float __wrap_hypotf(float x, float y) { return condlintHypotf(x, y); }

/// For libzip.
void __wrap_arc4random_buf(void *bytes, std::size_t size) {
  for (std::size_t done = 0; done < size;)
    if (const ssize_t got = getrandom(static_cast<char *>(bytes) + done, size - done, 0); got > 0)
      done += static_cast<std::size_t>(got);
}

/// For std::random_device.
std::uint32_t __wrap_arc4random() {
  std::uint32_t value = 0;
  __wrap_arc4random_buf(&value, sizeof value);
  return value;
}
// NOLINTEND(bugprone-reserved-identifier)

} // extern "C"
