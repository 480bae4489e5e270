//===- Pt2Files.h - Archives that the tests of .pt2 are made of -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_READERS_PT2FILES_H
#define CONDLINT_TESTS_READERS_PT2FILES_H

#include "condlint/Reader.h"
#include <cstdint>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>
#include <zip.h>

namespace condlint::test {

inline std::string dataPath(const std::string &name) { return std::string(CONDLINT_TEST_DATA) + "/pt2/" + name; }

inline std::string fileText(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A zip archive in memory.
class Zip {
public:
  /// A record, in the place of one of that name.
  Zip &put(const std::string &name, std::string bytes) {
    without(name);
    return add(name, std::move(bytes));
  }
  Zip &without(const std::string &name) {
    std::erase_if(records, [&](const Record &r) { return r.name == name; });
    return *this;
  }
  Zip &add(std::string name, std::string bytes, bool deflate = false) {
    records.push_back({std::move(name), std::move(bytes), deflate});
    return *this;
  }
  /// The records of torch's current layout under \p root that are around a model, without the model \p key itself.
  Zip &layout(const std::string &root = "m", const std::string &key = "model") {
    return add(root + "/archive_format", "pt2")
        .add(root + "/archive_version", "0")
        .add(root + "/byteorder", "little")
        .add(root + "/.data/version", "3\n")
        .around(root, key);
  }
  /// What each model has beside it.
  Zip &around(const std::string &root, const std::string &key) {
    return add(root + "/data/sample_inputs/" + key + ".pt", "")
        .add(root + "/data/weights/" + key + "_weights_config.json", R"({"config": {}})")
        .add(root + "/data/constants/" + key + "_constants_config.json", R"({"config": {}})");
  }
  std::string bytes() const {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_t *zip = zip_open_from_source(source, ZIP_TRUNCATE, &error);
    if (zip == nullptr)
      return {};
    zip_source_keep(source);
    for (const Record &r : records) {
      zip_source_t *s = zip_source_buffer(zip, r.bytes.data(), r.bytes.size(), 0);
      const zip_int64_t i = zip_file_add(zip, r.name.c_str(), s, ZIP_FL_ENC_UTF_8);
      zip_set_file_compression(zip, static_cast<zip_uint64_t>(i), r.deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    EXPECT_EQ(zip_close(zip), 0);
    zip_stat_t stat;
    zip_source_stat(source, &stat);
    std::string out(stat.size, '\0');
    zip_source_open(source);
    zip_source_read(source, out.data(), out.size());
    zip_source_close(source);
    zip_source_free(source);
    return out;
  }

private:
  struct Record {
    std::string name;
    std::string bytes;
    bool deflate;
  };
  std::vector<Record> records;
};

/// The text of the record \p suffix (by the end of its name) in a file of tests/data/pt2.
inline std::string recordText(const std::string &file, const std::string &suffix) {
  int error = 0;
  zip_t *zip = zip_open(dataPath(file).c_str(), ZIP_RDONLY, &error);
  if (zip == nullptr)
    return {};
  std::string out;
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); ++i) {
    zip_stat_t stat;
    zip_stat_index(zip, static_cast<zip_uint64_t>(i), 0, &stat);
    if (!std::string_view(stat.name).ends_with(suffix))
      continue;
    out.resize(stat.size);
    zip_file_t *f = zip_fopen_index(zip, static_cast<zip_uint64_t>(i), 0);
    zip_fread(f, out.data(), out.size());
    zip_fclose(f);
    break;
  }
  zip_discard(zip);
  return out;
}

inline Expected<std::vector<Model>> readBytes(const std::string &bytes) {
  return readPt2(FileBytes::copy(bytes), "m.pt2");
}

/// The model that \p json makes in an archive of the current layout.
inline Expected<std::vector<Model>> readJsonText(const std::string &json) {
  return readBytes(Zip().layout().add("m/models/model.json", json).bytes());
}

/// The program of a conditional between cos and sin, as torch 2.13 writes it.
inline nlohmann::ordered_json condProgram() {
  return nlohmann::ordered_json::parse(recordText("t213_cond2.pt2", "models/model.json"));
}

/// That program after \p edit.
inline Expected<std::vector<Model>> readEdited(const std::function<void(nlohmann::ordered_json &)> &edit) {
  nlohmann::ordered_json program = condProgram();
  edit(program);
  return readJsonText(program.dump());
}

inline nlohmann::ordered_json &mainGraph(nlohmann::ordered_json &program) { return program["graph_module"]["graph"]; }
inline nlohmann::ordered_json &condNode(nlohmann::ordered_json &program) { return mainGraph(program)["nodes"][0]; }
inline nlohmann::ordered_json &branch(nlohmann::ordered_json &program, std::size_t i) {
  return condNode(program)["inputs"][1 + i]["arg"]["as_graph"]["graph"];
}

/// "place: message" of each issue of the kind.
inline std::vector<std::string> issuesOf(const Model &m, FormatIssue::Kind kind = FormatIssue::Kind::Malformed) {
  std::vector<std::string> out;
  for (const FormatIssue &i : m.issues)
    if (i.kind == kind)
      out.push_back(i.place + ": " + i.message);
  return out;
}

inline std::vector<NodeId> nodesOf(const Model &m, GraphId g) {
  std::vector<NodeId> out;
  for (const NodeId n : m.nodes(g))
    out.push_back(n);
  return out;
}

inline ValueId parameter(const Model &m, GraphId g, std::size_t i) {
  return ValueId(m[g].parameters.first + static_cast<std::uint32_t>(i));
}

/// "float32[s0, 4]"
inline std::string typeText(const Model &m, ValueId v) {
  const Type &t = m.types[m[v].recorded];
  std::string out(t.isTensor() ? dtypeName(t.element) : kindName(t.kind));
  if (!t.hasRank)
    return out;
  out += '[';
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    out += (i ? ", " : "") + m.dims.str(t.dims[i]);
  return out + ']';
}

} // namespace condlint::test

#endif // CONDLINT_TESTS_READERS_PT2FILES_H
