//===- AtenSchema.h - What ATen overloads must be given ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENSCHEMA_H
#define CONDLINT_OPS_ATENSCHEMA_H

#include "condlint/Op.h"
#include <vector>

namespace condlint {

/// Holds the calls of a serialized graph against the schemas of their overloads.
class AtenSchemas {
public:
  /// Rejects the node of \p ctx where a parameter without a default is not given, or a
  /// tensor or number is given as text, or the first tensor as none. False then: its
  /// types mean nothing.
  bool fits(InferContext &ctx);

private:
  struct Parameter {
    StringId name;
    char type = 'x'; ///< a letter of EffectsRow::parameters
    bool required = false;
  };
  struct Schema {
    bool known = false; ///< it was looked for
    std::vector<Parameter> parameters;
  };
  std::vector<Schema> schemas; ///< by operator

  const Schema &of(Model &m, OperatorId op);
};

} // namespace condlint

#endif // CONDLINT_OPS_ATENSCHEMA_H
