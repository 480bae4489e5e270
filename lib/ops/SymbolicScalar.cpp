//===- SymbolicScalar.cpp - Numbers among a node's arguments --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SymbolicScalar.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "InferState.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/DimRelation.h"
#include "graph/TypeWords.h"
#include "kernels/SymbolicScalar.h"
#include <algorithm>
#include <cmath>
#include <string>

namespace condlint {

namespace {

ScalarArgument scalarOfValue(InferContext &c, ValueId v) {
  ScalarArgument s;
  if (!v)
    return s;
  const Type &t = c.typeOf(v);
  if (!scalarOperand(t))
    return s;
  s.kind = t.kind;
  if (const auto content = c.contentOf(v); content && content->size() == 1 && t.kind != ValueKind::SymFloat)
    s.whole = (*content)[0];
  return s;
}

} // namespace

ScalarArgument scalarOf(InferContext &c, const Attribute &a) {
  ScalarArgument s;
  switch (a.kind) {
  case AttributeKind::Bool:
    s.kind = ValueKind::SymBool;
    s.whole = c.constant(a.number != 0 ? 1 : 0);
    break;
  case AttributeKind::Int:
    s.kind = ValueKind::SymInt;
    s.whole = c.constant(a.number);
    break;
  case AttributeKind::Float:
    s.kind = ValueKind::SymFloat;
    s.real = a.real;
    break;
  case AttributeKind::Operand:
    return scalarOfValue(c, c.operand(a.list.first));
  default:
    break;
  }
  return s;
}

ScalarArgument scalarArg(InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  return a ? scalarOf(c, *a) : ScalarArgument();
}

std::vector<ScalarArgument> scalarArguments(InferContext &c) {
  std::vector<ScalarArgument> all;
  for (const Attribute &a : c.model().attributes(c.node())) {
    switch (a.kind) {
    case AttributeKind::Operands:
      for (std::uint32_t i = 0; i < a.list.count; ++i)
        all.push_back(scalarOfValue(c, c.operand(a.list.first + i)));
      break;
    case AttributeKind::Ints:
      for (std::int64_t v : c.model().ints(a.list))
        all.push_back({ValueKind::SymInt, c.constant(v), std::nullopt});
      break;
    case AttributeKind::Dims:
      for (Dim d : c.model().dimsIn(a.list))
        all.push_back({ValueKind::SymInt, d, std::nullopt});
      break;
    default:
      all.push_back(scalarOf(c, a));
    }
  }
  return all;
}

namespace {

/// Sets result \p i to a scalar of \p kind. What the file says of its number stays.
void setScalar(InferContext &c, std::size_t i, ValueKind kind, Dim whole = {}) {
  if (i >= c.resultCount())
    return;
  Type t;
  t.kind = kind;
  c.setResult(i, t);
  if (whole.known() && !c.contentOf(c.model().result(c.node(), i)))
    c.setContent(i, std::span<const Dim>(&whole, 1));
}

/// A symbolic int that data decides: the file's own symbol, or a new one.
void setDataDependent(InferContext &c, std::size_t i, std::string_view hint) {
  if (i >= c.resultCount())
    return;
  const bool recorded = c.contentOf(c.model().result(c.node(), i)).has_value();
  setScalar(c, i, ValueKind::SymInt, recorded ? Dim() : c.dataDependent(hint));
}

// --- shapes of tensors ------------------------------------------------------

/// What a size is called of a tensor \p v of which nothing is known: what is as large has the same size.
std::string sizeName(InferContext &c, ValueId v, std::int64_t dim) {
  const Model &m = c.model();
  const StringId shape = c.namedType(0).names.shape;
  const ValueId first = shape ? shapeOwner(m.text(shape)) : v;
  const std::string asked = ".size(" + std::to_string(dim) + ")#";
  return first ? std::string(m.name(first)) + asked + std::to_string(first.index())
               : asked + "shape " + std::to_string(shape.index());
}

void inferSymSize(InferContext &c) {
  const Type &self = c.type(0);
  if (!c.hasAttribute("dim")) { // the whole shape, one result an axis
    for (std::size_t i = 0; i < c.resultCount(); ++i)
      setScalar(c, i, ValueKind::SymInt, self.hasRank && i < self.dims.size() ? self.dims[i] : Dim());
    return;
  }
  const auto dim = c.intAttr("dim");
  const auto axis = dim && self.hasRank ? normalizeAxis(*dim, self.dims.size()) : std::nullopt;
  Dim size = axis ? self.dims[*axis] : Dim();
  const Model &m = c.model();
  // Source asks for sizes of tensors of which nothing is known: the same one twice
  // is one size.
  if (const ValueId v = c.operand(0); v && dim && !size.known() && m.info.format == Format::Cxx)
    size = c.dims().symbol(sizeName(c, v, *dim), SymbolOrigin::Anonymous);
  setScalar(c, 0, ValueKind::SymInt, size);
}

void inferSymStride(InferContext &c) {
  const Type &self = c.type(0);
  if (!c.hasAttribute("dim")) {
    for (std::size_t i = 0; i < c.resultCount(); ++i)
      setScalar(c, i, ValueKind::SymInt, self.hasStrides && i < self.strides.size() ? self.strides[i] : Dim());
    return;
  }
  const auto dim = c.intAttr("dim");
  const auto axis = dim && self.hasStrides ? normalizeAxis(*dim, self.strides.size()) : std::nullopt;
  setScalar(c, 0, ValueKind::SymInt, axis ? self.strides[*axis] : Dim());
}

void inferSymNumel(InferContext &c) {
  const Type &self = c.type(0);
  setScalar(c, 0, ValueKind::SymInt, self.hasRank ? elementCount(c.dims(), self.dims) : Dim());
}

void inferSymStorageOffset(InferContext &c) { setScalar(c, 0, ValueKind::SymInt, c.type(0).storageOffset); }

void inferDim(InferContext &c) {
  const auto rank = c.type(0).rank();
  setScalar(c, 0, ValueKind::SymInt, rank ? c.constant(static_cast<std::int64_t>(*rank)) : Dim());
}

// --- numbers out of tensors ---------------------------------------------------

void inferItem(InferContext &c) {
  const DType t = c.type(0).element;
  if (t == DType::Bool)
    setScalar(c, 0, ValueKind::SymBool);
  else if (isIntegral(t))
    setDataDependent(c, 0, "item");
  else if (isFloating(t))
    setScalar(c, 0, ValueKind::SymFloat);
}

void inferBool(InferContext &c) { setScalar(c, 0, ValueKind::SymBool); }

/// Assertions make nothing.
void inferNothing(InferContext &) {}

/// `_assert_tensor_metadata(a, size, stride, dtype, …)` stops every run of what is otherwise: a conversion
/// changed the tensor and left the assertion.
void inferAssertMetadata(InferContext &c) {
  const Type &t = c.argType("a");
  const auto wanted = c.dtypeAttr("dtype");
  if (wanted && t.isTensor() && t.element != DType::Unknown && t.element != *wanted)
    return c.reject("asserts " + std::string(dtypeName(*wanted)) + ", but is given " +
                    std::string(dtypeName(t.element)));
  const auto size = c.dimsArg("size");
  if (!size || !t.isTensor() || !t.hasRank)
    return;
  if (!mayAgree(c.dims(), *size, t.dims))
    c.reject("asserts the shape " + spellDims(c.dims(), *size) + ", but is given " + spellDims(c.dims(), t.dims));
}

// --- arithmetic ------------------------------------------------------------------

bool allWhole(const std::vector<ScalarArgument> &args) {
  return std::all_of(args.begin(), args.end(), [](const ScalarArgument &s) {
    return s.kind == ValueKind::SymInt || s.kind == ValueKind::SymBool;
  });
}
bool anyUnknown(const std::vector<ScalarArgument> &args) {
  return std::any_of(args.begin(), args.end(), [](const ScalarArgument &s) { return s.kind == ValueKind::Unknown; });
}

using Fold = Dim (*)(DimTable &, Dim, Dim);

/// Python's operators take \p count numbers, by position; a `.pt2` holds all that are given.
void expectNumbers(InferContext &c, std::size_t count) {
  const Model &m = c.model();
  if (m.info.format != Format::Pt2 || m.text(m[m[c.node()].op].domain) != "_operator")
    return;
  const std::size_t given = m.attributes(c.node()).size();
  if (given != count)
    return c.reject("takes " + std::to_string(count) + " arguments, not " + std::to_string(given));
  for (std::size_t i = 0; i < c.operandCount(); ++i)
    if (c.type(i).isTensor())
      return c.reject("takes numbers, not tensors", i);
}

/// `a op b` on ints is an int, with a float a float.
template <Fold fold> void arithmetic(InferContext &c) {
  expectNumbers(c, 2);
  const auto args = scalarArguments(c);
  if (args.size() < 2 || anyUnknown(args))
    return;
  if (!allWhole(args))
    return setScalar(c, 0, ValueKind::SymFloat);
  Dim whole = args[0].whole;
  for (std::size_t i = 1; i < args.size(); ++i)
    whole = whole.known() && args[i].whole.known() ? fold(c.dims(), whole, args[i].whole) : Dim();
  setScalar(c, 0, ValueKind::SymInt, whole);
}

/// \p fold decides a comparison or leaves it open. A `.pt2` records what an open one is, which is held
/// against \p relation.
template <Fold fold, Fold relation> void comparison(InferContext &c) {
  expectNumbers(c, 2);
  const auto args = scalarArguments(c);
  if (args.size() != 2 || !args[0].whole.known() || !args[1].whole.known())
    return setScalar(c, 0, ValueKind::SymBool);
  const Dim decided = fold(c.dims(), args[0].whole, args[1].whole);
  const bool open = !decided.known() && c.model().info.format != Format::Cxx;
  setScalar(c, 0, ValueKind::SymBool, open ? relation(c.dims(), args[0].whole, args[1].whole) : decided);
}

Dim add(DimTable &d, Dim a, Dim b) { return d.add(a, b); }
Dim sub(DimTable &d, Dim a, Dim b) { return d.sub(a, b); }
Dim mul(DimTable &d, Dim a, Dim b) { return d.mul(a, b); }
Dim floorDiv(DimTable &d, Dim a, Dim b) { return d.floorDiv(a, b); }
Dim mod(DimTable &d, Dim a, Dim b) { return d.mod(a, b); }
Dim minimum(DimTable &d, Dim a, Dim b) { return d.min(a, b); }
Dim maximum(DimTable &d, Dim a, Dim b) { return d.max(a, b); }
Dim nothing(DimTable &, Dim, Dim) { return {}; }
Dim notEqual(DimTable &d, Dim a, Dim b) { return isNot(d, foldEqual(d, a, b)); }
Dim greater(DimTable &d, Dim a, Dim b) { return foldLess(d, b, a); }
Dim lessEqual(DimTable &d, Dim a, Dim b) { return isNot(d, foldLess(d, b, a)); }
Dim greaterEqual(DimTable &d, Dim a, Dim b) { return isNot(d, foldLess(d, a, b)); }

Dim power(DimTable &d, Dim a, Dim b) {
  const auto exponent = d.asConstant(b);
  if (!exponent || *exponent < 0 || *exponent > 62)
    return {};
  Dim result = d.constant(1);
  for (std::int64_t i = 0; i < *exponent; ++i)
    result = d.mul(result, a);
  return result;
}

/// `and_`, `or_`, `xor`: bools stay bools.
void inferBitwise(InferContext &c) {
  const auto args = scalarArguments(c);
  if (args.empty() || anyUnknown(args))
    return;
  const bool truth =
      std::all_of(args.begin(), args.end(), [](const ScalarArgument &s) { return s.kind == ValueKind::SymBool; });
  setScalar(c, 0, truth ? ValueKind::SymBool : ValueKind::SymInt);
}

void inferNeg(InferContext &c) {
  expectNumbers(c, 1);
  const auto args = scalarArguments(c);
  if (args.size() != 1 || anyUnknown(args))
    return;
  if (!allWhole(args))
    return setScalar(c, 0, ValueKind::SymFloat);
  setScalar(c, 0, ValueKind::SymInt, args[0].whole.known() ? c.dims().negate(args[0].whole) : Dim());
}

void inferAbs(InferContext &c) {
  expectNumbers(c, 1);
  const auto args = scalarArguments(c);
  if (args.size() != 1 || anyUnknown(args))
    return;
  if (!allWhole(args))
    return setScalar(c, 0, ValueKind::SymFloat);
  const Dim v = args[0].whole;
  setScalar(c, 0, ValueKind::SymInt, v.known() ? c.dims().max(v, c.dims().negate(v)) : Dim());
}

void inferFloat(InferContext &c) { setScalar(c, 0, ValueKind::SymFloat); }

/// `math.trunc`, `math.floor`, `torch.sym_int`: an int; of an int, the same one.
void inferToInt(InferContext &c) {
  const auto args = scalarArguments(c);
  setScalar(c, 0, ValueKind::SymInt, args.size() == 1 && allWhole(args) ? args[0].whole : Dim());
}

/// `round(x)` is an int, `round(x, digits)` as x is.
void inferRound(InferContext &c) {
  const auto args = scalarArguments(c);
  if (args.empty())
    return;
  if (args.size() == 1 || args[0].kind == ValueKind::SymInt)
    return setScalar(c, 0, ValueKind::SymInt, args.size() == 1 && allWhole(args) ? args[0].whole : Dim());
  setScalar(c, 0, ValueKind::SymFloat);
}

void inferNot(InferContext &c) {
  const auto args = scalarArguments(c);
  setScalar(c, 0, ValueKind::SymBool, args.size() == 1 ? isNot(c.dims(), args[0].whole) : Dim());
}

/// `sym_ite(condition, a, b)`.
void inferIte(InferContext &c) {
  const auto args = scalarArguments(c);
  if (args.size() != 3 || args[1].kind != args[2].kind || args[1].kind == ValueKind::Unknown)
    return;
  Dim whole;
  if (const auto condition = c.dims().asConstant(args[0].whole))
    whole = *condition != 0 ? args[1].whole : args[2].whole;
  else if (args[1].whole == args[2].whole)
    whole = args[1].whole;
  setScalar(c, 0, args[1].kind, whole);
}

constexpr OpTrait shapeQuery = OpTrait::Trivial;
constexpr OpRow rows[] = {
    {"sym_size", inferSymSize, executeSymSize, "aten.sym_size aten.size", "", shapeQuery},
    {"sym_stride", inferSymStride, executeSymSize, "aten.sym_stride aten.stride", "", shapeQuery},
    {"sym_numel", inferSymNumel, executeSymNumel, "aten.sym_numel aten.numel", "", shapeQuery},
    {"sym_storage_offset", inferSymStorageOffset, executeSymStorageOffset,
     "aten.sym_storage_offset aten.storage_offset", "", shapeQuery},
    {"dim", inferDim, executeDim, "aten.dim", "", shapeQuery},

    {"item", inferItem, executeItem, "aten.item aten._local_scalar_dense", "", OpTrait::HostSync},
    {"is_nonzero", inferBool, executeIsNonzero, "aten.is_nonzero aten.equal aten.allclose", "", OpTrait::HostSync},
    {"type_query", inferBool, executeTypeQuery,
     "aten.is_floating_point aten.is_complex aten.is_signed aten.is_same_size", "", shapeQuery},
    {"assert_metadata", inferAssertMetadata, executeAssert, "aten._assert_tensor_metadata", ""},
    {"assert", inferNothing, executeAssert,
     "aten._assert_scalar aten._assert_async aten._functional_assert_scalar "
     "aten._functional_assert_async aten.sym_constrain_range aten.sym_constrain_range_for_size torch._check "
     "torch._check_is_size torch._constrain_as_size",
     ""},

    {"scalar_add", arithmetic<add>, executeScalarArithmetic, "_operator.add", ""},
    {"scalar_sub", arithmetic<sub>, executeScalarArithmetic, "_operator.sub", ""},
    {"scalar_mul", arithmetic<mul>, executeScalarArithmetic, "_operator.mul", ""},
    {"scalar_floordiv", arithmetic<floorDiv>, executeScalarArithmetic, "_operator.floordiv", ""},
    {"scalar_mod", arithmetic<mod>, executeScalarArithmetic, "_operator.mod", ""},
    {"scalar_pow", arithmetic<power>, executeScalarArithmetic, "_operator.pow math.pow", ""},
    {"scalar_shift", arithmetic<nothing>, executeScalarArithmetic, "_operator.lshift _operator.rshift", ""},
    {"scalar_min", arithmetic<minimum>, executeScalarArithmetic, "torch.sym_min builtins.min", ""},
    {"scalar_max", arithmetic<maximum>, executeScalarArithmetic, "torch.sym_max builtins.max", ""},
    {"scalar_sum", arithmetic<add>, executeScalarArithmetic, "torch.sym_sum", ""},
    {"scalar_truediv", inferFloat, executeScalarTrueDivide, "_operator.truediv torch.sym_float builtins.float", ""},
    {"scalar_neg", inferNeg, executeScalarUnary, "_operator.neg", ""},
    {"scalar_pos", inferToInt, executeScalarUnary, "_operator.pos _operator.index", ""},
    {"scalar_abs", inferAbs, executeScalarUnary, "_operator.abs builtins.abs", ""},
    {"scalar_eq", comparison<foldEqual, isEqual>, executeScalarComparison, "_operator.eq", ""},
    {"scalar_ne", comparison<notEqual, isUnequal>, executeScalarComparison, "_operator.ne", ""},
    {"scalar_lt", comparison<foldLess, isLess>, executeScalarComparison, "_operator.lt", ""},
    {"scalar_gt", comparison<greater, isGreater>, executeScalarComparison, "_operator.gt", ""},
    {"scalar_le", comparison<lessEqual, isLessOrEqual>, executeScalarComparison, "_operator.le", ""},
    {"scalar_ge", comparison<greaterEqual, isGreaterOrEqual>, executeScalarComparison, "_operator.ge", ""},
    {"scalar_bitwise", inferBitwise, executeScalarLogic, "_operator.and_ _operator.or_ _operator.xor", ""},
    {"scalar_not", inferNot, executeScalarLogic, "_operator.not_ torch.sym_not", ""},
    {"scalar_ite", inferIte, executeScalarLogic, "torch.sym_ite", ""},
    {"scalar_to_int", inferToInt, executeScalarUnary, "math.trunc math.floor math.ceil torch.sym_int builtins.int", ""},
    {"scalar_round", inferRound, executeScalarUnary, "builtins.round _operator.round", ""},
    {"scalar_math", inferFloat, executeScalarMath,
     "math.sqrt math.sin math.cos math.tan math.sinh math.cosh math.tanh math.asin math.acos math.atan math.exp "
     "math.log math.log2 torch._sym_sqrt torch._sym_sin torch._sym_cos torch._sym_tan torch._sym_sinh torch._sym_cosh "
     "torch._sym_tanh torch._sym_asin torch._sym_acos torch._sym_atan torch._sym_exp torch._sym_log torch._sym_log2",
     ""},
};

} // namespace

OpFamily symbolicScalarFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
