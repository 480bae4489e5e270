//===- Creation.cpp - What the definitions of factories share -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Creation.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Strides.h"
#include "SymbolicScalar.h"
#include "kernels/Creation.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace condlint {

/// What the operator makes lies in memory row by row, of the sizes that its argument `size` gives.
static void setRowMajor(InferContext &c) {
  constexpr auto rows = static_cast<std::int64_t>(MemoryFormat::Contiguous);
  if (c.hasAttribute("stride") || c.hasAttribute("physical_layout") || c.intAttr("memory_format", rows) != rows)
    return;
  const ValueId as[] = {c.sizedLike("size")};
  c.setShapeRule(InferContext::ShapeRule::RowMajor, std::span(as).first(as[0] ? 1 : 0));
}

void setFactory(InferContext &c, DType otherwise, std::optional<std::vector<Dim>> shape, const Type *like) {
  OwnedType t = shape ? freshTensor(c, otherwise, std::move(*shape)) : freshTensor(c, otherwise, Type());
  setFactoryOptions(c, t.type, like);
  if (!c.hasAttribute("dtype") || !c.dtypeAttr("dtype"))
    t.type.element = otherwise;
  if (t.type.layout != Layout::Strided)
    t.dropStrides();
  setRowMajor(c);
  setTorchResult(c, 0, t);
}

namespace {

/// `zeros`, `rand`: the default float unless `dtype` says otherwise.
void inferFactory(InferContext &c) { setFactory(c, DType::Float32, c.dimsArg("size")); }

/// A factory's result of \p shape whose strides are still to be said.
OwnedType unstrided(InferContext &c, const std::vector<Dim> &shape) {
  OwnedType t = freshTensor(c, DType::Float32, shape);
  setFactoryOptions(c, t.type, nullptr);
  if (!c.dtypeAttr("dtype"))
    t.type.element = DType::Float32;
  t.dropStrides();
  return t;
}

/// `empty(memory_format)`.
void inferEmpty(InferContext &c) {
  auto shape = c.dimsArg("size");
  const auto format = c.intAttr("memory_format", static_cast<std::int64_t>(MemoryFormat::Contiguous));
  if (!shape || format == static_cast<std::int64_t>(MemoryFormat::Contiguous))
    return setFactory(c, DType::Float32, std::move(shape));
  OwnedType t = unstrided(c, *shape);
  if (auto strides = stridesInFormat(c.dims(), t.dims, static_cast<MemoryFormat>(format)))
    t.setStrides(std::move(*strides));
  setTorchResult(c, 0, t);
}

DType typeOfNumber(const ScalarArgument &s, const Attribute *a) {
  if (a && a->kind == AttributeKind::Complex)
    return DType::Complex64;
  switch (s.kind) {
  case ValueKind::SymBool:
    return DType::Bool;
  case ValueKind::SymInt:
    return DType::Int64;
  case ValueKind::SymFloat:
    return DType::Float32;
  default:
    return DType::Unknown;
  }
}

/// `full(size, fill_value)`: the type of the number.
void inferFull(InferContext &c) {
  setFactory(c, typeOfNumber(scalarArg(c, "fill_value"), c.attribute("fill_value")), c.dimsArg("size"));
}

/// `scalar_tensor(s)`: the default float whatever the real number.
void inferScalarTensor(InferContext &c) {
  const Attribute *s = c.attribute("s");
  const bool isComplexNumber = s && s->kind == AttributeKind::Complex;
  setFactory(c, isComplexNumber ? DType::Unknown : DType::Float32, std::vector<Dim>{});
}

/// `zeros_like`, `rand_like`, `full_like`: as the operand is laid out.
void inferLike(InferContext &c) {
  keepsShape(c, 0, true);
  setTorchResult(c, 0, likeTensor(c, c.type(0)));
}

/// `new_zeros(self, size)`: type and device of self, row-major.
void inferNew(InferContext &c) {
  const Type &self = c.type(0);
  setFactory(c, self.element, c.dimsArg("size"), &self);
}

void setStrided(InferContext &c, DType otherwise, const Type *like) {
  auto shape = c.dimsArg("size");
  if (!shape)
    return setFactory(c, otherwise, std::nullopt, like);
  OwnedType t = freshTensor(c, otherwise, *shape);
  setFactoryOptions(c, t.type, like);
  if (!c.dtypeAttr("dtype"))
    t.type.element = otherwise;
  t.dropStrides();
  if (auto strides = c.dimsArg("stride"); strides && strides->size() == t.dims.size())
    t.setStrides(std::move(*strides));
  setTorchResult(c, 0, t);
}
void inferEmptyStrided(InferContext &c) { setStrided(c, DType::Float32, nullptr); }
void inferNewEmptyStrided(InferContext &c) { setStrided(c, c.type(0).element, &c.type(0)); }

/// `empty_permuted(size, physical_layout)`: the axes from the outermost.
void inferEmptyPermuted(InferContext &c) {
  auto shape = c.dimsArg("size");
  const auto layout = c.intsAttr("physical_layout");
  if (!shape || !layout)
    return setFactory(c, DType::Float32, std::move(shape));
  OwnedType t = unstrided(c, *shape);
  std::vector<std::size_t> order;
  std::vector<bool> seen(t.dims.size(), false);
  for (auto axis = layout->rbegin(); axis != layout->rend(); ++axis)
    if (*axis >= 0 && static_cast<std::size_t>(*axis) < seen.size() && !seen[static_cast<std::size_t>(*axis)]) {
      seen[static_cast<std::size_t>(*axis)] = true;
      order.push_back(static_cast<std::size_t>(*axis));
    }
  if (layout->size() == shape->size() && order.size() != shape->size())
    c.reject(fmt::format("empty_permuted: 'physical_layout' does not name each of {} axes once", shape->size()));
  if (order.size() == t.dims.size() && layout->size() == order.size())
    t.setStrides(denseStrides(c.dims(), t.dims, order));
  setTorchResult(c, 0, t);
}

/// The number that \p s is, where it is known.
std::optional<double> realOf(InferContext &c, const ScalarArgument &s) {
  if (s.real)
    return s.real;
  const auto whole = c.dims().asConstant(s.whole);
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

/// The number of steps from \p start to \p end: exact for ints, rounded up for floats.

Dim stepCount(InferContext &c, const ScalarArgument &start, const ScalarArgument &end, const ScalarArgument &step) {
  DimTable &dims = c.dims();
  if (start.whole.known() && end.whole.known() && step.whole.known())
    return rangeSize(dims, start.whole, end.whole, step.whole);
  const auto a = realOf(c, start), b = realOf(c, end), by = realOf(c, step);
  return a && b && by ? rangeSize(dims, *a, *b, *by) : Dim();
}

void inferArange(InferContext &c) {
  ScalarArgument start{ValueKind::SymInt, c.constant(0), std::nullopt},
      step{ValueKind::SymInt, c.constant(1), std::nullopt};
  if (c.hasAttribute("start"))
    start = scalarArg(c, "start");
  if (c.hasAttribute("step"))
    step = scalarArg(c, "step");
  const ScalarArgument end = scalarArg(c, "end");
  DType t = DType::Float32;
  for (const ScalarArgument *s : {&std::as_const(start), &end, &std::as_const(step)})
    if (s->kind == ValueKind::Unknown)
      t = DType::Unknown;
  auto whole = [](const ScalarArgument &s) { return s.kind == ValueKind::SymInt || s.kind == ValueKind::SymBool; };
  if (whole(start) && whole(end) && whole(step))
    t = DType::Int64;
  const auto a = realOf(c, start), b = realOf(c, end), by = realOf(c, step);
  if (by && *by == 0)
    c.reject("arange: the step is 0");
  else if (a && b && by && (*by > 0 ? *b < *a : *b > *a))
    c.reject(fmt::format("arange: no steps of {} lead from {} to {}", *by, *a, *b));
  setFactory(c, t, std::vector<Dim>{stepCount(c, start, end, step)});
}

/// `linspace`, `logspace`: `steps` numbers.
void inferLinspace(InferContext &c) {
  DType t = DType::Float32;
  for (std::string_view name : {"start", "end"}) {
    const Attribute *a = c.attribute(name);
    if ((a && a->kind == AttributeKind::Complex) || isComplex(c.argType(name).element))
      t = DType::Complex64;
  }
  setFactory(c, t, std::vector<Dim>{c.dimArg("steps")});
}

void inferEye(InferContext &c) {
  const Dim n = c.dimArg("n");
  setFactory(c, DType::Float32, std::vector<Dim>{n, c.hasAttribute("m") ? c.dimArg("m") : n});
}

/// `tril_indices(row, col, offset)`: two rows, a column for each entry.
void inferTriangleIndices(InferContext &c) {
  Dim count;
  const auto rows = c.dims().asConstant(c.dimArg("row")), columns = c.dims().asConstant(c.dimArg("col"));
  const bool upper = c.opName() == "triu_indices";
  const std::int64_t given = c.intAttr("offset", 0);
  const std::int64_t offset = given > std::numeric_limits<std::int64_t>::min() ? given - (upper ? 1 : 0) : given;
  constexpr std::int64_t largest = 1 << 20;
  if (rows && columns && *rows >= 0 && *columns >= 0 && *rows <= largest && *columns <= largest && offset >= -largest &&
      offset <= largest) {
    // Row i holds clamp(i + offset + 1, 0, columns) entries on and below the
    // diagonal: none before `first`, all of them from `full` on.
    const std::int64_t first = std::clamp<std::int64_t>(-offset, 0, *rows);
    const std::int64_t full = std::clamp<std::int64_t>(*columns - offset - 1, first, *rows);
    const std::int64_t growing = full - first;
    const std::int64_t width = first + offset + 1;
    const std::int64_t lower = growing * width + growing * (growing - 1) / 2 + (*rows - full) * *columns;
    // The upper triangle from `offset` is what the lower one up to `offset - 1` leaves.
    count = c.constant(upper ? *rows * *columns - lower : lower);
  }
  setFactory(c, DType::Int64, std::vector<Dim>{c.constant(2), count});
}

void inferWindow(InferContext &c) { setFactory(c, DType::Float32, std::vector<Dim>{c.dimArg("window_length")}); }

/// The layout that a factory of sparse tensors is called after; of the general one it is an argument.
Layout sparseLayout(InferContext &c) {
  constexpr std::array<std::pair<std::string_view, Layout>, 5> called{{{"sparse_coo_tensor", Layout::SparseCoo},
                                                                       {"sparse_csr_tensor", Layout::SparseCsr},
                                                                       {"sparse_csc_tensor", Layout::SparseCsc},
                                                                       {"sparse_bsr_tensor", Layout::SparseBsr},
                                                                       {"sparse_bsc_tensor", Layout::SparseBsc}}};
  for (const auto &[name, layout] : called)
    if (c.opName() == name)
      return layout;
  const Attribute *layout = c.attribute("layout");
  return layout && layout->kind == AttributeKind::Layout && layout->number > 0 &&
                 layout->number <= static_cast<std::int64_t>(Layout::Jagged)
             ? static_cast<Layout>(layout->number)
             : Layout::Unknown;
}

/// How many dimensions a sparse tensor has that is given no sizes.
std::optional<std::size_t> sparseRank(InferContext &c, Layout layout, const Type &values) {
  if (!values.hasRank || values.dims.empty())
    return std::nullopt;
  const std::size_t rank = values.dims.size();
  if (layout == Layout::SparseCoo) { // (number of sparse dimensions, number of elements)
    const Type &indices = c.argType("indices");
    const auto sparse =
        indices.hasRank && indices.dims.size() == 2 ? c.dims().asConstant(indices.dims[0]) : std::nullopt;
    constexpr std::int64_t most = 64;
    return sparse && *sparse >= 0 && *sparse <= most ? std::optional(static_cast<std::size_t>(*sparse) + rank - 1)
                                                     : std::nullopt;
  }
  if (layout == Layout::SparseCsr || layout == Layout::SparseCsc)
    return rank + 1; // the elements of a row or column lie in one dimension
  if (layout == Layout::SparseBsr || layout == Layout::SparseBsc)
    return rank < 3 ? std::nullopt : std::optional(rank - 1); // and each is a block
  return std::nullopt;
}

/// `sparse_coo_tensor` and its like: the values' type and device, unless it says otherwise.
void inferSparse(InferContext &c) {
  const Type &values = c.argType("values");
  const bool hasValues = c.arg("values").valid();
  OwnedType t = freshTensor(c, DType::Float32, Type());
  setFactoryOptions(c, t.type, hasValues ? &values : nullptr);
  t.type.layout = sparseLayout(c);
  t.type.storageOffset = Dim();
  t.type.requiresGrad = hasValues ? Tri::Unknown : t.type.requiresGrad;
  if (auto shape = c.dimsArg("size"))
    t.setDims(std::move(*shape));
  else if (const auto rank = sparseRank(c, t.type.layout, values); rank && !c.hasAttribute("size"))
    t.setDims(std::vector<Dim>(*rank));
  t.dropStrides();
  c.setResult(0, t.view());
}

constexpr OpRow rows[] = {
    {"factory", inferFactory, executeFactory, "aten.zeros aten.ones aten._efficientzerotensor", ""},
    {"empty", inferEmpty, executeEmpty, "aten.empty", ""},
    {"full", inferFull, executeFull, "aten.full", ""},
    {"scalar_tensor", inferScalarTensor, executeScalarTensor, "aten.scalar_tensor", ""},
    {"like", inferLike, executeLike, "aten.zeros_like aten.ones_like aten.empty_like aten.full_like", ""},
    {"new", inferNew, executeNew, "aten.new_zeros aten.new_ones aten.new_empty aten.new_full", ""},
    {"empty_strided", inferEmptyStrided, executeEmptyStrided, "aten.empty_strided", ""},
    {"new_empty_strided", inferNewEmptyStrided, executeEmptyStrided, "aten.new_empty_strided", ""},
    {"empty_permuted", inferEmptyPermuted, executeEmptyPermuted, "aten.empty_permuted", ""},
    {"arange", inferArange, executeArange, "aten.arange", ""},
    {"linspace", inferLinspace, executeLinspace, "aten.linspace aten.logspace", ""},
    {"eye", inferEye, executeEye, "aten.eye", ""},
    {"triangle_indices", inferTriangleIndices, executeTriangleIndices, "aten.tril_indices aten.triu_indices", ""},
    {"window", inferWindow, executeWindow,
     "aten.hann_window aten.hamming_window aten.blackman_window aten.bartlett_window aten.kaiser_window", ""},
    {"sparse", inferSparse,
     "aten.sparse_coo_tensor aten.sparse_csr_tensor aten.sparse_csc_tensor aten.sparse_bsr_tensor "
     "aten.sparse_bsc_tensor aten.sparse_compressed_tensor",
     ""},
};

} // namespace

Dim rangeSize(DimTable &dims, Dim start, Dim end, Dim step) {
  const auto by = dims.asConstant(step);
  if (!by || *by == 0 || *by == std::numeric_limits<std::int64_t>::min())
    return {};
  const Dim distance = *by > 0 ? dims.sub(end, start) : dims.sub(start, end);
  return dims.ceilDiv(distance, dims.constant(*by > 0 ? *by : -*by));
}

Dim rangeSize(DimTable &dims, double start, double end, double step) {
  const double count = std::ceil((end - start) / step);
  constexpr double largest = 9.0e15;
  if (!(count >= -largest && count <= largest)) // also when it is no number
    return {};
  return dims.constant(static_cast<std::int64_t>(count));
}

std::span<const OpRow> torchCreationRows() { return rows; }

OpFamily creationFamily() {
  static const OpTable table{torchCreationRows(), onnxCreationRows()};
  return table.family();
}

} // namespace condlint
