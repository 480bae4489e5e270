//===- StandardLibrary.cpp - What std:: and C's library do ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"
#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "Comparisons.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <utility>

namespace condlint::cxx {

namespace {

constexpr std::array<std::string_view, 10> sequences{
    "std::vector", "std::array", "std::deque", "std::list",         "std::initializer_list",
    "std::span",   "std::stack", "std::queue", "std::forward_list", "std::priority_queue"};
constexpr std::array<std::string_view, 3> sets{"std::set", "std::unordered_set", "std::multiset"};
constexpr std::array<std::string_view, 3> maps{"std::map", "std::unordered_map", "std::multimap"};
constexpr std::array<std::string_view, 4> pointers{"std::unique_ptr", "std::shared_ptr", "std::weak_ptr",
                                                   "std::__shared_ptr"};

/// Parts of the library that ask what the program is not given, by how their names begin.
constexpr std::array<std::string_view, 14> asking{
    "std::filesystem::", "std::basic_ifstream", "std::basic_fstream", "std::basic_filebuf", "std::random_device",
    "std::thread",       "std::jthread",        "std::this_thread",   "std::getenv",        "std::time",
    "std::clock",        "std::rand",           "std::system",        "std::fopen"};
/// C's functions that do not, besides those that Clang knows.
constexpr std::array<std::string_view, 15> closedInC{"atof",   "atoi",    "atol",   "atoll",   "strtod",
                                                     "strtof", "strtoul", "strtol", "strtoll", "strtold",
                                                     "strchr", "strrchr", "strstr", "strpbrk", "memchr"};

/// A function of C's library, also where C++ declares it once for constant texts and once for others.
bool isOfC(const clang::FunctionDecl &f) {
  const auto *label = f.getAttr<clang::AsmLabelAttr>();
  return f.isExternC() || (label && f.getIdentifier() && label->getLabel() == f.getName());
}

} // namespace

bool StandardLibrary::isClosed(Machine &m, const Call &c) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(c.callee);
  if (!c.callee || (!c.self && c.arguments.empty() && !llvm::isa<clang::CXXConstructorDecl>(c.callee)))
    return false;
  std::string_view name = c.name;
  if (method)
    if (const std::string_view like = m.domain().standardClass(m.qualifiedName(*method->getParent())); !like.empty())
      name = like;
  if (isStandard(name))
    return name.find("_clock::") == std::string_view::npos &&
           std::ranges::none_of(asking, [&](std::string_view start) { return name.starts_with(start); });
  return isOfC(*c.callee) && (c.callee->getBuiltinID() != 0 || isAmong(closedInC, name));
}

std::size_t StandardLibrary::written(const Call &c) const {
  return static_cast<std::size_t>(std::ranges::count_if(c.arguments, [](const Argument &a) { return !a.isDefault; }));
}

Value spanned(Machine &m, const Value &span, clang::QualType type) {
  const Symbol *s = span.symbol();
  const clang::QualType whole = s ? m.symbol(s->id).type : clang::QualType();
  return s && m.className(whole.isNull() ? type : whole) == "std::span"
             ? Value(m.dereference(span, whole.isNull() ? type.getNonReferenceType() : whole, nullptr))
             : span;
}

std::optional<Value> StandardLibrary::call(Call &c) {
  if (!c.callee)
    return std::nullopt;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee); method && c.self) {
    std::string_view cls = m.qualifiedName(*method->getParent());
    if (const std::string_view like = m.domain().standardClass(cls); !like.empty())
      cls = like;
    if (!isStandard(cls) || cls == "std::expected") // what that holds is not followed
      return std::nullopt;
    const std::string_view name = c.baseName();
    compareHeld(m, c, cls);
    // Methods of the library's own bases of its classes are the classes' own.
    if (cls == "std::__array_traits" || cls == "std::_Vector_base")
      cls = "std::vector";
    // A span holds where its elements lie.
    if (const Value held =
            cls == "std::span" && name != "operator=" ? spanned(m, m.peek(*c.self), c.self->type) : Value();
        held.pointer()) {
      if (name == "subspan" || name == "first" || name == "last")
        if (auto part = partOfSpan(c, name, *held.pointer()))
          return part;
      c.self->place = *held.pointer();
      c.self->value = Value();
    }
    Answer a;
    if (cls.find("iterator") != std::string_view::npos)
      return iterator(c, name);
    constexpr std::string_view inRanges = "std::ranges::__", object = "_fn";
    if (cls.starts_with(inRanges) && cls.ends_with(object) && name == "operator()")
      a = ranges(c, cls.substr(inRanges.size(), cls.size() - inRanges.size() - object.size()));
    else if (cls.starts_with("std::ranges::views::"))
      a = view(c, cls, name);
    else if (cls == "std::_Bit_reference" || cls == "std::__bit_reference" || cls == "std::bitset::reference")
      a = bit(c, name);
    else if (cls == "std::bitset" || cls == "std::valarray")
      a = elementsOfFixed(c, name);
    else if (isAmong(sequences, cls))
      a = sequence(c, name);
    else if (isAmong(sets, cls))
      a = set(c, name);
    else if (isAmong(maps, cls))
      a = map(c, name);
    else if (cls.starts_with("std::optional") || cls.starts_with("std::_Optional"))
      a = optional(c, name);
    else if (isAmong(pointers, cls) || cls.starts_with("std::__shared_ptr") ||
             cls.starts_with("std::reference_wrapper"))
      a = smartPointer(c, name);
    else if (cls == "std::function" || cls == "std::_Function_base" || cls.starts_with("std::_Bind") ||
             cls == "std::move_only_function" || cls == "std::packaged_task" || cls.starts_with("std::_Mem_fn"))
      a = function(c, name);
    else if (cls == "std::tuple" || cls == "std::pair")
      a = pair(c, name);
    else if (cls == "std::basic_string" || cls == "std::basic_string_view")
      a = text(c, name);
    else if (cls == "std::any" || cls == "std::variant")
      a = holder(c, name);
    else if (a = operation(c, cls); !a)
      a = stream(c, cls);
    return a ? a : fallback(c);
  }
  if (!isStandard(c.name)) {
    if (c.name.find("::") == std::string_view::npos && c.callee->isExternC())
      return cFunction(c, c.name);
    // Somebody's operator<< for a stream.
    if (c.baseName() == "operator<<" || c.baseName() == "operator>>")
      return stream(c, "");
    return std::nullopt;
  }
  const std::string_view name = c.baseName();
  if (c.name.starts_with("std::ranges::views::"))
    if (Answer a = view(c, c.name, name))
      return a;
  if (c.name.starts_with("std::filesystem::")) // no algorithm, whatever it is called
    return fileFunction(c, name);
  for (const auto group :
       {&StandardLibrary::utility, &StandardLibrary::comparison, &StandardLibrary::pair, &StandardLibrary::variant,
        &StandardLibrary::algorithm, &StandardLibrary::extremumOfTwo, &StandardLibrary::textFunction,
        &StandardLibrary::arithmetic, &StandardLibrary::stream, &StandardLibrary::iterator})
    if (Answer a = (this->*group)(c, name))
      return a;
  if (Answer a = cFunction(c, name))
    return a;
  return fallback(c);
}

void StandardLibrary::lose(Call &c) {
  for (const Argument &a : c.arguments) {
    if (a.isDefault)
      continue;
    if (const Value v = m.peek(a); !v.isAbsent())
      m.domain().onLost(m, v, c.expr);
  }
}

/// Whether the call of a function that nobody looks into may change a variable of outside: one that it is
/// given by reference, or its own object; what only leads to parts of that changes nothing.
static bool mayChangeOuter(Machine &m, const Call &c) {
  const auto isOuter = [&](const Argument &a) {
    const Place *only = a.place ? a.place->only() : nullptr;
    return only && only->object && m.isOuter(only->object);
  };
  const bool keeps = c.baseName().starts_with("make_"); // a copy of what it is given
  for (const Argument &a : c.arguments)
    if (!keeps && !a.isDefault && isOuter(a) && !a.type.isNull() && a.type->isLValueReferenceType() &&
        !a.type.getNonReferenceType().isConstQualified())
      return true;
  static constexpr std::array<std::string_view, 20> leading{
      "begin", "end",        "rbegin",    "rend",       "data",       "front",        "back",
      "top",   "at",         "find",      "get",        "size",       "empty",        "count",
      "str",   "operator[]", "operator*", "operator->", "operator()", "native_handle"};
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const bool isGiven = c.baseName() == "str" && !c.arguments.empty(); // the text that a stream is to hold
  return method && c.self && isOuter(*c.self) && !method->isConst() && (isGiven || !isAmong(leading, c.baseName()));
}

/// The variable of outside that an operator which assigns, or a method or function that is called after a change,
/// changes for certain, of whatever class it is.
static const Place *assignedOuter(Machine &m, const Call &c) {
  static constexpr std::array<std::string_view, 22> changes{
      "assign", "clear",  "emplace", "emplace_hint", "erase",     "extract", "fill",      "flip",
      "insert", "merge",  "pop",     "pop_back",     "pop_front", "push",    "push_back", "push_front",
      "reset",  "resize", "set",     "sort",         "swap",      "unique"};
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  const bool erases = !c.self && (c.name == "std::erase" || c.name == "std::erase_if") && !c.arguments.empty();
  const Argument *changed = c.self ? &*c.self : erases ? c.arguments.data() : nullptr;
  const Place *only = changed && changed->place ? changed->place->only() : nullptr;
  if (erases)
    return only && only->object && m.isOuter(only->object) ? only : nullptr;
  if (!method || method->isConst() || !only || !only->object || !m.isOuter(only->object))
    return nullptr;
  const auto op = method->getOverloadedOperator();
  const bool counts = op == clang::OO_PlusPlus || op == clang::OO_MinusMinus;
  const bool isNamed = method->getDeclName().isIdentifier() && isStandard(c.name) && isAmong(changes, c.baseName());
  return counts || isNamed || clang::CXXOperatorCallExpr::isAssignmentOp(op) ? only : nullptr;
}

/// A function, or an object of a class with a call operator that is not the library's.
static bool isToCall(const Value &v) {
  if (v.callable())
    return true;
  std::vector<const clang::CXXRecordDecl *> classes{v.record() ? v.record()->type : nullptr};
  for (std::size_t i = 0; i < classes.size() && i < 32; ++i) {
    const clang::CXXRecordDecl *c = classes[i];
    if (!c || !c->hasDefinition() || c->isInStdNamespace())
      continue;
    if (!c->lookup(c->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call)).empty())
      return true;
    for (const clang::CXXBaseSpecifier &base : c->bases())
      classes.push_back(base.getType()->getAsCXXRecordDecl());
  }
  return false;
}

std::optional<Value> StandardLibrary::partOfSpan(Call &c, std::string_view name, const Pointer &whole) {
  const Place *only = whole.only();
  const Value held = only ? m.peek(*only) : Value();
  const List *list = held.list();
  const auto given = [&](std::size_t i) -> std::optional<std::int64_t> {
    const Value v = i < written(c) ? argument(c, i) : Value();
    const Number *n = v.number();
    return n && n->known && n->integer >= 0 ? std::optional(n->integer) : std::nullopt;
  };
  const auto size =
      list && list->sized && !list->open ? std::optional(static_cast<std::int64_t>(list->items.size())) : std::nullopt;
  const bool isAll =
      name == "subspan" ? given(0) == 0 && (written(c) == 1 || (size && given(1) == size)) : size && given(0) == size;
  if (isAll)
    return whole;
  // Which of them its elements are nobody knows: what is written through it may be any of them.
  m.domain().onLost(m, m.load(whole, c.expr), c.expr);
  m.forgetReached(whole.then(Step::ofIndex(0)), m.reason("reached through a part of a span"), 0);
  return m.opaque(c);
}

std::optional<Value> StandardLibrary::fallback(Call &c) {
  const auto *f = c.callee;
  // A constant of the library: numeric limits and the like.
  if (numberKind(f->getReturnType()))
    if (auto known = m.constantOf(c))
      return known;
  // What calls back is not followed: it may do anything.
  if (c.self && isToCall(m.peek(*c.self)))
    return std::nullopt;
  for (const Argument &a : c.arguments) {
    if (isToCall(m.peek(a)))
      return std::nullopt;
  }
  if (!compareOwn(c, c.baseName()) && mayCallOperators(m, c))
    return std::nullopt;
  const Place *assigned = assignedOuter(m, c);
  if (!writesThrough(c) && !assigned && mayWriteOuter(c))
    return std::nullopt; // not followed
  if (assigned)
    m.store(Pointer::to(*assigned), m.unknown(c.self ? c.self->type : c.arguments[0].type, "what was assigned to it"),
            c.expr);
  else if (mayChangeOuter(m, c))
    m.domain().onWrite(m, Place{}, Value(), c.expr);
  lose(c);
  m.escape(c, m.reason("changed by " + std::string(c.name)));
  if (f->isNoReturn())
    m.fail();
  // What gives back a position of the kind that it is given gives one of these elements.
  if (const Argument *first = c.self || c.arguments.empty() ? nullptr : &c.arguments.front();
      first && m.ast().hasSameUnqualifiedType(first->type.getNonReferenceType(), c.type))
    if (const Value given = m.peek(*first); given.pointer())
      return somewhereIn(given, c);
  return m.Machine::domain().Domain::opaqueCall(m, c);
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

std::optional<Value> StandardLibrary::construct(Call &c) {
  std::string_view cls = m.className(c.type);
  if (const std::string_view like = m.domain().standardClass(cls); !like.empty())
    cls = like;
  if (!isStandard(cls) || cls == "std::expected")
    return std::nullopt;
  if (written(c) != 0)
    compareHeld(m, c, cls);
  if (Answer a = constructContainer(c, cls))
    return a;
  if (cls == "std::lock_guard" || cls == "std::unique_lock" || cls == "std::scoped_lock" || cls == "std::shared_lock") {
    const std::size_t count = written(c);
    const std::string_view how = count > 1 ? m.className(c.arguments[count - 1].type) : std::string_view();
    if (count != 0 && how != "std::defer_lock_t" && how != "std::adopt_lock_t")
      m.domain().onEffect(m, Effect::Lock, cls, c.expr);
    return m.unknown("a lock");
  }
  if (cls == "std::basic_ofstream" || cls == "std::basic_fstream" || cls == "std::basic_ifstream") {
    if (written(c) != 0)
      m.domain().onEffect(m, cls == "std::basic_ifstream" ? Effect::Input : Effect::Output, cls, c.expr);
    return m.unknown("a file");
  }
  if (cls == "std::atomic_ref" && c.arguments.size() == 1)
    return Value(m.placeOf(c.arguments.front()));
  if (!c.callee)
    return m.unknown("not initialised");
  if ((cls == "std::thread" || cls == "std::jthread") && written(c) != 0 && m.className(c.arguments[0].type) != cls) {
    std::vector<Argument> rest(c.arguments.begin() + 1, c.arguments.end());
    m.invoke(m.placeOf(c.arguments[0]), std::move(rest), c.expr);
    return m.unknown("a thread");
  }
  lose(c);
  m.escape(c, m.reason("held by " + std::string(cls)));
  return m.Machine::domain().Domain::opaqueCall(m, c);
}

std::optional<Value> StandardLibrary::constructContainer(Call &c, std::string_view cls) {
  const std::size_t count = written(c);
  if (cls == "std::array")
    return constructArray(c);
  if (cls == "std::priority_queue")
    return constructQueue(c, count);
  if (isAmong(sequences, cls))
    return count == 0 ? Value(List{}) : constructSequence(c, count);
  // What it is given may be nothing but what compares.
  const bool comparesOnly =
      count == 1 && (cls.ends_with("map") || cls.ends_with("set")) && !cls.starts_with("std::unordered_") &&
      plainType(c.arguments[0].type) == plainType(typeArgument(c.type, cls.ends_with("map") ? 2 : 1));
  if (isAmong(sets, cls))
    return count == 0 || comparesOnly ? Value(List{}) : asSet(constructSequence(c, count), c);
  if (isAmong(maps, cls))
    return count == 0 || comparesOnly ? Value(Map{}) : constructMap(c);
  if (cls == "std::optional")
    return constructOptional(c, count);
  if (isAmong(pointers, cls)) {
    if (count == 0)
      return Null{};
    const Value v = argument(c, 0);
    moved(c, 0);
    return v.pointer() || v.isNull() || v.symbol() || v.handle() ? v : m.unknown("a pointer");
  }
  if (cls == "std::reference_wrapper")
    return count != 0 ? Value(m.placeOf(c.arguments[0])) : Value(Pointer::unknown());
  if (cls == "std::function" || cls == "std::move_only_function" || cls == "std::packaged_task")
    return count == 0 ? Value(Null{}) : kept(c, 0);
  if (cls == "std::tuple" || cls == "std::pair")
    return constructTuple(c, count);
  if (cls == "std::basic_string" || cls == "std::basic_string_view") {
    if (count == 0)
      return Value::text("");
    const Value v = argument(c, 0);
    return count == 1 && v.text() ? v : m.unknown("a string");
  }
  if (cls == "std::any" || cls == "std::variant")
    return constructHolder(c, cls, count);
  // A position made of another one (a constant or a backward one) is at the same place.
  if (cls.find("iterator") != std::string_view::npos && count == 1)
    if (const Value v = argument(c, 0); v.pointer())
      return v;
  if (cls == "std::complex")
    return m.unknown("a complex number");
  return std::nullopt;
}

Value StandardLibrary::constructArray(Call &c) {
  List l;
  const clang::CXXRecordDecl *record = Machine::classOf(c.type);
  const auto size = record ? integerArgument(*record, 1) : std::nullopt;
  if (!size || *size < 0 || *size > 4096)
    return m.unknown("an array");
  l.items.assign(static_cast<std::size_t>(*size), m.defaultValue(typeArgument(c.type, 0), false));
  return l;
}

Value StandardLibrary::constructQueue(Call &c, std::size_t count) {
  // What it is given but for what compares is already there, in an order that is not followed.
  const bool comparesOnly = count == 1 && plainType(c.arguments[0].type) == plainType(typeArgument(c.type, 2));
  if (count == 0 || comparesOnly)
    return List{};
  const Value given = argument(c, 0);
  if (m.className(c.arguments[0].type) == "std::priority_queue")
    return given;
  List l;
  l.sized = false;
  l.every = m.unknown(typeArgument(c.type, 0), "an element of a queue");
  lose(c);
  return l;
}

/// Where the list lies that \p first points to the first element of, if \p count is how many it has.
static std::optional<Pointer> wholeFrom(Machine &m, const Value &first, const Value &count) {
  const Place *only = first.pointer() ? first.pointer()->only() : nullptr;
  const Number *n = count.number();
  if (!only || only->path.empty() || only->path.back() != Step::ofIndex(0) || !n || !n->known)
    return std::nullopt;
  Place whole = *only;
  whole.path.pop_back();
  const Value held = m.peek(whole);
  const List *list = held.list();
  const bool isAll = list && list->sized && !list->open && std::cmp_equal(list->items.size(), n->integer);
  return isAll ? std::optional(Pointer::to(std::move(whole))) : std::nullopt;
}

Value StandardLibrary::constructSequence(Call &c, std::size_t count) {
  const clang::QualType elementType = typeArgument(c.type, 0);
  if (const clang::CXXRecordDecl *from = Machine::classOf(c.arguments[0].type);
      count >= 2 && isOfTheProgram(m, from) && from == Machine::classOf(c.arguments[1].type) &&
      !m.ast().hasSameUnqualifiedType(c.arguments[0].type.getNonReferenceType(), elementType))
    return m.opaque(c); // a range between positions of the program's own
  Value first = argument(c, 0);
  const clang::QualType firstType = c.arguments[0].expr ? c.arguments[0].expr->getType() : c.arguments[0].type;
  const clang::QualType parameter =
      c.callee && c.callee->getNumParams() != 0 ? c.callee->getParamDecl(0)->getType() : clang::QualType();
  // An element by reference is all there is of a view; a number by value is how many.
  if (count == 1 && !parameter.isNull() && !elementType.isNull() && parameter->isReferenceType() &&
      m.ast().hasSameUnqualifiedType(parameter.getNonReferenceType(), elementType))
    return List{{first}, true, {}, {}};
  if (!parameter.isNull() && parameter->isIntegerType() && first.number()) {
    List l;
    const Value every = count > 1 ? m.copyOf(c.arguments[1], elementType, c.expr) : m.defaultValue(elementType, true);
    const Number *n = first.number();
    if (n->known && n->integer >= 0 && n->integer <= 4096) {
      l.items.assign(static_cast<std::size_t>(n->integer), every);
    } else {
      l.sized = false;
      l.every = every;
    }
    return l;
  }
  if (const std::string_view cls = m.className(c.type);
      count == 2 && first.datum() && (cls == "std::span" || cls == "c10::ArrayRef"))
    return first; // a view of what the domain keeps: read and written where its elements are
  if (const auto all = count == 2 ? wholeFrom(m, first, argument(c, 1)) : std::nullopt;
      all && m.className(c.type) == "std::span")
    return *all;
  if (count >= 2 && m.className(c.type) == "std::span") {
    // So many elements from there on: which of them its elements are is not followed.
    m.domain().onLost(m, first, c.expr);
    if (first.pointer())
      m.forgetReached(*first.pointer(), m.reason("reached through a span"), 0);
    return m.opaque(c);
  }
  if (count >= 2 && (first.pointer() || first.text() || first.datum()))
    return constructFromRange(c, first);
  if (m.className(c.type) == "std::span" && (first.pointer() || (c.arguments[0].place && c.arguments[0].place->only())))
    return first.pointer() ? first : Value(*c.arguments[0].place);
  // Of an initialiser list each element is copied.
  if (first.list() || first.symbol())
    return m.copyOf(c.arguments[0], c.arguments[0].type, c.expr);
  // One value as a list of one (an array reference to it).
  if (count == 1 && !firstType.isNull() && !elementType.isNull() &&
      m.ast().hasSameUnqualifiedType(firstType.getNonReferenceType(), elementType.getNonReferenceType()))
    return List{{first}, true, {}, {}};
  List l;
  l.sized = false;
  l.every = m.unknown(elementType, "an element of a list that is not known");
  return l;
}

Value StandardLibrary::constructFromRange(Call &c, const Value &first) {
  const clang::QualType elementType = typeArgument(c.type, 0);
  const Value second = argument(c, 1);
  Value last = second;
  if (const Number *n = second.number(); n && first.pointer())
    last = n->known ? Value(advanced(*first.pointer(), n->integer)) : Value();
  List l;
  if (auto places = range(first, last)) {
    for (const Place &p : *places) {
      Argument from{nullptr, elementType, {}, Pointer::to(p)};
      l.items.push_back(m.copyOf(from, elementType, c.expr));
    }
    return l;
  }
  l.sized = false;
  l.every = anyElement(first, elementType, c);
  return l;
}

Value StandardLibrary::constructMap(Call &c) {
  const Value first = argument(c, 0);
  const List *entries = first.list();
  if (!entries || !entries->sized)
    return first.map() ? first : m.unknown("a map");
  Map map;
  Call into = c; // as if each were inserted
  into.self.emplace();
  into.self->type = c.type;
  bool plain = true;
  for (const Value &e : entries->items) {
    const List *pair = e.list();
    const bool several = m.className(c.type) == "std::multimap";
    if (const auto key = pair && pair->items.size() == 2 ? keyIn(into, pair->items[0], &map, several) : std::nullopt)
      map.entries.emplace(*key, pair->items[1]);
    else
      map.complete = false;
    plain = plain && pair && pair->items.size() == 2 && (pair->items[1].number() || pair->items[1].text());
  }
  // Nobody chooses what keys lead to that are not told apart here.
  if (!map.complete && plain && m.isDetermined(first))
    return m.determined(m.unknown("a map by keys that are not followed"));
  return map;
}

Value StandardLibrary::constructOptional(Call &c, std::size_t count) {
  if (count == 0)
    return Optional{false, {}};
  const clang::QualType from = c.arguments[0].expr ? c.arguments[0].expr->getType() : clang::QualType();
  const std::string_view name = m.className(from);
  if (name == "std::nullopt_t" || name == "c10::nullopt_t")
    return Optional{false, {}};
  if (const clang::QualType held = typeArgument(c.type, 0);
      m.className(held) == "std::reference_wrapper" && name != "std::reference_wrapper" && name != "std::optional")
    return Optional{true, m.constructBest(held, c.arguments, c.expr)};
  const clang::QualType held = typeArgument(c.type, 0);
  const bool isHeld = !held.isNull() && m.ast().hasSameUnqualifiedType(from.getNonReferenceType(), held);
  const Value v = isHeld ? taken(c, 0, held) : argument(c, 0);
  if (!isHeld)
    moved(c, 0);
  if (v.optional() || name == "std::optional")
    return v;
  if (name == "std::in_place_t")
    return Optional{true,
                    m.constructBest(typeArgument(c.type, 0), {c.arguments.begin() + 1, c.arguments.end()}, c.expr)};
  return Optional{true, v};
}

Value StandardLibrary::constructTuple(Call &c, std::size_t count) {
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
  for (unsigned i = 0; i < parts; ++i)
    l.items.push_back(m.defaultValue(typeArgument(c.type, i), true));
  return l;
}

} // namespace condlint::cxx
