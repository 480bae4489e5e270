//===- Inputs.cpp - What a run is given, or draws -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecutorImpl.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

std::string typeText(const Model &m, const Type &t) {
  if (!t.isTensor())
    return std::string(kindName(t.kind));
  std::string text(dtypeName(t.element));
  if (!t.hasRank)
    return text;
  text += '[';
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    text += (i != 0 ? ", " : "") + m.dims.str(t.dims[i]);
  return text + ']';
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
      bound.emplace_back();
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
    const auto number = loadElement<std::int64_t>(a.dtype, a.bytes.data(), 0);
    const ContentId content = m[port.value].content;
    if (content && m.content(content).size() == 1 && t.kind != ValueKind::SymFloat)
      bounds.push_back({m.content(content)[0], number, "input '" + port.name + "'", true});
    if (t.kind == ValueKind::SymFloat)
      return RuntimeValue::ofFloat(loadElement<double>(a.dtype, a.bytes.data(), 0));
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
  default:
    return badInput(port, fmt::format("is a {}, which condlint cannot be given", kindName(t.kind)));
  }
  if (a.kind != ValueKind::Tensor)
    return badInput(port, fmt::format("is {}, found a {}", typeText(m, t), kindName(a.kind)));
  if (t.element != DType::Unknown && t.element != a.dtype)
    return badInput(port, fmt::format("is {}, found {}", typeText(m, t), arrayText(a)));
  if (t.hasRank) {
    if (t.dims.size() != a.shape.size())
      return badInput(port, fmt::format("is {} of rank {}, found {}", typeText(m, t), t.dims.size(), arrayText(a)));
    if (auto problem = bindSizes(port, t, a))
      return *problem;
  }
  Sizes strides;
  const bool laidOut = t.hasRank && t.hasStrides && m.info.dialect == Dialect::Torch;
  for (std::size_t i = 0; laidOut && i < t.strides.size(); ++i) {
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
      break;
    strides.push_back(*s);
  }
  // Only what is dense: every element lies within as many.
  bool dense = laidOut && strides.size() == t.strides.size();
  std::int64_t reach = 1;
  for (std::size_t i = 0; dense && i < strides.size(); ++i) {
    dense = strides[i] > 0 && strides[i] < (std::int64_t{1} << 40);
    reach += dense ? (a.shape[i] - 1) * strides[i] : 0;
  }
  dense = dense && elementCount(a.shape).value_or(-1) == reach;
  return fromArray(a, dense ? &strides : nullptr);
}

std::optional<Error> ExecutorImpl::bindSizes(const Port &port, const Type &t, const Array &a) {
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    const auto constant = m.dims.asConstant(t.dims[i]);
    if (constant && *constant != a.shape[i])
      return badInput(port, fmt::format("is {}, found {}: axis {} has {} elements instead of {}", typeText(m, t),
                                        arrayText(a), i, a.shape[i], *constant));
    if (!constant && t.dims[i].known())
      bounds.push_back({t.dims[i], a.shape[i], fmt::format("axis {} of input '{}'", i, port.name), false});
  }
  return std::nullopt;
}

/// Symbols that stand alone get their values; expressions are compared with them.
std::optional<Error> ExecutorImpl::bindSymbols() {
  Assignment &symbols = interpreter.symbols;
  const auto find = [&](std::string_view name) {
    return std::ranges::find(symbols, name, [](const auto &p) { return std::string_view(p.first); });
  };
  const auto fail = [&](const Bound &b, std::string message) {
    return Error{m.info.path, b.place, std::move(message), {}};
  };
  for (const Bound &b : bounds) {
    const auto used = m.dims.symbolsOf(b.declared);
    if (used.size() != 1 || used[0].name != m.dims.str(b.declared))
      continue;
    const Symbol &s = used[0];
    if (const auto known = find(s.name); known != symbols.end()) {
      if (known->second != b.size && m.info.dialect == Dialect::Torch)
        return fail(b, fmt::format("has {} elements, but {} is {} by another input", b.size, s.name, known->second));
      continue;
    }
    // As torch: a declared minimum of up to 2 says how the model was traced, no more.
    const bool declared = s.origin == SymbolOrigin::Declared;
    if (declared && ((s.bounds.min > 2 && b.size < s.bounds.min) || b.size > s.bounds.max)) {
      const std::string most = s.bounds.max == INT64_MAX ? "" : " and at most " + std::to_string(s.bounds.max);
      return fail(b, fmt::format("is {} = {}, which the model declares to be at least {}{}", s.name, b.size,
                                 s.bounds.min, most));
    }
    symbols.emplace_back(s.name, b.size);
  }
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

Expected<std::vector<RuntimeValue>> ExecutorImpl::draw(std::uint64_t seed, std::uint32_t draw,
                                                       const Assignment &fixed) {
  return orError([&] { return drawAll(seed, draw, fixed); });
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::drawAll(std::uint64_t seed, std::uint32_t draw,
                                                          const Assignment &fixed) {
  // One value for each symbol of the inputs: small at first.
  Assignment chosen = fixed;
  Philox sizes{seed, (std::uint64_t{1} << 32) + draw};
  std::uint64_t drawn = 0;
  const auto sizeOf = [&](Dim d) -> std::int64_t {
    for (const Symbol &s : m.dims.symbolsOf(d)) {
      if (std::ranges::any_of(chosen, [&](const auto &p) { return p.first == s.name; }))
        continue;
      const std::int64_t low = std::max<std::int64_t>(s.bounds.min, s.origin == SymbolOrigin::Declared ? 0 : 1);
      const std::int64_t start = std::clamp<std::int64_t>(2, low, std::max(low, s.bounds.max));
      const std::int64_t room = s.bounds.max - start;
      const auto spread = static_cast<std::uint64_t>(std::min<std::int64_t>(room, 2 * static_cast<std::int64_t>(draw)));
      chosen.emplace_back(s.name, start + static_cast<std::int64_t>(sizes.bits(drawn++) % (spread + 1)));
    }
    return d.known() ? m.dims.evaluate(d, chosen).value_or(2) : 2;
  };
  std::vector<Array> arrays;
  std::vector<std::shared_ptr<std::string>> kept;
  for (std::size_t i = 0; i < inputPorts.size(); ++i) {
    const Port &port = inputPorts[i];
    const Type &t = m.types[port.type];
    if (m[port.value].constant)
      continue;
    Philox random{seed, (std::uint64_t{draw} << 16) + i};
    Array a;
    a.name = port.name;
    auto bytes = std::make_shared<std::string>();
    const auto numbers = [&](DType type, std::int64_t count, bool counts) {
      a.dtype = type;
      if (type == DType::String) {
        for (std::int64_t k = 0; k < count; ++k)
          a.strings.emplace_back(1, static_cast<char>('a' + random.bits(static_cast<std::uint64_t>(k)) % 26));
        return;
      }
      bytes->assign(static_cast<std::size_t>(count) * elementBytes(type), '\0');
      for (std::int64_t k = 0; k < count; ++k) {
        const auto at = static_cast<std::uint64_t>(k);
        if (type == DType::Bool)
          storeElement<std::int64_t>(type, bytes->data(), k, static_cast<std::int64_t>(random.bits(at) & 1));
        else if (isIntegral(type))
          storeElement<std::int64_t>(type, bytes->data(), k,
                                     static_cast<std::int64_t>(random.bits(at) % (counts ? 4 : 3)));
        else
          storeElement<ComplexDouble>(
              type, bytes->data(), k,
              ComplexDouble(random.normal(2 * at), isComplex(type) ? random.normal(2 * at + 1) : 0));
      }
    };
    if (t.kind == ValueKind::SymInt || t.kind == ValueKind::SymBool || t.kind == ValueKind::SymFloat) {
      numbers(t.kind == ValueKind::SymInt    ? DType::Int64
              : t.kind == ValueKind::SymBool ? DType::Bool
                                             : DType::Float64,
              1, true);
      const ContentId content = m[port.value].content;
      if (t.kind != ValueKind::SymFloat && content && m.content(content).size() == 1)
        storeElement<std::int64_t>(a.dtype, bytes->data(), 0, sizeOf(m.content(content)[0]));
    } else if (t.isTensor() && t.element != DType::Unknown && t.hasRank) {
      for (Dim d : t.dims)
        a.shape.push_back(m.dims.asConstant(d).value_or(0));
      for (std::size_t k = 0; k < a.shape.size(); ++k)
        if (!m.dims.asConstant(t.dims[k]))
          a.shape[k] = sizeOf(t.dims[k]);
      const auto count = elementCount(a.shape);
      if (!count || *count > (std::int64_t{1} << 31))
        return badInput(port, fmt::format("cannot be drawn: {} has too many elements", shapeText(a.shape)));
      numbers(t.element, *count, false);
    } else if (isOptional(i)) {
      continue;
    } else {
      return badInput(port, fmt::format("cannot be drawn: the file says no more of it than {}", typeText(m, t)));
    }
    a.bytes = *bytes;
    a.keepAlive = bytes;
    arrays.push_back(std::move(a));
  }
  return bind(arrays);
}

} // namespace condlint
