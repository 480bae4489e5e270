//===- StandardFunctions.cpp - Functions of the standard library ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <cmath>

namespace condlint::cxx {

namespace {

/// What std::back_inserter returns: the list that grows.
class BackInserter : public Datum {
public:
  explicit BackInserter(Pointer p) : list(std::move(p)) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const BackInserter *>(&other);
    return o && o->list == list;
  }
  Pointer list;
};

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

constexpr std::array<Effective, 46> effective{{
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
    {"pthread_mutex_unlock", Effect::Lock},
}};

} // namespace

std::optional<Value> StandardLibrary::utility(Call &c, std::string_view name) {
  if (c.self)
    return std::nullopt;
  const std::size_t count = c.arguments.size();
  if ((name == "move" && count == 1) || name == "forward" || name == "as_const" || name == "move_if_noexcept" ||
      name == "addressof" || name == "launder")
    return count == 1 ? Answer(m.placeOf(c.arguments[0])) : std::nullopt;
  if ((name == "ref" || name == "cref") && count == 1) {
    const Pointer p = m.placeOf(c.arguments[0]);
    return p;
  }
  if (name == "swap" && count == 2) {
    const Pointer a = m.placeOf(c.arguments[0]);
    const Pointer b = m.placeOf(c.arguments[1]);
    const Value x = m.load(a, c.expr);
    const Value y = m.load(b, c.expr);
    m.store(a, y, c.expr);
    m.store(b, x, c.expr);
    return Void{};
  }
  if (name == "exchange" && count == 2) {
    const Pointer at = m.placeOf(c.arguments[0]);
    const Value old = m.load(at, c.expr);
    m.store(at, argument(c, 1), c.expr);
    return old;
  }
  if (name == "invoke" && count >= 1) {
    std::vector<Argument> rest(c.arguments.begin() + 1, c.arguments.end());
    return m.invoke(m.placeOf(c.arguments[0]), std::move(rest), c.expr);
  }
  if (name == "apply" && count == 2) {
    const Pointer tuple = m.placeOf(c.arguments[1]);
    const auto items = m.elements(m.load(c.arguments[1]));
    if (!items)
      return std::nullopt;
    std::vector<Argument> rest;
    for (std::size_t i = 0; i < items->size(); ++i) {
      Argument a;
      a.place = tuple.then(Step::ofIndex(static_cast<std::int64_t>(i)));
      a.type = typeArgument(c.arguments[1].type, static_cast<unsigned>(i));
      rest.push_back(std::move(a));
    }
    return m.invoke(m.placeOf(c.arguments[0]), std::move(rest), c.expr);
  }
  if (name == "bind" && count >= 1) {
    Callable bound;
    bound.target = argument(c, 0);
    for (std::size_t i = 1; i < count; ++i) {
      Argument &a = c.arguments[i];
      const clang::Expr *e = a.expr ? a.expr->IgnoreParenImpCasts() : nullptr;
      const auto *ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
      if (ref && ref->getDecl()->getDeclContext()->isNamespace() && ref->getDecl()->getName().starts_with("_")) {
        unsigned n = 0;
        if (!ref->getDecl()->getName().drop_front().getAsInteger(10, n) && n != 0 &&
            m.qualifiedName(*ref->getDecl()).starts_with("std::placeholders")) {
          bound.bound.push_back(std::make_shared<const Placeholder>(n));
          continue;
        }
      }
      Value v = m.load(a);
      if (v.pointer()) { // std::ref, or a pointer: what it points to
        bound.bound.push_back(v);
        continue;
      }
      const clang::QualType type = a.expr ? a.expr->getType() : a.type;
      bound.bound.push_back(
          Pointer::to(m.newObject(std::move(v), type, Storage::Heap, ref ? ref->getDecl() : nullptr)));
    }
    return bound;
  }
  if ((name == "make_unique" || name == "make_shared" || name == "make_optional") && !c.type.isNull()) {
    const clang::QualType type = typeArgument(c.type, 0);
    if (name == "make_optional")
      return Optional{true, count == 1 ? argument(c, 0) : m.constructBest(type, c.arguments, c.expr)};
    const ObjectId o = m.newObject(Value(), type, Storage::Heap);
    const Pointer at = Pointer::to(o);
    const Value v = m.constructBest(type, c.arguments, c.expr, &at);
    if (!m.dead())
      m.setObject(o, v);
    return at;
  }
  if ((name == "static_pointer_cast" || name == "dynamic_pointer_cast" || name == "const_pointer_cast") && count == 1)
    return argument(c, 0);
  if ((name == "begin" || name == "cbegin" || name == "data" || name == "end" || name == "cend") && count == 1) {
    const Pointer p = m.placeOf(c.arguments[0]);
    const Value whole = m.load(c.arguments[0]);
    const Value n = m.sizeOf(whole);
    const bool known = n.number() && n.number()->known;
    const bool last = name == "end" || name == "cend";
    return p.then(Step::ofIndex(!known ? -1 : last ? n.number()->integer : 0));
  }
  if ((name == "size" || name == "ssize" || name == "empty") && count == 1) {
    const Value n = m.sizeOf(m.load(c.arguments[0]));
    return name == "empty" ? m.compare(clang::BO_EQ, n, Number::ofInteger(0), c.expr) : n;
  }
  if (name == "next" || name == "prev" || name == "advance") {
    const Value at = argument(c, 0);
    const Value by = written(c) > 1 ? argument(c, 1) : Value(Number::ofInteger(1));
    const Value to = m.offset(at, by, name == "prev" ? -1 : 1);
    if (name == "advance")
      m.store(m.placeOf(c.arguments[0]), to, c.expr);
    return to;
  }
  if (name == "distance" && count == 2)
    return m.arithmetic(clang::BO_Sub, argument(c, 0), argument(c, 1), m.ast().LongTy, c.expr).number()
               ? m.arithmetic(clang::BO_Sub, argument(c, 1), argument(c, 0), m.ast().LongTy, c.expr)
               : m.unknown(c.type, "a distance");
  if ((name == "back_inserter" || name == "inserter" || name == "front_inserter") && count >= 1)
    return Value(std::make_shared<const BackInserter>(m.placeOf(c.arguments[0])));
  if (name == "terminate" || name == "abort" || name == "exit" || name == "quick_exit") {
    m.domain().onEffect(m, Effect::Throw, name, c.expr);
    m.fail();
    return Void{};
  }
  return std::nullopt;
}

std::optional<Value> StandardLibrary::pair(Call &c, std::string_view name) {
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
  if (name == "get" && c.arguments.size() == 1 && m.className(c.arguments[0].type) == "std::variant")
    return m.placeOf(c.arguments[0]);
  if (name == "get" && c.arguments.size() == 1 && c.callee) {
    if (const auto i = integerArgument(*c.callee, 0))
      return m.placeOf(c.arguments[0]).then(Step::ofIndex(*i));
    // By type.
    const clang::QualType wanted = c.type.getNonReferenceType();
    for (unsigned i = 0; i < typeArgumentCount(c.arguments[0].type); ++i)
      if (m.ast().hasSameUnqualifiedType(typeArgument(c.arguments[0].type, i).getNonReferenceType(), wanted))
        return m.placeOf(c.arguments[0]).then(Step::ofIndex(i));
    return std::nullopt;
  }
  // What may hold anything is what it holds.
  if (name == "any_cast" && c.arguments.size() == 1) {
    const Value v = argument(c, 0);
    return c.type->isReferenceType() ? Value(m.placeOf(c.arguments[0])) : v;
  }
  if (name == "make_any" && c.arguments.size() == 1)
    return argument(c, 0);
  if (name == "make_tuple" || name == "make_pair" || name == "tie" || name == "forward_as_tuple") {
    List l;
    for (std::size_t i = 0; i < c.arguments.size(); ++i) {
      const clang::QualType part = typeArgument(c.type, static_cast<unsigned>(i));
      const bool reference = !part.isNull() && part->isReferenceType();
      l.items.push_back(reference ? Value(m.placeOf(c.arguments[i])) : argument(c, i));
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

std::optional<Value> StandardLibrary::arithmetic(Call &c, std::string_view name) {
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
    for (std::size_t i = 1; i < values.size(); ++i) {
      const Number *a = best.number();
      const Number *b = values[i].number();
      if (!a || !b)
        return m.unknown(c.type, "the least or greatest of several");
      const Provenance p = std::max(a->provenance, b->provenance);
      Number n = Number::unknown(a->kind, p);
      if (a->known && b->known) {
        const bool less = a->kind == Number::Kind::Floating ? b->real < a->real : b->integer < a->integer;
        n = less == (name == "min") ? *b : *a;
        n.provenance = p;
      } else if (a->kind == Number::Kind::Integer) {
        n.dim = name == "min" ? m.dims().min(m.dimOf(*a), m.dimOf(*b)) : m.dims().max(m.dimOf(*a), m.dimOf(*b));
      }
      best = n;
    }
    return best;
  }
  const Value a = argument(c, 0);
  const Number *x = a.number();
  if (!x)
    return std::nullopt;
  if (name == "abs" || name == "labs" || name == "llabs") {
    Number n = *x;
    n.dim = {};
    n.source = nullptr;
    n.integer = n.integer < 0 && n.integer != INT64_MIN ? -n.integer : n.integer;
    n.real = std::fabs(n.real);
    return n;
  }
  for (const Unary &u : unaries)
    if (u.name == name && count == 1)
      return x->known ? Number::ofReal(u.function(x->asReal()), x->provenance)
                      : Number::unknown(Number::Kind::Floating, x->provenance);
  if (name == "pow" && count == 2) {
    const Value b = argument(c, 1);
    const Number *y = b.number();
    if (!y)
      return std::nullopt;
    const Provenance p = std::max(x->provenance, y->provenance);
    return x->known && y->known ? Number::ofReal(std::pow(x->asReal(), y->asReal()), p)
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

std::optional<Value> StandardLibrary::operation(Call &c, std::string_view cls) {
  const auto known = std::ranges::find(operations, cls, &Operation::name);
  if (known == operations.end() || c.baseName() != "operator()" || written(c) != 2)
    return std::nullopt;
  const Value a = argument(c, 0);
  const Value b = argument(c, 1);
  const clang::QualType type = c.type.getNonReferenceType();
  return clang::BinaryOperator::isComparisonOp(known->op) ? m.compare(known->op, a, b, c.expr)
                                                          : m.arithmetic(known->op, a, b, type, c.expr);
}

std::optional<Value> StandardLibrary::stream(Call &c, std::string_view cls) {
  const std::string_view name = c.baseName();
  if (c.self && (cls == "std::mutex" || cls.find("_mutex") != std::string_view::npos || cls == "std::unique_lock" ||
                 cls == "std::condition_variable")) {
    if (name == "lock" || name == "unlock" || name == "try_lock" || name.starts_with("wait") ||
        name.starts_with("notify"))
      m.domain().onEffect(m, Effect::Lock, cls, c.expr);
    return m.unknown(c.type, "a lock");
  }
  if (c.self && (cls == "std::atomic" || cls.starts_with("std::__atomic_") || cls == "std::atomic_flag" ||
                 cls == "std::atomic_ref")) {
    const Pointer at = m.placeOf(*c.self);
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
    if (type.find("stringstream") != std::string_view::npos && name != "str")
      return c.type->isReferenceType() ? Value(m.placeOf(*target)) : m.unknown(c.type, "a string stream");
    return std::nullopt;
  }
  const Pointer where = m.placeOf(*target);
  // A stream into a string is no output; what it is, its object says.
  const Place *only = where.only();
  const std::string_view own = only && only->object ? m.className(m.object(only->object).type) : std::string_view();
  for (std::size_t i = c.self ? 0 : 1; i < c.arguments.size(); ++i)
    if (!c.arguments[i].isDefault && c.arguments[i].place && c.arguments[i].expr &&
        !c.arguments[i].expr->getType()->isFunctionType())
      m.load(c.arguments[i]);
  if (own.find("stringstream") == std::string_view::npos)
    m.domain().onEffect(m, in ? Effect::Input : Effect::Output, "stream", c.expr);
  if (in && !c.self)
    for (std::size_t i = 1; i < c.arguments.size(); ++i)
      if (c.arguments[i].place)
        m.store(*c.arguments[i].place, m.unknown(c.arguments[i].type, "read from a stream"), c.expr);
  return c.type->isReferenceType() ? Value(where) : m.unknown(c.type, "a stream");
}

std::optional<Value> StandardLibrary::cFunction(Call &c, std::string_view name) {
  if (name == "__assert_fail" || name == "__assert_perror_fail" || name == "__assert_rtn" || name == "_assert") {
    m.fail();
    return Void{};
  }
  for (const Effective &e : effective)
    if (e.name == name) {
      m.domain().onEffect(m, e.effect, name, c.expr);
      return fallback(c);
    }
  if (name == "memcpy" || name == "memmove" || name == "memset" || name == "bzero") {
    const Value to = argument(c, 0);
    const clang::QualType pointee =
        c.arguments[0].expr ? pointeeType(c.arguments[0].expr->IgnoreParenImpCasts()->getType()) : clang::QualType();
    Value v = m.unknown(pointee, "copied bytes");
    if (name == "memcpy" || name == "memmove") {
      const Value from = argument(c, 1);
      v = m.load(m.dereference(from, pointee, c.expr), c.expr, pointee);
    }
    Pointer where = m.dereference(to, pointee, c.expr);
    // Any number of elements from there on.
    for (Place &p : where.places)
      if (!p.path.empty() && !p.path.back().field && !p.path.back().key)
        p.path.back().index = -1;
    m.store(where, v, c.expr);
    return to;
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
  // Text functions only read what they are given, as their types say.
  if (name.starts_with("str") || name.starts_with("snprintf") || name.starts_with("ato") || name == "memcmp" ||
      name == "getenv" || name == "time" || name == "clock" || name == "rand" || name == "srand")
    return fallback(c);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

void StandardLibrary::put(const Value &out, std::int64_t i, const Value &v, const Call &c) {
  if (const auto *inserter = out.as<BackInserter>()) {
    const Place *only = inserter->list.only();
    const Value old = only ? m.peek(*only) : m.unknown("a list");
    List l;
    if (const List *known = old.list())
      l = *known;
    else
      l.sized = false;
    if (l.sized && i >= 0) {
      l.items.push_back(v);
    } else {
      Value every = l.every;
      for (const Value &item : l.items)
        every = m.join(every, item);
      l.items.clear();
      l.sized = false;
      l.every = m.join(every, v);
      if (l.every.unknown())
        m.domain().onLost(m, v, c.expr);
    }
    return m.store(inserter->list, l, c.expr);
  }
  const Value at = i == 0                   ? out
                   : i < 0 && out.pointer() ? m.offset(out, Value(), 1)
                                            : m.offset(out, Number::ofInteger(i), 1);
  m.store(m.dereference(at, {}, c.expr), v, c.expr);
}

std::optional<Value> StandardLibrary::algorithm(Call &c, std::string_view name) {
  static constexpr std::array<std::string_view, 20> known{
      "for_each", "transform", "fill",        "fill_n", "copy",   "copy_n",  "iota",
      "reverse",  "sort",      "stable_sort", "any_of", "all_of", "none_of", "count_if",
      "find_if",  "generate",  "accumulate",  "count",  "find",   "rotate"};
  if (c.self || std::ranges::find(known, name) == known.end() || c.arguments.size() < 2)
    return std::nullopt;
  const Value first = argument(c, 0);
  const Value last = argument(c, 1);
  const bool counted = name == "fill_n" || name == "copy_n";
  Value end = last;
  if (counted && first.pointer())
    end = m.offset(first, last, 1);
  const std::optional<std::vector<Place>> places = range(first, end);
  const clang::QualType elementType =
      c.arguments[0].expr ? pointeeType(c.arguments[0].expr->getType()) : clang::QualType();
  // Each position, or once for any of them.
  const auto each = [&](const std::function<void(const Pointer &, std::int64_t)> &f) {
    if (places && places->size() <= 64) {
      for (std::size_t i = 0; i < places->size() && !m.dead(); ++i)
        f(Pointer::to((*places)[i]), static_cast<std::int64_t>(i));
      return;
    }
    m.domain().onOpaque(m, c); // any number of times
    Pointer any = m.dereference(first, elementType, c.expr);
    for (Place &p : any.places)
      if (!p.path.empty() && !p.path.back().field && !p.path.back().key)
        p.path.back().index = -1;
    m.summariseLoop([&] { f(any, -1); });
  };
  const auto invoke = [&](std::size_t function, std::vector<Value> values, const Pointer *at) {
    std::vector<Argument> args;
    if (at) {
      Argument a;
      a.place = *at;
      a.type = elementType;
      args.push_back(std::move(a));
    }
    for (Value &v : values)
      args.push_back({nullptr, {}, std::move(v), std::nullopt, false});
    return m.invoke(m.placeOf(c.arguments[function]), std::move(args), c.expr);
  };
  if (name == "for_each") {
    each([&](const Pointer &at, std::int64_t) { invoke(2, {}, &at); });
    return argument(c, 2);
  }
  if (name == "transform") {
    const bool two = c.arguments.size() == 5;
    const Value out = argument(c, two ? 3 : 2);
    const Value second = two ? argument(c, 2) : Value();
    each([&](const Pointer &at, std::int64_t i) {
      std::vector<Value> more;
      if (two)
        more.push_back(
            m.load(m.dereference(i >= 0 ? m.offset(second, Number::ofInteger(i), 1) : second, {}, c.expr), c.expr));
      const Value v = invoke(two ? 4 : 3, std::move(more), &at);
      if (!m.dead())
        put(out, i, v, c);
    });
    return m.unknown("a position");
  }
  if (name == "fill" || name == "fill_n") {
    const Value v = argument(c, 2);
    each([&](const Pointer &at, std::int64_t) { m.store(at, v, c.expr); });
    return Void{};
  }
  if (name == "copy" || name == "copy_n") {
    const Value out = argument(c, 2);
    each([&](const Pointer &at, std::int64_t i) { put(out, i, m.load(at, c.expr, elementType), c); });
    return m.unknown("a position");
  }
  if (name == "iota") {
    const Value start = argument(c, 2);
    each([&](const Pointer &at, std::int64_t i) {
      const Value v = i >= 0 ? m.arithmetic(clang::BO_Add, start, Number::ofInteger(i),
                                            elementType.isNull() ? m.ast().LongTy : elementType, c.expr)
                             : m.unknown(elementType, "one of several numbers");
      m.store(at, v, c.expr);
    });
    return Void{};
  }
  if (name == "generate") {
    each([&](const Pointer &at, std::int64_t) { m.store(at, invoke(2, {}, nullptr), c.expr); });
    return Void{};
  }
  if (name == "reverse" && places) {
    std::vector<Value> values;
    for (const Place &p : *places)
      values.push_back(m.load(p, c.expr, elementType));
    for (std::size_t i = 0; i < values.size(); ++i)
      m.store(Pointer::to((*places)[i]), values[values.size() - 1 - i], c.expr);
    return Void{};
  }
  if (name == "reverse" || name == "sort" || name == "stable_sort" || name == "rotate") {
    // The same elements in some order.
    Value any;
    if (places)
      for (const Place &p : *places)
        any = m.join(any, m.load(p, c.expr, elementType));
    each([&](const Pointer &at, std::int64_t) {
      m.store(at, places ? any : m.unknown(elementType, "an element of a list in unknown order"), c.expr);
    });
    return m.unknown(c.type, "a position");
  }
  if (name == "accumulate") {
    Value sum = argument(c, 2);
    const bool function = c.arguments.size() > 3;
    if (!function && !sum.number())
      return std::nullopt;
    if (!places || places->size() > 64) {
      anyElement(first, elementType, c);
      return m.unknown(c.type, "a sum of several");
    }
    for (const Place &p : *places) {
      const Value v = m.load(p, c.expr, elementType);
      sum = function ? invoke(3, {sum, v}, nullptr) : m.arithmetic(clang::BO_Add, sum, v, c.type, c.expr);
    }
    return sum;
  }
  if (places && places->size() <= 64 &&
      (name.ends_with("_of") || name == "find_if" || name == "find" || name == "count_if" || name == "count")) {
    // As long as each answer is known.
    const bool compares = name == "find" || name == "count";
    std::int64_t hits = 0;
    std::optional<std::size_t> hit;
    std::size_t i = 0;
    bool decided = true;
    for (; decided && i < places->size() && !m.dead(); ++i) {
      const Pointer at = Pointer::to((*places)[i]);
      const Value answer = compares ? m.compare(clang::BO_EQ, m.load(at, c.expr, elementType), argument(c, 2), c.expr)
                                    : invoke(2, {}, &at);
      const auto truth = answer.number() ? answer.number()->truth() : std::nullopt;
      decided = truth.has_value();
      if (!decided)
        break;
      hits += *truth ? 1 : 0;
      const bool ends = name == "all_of" ? !*truth : *truth && !name.starts_with("count");
      if (ends) {
        hit = i;
        break;
      }
    }
    if (decided && !m.dead()) {
      if (name.starts_with("count"))
        return Number::ofInteger(hits, Provenance::Fixed);
      if (name.ends_with("_of"))
        return Number::boolean(hit.has_value() == (name == "any_of"), Provenance::Fixed);
      return hit ? Value(Pointer::to((*places)[*hit])) : last;
    }
    // What a predicate does besides, it may do for each of those that follow.
    for (++i; !compares && i < places->size() && !m.dead(); ++i) {
      const Pointer at = Pointer::to((*places)[i]);
      invoke(2, {}, &at);
    }
    return m.unknown(c.type, "a search");
  }
  if (name.ends_with("_of") || name.ends_with("_if")) {
    each([&](const Pointer &at, std::int64_t) { invoke(2, {}, &at); });
    return m.unknown(c.type, "a search");
  }
  each([&](const Pointer &at, std::int64_t) { m.load(at, c.expr, elementType); });
  return m.unknown(c.type, "a search");
}

} // namespace condlint::cxx
