//===- AtenSchema.cpp - What ATen overloads must be given -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenSchema.h"
#include "AtenEffects.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// What an argument of a type is to people; empty for types that text may stand for,
/// or that a file writes in several ways.
std::string_view spellParameter(char type) {
  switch (type) {
  case 'T':
  case 't':
    return "a tensor";
  case 'L':
  case 'l':
    return "a list of tensors";
  case 's':
  case 'z':
  case 'f':
  case 'g':
    return "a number";
  case 'i':
  case 'j':
    return "an integer";
  case 'I':
  case 'J':
    return "a list of integers";
  case 'b':
  case 'c':
    return "a bool";
  default:
    return {};
  }
}

} // namespace

const AtenSchemas::Schema &AtenSchemas::of(Model &m, OperatorId op) {
  if (op.index() >= schemas.size())
    schemas.resize(m.operatorCount());
  Schema &schema = schemas[op.index()];
  const EffectsRow *row = m[op].effects;
  if (schema.known || !row)
    return schema;
  schema.known = true;
  std::string_view rest = row->parameters();
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, blank);
    const std::size_t colon = word.rfind(':');
    if (colon != word.npos && colon + 1 < word.size())
      schema.parameters.push_back({m.strings.intern(word.substr(0, colon)), word[colon + 1], !word.ends_with('=')});
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return schema;
}

bool AtenSchemas::fits(InferContext &ctx) {
  Model &m = ctx.model();
  const NodeId n = ctx.node();
  const auto attributes = m.attributes(n);
  bool isFirstTensor = true;
  for (const Parameter &p : of(m, m[n].op).parameters) {
    const auto given = std::ranges::find(attributes, p.name, &Attribute::name);
    if (given == attributes.end()) {
      if (!p.required)
        continue;
      ctx.reject(fmt::format("the argument '{}' is not given, and has no default", m.text(p.name)));
      return false;
    }
    const std::string_view expected = spellParameter(p.type);
    const bool isNone = given->kind == AttributeKind::None && p.type == 'T' && isFirstTensor;
    if (!expected.empty() && (given->kind == AttributeKind::String || isNone)) {
      ctx.reject(fmt::format("the argument '{}' is {}, expected {}", m.text(p.name),
                             isNone ? "none" : fmt::format("the string '{}'", m.text(given->text)), expected));
      return false;
    }
    isFirstTensor = isFirstTensor && p.type != 'T';
  }
  return true;
}

} // namespace condlint
