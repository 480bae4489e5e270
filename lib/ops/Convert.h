//===- Convert.h - Elements as they are stored and computed -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_CONVERT_H
#define CONDLINT_LIB_OPS_CONVERT_H

#include "Complex.h"
#include "Device.h"
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace condlint {

namespace bits {

CONDLINT_HD inline std::uint32_t ofFloat(float f) {
  std::uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}
CONDLINT_HD inline float toFloat(std::uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}

} // namespace bits

// --- half precision -------------------------------------------------------------

CONDLINT_HD inline float halfToFloat(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16;
  const std::uint32_t exponent = (h >> 10) & 0x1fu, mantissa = h & 0x3ffu;
  if (exponent == 31)
    return bits::toFloat(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0)
    return bits::toFloat(sign | (exponent + 112) << 23 | mantissa << 13);
  const float tiny = static_cast<float>(mantissa) * 5.9604644775390625e-8f; // 2^-24
  return bits::toFloat(sign | bits::ofFloat(tiny));
}

/// To the nearest, ties to even.
CONDLINT_HD inline std::uint16_t floatToHalf(float f) {
  const std::uint32_t u = bits::ofFloat(f), sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
  if (magnitude >= 0x7f800000u)
    return static_cast<std::uint16_t>(sign | 0x7c00u | (magnitude > 0x7f800000u ? 0x200u : 0u));
  if (magnitude >= 0x477ff000u) // rounds to 65520 or more
    return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) { // subnormal: adding 0.5 shifts the bits into place
    const float shifted = bits::toFloat(magnitude) + 0.5f;
    return static_cast<std::uint16_t>(sign | (bits::ofFloat(shifted) - 0x3f000000u));
  }
  const std::uint32_t odd = (magnitude >> 13) & 1u;
  return static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

CONDLINT_HD inline float bfloatToFloat(std::uint16_t h) { return bits::toFloat(static_cast<std::uint32_t>(h) << 16); }
CONDLINT_HD inline std::uint16_t floatToBfloat(float f) {
  const std::uint32_t u = bits::ofFloat(f);
  if ((u & 0x7fffffffu) > 0x7f800000u)
    return 0x7fc0;
  return static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

// --- 8-bit and 4-bit floats -------------------------------------------------------

/// How a small float is laid out.
struct SmallFloat {
  int mantissa, bias;
  std::uint32_t largest;  ///< the code of the largest finite number
  std::uint32_t infinity; ///< 0: none
  std::uint32_t nan;      ///< 0: none
  std::uint32_t signBit;
};
CONDLINT_HD inline SmallFloat smallFloat(DType t) {
  switch (t) {
  case DType::Float8E4M3FN:
    return {3, 7, 0x7e, 0, 0x7f, 0x80};
  case DType::Float8E4M3FNUZ:
    return {3, 8, 0x7f, 0, 0x80, 0x80};
  case DType::Float8E5M2:
    return {2, 15, 0x7b, 0x7c, 0x7f, 0x80};
  case DType::Float8E5M2FNUZ:
    return {2, 16, 0x7f, 0, 0x80, 0x80};
  default: // Float4E2M1
    return {1, 1, 0x7, 0, 0, 0x8};
  }
}

CONDLINT_HD inline float decodeSmall(DType t, std::uint8_t code) {
  if (t == DType::Float8E8M0FNU)
    return code == 0xff
               ? bits::toFloat(0x7fc00000u)
               : (code == 0 ? bits::toFloat(0x00400000u) : bits::toFloat(static_cast<std::uint32_t>(code) << 23));
  const SmallFloat f = smallFloat(t);
  const bool zeroNan = f.nan == f.signBit;
  if (zeroNan && code == f.nan)
    return bits::toFloat(0x7fc00000u);
  const std::uint32_t magnitude = code & (f.signBit - 1);
  const bool negative = (code & f.signBit) != 0;
  float value = 0;
  if (f.infinity != 0 && magnitude >= f.infinity)
    value = magnitude == f.infinity ? bits::toFloat(0x7f800000u) : bits::toFloat(0x7fc00000u);
  else if (!zeroNan && f.nan != 0 && magnitude == f.nan)
    value = bits::toFloat(0x7fc00000u);
  else {
    const int exponent = static_cast<int>(magnitude >> f.mantissa);
    const auto fraction = static_cast<float>(magnitude & ((1u << f.mantissa) - 1));
    const float scale = static_cast<float>(1 << f.mantissa);
    value = exponent == 0 ? ldexpf(fraction / scale, 1 - f.bias) : ldexpf(1.0f + fraction / scale, exponent - f.bias);
  }
  return negative ? -value : value;
}

/// To the nearest, ties to even; beyond the largest: infinity, NaN where there is
/// none, the largest where there is neither (or when \p saturate).
CONDLINT_HD inline std::uint8_t encodeSmall(DType t, float x, bool saturate = false) {
  const std::uint32_t u = bits::ofFloat(x);
  std::uint32_t magnitude = u & 0x7fffffffu;
  if (t == DType::Float8E8M0FNU) {
    if (magnitude >= 0x7f800000u)
      return saturate && magnitude == 0x7f800000u ? 0xfe : 0xff;
    // A power of two, to the nearest, ties upwards.
    const std::uint32_t exponent = magnitude >> 23, half = (magnitude >> 22) & 1u;
    const std::uint32_t rounded = exponent + ((exponent != 0 || (magnitude & 0x3fffffu) != 0) ? half : 0);
    return static_cast<std::uint8_t>(rounded >= 0xff ? (saturate ? 0xfe : 0xff) : rounded);
  }
  const SmallFloat f = smallFloat(t);
  const bool zeroNan = f.nan == f.signBit;
  const std::uint32_t sign = (u >> 31) != 0 ? f.signBit : 0;
  if (magnitude > 0x7f800000u)
    return static_cast<std::uint8_t>(f.nan == 0 ? f.signBit : (zeroNan ? f.nan : f.nan | sign)); // 4 bits: -0
  const auto overflow = [&] {
    if (saturate || (f.infinity == 0 && f.nan == 0))
      return static_cast<std::uint8_t>(f.largest | sign);
    if (f.infinity != 0)
      return static_cast<std::uint8_t>(f.infinity | sign);
    return static_cast<std::uint8_t>(zeroNan ? f.nan : f.nan | sign);
  };
  if (magnitude == 0x7f800000u)
    return overflow();
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  std::uint32_t code = 0;
  if (exponent < 1 - f.bias) { // subnormal there
    const float scaled = ldexpf(bits::toFloat(magnitude), f.mantissa + f.bias - 1);
    code = static_cast<std::uint32_t>(rintf(scaled));
  } else {
    const int drop = 23 - f.mantissa;
    const std::uint32_t odd = (magnitude >> drop) & 1u;
    const std::uint32_t rounded = (magnitude + (1u << (drop - 1)) - 1 + odd) >> drop;
    const std::int64_t shifted =
        static_cast<std::int64_t>(rounded) - (static_cast<std::int64_t>(127 - f.bias) << f.mantissa);
    if (shifted > static_cast<std::int64_t>(f.largest))
      return overflow();
    code = static_cast<std::uint32_t>(shifted);
  }
  if (code == 0 && zeroNan)
    return 0; // no negative zero
  return static_cast<std::uint8_t>(code | sign);
}

// --- numbers --------------------------------------------------------------------

/// As x86 converts: what does not fit is the smallest number.
CONDLINT_HD inline std::int64_t toInt64(double x) {
  return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? static_cast<std::int64_t>(x)
                                                                  : std::numeric_limits<std::int64_t>::min();
}
CONDLINT_HD inline std::uint64_t toUInt64(double x) {
  return x > -1 && x < 18446744073709551616.0
             ? (x >= 9223372036854775808.0 ? static_cast<std::uint64_t>(x)
                                           : static_cast<std::uint64_t>(static_cast<std::int64_t>(x)))
             : static_cast<std::uint64_t>(toInt64(x));
}

/// Between compute types.
template <class To, class From> CONDLINT_HD inline To convertNumber(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<From, ComplexDouble>) {
    return convertNumber<To>(x.real());
  } else if constexpr (std::is_same_v<To, ComplexDouble>) {
    return ComplexDouble(static_cast<double>(x), 0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, std::int64_t>) {
    return toInt64(static_cast<double>(x));
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, std::uint64_t>) {
    return toUInt64(static_cast<double>(x));
  } else {
    return static_cast<To>(x);
  }
}

/// The element \p i of \p data, which is stored as \p t, as a \p C.
template <class C> CONDLINT_HD inline C loadElement(DType t, const char *data, std::int64_t i) {
  switch (t) {
  case DType::Bool:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::uint8_t *>(data)[i] != 0));
  case DType::UInt2:
  case DType::UInt4:
  case DType::UInt8:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::uint8_t *>(data)[i]));
  case DType::Int2:
  case DType::Int4:
  case DType::Int8:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::int8_t *>(data)[i]));
  case DType::UInt16:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::uint16_t *>(data)[i]));
  case DType::Int16:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::int16_t *>(data)[i]));
  case DType::UInt32:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::uint32_t *>(data)[i]));
  case DType::Int32:
    return convertNumber<C>(static_cast<std::int64_t>(reinterpret_cast<const std::int32_t *>(data)[i]));
  case DType::UInt64:
  case DType::String:
    return convertNumber<C>(reinterpret_cast<const std::uint64_t *>(data)[i]);
  case DType::Int64:
    return convertNumber<C>(reinterpret_cast<const std::int64_t *>(data)[i]);
  case DType::Float16:
    return convertNumber<C>(halfToFloat(reinterpret_cast<const std::uint16_t *>(data)[i]));
  case DType::BFloat16:
    return convertNumber<C>(bfloatToFloat(reinterpret_cast<const std::uint16_t *>(data)[i]));
  case DType::Float32:
    return convertNumber<C>(reinterpret_cast<const float *>(data)[i]);
  case DType::Float64:
    return convertNumber<C>(reinterpret_cast<const double *>(data)[i]);
  case DType::Complex32: {
    const auto *p = reinterpret_cast<const std::uint16_t *>(data) + 2 * i;
    return convertNumber<C>(
        ComplexDouble(static_cast<double>(halfToFloat(p[0])), static_cast<double>(halfToFloat(p[1]))));
  }
  case DType::Complex64: {
    const auto *p = reinterpret_cast<const float *>(data) + 2 * i;
    return convertNumber<C>(ComplexDouble(static_cast<double>(p[0]), static_cast<double>(p[1])));
  }
  case DType::Complex128: {
    const auto *p = reinterpret_cast<const double *>(data) + 2 * i;
    return convertNumber<C>(ComplexDouble(p[0], p[1]));
  }
  case DType::Unknown:
    return C();
  default:
    return convertNumber<C>(decodeSmall(t, reinterpret_cast<const std::uint8_t *>(data)[i]));
  }
}

/// The same on the host, of \p data that begin anywhere, as in a file.
template <class C> C loadUnaligned(DType t, const char *data, std::int64_t i) {
  alignas(ComplexDouble) std::array<char, sizeof(ComplexDouble)> element{};
  const std::size_t size = elementBytes(t);
  std::memcpy(element.data(), data + static_cast<std::size_t>(i) * size, size);
  return loadElement<C>(t, element.data(), 0);
}

namespace bits {

template <class C> CONDLINT_HD inline float asFloat(C v) {
  if constexpr (std::is_same_v<C, ComplexDouble>)
    return static_cast<float>(v.real());
  else
    return static_cast<float>(v);
}
/// To an integer of 32 bits or fewer.
template <class C> CONDLINT_HD inline std::int64_t asWhole(C v) {
  if constexpr (std::is_floating_point_v<C>) // out of 32 bits: as x86 converts
    return v > C(-2147483904.0) && v < C(4294967296.0) ? static_cast<std::int64_t>(v)
                                                       : std::numeric_limits<std::int32_t>::min();
  else if constexpr (std::is_same_v<C, ComplexDouble>)
    return asWhole(v.real());
  else
    return static_cast<std::int64_t>(v);
}

} // namespace bits

/// Stores \p v as element \p i of \p data, which is stored as \p t.
template <class C> CONDLINT_HD inline void storeElement(DType t, char *data, std::int64_t i, C v) {
  switch (t) {
  case DType::Bool:
    reinterpret_cast<std::uint8_t *>(data)[i] = v != C(0) ? 1 : 0;
    return;
  case DType::UInt2:
    reinterpret_cast<std::uint8_t *>(data)[i] = static_cast<std::uint8_t>(bits::asWhole(v) & 3);
    return;
  case DType::UInt4:
    reinterpret_cast<std::uint8_t *>(data)[i] = static_cast<std::uint8_t>(bits::asWhole(v) & 15);
    return;
  case DType::Int2:
    reinterpret_cast<std::int8_t *>(data)[i] = static_cast<std::int8_t>(((bits::asWhole(v) & 3) ^ 2) - 2);
    return;
  case DType::Int4:
    reinterpret_cast<std::int8_t *>(data)[i] = static_cast<std::int8_t>(((bits::asWhole(v) & 15) ^ 8) - 8);
    return;
  case DType::UInt8:
    reinterpret_cast<std::uint8_t *>(data)[i] = static_cast<std::uint8_t>(bits::asWhole(v));
    return;
  case DType::Int8:
    reinterpret_cast<std::int8_t *>(data)[i] = static_cast<std::int8_t>(bits::asWhole(v));
    return;
  case DType::UInt16:
    reinterpret_cast<std::uint16_t *>(data)[i] = static_cast<std::uint16_t>(bits::asWhole(v));
    return;
  case DType::Int16:
    reinterpret_cast<std::int16_t *>(data)[i] = static_cast<std::int16_t>(bits::asWhole(v));
    return;
  case DType::UInt32:
    reinterpret_cast<std::uint32_t *>(data)[i] = static_cast<std::uint32_t>(bits::asWhole(v));
    return;
  case DType::Int32:
    reinterpret_cast<std::int32_t *>(data)[i] = static_cast<std::int32_t>(bits::asWhole(v));
    return;
  case DType::UInt64:
  case DType::String:
    reinterpret_cast<std::uint64_t *>(data)[i] = convertNumber<std::uint64_t>(v);
    return;
  case DType::Int64:
    reinterpret_cast<std::int64_t *>(data)[i] = convertNumber<std::int64_t>(v);
    return;
  case DType::Float16:
    reinterpret_cast<std::uint16_t *>(data)[i] = floatToHalf(bits::asFloat(v));
    return;
  case DType::BFloat16:
    reinterpret_cast<std::uint16_t *>(data)[i] = floatToBfloat(bits::asFloat(v));
    return;
  case DType::Float32:
    reinterpret_cast<float *>(data)[i] = bits::asFloat(v);
    return;
  case DType::Float64:
    reinterpret_cast<double *>(data)[i] = convertNumber<double>(v);
    return;
  case DType::Complex32: {
    const ComplexDouble c = convertNumber<ComplexDouble>(v);
    auto *p = reinterpret_cast<std::uint16_t *>(data) + 2 * i;
    p[0] = floatToHalf(static_cast<float>(c.real()));
    p[1] = floatToHalf(static_cast<float>(c.imag()));
    return;
  }
  case DType::Complex64: {
    const ComplexDouble c = convertNumber<ComplexDouble>(v);
    auto *p = reinterpret_cast<float *>(data) + 2 * i;
    p[0] = static_cast<float>(c.real());
    p[1] = static_cast<float>(c.imag());
    return;
  }
  case DType::Complex128: {
    const ComplexDouble c = convertNumber<ComplexDouble>(v);
    auto *p = reinterpret_cast<double *>(data) + 2 * i;
    p[0] = c.real();
    p[1] = c.imag();
    return;
  }
  case DType::Unknown:
    return;
  default:
    reinterpret_cast<std::uint8_t *>(data)[i] = encodeSmall(t, bits::asFloat(v));
  }
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_CONVERT_H
