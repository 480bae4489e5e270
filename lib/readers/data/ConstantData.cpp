//===- ConstantData.cpp - The bytes of a constant -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../pt2/Archive.h"
#include "OnnxData.h"
#include "Pickle.h"
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace condlint {

namespace {

/// What is said of every constant that cannot be had.
Error failure(const Model &m, ConstantId c, std::string message) {
  const std::string_view name = m.text(m[c].name);
  return {
      m.info.path, name.empty() ? "a constant" : "the constant '" + std::string(name) + "'", std::move(message), {}};
}

/// The bytes that \p a spans of its storage; nothing on overflow.
std::optional<std::uint64_t> reachOf(const Array &a) {
  const std::uint64_t width = dtypeBits(a.dtype) < 8 ? 1 : dtypeBits(a.dtype) / 8;
  std::uint64_t last = static_cast<std::uint64_t>(a.offset);
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] == 0)
      return 0;
    std::uint64_t step = 0;
    if (a.shape[i] < 0 || a.strides[i] < 0 ||
        __builtin_mul_overflow(static_cast<std::uint64_t>(a.shape[i] - 1), static_cast<std::uint64_t>(a.strides[i]),
                               &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  std::uint64_t bytes = 0;
  if (a.offset < 0 || last == UINT64_MAX || __builtin_mul_overflow(last + 1, width, &bytes))
    return std::nullopt;
  return bytes;
}

class OnnxConstants final : public ConstantData {
public:
  OnnxConstants(const Model &model, std::uint64_t dense)
      : m(model), mostDense(dense), external(std::filesystem::path(model.info.path).parent_path().string()) {}

  Expected<Array> read(ConstantId c) override {
    const Constant &data = m[c];
    if (data.message.empty())
      return failure(m, c, "has no data");
    // The model keeps its file mapped, and outlives the run.
    auto a = data.sparse ? onnx::decodeSparse(data.message, nullptr, &external, mostDense)
                         : onnx::decodeTensor(data.message, nullptr, &external);
    if (!a)
      return failure(m, c, a.error().str());
    return a;
  }

private:
  const Model &m;
  std::uint64_t mostDense;
  onnx::ExternalBytes external;
};

class Pt2Constants final : public ConstantData {
public:
  Pt2Constants(const Model &model, std::unique_ptr<pt2::Archive> a) : m(model), archive(std::move(a)) {}

  Expected<Array> read(ConstantId c) override {
    const Constant &data = m[c];
    if (data.file)
      return fromRecord(c, data);
    if (auto old = loadPickles(); old)
      return failure(m, c, old->str());
    const auto it = pickled.find(m.text(data.name));
    if (it == pickled.end())
      return failure(m, c, "is not in the archive");
    return checked(c, it->second);
  }

private:
  Expected<Array> fromRecord(ConstantId c, const Constant &data) {
    const std::string_view name = m.text(data.file);
    const pt2::ArchiveEntry *e = archive->find(name);
    if (!e)
      return failure(m, c, fmt::format("lies in the record '{}', which is not in the archive", name));
    auto record = archive->read(*e);
    if (!record)
      return failure(m, c, record.error().str());
    if (data.pickled) {
      auto tensors = readTorchSave(record->text, std::string(name));
      if (!tensors)
        return failure(m, c, tensors.error().str());
      const auto it = tensors->find("");
      if (it == tensors->end())
        return failure(m, c, fmt::format("lies in the record '{}', which holds no tensor", name));
      return checked(c, it->second);
    }
    const Type &t = m.types[data.type];
    Array a;
    a.dtype = t.element;
    a.bytes = record->text;
    a.keepAlive = record->keepAlive;
    a.storage = name;
    const auto numbers = [&](std::span<const Dim> dims, std::vector<std::int64_t> &to) {
      for (Dim d : dims) {
        const auto v = m.dims.asConstant(d);
        if (!v)
          return false;
        to.push_back(*v);
      }
      return true;
    };
    if (!t.isTensor() || t.element == DType::Unknown || !t.hasRank || !t.hasStrides || !numbers(t.dims, a.shape) ||
        !numbers(t.strides, a.strides))
      return failure(m, c, "has no element type, sizes and strides that are known");
    a.offset = m.dims.asConstant(t.storageOffset).value_or(0);
    return checked(c, a);
  }

  Expected<Array> checked(ConstantId c, const Array &a) {
    if (a.dtype == DType::Unknown || a.strides.size() != a.shape.size())
      return failure(m, c, "has an element type or strides that condlint does not know");
    const auto reach = reachOf(a);
    if (!reach || *reach > a.bytes.size())
      return failure(m, c,
                     fmt::format("has {} byte(s) of data, its type, sizes and strides take {}", a.bytes.size(),
                                 reach ? std::to_string(*reach) : "more than 64 bits can count"));
    return a;
  }

  /// Archives of older writers hold all weights in one pickle, all constants in another.
  std::optional<Error> loadPickles() {
    if (loaded)
      return problem;
    loaded = true;
    for (const pt2::ArchiveEntry &e : archive->entries()) {
      const std::string_view name = e.name;
      const bool old = name == "serialized_state_dict.pt" || name == "serialized_constants.pt";
      const bool whole = name.ends_with(".pt") &&
                         (name.find("/data/weights/") != name.npos || name.find("/data/constants/") != name.npos);
      if ((!old && !whole) || e.size == 0)
        continue;
      auto record = archive->read(e);
      if (!record)
        return problem = record.error();
      auto tensors = readTorchSave(record->text, e.name);
      if (!tensors)
        return problem = tensors.error();
      pickled.merge(*tensors);
    }
    return std::nullopt;
  }

  const Model &m;
  std::unique_ptr<pt2::Archive> archive;
  std::map<std::string, Array, std::less<>> pickled;
  bool loaded = false;
  std::optional<Error> problem;
};

class NoConstants final : public ConstantData {
public:
  explicit NoConstants(const Model &model) : m(model) {}
  Expected<Array> read(ConstantId c) override { return failure(m, c, "has no data: the file holds a graph alone"); }

private:
  const Model &m;
};

} // namespace

Expected<std::unique_ptr<ConstantData>> openConstants(const Model &m, std::uint64_t mostDense) {
  try {
    switch (m.info.format) {
    case Format::Onnx:
      return std::unique_ptr<ConstantData>(std::make_unique<OnnxConstants>(m, mostDense));
    case Format::Pt2: {
      auto archive = pt2::Archive::open(pt2::archiveBytes(m), m.info.path);
      if (!archive)
        return archive.error();
      return std::unique_ptr<ConstantData>(std::make_unique<Pt2Constants>(m, std::move(*archive)));
    }
    default:
      return std::unique_ptr<ConstantData>(std::make_unique<NoConstants>(m));
    }
  } catch (const std::exception &e) {
    return Error{m.info.path, {}, std::string("cannot be read: ") + e.what(), {}};
  }
}

} // namespace condlint
