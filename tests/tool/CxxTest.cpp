//===- CxxTest.cpp - How C++ sources are found ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How C++ sources are found, and with which flags they are parsed. What is read
// in them is tested in tests/cxx.
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <gtest/gtest.h>
#include <string_view>

namespace condlint::test {
namespace {

TEST(CxxModule, WithoutItSourcesAreSkippedVisiblyAndGraphsAreNot) {
  Workshop w;
  w.write("a.cc", "int x;");
  w.example("squeeze.onnx", "m.onnx");
  w.write("bin/README", "");
  std::filesystem::copy_file(CONDLINT_PROGRAM, w.path("bin/condlint"));
  w.program = w.path("bin/condlint").string();
  Outcome o = w.run({"check", "--output", "json", "a.cc", "--", "-Iinclude", "-std=c++17"});
  EXPECT_EQ(o.code, 3);
  nlohmann::json input = o.json()["inputs"][0];
  EXPECT_EQ(input["kind"], "cxx");
  EXPECT_EQ(input["status"], "skipped");
  const auto reason = input["reason"].get<std::string>();
  EXPECT_NE(reason.find(CONDLINT_WITH_CXX ? "copy the folder lib/condlint" : "without C++ support"), std::string::npos)
      << reason;
  EXPECT_EQ(w.run({"check", "m.onnx"}).code, 0);
}

#if CONDLINT_WITH_CXX

nlohmann::json onlyInput(const Outcome &o) {
  nlohmann::json report = o.json();
  EXPECT_EQ(report["inputs"].size(), 1u) << report["inputs"];
  return report["inputs"].at(0);
}

std::string reasonOf(const Outcome &o) {
  nlohmann::json reason = onlyInput(o)["reason"];
  return reason.is_string() ? reason.get<std::string>() : "";
}

bool contains(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(CxxCheck, WithoutACommandTheFlagsAreGuessedAndShown) {
  Workshop w;
  w.write("a.cc", "#include <concepts>\nint x = [] { return 1; }();");
  Outcome o = w.run({"check", "--output", "json", "a.cc"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(onlyInput(o)["status"], "ok");
  EXPECT_TRUE(contains(onlyInput(o)["notes"].dump(), "no compile command; parsed with -std=c++20")) << o.out;
  EXPECT_TRUE(contains(w.run({"check", "a.cc"}).out, "note: no compile command"));
}

TEST(CxxCheck, FlagsBehindTwoDashesReplaceTheCommand) {
  Workshop w;
  w.write("compile_flags.txt", "-DVALUE=wrong");
  w.write("include/value.h", "#define VALUE 1");
  w.write("a.cc", "#include <value.h>\nstatic_assert(VALUE == 1 && __cplusplus == 201703L);");
  EXPECT_EQ(w.run({"check", "a.cc", "--", "-Iinclude", "-std=c++17"}).code, 0);
  w.write("flags.rsp", "-Iinclude -std=c++17");
  EXPECT_EQ(w.run({"check", "a.cc", "--", "@flags.rsp"}).code, 0);
}

TEST(CxxCheck, AnErrorOfTheCompilerMakesTheInputPartial) {
  Workshop w;
  w.write("a.cc", "#include <nowhere.h>\nint f() { return 1; }\nint g() { return nothing; }\n");
  Outcome o = w.run({"check", "--output", "json", "a.cc", "--"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(onlyInput(o)["status"], "partial");
  EXPECT_EQ(reasonOf(o),
            "2 errors of the compiler: a.cc:1:10: 'nowhere.h' file not found; a.cc:3:18: use of undeclared "
            "identifier 'nothing'");
  EXPECT_EQ(w.run({"check", "--allow-partial", "a.cc", "--"}).code, 0);
}

TEST(CxxCheck, WhatYieldsNoDeclarationHasFailed) {
  Workshop w;
  w.write("a.cc", "#error nothing here\n");
  Outcome o = w.run({"check", "--allow-partial", "--output", "json", "a.cc", "--"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(onlyInput(o)["status"], "failed");
  EXPECT_EQ(reasonOf(o), "1 error of the compiler: a.cc:1:2: nothing here");
  EXPECT_TRUE(contains(reasonOf(w.run({"check", "--output", "json", "absent.cc", "--"})), "no such file"));
}

TEST(CxxCheck, AFindingThatACommentSilencesIsCountedAndFailsNothing) {
  Workshop w;
  const std::string fault = R"(#include <ATen/ATen.h>
#include <condlint/cond.h>
at::Tensor f(const at::Tensor &p, const at::Tensor &x) {
  return condlint::cond(p, [](const at::Tensor &a) { return a + 1; }, [](const at::Tensor &a) { return a; }, {x});)";
  const std::vector<std::string> check{"check",
                                       "--output",
                                       "json",
                                       "--select",
                                       "output-alias",
                                       "a.cc",
                                       "--",
                                       "-std=c++17",
                                       "-I" CONDLINT_SOURCE_DIR "/tests/mocks",
                                       "-I" CONDLINT_SOURCE_DIR "/include"};
  w.write("a.cc", fault + "\n}\n");
  const Outcome loud = w.run(check);
  EXPECT_EQ(loud.code, 1) << loud.out << loud.err;
  EXPECT_FALSE(loud.json().contains("suppressed"));
  w.write("a.cc", fault + " // NOLINT(condlint-output-alias)\n}\n");
  const Outcome silent = w.run(check);
  EXPECT_EQ(silent.code, 0) << silent.out;
  EXPECT_TRUE(silent.json()["findings"].empty());
  EXPECT_EQ(silent.json()["suppressed"].size(), 1u);
  EXPECT_EQ(silent.json()["summary"]["conditionals"]["proved"], 0);
}

TEST(CxxCheck, AnUnknownFlagIsToldAndLeftOut) {
  Workshop w;
  w.write("a.cc", "int x;");
  Outcome o = w.run({"check", "--output", "json", "a.cc", "--", "-fno-such-flag"});
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(contains(onlyInput(o)["notes"].dump(), "unknown argument: '-fno-such-flag'")) << o.out;
}

TEST(CxxCheck, CommandsAreFoundAsClangdFindsThem) {
  Workshop w;
  w.write("src/deep/a.cc", "static_assert(VALUE == 1);");
  w.write(
      "build/compile_commands.json",
      R"([{"directory": "sub", "file": "../../src/deep/a.cc", "arguments": ["c++", "-DVALUE=1", "-o", "a.o", "-c", "../../src/deep/a.cc"]}])");
  w.write("build/sub/made", "");
  EXPECT_EQ(w.run({"check", "src/deep/a.cc"}).code, 0) << "in build/ of a folder above, with a relative directory";
  w.write("src/compile_flags.txt", "-DVALUE=2");
  EXPECT_EQ(w.run({"check", "src/deep/a.cc"}).code, 3) << "the nearest wins";
  EXPECT_EQ(w.run({"check", "-p", "build", "src/deep/a.cc"}).code, 0) << "-p wins";
  EXPECT_EQ(w.run({"check", "-p", "src", "src/deep/a.cc"}).code, 3);
  Outcome o = w.run({"check", "-p", "nowhere", "src/deep/a.cc"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "no compile_commands.json in nowhere"));
}

TEST(CxxCheck, AHeaderTakesTheCommandOfANearSource) {
  Workshop w;
  w.write("net.h", "#pragma once\nstatic_assert(VALUE == 1);\nnamespace n { class C {}; }");
  w.write("net.cc", "#include \"net.h\"");
  w.write("compile_commands.json",
          R"([{"directory": ".", "file": "net.cc", "command": "c++ -std=c++17 -DVALUE=1 -c net.cc"}])");
  Outcome o = w.run({"check", "--output", "json", "net.h"});
  EXPECT_EQ(o.code, 0) << o.out;
  EXPECT_TRUE(contains(onlyInput(o)["notes"].dump(), "inferred from net.cc")) << o.out;
}

TEST(CxxCheck, AFolderStandsForTheSourcesOfItsCompileCommands) {
  Workshop w;
  w.write("src/a.cc", "int a;");
  w.write("src/b.cpp", "int b;");
  w.write("src/c.cc", "nobody compiles this");
  w.write("build/made.cc", "int made;");
  w.write("build/CMakeCache.txt", "");
  w.write("build/compile_commands.json", R"([
    {"directory": "..", "file": "src/b.cpp", "command": "c++ -c src/b.cpp"},
    {"directory": "..", "file": "src/a.cc", "command": "c++ -c src/a.cc"},
    {"directory": "..", "file": "src/a.cc", "command": "c++ -DAGAIN -c src/a.cc"},
    {"directory": "..", "file": "build/made.cc", "command": "c++ -c build/made.cc"},
    {"directory": "..", "file": "src/gone.cc", "command": "c++ -c src/gone.cc"}])");
  Outcome o = w.run({"check", "--output", "json", "."});
  nlohmann::json inputs = o.json()["inputs"];
  ASSERT_EQ(inputs.size(), 3u) << inputs;
  EXPECT_EQ(inputs[0]["path"], "./src/a.cc");
  EXPECT_EQ(inputs[1]["path"], "./src/b.cpp");
  EXPECT_EQ(inputs[2]["path"], "./src/gone.cc");
  EXPECT_EQ(inputs[0]["status"], "ok");
  EXPECT_EQ(inputs[2]["status"], "failed") << "what the database names and is not there is told";
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(w.run({"check", "--output", "json", "src"}).json()["inputs"].size(), 3u) << "found from below";
}

TEST(CxxCheck, ABrokenDatabaseIsNotSilence) {
  Workshop w;
  w.write("compile_commands.json", "{");
  w.write("a.cc", "int a;");
  EXPECT_EQ(w.run({"check", "."}).code, 3);
  EXPECT_TRUE(contains(reasonOf(w.run({"check", "--output", "json", "a.cc"})), "is no database of compile commands"));
}

TEST(CxxCheck, AResponseFileThatIsNotThereIsNotSilence) {
  Workshop w;
  w.write("a.cc", "int a;");
  w.write("compile_commands.json",
          R"([{"directory": ".", "file": "a.cc", "command": "c++ @flags.rsp -std=c++17 -c a.cc"}])");
  const Outcome o = w.run({"check", "--output", "json", "a.cc"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(contains(reasonOf(o), "there is no response file flags.rsp")) << o.out;
  EXPECT_EQ(onlyInput(o)["status"], "partial") << "what can be read is";
  EXPECT_EQ(w.run({"check", "--allow-partial", "a.cc"}).code, 0);
  EXPECT_EQ(w.run({"check", "--no-config", "a.cc", "--", "@none.rsp"}).code, 3);
  w.write("flags.rsp", "-DVALUE=1 @more.rsp");
  EXPECT_TRUE(contains(reasonOf(w.run({"check", "--output", "json", "a.cc"})), "more.rsp"));
  w.write("more.rsp", "-DOTHER");
  EXPECT_EQ(w.run({"check", "a.cc"}).code, 0);
}

TEST(CxxCheck, AnEntryOfAnotherFormLeavesTheOthersAlone) {
  Workshop w;
  w.write("compile_commands.json",
          R"([1, {"file": 2}, {"directory": 7, "file": "a.cc", "command": "c++ -c a.cc"}, {"directory": null}])");
  w.write("a.cc", "int a;");
  w.example("squeeze.onnx", "m.onnx");
  const Outcome o = w.run({"check", "--output", "json", "."});
  EXPECT_NE(o.code, 4) << o.err;
  EXPECT_EQ(o.json()["summary"]["inputs"]["total"], 2);
}

TEST(CxxCheck, AConditionalIsReadAndItsBreakFound_R6) {
  Workshop w;
  w.write("m.cc", R"(#include <torch/torch.h>
#include <condlint/cond.h>
torch::Tensor sound(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); }, [](const torch::Tensor &x) { return x.sin(); }, {x});
}
torch::Tensor broken(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); }, [](const torch::Tensor &x) { return x.to(torch::kLong); }, {x});
}
)");
  const std::string mock = "-I" CONDLINT_SOURCE_DIR "/tests/mocks";
  Outcome o = w.run({"check", "--output", "json", "m.cc", "--", mock, "-std=c++17"});
  EXPECT_EQ(o.code, 1) << o.err;
  nlohmann::json report = o.json();
  EXPECT_EQ(report["inputs"][0]["status"], "ok") << report["inputs"][0]["reason"];
  EXPECT_EQ(report["inputs"][0]["conditionals"], 2);
  std::string found;
  for (const nlohmann::json &f : report["findings"])
    if (f["severity"] != "note")
      found += f["rule"].get<std::string>() + ':' + std::to_string(f["location"]["line"].get<int>()) + ' ';
  EXPECT_EQ(found, "output-dtype:7 ");
}

TEST(CxxCheck, ATargetForWhichNothingIsReadIsToldNotPassedOver) {
  Workshop w;
  w.write("a.cc", "int x;");
  Outcome o = w.run({"check", "--output", "json", "--target", "onnxruntime", "a.cc", "--"});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(onlyInput(o)["status"], "skipped");
  EXPECT_TRUE(contains(reasonOf(o), "not for onnxruntime")) << reasonOf(o);
  o = w.run({"check", "--output", "json", "--target", "torch", "--target", "onnxruntime", "a.cc", "--"});
  EXPECT_EQ(onlyInput(o)["status"], "partial");
  EXPECT_EQ(w.run({"check", "--target", "torch", "--target", "tensorrt@10.3", "a.cc", "--"}).code, 0);
}

// Code that builds networks against the stand-in for TensorRT's headers.

const std::vector<std::string> &tensorrtFlags() {
  static const std::vector<std::string> flags{
      "--", "-isystem", std::string(CONDLINT_SOURCE_DIR) + "/tests/mocks/tensorrt", "-DCONDLINT_MOCK_TENSORRT=1003"};
  return flags;
}

std::vector<std::string> withTensorrt(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), tensorrtFlags().begin(), tensorrtFlags().end());
  return arguments;
}

constexpr const char *network = R"(#include <NvInfer.h>
using namespace nvinfer1;
void build(INetworkDefinition &n, ITensor &p, ITensor &x, ITensor &y) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  auto *a = n.addUnary(*in, UnaryOperation::kEXP)->getOutput(0);
  auto *b = n.addSoftMax(y)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
)";

TEST(CxxTensorRt, TheTargetIsThatOfTheHeadersOrTheOneThatIsAskedFor) {
  Workshop w;
  w.write("net.cc", network);
  Outcome o = w.run(withTensorrt({"check", "--output", "json", "net.cc"}));
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  ASSERT_EQ(o.json()["conditionals"].size(), 1U);
  EXPECT_EQ(o.json()["conditionals"][0]["target"], "tensorrt@10.3");
  ASSERT_EQ(o.json()["findings"].size(), 1U) << o.out;
  EXPECT_EQ(o.json()["findings"][0]["rule"], "branch-eager");
  EXPECT_EQ(o.json()["findings"][0]["location"]["line"], 8);
  o = w.run(withTensorrt({"check", "--output", "json", "--target", "tensorrt@11.1", "net.cc"}));
  EXPECT_EQ(o.json()["conditionals"][0]["target"], "tensorrt@11.1");
}

TEST(CxxTensorRt, HeadersThatDoNotSayTheirVersionAreNoted) {
  Workshop w;
  w.write("net.cc", std::string(network) + "#undef NV_TENSORRT_MAJOR\n");
  Outcome o = w.run(withTensorrt({"check", "net.cc"}));
  EXPECT_NE(o.out.find("do not say their version: tensorrt@11.1 is checked"), std::string::npos) << o.out;
  o = w.run(withTensorrt({"check", "--target", "tensorrt@10.3", "net.cc"}));
  EXPECT_EQ(o.out.find("do not say their version"), std::string::npos) << o.out;
}

TEST(CxxTensorRt, ForAnotherTargetItIsSaidThatNothingIsJudged) {
  Workshop w;
  w.write("net.cc", network);
  const Outcome o = w.run(withTensorrt({"check", "--target", "torch", "net.cc"}));
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_NE(o.out.find("judged with --target tensorrt"), std::string::npos) << o.out;
}

TEST(CxxTensorRt, EachTargetIsJudgedByItsOwnTypes) {
  Workshop w;
  // A shape is int64 from TensorRT 10 on.
  w.write("net.cc", R"(#include <NvInfer.h>
using namespace nvinfer1;
void build(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims2{4, 8});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*x)->getOutput(0);
  auto *shape = n.addShape(*in)->getOutput(0);
  auto *narrow = n.addCast(*n.addShape(*in)->getOutput(0), DataType::kINT32)->getOutput(0);
  n.markOutput(*c->addOutput(*shape, *narrow)->getOutput(0));
}
)");
  for (const std::string first : {"tensorrt@8.6", "tensorrt"}) {
    const std::string second = first == "tensorrt" ? "tensorrt@8.6" : "tensorrt";
    const nlohmann::json report =
        w.run(withTensorrt({"check", "--output", "json", "--target", first, "--target", second, "net.cc"})).json();
    ASSERT_EQ(report["findings"].size(), 1U) << report["findings"];
    EXPECT_EQ(report["findings"][0]["rule"], "output-dtype");
    EXPECT_EQ(report["findings"][0]["target"], "tensorrt@11.1");
  }
}

TEST(CxxCheck, ASourceInAnotherEncodingIsRefused) {
  Workshop w;
  w.write("u.cc", std::string("\xff\xfe\0x", 4));
  const Outcome o = w.run({"check", "u.cc"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(o.says("is UTF-16, expected UTF-8")) << o.out;
}

TEST(CxxCheck, ASystemHeaderThatChangedIsReadAnew) {
  Workshop w;
  w.write("lib/library.h", "#define VALUE 1");
  w.write("a.cc", "#include <library.h>\nstatic_assert(VALUE == 1);");
  w.write("b.cc", "#include <library.h>\nstatic_assert(VALUE == 1);");
  const std::vector<std::string> arguments{"check", "--cache", "cache", "a.cc", "b.cc", "--", "-isystem", "lib"};
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(w.run(arguments).code, 0);
  w.write("lib/library.h", "#define VALUE  1\n#define MORE");
  EXPECT_EQ(w.run(arguments).code, 0) << w.run(arguments).out;
}

TEST(CxxTensorRt, TheReportSaysWhenLayersAreEvaluated) {
  Workshop w;
  w.write("net.cc", network);
  const nlohmann::json c = w.run(withTensorrt({"check", "--output", "json", "net.cc"})).json()["conditionals"][0];
  ASSERT_EQ(c["layers"].size(), 2U) << c;
  EXPECT_EQ(c["layers"][0]["name"], "addUnary");
  EXPECT_EQ(c["layers"][0]["evaluated"], "lazy");
  EXPECT_EQ(c["layers"][0]["branch"], "true");
  EXPECT_EQ(c["layers"][1]["evaluated"], "eager");
  EXPECT_EQ(c["layers"][1]["via"], "'y'");
  EXPECT_EQ(c["layers"][1]["location"]["path"], "net.cc");
}

TEST(CxxTensorRt, ExplainDrawsTheConditionalOfAPlace) {
  Workshop w;
  w.write("net.cc", network);
  Outcome o = w.run(withTensorrt({"explain", "--at", "net.cc:4"}));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "├─ true: ")) << o.out;
  EXPECT_TRUE(contains(o.out, "│  └─ lazy: addUnary (net.cc:7:15)\n")) << o.out;
  EXPECT_TRUE(contains(o.out, "eager: addSoftMax (net.cc:8:15), lazy if 'y' went through addInput\n")) << o.out;
  EXPECT_EQ(w.run(withTensorrt({"explain", "--at", "net.cc:7"})).out, o.out) << "a layer of it stands there";
  EXPECT_EQ(w.run(withTensorrt({"explain", "--at", "net.cc:7:15"})).out, o.out) << "as compilers print places";
  o = w.run(withTensorrt({"explain", "--at", "net.cc:1"}));
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "no conditional at net.cc:1; the nearest is on line 4")) << o.err;
  EXPECT_EQ(w.run({"explain", "--at", "net.cc"}).code, 2);
  EXPECT_EQ(w.run({"explain"}).code, 2);
  EXPECT_EQ(w.run({"explain", "--at", "absent.cc:3"}).code, 3);
  o = w.run(withTensorrt({"explain", "--output", "json", "--at", "net.cc:9"}));
  EXPECT_EQ(o.code, 0) << "markOutput is nobody's layer: all conditionals of the function are drawn";
  EXPECT_EQ(w.run(withTensorrt({"explain", "--output", "json", "--at", "net.cc:8"})).json()["conditionals"].size(), 1U);
}

TEST(CxxTensorRt, ExplainDrawsTheConditionalThatACallAdds) {
  Workshop w;
  w.write("calls.cc", R"(#include <NvInfer.h>
using namespace nvinfer1;
ITensor *gate(INetworkDefinition &n, ITensor &p, ITensor &x) {
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(x)->getOutput(0);
  return c->addOutput(*n.addUnary(*in, UnaryOperation::kABS)->getOutput(0), *in)->getOutput(0);
}
void build(INetworkDefinition &n, ITensor &p, ITensor &x) {
  n.setName("gated");
  n.markOutput(*gate(n, p, x));
}
)");
  const Outcome o = w.run(withTensorrt({"explain", "--at", "calls.cc:11"}));
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "conditional calls.cc:4:")) << o.out;
  EXPECT_EQ(w.run(withTensorrt({"explain", "--at", "calls.cc:10"})).code, 2);
}

TEST(CxxCheck, TracedCodeIsReadOnRequest) {
  Workshop w;
  w.write("m.cc", R"(#include <torch/torch.h>
struct M : torch::nn::Module {
  torch::Tensor forward(const torch::Tensor &x) {
    if (is_training())
      return x * 2;
    return x;
  }
};
)");
  const std::string mock = "-I" CONDLINT_SOURCE_DIR "/tests/mocks";
  Outcome o = w.run({"check", "--output", "json", "--target", "nnscaler", "m.cc", "--", mock});
  EXPECT_EQ(o.code, 0) << "a warning is no error";
  nlohmann::json report = o.json();
  EXPECT_EQ(onlyInput(o)["status"], "ok") << reasonOf(o);
  ASSERT_EQ(report["findings"].size(), 1u) << report["findings"];
  EXPECT_EQ(report["findings"][0]["rule"], "control-flow-frozen");
  EXPECT_EQ(report["findings"][0]["location"]["line"], 4);
  EXPECT_TRUE(w.run({"check", "--output", "json", "m.cc", "--", mock}).json()["findings"].empty());
}

TEST(CxxCheck, WhatAHeaderHoldsCountsOnceWhoeverIncludesIt) {
  Workshop w;
  w.write(".condlint-root", "");
  w.write("net.h", R"(#pragma once
#include <torch/torch.h>
#include <condlint/cond.h>
inline torch::Tensor shared(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](torch::Tensor x) { x.add_(1); return x * 2; }, [](torch::Tensor x) { return x * 3; }, {x});
}
)");
  w.write("a.cc", "#include \"net.h\"\ntorch::Tensor a(const torch::Tensor &x) { return shared(x); }\n");
  w.write("b.cc", R"(#include "net.h"
torch::Tensor b(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](torch::Tensor x) { x.add_(1); return x * 2; }, [](torch::Tensor x) { return x * 3; }, {x});
}
)");
  const std::string mock = "-isystem" CONDLINT_SOURCE_DIR "/tests/mocks";
  nlohmann::json report = w.run({"check", "--output", "json", "a.cc", "b.cc", "--", mock}).json();
  EXPECT_EQ(report["summary"]["conditionals"]["total"], 2) << report["summary"];
  EXPECT_EQ(report["inputs"][0]["conditionals"], 1);
  EXPECT_EQ(report["inputs"][1]["conditionals"], 1);
  std::string errors;
  for (const nlohmann::json &f : report["findings"])
    if (f["severity"] == "error")
      errors += f["location"]["path"].get<std::string>() + ':' + std::to_string(f["location"]["line"].get<int>()) + ' ';
  EXPECT_EQ(errors, "net.h:5 b.cc:3 ");
  report = w.run({"check", "--output", "json", "a.cc", "net.h", "--", mock}).json();
  EXPECT_EQ(report["summary"]["conditionals"]["total"], 1) << report["summary"];
  EXPECT_EQ(report["summary"]["findings"]["error"], 1) << report["summary"];
}

TEST(CxxCheck, AHeaderThatChangesIsReadAgain) {
  Workshop w;
  w.write("lib/value.h", "#pragma once\ninline int value() { return 1; }\nusing Number = int;\n");
  w.write("a.cc", "#include <value.h>\nstatic_assert(sizeof(Number) == 4);\n");
  w.write("b.cc", "#include <value.h>\nstatic_assert(sizeof(Number) == 4);\n");
  const auto check = [&] { return w.run({"check", "--cache", "kept", "a.cc", "b.cc", "--", "-isystemlib"}); };
  EXPECT_EQ(check().code, 0);
  EXPECT_EQ(check().code, 0);
  w.write("lib/value.h",
          "#pragma once\ninline int value() { return 12345; }\nusing Number = int;\nstruct Another {};\n");
  EXPECT_EQ(check().code, 0);
  EXPECT_EQ(check().code, 0);
}

TEST(CxxCheck, AHeaderThatDoesNotGuardItselfIsReadOnce) {
  Workshop w;
  w.write("lib/plain.h", "// Nobody includes it twice.\ninline int value() { return 1; }\n");
  w.write("a.cc", "#include <plain.h>\nint a = value();\n");
  w.write("b.cc", "#include <plain.h>\nint b = value();\n");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(w.run({"check", "--cache", "kept", "a.cc", "b.cc", "--", "-isystemlib"}).code, 0) << i;
}

TEST(CxxCheck, HeadersForModelsAreAlwaysThere) {
  Workshop w;
  w.write("a.cc", "#include <condlint/cond.h>\nint x;");
  Outcome o = w.run({"check", "--output", "json", "a.cc", "--"});
  EXPECT_TRUE(contains(reasonOf(o), "'ATen/core/Tensor.h' file not found")) << o.out;
  EXPECT_FALSE(contains(reasonOf(o), "cond.h' file not found"));
}

TEST(CxxCheck, TheHostSideOfCudaIsRead) {
  Workshop w;
  w.write("k.cu", R"(#include <torch/torch.h>
#include <condlint/cond.h>
using torch::Tensor;
__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= 2;
}
Tensor f(const Tensor &x) {
  scale<<<dim3(1), 32>>>(x.data_ptr<float>(), 4);
  return condlint::cond(x.any(), [](const Tensor &y) { return y.exp(); }, [](const Tensor &y) { return y.to(torch::kLong); }, {x});
}
)");
  const std::string mock = "-I" CONDLINT_SOURCE_DIR "/tests/mocks";
  for (const bool installed : {true, false}) {
    if (!installed)
      ::setenv("CUDA_HOME", "/nowhere", 1);
    Outcome o = w.run({"check", "--output", "json", "k.cu", "--", mock, "-std=c++17"});
    ::unsetenv("CUDA_HOME");
    EXPECT_EQ(o.code, 1) << o.out << o.err;
    EXPECT_EQ(onlyInput(o)["status"], "ok") << reasonOf(o);
    EXPECT_EQ(o.json()["findings"][0]["location"]["line"], 11);
  }
  // nvcc's own words, with a response file.
  w.write("flags.rsp", mock + " --expt-relaxed-constexpr -gencode arch=compute_90,code=sm_90");
  w.write("compile_commands.json", R"([{"directory": ".", "file": "k.cu",
    "command": "/nowhere/bin/nvcc -forward-unknown-to-host-compiler @flags.rsp -std=c++17 -Xcompiler=-fPIC,-Wall -x cu -c k.cu -o k.o"}])");
  EXPECT_EQ(w.run({"check", "k.cu"}).code, 1);
}

TEST(CxxCheck, HeadersInAFolderBesideTheSourcesAreTheProjects) {
  Workshop w;
  w.write("include/head.h", R"(#pragma once
#include <torch/torch.h>
#include <condlint/cond.h>
inline torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &y) { return y; }, [](const torch::Tensor &y) { return y.exp(); }, {x});
}
)");
  w.write("network/a.cc", "#include \"head.h\"");
  const Outcome o = w.run({"check", "--output", "json", "network/a.cc", "--",
                           "-isystem" CONDLINT_SOURCE_DIR "/tests/mocks", "-I" + w.path("include").string()});
  EXPECT_EQ(o.json()["summary"]["findings"]["error"], 1) << o.out << o.err;
}

TEST(CxxCheck, AKernelWritesWhereItIsPointedTo) {
  Workshop w;
  w.write("k.cu", R"(#include <torch/torch.h>
#include <condlint/cond.h>
using torch::Tensor;
__global__ void scale(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (i < n && p[i] > 0)
    p[i] *= 2;
}
__global__ void elsewhere(float *p, int n);
Tensor written(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &y) { scale<<<1, 32>>>(y.data_ptr<float>(), 4); return y.exp(); }, [](const Tensor &y) { return y.sin(); }, {x});
}
Tensor fresh(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &y) { Tensor z = y.clone(); scale<<<1, 32>>>(z.data_ptr<float>(), 4); return z; }, [](const Tensor &y) { return y.sin(); }, {x});
}
Tensor open(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &y) { elsewhere<<<1, 32>>>(y.data_ptr<float>(), 4); return y.exp(); }, [](const Tensor &y) { return y.sin(); }, {x});
}
)");
  const std::string mock = "-I" CONDLINT_SOURCE_DIR "/tests/mocks";
  for (const bool installed : {true, false}) {
    if (!installed)
      ::setenv("CUDA_HOME", "/nowhere", 1);
    const Outcome o = w.run({"check", "--output", "json", "k.cu", "--", mock, "-std=c++17"});
    ::unsetenv("CUDA_HOME");
    const auto report = o.json();
    const auto &findings = report["findings"], &conditionals = report["conditionals"];
    ASSERT_EQ(findings.size(), 1U) << o.out << o.err;
    EXPECT_EQ(findings[0]["rule"], "input-mutation");
    EXPECT_EQ(findings[0]["location"]["line"], 8);
    ASSERT_EQ(conditionals.size(), 3U);
    EXPECT_EQ(conditionals[1]["rules"]["input-mutation"], "proved") << conditionals[1];
    EXPECT_EQ(conditionals[2]["rules"]["input-mutation"], "unknown") << conditionals[2];
  }
}

TEST(CxxCheck, FunctionsOfAHeaderThatTheFlagsIncludeAreReadEachTime) {
  Workshop w;
  w.write("config.h", "#define FACTOR 2\n");
  w.write("bump.h", R"(#pragma once
#include <torch/torch.h>
inline torch::Tensor bump(const torch::Tensor &x) {
  x.add_(FACTOR);
  return x * 2;
}
)");
  w.write("cmake_pch.hxx", "/* generated by CMake */\n\n#pragma GCC system_header\n#ifdef __cplusplus\n#include \"" +
                               w.path("bump.h").string() + "\"\n#endif // __cplusplus\n");
  w.write("a.cc", R"(#include <torch/torch.h>
#include <condlint/cond.h>
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), bump, [](const torch::Tensor &y) { return y.exp(); }, {x});
}
)");
  const std::string mock = "-isystem" CONDLINT_SOURCE_DIR "/tests/mocks";
  for (const char *header : {"bump.h", "cmake_pch.hxx"})
    for (int run = 0; run < 3; ++run) {
      const Outcome o = w.run({"check", "--cache", "kept", "--output", "json", "a.cc", "--", mock, "-include",
                               "config.h", "-include", w.path(header).string()});
      const auto findings = o.json()["findings"];
      ASSERT_EQ(findings.size(), 1U) << header << ' ' << run << o.out << o.err;
      EXPECT_EQ(findings[0]["rule"], "input-mutation");
    }
}

TEST(CxxCheck, DeepNestingIsNoCrash) {
  Workshop w;
  std::string deep(200'000, '(');
  w.write("parens.cc", "int x = " + deep + "1;");
  w.write("braces.cc", "int f() " + std::string(50'000, '{') + std::string(50'000, '}'));
  w.write("minus.cc", "int x = 1" + std::string(100'000, '-') + "1; int y;");
  w.write("template.cc", "template <int N> struct S { using T = typename S<N + 1>::T; }; S<0>::T x; int y;");
  for (const char *name : {"parens.cc", "braces.cc", "template.cc", "minus.cc"})
    EXPECT_EQ(w.run({"check", name, "--"}).code, 3) << name;
}

#endif

} // namespace
} // namespace condlint::test
