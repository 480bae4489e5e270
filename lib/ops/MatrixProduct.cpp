//===- MatrixProduct.cpp - Matrix products --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/MatrixProduct.h"
#include "AtenEffects.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include "kernels/Contrib.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace condlint {

namespace {

/// Torch multiplies matrices of one element type only.
DType sharedType(InferContext &c, const Type &a, const Type &b) {
  if (a.element != DType::Unknown && b.element != DType::Unknown && a.element != b.element)
    c.reject(std::string(c.opName()) + ": the operands are " + std::string(dtypeName(a.element)) + " and " +
             std::string(dtypeName(b.element)));
  return a.element != DType::Unknown ? a.element : b.element;
}

/// The sizes of numpy's matmul; nothing when a rank is not known or 0.
std::optional<std::vector<Dim>> productShape(InferContext &c, const Type &a, const Type &b) {
  if (!a.hasRank || !b.hasRank)
    return std::nullopt;
  if (a.dims.empty() || b.dims.empty()) {
    c.reject(std::string(c.opName()) + ": a 0-dim tensor is no matrix");
    return std::nullopt;
  }
  const Dim inner = b.dims.size() == 1 ? b.dims[0] : b.dims[b.dims.size() - 2];
  expectEqual(c, a.dims.back(), inner, "the inner sizes");
  const auto batch = [](const Type &t) { return t.dims.first(t.dims.size() < 2 ? 0 : t.dims.size() - 2); };
  Shape shape = broadcast(c.dims(), batch(a), batch(b));
  if (shape.mismatch)
    c.reject(std::string(c.opName()) + ": the sizes before the matrices do not broadcast: " +
             spellDims(c.dims(), a.dims) + " and " + spellDims(c.dims(), b.dims));
  if (a.dims.size() >= 2)
    shape.dims.push_back(a.dims[a.dims.size() - 2]);
  if (b.dims.size() >= 2)
    shape.dims.push_back(b.dims.back());
  return shape.dims;
}

void inferMatMulOf(InferContext &c, const Type &a, const Type &b, DType element) {
  const auto shape = productShape(c, a, b);
  if (!shape)
    return setFresh(c, 0, element, a);
  OwnedType t = freshTensor(c, element, *shape, a);
  // A small operand before a large one is folded into it, which transposes.
  if (c.isTorch() && a.dims.size() < b.dims.size() && b.dims.size() >= 3)
    t.dropStrides();
  setFresh(c, 0, t);
}

void inferMatMul(InferContext &c) {
  if (c.isOnnx())
    return inferMatMulOf(c, c.type(0), c.type(1), sameType(c, {0, 1}));
  const Type &a = c.argType("self"), &b = c.argType("other");
  inferMatMulOf(c, a, b, sharedType(c, a, b));
}

void inferMatMulInteger(InferContext &c) { inferMatMulOf(c, c.type(0), c.type(1), DType::Int32); }
/// (a, its scale, its zero point, b, its scale, its zero point, the result's scale and zero point)
void inferQLinearMatMul(InferContext &c) { inferMatMulOf(c, c.type(0), c.type(3), c.type(7).element); }

/// mm and bmm: the ranks are fixed.
void inferMm(InferContext &c) {
  const bool batched = c.opName() == "bmm";
  const Type &a = c.argType("self"), &b = c.argType("mat2");
  DType element = c.opName() == "_int_mm" ? DType::Int32 : sharedType(c, a, b);
  if (const auto out = c.dtypeAttr("out_dtype"))
    element = *out;
  const std::size_t rank = batched ? 3 : 2;
  // Also of matrices of which nothing is known: others it refuses.
  if ((a.hasRank && !expectRank(c, a, {rank}, "first matrix")) ||
      (b.hasRank && !expectRank(c, b, {rank}, "second matrix")))
    return setFresh(c, 0, element, a);
  const auto sizeOf = [&](const Type &t, std::size_t axis) { return t.hasRank ? t.dims[axis] : Dim(); };
  std::vector<Dim> shape;
  if (batched) {
    bool mismatch = false; // said below
    shape.push_back(unifyDim(c.dims(), sizeOf(a, 0), sizeOf(b, 0), mismatch));
    if (a.hasRank && b.hasRank)
      expectEqual(c, a.dims[0], b.dims[0], "the batch sizes");
  }
  if (a.hasRank && b.hasRank)
    expectEqual(c, a.dims[rank - 1], b.dims[rank - 2], "the inner sizes");
  shape.push_back(sizeOf(a, rank - 2));
  shape.push_back(sizeOf(b, rank - 1));
  setFresh(c, 0, element, shape, a);
}

/// transformers: rows of \c input, group by group, with the matrix of their group; \c offs says where each ends.
void inferGroupedMm(InferContext &c) {
  const Type &rows = c.argType("input"), &weight = c.argType("weight"), &ends = c.argType("offs");
  const DType element = sharedType(c, rows, weight);
  if ((rows.hasRank && !expectRank(c, rows, {2}, "input")) ||
      (weight.hasRank && !expectRank(c, weight, {3}, "weight")) || (ends.hasRank && !expectRank(c, ends, {1}, "offs")))
    return setFresh(c, 0, element, rows);
  if (rows.hasRank && weight.hasRank)
    expectEqual(c, rows.dims[1], weight.dims[1], "the inner sizes");
  const std::vector<Dim> shape{rows.hasRank ? rows.dims[0] : Dim(), weight.hasRank ? weight.dims[2] : Dim()};
  setFresh(c, 0, element, shape, rows);
}

/// torch's own: \c offs says where the groups end, of the rows of one matrix and several (2-D, 3-D), the columns of the
/// second (3-D, 2-D), or of what both are summed over (2-D, 2-D). Two 3-D operands have a group a matrix.
void inferAtenGroupedMm(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("mat2"), &ends = c.argType("offs");
  const DType element = sharedType(c, a, b);
  if (element != DType::Unknown && element != DType::Float32 && element != DType::BFloat16 && element != DType::Float16)
    c.reject("_grouped_mm: matrices of " + std::string(dtypeName(element)) + " are not multiplied");
  if (const auto out = c.dtypeAttr("out_dtype"); out && element != DType::Unknown && *out != element)
    c.reject("_grouped_mm: the result is " + std::string(dtypeName(element)) + ", as the matrices are");
  if ((a.hasRank && !expectRank(c, a, {2, 3}, "first matrix")) ||
      (b.hasRank && !expectRank(c, b, {2, 3}, "second matrix")) || (ends.hasRank && !expectRank(c, ends, {1}, "offs")))
    return setFresh(c, 0, element, a);
  if (ends.element != DType::Unknown && ends.element != DType::Int32)
    c.reject("_grouped_mm: offs is " + std::string(dtypeName(ends.element)) + ", and must be int32");
  if (!a.hasRank || !b.hasRank)
    return setFresh(c, 0, element, a);
  const bool several = a.dims.size() == 3, each = b.dims.size() == 3, grouped = !several || !each;
  const Attribute *offs = c.attribute("offs");
  if (grouped == (!offs || offs->kind == AttributeKind::None)) {
    c.reject(grouped ? "_grouped_mm: a 2-D matrix needs offs" : "_grouped_mm: two 3-D matrices take no offs");
    return setFresh(c, 0, element, a);
  }
  if (several || each)
    expectEqual(c, a.dims.back(), b.dims[b.dims.size() - 2], "the inner sizes");
  const Dim groups = !grouped ? b.dims[0] : ends.hasRank ? ends.dims[0] : Dim();
  if (several)
    expectEqual(c, a.dims[0], groups, "the numbers of groups");
  else if (each)
    expectEqual(c, b.dims[0], groups, "the numbers of groups");
  std::vector<Dim> shape{a.dims[a.dims.size() - 2], b.dims.back()};
  if (several == each)
    shape.insert(shape.begin(), groups);
  OwnedType t = freshTensor(c, element, shape, a);
  // Rows begin at multiples of 16 bytes, with a gap behind others.
  const std::int64_t row = element == DType::Float32 ? 4 : 8;
  if (!c.dims().isConstant(c.dims().mod(shape.back(), c.constant(row)), 0))
    t.dropStrides();
  setFresh(c, 0, t);
}

/// beta * self + alpha * (a @ b): (addmm, addmv, addr, addbmm, baddbmm)
void inferAddProduct(InferContext &c) {
  const std::string_view name = c.opName();
  const Type &added = c.argType("self");
  const Type *a = nullptr, *b = nullptr;
  for (const auto &[x, y] : {std::pair<std::string_view, std::string_view>{"mat1", "mat2"},
                             {"mat", "vec"},
                             {"vec1", "vec2"},
                             {"batch1", "batch2"}})
    if (c.hasAttribute(x)) {
      a = &c.argType(x);
      b = &c.argType(y);
    }
  if (!a || !b)
    return;
  const DType element = name.starts_with("addr") ? resultType(c, {"self", "vec1", "vec2"}) : sharedType(c, *a, *b);
  if (!a->hasRank || !b->hasRank) // it has as many dimensions all the same
    return setFresh(c, 0, element,
                    std::vector<Dim>(name.starts_with("addmv")  ? 1
                                     : name.starts_with("badd") ? 3
                                                                : 2),
                    *a);
  const std::size_t ra = a->dims.size(), rb = b->dims.size();
  std::vector<Dim> shape;
  if (name.starts_with("addr") && ra == 1 && rb == 1) {
    shape = {a->dims[0], b->dims[0]};
  } else if (name.starts_with("addmv") && ra == 2 && rb == 1) {
    expectEqual(c, a->dims[1], b->dims[0], "the inner sizes");
    shape = {a->dims[0]};
  } else if (ra == rb && (ra == 2 || ra == 3)) {
    expectEqual(c, a->dims[ra - 1], b->dims[rb - 2], "the inner sizes");
    shape = {a->dims[ra - 2], b->dims[rb - 1]};
    if (ra == 3) {
      expectEqual(c, a->dims[0], b->dims[0], "the batch sizes");
      if (!name.starts_with("addbmm"))
        shape.insert(shape.begin(), a->dims[0]);
    }
  } else {
    c.reject(std::string(name) + ": the operands have the ranks " + std::to_string(ra) + " and " + std::to_string(rb));
    return setFresh(c, 0, element, *a);
  }
  if (added.hasRank && !stretches(c.dims(), added.dims, shape))
    c.reject(std::string(name) + ": " + spellDims(c.dims(), added.dims) + " does not broadcast to " +
             spellDims(c.dims(), shape));
  OwnedType t = freshTensor(c, element, shape, *a);
  if (name.starts_with("addr") && isContiguous(c.dims(), added) != Tri::Yes)
    t.dropStrides(); // computed element by element, in the order of what is added
  setFresh(c, 0, t);
}

void inferLinear(InferContext &c) {
  const Type &a = c.argType("input"), &w = c.argType("weight");
  const DType element = sharedType(c, a, w);
  if (!a.hasRank || !w.hasRank || w.dims.empty() || w.dims.size() > 2)
    return setFresh(c, 0, element, a);
  if (a.dims.empty()) {
    c.reject("linear: a 0-dim tensor has no features");
    return;
  }
  expectEqual(c, a.dims.back(), w.dims.back(), "the features of the operand and of the weight");
  std::vector<Dim> shape = copyDims(a.dims.first(a.dims.size() - 1));
  if (w.dims.size() == 2)
    shape.push_back(w.dims[0]);
  const Type &bias = c.argType("bias");
  // A vector takes a bias with more axes, where these are of one element.
  const std::span<const Dim> last = bias.dims.last(std::min(bias.dims.size(), shape.size()));
  const bool fits = shape.size() > 1
                        ? stretches(c.dims(), bias.dims, shape)
                        : !broadcast(c.dims(), bias.dims, shape).mismatch && stretches(c.dims(), last, shape);
  if (bias.hasRank && !fits)
    c.reject("linear: the bias " + spellDims(c.dims(), bias.dims) + " does not broadcast to " +
             spellDims(c.dims(), shape));
  setFresh(c, 0, element, shape, a);
}

void inferDot(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType(c.hasAttribute("tensor") ? "tensor" : "other");
  if (expectRank(c, a, {1}, "first vector") && expectRank(c, b, {1}, "second vector"))
    expectEqual(c, a.dims[0], b.dims[0], "the sizes");
  setFresh(c, 0, sharedType(c, a, b), std::vector<Dim>{}, a);
}

void inferMv(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("vec");
  const DType element = sharedType(c, a, b);
  if (a.hasRank && !expectRank(c, a, {2}, "matrix"))
    return setFresh(c, 0, element, a);
  if (expectRank(c, b, {1}, "vector") && a.hasRank)
    expectEqual(c, a.dims[1], b.dims[0], "the inner sizes");
  setFresh(c, 0, element, {a.hasRank ? a.dims[0] : Dim()}, a);
}

void inferOuter(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("vec2");
  const DType element = resultType(c, {"self", "vec2"});
  if (!expectRank(c, a, {1}, "first vector") || !expectRank(c, b, {1}, "second vector"))
    return setFresh(c, 0, element, a);
  setFresh(c, 0, element, {a.dims[0], b.dims[0]}, a);
}

void inferInner(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("other");
  if (!a.hasRank || !b.hasRank)
    return setFresh(c, 0, DType::Unknown, a);
  if (a.dims.empty() || b.dims.empty()) // a product like any other
    return setElementwise(c, resultType(c, {"self", "other"}));
  const DType element = sharedType(c, a, b);
  expectEqual(c, a.dims.back(), b.dims.back(), "the last sizes");
  std::vector<Dim> shape = copyDims(a.dims.first(a.dims.size() - 1));
  shape.insert(shape.end(), b.dims.begin(), b.dims.end() - 1);
  setFresh(c, 0, element, shape, a);
}

void inferTensordot(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("other");
  const DType element = sharedType(c, a, b);
  const auto da = c.intsAttr("dims_self"), db = c.intsAttr("dims_other");
  if (!a.hasRank || !b.hasRank || !da || !db || da->size() != db->size())
    return setFresh(c, 0, element, a);
  const auto ma = axisMask(*da, a.dims.size()), mb = axisMask(*db, b.dims.size());
  if (!ma || !mb)
    return setFresh(c, 0, element, a);
  std::vector<Dim> shape = reducedShape(c.dims(), a.dims, *ma, false);
  const std::vector<Dim> right = reducedShape(c.dims(), b.dims, *mb, false);
  shape.insert(shape.end(), right.begin(), right.end());
  OwnedType t = freshTensor(c, element, shape, a);
  t.dropStrides();
  setFresh(c, 0, t);
}

void inferKron(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("other");
  const DType element = resultType(c, {"self", "other"});
  if (!a.hasRank || !b.hasRank)
    return setFresh(c, 0, element, a);
  std::vector<Dim> shape(std::max(a.dims.size(), b.dims.size()), c.constant(1));
  for (const Type *t : {&a, &b})
    for (std::size_t i = 0; i < t->dims.size(); ++i) {
      Dim &d = shape[shape.size() - 1 - i];
      d = c.dims().mul(d, t->dims[t->dims.size() - 1 - i]);
    }
  // A product of views that is put together: copied where it cannot be a view.
  const bool rows = isContiguous(c.dims(), a) == Tri::Yes && isContiguous(c.dims(), b) == Tri::Yes;
  setFresh(c, 0, rows ? freshTensor(c, element, shape, a) : looseTensor(c, element, shape, a));
}

// --- Gemm ------------------------------------------------------------------------
void inferGemm(InferContext &c) {
  const DType element = sameType(c, {0, 1});
  const Type &a = c.type(0), &b = c.type(1);
  const bool ta = c.intAttr("transA", 0) != 0, tb = c.intAttr("transB", 0) != 0;
  const bool ka = expectRank(c, a, {2}, "first matrix"), kb = expectRank(c, b, {2}, "second matrix");
  if (ka && kb)
    expectEqual(c, a.dims[ta ? 0 : 1], b.dims[tb ? 1 : 0], "the inner sizes");
  c.setResult(0, c.tensor(element, {ka ? a.dims[ta ? 1 : 0] : Dim(), kb ? b.dims[tb ? 0 : 1] : Dim()}));
  // Up to version 6 an attribute said whether C is stretched.
  if (ka && kb && (c.version() == 0 || c.version() >= 7))
    expectStretches(c, 2, c.tensor(element, {a.dims[ta ? 1 : 0], b.dims[tb ? 0 : 1]}));
}

// --- einsum ----------------------------------------------------------------------
/// The terms of an equation: letters, and '.' for an ellipsis.
struct Equation {
  std::vector<std::string> inputs;
  std::optional<std::string> output;
};

std::optional<Equation> parseEquation(std::string_view text) {
  Equation e;
  std::string term;
  bool output = false;
  const auto finish = [&] {
    if (output)
      e.output = term;
    else
      e.inputs.push_back(term);
    term.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char ch = text[i];
    if (ch == ' ')
      continue;
    if (ch == ',' && !output) {
      finish();
    } else if (ch == '-' && i + 1 < text.size() && text[i + 1] == '>' && !output) {
      finish();
      output = true;
      ++i;
    } else if (ch == '.') {
      if (text.substr(i, 3) != "..." || term.find('.') != std::string::npos)
        return std::nullopt;
      term += '.';
      i += 2;
    } else if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')) {
      term += ch;
    } else {
      return std::nullopt;
    }
    if (term.size() > 128)
      return std::nullopt;
  }
  finish();
  return e;
}

/// What is no part of the operands' terms, which onnx's inference refuses; what it takes for an ellipsis is its own.
std::optional<char> noLetter(std::string_view terms) {
  for (const char ch : terms)
    if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == ' ' || ch == ',' || ch == '.'))
      return ch;
  return std::nullopt;
}

/// There are dots in the terms of the operands that are no ellipsis: fewer than three, more, or further ones.
bool hasLooseDots(std::string_view terms) {
  std::size_t run = 0, ellipses = 0;
  const auto ends = [&] { return run != 0 && (run != 3 || ++ellipses > 1); };
  for (const char ch : terms) {
    if (ch == ' ')
      continue;
    if (ch != '.' && ends())
      return true;
    run = ch == '.' ? run + 1 : 0;
    ellipses = ch == ',' ? 0 : ellipses;
  }
  return ends();
}

/// What the letters of an einsum stand for.
struct EinsumSizes {
  std::array<Dim, 128> letters{};
  std::array<unsigned, 128> uses{};
  std::vector<Dim> ellipsis;
};

/// Adds what one operand says of the letters of \p term; false where nobody can tell.
bool addTerm(InferContext &c, EinsumSizes &sizes, const std::string &term, ValueId operand) {
  if (!operand)
    return false;
  const Type &t = c.typeOf(operand);
  const bool dots = term.find('.') != std::string::npos;
  for (char ch : term)
    if (ch != '.')
      ++sizes.uses[static_cast<std::size_t>(ch)];
  if (!t.hasRank)
    return !dots;
  const std::size_t letters = term.size() - (dots ? 1 : 0);
  if (t.dims.size() < letters || (!dots && t.dims.size() != letters)) {
    c.reject(std::string(c.opName()) + ": the term \"" + term + "\" does not fit an operand of rank " +
             std::to_string(t.dims.size()));
    return false;
  }
  std::size_t axis = 0;
  std::array<Dim, 128> diagonal{};
  for (char ch : term) {
    if (ch == '.') {
      const std::size_t more = t.dims.size() - letters;
      sizes.ellipsis = broadcast(c.dims(), sizes.ellipsis, t.dims.subspan(axis, more)).dims;
      axis += more;
      continue;
    }
    Dim &size = sizes.letters[static_cast<std::size_t>(ch)];
    const Dim here = t.dims[axis++];
    // A diagonal stretches nothing: the axes of one operand that a letter names are as long as each other.
    Dim &own = diagonal[static_cast<std::size_t>(ch)];
    if (own.known() && neverEqual(c.dims(), own, here)) {
      c.reject(fmt::format("{}: the letter '{}' names axes of one operand that are {} and {} long", c.opName(), ch,
                           c.dims().str(own), c.dims().str(here)),
               std::nullopt, FaultKind::Letter);
      return false;
    }
    own = here;
    bool mismatch = false;
    if (!size.known())
      size = here;
    else if (here.known()) // torch and numpy stretch a size of 1
      size = broadcastDim(c.dims(), size, here, mismatch);
    if (mismatch)
      c.reject(std::string(c.opName()) + ": the letter '" + std::string(1, ch) + "' stands for different sizes",
               std::nullopt, FaultKind::Letter);
  }
  return true;
}

/// The term of the result where the equation has none: what occurs once, in
/// alphabetical order, after an ellipsis.
std::string impliedOutput(const Equation &equation, const EinsumSizes &sizes) {
  std::string output;
  if (std::ranges::any_of(equation.inputs, [](const std::string &t) { return t.find('.') != std::string::npos; }))
    output += '.';
  for (std::size_t ch = 0; ch < sizes.uses.size(); ++ch)
    if (sizes.uses[ch] == 1)
      output += static_cast<char>(ch);
  return output;
}

/// The sizes of the result; nothing where a letter of \p output stands in no operand.
std::optional<std::vector<Dim>> einsumShape(InferContext &c, const EinsumSizes &sizes, const std::string &output) {
  std::vector<Dim> shape;
  for (char ch : output) {
    if (ch == '.') {
      shape.insert(shape.end(), sizes.ellipsis.begin(), sizes.ellipsis.end());
      continue;
    }
    if (sizes.uses[static_cast<std::size_t>(ch)] == 0) {
      c.reject(std::string(c.opName()) + ": the letter '" + std::string(1, ch) + "' is in no operand");
      return std::nullopt;
    }
    shape.push_back(sizes.letters[static_cast<std::size_t>(ch)]);
  }
  return shape;
}

/// What torch's einsum makes of integers and bools: a letter that only one operand spreads over is summed before the
/// products, as `sum` does it.
DType summedElement(InferContext &c, const Equation &equation, const EinsumSizes &sizes,
                    std::span<const ValueId> values, DType element) {
  if (!isIntegral(element) && element != DType::Bool)
    return element;
  const std::string output = equation.output.value_or(impliedOutput(equation, sizes));
  bool isOpen = output.find('.') == std::string::npos &&
                std::ranges::any_of(equation.inputs, [](const std::string &t) { return t.find('.') != t.npos; });
  for (std::size_t ch = 0; ch < sizes.uses.size(); ++ch) {
    if (sizes.uses[ch] == 0 || output.find(static_cast<char>(ch)) != std::string::npos)
      continue;
    if (values.size() == 1)
      return DType::Int64;
    std::size_t spread = 0;
    bool isKnown = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::string &term = equation.inputs[k];
      const std::size_t at = term.find(static_cast<char>(ch));
      if (at == std::string::npos)
        continue;
      const Type &t = c.typeOf(values[k]);
      const std::size_t dots = term.find('.'); // letters behind an ellipsis count from the end
      const std::size_t axis = dots < at ? t.dims.size() - (term.size() - at) : at;
      const auto size = t.hasRank ? c.dims().asConstant(t.dims[axis]) : std::nullopt;
      isKnown = isKnown && size;
      spread += size != 1 ? 1U : 0U;
    }
    if (isKnown && spread == 1)
      return DType::Int64;
    isOpen = isOpen || (!isKnown && spread > 0);
  }
  return isOpen ? DType::Unknown : element;
}

void inferEinsum(InferContext &c) {
  std::vector<ValueId> values;
  if (c.isTorch())
    values = c.argList("tensors");
  else
    for (std::size_t i = 0; i < c.operandCount(); ++i)
      values.push_back(c.operand(i));
  if (values.empty())
    return;
  const Type first = c.typeOf(values.front());
  DType element = first.element;
  for (ValueId v : values)
    if (v && element == DType::Unknown)
      element = c.typeOf(v).element;
  const auto giveUp = [&] {
    OwnedType t = freshTensor(c, element, first);
    t.type.storageOffset = Dim();
    setFresh(c, 0, t);
  };
  const std::string_view text = c.stringAttr("equation");
  if (const auto bad = c.isOnnx() ? noLetter(text.substr(0, text.find("->"))) : std::nullopt) {
    c.reject(fmt::format("Einsum: there is '{}' in the terms of the operands, '{}'", *bad, text));
    return giveUp();
  }
  if (c.isOnnx() && hasLooseDots(text.substr(0, text.find("->")))) {
    // onnx's inference goes over them forever, and with it whatever loads the model.
    c.reject(fmt::format("Einsum: there are dots in the terms of the operands, '{}', that are no ellipsis", text));
    return giveUp();
  }
  const auto equation = text.empty() ? std::nullopt : parseEquation(text); // empty: set to what is not known
  if (!equation || equation->inputs.size() != values.size()) {
    if (c.hasAttribute("equation") && equation)
      c.reject("Einsum: the equation has " + std::to_string(equation->inputs.size()) + " terms, not " +
               std::to_string(values.size()));
    return giveUp();
  }
  EinsumSizes sizes;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!addTerm(c, sizes, equation->inputs[k], values[k]))
      return giveUp();
  const auto shape = einsumShape(c, sizes, equation->output.value_or(impliedOutput(*equation, sizes)));
  if (!shape)
    return giveUp();
  if (c.isTorch())
    element = summedElement(c, *equation, sizes, values, element);
  OwnedType t = freshTensor(c, element, *shape, first);
  t.dropStrides(); // the order of the products decides
  t.type.storageOffset = values.size() == 1 ? Dim() : t.type.storageOffset;
  setFresh(c, 0, t);
}

constexpr OpRow rows[] = {
    {"matmul", inferMatMul, executeMatMul, "aten.matmul aten.linalg_matmul aten.__matmul__", "MatMul",
     OpTrait::Typewise},
    {"matmul_integer", inferMatMulInteger, executeMatMulInteger, "", "MatMulInteger"},
    {"qlinear_matmul", inferQLinearMatMul, executeQLinearMatMul, "", "QLinearMatMul"},
    {"mm", inferMm, executeMm, "aten.mm aten.bmm aten._int_mm", ""},
    {"addmm", inferAddProduct, executeAddmm,
     "aten.addmm aten.addmm_ aten.addmv aten.addmv_ aten.addr aten.addr_ aten.addbmm aten.addbmm_ aten.baddbmm "
     "aten.baddbmm_ aten._addmm_activation",
     ""},
    {"grouped_mm", inferGroupedMm, executeGroupedMm, "transformers.grouped_mm_fallback", ""},
    {"_grouped_mm", inferAtenGroupedMm, executeAtenGroupedMm, "aten._grouped_mm", ""},
    {"linear", inferLinear, executeLinear, "aten.linear", ""},
    {"dot", inferDot, executeDot, "aten.dot aten.vdot", ""},
    {"mv", inferMv, executeMv, "aten.mv", ""},
    {"outer", inferOuter, executeOuter, "aten.outer aten.ger", ""},
    {"inner", inferInner, executeInner, "aten.inner", ""},
    {"tensordot", inferTensordot, executeTensordot, "aten.tensordot", ""},
    {"kron", inferKron, executeKron, "aten.kron", ""},
    {"gemm", inferGemm, executeGemm, "", "Gemm"},
    {"fused_gemm", inferGemm, executeFusedGemm, "", "com.microsoft::FusedGemm"},
    {"einsum", inferEinsum, executeEinsum, "aten.einsum", "Einsum", OpTrait::None, refineEinsum, "addEinsum"},
};

} // namespace

OpFamily matrixProductFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
