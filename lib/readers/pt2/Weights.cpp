//===- Weights.cpp - Where the weights of a .pt2 lie ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Weights.h"
#include "../Agreement.h"
#include "TypeReader.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace condlint::pt2 {

namespace {

/// How long the storage of a tensor must be at least, for all its elements to lie in it; 0 where
/// that is not known. What overflows is as good as not known.
std::uint64_t bytesNeeded(const Model &m, const Type &t) {
  const unsigned bits = dtypeBits(t.element);
  if (!t.isTensor() || t.layout != Layout::Strided || bits < 8 || !t.hasRank || !t.hasStrides ||
      t.strides.size() != t.dims.size())
    return 0;
  const auto number = [&](Dim d) { return d.known() ? m.dims.asConstant(d).value_or(-1) : -1; };
  std::int64_t last = number(t.storageOffset);
  bool overflows = last < 0;
  for (std::size_t i = 0; i < t.dims.size(); ++i) {
    const std::int64_t size = number(t.dims[i]), stride = number(t.strides[i]);
    if (size == 0)
      return 0;
    std::int64_t reach = 0;
    overflows = overflows || size < 0 || stride < 0 || __builtin_mul_overflow(size - 1, stride, &reach) ||
                __builtin_add_overflow(last, reach, &last);
  }
  const std::uint64_t width = bits / 8;
  if (overflows || static_cast<std::uint64_t>(last) >= std::numeric_limits<std::uint64_t>::max() / width - 1)
    return 0;
  return (static_cast<std::uint64_t>(last) + 1) * width;
}

/// "float32[8, 4]".
std::string spelled(const Model &m, const Type &t) {
  std::string sizes;
  for (const Dim d : t.dims)
    sizes += (sizes.empty() ? "" : ", ") + m.dims.str(d);
  return fmt::format("{}{}", dtypeName(t.element), t.hasRank ? "[" + sizes + "]" : "");
}

/// The element type or a size that the graph records of a weight and its configuration contradicts.
bool contradicts(const Model &m, const Type &recorded, const Type &stored) {
  if (!recorded.isTensor() || !stored.isTensor())
    return false;
  if (recorded.element != DType::Unknown && stored.element != DType::Unknown && recorded.element != stored.element)
    return true;
  if (!recorded.hasRank || !stored.hasRank)
    return false;
  bool differ = recorded.dims.size() != stored.dims.size();
  for (std::size_t i = 0; !differ && i < stored.dims.size(); ++i) {
    const auto a = m.dims.asConstant(recorded.dims[i]), b = m.dims.asConstant(stored.dims[i]);
    differ = a && b && *a != *b;
  }
  return differ;
}

/// What each entry has, whatever of it is needed.
constexpr std::array<std::string_view, 4> entryFields{"path_name", "is_param", "use_pickle", "tensor_meta"};

/// Reads one configuration: {"config": {name: {path_name, tensor_meta, ...}}}.
class WeightsReader : public TypeReader {
public:
  WeightsReader(Model &model, JsonCursor &cursor, Archive &from, const ArchiveEntry &config)
      : TypeReader(model, cursor), archive(from), record(config.name),
        folder(std::string_view(config.name).substr(0, config.name.rfind('/') + 1)) {
    const Range parameters = m[m.main()].parameters;
    for (std::uint32_t i = 0; i < parameters.count; ++i) {
      const ValueId v(parameters.first + i);
      if (m[v].constant)
        byName.emplace(m[m[v].constant].name, v);
    }
  }

  void read() {
    const At at(*this, record);
    if (!c.is(JsonKind::Object)) {
      unexpected("a configuration, which is an object");
      return c.finish();
    }
    bool hasConfig = false;
    c.object([&](std::string_view key) {
      if (key != "config")
        return c.skip();
      hasConfig = true;
      const At here(*this, key);
      if (!c.is(JsonKind::Object))
        return unexpected("weights by name, which are an object");
      c.object([&](std::string_view name) {
        const At inner(*this, name);
        entry(name);
      });
    });
    c.finish();
    if (!hasConfig && !c.failed())
      malformed("the configuration has no 'config'");
  }

private:
  void entry(std::string_view name) {
    const StringId id = m.strings.find(name);
    const auto it = id ? byName.find(id) : byName.end();
    Constant *data = it == byName.end() ? nullptr : &m[m[it->second].constant];
    if (!c.is(JsonKind::Object))
      return data == nullptr ? c.skip() : unexpected("a weight, which is an object");
    std::string path;
    TypeId type;
    bool pickled = false, isParameter = true;
    std::array<bool, entryFields.size()> given{};
    const auto before = static_cast<std::ptrdiff_t>(m.issues.size());
    fields([&](std::string_view key) {
      if (const auto *field = std::ranges::find(entryFields, key); field != entryFields.end())
        given[static_cast<std::size_t>(field - entryFields.begin())] = true;
      if (key == "path_name" && c.is(JsonKind::String))
        path = std::string(folder) + std::string(c.string());
      else if (key == "tensor_meta" && data != nullptr && c.is(JsonKind::Object))
        type = tensorMeta(true);
      else if (key == "use_pickle" && c.is(JsonKind::Bool))
        pickled = c.boolean();
      else if (key == "is_param" && (c.is(JsonKind::Bool) || c.is(JsonKind::Null)))
        isParameter = c.is(JsonKind::Bool) && c.boolean();
      else
        c.skip();
    });
    if (const auto *absent = std::ranges::find(given, false); absent != given.end())
      return malformed(
          fmt::format("the weight has no '{}'", entryFields[static_cast<std::size_t>(absent - given.begin())]));
    const auto after = static_cast<std::ptrdiff_t>(m.issues.size());
    if (path.empty())
      return malformed("the weight has no path within the archive");
    const ArchiveEntry *e = archive.find(path);
    if (e == nullptr && faulty.insert(path).second)
      malformed(fmt::format("the record '{}' is not in the archive", path));
    checkPrefix(std::string_view(path).substr(folder.size()));
    if (data == nullptr)
      return; // no graph uses it
    if (m[it->second].role == ParameterRole::Parameter && !isParameter)
      malformed(fmt::format("'{}' is a parameter, but its record is not marked as one ('is_param')", name));
    data->file = m.strings.intern(path);
    const bool isOther = type && !pickled && data->type && contradicts(m, m.types[data->type], m.types[type]);
    if (isOther) {
      // What is wrong within a configuration of another tensor has the same cause.
      m.issues.erase(m.issues.begin() + before, m.issues.begin() + after);
      malformed(fmt::format("the weight is {}, but the graph records {} for it", spelled(m, m.types[type]),
                            spelled(m, m.types[data->type])));
      m[it->second].recorded = agreedType(m, data->type, type);
    }
    data->type = type ? type : data->type;
    data->pickled = pickled;
    if (e == nullptr)
      return;
    data->size = e->size;
    data->offset = archive.offsetOf(*e).value_or(0);
    // A model of tensors without data is saved with empty records, and loaded with zeros.
    const std::uint64_t needed = pickled || isOther ? 0 : bytesNeeded(m, m.types[type]);
    if (e->size != 0 && e->size < needed && faulty.insert(path).second)
      malformed(fmt::format("the record '{}' has {} bytes, but the tensor needs {}", path, e->size, needed));
    const std::uint64_t width = type && !pickled ? dtypeBits(m.types[type].element) / 8 : 0;
    if (width > 1 && e->size % width != 0 && faulty.insert(path).second)
      malformed(fmt::format("the record '{}' has {} bytes, which is no whole number of {}", path, e->size,
                            dtypeName(m.types[type].element)));
  }

  /// What a constant is its file's name says.
  void checkPrefix(std::string_view file) {
    const bool ofConstants = folder.ends_with("/constants/");
    constexpr std::array<std::string_view, 3> prefixes{"tensor_", "custom_obj_", "opaque_obj_"};
    if (ofConstants && std::ranges::none_of(prefixes, [&](std::string_view p) { return file.starts_with(p); }))
      malformed(fmt::format("the constant lies in '{}': expected a name that begins with {}", file,
                            "'tensor_', 'custom_obj_' or 'opaque_obj_'"));
  }

  Archive &archive;
  std::string_view record;
  std::string_view folder;
  std::unordered_map<StringId, ValueId> byName; ///< the parameters of the graph
  std::unordered_set<std::string> faulty;       ///< records that several tensors may lie in
};

} // namespace

bool attachWeights(Model &m, Archive &archive, const ArchiveEntry &config, JsonCursor &cursor) {
  if (!m.main())
    return false;
  const auto failed = [&](std::string message) {
    FormatIssue i;
    i.place = config.name;
    i.message = std::move(message);
    m.issues.push_back(std::move(i));
    return false;
  };
  auto record = archive.read(config);
  if (!record)
    return failed(record.error().message);
  m.backing.push_back(record->keepAlive);
  if (!cursor.open(record->text))
    return failed(cursor.problem());
  WeightsReader(m, cursor, archive, config).read();
  return cursor.failed() ? failed(cursor.problem()) : true;
}

void lackConfiguration(Model &m, std::string_view name, bool ofConstants) {
  FormatIssue issue;
  issue.message =
      fmt::format("the record '{}' is not in the archive: torch.export.load refuses a file without it", name);
  const Range parameters = m.main() ? m[m.main()].parameters : Range();
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const Value &v = m[ValueId(parameters.first + i)];
    const bool isHere = ofConstants ? v.role == ParameterRole::Constant
                                    : v.role == ParameterRole::Parameter || v.role == ParameterRole::Buffer;
    if (!isHere || !v.constant || m[v.constant].file)
      continue;
    issue.message +=
        fmt::format(", and nothing says where '{}' lies, which the model reads", m.text(m[v.constant].name));
    break;
  }
  m.issues.push_back(std::move(issue));
}

void checkWeightsAreNamed(Model &m, std::string_view folder) {
  const Range parameters = m[m.main()].parameters;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const Value &v = m[ValueId(parameters.first + i)];
    const bool isTensor =
        v.role == ParameterRole::Parameter || v.role == ParameterRole::Buffer || v.role == ParameterRole::Constant;
    if (!isTensor || !v.constant || m[v.constant].file)
      continue;
    FormatIssue issue;
    issue.place = folder;
    issue.message = fmt::format("no record is named for '{}', which the model reads", m.text(m[v.constant].name));
    m.issues.push_back(std::move(issue));
  }
}

} // namespace condlint::pt2
