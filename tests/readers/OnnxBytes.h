//===- OnnxBytes.h - ONNX models written byte by byte ---------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_READERS_ONNXBYTES_H
#define CONDLINT_TESTS_READERS_ONNXBYTES_H

#include "condlint/Reader.h"
#include <cstdint>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::testing {

inline std::string varint(std::uint64_t n) {
  std::string out;
  for (; n > 0x7f; n >>= 7)
    out += static_cast<char>((n & 0x7f) | 0x80);
  return out += static_cast<char>(n);
}
inline std::string field(unsigned number, std::string_view bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}
inline std::string field(unsigned number, std::int64_t value) {
  return varint(number << 3) + varint(static_cast<std::uint64_t>(value));
}
inline std::string join(std::initializer_list<std::string> parts) {
  std::string out;
  for (const std::string &p : parts)
    out += p;
  return out;
}

/// A tensor type: a dimension below 0 is written without value and name.
inline std::string tensorType(int element, std::initializer_list<std::int64_t> dims) {
  std::string shape;
  for (std::int64_t d : dims)
    shape += field(1, d < 0 ? std::string() : field(1, d));
  return field(1, field(1, element) + field(2, shape));
}
inline std::string valueInfo(std::string_view name, const std::string &type = {}) {
  return field(1, name) + (type.empty() ? std::string() : field(2, type));
}
inline std::string node(std::string_view op, std::initializer_list<std::string_view> inputs,
                        std::initializer_list<std::string_view> outputs, const std::string &rest = {}) {
  std::string out;
  for (std::string_view i : inputs)
    out += field(1, i);
  for (std::string_view o : outputs)
    out += field(2, o);
  return field(1, out + field(4, op) + rest);
}
/// The fields of a GraphProto follow in \p rest.
inline std::string graph(std::string_view name, const std::string &rest) { return field(2, name) + rest; }
inline std::string branch(std::string_view name, const std::string &graphBytes) {
  return field(5, field(1, name) + field(20, 5) + field(6, graphBytes));
}
inline std::string ifNode(std::string_view output, const std::string &thenGraph, const std::string &elseGraph) {
  return node("If", {"c"}, {output}, branch("then_branch", thenGraph) + branch("else_branch", elseGraph));
}
inline std::string output(std::string_view name, const std::string &type = {}) {
  return field(12, valueInfo(name, type));
}
inline std::string input(std::string_view name, const std::string &type) { return field(11, valueInfo(name, type)); }
/// A model with the inputs `c` (bool) and `x` (float[2]); \p rest goes on in the graph.
inline std::string model(const std::string &rest, std::int64_t irVersion = 8, std::int64_t opset = 17,
                         const std::string &more = {}) {
  return field(1, irVersion) + field(8, field(2, opset)) +
         field(7, graph("g", input("c", tensorType(9, {})) + input("x", tensorType(1, {2})) + rest)) + more;
}

/// The model in \p bytes; a test failure and an empty one when it is refused.
inline Model readBytes(const std::string &bytes, const std::string &path = "model.onnx") {
  auto r = readOnnx(FileBytes::copy(bytes), path);
  if (!r) {
    ADD_FAILURE() << r.error().str();
    return {};
  }
  EXPECT_EQ(r->size(), 1u);
  return std::move(r->front());
}
/// Why \p bytes are refused; empty when they are not.
inline std::string refusal(const std::string &bytes) {
  auto r = readOnnx(FileBytes::copy(bytes), "model.onnx");
  return r ? std::string() : r.error().str();
}
inline std::string dataPath(std::string_view name) { return std::string(CONDLINT_TEST_DATA "/onnx/") += name; }
inline Model readFile(std::string_view name) {
  auto bytes = FileBytes::open(dataPath(name));
  if (!bytes) {
    ADD_FAILURE() << bytes.error().str();
    return {};
  }
  return readBytes(std::string((*bytes)->view()), dataPath(name));
}

/// The kinds of the issues of \p m, in order.
inline std::vector<FormatIssue::Kind> kinds(const Model &m) {
  std::vector<FormatIssue::Kind> out;
  for (const FormatIssue &i : m.issues)
    out.push_back(i.kind);
  return out;
}
/// All messages of \p m, one a line.
inline std::string messages(const Model &m) {
  std::string out;
  for (const FormatIssue &i : m.issues)
    out += i.place + ": " + i.message + "\n";
  return out;
}
/// The node whose path is \p path; a failure when there is none.
inline NodeId nodeAt(const Model &m, std::string_view path) {
  for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
    if (m.path(NodeId(n)) == path)
      return NodeId(n);
  ADD_FAILURE() << "no node " << path;
  return {};
}
/// "float32[2, N]" for tensors, the kind otherwise.
inline std::string spelled(const Model &m, TypeId id) {
  const Type &t = m.types[id];
  if (!t.isTensor())
    return std::string(kindName(t.kind)) + (t.item ? "(" + spelled(m, t.item) + ")" : "");
  std::string out(dtypeName(t.element));
  if (!t.hasRank)
    return out;
  out += '[';
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    out += (i ? ", " : "") + m.dims.str(t.dims[i]);
  return out += ']';
}

} // namespace condlint::testing

#endif // CONDLINT_TESTS_READERS_ONNXBYTES_H
