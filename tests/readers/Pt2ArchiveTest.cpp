//===- Pt2ArchiveTest.cpp - Layouts, and archives that are none -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pt2Files.h"
#include <algorithm>

namespace condlint::test {
namespace {

std::string errorOf(const std::string &bytes) {
  const auto models = readBytes(bytes);
  return models ? "" : models.error().str();
}

bool contains(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Pt2ArchiveTest, CurrentLayout) {
  const auto models = readModel(dataPath("t213_cond2.pt2"));
  ASSERT_TRUE(models) << models.error().str();
  ASSERT_EQ(models->size(), 1u);
  const Model &m = models->front();
  EXPECT_EQ(m.info.format, Format::Pt2);
  EXPECT_EQ(m.info.dialect, Dialect::Torch);
  EXPECT_EQ(m.info.producer, "torch 2.13.0+cpu");
  EXPECT_EQ(m.info.version, "2.13");
  EXPECT_EQ(m.info.schemaMajor, 8);
  EXPECT_EQ(m.info.schemaMinor, 20);
  EXPECT_EQ(m.info.name, "model");
  EXPECT_EQ(m.info.path, dataPath("t213_cond2.pt2"));
  ASSERT_EQ(m.info.opsets.size(), 1u);
  EXPECT_EQ(m.info.opsets[0], (std::pair<std::string, std::int64_t>("aten", 10)));
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ArchiveTest, LayoutUpTo27) {
  const auto models = readModel(dataPath("t26_cond2.pt2"));
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  EXPECT_EQ(m.info.version, "2.6");
  EXPECT_EQ(m.info.schemaMinor, 2);
  EXPECT_TRUE(m.issues.empty());
}

TEST(Pt2ArchiveTest, DeflatedAndUnderAnyRoot) {
  const auto models = readModel(dataPath("zip_deflated.pt2"));
  ASSERT_TRUE(models) << models.error().str();
  EXPECT_TRUE(models->front().issues.empty());
  const std::string json = condProgram().dump();
  for (const char *root : {"a", "archive", "a b", "ä"})
    for (const bool deflate : {false, true}) {
      const std::string name = std::string(root) + "/models/model.json";
      const auto read = readBytes(Zip().layout(root).add(name, json, deflate).bytes());
      ASSERT_TRUE(read) << read.error().str();
      EXPECT_EQ(nodesOf(read->front(), read->front().main()).size(), 1u);
    }
}

TEST(Pt2ArchiveTest, SeveralModels) {
  const std::string json = condProgram().dump();
  const auto models =
      readBytes(Zip().layout().add("m/models/encoder.json", json).add("m/models/sub/decoder.json", json, true).bytes());
  ASSERT_TRUE(models) << models.error().str();
  ASSERT_EQ(models->size(), 2u);
  EXPECT_EQ((*models)[0].info.name, "encoder");
  EXPECT_EQ((*models)[1].info.name, "sub/decoder");
}

TEST(Pt2ArchiveTest, NamesThatLeadOutAreIgnored) {
  const std::string json = condProgram().dump();
  const auto models = readBytes(Zip()
                                    .add("../archive_format", "pt2")
                                    .add("/archive_format", "pt2")
                                    .layout()
                                    .add("m/models/../../../etc/passwd.json", "{")
                                    .add("../m/models/x.json", "{")
                                    .add("m/models/model.json", json)
                                    .bytes());
  ASSERT_TRUE(models) << models.error().str();
  EXPECT_EQ(models->size(), 1u);
}

TEST(Pt2ArchiveTest, WhatTheArchiveIsInstead) {
  EXPECT_TRUE(contains(errorOf(""), "is empty"));
  EXPECT_TRUE(contains(errorOf("hello, this is text"), "is no zip archive"));
  EXPECT_TRUE(contains(errorOf("PK"), "cut off"));
  EXPECT_TRUE(contains(errorOf(Zip().add("a.txt", "x").bytes()), "without a model"));
  EXPECT_TRUE(contains(
      errorOf(Zip().add("m/code/__torch__.py", "x").add("m/data.pkl", "x").add("m/constants.pkl", "x").bytes()),
      "TorchScript"));
  EXPECT_TRUE(contains(errorOf(Zip().add("m/data.pkl", "x").add("m/data/0", "x").bytes()), "checkpoint"));
  EXPECT_TRUE(contains(errorOf(Zip().layout().add("m/data/aotinductor/model/a.so", "x").bytes()), "AOTInductor"));
  EXPECT_TRUE(contains(errorOf(Zip().add("m/data/aotinductor/model/a.so", "x").bytes()), "AOTInductor"));
  EXPECT_TRUE(contains(errorOf(Zip().layout().bytes()), "broke off"));
  EXPECT_TRUE(contains(errorOf(Zip().add("m/models/model.json", "{}").bytes()), "archive_format"));
  EXPECT_TRUE(contains(errorOf(Zip().add("m/archive_format", "zip").bytes()), "'pt2'"));
  EXPECT_TRUE(
      contains(errorOf(Zip().add("archive_format", "pt2").add("models/model.json", "{}").bytes()), "lies at the top"));
  // What a save that fails leaves behind.
  EXPECT_TRUE(contains(errorOf(fileText(dataPath("t213_hop_wl_int_n.pt2"))), "broke off"));
}

/// The issues of a sound archive in which \p name holds \p text; "-" stands for a record that is not there.
std::vector<std::string> issuesWithRecord(const std::string &name, const std::string &text) {
  Zip zip = Zip().layout().add("m/models/model.json", condProgram().dump());
  if (text == "-")
    zip.without("m/" + name);
  else
    zip.put("m/" + name, text);
  const auto models = readBytes(zip.bytes());
  EXPECT_TRUE(models);
  return models ? issuesOf(models->front()) : std::vector<std::string>{"failed"};
}

TEST(Pt2ArchiveTest, WordsOfTheArchiveAreComparedAsTorchDoes) {
  EXPECT_TRUE(issuesWithRecord("archive_version", "0").empty());
  for (const char *other : {"7", "0\n", " 0", ""})
    EXPECT_EQ(issuesWithRecord("archive_version", other).size(), 1u) << other;
  EXPECT_EQ(issuesWithRecord("archive_version", "7"),
            std::vector<std::string>{"m/archive_version: expected the archive version '0', found '7'"});
  EXPECT_EQ(issuesWithRecord("archive_format", "pt2\n"),
            std::vector<std::string>{"m/archive_format: expected the archive format 'pt2', found 'pt2\\n'"});
  // The container's version is what its first digits say.
  for (const char *sound : {"1", "3\n", "10", "3x", " 3", "+3"})
    EXPECT_TRUE(issuesWithRecord(".data/version", sound).empty()) << sound;
  for (const char *other : {"0\n", "11", "-3", "pt2", ""})
    EXPECT_EQ(issuesWithRecord(".data/version", other).size(), 1u) << other;
}

TEST(Pt2ArchiveTest, RecordsThatTorchAsksForAreDemanded) {
  for (const char *name : {"archive_version", ".data/version", "data/sample_inputs/model.pt",
                           "data/weights/model_weights_config.json", "data/constants/model_constants_config.json"}) {
    const auto issues = issuesWithRecord(name, "-");
    ASSERT_EQ(issues.size(), 1u) << name;
    EXPECT_TRUE(contains(issues[0], std::string("the record 'm/") + name + "' is not in the archive")) << issues[0];
  }
  for (const char *name : {"byteorder", ".data/serialization_id", "extra/notes.txt"}) {
    EXPECT_TRUE(issuesWithRecord(name, "-").empty()) << name;
    EXPECT_TRUE(issuesWithRecord(name, "anything").empty()) << name;
  }
}

TEST(Pt2ArchiveTest, SavedInputsAreWhatTorchSaves) {
  const std::string name = "data/sample_inputs/model.pt";
  EXPECT_TRUE(issuesWithRecord(name, "").empty()); // none were saved
  EXPECT_TRUE(issuesWithRecord(name, Zip().add("a/data.pkl", "x").bytes()).empty());
  EXPECT_TRUE(issuesWithRecord(name, std::string("\x80\x02\x8a\x0al\xfc\x9c", 7)).empty());
  for (const std::string &other :
       {std::string("nonsense"), std::string("PK\x03\x04 cut off"), std::string("\x80\x02}q")})
    EXPECT_EQ(issuesWithRecord(name, other).size(), 1u) << other;
}

TEST(Pt2ArchiveTest, ChecksumOfAStoredRecord) {
  std::string bytes = Zip().layout().add("m/models/model.json", condProgram().dump()).bytes();
  ASSERT_TRUE(readBytes(bytes));
  bytes[bytes.find("cos")] = 'k';
  EXPECT_TRUE(contains(errorOf(bytes), "checksum"));
}

TEST(Pt2ArchiveTest, SizesAreNotBelieved) {
  EXPECT_TRUE(contains(errorOf(fileText(dataPath("zip_declares_2gb.pt2"))), "declares 2147483647 bytes"));
  // A bomb: zeros deflate to a thousandth.
  EXPECT_TRUE(contains(errorOf(Zip().layout().add("m/models/model.json", std::string(100 << 20, ' '), true).bytes()),
                       "when it is inflated"));
}

TEST(Pt2ArchiveTest, EveryTruncationIsRefused) {
  const std::string bytes = fileText(dataPath("t26_cond2.pt2"));
  for (std::size_t size = 0; size < bytes.size(); size += size < 64 || size + 64 > bytes.size() ? 1U : 97U)
    EXPECT_FALSE(readBytes(bytes.substr(0, size))) << size;
}

TEST(Pt2ArchiveTest, WhatIsNoJsonIsRefused) {
  const std::string json = condProgram().dump();
  ASSERT_TRUE(readJsonText(json));
  EXPECT_TRUE(contains(readJsonText("").error().str(), "m/models/model.json: the JSON is empty"));
  EXPECT_FALSE(readJsonText(std::string(10000, '[')));
  EXPECT_FALSE(readJsonText(json + "}"));
  EXPECT_FALSE(readJsonText(json + " 1"));
  std::string broken = json;
  broken[broken.find("forward")] = '\xff';
  EXPECT_TRUE(contains(readJsonText(broken).error().str(), "UTF-8"));
  // A syntax error is found wherever it stands, in what is not looked at too.
  for (std::size_t size = 1; size < json.size(); size += 13)
    EXPECT_FALSE(readJsonText(json.substr(0, size))) << size;
  broken = json;
  broken.insert(broken.find("\"module_call_graph\":") + 20, "tru ,\"x\":");
  EXPECT_FALSE(readJsonText(broken));
  broken = json;
  broken.insert(broken.find("File "), "\\q");
  EXPECT_TRUE(contains(readJsonText(broken).error().str(), "escape"));
}

TEST(Pt2ArchiveTest, WeightsAreReferences) {
  const std::string path = dataPath("t213_cond1.pt2");
  const std::string bytes = fileText(path);
  const auto models = readModel(path);
  ASSERT_TRUE(models) << models.error().str();
  const Model &m = models->front();
  const ValueId weight = parameter(m, m.main(), 0);
  EXPECT_EQ(m[weight].role, ParameterRole::Parameter);
  ASSERT_TRUE(m[weight].constant);
  const Constant &data = m[m[weight].constant];
  EXPECT_EQ(m.text(data.name), "lin.weight");
  EXPECT_EQ(m.text(data.file), "t213_cond1/data/weights/weight_0");
  EXPECT_EQ(data.size, 64u);
  EXPECT_EQ(data.offset % 64, 0u);
  ASSERT_LE(data.offset + data.size, bytes.size());
  EXPECT_EQ(bytes.substr(data.offset, data.size), recordText("t213_cond1.pt2", "data/weights/weight_0"));
  EXPECT_EQ(m.types[data.type].element, DType::Float32);
  EXPECT_TRUE(data.bytes.empty());
  EXPECT_EQ(m[parameter(m, m.main(), 2)].role, ParameterRole::Input);
  EXPECT_FALSE(m[parameter(m, m.main(), 2)].constant);
}

/// The archive of a model of two weights of 64 and 16 bytes, after \p edit of each record; one that
/// becomes "-" is left out.
std::vector<std::string> issuesWithout(const std::function<void(std::string_view name, std::string &text)> &edit) {
  Zip zip;
  zip.layout();
  for (const std::string name : {"models/model.json", "data/weights/model_weights_config.json", "data/weights/weight_0",
                                 "data/weights/weight_1", "data/constants/model_constants_config.json"}) {
    std::string text = recordText("t213_cond1.pt2", "t213_cond1/" + name);
    edit(name, text);
    if (text == "-")
      zip.without("m/" + name);
    else
      zip.put("m/" + name, text);
  }
  const auto models = readBytes(zip.bytes());
  EXPECT_TRUE(models);
  return models ? issuesOf(models->front()) : std::vector<std::string>{"failed"};
}

TEST(Pt2ArchiveTest, WeightsThatAreNotThereAreMalformed) {
  const auto with = [](const std::string &record, const std::string &text) {
    return issuesWithout([&](std::string_view name, std::string &old) {
      if (name == record)
        old = text;
    });
  };
  const std::string first = "data/weights/weight_0";
  EXPECT_TRUE(with("", "").empty());
  const auto gone = with(first, "-");
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_TRUE(contains(gone[0], "the record 'm/data/weights/weight_0' is not in the archive")) << gone[0];
  const auto cut = with(first, std::string(60, 'x'));
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_TRUE(contains(cut[0], "has 60 bytes, but the tensor needs 64")) << cut[0];
  const std::string weights = "data/weights/model_weights_config.json";
  const auto unlisted = with(weights, "-");
  ASSERT_EQ(unlisted.size(), 1u);
  EXPECT_TRUE(contains(unlisted[0], weights + "' is not in the archive")) << unlisted[0];
  // No constant is read, and torch asks for it all the same.
  EXPECT_EQ(with("data/constants/model_constants_config.json", "-").size(), 1u);
  EXPECT_EQ(with("data/constants/model_constants_config.json", "{}").size(), 1u);
  // Tensors without data are saved so, and a storage may hold more than one tensor.
  EXPECT_TRUE(with(first, "").empty());
  EXPECT_TRUE(with(first, std::string(80, 'x')).empty());
  EXPECT_EQ(with(first, std::string(81, 'x')).size(), 1u); // no whole number of float32
}

TEST(Pt2ArchiveTest, WeightsLieWhereTheirConfigurationSays) {
  const auto edited = [](const std::string &from, const std::string &to) {
    return issuesWithout([&](std::string_view name, std::string &text) {
      if (name == "data/weights/model_weights_config.json")
        text.replace(text.find(from), from.size(), to);
    });
  };
  const auto unnamed = edited("\"lin.weight\"", "\"another\"");
  ASSERT_EQ(unnamed.size(), 1u);
  EXPECT_TRUE(contains(unnamed[0], "no record is named for 'lin.weight'")) << unnamed[0];
  // Four bytes further on the last element lies behind the end; as a pickle nobody knows.
  EXPECT_EQ(edited("\"storage_offset\": {\"as_int\": 0}", "\"storage_offset\": {\"as_int\": 1}").size(), 1u);
  for (const char *field : {"path_name", "is_param", "use_pickle", "tensor_meta"})
    EXPECT_GE(edited(std::string("\"") + field + "\"", "\"other\"").size(), 1u) << field;
  EXPECT_EQ(edited("\"is_param\": true", "\"is_param\": false").size(), 1u);
  EXPECT_TRUE(edited("\"use_pickle\": false, \"tensor_meta\": {\"dtype\": 7",
                     "\"use_pickle\": true, \"tensor_meta\": {\"dtype\": 8")
                  .empty());
  // A parameter of an integer could require no gradients, but that is not what is wrong with it.
  for (const char *other : {"\"dtype\": 8", "\"dtype\": 6", "\"dtype\": 5"}) {
    const auto contradicts = edited("\"dtype\": 7", other);
    ASSERT_EQ(contradicts.size(), 1u);
    EXPECT_TRUE(contains(contradicts[0], "but the graph records float32[")) << contradicts[0];
  }
  // The record of the smaller one.
  EXPECT_EQ(edited("\"weight_0\"", "\"weight_1\"").size(), 1u);
}

TEST(Pt2ArchiveTest, ARecordThatGrowsTooMuchIsRefused) {
  const auto models = readBytes(Zip().layout().add("m/models/model.json", std::string(70u << 20, ' '), true).bytes());
  ASSERT_FALSE(models);
  EXPECT_TRUE(contains(models.error().str(), "grows to more than 128 times its size")) << models.error().str();
}

TEST(Pt2ArchiveTest, ABrokenWeightsConfigurationIsMalformed) {
  const auto models = readBytes(Zip()
                                    .layout()
                                    .add("m/models/model.json", condProgram().dump())
                                    .put("m/data/weights/model_weights_config.json", "{\"config\":")
                                    .bytes());
  ASSERT_TRUE(models) << models.error().str();
  const std::vector<std::string> issues = issuesOf(models->front());
  EXPECT_TRUE(std::ranges::any_of(issues, [](const std::string &issue) {
    return contains(issue, "m/data/weights/model_weights_config.json: the JSON ends early");
  })) << issues.size();
}

} // namespace
} // namespace condlint::test
