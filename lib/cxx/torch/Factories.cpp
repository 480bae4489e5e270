//===- Factories.cpp - Small classes of libtorch, and new tensors ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "ModuleCalls.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <limits>

namespace condlint::cxx {

/// What factories and constructors make, and methods of the small classes.
class TorchDomain::Makers {
public:
  explicit Makers(TorchDomain &torch) : domain(torch) {}
  /// Of a factory: `x.options()` makes the new tensor like x, whatever x is. Nothing without.
  std::optional<Value> madeLike(Call &c, std::string_view name);
  /// A function of libtorch that is none of ours; nothing where bodies of the user's own are to be looked into, or
  /// where what it is given is changed.
  std::optional<Value> opaqueFunction(Call &c);
  Value makeTensor(Call &c, const std::vector<Value> &given);
  Value makeScalar(Call &c, const std::vector<Value> &given);
  Value makeComplex(Call &c, const std::vector<Value> &given);
  Value makeOptions(Call &c, const std::vector<Value> &given);
  Value makeDevice(Call &c, const std::vector<Value> &given);
  Value makeSlice(Call &c, const std::vector<Value> &given);
  Value makeIndex(Call &c, const std::vector<Value> &given);
  Value makeExpanding(Call &c, const std::vector<Value> &given);
  Value makeFirst(Call &c, const std::vector<Value> &given);
  Value makeIValue(Call &c, const std::vector<Value> &given);
  Value makeLogger(Call &c, const std::vector<Value> &given);
  Value makeModule(Call &c, const std::vector<Value> &given);
  Value optionsMethod(Call &c, std::string_view name);
  Value scalarMethod(Call &c, std::string_view name);
  Value deviceMethod(Call &c, std::string_view name);
  Value typeMetaMethod(Call &c, std::string_view name);
  Value accessorMethod(Call &c, std::string_view name);
  /// A method of any other object of libtorch's: what it does with tensors is not known.
  Value opaqueMethod(Call &c);
  Value scalarAs(const Value &scalar, clang::QualType type);
  Value ivalue(Call &c, std::string_view name);
  std::optional<Value> factory(Call &c, std::string_view name);

private:
  TorchDomain &domain;
};

namespace {

using Kind = IndexDatum::Kind;

bool isOptionName(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{"dtype",         "device",        "layout",       "requires_grad",
                                                  "memory_format", "pinned_memory", "device_index", "merge_in"};
  return std::ranges::find(names, name) != names.end();
}

void setOption(OptionsDatum &o, std::string_view name, const Value &v) {
  if (name == "dtype")
    o.dtype = v;
  else if (name == "device" || name == "device_index")
    o.device = v;
  else if (name == "layout")
    o.layout = v;
  else if (name == "requires_grad")
    o.requiresGrad = v;
  else if (name == "memory_format")
    o.memoryFormat = v;
}

constexpr double unknownReal = std::numeric_limits<double>::quiet_NaN();

bool isComplexClass(std::string_view cls) { return cls == "c10::complex" || cls == "std::complex"; }

std::shared_ptr<const OptionsDatum> shared(OptionsDatum o) {
  return std::make_shared<const OptionsDatum>(std::move(o));
}

} // namespace

//===----------------------------------------------------------------------===//
// What constructors of libtorch's classes make, of what they are given
//===----------------------------------------------------------------------===//

Value TorchDomain::Makers::makeTensor(Call &c, const std::vector<Value> &given) {
  if (given.empty())
    return Handle{domain.machine->newObject(Token{0, UndefinedTag}, {}, Storage::Heap), TensorTag};
  return domain.isTensor(given.front()) ? given.front()
                                        : domain.machine->unknown(c.type, "a tensor made of something else");
}

Value TorchDomain::Makers::makeScalar(Call &c, const std::vector<Value> &given) {
  if (given.empty())
    return Number::ofInteger(0);
  if (given.front().number() || given.front().as<ComplexDatum>())
    return given.front();
  if (!c.arguments.empty() && isComplexClass(domain.machine->className(c.arguments[0].type)))
    return Value(std::make_shared<const ComplexDatum>(unknownReal, unknownReal));
  return domain.machine->unknown(c.type, "a number that is not known");
}

Value TorchDomain::Makers::makeComplex(Call &, const std::vector<Value> &given) {
  if (!given.empty() && given.front().as<ComplexDatum>())
    return given.front();
  const auto part = [&](std::size_t i) {
    const Number *n = i < given.size() ? given[i].number() : nullptr;
    return i >= given.size() ? 0.0 : n && n->known ? n->asReal() : unknownReal;
  };
  return Value(std::make_shared<const ComplexDatum>(part(0), part(1)));
}

Value TorchDomain::Makers::makeOptions(Call &c, const std::vector<Value> &given) {
  OptionsDatum o;
  if (given.empty() || c.arguments.empty())
    return Value(shared(std::move(o)));
  const Value &first = given.front();
  if (first.as<OptionsDatum>())
    return first;
  switch (const AtenType type = atenTypeOf(*domain.machine, c.arguments[0].type)) {
  case AtenType::ScalarType:
  case AtenType::OptionalScalarType:
    o.dtype = first;
    break;
  case AtenType::Layout:
    o.layout = first;
    break;
  case AtenType::MemoryFormat:
    o.memoryFormat = first;
    break;
  default:
    if (type == AtenType::Device || first.as<DeviceDatum>() || first.text())
      o.device = std::make_shared<const DeviceDatum>(domain.deviceOf(first));
    else
      o.dtype = o.device = domain.machine->unknown("options that are not known");
  }
  return Value(shared(std::move(o)));
}

Value TorchDomain::Makers::makeDevice(Call &, const std::vector<Value> &given) {
  DeviceDatum d = domain.deviceOf(given.empty() ? Value() : given.front());
  if (given.size() > 1)
    if (const Number *n = given[1].number(); n && n->known)
      d.index = static_cast<int>(n->integer);
  return Value(std::make_shared<const DeviceDatum>(std::move(d)));
}

Value TorchDomain::Makers::makeSlice(Call &c, const std::vector<Value> &) {
  const auto at = [&](std::size_t i) -> Value {
    if (i >= c.arguments.size() || c.arguments[i].isDefault)
      return {};
    Value v = domain.machine->load(c.arguments[i]);
    if (const Optional *o = v.optional())
      v = o->has && *o->has ? o->value : Value();
    return v.number() ? v : Value();
  };
  return Value(std::make_shared<const IndexDatum>(Kind::Slice, at(0), at(1), at(2)));
}

Value TorchDomain::Makers::makeIndex(Call &c, const std::vector<Value> &given) {
  const Value v = given.empty() ? Value() : given.front();
  if (v.as<IndexDatum>())
    return v;
  const clang::QualType from =
      c.arguments.empty() || !c.arguments[0].expr ? clang::QualType() : c.arguments[0].expr->getType();
  const std::string_view name = domain.machine->className(from);
  if (name == "std::nullopt_t" || name == "c10::nullopt_t" || v.isNull())
    return Value(std::make_shared<const IndexDatum>(Kind::None));
  if (v.text() || name.find("Ellipsis") != std::string_view::npos)
    return Value(std::make_shared<const IndexDatum>(Kind::Ellipsis));
  if (const Number *n = v.number())
    return Value(std::make_shared<const IndexDatum>(n->kind == Number::Kind::Bool ? Kind::Boolean : Kind::Integer, v));
  return Value(std::make_shared<const IndexDatum>(Kind::Tensor, v));
}

Value TorchDomain::Makers::makeExpanding(Call &c, const std::vector<Value> &given) {
  // One number is that for each dimension; no number is any.
  const auto numberIn = [](const Value &v) -> Value {
    const Optional *o = v.optional();
    return !o ? v : o->has && *o->has ? o->value : Value(Number::unknown(Number::Kind::Integer));
  };
  const Value first = given.empty() ? Value() : given.front();
  List l;
  if (const auto items = domain.machine->elements(first))
    for (const Value &item : *items)
      l.items.push_back(numberIn(item));
  else if (const auto count = integerArgument(*Machine::classOf(c.type), 0);
           count && *count > 0 && *count < 8 && numberIn(first).number())
    l.items.assign(static_cast<std::size_t>(*count), numberIn(first));
  else
    return domain.machine->unknown("a value of libtorch's");
  return l;
}

Value TorchDomain::Makers::makeFirst(Call &, const std::vector<Value> &given) {
  return given.empty() ? Value() : given.front();
}

Value TorchDomain::Makers::makeIValue(Call &, const std::vector<Value> &given) {
  return given.empty() ? Value(Null{}) : given.front();
}

Value TorchDomain::Makers::makeLogger(Call &c, const std::vector<Value> &given) {
  // GLOG_FATAL, which TORCH_CHECK_EQ and its kin end with; what is less is only told.
  constexpr std::int64_t fatal = 3;
  if (std::ranges::any_of(
          given, [](const Value &v) { return v.number() && v.number()->known && v.number()->integer == fatal; }) &&
      c.expr && c.expr->getBeginLoc().isMacroID())
    domain.machine->fail();
  else
    domain.onEffect(*domain.machine, Effect::Output, "a log message", c.expr);
  return domain.machine->unknown("a log message");
}

Value TorchDomain::Makers::makeModule(Call &c, const std::vector<Value> &given) {
  if (given.size() == 1 && given.front().isNull())
    return Null{};
  if (given.size() == 1 && (given.front().pointer() || given.front().symbol())) {
    // Of a pointer to a module, as register_module gives it.
    const std::string_view from = domain.machine->className(c.arguments.front().type);
    if (domain.machine->className(c.type) == "torch::nn::ModuleHolder" || given.front().pointer() ||
        from == "torch::nn::ModuleHolder" || from == "std::shared_ptr")
      return given.front();
  }
  // A module with parameters of its own; with what it was made is remembered.
  Value module = domain.Domain::opaqueCall(*domain.machine, c);
  if (const Symbol *s = module.symbol()) {
    domain.moduleOptions[s->id.index()] =
        given.size() == 1 && given.front().as<NamedOptions>() ? given.front() : NamedOptions::make(given);
    domain.modulePaths[s->id.index()] = {domain.machine->path(), domain.machine->region()};
  }
  return module;
}

std::optional<Value> TorchDomain::construct(Machine &m, Call &c) {
  struct Row {
    std::string_view cls;
    Value (Makers::*make)(Call &, const std::vector<Value> &);
  };
  constexpr std::array rows{Row{"at::Tensor", &Makers::makeTensor},
                            Row{"at::TensorBase", &Makers::makeTensor},
                            Row{"c10::Scalar", &Makers::makeScalar},
                            Row{"c10::SymInt", &Makers::makeScalar},
                            Row{"c10::SymFloat", &Makers::makeScalar},
                            Row{"c10::SymBool", &Makers::makeScalar},
                            Row{"c10::complex", &Makers::makeComplex},
                            Row{"std::complex", &Makers::makeComplex},
                            Row{"c10::TensorOptions", &Makers::makeOptions},
                            Row{"c10::Device", &Makers::makeDevice},
                            Row{"at::indexing::Slice", &Makers::makeSlice},
                            Row{"at::indexing::TensorIndex", &Makers::makeIndex},
                            Row{"torch::ExpandingArray", &Makers::makeExpanding},
                            Row{"torch::ExpandingArrayWithOptionalElem", &Makers::makeExpanding},
                            Row{"torch::detail::TensorDataContainer", &Makers::makeFirst},
                            Row{"condlint::DimSpec", &Makers::makeFirst},
                            Row{"c10::IValue", &Makers::makeIValue},
                            Row{"c10::MessageLogger", &Makers::makeLogger}};
  const std::string_view cls = m.className(c.type);
  const bool ours = cls.starts_with("at::") || cls.starts_with("c10::") || cls.starts_with("torch::") ||
                    cls.starts_with("caffe2::") || cls.starts_with("condlint::") || isComplexClass(cls);
  if (!ours || (!standardClass(cls).empty() && cls != "torch::nn::ModuleHolder"))
    return std::nullopt;
  std::vector<Value> given;
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      given.push_back(m.load(a));
  if (const auto *row = std::ranges::find(rows, cls, &Row::cls); row != rows.end())
    return (Makers(*this).*row->make)(c, given);
  if (cls.starts_with("torch::nn::"))
    return cls.ends_with("Options") ? NamedOptions::make(given) : Makers(*this).makeModule(c, given);
  if (cls.starts_with("torch::optim::") && !cls.ends_with("Options"))
    return Domain::opaqueCall(m, c); // something with an identity
  if (c.callee && c.callee->isImplicit() && given.empty())
    return std::nullopt;
  return m.unknown(cls.starts_with("condlint::") ? "a contract" : "a value of libtorch's");
}

Value TorchDomain::Makers::optionsMethod(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const auto *known = self.as<OptionsDatum>();
  if (!isOptionName(name))
    return m.unknown(c.type, "options that are not known");
  const std::size_t given =
      static_cast<std::size_t>(std::ranges::count_if(c.arguments, [](const Argument &a) { return !a.isDefault; }));
  if (given == 0) { // asks
    if (!known)
      return m.unknown(c.type, "options that are not known");
    if (name == "requires_grad")
      return known->requiresGrad.isAbsent() ? Value(Number::boolean(false)) : known->requiresGrad;
    const Value v = name == "dtype"    ? known->dtype
                    : name == "device" ? known->device
                    : name == "layout" ? known->layout
                                       : Value();
    if (!v.isAbsent())
      return v;
    if (known->like) {
      Call query = c;
      query.self = Argument{c.expr, domain.ast.VoidTy, Handle{known->like, TensorTag}, std::nullopt, false};
      query.arguments.clear();
      if (auto answer = domain.tensorQuery(query, name == "dtype" ? "scalar_type" : name))
        return *answer;
    }
    return m.unknown(c.type, "a default");
  }
  if (!known)
    return self;
  OptionsDatum o = *known;
  Value v = m.load(c.arguments[0]);
  if (const Optional *opt = v.optional()) {
    if (opt->has && !*opt->has)
      return self;
    v = opt->value;
  }
  if (name == "device" || name == "device_index") {
    DeviceDatum d = domain.deviceOf(v);
    if (given > 1)
      if (const Value i = m.load(c.arguments[1]); i.number() && i.number()->known)
        d.index = static_cast<int>(i.number()->integer);
    v = std::make_shared<const DeviceDatum>(std::move(d));
  }
  setOption(o, name, v);
  return Value(shared(std::move(o)));
}

Value TorchDomain::Makers::ivalue(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value v = m.load(*c.self);
  if (name == "toTensor")
    return domain.isTensor(v) ? v : m.unknown(c.type.getNonReferenceType(), "what an IValue holds");
  if (name.starts_with("is")) {
    if (name == "isTensor" && domain.isTensor(v)) {
      const Type &t = domain.typeOf(v);
      if (t.isTensor())
        return Number::boolean(true, Provenance::Fixed);
    }
    return Number::unknown(Number::Kind::Bool);
  }
  if (name == "toDouble" || name == "toInt" || name == "toBool" || name == "toScalar" || name == "toSymInt")
    return v.number() ? v : m.unknown(c.type, "what an IValue holds");
  if (name == "toTuple" || name == "toTupleRef" || name == "toList" || name == "toListRef" ||
      name == "toTensorVector" || name == "toTensorList" || name == "toIntVector" || name == "elements")
    return v.list() ? v : m.unknown(c.type, "what an IValue holds");
  if (name == "toStringRef" || name == "toStringView")
    return v.text() ? v : m.unknown(c.type, "what an IValue holds");
  return m.unknown(c.type, "what an IValue holds");
}

Value TorchDomain::Makers::scalarAs(const Value &scalar, clang::QualType type) {
  Value out = domain.machine->convertNumber(scalar, type);
  const auto *source = dynamic_cast<const SourceDatum *>(scalar.number()->source.get());
  const Number *n = out.number();
  if (!n || n->kind != Number::Kind::Floating || n->known || !source || !source->value)
    return out;
  // What a tensor's element became where it is floating.
  const NodeId def =
      domain.graphs[source->value].origin == ValueOrigin::Result ? domain.graphs[source->value].def : NodeId();
  if (!def || domain.graphs.text(domain.graphs[domain.graphs[def].op].name) != "item")
    return out;
  Number floating = *n;
  floating.provenance = Provenance::TensorFloat;
  return floating;
}

Value TorchDomain::Makers::scalarMethod(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const Number *n = self.number();
  const bool isOperator = name.starts_with("operator");
  if (n && name == "operator-" && c.arguments.empty())
    return m.arithmetic(clang::BO_Sub, Number::ofInteger(0), self,
                        n->kind == Number::Kind::Floating ? domain.ast.DoubleTy : domain.ast.LongTy, c.expr);
  const bool converts = isOperator ? c.arguments.empty()
                                   : c.arguments.size() < 2 && (name.starts_with("to") || name.starts_with("guard") ||
                                                                name.starts_with("expect"));
  return n && converts && numberKind(c.type) ? scalarAs(self, c.type) : m.unknown(c.type, "not followed");
}

Value TorchDomain::Makers::deviceMethod(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const DeviceDatum known = domain.deviceOf(self);
  if (name == "is_cuda" || name == "is_cpu" || name == "is_mps" || name == "is_xpu" || name == "is_meta") {
    const std::string wanted(name.substr(3));
    const Value tensor = known.of ? Value(Handle{known.of, TensorTag}) : Value();
    return domain.truthOf(tensor, SourceDatum::Facet::IsDevice,
                          known.type.empty() ? std::nullopt : std::optional(known.type == wanted), wanted);
  }
  if ((name == "operator==" || name == "operator!=") && c.arguments.size() == 1)
    if (auto same = domain.builtinOperator(m, name == "operator==" ? clang::BO_EQ : clang::BO_NE, false, self,
                                           m.load(c.arguments[0]), c.expr))
      return *same;
  if (name == "set_index" && c.arguments.size() == 1) {
    const Value index = m.load(c.arguments[0]);
    const bool isKnown = index.number() && index.number()->known && !known.type.empty();
    DeviceDatum changed = known;
    changed.index = isKnown ? static_cast<int>(index.number()->integer) : -1;
    changed.of = ObjectId(); // no longer the device of a tensor
    m.store(m.placeOf(*c.self),
            isKnown ? Value(std::make_shared<const DeviceDatum>(changed))
                    : m.unknown("a device of which the index is not known"),
            c.expr);
    return Void{};
  }
  return name == "type" ? self : m.unknown(c.type, "a question about a device");
}

Value TorchDomain::Makers::typeMetaMethod(Call &c, std::string_view name) {
  const Value self = domain.machine->load(*c.self);
  return name == "toScalarType" ? self : domain.machine->unknown(c.type, "a question about a dtype");
}

Value TorchDomain::Makers::accessorMethod(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const auto *d = self.as<ElementsDatum>();
  if (!d)
    return m.unknown(c.type, "an accessor that is not known");
  // A reference to an element, or an accessor of one dimension less.
  if (name == "operator[]" && c.type->isReferenceType())
    return Pointer::to(m.newObject(self, c.type.getNonReferenceType(), Storage::External));
  if (name == "operator[]" || name == "data")
    return self;
  if (name == "size")
    return domain.sizeAt(d->tensor, c.arguments.empty() ? Value() : m.load(c.arguments[0]), c.expr);
  return m.unknown(c.type, "a question about an accessor");
}

Value TorchDomain::Makers::opaqueMethod(Call &c) {
  bool tensors = domain.holdsTensors(c.type);
  for (Argument &a : c.arguments)
    tensors = tensors || domain.holdsTensors(a.type);
  if (tensors)
    return domain.opaqueTensors(c, c.name);
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      domain.machine->load(a);
  return domain.Domain::opaqueCall(*domain.machine, c);
}

std::optional<Value> TorchDomain::smallClass(Call &c, std::string_view cls, std::string_view name) {
  struct Row {
    std::string_view cls;
    Value (Makers::*answer)(Call &, std::string_view);
  };
  constexpr std::array rows{
      Row{"c10::TensorOptions", &Makers::optionsMethod}, Row{"c10::IValue", &Makers::ivalue},
      Row{"c10::Scalar", &Makers::scalarMethod},         Row{"c10::SymInt", &Makers::scalarMethod},
      Row{"c10::SymFloat", &Makers::scalarMethod},       Row{"c10::SymBool", &Makers::scalarMethod},
      Row{"c10::Device", &Makers::deviceMethod},         Row{"caffe2::TypeMeta", &Makers::typeMetaMethod}};
  if (!standardClass(cls).empty())
    return std::nullopt;
  const auto *row = std::ranges::find(rows, cls, &Row::cls);
  // What is assigned to one is what it is from there on, whichever it was.
  if (name == "operator=" && c.arguments.size() == 1 && (row != rows.end() || c.self->place)) {
    const Pointer where = machine->placeOf(*c.self);
    machine->store(where, machine->load(c.arguments[0]), c.expr);
    return where;
  }
  if (row != rows.end())
    return (Makers(*this).*row->answer)(c, name);
  if (cls.starts_with("torch::OrderedDict") && c.self)
    if (auto part = ModuleCalls(*this).orderedDict(c, cls, name))
      return part;
  if (cls.find("Accessor") != std::string_view::npos)
    return Makers(*this).accessorMethod(c, name);
  if (name == "data_ptr" || name == "data" || name == "mutable_data" || name == "unsafe_data")
    if (const Value self = machine->load(*c.self); self.as<ElementsDatum>())
      return self;
  return cls == "c10::MessageLogger" ? machine->unknown(c.type, "a log message") : Makers(*this).opaqueMethod(c);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// What `torch::tensor` is given.
struct WrittenNumbers {
  std::vector<Dim> shape;
  bool hasShape = true;
  Value innermost;
  DType element = DType::Unknown; ///< of integers that stay as small as they are written
};

/// What stands innermost in nested braces around the numbers \p e; null for empty ones.
const clang::Expr *innermostOf(const clang::Expr *e) {
  constexpr int most = 32;
  for (int i = 0; e && i < most; ++i) {
    e = e->IgnoreImplicit();
    if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(e))
      e = list->getSubExpr();
    else if (const auto *init = llvm::dyn_cast<clang::InitListExpr>(e))
      e = init->getNumInits() != 0 ? init->getInit(0) : nullptr;
    else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
             made && made->getConstructor()->getParent()->getName() == "TensorDataContainer")
      e = made->getNumArgs() != 0 ? made->getArg(0) : nullptr;
    else
      return e;
  }
  return e;
}

/// The element type that numbers of the type \p type keep; unknown for those that become int64 or the default.
DType smallIntegers(const clang::ASTContext &ast, clang::QualType type) {
  constexpr int most = 4;
  for (int i = 0; i < most && !type.isNull() && !numberKind(type); ++i)
    type = typeArgument(type, 0);
  if (type.isNull() || numberKind(type) != Number::Kind::Integer)
    return DType::Unknown;
  const bool isSigned = type.getNonReferenceType()->isSignedIntegerType();
  const std::uint64_t bits = ast.getTypeSize(type.getNonReferenceType());
  return bits == 8 ? (isSigned ? DType::Int8 : DType::UInt8) : bits == 16 && isSigned ? DType::Int16 : DType::Unknown;
}

WrittenNumbers writtenNumbers(Machine &m, Argument &given) {
  WrittenNumbers out;
  const clang::Expr *inner = innermostOf(given.expr);
  out.innermost = given.expr && !inner ? Value(List{}) : m.load(given);
  constexpr std::size_t most = 16;
  while (const List *l = out.innermost.list()) {
    out.shape.push_back(l->sized ? m.dims().constant(static_cast<std::int64_t>(l->items.size())) : Dim{});
    if ((l->sized && l->items.empty()) || out.shape.size() > most)
      break;
    const Value next = l->sized ? l->items.front() : l->every;
    out.innermost = next;
  }
  const bool isScalar = inner && (numberKind(inner->getType()) || m.className(inner->getType()) == "c10::complex");
  out.hasShape = out.innermost.number() || out.innermost.list() || isScalar || !out.shape.empty();
  if (inner)
    out.element = smallIntegers(m.ast(), inner->getType());
  return out;
}

} // namespace

std::optional<Value> TorchDomain::Makers::factory(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  if (name == "from_blob") {
    NodeDraft d(domain.graphs, "aten", "empty", "memory_format");
    const Value shape = c.arguments.size() > 1 ? m.load(c.arguments[1]) : Value();
    domain.addArgument(d, {"size", AtenType::Ints}, shape, c, false);
    Value with = std::make_shared<const OptionsDatum>();
    for (Argument &a : c.arguments)
      if (!a.isDefault && atenTypeOf(m, a.type) == AtenType::Options)
        with = m.load(a);
    domain.addOptions(d, with);
    const ValueId made = domain.emitOne(std::move(d), c.expr);
    const Value from = m.load(c.arguments[0]);
    if (const auto *elements = from.as<ElementsDatum>()) {
      // Another tensor over the elements of one: a view, of sizes and a type of its own.
      NodeDraft view(domain.graphs, "aten", "as_strided");
      view.value("self", domain.valueOf(elements->tensor, c.expr));
      view.opaque("size", "the sizes of memory that is taken for a tensor");
      view.opaque("stride", "the strides of memory that is taken for a tensor");
      NodeDraft as(domain.graphs, "aten", "view", "dtype");
      as.value("self", domain.emitOne(std::move(view), c.expr));
      if (const Type &t = domain.graphs.type(made); t.element != DType::Unknown)
        as.dtype("dtype", t.element);
      else
        as.opaque("dtype", "a dtype that is not known");
      return domain.newTensor(domain.emitOne(std::move(as), c.expr));
    }
    return domain.newTensor(made);
  }
  // torch::tensor: the numbers say the type, their nesting the sizes.
  if (c.arguments.empty())
    return std::nullopt;
  const WrittenNumbers written = writtenNumbers(m, c.arguments[0]);
  const Value &at = written.innermost;
  OptionsDatum with;
  if (c.arguments.size() > 1 && !c.arguments[1].isDefault)
    if (const Value o = m.load(c.arguments[1]); o.as<OptionsDatum>())
      with = *o.as<OptionsDatum>();
  NodeDraft d(domain.graphs, "aten", "full");
  if (written.hasShape)
    d.dims("size", written.shape);
  else
    d.opaque("size", "a list whose length is not known");
  if (with.dtype.isAbsent() && written.element != DType::Unknown)
    d.dtype("dtype", written.element);
  const Number *n = at.number();
  if (n && n->kind == Number::Kind::Bool)
    d.boolean("fill_value", n->known && n->integer != 0);
  else if (n && n->kind == Number::Kind::Integer)
    d.integer("fill_value", n->known ? n->integer : 0);
  else if (n || at.list())
    d.real("fill_value", n && n->known ? n->real : 0);
  else
    d.opaque("fill_value", "numbers that are not known");
  if (!n && !at.list() && with.dtype.isAbsent())
    with.dtype = m.unknown("a dtype that is not known");
  domain.addOptions(d, Value(shared(with)));
  return domain.newTensor(domain.emitOne(std::move(d), c.expr));
}

std::optional<Value> TorchDomain::Makers::madeLike(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  for (Argument &a : c.arguments) {
    if (a.isDefault || atenTypeOf(m, a.type) != AtenType::Options)
      continue;
    const Value v = m.load(a);
    const auto *o = v.as<OptionsDatum>();
    if (!o || !o->like)
      return std::nullopt;
    NodeDraft d(domain.graphs, "aten", "new_" + std::string(name));
    d.value("self", domain.valueOf(Handle{o->like, TensorTag}, c.expr));
    domain.addArgument(d, {"size", AtenType::Ints}, m.load(c.arguments[0]), c, false);
    if (name == "full" && c.arguments.size() > 2)
      domain.addArgument(d, {"fill_value", AtenType::Number}, m.load(c.arguments[1]), c, false);
    OptionsDatum rest = *o;
    rest.like = ObjectId();
    domain.addOptions(d, Value(shared(std::move(rest))));
    return domain.newTensor(domain.emitOne(std::move(d), c.expr));
  }
  return std::nullopt;
}

/// The function is given something that it may change besides tensors, whose handles are constant: a container.
static bool changesArguments(Machine &m, const Call &c) {
  return std::ranges::any_of(c.arguments, [&](const Argument &a) {
    const std::string_view cls = m.className(a.type);
    return a.place && a.type->isLValueReferenceType() && !a.type.getNonReferenceType().isConstQualified() &&
           cls != "at::Tensor" && cls != "at::TensorBase";
  });
}

std::optional<Value> TorchDomain::Makers::opaqueFunction(Call &c) {
  if (changesArguments(*domain.machine, c))
    return std::nullopt;
  bool tensors = domain.holdsTensors(c.type);
  for (Argument &a : c.arguments)
    tensors = tensors || (!a.isDefault && domain.holdsTensors(a.type));
  if (tensors)
    return domain.opaqueTensors(c, c.name);
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      domain.machine->load(a);
  // What is given code to call is looked into where that is of the user's own.
  const bool calls = std::ranges::any_of(c.arguments, [&](const Argument &a) {
    const Value v = domain.machine->peek(a);
    return v.callable() || v.record();
  });
  return calls || c.callee->isNoReturn() ? std::nullopt : std::optional(domain.Domain::opaqueCall(*domain.machine, c));
}

std::optional<Value> TorchDomain::libraryFunction(Call &c, std::string_view scope, std::string_view name) {
  Machine &m = *machine;
  if ((scope == "c10::" || scope == "torch::" || scope == "at::") && isOptionName(name) && c.arguments.size() == 1) {
    OptionsDatum o;
    Value v = m.load(c.arguments[0]);
    if (name == "device")
      v = std::make_shared<const DeviceDatum>(deviceOf(v));
    setOption(o, name, v);
    return Value(shared(std::move(o)));
  }
  if (name == "tensor" || name == "from_blob")
    if (auto v = Makers(*this).factory(c, name))
      return v;
  if (name == "parallel_for" && c.arguments.size() >= 4) {
    std::vector<Argument> range;
    for (int i = 0; i < 2; ++i)
      range.push_back({nullptr, ast.LongTy, Number::unknown(Number::Kind::Integer), std::nullopt, false});
    m.invoke(m.placeOf(c.arguments[3]), std::move(range), c.expr);
    return Void{};
  }
  if (auto answer = hostFunction(c, name))
    return answer;
  if ((name == "is_floating_point" || name == "is_complex") && c.arguments.size() == 1) {
    Call query = c;
    query.self = c.arguments[0];
    query.arguments.clear();
    return tensorQuery(query, name);
  }
  if (scope == "at::" || scope == "torch::") {
    std::string_view base = name;
    for (const std::string_view suffix : {"_symint", "_outf", "_out"})
      if (!isAtenName(base) && base.ends_with(suffix))
        base.remove_suffix(suffix.size());
    if (base == "zeros" || base == "ones" || base == "empty" || base == "full")
      if (auto made = Makers(*this).madeLike(c, base))
        return made;
    if (isAtenName(base))
      return atenNamed(c, name, nullptr);
  }
  return Makers(*this).opaqueFunction(c);
}

} // namespace condlint::cxx
