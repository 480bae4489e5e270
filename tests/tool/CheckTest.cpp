//===- CheckTest.cpp - condlint check from the outside --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace condlint::test;
using Words = std::vector<std::string>;

namespace {

/// Paths of the inputs of a report, in its order.
Words inputsOf(const nlohmann::json &report) {
  Words paths;
  for (const auto &input : report["inputs"])
    paths.push_back(input["path"]);
  return paths;
}

std::string statusOf(const nlohmann::json &report, const std::string &path) {
  for (const auto &input : report["inputs"])
    if (input["path"] == path)
      return input["status"];
  return "absent";
}

} // namespace

TEST(Check, IsCleanOnASoundModel) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  Outcome o = w.run({"check", "m.onnx"});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_EQ(o.err, "");
  nlohmann::json report = w.run({"check", "--output", "json", "m.onnx"}).json();
  EXPECT_EQ(report["summary"]["exitCode"], 0);
  EXPECT_EQ(report["summary"]["conditionals"]["total"], 2);
  EXPECT_EQ(report["inputs"][0]["targets"], nlohmann::json({"onnx"}));
  EXPECT_EQ(report["inputs"][0]["kind"], "onnx");
}

TEST(Check, FindsWhatIsBroken) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  Outcome o = w.run({"check", "m.pt2"});
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  EXPECT_TRUE(o.says("[predicate-dtype]")) << o.out;
  nlohmann::json report = w.run({"check", "--output", "json", "m.pt2"}).json();
  ASSERT_EQ(report["summary"]["findings"]["error"], 1);
  EXPECT_EQ(report["summary"]["exitCode"], 1);
  EXPECT_EQ(report["findings"][0]["rule"], "predicate-dtype");
  EXPECT_EQ(report["findings"][0]["input"], "m.pt2");
  EXPECT_EQ(report["findings"][0]["target"], "torch@2.13") << "the version that wrote it";
}

TEST(Check, TheTargetDecides) {
  Workshop w;
  w.example("lengths.onnx", "m.onnx");
  EXPECT_EQ(w.run({"check", "m.onnx"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.onnx", "--target", "tensorrt@10.3"}).code, 1);
  EXPECT_EQ(w.run({"check", "m.onnx", "--target", "tensorrt@10.13"}).code, 0);
  nlohmann::json report =
      w.run({"check", "--output=json", "--target", "onnx", "--target=tensorrt@10.3", "m.onnx"}).json();
  EXPECT_EQ(report["inputs"][0]["targets"], nlohmann::json({"onnx", "tensorrt@10.3"}));
  EXPECT_EQ(report["summary"]["conditionals"]["total"], 1);
  const Outcome newer = w.run({"check", "m.onnx", "--target", "tensorrt@99"});
  EXPECT_EQ(newer.code, 0);
  EXPECT_TRUE(newer.says("only those of 8.2 to 11.1"));
  Outcome unknown = w.run({"check", "m.onnx", "--target", "tensort"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.says("did you mean 'tensorrt'")) << unknown.err;
}

TEST(Check, SaysThatItDoesNotKnowTheVersionThatWroteAModel) {
  Workshop w;
  const auto written = [&](const std::string &version) {
    w.write("m.json", R"({"condlint": "graph-1", "dialect": "torch", "version": ")" + version +
                          R"(", "graph": {"parameters": [], "nodes": [], "results": []}})");
    return w.run({"check", "m.json"});
  };
  EXPECT_TRUE(written("2.99").says("the rules of torch@2.99 are not known"));
  EXPECT_FALSE(written("2.14").says("not known"));
}

TEST(Check, SaysWhatReadsPythonsOwn) {
  Workshop w;
  for (const char *input : {"package.models:make", "net.py"}) {
    const Outcome o = w.run({"check", input});
    EXPECT_EQ(o.code, 3) << input;
    EXPECT_TRUE(o.says(std::string("python -m condlint check ") + input)) << o.out << o.err;
  }
}

TEST(Check, FailOnMovesTheLine) {
  Workshop w;
  w.example("squeeze.onnx", "m.onnx"); // a warning for onnx
  EXPECT_EQ(w.run({"check", "m.onnx"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.onnx", "--fail-on", "warning"}).code, 1);
  EXPECT_EQ(w.run({"check", "m.onnx", "--fail-on", "never", "--target", "tensorrt"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.onnx", "--fail-on", "off"}).code, 2);
  EXPECT_TRUE(w.run({"check", "m.onnx", "--fail-on", "eror"}).says("did you mean 'error'"));
}

TEST(Check, SelectsAndIgnoresRules) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  EXPECT_EQ(w.run({"check", "m.pt2", "--select", "output-dtype,output-rank"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.pt2", "--select", "output-dtype", "--select", "predicate-dtype"}).code, 1);
  EXPECT_EQ(w.run({"check", "m.pt2", "--ignore", "predicate-dtype"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.pt2", "--ignore", "output-*,predicate-*"}).code, 0);
  EXPECT_EQ(w.run({"check", "m.pt2", "--select", "predicate-dtyp?"}).code, 1);
  EXPECT_TRUE(w.run({"check", "m.pt2", "--select", "outputs-*"}).says("no rule is called 'outputs-*'"));
  Outcome o = w.run({"check", "m.pt2", "--ignore", "predicate-type"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("did you mean 'predicate-dtype'")) << o.err;
}

TEST(Check, WritesEachFormatWhereItIsAsked) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  Outcome o = w.run({"check", "--output", "text", "--output", "json=report.json", "m.pt2"});
  EXPECT_TRUE(o.says("[predicate-dtype]"));
  EXPECT_EQ(nlohmann::json::parse(w.read("report.json"))["schemaVersion"], "1.0");
  o = w.run({"check", "--output", "json=report.json", "m.pt2"});
  EXPECT_EQ(o.out, "");
  o = w.run({"check", "--output", "json=-", "m.pt2"});
  EXPECT_EQ(nlohmann::json::parse(o.out)["schemaVersion"], "1.0");
  EXPECT_FALSE(std::filesystem::exists(w.path("-")));
  EXPECT_EQ(w.run({"check", "--output", "json", "--output", "text", "m.pt2"}).code, 2);
  EXPECT_EQ(w.run({"check", "--output", "json=-", "--output", "text", "m.pt2"}).code, 2);
  EXPECT_EQ(w.run({"check", "--output", "json=a", "--output", "text=a", "m.pt2"}).code, 2);
  EXPECT_EQ(w.run({"check", "--output", "json=", "m.pt2"}).code, 2);
  EXPECT_TRUE(w.run({"check", "--output", "jsn", "m.pt2"}).says("did you mean 'json'"));
  o = w.run({"check", "--output", "json=no/such/folder/r.json", "m.pt2"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("no/such/folder/r.json: cannot be written")) << o.err;
}

TEST(Check, AReportTakesThePlaceOfTheOldOneWhole) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.write("old.json", std::string(100'000, 'x'));
  std::filesystem::create_symlink("old.json", w.path("link.json"));
  EXPECT_EQ(w.run({"check", "--output", "json=link.json", "m.pt2"}).code, 1);
  EXPECT_TRUE(std::filesystem::is_symlink(w.path("link.json")));
  EXPECT_EQ(nlohmann::json::parse(w.read("old.json"))["schemaVersion"], "1.0");
  // What is no file is written to.
  EXPECT_EQ(w.run({"check", "--output", "json=/dev/null", "m.pt2"}).code, 1);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  std::size_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(w.path()))
    files += entry.path().filename().string().find("condlint-") == std::string::npos ? 0U : 1U;
  EXPECT_EQ(files, 0U);
}

TEST(Check, OptionsThatSayNothingAreRefused) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  const Outcome o = w.run({"check", "--config", "", "m.pt2"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("--config: names nothing")) << o.err;
  EXPECT_EQ(w.run({"run", "--save", "", "m.pt2"}).code, 2);
  const Outcome none = w.run({"check", "--select", "output-rank", "--ignore", "output-rank", "m.pt2"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(none.says("nothing would be checked")) << none.err;
}

TEST(Check, AReportDoesNotOverwriteAnInput) {
  Workshop w;
  w.example("float_predicate.pt2", "models/m.pt2");
  const std::string before = w.read("models/m.pt2");
  for (const std::string input : {"models", "models/m.pt2"}) {
    const Outcome o = w.run({"check", "--output", "json=models/../models/m.pt2", input});
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(o.says("is read by this call")) << o.err;
  }
  EXPECT_EQ(w.run({"run", "models/m.pt2", "--save", "models/m.pt2"}).code, 2);
  EXPECT_EQ(w.run({"run", "models/m.pt2", "--save", "models"}).code, 2);
  EXPECT_EQ(w.read("models/m.pt2"), before);
}

TEST(Check, QuietAndColour) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.example("nested.onnx", "n.onnx");
  EXPECT_EQ(w.run({"check", "-q", "n.onnx"}).out, "");
  std::string quiet = w.run({"check", "--quiet", "m.pt2"}).out;
  EXPECT_EQ(std::count(quiet.begin(), quiet.end(), '\n'), 1) << quiet;
  EXPECT_NE(quiet.find(", in m.pt2 [predicate-dtype]"), std::string::npos) << quiet;
  // What fails the run is shown.
  w.example("lengths.onnx", "l.onnx"); // a note
  EXPECT_EQ(w.run({"check", "-q", "l.onnx"}).out, "");
  const Outcome failing = w.run({"check", "-q", "--fail-on", "note", "l.onnx"});
  EXPECT_EQ(failing.code, 1);
  EXPECT_EQ(std::count(failing.out.begin(), failing.out.end(), '\n'), 1) << failing.out;
  EXPECT_FALSE(w.run({"check", "m.pt2"}).says("\x1b"));
  EXPECT_TRUE(w.run({"check", "--color", "always", "m.pt2"}).says("\x1b[1;31merror\x1b[0m"));
  EXPECT_EQ(w.run({"check", "--color", "sometimes", "m.pt2"}).code, 2);
}

TEST(Check, SearchesFoldersInOrder) {
  Workshop w;
  for (const char *name : {"in/z.onnx", "in/a/m.onnx", "in/a b/ü.onnx", "in/.hidden/h.onnx", "in/.h.onnx"})
    w.example("nested.onnx", name);
  w.write("in/readme.txt", "no model");
  w.write("in/other.json", R"({"tool": {"name": "condlint", "version": "1"}})");
  std::filesystem::create_directory_symlink("..", w.path("in/a/loop"));
  std::filesystem::create_symlink("self.onnx", w.path("in/self.onnx"));
  Outcome o = w.run({"check", "--output", "json", "in"});
  EXPECT_EQ(o.code, 3) << "a link to itself cannot be read";
  EXPECT_EQ(inputsOf(o.json()), (Words{"in/a b/ü.onnx", "in/a/m.onnx", "in/self.onnx", "in/z.onnx"}));
}

TEST(Check, ReadsItsOwnGraphsInFolders) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  Outcome dump = w.run({"dump", "--output", "json", "m.onnx"});
  ASSERT_EQ(dump.code, 0) << dump.err;
  w.write("in/graph.json", dump.out);
  w.write("in/other.json", "{}");
  Outcome o = w.run({"check", "--output", "json", "in"});
  EXPECT_EQ(o.code, 0) << o.out;
  nlohmann::json report = o.json();
  EXPECT_EQ(inputsOf(report), Words{"in/graph.json"});
  EXPECT_EQ(report["inputs"][0]["kind"], "json");
  EXPECT_EQ(report["summary"]["conditionals"]["total"], 2);
}

TEST(Check, AnalysesAnInputOnce) {
  Workshop w;
  w.example("nested.onnx", "in/m.onnx");
  Outcome o =
      w.run({"check", "--output", "json", "in/m.onnx", "in", "./in/../in/m.onnx", w.path("in/m.onnx").string()});
  EXPECT_EQ(inputsOf(o.json()), Words{"in/m.onnx"});
}

TEST(Check, AGraphIsNotCheckedForATargetOfSourcesAlone) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  const Outcome o = w.run({"check", "--target", "nnscaler", "--output", "json", "m.onnx"});
  EXPECT_EQ(o.json()["inputs"][0]["status"], "skipped") << o.out;
  const Outcome both = w.run({"check", "--target", "nnscaler", "--target", "onnx", "--output", "json", "m.onnx"});
  EXPECT_EQ(both.json()["inputs"][0]["status"], "ok") << both.out;
}

TEST(Check, KeepsTheOrderOfTheInputsOnAnyNumberOfThreads) {
  Workshop w;
  Words arguments{"check", "--output", "json"};
  for (int i = 0; i < 40; ++i) {
    w.example(i % 3 == 0 ? "float_predicate.pt2" : "squeeze.onnx",
              std::to_string((i * 7) % 40) + (i % 3 == 0 ? ".pt2" : ".onnx"));
    arguments.push_back(std::to_string((i * 7) % 40) + (i % 3 == 0 ? ".pt2" : ".onnx"));
  }
  Words one = arguments, many = arguments;
  one.push_back("-j1");
  many.insert(many.end(), {"--jobs", "8"});
  EXPECT_EQ(w.run(one).out, w.run(many).out);
  EXPECT_EQ(w.run({"check", "-j", "0", "0.pt2"}).code, 2);
  EXPECT_EQ(w.run({"check", "-j", "many", "0.pt2"}).code, 2);
}

TEST(Check, SaysWhatIsWrongWithAnInputAndGoesOn) {
  Workshop w;
  w.example("float_predicate.pt2", "good.pt2");
  w.write("empty.onnx", "");
  w.write("text.pt2", "this is no archive");
  w.write("notes.txt", "nothing");
  w.write("broken.json", "{");
  ::mkfifo(w.path("pipe.onnx").c_str(), 0600);
  Words bad{"absent.onnx", "empty.onnx", "text.pt2", "notes.txt", "broken.json", "pipe.onnx"};
  Words arguments{"check", "--output", "json"};
  arguments.insert(arguments.end(), bad.begin(), bad.end());
  arguments.push_back("good.pt2");
  Outcome o = w.run(arguments);
  EXPECT_EQ(o.code, 3) << "3 wins over 1";
  nlohmann::json report = o.json();
  EXPECT_EQ(report["summary"]["exitCode"], 3);
  EXPECT_EQ(report["summary"]["findings"]["error"], 1) << "the others are still analysed";
  for (const std::string &path : bad) {
    EXPECT_EQ(statusOf(report, path), "failed") << path;
    EXPECT_TRUE(o.err.find("condlint: " + path + ": failed: ") != std::string::npos) << path << o.err;
  }
  for (const auto &input : report["inputs"])
    EXPECT_EQ(input["reason"].is_null(), input["status"] == "ok");
  EXPECT_TRUE(o.says("expected a .pt2, an .onnx")) << o.err;
}

TEST(Check, NeedsSomethingToAnalyse) {
  Workshop w;
  std::filesystem::create_directory(w.path("empty"));
  Outcome o = w.run({"check", "empty"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("condlint: empty: the folder holds no .pt2 and no .onnx file")) << o.err;
  w.example("nested.onnx", "m.onnx");
  o = w.run({"check", "empty", "m.onnx"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(o.says("2 conditionals in 2 inputs")) << o.out;
  EXPECT_EQ(w.run({"check"}).code, 2);
}

TEST(Check, NamesAProgramOfExecuTorchByWhatItHolds) {
  Workshop w;
  const std::string program = std::string("\x1c\0\0\0", 4) + "ET12" + std::string(24, '\0');
  const char *what = "is a program of ExecuTorch", *advice = "check the .pt2 it is made from";
  for (const char *name : {"m.pte", "m.pt2", "m.onnx", "m", "only/program.bin"}) {
    w.write(name, program);
    const Outcome o = w.run({"check", name});
    EXPECT_EQ(o.code, 3) << name;
    EXPECT_TRUE(o.says(what) && o.says(advice)) << name << o.out << o.err;
  }
  for (const char *command : {"check", "run"})
    EXPECT_TRUE(w.run({command, "-"}, program).says(what)) << command;
  // In a folder nothing is read by what it holds alone, but of one without models it is told.
  Outcome o = w.run({"check", "only"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("the folder holds no .pt2") && o.says("only/program.bin: is a program of ExecuTorch") &&
              o.says(advice))
      << o.err;
  // Beside a model it is left out, and a note of that says so.
  const auto notesOf = [&](const char *argument) {
    const Outcome all = w.run({"check", argument, "--output", "json"});
    EXPECT_EQ(all.json()["inputs"].size(), 1U) << all.out;
    return all.json()["inputs"][0]["notes"].dump();
  };
  w.example("nested.onnx", "beside/m.onnx");
  w.write("beside/z/other.pte", "nothing of the kind");
  EXPECT_EQ(notesOf("beside"), "[]");
  w.write("beside/z/m.pte", program);
  EXPECT_NE(notesOf("beside").find("left out: beside/z/m.pte is a program of ExecuTorch"), std::string::npos);
  ASSERT_TRUE(w.shell("tar cf beside.tar -C beside ."));
  EXPECT_NE(notesOf("beside.tar").find("left out: beside.tar/z/m.pte is a program of ExecuTorch"), std::string::npos);
  for (const char *more : {"a", "b", "c"})
    w.write(std::string("beside/z/") + more + ".pte", program);
  EXPECT_NE(notesOf("beside").find("and 1 more are programs of ExecuTorch"), std::string::npos);
  ASSERT_TRUE(w.shell("tar cf beside.tar -C beside ."));
  EXPECT_NE(notesOf("beside.tar").find("and 1 more are programs of ExecuTorch"), std::string::npos);
  EXPECT_EQ(w.run({"check", "beside"}).code, w.run({"check", "beside/m.onnx"}).code);
  ASSERT_TRUE(w.shell("tar cf only.tar -C only . && mkdir named && cp m.pte named && tar cf named.tar -C named ."));
  EXPECT_TRUE(w.run({"check", "named"}).says("named/m.pte: is a program of ExecuTorch"));
  EXPECT_TRUE(w.run({"check", "named.tar"}).says("named.tar/m.pte: is a program of ExecuTorch"));
  // What is called so and is none.
  w.write("other.pte", "nothing of the kind");
  EXPECT_FALSE(w.run({"check", "other.pte"}).says(what));
  EXPECT_FALSE(w.run({"check", "-"}, "\x1c ET and more").says(what));
}

TEST(Check, SaysThatItDoesNotKnowAVersionThatIsAskedFor) {
  Workshop w;
  w.example("nested.onnx", "a.onnx");
  w.example("nested.onnx", "b.onnx");
  const std::string note = "the rules of openvino@2030.1 are not known";
  Outcome o = w.run({"check", "a.onnx", "b.onnx", "--target", "openvino@2030.1", "--output", "json"});
  const auto report = o.json();
  for (const auto &input : report["inputs"])
    EXPECT_NE(input["notes"].dump().find(note), std::string::npos) << o.out;
  EXPECT_TRUE(o.says("a.onnx: note: " + note) && o.says("(and of 1 more input)")) << o.err;
  o = w.run({"check", "a.onnx", "b.onnx", "--target", "openvino@2030.1"});
  EXPECT_EQ(o.out.find(note), o.out.rfind(note)) << o.out;
  EXPECT_TRUE(o.says("(and of 1 more input)")) << o.out;
  o = w.run({"check", "a.onnx", "--target", "openvino@2026.4", "--output", "json"});
  EXPECT_TRUE(o.json()["inputs"][0]["notes"].empty()) << o.out;
  const std::string between = "openvino@2024.2 was not measured: the rules of 2024.6 are taken";
  o = w.run({"check", "a.onnx", "--target", "openvino@2024.2", "--output", "json"});
  EXPECT_NE(o.json()["inputs"][0]["notes"].dump().find(between), std::string::npos) << o.out;
  EXPECT_TRUE(w.run({"check", "a.onnx", "--target", "openvino@2024.2"}).says(between));
}

TEST(Check, ReadsAnUnreadableFileAsSuch) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  ::chmod(w.path("m.onnx").c_str(), 0);
  Outcome o = w.run({"check", "m.onnx"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(o.says("permission denied"));
}

TEST(Check, TakesStandardInputAndOddNames) {
  Workshop w;
  w.example("float_predicate.pt2", "m.pt2");
  w.example("nested.onnx", "check");
  w.example("nested.onnx", "-dash.onnx");
  w.example("nested.onnx", "dump/with space and ü.onnx");
  Outcome o = w.run({"check", "--output", "json", "-"}, w.read("m.pt2"));
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.json()["inputs"][0]["kind"], "pt2");
  o = w.run({"check", "--output", "json", "-"}, w.read("check"));
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.json()["inputs"][0]["kind"], "onnx");
  EXPECT_EQ(w.run({"check", "-"}, "").code, 3);
  EXPECT_EQ(w.run({"check", "./-dash.onnx"}).code, 0);
  EXPECT_EQ(w.run({"check", "dump"}).code, 0) << "a folder that is called as a command";
  EXPECT_EQ(w.run({"check", "check"}).code, 3) << "a file without a known ending";
}

TEST(Check, ABranchThatTheCallOfAFunctionGivesIsComparedWithItsOwn) {
  Workshop w;
  const std::string model = CONDLINT_SOURCE_DIR "/tests/data/onnx/function_branch_from_call.onnx";
  const Outcome o = w.run({"check", "--output", "json", model});
  EXPECT_EQ(o.code, 1);
  const nlohmann::json rules = o.json()["conditionals"][0]["rules"];
  EXPECT_EQ(rules["branch-missing"], "proved");
  EXPECT_EQ(rules["output-dtype"], "violated");
  EXPECT_EQ(w.run({"run", "--branch", "both", model}).code, 1);
}
