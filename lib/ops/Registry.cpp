//===- Registry.cpp - Operators by their names ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "DeclaredOperators.h"
#include "Families.h"
#include "OnnxOpset.h"
#include <algorithm>
#include <array>
#include <string>

namespace condlint {

namespace {

using FamilyFunction = OpFamily (*)();

constexpr std::array families{
    assemblyFamily,       attentionFamily,     classicalMlFamily,   contribFamily,     controlFlowFamily,
    convolutionFamily,    creationFamily,      elementwiseFamily,   gradientsFamily,   imageFamily,
    indexingFamily,       indexListsFamily,    linearAlgebraFamily, linearSolveFamily, lossFamily,
    matrixProductFamily,  normalizationFamily, optionalFamily,      poolingFamily,     quantizationFamily,
    randomFamily,         recurrentFamily,     reductionFamily,     resizeFamily,      sequenceFamily,
    shapeFamily,          signalFamily,        sortingFamily,       statisticsFamily,  stringFamily,
    symbolicScalarFamily, trainingFamily,      viewFamily,          cxxSourceFamily,   tensorrtFamily,
};

/// All bindings of one system, by name and first version.
class BindingTable {
public:
  explicit BindingTable(std::span<const OpBinding> OpFamily::*system) {
    std::size_t count = 0;
    for (FamilyFunction family : families)
      count += (family().*system).size();
    rows.reserve(count);
    for (FamilyFunction family : families) {
      const OpFamily rowsOf = family();
      for (const OpBinding &b : rowsOf.*system)
        rows.push_back(&b);
    }
    std::ranges::sort(rows, [](const OpBinding *a, const OpBinding *b) {
      return a->name != b->name ? a->name < b->name : a->since < b->since;
    });
  }

  /// The definition of \p name at \p version; the newest for a version that is
  /// not known.
  const OpDef *find(std::string_view name, std::int32_t version) const {
    auto [first, last] = std::ranges::equal_range(rows, name, {}, &OpBinding::name);
    const OpDef *found = nullptr;
    for (; first != last; ++first)
      if (version <= 0 || ((*first)->since <= version && version <= (*first)->until))
        found = (*first)->definition;
    return found;
  }

private:
  std::vector<const OpBinding *> rows;
};

const BindingTable &torchBindings() {
  static const BindingTable table(&OpFamily::torch);
  return table;
}
const BindingTable &onnxBindings() {
  static const BindingTable table(&OpFamily::onnx);
  return table;
}
const BindingTable &tensorrtBindings() {
  static const BindingTable table(&OpFamily::tensorrt);
  return table;
}

} // namespace

void resolveOperator(Model &m, OperatorId o) {
  Operator &op = m[o];
  const std::string_view domain = m.text(op.domain);
  const std::string_view name = m.text(op.name);
  const OpDef *const said = isDeclared(op.definition) ? op.definition : nullptr;
  switch (op.dialect) {
  case Dialect::Torch:
    op.definition = torchBindings().find(std::string(domain) + '.' + std::string(name), 0);
    op.effects = findAtenEffects(domain, name, m.text(op.overload));
    break;
  case Dialect::Onnx:
    op.definition = op.version == disputedVersion ? nullptr
                    : domain.empty() ? onnxBindings().find(name, op.version)
                                     : onnxBindings().find(std::string(domain) + "::" + std::string(name), op.version);
    break;
  case Dialect::TensorRT:
    op.definition = domain.empty() ? tensorrtBindings().find(name, 0)
                                   : torchBindings().find(std::string(domain) + '.' + std::string(name), 0);
    break;
  }
  if (!op.definition)
    op.definition = said;
}

void resolveOperators(Model &m) {
  for (std::uint32_t i = 0; i < m.operatorCount(); ++i)
    resolveOperator(m, OperatorId(i));
}

bool nodeHas(const Model &m, NodeId n, OpTrait t) {
  const OpDef *d = m[m[n].op].definition;
  return d && has(d->traits, t);
}

} // namespace condlint
