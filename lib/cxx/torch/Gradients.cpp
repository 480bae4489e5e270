//===- Gradients.cpp - Backward passes ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward pass writes what none of its arguments show: the gradients of the
// tensors that its loss was computed from.
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "../interp/machine/Types.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

namespace {

/// The tensors from which gradients are asked for when a loss is taken back.
struct Leaves {
  std::vector<ValueId> operands, captures;
  bool own = false;     ///< one that the branch made asks for its gradient
  bool unknown = false; ///< what it comes from was not understood
};

Leaves leavesOf(const Model &m, ValueId loss, GraphId branch) {
  constexpr std::size_t most = 4096;
  Leaves found;
  std::vector<ValueId> open{loss};
  std::set<ValueId> seen{loss};
  while (!open.empty() && !found.unknown) {
    const ValueId v = open.back();
    open.pop_back();
    const condlint::Value &x = m[v];
    const Type &t = m.type(v);
    if (t.requiresGrad == Tri::No ||
        (t.isTensor() && t.possible().disjoint(DTypeSet::floating() | DTypeSet::complex())))
      continue;
    if (x.origin == ValueOrigin::Parameter || x.graph != branch) {
      (x.graph == branch ? found.operands : found.captures).push_back(v);
      continue;
    }
    if (x.origin != ValueOrigin::Result)
      continue;
    const Operator &op = m[m[x.def].op];
    const std::string_view name = m.text(op.name);
    if (isCxx(m, x.def, CxxOp::Unknown) || isCxx(m, x.def, CxxOp::Opaque) || isCxx(m, x.def, CxxOp::Read))
      found.unknown = true;
    if (name == "detach" || name == "detach_copy")
      continue;
    if (isCxx(m, x.def, CxxOp::Assume) && t.requiresGrad == Tri::Yes &&
        m.type(m.operands(x.def)[0]).requiresGrad != Tri::Yes) {
      found.own = true;
      continue;
    }
    if (m.operands(x.def).empty() && t.requiresGrad == Tri::Yes)
      found.own = true;
    for (const ValueId from : m.operands(x.def))
      if (from && seen.insert(from).second)
        open.push_back(from);
    found.unknown = found.unknown || seen.size() > most;
  }
  return found;
}

} // namespace

void TorchDomain::Gradients::takeBack(const Value &loss, const clang::Expr *at) {
  const ValueId v = domain.valueOf(loss, at);
  const Leaves leaves = leavesOf(domain.graphs, v, domain.graph());
  NodeDraft d(domain.graphs, CxxOp::Gradient);
  if (!leaves.unknown && leaves.operands.empty() && leaves.captures.empty())
    return;
  // Of a model's parameters and its input the parameters ask for their gradients; an
  // operand does where that is known.
  std::vector<ValueId> written;
  std::ranges::copy_if(leaves.operands, std::back_inserter(written),
                       [&](ValueId o) { return domain.graphs.type(o).requiresGrad == Tri::Yes; });
  if (!leaves.unknown && !leaves.own)
    written.insert(written.end(), leaves.captures.begin(), leaves.captures.end());
  if (written.empty())
    d.value("tensor", domain.unknownValue("a tensor whose gradient is asked for", at));
  else
    d.values("tensor", written);
  inferNode(domain.graphs, domain.emit(d, 0, at));
}

void TorchDomain::Gradients::changeGradient(const Value &tensor, std::string_view by, const clang::Expr *at) {
  NodeDraft d(domain.graphs, CxxOp::Gradient);
  d.value("tensor", domain.valueOf(tensor, at));
  d.set(attr::name, by);
  inferNode(domain.graphs, domain.emit(d, 0, at));
}

void TorchDomain::Gradients::noteGradientWrite(const Value &written, std::string_view by, const clang::Expr *at) {
  if (!domain.isTensor(written) || domain.isUndefined(written))
    return;
  const ValueId v = domain.withoutAssumptions(domain.valueOf(written, at));
  if (!v || domain.graphs[v].origin != ValueOrigin::Result)
    return;
  const NodeId def = domain.graphs[v].def;
  if (isCxx(domain.graphs, def, CxxOp::Grad))
    changeGradient(domain.newTensor(domain.graphs.operands(def)[0]), by, at);
}

std::optional<Value> TorchDomain::Gradients::gradientUtility(Call &c, std::string_view name) {
  if ((name != "clip_grad_norm_" && name != "clip_grad_value_") || c.arguments.empty())
    return std::nullopt;
  const Value given = domain.machine->load(c.arguments[0]);
  for (std::size_t i = 1; i < c.arguments.size(); ++i)
    if (!c.arguments[i].isDefault)
      domain.machine->load(c.arguments[i]);
  std::vector<Value> tensors{given};
  if (const List *l = given.list())
    tensors = l->sized ? l->items : std::vector<Value>{l->every};
  else if (given.symbol() && domain.machine->className(c.arguments[0].type) == "std::vector")
    tensors = {domain.machine->part(given, Step::ofIndex(-1), typeArgument(c.arguments[0].type, 0))};
  for (const Value &tensor : tensors)
    changeGradient(tensor, name, c.expr);
  return domain.machine->unknown(c.type, "a norm of gradients");
}

/// The `forward` of the user's own function of autograd that its \p apply runs; null where it is not one function.
static const clang::FunctionDecl *forwardOf(const clang::FunctionDecl &apply, clang::ASTContext &ast) {
  const auto *base = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(apply.getDeclContext());
  if (!base || base->getTemplateArgs().size() == 0 ||
      base->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return nullptr;
  const clang::CXXRecordDecl *own = base->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  if (!own || !own->hasDefinition())
    return nullptr;
  const auto found = own->lookup(&ast.Idents.get("forward"));
  const auto *forward = found.isSingleResult() ? llvm::dyn_cast<clang::CXXMethodDecl>(found.front()) : nullptr;
  return forward && forward->isStatic() && forward->getNumParams() != 0 ? forward : nullptr;
}

/// `MyFunction::apply(x)`: its `forward`, given a context of its own.
static std::optional<Value> applied(Machine &m, Call &c) {
  const clang::FunctionDecl *forward = forwardOf(*c.callee, m.ast());
  if (!forward)
    return std::nullopt;
  const clang::QualType context = forward->getParamDecl(0)->getType();
  std::vector<Argument> given(1);
  given.front().type = context;
  given.front().value =
      Pointer::to(m.newObject(m.unknown("the context of a function of autograd"), pointeeType(context), Storage::Heap));
  given.insert(given.end(), c.arguments.begin(), c.arguments.end());
  return m.invoke(Callable{forward, {}, {}}, std::move(given), c.expr);
}

std::optional<Value> TorchDomain::Gradients::autograd(Call &c, std::string_view name) {
  if (c.name == "torch::autograd::Function::apply")
    return applied(*domain.machine, c);
  if (c.name.find("::Function::") != std::string_view::npos)
    return std::nullopt;
  if ((name != "grad" && name != "backward") || c.arguments.empty())
    return std::nullopt;
  const Value outputs = domain.machine->load(c.arguments[0]);
  if (name == "backward") {
    for (const Value &loss :
         domain.machine->elements(outputs).value_or(std::vector<Value>{domain.machine->unknown("a loss")}))
      takeBack(loss, c.expr);
    return Void{};
  }
  const auto inputs =
      c.arguments.size() > 1 ? domain.machine->elements(domain.machine->load(c.arguments[1])) : std::nullopt;
  List l;
  l.sized = inputs.has_value();
  if (!inputs)
    l.every = domain.newTensor(domain.madeTensor(c.name, c.expr));
  for (const Value &input : inputs.value_or(std::vector<Value>())) {
    // A gradient is like what it is the gradient of.
    const Type t = domain.typeOf(input);
    Type facts;
    facts.kind = ValueKind::Tensor;
    facts.element = t.element;
    facts.device = t.device;
    facts.deviceIndex = t.deviceIndex;
    facts.hasRank = t.hasRank;
    const std::vector<Dim> dims(t.dims.begin(), t.dims.end());
    facts.dims = dims;
    l.items.push_back(domain.newTensor(domain.madeTensor(c.name, c.expr, facts)));
  }
  return l;
}

} // namespace condlint::cxx
