//===- OpenBlas.h - OpenBLAS, when something is executed --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_OPENBLAS_H
#define CONDLINT_LIB_OPS_OPENBLAS_H

namespace condlint {

/// The address of \p name in OpenBLAS, which holds BLAS and LAPACK; null where it is not
/// installed or lacks it. Loads it at the first call, for one thread. It is not linked, because
/// loading it would take a third of the time that checking a small model takes.
void *openBlasSymbol(const char *name);

template <class F> void findInOpenBlas(const char *name, F *&function) {
  function = reinterpret_cast<F *>(openBlasSymbol(name));
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_OPENBLAS_H
