//===- TensorRtValues.cpp - Tokens for TensorRT's objects -------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/Types.h"
#include "Picks.h"
#include "TensorRtDomain.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Lex/Lexer.h>
#include <limits>
#include <utility>

namespace condlint::cxx {

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

EntityKind TensorRtClasses::of(const clang::CXXRecordDecl *record) {
  if (!record)
    return EntityKind::None;
  const auto [entry, isNew] = known.try_emplace(record->getCanonicalDecl(), EntityKind::None);
  if (!isNew)
    return entry->second;
  const llvm::StringRef name = record->getIdentifier() ? record->getName() : llvm::StringRef();
  const clang::DeclContext *around = record->getDeclContext();
  while (around && around->isInlineNamespace())
    around = around->getParent();
  const auto *space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(around);
  if (!name.starts_with("I") || !space)
    return EntityKind::None;
  // A namespace that has networks of this kind speaks TensorRT's language.
  bool speaks = space->getName() == "nvinfer1" || space->getName() == "nvonnxparser";
  if (!speaks) {
    clang::ASTContext &ast = record->getASTContext();
    for (const clang::NamedDecl *d : space->lookup(clang::DeclarationName(&ast.Idents.get("INetworkDefinition"))))
      speaks = speaks || llvm::isa<clang::CXXRecordDecl>(d);
  }
  EntityKind entityKind = EntityKind::None;
  if (speaks)
    entityKind = name == "INetworkDefinition"                      ? EntityKind::Network
                 : name == "ITensor"                               ? EntityKind::Tensor
                 : name == "IIfConditional"                        ? EntityKind::Conditional
                 : name == "ILoop"                                 ? EntityKind::Loop
                 : name == "IParser"                               ? EntityKind::Parser
                 : name.ends_with("Layer") || name == "IAttention" ? EntityKind::Layer
                                                                   : EntityKind::Other;
  known[record->getCanonicalDecl()] = entityKind;
  return entityKind;
}

EntityKind TensorRtClasses::of(clang::QualType type) {
  if (type.isNull())
    return EntityKind::None;
  type = type.getNonReferenceType();
  while (type->isPointerType())
    type = type->getPointeeType();
  return of(type->getAsCXXRecordDecl());
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {

Token token(EntityKind t, std::uint32_t id) { return {id, static_cast<std::uint32_t>(t)}; }

/// The least and the greatest enumerator of a scoped enumeration: a value of it is one of its names.
std::optional<std::pair<std::int64_t, std::int64_t>> endsOf(clang::QualType type) {
  const auto *e = type->getAs<clang::EnumType>();
  const clang::EnumDecl *definition = e ? e->getDecl()->getDefinition() : nullptr;
  if (!definition || !definition->isScoped() || definition->enumerators().empty())
    return std::nullopt;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
  for (const clang::EnumConstantDecl *name : definition->enumerators()) {
    if (!name->getInitVal().isRepresentableByInt64())
      return std::nullopt;
    low = std::min(low, name->getInitVal().getExtValue());
    high = std::max(high, name->getInitVal().getExtValue());
  }
  return std::pair(low, high);
}

/// The class that \p type, a pointer or a reference perhaps, leads to.
clang::QualType classType(clang::QualType type) {
  if (type.isNull())
    return type;
  type = type.getNonReferenceType();
  while (type->isPointerType())
    type = type->getPointeeType();
  return type.getUnqualifiedType();
}

} // namespace

Value TensorRtDomain::pointerTo(Machine &m, TensorRef t, clang::QualType type) {
  const auto [entry, isNew] =
      tensorIndex.try_emplace({t.layer.index(), t.output}, static_cast<std::uint32_t>(tensors.size()));
  if (isNew)
    tensors.push_back({t, ObjectId()});
  Tensor &tensor = tensors[entry->second];
  const Value v = token(EntityKind::Tensor, entry->second);
  if (!tensor.object)
    tensor.object = m.newObject(v, classType(type), Storage::Heap);
  else if (m.objectValue(tensor.object).isAbsent())
    m.setObject(tensor.object, v); // made on another path
  return Pointer::to(tensor.object);
}

Value TensorRtDomain::pointerTo(Machine &m, EntityKind entityKind, LayerId l, clang::QualType type) {
  const auto [entry, isNew] = entityIndex.try_emplace(l.index(), static_cast<std::uint32_t>(entities.size()));
  if (isNew)
    entities.push_back({entityKind, l, ObjectId(), false});
  Entity &entity = entities[entry->second];
  const Value v = token(entityKind, entry->second);
  if (!entity.object)
    entity.object = m.newObject(v, classType(type), Storage::Heap);
  else if (m.objectValue(entity.object).isAbsent())
    m.setObject(entity.object, v);
  return Pointer::to(entity.object);
}

Value TensorRtDomain::newNetwork(Machine &m, clang::QualType type, bool own) {
  const auto number = static_cast<std::uint32_t>(ownNetworks.size());
  ownNetworks.push_back(own);
  return Pointer::to(m.newObject(token(EntityKind::Network, number), classType(type), Storage::Heap));
}

Value TensorRtDomain::newOther(Machine &m, clang::QualType type, EntityKind entityKind) {
  return Pointer::to(m.newObject(token(entityKind, 0), classType(type), Storage::Heap));
}

std::optional<Value> TensorRtDomain::input(Machine &m, const SymbolInfo &info) {
  if (const auto kind = numberKind(info.type); kind && *kind != Number::Kind::Floating) {
    Number n = Number::unknown(*kind, info.isConst ? Provenance::Fixed : Provenance::Varies);
    n.source =
        hostPaths.newSymbol(*kind == Number::Kind::Bool ? &n.test : nullptr, info.origin != SymbolInfo::Origin::Result);
    if (*kind == Number::Kind::Integer) {
      n.dim = m.signedNumbers().fresh(m.dims(), info.name.empty() ? "n" : info.name,
                                      SignedNumbers::rangeOf(m.ast(), info.type));
      hostPaths.nameSize(m, n);
    }
    if (const auto ends = endsOf(info.type))
      for (const auto &[op, end] : {std::pair(clang::BO_GE, ends->first), std::pair(clang::BO_LE, ends->second)})
        if (const auto test = hostPaths.compare(op, n, Number::ofInteger(end)))
          test->assume(m, true);
    return n;
  }
  const bool pointer = info.type->isPointerType();
  const clang::QualType pointee = pointer ? info.type->getPointeeType() : info.type;
  const EntityKind entityKind = pointee->isPointerType() ? EntityKind::None : cls.of(pointee);
  if (entityKind == EntityKind::None)
    return std::nullopt;
  Value made;
  switch (entityKind) {
  case EntityKind::Network:
    made = newNetwork(m, pointee, false);
    break;
  case EntityKind::Tensor:
  case EntityKind::Layer:
  case EntityKind::Conditional:
  case EntityKind::Loop: {
    // Given from outside: it was there before. What a call gives back may be what was made here.
    const CxxOp op = info.origin == SymbolInfo::Origin::Result ? CxxOp::Unknown : CxxOp::Outside;
    const LayerId l = addLayer(m, op, entityKind == EntityKind::Layer ? manyOutputs : 1, info.expr);
    if (!info.name.empty()) {
      Setting name;
      name.name = attr::name.name;
      name.kind = AttributeKind::String;
      name.text = info.name;
      net.set(l, std::move(name));
    }
    if (info.origin == SymbolInfo::Origin::Parameter) {
      Setting parameter;
      parameter.name = attr::parameter.name;
      parameter.kind = AttributeKind::Bool;
      parameter.number = 1;
      net.set(l, std::move(parameter));
    }
    made = entityKind == EntityKind::Tensor ? pointerTo(m, TensorRef{l, 0}, pointee)
                                            : pointerTo(m, entityKind, l, pointee);
    if (entityKind != EntityKind::Tensor)
      entities[entityIndex[l.index()]].outside = true;
    break;
  }
  default:
    made = newOther(m, pointee, entityKind);
    break;
  }
  if (pointer)
    return made;
  return m.peek(*made.pointer()->only());
}

std::optional<Token> TensorRtDomain::tokenOf(Machine &m, Argument &a) {
  Value v = a.value;
  if (a.place) {
    const Place *only = a.place->only();
    if (!only)
      return std::nullopt;
    v = m.peek(*only);
  }
  // A pointer to it does as well.
  if (const Pointer *p = v.pointer())
    if (const Place *only = p->only())
      v = m.peek(*only);
  return v.token() ? std::optional(*v.token()) : std::nullopt;
}

TensorRef TensorRtDomain::tensorOf(Machine &, const Token &t) const {
  if (static_cast<EntityKind>(t.tag) != EntityKind::Tensor || t.id >= tensors.size())
    return {};
  return tensors[t.id].ref;
}

TensorRef TensorRtDomain::unknownTensor(Machine &m, std::string_view why, const clang::Expr *at) {
  const LayerId l = addLayer(m, CxxOp::Unknown, 1, at);
  Setting s;
  s.name = attr::reason.name;
  s.kind = AttributeKind::String;
  s.text = why;
  net.set(l, std::move(s));
  return {l, 0};
}

TensorRef TensorRtDomain::tensorOf(Machine &m, Argument &a) {
  if (!a.place) {
    Value v = m.load(a);
    if (v.token())
      if (const TensorRef t = tensorOf(m, *v.token()); t && !net[t.layer].ghost)
        return t;
    return unknownTensor(m, "a tensor that is not known", a.expr);
  }
  const Pointer &p = *a.place;
  if (p.places.empty() && !p.other)
    return {}; // null
  std::vector<TensorRef> candidates;
  bool other = p.other;
  for (const Place &place : p.places) {
    const Value v = m.peek(place);
    const TensorRef t = v.token() ? tensorOf(m, *v.token()) : TensorRef();
    if (!t || net[t.layer].ghost)
      other = true;
    else if (std::ranges::find(candidates, t) == candidates.end())
      candidates.push_back(t);
  }
  if (candidates.size() == 1 && !other)
    return candidates.front();
  if (candidates.empty())
    return unknownTensor(m, "a tensor that is not known", a.expr);
  if (other)
    candidates.push_back(unknownTensor(m, "a tensor of another path", a.expr));
  const LayerId join = addLayer(m, CxxOp::Join, 1, a.expr);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    net.setOperand(join, i, candidates[i]);
  return {join, 0};
}

std::vector<TensorRef> TensorRtDomain::tensorArray(Machine &m, const Value &pointer, const Value &count, bool &known,
                                                   const clang::Expr *at) {
  std::vector<TensorRef> out;
  const Pointer *p = pointer.pointer();
  const Place *first = p ? p->only() : nullptr;
  const Number *n = count.number();
  constexpr std::int64_t most = 100'000;
  known = first && n && n->known && n->integer >= 0 && n->integer <= most;
  if (pointer.isNull() && n && n->known && n->integer == 0)
    known = true;
  for (std::int64_t i = 0; known && first && i < n->integer; ++i) {
    Place place = *first;
    if (i != 0 &&
        (place.path.empty() || place.path.back().field || place.path.back().key || place.path.back().index < 0)) {
      known = false;
      break;
    }
    if (i != 0)
      place.path.back().index += i;
    const Value v = m.load(place, at);
    Argument element;
    element.expr = at;
    if (v.pointer())
      element.place = *v.pointer();
    else
      element.value = v;
    out.push_back(tensorOf(m, element));
  }
  if (known)
    return out;
  // All that it may hold, and more that is not known.
  Reach r;
  reach(m, pointer, r);
  for (TensorRef t : r.tensors)
    out.push_back(t);
  out.push_back(unknownTensor(m, "a list of tensors that is not known", at));
  return out;
}

void TensorRtDomain::setSome(Machine &m, const Call &call) {
  if (!call.callee || !call.callee->getDeclName().isIdentifier() || !call.callee->getName().starts_with("set"))
    return;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  for (const Entity &e : entities)
    if (const clang::CXXRecordDecl *c = Machine::classOf(m.object(e.object).type);
        e.entityKind == EntityKind::Layer && c && method &&
        c->getCanonicalDecl() == method->getParent()->getCanonicalDecl())
      setUnseen(e.layer);
}

void TensorRtDomain::setSomeInput(Machine &m, const Call &call, std::optional<std::int64_t> index) {
  // Those that the pointer leads to, where it leads to nothing else; or whatever was made.
  std::vector<LayerId> meant;
  bool isAny = !call.self || !call.self->place || call.self->place->other || call.self->place->places.empty();
  if (!isAny)
    for (const Place &place : call.self->place->places) {
      const Value v = m.peek(place);
      const Token *t = v.token();
      const Entity *e = t && static_cast<EntityKind>(t->tag) == EntityKind::Layer && t->id < entities.size()
                            ? &entities[t->id]
                            : nullptr;
      isAny = isAny || !e || e->outside || net[e->layer].ghost;
      if (e)
        meant.push_back(e->layer);
    }
  if (isAny) {
    meant.clear();
    for (const Entity &e : entities)
      if (e.entityKind == EntityKind::Layer && !e.outside && !net[e.layer].ghost)
        meant.push_back(e.layer);
  }
  if (meant.empty())
    return;
  const TensorRef given = unknownTensor(m, "an input that some layer was given", call.expr);
  const auto isOpen = [&](TensorRef t) { // by an earlier call already
    return net[t.layer].op == nameOf(CxxOp::Join) && net[t.layer].operands.size() == 2 && net[t.layer].operands[1] &&
           net[net[t.layer].operands[1].layer].op == nameOf(CxxOp::Unknown);
  };
  for (LayerId l : meant) {
    const std::size_t first = net[l].firstInput();
    if (index && *index >= 0 && first + static_cast<std::size_t>(*index) >= net[l].operands.size())
      setUnseen(l); // one that it had not
    for (std::size_t i = first; i < net[l].operands.size(); ++i) {
      const TensorRef old = net[l].operands[i];
      if (!old || (index && *index >= 0 && i != first + static_cast<std::size_t>(*index)) || isOpen(old))
        continue;
      const LayerId join = addLayer(m, CxxOp::Join, 1, call.expr);
      net.setOperand(join, 0, old);
      net.setOperand(join, 1, given);
      net.setOperand(l, i, {join, 0});
    }
  }
}

LayerId TensorRtDomain::layerOf(Machine &m, Call &call, EntityKind entityKind) {
  if (call.self)
    if (const auto t = tokenOf(m, *call.self); t && static_cast<EntityKind>(t->tag) == entityKind &&
                                               t->id < entities.size() && !net[entities[t->id].layer].ghost)
      return entities[t->id].layer;
  // What is meant may be any of those that the pointer leads to, or that there are.
  if (Reach r; entityKind == EntityKind::Conditional || entityKind == EntityKind::Loop) {
    if (call.self)
      call.self->place ? reach(m, *call.self->place, r) : reach(m, call.self->value, r);
    r.network = r.tensors.empty();
    addUnfollowed(m, r, call.callee ? call.callee->getNameAsString() : std::string(), 0, call.expr);
  }
  if (entityKind == EntityKind::Layer)
    setSome(m, call);
  const LayerId l = addLayer(m, CxxOp::Unknown, entityKind == EntityKind::Layer ? manyOutputs : 1, call.expr);
  pointerTo(m, entityKind, l, call.self ? call.self->type : clang::QualType());
  entities[entityIndex[l.index()]].outside = true;
  return l;
}

//===----------------------------------------------------------------------===//
// What leads to what
//===----------------------------------------------------------------------===//

void TensorRtDomain::reach(Machine &m, const Pointer &p, Reach &r, unsigned depth) {
  const std::size_t before = r.tensors.size();
  for (const Place &place : p.places)
    if (place.object) {
      if (place.path.empty() && !r.objects.insert(place.object.index()).second)
        continue;
      reach(m, m.peek(place), r, depth + 1);
    }
  if (p.places.size() > 1 || p.other)
    r.perhaps.insert(r.perhaps.end(), r.tensors.begin() + static_cast<std::ptrdiff_t>(before), r.tensors.end());
}

void TensorRtDomain::reach(Machine &m, const Value &v, Reach &r, unsigned depth) {
  constexpr unsigned deepest = 12;
  if (depth > deepest) {
    r.network = true; // whatever there is may lie there
    return;
  }
  if (const Token *t = v.token()) {
    switch (static_cast<EntityKind>(t->tag)) {
    case EntityKind::Tensor:
      if (const TensorRef ref = tensorOf(m, *t); ref && !net[ref.layer].ghost)
        r.tensors.push_back(ref);
      break;
    case EntityKind::Layer:
    case EntityKind::Conditional:
    case EntityKind::Loop:
      if (t->id < entities.size() && !net[entities[t->id].layer].ghost) {
        const LayerId l = entities[t->id].layer;
        r.layers.push_back(l);
        for (std::uint32_t i = 0; i < net[l].outputs; ++i)
          r.tensors.push_back({l, i});
        // By a boundary layer its conditional or loop can be had.
        if (net[l].op.find('.') != std::string_view::npos && !net[l].operands.empty())
          r.tensors.push_back(net[l].operands.front());
      }
      break;
    case EntityKind::Network:
    case EntityKind::Parser:
      r.network = true;
      break;
    default:
      break;
    }
  } else if (const Pointer *p = v.pointer()) {
    reach(m, *p, r, depth);
  } else if (const Record *record = v.record()) {
    for (const auto &[field, value] : record->fields)
      reach(m, value, r, depth + 1);
  } else if (const List *list = v.list()) {
    for (const Value &item : list->items)
      reach(m, item, r, depth + 1);
    reach(m, list->every, r, depth + 1);
  } else if (const Map *entries = v.map()) {
    for (const auto &[key, value] : entries->entries)
      reach(m, value, r, depth + 1);
  } else if (const Optional *o = v.optional()) {
    reach(m, o->value, r, depth + 1);
  } else if (const Callable *c = v.callable()) {
    reach(m, c->target, r, depth + 1);
    for (const Value &bound : c->bound)
      reach(m, bound, r, depth + 1);
  }
}

EntityKind TensorRtDomain::makesOf(const Call &call) {
  const EntityKind made = cls.of(call.type);
  return made == EntityKind::Other || made == EntityKind::Parser || made == EntityKind::Network ? EntityKind::None
                                                                                                : made;
}

void TensorRtDomain::noteHanded(const Reach &r) {
  for (const LayerId l : r.layers)
    if (net[l].domain.empty() && !net[l].ghost &&
        std::ranges::find(net[l].settings, attr::handed.name, &Setting::name) == net[l].settings.end()) {
      Setting handed;
      handed.name = attr::handed.name;
      handed.kind = AttributeKind::Bool;
      handed.number = 1;
      net.set(l, std::move(handed));
    }
}

std::vector<TensorRef> TensorRtDomain::tensorsOf(Machine &m, const Reach &r, const clang::Expr *at) {
  const auto isHandle = [&](TensorRef t) {
    return net[t.layer].op == "addIfConditional" || net[t.layer].op == "addLoop";
  };
  std::vector<TensorRef> out, several;
  for (TensorRef t : r.tensors)
    if (isHandle(t) || std::ranges::find(r.perhaps, t) == r.perhaps.end())
      out.push_back(t);
    else if (std::ranges::find(several, t) == several.end())
      several.push_back(t);
  if (several.empty())
    return out;
  const LayerId join = addLayer(m, CxxOp::Join, 1, at);
  for (std::size_t i = 0; i < several.size(); ++i)
    net.setOperand(join, i, several[i]);
  out.push_back({join, 0});
  return out;
}

LayerId TensorRtDomain::addUnfollowed(Machine &m, const Reach &r, std::string name, std::uint32_t outputs,
                                      const clang::Expr *at) {
  noteHanded(r);
  const std::vector<TensorRef> given = tensorsOf(m, r, at);
  const LayerId l = addLayer(m, CxxOp::Opaque, outputs, at);
  for (std::size_t i = 0; i < given.size(); ++i)
    net.setOperand(l, i, given[i]);
  Setting called;
  called.name = attr::name.name;
  called.kind = AttributeKind::String;
  called.text = std::move(name);
  net.set(l, std::move(called));
  if (r.network) {
    Setting all;
    all.name = attr::network.name;
    all.kind = AttributeKind::Bool;
    all.number = 1;
    net.set(l, std::move(all));
  }
  return l;
}

void TensorRtDomain::onOpaque(Machine &m, Call &call) {
  unfollowed = LayerId();
  Reach r;
  if (call.self)
    call.self->place ? reach(m, *call.self->place, r) : reach(m, call.self->value, r);
  for (Argument &a : call.arguments)
    a.place ? reach(m, *a.place, r) : reach(m, a.value, r);
  // What it is not given, but can get at, it may leave alone, or forget.
  const auto given = static_cast<std::ptrdiff_t>(r.tensors.size());
  for (const Pointer &elsewhere : call.reached)
    reach(m, elsewhere, r);
  std::copy_if(r.tensors.begin() + given, r.tensors.end(), std::back_inserter(r.perhaps), [&](TensorRef t) {
    return std::find(r.tensors.begin(), r.tensors.begin() + given, t) == r.tensors.begin() + given;
  });
  if (!r.tensors.empty() || r.network || makesOf(call) != EntityKind::None)
    unfollowed = addUnfollowed(m, r, call.callee ? call.callee->getNameAsString() : std::string(),
                               makesOf(call) == EntityKind::Layer ? 8 : 1, call.expr);
  mayRetype = isLikeSetter(call);
}

bool TensorRtDomain::isLikeSetter(const Call &call) {
  const auto isTensor = [&](const Argument &a) {
    const clang::QualType t = a.type.isNull() ? a.type : a.type.getNonReferenceType();
    return cls.of(a.type) == EntityKind::Tensor && !t.isConstQualified() &&
           !(t->isPointerType() && t->getPointeeType().isConstQualified());
  };
  const auto isSetting = [&](const Argument &a) {
    return !a.type.isNull() && (numberKind(a.type) || isDimensions(a.type));
  };
  return !call.type.isNull() && call.type->isVoidType() && !call.self &&
         std::ranges::any_of(call.arguments, isTensor) &&
         std::ranges::all_of(call.arguments, [&](const Argument &a) { return isTensor(a) || isSetting(a); });
}

std::optional<Value> TensorRtDomain::havoc(Machine &m, const Value &v, ReasonId) {
  const Token *t = v.token();
  LayerId l;
  if (t && static_cast<EntityKind>(t->tag) == EntityKind::Layer && t->id < entities.size())
    l = entities[t->id].layer;
  else if (t && static_cast<EntityKind>(t->tag) == EntityKind::Tensor && mayRetype)
    l = tensorOf(m, *t).layer;
  setUnseen(l);
  return v;
}

void TensorRtDomain::setUnseen(LayerId l) {
  if (!l || !net[l].domain.empty() || net[l].ghost)
    return;
  Setting unseen;
  unseen.name = attr::unseen.name;
  unseen.kind = AttributeKind::Bool;
  unseen.number = 1;
  net.set(l, std::move(unseen));
}

namespace {

/// \p type is a class of the user's whose destructor does something.
bool hasWorkingDestructor(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInStdNamespace())
    return false;
  const clang::CXXDestructorDecl *destructor = record->getDestructor();
  if (!destructor || !destructor->isUserProvided())
    return false;
  const clang::FunctionDecl *definition = nullptr;
  const auto *body =
      destructor->hasBody(definition) ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
  return !body || !body->body_empty();
}

} // namespace

Value TensorRtDomain::opaqueCall(Machine &m, Call &call) {
  const LayerId l = std::exchange(unfollowed, LayerId());
  mayRetype = false;
  const EntityKind made = makesOf(call);
  if (!l || made == EntityKind::None || call.type->isPointerType() == call.type->isReferenceType())
    return Domain::opaqueCall(m, call);
  if (made == EntityKind::Tensor)
    return pointerTo(m, TensorRef{l, 0}, call.type);
  const Value v = pointerTo(m, made, l, call.type);
  entities[entityIndex[l.index()]].outside = true;
  return v;
}

void TensorRtDomain::onLost(Machine &m, const Value &v, const clang::Expr *at) {
  Reach r;
  reach(m, v, r);
  noteHanded(r);
  if (r.tensors.empty())
    return;
  const LayerId l = addLayer(m, CxxOp::Return, 0, at);
  net.set(l, flag(attr::uncertain)); // nor is it known that somebody takes it from there
  for (std::size_t i = 0; i < r.tensors.size(); ++i)
    net.setOperand(l, i, r.tensors[i]);
}

void TensorRtDomain::finish(Machine &m, const Value &result, std::string_view incomplete) {
  if (!m.dead())
    openUncertainInputs(m);
  Reach r, closed;
  reach(m, result, r);
  llvm::DenseMap<const clang::Type *, bool> working; // objects are many, their types are few
  for (std::uint32_t i = 0; i < m.store().size(); ++i) {
    const ObjectId id(i);
    const Object &o = m.object(id);
    const auto [does, isNew] = working.try_emplace(o.type.getTypePtrOrNull(), false);
    if (isNew)
      // TensorRT's own do nothing to a network, though their bodies may be left out of what is read.
      does->second = cls.of(o.type) == EntityKind::None && (hasWorkingDestructor(o.type) || m.isDestroyed(o.type));
    if (does->second)
      reach(m, Pointer::to(id), closed);
    const bool outer = o.storage == Storage::This || o.storage == Storage::Pointee || o.storage == Storage::Global ||
                       o.storage == Storage::Static ||
                       (o.storage == Storage::Parameter && o.decl && o.decl->getType()->isReferenceType());
    // An object of TensorRT's that was given from outside is nothing that this code left there.
    if (outer && (cls.of(o.type) == EntityKind::None || o.type->isPointerType()))
      reach(m, Pointer::to(id), r);
  }
  // What was not seen to come to its end may complete then what it can get at.
  closed.network = false;
  noteHanded(r);
  if (!closed.tensors.empty())
    addUnfollowed(m, closed, "a destructor", 0, nullptr);
  if (r.tensors.empty() && incomplete.empty())
    return;
  const std::vector<TensorRef> given = tensorsOf(m, r, nullptr);
  const LayerId l = addLayer(m, incomplete.empty() ? CxxOp::Return : CxxOp::Opaque, 0, nullptr);
  for (std::size_t i = 0; i < given.size(); ++i)
    net.setOperand(l, i, given[i]);
  if (incomplete.empty())
    return;
  // Code that was not followed may have done anything more.
  Setting all;
  all.name = attr::network.name;
  all.kind = AttributeKind::Bool;
  all.number = 1;
  net.set(l, std::move(all));
  Setting why;
  why.name = attr::unknown.name;
  why.kind = AttributeKind::String;
  why.text = incomplete;
  for (std::size_t i = 0; i < net.size(); ++i)
    if (const LayerId each(static_cast<std::uint32_t>(i)); net[each].op == "addIfConditional" || each == l)
      net.set(each, why);
}

bool TensorRtDomain::isOwn(Machine &m, const Value &v) {
  const Token *t = v.token();
  if (!t)
    return false;
  const auto isMade = [&](LayerId l) { return l && net[l].domain.empty() && net[l].op != "getOutput"; };
  switch (static_cast<EntityKind>(t->tag)) {
  case EntityKind::Network:
    return t->id < ownNetworks.size() && ownNetworks[t->id];
  case EntityKind::Tensor:
    return isMade(tensorOf(m, *t).layer);
  case EntityKind::Layer:
  case EntityKind::Conditional:
  case EntityKind::Loop:
    return t->id < entities.size() && !entities[t->id].outside && isMade(entities[t->id].layer);
  default:
    return false;
  }
}

std::optional<unsigned> TensorRtDomain::trips(Machine &m, const clang::Stmt &loop) {
  const auto some = hostPaths.trips(m, loop);
  if (some)
    loopsAround.push_back(m.assumedLoop()); // the machine counts them as they begin
  return some;
}

bool TensorRtDomain::isRepeatedFor(Machine &m, LayerId l) const {
  const std::uint32_t made = net[l].loop;
  for (std::uint32_t at = m.assumedLoop(); at != made; at = loopsAround[at])
    if (at == 0)
      return false; // it was made in a loop that has ended
  return m.assumedLoop() != made;
}

void TensorRtDomain::keepOpen(Machine &m, const Value &v) {
  Reach r;
  reach(m, v, r);
  std::erase_if(r.tensors, [&](TensorRef t) {
    const std::string_view op = net[t.layer].op;
    if (op != "addIfConditional" && op != "addLoop")
      return true;
    for (std::size_t i = t.layer.index(); i < net.size(); ++i) {
      const Layer &l = net[LayerId(static_cast<std::uint32_t>(i))];
      if ((l.op == "IfConditional.addOutput" || l.op == "Loop.addLoopOutput") && !l.operands.empty() &&
          l.operands.front() == t)
        return true;
    }
    return false;
  });
  r.network = false;
  if (!r.tensors.empty())
    addUnfollowed(m, r, "a further trip of a loop", 0, nullptr);
}

Value TensorRtDomain::afterTrips(Machine &m, const Value &before, const Value &now) {
  const auto tensorAt = [&](const Value &v) {
    const Place *only = v.pointer() ? v.pointer()->only() : nullptr;
    const Value held = only ? m.peek(*only) : Value();
    return held.token() ? tensorOf(m, *held.token()) : TensorRef();
  };
  const TensorRef t = tensorAt(now), old = tensorAt(before);
  if (!t) {
    keepOpen(m, now);
    return now;
  }
  const Type a = net.type(old);
  const Type &b = net.type(t);
  if (old && a.element == b.element && a.hasRank == b.hasRank && std::ranges::equal(a.dims, b.dims))
    return now;
  // Each trip makes another type of it.
  onLost(m, now, nullptr);
  return pointerTo(m, unknownTensor(m, "a tensor that changes from trip to trip of a loop", nullptr),
                   m.object(now.pointer()->only()->object).type);
}

std::optional<Value> TensorRtDomain::sizeOfSymbol(Machine &m, SymbolId symbol) {
  if (m.symbol(symbol).determined)
    return std::nullopt;
  auto [known, isNew] = symbolSizes.try_emplace(symbol.index());
  if (isNew) {
    Number n =
        Number::ofDim(m.dims().fresh(m.symbol(symbol).name + ".size", SymbolOrigin::Anonymous), Provenance::Varies);
    n.source = hostPaths.newSize(m, n.dim);
    known->second = n;
  }
  return known->second;
}

void TensorRtDomain::identify(Machine &, Number &n) {
  // What paths left, or a trip: a name tells it from what stands there later. It is no size, since a shape that a trip
  // of a loop made is not that of another trip.
  if (n.kind != Number::Kind::Floating)
    n.source = hostPaths.newName(n.kind == Number::Kind::Bool ? &n.test : nullptr);
}

std::shared_ptr<const Test> TensorRtDomain::comparison(Machine &m, unsigned opcode, const Number &a, const Number &b) {
  auto test = hostPaths.compare(opcode, a, b);
  if (!test)
    return hostPaths.compareSizes(m, opcode, a, b);
  // A number that is taken as a size is one in all that follows: `m < 0 || m > 1` leaves 0 and 1.
  const Number &open = a.known ? b : a;
  if (open.dim.known() && !open.known) {
    const Interval bounds = m.signedNumbers().boundsOf(m.dims(), open.dim);
    PossibleValues sizes;
    sizes.restrict(clang::BO_GE, bounds.min);
    sizes.restrict(clang::BO_LE, bounds.max);
    const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
    if (const auto always = sizes.holds(a.known ? mirrored(op) : op, (a.known ? a : b).integer))
      test->assume(m, *always);
  }
  return test;
}

std::optional<unsigned> TensorRtDomain::choosePath(Machine &m, const clang::Stmt *at, unsigned paths,
                                                   const Value &condition, std::span<const clang::Stmt *const> arms) {
  const std::size_t before = hostPaths.choices().size();
  const auto chosen = hostPaths.choosePath(m, at, paths, condition, arms);
  if (hostPaths.choices().size() != before && arms.size() == 2)
    noteChoice(m, *at, hostPaths.choices().back());
  return chosen;
}

/// \p condition as it is written, where that is short and no macro's.
static llvm::StringRef textOf(const clang::ASTContext &ast, const clang::Expr &condition) {
  if (condition.getBeginLoc().isMacroID() || condition.getEndLoc().isMacroID())
    return {};
  const llvm::StringRef text = clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(condition.getSourceRange()), ast.getSourceManager(), ast.getLangOpts());
  constexpr std::size_t longest = 80;
  return text.size() > longest || text.contains('\n') ? llvm::StringRef() : text;
}

void TensorRtDomain::noteChoice(Machine &m, const clang::Stmt &at, const PathChoice &choice) {
  const auto *test = llvm::dyn_cast<clang::IfStmt>(&at);
  const clang::Expr *condition = test ? test->getCond() : llvm::dyn_cast<clang::Expr>(&at);
  const llvm::StringRef text = condition ? textOf(m.ast(), *condition) : llvm::StringRef();
  if (!condition || (text.empty() && !choice.doubtful))
    return;
  const LayerId l = addLayer(m, CxxOp::Choice, 0, condition);
  const auto setNumber = [&](std::string_view name, std::int64_t number) {
    Setting s;
    s.name = name;
    s.kind = AttributeKind::Int;
    s.number = number;
    net.set(l, std::move(s));
  };
  setNumber("place", static_cast<std::int64_t>(choice.place));
  if (choice.doubtful)
    setNumber("doubtful", 1);
  if (text.empty())
    return;
  Setting what;
  what.name = attr::condition.name;
  what.kind = AttributeKind::String;
  what.text = text;
  net.set(l, std::move(what));
}

} // namespace condlint::cxx
