//===- Draw.cpp - Inputs that nobody gives --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecutorImpl.h"
#include "graph/TypeWords.h"
#include "ops/InferState.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <unordered_map>

namespace condlint {

namespace {

/// Operators that take every integer, and pass numbers like it on.
bool takesEveryInteger(std::string_view name) {
  constexpr std::array<std::string_view, 34> arithmetic{
      "abs",     "add",  "alias",      "amax",       "cast",       "clone",     "contiguous", "detach", "extreme",
      "flatten", "flip", "identity",   "item",       "maximum",    "mean",      "minimum",    "mul",    "neg",
      "permute", "relu", "reduce_max", "reduce_min", "reduce_sum", "reshape",   "sign",       "square", "squeeze",
      "sub",     "sum",  "to",         "to_copy",    "transpose",  "unsqueeze", "t",
  };
  return std::ranges::find(arithmetic, name) != arithmetic.end();
}

/// Operators that take every integer, of which nothing else comes.
bool decidesByIntegers(std::string_view name) {
  constexpr std::array<std::string_view, 10> tests{
      "equal",         "not_equal",   "less",       "less_equal",  "greater",
      "greater_equal", "logical_and", "logical_or", "logical_not", "any"};
  return std::ranges::find(tests, name) != tests.end();
}

/// The inputs of one draw, inside the declared shapes and ranges. The same draw of the same
/// seed is the same.
class Drawing {
public:
  Drawing(const Model &model, std::uint64_t s, std::uint32_t number, const Assignment &fixed)
      : m(model), seed(s), draw(number), chosen(fixed), least(fixed.size()),
        sizes{s, (std::uint64_t{1} << 32) + number} {}

  /// The value of an input of type \p t, the \p i-th. The error says why there is none.
  Expected<Array> value(ValueId v, const Type &t, ContentId content, std::size_t i) {
    const std::uint64_t stream = (std::uint64_t{draw} << 16) + i;
    switch (t.kind) {
    case ValueKind::SymInt:
    case ValueKind::SymBool:
    case ValueKind::SymFloat:
      return number(t, content, stream);
    case ValueKind::Sequence:
      return sequence(t, stream);
    default:
      return tensor(t, stream, t.isTensor() && isIntegral(t.element) && isArithmetic(v));
    }
  }

private:
  /// One value for each symbol of the inputs: small at first. The first symbol takes one after the other, for what
  /// happens for one size alone; the others are drawn, so that they are not always equal.
  std::int64_t sizeOf(Dim d) {
    for (const Symbol &s : m.dims.symbolsOf(d)) {
      if (std::ranges::any_of(chosen, [&](const auto &p) { return p.first == s.name; }))
        continue;
      const std::int64_t low = std::max<std::int64_t>(s.bounds.min, s.origin == SymbolOrigin::Declared ? 0 : 1);
      const std::int64_t start = std::clamp<std::int64_t>(2, low, std::max(low, s.bounds.max));
      if (const auto other = otherNumber(s)) {
        chosen.emplace_back(s.name, *other);
        least.push_back(*other);
        continue;
      }
      const auto choices = static_cast<std::uint64_t>(std::max<std::int64_t>(s.bounds.max - start, 0)) + 1;
      const std::uint64_t more =
          drawn == 0 ? draw % choices
                     : sizes.bits(drawn) % std::min<std::uint64_t>(choices, std::uint64_t{2} * draw + 1);
      ++drawn;
      least.push_back(std::max<std::int64_t>(low, 1));
      chosen.emplace_back(s.name, start + static_cast<std::int64_t>(more));
    }
    return d.known() ? m.dims.evaluate(d, chosen).value_or(2) : 2;
  }

  /// A number that may be negative and is no size: some draws have a negative one, some a large one.
  std::optional<std::int64_t> otherNumber(const Symbol &s) const {
    if (s.bounds.min >= 0 || draw % 3 == 0)
      return std::nullopt;
    const std::int64_t number =
        draw % 3 == 1 ? -1 - static_cast<std::int64_t>(draw) : 100 + static_cast<std::int64_t>(draw);
    return std::clamp(number, s.bounds.min, s.bounds.max);
  }

  /// No node takes what is computed of the numbers in \p v for places or sizes: every integer will do.
  bool isArithmetic(ValueId v) {
    constexpr std::size_t most = 256;
    if (users.empty())
      findUsers();
    std::vector<ValueId> todo{v};
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (todo.size() > most)
        return false;
      for (const auto &[node, at] : users[todo[i]]) {
        const OpDef *definition = m[m[node].op].definition;
        if (!definition)
          return false;
        if (decidesByIntegers(definition->name))
          continue;
        if (has(definition->traits, OpTrait::Conditional)) {
          for (const GraphId g : m.regions(node))
            for (std::uint32_t k = 0; g && k < m[g].parameters.count; ++k)
              if (const auto given = regionOperands(m, node); k < given.size() && given[k] == todo[i])
                todo.emplace_back(m[g].parameters.first + k);
          continue;
        }
        const bool isOnly = m.operands(node).size() == 1 || definition->name == "add" || definition->name == "sub" ||
                            definition->name == "mul" || definition->name == "maximum" || definition->name == "minimum";
        if (!takesEveryInteger(definition->name) || (at != 0 && !isOnly))
          return false;
        for (std::size_t r = 0; r < m.resultCount(node); ++r)
          if (const ValueId result = m.result(node, r); std::ranges::find(todo, result) == todo.end())
            todo.push_back(result);
      }
    }
    return true;
  }

  void findUsers() {
    for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
      for (std::size_t at = 0; at < m.operands(NodeId(n)).size(); ++at)
        if (const ValueId v = m.operands(NodeId(n))[at])
          users[v].emplace_back(NodeId(n), at);
  }

  Sizes shapeOf(const Type &t) {
    Sizes shape;
    for (Dim d : t.dims)
      shape.push_back(m.dims.asConstant(d) ? *m.dims.asConstant(d) : sizeOf(d));
    return shape;
  }

  /// A shape of \p t that nobody waits for: the symbols that it is the first to have are as small as they may be, one
  /// after the other, while it has too many elements.
  Sizes moderateShapeOf(const Type &t) {
    constexpr std::int64_t enough = 1 << 18;
    const std::size_t before = chosen.size();
    Sizes shape = shapeOf(t);
    for (std::size_t last = chosen.size(); last > before && elementCount(shape).value_or(enough) >= enough; --last) {
      chosen[last - 1].second = std::min(chosen[last - 1].second, least[last - 1]);
      shape = shapeOf(t);
    }
    return shape;
  }

  Expected<Array> number(const Type &t, ContentId content, std::uint64_t stream) {
    Array a;
    const DType element = t.kind == ValueKind::SymInt    ? DType::Int64
                          : t.kind == ValueKind::SymBool ? DType::Bool
                                                         : DType::Float64;
    const auto bytes = fill(a, element, 1, stream, true, false);
    if (t.kind != ValueKind::SymFloat && content && m.content(content).size() == 1)
      storeElement<std::int64_t>(element, bytes->data(), 0, sizeOf(m.content(content)[0]));
    return a;
  }

  Expected<Array> tensor(const Type &t, std::uint64_t stream, bool everyInteger = false) {
    if (!t.isTensor() || t.element == DType::Unknown || !t.hasRank)
      return Error{{}, {}, fmt::format("the file says no more of it than {}", spellType(m, t)), {}};
    Array a;
    a.shape = moderateShapeOf(t);
    const auto count = elementCount(a.shape);
    if (!count || *count > (std::int64_t{1} << 31))
      return Error{{}, {}, fmt::format("{} has too many elements", shapeText(a.shape)), {}};
    fill(a, t.element, *count, stream, false, everyInteger);
    return a;
  }

  /// One to three tensors: of an empty sequence few models do anything.
  Expected<Array> sequence(const Type &t, std::uint64_t stream) {
    constexpr std::uint64_t most = 3;
    Array list;
    list.kind = ValueKind::Sequence;
    const std::uint64_t length = 1 + Philox{seed, stream}.bits(0) % most;
    for (std::uint64_t k = 0; k < length; ++k) {
      auto item = tensor(m.types[t.item], stream + ((k + 1) << 48));
      if (!item)
        return Error{{}, {}, "of a sequence, " + item.error().message, {}};
      list.dtype = item->dtype;
      list.items.push_back(std::move(*item));
    }
    return list;
  }

  /// Small integers; of \p every kind in some draws: negative ones, large ones.
  std::int64_t integer(DType type, std::uint64_t bits, bool every) const {
    if (!every || draw % 3 == 0)
      return static_cast<std::int64_t>(bits % 3);
    const std::int64_t reach = draw % 3 == 1            ? 3
                               : elementBytes(type) < 2 ? 100
                               : elementBytes(type) < 4 ? 10000
                                                        : 100000;
    const auto number = static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
    return isSigned(type) ? number : std::abs(number);
  }

  /// Gives \p a \p count elements; those of an integer that \p counts are a little larger.
  std::shared_ptr<std::string> fill(Array &a, DType type, std::int64_t count, std::uint64_t stream, bool counts,
                                    bool everyInteger) const {
    const Philox random{seed, stream};
    const auto bytes = std::make_shared<std::string>();
    a.dtype = type;
    if (type == DType::String) {
      for (std::int64_t k = 0; k < count; ++k)
        a.strings.emplace_back(1, static_cast<char>('a' + random.bits(static_cast<std::uint64_t>(k)) % 26));
      return bytes;
    }
    bytes->assign(static_cast<std::size_t>(count) * elementBytes(type), '\0');
    for (std::int64_t k = 0; k < count; ++k) {
      const auto at = static_cast<std::uint64_t>(k);
      if (type == DType::Bool)
        storeElement<std::int64_t>(type, bytes->data(), k, static_cast<std::int64_t>(random.bits(at) & 1));
      else if (isIntegral(type))
        storeElement<std::int64_t>(type, bytes->data(), k,
                                   counts ? static_cast<std::int64_t>(random.bits(at) % 4)
                                          : integer(type, random.bits(at), everyInteger));
      else
        storeElement<ComplexDouble>(
            type, bytes->data(), k,
            ComplexDouble(random.normal(2 * at), isComplex(type) ? random.normal(2 * at + 1) : 0));
    }
    a.bytes = *bytes;
    a.keepAlive = bytes;
    return bytes;
  }

  const Model &m;
  std::uint64_t seed;
  std::uint32_t draw;
  Assignment chosen;
  std::vector<std::int64_t> least; ///< by what was chosen: as small as it may be without being empty
  Philox sizes;
  std::uint64_t drawn = 0;                                                        ///< numbers for sizes so far
  std::unordered_map<ValueId, std::vector<std::pair<NodeId, std::size_t>>> users; ///< with the operand that it is
};

} // namespace

Expected<std::vector<RuntimeValue>> ExecutorImpl::draw(std::uint64_t seed, std::uint32_t draw,
                                                       const Assignment &fixed) {
  return orError([&] { return drawAll(seed, draw, fixed); });
}

Expected<std::vector<RuntimeValue>> ExecutorImpl::drawAll(std::uint64_t seed, std::uint32_t draw,
                                                          const Assignment &fixed) {
  Drawing drawing(m, seed, draw, fixed);
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < inputPorts.size(); ++i) {
    const Port &port = inputPorts[i];
    if (m[port.value].constant || m[port.value].role == ParameterRole::ScalarInput)
      continue; // the file holds it
    auto drawn = drawing.value(port.value, m.types[port.type], m[port.value].content, i);
    if (!drawn && isOptional(i))
      continue;
    if (!drawn)
      return badInput(port, "cannot be drawn: " + drawn.error().message);
    drawn->name = port.name;
    arrays.push_back(std::move(*drawn));
  }
  return bind(arrays);
}

} // namespace condlint
