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

void Functions::cutCycles(const GraphReader &graphs) {
  if (graphs.calls().empty())
    return;
  // Tarjan's components, with a stack of our own: a chain may be as long as the
  // file. A component is finished after everything it calls.
  constexpr std::uint32_t unseen = 0xffffffffu;
  constexpr std::uint32_t deepestCall = 100;
  const auto count = static_cast<std::uint32_t>(m.functionCount());
  std::vector<GraphReader::Call> calls = graphs.calls();
  std::ranges::stable_sort(calls, {}, &GraphReader::Call::caller);
  std::vector<std::uint32_t> firstCall(count + 1, 0);
  for (const auto &call : calls)
    ++firstCall[call.caller.index() + 1];
  for (std::uint32_t i = 0; i < count; ++i)
    firstCall[i + 1] += firstCall[i];
  std::vector<std::uint32_t> order(count, unseen), low(count), component(count, unseen), height(count, 0);
  std::vector<std::uint32_t> open;
  struct Visit {
    std::uint32_t function, next;
  };
  std::vector<Visit> stack;
  std::uint32_t clock = 0, components = 0;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (order[root] != unseen)
      continue;
    stack.push_back({root, firstCall[root]});
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
      if (low[f] == order[f]) {
        while (true) {
          const std::uint32_t member = open.back();
          open.pop_back();
          component[member] = components;
          if (member == f)
            break;
        }
        ++components;
      }
      stack.pop_back();
      if (!stack.empty())
        low[stack.back().function] = std::min(low[stack.back().function], low[f]);
    }
  }
  // Components are numbered callees first, so heights follow in that order.
  std::vector<std::uint32_t> byComponent(count);
  for (std::uint32_t i = 0; i < count; ++i)
    byComponent[i] = i;
  std::ranges::stable_sort(byComponent, {}, [&](std::uint32_t f) { return component[f]; });
  std::vector<bool> said(components, false);
  for (std::uint32_t f : byComponent) {
    for (std::uint32_t i = firstCall[f]; i < firstCall[f + 1]; ++i) {
      const auto &call = calls[i];
      const std::uint32_t to = call.callee.index();
      const char *const at = list[f].bytes.data();
      if (component[to] == component[f]) {
        m[call.node].callee = GraphId();
        if (!said[component[f]])
          c.report(FormatIssue::Kind::Malformed, at,
                   fmt::format("the function {} calls itself, by way of {}", quoted(m.text(m[FunctionId(f)].name)),
                               quoted(m.text(m[call.callee].name))),
                   m[call.node].graph, call.node);
        said[component[f]] = true;
      } else if (height[to] + 1 >= deepestCall) {
        m[call.node].callee = GraphId();
        c.report(FormatIssue::Kind::Malformed, at,
                 fmt::format("the function {} calls others {} deep; ONNX admits {}",
                             quoted(m.text(m[FunctionId(f)].name)), height[to] + 2, deepestCall),
                 m[call.node].graph, call.node);
      } else {
        height[f] = std::max(height[f], height[to] + 1);
      }
    }
  }
}

} // namespace condlint::onnx
