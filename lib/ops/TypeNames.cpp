//===- TypeNames.cpp - Types of which only a name is known ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++ source seldom says what its tensors are, and yet `x.sin()` and `x.cos()` are
// alike whatever x is. A facet of a result that is not known gets a name made of what
// decides it: how it follows from the operands, and what theirs is or is called. Equal
// names, equal facets. What nothing decides is named after its value.
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Elementwise.h"
#include "InferState.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace condlint {

namespace {

using Texts = std::vector<std::string>;

/// What is laid out alike begins its name with this, so that laying it out once more
/// changes nothing.
constexpr std::string_view densePrefix = "dense|";

/// Operators whose results are as large as the numbers say, beside those whose schema
/// or whose sizes say so.
bool sizedByData(std::string_view name) {
  constexpr auto names = std::to_array<std::string_view>(
      {"_indices", "_pack_padded_sequence", "_pad_packed_sequence", "_values", "argwhere", "bincount", "ccol_indices",
       "col_indices", "crow_indices", "index", "indices", "item", "masked_select", "nonzero", "one_hot",
       "repeat_interleave", "row_indices", "tensor_split", "values"});
  static_assert(std::ranges::is_sorted(names));
  return std::ranges::binary_search(names, name) || name.starts_with("unique") || name.starts_with("_unique") ||
         name.find("nested") != name.npos;
}

/// Operators whose sizes hang on the element type too.
bool sizedByElements(std::string_view name, bool hasDtype) {
  return (name == "view" && hasDtype) || name.starts_with("view_as_") || name.find("fft") != name.npos ||
         name.find("quant") != name.npos || name.starts_with("istft") || name.starts_with("_convert");
}

/// Elementwise operators that lay their results out in a way of their own (measured
/// with torch 2.13).
bool liesDifferently(std::string_view name) {
  constexpr auto names =
      std::to_array<std::string_view>({"angle", "bernoulli", "isin", "ldexp", "log_sigmoid", "mvlgamma", "normal",
                                       "poisson", "polar", "rrelu", "special_multigammaln"});
  static_assert(std::ranges::is_sorted(names));
  return std::ranges::binary_search(names, name);
}

/// Operators on two tensors that look at both as what they promote to (measured).
bool looksAtBoth(std::string_view name) {
  constexpr auto names = std::to_array<std::string_view>(
      {"add",        "bitwise_and", "bitwise_or", "bitwise_xor", "eq",      "floor_divide", "fmax",
       "fmin",       "fmod",        "ge",         "gt",          "hypot",   "le",           "logical_and",
       "logical_or", "logical_xor", "lt",         "maximum",     "minimum", "mul",          "multiply",
       "ne",         "remainder",   "sub",        "subtract"});
  static_assert(std::ranges::is_sorted(names));
  return std::ranges::binary_search(names, name);
}

/// Operators that yield their first operand's device or another's.
bool movesTo(std::string_view name) {
  return name == "to" || name == "_to_copy" || name == "type_as" || name == "copy" || name == "set_data";
}

bool allKnown(std::span<const Dim> dims) {
  return std::ranges::all_of(dims, [](Dim d) { return d.known(); });
}

void addDims(std::string &text, std::span<const Dim> dims) {
  for (Dim d : dims)
    text += ',' + std::to_string(d.index);
}

std::string called(StringId name) { return 'n' + std::to_string(name.index()); }

/// The number behind \p prefix, which \p text begins with, if it does.
std::optional<std::uint32_t> numberBehind(std::string_view text, std::string_view prefix) {
  std::uint32_t index = 0;
  if (!text.starts_with(prefix) ||
      std::from_chars(text.data() + prefix.size(), text.data() + text.size(), index).ec != std::errc())
    return std::nullopt;
  return index;
}

/// The name that \p text is, if it is one.
StringId nameIn(std::string_view text) {
  const auto index = numberBehind(text, "n");
  return index ? StringId(*index) : StringId();
}

/// What the name of a value's own shape begins with.
constexpr std::string_view shapePrefix = "shape of ";

// A facet of a type as text: what it is, or what it is called; empty when neither.

std::string shapeText(const Type &t) {
  if (t.names.shape)
    return called(t.names.shape);
  if (!t.hasRank || !allKnown(t.dims))
    return {};
  std::string text = "s";
  addDims(text, t.dims);
  return text;
}

std::string elementText(const Type &t) {
  return t.names.element               ? called(t.names.element)
         : t.element != DType::Unknown ? 'e' + std::to_string(static_cast<int>(t.element))
                                       : std::string();
}

std::string deviceText(const Type &t) {
  return t.names.device ? called(t.names.device)
         : t.device     ? 'd' + std::to_string(t.device.index()) + ':' + std::to_string(t.deviceIndex)
                        : std::string();
}

std::string memoryText(const Model &m, const Type &t) {
  if (t.names.memory)
    return called(t.names.memory);
  // A stride that nobody knows has a symbol of its own, which says nothing.
  const auto anonymous = [&](Dim d) { return m.dims.mentions(d, SymbolOrigin::Anonymous); };
  if (t.layout == Layout::Unknown || !t.hasStrides || !allKnown(t.strides) || !t.storageOffset.known() ||
      std::ranges::any_of(t.strides, anonymous))
    return {};
  std::string text = 'm' + std::to_string(static_cast<int>(t.layout)) + '@' + std::to_string(t.storageOffset.index);
  addDims(text, t.strides);
  return text;
}

/// A number as text that no other has.
std::string exactly(double v) { return std::to_string(std::bit_cast<std::uint64_t>(v)); }

/// The arguments of \p n as text, a `t` for each tensor; nothing when one is not known.
std::optional<std::string> argumentsText(const InferState &state, NodeId n) {
  const Model &m = state.m;
  std::string text;
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Location || a.kind == AttributeKind::Locations || a.kind == AttributeKind::None)
      continue;
    text += ';' + std::to_string(a.name.index()) + '/' + std::to_string(static_cast<int>(a.kind)) + '=';
    const auto values = [&](std::uint32_t count) {
      for (std::uint32_t i = a.list.first; i < a.list.first + count; ++i) {
        const ValueId v = i < m.operands(n).size() ? m.operands(n)[i] : ValueId();
        if (!v || state.typeOf(v).isTensor()) {
          text += v ? "t" : "-";
          continue;
        }
        const ContentId content = m[v].content;
        if (!content || m.content(content).size() != 1 || !m.content(content)[0].known())
          return false;
        text +=
            std::to_string(static_cast<int>(state.typeOf(v).kind)) + 'c' + std::to_string(m.content(content)[0].index);
      }
      return true;
    };
    switch (a.kind) {
    case AttributeKind::Operand:
      if (!values(1))
        return std::nullopt;
      break;
    case AttributeKind::Operands:
      if (!values(a.list.count))
        return std::nullopt;
      break;
    case AttributeKind::Bools:
    case AttributeKind::Ints:
      for (std::int64_t i : m.ints(a.list))
        text += ',' + std::to_string(i);
      break;
    case AttributeKind::Dims:
      if (!allKnown(m.dimsIn(a.list)))
        return std::nullopt;
      addDims(text, m.dimsIn(a.list));
      break;
    case AttributeKind::Floats:
    case AttributeKind::Complex:
      for (double d : m.reals(a.list))
        text += ',' + exactly(d);
      break;
    case AttributeKind::Float:
      text += exactly(a.real);
      break;
    case AttributeKind::String:
    case AttributeKind::Device:
      text += std::to_string(a.text.index()) + ' ' + std::to_string(a.number);
      break;
    case AttributeKind::Bool:
    case AttributeKind::Int:
    case AttributeKind::DType:
    case AttributeKind::Layout:
    case AttributeKind::MemoryFormat:
      text += std::to_string(a.number);
      break;
    default:
      return std::nullopt;
    }
  }
  return text;
}

/// The arguments that say which axes of one operand are reduced, and how.
std::optional<std::string> axesText(const Model &m, NodeId n) {
  std::string text = "reduce";
  if (const Attribute *dim = m.attribute(n, "dim")) {
    if (dim->kind == AttributeKind::Int) {
      text += ',' + std::to_string(dim->number);
    } else if (dim->kind == AttributeKind::Ints) {
      for (std::int64_t i : m.ints(dim->list))
        text += ',' + std::to_string(i);
    } else {
      return std::nullopt;
    }
  }
  if (const Attribute *keep = m.attribute(n, "keepdim")) {
    if (keep->kind != AttributeKind::Bool && keep->kind != AttributeKind::Int)
      return std::nullopt;
    if (keep->number != 0)
      text += ";keep";
  }
  return text;
}

/// What operands promote to; nothing when one of them is not known at all.
std::optional<std::string> promotionText(const InferState &state, NodeId n) {
  const Model &m = state.m;
  Texts of;
  for (const Attribute &a : m.attributes(n)) {
    const std::string_view name = m.text(a.name);
    if (name == "alpha" || name == "value" || name == "rounding_mode" || name == "dim" ||
        a.kind == AttributeKind::Locations || a.kind == AttributeKind::Location)
      continue;
    if (a.kind == AttributeKind::Operands)
      continue; // tensors
    if (a.kind == AttributeKind::Operand) {
      const ValueId v = m.operands(n)[a.list.first];
      if (!v)
        return std::nullopt;
      const Type &t = state.typeOf(v);
      if (t.isTensor())
        continue; // below
      of.push_back('k' + std::to_string(static_cast<int>(t.kind)));
    } else if (a.kind == AttributeKind::Bool || a.kind == AttributeKind::Int || a.kind == AttributeKind::Float ||
               a.kind == AttributeKind::Complex) {
      of.push_back('a' + std::to_string(static_cast<int>(a.kind)));
    } else {
      return std::nullopt;
    }
  }
  std::ranges::sort(of);
  std::string text = "promote";
  for (const std::string &s : of)
    text += '|' + s;
  return text;
}

void removeRepeats(Texts &list) {
  Texts once;
  for (std::string &s : list)
    if (std::ranges::find(once, s) == once.end())
      once.push_back(std::move(s));
  list = std::move(once);
}

std::string withAll(std::string text, const Texts &list) {
  for (const std::string &s : list)
    text += '|' + s;
  return text;
}

/// What is known of the operands of one node, each facet as text.
struct Operands {
  Texts shapes, elements, devices, memories;
};

} // namespace

/// Names what is not known of the results of one node.
class InferState::ResultNames {
public:
  ResultNames(InferState &s, NodeId node, const InferContext &context)
      : state(s), m(s.m), n(node), ctx(context), op(m[m[n].op]), name(m.text(op.name)) {}

  /// False when something is known too little of an operand to decide a result by it.
  bool readOperands();
  /// Names the facets of \p t, the result at \p index, that are not known.
  void complete(std::size_t index, Type &t) const;

private:
  std::optional<Operands> read(std::span<const ValueId> values) const;
  StringId intern(const std::string &text) const { return m.strings.intern(text); }
  /// A facet of this operator's own making, decided by everything in \p lists.
  StringId own(std::size_t index, std::string_view facet, std::initializer_list<const Texts *> lists) const;
  bool hasSizesOfItsOwn() const { return op.effects->dynamicShape() || sizedByData(name); }
  bool isShapedBy(InferContext::ShapeRule rule) const { return ctx.shapeRule == rule; }

  StringId shapeOf(std::size_t index) const;
  StringId elementOf(std::size_t index) const;
  StringId deviceOf(std::size_t index) const;
  StringId memoryOf(std::size_t index, const Type &t) const;
  /// The shapes and memories that an elementwise result is laid out after; nothing
  /// where it is laid out in a way of its own.
  std::optional<Texts> laidOutAfter() const;

  InferState &state;
  Model &m;
  NodeId n;
  const InferContext &ctx;
  const Operator &op;
  std::string_view name;
  Operands all;     ///< every operand
  Operands shaping; ///< those that decide the sizes
  std::optional<std::string> arguments;
};

std::optional<Operands> InferState::ResultNames::read(std::span<const ValueId> values) const {
  Operands o;
  for (ValueId v : values) {
    if (!v)
      continue;
    const Type &t = m.types[state.named(v)];
    if (t.kind == ValueKind::Unknown)
      return std::nullopt;
    if (!t.isTensor())
      continue;
    o.shapes.push_back(shapeText(t));
    o.elements.push_back(elementText(t));
    o.devices.push_back(deviceText(t));
    o.memories.push_back(memoryText(m, t));
    for (const Texts *facet : {&o.shapes, &o.elements, &o.devices, &o.memories})
      if (facet->back().empty())
        return std::nullopt;
  }
  return o;
}

bool InferState::ResultNames::readOperands() {
  const auto every = read(m.operands(n));
  const auto deciding = isShapedBy(InferContext::ShapeRule::Own) ? every : read(ctx.shapeOperands);
  if (!every || !deciding || (deciding->shapes.empty() && !isShapedBy(InferContext::ShapeRule::RowMajor)))
    return false;
  all = *every;
  shaping = *deciding;
  arguments = argumentsText(state, n);
  return true;
}

StringId InferState::ResultNames::own(std::size_t index, std::string_view facet,
                                      std::initializer_list<const Texts *> lists) const {
  if (!arguments)
    return {};
  std::string text = m.operatorName(m[n].op) + *arguments + '#' + std::to_string(index) + std::string(facet);
  for (const Texts *list : lists)
    text = withAll(std::move(text) + '/', *list);
  return intern(text);
}

StringId InferState::ResultNames::shapeOf(std::size_t index) const {
  if (isShapedBy(InferContext::ShapeRule::Broadcast)) {
    Texts shapes = shaping.shapes;
    std::erase(shapes, "s"); // numbers broadcast to anything
    std::ranges::sort(shapes);
    removeRepeats(shapes);
    if (shapes.size() == 1)
      if (const auto alone = nameIn(shapes[0]))
        return alone;
    return intern(withAll("broadcast", shapes));
  }
  if (isShapedBy(InferContext::ShapeRule::RowMajor))
    return shaping.shapes.empty() ? StringId() : nameIn(shaping.shapes.front());
  if (hasSizesOfItsOwn())
    return {};
  if (isShapedBy(InferContext::ShapeRule::Reduce)) {
    const auto axes = axesText(m, n);
    return axes ? intern(withAll(*axes, shaping.shapes)) : StringId();
  }
  return sizedByElements(name, m.attribute(n, "dtype") != nullptr) ? own(index, "shape", {&all.shapes, &all.elements})
                                                                   : own(index, "shape", {&all.shapes});
}

StringId InferState::ResultNames::elementOf(std::size_t index) const {
  StringId what;
  if (const auto promotion = ctx.promotes ? promotionText(state, n) : std::nullopt) {
    // Tensors of rank 0 promote less.
    Texts of;
    for (std::size_t i = 0; i < all.elements.size(); ++i)
      of.push_back(all.elements[i] + '^' + all.shapes[i]);
    if (of.size() == 2)
      std::ranges::sort(of);
    what = intern(withAll(*promotion, of));
  } else {
    what = own(index, "element", {&all.elements, &all.shapes});
  }
  return what ? intern(elementName('p' + std::to_string(what.index()))) : StringId();
}

StringId InferState::ResultNames::deviceOf(std::size_t index) const {
  if (const Attribute *given = m.attribute(n, "device"); given && given->kind != AttributeKind::None)
    return own(index, "device", {&all.devices});
  Texts devices = all.devices;
  removeRepeats(devices);
  if (index != 0 || (devices.size() > 1 && movesTo(name)))
    return own(index, "device", {&all.devices, &all.shapes});
  if (devices.size() == 1)
    if (const auto alone = nameIn(devices[0]))
      return alone;
  if (devices.empty())
    return {};
  // Of two that work together one is the host, which the result leaves.
  std::ranges::sort(devices);
  return intern(withAll("devices", devices));
}

std::optional<Texts> InferState::ResultNames::laidOutAfter() const {
  const Attribute *self = m.attribute(n, "self");
  const bool startsWithNumber = self && self->kind != AttributeKind::Operand; // 2 ** x: in its own way
  if (!ctx.dense || !isShapedBy(InferContext::ShapeRule::Broadcast) || liesDifferently(name) || startsWithNumber)
    return std::nullopt;
  Texts list; // sizes and strides; what is only a number does not count
  for (std::size_t i = 0; i < shaping.shapes.size(); ++i)
    if (shaping.shapes[i] != "s")
      list.push_back(shaping.shapes[i] + '@' + shaping.memories[i]);
  removeRepeats(list);
  if (list.size() < 2)
    return list;
  // What was made of another operand by laying it out adds nothing to that.
  Texts once = list;
  std::erase_if(once, [&](const std::string &s) {
    const std::size_t at = s.find("@n");
    return at != s.npos && std::ranges::any_of(list, [&](const std::string &other) {
             return other != s && called(intern(std::string(densePrefix) + other)) == s.substr(at + 1);
           });
  });
  return once;
}

StringId InferState::ResultNames::memoryOf(std::size_t index, const Type &t) const {
  // Whatever is reduced, the result is row-major.
  const bool isRowMajor = isShapedBy(InferContext::ShapeRule::Reduce) ||
                          (isShapedBy(InferContext::ShapeRule::RowMajor) && t.layout == Layout::Strided);
  if (const std::string shape = shapeText(t); isRowMajor && !shape.empty())
    return intern("rows|" + shape);
  const auto lying = laidOutAfter();
  if (lying && lying->size() == 1) {
    const std::size_t at = (*lying)[0].find('@');
    if (const auto memory = nameIn((*lying)[0].substr(at + 1)); memory && m.text(memory).starts_with(densePrefix))
      return memory;
    return intern(std::string(densePrefix) + (*lying)[0]);
  }
  if (lying && lying->size() == 2 && looksAtBoth(name))
    return intern(withAll("both", *lying));
  return hasSizesOfItsOwn() ? StringId()
                            : own(index, "memory", {&all.shapes, &all.elements, &all.devices, &all.memories});
}

void InferState::ResultNames::complete(std::size_t index, Type &t) const {
  if (shapeText(t).empty())
    t.names.shape = shapeOf(index);
  if (elementText(t).empty())
    t.names.element = elementOf(index);
  if (deviceText(t).empty())
    t.names.device = deviceOf(index);
  if (memoryText(m, t).empty())
    t.names.memory = memoryOf(index, t);
}

ValueId shapeOwner(std::string_view shape) {
  const auto index = numberBehind(shape, shapePrefix);
  return index ? ValueId(*index) : ValueId();
}

bool InferState::isOne(ValueId v) const {
  // What is written in place or assumed of such a tensor is written and assumed of any.
  constexpr std::size_t most = 64;
  std::vector<ValueId> open{v};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const NodeId def = m[open[i]].origin == ValueOrigin::Result ? m[open[i]].def : NodeId();
    if (!def)
      continue;
    if (has(m, def, attr::unsized) || open.size() > most)
      return false;
    const Operator &op = m[m[def].op];
    if (m.text(op.domain) != cxxDomain && !m.text(op.name).ends_with('_') && !m.attribute(def, "out"))
      continue;
    for (ValueId w : m.operands(def))
      if (w && std::ranges::find(open, w) == open.end())
        open.push_back(w);
  }
  return true;
}

TypeId InferState::named(ValueId v) {
  const TypeId id = effective(v);
  if (m.info.format != Format::Cxx || !m.types[id].isTensor() || !isOne(v))
    return id;
  Type t = m.types[id];
  const std::string value = std::to_string(v.index());
  if (shapeText(t).empty())
    t.names.shape = m.strings.intern(std::string(shapePrefix) + value);
  if (deviceText(t).empty())
    t.names.device = m.strings.intern("device of " + value);
  if (memoryText(m, t).empty())
    t.names.memory = m.strings.intern("memory of " + value);
  if (elementText(t).empty())
    t.names.element = m.strings.intern(elementName(value));
  return m.types.intern(t);
}

void InferState::dropNames(const Operator &op) {
  if (m.text(op.domain) == cxxDomain) // these say what they keep
    return;
  for (TypeId &id : pending)
    if (id && m.types[id].names != TypeNames()) {
      Type t = m.types[id];
      t.names = {};
      id = m.types.intern(t);
    }
}

void InferState::nameShapes(NodeId n, const InferContext &ctx) {
  Texts shapes;
  for (const ValueId v : ctx.shapeOperands)
    shapes.push_back(v ? shapeText(m.types[named(v)]) : std::string());
  std::ranges::sort(shapes);
  removeRepeats(shapes);
  const bool follows = !shapes.empty() && !shapes.front().empty();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!pending[i] || !m.types[pending[i]].isTensor() || !shapeText(m.types[pending[i]]).empty())
      continue;
    Type t = m.types[pending[i]];
    const StringId alone = i == 0 && follows && shapes.size() == 1 ? nameIn(shapes.front()) : StringId();
    t.names.shape =
        alone ? alone
              : m.strings.intern(i == 0 && follows ? withAll("broadcast", shapes)
                                                   : std::string(shapePrefix) + std::to_string(m.result(n, i).index()));
    pending[i] = m.types.intern(t);
  }
}

void InferState::nameResults(NodeId n, const InferContext &ctx) {
  const Operator &op = m[m[n].op];
  if (op.dialect == Dialect::TensorRT && m.text(op.domain) != cxxDomain)
    return nameShapes(n, ctx);
  if (m.text(op.domain) == cxxDomain || !op.effects || has(op.definition->traits, OpTrait::Opaque) || isInPlace(ctx) ||
      m.attribute(n, "out") || has(m, n, attr::unsized) || has(m, n, attr::open))
    return; // what is written keeps what it is called
  ResultNames names(*this, n, ctx);
  if (!names.readOperands())
    return;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (!pending[i] || !m.types[pending[i]].isTensor())
      continue;
    Type t = m.types[pending[i]];
    names.complete(i, t);
    pending[i] = m.types.intern(t);
  }
}

} // namespace condlint
