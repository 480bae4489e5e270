//===- Operators.cpp - Operators, opset imports and functions ---------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "Proto.h"
#include "condlint/Op.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint::onnx {

std::size_t Operators::KeyHash::operator()(const Key &k) const {
  std::uint64_t h = k.imports;
  for (StringId s : {k.domain, k.name, k.overload})
    h = (h ^ s.index()) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(h ^ (h >> 32));
}

void Operators::readImport(std::string_view bytes, std::uint32_t depth, OpsetImports &imports) {
  c.reach(depth);
  std::string_view domain;
  std::int64_t version = 0;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(opsetProto::domain):
      domain = r.bytes();
      break;
    case varintKey(opsetProto::version):
      version = r.integer();
      break;
    default:
      c.skip(r, fieldSet({1, 2}), depth, "OperatorSetIdProto");
    }
  }
  imports.list.emplace_back(domainId(domain), version);
  imports.versions[domainId(domain)] = version;
}

bool Operators::declare(StringId domain, StringId name, StringId overload, FunctionId function) {
  return functions.try_emplace(Key{0, domain, name, overload}, function).second;
}

void Operators::enter(const OpsetImports &imports) {
  current = &imports;
  ++currentIndex;
}

Operators::Entry &Operators::find(std::string_view domain, std::string_view name, std::string_view overload) {
  const Key key{currentIndex, domainId(domain), m.strings.internStable(name),
                overload.empty() ? emptyId : m.strings.internStable(overload)};
  const std::size_t slot = key.name.index();
  if (slot >= lastOfName.size())
    lastOfName.resize(slot * 2 + 64);
  Last &last = lastOfName[slot];
  if (last.key == key)
    return *entries[last.entry];
  auto [at, isNew] = byKey.try_emplace(key, static_cast<std::uint32_t>(entries.size()));
  if (isNew)
    entries.push_back(std::make_unique<Entry>(make(key)));
  last = {key, at->second};
  return *entries[at->second];
}

Operators::Entry Operators::make(const Key &k) {
  Entry entry;
  const std::string_view domain = m.text(k.domain);
  const std::string_view name = m.text(k.name);
  const auto import = current->versions.find(k.domain);
  const bool imported = import != current->versions.end();
  const std::int64_t version = imported ? import->second : -1;
  Operator op;
  op.dialect = Dialect::Onnx;
  op.domain = k.domain;
  op.name = k.name;
  op.overload = k.overload;
  op.version = static_cast<std::int32_t>(std::clamp<std::int64_t>(version, -1, std::numeric_limits<int>::max()));
  entry.op = m.addOperator(op);
  entry.isIf = domain.empty() && name == "If";
  if (auto f = functions.find(Key{0, k.domain, k.name, k.overload}); f != functions.end()) {
    entry.function = f->second;
    entry.callee = m[f->second].body;
  }
  if (name.empty()) {
    entry.fault = "the node has no op_type";
  } else if (!imported) {
    if (!current->missing)
      entry.fault = fmt::format("operator {} is of the domain {}, which the model does not import", quoted(name),
                                quoted(domain.empty() ? "ai.onnx" : domain));
  } else if (!entry.function && onnxOperatorExists(domain, name, version) == std::optional(false)) {
    entry.fault = domain.empty() ? fmt::format("operator {} does not exist in opset {}, which the model imports",
                                               quoted(name), version)
                                 : fmt::format("operator {} does not exist in version {} of the domain {}",
                                               quoted(name), version, quoted(domain));
  }
  entry.atFault = !entry.fault.empty();
  return entry;
}

void Operators::blame(Entry &entry, NodeId n, const char *at) {
  if (entry.nodes++ != 0)
    return;
  if (c.report(FormatIssue::Kind::Malformed, at, entry.fault, m[n].graph, n) != nullptr)
    entry.issue = m.issues.size() - 1;
}

void Operators::finish() {
  for (const auto &entry : entries)
    if (entry->nodes > 1 && entry->issue != noIssue)
      m.issues[entry->issue].message += fmt::format(" (and {} more such nodes)", entry->nodes - 1);
}

} // namespace condlint::onnx
