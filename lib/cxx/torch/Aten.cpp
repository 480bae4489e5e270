//===- Aten.cpp - Calls of ATen as nodes ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../ops/AtenEffects.h"
#include "../interp/machine/Types.h"
#include "Gradients.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

/// Calls of ATen as nodes: operands by the schema.
class TorchDomain::AtenCalls {
public:
  explicit AtenCalls(TorchDomain &torch) : domain(torch) {}
  Value results(Call &c, NodeDraft &draft, const AtenOverload &overload, const std::vector<Value> &written);
  /// What the call gives, by the positions of the schema; its TensorOptions go to \p with.
  std::vector<std::pair<std::size_t, Value>> inSchemaOrder(Call &c, const Value *self,
                                                           const std::vector<AtenParameter> &given,
                                                           const AtenOverload &overload, Value &with);
  /// A tensor that a factory made asks for no gradient unless the options \p with say so.
  void recordGradient(const Value &made, const Value &with, const clang::Expr *at);
  void addTensors(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c, bool needsAll);
  void addNumber(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c);
  /// The tensor whose sizes the list \p v is, where it is not known how many they are; else none.
  ValueId tensorOfSizes(const Value &v);
  void addIntegers(NodeDraft &d, std::string_view name, const Value &v);
  void addBools(NodeDraft &d, std::string_view name, const Value &v);
  void addDevice(NodeDraft &d, std::string_view name, const Value &v);
  Value anyElement(const Value &v);
  std::optional<std::size_t> listLength(const NodeDraft &d);

private:
  TorchDomain &domain;
};

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The number of c10::MemoryFormat as the model has it.
static std::optional<std::int64_t> memoryFormatOf(std::int64_t number) {
  constexpr std::array<std::int64_t, 4> formats{1, 4, 2, 3}; // Contiguous, Preserve, ChannelsLast, ChannelsLast3d
  if (number < 0 || number >= static_cast<std::int64_t>(formats.size()))
    return std::nullopt;
  return formats[static_cast<std::size_t>(number)];
}

void TorchDomain::addOptions(NodeDraft &d, const Value &value) {
  const auto *o = value.as<OptionsDatum>();
  const auto addDtype = [&](const Value &v) {
    if (const Number *n = v.number(); n && n->known) {
      auto known = scalarTypes.find(n->integer);
      const DType t = known != scalarTypes.end() ? known->second
                      : scalarTypes.empty()      ? dtypeOfScalarType(n->integer)
                                                 : DType::Unknown;
      if (t != DType::Unknown) {
        d.dtype("dtype", t);
        return;
      }
    }
    d.opaque("dtype", "a dtype that is not known");
  };
  if (!o) {
    d.opaque("dtype", "options that are not known");
    d.opaque("device", "options that are not known");
    d.opaque("layout", "options that are not known");
    return;
  }
  const Type *like = nullptr;
  if (o->like)
    if (const Token *t = machine->objectValue(o->like).token(); t && t->tag == ValueTag)
      like = &graphs.type(ValueId(t->id));
  if (!o->dtype.isAbsent())
    addDtype(o->dtype);
  else if (o->like && like && like->element != DType::Unknown)
    d.dtype("dtype", like->element);
  else if (o->like)
    d.opaque("dtype", "a dtype that is not known");
  if (const auto *device = o->device.as<DeviceDatum>(); device && !device->type.empty()) {
    d.text("device", device->type, AttributeKind::Device);
    d.attributes.back().number = device->index;
  } else if (o->device.isAbsent() && o->like && like && like->device) {
    d.text("device", graphs.text(like->device), AttributeKind::Device);
    d.attributes.back().number = like->deviceIndex;
  } else if (!o->device.isAbsent() || o->like) {
    d.opaque("device", "a device that is not known");
  }
  if (const Number *n = o->layout.number(); n && n->known)
    d.number("layout", AttributeKind::Layout, static_cast<std::int64_t>(layoutOfNumber(n->integer)));
  else if (!o->layout.isAbsent())
    d.opaque("layout", "a layout that is not known");
  if (const Number *n = o->memoryFormat.number(); n && n->known && !d.has("memory_format"))
    if (const auto format = memoryFormatOf(n->integer))
      d.number("memory_format", AttributeKind::MemoryFormat, *format);
}

/// The operator called \p name says what it makes of a list by any of its elements, but for how many they are.
static bool joinsAll(std::string_view name) {
  return name == "cat" || name == "concat" || name == "concatenate" || name == "stack";
}

/// What is known of any element of \p v, of which it is not known how many it has.
Value TorchDomain::AtenCalls::anyElement(const Value &v) {
  if (const List *l = v.list())
    return l->every;
  const Symbol *given = v.symbol();
  const auto *list = given ? llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
                                 Machine::classOf(domain.machine->symbol(given->id).type))
                           : nullptr;
  if (!list || list->getTemplateArgs().size() == 0 ||
      list->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  return domain.machine->part(v, Step::ofIndex(-1), list->getTemplateArgs()[0].getAsType());
}

void TorchDomain::AtenCalls::addTensors(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c,
                                        bool needsAll) {
  if (domain.isTensor(v)) {
    const ValueId one[] = {domain.valueOf(v, c.expr)};
    d.values(p.name, one);
    return;
  }
  const auto items = domain.machine->elements(v);
  const List *open = items ? nullptr : v.list();
  if (open && !open->sized && domain.isTensor(open->every) && joinsAll(d.name)) {
    const ValueId any[] = {domain.valueOf(open->every, c.expr)};
    d.values(p.name, any);
    d.set(attr::open);
    return;
  }
  if (!items && !needsAll) {
    d.opaque(p.name, "a list of unknown length");
    return;
  }
  if (!items) {
    const ValueId any[] = {domain.valueOf(anyElement(v), c.expr, "an element of a list that is not known")};
    d.values(p.name, any);
    return;
  }
  std::vector<ValueId> list;
  for (const Value &item : *items) {
    const Optional *o = item.optional();
    if (p.type == AtenType::OptionalTensors && (domain.isUndefined(item) || item.isNull() || (o && o->has && !*o->has)))
      list.emplace_back();
    else
      list.push_back(domain.valueOf(item, c.expr, "an element of a list"));
  }
  d.values(p.name, list);
}

void TorchDomain::AtenCalls::addNumber(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c) {
  const Number *n = v.number();
  if (const auto *z = n ? nullptr : v.as<ComplexDatum>()) {
    Attribute a;
    a.name = domain.graphs.strings.intern(p.name);
    a.kind = AttributeKind::Complex;
    const double parts[] = {z->real, z->imaginary};
    a.list = domain.graphs.poolReals(parts);
    d.attribute(a);
  } else if (!n && domain.isTensor(v)) {
    d.value(p.name, domain.valueOf(v, c.expr));
  } else if (!n) {
    d.opaque(p.name, "a number that is not known");
  } else if (!n->known) {
    d.value(p.name, domain.scalarValue(*n));
  } else if (p.type == AtenType::Float || p.type == AtenType::OptionalFloat || n->kind == Number::Kind::Floating) {
    d.real(p.name, n->asReal());
  } else if (n->kind == Number::Kind::Bool || p.type == AtenType::Bool || p.type == AtenType::OptionalBool) {
    d.boolean(p.name, n->integer != 0);
  } else {
    d.integer(p.name, n->integer);
  }
}

ValueId TorchDomain::AtenCalls::tensorOfSizes(const Value &v) {
  const List *l = v.list();
  const auto *source = l && !l->sized ? dynamic_cast<const SourceDatum *>(l->origin.get()) : nullptr;
  if (!source || source->facet != SourceDatum::Facet::Sizes || !source->tensor || !source->of)
    return {};
  // The tensor may be another one by now.
  const Value now = Handle{source->tensor, TensorTag};
  return domain.metadataOfTensor(now) == source->of ? domain.valueOf(now, nullptr) : ValueId();
}

void TorchDomain::AtenCalls::addIntegers(NodeDraft &d, std::string_view name, const Value &v) {
  std::vector<Dim> dims;
  if (const ValueId like = tensorOfSizes(v)) {
    d.value(name, like);
    return;
  }
  if (const Number *n = v.number()) {
    dims.push_back(domain.machine->dimOf(*n));
  } else if (const auto items = domain.machine->elements(v)) {
    for (const Value &item : *items)
      dims.push_back(item.number() ? domain.machine->dimOf(*item.number()) : Dim{});
  } else {
    d.opaque(name, "numbers that are not known");
    return;
  }
  d.dims(name, dims);
}

void TorchDomain::AtenCalls::addBools(NodeDraft &d, std::string_view name, const Value &v) {
  std::vector<std::int64_t> bits;
  for (const Value &item : domain.machine->elements(v).value_or(std::vector<Value>())) {
    const Number *n = item.number();
    if (!n || !n->known) {
      d.opaque(name, "bools that are not known");
      return;
    }
    bits.push_back(n->integer != 0);
  }
  d.integers(name, bits);
  d.attributes.back().kind = AttributeKind::Bools;
}

void TorchDomain::AtenCalls::addDevice(NodeDraft &d, std::string_view name, const Value &v) {
  const DeviceDatum device = domain.deviceOf(v);
  if (device.type.empty()) {
    d.opaque(name, "a device that is not known");
    return;
  }
  d.text(name, device.type, AttributeKind::Device);
  d.attributes.back().number = device.index;
}

void TorchDomain::addArgument(NodeDraft &d, const AtenParameter &p, const Value &given, const Call &c, bool needsAll) {
  Value v = given;
  if (const Optional *o = v.optional(); o && p.type != AtenType::Tensor) {
    if (o->has && !*o->has)
      return;
    if (o->has)
      v = o->value;
    else if (p.type != AtenType::OptionalTensor)
      v = machine->unknown("an optional argument");
  }
  if (v.isNull() && p.type != AtenType::Tensor)
    return;
  const std::string_view name = p.name;
  const Number *n = v.number();
  switch (p.type) {
  case AtenType::OptionalTensor:
    if (isUndefined(v))
      break;
    [[fallthrough]];
  case AtenType::Tensor:
    d.value(name, valueOf(v, c.expr, "an argument that is not followed"));
    break;
  case AtenType::Tensors:
  case AtenType::OptionalTensors:
    AtenCalls(*this).addTensors(d, p, v, c, needsAll);
    break;
  case AtenType::Number:
  case AtenType::OptionalNumber:
  case AtenType::Int:
  case AtenType::OptionalInt:
  case AtenType::Float:
  case AtenType::OptionalFloat:
  case AtenType::Bool:
  case AtenType::OptionalBool:
    AtenCalls(*this).addNumber(d, p, v, c);
    break;
  case AtenType::Ints:
  case AtenType::OptionalInts:
    AtenCalls(*this).addIntegers(d, name, v);
    break;
  case AtenType::Bools:
    AtenCalls(*this).addBools(d, name, v);
    break;
  case AtenType::ScalarType:
  case AtenType::OptionalScalarType:
    if (const DType t = dtypeOf(v); t != DType::Unknown)
      d.dtype(name, t);
    else
      d.opaque(name, "a dtype that is not known");
    break;
  case AtenType::Device:
    AtenCalls(*this).addDevice(d, name, v);
    break;
  case AtenType::Layout:
    if (n && n->known)
      d.number(name, AttributeKind::Layout, static_cast<std::int64_t>(layoutOfNumber(n->integer)));
    else
      d.opaque(name, "a layout that is not known");
    break;
  case AtenType::MemoryFormat:
  case AtenType::OptionalMemoryFormat:
    if (const auto format = n && n->known ? memoryFormatOf(n->integer) : std::nullopt)
      d.number(name, AttributeKind::MemoryFormat, *format);
    else
      d.opaque(name, "a memory format that is not known");
    break;
  case AtenType::String:
  case AtenType::OptionalString:
    if (v.text())
      d.text(name, *v.text());
    else
      d.opaque(name, "a string that is not known");
    break;
  case AtenType::Generator:
    break;
  default:
    if (const auto *memory = v.as<ElementsDatum>())
      d.value(name, valueOf(memory->tensor, c.expr)); // a storage: that of this tensor
    else
      d.opaque(name, "an argument that is not followed");
  }
}

DType TorchDomain::dtypeOf(const Value &v) {
  const Number *n = v.number();
  if (!n || !n->known)
    return DType::Unknown;
  if (auto known = scalarTypes.find(n->integer); known != scalarTypes.end())
    return known->second;
  return scalarTypes.empty() ? dtypeOfScalarType(n->integer) : DType::Unknown;
}

DeviceDatum TorchDomain::deviceOf(const Value &v) {
  if (const auto *d = v.as<DeviceDatum>())
    return *d;
  if (const Number *n = v.number(); n && n->known)
    return {deviceOfNumber(n->integer), -1};
  if (const std::string *s = v.text()) {
    const std::size_t colon = s->find(':');
    int index = -1;
    if (colon != std::string::npos && colon + 1 < s->size() && s->size() - colon < 5)
      for (index = 0; const char digit : s->substr(colon + 1))
        index = digit >= '0' && digit <= '9' ? index * 10 + (digit - '0') : index;
    return {s->substr(0, colon), index};
  }
  return {"", -1};
}

//===----------------------------------------------------------------------===//
// Operators of ATen
//===----------------------------------------------------------------------===//

Value TorchDomain::aten(Call &c, std::string_view name) {
  if (c.self) {
    const Value self = machine->load(*c.self);
    return atenNamed(c, name, &self);
  }
  return atenNamed(c, name, nullptr);
}

/// `add_out` and `add_outf` are `add.out`: takes what says so off \p name.
static bool takeOutSuffix(std::string_view &name) {
  const auto drop = [&](std::string_view suffix) {
    const bool there = !isAtenName(name) && name.ends_with(suffix);
    if (there)
      name.remove_suffix(suffix.size());
    return there;
  };
  drop("_symint");
  const bool out = drop("_out") || drop("_outf");
  drop("_symint");
  return out;
}

/// What a call gives, as the schemas know parameters: the callee's names and types.
static std::vector<AtenParameter> parametersGiven(Machine &m, const Call &c, bool self) {
  std::vector<AtenParameter> given;
  if (self)
    given.push_back({"self", AtenType::Tensor});
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    AtenParameter p;
    if (c.callee && i < c.callee->getNumParams()) {
      const clang::ParmVarDecl *declared = c.callee->getParamDecl(static_cast<unsigned>(i));
      p.name = declared->getName();
      p.type = atenTypeOf(m, declared->getType());
    } else {
      p.type = atenTypeOf(m, c.arguments[i].type);
    }
    given.push_back(p);
  }
  return given;
}

std::vector<std::pair<std::size_t, Value>>
TorchDomain::AtenCalls::inSchemaOrder(Call &c, const Value *self, const std::vector<AtenParameter> &given,
                                      const AtenOverload &overload, Value &with) {
  std::vector<std::pair<std::size_t, Value>> values;
  std::size_t position = 0;
  const auto place = [&](const AtenParameter &g, Value v) {
    if (g.type == AtenType::Options) {
      with = std::move(v);
      return;
    }
    for (std::size_t i = 0; i < overload.parameters.size(); ++i)
      if (overload.parameters[i].name == g.name) {
        values.emplace_back(i, std::move(v));
        return;
      }
    if (position < overload.parameters.size())
      values.emplace_back(position, std::move(v));
  };
  if (self) {
    place(given.front(), *self);
    ++position;
  }
  for (Argument &a : c.arguments) {
    const AtenParameter &g = given[position];
    if (!a.isDefault)
      place(g, domain.machine->load(a));
    else if (g.type == AtenType::Options)
      with = std::make_shared<const OptionsDatum>();
    ++position;
  }
  std::ranges::stable_sort(values, {}, [](const auto &x) { return x.first; });
  return values;
}

void TorchDomain::AtenCalls::recordGradient(const Value &made, const Value &with, const clang::Expr *at) {
  const auto *o = with.as<OptionsDatum>();
  const Number *asked = o ? o->requiresGrad.number() : nullptr;
  if (!o || !(o->requiresGrad.isAbsent() || (asked && asked->known)))
    return;
  const ValueId v = domain.valueOf(made, at);
  Type t;
  t.kind = ValueKind::Tensor;
  t.requiresGrad = toTri(asked && asked->known && asked->integer != 0);
  if (const NodeId def = domain.graphs[v].def; def && v != domain.poison) {
    domain.graphs[v].recorded = domain.graphs.types.intern(t);
    inferNode(domain.graphs, def);
  }
}

Value TorchDomain::atenNamed(Call &c, std::string_view name, const Value *self) {
  std::string_view base = name;
  const bool out = takeOutSuffix(base);
  const std::vector<AtenParameter> given = parametersGiven(*machine, c, self != nullptr);
  const std::optional<AtenOverload> overload = chooseOverload(base, given, out);
  if (!overload)
    return opaqueTensors(c, name);

  NodeDraft d(graphs, "aten", base, overload->overload);
  if (d.overload == "default")
    d.overload.clear();
  const EffectsRow *row = findAtenEffects("aten", base, overload->overload);
  const auto isWritten = [&](std::string_view argument) {
    for (std::size_t i = 0; row && i < row->writeCount(); ++i)
      if (row->write(i) == argument)
        return true;
    return false;
  };
  const auto isAliased = [&](std::string_view argument) {
    for (std::size_t i = 0; row && i < row->aliasCount(); ++i)
      if (row->alias(i).argument == argument)
        return true;
    return false;
  };
  std::vector<Value> written;
  Value with;
  for (auto &[at, v] : AtenCalls(*this).inSchemaOrder(c, self, given, *overload, with)) {
    const AtenParameter &p = overload->parameters[at];
    if (isWritten(p.name) && (p.type == AtenType::Tensor || p.type == AtenType::Tensors))
      written.push_back(v);
    addArgument(d, p, v, c, isWritten(p.name) || isAliased(p.name));
  }
  for (const Value &v : written)
    Gradients(*this).noteGradientWrite(v, name, c.expr);
  const bool hasOptions =
      std::ranges::any_of(given, [](const AtenParameter &p) { return p.type == AtenType::Options; });
  const bool factory = hasOptions && !overload->find("self");
  if (hasOptions)
    addOptions(d, with);
  Value result = AtenCalls(*this).results(c, d, *overload, written);
  if (factory && isTensor(result))
    AtenCalls(*this).recordGradient(result, with, c.expr);
  return result;
}

/// The attribute \p name of \p d; null without one.
static const Attribute *attributeOf(const Model &m, const NodeDraft &d, std::string_view name) {
  const auto a = std::ranges::find_if(d.attributes, [&](const Attribute &one) { return m.text(one.name) == name; });
  return a == d.attributes.end() ? nullptr : &*a;
}

/// \p n parts, where they are not too many to be told apart.
static std::optional<std::size_t> limited(std::optional<std::int64_t> n) {
  return n && *n >= 0 && *n <= 64 ? std::optional(static_cast<std::size_t>(*n)) : std::nullopt;
}

/// The size of the dimension along which \p d takes the tensor of the type \p t apart.
static std::optional<std::int64_t> sizeTakenApart(const Model &m, const NodeDraft &d, const Type &t) {
  const Attribute *dim = attributeOf(m, d, "dim");
  if (!t.isTensor() || !t.hasRank || (dim && dim->kind != AttributeKind::Int))
    return std::nullopt;
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  std::int64_t axis = dim ? dim->number : 0;
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  return m.dims.asConstant(t.dims[static_cast<std::size_t>(axis)]);
}

/// How many parts of given sizes \p d makes; nothing where that hangs on the size of what it takes apart.
static std::optional<std::size_t> partsGiven(const Model &m, const NodeDraft &d) {
  if (d.name == "split_with_sizes" || d.name == "unsafe_split_with_sizes")
    if (const Attribute *parts = attributeOf(m, d, "split_sizes"))
      return parts->list.count;
  if (const Attribute *parts = attributeOf(m, d, "split_size");
      parts && d.name == "split" && parts->kind == AttributeKind::Ints)
    return parts->list.count;
  if (d.name != "tensor_split" && d.name != "hsplit" && d.name != "vsplit" && d.name != "dsplit")
    return std::nullopt;
  if (const Attribute *n = attributeOf(m, d, "sections"); n && n->kind == AttributeKind::Int)
    return limited(n->number);
  if (const Attribute *n = attributeOf(m, d, "indices"); n && n->kind == AttributeKind::Ints)
    return n->list.count + 1;
  return std::nullopt;
}

/// How many parts `chunk` and `split` make of a dimension of the size \p size, if that is known.
static std::optional<std::size_t> partsMade(const Model &m, const NodeDraft &d, std::optional<std::int64_t> size) {
  const bool isChunk = d.name == "chunk" || d.name == "unsafe_chunk";
  if (!isChunk && d.name != "split" && d.name != "unsafe_split")
    return std::nullopt;
  const Attribute *n = attributeOf(m, d, isChunk ? "chunks" : "split_size");
  if (!n || n->kind != AttributeKind::Int || n->number < 1)
    return std::nullopt;
  if (!isChunk)
    return size ? limited(std::max<std::int64_t>(1, (*size + n->number - 1) / n->number)) : std::nullopt;
  if (!size || *size <= 0)
    return limited(n->number); // as many as asked for, unless the dimension is shorter
  const std::int64_t each = (*size + n->number - 1) / n->number;
  return limited((*size + each - 1) / each);
}

std::optional<std::size_t> TorchDomain::AtenCalls::listLength(const NodeDraft &d) {
  const auto first = std::ranges::find_if(d.attributes, [](const Attribute &a) {
    return a.kind == AttributeKind::Operand || a.kind == AttributeKind::Operands;
  });
  if (first != d.attributes.end() && first->kind == AttributeKind::Operands)
    return first->list.count; // each of a list: _foreach_*, broadcast_tensors, meshgrid
  if (const auto given = partsGiven(domain.graphs, d))
    return given;
  const ValueId self =
      first != d.attributes.end() && first->list.first < d.operands.size() ? d.operands[first->list.first] : ValueId();
  if (!self)
    return std::nullopt;
  const Type &t = domain.graphs.type(self);
  if (d.name == "nonzero_numpy" || (d.name == "where" && d.operands.size() == 1)) // an index for each axis
    return t.isTensor() && t.hasRank ? limited(static_cast<std::int64_t>(t.dims.size())) : std::nullopt;
  const std::optional<std::int64_t> size = sizeTakenApart(domain.graphs, d, t);
  return d.name == "unbind" ? limited(size) : partsMade(domain.graphs, d, size);
}

Value TorchDomain::AtenCalls::results(Call &c, NodeDraft &d, const AtenOverload &overload,
                                      const std::vector<Value> &written) {
  const clang::QualType declared = c.type.isNull() ? domain.ast.VoidTy : c.type.getNonReferenceType();
  const std::string_view cls = domain.machine->className(declared);
  const EffectsRow *row = findAtenEffects("aten", d.name, overload.overload);
  if (domain.full())
    return domain.machine->unknown(declared, "too large");
  if (cls == "at::Tensor" || cls == "at::TensorBase") {
    const ValueId v = domain.emitOne(std::move(d), c.expr);
    // What is written is also what is returned: the same tensor, of which now
    // more may be known, or other things.
    if (written.size() == 1 && domain.isTensor(written.front())) {
      const bool resized = (row && row->changesView()) || overload.isOut || overload.name.starts_with("set_") ||
                           overload.name.starts_with("resize");
      if (resized)
        domain.rebind(written.front(), v);
      return written.front();
    }
    return domain.newTensor(v);
  }
  if (cls == "std::tuple" || cls == "std::pair") {
    const std::size_t count = typeArgumentCount(declared);
    const NodeId n = domain.emit(d, count, c.expr);
    inferNode(domain.graphs, n);
    // What the results are written into comes last; statistics may be written before.
    const std::size_t others = overload.isOut && written.size() > count ? written.size() - count : 0;
    List l;
    for (std::size_t i = 0; i < count; ++i) {
      if (const std::size_t at = others + i; overload.isOut && at < written.size() && domain.isTensor(written[at])) {
        domain.rebind(written[at], domain.graphs.result(n, i));
        l.items.push_back(written[at]);
      } else {
        const clang::QualType part = typeArgument(declared, static_cast<unsigned>(i));
        if (domain.machine->className(part) == "at::Tensor")
          l.items.push_back(domain.newTensor(domain.graphs.result(n, i)));
        else
          l.items.push_back(domain.machine->unknown(part, "a result of " + d.name));
      }
    }
    return l;
  }
  if (cls == "std::vector" || cls == "c10::List") {
    const std::optional<std::size_t> length = listLength(d);
    const bool views = row && row->aliasCount() != 0;
    if (!length && views && d.name != "unbind") {
      // Views of one tensor, of unknown number and size.
      const ValueId self = d.operands.empty() ? ValueId() : d.operands.front();
      List l;
      l.sized = false;
      l.every =
          self ? domain.genericView(domain.newTensor(self), c.expr) : domain.machine->unknown("an element of a list");
      return l;
    }
    if (!length)
      d.set(attr::unsized);
    const NodeId n = domain.emit(d, length.value_or(1), c.expr);
    inferNode(domain.graphs, n);
    List l;
    if (!length) {
      l.sized = false;
      l.every = domain.newTensor(domain.graphs.result(n, 0));
      return l;
    }
    for (std::size_t i = 0; i < *length; ++i)
      l.items.push_back(domain.newTensor(domain.graphs.result(n, i)));
    return l;
  }
  if (declared->isVoidType()) {
    const NodeId n = domain.emit(d, 0, c.expr);
    inferNode(domain.graphs, n);
    return Void{};
  }
  const NodeId n = domain.emit(d, 1, c.expr);
  inferNode(domain.graphs, n);
  Number out = Number::unknown(numberKind(declared).value_or(Number::Kind::Floating));
  const ValueId v = domain.graphs.result(n, 0);
  out.source = std::make_shared<SourceDatum>(SourceDatum::Facet::Value, ObjectId(), 0, v);
  if (const ContentId content = domain.graphs[v].content; content && domain.graphs.content(content).size() == 1) {
    const Dim dim = domain.graphs.content(content)[0];
    if (const auto k = domain.graphs.dims.asConstant(dim); k && out.kind != Number::Kind::Floating) {
      out.known = true;
      out.integer = *k;
    } else if (out.kind == Number::Kind::Integer) {
      out.dim = dim;
    }
  }
  return out;
}

NodeDraft TorchDomain::anyPart(ValueId of) {
  NodeDraft d(graphs, "aten", "as_strided");
  d.value("self", of);
  d.opaque("size", "sizes that are not known");
  d.opaque("stride", "strides that are not known");
  d.set(attr::unsized); // it stands for each of them
  return d;
}

Value TorchDomain::genericView(const Value &tensor, const clang::Stmt *at) {
  return newTensor(emitOne(anyPart(valueOf(tensor, at)), at));
}

} // namespace condlint::cxx
