//===- CheckModel.cpp - From a model to what its targets say of it --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Rule.h"
#include <algorithm>

namespace condlint {

namespace {

/// The versions for which the layers of a network are typed: those of the headers
/// that it was read with, or that of the current target. Targets do not see each other's.
class LayerVersions {
public:
  explicit LayerVersions(Model &model) : m(model) {
    for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
      asRead.push_back(m[OperatorId(o)].version);
  }

  void setFor(const Target &target) {
    // Headers without a version say nothing, and a target that names none no more.
    const bool known = target.versionGiven || !m.info.version.empty();
    for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
      m[OperatorId(o)].version =
          known ? static_cast<std::int32_t>(100 * target.version.major + target.version.minor) : asRead[o];
  }

private:
  Model &m;
  std::vector<std::int32_t> asRead;
};

/// Whether the layers of a network have the same types for both: a shape is int64
/// from TensorRT 10 on.
bool sameTypes(const Target &a, const Target &b) {
  const auto wide = [](const Target &t) { return t.version == Version{} || t.version.major >= 10; };
  return wide(a) == wide(b);
}

void checkTyped(Model &model, std::span<const Target> targets, const RuleOptions &options, ModelResult &out) {
  Analysis analysis(model);
  if (out.targets.empty())
    out.conditionals = analysis.conditionalCount;
  for (const auto &[name, count] : analysis.inference.untyped)
    out.untypedOperators[name] += count;
  for (const Target &target : targets)
    out.targets.push_back({target, check(analysis, target, options)});
}

} // namespace

ModelResult check(Model &model, std::span<const Target> targets, const RuleOptions &options) {
  ModelResult out;
  if (model.info.dialect != Dialect::TensorRT || targets.empty()) {
    checkTyped(model, targets, options, out);
    return out;
  }
  std::vector<Target> sorted(targets.begin(), targets.end());
  std::ranges::stable_partition(sorted, [&](const Target &t) { return sameTypes(t, targets.front()); });
  LayerVersions versions(model);
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sameTypes(sorted[begin], sorted[end]))
      ++end;
    versions.setFor(sorted[begin]);
    checkTyped(model, std::span<const Target>(sorted).subspan(begin, end - begin), options, out);
    begin = end;
  }
  return out;
}

} // namespace condlint
