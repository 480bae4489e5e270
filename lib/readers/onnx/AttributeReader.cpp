//===- AttributeReader.cpp - AttributeProto to attributes -------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include "Proto.h"
#include <bit>
#include <fmt/format.h>

namespace condlint::onnx {

namespace field = attributeProto;
using Kind = field::Kind;

/// What stands in one AttributeProto. Lists are in the reader's scratch.
struct GraphReader::AttributeFields {
  std::string_view name, text, reference;
  std::int64_t number = 0;
  double real = 0;
  std::int32_t declared = field::Undefined; ///< `type`
  bool wrongType = false;                   ///< `type` with another wire type, said already
  unsigned kinds = 0;                       ///< one bit for each Kind that has data
  Range tensors;                            ///< constants
  struct {
    std::size_t first = 0, last = 0;
  } own; ///< the places of what is said of the value itself, a tensor, among the issues
  TypeId type;

  bool has(Kind k) const { return ((kinds >> k) & 1u) != 0; }
  void saw(Kind k) { kinds |= 1u << k; }
  /// The declared kind, or that of the data where the two contradict each other.
  Kind kind() const {
    const auto said =
        declared > field::Undefined && declared <= field::TypeProtos ? static_cast<Kind>(declared) : field::Undefined;
    return kinds == 0 || (said != field::Undefined && has(said)) ? said : static_cast<Kind>(std::countr_zero(kinds));
  }
};

void GraphReader::collectAttribute(AttributeFields &a, std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  a.tensors.first = static_cast<std::uint32_t>(m.constantCount());
  Embedded tensor, sparse, type, graph;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(field::name):
      a.name = r.bytes();
      break;
    case lengthKey(field::refAttrName):
      a.reference = r.bytes();
      break;
    case lengthKey(field::docString):
      break;
    case varintKey(field::type):
      a.declared = r.enumerator();
      break;
    case fixed32Key(field::f):
      a.real = static_cast<double>(r.real32());
      a.saw(field::Float);
      break;
    case varintKey(field::i):
      a.number = r.integer();
      a.saw(field::Int);
      break;
    case lengthKey(field::s):
      a.text = r.bytes();
      a.saw(field::String);
      break;
    case lengthKey(field::t):
      tensor.add(r.bytes());
      a.saw(field::Tensor);
      break;
    case lengthKey(field::tensors):
      tensors.read(r.bytes(), depth + 1);
      ++a.tensors.count;
      a.saw(field::Tensors);
      break;
    case lengthKey(field::sparseTensor):
      sparse.add(r.bytes());
      a.saw(field::SparseTensor);
      break;
    case lengthKey(field::sparseTensors):
      tensors.readSparse(r.bytes(), depth + 1);
      ++a.tensors.count;
      a.saw(field::SparseTensors);
      break;
    case lengthKey(field::g):
      graph.add(r.bytes());
      a.saw(field::Graph);
      break;
    case lengthKey(field::graphs):
      graphViews.push_back(r.bytes());
      a.saw(field::Graphs);
      break;
    case lengthKey(field::tp):
      type.add(r.bytes());
      a.saw(field::TypeProto);
      break;
    case lengthKey(field::typeProtos):
      types.read(r.bytes(), depth + 1);
      a.saw(field::TypeProtos);
      break;
    case lengthKey(field::floats):
      forEachFixed<float>(r.bytes(), [&](float v) { reals.push_back(static_cast<double>(v)); });
      a.saw(field::Floats);
      break;
    case fixed32Key(field::floats):
      reals.push_back(static_cast<double>(r.real32()));
      a.saw(field::Floats);
      break;
    case lengthKey(field::ints):
      forEachVarint(r.bytes(), [&](std::int64_t v) { ints.push_back(v); });
      a.saw(field::Ints);
      break;
    case varintKey(field::ints):
      ints.push_back(r.integer());
      a.saw(field::Ints);
      break;
    case lengthKey(field::strings):
      texts.push_back(m.strings.internStable(r.bytes()));
      a.saw(field::Strings);
      break;
    default:
      a.wrongType = a.wrongType || r.number() == field::type;
      c.skip(r, field::known, depth, "AttributeProto");
    }
  }
  // What has but one place in the message is the last of its kind.
  if (sparse.isGiven()) {
    tensors.readSparse(sparse.whole(c), depth + 1);
    ++a.tensors.count;
  }
  a.own = {m.issues.size(), m.issues.size()};
  if (tensor.isGiven()) {
    tensors.read(tensor.whole(c), depth + 1);
    ++a.tensors.count;
    // Of a value of another kind it is the rest.
    if (a.declared == field::Tensor && attributes.empty() && !(function && !a.reference.empty()))
      a.own.last = m.issues.size();
  }
  if (type.isGiven())
    a.type = types.read(type.whole(c), depth + 1);
  if (graph.isGiven())
    graphViews.push_back(graph.whole(c));
}

bool GraphReader::isValueTaken(const AttributeFields &a, GraphId g) const { return a.kinds != 0 && g && !function; }

void GraphReader::checkAttribute(const AttributeFields &a, std::string_view bytes, GraphId g) {
  const auto say = [&](std::string message) {
    c.report(FormatIssue::Kind::Malformed, bytes.data(), std::move(message));
  };
  if (a.name.empty() && !g) // nobody looks for the default of nothing
    return void(c.report(FormatIssue::Kind::MalformedNote, bytes.data(), "an attribute has no name"));
  if (a.name.empty())
    return say("an attribute has no name");
  if (!a.reference.empty() && a.kinds != 0)
    return sayReference(a, bytes, g);
  if (a.declared < field::Undefined || a.declared > field::TypeProtos)
    return say(fmt::format("the attribute {} is of type {}, which ONNX does not have", quoted(a.name), a.declared));
  // IR version 1 had no `type`.
  if (a.declared == field::Undefined && !a.wrongType && (!c.hasIrVersion || c.irVersion >= 2))
    return say(fmt::format("the attribute {} has no type", quoted(a.name)));
  if (std::popcount(a.kinds) > 1 ||
      (a.kinds != 0 && a.declared != field::Undefined && !a.has(static_cast<Kind>(a.declared))))
    return say(fmt::format("the attribute {} has a value that its type does not say", quoted(a.name)));
}

void GraphReader::sayReference(const AttributeFields &a, std::string_view bytes, GraphId g) {
  // Of nodes of the main graph nobody looks at the reference, and of those of a function nobody at the value, if it is
  // no graph, but that it is of the type that is said; inside of nodes onnx's checker objects, and ONNX Runtime runs it
  // there.
  const bool isGraph = a.has(field::Graph) || a.has(field::Graphs);
  const bool isSaid = a.declared > field::Undefined && a.declared <= field::TypeProtos && a.kinds == 1u << a.declared;
  const bool isHarmless = isSaid && g && !m[g].owner && !(function && isGraph);
  c.report(isHarmless ? FormatIssue::Kind::MalformedNote : FormatIssue::Kind::Malformed, bytes.data(),
           fmt::format("the attribute {} refers to {} and has a value too{}", quoted(a.name), quoted(a.reference),
                       isHarmless ? fmt::format(": the {} counts", isValueTaken(a, g) ? "value" : "reference") : ""));
}

bool GraphReader::isRestPassed(const AttributeFields &f, bool isSettledConstant, std::size_t position) const {
  if (!f.name.empty() && !f.reference.empty() && function)
    return true;
  return isSettledConstant && (position > 0 || (!f.name.empty() && f.has(f.kind()) && f.kind() == f.declared));
}

Attribute GraphReader::readAttribute(std::string_view bytes, std::uint32_t depth, std::size_t firstPending, GraphId g,
                                     bool isSettledConstant) {
  AttributeFields f;
  const std::size_t issues = m.issues.size();
  ints.clear();
  reals.clear();
  texts.clear();
  graphViews.clear();
  collectAttribute(f, bytes, depth);
  checkAttribute(f, bytes, g);
  if (m.issues.size() != issues && isRestPassed(f, isSettledConstant, attributes.size())) {
    // But that the value itself is what it should be.
    passIssues(issues, f.own.first);
    passIssues(f.own.last, m.issues.size());
  }

  Attribute a;
  a.name = m.strings.internStable(f.name);
  const bool one = f.kind() == field::Graph, list = f.kind() == field::Graphs;
  const std::size_t given = graphViews.size();
  const std::size_t used = firstPending == noRegions ? 0 : list ? given : one ? std::min<std::size_t>(given, 1) : 0;
  const bool refers = !f.reference.empty() && !isValueTaken(f, g);
  // Graphs that become no regions still count for the depth of the file.
  for (std::size_t i = 0; i < (refers ? given : given - used); ++i)
    walkGraph(graphViews[i], depth + 1);
  if (refers) {
    a.kind = AttributeKind::Reference;
    a.text = m.strings.internStable(f.reference);
  } else if (one || list) {
    setGraphs(a, list, used, firstPending);
  } else {
    setValue(a, f);
  }
  return a;
}

void GraphReader::setGraphs(Attribute &a, bool list, std::size_t used, std::size_t firstPending) {
  if (firstPending == noRegions) {
    a.kind = AttributeKind::Opaque;
    a.text = m.strings.intern("graph");
    return;
  }
  if (!list && used == 0)
    return;
  a.kind = list ? AttributeKind::Regions : AttributeKind::Region;
  a.list = {static_cast<std::uint32_t>(pendingGraphs.size() - firstPending), static_cast<std::uint32_t>(used)};
  for (std::size_t i = 0; i < used; ++i) {
    const StringId role = list ? m.strings.intern(fmt::format("{}[{}]", m.text(a.name), i)) : a.name;
    pendingGraphs.push_back({graphViews[graphViews.size() - used + i], role});
  }
}

void GraphReader::setValue(Attribute &a, const AttributeFields &f) {
  switch (f.kind()) {
  case field::Undefined:
    a.kind = AttributeKind::None;
    break;
  case field::Float:
    a.kind = AttributeKind::Float;
    a.real = f.real;
    break;
  case field::Int:
    a.kind = AttributeKind::Int;
    a.number = f.number;
    break;
  case field::String:
    a.kind = AttributeKind::String;
    a.text = m.strings.internStable(f.text);
    break;
  case field::Floats:
    a.kind = AttributeKind::Floats;
    a.list = m.poolReals(reals);
    break;
  case field::Ints:
    a.kind = AttributeKind::Ints;
    a.list = m.poolInts(ints);
    break;
  case field::Strings:
    a.kind = AttributeKind::Strings;
    a.list = m.poolStrings(texts);
    break;
  case field::Tensor:
  case field::SparseTensor:
    if (f.tensors.count != 0) {
      a.kind = AttributeKind::Tensor;
      a.list = {f.tensors.first + f.tensors.count - 1, 1};
    }
    break;
  case field::Tensors:
  case field::SparseTensors:
    a.kind = AttributeKind::Tensors;
    a.list = f.tensors;
    break;
  case field::TypeProto:
    a.kind = AttributeKind::Type;
    a.list = {f.type.index(), 1};
    break;
  case field::TypeProtos:
    a.kind = AttributeKind::Opaque;
    a.text = m.strings.intern("type_protos");
    break;
  case field::Graph:
  case field::Graphs:
    break; // setGraphs
  }
}

} // namespace condlint::onnx
