//===- Operators.h - Operators, opset imports and functions ---*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_OPERATORS_H
#define CONDLINT_READERS_ONNX_OPERATORS_H

#include "Context.h"
#include "NameEnds.h"
#include "graph/OnnxDomain.h"
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace condlint::onnx {

/// One `opset_import` list: which version of a domain an operator is of.
struct OpsetImports {
  std::vector<std::pair<StringId, std::int64_t>> list; ///< in the order of the file
  std::unordered_map<StringId, std::int64_t> versions; ///< of two for one domain the last holds
  std::optional<std::int64_t> plain;                   ///< the last that the file writes for ""
  /// The file imports nothing at all, which is said once for the whole list.
  bool missing = false;
  /// The list is the model's: to it ONNX Runtime adds its own domains, while a function must import what it uses.
  bool isOfModel = false;
};

/// Finds the operator of a node: what it is called, which version the model
/// imports, which function implements it, and whether it can be at all.
class Operators {
public:
  struct Entry {
    OperatorId op;
    GraphId callee; ///< the body of the function that implements it
    FunctionId function;
    bool isIf = false;
    bool atFault = false;
    std::string fault;      ///< what is wrong with it, before its first node says so
    Entry *cause = nullptr; ///< what is wrong with all operators of its import, and is told instead
    std::size_t issue = noIssue;
    std::uint64_t nodes = 0;             ///< that use it although it is at fault
    std::vector<StringId> positionNames; ///< "Relu_0", "Relu_1": what nodes without a name are called
  };

  explicit Operators(Context &context) : c(context), m(context.m), emptyId(m.strings.intern("")) {}

  /// Reads an OperatorSetIdProto into \p imports.
  void readImport(std::string_view bytes, std::uint32_t depth, OpsetImports &imports);
  /// A function that nodes may call; false when one of that name is there.
  bool declare(StringId domain, StringId name, StringId overload, FunctionId function);
  /// Nodes from now on stand in the main graph or in the body of a function with
  /// its own imports.
  void enter(const OpsetImports &imports);

  /// The names lie in the model's FileBytes.
  Entry &find(std::string_view domain, std::string_view name, std::string_view overload) {
    if (!domain.empty() || !overload.empty() || name.empty())
      return findAny(domain, name, overload);
    const NameEnds ends(name);
    Recent &r = recent[ends.slot(recentBits)];
    if (r.name != ends)
      r = {ends, &findAny(domain, name, overload)};
    return *r.entry;
  }
  /// What a node without a name is called by its place in its graph.
  StringId positionName(Entry &entry, std::uint32_t position);
  /// Reports what is wrong with the operator of \p n, once for each operator. What is \p passed by ONNX Runtime is a
  /// warning for it, unless another node is not.
  void blame(Entry &of, NodeId n, const char *at, bool passed);
  /// Completes the reports with how many nodes they are about.
  void finish();

  /// Of ONNX's own domain always the same, whichever word the file has for it.
  StringId domainId(std::string_view domain) { return isOnnxDomain(domain) ? emptyId : m.strings.internStable(domain); }
  /// The graph or function that is read imports \p domain by this very word.
  bool imports(std::string_view domain) const;

private:
  static constexpr std::size_t noIssue = static_cast<std::size_t>(-1);
  struct Key {
    std::uint32_t imports;
    StringId domain, name, overload;
    friend bool operator==(const Key &, const Key &) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key &k) const;
  };
  Entry &findAny(std::string_view domain, std::string_view name, std::string_view overload);
  Entry make(const Key &k);
  /// The version of \p domain that is imported; where the model does not, the one that ONNX Runtime takes, and a rule
  /// says that it is not imported.
  std::optional<std::int64_t> versionOf(StringId domain) const;
  /// What is wrong with all operators of the domain of \p k, of which \p version is imported.
  Entry *faultOfImport(const Key &k, std::int64_t version);

  Context &c;
  Model &m;
  StringId emptyId;
  const OpsetImports *current = nullptr;
  std::uint32_t currentIndex = 0;
  std::unordered_map<Key, std::uint32_t, KeyHash> byKey;
  std::unordered_map<Key, FunctionId, KeyHash> functions;                 ///< with `imports` 0
  std::deque<Entry> entries;                                              ///< which stay where they are
  std::unordered_map<Key, std::unique_ptr<Entry>, KeyHash> faultyImports; ///< at fault, by their domains
  /// Operators of the default domain that were asked for last, by the bytes of
  /// their names: nearly always the ones wanted again, without a hash of a string.
  struct Recent {
    NameEnds name;
    Entry *entry = nullptr;
  };
  static constexpr unsigned recentBits = 8;
  std::array<Recent, std::size_t{1} << recentBits> recent;
  std::string scratch;
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_OPERATORS_H
