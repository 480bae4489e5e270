//===- Machine.h - Interprets C++ over Clang's AST --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a function abstractly: expressions come to values of which less or more
// is known, calls with a body in this unit are inlined, a condition that is not
// known takes both ways and joins them. Knows C++ and the standard library;
// what belongs to another library is its Domain's. Never fails: what is not
// understood, or too much, is an unknown value with a reason.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_MACHINE_H
#define CONDLINT_CXX_INTERP_MACHINE_MACHINE_H

#include "../values/Store.h"
#include "Decisions.h"
#include "Domain.h"
#include <clang/AST/ExprCXX.h>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <map>
#include <span>

namespace clang {
class ASTContext;
class CXXForRangeStmt;
class CompoundStmt;
class LabelDecl;
class SwitchStmt;
} // namespace clang

namespace condlint::cxx {

/// What kind of thing an object is.
enum class Storage : std::uint8_t {
  Local,
  Parameter,
  Temporary,
  Heap,
  Global,
  Static,   ///< a static local
  This,     ///< the object of the method that is the root
  Pointee,  ///< what a pointer or reference from outside points to
  External, ///< its reads and writes are the domain's
};

struct Object {
  clang::QualType type;
  const clang::ValueDecl *decl = nullptr; ///< the variable that it is
  Storage storage = Storage::Local;
  std::uint16_t region = 0; ///< the nesting of regions when it was made
  /// For what is reached through another object that is not seen into.
  ObjectId holder;
  /// For what a value from outside points to: that value.
  SymbolId pointer;
};

/// How much may be done for one root function.
struct Limits {
  unsigned calls = 16;         ///< nested calls
  unsigned recursion = 0;      ///< how often a function may be entered again while it runs
  unsigned reentries = 256;    ///< how often all functions may, one after the other too
  unsigned unroll = 64;        ///< trips of a loop that are followed one by one
  unsigned nested = 8'192;     ///< those of loops within one another, all together
  unsigned steps = 400'000;    ///< expressions and statements
  unsigned nesting = 1'000;    ///< expressions and statements within one another, on this program's own stack
  unsigned objects = 400'000;  ///< objects
  unsigned elements = 100'000; ///< elements of one container
  unsigned repeated = 10'000;  ///< steps in functions that were run before, until calls are summarised
};

class Machine {
public:
  Machine(clang::ASTContext &ast, Domain &domain, DimTable &dims, const Limits &limits = {});
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  clang::ASTContext &ast() const { return context; }
  DimTable &dims() { return dimTable; }

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
  /// The call expressions that were met while running, so that what was never reached can be found.
  const llvm::DenseSet<const clang::Expr *> &reached() const { return reachedCalls; }
  /// The functions whose bodies were run.
  const llvm::DenseSet<const clang::FunctionDecl *> &entered() const { return enteredFunctions; }

  // --- values -----------------------------------------------------------------
  Value eval(const clang::Expr *e);     ///< the value of \p e; of a glvalue what it holds
  Pointer lvalue(const clang::Expr *e); ///< where the glvalue \p e lies; a prvalue gets a place
  Value load(Argument &a);              ///< the argument's value: a use of it
  Pointer placeOf(Argument &a);         ///< the argument's place; a value gets one
  Value load(const Pointer &p, const clang::Expr *at, clang::QualType type = {});
  Value load(const Place &p, const clang::Expr *at, clang::QualType type = {});
  void store(const Pointer &p, const Value &v, const clang::Expr *at);
  /// What was at \p source, of the class \p type, has moved elsewhere.
  void moveFrom(const Argument &source, clang::QualType type);
  /// Lets \p change change what lies at \p p where it stands; false where that cannot be.
  bool modify(const Pointer &p, const std::function<void(Value &)> &change, const clang::Expr *at);
  /// What lies at \p p, without this being a use of it.
  Value peek(const Place &p, clang::QualType type = {});
  /// What \p a is, without a use; absent for a default, and where it is not known where it lies.
  Value peek(const Argument &a);
  Value unknown(std::string_view reason);
  Value unknown(clang::QualType type, std::string_view reason); ///< a number where it is one, a domain's value, …
  ReasonId reason(std::string_view text);
  std::string_view reasonText(ReasonId r) const;
  /// What `dynamic_cast` to a pointer of the type \p to makes of the pointer \p v.
  Value dynamicallyCast(Value v, clang::QualType to);
  Value join(const Value &a, const Value &b);
  /// The code itself determines \p v, known or not: nothing that is given from outside has a part in it.
  bool isDetermined(const Value &v);
  /// \p v with what is not known of it marked as determined.
  Value determined(const Value &v);
  /// The join in hand is of what stood somewhere and what may have been stored there: no path
  /// need lead to either.
  bool joinsWeakly() const { return isWeak; }
  /// A value that is given from outside.
  Value symbolic(SymbolInfo info);
  const SymbolInfo &symbol(SymbolId s) const { return symbols[s.index()]; }
  /// The part \p step of \p v, which has the type \p type.
  Value part(const Value &v, const Step &step, clang::QualType type);
  /// What built-in operators (clang::BinaryOperatorKind) make of two values.
  Value arithmetic(unsigned opcode, const Value &a, const Value &b, clang::QualType type, const clang::Expr *at);
  Value compare(unsigned opcode, const Value &a, const Value &b, const clang::Expr *at);
  /// The two pointers lead to different objects for certain.
  bool areApart(const Pointer &p, const Pointer &q);
  Value convertNumber(const Value &v, clang::QualType to);
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
  const Object &object(ObjectId o) const { return objects[o.index()]; }
  const Value &objectValue(ObjectId o) const { return memory.get(o); }
  /// Changes what is known of an object; no write of the program.
  void setObject(ObjectId o, Value v) { memory.set(o, std::move(v)); }
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
  bool isOuter(ObjectId o) const { return objects[o.index()].region < regionDepth; }

  // --- regions ----------------------------------------------------------------
  /// Objects made before are outer ones from here on: using them is told to the domain.
  void enterRegion() {
    if (regionDepth++ == 0)
      repeatedSteps = 0;
  }
  void leaveRegion() {
    if (--regionDepth == 0)
      repeatedSteps = 0;
  }
  unsigned region() const { return regionDepth; }
  /// Runs \p first and \p second from the same state and joins what they leave, which meets as \p where says.
  void fork(const std::function<void()> &first, const std::function<void()> &second, Meeting where = {});
  /// Where what is being joined meets.
  const Meeting &meeting() const { return met; }
  /// The conditions that decide what runs now.
  const Decisions &decisions() const { return deciding; }
  Store &store() { return memory; }
  bool dead() const { return isDead; } ///< no execution comes here
  /// The program ends here: a check failed, an exception was thrown.
  void fail() {
    isDead = true;
    raised = nullptr;
    ++failures;
  }
  void revive() { isDead = false; } ///< for who runs something whose ways all end, and goes on
  bool scouting() const { return scoutDepth != 0; }
  /// A number for the stretch of code in hand: what runs under the same number runs
  /// equally often, but for early exits. Each way of a fork has one of its own.
  std::uint32_t path() const {
    asksPath = true;
    return pathNumber;
  }
  /// The loop in hand that is run for some trips, since nobody knows how many it makes
  /// (`Domain::trips`), by a number; 0: none.
  std::uint32_t assumedLoop() const { return assumedNumber; }

  // --- where ------------------------------------------------------------------
  struct Frame {
    const clang::FunctionDecl *function = nullptr;
    const clang::Expr *site = nullptr; ///< the call; null for a root and a region's function
    const clang::Expr *call = nullptr; ///< the call that is being made in it
    std::optional<Pointer> self;       ///< `this`
    /// By variable: where it lies. References lie where what they name lies.
    llvm::DenseMap<const clang::ValueDecl *, Pointer> variables;
    llvm::DenseMap<const clang::ValueDecl *, clang::FieldDecl *> captures; ///< in a lambda, by what is captured
    std::optional<Pointer> closure;
    clang::FieldDecl *capturedThis = nullptr;
    unsigned region = 0;
  };
  const std::vector<std::unique_ptr<Frame>> &frames() const { return stack; }
  /// "ns::Class::method", without template arguments and inline namespaces.
  std::string_view qualifiedName(const clang::NamedDecl &d);
  /// The class that \p type names, through references; null for others.
  static const clang::CXXRecordDecl *classOf(clang::QualType type);
  std::string_view className(clang::QualType type); ///< "at::Tensor"; empty for what is no class

  Domain &domain() { return dom; }
  /// How many pieces of code that do not compile were met.
  std::size_t damage() const { return damaged; }
  /// The `new` or `malloc` that made \p o; null for other objects.
  const clang::Expr *allocation(ObjectId o) const { return allocations.lookup(o.index()); }
  /// How many bodies were run of which the AST may lack a part.
  std::size_t gaps() const { return gapCount; }
  /// True when the last run hit a limit; what it says is incomplete.
  bool tooLarge() const { return exhausted; }
  unsigned stepsUsed() const { return limits.steps - stepsLeft; }
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
  /// Moves a position in a map; false where it does not lead to one that is known.
  bool moveEntry(Place &place, std::int64_t by);
  Pointer fieldOf(const Pointer &whole, const clang::FieldDecl &field);
  clang::QualType typeOf(const Place &p);
  /// What is left of \p old where \p now may have been stored there, or somewhere else.
  Value joinWeakly(const Value &old, const Value &now);
  /// What Clang makes of \p call as a constant, if it is one.
  std::optional<Value> constantOf(const Call &call);
  /// \p settled: how many trips it makes is determined. \p begins: it makes one for certain.
  void summariseLoop(const std::function<void()> &trip, bool settled = false, bool begins = false);

private:
  struct Exit {
    Delta delta;
    Value value;
  };
  /// Where `break`, `continue` and `return` go.
  struct Jump {
    Store::Mark mark = 0;
    std::size_t living = 0;    ///< what was made later comes to its end on the way
    std::size_t openForks = 0; ///< how many there were before, as of the two below
    std::size_t decisions = 0;
    std::uint32_t decision = 0;
    Asked asked = {}; ///< on the ways that go there
    std::vector<Exit> exits = {};
  };
  Jump here() { return {memory.mark(), living.size(), openForks, deciding.size(), deciding.lastNumber()}; }
  /// A way comes to \p to: what was asked on it is noted.
  void noteAsked(Jump &to);

  /// The outer place that \p p, in a closure of this region, was copied from.
  std::optional<Place> copiedFrom(const Place &p) const;

  // Statements (MachineStmt.cpp, MachineLoop.cpp)
  void run(const clang::Stmt *s);
  void runBlock(const clang::CompoundStmt &block);
  void runDecl(const clang::Stmt *s);
  void runVariable(const clang::VarDecl &v);
  /// What making a static variable of a function does the first time that its declaration is reached.
  void initialiseOnce(const clang::VarDecl &v);
  void runIf(const clang::IfStmt &s);
  class Switch; // MachineSwitch.cpp
  void runSwitch(const clang::SwitchStmt &s);
  void runReturn(const clang::ReturnStmt &s);
  void runTry(const clang::CXXTryStmt &s);
  void runTryBlock(const clang::CXXTryStmt &s);
  void runHandler(const clang::CXXCatchStmt &handler);
  /// The state in which the handlers of a block begin that wrote \p written.
  void enterHandlers(const Trace &written);
  void runRange(const clang::CXXForRangeStmt &s);
  struct LoopParts {
    const clang::Stmt *loop = nullptr;
    const clang::VarDecl *conditionVariable = nullptr;
    const clang::Expr *condition = nullptr;
    const clang::Expr *increment = nullptr;
    const clang::Stmt *item = nullptr; ///< of a range: what declares the element of a trip
    const clang::Stmt *body = nullptr;
    bool bodyFirst = false; ///< do … while
  };
  /// A loop of so many trips is not followed trip by trip.
  bool isLong(std::uint64_t trips) const;
  class AssumedTrips;
  class LoopHead;
  class RangeLoop;
  void runLoop(const LoopParts &parts);
  void runLoopOnce(const LoopParts &parts);
  /// The number that \p increment steps differs from trip to trip.
  void beginCounting(const clang::Expr &increment, AssumedTrips &assumed);
  /// Runs trip by trip; false where it is not known whether another one comes. \p settled: as below.
  bool followTrips(const LoopParts &parts, AssumedTrips &assumed, bool &settled);
  void runAnyTrip(const LoopParts &parts);
  /// What happens in the first trip of a loop that writes \p written, of which more may be known than of any other.
  void runFirstTrip(const std::function<void()> &trip, const Delta &written);
  Value afterTrips(const Value &before, const Value &now);
  Value widened(const Value &old, const Value &now, ReasonId why);
  void jump(Jump *to, Value v = Value(), ObjectId returned = ObjectId());
  void land(Jump &from, Value *result = nullptr);
  void markCounters(Store::Mark since);
  Value conditionOf(const clang::VarDecl *variable, const clang::Expr *condition);
  void branchOn(const Value &condition, const std::function<void()> &yes, const std::function<void()> &no,
                const clang::Stmt *at, const clang::Stmt *yesArm, const clang::Stmt *noArm);

  // Expressions (MachineExpr.cpp, MachineOperators.cpp, MachineCompare.cpp)
  Value evalInner(const clang::Expr *e);
  // Nothing for an expression of another kind.
  std::optional<Value> evalLiteral(const clang::Expr *e);
  std::optional<Value> evalName(const clang::ValueDecl &d);
  std::optional<Value> evalOperation(const clang::Expr *e);
  Value evalThis(const clang::Expr *e);
  Value evalThrow(const clang::CXXThrowExpr &e);
  Value evalStatements(const clang::StmtExpr &e);
  Pointer lvalueInner(const clang::Expr *e);
  Pointer pointedMember(const clang::BinaryOperator &e); ///< `s.*m`, `p->*m`
  std::optional<Pointer> placeOfOperation(const clang::Expr *e);
  Pointer placeOfTemporary(const clang::MaterializeTemporaryExpr &e);
  Value evalCast(const clang::CastExpr &e);
  // What is written lies at \p where: it is evaluated once.
  Value evalUnary(const clang::UnaryOperator &e, Pointer *where = nullptr);
  Value evalBinary(const clang::BinaryOperator &e, Pointer *where = nullptr);
  Value comparePointers(unsigned opcode, const Pointer &p, const Pointer &q, const clang::Expr *at);
  Number compareNumbers(unsigned opcode, const Number &x, const Number &y, const clang::Expr *at);
  Value evalLogical(const clang::BinaryOperator &e);
  Value evalConditional(const clang::Expr *condition, const clang::Expr *yes, const clang::Expr *no, bool glvalue);
  Value evalLambda(const clang::LambdaExpr &e);
  Value evalInitList(const clang::InitListExpr &e);
  Value evalNew(const clang::CXXNewExpr &e);
  Value evalNewArray(const clang::CXXNewExpr &e);
  Pointer variable(const clang::ValueDecl &d, const clang::Expr *at);
  Pointer globalVariable(const clang::VarDecl &d);
  Pointer member(const clang::MemberExpr &e);
  /// Where the first character lies of a text that a pointer leads to.
  Pointer charactersOf(const Value &text);

  // Calls (MachineCall.cpp, MachineConstruct.cpp)
  Value evalCall(const clang::CallExpr &e);
  /// A call that does not compile: what is left of it.
  Value evalBroken(const clang::Expr &e);
  Value evalConstruct(const clang::CXXConstructExpr &e);
  /// Constructs in \p at, which holds nothing yet; without it, somewhere.
  Value construct(const clang::CXXConstructorDecl &ctor, std::vector<Argument> arguments, const clang::Expr *site,
                  clang::QualType type, const Pointer *at);
  /// Runs \p ctor on what lies at \p self, an object of the class \p type: its own, or one
  /// of a base (`using Base::Base`).
  void runConstructor(const clang::CXXConstructorDecl &ctor, const clang::CXXRecordDecl &type, const Pointer &self,
                      std::vector<Argument> &arguments, const clang::Expr *site);
  void initialise(const Pointer &at, clang::QualType type, const clang::Expr *init);
  Value aggregate(clang::QualType type, std::span<clang::Expr *const> inits);
  Argument argument(const clang::Expr *e, clang::QualType parameter);
  std::vector<Argument> arguments(std::span<clang::Expr *const> args, const clang::FunctionDecl *callee,
                                  std::size_t skip = 0);
  Value dispatch(Call &call);
  Value dispatched(Call &call);
  // Functions of the compiler's own (MachineBuiltin.cpp). Nothing: treated like any other.
  /// One that hands on what it is given, or says how the code goes on.
  std::optional<Value> plainBuiltin(Call &call);
  /// One that neither the domain nor the library's models know.
  std::optional<Value> ofBuiltin(Call &call);
  /// One of the system's that runs on a CUDA device alone: it changes what it is given a pointer to, and nothing else.
  std::optional<Value> ofDevice(Call &call);
  /// What a pointer among the arguments leads to becomes unknown where the function may write it; not where it only \p
  /// reads.
  void writeThroughArguments(Call &call, bool reads);
  Value inlined(const clang::FunctionDecl &function, std::optional<Pointer> self, std::vector<Argument> &arguments,
                const clang::Expr *site, const ReturnHandler &onReturn);
  /// The same, whatever was called before.
  Value run(const clang::FunctionDecl &function, std::optional<Pointer> self, std::vector<Argument> &arguments,
            const clang::Expr *site, const ReturnHandler &onReturn);
  void bindParameters(Frame &f, const clang::FunctionDecl &function, std::vector<Argument> &arguments);
  void runConstructorInitialisers(const clang::CXXConstructorDecl &ctor, const Pointer &self);
  void forget(const Pointer &p, ReasonId why, unsigned depth = 0);
  void forget(const Value &v, ReasonId why, unsigned depth = 0);
  /// Code that is not seen may have set the numbers that it can name.
  void forgetGlobals(std::string_view why);
  Value resultOf(const clang::Expr *e, Value v);
  bool mayInline(const clang::FunctionDecl &function) const;
  /// How often \p definition runs already.
  unsigned running(const clang::FunctionDecl &definition) const;

  // Virtual calls (MachineVirtual.cpp)
  /// Makes the callee of a virtual call the method that runs, or the call an open one.
  void resolveVirtual(Call &call);
  /// The class of the object at \p place itself, not only a base of it; null where that is not known.
  const clang::CXXRecordDecl *ownClassOf(const Place &place);
  /// What lies at \p place is being made or destroyed \p as an object of that class.
  bool isConstructing(const Place &place, const clang::CXXRecordDecl *&as) const;
  /// What \p method runs on any object that is a \p declared; null where that may be several, or is not known.
  const clang::CXXMethodDecl *onlyOverrider(const clang::CXXMethodDecl &method, const clang::CXXRecordDecl &declared);

  // Copies (MachineCopy.cpp)
  /// The constructor that somebody wrote for it; null where there is none.
  const clang::CXXConstructorDecl *writtenCopy(const clang::CXXRecordDecl &record, Transfer how) const;
  const clang::CXXMethodDecl *writtenAssignment(const clang::CXXRecordDecl &record, Transfer how) const;
  Argument partOf(Argument &whole, const Step &step, clang::QualType type);
  Value copyOfObject(Argument &source, const clang::CXXRecordDecl &record, clang::QualType type,
                     const clang::Expr *site, Transfer how);

  // The end of objects (MachineDestroy.cpp)
  bool doesWorkAtItsEnd(const clang::CXXRecordDecl &record, clang::QualType type);
  /// From here on \p o is destroyed when the scope or full expression is left.
  void keepAlive(ObjectId o);
  /// The temporaries that a reference was bound to live as long as it.
  void adoptExtended();
  /// Evaluates \p e, of which nobody takes the value.
  void discard(const clang::Expr &e);
  /// Destroys what was made since; it stays on the list for other ways out.
  void endLives(std::size_t since, ObjectId except = ObjectId());
  void leaveScope(std::size_t since);
  void destroyAs(const Pointer &at, const clang::CXXRecordDecl &record);
  void destroyElements(const Place &place, const Value &held);
  void destroyPointee(const Value &pointer);
  /// What the smart pointer at \p place, of the class \p type, owns goes with it.
  void release(const Place &place, clang::QualType type, const Value &held);
  /// What the smart pointer that \p call makes at \p at is given to release what it owns with.
  void keepDeleter(Call &call, const Pointer *at);
  /// The smart pointer \p o moves to where its deleter is not followed.
  void loseDeleter(ObjectId o);
  /// Whether something besides \p except may own what \p pointer leads to.
  bool isShared(const Value &pointer, const Place &except);
  Value leftBehind(const Value &v, clang::QualType type);

  // Parts (MachineValue.cpp)
  Value partOfList(const List &l, const Step &step, clang::QualType type);
  Value partOfMap(const Map &map, const Step &step, clang::QualType type);
  Value partOfSymbol(SymbolId s, const Step &step, clang::QualType type);
  Value unknownPart(ReasonId why, clang::QualType type);

  // Places (MachinePlace.cpp)
  Value with(const Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type);
  /// What `with` makes of a record (or of what is none yet), of a list, of a map: the part \p step of it is what
  /// \p changed makes of that.
  using Change = std::function<Value(const Value &)>;
  Value withField(const Value &v, const Step &step, const Change &changed, clang::QualType type);
  Value withElement(const List &old, const Step &step, const Change &changed, clang::QualType elementType);
  Value withEntry(const Value &v, const Step &step, const Change &changed, clang::QualType entryType);
  bool isSequence(clang::QualType type);
  /// The element \p step of \p l, of which is not known how many it has, is what \p changed makes of it.
  void changeUnsized(List &l, const Step &step, const Change &changed, clang::QualType elementType);
  /// The part of \p v that stands in it, to be changed in place; null where there is none of its own.
  static Value *ownPart(Value &v, const Step &step);
  /// What `with` makes, where \p v stands.
  void replace(Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type);
  /// What lies at a part itself, where \c peek follows what is a reference.
  Value heldAt(const Place &p);

  // What the code itself determines (MachineDetermined.cpp)
  bool isDetermined(const Value &v, unsigned &budget);
  bool isDetermined(const Pointer &p, unsigned &budget);
  /// All that \p call is given is determined, and it asks nobody else.
  bool isDetermined(const Call &call);
  /// \p made of \p inputs: where these are determined, so is it.
  Value madeOf(Value made, std::initializer_list<const Value *> inputs);
  /// What is left of what \p call was given, itself determined, is so too.
  void determine(const Call &call);

  // Several paths (MachineJoin.cpp)
  Value joined(const Value &a, const Value &b);
  Value joinRecords(const Record &a, const Record &b);
  Value joinLists(const List &a, const List &b);
  void mergeDeltas(std::span<const Delta *const> deltas, Meeting where);

  void forgetScouted();
  bool step();

  clang::ASTContext &context;
  Domain &dom;
  DimTable &dimTable;
  Limits limits;
  Store memory;
  std::vector<Object> objects;
  std::vector<SymbolInfo> symbols;
  std::map<std::pair<std::uint32_t, std::string>, Value> symbolParts;
  std::map<std::uint32_t, ObjectId> symbolPointees;
  /// What is run while one lives is run only to learn what it makes and writes: all it did is taken back
  /// in the end. Built and destroyed where the code is alive.
  class Trial {
  public:
    explicit Trial(Machine &machine);
    Trial(const Trial &) = delete;
    Trial &operator=(const Trial &) = delete;
    ~Trial();
    const Store::Mark mark; ///< where it began

  private:
    Machine &m;
    std::vector<Trace *> traces;
  };
  /// \p v means the same wherever it is read: it leads to nothing that was made on the way.
  bool isPlain(const Value &v, unsigned depth = 0) const;
  /// What was looked into since scouting began: to be looked into again.
  std::vector<std::pair<std::uint32_t, std::string>> newParts;
  std::vector<std::uint32_t> newPointees;
  std::vector<const clang::VarDecl *> newGlobals;
  unsigned timeless = 0; ///< objects made now were there all along
  /// By field of a closure that was made in a region: the outer variable that it is a copy of.
  llvm::DenseMap<const clang::FieldDecl *, Place> copies;
  llvm::DenseMap<const clang::VarDecl *, Pointer> globals;
  llvm::DenseMap<const clang::NamedDecl *, std::unique_ptr<std::string>> names;
  std::function<bool(const clang::FunctionDecl &)> ownCode;
  std::vector<std::string> reasons;
  llvm::StringMap<ReasonId> reasonIndex;
  std::vector<std::unique_ptr<Frame>> stack;
  llvm::DenseSet<const clang::Expr *> reachedCalls;
  llvm::DenseSet<const clang::FunctionDecl *> enteredFunctions;
  unsigned reentered = 0;
  class Summaries;
  unsigned repeating = 0;        ///< calls around of functions that were run before
  unsigned repeatedSteps = 0;    ///< since the outermost region was entered or left
  mutable bool asksPath = false; ///< somebody wanted to know on which path it is
  struct Body {
    Jump returns;
    const ReturnHandler *onReturn = nullptr;
  };
  std::vector<Body *> bodies;
  Jump *breaks = nullptr;
  Jump *continues = nullptr;
  /// Those further on in the blocks that are run, to which something jumps.
  struct Label {
    const clang::LabelDecl *decl = nullptr;
    Jump jump;
  };
  std::vector<Label> labels;
  std::vector<ObjectId> living;   ///< what is destroyed at the end of a scope, the youngest last
  std::vector<ObjectId> extended; ///< temporaries that live as long as the variable in hand
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> destroyed;
  llvm::DenseMap<std::pair<const clang::CXXRecordDecl *, unsigned>, bool> transferred; ///< by class, and how
  llvm::DenseMap<std::uint32_t, Value> deleters;                                       ///< by smart pointer
  /// By method and class: see \ref onlyOverrider.
  llvm::DenseMap<std::pair<const clang::CXXMethodDecl *, const clang::CXXRecordDecl *>, const clang::CXXMethodDecl *>
      overriders;
  std::uint64_t tripsAround = 1; ///< how often the loops around go round, all together
  unsigned regionDepth = 0;
  unsigned nestingDepth = 0;
  unsigned scoutDepth = 0;
  std::uint32_t pathNumber = 0;
  std::uint32_t lastPath = 0;
  std::uint32_t assumedNumber = 0;
  std::uint32_t lastAssumed = 0;
  unsigned stepsLeft = 0;
  std::size_t failures = 0;
  std::size_t openForks = 0; ///< places met where what is not determined says which way is gone
  Meeting met;               ///< where the ways that are being joined meet
  Decisions deciding;
  std::size_t damaged = 0;
  std::size_t gapCount = 0;
  bool isWeak = false;
  bool isFirstTrip = false;
  std::function<bool(const clang::FunctionDecl &)> isBroken;
  llvm::DenseMap<std::uint32_t, const clang::Expr *> allocations;
  bool isDead = false;
  const clang::CXXThrowExpr *raised = nullptr; ///< where it is dead: what did it, if an exception did
  bool exhausted = false;
  std::unique_ptr<Summaries> summaries;
  std::unique_ptr<class StandardLibrary> standard;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_MACHINE_H
