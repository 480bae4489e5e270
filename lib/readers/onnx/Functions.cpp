//===- Functions.cpp - The functions that are local to a model --------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Functions.h"
#include "Proto.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint::onnx {

void Functions::declare(std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  Declared d;
  d.bytes = bytes;
  std::string_view name, domain, overload;
  const std::size_t issues = m.issues.size();
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(functionProto::name):
      name = r.bytes();
      break;
    case lengthKey(functionProto::domain):
      domain = r.bytes();
      break;
    case lengthKey(functionProto::overload):
      overload = r.bytes();
      break;
    case lengthKey(functionProto::opsetImport):
      operators.readImport(r.bytes(), depth + 1, d.imports);
      break;
    case lengthKey(functionProto::input):
    case lengthKey(functionProto::output):
    case lengthKey(functionProto::attribute):
    case lengthKey(functionProto::attributeProto):
    case lengthKey(functionProto::node):
    case lengthKey(functionProto::valueInfo):
    case lengthKey(functionProto::docString):
    case lengthKey(functionProto::metadata):
      break;
    default:
      c.skip(r, functionProto::known, depth, "FunctionProto");
    }
  }
  Function f;
  f.domain = operators.domainId(domain);
  f.name = m.strings.internStable(name);
  f.overload = m.strings.internStable(overload);
  std::vector<StringId> domains;
  for (const auto &[id, version] : d.imports.list) {
    domains.push_back(id);
    f.opsetVersions.push_back(version);
  }
  f.opsetDomains = m.poolStrings(domains);
  std::string role(domain);
  if (!role.empty())
    role += '.';
  role += name;
  if (!overload.empty())
    (role += ':') += overload;
  f.body = m.addGraph(f.name, m.strings.intern(role), GraphId(), NodeId());
  const GraphId body = f.body;
  d.function = m.addFunction(f);
  m[body].function = d.function;
  if (name.empty())
    c.report(FormatIssue::Kind::Malformed, bytes.data(), "a function has no name");
  else if (!operators.declare(f.domain, f.name, f.overload, d.function))
    c.report(FormatIssue::Kind::Malformed, bytes.data(), fmt::format("the function {} is there twice", quoted(role)));
  if (d.imports.list.empty()) {
    d.imports.missing = true;
    c.report(FormatIssue::Kind::Malformed, bytes.data(),
             fmt::format("the function {} has no opset_import, which ONNX demands", quoted(role)));
  }
  c.locate(issues, body, NodeId());
  list.push_back(std::move(d));
}

void Functions::readBodies(GraphReader &graphs, std::uint32_t depth) {
  for (const Declared &d : list) {
    operators.enter(d.imports);
    graphs.readFunction(d.bytes, m[d.function].body, d.function, depth);
  }
}

namespace {

/// Tarjan's components of the call graph, with a stack of our own: a chain may be
/// as long as the file. A component is numbered after everything it calls.
class Components {
public:
  /// \p callGraph is sorted by caller.
  Components(const std::vector<GraphReader::Call> &callGraph, std::uint32_t functionCount)
      : calls(callGraph), firstCall(functionCount + 1, 0), order(functionCount, unseen), low(functionCount, 0),
        component(functionCount, unseen) {
    for (const auto &call : calls)
      ++firstCall[call.caller.index() + 1];
    for (std::uint32_t i = 0; i < functionCount; ++i)
      firstCall[i + 1] += firstCall[i];
    for (std::uint32_t root = 0; root < functionCount; ++root)
      if (order[root] == unseen)
        visit(root);
  }

  std::uint32_t of(std::uint32_t function) const { return component[function]; }
  std::uint32_t count() const { return components; }
  std::span<const GraphReader::Call> callsOf(std::uint32_t function) const {
    return std::span(calls).subspan(firstCall[function], firstCall[function + 1] - firstCall[function]);
  }

private:
  static constexpr std::uint32_t unseen = 0xffffffffu;
  struct Visit {
    std::uint32_t function, next;
  };

  void visit(std::uint32_t root) {
    std::vector<Visit> stack{{root, firstCall[root]}};
    while (!stack.empty()) {
      Visit &v = stack.back();
      const std::uint32_t f = v.function;
      if (order[f] == unseen) {
        order[f] = low[f] = clock++;
        open.push_back(f);
      }
      if (v.next < firstCall[f + 1]) {
        const std::uint32_t to = calls[v.next++].callee.index();
        if (order[to] == unseen)
          stack.push_back({to, firstCall[to]});
        else if (component[to] == unseen)
          low[f] = std::min(low[f], order[to]);
        continue;
      }
      if (low[f] == order[f])
        close(f);
      stack.pop_back();
      if (!stack.empty())
        low[stack.back().function] = std::min(low[stack.back().function], low[f]);
    }
  }

  void close(std::uint32_t root) {
    std::uint32_t member = unseen;
    do {
      member = open.back();
      open.pop_back();
      component[member] = components;
    } while (member != root);
    ++components;
  }

  const std::vector<GraphReader::Call> &calls;
  std::vector<std::uint32_t> firstCall, order, low, component, open;
  std::uint32_t clock = 0, components = 0;
};

} // namespace

void Functions::cutCycles(const GraphReader &graphs) {
  if (graphs.calls().empty())
    return;
  constexpr std::uint32_t deepestCall = 100;
  const auto count = static_cast<std::uint32_t>(m.functionCount());
  std::vector<GraphReader::Call> calls = graphs.calls();
  std::ranges::sort(calls, {}, [](const auto &call) { return std::pair(call.caller, call.node); });
  const Components components(calls, count);
  std::vector<std::uint32_t> calleesFirst(count);
  for (std::uint32_t i = 0; i < count; ++i)
    calleesFirst[i] = i;
  std::ranges::sort(calleesFirst, {}, [&](std::uint32_t f) { return std::pair(components.of(f), f); });
  std::vector<std::uint32_t> height(count, 0);
  std::vector<bool> said(components.count(), false);
  const auto say = [&](const GraphReader::Call &call, std::string message) {
    c.report(FormatIssue::Kind::Malformed, list[call.caller.index()].bytes.data(),
             fmt::format("the function {} {}", quoted(m.text(m[call.caller].name)), message), m[call.node].graph,
             call.node);
  };
  for (std::uint32_t f : calleesFirst) {
    for (const GraphReader::Call &call : components.callsOf(f)) {
      const std::uint32_t to = call.callee.index();
      if (components.of(to) == components.of(f)) {
        m[call.node].callee = GraphId();
        if (!said[components.of(f)])
          say(call, fmt::format("calls itself, by way of {}", quoted(m.text(m[call.callee].name))));
        said[components.of(f)] = true;
      } else if (height[to] + 1 >= deepestCall) {
        m[call.node].callee = GraphId();
        say(call, fmt::format("calls others {} deep; ONNX admits {}", height[to] + 2, deepestCall));
      } else {
        height[f] = std::max(height[f], height[to] + 1);
      }
    }
  }
}

} // namespace condlint::onnx
