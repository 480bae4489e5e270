//===- OnnxData.cpp - The numbers in a TensorProto ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OnnxData.h"
#include "../onnx/ExternalData.h"
#include "../onnx/Proto.h"
#include "../onnx/TypeReader.h"
#include "../onnx/Wire.h"
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace condlint::onnx {

Expected<std::shared_ptr<const FileBytes>> ExternalBytes::open(std::string_view location) {
  if (const auto it = files.find(location); it != files.end())
    return it->second;
  // Judged again here: what the reader saw of the file system may have changed.
  ExternalFolder judge(folder);
  const ExternalFile &file = judge.look(location);
  if (!file.problem.empty())
    return Error{{}, {}, "has " + file.problem, {}};
  if (file.path.empty())
    return Error{{}, {}, fmt::format("has external data at {}, a place that cannot be", quoted(location)), {}};
  auto bytes = FileBytes::open(file.path);
  if (!bytes)
    return bytes.error();
  files.emplace(std::string(location), *bytes);
  return *bytes;
}

namespace {

/// A message that holds no tensor that could be decoded.
struct Undecodable {
  std::string message;
};

/// The fields of one TensorProto.
struct Fields {
  std::string_view name, raw, location, offset, length;
  bool hasRaw = false, external = false;
  std::int32_t type = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::string_view> floats, doubles, int32s, int64s, uint64s; ///< packed pieces
  std::vector<std::uint64_t> loose;                                       ///< numbers that are not packed
  std::vector<std::string_view> strings;
};

void external(Fields &f, std::string_view entry) {
  std::string_view key, value;
  for (WireReader r(entry); r.next();) {
    if (r.key() == lengthKey(entryProto::key))
      key = r.bytes();
    else if (r.key() == lengthKey(entryProto::value))
      value = r.bytes();
  }
  if (key == "location")
    f.location = value;
  else if (key == "offset")
    f.offset = value;
  else if (key == "length")
    f.length = value;
}

Fields fieldsOf(std::string_view message) {
  Fields f;
  for (WireReader r(message); r.next();) {
    switch (r.key()) {
    case varintKey(tensorProto::dims):
      f.dims.push_back(r.integer());
      break;
    case lengthKey(tensorProto::dims):
      forEachVarint(r.bytes(), [&](std::int64_t v) { f.dims.push_back(v); });
      break;
    case varintKey(tensorProto::dataType):
      f.type = r.enumerator();
      break;
    case lengthKey(tensorProto::floatData):
      f.floats.push_back(r.bytes());
      break;
    case lengthKey(tensorProto::doubleData):
      f.doubles.push_back(r.bytes());
      break;
    case lengthKey(tensorProto::int32Data):
      f.int32s.push_back(r.bytes());
      break;
    case lengthKey(tensorProto::int64Data):
      f.int64s.push_back(r.bytes());
      break;
    case lengthKey(tensorProto::uint64Data):
      f.uint64s.push_back(r.bytes());
      break;
    case fixed32Key(tensorProto::floatData):
    case fixed64Key(tensorProto::doubleData):
    case varintKey(tensorProto::int32Data):
    case varintKey(tensorProto::int64Data):
    case varintKey(tensorProto::uint64Data):
      f.loose.push_back(r.value());
      break;
    case lengthKey(tensorProto::stringData):
      f.strings.push_back(r.bytes());
      break;
    case lengthKey(tensorProto::rawData):
      f.raw = r.bytes();
      f.hasRaw = true;
      break;
    case lengthKey(tensorProto::name):
      f.name = r.bytes();
      break;
    case lengthKey(tensorProto::externalData):
      external(f, r.bytes());
      break;
    case varintKey(tensorProto::dataLocation):
      f.external = r.value() == 1;
      break;
    default:
      break;
    }
  }
  return f;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

std::uint64_t countOf(const std::vector<std::int64_t> &dims) {
  std::uint64_t n = 1;
  for (std::int64_t d : dims)
    if (d < 0 || __builtin_mul_overflow(n, static_cast<std::uint64_t>(d), &n) || n > (std::uint64_t{1} << 59))
      throw Undecodable{"has dimensions that no tensor can have"};
  return n;
}

std::size_t widthOf(DType t) { return dtypeBits(t) < 8 ? 1 : dtypeBits(t) / 8; }

/// Packed elements of 2 or 4 bits, one byte each, the lowest bits first.
std::string unpacked(std::string_view packed, DType t, std::uint64_t count) {
  const unsigned width = dtypeBits(t), each = 8 / width, mask = (1u << width) - 1;
  if (packed.size() < (count + each - 1) / each)
    throw Undecodable{fmt::format("has {} byte(s) of data, its type and dimensions take {}", packed.size(),
                                  (count + each - 1) / each)};
  std::string out(static_cast<std::size_t>(count), '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    unsigned v = static_cast<unsigned char>(packed[static_cast<std::size_t>(i / each)]) >> (i % each * width) & mask;
    if (isSigned(t) && isIntegral(t) && (v >> (width - 1)) != 0)
      v |= ~mask;
    out[static_cast<std::size_t>(i)] = static_cast<char>(v);
  }
  return out;
}

void own(Array &a, std::string bytes) {
  auto kept = std::make_shared<const std::string>(std::move(bytes));
  a.bytes = *kept;
  a.keepAlive = kept;
}

/// The numbers of a typed field as raw bytes of \p width each.
std::string gathered(const std::vector<std::string_view> &pieces, const std::vector<std::uint64_t> &loose,
                     std::size_t width, bool varints) {
  std::string out;
  const auto append = [&](std::uint64_t v) { out.append(reinterpret_cast<const char *>(&v), width); };
  for (std::string_view piece : pieces) {
    if (varints)
      forEachVarint(piece, [&](std::int64_t v) { append(static_cast<std::uint64_t>(v)); });
    else
      out.append(piece);
  }
  for (std::uint64_t v : loose)
    append(v);
  return out;
}

Array decode(std::string_view message, const std::shared_ptr<const void> &keepAlive, ExternalBytes *files) {
  const Fields f = fieldsOf(message);
  Array a;
  a.name = f.name;
  a.shape = f.dims;
  a.dtype = dtypeOfOnnx(f.type).value_or(DType::Unknown);
  if (a.dtype == DType::Unknown)
    throw Undecodable{fmt::format("has the element type {}, which condlint does not know", f.type)};
  const std::uint64_t count = countOf(f.dims);
  if (a.dtype == DType::String) {
    if (f.strings.size() != count)
      throw Undecodable{fmt::format("has {} string(s), its dimensions take {}", f.strings.size(), count)};
    a.strings.assign(f.strings.begin(), f.strings.end());
    return a;
  }
  const std::size_t width = widthOf(a.dtype);
  const bool packed = dtypeBits(a.dtype) < 8;
  const std::uint64_t each = packed ? 8 / dtypeBits(a.dtype) : 1;
  const std::uint64_t needed = packed ? (count + each - 1) / each : count * width;
  std::string_view data;
  std::shared_ptr<const void> alive = keepAlive;
  if (f.external) {
    if (!files)
      throw Undecodable{"has its data outside of the file"};
    auto file = files->open(f.location);
    if (!file)
      throw Undecodable{file.error().str()};
    const std::string_view all = (*file)->view();
    const auto offset = f.offset.empty() ? std::optional<std::uint64_t>(0) : number(f.offset);
    const auto length = f.length.empty() ? std::optional(needed) : number(f.length);
    if (!offset || !length || *offset > all.size() || *length > all.size() - *offset)
      throw Undecodable{fmt::format("has data from byte {} of '{}' that are not there: the file has {} byte(s)",
                                    f.offset.empty() ? "0" : f.offset, f.location, all.size())};
    data = all.substr(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*length));
    alive = *file;
  } else if (f.hasRaw) {
    data = f.raw;
  } else {
    switch (a.dtype) {
    case DType::Float32:
    case DType::Complex64:
      own(a, gathered(f.floats, f.loose, 4, false));
      break;
    case DType::Float64:
    case DType::Complex128:
      own(a, gathered(f.doubles, f.loose, 8, false));
      break;
    case DType::Int64:
      own(a, gathered(f.int64s, f.loose, 8, true));
      break;
    case DType::UInt32:
    case DType::UInt64:
      own(a, gathered(f.uint64s, f.loose, width, true));
      break;
    default:
      own(a, gathered(f.int32s, f.loose, packed ? 1 : width, true));
    }
    data = a.bytes;
    alive = a.keepAlive;
  }
  if (data.size() < needed)
    throw Undecodable{fmt::format("has {} byte(s) of data, its type and dimensions take {}", data.size(), needed)};
  if (packed) {
    own(a, unpacked(data, a.dtype, count));
    return a;
  }
  a.bytes = data.substr(0, static_cast<std::size_t>(needed));
  a.keepAlive = alive;
  return a;
}

Array sparse(std::string_view message, const std::shared_ptr<const void> &keepAlive, ExternalBytes *files,
             std::uint64_t mostDense) {
  Array values, indices;
  unsigned valueParts = 0, indexParts = 0;
  std::vector<std::int64_t> dims;
  for (WireReader r(message); r.next();) {
    if (r.key() == lengthKey(sparseProto::values)) {
      values = decode(r.bytes(), keepAlive, files);
      ++valueParts;
    } else if (r.key() == lengthKey(sparseProto::indices)) {
      indices = decode(r.bytes(), keepAlive, files);
      ++indexParts;
    } else if (r.key() == varintKey(sparseProto::dims)) {
      dims.push_back(r.integer());
    } else if (r.key() == lengthKey(sparseProto::dims)) {
      forEachVarint(r.bytes(), [&](std::int64_t v) { dims.push_back(v); });
    }
  }
  if (valueParts > 1 || indexParts > 1)
    throw Undecodable{"is sparse, and its values or indices stand in several parts"};
  const std::uint64_t count = countOf(dims);
  const std::size_t width = widthOf(values.dtype);
  if (values.dtype == DType::Unknown || values.dtype == DType::String)
    throw Undecodable{"is sparse, and condlint cannot make it dense"};
  if (count > mostDense / width)
    throw Undecodable{
        fmt::format("is sparse, and beyond the memory that may be used when it is dense, {} bytes", mostDense)};
  const std::uint64_t entries = values.bytes.size() / width;
  const bool linear = indices.shape.size() <= 1;
  const std::uint64_t each = linear ? 1 : dims.size();
  if (entries != 0 && (indices.dtype != DType::Int64 || indices.bytes.size() / 8 != entries * each))
    throw Undecodable{"is sparse, and its indices do not fit its values"};
  std::string dense(static_cast<std::size_t>(count * width), '\0');
  for (std::uint64_t i = 0; i < entries; ++i) {
    std::uint64_t at = 0;
    for (std::uint64_t k = 0; k < each; ++k) {
      std::int64_t index = 0;
      std::memcpy(&index, indices.bytes.data() + (i * each + k) * 8, 8);
      const std::int64_t size = linear ? static_cast<std::int64_t>(count) : dims[static_cast<std::size_t>(k)];
      if (index < 0 || index >= size)
        throw Undecodable{"is sparse, and an index lies outside of it"};
      at = at * static_cast<std::uint64_t>(linear ? 1 : size) + static_cast<std::uint64_t>(index);
    }
    std::memcpy(dense.data() + at * width, values.bytes.data() + i * width, width);
  }
  Array a = values;
  a.shape = dims;
  own(a, std::move(dense));
  return a;
}

template <class F> auto guarded(const F &f) -> Expected<decltype(f())> {
  try {
    return f();
  } catch (const Undecodable &u) {
    return Error{{}, {}, u.message, {}};
  } catch (const WireError &e) {
    return Error{{}, {}, std::string("is no sound protobuf: ") + e.message, {}};
  } catch (const std::exception &e) { // of the standard library: no memory for what it holds
    return Error{{}, {}, std::string("cannot be read: ") + e.what(), {}};
  }
}

// --- values in files ----------------------------------------------------------------

/// Of a sparse tensor in a file of inputs or outputs.
constexpr std::uint64_t mostDenseValue = std::uint64_t{1} << 32;

/// onnx-data.proto: SequenceProto and OptionalProto.
constexpr std::uint32_t nameField = 1, tensorsField = 3, sparsesField = 4, sequencesField = 5, optionalsField = 7;

Array valueIn(std::string_view message, const Type *type, const TypeTable &types,
              const std::shared_ptr<const void> &keepAlive, unsigned depth) {
  constexpr unsigned deepest = 16;
  if (depth > deepest)
    throw Undecodable{"nests too deeply"};
  const ValueKind kind = type ? type->kind : ValueKind::Tensor;
  if (kind != ValueKind::Sequence && kind != ValueKind::Optional)
    return decode(message, keepAlive, nullptr);
  const Type *item = type->item ? &types[type->item] : nullptr;
  Array a;
  a.kind = kind;
  for (WireReader r(message); r.next();) {
    if (r.key() == lengthKey(nameField))
      a.name = r.bytes();
    else if (r.key() == lengthKey(tensorsField) || r.key() == lengthKey(sequencesField) ||
             r.key() == lengthKey(optionalsField))
      a.items.push_back(valueIn(r.bytes(), item, types, keepAlive, depth + 1));
    else if (r.key() == lengthKey(sparsesField))
      a.items.push_back(sparse(r.bytes(), keepAlive, nullptr, mostDenseValue));
  }
  return a;
}

} // namespace

Expected<Array> decodeTensor(std::string_view message, const std::shared_ptr<const void> &keepAlive,
                             ExternalBytes *files) {
  return guarded([&] { return decode(message, keepAlive, files); });
}

Expected<Array> decodeSparse(std::string_view message, const std::shared_ptr<const void> &keepAlive,
                             ExternalBytes *files, std::uint64_t mostDense) {
  return guarded([&] { return sparse(message, keepAlive, files, mostDense); });
}

} // namespace condlint::onnx

namespace condlint {

Expected<Array> readOnnxValue(const std::string &path, const Type *expected, const TypeTable &types) {
  auto file = FileBytes::open(path);
  if (!file)
    return file.error();
  auto value = onnx::guarded([&] { return onnx::valueIn((*file)->view(), expected, types, *file, 0); });
  if (!value)
    value.error().file = path;
  return value;
}

} // namespace condlint
