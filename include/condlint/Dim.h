//===- Dim.h - Symbolic sizes and the proofs about them ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_DIM_H
#define CONDLINT_DIM_H

#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

/// A size, stride, offset or other integer of a model: unknown, a number, or
/// an expression over named symbols. A handle into a \c DimTable; two handles
/// of one table are equal exactly when their canonical forms are. The default
/// is unknown, and two unknowns say nothing about each other.
struct Dim {
  std::uint32_t index = 0;
  bool known() const { return index != 0; }
  friend bool operator==(Dim, Dim) = default;
  friend auto operator<=>(Dim, Dim) = default;
};

/// How much a symbol's range is worth.
enum class SymbolOrigin : std::uint8_t {
  Declared,  ///< The model declares it with a range (`.pt2`, a C++ contract).
  Named,     ///< The model names it without a range (ONNX `dim_param`).
  Unbacked,  ///< It depends on data (`u0`): known only when the model runs.
  Anonymous, ///< Nobody named it: one unknown size that occurs several times.
};

/// Bounds, both inclusive; the extremes of the type mean "none".
struct Interval {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
  bool contains(std::int64_t v) const { return min <= v && v <= max; }
  friend bool operator==(const Interval &, const Interval &) = default;
};

/// A named integer that is fixed for one run of the model.
struct Symbol {
  std::string name;
  SymbolOrigin origin = SymbolOrigin::Anonymous;
  Interval bounds{0, std::numeric_limits<std::int64_t>::max()};
};

/// One value for each symbol that matters: an input that shows a difference.
using Assignment = std::vector<std::pair<std::string, std::int64_t>>;

/// What is known about `a == b` over all admitted values of their symbols.
struct DimComparison {
  enum class Verdict : std::uint8_t {
    Proved,  ///< Equal for every admitted assignment.
    Refuted, ///< Different for at least one; \c witness is one such.
    Unknown, ///< Not decided; \c reason says why.
  };
  Verdict result = Verdict::Unknown;
  /// Refuted only: different for *every* admitted assignment.
  bool always = false;
  /// Refuted only: the weakest origin among the symbols the witness needs, so
  /// that a caller can tell a declared range from an assumed one. Meaningless
  /// when there are no symbols.
  SymbolOrigin weakestOrigin = SymbolOrigin::Declared;
  Assignment witness;
  std::int64_t witnessA = 0; ///< a at the witness.
  std::int64_t witnessB = 0; ///< b at the witness.
  std::string reason;
};

/// Owns the symbols and expressions of one model, each canonical form once:
/// integer polynomials over atoms; an atom is a symbol, a floor division, a
/// modulo, a minimum, a maximum, or an opaque function of expressions.
/// Arithmetic on an unknown is unknown. What overflows 64 bits is unknown.
/// Not thread-safe.
class DimTable {
public:
  DimTable();
  ~DimTable();
  DimTable(DimTable &&) noexcept;
  DimTable &operator=(DimTable &&) noexcept;

  Dim constant(std::int64_t value);
  /// The symbol called \p name, made with \p origin and \p bounds when new.
  Dim symbol(std::string_view name, SymbolOrigin origin,
             Interval bounds = {0, std::numeric_limits<std::int64_t>::max()});
  /// A symbol that is equal to nothing but itself; its name starts with \p hint.
  Dim fresh(std::string_view hint, SymbolOrigin origin);
  /// Replaces the bounds of the symbol \p name if there is one. Comparisons use
  /// the new bounds; forms made before stay simplified under the old ones, so
  /// give wide bounds first and narrow them. Bounds that admit nothing count as none.
  void setBounds(std::string_view name, Interval bounds);

  Dim add(Dim a, Dim b);
  Dim sub(Dim a, Dim b);
  Dim mul(Dim a, Dim b);
  Dim negate(Dim a);
  /// Division rounding towards minus infinity; by a zero constant: unknown.
  Dim floorDiv(Dim a, Dim b);
  Dim ceilDiv(Dim a, Dim b);
  /// Remainder with the sign of the divisor: `a - b * floorDiv(a, b)`.
  Dim mod(Dim a, Dim b);
  Dim min(Dim a, Dim b);
  Dim max(Dim a, Dim b);
  /// An uninterpreted function: equal names and equal arguments are equal.
  Dim opaque(std::string_view function, std::span<const Dim> arguments);

  std::optional<std::int64_t> asConstant(Dim d) const;
  bool isConstant(Dim d, std::int64_t value) const;
  /// The symbol that \p d is; nothing when it is a number or an expression.
  std::optional<Symbol> asSymbol(Dim d) const;
  /// The symbols that \p d is made of, each once, by name.
  std::vector<Symbol> symbolsOf(Dim d) const;
  /// True when some symbol of \p d has the origin \p origin.
  bool mentions(Dim d, SymbolOrigin origin) const;
  /// Bounds that hold for every admitted assignment.
  Interval boundsOf(Dim d) const;
  /// The value of \p d with \p values for its symbols; nothing when one is
  /// missing, on overflow, or for an opaque function.
  std::optional<std::int64_t> evaluate(Dim d, const Assignment &values) const;
  /// "4", "s0", "2*s0 + 1", "(s0 + 1)//2", "min(s0, 4)"; "?" for unknown.
  std::string str(Dim d) const;

  /// Decides `a == b`. Bounded in time whatever the expressions. Refuted always
  /// with no witness: the difference is certain, but no values could be shown
  /// (an opaque function that cancels out). Of the values only those count at which
  /// no expression of \p notNegative is below zero: a witness is one of them.
  DimComparison compare(Dim a, Dim b, std::span<const Dim> notNegative = {}) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace condlint

#endif // CONDLINT_DIM_H
