//===- TensorRtGetters.cpp - What code asks of what it made ------------------ -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers, tensors and networks that were made here answer what was set of them. What
// of that is not known is fixed by the code all the same: no choice of anybody's, so
// that neither way that hangs on it is held against the code.
//
//===----------------------------------------------------------------------===//

#include "../interp/Types.h"
#include "TensorRtDomain.h"
#include <algorithm>
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
  if (op.find('.') != std::string_view::npos || !op.starts_with("add"))
    return std::nullopt;
  op.remove_prefix(3);
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
  if (call.type.isNull() || cls.of(call.type) != Thing::None)
    return resultByType(m, call);
  if (const auto kind = numberKind(call.type))
    return m.determined(Number::unknown(*kind, Provenance::Fixed));
  return m.determined(resultByType(m, call));
}

Value TensorRtDomain::networkAnswer(Machine &m, Call &call, std::string_view name) {
  const bool asks = name.starts_with("get") || name.starts_with("is") || name.starts_with("has");
  return asks ? fixedAnswer(m, call) : resultByType(m, call);
}

Value TensorRtDomain::layerAnswer(Machine &m, Call &call, LayerId l, std::string_view name) {
  const Layer &layer = net[l];
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
