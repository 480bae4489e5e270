//===- Id.h - Small typed integers that name things of a model --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_ID_H
#define CONDLINT_ID_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace condlint {

/// An index into one of a model's tables, typed so that a node is never taken
/// for a value. The default is "none". Ids are meaningful only together with
/// the model that gave them, and stay valid as long as that model lives.
template <class Tag> class Id {
public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : value(index) {}

  constexpr bool valid() const { return value != none; }
  constexpr explicit operator bool() const { return valid(); }
  constexpr std::uint32_t index() const { return value; }

  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;

private:
  static constexpr std::uint32_t none = 0xffffffffu;
  std::uint32_t value = none;
};

using StringId = Id<struct StringTag>;
using TypeId = Id<struct TypeTag>;
using ContentId = Id<struct ContentTag>;
using ValueId = Id<struct ValueTag>;
using NodeId = Id<struct NodeTag>;
using GraphId = Id<struct GraphTag>;
using OperatorId = Id<struct OperatorTag>;
using FunctionId = Id<struct FunctionTag>;
using LocationId = Id<struct LocationTag>;
using ConstantId = Id<struct ConstantTag>;

/// A run of entries in one of a model's pools.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool empty() const { return count == 0; }
};

} // namespace condlint

template <class Tag> struct std::hash<condlint::Id<Tag>> {
  std::size_t operator()(condlint::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>()(id.index()); }
};

#endif // CONDLINT_ID_H
