//===- TensorReader.cpp - TensorProto to constants --------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TensorReader.h"
#include "Proto.h"
#include "TypeReader.h"
#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>

namespace condlint::onnx {

namespace {

/// Bytes of raw data that are kept in view, and numbers that are read: enough for
/// shapes, axes, indices and scalars.
constexpr std::size_t smallBytes = 4096;
constexpr std::size_t smallNumbers = 1024;
/// Packed varints are counted up to here, so that cost follows the graph.
constexpr std::size_t countedBytes = std::size_t{1} << 20;

/// Product of the dimensions; nothing on overflow.
std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t> &shape) {
  std::uint64_t n = 1;
  for (std::int64_t d : shape)
    if (d == 0)
      return 0;
  for (std::int64_t d : shape)
    if (__builtin_mul_overflow(n, static_cast<std::uint64_t>(d), &n) || n > (std::uint64_t{1} << 62))
      return std::nullopt;
  return n;
}

/// Bytes of \p count elements, sub-byte ones packed; nothing on overflow.
std::optional<std::uint64_t> byteCount(std::uint64_t count, DType t) {
  const std::uint64_t bits = dtypeBits(t);
  std::uint64_t total = 0;
  if (bits >= 8)
    return __builtin_mul_overflow(count, bits / 8, &total) ? std::nullopt : std::optional(total);
  return bits == 0 ? std::optional<std::uint64_t>(0) : count / (8 / bits) + (count % (8 / bits) != 0 ? 1 : 0);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return n;
}

bool isInteger(DType t) { return isIntegral(t) || t == DType::Bool; }

} // namespace

std::string_view TensorReader::nameOf(std::string_view bytes, bool sparse) {
  std::string_view name;
  for (WireReader r(bytes); r.next();) {
    if (!sparse && r.key() == lengthKey(tensorProto::name))
      name = r.bytes();
    else if (sparse && r.key() == lengthKey(sparseProto::values))
      name = nameOf(r.bytes(), false);
  }
  return name;
}

void TensorReader::collectNumbers(Fields &f, const WireReader &r, Store store) {
  const bool packed = (r.key() & 7) == 2;
  if (packed && r.bytes().empty())
    return;
  std::uint64_t &count = f.countIn(store);
  if (!packed) {
    ++count;
    if (numbers.size() <= smallNumbers)
      numbers.push_back(r.integer());
    return;
  }
  if (r.bytes().size() > countedBytes) {
    f.countKnown = false;
    count += r.bytes().size();
    numbers.resize(smallNumbers + 1);
    if ((static_cast<unsigned char>(r.bytes().back()) & 0x80u) != 0)
      throw WireError{r.at(), "a run of numbers that ends inside one"};
    return;
  }
  const std::uint64_t n = countVarints(r.bytes());
  count += n;
  if (numbers.size() + n > smallNumbers)
    numbers.resize(smallNumbers + 1);
  else
    forEachVarint(r.bytes(), [&](std::int64_t v) { numbers.push_back(v); });
}

void TensorReader::collectFixed(Fields &f, const WireReader &r, Store store, std::size_t width) {
  if ((r.key() & 7) != 2) {
    f.inPieces = true;
    ++f.countIn(store);
    return;
  }
  if (r.bytes().empty())
    return;
  if (r.bytes().size() % width != 0)
    throw WireError{r.at(), "a run of numbers that ends inside one"};
  std::uint64_t &count = f.countIn(store);
  f.inPieces = f.inPieces || count != 0;
  count += r.bytes().size() / width;
  f.payload = r.bytes();
}

TensorReader::Fields TensorReader::collect(std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  Fields f;
  f.message = bytes;
  shape.clear();
  numbers.clear();
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case varintKey(tensorProto::dims):
      shape.push_back(r.integer());
      break;
    case lengthKey(tensorProto::dims):
      forEachVarint(r.bytes(), [&](std::int64_t v) { shape.push_back(v); });
      break;
    case varintKey(tensorProto::dataType):
      f.dataType = r.enumerator();
      f.hasType = true;
      break;
    case lengthKey(tensorProto::segment):
      c.reach(depth + 1);
      for (WireReader s(r.bytes()); s.next();)
        c.skip(s, 0, depth + 1, "TensorProto.Segment");
      break;
    case lengthKey(tensorProto::floatData):
    case fixed32Key(tensorProto::floatData):
      collectFixed(f, r, Floats, 4);
      break;
    case lengthKey(tensorProto::doubleData):
    case fixed64Key(tensorProto::doubleData):
      collectFixed(f, r, Doubles, 8);
      break;
    case lengthKey(tensorProto::int32Data):
    case varintKey(tensorProto::int32Data):
      collectNumbers(f, r, Int32s);
      break;
    case lengthKey(tensorProto::int64Data):
    case varintKey(tensorProto::int64Data):
      collectNumbers(f, r, Int64s);
      break;
    case lengthKey(tensorProto::uint64Data):
    case varintKey(tensorProto::uint64Data):
      collectNumbers(f, r, Uint64s);
      break;
    case lengthKey(tensorProto::stringData):
      ++f.countIn(Strings);
      break;
    case lengthKey(tensorProto::rawData):
      f.hasRaw = true;
      if (!r.bytes().empty()) {
        f.stores |= Raw;
        f.payload = f.raw = r.bytes();
      }
      break;
    case lengthKey(tensorProto::name):
      f.name = r.bytes();
      break;
    case lengthKey(tensorProto::docString):
      break;
    case lengthKey(tensorProto::externalData): {
      const Entry e = readEntry(c, r.bytes(), depth + 1);
      if (e.key == "location") {
        f.location = e.value;
        f.hasLocation = true;
      } else if (e.key == "offset") {
        f.offset = e.value;
      } else if (e.key == "length") {
        f.length = e.value;
      }
      break;
    }
    case varintKey(tensorProto::dataLocation):
      f.isExternal = r.value() == 1;
      break;
    case lengthKey(tensorProto::metadata):
      readEntry(c, r.bytes(), depth + 1);
      break;
    default:
      f.wrongType = f.wrongType || r.number() == tensorProto::dataType;
      c.skip(r, tensorProto::known, depth, "TensorProto");
    }
  }
  return f;
}

void TensorReader::problem(const Fields &f, std::string message) {
  sound = false;
  c.report(FormatIssue::Kind::Malformed, f.message.data(),
           f.name.empty() ? "a tensor " + message : fmt::format("the tensor {} {}", quoted(f.name), message));
}

TypeId TensorReader::typeOf(const Fields &f, Layout layout) {
  Type t;
  t.kind = ValueKind::Tensor;
  t.element = dtypeOfOnnx(f.dataType).value_or(DType::Unknown);
  t.layout = layout;
  t.hasRank = true;
  dims.clear();
  for (std::int64_t d : shape)
    dims.push_back(d < 0 ? Dim() : m.dims.constant(d));
  t.dims = dims;
  return m.types.intern(t);
}

Constant TensorReader::build(const Fields &f) {
  sound = true;
  tooMuch = false;
  doubled.reset();
  wrong.reset();
  const std::size_t issues = m.issues.size();
  Constant constant;
  constant.name = m.strings.internStable(f.name);
  constant.message = f.message;
  constant.type = typeOf(f, Layout::Unknown);
  check(f, constant);
  if (m.issues.size() > issues && m.types[constant.type].element != DType::Unknown)
    wrong = issues;
  if (!sound && !f.isExternal) {
    // Sizes that the data contradicts are nobody's; the operators that read the
    // tensor would only repeat what has been reported here.
    Type unsized = m.types[constant.type];
    dims.assign(shape.size(), Dim());
    unsized.dims = dims;
    constant.type = m.types.intern(unsized);
  }
  return constant;
}

TensorReader::Home TensorReader::homeOf(DType t, std::uint64_t count, std::uint64_t bytes) {
  switch (t) {
  case DType::Float32:
    return {Floats, count};
  case DType::Complex64:
    return {Floats, count * 2};
  case DType::Float64:
    return {Doubles, count};
  case DType::Complex128:
    return {Doubles, count * 2};
  case DType::Int64:
    return {Int64s, count};
  case DType::UInt32:
  case DType::UInt64:
    return {Uint64s, count};
  case DType::String:
    return {Strings, count};
  default:
    // Elements below a byte are packed, one byte an entry.
    return {Int32s, dtypeBits(t) < 8 ? bytes : count};
  }
}

void TensorReader::check(const Fields &f, Constant &constant) {
  const DType t = dtypeOfOnnx(f.dataType).value_or(DType::Unknown);
  if (t == DType::Unknown) {
    if (f.wrongType)
      sound = false; // said already
    else if (!f.hasType || f.dataType == 0)
      problem(f, "has no element type");
    else
      problem(f, fmt::format("has the element type {}, which ONNX does not have", f.dataType));
    return;
  }
  if (const auto negative = std::ranges::find_if(shape, [](std::int64_t d) { return d < 0; }); negative != shape.end())
    return problem(f, fmt::format("has a dimension of size {}", *negative));
  const auto count = elementCount(shape);
  const auto size = count ? byteCount(*count, t) : std::nullopt;
  if (!size)
    return problem(f, "has more elements than 64 bits can count");
  constant.size = *size;
  if (!f.isExternal)
    checkInside(f, constant, t, *count);
  else if (f.stores != 0)
    problem(f, "has its data outside the file and inside too");
  else
    checkExternal(f, constant, *size);
}

void TensorReader::checkInside(const Fields &f, Constant &constant, DType t, std::uint64_t count) {
  if (count == 0) {
    if (f.stores != 0)
      problem(f, "has no elements by its dimensions, but data");
    return;
  }
  if (f.stores == 0)
    return problem(f, fmt::format("has {} element(s) by its dimensions, but no data", count));
  if (!std::has_single_bit(f.stores)) {
    const std::size_t issue = m.issues.size();
    problem(f, "has data in two fields");
    const bool fits =
        f.hasRaw ? t != DType::String && f.raw.size() == constant.size : holdsAll(f, homeOf(t, count, constant.size));
    if (fits && m.issues.size() > issue)
      doubled = issue;
    return;
  }
  if (f.stores == Raw)
    return checkRaw(f, constant, t);
  checkTyped(f, constant, t, count);
  if (sound && f.hasRaw) {
    tooMuch = true;
    c.report(FormatIssue::Kind::MalformedOrt, f.message.data(),
             fmt::format("the tensor {} has raw data of no bytes beside its elements, which ONNX Runtime reads instead",
                         quoted(f.name)));
  }
}

bool TensorReader::holdsAll(const Fields &f, const Home &home) {
  const std::uint64_t count = f.count(home.store);
  return f.countKnown ? count == home.entries : count >= home.entries && count / 10 <= home.entries;
}

void TensorReader::checkRaw(const Fields &f, Constant &constant, DType t) {
  if (t == DType::String)
    return problem(f, "holds strings, which raw data cannot");
  if (f.payload.size() != constant.size) {
    tooMuch = f.payload.size() > constant.size;
    return problem(
        f, fmt::format("has {} byte(s) of raw data, its type and dimensions take {}", f.payload.size(), constant.size));
  }
  place(f, constant);
}

void TensorReader::checkTyped(const Fields &f, Constant &constant, DType t, std::uint64_t count) {
  const Home home = homeOf(t, count, constant.size);
  if (f.stores != home.store)
    return problem(f, fmt::format("holds {} in a field for other types", dtypeName(t)));
  if (!holdsAll(f, home)) {
    tooMuch = f.countKnown && f.count(home.store) > home.entries;
    return problem(f, fmt::format("has {} {} of data, its type and dimensions take {}", f.count(home.store),
                                  f.countKnown ? "element(s)" : "byte(s)", home.entries));
  }
  if (home.store == Floats || home.store == Doubles) {
    if (!f.inPieces)
      place(f, constant); // packed numbers lie as raw data would
  } else if (isInteger(t) && dtypeBits(t) >= 8 && numbers.size() <= smallNumbers) {
    constant.ints = m.poolInts(numbers);
  }
}

void TensorReader::place(const Fields &f, Constant &constant) {
  constant.offset = c.offset(f.payload.data());
  if (constant.size <= smallBytes)
    constant.bytes = f.payload;
}

void TensorReader::checkExternal(const Fields &f, Constant &constant, std::uint64_t bytesNeeded) {
  const ExternalFile &file = external.look(f.location);
  if (!file.problem.empty())
    return problem(f, "has " + file.problem);
  const auto offset = f.offset.empty() ? std::optional<std::uint64_t>(0) : number(f.offset);
  const auto length = f.length.empty() ? std::optional(bytesNeeded) : number(f.length);
  if (!offset || !length)
    return problem(f, fmt::format("has external data with the {} {}", offset ? "length" : "offset",
                                  quoted(offset ? f.length : f.offset)));
  constant.file = m.strings.internStable(f.location);
  constant.offset = *offset;
  if (*length != bytesNeeded)
    return problem(
        f, fmt::format("has {} byte(s) of external data, its type and dimensions take {}", *length, bytesNeeded));
  if (file.size && (*offset > *file.size || *length > *file.size - *offset))
    problem(f, fmt::format("has {} byte(s) of external data from byte {} of {}, which has {} byte(s)", *length, *offset,
                           quoted(f.location), *file.size));
}

ConstantId TensorReader::read(std::string_view bytes, std::uint32_t depth) {
  return m.addConstantData(build(collect(bytes, depth)));
}

ConstantId TensorReader::readSparse(std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  Fields values, indices;
  Constant valueData, indexData;
  std::vector<std::int64_t> sparseShape;
  Embedded valuesPart, indicesPart;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(sparseProto::values):
      valuesPart.add(r.bytes());
      break;
    case lengthKey(sparseProto::indices):
      indicesPart.add(r.bytes());
      break;
    case varintKey(sparseProto::dims):
      sparseShape.push_back(r.integer());
      break;
    case lengthKey(sparseProto::dims):
      forEachVarint(r.bytes(), [&](std::int64_t v) { sparseShape.push_back(v); });
      break;
    default:
      c.skip(r, sparseProto::known, depth, "SparseTensorProto");
    }
  }
  bool allSound = true;
  const auto readPart = [&](const Embedded &part, Fields &f, Constant &data) {
    if (!part.isGiven())
      return;
    f = collect(part.whole(c), depth + 1);
    data = build(f);
    allSound = allSound && sound;
  };
  readPart(valuesPart, values, valueData);
  readPart(indicesPart, indices, indexData);
  Constant constant = valueData;
  constant.sparse = true;
  constant.message = bytes;
  constant.bytes = {};
  constant.ints = {};
  const Fields &blame = valuesPart.isGiven() ? values : indices;
  sound = allSound;
  if (!valuesPart.isGiven())
    problem(blame, "is sparse and has no values");
  else if (allSound)
    checkIndices(bytes, valueData, indexData, sparseShape, indicesPart.isGiven());
  shape = sparseShape;
  constant.type = typeOf(values, Layout::SparseCoo);
  return m.addConstantData(constant);
}

void TensorReader::checkIndices(std::string_view at, const Constant &values, const Constant &indices,
                                const std::vector<std::int64_t> &sparseShape, bool hasIndices) {
  const auto fail = [&](std::string message) {
    Fields f;
    f.message = at;
    f.name = m.text(values.name);
    problem(f, "is sparse and " + message);
  };
  std::uint64_t total = 1;
  for (std::int64_t d : sparseShape) {
    if (d <= 0)
      return fail(fmt::format("has a dimension of size {}", d));
    if (__builtin_mul_overflow(total, static_cast<std::uint64_t>(d), &total))
      return fail("has more elements than 64 bits can count");
  }
  const Type &valueType = m.types[values.type];
  const auto count = valueType.dims.size() == 1 ? m.dims.asConstant(valueType.dims[0]) : std::nullopt;
  if (!count)
    return fail("its values are not of rank 1");
  if (*count == 0)
    return;
  if (!hasIndices)
    return fail("has no indices");
  const Type &indexType = m.types[indices.type];
  if (indexType.element != DType::Int64)
    return fail(fmt::format("its indices are {}, not int64", dtypeName(indexType.element)));
  const auto rank = static_cast<std::int64_t>(sparseShape.size());
  const bool linear = indexType.dims.size() == 1;
  if ((!linear && indexType.dims.size() != 2) || !m.dims.isConstant(indexType.dims[0], *count) ||
      (!linear && !m.dims.isConstant(indexType.dims[1], rank)))
    return fail("its indices do not fit its values and dimensions");
  // Only small lists are looked into.
  std::vector<std::int64_t> list;
  if (!indices.bytes.empty())
    forEachFixed<std::int64_t>(indices.bytes, [&](std::int64_t v) { list.push_back(v); });
  else
    list.assign(m.ints(indices.ints).begin(), m.ints(indices.ints).end());
  const std::size_t width = linear ? 1 : sparseShape.size();
  std::uint64_t previous = 0;
  for (std::size_t i = 0; width != 0 && i + width <= list.size(); i += width) {
    std::uint64_t position = 0; // below `total`, whatever the indices
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint64_t bound = linear ? total : static_cast<std::uint64_t>(sparseShape[k]);
      if (list[i + k] < 0 || static_cast<std::uint64_t>(list[i + k]) >= bound)
        return fail(fmt::format("has the index {} where {} is the size", list[i + k], bound));
      position = position * bound + static_cast<std::uint64_t>(list[i + k]);
    }
    if (i != 0 && position <= previous)
      return fail("its indices do not ascend");
    previous = position;
  }
}

} // namespace condlint::onnx
