//===- ManyInputsTest.cpp - Lists, archives, shards, merged reports -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace condlint::test;
using Words = std::vector<std::string>;

namespace {

Words pathsOf(const nlohmann::json &report) {
  Words paths;
  for (const auto &input : report["inputs"])
    paths.push_back(input["path"]);
  return paths;
}

/// Four models in folders whose names sort differently with and without what is below them.
void furnish(const Workshop &w) {
  w.example("nested.onnx", "models/a/nested.onnx");
  w.example("float_predicate.pt2", "models/a.pt2");
  w.example("written_operand.pt2", "models/a-b/written.pt2");
  w.example("squeeze.onnx", "models/z.onnx");
}

TEST(ManyInputs, AreCheckedWhereTheSystemAllowsNoThreads) {
  const Workshop w;
  furnish(w);
  // What a thread's stack would take is more than there is.
  const std::string limited = "ulimit -s 4000000 && ulimit -v 3000000 && '" + w.program + "' ";
  if (!w.shell(limited + "explain output-rank"))
    GTEST_SKIP() << "with so little memory the program does not start (a sanitizer), or the limits cannot be set";
  EXPECT_TRUE(w.shell(limited + "check -j 4 --no-config --output json=report.json models; [ $? -le 1 ]"));
  EXPECT_FALSE(w.read("report.json").empty());
}

} // namespace

TEST(ManyInputs, AFolderIsWalkedInTheOrderOfItsPaths) {
  Workshop w;
  furnish(w);
  const Words all = pathsOf(w.run({"check", "models", "--output", "json"}).json());
  Words sorted = all;
  std::ranges::sort(sorted);
  EXPECT_EQ(all, sorted);
  EXPECT_EQ(all.size(), 4U);
}

TEST(ManyInputs, AListNamesInputs) {
  Workshop w;
  furnish(w);
  w.write("list", "models/a.pt2\r\n\nmodels/a\nmodels/a.pt2\n");
  const Words wanted{"models/a.pt2", "models/a/nested.onnx"};
  EXPECT_EQ(pathsOf(w.run({"check", "@list", "--output", "json"}).json()), wanted);
  EXPECT_EQ(pathsOf(w.run({"check", "@-", "--output", "json"}, w.read("list")).json()), wanted);
  EXPECT_EQ(pathsOf(w.run({"check", "models/a", "@list", "--output", "json"}).json()),
            (Words{"models/a/nested.onnx", "models/a.pt2"}));

  const Outcome absent = w.run({"check", "@absent"});
  EXPECT_EQ(absent.code, 2);
  EXPECT_TRUE(absent.says("absent: the list cannot be read")) << absent.err;
  w.write("empty", "\n");
  EXPECT_EQ(w.run({"check", "@empty"}).code, 2);
  w.write("gone", "models/gone.onnx\n");
  EXPECT_EQ(w.run({"check", "@gone"}).code, 3);
}

TEST(ManyInputs, ModelsAreReadOutOfArchives) {
  Workshop w;
  furnish(w);
  w.write("models/.hidden.onnx", "x");
  w.write("models/data.json", "{}");
  const nlohmann::json plain = w.run({"check", "models", "--output", "json"}).json();
  for (const auto &[archive, command] :
       {std::pair("m.tar", "tar cf m.tar -C models ."), {"m.tar.gz", "tar czf m.tar.gz -C models ."}}) {
    ASSERT_TRUE(w.shell(command));
    const Outcome o = w.run({"check", archive, "--output", "json"});
    EXPECT_EQ(o.code, 1) << o.err;
    const nlohmann::json report = o.json();
    EXPECT_EQ(report["summary"], plain["summary"]);
    Words paths = pathsOf(report);
    std::ranges::sort(paths);
    EXPECT_EQ(paths.front(), std::string(archive) + "/a-b/written.pt2");
    const nlohmann::json streamed = w.run({"check", "-", "--output", "json"}, w.read(archive)).json();
    EXPECT_EQ(streamed["summary"], plain["summary"]);
  }
}

TEST(ManyInputs, NamesInAnArchiveAreOfAnyLanguage) {
  Workshop w;
  furnish(w);
  w.write("pack.py", "import zipfile\n"
                     "z = zipfile.ZipFile('m.zip', 'w')\n"
                     "z.write('models/a.pt2', 'mod\\u00e8le.pt2')\n"
                     "z.write('models/z.onnx', 'two\\nlines.onnx')\n"
                     "z.write('models/z.onnx', 'n' * 300 + '.onnx')\n"
                     "z.close()\n"
                     "z = zipfile.ZipFile('old.zip', 'w')\n"
                     "z.write('models/a.pt2', 'modXle.pt2')\n"
                     "z.close()\n"
                     "old = open('old.zip', 'rb').read().replace(b'modXle', b'mod\\x8ale')\n"
                     "open('old.zip', 'wb').write(old)\n");
  if (!w.shell("python3 pack.py"))
    GTEST_SKIP() << "there is no Python that makes an archive";
  for (const char *locale : {"C", "C.UTF-8"}) {
    EXPECT_FALSE(w.shell("LC_ALL=" + std::string(locale) + " '" + w.program + "' check m.zip --output json=m.json"));
    const nlohmann::json report = nlohmann::json::parse(w.read("m.json"));
    EXPECT_EQ(pathsOf(report),
              (Words{"m.zip/mod\u00e8le.pt2", "m.zip/two\nlines.onnx", "m.zip/" + std::string(300, 'n') + ".onnx"}));
    EXPECT_FALSE(report["findings"].empty()) << locale;
    EXPECT_FALSE(w.shell("LC_ALL=" + std::string(locale) + " '" + w.program + "' check old.zip --output json=m.json"));
    EXPECT_EQ(nlohmann::json::parse(w.read("m.json"))["inputs"].size(), 1U) << locale;
  }
  EXPECT_EQ(w.run({"check", "-", "--output", "json"}, w.read("m.zip")).json()["inputs"].size(), 3U);
}

TEST(ManyInputs, AnArchiveThatIsCutOffFails) {
  Workshop w;
  furnish(w);
  ASSERT_TRUE(w.shell("tar cf m.tar -C models ."));
  const std::string whole = w.read("m.tar");
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2}) {
    w.write("cut.tar", whole.substr(0, size));
    const Outcome o = w.run({"check", "cut.tar"});
    EXPECT_NE(o.code, 0) << size;
    EXPECT_LE(o.code, 3) << size;
  }
  w.write("no.zip", "nothing");
  EXPECT_EQ(w.run({"check", "no.zip"}).code, 3);
}

TEST(ManyInputs, ANameThatLeadsOutOfAnArchiveIsNoInput) {
  Workshop w;
  w.example("squeeze.onnx", "deep/in/m.onnx");
  std::filesystem::create_directories(w.path("deep/other"));
  ASSERT_TRUE(w.shell("cd deep/other && tar cPf ../../m.tar ../in/m.onnx"));
  const Outcome o = w.run({"check", "m.tar"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(o.says("leads out of it")) << o.out;
}

TEST(ManyInputs, RecordsComeInOrderWhateverTheThreads) {
  Workshop w;
  for (int i = 0; i < 60; ++i)
    w.example(i % 2 == 0 ? "nested.onnx" : "squeeze.onnx", fmt::format("models/{:02}.onnx", i));
  const std::string one = w.run({"check", "models", "-j1", "--output", "ndjson"}).out;
  EXPECT_EQ(w.run({"check", "models", "-j8", "--output", "ndjson"}).out, one);
  EXPECT_EQ(w.run({"check", "models", "-j8"}).out, w.run({"check", "models", "-j1"}).out);
}

TEST(ManyInputs, NothingIsReportedBeforeAllConfigurationsAreKnownToBeGood) {
  Workshop w;
  ASSERT_TRUE(w.shell("mkdir models"));
  w.example("squeeze.onnx", "models/0.onnx");
  ASSERT_TRUE(w.shell("for i in $(seq 1 300); do ln models/0.onnx models/$i.onnx; done"));
  w.example("squeeze.onnx", "models/z/last.onnx");
  w.write("models/z/.condlint.json", R"({"ignroe": []})");
  const Outcome refused = w.run({"check", "-j2", "--output", "ndjson", "models"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out.find("models/0.onnx"), std::string::npos) << "something was reported";
  EXPECT_TRUE(refused.says("models/z/.condlint.json"));
}

TEST(Merge, ShardsMakeTheReportOfOneRun) {
  Workshop w;
  furnish(w);
  w.write("models/broken.onnx", "no model");
  const Outcome whole = w.run({"check", "models", "--output", "json=all.json", "--output", "ndjson=all.ndjson",
                               "--output", "text=all.txt", "--output", "sarif=all.sarif", "--output", "junit=all.xml"});
  for (const char *suffix : {"json", "ndjson"}) {
    Words merge{"merge"};
    for (const char *shard : {"3", "1", "2"}) {
      const std::string name = std::string(shard) + '.' + suffix;
      w.run({"check", "models", "--shard", std::string(shard) + "/3", "--output", std::string(suffix) + '=' + name});
      merge.push_back(name);
    }
    for (const auto &[format, file] : {std::pair("json", "all.json"),
                                       {"ndjson", "all.ndjson"},
                                       {"text", "all.txt"},
                                       {"sarif", "all.sarif"},
                                       {"junit", "all.xml"}}) {
      Words words = merge;
      words.insert(words.end(), {"--output", format});
      const Outcome merged = w.run(words);
      EXPECT_EQ(merged.code, whole.code);
      EXPECT_EQ(merged.out, w.read(file)) << format;
    }
  }
}

TEST(Merge, RefusesWhatDoesNotFitTogether) {
  Workshop w;
  furnish(w);
  w.run({"check", "models", "--shard", "1/2", "--output", "ndjson=1"});
  w.run({"check", "models", "--shard", "2/2", "--output", "ndjson=2"});
  w.run({"check", "models/a", "--shard", "2/2", "--output", "ndjson=other"});
  w.run({"check", "models", "--shard", "2/2", "--select", "output-rank", "--output", "ndjson=rules"});
  w.run({"check", "models", "--shard", "2/2", "--fail-on", "never", "--output", "ndjson=severity"});
  w.run({"check", "models", "--output", "ndjson=all"});
  w.run({"check", "models/z.onnx", "--output", "json=z"});
  w.write("cut", w.read("2").substr(0, 200));
  std::string old = w.read("2");
  old.replace(old.find("\"version\":\"") + 11, 1, "9");
  w.write("old", old);
  struct Case {
    Words reports;
    int code;
    std::string said;
  };
  for (const auto &[reports, code, said] :
       {Case{{"1", "1"}, 2, "is shard 1/2, as 1 is"}, Case{{"1"}, 3, "the report of shard 2/2 is missing"},
        Case{{"1", "other"}, 2, "they are of different runs"},
        Case{{"1", "rules"}, 2, "was made with other options than 1"},
        Case{{"1", "severity"}, 2, "was made with other options than 1"}, Case{{"1", "all"}, 2, "is of no shard"},
        Case{{"all", "z"}, 2, "'models/z.onnx' is in all too"}, Case{{"1", "cut"}, 3, "ends before its summary"},
        Case{{"1", "old"}, 2, "was written by condlint 9"}, Case{{"1", "absent"}, 3, "absent"},
        Case{{"1", "models/z.onnx"}, 3, "neither a JSON nor an NDJSON report"}}) {
    Words words{"merge", "--output", "text=merged.txt"};
    words.insert(words.end(), reports.begin(), reports.end());
    const Outcome o = w.run(words);
    EXPECT_EQ(o.code, code) << said << o.err;
    EXPECT_TRUE(o.says(said)) << o.err;
    EXPECT_FALSE(std::filesystem::exists(w.path("merged.txt"))) << said;
  }
  EXPECT_EQ(w.run({"check", "models", "--shard", "3/2"}).code, 2);
  EXPECT_EQ(w.run({"check", "models", "--shard", "x"}).code, 2);
}

TEST(Merge, JoinsReportsOfDifferentInputs) {
  Workshop w;
  furnish(w);
  w.run({"check", "models/a.pt2", "--output", "json=a.json"});
  w.run({"check", "models/z.onnx", "--output", "ndjson=z.ndjson"});
  EXPECT_EQ(w.run({"merge", "a.json", "z.ndjson", "--output", "json"}).out,
            w.run({"check", "models/a.pt2", "models/z.onnx", "--output", "json"}).out);
}

TEST(Output, WhatCannotBeWrittenLeavesNothingBehind) {
  Workshop w;
  furnish(w);
  for (const char *place : {"/dev/full", "no/folder/x"}) {
    const Outcome o = w.run({"check", "models", "--output", std::string("ndjson=") + place});
    EXPECT_EQ(o.code, 2) << place;
    EXPECT_TRUE(o.says("cannot be written")) << o.err;
  }
  w.write("kept", "before");
  w.write("bad/.condlint.json", "{\"unknown\": 1}");
  w.example("squeeze.onnx", "bad/m.onnx");
  EXPECT_EQ(w.run({"check", "bad", "--output", "ndjson=kept"}).code, 2);
  EXPECT_EQ(w.read("kept"), "before");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(w.path()))
    ++files;
  EXPECT_EQ(files, 3U) << "no file in the making is left";
}
