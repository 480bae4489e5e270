//===- Captures.cpp - What a branch reads and writes besides its own ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/library/LibraryClasses.h"
#include "../interp/machine/StmtWalk.h"
#include "../interp/machine/Types.h"
#include "CaptureFinder.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <tuple>

namespace condlint::cxx {

/// A variable of outside, or a part of one.
struct TorchDomain::Variable {
  std::int64_t number = -1; ///< of the part that is used: a field of a struct, what a pointer leads to
  std::int64_t whole = -1;  ///< of the variable itself; the same where it has no parts
  std::string name;
  CaptureKind kind = CaptureKind::Reference;
  bool own = false;      ///< a by-value copy in the closure itself
  bool isObject = false; ///< the object of the method around the branch itself, not one of its members
  bool canSplit = false; ///< a field of it is a part of its own
};

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
      name == "torch::nn::ModuleHolder" || name == "torch::nn::AnyModule" || name == "c10::IValue")
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

ObjectId TorchDomain::CaptureFinder::topOf(ObjectId o) const {
  while (domain.machine->object(o).holder && domain.machine->object(o).holder != o)
    o = domain.machine->object(o).holder;
  return o;
}

std::string TorchDomain::CaptureFinder::memberTo(SymbolId s) const {
  const clang::FieldDecl *first = nullptr;
  for (; s; s = domain.machine->symbol(s).parent)
    if (domain.machine->symbol(s).step.field)
      first = domain.machine->symbol(s).step.field;
  return first ? first->getNameAsString() : std::string();
}

std::int64_t TorchDomain::CaptureFinder::variableNumber(ObjectId top, const std::string &key, const std::string &name) {
  const auto [entry, isNew] =
      domain.variables.try_emplace({top.index(), key}, static_cast<std::int64_t>(domain.variables.size()));
  if (isNew)
    domain.variableNames.push_back(name);
  return entry->second;
}

void TorchDomain::CaptureFinder::addVariable(NodeDraft &d, std::int64_t number, std::int64_t whole) {
  d.set(attr::variable, number);
  if (whole != number)
    d.set(attr::of, whole);
  d.set(attr::name, domain.variableNames[static_cast<std::size_t>(number)]);
}

namespace {

/// What a closure holds at a place.
struct HeldCapture {
  std::string name;
  CaptureKind kind = CaptureKind::Value;
  bool own = false;     ///< a copy
  std::size_t next = 0; ///< the first step behind it
};

/// The capture at \p p: the last of the closures on the way decides, wherever they are kept.
std::optional<HeldCapture> captureAt(const Place &p) {
  std::optional<HeldCapture> out;
  for (std::size_t i = 0; i < p.path.size(); ++i) {
    const clang::FieldDecl *held = p.path[i].field;
    const auto *c = held ? llvm::dyn_cast<clang::CXXRecordDecl>(held->getParent()) : nullptr;
    if (!c || !c->isLambda())
      continue;
    auto field = c->field_begin();
    for (const clang::LambdaCapture &capture : c->captures()) {
      if (field != c->field_end() && *field == held) {
        const bool isVariable = capture.capturesVariable();
        out = HeldCapture{isVariable ? capture.getCapturedVar()->getNameAsString() : "this",
                          isVariable ? CaptureKind::Value : CaptureKind::This,
                          isVariable || capture.getCaptureKind() == clang::LCK_StarThis, i + 1};
      }
      ++field;
    }
  }
  return out;
}

} // namespace

/// How the branch spells the nameless object \p o: by the pointer to it that its closure captures, or that
/// a variable of the functions around it holds.
std::string TorchDomain::CaptureFinder::pointerTo(ObjectId o, const BranchScope &scope) const {
  const auto leadsTo = [&](const Value &v) {
    if (const Symbol *s = v.symbol())
      return domain.machine->object(o).pointer == s->id;
    const Pointer *p = v.pointer();
    return p && p->only() && p->only()->object == o;
  };
  const Record *closure = scope.callable ? domain.machine->objectValue(scope.callable).record() : nullptr;
  if (closure && closure->type && closure->type->isLambda()) {
    auto field = closure->type->field_begin();
    for (const clang::LambdaCapture &capture : closure->type->captures()) {
      const Value *held = field != closure->type->field_end() ? closure->find(*field) : nullptr;
      ++field;
      const Pointer *named = held && capture.getCaptureKind() == clang::LCK_ByRef ? held->pointer() : nullptr;
      if (held && capture.capturesVariable() &&
          leadsTo(named && named->only() ? domain.machine->objectValue(named->only()->object) : *held))
        return "*" + capture.getCapturedVar()->getNameAsString();
    }
  }
  for (std::size_t i = std::min(scope.frame, domain.machine->frames().size()); i-- > 0;) {
    const clang::ValueDecl *first = nullptr;
    for (const auto &[variable, at] : domain.machine->frames()[i]->variables)
      if (const Place *only = at.only(); only && only->path.empty() &&
                                         leadsTo(domain.machine->objectValue(only->object)) &&
                                         (!first || variable->getLocation() < first->getLocation()))
        first = variable;
    if (first && !first->getName().empty())
      return "*" + first->getNameAsString();
  }
  return "an object without a name";
}

TorchDomain::Variable TorchDomain::CaptureFinder::variableOf(const Place &p, const BranchScope &scope) {
  Variable out;
  ObjectId top = topOf(p.object);
  const Object *o = &domain.machine->object(top);
  const bool reached = top != p.object; // through something that is not seen into
  std::string key;                      // which variable in `top` it is
  std::size_t next = 0;                 // the first step behind it
  const auto fieldAt = [&](std::size_t i) {
    return i < p.path.size() && p.path[i].field ? p.path[i].field->getNameAsString() : std::string();
  };

  if (!reached)
    if (const auto capture = captureAt(p)) {
      out.name = capture->name;
      out.kind = capture->kind;
      out.own = capture->own;
      key = out.name;
      next = capture->next;
    }
  if (out.kind == CaptureKind::This && !out.name.empty()) {
    out.isObject = next == p.path.size();
    key += "." + fieldAt(next++);
  } else if (out.own) {
    // The copy of something given from outside that is looked into: what it leads to is that one's.
    const Value held =
        domain.machine->peek(Place{p.object, {p.path.begin(), p.path.begin() + static_cast<std::ptrdiff_t>(next)}});
    const SymbolId source = held.symbol() ? held.symbol()->id : held.record() ? held.record()->rest : SymbolId();
    const auto copy = std::pair(p.object.index(), key);
    if (const ObjectId holder = source ? domain.machine->symbol(source).holder : ObjectId()) {
      top = topOf(holder);
      const bool members = domain.machine->object(top).storage == Storage::This || top == scope.callable;
      key = members ? memberTo(source) : std::string();
    }
    // The branch may have written to the copy since: it stays the variable that it was.
    std::tie(top, key) = domain.copiedVariables.try_emplace(copy, top, key).first->second;
  } else if (out.name.empty()) {
    const bool isThis = o->storage == Storage::This;
    if (isThis) {
      out.kind = CaptureKind::This;
      out.name = "this";
    } else if (top == scope.callable && (reached || !p.path.empty())) {
      out.kind = CaptureKind::Member;
    } else if (o->storage == Storage::Global || o->storage == Storage::Static) {
      out.kind = o->storage == Storage::Global ? CaptureKind::Global : CaptureKind::Static;
    } else if (reached || o->storage == Storage::Pointee) {
      out.kind = CaptureKind::Pointer;
    } else if (o->storage == Storage::Heap) {
      out.kind = o->decl ? CaptureKind::Bound : CaptureKind::Pointer;
    }
    // Members of one object are variables of their own.
    if (isThis || out.kind == CaptureKind::Member) {
      if (reached)
        key = memberTo(domain.machine->object(p.object).pointer);
      else
        while (next < p.path.size() && key.empty())
          key = fieldAt(next++);
      out.isObject = isThis && key.empty();
    }
    if (out.kind == CaptureKind::Member)
      out.name = key;
    if (out.name.empty() && o->decl)
      out.name = o->decl->getNameAsString();
  }
  if (out.name.empty())
    out.name = pointerTo(top, scope);
  const std::string shown = key.empty() || out.own ? out.name : key.starts_with("this.") ? key.substr(5) : key;
  out.whole = out.number = variableNumber(top, key, shown);
  if (out.own || out.isObject)
    return out;
  // Fields of one struct are told apart, also of structs in a container, and what is reached from what leads there.
  const bool isElement = next < p.path.size() && !p.path[next].field;
  while (next < p.path.size() && !p.path[next].field)
    ++next;
  const std::string field = fieldAt(next);
  out.canSplit = next == p.path.size();
  if (reached || !field.empty())
    out.number = variableNumber(
        top, key + (reached ? "@" + std::to_string(p.object.index()) : "") + (isElement ? "[]/" : "/") + field,
        field.empty() ? shown
                      : shown +
                            (isElement ? "[...]."
                             : reached ? "->"
                                       : ".") +
                            field);
  return out;
}

/// Where the variable is named that \p at reads: for a reference made in the same function that is
/// what it was bound to.
static const clang::Expr *nameOf(const clang::Expr *at) {
  constexpr int most = 16; // references to references
  for (int i = 0; at && i < most; ++i) {
    const clang::Expr *root = at->IgnoreParenImpCasts();
    while (const auto *part = llvm::dyn_cast<clang::MemberExpr>(root))
      root = part->getBase()->IgnoreParenImpCasts();
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(root);
    if (!name || name->refersToEnclosingVariableOrCapture())
      break;
    const clang::ValueDecl *decl = name->getDecl();
    if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(decl))
      decl = binding->getDecomposedDecl();
    const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
    if (!variable || !variable->isLocalVarDecl() || variable->isStaticLocal() || variable->isCXXForRangeDecl() ||
        !variable->getType()->isReferenceType() || !variable->getInit())
      break;
    at = variable->getInit();
  }
  return at;
}

/// The variable of outside to which the function called by \p e returns a reference, as its only `return` names it;
/// null where it does not.
static const clang::Expr *namedByCallee(const clang::Expr *e, const clang::FunctionDecl *&in) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e->IgnoreParenImpCasts());
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getReturnType()->isReferenceType())
    return nullptr;
  // Another object is named where its method is called.
  const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  if (method && !llvm::isa<clang::CXXThisExpr>(method->getImplicitObjectArgument()->IgnoreParenImpCasts()))
    return nullptr;
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(callee->getBody(in));
  const auto *last = body && !body->body_empty() ? llvm::dyn_cast<clang::ReturnStmt>(body->body_back()) : nullptr;
  if (!last || !last->getRetValue())
    return nullptr;
  const auto isReturn = [](const clang::Stmt &s) { return llvm::isa<clang::ReturnStmt>(s) ? Walk::Found : Walk::On; };
  for (const clang::Stmt *s : body->body())
    if (s != last && findStatement(s, isReturn))
      return nullptr;
  const clang::Expr *root = nameOf(last->getRetValue())->IgnoreParenImpCasts();
  const clang::Expr *named = root;
  while (const auto *part = llvm::dyn_cast<clang::MemberExpr>(root))
    root = part->getBase()->IgnoreParenImpCasts();
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(root);
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const bool isOutside = llvm::isa<clang::CXXThisExpr>(root) || (variable && variable->hasGlobalStorage());
  return isOutside ? named : nullptr;
}

LocationId TorchDomain::CaptureFinder::useOf(const Variable &v, const clang::Expr *at, const BranchScope &scope,
                                             Attribute &calls, bool &module) {
  const auto &frames = domain.machine->frames();
  const std::size_t first = scope.frame + 1;
  for (std::size_t i = first; i < frames.size(); ++i) {
    const Place *self = frames[i]->self ? frames[i]->self->only() : nullptr;
    if (!self || !frames[i]->site || !domain.machine->isOuter(self->object))
      continue;
    const Variable object = variableOf(*self, scope);
    if (object.isObject || object.whole != v.whole || (self->object == scope.callable && self->path.empty()))
      continue;
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(frames[i]->function);
    module = method && isModuleClass(method->getParent());
    calls = domain.callsBetween(first, i);
    return domain.places.at(*frames[i]->site, frames[i - 1]->function);
  }
  calls = domain.callsAttribute();
  const clang::Expr *named = nameOf(at);
  const clang::FunctionDecl *in = nullptr;
  const clang::Expr *inside = named ? namedByCallee(named, in) : nullptr;
  if (!inside)
    return domain.locate(named);
  std::vector<LocationId> way;
  if (calls.name)
    for (const std::int64_t call : domain.graphs.ints(calls.list))
      way.push_back(LocationId(static_cast<std::uint32_t>(call)));
  way.push_back(domain.locate(named));
  calls.name = domain.graphs.strings.intern(attr::calls.name);
  calls.kind = AttributeKind::Locations;
  calls.list = domain.graphs.poolLocations(way);
  return domain.places.at(*inside, in);
}

BranchScope *TorchDomain::CaptureFinder::outermostScope(ObjectId o) {
  const unsigned region = domain.machine->object(o).region;
  return region < domain.scopes.size() ? &domain.scopes[region] : nullptr;
}

/// A variable that the language knows the value of: `constexpr`, or `const` with a constant initialiser.
static bool isConstant(const clang::ValueDecl *decl) {
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
  if (!variable)
    return false;
  if (variable->isConstexpr())
    return true;
  // The declaration at hand need not be the one with the initialiser (`const int M::k = 4;` outside of its class).
  const clang::VarDecl *initialised = nullptr;
  const clang::Expr *init = variable->getAnyInitializer(initialised);
  return init && variable->getType().isConstQualified() && !init->isValueDependent() && initialised->evaluateValue();
}

/// What the numbers in one of these are that was made here is not kept.
static bool isOfUnkeptNumbers(std::string_view cls) { return cls == "std::bitset" || cls == "std::valarray"; }

/// A container of numbers that is read as a whole, as `dims` is in `x.sum(dims)`.
bool TorchDomain::CaptureFinder::holdsNumbers(clang::QualType type) const {
  const std::string_view name = domain.machine->className(type);
  return name == "std::bitset" || ((name == "c10::ArrayRef" || isLibraryClass(name, LibraryClass::Numbers)) &&
                                   numberKind(typeArgument(type.getNonReferenceType(), 0)));
}

/// A struct or tuple of numbers and of nothing else, which is read as a whole where it is copied.
static bool consistsOfNumbers(Machine &m, clang::QualType type) {
  if (numberKind(type))
    return true;
  if (const clang::ConstantArrayType *array = m.ast().getAsConstantArrayType(type))
    return consistsOfNumbers(m, array->getElementType());
  const clang::CXXRecordDecl *c = type->isReferenceType() ? nullptr : type->getAsCXXRecordDecl();
  if (!c || !c->hasDefinition() || c->isLambda() || c->isUnion())
    return false;
  const auto isNumbers = [&](clang::QualType part) { return consistsOfNumbers(m, part); };
  const std::string_view name = m.qualifiedName(*c);
  if (name == "std::pair" || name == "std::tuple") {
    unsigned i = 0;
    while (i < typeArgumentCount(type) && isNumbers(typeArgument(type, i)))
      ++i;
    return i != 0 && i == typeArgumentCount(type);
  }
  return !c->isInStdNamespace() && !name.starts_with("c10::") && !name.starts_with("at::") && !c->field_empty() &&
         std::ranges::all_of(c->fields(), [&](const clang::FieldDecl *f) { return isNumbers(f->getType()); }) &&
         std::ranges::all_of(c->bases(), [&](const clang::CXXBaseSpecifier &b) { return isNumbers(b.getType()); });
}

/// Whether all of the numbers in the struct or tuple \p v can differ between two calls: which of them
/// is meant nobody sees.
static bool allVary(const Machine &m, const Value &v) {
  const auto vary = [&](const Value &part) { return allVary(m, part); };
  if (const Symbol *s = v.symbol())
    return !m.symbol(s->id).isConst;
  if (const Record *r = v.record())
    return std::ranges::all_of(r->fields, [&](const auto &field) { return vary(field.second); });
  if (const List *l = v.list())
    return l->sized && std::ranges::all_of(l->items, vary);
  const Number *n = v.number();
  return !n || n->provenance >= Provenance::Varies;
}

/// Whether one of the numbers in the container \p v can differ between two calls.
static bool numbersVary(const Machine &m, const Value &v) {
  if (const Symbol *s = v.symbol())
    return !m.symbol(s->id).isConst;
  if (const Optional *o = v.optional())
    return !o->has || (*o->has && numbersVary(m, o->value));
  if (const List *l = v.list())
    return !l->sized || std::ranges::any_of(l->items, [&](const Value &item) { return numbersVary(m, item); });
  const Number *n = v.number();
  return !n || n->provenance >= Provenance::Varies;
}

/// It is made once, before any call.
static bool isConstantGlobal(const clang::ValueDecl *decl) {
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(decl);
  return variable && variable->isFileVarDecl() && variable->getType().isConstQualified();
}

Capture TorchDomain::CaptureFinder::captured(const Place &p, const Value &v, const clang::Expr *at) {
  const Machine &m = *domain.machine;
  Capture c;
  c.content = CaptureContent::Other;
  if (const Number *n = v.number()) {
    c.content = n->provenance == Provenance::TensorFloat ? CaptureContent::FloatItem : CaptureContent::Scalar;
    c.varies = n->provenance >= Provenance::Varies;
    return c;
  }
  if (domain.isTensor(v)) {
    c.content = CaptureContent::Tensor;
    if (const Token *t = m.objectValue(v.handle()->object).token(); t && t->tag == ValueTag)
      c.value = ValueId(t->id);
    return c;
  }
  const clang::QualType whole = m.object(p.object).type;
  clang::QualType type = at ? at->getType() : whole;
  if (type.isNull())
    return c;
  if (type->isPointerType() && p.path.empty() && !whole.isNull() && !whole->isPointerType())
    type = whole; // the object of a method that is called by a pointer
  if ((v.pointer() || v.symbol()) && type->isPointerType())
    return c; // what it points to is what counts
  if (domain.holdsTensors(type)) {
    c.content = CaptureContent::Tensor;
  } else if (holdsNumbers(type)) {
    c.content = CaptureContent::Scalar;
    if (isOfUnkeptNumbers(domain.machine->className(type)) && !v.symbol())
      c.content = CaptureContent::Other;
    c.varies = !isConstantGlobal(m.object(p.object).decl) && numbersVary(m, v);
  } else if (consistsOfNumbers(*domain.machine, type.getNonReferenceType().getUnqualifiedType())) {
    c.content = CaptureContent::Scalar;
    c.varies = !isConstantGlobal(m.object(p.object).decl) && allVary(m, v);
  } else if (v.unknown() && (numberKind(type) || domain.machine->className(type) == "c10::Scalar")) {
    c.content = CaptureContent::Scalar;
    c.varies = true;
  }
  return c;
}

void TorchDomain::onRead(Machine &m, const Place &p, const Value &v, const clang::Expr *at) {
  BranchScope *scope = CaptureFinder(*this).outermostScope(p.object);
  // What an operand leads to is the branch's to read, and not that of a branch in it.
  if (scope && scope->pointees.contains(CaptureFinder(*this).topOf(p.object)))
    scope = scope == &scopes.back() ? nullptr : scope + 1;
  if (!scope)
    return;
  Capture c = CaptureFinder(*this).captured(p, v, at);
  if (c.content == CaptureContent::Other)
    return;
  if (c.content != CaptureContent::Tensor && isConstant(m.object(p.object).decl))
    return; // the same number in every call, whether its value was found here or not
  const Variable variable = CaptureFinder(*this).variableOf(p, *scope);
  if (scope->wrote(variable.number, variable.whole))
    return;
  // A number is called as the user writes it, what leads to tensors by the variable.
  const std::string &part = variableNames[static_cast<std::size_t>(variable.number)];
  const bool isNumber = c.content != CaptureContent::Tensor && !variable.isObject;
  c.name = graphs.strings.intern(!isNumber                            ? variable.name
                                 : variable.kind == CaptureKind::This ? "this->" + part
                                                                      : part);
  c.kind = variable.kind;
  c.variable = variable.whole;
  if (c.value && !graphs.encloses(graphs[c.value].graph, graphs[scope->graph].parent)) {
    if (variable.own)
      return;            // what the branch has put into its own copy
    c.value = ValueId(); // made in the branch itself
  }
  if (!variable.own && scope->read.insert(variable.number).second)
    scope->reads.push_back({variable.number, variable.whole, locate(at)});
  if (!scope->captured.emplace(variable.whole, c.value ? c.value.index() + 1 : 0, c.content, c.varies).second)
    return;
  Attribute calls;
  bool module = false;
  c.firstUse = CaptureFinder(*this).useOf(variable, at, *scope, calls, module);
  if (module) // whichever of its members is read first
    c.content = CaptureContent::Tensor;
  if (calls.name)
    c.calls = calls.list;
  scope->captures.push_back(c);
}

void TorchDomain::onWrite(Machine &m, const Place &p, const Value &v, const clang::Expr *at) {
  if (scopes.empty())
    return;
  if (!p.object) {
    NodeDraft d(graphs, CxxOp::Opaque);
    d.set(attr::name, "a write through a pointer that is not known");
    const NodeId n = emit(d, 0, at);
    inferNode(graphs, n);
    return;
  }
  BranchScope *scope = CaptureFinder(*this).outermostScope(p.object);
  if (!scope)
    return;
  const Variable variable = CaptureFinder(*this).variableOf(p, *scope);
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
  NodeDraft d(graphs, CxxOp::Write);
  if (isTensor(v) && !isUndefined(v))
    d.value("value", valueOf(v, at));
  CaptureFinder(*this).addVariable(d, variable.number, variable.whole);
  d.set(attr::what, what);
  const NodeId n = emit(d, 0, at);
  inferNode(graphs, n);
  (void)m;
}

std::optional<Value> TorchDomain::onLeakRead(Machine &, std::uint32_t leak, const clang::Expr *at) {
  if (leak > leaks.size())
    return std::nullopt;
  const Leak &l = leaks[leak - 1];
  NodeDraft d(graphs, CxxOp::Read);
  CaptureFinder(*this).addVariable(d, l.variable, l.whole);
  const NodeId n = emit(d, 0, at);
  inferNode(graphs, n);
  // Only one branch runs: for the other one nothing was written.
  return l.other && !l.before.isAbsent() && !isUndefined(l.before) ? std::optional(l.before) : std::nullopt;
}

Value TorchDomain::CaptureFinder::leaked(const Place &p, const Value &before, const Value &after,
                                         const BranchScope &scope, unsigned depth) {
  if (before.same(after))
    return before;
  const Variable variable = variableOf(p, scope);
  if (variable.own)
    return before;
  if (const Record *b = after.record(); b && (before.record() || before.symbol()) && depth < 8) {
    Record r = *b;
    for (auto &[field, value] : r.fields) {
      const Step step = Step::ofField(field);
      const Record *old = before.record();
      const Value *was = old ? old->find(field) : nullptr;
      const Value former = was ? *was : domain.machine->part(before, step, field->getType());
      value = leaked(variable.isObject || variable.canSplit ? p.then(step) : p, former, value, scope, depth + 1);
    }
    return r;
  }
  if (const List *a = before.list(), *b = after.list();
      a && b && a->sized && b->sized && a->items.size() == b->items.size() && depth < 8) {
    List l = *a;
    for (std::size_t i = 0; i < a->items.size(); ++i)
      l.items[i] =
          leaked(p.then(Step::ofIndex(static_cast<std::int64_t>(i))), a->items[i], b->items[i], scope, depth + 1);
    return l;
  }
  if (const List *b = after.list(); b && b->rest && before.symbol() && before.symbol()->id == b->rest && depth < 8) {
    List l = *b;
    for (std::size_t i = 0; i < l.items.size(); ++i) {
      const Step step = Step::ofIndex(static_cast<std::int64_t>(i));
      l.items[i] = leaked(p.then(step), domain.machine->part(before, step, {}), l.items[i], scope, depth + 1);
    }
    return l;
  }
  domain.leaks.push_back({variable.number, variable.whole, before, true});
  return Unknown{domain.machine->reason("written in a branch"), static_cast<std::uint32_t>(domain.leaks.size())};
}

} // namespace condlint::cxx
