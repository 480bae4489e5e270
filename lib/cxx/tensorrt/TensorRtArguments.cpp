//===- TensorRtArguments.cpp - What is passed to TensorRT's functions -------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "Picks.h"
#include "TensorRtDomain.h"
#include "graph/SymbolName.h"
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// The field \p name of \p record or of one of its bases.
const clang::FieldDecl *fieldOf(const clang::CXXRecordDecl *record, llvm::StringRef name, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (!record || !record->hasDefinition() || depth > deepest)
    return nullptr;
  for (const clang::FieldDecl *f : record->fields())
    if (f->getName() == name)
      return f;
  for (const clang::CXXBaseSpecifier &base : record->bases())
    if (const clang::FieldDecl *f = fieldOf(base.getType()->getAsCXXRecordDecl(), name, depth + 1))
      return f;
  return nullptr;
}

struct TypeName {
  std::string_view name;
  DType type;
};
constexpr std::array typeNames{
    TypeName{"kFLOAT", DType::Float32},    TypeName{"kHALF", DType::Float16},   TypeName{"kINT8", DType::Int8},
    TypeName{"kINT32", DType::Int32},      TypeName{"kBOOL", DType::Bool},      TypeName{"kUINT8", DType::UInt8},
    TypeName{"kFP8", DType::Float8E4M3FN}, TypeName{"kBF16", DType::BFloat16},  TypeName{"kINT64", DType::Int64},
    TypeName{"kINT4", DType::Int4},        TypeName{"kFP4", DType::Float4E2M1}, TypeName{"kE8M0", DType::Float8E8M0FNU},
};

const clang::EnumDecl *enumOf(clang::QualType type) {
  return type.isNull() ? nullptr : type.getNonReferenceType()->getAsEnumDecl();
}

constexpr std::size_t mostNumbers = 64;
constexpr std::int64_t mostDims = 8;

} // namespace

std::string_view TensorRtDomain::enumerator(clang::QualType type, const Value &v) {
  const clang::EnumDecl *e = enumOf(type);
  const Number *n = v.number();
  if (!e || !n || !n->known)
    return {};
  for (const clang::EnumConstantDecl *c : e->enumerators())
    if (const llvm::APSInt &value = c->getInitVal();
        value.isRepresentableByInt64() && value.getExtValue() == n->integer)
      return c->getName();
  return {};
}

std::optional<DType> TensorRtDomain::dtype(clang::QualType type, const Value &v) {
  const std::string_view name = enumerator(type, v);
  for (const TypeName &t : typeNames)
    if (t.name == name)
      return t.type;
  return std::nullopt;
}

std::optional<std::vector<Dim>> TensorRtDomain::dims(Machine &m, const Value &v, clang::QualType type) {
  const clang::CXXRecordDecl *record = Machine::classOf(type);
  const clang::FieldDecl *count = fieldOf(record, "nbDims");
  const clang::FieldDecl *sizes = fieldOf(record, "d");
  std::int64_t n = mostDims;
  if (count) {
    const Value value = m.part(v, Step::ofField(count), count->getType());
    const Number *known = value.number();
    if (!known || !known->known || known->integer < 0 || known->integer > mostDims)
      return std::nullopt;
    n = known->integer;
  } else {
    sizes = fieldOf(record, "order"); // a permutation
  }
  if (!sizes)
    return std::nullopt;
  const Value all = m.part(v, Step::ofField(sizes), sizes->getType());
  std::vector<Dim> out;
  for (std::int64_t i = 0; i < n; ++i) {
    const Value one = m.part(all, Step::ofIndex(i), m.ast().LongLongTy);
    out.push_back(one.number() ? m.dimOf(*one.number()) : Dim());
  }
  return out;
}

Value TensorRtDomain::dimsValue(Machine &m, clang::QualType type, const Type &t) {
  return t.isTensor() && t.hasRank ? dimsValue(m, type, t.dims) : m.unknown(type, "dimensions that are not known");
}

Value TensorRtDomain::dimsValue(Machine &m, clang::QualType type, std::span<const Dim> dims) {
  const clang::CXXRecordDecl *record = Machine::classOf(type);
  const clang::FieldDecl *count = fieldOf(record, "nbDims");
  const clang::FieldDecl *sizes = fieldOf(record, "d");
  if (!count || !sizes || dims.size() > static_cast<std::size_t>(mostDims))
    return m.unknown(type, "dimensions that are not known");
  Record r;
  r.type = record;
  List d;
  for (Dim dim : dims) {
    const DimTable &table = m.dims();
    if (const auto known = table.asConstant(dim)) {
      d.items.push_back(Number::ofInteger(*known, Provenance::Fixed));
      continue;
    }
    // While it builds, TensorRT says -1 of what each run decides.
    bool dynamic = false;
    for (const condlint::Symbol &s : dim.known() ? table.symbolsOf(dim) : std::vector<condlint::Symbol>())
      dynamic = dynamic || (s.name.find(hiddenNamePart) != std::string::npos && !m.signedNumbers().isOfHost(s));
    d.items.push_back(dynamic       ? Number::ofInteger(-1, Provenance::Fixed)
                      : dim.known() ? Number::ofDim(dim, Provenance::Varies)
                                    : Number::unknown(Number::Kind::Integer));
  }
  d.items.resize(static_cast<std::size_t>(mostDims), Number::ofInteger(0, Provenance::Fixed));
  r.fields.emplace_back(count, Number::ofInteger(static_cast<std::int64_t>(dims.size()), Provenance::Fixed));
  r.fields.emplace_back(sizes, std::move(d));
  return r;
}

std::optional<Pointer> TensorRtDomain::sizeIn(const Pointer &at, clang::QualType type, std::int64_t i) {
  const clang::FieldDecl *sizes = fieldOf(Machine::classOf(type), "d");
  return sizes ? std::optional(at.then(Step::ofField(sizes)).then(Step::ofIndex(i))) : std::nullopt;
}

Setting TensorRtDomain::setting(Machine &m, std::string name, Argument &a) {
  Setting s;
  s.name = std::move(name);
  const Value v = m.load(a);
  const clang::QualType type = a.type.isNull() ? a.type : a.type.getNonReferenceType();
  if (type.isNull())
    return s;
  if (enumOf(type)) {
    if (const auto t = dtype(type, v)) {
      s.kind = AttributeKind::DType;
      s.number = static_cast<std::int64_t>(*t);
    } else if (s.text = enumerator(type, v); !s.text.empty()) {
      s.kind = AttributeKind::String;
    }
    return s;
  }
  if (Machine::classOf(type)) {
    if (auto sizes = dims(m, v, type)) {
      s.kind = AttributeKind::Dims;
      s.dims = std::move(*sizes);
    }
    return s;
  }
  if (const std::string *text = v.text()) {
    s.kind = AttributeKind::String;
    s.text = *text;
    return s;
  }
  const Number *n = v.number();
  if (!n || !type->isIntegralOrEnumerationType())
    return s;
  if (n->known) {
    s.kind = type->isBooleanType() ? AttributeKind::Bool : AttributeKind::Int;
    s.number = n->integer;
  } else if (n->dim.known()) {
    s.kind = AttributeKind::Dims;
    s.dims = {n->dim};
  }
  return s;
}

void TensorRtDomain::weights(Machine &m, LayerId l, const std::string &name, Argument &a) {
  const Value v = m.load(a);
  const clang::CXXRecordDecl *record = Machine::classOf(a.type);
  const clang::FieldDecl *type = fieldOf(record, "type");
  const clang::FieldDecl *values = fieldOf(record, "values");
  const clang::FieldDecl *count = fieldOf(record, "count");
  if (!type || !values || !count)
    return;
  const auto set = [&](std::string_view what, AttributeKind kind, std::int64_t number, std::vector<Dim> d = {}) {
    Setting s;
    s.name = name + std::string(what);
    s.kind = kind;
    s.number = number;
    s.dims = std::move(d);
    net.set(l, std::move(s));
  };
  const auto element = dtype(type->getType(), m.part(v, Step::ofField(type), type->getType()));
  if (!element)
    return;
  set("Type", AttributeKind::DType, static_cast<std::int64_t>(*element));
  const Value number = m.part(v, Step::ofField(count), count->getType());
  const Number *n = number.number();
  if (!n || !n->known)
    return;
  set("Count", AttributeKind::Int, n->integer);
  // The numbers themselves, where nobody can change them before they are read.
  const Value pointer = m.part(v, Step::ofField(values), values->getType());
  const Place *first = pointer.pointer() ? pointer.pointer()->only() : nullptr;
  if (!first || !first->object || n->integer < 1 || n->integer > static_cast<std::int64_t>(mostNumbers))
    return;
  const Object &o = m.object(first->object);
  clang::QualType stored = o.type;
  if (stored.isNull() || !m.ast().getBaseElementType(stored).isConstQualified())
    return;
  for (const Step &s : first->path) {
    stored = partType(m.ast(), stored, s);
    if (stored.isNull())
      return;
  }
  Place at = *first;
  if (stored->isArrayType()) {
    at.path.push_back(Step::ofIndex(0));
    stored = m.ast().getBaseElementType(stored);
  }
  if (!stored->isIntegerType() || (*element != DType::Bool && m.ast().getTypeSize(stored) != dtypeBits(*element)) ||
      isFloating(*element))
    return;
  std::vector<Dim> numbers;
  for (std::int64_t i = 0; i < n->integer; ++i) {
    Place one = at;
    if (i != 0 && (one.path.empty() || one.path.back().field || one.path.back().key || one.path.back().index < 0))
      return;
    if (i != 0)
      one.path.back().index += i;
    const Value value = m.peek(one, stored);
    if (!value.number() || !value.number()->known)
      return;
    numbers.push_back(m.dims().constant(value.number()->integer));
  }
  set("Values", AttributeKind::Dims, 0, std::move(numbers));
}

//===----------------------------------------------------------------------===//
// Dims2, Dims3, Dims4, DimsHW
//===----------------------------------------------------------------------===//

std::optional<Value> TensorRtDomain::construct(Machine &m, Call &call) {
  const clang::CXXRecordDecl *record = Machine::classOf(call.type);
  if (!isDimensions(call.type))
    return std::nullopt;
  const clang::FieldDecl *count = fieldOf(record, "nbDims");
  const clang::FieldDecl *sizes = fieldOf(record, "d");
  const auto *ctor = llvm::dyn_cast_or_null<clang::CXXConstructorDecl>(call.callee);
  if (!count || !sizes || !ctor || !ctor->isUserProvided())
    return std::nullopt;
  const llvm::StringRef suffix = record->getName().drop_front(4);
  unsigned rank = 2;
  if (suffix != "HW" && suffix.getAsInteger(10, rank))
    return std::nullopt;
  if (rank > static_cast<unsigned>(mostDims) || (!call.arguments.empty() && call.arguments.size() != rank))
    return std::nullopt;
  Record r;
  r.type = record;
  List d;
  for (Argument &a : call.arguments) {
    const Value v = m.load(a);
    d.items.push_back(v.number() ? v : Value(Number::unknown(Number::Kind::Integer)));
  }
  d.items.resize(static_cast<std::size_t>(mostDims), Number::ofInteger(0));
  r.fields.emplace_back(count, Number::ofInteger(rank));
  r.fields.emplace_back(sizes, std::move(d));
  return r;
}

} // namespace condlint::cxx
