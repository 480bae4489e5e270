//===- Records.cpp - What a file records beside what operators yield ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlFlow.h"
#include "DoubtfulSize.h"
#include "InferState.h"
#include "RecordedSizes.h"
#include "Strides.h"
#include "graph/Returned.h"
#include "graph/TypeWords.h"
#include <algorithm>

namespace condlint {

namespace {

/// A dimension that says more than another about the same size: a number, then
/// an expression over the model's own symbols, then one that data decides.
int informative(const DimTable &dims, Dim d) {
  if (!d.known())
    return 0;
  if (dims.asConstant(d))
    return 3;
  if (dims.mentions(d, SymbolOrigin::Unbacked) || dims.mentions(d, SymbolOrigin::Anonymous))
    return 1;
  return 2;
}

/// Writers up to 2.6 record the offset 0 for slices too (R10).
bool recordsOffsets(const Model &m) {
  return !(m.info.schemaMajor == 8 && m.info.schemaMinor <= 2) && m.info.schemaMajor != 7;
}

/// Makes one type of what is recorded of a tensor and of what its operator yields. What
/// only one side knows stays; where both know, the operator decides what it proves.
class TensorRecord {
public:
  /// \p autocasts: which floating element type an operator yields, its record alone says.
  TensorRecord(Model &model, ValueId value, const Type &recordedType, const Type &inferredType, bool autocasts)
      : m(model), v(value), recorded(recordedType), inferred(inferredType), merged(recordedType),
        isCast(autocasts && isFloating(recordedType.element) && isFloating(inferredType.element)) {
    const Value &x = m[v];
    isTorch = m.info.dialect == Dialect::Torch;
    isDeclared = isTorch && x.def && nodeHas(m, x.def, OpTrait::Conditional);
  }

  void merge() {
    merged.names = inferred.names;
    mergeElement();
    mergeShape();
    mergeMemory();
    mergeFlags();
  }

  const Type &type() const { return merged; }
  std::vector<Contradiction> found;

private:
  void mergeElement();
  void mergeShape();
  bool mergeSizes();
  bool isOfBranch() const;
  void mergeMemory();
  void mergeDeclaredMemory();
  void mergeFlags();
  bool isView() const;
  bool operandsAreRowMajor() const;
  bool isLaidOutByRule() const;
  bool stridesDiffer() const;
  bool isOtherStride(Dim was, Dim is) const;
  bool layoutsDiffer() const;
  void contradict(std::string facet, std::string was, std::string is) {
    found.push_back({v, std::move(facet), std::move(was), std::move(is)});
  }
  std::string deviceText(const Type &t) const {
    const std::string name(m.text(t.device));
    return t.deviceIndex < 0 ? name : name + ':' + std::to_string(t.deviceIndex);
  }

  Model &m;
  ValueId v;
  const Type &recorded, &inferred;
  Type merged;
  std::vector<Dim> sizes; ///< of `merged`
  bool reshaped = false;  ///< some of them are not as recorded
  bool isTorch = false;
  bool isCast;
  /// What is declared of a conditional's results is held against its branches there, and
  /// is no witness for what follows.
  bool isDeclared = false;
};

void TensorRecord::mergeElement() {
  if (isCast)
    return;
  if (inferred.element == DType::Unknown)
    return merged.restrict(inferred.possible());
  if (recorded.element != DType::Unknown && recorded.element != inferred.element)
    contradict("dtype", std::string(dtypeName(recorded.element)), std::string(dtypeName(inferred.element)));
  merged.element = inferred.element;
  merged.elements = {};
}

void TensorRecord::mergeShape() {
  if (!inferred.hasRank)
    return;
  merged.hasRank = true;
  merged.dims = inferred.dims;
  if (!recorded.hasRank)
    return;
  if (recorded.dims.size() == inferred.dims.size() && mergeSizes()) {
    merged.dims = sizes;
    if (!reshaped)
      return;
  } else {
    contradict("shape", spellDims(m.dims, recorded.dims), spellDims(m.dims, inferred.dims));
  }
  merged.hasStrides = inferred.hasStrides;
  merged.strides = inferred.strides;
}

/// Chooses the better known of each two sizes; false when two of them are not one.
bool TensorRecord::mergeSizes() {
  bool agree = true;
  const bool readsDoubtful =
      m.info.format == Format::Pt2 && m[v].def && m.regions(m[v].def).empty() &&
      std::ranges::any_of(m.operands(m[v].def), [&](ValueId o) { return o && hasDoubtfulSize(m, o); });
  for (std::size_t i = 0; i < inferred.dims.size(); ++i) {
    const Dim was = recorded.dims[i];
    const Dim is = inferred.dims[i];
    // ONNX: what reads like arithmetic ("N + 1") is a name, and of another size perhaps.
    const bool isLabel = !isTorch && was.known() && !m.dims.asConstant(was) && !m.dims.asSymbol(was);
    const SizeRecord record = isDeclared ? SizeRecord::Fits : judgeRecordedSize(m, v, was, is);
    agree = agree && (isLabel || !differAlways(m, was, is)) && record != SizeRecord::Differs;
    // An exporter that knows its symbols says more than we infer; ONNX's
    // names for inner sizes are invented.
    const bool isOwn = isDeclared && is.known() && !m.dims.mentions(is, SymbolOrigin::Unbacked) &&
                       !m.dims.mentions(is, SymbolOrigin::Anonymous);
    if (record == SizeRecord::Narrower) {
      // What cuts an axis, or keeps what was cut, is believed where the record forgets that there may be less to cut
      // from.
      sizes.push_back(is);
      reshaped = true;
    } else if (record == SizeRecord::May || (readsDoubtful && !is.known())) {
      sizes.emplace_back();
    } else if (isTorch)
      sizes.push_back(was.known() && !isOwn ? was : is);
    else if (informative(m.dims, was) <= informative(m.dims, is) ||
             (is.known() && m.dims.asConstant(was) && isOfBranch()))
      sizes.push_back(is);
    else
      sizes.push_back(was);
  }
  return agree;
}

/// ONNX: what a branch declares of its result is held against what it yields, and takes no place of that. Up to opset
/// 10 runtimes hold the branches against each other by both.
bool TensorRecord::isOfBranch() const {
  constexpr std::int32_t comparedUpTo = 10;
  const GraphId g = m[v].graph;
  const NodeId owner = g ? m[g].owner : NodeId();
  return owner && nodeHas(m, owner, OpTrait::Conditional) && m[m[owner].op].version > comparedUpTo &&
         isReturned(m, g, v);
}

bool TensorRecord::isView() const {
  if (!m[v].def)
    return false;
  const NodeEffects effects = effectsOf(m, m[v].def);
  return std::ranges::any_of(effects.aliases, [&](const auto &a) { return a.result == m[v].index; });
}

bool TensorRecord::operandsAreRowMajor() const {
  return m[v].def && std::ranges::all_of(m.operands(m[v].def), [&](ValueId o) {
           return !o || !m.type(o).isTensor() || isContiguous(m.dims, m.type(o)) == Tri::Yes;
         });
}

/// What the operator makes lies as its arguments say, whichever kernel makes it.
bool TensorRecord::isLaidOutByRule() const {
  static constexpr std::string_view names[] = {
      "clone",           "to",  "to_copy",          "type_as", "like", "random_like", "copy", "contiguous",
      "lift_fresh_copy", "new", "new_empty_strided"};
  if (!m[v].def)
    return false;
  const OpDef *definition = m[m[m[v].def].op].definition;
  return definition && std::ranges::find(names, definition->name) != std::end(names);
}

/// Of sizes that are spelled alike on both sides the exporter makes strides that are spelled alike too: there a stride
/// is another where a size would be.
bool TensorRecord::isOtherStride(Dim was, Dim is) const {
  return differAlways(m, was, is) ||
         (m.info.format == Format::Pt2 && std::ranges::equal(recorded.dims, inferred.dims) &&
          judgeRecordedSize(m, v, was, is) == SizeRecord::Differs);
}

/// \p n, or a node around it, stands inside of a `torch.vmap` that its graph spells out. There the sizes of one slice
/// are recorded beside the strides of all of them in memory, which follow from no type that the graph shows.
bool isInVmap(const Model &m, NodeId n) {
  for (; n; n = m[m[n].graph].owner) {
    std::size_t open = 0;
    for (NodeId before = m[m[n].graph].firstNode; before && before != n; before = m[before].next) {
      const OpDef *definition = m[m[before].op].definition;
      if (definition == &vmapBegin)
        ++open;
      else if (definition == &vmapEnd && open > 0)
        --open;
    }
    if (open > 0)
      return true;
  }
  return false;
}

/// Where both say how the elements lie in memory: the strides of an axis of one or no
/// elements, and of a tensor without any, mean nothing. Of operands in another order than
/// row-major a kernel may make a tensor of its own in any.
bool TensorRecord::stridesDiffer() const {
  if (!recorded.hasStrides || !inferred.hasStrides || !merged.hasRank ||
      recorded.strides.size() != inferred.strides.size() || recorded.strides.size() != merged.dims.size() ||
      std::ranges::equal(recorded.strides, inferred.strides))
    return false;
  bool differ = false;
  for (std::size_t i = 0; i < merged.dims.size(); ++i) {
    const std::int64_t least = m.dims.boundsOf(merged.dims[i]).min;
    if (least < 1)
      return false;
    differ = differ || (least > 1 && isOtherStride(recorded.strides[i], inferred.strides[i]));
  }
  return differ && (isView() || isLaidOutByRule() || isDense(m.dims, recorded) == Tri::No || operandsAreRowMajor());
}

/// The operator makes a strided tensor of strided ones, and another layout is recorded. What a branch returns is held
/// against the other branch, by the record.
bool TensorRecord::layoutsDiffer() const {
  const NodeId maker = m[v].def;
  if (inferred.layout != Layout::Strided || recorded.layout == Layout::Unknown || recorded.layout == Layout::Strided ||
      !maker || !m.regions(maker).empty() || (m[m[v].graph].parent && isReturned(m, m[v].graph, v)))
    return false;
  const std::string_view op = m.text(m[m[maker].op].name);
  for (const std::string_view word : {"sparse", "mkldnn", "nested", "jagged"})
    if (op.find(word) != op.npos)
      return false;
  const Attribute *asked = m.attribute(maker, "layout");
  const bool asksForAnother =
      asked && asked->kind != AttributeKind::None &&
      (asked->kind != AttributeKind::Layout || static_cast<Layout>(asked->number) != Layout::Strided);
  return !asksForAnother && std::ranges::all_of(m.operands(maker), [&](ValueId o) {
    return !o || !m.type(o).isTensor() || (m.type(o).layout == Layout::Strided && !m[o].contradicted);
  });
}

void TensorRecord::mergeMemory() {
  // Of another shape than is recorded, it lies in memory otherwise too. Source records only
  // what it assumes.
  const bool judged = m.info.format != Format::Cxx && isTorch && !isDeclared && found.empty();
  const bool moved = judged && onOtherDevices(recorded, inferred);
  if (moved)
    contradict("device", deviceText(recorded), deviceText(inferred));
  if (!merged.device || ((isDeclared || moved) && inferred.device))
    merged.device = inferred.device, merged.deviceIndex = inferred.deviceIndex;
  const bool restrided = judged && stridesDiffer() && !isInVmap(m, m[v].def);
  if (restrided)
    contradict("strides", spellDims(m.dims, recorded.strides), spellDims(m.dims, inferred.strides));
  if ((!merged.hasStrides || restrided) && inferred.hasStrides) {
    merged.hasStrides = true;
    merged.strides = inferred.strides;
  }
  if (judged && layoutsDiffer()) {
    contradict("layout", std::string(layoutName(recorded.layout)), std::string(layoutName(inferred.layout)));
    merged.layout = inferred.layout;
  }
  const bool trusted = recordsOffsets(m);
  const bool shifted =
      judged && trusted && differAlways(m, recorded.storageOffset, inferred.storageOffset) && !isInVmap(m, m[v].def);
  if (shifted)
    contradict("storage offset", m.dims.str(recorded.storageOffset), m.dims.str(inferred.storageOffset));
  if (!merged.storageOffset.known() || ((shifted || !trusted) && inferred.storageOffset.known()))
    merged.storageOffset = inferred.storageOffset;
  if (isDeclared)
    mergeDeclaredMemory();
}

/// What is declared of where a conditional's result lies, and is not so, is reported there and holds for nothing that
/// follows. Torch declares the offset 0 whatever that of the branches is.
void TensorRecord::mergeDeclaredMemory() {
  const auto isOther = [&](std::size_t i) {
    return m.dims.boundsOf(inferred.dims[i]).min > 1 && differAlways(m, recorded.strides[i], inferred.strides[i]);
  };
  if (recorded.hasStrides && inferred.hasStrides && std::ranges::equal(recorded.dims, inferred.dims))
    for (std::size_t i = 0; i < inferred.dims.size(); ++i)
      if (isOther(i))
        merged.strides = inferred.strides;
  const Dim was = recorded.storageOffset;
  if (recordsOffsets(m) && differAlways(m, was, inferred.storageOffset) && differAlways(m, was, m.dims.constant(0)))
    merged.storageOffset = Dim();
}

void TensorRecord::mergeFlags() {
  if (merged.layout == Layout::Unknown || (isDeclared && inferred.layout != Layout::Unknown))
    merged.layout = inferred.layout;
  if (merged.conjugate == Tri::Unknown)
    merged.conjugate = inferred.conjugate;
  if (merged.quantized == Tri::Unknown)
    merged.quantized = inferred.quantized;
  if (merged.requiresGrad == Tri::Unknown)
    merged.requiresGrad = inferred.requiresGrad;
}

bool isInBranch(const Model &m, GraphId g) {
  for (; g; g = m[g].parent)
    if (m[g].owner && nodeHas(m, m[g].owner, OpTrait::Conditional))
      return true;
  return false;
}

/// Autocast casts no operand of what makes \p v: it only passes one on, or is told which type to make.
bool passesOn(const Model &m, ValueId v) {
  const Attribute *dtype = m.attribute(m[v].def, "dtype");
  return (dtype && dtype->kind == AttributeKind::DType) ||
         std::ranges::any_of(effectsOf(m, m[v].def).aliases, [&](const auto &a) { return a.result == m[v].index; });
}

} // namespace

bool InferState::settle(ValueId v, TypeId inferred) {
  Value &value = m[v];
  if ((value.recorded && value.recorded != inferred) || doubtsFloat(v))
    return false;
  value.type = inferred;
  return true;
}

std::vector<Contradiction> InferState::merge(ValueId v, TypeId inferredId) {
  Value &value = m[v];
  if (settle(v, inferredId))
    return {};
  if (doubtsFloat(v))
    return mergeDoubted(v, inferredId);
  if (!inferredId) {
    value.type = value.recorded;
    return {};
  }
  const Type &recorded = m.types[value.recorded];
  const Type &inferred = m.types[inferredId];
  if (recorded.kind == ValueKind::Unknown || inferred.kind == ValueKind::Unknown) {
    value.type = recorded.kind == ValueKind::Unknown ? inferredId : value.recorded;
    return {};
  }
  if (recorded.kind != inferred.kind) {
    const bool isDeclared =
        m.info.dialect == Dialect::Torch && value.def && nodeHas(m, value.def, OpTrait::Conditional);
    value.type = isDeclared ? m.types.intern(Type()) : inferredId;
    return {{v, "kind", std::string(kindName(recorded.kind)), std::string(kindName(inferred.kind))}};
  }
  if (recorded.kind == ValueKind::Sequence || recorded.kind == ValueKind::Optional) {
    const Type &a = m.types[recorded.item];
    const Type &b = m.types[inferred.item];
    const bool agree = !a.isTensor() || !b.isTensor() || a.element == DType::Unknown || b.element == DType::Unknown ||
                       a.element == b.element;
    const bool keepRecorded = agree && a.isTensor() && a.element != DType::Unknown && !b.hasRank;
    value.type = keepRecorded ? value.recorded : inferredId;
    if (agree)
      return {};
    return {{v, "dtype", spellType(m, recorded), spellType(m, inferred)}};
  }
  if (!recorded.isTensor()) {
    value.type = value.recorded;
    return {};
  }
  TensorRecord record(m, v, recorded, inferred, autocasts);
  record.merge();
  value.type = m.types.intern(record.type());
  return std::move(record.found);
}

std::vector<Contradiction> InferState::mergeDoubted(ValueId v, TypeId inferredId) {
  Type recorded = m.types[m[v].recorded], inferred = m.types[inferredId];
  const DTypeSet floats{DType::Float16, DType::BFloat16, DType::Float32, recorded.element};
  recorded.element = DType::Unknown;
  if (!inferred.isTensor())
    inferred = recorded;
  if (autocasts && !passesOn(m, v) && isFloating(inferred.element))
    inferred.element = DType::Unknown;
  TensorRecord record(m, v, recorded, inferred, false);
  record.merge();
  Type merged = record.type();
  if (merged.element == DType::Unknown) {
    merged.elements = floats;
    doubtful.insert(v);
  }
  m[v].type = m.types.intern(merged);
  return std::move(record.found);
}

bool InferState::doubtsFloat(ValueId v) const {
  const NodeId maker = m[v].def;
  if (m.info.format == Format::Cxx || m.info.dialect != Dialect::Torch || !maker ||
      !isFloating(m.types[m[v].recorded].element) || (!autocasts && doubtful.empty()) || !isInBranch(m, m[v].graph))
    return false;
  const auto isDoubtful = [&](ValueId o) { return o && doubtful.contains(o); };
  const auto yieldsDoubtful = [&](GraphId g) {
    return g && m[v].index < m.results(g).size() && isDoubtful(m.results(g)[m[v].index]);
  };
  return (autocasts && m.regions(maker).empty()) || std::ranges::any_of(m.operands(maker), isDoubtful) ||
         std::ranges::any_of(m.regions(maker), yieldsDoubtful);
}

ContentId InferState::takeRecordedNumber(NodeId n) {
  if (m.info.format != Format::Pt2 || m.resultCount(n) != 1 || !m[n].regions.empty() ||
      nodeHas(m, n, OpTrait::HostSync))
    return {};
  Value &v = m[m.result(n, 0)];
  const ValueKind kind = m.types[v.recorded].kind;
  if (kind != ValueKind::SymInt && kind != ValueKind::SymBool)
    return {};
  const ContentId said = v.content && m.content(v.content).size() == 1 ? v.content : ContentId();
  const ContentId recorded = recordedNumbers.try_emplace(m.result(n, 0), said).first->second;
  if (recorded)
    v.content = ContentId();
  return recorded;
}

namespace {

/// \p was and \p is are no spellings of one int. What torch knows of its symbols may make
/// two expressions one; a size that a tensor has is written as it is there.
bool isOtherNumber(const Model &m, NodeId n, Dim was, Dim is) {
  if (differAlways(m, was, is))
    return true;
  const auto declared = [&](Dim d) {
    const auto symbols = m.dims.symbolsOf(d);
    return symbols.size() == 1 && symbols[0].origin == SymbolOrigin::Declared && symbols[0].name == m.dims.str(d);
  };
  return was != is && m.text(m[m[n].op].name) == "sym_size" && declared(was) && declared(is);
}

/// Where the truth \p was of the value \p v is not \p is: for certain, or for some number of the one symbol
/// that both speak of. What torch knows of several symbols may make two comparisons one.
std::optional<Contradiction> otherTruth(const Model &m, ValueId v, Dim was, Dim is) {
  const DimComparison c = m.dims.compare(was, is);
  if (c.result != DimComparison::Verdict::Refuted)
    return std::nullopt;
  const auto a = m.dims.symbolsOf(was), b = m.dims.symbolsOf(is);
  const bool speaksOfOne = a.size() == 1 && b.size() == 1 && a[0].name == b[0].name && c.witness.size() == 1;
  if (!c.always && !speaksOfOne)
    return std::nullopt;
  const auto word = [](bool truth) { return std::string(truth ? "true" : "false"); };
  const bool isFixed = m.dims.asConstant(was) && m.dims.asConstant(is);
  const std::string where =
      isFixed || c.witness.empty() ? "" : " where " + c.witness[0].first + " = " + std::to_string(c.witness[0].second);
  return Contradiction{v, "value", word(c.witnessA != 0) + where, word(c.witnessB != 0)};
}

} // namespace

void InferState::mergeNumber(NodeId n, ContentId recorded) {
  const ValueId result = m.result(n, 0);
  Value &v = m[result];
  const Dim was = m.content(recorded)[0];
  const Dim is = v.content && m.content(v.content).size() == 1 ? m.content(v.content)[0] : Dim();
  std::optional<Contradiction> found;
  if (was.known() && is.known() &&
      std::ranges::none_of(m.operands(n), [&](ValueId o) { return o && m[o].contradicted; })) {
    if (m.types[v.recorded].kind == ValueKind::SymBool)
      found = otherTruth(m, result, was, is);
    else if (isOtherNumber(m, n, was, is))
      found = Contradiction{result, "number", m.dims.str(was), m.dims.str(is)};
  }
  v.contradicted = found.has_value();
  // A tracer records what a comparison was for the sizes that it takes for granted; the operator compares at every run.
  const bool isTraced =
      m.types[v.recorded].kind == ValueKind::SymBool && m.dims.asConstant(was) && is.known() && !m.dims.asConstant(is);
  if (found)
    out.contradictions.push_back(std::move(*found));
  else if (!isTraced)
    v.content = recorded;
}

} // namespace condlint
