//===- Captures.cpp - What a branch reads and writes besides its own ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/Types.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

bool TorchDomain::holdsTensors(clang::QualType type, unsigned depth) {
  if (type.isNull() || depth > 6)
    return false;
  type = type.getNonReferenceType();
  if (const auto p = type->getPointeeType(); !p.isNull())
    return holdsTensors(p, depth + 1);
  if (const clang::ArrayType *a = ast.getAsArrayType(type))
    return holdsTensors(a->getElementType(), depth + 1);
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  if (!c)
    return false;
  const std::string_view name = machine->qualifiedName(*c);
  if (name == "at::Tensor" || name == "at::TensorBase" || name == "torch::nn::Module" ||
      name == "torch::nn::ModuleHolder" || name == "c10::IValue")
    return true;
  if (name == "std::function" || c->isLambda())
    return false;
  if (const std::string_view like = standardClass(name); name.starts_with("std::") || !like.empty()) {
    for (unsigned i = 0; i < typeArgumentCount(type); ++i)
      if (holdsTensors(typeArgument(type, i), depth + 1))
        return true;
    return false;
  }
  if (name.starts_with("c10::") || name.starts_with("at::") || !c->hasDefinition())
    return false;
  for (const clang::CXXBaseSpecifier &base : c->bases())
    if (holdsTensors(base.getType(), depth + 1))
      return true;
  for (const clang::FieldDecl *f : c->fields())
    if (holdsTensors(f->getType(), depth + 1))
      return true;
  return false;
}

TorchDomain::Variable TorchDomain::variableOf(const Place &p, const BranchScope &scope) {
  Variable out;
  std::string key;
  ObjectId top = p.object;
  const Object *o = &machine->object(top);
  while (o->holder && o->holder != top) {
    top = o->holder;
    o = &machine->object(top);
  }
  const bool reached = top != p.object; // through something that is not seen into
  const auto fieldName = [](const Step &s) { return s.field ? s.field->getNameAsString() : std::string(); };

  // The copies in a closure: the last of the closures on the way decides.
  if (!reached) {
    const clang::CXXRecordDecl *c = Machine::classOf(o->type);
    if (const Record *r = machine->objectValue(top).record(); r && r->type)
      c = r->type;
    for (const Step &s : p.path) {
      if (!c || !c->isLambda() || !s.field)
        break;
      auto field = c->field_begin();
      for (const clang::LambdaCapture &capture : c->captures()) {
        if (field != c->field_end() && *field == s.field) {
          out.name = capture.capturesVariable() ? capture.getCapturedVar()->getNameAsString() : "this";
          out.kind = capture.capturesVariable() ? CaptureKind::Value : CaptureKind::This;
          out.own = capture.capturesVariable();
          key = out.name;
        }
        ++field;
      }
      c = Machine::classOf(s.field->getType());
    }
  }
  if (out.name.empty()) {
    const bool isThis = o->storage == Storage::This;
    if (isThis) {
      out.kind = CaptureKind::This;
      out.name = "this";
    } else if (top == scope.callable && !p.path.empty()) {
      out.kind = CaptureKind::Member;
      out.name = fieldName(p.path.front());
    } else if (o->storage == Storage::Global || o->storage == Storage::Static) {
      out.kind = o->storage == Storage::Global ? CaptureKind::Global : CaptureKind::Static;
    } else if (reached || o->storage == Storage::Pointee) {
      out.kind = CaptureKind::Pointer;
    } else if (o->storage == Storage::Heap) {
      out.kind = o->decl ? CaptureKind::Bound : CaptureKind::Pointer;
    }
    if (out.name.empty() && o->decl)
      out.name = o->decl->getNameAsString();
    // Members of one object are variables of their own.
    if (isThis || out.kind == CaptureKind::Member) {
      for (const Step &s : p.path)
        if (key.empty() && s.field)
          key = fieldName(s);
      if (reached)
        key = machine->objectValue(p.object).symbol()
                  ? machine->symbol(machine->objectValue(p.object).symbol()->id).name
                  : key;
    }
  }
  const auto [entry, isNew] = variables.try_emplace({top.index(), key}, static_cast<std::int64_t>(variables.size()));
  if (isNew)
    variableNames.push_back(key.empty() || out.kind == CaptureKind::Value ? out.name : key);
  out.number = entry->second;
  return out;
}

BranchScope *TorchDomain::outermostScope(ObjectId o) {
  const unsigned region = machine->object(o).region;
  return region < scopes.size() ? &scopes[region] : nullptr;
}

/// A variable that the language knows the value of: `constexpr`, or `const` with a constant initialiser.
static bool isConstant(const clang::ValueDecl *decl) {
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
  if (!variable)
    return false;
  if (variable->isConstexpr())
    return true;
  const clang::Expr *init = variable->getAnyInitializer();
  return init && variable->getType().isConstQualified() && !init->isValueDependent() && variable->evaluateValue();
}

void TorchDomain::onRead(Machine &m, const Place &p, const Value &v, const clang::Expr *at) {
  BranchScope *scope = outermostScope(p.object);
  if (!scope)
    return;
  Capture c;
  c.content = CaptureContent::Other;
  clang::QualType type = at ? at->getType() : m.object(p.object).type;
  if (const Number *n = v.number()) {
    c.content = n->provenance == Provenance::TensorFloat ? CaptureContent::FloatItem : CaptureContent::Scalar;
    c.varies = n->provenance >= Provenance::Varies;
  } else if (isTensor(v)) {
    c.content = CaptureContent::Tensor;
    if (const Token *t = m.objectValue(v.handle()->object).token(); t && t->tag == ValueTag)
      c.value = ValueId(t->id);
  } else if (v.pointer() && type->isPointerType()) {
    return; // what it points to is what counts
  } else if (holdsTensors(type)) {
    c.content = CaptureContent::Tensor;
  } else if (v.unknown() && numberKind(type)) {
    c.content = CaptureContent::Scalar;
    c.varies = true;
  }
  if (c.content == CaptureContent::Other)
    return;
  if (c.content != CaptureContent::Tensor && isConstant(m.object(p.object).decl))
    return; // the same number in every call, whether its value was found here or not
  const Variable variable = variableOf(p, *scope);
  if (scope->written.contains(variable.number))
    return;
  c.name = graphs.strings.intern(variable.name);
  c.kind = variable.kind;
  c.variable = variable.number;
  if (c.value && !graphs.encloses(graphs[c.value].graph, graphs[scope->graph].parent)) {
    if (variable.own)
      return;            // what the branch has put into its own copy
    c.value = ValueId(); // made in the branch itself
  }
  c.firstUse = locate(at);
  if (const Attribute calls = callsAttribute(); calls.name)
    c.calls = calls.list;
  const auto [entry, isNew] = scope->captured.try_emplace(variable.number, scope->captures.size());
  if (isNew) {
    scope->captures.push_back(c);
    return;
  }
  // A part that matters takes the place of one that does not.
  Capture &known = scope->captures[entry->second];
  const bool matters = known.content == CaptureContent::Tensor || known.varies;
  if (!matters && (c.content == CaptureContent::Tensor || c.varies))
    known = c;
}

void TorchDomain::onWrite(Machine &m, const Place &p, const Value &v, const clang::Expr *at) {
  if (scopes.empty())
    return;
  if (!p.object) {
    NodeDraft d(graphs, "cxx", "opaque");
    d.text("name", "a write through a pointer that is not known");
    const NodeId n = emit(d, 0, at);
    inferNode(graphs, n);
    return;
  }
  BranchScope *scope = outermostScope(p.object);
  if (!scope)
    return;
  const Variable variable = variableOf(p, *scope);
  if (variable.own)
    return; // a closure's own copy
  if (const Pointer *given = v.pointer())
    for (const Place &place : given->places)
      if (const clang::Expr *made = m.allocation(place.object); made && !m.isOuter(place.object))
        onEffect(m, Effect::Allocation, "new", made);
  for (std::size_t i = static_cast<std::size_t>(scope - scopes.data()); i < scopes.size(); ++i)
    scopes[i].written.insert(variable.number);
  std::string_view what = "reference";
  switch (variable.kind) {
  case CaptureKind::Global:
    what = "global";
    break;
  case CaptureKind::Static:
    what = "static";
    break;
  case CaptureKind::This:
  case CaptureKind::Member:
    what = "member";
    break;
  case CaptureKind::Pointer:
    what = "pointer";
    break;
  default:
    break;
  }
  NodeDraft d(graphs, "cxx", "write");
  if (isTensor(v) && !isUndefined(v))
    d.value("value", valueOf(v, at));
  d.integer("variable", variable.number);
  d.text("name", variableNames[static_cast<std::size_t>(variable.number)]);
  d.text("what", what);
  const NodeId n = emit(d, 0, at);
  inferNode(graphs, n);
  (void)m;
}

void TorchDomain::onLeakRead(Machine &, std::uint32_t leak, const clang::Expr *at) {
  NodeDraft d(graphs, "cxx", "read");
  d.integer("variable", static_cast<std::int64_t>(leak) - 1);
  d.text("name", leak <= variableNames.size() ? std::string_view(variableNames[leak - 1]) : std::string_view());
  const NodeId n = emit(d, 0, at);
  inferNode(graphs, n);
}

Value TorchDomain::leaked(const Value &before, const Value &after, std::int64_t variable) {
  if (before.same(after))
    return before;
  if (const Record *a = before.record(), *b = after.record(); a && b) {
    Record r = *a;
    for (const auto &[field, value] : b->fields) {
      const Value *old = a->find(field);
      r.set(field, leaked(old ? *old : Value(), value, variable));
    }
    return r;
  }
  if (const List *a = before.list(), *b = after.list();
      a && b && a->sized && b->sized && a->items.size() == b->items.size()) {
    List l = *a;
    for (std::size_t i = 0; i < a->items.size(); ++i)
      l.items[i] = leaked(a->items[i], b->items[i], variable);
    return l;
  }
  return Unknown{machine->reason("written in a branch"), static_cast<std::uint32_t>(variable) + 1};
}

} // namespace condlint::cxx
