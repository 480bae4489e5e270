//===- Resize.cpp - Resizing ----------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Resize.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "Strides.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

namespace {

const Type &operand(InferContext &c) { return c.argType(c.hasAttribute("input") ? "input" : "self"); }

/// The size that \p scale makes of \p size, rounded down.
Dim scaled(DimTable &dims, Dim size, double scale) {
  if (!std::isfinite(scale) || scale <= 0 || scale > 1e6)
    return {};
  if (const auto n = dims.asConstant(size)) {
    const double out = std::floor(static_cast<double>(*n) * scale);
    return out < 9e15 ? dims.constant(static_cast<std::int64_t>(out)) : Dim();
  }
  if (scale == std::floor(scale))
    return dims.mul(size, dims.constant(static_cast<std::int64_t>(scale)));
  // Halves, quarters, ... are exact, so that the rounding is a floor division.
  const double inverse = 1 / scale;
  if (inverse == std::floor(inverse) && std::exp2(std::round(std::log2(inverse))) == inverse)
    return dims.floorDiv(size, dims.constant(static_cast<std::int64_t>(inverse)));
  return {};
}

std::optional<std::vector<double>> reals(InferContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  if (!a)
    return std::nullopt;
  if (a->kind == AttributeKind::Floats) {
    const auto values = c.model().reals(a->list);
    return std::vector<double>(values.begin(), values.end());
  }
  if (const auto ints = c.intsAttr(name))
    return std::vector<double>(ints->begin(), ints->end());
  if (const auto one = c.floatAttr(name))
    return std::vector<double>{*one};
  return std::nullopt;
}

/// upsample_*: an output size, or scale factors.
void inferUpsample(InferContext &c) {
  const Type &from = operand(c);
  const std::string_view name = c.opName();
  const std::size_t n = name.find("1d") != name.npos ? 1 : name.find("3d") != name.npos ? 3 : 2;
  if (!expectRank(c, from, {n + 2}, "operand"))
    return setFresh(c, 0, from.element, from);
  std::vector<Dim> shape = copyDims(from.dims.first(2));
  const Attribute *given = c.attribute("output_size");
  const auto size =
      given && given->kind != AttributeKind::None ? spread(c, "output_size", n, std::nullopt) : std::nullopt;
  const auto scales = reals(c, "scale_factors");
  const Attribute *factors = c.attribute("scale_factors");
  if (given && factors && (given->kind == AttributeKind::None) == (factors->kind == AttributeKind::None))
    return c.reject(std::string(c.opName()) + ": one of output_size and scale_factors is given, " +
                    (given->kind == AttributeKind::None ? "but neither is" : "but both are"));
  if (scales && scales->size() != n)
    return c.reject(std::string(c.opName()) + ": " + std::to_string(scales->size()) + " factors for " +
                    std::to_string(n) + " axes of an image");
  for (std::size_t i = 0; i < n; ++i)
    shape.push_back(size                            ? (*size)[i]
                    : scales && scales->size() == n ? scaled(c.dims(), from.dims[2 + i], (*scales)[i])
                                                    : Dim());
  setFresh(c, 0, freshInFormatOf(c, from.element, shape, std::span<const Type>(&from, 1)));
}

/// The numbers of a small floating-point constant.
std::optional<std::vector<double>> constantReals(InferContext &c, std::size_t i) {
  const ValueId v = c.operand(i);
  if (!v)
    return std::nullopt;
  Model &m = c.model();
  ConstantId id = m[v].constant;
  if (m[v].origin == ValueOrigin::Result && m[v].def) {
    if (const Attribute *floats = m.attribute(m[v].def, "value_floats");
        floats && floats->kind == AttributeKind::Floats) {
      const auto values = m.reals(floats->list);
      return std::vector<double>(values.begin(), values.end());
    }
    const Attribute *value = m.attribute(m[v].def, "value");
    if (!value || value->kind != AttributeKind::Tensor || m.text(m[m[m[v].def].op].name) != "Constant")
      return std::nullopt;
    id = ConstantId(value->list.first);
  }
  if (!id)
    return std::nullopt;
  const Constant &data = m[id];
  const Type &type = m.types[data.type];
  if (type.element != DType::Float32 || data.bytes.size() % sizeof(float) != 0 || data.bytes.empty() ||
      data.bytes.size() > 64 * sizeof(float))
    return std::nullopt;
  std::vector<double> out;
  for (std::size_t at = 0; at < data.bytes.size(); at += sizeof(float)) {
    float f = 0;
    std::memcpy(&f, data.bytes.data() + at, sizeof f);
    out.push_back(static_cast<double>(f));
  }
  return out;
}

/// How many sizes there are, or scales: as many as axes. No sizes at all are as good as absent.
void expectOneForEachAxis(InferContext &c, std::size_t axes, bool useSizes, std::size_t scalesAt) {
  const std::size_t at = useSizes ? 3 : scalesAt;
  const Type &t = c.type(at);
  std::optional<std::int64_t> given;
  if (const auto scales = reals(c, "scales"))
    given = static_cast<std::int64_t>(scales->size());
  else if (t.hasRank)
    given = c.dims().asConstant(elementCount(c.dims(), t.dims));
  if (!given || *given == static_cast<std::int64_t>(axes) || (*given == 0 && useSizes && c.has(2)))
    return;
  c.reject(std::string(c.opName()) + ": " + std::to_string(*given) + (useSizes ? " sizes for " : " scales for ") +
               std::to_string(axes) + " axes",
           t.hasRank ? std::optional(at) : std::nullopt);
}

/// No axis is scaled twice, and none to nothing.
void expectScales(InferContext &c, std::vector<std::size_t> axes, const std::optional<std::vector<double>> &scales) {
  std::ranges::sort(axes);
  if (std::ranges::adjacent_find(axes) != axes.end())
    return c.reject(fmt::format("{}: an axis is named twice", c.opName()));
  for (const double s : scales.value_or(std::vector<double>{}))
    if (s <= 0)
      return c.reject(fmt::format("{}: a scale must be above 0, but is {}", c.opName(), s));
}

/// Upsample 1 (two attributes), 7 (`scales`), 9 (an input); Resize 10 (X, scales),
/// 11 and later (X, roi, scales, sizes).
void inferResize(InferContext &c) {
  const Type &from = c.type(0);
  if (!from.hasRank)
    return c.setResult(0, c.tensor(from.element));
  const std::size_t rank = from.dims.size();
  std::vector<Dim> shape = copyDims(from.dims);
  const bool upsample = c.opName() == "Upsample";
  const bool early = upsample || (c.version() > 0 && c.version() < 11);
  const std::size_t scalesAt = early ? 1 : 2;
  std::vector<std::size_t> axes;
  for (std::int64_t a : c.intsAttr("axes").value_or(std::vector<std::int64_t>{}))
    if (const auto at = axisOf(c, a, rank))
      axes.push_back(*at);
  if (!c.hasAttribute("axes"))
    for (std::size_t i = 0; i < rank; ++i)
      axes.push_back(i);
  if (c.hasAttribute("height_scale") && rank == 4) {
    shape[2] = scaled(c.dims(), shape[2], c.floatAttr("height_scale").value_or(0));
    shape[3] = scaled(c.dims(), shape[3], c.floatAttr("width_scale").value_or(0));
    return c.setResult(0, c.tensor(from.element, shape));
  }
  const bool stretch = c.stringAttr("keep_aspect_ratio_policy", "stretch") == "stretch";
  const auto sizes = early ? std::nullopt : c.content(3);
  const auto scales = c.hasAttribute("scales") ? reals(c, "scales") : constantReals(c, scalesAt);
  const bool useSizes = !early && c.has(3) && !(scales && !scales->empty());
  if (useSizes)
    expectSizes(c, 3);
  expectOneForEachAxis(c, axes.size(), useSizes, scalesAt);
  expectScales(c, axes, useSizes ? std::nullopt : scales);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Dim &d = shape[axes[i]];
    if (useSizes)
      d = stretch && sizes && sizes->size() == axes.size() ? (*sizes)[i] : Dim();
    else
      d = scales && scales->size() == axes.size() ? scaled(c.dims(), d, (*scales)[i]) : Dim();
  }
  c.setResult(0, c.tensor(from.element, shape));
}

/// [N, C, in...] at the places [N, out..., coordinates].
void inferGridSample(InferContext &c) {
  const bool torch = c.isTorch();
  const Type &from = torch ? operand(c) : c.type(0), &grid = torch ? c.argType("grid") : c.type(1);
  if (!from.hasRank || !grid.hasRank || from.dims.size() < 3 || grid.dims.size() != from.dims.size()) {
    if (from.hasRank && grid.hasRank)
      c.reject(std::string(c.opName()) + ": the operand has rank " + std::to_string(from.dims.size()) +
               ", the grid has rank " + std::to_string(grid.dims.size()));
    return setFresh(c, 0, from.element, from);
  }
  // A place has a coordinate for each axis behind the batch and the channels.
  const auto coordinates = static_cast<std::int64_t>(from.dims.size()) - 2;
  if (neverEqual(c.dims(), grid.dims.back(), c.dims().constant(coordinates)))
    c.reject(std::string(c.opName()) + ": the grid's places have " + c.dims().str(grid.dims.back()) +
             " coordinates, the operand has " + std::to_string(coordinates) + " axes for them");
  if (torch)
    expectEqual(c, from.dims[0], grid.dims[0], "the batches of the operand and of the grid");
  std::vector<Dim> shape = copyDims(from.dims.first(2));
  shape.insert(shape.end(), grid.dims.begin() + 1, grid.dims.end() - 1);
  OwnedType t = freshTensor(c, from.element, shape, from);
  if (torch && isContiguous(c.dims(), from) != Tri::Yes)
    t.dropStrides();
  setFresh(c, 0, t);
}

/// theta [N, 2, 3] and the size [N, C, H, W] give [N, H, W, 2]; one axis more in 3-D.
/// For each of N images of as many sizes a matrix, of one row less than two of these and a column more; the images are
/// not empty.
void expectTheta(InferContext &c, const Type &theta, std::size_t sizes, const std::optional<std::vector<Dim>> &size) {
  const auto axes = static_cast<std::int64_t>(sizes) - 2;
  const Dim wanted[] = {size ? (*size)[0] : Dim(), c.constant(axes), c.constant(axes + 1)};
  if (theta.hasRank && theta.dims.size() == 3 && !mayAgree(c.dims(), theta.dims, wanted))
    return c.reject(fmt::format("AffineGrid: theta must be of the shape {}, but is of {}", spellDims(c.dims(), wanted),
                                spellDims(c.dims(), theta.dims)),
                    0, FaultKind::Unequal);
  for (std::size_t i = 2; size && i < size->size(); ++i)
    if (c.dims().asConstant((*size)[i]).value_or(1) < 1)
      return c.reject(fmt::format("AffineGrid: size {} must be above 0, but is {}", i, c.dims().str((*size)[i])), 1,
                      FaultKind::Unequal);
}

void inferAffineGrid(InferContext &c) {
  const bool torch = c.isTorch();
  const Type &theta = torch ? c.argType("theta") : c.type(0);
  std::optional<std::vector<Dim>> size;
  if (torch)
    size = c.dimsArg("size");
  else if (const auto content = c.content(1))
    size = copyDims(*content);
  std::optional<std::size_t> rank;
  if (size)
    rank = size->size();
  else if (!torch)
    rank = lengthOf(c, 1);
  if (!torch && rank && *rank != 4 && *rank != 5)
    c.reject(fmt::format("AffineGrid: there are {} sizes, and must be 4 or 5", *rank), 1);
  if (!rank || (*rank != 4 && *rank != 5))
    return setFresh(c, 0, theta.element, theta);
  if (!torch)
    expectTheta(c, theta, *rank, size);
  std::vector<Dim> shape(*rank);
  if (size) {
    shape[0] = (*size)[0];
    for (std::size_t i = 1; i + 1 < *rank; ++i)
      shape[i] = (*size)[i + 1];
  }
  shape.back() = c.constant(static_cast<std::int64_t>(*rank) - 2);
  setFresh(c, 0, theta.element, shape, theta);
}

constexpr OpRow rows[] = {
    {"upsample", inferUpsample, executeUpsample,
     "aten.upsample_nearest1d aten.upsample_nearest2d aten.upsample_nearest3d aten._upsample_nearest_exact1d "
     "aten._upsample_nearest_exact2d aten._upsample_nearest_exact3d aten.upsample_linear1d aten.upsample_bilinear2d "
     "aten.upsample_trilinear3d aten.upsample_bicubic2d aten._upsample_bilinear2d_aa aten._upsample_bicubic2d_aa "
     "aten._upsample_lanczos2d_aa",
     ""},
    {"resize", inferResize, executeResize, "", "Resize Upsample"},
    {"grid_sample", inferGridSample, executeGridSample,
     "aten.grid_sampler aten.grid_sampler_2d aten.grid_sampler_3d aten.cudnn_grid_sampler", "GridSample"},
    {"affine_grid", inferAffineGrid, executeAffineGrid, "aten.affine_grid_generator", "AffineGrid"},
};

} // namespace

OpFamily resizeFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
