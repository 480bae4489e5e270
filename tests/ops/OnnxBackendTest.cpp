//===- OnnxBackendTest.cpp - ONNX's own backend tests ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Each of the models that ONNX publishes for the tests of runtimes is read and
// typed, once with and once without what it records of its values.
// tests/fetch_onnx_backend.py brings them; without them the tests are skipped.
//
//===----------------------------------------------------------------------===//
#include "condlint/Reader.h"
#include "graph/TypeWords.h"
#include "ops/InferState.h"
#include "ops/OnnxVersions.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

using namespace condlint;
namespace fs = std::filesystem;

namespace {

#ifndef CONDLINT_ONNX_DATA
#define CONDLINT_ONNX_DATA ""
#endif

/// The folder of the models: the environment's, else the build's.
fs::path dataFolder() {
  if (const char *folder = std::getenv("CONDLINT_ONNX_DATA"))
    return folder;
  return CONDLINT_ONNX_DATA;
}

const std::vector<std::string> &models() {
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::recursive_directory_iterator i(dataFolder(), error), end; !error && i != end; i.increment(error))
      if (i->path().extension() == ".onnx")
        found.push_back(i->path().string());
    std::ranges::sort(found);
    return found;
  }();
  return paths;
}

#define SKIP_WITHOUT_MODELS()                                                                                          \
  if (models().empty())                                                                                                \
  GTEST_SKIP() << "no models in '" << dataFolder().string()                                                            \
               << "': run tests/fetch_onnx_backend.py, or set CONDLINT_ONNX_DATA to backend/test/data of the Python "  \
                  "package onnx 1.22.0"

std::optional<Model> read(const std::string &path) {
  auto bytes = FileBytes::open(path);
  if (!bytes) {
    ADD_FAILURE() << path << ": cannot be opened";
    return std::nullopt;
  }
  auto read = readOnnx(*bytes, path);
  if (!read || read->size() != 1) {
    ADD_FAILURE() << path << ": cannot be read";
    return std::nullopt;
  }
  return std::move(read->front());
}

std::string describe(const Model &m, const Inference &found) {
  std::string text;
  for (const Contradiction &c : found.contradictions)
    text += fmt::format("\n  {}: {} recorded {} inferred {}", m.name(c.value), c.facet, c.recorded, c.inferred);
  for (const InvalidOperand &i : found.invalid)
    text += fmt::format("\n  {}: {}", m.path(i.node), i.message);
  for (const auto &[name, count] : found.untyped)
    text += fmt::format("\n  {} is not typed", name);
  return text;
}

/// And every value has a kind and an element type.
TEST(OnnxBackend, NothingContradictsAndNothingIsRejected) {
  SKIP_WITHOUT_MODELS();
  for (const std::string &path : models()) {
    std::optional<Model> m = read(path);
    if (!m)
      continue;
    const Inference found = inferTypes(*m);
    EXPECT_TRUE(found.contradictions.empty() && found.invalid.empty() && found.untyped.empty())
        << path << describe(*m, found);
    for (NodeId n : m->nodes(m->main()))
      for (std::size_t i = 0; i < m->resultCount(n); ++i) {
        const ValueId v = m->result(n, i);
        const Type &t = m->type(v);
        const bool typed = t.kind != ValueKind::Unknown && (t.element != DType::Unknown || t.item);
        EXPECT_TRUE(typed || m->name(v).empty())
            << path << ": " << m->name(v) << " of " << m->operatorName((*m)[n].op) << " is " << spellType(*m, t);
      }
  }
}

TEST(OnnxBackend, EveryNodeFitsItsSchema) {
  SKIP_WITHOUT_MODELS();
  for (const std::string &path : models()) {
    std::optional<Model> m = read(path);
    if (!m)
      continue;
    inferTypes(*m);
    Inference found;
    InferState state(*m, found);
    for (std::uint32_t g = 0; g < m->graphCount(); ++g)
      for (NodeId n : m->nodes(GraphId(g))) {
        InferContext ctx(*m, n, &state);
        OnnxSchemas().fits(ctx);
        const Operator &op = (*m)[(*m)[n].op];
        EXPECT_NE(onnxOperatorExists(m->text(op.domain), m->text(op.name), op.version), false)
            << path << ": " << m->operatorName((*m)[n].op) << " at version " << op.version;
      }
    EXPECT_TRUE(found.invalid.empty()) << path << describe(*m, found);
  }
}

/// How an inferred type stands to one that is declared.
enum class Relation { Equal, LessPrecise, Different };

Relation relate(const Model &m, const Type &declared, const Type &inferred) {
  if (declared.kind == ValueKind::Unknown)
    return Relation::Equal;
  if (inferred.kind == ValueKind::Unknown)
    return Relation::LessPrecise;
  if (declared.kind != inferred.kind)
    return Relation::Different;
  if (declared.item)
    return inferred.item ? relate(m, m.types[declared.item], m.types[inferred.item]) : Relation::LessPrecise;
  Relation result = Relation::Equal;
  const auto weaken = [&](Relation r) { result = std::max(result, r); };
  if (declared.element != DType::Unknown && declared.element != inferred.element)
    weaken(inferred.element == DType::Unknown ? Relation::LessPrecise : Relation::Different);
  if (!declared.hasRank)
    return result;
  if (!inferred.hasRank)
    return std::max(result, Relation::LessPrecise);
  if (declared.dims.size() != inferred.dims.size())
    return Relation::Different;
  for (std::size_t i = 0; i < declared.dims.size(); ++i) {
    const auto was = m.dims.asConstant(declared.dims[i]), is = m.dims.asConstant(inferred.dims[i]);
    if (was && is && *was != *is)
      weaken(Relation::Different);
    else if (was && !is)
      weaken(Relation::LessPrecise);
  }
  return result;
}

/// Without what the file records, inference alone yields the declared outputs,
/// or something less precise where sizes depend on data.
TEST(OnnxBackend, InferenceAloneYieldsTheDeclaredOutputs) {
  SKIP_WITHOUT_MODELS();
  std::size_t counts[3] = {};
  std::map<std::string, std::size_t> imprecise;
  for (const std::string &path : models()) {
    std::optional<Model> m = read(path);
    if (!m)
      continue;
    std::vector<TypeId> declared;
    for (ValueId v : m->results(m->main()))
      declared.push_back((*m)[v].origin == ValueOrigin::Result ? (*m)[v].recorded : TypeId());
    for (std::uint32_t v = 0; v < m->valueCount(); ++v)
      if ((*m)[ValueId(v)].origin == ValueOrigin::Result)
        (*m)[ValueId(v)].recorded = TypeId();
    const Inference found = inferTypes(*m);
    EXPECT_TRUE(found.invalid.empty() && found.untyped.empty()) << path << describe(*m, found);

    Relation worst = Relation::Equal;
    const auto results = m->results(m->main());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Relation r = relate(*m, m->types[declared[i]], m->type(results[i]));
      EXPECT_NE(r, Relation::Different) << path << ": " << m->name(results[i]) << " is declared "
                                        << spellType(*m, m->types[declared[i]]) << ", but inferred "
                                        << spellType(*m, m->type(results[i]));
      worst = std::max(worst, r);
    }
    ++counts[static_cast<std::size_t>(worst)];
    if (worst == Relation::LessPrecise)
      ++imprecise[fs::path(path).parent_path().filename().string()];
  }
  std::cout << fmt::format("of {} models {} yield the declared outputs, {} something less precise, {} something else\n",
                           models().size(), counts[0], counts[1], counts[2]);
  if (std::getenv("CONDLINT_VERBOSE"))
    for (const auto &[name, count] : imprecise)
      std::cout << "  less precise: " << name << '\n';
}

/// The goal of coverage: every operator of the models has a definition that types it.
TEST(OnnxBackend, EveryOperatorHasADefinition) {
  SKIP_WITHOUT_MODELS();
  std::set<std::string> names, undefined;
  for (const std::string &path : models()) {
    std::optional<Model> m = read(path);
    if (!m)
      continue;
    resolveOperators(*m);
    std::set<std::string> functions;
    for (std::uint32_t f = 0; f < m->functionCount(); ++f)
      functions.insert(std::string(m->text((*m)[FunctionId(f)].domain)) +
                       "::" + std::string(m->text((*m)[FunctionId(f)].name)));
    for (std::uint32_t o = 0; o < m->operatorCount(); ++o) {
      const Operator &op = (*m)[OperatorId(o)];
      if (functions.contains(std::string(m->text(op.domain)) + "::" + std::string(m->text(op.name))))
        continue;
      names.insert(m->operatorName(OperatorId(o)));
      if (!op.definition)
        undefined.insert(m->operatorName(OperatorId(o)));
    }
  }
  EXPECT_GE(names.size(), 205u);
  for (const std::string &name : undefined)
    ADD_FAILURE() << name << " has no definition";
}

} // namespace
