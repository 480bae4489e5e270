//===- ModuleContainers.cpp - Modules that hold others --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A container is known by the modules that it was made of and filled with, as
// far as that was seen: by their number and their names, and each by its class and
// its options.
//
//===----------------------------------------------------------------------===//

#include "ModuleContainers.h"
#include "../interp/machine/Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

const clang::CXXMethodDecl *methodNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, std::size_t arguments,
                                        unsigned depth) {
  if (!c || !c->hasDefinition() || depth > 8)
    return nullptr;
  for (const clang::CXXMethodDecl *method : c->methods())
    if (method->getDeclName().isIdentifier() && method->getName() == name &&
        method->getMinRequiredArguments() <= arguments && arguments <= method->getNumParams())
      return method;
  for (const clang::CXXBaseSpecifier &base : c->bases())
    if (const auto *method = methodNamed(base.getType()->getAsCXXRecordDecl(), name, arguments, depth + 1))
      return method;
  return nullptr;
}

const clang::CXXRecordDecl *containedIn(Machine &m, const clang::CXXRecordDecl *holder) {
  if (!holder || !holder->hasDefinition())
    return nullptr;
  for (const clang::CXXBaseSpecifier &base : holder->bases())
    if (m.className(base.getType()) == "torch::nn::ModuleHolder")
      return Machine::classOf(typeArgument(base.getType(), 0));
  return nullptr;
}

bool isModuleContainer(Machine &m, clang::QualType type) {
  constexpr std::array<std::string_view, 6> containers{"torch::nn::Sequential", "torch::nn::SequentialImpl",
                                                       "torch::nn::ModuleList", "torch::nn::ModuleListImpl",
                                                       "torch::nn::ModuleDict", "torch::nn::ModuleDictImpl"};
  return std::ranges::find(containers, m.className(type)) != containers.end();
}

//===----------------------------------------------------------------------===//
// How they are filled
//===----------------------------------------------------------------------===//

/// What a container keeps of \p module: of one of which nothing else is known, its class.
static Value keptModule(Machine &m, const Value &module, const Argument &given) {
  if (module.symbol() || module.pointer() || !given.expr)
    return module;
  const clang::QualType type = given.expr->IgnoreImplicit()->getType();
  return containedIn(m, Machine::classOf(type)) ? Value(std::make_shared<const ModuleDatum>(type, Value())) : module;
}

/// The pairs of a name and a module that \p v lists are entered into \p into; false where it lists something else.
static bool addNamed(NamedOptions &into, const Value &v) {
  const List *all = v.list();
  if (!all || !all->sized)
    return false;
  for (const Value &one : all->items) {
    const List *pair = one.list();
    if (!pair || pair->items.size() != 2 || !pair->items[0].text())
      return false;
    into.values.emplace_back(*pair->items[0].text(), pair->items[1]);
  }
  return true;
}

bool addModules(Machine &m, NamedOptions &into, Call &c) {
  const std::string_view name = c.baseName();
  if (name == "push_back" && !c.arguments.empty()) {
    into.values.emplace_back("#" + std::to_string(into.values.size()),
                             keptModule(m, m.load(c.arguments.back()), c.arguments.back()));
    return true;
  }
  if (name == "update" && c.arguments.size() == 1)
    return addNamed(into, m.load(c.arguments[0]));
  if (name != "insert" || c.arguments.size() != 2)
    return false;
  const Value key = m.load(c.arguments[0]);
  if (!key.text() || into.find(*key.text()))
    return false;
  into.values.emplace_back(*key.text(), keptModule(m, m.load(c.arguments[1]), c.arguments[1]));
  return true;
}

//===----------------------------------------------------------------------===//
// What they hold
//===----------------------------------------------------------------------===//

ContainedModules::ContainedModules(Machine &machine, const Value &self, const Value &made, Keep keep)
    : m(machine), container(self), keepOptions(std::move(keep)) {
  const auto *known = made.as<NamedOptions>();
  if (!known)
    return;
  // Of a dictionary one list of all.
  if (known->values.size() != 1 || !addNamed(modules, known->values[0].second))
    modules = *known;
}

Pointer ContainedModules::moduleAt(std::size_t i, const clang::Expr *at) const {
  const auto &[name, given] = modules.values[i];
  const auto contained = [&](clang::QualType type) { return containedIn(m, Machine::classOf(type)); };
  Value module = given;
  clang::QualType inner;
  if (const auto *held = given.as<ModuleDatum>()) {
    // One that a constructor made: a part of the container, whose options are known from there.
    const clang::CXXRecordDecl *in = contained(held->type);
    inner = in ? m.ast().getCanonicalTagType(in) : held->type;
    module = m.part(container, Step::ofKey(name), in ? held->type : m.ast().getPointerType(inner));
    if (module.symbol() && !held->options.isAbsent())
      keepOptions(module.symbol()->id, held->options);
  } else if (module.symbol()) {
    const clang::CXXRecordDecl *in = contained(m.symbol(module.symbol()->id).type);
    inner = in ? m.ast().getCanonicalTagType(in) : clang::QualType();
  }
  if (module.pointer())
    return *module.pointer();
  return module.symbol() && !inner.isNull() ? m.dereference(module, inner, at) : Pointer::unknown();
}

Value castModule(Machine &m, const Pointer &module, clang::QualType to) {
  // A module in a container is just of the class that it was put there with.
  const Place *place = module.only();
  const Object *o = place && place->object && place->path.empty() ? &m.object(place->object) : nullptr;
  const SymbolId held = o ? o->pointer : SymbolId();
  const SymbolId around = held ? m.symbol(held).parent : SymbolId();
  const bool isExact = around && m.symbol(held).step.key && isModuleContainer(m, m.symbol(around).type);
  const clang::CXXRecordDecl *own = isExact ? Machine::classOf(o->type) : nullptr;
  const clang::CXXRecordDecl *wanted = Machine::classOf(to);
  if (!own || !own->hasDefinition() || !wanted)
    return m.dynamicallyCast(module, to);
  const bool is = own->getCanonicalDecl() == wanted->getCanonicalDecl() || own->isDerivedFrom(wanted);
  return is ? Value(module) : Value(Null{});
}

std::optional<std::size_t> ContainedModules::positionOf(const Value &index) const {
  const auto &all = modules.values;
  if (const Number *n = index.number(); n && n->known && n->integer >= 0)
    return static_cast<std::size_t>(n->integer);
  for (std::size_t i = 0; index.text() && i < all.size(); ++i)
    if (all[i].first == *index.text())
      return i;
  return std::nullopt;
}

bool ContainedModules::answers(std::string_view name) {
  constexpr std::array<std::string_view, 9> methods{"size",       "is_empty", "empty",  "ptr",  "at",
                                                    "operator[]", "children", "values", "items"};
  return std::ranges::find(methods, name) != methods.end();
}

std::optional<Value> ContainedModules::ask(Call &c, std::string_view name) const {
  const auto &all = modules.values;
  if (name == "size")
    return Number::ofInteger(static_cast<std::int64_t>(all.size()), Provenance::Fixed);
  if (name == "is_empty" || name == "empty")
    return Number::boolean(all.empty(), Provenance::Fixed);
  if ((name == "ptr" || name == "at" || name == "operator[]") && c.arguments.size() == 1) {
    const auto i = positionOf(m.load(c.arguments[0]));
    return i && *i < all.size() ? std::optional<Value>(moduleAt(*i, c.expr)) : std::nullopt;
  }
  if (name != "children" && name != "values" && name != "items")
    return std::nullopt;
  List l;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Value module = moduleAt(i, c.expr);
    l.items.push_back(name == "items" ? Value(List{{Value::text(all[i].first), std::move(module)}, true, {}, {}})
                                      : std::move(module));
  }
  return l;
}

std::optional<Value> forwardOf(Machine &m, const Pointer &module, const std::vector<Argument> &inputs, const Call &c) {
  const Place *place = module.only();
  const clang::QualType type = place && place->object ? m.object(place->object).type : clang::QualType();
  const clang::CXXMethodDecl *forward =
      type.isNull() ? nullptr : methodNamed(Machine::classOf(type), "forward", inputs.size());
  if (!forward)
    return std::nullopt;
  std::vector<Argument> all(1);
  all[0].place = module;
  all[0].type = type;
  all.insert(all.end(), inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (all[i + 1].type.isNull())
      all[i + 1].type = forward->getParamDecl(static_cast<unsigned>(i))->getType();
  return m.invoke(Value(Callable{forward, {}, {}}), std::move(all), c.expr);
}

std::optional<Value> ContainedModules::run(Value input, const Call &c) const {
  for (std::size_t i = 0; i < modules.values.size(); ++i) {
    Argument argument;
    argument.value = std::move(input);
    std::optional<Value> result = forwardOf(m, moduleAt(i, c.expr), {argument}, c);
    if (!result)
      return std::nullopt;
    input = std::move(*result);
  }
  return input;
}

} // namespace condlint::cxx
