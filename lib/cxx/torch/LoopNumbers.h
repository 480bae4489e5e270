//===- LoopNumbers.h - What loops leave in numbers --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_LOOPNUMBERS_H
#define CONDLINT_CXX_TORCH_LOOPNUMBERS_H

#include "Admission.h"
#include <string>
#include <string_view>

namespace condlint::cxx {

/// The numbers that loops leave, and what they are on ways that the loops may go. Nobody chooses one of them freely.
class LoopNumbers {
public:
  struct Way {
    std::shared_ptr<const PathConstraints> holds; ///< where the loop ends
    LeftNumbers left;                             ///< unknown for what is not worked out
  };
  /// A loop leaves the numbers that are called \p names.
  void add(const std::vector<std::string> &names, std::vector<Way> ways);
  /// The number that is called \p name is \p made, an expression over such numbers.
  void derive(const std::string &name, Dim made) { derived.insert_or_assign(name, made); }
  bool contains(std::string_view name) const { return loopOf.contains(name) || derived.contains(name); }
  /// A way of each loop that has a part in what hangs together with \p first is found, and values, at which all of \p
  /// constraints holds.
  bool admit(const HostNumbers &of, const PathConstraints &constraints,
             const std::vector<NumberComparison> &first) const;

private:
  bool admit(const HostNumbers &of, const PathConstraints &constraints, const std::vector<Dim> &first,
             const LeftNumbers &left, std::size_t &budget, unsigned depth) const;

  std::vector<std::vector<Way>> loops;
  LeftNumbers derived;
  std::map<std::string, std::size_t, std::less<>> loopOf;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_LOOPNUMBERS_H
