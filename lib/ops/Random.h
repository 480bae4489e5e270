//===- Random.h - Numbers drawn by counting ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_RANDOM_H
#define CONDLINT_LIB_OPS_RANDOM_H

#include "Device.h"
#include <cmath>

namespace condlint {

/// Philox 4x32-10 (Salmon et al., 2011): the numbers of a draw are a function of
/// seed, stream and index alone, so every device draws the same in any order.
struct Philox {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0; ///< one for each draw of a run

  struct Block {
    std::uint32_t word[4];
  };
  CONDLINT_HD Block block(std::uint64_t index) const {
    std::uint32_t c[4] = {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                          static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)};
    auto k0 = static_cast<std::uint32_t>(seed), k1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0], p1 = std::uint64_t{0xCD9E8D57u} * c[2];
      const std::uint32_t next[4] = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
                                     static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
      for (int i = 0; i < 4; ++i)
        c[i] = next[i];
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    return {{c[0], c[1], c[2], c[3]}};
  }
  CONDLINT_HD std::uint64_t bits(std::uint64_t index) const {
    const Block b = block(index);
    return std::uint64_t{b.word[0]} << 32 | b.word[1];
  }
  /// In [0, 1), with 53 bits.
  CONDLINT_HD double uniform(std::uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * (1.0 / 9007199254740992.0);
  }
  /// Of mean 0 and deviation 1 (Box-Muller).
  CONDLINT_HD double normal(std::uint64_t index) const {
    const Block b = block(index);
    const double u = (static_cast<double>(b.word[0]) + 1.0) * (1.0 / 4294967296.0);
    const double v = (static_cast<double>(b.word[1]) + static_cast<double>(b.word[2]) / 4294967296.0) / 4294967296.0;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
  }
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_RANDOM_H
