//===- Cublas.cpp - cuBLAS, when something is executed --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cublas.h"
#include <dlfcn.h>
#include <optional>

namespace condlint {

namespace {

template <class F> bool find(void *library, const char *name, F &function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

/// Of the CUDA that condlint was built with: where the system finds it, or where that CUDA was.
void *open() {
  for (const char *name :
       {CONDLINT_CUBLAS, CONDLINT_CUDA_LIBRARIES "/" CONDLINT_CUBLAS, "/usr/local/cuda/lib64/" CONDLINT_CUBLAS})
    if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return library;
  return nullptr;
}

std::optional<Cublas> load() {
  void *library = open();
  Cublas out;
  if (library != nullptr && find(library, "cublasCreate_v2", out.create) &&
      find(library, "cublasDestroy_v2", out.destroy) && find(library, "cublasSetStream_v2", out.setStream) &&
      find(library, "cublasSetWorkspace_v2", out.setWorkspace) && find(library, "cublasSgemm_v2", out.sgemm) &&
      find(library, "cublasDgemm_v2", out.dgemm) && find(library, "cublasZgemm_v2", out.zgemm))
    return out;
  return std::nullopt;
}

} // namespace

const Cublas *cublas() {
  static const std::optional<Cublas> library = load();
  return library ? &*library : nullptr;
}

} // namespace condlint
