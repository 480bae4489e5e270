//===- Op.h - What operators mean -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One canonical operator has one definition, which types it, says what it
// writes and aliases, and executes it. The names of ATen, ONNX and TensorRT
// are bindings onto definitions.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OP_H
#define CONDLINT_OP_H

#include "condlint/Graph.h"
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What a node is refused for, as far as it decides who finds it: a runtime as it loads a model, or a kernel.
enum class FaultKind : std::uint8_t {
  Other,
  Axis,        ///< the operand has no such axis
  Elements,    ///< as many elements cannot have that shape
  Index,       ///< an index beyond the size
  IndexRank,   ///< indices of another rank than the operand
  IndexLength, ///< an index of more numbers than there are axes
  Letter,      ///< a letter of an equation stands for two sizes
  Multiple,    ///< a size that does not divide
  NoneLeft,    ///< a size below zero
  Stretch,     ///< a shape that does not broadcast to the other
  Unequal,     ///< sizes that must be equal
  UpdateShape, ///< updates of another shape than their places
  Window,      ///< a window that is larger than what it moves over
  ZeroStep,
};

class InferContext;
class ExecContext; // lib/ops: one execution of one node

/// Properties of an operator that hold for every node of it.
enum class OpTrait : std::uint16_t {
  None = 0,
  Conditional = 1, ///< selects one of its regions
  Loop = 2,        ///< runs its regions repeatedly
  HigherOrder = 4, ///< runs its region once (no_grad wrapper, checkpoint)
  Random = 8,      ///< draws random numbers
  HostSync = 16,   ///< copies a tensor's value to the host
  Trivial = 32,    ///< no work: identities, constants, shape queries
  Opaque = 64,     ///< may write and alias anything
  Constant = 128,  ///< its results never change
  Typewise = 256,  ///< the types of its results follow from those of its operands, where no number is known
};
constexpr OpTrait operator|(OpTrait a, OpTrait b) {
  return static_cast<OpTrait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(OpTrait set, OpTrait t) { return (static_cast<unsigned>(set) & static_cast<unsigned>(t)) != 0; }

/// How sure an alias is. `Eager`: where operators run one by one the result is the operand, and a
/// tracer makes a copy of it.
enum class AliasKind : std::uint8_t { May, Must, Eager };

/// What one node does besides computing. Positions count the node's operands
/// and results.
struct NodeEffects {
  std::vector<std::uint32_t> writes;   ///< operands whose storage is written
  std::vector<std::uint32_t> mayWrite; ///< operands that are written or not, as an argument decides
  struct Alias {
    std::uint32_t result, operand;
    AliasKind kind;
  };
  std::vector<Alias> aliases;
  bool random = false;
  bool hostSync = false;
  bool opaque = false;
};

/// The definition of a canonical operator.
struct OpDef {
  std::string_view name; ///< canonical: "add", "reduce_sum", "reshape"
  /// Sets the types of the results; a result left alone stays unknown. Null:
  /// nothing is known of the results, and the operator counts as untyped.
  void (*infer)(InferContext &) = nullptr;
  OpTrait traits = OpTrait::None;
  /// Corrects the effects that the tables give for one node (an alias that
  /// depends on types, a hidden write). Null: the tables are right.
  void (*refineEffects)(const Model &, NodeId, NodeEffects &) = nullptr;
  /// Computes the results of one node. Null: condlint cannot execute it.
  void (*execute)(ExecContext &) = nullptr;
};

/// A system's name for a definition.
struct OpBinding {
  std::string_view name; ///< "aten.add", "Add", "ai.onnx.ml::Scaler", "_operator.ge", "addUnary"
  const OpDef *definition = nullptr;
  /// ONNX: the versions of the domain in which the operator exists.
  std::int32_t since = 1;
  std::int32_t until = std::numeric_limits<std::int32_t>::max(); ///< inclusive
};

/// The definitions of one file of lib/ops; the files are listed in Registry.cpp.
struct OpFamily {
  std::span<const OpBinding> torch;
  std::span<const OpBinding> onnx;
  std::span<const OpBinding> tensorrt = {};
};

/// Sets `Operator::definition` and `effects` of every operator in \p m.
void resolveOperators(Model &m);
/// The same for one operator.
void resolveOperator(Model &m, OperatorId o);
/// The ONNX operator \p name of domain \p domain exists at \p version. Unknown
/// (nothing) for domains whose operators condlint does not list.
std::optional<bool> onnxOperatorExists(std::string_view domain, std::string_view name, std::int64_t version);
/// What the node \p n writes, aliases and draws. An operator nobody defined is opaque.
NodeEffects effectsOf(const Model &m, NodeId n);
/// What \p v was before C++ source assumed something of it (`cxx.assume`: a check, a contract); other values
/// are themselves.
ValueId withoutAssumptions(const Model &m, ValueId v);
bool nodeHas(const Model &m, NodeId n, OpTrait t);
/// The values that the regions of \p n receive as their parameters, by position
/// (torch: the operands of `cond`, carried and further values of loops). Empty
/// for ONNX, whose regions see the scopes around them.
std::vector<ValueId> regionOperands(const Model &m, NodeId n);

/// What `infer` of a definition reads and writes: one node of a model whose
/// operands are typed. Everything absent or unknown is an empty optional, an
/// invalid id or an unknown type, and a definition must work with any of it.
class InferContext {
public:
  InferContext(Model &model, NodeId node, class InferState *owner) : m(model), n(node), state(owner) {}

  Model &model() { return m; }
  DimTable &dims() { return m.dims; }
  NodeId node() const { return n; }
  Dialect dialect() const { return m[m[n].op].dialect; }
  bool isTorch() const { return dialect() == Dialect::Torch; }
  bool isOnnx() const { return dialect() == Dialect::Onnx; }
  /// ONNX: the version of the operator's domain. TensorRT: 100 * major + minor; 0 when not known.
  std::int32_t version() const { return m[m[n].op].version; }
  std::string_view opName() const { return m.text(m[m[n].op].name); }
  std::string_view overload() const { return m.text(m[m[n].op].overload); }

  // Operands by position. Torch: tensors and symbolic scalars in the order of
  // the arguments, lists flattened; prefer the access by name below.
  std::size_t operandCount() const { return m[n].operands.count; }
  ValueId operand(std::size_t i) const;
  bool has(std::size_t i) const { return operand(i).valid(); }
  /// The unknown type when absent.
  const Type &type(std::size_t i) const;
  const Type &typeOf(ValueId v) const;
  /// The numbers in operand \p i, where known: one entry an element, row-major;
  /// an entry may be unknown. Rank 0 has one entry.
  std::optional<std::span<const Dim>> content(std::size_t i) const;
  std::optional<std::span<const Dim>> contentOf(ValueId v) const;

  // Attributes (ONNX) and arguments (torch) by name.
  const Attribute *attribute(std::string_view name) const { return m.attribute(n, name); }
  bool hasAttribute(std::string_view name) const { return attribute(name) != nullptr; }
  std::optional<std::int64_t> intAttr(std::string_view name) const; ///< Int, Bool
  std::int64_t intAttr(std::string_view name, std::int64_t otherwise) const;
  std::optional<double> floatAttr(std::string_view name) const;
  std::string_view stringAttr(std::string_view name, std::string_view otherwise = {}) const;
  std::optional<std::vector<std::int64_t>> intsAttr(std::string_view name) const; ///< Ints, or one Int
  std::optional<DType> dtypeAttr(std::string_view name) const; ///< DType; ONNX: an Int of TensorProto.DataType
  /// Torch: the value passed as \p name; none for a literal or when absent.
  ValueId arg(std::string_view name) const;
  const Type &argType(std::string_view name) const;
  /// Torch: the values of a list argument; absent entries are invalid.
  std::vector<ValueId> argList(std::string_view name) const;
  /// An integer argument: a literal, a symbolic int, or (ONNX) a scalar operand
  /// is *not* looked at. Unknown when it is not known.
  Dim dimArg(std::string_view name) const;
  /// The tensor all whose sizes an argument gives, its rank known or not (`x.sizes()` in C++ source); else none.
  ValueId sizedLike(std::string_view name) const;
  /// A list of integers, some symbolic. Nothing when absent or not a list.
  std::optional<std::vector<Dim>> dimsArg(std::string_view name) const;
  /// ONNX: axes and such that moved from an attribute to an input.
  std::optional<std::vector<std::int64_t>> intsAttrOrInput(std::string_view name, std::size_t input) const;

  // Results.
  std::size_t resultCount() const { return m[n].results.count; }
  void setResult(std::size_t i, const Type &t);
  void setContent(std::size_t i, std::span<const Dim> values);
  /// The numbers of a tensor attribute or constant, when small integers.
  std::optional<std::vector<Dim>> constantContent(ConstantId c) const;
  /// The operands break what the operator admits (rule operator-type): a
  /// definite break only. \p operand may be none.
  void reject(std::string message, std::optional<std::size_t> operand = std::nullopt,
              FaultKind kind = FaultKind::Other);
  /// The operator stops where \p d is below zero, which says of the sizes it is made of what they are where it does
  /// not.
  void require(Dim d);
  /// The operator stops where the two differ.
  void requireEqual(Dim a, Dim b);
  /// No result comes of operands of these element types: torch throws. Said instead
  /// of `reject` where the catalogue knows no rule for it.
  void refuse();
  /// Where an operand's rank is not known and decides how types promote: bit i says
  /// that the i-th of them is a scalar tensor. Nothing unless inference tries it out.
  std::optional<unsigned> assumedScalars() const;

  // Helpers for building types.
  /// A tensor of \p dtype and known dims. Torch: on the device \p like.
  Type tensor(DType dtype, std::span<const Dim> shape) const;
  Type tensor(DType dtype, std::initializer_list<Dim> shape) const;
  /// A tensor of which only the dtype is known.
  Type tensor(DType dtype) const;
  /// A tensor of known dtype and rank with unknown dims.
  Type tensorOfRank(DType dtype, std::size_t rank) const;
  Type sequenceOf(TypeId item) const;
  Type optionalOf(TypeId item) const;
  Type symInt() const;
  /// What is true of a value that is of type \p a or of type \p b: what differs is
  /// unknown, and its element type is one of theirs.
  Type either(const Type &a, const Type &b);
  /// The type of operand \p i with names for what is not known of it (C++ source).
  Type namedType(std::size_t i);
  Dim constant(std::int64_t v) { return m.dims.constant(v); }
  /// A size that depends on data; a new symbol for this node.
  Dim dataDependent(std::string_view hint);
  /// A stride of this node's result that is 1 or more, and nobody knows which.
  Dim someStride();

  /// How facets of the results follow from those of operands where many operators
  /// agree in it, so that what is not known of two results may be known to be the same
  /// (C++ source). Say each after the other.
  enum class ShapeRule : std::uint8_t {
    Own,       ///< the operator's
    Broadcast, ///< the sizes of the operands, broadcast
    Reduce,    ///< of one operand; as the arguments dim and keepdim say
    RowMajor,  ///< row by row in memory, of its own sizes or those of one operand
  };
  void setShapeRule(ShapeRule r, std::span<const ValueId> operands);
  /// The result lies in memory as torch's elementwise kernels lay it out.
  void setDense() { dense = true; }
  /// The element type is what the operands promote to.
  void setPromotes() { promotes = true; }

private:
  friend class InferState;
  Model &m;
  NodeId n;
  class InferState *state;
  ShapeRule shapeRule = ShapeRule::Own;
  bool dense = false;
  bool promotes = false;
  std::vector<ValueId> shapeOperands;
  unsigned made = 0; ///< data-dependent sizes of this node so far
  /// Arguments of source whose value is not known were asked for, so that what
  /// depends on them is none either: the shape, or the element type as well.
  mutable bool unresolvedShape = false;
  mutable bool unresolvedElement = false;
  void missing(const Attribute *a, std::string_view name) const;
};

/// A predicate that is known to be true, or false: of a conditional, whose branches yield two types.
struct Known {
  ValueId predicate;
  bool truth = true;
  friend bool operator==(const Known &, const Known &) = default;
};
/// "where 'p' is true and 'q' is false"; empty for none.
std::string textOf(const Model &m, std::span<const Known> when);

/// What the file records of a value and its operator yields otherwise.
struct Contradiction {
  ValueId value;
  std::string facet;    ///< "dtype", "shape" (the rank too), "strides", "device", "kind", "storage offset"
  std::string recorded; ///< "float32", "[2, 4]"
  std::string inferred;
  std::vector<Known> when = {}; ///< not in every run, but in those where these predicates are so
};
/// A node that is given what its operator does not admit.
struct InvalidOperand {
  NodeId node;
  std::optional<std::uint32_t> operand;
  std::string message;
  FaultKind kind = FaultKind::Other;
  std::vector<Known> when = {}; ///< not in every run, but in those where these predicates are so
};
/// What is wrong with a node if what the file declares of a value before it is so, and is not, which is said there:
/// some runtimes go by what is declared.
struct FollowUp {
  ValueId declared;
  InvalidOperand fault;
};
/// The message of \p i, which begins with the operator's name.
std::string textOf(const Model &m, const InvalidOperand &i);

/// An expression that \c node, where it runs at all, finds not below zero: for other sizes its operator stops.
struct SizeCondition {
  NodeId node;
  Dim notNegative;
};

/// What `inferTypes` found besides types.
struct Inference {
  std::vector<Contradiction> contradictions;
  std::vector<InvalidOperand> invalid;
  std::vector<FollowUp> followUps;
  std::vector<SizeCondition> conditions;
  /// The types of some values under the two truths of a predicate were not followed: there were too many.
  bool casesLeftOut = false;
  /// Operators without a definition or without type inference, with counts.
  std::map<std::string, std::size_t> untyped;
};

/// Types every value of \p m: main graph, regions, and one typed copy of a
/// function's body for each distinct way it is called. Calls
/// `resolveOperators`. Each facet of `Value::type` is what the operator yields
/// where that is known, else what is recorded. Linear in the nodes.
Inference inferTypes(Model &m);

/// torch \p version, which wrote a file, had no overload of the ATen operator \p name but those of the table, which is
/// of one version: of newer ones it says nothing, and of older ones no more than that the operator is the same.
bool isTableOf(std::string_view name, std::string_view version);

/// The element types of \p a and \p b are not known, and yet the same (C++ source):
/// both follow from one, and agree whichever that is and both operators take.
bool sameElements(const Model &m, const Type &a, const Type &b);

/// Types the results of \p n, the way `inferTypes` will, while \p m is being
/// built: for a front end that asks for sizes and element types as it reads. The
/// operands must have been typed in this way, and the nodes of the regions too.
/// What `inferTypes` finds later is the same.
void inferNode(Model &m, NodeId n);
/// Gives the parameters of the branch \p g the types and contents of the \p operands
/// that they receive, by position: before the nodes of \p g are typed.
void inferParameters(Model &m, GraphId g, std::span<const ValueId> operands);
/// No value is of both types, by their kinds, element types, ranks and sizes.
bool excludes(const Model &m, const Type &a, const Type &b);
/// Two ranks, or two sizes in numbers, that cannot be one. What a name is part of differs
/// from nothing here: so do runtimes compare that see a shape before they know its names.
bool shapesDiffer(const Model &m, const Type &a, const Type &b);

} // namespace condlint

#endif // CONDLINT_OP_H
