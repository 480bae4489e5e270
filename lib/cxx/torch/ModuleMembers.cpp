//===- ModuleMembers.cpp - How the members of modules are made ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleMembers.h"
#include "../interp/machine/Types.h"
#include "ModuleContainers.h"
#include "TorchDomain.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

namespace condlint::cxx {

namespace {

const clang::FieldDecl *fieldOf(const clang::Expr *e) {
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(e->IgnoreParenImpCasts());
  return member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
}

/// The member that \p e is what it holds: `conv` of `*conv` and what `conv->` leads to.
const clang::FieldDecl *heldField(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e); arrow && arrow->getNumArgs() == 1)
    return fieldOf(arrow->getArg(0));
  return fieldOf(e);
}

/// The member of which \p e are the options: `conv->options`.
const clang::FieldDecl *holderOfOptions(const clang::Expr *e) {
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(e->IgnoreParenImpCasts());
  if (!member || member->getMemberDecl()->getDeclName().getAsString() != "options")
    return nullptr;
  return heldField(member->getBase());
}

/// The functions that may change which module a member holds, or its options.
class Assignments : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Assignments(std::map<const clang::FieldDecl *, std::set<const clang::FunctionDecl *>> &o) : out(o) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(clang::Decl *d) override {
    const auto *f = llvm::dyn_cast_or_null<clang::FunctionDecl>(d);
    const clang::FunctionDecl *const outer = function;
    if (f)
      function = f;
    const bool go = clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
    function = outer;
    return go;
  }
  bool VisitCallExpr(clang::CallExpr *e) override {
    const auto *sign = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
    const bool assigns = sign && sign->isAssignmentOp();
    const clang::FunctionDecl *callee = e->getDirectCallee();
    const unsigned skip = llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee) && sign ? 1 : 0;
    for (unsigned i = 0; i < e->getNumArgs(); ++i) {
      const clang::ParmVarDecl *p =
          callee && i >= skip && i - skip < callee->getNumParams() ? callee->getParamDecl(i - skip) : nullptr;
      const bool lent =
          p && p->getType()->isLValueReferenceType() && !p->getType().getNonReferenceType().isConstQualified();
      if (lent || (assigns && i == 0))
        note(e->getArg(i), assigns);
    }
    if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(e); method && method->getNumArgs() != 0) {
      if (const clang::FieldDecl *f = holderOfOptions(method->getImplicitObjectArgument()))
        out[f].insert(nullptr);
      // A container of modules is filled.
      constexpr std::array<std::string_view, 12> changing{"push_back", "emplace_back", "extend",   "insert",
                                                          "update",    "resize",       "assign",   "erase",
                                                          "swap",      "clear",        "pop_back", "pop"};
      if (const llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : llvm::StringRef();
          std::ranges::find(changing, std::string_view(name)) != changing.end())
        if (const clang::FieldDecl *f = heldField(method->getImplicitObjectArgument()))
          out[f].insert(function ? function->getCanonicalDecl() : nullptr);
    }
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *e) override {
    if (e->getOpcode() == clang::UO_AddrOf)
      note(e->getSubExpr(), false);
    return true;
  }

private:
  void note(const clang::Expr *e, bool assigns) {
    const auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e->IgnoreParenImpCasts());
    if (element && element->getOperator() == clang::OO_Subscript)
      e = element->getArg(0);
    if (const clang::FieldDecl *f = fieldOf(e))
      out[f].insert(assigns && function ? function->getCanonicalDecl() : nullptr);
    if (const clang::FieldDecl *f = holderOfOptions(e))
      out[f].insert(nullptr);
  }

  std::map<const clang::FieldDecl *, std::set<const clang::FunctionDecl *>> &out;
  const clang::FunctionDecl *function = nullptr;
};

/// What is left of \p v where the run that it comes from has ended.
Value kept(const TorchDomain &domain, Machine &m, const Value &v, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const Value unknown = Number::unknown(Number::Kind::Integer);
  if (depth > deepest)
    return unknown;
  const auto keep = [&](const Value &part) { return kept(domain, m, part, depth + 1); };
  if (const Number *n = v.number()) {
    if (!n->known)
      return Number::unknown(n->kind);
    Number plain = *n;
    plain.test = nullptr;
    plain.source = nullptr;
    plain.dim = Dim();
    return plain;
  }
  if (v.as<ModuleDatum>())
    return v;
  if (const Pointer *p = v.pointer();
      p && p->only() && p->only()->object && isModuleClass(Machine::classOf(m.object(p->only()->object).type))) {
    const Value made = m.peek(*p->only()); // by make_shared
    const Value with = made.symbol() ? domain.optionsOf(made.symbol()->id) : Value();
    return Value(
        std::make_shared<const ModuleDatum>(m.object(p->only()->object).type, with.isAbsent() ? Value() : keep(with)));
  }
  const Callable *called = v.callable();
  if (v.text() || v.isNull() || (called && called->function && called->bound.empty()))
    return v;
  if (const List *l = v.list(); l && l->sized) {
    List out;
    std::ranges::transform(l->items, std::back_inserter(out.items), keep);
    return out;
  }
  if (const Optional *o = v.optional())
    return Optional{o->has, o->value.isAbsent() ? Value() : keep(o->value)};
  if (const auto *named = v.as<NamedOptions>()) {
    auto out = std::make_shared<NamedOptions>();
    for (const auto &[name, value] : named->values)
      out->values.emplace_back(name, keep(value));
    return Value(std::shared_ptr<const NamedOptions>(std::move(out)));
  }
  // An enumerator of libtorch's that is a type.
  if (const Record *r = v.record(); r && r->fields.empty())
    return *r;
  if (const Symbol *s = v.symbol()) {
    const clang::QualType type = m.symbol(s->id).type;
    if (const Value with = domain.optionsOf(s->id); !with.isAbsent())
      return Value(std::make_shared<const ModuleDatum>(type, keep(with)));
    if (containedIn(m, Machine::classOf(type)))
      return Value(std::make_shared<const ModuleDatum>(type, Value()));
    if (const clang::CXXRecordDecl *c = Machine::classOf(type);
        c && m.qualifiedName(*c).starts_with("torch::enumtype::")) {
      Record r;
      r.type = c;
      return r;
    }
  }
  return unknown;
}

/// What both constructors say; absent where they do not say the same things.
Value agreed(const Value &a, const Value &b) {
  if (a.same(b))
    return a;
  if (a.number() && b.number() && a.number()->kind == b.number()->kind)
    return Number::unknown(a.number()->kind);
  const auto *x = a.as<NamedOptions>();
  const auto *y = b.as<NamedOptions>();
  if (!x || !y || x->values.size() != y->values.size())
    return {};
  auto out = std::make_shared<NamedOptions>();
  for (std::size_t i = 0; i < x->values.size(); ++i) {
    const Value both = agreed(x->values[i].second, y->values[i].second);
    if (x->values[i].first != y->values[i].first || both.isAbsent())
      return {};
    out->values.emplace_back(x->values[i].first, both);
  }
  return Value(std::shared_ptr<const NamedOptions>(std::move(out)));
}

} // namespace

bool isModuleClass(const clang::CXXRecordDecl *c, unsigned depth) {
  constexpr unsigned most = 8;
  if (!c || !c->hasDefinition() || depth > most)
    return false;
  return qualifiedNameOf(*c) == "torch::nn::Module" ||
         std::ranges::any_of(c->bases(), [&](const clang::CXXBaseSpecifier &base) {
           return isModuleClass(base.getType()->getAsCXXRecordDecl(), depth + 1);
         });
}

ModuleMembers::ModuleMembers(clang::ASTContext &context, const SourceOptions &sourceOptions,
                             std::function<bool(const clang::FunctionDecl &)> ownCode)
    : ast(context), options(sourceOptions), own(std::move(ownCode)) {}

void ModuleMembers::findAssignments() {
  if (std::exchange(searched, true))
    return;
  Assignments visitor(assigned);
  BodyFilter(options).forEachRead(ast, [&](clang::Decl *d) { visitor.TraverseDecl(d); });
}

/// A function that returns the value of the initialiser \p init of a member.
static const clang::FunctionDecl &initialiser(clang::ASTContext &ast, const clang::FieldDecl &field,
                                              clang::Expr &init) {
  const clang::QualType type = ast.getFunctionType(field.getType(), {}, clang::FunctionProtoType::ExtProtoInfo());
  clang::FunctionDecl *f =
      clang::FunctionDecl::Create(ast, ast.getTranslationUnitDecl(), field.getBeginLoc(), field.getLocation(),
                                  field.getDeclName(), type, nullptr, clang::SC_Static);
  clang::Stmt *body[] = {clang::ReturnStmt::Create(ast, init.getBeginLoc(), &init, nullptr)};
  f->setBody(clang::CompoundStmt::Create(ast, body, clang::FPOptionsOverride(), init.getBeginLoc(), init.getEndLoc()));
  return *f;
}

bool ModuleMembers::make(const clang::CXXRecordDecl &record, const clang::CXXConstructorDecl *constructor,
                         Members &out) {
  Model scratch;
  scratch.info.format = Format::Cxx;
  scratch.info.dialect = Dialect::Torch;
  TorchDomain domain(ast, scratch, options, true);
  Machine machine(ast, domain, scratch.dims);
  machine.setOwnCode(own);
  domain.attach(machine);
  const auto run = [&](const clang::FunctionDecl &f, Value *object) {
    domain.beginFunction(f);
    return machine.runRoot(f, object);
  };
  Value object;
  if (constructor) {
    run(*constructor, &object);
  } else {
    Record r;
    for (const clang::FieldDecl *f : record.fields())
      if (clang::Expr *init = f->getInClassInitializer(); init && !init->isTypeDependent())
        r.set(f, run(initialiser(ast, *f, *init), nullptr));
    object = r;
  }
  const Record *made = object.record();
  const bool known = made && !machine.tooLarge();
  for (const clang::FieldDecl *f : record.fields()) {
    const auto assigners = assigned.find(f);
    const bool elsewhere =
        assigners != assigned.end() && std::ranges::any_of(assigners->second, [&](const clang::FunctionDecl *who) {
          return !who || std::ranges::none_of(machine.entered(), [&](const clang::FunctionDecl *entered) {
            return entered->getCanonicalDecl() == who;
          });
        });
    const Value *member = known && !elsewhere ? made->find(f) : nullptr;
    Value held = member ? *member : Value();
    if (const Pointer *p = held.pointer(); p && p->only())
      held = machine.peek(*p->only()); // made by make_shared
    if (held.symbol())
      if (const Value with = domain.optionsOf(held.symbol()->id); !with.isAbsent())
        out[f] = kept(domain, machine, with);
    if (const List *l = held.list(); l && l->isComplete() && !l->items.empty() &&
                                     containedIn(machine, Machine::classOf(typeArgument(f->getType(), 0))))
      out[f] = kept(domain, machine, NamedOptions::make(l->items));
  }
  domain.detach();
  return known;
}

const ModuleMembers::Members &ModuleMembers::membersOf(const clang::CXXRecordDecl &record) {
  const auto [entry, isNew] = classes.try_emplace(&record);
  if (!isNew)
    return entry->second;
  findAssignments();
  Members all;
  if (!record.hasUserDeclaredConstructor()) {
    make(record, nullptr, all);
    return classes[&record] = std::move(all);
  }
  bool first = true;
  for (const clang::CXXConstructorDecl *c : record.ctors()) {
    const clang::FunctionDecl *body = nullptr;
    if (c->isCopyOrMoveConstructor() || c->isDeleted())
      continue;
    const bool readable = !c->isUserProvided() || (c->hasBody(body) && !body->isDependentContext() && own(*body));
    Members here;
    if (!readable || !make(record, llvm::cast_or_null<clang::CXXConstructorDecl>(body), here))
      return classes[&record];
    if (std::exchange(first, false)) {
      all = std::move(here);
      continue;
    }
    for (auto &[field, with] : all) {
      const auto other = here.find(field);
      with = other == here.end() ? Value() : agreed(with, other->second);
    }
  }
  return classes[&record] = std::move(all);
}

Value ModuleMembers::optionsOf(const clang::FieldDecl &field) {
  const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (!record || record->isDependentContext())
    return {};
  const Members &members = membersOf(*record);
  const auto found = members.find(&field);
  return found == members.end() ? Value() : found->second;
}

} // namespace condlint::cxx
