//===- OutputLayout.cpp - Layout, offset, flags and strides agree (R8, R10, R11, R13-R15) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace condlint {

namespace {

using Numbers = std::vector<std::int64_t>;

/// Numbers for symbolic sizes and strides: each symbol gets a prime inside its
/// range, as torch takes an example value. Nothing when one cannot be evaluated.
class Example {
public:
  explicit Example(const DimTable &table) : dims(table) {}

  bool evaluate(std::span<const Dim> list, Numbers &out) {
    for (Dim d : list) {
      if (!d.known())
        return false;
      for (const Symbol &s : dims.symbolsOf(d))
        if (!choose(s))
          return false;
      const auto value = dims.evaluate(d, chosen);
      if (!value)
        return false;
      out.push_back(*value);
    }
    return true;
  }

private:
  const DimTable &dims;
  Assignment chosen;

  bool choose(const Symbol &s) {
    for (const auto &[name, value] : chosen)
      if (name == s.name)
        return true;
    // Any number at all: one example says nothing.
    if (s.origin == SymbolOrigin::Anonymous)
      return false;
    constexpr std::array<std::int64_t, 12> primes{7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
    chosen.emplace_back(s.name, std::clamp(primes[chosen.size() % primes.size()], s.bounds.min, s.bounds.max));
    return true;
  }
};

/// The axes from the smallest stride to the largest; among equals the last axis
/// first, as torch sorts them.
std::vector<std::size_t> orderOf(const Numbers &strides) {
  std::vector<std::size_t> order(strides.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::sort(
      order, [&](std::size_t i, std::size_t j) { return strides[i] != strides[j] ? strides[i] < strides[j] : i > j; });
  return order;
}

enum class StrideFault { None, Order, Zero, NotDense };

/// What torch says when it merges two outputs' strides (`_bound_stride`).
StrideFault mergeStrides(const Numbers &sizesA, const Numbers &stridesA, const Numbers &sizesB,
                         const Numbers &stridesB) {
  const std::vector<std::size_t> order = orderOf(stridesA);
  if (order != orderOf(stridesB))
    return StrideFault::Order; // R13
  // The stride that each value stands for, in the merged tensor.
  std::map<std::int64_t, std::int64_t> knownA;
  std::map<std::int64_t, std::int64_t> knownB;
  for (std::size_t i : order) {
    const std::int64_t a = stridesA[i];
    const std::int64_t b = stridesB[i];
    std::int64_t merged = 1;
    if (a == 0) {
      if (b != 0)
        return StrideFault::Zero; // R15
      continue;
    }
    if (const auto known = knownA.find(a); known != knownA.end()) {
      const auto other = knownB.find(b);
      if (other == knownB.end() || other->second != known->second)
        return StrideFault::NotDense;
      merged = known->second;
    } else {
      if (a != 1 || b != 1)
        return b == 0 ? StrideFault::Zero : StrideFault::NotDense; // R14
      knownA[a] = knownB[b] = 1;
    }
    // A size that differs becomes a symbol; any number of its own will do.
    const std::int64_t size = sizesA[i] == sizesB[i] ? sizesA[i] : 1000003 + static_cast<std::int64_t>(i) * 1009;
    std::int64_t next = 0;
    std::int64_t nextA = 0;
    std::int64_t nextB = 0;
    if (__builtin_mul_overflow(merged, size, &next) || __builtin_mul_overflow(a, sizesA[i], &nextA) ||
        __builtin_mul_overflow(b, sizesB[i], &nextB))
      return StrideFault::None;
    knownA[nextA] = next;
    knownB[nextB] = next;
  }
  return StrideFault::None;
}

/// The same where not all strides are numbers: what goes wrong whatever they are.
StrideFault mergeByBounds(const DimTable &dims, const Type &a, const Type &b) {
  const auto isZero = [&](Dim d) { return d.known() && dims.asConstant(d) == 0; };
  const auto isAtLeast = [&](Dim d, std::int64_t least) { return d.known() && dims.boundsOf(d).min >= least; };
  const bool hasElements = std::ranges::all_of(b.dims, [&](Dim d) { return isAtLeast(d, 1); });
  for (std::size_t i = 0; i < a.strides.size(); ++i)
    if ((isZero(a.strides[i]) && isAtLeast(b.strides[i], 1)) ||
        (hasElements && isZero(b.strides[i]) && isAtLeast(a.strides[i], 1)))
      return StrideFault::Zero; // R15
  // The innermost axis of one side is not dense on the other, or not the innermost there.
  for (const auto &[known, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    Numbers strides;
    if (Example(dims).evaluate(known->strides, strides) && !strides.empty() &&
        isAtLeast(other->strides[orderOf(strides).front()], 2))
      return StrideFault::NotDense; // R13, R14
  }
  return StrideFault::None;
}

/// Dense row by row, however many the rows are: all other sizes are numbers.
bool isRowMajor(const DimTable &dims, const Type &t) {
  std::optional<std::int64_t> expected = 1;
  for (std::size_t i = t.dims.size(); i-- > 0;) {
    if (!expected || dims.asConstant(t.strides[i]) != expected)
      return false;
    const auto size = i > 0 ? dims.asConstant(t.dims[i]) : std::nullopt;
    std::int64_t next = 0;
    expected = size && !__builtin_mul_overflow(*expected, std::max<std::int64_t>(*size, 1), &next) ? std::optional(next)
                                                                                                   : std::nullopt;
  }
  return true;
}

bool isSparse(Layout l) {
  return l != Layout::Unknown && l != Layout::Strided && l != Layout::Mkldnn && l != Layout::Jagged;
}

/// What is wrong at one position, both sides in words.
struct Difference {
  std::string what;
  std::string a, b;
  std::string help;
  Verdict verdict = Verdict::Violated;
  bool assumed = false;
  Assignment witness = {};
};

std::optional<Difference> flags(const Type &a, const Type &b) {
  if (a.layout != Layout::Unknown && b.layout != Layout::Unknown && a.layout != b.layout) // R8
    return Difference{"different layouts", std::string(layoutName(a.layout)), std::string(layoutName(b.layout)),
                      "convert one side (`to_dense`)"};
  if (isSparse(a.layout) || isSparse(b.layout)) // R11
    return Difference{"sparse tensors, which torch.cond does not take", std::string(layoutName(a.layout)),
                      std::string(layoutName(b.layout)), "convert them (`to_dense`)"};
  const auto spelled = [](Tri t, const char *yes, const char *no) { return std::string(t == Tri::Yes ? yes : no); };
  if (a.conjugate == Tri::Yes || b.conjugate == Tri::Yes)
    return Difference{"lazily conjugated tensors, which torch.cond does not take",
                      spelled(a.conjugate, "conjugated", "plain"), spelled(b.conjugate, "conjugated", "plain"),
                      "call `.resolve_conj()` on what is returned"};
  if (a.quantized == Tri::Yes || b.quantized == Tri::Yes)
    return Difference{"quantised tensors, which torch.cond does not take", spelled(a.quantized, "quantised", "plain"),
                      spelled(b.quantized, "quantised", "plain"), "dequantise what is returned"};
  return std::nullopt;
}

/// A stride that can be anything is called by the least that it is.
std::string stridesText(const Model &m, const Type &t) {
  if (!t.hasRank || !t.hasStrides)
    return "strides that are not known";
  std::vector<std::string> strides;
  for (Dim d : t.strides) {
    const bool isAny =
        std::ranges::any_of(m.dims.symbolsOf(d), [](const Symbol &s) { return s.origin == SymbolOrigin::Anonymous; });
    strides.push_back(isAny ? fmt::format(">= {}", m.dims.boundsOf(d).min) : m.dims.str(d));
  }
  return fmt::format("strides [{}] of {}", fmt::join(strides, ", "), spellDims(m.dims, t.dims));
}

const char *contiguousHelp(const Model &m) {
  return m.info.format == Format::Cxx
             ? "return `.contiguous()` of both (or `.clone(torch::MemoryFormat::Contiguous)`; a plain `.clone()` keeps "
               "the order of the strides)"
             : "return `.contiguous()` of both (or `.clone(memory_format=torch.contiguous_format)`; a plain `.clone()` "
               "keeps the order of the strides)";
}

/// It is not dense in memory, whatever it is compared with (R14).
bool isNeverDense(const DimTable &dims, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.strides.size() != t.dims.size() || t.dims.empty())
    return false;
  if (std::ranges::all_of(t.strides, [&](Dim d) { return d.known() && dims.boundsOf(d).min >= 2; }))
    return true;
  Numbers sizes, strides;
  Example example(dims);
  return example.evaluate(t.dims, sizes) && example.evaluate(t.strides, strides) &&
         mergeStrides(sizes, strides, sizes, strides) != StrideFault::None;
}

std::optional<Difference> strides(const Model &m, const Type &a, const Type &b, bool &decided) {
  Numbers sizesA;
  Numbers stridesA;
  Numbers sizesB;
  Numbers stridesB;
  Example example(m.dims);
  decided = example.evaluate(a.dims, sizesA) && example.evaluate(a.strides, stridesA) &&
            example.evaluate(b.dims, sizesB) && example.evaluate(b.strides, stridesB);
  if (!decided && !a.dims.empty() && std::ranges::equal(a.dims.subspan(1), b.dims.subspan(1)) &&
      isRowMajor(m.dims, a) && isRowMajor(m.dims, b)) {
    decided = true;
    return std::nullopt;
  }
  const char *what = "";
  switch (decided ? mergeStrides(sizesA, stridesA, sizesB, stridesB) : mergeByBounds(m.dims, a, b)) {
  case StrideFault::None:
    return std::nullopt;
  case StrideFault::Order:
    what = "tensors of different stride order";
    break;
  case StrideFault::Zero:
    what = "a tensor expanded on one side only";
    break;
  case StrideFault::NotDense:
    what = "a tensor that is not dense in memory";
    break;
  }
  return Difference{what, stridesText(m, a), stridesText(m, b), contiguousHelp(m)};
}

std::optional<Difference> offset(RuleContext &ctx, const Type &a, const Type &b) {
  if (!a.storageOffset.known() || !b.storageOffset.known())
    return std::nullopt;
  Judgement j = judgeEqual(ctx, ctx.conditional().node, a.storageOffset, b.storageOffset);
  if (j.verdict < Verdict::Possible) {
    if (j.verdict == Verdict::Unknown)
      ctx.unknown("the storage offsets could not be compared: " + j.reason);
    return std::nullopt;
  }
  Difference d{"different storage offsets", ctx.m.dims.str(a.storageOffset), ctx.m.dims.str(b.storageOffset),
               "clone the slice before it is returned (`.clone()`)"};
  d.verdict = j.verdict;
  d.assumed = j.assumed;
  if (j.verdict == Verdict::Possible)
    d.witness = j.witness;
  return d;
}

} // namespace

namespace {

/// \p v surely is, or is a view of, what is not the branch's own.
bool returnsForeign(const RuleContext &ctx, std::size_t branch, ValueId v) {
  const Model &m = ctx.m;
  const GraphId g = ctx.conditional().branches[branch].graph;
  for (const AliasAnalysis::Source &s : ctx.analysis.aliases.sources(v))
    if (s.certain && ((m[s.value].graph == g && m[s.value].origin == ValueOrigin::Parameter) ||
                      (m[s.value].graph != g && m.encloses(m[s.value].graph, g))))
      return true;
  return false;
}

/// \p v, output \p position of the branch, surely shares storage with another one.
bool returnsTwice(RuleContext &ctx, std::size_t position, std::size_t branch, ValueId v) {
  return std::ranges::any_of(ctx.outputs(), [&](const Output &other) {
    return other.position != position && other.known && other.values[branch] &&
           ctx.analysis.aliases.share(v, other.values[branch]) == AliasAnalysis::Sharing::Yes;
  });
}

/// What lies as it does because it is a view, which another rule reports: a copy lies in its own way.
bool isReportedView(RuleContext &ctx, const Output &o) {
  for (std::size_t branch = 0; branch < 2; ++branch)
    if (returnsForeign(ctx, branch, o.values[branch]) ||                               // output-alias
        (ctx.isRecorded() && returnsTwice(ctx, o.position, branch, o.values[branch]))) // output-duplicate
      return true;
  return false;
}

} // namespace

void checkOutputLayout(RuleContext &ctx) {
  const Model &m = ctx.m;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (a.hasRank && b.hasRank && a.dims.size() != b.dims.size())
      return; // output-rank
    if ((ctx.isSource() || ctx.isRecorded()) && isReportedView(ctx, o))
      return;
    std::optional<Difference> found = flags(a, b);
    // Whatever they lie like, they lie alike.
    if (!found && a.names.memory && a.names.memory == b.names.memory)
      return;
    if (!found)
      found = offset(ctx, a, b); // R10
    const bool strided = a.hasRank && b.hasRank && a.hasStrides && b.hasStrides && a.strides.size() == a.dims.size() &&
                         b.strides.size() == b.dims.size();
    bool decided = strided;
    if (!found && strided)
      found = strides(m, a, b, decided);
    if (!found && !decided && (isNeverDense(m.dims, a) || isNeverDense(m.dims, b)))
      found =
          Difference{"a tensor that is not dense in memory", stridesText(m, a), stridesText(m, b), contiguousHelp(m)};
    if (!found) {
      if (!strided || (!decided && ctx.isSource()))
        ctx.unknown("the strides of an output are not known");
      else if (!a.storageOffset.known() || !b.storageOffset.known())
        ctx.unknown("the storage offset of an output is not known");
      return;
    }
    Draft d;
    d.verdict = found->verdict;
    d.assumed = found->assumed;
    d.witness = std::move(found->witness);
    d.output = o.position;
    d.message = fmt::format("the branches return {}{}: {}", found->what, spellPosition(ctx, o.position),
                            spellSides(ctx, o, found->a, found->b));
    d.help = std::move(found->help);
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

} // namespace condlint
