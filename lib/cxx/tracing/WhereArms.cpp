//===- WhereArms.cpp - Arms of torch::where that are not safe (NS10) ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WhereArms.h"
#include "../../ops/AtenEffects.h"
#include "../interp/values/PossibleValues.h"
#include "UnsafeArguments.h"
#include <clang/AST/ASTContext.h>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

/// A comparison of a tensor with a number in a condition.
struct Tested {
  const Expr *tensor = nullptr;
  BinaryOperatorKind relation = BO_GT;
  std::optional<double> bound; ///< none: a number that is not known, taken for one about zero
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
void testedBy(const Expr *condition, const Assignments &assignments, std::vector<Tested> &out, bool negated = false,
              unsigned depth = 0) {
  if (depth > deepestTraced)
    return;
  forEachExpr(plain(condition), [&](const Expr *e) {
    if (const VarDecl *v = isa<DeclRefExpr>(e) ? variable(e) : nullptr; v != nullptr && isTensor(v->getType())) {
      if (const Expr *value = assignments.onlyValue(v))
        testedBy(value, assignments, out, negated, depth + 1);
      return false;
    }
    const auto *call = dyn_cast<CallExpr>(e);
    const StringRef name = call != nullptr ? torchCallee(call) : StringRef();
    const auto *sign = dyn_cast<CXXOperatorCallExpr>(e);
    if (name == "logical_not" || name == "bitwise_not" ||
        (sign != nullptr && (sign->getOperator() == OO_Tilde || sign->getOperator() == OO_Exclaim))) {
      testedBy(sidesOf(call).first, assignments, out, !negated, depth + 1);
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
      relation = BinaryOperator::negateComparisonOp(*relation);
    const bool swapped = !isTensor(plain(left)->getType());
    const Expr *tensor = swapped ? right : left, *number = swapped ? left : right;
    if (isTensor(plain(tensor)->getType()) && !isTensor(plain(number)->getType())) {
      out.push_back({plain(tensor), swapped ? mirrored(*relation) : *relation, numberOf(number)});
    }
    return false;
  });
}

/// The value of \p e, through locals that are assigned once.
const Expr *assignedValue(const Expr *e, const Assignments &assignments) {
  e = plain(e);
  for (unsigned i = 0; i < deepestTraced; ++i) {
    const VarDecl *v = variable(e);
    const Expr *value = v != nullptr ? assignments.onlyValue(v) : nullptr;
    if (value == nullptr)
      break;
    e = plain(value);
  }
  return e;
}

/// \p e without what changes only how its elements are arranged or written down.
const Expr *unshaped(const Expr *e, const Assignments &assignments) {
  for (unsigned i = 0; i < deepestTraced; ++i) {
    e = assignedValue(e, assignments);
    const auto *call = dyn_cast<CallExpr>(e);
    if (call == nullptr || !llvm::is_contained({"unsqueeze", "squeeze", "expand", "expand_as", "view", "view_as",
                                                "reshape", "broadcast_to", "contiguous", "to", "type_as"},
                                               torchCallee(call)))
      break;
    e = sidesOf(call).first;
  }
  return e;
}

/// The same expression, over variables that hold the same in both places.
bool isSame(const Expr *a, const Expr *b, const Assignments &assignments, const ASTContext &ast) {
  const auto variables = [&](const Expr *e) {
    std::vector<std::pair<const VarDecl *, const Expr *>> found;
    forEachExpr(e, [&](const Expr *x) {
      if (const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr)
        found.emplace_back(v, assignments.lastValue(v, x));
      return true;
    });
    return found;
  };
  const auto profile = [&](const Expr *e) {
    llvm::FoldingSetNodeID id;
    e->Profile(id, ast, true);
    return id;
  };
  const auto agree = [&](const Expr *x, const Expr *y) {
    return x == y || (profile(x) == profile(y) && variables(x) == variables(y));
  };
  return agree(plain(a), plain(b)) || agree(unshaped(a, assignments), unshaped(b, assignments));
}

/// Whether the variable \p e was last given a value that is kept away from what is unsafe.
bool isMadeSafe(const Expr *e, const Assignments &assignments) {
  const VarDecl *v = variable(e);
  const Expr *last = v != nullptr ? assignments.lastValue(v, e) : nullptr;
  const auto *call = last != nullptr ? dyn_cast<CallExpr>(plain(last)) : nullptr;
  StringRef name = call != nullptr ? torchCallee(call) : StringRef();
  name.consume_back("_");
  return llvm::is_contained({"clamp", "clamp_min", "clip", "maximum", "fmax", "where", "masked_fill"}, name);
}

/// The number that \p e is where that is written down; nothing for a tensor, and for one that is not known.
std::optional<double> writtenNumber(const Expr *e) {
  return e == nullptr || isTensor(plain(e)->getType()) ? std::nullopt : numberOf(e);
}

/// A tensor as a function of another one: `1 - x * x` of `x`.
struct Curve {
  const Expr *of = nullptr;
  std::function<double(double)> value = [](double x) { return x; };
};

/// Of what \p e is computed element by element, one step after the other: of itself, of what that is computed of, …
class Curves {
public:
  Curves(const Assignments &a, const ASTContext &c) : assignments(a), ast(c) {}

  std::vector<Curve> of(const Expr *e) const {
    std::vector<Curve> all{{plain(e), [](double x) { return x; }}};
    while (all.size() < deepestTraced)
      if (std::optional<Curve> next = step(all.back()))
        all.push_back(std::move(*next));
      else
        break;
    return all;
  }

private:
  std::optional<Curve> step(const Curve &last) const {
    if (const VarDecl *v = variable(last.of)) {
      const Expr *value = assignments.onlyValue(v);
      return value != nullptr ? std::optional(Curve{plain(value), last.value}) : std::nullopt;
    }
    const auto *call = dyn_cast<CallExpr>(last.of);
    if (call == nullptr)
      return std::nullopt;
    const auto then = [&](const Expr *inner, std::function<double(double)> f) {
      return std::optional(Curve{plain(inner), [f = std::move(f), g = last.value](double x) { return g(f(x)); }});
    };
    const auto *op = dyn_cast<CXXOperatorCallExpr>(call);
    const auto [self, other] = sidesOf(call);
    if (op != nullptr && op->getNumArgs() == 1 && op->getOperator() == OO_Minus)
      return then(self, [](double x) { return -x; });
    const StringRef name = torchCallee(call);
    if (self != nullptr && other == nullptr)
      if (auto f = functionOf(std::string_view(name)))
        return then(self, std::move(f));
    if (self == nullptr || other == nullptr)
      return std::nullopt;
    const auto arithmetic = arithmeticOf(op, name);
    if (arithmetic == nullptr)
      return std::nullopt;
    if (const auto number = writtenNumber(other))
      return then(self, [=, k = *number](double x) { return arithmetic(x, k); });
    if (const auto number = writtenNumber(self))
      return then(other, [=, k = *number](double x) { return arithmetic(k, x); });
    llvm::FoldingSetNodeID left, right; // x * x
    plain(self)->Profile(left, ast, true);
    plain(other)->Profile(right, ast, true);
    return left == right ? then(self, [=](double x) { return arithmetic(x, x); }) : std::nullopt;
  }

  using Arithmetic = double (*)(double, double);
  static Arithmetic arithmeticOf(const CXXOperatorCallExpr *op, StringRef name) {
    const auto is = [&](OverloadedOperatorKind k, std::initializer_list<StringRef> names) {
      return (op != nullptr && op->getOperator() == k && op->getNumArgs() == 2) || llvm::is_contained(names, name);
    };
    if (is(OO_Plus, {"add"}))
      return [](double x, double y) { return x + y; };
    if (is(OO_Minus, {"sub", "subtract"}))
      return [](double x, double y) { return x - y; };
    if (is(OO_Star, {"mul", "multiply"}))
      return [](double x, double y) { return x * y; };
    if (is(OO_Slash, {"div", "true_divide", "divide"}))
      return [](double x, double y) { return x / y; };
    if (is(OO_None, {"pow"}))
      return [](double x, double y) { return std::pow(x, y); };
    if (is(OO_None, {"rsub"}))
      return [](double x, double y) { return y - x; };
    return nullptr;
  }

  const Assignments &assignments;
  const ASTContext &ast;
};

/// Numbers about \p bounds, and about all that operators find special.
std::vector<double> samplesAbout(const std::vector<double> &bounds) {
  std::vector<double> special{0, 1, 2, 20, 88.7, 100, 1000, 1e6};
  special.insert(special.end(), bounds.begin(), bounds.end());
  const std::vector<double> centres = special;
  for (const double a : centres)
    for (const double b : bounds)
      special.insert(special.end(), {a + b, a - b});
  std::vector<double> all;
  for (const double x : special)
    for (const double sign : {1.0, -1.0})
      for (const double near : {0.0, 1e-3, -1e-3, 0.5, -0.5})
        all.push_back(sign * x + near);
  return all;
}

/// Modules whose forward draws random numbers.
bool isDropout(QualType type) {
  const CXXRecordDecl *r = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (r == nullptr || r->getIdentifier() == nullptr || !isModuleLike(type))
    return false;
  StringRef name = r->getName();
  name.consume_back("Impl");
  return llvm::is_contained({"Dropout", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "RReLU"},
                            name);
}

bool isRandom(const CallExpr *call, StringRef name) {
  if (const Expr *object = objectOf(call); object != nullptr && (name == "forward" || isa<CXXOperatorCallExpr>(call)))
    if (isDropout(plain(object)->getType()))
      return true;
  if (name.ends_with("dropout")) {
    const Expr *last = call->getNumArgs() != 0 ? call->getArg(call->getNumArgs() - 1) : nullptr;
    const auto *trains = last != nullptr ? dyn_cast<CXXBoolLiteralExpr>(last->IgnoreParenImpCasts()) : nullptr;
    return trains == nullptr || trains->getValue();
  }
  return name.starts_with("rand") || name.starts_with("bernoulli") || name == "normal" || name == "multinomial" ||
         name.starts_with("poisson") || name == "rrelu";
}

StringRef operatorName(const CallExpr *call, StringRef name) {
  const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
  return o != nullptr && o->getOperator() == OO_Slash && o->getNumArgs() == 2 ? StringRef("div") : name;
}

/// The result of \p call shares the storage of its object in every overload.
bool isView(const CallExpr *call) {
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call))
    return o->getOperator() == OO_Subscript;
  const StringRef name = torchCallee(call);
  const std::span<const EffectsRow> overloads = atenOverloads(std::string_view(name));
  return !overloads.empty() && std::ranges::all_of(overloads, [](const EffectsRow &row) {
    return row.aliasCount() != 0 && row.alias(0).argument == "self" && row.alias(0).kind == AliasKind::Must;
  });
}

/// Reads one arm of a `where`.
class ArmReader {
public:
  ArmReader(const Assignments &s, ASTContext &c, bool t) : assignments(s), ast(c), onTrue(t) {}
  std::vector<Tested> tests;
  UnsafeArm found;

  void look(const Stmt *s, unsigned depth = 0) {
    forEachExpr(s, [&](const Expr *x) {
      if (found.writes)
        return false;
      if (const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr) {
        const Expr *value = assignments.onlyValue(v);
        if (value != nullptr && isTensor(v->getType()) && seen.insert(v).second) {
          const bool before = std::exchange(isShared, isShared || elsewhere.contains(v));
          look(value, depth);
          isShared = before;
        }
        return false;
      }
      const auto *call = dyn_cast<CallExpr>(x);
      if (call == nullptr)
        return true;
      const StringRef name = torchCallee(call);
      if (name == "where")
        return false; // what it selects is safe where it selects it
      judge(call, name);
      if (const FunctionDecl *f = tracedDefinition(call->getDirectCallee(), ast))
        enter(call, *f, depth);
      else if (const LambdaExpr *held = heldLambda(call))
        enter(call, *held->getCallOperator(), depth);
      return !found.writes;
    });
  }

  /// What \p e reads is there whichever arm is taken.
  void readsElsewhere(const Expr *e) {
    for (std::vector<const Expr *> next{e}; !next.empty();) {
      const Expr *at = next.back();
      next.pop_back();
      forEachExpr(at, [&](const Expr *x) {
        const VarDecl *v = isa<DeclRefExpr>(x) ? variable(x) : nullptr;
        if (v == nullptr || !isTensor(v->getType()) || !elsewhere.insert(v).second)
          return true;
        if (const Expr *value = assignments.onlyValue(v))
          next.push_back(value);
        return true;
      });
    }
  }

private:
  /// The lambda in the `std::function` that \p call calls, where it never holds another.
  const LambdaExpr *heldLambda(const CallExpr *call) const {
    const CXXMethodDecl *method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    const Expr *object = method != nullptr && isStandard(method) ? objectOf(call) : nullptr;
    const Expr *held = object != nullptr ? assignedValue(object, assignments) : nullptr;
    const auto *made = held != nullptr ? dyn_cast<CXXConstructExpr>(held) : nullptr;
    return dyn_cast_or_null<LambdaExpr>(made != nullptr && made->getNumArgs() == 1 ? plain(made->getArg(0)) : held);
  }

  /// A function of this unit does what its body does, on the arguments.
  void enter(const CallExpr *call, const FunctionDecl &f, unsigned depth) {
    if (depth >= deepestTraced || !entered.insert(&f).second)
      return;
    for (unsigned i = 0; i < f.getNumParams(); ++i)
      if (const Expr *argument = argumentOf(call, i))
        arguments[f.getParamDecl(i)] = argument;
    look(f.getBody(), depth + 1);
  }

  /// What stands for \p e outside of the functions that were entered.
  const Expr *outside(const Expr *e) const {
    for (unsigned i = 0; e != nullptr && i < deepestTraced; ++i) {
      const auto *p = dyn_cast_or_null<ParmVarDecl>(variable(e));
      const auto given = p != nullptr ? arguments.find(p) : arguments.end();
      if (given == arguments.end())
        break;
      e = given->second;
    }
    return e;
  }

  void judge(const CallExpr *call, StringRef name) {
    const auto [self, other] = sidesOf(call);
    if (writesWhatExists(call, name)) {
      if (isShared)
        return;
      found.writes = true;
      found.why = "it writes in place" + (name.empty() ? "" : ": " + name.str());
    } else if (isRandom(call, name)) {
      if (isShared)
        return;
      found.why = "it draws random numbers: " + (name.empty() ? "a module does" : name.str());
    } else if (isExposed(self, unsafeOf(call, name))) {
      found.why = "it takes " + name.str() + " of what the condition tests";
      found.isOperand = true;
    } else if (isExposed(other, unsafeOfSecond(call, name))) {
      found.why = name.ends_with("div") || name.contains("divide") || operatorName(call, name) == "div"
                      ? "it divides by what the condition tests"
                      : "it takes " + name.str() + " of what the condition tests";
      found.isOperand = true;
    } else if (isExposed(dividesBy(call, name), unsafeDivisor())) {
      found.why = "it divides by what the condition tests";
      found.isOperand = true;
    }
  }

  /// The third operand of `addcdiv`.
  static const Expr *dividesBy(const CallExpr *call, StringRef name) {
    name.consume_back("_");
    const unsigned at = isa<CXXMemberCallExpr>(call) ? 1 : 2;
    return name == "addcdiv" && call->getNumArgs() > at ? call->getArg(at) : nullptr;
  }

  /// For which values of its first operand \p call is not safe.
  static Region unsafeOf(const CallExpr *call, StringRef name) {
    const auto [self, other] = sidesOf(call);
    if (name == "pow" || name == "float_power")
      return self != nullptr && isTensor(plain(self)->getType()) ? unsafeBase(writtenNumber(other)) : Region();
    if (name == "mvlgamma" || name.ends_with("multigammaln"))
      return unsafeMultigamma(writtenNumber(other));
    if (name == "logit" && other != nullptr && !isa<CXXDefaultArgExpr>(other))
      return nullptr; // it clamps
    return unsafeOperand(std::string_view(name));
  }

  /// The same of its second operand.
  static Region unsafeOfSecond(const CallExpr *call, StringRef name) {
    const Expr *base = sidesOf(call).first;
    if ((name == "pow" || name == "float_power") && base != nullptr && !isTensor(plain(base)->getType()))
      return unsafeExponent(writtenNumber(base));
    return unsafeSecondOperand(std::string_view(operatorName(call, name)));
  }

  /// What a temporary holds nobody else reads.
  bool writesWhatExists(const CallExpr *call, StringRef name) const {
    const auto *o = dyn_cast<CXXOperatorCallExpr>(call);
    if (o != nullptr && o->isAssignmentOp() && o->getNumArgs() == 2)
      return isTensor(o->getArg(0)->getType()) && exists(o->getArg(0));
    if (name.ends_with("_out") || name.ends_with("_outf"))
      return true;
    return name.ends_with("_") && !name.starts_with("_") && exists(sidesOf(call).first);
  }

  /// \p e is a variable's or field's tensor, or a view of one; not what an entered function made.
  bool exists(const Expr *e) const {
    for (unsigned i = 0; e != nullptr && i < deepestTraced; ++i) {
      e = plain(outside(e));
      const auto *call = dyn_cast<CallExpr>(e);
      if (call == nullptr) {
        const VarDecl *v = variable(e);
        const auto *function = v != nullptr ? dyn_cast<FunctionDecl>(v->getDeclContext()) : nullptr;
        return isa<MemberExpr>(e) || (v != nullptr && (function == nullptr || !entered.contains(function)));
      }
      const StringRef name = torchCallee(call);
      if (!isView(call) && !(name.ends_with("_") && !name.starts_with("_")))
        return false;
      e = sidesOf(call).first;
    }
    return false;
  }

  /// The condition lets \p unsafe values of \p e go where the arm is not taken, and none where it is.
  bool isExposed(const Expr *e, const Region &unsafe) const {
    const Expr *value = e != nullptr && unsafe ? outside(e) : nullptr;
    if (value == nullptr || isMadeSafe(value, assignments) || isMadeSafe(e, assignments))
      return false;
    const Curves curves(assignments, ast);
    for (const Curve &operand : curves.of(value)) {
      std::vector<Comparison> comparisons; // of what the operand is computed of
      for (const Tested &t : tests)
        for (const Curve &tested : curves.of(t.tensor))
          if (isSame(tested.of, operand.of, assignments, ast)) {
            const BinaryOperatorKind relation = onTrue ? t.relation : BinaryOperator::negateComparisonOp(t.relation);
            comparisons.push_back({tested.value, relation, t.bound.value_or(0)});
            break;
          }
      if (!comparisons.empty())
        return guards(comparisons, operand, unsafe);
    }
    return false;
  }

  struct Comparison {
    std::function<double(double)> of;
    BinaryOperatorKind relation;
    double bound;

    bool isAtBound(double x) const { return std::abs(of(x) - bound) < 1e-9; }
    bool holds(double x) const {
      const double value = of(x);
      switch (relation) {
      case BO_GT:
        return value > bound;
      case BO_GE:
        return value >= bound;
      case BO_LT:
        return value < bound;
      case BO_LE:
        return value <= bound;
      case BO_NE:
        return !isAtBound(x);
      default:
        return isAtBound(x);
      }
    }
  };

  /// Whether what the comparisons let through leaves out what is unsafe; their bounds are meant to.
  static bool guards(const std::vector<Comparison> &comparisons, const Curve &operand, const Region &unsafe) {
    std::vector<double> bounds;
    for (const Comparison &c : comparisons)
      bounds.push_back(c.bound);
    bool exposes = false, takes = false;
    for (const double x : samplesAbout(bounds)) {
      const bool isUnsafe = unsafe(operand.value(x));
      const bool isTaken = llvm::all_of(comparisons, [&](const Comparison &c) { return c.holds(x); });
      const bool isEdge = llvm::any_of(comparisons, [&](const Comparison &c) { return c.isAtBound(x); });
      exposes = exposes || (isUnsafe && !isTaken);
      // One number that is left out is all that the condition is about.
      const bool isAbout = llvm::none_of(comparisons, [](const Comparison &c) { return c.relation == BO_NE; });
      takes = takes || (isUnsafe && isTaken && !isEdge && isAbout);
    }
    return exposes && !takes;
  }

  const Assignments &assignments;
  ASTContext &ast;
  bool onTrue;
  bool isShared = false; ///< what is looked at is not of the arm alone: the condition or the other arm needs it too
  std::set<const VarDecl *> elsewhere;
  std::set<const VarDecl *> seen;
  std::set<const FunctionDecl *> entered;
  std::map<const ParmVarDecl *, const Expr *> arguments;
};

} // namespace

UnsafeArm unsafeInWhere(const Expr *condition, const Expr *arm, const Expr *other, bool onTrue,
                        const Assignments &assignments, ASTContext &ast) {
  ArmReader reader(assignments, ast, onTrue);
  testedBy(condition, assignments, reader.tests);
  reader.readsElsewhere(condition);
  reader.readsElsewhere(other);
  reader.look(arm);
  return std::move(reader.found);
}

} // namespace condlint::cxx
