//===- TracedCode.cpp - Questions about traced code -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TracedCode.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <set>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

constexpr unsigned deepest = 16;

std::string nameOf(const NamedDecl *d) {
  std::string out;
  for (const DeclContext *c = d->getDeclContext(); c != nullptr; c = c->getParent())
    if (const auto *n = dyn_cast<NamespaceDecl>(c); n != nullptr && !n->isInline())
      out = n->getNameAsString() + "::" + out;
    else if (const auto *r = dyn_cast<CXXRecordDecl>(c))
      out = r->getNameAsString() + "::" + out;
  return out + d->getNameAsString();
}

bool derivesFrom(const CXXRecordDecl *record, StringRef base, unsigned depth = 0) {
  if (record == nullptr || depth > deepest)
    return false;
  if (nameOf(record) == base)
    return true;
  record = record->getDefinition();
  if (record == nullptr)
    return false;
  return llvm::any_of(record->bases(), [&](const CXXBaseSpecifier &b) {
    return derivesFrom(b.getType()->getAsCXXRecordDecl(), base, depth + 1);
  });
}

const Expr *plain(const Expr *e) {
  for (;;) {
    const Expr *inner = e->IgnoreParenImpCasts();
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(inner))
      inner = cleanups->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(inner))
      inner = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(inner))
      inner = bound->getSubExpr();
    else if (const auto *copy = dyn_cast<CXXConstructExpr>(inner);
             copy != nullptr && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor())
      inner = copy->getArg(0);
    if (inner == e)
      return e;
    e = inner;
  }
}

const VarDecl *variable(const Expr *e) {
  const auto *r = dyn_cast<DeclRefExpr>(plain(e));
  return r == nullptr ? nullptr : dyn_cast<VarDecl>(r->getDecl());
}

/// Visits the expressions of a subtree; false from \p visit leaves one out with all below.
template <class Visit> void forEachExpr(const Stmt *s, Visit visit, unsigned depth = 0) {
  constexpr unsigned deepestTree = 2000;
  if (s == nullptr || depth > deepestTree)
    return;
  if (const auto *e = dyn_cast<Expr>(s); e != nullptr && !visit(e))
    return;
  if (const auto *lambda = dyn_cast<LambdaExpr>(s)) {
    forEachExpr(lambda->getBody(), visit, depth + 1);
    return;
  }
  for (const Stmt *child : s->children())
    forEachExpr(child, visit, depth + 1);
}

const CXXMethodDecl *method(const Expr *e) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(plain(e));
  return call == nullptr ? nullptr : call->getMethodDecl();
}

bool isThis(const Expr *e) { return isa<CXXThisExpr>(e->IgnoreParenImpCasts()); }

bool isFlagMethod(const Expr *e) {
  const CXXMethodDecl *m = method(e);
  return m != nullptr && m->getIdentifier() != nullptr && m->getName() == "is_training" && m->getNumParams() == 0;
}

/// A pointer to a tensor's elements.
bool isDataPointer(const Expr *e, const Locals &locals, unsigned depth = 0) {
  e = plain(e)->IgnoreParenCasts();
  if (depth > deepest)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const StringRef name = torchCallee(call);
    return name == "data_ptr" || name == "const_data_ptr" || name == "mutable_data_ptr";
  }
  if (const VarDecl *v = variable(e)) {
    const Expr *value = v->getType()->isPointerType() ? locals.onlyValue(v) : nullptr;
    return value != nullptr && isDataPointer(value, locals, depth + 1);
  }
  const auto *sum = dyn_cast<BinaryOperator>(e);
  return sum != nullptr && sum->isAdditiveOp() &&
         (isDataPointer(sum->getLHS(), locals, depth + 1) || isDataPointer(sum->getRHS(), locals, depth + 1));
}

/// An element of a tensor, read on the host.
bool isElement(const Expr *e, const Locals &locals) {
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return isDataPointer(s->getBase(), locals);
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_Deref && isDataPointer(u->getSubExpr(), locals);
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  const CXXRecordDecl *of = o != nullptr && o->getOperator() == OO_Subscript && o->getNumArgs() == 2
                                ? o->getArg(0)->getType().getNonReferenceType()->getAsCXXRecordDecl()
                                : nullptr;
  return of != nullptr && of->getIdentifier() != nullptr && of->getName().contains("TensorAccessor") &&
         o->getType()->isScalarType();
}

bool isRead(StringRef name) { return name == "item" || name == "is_nonzero" || name == "equal" || name == "allclose"; }

class Dependences {
public:
  explicit Dependences(const Locals &l) : locals(l) {}

  Dependence of(const Expr *e, unsigned depth = 0) {
    Dependence found = Dependence::Nothing;
    forEachExpr(e, [&](const Expr *x) {
      if (found != Dependence::Nothing || isa<LambdaExpr>(x))
        return false;
      if (isOwnFlag(x))
        found = Dependence::Flag;
      else if (const auto *call = dyn_cast<CallExpr>(x); call != nullptr && isRead(torchCallee(call)))
        found = Dependence::Value;
      else if (isElement(x, locals))
        found = Dependence::Value;
      else if (const auto *c = dyn_cast<CallExpr>(x); c != nullptr && c->getType()->isScalarType())
        found = ofFunction(c->getDirectCallee(), depth);
      else if (const auto *r = dyn_cast<DeclRefExpr>(x))
        found = ofVariable(dyn_cast<VarDecl>(r->getDecl()), depth);
      // What a tensor holds does not show in its sizes.
      return found == Dependence::Nothing && !isTensor(x->getType());
    });
    return found;
  }

private:
  Dependence ofVariable(const VarDecl *v, unsigned depth) {
    if (v == nullptr || depth > deepest || !v->getType().getNonReferenceType()->isScalarType() ||
        !seen.insert(v).second)
      return Dependence::Nothing;
    if (const Dependence d = locals.given(v); d != Dependence::Nothing)
      return d;
    auto [first, last] = locals.values().equal_range(v);
    for (auto at = first; at != last; ++at)
      if (const Dependence d = of(at->second, depth + 1); d != Dependence::Nothing)
        return d;
    return Dependence::Nothing;
  }

  Dependence ofFunction(const FunctionDecl *f, unsigned depth) {
    const FunctionDecl *definition = nullptr;
    if (f == nullptr || depth > deepest || !torchCalleeName(f).empty() || !f->hasBody(definition) ||
        !seen.insert(definition).second)
      return Dependence::Nothing;
    const Locals own(definition->getBody());
    Dependences inner(own);
    inner.seen = seen;
    Dependence found = Dependence::Nothing;
    forEachReturn(definition->getBody(), [&](const Expr *value) {
      if (found == Dependence::Nothing)
        found = inner.of(value, depth + 1);
    });
    return found;
  }

  template <class Visit> static void forEachReturn(const Stmt *s, Visit visit, unsigned depth = 0) {
    if (s == nullptr || depth > 500 || isa<Expr>(s))
      return;
    if (const auto *r = dyn_cast<ReturnStmt>(s); r != nullptr && r->getRetValue() != nullptr)
      visit(r->getRetValue());
    for (const Stmt *child : s->children())
      forEachReturn(child, visit, depth + 1);
  }

  static StringRef torchCalleeName(const FunctionDecl *f) {
    const std::string name = nameOf(f);
    const bool torch = name.starts_with("at::") || name.starts_with("torch::") || name.starts_with("c10::");
    return torch && f->getIdentifier() != nullptr ? f->getName() : StringRef();
  }

  const Locals &locals;
  std::set<const Decl *> seen;
};

} // namespace

bool isModule(const CXXRecordDecl *record) { return derivesFrom(record, "torch::nn::Module"); }

bool isTensor(QualType type) {
  if (type.isNull())
    return false;
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  return r != nullptr && derivesFrom(r, "at::TensorBase");
}

bool isModuleLike(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return isModule(type->getPointeeType()->getAsCXXRecordDecl());
  const CXXRecordDecl *r = type->getAsCXXRecordDecl();
  if (r == nullptr)
    return false;
  if (isModule(r) || derivesFrom(r, "torch::nn::ModuleHolder"))
    return true;
  const auto *s = dyn_cast<ClassTemplateSpecializationDecl>(r);
  return s != nullptr && (s->getName() == "shared_ptr" || s->getName() == "unique_ptr") &&
         s->getTemplateArgs().get(0).getKind() == TemplateArgument::Type &&
         isModule(s->getTemplateArgs().get(0).getAsType()->getAsCXXRecordDecl());
}

StringRef torchCallee(const CallExpr *call) {
  const FunctionDecl *f = call->getDirectCallee();
  if (f == nullptr || f->getIdentifier() == nullptr)
    return {};
  const std::string name = nameOf(f);
  return name.starts_with("at::") || name.starts_with("torch::") ? f->getName() : StringRef();
}

bool isOwnFlag(const Expr *e) {
  if (!isFlagMethod(e) || !isModule(method(e)->getParent()))
    return false;
  return isThis(cast<CXXMemberCallExpr>(plain(e))->getImplicitObjectArgument());
}

bool isOtherModulesFlag(const Expr *e) {
  return isFlagMethod(e) && isModule(method(e)->getParent()) &&
         !isThis(cast<CXXMemberCallExpr>(plain(e))->getImplicitObjectArgument());
}

bool isImpostorsFlag(const Expr *e) {
  if (isFlagMethod(e))
    return !isModule(method(e)->getParent()) && !StringRef(nameOf(method(e))).starts_with("torch::");
  const auto *m = dyn_cast<MemberExpr>(plain(e));
  const auto *field = m == nullptr ? nullptr : dyn_cast<FieldDecl>(m->getMemberDecl());
  const auto *owner = field == nullptr ? nullptr : dyn_cast<CXXRecordDecl>(field->getParent());
  return owner != nullptr && field->getName() == "training" && field->getType()->isBooleanType() && !isModule(owner) &&
         !StringRef(nameOf(field)).starts_with("torch::");
}

Locals::Locals(const Stmt *body) {
  struct Finder : RecursiveASTVisitor<Finder> {
    std::multimap<const VarDecl *, const Expr *> &out;
    explicit Finder(std::multimap<const VarDecl *, const Expr *> &o) : out(o) {}
    bool VisitVarDecl(VarDecl *v) {
      if (v->getInit() != nullptr && !isa<ParmVarDecl>(v))
        out.emplace(v, v->getInit());
      return true;
    }
    void assign(const Expr *to, const Expr *value) {
      if (const VarDecl *v = variable(to))
        out.emplace(v, value);
    }
    bool VisitBinaryOperator(BinaryOperator *b) {
      if (b->isAssignmentOp())
        assign(b->getLHS(), b->getRHS());
      return true;
    }
    bool VisitUnaryOperator(UnaryOperator *u) {
      if (u->isIncrementDecrementOp())
        assign(u->getSubExpr(), u->getSubExpr());
      return true;
    }
    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *c) {
      if (c->isAssignmentOp() && c->getNumArgs() == 2)
        assign(c->getArg(0), c->getArg(1));
      return true;
    }
  } finder(assigned);
  finder.TraverseStmt(const_cast<Stmt *>(body));
}

const Expr *Locals::onlyValue(const VarDecl *v) const {
  auto [first, last] = assigned.equal_range(v);
  return first != last && std::next(first) == last && v->isLocalVarDecl() ? first->second : nullptr;
}

Dependence dependenceOf(const Expr *e, const Locals &locals) { return Dependences(locals).of(e); }

bool holdsCall(const Expr *arm) {
  bool found = false;
  forEachExpr(arm, [&](const Expr *e) {
    if (const auto *t = dyn_cast<CXXTemporaryObjectExpr>(e))
      found |= t->getNumArgs() > 1;
    const auto *call = dyn_cast<CallExpr>(e);
    const auto *o = dyn_cast_or_null<CXXOperatorCallExpr>(call);
    if (call == nullptr || (o != nullptr && o->getOperator() != OO_Call) ||
        isa_and_nonnull<CXXConversionDecl>(call->getCalleeDecl()))
      return !found;
    const FunctionDecl *f = call->getDirectCallee();
    const bool cast = f != nullptr && f->isInStdNamespace() && f->getIdentifier() != nullptr &&
                      (f->getName() == "move" || f->getName() == "forward" || f->getName() == "as_const");
    found |= !cast && !isOwnFlag(call);
    return !found;
  });
  return found;
}

std::string unsafeToEvaluate(const Expr *arm, ASTContext &ast) {
  std::string why;
  forEachExpr(arm, [&](const Expr *e) {
    if (!why.empty())
      return false;
    if (const auto *b = dyn_cast<BinaryOperator>(e)) {
      Expr::EvalResult divisor;
      if (b->isAssignmentOp())
        why = "it assigns";
      else if ((b->getOpcode() == BO_Div || b->getOpcode() == BO_Rem) && b->getType()->isIntegerType() &&
               !(!b->getRHS()->isValueDependent() && b->getRHS()->EvaluateAsInt(divisor, ast) &&
                 divisor.Val.getInt() != 0))
        why = "it divides integers";
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->isIncrementDecrementOp())
        why = "it counts";
      else if (u->getOpcode() == UO_Deref && !isThis(u->getSubExpr()))
        why = "it follows a pointer";
    } else if (const auto *m = dyn_cast<MemberExpr>(e)) {
      if (m->isArrow() && !isThis(m->getBase()))
        why = "it follows a pointer";
    } else if (isa<ArraySubscriptExpr>(e)) {
      why = "it subscripts";
    } else if (isa<CXXThrowExpr>(e)) {
      why = "it throws";
    } else if (isa<CXXNewExpr>(e) || isa<CXXDeleteExpr>(e)) {
      why = "it allocates";
    } else if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e)) {
      if (o->isAssignmentOp())
        why = "it assigns";
      else if (o->getOperator() == OO_Subscript)
        why = "it subscripts";
      else if (o->getOperator() == OO_Arrow || (o->getOperator() == OO_Star && o->getNumArgs() == 1))
        why = "it follows what may be empty";
      else if (o->getOperator() == OO_PlusPlus || o->getOperator() == OO_MinusMinus)
        why = "it counts";
    }
    return why.empty();
  });
  return why;
}

namespace {

/// What makes an operator unsafe: a zero, a number below zero, either.
enum class Unsafe : std::uint8_t { Zero, Negative, NotPositive };

/// A comparison of a tensor with a number in a condition.
struct Tested {
  const Expr *tensor = nullptr;
  BinaryOperatorKind relation = BO_GT;
  std::optional<double> bound; ///< none: a number that is not known, taken for one about zero
  bool ofMagnitude = false;    ///< it is the tensor's absolute value that is compared
};

std::optional<double> numberOf(const Expr *e) {
  std::optional<double> out;
  bool minus = false;
  forEachExpr(e, [&](const Expr *x) {
    if (const auto *i = dyn_cast<IntegerLiteral>(x))
      out = static_cast<double>(i->getValue().getLimitedValue());
    else if (const auto *f = dyn_cast<FloatingLiteral>(x))
      out = f->getValueAsApproximateDouble();
    else if (const auto *u = dyn_cast<UnaryOperator>(x); u != nullptr && u->getOpcode() == UO_Minus)
      minus = true;
    return !out && !isa<DeclRefExpr>(x);
  });
  return out && minus ? std::optional(-*out) : out;
}

BinaryOperatorKind mirrored(BinaryOperatorKind k) {
  switch (k) {
  case BO_LT:
    return BO_GT;
  case BO_GT:
    return BO_LT;
  case BO_LE:
    return BO_GE;
  case BO_GE:
    return BO_LE;
  default:
    return k;
  }
}

BinaryOperatorKind opposite(BinaryOperatorKind k) {
  switch (k) {
  case BO_LT:
    return BO_GE;
  case BO_GE:
    return BO_LT;
  case BO_GT:
    return BO_LE;
  case BO_LE:
    return BO_GT;
  default:
    return k == BO_EQ ? BO_NE : BO_EQ;
  }
}

std::optional<BinaryOperatorKind> relationOf(StringRef name) {
  static const std::map<StringRef, BinaryOperatorKind> names{
      {"gt", BO_GT},       {"ge", BO_GE},   {"lt", BO_LT},      {"le", BO_LE},         {"eq", BO_EQ},
      {"ne", BO_NE},       {"less", BO_LT}, {"greater", BO_GT}, {"less_equal", BO_LE}, {"greater_equal", BO_GE},
      {"not_equal", BO_NE}};
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

/// The tensor and the argument of a method, or the first two of a function.
std::pair<const Expr *, const Expr *> sidesOf(const CallExpr *call) {
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const unsigned second = member != nullptr ? 0 : 1;
  return {member != nullptr         ? member->getImplicitObjectArgument()
          : call->getNumArgs() != 0 ? call->getArg(0)
                                    : nullptr,
          call->getNumArgs() > second ? call->getArg(second) : nullptr};
}

/// The comparisons that a condition such as `(n > 0) & mask` is made of.
void testedBy(const Expr *condition, const Locals &locals, std::vector<Tested> &out, bool negated = false,
              unsigned depth = 0) {
  if (depth > deepest)
    return;
  forEachExpr(plain(condition), [&](const Expr *e) {
    if (const VarDecl *v = isa<DeclRefExpr>(e) ? variable(e) : nullptr; v != nullptr && isTensor(v->getType())) {
      if (const Expr *value = locals.onlyValue(v))
        testedBy(value, locals, out, negated, depth + 1);
      return false;
    }
    const auto *call = dyn_cast<CallExpr>(e);
    const StringRef name = call != nullptr ? torchCallee(call) : StringRef();
    const auto *sign = dyn_cast<CXXOperatorCallExpr>(e);
    if (name == "logical_not" || name == "bitwise_not" ||
        (sign != nullptr && (sign->getOperator() == OO_Tilde || sign->getOperator() == OO_Exclaim))) {
      testedBy(sidesOf(call).first, locals, out, !negated, depth + 1);
      return false;
    }
    const Expr *left = nullptr, *right = nullptr;
    std::optional<BinaryOperatorKind> relation;
    if (const auto *o = sign; o != nullptr && o->isComparisonOp() && o->getNumArgs() == 2) {
      left = o->getArg(0);
      right = o->getArg(1);
      relation = BinaryOperator::getOverloadedOpcode(o->getOperator());
    } else if (call != nullptr) {
      relation = relationOf(name);
      std::tie(left, right) = sidesOf(call);
    }
    if (!relation || left == nullptr || right == nullptr)
      return true;
    if (negated)
      relation = opposite(*relation);
    const bool swapped = !isTensor(plain(left)->getType());
    const Expr *tensor = swapped ? right : left, *number = swapped ? left : right;
    if (isTensor(plain(tensor)->getType()) && !isTensor(plain(number)->getType())) {
      Tested t{plain(tensor), swapped ? mirrored(*relation) : *relation, numberOf(number), false};
      if (const auto *c = dyn_cast<CallExpr>(t.tensor); c != nullptr && torchCallee(c) == "abs") {
        t.tensor = plain(sidesOf(c).first);
        t.ofMagnitude = true;
      }
      out.push_back(t);
    }
    return false;
  });
}

/// Whether what the comparison lets through leaves out what is unsafe; a bound
/// about zero is meant to.
bool guards(const Tested &t, bool onTrue, Unsafe unsafe) {
  const BinaryOperatorKind relation = onTrue ? t.relation : opposite(t.relation);
  const double bound = t.bound.value_or(0);
  if (t.ofMagnitude)
    return unsafe == Unsafe::Zero && (relation == BO_GT || relation == BO_GE || relation == BO_NE) && bound >= 0;
  switch (relation) {
  case BO_GT:
  case BO_GE:
    return bound >= 0;
  case BO_LT:
  case BO_LE:
    return unsafe == Unsafe::Zero && bound <= 0;
  case BO_NE:
    return bound == 0 && unsafe != Unsafe::Negative;
  default: // BO_EQ: one number, which is safe or not
    return false;
  }
}

/// The same expression over the same variables, through locals that are assigned once.
bool isSame(const Expr *a, const Expr *b, const Locals &locals, ASTContext &ast) {
  const auto settled = [&](const Expr *e) {
    e = plain(e);
    for (unsigned i = 0; i < deepest; ++i) {
      const VarDecl *v = variable(e);
      const Expr *value = v != nullptr ? locals.onlyValue(v) : nullptr;
      if (value == nullptr)
        break;
      e = plain(value);
    }
    return e;
  };
  if (variable(a) != nullptr && variable(a) == variable(b))
    return true;
  const auto profile = [&](const Expr *e) {
    llvm::FoldingSetNodeID id;
    e->Profile(id, ast, true);
    return id;
  };
  const Expr *x = settled(a), *y = settled(b);
  return x == y || profile(x) == profile(y);
}

/// Whether the variable \p e was last given a value that is kept away from what is unsafe.
bool isClamped(const Expr *e, const Locals &locals, ASTContext &ast) {
  const VarDecl *v = variable(plain(e));
  if (v == nullptr)
    return false;
  const SourceManager &sources = ast.getSourceManager();
  const auto isBefore = [&](const Expr *a, const Expr *b) {
    return sources.isBeforeInTranslationUnit(a->getBeginLoc(), b->getBeginLoc());
  };
  const Expr *last = nullptr;
  for (auto [at, end] = locals.values().equal_range(v); at != end; ++at)
    if (isBefore(at->second, e) && (last == nullptr || isBefore(last, at->second)))
      last = at->second;
  const auto *call = last != nullptr ? dyn_cast<CallExpr>(plain(last)) : nullptr;
  const StringRef name = call != nullptr ? torchCallee(call) : StringRef();
  return name == "clamp" || name == "clamp_min" || name == "clip";
}

/// Whether `pow` to \p exponent is defined everywhere: a whole number from 0 up.
bool isHarmlessExponent(const Expr *exponent) {
  bool harmless = false;
  forEachExpr(exponent, [&](const Expr *e) {
    if (const auto *i = dyn_cast<IntegerLiteral>(e); i != nullptr)
      harmless = true;
    else if (const auto *f = dyn_cast<FloatingLiteral>(e))
      harmless = f->getValue().isInteger() && !f->getValue().isNegative();
    else if (const auto *u = dyn_cast<UnaryOperator>(e); u != nullptr && u->getOpcode() == UO_Minus)
      return false;
    return true;
  });
  return harmless;
}

bool isRandom(const CallExpr *call, StringRef name) {
  if (name.ends_with("dropout")) {
    const Expr *last = call->getNumArgs() != 0 ? call->getArg(call->getNumArgs() - 1) : nullptr;
    const auto *trains = last != nullptr ? dyn_cast<CXXBoolLiteralExpr>(last->IgnoreParenImpCasts()) : nullptr;
    return trains == nullptr || trains->getValue();
  }
  return name.starts_with("rand") || name.starts_with("bernoulli") || name == "normal" || name == "multinomial" ||
         name.starts_with("poisson") || name == "rrelu";
}

/// What of its first operand makes the operator \p name unsafe.
std::optional<Unsafe> unsafeOf(StringRef name, const Expr *other) {
  if (name == "log" || name == "log2" || name == "log10" || name == "rsqrt")
    return Unsafe::NotPositive;
  if (name == "sqrt")
    return Unsafe::Negative;
  if (name == "reciprocal")
    return Unsafe::Zero;
  if (name == "pow" && !(other != nullptr && isHarmlessExponent(other)))
    return Unsafe::NotPositive;
  return std::nullopt;
}

} // namespace

std::string unsafeInWhere(const Expr *condition, const Expr *arm, bool onTrue, const Locals &locals, ASTContext &ast,
                          bool &writes) {
  std::vector<Tested> tests;
  testedBy(condition, locals, tests);
  std::string why;
  std::set<const VarDecl *> seen;
  const auto isGuarded = [&](const Expr *e, Unsafe unsafe) {
    return e != nullptr && !isClamped(e, locals, ast) && llvm::any_of(tests, [&](const Tested &t) {
             return isSame(t.tensor, e, locals, ast) && guards(t, onTrue, unsafe);
           });
  };
  auto look = [&](auto &&self, const Expr *e) -> void {
    forEachExpr(e, [&](const Expr *x) {
      if (writes)
        return false;
      if (const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr) {
        if (const Expr *value = locals.onlyValue(v);
            value != nullptr && isTensor(v->getType()) && seen.insert(v).second)
          self(self, value);
        return false;
      }
      const auto *call = dyn_cast<CallExpr>(x);
      if (call == nullptr)
        return true;
      const StringRef name = torchCallee(call);
      if (name == "where")
        return false; // what it selects is safe where it selects it
      const auto [self0, other] = sidesOf(call);
      const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
      if ((name.ends_with("_") && !name.starts_with("_")) || name.ends_with("_out") || name.ends_with("_outf") ||
          (o != nullptr && o->isAssignmentOp() && isTensor(o->getArg(0)->getType()))) {
        writes = true;
        why = "it writes in place" + (name.empty() ? "" : ": " + name.str());
      } else if (isRandom(call, name)) {
        why = "it draws random numbers: " + name.str();
      } else if (const auto unsafe = unsafeOf(name, other); unsafe && isGuarded(self0, *unsafe)) {
        why = "it takes " + name.str() + " of what the condition tests";
      } else if ((name == "div" || name == "true_divide" || name == "divide" ||
                  (o != nullptr && o->getOperator() == OO_Slash && o->getNumArgs() == 2)) &&
                 isGuarded(other, Unsafe::Zero)) {
        why = "it divides by what the condition tests";
      }
      return true;
    });
  };
  look(look, arm);
  return why;
}

} // namespace condlint::cxx
