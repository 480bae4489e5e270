//===- AtenEffects.h - What ATen overloads write and alias ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effects of every overload of ATen and prims, from torch's own schemas: a
// table in read-only memory that costs nothing at start-up. aten_effects.py
// regenerates it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENEFFECTS_H
#define CONDLINT_OPS_ATENEFFECTS_H

#include "AtenParameter.h"
#include "condlint/Op.h"
#include <span>
#include <string_view>
#include <vector>

namespace condlint {

/// One overload. Arguments go by their names in the schema.
struct EffectsRow {
  std::uint32_t nameAt;
  std::uint8_t nameLength;
  std::uint8_t signature;
  std::uint8_t flags;
  std::uint8_t results; ///< how many values it returns; 0: a list, or not known
  std::uint16_t parameterList;

  /// The position of an alias that every result of the node has.
  static constexpr std::uint32_t everyResult = 255;
  struct Alias {
    std::uint32_t result; ///< or \c everyResult
    std::string_view argument;
    AliasKind kind;
  };

  std::string_view name() const; ///< "aten.add_.Tensor", "aten.relu.default"
  std::size_t writeCount() const;
  std::string_view write(std::size_t i) const; ///< the name of a written argument
  std::size_t aliasCount() const;
  Alias alias(std::size_t i) const;
  /// Its parameters in their order; none where they are not known.
  std::vector<AtenParameter> parameters() const;

  bool random() const { return (flags & 1) != 0; }
  bool hostSync() const { return (flags & 2) != 0; }
  /// The sizes of a result depend on data.
  bool dynamicShape() const { return (flags & 4) != 0; }
  /// Changes the shape of its operand in place (`squeeze_`).
  bool changesView() const { return (flags & 8) != 0; }
};

/// The row of `torch.ops.<domain>.<name>.<overload>`, or null for an overload
/// that no table holds. An empty overload is the default one.
const EffectsRow *findAtenEffects(std::string_view domain, std::string_view name, std::string_view overload);
/// All overloads of `torch.ops.aten.<name>`, for choosing among them.
std::span<const EffectsRow> atenOverloads(std::string_view name);
/// Number of overloads in the table.
std::size_t atenEffectsCount();

/// Adds to \p effects what \p row says of the node \p n: argument names become
/// positions of operands, an argument that is a list becomes each of its values.
void addAtenEffects(const EffectsRow &row, const Model &m, NodeId n, NodeEffects &effects);

// For `refineEffects` of definitions.
/// The operands that the argument \p name of \p n holds: one, or those of a list.
Range argumentOperands(const Model &m, NodeId n, std::string_view name);
/// The literal bool or integer argument \p name; nothing when absent or not literal.
std::optional<std::int64_t> literalArgument(const Model &m, NodeId n, std::string_view name);
/// Makes the alias of every result to \p operand certain, possible, or (nothing) absent.
void setAliases(NodeEffects &effects, std::uint32_t operand, std::optional<AliasKind> kind);

// Corrections of what the table says for one node, from its arguments and the
// types of its operands and results. Each goes with the operators named.
void refineReshape(const Model &m, NodeId n, NodeEffects &e);    ///< reshape, flatten, ravel
void refineContiguous(const Model &m, NodeId n, NodeEffects &e); ///< contiguous
void refineTo(const Model &m, NodeId n, NodeEffects &e);         ///< to, type_as
void refineConj(const Model &m, NodeId n, NodeEffects &e);       ///< resolve_conj, conj_physical
void refineEinsum(const Model &m, NodeId n, NodeEffects &e);     ///< einsum
void refineDropout(const Model &m, NodeId n, NodeEffects &e);    ///< dropout and its kin
/// Batch and instance norm write their running statistics while they train,
/// although their schemas do not say so (M6).
void refineBatchNorm(const Model &m, NodeId n, NodeEffects &e);
void refineAttention(const Model &m, NodeId n, NodeEffects &e); ///< random only with dropout

} // namespace condlint

#endif // CONDLINT_OPS_ATENEFFECTS_H
