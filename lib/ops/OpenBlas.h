//===- OpenBlas.h - OpenBLAS, when something is executed --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_OPENBLAS_H
#define CONDLINT_LIB_OPS_OPENBLAS_H

#include <string>

namespace condlint {

/// What of a processor's vectors matters to products of matrices, and whether its operating system saves them.
struct VectorExtensions {
  bool avx2 = false; ///< with fused products and sums
  bool avx512 = false;
  bool bfloat16 = false; ///< of AVX-512
  bool isAmd = false;
};
VectorExtensions vectorExtensions();

/// The kernels of OpenBLAS for a processor, as its variable `OPENBLAS_CORETYPE` calls them; null where it may
/// choose itself. It knows processors by their model numbers, and takes one that is newer than itself for one of 2004.
const char *openBlasKernelsFor(const VectorExtensions &has);

/// Which OpenBLAS is there and whose kernels it runs: "0.3.21, kernels for Cooperlake"; empty where none is installed.
std::string openBlasVersion();

/// The address of \p name in OpenBLAS, which holds BLAS and LAPACK; null where it is not
/// installed or lacks it. Loads it at the first call, for one thread and with the kernels that
/// suit the processor. It is not linked, because
/// loading it would take a third of the time that checking a small model takes.
void *openBlasSymbol(const char *name);

template <class F> void findInOpenBlas(const char *name, F *&function) {
  function = reinterpret_cast<F *>(openBlasSymbol(name));
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_OPENBLAS_H
