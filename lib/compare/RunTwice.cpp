//===- RunTwice.cpp - Both versions executed on the same inputs -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunTwice.h"
#include "condlint/Array.h"
#include "condlint/Executor.h"
#include "condlint/Op.h"
#include "ops/Convert.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace condlint::compare {

namespace {

std::size_t elementsOf(const Array &a) {
  std::size_t n = 1;
  for (const std::int64_t size : a.shape)
    n *= static_cast<std::size_t>(size);
  return n;
}

bool isPlain(const Array &a) {
  return a.kind == ValueKind::Tensor && a.strides.empty() && a.offset == 0 && a.strings.empty() &&
         dtypeBits(a.dtype) >= 8 && a.bytes.size() >= elementsOf(a) * (dtypeBits(a.dtype) / 8);
}

/// \p a with elements of type \p t, where both are numbers.
Array converted(const Array &a, DType t) {
  const bool isNumber = (isFloating(a.dtype) || isIntegral(a.dtype) || a.dtype == DType::Bool) &&
                        (isFloating(t) || isIntegral(t) || t == DType::Bool) && dtypeBits(t) >= 8;
  if (a.dtype == t || !isPlain(a) || !isNumber)
    return a;
  Array out = a;
  auto data = std::make_shared<std::string>(elementsOf(a) * (dtypeBits(t) / 8), '\0');
  for (std::size_t i = 0; i < elementsOf(a); ++i)
    storeElement<double>(t, data->data(), static_cast<std::int64_t>(i),
                         loadElement<double>(a.dtype, a.bytes.data(), static_cast<std::int64_t>(i)));
  out.dtype = t;
  out.bytes = *data;
  out.keepAlive = data;
  return out;
}

/// A single bool with the value \p isTrue.
void decide(Array &a, bool isTrue) {
  auto data = std::make_shared<std::string>(1, isTrue ? '\1' : '\0');
  a.bytes = *data;
  a.keepAlive = data;
}

class Twice {
public:
  Twice(Model &before, Model &after, const Expressions &given, std::span<const Counterparts> known,
        const ComparisonOptions &options, Comparison &comparison)
      : old(before), now(after), names(given), pairs(known), o(options), result(comparison) {}

  void run() {
    if (isRandom(old) || isRandom(now))
      return refuse("it draws random numbers, so that no two runs are alike");
    if (!make(old, first, oldSide) || !make(now, second, nowSide) || !joinInputs())
      return;
    result.hasRun = true;
    for (std::uint32_t draw = 0; draw < o.draws; ++draw)
      if (!runOnce(draw))
        break;
    if (result.draws != 0)
      for (const GraphId branch : unreached())
        force(branch);
    sayUnreached();
  }

private:
  void refuse(const std::string &why) {
    if (result.notRun.empty())
      result.notRun = why;
  }

  static bool isRandom(const Model &m) {
    for (std::uint32_t n = 0; n < m.nodeCount(); ++n) {
      const std::string_view name = m.text(m[m[NodeId(n)].op].name);
      if (name.starts_with("Random") || name == "Bernoulli" || name == "Multinomial" || name.starts_with("rand") ||
          name == "dropout" || name == "bernoulli" || name == "multinomial")
        return true;
    }
    return false;
  }

  /// What is told to one version's executor, and what it tells.
  struct Side {
    std::unordered_set<NodeId> ran;
    std::unordered_map<NodeId, std::size_t> chosen; ///< the branch that a conditional takes in any case
  };

  bool make(Model &m, std::unique_ptr<Executor> &into, Side &side) {
    ExecutorOptions options;
    options.refused = inferTypes(m).invalid;
    options.seed = o.seed;
    options.timeLimit = 60;
    options.trace = [&side](const TraceEntry &e) { side.ran.insert(e.node); };
    options.chooses = [&side](NodeId n) {
      const auto at = side.chosen.find(n);
      return at == side.chosen.end() ? std::nullopt : std::optional(at->second);
    };
    auto made = Executor::create(m, options, openConstants);
    if (!made) {
      refuse(made.error().str());
      return false;
    }
    into = std::move(*made);
    return true;
  }

  /// Finds for each input of the new version the old one's.
  bool joinInputs() {
    const auto x = first->inputs(), y = second->inputs();
    for (std::size_t i = 0; i < y.size(); ++i) {
      std::size_t from = x.size();
      for (std::size_t k = 0; k < x.size(); ++k)
        if (x[k].name == names.plainName(y[i].name))
          from = k;
      if (from == x.size() && x.size() == y.size())
        from = i;
      if (from == x.size()) {
        if (second->isOptional(i))
          continue;
        refuse(fmt::format("the new version takes an input '{}' that the old one has not", y[i].name));
        return false;
      }
      inputs.emplace_back(i, from);
    }
    return true;
  }

  bool runOnce(std::uint32_t draw) {
    auto drawn = first->draw(o.seed, draw, {});
    if (!drawn) {
      refuse(drawn.error().str());
      return false;
    }
    std::vector<Array> arrays;
    std::size_t choices = 0;
    for (std::size_t i = 0; i < drawn->size(); ++i) {
      auto array = first->toArray((*drawn)[i]);
      if (!array) {
        refuse(array.error().str());
        return false;
      }
      array->name = first->inputs()[i].name;
      if (array->dtype == DType::Bool && isPlain(*array) && elementsOf(*array) == 1)
        decide(*array, (draw >> (choices++ % 8) & 1U) == 0);
      arrays.push_back(std::move(*array));
    }
    const auto was = outputsOf(*first, arrays);
    if (!was)
      return false;
    std::vector<Array> given;
    for (const auto &[to, from] : inputs) {
      Array array = converted(arrays[from], now.types[second->inputs()[to].type].element);
      array.name = second->inputs()[to].name;
      given.push_back(std::move(array));
    }
    const auto is = outputsOf(*second, given);
    if (!is)
      return false;
    if (forcing.empty())
      ++result.draws;
    else if (!bothCameThere())
      return false;
    compareOutputs(*was, *is, draw);
    return true;
  }

  std::optional<std::vector<Array>> outputsOf(Executor &e, const std::vector<Array> &arrays) {
    const bool isNew = &e == second.get();
    const auto failed = [&](const Error &error) {
      // What ran before and does not any more is a change; what neither can run is not.
      const bool isOurs = std::ranges::any_of(e.problems(), &ExecutionProblem::missingOperator);
      if (isNew && !isOurs && told.insert("").second)
        result.changes.push_back(
            {"output", severity(), "", "",
             "the old version runs on drawn inputs, and the new one stops: " + error.str() + forcedWords()});
      if (forcing.empty())
        refuse(error.str());
      return std::nullopt;
    };
    auto bound = e.bind(arrays);
    if (!bound)
      return failed(bound.error());
    auto results = e.run(*bound);
    if (!results)
      return failed(results.error());
    std::vector<Array> out;
    for (std::size_t i = 0; i < results->size(); ++i) {
      auto array = e.toArray((*results)[i]);
      if (!array)
        return failed(array.error());
      array->name = isNew ? names.plainName(e.outputs()[i].name) : e.outputs()[i].name;
      out.push_back(std::move(*array));
    }
    return out;
  }

  void compareOutputs(const std::vector<Array> &was, const std::vector<Array> &is, std::uint32_t draw) {
    for (std::size_t i = 0; i < was.size(); ++i) {
      auto same = std::ranges::find(is, was[i].name, &Array::name);
      if (same == is.end() && was.size() == is.size())
        same = is.begin() + static_cast<std::ptrdiff_t>(i);
      if (same == is.end() || told.contains(was[i].name))
        continue;
      const Array array = converted(*same, was[i].dtype);
      const bool isCoarse = same->dtype != was[i].dtype || computesInFewerBits();
      const double rtol = isCoarse ? std::max(o.rtol, 2e-2) : o.rtol, atol = isCoarse ? std::max(o.atol, 2e-2) : o.atol;
      if (const auto difference = differenceOf(array, was[i], rtol, atol)) {
        told.insert(was[i].name);
        result.changes.push_back({"output", severity(), "", "",
                                  fmt::format("output '{}' {} (draw {}, seed {}){}", was[i].name, *difference, draw,
                                              o.seed, forcedWords())});
      }
    }
  }

  /// Some value of the new version has a short element type.
  bool computesInFewerBits() {
    if (!coarse) {
      coarse = false;
      for (std::uint32_t v = 0; v < now.valueCount(); ++v)
        if (const DType t = now.type(ValueId(v)).element;
            t == DType::Float16 || t == DType::BFloat16 || t == DType::Int8 || t == DType::UInt8)
          coarse = true;
    }
    return *coarse;
  }

  /// That a branch was forced may be what no input ever does: what differs then is no error for sure.
  Severity severity() const { return forcing.empty() ? Severity::Error : Severity::Warning; }
  std::string forcedWords() const {
    return forcing.empty() ? std::string() : fmt::format(", where {} is taken whatever its predicate says", forcing);
  }

  static bool cameTo(const Model &m, GraphId g, const Side &side) {
    return !m[g].firstNode || std::ranges::any_of(m.nodes(g), [&](NodeId n) { return side.ran.contains(n); });
  }

  /// The branches of the old version that no run came to.
  std::vector<GraphId> unreached() const {
    std::vector<GraphId> out;
    for (const Conditional &c : conditionals(old, true))
      for (const Branch &b : c.branches)
        if (b.graph && !cameTo(old, b.graph, oldSide))
          out.push_back(b.graph);
    return out;
  }

  /// Has both versions take \p branch, and what it stands in.
  void force(GraphId branch) {
    if (cameTo(old, branch, oldSide)) // on the way to another
      return;
    oldSide.chosen.clear();
    nowSide.chosen.clear();
    forcing = old.path(branch);
    target = branch;
    if (choose(branch))
      for (std::uint32_t draw = 0; draw < o.draws && !runOnce(draw); ++draw)
        ;
    if (cameTo(old, branch, oldSide) && bothCameThere())
      result.forced.push_back(forcing);
    forcing.clear();
    oldSide.chosen.clear();
    nowSide.chosen.clear();
  }

  /// Chooses \p g in the conditional that it belongs to, and so on outwards; false where it is not known which
  /// branch that is in the new version.
  bool choose(GraphId g) {
    for (targetNow = GraphId(); old[g].owner; g = old[old[g].owner].graph) {
      if (!nodeHas(old, old[g].owner, OpTrait::Conditional))
        continue; // the body of a loop
      const auto pair = std::ranges::find(pairs, old[g].owner, &Counterparts::before);
      const std::size_t at = indexOf(old, old[g].owner, g);
      if (pair == pairs.end() || at > 1)
        return false;
      const std::size_t there = pair->isCrossed ? 1 - at : at;
      oldSide.chosen[pair->before] = at;
      nowSide.chosen[pair->after] = there;
      if (!targetNow)
        targetNow = branchOf(now, pair->after, there);
    }
    return bool(targetNow);
  }

  bool bothCameThere() const { return cameTo(old, target, oldSide) && cameTo(now, targetNow, nowSide); }

  static std::size_t indexOf(const Model &m, NodeId n, GraphId g) {
    const Conditional c = conditionalAt(m, n);
    const auto at = std::ranges::find(c.branches, g, &Branch::graph);
    return static_cast<std::size_t>(at - c.branches.begin());
  }

  static GraphId branchOf(const Model &m, NodeId n, std::size_t i) {
    const Conditional c = conditionalAt(m, n);
    return i < c.branches.size() ? c.branches[i].graph : GraphId();
  }

  void sayUnreached() {
    std::string named;
    const std::vector<GraphId> all = unreached();
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
      named += (i == 0 ? "" : ", ") + old.path(all[i]);
    if (!all.empty())
      refuse(fmt::format("no draw came to {}{}", named,
                         all.size() > most ? fmt::format(" and {} more", all.size() - most) : ""));
  }

  Model &old, &now;
  const Expressions &names;
  std::span<const Counterparts> pairs;
  const ComparisonOptions &o;
  Comparison &result;
  std::unique_ptr<Executor> first, second;
  std::vector<std::pair<std::size_t, std::size_t>> inputs; ///< of the new version, and which of the old one's it is
  Side oldSide, nowSide;
  std::string forcing;        ///< the branch that is forced, as it is told; empty: none is
  GraphId target, targetNow;  ///< it, in the old and in the new version
  std::set<std::string> told; ///< outputs that are known to differ
  std::optional<bool> coarse;
};

} // namespace

void runTwice(Model &before, Model &after, const Expressions &names, std::span<const Counterparts> pairs,
              const ComparisonOptions &options, Comparison &result) {
  Twice(before, after, names, pairs, options, result).run();
}

} // namespace condlint::compare
