//===- JsonSchemaTest.cpp - Graph JSON is what its schema says ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonSamples.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace condlint {
namespace {

using Json = nlohmann::json;

/// Checks a value against the part of JSON Schema that docs/graph.schema.json
/// uses. Empty when it fits, else the first thing that does not.
class Schema {
public:
  explicit Schema(Json schema) : root(std::move(schema)) {}
  std::string check(const Json &value) const { return check(root, value, "$"); }

private:
  std::string check(const Json &schema, const Json &v, const std::string &at) const {
    for (const auto &[key, want] : schema.items())
      if (std::string problem = keyword(schema, key, want, v, at); !problem.empty())
        return problem;
    return {};
  }

  static bool hasType(const Json &v, const std::string &type) {
    return type == "integer" ? v.is_number_integer() : type == v.type_name();
  }

  std::string keyword(const Json &schema, const std::string &key, const Json &want, const Json &v,
                      const std::string &at) const {
    const auto fail = [&](const std::string &why) { return at + ": " + why + " " + want.dump().substr(0, 60); };
    if (key == "$schema" || key == "$defs" || key == "title" || key == "description")
      return {};
    if (key == "$ref")
      return check(root.at(Json::json_pointer(want.get<std::string>().substr(1))), v, at);
    if (key == "anyOf") {
      std::string problems;
      for (const Json &one : want) {
        const std::string problem = check(one, v, at);
        if (problem.empty())
          return {};
        problems += " | " + problem;
      }
      return at + ": none fits" + problems;
    }
    if (key == "type") {
      const Json types = want.is_array() ? want : Json::array({want});
      return std::any_of(types.begin(), types.end(), [&](const Json &t) { return hasType(v, t); })
                 ? ""
                 : fail("is not of type");
    }
    if (key == "const")
      return v == want ? "" : fail("is not");
    if (key == "enum")
      return std::find(want.begin(), want.end(), v) != want.end() ? "" : fail("is not in");
    if (key == "minimum" || key == "maximum")
      return !v.is_number() || (key == "minimum" ? v >= want : v <= want) ? "" : fail("is beyond");
    if (key == "minItems" || key == "maxItems")
      return !v.is_array() || (key == "minItems" ? v.size() >= want : v.size() <= want) ? "" : fail("has not the size");
    if (key == "required") {
      for (const Json &name : want)
        if (v.is_object() && !v.contains(name.get<std::string>()))
          return fail("has not all of");
      return {};
    }
    if (key == "items") {
      for (std::size_t i = 0; v.is_array() && i < v.size(); ++i)
        if (std::string problem = check(want, v[i], at + "/" + std::to_string(i)); !problem.empty())
          return problem;
      return {};
    }
    if (key == "properties" || key == "additionalProperties") {
      if (!v.is_object())
        return {};
      for (const auto &[name, member] : v.items()) {
        const bool named = schema.contains("properties") && schema["properties"].contains(name);
        if (named != (key == "properties"))
          continue;
        if (want.is_boolean())
          return at + ": has the unknown member " + name;
        if (std::string problem = check(named ? want[name] : want, member, at + "/" + name); !problem.empty())
          return problem;
      }
      return {};
    }
    return at + ": the test does not know the keyword " + key;
  }

  Json root;
};

const Schema &schema() {
  static const Schema s(Json::parse(test::fileText(CONDLINT_SOURCE_DIR "/docs/graph.schema.json")));
  return s;
}

class JsonSchemaTest : public testing::TestWithParam<test::JsonSample> {};

TEST_P(JsonSchemaTest, WhatIsReadAndWrittenFits) {
  EXPECT_EQ(schema().check(Json::parse(GetParam().text)), "");
  EXPECT_EQ(schema().check(Json::parse(writeJson(test::readText(GetParam().text)[0]))), "");
}

INSTANTIATE_TEST_SUITE_P(Samples, JsonSchemaTest, testing::ValuesIn(test::jsonSamples),
                         [](const auto &x) { return std::string(x.param.name); });

TEST(JsonSchema, TheDocumentedExampleFits) { EXPECT_EQ(schema().check(Json::parse(test::documentedExample())), ""); }

TEST(JsonSchema, ReaderAndSchemaRefuseTheSame) {
  const std::vector<std::string> broken{
      R"({"dialect": "onnx"})",
      R"({"condlint": "graph-1", "dialect": "tf"})",
      R"({"condlint": "graph-1", "dialect": "onnx", "extra": 1})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"nodes": [{}]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"nodes": [{"op": 3}]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"parameters": [{"role": "output"}]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"parameters": [{"type": {"dtype": "float33"}}]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"parameters": [{"type": {"shape": [1.5]}}]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "graph": {"results": [1.5]}})",
      R"({"condlint": "graph-1", "dialect": "onnx", "issues": [{"kind": "worse"}]})",
      R"({"condlint": "graph-1", "dialect": "onnx", "symbols": {"n": {"from": 1}}})",
      R"({"condlint": "graph-1", "dialect": "torch", "graph": {"captures": [{"kind": "value"}]}})",
      R"({"condlint": "graph-1", "dialect": "torch", "graph": {"captures": [{"name": "w", "kind": "friend"}]}})",
      R"({"condlint": "graph-1", "dialect": "torch", "graph": {"parameters": [{"type": {"dtypes": ["int33"]}}]}})",
      R"({"condlint": "graph-1", "dialect": "torch", "graph": {"location": 3}})",
      R"([])"};
  for (const std::string &text : broken) {
    EXPECT_NE(schema().check(Json::parse(text)), "") << text;
    EXPECT_NE(test::errorOf(text), "no error") << text;
  }
}

} // namespace
} // namespace condlint
