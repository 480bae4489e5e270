//===- Conditionals.cpp - A cond-like call as a node with two branches ----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/Types.h"
#include "TorchDomain.h"
#include "WrittenOutputs.h"
#include "condlint/Op.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/Diagnostic.h>

namespace condlint::cxx {

namespace {

constexpr std::size_t maxValues = 20'000; // of one conditional
constexpr std::size_t maxNesting = 16;

std::optional<CondArguments> annotationOf(const clang::FunctionDecl &f, const clang::ASTContext &ast) {
  for (const clang::FunctionDecl *d : f.redecls())
    for (const auto *a : d->specific_attrs<clang::AnnotateAttr>()) {
      if (a->getAnnotation() != "condlint::cond")
        continue;
      CondArguments where;
      std::int32_t *const positions[] = {&where.predicate, &where.trueBranch, &where.falseBranch, &where.operands};
      std::size_t i = 0;
      for (const clang::Expr *e : a->args()) {
        clang::Expr::EvalResult r;
        if (i < std::size(positions) && !e->isValueDependent() && e->EvaluateAsInt(r, ast))
          *positions[i] = static_cast<std::int32_t>(r.Val.getInt().getExtValue());
        ++i;
      }
      return where;
    }
  return std::nullopt;
}

} // namespace

std::optional<CondArguments> TorchDomain::condArguments(const clang::FunctionDecl &f) {
  const clang::FunctionDecl *key = f.getCanonicalDecl();
  if (auto known = conds.find(key); known != conds.end())
    return known->second;
  std::optional<CondArguments> where = annotationOf(f, ast);
  if (!where)
    if (const clang::FunctionDecl *pattern = f.getTemplateInstantiationPattern())
      where = annotationOf(*pattern, ast);
  if (!where)
    if (const clang::FunctionTemplateDecl *t = f.getPrimaryTemplate())
      where = annotationOf(*t->getTemplatedDecl(), ast);
  if (!where) {
    const std::string name = qualifiedNameOf(f);
    if (auto configured = options.condFunctions.find(name); configured != options.condFunctions.end())
      where = configured->second;
    else if (name == "condlint::cond")
      where = CondArguments();
  }
  conds[key] = where;
  return where;
}

struct TorchDomain::Branch {
  bool missing = false;
  bool invalid = false; ///< the function does not compile
  GraphId graph;
  std::vector<ValueId> results;
  bool resultsKnown = true; ///< their number
  Value value;              ///< what it returns, joined
  bool returns = false;
  clang::QualType type;
  LocationId location;
  std::string name;
  std::vector<std::pair<ObjectId, Value>> writes; ///< to objects of outside, with what they were before
};

//===----------------------------------------------------------------------===//
// A branch
//===----------------------------------------------------------------------===//

void TorchDomain::noteWritten(NodeDraft &d, const clang::ReturnStmt &statement, const clang::FunctionDecl &function,
                              std::size_t outputs) {
  const std::vector<WrittenOutput> written = writtenOutputs(statement, function);
  if (written.empty() || written.size() != outputs)
    return;
  std::vector<LocationId> at;
  std::vector<std::int64_t> compound;
  for (const WrittenOutput &w : written) {
    at.push_back(places.at(w.range, &function));
    compound.push_back(w.compound ? 1 : 0);
  }
  Attribute a;
  a.name = graphs.strings.intern("written_at");
  a.kind = AttributeKind::Locations;
  a.list = graphs.poolLocations(at);
  d.attribute(a);
  a.name = graphs.strings.intern("compound");
  a.kind = AttributeKind::Bools;
  a.list = graphs.poolInts(compound);
  d.attribute(a);
}

TorchDomain::Branch TorchDomain::runBranch(std::string_view role, Argument &callable,
                                           const std::vector<Value> &operands, OperandForm form,
                                           const std::vector<Value> &leaves, const Call &c) {
  Machine &m = *machine;
  const bool list = form == OperandForm::List;
  Branch b;
  // The callable's place, made outside of the region: what it holds is captured.
  const Pointer at = m.placeOf(callable);
  const Place *only = at.only();
  Value target = only ? m.peek(*only) : m.unknown("one of several functions");
  while (const Pointer *p = target.pointer()) {
    const Place *next = p->only();
    target = next ? m.peek(*next) : m.unknown("one of several functions");
  }
  if (target.isNull()) {
    b.missing = true;
    return b;
  }
  const GraphId around = graph();
  b.graph = graphs.addGraph(graphs.strings.intern(role), graphs.strings.intern(role), around, NodeId());

  // One parameter for each leaf, and some in reserve.
  std::vector<Argument> arguments;
  std::vector<Argument> probe;
  for (const Value &v : operands) {
    Argument a;
    const bool tensor = isTensor(v) || v.optional() || v.unknown();
    (void)tensor;
    a.value = v;
    probe.push_back(a);
  }
  const clang::FunctionDecl *f = m.target(target, probe);
  const clang::FunctionDecl *body = nullptr;
  const bool seen = f && f->hasBody(body);
  b.invalid = f && (f->isInvalidDecl() || f->getReturnType()->isUndeducedType() ||
                    (seen && (body->isInvalidDecl() || body->getReturnType()->isUndeducedType())));
  const auto parameterName = [&](std::size_t i) -> std::string {
    const clang::FunctionDecl *named = seen ? body : f;
    std::string name;
    if (named && !list && i < named->getNumParams())
      name = named->getParamDecl(static_cast<unsigned>(i))->getNameAsString();
    return name.empty() ? "operand" + std::to_string(i) : name;
  };
  std::vector<ValueId> given;
  std::vector<ValueId> parameters;
  std::vector<Value> inside;
  std::size_t position = 0;
  for (const Value &leaf : leaves)
    given.push_back(leaf.isAbsent()                    ? ValueId()
                    : isTensor(leaf) || leaf.unknown() ? valueOf(leaf, c.expr)
                                                       : literalOf(leaf));
  for (std::size_t i = 0; i < leaves.size(); ++i)
    parameters.push_back(graphs.addParameter(b.graph, graphs.strings.intern(parameterName(position++)), TypeId()));
  if (list)
    for (std::uint32_t i = 0; i < OperandListDatum::spare; ++i)
      graphs.addParameter(b.graph, graphs.strings.intern(parameterName(position++)), TypeId());
  graphs[b.graph].parameters.count = static_cast<std::uint32_t>(leaves.size());
  inferParameters(graphs, b.graph, given);

  // The operands as the branch sees them: the same structure over its parameters.
  BranchScope scope;
  scope.graph = b.graph;
  scope.frame = m.frames().size();
  scope.path = m.path();
  if (only)
    scope.callable = only->object;
  if (!machine->frames().empty())
    b.location = seen ? places.at(body->getSourceRange(), body) : locate(callable.expr ? callable.expr : c.expr);
  graphs[b.graph].location = b.location;
  if (f && !(llvm::isa<clang::CXXMethodDecl>(f) && llvm::cast<clang::CXXMethodDecl>(f)->getParent()->isLambda()))
    b.name = m.qualifiedName(*f);
  scopes.push_back(std::move(scope));
  m.enterRegion();
  const Store::Mark mark = m.store().mark();
  std::size_t next = 0;
  std::vector<std::pair<ValueId, ObjectId>> handles; // the parameters as the branch holds them
  const std::function<Value(const Value &)> mirror = [&](const Value &v) -> Value {
    if (const List *l = v.list()) {
      List out;
      out.sized = l->sized;
      for (const Value &item : l->items)
        out.items.push_back(mirror(item));
      if (list && next == leaves.size())
        out.origin = std::make_shared<const OperandListDatum>(b.graph, static_cast<std::uint32_t>(l->items.size()),
                                                              static_cast<std::uint32_t>(leaves.size()));
      return out;
    }
    if (next >= parameters.size())
      return m.unknown("an operand");
    const ValueId p = parameters[next++];
    if (const Number *n = v.number()) {
      Number out = *n;
      out.known = false;
      out.provenance = Provenance::Varies;
      out.test = nullptr;
      out.source = std::make_shared<SourceDatum>(SourceDatum::Facet::Value, ObjectId(), 0, p);
      return out;
    }
    if (v.text())
      return v;
    const Value tensor = newTensor(p);
    handles.emplace_back(p, tensor.handle()->object);
    return tensor;
  };
  for (const Value &v : operands) {
    Argument a;
    a.value = mirror(v);
    if (form == OperandForm::AnyList && isTensor(a.value) && seen && body->getNumParams() == 1 &&
        m.className(body->getParamDecl(0)->getType()) == "std::vector") {
      // Each element is a part of the operand.
      List any;
      any.sized = false;
      any.every = genericView(a.value, callable.expr);
      a.value = std::move(any);
    }
    arguments.push_back(std::move(a));
  }
  // Types, so that the call operator of a generic lambda can be told.
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (seen && i < body->getNumParams())
      arguments[i].type = body->getParamDecl(static_cast<unsigned>(i))->getType();

  std::vector<std::vector<ValueId>> returned;
  Value joined;
  const clang::QualType declared = f ? f->getReturnType() : clang::QualType();
  b.type = !declared.isNull() ? declared : c.type;
  const bool tried = m.scouting();
  // Only of the branch's own body; what it calls has no handler.
  const auto onReturn = [&](const Value &value, const clang::ReturnStmt *statement) {
    if (m.scouting() && !tried)
      return; // what is only tried out is forgotten
    std::vector<ValueId> out;
    bool known = true;
    Value v = value;
    clang::QualType type = b.type;
    if (const Pointer *p = v.pointer(); p && !type.isNull() && type->isReferenceType())
      v = m.load(*p, nullptr, type.getNonReferenceType());
    if (!type.isNull())
      type = type.getNonReferenceType();
    if (!v.isVoid())
      flatten(out, known, v, type, statement ? static_cast<const clang::Stmt *>(statement) : c.expr);
    NodeDraft d(graphs, "cxx", "return");
    d.values("values", out);
    if (statement && seen && known)
      noteWritten(d, *statement, *body, out.size());
    const NodeId n = emit(d, 0, statement ? static_cast<const clang::Stmt *>(statement) : callable.expr);
    inferNode(graphs, n);
    b.resultsKnown = b.resultsKnown && known;
    returned.push_back(std::move(out));
    b.returns = true;
    scopes.back().returned = true;
    joined = joined.isAbsent() ? v : m.join(joined, v);
  };
  if (overflown || scopes.size() > maxNesting) {
    NodeDraft d(graphs, "cxx", "opaque");
    d.values("values", parameters);
    d.text("name", "too large");
    emit(d, 0, c.expr);
    b.resultsKnown = false;
  } else {
    m.invoke(only ? Pointer::to(*only) : at, std::move(arguments), c.expr, onReturn);
    if (m.tooLarge() || overflown) {
      NodeDraft d(graphs, "cxx", "opaque");
      d.values("values", parameters);
      d.text("name", "too large");
      emit(d, 0, c.expr);
      b.resultsKnown = false;
    }
  }
  // What the branch demands of its parameters on every way.
  for (const auto &[parameter, object] : handles)
    if (const Token *t = m.objectValue(object).token(); t && t->tag == ValueTag && b.returns) {
      std::vector<ValueId> demands;
      if (withoutAssumptions(ValueId(t->id), [&](ValueId v) { demands.push_back(v); }) == parameter)
        for (std::size_t i = demands.size(); i-- > 0;)
          recordDemand(parameter, graphs.types[graphs[demands[i]].recorded]);
    }
  // What it returns on one of its ways.
  if (returned.empty()) {
    b.resultsKnown = false;
  } else {
    for (const auto &r : returned)
      b.resultsKnown = b.resultsKnown && r.size() == returned.front().size();
    if (b.resultsKnown) {
      b.results = returned.front();
      for (std::size_t i = 0; returned.size() > 1 && i < b.results.size(); ++i) {
        std::vector<ValueId> ways;
        for (const auto &r : returned)
          if (std::ranges::find(ways, r[i]) == ways.end())
            ways.push_back(r[i]);
        if (ways.size() == 1)
          continue;
        NodeDraft d(graphs, "cxx", "join");
        d.values("values", ways);
        b.results[i] = emitOne(std::move(d), c.expr);
      }
    }
    b.value = joined;
  }
  // What it left in variables of outside; the tensors' own state stays as it was.
  for (const auto &[object, value] : m.store().changes(mark)) {
    const Object &o = m.object(object);
    if (o.region >= m.region() || value.token() || value.isAbsent() || object == alike)
      continue;
    b.writes.emplace_back(object, value);
  }
  m.store().undo(mark);
  m.leaveRegion();
  m.revive();
  graphs.setCaptures(b.graph, scopes.back().captures);
  return b;
}

//===----------------------------------------------------------------------===//
// The conditional
//===----------------------------------------------------------------------===//

void TorchDomain::addPredicate(NodeDraft &d, Argument &a) {
  // An int, a pointer or a string that becomes a bool here is none.
  const clang::Expr *e = a.expr;
  const char *disguise = nullptr;
  while (e) {
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) {
      if (cast->getCastKind() == clang::CK_IntegralToBoolean)
        disguise = "int";
      else if (cast->getCastKind() == clang::CK_PointerToBoolean)
        disguise = "pointer";
      else if (cast->getCastKind() == clang::CK_FloatingToBoolean)
        disguise = "float";
      e = cast->getSubExpr();
    } else if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) {
      e = full->getSubExpr();
    } else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
      e = temporary->getSubExpr();
    } else {
      break;
    }
  }
  const Value v = machine->load(a);
  if (disguise) {
    if (std::string_view(disguise) == "int")
      d.integer("", 0);
    else
      d.opaque("", disguise);
    return;
  }
  if (isUndefined(v)) {
    d.value("", ValueId());
    return;
  }
  if (const Number *n = v.number()) {
    if (n->kind == Number::Kind::Bool && n->known && n->provenance == Provenance::Literal)
      d.boolean("", n->integer != 0);
    else if (n->kind == Number::Kind::Bool)
      d.value("", scalarValue(n->known ? Number::unknown(Number::Kind::Bool) : *n));
    else if (n->kind == Number::Kind::Integer)
      d.integer("", n->integer);
    else
      d.real("", n->real);
    return;
  }
  if (v.text()) {
    d.text("", *v.text());
    return;
  }
  if (v.isNull()) {
    d.number("", AttributeKind::None, 0);
    return;
  }
  d.value("", valueOf(v, a.expr, "a predicate that is not followed"));
}

Value TorchDomain::conditional(Call &c, const CondArguments &where) {
  Machine &m = *machine;
  const auto argumentAt = [&](std::int32_t i) -> Argument * {
    return i >= 0 && static_cast<std::size_t>(i) < c.arguments.size() ? &c.arguments[static_cast<std::size_t>(i)]
                                                                      : nullptr;
  };
  Argument *predicate = argumentAt(where.predicate);
  Argument *callables[] = {argumentAt(where.trueBranch), argumentAt(where.falseBranch)};
  if (!predicate || !callables[0] || !callables[1])
    return m.unknown(c.type, "a conditional without its arguments");
  const bool outermost = scopes.empty();
  if (outermost) {
    budget = maxValues;
    overflown = false;
    poison = ValueId();
  }
  ++rootConditionals;

  // The operands: each is one parameter of the branches, a list too unless the
  // branches take its elements.
  std::vector<Value> operands;
  std::vector<const clang::Expr *> written;
  bool list = false;
  bool known = true;
  const auto parameterCount = [&](Argument &a) -> std::optional<unsigned> {
    const Pointer p = m.placeOf(a);
    const Value v = p.only() ? m.peek(*p.only()) : Value();
    const clang::FunctionDecl *f = m.target(v, {});
    if (const Callable *bound = v.callable(); bound && !bound->target.isAbsent()) {
      unsigned holes = 0;
      for (const Value &b : bound->bound)
        holes += b.as<Placeholder>() ? 1 : 0;
      return holes;
    }
    return f ? std::optional(f->getNumParams()) : std::nullopt;
  };
  if (where.operands == CondArguments::Rest) {
    const std::int32_t last = std::max({where.predicate, where.trueBranch, where.falseBranch});
    for (std::size_t i = static_cast<std::size_t>(last) + 1; i < c.arguments.size(); ++i) {
      operands.push_back(m.load(c.arguments[i]));
      written.push_back(c.arguments[i].expr);
    }
  } else if (Argument *a = argumentAt(where.operands)) {
    const Value v = m.load(*a);
    written.push_back(a->expr);
    const std::string_view cls = m.className(a->type);
    const bool isVector =
        cls == "std::vector" || cls == "c10::ArrayRef" || cls == "c10::List" || cls == "std::initializer_list";
    const bool spreads = a->type.getNonReferenceType()->isArrayType();
    const auto items = m.elements(v);
    const auto wanted = parameterCount(*callables[0]);
    if (items && (spreads || cls == "std::tuple" || cls == "std::array" || cls == "std::pair")) {
      operands = *items;
    } else if (items && isVector && wanted && *wanted != 1 && *wanted == items->size()) {
      operands = *items;
    } else {
      list = v.list() != nullptr || v.symbol() != nullptr;
      operands.push_back(v);
      if (list && !items)
        known = false;
    }
  }
  std::vector<Value> leaves;
  const std::function<void(const Value &, unsigned)> collect = [&](const Value &v, unsigned depth) {
    if (const List *l = v.list(); l && depth < 8) {
      if (!l->sized)
        known = false;
      for (const Value &item : l->items)
        collect(item, depth + 1);
      return;
    }
    leaves.push_back(v);
  };
  for (const Value &v : operands)
    collect(v, 0);
  if (leaves.size() > 1024)
    known = false;
  if (!known) {
    // A list of unknown length: one operand of which nothing is known.
    const ValueId whole = unknownValue("a list of unknown length", c.expr, false);
    operands.assign(1, newTensor(whole));
    leaves = operands;
    list = false;
  }
  // The same tensor stays the same value, whoever asks.
  for (Value &leaf : leaves)
    if (isTensor(leaf) || leaf.unknown() || leaf.symbol() || leaf.optional())
      leaf = isUndefined(leaf) ? Value(leaf) : newTensor(valueOf(leaf, c.expr));
  std::vector<ValueId> leafValues;
  for (const Value &leaf : leaves)
    leafValues.push_back(isTensor(leaf) ? (isUndefined(leaf) ? ValueId() : valueOf(leaf, c.expr)) : literalOf(leaf));

  NodeDraft d(graphs, "higher_order", "cond");
  addPredicate(d, *predicate);

  const std::size_t damage = m.damage() - (c.expr && c.expr->containsErrors() ? 1 : 0);
  Branch branches[2];
  constexpr std::string_view roles[] = {"true", "false"};
  const std::size_t firstLeak = leaks.size();
  const auto leak = [&](const BranchScope &scope, const Branch &b) {
    for (const auto &[object, value] : b.writes) {
      const Object &o = m.object(object);
      const clang::CXXRecordDecl *closure = Machine::classOf(o.type);
      if (closure && closure->isLambda() && object != scope.callable)
        continue; // a closure's own copies
      m.setObject(object, leaked(Place{object, {}}, m.objectValue(object), value, scope));
    }
  };
  std::vector<BranchScope> finished;
  for (std::size_t i = 0; i < 2; ++i) {
    branches[i] = runBranch(roles[i], *callables[i], operands,
                            list     ? OperandForm::List
                            : !known ? OperandForm::AnyList
                                     : OperandForm::Each,
                            leaves, c);
    if (branches[i].missing) {
      finished.emplace_back();
      continue;
    }
    finished.push_back(std::move(scopes.back()));
    scopes.pop_back();
    leak(finished.back(), branches[i]);
  }
  for (std::size_t i = firstLeak; i < leaks.size(); ++i)
    leaks[i].other = false;
  // What the true branch read and the false one writes: the other direction.
  if (!branches[0].missing && !branches[1].missing)
    for (const BranchScope::Read &r : finished[0].reads) {
      const BranchScope &reader = finished[0];
      const BranchScope &writer = finished[1];
      if (!writer.wrote(r.number, r.whole) || reader.wrote(r.number, r.whole))
        continue;
      scopes.push_back(reader);
      NodeDraft read(graphs, "cxx", "read");
      addVariable(read, r.number, r.whole);
      const NodeId n = emit(read, 0, c.expr);
      graphs[n].location = r.at;
      inferNode(graphs, n);
      scopes.pop_back();
    }

  // Results: of a branch whose number of results is not known, as many as the other has.
  std::optional<std::size_t> count;
  for (const Branch &b : branches)
    if (!b.missing && b.resultsKnown && !count)
      count = b.results.size();
  if (!count)
    for (const Branch &b : branches)
      if (!b.missing && !count)
        count = leafCount(b.type);
  if (!count)
    count = leafCount(c.type);
  for (std::size_t i = 0; i < 2; ++i) {
    Branch &b = branches[i];
    if (b.missing)
      continue;
    if (!b.resultsKnown) {
      scopes.push_back(finished[i]);
      b.results.clear();
      for (std::size_t k = 0; k < count.value_or(1); ++k)
        b.results.push_back(
            unknownValue(b.returns ? "outputs whose number is not known" : "no output is reached", c.expr, false));
      finished[i] = std::move(scopes.back());
      scopes.pop_back();
    }
    graphs.setResults(b.graph, b.results);
  }

  for (std::size_t i = 0; i < 2; ++i) {
    Attribute region;
    region.name = graphs.strings.intern("");
    region.kind = branches[i].missing ? AttributeKind::None : AttributeKind::Region;
    region.list = {static_cast<std::uint32_t>(i == 1 && !branches[0].missing ? 1 : 0), 1};
    d.attribute(region);
  }
  d.values("", leafValues);
  const auto place = [&](std::string_view name, const clang::Expr *e) {
    if (!e)
      return;
    Attribute a;
    a.name = graphs.strings.intern(name);
    a.kind = AttributeKind::Location;
    a.number = places.at(e->getSourceRange(), m.frames().back()->function).index();
    d.attribute(a);
  };
  bool broken = m.damage() != damage;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    broken = broken || (c.arguments[i].expr && c.arguments[i].expr->containsErrors());
  // A `return` that does not compile leaves a function that returns nothing.
  const bool hasErrors = ast.getDiagnostics().hasErrorOccurred();
  for (const Branch &b : branches)
    broken = broken || b.invalid || (hasErrors && !b.missing && !b.type.isNull() && b.type->isVoidType());
  if (broken)
    d.text("unknown", "it holds code that does not compile");
  place("predicate_at", predicate->expr);
  if (!written.empty())
    place("operands_at", written.front());
  for (std::size_t i = 0; i < 2; ++i) {
    if (branches[i].missing)
      continue;
    Attribute a;
    a.name = graphs.strings.intern(i == 0 ? "true_at" : "false_at");
    a.kind = AttributeKind::Location;
    a.number = branches[i].location.index();
    if (branches[i].location)
      d.attribute(a);
    if (!branches[i].name.empty())
      d.text(i == 0 ? "branch_name_true" : "branch_name_false", branches[i].name);
  }

  std::size_t results = count.value_or(0);
  for (const Branch &b : branches)
    if (!b.missing) {
      results = b.results.size();
      break;
    }
  const NodeId n = emit(d, results, c.expr);
  const SourceLocation at = graphs.location(graphs[n].location);
  graphs[n].name = graphs.strings.intern("cond@" + std::to_string(at.line) + ":" + std::to_string(at.column));
  std::vector<GraphId> regions;
  for (const Branch &b : branches)
    if (!b.missing) {
      regions.push_back(b.graph);
      graphs[b.graph].owner = n;
    }
  graphs.setRegions(n, regions);
  inferNode(graphs, n);

  std::vector<ValueId> out;
  for (std::size_t i = 0; i < graphs.resultCount(n); ++i)
    out.push_back(graphs.result(n, i));
  if (c.type.isNull() || c.type->isVoidType())
    return Void{};
  const Branch &pattern = branches[0].missing || branches[0].value.isAbsent() ? branches[1] : branches[0];
  if (pattern.value.isAbsent() || !pattern.resultsKnown) {
    std::size_t next = 0;
    return leafCount(c.type) == out.size() ? rebuild(Value(), c.type, out, next)
                                           : m.unknown(c.type, "what a conditional returns");
  }
  std::size_t next = 0;
  return rebuild(pattern.value, c.type.getNonReferenceType(), out, next);
}

} // namespace condlint::cxx
