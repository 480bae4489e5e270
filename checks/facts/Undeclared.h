//===- Undeclared.h - Values as no declaration has them ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_UNDECLARED_H
#define CONDLINT_CHECKS_FACTS_UNDECLARED_H

#include "condlint/Graph.h"
#include "ops/UndeclaredTypes.h"
#include <optional>
#include <vector>

namespace condlint {

/// The values of a model without what only declarations say of shapes (`undeclaredTypes`), found when it is first asked
/// for one. Those of another format than ONNX are as they are.
class Undeclared {
public:
  explicit Undeclared(Model &model) : m(model) {}

  TypeId type(ValueId v) {
    if (!found().empty())
      return found()[v.index()].type;
    return m[v].type ? m[v].type : m[v].recorded;
  }
  /// The numbers that \p v holds: sizes of what is only declared are none.
  ContentId content(ValueId v) { return !m[v].content || found().empty() ? m[v].content : found()[v.index()].content; }

private:
  Model &m;
  std::optional<std::vector<UndeclaredType>> types;

  const std::vector<UndeclaredType> &found() {
    if (!types)
      types = undeclaredTypes(m);
    return *types;
  }
};

/// The values of an ONNX model as onnx's checker types them (`typesForChecker`), found when it is first asked for one.
class CheckerTypes {
public:
  explicit CheckerTypes(Model &model) : m(model) {}

  const Type &of(ValueId v) {
    if (!types)
      types = typesForChecker(m);
    return m.types[(*types)[v.index()]];
  }

private:
  Model &m;
  std::optional<std::vector<TypeId>> types;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_UNDECLARED_H
