//===- OperatorType.cpp - Every operator is given what it admits ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/ConditionalsAround.h"
#include "facts/ConstantValues.h"
#include "facts/ExternalNumbers.h"
#include "facts/LoggedShape.h"
#include "facts/RuntimeOperators.h"
#include "facts/TakenTogether.h"
#include "facts/TargetLimits.h"
#include "graph/OnnxDomain.h"
#include "ops/Loading.h"
#include "ops/OnnxOpset.h"
#include "ops/TorchNames.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace condlint {

namespace {

/// The graph \p g is in a branch that never comes where the conditionals around it are on one flag.
bool isNeverReached(const RuleContext &ctx, GraphId g) {
  return anyConditionalAround(ctx.m, g, [&](const Conditional &around, std::size_t in) {
    const auto side = sideWithin(ctx.m, ctx.analysis.aliases, around);
    return side && side->isCertain && side->branch && *side->branch != in;
  });
}

/// Nodes of one conditional, or of none, that exceed one limit: one finding at the first.
struct Exceeded {
  NodeId first;
  TargetLimit limit;
  std::size_t others = 0;
};

/// What the target alone refuses, of nodes with which nothing else is wrong.
void checkTarget(RuleContext &ctx) {
  const Model &m = ctx.m;
  std::vector<bool> limited(m.operatorCount(), false);
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
    limited[o] = mayExceedTarget(m, OperatorId(o), ctx.target.system);
  if (std::ranges::find(limited, true) == limited.end())
    return;
  std::vector<bool> isInvalid(m.nodeCount(), false);
  for (const InvalidOperand &i : ctx.analysis.inference.invalid)
    isInvalid[i.node.index()] = true;
  std::map<std::pair<std::uint32_t, std::string>, Exceeded> found;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (!limited[m[n].op.index()] || isInvalid[i] || ctx.facts.replaced[m[n].graph.index()])
      continue;
    std::optional<TargetLimit> limit = exceededLimit(m, n, ctx.target.system);
    if (!limit || (limit->isOfNumbers && (ctx.isNeverTaken(m[n].graph) || isNeverReached(ctx, m[n].graph))))
      continue;
    const NodeId owner = ctx.facts.nearestConditional(m[n].graph);
    const auto [at, isNew] = found.try_emplace({owner ? owner.index() + 1 : 0, limit->message}, Exceeded{n, *limit});
    at->second.others += isNew ? 0 : 1;
  }
  for (const auto &[key, e] : found) {
    Draft d;
    d.node = e.first;
    d.conditional = ctx.facts.nearestConditional(m[e.first].graph);
    const std::string others = e.others == 0 ? "" : fmt::format(", and so do {} more", e.others);
    d.variant = e.limit.isRisk                       ? ctx.target.system == System::Onnx ? "full-check" : "runtime"
                : ctx.isNeverTaken(m[e.first].graph) ? "never-taken"
                                                     : "";
    d.message = fmt::format("{} ({}{})", e.limit.message, m.path(e.first), others);
    if (e.limit.operand) {
      const ValueId v = m.operands(e.first)[*e.limit.operand];
      d.related.push_back(relatedTo(m, v, fmt::format("{} is {}", spellValue(m, v), spellType(m, m.type(v)))));
    }
    ctx.report(std::move(d));
  }
}

/// An operator that no function of the model and no domain of ONNX Runtime holds: a converter has lost the function, or
/// a library brings it.
void checkUnregistered(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.target.system != System::OnnxRuntime || m.info.format != Format::Onnx)
    return;
  std::vector<bool> told(m.operatorCount(), false);
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const Operator &op = m[m[n].op];
    const bool isUnknown = isUnknownToRuntime(m.text(op.domain), m.text(op.name));
    const bool isOwn = op.definition || isDomainOfRuntime(m.text(op.domain));
    if (told[m[n].op.index()] || m[n].callee || op.version < 0 || (isOwn && !isUnknown) ||
        ctx.facts.replaced[m[n].graph.index()] || ctx.facts.uncalled[m[n].graph.index()])
      continue;
    told[m[n].op.index()] = true;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.nearestConditional(m[n].graph);
    d.variant = "runtime";
    d.message = fmt::format("{} is no operator of ONNX Runtime's, and the model has no function of that name ({}): it "
                            "loads only where a library brings the operator",
                            m.operatorName(m[n].op), m.path(n));
    d.help = "register the library of custom operators, or put the function back that the file has lost";
    ctx.report(std::move(d));
  }
}

/// By operator: ONNX Runtime knows it, in a version for which it has no kernel. Nodes of functions it reads by the
/// version that the model imports.
std::vector<bool> withoutKernels(const Model &m) {
  const auto isPlain = [](const auto &import) { return isOnnxDomain(import.first); };
  const auto own = std::ranges::find_if(m.info.opsets, isPlain);
  std::vector<bool> lacks(m.operatorCount(), false);
  for (std::uint32_t o = 0; own != m.info.opsets.end() && o < m.operatorCount(); ++o) {
    const Operator &op = m[OperatorId(o)];
    lacks[o] = op.version == own->second && m.text(op.domain).empty() && lacksKernel(m.text(op.name), op.version);
  }
  return lacks;
}

/// ONNX Runtime refuses a model as it loads where it finds no kernel. One version is imported: that is one cause.
void checkKernels(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.target.system != System::OnnxRuntime || m.info.format != Format::Onnx)
    return;
  std::vector<bool> lacks = withoutKernels(m);
  std::vector<NodeId> found; // the first of each operator
  for (std::uint32_t i = 0; std::ranges::find(lacks, true) != lacks.end() && i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (!lacks[m[n].op.index()] || m[n].callee || ctx.facts.replaced[m[n].graph.index()] ||
        ctx.facts.uncalled[m[n].graph.index()])
      continue;
    lacks[m[n].op.index()] = false;
    found.push_back(n);
  }
  if (found.empty())
    return;
  const auto isTaken = [&](NodeId n) { return !ctx.isNeverTaken(m[n].graph); };
  const auto taken = std::ranges::find_if(found, isTaken);
  Draft d;
  d.node = taken == found.end() ? found.front() : *taken;
  d.conditional = ctx.facts.nearestConditional(m[d.node].graph);
  d.variant = taken == found.end() ? "never-taken" : "";
  std::string others;
  for (const NodeId n : found)
    if (n != d.node)
      others += fmt::format("{}{}", others.empty() ? ", nor of " : ", ", m.operatorName(m[n].op));
  d.message = fmt::format("ONNX Runtime 1.32 has no kernel of {} in opset {} ({}){}", m.operatorName(m[d.node].op),
                          m[m[d.node].op].version, m.path(d.node), others);
  d.help = "convert the model to a version for which it has one, or write the operator as others";
  ctx.report(std::move(d));
}

/// A call of a model-local function that names fewer outputs than the function has: type inference, of onnx's checker
/// (full_check) and of ONNX Runtime as it loads, gives a type to an output that is not there, and refuses the model.
void checkOutputsOfCalls(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.target.system != System::Onnx && ctx.target.system != System::OnnxRuntime)
    return;
  for (std::uint32_t i = 0; m.functionCount() != 0 && i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const GraphId body = m[n].callee;
    if (!body || ctx.facts.replaced[m[n].graph.index()])
      continue;
    const auto yields = m.results(body);
    const std::size_t named = m.resultCount(n);
    const auto typed = [&](ValueId v) { return v && m.type(v).isTensor() && m.type(v).element != DType::Unknown; };
    if (named >= yields.size() || std::ranges::none_of(yields.subspan(named), typed))
      continue;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.nearestConditional(m[n].graph);
    d.message =
        fmt::format("{}: {} output(s) are named, but the function yields {}, and type inference does not find a "
                    "place for the rest ({})",
                    m.operatorName(m[n].op), named, yields.size(), m.path(n));
    d.help = "name all outputs; one that is not needed may have the empty name";
    ctx.report(std::move(d));
  }
}

/// Two shapes come to the node of \p i, of which TensorRT says so at the conditional itself: of two ranks always, of
/// sizes where it compares them.
bool hasOpenRank(const RuleContext &ctx, const InvalidOperand &i) {
  const Model &m = ctx.m;
  return ctx.tableSeverity("output-shape") == Severity::Error ||
         std::ranges::any_of(m.operands(i.node), [&](ValueId v) { return v && !m.type(v).hasRank; });
}

/// Some numbers that \p n is given stand outside of its graph: to onnx's own inference they are not there.
bool readsDataOutside(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  const std::string op = m.operatorName(m[n].op);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (const ValueId v = operands[i]; v && m[v].graph != m[n].graph && m[v].content && readsNumbers(op, i))
      return true;
  return false;
}

/// \p a is the way of its name to say the value of a Constant.
bool isOfItsKind(const Model &m, const Attribute &a) {
  using Kind = AttributeKind;
  constexpr std::array<std::pair<std::string_view, Kind>, 8> kinds{{{"value", Kind::Tensor},
                                                                    {"sparse_value", Kind::Tensor},
                                                                    {"value_float", Kind::Float},
                                                                    {"value_floats", Kind::Floats},
                                                                    {"value_int", Kind::Int},
                                                                    {"value_ints", Kind::Ints},
                                                                    {"value_string", Kind::String},
                                                                    {"value_strings", Kind::Strings}}};
  return std::ranges::find(kinds, std::pair(m.text(a.name), a.kind)) != kinds.end();
}

/// ONNX Runtime makes an initializer of the constant \p n, by its first attribute, before anybody looks at the rest:
/// inside of nodes not before the names of its attributes, and in functions not before the types, for which it may say
/// its value in one way only. Types of constants are inferred since version 9.
bool isSettledByRuntime(const Model &m, NodeId n) {
  if (m.operatorName(m[n].op) != "Constant" || m.attributes(n).empty() || !m.operands(n).empty() ||
      m.resultCount(n) != 1)
    return false;
  const auto attributes = m.attributes(n);
  const auto values =
      std::ranges::count_if(attributes, [&](const Attribute &a) { return saysConstant(m.text(a.name)); });
  const bool isFirst = isOfItsKind(m, attributes.front());
  if (isInFunction(m, m[n].graph)) {
    constexpr std::int32_t inferredSince = 9;
    const std::int32_t version = m[m[n].op].version;
    const bool isInferred = m.text(attributes.front().name) == "value" || version >= 12;
    return isFirst && values == 1 && (version < inferredSince || isInferred);
  }
  return values > 1 || (isFirst && m[n].graph == m.main());
}

/// A SequenceMap whose body declares other shapes of the items than it is passed, and nothing worse: ONNX Runtime makes
/// a loop of it, which takes what comes. Of a tensor that goes to each trip it compares them, and in functions all.
bool isShapeOfMapped(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  if (m.operatorName(m[n].op) != "SequenceMap" || isInFunction(m, m[n].graph) || m.regions(n).size() != 1 ||
      m[m.regions(n)[0]].parameters.count != operands.size())
    return false;
  const std::uint32_t first = m[m.regions(n)[0]].parameters.first;
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    const Type &given = operands[i] ? m.type(operands[i]) : Type();
    const Type &item = given.item ? m.types[given.item] : given;
    const Type &wanted = m.types[m[ValueId(first + i)].recorded];
    if (!item.isTensor() || !wanted.isTensor() || item.element != wanted.element ||
        (!given.item && shapesDiffer(m, wanted, given)))
      return false;
  }
  return true;
}

std::string spellFault(const Model &m, OperatorId o, NameFault fault) {
  const Operator &op = m[o];
  const std::string name = fmt::format("{}.{}", m.text(op.domain), m.text(op.name));
  switch (fault) {
  case NameFault::LeftOut:
    return fmt::format("{} is named without an overload", name);
  case NameFault::NoOverload:
    return fmt::format("there is no overload '{}' of {}", m.text(op.overload), name);
  case NameFault::OfLibrary:
    return fmt::format("{} is no operator of torch's: the file loads only where a library brings it", name);
  default:
    return fmt::format("'{}' is the name of no operator", m.operatorName(o));
  }
}

/// torch finds an operator by its name and overload when it loads a file, and refuses what it does not have.
void checkNames(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.format != Format::Pt2)
    return;
  std::vector<NodeId> first(m.operatorCount());
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
    if (const NodeId n(i); !first[m[n].op.index()])
      first[m[n].op.index()] = n;
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o) {
    const NodeId n = first[o];
    const NameFault fault = n ? faultOfName(m, OperatorId(o)) : NameFault::None;
    if (fault == NameFault::None)
      continue;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.nearestConditional(m[n].graph);
    d.variant = fault == NameFault::OfLibrary ? "library" : "";
    d.message = fmt::format("{} ({})", spellFault(m, OperatorId(o), fault), m.path(n));
    d.help = fault == NameFault::OfLibrary
                 ? "import the library before the file is loaded, or correct the name"
                 : "torch.export.load refuses the file: it looks the operator up by this name";
    ctx.report(std::move(d));
  }
}

/// Some size of \p t is not known.
bool isOpen(const Model &m, const Type &t) {
  return !t.hasRank || std::ranges::any_of(t.dims, [&](Dim d) { return !m.dims.asConstant(d); });
}

/// An input of the model with a default is whatever the caller gives, and its default in a run that gives nothing: what
/// a branch does with the default's numbers, or with its sizes where the input leaves them open, nobody looked at.
void doubtDefaults(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.format != Format::Onnx || !m.main())
    return;
  const Range inputs = m[m.main()].parameters;
  bool hasDefaults = false;
  for (std::uint32_t i = 0; i < inputs.count; ++i)
    hasDefaults = hasDefaults || isDefault(m, ValueId(inputs.first + i));
  for (std::uint32_t i = 0; hasDefaults && i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const auto operands = m.operands(n);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!operands[k] || !isDefault(m, operands[k]) || !ctx.facts.nearestConditional(m[n].graph))
        continue;
      const bool areNumbersRead = readsNumbers(m.operatorName(m[n].op), k);
      if (areNumbersRead || isOpen(m, m.type(operands[k])))
        return ctx.unknown(fmt::format("{} reads {}, whose default was not held against it: {} may be others in each "
                                       "run",
                                       m.path(n), spellValue(m, operands[k]),
                                       areNumbersRead ? "its numbers" : "its sizes"));
    }
  }
}

} // namespace

void checkOperatorType(RuleContext &ctx) {
  checkNames(ctx);
  checkTarget(ctx);
  checkUnregistered(ctx);
  checkKernels(ctx);
  checkOutputsOfCalls(ctx);
  doubtDefaults(ctx);
  const Model &m = ctx.m;
  if (ctx.analysis.inference.casesLeftOut)
    ctx.unknown("so many values hang on predicates that not each was held against both branches' types");
  for (const InvalidOperand &i : ctx.analysis.inference.invalid) {
    // A conditional's operands have rules of their own; and of what has a wrong name that is said.
    if (isRefused(faultOfName(m, m[i.node].op)) || ctx.facts.conditional[i.node.index()] ||
        ctx.facts.replaced[m[i.node].graph.index()])
      continue;
    if (ctx.isTensorRT() && !i.when.empty() && hasOpenRank(ctx, i))
      continue; // its parser refuses the conditional
    Draft d;
    if (i.when.empty() && ctx.isNeverTaken(m[i.node].graph))
      d.variant = isFoundWhenItRuns(m, i) ? "never-taken" : readsDataOutside(m, i.node) ? "never-taken-outside" : "";
    else if (i.when.empty() && isFoundWhenItRuns(m, i) && isNeverReached(ctx, m[i.node].graph))
      d.variant = "never-taken";
    if (ctx.target.system == System::OnnxRuntime && (isSettledByRuntime(m, i.node) || isShapeOfMapped(m, i.node)))
      d.variant = "passes-ort";
    d.node = i.node;
    d.conditional = ctx.facts.nearestConditional(m[i.node].graph);
    d.message = fmt::format("{} ({})", textOf(m, i), m.path(i.node));
    const auto operands = m.operands(i.node);
    if (i.operand && *i.operand < operands.size() && operands[*i.operand]) {
      const ValueId v = operands[*i.operand];
      d.related.push_back(relatedTo(m, v, fmt::format("{} is {}", spellValue(m, v), spellType(m, m.type(v)))));
    }
    ctx.report(std::move(d));
  }
}

} // namespace condlint
