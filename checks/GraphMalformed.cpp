//===- GraphMalformed.cpp - The file is what its format says --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/ExternalNumbers.h"
#include "facts/LoggedShape.h"
#include "graph/GraphsInside.h"
#include "graph/OnnxDomain.h"
#include "graph/Returned.h"
#include "ops/DoubtfulSize.h"
#include "ops/OnnxOpset.h"
#include "ops/UndeclaredTypes.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <vector>

namespace condlint {

namespace {

/// ONNX Runtime has \p op in ONNX's own domain, where the standard has none of this
/// version: its fusions leave such nodes in the models that it saves.
bool isOfRuntime(const Model &m, const Operator &op) {
  struct Row {
    std::string_view name;
    std::int32_t standardSince; ///< the first version of the standard's; 0: there is none
  };
  static constexpr std::array<Row, 9> rows{{{"SimplifiedLayerNormalization", 0},
                                            {"LayerNormalization", 17},
                                            {"MeanVarianceNormalization", 9},
                                            {"ThresholdedRelu", 10},
                                            {"DisentangledAttention_TRT", 0},
                                            {"EfficientNMS_TRT", 0},
                                            {"MultilevelCropAndResize_TRT", 0},
                                            {"PyramidROIAlign_TRT", 0},
                                            {"MemcpyToHost", 0}}};
  const auto row = std::ranges::find(rows, m.text(op.name), &Row::name);
  return m.text(op.domain).empty() && row != rows.end() && (row->standardSince == 0 || op.version < row->standardSince);
}

/// ONNX Runtime does not look at the data of an initializer of the main graph that nothing reads, nor for its name. It
/// takes the types of inputs, outputs and initializers from where these stand, and no word of value_info
/// on them; of what value_info declares twice it takes the last, which is held against the operator, and of an
/// initializer or constant with data in two fields the raw data, or that of its type. An input that is an initializer
/// as well is compared with it.
bool isUnread(const Model &m, const FormatIssue &issue) {
  if (m.info.dialect != Dialect::Onnx || !issue.value)
    return false;
  const Value &x = m[issue.value];
  return x.origin != ValueOrigin::Parameter || !x.constant;
}

void reportIssue(RuleContext &ctx, const FormatIssue &issue) {
  if (issue.node && ctx.target.system == System::OnnxRuntime && isOfRuntime(ctx.m, ctx.m[ctx.m[issue.node].op]))
    return;
  Draft d;
  switch (issue.kind) {
  case FormatIssue::Kind::Malformed:
    d.variant = isUnread(ctx.m, issue) ? "inside" : "";
    break;
  case FormatIssue::Kind::MalformedNote:
    d.variant = "harmless";
    break;
  case FormatIssue::Kind::MalformedWarning:
    d.variant = ctx.m.info.dialect == Dialect::Onnx ? "passes-ort" : "decompositions";
    break;
  case FormatIssue::Kind::MalformedOrt:
    d.variant = "ort";
    break;
  case FormatIssue::Kind::MalformedChecker:
    d.variant = "checker";
    break;
  case FormatIssue::Kind::MalformedOnnx:
    d.variant = "onnx";
    break;
  default:
    return; // value-undefined, nesting
  }
  d.node = issue.node;
  d.graph = issue.node ? GraphId() : issue.graph;
  d.conditional = issue.graph ? ctx.facts.nearestConditional(issue.graph) : NodeId();
  d.message = issue.place.empty() ? issue.message : fmt::format("{} ({})", issue.message, issue.place);
  ctx.report(std::move(d));
}

/// What is recorded falsely of a conditional's result, of a branch's result
/// (ONNX) or of a branch's parameter has a rule of its own.
bool isBoundary(const RuleContext &ctx, ValueId v) {
  const Model &m = ctx.m;
  const Value &x = m[v];
  if (x.def && ctx.facts.conditional[x.def.index()])
    return true;
  const NodeId owner = x.graph ? m[x.graph].owner : NodeId();
  if (!owner || !ctx.facts.conditional[owner.index()])
    return false;
  if (x.origin == ValueOrigin::Parameter)
    return true;
  return !ctx.isTorch() && isReturned(m, x.graph, v);
}

/// ONNX's checker asks for the types of what goes into a model and comes out of it, with
/// a shape, whose sizes may all be open. Runtimes find out themselves.
void checkInterface(RuleContext &ctx) {
  const Model &m = ctx.m;
  const GraphId g = m.main();
  if (!g || m.info.format != Format::Onnx)
    return;
  const auto check = [&](ValueId v, std::string_view what) {
    // What is not defined in this graph is not what the file says it is.
    if (!v || m[v].origin == ValueOrigin::Undefined || m[v].graph != g)
      return;
    const Type &t = m.types[m[v].recorded];
    const bool typed = m[v].recorded.valid();
    if (typed && (!t.isTensor() || t.hasRank))
      return;
    // One that is declared twice, with two ranks, is reported as that.
    if (std::ranges::find(m.issues, v, &FormatIssue::value) != m.issues.end())
      return;
    Draft d;
    d.graph = g;
    d.variant = "checker";
    d.message = fmt::format("the model's {} {} has no {}", what, spellValue(m, v), typed ? "shape" : "type");
    d.help = typed ? "give it a shape; its sizes may be left open" : "give it a type with an element type and a shape";
    ctx.report(std::move(d));
  };
  for (std::uint32_t i = 0; i < m[g].parameters.count; ++i)
    if (m[ValueId(m[g].parameters.first + i)].recorded) // without a type nobody can load it
      check(ValueId(m[g].parameters.first + i), "input");
  for (ValueId v : m.results(g))
    check(v, "output");
}

/// The version of \p domain that is imported, of several the last; nothing where none is.
template <class List> std::optional<std::int64_t> importOf(const List &imports, std::string_view domain) {
  std::optional<std::int64_t> last;
  for (const auto &[name, version] : imports)
    if (plainDomain(name) == plainDomain(domain))
      last = version;
  return last;
}

/// Two versions of one domain: onnx.proto binds nodes to the highest, onnx's checker and ONNX Runtime to the last, and
/// TensorRT's parser to the first. Of "" and "ai.onnx", which are one, onnx's checker knows the first alone.
void checkImportedTwice(RuleContext &ctx) {
  const auto &imports = ctx.m.info.opsets;
  for (std::size_t i = 0; i < imports.size(); ++i) {
    const auto &[domain, version] = imports[i];
    const std::int64_t last = *importOf(imports, domain);
    if (version == last)
      continue;
    const auto sameName = std::find_if(imports.rbegin(), imports.rend(), [&](const auto &x) {
      return x.first == (plainDomain(domain).empty() ? "" : domain);
    });
    const bool disputed = sameName != imports.rend() && sameName->second != last;
    Draft d;
    d.graph = ctx.m.main();
    d.variant = "harmless";
    d.message = fmt::format(
        "the model imports version {} and version {} of {}: {}", version, last,
        plainDomain(domain).empty() ? "ONNX's operators" : fmt::format("the operators of '{}'", domain),
        disputed
            ? fmt::format("onnx's checker takes {} and ONNX Runtime {}, and condlint does not judge operators that "
                          "are not the same in both",
                          sameName->second, last)
            : fmt::format("condlint takes {}, as onnx's checker and ONNX Runtime do", last));
    d.help = "import each domain once: others take the first import, or the highest version";
    return ctx.report(std::move(d));
  }
}

/// ONNX Runtime refuses a version of a domain of its own that it does not know, whether a node is of it or not.
void checkVersion(RuleContext &ctx, std::string_view domain, std::int64_t version) {
  const bool isUnknown = domain.empty() && version > 0 && !onnxSinceVersion("", "If", version);
  const auto newest = ctx.target.system == System::OnnxRuntime ? onnxRuntimeNewest(domain) : std::nullopt;
  const bool isRefused = newest && version > *newest;
  if (!isUnknown && !isRefused)
    return;
  Draft d;
  d.graph = ctx.m.main();
  d.variant = isRefused ? "" : "harmless";
  d.message = fmt::format("the model imports version {} of {}, {}", version,
                          domain.empty() ? "ONNX's operators" : fmt::format("the domain '{}'", domain),
                          isRefused ? fmt::format("but ONNX Runtime 1.32 takes none newer than {}", *newest)
                                    : "which condlint does not know: its nodes are not held against their schemas");
  ctx.report(std::move(d));
}

/// What the versions that the model names say of it: before IR version 3 it imports nothing, and of operators that are
/// newer than condlint's table of schemas nothing is known.
void checkVersions(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.format != Format::Onnx)
    return;
  checkImportedTwice(ctx);
  // onnx 1.23 and ONNX Runtime 1.32 refuse what they do not know.
  constexpr std::int64_t newestIr = 14;
  if (m.info.irVersion > newestIr) {
    const bool isRefused = ctx.target.system != System::TensorRT;
    Draft d;
    d.graph = m.main();
    d.variant = isRefused ? "" : "harmless";
    d.message = fmt::format("the model is of IR version {}; the newest that onnx 1.23 and ONNX Runtime 1.32 know is "
                            "{}{}",
                            m.info.irVersion, newestIr, isRefused ? ": they refuse newer ones" : "");
    d.help = "write an older IR version: what the operators mean is of the versions that are imported";
    ctx.report(std::move(d));
  }
  if (m.main() && m.text(m[m.main()].name).empty()) {
    Draft d;
    d.graph = m.main();
    d.variant = "checker";
    d.message = "the main graph has no name, which ONNX demands";
    d.help = "give it one";
    ctx.report(std::move(d));
  }
  constexpr std::int64_t importsSince = 3;
  if (m.info.irVersion > 0 && m.info.irVersion < importsSince && !m.info.opsets.empty()) {
    Draft d;
    d.graph = m.main();
    d.variant = "checker";
    d.message = fmt::format("the model is of IR version {} and imports operators, which is possible from version {} on",
                            m.info.irVersion, importsSince);
    d.help = "leave opset_import out, or write a newer IR version";
    ctx.report(std::move(d));
  }
  for (const auto &[domain, version] : m.info.opsets)
    checkVersion(ctx, plainDomain(domain), version);
}

/// Operators of domains that the model does not import: where it imports any other, ONNX Runtime adds its own domains.
void checkImported(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.format != Format::Onnx || m.info.opsets.empty())
    return;
  std::vector<std::size_t> nodes(m.operatorCount(), 0);
  std::vector<NodeId> first(m.operatorCount());
  std::vector<bool> imported(m.operatorCount());
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o) {
    const Operator &op = m[OperatorId(o)];
    imported[o] = op.version <= 0 || importOf(m.info.opsets, m.text(op.domain));
  }
  if (std::ranges::find(imported, false) == imported.end())
    return;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    if (imported[m[n].op.index()] || isInFunction(m, m[n].graph))
      continue;
    if (nodes[m[n].op.index()]++ == 0)
      first[m[n].op.index()] = n;
  }
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o) {
    if (nodes[o] == 0)
      continue;
    const Operator &op = m[OperatorId(o)];
    Draft d;
    d.node = first[o];
    d.conditional = ctx.facts.nearestConditional(m[first[o]].graph);
    d.variant = "passes-ort";
    d.message =
        fmt::format("operator '{}' is of the domain '{}', which the model does not import{}{}", m.text(op.name),
                    op.domain && !m.text(op.domain).empty() ? m.text(op.domain) : longOnnxDomain,
                    ctx.target.system == System::OnnxRuntime
                        ? fmt::format(": ONNX Runtime takes the newest version that it knows, {} in 1.32", op.version)
                        : std::string(),
                    nodes[o] == 1 ? std::string() : fmt::format(" (and {} more such nodes)", nodes[o] - 1));
    d.help = "import the domain, in the version that the nodes are written for";
    ctx.report(std::move(d));
  }
}

/// The values that a node of the main graph reads or that it returns: ONNX Runtime knows their names before it comes to
/// the initializers.
std::vector<bool> knownToMain(const Model &m) {
  std::vector<bool> known(m.valueCount(), false);
  const auto add = [&](std::span<const ValueId> list) {
    for (const ValueId v : list)
      if (v)
        known[v.index()] = true;
  };
  for (NodeId n = m[m.main()].firstNode; n; n = m[n].next)
    add(m.operands(n));
  add(m.results(m.main()));
  return known;
}

/// Before IR version 4 an initializer is the default of an input of its graph. One that is sparse never is, since an
/// input is dense. ONNX Runtime asks for it inside of nodes, and of what it does not know otherwise.
void checkFreeInitializers(RuleContext &ctx) {
  const Model &m = ctx.m;
  constexpr std::int64_t freeSince = 4;
  if (m.info.format != Format::Onnx || m.info.irVersion <= 0 || m.info.irVersion >= freeSince)
    return;
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    const GraphId g(i);
    std::vector<ValueId> free;
    for (std::uint32_t k = 0; k < m[g].constants.count; ++k)
      if (const ValueId v(m[g].constants.first + k);
          m[v].constant && !m[m[v].constant].sparse && !m.text(m[v].name).empty())
        free.push_back(v);
    if (free.empty())
      continue;
    auto fatal = free.begin();
    if (g == m.main())
      fatal = std::ranges::find_if_not(free, [known = knownToMain(m)](ValueId v) { return known[v.index()]; });
    Draft d;
    d.graph = g;
    d.conditional = ctx.facts.nearestConditional(g);
    d.variant = fatal == free.end() ? "checker" : "";
    d.message = fmt::format("the initializer {} is not among the graph's inputs, as IR version {} demands{}",
                            spellValue(m, fatal == free.end() ? free.front() : *fatal), m.info.irVersion,
                            free.size() == 1 ? std::string() : fmt::format(" (and {} more)", free.size() - 1));
    d.help = "make it an input as well, or write IR version 4";
    ctx.report(std::move(d));
  }
}

/// An input is a dense tensor, and onnx's full check takes a sparse initializer for one of a sparse type, whatever is
/// declared; ONNX Runtime stores it densely.
void checkSparseDefaults(RuleContext &ctx) {
  const Model &m = ctx.m;
  const GraphId g = m.main();
  if (!g || m.info.format != Format::Onnx)
    return;
  for (std::uint32_t i = 0; i < m[g].parameters.count; ++i) {
    const ValueId v(m[g].parameters.first + i);
    if (!m[v].constant || !m[m[v].constant].sparse || m.types[m[v].recorded].layout == Layout::SparseCoo)
      continue;
    Draft d;
    d.graph = g;
    d.variant = "checker";
    d.message =
        fmt::format("the input {} is declared as a dense tensor, but its initializer is sparse", spellValue(m, v));
    d.help = "store the initializer densely, or take it from the inputs";
    ctx.report(std::move(d));
  }
}

/// Shapes and axes in a file of their own: for both inference refuses the model as it is, and one cause is one finding.
void checkExternalNumbers(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (ctx.target.system != System::Onnx && ctx.target.system != System::OnnxRuntime)
    return;
  std::vector<ExternalNumbers> all = externalNumbers(m);
  std::erase_if(all, [&](const ExternalNumbers &e) {
    return ctx.facts.replaced[m[e.node].graph.index()] || (e.isOutside && ctx.target.system == System::Onnx);
  });
  if (all.empty())
    return;
  Draft d;
  d.node = all[0].node;
  d.conditional = ctx.facts.nearestConditional(m[all[0].node].graph);
  d.message =
      fmt::format("{} is given {}, which lies in a file of its own: type inference must read it, and refuses to{}",
                  m.operatorName(m[all[0].node].op), spellValue(m, all[0].value),
                  all.size() == 1 ? std::string() : fmt::format(" (and {} more)", all.size() - 1));
  d.help = "store shapes, axes and other small tensors inside the model (a size threshold when saving)";
  ctx.report(std::move(d));
}

using Imports = std::vector<std::pair<std::string_view, std::int64_t>>;

Imports importsOf(const Model &m, const Function &function) {
  Imports imports;
  const auto domains = m.stringsIn(function.opsetDomains);
  for (std::size_t i = 0; i < domains.size() && i < function.opsetVersions.size(); ++i)
    imports.emplace_back(m.text(domains[i]), function.opsetVersions[i]);
  return imports;
}

/// The versions of the operators of one node, where the function that holds it and the model import two.
struct TwoVersions {
  std::int64_t inside, outside;
};
std::optional<TwoVersions> twoVersions(const Model &m, const Imports &imports, NodeId n) {
  const Operator &op = m[m[n].op];
  const std::string_view domain = m.text(op.domain), name = m.text(op.name);
  const auto inside = importOf(imports, domain), outside = importOf(m.info.opsets, domain);
  if (!inside || !outside || inside == outside)
    return std::nullopt;
  const auto here = onnxSinceVersion(domain, name, *inside), there = onnxSinceVersion(domain, name, *outside);
  if (!here || !there || here == there)
    return std::nullopt;
  return TwoVersions{*inside, *outside};
}

/// ONNX's checker admits functions that import another version than the model only where their operators
/// are the same in both; it does not look into the graphs of their nodes.
void checkOwnNodes(RuleContext &ctx, const Function &function, const Imports &imports) {
  const Model &m = ctx.m;
  for (NodeId n = m[function.body].firstNode; n; n = m[n].next) {
    const auto versions = twoVersions(m, imports, n);
    if (!versions)
      continue;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.conditional[n.index()] ? n : NodeId();
    d.variant = "checker";
    d.message = fmt::format("the function '{}' imports version {} of the operators and the model version {}, and {} is "
                            "not the same in both",
                            m.text(function.name), versions->inside, versions->outside, m.text(m[m[n].op].name));
    d.help = "convert the function to the version that the model imports";
    return ctx.report(std::move(d)); // one cause
  }
}

/// ONNX Runtime puts the nodes of a function in the place of its call, and holds them against the operators of the
/// model's version, whatever version the function imports. A Constant is an initializer by then.
void checkInnerNodes(RuleContext &ctx, const Function &function, const Imports &imports) {
  Model &m = ctx.m;
  bool isTold = false; // one cause
  const auto check = [&](NodeId n, GraphId g) {
    const auto versions = twoVersions(m, imports, n);
    const auto misfit =
        versions && m.operatorName(m[n].op) != "Constant" ? onnxMisfit(m, n, versions->outside) : std::nullopt;
    if (!misfit)
      return;
    isTold = true;
    Draft d;
    d.node = n;
    d.conditional = ctx.facts.nearestConditional(g);
    d.variant = "ort";
    d.message =
        fmt::format("the function '{}' imports version {} of the operators, but ONNX Runtime reads its nodes by the "
                    "model's version {}: {}",
                    m.text(function.name), versions->inside, versions->outside, *misfit);
    d.help = "convert the function to the version that the model imports";
    ctx.report(std::move(d));
  };
  forEachGraphInside(m, std::span(&function.body, 1), [&](GraphId g) {
    for (NodeId n = m[g].firstNode; n && !isTold; n = m[n].next)
      check(n, g);
  });
}

void checkFunctionImports(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.dialect != Dialect::Onnx || m.info.opsets.empty())
    return;
  for (std::uint32_t f = 0; f < m.functionCount(); ++f) {
    const Function &function = m[FunctionId(f)];
    if (!function.body)
      continue;
    const Imports imports = importsOf(m, function);
    checkOwnNodes(ctx, function, imports);
    checkInnerNodes(ctx, function, imports);
  }
}

/// The body of an ONNX Loop, Scan or SequenceMap, or a graph in one.
bool isInLoop(const Model &m, GraphId g) {
  for (; g; g = m[g].parent)
    if (const NodeId owner = m[g].owner; owner && nodeHas(m, owner, OpTrait::Loop))
      return true;
  return false;
}

/// What onnx's checker finds of records, asked for once where there is one to ask for.
class CheckerRecords {
public:
  /// It finds nothing wrong in the graph \p g.
  bool passes(Model &m, GraphId g) {
    if (!found)
      found = contradictedForChecker(m);
    return std::ranges::none_of(*found, [&](ValueId v) { return m[v].graph == g; });
  }

private:
  std::optional<std::vector<ValueId>> found;
};

/// Nothing else is recorded falsely of \p v than one facet.
bool isAlone(const RuleContext &ctx, ValueId v) {
  const auto found = ctx.facts.contradictions.find(v);
  return found == ctx.facts.contradictions.end() || found->second.size() == 1;
}

/// A size that only a guard can make what the file says.
void doubtSizes(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (std::uint32_t i = 0; m.info.format == Format::Pt2 && i < m.valueCount(); ++i)
    if (const ValueId v(i); hasDoubtfulSize(m, v))
      return ctx.unknown(
          fmt::format("a size that the file records of {} is another for some of those that it declares, "
                      "which a guard may exclude",
                      spellValue(m, v)));
}

} // namespace

void checkGraphMalformed(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const FormatIssue &issue : m.issues)
    reportIssue(ctx, issue);
  checkInterface(ctx);
  checkVersions(ctx);
  checkImported(ctx);
  checkFreeInitializers(ctx);
  checkSparseDefaults(ctx);
  checkExternalNumbers(ctx);
  checkFunctionImports(ctx);
  doubtSizes(ctx);
  CheckerRecords checker;
  for (std::size_t i = 0; i < ctx.analysis.inference.contradictions.size(); ++i) {
    const Contradiction &c = ctx.analysis.inference.contradictions[i];
    const Value &x = m[c.value];
    if (const auto all = ctx.facts.contradictions.find(c.value);
        all != ctx.facts.contradictions.end() && all->second.front() != i)
      continue; // told with the first
    if (isBoundary(ctx, c.value) || (x.graph && ctx.facts.replaced[x.graph.index()]))
      continue;
    // What is declared twice is told as that where nobody takes one of the two.
    if (m.info.format == Format::Onnx && ctx.target.system != System::OnnxRuntime &&
        std::ranges::find(m.issues, c.value, &FormatIssue::value) != m.issues.end())
      continue;
    Draft d;
    d.node = x.def;
    d.graph = x.def ? GraphId() : x.graph;
    d.conditional = x.graph ? ctx.facts.nearestConditional(x.graph) : NodeId();
    const FalseRecord record = spellFalseRecord(ctx, c.value);
    d.message =
        fmt::format("the file records the {} for {}, but {} {}", record.recorded, spellValue(m, c.value),
                    x.def ? m.operatorName(m[x.def].op) + " yields" : "all that reads it takes", record.inferred);
    // torch makes every tensor of a file at offset 0, and reads none that is recorded.
    if (c.facet == "storage offset" && isAlone(ctx, c.value))
      d.variant = "decompositions";
    const bool isShape = m.info.dialect == Dialect::Onnx && record.shapeAlone;
    if (isShape)
      d.variant = isOnlyLogged(m, c.value, x.graph) && !sayFollowUp(ctx, c.value, d) ? "inside-shape" : "shape";
    // In a loop's body the checker takes a size by one name where it is computed as another, too. What the model
    // promises of its outputs is held against what it yields, whoever asks.
    if (isShape && ctx.target.system == System::Onnx && !isModelOutput(m, c.value) &&
        ((isInLoop(m, x.graph) && !shapesDiffer(m, m.types[x.recorded], m.type(c.value))) ||
         checker.passes(ctx.m, x.graph)))
      d.variant = "unseen-shape";
    d.help = "the metadata and the operators of this file do not belong together: export it again";
    ctx.report(std::move(d));
  }
}

} // namespace condlint
