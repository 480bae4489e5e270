//===- UndeclaredTypes.cpp - Types that no declaration decides ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UndeclaredTypes.h"
#include "InferState.h"
#include <algorithm>
#include <array>
#include <limits>

namespace condlint {

namespace {

/// \p declared without what it says of shapes.
TypeId withoutShape(Model &m, TypeId declared) {
  Type t = m.types[declared];
  if (t.kind == ValueKind::Sequence || t.kind == ValueKind::Optional)
    t.item = t.item ? withoutShape(m, t.item) : TypeId();
  t.hasRank = t.hasStrides = false;
  t.dims = t.strides = {};
  return m.types.intern(t);
}

/// What is declared of \p v is no contract with whoever runs the model. A branch is passed nothing: an input of it has
/// an initializer, and is that.
bool isInnerWord(const Model &m, const Value &v) {
  if (!v.recorded || v.origin != ValueOrigin::Parameter)
    return v.recorded && v.origin == ValueOrigin::Result;
  const NodeId owner = v.graph ? m[v.graph].owner : NodeId();
  return owner && !nodeHas(m, owner, OpTrait::Conditional);
}

/// What inference has written of the values, which comes back when this ends.
class KeptTypes {
public:
  explicit KeptTypes(Model &model) : m(model) {
    kept.reserve(m.valueCount());
    for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
      const Value &v = m[ValueId(i)];
      kept.push_back({v.recorded, v.type, v.content, v.contradicted});
    }
  }
  ~KeptTypes() {
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
      Value &v = m[ValueId(i)];
      v.recorded = kept[i].recorded;
      v.type = kept[i].type;
      v.content = kept[i].content;
      v.contradicted = kept[i].contradicted;
    }
  }
  KeptTypes(const KeptTypes &) = delete;
  KeptTypes &operator=(const KeptTypes &) = delete;

private:
  struct Entry {
    TypeId recorded, type;
    ContentId content;
    bool contradicted;
  };
  Model &m;
  std::vector<Entry> kept;
};

/// What has a shape in a value of the type \p id: it, or what it holds.
const Type &shaped(const Model &m, TypeId id) {
  while (m.types[id].item)
    id = m.types[id].item;
  return m.types[id];
}

bool isLike(const Type &a, const Type &b) { return a.hasRank == b.hasRank && std::ranges::equal(a.dims, b.dims); }

/// Some shape is not what operators yield, but what the file says of it.
bool believesDeclarations(Model &m) {
  Inference unused;
  InferState state(m, unused);
  for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
    const Value &v = m[ValueId(i)];
    if (!isInnerWord(m, v) || !shaped(m, v.recorded).hasRank || !v.type)
      continue;
    // What a loop's body is passed, and what a loop yields, it takes a whole run to say.
    if (!v.def || !isLike(shaped(m, state.yieldedBy(v.def)[v.index]), shaped(m, v.type)))
      return true;
  }
  return false;
}

/// An operator of which onnx's inference says less than follows: where it knows no numbers for one of its operands, or
/// always.
struct SaysLess {
  std::string_view op;
  unsigned numbers; ///< the bits of those operands; 0: always
  enum { Nothing, Rank, AllButLast } says;
  std::int32_t before = anyVersion; ///< the version from which on it says all
  bool reads = true;                ///< of those operands it knows numbers at all
  static constexpr std::int32_t anyVersion = std::numeric_limits<std::int32_t>::max();
};
constexpr unsigned at(std::initializer_list<unsigned> places) {
  unsigned bits = 0;
  for (const unsigned place : places)
    bits |= 1U << place;
  return bits;
}
constexpr std::array<SaysLess, 31> lessKnown{{{"BlackmanWindow", at({0}), SaysLess::Nothing},
                                              {"CenterCropPad", at({1}), SaysLess::Nothing},
                                              {"DFT", at({1}), SaysLess::Nothing, 20},
                                              {"GroupNormalization", 0, SaysLess::Nothing},
                                              {"HammingWindow", at({0}), SaysLess::Nothing},
                                              {"HannWindow", at({0}), SaysLess::Nothing},
                                              {"ImageDecoder", 0, SaysLess::Rank},
                                              {"MaxUnpool", at({2}), SaysLess::Nothing, SaysLess::anyVersion, false},
                                              {"MelWeightMatrix", at({0, 1, 2, 3, 4}), SaysLess::Nothing},
                                              {"Pad", at({3}), SaysLess::Nothing},
                                              {"Range", at({0, 1, 2}), SaysLess::Rank},
                                              {"ReduceL1", at({1}), SaysLess::Nothing},
                                              {"ReduceL2", at({1}), SaysLess::Nothing},
                                              {"ReduceLogSum", at({1}), SaysLess::Nothing},
                                              {"ReduceLogSumExp", at({1}), SaysLess::Nothing},
                                              {"ReduceMax", at({1}), SaysLess::Nothing},
                                              {"ReduceMean", at({1}), SaysLess::Nothing},
                                              {"ReduceMin", at({1}), SaysLess::Nothing},
                                              {"ReduceProd", at({1}), SaysLess::Nothing},
                                              {"ReduceSum", at({1}), SaysLess::Nothing},
                                              {"ReduceSumSquare", at({1}), SaysLess::Nothing},
                                              {"Reshape", at({1}), SaysLess::Nothing, 14},
                                              {"Resize", at({1, 2}), SaysLess::Rank},
                                              {"STFT", at({1, 3}), SaysLess::Nothing},
                                              {"Slice", at({1, 2, 3, 4}), SaysLess::Rank},
                                              {"Split", at({1}), SaysLess::Nothing},
                                              {"Squeeze", at({1}), SaysLess::Nothing},
                                              {"StringNormalizer", 0, SaysLess::AllButLast},
                                              {"TopK", at({1}), SaysLess::Rank},
                                              {"Unsqueeze", at({1}), SaysLess::Nothing},
                                              {"Upsample", at({1}), SaysLess::Rank}}};

/// onnx's inference reads the numbers of \p v where \p n, which reads it, stands: initializers and constants of the
/// same graph.
bool knowsNumbers(const Model &m, NodeId n, ValueId v) {
  const Value &x = m[v];
  return x.graph == m[n].graph && (x.constant || (x.def && m.operatorName(m[x.def].op) == "Constant"));
}

} // namespace

void InferState::forgetAsChecker(NodeId n) {
  const auto row = std::ranges::find(lessKnown, m.operatorName(m[n].op), &SaysLess::op);
  if (row == lessKnown.end() || m[m[n].op].version >= row->before)
    return;
  const auto operands = m.operands(n);
  bool knows = row->numbers != 0;
  for (std::size_t i = 0; i < operands.size() && i < 32; ++i)
    if (operands[i] && (row->numbers >> i & 1) != 0)
      knows = knows && row->reads && knowsNumbers(m, n, operands[i]);
  if (knows)
    return;
  for (TypeId &type : pending) {
    if (!type)
      continue;
    Type t = m.types[type];
    std::vector<Dim> known(t.dims.begin(), t.dims.end());
    if (row->says == SaysLess::Nothing)
      known.clear();
    else if (row->says == SaysLess::Rank)
      std::ranges::fill(known, Dim{});
    else if (!known.empty())
      known.back() = Dim{};
    t.hasRank = t.hasRank && row->says != SaysLess::Nothing;
    t.dims = known;
    type = m.types.intern(t);
  }
}

std::vector<TypeId> InferState::yieldedBy(NodeId n) {
  InferContext ctx(m, n, this);
  std::vector<ContentId> contents;
  for (std::size_t i = 0; i < m.resultCount(n); ++i)
    contents.push_back(m[m.result(n, i)].content);
  pending.assign(m.resultCount(n), TypeId());
  pendingCases.clear();
  const OpDef *definition = m[m[n].op].definition;
  if (m[n].callee)
    takeResults(n, m[n].callee, false);
  else if (nodeHas(m, n, OpTrait::Conditional))
    inferConditionalResults(*this, ctx);
  else if (m[n].regions.empty() && definition && definition->infer)
    definition->infer(ctx);
  for (std::size_t i = 0; i < contents.size(); ++i)
    m[m.result(n, i)].content = contents[i];
  return pending;
}

std::vector<UndeclaredType> undeclaredTypes(Model &m) {
  if (m.info.dialect != Dialect::Onnx || !believesDeclarations(m))
    return {};
  const KeptTypes kept(m);
  for (std::uint32_t i = 0; i < m.valueCount(); ++i)
    if (Value &v = m[ValueId(i)]; isInnerWord(m, v)) {
      v.recorded = withoutShape(m, v.recorded);
      v.type = TypeId();
    }
  Inference unused;
  InferState(m, unused).runAgain();
  std::vector<UndeclaredType> out;
  out.reserve(m.valueCount());
  for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
    const Value &v = m[ValueId(i)];
    out.push_back({v.type ? v.type : v.recorded, v.content});
  }
  return out;
}

namespace {

/// Types \p m as onnx's checker does, over what is known.
Inference inferAsChecker(Model &m) {
  for (std::uint32_t i = 0; i < m.valueCount(); ++i)
    m[ValueId(i)].type = TypeId();
  Inference found;
  InferState state(m, found);
  state.asChecker = true;
  state.runAgain();
  return found;
}

} // namespace

std::vector<ValueId> contradictedForChecker(Model &m) {
  const KeptTypes kept(m);
  std::vector<ValueId> out;
  for (const Contradiction &c : inferAsChecker(m).contradictions)
    out.push_back(c.value);
  return out;
}

std::vector<TypeId> typesForChecker(Model &m) {
  const KeptTypes kept(m);
  inferAsChecker(m);
  std::vector<TypeId> out;
  for (std::uint32_t i = 0; i < m.valueCount(); ++i)
    out.push_back(m[ValueId(i)].type ? m[ValueId(i)].type : m[ValueId(i)].recorded);
  return out;
}

} // namespace condlint
