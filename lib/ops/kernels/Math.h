//===- Math.h - Functions of real and complex numbers -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of <cmath> and <complex> as functors call them. On the host they are
// the standard library's, but for floats those of FloatMath.h. On a GPU it has none for complex numbers: there they are
// those of libcu++, which comes with CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_MATH_H
#define CONDLINT_LIB_OPS_KERNELS_MATH_H

#include "../Convert.h"
#include "FloatMath.h"
#include <cmath>
#ifdef __CUDACC__
#include <cuda/std/complex>
#endif

namespace condlint::math {

#ifdef __CUDACC__
using DeviceComplex = cuda::std::complex<double>;
CONDLINT_HD inline DeviceComplex onDevice(ComplexDouble z) { return {z.real(), z.imag()}; }
CONDLINT_HD inline ComplexDouble fromDevice(DeviceComplex z) { return {z.real(), z.imag()}; }
#endif

#ifdef __CUDA_ARCH__
#define CONDLINT_OF_COMPLEX(function) fromDevice(cuda::std::function(onDevice(z)))
#else
#define CONDLINT_OF_COMPLEX(function) std::function(std::complex<double>(z))
#endif
#ifdef __CUDA_ARCH__
#define CONDLINT_OF_FLOAT(function) std::function(x)
#else
#define CONDLINT_OF_FLOAT(function) function##Of(x)
#endif
#define CONDLINT_WIDER(function)                                                                                       \
  CONDLINT_HD inline double function(double x) { return std::function(x); }                                            \
  CONDLINT_HD inline ComplexDouble function(ComplexDouble z) { return CONDLINT_OF_COMPLEX(function); }
#define CONDLINT_FUNCTION(function)                                                                                    \
  CONDLINT_HD inline float function(float x) { return std::function(x); }                                              \
  CONDLINT_WIDER(function)
CONDLINT_HD inline float exp(float x) { return CONDLINT_OF_FLOAT(exp); }
CONDLINT_HD inline float tanh(float x) { return CONDLINT_OF_FLOAT(tanh); }
CONDLINT_HD inline float erf(float x) { return CONDLINT_OF_FLOAT(erf); }
CONDLINT_HD inline double erf(double x) { return std::erf(x); }
CONDLINT_WIDER(exp)
CONDLINT_WIDER(tanh)
CONDLINT_FUNCTION(acos)
CONDLINT_FUNCTION(acosh)
CONDLINT_FUNCTION(asin)
CONDLINT_FUNCTION(asinh)
CONDLINT_FUNCTION(atan)
CONDLINT_FUNCTION(atanh)
CONDLINT_FUNCTION(cos)
CONDLINT_FUNCTION(cosh)
CONDLINT_FUNCTION(log)
CONDLINT_FUNCTION(log10)
CONDLINT_FUNCTION(sin)
CONDLINT_FUNCTION(sinh)
CONDLINT_FUNCTION(sqrt)
CONDLINT_FUNCTION(tan)
#undef CONDLINT_FUNCTION
#undef CONDLINT_WIDER
#undef CONDLINT_OF_FLOAT
#undef CONDLINT_OF_COMPLEX

CONDLINT_HD inline float pow(float x, float y) { return std::pow(x, y); }
CONDLINT_HD inline double pow(double x, double y) { return std::pow(x, y); }
CONDLINT_HD inline ComplexDouble pow(ComplexDouble x, ComplexDouble y) {
#ifdef __CUDA_ARCH__
  return fromDevice(cuda::std::pow(onDevice(x), onDevice(y)));
#else
  return std::pow(std::complex<double>(x), std::complex<double>(y));
#endif
}

/// The magnitude.
CONDLINT_HD inline float abs(float x) { return std::fabs(x); }
CONDLINT_HD inline double abs(double x) { return std::fabs(x); }
CONDLINT_HD inline double abs(ComplexDouble z) { return std::hypot(z.real(), z.imag()); }
CONDLINT_HD inline double arg(ComplexDouble z) { return std::atan2(z.imag(), z.real()); }
CONDLINT_HD inline ComplexDouble conj(ComplexDouble z) { return {z.real(), -z.imag()}; }

} // namespace condlint::math

#endif // CONDLINT_LIB_OPS_KERNELS_MATH_H
