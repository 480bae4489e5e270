//===- Shadows.cpp - Initializers that hide a name around them ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shadows.h"
#include "GraphsInside.h"
#include "StoredConstant.h"
#include <algorithm>
#include <unordered_set>
#include <vector>

namespace condlint {

namespace {

/// The bytes or numbers of two constants are there, and the same.
bool areEqual(const Model &m, ConstantId a, ConstantId b) {
  if (!a || !b || m[a].sparse || m[b].sparse || m[a].type != m[b].type)
    return false;
  const Constant &x = m[a], &y = m[b];
  if (x.file || y.file)
    return x.file == y.file && x.offset == y.offset && x.size == y.size;
  if (x.ints.count != 0 && std::ranges::equal(m.ints(x.ints), m.ints(y.ints)))
    return true;
  return (!x.bytes.empty() && x.bytes == y.bytes) || (!x.message.empty() && x.message == y.message);
}

/// What the graphs inside of \p n read, and of that what nodes do: what a branch returns is its own all the same.
struct ReadInside {
  std::unordered_set<ValueId> all, byNodes;
};

ReadInside readInside(const Model &m, NodeId n) {
  ReadInside read;
  forEachGraphInside(m, m.regions(n), [&](GraphId g) {
    for (const NodeId inner : m.nodes(g))
      for (const ValueId v : m.operands(inner))
        if (v) {
          read.all.insert(v);
          read.byNodes.insert(v);
        }
    read.all.insert(m.results(g).begin(), m.results(g).end());
  });
  return read;
}

} // namespace

void settleShadows(Model &m, std::span<const Shadow> shadows) {
  NodeId last;
  ReadInside read;
  for (const Shadow &s : shadows) {
    const NodeId owner = m[m[s.value].graph].owner;
    if (!owner || m.info.dialect != Dialect::Onnx || m.operatorName(m[owner].op) != "If")
      continue;
    if (owner != last)
      read = readInside(m, owner);
    last = owner;
    if (!read.all.contains(s.outer) || !read.byNodes.contains(s.value) ||
        areEqual(m, m[s.value].constant, storedConstant(m, s.outer)))
      continue;
    m.setPassedInstead(s.value, s.outer);
    if (!s.issue)
      continue;
    FormatIssue &issue = m.issues[*s.issue];
    issue.kind = FormatIssue::Kind::ShadowedConstant;
    issue.message += ", which the If reads as well: ONNX Runtime takes that one for both";
  }
}

} // namespace condlint
