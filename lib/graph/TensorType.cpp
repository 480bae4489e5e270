//===- TensorType.cpp - What is known of a value --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/TensorType.h"
#include <algorithm>
#include <array>
#include <cstdint>
#define XXH_INLINE_ALL // types are small: a call would cost more than the hash
#include <xxhash.h>

namespace condlint {

namespace {

struct DTypeRow {
  DType type;
  std::string_view name;
  unsigned bits;
};

constexpr std::array<DTypeRow, 28> dtypeRows{{
    {DType::Unknown, "unknown", 0},
    {DType::Bool, "bool", 8},
    {DType::UInt2, "uint2", 2},
    {DType::Int2, "int2", 2},
    {DType::UInt4, "uint4", 4},
    {DType::Int4, "int4", 4},
    {DType::UInt8, "uint8", 8},
    {DType::Int8, "int8", 8},
    {DType::UInt16, "uint16", 16},
    {DType::Int16, "int16", 16},
    {DType::UInt32, "uint32", 32},
    {DType::Int32, "int32", 32},
    {DType::UInt64, "uint64", 64},
    {DType::Int64, "int64", 64},
    {DType::Float4E2M1, "float4e2m1", 4},
    {DType::Float8E4M3FN, "float8e4m3fn", 8},
    {DType::Float8E4M3FNUZ, "float8e4m3fnuz", 8},
    {DType::Float8E5M2, "float8e5m2", 8},
    {DType::Float8E5M2FNUZ, "float8e5m2fnuz", 8},
    {DType::Float8E8M0FNU, "float8e8m0fnu", 8},
    {DType::Float16, "float16", 16},
    {DType::BFloat16, "bfloat16", 16},
    {DType::Float32, "float32", 32},
    {DType::Float64, "float64", 64},
    {DType::Complex32, "complex32", 32},
    {DType::Complex64, "complex64", 64},
    {DType::Complex128, "complex128", 128},
    {DType::String, "string", 0},
}};

constexpr std::array<std::string_view, 11> kindNames{
    "unknown", "tensor", "sequence", "optional", "map", "sym_int", "sym_bool", "sym_float", "string", "none", "object"};

constexpr std::array<std::string_view, 9> layoutNames{
    "unknown", "strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "mkldnn", "jagged"};

template <class Enum, class Names> std::optional<Enum> byName(const Names &names, std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<Enum>(i);
  return std::nullopt;
}

} // namespace

std::string_view dtypeName(DType t) { return dtypeRows[static_cast<std::size_t>(t)].name; }

std::optional<DType> dtypeByName(std::string_view name) {
  for (const DTypeRow &row : dtypeRows)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}

std::optional<DType> dtypeOfOnnx(std::int64_t number) {
  constexpr std::array table{
      DType::Unknown,        DType::Float32,  DType::UInt8,        DType::Int8,           DType::UInt16,
      DType::Int16,          DType::Int32,    DType::Int64,        DType::String,         DType::Bool,
      DType::Float16,        DType::Float64,  DType::UInt32,       DType::UInt64,         DType::Complex64,
      DType::Complex128,     DType::BFloat16, DType::Float8E4M3FN, DType::Float8E4M3FNUZ, DType::Float8E5M2,
      DType::Float8E5M2FNUZ, DType::UInt4,    DType::Int4,         DType::Float4E2M1,     DType::Float8E8M0FNU,
      DType::UInt2,          DType::Int2};
  if (number < 0 || static_cast<std::size_t>(number) >= table.size())
    return std::nullopt;
  return table[static_cast<std::size_t>(number)];
}

unsigned dtypeBits(DType t) { return dtypeRows[static_cast<std::size_t>(t)].bits; }

bool isFloating(DType t) { return t >= DType::Float4E2M1 && t <= DType::Float64; }
bool isComplex(DType t) { return t >= DType::Complex32 && t <= DType::Complex128; }
bool isIntegral(DType t) { return t >= DType::UInt2 && t <= DType::Int64; }

bool isSigned(DType t) {
  switch (t) {
  case DType::Int2:
  case DType::Int4:
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64:
    return true;
  default:
    return isFloating(t) || isComplex(t);
  }
}

std::string_view kindName(ValueKind k) { return kindNames[static_cast<std::size_t>(k)]; }
std::optional<ValueKind> kindByName(std::string_view name) { return byName<ValueKind>(kindNames, name); }
std::string_view layoutName(Layout l) { return layoutNames[static_cast<std::size_t>(l)]; }
std::optional<Layout> layoutByName(std::string_view name) { return byName<Layout>(layoutNames, name); }

/// The types in order of their ids, an open-addressing table over their hashes,
/// and blocks that hold their dimensions without ever moving them.
struct TypeTable::Impl {
  /// Types in blocks that never move: a `const Type &` stays valid.
  static constexpr std::size_t typesPerBlock = 256;
  std::vector<std::unique_ptr<Type[]>> typeBlocks;
  std::size_t typeCount = 0;
  std::vector<std::uint32_t> hashes;
  std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(64, 0);
  std::vector<std::unique_ptr<Dim[]>> blocks;
  Dim *next = nullptr;
  std::size_t left = 0;
  Type unknown;

  std::span<const Dim> keep(std::span<const Dim> dims) {
    if (dims.empty())
      return {};
    if (dims.size() > left) {
      left = std::max<std::size_t>(1024, dims.size());
      blocks.push_back(std::make_unique<Dim[]>(left));
      next = blocks.back().get();
    }
    Dim *at = next;
    std::copy(dims.begin(), dims.end(), at);
    next += dims.size();
    left -= dims.size();
    return {at, dims.size()};
  }

  const Type &at(std::size_t i) const { return typeBlocks[i / typesPerBlock][i % typesPerBlock]; }

  void push(const Type &type) {
    if (typeCount % typesPerBlock == 0)
      typeBlocks.push_back(std::make_unique<Type[]>(typesPerBlock));
    typeBlocks.back()[typeCount % typesPerBlock] = type;
    ++typeCount;
  }

  static std::uint64_t hashOf(const Type &t) {
    const std::array<std::uint32_t, 11> head{
        static_cast<std::uint32_t>(t.kind) | static_cast<std::uint32_t>(t.element) << 8 |
            static_cast<std::uint32_t>(t.layout) << 16 | static_cast<std::uint32_t>(t.requiresGrad) << 24,
        static_cast<std::uint32_t>(t.conjugate) | static_cast<std::uint32_t>(t.quantized) << 2 |
            static_cast<std::uint32_t>(t.hasRank) << 4 | static_cast<std::uint32_t>(t.hasStrides) << 5 |
            static_cast<std::uint32_t>(static_cast<std::uint16_t>(t.deviceIndex)) << 8,
        t.device.index(),
        t.storageOffset.index,
        t.item.index(),
        static_cast<std::uint32_t>(t.dims.size()),
        t.elements.bits(),
        t.names.element.index(),
        t.names.shape.index(),
        t.names.device.index(),
        t.names.memory.index()};
    std::uint64_t hash = XXH3_64bits(head.data(), sizeof(head));
    if (!t.dims.empty())
      hash = XXH3_64bits_withSeed(t.dims.data(), t.dims.size_bytes(), hash);
    if (!t.strides.empty())
      hash = XXH3_64bits_withSeed(t.strides.data(), t.strides.size_bytes(), hash);
    return hash;
  }

  static bool same(const Type &a, const Type &b) {
    return a.kind == b.kind && a.element == b.element && a.elements == b.elements && a.layout == b.layout &&
           a.requiresGrad == b.requiresGrad && a.conjugate == b.conjugate && a.quantized == b.quantized &&
           a.hasRank == b.hasRank && a.hasStrides == b.hasStrides && a.deviceIndex == b.deviceIndex &&
           a.device == b.device && a.storageOffset == b.storageOffset && a.item == b.item && a.names == b.names &&
           std::ranges::equal(a.dims, b.dims) && std::ranges::equal(a.strides, b.strides);
  }
};

TypeTable::TypeTable() : impl(std::make_unique<Impl>()) {}
TypeTable::~TypeTable() = default;
TypeTable::TypeTable(TypeTable &&) noexcept = default;
TypeTable &TypeTable::operator=(TypeTable &&) noexcept = default;

TypeId TypeTable::intern(const Type &given) {
  Type type = given;
  if (!type.hasRank)
    type.dims = {};
  if (!type.hasStrides)
    type.strides = {};
  if (type.element == DType::Unknown && !type.elements.empty())
    type.restrict(type.elements);
  else
    type.elements = {};
  // What is known needs no name.
  if (type.element != DType::Unknown)
    type.names.element = StringId();
  if (type.hasRank && std::ranges::all_of(type.dims, [](Dim d) { return d.known(); }))
    type.names.shape = StringId();
  if (type.device)
    type.names.device = StringId();
  const std::uint64_t hash = Impl::hashOf(type);
  std::size_t mask = impl->slots.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  for (;; slot = (slot + 1) & mask) {
    const std::uint32_t entry = impl->slots[slot];
    if (entry == 0)
      break;
    if (impl->hashes[entry - 1] == static_cast<std::uint32_t>(hash) && Impl::same(impl->at(entry - 1), type))
      return TypeId(entry - 1);
  }
  type.dims = impl->keep(type.dims);
  type.strides = impl->keep(type.strides);
  impl->push(type);
  impl->hashes.push_back(static_cast<std::uint32_t>(hash));
  impl->slots[slot] = static_cast<std::uint32_t>(impl->typeCount);
  if (impl->typeCount * 2 > impl->slots.size()) {
    std::vector<std::uint32_t> bigger(impl->slots.size() * 2, 0);
    mask = bigger.size() - 1;
    for (std::uint32_t i = 0; i < impl->typeCount; ++i) {
      std::size_t at = impl->hashes[i] & mask;
      while (bigger[at] != 0)
        at = (at + 1) & mask;
      bigger[at] = i + 1;
    }
    impl->slots.swap(bigger);
  }
  return TypeId(static_cast<std::uint32_t>(impl->typeCount - 1));
}

const Type &TypeTable::operator[](TypeId id) const { return id ? impl->at(id.index()) : impl->unknown; }
std::size_t TypeTable::size() const { return impl->typeCount; }

bool onOtherDevices(const Type &a, const Type &b) {
  if (!a.device || !b.device)
    return false;
  return a.device != b.device || (a.deviceIndex >= 0 && b.deviceIndex >= 0 && a.deviceIndex != b.deviceIndex);
}

} // namespace condlint
