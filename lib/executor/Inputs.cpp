//===- Inputs.cpp - What a run is given, or draws -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecutorImpl.h"
#include "graph/TypeWords.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

namespace {

/// No two elements of a tensor lie in one place, and the gaps between them are few.
bool isApart(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides) {
  constexpr std::int64_t mostPlaces = 16; // for one element
  std::vector<std::size_t> axes(sizes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::ranges::sort(axes, {}, [&](std::size_t i) { return strides[i]; });
  std::int64_t reach = 1; // of the axes so far
  for (std::size_t i : axes) {
    if (sizes[i] == 1)
      continue;
    std::int64_t step = 0;
    if (sizes[i] < 1 || strides[i] < reach || __builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(reach, step, &reach))
      return false;
  }
  const std::int64_t count = elementCount(sizes).value_or(0);
  return count > 0 && reach / mostPlaces <= count;
}

/// \p given, an element of the type \p dtype, is the number \p held, as closely as that type holds it.
bool isSameReal(DType dtype, double given, double held) {
  if (std::isnan(held))
    return std::isnan(given);
  alignas(double) std::array<char, sizeof(double)> bytes{};
  if (!isFloating(dtype))
    return given == held;
  storeElement(dtype, bytes.data(), 0, held);
  return given == loadElement<double>(dtype, bytes.data(), 0);
}

} // namespace

Expected<std::vector<RuntimeValue>> ExecutorImpl::bind(std::span<const Array> arrays) {
  return orError([&] { return bindAll(arrays); });
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::bindAll(std::span<const Array> arrays) {
  std::vector<const Array *> chosen(inputPorts.size(), nullptr);
  const auto byName = [&](std::string_view name) {
    for (std::size_t i = 0; i < inputPorts.size(); ++i)
      if (inputPorts[i].name == name)
        return i;
    return inputPorts.size();
  };
  std::size_t position = 0;
  for (const Array &a : arrays) {
    std::size_t i = a.name.empty() ? position : byName(a.name);
    if (i == inputPorts.size() && a.name.starts_with("in") && a.name.size() > 2 && a.name.size() < 8 &&
        std::all_of(a.name.begin() + 2, a.name.end(), [](char ch) { return ch >= '0' && ch <= '9'; }))
      i = static_cast<std::size_t>(std::stoul(a.name.substr(2)));
    ++position;
    if (i >= inputPorts.size()) {
      std::string known;
      for (const Port &p : inputPorts)
        known += (known.empty() ? "" : ", ") + p.name;
      return Error{m.info.path,
                   {},
                   fmt::format("the model has no input '{}'; it has {}: {}", a.name, inputPorts.size(), known),
                   {}};
    }
    if (chosen[i])
      return badInput(inputPorts[i], "is given twice");
    chosen[i] = &a;
  }
  bounds.clear();
  interpreter.symbols.clear();
  std::vector<RuntimeValue> bound;
  for (std::size_t i = 0; i < inputPorts.size(); ++i) {
    if (!chosen[i]) {
      if (!isOptional(i))
        return badInput(inputPorts[i], fmt::format("is not given; the model takes {} input(s), {} are given",
                                                   inputPorts.size(), arrays.size()));
      bound.push_back(unsaid(inputPorts[i]));
      continue;
    }
    auto v = bindOne(inputPorts[i], *chosen[i]);
    if (!v)
      return v.error();
    bound.push_back(std::move(*v));
  }
  if (auto problem = bindSymbols())
    return *problem;
  return bound;
}

/// What an input is that need not be given and is not: the number that the file holds for it, or
/// what it was exported with and no node reads.
RuntimeValue ExecutorImpl::unsaid(const Port &port) const {
  const ContentId content = m[port.value].content;
  const auto number =
      content && m.content(content).size() == 1 ? m.dims.asConstant(m.content(content)[0]) : std::nullopt;
  const ValueKind kind = m.types[port.type].kind;
  if (const auto real = m.real(port.value); real && kind == ValueKind::SymFloat)
    return RuntimeValue::ofFloat(*real);
  if (number && kind == ValueKind::SymInt)
    return RuntimeValue::ofInt(*number);
  if (number && kind == ValueKind::SymBool)
    return RuntimeValue::ofBool(*number != 0);
  return {};
}

Expected<RuntimeValue> ExecutorImpl::bindOne(const Port &port, const Array &a) {
  const Type &t = m.types[port.type];
  switch (t.kind) {
  case ValueKind::SymInt:
  case ValueKind::SymBool:
  case ValueKind::SymFloat: {
    if (a.kind != ValueKind::Tensor || !a.shape.empty() || a.bytes.empty())
      return badInput(port, fmt::format("is a number, found {}", arrayText(a)));
    const bool whole = isIntegral(a.dtype) || a.dtype == DType::Bool;
    if (t.kind != ValueKind::SymFloat && (!whole || (t.kind == ValueKind::SymBool) != (a.dtype == DType::Bool)))
      return badInput(port, fmt::format("is {}, found {}", t.kind == ValueKind::SymBool ? "a bool" : "an integer",
                                        dtypeName(a.dtype)));
    const auto number = loadUnaligned<std::int64_t>(a.dtype, a.bytes.data(), 0);
    const ContentId content = m[port.value].content;
    if (content && m.content(content).size() == 1 && t.kind != ValueKind::SymFloat)
      bounds.push_back({m.content(content)[0], number, "input '" + port.name + "'", true});
    if (t.kind == ValueKind::SymFloat) {
      const auto real = loadUnaligned<double>(a.dtype, a.bytes.data(), 0);
      const auto held = m.real(port.value);
      if (held && !isSameReal(a.dtype, real, *held))
        return badInput(port, fmt::format("is {}, but the model was exported for {} alone", real, *held));
      return RuntimeValue::ofFloat(held.value_or(real));
    }
    return t.kind == ValueKind::SymInt ? RuntimeValue::ofInt(number) : RuntimeValue::ofBool(number != 0);
  }
  case ValueKind::Sequence:
  case ValueKind::Optional:
    if (a.kind != t.kind && !(t.kind == ValueKind::Optional && a.kind == ValueKind::Tensor))
      return badInput(port, fmt::format("is a {}, found {}", kindName(t.kind), arrayText(a)));
    if (a.kind != t.kind) {
      auto item = fromArray(a, nullptr);
      return item ? Expected<RuntimeValue>(RuntimeValue::optional(*item)) : item;
    }
    return fromArray(a, nullptr);
  case ValueKind::Tensor:
  case ValueKind::Unknown:
    break;
  default: // a .pt2 was exported with it
    return badInput(port,
                    fmt::format("is {} {}, which condlint cannot be given{}", t.kind == ValueKind::Object ? "an" : "a",
                                kindName(t.kind), m.info.format == Format::Pt2 ? ": leave it out" : ""));
  }
  if (a.kind != ValueKind::Tensor)
    return badInput(port, fmt::format("is {}, found a {}", spellType(m, t), kindName(a.kind)));
  if (t.element != DType::Unknown && t.element != a.dtype)
    return badInput(port, fmt::format("is {}, found {}", spellType(m, t), arrayText(a)));
  if (t.hasRank) {
    if (t.dims.size() != a.shape.size())
      return badInput(port, fmt::format("is {} of rank {}, found {}", spellType(m, t), t.dims.size(), arrayText(a)));
    if (auto problem = bindSizes(port, t, a))
      return *problem;
  }
  const auto strides = recordedStrides(t, a);
  return fromArray(a, strides ? &*strides : nullptr);
}

std::optional<Sizes> ExecutorImpl::recordedStrides(const Type &t, const Array &a) const {
  if (!t.hasRank || !t.hasStrides || m.info.dialect != Dialect::Torch || t.strides.size() != a.shape.size())
    return std::nullopt;
  Sizes strides;
  for (std::size_t i = 0; i < t.strides.size(); ++i) {
    auto s = m.dims.asConstant(t.strides[i]);
    if (!s) {
      // A symbol stands for the size that this input has there.
      Assignment sizes = interpreter.symbols;
      for (std::size_t k = 0; k < t.dims.size(); ++k)
        if (const auto symbols = m.dims.symbolsOf(t.dims[k]);
            symbols.size() == 1 && symbols[0].name == m.dims.str(t.dims[k]))
          sizes.emplace_back(symbols[0].name, a.shape[k]);
      s = m.dims.evaluate(t.strides[i], sizes);
    }
    if (!s)
      return std::nullopt;
    strides.push_back(*s);
  }
  return isApart(a.shape, strides) ? std::optional(std::move(strides)) : std::nullopt;
}

std::optional<Error> ExecutorImpl::bindSizes(const Port &port, const Type &t, const Array &a) {
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    const auto constant = m.dims.asConstant(t.dims[i]);
    if (constant && *constant != a.shape[i])
      return badInput(port, fmt::format("is {}, found {}: axis {} has {} elements instead of {}", spellType(m, t),
                                        arrayText(a), i, a.shape[i], *constant));
    if (!constant && t.dims[i].known())
      bounds.push_back({t.dims[i], a.shape[i], fmt::format("axis {} of input '{}'", i, port.name), false});
  }
  return std::nullopt;
}

namespace {

/// \p declared as a multiple of its one symbol, and more: 2*s0 + 1. Nothing where it is no such sum.
struct LinearSize {
  std::int64_t factor = 0, rest = 0;
};
std::optional<LinearSize> linearIn(const DimTable &dims, Dim declared, const std::string &symbol) {
  const auto at = [&](std::int64_t value) { return dims.evaluate(declared, Assignment{{symbol, value}}); };
  const auto first = at(0), second = at(1);
  if (!first || !second || *first == *second)
    return std::nullopt;
  const LinearSize size{*second - *first, *first};
  // A remainder or a minimum is a line for a while.
  for (const std::int64_t far : {std::int64_t{2}, std::int64_t{5}, std::int64_t{1000003}, std::int64_t{1} << 31}) {
    const auto there = at(far);
    if (!there || *there != size.factor * far + size.rest)
      return std::nullopt;
  }
  return size;
}

/// Why \p s cannot be \p value; empty when it can. As torch: a declared minimum of up to 2
/// says how the model was traced, no more.
std::string outsideOf(const Symbol &s, std::int64_t value) {
  const bool outside = (s.bounds.min > 2 && value < s.bounds.min) || value > s.bounds.max;
  if (s.origin != SymbolOrigin::Declared || !outside)
    return {};
  return fmt::format("which the model declares to be at least {}{}", s.bounds.min,
                     s.bounds.max == INT64_MAX ? "" : " and at most " + std::to_string(s.bounds.max));
}

} // namespace

std::optional<Error> ExecutorImpl::bindSymbol(const Bound &b, bool bare) {
  Assignment &symbols = interpreter.symbols;
  const auto fail = [&](std::string message) { return Error{m.info.path, b.place, std::move(message), {}}; };
  const auto used = m.dims.symbolsOf(b.declared);
  const std::string text = m.dims.str(b.declared);
  if (used.size() != 1 || (used[0].name == text) != bare)
    return std::nullopt;
  const Symbol &s = used[0];
  const auto known = std::ranges::find(symbols, s.name, [](const auto &p) { return std::string_view(p.first); });
  if (known != symbols.end()) { // expressions are compared in the end
    if (bare && known->second != b.size && m.info.dialect == Dialect::Torch)
      return fail(fmt::format("has {} elements, but {} is {} by another input", b.size, s.name, known->second));
    return std::nullopt;
  }
  std::int64_t value = b.size;
  if (!bare) {
    const auto size = m.info.dialect == Dialect::Torch ? linearIn(m.dims, b.declared, s.name) : std::nullopt;
    if (!size)
      return std::nullopt;
    if ((b.size - size->rest) % size->factor != 0)
      return fail(fmt::format("is {}, but {} is that for no whole {}", b.size, text, s.name));
    value = (b.size - size->rest) / size->factor;
  }
  if (const std::string why = outsideOf(s, value); !why.empty())
    return fail(bare ? fmt::format("is {} = {}, {}", text, value, why)
                     : fmt::format("is {} = {}, so that {} is {}, {}", text, b.size, s.name, value, why));
  symbols.emplace_back(s.name, value);
  return std::nullopt;
}

/// Symbols that stand alone get their values, then those of which there are multiples and
/// sums alone; expressions are compared with them.
std::optional<Error> ExecutorImpl::bindSymbols() {
  const Assignment &symbols = interpreter.symbols;
  for (const bool bare : {true, false})
    for (const Bound &b : bounds)
      if (auto problem = bindSymbol(b, bare))
        return problem;
  const auto fail = [&](const Bound &b, std::string message) {
    return Error{m.info.path, b.place, std::move(message), {}};
  };
  for (const Bound &b : bounds) {
    const auto value = m.dims.evaluate(b.declared, symbols);
    if (value && *value != b.size && m.info.dialect == Dialect::Torch && b.isNumber)
      return fail(b, m.dims.asConstant(b.declared)
                         ? fmt::format("is {}, but the model was exported for {} alone", b.size, *value)
                         : fmt::format("is {}, but {} is {} here", b.size, m.dims.str(b.declared), *value));
    if (value && *value != b.size && m.info.dialect == Dialect::Torch)
      return fail(b, fmt::format("has {} elements, but {} is {} here", b.size, m.dims.str(b.declared), *value));
  }
  return std::nullopt;
}

} // namespace condlint
