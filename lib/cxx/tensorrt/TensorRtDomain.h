//===- TensorRtDomain.h - What TensorRT's objects mean ----------*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT for the interpreter: networks, layers, tensors, conditionals and loops are
// objects whose value is a Token; pointers and references to them are C++'s own. The
// classes are recognised by name, so that other vendors' headers of the same names
// and a stand-in for TensorRT's work alike.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TENSORRT_TENSORRTDOMAIN_H
#define CONDLINT_CXX_TENSORRT_TENSORRTDOMAIN_H

#include "../interp/machine/Machine.h"
#include "../torch/SourceMap.h"
#include "Holders.h"
#include "HostPaths.h"
#include "Network.h"
#include "condlint/SourceGraph.h"
#include <map>
#include <unordered_map>

namespace condlint::cxx {

/// What a class of TensorRT's is for us; the tag of a Token.
enum class EntityKind : std::uint32_t { None, Network, Tensor, Layer, Conditional, Loop, Parser, Other };

/// Tells TensorRT's classes from others.
class TensorRtClasses {
public:
  EntityKind of(const clang::CXXRecordDecl *record);
  /// The same of what \p type names, points to or refers to.
  EntityKind of(clang::QualType type);

private:
  llvm::DenseMap<const clang::CXXRecordDecl *, EntityKind> known;
};

class TensorRtDomain : public Domain {
public:
  /// \p paths decides what is followed in this run; it outlives the domain.
  TensorRtDomain(NetworkLog &log, SourceMap &places, TensorRtClasses &classes, Holders &variables, HostPaths &paths)
      : net(log), map(places), cls(classes), holders(variables), hostPaths(paths) {}
  ~TensorRtDomain() override = default;

  std::optional<Value> call(Machine &m, Call &call) override;
  std::optional<Value> construct(Machine &m, Call &call) override;
  void onOpaque(Machine &m, Call &call) override;
  Value opaqueCall(Machine &m, Call &call) override;
  std::optional<Value> input(Machine &m, const SymbolInfo &info) override;
  /// What code that is not followed may change: the settings of a layer, and the type of a tensor
  /// where it can be given for nothing else.
  std::optional<Value> havoc(Machine &, const Value &v, ReasonId) override;
  std::optional<Value> part(Machine &, const Value &, const Step &, clang::QualType) override { return std::nullopt; }
  bool isOwn(Machine &m, const Value &v) override;
  bool tellsElementsApart() const override { return true; }
  bool keepsPlaces() const override { return true; }
  void identify(Machine &m, Number &n) override;
  std::optional<Value> sizeOfSymbol(Machine &m, SymbolId symbol) override;
  std::shared_ptr<const Test> comparison(Machine &m, unsigned opcode, const Number &a, const Number &b) override;
  std::optional<unsigned> choosePath(Machine &m, const clang::Stmt *at, unsigned paths, const Value &condition,
                                     std::span<const clang::Stmt *const> arms) override;
  void onDecided(Machine &m, std::span<const clang::Stmt *const> arms, unsigned taken) override {
    hostPaths.noteLeaving(m, arms, taken);
  }
  void onLost(Machine &m, const Value &v, const clang::Expr *at) override;
  std::optional<unsigned> trips(Machine &m, const clang::Stmt &loop) override;
  Value afterTrips(Machine &m, const Value &before, const Value &now) override;
  void onBound(Machine &, std::string_view why) override { hostPaths.noteBound(why); }
  /// The run stands for all executions that go its paths.
  bool isStrict() const { return hostPaths.mode() != HostPaths::Mode::Run; }
  bool separatesExits() const override { return isStrict(); }
  Unseen unseenChanges() const override { return isStrict() ? Unseen::Anything : Unseen::Nothing; }
  void beginScout() override { net.beginTrial(); }
  void endScout() override { net.endTrial(); }

  /// The root has run: what it gave back or left in objects from outside may be
  /// used and completed there.
  /// \p incomplete, if not empty, says why not all of the code was followed.
  void finish(Machine &m, const Value &result, std::string_view incomplete);

private:
  struct Tensor {
    TensorRef ref;
    ObjectId object;
  };
  struct Entity {
    EntityKind entityKind = EntityKind::Layer;
    LayerId layer; ///< Layer, Conditional, Loop: its record
    ObjectId object;
    bool outside = false; ///< made where it is not seen
  };

  // Tokens and pointers (TensorRtValues.cpp)
  Value pointerTo(Machine &m, TensorRef t, clang::QualType type);
  Value pointerTo(Machine &m, EntityKind entityKind, LayerId l, clang::QualType type);
  /// \p own: made here, so that it is no other one.
  Value newNetwork(Machine &m, clang::QualType type, bool own);
  Value newOther(Machine &m, clang::QualType type, EntityKind entityKind = EntityKind::Other);
  std::optional<Token> tokenOf(Machine &m, Argument &a);
  TensorRef tensorOf(Machine &m, const Token &t) const;
  TensorRef tensorOf(Machine &m, Argument &a);
  TensorRef unknownTensor(Machine &m, std::string_view why, const clang::Expr *at);
  std::vector<TensorRef> tensorArray(Machine &m, const Value &pointer, const Value &count, bool &known,
                                     const clang::Expr *at);
  /// The record of the layer, conditional or loop that a method is called on; a new
  /// one of which nothing is known where that is not known.
  LayerId layerOf(Machine &m, Call &call, EntityKind entityKind);
  /// A setter is called on a layer that is not known: any of its class may be meant.
  void setSome(Machine &m, const Call &call);
  /// The same of `setInput`: what may be meant may read something else now, as input \p index or as any.
  void setSomeInput(Machine &m, const Call &call, std::optional<std::int64_t> index);
  /// The same of \p setting of the one output of a layer, whatever its class.
  void setSomeOutput(std::string_view setting);
  /// A layer in the sense of `getLayer`: neither an input, nor an output that is marked, nor a conditional or loop.
  static bool isCounted(const Layer &l);
  /// Code that is not followed may have set \p l.
  void setUnseen(LayerId l);
  /// What leads to TensorRT's objects: tensors and handles, and whether a network is among them.
  struct Reach {
    std::vector<TensorRef> tensors;
    std::vector<TensorRef> perhaps = {}; ///< of these what lies where one of several is
    std::vector<LayerId> layers;         ///< those themselves, not only their tensors
    bool network = false;
    llvm::DenseSet<std::uint32_t> objects;
  };
  void reach(Machine &m, const Value &v, Reach &r, unsigned depth = 0);
  void reach(Machine &m, const Pointer &p, Reach &r, unsigned depth = 0);
  /// What somebody gets who gets all of \p r: of those that lie where one of several is, one.
  std::vector<TensorRef> tensorsOf(Machine &m, const Reach &r, const clang::Expr *at);

  // Layers (TensorRtLayers.cpp)
  LayerId addLayer(Machine &m, CxxOp op, std::uint32_t outputs, const clang::Expr *at) {
    return addLayer(m, cxxDomain, nameOf(op), outputs, at);
  }
  LayerId addLayer(Machine &m, std::string_view domain, std::string_view op, std::uint32_t outputs,
                   const clang::Expr *at);
  std::optional<Value> networkMethod(Machine &m, Call &call, std::string_view name);
  std::optional<Value> tensorMethod(Machine &m, Call &call, std::string_view name);
  std::optional<Value> layerMethod(Machine &m, Call &call, std::string_view name);
  std::optional<Value> boundaryMethod(Machine &m, Call &call, EntityKind owner, std::string_view name);
  Value otherMethod(Machine &m, Call &call, std::string_view name);
  Value addByTable(Machine &m, Call &call, std::string_view name);
  void applySetter(Machine &m, Call &call, LayerId l, std::string_view name);
  void resetOutputType(Machine &m, Call &call, LayerId l);
  /// The layer reads \p t where it is on the path that it was added on, else that or what it read before. \p isAwaited:
  /// whether it reads anything there is kept elsewhere.
  void setOnPath(Machine &m, LayerId l, std::size_t operand, TensorRef t, const clang::Expr *at, bool isAwaited);
  /// What is given to a recurrence or an output of a loop on some ways only need not be there.
  void openUncertainInputs(Machine &m);
  Value outputOf(Machine &m, Call &call, LayerId l);
  void networkEvent(Machine &m, const clang::Expr *at, std::string_view name);
  Value resultByType(Machine &m, Call &call);

  // Questions about what was made (TensorRtGetters.cpp)
  /// What is asked of the network may have been changed by a trip before: no answer is known.
  bool mayDiffer(Machine &m);
  /// All of what \p isMeant that the network has which is asked; nothing where it may have more.
  std::optional<std::vector<LayerId>> allOf(Machine &m, Call &call, bool (*isMeant)(const Layer &));
  /// How many layers, inputs or outputs it has, or one of them.
  std::optional<Value> inventory(Machine &m, Call &call, std::string_view name);
  Value networkAnswer(Machine &m, Call &call, std::string_view name);
  Value layerAnswer(Machine &m, Call &call, LayerId l, std::string_view name);
  Value tensorAnswer(Machine &m, Call &call, TensorRef t, std::string_view name);
  /// What was set, as the \p type that is asked for.
  std::optional<Value> settingAs(Machine &m, clang::QualType type, const Setting &s);
  /// `size.h()` and `size.w()` of a DimsHW.
  std::optional<Value> sideOfWindow(Machine &m, Call &call, std::string_view name);
  /// An answer that is fixed by the code, though nobody has followed how.
  Value fixedAnswer(Machine &m, Call &call);
  /// What a further trip of a loop finds in \p v, and has no output yet, may be completed there.
  void keepOpen(Machine &m, const Value &v);
  /// Code that is not followed gets at the layers of \p r themselves.
  void noteHanded(const Reach &r);
  /// Adds what stands for code that is not followed and can get at \p r.
  LayerId addUnfollowed(Machine &m, const Reach &r, std::string name, std::uint32_t outputs, const clang::Expr *at);
  /// It takes tensors and what can be set of them, and gives nothing back.
  bool isLikeSetter(const Call &call);
  /// What of TensorRT's \p call yields that it may have made.
  EntityKind makesOf(const Call &call);
  /// What happens now happens once for each trip of a loop of unknown length, and \p l was there before.
  bool isRepeatedFor(Machine &m, LayerId l) const;
  void locate(Machine &m, const clang::Expr *at, Layer &layer);
  /// Records where the code went apart on what condition, for who reads of \p choice.
  void noteChoice(Machine &m, const clang::Stmt &at, const PathChoice &choice);
  /// Notes the function that adds the conditional \p l, the local variable that holds it, and how far it can be named.
  void noteVariable(Machine &m, LayerId l, const clang::Expr *at);
  /// Notes where the tensor argument \p a is written.
  void noteArgument(Machine &m, LayerId l, std::size_t operand, const Argument &a);

  // Arguments (TensorRtArguments.cpp)
  std::optional<std::vector<Dim>> dims(Machine &m, const Value &v, clang::QualType type);
  Setting setting(Machine &m, std::string name, Argument &a);
  void weights(Machine &m, LayerId l, const std::string &name, Argument &a);
  std::string_view enumerator(clang::QualType type, const Value &v);
  std::optional<DType> dtype(clang::QualType type, const Value &v);
  Value dimsValue(Machine &m, clang::QualType type, const Type &t);
  Value dimsValue(Machine &m, clang::QualType type, std::span<const Dim> sizes);
  /// Where \p at, which holds dimensions, holds the \p i-th of them.
  static std::optional<Pointer> sizeIn(const Pointer &at, clang::QualType type, std::int64_t i);

  NetworkLog &net;
  std::vector<std::uint32_t> loopsAround{0}; ///< by the number of an assumed loop: the one around it
  SourceMap &map;
  TensorRtClasses &cls;
  Holders &holders;
  HostPaths &hostPaths;
  std::vector<Tensor> tensors;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> tensorIndex; ///< by layer and output
  std::vector<Entity> entities;
  std::unordered_map<std::uint32_t, std::uint32_t> entityIndex; ///< by layer
  std::map<std::uint32_t, Value> symbolSizes;                   ///< of containers of which nothing is known, by symbol
  std::map<std::uint32_t, ObjectId> secondInputs; ///< by layer: whether it is set, as the paths have it that join
  std::vector<bool> ownNetworks;                  ///< by number: made here
  LayerId unfollowed;                             ///< stands for the call that is not followed and comes up
  bool mayRetype = false;    ///< the call that is not followed can do no more with a tensor than set its type
  bool conditionals = false; ///< one was added that a variable holds
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TENSORRT_TENSORRTDOMAIN_H
