//===- JsonWriter.h - A model becomes JSON ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONWRITER_H
#define CONDLINT_READERS_JSON_JSONWRITER_H

#include "condlint/Graph.h"
#include "json/JsonCommon.h"
#include "json/JsonOut.h"
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace condlint::json {

/// Numbers given to what is referred to from elsewhere, in the order of writing.
template <class Key> class Numbering {
public:
  /// True when \p key was not wanted before.
  bool want(Key key) { return wanted.insert(key).second; }
  bool isWanted(Key key) const { return wanted.contains(key); }
  /// The number of \p key when it is written; it must be wanted.
  std::int64_t give(Key key) {
    return numbers.try_emplace(key, static_cast<std::int64_t>(numbers.size())).first->second;
  }
  void restart() { numbers.clear(); }

private:
  std::unordered_set<Key> wanted;
  std::unordered_map<Key, std::int64_t> numbers;
};

/// Writes a model in the form that docs/graph.schema.json describes. A value is
/// referred to by its name where the name means it to a reader; where it does
/// not, the value is given a number. Which ones need one, and which symbols are
/// used, shows only while writing: so all is written more than once, and kept
/// the last time.
class JsonWriter {
public:
  explicit JsonWriter(const Model &model);
  std::string write();

private:
  // JsonWriter.cpp: the model and its graphs
  void document();
  void info();
  JsonOut opsetsJson(const Opsets &opsets) const;
  void symbols();
  JsonOut issues();
  void function(FunctionId f);
  /// \p role is the one that a reader would assume.
  void graph(GraphId g, std::string_view role);
  void region(GraphId g, std::string_view attribute);
  void node(NodeId n);
  JsonOut operation(const Operator &op) const;
  JsonOut location(const SourceLocation &l) const;
  JsonOut locations(Range r) const;
  JsonOut capture(const Capture &c);
  JsonOut reference(ValueId v);
  void name(JsonOut &object, std::string_view key, StringId s) const;
  void name(std::string_view key, StringId s);
  void values(std::string_view key, Range list, bool tellsRoles);
  void references(std::span<const ValueId> list);
  void facts(JsonOut &object, ValueId v);
  void define(ValueId v);
  template <class Key> void number(Numbering<Key> &ids, Key key) {
    if (ids.isWanted(key))
      out->member("id", ids.give(key));
  }
  void markWritten(GraphId g);

  // JsonParts.cpp: types, attributes, constants
  JsonOut dim(Dim d);
  JsonOut dims(std::span<const Dim> list);
  JsonOut ints(Range r) const;
  JsonOut type(TypeId id, unsigned depth = 0);
  JsonOut constantData(ConstantId c, TypeId implied, StringId impliedName);
  /// Where the operands and regions of a node are written.
  struct Placement {
    bool operandsInside = false; ///< in the attributes that hold them
    bool regionsInside = false;
    std::map<std::size_t, Range> uses; ///< by attribute: the operands behind symbolic integers
  };
  Placement placementOf(NodeId n) const;
  /// \p n: the node it belongs to; none for the default of a function.
  void attribute(const Attribute &a, NodeId n, const Placement &placement, std::size_t position);
  JsonOut attributeValue(const Attribute &a, std::string_view &key);
  void operandAttribute(const Attribute &a, NodeId n, bool inside);
  void regionAttribute(const Attribute &a, NodeId n, bool inside);

  const Model &m;
  JsonStream *out = nullptr;
  NameScope scope;
  const Opsets *currentOpsets = nullptr;
  bool again = false; ///< a number was wanted after its value had been written
  Numbering<ValueId> valueIds;
  Numbering<NodeId> nodeIds;
  Numbering<GraphId> graphIds;
  std::unordered_set<GraphId> written; ///< graphs that have a place in the file
  std::map<std::string, Symbol> usedSymbols;
  std::unordered_map<std::uint32_t, JsonOut> dimTexts;
};

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONWRITER_H
