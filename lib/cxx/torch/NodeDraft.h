//===- NodeDraft.h - A node in the making -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_NODEDRAFT_H
#define CONDLINT_CXX_TORCH_NODEDRAFT_H

#include "condlint/Graph.h"
#include "condlint/SourceGraph.h"
#include <span>
#include <string_view>
#include <vector>

namespace condlint::cxx {

/// An operator with the arguments gathered so far, by the names of its schema.
class NodeDraft {
public:
  NodeDraft(Model &model, std::string_view operatorDomain, std::string_view operatorName,
            std::string_view operatorOverload = {})
      : m(model), domain(operatorDomain), name(operatorName), overload(operatorOverload) {}
  NodeDraft(Model &model, CxxOp op) : NodeDraft(model, cxxDomain, nameOf(op)) {}

  NodeDraft &value(std::string_view argument, ValueId v);
  NodeDraft &values(std::string_view argument, std::span<const ValueId> list);
  NodeDraft &integer(std::string_view argument, std::int64_t v) { return number(argument, AttributeKind::Int, v); }
  NodeDraft &boolean(std::string_view argument, bool v) { return number(argument, AttributeKind::Bool, v ? 1 : 0); }
  NodeDraft &dtype(std::string_view argument, DType v) {
    return number(argument, AttributeKind::DType, static_cast<std::int64_t>(v));
  }
  NodeDraft &number(std::string_view argument, AttributeKind kind, std::int64_t v);
  NodeDraft &real(std::string_view argument, double v);
  NodeDraft &text(std::string_view argument, std::string_view v, AttributeKind kind = AttributeKind::String);
  NodeDraft &dims(std::string_view argument, std::span<const Dim> list);
  NodeDraft &integers(std::string_view argument, std::span<const std::int64_t> list);
  /// An argument that is there and not known.
  NodeDraft &opaque(std::string_view argument, std::string_view tag);
  NodeDraft &attribute(Attribute a);
  /// An attribute that only source has.
  NodeDraft &set(NamedFlag a) { return set(a, true); }
  template <AttributeKind Kind, class Payload> NodeDraft &set(Named<Kind> a, const Payload &payload) {
    return attribute(make(m, a, payload));
  }
  bool has(std::string_view argument) const;

  Model &m;
  std::string domain, name, overload;
  std::vector<ValueId> operands;
  std::vector<Attribute> attributes;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_NODEDRAFT_H
