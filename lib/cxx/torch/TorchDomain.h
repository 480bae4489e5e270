//===- TorchDomain.h - libtorch for the interpreter -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tensor code does while it is interpreted becomes nodes of the graph
// model (docs/cxx-graph.md). A tensor is a handle to an object that holds the
// number of the graph's value: copies of a Tensor are the same tensor, and what
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
#include "TorchData.h"
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace condlint::cxx {

/// A branch that is being interpreted: a region of the interpreter.
struct BranchScope {
  GraphId graph;
  ObjectId callable;      ///< the closure or functor that is the branch
  std::size_t frame = 0;  ///< how many frames stood when it was entered
  std::uint32_t path = 0; ///< the machine's path when it was entered
  bool returned = false;  ///< some way has left it
  /// What decides here whether that runs that is being read; see `Domain::beginDoubt`.
  std::vector<LocationId> doubts;
  std::vector<Capture> captures;
  /// By variable, value, content and whether it can differ: which of them.
  std::set<std::tuple<std::int64_t, std::uint32_t, CaptureContent, bool>> captured;
  std::set<std::int64_t> written; ///< variables and parts of them
  std::set<ObjectId> pointees;    ///< objects of outside to which its operands lead
  /// The parts of variables of outside that it reads, and where it does first.
  struct Read {
    std::int64_t number = -1;
    std::int64_t whole = -1;
    LocationId at;
  };
  std::vector<Read> reads;
  std::set<std::int64_t> read; ///< their numbers

  /// It has written the part \p number of the variable \p whole, or all of that.
  bool wrote(std::int64_t number, std::int64_t whole) const {
    return written.contains(number) || written.contains(whole);
  }
};

class FixedCallables;
struct HostQuestion;

/// Whether the unit may call torch::set_default_dtype.
bool changesDefaultDtype(clang::ASTContext &ast);

class TorchDomain : public Domain {
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
  Value opaqueCall(Machine &m, Call &c) override;
  std::optional<Value> input(Machine &m, const SymbolInfo &info) override;
  std::optional<Value> unknown(Machine &m, clang::QualType type, ReasonId why) override;
  std::optional<Value> join(Machine &m, const Value &a, const Value &b) override;
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
  std::shared_ptr<const Test> question(Machine &m, const clang::Expr &condition) override;
  bool isExcluded(Machine &m, const Test &all) override;
  void onNotAll(Machine &m, const Test &all) override;
  void onRead(Machine &m, const Place &p, const Value &v, const clang::Expr *at) override;
  void onWrite(Machine &m, const Place &p, const Value &v, const clang::Expr *at) override;
  std::optional<Value> onLeakRead(Machine &m, std::uint32_t leak, const clang::Expr *at) override;
  Value readExternal(Machine &m, ObjectId o, const clang::Expr *at) override;
  void writeExternal(Machine &m, ObjectId o, const Value &v, const clang::Expr *at) override;
  void onEffect(Machine &m, Effect effect, std::string_view name, const clang::Stmt *at) override;
  void onBrokenCall(Machine &m, const clang::FunctionDecl &callee, const clang::Expr *at) override;
  bool isPlain(const Value &v) const override;
  bool isEmptyWhenMoved(std::string_view name) const override {
    return name == "at::Tensor" || name == "at::TensorBase";
  }
  void beginDoubt(Machine &m, const clang::Stmt *at) override;
  std::size_t doubts() const override;
  void endDoubts(std::size_t count) override;
  std::optional<CallStart> beginCall(Machine &m) override;
  std::shared_ptr<const Datum> summarise(Machine &m, const CallStart &start,
                                         std::span<const std::pair<ObjectId, Value>> reads,
                                         std::span<const Token> results) override;
  bool isAlike(Machine &m, const Token &before, const Token &now) override;
  std::optional<std::vector<Token>> repeat(Machine &m, const Datum &told, std::span<const Value> now,
                                           std::string_view name, const clang::Expr *at) override;
  void beginScout() override;
  void endScout() override;

  // --- tensors (Tensors.cpp) --------------------------------------------------
  Model &model() { return graphs; }
  Value newTensor(ValueId v);
  bool isTensor(const Value &v) const { return v.handle() && v.handle()->tag == TensorTag; }
  bool isUndefined(const Value &tensor) const;
  /// The graph's value of a tensor; a node that says why where there is none.
  /// \p v, or where it is one of several and the way in hand knows which one, `perhaps` that.
  ValueId onThisWay(ValueId v, const clang::Stmt *at);
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
  /// The two have the same of something from here on; what is found out of one of them later
  /// holds for the other.
  void remember(const SourceDatum &a, const SourceDatum &b);
  /// \p c holds from here on.
  void settle(const NumberComparison &c);
  /// The tensors in the two objects are not the same: one that is the other or a copy of it is a copy.
  void tellApart(ObjectId a, ObjectId b);
  /// Whether it holds, as far as what was settled on the way here says it.
  std::optional<bool> answerTo(const NumberComparison &c) const;
  /// The branch in hand fails unless its parameter, the tensor in \p object, is as \p
  /// wanted says; nothing where the tensor is no parameter or other ways were left.
  void demand(ObjectId object, const Type &wanted);
  /// A literal for a number, as an operand; the value that made it where there is one.
  ValueId scalarValue(const Number &n);

  // --- nodes (Tensors.cpp) ------------------------------------------------------
  /// Appends the node, typed, to the graph that is being built.
  NodeId emit(NodeDraft &draft, std::size_t results, const clang::Stmt *at);
  NodeId emitIn(GraphId g, NodeDraft &draft, std::size_t results, const clang::Stmt *at);
  ValueId emitOne(NodeDraft draft, const clang::Stmt *at);
  /// True, and nothing more is recorded, once the outermost conditional is too large.
  bool full();
  GraphId graph() const { return scopes.empty() ? root : scopes.back().graph; }
  LocationId locate(const clang::Stmt *at);
  /// The calls in the branch in hand that lead here.
  Attribute callsAttribute();
  /// The NamedOptions with which the module \p s was made here; absent for others.
  Value optionsOf(SymbolId s) const;
  /// The tensor's elements are read on the host (`host_read`), or written where they lie (`store`).
  void emitElements(std::string_view access, const Value &tensor, const clang::Stmt *at);

private:
  friend class FacetTest;
  friend class SameFacetTest;
  struct BranchResult;

  // Calls (TorchCalls.cpp, Aten.cpp, TensorMethods.cpp, TensorQueries.cpp, Factories.cpp, HostFunctions.cpp,
  // Indexing.cpp, Modules.cpp, Functional.cpp, Gradients.cpp)
  std::optional<Value> tensorMethod(Call &c, std::string_view name);
  Value itemMethod(Call &c);
  std::optional<Value> indexMethod(Call &c, std::string_view name);
  Value elementsMethod(Call &c);
  Value contiguousMethod(Call &c);
  Value mutableGradMethod(Call &c);
  Value gradMethod(Call &c);
  Value backwardMethod(Call &c);
  Value toDevice(Call &c, std::string_view device);
  Value toTypeMethod(Call &c);
  Value requiresGradMethod(Call &c);
  Value gradientOf(const Value &tensor, const clang::Expr *at);
  Value dataMethod(Call &c);
  Value setDataMethod(Call &c);
  Value unseenMethod(Call &c);
  Value printMethod(Call &c);
  Value resetMethod(Call &c);
  /// `x.to(y.options())`, `x.to(y.dtype())`: a conversion to what another tensor is; nothing for others.
  std::optional<Value> toLike(Call &c);
  /// Questions about a tensor's metadata; nothing where the method is none.
  std::optional<Value> tensorQuery(Call &c, std::string_view name);
  /// One whose answer nobody knows.
  Value openQuery(Call &c, std::string_view name);
  /// The memory format that \p c is given, or not, is the one by rows.
  bool asksRowMajor(Call &c);
  Value definedQuery(Call &c, const Value &self);
  Value sameQuery(Call &c, const Value &self);
  Value rankQuery(Call &c, const Value &self);
  Value sizeQuery(Call &c, const Value &self);
  Value sizesQuery(Call &c, const Value &self);
  Value countQuery(Call &c, const Value &self);
  Value strideQuery(Call &c, const Value &self);
  Value stridesQuery(Call &c, const Value &self);
  Value dtypeQuery(Call &c, const Value &self);
  Value deviceQuery(Call &c, const Value &self);
  Value optionsQuery(Call &c, const Value &self);
  Value onDeviceQuery(const Value &self, std::string_view wanted);
  Value elementSizeQuery(Call &c, const Value &self);
  Value bytesQuery(Call &c, const Value &self);
  Value layoutQuery(Call &c, const Value &self);
  Value sparseQuery(Call &c, const Value &self);
  Value quantizedQuery(Call &c, const Value &self);
  /// Whether the tensor's element type is of the class \p text (\ref elementClass).
  Value classQuery(const Value &self, std::string text);
  /// The number of \p element in this unit's headers.
  std::optional<std::int64_t> scalarTypeNumber(DType element) const;
  Value numberOf(Dim size);
  std::optional<Value> tensorOperator(Call &c, std::string_view name);
  std::optional<Value> freeOperator(Call &c, std::string_view name);
  std::optional<Value> libraryFunction(Call &c, std::string_view scope, std::string_view name);
  /// Of a factory: `x.options()` makes the new tensor like x, whatever x is. Nothing without.
  std::optional<Value> madeLike(Call &c, std::string_view name);
  /// A function of libtorch that is none of ours; nothing where bodies of the user's own are to be looked into, or
  /// where what it is given is changed.
  std::optional<Value> opaqueFunction(Call &c);
  // Functions of numbers, sizes and element types (HostFunctions.cpp).
  std::optional<Value> hostFunction(Call &c, std::string_view name);
  Value same(Call &c, const std::vector<Value> &given);
  Value integerRange(Call &c, const std::vector<Value> &given);
  Value messageOf(Call &c, const std::vector<Value> &given);
  Value productOf(Call &c, const std::vector<Value> &given);
  Value sumOf(Call &c, const std::vector<Value> &given);
  Value isFloatingType(Call &c, const std::vector<Value> &given);
  Value isComplexType(Call &c, const std::vector<Value> &given);
  Value isIntegralType(Call &c, const std::vector<Value> &given);
  Value elementSize(Call &c, const std::vector<Value> &given);
  Value promoted(Call &c, const std::vector<Value> &given);
  /// Whether the element type that \p type is the number of is of the class \p text (\ref elementClass).
  Value isOfClass(const Value &type, std::string text);
  Value folded(unsigned opcode, std::int64_t first, const std::vector<Value> &given, const clang::Expr *at);
  // What constructors make.
  Value makeTensor(Call &c, const std::vector<Value> &given);
  Value makeScalar(Call &c, const std::vector<Value> &given);
  Value makeComplex(Call &c, const std::vector<Value> &given);
  Value makeOptions(Call &c, const std::vector<Value> &given);
  Value makeDevice(Call &c, const std::vector<Value> &given);
  Value makeSlice(Call &c, const std::vector<Value> &given);
  Value makeIndex(Call &c, const std::vector<Value> &given);
  Value makeExpanding(Call &c, const std::vector<Value> &given);
  Value makeFirst(Call &c, const std::vector<Value> &given);
  Value makeIValue(Call &c, const std::vector<Value> &given);
  Value makeLogger(Call &c, const std::vector<Value> &given);
  Value makeModule(Call &c, const std::vector<Value> &given);
  // Methods of libtorch's small classes; assignments are answered before.
  std::optional<Value> smallClass(Call &c, std::string_view cls, std::string_view name);
  Value optionsMethod(Call &c, std::string_view name);
  Value scalarMethod(Call &c, std::string_view name);
  Value deviceMethod(Call &c, std::string_view name);
  Value typeMetaMethod(Call &c, std::string_view name);
  Value accessorMethod(Call &c, std::string_view name);
  /// A method of any other object of libtorch's: what it does with tensors is not known.
  Value opaqueMethod(Call &c);
  Value scalarAs(const Value &scalar, clang::QualType type);
  Value ivalue(Call &c, std::string_view name);
  /// What the function of torch::nn::functional that is called so makes of \p inputs, and
  /// of \p options where they are \p known; nothing where that is not known.
  std::optional<Value> applyFunction(std::string_view function, const std::vector<Value> &inputs, const Value &given,
                                     bool known, Call &c);
  /// The same of a function that is one operator; \p inPlace: it writes to the first of \p inputs.
  std::optional<Value> operatorRow(std::string_view function, const std::vector<Value> &inputs,
                                   const NamedOptions *with, bool inPlace, Call &c);
  /// Functions that are several operators.
  std::optional<Value> composedFunction(std::string_view function, const std::vector<Value> &inputs,
                                        const NamedOptions *with, Call &c);
  /// An option that is asked for, or set (of `torch::nn::LinearOptions` and its like).
  Value moduleOption(Call &c, std::string_view name);
  /// The module in a holder is called.
  Value runHeld(Call &c);
  Value runModule(Call &c, std::string_view cls);
  /// \p c puts modules into the container of modules that it is a method of.
  void fillModule(Call &c);
  /// A method of what named_parameters() and the like return, or of an item of it.
  std::optional<Value> orderedDict(Call &c, std::string_view cls, std::string_view name);
  Value runSequential(Call &c, const Value &self, const NamedOptions &modules, Value input);
  /// What a recurrent module returns for \p input: tensors of its element type and rank.
  Value recurrentResult(const Value &input, clang::QualType type, const Call &c);
  /// A backward pass from \p loss.
  void takeBack(const Value &loss, const clang::Expr *at);
  std::optional<Value> autograd(Call &c, std::string_view name);
  /// The gradient of \p tensor is changed by \p by.
  void changeGradient(const Value &tensor, std::string_view by, const clang::Expr *at);
  /// Where \p written is the gradient of a tensor, that one's changes.
  void noteGradientWrite(const Value &written, std::string_view by, const clang::Expr *at);
  /// torch::nn::utils::clip_grad_norm_ and its kin.
  std::optional<Value> gradientUtility(Call &c, std::string_view name);
  /// What the parameter or buffer \p info of a module of libtorch has by its class and by the module's options;
  /// its sizes are in \p dims.
  Type parameterFacts(const SymbolInfo &info, std::vector<Dim> &dims);
  /// The NamedOptions with which the module was made whose part \p s is, or which it is.
  Value madeWith(SymbolId s);
  std::optional<Value> moduleCall(Call &c, std::string_view cls, std::string_view name);
  void writesModule(const Call &c);
  std::optional<Value> parametersOf(Call &c);
  /// One tensor, of the type \p tensor, for all that the module or optimiser of the call has, called \p what.
  std::optional<Value> anyParameter(Call &c, std::string_view what, clang::QualType tensor);
  /// The gradients, or the elements, of all parameters of the module or optimiser change.
  bool changesParameters(Call &c, std::string_view access);
  std::optional<Value> optimizerCall(Call &c, std::string_view name);
  std::optional<Value> functional(Call &c, std::string_view name);
  std::optional<Value> annotation(Call &c, std::string_view name);
  std::optional<Value> errorFunction(Call &c, std::string_view name);
  Value aten(Call &c, std::string_view name);
  Value atenNamed(Call &c, std::string_view name, const Value *self);
  Value results(Call &c, NodeDraft &draft, const AtenOverload &overload, const std::vector<Value> &written);
  /// What the call gives, by the positions of the schema; its TensorOptions go to \p with.
  std::vector<std::pair<std::size_t, Value>> inSchemaOrder(Call &c, const Value *self,
                                                           const std::vector<AtenParameter> &given,
                                                           const AtenOverload &overload, Value &with);
  /// A tensor that a factory made asks for no gradient unless the options \p with say so.
  void recordGradient(const Value &made, const Value &with, const clang::Expr *at);
  void addArgument(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c, bool needsAll);
  void addTensors(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c, bool needsAll);
  void addNumber(NodeDraft &d, const AtenParameter &p, const Value &v, const Call &c);
  /// The tensor whose sizes the list \p v is, where it is not known how many they are; else none.
  ValueId tensorOfSizes(const Value &v);
  void addIntegers(NodeDraft &d, std::string_view name, const Value &v);
  void addBools(NodeDraft &d, std::string_view name, const Value &v);
  void addDevice(NodeDraft &d, std::string_view name, const Value &v);
  void addOptions(NodeDraft &d, const Value &options, bool factory);
  std::optional<std::size_t> listLength(const NodeDraft &d);
  /// A copy of elements of \p view that nobody knows.
  Value indexUnknown(const Value &view, const clang::Expr *at);
  Value index(const Value &self, const std::vector<Value> &indices, const clang::Expr *at, bool *copies,
              std::vector<ValueId> *tensors = nullptr);
  Value indexAssign(const Value &self, Value where, const Value &v, const clang::Expr *at, bool accumulate);
  ValueId scalarTensor(const Number &n, const clang::Expr *at);
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
  std::optional<Value> factory(Call &c, std::string_view name);
  /// A call that is not seen into; a tensor that it returns is as \p facts says.
  Value opaqueTensors(Call &c, std::string_view name, const Type &facts = {});
  DType dtypeOf(const Value &v);
  DeviceDatum deviceOf(const Value &v);
  /// A view of \p of nobody knows which part, whichever it stands for.
  NodeDraft anyPart(ValueId of);
  Value genericView(const Value &tensor, const clang::Stmt *at);

  // Conditionals (Conditionals.cpp)
  struct Branch;
  struct Branches;
  struct Operands;
  enum class OperandForm : std::uint8_t;
  Value conditional(Call &c, const CondArguments &where);
  void addPredicate(NodeDraft &d, Argument &a);
  /// Adds to the graph of \p b after it is finished.
  void inScope(Branch &b, const std::function<void()> &record);
  /// What \p b left in variables of outside is there from here on.
  void leaveWrites(const Branch &b);
  void readAcross(Branch &reader, const Branch &writer, const Call &c);
  /// The branches' results, and how many the conditional has.
  std::size_t settleResults(Branches &branches, const Call &c);
  void addPlace(NodeDraft &d, std::string_view name, LocationId at);
  /// The two branches as arguments; those that have a graph are returned.
  std::vector<GraphId> addRegions(NodeDraft &d, const Branches &branches, bool adapted);
  /// Where the branches stand, and their names.
  void addBranches(NodeDraft &d, const Branches &branches);
  bool doesNotCompile(const Call &c, const Branches &branches) const;
  /// What was run before \p c, or what \p c stands in, may lack a statement.
  bool isBehindGap(const Call &c) const;
  Value resultOf(const Call &c, NodeId conditional, const Branches &branches);
  /// Adds the conditional's node, called after its place.
  NodeId emitConditional(NodeDraft &d, std::size_t results, const clang::Expr *at);

  // Operands (Operands.cpp)
  struct OperandParts;
  Operands operandsOf(Call &c, const CondArguments &where, Argument &branch);
  /// The operands that are written as one argument, \p given, as \p branch takes them.
  void collectOperands(Operands &o, Argument &given, Argument &branch);
  /// The operand \p v of the type \p type, each of its parts being what \p parts makes of it.
  Value mapOperand(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  Value mapRecord(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  Value mapPointer(const Value &v, clang::QualType type, const OperandParts &parts, unsigned depth);
  /// A class of which the fields are what it holds: none of a library, and no module.
  bool isOwnStruct(clang::QualType type);
  bool isPointerLike(clang::QualType type);
  /// A container of which it is not known what it holds.
  bool isOpen(const Value &leaf, clang::QualType type);
  /// The operands as the branch sees them: the same structure over its parameters.
  std::vector<Argument> branchArguments(Branch &b, const Operands &operands);
  Value asParameter(Branch &b, const Value &v, clang::QualType type, std::size_t &next);
  /// A container of the type \p type of which all tensors are parts of the \p parameter.
  Value openParameter(ValueId parameter, clang::QualType type);
  /// The parameter in whose container \p part lies; none for other values.
  ValueId openOperandOf(const SymbolInfo &part) const;
  Value partOfOperand(ValueId parameter, const clang::Stmt *at);

  // Branches (Branches.cpp)
  Branch runBranch(std::string_view role, Argument &callable, const Operands &operands, const Call &c);
  void findFunction(Branch &b, const Value &target, const Operands &operands);
  /// As many as the branch has: others than operands where it takes too few or too many.
  void addParameters(Branch &b, const Value &target, const Operands &operands, const Call &c);
  /// What kind of value the branch declares where it is another than \p given is.
  void recordKind(ValueId parameter, const Value &given, clang::QualType type);
  void runBody(Branch &b, const Pointer &at, std::vector<Argument> arguments, const clang::Expr *callable,
               const Call &c);
  void noteReturn(Branch &b, const Value &value, const clang::ReturnStmt *statement, const clang::Expr *callable,
                  const Call &c);
  /// Says on the node of \p statement where it spells its outputs.
  void noteWritten(NodeDraft &d, const clang::ReturnStmt &statement, const clang::FunctionDecl &function,
                   std::size_t outputs);
  /// What the branch demands of its parameters on every way.
  void recordDemands(const Branch &b);
  /// What it returns on one of its ways.
  void joinReturns(Branch &b, const Call &c);

  ValueId tensorOf(NodeDraft &d, const clang::Stmt *at, Type facts);
  /// \p v, of which \p facts are known besides.
  ValueId assumed(ValueId v, const Type &facts, const clang::Stmt *at);

  // What is settled (Settled.cpp, Facts.cpp)
  void forgetSettled();
  bool isSettled(const Value &v) const;
  /// Nothing is known where \p v is what is known on the path in hand.
  bool settlesNothing(const Value &v) const;
  /// What is settled of sizes that the code names, as expressions that are not negative.
  std::vector<Dim> admittedSizes() const;
  std::optional<Value> joinSettled(const Value &a, const Value &b) const;
  /// The value that was the first to have the sizes and the type of \p v: nothing but assumptions, and handing
  /// it to a branch, lie between. None for one that stands for several tensors.
  ValueId metadataOf(ValueId v) const;
  ValueId metadataOfTensor(const Value &tensor);
  /// The size of \p v along \p axis by its name, where the type of \p v does not say more.
  Dim nameOfSize(ValueId v, std::int64_t axis, Dim made);
  // What is not known as an expression that is equal where the same is asked again; unknown where that is not sure.
  Dim identityOf(const std::string &question);
  Dim identityOf(const SourceDatum &s);
  Dim identityOf(const Number &n);
  std::shared_ptr<const Test> testOf(const HostQuestion &q);
  /// The test of \p c, which says \p told of tensors.
  std::shared_ptr<const Test> asking(const NumberComparison &c, std::shared_ptr<const Test> told);
  /// What a comparison says of the tensors that are measured; null for nothing.
  std::shared_ptr<const Test> factOf(unsigned opcode, const Number &a, const Number &b);
  /// What is known of \p from holds for \p to.
  void tellAlike(const SourceDatum &from, const SourceDatum &to);
  /// Tells those that are like the tensor in \p object what is known of it.
  void spread(ObjectId object);
  /// \p plain with what is known of it both as \p a and as \p b.
  ValueId withBoth(ValueId plain, ValueId a, ValueId b);
  ValueId withoutAssumptions(ValueId v, const std::function<void(ValueId)> &visit = nullptr) const;
  void recordDemand(ValueId parameter, const Type &wanted);

  // Outputs (Outputs.cpp)
  void flatten(std::vector<ValueId> &out, bool &known, const Value &v, clang::QualType type, const clang::Stmt *at,
               unsigned depth = 0);
  /// The list \p v of unknown length: what each of its elements is, where that is something of outside.
  void flattenOpenList(std::vector<ValueId> &out, const Value &v, clang::QualType type, const clang::Stmt *at);
  Value rebuild(const Value &pattern, clang::QualType type, const std::vector<ValueId> &leaves, std::size_t &next,
                unsigned depth = 0);
  std::optional<std::size_t> leafCount(clang::QualType type, unsigned depth = 0);
  ValueId literalOf(const Value &v);

  // Captures (Captures.cpp)
  struct Variable {
    std::int64_t number = -1; ///< of the part that is used: a field of a struct, what a pointer leads to
    std::int64_t whole = -1;  ///< of the variable itself; the same where it has no parts
    std::string name;
    CaptureKind kind = CaptureKind::Reference;
    bool own = false;      ///< a by-value copy in the closure itself
    bool isObject = false; ///< the object of the method around the branch itself, not one of its members
    bool canSplit = false; ///< a field of it is a part of its own
  };
  Variable variableOf(const Place &p, const BranchScope &scope);
  std::string pointerTo(ObjectId o, const BranchScope &scope) const;
  /// Says of a `cxx.read` or `cxx.write` which variable it is, or which part of one.
  void addVariable(NodeDraft &d, std::int64_t number, std::int64_t whole);
  /// The calls from the frame \p first on that lead to the frame \p last.
  Attribute callsBetween(std::size_t first, std::size_t last);
  std::int64_t variableNumber(ObjectId top, const std::string &key, const std::string &name);
  /// The object in which the value from outside lies in the end, and the member of it that leads there.
  ObjectId topOf(ObjectId o) const;
  std::string memberTo(SymbolId s) const;
  /// Where \p v, which is used at \p at, is named in the branch: at the call of its own method; it is used as a
  /// \p module where that is one of a module.
  LocationId useOf(const Variable &v, const clang::Expr *at, const BranchScope &scope, Attribute &calls, bool &module);
  BranchScope *outermostScope(ObjectId o);
  bool holdsTensors(clang::QualType type, unsigned depth = 0);
  bool holdsNumbers(clang::QualType type) const;
  /// What the value \p v at \p p is to a branch that reads it at \p at; \c Other for what cannot matter.
  Capture captured(const Place &p, const Value &v, const clang::Expr *at);
  /// What is left of \p after, which a branch wrote over \p before in the variable at \p p.
  Value leaked(const Place &p, const Value &before, const Value &after, const BranchScope &scope, unsigned depth = 0);

  clang::ASTContext &ast;
  Model &graphs;
  const SourceOptions &options;
  bool defaultDtypeChanges;
  Machine *machine = nullptr;
  ModuleMembers *moduleMembers = nullptr;
  FixedCallables *fixedCallables = nullptr;
  SourceMap places;
  GraphId root;
  Model::Extent beforeRoot;
  const clang::FunctionDecl *rootFunction = nullptr;
  clang::SourceLocation rootGap;
  std::size_t gapsInBranches = 0; ///< of conditionals that are finished
  bool rootHasNodes = false;
  std::size_t rootConditionals = 0;
  std::vector<BranchScope> scopes;
  std::map<const clang::FunctionDecl *, std::optional<CondArguments>> conds;
  std::map<std::int64_t, DType> scalarTypes; ///< by the numbers of this unit's headers
  std::map<std::pair<std::uint32_t, std::string>, std::int64_t> variables;
  /// What the copies that closures hold, by object and name, are copies of, as it was found first.
  std::map<std::pair<std::uint32_t, std::string>, std::pair<ObjectId, std::string>> copiedVariables;
  std::vector<std::string> variableNames;
  /// What came out of a branch through a variable; the numbers of `Unknown::leak`, from 1.
  struct Leak {
    std::int64_t variable = -1;
    std::int64_t whole = -1;
    Value before;       ///< what stood there
    bool other = false; ///< the other branch is run, for which that still stands there
  };
  std::vector<Leak> leaks;
  std::map<std::pair<std::uint32_t, std::int64_t>, Value> sizes;   ///< by value and dimension
  std::map<std::string, const clang::FunctionDecl *> symbolOwners; ///< of the sizes that annotations name
  std::map<std::uint32_t, Value> moduleOptions;                    ///< by the symbol of a module that was made here
  std::map<std::uint32_t, std::pair<std::uint32_t, unsigned>> moduleWays; ///< the path and region in which it was
  std::map<std::uint32_t, ValueId> openOperands; ///< by the symbol of a container: the parameter that it is
  ObjectId onPath;                               ///< holds what is settled on the path in hand
  std::map<std::uint32_t, ValueId> operandOf;    ///< by the parameter of a branch
  std::map<std::pair<std::uint32_t, std::int64_t>, Dim> sizeNames; ///< by value and dimension
  std::int64_t identified = 0;                                     ///< numbers that have a name of their own
  bool spreading = false;
  std::size_t budget = 0; ///< values that the outermost conditional may still have
  bool overflown = false;
  ValueId poison;
  struct Scouted {
    Model::Extent extent;
    std::vector<BranchScope> scopes;
    std::map<std::pair<std::uint32_t, std::int64_t>, Value> sizes;
    std::size_t conditionals = 0, budget = 0;
    bool overflown = false;
    ValueId poison;
  };
  std::optional<Scouted> scouted;
  std::size_t everNodes = 0, everValues = 0; ///< how many there ever were of those that were taken back
  /// A value that is one of several, and where these met.
  struct Joined {
    Meeting where;
    std::uint32_t decision = 0; ///< the last one that was made before
  };
  std::map<std::uint32_t, Joined> joined; ///< by value
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_TORCHDOMAIN_H
