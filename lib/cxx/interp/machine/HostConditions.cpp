//===- HostConditions.cpp - Conditions that are the same -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostConditions.h"
#include "AskedContainers.h"
#include "Names.h"
#include "StmtWalk.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/Builtins.h>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace condlint::cxx {

bool asksText(const clang::Stmt *s) {
  return findStatement(s, [](const clang::Stmt &inner) {
    const auto *part = llvm::dyn_cast<clang::Expr>(&inner);
    return part && isTextType(part->getType()) && !llvm::isa<clang::StringLiteral>(part->IgnoreParenImpCasts())
               ? Walk::Found
               : Walk::On;
  });
}

namespace {

constexpr unsigned deepestQuestion = 16; ///< of expressions within one another

/// \p e, or what is denied by it, with \p truth turned as often.
const clang::Expr *withoutNot(const clang::Expr *e, bool &truth) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e))
      e = rewritten->getSemanticForm()->IgnoreParenImpCasts(); // C++20: `a != b` is `!(a == b)`
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e); cast && cast->getType()->isBooleanType()) {
      e = cast->getSubExpr();
      continue;
    }
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e); // what a check is made of
    if (call && call->getBuiltinCallee() == clang::Builtin::BI__builtin_expect) {
      e = call->getArg(0);
      continue;
    }
    const auto *u = llvm::dyn_cast<clang::UnaryOperator>(e);
    if (!u || u->getOpcode() != clang::UO_LNot)
      return e;
    truth = !truth;
    e = u->getSubExpr();
  }
}

const clang::BinaryOperator *asLogical(const clang::Expr *e) {
  const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e);
  return b && b->isLogicalOp() ? b : nullptr;
}

/// Writes down what is asked of which values; what cannot be recognised again has no words.
class Spelling {
public:
  Spelling(Machine &machine, bool onlySeen) : m(machine), seenOnly(onlySeen) {}

  /// Of a condition that is no `!`, `&&` or `||`; the truth is turned where the opposite is written.
  void question(const clang::Expr *e, HostQuestion &q) {
    q.ofText = asksText(e);
    q.ofContainer = asksContainer(e);
    q.words = spelled(e, q).value_or("");
    if (q.words.empty())
      q.subject.clear();
    q.asked = std::move(asked);
    q.about = std::move(about);
  }

  /// Of how many elements the container \p e has.
  void size(const clang::Expr &e, clang::BinaryOperatorKind op, std::int64_t k, HostQuestion &q) {
    q.words = sizeOf(e, op, k, q).value_or("");
    q.asked = std::move(asked);
    q.about = std::move(about);
  }

private:
  using Words = std::optional<std::string>;

  Words sizeOf(const clang::Expr &e, clang::BinaryOperatorKind op, std::int64_t k, HostQuestion &q) {
    Words size = value(&e, 0);
    if (size)
      *size += ".size";
    q.possible.restrict(clang::BO_GE, 0);
    return withConstant(std::move(size), op, k, q);
  }

  Words spelled(const clang::Expr *e, HostQuestion &q) {
    if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e); b && b->isComparisonOp())
      return comparison(b->getOpcode(), b->getLHS(), b->getRHS(), q);
    if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e); call && call->getNumArgs() == 2) {
      const auto op = clang::BinaryOperator::getOverloadedOpcode(call->getOperator());
      if (clang::BinaryOperator::isComparisonOp(op))
        return comparison(op, call->getArg(0), call->getArg(1), q);
    }
    if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
        call && call->getNumArgs() == 0 && isOfLibrary(*call, "empty"))
      return sizeOf(*call->getImplicitObjectArgument(), clang::BO_EQ, 0, q);
    if (e->getType()->isIntegerType() && !e->getType()->isBooleanType()) { // `if (all.size())`: it is not 0
      q.truth = !q.truth;
      bound(e, q.possible);
      return withConstant(value(e, 0), clang::BO_EQ, 0, q);
    }
    return holds(value(e, 0));
  }

  static bool isOfLibrary(const clang::CXXMemberCallExpr &call, llvm::StringRef name) {
    const clang::CXXMethodDecl *method = call.getMethodDecl();
    return method && method->getParent()->isInStdNamespace() && method->getDeclName().isIdentifier() &&
           method->getName() == name;
  }

  /// \p what is compared with a number.
  static Words withConstant(Words what, clang::BinaryOperatorKind op, std::int64_t k, HostQuestion &q) {
    if (!what)
      return what;
    q.subject = *what;
    q.opcode = op;
    q.constant = k;
    return fmt::format("{} {} {}", *what, clang::BinaryOperator::getOpcodeStr(op).str(), k);
  }

  std::optional<std::int64_t> integer(const clang::Expr *e) const {
    constexpr unsigned most = 64;
    clang::Expr::EvalResult number;
    if (!e->getType()->isIntegralOrEnumerationType() || e->isValueDependent() || !e->EvaluateAsInt(number, m.ast()) ||
        number.Val.getInt().getBitWidth() > most)
      return std::nullopt;
    if (!number.Val.getInt().isRepresentableByInt64()) // npos, which is greater than all that it is compared with
      return number.Val.getInt().isAllOnes() ? std::optional(std::numeric_limits<std::int64_t>::max()) : std::nullopt;
    return number.Val.getInt().getExtValue();
  }

  /// The text that \p e is, where that is written.
  static const clang::StringLiteral *text(const clang::Expr *e) {
    for (;;) {
      e = e->IgnoreParenImpCasts();
      if (const auto *wrapper = llvm::dyn_cast<clang::FullExpr>(e))
        e = wrapper->getSubExpr();
      else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
        e = temporary->getSubExpr();
      else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
        e = bound->getSubExpr();
      else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e); made && made->getNumArgs() != 0)
        e = made->getArg(0);
      else
        return llvm::dyn_cast<clang::StringLiteral>(e);
    }
  }

  /// What the whole number \p e may be, whatever it is made of.
  void bound(const clang::Expr *e, PossibleValues &possible) const {
    e = e->IgnoreParenImpCasts();
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    const bool counts = callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "count";
    if (counts || e->getType()->isUnsignedIntegerOrEnumerationType())
      possible.restrict(clang::BO_GE, 0);
    const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e);
    const auto divisor = b && b->getOpcode() == clang::BO_Rem ? integer(b->getRHS()) : std::nullopt;
    if (!divisor || *divisor <= 0)
      return;
    // It has the sign of what is divided.
    if (!isNotNegative(*b->getLHS()))
      possible.restrict(clang::BO_GT, -*divisor);
    else
      possible.restrict(clang::BO_GE, 0);
    possible.restrict(clang::BO_LT, *divisor);
  }

  /// The number \p e is known not to be below zero.
  bool isNotNegative(const clang::Expr &e) const {
    if (e.getType()->isUnsignedIntegerOrEnumerationType())
      return true;
    if (!e.IgnoreParenImpCasts()->isGLValue() || e.HasSideEffects(m.ast()))
      return false;
    const Pointer at = m.lvalue(e.IgnoreParenImpCasts());
    const Value held = at.only() && at.only()->object ? m.peek(*at.only(), e.getType()) : Value();
    const Number *n = held.number();
    const auto test = n && !n->known ? m.domain().comparison(m, clang::BO_GE, *n, Number::ofInteger(0)) : nullptr;
    return n && (n->known ? n->integer >= 0 : test && test->decided(m).value_or(false));
  }

  std::vector<Value> asked;       ///< what lies at the places that the words name
  std::vector<std::string> about; ///< what the answer hangs on
  static Words holds(const Words &what) { return what ? Words("bool(" + *what + ")") : what; }

  Words comparison(clang::BinaryOperatorKind op, const clang::Expr *a, const clang::Expr *b, HostQuestion &q) {
    if (op == clang::BO_NE || op == clang::BO_GE || op == clang::BO_LE) {
      q.truth = !q.truth;
      op = clang::BinaryOperator::negateComparisonOp(op);
    }
    const auto isNull = [&](const clang::Expr *e) {
      return e->isNullPointerConstant(m.ast(), clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
    };
    if (op == clang::BO_EQ && a->getType()->isPointerType() && isNull(b)) {
      q.truth = !q.truth;
      return holds(value(a, 0));
    }
    Words x = value(a, 0), y = value(b, 0);
    if (!x || !y)
      return std::nullopt;
    if (const auto left = integer(a), right = integer(b);
        left.has_value() != right.has_value() && op != clang::BO_Cmp) {
      bound(left ? b : a, q.possible);
      return left ? withConstant(y, mirrored(op), *left, q) : withConstant(x, op, *right, q);
    }
    if (const auto *left = text(a), *right = text(b); op == clang::BO_EQ && (left == nullptr) != (right == nullptr)) {
      q.subject = left ? *y : *x;
      q.text = (left ? left : right)->getBytes().str();
    }
    if (op == clang::BO_GT) {
      std::swap(x, y);
      op = clang::BO_LT;
    }
    if (op == clang::BO_EQ && *y < *x)
      std::swap(x, y);
    return *x + (op == clang::BO_EQ ? " == " : op == clang::BO_LT ? " < " : " <=> ") + *y;
  }

  Words value(const clang::Expr *e, unsigned depth) {
    if (depth > deepestQuestion)
      return std::nullopt;
    if (const auto *cast = conversionIn(e)) { // `unsigned(n) > 5` and `n > 5` are two questions
      const Words of = value(cast->getSubExpr(), depth + 1);
      return of ? Words(cast->getType().getCanonicalType().getUnqualifiedType().getAsString() + '(' + *of + ')') : of;
    }
    e = e->IgnoreParenImpCasts();
    if (const auto *wrapper = llvm::dyn_cast<clang::FullExpr>(e))
      return value(wrapper->getSubExpr(), depth + 1);
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      return value(temporary->getSubExpr(), depth + 1);
    if (const auto *temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
      return value(temporary->getSubExpr(), depth + 1);
    if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(e))
      return fmt::format("'{}'", text->getBytes().str());
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e)) // a std::string of what is written
      return made->getNumArgs() != 0 ? value(made->getArg(0), depth + 1) : std::nullopt;
    clang::Expr::EvalResult number;
    if (e->getType()->isIntegralOrEnumerationType() && !e->isValueDependent() && e->EvaluateAsInt(number, m.ast()))
      return fmt::format("{}", number.Val.getInt().getExtValue());
    if (const auto *real = llvm::dyn_cast<clang::FloatingLiteral>(e))
      return fmt::format("{}", real->getValueAsApproximateDouble());
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e))
      return answerOf(*call, depth);
    if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e); b && !b->isAssignmentOp() && !b->isCommaOp())
      return computed(*b, depth);
    if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e); cast && cast->getType()->isArithmeticType())
      return value(cast->getSubExpr(), depth + 1);
    Words place = held(*e);
    if (place)
      about.push_back(*place);
    return place;
  }

  /// The outermost conversion of a whole number around \p e that does not leave each as it is.
  const clang::CastExpr *conversionIn(const clang::Expr *e) const {
    for (;;) {
      e = e->IgnoreParens();
      const auto *cast = llvm::dyn_cast<clang::CastExpr>(e);
      if (!cast || !(llvm::isa<clang::ImplicitCastExpr>(cast) || cast->getType()->isArithmeticType()))
        return nullptr;
      if (cast->getCastKind() == clang::CK_IntegralCast && !isKept(*cast->getSubExpr(), cast->getType()))
        return cast;
      e = cast->getSubExpr();
    }
  }

  /// Each number that \p e may be is one of the \p type.
  bool isKept(const clang::Expr &e, clang::QualType type) const {
    const clang::QualType from = e.getType();
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e.IgnoreParenImpCasts());
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    constexpr std::array sizes{"size", "length", "ssize", "count", "distance"};
    const bool isSize = callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                        std::ranges::find(sizes, callee->getName()) != sizes.end();
    if (isSize || !from->isIntegerType() || !type->isIntegerType() || e.isValueDependent() || e.isEvaluatable(m.ast()))
      return true;
    const unsigned had = m.ast().getIntWidth(from), has = m.ast().getIntWidth(type);
    const bool wasUnsigned = from->isUnsignedIntegerOrEnumerationType();
    return type->isUnsignedIntegerOrEnumerationType() ? wasUnsigned && has >= had
                                                      : has > had || (has == had && !wasUnsigned);
  }

  Words computed(const clang::BinaryOperator &b, unsigned depth) {
    const Words x = value(b.getLHS(), depth + 1), y = value(b.getRHS(), depth + 1);
    return x && y ? Words(fmt::format("({} {} {})", *x, b.getOpcodeStr().str(), *y)) : std::nullopt;
  }

  /// Functions of the library that say the same of the same values.
  static bool isPure(const clang::FunctionDecl &f) {
    constexpr std::array names{"abs",    "max",    "min",   "clamp",    "strcmp", "strncmp", "strstr",
                               "strlen", "getenv", "count", "distance", "size",   "ssize",   "empty"};
    return f.getDeclName().isIdentifier() && (f.isInStdNamespace() || f.isExternC()) &&
           std::ranges::find(names, f.getName()) != names.end();
  }

  /// A function that is written here, and reads and calls nothing that may be otherwise the next time.
  static bool isOfItsArguments(const clang::FunctionDecl &f, unsigned depth) {
    constexpr unsigned mostCalls = 4;
    const clang::Stmt *body = f.getBody();
    if (!body || depth == mostCalls || f.isVariadic())
      return false;
    bool same = std::ranges::all_of(f.parameters(), [](const clang::ParmVarDecl *p) {
      const clang::QualType t = p->getType();
      return t->isReferenceType() || t->isPointerType() ? t->getPointeeType().isConstQualified() : true;
    });
    forEachStatement(body, [&](const clang::Stmt &s) {
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(&s))
        if (const auto *v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()))
          same = same && ((v->isLocalVarDeclOrParm() && !v->isStaticLocal()) || v->getType().isConstQualified());
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&s)) {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
        same = same && callee &&
               (isPure(*callee) || (method && method->isConst() && callee->isInStdNamespace()) ||
                isOfItsArguments(*callee, depth + 1));
      }
    });
    return same;
  }

  /// What a function of its arguments, a const method or an operator says: the same of the same values.
  Words answerOf(const clang::CallExpr &call, unsigned depth) {
    const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
    const clang::FunctionDecl *callee = call.getDirectCallee();
    const auto *declared = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || (!method && !op && !isPure(*callee) && !isOfItsArguments(*callee, 0)) ||
        (declared && !declared->isConst() && !declared->getParent()->isInStdNamespace()) ||
        (declared && seenOnly && !declared->getParent()->isInStdNamespace() && !declared->hasBody()))
      return std::nullopt;
    if (op && (op->isAssignmentOp() || op->getOperator() == clang::OO_PlusPlus ||
               op->getOperator() == clang::OO_MinusMinus || op->getOperator() == clang::OO_Call))
      return std::nullopt;
    std::string words;
    const std::size_t before = about.size();
    if (method) {
      Words self = value(method->getImplicitObjectArgument(), depth + 1);
      if (!self)
        return self;
      const bool asks = llvm::isa<clang::CXXConversionDecl>(callee) || callee->getNameAsString() == "has_value";
      if (asks)
        return self;
      words = *self;
    }
    words += "." + callee->getNameAsString();
    for (const clang::Expr *argument : call.arguments()) {
      const Words one = value(argument, depth + 1);
      if (!one)
        return one;
      words += "," + *one;
    }
    // What two methods say of one object need not be about the same; of a text it is.
    const bool isOfLibrary = declared && declared->getParent()->isInStdNamespace();
    if (method && (!isOfLibrary || (call.getNumArgs() != 0 && !isText(*declared->getParent())))) {
      about.resize(before);
      about.push_back(words);
    }
    return words;
  }

  static bool isText(const clang::CXXRecordDecl &c) {
    return c.getDeclName().isIdentifier() && c.getName().starts_with("basic_string");
  }

  /// What lies at a name, which nothing is done by evaluating it.
  Words held(const clang::Expr &e) {
    if (!e.isGLValue() || e.HasSideEffects(m.ast()))
      return std::nullopt;
    const Pointer at = m.lvalue(&e);
    const Place *only = at.only();
    if (!only || !only->object)
      return std::nullopt;
    if (m.domain().tellsElementsApart() && std::ranges::any_of(only->path, &Step::isAny))
      return std::nullopt;
    const Value v = m.peek(*only, e.getType());
    if (const Symbol *s = v.symbol())
      return fmt::format("s{}", s->id.index());
    switch (m.object(only->object).storage) {
    case Storage::Local: // `const bool gated = config.mode == "gated";`
      if (!e.getType()->isBooleanType() && !e.getType().isConstQualified() && !v.list() && !v.map())
        return std::nullopt;
      [[fallthrough]];
    case Storage::This:
    case Storage::Pointee:
    case Storage::Parameter:
    case Storage::Global:
    case Storage::Static: {
      asked.push_back(v);
      // What code that is not seen can get at is asked anew behind it.
      if (m.isSeenElsewhere(only->object))
        asked.push_back(Number::ofInteger(m.unseen()));
      std::string place = fmt::format("o{}", only->object.index());
      for (const Step &step : only->path)
        place += step.identity();
      return place;
    }
    default:
      return std::nullopt;
    }
  }

  Machine &m;
  bool seenOnly;
};

/// Nobody has written it in between: it holds the same value, and not only one of which as little is known.
bool isStill(const Value &a, const Value &b) {
  if (const Number *x = a.number(), *y = b.number(); x && y && !x->known && !y->known) {
    const bool isOne = (x->source && y->source && x->source->equals(*y->source)) ||
                       (x->dim.known() && x->dim == y->dim) || (x->test && x->test == y->test);
    return x->kind == y->kind && isOne;
  }
  if (const Pointer *p = a.pointer(); p && (p->mayBeNull || !p->only()))
    return p == b.pointer();
  return !a.unknown() && a.same(b);
}

} // namespace

HostQuestion HostQuestion::all(std::vector<HostQuestion> parts, bool truth) {
  HostQuestion both;
  both.truth = truth;
  for (HostQuestion &part : parts) {
    if (part.parts.empty() || !part.truth)
      both.parts.push_back(std::move(part));
    else
      std::ranges::move(part.parts, std::back_inserter(both.parts));
  }
  std::ranges::sort(both.parts, {}, [](const HostQuestion &q) { return std::tie(q.words, q.truth); });
  if (std::ranges::any_of(both.parts, [](const HostQuestion &q) { return q.words.empty(); }))
    return both;
  for (const HostQuestion &part : both.parts) {
    both.words += fmt::format("{}{}{}", both.words.empty() ? "" : " && ", part.truth ? "" : "!", part.words);
    both.asked.insert(both.asked.end(), part.asked.begin(), part.asked.end());
  }
  both.words = '(' + both.words + ')';
  return both;
}

HostQuestion HostQuestion::areAlike(HostQuestion a, HostQuestion b, bool truth) {
  HostQuestion question;
  question.truth = truth;
  question.alike = {std::move(a), std::move(b)};
  for (const HostQuestion &each : question.alike) {
    if (each.words.empty())
      return {};
    question.words += fmt::format("{}{}{}", question.words.empty() ? "" : " alike ", each.truth ? "" : "!", each.words);
    question.asked.insert(question.asked.end(), each.asked.begin(), each.asked.end());
    question.about.insert(question.about.end(), each.about.begin(), each.about.end());
  }
  return question;
}

/// The two truth values that \p e compares, \p truth turned where it asks whether they differ.
static std::optional<std::pair<const clang::Expr *, const clang::Expr *>> truthsCompared(const clang::Expr *e,
                                                                                         bool &truth) {
  const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!b || (!b->isEqualityOp() && b->getOpcode() != clang::BO_Xor))
    return std::nullopt;
  const clang::Expr *left = b->getLHS()->IgnoreParenImpCasts(), *right = b->getRHS()->IgnoreParenImpCasts();
  if (!left->getType()->isBooleanType() || !right->getType()->isBooleanType())
    return std::nullopt;
  truth = truth == (b->getOpcode() == clang::BO_EQ);
  return std::pair(left, right);
}

static std::optional<bool> asConstant(Machine &m, const clang::Expr *e) {
  bool truth = false;
  const bool isFixed = !e->isValueDependent() && e->EvaluateAsBooleanCondition(truth, m.ast());
  return isFixed ? std::optional(truth) : std::nullopt;
}

/// `c ? a : b` of truth values: not (`c` and not `a`), and not (not `c` and not `b`); what is a constant has no part.
static HostQuestion eitherOf(Machine &m, const clang::ConditionalOperator &e, bool truth, bool seenOnly) {
  std::vector<HostQuestion> parts;
  for (const bool first : {true, false}) {
    const clang::Expr *arm = first ? e.getTrueExpr() : e.getFalseExpr();
    const auto known = asConstant(m, arm);
    if (known == std::optional(true))
      continue;
    std::vector<HostQuestion> never{HostConditions::questionOf(m, e.getCond(), seenOnly)};
    never.back().truth = never.back().truth == first;
    if (!known) {
      never.push_back(HostConditions::questionOf(m, arm, seenOnly));
      never.back().truth = !never.back().truth;
    }
    parts.push_back(HostQuestion::all(std::move(never), false));
  }
  return parts.empty() ? HostQuestion() : HostQuestion::all(std::move(parts), truth);
}

HostQuestion HostConditions::questionOf(Machine &m, const clang::Expr *condition, bool seenOnly) {
  bool truth = true;
  const clang::Expr *e = withoutNot(condition, truth);
  if (const clang::BinaryOperator *both = asLogical(e)) {
    const bool isAnd = both->getOpcode() == clang::BO_LAnd;
    std::vector<HostQuestion> parts;
    for (const clang::Expr *side : {both->getLHS(), both->getRHS()}) {
      parts.push_back(questionOf(m, side, seenOnly));
      parts.back().truth = parts.back().truth == isAnd;
    }
    return HostQuestion::all(std::move(parts), truth == isAnd);
  }
  if (const auto *either = llvm::dyn_cast<clang::ConditionalOperator>(e); either && either->getType()->isBooleanType())
    return eitherOf(m, *either, truth, seenOnly);
  HostQuestion question;
  question.truth = truth;
  if (const auto sides = truthsCompared(e, question.truth)) {
    const auto [left, right] = *sides;
    const auto known = asConstant(m, left), other = asConstant(m, right);
    if (known || other) { // `wanted == true`
      HostQuestion one = questionOf(m, known ? right : left, seenOnly);
      const bool isAsked = (known ? *known : *other) == question.truth;
      one.truth = one.truth == isAsked;
      return one;
    }
    return HostQuestion::areAlike(questionOf(m, left, seenOnly), questionOf(m, right, seenOnly), question.truth);
  }
  Spelling(m, seenOnly).question(e, question);
  return question;
}

HostQuestion HostConditions::sizeOf(Machine &m, const clang::Expr &e, clang::BinaryOperatorKind op,
                                    std::int64_t constant) {
  HostQuestion question;
  Spelling(m, false).size(e, op, constant, question);
  return question;
}

void HostConditions::clear() {
  answers.clear();
  subjects.clear();
  never.clear();
}

/// What was answered to it before, as it stands.
std::optional<bool> HostConditions::answerTo(const HostQuestion &q) const {
  const auto known = q.words.empty() ? answers.end() : answers.find(q.words);
  if (known == answers.end() || !std::ranges::equal(known->second.question.asked, q.asked, isStill))
    return std::nullopt;
  return known->second.truth == q.truth;
}

/// What other comparisons of the same with constants say.
std::optional<bool> HostConditions::answerBySubject(const HostQuestion &q) const {
  if (q.subject.empty())
    return std::nullopt;
  const auto known = subjects.find(q.subject);
  const bool isKnown = known != subjects.end() && std::ranges::equal(known->second.asked, q.asked, isStill);
  if (q.text)
    return isKnown && known->second.text ? std::optional((known->second.text == q.text) == q.truth) : std::nullopt;
  const auto holds = (isKnown ? known->second.values : q.possible).holds(q.opcode, q.constant);
  return holds ? std::optional(*holds == q.truth) : std::nullopt;
}

/// All of \p together but for \p q holds: then that does not, or what it is made of does not.
std::optional<bool> HostConditions::deniedBy(const std::vector<HostQuestion> &together, const HostQuestion &q) const {
  const auto isSame = [](const HostQuestion &a, const HostQuestion &b) {
    return !a.words.empty() && a.words == b.words && std::ranges::equal(a.asked, b.asked, isStill);
  };
  const HostQuestion *own = nullptr;
  for (const HostQuestion &each : together) {
    const bool isPart =
        std::ranges::any_of(q.parts, [&](const HostQuestion &p) { return isSame(p, each) && p.truth == each.truth; });
    if (isPart || answerTo(each).value_or(false) || answerBySubject(each).value_or(false))
      continue;
    if (own || !q.parts.empty() || !isSame(q, each))
      return std::nullopt;
    own = &each;
  }
  if (!q.parts.empty())
    return !q.truth;
  return own ? std::optional(own->truth != q.truth) : std::nullopt;
}

bool HostConditions::excludeEachOther(const std::vector<HostQuestion> &parts) const {
  HostConditions all = *this;
  const auto isDenied = [&](const HostQuestion &part) { return all.answered(part) == std::optional(false); };
  for (const HostQuestion &part : parts) {
    if (isDenied(part))
      return true;
    all.assume(part, true);
  }
  return std::ranges::any_of(parts, isDenied);
}

std::optional<bool> HostConditions::decided(const HostQuestion &q) const {
  if (const auto known = answered(q))
    return known;
  if (q.words.empty() || (never.empty() && q.parts.empty()))
    return std::nullopt;
  for (const bool truth : {true, false})
    if (isRefuted(q, truth))
      return !truth;
  return std::nullopt;
}

/// Where \p q is \p truth, all of something holds that does not hold together.
bool HostConditions::isRefuted(const HostQuestion &q, bool truth) const {
  constexpr std::size_t most = 16, mostAnswers = 128;
  if (never.size() > most || answers.size() > mostAnswers)
    return false;
  HostConditions all = *this;
  all.assume(q, truth);
  for (std::size_t steps = 0; steps < most; ++steps) {
    const HostQuestion *open = nullptr;
    for (const std::vector<HostQuestion> &together : all.never) {
      const HostQuestion *only = nullptr;
      bool isEasy = false; // one of them does not hold, or it hangs on several
      for (const HostQuestion &each : together) {
        const auto holds = all.answered(each);
        isEasy = isEasy || holds == std::optional(false) || (!holds && only);
        only = holds ? only : &each;
      }
      if (!isEasy && !only)
        return true;
      open = isEasy ? open : only;
    }
    if (!open)
      return false;
    all.assume(HostQuestion(*open), false);
  }
  return false;
}

std::optional<bool> HostConditions::answered(const HostQuestion &q) const {
  if (q.parts.size() > 1 && excludeEachOther(q.parts))
    return !q.truth;
  if (q.alike.size() == 2 && !q.words.empty() && q.alike[0].words == q.alike[1].words &&
      std::ranges::equal(q.alike[0].asked, q.alike[1].asked, isStill))
    return (q.alike[0].truth == q.alike[1].truth) == q.truth;
  if (answers.empty())
    return std::nullopt;
  if (const auto known = answerTo(q))
    return known;
  if (const auto known = answerBySubject(q))
    return known;
  if (q.alike.size() == 2)
    if (const auto left = answered(q.alike[0]), right = answered(q.alike[1]); left && right)
      return (*left == *right) == q.truth;
  bool all = !q.parts.empty();
  for (const HostQuestion &part : q.parts) {
    const auto truth = answered(part);
    if (truth && !*truth)
      return !q.truth; // one of them implies it
    all = all && truth;
  }
  if (all)
    return q.truth;
  for (const std::vector<HostQuestion> &together : never)
    if (const auto truth = deniedBy(together, q))
      return truth;
  return std::nullopt;
}

bool HostConditions::mayBeImplied(const HostQuestion &q) const {
  for (const auto *made : {&q.parts, &q.alike})
    if (!made->empty())
      return std::ranges::any_of(*made, [&](const HostQuestion &part) { return mayBeImplied(part); });
  const auto isWorkedOut = [&](const HostQuestion &other) {
    const bool isSame = other.words == q.words && std::ranges::equal(other.asked, q.asked, isStill);
    return (q.byNumbers && other.byNumbers) || isSame || !other.parts.empty() || !other.alike.empty() ||
           (!q.subject.empty() && q.subject == other.subject);
  };
  return std::ranges::any_of(answers, [&](const auto &entry) {
    const HostQuestion &other = entry.second.question;
    return !isWorkedOut(other) && std::ranges::any_of(q.about, [&](const std::string &what) {
      return std::ranges::find(other.about, what) != other.about.end();
    });
  });
}

void HostConditions::assume(const HostQuestion &q, bool truth) {
  const bool holds = truth == q.truth;
  if (!q.words.empty())
    answers.insert_or_assign(q.words, Answer{holds, q});
  if (!q.subject.empty()) {
    Subject &subject = subjects.try_emplace(q.subject, Subject{q.possible, {}, q.asked}).first->second;
    if (!std::ranges::equal(subject.asked, q.asked, isStill))
      subject = {q.possible, {}, q.asked};
    if (!q.text)
      subject.values.restrict(holds ? q.opcode : clang::BinaryOperator::negateComparisonOp(q.opcode), q.constant);
    else if (holds)
      subject.text = q.text;
  }
  if (q.alike.size() == 2)
    for (const bool first : {true, false}) {
      std::vector<HostQuestion> together = q.alike;
      together[0].truth = together[0].truth == first;
      together[1].truth = together[1].truth == (holds != first);
      never.push_back(std::move(together));
    }
  if (q.parts.empty())
    return;
  if (!holds)
    never.push_back(q.parts);
  for (std::size_t i = 0; holds && i < q.parts.size(); ++i)
    assume(q.parts[i], true);
}

} // namespace condlint::cxx
