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

void *load() {
  // One thread, so that a run is deterministic and does not disturb the machine. OpenBLAS starts
  // its threads when it is loaded, for as many as the environment says then.
  const Setting threads("OPENBLAS_NUM_THREADS", "1");
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return nullptr;
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
