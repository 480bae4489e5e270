//===- TensorQueries.cpp - Questions about a tensor -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tensor says of itself without its elements: ranks, sizes, element
// types, whether it is there. An answer that is not known tells what it
// measures, so that a check of it becomes a fact.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>

namespace condlint::cxx {

/// Questions about the metadata of tensors.
class TorchDomain::TensorQueries {
public:
  explicit TensorQueries(TorchDomain &torch) : domain(torch) {}
  /// One whose answer nobody knows.
  Value openQuery(Call &c, std::string_view name);
  Value definedQuery(Call &c, const Value &self);
  Value sameQuery(Call &c, const Value &self);
  Value rankQuery(Call &c, const Value &self);
  Value sizeQuery(Call &c, const Value &self);
  Value sizesQuery(Call &c, const Value &self);
  Value countQuery(Call &c, const Value &self);
  Value strideQuery(Call &c, const Value &self);
  Value stridesQuery(Call &c, const Value &self);
  Value dtypeQuery(Call &c, const Value &self);
  Value deviceQuery(Call &c, const Value &self);
  Value optionsQuery(Call &c, const Value &self);
  Value onDeviceQuery(const Value &self, std::string_view wanted);
  Value elementSizeQuery(Call &c, const Value &self);
  Value bytesQuery(Call &c, const Value &self);
  Value layoutQuery(Call &c, const Value &self);
  Value sparseQuery(Call &c, const Value &self);
  Value quantizedQuery(Call &c, const Value &self);
  Value numberOf(Dim size);

private:
  TorchDomain &domain;
};

namespace {

using Facet = SourceDatum::Facet;

/// The number \p n, which turns out to be \p value; what it measures is still told.
Value knownAs(Number n, std::int64_t value) {
  n.known = true;
  n.integer = value;
  n.provenance = Provenance::Fixed;
  return n;
}

} // namespace

std::shared_ptr<SourceDatum> TorchDomain::sourceOf(Facet facet, const Value &tensor, std::int64_t index) {
  auto source = std::make_shared<SourceDatum>(facet, tensor.handle()->object, index);
  source->of = metadataOfTensor(tensor);
  return source;
}

Value TorchDomain::number(Number::Kind kind, Provenance p, Facet facet, const Value &tensor, std::int64_t index) {
  Number n = Number::unknown(kind, p);
  if (isTensor(tensor))
    n.source = sourceOf(facet, tensor, index);
  return n;
}

Value TorchDomain::sizeAt(const Value &tensor, const Value &dim, const clang::Expr *at) {
  const ValueId v = valueOf(tensor, at);
  const Number *n = dim.number();
  const std::int64_t axis = n && n->known ? n->integer : INT64_MIN;
  const auto key = std::make_pair(v.index(), axis);
  if (axis != INT64_MIN)
    if (auto known = sizes.find(key); known != sizes.end())
      return known->second;
  NodeDraft d(graphs, "aten", "sym_size", "int");
  d.value("self", v);
  if (axis != INT64_MIN)
    d.integer("dim", axis);
  else
    d.opaque("dim", "a number that is not known");
  const ValueId r = emitOne(std::move(d), at);
  Number out = Number::unknown(Number::Kind::Integer);
  auto source =
      std::make_shared<SourceDatum>(Facet::Size, isTensor(tensor) ? tensor.handle()->object : ObjectId(), axis, r);
  source->of = metadataOf(v);
  out.source = std::move(source);
  if (const ContentId content = graphs[r].content; content && graphs.content(content).size() == 1) {
    out.dim = nameOfSize(v, axis, graphs.content(content)[0]);
    if (const auto k = graphs.dims.asConstant(out.dim)) {
      out.known = true;
      out.integer = *k;
      out.provenance = Provenance::Fixed;
    }
  }
  if (axis != INT64_MIN)
    sizes[key] = out;
  return out;
}

Value TorchDomain::truthOf(const Value &tensor, Facet facet, std::optional<bool> known, std::string text) {
  Number n = known ? Number::boolean(*known, Provenance::Fixed) : Number::unknown(Number::Kind::Bool);
  if (isTensor(tensor)) {
    auto source = sourceOf(facet, tensor);
    source->text = std::move(text);
    n.source = source;
    n.test = comparison(*machine, clang::BO_NE, n, Number::boolean(false));
  }
  return n;
}

Value TorchDomain::itemOf(const Value &tensor, clang::QualType type, const clang::Expr *at) {
  NodeDraft d(graphs, "aten", "item");
  d.value("self", valueOf(tensor, at));
  const ValueId v = emitOne(std::move(d), at);
  const DType element = typeOf(tensor).element;
  Number::Kind kind = Number::Kind::Floating;
  Provenance p = Provenance::Varies;
  if (const auto declared = numberKind(type)) {
    kind = *declared;
    p = kind == Number::Kind::Floating ? Provenance::TensorFloat : Provenance::Varies;
  } else if (element == DType::Bool) {
    kind = Number::Kind::Bool;
  } else if (isIntegral(element)) {
    kind = Number::Kind::Integer;
  } else if (const DTypeSet types = typeOf(tensor).possible();
             !types.disjoint(DTypeSet::floating()) && (types - DTypeSet::floating() - DTypeSet::complex()).empty()) {
    p = Provenance::TensorFloat; // also where it is not known which, as of a mean
  }
  Number n = Number::unknown(kind, p);
  n.source = std::make_shared<SourceDatum>(Facet::Value, ObjectId(), 0, v);
  return n;
}

Value TorchDomain::TensorQueries::definedQuery(Call &c, const Value &self) {
  if (domain.isUndefined(self))
    return Number::boolean(false, Provenance::Fixed);
  const ValueId v = domain.isTensor(self) ? domain.valueOf(self, c.expr) : ValueId();
  // What an operator made is a tensor, and so is what has sizes or a type; what comes from outside need not be one.
  if (v && domain.graphs[v].origin == ValueOrigin::Result) {
    const Operator &op = domain.graphs[domain.graphs[domain.graphs[v].def].op];
    if (domain.graphs.text(op.domain) == "aten" || domain.graphs.text(op.name) == "assume")
      return Number::boolean(true, Provenance::Fixed);
  }
  return domain.truthOf(self, Facet::IsDefined, std::nullopt);
}

Value TorchDomain::TensorQueries::sameQuery(Call &c, const Value &self) {
  const Value other = domain.machine->load(c.arguments[0]);
  return domain.sameTensor(self, other, true);
}

Value TorchDomain::TensorQueries::rankQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  Value n = domain.number(Number::Kind::Integer, Provenance::Varies, Facet::Rank, self);
  return t.isTensor() && t.hasRank ? knownAs(*n.number(), static_cast<std::int64_t>(t.dims.size())) : n;
}

Value TorchDomain::TensorQueries::sizeQuery(Call &c, const Value &self) {
  return domain.sizeAt(self, c.arguments.empty() ? Value() : domain.machine->load(c.arguments[0]), c.expr);
}

Value TorchDomain::TensorQueries::sizesQuery(Call &c, const Value &self) {
  const Type t = domain.typeOf(self);
  List l;
  l.sized = t.isTensor() && t.hasRank;
  if (domain.isTensor(self))
    l.origin = domain.sourceOf(Facet::Sizes, self);
  else
    l.origin = std::make_shared<const SourceDatum>(Facet::Sizes, ObjectId());
  if (!l.sized)
    l.every = Number::unknown(Number::Kind::Integer);
  for (std::size_t i = 0; l.sized && i < t.dims.size(); ++i)
    l.items.push_back(domain.sizeAt(self, Number::ofInteger(static_cast<std::int64_t>(i)), c.expr));
  return l;
}

Value TorchDomain::TensorQueries::numberOf(Dim size) {
  Number n = Number::ofDim(size, Provenance::Varies);
  if (const auto k = domain.graphs.dims.asConstant(size)) {
    n.known = true;
    n.integer = *k;
    n.provenance = Provenance::Fixed;
  }
  return n;
}

Value TorchDomain::TensorQueries::countQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  Dim product = t.isTensor() && t.hasRank ? domain.graphs.dims.constant(1) : Dim();
  for (std::size_t i = 0; product.known() && i < t.dims.size(); ++i)
    product = domain.graphs.dims.mul(product, t.dims[i]);
  return product.known() ? numberOf(product)
                         : domain.number(Number::Kind::Integer, Provenance::Varies, Facet::Count, self);
}

Value TorchDomain::TensorQueries::strideQuery(Call &c, const Value &self) {
  if (c.arguments.empty())
    return domain.machine->unknown(c.type, "a question about a tensor");
  const Value dim = domain.machine->load(c.arguments[0]);
  const Number *axis = dim.number();
  const Type &t = domain.typeOf(self);
  if (t.isTensor() && t.hasStrides && axis && axis->known) {
    const auto rank = static_cast<std::int64_t>(t.strides.size());
    const std::int64_t i = axis->integer < 0 ? axis->integer + rank : axis->integer;
    if (i >= 0 && i < rank)
      return numberOf(t.strides[static_cast<std::size_t>(i)]);
  }
  return openQuery(c, "stride");
}

Value TorchDomain::TensorQueries::stridesQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  List l;
  l.sized = t.isTensor() && t.hasStrides;
  for (std::size_t i = 0; l.sized && i < t.strides.size(); ++i)
    l.items.push_back(numberOf(t.strides[i]));
  if (!l.sized)
    l.every = Number::unknown(Number::Kind::Integer);
  return l;
}

std::optional<std::int64_t> TorchDomain::scalarTypeNumber(DType element) const {
  for (const auto &[number, type] : scalarTypes)
    if (type == element)
      return number;
  return scalarTypes.empty() ? scalarTypeOf(element) : std::nullopt;
}

Value TorchDomain::TensorQueries::dtypeQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  Value n = domain.number(Number::Kind::Integer, Provenance::Fixed, Facet::DType, self);
  const auto known = t.isTensor() && t.element != DType::Unknown ? domain.scalarTypeNumber(t.element) : std::nullopt;
  return known ? knownAs(*n.number(), *known) : n;
}

Value TorchDomain::TensorQueries::elementSizeQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  const unsigned bits = t.isTensor() ? dtypeBits(t.element) : 0;
  return bits >= 8 ? Number::ofInteger(bits / 8, Provenance::Fixed) : Number::unknown(Number::Kind::Integer);
}

Value TorchDomain::TensorQueries::bytesQuery(Call &c, const Value &self) {
  return domain.machine->arithmetic(clang::BO_Mul, countQuery(c, self), elementSizeQuery(c, self), domain.ast.LongTy,
                                    c.expr);
}

Value TorchDomain::TensorQueries::layoutQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  constexpr std::int64_t numbers = 8;
  for (std::int64_t i = 0; t.isTensor() && t.layout != Layout::Unknown && i < numbers; ++i)
    if (layoutOfNumber(i) == t.layout)
      return Number::ofInteger(i, Provenance::Fixed);
  return Number::unknown(Number::Kind::Integer, Provenance::Fixed);
}

Value TorchDomain::TensorQueries::sparseQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  return t.isTensor() && t.layout != Layout::Unknown ? Number::boolean(t.layout == Layout::SparseCoo, Provenance::Fixed)
                                                     : Number::unknown(Number::Kind::Bool);
}

Value TorchDomain::TensorQueries::quantizedQuery(Call &, const Value &self) {
  // The element types that we know are none of the quantised ones.
  const Type &t = domain.typeOf(self);
  return t.isTensor() && t.element != DType::Unknown ? Number::boolean(false, Provenance::Fixed)
                                                     : Number::unknown(Number::Kind::Bool);
}

Value TorchDomain::TensorQueries::deviceQuery(Call &, const Value &self) {
  const Type &t = domain.typeOf(self);
  const bool known = t.isTensor() && t.device;
  auto d =
      std::make_shared<DeviceDatum>(known ? std::string(domain.graphs.text(t.device)) : std::string(), t.deviceIndex);
  if (domain.isTensor(self))
    d->of = self.handle()->object;
  return Value(std::shared_ptr<const DeviceDatum>(std::move(d)));
}

Value TorchDomain::TensorQueries::optionsQuery(Call &, const Value &self) {
  auto o = std::make_shared<OptionsDatum>();
  if (domain.isTensor(self))
    o->like = self.handle()->object;
  else
    o->dtype = o->device = domain.machine->unknown("options of a tensor that is not known");
  return Value(std::shared_ptr<const OptionsDatum>(std::move(o)));
}

Value TorchDomain::TensorQueries::onDeviceQuery(const Value &self, std::string_view wanted) {
  const Type &t = domain.typeOf(self);
  const auto known = t.isTensor() && t.device ? std::optional(domain.graphs.text(t.device) == wanted) : std::nullopt;
  return domain.truthOf(self, Facet::IsDevice, known, std::string(wanted));
}

Value TorchDomain::classQuery(const Value &self, std::string text) {
  const Type &t = typeOf(self);
  const DTypeSet wanted = elementClass(text);
  std::optional<bool> decided;
  if (t.isTensor() && t.possible().disjoint(wanted))
    decided = false;
  else if (t.isTensor() && (t.possible() - wanted).empty())
    decided = true;
  return truthOf(self, Facet::IsOfClass, decided, std::move(text));
}

bool TorchDomain::asksRowMajor(Call &c) {
  if (c.arguments.empty() || c.arguments.front().isDefault)
    return true;
  const Value format = machine->load(c.arguments.front());
  return format.number() && format.number()->known && format.number()->integer == 0; // MemoryFormat::Contiguous
}

Value TorchDomain::TensorQueries::openQuery(Call &c, std::string_view name) {
  const Value self = domain.machine->load(*c.self);
  // What the tensor's sizes, strides and type say does not change unless it becomes another one.
  constexpr std::array<std::string_view, 10> lasting{
      "is_signed",     "storage_offset", "get_device", "is_conj",
      "is_neg",        "is_mkldnn",      "is_nested",  "is_non_overlapping_and_dense",
      "is_contiguous", "stride"};
  std::string asked(name);
  bool isKnown = std::ranges::find(lasting, name) != lasting.end();
  for (Argument &a : c.arguments) {
    const Value v = a.isDefault ? Value() : domain.machine->load(a);
    isKnown = isKnown && (a.isDefault || (v.number() && v.number()->known));
    if (isKnown && v.number())
      asked += " " + std::to_string(v.number()->integer);
  }
  const auto kind = numberKind(c.type);
  if (!isKnown || !kind || !domain.isTensor(self))
    return domain.machine->unknown(c.type, "a question about a tensor");
  if (*kind == Number::Kind::Bool)
    return domain.truthOf(self, Facet::Other, std::nullopt, std::move(asked));
  Number n = Number::unknown(*kind);
  const auto source = domain.sourceOf(Facet::Other, self);
  source->text = std::move(asked);
  n.source = source;
  return n;
}

std::optional<Value> TorchDomain::tensorQuery(Call &c, std::string_view name) {
  struct Row {
    std::string_view name;
    Value (TensorQueries::*answer)(Call &, const Value &);
  };
  constexpr std::array answered{Row{"defined", &TensorQueries::definedQuery},
                                Row{"is_same", &TensorQueries::sameQuery},
                                Row{"is_alias_of", &TensorQueries::sameQuery},
                                Row{"dim", &TensorQueries::rankQuery},
                                Row{"ndimension", &TensorQueries::rankQuery},
                                Row{"ndim", &TensorQueries::rankQuery},
                                Row{"size", &TensorQueries::sizeQuery},
                                Row{"sym_size", &TensorQueries::sizeQuery},
                                Row{"sizes", &TensorQueries::sizesQuery},
                                Row{"sym_sizes", &TensorQueries::sizesQuery},
                                Row{"numel", &TensorQueries::countQuery},
                                Row{"sym_numel", &TensorQueries::countQuery},
                                Row{"stride", &TensorQueries::strideQuery},
                                Row{"strides", &TensorQueries::stridesQuery},
                                Row{"sym_strides", &TensorQueries::stridesQuery},
                                Row{"scalar_type", &TensorQueries::dtypeQuery},
                                Row{"dtype", &TensorQueries::dtypeQuery},
                                Row{"device", &TensorQueries::deviceQuery},
                                Row{"options", &TensorQueries::optionsQuery},
                                Row{"element_size", &TensorQueries::elementSizeQuery},
                                Row{"itemsize", &TensorQueries::elementSizeQuery},
                                Row{"nbytes", &TensorQueries::bytesQuery},
                                Row{"layout", &TensorQueries::layoutQuery},
                                Row{"is_sparse", &TensorQueries::sparseQuery},
                                Row{"is_quantized", &TensorQueries::quantizedQuery}};
  constexpr std::array<std::string_view, 5> devices{"is_cuda", "is_cpu", "is_mps", "is_xpu", "is_meta"};
  constexpr std::array<std::string_view, 19> open{"is_signed",
                                                  "requires_grad",
                                                  "has_storage",
                                                  "storage_offset",
                                                  "get_device",
                                                  "is_leaf",
                                                  "unsafeGetTensorImpl",
                                                  "use_count",
                                                  "_version",
                                                  "names",
                                                  "has_names",
                                                  "is_inference",
                                                  "is_conj",
                                                  "is_neg",
                                                  "is_mkldnn",
                                                  "is_nested",
                                                  "sym_stride",
                                                  "is_non_overlapping_and_dense",
                                                  "suggest_memory_format"};
  const auto *row = std::ranges::find(answered, name, &Row::name);
  if (row != answered.end())
    return (TensorQueries(*this).*row->answer)(c, machine->load(*c.self));
  if (std::ranges::find(devices, name) != devices.end())
    return TensorQueries(*this).onDeviceQuery(machine->load(*c.self), name.substr(3));
  if (name == "is_floating_point")
    return classQuery(machine->load(*c.self), "floating");
  if (name == "is_complex")
    return classQuery(machine->load(*c.self), "complex");
  if (name == "is_contiguous" && asksRowMajor(c))
    return truthOf(machine->load(*c.self), Facet::IsContiguous, std::nullopt);
  if (name != "is_contiguous" && std::ranges::find(open, name) == open.end())
    return std::nullopt;
  return TensorQueries(*this).openQuery(c, name);
}

/// Whether a tensor is contiguous is told by its rank and its sizes, whether it has elements by its sizes. Lists of
/// sizes are held against sizes by what they consist of.
unsigned TorchDomain::aspectsOf(const clang::CXXMethodDecl &method) const {
  constexpr unsigned ofRank = 1, ofSizes = 2, ofElements = 4, ofDevice = 8;
  struct Row {
    std::string_view name;
    unsigned aspects;
  };
  constexpr std::array rows{Row{"device", ofDevice},
                            Row{"dim", ofRank},
                            Row{"dtype", ofElements},
                            Row{"element_size", ofElements},
                            Row{"get_device", ofDevice},
                            Row{"is_complex", ofElements},
                            Row{"is_contiguous", ofRank | ofSizes},
                            Row{"is_cpu", ofDevice},
                            Row{"is_cuda", ofDevice},
                            Row{"is_floating_point", ofElements},
                            Row{"is_meta", ofDevice},
                            Row{"is_mps", ofDevice},
                            Row{"is_non_overlapping_and_dense", ofRank | ofSizes},
                            Row{"is_quantized", ofElements},
                            Row{"is_signed", ofElements},
                            Row{"is_xla", ofDevice},
                            Row{"is_xpu", ofDevice},
                            Row{"itemsize", ofElements},
                            Row{"nbytes", ofSizes | ofElements},
                            Row{"ndimension", ofRank},
                            Row{"numel", ofSizes},
                            Row{"options", ofElements | ofDevice},
                            Row{"scalar_type", ofElements},
                            Row{"size", ofSizes},
                            Row{"stride", ofSizes},
                            Row{"sym_numel", ofSizes},
                            Row{"sym_size", ofSizes},
                            Row{"sym_stride", ofSizes}};
  const clang::CXXRecordDecl *record = method.getParent();
  if (!method.getIdentifier() || !record->getIdentifier() ||
      (record->getName() != "Tensor" && record->getName() != "TensorBase"))
    return 0;
  const auto *row = std::ranges::find(rows, std::string_view(method.getName()), &Row::name);
  return row == rows.end() ? 0 : row->aspects;
}

} // namespace condlint::cxx
