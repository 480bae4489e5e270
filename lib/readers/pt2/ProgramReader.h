//===- ProgramReader.h - An ExportedProgram to a model ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_READERS_PT2_PROGRAMREADER_H
#define CONDLINT_LIB_READERS_PT2_PROGRAMREADER_H

#include "TypeReader.h"
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace condlint::pt2 {

/// Reads the JSON of one ExportedProgram in one pass, in the order of the file.
/// What the file has in another order than torch writes it is read too. The
/// names of a graph are its own (a branch sees no outer name), so one table
/// indexed by name serves all graphs: an entry belongs to the graph that is
/// open, and what it replaced comes back when that graph closes.
class ProgramReader : public TypeReader {
public:
  /// \p old: the old layout, written by torch 2.7 or older, which records the storage
  /// offset of a view as 0.
  ProgramReader(Model &model, JsonCursor &cursor, bool old) : TypeReader(model, cursor), oldLayout(old) {}

  /// The document at the cursor. Contradictions become issues of the model;
  /// only what is no JSON makes the cursor fail.
  void read();

private:
  // --- ProgramReader.cpp -----------------------------------------------------
  void program(std::string_view key);
  void graphModule();
  // --- ModuleCalls.cpp -------------------------------------------------------
  /// The calls of modules, of which the first is that of the program: torch takes from it how inputs and outputs are
  /// nested.
  void moduleCalls();
  /// How values are nested, as torch's pytree serializes it.
  struct Nesting {
    std::optional<std::size_t> leaves;
    std::optional<std::size_t> positional; ///< of a call: how many values come by position
    std::vector<std::string> keywords;     ///< of a call: the names of the others
  };
  /// The names of what a call passes; not known where they are not given, or given otherwise than as names.
  struct CallNames {
    std::vector<std::string> list;
    bool areKnown = false;
  };
  void callSignature(bool isProgram);
  /// \p isCall: it is what a call of the program passes.
  Nesting nesting(bool isCall);
  void forwardNames(CallNames &names);
  void checkNames(const CallNames &names, const Nesting &inputs);
  struct Call {
    Nesting inputs, outputs;
    CallNames names;
  };
  /// Holds what the first call says against the signature, where that agrees with the graph.
  void checkCall();
  void schemaVersion();
  void torchVersion();
  void opsets();
  void rangeConstraints();
  void boundOfString(std::int64_t &limit);
  void applyBounds();
  void checkHints(const std::string &symbol, const SymbolFacts &facts, const Interval &range);
  void judgeUnknownKinds();

  // --- Signature.cpp ---------------------------------------------------------
  struct OutputKind;
  static std::span<const OutputKind> outputKinds();
  struct InputSpec {
    StringId name;   ///< of the input; none of a constant
    StringId target; ///< the data's qualified name
    ParameterRole role = ParameterRole::Input;
    bool isOrdered = false; ///< the name is that of the input in the spec's place
    bool isAbsent = false;  ///< the graph has no such input
  };
  struct OutputSpec {
    StringId name;    ///< of what the user gets
    StringId target;  ///< what is written back
    std::string role; ///< "buffer_mutation"; empty when it is plain
    const OutputKind *kind = nullptr;
  };
  struct SignatureSpecs {
    std::vector<InputSpec> inputs;
    std::vector<OutputSpec> outputs;
    bool hasInputs = false, hasOutputs = false;
    bool isLost = false; ///< one of the lists could not be read
  };
  void signature();
  void checkInputSpecs(const SignatureSpecs &specs);
  void checkOutputSpecs(const SignatureSpecs &specs);
  void countValues(const SignatureSpecs &specs);
  static bool hasTarget(const SignatureSpecs &specs, const OutputSpec &spec);
  std::optional<std::string_view> specName();
  InputSpec inputSpec(std::uint32_t i);
  void attachSpec(InputSpec &spec, std::uint32_t i);
  OutputSpec outputSpec();

  // --- GraphReader.cpp -------------------------------------------------------
  /// The sections of a graph that say what its values are.
  enum Section : unsigned { Tensors = 1, SymInts = 2, SymBools = 4, SymFloats = 8, Objects = 16 };
  /// Up to this depth a part that stands in an unusual order is read twice. Deeper
  /// that would make the time grow with the depth.
  static constexpr std::uint32_t maxReorderDepth = 8;
  /// A graph while it is read.
  struct Scope {
    Scope *outer = nullptr;
    GraphId parent;
    GraphId id; ///< none until the first field shows that it is a graph
    std::uint32_t depth = 0;
    std::size_t hidden = 0;
    std::size_t expected = 0;
    std::size_t pending = 0;
    std::size_t pendingDims = 0;
    bool hasInputs = false;
    bool hasOutputs = false;
    bool hasNodes = false;
    std::uint32_t firstValue = 0;
    bool lostNames = false; ///< something that it defines could not be read, and neither could its name
    unsigned sections = 0;  ///< those that it has
    bool isSingle = false;  ///< it returns its one value itself, and no tuple of it
    bool lostInputs = false, lostOutputs = false; ///< the whole list could not be read
    std::optional<std::uint32_t> outputsAt;       ///< outputs stand before the nodes that make them
    std::optional<std::uint32_t> nodesAt;         ///< nodes that stand before the inputs
  };
  GraphId graph(GraphId parent);
  void graphField(Scope &s, std::string_view key);
  GraphId openGraph(Scope &s);
  void demandSections(Scope &s);
  void closeGraph(Scope &s);
  void forgiveNames(const Scope &s);
  void graphInputs(Scope &s);
  void graphOutputs();
  void values(Section section);
  void checkRecorded(const Scope &s);
  /// Gives names that metadata stands for, and that nothing defines, to the results that are
  /// declared as None in their place.
  void nameAbsentResults(const std::unordered_set<StringId> &names);

  ValueId lookup(StringId name) const;
  void bind(StringId name, ValueId v);
  /// False when the name is defined already, which is an issue unless \p isReported.
  bool define(StringId name, ValueId v, bool isReported = false);
  ValueId use(std::string_view name);
  void record(StringId name, ValueId v, TypeId type, Dim content);

  // --- Arguments.cpp ---------------------------------------------------------
  /// A value that is defined: a graph's input or a node's output.
  struct Declared {
    StringId name;
    ValueKind kind = ValueKind::Unknown;
    std::optional<std::int64_t> constant = std::nullopt; ///< a number that stands in place of a value
    std::optional<double> real = std::nullopt;           ///< the same, of a float
  };
  void nodeInputs();
  void nodeInput();
  void deviceOfString(Attribute &a);
  Attribute argument();
  void payload(std::string_view tag, Attribute &a);
  bool listPayload(std::string_view tag, Attribute &a);
  bool symbolPayload(std::string_view tag, Attribute &a);
  Attribute nestedGraph();
  std::optional<std::string_view> namedArgument(std::string_view what);
  bool symbolicOperand(ValueKind kind);
  void symbolicInts(Attribute &a);
  void opaqueValues();
  bool optionalTensor(std::optional<std::string_view> &name);
  void floatNumber(double &x);
  std::uint32_t operandPosition() const { return static_cast<std::uint32_t>(operands.size() - frame.operands); }

  // --- Declarations.cpp ------------------------------------------------------
  void declared(std::vector<Declared> &out);
  void declaredPayload(std::string_view tag, std::vector<Declared> &out);

  // --- NodeReader.cpp --------------------------------------------------------
  /// Where the lists of a node begin in the stacks below, or end.
  struct Frame {
    std::size_t operands = 0;
    std::size_t attributes = 0;
    std::size_t regions = 0;
    std::size_t results = 0;
    std::string_view target;
  };
  Frame stackEnds() const { return {operands.size(), attributes.size(), regions.size(), results.size(), {}}; }
  void nodes();
  /// What a node says beside what it is given and yields.
  struct NodeFields {
    std::uint32_t start = 0; ///< where the node begins in the document
    std::optional<std::string_view> target;
    std::string_view name;
    LocationId location;
    bool hasInputs = false;
    bool hasOutputs = false;
    bool hasMetadata = false;
  };
  void node(std::uint32_t i);
  void nodeField(NodeFields &given, std::string_view key);
  /// Reads the operator's name ahead, of the node that begins at \p start.
  void findTarget(std::uint32_t start);
  void nodeOutputs();
  LocationId nodeLocation();
  /// `with_effects(token, op, …)` becomes two nodes: it hands on the token, and the operator that stands inside is a
  /// node like any other. \returns the first.
  NodeId addNode(const NodeFields &given, std::uint32_t position);
  /// The name of the operator that the node's `with_effects` runs; empty where it has another form.
  std::string_view operatorInside() const;
  /// The arguments of the operator inside stand in the order of its schema, without their names.
  void nameArguments(OperatorId op);
  /// Of the results that were read, those from \p from up to \p to.
  void defineResults(NodeId n, std::size_t from, std::size_t to);
  OperatorId operatorOf(std::string_view target);
  StringId nodeName(std::string_view given, std::size_t firstResult, OperatorId op, std::uint32_t position);

  struct Slot {
    GraphId graph;
    ValueId value;
  };
  struct Pending {
    StringId name;
    TypeId type;
    Dim content;
  };
  struct PendingDim {
    Range list;
    std::uint32_t index;
    ValueId value;
  };

  bool oldLayout;
  Scope *scope = nullptr;
  Frame frame;
  bool rangesAreLost = false;
  Call programCall;
  std::optional<std::size_t> userInputs, userOutputs; ///< of the signature
  bool mainIsLost = false;                            ///< the main graph lacks something that could not be read
  bool inOutputs = false;                             ///< a graph's outputs are read: no place for a graph
  unsigned argumentDepth = 0;                         ///< arguments that hold arguments
  // Stacks: a nested graph is read in the middle of its owner.
  std::vector<ValueId> operands;
  std::vector<Attribute> attributes;
  std::vector<GraphId> regions;
  std::vector<Declared> results;
  std::vector<StringId> resultNames;
  std::vector<Slot> slots; ///< by StringId
  std::vector<std::pair<StringId, Slot>> hidden;
  std::vector<std::pair<ValueId, ValueKind>> expected; ///< values that must be recorded
  std::vector<Pending> pending;                        ///< recorded before they are defined
  std::vector<PendingDim> pendingDims;                 ///< symbolic integers in lists
  std::vector<GraphId> singles;                        ///< graphs that return a value and no tuple

  std::vector<OperatorId> operatorsByName; ///< by the target's StringId
  std::size_t operatorCount = 0;
  std::vector<std::pair<std::string, Interval>> ranges;
  std::string_view lastTrace;
  LocationId lastLocation;
};

} // namespace condlint::pt2

#endif // CONDLINT_LIB_READERS_PT2_PROGRAMREADER_H
