//===- OnnxVersions.cpp - What ONNX says of its operators -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxVersions.h"
#include "InferState.h"
#include "OnnxOpset.h"
#include "Words.h"
#include "graph/OnnxDomain.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace condlint {

/// An operator since one of its versions.
struct OnnxRow {
  std::uint8_t domain;
  std::string_view name;
  std::uint8_t since;
  bool withdrawn;
  std::uint16_t minInputs, maxInputs, minOutputs, maxOutputs; ///< 65535: no limit
  std::uint8_t signature;
  std::string_view attributes; ///< "axis=i scale=f! *", as onnx_versions.py writes them
};

namespace {

struct OnnxDomain {
  std::string_view name;
  std::int32_t newest; ///< the newest version the table knows
};
/// What an input may be: indices of masks of element types for each kind.
struct OnnxTypeSet {
  std::uint8_t masks[4]; ///< tensor, sequence, optional tensor, optional sequence
  bool other;            ///< something without words here (maps) is admitted as well
};
enum class Arity : std::uint8_t { Single, Optional, Variadic };
struct OnnxFormal {
  std::uint8_t types;
  std::uint8_t variable; ///< inputs with the same number have the same type; 255: on its own
  std::uint8_t arity;
};
struct OnnxSignature {
  std::uint16_t first, count;
};
constexpr std::uint16_t unlimited = 0xffff;

constexpr std::uint32_t bit(DType t) { return 1u << static_cast<unsigned>(t); }
constexpr std::uint32_t of(std::initializer_list<DType> types) {
  std::uint32_t mask = 0;
  for (DType t : types)
    mask |= bit(t);
  return mask;
}
using enum DType;
#include "OnnxVersions.inc"

/// Operators that lived in the main domain as experiments before version 10 and
/// were never part of a published version.
constexpr std::string_view experiments[] = {
    "ATen",        "Affine",          "ConstantFill",       "Crop",  "DynamicSlice", "GRUUnit", "GivenTensorFill",
    "ImageScaler", "LoopIndexTensor", "ParametricSoftplus", "Scale", "ScaledTanh",
};

std::optional<std::uint8_t> domainIndex(std::string_view name) {
  name = plainDomain(name);
  for (std::size_t i = 0; i < std::size(onnxDomains); ++i)
    if (onnxDomains[i].name == name)
      return static_cast<std::uint8_t>(i);
  return std::nullopt;
}

/// The rows of one operator, by version.
std::span<const OnnxRow> rowsOf(std::uint8_t domain, std::string_view name) {
  auto before = [](const OnnxRow &r, const std::pair<std::uint8_t, std::string_view> &key) {
    return r.domain != key.first ? r.domain < key.first : r.name < key.second;
  };
  const OnnxRow *first = std::lower_bound(std::begin(onnxRows), std::end(onnxRows), std::pair(domain, name), before);
  const OnnxRow *last = first;
  while (last != std::end(onnxRows) && last->domain == domain && last->name == name)
    ++last;
  return {first, last};
}

/// The row that holds at \p version: the last one not newer.
const OnnxRow *rowAt(std::span<const OnnxRow> rows, std::int64_t version) {
  const OnnxRow *found = nullptr;
  for (const OnnxRow &r : rows)
    if (r.since <= version)
      found = &r;
  return found;
}

/// The kind letter of the table for an attribute; 0 when it fits anything.
char letterOf(AttributeKind k) {
  switch (k) {
  case AttributeKind::Bool:
  case AttributeKind::Int:
  case AttributeKind::DType:
    return 'i';
  case AttributeKind::Float:
    return 'f';
  case AttributeKind::String:
    return 's';
  case AttributeKind::Bools:
  case AttributeKind::Ints:
  case AttributeKind::Dims:
    return 'I';
  case AttributeKind::Floats:
    return 'F';
  case AttributeKind::Strings:
    return 'S';
  case AttributeKind::Tensor:
    return 't';
  case AttributeKind::Tensors:
    return 'T';
  case AttributeKind::Region:
    return 'g';
  case AttributeKind::Regions:
    return 'G';
  case AttributeKind::Type:
    return 'p';
  default:
    return 0;
  }
}

std::string_view kindWord(char letter) {
  switch (letter) {
  case 'i':
    return "an int";
  case 'f':
    return "a float";
  case 's':
    return "a string";
  case 't':
    return "a tensor";
  case 'q':
    return "a sparse tensor";
  case 'g':
    return "a graph";
  case 'p':
    return "a type";
  case 'I':
    return "a list of ints";
  case 'F':
    return "a list of floats";
  case 'S':
    return "a list of strings";
  case 'T':
    return "a list of tensors";
  case 'G':
    return "a list of graphs";
  default:
    return "of another kind";
  }
}

/// An empty list is written like a list of any other kind; a sparse tensor is
/// read as a tensor.
bool kindFits(const Attribute &a, char expected) {
  char found = letterOf(a.kind);
  if (!found || found == expected)
    return true;
  if (expected == 'q')
    return found == 't';
  bool list = std::string_view("IFSTG").find(found) != std::string_view::npos;
  return list && a.list.count == 0 && std::string_view("IFSTGPQ").find(expected) != std::string_view::npos;
}

bool checkAttributes(InferContext &ctx, const OnnxRow &row, std::int64_t version) {
  bool sound = true;
  for (const Attribute &a : ctx.model().attributes(ctx.node())) {
    std::string_view name = ctx.model().text(a.name);
    // Names that start so are reserved for tools and carry no meaning.
    if (name.starts_with("__"))
      continue;
    std::string_view rest = row.attributes;
    bool listed = false;
    while (!rest.empty() && !listed) {
      std::string_view word = nextWord(rest);
      std::size_t mark = word.find('=');
      if (mark != name.size() || word.substr(0, mark) != name)
        continue;
      listed = true;
      if (a.kind == AttributeKind::None && std::string_view("tqgp").find(word[mark + 1]) != std::string_view::npos) {
        ctx.reject(fmt::format("the attribute '{}' of {} must be {}, but holds none", name, row.name,
                               kindWord(word[mark + 1])));
        sound = false;
        continue;
      }
      if (kindFits(a, word[mark + 1]))
        continue;
      ctx.reject(fmt::format("the attribute '{}' of {} must be {}, but is {}", name, row.name, kindWord(word[mark + 1]),
                             kindWord(letterOf(a.kind))));
      sound = false;
    }
    if (!listed && !row.attributes.ends_with('*')) {
      ctx.reject(fmt::format("{} has no attribute '{}' at version {}", row.name, name, version));
      sound = false;
    }
  }
  for (std::string_view rest = row.attributes; !rest.empty();) {
    std::string_view word = nextWord(rest);
    std::string_view name = word.substr(0, word.find('='));
    if (!word.ends_with('!') || ctx.hasAttribute(name))
      continue;
    ctx.reject(fmt::format("{} needs the attribute '{}'", row.name, name));
    sound = false;
  }
  return sound;
}

bool checkCount(InferContext &ctx, const OnnxRow &row, std::string_view what, std::size_t count, std::uint16_t least,
                std::uint16_t most) {
  if (count >= least && (most == unlimited || count <= most))
    return true;
  std::string wanted = most == unlimited ? fmt::format("at least {}", least)
                       : least == most   ? fmt::format("{}", least)
                                         : fmt::format("{} to {}", least, most);
  ctx.reject(fmt::format("{} takes {} {}{}, but has {}", row.name, wanted, what, wanted == "1" ? "" : "s", count));
  return false;
}

/// The element type of a value of any kind, and the index of its kind in
/// \c OnnxTypeSet::masks; 4 for a kind without a mask, 5 when unknown.
std::pair<unsigned, DType> describe(const Model &m, const Type &t) {
  auto item = [&](const Type &outer) -> const Type & { return m.types[outer.item]; };
  switch (t.kind) {
  case ValueKind::Unknown:
    return {5, DType::Unknown};
  case ValueKind::Tensor:
    return {0, t.element};
  case ValueKind::Sequence:
    if (!t.item)
      return {1, DType::Unknown};
    return item(t).isTensor() ? std::pair(1u, item(t).element) : std::pair(5u, DType::Unknown);
  case ValueKind::Optional: {
    if (!t.item)
      return {5, DType::Unknown};
    const Type &inner = item(t);
    if (inner.isTensor())
      return {2, inner.element};
    if (inner.kind == ValueKind::Sequence && inner.item && item(inner).isTensor())
      return {3, item(inner).element};
    return {5, DType::Unknown};
  }
  default:
    return {4, DType::Unknown};
  }
}

constexpr std::string_view kindWords[] = {"a tensor", "a sequence of tensors", "an optional tensor",
                                          "an optional sequence"};

std::string admitted(const OnnxTypeSet &set) {
  std::string text;
  for (unsigned kind = 0; kind < 4; ++kind) {
    std::uint32_t mask = onnxMasks[set.masks[kind]];
    if (!mask)
      continue;
    if (!text.empty())
      text += " or ";
    text += kindWords[kind];
    std::string names;
    for (unsigned t = 1; t <= static_cast<unsigned>(DType::String); ++t)
      if (mask & (1u << t))
        names += fmt::format("{}{}", names.empty() ? "" : ", ", dtypeName(static_cast<DType>(t)));
    text += fmt::format(" of {}", names);
  }
  return text;
}

bool checkInputs(InferContext &ctx, const OnnxRow &row) {
  bool sound = true;
  const Model &m = ctx.model();
  OnnxSignature signature = onnxSignatures[row.signature];
  std::span<const OnnxFormal> formals(onnxFormals + signature.first, signature.count);
  // What each type variable stands for: the first input that shows it.
  struct Bound {
    bool known = false;
    bool rejected = false; ///< one input was refused: the others share the cause
    unsigned kind = 0;
    DType element = DType::Unknown;
    std::size_t input = 0;
  };
  std::array<Bound, 16> bounds;
  for (std::size_t i = 0; i < ctx.operandCount(); ++i) {
    if (formals.empty())
      break;
    const OnnxFormal &f = formals[std::min(i, formals.size() - 1)];
    if (!ctx.has(i)) {
      // The schemas of loops leave their variadic inputs to their bodies.
      const auto arity = static_cast<Arity>(f.arity);
      const bool isVariadic = arity == Arity::Variadic && f.variable != 255;
      if ((i < formals.size() && arity == Arity::Single) || isVariadic) {
        ctx.reject(fmt::format("{} needs its input {}", row.name, i), i);
        sound = false;
      }
      continue;
    }
    auto [kind, element] = describe(m, ctx.type(i));
    if (kind == 5)
      continue;
    const OnnxTypeSet &set = onnxTypeSets[f.types];
    if (kind == 4 ? set.other : (set.other && onnxMasks[set.masks[kind]] == 0))
      continue;
    if (kind == 4 || onnxMasks[set.masks[kind]] == 0) {
      ctx.reject(fmt::format("input {} of {} must be {}, but is {}", i, row.name, admitted(set),
                             kind < 4 ? kindWords[kind] : kindName(ctx.type(i).kind)),
                 i);
      sound = false;
      continue;
    }
    // A sparse initializer is a dense tensor that is stored so; of a sparse type only what comes from outside is.
    if (ctx.type(i).layout == Layout::SparseCoo && m[ctx.operand(i)].origin != ValueOrigin::Constant) {
      ctx.reject(fmt::format("input {} of {} must be {}, but is a sparse tensor", i, row.name, admitted(set)), i);
      sound = false;
      continue;
    }
    if (element == DType::Unknown)
      continue;
    if (!(onnxMasks[set.masks[kind]] & bit(element))) {
      sound = false;
      if (f.variable < bounds.size() && std::exchange(bounds[f.variable].rejected, true))
        continue;
      ctx.reject(fmt::format("input {} of {} must be {}, but is {}", i, row.name, admitted(set), dtypeName(element)),
                 i);
      continue;
    }
    if (f.variable >= bounds.size())
      continue;
    Bound &b = bounds[f.variable];
    if (!b.known) {
      b = {true, b.rejected, kind, element, i};
    } else if (b.kind == kind && b.element != element && !std::exchange(b.rejected, true)) {
      ctx.reject(fmt::format("inputs {} and {} of {} must have one element type, but are {} and {}", b.input, i,
                             row.name, dtypeName(b.element), dtypeName(element)),
                 i);
      sound = false;
    }
  }
  return sound;
}

} // namespace

std::optional<bool> onnxOperatorExists(std::string_view domain, std::string_view name, std::int64_t version) {
  std::optional<std::uint8_t> d = domainIndex(domain);
  if (!d || version < 0)
    return std::nullopt;
  std::span<const OnnxRow> rows = rowsOf(*d, name);
  if (rows.empty()) {
    // A newer version than the table's may have brought it.
    if (version > onnxDomains[*d].newest)
      return std::nullopt;
    if (*d == 0 && version < 10 && std::ranges::find(experiments, name) != std::end(experiments))
      return std::nullopt;
    return false;
  }
  const OnnxRow *row = rowAt(rows, version);
  if (!row)
    return false;
  // Withdrawn from the start: it was valid when that version was current.
  if (row->withdrawn && row == rows.data())
    return std::nullopt;
  return !row->withdrawn;
}

std::size_t onnxSingleOutputs(std::string_view domain, std::string_view name, std::int64_t version) {
  const std::optional<std::uint8_t> d = domainIndex(domain);
  const OnnxRow *row =
      d && version >= 0 && version <= onnxDomains[*d].newest ? rowAt(rowsOf(*d, name), version) : nullptr;
  return row && row->maxOutputs != unlimited ? row->minOutputs : 0;
}

std::optional<std::int64_t> onnxRuntimeNewest(std::string_view domain) {
  struct Row {
    std::string_view domain;
    std::int64_t version;
  };
  static constexpr std::array<Row, 10> rows{{{"", 28},
                                             {"ai.onnx.ml", 5},
                                             {"ai.onnx.preview", 1},
                                             {"ai.onnx.preview.training", 1},
                                             {"ai.onnx.training", 1},
                                             {"com.microsoft", 1},
                                             {"com.microsoft.experimental", 1},
                                             {"com.microsoft.nchwc", 1},
                                             {"com.ms.internal.nhwc", 28},
                                             {"org.pytorch.aten", 1}}};
  const auto row = std::ranges::find(rows, domain, &Row::domain);
  return row == rows.end() ? std::nullopt : std::optional(row->version);
}

std::optional<std::int64_t> onnxSinceVersion(std::string_view domain, std::string_view name, std::int64_t version) {
  const std::optional<std::uint8_t> d = domainIndex(domain);
  if (!d || version < 0 || version > onnxDomains[*d].newest)
    return std::nullopt;
  const std::span<const OnnxRow> rows = rowsOf(*d, name);
  if (rows.empty())
    return std::nullopt;
  const OnnxRow *row = rowAt(rows, version);
  return row ? row->since : 0;
}

std::optional<std::string> onnxMisfit(Model &m, NodeId n, std::int64_t version) {
  const Operator &op = m[m[n].op];
  const std::optional<std::uint8_t> d = domainIndex(m.text(op.domain));
  if (op.dialect != Dialect::Onnx || !d || version < 0 || version > onnxDomains[*d].newest)
    return std::nullopt;
  const OnnxRow *row = rowAt(rowsOf(*d, m.text(op.name)), version);
  if (!row)
    return std::nullopt;
  Inference found;
  InferState state(m, found);
  InferContext ctx(m, n, &state);
  if (checkCount(ctx, *row, "input", ctx.operandCount(), row->minInputs, row->maxInputs) &&
      checkCount(ctx, *row, "output", ctx.resultCount(), row->minOutputs, row->maxOutputs) &&
      checkAttributes(ctx, *row, version))
    return std::nullopt;
  return found.invalid.front().message;
}

const OnnxSchemas::Schema &OnnxSchemas::of(const Model &m, OperatorId id) {
  if (schemas.size() < m.operatorCount())
    schemas.resize(m.operatorCount());
  Schema &s = schemas[id.index()];
  if (std::exchange(s.known, true))
    return s;
  const Operator &op = m[id];
  const std::string_view name = m.text(op.name);
  const std::optional<std::uint8_t> d = domainIndex(m.text(op.domain));
  if (!d || op.version < 0 || op.version > onnxDomains[*d].newest || (*d == 0 && name == "If"))
    return s;
  s.row = rowAt(rowsOf(*d, name), op.version);
  s.limited = s.row && hasOnnxLimits(name, s.row->attributes);
  return s;
}

bool OnnxSchemas::fits(InferContext &ctx) {
  if (!ctx.isOnnx())
    return true;
  const Schema &schema = of(ctx.model(), ctx.model()[ctx.node()].op);
  if (!schema.row)
    return true;
  const OnnxRow &row = *schema.row;
  // Where one too few is given, what each of the others is meant to be is not known.
  bool sound = checkCount(ctx, row, "input", ctx.operandCount(), row.minInputs, row.maxInputs) && checkInputs(ctx, row);
  sound &= checkCount(ctx, row, "output", ctx.resultCount(), row.minOutputs, row.maxOutputs);
  sound &= checkAttributes(ctx, row, ctx.version());
  return sound && (!schema.limited || checkOnnxLimits(ctx));
}

} // namespace condlint
