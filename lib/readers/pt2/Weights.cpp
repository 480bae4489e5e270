//===- Weights.cpp - Where the weights of a .pt2 lie ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Weights.h"
#include "TypeReader.h"
#include <unordered_map>

namespace condlint::pt2 {

namespace {

/// Reads one configuration: {"config": {name: {path_name, tensor_meta, ...}}}.
class WeightsReader : public TypeReader {
public:
  WeightsReader(Model &model, JsonCursor &cursor, Archive &from, const ArchiveEntry &config)
      : TypeReader(model, cursor), archive(from), record(config.name),
        folder(std::string_view(config.name).substr(0, config.name.rfind('/') + 1)) {
    const Range parameters = m[m.main()].parameters;
    for (std::uint32_t i = 0; i < parameters.count; ++i) {
      const ConstantId data = m[ValueId(parameters.first + i)].constant;
      if (data)
        byName.emplace(m[data].name, data);
    }
  }

  void read() {
    const At at(*this, record);
    if (!c.is(JsonKind::Object)) {
      unexpected("a configuration, which is an object");
      return c.finish();
    }
    c.object([&](std::string_view key) {
      if (key != "config" || !c.is(JsonKind::Object))
        return c.skip();
      const At here(*this, key);
      c.object([&](std::string_view name) {
        const At inner(*this, name);
        entry(name);
      });
    });
    c.finish();
  }

private:
  void entry(std::string_view name) {
    // Most models hold no weight that the graph does not use.
    const StringId id = m.strings.find(name);
    const auto it = id ? byName.find(id) : byName.end();
    if (it == byName.end())
      return c.skip();
    if (!c.is(JsonKind::Object))
      return unexpected("a weight, which is an object");
    Constant &data = m[it->second];
    c.object([&](std::string_view key) {
      const At at(*this, key);
      if (key == "path_name" && c.is(JsonKind::String)) {
        if (const ArchiveEntry *e = archive.find(std::string(folder) + std::string(c.string()))) {
          data.file = m.strings.intern(e->name);
          data.size = e->size;
          data.offset = archive.offsetOf(*e).value_or(0);
        }
      } else if (key == "tensor_meta" && c.is(JsonKind::Object)) {
        data.type = tensorMeta(true);
      } else if (key == "use_pickle" && c.is(JsonKind::Bool)) {
        data.pickled = c.boolean();
      } else {
        c.skip();
      }
    });
  }

  Archive &archive;
  std::string_view record;
  std::string_view folder;
  std::unordered_map<StringId, ConstantId> byName;
};

} // namespace

void attachWeights(Model &m, Archive &archive, const ArchiveEntry &config, JsonCursor &cursor) {
  if (!m.main())
    return;
  const auto failed = [&](std::string message) {
    FormatIssue i;
    i.place = config.name;
    i.message = std::move(message);
    m.issues.push_back(std::move(i));
  };
  auto record = archive.read(config);
  if (!record)
    return failed(record.error().message);
  m.backing.push_back(record->keepAlive);
  if (!cursor.open(record->text))
    return failed(cursor.problem());
  WeightsReader(m, cursor, archive, config).read();
  if (cursor.failed())
    failed(cursor.problem());
}

} // namespace condlint::pt2
