//===- Graph.h - The one model every source is read into --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Model owns graphs; a graph owns nodes in order; a node reads values, makes
// values and may own further graphs (its regions: the branches of a
// conditional, the body of a loop). Everything is named by small ids into flat
// tables, so that a million nodes cost a few hundred megabytes and no pointer.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_H
#define CONDLINT_GRAPH_H

#include "condlint/Dim.h"
#include "condlint/Id.h"
#include "condlint/Source.h"
#include "condlint/StringTable.h"
#include "condlint/TensorType.h"
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace condlint {

struct OpDef;      // lib/ops: what an operator means
struct EffectsRow; // lib/ops: what an ATen overload writes and aliases

/// The file or source a model was read from.
enum class Format : std::uint8_t { Pt2, Onnx, Json, Cxx };
std::string_view formatName(Format f);

/// The system whose semantics a model's operators follow.
enum class Dialect : std::uint8_t { Torch, Onnx, TensorRT };
std::string_view dialectName(Dialect d);

/// What read C++ source. A unit can be read several times: for its conditionals, for
/// the networks that it builds, and for what a tracer freezes.
enum class FrontEnd : std::uint8_t { None, Torch, TensorRT, Tracing };
std::string_view frontEndName(FrontEnd f); ///< "torch", "tensorrt", "tracing"; empty for none

/// An operator as the file names it; one entry for each distinct name. Torch:
/// domain "aten", name "add", overload "Tensor" (`torch.ops.aten.add.Tensor`);
/// `_operator.ge` has the domain "_operator". ONNX: domain "" is the default.
struct Operator {
  Dialect dialect = Dialect::Torch;
  StringId domain;
  StringId name;
  StringId overload;
  /// ONNX: the version of the domain the model imports; -1 when it imports none, -2: `disputedVersion`.
  /// TensorRT: 100 * major + minor; 0 when not known.
  std::int32_t version = 0;
  /// Filled by `resolveOperators` (lib/ops); null: an operator nobody defined.
  const OpDef *definition = nullptr;
  const EffectsRow *effects = nullptr;
};

/// What an attribute or argument of a node holds.
enum class AttributeKind : std::uint8_t {
  None,         ///< Present without a value (`as_none`).
  Bool,         ///< `number`
  Int,          ///< `number`
  Float,        ///< `real`
  String,       ///< `text`
  DType,        ///< `number` is a `condlint::DType`
  Layout,       ///< `number` is a `condlint::Layout`
  MemoryFormat, ///< `number` as torch numbers it: 1 contiguous, 2 channels last, 3 channels last 3d, 4 preserve
  Device,       ///< `text` is the device's type, `number` its index or -1
  Complex,      ///< `reals` has two entries
  Bools,        ///< `ints`
  Ints,         ///< `ints`
  Floats,       ///< `reals`
  Strings,      ///< `strings`
  Dims,         ///< `dims`: integers of which some are symbolic (their values are operands too)
  Operand,      ///< `list.first` is the position in the node's operands
  Operands,     ///< `list` is a run of the node's operands: a list of values
  Tensor,       ///< `list.first` is a ConstantId
  Tensors,      ///< `list` is a run of the model's constants
  Type,         ///< `list.first` is a TypeId
  Region,       ///< `list.first` is the position in the node's regions
  Regions,      ///< `list` is a run of the node's regions
  Reference,    ///< `text` names the function's attribute that stands here
  Opaque,       ///< something this model has no words for; `text` is its tag
  Location,     ///< `number` is the index of a LocationId: a place in the source
  Locations,    ///< `ints` are the indexes of LocationIds
};

/// A named argument of a node. Read the payload through `Model`.
struct Attribute {
  StringId name;
  AttributeKind kind = AttributeKind::None;
  StringId text;
  std::int64_t number = 0;
  double real = 0;
  Range list; ///< a run of the pool that `kind` names
};

/// How a value comes about.
enum class ValueOrigin : std::uint8_t {
  Result,    ///< a node makes it
  Parameter, ///< its graph receives it
  Constant,  ///< an initializer of its graph, or a literal
  Undefined, ///< a name that nothing defines
};

/// What a top-level parameter is to the program (`.pt2` signature).
enum class ParameterRole : std::uint8_t {
  Input,
  Parameter,
  Buffer,
  Constant,
  CustomObject,
  Token,
  ScalarInput,
};
std::string_view parameterRoleName(ParameterRole r);

/// A value: named and defined once in its graph.
struct Value {
  StringId name;
  TypeId recorded;         ///< what the file says; none when it says nothing
  TypeId type;             ///< what holds, after inference: see `inferTypes`
  ContentId content;       ///< the numbers in it, where they are known (shape arithmetic)
  NodeId def;              ///< the node that makes it (Result)
  GraphId graph;           ///< the graph that defines it
  ConstantId constant;     ///< its data (Constant)
  std::uint32_t index = 0; ///< position among the node's results, parameters or constants
  ValueOrigin origin = ValueOrigin::Undefined;
  ParameterRole role = ParameterRole::Input;
  bool contradicted = false; ///< what is recorded is not what its operator yields
};

/// One operator applied to values.
struct Node {
  OperatorId op;
  StringId name; ///< its name in a path ("If_0", "cond"); unique in its graph where the file is sound
  GraphId graph;
  NodeId next; ///< the node after it in its graph
  LocationId location;
  GraphId callee;             ///< the body of the model-local function it calls
  Range operands;             ///< in the operand pool; an invalid id is an absent operand
  Range results;              ///< value ids `first .. first + count - 1`; a result may have an empty name
  Range attributes;           ///< in the attribute pool
  Range regions;              ///< in the region pool; an invalid id is a region that could not be read
  std::uint32_t position = 0; ///< place in its graph, from 0
};

/// How a branch in C++ source reaches a variable that is not its own.
enum class CaptureKind : std::uint8_t {
  Value,     ///< captured by value
  Reference, ///< captured by reference
  This,      ///< `this`, and the members read through it
  Pointer,   ///< what a captured pointer points to
  Global,    ///< a variable of a namespace, or a static data member
  Static,    ///< a local static
  Bound,     ///< an argument of `std::bind`
  Member,    ///< a member of a functor
};
std::string_view captureKindName(CaptureKind k);

/// What a captured variable holds.
enum class CaptureContent : std::uint8_t {
  Tensor,    ///< a tensor; a container, structure or module that holds tensors
  Scalar,    ///< a number or a bool of the host
  FloatItem, ///< a floating number that was read from a tensor
  Other,     ///< anything else: nothing to say about it
};
std::string_view captureContentName(CaptureContent c);

/// A variable that a branch in C++ source reads and that is neither its parameter
/// nor its own (docs/cxx-graph.md).
struct Capture {
  StringId name; ///< as it is written; "this"
  CaptureKind kind = CaptureKind::Value;
  CaptureContent content = CaptureContent::Tensor;
  bool varies = false;        ///< a scalar that can differ between two calls
  std::int64_t variable = -1; ///< its number in `cxx.write` and `cxx.read`; -1: none
  LocationId firstUse;        ///< in the branch, or in a function that the branch calls
  Range calls;                ///< in the int pool: the places of the calls that lead there, outermost first
  ValueId value;              ///< of the graph around, where it is one value
};

/// A lexical scope: the main graph, a function's body, a branch, a loop's body.
struct Graph {
  StringId name; ///< as the file names it ("true_graph_0", the ONNX graph name)
  StringId role; ///< what it is to its owner: "then_branch", "true_graph_0", "body"; for a root "main" or "domain.Name"
  GraphId parent;      ///< the scope around it; none for a root. Function bodies are roots.
  NodeId owner;        ///< the node whose region it is
  FunctionId function; ///< the function whose body it is
  GraphId instanceOf;  ///< the function body that this graph is a typed copy of
  Range parameters;    ///< value ids
  Range constants;     ///< value ids (initializers)
  Range results;       ///< in the operand pool: the values it returns
  Range resultRoles;   ///< in the string pool: signature roles such as "buffer_mutation:name"; empty when plain
  Range captures;      ///< in the capture pool (C++ source)
  LocationId location; ///< where the function stands that this is the body of (C++ source)
  NodeId firstNode;
  NodeId lastNode;
  std::uint32_t nodeCount = 0;
  std::uint32_t depth = 0; ///< 0 for a root
  bool tooDeep = false;    ///< nested further than condlint reads; it has no nodes
};

/// C++ source: a place where the code goes apart, and the number of the way that a run took there.
struct Choice {
  std::uint64_t place = 0;
  std::uint32_t way = 0;
  bool fromOutside = false; ///< a value from outside decides, so that the code does go either way
};

/// A function local to the model (ONNX), or what a run of a function of the source does (C++).
struct Function {
  StringId domain;
  StringId name;
  StringId overload;
  GraphId body;
  Range attributes;   ///< string pool: names of attributes without a default
  Range defaults;     ///< attribute pool: attributes with a default
  Range opsetDomains; ///< string pool
  std::vector<std::int64_t> opsetVersions;
  /// C++ source: the ways that this run of the function went. Bodies of one name are
  /// what one function builds when it goes one way or another.
  std::vector<Choice> choices;
  bool otherWays = false; ///< C++ source: not every way of each choice was followed
  bool failed = false;    ///< C++ source: this run gave back that it failed (`false`, a null pointer, an exception, …)
};

/// The bytes of a constant: where they lie, not the bytes.
struct Constant {
  StringId name;
  TypeId type;
  StringId file; ///< external file or record in the archive; none: inside the model's file
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  /// The bytes when they are small and inside the file (little endian), else empty.
  std::string_view bytes;
  /// Integers of a typed field (`int64_data`, `int32_data`), when small.
  Range ints;
  bool sparse = false;
  bool pickled = false; ///< the record is an archive of torch.save
  /// ONNX: the whole TensorProto or SparseTensorProto, in the model's file.
  std::string_view message;
};

/// A file that contradicts its own format, as a reader met it. The rules turn
/// these into findings; a reader never decides a severity by itself.
struct FormatIssue {
  enum class Kind : std::uint8_t {
    Malformed,         ///< graph-malformed
    MalformedNote,     ///< graph-malformed, but harmless: the value is untyped
    MalformedWarning,  ///< graph-malformed: it loads and runs, and a checker or a later transformation refuses it
    MalformedOrt,      ///< graph-malformed for onnxruntime alone
    MalformedChecker,  ///< the same for onnx alone, whose checker refuses it
    MalformedOnnx,     ///< the same for both, and for no other that reads ONNX's format
    Redefined,         ///< value-undefined: a name is defined twice in one scope
    RedefinedConstant, ///< the same of two initializers of the main graph, of which runtimes take the last
    Shadowed,          ///< value-undefined: a name of an outer scope is defined again
    ShadowedByInput,   ///< the same by an input of a loop's body, which runtimes take for its own
    ShadowedConstant,  ///< the same by an initializer, and ONNX Runtime takes the outer value instead
    ShadowedUnread,    ///< the same, but no runtime takes the outer value, or both are equal
    TooDeep,           ///< nesting
    NestingLimit,      ///< nesting: beyond protobuf's 100 messages
  };
  Kind kind = Kind::Malformed;
  GraphId graph; ///< where, when inside a graph
  NodeId node;
  ValueId value;
  std::string place;   ///< "graph_module.graph.nodes[3].inputs[0]", "byte 120"
  std::string message; ///< what was found and what was expected
};

/// Facts of the file as a whole.
struct ModelInfo {
  Format format = Format::Json;
  Dialect dialect = Dialect::Torch;
  FrontEnd frontEnd = FrontEnd::None; ///< C++ source
  std::string path;                   ///< the input's path as the user gave it
  std::string name;                   ///< by which its file knows this model; empty where it has one without a name
  std::string producer;               ///< "torch 2.13.0+cpu", "pytorch 2.13.0"
  std::string version;                ///< torch: the version that wrote it ("2.13"), or empty
  std::int64_t irVersion = 0;         ///< ONNX
  std::int64_t schemaMajor = 0;       ///< .pt2
  std::int64_t schemaMinor = 0;
  std::vector<std::pair<std::string, std::int64_t>> opsets; ///< ONNX imports, `.pt2` opset_version
  bool otherDefaultFloat = false;                           ///< C++ source that changes torch's default floating type
  /// Messages that a protobuf reader would nest to read this file; 0 if that is no question.
  std::uint32_t wireDepth = 0;
};

/// A model: everything that was read from one program, and the tables its ids
/// point into. Move-only. Readers build it; analyses fill `Value::type`.
class Model {
public:
  Model();
  ~Model();
  Model(Model &&) noexcept;
  Model &operator=(Model &&) noexcept;

  ModelInfo info;
  StringTable strings;
  DimTable dims;
  TypeTable types;
  std::vector<FormatIssue> issues;
  /// Keeps alive what string views point into (a mapped file).
  std::vector<std::shared_ptr<const void>> backing;

  // --- building -----------------------------------------------------------
  /// Makes room for about that many entries: a hint that spares copies.
  void reserve(std::size_t nodes, std::size_t values, std::size_t operands, std::size_t attributes) {
    nodeTable.reserve(nodes);
    valueTable.reserve(values);
    operandPool.reserve(operands);
    attributePool.reserve(attributes);
  }
  /// Opens a graph. Add its parameters, then its constants, then its nodes.
  GraphId addGraph(StringId name, StringId role, GraphId parent, NodeId owner);
  /// Parameters of one graph must be added one after the other.
  ValueId addParameter(GraphId g, StringId name, TypeId recorded, ParameterRole role = ParameterRole::Input);
  ValueId addConstant(GraphId g, StringId name, ConstantId data);
  /// A value written where it is used: a number, a string, None. It belongs to no
  /// list of its graph; its recorded type says its kind, \p content its number.
  ValueId addLiteral(GraphId g, TypeId type, ContentId content = ContentId());
  /// The number of a literal or an input that is no whole one: a float that the source holds.
  void setReal(ValueId v, double number) { valueReals.insert_or_assign(v.index(), number); }
  std::optional<double> real(ValueId v) const {
    const auto it = valueReals.find(v.index());
    return it == valueReals.end() ? std::nullopt : std::optional(it->second);
  }
  /// ONNX: an initializer of a branch has the name of \p outer, which ONNX Runtime passes to the branch and which
  /// takes the initializer's place for the nodes in it.
  void setPassedInstead(ValueId v, ValueId outer) { passedValues.insert_or_assign(v.index(), outer); }
  ValueId passedInstead(ValueId v) const {
    const auto it = passedValues.find(v.index());
    return it == passedValues.end() ? ValueId() : it->second;
  }
  /// A stand-in for a name that nothing defines.
  ValueId addUndefined(GraphId g, StringId name);
  /// Some stand-in was added.
  bool hasUndefined() const { return anyUndefined; }
  /// Appends a node with its results to \p g. The results' names are given, in
  /// order; their recorded types can be set afterwards.
  NodeId addNode(GraphId g, OperatorId op, StringId name, std::span<const ValueId> operands,
                 std::span<const StringId> resultNames, std::span<const Attribute> attributes);
  void setRegions(NodeId n, std::span<const GraphId> regions);
  void setResults(GraphId g, std::span<const ValueId> results);
  void setResultRoles(GraphId g, std::span<const StringId> roles);
  void setCaptures(GraphId g, std::span<const Capture> captures);
  void setOperand(NodeId n, std::size_t i, ValueId v);
  /// Other operands, or another number of them.
  void setOperands(NodeId n, std::span<const ValueId> operands);
  void setResult(GraphId g, std::size_t i, ValueId v);
  /// Replaces the entry \p i of a list that `poolDims` gave.
  void setDim(Range list, std::size_t i, Dim d) { dimPool[list.first + i] = d; }
  OperatorId addOperator(const Operator &op); ///< the existing one when equal
  ConstantId addConstantData(const Constant &c);
  FunctionId addFunction(Function f);
  LocationId addLocation(SourceLocation l);
  /// A location in an encoding of the reader's, decoded only when it is shown.
  /// \p text must live as long as the model.
  using LocationDecoder = SourceLocation (*)(std::string_view text);
  LocationId addLocation(std::string_view text, LocationDecoder decoder);

  Range poolInts(std::span<const std::int64_t> v);
  /// For attributes of kind `Locations` and the calls of a capture.
  Range poolLocations(std::span<const LocationId> v);
  Range poolReals(std::span<const double> v);
  Range poolStrings(std::span<const StringId> v);
  Range poolDims(std::span<const Dim> v);
  Range poolAttributes(std::span<const Attribute> v);
  ContentId addContent(std::span<const Dim> v);

  /// How far the tables of nodes, values and graphs are filled, and what the
  /// graph \p innermost and those around it look like.
  struct Extent {
    std::size_t nodes = 0, values = 0, graphs = 0, operands = 0, regions = 0, attributes = 0, captures = 0;
    std::vector<std::pair<GraphId, Graph>> open;
  };
  Extent extent(GraphId innermost) const;
  /// Takes back every node, value and graph added since: for a front end that
  /// tries something out. Nothing that was there before may have been changed,
  /// but that the open graphs have grown.
  void rewind(const Extent &e);

  // --- reading ------------------------------------------------------------
  std::size_t nodeCount() const { return nodeTable.size(); }
  std::size_t valueCount() const { return valueTable.size(); }
  std::size_t graphCount() const { return graphTable.size(); }
  std::size_t operatorCount() const { return operatorTable.size(); }
  std::size_t constantCount() const { return constantTable.size(); }
  std::size_t functionCount() const { return functionTable.size(); }
  Node &operator[](NodeId n) { return nodeTable[n.index()]; }
  const Node &operator[](NodeId n) const { return nodeTable[n.index()]; }
  Value &operator[](ValueId v) { return valueTable[v.index()]; }
  const Value &operator[](ValueId v) const { return valueTable[v.index()]; }
  Graph &operator[](GraphId g) { return graphTable[g.index()]; }
  const Graph &operator[](GraphId g) const { return graphTable[g.index()]; }
  Operator &operator[](OperatorId o) { return operatorTable[o.index()]; }
  const Operator &operator[](OperatorId o) const { return operatorTable[o.index()]; }
  Function &operator[](FunctionId f) { return functionTable[f.index()]; }
  const Function &operator[](FunctionId f) const { return functionTable[f.index()]; }
  Constant &operator[](ConstantId c) { return constantTable[c.index()]; }
  const Constant &operator[](ConstantId c) const { return constantTable[c.index()]; }

  /// The top-level graph; none when the file holds none.
  GraphId main() const { return mainGraph; }
  void setMain(GraphId g) { mainGraph = g; }

  std::span<const ValueId> operands(NodeId n) const { return valuesIn((*this)[n].operands); }
  std::span<const ValueId> results(GraphId g) const { return valuesIn((*this)[g].results); }
  std::span<const Capture> captures(GraphId g) const {
    const Range r = (*this)[g].captures;
    return {capturePool.data() + r.first, r.count};
  }
  std::span<const GraphId> regions(NodeId n) const {
    Range r = (*this)[n].regions;
    return {regionPool.data() + r.first, r.count};
  }
  std::span<const Attribute> attributes(NodeId n) const { return attributesIn((*this)[n].attributes); }
  std::span<const Attribute> attributesIn(Range r) const { return {attributePool.data() + r.first, r.count}; }
  ValueId result(NodeId n, std::size_t i) const {
    return ValueId((*this)[n].results.first + static_cast<std::uint32_t>(i));
  }
  std::size_t resultCount(NodeId n) const { return (*this)[n].results.count; }
  /// The attribute called \p name, or null.
  const Attribute *attribute(NodeId n, std::string_view name) const;
  std::span<const std::int64_t> ints(Range r) const { return {intPool.data() + r.first, r.count}; }
  std::span<const double> reals(Range r) const { return {realPool.data() + r.first, r.count}; }
  std::span<const StringId> stringsIn(Range r) const { return {stringPool.data() + r.first, r.count}; }
  std::span<const Dim> dimsIn(Range r) const { return {dimPool.data() + r.first, r.count}; }
  /// The numbers in a value; the span stays valid while the model lives.
  std::span<const Dim> content(ContentId c) const { return contentTable[c.index()]; }
  /// The effective type of \p v: what inference found, else what is recorded.
  const Type &type(ValueId v) const {
    const Value &x = (*this)[v];
    return types[x.type ? x.type : x.recorded];
  }
  std::string_view text(StringId s) const { return strings.view(s); }
  std::string_view name(ValueId v) const { return text((*this)[v].name); }

  /// Iterates over the nodes of a graph in order.
  class NodeIterator {
  public:
    using value_type = NodeId;
    using difference_type = std::ptrdiff_t;
    NodeIterator() = default;
    NodeIterator(const Model *m, NodeId n) : model(m), node(n) {}
    NodeId operator*() const { return node; }
    NodeIterator &operator++() {
      node = (*model)[node].next;
      return *this;
    }
    NodeIterator operator++(int) {
      NodeIterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(const NodeIterator &a, const NodeIterator &b) { return a.node == b.node; }

  private:
    const Model *model = nullptr;
    NodeId node;
  };
  struct NodeList {
    NodeIterator first, last;
    NodeIterator begin() const { return first; }
    NodeIterator end() const { return last; }
  };
  NodeList nodes(GraphId g) const { return {NodeIterator(this, (*this)[g].firstNode), NodeIterator(this, NodeId())}; }

  /// "main/cond/true_graph_0", "my.F/If_0/then_branch"; an instance of a
  /// function body has the path of the body.
  std::string path(GraphId g) const;
  /// "main/cond/true_graph_0/add". A conditional of C++ source is called after the
  /// function whose body holds it, wherever it is nested or inlined:
  /// "ns::f/cond@12:3"; what a branch of it holds follows: "ns::f/cond@12:3/true/add".
  std::string path(NodeId n) const;
  /// Tells apart what has one path: the positions of \p n and of the nodes around it, as one number, the same in each
  /// instance of a function body. Two nodes may be named alike, or one as another without a name is called.
  std::uint64_t placeNumber(NodeId n) const;
  SourceLocation location(NodeId n) const;
  SourceLocation location(GraphId g) const;
  SourceLocation location(LocationId l) const;
  /// The places that an attribute of kind `Location` or `Locations`, or the calls
  /// of a capture hold.
  SourceLocation location(const Attribute &a) const;
  std::vector<SourceLocation> locationsIn(Range ints) const;
  /// True when \p outer is \p inner or one of the scopes around it.
  bool encloses(GraphId outer, GraphId inner) const;
  /// True when what stands in \p g can name \p v: a value of the same graph, or of a scope
  /// around it where graphs are open to these.
  bool reaches(GraphId g, ValueId v) const;
  /// The graphs in the model see nothing of those around them: all that they use is passed.
  bool hasClosedGraphs() const { return info.dialect == Dialect::Torch && info.format != Format::Cxx; }
  /// The spelled name of an operator: "aten.add.Tensor", "com.example::Magic", "Relu".
  std::string operatorName(OperatorId o) const;

private:
  std::span<const ValueId> valuesIn(Range r) const { return {operandPool.data() + r.first, r.count}; }

  struct Location {
    std::string_view text;
    LocationDecoder decoder = nullptr;
    std::uint32_t structured = 0;
  };

  GraphId mainGraph;
  bool anyUndefined = false;
  std::vector<Node> nodeTable;
  std::vector<Value> valueTable;
  std::vector<Graph> graphTable;
  std::vector<Operator> operatorTable;
  std::unordered_multimap<std::uint64_t, std::uint32_t> operatorIndex; ///< by name and version
  std::vector<Function> functionTable;
  std::vector<Constant> constantTable;
  std::unordered_map<std::uint32_t, double> valueReals;    ///< of few values
  std::unordered_map<std::uint32_t, ValueId> passedValues; ///< likewise
  std::vector<Location> locationTable;
  std::vector<SourceLocation> sourceTable;
  std::vector<std::span<const Dim>> contentTable;
  std::vector<std::unique_ptr<Dim[]>> contentBlocks;
  std::size_t contentLeft = 0;
  Dim *contentNext = nullptr;
  std::vector<ValueId> operandPool;
  std::vector<GraphId> regionPool;
  std::vector<Attribute> attributePool;
  std::vector<std::int64_t> intPool;
  std::vector<double> realPool;
  std::vector<StringId> stringPool;
  std::vector<Dim> dimPool;
  std::vector<Capture> capturePool;
};

/// After reading: replaces each stand-in for an undefined name by the value of
/// that name that stands out of reach (later in the same graph, in the sibling
/// branch, inside a branch), so that the rules can say what it really is. For a
/// model whose graphs are closed (`.pt2`) outer names are looked up too. What
/// is defined nowhere stays `ValueOrigin::Undefined`.
void resolveUndefined(Model &m);

} // namespace condlint

#endif // CONDLINT_GRAPH_H
