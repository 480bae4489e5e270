//===- ShapeSampler.h - Layouts decided by trying numbers --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_SHAPESAMPLER_H
#define CONDLINT_LIB_OPS_SHAPESAMPLER_H

#include "condlint/Dim.h"
#include "condlint/TensorType.h"
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace condlint {

/// Whether something is so for every admitted size, for none, or not known.
/// Strides and sizes with symbols are tried with several numbers for each
/// symbol: an equation between such products that holds by chance for all of
/// them holds by necessity. Sizes are taken to be at least 2, as torch does when
/// it traces; "no" is only said where no symbol can be smaller.
class Sampler {
public:
  explicit Sampler(const DimTable &dims) : table(dims) {}
  void add(std::span<const Dim> dims) {
    for (Dim d : dims) {
      known = known && d.known();
      for (Symbol &s : table.symbolsOf(d))
        if (names.insert(s.name).second)
          symbols.push_back(std::move(s));
    }
  }
  /// Calls \p holds with an assignment, several times; its answers in common.
  /// \p traced: what torch's tracer decides, which takes no size to be 0 or 1.
  template <class Predicate> Tri decide(Predicate holds, bool traced = false) const {
    if (!known)
      return Tri::Unknown;
    bool yes = true, no = true, mayBeSmall = false;
    constexpr std::int64_t primes[] = {7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
    for (std::size_t round = 0; round < 3; ++round) {
      Assignment values;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Interval range = symbols[i].bounds;
        mayBeSmall = mayBeSmall || range.min < 2;
        std::int64_t v = primes[(i * 5 + round * 3) % std::size(primes)];
        if (!range.contains(v))
          v = v < range.min
                  ? range.min + std::min<std::int64_t>(static_cast<std::int64_t>(round), range.max - range.min)
                  : range.max;
        values.emplace_back(symbols[i].name, v);
      }
      const std::optional<bool> answer = holds(values);
      if (!answer)
        return Tri::Unknown;
      yes = yes && *answer;
      no = no && !*answer;
      if (symbols.empty())
        break;
    }
    if (yes)
      return Tri::Yes;
    return no && (traced || !mayBeSmall) ? Tri::No : Tri::Unknown;
  }

  /// The same of tensors that have elements: no size is 0, and where a symbol may be 1 it is tried as well.
  template <class Predicate> Tri decideUnlessEmpty(Predicate holds) const {
    const Tri large = decide(holds, true);
    if (large != Tri::No)
      return large;
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i].bounds.min < 2 && symbols[i].bounds.max >= 1)
        small.push_back(i);
    constexpr std::size_t mostSmall = 6;
    if (small.size() > mostSmall)
      return Tri::Unknown;
    constexpr std::int64_t primes[] = {7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
    for (std::size_t ones = 1; ones < (std::size_t{1} << small.size()); ++ones) {
      Assignment values;
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Interval range = symbols[i].bounds;
        values.emplace_back(symbols[i].name, std::clamp(primes[i % std::size(primes)], range.min, range.max));
      }
      for (std::size_t k = 0; k < small.size(); ++k)
        if ((ones >> k & 1) != 0)
          values[small[k]].second = 1;
      if (holds(values) != std::optional<bool>(false))
        return Tri::Unknown;
    }
    return Tri::No;
  }

private:
  const DimTable &table;
  std::vector<Symbol> symbols;
  std::set<std::string, std::less<>> names;
  bool known = true;
};

/// The values of \p dims; nothing when one is not known, negative or enormous.
inline std::optional<std::vector<std::int64_t>> numbers(const DimTable &table, std::span<const Dim> dims,
                                                        const Assignment &values) {
  std::vector<std::int64_t> out;
  for (Dim d : dims) {
    const auto v = table.evaluate(d, values);
    if (!v || *v < 0 || *v > (std::int64_t{1} << 40))
      return std::nullopt;
    out.push_back(*v);
  }
  return out;
}

/// `suggest_memory_format`: whether torch takes \p t, of rank 4 or 5, for channels
/// last. Exact also where sizes of 1 leave a choice.
Tri suggestsChannelsLast(const DimTable &dims, const Type &t);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_SHAPESAMPLER_H
