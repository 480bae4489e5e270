//===- TensorRtLayers.cpp - Calls that build --------------------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../ops/Words.h"
#include "../interp/machine/Types.h"
#include "TensorRtDomain.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <utility>

namespace condlint::cxx {

namespace {

/// How a method of the network makes a layer of its arguments, one word for each:
/// "t" a tensor, "a" an array of tensors and its length, "w:NAME" weights, "-"
/// nothing that matters, any other word an attribute of that name (see TensorRt.h).
struct AddMethod {
  std::string_view name;
  std::string_view arguments;
  std::uint32_t outputs = 1;
};

constexpr std::array addMethods{
    AddMethod{"addInput", "name type dimensions"},
    AddMethod{"addConvolutionNd", "t nbOutputMaps kernelSizeNd - -"},
    AddMethod{"addConvolution", "t nbOutputMaps kernelSize - -"},
    AddMethod{"addDeconvolutionNd", "t nbOutputMaps kernelSizeNd - -"},
    AddMethod{"addDeconvolution", "t nbOutputMaps kernelSize - -"},
    AddMethod{"addFullyConnected", "t nbOutputChannels - -"},
    AddMethod{"addActivation", "t activationType"},
    AddMethod{"addPoolingNd", "t poolingType windowSizeNd"},
    AddMethod{"addPooling", "t poolingType windowSize"},
    AddMethod{"addLRN", "t"},
    AddMethod{"addScale", "t mode"},
    AddMethod{"addScaleNd", "t mode"},
    AddMethod{"addSoftMax", "t"},
    AddMethod{"addConcatenation", "a"},
    AddMethod{"addElementWise", "t t operation"},
    AddMethod{"addUnary", "t operation"},
    AddMethod{"addPaddingNd", "t prePaddingNd postPaddingNd"},
    AddMethod{"addPadding", "t prePadding postPadding"},
    AddMethod{"addShuffle", "t"},
    AddMethod{"addOneHot", "t t t axis"},
    AddMethod{"addReduce", "t operation reduceAxes keepDimensions"},
    AddMethod{"addTopK", "t operation k reduceAxes indicesType", 2},
    AddMethod{"addGather", "t t gatherAxis"},
    AddMethod{"addGatherV2", "t t mode"},
    AddMethod{"addRaggedSoftMax", "t t"},
    AddMethod{"addMatrixMultiply", "t operation0 t operation1"},
    AddMethod{"addNonZero", "t indicesType"},
    AddMethod{"addConstant", "dimensions w:weights"},
    AddMethod{"addIdentity", "t"},
    AddMethod{"addCast", "t toType"},
    AddMethod{"addPluginV2", "a", manyOutputs},
    AddMethod{"addPluginV3", "a a", manyOutputs},
    AddMethod{"addSlice", "t start size stride"},
    AddMethod{"addShape", "t"},
    AddMethod{"addParametricReLU", "t t"},
    AddMethod{"addResize", "t"},
    AddMethod{"addSelect", "t t t"},
    AddMethod{"addAssertion", "t", 0},
    AddMethod{"addFill", "dimensions operation toType"},
    AddMethod{"addQuantize", "t t toType"},
    AddMethod{"addDequantize", "t t toType"},
    AddMethod{"addDynamicQuantize", "t - - toType scaleType", 2},
    AddMethod{"addDynamicQuantizeV2", "t - toType scaleType", 2},
    AddMethod{"addScatter", "t t t mode"},
    AddMethod{"addEinsum", "a equation"},
    AddMethod{"addGridSample", "t t"},
    AddMethod{"addNMS", "t t t indicesType", 2},
    AddMethod{"addReverseSequence", "t t"},
    AddMethod{"addNormalization", "t t t"},
    AddMethod{"addNormalizationV2", "t t t"},
    AddMethod{"addSqueeze", "t t"},
    AddMethod{"addUnsqueeze", "t t"},
    AddMethod{"addCumulative", "t t"},
    AddMethod{"addRotaryEmbedding", "t t t"},
    AddMethod{"addKVCacheUpdate", "t t t"},
    AddMethod{"addMoE", "t t t"},
    AddMethod{"addAttention", "t t t"},
    AddMethod{"addAttentionV2", "t t t"},
    AddMethod{"addDistCollective", "t"},
};

/// What the methods of conditionals and loops make. The handle is the first operand.
constexpr std::array boundaryMethods{
    AddMethod{"IfConditional.setCondition", "t", 0},      AddMethod{"IfConditional.addInput", "t"},
    AddMethod{"IfConditional.addOutput", "t t"},          AddMethod{"Loop.addRecurrence", "t"},
    AddMethod{"Loop.addTripLimit", "t limit", 0},         AddMethod{"Loop.addIterator", "t axis reverse"},
    AddMethod{"Loop.addLoopOutput", "t outputKind axis"},
};

/// What has a tensor leave the network, and what takes that back. One of sizes leaves it as any other does.
struct Mark {
  std::string_view name;
  std::string_view undo;
  std::string_view op;
};

constexpr std::array marks{
    Mark{"markOutput", "unmarkOutput", "markOutput"},
    Mark{"markOutputForShapes", "unmarkOutputForShapes", "markOutput"},
    Mark{"markDebug", "unmarkDebug", "markDebug"},
};

/// "setReduceAxes": "reduceAxes".
std::string settingName(std::string_view setter) {
  std::string name(setter.substr(3));
  if (!name.empty())
    name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  return name;
}

std::optional<std::int64_t> knownInteger(const Value &v) {
  const Number *n = v.number();
  return n && n->known && n->kind != Number::Kind::Floating ? std::optional(n->integer) : std::nullopt;
}

} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

void TensorRtDomain::locate(Machine &m, const clang::Expr *at, Layer &layer) {
  const auto &frames = m.frames();
  if (frames.empty())
    return;
  // What the library calls by itself stands where the library is called.
  std::size_t inner = frames.size() - 1;
  while (!at && inner > 0)
    at = frames[inner--]->site;
  if (at)
    layer.location = map.at(*at, frames[inner]->function);
  for (std::size_t i = 1; i <= inner; ++i)
    if (frames[i]->site)
      layer.calls.push_back(map.at(*frames[i]->site, frames[i - 1]->function));
}

/// What is kept of the second input of a boundary layer while the code runs: where ways join of which one sets it, it
/// is neither.
static Value notGiven() { return Null{}; }
static Value given() { return Void{}; }

void TensorRtDomain::setOnPath(Machine &m, LayerId l, std::size_t operand, TensorRef t, const clang::Expr *at,
                               bool isAwaited) {
  const TensorRef before = operand < net[l].operands.size() ? net[l].operands[operand] : TensorRef();
  if (net[l].path != m.path() && t && (before || !isAwaited)) {
    const TensorRef other = before ? before : unknownTensor(m, "an input that is set on some ways only", at);
    const LayerId join = addLayer(m, CxxOp::Join, 1, at);
    net.setOperand(join, 0, other);
    net.setOperand(join, 1, t);
    t = {join, 0};
  }
  net.setOperand(l, operand, t);
}

void TensorRtDomain::openUncertainInputs(Machine &m) {
  for (const auto &[layer, object] : secondInputs) {
    const LayerId l(layer);
    constexpr std::size_t second = 2; // behind the loop, and the first
    if (net[l].ghost || net[l].operands.size() <= second || !net[l].operands[second] || m.objectValue(object).isVoid())
      continue;
    const TensorRef none = unknownTensor(m, "an input that is set on some ways only", nullptr);
    const LayerId join = addLayer(m, CxxOp::Join, 1, nullptr);
    net.setOperand(join, 0, net[l].operands[second]);
    net.setOperand(join, 1, none);
    net.setOperand(l, second, {join, 0});
  }
}

LayerId TensorRtDomain::addLayer(Machine &m, std::string_view domain, std::string_view op, std::uint32_t outputs,
                                 const clang::Expr *at) {
  Layer layer;
  layer.domain = domain;
  layer.op = op;
  layer.outputs = outputs;
  layer.path = m.path();
  layer.loop = m.assumedLoop();
  locate(m, at, layer);
  const bool waits = op == "Loop.addRecurrence" || op == "Loop.addLoopOutput";
  const LayerId l = net.add(std::move(layer));
  if (waits)
    secondInputs[l.index()] = m.newObject(notGiven(), m.ast().getConstType(m.ast().CharTy), Storage::Heap);
  return l;
}

void TensorRtDomain::noteVariable(Machine &m, LayerId l, const clang::Expr *at) {
  const clang::FunctionDecl *f = m.frames().empty() ? nullptr : m.frames().back()->function;
  if (!f || !f->getBody() || !at)
    return;
  Setting function;
  function.name = attr::functionAt.name;
  function.kind = AttributeKind::Location;
  function.number = map.at(f->getSourceRange(), f).index();
  net.set(l, std::move(function));
  if (at->getBeginLoc().isMacroID())
    return;
  const auto [holder, block] = holders.of(*f, at);
  if (!holder || holder->getLocation().isMacroID())
    return;
  Setting name;
  name.name = attr::holder.name;
  name.kind = AttributeKind::String;
  name.text = holder->getName();
  net.set(l, std::move(name));
  // From behind its declaration to the end of the block.
  Setting scope;
  scope.name = attr::holderAt.name;
  scope.kind = AttributeKind::Location;
  scope.number = map.at({holder->getEndLoc(), block->getEndLoc()}, f).index();
  net.set(l, std::move(scope));
  conditionals = true;
}

void TensorRtDomain::noteArgument(Machine &m, LayerId l, std::size_t operand, const Argument &a) {
  const clang::Expr *e = a.expr ? a.expr->IgnoreImplicit() : nullptr;
  if (!conditionals || !e || m.frames().empty() || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID())
    return;
  Setting s;
  s.name = attr::argumentAt(operand);
  s.kind = AttributeKind::Location;
  s.number = map.at(e->getSourceRange(), m.frames().back()->function).index();
  net.set(l, std::move(s));
}

Value TensorRtDomain::addByTable(Machine &m, Call &call, std::string_view name) {
  const auto *row = std::ranges::find(addMethods, name, &AddMethod::name);
  if (row == addMethods.end()) {
    row = std::ranges::find(boundaryMethods, name, &AddMethod::name);
    if (row == boundaryMethods.end())
      row = nullptr;
  }
  // A method of a newer release: what it reads is known by its types. Its name
  // lives as long as the unit.
  const LayerId l = addLayer(m, "", row ? row->name : std::string_view(call.callee->getIdentifier()->getName()),
                             row ? row->outputs : manyOutputs, call.expr);
  std::size_t operand = 0;
  if (row && row >= boundaryMethods.data() && row < boundaryMethods.data() + boundaryMethods.size()) {
    const EntityKind owner = name.starts_with("Loop.") ? EntityKind::Loop : EntityKind::Conditional;
    const LayerId of = layerOf(m, call, owner);
    net.setOperand(l, operand++, TensorRef{of, 0});
    // How often this one runs for each of the other is not known.
    if (net[of].path != m.path() || isRepeatedFor(m, of))
      net.set(l, flag(attr::uncertain));
  }
  std::string_view words = row ? row->arguments : std::string_view();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    Argument &a = call.arguments[i];
    std::string_view word;
    if (row) {
      if (words.empty())
        break;
      word = nextWord(words);
    } else {
      const clang::QualType type = a.type;
      const bool array = type->isPointerType() && type->getPointeeType()->isPointerType();
      word = cls.of(type) != EntityKind::Tensor ? "-" : array ? "a" : "t";
    }
    if (word == "t") {
      const TensorRef t = tensorOf(m, a);
      noteArgument(m, l, operand, a);
      net.setOperand(l, operand++, t);
    } else if (word == "a") {
      bool known = true;
      const Value count = i + 1 < call.arguments.size() ? m.load(call.arguments[i + 1]) : Value();
      for (TensorRef t : tensorArray(m, m.load(a), count, known, call.expr))
        net.setOperand(l, operand++, t);
      if (!known)
        net.set(l, flag(attr::inputsUnknown));
      ++i;
    } else if (word.starts_with("w:")) {
      weights(m, l, std::string(word.substr(2)), a);
    } else if (word != "-") {
      net.set(l, setting(m, std::string(word), a));
    }
  }
  if (cls.of(call.type) == EntityKind::Tensor)
    return pointerTo(m, TensorRef{l, 0}, call.type);
  return pointerTo(m, EntityKind::Layer, l, call.type);
}

Value TensorRtDomain::resultByType(Machine &m, Call &call) {
  const clang::QualType type = call.type;
  if (type.isNull() || type->isVoidType())
    return Void{};
  const EntityKind entityKind = cls.of(type);
  if (entityKind == EntityKind::None || type->isPointerType() == type->isReferenceType())
    return m.unknown(type, "what TensorRT answers");
  switch (entityKind) {
  case EntityKind::Network:
    return newNetwork(m, type, call.callee && call.callee->getNameAsString().starts_with("createNetwork"));
  case EntityKind::Tensor:
    return pointerTo(m, unknownTensor(m, "a tensor that TensorRT gives", call.expr), type);
  case EntityKind::Layer:
  case EntityKind::Conditional:
  case EntityKind::Loop: {
    const LayerId l = addLayer(m, CxxOp::Unknown, entityKind == EntityKind::Layer ? manyOutputs : 1, call.expr);
    const Value v = pointerTo(m, entityKind, l, type);
    entities[entityIndex[l.index()]].outside = true;
    return v;
  }
  default:
    return newOther(m, type, entityKind);
  }
}

void TensorRtDomain::networkEvent(Machine &m, const clang::Expr *at, std::string_view name) {
  const LayerId l = addLayer(m, CxxOp::Opaque, 0, at);
  Setting s;
  s.name = attr::name.name;
  s.kind = AttributeKind::String;
  s.text = name;
  net.set(l, std::move(s));
  net.set(l, flag(attr::network));
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

std::optional<Value> TensorRtDomain::call(Machine &m, Call &call) {
  if (!call.callee || !call.callee->getDeclName().isIdentifier())
    return std::nullopt;
  const std::string_view name(call.callee->getName());
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  if (!method) {
    // createInferBuilder and the like: functions of TensorRT's own that read.
    const EntityKind entityKind = cls.of(call.type);
    const auto *around =
        llvm::dyn_cast<clang::NamespaceDecl>(call.callee->getDeclContext()->getEnclosingNamespaceContext());
    const bool own = (around && (around->getName() == "nvinfer1" || around->getName() == "nvonnxparser")) ||
                     name == "getPluginRegistry";
    if (!own || (entityKind != EntityKind::Other && entityKind != EntityKind::Parser))
      return std::nullopt;
    return resultByType(m, call);
  }
  if (!method->isInstance())
    return std::nullopt;
  const EntityKind entityKind = cls.of(method->getParent());
  switch (entityKind) {
  case EntityKind::None:
    return sideOfWindow(m, call, name);
  case EntityKind::Network:
    return networkMethod(m, call, name);
  case EntityKind::Tensor:
    return tensorMethod(m, call, name);
  case EntityKind::Layer:
    return layerMethod(m, call, name);
  case EntityKind::Conditional:
  case EntityKind::Loop:
    return boundaryMethod(m, call, entityKind, name);
  default:
    return otherMethod(m, call, name);
  }
}

std::optional<Value> TensorRtDomain::networkMethod(Machine &m, Call &call, std::string_view name) {
  if (name == "addLoop" || name == "addIfConditional") {
    const bool loop = name == "addLoop";
    const LayerId l = addLayer(m, "", loop ? "addLoop" : "addIfConditional", 1, call.expr);
    if (!loop)
      noteVariable(m, l, call.expr);
    return pointerTo(m, loop ? EntityKind::Loop : EntityKind::Conditional, l, call.type);
  }
  if (name.starts_with("add") && cls.of(call.type) != EntityKind::None)
    return addByTable(m, call, name);
  if (const auto *mark = std::ranges::find(marks, name, &Mark::name); mark != marks.end() && !call.arguments.empty()) {
    const TensorRef t = tensorOf(m, call.arguments[0]);
    net.setOperand(addLayer(m, "", mark->op, 0, call.expr), 0, t);
    return resultByType(m, call);
  }
  if (const auto *mark = std::ranges::find(marks, name, &Mark::undo); mark != marks.end() && !call.arguments.empty()) {
    const TensorRef t = tensorOf(m, call.arguments[0]);
    for (std::size_t i = net.size(); i-- > 0;) {
      const LayerId l(static_cast<std::uint32_t>(i));
      if (net[l].op == mark->op && !net[l].ghost && net[l].operands.front() == t) {
        if (net[l].path != m.path())
          hostPaths.noteBound("an output that some paths take back");
        net.drop(l);
        break;
      }
    }
    return resultByType(m, call);
  }
  if (auto answer = inventory(m, call, name))
    return answer;
  if (name == "getInput") { // one of the network's, which come from outside
    const LayerId l = addLayer(m, CxxOp::Outside, 1, call.expr);
    return pointerTo(m, TensorRef{l, 0}, call.type);
  }
  return networkAnswer(m, call, name);
}

std::optional<Value> TensorRtDomain::boundaryMethod(Machine &m, Call &call, EntityKind owner, std::string_view name) {
  const std::string full = (owner == EntityKind::Loop ? "Loop." : "IfConditional.") + std::string(name);
  if (std::ranges::find(boundaryMethods, full, &AddMethod::name) == boundaryMethods.end())
    return name.starts_with("get") ? fixedAnswer(m, call) : resultByType(m, call);
  return addByTable(m, call, full);
}

Value TensorRtDomain::outputOf(Machine &m, Call &call, LayerId l) {
  const auto index = call.arguments.empty() ? std::nullopt : knownInteger(m.load(call.arguments[0]));
  const Layer &layer = net[l];
  if (layer.outputs == 0) { // C5
    const LayerId none = addLayer(m, "", "getOutput", 1, call.expr);
    Setting s;
    s.name = attr::layer.name;
    s.kind = AttributeKind::String;
    s.text = net[l].op;
    net.set(none, std::move(s));
    return pointerTo(m, TensorRef{none, 0}, call.type);
  }
  if (layer.outputs == 1 && !index)
    return pointerTo(m, TensorRef{l, 0}, call.type);
  if (index && *index >= 0 && *index < layer.outputs)
    return pointerTo(m, TensorRef{l, static_cast<std::uint32_t>(*index)}, call.type);
  // There is none of that number: a null pointer.
  const bool listed = layer.domain.empty() && layer.outputs < manyOutputs &&
                      (std::ranges::find(addMethods, layer.op, &AddMethod::name) != addMethods.end() ||
                       std::ranges::find(boundaryMethods, layer.op, &AddMethod::name) != boundaryMethods.end());
  if (index && listed && !layer.op.starts_with("addAttention"))
    return Null{};
  return pointerTo(m, unknownTensor(m, "an output that is not known", call.expr), call.type);
}

void TensorRtDomain::applySetter(Machine &m, Call &call, LayerId l, std::string_view name) {
  std::vector<Argument> &args = call.arguments;
  std::string attribute = settingName(name);
  Setting s;
  if (name == "setScales") {
    s.name = "scales";
    const Value pointer = args.empty() ? Value() : m.load(args[0]);
    const auto count = args.size() < 2 ? std::nullopt : knownInteger(m.load(args[1]));
    const Place *first = pointer.pointer() ? pointer.pointer()->only() : nullptr;
    for (std::int64_t i = 0; first && count && *count <= 8 && i < *count; ++i) {
      Place at = *first;
      if (!at.path.empty() && !at.path.back().field && !at.path.back().key)
        at.path.back().index += i;
      const Value v = m.peek(at);
      if (!v.number() || !v.number()->known || (i != 0 && at.path.empty()))
        break;
      s.reals.push_back(v.number()->asReal());
    }
    if (count && static_cast<std::int64_t>(s.reals.size()) == *count)
      s.kind = AttributeKind::Floats;
  } else if (args.size() == 2) { // of one input or output: setOperation(0, …), setOutputType(0, …)
    const auto index = knownInteger(m.load(args[0]));
    if (!index || *index < 0 || *index > manyOutputs)
      return setUnseen(l);
    s = setting(m, attribute + std::to_string(*index), args[1]);
  } else if (args.size() == 1) {
    s = setting(m, std::move(attribute), args[0]);
  } else {
    return;
  }
  // Set on some paths only.
  if (net[l].path != m.path())
    s.kind = AttributeKind::None;
  net.set(l, std::move(s));
}

/// From now on the type follows from what is given to the layer, as if it had never been set.
void TensorRtDomain::resetOutputType(Machine &m, Call &call, LayerId l) {
  const auto index = call.arguments.empty() ? std::nullopt : knownInteger(m.load(call.arguments[0]));
  const std::string name = "outputType" + std::to_string(index.value_or(0));
  if (index && net[l].path == m.path())
    return net.unset(l, name);
  const auto isSet = [&](const Setting &s) { return index ? s.name == name : s.name.starts_with("outputType"); };
  for (const Setting &s : std::vector<Setting>(net[l].settings))
    if (isSet(s)) {
      Setting open; // on some paths only, or of which output nobody knows
      open.name = s.name;
      net.set(l, std::move(open));
    }
}

void TensorRtDomain::setSomeOutput(std::string_view setting) {
  for (std::size_t i = 0; i < net.size(); ++i) {
    Setting s;
    s.name = setting;
    if (const LayerId each(static_cast<std::uint32_t>(i)); isCounted(net[each]) && net[each].outputs == 1)
      net.set(each, std::move(s));
  }
}

std::optional<Value> TensorRtDomain::layerMethod(Machine &m, Call &call, std::string_view name) {
  const LayerId l = layerOf(m, call, EntityKind::Layer);
  const bool outside = entities[entityIndex[l.index()]].outside;
  if (name == "getOutput")
    return outputOf(m, call, l);
  if (name == "getInput" || name == "setInput") {
    const auto index = call.arguments.empty() ? std::nullopt : knownInteger(m.load(call.arguments[0]));
    if (name == "getInput") {
      const std::size_t at = index && *index >= 0 ? static_cast<std::size_t>(*index) + net[l].firstInput() : 0;
      if (index && *index >= 0 && at < net[l].operands.size() && net[l].operands[at] && !outside && !mayDiffer(m))
        return pointerTo(m, net[l].operands[at], call.type);
      return pointerTo(m, unknownTensor(m, "an input that is not known", call.expr), call.type);
    }
    if (call.arguments.size() < 2)
      return resultByType(m, call);
    const TensorRef t = tensorOf(m, call.arguments[1]);
    constexpr std::int64_t mostInputs = 1000;
    if (outside || !index || *index < 0 || *index > mostInputs) {
      // Some layer reads something else now: of which one, nobody knows.
      networkEvent(m, call.expr, "setInput");
      if (!outside || net[l].op == nameOf(CxxOp::Unknown))
        setSomeInput(m, call, index);
      return resultByType(m, call);
    }
    const std::size_t at = static_cast<std::size_t>(*index) + net[l].firstInput();
    const auto waiting = secondInputs.find(l.index());
    const bool isAwaited = waiting != secondInputs.end() && *index == 1;
    setOnPath(m, l, at, t, call.expr, isAwaited);
    if (isAwaited)
      m.setObject(waiting->second, given());
    Layer place;
    locate(m, call.expr, place);
    Setting where;
    where.name = attr::inputAt(static_cast<std::size_t>(*index));
    where.kind = AttributeKind::Location;
    where.number = place.location ? static_cast<std::int64_t>(place.location.index()) : -1;
    net.set(l, std::move(where));
    return resultByType(m, call);
  }
  if (name == "setMask" && !call.arguments.empty()) {
    const TensorRef t = tensorOf(m, call.arguments[0]);
    setOnPath(m, l, std::max<std::size_t>(net[l].operands.size(), 3), t, call.expr, false);
    return resultByType(m, call);
  }
  if ((name == "getConditional" || name == "getLoop") && net[l].firstInput() == 1)
    return pointerTo(m, name == "getLoop" ? EntityKind::Loop : EntityKind::Conditional, net[l].operands.front().layer,
                     call.type);
  if (name == "setName" && !outside) {
    const Value v = call.arguments.empty() ? Value() : m.load(call.arguments[0]);
    if (v.text() && net[l].firstInput() == 0 && !net.inTrial())
      net[l].name = *v.text();
    if (!v.text() || net[l].path != m.path()) {
      Setting open; // nobody knows what `getName` says
      open.name = "layerName";
      net.set(l, std::move(open));
    }
    return resultByType(m, call);
  }
  if (name.starts_with("set") && name.size() > 3 && !outside)
    applySetter(m, call, l, name);
  if (name == "resetOutputType" && !outside)
    resetOutputType(m, call, l);
  if (outside && net[l].op == nameOf(CxxOp::Unknown)) // it may be one of those that were made here
    setSome(m, call);
  if (outside && (name == "setOutputType" || name == "resetOutputType"))
    setSomeOutput("outputType0");
  return outside ? resultByType(m, call) : layerAnswer(m, call, l, name);
}

std::optional<Value> TensorRtDomain::tensorMethod(Machine &m, Call &call, std::string_view name) {
  TensorRef t;
  if (call.self)
    if (const auto token = tokenOf(m, *call.self))
      t = tensorOf(m, *token);
  if (!t)
    return resultByType(m, call);
  if ((name == "setType" || name == "setDimensions") && call.arguments.size() == 1) {
    Setting s =
        setting(m, name == "setType" ? "tensorType" + std::to_string(t.output) : "dimensions", call.arguments[0]);
    if (net[t.layer].path != m.path())
      s.kind = AttributeKind::None;
    if (name == "setType" || net[t.layer].op == "addInput")
      net.set(t.layer, std::move(s));
    if (name == "setType" && net[t.layer].domain == cxxDomain && net[t.layer].op == nameOf(CxxOp::Unknown))
      setSomeOutput("tensorType0");
  }
  if (name == "setName" && call.arguments.size() == 1 && net[t.layer].path == m.path()) {
    Setting s = setting(m, "tensorName" + std::to_string(t.output), call.arguments[0]);
    net.set(t.layer, std::move(s));
  }
  return tensorAnswer(m, call, t, name);
}

Value TensorRtDomain::otherMethod(Machine &m, Call &call, std::string_view name) {
  // What a parser reads it adds to its network.
  if (name.starts_with("parse") && call.self)
    if (cls.of(call.self->type) == EntityKind::Parser)
      networkEvent(m, call.expr, name);
  return resultByType(m, call);
}

} // namespace condlint::cxx
