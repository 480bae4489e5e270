//===- TorchData.cpp - libtorch's small values ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchData.h"
#include <array>
#include <utility>

namespace condlint::cxx {

namespace {

/// c10/core/ScalarType.h.
constexpr std::array<std::pair<std::int64_t, DType>, 23> scalarTypes{{
    {0, DType::UInt8},           {1, DType::Int8},        {2, DType::Int16},         {3, DType::Int32},
    {4, DType::Int64},           {5, DType::Float16},     {6, DType::Float32},       {7, DType::Float64},
    {8, DType::Complex32},       {9, DType::Complex64},   {10, DType::Complex128},   {11, DType::Bool},
    {15, DType::BFloat16},       {23, DType::Float8E5M2}, {24, DType::Float8E4M3FN}, {25, DType::Float8E5M2FNUZ},
    {26, DType::Float8E4M3FNUZ}, {27, DType::UInt16},     {28, DType::UInt32},       {29, DType::UInt64},
    {44, DType::Float8E8M0FNU},  {45, DType::Float4E2M1}, {31, DType::UInt2},
}};

constexpr std::array<std::string_view, 21> deviceTypes{
    "cpu",   "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",  "fpga", "maia", "xla",          "vulkan",
    "metal", "xpu",  "mps",    "meta",   "hpu",    "ve",    "lazy", "ipu",  "mtia", "privateuseone"};

} // namespace

DTypeSet elementClass(std::string_view name) {
  if (name.starts_with("integral"))
    return name == "integral" ? DTypeSet::integral() : DTypeSet::integral() | DTypeSet{DType::Bool};
  return name == "complex" ? DTypeSet::complex() : DTypeSet::floating();
}

DType dtypeOfScalarType(std::int64_t number) {
  for (const auto &[n, t] : scalarTypes)
    if (n == number)
      return t;
  return DType::Unknown;
}

std::optional<std::int64_t> scalarTypeOf(DType t) {
  for (const auto &[n, type] : scalarTypes)
    if (type == t)
      return n;
  return std::nullopt;
}

Layout layoutOfNumber(std::int64_t number) {
  switch (number) {
  case 0:
    return Layout::Strided;
  case 1:
    return Layout::SparseCoo;
  case 2:
    return Layout::SparseCsr;
  case 3:
    return Layout::Mkldnn;
  case 4:
    return Layout::SparseCsc;
  case 5:
    return Layout::SparseBsr;
  case 6:
    return Layout::SparseBsc;
  case 7:
    return Layout::Jagged;
  default:
    return Layout::Unknown;
  }
}

std::string deviceOfNumber(std::int64_t number) {
  if (number < 0 || static_cast<std::size_t>(number) >= deviceTypes.size())
    return {};
  return std::string(deviceTypes[static_cast<std::size_t>(number)]);
}

} // namespace condlint::cxx
