//===- CxxSource.cpp - What of C++ source is no operator of torch -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in C++ source and is no operator of torch (docs/cxx-graph.md): the
// value on one of several paths, an assumption, a store through a raw pointer.
//
//===----------------------------------------------------------------------===//
#include "Families.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>

namespace condlint {

namespace {

void inferNothing(InferContext &) {}

void inferNone(InferContext &ctx) {
  Type none;
  none.kind = ValueKind::None;
  ctx.setResult(0, none);
}

/// A tensor that comes from outside of the function, or is made: what is known of it is recorded.
void inferInput(InferContext &ctx) {
  Type tensor;
  tensor.kind = ValueKind::Tensor;
  ctx.setResult(0, tensor);
}

/// What all paths agree on; the element type is one of theirs.
void inferJoin(InferContext &ctx) {
  if (ctx.operandCount() == 0)
    return;
  // Before the first trip of a loop there may be none yet: checkOutputKind asks for that.
  std::size_t first = 0;
  if (ctx.hasAttribute(attr::loop.name) && ctx.operandCount() > 1 && ctx.type(0).kind == ValueKind::None)
    first = 1;
  Type joined = ctx.namedType(first);
  std::optional<std::span<const Dim>> content = ctx.content(first);
  for (std::size_t i = first + 1; i < ctx.operandCount(); ++i) {
    joined = ctx.either(joined, ctx.namedType(i));
    const auto here = ctx.content(i);
    if (!content || !here || !std::ranges::equal(*content, *here))
      content.reset();
  }
  if (ctx.hasAttribute(attr::unsized.name))
    joined.names = {}; // of each element another
  if (joined.kind != ValueKind::Unknown)
    ctx.setResult(0, joined);
  if (content && std::ranges::all_of(*content, [](Dim d) { return d.known(); }))
    ctx.setContent(0, *content);
}

/// The value as it was; what is assumed of it is recorded.
void inferAssume(InferContext &ctx) {
  if (!ctx.has(0))
    return;
  ctx.setResult(0, ctx.namedType(0));
  if (const auto content = ctx.content(0))
    ctx.setContent(0, *content);
}

/// What a call yields that is told in short: what is recorded of it is all of it.
void inferCall(InferContext &ctx) {
  for (std::size_t i = 0; i < ctx.resultCount(); ++i)
    if (const TypeId known = ctx.model()[ctx.model().result(ctx.node(), i)].recorded)
      ctx.setResult(i, ctx.model().types[known]);
}

/// The gradient of a tensor: like it, with storage of its own.
void inferGrad(InferContext &ctx) {
  Type like = ctx.namedType(0);
  if (!like.isTensor())
    return inferInput(ctx);
  like.hasStrides = false;
  like.strides = {};
  like.storageOffset = Dim();
  like.requiresGrad = Tri::Unknown;
  like.names.memory = StringId();
  ctx.setResult(0, like);
}

/// The result is each of the operands, on the path that it stands for.
void isEachOperand(const Model &m, NodeId n, NodeEffects &effects) {
  const auto count = static_cast<std::uint32_t>(m.operands(n).size());
  for (std::uint32_t i = 0; i < count; ++i)
    effects.aliases.push_back({0, i, AliasKind::Must});
}

void mayBeOperand(const Model &, NodeId, NodeEffects &effects) { effects.aliases.push_back({0, 0, AliasKind::May}); }

void writesOperands(const Model &m, NodeId n, NodeEffects &effects) {
  const auto count = static_cast<std::uint32_t>(m.operands(n).size());
  for (std::uint32_t i = 0; i < count; ++i)
    effects.writes.push_back(i);
}

/// `aliases` holds a result, an operand and how sure it is, for each result that is not new.
void callAliases(const Model &m, NodeId n, NodeEffects &effects) {
  constexpr std::size_t each = 3;
  const auto parts = read(m, n, attr::aliases);
  for (std::size_t i = 0; i + each <= parts.size(); i += each)
    effects.aliases.push_back({static_cast<std::uint32_t>(parts[i]), static_cast<std::uint32_t>(parts[i + 1]),
                               static_cast<AliasKind>(parts[i + 2])});
}

constexpr OpDef join{"join", inferJoin, OpTrait::Trivial, isEachOperand};
constexpr OpDef assume{"assume", inferAssume, OpTrait::Trivial, isEachOperand};
constexpr OpDef perhaps{"perhaps", inferAssume, OpTrait::Trivial, mayBeOperand};
constexpr OpDef returns{"return", inferNothing, OpTrait::Trivial, nullptr};
constexpr OpDef none{"none", inferNone, OpTrait::Trivial | OpTrait::Constant, nullptr};
constexpr OpDef unknown{"unknown", inferNothing, OpTrait::Trivial, nullptr};
constexpr OpDef made{"new", inferInput, OpTrait::None, nullptr};
constexpr OpDef call{"call", inferCall, OpTrait::None, callAliases};
constexpr OpDef input{"input", inferInput, OpTrait::Trivial, nullptr};
constexpr OpDef opaque{"opaque", inferNothing, OpTrait::Opaque, nullptr};
constexpr OpDef store{"store", inferNothing, OpTrait::None, writesOperands};
constexpr OpDef grad{"grad", inferGrad, OpTrait::None, nullptr};
constexpr OpDef gradient{"gradient", inferNothing, OpTrait::None, writesOperands};
constexpr OpDef hostRead{"host_read", inferNothing, OpTrait::HostSync, nullptr};
constexpr OpDef variableWrite{"variable_write", inferNothing, OpTrait::Trivial, nullptr};
constexpr OpDef variableRead{"variable_read", inferNothing, OpTrait::Trivial, nullptr};
constexpr OpDef effect{"effect", inferNothing, OpTrait::None, nullptr};
constexpr OpDef choice{"choice", inferNothing, OpTrait::Trivial, nullptr};

constexpr std::array<OpBinding, 20> rows{{
    {"cxx.join", &join},           {"cxx.assume", &assume},     {"cxx.perhaps", &perhaps},
    {"cxx.return", &returns},      {"cxx.none", &none},         {"cxx.unknown", &unknown},
    {"cxx.outside", &unknown},     {"cxx.new", &made},          {"cxx.call", &call},
    {"cxx.input", &input},         {"cxx.opaque", &opaque},     {"cxx.store", &store},
    {"cxx.grad", &grad},           {"cxx.gradient", &gradient}, {"cxx.host_read", &hostRead},
    {"cxx.write", &variableWrite}, {"cxx.read", &variableRead}, {"cxx.effect", &effect},
    {"cxx.choice", &choice},       {"cxx.run", &choice},
}};

} // namespace

OpFamily cxxSourceFamily() { return {rows, {}, {}}; }

bool isRecorded(const Model &m) { return m.info.format == Format::Json && m.info.frontEnd == FrontEnd::Torch; }

ValueId withoutAssumptions(const Model &m, ValueId v) {
  const auto isAssumed = [&] {
    if (!v || m[v].origin != ValueOrigin::Result || !m[v].def)
      return false;
    return isCxx(m, m[v].def, CxxOp::Assume);
  };
  while (isAssumed())
    v = m.operands(m[v].def)[0];
  return v;
}

} // namespace condlint
