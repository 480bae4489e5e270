//===- Branches.cpp - Both branches of a conditional, run -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Copies.h"
#include "Interpreter.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <unordered_set>

namespace condlint {

RuntimeValue deepCopy(const ExecContext &c, const RuntimeValue &v, std::vector<std::pair<Storage *, Tensor>> &copies) {
  RuntimeValue copy = v;
  if (v.isTensor()) {
    Storage *s = &v.tensor.storage();
    const auto known = std::ranges::find(copies, s, [](const auto &p) { return p.first; });
    Tensor bytes;
    if (known != copies.end()) {
      bytes = known->second;
    } else {
      const std::int64_t size[] = {static_cast<std::int64_t>(s->size())};
      bytes = c.empty(DType::UInt8, size);
      bytes.storage().assign(*s);
      copies.emplace_back(s, bytes);
    }
    copy.tensor = Tensor(&bytes.storage(), v.tensor.dtype(), v.tensor.sizes(), v.tensor.strides(), v.tensor.offset());
  }
  if (v.items) {
    std::vector<RuntimeValue> items;
    for (const RuntimeValue &item : v.list())
      items.push_back(deepCopy(c, item, copies));
    copy.items = std::make_shared<const std::vector<RuntimeValue>>(std::move(items));
  }
  return copy;
}

namespace {

using Values = Interpreter::Values;
using Kind = Observation::Kind;

/// Calls \p f with each tensor in \p v.
template <class F> void eachTensor(const RuntimeValue &v, const F &f) {
  if (v.isTensor())
    f(v.tensor);
  for (const RuntimeValue &item : v.list())
    eachTensor(item, f);
}

/// Bit for bit, except that any NaN is as good as another.
bool equalValues(const ExecContext &c, const RuntimeValue &a, const RuntimeValue &b) {
  if (a.kind != b.kind || a.list().size() != b.list().size())
    return false;
  if (a.isScalar())
    return a.number == b.number && (a.real == b.real || (std::isnan(a.real) && std::isnan(b.real)));
  for (std::size_t i = 0; i < a.list().size(); ++i)
    if (!equalValues(c, a.list()[i], b.list()[i]))
      return false;
  if (!a.isTensor())
    return true;
  if (a.tensor.dtype() != b.tensor.dtype() || !std::ranges::equal(a.tensor.sizes(), b.tensor.sizes()))
    return false;
  const Tensor x = contiguous(c, a.tensor), y = contiguous(c, b.tensor);
  if (std::memcmp(x.bytes(), y.bytes(), static_cast<std::size_t>(x.numel()) * x.itemBytes()) == 0)
    return true;
  if (!isFloating(x.dtype()) && !isComplex(x.dtype()))
    return false;
  const auto same = [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); };
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const auto p = loadElement<ComplexDouble>(x.dtype(), x.bytes(), i),
               q = loadElement<ComplexDouble>(y.dtype(), y.bytes(), i);
    if (!same(p.real(), q.real()) || !same(p.imag(), q.imag()))
      return false;
  }
  return true;
}

ObservedType typeOf(ValueId value, const RuntimeValue &v) {
  ObservedType t;
  t.value = value;
  t.kind = v.kind;
  if (v.isTensor()) {
    t.dtype = v.tensor.dtype();
    t.sizes = sizesOf(v.tensor);
    t.strides.assign(v.tensor.strides().begin(), v.tensor.strides().end());
    t.offset = v.tensor.offset();
  }
  return t;
}

} // namespace

/// Storages with their contents, versions and writers, to compare with and to go back to.
class Interpreter::Memory {
public:
  Memory(const ExecContext &context, std::span<const RuntimeValue> operands) : c(context) {
    for (const RuntimeValue &v : operands)
      eachTensor(v, [&](const Tensor &t) {
        const bool known = std::ranges::any_of(entries, [&](const Entry &e) { return e.tensor.sharesStorage(t); });
        if (known)
          return;
        Storage &s = t.storage();
        const std::int64_t size[] = {static_cast<std::int64_t>(s.size())};
        Entry e{t, c.empty(DType::UInt8, size), s.version()};
        e.before.storage().assign(s);
        entries.push_back(std::move(e));
      });
  }

  /// The content changed although nobody noted a write.
  bool changedSilently() const {
    return std::ranges::any_of(entries, [](const Entry &e) {
      Storage &s = e.tensor.storage();
      return s.version() == e.version && std::memcmp(s.hostBytes(), e.before.bytes(), s.size()) != 0;
    });
  }
  void restore() {
    for (const Entry &e : entries) {
      Storage &s = e.tensor.storage();
      if (s.version() == e.version)
        continue;
      s.assign(e.before.storage());
      s.forgetWrites(e.version);
    }
  }

private:
  struct Entry {
    Tensor tensor;
    Tensor before;
    std::uint32_t version;
  };
  const ExecContext &c;
  std::vector<Entry> entries;
};

void Interpreter::observe(Kind kind, NodeId conditional, NodeId node, std::string message) {
  const bool known = std::ranges::any_of(observations, [&](const Observation &o) {
    return o.kind == kind && o.conditional == conditional && o.node == node && o.message == message;
  });
  if (!known)
    observations.push_back({kind, conditional, node, std::move(message)});
}

bool Interpreter::isWeight(const Storage &s) const {
  return std::ranges::any_of(constants, [&](const Tensor &t) { return t && &t.storage() == &s; });
}

std::size_t Interpreter::timesValidated(NodeId conditional) const {
  const auto run = std::ranges::find(conditionalRuns, conditional, &ConditionalRun::conditional);
  return run == conditionalRuns.end() ? 0 : run->times;
}

bool Interpreter::runAllBranches(NodeId n, const Conditional &c, std::size_t taken,
                                 std::span<const RuntimeValue> operands) {
  const ExecContext context = contextOf(n);
  auto run = std::ranges::find(conditionalRuns, n, &ConditionalRun::conditional);
  if (run == conditionalRuns.end()) {
    conditionalRuns.push_back(
        {n, false, 0, std::vector<bool>(c.branches.size()), std::vector<std::string>(c.branches.size())});
    run = conditionalRuns.end() - 1;
  }
  const auto place = static_cast<std::size_t>(run - conditionalRuns.begin());
  conditionalRuns[place].reached = true;
  ++conditionalRuns[place].times;
  const std::uint64_t draws = runtime.draws;
  const auto runBranch = [&](std::size_t b, std::span<const RuntimeValue> given) -> std::optional<Values> {
    runtime.draws = draws;
    std::string &problem = conditionalRuns[place].problems[b];
    if (!c.branches[b].graph) {
      problem = "the branch is not there";
      return std::nullopt;
    }
    if (m.info.dialect == Dialect::Torch && m[c.branches[b].graph].parameters.count != given.size()) {
      problem = fmt::format("takes {} operands, {} are given", m[c.branches[b].graph].parameters.count, given.size());
      return std::nullopt;
    }
    const std::size_t before = problems.size();
    auto results = runRegion(c.branches[b].graph, given);
    if (results)
      conditionalRuns[place].ran[b] = true;
    else if (problems.size() > before)
      conditionalRuns[place].problems[b] =
          fmt::format("stopped at {}: {}", problems[before].error.place, problems[before].error.message);
    else if (conditionalRuns[place].problems[b].empty())
      conditionalRuns[place].problems[b] = "did not run to its end";
    return results;
  };

  // The taken branch alone, as lazy execution runs it, on memory of its own.
  std::vector<std::pair<Storage *, Tensor>> copies;
  Values alone;
  for (const RuntimeValue &v : operands)
    alone.push_back(deepCopy(context, v, copies));
  validate = false;
  const std::optional<Values> lazy = runBranch(taken, alone);
  validate = true;
  copies.clear();
  alone.clear();

  std::vector<std::uint32_t> entered; // by operand: the writes to its storage before
  for (const RuntimeValue &v : operands)
    entered.push_back(v.isTensor() ? v.tensor.storage().version() : 0);
  std::vector<std::optional<Values>> results(c.branches.size());
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    if (b == taken)
      continue;
    Memory memory(context, operands);
    results[b] = runBranch(b, operands);
    if (memory.changedSilently())
      observe(Kind::NotRepeatable, n, NodeId(),
              fmt::format("'{}' changed an operand without a write", c.branches[b].name));
    if (results[b])
      checkStorages(n, c, b, operands, entered, *results[b]);
    memory.restore();
  }
  results[taken] = runBranch(taken, operands);
  if (results[taken])
    checkStorages(n, c, taken, operands, entered, *results[taken]);
  if (lazy && results[taken])
    for (std::size_t i = 0; i < lazy->size() && i < results[taken]->size(); ++i)
      if (!equalValues(context, (*lazy)[i], (*results[taken])[i]))
        observe(Kind::NotRepeatable, n, NodeId(),
                fmt::format("output {} of '{}' is another one when the branch runs alone", i, c.branches[taken].name));
  compareBranches(n, c, results);
  if (!results[taken])
    return failed(n, fmt::format("the branch '{}' did not run to its end", c.branches[taken].name));
  return setResults(n, std::move(*results[taken]));
}

void Interpreter::compareBranches(NodeId n, const Conditional &c, const std::vector<std::optional<Values>> &results) {
  Yielded now;
  for (std::size_t b = 0; b < results.size(); ++b) {
    if (!results[b])
      continue;
    const auto returned = m.results(c.branches[b].graph);
    for (std::size_t i = 0; i < results[b]->size() && i < returned.size(); ++i)
      if (returned[i])
        now.types.push_back(typeOf(returned[i], (*results[b])[i]));
  }
  if (results.size() == 2 && results[0] && results[1]) {
    now.differ = results[0]->size() != results[1]->size();
    for (std::size_t i = 0; !now.differ && i < results[0]->size(); ++i) {
      const ObservedType a = typeOf(ValueId(), (*results[0])[i]), b = typeOf(ValueId(), (*results[1])[i]);
      now.differ = a.kind != b.kind || a.dtype != b.dtype || a.sizes != b.sizes || a.strides != b.strides ||
                   a.offset != b.offset;
    }
  }
  // A run that shows a difference is kept.
  Yielded &kept = yielded[n];
  if (!kept.differ)
    kept = std::move(now);
}

void Interpreter::checkStorages(NodeId n, const Conditional &c, std::size_t branch,
                                std::span<const RuntimeValue> operands, std::span<const std::uint32_t> entered,
                                const Values &results) {
  if (m.info.dialect != Dialect::Torch)
    return; // ONNX has values, no storages
  const std::string &name = c.branches[branch].name;
  const GraphId graph = c.branches[branch].graph;
  const auto spell = [&](ValueId v) {
    return v && !m.name(v).empty() ? fmt::format("'{}'", m.name(v)) : std::string("a value");
  };
  const Range parameters = m[graph].parameters;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].isTensor())
      continue;
    const Storage &s = operands[i].tensor.storage();
    // In a loop the branch may have made it, and written it, on an earlier trip.
    for (NodeId writer : s.writers().subspan(std::min<std::size_t>(entered[i], s.writers().size()))) {
      bool inside = false;
      for (GraphId g = m[writer].graph; g && !inside; g = m[g].parent)
        inside = g == graph;
      if (!inside)
        continue;
      observe(isWeight(s) ? Kind::WroteWeight : Kind::WroteOperand, n, writer,
              fmt::format(
                  "'{}' writes to operand {} ({}) in place: {}", name, i,
                  spell(i < parameters.count ? ValueId(parameters.first + static_cast<std::uint32_t>(i)) : ValueId()),
                  m.operatorName(m[writer].op)));
    }
  }
  const auto returned = m.results(graph);
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!results[k].isTensor() || results[k].tensor.numel() == 0)
      continue;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].isTensor() && operands[i].tensor.sharesStorage(results[k].tensor))
        observe(Kind::SharesOperand, n, k < returned.size() && returned[k] ? m[returned[k]].def : NodeId(),
                fmt::format("output {} of '{}' shares storage with operand {}", k, name, i));
    for (std::size_t j = 0; j < k; ++j)
      if (results[j].isTensor() && results[j].tensor.sharesStorage(results[k].tensor))
        observe(Kind::SharesOutput, n, k < returned.size() && returned[k] ? m[returned[k]].def : NodeId(),
                fmt::format("outputs {} and {} of '{}' share storage", j, k, name));
  }
}

/// What the file records of the node's results against what was computed. Strides
/// are left to the rules: torch's kernels choose them.
void Interpreter::checkRecorded(NodeId n) {
  for (std::uint32_t i = 0; i < m[n].results.count; ++i) {
    const ValueId v = m.result(n, i);
    const RuntimeValue &value = values[v.index()];
    if (!m[v].recorded || !value.isTensor())
      continue;
    const Type &t = m.types[m[v].recorded];
    if (!t.isTensor())
      continue;
    const auto lie = [&](std::string_view facet, std::string was, std::string is) {
      observe(nodeHas(m, n, OpTrait::Conditional) ? Kind::FalseDeclaration : Kind::FalseRecord, NodeId(), n,
              fmt::format("the file records the {} {} for '{}', but {} yields {}", facet, was, m.name(v),
                          m.operatorName(m[n].op), is));
    };
    if (t.element != DType::Unknown && t.element != value.tensor.dtype())
      lie("dtype", std::string(dtypeName(t.element)), std::string(dtypeName(value.tensor.dtype())));
    if (!t.hasRank)
      continue;
    std::string was = "[";
    const bool isOtherRank = t.dims.size() != value.tensor.rank();
    bool differs = isOtherRank;
    for (std::size_t k = 0; k < t.dims.size(); ++k) {
      was += (k != 0 ? ", " : "") + m.dims.str(t.dims[k]);
      // A symbol that data decide says nothing beforehand.
      std::optional<std::int64_t> size = m.dims.asConstant(t.dims[k]);
      if (!size && m.info.dialect == Dialect::Torch && !m.dims.mentions(t.dims[k], SymbolOrigin::Unbacked))
        size = m.dims.evaluate(t.dims[k], symbols);
      if (size.has_value() && !isOtherRank)
        differs = differs || size.value() != value.tensor.size(k);
    }
    if (differs)
      lie("shape", was + ']', shapeText(value.tensor.sizes()));
  }
}

} // namespace condlint
