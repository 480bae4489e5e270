//===- TypeReader.h - What a .pt2 records of its values ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_TYPEREADER_H
#define CONDLINT_LIB_READERS_PT2_TYPEREADER_H

#include "Reporter.h"
#include "SymExpr.h"
#include <array>

namespace condlint::pt2 {

/// torch.export's own numbers, which are not those of c10::ScalarType.
std::optional<DType> dtypeOfNumber(std::int64_t n);
std::optional<Layout> layoutOfNumber(std::int64_t n);

/// Reads TensorMeta, SymInt, SymBool and SymFloat. Most values of a model share
/// a few types, so the last ones are recognised by their text.
class TypeReader : public Reporter {
public:
  TypeReader(Model &model, JsonCursor &cursor) : Reporter(model, cursor) {}

  /// The TensorMeta at the cursor. \p withOffset: false where the file's
  /// storage offset is not to be believed (R10).
  TypeId tensorMeta(bool withOffset);

protected:
  /// What an integer is, which decides what it may be.
  enum class Role : std::uint8_t { Size, Stride, Offset, Value };

  TypeId kindType(ValueKind k);
  /// A kind that torch's schema does not have, up to the minor version that is known
  /// here; a later one may have added it.
  void unknownKind(std::string message);
  /// SymInt: `{as_int}` or `{as_expr}`. Unknown, with an issue, for anything else.
  Dim symInt(Role role);
  /// The number at the cursor, of a storage offset.
  void offset(Dim &dim);
  /// The expression at the cursor, `{expr_str, hint}`.
  Dim expression(Role role);
  /// SymBool at the cursor: 0, 1, or an expression that is one of them.
  Dim symBool();
  void symFloat();
  /// \p isAsked: an operator is asked for it, and torch looks it up; not what is recorded of a value.
  std::optional<DType> dtype(bool isAsked = false);
  std::optional<Layout> layout();
  /// The layout that an operator is asked for, which torch looks up.
  std::optional<Layout> layoutAsked();
  void device(Type &t);

  SymbolTable symbols;
  std::vector<std::size_t> unknownKinds; ///< issues
  /// A storage offset that is a plain number, which only old schemas have: what to say of it in another one.
  std::optional<FormatIssue> plainOffset;

private:
  struct Known {
    std::string_view text;
    std::uint32_t tokens = 0;
    TypeId type;
    bool withOffset = true;
  };
  struct Parsed {
    Dim dim;
    bool tried = false;
    bool sound = false;
    SymbolFacts *symbol = nullptr; ///< that it is, no more and no less
  };

  Parsed parsed(std::string_view expression);
  TypeId readTensorMeta(bool withOffset);
  std::optional<std::vector<Dim>> dimList(Role role);

  std::array<Known, 16> known;
  std::size_t nextKnown = 0;
  std::vector<Parsed> expressions; ///< by the text's StringId
  std::array<TypeId, 16> kindTypes;
};

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_TYPEREADER_H
