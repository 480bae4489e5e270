//===- JsonReader.h - A graph in JSON becomes a model -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONREADER_H
#define CONDLINT_READERS_JSON_JSONREADER_H

#include "condlint/Graph.h"
#include "graph/Shadows.h"
#include "json/JsonCommon.h"
#include "json/JsonView.h"
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace condlint::json {

/// Reads one model; a `Refusal` is thrown at the first thing that is not as
/// docs/graph.schema.json says.
class JsonReader {
public:
  JsonReader();
  Model read(const View &root);

private:
  /// A place whose value is named by an id that may be defined later.
  struct Patch {
    NodeId node; ///< none: a result of `graph`
    GraphId graph;
    std::size_t index = 0;
    bool capture = false; ///< of `graph` instead of a result
    std::int64_t id = 0;
    std::string pointer;
  };
  /// A node on its way into the model.
  struct Draft {
    GraphId graph;
    std::vector<ValueId> operands;
    std::vector<Attribute> attributes;
    std::vector<Patch> patches;
    std::uint32_t regions = 0; ///< so many stand in its list and attributes so far
  };

  // JsonReader.cpp: the model and its graphs
  void info(const View &root);
  void symbols(const View &v);
  void issues(const View &v);
  Opsets opsets(const View &v) const;
  void function(const View &v, FunctionId f);
  GraphId graph(const View &v, std::string_view role, GraphId parent, NodeId owner);
  void parameters(const View &v, GraphId g);
  void captures(const View &v, GraphId g, GraphId parent);
  void constants(const View &v, GraphId g);
  /// The data of the value that \p v lists, a constant, a weight or an input with a default; none where there are none.
  ConstantId dataOf(const View &v);
  void node(const View &v, GraphId g);
  void readRegions(const View &v, NodeId n);
  void nodeResults(const View &v, NodeId n);
  OperatorId operation(const View &v);
  LocationId location(const View &v);
  Range locations(const View &v);
  ValueId reference(const View &v, GraphId g, std::vector<Patch> &patches, std::size_t index);
  void facts(const View &v, ValueId id);
  void define(const View &v, ValueId id, bool isConstant);
  /// \p id has the name of \p outer, which is visible around its graph.
  void hide(const View &v, ValueId id, ValueId outer, bool isConstant);
  void remember(const View &v, std::unordered_map<std::int64_t, std::uint32_t> &ids, std::uint32_t index);
  void issue(FormatIssue::Kind kind, const View &v, std::string message, GraphId g, NodeId n, ValueId value);
  void applyPatches();
  void linkCalls();

  // JsonTypes.cpp: types, attributes, constants
  Dim dim(const View &v);
  std::vector<Dim> dimList(const View &v);
  Dim dimText(const View &v, std::string_view text);
  Dim symbolByName(std::string_view name);
  TypeId type(const View &v, unsigned depth = 0);
  TypeId typeText(const View &v, std::string_view text);
  DTypeSet elements(const View &v);
  Attribute attribute(const View &v, Draft *draft);
  void operandAttribute(const View &v, std::string_view key, Attribute &a, Draft &draft);
  void regionAttribute(const View &v, std::string_view key, Attribute &a, Draft &draft);
  ConstantId constantData(const View &v, TypeId type);

  StringId intern(const View &v) { return m.strings.intern(v.text()); }
  ContentId content(const View &v) { return m.addContent(dimList(v)); }

  Model m;
  std::unique_ptr<NameScope> scope;
  const Opsets *currentOpsets = nullptr;
  bool findIssues = true; ///< the file does not list them
  std::vector<Shadow> shadows;
  std::shared_ptr<std::deque<std::string>> bytes;
  std::unordered_map<std::string, Dim> dimByText;
  std::vector<std::pair<std::string, Interval>> bounds;
  std::unordered_set<std::string> knownSymbols;
  std::unordered_map<std::int64_t, std::uint32_t> valueIds, nodeIds, graphIds;
  std::vector<Patch> pending;
  std::unordered_map<GraphId, std::vector<Capture>> captured;
};

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONREADER_H
