//===- OpenBlas.cpp - OpenBLAS, when something is executed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenBlas.h"
#include <cstdlib>
#include <dlfcn.h>

namespace condlint {

namespace {

/// A variable of the environment for as long as this lives; what the user has set stays.
class Setting {
public:
  // NOLINTBEGIN(concurrency-mt-unsafe): nothing else here sets any
  Setting(const char *variable, const char *value) : name(std::getenv(variable) == nullptr ? variable : nullptr) {
    if (name != nullptr)
      ::setenv(name, value, 0);
  }
  ~Setting() {
    if (name != nullptr)
      ::unsetenv(name);
  }
  // NOLINTEND(concurrency-mt-unsafe)
  Setting(const Setting &) = delete;
  Setting &operator=(const Setting &) = delete;

private:
  const char *name;
};

/// What OpenBLAS is told of the processor. Its older versions take every AMD for one without
/// AVX-512, whose kernels need twice the time.
const char *coreType() {
#ifdef __x86_64__
  if (__builtin_cpu_is("amd") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return "SkylakeX";
#endif
  return nullptr;
}

void *open() {
  // It reads these when it is loaded, and starts its threads then.
  const Setting threads("OPENBLAS_NUM_THREADS", "1");
  const char *core = coreType();
  if (core == nullptr)
    return dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  const Setting kernels("OPENBLAS_CORETYPE", core);
  return dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
}

void *load() {
  void *library = open();
  if (library == nullptr)
    return nullptr;
  // One thread, so that a run is deterministic and does not disturb the machine.
  if (void *setThreads = dlsym(library, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(setThreads)(1);
  return library;
}

} // namespace

void *openBlasSymbol(const char *name) {
  static void *const library = load();
  return library != nullptr ? dlsym(library, name) : nullptr;
}

} // namespace condlint
