//===- Constraints.cpp - What conditions imply ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `TORCH_CHECK(x.size(0) > 3)` here and `if (x.size(0) <= 3)` further down, or in a
// branch that is given `x`: the arm never runs, though nobody knows the size. What a
// number is that is not known (a size, the rank of a tensor, a flag from outside) has
// a name, an expression over sizes; what it was compared with on the way that is
// followed bounds it. A name is that of a value, and values do not change: a tensor
// that is resized in place, or a variable that is assigned, is another one from there on.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/HostConditions.h"
#include "../interp/values/Tests.h"
#include "Admission.h"
#include "TorchDomain.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <bit>
#include <limits>

namespace condlint::cxx {

/// Tests that become constraints.
class TorchDomain::ConstraintTests {
public:
  explicit ConstraintTests(TorchDomain &torch) : domain(torch) {}
  std::shared_ptr<const Test> testOf(const HostQuestion &q);

private:
  TorchDomain &domain;
};

namespace {

using Facet = SourceDatum::Facet;
using Opcode = clang::BinaryOperatorKind;

constexpr std::size_t mostConstraints = 128;

/// A whole number for each float, in their order.
std::int64_t ordinalOf(double v) {
  const auto bits = std::bit_cast<std::int64_t>(v == 0 ? 0.0 : v);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

/// The number \c what compares so with \c constant.
class ConstraintTest : public Test {
public:
  ConstraintTest(TorchDomain &d, const NumberComparison &c, std::shared_ptr<const Test> t)
      : domain(d), asked(c), fact(std::move(t)) {}

  void assume(Machine &m, bool truth) const override {
    domain.addConstraint(truth ? asked : asked.negated());
    if (fact)
      fact->assume(m, truth);
  }
  void refuted(Machine &m, bool needed) const override {
    if (fact)
      fact->refuted(m, needed);
  }
  std::optional<bool> decided(Machine &) const override { return domain.answerTo(asked); }
  bool isKept() const override { return domain.isKept(asked); }
  bool isOfMade() const override { return domain.isOfMade(asked); }
  const NumberComparison &comparison() const { return asked; }

private:
  TorchDomain &domain;
  NumberComparison asked;
  std::shared_ptr<const Test> fact; ///< what it says of the tensors themselves
};

/// Adds to \p all what holds where \p t is \p truth; false where that is not known, or one of several.
bool addParts(const Test *t, bool truth, std::vector<NumberComparison> &all) {
  if (const auto *no = dynamic_cast<const NotTest *>(t))
    return addParts(&no->denied(), !truth, all);
  if (const auto *both = dynamic_cast<const BothTest *>(t); both && truth)
    return addParts(both->left(), true, all) && addParts(both->right(), true, all);
  const auto *one = dynamic_cast<const ConstraintTest *>(t);
  if (one)
    all.push_back(truth ? one->comparison() : one->comparison().negated());
  return one != nullptr;
}

} // namespace

NumberComparison NumberComparison::negated() const {
  return {what, clang::BinaryOperator::negateComparisonOp(opcode), constant};
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

ValueId TorchDomain::metadataOf(ValueId v) const {
  for (;;) {
    v = withoutAssumptions(v);
    const auto operand = operandOf.find(v.index());
    if (operand == operandOf.end())
      break;
    v = operand->second;
  }
  // One element of a list is not the next one.
  const NodeId def = graphs[v].origin == ValueOrigin::Result ? graphs[v].def : NodeId();
  return def && has(graphs, def, attr::unsized) ? ValueId() : v;
}

ValueId TorchDomain::metadataOfTensor(const Value &tensor) {
  if (!isTensor(tensor))
    return {};
  if (machine->objectValue(tensor.handle()->object).unknown())
    valueOf(tensor, nullptr);
  const Token *t = machine->objectValue(tensor.handle()->object).token();
  return t && t->tag == ValueTag ? metadataOf(ValueId(t->id)) : ValueId();
}

Dim TorchDomain::nameOfSize(ValueId v, std::int64_t axis, Dim made) {
  const Type &t = graphs.type(v);
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  const std::int64_t i = axis < 0 ? axis + rank : axis;
  if (t.hasRank && i >= 0 && i < rank && t.dims[static_cast<std::size_t>(i)].known())
    return made;
  const ValueId of = metadataOf(v);
  return of ? sizeNames.try_emplace({of.index(), axis}, made).first->second : Dim();
}

Dim TorchDomain::identityOf(const std::string &question) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return graphs.dims.symbol(question, SymbolOrigin::Anonymous, {-most - 1, most});
}

Dim TorchDomain::identityOf(const SourceDatum &s) {
  if (s.facet == Facet::Given)
    return identityOf("given #" + std::to_string(s.index));
  const ValueId of = s.facet == Facet::Value ? s.value : s.of;
  return of ? identityOf("facet " + std::to_string(static_cast<int>(s.facet)) + s.text + " #" +
                         std::to_string(of.index()))
            : Dim();
}

Dim TorchDomain::identityOf(const Number &n) {
  if (const Dim size = machine->dimOf(n); size.known())
    return size;
  if (n.known)
    return graphs.dims.constant(ordinalOf(n.real));
  const auto *source = dynamic_cast<const SourceDatum *>(n.source.get());
  return source && source->facet != Facet::Size ? identityOf(*source) : Dim();
}

void TorchDomain::identify(Machine &, Number &n) {
  if (n.known || identityOf(n).known())
    return;
  n.source = std::make_shared<SourceDatum>(Facet::Given, ObjectId(), ++identified);
  if (const auto name = graphs.dims.asSymbol(identityOf(n)))
    identifiedAs.emplace(name->name, static_cast<std::uint64_t>(identified));
  if (n.kind == Number::Kind::Bool && !n.test)
    n.test = comparison(*machine, clang::BO_NE, n, Number::boolean(false));
}

void TorchDomain::leaveOpen(Machine &m, const Number &n) {
  if (const Dim d = identityOf(n); d.known())
    m.signedNumbers().leaveOpen(graphs.dims, d);
}

std::shared_ptr<const Test> TorchDomain::ConstraintTests::testOf(const HostQuestion &q) {
  if (q.ofText) // what is asked of it is not held together with the rest by how it is spelled
    return nullptr;
  if (!q.parts.empty()) {
    std::shared_ptr<const Test> all = testOf(q.parts.front());
    for (std::size_t i = 1; i < q.parts.size(); ++i)
      all = std::make_shared<BothTest>(std::move(all), testOf(q.parts[i]));
    return q.truth ? all : negated(all);
  }
  std::string words = q.words;
  for (const Value &held : q.asked) {
    const Number *n = held.number();
    const Dim number = n ? domain.identityOf(*n) : Dim();
    if (!number.known() && !held.text() && !held.isNull())
      return nullptr;
    words += number.known() ? " #" + std::to_string(number.index) : held.text() ? " '" + *held.text() + "'" : " null";
  }
  if (words.empty())
    return nullptr;
  const Dim answer = domain.identityOf("asks " + words);
  if (q.ofContainer) // what else is asked of it says something of that
    domain.machine->signedNumbers().leaveOpen(domain.graphs.dims, answer);
  return domain.asking({answer, q.truth ? clang::BO_NE : clang::BO_EQ, 0}, nullptr);
}

std::shared_ptr<const Test> TorchDomain::question(Machine &m, const clang::Expr &condition) {
  return ConstraintTests(*this).testOf(HostConditions::questionOf(m, &condition, true));
}

std::shared_ptr<const Test> TorchDomain::asking(const NumberComparison &c, std::shared_ptr<const Test> fact) {
  return c.what.known() ? std::make_shared<ConstraintTest>(*this, c, std::move(fact)) : std::move(fact);
}

std::shared_ptr<const Test> TorchDomain::comparison(Machine &m, unsigned opcode, const Number &a, const Number &b) {
  auto op = static_cast<Opcode>(opcode);
  std::shared_ptr<const Test> fact = factOf(op, a, b);
  const bool isReal = a.kind == Number::Kind::Floating;
  if (!clang::BinaryOperator::isComparisonOp(op) || op == clang::BO_Cmp || isReal != (b.kind == Number::Kind::Floating))
    return fact;
  const Dim l = identityOf(a), r = identityOf(b);
  if (!l.known() || !r.known() || (a.known && b.known))
    return fact;
  DimTable &dims = m.dims();
  if (const auto k = b.known ? dims.asConstant(r) : std::nullopt)
    return asking({l, op, *k}, std::move(fact));
  if (const auto k = a.known ? dims.asConstant(l) : std::nullopt)
    return asking({r, mirrored(op), *k}, std::move(fact));
  if (isReal)
    return fact;
  // Of two that are not known their difference is compared, in one of its two directions.
  const Dim x = dims.sub(l, r), y = dims.sub(r, l);
  return asking(x < y ? NumberComparison{x, op, 0} : NumberComparison{y, mirrored(op), 0}, std::move(fact));
}

//===----------------------------------------------------------------------===//
// What holds
//===----------------------------------------------------------------------===//

namespace {

/// What the object \p o of \p m holds; nothing is known where paths met that cannot be joined.
std::shared_ptr<PathConstraints> copyOf(const Machine &m, ObjectId o) {
  const auto *now = m.objectValue(o).as<PathConstraints>();
  return now ? std::make_shared<PathConstraints>(*now) : std::make_shared<PathConstraints>();
}

} // namespace

void TorchDomain::forgetConstraints() {
  pathConstraints = machine->newObject(Value(std::make_shared<const PathConstraints>()), {}, Storage::Heap);
  operandOf.clear();
  sizeNames.clear();
}

void TorchDomain::addConstraint(const NumberComparison &c) {
  constexpr std::size_t most = mostConstraints;
  const auto *now = machine->objectValue(pathConstraints).as<PathConstraints>();
  const auto before = now ? now->values.find(c.what) : std::map<Dim, PossibleValues>::const_iterator();
  const bool isNew = !now || before == now->values.end();
  if (isNew ? now && now->values.size() >= most : before->second.holds(c.opcode, c.constant).value_or(false))
    return;
  const std::shared_ptr<PathConstraints> all = copyOf(*machine, pathConstraints);
  all->add(c);
  if (all->declared.size() < most && graphs.dims.mentions(c.what, SymbolOrigin::Declared))
    all->declared.push_back(c);
  machine->setObject(pathConstraints, Value(std::shared_ptr<const PathConstraints>(all)));
}

bool TorchDomain::isKept(const NumberComparison &c) const {
  return !machine->signedNumbers().hangsOnOpen(graphs.dims, c.what);
}

bool TorchDomain::isOfMade(const NumberComparison &c) const {
  return std::ranges::any_of(graphs.dims.symbolsOf(c.what), [&](const condlint::Symbol &s) {
    return !machine->signedNumbers().partsOf(s).empty() || loopNumbers.contains(s.name);
  });
}

HostNumbers TorchDomain::hostNumbers() const {
  return {graphs.dims, machine->signedNumbers(), machine->askedTexts(), machine->askedContainers()};
}

std::optional<bool> TorchDomain::answerTo(const NumberComparison &c) const {
  const auto *now = machine->objectValue(pathConstraints).as<PathConstraints>();
  if (!now)
    return std::nullopt;
  if (const auto known = now->answerTo(c))
    return known;
  if (const auto value = valueIn(hostNumbers(), *now, c.what)) {
    PossibleValues only;
    only.restrict(clang::BO_EQ, *value);
    return only.holds(c.opcode, c.constant);
  }
  if (const auto values = containerValuesIn(hostNumbers(), *now, c.what))
    return values->holds(c.opcode, c.constant);
  const TextQuestion *question = textQuestionOf(hostNumbers(), c.what);
  if (question && isOtherText(hostNumbers(), *now, *question)) {
    PossibleValues no;
    no.restrict(clang::BO_EQ, 0);
    return no.holds(c.opcode, c.constant);
  }
  return question ? followsFrom(answersIn(hostNumbers(), *now), *question, c.opcode, c.constant) : std::nullopt;
}

std::vector<Dim> TorchDomain::admittedSizes() const {
  DimTable &dims = graphs.dims;
  std::vector<Dim> out;
  const auto *now = machine->objectValue(pathConstraints).as<PathConstraints>();
  for (std::size_t i = 0; now && i < now->declared.size(); ++i) {
    const NumberComparison &c = now->declared[i];
    const Dim above = dims.sub(c.what, dims.constant(c.constant)), one = dims.constant(1);
    switch (c.opcode) {
    case clang::BO_GE:
      out.push_back(above);
      break;
    case clang::BO_GT:
      out.push_back(dims.sub(above, one));
      break;
    case clang::BO_LE:
      out.push_back(dims.negate(above));
      break;
    case clang::BO_LT:
      out.push_back(dims.sub(dims.negate(above), one));
      break;
    default: // a square is zero, or one at least
      out.push_back(c.opcode == clang::BO_EQ ? dims.negate(dims.mul(above, above))
                                             : dims.sub(dims.mul(above, above), one));
    }
  }
  return out;
}

void TorchDomain::onNotAll(Machine &, const Test &all) {
  constexpr std::size_t most = 32;
  std::vector<NumberComparison> parts;
  if (!addParts(&all, true, parts))
    return;
  const std::shared_ptr<PathConstraints> known = copyOf(*machine, pathConstraints);
  if (known->isCut || std::ranges::find(known->never, parts) != known->never.end())
    return;
  if (known->never.size() < most)
    known->never.push_back(std::move(parts));
  else
    known->isCut = true;
  machine->setObject(pathConstraints, Value(std::shared_ptr<const PathConstraints>(known)));
}

bool TorchDomain::admits(const Test &test, bool truth) {
  if (const auto *no = dynamic_cast<const NotTest *>(&test))
    return admits(no->denied(), !truth);
  if (const auto *both = dynamic_cast<const BothTest *>(&test); both && !truth)
    return (both->left() && admits(*both->left(), false)) || (both->right() && admits(*both->right(), false));
  std::vector<NumberComparison> parts;
  if (!addParts(&test, truth, parts))
    return false;
  const auto *now = machine->objectValue(pathConstraints).as<PathConstraints>();
  PathConstraints supposed = now ? *now : PathConstraints();
  if (!supposed.alike.empty() || supposed.isCut || supposed.values.size() >= mostConstraints ||
      !std::ranges::all_of(parts, [&](const NumberComparison &c) { return isKept(c); }))
    return false;
  for (const NumberComparison &c : parts)
    supposed.values[c.what].restrict(c.opcode, c.constant);
  return loopNumbers.admit(hostNumbers(), supposed, parts);
}

bool TorchDomain::isExcluded(Machine &, const Test &all) {
  std::vector<NumberComparison> parts;
  const auto *now = machine->objectValue(pathConstraints).as<PathConstraints>();
  if (!now || !addParts(&all, true, parts))
    return false;
  PathConstraints supposed = *now;
  for (const NumberComparison &c : parts)
    supposed.values[c.what].restrict(c.opcode, c.constant);
  const auto isDenied = [&](const NumberComparison &c) { // `name == "ab" && name.empty()`
    if (const auto values = containerValuesIn(hostNumbers(), supposed, c.what))
      return values->isNone();
    const TextQuestion *question = textQuestionOf(hostNumbers(), c.what);
    return question &&
           followsFrom(answersIn(hostNumbers(), supposed), *question, c.opcode, c.constant) == std::optional(false);
  };
  return std::ranges::any_of(parts, [&](const auto &c) { return supposed.values[c.what].isNone(); }) ||
         std::ranges::any_of(parts, isDenied) ||
         std::ranges::any_of(supposed.never, [&](const auto &c) { return supposed.answerTo(c).value_or(false); });
}

std::optional<Value> TorchDomain::joinConstraints(const Value &a, const Value &b) const {
  const auto *x = a.as<PathConstraints>();
  const auto *y = b.as<PathConstraints>();
  if (!x || !y)
    return std::nullopt;
  auto both = std::make_shared<PathConstraints>();
  both->isCut = x->isCut || y->isCut;
  for (const auto &pair : x->alike)
    if (std::ranges::any_of(y->alike, [&](const auto &other) {
          return pair.first.same(other.first) && pair.second.same(other.second);
        }))
      both->alike.push_back(pair);
  std::ranges::copy_if(x->declared, std::back_inserter(both->declared), [&](const NumberComparison &c) {
    return std::ranges::find(y->declared, c) != y->declared.end();
  });
  for (const auto &[one, other] : {std::pair(x, y), std::pair(y, x)})
    for (const auto &together : one->never)
      if (std::ranges::find(both->never, together) == both->never.end() &&
          (std::ranges::find(other->never, together) != other->never.end() ||
           !other->answerTo(together).value_or(true)))
        both->never.push_back(together);
  for (const auto &[what, values] : x->values)
    if (const auto other = y->values.find(what); other != y->values.end())
      if (PossibleValues either = values.hullWith(other->second); !either.isAny())
        both->values.emplace(what, std::move(either));
  return Value(std::shared_ptr<const PathConstraints>(std::move(both)));
}

bool TorchDomain::isConstraints(const Value &v) const { return v.as<PathConstraints>() != nullptr; }

bool TorchDomain::constrainsNothing(const Value &v) const {
  const auto *known = v.as<PathConstraints>();
  return known && known->same(PathConstraints());
}

void TorchDomain::remember(const SourceDatum &a, const SourceDatum &b) {
  constexpr std::size_t most = 64;
  const std::shared_ptr<PathConstraints> all = copyOf(*machine, pathConstraints);
  if (all->alike.size() >= most)
    return;
  all->alike.emplace_back(a, b);
  machine->setObject(pathConstraints, Value(std::shared_ptr<const PathConstraints>(all)));
}

void TorchDomain::spread(ObjectId object) {
  if (spreading)
    return;
  const Value held =
      machine->objectValue(pathConstraints); // NOLINT(performance-unnecessary-copy-initialization): objects move
  const auto *now = held.as<PathConstraints>();
  if (!now)
    return;
  spreading = true;
  std::vector<ObjectId> open{object};
  std::set<std::pair<const SourceDatum *, const SourceDatum *>> done;
  while (!open.empty()) {
    const ObjectId from = open.back();
    open.pop_back();
    for (const auto &[a, b] : now->alike)
      for (const auto &[here, there] : {std::pair(&a, &b), std::pair(&b, &a)})
        if (here->tensor == from && done.insert({here, there}).second) {
          tellAlike(*here, *there);
          open.push_back(there->tensor);
        }
  }
  spreading = false;
}

} // namespace condlint::cxx
