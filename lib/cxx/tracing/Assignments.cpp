//===- Assignments.cpp - What variables of traced code are given ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Assignments.h"
#include "HostValues.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <iterator>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

PartStep stepOf(const FieldDecl *field) {
  const auto *owner = dyn_cast<CXXRecordDecl>(field->getParent());
  if (owner != nullptr && isStandard(owner) && owner->getIdentifier() != nullptr && owner->getName() == "pair")
    return {nullptr, field->getName() == "second" ? std::uint64_t{1} : 0};
  return {field, 0};
}

/// `get<I>(t)`: I.
std::optional<PartStep> elementOfGet(const FunctionDecl *f) {
  const TemplateArgumentList *arguments = f->getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 || arguments->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return PartStep{nullptr, arguments->get(0).getAsIntegral().getLimitedValue()};
}

Part partOfOperator(const CXXOperatorCallExpr *o, const ASTContext &ast) {
  if (o->getOperator() == OO_Subscript && o->getNumArgs() == 2)
    return {o->getArg(0), elementAt(o->getArg(1), ast), o->getArg(1)};
  if ((o->getOperator() == OO_Star || o->getOperator() == OO_Arrow) && o->getNumArgs() == 1)
    return {o->getArg(0), std::nullopt, nullptr};
  return {};
}

Part partOfCall(const CallExpr *call, const ASTContext &ast) {
  const FunctionDecl *f = call->getDirectCallee();
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call))
    return partOfOperator(o, ast);
  if (f == nullptr || f->getIdentifier() == nullptr)
    return {};
  const Expr *first = call->getNumArgs() != 0 ? call->getArg(0) : nullptr;
  if (isStd(f, {"get"}) && first != nullptr)
    return {first, elementOfGet(f), nullptr};
  if (isStd(f, {"move", "forward", "as_const", "ref", "cref", "begin", "end", "cbegin", "cend"}) &&
      !isa<CXXMethodDecl>(f) && first != nullptr)
    return {first, std::nullopt, nullptr};
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  if (member == nullptr || !isStandard(f))
    return {};
  const StringRef name = f->getName();
  if (name == "front")
    return {member->getImplicitObjectArgument(), PartStep{nullptr, 0}, nullptr};
  if (name == "at")
    return {member->getImplicitObjectArgument(), elementAt(first, ast), first};
  if (name == "back" || name == "top")
    return {member->getImplicitObjectArgument(), std::nullopt, nullptr, true};
  if (llvm::is_contained({"value", "get", "begin", "end", "cbegin", "cend", "rbegin", "rend", "data", "c_str"}, name))
    return {member->getImplicitObjectArgument(), std::nullopt, nullptr};
  return {};
}

/// The variable or own field that an assignment to an expression changes, and which part of it.
struct Target {
  const ValueDecl *of = nullptr;
  Steps into;
  bool certain = true; ///< that part and no other
  struct Index {
    const Expr *at = nullptr;
    std::size_t depth = 0; ///< steps of `into` that lead to what it indexes
    bool isKey = false;
  };
  std::vector<Index> indexes; ///< which element it is
  bool someElement = false;   ///< of what `into` leads to, an element that is not known
  Steps within;               ///< the part of that element
};

/// What the reference or pointer \p v was made for.
const Expr *referredTo(const VarDecl *v) {
  if (isa<ParmVarDecl>(v) || v->getInit() == nullptr)
    return nullptr;
  if (v->getType()->isReferenceType())
    return v->isCXXForRangeDecl() ? nullptr : v->getInit();
  const auto *address = dyn_cast<UnaryOperator>(plain(v->getInit()));
  return v->getType()->isPointerType() && address != nullptr && address->getOpcode() == UO_AddrOf
             ? address->getSubExpr()
             : nullptr;
}

/// Finds the target of an assignment from the outermost expression inwards. The
/// variable of a loop is itself, or an element of what the loop goes over.
class TargetFinder {
public:
  TargetFinder(const Assignments &a, const ASTContext &c, bool element = false)
      : assignments(a), ast(c), asElement(element) {}

  Target find(const Expr *e) {
    for (unsigned i = 0; i < deepestTraced; ++i) {
      e = plain(e);
      if (const auto *r = dyn_cast<DeclRefExpr>(e)) {
        const Expr *other = named(r->getDecl());
        if (other == nullptr)
          return found(dyn_cast<VarDecl>(r->getDecl()));
        e = other;
        continue;
      }
      if (const auto *address = dyn_cast<UnaryOperator>(e); address != nullptr && address->getOpcode() == UO_AddrOf) {
        e = address->getSubExpr();
        continue;
      }
      const Part part = partOf(e, ast);
      if (part.whole == nullptr)
        return {};
      if (const auto *m = dyn_cast<MemberExpr>(e); m != nullptr && isThis(part.whole))
        return found(cast<FieldDecl>(m->getMemberDecl()));
      enter(part);
      e = part.whole;
    }
    return {};
  }

private:
  /// What else the variable \p d is a name of; null: it is one itself.
  const Expr *named(const ValueDecl *d) {
    if (const auto *b = dyn_cast<BindingDecl>(d))
      return b->getBinding();
    const auto *v = dyn_cast<VarDecl>(d);
    const Expr *other = v != nullptr ? referredTo(v) : nullptr;
    if (other != nullptr)
      target.certain = target.certain && !v->getType()->isPointerType(); // it may point elsewhere by now
    if (v == nullptr || !asElement || !v->isCXXForRangeDecl() || !v->getType()->isReferenceType())
      return other;
    const Expr *range = assignments.rangeOf(v);
    if (range != nullptr)
      enterSomeElement();
    return range;
  }

  void enter(const Part &part) {
    target.certain = target.certain && part.step;
    if (part.index != nullptr)
      target.indexes.push_back({part.index, backwards.size(), isKeyed(part.whole->getType())});
    if (part.step)
      backwards.push_back(*part.step);
    else if (part.index != nullptr || part.isElement)
      enterSomeElement();
  }

  void enterSomeElement() {
    target.certain = false;
    target.someElement = true;
    target.within.assign(backwards.rbegin(), backwards.rend());
    backwards.clear();
    for (Target::Index &i : target.indexes)
      i.depth = 0;
  }

  Target found(const ValueDecl *d) {
    target.of = d;
    target.into.assign(backwards.rbegin(), backwards.rend());
    for (Target::Index &i : target.indexes)
      i.depth = backwards.size() - i.depth;
    return std::move(target);
  }

  const Assignments &assignments;
  const ASTContext &ast;
  bool asElement;
  Target target;
  Steps backwards;
};

/// A value of \p type is its own: no other variable shows through it.
bool ownsItsValue(QualType type) {
  type = type.getCanonicalType();
  if (type->isArithmeticType() || type->isEnumeralType() || isTensor(type) || isModuleLike(type))
    return true;
  const auto *r = type->getAsCXXRecordDecl();
  if (r == nullptr || r->getIdentifier() == nullptr)
    return type->isArrayType() && ownsItsValue(type->getBaseElementTypeUnsafe()->getCanonicalTypeInternal());
  if (r->isLambda())
    return true; // what it captures by reference is assigned in its body
  const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(r);
  if (s == nullptr)
    return r->getName() == "Scalar";
  return isStandard(r) &&
         llvm::is_contained({"pair", "tuple", "optional", "array", "vector", "deque", "list", "set", "map",
                             "unordered_set", "unordered_map", "multiset", "multimap", "basic_string", "variant",
                             "bitset", "complex", "function"},
                            r->getName()) &&
         llvm::none_of(s->getTemplateArgs().asArray(), [](const TemplateArgument &a) {
           return a.getKind() == TemplateArgument::Type && a.getAsType()->isReferenceType();
         });
}

bool mayAssign(QualType parameter) {
  return (parameter->isLValueReferenceType() || parameter->isPointerType()) &&
         !parameter->getPointeeType().isConstQualified();
}

} // namespace

std::optional<PartStep> elementAt(const Expr *index, const ASTContext &ast) {
  Expr::EvalResult position;
  if (index == nullptr || index->isValueDependent() || !index->EvaluateAsInt(position, ast) ||
      position.Val.getInt().isNegative())
    return std::nullopt;
  return PartStep{nullptr, position.Val.getInt().getLimitedValue()};
}

Part partOf(const Expr *e, const ASTContext &ast) {
  e = plain(e);
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl());
    return field == nullptr ? Part() : Part{m->getBase(), stepOf(field), nullptr};
  }
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return {s->getBase(), elementAt(s->getIdx(), ast), s->getIdx()};
  if (const auto *u = dyn_cast<UnaryOperator>(e); u != nullptr && u->getOpcode() == UO_Deref)
    return {u->getSubExpr(), std::nullopt, nullptr};
  const auto *call = dyn_cast<CallExpr>(e);
  return call == nullptr ? Part() : partOfCall(call, ast);
}

struct Assignments::Collector : DynamicRecursiveASTVisitor {
  Assignments &out;
  explicit Collector(Assignments &o) : out(o) { ShouldVisitImplicitCode = true; }

  /// How an assignment changes its target.
  enum class How : std::uint8_t { Replaces, Updates, AddsElement };

  void assign(const Stmt *by, const Expr *to, const Expr *value, How how, Steps from = {}) {
    Target target = TargetFinder(out, out.ast).find(to);
    const auto *v = dyn_cast_or_null<VarDecl>(target.of);
    if (v != nullptr && v->isCXXForRangeDecl())
      if (Target element = TargetFinder(out, out.ast, true).find(to); element.of != v)
        give(std::move(element), by, value, how, from);
    give(std::move(target), by, value, how, std::move(from));
  }
  void give(Target target, const Stmt *by, const Expr *value, How how, Steps from) {
    if (target.of == nullptr)
      return;
    std::vector<Given> &known = out.given[target.of];
    for (const Target::Index &i : target.indexes) {
      Steps into(target.into.begin(), target.into.begin() + static_cast<std::ptrdiff_t>(i.depth));
      if (!elementAt(i.at, out.ast)) // which one it is shows in all of them
        known.push_back({i.at, into, {}, true, {}, false, by});
      for (const std::uint64_t what : {PartStep::keys, PartStep::size})
        if (i.isKey)
          known.push_back({i.at, extended(into, what), {}, false, {}, false, by});
    }
    known.push_back({value, std::move(target.into), std::move(from), how == How::AddsElement || target.someElement,
                     std::move(target.within), how == How::Replaces && target.certain, by});
  }
  /// Gives \p value to what \p object is as a whole.
  void assignWhole(const Stmt *by, const Expr *object, std::uint64_t what, const Expr *value, Steps from = {}) {
    Target target = TargetFinder(out, out.ast).find(object);
    if (target.of != nullptr)
      out.given[target.of].push_back(
          {value, extended(std::move(target.into), what), std::move(from), false, {}, false, by});
  }
  static Steps extended(Steps steps, std::uint64_t what) {
    steps.push_back({nullptr, what});
    return steps;
  }

  bool VisitVarDecl(VarDecl *v) override {
    if (!v->isImplicit() && !isa<ParmVarDecl>(v) && !ownsItsValue(v->getType()))
      nameAgain(v->getInit(), v->getType());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *b) override {
    if (!b->isAssignmentOp())
      return true;
    assign(b, b->getLHS(), b->getRHS(), b->getOpcode() == BO_Assign ? How::Replaces : How::Updates);
    if (!ownsItsValue(b->getLHS()->getType()))
      nameAgain(b->getRHS(), b->getLHS()->getType());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) override {
    if (u->isIncrementDecrementOp())
      assign(u, u->getSubExpr(), u->getSubExpr(), How::Updates);
    else if (u->getOpcode() == UO_AddrOf)
      nameAgain(u->getSubExpr(), u->getType());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *s) override {
    if (s->getLoopVariable() == nullptr || s->getRangeInit() == nullptr)
      return true;
    out.ranges[s->getLoopVariable()] = s->getRangeInit();
    out.given[s->getLoopVariable()].push_back({s->getRangeInit(), {}, {}, false, {}, false, nullptr});
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *c) override {
    called(c, c->getConstructor());
    return true;
  }
  bool VisitCallExpr(CallExpr *c) override {
    const FunctionDecl *f = c->getDirectCallee();
    if (f == nullptr)
      return true;
    called(c, f);
    if (const auto *o = dyn_cast<CXXOperatorCallExpr>(c)) {
      if (o->isAssignmentOp() && o->getNumArgs() == 2)
        assignOverloaded(o);
    } else if (const auto *member = dyn_cast<CXXMemberCallExpr>(c)) {
      mutated(member, *f);
    } else if (writesInPlace(torchCallee(c)) && c->getNumArgs() != 0) {
      assign(c, c->getArg(0), c, How::Updates);
    } else if (isStd(f, {"swap"}) && c->getNumArgs() == 2) {
      assign(c, c->getArg(0), c->getArg(1), How::Updates);
      assign(c, c->getArg(1), c->getArg(0), How::Updates);
    } else if (isStd(f, {"exchange"}) && c->getNumArgs() == 2) {
      assign(c, c->getArg(0), c->getArg(1), How::Replaces);
    } else if (isStd(f, {"ref", "cref", "addressof"}) && c->getNumArgs() != 0) {
      nameAgain(c->getArg(0), c->getType());
    }
    return true;
  }

private:
  static bool writesInPlace(StringRef name) { return name.ends_with("_") && !name.starts_with("_"); }

  /// The variables that \p e names, not what they hold, may be reached by another name, of \p type.
  void nameAgain(const Expr *e, QualType type) {
    auto &names = isHolder(type) && isPosition(type) ? out.iterated : out.referenced;
    forEachExpr(e, [&](const Expr *x) {
      if (const auto *r = dyn_cast<DeclRefExpr>(x))
        names.insert(r->getDecl());
      const auto *cast = dyn_cast<ImplicitCastExpr>(x);
      return !isa<LambdaExpr>(x) && (cast == nullptr || cast->getCastKind() != CK_LValueToRValue);
    });
  }

  /// `std::tie(a, b) = pair` assigns each its element.
  void assignOverloaded(const CXXOperatorCallExpr *o) {
    const Expr *to = o->getArg(0), *value = o->getArg(1);
    if (!ownsItsValue(to->getType()))
      nameAgain(value, to->getType());
    const auto *tie = dyn_cast<CallExpr>(plain(to));
    if (tie == nullptr || !isStd(tie->getDirectCallee(), {"tie"}))
      return assign(o, to, value, o->getOperator() == OO_Equal ? How::Replaces : How::Updates);
    for (unsigned i = 0; i < tie->getNumArgs(); ++i)
      assign(o, tie->getArg(i), value, How::Replaces, {{nullptr, i}});
  }

  /// A tensor that is written in place, a container that is filled.
  void mutated(const CXXMemberCallExpr *call, const FunctionDecl &f) {
    const Expr *object = call->getImplicitObjectArgument();
    if (writesInPlace(torchCallee(call)))
      return assign(call, object, call, How::Updates);
    if (!isStandard(&f) || f.getIdentifier() == nullptr || call->getNumArgs() == 0)
      return;
    const StringRef name = f.getName();
    if (!llvm::is_contained({"push_back", "emplace_back", "push", "emplace", "insert", "assign", "resize", "fill",
                             "try_emplace", "insert_or_assign"},
                            name))
      return;
    if (isKeyed(object->getType()))
      return addKey(call, object);
    if (name.contains("push") || name == "emplace_back" || name == "fill") {
      for (const Expr *argument : call->arguments())
        assign(call, object, argument, How::AddsElement);
      return;
    }
    // What comes first is where, or how many; what comes last may be the element.
    const bool counts = name == "resize" || name == "assign";
    const unsigned first = counts || call->getNumArgs() == 1 ? 0 : 1;
    for (unsigned i = first; i < call->getNumArgs(); ++i) {
      const Expr *argument = call->getArg(i);
      if (argument->getType()->isArithmeticType() && i == first && (counts || call->getNumArgs() > 2))
        assignWhole(call, object, PartStep::size, argument);
      else
        assign(call, object, argument, isPosition(argument->getType()) ? How::Updates : How::AddsElement);
    }
  }

  /// A key, a key and what belongs to it, or a pair of both.
  void addKey(const CXXMemberCallExpr *call, const Expr *object) {
    const Expr *key = call->getArg(0);
    const auto *r = plain(key)->getType()->getAsCXXRecordDecl();
    const bool pair = call->getNumArgs() == 1 && r != nullptr && r->getIdentifier() != nullptr && isStandard(r) &&
                      r->getName() == "pair" && object->getType()->getAsCXXRecordDecl()->getName().ends_with("map");
    const Steps from = pair ? Steps{{nullptr, 0}} : Steps();
    for (const std::uint64_t what : {PartStep::keys, PartStep::size})
      assignWhole(call, object, what, key, from);
    if (pair)
      assign(call, object, key, How::AddsElement, {{nullptr, 1}});
    for (unsigned i = 1; i < call->getNumArgs(); ++i)
      assign(call, object, call->getArg(i), How::AddsElement);
  }

  void called(const Expr *call, const FunctionDecl *callee) {
    const FunctionDecl *f = tracedDefinition(callee, out.ast);
    if (f == nullptr)
      return;
    out.calls[f].push_back(call);
    for (const ParmVarDecl *p : f->parameters()) {
      const Expr *argument = mayAssign(p->getType()) ? argumentOf(call, p->getFunctionScopeIndex()) : nullptr;
      if (argument == nullptr)
        continue;
      Target target = TargetFinder(out, out.ast).find(argument);
      if (target.of != nullptr)
        out.bound[target.of].push_back({call, p, std::move(target.into)});
    }
  }
};

void Assignments::add(const FunctionDecl &f) {
  Collector collector(*this);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&f))
    for (const CXXCtorInitializer *i : constructor->inits())
      collector.TraverseStmt(i->getInit());
  collector.TraverseStmt(f.getBody());
  if (const auto *method = dyn_cast<CXXMethodDecl>(&f))
    for (const CXXMethodDecl *base : method->overridden_methods())
      overriding[base->getCanonicalDecl()].push_back(method);
}

bool Assignments::isOwnObject(const Expr *e, unsigned depth) const {
  if (isThis(e))
    return true;
  e = plain(e)->IgnoreParenCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(e);
      u != nullptr && (u->getOpcode() == UO_Deref || u->getOpcode() == UO_AddrOf))
    e = plain(u->getSubExpr())->IgnoreParenCasts();
  const auto *name = dyn_cast<DeclRefExpr>(e);
  const auto *p = name != nullptr ? dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
  const auto *f = p != nullptr ? dyn_cast<FunctionDecl>(p->getDeclContext()) : nullptr;
  if (f == nullptr || depth > deepestTraced || !p->getType()->isPointerOrReferenceType())
    return false;
  const std::vector<const Expr *> &all = callsOf(f);
  return !all.empty() && llvm::all_of(all, [&](const Expr *call) {
    const Expr *object = argumentOf(call, p->getFunctionScopeIndex());
    return object != nullptr && isOwnObject(object, depth + 1);
  });
}

bool Assignments::isOwnFlag(const Expr *e) const {
  return condlint::cxx::isOwnFlag(e) ||
         (isOtherModulesFlag(e) && isOwnObject(cast<CXXMemberCallExpr>(plain(e))->getImplicitObjectArgument()));
}

const std::vector<const CXXMethodDecl *> &Assignments::overriders(const CXXMethodDecl *method) const {
  static const std::vector<const CXXMethodDecl *> nothing;
  const auto found = overriding.find(method->getCanonicalDecl());
  return found == overriding.end() ? nothing : found->second;
}

const std::vector<Assignments::Given> &Assignments::to(const ValueDecl *v) const {
  static const std::vector<Given> nothing;
  const auto found = given.find(v);
  return found == given.end() ? nothing : found->second;
}

const std::vector<Assignments::Passed> &Assignments::passed(const ValueDecl *v) const {
  static const std::vector<Passed> nothing;
  const auto found = bound.find(v);
  return found == bound.end() ? nothing : found->second;
}

const std::vector<const Expr *> &Assignments::callsOf(const FunctionDecl *f) const {
  static const std::vector<const Expr *> nothing;
  const auto found = calls.find(f);
  return found == calls.end() ? nothing : found->second;
}

const Expr *Assignments::onlyValue(const VarDecl *v) const {
  if (!v->isLocalVarDecl() || v->isCXXForRangeDecl() || !passed(v).empty())
    return nullptr;
  const std::vector<Given> &all = to(v);
  if (v->getInit() != nullptr && !isa<CXXConstructExpr>(plain(v->getInit())))
    return all.empty() ? v->getInit() : nullptr;
  if (all.size() == 1 && all.front().into.empty() && all.front().from.empty())
    return all.front().value;
  return all.empty() ? v->getInit() : nullptr;
}

const Expr *Assignments::lastValue(const VarDecl *v, const Expr *at) const {
  const SourceManager &sources = ast.getSourceManager();
  const Expr *last = isa<ParmVarDecl>(v) ? nullptr : v->getInit();
  for (const Given &g : to(v))
    if (g.into.empty() && sources.isBeforeInTranslationUnit(g.value->getEndLoc(), at->getBeginLoc()) &&
        (last == nullptr || sources.isBeforeInTranslationUnit(last->getBeginLoc(), g.value->getBeginLoc())))
      last = g.value;
  return last;
}

} // namespace condlint::cxx
