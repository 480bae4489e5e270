//===- Modules.cpp - torch::nn --------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "FunctionalCalls.h"
#include "ModuleCalls.h"
#include "ModuleContainers.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
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

} // namespace

/// What \p c changes, the mode or what is registered, is a member of its module.
void TorchDomain::ModuleCalls::writesModule(const Call &c) {
  const Place *module = c.self && c.self->place ? c.self->place->only() : nullptr;
  if (module && module->object && domain.machine->isOuter(module->object))
    domain.onWrite(*domain.machine, *module, Value(), c.expr);
}

void TorchDomain::ModuleCalls::fillModule(Call &c) {
  Machine &m = *domain.machine;
  writesModule(c);
  const Value self = m.load(*c.self);
  const SymbolId container = self.symbol() ? self.symbol()->id : self.record() ? self.record()->rest : SymbolId();
  SymbolId made = container;
  while (made && !domain.moduleOptions.contains(made.index()))
    made = m.symbol(made).parent;
  const std::pair<std::uint32_t, unsigned> here{m.path(), m.region()};
  const auto way = made ? domain.modulePaths.find(made.index()) : domain.modulePaths.end();
  const auto *known = way != domain.modulePaths.end() && way->second == here
                          ? domain.moduleOptions[made.index()].as<NamedOptions>()
                          : nullptr;
  auto filled = known ? std::make_shared<NamedOptions>(*known) : nullptr;
  if (filled && addModules(m, *filled, c)) {
    domain.moduleOptions[made.index()] = Value(std::shared_ptr<const NamedOptions>(std::move(filled)));
  } else if (container) {
    domain.moduleOptions[(made ? made : container).index()] = m.unknown("modules that were added");
  }
}

/// The class of the object of a method, where that is one of a base.
static clang::QualType ownType(Machine &m, const Argument &self) {
  const Place *place = self.place ? self.place->only() : nullptr;
  const bool isWhole = place && place->object && place->path.empty();
  return isWhole && !isModuleContainer(m, self.type) ? m.object(place->object).type : self.type;
}

/// The symbol that \p module is, or of which it is what was written of it.
static SymbolId symbolOf(const Value &module) {
  return module.symbol() ? module.symbol()->id : module.record() ? module.record()->rest : SymbolId();
}

Value TorchDomain::ModuleCalls::moduleOption(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  Value self = m.load(*c.self);
  // The options of a module: with which it was made.
  if (self.symbol() && m.symbol(self.symbol()->id).origin == SymbolInfo::Origin::Member)
    self = madeWith(m.symbol(self.symbol()->id).parent);
  const auto *known = self.as<NamedOptions>();
  if (c.arguments.empty()) {
    const Value *v = known ? known->find(name) : nullptr;
    return v ? *v : m.unknown(c.type, "an option that is not known");
  }
  const Pointer where = m.placeOf(*c.self);
  const Value set = c.arguments[0].isDefault ? Value() : m.load(c.arguments[0]);
  if (!known) { // one of them says nothing of the others
    m.store(where, m.unknown("options that are not known"), c.expr);
    return where;
  }
  auto o = std::make_shared<NamedOptions>(*known);
  o->values.emplace_back(std::string(name), set);
  m.store(where, Value(std::shared_ptr<const NamedOptions>(std::move(o))), c.expr);
  return where;
}

Value TorchDomain::ModuleCalls::runHeld(Call &c) {
  Machine &m = *domain.machine;
  // By the method that its class has; what that one uses counts.
  const Value held = m.loadPointer(*c.self);
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const clang::QualType inner =
      method ? typeArgument(domain.ast.getCanonicalTagType(method->getParent()), 0) : clang::QualType();
  const clang::CXXMethodDecl *forward = methodNamed(Machine::classOf(inner), "forward", c.arguments.size());
  if (!forward)
    return domain.opaqueTensors(c, c.name);
  std::vector<Argument> all;
  Argument self;
  self.expr = c.self->expr;
  self.place = m.dereference(held, inner, c.expr);
  self.type = inner;
  all.push_back(std::move(self));
  all.insert(all.end(), c.arguments.begin(), c.arguments.end());
  return m.invoke(Value(Callable{forward, {}, {}}), std::move(all), c.expr);
}

/// Whether the module of the call is being trained: the flag lies in it, and differs from call to call.
static Value modeOf(Machine &m, Call &c) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const clang::FieldDecl *flag = method ? fieldNamed(method->getParent(), "is_training_") : nullptr;
  return flag ? m.load(m.placeOf(*c.self).then(Step::ofField(flag)), c.expr, flag->getType())
              : Number::unknown(Number::Kind::Bool);
}

/// A method of the AnyModule in which a Sequential keeps one of its modules; nothing where that is not known.
static std::optional<Value> anyModuleCall(Machine &m, Call &c, std::string_view name) {
  const Value held = m.load(*c.self);
  if (!held.pointer())
    return std::nullopt;
  if (name == "ptr" || name == "get")
    return held;
  return name == "forward" ? forwardOf(m, *held.pointer(), c.arguments, c) : std::nullopt;
}

std::optional<Value> TorchDomain::ModuleCalls::moduleCall(Call &c, std::string_view cls, std::string_view name) {
  Machine &m = *domain.machine;
  const auto load = [&](std::size_t i) {
    return i < c.arguments.size() && !c.arguments[i].isDefault ? m.load(c.arguments[i]) : Value();
  };
  if (name == "operator=" && c.arguments.size() == 1) {
    const Pointer where = m.placeOf(*c.self);
    m.store(where, load(0), c.expr);
    return where;
  }
  if (cls.ends_with("Options"))
    return moduleOption(c, name);
  if (name == "register_parameter" || name == "register_buffer" || name == "register_module" ||
      name == "replace_module") {
    load(0);
    writesModule(c);
    return c.arguments.size() > 1 ? std::optional(load(1)) : std::nullopt;
  }
  if (name == "is_training")
    return modeOf(m, c);
  if (name == "parameters" || name == "buffers" || name == "named_parameters" || name == "named_buffers")
    if (auto all = parametersOf(c))
      return all;
  if (name == "push_back" || name == "extend" ||
      ((name == "insert" || name == "update") && isModuleContainer(m, c.self->type))) {
    fillModule(c);
    return c.type->isVoidType() ? Value(Void{}) : m.unknown(c.type, "a module");
  }
  if (cls == "torch::nn::AnyModule")
    if (auto answer = anyModuleCall(m, c, name))
      return answer;
  if (ContainedModules::answers(name) && isModuleContainer(m, ownType(m, *c.self))) {
    const Value self = m.load(*c.self);
    const ContainedModules held(m, self, madeWith(symbolOf(self)),
                                [this](SymbolId s, const Value &o) { domain.moduleOptions[s.index()] = o; });
    if (auto answer = held.isKnown() ? held.ask(c, name) : std::nullopt)
      return answer;
  }
  const bool runs = name == "forward" || name == "operator()";
  if (name == "as" && c.self->place && c.type->isPointerType())
    return castModule(m, *c.self->place, c.type->getPointeeType());
  if (cls == "torch::nn::ModuleHolder") {
    if (name == "ptr" || name == "get")
      return name == "ptr" ? m.load(*c.self) : m.loadPointer(*c.self);
    return runs ? std::optional(runHeld(c)) : std::nullopt; // it is a pointer
  }
  if (runs)
    return runModule(c, cls);
  if ((name == "train" || name == "eval") && c.self && c.self->place) {
    load(0);
    writesModule(c);
    return Void{};
  }
  if (name == "zero_grad" && changesParameters(c, CxxOp::Gradient))
    return Void{};
  if (name == "train" || name == "eval" || name == "zero_grad" || name == "to")
    return domain.opaqueTensors(c, c.name);
  m.load(*c.self); // what it gives is the module's
  return domain.Domain::opaqueCall(m, c);
}

/// The options of a module that was made with \p known, as the function that does the same on \p inputs has them.
static Value asFunctionOptions(const NamedOptions &known, const std::string &function,
                               const std::vector<Value> &inputs) {
  auto options = std::make_shared<NamedOptions>(known);
  // Whether it drops anything, or counts what it sees, is the module's mode.
  if (function.find("dropout") != std::string::npos || function.starts_with("batchnorm") || function == "rrelu")
    options->values.emplace_back("training", Number::unknown(Number::Kind::Bool));
  if (function.starts_with("conv")) {
    // The option says whether there is a bias.
    const Value *has = known.find("bias");
    std::erase_if(options->values, [](const auto &option) { return option.first == "bias"; });
    if (inputs.size() > 2 && (!has || (has->number() && has->number()->truth().value_or(false))))
      options->values.emplace_back("bias", inputs[2]);
  }
  return Value(std::shared_ptr<const NamedOptions>(std::move(options)));
}

/// The function that does what a module does that is called \p module, where it is called otherwise.
static std::string_view functionOfModule(std::string_view module) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> others{
      {{"crossentropyloss", "crossentropy"},
       {"bceloss", "binarycrossentropy"},
       {"bcewithlogitsloss", "binarycrossentropywithlogits"},
       {"kldivloss", "kldiv"},
       {"upsample", "interpolate"}}};
  const auto row = std::ranges::find(others, module, &std::pair<std::string_view, std::string_view>::first);
  return row == others.end() ? module : row->second;
}

/// The module called \p function does what it does whatever its options say: they made its parameters, and what is
/// left of them are numbers that it computes with.
static bool needsNoOptions(std::string_view function) {
  return function == "linear" || function == "prelu" || function == "bilinear" || function.starts_with("batchnorm");
}

/// What a module of attention returns for \p query: a tensor like it, and of some others the weights.
static Value attended(TorchDomain &domain, Machine &m, const Value &query, const Call &c) {
  const Type t = domain.typeOf(query);
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  Type facts;
  facts.kind = ValueKind::Tensor;
  facts.element = t.element;
  facts.restrict(t.element == DType::Unknown ? DTypeSet::floating() : DTypeSet{t.element});
  facts.hasRank = t.hasRank;
  facts.dims = dims;
  // It drops what it computes where it is trained.
  NodeDraft d(domain.model(), "aten", "dropout");
  d.value("input", domain.madeTensor(c.name, c.expr, facts));
  d.opaque("p", "a probability that is not known");
  d.opaque("train", "a mode that is not known");
  const Value result = domain.newTensor(domain.emitOne(std::move(d), c.expr));
  const clang::QualType type = c.type.getNonReferenceType();
  if (typeArgumentCount(type) != 2)
    return result;
  // Beside it what each was paid attention to, which may be left out.
  return List{{result, m.unknown(typeArgument(type, 1), "weights of an attention")}, true, {}, {}};
}

Value TorchDomain::ModuleCalls::runModule(Call &c, std::string_view cls) {
  Machine &m = *domain.machine;
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
  const std::string function(functionOfModule(functionName(own)));
  const auto member = [&](llvm::StringRef name) -> Value {
    const clang::FieldDecl *field = fieldNamed(Machine::classOf(c.self->type), name);
    return field && c.self->place ? m.load(c.self->place->then(Step::ofField(field)), c.expr, field->getType())
                                  : Value();
  };
  // How it was made, if that was seen, or what was made of its options since.
  Value made = madeWith(self.symbol() ? self.symbol()->id : self.record() ? self.record()->rest : SymbolId());
  const clang::FieldDecl *field = self.record() ? fieldNamed(Machine::classOf(c.self->type), "options") : nullptr;
  if (const Value *set = field ? self.record()->find(field) : nullptr)
    made = *set;
  const auto *known = made.as<NamedOptions>();
  // An empty one is filled where nobody looks.
  if (function == "sequential" && known && !known->values.empty() && inputs.size() == 1)
    return runSequential(c, self, *known, inputs[0]);
  if (function == "functional" && known && !known->values.empty()) {
    // What it calls with its input and what it was made with.
    std::vector<Argument> all;
    for (std::size_t i = 0; i < known->values.size(); ++i)
      all.push_back(
          {nullptr, {}, i == 0 && !inputs.empty() ? inputs[0] : known->values[i].second, std::nullopt, false});
    return m.invoke(known->values[0].second, std::move(all), c.expr);
  }
  if (!inputs.empty() && (function.starts_with("lstm") || function.starts_with("gru") || function.starts_with("rnn")))
    return recurrentResult(inputs[0], c.type, c);
  if (!inputs.empty() && domain.isTensor(inputs[0]) &&
      (function.starts_with("transformer") || function == "multiheadattention"))
    return attended(domain, m, function == "transformer" && inputs.size() > 1 ? inputs[1] : inputs[0], c);
  // What it computes with besides its input.
  if (const std::string_view parameter = function == "linear" || function.starts_with("conv") ? "weight"
                                         : function.starts_with("batchnorm")                  ? "running_mean"
                                                                                              : "";
      !inputs.empty() && !parameter.empty() && (known || needsNoOptions(function))) {
    if (const Value weight = member(parameter); !weight.isAbsent())
      inputs = {inputs[0], weight, member(parameter == "weight" ? "bias" : "running_var")};
  } else if (function == "prelu" && inputs.size() == 1) {
    if (const Value weight = member("weight"); !weight.isAbsent())
      inputs.push_back(weight);
  } else if ((function == "embedding" && known && inputs.size() == 1) ||
             (function == "bilinear" && inputs.size() == 2)) {
    for (const char *name : {"weight", "bias"})
      if (const Value held = inputs.size() < (function == "bilinear" ? 4U : 2U) ? member(name) : Value();
          !held.isAbsent())
        inputs.push_back(held);
  }
  const bool enough = known || needsNoOptions(function);
  if (auto v = FunctionalCalls(domain).applyFunction(
          function, inputs, enough ? asFunctionOptions(known ? *known : NamedOptions(), function, inputs) : made,
          enough, c))
    return *v;
  return domain.opaqueTensors(c, c.name);
}

Value TorchDomain::ModuleCalls::recurrentResult(const Value &input, clang::QualType type, const Call &c) {
  type = type.getNonReferenceType();
  if (const std::string_view cls = domain.machine->className(type); cls == "std::tuple" || cls == "std::pair") {
    List l;
    for (unsigned i = 0; i < typeArgumentCount(type); ++i)
      l.items.push_back(recurrentResult(input, typeArgument(type, i), c));
    return l;
  }
  const Type &t = domain.typeOf(input);
  Type facts;
  facts.kind = ValueKind::Tensor;
  facts.element = t.element;
  facts.hasRank = t.hasRank;
  const std::vector<Dim> dims(t.dims.size());
  facts.dims = dims;
  return domain.newTensor(domain.madeTensor(c.name, c.expr, facts));
}

Value TorchDomain::optionsOf(SymbolId s) const {
  const auto known = moduleOptions.find(s.index());
  return known == moduleOptions.end() ? Value() : known->second;
}

Value TorchDomain::ModuleCalls::runSequential(Call &c, const Value &self, const NamedOptions &modules, Value input) {
  const Value made(std::make_shared<const NamedOptions>(modules));
  const ContainedModules held(*domain.machine, self, made,
                              [this](SymbolId s, const Value &o) { domain.moduleOptions[s.index()] = o; });
  const std::optional<Value> result = held.run(std::move(input), c);
  return result ? *result : domain.opaqueTensors(c, c.name);
}

/// The options of the module \p element in a list of modules that is a member; absent for others.
static Value optionsInList(const Machine &m, ModuleMembers &members, const SymbolInfo &element) {
  const bool isElement = element.origin == SymbolInfo::Origin::Element && element.parent && !element.step.key;
  const SymbolInfo *list = isElement ? &m.symbol(element.parent) : nullptr;
  const auto *field = list && list->origin == SymbolInfo::Origin::Member
                          ? llvm::dyn_cast_or_null<clang::FieldDecl>(list->decl)
                          : nullptr;
  const Value made = field ? members.optionsOf(*field) : Value();
  const auto *modules = made.as<NamedOptions>();
  const std::int64_t index = element.step.index;
  if (!modules || index < 0 || static_cast<std::size_t>(index) >= modules->values.size())
    return {};
  const auto *held = modules->values[static_cast<std::size_t>(index)].second.as<ModuleDatum>();
  return held ? held->options : Value();
}

Value TorchDomain::ModuleCalls::madeWith(SymbolId s) {
  const bool isContainer = s && isModuleContainer(*domain.machine, domain.machine->symbol(s).type);
  for (; s; s = domain.machine->symbol(s).parent) {
    if (!isContainer && isModuleContainer(*domain.machine, domain.machine->symbol(s).type))
      return {};
    if (Value known = domain.optionsOf(s); !known.isAbsent())
      return known;
    const SymbolInfo &info = domain.machine->symbol(s);
    if (Value known = domain.moduleMembers ? optionsInList(*domain.machine, *domain.moduleMembers, info) : Value();
        !known.isAbsent())
      return known;
    const auto *field = llvm::dyn_cast_or_null<clang::FieldDecl>(info.decl);
    if (field && info.origin == SymbolInfo::Origin::Member && domain.moduleMembers &&
        containedIn(*domain.machine, Machine::classOf(info.type)))
      return domain.moduleMembers->optionsOf(*field);
  }
  return {};
}

Type TorchDomain::ModuleCalls::parameterFacts(const SymbolInfo &info, std::vector<Dim> &dims) {
  Type facts;
  facts.kind = ValueKind::Tensor;
  const auto *field = llvm::dyn_cast_or_null<clang::FieldDecl>(info.decl);
  const auto *owner = field ? llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent()) : nullptr;
  std::string_view cls = owner ? domain.machine->qualifiedName(*owner) : std::string_view();
  if (!cls.starts_with("torch::nn::"))
    return facts;
  cls.remove_prefix(std::string_view("torch::nn::").size());
  const std::string name = field->getNameAsString();
  const Value made = madeWith(info.parent);
  const auto *known = made.as<NamedOptions>();
  const auto option = [&](std::string_view key) {
    const Value *v = known ? known->find(key) : nullptr;
    return v && v->number() ? domain.machine->dimOf(*v->number()) : Dim();
  };
  const bool isMatrix = name == "weight";
  if (name != "weight" && name != "bias" && !name.starts_with("running_"))
    return facts;
  if (cls == "LinearImpl") {
    dims = {option("#1")};
    if (isMatrix)
      dims.push_back(option("#0"));
  } else if (cls == "EmbeddingImpl" && isMatrix) {
    dims = {option("#0"), option("#1")};
  } else if (cls == "ConvNdImpl") {
    const auto axes = integerArgument(*owner, 0);
    if (!axes || *axes < 1 || *axes > 3)
      return facts;
    dims.resize(isMatrix ? static_cast<std::size_t>(*axes) + 2 : 1);
    const clang::CXXRecordDecl *module =
        info.parent ? Machine::classOf(domain.machine->symbol(info.parent).type) : nullptr;
    const bool isPlain = module && module->getName().starts_with("Conv") && !module->getName().contains("Transpose");
    if (known && isPlain) {
      dims[0] = option("#1");
      if (isMatrix && !known->find("groups"))
        dims[1] = option("#0");
      const Value *kernel = known->find("#2");
      for (std::size_t i = 2; kernel && i < dims.size(); ++i) {
        const List *each = kernel->list();
        const Value size = !each ? *kernel : each->sized && i - 2 < each->items.size() ? each->items[i - 2] : Value();
        dims[i] = size.number() ? domain.machine->dimOf(*size.number()) : Dim();
      }
    }
  } else if (cls == "NormImplBase" || cls == "PReLUImpl") { // the first is that of batch and of instance norm
    dims = {option("#0")};
  } else if (cls == "GroupNormImpl") {
    dims = {option("#1")};
  } else {
    return facts;
  }
  facts.hasRank = true;
  facts.dims = dims;
  facts.restrict(DTypeSet::floating() | DTypeSet::complex());
  return facts;
}

std::optional<Value> TorchDomain::ModuleCalls::anyParameter(Call &c, std::string_view what, clang::QualType tensor) {
  Machine &m = *domain.machine;
  const Place *self = c.self && c.self->place ? c.self->place->only() : nullptr;
  if (!self || !self->object || !m.isOuter(self->object))
    return std::nullopt;
  const Value module = m.peek(*self);
  const SymbolId source = module.symbol() ? module.symbol()->id : module.record() ? module.record()->rest : SymbolId();
  if (!source || m.className(tensor) != "at::Tensor")
    return std::nullopt;
  Value any = m.part(Value(Symbol{source}), Step::ofKey(std::string(what)), tensor);
  domain.onRead(m, *self, any, c.expr);
  return any;
}

std::optional<Value> TorchDomain::ModuleCalls::parametersOf(Call &c) {
  auto any = anyParameter(c, std::string(c.baseName()) + "()",
                          typeArgument(c.type, c.baseName().starts_with("named_") ? 1 : 0));
  if (!any)
    return std::nullopt;
  List l;
  l.sized = false;
  l.every = std::move(*any);
  return l;
}

/// A list of unknown length whose elements all look like \p every.
static List listOf(Value every) {
  List l;
  l.sized = false;
  l.every = std::move(every);
  return l;
}

std::optional<Value> TorchDomain::ModuleCalls::orderedDict(Call &c, std::string_view cls, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const auto key = [&] { return m.unknown("the name of a parameter"); };
  const auto entry = [&](const Value &tensor) { return Value(List{{key(), tensor}, true, {}, {}}); };
  if (cls == "torch::OrderedDict::Item") { // is its tensor
    if (!c.self->place || !domain.isTensor(self))
      return std::nullopt;
    if (name == "value" || name == "operator*" || name == "operator->")
      return *c.self->place;
    return name == "key" ? std::optional(key()) : name == "pair" ? std::optional(entry(self)) : std::nullopt;
  }
  if (!self.list() || self.list()->sized || !domain.isTensor(self.list()->every))
    return std::nullopt;
  const Value any = self.list()->every;
  if (name == "operator[]" || name == "front" || name == "back")
    return any;
  if (name == "values" || name == "items")
    return listOf(any);
  if (name == "pairs")
    return listOf(entry(any));
  if (name == "keys")
    return listOf(key());
  if (name == "find") {
    Pointer at = Pointer::to(m.newObject(any, typeArgument(c.self->type, 1), Storage::Heap));
    at.mayBeNull = true;
    return at;
  }
  if (name == "size" || name == "is_empty" || name == "contains")
    return m.unknown(c.type, "how many parameters there are");
  return std::nullopt;
}

bool TorchDomain::ModuleCalls::changesParameters(Call &c, CxxOp access) {
  // What the class itself says is a tensor: what its parameters are, what a step of it returns.
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const clang::CXXRecordDecl *cls = method ? method->getParent() : nullptr;
  const clang::CXXMethodDecl *step = methodNamed(cls, "step", 0);
  const clang::CXXMethodDecl *parameters = methodNamed(cls, "parameters", 0);
  const clang::QualType tensor = step         ? step->getReturnType()
                                 : parameters ? typeArgument(parameters->getReturnType(), 0)
                                              : clang::QualType();
  const auto any = tensor.isNull() ? std::nullopt : anyParameter(c, "parameters()", tensor);
  if (!any)
    return false;
  NodeDraft d(domain.graphs, access);
  d.value("tensor", domain.valueOf(*any, c.expr));
  d.set(attr::name, c.name);
  inferNode(domain.graphs, domain.emit(d, 0, c.expr));
  return true;
}

std::optional<Value> TorchDomain::ModuleCalls::optimizerCall(Call &c, std::string_view name) {
  const bool hasClosure = !c.arguments.empty() && !c.arguments.front().isDefault;
  if (name == "zero_grad" && changesParameters(c, CxxOp::Gradient))
    return Void{};
  if (name == "step" && !hasClosure && changesParameters(c, CxxOp::Store))
    return domain.newTensor(domain.unknownValue("what a step of an optimiser returns", c.expr));
  return name == "zero_grad" || name == "step" ? std::optional(domain.opaqueTensors(c, c.name)) : std::nullopt;
}

} // namespace condlint::cxx
