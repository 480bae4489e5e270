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
  Twice(Model &before, Model &after, const Expressions &given, const ComparisonOptions &options, Comparison &comparison)
      : old(before), now(after), names(given), o(options), result(comparison) {}

  void run() {
    if (isRandom(old) || isRandom(now))
      return refuse("it draws random numbers, so that no two runs are alike");
    if (!make(old, first, true) || !make(now, second, false) || !joinInputs())
      return;
    result.hasRun = true;
    for (std::uint32_t draw = 0; draw < o.draws; ++draw)
      if (!runOnce(draw))
        break;
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

  bool make(Model &m, std::unique_ptr<Executor> &into, bool isTraced) {
    ExecutorOptions options;
    options.refused = inferTypes(m).invalid;
    options.seed = o.seed;
    options.timeLimit = 60;
    if (isTraced)
      options.trace = [this](const TraceEntry &e) { ran.insert(e.node); };
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
    ++result.draws;
    compareOutputs(*was, *is, draw);
    return true;
  }

  std::optional<std::vector<Array>> outputsOf(Executor &e, const std::vector<Array> &arrays) {
    const bool isNew = &e == second.get();
    const auto failed = [&](const Error &error) {
      // What ran before and does not any more is a change; what neither can run is not.
      const bool isOurs = std::ranges::any_of(e.problems(), &ExecutionProblem::missingOperator);
      if (isNew && !isOurs && told.insert("").second)
        result.changes.push_back({"output", Severity::Error, "", "",
                                  "the old version runs on drawn inputs, and the new one stops: " + error.str()});
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
        result.changes.push_back(
            {"output", Severity::Error, "", "",
             fmt::format("output '{}' {} (draw {}, seed {})", was[i].name, *difference, draw, o.seed)});
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

  void sayUnreached() {
    std::string unreached;
    std::size_t count = 0;
    for (const Conditional &c : conditionals(old, true))
      for (const Branch &b : c.branches)
        if (b.graph && old[b.graph].firstNode &&
            std::ranges::none_of(old.nodes(b.graph), [&](NodeId n) { return ran.contains(n); }) && count++ < 6)
          unreached += (unreached.empty() ? "" : ", ") + old.path(b.graph);
    if (count != 0)
      refuse(fmt::format("no draw came to {}{}", unreached, count > 6 ? fmt::format(" and {} more", count - 6) : ""));
  }

  Model &old, &now;
  const Expressions &names;
  const ComparisonOptions &o;
  Comparison &result;
  std::unique_ptr<Executor> first, second;
  std::vector<std::pair<std::size_t, std::size_t>> inputs; ///< of the new version, and which of the old one's it is
  std::unordered_set<NodeId> ran;
  std::set<std::string> told; ///< outputs that are known to differ
  std::optional<bool> coarse;
};

} // namespace

void runTwice(Model &before, Model &after, const Expressions &names, const ComparisonOptions &options,
              Comparison &result) {
  Twice(before, after, names, options, result).run();
}

} // namespace condlint::compare
