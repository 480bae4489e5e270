//===- OnnxNodeTest.cpp - ONNX's own backend tests, executed --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each node test that ONNX publishes for runtimes is executed on its inputs and
// compared with its outputs, within the tolerances of ONNX's own runner. Which do
// not pass stands in docs/operators.md, and nowhere else: both a test that fails
// and is not listed, and one that is listed and passes, is a failure here.
// tests/fetch_onnx_backend.py brings the tests; without them this is skipped.
//
//===----------------------------------------------------------------------===//
#include "TestDevice.h"
#include "condlint/Executor.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

using namespace condlint;
namespace fs = std::filesystem;

namespace {

/// The tolerances of onnx.backend.test.runner; no test of 1.22 has others.
constexpr double rtol = 1e-3, atol = 1e-7;

struct NodeTest {
  std::string name;
  std::string op;      ///< the operator that it is about
  std::string problem; ///< why it does not pass; empty: it does
};

fs::path testsFolder() {
  if (const char *folder = std::getenv("CONDLINT_ONNX_DATA"))
    return fs::path(folder) / "node";
  return fs::path(CONDLINT_ONNX_DATA) / "node";
}

/// Expected values as ONNX's runner sees them: a sequence is compared item by item.
std::string runOne(const fs::path &folder) {
  auto models = readModel((folder / "model.onnx").string());
  if (!models)
    return models.error().str();
  Model &m = models->front();
  inferTypes(m);
  ExecutorOptions options = test::onTestDevice();
  options.memoryLimit = std::uint64_t{1} << 30;
  auto executor = Executor::create(m, options, openConstants);
  if (!executor)
    return executor.error().message;
  const fs::path data = folder / "test_data_set_0";
  const auto read = [&](std::string_view kind, std::span<const Executor::Port> ports) -> Expected<std::vector<Array>> {
    std::vector<Array> arrays;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const fs::path file = data / fmt::format("{}_{}.pb", kind, i);
      if (!fs::exists(file))
        continue;
      auto value = readOnnxValue(file.string(), &m.types[ports[i].type], m.types);
      if (!value)
        return value.error();
      value->name = ports[i].name;
      arrays.push_back(std::move(*value));
    }
    return arrays;
  };
  auto given = read("input", (*executor)->inputs());
  if (!given)
    return given.error().str();
  auto bound = (*executor)->bind(*given);
  if (!bound)
    return bound.error().message;
  auto results = (*executor)->run(*bound);
  if (!results)
    return results.error().message;
  auto wanted = read("output", (*executor)->outputs());
  if (!wanted)
    return wanted.error().str();
  if (wanted->size() != results->size())
    return fmt::format("{} outputs, expected {}", results->size(), wanted->size());
  for (std::size_t i = 0; i < wanted->size(); ++i)
    if (auto d = differenceOf(*(*executor)->toArray((*results)[i]), (*wanted)[i], rtol, atol))
      return fmt::format("output {} {}", i, *d);
  return {};
}

/// The one operator of the test's graph, or the first that is not only there to feed it.
std::string operatorOf(const fs::path &folder) {
  auto models = readModel((folder / "model.onnx").string());
  if (!models)
    return "?";
  const Model &m = models->front();
  std::string found;
  for (NodeId n : m.nodes(m.main()))
    if (const std::string_view name = m.text(m[m[n].op].name); found.empty() || found == "Constant")
      found = name;
  return found;
}

const std::vector<NodeTest> &nodeTests() {
  static const std::vector<NodeTest> tests = [] {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry &e : fs::directory_iterator(testsFolder(), error))
      if (fs::exists(e.path() / "test_data_set_0"))
        names.push_back(e.path().filename().string());
    std::ranges::sort(names);
    std::vector<NodeTest> done;
    for (const std::string &name : names) {
      // What an operator's definition expands to belongs to that operator.
      fs::path subject = testsFolder() / name.substr(0, name.find("_expanded"));
      if (!fs::exists(subject))
        subject = testsFolder() / name;
      std::string problem;
      const std::string fault = test::faultOf([&] { problem = runOne(testsFolder() / name); });
      done.push_back({name, operatorOf(subject), fault.empty() ? problem : fault});
    }
    return done;
  }();
  return tests;
}

/// The tests that docs/operators.md lists as not passing: `test_name` in its tables.
std::set<std::string> listed() {
  std::ifstream file(fs::path(CONDLINT_SOURCE_DIR) / "docs/operators.md");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);)
    for (std::size_t at = 0; (at = line.find("`test_", at)) != std::string::npos;) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string::npos)
        break;
      names.insert(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  return names;
}

TEST(OnnxNodes, WhatPassesIsWhatTheTableSays) {
  if (nodeTests().empty())
    GTEST_SKIP() << "no tests in '" << testsFolder().string() << "': run tests/fetch_onnx_backend.py";
  const std::set<std::string> known = listed();
  std::size_t passed = 0;
  for (const NodeTest &t : nodeTests()) {
    passed += t.problem.empty();
    if (!t.problem.empty() && !known.contains(t.name))
      ADD_FAILURE() << t.name << " (" << t.op << "): " << t.problem;
    if (t.problem.empty() && known.contains(t.name))
      ADD_FAILURE() << t.name << " passes; tests/operators.py brings docs/operators.md up to date";
  }
  std::cout << fmt::format("{} of {} node tests pass\n", passed, nodeTests().size());
  EXPECT_GE(passed, 1500u);
}

/// For tests/operators.py: one line a test, then one an operator of torch's core.
TEST(OnnxNodes, WrittenForTheTable) {
  const char *file = std::getenv("CONDLINT_OPERATORS");
  if (file == nullptr)
    GTEST_SKIP() << "CONDLINT_OPERATORS names no file";
  std::ofstream out(file);
  for (const NodeTest &t : nodeTests())
    out << "onnx\t" << t.name << '\t' << t.op << '\t' << t.problem << '\n';
  Model m;
  std::ifstream names(fs::path(CONDLINT_TEST_DATA) / "ops/core_aten.txt");
  for (std::string name; std::getline(names, name);) {
    if (name.starts_with('#'))
      continue;
    Operator op;
    op.dialect = Dialect::Torch;
    op.domain = m.strings.intern("aten");
    op.name = m.strings.intern(name);
    const OperatorId id = m.addOperator(op);
    resolveOperator(m, id);
    const OpDef *d = m[id].definition;
    out << "aten\t" << name << '\t'
        << (d == nullptr            ? "unknown"
            : d->execute == nullptr ? "typed"
                                    : "executed")
        << '\n';
  }
}

} // namespace
