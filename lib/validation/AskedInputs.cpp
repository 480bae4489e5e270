//===- AskedInputs.cpp - Inputs that predicates ask for -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AskedInputs.h"
#include "condlint/Op.h"
#include "graph/DimRelation.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace condlint {

namespace {

/// Draws that are made for one model because of its predicates.
constexpr std::size_t mostAsked = 16;
constexpr std::int64_t largestSize = 4096; ///< of tensors that are made

/// The one number in \p v, as an expression over the model's symbols.
Dim numberIn(const Model &m, ValueId v) {
  const ContentId content = v ? m[v].content : ContentId();
  return content && m.content(content).size() == 1 ? m.content(content)[0] : Dim();
}

class Asking {
public:
  Asking(Model &model, std::span<const Conditional> all) : m(model), conditionals(all) {
    findNumbers();
    findAssertions();
  }

  std::vector<AskedInputs> run() {
    bool isOpen = false; ///< of some predicate nothing was understood
    if (!asserted.notNegative.empty() || !ranged.empty())
      ask(asserted);
    for (const Conditional &c : conditionals) {
      if (c.predicateKind != PredicateKind::Value || !c.predicate)
        continue;
      bool understood = false;
      for (const bool truth : {true, false}) {
        Wishes wishes = asserted;
        if (!wishFor(m, c.predicate, truth, wishes))
          continue;
        understood = true;
        addOuter(c, wishes);
        ask(wishes);
      }
      isOpen = isOpen || (!understood && m[c.predicate].origin == ValueOrigin::Result && !m[c.predicate].content);
    }
    // What is computed asks most often whether a size is 1.
    constexpr std::size_t mostSizes = 4;
    if (isOpen && m.info.dialect == Dialect::Onnx && m.main())
      for (std::size_t i = 0; const Symbol &s : sizesOfInputs())
        if (i++ < mostSizes && s.bounds.contains(1))
          add({{{s.name, 1}}, {}});
    return std::move(asked);
  }

private:
  /// The tensors whose numbers the model reads, by the symbol that it calls each.
  void findNumbers() {
    for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
      const NodeId n(i);
      const OpDef *definition = m[m[n].op].definition;
      if (!definition || definition->name != "item" || m.resultCount(n) != 1 || m.operands(n).empty())
        continue;
      const Dim number = numberIn(m, m.result(n, 0));
      if (const auto symbol = number.known() ? m.dims.asSymbol(number) : std::nullopt) {
        numbers.emplace(symbol->name, m.operands(n)[0]);
        const Interval usual{0, std::numeric_limits<std::int64_t>::max()};
        if (symbol->bounds.min > usual.min || symbol->bounds.max < usual.max)
          ranged.push_back(number);
      }
    }
  }

  /// What the model's main graph asserts of numbers.
  void findAssertions() {
    if (!m.main())
      return;
    for (const NodeId n : m.nodes(m.main())) {
      const OpDef *definition = m[m[n].op].definition;
      const auto given = m.operands(n);
      if (definition && definition->name == "assert" && !given.empty() && given[0])
        wishFor(m, given[0], true, asserted);
    }
    for (const Dim d : ranged) // the bounds of its symbol are what is asked of it
      asserted.notNegative.push_back(m.dims.sub(d, m.dims.constant(m.dims.boundsOf(d).min)));
  }

  /// The conditionals around \p c go the way that leads to it, where that was understood.
  void addOuter(const Conditional &c, Wishes &wishes) {
    for (GraphId g = m[c.node].graph; g && m[g].owner; g = m[m[g].owner].graph)
      for (const Conditional &outer : conditionals)
        if (outer.node == m[g].owner && outer.predicate && outer.hasBothBranches())
          wishFor(m, outer.predicate, outer.branches[0].graph == g, wishes);
  }

  void ask(const Wishes &wishes) {
    AskedInputs wanted;
    wanted.values = wishes.values;
    if (!wishes.notNegative.empty()) {
      const auto found = valuesFor(m.dims, wishes.notNegative);
      if (!found)
        return;
      Wishes more{{}, wanted.values};
      for (const auto &[name, value] : *found) {
        const auto read = numbers.find(name);
        if (read != numbers.end())
          wishForNumber(m, read->second, static_cast<double>(value), more);
        else
          wanted.sizes.emplace_back(name, value);
      }
      wanted.values = std::move(more.values);
    }
    add(std::move(wanted));
  }

  void add(AskedInputs wanted) {
    const auto isTooLarge = [&](const auto &size) { return size.second > largestSize && isSize(size.first); };
    if ((!wanted.sizes.empty() || !wanted.values.empty()) && asked.size() < mostAsked &&
        std::ranges::none_of(wanted.sizes, isTooLarge) && std::ranges::find(asked, wanted) == asked.end())
      asked.push_back(std::move(wanted));
  }

  bool isSize(std::string_view name) {
    const std::vector<Symbol> sizes = sizesOfInputs();
    return std::ranges::find(sizes, name, &Symbol::name) != sizes.end();
  }

  /// The sizes of the model's inputs that are not fixed.
  std::vector<Symbol> sizesOfInputs() const {
    std::vector<Symbol> sizes;
    const Range inputs = m[m.main()].parameters;
    for (std::uint32_t i = 0; i < inputs.count; ++i) {
      const Type &t = m.type(ValueId(inputs.first + i));
      for (const Dim d : t.hasRank ? t.dims : std::span<const Dim>())
        for (const Symbol &symbol : m.dims.symbolsOf(d))
          if (std::ranges::find(sizes, symbol.name, &Symbol::name) == sizes.end())
            sizes.push_back(symbol);
    }
    return sizes;
  }

  Model &m;
  std::span<const Conditional> conditionals;
  std::map<std::string, ValueId, std::less<>> numbers; ///< read from tensors
  std::vector<Dim> ranged;                             ///< those that the model bounds
  Wishes asserted;
  std::vector<AskedInputs> asked;
};

} // namespace

bool operator==(const AskedInputs &a, const AskedInputs &b) {
  return a.sizes == b.sizes && std::ranges::equal(a.values, b.values, [](const WishedValue &x, const WishedValue &y) {
           return x.input == y.input && x.number == y.number && x.everywhere == y.everywhere;
         });
}

std::vector<AskedInputs> askedInputs(Model &m, std::span<const Conditional> conditionals) {
  return Asking(m, conditionals).run();
}

void putAsked(const AskedInputs &asked, const Executor::Port &port, Array &array) {
  const auto wish = std::ranges::find(asked.values, port.value, &WishedValue::input);
  const std::size_t width = elementBytes(array.dtype);
  if (wish == asked.values.end() || array.kind != ValueKind::Tensor || array.bytes.empty() || width == 0)
    return;
  const auto count = static_cast<std::int64_t>(array.bytes.size() / width);
  const auto bytes = std::make_shared<std::string>(array.bytes.size(), '\0');
  for (std::int64_t k = 0; k < count; ++k) {
    const double number = wish->everywhere || k == 0 ? wish->number : 0;
    if (isIntegral(array.dtype) || array.dtype == DType::Bool)
      storeElement<std::int64_t>(array.dtype, bytes->data(), k, static_cast<std::int64_t>(number));
    else
      storeElement<double>(array.dtype, bytes->data(), k, number);
  }
  array.bytes = *bytes;
  array.keepAlive = bytes;
}

} // namespace condlint
