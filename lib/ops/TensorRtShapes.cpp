//===- TensorRtShapes.cpp - TensorRT's layers that take shapes apart ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's layers that take shapes apart and put them together.
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "OpTable.h"
#include "Shape.h"
#include "TensorRt.h"
#include "condlint/SourceGraph.h"
#include "graph/TypeWords.h"
#include <algorithm>

namespace condlint {

namespace {

bool sameNumbers(InferContext &c) {
  const auto content = c.content(0);
  if (content)
    c.setContent(0, *content);
  return content.has_value();
}

/// The \p axis of a tensor of the rank \p rank is one that it does not have.
void rejectAxis(InferContext &c, const std::string &what, std::int64_t axis, std::size_t rank,
                std::size_t operand = 0) {
  c.reject(what + " is " + std::to_string(axis) + ", and the tensor has " +
               (rank == 1 ? "one axis" : std::to_string(rank) + " axes"),
           operand);
}

/// The order of axes in \p name, if it is one. Of those that the tensor has: what is given behind them says nothing.
std::optional<std::vector<std::size_t>> permutation(InferContext &c, std::string_view name, std::size_t rank) {
  std::vector<std::size_t> order;
  const auto given = c.intsAttr(name);
  if (!given || given->size() < rank)
    return std::nullopt;
  std::vector<bool> seen(rank, false);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t axis = (*given)[i];
    if (axis < 0 || static_cast<std::size_t>(axis) >= rank || seen[static_cast<std::size_t>(axis)]) {
      std::string wrong;
      for (std::size_t k = 0; k < rank; ++k)
        wrong += (k == 0 ? "" : ", ") + std::to_string((*given)[k]);
      c.reject("{" + wrong + "} is no order of the " + std::to_string(rank) + " axes of the tensor");
      return std::nullopt;
    }
    seen[static_cast<std::size_t>(axis)] = true;
    order.push_back(static_cast<std::size_t>(axis));
  }
  return order;
}

/// Permutes \p shape as the attribute says; unknown sizes where it does not say.
void transpose(InferContext &c, std::string_view name, std::vector<Dim> &shape) {
  if (!c.hasAttribute(name))
    return;
  const auto order = permutation(c, name, shape.size());
  std::vector<Dim> out(shape.size());
  for (std::size_t i = 0; order && i < shape.size(); ++i)
    out[i] = shape[(*order)[i]];
  shape = std::move(out);
}

/// Transpose, reshape, transpose; nothing that is not set.
void inferShuffle(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  std::optional<std::vector<Dim>> shape;
  if (t.hasRank) {
    shape = sizesOf(t);
    transpose(c, "firstTranspose", *shape);
  }
  Type from = t;
  const std::vector<Dim> before = shape.value_or(std::vector<Dim>()); // `from` refers to it
  from.dims = before;
  const bool zeroCopies = !c.hasAttribute("zeroIsPlaceholder") || c.intAttr("zeroIsPlaceholder", 1) != 0;
  std::optional<std::vector<Dim>> target;
  if (c.has(1)) {
    const Type &sizes = c.type(1);
    if (const auto content = c.content(1))
      target.emplace(content->begin(), content->end());
    else if (const auto n = sizes.hasRank && sizes.dims.size() == 1 ? c.dims().asConstant(sizes.dims[0]) : std::nullopt;
             n && *n >= 0 && *n <= 8)
      target.emplace(static_cast<std::size_t>(*n));
    shape.reset();
  } else if (c.hasAttribute("reshapeDimensions")) {
    target = c.dimsArg("reshapeDimensions");
    shape.reset();
  }
  const bool moved = c.hasAttribute("firstTranspose") || c.hasAttribute("secondTranspose");
  if (target)
    shape = reshapeSizes(c, from, *target, zeroCopies);
  if (!shape)
    return setLayer(c, 0, t.element);
  transpose(c, "secondTranspose", *shape);
  setLayer(c, 0, t.element, std::move(*shape));
  if (!moved)
    sameNumbers(c);
}

/// With axes that are known, a rank that follows; numbers stay in their order.
void changeAxes(InferContext &c, bool insert) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto axes = c.content(1);
  if (!t.hasRank || !axes)
    return setLayer(c, 0, t.element);
  std::vector<Dim> shape = sizesOf(t);
  const std::size_t rank = insert ? shape.size() + axes->size() : shape.size();
  std::vector<bool> mask(rank, false);
  for (Dim d : *axes) {
    const auto axis = c.dims().asConstant(d);
    const auto at = axis ? normalizeAxis(*axis, rank) : std::nullopt;
    if (axis && !at)
      rejectAxis(c, insert ? "an axis of the result" : "an axis", *axis, rank, 1);
    else if (at && mask[*at])
      c.reject("the axis " + std::to_string(*axis) + " is given twice", 1);
    if (!at || mask[*at])
      return setLayer(c, 0, t.element);
    mask[*at] = true;
  }
  std::vector<Dim> out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (insert)
      out.push_back(mask[i] ? c.constant(1) : shape[next++]);
    else if (!mask[i])
      out.push_back(shape[i]);
  }
  setLayer(c, 0, t.element, std::move(out));
  sameNumbers(c);
}
void inferSqueeze(InferContext &c) { changeAxes(c, false); }
void inferUnsqueeze(InferContext &c) { changeAxes(c, true); }

void inferConcatenation(InferContext &c) {
  if (!c.has(0))
    return;
  DType element = DType::Unknown;
  bool mixed = false;
  std::optional<std::size_t> rank;
  bool complete = !c.hasAttribute(attr::inputsUnknown.name);
  for (std::size_t i = 0; i < c.operandCount(); ++i) {
    const Type &t = c.type(i);
    mixed = mixed || (t.element != DType::Unknown && element != DType::Unknown && t.element != element);
    if (element == DType::Unknown || mixed)
      element = mixed ? DType::Unknown : t.element;
    complete = complete && t.hasRank;
    if (t.hasRank && !rank)
      rank = t.dims.size();
    if (t.hasRank && rank && *rank != t.dims.size()) {
      c.reject("the ranks differ: " + spellDims(c.dims(), c.type(0).dims) + " and " + spellDims(c.dims(), t.dims), i);
      return setLayer(c, 0, element);
    }
  }
  if (!rank || *rank == 0)
    return setLayer(c, 0, element);
  const std::int64_t defaultAxis = *rank >= 3 ? static_cast<std::int64_t>(*rank) - 3 : 0;
  const auto axis = c.hasAttribute("axis") ? c.intAttr("axis") : std::optional(defaultAxis);
  std::vector<Dim> shape(*rank);
  if (axis && *axis >= static_cast<std::int64_t>(*rank))
    rejectAxis(c, "the axis of concatenation", *axis, *rank);
  if (!axis || *axis < 0 || static_cast<std::size_t>(*axis) >= *rank || !complete)
    return setLayer(c, 0, element, std::move(shape));
  for (std::size_t a = 0; a < *rank; ++a) {
    shape[a] = c.type(0).dims[a];
    for (std::size_t i = 1; i < c.operandCount(); ++i) {
      const Dim d = c.type(i).dims[a];
      if (a == static_cast<std::size_t>(*axis)) {
        shape[a] = c.dims().add(shape[a], d);
        continue;
      }
      bool mismatch = false;
      const Dim both = unifyDim(c.dims(), shape[a], d, mismatch);
      if (mismatch) {
        c.reject("the sizes of axis " + std::to_string(a) + " do not agree: " + c.dims().str(shape[a]) + " and " +
                     c.dims().str(d),
                 i);
        return setLayer(c, 0, element);
      }
      shape[a] = both;
    }
  }
  setLayer(c, 0, element, std::move(shape));
  std::vector<Dim> numbers;
  for (std::size_t i = 0; *rank == 1 && i < c.operandCount(); ++i) {
    const auto content = c.content(i);
    if (!content)
      return;
    numbers.insert(numbers.end(), content->begin(), content->end());
  }
  if (!numbers.empty())
    c.setContent(0, numbers);
}

/// Inputs 1 to 3 replace start, size and stride; \p axes (or input 5) says of
/// which axes, all when absent.
void inferSlice(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto given = [&](std::size_t input, std::string_view name) -> std::optional<std::vector<Dim>> {
    if (!c.has(input))
      return c.dimsArg(name);
    const auto content = c.content(input);
    return content ? std::optional(std::vector<Dim>(content->begin(), content->end())) : std::nullopt;
  };
  const auto size = given(2, "size");
  const bool someAxes = c.has(5) || c.hasAttribute("axes");
  // Each says as much as there are axes that are sliced.
  const auto chosen = someAxes ? given(5, "axes") : std::nullopt;
  for (const auto &[input, name] : {std::pair(1, "start"), std::pair(2, "size"), std::pair(3, "stride")}) {
    const auto numbers =
        (someAxes ? chosen.has_value() : t.hasRank) ? given(static_cast<std::size_t>(input), name) : std::nullopt;
    if (const std::size_t axes = someAxes && chosen ? chosen->size() : t.dims.size();
        numbers && numbers->size() != axes) {
      c.reject("the " + std::string(name) + " of a slice is " + spellDims(c.dims(), *numbers) + ", and " +
               (axes == 1 ? "one axis is" : std::to_string(axes) + " axes are") + " sliced");
      break;
    }
  }
  std::vector<Dim> shape;
  if (someAxes) {
    if (!t.hasRank)
      return setLayer(c, 0, t.element);
    const auto axes = given(5, "axes");
    shape = sizesOf(t);
    if (!axes || !size || axes->size() != size->size())
      return setLayer(c, 0, t.element, std::vector<Dim>(shape.size()));
    for (std::size_t i = 0; i < axes->size(); ++i) {
      const auto axis = c.dims().asConstant((*axes)[i]);
      const auto at = axis ? normalizeAxis(*axis, shape.size()) : std::nullopt;
      if (axis && !at)
        rejectAxis(c, "an axis of a slice", *axis, shape.size());
      if (!at)
        return setLayer(c, 0, t.element, std::vector<Dim>(shape.size()));
      shape[*at] = (*size)[i];
    }
  } else if (size) {
    shape = *size;
  } else if (t.hasRank) {
    shape.resize(t.dims.size());
  } else {
    return setLayer(c, 0, t.element);
  }
  for (Dim &d : shape)
    if (d.known() && c.dims().boundsOf(d).min < 0)
      d = Dim();
  setLayer(c, 0, t.element, std::move(shape));
  // Numbers of a vector, taken one after the other.
  const auto content = c.content(0);
  const auto start = given(1, "start");
  const auto stride = given(3, "stride");
  if (!content || someAxes || !start || !stride || !size || start->size() != 1 || size->size() != 1 ||
      stride->size() != 1 || c.hasAttribute("mode"))
    return;
  const auto from = c.dims().asConstant((*start)[0]);
  const auto count = c.dims().asConstant((*size)[0]);
  const auto by = c.dims().asConstant((*stride)[0]);
  const auto length = static_cast<std::int64_t>(content->size());
  if (!from || !count || !by || *count < 0 || *count > length || *from < 0 || *from >= length || std::abs(*by) > length)
    return;
  std::vector<Dim> taken;
  for (std::int64_t i = 0; i < *count; ++i) {
    const std::int64_t at = *from + i * *by;
    if (at < 0 || at >= length)
      return;
    taken.push_back((*content)[static_cast<std::size_t>(at)]);
  }
  c.setContent(0, taken);
}

void inferReduce(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  const auto keep = c.intAttr("keepDimensions");
  if (!t.hasRank)
    return setLayer(c, 0, t.element);
  const auto mask = maskAttr(c, "reduceAxes", t.dims.size());
  if (keep && *keep != 0 && !mask)
    return setLayer(c, 0, t.element, std::vector<Dim>(t.dims.size()));
  if (!keep || !mask)
    return setLayer(c, 0, t.element);
  setLayer(c, 0, t.element, reducedShape(c.dims(), t.dims, *mask, *keep != 0));
}

void inferTopK(InferContext &c) {
  if (!c.has(0))
    return;
  const Type &t = c.type(0);
  if (!t.hasRank) {
    setLayer(c, 0, t.element);
    return setLayer(c, 1, indicesType(c));
  }
  std::vector<Dim> shape = sizesOf(t);
  Dim k = c.dimArg("k");
  if (c.has(1)) {
    const auto content = c.content(1);
    k = content && content->size() == 1 ? (*content)[0] : Dim();
  }
  const auto mask = maskAttr(c, "reduceAxes", shape.size());
  if (const auto bits = c.intAttr("reduceAxes"); bits && *bits >= 0)
    admitOneAxis(c, *bits, shape.size(), "the axis of a top-k");
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!mask)
      shape[i] = Dim();
    else if ((*mask)[i])
      shape[i] = k;
  setLayer(c, 0, t.element, shape);
  setLayer(c, 1, indicesType(c), std::move(shape));
}

void inferGather(InferContext &c) {
  if (!c.has(0) || !c.has(1))
    return;
  const Type &data = c.type(0);
  const Type &indices = c.type(1);
  const std::string_view mode = c.hasAttribute("mode") ? enumAttr(c, "mode") : "kDEFAULT";
  const auto batch =
      c.hasAttribute("nbElementWiseDims") ? c.intAttr("nbElementWiseDims") : std::optional<std::int64_t>(0);
  if (!indices.hasRank || mode.empty() || !batch || *batch < 0)
    return setLayer(c, 0, data.element);
  const auto nb = static_cast<std::size_t>(*batch);
  const auto gathered = c.hasAttribute("gatherAxis") ? c.intAttr("gatherAxis") : std::optional<std::int64_t>(0);
  if (data.hasRank && mode != "kND" && gathered && *gathered >= static_cast<std::int64_t>(data.dims.size()))
    rejectAxis(c, "the axis of a gather", *gathered, data.dims.size());
  if (mode == "kELEMENT") {
    if (data.hasRank && data.dims.size() != indices.dims.size())
      c.reject("the ranks of the data and the indices differ: " + spellDims(c.dims(), data.dims) + " and " +
                   spellDims(c.dims(), indices.dims),
               1);
    return setLayer(c, 0, data.element, sizesOf(indices));
  }
  if (!data.hasRank)
    return setLayer(c, 0, data.element);
  std::vector<Dim> shape;
  if (mode == "kND") {
    const auto depth = indices.dims.empty() ? std::nullopt : c.dims().asConstant(indices.dims.back());
    if (depth && *depth >= 0 && nb + static_cast<std::size_t>(*depth) > data.dims.size())
      c.reject("an index has " + std::to_string(*depth) + " numbers, and the data " + spellDims(c.dims(), data.dims) +
                   " has " + std::to_string(data.dims.size() - std::min(nb, data.dims.size())) + " axes for it",
               1);
    if (!depth || *depth < 1 || nb + static_cast<std::size_t>(*depth) > data.dims.size())
      return setLayer(c, 0, data.element);
    shape.assign(indices.dims.begin(), indices.dims.end() - 1);
    shape.insert(shape.end(), data.dims.begin() + static_cast<std::ptrdiff_t>(nb) + *depth, data.dims.end());
    return setLayer(c, 0, data.element, std::move(shape));
  }
  const auto axis = c.intAttr("gatherAxis");
  const std::size_t rank = data.dims.size() + indices.dims.size();
  if (!axis || *axis < 0 || static_cast<std::size_t>(*axis) >= data.dims.size() || nb > indices.dims.size()) {
    if (rank >= 1 + nb)
      return setLayer(c, 0, data.element, std::vector<Dim>(rank - 1 - nb));
    return setLayer(c, 0, data.element);
  }
  shape.assign(data.dims.begin(), data.dims.begin() + *axis);
  shape.insert(shape.end(), indices.dims.begin() + static_cast<std::ptrdiff_t>(nb), indices.dims.end());
  shape.insert(shape.end(), data.dims.begin() + *axis + 1, data.dims.end());
  setLayer(c, 0, data.element, std::move(shape));
  const auto numbers = c.content(0);
  const auto which = c.content(1);
  if (!numbers || !which || data.dims.size() != 1)
    return;
  std::vector<Dim> taken;
  for (Dim d : *which) {
    const auto i = c.dims().asConstant(d);
    const auto at = i ? normalizeAxis(*i, numbers->size()) : std::nullopt;
    taken.push_back(at ? (*numbers)[*at] : Dim());
  }
  c.setContent(0, taken);
}

/// The batch sizes, rows and columns of an operand of a product.
struct Matrix {
  std::vector<Dim> batch;
  std::optional<Dim> rows, columns; ///< of the first and the second operand's free axis; none for a vector
  Dim inner;
};

std::optional<Matrix> matrixOf(const Type &t, std::string_view op, bool first) {
  if (!t.hasRank || op.empty())
    return std::nullopt;
  const std::size_t axes = op == "kVECTOR" ? 1 : 2;
  if (t.dims.size() < axes)
    return std::nullopt;
  Matrix m;
  m.batch.assign(t.dims.begin(), t.dims.end() - static_cast<std::ptrdiff_t>(axes));
  if (axes == 1) {
    m.inner = t.dims.back();
    return m;
  }
  Dim rows = t.dims[t.dims.size() - 2];
  Dim columns = t.dims.back();
  if (op == "kTRANSPOSE")
    std::swap(rows, columns);
  m.inner = first ? columns : rows;
  (first ? m.rows : m.columns) = first ? rows : columns;
  return m;
}

void inferMatrixMultiply(InferContext &c) {
  if (!c.has(0) || !c.has(1))
    return;
  const Type &a = c.type(0);
  const Type &b = c.type(1);
  const DType element = commonElement(a, b);
  const auto x = matrixOf(a, enumAttr(c, "operation0"), true);
  const auto y = matrixOf(b, enumAttr(c, "operation1"), false);
  if (!x || !y)
    return setLayer(c, 0, element);
  if (x->batch.size() != y->batch.size()) {
    c.reject("the operands have " + std::to_string(x->batch.size()) + " and " + std::to_string(y->batch.size()) +
                 " axes before those of the product; TensorRT adds no axes",
             1);
    return setLayer(c, 0, element);
  }
  if (neverEqual(c.dims(), x->inner, y->inner)) {
    c.reject(c.dims().str(x->inner) + " columns of the first operand do not meet " + c.dims().str(y->inner) +
                 " rows of the second",
             1);
    return setLayer(c, 0, element);
  }
  std::vector<Dim> shape;
  for (std::size_t i = 0; i < x->batch.size(); ++i) {
    bool mismatch = false;
    shape.push_back(broadcastDim(c.dims(), x->batch[i], y->batch[i], mismatch));
    if (mismatch) {
      c.reject("the sizes of axis " + std::to_string(i) + " do not agree: " + c.dims().str(x->batch[i]) + " and " +
                   c.dims().str(y->batch[i]),
               1);
      return setLayer(c, 0, element);
    }
  }
  if (x->rows)
    shape.push_back(*x->rows);
  if (y->columns)
    shape.push_back(*y->columns);
  setLayer(c, 0, element, std::move(shape));
}

void inferOneHot(InferContext &c) {
  if (!c.has(0) || !c.has(1))
    return;
  const Type &indices = c.type(0);
  const DType element = c.type(1).element;
  if (!indices.hasRank)
    return setLayer(c, 0, element);
  std::vector<Dim> shape = sizesOf(indices);
  const auto axis = c.intAttr("axis");
  const auto at = axis ? normalizeAxis(*axis, shape.size() + 1) : std::nullopt;
  if (!at)
    return setLayer(c, 0, element, std::vector<Dim>(shape.size() + 1));
  const auto depth = c.content(2);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(*at), depth && depth->size() == 1 ? (*depth)[0] : Dim());
  setLayer(c, 0, element, std::move(shape));
}

void inferNonZero(InferContext &c) {
  const Type &t = c.type(0);
  setLayer(c, 0, indicesType(c),
           {t.hasRank ? c.constant(static_cast<std::int64_t>(t.dims.size())) : Dim(), ownSize(c, "nonzero")});
}

void inferNms(InferContext &c) {
  setLayer(c, 0, indicesType(c), {ownSize(c, "selected"), c.constant(3)});
  setLayer(c, 1, DType::Int32, {});
}

/// int64 since 10.0.
void inferShape(InferContext &c) {
  const Type &t = c.type(0);
  const DType element = c.version() <= 0 ? DType::Unknown : c.version() >= 1000 ? DType::Int64 : DType::Int32;
  if (!t.hasRank)
    return setLayer(c, 0, element, {Dim()});
  setLayer(c, 0, element, {c.constant(static_cast<std::int64_t>(t.dims.size()))});
  c.setContent(0, t.dims);
}

constexpr OpRow rows[] = {
    {"trt_shuffle", inferShuffle, "", "", OpTrait::None, nullptr, "addShuffle"},
    {"trt_squeeze", inferSqueeze, "", "", OpTrait::None, nullptr, "addSqueeze"},
    {"trt_unsqueeze", inferUnsqueeze, "", "", OpTrait::None, nullptr, "addUnsqueeze"},
    {"trt_concatenation", inferConcatenation, "", "", OpTrait::None, nullptr, "addConcatenation"},
    {"trt_slice", inferSlice, "", "", OpTrait::None, nullptr, "addSlice"},
    {"trt_reduce", inferReduce, "", "", OpTrait::None, nullptr, "addReduce"},
    {"trt_topk", inferTopK, "", "", OpTrait::None, nullptr, "addTopK"},
    {"trt_gather", inferGather, "", "", OpTrait::None, nullptr, "addGather addGatherV2"},
    {"trt_scatter", inferAlike, "", "", OpTrait::None, nullptr, "addScatter"},
    {"trt_matrix_multiply", inferMatrixMultiply, "", "", OpTrait::None, nullptr, "addMatrixMultiply"},
    {"trt_one_hot", inferOneHot, "", "", OpTrait::None, nullptr, "addOneHot"},
    {"trt_nonzero", inferNonZero, "", "", OpTrait::None, nullptr, "addNonZero"},
    {"trt_nms", inferNms, "", "", OpTrait::None, nullptr, "addNMS"},
    {"trt_shape", inferShape, "", "", OpTrait::Trivial, nullptr, "addShape"},
};

} // namespace

std::span<const OpRow> tensorrtShapeRows() { return rows; }

} // namespace condlint
