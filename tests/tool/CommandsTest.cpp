//===- CommandsTest.cpp - The other commands from the outside -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

using namespace condlint::test;

TEST(Commands, WithoutOneThereIsHelp) {
  Workshop w;
  EXPECT_EQ(w.run({}).code, 2);
  EXPECT_EQ(w.run({"chek", "m.onnx"}).code, 2);
  Outcome help = w.run({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char *command : {"check", "show", "dump", "explain", "rules", "targets"}) {
    EXPECT_TRUE(help.says(command));
    EXPECT_EQ(w.run({command, "--help"}).code, 0);
  }
}

TEST(Commands, VersionNamesWhatItIsBuiltWith) {
  Workshop w;
  Outcome o = w.run({"--version"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(o.out.starts_with("condlint 0."));
  EXPECT_TRUE(o.says(CONDLINT_WITH_CXX ? "LLVM: 22." : "LLVM: none"));
  EXPECT_TRUE(o.says("tensorrt@"));
  EXPECT_TRUE(o.says("devices: cpu"));
  EXPECT_TRUE(o.says("\nOpenBLAS: "));
}

TEST(Commands, VersionSaysWhoseKernelsOpenBlasRuns) {
  Workshop w;
  w.program = "/usr/bin/env";
  const Outcome chosen = w.run({"-u", "OPENBLAS_CORETYPE", CONDLINT_PROGRAM, "--version"});
  if (chosen.says("OpenBLAS: none"))
    GTEST_SKIP() << "no OpenBLAS is installed";
  EXPECT_TRUE(chosen.says(", kernels for ")) << chosen.out;
  // What the user asks for stays; kernels that every processor runs.
  const Outcome asked = w.run({"OPENBLAS_CORETYPE=Nehalem", CONDLINT_PROGRAM, "--version"});
  EXPECT_TRUE(asked.says(", kernels for Nehalem")) << asked.out;
}

TEST(Commands, RulesListsEveryRuleOfTheTable) {
  Workshop w;
  nlohmann::json table = w.run({"rules", "--output", "json"}).json()["rules"];
  ASSERT_GT(table.size(), 30u);
  std::string text = w.run({"rules"}).out;
  for (const auto &rule : table) {
    std::string id = rule["id"];
    EXPECT_TRUE(text.find("\n" + id + " ") != std::string::npos) << id;
    for (const char *system :
         {"torch", "aoti", "executorch", "onnx", "onnxruntime", "openvino", "tensorrt", "nnscaler"})
      EXPECT_TRUE(rule["severity"].contains(system)) << id;
  }
}

TEST(Commands, ExplainHasAPageForEveryRule) {
  Workshop w;
  const auto all = w.run({"rules", "--output", "json"}).json();
  for (const auto &rule : all["rules"]) {
    Outcome o = w.run({"explain", rule["id"]});
    EXPECT_EQ(o.code, 0);
    EXPECT_GT(o.out.size(), 200u) << rule["id"];
    EXPECT_TRUE(o.says(rule["id"].get<std::string>()));
    EXPECT_EQ(o.says("- models: `.pt2`"), rule["graph"].get<bool>()) << rule["id"];
    EXPECT_EQ(o.says("- C++"), !rule["source"].empty()) << rule["id"];
  }
  nlohmann::json page = w.run({"explain", "output-dtype", "--output", "json"}).json();
  EXPECT_EQ(page["id"], "output-dtype");
  EXPECT_TRUE(page["page"].is_string());
  Outcome unknown = w.run({"explain", "output-dtypes"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.says("did you mean 'output-dtype'"));
  EXPECT_TRUE(w.run({"explain", "dtype"}).says("'condlint rules' lists all"));
}

TEST(Commands, AnUnknownCommandIsNamed) {
  Workshop w;
  Outcome o = w.run({"chekc", "m.onnx"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("unknown command 'chekc': did you mean 'check'?")) << o.err;
  EXPECT_TRUE(w.run({"publish"}).says("unknown command 'publish' (known: check, merge")) << "nothing is near";
  EXPECT_FALSE(w.run({"check", "--target", "foo", "m.onnx"}).says("did you mean"));
}

TEST(Commands, AnUnknownOptionIsNamedBeforeWhatIsMissingForIt) {
  Workshop w;
  for (const std::vector<std::string> &arguments : {std::vector<std::string>{"check", "--ouput", "json"},
                                                    {"check", "--ouput=json", "m.onnx"},
                                                    {"run", "--ouput"}}) {
    const Outcome o = w.run(arguments);
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(o.says("unknown option '--ouput': did you mean '--output'? ('condlint")) << o.err;
    EXPECT_FALSE(o.says("INPUT is required")) << o.err;
  }
  EXPECT_TRUE(w.run({"check", "-z"}).says("unknown option '-z' ('condlint check --help' lists all"));
  EXPECT_TRUE(w.run({"--verion"}).says("unknown option '--verion': did you mean '--version'? ('condlint --help'"));
  EXPECT_TRUE(w.run({"check"}).says("INPUT is required"));
  EXPECT_EQ(w.run({"check", "--ouput", "--help"}).code, 0);
}

TEST(Commands, AnOptionOfAnotherCommandIsSaidToBeOne) {
  Workshop w;
  EXPECT_TRUE(w.run({"check", "m.onnx", "--draws", "3"})
                  .says("'--draws': it is one of 'condlint run' and 'condlint compare' ("));
  EXPECT_TRUE(w.run({"run", "m.onnx", "-j", "2"}).says("'-j': it is one of 'condlint check' ("));
  EXPECT_TRUE(w.run({"rules", "--model", "m"}).says("'--model': it is one of 'condlint run' and 'condlint dump' ("));
}

TEST(Commands, HelpIsACommandToo) {
  Workshop w;
  EXPECT_EQ(w.run({"help"}).out, w.run({"--help"}).out);
  EXPECT_EQ(w.run({"help", "run"}).out, w.run({"run", "--help"}).out);
  EXPECT_EQ(w.run({"help", "rum"}).code, 2);
}

TEST(Commands, NumbersAreWhole) {
  Workshop w;
  for (const char *seed : {"x", "-1", "1.5", "99999999999999999999"})
    EXPECT_TRUE(w.run({"run", "m.pt2", "--seed", seed}).says("is not a whole number from 0 on")) << seed;
  EXPECT_TRUE(w.run({"check", "-j", "0", "m.pt2"}).says("--jobs: '0' is not a whole number from 1 to 1024"));
}

TEST(Commands, APageIsTheSameForEveryTarget) {
  Workshop w;
  const Outcome o = w.run({"explain", "output-dtype", "--target", "torch"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(o.says("--target: counts with --at alone")) << o.err;
  EXPECT_EQ(w.run({"explain", "output-dtype", "-p", "build"}).code, 2);
  EXPECT_EQ(w.run({"explain", "output-dtype", "--", "-std=c++20"}).code, 2);
}

TEST(Commands, ALimitOfTimeIsNotNegative) {
  Workshop w;
  w.example("early_exit.pt2", "m.pt2");
  for (const char *limit : {"-1", "nan"}) {
    const Outcome o = w.run({"run", "m.pt2", "--time-limit", limit});
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(o.says("--time-limit: must not be negative")) << o.err;
  }
  EXPECT_EQ(w.run({"run", "m.pt2", "--time-limit", "60"}).code, 0);
}

TEST(Commands, TargetsListsTheSystems) {
  Workshop w;
  Outcome o = w.run({"targets"});
  EXPECT_EQ(o.code, 0);
  const auto all = w.run({"targets", "--output", "json"}).json();
  for (const auto &target : all["targets"])
    EXPECT_TRUE(o.says(target["name"].get<std::string>()));
}

TEST(Commands, DumpPrintsAndItsJsonIsReadBack) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  w.example("early_exit.pt2", "m.pt2");
  for (const char *model : {"m.onnx", "m.pt2"}) {
    Outcome text = w.run({"dump", model});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_GT(std::count(text.out.begin(), text.out.end(), '\n'), 10);
    EXPECT_EQ(w.run({"dump", "--infer", model}).code, 0);
    Outcome json = w.run({"dump", "--output", "json", model});
    EXPECT_EQ(json.code, 0);
    w.write("copy.json", json.out);
    EXPECT_EQ(w.run({"dump", "--output", "json", "copy.json"}).code, 0);
    nlohmann::json before = w.run({"check", "--output", "json", model}).json();
    nlohmann::json after = w.run({"check", "--output", "json", "copy.json"}).json();
    EXPECT_EQ(before["summary"], after["summary"]) << model;
  }
  EXPECT_EQ(w.run({"dump", "absent.onnx"}).code, 3);
  EXPECT_EQ(w.run({"dump", "m.onnx", "--model", "other"}).code, 2);
  EXPECT_EQ(w.run({"dump", "m.onnx", "--output", "xml"}).code, 2);
}

TEST(Commands, DumpOfSeveralModelsIsAnInputToo) {
  Workshop w;
  w.example("nested.onnx", "m.onnx");
  const std::string one = w.run({"dump", "--output", "json", "m.onnx"}).out;
  w.write("two.json", "[" + one + "," + one + "]");
  const Outcome both = w.run({"dump", "--output", "json", "two.json"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(both.json().size(), 2u);
  EXPECT_EQ(w.run({"dump", "--output", "json", "-"}, both.out).out, both.out);
  EXPECT_EQ(w.run({"dump", "--output", "json", "-"}, "\xEF\xBB\xBF" + both.out).out, both.out);
}

TEST(Commands, SayWhenStandardOutputCannotBeWritten) {
  std::ofstream full("/dev/full");
  if (!full)
    GTEST_SKIP() << "there is no /dev/full";
  std::string command = std::string(CONDLINT_PROGRAM) + " rules >/dev/full 2>/dev/null";
  int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
}
