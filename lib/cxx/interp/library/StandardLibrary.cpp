//===- StandardLibrary.cpp - What std:: and C's library do ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"
#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "../values/RangeView.h"
#include "Algorithms.h"
#include "Comparisons.h"
#include "Functions.h"
#include "Iterators.h"
#include "LibraryClasses.h"
#include "Texts.h"
#include "Utilities.h"
#include "Variants.h"
#include "Views.h"
#include "Writes.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <utility>

namespace condlint::cxx {

namespace {

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
        held.pointer() || viewIn(held)) {
      if (name == "subspan" || name == "first" || name == "last")
        if (auto part = partOfSpan(c, name, held))
          return part;
      if (viewIn(held))
        return methodOfPart(c, name, *held.list());
      c.self->place = *held.pointer();
      c.self->value = Value();
    }
    if (cls.find("iterator") != std::string_view::npos)
      return Iterators(m).iterator(c, name);
    Answer a;
    constexpr std::string_view inRanges = "std::ranges::__", object = "_fn";
    if (cls.starts_with(inRanges) && cls.ends_with(object) && name == "operator()")
      a = Algorithms(m).ranges(c, cls.substr(inRanges.size(), cls.size() - inRanges.size() - object.size()));
    else if (cls.starts_with("std::ranges::views::"))
      a = Views(m).view(c, cls, name);
    else if (const LibraryClass *known = libraryClass(cls); known && known->method)
      a = known->method(m, c, name);
    else if (a = Functions(m).operation(c, cls); !a)
      a = Functions(m).stream(c, cls);
    return a ? a : fallback(c);
  }
  if (!isStandard(c.name)) {
    if (c.name.find("::") == std::string_view::npos && c.callee->isExternC())
      return Functions(m).cFunction(c, c.name);
    // Somebody's operator<< for a stream.
    if (c.baseName() == "operator<<" || c.baseName() == "operator>>")
      return Functions(m).stream(c, "");
    return std::nullopt;
  }
  const std::string_view name = c.baseName();
  if (c.name.starts_with("std::ranges::views::"))
    if (Answer a = Views(m).view(c, c.name, name))
      return a;
  if (c.name.starts_with("std::filesystem::")) // no algorithm, whatever it is called
    return Functions(m).fileFunction(c, name);
  // In this order: a name may mean something to several of them.
  static constexpr std::array<LibraryClass::Model, 11> groups{
      &by<&Utilities::utility>,    &by<&Functions::comparison>,     &by<&Functions::pair>,     &by<&Variants::variant>,
      &by<&Algorithms::algorithm>, &by<&Algorithms::extremumOfTwo>, &by<&Texts::textFunction>, &by<&Texts::number>,
      &by<&Functions::arithmetic>, &by<&Functions::stream>,         &by<&Iterators::iterator>};
  for (const LibraryClass::Model group : groups)
    if (Answer a = group(m, c, name))
      return a;
  if (Answer a = Functions(m).cFunction(c, name))
    return a;
  return fallback(c);
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

/// The whole number that the template argument \p i of the method \p f is (`first<2>()`).
static std::optional<std::int64_t> argumentOf(const clang::FunctionDecl &f, unsigned i) {
  const auto *all = f.getTemplateSpecializationArgs();
  if (!all || i >= all->size() || all->get(i).getKind() != clang::TemplateArgument::Integral ||
      !all->get(i).getAsIntegral().isRepresentableByInt64())
    return std::nullopt;
  return all->get(i).getAsIntegral().getExtValue();
}

std::optional<Value> StandardLibrary::partOfSpan(Call &c, std::string_view name, const Value &span) {
  const Pointer *whole = span.pointer();
  const auto elements = elementsOfSpan(m, span);
  const auto given = [&](std::size_t i) -> std::optional<std::int64_t> {
    if (written(c) == 0)
      return argumentOf(*c.callee, static_cast<unsigned>(i));
    const Value v = i < written(c) ? argument(c, i) : Value();
    const Number *n = v.number();
    return n && n->known ? std::optional(n->integer) : std::nullopt;
  };
  constexpr std::int64_t rest = -1; // std::dynamic_extent
  const bool isSubspan = name == "subspan";
  const bool takesRest = isSubspan && (written(c) == 1 || given(1) == rest);
  if (whole && isSubspan && given(0) == 0 && takesRest)
    return span;
  if (elements) {
    const std::int64_t size = std::ssize(*elements);
    const auto count = takesRest ? std::optional(size - given(0).value_or(0)) : given(isSubspan ? 1 : 0);
    const auto from = isSubspan ? given(0) : name == "first" || !count ? std::optional<std::int64_t>(0) : size - *count;
    if (whole && from == 0 && count == size)
      return span;
    if (count && from && *from >= 0 && *from <= size && *count >= 0 && *count <= size - *from) {
      List part;
      part.items.assign(elements->begin() + *from, elements->begin() + *from + *count);
      part.origin = std::make_shared<RangeView>();
      return part;
    }
  }
  // Which of them its elements are nobody knows: what is written through it may be any of them.
  if (elements && !whole)
    return methodOfPart(c, name, *span.list());
  m.domain().onLost(m, m.load(*whole, c.expr), c.expr);
  m.forgetReached(whole->then(Step::ofIndex(0)), m.reason("reached through a part of a span"), 0);
  return m.opaque(c);
}

Value StandardLibrary::methodOfPart(Call &c, std::string_view name, const List &part) {
  const std::int64_t size = std::ssize(part.items);
  if (name == "size")
    return Number::ofInteger(size, Provenance::Varies);
  if (name == "empty")
    return Number::boolean(size == 0, Provenance::Varies);
  const bool isIndexed = name == "operator[]" || name == "at";
  if (isIndexed || name == "front" || name == "back") {
    const Value index = isIndexed ? argument(c, 0) : Value();
    const auto at = name == "front"                           ? std::optional<std::int64_t>(0)
                    : name == "back"                          ? std::optional(size - 1)
                    : index.number() && index.number()->known ? std::optional(index.number()->integer)
                                                              : std::nullopt;
    if (at && *at >= 0 && *at < size)
      return part.items[static_cast<std::size_t>(*at)];
  }
  // Any of its elements, or all of them: what is done to them is not followed.
  for (const Value &item : part.items) {
    m.domain().onLost(m, m.load(*item.pointer(), c.expr), c.expr);
    m.forgetReached(*item.pointer(), m.reason("reached through a part of a span"), 0);
  }
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
  if (!Algorithms(m).compareOwn(c, c.baseName()) && mayCallOperators(m, c))
    return std::nullopt;
  const Place *assigned = assignedOuter(m, c);
  if (!Writes(m).writesThrough(c) && !assigned && Writes(m).mayWriteOuter(c))
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
  // What it says of what is not known hangs on whatever else that is asked: it is no number of its own.
  if (const auto kind = numberKind(c.type); kind && m.domain().relatesAnswers() && isClosed(m, c))
    return Number::unknown(*kind);
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
  if (const LibraryClass *known = libraryClass(cls); known && known->construct)
    if (Answer a = known->construct(m, c, cls))
      return a;
  // A position made of another one (a constant or a backward one) is at the same place.
  if (cls.find("iterator") != std::string_view::npos && written(c) == 1)
    if (const Value v = argument(c, 0); v.pointer())
      return v;
  if (cls == "std::complex")
    return m.unknown("a complex number");
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

} // namespace condlint::cxx
