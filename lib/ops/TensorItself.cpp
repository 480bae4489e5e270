//===- TensorItself.cpp - The tensor that a value is by another name ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATen's operators that hand back the tensor itself where there is nothing to do,
// and not another view of it: what shares storage with it for certain is it.
//
//===----------------------------------------------------------------------===//
#include "TensorItself.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>

namespace condlint {

namespace {

constexpr std::array<std::string_view, 18> handingBack{"alpha_dropout",
                                                       "atleast_1d",
                                                       "atleast_2d",
                                                       "atleast_3d",
                                                       "conj",
                                                       "conj_physical",
                                                       "contiguous",
                                                       "dropout",
                                                       "feature_alpha_dropout",
                                                       "feature_dropout",
                                                       "flatten",
                                                       "positive",
                                                       "real",
                                                       "resolve_conj",
                                                       "resolve_neg",
                                                       "to",
                                                       "to_dense",
                                                       "type_as"};

/// The element type of \p given says that `real` and `conj` have nothing to do; of the others an alias that is
/// certain says it, and that the rank stays what it is.
bool isHandedBack(std::string_view name, const Type &given, const Type &result) {
  if (name == "real" || name == "conj")
    return given.element != DType::Unknown && !isComplex(given.element);
  if (name == "flatten" || name.starts_with("atleast_"))
    return given.isTensor() && given.hasRank && result.hasRank && !given.dims.empty() &&
           given.dims.size() == result.dims.size();
  return true;
}

bool mayHandBack(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return m.text(op.domain) == "aten" && std::ranges::binary_search(handingBack, m.text(op.name));
}

/// The operand that \p n gives back as its result; none where that is another tensor.
ValueId handedBack(const Model &m, NodeId n, std::uint32_t result) {
  if (!mayHandBack(m, n))
    return {};
  const std::string_view name = m.text(m[m[n].op].name);
  for (const NodeEffects::Alias &a : effectsOf(m, n).aliases)
    if (const ValueId given = a.result == result && a.kind == AliasKind::Must ? m.operands(n)[a.operand] : ValueId();
        given && isHandedBack(name, m.type(given), m.type(m.result(n, result))))
      return given;
  return {};
}

} // namespace

bool isItselfOrCopy(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return mayHandBack(m, n) && name != "real" && name != "conj" && name != "flatten" && !name.starts_with("atleast_");
}

ValueId tensorItself(const Model &m, ValueId v) {
  while (v) {
    v = withoutAssumptions(m, v);
    const bool isResult = v && m[v].origin == ValueOrigin::Result && m[v].def;
    const ValueId given = isResult ? handedBack(m, m[v].def, m[v].index) : ValueId();
    if (!given)
      return v;
    v = given; // made before what was made of it
  }
  return v;
}

} // namespace condlint
