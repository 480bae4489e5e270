//===- Samples.h - Small models to execute ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_EXECUTOR_SAMPLES_H
#define CONDLINT_TESTS_EXECUTOR_SAMPLES_H

#include "TestDevice.h"
#include "checks/RuleSamples.h"
#include "condlint/Executor.h"
#include "condlint/Op.h"
#include "condlint/Reader.h"
#include "ops/Convert.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {

inline Array array(const std::string &name, DType t, std::vector<std::int64_t> shape,
                   const std::vector<double> &values) {
  Array a;
  a.name = name;
  a.dtype = t;
  a.shape = std::move(shape);
  auto bytes = std::make_shared<std::string>(values.size() * elementBytes(t), '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    storeElement<double>(t, bytes->data(), static_cast<std::int64_t>(i), values[i]);
  a.bytes = *bytes;
  a.keepAlive = bytes;
  return a;
}
inline Array floats(const std::string &name, const std::vector<double> &values) {
  return array(name, DType::Float32, {static_cast<std::int64_t>(values.size())}, values);
}
inline Array truth(const std::string &name, bool value) { return array(name, DType::Bool, {}, {value ? 1.0 : 0.0}); }
inline Array whole(const std::string &name, std::int64_t value) {
  return array(name, DType::Int64, {}, {static_cast<double>(value)});
}

/// "float32[2]: 1, 2"; a sequence in parentheses.
inline std::string spelled(const Array &a) {
  std::vector<std::string> parts;
  if (a.kind != ValueKind::Tensor) {
    for (const Array &item : a.items)
      parts.push_back(spelled(item));
    return fmt::format("({})", fmt::join(parts, "; "));
  }
  for (std::int64_t i = 0; i < elementCount(a.shape).value_or(0); ++i)
    parts.push_back(fmt::format("{}", loadElement<double>(a.dtype, a.bytes.data(), i)));
  return fmt::format("{}[{}]: {}", dtypeName(a.dtype), fmt::join(a.shape, ", "), fmt::join(parts, ", "));
}

inline std::string_view nameOf(Observation::Kind kind) {
  constexpr std::string_view names[] = {"wrote-operand", "wrote-weight",      "shares-operand",       "shares-output",
                                        "false-record",  "false-declaration", "predicate-not-scalar", "not-repeatable"};
  return names[static_cast<std::size_t>(kind)];
}

/// A model in JSON, ready to run.
class Session {
public:
  explicit Session(const std::string &json, ExecutorOptions options = onTestDevice()) {
    auto read = readJson(FileBytes::copy(json), "test.json");
    if (!read) {
      ADD_FAILURE() << read.error().str() << "\n" << json;
      return;
    }
    models = std::move(*read);
    inferTypes(models.front());
    options.trace = [this](const TraceEntry &e) { ran.push_back(e.path); };
    auto made = Executor::create(models.front(), options, openConstants);
    if (!made) {
      error = made.error().str();
      return;
    }
    executor = std::move(*made);
  }

  /// The outputs, one a line of the result, or "error: …".
  std::string run(const std::vector<Array> &inputs) {
    if (!executor)
      return "error: " + error;
    ran.clear();
    auto bound = executor->bind(inputs);
    if (!bound)
      return "error: " + bound.error().str();
    auto results = executor->run(*bound);
    if (!results)
      return "error: " + results.error().str();
    std::string out;
    for (const RuntimeValue &v : *results)
      out += (out.empty() ? "" : "\n") + (v.present() ? spelled(*executor->toArray(v)) : "nothing");
    return out;
  }

  /// "what node-path" of what was observed.
  std::vector<std::string> observed() const {
    std::vector<std::string> out;
    for (const Observation &o : executor->observations())
      out.push_back(std::string(nameOf(o.kind)) + ' ' + models.front().path(o.node ? o.node : o.conditional));
    return out;
  }
  bool hasRun(const std::string &path) const { return std::find(ran.begin(), ran.end(), path) != ran.end(); }

  std::vector<Model> models;
  std::unique_ptr<Executor> executor;
  std::string error;
  std::vector<std::string> ran; ///< paths of the nodes that ran, in order
};

} // namespace condlint::test

#endif // CONDLINT_TESTS_EXECUTOR_SAMPLES_H
