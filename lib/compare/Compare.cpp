//===- Compare.cpp - Two versions of one model ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "Matching.h"
#include "RunTwice.h"
#include "condlint/Rule.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_set>

namespace condlint {

namespace {

using compare::Expressions;
using compare::Known;

constexpr ChangeKind kinds[] = {
    {"broken", "a conditional breaks a rule that it did not break before"},
    {"capture-lost", "a branch reads a value that is not there any more"},
    {"dtype", "outputs have another element type; an error where the branches agreed and do not any more"},
    {"folded", "one branch stands in the conditional's place, since its predicate is a constant"},
    {"function-lost", "a function of the model is called and not there any more"},
    {"inverted", "the predicate is negated, and the branches stand where they stood"},
    {"merged", "two conditionals became one"},
    {"output", "what the model returns is another value"},
    {"outputs", "the conditional returns another number of values"},
    {"overwritten", "both branches compute what one of them did"},
    {"predicate", "the predicate has another type"},
    {"signature", "the model has other inputs or outputs"},
    {"swapped", "each branch stands in the other's place, and the predicate is what it was"},
    {"vanished", "nothing of the conditional is left"},
};

/// What decides a value.
enum class Depends : std::uint8_t { OnNothing, OnSizes, OnData };

/// For each value of a model what decides it, found once in the order of the nodes.
class Deciders {
public:
  explicit Deciders(const Model &model) : m(model), of(model.valueCount(), Depends::OnData) {
    for (std::uint32_t v = 0; v < m.valueCount(); ++v)
      if (m[ValueId(v)].origin == ValueOrigin::Constant || isNumber(ValueId(v)))
        of[v] = Depends::OnNothing;
    // Twice: what a branch gives back is known after its nodes.
    for (unsigned pass = 0; pass < 2; ++pass)
      for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
        decide(NodeId(n));
  }

  Depends operator()(ValueId v) const { return v ? of[v.index()] : Depends::OnNothing; }

private:
  bool isNumber(ValueId v) const {
    const Value &x = m[v];
    if (!x.content)
      return false;
    return std::ranges::all_of(m.content(x.content), [&](Dim d) { return m.dims.asConstant(d).has_value(); });
  }

  void decide(NodeId n) {
    const std::string_view name = m.text(m[m[n].op].name);
    const bool isSize = name == "Shape" || name == "Size" || name.starts_with("sym_size");
    Depends worst = Depends::OnNothing;
    for (const ValueId v : m.operands(n)) {
      if (!v)
        continue;
      Depends d = of[v.index()];
      if (isSize) {
        const Type &t = m.type(v);
        const bool isFixed =
            t.hasRank && std::ranges::all_of(t.dims, [&](Dim x) { return m.dims.asConstant(x).has_value(); });
        d = isFixed ? Depends::OnNothing : Depends::OnSizes;
      }
      worst = std::max(worst, d);
    }
    if (!m.regions(n).empty() || name.starts_with("Random") || name == "Bernoulli" || name == "Multinomial")
      worst = Depends::OnData;
    for (std::size_t i = 0; i < m.resultCount(n); ++i) {
      Depends &d = of[m.result(n, i).index()];
      if (d != Depends::OnNothing || !isNumber(m.result(n, i)))
        d = isNumber(m.result(n, i)) ? Depends::OnNothing : worst;
    }
  }

  const Model &m;
  std::vector<Depends> of;
};

/// The rule and the sentence of \p f without names, places, numbers and element types: whatever a tool may change of
/// it.
std::string skeletonOf(const Finding &f) {
  std::string out = f.rule;
  unsigned depth = 0;
  bool isName = false;
  std::string word;
  for (const char c : f.message + ' ') {
    isName = isName != (c == '\'');
    depth += c == '(' || c == '[' ? 1 : 0;
    if (c != ' ') {
      word += isName || depth > 0 || c == '\'' ? '/' : c;
    } else {
      const bool isPlain = word.find_first_of("/_.0123456789") == std::string::npos;
      while (!word.empty() && (word.back() == ',' || word.back() == ':' || word.back() == ';'))
        word.pop_back();
      if (isPlain && !word.empty() && !dtypeByName(word))
        out += ' ' + word;
      word.clear();
    }
    depth -= (c == ')' || c == ']') && depth > 0 ? 1 : 0;
  }
  return out;
}

class Comparer {
public:
  Comparer(Model &before, Model &after, const ComparisonOptions &options)
      : old(before), now(after), o(options), oldValues(before), nowValues(after, compare::prefixOf(before, after)) {}

  Comparison run() {
    const std::vector<Finding> before = errorsOf(old), after = errorsOf(now); // which types them
    a = compare::knownConditionals(old, oldValues);
    b = compare::knownConditionals(now, nowValues);
    result.before = a.size();
    result.after = b.size();
    captures();
    breaks(before, after);
    signatures();
    functions();
    pairs = compare::match(a, b);
    for (const auto &[i, k] : pairs) {
      result.pairs.emplace_back(a[i].path, b[k].path);
      changesOf(a[i], b[k]);
    }
    std::vector<bool> isThere(a.size(), false);
    for (const auto &[i, k] : pairs)
      isThere[i] = true;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!isThere[i])
        gone(i);
    if (o.run)
      compare::runTwice(old, now, nowValues, counterparts(), o, result);
    std::ranges::stable_sort(result.changes, std::greater<>(), &Change::severity);
    return std::move(result);
  }

private:
  void say(std::string_view kind, Severity s, const Known *before, const Known *after, std::string message) {
    result.changes.push_back({std::string(kind), s, before != nullptr ? before->path : "",
                              after != nullptr ? after->path : "", std::move(message)});
  }

  // --- What a branch reads -----------------------------------------------------

  /// The names that branches read and nothing defines, each with the innermost conditional around it.
  static std::set<std::pair<std::string, std::string>> undefinedIn(const Model &m, const Expressions &e) {
    std::set<std::pair<std::string, std::string>> out;
    const auto note = [&](ValueId v, GraphId g) {
      if (v && g && m[g].owner && m[v].origin == ValueOrigin::Undefined && isConditional(m, m[g].owner))
        out.emplace(m.path(m[g].owner), e.plainName(m.name(v)));
    };
    for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
      for (const ValueId v : m.operands(NodeId(n)))
        note(v, m[NodeId(n)].graph);
    for (std::uint32_t g = 0; g < m.graphCount(); ++g)
      for (const ValueId v : m.results(GraphId(g)))
        note(v, GraphId(g));
    return out;
  }

  void captures() {
    std::set<std::string> known;
    for (const auto &[path, name] : undefinedIn(old, oldValues))
      known.insert(name);
    for (const auto &[path, name] : undefinedIn(now, nowValues)) {
      if (known.contains(name))
        continue;
      losesCaptures.insert(path);
      const auto at = std::ranges::find(b, path, &Known::path);
      say("capture-lost", Severity::Error, nullptr, at == b.end() ? nullptr : &*at,
          fmt::format("a branch reads '{}', which nothing defines any more", name));
    }
  }

  // --- What breaks a rule now ------------------------------------------------

  std::vector<Finding> errorsOf(Model &m) const {
    std::vector<Target> targets = o.targets;
    if (targets.empty())
      targets.push_back(defaultTarget(m));
    std::vector<Finding> out;
    ModelResult found = check(m, targets, {});
    for (ModelResult::Of &of : found.targets)
      for (Finding &f : of.result.findings)
        if (f.severity == Severity::Error)
          out.push_back(std::move(f));
    return out;
  }

  void breaks(const std::vector<Finding> &before, const std::vector<Finding> &after) {
    std::multiset<std::string> known;
    for (const Finding &f : before)
      known.insert(skeletonOf(f));
    // By how many there are of a kind: a tool renames what they are about.
    std::multiset<std::string> met;
    for (const Finding &f : after) {
      const std::string kind = skeletonOf(f);
      met.insert(kind);
      if (met.count(kind) <= known.count(kind))
        continue;
      if (f.rule == "value-undefined" && losesCaptures.contains(f.conditional))
        continue; // said already
      const auto at = std::ranges::find(b, f.conditional, &Known::path);
      say("broken", Severity::Error, nullptr, at == b.end() ? nullptr : &*at,
          fmt::format("{} [{}]", f.message, f.rule));
    }
  }

  // --- The model as a whole -----------------------------------------------------

  struct Port {
    std::string name;
    const Type *type;
  };

  static std::vector<Port> portsOf(const Model &m, const Expressions &e, bool isInput) {
    std::vector<Port> out;
    if (!m.main())
      return out;
    const Range parameters = m[m.main()].parameters;
    if (isInput)
      for (std::uint32_t i = 0; i < parameters.count; ++i)
        out.push_back({e.plainName(m.name(ValueId(parameters.first + i))), &m.type(ValueId(parameters.first + i))});
    else
      for (const ValueId v : m.results(m.main()))
        if (v)
          out.push_back({e.plainName(m.name(v)), &m.type(v)});
    return out;
  }

  void signatures() {
    for (const bool isInput : {true, false}) {
      const std::string_view noun = isInput ? "input" : "output";
      const std::vector<Port> x = portsOf(old, oldValues, isInput), y = portsOf(now, nowValues, isInput);
      for (const Port &p : x) {
        const auto same = std::ranges::find(y, p.name, &Port::name);
        if (same == y.end()) {
          say("signature", Severity::Note, nullptr, nullptr,
              fmt::format("the {} '{}' is not there any more", noun, p.name));
          continue;
        }
        if (p.type->isTensor() && same->type->isTensor() && p.type->possible().disjoint(same->type->possible()))
          say("signature", Severity::Note, nullptr, nullptr,
              fmt::format("the {} '{}' was {} and is {}", noun, p.name, spellType(old, *p.type),
                          spellType(now, *same->type)));
      }
      for (const Port &p : y)
        if (std::ranges::find(x, p.name, &Port::name) == x.end())
          say("signature", Severity::Note, nullptr, nullptr, fmt::format("there is a new {} '{}'", noun, p.name));
    }
  }

  std::set<std::string> functionsOf(const Model &m, const Expressions &e) const {
    std::set<std::string> out;
    for (std::uint32_t f = 0; f < m.functionCount(); ++f)
      out.insert(fmt::format("{}.{}", m.text(m[FunctionId(f)].domain), e.plainName(m.text(m[FunctionId(f)].name))));
    return out;
  }

  void functions() {
    if (old.info.format == Format::Cxx || now.info.format == Format::Cxx)
      return;
    const std::set<std::string> was = functionsOf(old, oldValues), is = functionsOf(now, nowValues);
    std::set<std::string> told;
    for (std::uint32_t n = 0; n < now.nodeCount(); ++n) {
      const Operator &op = now[now[NodeId(n)].op];
      const std::string name = fmt::format("{}.{}", now.text(op.domain), nowValues.plainName(now.text(op.name)));
      if (now[NodeId(n)].callee || is.contains(name) || !was.contains(name) || !told.insert(name).second)
        continue;
      say("function-lost", Severity::Error, nullptr, nullptr,
          fmt::format("'{}' is called, and the function '{}' is not there any more", now.path(NodeId(n)), name));
    }
  }

  // --- A conditional that is there in both -----------------------------------

  void changesOf(const Known &x, const Known &y) {
    if (x.branches.size() == 2 && y.branches.size() == 2)
      contents(x, y);
    predicate(x, y);
    outputs(x, y);
  }

  void contents(const Known &x, const Known &y) {
    const bool areTold = x.branches[0] != 0 && x.branches[1] != 0 && x.branches[0] != x.branches[1];
    if (!areTold || y.branches[0] == 0 || y.branches[1] == 0)
      return;
    const std::string_view first = x.conditional.branches[0].name, second = x.conditional.branches[1].name;
    if (y.branches[0] == y.branches[1]) {
      for (std::size_t i = 0; i < 2; ++i)
        if (y.branches[0] == x.branches[i])
          say("overwritten", isConstant(x) ? Severity::Warning : Severity::Error, &x, &y,
              fmt::format("both branches compute what '{}' computed before: '{}' is lost{}", i == 0 ? first : second,
                          i == 0 ? second : first,
                          isConstant(x) ? ", though as the predicate is a constant one alone runs" : ""));
      return;
    }
    const bool isSwapped = y.branches[0] == x.branches[1] && y.branches[1] == x.branches[0];
    const bool isKept = y.branches[0] == x.branches[0] && y.branches[1] == x.branches[1];
    const bool isSamePredicate = x.predicate != 0 && x.predicate == y.predicate;
    const bool isNegated = (y.negated != 0 && y.negated == x.predicate) || (x.negated != 0 && x.negated == y.predicate);
    if (isSwapped && isSamePredicate)
      say("swapped", Severity::Error, &x, &y,
          fmt::format(
              "'{}' computes what '{}' computed before, and the other way round, though the predicate is the same",
              first, second));
    if (isKept && isNegated && !isSamePredicate)
      say("inverted", Severity::Error, &x, &y,
          "the predicate is negated, though the branches stand where they stood: each runs when the other should");
  }

  bool isConstant(const Known &x) {
    const Conditional &c = x.conditional;
    return c.predicateKind == PredicateKind::Literal ||
           (c.predicateKind == PredicateKind::Value && dependsOn(c.predicate) == Depends::OnNothing);
  }

  Depends dependsOn(ValueId v) {
    if (!deciders)
      deciders.emplace(old);
    return (*deciders)(v);
  }

  void predicate(const Known &x, const Known &y) {
    const Conditional &p = x.conditional, &q = y.conditional;
    if (p.predicateKind != PredicateKind::Value || q.predicateKind != PredicateKind::Value)
      return;
    const Type &s = old.type(p.predicate), &t = now.type(q.predicate);
    if (s.isTensor() && t.isTensor() && s.possible().disjoint(t.possible()))
      say("predicate", t.possible().contains(DType::Bool) ? Severity::Note : Severity::Error, &x, &y,
          fmt::format("the predicate was {} and is {}", spellType(old, s), spellType(now, t)));
  }

  void outputs(const Known &x, const Known &y) {
    if (x.outputs != y.outputs) {
      // An output that nobody reads may go, in both branches alike.
      const bool isBalanced = y.outputs.size() == 2 && y.outputs[0] == y.outputs[1];
      say("outputs", isBalanced ? Severity::Note : Severity::Error, &x, &y,
          fmt::format("it returned {} and returns {}", counts(x), counts(y)));
      return;
    }
    for (std::size_t i = 0; i < *std::ranges::min_element(x.outputs); ++i)
      dtype(x, y, i);
  }

  static std::string counts(const Known &k) {
    const bool isOne = k.outputs.size() == 2 && k.outputs[0] == k.outputs[1];
    return isOne ? fmt::format("{} value{}", k.outputs[0], k.outputs[0] == 1 ? "" : "s")
                 : fmt::format("{} values from one branch and {} from the other", k.outputs.empty() ? 0 : k.outputs[0],
                               k.outputs.size() < 2 ? 0 : k.outputs[1]);
  }

  void dtype(const Known &x, const Known &y, std::size_t i) {
    std::vector<DType> was, is;
    for (std::size_t s = 0; s < 2; ++s) {
      const ValueId v = old.results(x.conditional.branches[s].graph)[i],
                    w = now.results(y.conditional.branches[s].graph)[i];
      was.push_back(v ? old.type(v).element : DType::Unknown);
      is.push_back(w ? now.type(w).element : DType::Unknown);
    }
    if (std::ranges::find(was, DType::Unknown) != was.end() || std::ranges::find(is, DType::Unknown) != is.end() ||
        was == is)
      return;
    const bool isSplit = was[0] == was[1] && is[0] != is[1];
    say("dtype", isSplit ? Severity::Error : Severity::Note, &x, &y,
        isSplit ? fmt::format("output {} was {} from both branches, and is {} from '{}' and {} from '{}'", i,
                              dtypeName(was[0]), dtypeName(is[0]), y.conditional.branches[0].name, dtypeName(is[1]),
                              y.conditional.branches[1].name)
                : fmt::format("output {} was {} and is {}", i, dtypeName(was[0]), dtypeName(is[0])));
  }

  /// Those of which it is known that the same decides them, each time it runs.
  std::vector<compare::Counterparts> counterparts() {
    std::vector<compare::Counterparts> out;
    for (const auto &[i, k] : pairs) {
      const Known &x = a[i], &y = b[k];
      if (x.predicate == 0 || y.predicate == 0 || x.branches.size() != 2 || y.branches.size() != 2 || isConstant(x))
        continue;
      const bool isSame = x.predicate == y.predicate;
      if (isSame || y.negated == x.predicate || x.negated == y.predicate)
        out.push_back({x.conditional.node, y.conditional.node, !isSame});
    }
    return out;
  }

  // --- A conditional that is gone ---------------------------------------------

  void gone(std::size_t i) {
    const Known &x = a[i];
    const Conditional &c = x.conditional;
    // It may be one with another that is there.
    for (const auto &[other, k] : pairs) {
      const Known &y = a[other];
      if (x.predicate == 0 || x.predicate != y.predicate || x.branches.empty() || x.branches[0] == 0 ||
          x.branches != y.branches)
        continue;
      say("merged", Severity::Note, &x, &b[k],
          fmt::format("it computed what '{}' computes, and is one with it", y.path));
      return;
    }
    if (c.predicateKind == PredicateKind::Literal || c.predicateKind != PredicateKind::Value) {
      say("folded", Severity::Note, &x, nullptr, "its predicate was a constant, and a branch stands in its place");
      return;
    }
    if (x.branches.size() == 2 && x.branches[0] != 0 && x.branches[0] == x.branches[1]) {
      say("folded", Severity::Note, &x, nullptr, "both branches computed the same, which stands in its place");
      return;
    }
    if (!isNeeded(i)) {
      say("vanished", Severity::Note, &x, nullptr, "nothing that the model still returns needs it");
      return;
    }
    // What is inside of a branch that was folded away went with it.
    for (GraphId g = old[c.node].graph; g && old[g].owner; g = old[old[g].owner].graph)
      if (isConditional(old, old[g].owner)) {
        const Conditional outer = conditionalAt(old, old[g].owner);
        const bool wasPaired =
            std::ranges::any_of(pairs, [&](const auto &p) { return a[p.first].conditional.node == outer.node; });
        if (!wasPaired) {
          say("vanished", Severity::Note, &x, nullptr,
              fmt::format("it went with '{}', in which it was", old.path(outer.node)));
          return;
        }
      }
    switch (dependsOn(c.predicate)) {
    case Depends::OnNothing:
      say("folded", Severity::Note, &x, nullptr, "its predicate was a constant, and a branch stands in its place");
      return;
    case Depends::OnSizes:
      say("folded", Severity::Warning, &x, nullptr,
          "its predicate hung on sizes that may change, and it is not there any more: the model holds for some sizes "
          "alone");
      return;
    case Depends::OnData:
      say("vanished", isSelection(x) ? Severity::Note : Severity::Error, &x, nullptr,
          isSelection(x)
              ? "a selection of two values (`Where`) stands in its place"
              : fmt::format("its predicate '{}' hangs on the model's inputs, and nothing decides in its place",
                            old.name(c.predicate)));
    }
  }

  /// Something of \p x is made by a selection now.
  bool isSelection(const Known &x) const {
    for (std::uint32_t n = 0; n < now.nodeCount(); ++n) {
      const std::string_view name = now.text(now[now[NodeId(n)].op].name);
      if (name != "Where" && name != "where")
        continue;
      for (std::size_t r = 0; r < now.resultCount(NodeId(n)); ++r)
        if (std::ranges::find(x.results, nowValues.plainName(now.name(now.result(NodeId(n), r)))) != x.results.end())
          return true;
    }
    return false;
  }

  /// Whether what the new version returns hangs on the conditional \p i, as the old one computes it, and not only
  /// through what is given to the new one from outside.
  bool isNeeded(std::size_t i) {
    if (!needed) {
      needed.emplace();
      std::unordered_set<std::string> given;
      if (now.main())
        for (const Port &p : portsOf(now, nowValues, true))
          given.insert(p.name);
      std::unordered_set<std::string> wanted;
      for (const Port &p : portsOf(now, nowValues, false))
        wanted.insert(p.name);
      std::vector<ValueId> stack;
      std::vector<bool> met(old.valueCount(), false);
      bool isAnyFound = false;
      for (std::uint32_t v = 0; v < old.valueCount(); ++v)
        if (old[ValueId(v)].graph == old.main() && wanted.contains(std::string(old.name(ValueId(v))))) {
          stack.emplace_back(v);
          isAnyFound = true;
        }
      if (!isAnyFound && old.main()) // the outputs have other names
        for (const ValueId v : old.results(old.main()))
          stack.push_back(v);
      while (!stack.empty()) {
        const ValueId v = stack.back();
        stack.pop_back();
        if (!v || met[v.index()])
          continue;
        met[v.index()] = true;
        if (old[v].origin != ValueOrigin::Result ||
            (old[v].graph == old.main() && given.contains(std::string(old.name(v)))))
          continue;
        take(old[v].def, stack);
      }
    }
    return needed->contains(a[i].conditional.node) || old[a[i].conditional.node].graph != old.main();
  }

  void take(NodeId n, std::vector<ValueId> &stack) {
    std::vector<NodeId> nodes{n};
    while (!nodes.empty()) {
      const NodeId k = nodes.back();
      nodes.pop_back();
      if (!needed->insert(k).second)
        continue;
      for (const ValueId v : old.operands(k))
        stack.push_back(v);
      for (const GraphId g : old.regions(k))
        if (g) {
          for (const ValueId v : old.results(g))
            stack.push_back(v);
          for (const NodeId inner : old.nodes(g))
            nodes.push_back(inner);
        }
    }
  }

  Model &old, &now;
  const ComparisonOptions &o;
  Expressions oldValues, nowValues;
  std::vector<Known> a, b;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::set<std::string> losesCaptures; ///< paths of conditionals of the new version
  std::optional<Deciders> deciders;
  std::optional<std::unordered_set<NodeId>> needed;
  Comparison result;
};

} // namespace

std::span<const ChangeKind> changeKinds() { return kinds; }

Comparison compareModels(Model &before, Model &after, const ComparisonOptions &options) {
  return Comparer(before, after, options).run();
}

} // namespace condlint
