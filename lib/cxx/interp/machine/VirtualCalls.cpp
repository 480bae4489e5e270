//===- VirtualCalls.cpp - Which body a virtual call runs ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A virtual call runs the body that the object's own class has of the method.
// That class is known of objects that were made in code which is followed; of
// what is given from outside only its base is known, and the current body is
// not what runs. Classes from which code elsewhere cannot derive are exceptions.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Machine.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

/// Which body a virtual call runs.
class Machine::VirtualCalls {
public:
  explicit VirtualCalls(Machine &machine) : m(machine) {}
  /// The class of the object at \p place itself, not only a base of it; null where that is not known.
  const clang::CXXRecordDecl *ownClassOf(const Place &place);
  /// What lies at \p place is being made or destroyed \p as an object of that class.
  bool isConstructing(const Place &place, const clang::CXXRecordDecl *&as) const;
  /// What \p method runs on any object that is a \p declared; null where that may be several, or is not known.
  const clang::CXXMethodDecl *onlyOverrider(const clang::CXXMethodDecl &method, const clang::CXXRecordDecl &declared);

private:
  Machine &m;
};

namespace {

const clang::CXXMethodDecl *methodIn(const clang::CXXMethodDecl &method, const clang::CXXRecordDecl &type) {
  const clang::CXXRecordDecl *record = type.getDefinition();
  return record ? const_cast<clang::CXXMethodDecl &>(method).getCorrespondingMethodInClass(record, true) : nullptr;
}

/// Whether no code outside the file that is read can derive from \p record: it cannot name it.
bool isClosed(const clang::CXXRecordDecl &record) {
  const clang::SourceManager &sm = record.getASTContext().getSourceManager();
  return sm.isInMainFile(sm.getExpansionLoc(record.getLocation())) &&
         (record.isInAnonymousNamespace() || record.getParentFunctionOrMethod() != nullptr);
}

/// The classes that the file which is read derives from one of its own.
struct DerivedClasses : clang::DynamicRecursiveASTVisitor {
  explicit DerivedClasses(const clang::CXXRecordDecl &b) : base(b) { ShouldVisitTemplateInstantiations = true; }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) override {
    if (record->isThisDeclarationADefinition() && !record->isDependentContext() && record->isDerivedFrom(&base))
      found.push_back(record);
    return true;
  }
  const clang::CXXRecordDecl &base;
  std::vector<const clang::CXXRecordDecl *> found;
};

} // namespace

bool Machine::VirtualCalls::isConstructing(const Place &place, const clang::CXXRecordDecl *&as) const {
  for (auto frame = m.stack.rbegin(); frame != m.stack.rend(); ++frame) {
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>((*frame)->function);
    if (!llvm::isa_and_nonnull<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) || !(*frame)->self)
      continue;
    if (const Place *self = (*frame)->self->only(); self && *self == place) {
      as = method->getParent();
      return true;
    }
  }
  return false;
}

const clang::CXXRecordDecl *Machine::VirtualCalls::ownClassOf(const Place &place) {
  const clang::CXXRecordDecl *as = nullptr;
  if (!place.object || isConstructing(place, as))
    return as;
  const Object &o = m.objects[place.object.index()];
  if (!place.path.empty()) { // a member, or an element of an array or container: it is what it is declared as
    Place whole = place;
    whole.path.pop_back();
    const clang::QualType around = m.typeOf(whole);
    const bool declared = place.path.back().field || (!around.isNull() && (classOf(around) || around->isArrayType()));
    const clang::QualType type = m.typeOf(place);
    return !declared || type.isNull() || type->isReferenceType() ? nullptr : classOf(type);
  }
  switch (o.storage) {
  case Storage::Local:
  case Storage::Parameter:
  case Storage::Global:
  case Storage::Static:
    // What a reference names is another object; of a root's parameter it is not known which.
    return o.decl && o.decl->getType()->isReferenceType() ? nullptr : classOf(o.type);
  case Storage::Heap:
    return classOf(o.type);
  case Storage::Temporary: {
    // It may hold what a call gave a reference to.
    const Record *made = m.memory.get(place.object).record();
    return made && !made->rest ? (o.type.isNull() ? made->type : classOf(o.type)) : nullptr;
  }
  case Storage::This:
  case Storage::Pointee:
  case Storage::External:
  case Storage::Moved:
    return nullptr;
  }
  return nullptr;
}

Value Machine::dynamicallyCast(Value v, clang::QualType to) {
  const clang::CXXRecordDecl *wanted = classOf(to);
  wanted = wanted ? wanted->getDefinition() : nullptr;
  const Pointer *given = v.pointer();
  if (!given || !wanted)
    return v;
  Pointer kept;
  kept.other = given->other;
  kept.mayBeNull = given->mayBeNull || given->other;
  for (const Place &place : given->places) {
    const clang::CXXRecordDecl *own = VirtualCalls(*this).ownClassOf(place);
    own = own ? own->getDefinition() : nullptr;
    const bool is = own && (own == wanted || own->isDerivedFrom(wanted));
    kept.mayBeNull = kept.mayBeNull || !is;
    if (is || !own)
      kept.places.push_back(place);
  }
  if (kept.places.empty() && !kept.other)
    return Null{};
  return kept;
}

const clang::CXXMethodDecl *Machine::VirtualCalls::onlyOverrider(const clang::CXXMethodDecl &method,
                                                                 const clang::CXXRecordDecl &declared) {
  const clang::CXXRecordDecl *record = declared.getDefinition();
  if (!record)
    return nullptr;
  const clang::CXXMethodDecl *own = methodIn(method, *record);
  if (!own)
    own = &method;
  if (record->isEffectivelyFinal() || own->hasAttr<clang::FinalAttr>())
    return own;
  if (!isClosed(*record))
    return nullptr;
  auto [known, isNew] = m.overriders.try_emplace({own, record}, nullptr);
  if (!isNew)
    return known->second;
  DerivedClasses derived(*record);
  derived.found.push_back(record);
  // A library cannot name it either.
  const clang::SourceManager &sm = m.context.getSourceManager();
  for (clang::Decl *d : m.context.getTranslationUnitDecl()->noload_decls())
    if (!sm.isInSystemHeader(sm.getExpansionLoc(d->getLocation())))
      derived.TraverseDecl(d);
  const clang::CXXMethodDecl *only = nullptr;
  bool agree = true;
  for (const clang::CXXRecordDecl *c : derived.found) {
    if (c->isAbstract())
      continue; // no object is just that
    const clang::CXXMethodDecl *runs = methodIn(method, *c);
    agree = agree && runs && (!only || only == runs);
    only = runs;
  }
  return m.overriders[{own, record}] = agree ? only : nullptr;
}

void Machine::Calls::resolveVirtual(Call &call) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
  if (!method || !method->isVirtual() || !call.self)
    return;
  const clang::CXXRecordDecl *declared = classOf(call.self->type);
  if (!declared)
    declared = method->getParent();
  if (!call.self->place) { // an object that the expression itself makes
    if (const Record *made = call.self->value.record(); made && made->type && !made->rest)
      declared = made->type;
    if (const clang::CXXMethodDecl *runs = methodIn(*method, *declared))
      call.callee = runs;
    return;
  }
  const clang::CXXMethodDecl *runs = nullptr;
  bool agree = !call.self->place->other && !call.self->place->places.empty();
  for (const Place &place : call.self->place->places) {
    const clang::CXXRecordDecl *own = agree ? VirtualCalls(m).ownClassOf(place) : nullptr;
    const clang::CXXMethodDecl *here = own ? methodIn(*method, *own) : nullptr;
    agree = here && (!runs || runs == here);
    if (!agree)
      break;
    runs = here;
  }
  if (!agree)
    runs = VirtualCalls(m).onlyOverrider(*method, *declared);
  if (runs)
    call.callee = runs;
  else
    call.isOpen = true;
}

} // namespace condlint::cxx
