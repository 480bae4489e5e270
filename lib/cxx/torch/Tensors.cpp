//===- Tensors.cpp - Tensors and nodes ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "FixedCallables.h"
#include "ModuleCalls.h"
#include "OperandReader.h"
#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

/// What is known of a tensor besides, as assumptions.
class TorchDomain::TensorFacts {
public:
  explicit TensorFacts(TorchDomain &torch) : domain(torch) {}
  ValueId tensorOf(NodeDraft &d, const clang::Stmt *at, Type facts);
  /// \p v, of which \p facts are known besides.
  ValueId assumed(ValueId v, const Type &facts, const clang::Stmt *at);
  /// \p plain with what is known of it both as \p a and as \p b.
  ValueId withBoth(ValueId plain, ValueId a, ValueId b);

private:
  TorchDomain &domain;
};

TorchDomain::TorchDomain(clang::ASTContext &context, Model &model, const SourceOptions &sourceOptions, bool changes)
    : TorchState(context, model, sourceOptions, changes) {
  // The numbers of element types are this unit's: a header may count
  // differently.
  const auto member = [&](const clang::DeclContext *in, llvm::StringRef name) -> const clang::NamedDecl * {
    for (const clang::NamedDecl *d : in->lookup(&context.Idents.get(name)))
      return d->getUnderlyingDecl();
    return nullptr;
  };
  const auto *c10 = llvm::dyn_cast_or_null<clang::NamespaceDecl>(member(context.getTranslationUnitDecl(), "c10"));
  const auto *types = c10 ? llvm::dyn_cast_or_null<clang::EnumDecl>(member(c10, "ScalarType")) : nullptr;
  if (!types)
    return;
  static const std::map<llvm::StringRef, DType> names{{"Byte", DType::UInt8},
                                                      {"Char", DType::Int8},
                                                      {"Short", DType::Int16},
                                                      {"Int", DType::Int32},
                                                      {"Long", DType::Int64},
                                                      {"Half", DType::Float16},
                                                      {"Float", DType::Float32},
                                                      {"Double", DType::Float64},
                                                      {"ComplexHalf", DType::Complex32},
                                                      {"ComplexFloat", DType::Complex64},
                                                      {"ComplexDouble", DType::Complex128},
                                                      {"Bool", DType::Bool},
                                                      {"BFloat16", DType::BFloat16},
                                                      {"UInt16", DType::UInt16},
                                                      {"UInt32", DType::UInt32},
                                                      {"UInt64", DType::UInt64},
                                                      {"Float8_e5m2", DType::Float8E5M2},
                                                      {"Float8_e4m3fn", DType::Float8E4M3FN},
                                                      {"Float8_e5m2fnuz", DType::Float8E5M2FNUZ},
                                                      {"Float8_e4m3fnuz", DType::Float8E4M3FNUZ},
                                                      {"Float8_e8m0fnu", DType::Float8E8M0FNU}};
  for (const clang::EnumConstantDecl *e : types->enumerators())
    if (auto known = names.find(e->getName()); known != names.end())
      scalarTypes[e->getInitVal().getExtValue()] = known->second;
}

TorchDomain::~TorchDomain() = default;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LocationId TorchDomain::locate(const clang::Stmt *at) {
  const auto &frames = machine->frames();
  const clang::FunctionDecl *in = frames.empty() ? rootFunction : frames.back()->function;
  if (!at && !frames.empty())
    at = frames.back()->call;
  if (!at)
    return in ? places.at(in->getSourceRange(), in) : LocationId();
  return places.at(*at, in);
}

Attribute TorchDomain::callsAttribute() {
  return callsBetween(scopes.empty() ? 1 : scopes.back().frame + 1, machine->frames().size());
}

Attribute TorchDomain::callsBetween(std::size_t first, std::size_t last) {
  const auto &frames = machine->frames();
  std::vector<LocationId> calls;
  for (std::size_t i = first; i < last; ++i)
    if (frames[i]->site)
      calls.push_back(places.at(*frames[i]->site, frames[i - 1]->function));
  Attribute a;
  if (calls.empty())
    return a;
  a.name = graphs.strings.intern(attr::calls.name);
  a.kind = AttributeKind::Locations;
  a.list = graphs.poolLocations(calls);
  return a;
}

bool TorchDomain::full() {
  if (!overflown)
    return false;
  if (!poison) {
    NodeDraft d(graphs, CxxOp::Unknown);
    d.set(attr::reason, "code that is too large to be read");
    const NodeId n = emitIn(root, d, 1, nullptr);
    inferNode(graphs, n);
    poison = graphs.result(n, 0);
  }
  return true;
}

NodeId TorchDomain::emit(NodeDraft &d, std::size_t results, const clang::Stmt *at) {
  return emitIn(graph(), d, results, at);
}

NodeId TorchDomain::emitIn(GraphId g, NodeDraft &d, std::size_t results, const clang::Stmt *at) {
  if (!scopes.empty()) {
    const std::size_t cost = results + 1;
    overflown = overflown || budget < cost;
    budget -= std::min(budget, cost);
  }
  Operator op;
  op.dialect = Dialect::Torch;
  op.domain = graphs.strings.intern(d.domain);
  op.name = graphs.strings.intern(d.name);
  op.overload = graphs.strings.intern(d.overload);
  std::vector<StringId> names;
  const std::string base = d.name + '_' + std::to_string(graphs[g].nodeCount);
  for (std::size_t i = 0; i < results; ++i)
    names.push_back(graphs.strings.intern(i == 0 ? base : base + '.' + std::to_string(i)));
  if (const Attribute calls = callsAttribute(); calls.name)
    d.attribute(calls);
  if (!scopes.empty() && !scopes.back().doubts.empty())
    d.set(attr::doubtAt, scopes.back().doubts.back());
  const NodeId n =
      graphs.addNode(g, graphs.addOperator(op), graphs.strings.intern(base), d.operands, names, d.attributes);
  graphs[n].location = locate(at);
  if (g == root)
    rootHasNodes = true;
  return n;
}

ValueId TorchDomain::emitOne(NodeDraft d, const clang::Stmt *at) {
  if (full())
    return poison;
  const NodeId n = emit(d, 1, at);
  inferNode(graphs, n);
  return graphs.result(n, 0);
}

void TorchDomain::emitElements(CxxOp access, const Value &tensor, const clang::Stmt *at) {
  NodeDraft d(graphs, access);
  d.value("tensor", valueOf(tensor, at));
  inferNode(graphs, emit(d, 0, at));
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Value TorchDomain::newTensor(ValueId v) {
  const ObjectId o = machine->newObject(Token{v.index(), ValueTag}, {}, Storage::Heap);
  return Handle{o, TensorTag};
}

bool TorchDomain::isUndefined(const Value &tensor) const {
  if (!isTensor(tensor))
    return false;
  const Token *t = machine->objectValue(tensor.handle()->object).token();
  return t && t->tag == UndefinedTag;
}

ValueId TorchDomain::unknownValue(std::string_view why, const clang::Stmt *at, bool tensor) {
  NodeDraft d(graphs, CxxOp::Unknown);
  d.set(attr::reason, why);
  if (full())
    return poison;
  const NodeId n = emit(d, 1, at);
  if (tensor) {
    Type t;
    t.kind = ValueKind::Tensor;
    graphs[graphs.result(n, 0)].recorded = graphs.types.intern(t);
  }
  inferNode(graphs, n);
  return graphs.result(n, 0);
}

ValueId TorchDomain::unknownTensor(std::string_view why, const clang::Stmt *at, const Type &facts) {
  NodeDraft d(graphs, CxxOp::Unknown);
  d.set(attr::reason, why);
  return TensorFacts(*this).tensorOf(d, at, facts);
}

ValueId TorchDomain::madeTensor(std::string_view name, const clang::Stmt *at, const Type &facts) {
  NodeDraft d(graphs, CxxOp::New);
  d.set(attr::name, name);
  return TensorFacts(*this).tensorOf(d, at, facts);
}

ValueId TorchDomain::TensorFacts::tensorOf(NodeDraft &d, const clang::Stmt *at, Type facts) {
  if (domain.full())
    return domain.poison;
  const NodeId n = domain.emit(d, 1, at);
  facts.kind = ValueKind::Tensor;
  domain.graphs[domain.graphs.result(n, 0)].recorded = domain.graphs.types.intern(facts);
  inferNode(domain.graphs, n);
  return domain.graphs.result(n, 0);
}

Value TorchDomain::onThisWay(Machine &, const Value &v) {
  const Token *t = v.token();
  if (!t || t->tag != ValueTag || full())
    return v;
  const ValueId now = knownOnThisWay(ValueId(t->id), nullptr);
  return now == ValueId(t->id) ? v : Value(Token{now.index(), ValueTag});
}

ValueId TorchDomain::knownOnThisWay(ValueId v, const clang::Stmt *at) {
  const auto one = joined.find(v.index());
  const bool isOther = one != joined.end() && !scopes.empty() &&
                       machine->pathCondition().askAgain(one->second.where, one->second.decision);
  return isOther ? perhaps(v, at) : v;
}

ValueId TorchDomain::perhaps(ValueId v, const clang::Stmt *at) {
  if (const NodeId def = graphs[v].origin == ValueOrigin::Result ? graphs[v].def : NodeId();
      def && isCxx(graphs, def, CxxOp::Perhaps))
    return v;
  NodeDraft d(graphs, CxxOp::Perhaps);
  d.values("values", {&v, 1});
  return emitOne(std::move(d), at);
}

ValueId TorchDomain::valueOf(const Value &v, const clang::Stmt *at, std::string_view why) {
  if (isTensor(v)) {
    const ObjectId o = v.handle()->object;
    const Value &held = machine->objectValue(o);
    if (const Token *t = held.token()) {
      if (t->tag == ValueTag)
        return knownOnThisWay(ValueId(t->id), at);
      return emitOne(NodeDraft(graphs, CxxOp::None), at);
    }
    const Unknown *u = held.unknown();
    const ValueId made = unknownValue(u ? machine->reasonText(u->reason) : why, at);
    if (!held.isAbsent())
      machine->setObject(o, Token{made.index(), ValueTag});
    return made;
  }
  if (const Optional *o = v.optional()) {
    if (o->has && !*o->has)
      return emitOne(NodeDraft(graphs, CxxOp::None), at);
    return valueOf(o->value, at, why);
  }
  if (const Pointer *p = v.pointer())
    if (const Place *only = p->only())
      return valueOf(machine->peek(*only), at, why);
  if (const Number *n = v.number())
    return scalarValue(*n);
  if (v.isNull())
    return emitOne(NodeDraft(graphs, CxxOp::None), at);
  const Unknown *u = v.unknown();
  return unknownValue(u ? machine->reasonText(u->reason) : why, at);
}

ValueId TorchDomain::scalarValue(const Number &n) {
  if (const auto *s = dynamic_cast<const SourceDatum *>(n.source.get());
      s && s->value && s->value.index() < graphs.valueCount() && graphs.encloses(graphs[s->value].graph, graph()))
    return s->value;
  Type t;
  t.kind = n.kind == Number::Kind::Bool       ? ValueKind::SymBool
           : n.kind == Number::Kind::Floating ? ValueKind::SymFloat
                                              : ValueKind::SymInt;
  ContentId content;
  const Dim d = machine->dimOf(n);
  if (d.known())
    content = graphs.addContent({&d, 1});
  const ValueId v = graphs.addLiteral(graph(), graphs.types.intern(t), content);
  graphs[v].type = graphs[v].recorded;
  return v;
}

const Type &TorchDomain::typeOf(const Value &tensor) {
  static const Type nothing;
  if (!isTensor(tensor))
    return nothing;
  const Token *t = machine->objectValue(tensor.handle()->object).token();
  return t && t->tag == ValueTag ? graphs.type(ValueId(t->id)) : nothing;
}

void TorchDomain::rebind(const Value &handle, ValueId now) {
  if (isTensor(handle))
    machine->setObject(handle.handle()->object, Token{now.index(), ValueTag});
}

ValueId TorchDomain::TensorFacts::assumed(ValueId v, const Type &facts, const clang::Stmt *at) {
  NodeDraft d(domain.graphs, CxxOp::Assume);
  d.value("value", v);
  const NodeId n = domain.emit(d, 1, at);
  domain.graphs[domain.graphs.result(n, 0)].recorded = domain.graphs.types.intern(facts);
  inferNode(domain.graphs, n);
  return domain.graphs.result(n, 0);
}

void TorchDomain::assume(ObjectId object, const Type &facts, const clang::Stmt *at) {
  const Token *t = machine->objectValue(object).token();
  if (!t || t->tag != ValueTag || full())
    return;
  // What is found out of one element of a list does not hold for all.
  if (const NodeId def = graphs[ValueId(t->id)].origin == ValueOrigin::Result ? graphs[ValueId(t->id)].def : NodeId();
      def && has(graphs, def, attr::unsized))
    return;
  const ValueId now = TensorFacts(*this).assumed(ValueId(t->id), facts, at);
  // Sizes that are known although the rank is not.
  std::vector<std::pair<std::int64_t, Value>> known;
  for (auto size = sizes.lower_bound({t->id, INT64_MIN}); size != sizes.end() && size->first.first == t->id; ++size)
    if (const Number *k = size->second.number(); k && k->known)
      known.emplace_back(size->first.second, size->second);
  for (auto &[axis, size] : known)
    sizes[{now.index(), axis}] = std::move(size);
  machine->setObject(object, Token{now.index(), ValueTag});
  spread(object);
}

ValueId TorchDomain::withoutAssumptions(ValueId v, const std::function<void(ValueId)> &visit) const {
  for (;;) {
    const NodeId def = graphs[v].def;
    if (!def || graphs[v].origin != ValueOrigin::Result)
      return v;
    if (!isCxx(graphs, def, CxxOp::Assume))
      return v;
    if (visit)
      visit(v);
    v = graphs.operands(def)[0];
  }
}

void TorchDomain::recordDemand(ValueId parameter, const Type &wanted) {
  // What is recorded first counts; a facet that is there already stays.
  Type all;
  if (graphs[parameter].recorded)
    all = graphs.types[graphs[parameter].recorded];
  all.kind = ValueKind::Tensor;
  if (all.element == DType::Unknown && wanted.element != DType::Unknown)
    all.element = wanted.element;
  else if (all.element == DType::Unknown)
    all.restrict(all.possible() & wanted.possible());
  if (!all.hasRank && wanted.hasRank) {
    all.hasRank = true;
    all.dims = wanted.dims;
  }
  if (!all.device) {
    all.device = wanted.device;
    all.deviceIndex = wanted.deviceIndex;
  }
  graphs[parameter].recorded = graphs.types.intern(all);
}

void TorchDomain::demand(ObjectId object, const Type &wanted) {
  const Token *t = machine->objectValue(object).token();
  if (!t || t->tag != ValueTag || scopes.empty() || scouted)
    return;
  const BranchScope &scope = scopes.back();
  if (scope.returned || machine->path() != scope.path || machine->frames().size() != scope.frame + 1)
    return;
  const ValueId base = withoutAssumptions(ValueId(t->id));
  if (graphs[base].origin == ValueOrigin::Parameter && graphs[base].graph == scope.graph)
    recordDemand(base, wanted);
}

//===----------------------------------------------------------------------===//
// From outside, unknown, joined
//===----------------------------------------------------------------------===//

std::optional<Value> TorchDomain::input(Machine &m, const SymbolInfo &info) {
  const std::string_view cls = m.className(info.type);
  if (cls == "at::Tensor" || cls == "at::TensorBase" || cls == "c10::IValue") {
    if (const ValueId operand = OperandReader(*this).openOperandOf(info))
      return OperandReader(*this).partOfOperand(operand, info.expr);
    Type t;
    std::vector<Dim> dims;
    if (cls != "c10::IValue")
      t = ModuleCalls(*this).parameterFacts(info, dims);
    const TypeId type = graphs.types.intern(t);
    const GraphId home = info.region == 0 || scopes.empty() ? root : scopes[info.region - 1].graph;
    if (info.origin == SymbolInfo::Origin::Parameter && home == root && !rootHasNodes && m.frames().empty()) {
      const ValueId v = graphs.addParameter(root, graphs.strings.intern(info.name), type);
      graphs[v].type = type;
      return newTensor(v);
    }
    // What stands behind the result of a call that a branch makes may be what that was given.
    bool isResult = info.origin == SymbolInfo::Origin::Result;
    for (SymbolId of = info.parent; of && home != root && !isResult; of = m.symbol(of).parent)
      isResult = m.symbol(of).origin == SymbolInfo::Origin::Result;
    NodeDraft d(graphs, isResult ? CxxOp::Unknown : CxxOp::Input);
    d.set(isResult ? attr::reason : attr::name, info.name);
    if (info.name.find(Step::anyElement) != std::string::npos)
      d.set(attr::unsized); // whichever it is
    // It belongs to the graph from which it comes, which stands open still.
    const NodeId n = emitIn(home, d, 1, info.expr);
    graphs[graphs.result(n, 0)].recorded = type;
    inferNode(graphs, n);
    return newTensor(graphs.result(n, 0));
  }
  if (cls == "c10::Scalar") // of any kind
    return m.unknown("a number that is not known");
  if (cls == "c10::SymInt" || cls == "c10::SymFloat" || cls == "c10::SymBool") {
    const Number::Kind kind = cls == "c10::SymInt"    ? Number::Kind::Integer
                              : cls == "c10::SymBool" ? Number::Kind::Bool
                                                      : Number::Kind::Floating;
    Number n = Number::unknown(kind, info.isConst ? Provenance::Fixed : Provenance::Varies);
    if (kind == Number::Kind::Integer)
      n.dim = m.signedNumbers().fresh(m.dims(), info.name.empty() ? "n" : info.name);
    return n;
  }
  if (cls == "c10::TensorOptions") {
    auto o = std::make_shared<OptionsDatum>();
    o->dtype = o->device = o->layout = o->requiresGrad = m.unknown("options from outside");
    return Value(std::shared_ptr<const OptionsDatum>(std::move(o)));
  }
  if (cls == "c10::Device")
    return Value(std::make_shared<const DeviceDatum>("", -1));
  if (fixedCallables && info.decl &&
      (info.origin == SymbolInfo::Origin::Member || info.origin == SymbolInfo::Origin::Global))
    if (Value held = fixedCallables->heldBy(*info.decl); !held.isAbsent())
      return held;
  return std::nullopt;
}

std::optional<Value> TorchDomain::unknown(Machine &m, clang::QualType type, ReasonId why) {
  const std::string_view cls = m.className(type);
  if (cls == "at::Tensor" || cls == "at::TensorBase") {
    if (m.frames().empty())
      return Value(Unknown{why, 0});
    // A node is made when somebody asks for it.
    return Handle{m.newObject(Unknown{why, 0}, {}, Storage::Heap), TensorTag};
  }
  if (cls == "c10::SymFloat")
    return Number::unknown(Number::Kind::Floating);
  if (cls == "c10::SymInt")
    return Number::unknown(Number::Kind::Integer);
  if (cls == "c10::SymBool")
    return Number::unknown(Number::Kind::Bool);
  return std::nullopt;
}

ValueId TorchDomain::TensorFacts::withBoth(ValueId plain, ValueId a, ValueId b) {
  const Type x = domain.graphs.type(a);
  const Type y = domain.graphs.type(b);
  const Type &known = domain.graphs.type(plain);
  if (!x.isTensor() || !y.isTensor() || !known.isTensor())
    return plain;
  Type facts;
  facts.kind = ValueKind::Tensor;
  facts.restrict(x.possible() | y.possible());
  bool more = !(known.possible() - facts.possible()).empty();
  std::vector<Dim> dims;
  if (x.hasRank && y.hasRank && x.dims.size() == y.dims.size()) {
    for (std::size_t i = 0; i < x.dims.size(); ++i)
      dims.push_back(x.dims[i] == y.dims[i] ? x.dims[i] : known.hasRank ? known.dims[i] : Dim());
    facts.hasRank = true;
    facts.dims = dims;
    more = more || !known.hasRank || !std::ranges::equal(dims, known.dims);
  }
  if (x.device && x.device == y.device && x.deviceIndex == y.deviceIndex) {
    facts.device = x.device;
    facts.deviceIndex = x.deviceIndex;
    more = more || !known.device;
  }
  return more && !domain.full() ? assumed(plain, facts, nullptr) : plain;
}

std::optional<Value> TorchDomain::join(Machine &m, const Value &a, const Value &b) {
  // Wherever in it they stand, they stand in one tensor.
  if (const auto *p = a.as<ElementsDatum>(), *q = b.as<ElementsDatum>(); p && q)
    return p->tensor.same(q->tensor) ? std::optional<Value>(std::make_shared<const ElementsDatum>(p->tensor))
                                     : std::nullopt;
  if (a.datum() || b.datum())
    return joinConstraints(a, b);
  const auto isToken = [](const Value &v) { return v.token() != nullptr; };
  if (!isToken(a) && !isToken(b) && !isTensor(a) && !isTensor(b))
    return std::nullopt;
  const auto idOf = [&](const Value &v) -> ValueId {
    if (const Token *t = v.token())
      return t->tag == ValueTag ? ValueId(t->id) : ValueId();
    if (isTensor(v))
      if (const Token *t = m.objectValue(v.handle()->object).token(); t && t->tag == ValueTag)
        return ValueId(t->id);
    return ValueId();
  };
  const ValueId x = idOf(a);
  const ValueId y = idOf(b);
  if (x && y) {
    if (x == y)
      return a;
    // Without assumptions that hold on one path only.
    std::vector<ValueId> ways;
    const ValueId start = withoutAssumptions(x, [&](ValueId v) { ways.push_back(v); });
    ValueId common;
    if (start == withoutAssumptions(y, [&](ValueId v) {
          if (!common && std::ranges::find(ways, v) != ways.end())
            common = v;
        })) {
      const ValueId plain = TensorFacts(*this).withBoth(common ? common : start, x, y);
      return isToken(a) ? Value(Token{plain.index(), ValueTag}) : newTensor(plain);
    }
  }
  const auto nodeOf = [&](const Value &v, ValueId known) {
    if (known)
      return known;
    if (const Token *t = v.token(); t && t->tag == UndefinedTag)
      return emitOne(NodeDraft(graphs, CxxOp::None), nullptr);
    return valueOf(v, nullptr);
  };
  // One of several that met before, where the paths asked what these that meet
  // now ask again.
  const JoinPoint &where = m.joinPoint();
  const auto oneOf = [&](ValueId v, bool inDoubt) {
    const auto before = joined.find(v.index());
    const bool isOther = before != joined.end() && !scopes.empty() && before->second.decision < where.number &&
                         m.pathCondition().isAskedBy(before->second.where, where.asked);
    // Of what is captured either way, either is outside.
    // Which one it is the code itself determines: the other is not held against it.
    const bool isOnly = (where.determined || m.joinsWeakly() || inDoubt) && !scopes.empty();
    return isOther || isOnly ? perhaps(v, nullptr) : v;
  };
  NodeDraft d(graphs, CxxOp::Join);
  const ValueId met[] = {nodeOf(a, x), nodeOf(b, y)};
  const ValueId both[] = {oneOf(met[0], m.joinsInDoubt(false)), oneOf(met[1], m.joinsInDoubt(true))};
  d.values("values", both);
  const ValueId made = emitOne(std::move(d), nullptr);
  Joined how{where, m.pathCondition().lastNumber()};
  bool isKept = where.number != 0;
  for (const ValueId v : met)
    if (const auto inner = joined.find(v.index()); inner != joined.end() && !scopes.empty()) {
      how.where.take(inner->second.where);
      isKept = true;
    }
  if (isKept)
    joined[made.index()] = std::move(how);
  return isToken(a) || isToken(b) ? Value(Token{made.index(), ValueTag}) : newTensor(made);
}

std::optional<Value> TorchDomain::havoc(Machine &m, const Value &v, ReasonId why) {
  if (isConstraints(v))
    return v;
  if (isTensor(v))
    return Handle{m.newObject(Unknown{why, 0}, {}, Storage::Heap), TensorTag};
  return Value(Unknown{why, 0});
}

namespace {

/// What a trip of a loop leaves in a tensor, without the values that the
/// trip made.
class TripOutline : public TorchDatum<TripOutline> {
public:
  bool same(const TripOutline &o) const { return type == o.type && isTraced == o.isTraced && shared == o.shared; }
  TypeId type;
  bool isTraced = false;       ///< it is known where its storage comes from: it is new,
  std::vector<ValueId> shared; ///< or that of one of these, which were there before the trip
};

/// Of such nodes it is known whether what they make is new.
bool isTraceable(const Model &m, NodeId n) {
  return m.text(m[m[n].op].domain) == "aten" || isCxx(m, n, CxxOp::New) || isCxx(m, n, CxxOp::Join) ||
         isCxx(m, n, CxxOp::Perhaps) || isCxx(m, n, CxxOp::Assume) || isCxx(m, n, CxxOp::Call);
}

/// Where the storage of \p v comes from, which a trip made that began when
/// there were \p first values.
void trace(const Model &m, ValueId v, std::size_t first, TripOutline &out) {
  constexpr std::size_t most = 256;
  std::vector<ValueId> open{v};
  std::set<ValueId> seen;
  while (!open.empty()) {
    const ValueId one = open.back();
    open.pop_back();
    if (!seen.insert(one).second)
      continue;
    if (one.index() < first) {
      out.shared.push_back(one);
      continue;
    }
    const NodeId def = m[one].origin == ValueOrigin::Result ? m[one].def : NodeId();
    if (!def || seen.size() > most || !isTraceable(m, def))
      return;
    const NodeEffects effects = effectsOf(m, def);
    if (effects.opaque)
      return;
    for (const NodeEffects::Alias &alias : effects.aliases)
      if (m.result(def, alias.result) == one)
        open.push_back(m.operands(def)[alias.operand]);
  }
  out.isTraced = true;
  std::ranges::sort(out.shared);
}

/// What both have in common; the sizes go to \p dims.
Type inCommon(const Type &before, const Type &after, std::vector<Dim> &dims) {
  Type common;
  common.kind = ValueKind::Tensor;
  common.restrict(before.possible() | after.possible());
  if (before.device == after.device && before.deviceIndex == after.deviceIndex) {
    common.device = before.device;
    common.deviceIndex = before.deviceIndex;
  }
  if (before.layout == after.layout)
    common.layout = before.layout;
  if (before.hasRank && after.hasRank && before.dims.size() == after.dims.size()) {
    common.hasRank = true;
    for (std::size_t i = 0; i < before.dims.size(); ++i)
      dims.push_back(before.dims[i] == after.dims[i] ? before.dims[i] : Dim());
    common.dims = dims;
  }
  return common;
}

} // namespace

std::shared_ptr<const Datum> TorchDomain::outline(Machine &m, const Value &v) {
  if (isConstraints(v))
    return std::make_shared<const TripOutline>();
  const Value held = isTensor(v) ? m.objectValue(v.handle()->object) : v;
  const Token *t = held.token();
  if (!t || t->tag != ValueTag || ValueId(t->id).index() >= graphs.valueCount() ||
      !graphs.type(ValueId(t->id)).isTensor())
    return nullptr;
  auto outline = std::make_shared<TripOutline>();
  outline->type = graphs.types.intern(graphs.type(ValueId(t->id)));
  if (scouted)
    trace(graphs, ValueId(t->id), scouted->extent.values, *outline);
  return outline;
}

/// What the head \p v of a loop was joined of already.
static std::vector<ValueId> joinedAt(const Model &m, ValueId v) {
  std::vector<ValueId> of;
  const NodeId def = m[v].origin == ValueOrigin::Result ? m[v].def : NodeId();
  for (const ValueId w : def &&has(m, def, attr::loop) ? m.operands(def) : std::span<const ValueId>())
    if (const NodeId inner = m[w].origin == ValueOrigin::Result ? m[w].def : NodeId();
        inner && isCxx(m, inner, CxxOp::Perhaps))
      of.push_back(m.operands(inner)[0]);
  return of;
}

ValueId TorchDomain::loopHead(ValueId before, bool mayBeNone, std::span<const ValueId> others, ValueId made) {
  std::vector<ValueId> either;
  if (mayBeNone)
    either.push_back(emitOne(NodeDraft(graphs, CxxOp::None), nullptr));
  if (before)
    either.push_back(perhaps(before, nullptr));
  for (const ValueId v : others)
    either.push_back(perhaps(v, nullptr));
  either.push_back(made);
  NodeDraft d(graphs, CxxOp::Join);
  d.values("values", either);
  d.set(attr::loop);
  if (!before && !mayBeNone)
    d.set(attr::unsized); // each element of a list
  return emitOne(std::move(d), nullptr);
}

std::optional<Value> TorchDomain::widen(Machine &m, const Value &old, const Datum &outline, ReasonId why) {
  // What a trip finds out of values that were there before, it does not take back.
  if (isConstraints(old))
    return old;
  const auto *o = dynamic_cast<const TripOutline *>(&outline);
  const Value held = isTensor(old) ? m.objectValue(old.handle()->object) : old;
  const Token *t = held.token();
  const bool isNone = isTensor(old) && isUndefined(old);
  if (!o || (!old.isAbsent() && !isNone && (!t || t->tag != ValueTag)))
    return std::nullopt;
  const ValueId head = old.isAbsent() || isNone ? ValueId() : ValueId(t->id);
  if (head && !graphs.type(head).isTensor())
    return std::nullopt;
  std::vector<Dim> dims;
  Type common = graphs.types[o->type];
  bool isSame = false;
  std::vector<ValueId> known{head};
  const NodeId def = head && graphs[head].origin == ValueOrigin::Result ? graphs[head].def : NodeId();
  if (head) {
    Type before = graphs.type(head);
    if (def && has(graphs, def, attr::loop))
      before.names = {}; // they say of a trip what differs from trip to trip
    common = inCommon(before, graphs.types[o->type], dims);
    isSame = graphs.types.intern(common) == graphs.types.intern(before);
    std::ranges::copy(joinedAt(graphs, head), std::back_inserter(known));
  } else {
    common = inCommon(common, common, dims);
  }
  std::vector<ValueId> others;
  std::ranges::copy_if(o->shared, std::back_inserter(others),
                       [&](ValueId v) { return std::ranges::find(known, v) == known.end(); });
  if (isSame && def &&
      (o->isTraced ? has(graphs, def, attr::loop) && others.empty() : isCxx(graphs, def, CxxOp::Unknown)))
    return old;
  // What was there before the loop, or what any trip left; of a view that one leaves, only the type is new.
  const ValueId made = o->isTraced ? loopHead(head, isNone, others, madeTensor(m.reasonText(why), nullptr, common))
                                   : unknownTensor(m.reasonText(why), nullptr, common);
  return isTensor(old) || old.isAbsent() ? newTensor(made) : Value(Token{made.index(), ValueTag});
}

Value TorchDomain::anyElement(Machine &, const Value &every) {
  const Token *t = isTensor(every) ? machine->objectValue(every.handle()->object).token() : nullptr;
  const ValueId v = t && t->tag == ValueTag ? ValueId(t->id) : ValueId();
  const NodeId def = v && graphs[v].origin == ValueOrigin::Result ? graphs[v].def : NodeId();
  // A view of one storage is that, whichever it is.
  const bool isView = def && !isCxx(graphs, def, CxxOp::Join) && !effectsOf(graphs, def).aliases.empty();
  const bool isSeveral = def && (isCxx(graphs, def, CxxOp::Join) || isCxx(graphs, def, CxxOp::Unknown) ||
                                 (has(graphs, def, attr::unsized) && !isCxx(graphs, def, CxxOp::Input)));
  if (!isSeveral || isView || full())
    return every;
  NodeDraft d(graphs, CxxOp::Join);
  d.values("values", {&v, 1});
  return newTensor(emitOne(std::move(d), nullptr));
}

std::optional<Value> TorchDomain::part(Machine &, const Value &v, const Step &step, clang::QualType) {
  if (const auto *source = v.as<SourceDatum>(); source && source->facet == SourceDatum::Facet::Sizes && source->tensor)
    return sizeAt(Handle{source->tensor, TensorTag}, Number::ofInteger(step.index), nullptr);
  // An element of the operands that a branch expects and is not given: the
  // branch takes more than there are (B2).
  if (const auto *list = v.as<OperandListDatum>()) {
    const auto wanted = static_cast<std::uint64_t>(step.index);
    if (step.index < 0 || wanted < list->count || wanted - list->count >= OperandListDatum::spare)
      return std::nullopt;
    Range &parameters = graphs[list->graph].parameters;
    const std::uint32_t position = list->parameters + static_cast<std::uint32_t>(wanted) - list->count;
    parameters.count = std::max(parameters.count, position + 1);
    return newTensor(ValueId(parameters.first + position));
  }
  return std::nullopt;
}

bool TorchDomain::isEmptyWhenMoved(std::string_view name) const {
  return name == "at::Tensor" || name == "at::TensorBase";
}

bool TorchDomain::isPlain(const Value &v) const {
  const auto plain = [&](const Value &part) {
    const Number *n = part.number();
    return part.isAbsent() || (n ? n->known : isPlain(part));
  };
  if (v.as<ComplexDatum>())
    return true;
  if (const auto *device = v.as<DeviceDatum>())
    return !device->of;
  if (const auto *o = v.as<OptionsDatum>())
    return !o->like && plain(o->dtype) && plain(o->device) && plain(o->layout) && plain(o->requiresGrad) &&
           plain(o->memoryFormat);
  return false;
}

void TorchDomain::beginDoubt(Machine &, const clang::Stmt *at) {
  if (!scopes.empty())
    scopes.back().doubts.push_back(locate(at));
}

std::size_t TorchDomain::doubts() const { return scopes.empty() ? 0 : scopes.back().doubts.size(); }

void TorchDomain::endDoubts(std::size_t count) {
  if (!scopes.empty() && scopes.back().doubts.size() > count)
    scopes.back().doubts.resize(count);
}

void TorchDomain::beginScout() {
  scouted = Scouted{graphs.extent(graph()), scopes, sizes, rootConditionals, budget, overflown, poison};
}

void TorchDomain::endScout() {
  everNodes = std::max(everNodes, graphs.nodeCount());
  everValues = std::max(everValues, graphs.valueCount());
  graphs.rewind(scouted->extent);
  const auto count = static_cast<std::uint32_t>(graphs.valueCount());
  joined.erase(joined.lower_bound(count), joined.end());
  operandOf.erase(operandOf.lower_bound(count), operandOf.end());
  sizeNames.erase(sizeNames.lower_bound({count, INT64_MIN}), sizeNames.end());
  scopes = std::move(scouted->scopes);
  sizes = std::move(scouted->sizes);
  rootConditionals = scouted->conditionals;
  budget = scouted->budget;
  overflown = scouted->overflown;
  poison = scouted->poison;
  scouted.reset();
}

} // namespace condlint::cxx
