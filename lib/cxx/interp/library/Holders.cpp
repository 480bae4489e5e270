//===- Holders.cpp - Optionals, pointers, functions -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Holders.h"
#include "../machine/Types.h"
#include "Utilities.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

std::optional<Value> Holders::optional(Call &c, std::string_view name) {
  const auto state = [&]() -> std::optional<bool> {
    const Value v = m.load(*c.self);
    const Optional *o = v.optional();
    return o ? o->has : std::nullopt;
  };
  const auto place = [&] { return self(c).then(Step::ofIndex(0)); };
  if (name == "has_value" || name.starts_with("operator bool")) {
    const auto has = state();
    return has ? Number::boolean(*has, Provenance::Fixed) : Number::unknown(Number::Kind::Bool);
  }
  if (name == "value" || name == "operator*" || name == "operator->")
    return Value(place());
  if (name == "value_or") {
    const auto has = state();
    const clang::QualType type = typeArgument(c.self->type, 0);
    if (has && *has)
      return m.load(place(), c.expr, type);
    if (m.peek(*c.self).unknown()) // nor whether it is one of the two
      return m.unknown(type, "what an optional holds that is not known");
    const Value other = argument(c, 0);
    const Value held = m.load(place(), c.expr, type);
    if (has)
      return other;
    // One that the code has made says which of the two it is.
    const Value either = m.join(held, other);
    return m.peek(*c.self).optional() && m.domain().relatesAnswers() ? m.determined(either) : either;
  }
  if (name == "reset") {
    m.destroy(self(c), c.self->type);
    m.store(self(c), Optional{false, {}}, c.expr);
    return Void{};
  }
  if (name == "operator=" || name == "emplace") {
    if (m.isDestroyed(c.self->type))
      m.destroy(self(c), c.self->type);
    const bool isSame =
        name != "emplace" && !c.arguments.empty() && m.className(c.arguments[0].type) == m.className(c.self->type);
    const Value v = name == "emplace" ? element(c, typeArgument(c.self->type, 0))
                    : isSame          ? taken(c, 0, c.self->type)
                                      : argument(c, 0);
    const std::string_view from =
        c.arguments.empty() || !c.arguments[0].expr ? std::string_view() : m.className(c.arguments[0].expr->getType());
    Value now = Optional{true, v};
    if (v.optional() || from == "std::optional")
      now = v;
    else if (from == "std::nullopt_t" || from == "c10::nullopt_t")
      now = Optional{false, {}};
    m.store(self(c), now, c.expr);
    return name == "emplace" ? Value(place()) : Value(self(c));
  }
  return std::nullopt;
}

std::optional<Value> Holders::smartPointer(Call &c, std::string_view name) {
  const clang::QualType pointee = typeArgument(c.self->type, 0);
  // Not used itself: what it points to is.
  const auto followed = [&] { return m.loadPointer(*c.self); };
  if (name == "operator*" || name == "operator->" || name == "get" || name == "lock" ||
      name.starts_with("operator type") ||
      (c.callee && llvm::isa<clang::CXXConversionDecl>(c.callee) && !name.starts_with("operator bool"))) {
    if ((name == "get" || name == "lock") && !c.type->isReferenceType()) {
      Value held = followed();
      if (name == "lock" && held.pointer()) // who owns it may be gone
        held.own<Pointer>().mayBeNull = true;
      return held;
    }
    return m.dereference(followed(), pointee, c.expr);
  }
  if (name.starts_with("operator bool")) {
    const Value v = m.load(*c.self);
    return m.convertNumber(v, m.ast().BoolTy);
  }
  if (name == "operator[]") {
    return m.dereference(m.offset(followed(), argument(c, 0), 1), pointee, c.expr);
  }
  if (name == "reset" || name == "operator=") {
    const Value v = written(c) == 0 ? Value(Null{}) : argument(c, 0);
    // What it held so far comes to its end.
    m.destroy(self(c), c.self->type);
    m.store(self(c), v, c.expr);
    if (name == "operator=")
      moved(c, 0);
    return self(c);
  }
  if (name == "release") {
    const Value v = m.load(*c.self);
    m.store(self(c), Null{}, c.expr);
    return v;
  }
  if (name == "operator()") // a reference to something that can be called
    return m.invoke(m.load(*c.self), c.arguments, c.expr);
  if (name == "use_count" || name == "unique" || name == "expired")
    return m.unknown(c.type, "a count of references");
  return std::nullopt;
}

std::optional<Value> Holders::function(Call &c, std::string_view name) {
  if (name == "operator()") {
    const Pointer where = self(c);
    if (auto member = Utilities(m).dataMember(c, m.load(*c.self), 0)) // std::mem_fn
      return member;
    return m.invoke(where, c.arguments, c.expr);
  }
  if (name.starts_with("operator bool"))
    return m.convertNumber(m.load(*c.self), m.ast().BoolTy);
  if (name == "operator=") {
    m.store(self(c), argument(c, 0), c.expr);
    return self(c);
  }
  return std::nullopt;
}

std::optional<Value> Holders::constructPointer(Call &c, std::string_view) {
  if (written(c) == 0)
    return Null{};
  const Value v = argument(c, 0);
  moved(c, 0);
  return v.pointer() || v.isNull() || v.symbol() || v.handle() ? v : m.unknown("a pointer");
}

std::optional<Value> Holders::constructReference(Call &c, std::string_view) {
  return written(c) != 0 ? Value(m.placeOf(c.arguments[0])) : Value(Pointer::unknown());
}

std::optional<Value> Holders::constructFunction(Call &c, std::string_view) {
  return written(c) == 0 ? Value(Null{}) : kept(c, 0);
}

std::optional<Value> Holders::constructOptional(Call &c, std::string_view) {
  const std::size_t count = written(c);
  if (count == 0)
    return Optional{false, {}};
  const clang::QualType from = c.arguments[0].expr ? c.arguments[0].expr->getType() : clang::QualType();
  const std::string_view name = m.className(from);
  if (name == "std::nullopt_t" || name == "c10::nullopt_t")
    return Optional{false, {}};
  if (const clang::QualType held = typeArgument(c.type, 0);
      m.className(held) == "std::reference_wrapper" && name != "std::reference_wrapper" && name != "std::optional")
    return Optional{true, m.constructBest(held, c.arguments, c.expr)};
  const clang::QualType held = typeArgument(c.type, 0);
  const bool isHeld = !held.isNull() && m.ast().hasSameUnqualifiedType(from.getNonReferenceType(), held);
  const Value v = isHeld ? taken(c, 0, held) : argument(c, 0);
  if (!isHeld)
    moved(c, 0);
  if (v.optional() || name == "std::optional")
    return v;
  if (name == "std::in_place_t")
    return Optional{true,
                    m.constructBest(typeArgument(c.type, 0), {c.arguments.begin() + 1, c.arguments.end()}, c.expr)};
  return Optional{true, v};
}

} // namespace condlint::cxx
