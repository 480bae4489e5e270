//===- TensorMethods.cpp - Methods and operators of at::Tensor ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written by hand in ATen's headers, and so in no schema: assignment,
// indexing, raw pointers.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "Gradients.h"
#include "Subscripts.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

/// Methods of tensors that no schema describes.
class TorchDomain::TensorMethods {
public:
  explicit TensorMethods(TorchDomain &torch) : domain(torch) {}
  Value itemMethod(Call &c);
  std::optional<Value> indexMethod(Call &c, std::string_view name);
  Value elementsMethod(Call &c);
  Value contiguousMethod(Call &c);
  Value mutableGradMethod(Call &c);
  Value gradMethod(Call &c);
  Value backwardMethod(Call &c);
  Value toDevice(Call &c, std::string_view device);
  Value toTypeMethod(Call &c);
  Value requiresGradMethod(Call &c);
  Value gradientOf(const Value &tensor, const clang::Expr *at);
  Value dataMethod(Call &c);
  Value setDataMethod(Call &c);
  Value unseenMethod(Call &c);
  Value printMethod(Call &c);
  Value resetMethod(Call &c);
  /// `x.to(y.options())`, `x.to(y.dtype())`: a conversion to what another tensor is; nothing for others.
  std::optional<Value> toLike(Call &c);
  std::optional<Value> tensorOperator(Call &c, std::string_view name);

private:
  TorchDomain &domain;
};

namespace {

using Facet = SourceDatum::Facet;

/// `x += y` is `x.add_(y)`.
std::string_view inPlaceName(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> names{{{"operator+=", "add_"},
                                                                                {"operator-=", "sub_"},
                                                                                {"operator*=", "mul_"},
                                                                                {"operator/=", "div_"},
                                                                                {"operator&=", "bitwise_and_"},
                                                                                {"operator|=", "bitwise_or_"},
                                                                                {"operator^=", "bitwise_xor_"},
                                                                                {"operator<<=", "__ilshift__"},
                                                                                {"operator>>=", "__irshift__"}}};
  for (const auto &[sign, name] : names)
    if (sign == op)
      return name;
  return {};
}

std::string_view binaryName(std::string_view op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> names{{{"operator+", "add"},
                                                                                 {"operator-", "sub"},
                                                                                 {"operator*", "mul"},
                                                                                 {"operator/", "div"},
                                                                                 {"operator%", "remainder"},
                                                                                 {"operator&", "bitwise_and"},
                                                                                 {"operator|", "bitwise_or"},
                                                                                 {"operator^", "bitwise_xor"},
                                                                                 {"operator<", "lt"},
                                                                                 {"operator<=", "le"},
                                                                                 {"operator>", "gt"},
                                                                                 {"operator>=", "ge"},
                                                                                 {"operator==", "eq"},
                                                                                 {"operator!=", "ne"},
                                                                                 {"operator&&", "logical_and"},
                                                                                 {"operator||", "logical_or"},
                                                                                 {"operator<<", "__lshift__"},
                                                                                 {"operator>>", "__rshift__"}}};
  for (const auto &[sign, name] : names)
    if (sign == op)
      return name;
  return {};
}

/// The comparison with its sides exchanged: `2 < x` is `x > 2`.
std::string_view mirrored(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> pairs{
      {{"lt", "gt"}, {"gt", "lt"}, {"le", "ge"}, {"ge", "le"}}};
  for (const auto &[from, to] : pairs)
    if (from == name)
      return to;
  return name;
}

} // namespace

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

Value TorchDomain::assignInto(const Value &tensor, const Value &v, const clang::Expr *at) {
  if (v.number() || (!isTensor(v) && !v.unknown() && !v.symbol() && !v.optional())) {
    NodeDraft d(graphs, "aten", "fill_", "Scalar");
    d.value("self", valueOf(tensor, at));
    addArgument(d, {"value", AtenType::Number}, v, Call{nullptr, {}, at, {}, {}, {}}, false);
    emitOne(std::move(d), at);
    return tensor;
  }
  NodeDraft d(graphs, "aten", "copy_");
  d.value("self", valueOf(tensor, at));
  d.value("src", valueOf(v, at));
  emitOne(std::move(d), at);
  return tensor;
}

std::optional<Value> TorchDomain::TensorMethods::tensorOperator(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const auto *method = llvm::cast<clang::CXXMethodDecl>(c.callee);
  if (name == "operator=") {
    const Value v = c.arguments.empty() ? Value() : m.load(c.arguments[0]);
    // `x[0] = v` writes into what `x[0]` is a view of; `r = v` makes r another tensor.
    const bool rvalue = method->getRefQualifier() == clang::RQ_RValue ||
                        (method->getRefQualifier() == clang::RQ_None && !c.self->place) || v.number();
    if (rvalue)
      return domain.assignInto(m.load(*c.self), v, c.expr);
    const Pointer where = m.placeOf(*c.self);
    if (method->isMoveAssignmentOperator())
      m.moveFrom(c.arguments[0], c.arguments[0].type);
    m.store(where, v, c.expr);
    return where;
  }
  if (name == "operator[]") {
    const Value self = m.load(*c.self);
    Value where = m.load(c.arguments[0]);
    if (domain.isTensor(where)) // its number is read: others fail
      where = Number::unknown(Number::Kind::Integer);
    return Subscripts(domain).index(self, {where}, c.expr, nullptr);
  }
  if (const std::string_view inPlace = inPlaceName(name); !inPlace.empty())
    return domain.aten(c, inPlace);
  if (name == "operator-" && c.arguments.empty())
    return domain.aten(c, "neg");
  if (name == "operator~")
    return domain.aten(c, "bitwise_not");
  if (name == "operator!")
    return domain.aten(c, "logical_not");
  if (const std::string_view binary = binaryName(name); !binary.empty())
    return domain.aten(c, binary);
  return std::nullopt;
}

std::optional<Value> TorchDomain::TensorMethods::toLike(Call &c) {
  const Value self = domain.machine->load(*c.self);
  if (!domain.isTensor(self) || !c.callee)
    return std::nullopt;
  Value dtype;
  ObjectId typed, placed; // the tensors whose dtype and whose device are asked for
  bool isMeta = false;
  std::vector<std::pair<std::string, Value>> flags;
  const auto setDtype = [&](const Value &v) {
    dtype = v;
    const Number *n = v.number();
    const auto *source = n && !n->known ? dynamic_cast<const SourceDatum *>(n->source.get()) : nullptr;
    typed = source && source->facet == Facet::DType ? source->tensor : ObjectId();
  };
  const auto setDevice = [&](const Value &v) {
    const auto *d = v.as<DeviceDatum>();
    placed = d && d->type.empty() ? d->of : ObjectId();
    return static_cast<bool>(placed);
  };
  for (std::size_t i = 0; i < c.arguments.size() && i < c.callee->getNumParams(); ++i) {
    if (c.arguments[i].isDefault)
      continue;
    const std::string name = c.callee->getParamDecl(static_cast<unsigned>(i))->getNameAsString();
    const Value v = domain.machine->load(c.arguments[i]);
    const Number *n = v.number();
    if (const auto *o = v.as<OptionsDatum>()) {
      if (!o->layout.isAbsent() || !o->memoryFormat.isAbsent())
        return std::nullopt;
      typed = placed = o->like;
      if (!o->dtype.isAbsent())
        setDtype(o->dtype);
      if (!o->device.isAbsent() && !setDevice(o->device))
        return std::nullopt;
    } else if (v.as<DeviceDatum>()) {
      if (!setDevice(v))
        return std::nullopt;
    } else if (name == "dtype" || name == "type_meta") {
      isMeta = name == "type_meta";
      setDtype(v);
    } else if (n && n->kind == Number::Kind::Bool) {
      flags.emplace_back(name, v);
    } else {
      return std::nullopt;
    }
  }
  NodeDraft d(domain.graphs, "aten", "to", "other");
  d.value("self", domain.valueOf(self, c.expr));
  // One tensor that has both: where only one is asked for, the other must be what it is already.
  const ObjectId like = typed ? typed : placed;
  const Type here = domain.typeOf(self), there = like ? domain.typeOf(Handle{like, TensorTag}) : Type();
  const bool itself = like == self.handle()->object;
  const bool sameDevice = here.device ? here.device == there.device && here.deviceIndex == there.deviceIndex
                                      : here.names.device && here.names.device == there.names.device;
  const bool sameDtype = here.element != DType::Unknown && here.element == there.element;
  if (like && (!typed || !placed || typed == placed) && (typed || dtype.isAbsent()) &&
      (itself || ((placed || sameDevice) && (typed || sameDtype)))) {
    d.value("other", domain.valueOf(Handle{like, TensorTag}, c.expr));
  } else if (isMeta && !placed) {
    d.overload = "dtype"; // which no schema spells so
    domain.addArgument(d, {"dtype", AtenType::ScalarType}, dtype, c, false);
  } else {
    return std::nullopt;
  }
  for (const auto &[flag, v] : flags)
    domain.addArgument(d, {flag, AtenType::Bool}, v, c, false);
  return domain.newTensor(domain.emitOne(std::move(d), c.expr));
}

Value TorchDomain::TensorMethods::itemMethod(Call &c) {
  return domain.itemOf(domain.machine->load(*c.self), c.type, c.expr);
}

std::optional<Value> TorchDomain::TensorMethods::indexMethod(Call &c, std::string_view name) {
  Machine &m = *domain.machine;
  const Value self = m.load(*c.self);
  const Value where = c.arguments.empty() ? Value() : m.load(c.arguments[0]);
  const auto indices = m.elements(where);
  // The overload that takes optional tensors is ATen's own.
  const bool plain =
      indices && std::ranges::all_of(*indices, [&](const Value &v) { return domain.isTensor(v) || v.optional(); });
  const std::string_view cls = c.arguments.empty() ? std::string_view() : m.className(c.arguments[0].type);
  if (plain && cls == "c10::List")
    return domain.aten(c, name);
  if (name == "index")
    return indices ? Subscripts(domain).index(self, *indices, c.expr, nullptr) : domain.genericView(self, c.expr);
  const Value v = c.arguments.size() > 1 ? m.load(c.arguments[1]) : Value();
  bool accumulate = false;
  if (c.arguments.size() > 2 && !c.arguments[2].isDefault)
    if (const Value a = m.load(c.arguments[2]); a.number())
      accumulate = a.number()->truth().value_or(false);
  return Subscripts(domain).indexAssign(self, where, v, c.expr, accumulate);
}

Value TorchDomain::TensorMethods::elementsMethod(Call &c) {
  auto elements = std::make_shared<ElementsDatum>(domain.machine->load(*c.self));
  elements->areAll = true;
  return Value(std::shared_ptr<const ElementsDatum>(std::move(elements)));
}

Value TorchDomain::copied(const Value &tensor, const clang::Stmt *at) {
  NodeDraft d(graphs, "aten", "clone");
  d.value("self", valueOf(tensor, at));
  return newTensor(emitOne(std::move(d), at));
}

Value TorchDomain::TensorMethods::contiguousMethod(Call &c) {
  // Where a check implies it, the tensor itself, or a copy.
  const Value self = domain.machine->load(*c.self);
  const auto already =
      domain.isTensor(self) && domain.asksRowMajor(c)
          ? domain.answerTo({domain.identityOf(*domain.sourceOf(Facet::IsContiguous, self)), clang::BO_NE, 0})
          : std::nullopt;
  if (already.value_or(false))
    return self;
  const Value made = domain.aten(c, "contiguous");
  return already ? domain.copied(made, c.expr) : made;
}

Value TorchDomain::TensorMethods::mutableGradMethod(Call &c) {
  // A reference to the tensor's gradient: assigning to it changes the tensor.
  const Value self = domain.machine->load(*c.self);
  return Pointer::to(domain.machine->newObject(Value(std::make_shared<const ElementsDatum>(self)),
                                               c.type.getNonReferenceType(), Storage::External));
}

Value TorchDomain::TensorMethods::gradientOf(const Value &tensor, const clang::Expr *at) {
  NodeDraft d(domain.graphs, CxxOp::Grad);
  d.value("tensor", domain.valueOf(tensor, at));
  return domain.newTensor(domain.emitOne(std::move(d), at));
}

Value TorchDomain::TensorMethods::gradMethod(Call &c) { return gradientOf(domain.machine->load(*c.self), c.expr); }

Value TorchDomain::TensorMethods::backwardMethod(Call &c) {
  Gradients(domain).takeBack(domain.machine->load(*c.self), c.expr);
  return Void{};
}

Value TorchDomain::TensorMethods::toDevice(Call &c, std::string_view device) {
  const Value self = domain.machine->load(*c.self);
  const Type &t = domain.typeOf(self);
  // Where the element type is not known: the overload of a device alone.
  NodeDraft d(domain.graphs, "aten", "to", t.element != DType::Unknown ? "device" : "dtype_layout");
  d.value("self", domain.valueOf(self, c.expr));
  d.text("device", device, AttributeKind::Device);
  d.attributes.back().number = -1;
  if (t.element != DType::Unknown)
    d.dtype("dtype", t.element);
  return domain.newTensor(domain.emitOne(std::move(d), c.expr));
}

Value TorchDomain::TensorMethods::toTypeMethod(Call &c) {
  const Value self = domain.machine->load(*c.self);
  NodeDraft d(domain.graphs, "aten", "to", "dtype");
  d.value("self", domain.valueOf(self, c.expr));
  domain.addArgument(d, {"dtype", AtenType::ScalarType}, domain.machine->load(c.arguments[0]), c, false);
  return domain.newTensor(domain.emitOne(std::move(d), c.expr));
}

Value TorchDomain::TensorMethods::requiresGradMethod(Call &c) {
  const Value self = domain.machine->load(*c.self);
  NodeDraft d(domain.graphs, "aten", "requires_grad_");
  d.value("self", domain.valueOf(self, c.expr));
  domain.emitOne(std::move(d), c.expr);
  const Value wanted = c.arguments.empty() ? Value(Number::boolean(true)) : domain.machine->load(c.arguments[0]);
  Type facts;
  facts.kind = ValueKind::Tensor;
  facts.requiresGrad = wanted.number() && wanted.number()->truth() ? toTri(*wanted.number()->truth()) : Tri::Unknown;
  if (domain.isTensor(self))
    domain.assume(self.handle()->object, facts, c.expr);
  return self;
}

Value TorchDomain::TensorMethods::dataMethod(Call &c) {
  const Value self = domain.machine->load(*c.self);
  return domain.atenNamed(c, "detach", &self);
}

Value TorchDomain::TensorMethods::setDataMethod(Call &c) {
  const Value self = domain.machine->load(*c.self);
  const Value v = domain.machine->load(c.arguments[0]);
  NodeDraft d(domain.graphs, "aten", "set_", "source_Tensor");
  d.value("self", domain.valueOf(self, c.expr));
  d.value("source", domain.valueOf(v, c.expr));
  domain.rebind(self, domain.emitOne(std::move(d), c.expr));
  return Void{};
}

Value TorchDomain::TensorMethods::unseenMethod(Call &c) { return domain.machine->unknown(c.type, "not followed"); }

Value TorchDomain::TensorMethods::printMethod(Call &c) {
  domain.onEffect(*domain.machine, Effect::Output, "Tensor::print", c.expr);
  return Void{};
}

Value TorchDomain::TensorMethods::resetMethod(Call &c) {
  // The handle lets go of its tensor: what it is called on is a variable, not the tensor.
  domain.machine->store(
      domain.machine->placeOf(*c.self),
      domain.machine->defaultValue(domain.ast.getCanonicalTagType(Machine::classOf(c.self->type)), true), c.expr);
  return Void{};
}

std::optional<Value> TorchDomain::tensorMethod(Call &c, std::string_view name) {
  struct Row {
    std::string_view name;
    Value (TensorMethods::*run)(Call &);
  };
  constexpr std::array rows{Row{"item", &TensorMethods::itemMethod},
                            Row{"data_ptr", &TensorMethods::elementsMethod},
                            Row{"mutable_data_ptr", &TensorMethods::elementsMethod},
                            Row{"const_data_ptr", &TensorMethods::elementsMethod},
                            Row{"accessor", &TensorMethods::elementsMethod},
                            Row{"packed_accessor", &TensorMethods::elementsMethod},
                            Row{"packed_accessor32", &TensorMethods::elementsMethod},
                            Row{"packed_accessor64", &TensorMethods::elementsMethod},
                            Row{"generic_packed_accessor", &TensorMethods::elementsMethod},
                            Row{"storage", &TensorMethods::elementsMethod},
                            Row{"contiguous", &TensorMethods::contiguousMethod},
                            Row{"expect_contiguous", &TensorMethods::contiguousMethod},
                            Row{"mutable_grad", &TensorMethods::mutableGradMethod},
                            Row{"grad", &TensorMethods::gradMethod},
                            Row{"backward", &TensorMethods::backwardMethod},
                            Row{"set_requires_grad", &TensorMethods::requiresGradMethod},
                            Row{"requires_grad_", &TensorMethods::requiresGradMethod},
                            Row{"data", &TensorMethods::dataMethod},
                            Row{"variable_data", &TensorMethods::dataMethod},
                            Row{"tensor_data", &TensorMethods::dataMethod},
                            Row{"set_data", &TensorMethods::setDataMethod},
                            Row{"reset", &TensorMethods::resetMethod},
                            Row{"print", &TensorMethods::printMethod},
                            Row{"toString", &TensorMethods::unseenMethod}};
  // Methods that schemas know by another name.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> renamed{{{"T", "numpy_T"}, {"H", "matrix_H"}}};
  constexpr std::array<std::string_view, 6> devices{"cpu", "cuda", "hip", "meta", "xpu", "mps"};
  if (name.starts_with("operator"))
    if (auto v = TensorMethods(*this).tensorOperator(c, name))
      return v;
  if (auto v = tensorQuery(c, name))
    return v;
  if (const auto *row = std::ranges::find(rows, name, &Row::name); row != rows.end())
    return (TensorMethods(*this).*row->run)(c);
  if (name == "index" || name == "index_put_")
    return TensorMethods(*this).indexMethod(c, name);
  if (std::ranges::find(devices, name) != devices.end())
    return TensorMethods(*this).toDevice(c, name);
  if (name == "to")
    if (auto v = TensorMethods(*this).toLike(c))
      return v;
  if (name == "toType" && !c.arguments.empty())
    return TensorMethods(*this).toTypeMethod(c);
  if (name == "Tensor" || name == "~Tensor")
    return std::nullopt;
  const auto *other = std::ranges::find(renamed, name, [](const auto &pair) { return pair.first; });
  return aten(c, other == renamed.end() ? name : other->second);
}

std::optional<Value> TorchDomain::freeOperator(Call &c, std::string_view name) {
  Machine &m = *machine;
  if (c.arguments.empty())
    return std::nullopt;
  const bool binary = c.arguments.size() == 2;
  const auto isTensorArgument = [&](Argument &a) {
    const std::string_view cls = m.className(a.type);
    return cls == "at::Tensor" || cls == "at::TensorBase";
  };
  const bool left = isTensorArgument(c.arguments[0]);
  const bool right = binary && isTensorArgument(c.arguments[1]);
  if (name == "operator<<" && binary && !left)
    return std::nullopt; // a stream
  if (binary && (left || right)) {
    const std::string_view op = binaryName(name);
    if (op.empty())
      return std::nullopt;
    const Value a = m.load(c.arguments[0]);
    const Value b = m.load(c.arguments[1]);
    if (left) {
      NodeDraft d(graphs, "aten", op, right ? "Tensor" : "Scalar");
      d.value("self", valueOf(a, c.expr));
      if (op == "logical_and" || op == "logical_or")
        d.overload.clear();
      addArgument(d, {"other", right ? AtenType::Tensor : AtenType::Number}, b, c, false);
      return newTensor(emitOne(std::move(d), c.expr));
    }
    // A number first: what ATen does there, operator by operator.
    if (op == "sub") { // b.neg().add_(a)
      NodeDraft neg(graphs, "aten", "rsub", "Scalar");
      neg.value("self", valueOf(b, c.expr));
      addArgument(neg, {"other", AtenType::Number}, a, c, false);
      return newTensor(emitOne(std::move(neg), c.expr));
    }
    if (op == "div") { // b.reciprocal().mul_(a)
      NodeDraft r(graphs, "aten", "reciprocal");
      r.value("self", valueOf(b, c.expr));
      NodeDraft d(graphs, "aten", "mul", "Scalar");
      d.value("self", emitOne(std::move(r), c.expr));
      addArgument(d, {"other", AtenType::Number}, a, c, false);
      return newTensor(emitOne(std::move(d), c.expr));
    }
    if (op == "remainder") {
      NodeDraft d(graphs, "aten", "remainder", "Scalar_Tensor");
      addArgument(d, {"self", AtenType::Number}, a, c, false);
      d.value("other", valueOf(b, c.expr));
      return newTensor(emitOne(std::move(d), c.expr));
    }
    NodeDraft d(graphs, "aten", mirrored(op), "Scalar");
    d.value("self", valueOf(b, c.expr));
    addArgument(d, {"other", AtenType::Number}, a, c, false);
    return newTensor(emitOne(std::move(d), c.expr));
  }
  if (left && !binary)
    return name == "operator-" ? aten(c, "neg") : name == "operator~" ? aten(c, "bitwise_not") : opaqueTensors(c, name);
  // Comparisons of libtorch's small values: dtypes, devices, sizes.
  if (binary && (name == "operator==" || name == "operator!=")) {
    const unsigned op = name == "operator==" ? clang::BO_EQ : clang::BO_NE;
    const Value a = m.load(c.arguments[0]);
    const Value b = m.load(c.arguments[1]);
    if (a.number() && b.number())
      return m.compare(op, a, b, c.expr);
    if (a.list() && b.list())
      return compareLists(*a.list(), *b.list(), op == clang::BO_EQ);
    if (a.as<DeviceDatum>() || b.as<DeviceDatum>())
      return builtinOperator(m, op, false, a, b, c.expr);
    return Number::unknown(Number::Kind::Bool);
  }
  if (binary && (name == "operator<" || name == "operator>" || name == "operator<=" || name == "operator>=")) {
    const Value a = m.load(c.arguments[0]);
    const Value b = m.load(c.arguments[1]);
    if (a.number() && b.number())
      return m.compare(name == "operator<"    ? clang::BO_LT
                       : name == "operator>"  ? clang::BO_GT
                       : name == "operator<=" ? clang::BO_LE
                                              : clang::BO_GE,
                       a, b, c.expr);
    return Number::unknown(Number::Kind::Bool);
  }
  if (binary) {
    const Value a = m.load(c.arguments[0]);
    const Value b = m.load(c.arguments[1]);
    if (a.number() && b.number())
      for (const auto &[sign, op] :
           std::initializer_list<std::pair<std::string_view, unsigned>>{{"operator+", clang::BO_Add},
                                                                        {"operator-", clang::BO_Sub},
                                                                        {"operator*", clang::BO_Mul},
                                                                        {"operator/", clang::BO_Div}})
        if (sign == name)
          return m.arithmetic(op, a, b, ast.LongTy, c.expr);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Elements behind raw pointers
//===----------------------------------------------------------------------===//

/// `!truth`.
static Value negation(const Value &truth) {
  Number n = *truth.number();
  n.integer = n.known && n.integer == 0 ? 1 : 0;
  n.test = negated(n.test);
  n.source = nullptr;
  return n;
}

std::optional<Value> TorchDomain::builtinOperator(Machine &, unsigned opcode, bool, const Value &a, const Value &b,
                                                  const clang::Expr *) {
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  const auto *p = a.as<ElementsDatum>();
  const auto *q = b.as<ElementsDatum>();
  if (p && q && (op == clang::BO_EQ || op == clang::BO_NE) && p->areAll && q->areAll)
    return sameTensor(p->tensor, q->tensor, op == clang::BO_EQ);
  if (p && (op == clang::BO_Add || op == clang::BO_Sub))
    return q ? Value(Number::unknown(Number::Kind::Integer)) : Value(std::make_shared<const ElementsDatum>(p->tensor));
  if (q && op == clang::BO_Add)
    return Value(std::make_shared<const ElementsDatum>(q->tensor));
  const auto *x = a.as<DeviceDatum>();
  const auto *y = b.as<DeviceDatum>();
  if ((x || y) && (op == clang::BO_EQ || op == clang::BO_NE)) {
    const DeviceDatum l = deviceOf(a);
    const DeviceDatum r = deviceOf(b);
    const bool equal = op == clang::BO_EQ;
    const bool known = !l.type.empty() && !r.type.empty();
    const bool same = known && l.type == r.type;
    if (same && l.index != r.index)
      return Number::unknown(Number::Kind::Bool);
    // A tensor's device is compared with one that is written.
    const DeviceDatum &open = l.of ? l : r;
    const DeviceDatum &fixed = l.of ? r : l;
    if (open.of && !fixed.of && !fixed.type.empty()) {
      const Value is =
          truthOf(Handle{open.of, TensorTag}, Facet::IsDevice, known ? std::optional(same) : std::nullopt, fixed.type);
      return equal ? is : negation(is);
    }
    if (known)
      return Number::boolean(same == equal, Provenance::Fixed);
    return Number::unknown(Number::Kind::Bool);
  }
  return std::nullopt;
}

std::optional<Pointer> TorchDomain::dereference(Machine &m, const Value &v, const clang::Expr *at) {
  if (!v.as<ElementsDatum>())
    return std::nullopt;
  const clang::QualType type = at ? at->getType() : clang::QualType();
  return Pointer::to(m.newObject(v, type, Storage::External));
}

Value TorchDomain::readExternal(Machine &m, ObjectId o, const clang::Expr *at) {
  const Value held = m.objectValue(o);
  const auto *d = held.as<ElementsDatum>();
  if (!d)
    return m.unknown(m.object(o).type, "memory that is not followed");
  const clang::QualType element = m.object(o).type;
  const clang::QualType type = at && !numberKind(element) ? at->getType() : element;
  // The gradient of a tensor is one.
  if (m.className(m.object(o).type) == "at::Tensor")
    return TensorMethods(*this).gradientOf(d->tensor, at);
  if (!numberKind(type))
    return Value(std::make_shared<const ElementsDatum>(d->tensor));
  if (!m.isOnDevice())
    emitElements(CxxOp::HostRead, d->tensor, at);
  const Number::Kind kind = *numberKind(type);
  return Number::unknown(kind, kind == Number::Kind::Floating ? Provenance::TensorFloat : Provenance::Varies);
}

void TorchDomain::writeExternal(Machine &m, ObjectId o, const Value &, const clang::Expr *at) {
  const Value held = m.objectValue(o); // NOLINT(performance-unnecessary-copy-initialization): objects move
  if (const auto *d = held.as<ElementsDatum>())
    emitElements(CxxOp::Store, d->tensor, at);
}

} // namespace condlint::cxx
