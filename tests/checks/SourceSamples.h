//===- SourceSamples.h - Graphs as a C++ front end writes them ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_SOURCESAMPLES_H
#define CONDLINT_TESTS_SOURCESAMPLES_H

#include "checks/RuleSamples.h"
#include <set>

namespace condlint::test {

/// A place on line \p line of the one file.
inline std::string place(int line) { return fmt::format(R"("m.cpp:{}:3")", line); }

/// A node on a line; its operands and results by name, the attributes in JSON.
inline std::string line(int at, const std::string &op, const std::string &operands, const std::string &attributes = {},
                        const std::string &results = {}) {
  return fmt::format(R"({{"op": "{}", "operands": [{}], "attributes": [{}], "results": [{}], "location": {}}})", op,
                     operands, attributes, results, place(at));
}

/// A torch operator of one tensor.
inline std::string call(int at, const std::string &op, const std::string &self, const std::string &result,
                        const std::string &more = {}) {
  return fmt::format(
      R"({{"op": "aten.{}", "attributes": [{{"name": "self", "operand": "{}"}}{}], "results": [{}], "location": {}}})",
      op, self, more, value(result), place(at));
}

/// A branch: captures, nodes and returns in JSON; by default it has the parameter x.
struct SourceBranch {
  std::string nodes;
  std::string results;
  int returnLine = 0; ///< 0: the nodes hold their own returns
  std::string captures = {};
  std::string parameters = value("x");

  std::string json(const std::string &role) const {
    std::string all = nodes;
    if (returnLine != 0)
      all += (all.empty() ? "" : ", ") + line(returnLine, "cxx.return", results);
    return fmt::format(
        R"({{"role": "{}", "location": {}, "captures": [{}], "parameters": [{}], "nodes": [{}], "results": [{}]}})",
        role, place(role == "true" ? 11 : 21), captures, parameters, all, results);
  }
};

/// A function `f` around one conditional on line 10; the arguments are on 30 and 31.
struct SourceCond {
  std::string parameters = value("p", "bool[]") + ", " + value("x", "?[...]") + ", " + value("w", "?[...]");
  std::string before = {}; ///< nodes, each followed by a comma
  std::string predicate = R"({"operand": "p"})";
  SourceBranch yes = {call(12, "sin.default", "x", "a"), R"("a")", 13};
  SourceBranch no = {call(22, "cos.default", "x", "b"), R"("b")", 23};
  std::string operands = R"({"operands": ["x"]})";
  std::string outputs = value("y");
  std::string after = {}; ///< nodes, each after a comma
  std::string extra = {}; ///< attributes of the conditional, each after a comma
  std::string symbols = {};

  std::string node(int at = 10) const {
    return fmt::format(
        R"({{"op": "higher_order.cond", "name": "cond@{}:10", "attributes": [{}, {}, {}, {},
        {{"name": "predicate_at", "location": {}}}, {{"name": "operands_at", "location": {}}} {}], "results": [{}],
        "location": {{"path": "m.cpp", "function": "ns::f", "line": {}, "column": 10}}}})",
        at, predicate, branch(yes, "true"), branch(no, "false"), operands, place(at + 20), place(at + 21), extra,
        outputs, at);
  }
  std::string json() const {
    return fmt::format(
        R"({{"condlint": "graph-1", "format": "cxx", "dialect": "torch", "symbols": {{{}}}, "graph": null, "functions": [
        {{"name": "ns::f", "graph": {{"parameters": [{}], "nodes": [{} {} {}], "results": []}}}}]}})",
        symbols, parameters, before, node(), after);
  }
  static std::string branch(const SourceBranch &b, const std::string &role) {
    return b.parameters == "none" ? R"({"none": true})" : fmt::format(R"({{"region": {}}})", b.json(role));
  }
};

/// The errors and warnings as "LINE severity rule", in order.
inline std::vector<std::string> lines(const std::string &json, const std::string &target = "torch@2.14") {
  std::multiset<std::string> out;
  for (const Finding &f : checkJson(json, target).findings)
    if (f.severity >= Severity::Warning)
      out.insert(fmt::format("{} {} {}", f.location.line, severityName(f.severity), f.rule));
  return {out.begin(), out.end()};
}

/// What \p rule says of the only conditional of \p r; nothing when it cannot occur.
inline std::optional<Verdict> verdictIn(const CheckResult &r, std::string_view rule) {
  const auto &all = r.conditionals.at(0).verdicts;
  const auto found = all.find(rule);
  return found == all.end() ? std::nullopt : std::optional((*found).second);
}

/// A capture of the variable \p name, first used on \p line.
inline std::string capture(const std::string &name, int line, const std::string &more = {}) {
  return fmt::format(R"({{"name": "{}", "firstUse": {} {}}})", name, place(line), more.empty() ? "" : ", " + more);
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_SOURCESAMPLES_H
