//===- SizeJudgement.cpp - Whether two sizes agree ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SizeJudgement.h"
#include "AdmittedSizes.h"
#include "facts/NetworkFacts.h"
#include "graph/SymbolName.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace condlint {

namespace {

/// ONNX: a `dim_param` is a name, and one that reads like arithmetic ("N + 1") may stand for another number
/// than it computes. True when such a size of an input has a symbol in common with \p a or \p b.
bool hasLabel(const Model &m, Dim a, Dim b) {
  if (m.info.dialect != Dialect::Onnx || !m.main())
    return false;
  const auto mentions = [&](const Symbol &s, Dim d) {
    return std::ranges::any_of(m.dims.symbolsOf(d), [&](const Symbol &t) { return t.name == s.name; });
  };
  const Range inputs = m[m.main()].parameters;
  for (std::uint32_t i = 0; i < inputs.count; ++i) {
    const TypeId type = m[ValueId(inputs.first + i)].recorded;
    for (Dim d : type ? m.types[type].dims : std::span<const Dim>())
      if (d.known() && !m.dims.asConstant(d) && !m.dims.asSymbol(d))
        for (const Symbol &s : m.dims.symbolsOf(d))
          if (mentions(s, a) || mentions(s, b))
            return true;
  }
  return false;
}

/// What is not negative where no size of an input that \p a and \p b hang on is below \p least, which a `.pt2` does not
/// say of it.
std::vector<Dim> tracedSizes(Model &m, std::int64_t least, Dim a, Dim b) {
  std::vector<Dim> out;
  for (Dim d : {a, b})
    for (const Symbol &s : m.dims.symbolsOf(d))
      if (s.origin == SymbolOrigin::Declared && s.bounds.min >= 0 && s.bounds.min < least && s.bounds.max >= least)
        out.push_back(m.dims.sub(m.dims.symbol(s.name, s.origin), m.dims.constant(least)));
  return out;
}

/// Two sizes of one conditional, while they are compared.
class SizePair {
public:
  SizePair(const RuleContext &context, NodeId conditional, Dim a, Dim b)
      : ctx(context), dims(context.m.dims), node(conditional), first(a), second(b) {}

  /// What arithmetic says of them: of all numbers, and where that does not decide it of those that the model admits
  /// and a tracer takes.
  DimComparison compare(std::int64_t leastTraced);
  /// They differ at the witness of \p c, which is one of those that the model admits.
  Judgement judgeWitness(DimComparison c);

private:
  const RuleContext &ctx;
  DimTable &dims;
  NodeId node; ///< the conditional
  Dim first, second;
  std::vector<Dim> admitted; ///< none is negative for the numbers that count

  bool differsUnlessEmpty(Judgement &j) const;
  std::string undecided() const;
};

DimComparison SizePair::compare(std::int64_t leastTraced) {
  DimComparison c = dims.compare(first, second);
  if (c.result != DimComparison::Verdict::Proved && !(c.result == DimComparison::Verdict::Refuted && c.always)) {
    admitted = admittedSizes(ctx, node);
    if (!admitted.empty())
      c = dims.compare(first, second, admitted);
  }
  // A tracer takes the sizes of inputs to be at least 1: what differs only where one is 0 is not what it traced.
  if (c.result != DimComparison::Verdict::Refuted || c.always || ctx.m.info.format != Format::Pt2)
    return c;
  std::vector<Dim> traced = tracedSizes(ctx.m, leastTraced, first, second);
  if (traced.empty())
    return c;
  std::ranges::copy(admitted, std::back_inserter(traced));
  DimComparison narrow = dims.compare(first, second, traced);
  if (narrow.result == DimComparison::Verdict::Refuted && narrow.witness.empty())
    return c;
  admitted = std::move(traced);
  return narrow;
}

/// They hang on one size of an input that nobody named, and differ whatever it is, unless the input is empty: `[2*n]`
/// and `[n]`. Then \p j has a witness.
bool SizePair::differsUnlessEmpty(Judgement &j) const {
  std::set<std::string> names;
  for (Dim d : {first, second})
    for (const Symbol &s : dims.symbolsOf(d))
      names.insert(s.name);
  if (names.size() != 1 || !isInputSize(ctx.m, node, *names.begin()))
    return false;
  std::vector<Dim> filled = admitted;
  filled.push_back(dims.sub(dims.symbol(*names.begin(), SymbolOrigin::Anonymous), dims.constant(1)));
  const DimComparison c = dims.compare(first, second, filled);
  if (c.result != DimComparison::Verdict::Refuted || !c.always || c.witness.empty())
    return false;
  j.witness = c.witness;
  j.a = c.witnessA;
  j.b = c.witnessB;
  return j.a >= 0 && j.b >= 0;
}

/// Why sizes that nobody named are not decided.
std::string SizePair::undecided() const {
  const std::string x = dims.str(first);
  const std::string y = dims.str(second);
  const auto isOpen = [&](Dim d) {
    return std::ranges::any_of(dims.symbolsOf(d), [&](const Symbol &s) {
      return s.origin == SymbolOrigin::Anonymous || s.origin == SymbolOrigin::Unbacked;
    });
  };
  if (x == y)
    return fmt::format("two sizes {}, which only a run decides, need not be the same", x);
  if (isOpen(first) && isOpen(second))
    return fmt::format("{} and {} depend on sizes that only a run decides", x, y);
  return fmt::format("{} depends on sizes that only a run decides, and {} does not", isOpen(first) ? x : y,
                     isOpen(first) ? y : x);
}

Judgement SizePair::judgeWitness(DimComparison c) {
  Judgement j;
  j.witness = std::move(c.witness);
  j.a = c.witnessA;
  j.b = c.witnessB;
  if (c.always && !hasLabel(ctx.m, first, second)) {
    j.verdict = Verdict::Violated;
    return j;
  }
  if (j.a < 0 || j.b < 0) {
    // No run has a negative size, so these values are none the model admits.
    j.verdict = Verdict::Unknown;
    j.witness.clear();
    j.reason = fmt::format("of {} and {}, {}", dims.str(first), dims.str(second), c.reason);
    return j;
  }
  j.verdict = Verdict::Possible;
  bool unnamed = false;
  bool unbacked = false;
  for (Dim d : {first, second})
    for (const Symbol &s : dims.symbolsOf(d)) {
      unnamed = unnamed || s.origin == SymbolOrigin::Anonymous;
      // A size that data decides inside a branch has no range worth the name.
      if (s.origin == SymbolOrigin::Unbacked) {
        unbacked = true;
        unnamed = unnamed || !ctx.facts.knownBefore(s.name, node);
      }
      j.assumed = j.assumed || s.origin == SymbolOrigin::Named;
    }
  j.assumed = j.assumed || (unbacked && !ctx.isTorch());
  if (unnamed && !unbacked && differsUnlessEmpty(j)) {
    j.assumed = true;
  } else if (unnamed) {
    j.verdict = Verdict::Unknown;
    j.witness.clear();
    j.reason = undecided();
  }
  for (auto &[name, value] : j.witness)
    name = shownName(name);
  return j;
}

} // namespace

bool isInputSize(const Model &m, NodeId node, const std::string &name) {
  const auto has = [&](ValueId v) {
    return std::ranges::any_of(m.type(v).dims, [&](Dim d) {
      const auto symbol = m.dims.asSymbol(d);
      return symbol && symbol->name == name;
    });
  };
  if (m.info.dialect == Dialect::TensorRT)
    return std::ranges::any_of(m.nodes(m[node].graph),
                               [&](NodeId n) { return layerName(m, n) == "addInput" && has(m.result(n, 0)); });
  if (!m.main())
    return false;
  const Range inputs = m[m.main()].parameters;
  for (std::uint32_t i = 0; i < inputs.count; ++i)
    if (has(ValueId(inputs.first + i)))
      return true;
  return false;
}

Judgement judgeEqual(const RuleContext &ctx, NodeId conditional, Dim a, Dim b, std::int64_t leastTraced) {
  Judgement j;
  if (!a.known() || !b.known()) {
    j.verdict = Verdict::Unknown;
    j.reason = "a size is not known";
    return j;
  }
  if (a == b)
    return j;
  SizePair sizes(ctx, conditional, a, b);
  DimComparison c = sizes.compare(leastTraced);
  if (c.result == DimComparison::Verdict::Proved)
    return j;
  if (c.result == DimComparison::Verdict::Unknown) {
    const DimTable &dims = ctx.m.dims;
    j.verdict = Verdict::Unknown;
    j.reason = c.reason.empty() ? fmt::format("{} and {} could not be compared", dims.str(a), dims.str(b)) : c.reason;
    return j;
  }
  return sizes.judgeWitness(std::move(c));
}

std::string witnessText(const Judgement &j) {
  if (j.verdict != Verdict::Possible || j.witness.empty())
    return {};
  std::string out = " with ";
  for (std::size_t i = 0; i < j.witness.size(); ++i)
    out += fmt::format("{}{} = {}", i == 0 ? "" : ", ", j.witness[i].first, j.witness[i].second);
  return out + fmt::format(" they are {} and {}", j.a, j.b);
}

} // namespace condlint
