//===- Functions.cpp - Functions of the standard library ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "../machine/Types.h"
#include "Comparisons.h"
#include "StandardLibrary.h"
#include "Texts.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <cmath>
#include <span>

namespace condlint::cxx {

namespace {

struct Unary {
  std::string_view name;
  double (*function)(double);
};
constexpr std::array<Unary, 17> unaries{{{"sqrt", std::sqrt},
                                         {"exp", std::exp},
                                         {"log", std::log},
                                         {"log2", std::log2},
                                         {"log10", std::log10},
                                         {"sin", std::sin},
                                         {"cos", std::cos},
                                         {"tan", std::tan},
                                         {"tanh", std::tanh},
                                         {"floor", std::floor},
                                         {"ceil", std::ceil},
                                         {"round", std::round},
                                         {"trunc", std::trunc},
                                         {"fabs", std::fabs},
                                         {"cbrt", std::cbrt},
                                         {"erf", std::erf},
                                         {"expm1", std::expm1}}};

struct Effective {
  std::string_view name;
  Effect effect;
};
/// The function objects of <functional>: the operator that each is.
struct Operation {
  std::string_view name;
  clang::BinaryOperatorKind op;
};
constexpr std::array<Operation, 13> operations{{{"std::plus", clang::BO_Add},
                                                {"std::minus", clang::BO_Sub},
                                                {"std::multiplies", clang::BO_Mul},
                                                {"std::divides", clang::BO_Div},
                                                {"std::modulus", clang::BO_Rem},
                                                {"std::equal_to", clang::BO_EQ},
                                                {"std::not_equal_to", clang::BO_NE},
                                                {"std::less", clang::BO_LT},
                                                {"std::greater", clang::BO_GT},
                                                {"std::less_equal", clang::BO_LE},
                                                {"std::greater_equal", clang::BO_GE},
                                                {"std::bit_and", clang::BO_And},
                                                {"std::bit_or", clang::BO_Or}}};

constexpr std::array<Effective, 51> effective{{
    {"printf", Effect::Output},
    {"fprintf", Effect::Output},
    {"vprintf", Effect::Output},
    {"vfprintf", Effect::Output},
    {"puts", Effect::Output},
    {"fputs", Effect::Output},
    {"putchar", Effect::Output},
    {"putc", Effect::Output},
    {"fputc", Effect::Output},
    {"fwrite", Effect::Output},
    {"fflush", Effect::Output},
    {"perror", Effect::Output},
    {"write", Effect::Output},
    {"pwrite", Effect::Output},
    {"send", Effect::Output},
    {"sendto", Effect::Output},
    {"syslog", Effect::Output},
    {"remove", Effect::Output},
    {"rename", Effect::Output},
    {"unlink", Effect::Output},
    {"mkdir", Effect::Output},
    {"print", Effect::Output},
    {"println", Effect::Output},
    {"putenv", Effect::Output},
    {"setenv", Effect::Output},
    {"scanf", Effect::Input},
    {"fscanf", Effect::Input},
    {"getchar", Effect::Input},
    {"fgetc", Effect::Input},
    {"fgets", Effect::Input},
    {"fread", Effect::Input},
    {"read", Effect::Input},
    {"pread", Effect::Input},
    {"recv", Effect::Input},
    {"recvfrom", Effect::Input},
    {"getline", Effect::Input},
    {"fopen", Effect::Input},
    {"fclose", Effect::Output},
    {"open", Effect::Input},
    {"close", Effect::Output},
    {"socket", Effect::Input},
    {"connect", Effect::Output},
    {"accept", Effect::Input},
    {"system", Effect::Other},
    {"pthread_mutex_lock", Effect::Lock},
    {"srand", Effect::Other},
    {"global", Effect::Other},
    {"srandom", Effect::Other},
    {"set_terminate", Effect::Other},
    {"set_new_handler", Effect::Other},
    {"setlocale", Effect::Other},
}};

/// What they are given first they fill with characters.
constexpr std::array<std::string_view, 16> textWriters{
    "strcpy",  "strncpy", "strcat",   "strncat",  "stpcpy",  "stpncpy",  "strlcpy",   "strlcat",
    "strxfrm", "strtok",  "strtok_r", "strftime", "sprintf", "snprintf", "vsnprintf", "to_chars"};

/// Those of std::filesystem that change files; any other only asks.
constexpr std::array<std::string_view, 14> fileChanges{"create_directory",
                                                       "create_directories",
                                                       "create_symlink",
                                                       "create_hard_link",
                                                       "create_directory_symlink",
                                                       "copy",
                                                       "copy_file",
                                                       "copy_symlink",
                                                       "remove",
                                                       "remove_all",
                                                       "rename",
                                                       "resize_file",
                                                       "last_write_time",
                                                       "permissions"};
/// Those that look at files, where the others only look at the name.
constexpr std::array<std::string_view, 16> fileQuestions{
    "exists",       "file_size",        "is_directory", "is_regular_file",
    "is_symlink",   "is_empty",         "status",       "space",
    "read_symlink", "symlink_status",   "equivalent",   "hard_link_count",
    "canonical",    "weakly_canonical", "current_path", "temp_directory_path"};

} // namespace

std::optional<Value> Functions::comparison(Call &c, std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, clang::BinaryOperatorKind>, 7> operators{
      {{"operator==", clang::BO_EQ},
       {"operator!=", clang::BO_NE},
       {"operator<", clang::BO_LT},
       {"operator>", clang::BO_GT},
       {"operator<=", clang::BO_LE},
       {"operator>=", clang::BO_GE},
       {"operator<=>", clang::BO_Cmp}}};
  const auto *op = std::ranges::find(operators, name, [](const auto &row) { return row.first; });
  if (c.self || c.arguments.size() != 2 || op == operators.end())
    return std::nullopt;
  const clang::QualType type = c.arguments[0].type.getNonReferenceType();
  const std::string_view cls = m.className(type);
  // What `<=>` gives is compared with nothing but 0.
  if (cls.starts_with("std::") && cls.ends_with("_ordering")) {
    const Value order = argument(c, 0);
    return order.number() ? m.compare(op->second, order, Number::ofInteger(0), c.expr)
                          : Value(Number::unknown(Number::Kind::Bool));
  }
  if (auto own = applyOwn(m, op->second, c.arguments[0], c.arguments[1], c.expr))
    return op->second == clang::BO_Cmp ? m.unknown(c.type, "an order that is not known") : *own;
  const auto isTextClass = [](std::string_view of) {
    return of == "std::basic_string" || of == "std::basic_string_view";
  };
  const bool isText = isTextClass(cls) || isTextClass(m.className(c.arguments[1].type));
  if (cls != "std::tuple" && cls != "std::pair" && !isText)
    return std::nullopt;
  const Value a = argument(c, 0), b = argument(c, 1);
  if (isText && (!a.text() || !b.text())) {
    const auto one = askedText(m, a, c.arguments[0].type), other = askedText(m, b, c.arguments[1].type);
    if (!one || !other)
      return std::nullopt;
    const bool isEquality = op->second == clang::BO_EQ || op->second == clang::BO_NE;
    using Kind = TextQuestion::Kind;
    const Answer said = askText(m, {isEquality ? Kind::Equals : Kind::Order, {}, {*one, *other}, 0});
    if (!said || op->second == clang::BO_Cmp || op->second == clang::BO_EQ)
      return said;
    return op->second == clang::BO_NE ? m.compare(clang::BO_EQ, *said, Number::boolean(false), c.expr)
                                      : m.compare(op->second, *said, Number::ofInteger(0), c.expr);
  }
  const auto order = orderOf(m, a, b, type, c.expr);
  if (!order)
    return op->second == clang::BO_Cmp ? m.unknown(c.type, "an order that is not known")
                                       : Value(Number::unknown(Number::Kind::Bool));
  const Number way = Number::ofInteger(*order, Provenance::Fixed);
  return op->second == clang::BO_Cmp ? Value(way) : m.compare(op->second, way, Number::ofInteger(0), c.expr);
}

std::optional<Value> Functions::pair(Call &c, std::string_view name) {
  if (name == "operator=" && c.self) {
    const Value v = argument(c, 0);
    const auto items = m.elements(v);
    const Pointer where = self(c);
    if (!items) {
      m.store(where, m.unknown("a tuple"), c.expr);
      return where;
    }
    // Part by part: a part may be a reference to something else (std::tie).
    const clang::QualType type = c.self->type;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const clang::QualType part = typeArgument(type, static_cast<unsigned>(i));
      if (!part.isNull() && part->isReferenceType()) {
        if (part.getNonReferenceType().isConstQualified())
          continue; // std::ignore
        const Place *only = where.only();
        const Value held =
            only ? m.part(m.peek(Place{only->object, only->path}), Step::ofIndex(static_cast<std::int64_t>(i)), part)
                 : Value();
        if (held.pointer())
          m.store(*held.pointer(), (*items)[i], c.expr);
      } else {
        m.store(where.then(Step::ofIndex(static_cast<std::int64_t>(i))), (*items)[i], c.expr);
      }
    }
    return where;
  }
  if (c.self)
    return std::nullopt;
  if (name == "get" && c.arguments.size() == 1 && c.callee && m.className(c.arguments[0].type) != "std::variant") {
    if (const auto i = integerArgument(*c.callee, 0))
      return m.placeOf(c.arguments[0]).then(Step::ofIndex(*i));
    // By type.
    const clang::QualType wanted = c.type.getNonReferenceType();
    for (unsigned i = 0; i < typeArgumentCount(c.arguments[0].type); ++i)
      if (m.ast().hasSameUnqualifiedType(typeArgument(c.arguments[0].type, i).getNonReferenceType(), wanted))
        return m.placeOf(c.arguments[0]).then(Step::ofIndex(i));
    return std::nullopt;
  }
  if (name == "make_tuple" || name == "make_pair" || name == "tie" || name == "forward_as_tuple") {
    List l;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) {
      const clang::QualType part = typeArgument(c.type, static_cast<unsigned>(i));
      const bool reference = !part.isNull() && part->isReferenceType();
      // A std::reference_wrapper becomes what it refers to.
      const bool unwraps = reference && m.className(c.arguments[i].type) == "std::reference_wrapper";
      if (const Value held = unwraps ? argument(c, i) : Value(); held.pointer())
        l.items.push_back(held);
      else
        l.items.push_back(reference ? Value(m.placeOf(c.arguments[i])) : taken(c, i, c.arguments[i].type));
    }
    return l;
  }
  if (name == "tuple_cat") {
    List l;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) {
      const auto items = m.elements(argument(c, i));
      if (!items)
        return m.unknown("a tuple");
      l.items.insert(l.items.end(), items->begin(), items->end());
    }
    return l;
  }
  return std::nullopt;
}

/// The lesser or, \p isGreatest, the greater of two numbers of the \p type.
static Value extremum(Machine &m, const Value &one, const Value &other, bool isGreatest, clang::QualType type) {
  const Number *a = one.number();
  const Number *b = other.number();
  if (!a || !b)
    return m.unknown(type, "the least or greatest of several");
  const Provenance p = std::max(a->provenance, b->provenance);
  Number n = Number::unknown(a->kind, p);
  if (a->known && b->known) {
    const bool isUnsigned = type.getNonReferenceType()->isUnsignedIntegerType();
    const bool less = a->kind == Number::Kind::Floating ? b->real < a->real
                      : isUnsigned ? static_cast<std::uint64_t>(b->integer) < static_cast<std::uint64_t>(a->integer)
                                   : b->integer < a->integer;
    n = less != isGreatest ? *b : *a;
    n.provenance = p;
    return n;
  }
  if (a->kind != Number::Kind::Integer)
    return n;
  SignedNumbers &numbers = m.signedNumbers();
  const Dim both[] = {m.dimOf(*a), m.dimOf(*b)};
  const bool isLargest = type.getNonReferenceType()->isUnsignedIntegerType() &&
                         std::ranges::any_of(both, [&](Dim d) { return numbers.boundsOf(m.dims(), d).min < 0; });
  const auto ofLargest = [isGreatest](std::span<const std::int64_t> parts) {
    const bool isLess = static_cast<std::uint64_t>(parts[0]) < static_cast<std::uint64_t>(parts[1]);
    return std::optional(parts[isLess == isGreatest ? 1 : 0]);
  };
  n.dim = isLargest ? numbers.made(m.dims(), isGreatest ? "max" : "min", both, {}, ofLargest)
                    : numbers.extremum(m.dims(), both[0], both[1], isGreatest);
  return n;
}

/// How far \p d, a number of the \p type, is from zero.
static Dim absolute(Machine &m, Dim d, clang::QualType type) {
  const Interval bounds = m.signedNumbers().boundsOf(m.dims(), d);
  if (!d.known() || bounds.min >= 0)
    return d;
  const Dim of[] = {d};
  return m.signedNumbers().made(m.dims(), "abs", of, {0, SignedNumbers::rangeOf(m.ast(), type).max},
                                [](std::span<const std::int64_t> parts) {
                                  return parts[0] == std::numeric_limits<std::int64_t>::min()
                                             ? std::nullopt
                                             : std::optional(parts[0] < 0 ? -parts[0] : parts[0]);
                                });
}

std::optional<Value> Functions::arithmetic(Call &c, std::string_view name) {
  const std::size_t count = written(c);
  if (c.self || count == 0 || !numberKind(c.type))
    return std::nullopt;
  if ((name == "min" || name == "max") && count <= 2) {
    std::vector<Value> values;
    if (count == 1) {
      const auto items = m.elements(argument(c, 0));
      if (!items || items->empty())
        return m.unknown(c.type, "the least or greatest of several");
      values = *items;
    } else {
      values = {argument(c, 0), argument(c, 1)};
    }
    Value best = values.front();
    for (std::size_t i = 1; i < values.size(); ++i)
      best = extremum(m, best, values[i], name == "max", c.type);
    return best;
  }
  if (name == "clamp" && count == 3)
    return extremum(m, extremum(m, argument(c, 0), argument(c, 1), true, c.type), argument(c, 2), false, c.type);
  const Value a = argument(c, 0);
  const Number *x = a.number();
  if (!x)
    return std::nullopt;
  if (name == "abs" || name == "labs" || name == "llabs") {
    Number n = *x;
    n.dim = n.known ? Dim() : absolute(m, n.dim, c.type);
    n.source = nullptr;
    n.among = nullptr;
    n.test = nullptr;
    n.integer = n.integer < 0 && n.integer != INT64_MIN ? -n.integer : n.integer;
    n.real = std::fabs(n.real);
    return n;
  }
  for (const Unary &u : unaries)
    if (u.name == name && count == 1)
      return x->known ? Number::ofReal(roundedTo(c.type, u.function(x->asReal())), x->provenance)
                      : Number::unknown(Number::Kind::Floating, x->provenance);
  if (name == "pow" && count == 2) {
    const Value b = argument(c, 1);
    const Number *y = b.number();
    if (!y)
      return std::nullopt;
    const Provenance p = std::max(x->provenance, y->provenance);
    return x->known && y->known ? Number::ofReal(roundedTo(c.type, std::pow(x->asReal(), y->asReal())), p)
                                : Number::unknown(Number::Kind::Floating, p);
  }
  // Any other function of numbers is one of its arguments alone.
  Provenance p = x->provenance;
  for (std::size_t i = 1; i < count; ++i) {
    const Value b = argument(c, i);
    if (!b.number())
      return std::nullopt;
    p = std::max(p, b.number()->provenance);
  }
  static constexpr std::array<std::string_view, 12> pure{"fmod",  "atan",  "atan2",    "asin",    "acos",   "hypot",
                                                         "isnan", "isinf", "isfinite", "signbit", "lround", "clamp"};
  if (std::ranges::find(pure, name) != pure.end())
    return Number::unknown(*numberKind(c.type), p);
  return std::nullopt;
}

/// Numbers drawn from an engine of <random>, by a distribution too: each changes the engine.
static std::optional<Value> draw(Machine &m, Call &c, std::string_view cls) {
  const std::string_view name = c.baseName();
  const bool engine = cls.ends_with("_engine") && (name == "operator()" || name == "seed" || name == "discard");
  const bool distribution = cls.ends_with("_distribution") && name == "operator()" && !c.arguments.empty();
  Argument *from = engine && c.self ? &*c.self : distribution ? &c.arguments.front() : nullptr;
  if (!from || !from->place)
    return std::nullopt;
  m.store(*from->place, m.unknown("an engine that was used"), c.expr);
  return m.unknown(c.type, "a random number");
}

std::optional<Value> Functions::operation(Call &c, std::string_view cls) {
  if (auto number = draw(m, c, cls))
    return number;
  const auto known = std::ranges::find(operations, cls, &Operation::name);
  if (known == operations.end() || c.baseName() != "operator()" || written(c) != 2)
    return std::nullopt;
  if (auto own = applyOwn(m, known->op, c.arguments[0], c.arguments[1], c.expr))
    return own;
  const Value a = argument(c, 0);
  const Value b = argument(c, 1);
  const clang::QualType type = c.type.getNonReferenceType();
  return clang::BinaryOperator::isComparisonOp(known->op) ? m.compare(known->op, a, b, c.expr)
                                                          : m.arithmetic(known->op, a, b, type, c.expr);
}

void Functions::readInto(Call &c) {
  const ReasonId why = m.reason("read from a stream");
  for (std::size_t i = c.self ? 0 : 1; i < c.arguments.size(); ++i) {
    const Argument &a = c.arguments[i];
    if (a.isDefault || !a.expr || a.expr->getType()->isFunctionType())
      continue;
    if (a.place && a.expr->isLValue() && !a.expr->getType().isConstQualified())
      m.store(*a.place, m.unknown(a.expr->getType(), "read from a stream"), c.expr);
    else if (const Value buffer = m.peek(a); buffer.pointer())
      m.forgetReached(*buffer.pointer(), why, 0);
  }
}

/// `out << a` in `out << a << b`: that has been told where it begins.
static bool isContinued(const Argument &target) {
  const auto *before =
      llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(target.expr ? target.expr->IgnoreParenImpCasts() : nullptr);
  return before && (before->getOperator() == clang::OO_LessLess || before->getOperator() == clang::OO_GreaterGreater);
}

std::optional<Value> Functions::stream(Call &c, std::string_view cls) {
  const std::string_view name = c.baseName();
  if (c.self && (cls == "std::mutex" || cls.find("_mutex") != std::string_view::npos || cls == "std::unique_lock" ||
                 cls == "std::condition_variable")) {
    // That it is given back is part of having it.
    if (name.starts_with("lock") || name.starts_with("try_lock"))
      m.domain().onEffect(m, Effect::Lock, cls, c.expr);
    else if (name.starts_with("wait") || name.starts_with("notify"))
      m.domain().onEffect(m, Effect::Other, c.name, c.expr);
    return m.unknown(c.type, "a lock");
  }
  if (c.self && (cls == "std::atomic" || cls.starts_with("std::__atomic_") || cls == "std::atomic_flag" ||
                 cls == "std::atomic_ref")) {
    Pointer at = m.placeOf(*c.self);
    if (cls.ends_with("atomic_ref")) {
      const Place *reference = at.only();
      const Value to = reference ? m.peek(*reference) : Value();
      at = to.pointer() ? *to.pointer() : Pointer::unknown();
    }
    if (name == "load" || name == "test" || (name.starts_with("operator ") && c.arguments.empty()))
      return m.load(at, c.expr, c.type).number() ? m.load(at, c.expr, c.type) : m.unknown(c.type, "an atomic");
    if (name == "is_lock_free" || name == "wait" || name.starts_with("notify"))
      return m.unknown(c.type, "a question about an atomic");
    for (std::size_t i = 0; i < c.arguments.size(); ++i)
      if (!c.arguments[i].isDefault)
        argument(c, i);
    m.store(at, m.unknown("an atomic"), c.expr);
    return m.unknown(c.type, "an atomic");
  }
  Argument *target = c.self ? &*c.self : c.arguments.empty() ? nullptr : &c.arguments[0];
  if (!target)
    return std::nullopt;
  const std::string_view type = m.className(target->type);
  const bool out = type == "std::basic_ostream" || type == "std::basic_ofstream";
  const bool in = type == "std::basic_istream" || type == "std::basic_ifstream";
  const bool both = type == "std::basic_iostream" || type == "std::basic_fstream";
  if (!out && !in && !both) {
    if (type.find("stringstream") != std::string_view::npos && name != "str") {
      if (name != "operator<<")
        readInto(c);
      m.escape(c, m.reason("read from, or written to, a string stream"));
      return c.type->isReferenceType() ? Value(m.placeOf(*target)) : m.unknown(c.type, "a string stream");
    }
    return std::nullopt;
  }
  const Pointer where = m.placeOf(*target);
  // A stream into a string is no output; what it is, its object says.
  const Place *only = where.only();
  const std::string_view own = only && only->object ? m.className(m.object(only->object).type) : std::string_view();
  const bool reads = in || (both && name != "operator<<" && name != "write");
  for (std::size_t i = c.self ? 0 : 1; i < c.arguments.size() && !reads; ++i)
    if (!c.arguments[i].isDefault && c.arguments[i].place && c.arguments[i].expr &&
        !c.arguments[i].expr->getType()->isFunctionType())
      m.load(c.arguments[i]);
  if (own.find("stringstream") != std::string_view::npos) {
    if (m.isOuter(only->object))
      m.store(where, m.unknown("a string stream that was used"), c.expr);
  } else if (!isContinued(*target)) {
    m.domain().onEffect(m, in ? Effect::Input : Effect::Output, "stream", c.expr);
  }
  if (reads)
    readInto(c);
  return c.type->isReferenceType() ? Value(where) : m.unknown(c.type, "a stream");
}

std::optional<Value> Functions::fileFunction(Call &c, std::string_view name) {
  if (isAmong(fileChanges, name) || isAmong(fileQuestions, name))
    m.domain().onEffect(m, isAmong(fileChanges, name) ? Effect::Output : Effect::Input, c.name, c.expr);
  return StandardLibrary(m).fallback(c);
}

void Functions::storeFrom(const Value &to, clang::QualType pointee, const Value &v, const Call &c) {
  Pointer where = m.dereference(to, pointee, c.expr);
  // Any number of elements from there on.
  for (Place &p : where.places)
    if (!p.path.empty() && !p.path.back().field && !p.path.back().key)
      p.path.back().index = -1;
  m.store(where, v, c.expr);
}

std::optional<Value> Functions::cFunction(Call &c, std::string_view name) {
  if (name == "__assert_fail" || name == "__assert_perror_fail" || name == "__assert_rtn" || name == "_assert") {
    m.fail();
    return Void{};
  }
  for (const Effective &e : effective)
    if (e.name == name && (name != "remove" || c.callee->isExternC())) { // the algorithm removes no file
      m.domain().onEffect(m, e.effect, name, c.expr);
      return StandardLibrary(m).fallback(c);
    }
  if (name == "memcpy" || name == "memmove" || name == "memset" || name == "bzero") {
    const Value to = argument(c, 0);
    const clang::QualType pointee =
        c.arguments[0].expr ? pointeeType(c.arguments[0].expr->IgnoreParenImpCasts()->getType()) : clang::QualType();
    Value v = m.unknown(pointee, "copied bytes");
    if (name == "memcpy" || name == "memmove") {
      const Value from = argument(c, 1);
      // What lies there goes through the program's hands, wherever it goes to.
      const bool isBytes = from.datum() && (pointee.isNull() || pointee->isVoidType());
      const clang::QualType type = isBytes ? m.ast().CharTy : pointee;
      v = m.load(m.dereference(from, type, c.expr), c.expr, type);
      const clang::QualType source =
          c.arguments[1].expr ? pointeeType(c.arguments[1].expr->IgnoreParenImpCasts()->getType()) : clang::QualType();
      // As numbers of another type they are other ones.
      if (v.number() && (source.isNull() || pointee.isNull() || plainType(source) != plainType(pointee)))
        v = m.unknown(pointee, "copied bytes");
    }
    storeFrom(to, pointee, v, c);
    return to;
  }
  if (isAmong(textWriters, name)) {
    const Value to = argument(c, 0);
    if (!to.pointer()) // strtok goes on where it was
      return std::nullopt;
    storeFrom(to, m.ast().CharTy, m.unknown(m.ast().CharTy, "written characters"), c);
    return c.type->isPointerType() ? Answer(to) : StandardLibrary(m).fallback(c);
  }
  if (name == "abort" || name == "exit" || name == "_exit" || name == "quick_exit") {
    m.domain().onEffect(m, Effect::Throw, name, c.expr);
    m.fail();
    return Void{};
  }
  if (name == "malloc" || name == "calloc" || name == "realloc")
    return m.allocate(c.expr);
  if (name == "free")
    return Void{};
  if (Answer a = arithmetic(c, name))
    return a;
  if (Answer a = Texts(m).cTextFunction(c, name))
    return a;
  if (Answer a = Texts(m).number(c, name))
    return a;
  // Other functions of texts only read what they are given, as their types say.
  if (name.starts_with("str") || name.starts_with("ato") || name == "memcmp" || name == "getenv" || name == "time" ||
      name == "clock")
    return StandardLibrary(m).fallback(c);
  if (name == "rand") // of a sequence that everybody draws from
    return std::nullopt;
  return std::nullopt;
}

std::optional<Value> Functions::constructTuple(Call &c, std::string_view) {
  const std::size_t count = written(c);
  const unsigned parts = typeArgumentCount(c.type);
  List l;
  if (count == parts) {
    for (std::size_t i = 0; i < count; ++i) {
      const clang::QualType part = typeArgument(c.type, static_cast<unsigned>(i));
      const bool refers = !part.isNull() && part->isReferenceType();
      l.items.push_back(refers ? Value(m.placeOf(c.arguments[i])) : converted(c, i, part));
    }
    return l;
  }
  if (count == 1)
    return argument(c, 0); // of another tuple
  if (count == 3 && parts == 2 && m.className(c.arguments[0].type) == "std::piecewise_construct_t") {
    for (std::size_t i = 0; i < parts; ++i) {
      const Value given = argument(c, i + 1);
      std::vector<Argument> arguments;
      for (const Value &one : given.list() ? given.list()->items : std::vector<Value>()) {
        Argument a;
        if (one.pointer())
          a.place = *one.pointer();
        a.value = one;
        a.type = one.pointer() && one.pointer()->only() ? m.typeOf(*one.pointer()->only()) : clang::QualType();
        arguments.push_back(std::move(a));
      }
      l.items.push_back(given.list() && given.list()->sized
                            ? m.constructBest(typeArgument(c.type, static_cast<unsigned>(i)), arguments, c.expr)
                            : m.unknown("a part of a pair"));
    }
    return l;
  }
  if (count != 0)
    return m.opaque(c);
  for (unsigned i = 0; i < parts; ++i)
    l.items.push_back(m.defaultValue(typeArgument(c.type, i), true));
  return l;
}

} // namespace condlint::cxx
