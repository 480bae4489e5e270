//===- ElementRun.h - A strided run over several operands -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_ELEMENTRUN_H
#define CONDLINT_LIB_OPS_ELEMENTRUN_H

#include "Convert.h"
#include "Device.h"
#include <algorithm>
#include <array>

namespace condlint {

/// A run over one shape: the axes, from the outermost, merged where all operands
/// allow it, and where each operand lies. Operand 0 is the result. A GPU gets it as
/// a kernel's argument, by value.
struct ElementRun {
  static constexpr std::size_t maxOperands = 4;
  struct Axis {
    std::int64_t size;
    std::int64_t stride[maxOperands]; ///< in elements
  };
  struct Place {
    char *data; ///< null: `number`
    DType dtype;
  };

  Axis axes[Tensor::maxRank]; ///< only `rank` of them are set
  std::uint32_t rank = 0;     ///< at least 1
  std::uint32_t operands = 0;
  std::int64_t count = 1; ///< elements
  Place place[maxOperands];
  /// Numbers among the operands, each as it is stored.
  alignas(alignof(ComplexDouble)) char number[maxOperands][sizeof(ComplexDouble)];

  /// The operands' places are left to the device.
  ElementRun(std::span<const std::int64_t> shape, const ElementOperand &out, std::span<const ElementOperand> in)
      : operands(static_cast<std::uint32_t>(in.size() + 1)) {
    const auto operand = [&](std::size_t k) -> const ElementOperand & { return k == 0 ? out : in[k - 1]; };
    for (std::size_t i = 0; i < shape.size(); ++i) {
      count *= shape[i];
      if (shape[i] == 1)
        continue;
      Axis a{shape[i], {}};
      for (std::size_t k = 0; k < operands; ++k)
        a.stride[k] = operand(k).strides[i];
      axes[rank++] = a;
    }
    // The result's smallest stride goes innermost.
    for (std::size_t i = 1; i < rank; ++i)
      for (std::size_t j = i; j > 0 && axes[j - 1].stride[0] < axes[j].stride[0] && axes[j].stride[0] != 0; --j)
        std::swap(axes[j - 1], axes[j]);
    std::uint32_t merged = 0;
    for (std::size_t i = 1; i < rank; ++i) {
      Axis &outer = axes[merged];
      const Axis &inner = axes[i];
      bool fits = true;
      for (std::size_t k = 0; k < operands; ++k)
        fits = fits && outer.stride[k] == inner.stride[k] * inner.size;
      if (fits) {
        outer.size *= inner.size;
        std::copy_n(inner.stride, maxOperands, outer.stride);
      } else {
        axes[++merged] = inner;
      }
    }
    if (rank == 0)
      axes[0] = {1, {}};
    rank = merged + 1;
  }

  const Axis &inner() const { return axes[rank - 1]; }
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_ELEMENTRUN_H
