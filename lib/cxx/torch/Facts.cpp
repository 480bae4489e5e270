//===- Facts.cpp - What checks and annotations say of tensors -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition on a tensor's metadata that is known to hold from here on (the
// other path ends, or is the other arm) becomes a `cxx.assume` of what it says.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "TorchDomain.h"
#include "ops/TensorItself.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

namespace {

using Facet = SourceDatum::Facet;

} // namespace

class FacetTest : public Test {
public:
  FacetTest(TorchDomain &d, SourceDatum s, bool equal, std::int64_t v)
      : domain(d), source(std::move(s)), equals(equal), value(v) {}
  std::vector<Dim> shape; ///< Sizes
  Dim size;               ///< Size, where it is no constant

  void assume(Machine &m, bool truth) const override {
    const Type *now = typeNow(m);
    Facts f;
    const Token *id = source.tensor ? m.objectValue(source.tensor).token() : nullptr;
    if (now && tell(*now, id, truth, false, f)) {
      f.type.dims = f.dims;
      f.type.strides = f.strides;
      domain.assume(source.tensor, f.type, nullptr);
    } else if (now && source.facet == Facet::Size && truth == equals && !now->hasRank && value >= 0 && !size.known() &&
               source.index != INT64_MIN) {
      // What the size is says nothing of the rank.
      Type tensor;
      tensor.kind = ValueKind::Tensor;
      domain.assume(source.tensor, tensor, nullptr);
      if (const Token *t = m.objectValue(source.tensor).token())
        domain.sizes[{t->id, source.index}] = Number::ofInteger(value, Provenance::Fixed);
    }
  }

  void refuted(Machine &m, bool needed) const override {
    const Type *now = typeNow(m);
    Facts f;
    if (now && tell(*now, nullptr, needed, true, f)) {
      f.type.dims = f.dims;
      domain.demand(source.tensor, f.type);
    }
  }

private:
  struct Facts {
    Type type;
    std::vector<Dim> dims, strides;
  };

  /// Null where it is another tensor than the one that was asked.
  const Type *typeNow(Machine &m) const {
    const Token *t = source.tensor ? m.objectValue(source.tensor).token() : nullptr;
    if (!t || t->tag != ValueTag || (source.of && domain.metadataOf(ValueId(t->id)) != source.of))
      return nullptr;
    return &domain.model().type(ValueId(t->id));
  }

  /// What the test being \p truth says of a tensor that is \p now; false for nothing
  /// new. \p id: which value it is; \p contrary: what it says although the contrary is known.
  bool tell(const Type &now, const Token *id, bool truth, bool contrary, Facts &out) const {
    const bool holds = truth == equals;
    Model &graphs = domain.model();
    Type &facts = out.type;
    facts.kind = ValueKind::Tensor;
    switch (source.facet) {
    case Facet::Rank:
      if (!holds || value < 0 || value > 64 || (now.hasRank && !contrary))
        return false;
      out.dims.resize(static_cast<std::size_t>(value));
      for (std::int64_t i = 0; i < value && id; ++i)
        for (const std::int64_t axis : {i, i - value})
          if (const auto known = domain.sizes.find({id->id, axis}); known != domain.sizes.end() && !contrary)
            if (const Number *n = known->second.number(); n && n->known)
              out.dims[static_cast<std::size_t>(i)] = graphs.dims.constant(n->integer);
      facts.hasRank = true;
      return true;
    case Facet::Size: {
      if (!holds || !now.hasRank || value < 0)
        return false;
      const auto rank = static_cast<std::int64_t>(now.dims.size());
      const std::int64_t axis = source.index < 0 ? source.index + rank : source.index;
      if (axis < 0 || axis >= rank || (graphs.dims.asConstant(now.dims[static_cast<std::size_t>(axis)]) && !contrary))
        return false;
      if (contrary)
        out.dims.resize(now.dims.size());
      else
        out.dims.assign(now.dims.begin(), now.dims.end());
      out.dims[static_cast<std::size_t>(axis)] = size.known() ? size : graphs.dims.constant(value);
      facts.hasRank = true;
      return true;
    }
    case Facet::Sizes:
      if (!holds || (now.hasRank && now.dims.size() != shape.size() && !contrary))
        return false;
      out.dims = shape;
      facts.hasRank = true;
      return true;
    case Facet::DType: {
      const DType element = domain.dtypeOf(Number::ofInteger(value));
      if (element == DType::Unknown || (now.element != DType::Unknown && !contrary))
        return false;
      if (holds)
        facts.element = element;
      else
        facts.restrict((contrary ? DTypeSet::all() : now.possible()) - DTypeSet{element});
      return true;
    }
    case Facet::IsOfClass: {
      const DTypeSet wanted = elementClass(source.text);
      const DTypeSet said = truth ? wanted : DTypeSet::all() - wanted;
      facts.restrict(contrary ? said : now.possible() & said);
      return true;
    }
    case Facet::IsDevice:
      if (!truth || (now.device && !contrary))
        return false;
      facts.device = graphs.strings.intern(source.text);
      return true;
    case Facet::IsContiguous: {
      if (!truth || !now.hasRank || now.hasStrides || contrary)
        return false;
      Dim stride = graphs.dims.constant(1);
      out.dims.assign(now.dims.begin(), now.dims.end());
      facts.hasRank = true;
      out.strides.resize(now.dims.size());
      for (std::size_t i = now.dims.size(); i-- > 0;) {
        out.strides[i] = stride;
        stride = graphs.dims.mul(stride, now.dims[i]);
      }
      facts.hasStrides = true;
      return true;
    }
    default:
      return false;
    }
  }

  TorchDomain &domain;
  SourceDatum source;
  bool equals;
  std::int64_t value;
};

/// Two tensors have the same of something: what is known of one is known of the other.
class SameFacetTest : public Test {
public:
  SameFacetTest(TorchDomain &d, SourceDatum a, SourceDatum b, bool equal)
      : domain(d), first(std::move(a)), second(std::move(b)), equals(equal) {}

  void assume(Machine &, bool truth) const override {
    if (truth != equals)
      return;
    domain.tellAlike(first, second);
    domain.tellAlike(second, first);
    domain.remember(first, second);
  }

private:
  TorchDomain &domain;
  SourceDatum first, second;
  bool equals;
};

/// Two tensors are the same one.
class SameTensorTest : public Test {
public:
  SameTensorTest(TorchDomain &d, ObjectId a, ObjectId b, bool equal) : domain(d), first(a), second(b), equals(equal) {}

  void assume(Machine &, bool truth) const override {
    if (truth == equals)
      return;
    domain.tellApart(first, second);
    domain.tellApart(second, first);
  }

private:
  TorchDomain &domain;
  ObjectId first, second;
  bool equals;
};

void TorchDomain::tellApart(ObjectId object, ObjectId other) {
  const Value handle = Handle{object, TensorTag};
  const Token *now = machine->objectValue(object).token();
  const Token *base = machine->objectValue(other).token();
  if (!now || !base || now->tag != ValueTag || base->tag != ValueTag)
    return;
  const ValueId v = withoutAssumptions(ValueId(now->id));
  const NodeId def = graphs[v].origin == ValueOrigin::Result ? graphs[v].def : NodeId();
  if (def && isItselfOrCopy(graphs, def) &&
      tensorItself(graphs, graphs.operands(def)[0]) == tensorItself(graphs, ValueId(base->id)))
    rebind(handle, valueOf(copied(handle, nullptr), nullptr));
}

Value TorchDomain::sameTensor(const Value &a, const Value &b, bool equal) {
  const bool isKnown = isTensor(a) && isTensor(b);
  if (isKnown && a.handle()->object == b.handle()->object)
    return Number::boolean(equal, Provenance::Fixed);
  // Two others may still be the same, as what `contiguous()` yields may be: the code says it, but not to us.
  Number answer = Number::unknown(Number::Kind::Bool);
  const auto isGiven = [&](const Value &v) {
    const Token *t = machine->objectValue(v.handle()->object).token();
    const ValueId base = t && t->tag == ValueTag ? metadataOf(ValueId(t->id)) : ValueId();
    return base && graphs[base].origin == ValueOrigin::Parameter;
  };
  answer.determined = !isKnown || !isGiven(a) || !isGiven(b);
  if (isKnown)
    answer.test = std::make_shared<SameTensorTest>(*this, a.handle()->object, b.handle()->object, equal);
  return answer;
}

void TorchDomain::tellAlike(const SourceDatum &from, const SourceDatum &to) {
  Machine &m = *machine;
  const Type t = typeOf(Value(Handle{from.tensor, TensorTag}));
  if (!t.isTensor())
    return;
  Type facts;
  facts.kind = ValueKind::Tensor;
  FacetTest test(*this, to, true, 0);
  switch (from.facet) {
  case Facet::DType:
    facts.restrict(t.possible());
    if (const Type now = typeOf(Value(Handle{to.tensor, TensorTag})); now.possible() != t.possible())
      assume(to.tensor, facts, nullptr);
    return;
  case Facet::Rank:
    if (t.hasRank)
      FacetTest(*this, to, true, static_cast<std::int64_t>(t.dims.size())).assume(m, true);
    return;
  case Facet::Sizes:
    if (!t.hasRank)
      return;
    test.shape.assign(t.dims.begin(), t.dims.end());
    break;
  case Facet::Size: {
    const auto rank = static_cast<std::int64_t>(t.dims.size());
    const std::int64_t axis = from.index < 0 ? from.index + rank : from.index;
    if (!t.hasRank || axis < 0 || axis >= rank)
      return;
    test.size = t.dims[static_cast<std::size_t>(axis)];
    if (!test.size.known())
      return;
    break;
  }
  default:
    return;
  }
  test.assume(m, true);
}

std::shared_ptr<const Test> TorchDomain::factOf(unsigned opcode, const Number &a, const Number &b) {
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  if (op != clang::BO_EQ && op != clang::BO_NE)
    return nullptr;
  const auto *left = dynamic_cast<const SourceDatum *>(a.source.get());
  const auto *right = dynamic_cast<const SourceDatum *>(b.source.get());
  const SourceDatum *source = left && left->tensor ? left : right && right->tensor ? right : nullptr;
  const Number &other = source == left ? b : a;
  if (left && right && left->tensor && right->tensor && left->facet == right->facet)
    return std::make_shared<SameFacetTest>(*this, *left, *right, op == clang::BO_EQ);
  if (source && source->facet == Facet::Size && !other.known && other.dim.known()) {
    auto test = std::make_shared<FacetTest>(*this, *source, op == clang::BO_EQ, 0);
    test->size = other.dim;
    return test;
  }
  if (!source || source->facet == Facet::Value || !other.known || other.kind == Number::Kind::Floating)
    return nullptr;
  // A truth value by itself is `!= false`.
  const bool isTruth =
      source->facet == Facet::IsOfClass || source->facet == Facet::IsDevice || source->facet == Facet::IsContiguous;
  const bool equal = isTruth ? (op == clang::BO_EQ) == (other.integer != 0) : op == clang::BO_EQ;
  SourceDatum copy = *source;
  return std::make_shared<FacetTest>(*this, std::move(copy), equal, other.integer);
}

Value TorchDomain::compareLists(const List &a, const List &b, bool equal) {
  // A copy of a tensor's sizes may have been changed.
  const auto sizesOf = [&](const List &l) -> const SourceDatum * {
    const auto *of = dynamic_cast<const SourceDatum *>(l.origin.get());
    if (!of || !of->tensor || (l.sized && typeOf(Handle{of->tensor, TensorTag}).dims.size() != l.items.size()))
      return nullptr;
    for (std::size_t i = 0; i < l.items.size(); ++i) {
      const Number *n = l.items[i].number();
      const auto *size = n ? dynamic_cast<const SourceDatum *>(n->source.get()) : nullptr;
      if (!size || size->facet != Facet::Size || size->tensor != of->tensor ||
          size->index != static_cast<std::int64_t>(i))
        return nullptr;
    }
    return of;
  };
  if (a.sized && b.sized) {
    if (a.items.size() != b.items.size())
      return Number::boolean(!equal, Provenance::Fixed);
    bool all = true;
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      const Value same = machine->compare(clang::BO_EQ, a.items[i], b.items[i], nullptr);
      const Number *n = same.number();
      if (n && n->known && n->integer == 0)
        return Number::boolean(!equal, Provenance::Fixed);
      all = all && n && n->known;
    }
    if (all)
      return Number::boolean(equal, Provenance::Fixed);
  }
  Number out = Number::unknown(Number::Kind::Bool);
  if (const SourceDatum *x = sizesOf(a), *y = sizesOf(b);
      x && y && x->facet == Facet::Sizes && y->facet == Facet::Sizes) {
    const std::uint32_t of[] = {std::min(x->of, y->of).index(), std::max(x->of, y->of).index()};
    const bool isNamed = x->of && y->of;
    const Dim same = isNamed ? identityOf("sizes #" + std::to_string(of[0]) + " #" + std::to_string(of[1])) : Dim();
    out.test =
        asking({same, equal ? clang::BO_NE : clang::BO_EQ, 0}, std::make_shared<SameFacetTest>(*this, *x, *y, equal));
    return out;
  }
  const SourceDatum *source = sizesOf(a) ? sizesOf(a) : sizesOf(b);
  const List &other = sizesOf(a) ? b : a;
  if (source && source->facet == Facet::Sizes && other.sized) {
    auto test = std::make_shared<FacetTest>(*this, *source, equal, 0);
    std::string shape;
    for (const Value &item : other.items) {
      test->shape.push_back(item.number() ? machine->dimOf(*item.number()) : Dim{});
      shape += " " + std::to_string(test->shape.back().index);
    }
    const bool isNamed = source->of && std::ranges::all_of(test->shape, [](const Dim d) { return d.known(); });
    const Dim same = isNamed ? identityOf("sizes #" + std::to_string(source->of.index()) + shape) : Dim();
    out.test = asking({same, equal ? clang::BO_NE : clang::BO_EQ, 0}, std::move(test));
  }
  return out;
}

std::optional<Value> TorchDomain::annotation(Call &c, std::string_view name) {
  if ((name != "expectTensor" && name != "expectDtype") || c.arguments.size() < 2)
    return std::nullopt;
  const Value tensor = machine->load(c.arguments[0]);
  Type facts;
  facts.kind = ValueKind::Tensor;
  facts.element = dtypeOf(machine->load(c.arguments[1]));
  std::vector<Dim> dims;
  if (name == "expectTensor" && c.arguments.size() > 2) {
    const auto wanted = machine->elements(machine->load(c.arguments[2]));
    facts.hasRank = wanted.has_value();
    facts.layout = Layout::Strided; // what has sizes to tell lies in memory
    const clang::FunctionDecl *in = machine->frames().empty() ? nullptr : machine->frames().back()->function;
    for (const Value &v : wanted.value_or(std::vector<Value>())) {
      if (const Number *n = v.number()) {
        dims.push_back(machine->dimOf(*n));
        continue;
      }
      if (!v.text()) {
        dims.push_back(Dim{});
        continue;
      }
      // The same string in one function is the same size; in another it is another.
      std::string symbol = *v.text();
      const clang::FunctionDecl *named = namedFunction(in);
      const auto [owner, isNew] = symbolOwners.try_emplace(symbol, named);
      if (owner->second != named)
        symbol += " of " + (named ? qualifiedNameOf(*named) : std::string("another function"));
      dims.push_back(graphs.dims.symbol(symbol, SymbolOrigin::Declared));
    }
  }
  facts.dims = dims;
  if (isTensor(tensor)) {
    valueOf(tensor, c.expr); // it is there from here on
    assume(tensor.handle()->object, facts, c.expr);
  }
  return c.type->isVoidType() ? Value(Void{}) : machine->unknown("a contract");
}

} // namespace condlint::cxx
