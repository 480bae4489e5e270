//===- Tracing.cpp - What a tracer freezes --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tracing.h"
#include "ArmTypes.h"
#include "TracedCode.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <set>

namespace condlint::cxx {

namespace {

using namespace clang;

/// Writes one graph a function, one node a fact.
class Writer {
public:
  explicit Writer(ASTContext &a) : ast(a) {
    model.info.format = Format::Cxx;
    model.info.dialect = Dialect::Torch;
    model.info.name = "tracing";
  }

  void begin(const FunctionDecl *f) {
    name = f->getQualifiedNameAsString();
    const StringId id = model.strings.intern(name);
    graph = model.addGraph(id, id, GraphId(), NodeId());
    Function function;
    function.name = id;
    function.body = graph;
    model[graph].function = model.addFunction(std::move(function));
  }

  /// A fact \p op at \p e; \p what is its one attribute.
  void add(std::string_view op, const Expr *e, std::string_view what) {
    const SourceManager &sm = ast.getSourceManager();
    const clang::SourceLocation from = sm.getExpansionLoc(e->getBeginLoc());
    const clang::SourceLocation to =
        Lexer::getLocForEndOfToken(sm.getExpansionRange(e->getEndLoc()).getEnd(), 0, sm, ast.getLangOpts());
    const PresumedLoc first = sm.getPresumedLoc(from);
    if (first.isInvalid())
      return;
    condlint::SourceLocation at;
    at.path = first.getFilename();
    at.function = name;
    at.line = first.getLine();
    at.column = first.getColumn();
    if (const PresumedLoc last = sm.getPresumedLoc(to);
        last.isValid() && (last.getLine() != at.line || last.getColumn() > at.column)) {
      at.endLine = last.getLine();
      at.endColumn = last.getColumn();
    }
    Operator description;
    description.dialect = Dialect::Torch;
    description.domain = model.strings.intern("tracing");
    description.name = model.strings.intern(std::string(op));
    Attribute attribute;
    attribute.name = model.strings.intern("what");
    attribute.kind = AttributeKind::String;
    attribute.text = model.strings.intern(std::string(what));
    const std::string path = std::string(op) + '@' + std::to_string(at.line) + ':' + std::to_string(at.column);
    const NodeId node = model.addNode(graph, model.addOperator(description), model.strings.intern(path), {}, {},
                                      std::span(&attribute, 1));
    model[node].location = model.addLocation(std::move(at));
  }

  Model model;

private:
  ASTContext &ast;
  GraphId graph;
  std::string name;
};

/// Reads one traced function.
class FunctionReader : public RecursiveASTVisitor<FunctionReader> {
public:
  FunctionReader(ASTContext &a, Writer &w, const std::map<const Expr *, std::string> &d, Locals l)
      : ast(a), writer(w), differing(d), locals(std::move(l)) {}
  bool shouldVisitImplicitCode() const { return true; }

  /// A check of libtorch's, such as TORCH_CHECK, decides nothing but whether to throw.
  bool TraverseIfStmt(IfStmt *s) {
    if (s->getIfLoc().isMacroID()) {
      const llvm::StringRef macro =
          Lexer::getImmediateMacroName(s->getIfLoc(), ast.getSourceManager(), ast.getLangOpts());
      if (macro.starts_with("TORCH_") || macro.starts_with("AT_") || macro.starts_with("C10_"))
        return true;
    }
    return RecursiveASTVisitor::TraverseIfStmt(s);
  }
  bool VisitIfStmt(IfStmt *s) {
    if (!s->isConstexpr() && !s->isConsteval())
      condition(s->getCond(), "if");
    return true;
  }
  bool VisitWhileStmt(WhileStmt *s) { return condition(s->getCond(), "while"); }
  bool VisitDoStmt(DoStmt *s) { return condition(s->getCond(), "do"); }
  bool VisitForStmt(ForStmt *s) { return condition(s->getCond(), "for"); }
  bool VisitSwitchStmt(SwitchStmt *s) { return condition(s->getCond(), "switch"); }
  bool VisitBinaryOperator(BinaryOperator *b) {
    if (b->isLogicalOp())
      condition(b, b->getOpcode() == BO_LAnd ? "&&" : "||");
    return true;
  }

  bool VisitConditionalOperator(ConditionalOperator *c) {
    if (!isOwnFlag(c->getCond()) || holdsCall(c->getTrueExpr()) || holdsCall(c->getFalseExpr()))
      return condition(c->getCond(), "?:");
    writer.add("convertible", c->getCond(), ""); // NS2
    for (const Expr *arm : {c->getTrueExpr(), c->getFalseExpr()})
      if (const std::string why = unsafeToEvaluate(arm, ast); !why.empty())
        writer.add("eager", arm, why); // NS5
    compareArms(c->getCond());
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    if (const FunctionDecl *f = call->getDirectCallee())
      flagArguments(call, f);
    if (isOtherModulesFlag(call))
      writer.add("flag", call, "another module's own flag"); // NS7
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    const llvm::StringRef name = torchCallee(call);
    if (member != nullptr && (name == "train" || name == "eval") && isModule(member->getMethodDecl()->getParent()) &&
        !isa<CXXThisExpr>(member->getImplicitObjectArgument()->IgnoreParenImpCasts()))
      writer.add("flag", call, "another module's mode is set"); // NS7
    if (name == "where")
      where(call, member);
    return true;
  }

private:
  bool condition(const Expr *e, const char *statement) {
    if (e == nullptr)
      return true;
    impostors(e);
    const Dependence d = dependenceOf(e, locals);
    if (d != Dependence::Nothing)
      writer.add(d == Dependence::Flag ? "frozen_flag" : "frozen_value", e, statement);
    return true;
  }

  void impostors(const Expr *e) {
    struct Finder : RecursiveASTVisitor<Finder> {
      std::vector<const Expr *> found;
      bool VisitExpr(Expr *x) {
        if ((isa<CXXMemberCallExpr>(x) || isa<MemberExpr>(x)) && isImpostorsFlag(x))
          found.push_back(x);
        return true;
      }
    } finder;
    finder.TraverseStmt(const_cast<Expr *>(e));
    for (const Expr *x : finder.found)
      writer.add("flag", x, "the flag of a class that is no module"); // NS8
  }

  /// NS9: a module where a bool is wanted.
  void flagArguments(const CallExpr *call, const FunctionDecl *f) {
    const unsigned skipped =
        isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(f) && cast<CXXMethodDecl>(f)->isInstance() ? 1 : 0;
    for (unsigned i = 0; i < f->getNumParams() && i + skipped < call->getNumArgs(); ++i) {
      const Expr *argument = call->getArg(i + skipped);
      if (!f->getParamDecl(i)->getType().getNonReferenceType()->isBooleanType() || isa<CXXDefaultArgExpr>(argument))
        continue;
      const Expr *given = argument->IgnoreParenCasts();
      if (const auto *conversion = dyn_cast<CXXMemberCallExpr>(given);
          conversion != nullptr && isa_and_nonnull<CXXConversionDecl>(conversion->getMethodDecl()))
        given = conversion->getImplicitObjectArgument()->IgnoreParenImpCasts();
      if (isModuleLike(given->getType()))
        writer.add("flag_module", argument, "");
    }
  }

  void compareArms(const Expr *at) {
    if (const auto found = differing.find(at); found != differing.end())
      writer.add("types", at, found->second); // NS13
  }

  void where(const CallExpr *call, const CXXMemberCallExpr *member) {
    const Expr *parts[3] = {};
    if (member == nullptr && call->getNumArgs() >= 3)
      parts[0] = call->getArg(0), parts[1] = call->getArg(1), parts[2] = call->getArg(2);
    else if (member != nullptr && call->getNumArgs() >= 2) // x.where(condition, other)
      parts[0] = call->getArg(0), parts[1] = member->getImplicitObjectArgument(), parts[2] = call->getArg(1);
    else
      return;
    for (const Expr *arm : {parts[1], parts[2]}) {
      bool writes = false;
      if (const std::string why = unsafeInWhere(parts[0], arm, arm == parts[1], locals, ast, writes); !why.empty()) {
        writer.add(writes ? "where_write" : "where", call, why); // NS10
        break;
      }
    }
    compareArms(call);
  }

  ASTContext &ast;
  Writer &writer;
  const std::map<const Expr *, std::string> &differing;
  Locals locals;
};

/// The functions at which tracing begins.
class Roots : public RecursiveASTVisitor<Roots> {
public:
  std::vector<const FunctionDecl *> found;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *f) {
    const auto *method = dyn_cast<CXXMethodDecl>(f);
    const bool isForward = method != nullptr && f->getIdentifier() != nullptr && f->getName() == "forward" &&
                           isModule(method->getParent());
    bool marked = false;
    for (const FunctionDecl *each : f->redecls())
      for (const auto *a : each->specific_attrs<AnnotateAttr>())
        marked |= a->getAnnotation() == "condlint::traced";
    if (isForward || marked)
      found.push_back(f);
    return true;
  }
};

/// What tracing runs: the functions, and what their parameters hang on where they are called.
class Reached {
public:
  Reached(ASTContext &a, const std::vector<const FunctionDecl *> &roots) : ast(a) {
    std::vector<const FunctionDecl *> pending(roots.rbegin(), roots.rend());
    while (!pending.empty() && seen.size() < most) {
      const FunctionDecl *f = definitionOf(pending.back());
      pending.pop_back();
      if (f == nullptr)
        continue;
      const bool isNew = seen.insert(f).second;
      if (!isNew && !changed.contains(f))
        continue;
      changed.erase(f);
      if (isNew)
        functions.push_back(f);
      const Locals own = locals(f);
      Calls calls;
      calls.TraverseStmt(f->getBody());
      for (auto call = calls.found.rbegin(); call != calls.found.rend(); ++call)
        if (const FunctionDecl *callee = definitionOf((*call)->getDirectCallee())) {
          pass(**call, *callee, own);
          pending.push_back(callee);
        }
    }
  }

  std::vector<const FunctionDecl *> functions; ///< in the order in which they are met
  Locals locals(const FunctionDecl *f) const {
    Locals own(f->getBody());
    for (const ParmVarDecl *p : f->parameters())
      if (const auto known = given.find(p); known != given.end())
        own.give(p, known->second);
    return own;
  }

private:
  static constexpr std::size_t most = 10'000;

  struct Calls : RecursiveASTVisitor<Calls> {
    std::vector<const CallExpr *> found;
    bool shouldVisitImplicitCode() const { return true; }
    bool VisitCallExpr(CallExpr *c) {
      found.push_back(c);
      return true;
    }
  };

  const FunctionDecl *definitionOf(const FunctionDecl *f) const {
    const FunctionDecl *definition = nullptr;
    if (f == nullptr || f->isInvalidDecl() || f->isDependentContext() || !f->hasBody(definition) ||
        definition->getBody() == nullptr || ast.getSourceManager().isInSystemHeader(definition->getLocation()) ||
        definition->getQualifiedNameAsString().starts_with("torch::"))
      return nullptr;
    return definition;
  }

  void pass(const CallExpr &call, const FunctionDecl &callee, const Locals &own) {
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    const unsigned skipped = isa<CXXOperatorCallExpr>(call) && method != nullptr && method->isInstance() ? 1 : 0;
    for (unsigned i = 0; i < callee.getNumParams() && i + skipped < call.getNumArgs(); ++i) {
      const ParmVarDecl *p = callee.getParamDecl(i);
      if (!p->getType().getNonReferenceType()->isScalarType() || given.contains(p))
        continue;
      const Dependence d = dependenceOf(call.getArg(i + skipped), own);
      if (d == Dependence::Nothing)
        continue;
      given.emplace(p, d);
      changed.insert(&callee);
    }
  }

  ASTContext &ast;
  std::set<const FunctionDecl *> seen;
  std::set<const FunctionDecl *> changed; ///< more is known of their parameters since they were read
  std::map<const ParmVarDecl *, Dependence> given;
};

} // namespace

std::optional<Model> readTracing(ASTContext &ast, const SourceOptions &options) {
  Roots roots;
  for (Decl *d : ast.getTraversalScope())
    roots.TraverseDecl(d);
  std::erase_if(roots.found, [](const FunctionDecl *f) {
    return f->isInvalidDecl() || f->isDependentContext() || !f->doesThisDeclarationHaveABody();
  });
  const std::map<const Expr *, std::string> differing = differingArms(ast, options, roots.found);
  Writer writer(ast);
  const Reached reached(ast, roots.found);
  for (const FunctionDecl *f : reached.functions) {
    writer.begin(f);
    FunctionReader(ast, writer, differing, reached.locals(f)).TraverseStmt(f->getBody());
  }
  if (reached.functions.empty())
    return std::nullopt;
  return std::move(writer.model);
}

} // namespace condlint::cxx
