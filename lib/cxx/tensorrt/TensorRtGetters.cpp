//===- TensorRtGetters.cpp - What code asks of what it made ------------------ -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers, tensors and networks that were made here answer what was set of them. What
// of that is not known is fixed by the code all the same: no choice of anybody's, so
// that neither path that hangs on it is held against the code.
//
//===----------------------------------------------------------------------===//

#include "../interp/machine/AssumedTrips.h"
#include "../interp/machine/Types.h"
#include "TensorRtDomain.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// The enumerator of \p type that \p isMeant picks.
template <class Meant> std::optional<Value> enumeratorOf(clang::QualType type, const Meant &isMeant) {
  const clang::EnumDecl *e = type.isNull() ? nullptr : type.getNonReferenceType()->getAsEnumDecl();
  if (e)
    for (const clang::EnumConstantDecl *c : e->enumerators())
      if (c->getInitVal().isRepresentableByInt64()) {
        const Number n = Number::ofInteger(c->getInitVal().getExtValue(), Provenance::Fixed);
        if (isMeant(*c, n))
          return n;
      }
  return std::nullopt;
}

/// The enumerator of LayerType, in \p type, that the layers have which the method \p op adds: kMATRIX_MULTIPLY of
/// addMatrixMultiply, kPOOLING of addPoolingNd.
std::optional<Value> layerKind(clang::QualType type, std::string_view op) {
  const auto letters = [](std::string_view name) {
    std::string out;
    for (const char c : name)
      if (c != '_')
        out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
  };
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> boundaries{
      {{"IfConditional.setCondition", "condition"},
       {"IfConditional.addInput", "conditionalInput"},
       {"IfConditional.addOutput", "conditionalOutput"}}};
  constexpr std::string_view inLoop = "Loop.add";
  if (const auto *row = std::ranges::find(boundaries, op, [](const auto &r) { return r.first; });
      row != boundaries.end())
    op = row->second;
  else if (op.starts_with(inLoop))
    op.remove_prefix(inLoop.size());
  else if (op.starts_with("add"))
    op.remove_prefix(3);
  else
    return std::nullopt;
  for (const std::string_view suffix : {"Nd", "V2", "V3"})
    if (op.ends_with(suffix))
      op.remove_suffix(suffix.size());
  return enumeratorOf(type, [&](const clang::EnumConstantDecl &kind, const Number &) {
    return kind.getName().starts_with("k") && letters(std::string_view(kind.getName()).substr(1)) == letters(op);
  });
}

const Setting *settingOf(const Layer &l, std::string_view name) {
  const auto found = std::ranges::find(l.settings, name, &Setting::name);
  return found == l.settings.end() ? nullptr : &*found;
}

/// "getReduceAxes": "reduceAxes"; of one input or output, "getOperation(1)": "operation1".
std::string settingAsked(Machine &m, Call &call, std::string_view getter) {
  if (!getter.starts_with("get") || getter.size() < 4)
    return {};
  std::string name(getter.substr(3));
  name.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(name.front())));
  if (!call.arguments.empty()) {
    const Value index = m.load(call.arguments.front());
    name += index.number() && index.number()->known ? std::to_string(index.number()->integer) : "?";
  }
  return name;
}

} // namespace

std::optional<Value> TensorRtDomain::settingAs(Machine &m, clang::QualType type, const Setting &s) {
  switch (s.kind) {
  case AttributeKind::Bool:
    return Number::boolean(s.number != 0, Provenance::Fixed);
  case AttributeKind::Int:
    return Number::ofInteger(s.number, Provenance::Fixed);
  case AttributeKind::DType:
    return enumeratorOf(type, [&](const clang::EnumConstantDecl &, const Number &n) {
      const auto known = dtype(type, n);
      return known && static_cast<std::int64_t>(*known) == s.number;
    });
  case AttributeKind::String:
    if (type->isPointerType())
      return Value::text(s.text);
    return enumeratorOf(type, [&](const clang::EnumConstantDecl &c, const Number &) {
      return std::string_view(c.getName()) == s.text;
    });
  case AttributeKind::Dims:
    return Machine::classOf(type) ? std::optional(dimsValue(m, type, s.dims)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Value TensorRtDomain::fixedAnswer(Machine &m, Call &call) {
  if (call.type.isNull() || cls.of(call.type) != EntityKind::None)
    return resultByType(m, call);
  if (const auto kind = numberKind(call.type))
    return m.determined(Number::unknown(*kind, Provenance::Fixed));
  return m.determined(resultByType(m, call));
}

bool TensorRtDomain::isCounted(const Layer &l) {
  return l.domain.empty() && !l.ghost && (l.op.starts_with("add") || l.op.find('.') != std::string_view::npos) &&
         l.op != "addInput" && l.op != "addIfConditional" && l.op != "addLoop";
}

bool TensorRtDomain::mayDiffer(Machine &m) {
  if (!m.inAnyTrip())
    return false;
  if (!isStrict())
    hostPaths.noteBound("what a network answers may differ from trip to trip of a loop");
  return isStrict();
}

std::optional<std::vector<LayerId>> TensorRtDomain::allOf(Machine &m, Call &call, bool (*isMeant)(const Layer &)) {
  const auto t = call.self ? tokenOf(m, *call.self) : std::nullopt;
  if (mayDiffer(m) || !t || t->id >= ownNetworks.size() || !ownNetworks[t->id] || ownNetworks.size() != 1 ||
      net.inTrial())
    return std::nullopt;
  std::vector<LayerId> found;
  for (std::size_t i = 0; i < net.size(); ++i) {
    const LayerId id(static_cast<std::uint32_t>(i));
    const Layer &l = net[id];
    if (!l.ghost && settingOf(l, "network"))
      return std::nullopt; // code that is not seen may have added more
    if (!isMeant(l))
      continue;
    if (l.path != 0 || l.loop != 0)
      return std::nullopt;
    found.push_back(id);
  }
  return found;
}

std::optional<Value> TensorRtDomain::inventory(Machine &m, Call &call, std::string_view name) {
  struct Row {
    std::string_view count, at;
    bool (*isMeant)(const Layer &);
  };
  static constexpr std::array rows{
      Row{"getNbLayers", "getLayer", isCounted},
      Row{"getNbInputs", "getInput", [](const Layer &l) { return l.op == "addInput" && l.domain.empty() && !l.ghost; }},
      Row{"getNbOutputs", "getOutput",
          [](const Layer &l) { return l.op == "markOutput" && l.domain.empty() && !l.ghost; }}};
  const auto *row = std::ranges::find_if(rows, [&](const Row &r) { return r.count == name || r.at == name; });
  if (row == rows.end() || call.arguments.size() > 1)
    return std::nullopt;
  const auto all = allOf(m, call, row->isMeant);
  if (!all)
    return std::nullopt;
  if (call.arguments.empty())
    return Number::ofInteger(static_cast<std::int64_t>(all->size()), Provenance::Fixed);
  const Value index = m.load(call.arguments.front());
  const Number *n = index.number();
  if (!n || !n->known || n->integer < 0 || isOpen(m, *n))
    return std::nullopt;
  if (static_cast<std::size_t>(n->integer) >= all->size())
    return Null{};
  const LayerId l = (*all)[static_cast<std::size_t>(n->integer)];
  if (name == "getLayer")
    return pointerTo(m, EntityKind::Layer, l, call.type);
  return pointerTo(m, name == "getInput" ? TensorRef{l, 0} : net[l].operands.front(), call.type);
}

Value TensorRtDomain::networkAnswer(Machine &m, Call &call, std::string_view name) {
  const bool asks = name.starts_with("get") || name.starts_with("is") || name.starts_with("has");
  return asks ? fixedAnswer(m, call) : resultByType(m, call);
}

Value TensorRtDomain::layerAnswer(Machine &m, Call &call, LayerId l, std::string_view name) {
  const Layer &layer = net[l];
  if (name.starts_with("get") && mayDiffer(m))
    return resultByType(m, call);
  if (name == "getType")
    if (const auto kind = layer.domain.empty() ? layerKind(call.type, layer.op) : std::nullopt)
      return *kind;
  if (name == "getNbInputs")
    return Number::ofInteger(static_cast<std::int64_t>(layer.operands.size() - layer.firstInput()), Provenance::Fixed);
  if (name == "getNbOutputs" && layer.outputs < manyOutputs)
    return Number::ofInteger(layer.outputs, Provenance::Fixed);
  if (name == "getName" && !layer.name.empty() && !settingOf(layer, "layerName"))
    return Value::text(layer.name);
  if (const Setting *s = settingOf(layer, settingAsked(m, call, name)))
    if (auto answer = settingAs(m, call.type, *s))
      return *answer;
  return fixedAnswer(m, call);
}

Value TensorRtDomain::tensorAnswer(Machine &m, Call &call, TensorRef t, std::string_view name) {
  if ((name.starts_with("get") || name.starts_with("is")) && mayDiffer(m))
    return resultByType(m, call);
  if (name == "getDimensions")
    return dimsValue(m, call.type, net.type(t));
  if (name == "getType") {
    const DType element = net.type(t).element;
    const auto known = element == DType::Unknown
                           ? std::nullopt
                           : enumeratorOf(call.type, [&](const clang::EnumConstantDecl &, const Number &n) {
                               return dtype(call.type, n) == element;
                             });
    return known ? *known : resultByType(m, call);
  }
  const Layer &layer = net[t.layer];
  if (!layer.domain.empty())
    return resultByType(m, call);
  if (name == "isNetworkInput")
    return Number::boolean(layer.op == "addInput", Provenance::Fixed);
  if (name == "getName") {
    const Setting *given = settingOf(layer, "tensorName" + std::to_string(t.output));
    if (!given && layer.op == "addInput")
      given = settingOf(layer, "name");
    if (auto text = given ? settingAs(m, call.type, *given) : std::nullopt)
      return *text;
  }
  return fixedAnswer(m, call);
}

std::optional<Value> TensorRtDomain::sideOfWindow(Machine &m, Call &call, std::string_view name) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  if ((name != "h" && name != "w") || !method || !method->getParent()->getIdentifier() ||
      method->getParent()->getName() != "DimsHW" || !call.self)
    return std::nullopt;
  const auto side = sizeIn(m.placeOf(*call.self), call.self->type.getNonReferenceType(), name == "h" ? 0 : 1);
  if (!side)
    return std::nullopt;
  return call.type->isReferenceType() ? Value(*side) : m.load(*side, call.expr);
}

} // namespace condlint::cxx
