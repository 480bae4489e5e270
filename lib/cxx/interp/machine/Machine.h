//===- Machine.h - Interprets C++ over Clang's AST --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function abstractly: expressions come to values of which less or more
// is known, calls with a body in this unit are inlined, a condition that is not
// known follows both paths and joins them. Knows C++ and the standard library;
// what belongs to another library is its Domain's. Never fails: what is not
// understood, or too much, is an unknown value with a reason.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_MACHINE_H
#define CONDLINT_CXX_INTERP_MACHINE_MACHINE_H

#include "State.h"
#include <functional>
#include <span>

namespace clang {
class ASTContext;
} // namespace clang

namespace condlint::cxx {

/// What is known of a loop that is not followed trip by trip.
struct LoopFacts {
  const clang::Stmt *loop = nullptr;
  const clang::Expr *condition = nullptr; ///< that decides whether there is another trip; of a range: the range
  bool determinedTrips = false;           ///< how many trips it makes is determined
  bool begins = false;                    ///< it makes one for certain
};

class Machine : public State {
public:
  Machine(clang::ASTContext &ast, Domain &domain, DimTable &dims, const Limits &limits = {});
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  // --- running --------------------------------------------------------------
  /// Runs \p function as a root: its parameters, `this` and what a lambda
  /// captures are given from outside. What the object of a method is in the end goes to \p object.
  Value runRoot(const clang::FunctionDecl &function, Value *object = nullptr);
  /// Runs \p part with half of the steps that are left. False where it is too large for that: the rest of it
  /// is not run, and what \p reached leads to may hold anything.
  bool runShare(const std::function<void()> &part, std::span<const Pointer> reached);
  /// Calls something callable (a Callable, a closure, a functor) with
  /// \p arguments. \p onReturn is told of each `return` of the body itself.
  using ReturnHandler = std::function<void(const Value &, const clang::ReturnStmt *)>;
  Value invoke(const Value &callable, std::vector<Argument> arguments, const clang::Expr *site,
               const ReturnHandler &onReturn = nullptr);
  /// The same for an object with a place of its own, so that what it changes of itself stays.
  Value invoke(const Pointer &callable, std::vector<Argument> arguments, const clang::Expr *site,
               const ReturnHandler &onReturn = nullptr);
  /// What `invoke` would run with \p arguments: the function whose body it is.
  /// Null when that is not known.
  const clang::FunctionDecl *target(const Value &callable, const std::vector<Argument> &arguments);
  /// Whose bodies are looked into besides those that have one: all, without it.
  void setOwnCode(std::function<bool(const clang::FunctionDecl &)> own) { ownCode = std::move(own); }
  /// Tells bodies of which the AST may lack a part: to run one is damage.
  void setBroken(std::function<bool(const clang::FunctionDecl &)> broken) { isBroken = std::move(broken); }

  // --- values -----------------------------------------------------------------
  Value eval(const clang::Expr *e);     ///< the value of \p e; of a glvalue what it holds
  Pointer lvalue(const clang::Expr *e); ///< where the glvalue \p e lies; a prvalue gets a place
  Value load(Argument &a);              ///< the argument's value: a use of it
  Pointer placeOf(Argument &a);         ///< the argument's place; a value gets one
  Value load(const Pointer &p, const clang::Expr *at, clang::QualType type = {});
  Value load(const Place &p, const clang::Expr *at, clang::QualType type = {});
  using State::store;
  void store(const Pointer &p, const Value &v, const clang::Expr *at);
  /// What was at \p source, of the class \p type, has moved elsewhere.
  void moveFrom(const Argument &source, clang::QualType type);
  /// Lets \p change change what lies at \p p where it stands; false where that cannot be.
  bool modify(const Pointer &p, const std::function<void(Value &)> &change, const clang::Expr *at);
  /// What lies at \p p, without this being a use of it.
  Value peek(const Place &p, clang::QualType type = {});
  /// \p v as a view of what lies at \p where, which may change.
  Value viewOf(const Value &v, const Pointer &where);
  /// What \p a is, without a use; absent for a default, and where it is not known where it lies.
  Value peek(const Argument &a);
  Value unknown(std::string_view reason);
  Value unknown(clang::QualType type, std::string_view reason); ///< a number where it is one, a domain's value, …
  /// What `dynamic_cast` to a pointer of the type \p to makes of the pointer \p v.
  Value dynamicallyCast(Value v, clang::QualType to);
  Value join(const Value &a, const Value &b);
  /// The code itself determines \p v, known or not: nothing that is given from outside has a part in it.
  bool isDetermined(const Value &v);
  /// \p v with what is not known of it marked as determined.
  Value determined(const Value &v);
  /// A value that is given from outside.
  Value symbolic(SymbolInfo info);
  /// The part \p step of \p v, which has the type \p type.
  Value part(const Value &v, const Step &step, clang::QualType type);
  /// What built-in operators (clang::BinaryOperatorKind) make of two values.
  Value arithmetic(unsigned opcode, const Value &a, const Value &b, clang::QualType type, const clang::Expr *at);
  Value compare(unsigned opcode, const Value &a, const Value &b, const clang::Expr *at);
  /// The two pointers lead to different objects for certain.
  bool areApart(const Pointer &p, const Pointer &q);
  Value convertNumber(const Value &v, clang::QualType to);
  /// The pointer \p v as one to a \p pointee, where that is another type: what it reads is not known.
  Value reinterpreted(const Value &v, clang::QualType pointee);
  /// What a variable of the type holds that nobody initialises, or that is initialised with zeros.
  Value defaultValue(clang::QualType type, bool zero);
  /// The elements of a container, if it is known how many they are.
  std::optional<std::vector<Value>> elements(const Value &v);
  /// The size of a container.
  Value sizeOf(const Value &v);
  /// Makes \p v unknown in what it holds by itself and by pointers, for code that is not seen.
  Value havoc(const Value &v, ReasonId why);
  /// The pointer that lies at \p p and is only followed: what it leads to is used, not it.
  Value loadPointer(const Pointer &p, const clang::Expr *at, clang::QualType type);
  Value loadPointer(Argument &a);
  /// Evaluates a pointer that is only followed.
  Value evalPointer(const clang::Expr *e);
  /// Follows a pointer, iterator or smart pointer value.
  Pointer dereference(const Value &v, clang::QualType pointee, const clang::Expr *at);
  /// An integer as an expression over sizes; unknown for other numbers.
  Dim dimOf(const Number &n);
  /// A constant that Clang evaluated.
  Value constant(const clang::APValue &v, clang::QualType type);

  // --- objects ----------------------------------------------------------------
  ObjectId newObject(Value v, clang::QualType type, Storage storage = Storage::Temporary,
                     const clang::ValueDecl *decl = nullptr);
  /// Raw memory of unknown size, as malloc gives it.
  Pointer allocate(const clang::Expr *at);
  /// Something is done when an object of the class \p type is destroyed, and it is looked into.
  bool isDestroyed(clang::QualType type);
  /// What lies at \p at comes to its end.
  void destroy(const Pointer &at, clang::QualType type);
  enum class Transfer : std::uint8_t { Copy, Move };
  /// Copying, or moving, a \p type, or assigning one, runs code that somebody wrote and that is looked into.
  bool isTransferredByCode(clang::QualType type, Transfer how);
  /// What a new object of the \p type holds that is made of \p source.
  Value copyOf(Argument &source, clang::QualType type, const clang::Expr *site, Transfer how = Transfer::Copy);
  /// `*to = from`, of objects of the \p type.
  void assign(const Pointer &to, Argument &from, clang::QualType type, const clang::Expr *site,
              Transfer how = Transfer::Copy);
  /// The library may move what lies at \p at about, or not.
  void perhapsMove(const Pointer &at, clang::QualType type, const clang::Expr *site);

  // --- regions ----------------------------------------------------------------
  /// Runs \p first and \p second from the same state and joins what they leave, which meets as \p where says.
  void fork(const std::function<void()> &first, const std::function<void()> &second, JoinPoint where = {},
            std::span<const bool> inDoubt = {});
  /// The same of two of which each says what else may hold; on one way through a loop one of them.
  void either(const std::function<void()> &first, const std::function<void()> &second);

  // --- what leads to what moves ------------------------------------------------
  class Followers;
  Followers &followers() { return *leads; }

  // --- where ------------------------------------------------------------------
  /// "ns::Class::method", without template arguments and inline namespaces.
  std::string_view qualifiedName(const clang::NamedDecl &d);
  /// The class that \p type names, through references; null for others.
  static const clang::CXXRecordDecl *classOf(clang::QualType type);
  std::string_view className(clang::QualType type); ///< "at::Tensor"; empty for what is no class

  /// What runs now runs in a CUDA kernel.
  bool isOnDevice() const;

  // --- for the models of the library ------------------------------------------
  /// An element of a list of unknown length, of which \p every says what is known of any.
  Value anyElement(const Value &every, unsigned depth = 0);
  /// By the constructor that takes these arguments best: for what the library
  /// constructs behind the scenes.
  Value constructBest(clang::QualType type, std::vector<Argument> arguments, const clang::Expr *site,
                      const Pointer *at = nullptr);
  /// The object whose member of \p record is asked for, where \p self is it or a pointer or holder of it.
  Argument selfOf(Argument self, const clang::RecordDecl &record, const clang::Expr *site);
  Value opaque(Call &call);
  void escape(Call &call, ReasonId why);
  void forgetReached(const Pointer &p, ReasonId why, unsigned depth);
  Value offset(const Value &pointer, const Value &by, int sign);
  /// The element at \p index, which may not be known.
  Step elementAt(const Value &index);
  /// The same of the value of a map's entry whose key is not known.
  Step entryAt(const Value &key);
  /// A number below zero for an index or a key that is not known: the same one for the same value, counted from \p from
  /// on, and for no other. Any of them for a domain that does not tell elements apart.
  std::int64_t unknownIndex(const Value &which, std::string_view from = {});
  /// The same for a position in a container of which not everything is known.
  std::int64_t positionIndex(const AskedPosition &which);
  /// \p position is that of the first element of a list.
  bool isFirst(const Place &position) const;
  /// Moves a position in a map; false where it does not lead to one that is known.
  bool moveEntry(Place &place, std::int64_t by);
  Pointer fieldOf(const Pointer &whole, const clang::FieldDecl &field);
  clang::QualType typeOf(const Place &p);
  /// Where the pointer \p v leads to is not kept on: what is stored through one that is not known may lie there.
  void losePlaces(const Value &v);
  /// What is left of \p old where \p now may have been stored there, or somewhere else.
  Value joinWeakly(const Value &old, const Value &now);
  /// What Clang makes of \p call as a constant, if it is one.
  std::optional<Value> constantOf(const Call &call);
  /// Runs a loop of which \p once makes one trip, for any number of them.
  void summariseLoop(const std::function<void()> &once, const LoopFacts &loop = {});
  /// The same of one that \p site makes, which is given the index of one of \p count elements; -1: of any.
  void visitEach(const clang::Expr *site, const Value &count, const std::function<void(std::int64_t)> &once);

private:
  std::int64_t indexOf(const Value &which, std::string_view from);
  std::int64_t namedIndex(std::string words);

  // Its parts: each has a file, and a header where several of them use it.
  class AssumedTrips;
  class Builtins;
  class Calls;
  class Construction;
  class Copies;
  class Determination;
  class Expressions;
  class Joins;
  class Jumps;
  class Lifetimes;
  class LoopHead;
  class LoopWays;
  class Loops;
  class Operators;
  class Parts;
  class Places;
  class RangeLoop;
  class Statements;
  class Summaries;
  class Switch;
  class Trial;
  class Unseen;
  class VirtualCalls;
  class Way;
  struct Body;
  struct Exit;
  struct Jump;
  struct Label;
  struct LoopParts;

  std::unique_ptr<Lifetimes> lifetimes;
  std::unique_ptr<Jumps> jumps;
  std::unique_ptr<Summaries> summaries;
  std::unique_ptr<Followers> leads;
  Way *way = nullptr;    ///< that is gone through a loop
  unsigned waySteps = 0; ///< that were made on such
  std::unique_ptr<class StandardLibrary> standard;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_MACHINE_H
