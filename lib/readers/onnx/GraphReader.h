//===- GraphReader.h - GraphProto and NodeProto to graphs -----*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_GRAPHREADER_H
#define CONDLINT_READERS_ONNX_GRAPHREADER_H

#include "Context.h"
#include "NameCache.h"
#include "Operators.h"
#include "Scope.h"
#include "TensorReader.h"
#include "TypeReader.h"
#include "graph/Shadows.h"
#include <array>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace condlint::onnx {

/// One list of a message's fields on a stack that nested messages share: a graph
/// in a graph begins where the outer one's entries end.
template <class T> class Frame {
public:
  explicit Frame(std::vector<T> &shared) : stack(shared), first(shared.size()) {}
  ~Frame() { stack.resize(first); }
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;
  void add(T entry) { stack.push_back(std::move(entry)); }
  std::size_t size() const { return stack.size() - first; }
  /// By value: reading one entry may move the stack.
  T operator[](std::size_t i) const { return stack[first + i]; }
  std::span<const T> all() const { return {stack.data() + first, size()}; }

private:
  std::vector<T> &stack;
  std::size_t first;
};

/// Reads graphs, nodes and attributes, and finds what their names mean.
class GraphReader {
public:
  GraphReader(Context &context, Operators &ops)
      : c(context), m(context.m), operators(ops), types(context), tensors(context),
        names(m.strings, context.file.size()), emptyId(m.strings.intern("")) {}

  /// Reads the GraphProto in \p bytes at \p depth into the empty graph \p g.
  void readGraph(std::string_view bytes, GraphId g, std::uint32_t depth);
  /// Reads the FunctionProto in \p bytes into the body \p g of \p function: a
  /// scope of its own.
  void readFunction(std::string_view bytes, GraphId g, FunctionId function, std::uint32_t depth);

  /// Looks at what was left open until all of the model is read.
  void finish() {
    settleDomains();
    checkOuterInfos();
    settleShadows(m, shadows);
    settleWrongData();
  }

  /// Which function calls which: the caller, the node, the callee.
  struct Call {
    FunctionId caller;
    NodeId node;
    FunctionId callee;
  };
  const std::vector<Call> &calls() const { return callList; }

private:
  struct Pending { ///< a graph among the attributes of a node, read after the node is made
    std::string_view bytes;
    StringId role;
  };
  /// Graphs nested further than this are noted, not read (rule nesting).
  static constexpr std::uint32_t deepestGraph = 256;

  void reserve(std::size_t nodes, std::size_t bytes);
  void readInputs(std::span<const std::string_view> inputs, GraphId g, std::uint32_t depth);
  void sayLacksElement(std::string_view name, const char *at);
  void readInitializers(std::size_t first, std::size_t count, GraphId g, std::uint32_t depth, bool sparse);
  /// Keeps what is said of the data of \p initializer, read last, until it is known whether anything reads it.
  void keepWrongData(ValueId initializer, bool sparse);
  void readNodes(std::size_t first, std::size_t count, GraphId g, std::uint32_t depth);
  void readOutputs(std::span<const std::string_view> outputs, GraphId g, std::uint32_t depth);
  void readValueInfos(std::span<const std::string_view> infos, GraphId g, std::uint32_t depth);
  void checkOuterInfos();
  /// What stands in a NodeProto that is read a little later, while its names' places in the string table are on their
  /// way into the cache.
  struct NodeAhead {
    explicit NodeAhead(std::pmr::memory_resource *memory) : inputs(memory), attributes(memory), outputs(memory) {}

    std::string_view name, opType, domain;
    StringHash nameHash = {};
    struct Output {
      std::string_view name;
      StringHash hash;
    };
    std::pmr::vector<std::string_view> inputs, attributes;
    std::pmr::vector<Output> outputs;
    bool hasMore = false; ///< than these fields
  };
  static constexpr std::size_t nodesAhead = 7;
  /// A node and those that come next, in a ring.
  class NodesAhead {
  public:
    NodesAhead() : NodesAhead(std::make_index_sequence<nodesAhead + 1>()) {}
    NodeAhead &operator[](std::size_t i) { return nodes[i % nodes.size()]; }

  private:
    template <std::size_t... I>
    explicit NodesAhead(std::index_sequence<I...>) : nodes{(static_cast<void>(I), NodeAhead(&memory))...} {}

    // Few fields, in many vectors: they stand in one piece of memory.
    std::array<std::byte, 4096> piece;
    std::pmr::monotonic_buffer_resource memory{piece.data(), piece.size()};
    std::array<NodeAhead, nodesAhead + 1> nodes;
  };
  void lookAhead(std::string_view bytes, NodeAhead &node) const;
  struct RareFields;
  RareFields readRareFields(std::string_view bytes, std::uint32_t depth);
  /// What a node reads and makes, to `operandIds` and `resultNames`: before the node itself is read.
  void readNames(const NodeAhead &node, GraphId g);
  /// Makes a node of \p node where it is what nearly all are: named, of the domain "", with nothing but operands and
  /// results; else false, and the other makes it.
  bool readPlainNode(const NodeAhead &node, GraphId g, const char *at);
  void readAnyNode(std::string_view bytes, const NodeAhead &node, GraphId g, std::uint32_t depth);
  /// Says of the issues since \p since, which reading \p n found, where they are.
  void locateIssues(std::size_t since, NodeId n, bool isConstant);
  void checkAttributeNames(GraphId g, bool isConstant, std::size_t firstPending, const char *at);
  void defineResults(NodeId n, const char *at);
  void sayUnnamed(NodeId n, std::uint32_t result, const char *at);
  /// What the body of the loop \p n declares of its own inputs, where nothing else says it.
  void checkBodyInputs(NodeId n);
  /// ONNX Runtime makes a loop of the SequenceMap \p n, where the types of what \p body returns must be declared; in a
  /// branch or a function they have been inferred by then.
  void checkMappedResults(NodeId n, GraphId body);
  void readRegions(NodeId n, std::span<const Pending> pending, std::uint32_t depth);
  void checkIf(NodeId n, const char *at);
  void checkDomain(std::string_view domain, NodeId n, const char *at);
  void settleDomains();
  void checkCalledDomains();
  void sayDomain(NodeId n, const char *at, std::string_view how);
  void checkNodeNames(std::span<const StringId> named, GraphId g, const char *at);
  void walkGraph(std::string_view bytes, std::uint32_t depth);

  // Lenience.cpp: what ONNX Runtime 1.32 lets pass of what onnx's checker refuses
  /// It makes initializers of the Constants of \p g, by their first attribute, before it lets onnx's checker look at
  /// the nodes: in the main graph, and in all graphs of a function, but not inside of other nodes.
  bool isSettled(std::string_view opType, GraphId g) const;
  /// It drops a node that is all empty, of the main graph or of a function's own.
  bool isEmptyPassed(std::string_view opType, GraphId g) const;
  /// What stands twice in a node of a function is one attribute in that which it puts in the place of a call.
  bool isDoublePassed(GraphId g, bool isConstant) const;
  void keepLastOfEach(std::size_t firstPending);
  /// Makes warnings for ONNX Runtime of the issues from \p first to \p last.
  void passIssues(std::size_t first, std::size_t last);
  /// It drops the initializers that nothing reads: in the main graph before it looks at their data, inside of nodes
  /// when it has run onnx's checker, which does not see data beyond those that the dimensions take.
  void settleWrongData();

  // AttributeReader.cpp
  struct AttributeFields;
  static constexpr std::size_t noRegions = static_cast<std::size_t>(-1);
  /// Reads an AttributeProto. Its graphs are appended to the pending ones, of
  /// which those of its node, in \p g, begin at \p firstPending; with `noRegions` (a
  /// function's defaults) it cannot have any.
  Attribute readAttribute(std::string_view bytes, std::uint32_t depth, std::size_t firstPending, GraphId g,
                          bool isSettledConstant = false);
  void collectAttribute(AttributeFields &f, std::string_view bytes, std::uint32_t depth);
  void checkAttribute(const AttributeFields &f, std::string_view bytes, GraphId g);
  /// An attribute of a node of \p g that refers to one of its function has its value all the same: outside of functions
  /// there is nothing to refer to.
  bool isValueTaken(const AttributeFields &f, GraphId g) const;
  /// An attribute refers to one of its function and has a value too.
  void sayReference(const AttributeFields &f, std::string_view bytes, GraphId g);
  /// ONNX Runtime takes the value that is said, or that of a function's attribute, and does not see what else stands in
  /// \p f, at \p position among the attributes of its node.
  bool isRestPassed(const AttributeFields &f, bool isSettledConstant, std::size_t position) const;
  void setValue(Attribute &a, const AttributeFields &f);
  void setGraphs(Attribute &a, bool list, std::size_t used, std::size_t firstPending);

  struct NamedType {
    std::string_view name;
    std::string_view type; ///< TypeProto
    bool hasType = false;
  };
  NamedType readValueInfo(std::string_view bytes, std::uint32_t depth);
  enum class Definition : std::uint8_t { Plain, Initializer };
  void define(StringId name, ValueId v, const char *at, Definition how) {
    if (name == emptyId)
      return;
    if (const ValueId before = scope.define(name, v)) [[unlikely]]
      defineAgain(before, v, at, how);
  }
  void defineAgain(ValueId before, ValueId v, const char *at, Definition how);
  void redefine(ValueId before, ValueId v, const char *at, Definition how);
  /// What the empty name means is never defined.
  ValueId use(StringId name, GraphId g) {
    const ValueId v = scope.lookup(name);
    return v ? v : useUndefined(name, g);
  }
  ValueId useUndefined(StringId name, GraphId g);
  void declare(ValueId v, TypeId type, const char *at, bool preferred);

  Context &c;
  Model &m;
  Operators &operators;
  TypeReader types;
  TensorReader tensors;
  NameCache names;
  Scope scope;
  StringId emptyId;
  FunctionId function; ///< whose body is read; none in the main graph
  bool tooDeepSaid = false, domainSaid = false;
  struct OuterInfo { ///< what the value_info of a graph says of a value around it
    ValueId value;
    TypeId type;
    GraphId graph;
    const char *at;
  };
  std::vector<OuterInfo> outerInfos;
  std::unordered_set<ValueId> emptyTyped; ///< inputs of graphs in nodes whose type is there and says nothing
  std::unordered_map<ValueId, std::size_t> doubledInputs; ///< of the main graph, and what is said of each
  std::vector<Shadow> shadows;
  struct WrongData { ///< an initializer, and the place among the issues of what is said of its data
    ValueId initializer;
    std::size_t issue;
  };
  std::vector<WrongData> wrongData;
  std::vector<NodeId> longDomains; ///< of functions, whose domain is written "ai.onnx"
  NodeId firstLong;                ///< of any graph
  std::vector<Call> callList;
  /// Names that are not visible, by graph, so that one graph has one stand-in.
  std::unordered_map<std::uint64_t, ValueId> undefined;

  // Stacks that nested graphs share.
  std::vector<std::string_view> nodeViews, inputViews, outputViews, infoViews, initializerViews, sparseViews;
  std::vector<StringId> nodeNames;
  std::vector<Pending> pendingGraphs;
  std::vector<GraphId> regionIds;
  std::vector<std::unique_ptr<NodesAhead>> aheads; ///< by how deep the graph nests whose nodes they are
  std::size_t aheadDepth = 0;
  // Scratch of one node: nothing nested is read while it is in use.
  std::vector<ValueId> operandIds;
  std::vector<StringId> resultNames;
  std::vector<Attribute> attributes;
  // Scratch of one attribute.
  std::vector<std::int64_t> ints;
  std::vector<double> reals;
  std::vector<StringId> texts;
  std::vector<std::string_view> graphViews;
  /// By name: the node or graph that had it last.
  std::vector<std::uint32_t> attributeOwner, nameOwner;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_GRAPHREADER_H
