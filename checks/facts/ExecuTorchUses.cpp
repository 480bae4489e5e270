//===- ExecuTorchUses.cpp - Kernels that run wrongly in some uses ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecuTorchUses.h"
#include "graph/Returned.h"
#include <algorithm>
#include <string_view>

namespace condlint {

namespace {

std::string_view nameOf(const Model &m, NodeId n) { return m.text(m[m[n].op].name); }

bool isOfAten(const Model &m, NodeId n) {
  return m[m[n].op].dialect == Dialect::Torch && m.text(m[m[n].op].domain) == "aten";
}

/// What was seen to be refused (0x12) or wrong behind `nonzero`, whatever it reads.
constexpr std::string_view across[] = {"add", "amax",   "cat",   "clone",   "contiguous", "div",   "max",
                                       "mul", "select", "slice", "squeeze", "sub",        "unbind"};
static_assert(std::ranges::is_sorted(across));

/// The same of one reader. Of a list with one row for each element, a sum of all is right; of one row alone it is
/// refused.
Tri readsAcross(const Model &m, NodeId reader, const Type &listed) {
  const std::string_view name = nameOf(m, reader);
  if (!isOfAten(m, reader) || name.starts_with("sym_") || name.starts_with("_assert"))
    return Tri::No;
  if (std::ranges::binary_search(across, name))
    return Tri::Yes;
  if (name != "sum")
    return Tri::Unknown;
  if (m.text(m[m[reader].op].overload) != "default")
    return Tri::Yes;
  return !listed.hasRank ? Tri::Unknown : listed.dims.size() < 2 ? Tri::Yes : Tri::No;
}

bool isComplexValue(const Model &m, ValueId v) { return v && isComplex(m.type(v).element); }

/// What takes complex numbers, of those that were measured with 1.5, and what does not.
constexpr std::string_view taken[] = {"_to_copy", "abs",       "cat",       "clone",  "detach", "fft_irfft",
                                      "fft_rfft", "fft_rfft2", "index",     "select", "slice",  "squeeze",
                                      "sum",      "to",        "unsqueeze", "view"};
constexpr std::string_view untaken[] = {
    "_conj",   "_conj_physical", "conj",         "conj_physical", "eq",    "exp",
    "fft_fft", "flip",           "matmul",       "mean",          "mm",    "neg",
    "pow",     "real",           "resolve_conj", "sin",           "where", "zeros_like"};
/// Those of two tensors are taken; add of a number is not, and of the others nobody knows.
constexpr std::string_view ofTwo[] = {"add", "div", "mul", "sub"};
constexpr Version measured{1, 5};

} // namespace

Tri isReadAcross(const Model &m, ExportedNodes &exported, NodeId n) {
  const std::string_view name = nameOf(m, n);
  if (!isOfAten(m, n))
    return Tri::No;
  // These take the list apart themselves.
  if (name == "nonzero_numpy" || (name == "where" && m.text(m[m[n].op].overload) == "default"))
    return Tri::Yes;
  if ((name != "nonzero" && name != "argwhere") || m.resultCount(n) != 1 || m.operands(n).empty() || !m.operands(n)[0])
    return Tri::No;
  const ValueId list = m.result(n, 0);
  Tri worst = isReturned(m, m[n].graph, list) ? Tri::Unknown : Tri::No;
  for (const NodeId reader : exported.readersOf(list)) {
    const Tri reads = readsAcross(m, reader, m.type(m.operands(n)[0]));
    if (reads == Tri::Yes)
      return reads;
    if (reads == Tri::Unknown)
      worst = reads;
  }
  return worst;
}

Tri takesComplex(const Model &m, NodeId n, Version version) {
  if (!isOfAten(m, n))
    return Tri::Yes;
  const auto operands = m.operands(n);
  bool isOfComplex = std::ranges::any_of(operands, [&](ValueId v) { return isComplexValue(m, v); });
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    isOfComplex = isOfComplex || isComplexValue(m, m.result(n, i));
  const std::string_view name = nameOf(m, n);
  if (!isOfComplex || name.starts_with("_assert"))
    return Tri::Yes;
  if (std::ranges::find(untaken, name) != std::end(untaken))
    return Tri::No;
  if (std::ranges::find(ofTwo, name) != std::end(ofTwo)) {
    const auto tensors = std::ranges::count_if(operands, [&](ValueId v) { return v && m.type(v).isTensor(); });
    if (tensors < 2)
      return name == "add" ? Tri::No : Tri::Unknown;
    return version < measured ? Tri::Unknown : Tri::Yes;
  }
  return std::ranges::find(taken, name) == std::end(taken) || version < measured ? Tri::Unknown : Tri::Yes;
}

bool feedsChannelsLast(const Model &m, ExportedNodes &exported, NodeId n) {
  constexpr std::int64_t channelsLast = 2, channelsLast3d = 3; // c10::MemoryFormat
  const Attribute *format = isOfAten(m, n) ? m.attribute(n, "memory_format") : nullptr;
  if (!format || (format->kind != AttributeKind::Int && format->kind != AttributeKind::MemoryFormat) ||
      (format->number != channelsLast && format->number != channelsLast3d) || m.resultCount(n) != 1)
    return false;
  return std::ranges::any_of(exported.readersOf(m.result(n, 0)),
                             [&](NodeId reader) { return !nameOf(m, reader).starts_with("_assert"); });
}

} // namespace condlint
