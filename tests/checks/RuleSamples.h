//===- RuleSamples.h - Small graphs to hold rules against -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_RULESAMPLES_H
#define CONDLINT_TESTS_RULESAMPLES_H

#include "condlint/Reader.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::test {

/// A named value with its recorded type: `value("x", "float32[2]")`. A type that
/// begins with a brace is written out.
inline std::string value(const std::string &name, const std::string &type = {}) {
  if (type.empty())
    return fmt::format(R"({{"name": "{}"}})", name);
  const std::string quote = type.front() == '{' ? "" : "\"";
  return fmt::format(R"({{"name": "{}", "type": {}{}{}}})", name, quote, type, quote);
}

/// A torch node of one tensor argument and one result.
inline std::string aten(const std::string &op, const std::string &self, const std::string &result,
                        const std::string &type, const std::string &more = {}) {
  return fmt::format(R"({{"op": "aten.{}", "attributes": [{{"name": "self", "operand": "{}"}}{}], "results": [{}]}})",
                     op, self, more, value(result, type));
}

/// An ONNX node of the operands \p in (a list in JSON, without brackets) and one result.
inline std::string onnx(const std::string &op, const std::string &in, const std::string &result,
                        const std::string &type = {}, const std::string &attributes = {}) {
  return fmt::format(R"({{"op": "{}", "operands": [{}], "attributes": [{}], "results": [{}]}})", op, in, attributes,
                     value(result, type));
}

/// A graph: lists in JSON, without brackets.
struct Region {
  std::string parameters;
  std::string nodes;
  std::string results;
  std::string constants = {};

  std::string json(const std::string &name) const {
    return fmt::format(R"({{"name": "{}", "parameters": [{}], "constants": [{}], "nodes": [{}], "results": [{}]}})",
                       name, parameters, constants, nodes, results);
  }
};

/// A torch model around one conditional, called "cond".
struct TorchCond {
  std::string parameters = value("p", "bool[]") + ", " + value("x", "float32[4]");
  std::string before = {}; ///< nodes of the main graph, each followed by a comma
  std::string predicate = R"({"operand": "p"})";
  Region yes;
  Region no;
  std::string operands = R"({"operands": ["x"]})";
  std::string outputs = value("y", "float32[4]");
  std::string after = {}; ///< nodes, each after a comma
  std::string results = R"("y")";
  std::string symbols = {};
  std::string version = "2.13";

  /// The nodes of the main graph.
  std::string nodes() const {
    std::string arguments = predicate;
    for (const std::string &a : {fmt::format(R"({{"region": {}}})", yes.json("true_graph_0")),
                                 fmt::format(R"({{"region": {}}})", no.json("false_graph_0")), operands})
      if (!a.empty())
        arguments += (arguments.empty() ? "" : ", ") + a;
    return fmt::format(
        R"({} {{"op": "higher_order.cond", "name": "cond", "attributes": [{}], "results": [{}],
               "location": {{"path": "model.py", "line": 12}}}} {})",
        before, arguments, outputs, after);
  }

  std::string json() const { return jsonOf(nodes()); }

  /// The same of p and x, all inside of a region that records no gradients, which yields \p result.
  std::string withoutGradients(const std::string &type, const std::string &result) const {
    const Region inner{value("p", "bool[]") + ", " + value("x", type), nodes(), results};
    return jsonOf(fmt::format(
        R"({{"op": "higher_order.wrap_with_set_grad_enabled", "name": "wrap", "attributes": [{{"bool": false}},
               {{"region": {}}}, {{"operand": "p"}}, {{"operand": "x"}}], "results": [{}]}})",
        inner.json("submod_1"), result));
  }

  std::string jsonOf(const std::string &nodesOfMain) const {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "torch", "version": "{}", "symbols": {{{}}}, "graph": {{"parameters": [{}],
        "nodes": [{}], "results": [{}]}}}})",
        version, symbols, parameters, nodesOfMain, results);
  }
};

/// Two branches that agree: sin and cos of x.
inline TorchCond soundCond(const std::string &type = "float32[4]") {
  TorchCond c;
  c.parameters = value("p", "bool[]") + ", " + value("x", type);
  c.yes = {value("x", type), aten("sin.default", "x", "sin", type), R"("sin")"};
  c.no = {value("x", type), aten("cos.default", "x", "cos", type), R"("cos")"};
  c.outputs = value("y", type);
  return c;
}

/// An ONNX model around one If, called "If_0".
struct OnnxIf {
  std::string parameters = value("c", "bool[]") + ", " + value("x", "float32[4]");
  std::string constants = {};
  std::string before = {};
  std::string inputs = R"("c")";
  Region yes = {"", onnx("Relu", R"("x")", "a"), R"("a")"};
  Region no = {"", onnx("Neg", R"("x")", "b"), R"("b")"};
  std::string outputs = value("y");
  std::string after = {};
  std::string results = R"("y")";
  int opset = 20;

  std::string json() const {
    return fmt::format(
        R"({{"condlint": "graph-1", "dialect": "onnx", "opsets": {{"": {}}}, "graph": {{"name": "g", "parameters": [{}], "constants": [{}], "nodes":
        [{} {{"op": "If", "name": "If_0", "operands": [{}], "attributes": [{{"name": "then_branch", "region": {}}},
        {{"name": "else_branch", "region": {}}}], "results": [{}]}} {}], "results": [{}]}}}})",
        opset, parameters, constants, before, inputs, yes.json("t"), no.json("e"), outputs, after, results);
  }
};

inline CheckResult checkJson(const std::string &json, const std::string &target, const RuleOptions &options = {}) {
  auto models = readJson(FileBytes::copy(json), "test.json");
  if (!models) {
    ADD_FAILURE() << models.error().str() << "\n" << json;
    return {};
  }
  const auto parsed = parseTarget(target);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().str();
    return {};
  }
  const Analysis analysis(models->front());
  return check(analysis, *parsed, options);
}

/// The findings as "severity rule", in order, leaving out the rules in \p besides
/// (notes about what is not the test's subject), each of which the table must have.
inline std::vector<std::string> found(const std::string &json, const std::string &target,
                                      const std::vector<std::string> &besides = {"branch-empty", "branch-identical",
                                                                                 "output-unused", "operand-unused"}) {
  std::vector<std::string> out;
  for (const std::string &rule : besides)
    EXPECT_NE(findRule(rule), nullptr) << "there is no rule " << rule;
  for (const Finding &f : checkJson(json, target).findings)
    if (std::find(besides.begin(), besides.end(), f.rule) == besides.end())
      out.push_back(std::string(severityName(f.severity)) + ' ' + f.rule);
  return out;
}

/// The finding of \p rule, which must be there once.
inline Finding theFinding(const std::string &json, const std::string &target, const std::string &rule) {
  Finding out;
  int count = 0;
  for (const Finding &f : checkJson(json, target).findings)
    if (f.rule == rule) {
      out = f;
      ++count;
    }
  EXPECT_EQ(count, 1) << rule << " in " << json;
  return out;
}

/// The verdict of \p rule on the only conditional.
inline std::string verdictOf(const std::string &json, const std::string &target, const std::string &rule) {
  const CheckResult r = checkJson(json, target);
  if (r.conditionals.size() != 1)
    return "not one conditional";
  const auto it = r.conditionals[0].verdicts.find(rule);
  return it == r.conditionals[0].verdicts.end() ? "absent" : std::string(verdictName(it->second));
}

using Rules = std::vector<std::string>;

/// Among the findings of `found` is \p what, as "severity rule".
inline bool has(const std::string &json, const std::string &target, const std::string &what) {
  const Rules all = found(json, target);
  return std::find(all.begin(), all.end(), what) != all.end();
}

/// The first of `found` of \p rule, as "severity rule"; empty where there is none.
inline std::string firstFound(const std::string &json, const std::string &target, std::string_view rule) {
  for (const std::string &r : found(json, target))
    if (r.ends_with(rule))
      return r;
  return {};
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_RULESAMPLES_H
