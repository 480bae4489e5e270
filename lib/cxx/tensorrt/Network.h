//===- Network.h - A network as the code builds it -------------*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter has seen of one run of a function that builds: the layers in
// the order in which they were added, with what was set and rewired since. From it
// come the nodes of a graph (docs/cxx-graph.md).
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_NETWORK_H
#define CONDLINT_CXX_TENSORRT_NETWORK_H

#include "condlint/Graph.h"
#include "condlint/SourceGraph.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::cxx {

using LayerId = Id<struct LayerTag>;

/// An output of a layer: every tensor is one. None: nothing, a null pointer.
struct TensorRef {
  LayerId layer;
  std::uint32_t output = 0;
  explicit operator bool() const { return layer.valid(); }
  friend bool operator==(TensorRef, TensorRef) = default;
};

/// What was set of a layer: an attribute of its node.
struct Setting {
  std::string name;
  AttributeKind kind = AttributeKind::None; ///< None: set to what is not known
  std::int64_t number = 0;                  ///< Bool, Int, DType, Location
  std::string text;                         ///< String
  std::vector<Dim> dims;                    ///< Dims
  std::vector<double> reals;                ///< Floats
};
/// That \p a is so.
Setting flag(NamedFlag a);

/// A layer, or another step of the code that counts (an output that is marked, a
/// call that is not seen into): one node of the graph.
struct Layer {
  std::string_view domain; ///< empty: TensorRT's own; "cxx"
  std::string_view op;     ///< "addUnary", "IfConditional.addOutput"; lives as long as the program
  std::vector<TensorRef> operands;
  std::vector<Setting> settings; ///< in the order in which they were set last
  std::string name;              ///< in paths; empty: after its operator
  std::uint32_t outputs = 0;
  LocationId location;
  std::vector<LocationId> calls;
  std::uint32_t path = 0; ///< `Machine::path` where it was added
  std::uint32_t loop = 0; ///< `Machine::assumedLoop` there
  bool ghost = false;     ///< of a run that was forgotten, or taken back
  NodeId node;            ///< once there is one
  bool dirty = false;     ///< changed since, and listed for it

  /// Where the operands begin that `getInput` counts: a boundary layer's first is its conditional or loop.
  std::size_t firstInput() const { return op.find('.') != std::string_view::npos ? 1 : 0; }
};

/// The outputs of a layer where somebody else decides how many it has.
constexpr std::uint32_t manyOutputs = 8;

/// The layers of one run, and the nodes made of them. \p version is that of the
/// operators: 100 * major + minor.
class NetworkLog {
public:
  NetworkLog(Model &target, std::int32_t version) : m(target), operatorVersion(version) {}

  LayerId add(Layer layer);
  Layer &operator[](LayerId l) { return layers[l.index()]; }
  const Layer &operator[](LayerId l) const { return layers[l.index()]; }
  std::size_t size() const { return layers.size(); }

  void set(LayerId l, Setting s);
  /// It was never set.
  void unset(LayerId l, std::string_view name);
  void setOperand(LayerId l, std::size_t position, TensorRef t);
  /// It is no longer there.
  void drop(LayerId l);

  /// From here to `endTrial` whatever is recorded will be forgotten.
  void beginTrial();
  void endTrial();
  bool inTrial() const { return trial; }

  /// What is known of a tensor now. Unknown during a trial.
  const Type &type(TensorRef t);
  /// Makes the nodes of all layers. \p name is the function's.
  void emit();
  /// There is a layer of TensorRT's.
  bool builds() const;
  /// The graph, if there is a node.
  GraphId graph() const { return g; }
  std::string graphName;
  bool tellsPaths = false; ///< nodes say on which path they are added

private:
  void touch(LayerId l);
  void makeNode(Layer &layer);
  void update(Layer &layer);
  Range attributesOf(const Layer &layer);
  ValueId valueOf(TensorRef t) const;

  Model &m;
  std::int32_t operatorVersion;
  std::vector<Layer> layers;
  GraphId g;
  std::size_t emitted = 0;
  std::size_t typed = 0;        ///< layers whose nodes are typed as they are
  std::size_t inferences = 0;   ///< how many nodes were typed so far
  std::vector<LayerId> changed; ///< layers whose nodes are no longer right
  std::vector<LayerId> ahead;   ///< layers whose nodes read nodes that were not there yet
  bool trial = false;
  std::size_t trialStart = 0;
  std::vector<std::function<void()>> undo; ///< of the trial
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_NETWORK_H
