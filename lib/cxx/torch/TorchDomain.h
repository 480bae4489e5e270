//===- TorchDomain.h - libtorch for the interpreter -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tensor code does while it is interpreted becomes nodes of the graph model (docs/cxx-graph.md). A tensor is a
// handle to an object that holds the number of the graph's value: copies of a Tensor are the same tensor, and what
// changes its sizes in place changes it for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_TORCHDOMAIN_H
#define CONDLINT_CXX_TORCH_TORCHDOMAIN_H

#include "../Reading.h"
#include "../interp/machine/Machine.h"
#include "ModuleMembers.h"
#include "NodeDraft.h"
#include "Overloads.h"
#include "SourceMap.h"
#include "TorchState.h"
#include <functional>

namespace condlint::cxx {

class FixedCallables;
struct HostNumbers;
struct HostQuestion;

/// Whether the unit may call torch::set_default_dtype.
bool changesDefaultDtype(clang::ASTContext &ast);

class TorchDomain : public Domain, private TorchState {
public:
  TorchDomain(clang::ASTContext &ast, Model &model, const SourceOptions &options, bool defaultDtypeChanges);
  ~TorchDomain() override;

  /// Where it is looked up how the modules that are members of others are made.
  void lookUpMembersIn(ModuleMembers &members) { moduleMembers = &members; }
  /// Where it is looked up which function a member or a variable always holds.
  void lookUpCallablesIn(FixedCallables &callables) { fixedCallables = &callables; }
  void attach(Machine &m) { machine = &m; }
  void detach() { machine = nullptr; }
  /// Opens the graph of a root function; closes it again when it holds no conditional: returns false then.
  /// \p gap: where a statement of it may be missing, if one may.
  void beginFunction(const clang::FunctionDecl &f, clang::SourceLocation gap = {});
  bool endFunction();

  /// The positions of a cond's arguments, if \p f is one.
  std::optional<CondArguments> condArguments(const clang::FunctionDecl &f);

  // Domain
  std::string_view standardClass(std::string_view name) override;
  std::optional<Value> call(Machine &m, Call &c) override;
  std::optional<Value> construct(Machine &m, Call &c) override;
  bool writesNothing(const Call &c) override;
  Value opaqueCall(Machine &m, Call &c) override;
  std::optional<Value> input(Machine &m, const SymbolInfo &info) override;
  std::optional<Value> unknown(Machine &m, clang::QualType type, ReasonId why) override;
  std::optional<Value> join(Machine &m, const Value &a, const Value &b) override;
  Value onThisWay(Machine &m, const Value &v) override;
  bool followsFirstTrip() const override { return true; }
  std::optional<Value> havoc(Machine &m, const Value &v, ReasonId why) override;
  std::shared_ptr<const Datum> outline(Machine &m, const Value &v) override;
  std::optional<Value> widen(Machine &m, const Value &old, const Datum &outline, ReasonId why) override;
  Value anyElement(Machine &m, const Value &every) override;
  std::optional<Value> builtinOperator(Machine &m, unsigned opcode, bool unary, const Value &a, const Value &b,
                                       const clang::Expr *at) override;
  std::optional<Pointer> dereference(Machine &m, const Value &v, const clang::Expr *at) override;
  std::optional<Value> part(Machine &m, const Value &v, const Step &step, clang::QualType type) override;
  std::shared_ptr<const Test> comparison(Machine &m, unsigned opcode, const Number &a, const Number &b) override;
  void identify(Machine &m, Number &n) override;
  void leaveOpen(Machine &m, const Number &n) override;
  std::shared_ptr<const Test> question(Machine &m, const clang::Expr &condition) override;
  bool isExcluded(Machine &m, const Test &all) override;
  bool admits(const Test &test, bool truth) override;
  Value whatHolds(Machine &m) override;
  Dim leftByLoop(const Number &n) override;
  bool isLeftByLoop(const Number &n) override;
  void identifyByLoop(Number &n, Dim made) override;
  std::uint64_t lastIdentified() const override { return static_cast<std::uint64_t>(identified); }
  void onLoopLeft(Machine &m, std::span<const Number> numbers, std::vector<LoopEnd> ends,
                  std::uint64_t before) override;
  unsigned aspectsOf(const clang::CXXMethodDecl &method) const override;
  bool relatesAnswers() const override { return true; }
  void onNotAll(Machine &m, const Test &all) override;
  void onRead(Machine &m, const Place &p, const Value &v, const clang::Expr *at) override;
  void onWrite(Machine &m, const Place &p, const Value &v, const clang::Expr *at) override;
  std::optional<Value> onLeakRead(Machine &m, std::uint32_t leak, const clang::Expr *at) override;
  Value readExternal(Machine &m, ObjectId o, const clang::Expr *at) override;
  void writeExternal(Machine &m, ObjectId o, const Value &v, const clang::Expr *at) override;
  void onEffect(Machine &m, Effect effect, std::string_view name, const clang::Stmt *at) override;
  void onUnfollowed(Machine &, std::string_view why) override { unfollowed = why; }
  void onBrokenCall(Machine &m, const clang::FunctionDecl &callee, const clang::Expr *at) override;
  bool isPlain(const Value &v) const override;
  bool isEmptyWhenMoved(std::string_view name) const override;
  void beginDoubt(Machine &m, const clang::Stmt *at) override;
  std::size_t doubts() const override;
  void endDoubts(std::size_t count) override;
  std::optional<CallStart> beginCall(Machine &m) override;
  std::shared_ptr<const Datum> summarise(Machine &m, const CallStart &start,
                                         std::span<const std::pair<ObjectId, Value>> reads,
                                         std::span<const Token> results) override;
  bool isAlike(Machine &m, const Token &before, const Token &now) override;
  std::optional<std::vector<Token>> repeat(Machine &m, const Datum &recorded, std::span<const Value> now,
                                           std::string_view name, const clang::Expr *at) override;
  void beginScout() override;
  void endScout() override;

  Model &model() { return graphs; }
  Value newTensor(ValueId v);
  bool isTensor(const Value &v) const { return v.handle() && v.handle()->tag == TensorTag; }
  bool isUndefined(const Value &tensor) const;
  /// The graph's value of a tensor; a node that says why where there is none.
  /// \p v, or where it is one of several and the current path knows which one, `perhaps` that.
  ValueId knownOnThisWay(ValueId v, const clang::Stmt *at);
  ValueId perhaps(ValueId v, const clang::Stmt *at);
  /// What the head of a loop's trip holds: \p before, nothing yet, one of \p others, or \p made by a trip. Without
  /// the first two it stands for each element of a list.
  ValueId loopHead(ValueId before, bool mayBeNone, std::span<const ValueId> others, ValueId made);
  ValueId valueOf(const Value &v, const clang::Stmt *at, std::string_view why = "a value that is not followed");
  /// The tensor \p handle is \p now from here on (its sizes were changed in place, or more is known of it).
  void rebind(const Value &handle, ValueId now);
  const Type &typeOf(const Value &tensor);
  ValueId unknownValue(std::string_view why, const clang::Stmt *at, bool tensor = true);
  /// A tensor that is new or not followed, of which \p facts are known.
  ValueId unknownTensor(std::string_view why, const clang::Stmt *at, const Type &facts);
  /// A tensor that the call of \p name makes, of which \p facts are known.
  ValueId madeTensor(std::string_view name, const clang::Stmt *at, const Type &facts = {});
  /// More is known of the tensor in \p object: what \p facts says.
  void assume(ObjectId object, const Type &facts, const clang::Stmt *at);
  /// The two have the same of something from here on; what is found out of one of them later holds for the other.
  void remember(const SourceDatum &a, const SourceDatum &b);
  /// \p c holds from here on.
  void addConstraint(const NumberComparison &c);
  /// The tensors in the two objects are not the same: one that is the other or a copy of it is a copy.
  void tellApart(ObjectId a, ObjectId b);
  /// Whether it holds, as far as what constrains the current path says it.
  std::optional<bool> answerTo(const NumberComparison &c) const;
  /// All that \p c says where it holds is kept.
  bool isKept(const NumberComparison &c) const;
  bool isOfMade(const NumberComparison &c) const;
  HostNumbers hostNumbers() const;
  /// The current branch fails unless its parameter, the tensor in \p object, is as \p
  /// wanted says; nothing where the tensor is no parameter or other paths were left.
  void demand(ObjectId object, const Type &wanted);
  /// A literal for a number, as an operand; the value that made it where there is one.
  ValueId scalarValue(const Number &n);

  /// Appends the node, typed, to the graph that is being built.
  NodeId emit(NodeDraft &draft, std::size_t results, const clang::Stmt *at);
  NodeId emitIn(GraphId g, NodeDraft &draft, std::size_t results, const clang::Stmt *at);
  ValueId emitOne(NodeDraft draft, const clang::Stmt *at);
  /// True, and nothing more is recorded, once the outermost conditional is too large.
  bool full();
  GraphId graph() const { return scopes.empty() ? root : scopes.back().graph; }
  LocationId locate(const clang::Stmt *at);
  /// The calls in the current branch that lead here.
  Attribute callsAttribute();
  /// The NamedOptions with which the module \p s was made here; absent for others.
  Value optionsOf(SymbolId s) const;
  /// The tensor's elements are read on the host (`host_read`), or written where they lie (`store`).
  void emitElements(CxxOp access, const Value &tensor, const clang::Stmt *at);

private:
  friend class FacetTest;
  friend class SameFacetTest;
  // Its parts, each in the file of its topic.
  class AtenCalls;
  class BranchRuns;
  class CaptureFinder;
  class ConditionalCalls;
  class ConstraintTests;
  class FunctionalCalls;
  class Gradients;
  class HostFunctions;
  class Makers;
  class ModuleCalls;
  class OperandReader;
  class OutputReader;
  class Subscripts;
  class TensorFacts;
  class TensorMethods;
  class TensorQueries;
  struct Branch;
  struct Branches;
  struct Operands;
  enum class OperandForm : std::uint8_t;
  struct OperandParts;
  struct Variable;

  std::optional<Value> tensorMethod(Call &c, std::string_view name);
  /// Questions about a tensor's metadata; nothing where the method is none.
  std::optional<Value> tensorQuery(Call &c, std::string_view name);
  /// The memory format that \p c is given, or not, is the one by rows.
  bool asksRowMajor(Call &c);
  /// Whether the tensor's element type is of the class \p text (\ref elementClass).
  Value classQuery(const Value &self, std::string text);
  /// The number of \p element in this unit's headers.
  std::optional<std::int64_t> scalarTypeNumber(DType element) const;
  std::optional<Value> freeOperator(Call &c, std::string_view name);
  std::optional<Value> libraryFunction(Call &c, std::string_view scope, std::string_view name);
  std::optional<Value> hostFunction(Call &c, std::string_view name);
  std::optional<Value> smallClass(Call &c, std::string_view cls, std::string_view name);
  std::optional<Value> annotation(Call &c, std::string_view name);
  std::optional<Value> errorFunction(Call &c, std::string_view name);
  Value aten(Call &c, std::string_view name);
  Value atenNamed(Call &c, std::string_view name, const Value *self);
  void addArgument(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c, bool needsAll);
  void addOptions(NodeDraft &d, const Value &options);
  Value compareLists(const List &a, const List &b, bool equal);
  Value assignInto(const Value &tensor, const Value &v, const clang::Expr *at);
  Value itemOf(const Value &tensor, clang::QualType type, const clang::Expr *at);
  Value sizeAt(const Value &tensor, const Value &dim, const clang::Expr *at);
  /// A copy of \p tensor that lies like it.
  Value copied(const Value &tensor, const clang::Stmt *at);
  /// Whether \p a is \p b (or is not, where \p equal says so), and shares storage with it at all where it may be it.
  Value sameTensor(const Value &a, const Value &b, bool equal);
  std::shared_ptr<SourceDatum> sourceOf(SourceDatum::Facet facet, const Value &tensor, std::int64_t index = 0);
  Value number(Number::Kind kind, Provenance p, SourceDatum::Facet facet, const Value &tensor, std::int64_t index = 0);
  Value truthOf(const Value &tensor, SourceDatum::Facet facet, std::optional<bool> known, std::string text = {});
  /// A call that is not seen into; a tensor that it returns is as \p facts says.
  Value opaqueTensors(Call &c, std::string_view name, const Type &facts = {});
  DType dtypeOf(const Value &v);
  DeviceDatum deviceOf(const Value &v);
  /// A view of \p of nobody knows which part, whichever it stands for.
  NodeDraft anyPart(ValueId of);
  Value genericView(const Value &tensor, const clang::Stmt *at);
  Value conditional(Call &c, const CondArguments &where);
  void forgetConstraints();
  bool isConstraints(const Value &v) const;
  /// Nothing is known where \p v is what is known on the current path.
  bool constrainsNothing(const Value &v) const;
  /// What constrains sizes that the code names, as expressions that are not negative.
  std::vector<Dim> admittedSizes() const;
  std::optional<Value> joinConstraints(const Value &a, const Value &b) const;
  /// The value that was the first to have the sizes and the type of \p v: nothing but assumptions, and handing
  /// it to a branch, lie between. None for one that stands for several tensors.
  ValueId metadataOf(ValueId v) const;
  ValueId metadataOfTensor(const Value &tensor);
  /// The size of \p v along \p axis by its name, where the type of \p v does not say more.
  Dim nameOfSize(ValueId v, std::int64_t axis, Dim made);
  Dim identityOf(const std::string &question);
  Dim identityOf(const SourceDatum &s);
  Dim identityOf(const Number &n);
  /// The test of \p c, which says \p fact of tensors.
  std::shared_ptr<const Test> asking(const NumberComparison &c, std::shared_ptr<const Test> fact);
  /// What a comparison says of the tensors that are measured; null for nothing.
  std::shared_ptr<const Test> factOf(unsigned opcode, const Number &a, const Number &b);
  /// What is known of \p from holds for \p to.
  void tellAlike(const SourceDatum &from, const SourceDatum &to);
  /// Tells those that are like the tensor in \p object what is known of it.
  void spread(ObjectId object);
  ValueId withoutAssumptions(ValueId v, const std::function<void(ValueId)> &visit = nullptr) const;
  void recordDemand(ValueId parameter, const Type &wanted);
  /// The calls from the frame \p first on that lead to the frame \p last.
  Attribute callsBetween(std::size_t first, std::size_t last);
  bool holdsTensors(clang::QualType type, unsigned depth = 0);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_TORCHDOMAIN_H
