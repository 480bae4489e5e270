//===- JsonSamples.h - Graphs in JSON that say everything once --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_JSONSAMPLES_H
#define CONDLINT_TESTS_JSONSAMPLES_H

#include "condlint/Reader.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace condlint::test {

struct JsonSample {
  const char *name;
  const char *text;
};

/// Sound files, each for some constructs of the model.
inline const std::vector<JsonSample> jsonSamples{
    {"Source", R"({"condlint": "graph-1", "format": "cxx", "dialect": "torch", "otherDefaultFloat": true, "graph": null,
  "functions": [{"name": "ns::f", "graph": {"parameters": [{"name": "p", "type": "bool[]"}, {"name": "x", "type": "int32|int64[2]"},
      {"name": "w", "type": {"dtypes": ["float16", "float32"]}}],
    "nodes": [{"op": "higher_order.cond", "name": "cond@7:3", "location": {"path": "m.cpp", "function": "ns::f", "line": 7, "column": 3},
      "attributes": [{"operand": "p"},
        {"region": {"role": "true", "location": "m.cpp:8:5", "captures": [
            {"name": "w", "kind": "reference", "content": "tensor", "variable": 3, "firstUse": {"path": "m.cpp", "line": 9, "column": 12},
              "calls": ["m.cpp:8:9"], "value": "w"},
            {"name": "n", "kind": "this", "content": "scalar", "varies": true}, {"name": "peak", "content": "float_item"}],
          "parameters": [{"name": "x"}], "nodes": [{"op": "cxx.return", "operands": ["x"], "name": "r", "location": "m.cpp:9:3"}],
          "results": ["x"]}},
        {"none": true}, {"operands": ["x"]}, {"name": "predicate_at", "location": "m.cpp:7:9"},
        {"name": "calls", "locations": ["m.cpp:3:1", {"path": "n.cpp", "line": 4}]}],
      "results": [{"name": "y", "type": "?[...]"}]}], "results": []}}]})"},
    {"Recording", R"({"condlint": "graph-1", "dialect": "torch", "recorded": true, "graph": {
  "parameters": [{"name": "p", "type": "bool[]"}], "nodes": [{"op": "higher_order.cond", "name": "cond", "attributes": [{"operand": "p"},
    {"region": {"role": "true", "captures": [{"name": "item", "kind": "reference", "content": "float_item", "varies": true}],
      "nodes": [{"op": "cxx.effect", "name": "effect", "attributes": [{"name": "what", "string": "output"}], "location": "m.py:3:1"}],
      "results": []}}, {"none": true}, {"operands": []}], "results": ["y"]}], "results": ["y"]}})"},
    {"Nothing", R"({"condlint": "graph-1", "dialect": "onnx"})"},
    {"EveryAttribute", R"({"condlint": "graph-1", "dialect": "torch", "graph": {
  "parameters": [{"name": "x", "type": "float32[2]", "data": {"file": "data/weights/weight_0", "offset": 64, "size": 8}}],
  "nodes": [{"op": "test.all.default", "name": "all", "attributes": [
    {"name": "none", "none": true}, {"name": "bool", "bool": false}, {"name": "int", "int": -9223372036854775808},
    {"name": "float", "float": 0.1}, {"name": "nan", "float": "nan"}, {"name": "inf", "float": "-inf"},
    {"name": "string", "string": "a \"quoted\" \u0000 text"}, {"name": "dtype", "dtype": "float8e5m2"},
    {"name": "layout", "layout": "sparse_csr"}, {"name": "format", "memoryFormat": 2},
    {"name": "device", "device": "cuda", "index": 1}, {"name": "cpu", "device": "cpu"},
    {"name": "complex", "complex": [1.5, -2]}, {"name": "bools", "bools": [true, false]},
    {"name": "ints", "ints": [1, 2, 3]}, {"name": "floats", "floats": [1, "inf"]},
    {"name": "strings", "strings": ["a", "b"]}, {"name": "dims", "dims": ["s0", 4, null], "uses": ["x"]},
    {"name": "tensor", "tensor": {"name": "t", "type": "int64[2]", "ints": [3, 4]}},
    {"name": "tensors", "tensors": [{"type": "uint8[3]", "bytes": [1, 2, 255]}, {"type": "uint8[2]", "bytes": "AQI="}]},
    {"name": "type", "type": {"kind": "sequence", "item": "float32[2]"}}, {"name": "reference", "reference": "alpha"},
    {"name": "opaque", "opaque": "as_operator"}, {"name": "operand", "operand": "x"},
    {"operands": ["x", null, 7, true, {"literal": "none"}, {"literal": "sym_float"}]},
    {"name": "empty", "operands": []}, {"name": "unread", "opaque": ""}], "results": ["y"]}],
  "results": ["y", 3, false]}})"},
    {"EveryType", R"({"condlint": "graph-1", "dialect": "torch", "symbols": {
    "s0": {"min": 2, "max": 16, "origin": "declared"}, "u0": {"min": null, "origin": "unbacked"}, "n": {"origin": "named"}},
  "graph": {"parameters": [
    {"name": "a", "type": {"kind": "tensor", "dtype": "float32", "shape": ["s0", 4, null, "2*s0 + 1"], "strides": [4, 1, 1, null],
      "storageOffset": "u0 % 3", "device": "cuda", "deviceIndex": 0, "layout": "strided", "requiresGrad": true, "conjugate": false,
      "quantized": false}, "role": "parameter"},
    {"name": "b", "type": "int64[...]", "role": "buffer"}, {"name": "c", "type": "?[min(s0, 4), 'odd, name'//2]"},
    {"name": "d", "type": {"kind": "optional", "item": {"kind": "sequence", "item": "bfloat16[]"}}}, {"name": "e"},
    {"name": "f", "type": "sym_int", "content": ["s0 + n"], "role": "scalar_input"}, {"name": "g", "type": "object", "role": "object"},
    {"name": "h", "type": "none", "role": "token"}, {"name": "i", "type": {"kind": "unknown"}, "role": "constant"},
    {"name": "j", "type": "float32[2]", "inferred": "float16[2]", "contradicted": true}], "results": ["a"],
    "resultRoles": ["buffer_mutation:b"]}})"},
    {"CondOfTorch",
     R"({"condlint": "graph-1", "format": "pt2", "dialect": "torch", "name": "model", "producer": "torch 2.13.0",
  "version": "2.13", "schemaVersion": {"major": 8, "minor": 20}, "opsets": {"aten": 10}, "symbols": {"s0": {"min": 2, "max": 16}},
  "graph": {"name": "g", "parameters": [{"name": "p", "type": "bool[]"}, {"name": "x", "type": "float32[s0]"}],
    "nodes": [{"op": "higher_order.cond", "name": "cond", "attributes": [{"operand": "p"},
        {"region": {"name": "true_graph_0", "parameters": [{"name": "x", "type": "float32[s0]"}], "nodes": [
          {"op": "aten.sin.default", "attributes": [{"name": "self", "operand": "x"}], "results": [{"name": "sin"}]}], "results": ["sin"]}},
        {"region": {"name": "false_graph_0", "parameters": [{"name": "x", "type": "float32[s0]"}], "nodes": [], "results": ["x"]}},
        {"operands": ["x"]}], "results": [{"name": "y", "type": "float32[s0]"}, ""],
      "location": {"path": "model.py", "function": "forward", "line": 12, "column": 3, "endLine": 13, "endColumn": 4}}],
    "results": ["y"]}})"},
    {"IfOfOnnx",
     R"({"condlint": "graph-1", "format": "onnx", "dialect": "onnx", "irVersion": 10, "opsets": {"": 20, "com.example": 1},
  "wireDepth": 7, "graph": {"name": "main_graph", "parameters": [{"name": "c", "type": "bool[]"}, {"name": "x", "type": "float32[N]"}],
    "constants": [{"name": "w", "type": "float32[1000]", "data": {"file": "weights.bin", "offset": 18446744073709551615, "size": 4000}},
      {"name": "k", "type": "int64[2]", "data": {"ints": [1, 2], "sparse": true}, "content": [1, 2]}, {"name": "none"}],
    "nodes": [{"op": "If", "operands": ["c"], "attributes": [
        {"name": "then_branch", "region": {"name": "t", "nodes": [{"op": "Add", "operands": ["x", "w"], "results": ["a"]},
          {"op": {"name": "Old", "version": 1}, "operands": ["a", null, "k"], "results": ["", "b"]}], "results": ["b"]}},
        {"name": "else_branch", "region": {"role": "another", "nodes": [{"op": "com.example::Magic", "operands": ["x"], "results": ["m"]}],
          "results": ["m"]}}], "results": ["y"]}], "results": ["y"]}})"},
    {"Functions", R"({"condlint": "graph-1", "dialect": "onnx", "opsets": {"": 18, "local": 1}, "graph": {
    "parameters": [{"name": "x"}], "nodes": [{"op": "local::F", "operands": ["x"], "results": ["y"]}], "results": ["y"]},
  "functions": [{"domain": "local", "name": "F", "attributes": ["alpha"], "defaults": [{"name": "beta", "float": 2}],
      "opsets": {"": 17}, "graph": {"parameters": [{"name": "a"}], "nodes": [
        {"op": "Relu", "operands": ["a"], "attributes": [{"name": "alpha", "reference": "alpha"}], "results": ["r"]},
        {"op": "local::G", "operands": ["r"], "results": ["s"]}], "results": ["s"]}},
    {"domain": "local", "name": "G", "overload": "", "graph": {"parameters": [{"name": "a"}], "results": ["a"]}}]})"},
    {"RefersAnywhere", R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"parameters": [{"name": "c"}], "nodes": [
    {"op": "Early", "operands": [{"ref": 1}, "later", "nowhere", {"undefined": "c"}], "results": ["e"]},
    {"op": "If", "operands": ["c"], "attributes": [
      {"name": "then_branch", "region": {"nodes": [{"op": "A", "results": [{"name": "inside", "id": 2}]}], "results": ["inside"]}},
      {"name": "else_branch", "region": {"nodes": [], "results": ["inside"]}}], "results": [{"id": 1}]},
    {"op": "Late", "operands": [{"ref": 2}, "inside"], "results": ["later"]}], "results": ["later", {"ref": 1}]}})"},
    {"Regions", R"({"condlint": "graph-1", "dialect": "torch", "graph": {"nodes": [
    {"op": "higher_order.switch", "attributes": [{"name": "branches", "regions": [{"name": "a"}, null, {"tooDeep": true}]}]},
    {"op": "test.explicit", "regions": [{"name": "r"}, {"role": "s"}], "operands": [1, 2], "attributes": [
      {"regionAt": 1}, {"regionsAt": [0, 2]}, {"operandAt": 1}, {"operandsAt": [0, 2]}]}], "results": []}})"},
    {"Issues",
     R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"id": 5, "parameters": [{"name": "x"}, {"name": "x", "id": 4}],
    "nodes": [{"op": "Relu", "id": 3, "operands": ["x"], "results": ["x"]}], "results": ["x"]}, "issues": [
    {"kind": "redefined", "graph": 5, "value": 4, "place": "graph.input[1]", "message": "'x' twice"},
    {"kind": "malformed_note", "node": 3, "message": "odd"}, {"kind": "nesting_limit"}]})"},
    {"HostileNames",
     R"({"condlint": "graph-1", "dialect": "onnx", "symbols": [{"name": {"latin1": "\u00ff"}, "max": 3}],
  "opsets": [["", 1], ["", 2]], "graph": {"parameters": [{"name": {"latin1": "a\u00ffb\u0080"}, "type": "float32['\\xff', 'x y']"}],
  "nodes": [{"op": {"name": "a::b", "domain": "ai.onnx", "version": 3}, "name": "\u001b[31m", "operands": [{"latin1": "a\u00ffb\u0080"}],
    "results": ["größe"]}], "results": ["größe"]}})"},
};

inline std::vector<Model> readText(const std::string &text) {
  auto models = readJson(FileBytes::copy(text), "test.json");
  if (!models) {
    ADD_FAILURE() << models.error().str();
    return std::vector<Model>(1);
  }
  return std::move(*models);
}

/// The error of reading \p text: "place: message".
inline std::string errorOf(const std::string &text) {
  const auto models = readJson(FileBytes::copy(text), "test.json");
  return models ? "no error" : models.error().place + ": " + models.error().message;
}

inline std::string fileText(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The first fenced block of JSON in docs/graph-json.md.
inline std::string documentedExample() {
  const std::string page = fileText(CONDLINT_SOURCE_DIR "/docs/graph-json.md");
  const std::size_t start = page.find("```json\n") + 8;
  return page.substr(start, page.find("```", start) - start);
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_JSONSAMPLES_H
