//===- Functionalized.cpp - Operators that write, made to write copies ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: torch/_higher_order_ops/auto_functionalize.py. `run_decompositions` wraps an operator of a user that
// writes some of its arguments: the node calls it on copies, and yields what it returns, which by its schema is
// none of its arguments, and then the copies.
#include "AtenEffects.h"
#include "ControlFlow.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Shape.h"
#include "kernels/LinearAlgebra.h"

namespace condlint {

namespace {

/// `auto_functionalized_v2(op, …, _x_base_index, …, _all_bases)`: the arguments that are written are views of
/// the bases, and the last results are the new values of these, whole.
void inferBases(InferContext &c) {
  const Attribute *bases = c.attribute("_all_bases");
  if (!bases || bases->kind != AttributeKind::Operands || bases->list.count > c.resultCount())
    return;
  const std::size_t first = c.resultCount() - bases->list.count;
  for (std::uint32_t i = 0; i < bases->list.count; ++i) {
    const Type &base = c.type(bases->list.first + i);
    if (!base.isTensor())
      continue;
    OwnedType value = freshTensor(c, base.element, base);
    if (base.hasRank)
      value.setDims(copyDims(base.dims));
    value.dropStrides();
    value.type.storageOffset = Dim();
    setFresh(c, first + i, value);
  }
}

void inferNothing(InferContext &) {}
void executePrint(ExecContext &) {}

/// The name of the operator that \p n is given as a text; empty where it is given none.
std::string_view operatorGiven(const Model &m, NodeId n) {
  for (const Attribute &a : m.attributes(n))
    if (a.kind == AttributeKind::String)
      return m.text(a.text);
  return {};
}

void refineWithEffects(const Model &m, NodeId n, NodeEffects &e) { e.opaque = !operatorGiven(m, n).empty(); }

/// Its shape is that of the operator inside, which the record says.
void inferOutDtype(InferContext &c) {
  for (const Attribute &a : c.model().attributes(c.node()))
    if (a.kind == AttributeKind::DType && c.resultCount() == 1) {
      const ValueId first = c.operand(0);
      OwnedType t = freshTensor(c, static_cast<DType>(a.number), first ? c.typeOf(first) : Type());
      return setFresh(c, 0, t);
    }
}

/// It makes a tensor of its own, and does nothing else where the operator inside does nothing else.
void refineOutDtype(const Model &m, NodeId n, NodeEffects &e) {
  constexpr std::string_view ops = "torch.ops.aten.";
  std::string_view name = operatorGiven(m, n);
  if (!name.starts_with(ops))
    return;
  name.remove_prefix(ops.size());
  const std::size_t dot = name.find('.');
  const EffectsRow *row =
      findAtenEffects("aten", name.substr(0, dot), dot == name.npos ? std::string_view() : name.substr(dot + 1));
  if (row && row->writeCount() == 0 && !row->random() && !row->hostSync())
    e.opaque = false;
}

/// The token that it yields is one as it is given; what the operator inside yields follows.
void inferWithEffects(InferContext &c) {
  if (c.resultCount() > 0 && c.has(0))
    c.setResult(0, c.type(0));
}

} // namespace

const OpDef functionalizedBases{"functionalized_bases", inferBases};
/// The first version leaves it to the operator's schema which arguments are written.
const OpDef functionalized{"functionalized", nullptr};

/// `with_effects(token, op, …)` calls an operator for its effects, and yields the token that the next such call takes
/// and then what the operator does. Decompositions make it of the checks of factorizations. Readers of exported
/// programs make a node of its own of the operator inside, and leave the token here.
const OpDef withEffects{"with_effects", inferWithEffects, OpTrait::None, refineWithEffects, executeWithEffects};

/// `out_dtype(op, dtype, …)` calls an operator on tensors that it casts before, and casts the result.
const OpDef outDtype{"out_dtype", inferOutDtype, OpTrait::None, refineOutDtype};

/// `aten._print` writes to the terminal.
const OpDef print{"print", inferNothing, OpTrait::None, nullptr, executePrint};

bool worksOnCopies(const Model &m, NodeId n) {
  const OpDef *definition = m[m[n].op].definition;
  return definition == &functionalizedBases || definition == &functionalized;
}

} // namespace condlint
