//===- Domain.h - What a library's objects mean -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter knows C++ and the standard library. What a call into another
// library does, a Domain says: libtorch, TensorRT. Libraries are recognised by
// qualified names, so that a mock of their headers works like the real ones.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_DOMAIN_H
#define CONDLINT_CXX_INTERP_MACHINE_DOMAIN_H

#include "../values/Value.h"
#include <clang/AST/Type.h>
#include <span>
#include <string_view>

namespace clang {
class CXXMethodDecl;
class CXXThrowExpr;
class Expr;
class ReturnStmt;
class Stmt;
class ValueDecl;
} // namespace clang

namespace condlint::cxx {

/// An argument of a call: a value, or the place that a reference is bound to.
struct Argument {
  const clang::Expr *expr = nullptr; ///< as it is written; null for one that the interpreter makes
  clang::QualType type;              ///< the parameter's, or the expression's for `...`
  Value value;                       ///< if there is no place
  std::optional<Pointer> place;
  /// Not written at the call: the function's default. Has no value until
  /// `Machine::load` asks for it.
  bool isDefault = false;
};

/// A call of a function, method, operator or constructor.
struct Call {
  const clang::FunctionDecl *callee = nullptr; ///< null: what is called is not known
  /// Qualified, without template arguments and inline namespaces: "at::Tensor::add_",
  /// "std::vector::push_back". Empty without a callee.
  std::string_view name;
  const clang::Expr *expr = nullptr; ///< where it stands; null for one that the interpreter makes
  std::optional<Argument> self;      ///< the object of a method; for a constructor nothing
  std::vector<Argument> arguments;
  /// What it returns, as declared (a reference where it returns one); the class for a constructor.
  clang::QualType type;
  /// A virtual call on an object whose class is not known: what runs may be another body
  /// than the callee's.
  bool isOpen = false;
  /// Of one that is not seen: what it can get at besides what it is given.
  std::vector<Pointer> reached = {};

  /// The last part of the name.
  std::string_view baseName() const;
};

/// Where a loop ends on one of its ways.
struct LoopEnd {
  Value holds;                             ///< `Domain::whatHolds`
  std::vector<std::optional<Number>> left; ///< nothing for what is not worked out
};

/// What the interpreter tells of a value that is given from outside.
struct SymbolInfo {
  enum class Origin : std::uint8_t { Parameter, Global, Member, Element, Pointee, Result };
  clang::QualType type;
  Origin origin = Origin::Parameter;
  std::string name;                       ///< "xs[0]", "this.weight_", for people
  const clang::ValueDecl *decl = nullptr; ///< the parameter, variable or field, if it is one
  const clang::Expr *expr = nullptr;      ///< what made it, if something did
  SymbolId parent;                        ///< what it is a part of
  Step step;                              ///< which part
  ObjectId holder;                        ///< the object in which it lies, if it lies in one
  unsigned region = 0;                    ///< the region to which what it leads to belongs
  bool isConst = false;                   ///< cannot be written, and was not before it came here
  bool determined = false;                ///< as in a Number: the library made it of what is determined
};

/// What may happen that is no value.
enum class Effect : std::uint8_t { Output, Input, Lock, Allocation, Throw, Other };

class Domain {
public:
  virtual ~Domain() = default;

  // --- calls --------------------------------------------------------------
  /// The class of the standard library that the class \p name behaves like
  /// ("std::vector" for an array reference of the domain's); empty: none.
  virtual std::string_view standardClass(std::string_view /*name*/) { return {}; }
  /// A function, method or operator that the domain knows. Nothing: not the
  /// domain's affair. A result that is a reference is a Pointer, or a value,
  /// which then gets a place of its own. Asked before bodies are looked at.
  virtual std::optional<Value> call(Machine &, Call &) { return std::nullopt; }
  /// A constructor of a class that the domain knows: the object's value.
  /// Copies and moves of the domain's values need no answer.
  virtual std::optional<Value> construct(Machine &, Call &) { return std::nullopt; }
  /// A call that is not followed is coming up. What it may write through its arguments
  /// and its object is still what it was.
  virtual void onOpaque(Machine &, Call &) {}
  /// Somebody promised that the function, whose body is elsewhere, changes nothing.
  virtual bool writesNothing(const Call &) { return false; }
  /// A call of a function whose body is elsewhere, that neither the domain nor
  /// the standard library's models know. The interpreter has already made
  /// unknown what the function may write through its arguments.
  virtual Value opaqueCall(Machine &m, Call &call);

  // --- values -------------------------------------------------------------
  /// A value of the domain's types that is given from outside. Nothing: the
  /// interpreter looks into it part by part.
  virtual std::optional<Value> input(Machine &, const SymbolInfo &) { return std::nullopt; }
  /// A value of type \p type of which nothing is known.
  virtual std::optional<Value> unknown(Machine &, clang::QualType, ReasonId) { return std::nullopt; }
  /// The value on one of two paths; at least one is a Handle, Token or Datum.
  /// Nothing: unknown.
  virtual std::optional<Value> join(Machine &, const Value &, const Value &) { return std::nullopt; }
  /// What \p v, which an object holds, is known to be where the path condition holds: that is about to be forgotten.
  virtual Value onThisWay(Machine &, const Value &v) { return v; }
  /// What is left of \p v, a Handle, Token or Datum, when it may be changed in
  /// ways that are not followed (\p reason says why).
  virtual std::optional<Value> havoc(Machine &, const Value &, ReasonId) { return std::nullopt; }
  /// What is known of \p v in a form that outlives what is forgotten after scouting; null: nothing.
  virtual std::shared_ptr<const Datum> outline(Machine &, const Value & /*v*/) { return nullptr; }
  /// A value of which is known what is known of \p old, which may be absent, and what \p outline says
  /// as well; \p old itself where that is all. Nothing: havoc.
  virtual std::optional<Value> widen(Machine &, const Value & /*old*/, const Datum & /*outline*/, ReasonId /*why*/) {
    return std::nullopt;
  }
  /// One element of a list, of any of which \p every, a Handle, says what is known: which one, nobody knows.
  virtual Value anyElement(Machine &, const Value &every) { return every; }
  /// Elements of which nobody knows the index are told apart: what is asked of one says nothing of another, which is
  /// another value.
  virtual bool tellsElementsApart() const { return false; }
  /// What values lead to may be used by code that does not know them: where one is forgotten besides another, it is
  /// kept as what a pointer may lead to, or told to \ref onLost.
  virtual bool keepsPlaces() const { return false; }
  /// What was moved from is, for the class \p name, like one that was made without arguments.
  virtual bool isEmptyWhenMoved(std::string_view /*name*/) const { return false; }
  /// The Datum \p v means the same wherever it is read: it leads to no object and no value of a graph.
  virtual bool isPlain(const Value & /*v*/) const { return false; }
  /// A built-in operator with an operand of the domain's (a raw pointer into a
  /// tensor plus a number). \p b is absent for unary ones.
  virtual std::optional<Value> builtinOperator(Machine &, unsigned /*opcode*/, bool /*unary*/, const Value & /*a*/,
                                               const Value & /*b*/, const clang::Expr *) {
    return std::nullopt;
  }
  /// `*v`, `v[i]` (and `*(v + i)`) of a Handle, Token or Datum.
  virtual std::optional<Pointer> dereference(Machine &, const Value & /*v*/, const clang::Expr *) {
    return std::nullopt;
  }
  /// The part \p step of a Handle, Token or Datum.
  virtual std::optional<Value> part(Machine &, const Value &, const Step &, clang::QualType) { return std::nullopt; }
  /// The object that holds \p v, a Handle, Token or Datum, was made by the code that is run: it is no
  /// other one.
  virtual bool isOwn(Machine &, const Value & /*v*/) { return false; }
  /// What the comparison \p opcode (a clang::BinaryOperatorKind) shows, where one of the numbers has a source.
  virtual std::shared_ptr<const Test> comparison(Machine &, unsigned /*opcode*/, const Number &, const Number &) {
    return nullptr;
  }
  /// Gives \p n, a number of which nothing is known, what tells it from others: whoever asks it again
  /// asks the same.
  virtual void identify(Machine &, Number & /*n*/) {}
  /// What \p n, which was identified, is hangs on whatever else is asked of that of which it was made.
  virtual void leaveOpen(Machine &, const Number & /*n*/) {}
  /// The BothTest \p all does not hold, as far as it is known; each of what it is made of may.
  virtual bool isExcluded(Machine &, const Test & /*all*/) { return false; }
  /// The BothTest \p all does not hold from here on.
  virtual void onNotAll(Machine &, const Test & /*all*/) {}
  /// The test of \p condition, which came to a truth value that is not known and has none; null: it cannot be
  /// recognised again.
  virtual std::shared_ptr<const Test> question(Machine &, const clang::Expr & /*condition*/) { return nullptr; }
  /// What the const \p method measures of its object, a bit each: what two methods say that measure the same hangs
  /// together, whatever their names.
  virtual unsigned aspectsOf(const clang::CXXMethodDecl & /*method*/) const { return 0; }
  /// Answers to what is asked of texts from outside are held together by what they ask (`AskedTexts`), and nothing is
  /// known of what a function of the library makes of what is not known.
  virtual bool relatesAnswers() const { return false; }
  /// How many elements the symbol has, for a symbol that is a container.
  virtual std::optional<Value> sizeOfSymbol(Machine &, SymbolId) { return std::nullopt; }

  /// What is given from outside may be such that \p test is \p truth besides all that holds, as far as that can be
  /// worked out.
  virtual bool admits(const Test & /*test*/, bool /*truth*/) { return true; }

  /// What is known where the machine is.
  virtual Value whatHolds(Machine &) { return {}; }
  /// What \p n is called, a whole number that a loop has left, or that is made of one; unknown for any other.
  virtual Dim leftByLoop(const Number & /*n*/) { return {}; }
  /// The same of any number.
  virtual bool isLeftByLoop(const Number & /*n*/) { return false; }
  /// Gives \p n a name, as the number \p made that was made of one that a loop has left.
  virtual void identifyByLoop(Number & /*n*/, Dim /*made*/) {}
  /// How many numbers were identified.
  virtual std::uint64_t lastIdentified() const { return 0; }
  /// A loop leaves \p numbers of which nothing is known, but what they are on some of its ways. \p before: those that
  /// were identified later were so in it.
  virtual void onLoopLeft(Machine &, std::span<const Number> /*numbers*/, std::vector<LoopEnd> /*ends*/,
                          std::uint64_t /*before*/) {}

  // --- what happens -------------------------------------------------------
  /// An object of an outer region (see `Machine::enterRegion`) is read or written. Reading
  /// is using its value: binding a reference to it is none.
  virtual void onRead(Machine &, const Place &, const Value &, const clang::Expr *) {}
  virtual void onWrite(Machine &, const Place &, const Value &, const clang::Expr *) {}
  /// A value that came out of a region through the variable \p leak is used. What it is
  /// where that region was not run, if the domain knows that it was not.
  virtual std::optional<Value> onLeakRead(Machine &, std::uint32_t /*leak*/, const clang::Expr *) {
    return std::nullopt;
  }
  /// A read or write of an object that the domain made as `Storage::External`.
  virtual Value readExternal(Machine &m, ObjectId, const clang::Expr *);
  virtual void writeExternal(Machine &, ObjectId, const Value &, const clang::Expr *) {}
  /// Both arms of the `?:` on \p condition were evaluated; of lvalues their places are given.
  virtual void onSelected(Machine &, const clang::Expr * /*condition*/, const Value &, const Value &) {}
  /// A value is kept where it is not followed: in a part of something unknown, or by
  /// something of the standard library that has no model.
  virtual void onLost(Machine &, const Value &, const clang::Expr *) {}
  virtual void onEffect(Machine &, Effect, std::string_view /*name*/, const clang::Stmt *) {}
  /// A call of \p callee is written here that does not compile.
  virtual void onBrokenCall(Machine &, const clang::FunctionDecl & /*callee*/, const clang::Expr *) {}

  // --- paths ----------------------------------------------------------------
  /// Which of several paths is followed where what decides is not known. A domain
  /// that looks at one path at a time says it; nothing: all of them, and what they leave
  /// is joined. \p at is the statement that goes apart (a `try` goes apart into its
  /// block and its handlers; a `switch` into the labels, the last path being none of
  /// them). For a condition path 0 is true and path 1 is false; \p arms, if there are
  /// some, are what runs then, null for nothing.
  virtual std::optional<unsigned> choosePath(Machine &, const clang::Stmt * /*at*/, unsigned /*paths*/,
                                             const Value & /*condition*/,
                                             std::span<const clang::Stmt *const> /*arms*/) {
    return std::nullopt;
  }

  /// The code takes the path \p path of \p arms for certain: constants decide, or what was followed before.
  virtual void onDecided(Machine &, std::span<const clang::Stmt *const> /*arms*/, unsigned /*path*/) {}

  /// From here to `endDoubts` runs what may never run: the code itself determines whether, by something
  /// that was not worked out. May be nested.
  virtual void beginDoubt(Machine &, const clang::Stmt * /*at*/) {}
  /// How many doubts are open where the machine is.
  virtual std::size_t doubts() const { return 0; }
  /// Ends all doubts but the first \p count.
  virtual void endDoubts(std::size_t /*count*/) {}

  /// For how many trips a loop is run of which nobody knows how many it makes; what
  /// differs between the first and the last is not known behind it. Nothing: the loop is
  /// run once, for any trip.
  virtual std::optional<unsigned> trips(Machine &, const clang::Stmt & /*loop*/) { return std::nullopt; }
  /// Code was not followed, or not all that it may do: whatever rests on it is not proved. Every limit of the
  /// interpreter comes here; what it does not know and says so (an unknown value) is none.
  virtual void onBound(Machine &, std::string_view /*why*/) {}
  /// What was not followed leaves no value that says so: nothing that is read from here on is what it seems.
  virtual void onUnfollowed(Machine &m, std::string_view why) { onBound(m, why); }
  /// What stands behind a place where one of several ways was left is on a path of its own (`Machine::path`), since
  /// it runs less often than what stands before. Else that is a bound.
  virtual bool separatesExits() const { return false; }
  /// What code that is not seen changes of what it can get at without being given it: globals, what a pointer from
  /// outside leads to, and what other such code was given before.
  enum class Unseen : std::uint8_t {
    Nothing,  ///< but for globals that are numbers: that is a bound
    Written,  ///< what this code has put there; in a branch what was there before is another value from then on, too
    Anything, ///< also what was there before, which is something else from then on
  };
  virtual Unseen unseenChanges() const { return Unseen::Written; }

  /// What a loop of which nobody knows how many trips it makes does in the first of them is recorded besides
  /// what it does in any.
  virtual bool followsFirstTrip() const { return false; }
  /// What a pointer that such a loop assigns is behind it: \p before the last trip, \p now after it.
  virtual Value afterTrips(Machine &, const Value & /*before*/, const Value &now) { return now; }

  // --- calls like others ----------------------------------------------------
  /// Where a call begins in what the domain records.
  struct CallStart {
    std::uint32_t where = 0; ///< only calls that begin at the same are like others
    std::size_t nodes = 0, values = 0, types = 0;
  };
  /// Nothing: each call is run.
  virtual std::optional<CallStart> beginCall(Machine &) { return std::nullopt; }
  /// The summary of a call that began at \p start and wrote nothing of outside, so that another one need not be
  /// run. \p reads: what objects of outside held that it read; \p results: what the tokens are that it returns.
  /// Null: it has done what no summary holds.
  virtual std::shared_ptr<const Datum> summarise(Machine &, const CallStart & /*start*/,
                                                 std::span<const std::pair<ObjectId, Value>> /*reads*/,
                                                 std::span<const Token> /*results*/) {
    return nullptr;
  }
  /// A call that was given \p before would have done the same with \p now, but for what it makes being another thing.
  virtual bool isAlike(Machine &, const Token & /*before*/, const Token & /*now*/) { return false; }
  /// Records a call of the function \p name at \p at as \p summary tells, which reads \p now where that read what its
  /// own reads say; what its results are. Nothing: the call must be run.
  virtual std::optional<std::vector<Token>> repeat(Machine &, const Datum & /*summary*/, std::span<const Value> /*now*/,
                                                   std::string_view /*name*/, const clang::Expr * /*at*/) {
    return std::nullopt;
  }

  // --- trying something out -------------------------------------------------
  /// From here to `endScout` code is run only to learn what it writes; what the
  /// domain recorded in between must be forgotten. Not nested.
  virtual void beginScout() {}
  virtual void endScout() {}
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_DOMAIN_H
