//===- AllExecutions.cpp - What holds beyond the runs of a builder -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AllExecutions.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

AllExecutions::AllExecutions(const Model &m) {
  if (m.info.format != Format::Cxx || m.info.dialect != Dialect::TensorRT)
    return;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const std::optional<std::int64_t> root = isCxx(m, n, CxxOp::Run) ? read(m, n, attr::root) : std::nullopt;
    if (!root)
      continue;
    Run &run = runs[m[n].graph.index()];
    run.root = *root;
    run.isCommon = has(m, n, attr::common);
    run.bound = read(m, n, attr::bound);
  }
}

const AllExecutions::Run *AllExecutions::runOf(GraphId g) const {
  const auto known = g ? runs.find(g.index()) : runs.end();
  return known == runs.end() ? nullptr : &known->second;
}

bool AllExecutions::isCommon(GraphId g) const {
  const Run *run = runOf(g);
  return run && run->isCommon;
}

bool AllExecutions::isBounded(GraphId g) const {
  const Run *run = runOf(g);
  return run && !run->isCommon && !run->bound.empty();
}

void AllExecutions::meet(GraphId g, const std::string &path) {
  if (isBounded(g))
    met[path].try_emplace(runOf(g)->root, runOf(g)->bound);
}

void AllExecutions::note(GraphId g, const std::string &path, std::string_view rule, Verdict v) {
  const Run *run = runOf(g);
  if (run)
    beyond[path].insert(run->root);
  if (!run || !run->bound.empty()) // it does not stand for all after all
    return;
  const auto [known, isNew] = common[{run->root, path}].try_emplace(rule, v);
  if (isNew || known->second == v)
    return;
  // One way shows it and another does not.
  const auto both = std::minmax(known->second, v);
  known->second = both.second == Verdict::Violated ? Verdict::Possible : both.second;
}

Verdict AllExecutions::verdict(const std::string &path, std::string_view rule, Verdict v, std::string &why) const {
  if (v != Verdict::Proved && v != Verdict::Violated)
    return v;
  const Verdict open = v == Verdict::Proved ? Verdict::Unknown : Verdict::Possible;
  const auto isOther = [&](std::int64_t root) { return commonly(root, path, rule) != v; };
  if (const auto at = met.find(path); at != met.end())
    for (const auto &[root, bound] : at->second)
      if (isOther(root)) {
        why = bound;
        return open;
      }
  // Another function of that name comes to it in what none of its runs does.
  if (const auto at = beyond.find(path); at != beyond.end() && std::ranges::any_of(at->second, isOther)) {
    why = "no run of the code that was followed comes here";
    return open;
  }
  return v;
}

Verdict AllExecutions::commonly(std::int64_t root, const std::string &path, std::string_view rule) const {
  const auto known = common.find({root, path});
  if (known == common.end())
    return Verdict::Unknown;
  const auto ofRule = known->second.find(rule);
  return ofRule == known->second.end() ? Verdict::Unknown : ofRule->second;
}

bool AllExecutions::isProved(const std::string &path, std::string_view rule) const {
  const auto roots = beyond.find(path);
  return roots != beyond.end() && std::ranges::all_of(roots->second, [&](std::int64_t root) {
           return commonly(root, path, rule) == Verdict::Proved;
         });
}

} // namespace condlint
