//===- DrawConditional.cpp - From a model to a drawing --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DrawConditional.h"
#include "SideGraph.h"
#include "Slice.h"
#include "condlint/SourceGraph.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace condlint {

namespace {

using Kind = Drawing::Kind;
using Tone = Drawing::Tone;
using drawing::SideGraph;
using drawing::Vertex;

constexpr std::size_t mostInSlice = 40;
/// Findings stand at few places of one branch; of more the first are followed.
constexpr std::size_t mostNamed = 12;
constexpr std::size_t mostConditionals = 1000;

/// A name comes from the file and can be as long as that.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 160;
  if (text.size() <= most)
    return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80)
    --end;
  return std::string(text.substr(0, end)) + "…";
}

/// "aten.add.Tensor" is known to all as "add.Tensor".
std::string titleOf(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  std::string name = m.operatorName(m[n].op);
  if (op.dialect == Dialect::Torch && name.starts_with("aten."))
    name.erase(0, 5);
  return shortened(name);
}

/// What differs between \p a and \p b is known of both.
bool areKnownToDiffer(const Model &m, const Type &a, const Type &b) {
  if (a.kind == ValueKind::Unknown || b.kind == ValueKind::Unknown)
    return false;
  if (a.kind != b.kind)
    return true;
  if (a.kind != ValueKind::Tensor)
    return false;
  if (a.possible().disjoint(b.possible()) || (a.hasRank && b.hasRank && a.dims.size() != b.dims.size()))
    return true;
  if (a.hasRank && b.hasRank)
    for (std::size_t i = 0; i < a.dims.size(); ++i) {
      const auto x = m.dims.asConstant(a.dims[i]), y = m.dims.asConstant(b.dims[i]);
      if (x && y && *x != *y)
        return true;
    }
  return false;
}

/// Where findings stand, to ask of nodes whether it is there.
class NamedPlaces {
public:
  explicit NamedPlaces(const std::vector<const Finding *> &findings) {
    for (const Finding *f : findings) {
      add(f->graphPath, f->location);
      for (const Related &r : f->related)
        add(r.graphPath, r.location);
      if (f->output)
        outputs.insert(*f->output);
    }
  }

  std::set<std::size_t> outputs;

  /// The names of the nodes of a graph with the path \p path that findings stand at or in.
  std::unordered_set<std::string> namesIn(const std::string &path) const {
    std::unordered_set<std::string> out;
    for (const std::string &p : paths)
      if (p.size() > path.size() + 1 && p.starts_with(path) && p[path.size()] == '/') {
        // A name may hold slashes itself: whatever ends at one can be meant.
        const std::string rest = p.substr(path.size() + 1);
        for (std::size_t end = rest.find('/'); end != std::string::npos; end = rest.find('/', end + 1))
          out.insert(rest.substr(0, end));
        out.insert(rest);
      }
    return out;
  }

  bool holds(const SourceLocation &l) const { return l.valid() && lines.contains({l.path, l.line, l.column}); }

private:
  void add(const std::string &path, const SourceLocation &l) {
    if (!path.empty())
      paths.insert(path);
    // Of a line alone many nodes may come, in both branches; the path knows which it is.
    if (l.valid() && (l.column != 0 || path.empty()))
      lines.insert({l.path, l.line, l.column});
  }
  std::set<std::string> paths;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> lines;
};

class Drawer {
public:
  Drawer(const Model &model, const Conditional &conditional, const std::vector<const Finding *> &findings,
         const ConditionalSummary *summary, std::size_t boxes)
      : m(model), c(conditional), places(findings), mostBoxes(boxes) {
    if (summary != nullptr)
      for (const ConditionalSummary::Layer &l : summary->layers)
        layers[keyOf(l.name, l.location)].insert(l.when);
  }

  Drawing run() {
    Drawing d;
    d.path = m.path(c.node);
    d.op = titleOf(m, c.node);
    predicate(d);
    for (std::size_t b = 0; b < c.branches.size(); ++b)
      sides.push_back(drawing::sideGraph(m, c, b, [&](NodeId n) { return toneOf(n) == Tone::Shared; }));
    for (std::size_t b = 0; b < c.branches.size(); ++b)
      d.sides.push_back(draw(b));
    return d;
  }

private:
  static std::string keyOf(std::string_view name, const SourceLocation &l) {
    return fmt::format("{} {}", name, l.str());
  }

  /// When the layer \p n is evaluated, where every layer that is added there is evaluated so.
  Tone toneOf(NodeId n) const {
    if (layers.empty())
      return Tone::Plain;
    std::string_view name = m.text(m[m[n].op].name);
    name = name.substr(name.find('.') == std::string_view::npos ? 0 : name.find('.') + 1);
    const auto found = layers.find(keyOf(name, m.location(n)));
    if (found == layers.end() || found->second.size() != 1)
      return Tone::Plain;
    const ConditionalSummary::When when = *found->second.begin();
    return when == ConditionalSummary::When::Lazy    ? Tone::Lazy
           : when == ConditionalSummary::When::Eager ? Tone::Eager
                                                     : Tone::Shared;
  }

  void predicate(Drawing &d) const {
    switch (c.predicateKind) {
    case PredicateKind::Missing:
      d.predicate = "none";
      return;
    case PredicateKind::Value:
      d.predicate = shortened(m.name(c.predicate));
      d.predicateType = spellType(m, m.type(c.predicate));
      return;
    case PredicateKind::Literal:
      d.predicate = c.literal ? "true" : "false";
      return;
    case PredicateKind::Other:
      d.predicate = shortened(spellMisplaced(m, c.predicateInstead));
    }
  }

  std::string problemOf(const Branch &b) const {
    switch (b.problem) {
    case Branch::Problem::None:
      return {};
    case Branch::Problem::Absent:
      return "there is no such branch";
    case Branch::Problem::Misplaced:
      return shortened(spellMisplaced(m, b.instead)) + " stands in its place";
    case Branch::Problem::Reference:
      return "a call of the function around it says which graph it is";
    case Branch::Problem::Unreadable:
      return "it could not be read";
    }
    return {};
  }

  bool differs(std::size_t output) const {
    const Type *first = nullptr;
    for (const SideGraph &s : sides) {
      if (output >= s.outputs.size())
        return true;
      const ValueId v = s.vertices[s.outputs[output]].value;
      if (!v)
        return false;
      if (first != nullptr && areKnownToDiffer(m, *first, m.type(v)))
        return true;
      first = &m.type(v);
    }
    return false;
  }

  Drawing::Side draw(std::size_t b) {
    Drawing::Side out;
    out.name = shortened(c.branches[b].name);
    out.problem = problemOf(c.branches[b]);
    const SideGraph &g = sides[b];
    const std::unordered_set<std::string> names =
        c.branches[b].graph ? places.namesIn(m.path(c.branches[b].graph)) : std::unordered_set<std::string>();
    std::vector<bool> isNamed(g.vertices.size(), false);
    std::vector<std::uint32_t> named, outputs;
    for (std::uint32_t v = 0; v < g.vertices.size(); ++v)
      if (const NodeId n = g.vertices[v].node;
          n && named.size() < mostNamed &&
          (names.contains(std::string(m.text(m[n].name))) || places.holds(m.location(n)))) {
        isNamed[v] = true;
        named.push_back(v);
      }
    for (std::size_t i = 0; i < g.outputs.size(); ++i)
      if (differs(i) || places.outputs.contains(i)) {
        isNamed[g.outputs[i]] = places.outputs.contains(i);
        outputs.push_back(g.outputs[i]);
      }
    const std::vector<bool> slice = drawing::sliceOf(g, named, outputs, mostInSlice);
    const bool isWhole = g.vertices.size() <= mostBoxes;
    std::vector<std::uint32_t> place(g.vertices.size(), 0);
    for (std::uint32_t v = 0; v < g.vertices.size(); ++v) {
      if (!isWhole && !slice[v]) {
        out.leftOut += g.vertices[v].node ? 1U : 0U;
        continue;
      }
      place[v] = static_cast<std::uint32_t>(out.boxes.size());
      Drawing::Box box = boxOf(g.vertices[v]);
      box.isInSlice = slice[v];
      box.isNamed = isNamed[v];
      box.differs = box.kind == Kind::Output && differs(g.vertices[v].index);
      out.boxes.push_back(std::move(box));
    }
    for (const Drawing::Edge &e : g.edges) {
      if (isWhole || (slice[e.from] && slice[e.to]))
        out.edges.push_back({place[e.from], place[e.to]});
      else if (slice[e.to])
        ++out.boxes[place[e.to]].hiddenInputs;
    }
    return out;
  }

  /// How the file, or the source, calls \p n.
  std::string nameOf(NodeId n) const {
    const std::string_view name = m.text(m[n].name);
    if (!name.empty())
      return shortened(name);
    const std::string_view said = read(m, n, attr::name);
    return shortened(said.empty() ? read(m, n, attr::holder) : said);
  }

  Drawing::Box boxOf(const Vertex &v) const {
    Drawing::Box box;
    box.kind = v.kind;
    switch (v.kind) {
    case Kind::Operand:
      box.title = fmt::format("{} {}", c.dialect == Dialect::TensorRT ? "input" : "operand", v.index);
      break;
    case Kind::Capture:
      box.title = "capture";
      break;
    case Kind::Output:
      box.title = fmt::format("output {}", v.index);
      break;
    case Kind::Node:
    case Kind::Conditional:
      box.title = v.node ? titleOf(m, v.node) : "constant";
    }
    if (v.node) {
      box.name = nameOf(v.node);
      box.location = m.location(v.node);
      box.tone = toneOf(v.node);
      if (m.resultCount(v.node) != 0)
        box.type = shortened(spellType(m, m.type(m.result(v.node, 0))));
      if (const std::size_t n = m.resultCount(v.node); n > 1)
        box.type += fmt::format(" and {} more", n - 1);
      return box;
    }
    if (v.captured)
      box.name = shortened(m.text(v.captured));
    if (!v.value)
      return box;
    box.name = shortened(m.name(v.value));
    box.type = shortened(spellType(m, m.type(v.value)));
    if (const NodeId maker = m[v.value].origin == ValueOrigin::Result ? m[v.value].def : NodeId();
        maker && v.kind == Kind::Capture) {
      box.tone = toneOf(maker);
      box.location = m.location(maker);
      if (c.dialect == Dialect::TensorRT) {
        box.title = titleOf(m, maker);
        box.name = nameOf(maker);
      }
    }
    return box;
  }

  const Model &m;
  const Conditional &c;
  NamedPlaces places;
  std::map<std::string, std::set<ConditionalSummary::When>> layers;
  std::size_t mostBoxes;
  std::vector<SideGraph> sides;
};

std::size_t boxesOf(const Drawing &d) {
  std::size_t n = 0;
  for (const Drawing::Side &s : d.sides)
    n += s.boxes.size();
  return n;
}

} // namespace

Drawing drawConditional(const Model &m, const Conditional &c, const std::vector<const Finding *> &findings,
                        const ConditionalSummary *summary, std::size_t mostBoxes) {
  return Drawer(m, c, findings, summary, mostBoxes).run();
}

void drawInto(InputReport &report, const Model &m, const std::string &prefix) {
  const DrawingLimits &limits = report.drawing;
  if (limits.which == DrawingLimits::Which::None)
    return;
  std::unordered_map<std::string_view, std::vector<const Finding *>> spokenOf;
  for (const Finding &f : report.findings)
    spokenOf[f.conditional].push_back(&f);
  std::unordered_map<std::string_view, const ConditionalSummary *> summaries;
  for (const ConditionalSummary &s : report.summaries)
    summaries.try_emplace(s.path, &s);
  std::size_t left = limits.boxesInAll;
  std::unordered_set<std::string> drawn;
  for (const Drawing &d : report.drawings) {
    left -= std::min(left, boxesOf(d));
    drawn.insert(d.path);
  }
  struct Wanted {
    const Conditional *conditional;
    std::string path;
    Severity worst = Severity::Off;
  };
  const std::vector<Conditional> all = conditionals(m, true);
  std::vector<Wanted> wanted;
  for (const Conditional &c : all) {
    Wanted w{&c, prefix + m.path(c.node)};
    if (const auto found = spokenOf.find(w.path); found != spokenOf.end())
      for (const Finding *f : found->second)
        w.worst = std::max(w.worst, f->severity);
    const bool isWanted = w.worst != Severity::Off || limits.which == DrawingLimits::Which::All;
    if (isWanted && drawn.insert(w.path).second)
      wanted.push_back(std::move(w));
  }
  // Where there is no room for all, the worst are drawn.
  std::ranges::stable_sort(wanted, std::greater<>(), &Wanted::worst);
  for (const Wanted &w : wanted) {
    if (report.drawings.size() >= mostConditionals)
      return;
    const auto found = spokenOf.find(w.path);
    // What stands in the findings has the prefix, what the model knows has not.
    std::vector<Finding> own;
    std::vector<const Finding *> shown;
    if (found != spokenOf.end())
      for (const Finding *f : found->second) {
        own.push_back(*f);
        for (std::string *p : {&own.back().graphPath, &own.back().conditional})
          p->erase(0, p->starts_with(prefix) ? prefix.size() : 0);
        for (Related &r : own.back().related)
          r.graphPath.erase(0, r.graphPath.starts_with(prefix) ? prefix.size() : 0);
      }
    for (const Finding &f : own)
      shown.push_back(&f);
    const auto summary = summaries.find(w.path);
    Drawing d = drawConditional(m, *w.conditional, shown, summary != summaries.end() ? summary->second : nullptr,
                                std::min(left, limits.boxesASide));
    d.path = w.path;
    left -= std::min(left, boxesOf(d));
    report.drawings.push_back(std::move(d));
  }
}

} // namespace condlint
