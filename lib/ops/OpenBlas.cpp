//===- OpenBlas.cpp - OpenBLAS, when something is executed ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenBlas.h"
#include <dlfcn.h>

namespace condlint {

namespace {

void *load() {
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
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
