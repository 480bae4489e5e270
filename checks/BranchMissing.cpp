//===- BranchMissing.cpp - Both branches are there (B1, C9) ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "facts/SourceFacts.h"
#include "graph/Spelling.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace condlint {

namespace {

/// C9: both sides of each output are tensors.
void checkNetwork(RuleContext &ctx) {
  for (const Output &o : ctx.outputs()) {
    const bool lacks[] = {!o.values[0], !o.values[1]};
    if (!lacks[0] && !lacks[1])
      continue;
    Draft d;
    d.node = o.node;
    d.followsNull = true;
    d.message = fmt::format("a null pointer stands for the output of {}", lacks[0] && lacks[1] ? "both branches"
                                                                          : lacks[0]           ? "'true'"
                                                                                               : "'false'");
    d.help = "addOutput takes a reference: give both branches a tensor, the outer one where a branch does nothing";
    ctx.report(std::move(d));
  }
}

/// The graph of an ONNX node under a name that is none of its branches', but near that of \p b.
std::string_view misspelling(const RuleContext &ctx, const Branch &b) {
  const std::string_view names[] = {"then_branch", "else_branch"};
  for (const Attribute &a : ctx.m.attributes(ctx.conditional().node)) {
    const std::string_view name = ctx.m.text(a.name);
    if (a.kind == AttributeKind::Region && std::ranges::find(names, name) == std::end(names) &&
        nearestName(name, names) == b.name)
      return name;
  }
  return {};
}

std::string whatStandsThere(const RuleContext &ctx, const Branch &b) {
  if (b.problem == Branch::Problem::Absent) {
    const std::string_view name = ctx.conditional().dialect == Dialect::Onnx ? misspelling(ctx, b) : std::string_view();
    return name.empty() ? "nothing stands there" : fmt::format("'{}' is no name of one", name);
  }
  const bool isEmpty = ctx.isSource() && b.instead.kind == AttributeKind::None;
  return (isEmpty ? "an empty function" : spellMisplaced(ctx.m, b.instead)) + " stands there";
}

} // namespace

void checkBranchMissing(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  std::string names;
  std::string whys;
  std::size_t count = 0;
  const std::vector<Branch> &branches = ctx.conditional().branches;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const Branch &b = branches[i];
    if (b.graph) {
      if (const UnseenBranch *unseen = ctx.facts.source->unseen(b.graph); unseen && !unseen->isKnown)
        ctx.unknown(fmt::format("which function '{}' is, or whether there is one, is not known", b.name));
      else if (ctx.isSource() && has(ctx.m, ctx.conditional().node, attr::mayBeEmpty[std::min<std::size_t>(i, 1)]))
        ctx.unknown(fmt::format("'{}' may be an empty function", b.name));
      continue;
    }
    if (b.isUnseen()) {
      ctx.unknown(fmt::format("'{}' {}", b.name,
                              b.problem == Branch::Problem::Reference ? "is an attribute of the function around it"
                                                                      : "could not be read"));
      continue;
    }
    names += fmt::format("{}'{}'", count++ == 0 ? "" : " and ", b.name);
    if (const std::string why = whatStandsThere(ctx, b); why != whys)
      whys += fmt::format("{}{}", whys.empty() ? "" : ", ", why);
  }
  if (count == 0)
    return;
  Draft d;
  d.message = fmt::format("the conditional lacks the {} {}: {}", count == 1 ? "branch" : "branches", names, whys);
  d.help = ctx.isSource() ? "pass two callables: calling an empty one throws when its branch is taken"
           : ctx.isTorch()
               ? "both branches must be graphs (as_graph)"
               : "then_branch and else_branch are required, each one graph; an empty branch still returns values";
  ctx.report(std::move(d));
}

} // namespace condlint
