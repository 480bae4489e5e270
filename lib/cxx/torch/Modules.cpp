//===- Modules.cpp - torch::nn --------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/Types.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

const clang::FieldDecl *fieldNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, unsigned depth = 0) {
  if (!c || !c->hasDefinition() || depth > 8)
    return nullptr;
  for (const clang::FieldDecl *f : c->fields())
    if (f->getName() == name)
      return f;
  for (const clang::CXXBaseSpecifier &base : c->bases())
    if (const clang::FieldDecl *f = fieldNamed(base.getType()->getAsCXXRecordDecl(), name, depth + 1))
      return f;
  return nullptr;
}

const clang::CXXMethodDecl *methodNamed(const clang::CXXRecordDecl *c, llvm::StringRef name, std::size_t arguments,
                                        unsigned depth = 0) {
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

/// The module class of a holder; null for what is none.
const clang::CXXRecordDecl *containedIn(Machine &m, const clang::CXXRecordDecl *holder) {
  if (!holder || !holder->hasDefinition())
    return nullptr;
  for (const clang::CXXBaseSpecifier &base : holder->bases())
    if (m.className(base.getType()) == "torch::nn::ModuleHolder")
      return Machine::classOf(typeArgument(base.getType(), 0));
  return nullptr;
}

} // namespace

std::optional<Value> TorchDomain::moduleCall(Call &c, std::string_view cls, std::string_view name) {
  Machine &m = *machine;
  const auto load = [&](std::size_t i) {
    return i < c.arguments.size() && !c.arguments[i].isDefault ? m.load(c.arguments[i]) : Value();
  };
  if (cls.ends_with("Options")) {
    const Value self = m.load(*c.self);
    const auto *known = self.as<NamedOptions>();
    if (c.arguments.empty()) {
      const Value *v = known ? known->find(name) : nullptr;
      return v ? *v : m.unknown(c.type, "an option that is not known");
    }
    auto o = std::make_shared<NamedOptions>();
    if (known)
      o->values = known->values;
    o->values.emplace_back(std::string(name), load(0));
    const Pointer where = m.placeOf(*c.self);
    m.store(where, Value(std::shared_ptr<const NamedOptions>(std::move(o))), c.expr);
    return where;
  }
  if (name == "register_parameter" || name == "register_buffer" || name == "register_module" ||
      name == "replace_module") {
    load(0);
    return c.arguments.size() > 1 ? std::optional(load(1)) : std::nullopt;
  }
  if (name == "is_training")
    return Number::unknown(Number::Kind::Bool);
  if (name == "parameters" || name == "buffers" || name == "named_parameters" || name == "named_buffers")
    if (auto all = parametersOf(c))
      return all;
  const bool runs = name == "forward" || name == "operator()";
  if (cls == "torch::nn::ModuleHolder") {
    if (!runs)
      return std::nullopt; // it is a pointer
    // The module in it, by the method that its class has; what that one uses counts.
    const Value held = m.loadPointer(*c.self);
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
    const clang::QualType inner =
        method ? typeArgument(ast.getCanonicalTagType(method->getParent()), 0) : clang::QualType();
    const clang::CXXRecordDecl *impl = Machine::classOf(inner);
    const clang::CXXMethodDecl *forward = methodNamed(impl, "forward", c.arguments.size());
    if (!forward)
      return opaqueTensors(c, c.name);
    Callable callee{forward, {}, {}};
    std::vector<Argument> all;
    Argument self;
    self.place = m.dereference(held, inner, c.expr);
    self.type = inner;
    all.push_back(std::move(self));
    for (Argument &a : c.arguments)
      all.push_back(a);
    return m.invoke(Value(callee), std::move(all), c.expr);
  }
  if (runs)
    return runModule(c, cls);
  // Setting modes, walking through parameters.
  if (name == "train" || name == "eval" || name == "zero_grad" || name == "to")
    return opaqueTensors(c, c.name);
  m.load(*c.self); // what it gives is the module's
  return Domain::opaqueCall(m, c);
}

Value TorchDomain::runModule(Call &c, std::string_view cls) {
  Machine &m = *machine;
  const Value self = m.load(*c.self);
  std::vector<Value> inputs;
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      inputs.push_back(m.load(a));
  // Conv2dImpl, BatchNormImplBase: called as the function is that does the same.
  const std::size_t at = cls.rfind("::");
  std::string_view own = at == std::string_view::npos ? cls : cls.substr(at + 2);
  if (const std::size_t impl = own.find("Impl"); impl != std::string_view::npos)
    own = own.substr(0, impl);
  const std::string function = functionName(own);
  const auto member = [&](llvm::StringRef name) -> Value {
    const clang::FieldDecl *field = fieldNamed(Machine::classOf(c.self->type), name);
    return field && c.self->place ? m.load(c.self->place->then(Step::ofField(field)), c.expr, field->getType())
                                  : Value();
  };
  // How it was made, if that was seen.
  Value made;
  for (SymbolId s = self.symbol()   ? self.symbol()->id
                    : self.record() ? self.record()->rest
                                    : SymbolId();
       s && made.isAbsent(); s = m.symbol(s).parent)
    if (const auto seen = moduleOptions.find(s.index()); seen != moduleOptions.end())
      made = seen->second;
  const auto *known = made.as<NamedOptions>();
  if (function == "linear" && !inputs.empty()) {
    const Value weight = member("weight");
    if (const Type &t = typeOf(weight); t.isTensor() && !t.hasRank) {
      // As many rows as it has outputs, and columns as inputs.
      std::array<Dim, 2> matrix{};
      for (const auto &[option, dim] : {std::pair("#1", &matrix[0]), std::pair("#0", &matrix[1])})
        if (const Value *v = known ? known->find(option) : nullptr; v && v->number())
          *dim = m.dimOf(*v->number());
      Type facts;
      facts.kind = ValueKind::Tensor;
      facts.hasRank = true;
      facts.dims = matrix;
      assume(weight.handle()->object, facts, c.expr);
    }
    if (!weight.isAbsent())
      if (auto v = applyFunction(function, {inputs[0], weight, member("bias")}, Value(), true, c))
        return *v;
  }
  if (function == "sequential" && known && inputs.size() == 1) {
    Value v = inputs[0];
    for (const auto &[name, module] : known->values) {
      const clang::CXXRecordDecl *holder =
          module.symbol() ? Machine::classOf(m.symbol(module.symbol()->id).type) : nullptr;
      const clang::CXXRecordDecl *contained = containedIn(m, holder);
      const clang::CXXMethodDecl *forward = methodNamed(contained, "forward", 1);
      if (!forward)
        return opaqueTensors(c, c.name);
      const clang::QualType inner = ast.getCanonicalTagType(contained);
      std::vector<Argument> all(2);
      all[0].place = m.dereference(module, inner, c.expr);
      all[0].type = inner;
      all[1].value = v;
      all[1].type = forward->getParamDecl(0)->getType();
      v = m.invoke(Value(Callable{forward, {}, {}}), std::move(all), c.expr);
    }
    return v;
  }
  const bool isKnown = known != nullptr;
  if (function.find("dropout") != std::string::npos && isKnown) {
    // Whether it drops anything is the module's mode.
    auto inMode = std::make_shared<NamedOptions>(*known);
    inMode->values.emplace_back("training", Number::unknown(Number::Kind::Bool));
    made = Value(std::shared_ptr<const NamedOptions>(std::move(inMode)));
  }
  if (auto v = applyFunction(function, inputs, made, isKnown, c))
    return *v;
  return opaqueTensors(c, c.name);
}

std::optional<Value> TorchDomain::parametersOf(Call &c) {
  // Any number of tensors, all of the module: one stands for them.
  Machine &m = *machine;
  const Place *self = c.self && c.self->place ? c.self->place->only() : nullptr;
  if (!self || !self->object || !m.isOuter(self->object))
    return std::nullopt;
  const Value module = m.peek(*self);
  const SymbolId source = module.symbol() ? module.symbol()->id : module.record() ? module.record()->rest : SymbolId();
  const clang::QualType tensor = typeArgument(c.type, c.baseName().starts_with("named_") ? 1 : 0);
  if (!source || m.className(tensor) != "at::Tensor")
    return std::nullopt;
  List l;
  l.sized = false;
  l.every = m.part(Value(Symbol{source}), Step::ofKey(std::string(c.baseName()) + "()"), tensor);
  onRead(m, *self, l.every, c.expr);
  return l;
}

} // namespace condlint::cxx
