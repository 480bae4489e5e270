//===- DeclaredOperators.cpp - Operators that a user describes ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeclaredOperators.h"
#include "AtenEffects.h"

namespace condlint {

namespace {

/// A definition that one model has of a user.
struct Declared : OpDef {
  std::shared_ptr<const OperatorDeclarations> keepAlive;
  const OperatorDeclaration *said = nullptr;
};

const OperatorDeclaration &saidOf(const Model &m, NodeId n) {
  return *static_cast<const Declared *>(m[m[n].op].definition)->said;
}

/// The operands that \p argument of \p n is: one, those of a list, or none where it is no tensor or left out.
Range operandsOf(const Model &m, NodeId n, const OperatorDeclaration::Argument &argument) {
  const auto count = static_cast<std::uint32_t>(m.operands(n).size());
  if (const auto *name = std::get_if<std::string>(&argument))
    return argumentOperands(m, n, *name);
  const std::uint32_t position = std::get<std::uint32_t>(argument);
  if (m[m[n].op].dialect == Dialect::Onnx)
    return position < count ? Range{position, 1} : Range{};
  const auto given = m.attributes(n);
  if (position >= given.size())
    return {};
  const Attribute &a = given[position];
  return a.kind == AttributeKind::Operands  ? a.list
         : a.kind == AttributeKind::Operand ? Range{a.list.first, 1}
                                            : Range{};
}

void refineDeclared(const Model &m, NodeId n, NodeEffects &effects) {
  const OperatorDeclaration &said = saidOf(m, n);
  effects.opaque = false;
  for (const OperatorDeclaration::Argument &written : said.writes) {
    const Range at = operandsOf(m, n, written);
    for (std::uint32_t k = 0; k < at.count; ++k)
      effects.writes.push_back(at.first + k);
  }
  for (const OperatorDeclaration::Alias &alias : said.aliases) {
    const Range at = operandsOf(m, n, alias.argument);
    for (std::uint32_t k = 0; k < at.count; ++k)
      effects.aliases.push_back({alias.result, at.first + k, AliasKind::Must});
  }
}

/// What the file records of a result stands.
void inferDeclared(InferContext &c) {
  const Model &m = c.model();
  const OperatorDeclaration &said = saidOf(m, c.node());
  for (std::size_t i = 0; i < said.like.size() && i < c.resultCount(); ++i) {
    if (!said.like[i] || m[m.result(c.node(), i)].recorded)
      continue;
    if (const Range at = operandsOf(m, c.node(), *said.like[i]); at.count == 1 && c.has(at.first))
      c.setResult(i, c.type(at.first));
  }
}

const OperatorDeclaration *find(const OperatorDeclarations &all, std::string_view domain, std::string_view name,
                                std::string_view overload) {
  const std::string plain = std::string(domain) + "::" + std::string(name);
  for (const std::string &key : {plain + '.' + std::string(overload), plain})
    if (const auto it = all.find(key); it != all.end())
      return &it->second;
  return nullptr;
}

} // namespace

void declareOperators(Model &m, std::shared_ptr<const OperatorDeclarations> all) {
  if (!all || all->empty())
    return;
  for (std::uint32_t i = 0; i < m.operatorCount(); ++i) {
    const OperatorId o(i);
    resolveOperator(m, o);
    Operator &op = m[o];
    if (op.definition || op.effects || m.text(op.domain).empty())
      continue;
    const OperatorDeclaration *said = find(*all, m.text(op.domain), m.text(op.name), m.text(op.overload));
    if (!said)
      continue;
    const auto made = std::make_shared<Declared>();
    made->name = "declared";
    made->infer = said->like.empty() ? nullptr : &inferDeclared;
    made->refineEffects = &refineDeclared;
    made->keepAlive = all;
    made->said = said;
    op.definition = made.get();
    m.backing.push_back(made);
  }
}

bool isDeclared(const OpDef *definition) { return definition && definition->refineEffects == &refineDeclared; }

bool mayDoAnything(const Model &m, NodeId n, const NodeEffects &effects) {
  return effects.opaque || (isDeclared(m[m[n].op].definition) && !saidOf(m, n).pure);
}

} // namespace condlint
