//===- Utilities.cpp - Handing on, calling, owning ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of <utility>, <functional>, <memory> and <iterator>.
//
//===----------------------------------------------------------------------===//
#include "Utilities.h"
#include "../machine/Followers.h"
#include "../machine/Names.h"
#include "../machine/Types.h"
#include "../values/FieldPointer.h"
#include "LibraryClasses.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

std::optional<Value> Utilities::utility(Call &c, std::string_view name) {
  if (c.self)
    return std::nullopt;
  for (const auto part :
       {&Utilities::handedOn, &Utilities::called, &Utilities::bound, &Utilities::owned, &Utilities::position})
    if (auto v = (this->*part)(c, name))
      return v;
  if (name != "terminate" && name != "abort" && name != "exit" && name != "quick_exit")
    return std::nullopt;
  m.domain().onEffect(m, Effect::Throw, name, c.expr);
  m.fail();
  return Void{};
}

std::optional<Value> Utilities::handedOn(Call &c, std::string_view name) {
  constexpr std::array<std::string_view, 7> same{"move",      "forward", "as_const", "move_if_noexcept",
                                                 "addressof", "ref",     "cref"};
  const std::size_t count = c.arguments.size();
  if (count == 1 && (name == "launder" || name == "assume_aligned" || name == "to_address"))
    return argument(c, 0);
  if (std::ranges::find(same, name) != same.end())
    return count == 1 ? Answer(m.placeOf(c.arguments[0])) : std::nullopt;
  if (name == "swap" && count == 2) {
    const auto swapped = [&](std::size_t i) { // a bit is swapped, and not what refers to it
      const Pointer at = m.placeOf(c.arguments[i]);
      const Value held = isBitReference(m.className(c.arguments[i].type)) ? m.load(at, c.expr) : Value();
      return held.pointer() ? *held.pointer() : at;
    };
    const Pointer a = swapped(0), b = swapped(1);
    if (const clang::QualType type = c.arguments[0].type.getNonReferenceType();
        m.isTransferredByCode(type, Machine::Transfer::Move)) {
      Argument between;
      between.value = m.copyOf(c.arguments[0], type, c.expr, Machine::Transfer::Move);
      between.type = type;
      m.assign(a, c.arguments[1], type, c.expr, Machine::Transfer::Move);
      m.assign(b, between, type, c.expr, Machine::Transfer::Move);
      return Void{};
    }
    const Value x = m.load(a, c.expr);
    const Value y = m.load(b, c.expr);
    m.store(a, y, c.expr);
    m.store(b, x, c.expr);
    m.followers().swapped(a, b, c.arguments[0].type);
    return Void{};
  }
  if (name == "exchange" && count == 2) {
    const Pointer at = m.placeOf(c.arguments[0]);
    const clang::QualType type = c.arguments[0].type.getNonReferenceType();
    const Value old = m.copyOf(c.arguments[0], type, c.expr, Machine::Transfer::Move);
    m.store(at, converted(c, 1, type), c.expr);
    return old;
  }
  return std::nullopt;
}

std::optional<Value> Utilities::dataMember(Call &c, const Value &function, std::size_t object) {
  const auto *f = function.as<FieldPointer>();
  if (!f || c.arguments.size() != object + 1 || !c.expr || !c.expr->isGLValue())
    return std::nullopt;
  Argument whole = m.selfOf(c.arguments[object], *f->field->getParent(), c.expr);
  return Value(m.fieldOf(m.placeOf(whole), *f->field));
}

std::optional<Value> Utilities::called(Call &c, std::string_view name) {
  const std::size_t count = c.arguments.size();
  const auto callWith = [&](std::size_t function) {
    std::vector<Argument> rest(c.arguments.begin() + static_cast<std::ptrdiff_t>(function) + 1, c.arguments.end());
    return m.invoke(m.placeOf(c.arguments[function]), std::move(rest), c.expr);
  };
  if (name == "invoke" && count >= 1) {
    if (auto member = dataMember(c, m.peek(c.arguments[0]), 1))
      return member;
    return callWith(0);
  }
  if ((name == "call_once" && count >= 2) || (name == "async" && count >= 1)) {
    // Behind the flag, or how it is launched.
    const clang::Expr *first = c.arguments[0].expr;
    const std::size_t function = name == "call_once" || (first && first->getType()->isEnumeralType()) ? 1 : 0;
    if (function >= count)
      return std::nullopt;
    const Value result = callWith(function);
    if (name != "async")
      return Void{};
    m.domain().onLost(m, result, c.expr);
    return m.unknown(c.type, "what a task returns");
  }
  if (name != "apply" || count != 2)
    return std::nullopt;
  const Pointer tuple = m.placeOf(c.arguments[1]);
  const auto items = m.elements(m.load(c.arguments[1]));
  if (!items)
    return std::nullopt;
  std::vector<Argument> parts;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Argument a;
    a.place = tuple.then(Step::ofIndex(static_cast<std::int64_t>(i)));
    a.type = typeArgument(c.arguments[1].type, static_cast<unsigned>(i));
    parts.push_back(std::move(a));
  }
  return m.invoke(m.placeOf(c.arguments[0]), std::move(parts), c.expr);
}

/// The variable that \p a names, if it does no more.
static const clang::ValueDecl *variableNamed(const Argument &a) {
  const auto *ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(a.expr ? a.expr->IgnoreParenImpCasts() : nullptr);
  return ref ? ref->getDecl() : nullptr;
}

std::optional<unsigned> Utilities::placeholder(const Argument &a) {
  const clang::ValueDecl *named = variableNamed(a);
  unsigned n = 0;
  if (!named || !named->getDeclContext()->isNamespace() || !named->getName().starts_with("_") ||
      named->getName().drop_front().getAsInteger(10, n) || n == 0 ||
      !m.qualifiedName(*named).starts_with("std::placeholders"))
    return std::nullopt;
  return n;
}

std::optional<std::size_t> Utilities::parametersOf(const Value &callable) {
  Value target = callable;
  while (const Pointer *p = target.pointer()) {
    if (!p->only())
      return std::nullopt;
    target = m.peek(*p->only());
  }
  const Callable *c = target.callable();
  const clang::CXXRecordDecl *closure = target.record() ? target.record()->type : nullptr;
  const clang::FunctionDecl *f = c ? c->function : m.target(target, {});
  if (!f && closure && closure->isLambda())
    f = closure->getLambdaCallOperator();
  if (!f || f->isVariadic())
    return std::nullopt;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
  const bool takesObject = c && method && method->isInstance();
  return f->getNumNonObjectParams() + (takesObject ? 1 : 0);
}

std::optional<Value> Utilities::bound(Call &c, std::string_view name) {
  const std::size_t count = c.arguments.size();
  if (name == "mem_fn" && count == 1)
    return argument(c, 0);
  if ((name != "bind" && name != "bind_front") || count < 1)
    return std::nullopt;
  // It is kept where it was bound: what a function holds is not made anew with each call.
  const auto kept = [&](Argument &a, Value v) {
    return Pointer::to(m.newObject(std::move(v), a.expr ? a.expr->getType() : a.type, Storage::Heap, variableNamed(a)));
  };
  Callable result;
  result.target = argument(c, 0);
  if (result.target.record())
    result.target = kept(c.arguments[0], result.target);
  for (std::size_t i = 1; i < count; ++i) {
    Argument &a = c.arguments[i];
    if (const auto n = name == "bind" ? placeholder(a) : std::nullopt) {
      result.bound.push_back(std::make_shared<const Placeholder>(*n));
      continue;
    }
    Value v = taken(c, i, a.type);
    if (v.pointer()) // std::ref, or a pointer: what it points to
      result.bound.push_back(std::move(v));
    else
      result.bound.push_back(kept(a, std::move(v)));
  }
  if (name == "bind")
    return result;
  // Behind those that are bound come those of the call.
  const auto all = parametersOf(result.target);
  if (!all || *all < result.bound.size())
    return std::nullopt;
  for (unsigned n = 1; result.bound.size() < *all; ++n)
    result.bound.push_back(std::make_shared<const Placeholder>(n));
  return result;
}

std::optional<Value> Utilities::owned(Call &c, std::string_view name) {
  const std::size_t count = c.arguments.size();
  if (name == "dynamic_pointer_cast" && count == 1)
    return m.dynamicallyCast(argument(c, 0), typeArgument(c.type, 0));
  if ((name == "static_pointer_cast" || name == "const_pointer_cast") && count == 1)
    return argument(c, 0);
  if (c.type.isNull())
    return std::nullopt;
  const clang::QualType type = typeArgument(c.type, 0);
  if (name == "make_optional")
    return Optional{true, element(c, type)};
  if (name != "make_unique" && name != "make_shared")
    return std::nullopt;
  const ObjectId o = m.newObject(Value(), type, Storage::Heap);
  const Pointer at = Pointer::to(o);
  const Value v = m.constructBest(type, c.arguments, c.expr, &at);
  if (!m.dead()) {
    m.setObject(o, v);
    m.followers().arrive({o, {}}, v);
  }
  return at;
}

/// \p e is the position that \p name says of a container, which is no view of another one.
static bool isPosition(const clang::Expr *e, llvm::StringRef name) {
  for (const clang::Expr *before = nullptr; e && e != before;) {
    before = e;
    e = e->IgnoreParenImpCasts();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e); made && made->getNumArgs() == 1)
      e = made->getArg(0);
  }
  const auto *call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(e);
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getParent()->isInStdNamespace() || !method->getIdentifier())
    return false;
  const llvm::StringRef of = method->getParent()->getName();
  return method->getName().ends_with(name) && of != "span" && of != "basic_string_view" && of != "initializer_list";
}

std::optional<Value> Utilities::position(Call &c, std::string_view name) {
  const std::size_t count = c.arguments.size();
  const bool isLast = name == "end" || name == "cend";
  // An array is as long as it is declared, a text within it may be shorter.
  const auto length = [&] {
    const clang::Expr *e = c.arguments[0].expr;
    const auto *array = e ? m.ast().getAsConstantArrayType(e->IgnoreParenImpCasts()->getType()) : nullptr;
    return array ? Value(Number::ofInteger(static_cast<std::int64_t>(array->getZExtSize())))
                 : m.sizeOf(m.load(c.arguments[0]));
  };
  if ((isLast || name == "begin" || name == "cbegin" || name == "data") && count == 1) {
    const Pointer p = m.placeOf(c.arguments[0]);
    const Value n = length();
    const bool known = n.number() && n.number()->known;
    return p.then(Step::ofIndex(!known ? -1 : isLast ? n.number()->integer : 0));
  }
  if ((name == "size" || name == "ssize" || name == "empty") && count == 1) {
    const Value n = length();
    return name == "empty" ? m.compare(clang::BO_EQ, n, Number::ofInteger(0), c.expr) : n;
  }
  if (name == "next" || name == "prev" || name == "advance") {
    const Value at = argument(c, 0);
    const Value by = written(c) > 1 ? argument(c, 1) : Value(Number::ofInteger(1));
    const Value to = m.offset(at, by, name == "prev" ? -1 : 1);
    if (name == "advance")
      m.store(m.placeOf(c.arguments[0]), to, c.expr);
    return to;
  }
  if (name != "distance" || count != 2)
    return std::nullopt;
  const Value from = argument(c, 0), to = argument(c, 1);
  if (!to.pointer() && isPosition(c.arguments[0].expr, "begin"))
    return someCount(m, "distance"); // nothing is before the first one
  return from.pointer() && to.pointer() ? m.arithmetic(clang::BO_Sub, to, from, m.ast().LongTy, c.expr)
                                        : m.unknown(c.type, "a distance");
}

} // namespace condlint::cxx
