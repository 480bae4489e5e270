//===- Calls.cpp - Calls --------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "../library/LibraryClasses.h"
#include "../library/StandardLibrary.h"
#include "Builtins.h"
#include "Construction.h"
#include "Determination.h"
#include "Followers.h"
#include "Jumps.h"
#include "Lifetimes.h"
#include "Machine.h"
#include "Places.h"
#include "Relations.h"
#include "Statements.h"
#include "StmtWalk.h"
#include "Summaries.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

Machine::Machine(clang::ASTContext &ast, Domain &domain, DimTable &dims, const Limits &bounds)
    : State(ast, domain, dims, bounds), lifetimes(std::make_unique<Lifetimes>(*this)),
      jumps(std::make_unique<Jumps>(*this)), summaries(std::make_unique<Summaries>(*this)),
      leads(std::make_unique<Followers>(*this)), standard(std::make_unique<StandardLibrary>(*this)) {}

Machine::~Machine() = default;

Value Domain::opaqueCall(Machine &m, Call &call) {
  SymbolInfo info;
  info.type = call.type;
  info.origin = SymbolInfo::Origin::Result;
  info.name = std::string(call.baseName());
  info.expr = call.expr;
  info.region = m.region();
  if (call.type.isNull() || call.type->isVoidType())
    return Void{};
  return m.symbolic(std::move(info));
}

Value Domain::readExternal(Machine &m, ObjectId o, const clang::Expr *) {
  return m.unknown(m.object(o).type, "memory that is not followed");
}

std::string_view Call::baseName() const {
  // "operator()" and templates of conversion functions hold no further "::" that matters.
  const std::size_t at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

std::string_view Machine::qualifiedName(const clang::NamedDecl &d) {
  auto [entry, isNew] = names.try_emplace(&d);
  if (isNew)
    entry->second = std::make_unique<std::string>(qualifiedNameOf(d));
  return *entry->second;
}

const clang::CXXRecordDecl *Machine::classOf(clang::QualType type) {
  return type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
}

std::string_view Machine::className(clang::QualType type) {
  const clang::CXXRecordDecl *c = classOf(type);
  return c ? qualifiedName(*c) : std::string_view();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Argument Machine::Calls::argument(const clang::Expr *e, clang::QualType parameter) {
  Argument a;
  a.expr = e;
  a.type = parameter.isNull() ? e->getType() : parameter;
  if (llvm::isa<clang::CXXDefaultArgExpr>(e)) {
    a.isDefault = true;
    return a;
  }
  const bool reference = parameter.isNull() ? e->isGLValue() : parameter->isReferenceType();
  if (!reference) {
    a.value = m.eval(e);
    return a;
  }
  // A temporary gets a place only when somebody asks for one.
  if (const auto *t = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e->IgnoreParens());
      t && !m.isDestroyed(t->getType())) {
    const clang::Expr *inner = t->getSubExpr();
    a.value = m.eval(inner);
  } else if (e->isGLValue()) {
    a.place = m.lvalue(e);
  } else {
    a.value = m.eval(e);
  }
  return a;
}

std::vector<Argument> Machine::Calls::arguments(std::span<clang::Expr *const> args, const clang::FunctionDecl *callee,
                                                std::size_t skip) {
  std::vector<Argument> out;
  out.reserve(args.size() - std::min(skip, args.size()));
  for (std::size_t i = skip; i < args.size() && !m.isDead; ++i) {
    clang::QualType type;
    const std::size_t at = i - skip;
    if (callee && at < callee->getNumParams())
      type = callee->getParamDecl(static_cast<unsigned>(at))->getType();
    out.push_back(argument(args[i], type));
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The functions that \p e names, as the callee of a call that does not compile.
static std::vector<const clang::FunctionDecl *> functionsNamed(const clang::Expr *e) {
  std::vector<const clang::FunctionDecl *> out;
  const auto add = [&](const clang::NamedDecl *d) {
    if (const clang::FunctionDecl *f = d->getUnderlyingDecl()->getAsFunction())
      out.push_back(f);
  };
  e = e->IgnoreParenImpCasts();
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e))
    add(ref->getDecl());
  else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(e))
    add(member->getMemberDecl());
  else if (const auto *overloads = llvm::dyn_cast<clang::OverloadExpr>(e))
    for (const clang::NamedDecl *d : overloads->decls())
      add(d);
  return out;
}

Value Machine::Calls::evalBroken(const clang::Expr &e) {
  // Clang leaves the callee, where it is known, and those arguments that it understood.
  bool isFirst = true;
  for (const clang::Stmt *part : e.children()) {
    const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(part);
    const auto callees = expr && isFirst ? functionsNamed(expr) : std::vector<const clang::FunctionDecl *>();
    isFirst = false;
    if (!callees.empty())
      m.dom.onBrokenCall(m, *callees.front(), &e);
    else if (expr && !llvm::isa<clang::OverloadExpr, clang::InitListExpr>(expr))
      m.eval(expr);
  }
  return m.unknown(e.getType(), "code that does not compile");
}

/// The object of a method's call, as it is written before the `.` or `->`.
static Argument objectOf(Machine &m, const clang::Expr &object) {
  Argument self;
  self.expr = &object;
  if (object.getType()->isPointerType()) {
    self.type = object.getType()->getPointeeType();
    self.place = m.dereference(m.evalPointer(&object), self.type, &object);
    return self;
  }
  self.type = object.getType();
  const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(object.IgnoreParens());
  if (temporary && !m.isDestroyed(temporary->getType()))
    self.value = m.eval(temporary->getSubExpr());
  else if (object.isGLValue())
    self.place = m.lvalue(&object);
  else
    self.value = m.eval(&object);
  return self;
}

Value Machine::Calls::evalCall(const clang::CallExpr &e) {
  m.reachedCalls.insert(&e);
  Call call;
  call.expr = &e;
  call.callee = e.getDirectCallee();
  call.type = call.callee ? call.callee->getReturnType() : e.getCallReturnType(m.context);
  const std::span<clang::Expr *const> args(const_cast<clang::CallExpr &>(e).getArgs(), e.getNumArgs());
  std::size_t skip = 0;
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
  if (const auto *onObject = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e)) {
    const auto *memberExpr = llvm::dyn_cast<clang::MemberExpr>(onObject->getCallee()->IgnoreParens());
    if (const clang::Expr *object = onObject->getImplicitObjectArgument())
      call.self = objectOf(m, *object);
    if (!memberExpr && call.callee == nullptr) { // (object.*pointer)(…)
      const auto *access = llvm::dyn_cast<clang::BinaryOperator>(onObject->getCallee()->IgnoreParens());
      const Value pointer = access ? m.eval(access->getRHS()) : m.unknown("a pointer to a member");
      std::vector<Argument> all;
      if (call.self)
        all.push_back(*call.self);
      for (Argument &a : arguments(args, nullptr))
        all.push_back(std::move(a));
      return m.invoke(pointer, std::move(all), &e);
    }
    if (memberExpr && !memberExpr->hasQualifier())
      resolveVirtual(call);
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(e) && method && method->isImplicitObjectMemberFunction() &&
             !args.empty()) {
    Argument self = argument(args[0], args[0]->isGLValue() ? m.context.getLValueReferenceType(args[0]->getType())
                                                           : args[0]->getType());
    self.type = args[0]->getType();
    call.self = std::move(self);
    resolveVirtual(call);
    skip = 1;
  } else if (!call.callee) {
    const Value target = m.eval(e.getCallee());
    std::vector<Argument> all = arguments(args, nullptr);
    if (m.isDead)
      return m.unknown(e.getType(), "code that does not run");
    if (target.callable() || target.record())
      return m.invoke(target, std::move(all), &e);
    call.arguments = std::move(all);
    return m.opaque(call);
  }
  call.arguments = arguments(args, call.callee, skip);
  if (m.isDead)
    return m.unknown(e.getType(), "code that does not run");
  return dispatch(call);
}

Value Machine::Calls::dispatch(Call &call) {
  if (m.stack.empty())
    return dispatched(call);
  Frame &frame = *m.stack.back();
  const clang::Expr *around = std::exchange(frame.call, call.expr);
  Value result = dispatched(call);
  frame.call = around;
  return result;
}

std::optional<Value> Machine::constantOf(const Call &call) {
  clang::Expr::EvalResult result;
  if (!call.expr || call.expr->isValueDependent() || !call.expr->EvaluateAsRValue(result, context) ||
      result.HasSideEffects)
    return std::nullopt;
  return constant(result.Val, call.type);
}

Value Machine::Calls::dispatched(Call &call) {
  if (call.callee)
    call.name = m.qualifiedName(*call.callee);
  if (const auto *conversion = llvm::dyn_cast_or_null<clang::CXXConversionDecl>(call.callee);
      conversion && conversion->getParent()->isLambda() && call.self)
    return m.load(*call.self); // a lambda as a pointer to a function
  const bool isBuiltin = call.callee && call.callee->getBuiltinID() != 0;
  if (isBuiltin)
    if (auto v = Builtins(m).plainBuiltin(call))
      return *v;
  if (auto v = m.dom.call(m, call))
    return *v;
  const bool isClosed = Determination(m).isDetermined(call);
  const std::vector<Place> containers = isClosed ? std::vector<Place>() : Determination(m).containersGiven(call);
  const auto asMade = [&](Value v) {
    Determination(m).leaveMade(containers);
    if (!isClosed)
      return Determination(m).answeredBy(call, std::move(v));
    Determination(m).determine(call);
    return m.determined(v);
  };
  if (auto v = m.standard->call(call))
    return asMade(std::move(*v));
  if (isBuiltin)
    if (auto v = Builtins(m).ofBuiltin(call))
      return asMade(std::move(*v));
  if (auto v = Builtins(m).ofDevice(call))
    return asMade(std::move(*v));
  // An assignment that nobody has written is one of the whole object, where it stands.
  if (const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
      method && (method->isImplicit() || method->isDefaulted()) && call.self && call.arguments.size() == 1 &&
      (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
    const Pointer to = m.placeOf(*call.self);
    const Transfer how = method->isMoveAssignmentOperator() ? Transfer::Move : Transfer::Copy;
    m.assign(to, call.arguments.front(), m.context.getCanonicalTagType(method->getParent()), call.expr, how);
    return to;
  }
  if (call.callee && !call.isOpen && mayInline(*call.callee)) {
    std::optional<Pointer> self;
    if (call.self)
      self = m.placeOf(*call.self);
    return inlined(*call.callee, std::move(self), call.arguments, call.expr, nullptr);
  }
  if (call.callee && !call.isOpen && isSeen(*call.callee)) {
    m.leftOut = true;
    m.dom.onBound(m, "calls within one another, or of one function, are followed to a limit");
  }
  return asMade(m.opaque(call));
}

bool Machine::Calls::isSeen(const clang::FunctionDecl &function) const {
  const clang::FunctionDecl *definition = nullptr;
  return function.hasBody(definition) && !definition->isDependentContext() &&
         !llvm::isa<clang::CoroutineBodyStmt>(definition->getBody()) && (!m.ownCode || m.ownCode(*definition));
}

bool Machine::Calls::mayInline(const clang::FunctionDecl &function) const {
  const clang::FunctionDecl *definition = nullptr;
  // When a coroutine runs, and how far, its promise says.
  if (!isSeen(function) || m.stack.size() > m.limits.calls)
    return false;
  function.hasBody(definition);
  const unsigned again = running(*definition);
  return again <= m.limits.recursion && (again == 0 || m.reentered < m.limits.reentries);
}

unsigned Machine::Calls::running(const clang::FunctionDecl &definition) const {
  return static_cast<unsigned>(
      std::ranges::count_if(m.stack, [&](const auto &frame) { return frame->function == &definition; }));
}

Value Machine::Calls::runBody(const clang::FunctionDecl &function, std::optional<Pointer> self,
                              std::vector<Argument> &arguments, const clang::Expr *site,
                              const ReturnHandler &onReturn) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *code = function.getBody(definition);
  if (!code || !m.step())
    return m.unknown(function.getReturnType(), "too large");
  m.enteredFunctions.insert(definition);
  m.conditions.relations().read(*definition);
  if (running(*definition) != 0)
    ++m.reentered;
  if (m.isBroken && m.isBroken(*definition)) {
    ++m.damaged;
    ++m.gapCount;
  }
  auto frame = std::make_unique<Frame>();
  frame->function = definition;
  frame->site = site;
  frame->region = m.regionDepth;
  // An object that is a parameter by itself is bound as one.
  const bool isParameter = definition->hasCXXExplicitFunctionObjectParameter();
  if (isParameter && self) {
    Argument object;
    object.place = self;
    object.type = self->only() ? m.typeOf(*self->only()) : clang::QualType();
    arguments.insert(arguments.begin(), std::move(object));
  }
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition)) {
    if (method->getParent()->isLambda()) {
      frame->closure = self;
      method->getParent()->getCaptureFields(frame->captures, frame->capturedThis);
    } else if (!isParameter) {
      frame->self = self;
    }
  }
  const std::size_t before = m.lifetimes->living.size();
  const std::size_t decided = m.conditions.size();
  const Followers::Bindings bindings(*m.leads);
  bindParameters(*frame, *definition, arguments);
  if (isParameter)
    frame->closure = frame->variables[definition->getParamDecl(0)];
  m.stack.push_back(std::move(frame));
  m.summaries->noteDepth();
  const MarkScope scope(m.memory);
  Body body;
  body.returns = m.jumps->here();
  body.returns.living = before;
  body.onReturn = onReturn ? &onReturn : nullptr;
  m.jumps->bodies.push_back(&body);
  Jump *const outerBreaks = std::exchange(m.jumps->breaks, nullptr);
  Jump *const outerContinues = std::exchange(m.jumps->continues, nullptr);
  if (const auto *ctor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition); ctor && self)
    Construction(m).runConstructorInitialisers(*ctor, *self);
  Statements(m).run(code);
  if (!m.isDead && onReturn)
    onReturn(Void{}, nullptr);
  m.jumps->breaks = outerBreaks;
  m.jumps->continues = outerContinues;
  m.lifetimes->leaveScope(before);
  m.jumps->bodies.pop_back();
  Value result = Void{};
  m.jumps->land(body.returns, &result);
  m.conditions.resize(decided);
  m.jumps->assumeNotLeft(body.returns.leftPaths);
  m.stack.pop_back();
  if (m.isDead)
    return m.unknown(function.getReturnType(), "a function that does not return");
  if (result.isVoid() && !function.getReturnType()->isVoidType() && !llvm::isa<clang::CXXConstructorDecl>(function))
    return m.unknown(function.getReturnType(), m.exhausted ? "too large" : "a function without a result");
  return result;
}

namespace {

/// What \p e is a field of, or a field of a field.
const clang::Expr *wholeOf(const clang::Expr &e) {
  const clang::Expr *whole = e.IgnoreParens();
  for (const auto *part = llvm::dyn_cast<clang::MemberExpr>(whole); part && !part->isArrow();
       part = llvm::dyn_cast<clang::MemberExpr>(whole))
    whole = part->getBase()->IgnoreParens();
  return whole;
}

/// Nothing in \p code can put something else into \p p.
bool isOnlyRead(const clang::Stmt &code, const clang::ValueDecl &p) {
  return !findStatement(&code, [&](const clang::Stmt &s) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&s);
        cast && llvm::isa<clang::DeclRefExpr>(wholeOf(*cast->getSubExpr())) &&
        (cast->getCastKind() == clang::CK_LValueToRValue ||
         (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified())))
      return Walk::Past;
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(&s);
    return ref && ref->getDecl() == &p ? Walk::Found : Walk::On;
  });
}

} // namespace

void Machine::Calls::bindParameters(Frame &f, const clang::FunctionDecl &function, std::vector<Argument> &arguments) {
  for (unsigned i = 0; i < function.getNumParams(); ++i) {
    const clang::ParmVarDecl *p = function.getParamDecl(i);
    const clang::QualType type = p->getType();
    if (i >= arguments.size()) {
      Value v;
      if (p->hasDefaultArg() && !p->hasUnparsedDefaultArg() && !p->hasUninstantiatedDefaultArg())
        v = m.eval(p->getDefaultArg());
      else
        v = m.unknown(type, "an argument that is not known");
      f.variables[p] = Pointer::to(m.newObject(std::move(v), type.getNonReferenceType(), Storage::Parameter, p));
      continue;
    }
    if (arguments[i].expr)
      m.conditions.relations().bind(p, *arguments[i].expr);
    // What the library gives is of the type that it has.
    const Place *at = arguments[i].place ? arguments[i].place->only() : nullptr;
    const clang::QualType givenType = at && at->object ? m.typeOf(*at) : arguments[i].type;
    if (m.className(givenType) == "std::reference_wrapper")
      arguments[i].place = Places(m).unwrapped(m.placeOf(arguments[i]), givenType, type, arguments[i].expr);
    // What std::bind holds is read where the function reads it; copies of a handle are the same.
    const bool held =
        arguments[i].place && !arguments[i].expr && !arguments[i].type.isNull() &&
        (numberKind(type) || m.peek(arguments[i]).handle()) && function.getBody() &&
        type.getCanonicalType().getUnqualifiedType() == arguments[i].type.getCanonicalType().getUnqualifiedType() &&
        isOnlyRead(*function.getBody(), *p);
    // A copy of the object that runs is told from it only where it is changed.
    const bool isObject = i == 0 && function.hasCXXExplicitFunctionObjectParameter() && arguments[i].place &&
                          function.getBody() && isOnlyRead(*function.getBody(), *p);
    if (type->isReferenceType() || held || isObject) {
      f.variables[p] = m.placeOf(arguments[i]);
      m.leads->noteBound(*p, f.variables[p]);
      continue;
    }
    const bool isBit = arguments[i].place && !arguments[i].expr && isBitReference(m.className(type));
    const Value given = isBit ? Value(*arguments[i].place) : m.convertNumber(m.load(arguments[i]), type);
    const ObjectId own = m.newObject(given, type, Storage::Parameter, p);
    m.lifetimes->keepAlive(own);
    f.variables[p] = Pointer::to(own);
  }
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

Value Machine::runRoot(const clang::FunctionDecl &function, Value *object) {
  stepsLeft = limits.steps;
  waySteps = 0;
  exhausted = false;
  isDead = false;
  lifetimes->living.clear();
  tripsAround = 1;
  reentered = 0;
  repeatedSteps = 0;
  const clang::FunctionDecl *definition = nullptr;
  if (!function.hasBody(definition) || definition->isDependentContext())
    return unknown("no body");
  std::optional<Pointer> self;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition); method && method->isInstance()) {
    const clang::QualType type = context.getCanonicalTagType(method->getParent());
    const ObjectId o = newObject(Value(), type, Storage::This);
    SymbolInfo info;
    info.type = type;
    info.origin = SymbolInfo::Origin::Pointee;
    info.name = method->getParent()->isLambda() ? "" : "this";
    info.holder = o;
    memory.set(o, symbolic(std::move(info)));
    self = Pointer::to(o);
  }
  std::vector<Argument> arguments;
  for (const clang::ParmVarDecl *p : definition->parameters()) {
    const ObjectId o = newObject(Value(), p->getType().getNonReferenceType(), Storage::Parameter, p);
    SymbolInfo info;
    info.type = p->getType();
    info.name = p->getNameAsString();
    info.decl = p;
    info.holder = o;
    memory.set(o, symbolic(std::move(info)));
    Argument a;
    a.type = p->getType();
    a.place = Pointer::to(o);
    arguments.push_back(std::move(a));
  }
  enteredFunctions.insert(definition);
  conditions.relations().read(*definition);
  // The parameters are the objects made here, also where they are values.
  auto frame = std::make_unique<Frame>();
  frame->function = definition;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
      method && method->getParent()->isLambda()) {
    frame->closure = self;
    method->getParent()->getCaptureFields(frame->captures, frame->capturedThis);
  } else {
    frame->self = self;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    frame->variables[definition->getParamDecl(static_cast<unsigned>(i))] = *arguments[i].place;
  stack.push_back(std::move(frame));
  Body body;
  body.returns = jumps->here();
  jumps->bodies.push_back(&body);
  if (const auto *ctor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition); ctor && self)
    Construction(*this).runConstructorInitialisers(*ctor, *self);
  Statements(*this).run(definition->getBody());
  jumps->bodies.pop_back();
  Value result = Void{};
  jumps->land(body.returns, &result);
  conditions.resize(0);
  leftPaths.clear();
  stack.pop_back();
  if (object && self)
    *object = isDead ? unknown("an object that is never there") : memory.get(self->places.front().object);
  return std::exchange(isDead, false) ? Value() : result; // absent: no path comes to its end
}

} // namespace condlint::cxx
