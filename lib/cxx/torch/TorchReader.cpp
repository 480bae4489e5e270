//===- TorchReader.cpp - The cond-like calls of a unit --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchReader.h"
#include "../interp/machine/Gaps.h"
#include "../interp/machine/Types.h"
#include "FixedCallables.h"
#include "TorchDomain.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/SaveAndRestore.h>
#include <utility>

namespace condlint::cxx {

namespace {

/// A call that is written somewhere, with the functions and lambdas around it.
struct Found {
  const clang::CallExpr *call = nullptr; ///< null in code of a template, where it is no call yet
  const clang::FunctionDecl *function = nullptr;
  /// Instead of a function: an instance of a generic lambda, which is run where it is called.
  const clang::FunctionDecl *instance = nullptr;
  clang::VarDecl *variable = nullptr;             ///< whose initialiser it stands in, outside of functions
  clang::FieldDecl *field = nullptr;              ///< in whose default initialiser
  std::vector<const clang::LambdaExpr *> lambdas; ///< outermost first
};

/// `void()`.
clang::QualType procedureType(clang::ASTContext &ast) {
  return ast.getFunctionType(ast.VoidTy, {}, clang::FunctionProtoType::ExtProtoInfo());
}

/// \p f, with a body that evaluates \p init.
const clang::FunctionDecl *evaluating(clang::ASTContext &ast, clang::FunctionDecl &f, clang::Expr &init) {
  clang::Stmt *body[] = {&init};
  f.setBody(clang::CompoundStmt::Create(ast, body, clang::FPOptionsOverride(), init.getBeginLoc(), init.getEndLoc()));
  return &f;
}

/// A function that does what initialising \p v does; null where there is nothing to run.
const clang::FunctionDecl *initialiserOf(clang::ASTContext &ast, clang::VarDecl &v) {
  clang::Expr *init = v.getInit();
  if (!init || init->isValueDependent() || init->isTypeDependent())
    return nullptr;
  clang::FunctionDecl *f = clang::FunctionDecl::Create(ast, v.getDeclContext(), v.getBeginLoc(), v.getLocation(),
                                                       v.getDeclName(), procedureType(ast), nullptr, clang::SC_Static);
  return evaluating(ast, *f, *init);
}

/// A method that does what initialising \p field by default does; null where there is nothing to run.
const clang::FunctionDecl *initialiserOf(clang::ASTContext &ast, clang::FieldDecl &field) {
  clang::Expr *init = field.getInClassInitializer();
  auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(field.getParent());
  if (!init || !record || record->isDependentContext())
    return nullptr;
  clang::CXXMethodDecl *f = clang::CXXMethodDecl::Create(
      ast, record, field.getLocation(), clang::DeclarationNameInfo(field.getDeclName(), field.getLocation()),
      procedureType(ast), nullptr, clang::SC_None, false, true, clang::ConstexprSpecKind::Unspecified,
      field.getEndLoc());
  return evaluating(ast, *f, *init);
}

class Finder : public clang::DynamicRecursiveASTVisitor {
public:
  Finder(TorchDomain &d, const clang::SourceManager &sources, BodyFilter &bodies)
      : domain(d), sm(sources), filter(bodies) {
    ShouldVisitTemplateInstantiations = true;
  }
  std::vector<Found> found;

  bool TraverseDecl(clang::Decl *d) override {
    if (!d)
      return true;
    if (auto *f = llvm::dyn_cast<clang::FunctionDecl>(d)) {
      // What a cond function does inside is its own affair.
      if (f->doesThisDeclarationHaveABody() && domain.condArguments(*f))
        return true;
      functions.push_back(f);
      const bool go = clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
      functions.pop_back();
      return go;
    }
    if (auto *v = llvm::dyn_cast<clang::VarDecl>(d); v && functions.empty() && v->hasGlobalStorage()) {
      clang::VarDecl *const outer = std::exchange(variable, v);
      const bool go = clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
      variable = outer;
      return go;
    }
    if (auto *f = llvm::dyn_cast<clang::FieldDecl>(d); f && functions.empty()) {
      clang::FieldDecl *const outer = std::exchange(field, f);
      const bool go = clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
      field = outer;
      return go;
    }
    // Nothing in a library's namespace is the user's own; files are told apart below.
    if (llvm::isa<clang::CXXRecordDecl>(d) && !filter.needsBody(*d, sm))
      return true;
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *e) override {
    lambdas.push_back(e);
    const bool go = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(e);
    lambdas.pop_back();
    return go;
  }

  bool VisitCallExpr(clang::CallExpr *e) override {
    const clang::FunctionDecl *callee = e->getDirectCallee();
    if (callee && domain.condArguments(*callee))
      add(e);
    return true;
  }

  /// In a generic lambda the call is not resolved yet; its name is known.
  bool VisitOverloadExpr(clang::OverloadExpr *e) override {
    for (const clang::NamedDecl *d : e->decls()) {
      const clang::FunctionDecl *f = d->getUnderlyingDecl()->getAsFunction();
      if (f && domain.condArguments(*f)) {
        add(nullptr);
        break;
      }
    }
    return true;
  }
  /// Of a call that does not compile only its parts are left.
  bool VisitRecoveryExpr(clang::RecoveryExpr *e) override {
    for (const clang::Expr *part : e->subExpressions()) {
      const clang::Expr *callee = part->IgnoreParens();
      const auto *member = llvm::dyn_cast<clang::MemberExpr>(callee);
      const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(callee);
      const clang::FunctionDecl *f = member ? member->getMemberDecl()->getAsFunction()
                                     : name ? name->getDecl()->getAsFunction()
                                            : nullptr;
      if (f && domain.condArguments(*f))
        add(nullptr);
    }
    return true;
  }

private:
  static bool isOfLambda(const clang::FunctionDecl &f) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
    return method && method->getParent()->isLambda();
  }

  void add(const clang::CallExpr *e) {
    Found f;
    f.call = e;
    if (!functions.empty())
      (isOfLambda(*functions.front()) ? f.instance : f.function) = functions.front();
    f.variable = functions.empty() ? variable : nullptr;
    f.field = functions.empty() && lambdas.empty() ? field : nullptr;
    f.lambdas = lambdas;
    found.push_back(std::move(f));
  }

  TorchDomain &domain;
  const clang::SourceManager &sm;
  BodyFilter &filter;
  std::vector<const clang::FunctionDecl *> functions;
  clang::VarDecl *variable = nullptr;
  clang::FieldDecl *field = nullptr;
  std::vector<const clang::LambdaExpr *> lambdas;
};

/// A parameter or a member that holds what can be called: which branch it is, who makes the object or calls the
/// function says.
bool isCallable(const clang::ValueDecl &p) {
  const clang::QualType type = p.getType().getNonReferenceType();
  if (type->isFunctionPointerType() || type->isFunctionType() || type->isMemberFunctionPointerType())
    return true;
  const clang::CXXRecordDecl *c = type->getAsCXXRecordDecl();
  return c && qualifiedNameOf(*c) == "std::function";
}

/// An object of the class holds what can be called.
bool holdsCallables(const clang::CXXRecordDecl *c, unsigned depth = 0) {
  constexpr unsigned deepest = 3;
  if (!c || !c->hasDefinition() || c->isInStdNamespace() || c->isLambda() || depth > deepest)
    return false;
  c = c->getDefinition();
  return std::ranges::any_of(c->fields(),
                             [&](const clang::FieldDecl *f) {
                               return isCallable(*f) || holdsCallables(f->getType()->getAsCXXRecordDecl(), depth + 1);
                             }) ||
         std::ranges::any_of(c->bases(), [&](const clang::CXXBaseSpecifier &base) {
           return holdsCallables(base.getType()->getAsCXXRecordDecl(), depth + 1);
         });
}

/// Who calls it says which branches it has: by an argument, or by the object whose method it is.
bool takesCallables(const clang::FunctionDecl &f) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
  if (method && method->isInstance() && holdsCallables(method->getParent()))
    return true;
  return std::ranges::any_of(f.parameters(), [](const clang::ParmVarDecl *p) {
    const clang::QualType type = p->getType().getNonReferenceType();
    const clang::QualType pointee = type->isPointerType() ? type->getPointeeType() : type;
    return isCallable(*p) || holdsCallables(pointee->getAsCXXRecordDecl());
  });
}

/// Which functions of the unit call which others.
class CallsHere : public clang::DynamicRecursiveASTVisitor {
public:
  CallsHere(clang::ASTContext &ast, BodyFilter &filter) {
    ShouldVisitTemplateInstantiations = true;
    filter.forEachRead(ast, [&](clang::Decl *d) { TraverseDecl(d); });
  }

  /// Nobody but this unit can call \p f, and it only calls it, in a function: what \p f is given, its callers say.
  bool isLocal(const clang::FunctionDecl &f) const {
    const auto at = uses.find(f.getCanonicalDecl());
    return at != uses.end() && at->second.calls != 0 && at->second.calls == at->second.names;
  }

  /// Those who call a function that \p isAsked for, by canonical declaration, in the order in which they are written.
  /// Each is told whether who calls it is asked for, too.
  std::vector<const clang::FunctionDecl *>
  callersOf(std::set<const clang::FunctionDecl *> asked,
            llvm::function_ref<bool(const clang::FunctionDecl &)> isAsked) const;

  bool TraverseDecl(clang::Decl *d) override {
    auto *f = llvm::dyn_cast_or_null<clang::FunctionDecl>(d);
    const llvm::SaveAndRestore around(function,
                                      f && !function ? f : function); // a lambda is run for the function around it
    const llvm::SaveAndRestore given(inDefault, inDefault || llvm::isa_and_nonnull<clang::ParmVarDecl>(d));
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(d);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *e) override {
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(e->getDecl()); f && isOurs(*f))
      ++uses[f->getCanonicalDecl()].names;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *e) override {
    // What initialises a global or a member, or is given by default, is run with no function.
    if (!function || inDefault)
      return true;
    const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e->getCallee()->IgnoreParenImpCasts());
    if (const auto *f = named ? llvm::dyn_cast<clang::FunctionDecl>(named->getDecl()) : nullptr; f && isOurs(*f))
      ++uses[f->getCanonicalDecl()].calls;
    if (const clang::FunctionDecl *callee = e->getDirectCallee())
      callers[callee->getCanonicalDecl()].push_back(function);
    order.try_emplace(function, order.size());
    return true;
  }

private:
  static bool isOurs(const clang::FunctionDecl &f) {
    return !llvm::isa<clang::CXXMethodDecl>(f) && !f.isExternallyVisible() && !f.isMain();
  }
  struct Uses {
    unsigned names = 0, calls = 0;
  };
  llvm::DenseMap<const clang::FunctionDecl *, Uses> uses;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::FunctionDecl *>> callers;
  llvm::DenseMap<const clang::FunctionDecl *, std::size_t> order;
  const clang::FunctionDecl *function = nullptr;
  bool inDefault = false;
};

std::vector<const clang::FunctionDecl *>
CallsHere::callersOf(std::set<const clang::FunctionDecl *> asked,
                     llvm::function_ref<bool(const clang::FunctionDecl &)> isAsked) const {
  std::vector<const clang::FunctionDecl *> out, open(asked.begin(), asked.end());
  std::set<const clang::FunctionDecl *> met; // canonical, so that each is there once
  while (!open.empty()) {
    const auto at = callers.find(open.back());
    open.pop_back();
    if (at == callers.end())
      continue;
    for (const clang::FunctionDecl *f : at->second) {
      if (met.insert(f->getCanonicalDecl()).second)
        out.push_back(f);
      if (isAsked(*f) && asked.insert(f->getCanonicalDecl()).second)
        open.push_back(f->getCanonicalDecl());
    }
  }
  std::ranges::sort(out, {}, [&](const clang::FunctionDecl *f) { return order.lookup(f); });
  return out;
}

/// Those who give the functions around \p found their branches, or all that they are given, and who gives those theirs.
std::vector<const clang::FunctionDecl *> callersOf(const std::vector<Found> &found, const CallsHere &calls) {
  const auto isHelper = [&](const clang::FunctionDecl &f) { return takesCallables(f) || calls.isLocal(f); };
  std::set<const clang::FunctionDecl *> helpers;
  for (const Found &f : found)
    if (const clang::FunctionDecl *around = f.function ? f.function : f.instance; around && isHelper(*around))
      helpers.insert(around->getCanonicalDecl());
  return calls.callersOf(std::move(helpers), isHelper);
}

std::string torchVersion(clang::Preprocessor *pp) {
  if (!pp)
    return {};
  const auto number = [&](const char *name) -> std::string {
    const clang::IdentifierInfo *id = pp->getIdentifierInfo(name);
    const clang::MacroInfo *macro = id ? pp->getMacroInfo(id) : nullptr;
    if (!macro || macro->getNumTokens() != 1 || !macro->getReplacementToken(0).is(clang::tok::numeric_constant))
      return {};
    return pp->getSpelling(macro->getReplacementToken(0));
  };
  const std::string major = number("TORCH_VERSION_MAJOR");
  const std::string minor = number("TORCH_VERSION_MINOR");
  return major.empty() || minor.empty() ? std::string() : major + "." + minor;
}

} // namespace

bool changesDefaultDtype(clang::ASTContext &ast) {
  // Whoever names the function may call it.
  for (const char *name : {"set_default_dtype"}) {
    auto it = ast.Idents.find(name);
    if (it == ast.Idents.end())
      continue;
    for (const char *scope : {"torch", "c10", "caffe2"}) {
      auto ns = ast.Idents.find(scope);
      if (ns == ast.Idents.end())
        continue;
      for (const clang::NamedDecl *d : ast.getTranslationUnitDecl()->lookup(ns->second))
        if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(d))
          for (const clang::NamedDecl *f : space->lookup(it->second))
            if (f->getUnderlyingDecl()->isReferenced() || f->getUnderlyingDecl()->isUsed())
              return true;
    }
  }
  return false;
}

namespace {

/// No function of the unit can be a cond: none is annotated, or of the header that is shipped,
/// or named in the configuration. What a preamble holds is looked up on demand.
bool hasNoConds(const clang::ASTContext &ast, const SourceOptions &options) {
  const auto isNamed = [&](const char *name) { return ast.Idents.find(name) != ast.Idents.end(); };
  return options.condFunctions.empty() && !ast.getExternalSource() && !isNamed("annotate") && !isNamed("condlint");
}

} // namespace

namespace {

bool isTensorType(clang::QualType type) {
  const clang::CXXRecordDecl *c = type.getNonReferenceType()->getAsCXXRecordDecl();
  return c && qualifiedNameOf(*c) == "at::Tensor";
}

/// Finds a function of the user's that is given a predicate and two branches.
class Resembling : public clang::DynamicRecursiveASTVisitor {
public:
  Resembling(clang::ASTContext &context, BodyFilter &bodies) : ast(context), filter(bodies) {
    filter.forEachRead(ast, [&](clang::Decl *d) { TraverseDecl(d); });
  }
  const clang::CallExpr *call = nullptr; ///< of the first one

  bool VisitCallExpr(clang::CallExpr *e) override {
    const clang::FunctionDecl *f = e->getDirectCallee();
    if (!f || llvm::isa<clang::CXXOperatorCallExpr>(e) || !filter.needsBody(*f, ast.getSourceManager()))
      return true;
    unsigned branches = 0, predicates = 0;
    for (const clang::Expr *argument : e->arguments()) {
      const clang::QualType type = argument->getType().getNonReferenceType();
      branches += isBranch(*argument) ? 1U : 0U;
      predicates += branches == 0 && (type->isBooleanType() || isTensorType(type)) ? 1U : 0U;
    }
    if (branches == 2 && predicates == 1 && isTensorType(e->getType()))
      call = e;
    return call == nullptr;
  }

private:
  static bool isBranch(const clang::Expr &e) {
    const clang::QualType type = e.getType().getNonReferenceType();
    const clang::CXXRecordDecl *c = type->getAsCXXRecordDecl();
    return type->isFunctionType() || type->isFunctionPointerType() ||
           (c && (c->isLambda() || qualifiedNameOf(*c) == "std::function"));
  }

  clang::ASTContext &ast;
  BodyFilter &filter;
};

/// Who has a cond of their own, and does not say so, is told how.
void hintAtConds(clang::ASTContext &ast, BodyFilter &filter, UnitReading &out) {
  const Resembling found(ast, filter);
  if (!found.call)
    return;
  const std::string name = qualifiedNameOf(*found.call->getDirectCallee());
  out.hints.push_back(
      {sourceLocation(ast, found.call->getExprLoc(), name),
       "'" + name +
           "' is given a predicate and two branches. If it is a conditional, mark its declaration with "
           "CONDLINT_COND (condlint/annotations.h), or name it under \"condFunctions\" in .condlint.json"});
}

} // namespace

void readTorch(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options, UnitReading &out) {
  if (hasNoConds(ast, options)) {
    BodyFilter filter(options);
    return hintAtConds(ast, filter, out);
  }
  const clang::SourceManager &sm = ast.getSourceManager();
  Model model;
  model.info.format = Format::Cxx;
  model.info.dialect = Dialect::Torch;
  model.info.frontEnd = FrontEnd::Torch;
  if (const clang::OptionalFileEntryRef main = sm.getFileEntryRefForID(sm.getMainFileID()))
    model.info.path = main->getName().str();
  model.info.version = torchVersion(pp);
  if (!model.info.version.empty())
    model.info.producer = "torch " + model.info.version;

  TorchDomain domain(ast, model, options, changesDefaultDtype(ast));
  BodyFilter filter(options);
  Finder finder(domain, sm, filter);
  filter.forEachRead(ast, [&](clang::Decl *d) { finder.TraverseDecl(d); });
  if (finder.found.empty())
    return hintAtConds(ast, filter, out);

  const auto own = [&](const clang::FunctionDecl &f) { return filter.needsBody(f, sm); };
  ModuleMembers members(ast, options, own);
  domain.lookUpMembersIn(members);
  FixedCallables callables(ast, options, own,
                           [&](const clang::FunctionDecl &f) { return domain.condArguments(f).has_value(); });
  domain.lookUpCallablesIn(callables);
  std::set<const clang::FunctionDecl *> done;
  llvm::DenseSet<const clang::Expr *> reached;
  llvm::DenseSet<const clang::FunctionDecl *> entered;
  bool hasLeftOut = false;
  const auto interpret = [&](const clang::FunctionDecl *f) {
    const clang::FunctionDecl *body = nullptr;
    if (!f || !f->hasBody(body) || body->isDependentContext() || !done.insert(body).second)
      return;
    Machine machine(ast, domain, model.dims);
    machine.setOwnCode(own);
    machine.setBroken(
        [&](const clang::FunctionDecl &callee) { return holdsError(options, sm, callee.getBody()->getSourceRange()); });
    domain.attach(machine);
    domain.beginFunction(*body, firstGap(options, sm, *body->getBody()));
    machine.runRoot(*body);
    domain.endFunction();
    if (machine.tooLarge())
      out.notUnderstood.push_back({sourceLocation(ast, body->getSourceRange(), qualifiedNameOf(*body)), "too large"});
    for (const clang::Expr *e : machine.reached())
      reached.insert(e);
    entered.insert(machine.entered().begin(), machine.entered().end());
    hasLeftOut = hasLeftOut || machine.hasLeftOut();
  };
  const CallsHere calls(ast, filter);
  const auto isLocal = [&](const clang::FunctionDecl *f) { return f && calls.isLocal(*f); };
  std::set<const clang::VarDecl *> initialised;
  for (const Found &f : finder.found)
    if (isLocal(f.function))
      continue;
    else if (f.function || (!f.lambdas.empty() && !f.instance))
      interpret(f.function ? f.function : f.lambdas.front()->getCallOperator());
    else if (f.variable && initialised.insert(f.variable).second)
      interpret(initialiserOf(ast, *f.variable));
  for (const clang::FunctionDecl *f : callersOf(finder.found, calls))
    if (!isLocal(f))
      interpret(f);
  // Where no caller was followed that far, or not each of them, nothing is known of what it is given.
  for (const Found &f : finder.found)
    if (const clang::FunctionDecl *body = nullptr;
        isLocal(f.function) && f.function->hasBody(body) && (hasLeftOut || !entered.contains(body)))
      interpret(f.function);
  // What no function leads to: a lambda that is only handed on, a member of a class that nobody makes here.
  for (const Found &f : finder.found)
    if (f.call && !reached.contains(f.call) && !f.call->isTypeDependent())
      interpret(f.instance           ? f.instance
                : !f.lambdas.empty() ? f.lambdas.back()->getCallOperator()
                : f.field            ? initialiserOf(ast, *f.field)
                                     : nullptr);
  domain.detach();
  if (model.functionCount() != 0)
    out.models.push_back(std::move(model));
}

void TorchDomain::beginFunction(const clang::FunctionDecl &f, clang::SourceLocation gap) {
  rootFunction = &f;
  rootGap = gap;
  gapsInBranches = 0;
  unfollowed.clear();
  beforeRoot = graphs.extent(GraphId());
  const StringId name = graphs.strings.intern(qualifiedNameOf(*namedFunction(&f)));
  root = graphs.addGraph(name, name, GraphId(), NodeId());
  graphs[root].location = places.at(f.getSourceRange(), &f);
  rootHasNodes = false;
  rootConditionals = 0;
  scopes.clear();
  sizes.clear();
  symbolOwners.clear();
  variables.clear();
  variableNames.clear();
  moduleOptions.clear();
  modulePaths.clear();
  openOperands.clear();
  joined.clear();
  forgetConstraints();
  overflown = false;
  poison = ValueId();
}

bool TorchDomain::endFunction() {
  if (rootConditionals == 0) {
    everNodes = std::max(everNodes, graphs.nodeCount());
    everValues = std::max(everValues, graphs.valueCount());
    graphs.rewind(beforeRoot);
    return false;
  }
  Function f;
  f.name = graphs[root].name;
  f.body = root;
  const FunctionId id = graphs.addFunction(std::move(f));
  graphs[root].function = id;
  return true;
}

} // namespace condlint::cxx
