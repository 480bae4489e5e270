//===- Network.cpp - A network as the code builds it ---------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"
#include "condlint/Op.h"
#include <algorithm>

namespace condlint::cxx {

Setting flag(NamedFlag a) {
  Setting s;
  s.name = a.name;
  s.kind = AttributeKind::Bool;
  s.number = 1;
  return s;
}

LayerId NetworkLog::add(Layer layer) {
  const LayerId id(static_cast<std::uint32_t>(layers.size()));
  layers.push_back(std::move(layer));
  return id;
}

void NetworkLog::touch(LayerId l) {
  Layer &layer = layers[l.index()];
  if (!layer.node || layer.dirty)
    return;
  layer.dirty = true;
  changed.push_back(l);
  typed = std::min(typed, static_cast<std::size_t>(l.index()));
}

void NetworkLog::beginTrial() {
  trial = true;
  trialStart = layers.size();
}

void NetworkLog::set(LayerId l, Setting s) {
  Layer &layer = layers[l.index()];
  if (trial && l.index() < trialStart)
    undo.push_back([this, l, old = layer.settings] { layers[l.index()].settings = old; });
  const auto same = std::ranges::find(layer.settings, s.name, &Setting::name);
  if (same != layer.settings.end())
    layer.settings.erase(same);
  layer.settings.push_back(std::move(s));
  touch(l);
}

void NetworkLog::unset(LayerId l, std::string_view name) {
  Layer &layer = layers[l.index()];
  if (trial && l.index() < trialStart)
    undo.push_back([this, l, old = layer.settings] { layers[l.index()].settings = old; });
  std::erase_if(layer.settings, [&](const Setting &s) { return s.name == name; });
  touch(l);
}

void NetworkLog::setOperand(LayerId l, std::size_t position, TensorRef t) {
  Layer &layer = layers[l.index()];
  if (trial && l.index() < trialStart)
    undo.push_back([this, l, old = layer.operands] { layers[l.index()].operands = old; });
  if (layer.operands.size() <= position)
    layer.operands.resize(position + 1);
  layer.operands[position] = t;
  touch(l);
}

void NetworkLog::drop(LayerId l) {
  if (trial && l.index() < trialStart)
    undo.push_back([this, l] { layers[l.index()].ghost = false; });
  // A node that is there already reads nothing from now on.
  layers[l.index()].ghost = true;
  touch(l);
}

void NetworkLog::endTrial() {
  trial = false;
  for (auto change = undo.rbegin(); change != undo.rend(); ++change)
    (*change)();
  undo.clear();
  // What was made stays as ghosts: values that were widened may still name them.
  for (std::size_t i = trialStart; i < layers.size(); ++i)
    layers[i].ghost = true;
}

ValueId NetworkLog::valueOf(TensorRef t) const {
  if (!t)
    return {};
  const Layer &layer = layers[t.layer.index()];
  return layer.node && t.output < layer.outputs ? m.result(layer.node, t.output) : ValueId();
}

Range NetworkLog::attributesOf(const Layer &layer) {
  std::vector<Attribute> out;
  for (const Setting &s : layer.settings) {
    Attribute a;
    a.name = m.strings.intern(s.name);
    a.kind = s.kind;
    a.number = s.number;
    if (s.kind == AttributeKind::String)
      a.text = m.strings.intern(s.text);
    else if (s.kind == AttributeKind::Dims)
      a.list = m.poolDims(s.dims);
    else if (s.kind == AttributeKind::Floats)
      a.list = m.poolReals(s.reals);
    out.push_back(a);
  }
  if (tellsPaths && layer.path != 0) {
    Attribute a;
    a.name = m.strings.intern("path");
    a.kind = AttributeKind::Int;
    a.number = layer.path;
    out.push_back(a);
  }
  if (!layer.calls.empty()) {
    Attribute a;
    a.name = m.strings.intern(attr::calls.name);
    a.kind = AttributeKind::Locations;
    a.list = m.poolLocations(layer.calls);
    out.push_back(a);
  }
  return m.poolAttributes(out);
}

void NetworkLog::makeNode(Layer &layer) {
  if (!g)
    g = m.addGraph(m.strings.intern(graphName), m.strings.intern(graphName), GraphId(), NodeId());
  Operator op;
  op.dialect = Dialect::TensorRT;
  op.domain = m.strings.intern(layer.domain);
  op.name = m.strings.intern(layer.op);
  op.version = operatorVersion;
  std::vector<ValueId> operands;
  bool waits = false;
  for (TensorRef t : layer.operands) {
    operands.push_back(valueOf(t));
    waits = waits || (t && !operands.back());
  }
  const std::vector<StringId> results(layer.outputs);
  const bool handle = layer.op == "addIfConditional" || layer.op == "addLoop";
  std::string name = layer.name;
  if (handle)
    if (const SourceLocation at = m.location(layer.location); at.valid())
      name = (layer.op == "addLoop" ? "loop@" : "cond@") + std::to_string(at.line) + ':' + std::to_string(at.column);
  layer.node = m.addNode(g, m.addOperator(op), m.strings.intern(name), operands, results, {});
  m[layer.node].attributes = attributesOf(layer);
  m[layer.node].location = layer.location;
  // Whatever is not known of it, it is a tensor.
  Type tensor;
  tensor.kind = ValueKind::Tensor;
  const TypeId recorded = m.types.intern(tensor);
  for (std::uint32_t i = 0; i < layer.outputs && !handle; ++i)
    m[m.result(layer.node, i)].recorded = recorded;
  layer.dirty = false;
  if (waits)
    ahead.push_back(LayerId(static_cast<std::uint32_t>(emitted)));
}

void NetworkLog::update(Layer &layer) {
  std::vector<ValueId> operands;
  for (TensorRef t : layer.operands)
    operands.push_back(layer.ghost ? ValueId() : valueOf(t));
  m.setOperands(layer.node, operands);
  m[layer.node].attributes = attributesOf(layer);
  layer.dirty = false;
}

void NetworkLog::emit() {
  for (; emitted < layers.size(); ++emitted)
    if (!layers[emitted].ghost)
      makeNode(layers[emitted]);
  for (LayerId l : ahead)
    touch(l);
  ahead.clear();
  for (LayerId l : changed)
    update(layers[l.index()]);
  changed.clear();
}

bool NetworkLog::builds() const {
  return std::ranges::any_of(layers, [](const Layer &l) { return l.domain.empty() && !l.ghost; });
}

const Type &NetworkLog::type(TensorRef t) {
  if (trial || !t || layers[t.layer.index()].ghost)
    return m.types[TypeId()];
  emit();
  // Code that sets and asks in turns makes the same nodes be typed again and again.
  constexpr std::size_t rounds = 64;
  if (inferences > rounds * (layers.size() + 64))
    return m.types[TypeId()];
  for (; typed <= t.layer.index(); ++typed)
    if (const NodeId n = layers[typed].node) {
      inferNode(m, n);
      ++inferences;
    }
  const ValueId v = valueOf(t);
  return v ? m.type(v) : m.types[TypeId()];
}

} // namespace condlint::cxx
