//===- Tracing.cpp - What a tracer freezes --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tracing.h"
#include "ArmTypes.h"
#include "ConstantFlags.h"
#include "Dependence.h"
#include "LostState.h"
#include "Reached.h"
#include "WhereArms.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
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
    model.info.frontEnd = FrontEnd::Tracing;
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

  /// A fact \p fact at \p e; \p what is its one attribute.
  void add(TracingOp fact, const Expr *e, std::string_view what) {
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
    const std::string_view op = nameOf(fact);
    description.domain = model.strings.intern(tracingDomain);
    description.name = model.strings.intern(op);
    const Attribute attribute = make(model, attr::what, what);
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

/// A variable for whose lifetime torch makes no gradients.
bool endsGradients(const Decl *d) {
  const auto *v = dyn_cast<VarDecl>(d);
  const CXXRecordDecl *r = v != nullptr ? v->getType()->getAsCXXRecordDecl() : nullptr;
  const auto *space = r != nullptr ? dyn_cast<NamespaceDecl>(r->getDeclContext()) : nullptr;
  const llvm::StringRef name = space != nullptr && r->getIdentifier() != nullptr ? r->getName() : llvm::StringRef();
  if (space == nullptr || !llvm::is_contained({"c10", "at", "torch"}, space->getName()))
    return false;
  if (name == "NoGradGuard")
    return true;
  if (name != "InferenceMode" && name != "AutoGradMode")
    return false;
  const auto *made = dyn_cast_or_null<CXXConstructExpr>(v->getInit());
  const Expr *enabled = made != nullptr ? argumentOf(made, 0) : nullptr; // null: as it is where nothing is said
  const auto *literal = enabled != nullptr ? dyn_cast<CXXBoolLiteralExpr>(enabled->IgnoreParenImpCasts()) : nullptr;
  if (name == "InferenceMode")
    return enabled == nullptr || (literal != nullptr && literal->getValue());
  return literal != nullptr && !literal->getValue();
}

/// Reads one traced function.
class FunctionReader : public DynamicRecursiveASTVisitor {
public:
  FunctionReader(ASTContext &a, Writer &w, const std::map<const Expr *, std::string> &d, const Assignments &s,
                 ReachingDefinitions &r, std::set<const Expr *> &told, std::set<const FunctionDecl *> &decided)
      : ast(a), writer(w), differing(d), assignments(s), reaching(r), conditions(decided), answers(told) {
    ShouldVisitImplicitCode = true;
  }

  void read(const FunctionDecl &f, const Reached &reached) {
    function = &f;
    isRoot = std::ranges::find(reached.roots, &f) != reached.roots.end();
    for (const LostState &state : lostStateIn(f, reached.functions, ast))
      writer.add(TracingOp::State, state.at, state.member); // NS14
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&f))
      for (const CXXCtorInitializer *i : constructor->inits())
        TraverseStmt(i->getInit());
    TraverseStmt(f.getBody());
  }

  bool TraverseIfStmt(IfStmt *s) override {
    return isCheck(s->getIfLoc()) || DynamicRecursiveASTVisitor::TraverseIfStmt(s);
  }
  /// What stands behind a guard in its block makes no gradients.
  bool TraverseCompoundStmt(CompoundStmt *block) override {
    const bool before = makesGradients;
    for (Stmt *s : block->body()) {
      TraverseStmt(s);
      if (const auto *declaration = dyn_cast<DeclStmt>(s))
        makesGradients = makesGradients && llvm::none_of(declaration->decls(), endsGradients);
    }
    makesGradients = before;
    return true;
  }
  bool TraverseConditionalOperator(ConditionalOperator *c) override {
    return isCheck(c->getQuestionLoc()) || DynamicRecursiveASTVisitor::TraverseConditionalOperator(c);
  }
  bool VisitIfStmt(IfStmt *s) override {
    if (!s->isConstexpr() && !s->isConsteval())
      condition(s->getCond(), "if");
    return true;
  }
  bool VisitWhileStmt(WhileStmt *s) override { return condition(s->getCond(), "while"); }
  bool VisitDoStmt(DoStmt *s) override { return condition(s->getCond(), "do"); }
  bool VisitForStmt(ForStmt *s) override { return condition(s->getCond(), "for"); }
  /// The trips over a range that numbers make, or a container.
  bool VisitCXXForRangeStmt(CXXForRangeStmt *s) override {
    const Expr *range = s->getRangeInit();
    if (range == nullptr)
      return true;
    const auto *call = dyn_cast<CallExpr>(plain(range));
    const FunctionDecl *f = call != nullptr ? call->getDirectCallee() : nullptr;
    return f != nullptr && f->getQualifiedNameAsString() == "c10::irange"
               ? condition(call, "for")
               : frozen(range, sizeDependenceOf(range, assignments, reaching, ast), "for");
  }
  bool VisitBinaryConditionalOperator(BinaryConditionalOperator *c) override { return condition(c->getCommon(), "?:"); }
  bool VisitSwitchStmt(SwitchStmt *s) override { return condition(s->getCond(), "switch"); }
  bool VisitBinaryOperator(BinaryOperator *b) override {
    if (b->isLogicalOp() && !answers.contains(b))
      condition(b, b->getOpcode() == BO_LAnd ? "&&" : "||");
    return true;
  }

  bool VisitConditionalOperator(ConditionalOperator *c) override {
    if (!isOwnFlag(c->getCond()) || holdsCall(c->getTrueExpr()) || holdsCall(c->getFalseExpr()))
      return condition(c->getCond(), "?:");
    writer.add(TracingOp::Convertible, c->getCond(), ""); // NS2
    for (const Expr *arm : {c->getTrueExpr(), c->getFalseExpr()})
      if (const std::string why = unsafeToEvaluate(arm, ast); !why.empty())
        writer.add(TracingOp::Eager, arm, why); // NS5
    compareArms(c->getCond());
    return true;
  }

  bool VisitCallExpr(CallExpr *call) override {
    if (const FunctionDecl *f = call->getDirectCallee())
      flagArguments(call, f);
    if (isOtherModulesFlag(call) && !assignments.isOwnFlag(call))
      writer.add(TracingOp::Flag, call, "another module's own flag"); // NS7
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    const llvm::StringRef name = torchCallee(call);
    // Who reads the flag of its own object is the impostor itself.
    if (member != nullptr && isImpostorsFlag(call) && !isThis(member->getImplicitObjectArgument()))
      impostor(call); // NS8
    if (setsOtherModulesMode(call) && !assignments.isOwnObject(objectOf(call)))
      writer.add(TracingOp::Flag, call, "another module's mode is set"); // NS7
    if (const auto constant = constantFlagIn(call, assignments, reaching, ast))
      if (!isUnderFlag(call) && (isRoot || conditions.empty()))
        writer.add(TracingOp::ConstantFlag, constant->at, constant->what); // NS15
    if (name == "where" || name == "masked_fill" || name == "masked_fill_")
      where(call, member);
    return true;
  }

  /// A field that is read; who sets it asks nothing.
  bool VisitImplicitCastExpr(ImplicitCastExpr *e) override {
    const auto *member = e->getCastKind() == CK_LValueToRValue ? dyn_cast<MemberExpr>(plain(e)) : nullptr;
    if (member != nullptr && isImpostorsFlag(member) && !isThis(member->getBase()))
      impostor(member); // NS8
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *c) override {
    flagArguments(c, c->getConstructor());
    return true;
  }

private:
  /// A check, such as TORCH_CHECK or assert, decides nothing but whether to go on.
  bool isCheck(clang::SourceLocation at) const {
    if (!at.isMacroID())
      return false;
    const llvm::StringRef macro = Lexer::getImmediateMacroName(at, ast.getSourceManager(), ast.getLangOpts());
    return macro == "assert" || macro.starts_with("TORCH_") || macro.starts_with("AT_") || macro.starts_with("C10_");
  }

  /// A condition on the training flag decides whether \p call is made.
  bool isUnderFlag(const CallExpr *call) {
    const auto decisions = reaching.decisionsOver(call, function);
    return decisions ? std::ranges::any_of(*decisions,
                                           [&](const Expr *e) {
                                             return dependenceOf(e, assignments, reaching, ast) == Dependence::Flag;
                                           })
                     : conditions.contains(function);
  }

  bool condition(const Expr *e, const char *statement) {
    if (e == nullptr || covered.contains(e))
      return true;
    impostors(e);
    return frozen(e, dependenceOf(e, assignments, reaching, ast), statement);
  }

  bool frozen(const Expr *e, Dependence d, const char *statement) {
    if (d == Dependence::Nothing)
      return true;
    writer.add(d == Dependence::Flag ? TracingOp::FrozenFlag : TracingOp::FrozenValue, e, statement);
    if (d == Dependence::Flag)
      conditions.insert(function);
    cover(e);
    noteAnswers(e);
    return true;
  }

  /// Where the named condition \p e asks a helper or a local, what that is put together of is not named again.
  void noteAnswers(const Expr *e) {
    std::vector<const Stmt *> open{e};
    std::set<const Decl *> seen;
    while (!open.empty()) {
      const Stmt *next = open.back();
      open.pop_back();
      forEachExpr(next, [&](const Expr *x) {
        if (const auto *b = dyn_cast<BinaryOperator>(x); b != nullptr && next != e && b->isLogicalOp())
          answers.insert(b);
        const auto *call = dyn_cast<CallExpr>(x);
        const FunctionDecl *f = call != nullptr ? tracedDefinition(call->getDirectCallee(), ast) : nullptr;
        if (f != nullptr && f->getReturnType()->isBooleanType() && seen.insert(f).second)
          forEachReturn(f->getBody(), [&](const Expr *value) { open.push_back(value); });
        const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr;
        if (v != nullptr && v->hasLocalStorage() && v->getType()->isBooleanType() && seen.insert(v).second)
          if (const Expr *value = assignments.onlyValue(v))
            open.push_back(value);
        return true;
      });
    }
  }

  /// What a named condition is put together of is not named again.
  void cover(const Expr *e) {
    e = e->IgnoreParenImpCasts();
    if (const auto *u = dyn_cast<UnaryOperator>(e); u != nullptr && u->getOpcode() == UO_LNot)
      return cover(u->getSubExpr());
    const auto *b = dyn_cast<BinaryOperator>(e);
    if (b == nullptr || !b->isLogicalOp())
      return;
    covered.insert(b);
    cover(b->getLHS());
    cover(b->getRHS());
  }

  /// NS8, also through locals that are assigned once.
  void impostors(const Expr *e) {
    std::vector<const Expr *> open{e};
    std::set<const VarDecl *> seen;
    while (!open.empty()) {
      const Expr *next = open.back();
      open.pop_back();
      forEachExpr(next, [&](const Expr *x) {
        if ((isa<CallExpr>(x) || isa<MemberExpr>(x) || isa<DeclRefExpr>(x)) && x == plain(x) && isImpostorsFlag(x))
          impostor(x);
        const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr;
        if (v != nullptr && v->hasLocalStorage() && v->getType()->isBooleanType() && seen.insert(v).second)
          if (const Expr *value = assignments.onlyValue(v))
            open.push_back(value);
        return true;
      });
    }
  }

  void impostor(const Expr *x) { writer.add(TracingOp::Flag, x, "the flag of a class that is no module"); }

  /// NS9: a module where a bool is wanted. Who converts one with a cast may ask
  /// whether there is a module, unless it is handed on as the flag.
  void flagArguments(const Expr *call, const FunctionDecl *f) {
    for (const ParmVarDecl *p : f->parameters()) {
      const Expr *argument = argumentOf(call, p->getFunctionScopeIndex());
      if (argument == nullptr || !p->getType().getNonReferenceType()->isBooleanType())
        continue;
      const Expr *given = argument->IgnoreParenCasts();
      if (const auto *conversion = dyn_cast<CXXMemberCallExpr>(given);
          conversion != nullptr && isa_and_nonnull<CXXConversionDecl>(conversion->getMethodDecl()))
        given = conversion->getImplicitObjectArgument()->IgnoreParenImpCasts();
      const bool meant = isa<ExplicitCastExpr>(argument->IgnoreParenImpCasts()) && !p->getName().contains("train");
      if (!meant && isModuleLike(given->getType()))
        writer.add(TracingOp::FlagModule, argument, "");
    }
  }

  void compareArms(const Expr *at) {
    if (const auto found = differing.find(at); found != differing.end())
      writer.add(TracingOp::Types, at, found->second); // NS13
  }

  /// `where`, or `masked_fill`, which puts something else where its mask is true.
  void where(const CallExpr *call, const CXXMemberCallExpr *member) {
    const Expr *parts[3] = {};
    if (torchCallee(call).starts_with("masked_fill")) {
      const unsigned first = member != nullptr ? 0 : 1;
      if (call->getNumArgs() < first + 2)
        return;
      const Expr *self = member != nullptr ? member->getImplicitObjectArgument() : call->getArg(0);
      const UnsafeArm kept = unsafeInWhere(call->getArg(first), self, call->getArg(first + 1), false, assignments, ast);
      // What it is made of in place, and at random, is no arm.
      if (!kept.why.empty() && !kept.writes && kept.isOperand && makesGradients)
        writer.add(TracingOp::Masked, call, kept.why);
      return;
    }
    if (member == nullptr && call->getNumArgs() >= 3)
      parts[0] = call->getArg(0), parts[1] = call->getArg(1), parts[2] = call->getArg(2);
    else if (member != nullptr && call->getNumArgs() >= 2) // x.where(condition, other)
      parts[0] = call->getArg(0), parts[1] = member->getImplicitObjectArgument(), parts[2] = call->getArg(1);
    else
      return;
    const UnsafeArm yes = unsafeInWhere(parts[0], parts[1], parts[2], true, assignments, ast);
    const UnsafeArm no = unsafeInWhere(parts[0], parts[2], parts[1], false, assignments, ast);
    const UnsafeArm &worst = yes.why.empty() || (no.writes && !yes.writes) ? no : yes;
    if (!worst.why.empty() && (worst.writes || makesGradients))
      writer.add(worst.writes ? TracingOp::WhereWrite : TracingOp::Where, call, worst.why); // NS10
    compareArms(call);
  }

  ASTContext &ast;
  Writer &writer;
  const std::map<const Expr *, std::string> &differing;
  const Assignments &assignments;
  ReachingDefinitions &reaching;
  std::set<const Expr *> covered;         ///< parts of conditions that were named
  const FunctionDecl *function = nullptr; ///< the current one
  bool isRoot = false;
  bool makesGradients = true;                 ///< of what is computed at this place
  std::set<const FunctionDecl *> &conditions; ///< functions that ask the training flag themselves
  std::set<const Expr *> &answers;            ///< what named conditions were told, and is put together of several parts
};

} // namespace

std::optional<Model> readTracing(ASTContext &ast, const SourceOptions &options) {
  const Reached reached(ast);
  if (reached.functions.empty())
    return std::nullopt;
  const std::map<const Expr *, std::string> differing = differingArms(ast, options, reached.roots);
  Assignments assignments(ast);
  for (const FunctionDecl *f : reached.functions)
    assignments.add(*f);
  ReachingDefinitions reaching(assignments, ast);
  // A helper may come before the condition that asks it.
  std::set<const Expr *> answers;
  std::set<const FunctionDecl *> conditions;
  Writer trial(ast), writer(ast);
  for (Writer *each : {&trial, &writer})
    for (const FunctionDecl *f : reached.functions) {
      each->begin(f);
      FunctionReader(ast, *each, differing, assignments, reaching, answers, conditions).read(*f, reached);
    }
  return std::move(writer.model);
}

} // namespace condlint::cxx
