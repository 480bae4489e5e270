//===- Indexing.cpp - x[i], x.index({...}), x.index_put_({...}) -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index by numbers, slices and None is a chain of views; tensors among the
// indices make a copy at the end (`aten.index`), but for one that is a number.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "Subscripts.h"
#include "TorchDomain.h"
#include "condlint/Op.h"

namespace condlint::cxx {

namespace {

using Kind = IndexDatum::Kind;

IndexDatum asIndex(const Value &v) {
  if (const auto *d = v.as<IndexDatum>())
    return *d;
  if (const Number *n = v.number())
    return IndexDatum(n->kind == Number::Kind::Bool ? Kind::Boolean : Kind::Integer, v);
  if (v.text())
    return IndexDatum(Kind::Ellipsis);
  if (v.isNull() || (v.optional() && v.optional()->has && !*v.optional()->has))
    return IndexDatum(Kind::None);
  if (v.optional())
    return IndexDatum(Kind::Tensor, v.optional()->value);
  return IndexDatum(Kind::Tensor, v);
}

/// Whether a tensor of the type \p t, as an index, is read on the host and selects a view: one of rank 0 that holds
/// an integer. Nothing where that is not known.
std::optional<bool> isNumber(const Type &t) {
  const DTypeSet numbers = DTypeSet::integral() - DTypeSet{DType::UInt8};
  if ((t.hasRank && !t.dims.empty()) || t.possible().disjoint(numbers))
    return false;
  return t.hasRank && (t.possible() - numbers).empty() ? std::optional(true) : std::nullopt;
}

} // namespace

Value TorchDomain::Subscripts::indexUnknown(const Value &view, const clang::Expr *at) {
  NodeDraft d(domain.graphs, "aten", "index", "Tensor");
  d.value("self", domain.valueOf(view, at));
  d.opaque("indices", "indices that are not known");
  return domain.newTensor(domain.emitOne(std::move(d), at));
}

Value TorchDomain::Subscripts::index(const Value &self, const std::vector<Value> &given, const clang::Expr *at,
                                     bool *copies, std::vector<ValueId> *tensorsOut) {
  std::vector<IndexDatum> indices;
  for (const Value &v : given) {
    indices.push_back(asIndex(v));
    if (IndexDatum &i = indices.back();
        i.kind == Kind::Tensor && domain.isTensor(i.a) && isNumber(domain.typeOf(i.a)) == true)
      i = IndexDatum(Kind::Integer, Number::unknown(Number::Kind::Integer));
  }
  const Call site{nullptr, {}, at, {}, {}, {}};
  Value view = self;
  std::int64_t dim = 0;
  std::vector<ValueId> tensors; // by dimension of the view
  bool anyTensor = false;
  bool copied = false; // for certain
  const auto takes = [](const IndexDatum &i) {
    return i.kind == Kind::Integer || i.kind == Kind::Slice || i.kind == Kind::Tensor;
  };
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const IndexDatum &i = indices[k];
    switch (i.kind) {
    case Kind::Integer: {
      NodeDraft d(domain.graphs, "aten", "select", "int");
      d.value("self", domain.valueOf(view, at));
      d.integer("dim", dim);
      domain.addArgument(d, {"index", AtenType::Int}, i.a, site, false);
      view = domain.newTensor(domain.emitOne(std::move(d), at));
      break;
    }
    case Kind::Slice: {
      const auto plain = [](const Value &v, std::int64_t otherwise) {
        return v.isAbsent() || (v.number() && v.number()->known && v.number()->integer == otherwise);
      };
      if (plain(i.a, 0) && i.b.isAbsent() && plain(i.c, 1) && indices.size() > 1) {
        ++dim;
        tensors.resize(static_cast<std::size_t>(dim));
        break;
      }
      NodeDraft d(domain.graphs, "aten", "slice", "Tensor");
      d.value("self", domain.valueOf(view, at));
      d.integer("dim", dim);
      if (!i.a.isAbsent())
        domain.addArgument(d, {"start", AtenType::Int}, i.a, site, false);
      if (!i.b.isAbsent())
        domain.addArgument(d, {"end", AtenType::Int}, i.b, site, false);
      if (!i.c.isAbsent())
        domain.addArgument(d, {"step", AtenType::Int}, i.c, site, false);
      view = domain.newTensor(domain.emitOne(std::move(d), at));
      ++dim;
      break;
    }
    case Kind::None: {
      NodeDraft d(domain.graphs, "aten", "unsqueeze");
      d.value("self", domain.valueOf(view, at));
      d.integer("dim", dim);
      view = domain.newTensor(domain.emitOne(std::move(d), at));
      ++dim;
      break;
    }
    case Kind::Ellipsis: {
      std::int64_t rest = 0;
      for (std::size_t j = k + 1; j < indices.size(); ++j)
        rest += takes(indices[j]) ? 1 : 0;
      const Type &t = domain.typeOf(view);
      if (t.isTensor() && t.hasRank && static_cast<std::int64_t>(t.dims.size()) >= rest) {
        dim = static_cast<std::int64_t>(t.dims.size()) - rest;
        break;
      }
      if (rest == 0 && k + 1 == indices.size())
        break;
      // Where the further indices go is not known. A tensor among them copies.
      bool more = false;
      for (std::size_t j = k + 1; j < indices.size(); ++j)
        more = more || indices[j].kind == Kind::Tensor || indices[j].kind == Kind::Boolean;
      if (copies)
        *copies = more || anyTensor;
      if (more || anyTensor)
        return indexUnknown(view, at);
      return domain.genericView(view, at);
    }
    case Kind::Boolean: {
      // A new dimension: of one element for true, of none for false. The result is a copy.
      anyTensor = copied = true;
      const Number *known = i.a.number();
      if (!known || !known->known) {
        if (copies)
          *copies = true;
        return indexUnknown(view, at);
      }
      NodeDraft d(domain.graphs, "aten", "unsqueeze");
      d.value("self", domain.valueOf(view, at));
      d.integer("dim", dim);
      view = domain.newTensor(domain.emitOne(std::move(d), at));
      if (known->integer == 0) {
        NodeDraft none(domain.graphs, "aten", "slice", "Tensor");
        none.value("self", domain.valueOf(view, at));
        none.integer("dim", dim);
        none.integer("start", 0);
        none.integer("end", 0);
        view = domain.newTensor(domain.emitOne(std::move(none), at));
      }
      ++dim;
      break;
    }
    case Kind::Tensor: {
      anyTensor = true;
      copied = copied || (domain.isTensor(i.a) && isNumber(domain.typeOf(i.a)) == false);
      tensors.resize(static_cast<std::size_t>(std::max<std::int64_t>(dim, 0)));
      tensors.push_back(domain.valueOf(i.a, at, "an index"));
      ++dim;
      break;
    }
    }
    if (dim > 64)
      return domain.genericView(view, at);
  }
  if (copies)
    *copies = anyTensor;
  if (tensorsOut)
    *tensorsOut = tensors;
  if (!anyTensor)
    return view;
  if (tensorsOut)
    return view; // the caller writes where they point
  if (!copied) { // a view of it where the index is a number
    NodeDraft d(domain.graphs, "aten", "reshape");
    d.value("self", domain.valueOf(view, at));
    d.opaque("shape", "an index that may be a number");
    return domain.newTensor(domain.emitOne(std::move(d), at));
  }
  NodeDraft d(domain.graphs, "aten", "index", "Tensor");
  d.value("self", domain.valueOf(view, at));
  d.values("indices", tensors);
  return domain.newTensor(domain.emitOne(std::move(d), at));
}

Value TorchDomain::Subscripts::indexAssign(const Value &self, Value where, const Value &v, const clang::Expr *at,
                                           bool accumulate) {
  const auto indices = domain.machine->elements(where);
  bool copies = false;
  std::vector<ValueId> tensors;
  const Value view = indices ? index(self, *indices, at, &copies, &tensors) : domain.genericView(self, at);
  if (!copies) {
    domain.assignInto(view, v, at);
    return self;
  }
  NodeDraft d(domain.graphs, "aten", "index_put_");
  d.value("self", domain.valueOf(view, at));
  d.values("indices", tensors);
  d.value("values", domain.isTensor(v) ? domain.valueOf(v, at)
                    : v.number()       ? scalarTensor(*v.number(), at)
                                       : domain.valueOf(v, at));
  d.boolean("accumulate", accumulate);
  domain.emitOne(std::move(d), at);
  return self;
}

ValueId TorchDomain::Subscripts::scalarTensor(const Number &n, const clang::Expr *at) {
  NodeDraft d(domain.graphs, "aten", "scalar_tensor");
  domain.addArgument(d, {"s", AtenType::Number}, n, Call{nullptr, {}, at, {}, {}, {}}, false);
  return domain.emitOne(std::move(d), at);
}

} // namespace condlint::cxx
