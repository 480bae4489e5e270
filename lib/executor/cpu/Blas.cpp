//===- Blas.cpp - OpenBLAS, when something is executed --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Blas.h"
#include <dlfcn.h>

namespace condlint {

namespace {

template <class F> void find(void *library, const char *name, F *&function) {
  function = reinterpret_cast<F *>(dlsym(library, name));
}

Blas load() {
  Blas out;
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return out;
  // One thread, so that a run is deterministic and does not disturb the machine.
  decltype(&openblas_set_num_threads) setThreads = nullptr;
  find(library, "openblas_set_num_threads", setThreads);
  if (setThreads != nullptr)
    setThreads(1);
  find(library, "cblas_sgemm", out.sgemm);
  find(library, "cblas_dgemm", out.dgemm);
  find(library, "cblas_zgemm", out.zgemm);
  return out;
}

} // namespace

const Blas &blas() {
  static const Blas library = load();
  return library;
}

} // namespace condlint
