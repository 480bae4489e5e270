//===- ProgramReader.cpp - An ExportedProgram to a model --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include <algorithm>
#include <charconv>
#include <limits>

namespace condlint::pt2 {

namespace {

/// The first of \p symbols that is open and gives some tensor a size: torch makes the tensors of a
/// file when it loads it, and cannot make one of a size of which it knows no range. \p alone: it is the size itself,
/// not a part of an expression, whose symbols torch takes as they come.
std::optional<std::string> firstOpenSize(const Model &m, const std::vector<std::string> &symbols, bool alone) {
  if (symbols.empty())
    return std::nullopt;
  for (std::uint32_t t = 0; t < m.types.size(); ++t)
    for (Dim d : m.types[TypeId(t)].dims)
      if (alone) {
        const auto symbol = d.known() ? m.dims.asSymbol(d) : std::nullopt;
        if (symbol && std::ranges::find(symbols, symbol->name) != symbols.end())
          return std::string(symbol->name);
      } else
        for (const Symbol &s : d.known() ? m.dims.symbolsOf(d) : std::vector<Symbol>())
          if (std::ranges::find(symbols, s.name) != symbols.end())
            return std::string(s.name);
  return std::nullopt;
}

} // namespace

void ProgramReader::read() {
  if (!c.is(JsonKind::Object)) {
    unexpected("an ExportedProgram, which is an object");
    c.finish();
    return;
  }
  // A node takes some hundred tokens, its metadata included. Memory that is not
  // touched costs nothing.
  m.reserve(c.tokens() / 100, c.tokens() / 100, c.tokens() / 50, c.tokens() / 50);
  bool hasModule = false;
  bool hasSchema = false;
  bool hasTorch = false;
  bool hasRanges = false;
  bool hasOpsets = false;
  fields([&](std::string_view key) {
    hasModule |= key == "graph_module";
    hasSchema |= key == "schema_version";
    hasTorch |= key == "torch_version";
    hasRanges |= key == "range_constraints";
    hasOpsets |= key == "opset_version";
    program(key);
  });
  c.finish();
  if (c.failed())
    return;
  if (!hasModule)
    malformed("the program has no 'graph_module'");
  if (!hasSchema)
    malformed("the program has no 'schema_version'");
  if (!hasOpsets)
    malformed("the program has no 'opset_version'");
  if (!hasRanges)
    malformed("the program has no 'range_constraints'");
  if (!hasTorch) {
    // The schema's own default, for writers before there was the field.
    m.info.producer = "torch <=2.4";
    m.info.version = "2.4";
  }
  judgeUnknownKinds();
  constexpr std::int64_t offsetsAreSymbolic = 5;
  if (plainOffset && m.info.schemaMajor >= offsetsAreSymbolic)
    list(std::move(*plainOffset));
  applyBounds();
  std::vector<std::string> open, undeclared;
  for (const auto &[symbol, facts] : symbols)
    if (std::none_of(ranges.begin(), ranges.end(), [&](const auto &r) { return r.first == symbol; }))
      (facts.origin == SymbolOrigin::Unbacked ? open : undeclared).push_back(symbol);
  if (!hasRanges || rangesAreLost || m.info.schemaMajor < 8)
    return; // how older versions took it is not known
  if (const auto symbol = firstOpenSize(m, open, false)) {
    const At at(*this, "range_constraints");
    malformed(fmt::format("no range is given for '{}', which is the size of a tensor", *symbol));
  } else if (const auto declared = firstOpenSize(m, undeclared, true)) {
    const At at(*this, "range_constraints");
    issue(FormatIssue::Kind::MalformedWarning,
          fmt::format("no range is given for '{}', which is the size of a tensor: the program loads and runs, and "
                      "run_decompositions refuses it",
                      *declared));
  }
}

void ProgramReader::judgeUnknownKinds() {
  // The minor version of torch 2.14 and 2.15.
  constexpr std::int64_t newestMinor = 20;
  if (m.info.schemaMajor < 8 || (m.info.schemaMajor == 8 && m.info.schemaMinor <= newestMinor))
    return;
  for (std::size_t i : unknownKinds) {
    m.issues[i].kind = FormatIssue::Kind::MalformedNote;
    m.issues[i].message += " that condlint knows; a later schema may have it";
  }
}

void ProgramReader::program(std::string_view key) {
  if (key == "graph_module")
    graphModule();
  else if (key == "opset_version")
    opsets();
  else if (key == "range_constraints")
    rangeConstraints();
  else if (key == "schema_version")
    schemaVersion();
  else if (key == "torch_version")
    torchVersion();
  else
    c.skip();
}

void ProgramReader::graphModule() {
  if (!c.is(JsonKind::Object))
    return unexpected("a graph module, which is an object");
  bool hasGraph = false;
  bool hasSignature = false;
  bool hasCalls = false;
  std::optional<std::uint32_t> early;
  const auto readSignature = [&] {
    hasSignature = true;
    if (!m.main())
      return c.skip();
    currentGraph = m.main();
    signature();
    currentGraph = GraphId();
  };
  fields([&](std::string_view key) {
    if (key == "graph" && !hasGraph) {
      hasGraph = true;
      const GraphId g = graph(GraphId());
      if (!g)
        return;
      m[g].name = m[g].role = m.strings.intern("main");
      m.setMain(g);
    } else if (key == "signature" && !hasGraph) {
      early = c.position();
      c.skip();
    } else if (key == "signature" && !hasSignature) {
      readSignature();
    } else if (key == "module_call_graph" && !hasCalls) {
      hasCalls = true;
      moduleCalls();
    } else {
      c.skip();
    }
  });
  if (early && !hasSignature && !c.failed()) {
    const std::uint32_t back = c.position();
    const At at(*this, "signature");
    c.seek(*early);
    readSignature();
    c.seek(back);
  }
  if (!hasGraph)
    malformed("the graph module has no 'graph'");
  if (!hasSignature && !early)
    malformed("the graph module has no 'signature'");
  if (!hasCalls)
    malformed("the graph module has no 'module_call_graph'");
  checkCall();
}

void ProgramReader::schemaVersion() {
  bool isRead = true;
  const auto number = [&](std::string_view what) {
    const auto n = integer(what);
    isRead = isRead && n;
    return n.value_or(0);
  };
  // Before schema 4 the version was one number.
  if (c.is(JsonKind::Number)) {
    m.info.schemaMajor = number("a schema version");
  } else if (c.is(JsonKind::Object)) {
    bool hasMajor = false;
    fields([&](std::string_view key) {
      if (key == "major") {
        hasMajor = true;
        m.info.schemaMajor = number("the schema's major version");
      } else if (key == "minor") {
        m.info.schemaMinor = number("the schema's minor version");
      } else {
        c.skip();
      }
    });
    if (!hasMajor)
      malformed("the schema version has no 'major'");
    isRead = isRead && hasMajor;
  } else {
    return unexpected("a schema version");
  }
  if (!isRead)
    return;
  // torch compares the major version alone, and lets 0.0 pass.
  const bool zero = m.info.schemaMajor == 0 && m.info.schemaMinor == 0;
  if ((m.info.schemaMajor < 5 || m.info.schemaMajor > 8) && !zero)
    malformed(
        fmt::format("schema version {}.{}, expected 5 to 8, which torch 2.3 to 2.15 write: export the model again",
                    m.info.schemaMajor, m.info.schemaMinor));
}

void ProgramReader::torchVersion() {
  const auto version = text("torch's version");
  if (!version)
    return;
  m.info.producer = fmt::format("torch {}", *version);
  // "2.13.0+cpu", "2.8.0a0+git1234", "<=2.4": the first two numbers.
  const std::size_t from = version->find_first_of("0123456789");
  if (from == std::string_view::npos)
    return;
  std::size_t to = from;
  int dots = 0;
  while (to < version->size() &&
         (((*version)[to] >= '0' && (*version)[to] <= '9') || ((*version)[to] == '.' && ++dots == 1)))
    ++to;
  m.info.version = version->substr(from, to - from);
  while (m.info.version.ends_with('.'))
    m.info.version.pop_back();
}

void ProgramReader::opsets() {
  if (!c.is(JsonKind::Object))
    return unexpected("opset versions, which are an object");
  fields([&](std::string_view key) {
    if (const auto n = integer("an opset's version"))
      m.info.opsets.emplace_back(std::string(key), *n);
  });
}

/// torch takes a bound for a number as Python's int() does, which reads digits and no infinity.
void ProgramReader::boundOfString(std::int64_t &limit) {
  const std::string_view word = c.string();
  const char *const end = word.data() + word.size();
  std::int64_t number = 0;
  const auto read = std::from_chars(word.data(), end, number);
  if (read.ec == std::errc::result_out_of_range && read.ptr == end)
    return;
  if (read.ec != std::errc() || read.ptr != end)
    return malformed(fmt::format("expected a bound, found the string '{}'", word.substr(0, 40)));
  limit = number;
}

void ProgramReader::rangeConstraints() {
  if (!c.is(JsonKind::Object)) {
    rangesAreLost = true;
    return unexpected("range constraints, which are an object");
  }
  std::unordered_set<std::string_view> seen;
  c.object([&](std::string_view symbol) {
    const At at(*this, symbol);
    if (!seen.insert(symbol).second) {
      malformed("the key is given twice");
      return c.skip();
    }
    if (!c.is(JsonKind::Object))
      return unexpected("a range");
    Interval range;
    const auto bound = [&](std::int64_t &limit) {
      // Null and what is beyond 64 bits bound nothing.
      if (c.is(JsonKind::Null))
        return c.skip();
      if (c.is(JsonKind::Bool))
        limit = c.boolean() ? 1 : 0;
      else if (c.is(JsonKind::String))
        boundOfString(limit);
      else if (!c.is(JsonKind::Number))
        unexpected("a bound");
      else if (const JsonNumber n = c.number(); n.integer)
        limit = *n.integer;
    };
    bool hasMin = false, hasMax = false;
    fields([&](std::string_view key) {
      hasMin |= key == "min_val";
      hasMax |= key == "max_val";
      if (key == "min_val")
        bound(range.min);
      else if (key == "max_val")
        bound(range.max);
      else
        c.skip();
    });
    if (!hasMin || !hasMax)
      malformed(fmt::format("the range has no '{}'", hasMin ? "max_val" : "min_val"));
    if (range.min > range.max) {
      malformed(fmt::format("the range of '{}' is empty: from {} to {}", symbol, range.min, range.max));
      range = Interval();
    }
    ranges.emplace_back(std::string(symbol), range);
  });
}

/// Torch holds a size of the export against its range when it loads the file.
void ProgramReader::checkHints(const std::string &symbol, const SymbolFacts &facts, const Interval &range) {
  if (!facts.hints || facts.origin != SymbolOrigin::Declared)
    return;
  const At at(*this, "range_constraints"), below(*this, symbol);
  if (facts.hints->max < range.min)
    malformed(fmt::format("'{}' was {} when the model was exported, but its range begins at {}", symbol,
                          facts.hints->max, range.min));
  else if (facts.hints->min > range.max)
    malformed(fmt::format("'{}' was {} when the model was exported, but its range ends at {}", symbol, facts.hints->min,
                          range.max));
}

void ProgramReader::applyBounds() {
  for (const auto &[symbol, range] : ranges) {
    const auto it = symbols.find(symbol);
    // Constraints may name symbols that nothing uses.
    if (it == symbols.end())
      continue;
    checkHints(symbol, it->second, range);
    Interval &b = it->second.bounds;
    // A lower bound of 2 or less says how the model was traced and nothing of its inputs: torch checks none.
    constexpr std::int64_t tracedFrom = 2;
    const bool isTraced = it->second.origin == SymbolOrigin::Declared && range.min > 0 && range.min <= tracedFrom;
    const Interval both{std::max(b.min, isTraced ? 0 : range.min), std::min(b.max, range.max)};
    b = both.min <= both.max ? both : range;
  }
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  for (auto &[symbol, facts] : symbols) {
    // A backed symbol stands for a size, which is what nothing else says here.
    if (facts.origin == SymbolOrigin::Declared && facts.bounds.min == none && facts.bounds.max >= 0 &&
        std::none_of(ranges.begin(), ranges.end(), [&](const auto &r) { return r.first == symbol; }))
      facts.bounds.min = 0;
    m.dims.setBounds(symbol, facts.bounds);
  }
}

} // namespace condlint::pt2
