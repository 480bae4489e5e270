//===- Value.h - What an expression may come to -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of the abstract interpreter. A value is immutable and cheap to
// copy; what changes are the objects of the Store, which hold values. What a
// domain keeps of its own (a tensor, a layer) is a Handle, a Token or a Datum.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_VALUE_H
#define CONDLINT_CXX_INTERP_VALUES_VALUE_H

#include "condlint/Dim.h"
#include "condlint/Id.h"
#include <concepts>
#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace clang {
class CXXRecordDecl;
class FieldDecl;
class FunctionDecl;
class Type;
} // namespace clang

namespace condlint::cxx {

class Datum;
class Machine;
class Value;

using ObjectId = Id<struct ObjectTag>;
using SymbolId = Id<struct SymbolTag>;
using ReasonId = Id<struct ReasonTag>;

/// How a number comes about, from the most fixed to the least; what is computed
/// from several is the least fixed of them.
enum class Provenance : std::uint8_t {
  Literal,     ///< written in the code: literals, constants, template arguments
  Fixed,       ///< cannot differ between two calls, but is not written there: a const member, a size that a check fixes
  Varies,      ///< can differ between two calls
  TensorFloat, ///< a floating number that was read from a tensor
};

/// What finding a truth value out has shown: the facts that hold where it is
/// true, and where it is false. Built by domains and by `&&`, `||` and `!`.
class Test {
public:
  virtual ~Test() = default;
  /// Makes the facts hold from here on that follow from the test being \p truth.
  virtual void assume(Machine &m, bool truth) const = 0;
  /// The program goes on only where the test is \p needed, and it never is.
  virtual void refuted(Machine & /*m*/, bool /*needed*/) const {}
  /// What it is, where facts that hold say it.
  virtual std::optional<bool> decided(Machine &) const { return std::nullopt; }
  /// It hangs on what is given from outside alone, so that it may turn out either way.
  virtual bool isGiven() const { return false; }
  /// All that it says where it is assumed, either way, is kept.
  virtual bool isKept() const { return false; }
  /// It asks of a number that operators or conversions make of others, which need not come to each that it may be.
  virtual bool isOfMade() const { return false; }
};

/// The test that holds where \p t does not; null for null.
std::shared_ptr<const Test> negated(const std::shared_ptr<const Test> &t);

/// A number: known, or known as an expression over sizes, or only by kind.
struct Number {
  enum class Kind : std::uint8_t { Bool, Integer, Floating };
  Kind kind = Kind::Integer;
  Provenance provenance = Provenance::Varies;
  bool known = false;
  std::int64_t integer = 0; ///< Bool, Integer
  double real = 0;          ///< Floating
  /// Not known, and yet no choice of anybody: the code itself determines it, by what was not worked out here.
  bool determined = false;
  Dim dim; ///< an Integer that is not known, as an expression where it has one
  /// What an Integer that is not known may be, where it is one of a few.
  std::shared_ptr<const std::vector<std::int64_t>> among;
  std::shared_ptr<const Test> test;
  /// The domain's word for what it measures (the rank of a tensor), so that a
  /// comparison with it can become a fact; see `Domain::comparison`.
  std::shared_ptr<const Datum> source;

  static Number boolean(bool b, Provenance p = Provenance::Literal);
  static Number ofInteger(std::int64_t v, Provenance p = Provenance::Literal);
  static Number ofReal(double v, Provenance p = Provenance::Literal);
  static Number unknown(Kind k, Provenance p = Provenance::Varies);
  static Number ofDim(Dim d, Provenance p);

  std::optional<bool> truth() const; ///< as a condition
  double asReal() const { return kind == Kind::Floating ? real : static_cast<double>(integer); }
  bool equals(const Number &o) const;
};

/// One step from an object into a part of it.
struct Step {
  const clang::FieldDecl *field = nullptr; ///< a field; otherwise
  /// An element (the value of an optional is its element 0). Below zero: of nobody knows which index; see
  /// `Machine::unknownIndex`.
  std::int64_t index = 0;
  std::shared_ptr<const std::string> key; ///< or the entry of a map

  static Step ofField(const clang::FieldDecl *f) { return {f, 0, nullptr}; }
  static Step ofIndex(std::int64_t i) { return {nullptr, i, nullptr}; }
  static Step ofKey(std::string k) { return {nullptr, 0, std::make_shared<const std::string>(std::move(k))}; }
  friend bool operator==(const Step &a, const Step &b) {
    return a.field == b.field && a.index == b.index && (a.key == b.key || (a.key && b.key && *a.key == *b.key));
  }
  /// How an element is spelled whose index is not known.
  static constexpr std::string_view anyElement = "[?]";
  /// One of the elements, whichever: asked twice it need not be the same.
  static constexpr std::int64_t anyIndex = -1;
  bool isAny() const { return key ? *key == anyElement : !field && index == anyIndex; }
  /// Some entry of a map, of which the key is not known.
  bool hasUnknownKey() const { return key && key->starts_with(anyElement); }
  std::string str() const; ///< "[0]", "[name]"; fields by number
  /// What no other step has but one to the same part.
  std::string identity() const;
};

/// Where something lies: an object, or a part of one.
struct Place {
  ObjectId object;
  std::vector<Step> path;

  Place then(Step s) const {
    Place p = *this;
    p.path.push_back(std::move(s));
    return p;
  }
  friend bool operator==(const Place &, const Place &) = default;
};

/// What a pointer, reference, iterator or smart pointer may point to. Several
/// places: one of them. None and not `other`: nothing (null).
struct Pointer {
  llvm::SmallVector<Place, 1> places; ///< mostly one, which takes no memory of its own
  bool mayBeNull = false;
  bool other = false; ///< it may point to something that is not among the places

  static Pointer to(Place p) {
    Pointer q;
    q.places.push_back(std::move(p));
    return q;
  }
  static Pointer to(ObjectId o) { return to(Place{o, {}}); }
  static Pointer unknown() {
    Pointer q;
    q.other = q.mayBeNull = true;
    return q;
  }
  /// The one place, if there is no doubt.
  const Place *only() const { return places.size() == 1 && !other ? places.data() : nullptr; }
  Pointer then(const Step &s) const;
  friend bool operator==(const Pointer &, const Pointer &) = default;
};

struct Record;
struct List;
struct Map;
struct Callable;
struct Optional;
struct Viewed;

/// A domain's own immutable datum: tensor options, a slice, dimensions.
class Datum {
public:
  virtual ~Datum() = default;
  virtual bool equals(const Datum &other) const = 0;
};

/// Nothing was ever there: the value of an object that another path made.
struct Absent {};
/// Not understood. \c leak is the number of the variable through which a value
/// left a region (0: none); see `Domain::onLeakRead`. \c determined is as in a Number.
struct Unknown {
  ReasonId reason;
  std::uint32_t leak = 0;
  bool determined = false;
};
struct Void {};
struct Null {};
/// Something that is given from outside and is looked into as it is used; equal
/// symbols are equal values.
struct Symbol {
  SymbolId id;
};
/// A domain's object with an identity of its own: copies of the value are the
/// same thing. The store's value of \c object is what is known of it now.
struct Handle {
  ObjectId object;
  std::uint32_t tag = 0; ///< the domain's word for what it is
};
/// A number that only its domain can read.
struct Token {
  std::uint32_t id = 0;
  std::uint32_t tag = 0;
};

class Value {
  using Payload =
      std::variant<Absent, Unknown, Void, Null, Number, Symbol, Handle, Token, std::shared_ptr<const std::string>,
                   std::shared_ptr<const Pointer>, std::shared_ptr<const Record>, std::shared_ptr<const List>,
                   std::shared_ptr<const Map>, std::shared_ptr<const Callable>, std::shared_ptr<const Optional>,
                   std::shared_ptr<const Datum>>;

public:
  Value() = default;
  Value(Unknown v) : payload(v) {}
  Value(Void v) : payload(v) {}
  Value(Null v) : payload(v) {}
  Value(Number v) : payload(std::move(v)) {}
  Value(Symbol v) : payload(v) {}
  Value(Handle v) : payload(v) {}
  Value(Token v) : payload(v) {}
  Value(Pointer v);
  Value(Record v);
  Value(List v);
  Value(Map v);
  Value(Callable v);
  Value(Optional v);
  template <class T>
    requires std::derived_from<T, Datum>
  Value(std::shared_ptr<const T> v) : payload(std::shared_ptr<const Datum>(std::move(v))) {}
  static Value text(std::string s) {
    Value v;
    v.payload = std::make_shared<std::string>(std::move(s));
    return v;
  }

  bool isAbsent() const { return std::holds_alternative<Absent>(payload); }
  bool isNull() const { return std::holds_alternative<Null>(payload); }
  bool isVoid() const { return std::holds_alternative<Void>(payload); }
  const Unknown *unknown() const { return std::get_if<Unknown>(&payload); }
  const Number *number() const { return std::get_if<Number>(&payload); }
  const Symbol *symbol() const { return std::get_if<Symbol>(&payload); }
  const Handle *handle() const { return std::get_if<Handle>(&payload); }
  const Token *token() const { return std::get_if<Token>(&payload); }
  const std::string *text() const { return shared<std::string>(); }
  const Pointer *pointer() const { return shared<Pointer>(); }
  const Record *record() const { return shared<Record>(); }
  const List *list() const { return shared<List>(); }
  const Map *map() const { return shared<Map>(); }
  const Callable *callable() const { return shared<Callable>(); }
  const Optional *optional() const { return shared<Optional>(); }
  const Datum *datum() const { return shared<Datum>(); }
  /// The datum as a \p T, which its domain knows it to be; null if it is none.
  template <class T> const T *as() const { return dynamic_cast<const T *>(datum()); }

  /// The \p T that it holds, to be changed: a copy where somebody else holds it too. None is made as a constant.
  template <class T> T &own() {
    auto &p = std::get<std::shared_ptr<const T>>(payload);
    if (p.use_count() != 1)
      p = std::make_shared<T>(*p);
    return const_cast<T &>(*p);
  }

  /// The type as which a variant, or what holds anything, holds this value; null where none does, or nobody knows.
  const clang::Type *heldAs() const { return heldType; }
  Value asHeld(const clang::Type *type) const {
    Value v = *this;
    v.heldType = type;
    return v;
  }

  /// What this value, which was read there, is a view of; null for what is no view. See \ref Viewed.
  const std::shared_ptr<const Viewed> &viewed() const { return view; }
  Value asViewOf(std::shared_ptr<const Viewed> what) const {
    Value v = *this;
    v.view = std::move(what);
    return v;
  }

  std::size_t kind() const { return payload.index(); }
  /// The same value for certain: the same payload, or equal small ones.
  bool same(const Value &other) const;

private:
  template <class T> const T *shared() const {
    const auto *p = std::get_if<std::shared_ptr<const T>>(&payload);
    return p ? p->get() : nullptr;
  }
  Payload payload;
  const clang::Type *heldType = nullptr;
  std::shared_ptr<const Viewed> view;
};

/// What a view of characters looks at, which somebody may write later: where it lies, and what lay there when the view
/// was made. The view is what it was as long as that does.
struct Viewed {
  Place place;
  Value whole;
};

/// \p v as a condition; nothing for one that is not known, and for what is none.
std::optional<bool> truthOf(const Value &v);

/// An object of a class type: its fields, those of its bases among them, and
/// the closure of a lambda (its fields are what it captures).
struct Record {
  const clang::CXXRecordDecl *type = nullptr;
  std::vector<std::pair<const clang::FieldDecl *, Value>> fields;
  /// Fields that are not listed: parts of this symbol, or unknown without one.
  SymbolId rest;
  ReasonId restReason;

  const Value *find(const clang::FieldDecl *f) const;
  Value *find(const clang::FieldDecl *f) { return const_cast<Value *>(std::as_const(*this).find(f)); }
  void set(const clang::FieldDecl *f, Value v);
};

/// A vector, array, tuple, pair, span, initializer list: what has a number of
/// elements. Not \c sized: any number of elements that all look like \c every.
struct List {
  std::vector<Value> items;
  bool sized = true;
  Value every;
  /// The domain's word for a list that somebody else made; asked (`Domain::part`)
  /// for an element that is not there.
  std::shared_ptr<const Datum> origin;
  /// Sized, and how many further elements follow that look like these nobody knows.
  bool open = false;
  /// Not sized: this list from outside, in which nothing but the first elements was changed; these are the items.
  SymbolId rest = {};

  /// Each of its elements is among the items.
  bool isComplete() const { return sized && !open; }
  /// The same, and nobody else made it.
  bool isOwn() const { return isComplete() && !rest && !origin; }
};

/// A map whose keys are known. Not \c complete: it may hold further keys, which then
/// are those of the symbol \c rest, if there is one.
struct Map {
  std::map<std::string, Value> entries;
  bool complete = true;
  SymbolId rest;
};

struct Optional {
  std::optional<bool> has; ///< none: not known
  Value value;
};

/// Something that can be called and is no object of a class with fields: a
/// function, a pointer to one or to a member, the result of std::bind. A
/// closure or functor is a Record; an empty std::function is Null.
struct Callable {
  const clang::FunctionDecl *function = nullptr;
  Value target;             ///< std::bind: what it calls (instead of `function`)
  std::vector<Value> bound; ///< std::bind: its arguments; `Placeholder` data for _1, _2, …
};

/// std::placeholders::_1 is number 1.
class Placeholder : public Datum {
public:
  explicit Placeholder(unsigned n) : number(n) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const Placeholder *>(&other);
    return o && o->number == number;
  }
  unsigned number;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_VALUE_H
