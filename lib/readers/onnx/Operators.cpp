//===- Operators.cpp - Operators, opset imports and functions ---------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operators.h"
#include "Proto.h"
#include "condlint/Op.h"
#include "ops/OnnxOpset.h"
#include <algorithm>
#include <charconv>
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
  imports.list.emplace_back(m.strings.internStable(domain), version);
  imports.versions[domainId(domain)] = version;
  if (domain.empty())
    imports.plain = version;
}

bool Operators::declare(StringId domain, StringId name, StringId overload, FunctionId function) {
  return functions.try_emplace(Key{0, domain, name, overload}, function).second;
}

void Operators::enter(const OpsetImports &imports) {
  current = &imports;
  ++currentIndex;
  recent.fill({});
}

bool Operators::imports(std::string_view domain) const {
  return std::ranges::any_of(current->list, [&](const auto &import) { return m.text(import.first) == domain; });
}

Operators::Entry &Operators::findAny(std::string_view domain, std::string_view name, std::string_view overload) {
  const Key key{currentIndex, domainId(domain), m.strings.internStable(name),
                overload.empty() ? emptyId : m.strings.internStable(overload)};
  auto [at, isNew] = byKey.try_emplace(key, static_cast<std::uint32_t>(entries.size()));
  if (isNew)
    entries.push_back(make(key));
  return entries[at->second];
}

StringId Operators::positionName(Entry &entry, std::uint32_t position) {
  // Branches are many and short: most of their nodes share few such names.
  constexpr std::uint32_t kept = 256;
  if (position < entry.positionNames.size() && entry.positionNames[position])
    return entry.positionNames[position];
  const std::string_view type = m.text(m[entry.op].name);
  scratch.assign(type);
  scratch += '_';
  std::array<char, 12> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), position).ptr;
  scratch.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const StringId id = m.strings.intern(scratch);
  if (position < kept) {
    entry.positionNames.resize(std::max<std::size_t>(entry.positionNames.size(), position + 1));
    entry.positionNames[position] = id;
  }
  return id;
}

namespace {

/// The operator \p name is not the same at \p plain, the version that is imported of "", and at \p last, that of a
/// later import of "ai.onnx": onnx's checker goes by the first, ONNX Runtime by the second.
bool differsBetween(std::string_view name, std::int64_t plain, std::int64_t last) {
  return plain != last && onnxSinceVersion("", name, plain) != onnxSinceVersion("", name, last);
}

/// In these domains onnx's checker and ONNX Runtime look for operators alone: what a file defines there as a function
/// does not exist for them.
bool hidesFunctions(std::string_view domain) { return domain.empty() || domain == "ai.onnx.ml"; }

std::int32_t clampedVersion(std::int64_t version) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(version, -1, std::numeric_limits<int>::max()));
}

} // namespace

std::optional<std::int64_t> Operators::versionOf(StringId domain) const {
  if (const auto import = current->versions.find(domain); import != current->versions.end())
    return import->second;
  // Where a model imports others, but not this one, ONNX Runtime takes its newest.
  return current->isOfModel && !current->missing ? onnxRuntimeNewest(m.text(domain)) : std::nullopt;
}

Operators::Entry Operators::make(const Key &k) {
  Entry entry;
  const std::string_view domain = m.text(k.domain);
  const std::string_view name = m.text(k.name);
  const std::optional<std::int64_t> taken = versionOf(k.domain);
  const std::int64_t version = taken.value_or(-1);
  Operator op;
  op.dialect = Dialect::Onnx;
  op.domain = k.domain;
  op.name = k.name;
  op.overload = k.overload;
  op.version = clampedVersion(version);
  const bool disputed = domain.empty() && current->plain && differsBetween(name, *current->plain, version);
  // What a conditional and a loop take and give is told at any version, and newer ones admit more.
  entry.isIf = domain.empty() && name == "If";
  if (disputed)
    op.version = entry.isIf || name == "Loop" ? std::max(op.version, clampedVersion(*current->plain)) : disputedVersion;
  entry.op = m.addOperator(op);
  if (auto f = functions.find(Key{0, k.domain, k.name, k.overload}); f != functions.end()) {
    entry.function = f->second;
    entry.callee = m[f->second].body;
  }
  if (name.empty()) {
    entry.fault = "the node has no op_type";
  } else if (!taken) {
    if (!current->missing)
      entry.fault = fmt::format("operator {} is of the domain {}, which the model does not import", quoted(name),
                                quoted(domain.empty() ? longOnnxDomain : domain));
  } else if ((!entry.function || hidesFunctions(domain)) && !disputed &&
             ((domain.empty() && version < 0) || onnxOperatorExists(domain, name, version) == std::optional(false))) {
    if (version < 1)
      entry.cause = faultOfImport(k, version);
    entry.fault = domain.empty() ? fmt::format("operator {} does not exist in opset {}, which the model imports",
                                               quoted(name), version)
                                 : fmt::format("operator {} does not exist in version {} of the domain {}",
                                               quoted(name), version, quoted(domain));
  }
  // ONNX Runtime has made an initializer of it before it asks; that the model does not import the domain is told.
  if (name == "Constant" && domain.starts_with("ai.onnx.preview") && !current->versions.contains(k.domain) && taken)
    entry.fault.clear();
  entry.atFault = !entry.fault.empty();
  return entry;
}

Operators::Entry *Operators::faultOfImport(const Key &k, std::int64_t version) {
  std::unique_ptr<Entry> &entry = faultyImports[Key{k.imports, k.domain, emptyId, emptyId}];
  if (!entry) {
    entry = std::make_unique<Entry>();
    entry->fault = m.text(k.domain).empty()
                       ? fmt::format("the model imports opset {}, in which no operator exists", version)
                       : fmt::format("the model imports version {} of the domain {}, in which no operator exists",
                                     version, quoted(m.text(k.domain)));
  }
  return entry.get();
}

void Operators::blame(Entry &of, NodeId n, const char *at, bool passed) {
  Entry &entry = of.cause ? *of.cause : of;
  const auto kind = passed ? FormatIssue::Kind::MalformedWarning : FormatIssue::Kind::Malformed;
  if (entry.nodes++ != 0) {
    if (kind == FormatIssue::Kind::Malformed && entry.issue != noIssue)
      m.issues[entry.issue].kind = kind;
    return;
  }
  if (c.report(kind, at, entry.fault, m[n].graph, n) != nullptr)
    entry.issue = m.issues.size() - 1;
}

void Operators::finish() {
  const auto complete = [&](const Entry &entry) {
    if (entry.nodes > 1 && entry.issue != noIssue)
      m.issues[entry.issue].message += fmt::format(" (and {} more such nodes)", entry.nodes - 1);
  };
  for (const Entry &entry : entries)
    complete(entry);
  for (const auto &[key, entry] : faultyImports)
    complete(*entry);
}

} // namespace condlint::onnx
