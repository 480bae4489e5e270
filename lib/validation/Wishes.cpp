//===- Wishes.cpp - What inputs make a predicate go one way ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the predicate back to the inputs: a comparison with a number asks for a
// number on its other side, arithmetic with a number is undone, a reduction asks
// the same of each element, or of one where it adds them up. What is wished is
// tried by running, so that a way that does not hold in all cases (a layer that
// mixes elements) costs a draw and says nothing wrong.
//
//===----------------------------------------------------------------------===//
#include "Wishes.h"
#include "condlint/Op.h"
#include "graph/DimRelation.h"
#include "ops/Convert.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace condlint {

namespace {

constexpr unsigned mostSteps = 64; ///< from a predicate to an input
constexpr unsigned mostDepth = 8;  ///< of And, Or and Not

template <std::size_t N> bool isOneOf(std::string_view name, const std::array<std::string_view, N> &names) {
  return std::ranges::find(names, name) != names.end();
}

/// Pass elements on, or some of them.
constexpr std::array<std::string_view, 41> passing{
    "identity", "alias",     "detach",  "clone",   "lift_fresh_copy", "contiguous",    "to_copy",    "to",
    "cast",     "cast_like", "type_as", "reshape", "flatten",         "unflatten",     "permute",    "transpose",
    "t",        "unsqueeze", "squeeze", "expand",  "select",          "slice",         "narrow",     "split",
    "chunk",    "unbind",    "gather",  "amax",    "extreme",         "mean",          "reduce_max", "reduce_min",
    "item",     "ceil",      "floor",   "round",   "trunc",           "scalar_to_int", "scalar_pos", "flip",
    "conj",
};

/// "less", … of the comparison \p name; empty for another operator.
std::string_view comparisonOf(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> known{{
      {"equal", "equal"},
      {"not_equal", "not_equal"},
      {"less", "less"},
      {"less_equal", "less_equal"},
      {"greater", "greater"},
      {"greater_equal", "greater_equal"},
      {"scalar_eq", "equal"},
      {"scalar_ne", "not_equal"},
      {"scalar_lt", "less"},
      {"scalar_le", "less_equal"},
      {"scalar_gt", "greater"},
      {"scalar_ge", "greater_equal"},
  }};
  const auto it = std::ranges::find(known, name, [](const auto &p) { return p.first; });
  return it == known.end() ? std::string_view() : it->second;
}

std::string_view mirrored(std::string_view comparison) {
  return comparison == "less"            ? "greater"
         : comparison == "less_equal"    ? "greater_equal"
         : comparison == "greater"       ? "less"
         : comparison == "greater_equal" ? "less_equal"
                                         : comparison;
}

/// How much more than a number is more, or less: in every type of which the number is.
double stepAt(double number) { return std::max(1.0, std::abs(number) / 8); }

/// A number for which `x COMPARISON limit` is \p truth.
double numberFor(std::string_view comparison, double limit, bool truth) {
  const double step = stepAt(limit);
  if (comparison == "equal" || comparison == "not_equal")
    return (comparison == "equal") == truth ? limit : limit + step;
  if (comparison == "greater" || comparison == "greater_equal")
    return truth ? limit + step : limit - step;
  return truth ? limit - step : limit + step;
}

class Wisher {
public:
  Wisher(Model &model, Wishes &into) : m(model), wishes(into) {}

  bool truth(ValueId v, bool wanted, unsigned depth) {
    for (unsigned step = 0; v && step < mostSteps; ++step) {
      if (const Dim d = numberIn(v); d.known() && !m.dims.asConstant(d) && isTruth(m.dims, d)) {
        wishes.notNegative.push_back(wanted ? m.dims.sub(d, m.dims.constant(1)) : m.dims.negate(d));
        return true;
      }
      if (const ValueId outer = passedFor(v)) {
        v = outer;
        continue;
      }
      if (m[v].origin == ValueOrigin::Parameter)
        return input(v, wanted ? 1 : 0, true);
      if (m[v].origin != ValueOrigin::Result)
        return false;
      const NodeId n = m[v].def;
      const std::string_view name = nameOf(n);
      const auto given = m.operands(n);
      if (given.empty() || !given[0])
        return false;
      if (const std::string_view how = comparisonOf(name); !how.empty())
        return comparison(n, how, wanted);
      const bool isAnd = name == "logical_and" || name == "bitwise_and" || name == "scalar_bitwise";
      if (isAnd || name == "logical_or" || name == "bitwise_or")
        return depth < mostDepth && both(given, wanted, depth + 1);
      if (name == "logical_not" || name == "bitwise_not" || name == "scalar_not") {
        wanted = !wanted;
      } else if (name == "isnan") {
        return number(given[0], wanted ? std::nan("") : 0);
      } else if (name == "isinf" || name == "isposinf" || name == "isneginf") {
        const double infinity = name == "isneginf" ? -HUGE_VAL : HUGE_VAL;
        return number(given[0], wanted ? infinity : 0);
      } else if (name == "isfinite") {
        return number(given[0], wanted ? 0 : std::nan(""));
      } else if (name != "any" && name != "truth_of_all" && !isOneOf(name, passing)) {
        return false;
      } else if (!isTrue(given[0]) && name != "any") {
        return number(given[0], wanted ? 1 : 0); // a number that is made a bool
      }
      v = given[0];
    }
    return false;
  }

  /// \p v is, or each of its elements, \p target.
  bool number(ValueId v, double target) {
    bool everywhere = true;
    for (unsigned step = 0; v && step < mostSteps; ++step) {
      if (const Dim d = numberIn(v);
          d.known() && !m.dims.asConstant(d) && std::trunc(target) == target && std::abs(target) < 1e15) {
        const Dim wanted = m.dims.constant(static_cast<std::int64_t>(target));
        wishes.notNegative.push_back(m.dims.sub(d, wanted));
        wishes.notNegative.push_back(m.dims.sub(wanted, d));
        return true;
      }
      if (const ValueId outer = passedFor(v)) {
        v = outer;
        continue;
      }
      if (m[v].origin == ValueOrigin::Parameter)
        return input(v, target, everywhere);
      if (m[v].origin != ValueOrigin::Result)
        return false;
      const NodeId n = m[v].def;
      const std::string_view name = nameOf(n), own = m.text(m[m[n].op].name);
      const auto given = m.operands(n);
      if (given.empty() || !given[0])
        return false;
      const bool isMean = own == "ReduceMean";
      if (name == "sum" || name == "reduce_sum" || own == "ReduceL1" || own == "ReduceL2" || name == "norm" ||
          name == "nansum") {
        if (target < 0 && name != "sum" && name != "reduce_sum" && name != "nansum")
          return false;
        everywhere = false;
      } else if (name == "count_nonzero") {
        return target >= 0 && target <= 1 && number(given[0], target);
      } else if (isMean || isOneOf(name, passing)) {
        // the same is asked of each element
      } else if (const auto before = undone(n, name, target)) {
        v = before->first;
        target = before->second;
        continue;
      } else {
        return false;
      }
      v = given[0];
    }
    return false;
  }

private:
  std::string_view nameOf(NodeId n) const {
    const OpDef *definition = m[m[n].op].definition;
    return definition ? definition->name : std::string_view();
  }

  bool isTrue(ValueId v) const {
    const Type &t = m.type(v);
    return t.kind == ValueKind::SymBool || (t.isTensor() && t.element == DType::Bool);
  }

  Dim numberIn(ValueId v) const {
    const ContentId content = m[v].content;
    return content && m.content(content).size() == 1 ? m.content(content)[0] : Dim();
  }

  /// What a branch receives as its parameter \p v.
  ValueId passedFor(ValueId v) const {
    const Value &x = m[v];
    const NodeId owner = x.origin == ValueOrigin::Parameter && x.graph ? m[x.graph].owner : NodeId();
    if (!owner || !nodeHas(m, owner, OpTrait::Conditional))
      return {};
    const std::vector<ValueId> given = regionOperands(m, owner);
    return x.index < given.size() ? given[x.index] : ValueId();
  }

  bool input(ValueId v, double target, bool everywhere) {
    if (m[v].graph != m.main() || m[v].role != ParameterRole::Input || m[v].constant)
      return false;
    const auto known = std::ranges::find(wishes.values, v, &WishedValue::input);
    if (known != wishes.values.end())
      return known->number == target && known->everywhere == everywhere;
    wishes.values.push_back({v, target, everywhere});
    return true;
  }

  bool both(std::span<const ValueId> given, bool wanted, unsigned depth) {
    bool any = false;
    for (const ValueId v : given)
      if (v) {
        Wishes own = wishes;
        if (Wisher(m, own).truth(v, wanted, depth)) {
          wishes = std::move(own);
          any = true;
        }
      }
    return any;
  }

  bool comparison(NodeId n, std::string_view how, bool wanted) {
    const auto given = m.operands(n);
    const auto limit = [&](std::size_t i) { return literal(n, i); };
    if (const Dim d = sizesCompared(n, how); d.known() && !m.dims.asConstant(d)) {
      wishes.notNegative.push_back(wanted ? m.dims.sub(d, m.dims.constant(1)) : m.dims.negate(d));
      return true;
    }
    if (const auto right = limit(1))
      return number(given[0], numberFor(how, *right, wanted));
    if (given.size() != 2 || !given[1])
      return false;
    if (const auto left = limit(0))
      return number(given[1], numberFor(mirrored(how), *left, wanted));
    // Two that are computed: one is 0.
    const Wishes before = wishes;
    if (number(given[1], 0) && number(given[0], numberFor(how, 0, wanted)))
      return true;
    wishes = before;
    // Of one input, or of something that is not followed: the first as large, or as small, as may be.
    return number(given[0], numberFor(how, how == "equal" || how == "not_equal" ? 0 : 1e4, wanted));
  }

  /// 1 where the sizes that \p n compares are as it asks, else 0; unknown where it compares something else.
  Dim sizesCompared(NodeId n, std::string_view how) {
    const auto given = m.operands(n);
    const Dim a = numberIn(given[0]);
    const auto whole = literal(n, 1);
    const Dim b = given.size() > 1 && given[1] ? numberIn(given[1])
                  : whole && std::trunc(*whole) == *whole && std::abs(*whole) < 1e15
                      ? m.dims.constant(static_cast<std::int64_t>(*whole))
                      : Dim();
    if (!a.known() || !b.known())
      return {};
    if (how == "equal" || how == "not_equal") {
      const Dim same = isEqual(m.dims, a, b);
      return how == "equal" ? same : isNot(m.dims, same);
    }
    return how == "less"         ? isLess(m.dims, a, b)
           : how == "less_equal" ? isLessOrEqual(m.dims, a, b)
           : how == "greater"    ? isLess(m.dims, b, a)
                                 : isLessOrEqual(m.dims, b, a);
  }

  /// The number that argument \p i of \p n is.
  std::optional<double> literal(NodeId n, std::size_t i) const {
    const auto given = m.operands(n);
    if (i < given.size() && given[i]) {
      if (const Dim d = numberIn(given[i]); const auto whole = d.known() ? m.dims.asConstant(d) : std::nullopt)
        return static_cast<double>(*whole);
      const auto real = m.real(given[i]);
      return real ? real : constantOf(given[i]);
    }
    const Attribute *a = m.attribute(n, "other");
    if (!a && m.attributes(n).size() > i)
      a = &m.attributes(n)[i];
    if (!a || i != 1)
      return std::nullopt;
    if (a->kind == AttributeKind::Int || a->kind == AttributeKind::Bool)
      return static_cast<double>(a->number);
    return a->kind == AttributeKind::Float ? std::optional(a->real) : std::nullopt;
  }

  /// The number in \p v, an initializer of one element or what a Constant makes.
  std::optional<double> constantOf(ValueId v) const {
    ConstantId data = m[v].origin == ValueOrigin::Constant ? m[v].constant : ConstantId();
    if (m[v].origin == ValueOrigin::Result && nameOf(m[v].def) == "constant") {
      if (const Attribute *a = m.attribute(m[v].def, "value_float"); a && a->kind == AttributeKind::Float)
        return a->real;
      if (const Attribute *a = m.attribute(m[v].def, "value"); a && a->kind == AttributeKind::Tensor)
        data = ConstantId(a->list.first);
    }
    const Type &t = m.type(v);
    if (!data || !isFloating(t.element) || m[data].bytes.size() != elementBytes(t.element))
      return std::nullopt;
    return loadElement<double>(t.element, m[data].bytes.data(), 0);
  }

  /// The operand of \p n, and what it must be so that the result is \p target.
  std::optional<std::pair<ValueId, double>> undone(NodeId n, std::string_view name, double target) const {
    const auto given = m.operands(n);
    const auto of = [&](double before) { return std::pair(given[0], before); };
    if (name == "neg" || name == "scalar_neg")
      return of(-target);
    if (name == "abs" || name == "scalar_abs" || name == "relu")
      return target >= 0 ? std::optional(of(target)) : std::nullopt;
    if (name == "square")
      return target >= 0 ? std::optional(of(std::sqrt(target))) : std::nullopt;
    if (name == "sqrt")
      return target >= 0 ? std::optional(of(target * target)) : std::nullopt;
    if (name == "exp")
      return target > 0 ? std::optional(of(std::log(target))) : std::nullopt;
    if (name == "log")
      return of(std::exp(std::min(target, 80.0)));
    if (name == "sigmoid")
      return target > 0 && target < 1 ? std::optional(of(std::log(target / (1 - target)))) : std::nullopt;
    if (name == "tanh")
      return target > -1 && target < 1 ? std::optional(of(std::atanh(target))) : std::nullopt;
    const auto right = literal(n, 1), left = literal(n, 0);
    if (!right && !left)
      return std::nullopt;
    const double k = right ? *right : *left;
    const ValueId x = right ? given[0] : given.size() > 1 ? given[1] : ValueId();
    if (!x)
      return std::nullopt;
    const auto before = [&](double value) { return std::optional(std::pair(x, value)); };
    if (name == "add" || name == "scalar_add")
      return before(target - k);
    if (name == "sub" || name == "scalar_sub")
      return before(right ? target + k : k - target);
    if ((name == "mul" || name == "scalar_mul") && k != 0)
      return before(target / k);
    if ((name == "div" || name == "scalar_truediv" || name == "scalar_floordiv") && right)
      return before(target * k);
    return std::nullopt;
  }

  Model &m;
  Wishes &wishes;
};

} // namespace

bool wishFor(Model &m, ValueId v, bool truth, Wishes &wishes) {
  Wishes own = wishes;
  if (!Wisher(m, own).truth(v, truth, 0))
    return false;
  wishes = std::move(own);
  return true;
}

bool wishForNumber(Model &m, ValueId v, double target, Wishes &wishes) {
  Wishes own = wishes;
  if (!Wisher(m, own).number(v, target))
    return false;
  wishes = std::move(own);
  return true;
}

} // namespace condlint
