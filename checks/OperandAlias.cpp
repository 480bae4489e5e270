//===- OperandAlias.cpp - No two operands share storage (A3) --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace condlint {

void checkOperandAlias(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch)
    return ctx.absent();
  // By root: the operands whose storage comes from it. The same tensor twice is
  // one operand to torch.
  struct Share {
    std::size_t position;
    ValueId value;
    AliasAnalysis::Source source;
  };
  std::map<ValueId, std::vector<Share>> byRoot;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId v = c.operands[i].value;
    if (!v || !ctx.typeOf(v).isTensor())
      continue;
    for (const AliasAnalysis::Source &s : ctx.sourcesOf(v)) {
      auto &list = byRoot[s.value];
      if (std::ranges::find(list, v, &Share::value) == list.end())
        list.push_back({i, v, s});
    }
  }
  for (const auto &[root, list] : byRoot) {
    if (list.size() < 2)
      continue;
    std::vector<Share> sure;
    for (const Share &s : list)
      if (std::ranges::any_of(
              list, [&](const Share &t) { return &t != &s && AliasAnalysis::certainTogether(s.source, t.source); }))
        sure.push_back(s);
    if (sure.size() < 2) {
      ctx.unknown(fmt::format("operands {} and {} may share storage", list[0].position, list[1].position));
      continue;
    }
    std::string which;
    Draft d;
    for (const Share &s : sure) {
      which += fmt::format("{}{} ({} at {})",
                           which.empty()        ? ""
                           : &s == &sure.back() ? " and "
                                                : ", ",
                           s.position, spellValue(m, s.value), spellPlace(m, s.value));
      d.related.push_back(relatedTo(m, s.value, fmt::format("operand {}", s.position)));
    }
    d.message = fmt::format("operands {} share storage{}", which,
                            std::ranges::find(sure, root, &Share::value) == sure.end()
                                ? fmt::format(": they are views of {}", spellValue(m, root))
                                : std::string());
    d.help = "pass the base alone and take the view inside the branches, or pass a clone";
    ctx.report(std::move(d));
  }
}

} // namespace condlint
