//===- SourceGraph.h - What a front end writes of source code ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agreement between who reads source code into a model and who judges the model, as
// code: the operators and attributes that no system of tensors has, each with how it is
// written and read. docs/cxx-graph.md says what each means, and in what order a front end
// builds a model (docs/front-end.md).
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_SOURCEGRAPH_H
#define CONDLINT_SOURCEGRAPH_H

#include "condlint/Graph.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What code does that is no operator of torch or TensorRT: the operators of the domain `cxx`.
enum class CxxOp : std::uint8_t {
  Assume,   ///< the same value with more known of it
  Call,     ///< a helper that was called before like this
  Choice,   ///< networks: this run went one way at a condition
  Effect,   ///< a side effect
  Grad,     ///< the gradient of a tensor, as a tensor
  Gradient, ///< the gradients of tensors change
  HostRead, ///< a tensor's elements are read on the host
  Input,    ///< a tensor from outside that is no parameter
  Join,     ///< the value on one of several paths
  New,      ///< a tensor that a call made
  None,     ///< a default-constructed tensor
  Opaque,   ///< a call without a body
  Outside,  ///< networks: what was there before
  Perhaps,  ///< the value on a path that may not be taken
  Read,     ///< a variable that a branch wrote is read
  Return,   ///< a `return` of the branch function
  Run,      ///< networks: what the graph stands for
  Store,    ///< a raw write into a tensor
  Unknown,  ///< a value that was not understood
  Write,    ///< a variable outside of the branch is written
};

/// Facts about traced code: the operators of the domain `tracing`.
enum class TracingOp : std::uint8_t {
  ConstantFlag, ///< a constant where the training flag belongs
  Convertible,  ///< a selection that is converted
  Eager,        ///< an arm of one that must not be evaluated always
  Flag,         ///< another module's training flag
  FlagModule,   ///< a module where a flag is wanted
  FrozenFlag,   ///< a condition that hangs on the training flag
  FrozenValue,  ///< a condition that hangs on a tensor's value
  Masked,       ///< values that masked_fill discards, and whose gradients it does not
  State,        ///< a member that is assigned while the code is traced
  Types,        ///< arms of different types
  Where,        ///< an arm of torch::where that its condition guards
  WhereWrite,   ///< the same, and it writes in place
};

inline constexpr std::string_view cxxDomain = "cxx";
inline constexpr std::string_view tracingDomain = "tracing";
/// A conditional of libtorch is `higher_order.cond`, as in a `.pt2`.
inline constexpr std::string_view higherOrderDomain = "higher_order";
inline constexpr std::string_view condOperator = "cond";

/// The operator's name in its domain: "host_read".
std::string_view nameOf(CxxOp op);
std::string_view nameOf(TracingOp op);

/// True for a node of the domain `cxx`.
bool isCxx(const Model &m, NodeId n);
bool isCxx(const Model &m, NodeId n, CxxOp op);
/// Which operator of the domain `cxx` \p n is of, if of one that is listed above.
std::optional<CxxOp> cxxOpOf(const Model &m, NodeId n);
bool isTracing(const Model &m, NodeId n, TracingOp op);
/// True for a graph that was recorded while Python code ran (`"recorded"` in graph JSON): it is a graph as a `.pt2`
/// holds one, with the nodes and captures of source that say what the code did besides.
bool isRecorded(const Model &m);

/// An attribute by its name, with the kind that it is written and read as. What is read as another kind, or is not
/// there, is empty.
template <AttributeKind Kind> struct Named {
  std::string_view name;
};
using NamedFlag = Named<AttributeKind::Bool>; ///< most are there or are not
using NamedInt = Named<AttributeKind::Int>;
using NamedInts = Named<AttributeKind::Ints>;
using NamedBools = Named<AttributeKind::Bools>;
using NamedText = Named<AttributeKind::String>;
using NamedDims = Named<AttributeKind::Dims>;
using NamedPlace = Named<AttributeKind::Location>;
using NamedPlaces = Named<AttributeKind::Locations>;

/// The attributes that only source has, by what has them.
namespace attr {
// Any node.
inline constexpr NamedText name{"name"};
inline constexpr NamedPlaces calls{"calls"};
inline constexpr NamedPlace doubtAt{"doubt_at"};
inline constexpr NamedFlag unsized{"unsized"};
inline constexpr NamedFlag open{"open"};
inline constexpr NamedText unknown{"unknown"};
// Operators of the domain `cxx`, facts about traced code.
inline constexpr NamedText reason{"reason"};
inline constexpr NamedText what{"what"};
inline constexpr NamedFlag loop{"loop"};
inline constexpr NamedFlag branch{"branch"};
inline constexpr NamedInts aliases{"aliases"};
inline constexpr NamedInt variable{"variable"};
inline constexpr NamedInt of{"of"};
inline constexpr NamedPlaces writtenAt{"written_at"};
inline constexpr NamedBools compound{"compound"};
// A conditional of libtorch.
inline constexpr NamedDims admitted{"admitted"};
inline constexpr NamedPlace predicateAt{"predicate_at"};
inline constexpr NamedFlag predicateCompound{"predicate_compound"};
inline constexpr NamedPlace operandsAt{"operands_at"};
inline constexpr NamedPlace branchAt[] = {{"true_at"}, {"false_at"}};
inline constexpr NamedText branchName[] = {{"branch_name_true"}, {"branch_name_false"}};
inline constexpr NamedFlag mayBeEmpty[] = {{"true_may_be_empty"}, {"false_may_be_empty"}};
// Networks of layers.
inline constexpr NamedFlag uncertain{"uncertain"};
inline constexpr NamedFlag unseen{"unseen"};
inline constexpr NamedFlag inputsUnknown{"inputsUnknown"};
inline constexpr NamedFlag network{"network"};
inline constexpr NamedFlag parameter{"parameter"};
inline constexpr NamedPlace functionAt{"function_at"};
inline constexpr NamedText holder{"variable"};
inline constexpr NamedPlace holderAt{"variable_at"};
inline constexpr NamedInt place{"place"};
inline constexpr NamedText condition{"condition"};
inline constexpr NamedText layer{"of"}; ///< of a getOutput
inline constexpr NamedFlag doubtful{"doubtful"};
inline constexpr NamedInt root{"root"};      ///< of a run: which function it is one of
inline constexpr NamedFlag common{"common"}; ///< of a run: it holds what all executions have in common
inline constexpr NamedText bound{"bound"};   ///< of a run: why an execution may do something else
inline constexpr NamedFlag handed{"handed"}; ///< code that is not seen got hold of the layer
/// Where `setInput(\p input, ...)` stands, and where the tensor of \p operand is written.
std::string inputAt(std::size_t input);
std::string argumentAt(std::size_t operand);
} // namespace attr

/// \p n has the attribute.
template <AttributeKind Kind> bool has(const Model &m, NodeId n, Named<Kind> a) {
  return m.attribute(n, a.name) != nullptr;
}
std::optional<bool> read(const Model &m, NodeId n, NamedFlag a);
std::optional<std::int64_t> read(const Model &m, NodeId n, NamedInt a);
std::string_view read(const Model &m, NodeId n, NamedText a);
std::span<const std::int64_t> read(const Model &m, NodeId n, NamedInts a);
std::span<const std::int64_t> read(const Model &m, NodeId n, NamedBools a);
std::span<const Dim> read(const Model &m, NodeId n, NamedDims a);
std::optional<SourceLocation> read(const Model &m, NodeId n, NamedPlace a);
std::vector<SourceLocation> read(const Model &m, NodeId n, NamedPlaces a);

/// The attribute, for `Model::addNode`.
Attribute make(Model &m, NamedFlag a, bool value = true);
Attribute make(Model &m, NamedInt a, std::int64_t value);
Attribute make(Model &m, NamedText a, std::string_view value);
Attribute make(Model &m, NamedInts a, std::span<const std::int64_t> value);
Attribute make(Model &m, NamedBools a, std::span<const std::int64_t> value);
Attribute make(Model &m, NamedDims a, std::span<const Dim> value);
Attribute make(Model &m, NamedPlace a, LocationId value);
Attribute make(Model &m, NamedPlaces a, std::span<const LocationId> value);

} // namespace condlint

#endif // CONDLINT_SOURCEGRAPH_H
