//===- Expressions.cpp - Expressions and where they lie -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "../values/FieldPointer.h"
#include "Calls.h"
#include "Construction.h"
#include "Joins.h"
#include "Jumps.h"
#include "Lifetimes.h"
#include "Machine.h"
#include "Operators.h"
#include "Places.h"
#include "Statements.h"
#include "Trial.h"
#include "Types.h"
#include "Unseen.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/Support/SaveAndRestore.h>

namespace condlint::cxx {

Value Machine::eval(const clang::Expr *e) {
  if (!e || isDead)
    return unknown("code that does not run");
  if (!step())
    return unknown(e->getType(), "too large");
  if (nestingDepth >= limits.nesting) {
    exhausted = true;
    return unknown(e->getType(), "too deeply nested");
  }
  if (e->containsErrors())
    ++damaged;
  ++nestingDepth;
  Value v = Expressions(*this).evalInner(e);
  --nestingDepth;
  return v;
}

Pointer Machine::lvalue(const clang::Expr *e) {
  if (!e || isDead || !step())
    return Pointer::unknown();
  if (nestingDepth >= limits.nesting) {
    exhausted = true;
    return Pointer::unknown();
  }
  if (e->containsErrors())
    ++damaged;
  ++nestingDepth;
  Pointer p = Expressions(*this).lvalueInner(e);
  --nestingDepth;
  return p;
}

Value Machine::Expressions::resultOf(const clang::Expr *e, Value v) {
  // A call that returns a reference names a place; its value is what is there.
  if (e->isGLValue())
    if (const Pointer *p = v.pointer())
      return m.load(*p, e, e->getType());
  return v;
}

namespace {

/// What \p e only stands around, whether its value or its place is asked for; null where it does more.
const clang::Expr *wrapped(const clang::Expr *e) {
  switch (e->getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return llvm::cast<clang::ParenExpr>(e)->getSubExpr();
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return llvm::cast<clang::SubstNonTypeTemplateParmExpr>(e)->getReplacement();
  case clang::Stmt::CXXBindTemporaryExprClass:
    return llvm::cast<clang::CXXBindTemporaryExpr>(e)->getSubExpr();
  case clang::Stmt::CXXDefaultArgExprClass:
    return llvm::cast<clang::CXXDefaultArgExpr>(e)->getExpr();
  case clang::Stmt::CXXDefaultInitExprClass:
    return llvm::cast<clang::CXXDefaultInitExpr>(e)->getExpr();
  case clang::Stmt::OpaqueValueExprClass:
    return llvm::cast<clang::OpaqueValueExpr>(e)->getSourceExpr();
  case clang::Stmt::CXXRewrittenBinaryOperatorClass:
    return llvm::cast<clang::CXXRewrittenBinaryOperator>(e)->getSemanticForm();
  case clang::Stmt::GenericSelectionExprClass:
    return llvm::cast<clang::GenericSelectionExpr>(e)->getResultExpr();
  default:
    return nullptr;
  }
}

} // namespace

std::optional<Value> Machine::Expressions::evalLiteral(const clang::Expr *e) {
  switch (e->getStmtClass()) {
  case clang::Stmt::IntegerLiteralClass: {
    const llvm::APInt &i = llvm::cast<clang::IntegerLiteral>(e)->getValue();
    return i.getActiveBits() < 64 ? Value(Number::ofInteger(static_cast<std::int64_t>(i.getZExtValue())))
                                  : m.unknown("a large number");
  }
  case clang::Stmt::FloatingLiteralClass:
    return m.constant(clang::APValue(llvm::cast<clang::FloatingLiteral>(e)->getValue()), e->getType());
  case clang::Stmt::CXXBoolLiteralExprClass:
    return Number::boolean(llvm::cast<clang::CXXBoolLiteralExpr>(e)->getValue());
  case clang::Stmt::CharacterLiteralClass:
    return Number::ofInteger(llvm::cast<clang::CharacterLiteral>(e)->getValue());
  case clang::Stmt::StringLiteralClass: {
    const auto *s = llvm::cast<clang::StringLiteral>(e);
    return s->getCharByteWidth() == 1 ? Value::text(s->getString().str()) : m.unknown("a wide string");
  }
  case clang::Stmt::PredefinedExprClass:
    return Value::text("function");
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass:
    return Null{};
  case clang::Stmt::CXXScalarValueInitExprClass:
  case clang::Stmt::ImplicitValueInitExprClass:
    return m.defaultValue(e->getType(), true);
  case clang::Stmt::UnaryExprOrTypeTraitExprClass:
  case clang::Stmt::TypeTraitExprClass:
  case clang::Stmt::SizeOfPackExprClass:
  case clang::Stmt::CXXNoexceptExprClass:
  case clang::Stmt::ConceptSpecializationExprClass:
  case clang::Stmt::RequiresExprClass: {
    clang::Expr::EvalResult r;
    if (e->EvaluateAsRValue(r, m.context))
      return m.constant(r.Val, e->getType());
    return m.unknown(e->getType(), "not a constant");
  }
  default:
    return std::nullopt;
  }
}

Value Machine::Expressions::evalThis(const clang::Expr *e) {
  const Frame &f = *m.stack.back();
  if (!f.capturedThis || !f.closure)
    return f.self ? Value(*f.self) : m.unknown("this");
  const Pointer captured = f.closure->then(Step::ofField(f.capturedThis));
  // A copy of *this lies in the closure itself.
  return f.capturedThis->getType()->isPointerType() ? m.load(captured, e, f.capturedThis->getType()) : Value(captured);
}

Value Machine::Expressions::evalThrow(const clang::CXXThrowExpr &e) {
  // `throw;` throws on what was caught.
  const bool isAgain = !e.getSubExpr() && !m.jumps->caught.empty() && m.jumps->caught.back().first;
  const clang::CXXThrowExpr &from = isAgain ? *m.jumps->caught.back().first : e;
  const Value what = isAgain ? m.jumps->caught.back().second : e.getSubExpr() ? m.eval(e.getSubExpr()) : Value();
  if (m.isDead)
    return Void{};
  m.dom.onEffect(m, Effect::Throw, "throw", &e);
  // What lives comes to its end up to where the exception is caught.
  const auto &tries = m.jumps->tries;
  const auto catches = [&](const auto &one) {
    return !from.getSubExpr() || handlerOf(*one.first, from.getSubExpr()->getType()).has_value();
  };
  if (const auto to = std::find_if(tries.rbegin(), tries.rend(), catches); to != tries.rend())
    m.lifetimes->endLives(to->second);
  if (m.isDead)
    return Void{};
  m.endPath();
  m.raised = &from;
  m.thrown = what;
  return Void{};
}

Value Machine::Expressions::evalStatements(const clang::StmtExpr &e) {
  const clang::CompoundStmt *body = e.getSubStmt();
  Value last = Void{};
  const std::size_t before = m.lifetimes->living.size();
  for (const clang::Stmt *s : body->body()) {
    const auto *inner = llvm::dyn_cast<clang::Expr>(s);
    if (inner && s == body->body_back())
      last = m.eval(inner);
    else
      Statements(m).run(s);
  }
  m.lifetimes->leaveScope(before);
  return last;
}

std::optional<Value> Machine::Expressions::evalName(const clang::ValueDecl &d) {
  if (const auto *c = llvm::dyn_cast<clang::EnumConstantDecl>(&d)) {
    if (!c->getInitVal().isRepresentableByInt64())
      return Number::unknown(Number::Kind::Integer, Provenance::Literal);
    return Number::ofInteger(c->getInitVal().getExtValue());
  }
  if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(&d))
    return callableOf(*f);
  if (const auto *t = llvm::dyn_cast<clang::TemplateParamObjectDecl>(&d))
    return m.constant(t->getValue(), t->getType());
  return std::nullopt;
}

/// What it reads or writes is what its arguments lead to; no number of it is followed.
static Value atomicOperation(Machine &m, const clang::AtomicExpr &e) {
  using Atomic = clang::AtomicExpr;
  const auto op = e.getOp();
  const bool loads = op == Atomic::AO__c11_atomic_load || op == Atomic::AO__atomic_load ||
                     op == Atomic::AO__atomic_load_n || op == Atomic::AO__scoped_atomic_load ||
                     op == Atomic::AO__scoped_atomic_load_n;
  std::vector<std::pair<const clang::Expr *, Value>> arguments;
  for (const clang::Stmt *child : e.children())
    if (const auto *argument = llvm::dyn_cast_or_null<clang::Expr>(child))
      arguments.emplace_back(argument, m.eval(argument));
  const bool isGivenDetermined =
      std::ranges::all_of(arguments, [&](const auto &a) { return m.isDetermined(a.second); });
  const auto open = [&](clang::QualType type) {
    const Value v = m.unknown(type, "an atomic operation");
    return isGivenDetermined ? m.determined(v) : v;
  };
  for (const auto &[argument, v] : arguments)
    if (const clang::QualType to = argument->getType()->getPointeeType();
        !to.isNull() && !to.isConstQualified() && (!loads || argument != e.getPtr()))
      m.store(m.dereference(v, to, &e), open(to), &e);
  return e.getType()->isVoidType() ? Value(Void{}) : open(e.getType());
}

std::optional<Value> Machine::Expressions::evalOperation(const clang::Expr *e) {
  switch (e->getStmtClass()) {
  case clang::Stmt::UnaryOperatorClass:
    return Operators(m).evalUnary(*llvm::cast<clang::UnaryOperator>(e));
  case clang::Stmt::BinaryOperatorClass:
  case clang::Stmt::CompoundAssignOperatorClass:
    return Operators(m).evalBinary(*llvm::cast<clang::BinaryOperator>(e));
  case clang::Stmt::ConditionalOperatorClass:
  case clang::Stmt::BinaryConditionalOperatorClass: {
    const auto *c = llvm::cast<clang::AbstractConditionalOperator>(e);
    return resultOf(e, evalConditional(c->getCond(), c->getTrueExpr(), c->getFalseExpr(), e->isGLValue()));
  }
  case clang::Stmt::CallExprClass:
  case clang::Stmt::CXXMemberCallExprClass:
  case clang::Stmt::CXXOperatorCallExprClass:
  case clang::Stmt::CUDAKernelCallExprClass:
  case clang::Stmt::UserDefinedLiteralClass:
    return resultOf(e, Calls(m).evalCall(*llvm::cast<clang::CallExpr>(e)));
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
    return Construction(m).evalConstruct(*llvm::cast<clang::CXXConstructExpr>(e));
  case clang::Stmt::LambdaExprClass:
    return evalLambda(*llvm::cast<clang::LambdaExpr>(e));
  case clang::Stmt::InitListExprClass:
    return Construction(m).evalInitList(*llvm::cast<clang::InitListExpr>(e));
  case clang::Stmt::CXXParenListInitExprClass: {
    auto inits = llvm::cast<clang::CXXParenListInitExpr>(e)->getInitExprs();
    return Construction(m).aggregate(e->getType(), {inits.begin(), inits.end()});
  }
  case clang::Stmt::ArrayInitLoopExprClass: {
    const auto *loop = llvm::cast<clang::ArrayInitLoopExpr>(e);
    // The copy of an array, element by element.
    return m.load(m.lvalue(loop->getCommonExpr()->getSourceExpr()), e, e->getType());
  }
  case clang::Stmt::AtomicExprClass:
    return atomicOperation(m, *llvm::cast<clang::AtomicExpr>(e));
  case clang::Stmt::CXXNewExprClass:
    return Construction(m).evalNew(*llvm::cast<clang::CXXNewExpr>(e));
  case clang::Stmt::CXXDeleteExprClass:
    m.lifetimes->destroyPointee(m.eval(llvm::cast<clang::CXXDeleteExpr>(e)->getArgument()));
    return Void{};
  case clang::Stmt::CXXThrowExprClass:
    return evalThrow(*llvm::cast<clang::CXXThrowExpr>(e));
  case clang::Stmt::CoawaitExprClass:
  case clang::Stmt::CoyieldExprClass:
    return evalSuspension(*llvm::cast<clang::CoroutineSuspendExpr>(e));
  default:
    return std::nullopt;
  }
}

Value Machine::Expressions::evalSuspension(const clang::CoroutineSuspendExpr &e) {
  // Whoever resumes it, and what was given to it, may have done anything meanwhile.
  const clang::Expr *given = e.getOperand();
  Call call;
  call.expr = &e;
  call.type = e.getType();
  Argument a;
  a.expr = given;
  a.type = given->getType();
  if (given->isGLValue()) {
    a.place = m.lvalue(given);
    a.type = m.context.getLValueReferenceType(a.type);
  } else {
    a.value = m.eval(given);
  }
  if (m.isDead)
    return m.unknown("code that does not run");
  call.arguments.push_back(std::move(a));
  return m.opaque(call);
}

Value Machine::Expressions::evalInner(const clang::Expr *e) {
  if (e->isTypeDependent() || e->isValueDependent())
    return e->containsErrors() ? Calls(m).evalBroken(*e) : m.unknown("code of a template that is not instantiated");
  if (const clang::Expr *inner = wrapped(e))
    return m.eval(inner);
  switch (e->getStmtClass()) {
  case clang::Stmt::ExprWithCleanupsClass:
  case clang::Stmt::ConstantExprClass: {
    const std::size_t before = m.lifetimes->living.size();
    Value v = m.eval(llvm::cast<clang::FullExpr>(e)->getSubExpr());
    m.lifetimes->leaveScope(before);
    return v;
  }
  case clang::Stmt::MaterializeTemporaryExprClass:
    if (m.isDestroyed(e->getType()))
      return m.load(lvalueInner(e), e, e->getType());
    return m.eval(llvm::cast<clang::MaterializeTemporaryExpr>(e)->getSubExpr());
  case clang::Stmt::CXXStdInitializerListExprClass:
    return m.eval(llvm::cast<clang::CXXStdInitializerListExpr>(e)->getSubExpr());
  case clang::Stmt::PseudoObjectExprClass:
    return m.eval(llvm::cast<clang::PseudoObjectExpr>(e)->getResultExpr());
  case clang::Stmt::StmtExprClass:
    return evalStatements(*llvm::cast<clang::StmtExpr>(e));
  case clang::Stmt::CXXThisExprClass:
    return evalThis(e);
  case clang::Stmt::RecoveryExprClass:
    return Calls(m).evalBroken(*e);
  case clang::Stmt::DeclRefExprClass:
    if (auto v = evalName(*llvm::cast<clang::DeclRefExpr>(e)->getDecl()))
      return std::move(*v);
    break;
  case clang::Stmt::MemberExprClass:
    if (e->getType()->isSpecificPlaceholderType(clang::BuiltinType::BoundMember))
      break;
    if (auto v = evalName(*llvm::cast<clang::MemberExpr>(e)->getMemberDecl())) {
      m.eval(llvm::cast<clang::MemberExpr>(e)->getBase());
      return std::move(*v);
    }
    break;
  default:
    if (auto v = evalLiteral(e))
      return std::move(*v);
    if (auto v = evalOperation(e))
      return std::move(*v);
    break;
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e))
    return Operators(m).evalCast(*cast);
  if (e->isGLValue())
    return m.load(lvalueInner(e), e, e->getType());
  return m.unknown(e->getType(), std::string("an expression that is not understood: ") + e->getStmtClassName());
}

Pointer Machine::Expressions::variable(const clang::ValueDecl &d, const clang::Expr *at) {
  Frame &f = *m.stack.back();
  if (auto known = f.variables.find(&d); known != f.variables.end())
    return known->second;
  if (auto captured = f.captures.find(&d); captured != f.captures.end() && f.closure) {
    const Pointer field = f.closure->then(Step::ofField(captured->second));
    if (!captured->second->getType()->isReferenceType())
      return field;
    // What a reference in the closure names; the closure itself is not used by that.
    const Place *only = field.only();
    const Value held = only ? Places(m).heldAt(*only) : m.unknown("a capture");
    if (const Pointer *p = held.pointer())
      return *p;
    return Pointer::unknown();
  }
  if (const auto *b = llvm::dyn_cast<clang::BindingDecl>(&d)) {
    if (b->getHoldingVar()) {
      const Pointer whole = variable(*b->getDecomposedDecl(), at);
      const auto bindings = llvm::cast<clang::DecompositionDecl>(b->getDecomposedDecl())->bindings();
      for (std::size_t i = 0; i < bindings.size(); ++i)
        if (bindings[i] == b)
          return whole.then(Step::ofIndex(static_cast<std::int64_t>(i)));
    }
    return b->getBinding() ? m.lvalue(b->getBinding()) : Pointer::unknown();
  }
  const auto *v = llvm::dyn_cast<clang::VarDecl>(&d);
  if (v && v->hasGlobalStorage())
    return globalVariable(*v);
  // A variable of a function around that is not being run: given from outside.
  SymbolInfo info;
  info.type = d.getType();
  info.name = d.getNameAsString();
  info.decl = &d;
  ++m.timeless;
  const ObjectId o = m.newObject(Value(), d.getType().getNonReferenceType(), Storage::Parameter, &d);
  --m.timeless;
  m.objects[o.index()].region = 0;
  info.holder = o;
  // A constant needs no capture.
  Value value;
  if (v && v->getInit() && !v->getInit()->isValueDependent() && v->isUsableInConstantExpressions(m.context))
    if (const clang::APValue *known = v->evaluateValue())
      value = m.constant(*known, v->getType());
  if (value.isAbsent() || value.unknown())
    value = m.symbolic(std::move(info));
  m.memory.setTimeless(o, std::move(value));
  f.variables[&d] = Pointer::to(o);
  return Pointer::to(o);
}

namespace {

bool isCode(const Value &v) { return v.callable() || (v.record() && v.record()->type && v.record()->type->isLambda()); }

bool isTableOfCode(const Value &v) {
  if (const Map *map = v.map())
    return !map->entries.empty() && std::ranges::all_of(map->entries, [](const auto &e) { return isCode(e.second); });
  const List *list = v.list();
  return list && !list->items.empty() && std::ranges::all_of(list->items, isCode);
}

} // namespace

bool Machine::Expressions::isPlain(const Value &v, unsigned depth) const {
  constexpr unsigned most = 8;
  const auto plain = [&](const Value &part) { return isPlain(part, depth + 1); };
  if (depth > most)
    return false;
  if (const Number *n = v.number())
    return n->known || (!n->dim.known() && !n->source && !n->test);
  if (const Unknown *u = v.unknown())
    return u->leak == 0;
  if (v.text() || v.isNull())
    return true;
  if (const Callable *c = v.callable())
    return c->target.isAbsent();
  if (const Record *r = v.record())
    return !r->rest && std::ranges::all_of(r->fields, [&](const auto &field) { return plain(field.second); });
  if (const List *l = v.list())
    return l->sized && !l->origin && std::ranges::all_of(l->items, plain);
  if (const Map *map = v.map())
    return map->complete && std::ranges::all_of(map->entries, [&](const auto &entry) { return plain(entry.second); });
  if (const Optional *o = v.optional())
    return o->has && (!*o->has || plain(o->value));
  return v.datum() && m.dom.isPlain(v);
}

Pointer Machine::Expressions::globalVariable(const clang::VarDecl &d) {
  const clang::VarDecl *v = d.getCanonicalDecl();
  if (auto known = m.globals.find(v); known != m.globals.end())
    if (const Place *p = known->second.only(); !p || !m.memory.get(p->object).isAbsent())
      return known->second;
  const clang::QualType type = d.getType();
  const unsigned inner = m.regionDepth;
  m.regionDepth = 0;
  // It was there all along: that a branch is the first to meet it is no write.
  ++m.timeless;
  const ObjectId o =
      m.newObject(Value(), type.getNonReferenceType(), d.isStaticLocal() ? Storage::Static : Storage::Global, v);
  --m.timeless;
  m.globals[v] = Pointer::to(o);
  std::vector<const clang::FunctionDecl *> running;
  for (const auto &frame : m.stack)
    running.push_back(frame->function);
  if (m.writersElsewhere.mayChange(m.context, *v, running))
    Unseen(m).noteEscape(o);
  SymbolInfo info;
  info.type = type;
  info.origin = SymbolInfo::Origin::Global;
  info.name = d.getNameAsString();
  info.decl = v;
  info.holder = o;
  Value value;
  // The same one whichever declaration is named: of a static member of a template another one may look like it.
  const clang::VarDecl *definition = v->getInitializingDeclaration();
  const clang::Expr *init = definition ? definition->getInit() : nullptr;
  const bool fixed = type.isConstQualified() || d.isConstexpr();
  if (fixed && init && !init->isValueDependent()) {
    if (definition->hasConstantInitialization())
      if (const clang::APValue *constantValue = definition->evaluateValue())
        value = m.constant(*constantValue, type);
  }
  // A constant is what its initialiser makes, a table of functions too if it is this unit's own. What making
  // it does besides happens before, and only once.
  const bool own = d.isStaticLocal() || d.getFormalLinkage() == clang::Linkage::Internal;
  if ((fixed || own) && (value.isAbsent() || value.unknown()) && init && !init->isValueDependent() &&
      !m.stack.empty() && !numberKind(type) && !m.isDead) {
    const Trial trial(m);
    if (Value made = m.eval(init); !m.isDead && isPlain(made) && (fixed || isTableOfCode(made)))
      value = std::move(made);
  }
  const bool isAny = value.isAbsent() || value.unknown();
  if (isAny)
    value = m.symbolic(info);
  m.newGlobals.push_back(v);
  m.memory.setTimeless(o, std::move(value));
  m.regionDepth = inner;
  // Code that is not seen ran before the branch came to it: it holds another value than the other branch meets.
  if (isAny && inner != 0 && m.unseenCalls != 0 && m.isSeenElsewhere(o))
    m.memory.set(o, m.symbolic(std::move(info)));
  return Pointer::to(o);
}

Pointer Machine::fieldOf(const Pointer &whole, const clang::FieldDecl &field) {
  // The parts of a pair are its elements.
  if (className(context.getCanonicalTagType(field.getParent())) == "std::pair")
    return whole.then(Step::ofIndex(field.getName() == "second" ? 1 : 0));
  return whole.then(Step::ofField(&field));
}

Pointer Machine::Expressions::member(const clang::MemberExpr &e) {
  const clang::ValueDecl *d = e.getMemberDecl();
  if (const auto *v = llvm::dyn_cast<clang::VarDecl>(d)) { // a static member
    m.lvalue(e.getBase());
    return globalVariable(*v);
  }
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(d);
  if (!field)
    return Pointer::unknown();
  const clang::QualType whole = e.isArrow() ? e.getBase()->getType()->getPointeeType() : e.getBase()->getType();
  Pointer base = e.isArrow() ? m.dereference(m.evalPointer(e.getBase()), whole, &e) : m.lvalue(e.getBase());
  Pointer p = m.fieldOf(base, *field);
  if (!field->getType()->isReferenceType())
    return p;
  const Place *only = p.only();
  const Value held = only ? Places(m).heldAt(*only) : m.unknown("a reference");
  return held.pointer() ? *held.pointer() : p;
}

Pointer Machine::Expressions::charactersOf(const Value &text) {
  return Pointer::to(m.newObject(text, clang::QualType())).then(Step::ofIndex(0));
}

Pointer Machine::Expressions::pointedMember(const clang::BinaryOperator &e) {
  const clang::QualType left = e.getLHS()->getType();
  const clang::QualType type = e.getOpcode() == clang::BO_PtrMemI ? left->getPointeeType() : left;
  const Pointer whole = e.getOpcode() == clang::BO_PtrMemI ? m.dereference(m.evalPointer(e.getLHS()), type, &e)
                        : e.getLHS()->isGLValue()          ? m.lvalue(e.getLHS())
                                                           : Pointer::to(m.newObject(m.eval(e.getLHS()), left));
  const Value member = m.eval(e.getRHS());
  if (const auto *f = member.as<FieldPointer>())
    return m.fieldOf(whole, *f->field);
  // One of those of its type.
  const clang::CXXRecordDecl *record = type.isNull() ? nullptr : classOf(type);
  record = record ? record->getDefinition() : nullptr;
  Pointer any;
  if (record)
    for (const clang::FieldDecl *f : record->fields())
      if (m.context.hasSameUnqualifiedType(f->getType(), e.getType()))
        for (const Place &p : m.fieldOf(whole, *f).places)
          any.places.push_back(p);
  any.other = any.places.empty() || (record && record->getNumBases() != 0);
  return any;
}

std::optional<Pointer> Machine::Expressions::placeOfOperation(const clang::Expr *e) {
  switch (e->getStmtClass()) {
  case clang::Stmt::CoawaitExprClass:
  case clang::Stmt::CoyieldExprClass:
    evalSuspension(*llvm::cast<clang::CoroutineSuspendExpr>(e));
    return Pointer::unknown();
  case clang::Stmt::ArraySubscriptExprClass: {
    const auto *s = llvm::cast<clang::ArraySubscriptExpr>(e);
    const Value base = m.evalPointer(s->getBase());
    const Value index = m.eval(s->getIdx());
    if (base.handle() || base.token() || base.datum())
      return m.dereference(base, e->getType(), e);
    if (base.text())
      return m.dereference(m.offset(charactersOf(base), index, 1), e->getType(), e);
    return m.dereference(m.offset(base, index, 1), e->getType(), e);
  }
  case clang::Stmt::UnaryOperatorClass: {
    const auto *u = llvm::cast<clang::UnaryOperator>(e);
    if (u->getOpcode() == clang::UO_Deref) {
      const Value to = m.evalPointer(u->getSubExpr());
      return m.dereference(to.text() ? Value(charactersOf(to)) : to, e->getType(), e);
    }
    if (!u->isIncrementDecrementOp())
      return m.lvalue(u->getSubExpr());
    Pointer where;
    Operators(m).evalUnary(*u, &where);
    return where;
  }
  case clang::Stmt::BinaryOperatorClass:
  case clang::Stmt::CompoundAssignOperatorClass: {
    const auto *b = llvm::cast<clang::BinaryOperator>(e);
    if (b->getOpcode() == clang::BO_Comma) {
      m.eval(b->getLHS());
      return m.lvalue(b->getRHS());
    }
    if (b->isPtrMemOp())
      return pointedMember(*b);
    if (!b->isAssignmentOp())
      return std::nullopt;
    Pointer where;
    Operators(m).evalBinary(*b, &where);
    return where;
  }
  case clang::Stmt::ConditionalOperatorClass:
  case clang::Stmt::BinaryConditionalOperatorClass: {
    if (!e->isGLValue())
      return std::nullopt;
    const auto *c = llvm::cast<clang::AbstractConditionalOperator>(e);
    const Value v = evalConditional(c->getCond(), c->getTrueExpr(), c->getFalseExpr(), true);
    return v.pointer() ? *v.pointer() : Pointer::unknown();
  }
  case clang::Stmt::CallExprClass:
  case clang::Stmt::CXXMemberCallExprClass:
  case clang::Stmt::CXXOperatorCallExprClass:
  case clang::Stmt::CUDAKernelCallExprClass:
  case clang::Stmt::UserDefinedLiteralClass: {
    const Value v = Calls(m).evalCall(*llvm::cast<clang::CallExpr>(e));
    if (e->isGLValue() && v.pointer())
      return *v.pointer();
    return Pointer::to(m.newObject(v, e->getType()));
  }
  default:
    return std::nullopt;
  }
}

Pointer Machine::Expressions::placeOfTemporary(const clang::MaterializeTemporaryExpr &e) {
  const ObjectId o = m.newObject(Value(), e.getType());
  Construction(m).initialise(Pointer::to(o), e.getType(), e.getSubExpr());
  if (e.getStorageDuration() == clang::SD_FullExpression)
    m.lifetimes->keepAlive(o);
  else if (e.getStorageDuration() == clang::SD_Automatic)
    m.lifetimes->extended.push_back(o);
  return Pointer::to(o);
}

Pointer Machine::Expressions::lvalueInner(const clang::Expr *e) {
  if (e->isTypeDependent() || e->isValueDependent()) {
    if (e->containsErrors())
      Calls(m).evalBroken(*e);
    return Pointer::unknown();
  }
  if (const clang::Expr *inner = wrapped(e))
    return m.lvalue(inner);
  // A function or an enumerator has a value, not a place.
  const auto isVariable = [](const clang::ValueDecl *d) {
    return !llvm::isa<clang::FunctionDecl, clang::TemplateParamObjectDecl, clang::EnumConstantDecl>(d);
  };
  if (llvm::isa<clang::ExprWithCleanups, clang::ConstantExpr>(e)) {
    const std::size_t before = m.lifetimes->living.size();
    Pointer p = m.lvalue(llvm::cast<clang::FullExpr>(e)->getSubExpr());
    m.lifetimes->leaveScope(before);
    return p;
  }
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    if (isVariable(name->getDecl()))
      return variable(*name->getDecl(), e);
  } else if (const auto *of = llvm::dyn_cast<clang::MemberExpr>(e)) {
    if (isVariable(of->getMemberDecl()))
      return member(*of);
  } else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
    return placeOfTemporary(*temporary);
  } else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e); list && e->isGLValue()) {
    return list->getNumInits() == 1 ? m.lvalue(list->getInit(0)) : Pointer::unknown();
  } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e);
             cast && e->isGLValue() && cast->getSubExpr()->isGLValue()) {
    return m.lvalue(cast->getSubExpr());
  } else if (const auto *id = llvm::dyn_cast<clang::CXXTypeidExpr>(e); id && !id->isPotentiallyEvaluated()) {
    const clang::QualType type = id->isTypeOperand() ? id->getTypeOperand(m.context) : id->getExprOperand()->getType();
    return Pointer::to(m.newObject(typeInfo(type), e->getType(), Storage::Pointee));
  } else if (auto p = placeOfOperation(e)) {
    return std::move(*p);
  } else if (e->isGLValue() && !llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(e)) {
    return Pointer::unknown(); // a glvalue of a kind that is not known here
  }
  return Pointer::to(m.newObject(evalInner(e), e->getType()));
}

Value Machine::Expressions::evalConditional(const clang::Expr *condition, const clang::Expr *yes, const clang::Expr *no,
                                            bool glvalue) {
  const Value c = m.eval(condition);
  Value a;
  Value b;
  bool aLives = false;
  bool bLives = false;
  bool inDoubt[2] = {false, false};
  const std::size_t doubts = m.dom.doubts();
  const auto arm = [&](const clang::Expr *e, Value &out, bool &lives) {
    const bool throws = llvm::isa<clang::CXXThrowExpr>(e->IgnoreParenImpCasts());
    out = glvalue && !throws ? Value(m.lvalue(e)) : m.eval(e);
    lives = !m.isDead;
    inDoubt[e == yes ? 0 : 1] = m.dom.doubts() > doubts;
  };
  const std::uint32_t first = m.conditions.lastNumber() + 1;
  Statements(m).branchOn(c, [&] { arm(yes, a, aLives); }, [&] { arm(no, b, bLives); }, condition, yes, no);
  if (aLives && bLives && condition)
    m.dom.onSelected(m, condition, a, b);
  if (!aLives)
    return bLives ? b : m.unknown("code that does not run");
  if (!bLives)
    return a;
  const llvm::SaveAndRestore where(m.met, JoinPoint{m.isDetermined(c), first, m.conditions.asked(condition), {}});
  Joins::OneByOne both(m);
  both.add(a, inDoubt[0]);
  both.add(b, inDoubt[1]);
  return both.all();
}

Value Machine::Expressions::evalLambda(const clang::LambdaExpr &e) {
  Record r;
  r.type = e.getLambdaClass();
  auto field = r.type->field_begin();
  auto init = e.capture_init_begin();
  for (const clang::LambdaCapture &c : e.captures()) {
    if (field == r.type->field_end() || init == e.capture_init_end())
      break;
    const clang::Expr *from = *init++;
    const clang::FieldDecl *f = *field++;
    if (!from) {
      r.set(f, m.unknown("a capture"));
    } else if (c.capturesVariable() && c.getCaptureKind() == clang::LCK_ByRef) {
      r.set(f, Value(m.lvalue(from)));
    } else if (c.capturesThis() && c.getCaptureKind() == clang::LCK_StarThis) {
      const Frame &frame = *m.stack.back();
      r.set(f, frame.self && frame.self->only() ? m.peek(*frame.self->only(), f->getType()) : m.unknown("*this"));
    } else if (c.capturesThis()) {
      // Naming `this` reads nothing of it.
      const Frame &frame = *m.stack.back();
      if (frame.capturedThis && frame.closure && frame.closure->only())
        r.set(f, m.peek(frame.closure->only()->then(Step::ofField(frame.capturedThis)), f->getType()));
      else
        r.set(f, frame.self ? Value(*frame.self) : m.unknown("this"));
    } else if (c.capturesVariable() && !c.getCapturedVar()->isInitCapture()) {
      // So is naming a variable in the capture list: what counts is its use.
      const Pointer source = variable(*c.getCapturedVar(), from);
      const Place *only = source.only();
      if (only && !m.isOuter(only->object) && m.isTransferredByCode(f->getType(), Transfer::Copy)) {
        r.set(f, m.eval(from));
        continue;
      }
      if (only && m.isOuter(only->object))
        m.copies[f] = *only;
      r.set(f, only && m.objects[only->object.index()].storage != Storage::External
                   ? m.peek(*only, f->getType())
                   : m.load(source, from, f->getType()));
    } else {
      r.set(f, m.eval(from));
    }
  }
  return r;
}

} // namespace condlint::cxx
