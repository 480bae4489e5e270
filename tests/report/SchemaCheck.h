//===- SchemaCheck.h - A value against a JSON Schema ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_SCHEMACHECK_H
#define CONDLINT_TESTS_SCHEMACHECK_H

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace condlint::test {

/// Checks \p value against the part of JSON Schema that docs/report.schema.json
/// uses. Returns an empty string, or the first thing that does not fit. A
/// keyword that it does not know is reported too, so that none is overlooked.
class SchemaCheck {
public:
  explicit SchemaCheck(nlohmann::json schema) : root(std::move(schema)) {}
  std::string check(const nlohmann::json &value) const { return check(root, value, "$"); }

private:
  using Json = nlohmann::json;

  static bool hasType(const Json &v, const std::string &type) {
    if (type == "integer")
      return v.is_number_integer();
    return type == v.type_name();
  }

  std::string check(const Json &schema, const Json &v, const std::string &at) const {
    for (const auto &[key, want] : schema.items()) {
      std::string problem = checkKeyword(schema, key, want, v, at);
      if (!problem.empty())
        return problem;
    }
    return {};
  }

  std::string checkKeyword(const Json &schema, const std::string &key, const Json &want, const Json &v,
                           const std::string &at) const {
    static const std::vector<std::string> annotations{"$schema", "$id", "$defs", "title", "description"};
    if (std::find(annotations.begin(), annotations.end(), key) != annotations.end())
      return {};
    if (key == "$ref")
      return check(root.at(Json::json_pointer(want.get<std::string>().substr(1))), v, at);
    if (key == "type") {
      for (const Json &type : want.is_array() ? want : Json::array({want}))
        if (hasType(v, type))
          return {};
      return at + ": " + v.dump() + " is not of type " + want.dump();
    }
    if (key == "const")
      return v == want ? "" : at + ": is not " + want.dump();
    if (key == "enum")
      return std::find(want.begin(), want.end(), v) != want.end() ? ""
                                                                  : at + ": " + v.dump() + " is not in " + want.dump();
    if (key == "pattern")
      return !v.is_string() || std::regex_search(v.get<std::string>(), std::regex(want.get<std::string>()))
                 ? ""
                 : at + ": " + v.dump() + " does not match " + want.dump();
    if (key == "minimum")
      return !v.is_number() || v >= want ? "" : at + ": is below " + want.dump();
    if (key == "required") {
      for (const Json &name : want)
        if (v.is_object() && !v.contains(name.get<std::string>()))
          return at + ": has no " + name.dump();
      return {};
    }
    if (key == "items") {
      for (std::size_t i = 0; v.is_array() && i < v.size(); ++i)
        if (std::string problem = check(want, v[i], at + "[" + std::to_string(i) + "]"); !problem.empty())
          return problem;
      return {};
    }
    if (key == "properties" || key == "additionalProperties")
      return v.is_object() ? checkMembers(schema, key, want, v, at) : "";
    return at + ": the test does not know the keyword " + key;
  }

  std::string checkMembers(const Json &schema, const std::string &key, const Json &want, const Json &v,
                           const std::string &at) const {
    for (const auto &[name, member] : v.items()) {
      bool named = schema.contains("properties") && schema["properties"].contains(name);
      if (key == "properties" ? !named : named)
        continue;
      if (want.is_boolean()) {
        if (!want.get<bool>())
          return at + ": the member " + name + " is not allowed";
        continue;
      }
      std::string problem = check(key == "properties" ? want[name] : want, member, at + "." + name);
      if (!problem.empty())
        return problem;
    }
    return {};
  }

  Json root;
};

} // namespace condlint::test

#endif // CONDLINT_TESTS_SCHEMACHECK_H
