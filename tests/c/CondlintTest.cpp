//===- CondlintTest.cpp - libcondlint.so as other languages see it --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <atomic>
#include <condlint/condlint.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <malloc.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct Free {
  void operator()(condlint_result *r) const { condlint_result_free(r); }
};
using Result = std::unique_ptr<condlint_result, Free>;

const fs::path examples = fs::path(CONDLINT_SOURCE_DIR) / "examples";

std::string contentOf(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string render(const Result &r, const char *format) {
  std::size_t length = 0;
  char *text = condlint_result_render(r.get(), format, &length);
  std::string out = text != nullptr ? std::string(text, length) : "(none)";
  if (text != nullptr) {
    EXPECT_EQ(text[length], '\0');
  }
  condlint_free(text);
  return out;
}

Result checkBytes(const std::string &bytes, const char *format = nullptr, const char *options = nullptr,
                  const char *name = nullptr) {
  return Result(condlint_check_bytes(bytes.data(), bytes.size(), format, name, options));
}

constexpr const char *strict = R"({"failOn": "warning"})";

/// The first example with this suffix in which there is something to find.
fs::path broken(const std::string &suffix) {
  std::vector<fs::path> found;
  for (const auto &entry : fs::directory_iterator(examples))
    if (entry.path().extension() == suffix)
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  for (const fs::path &path : found)
    if (condlint_result_status(Result(condlint_check_path(path.c_str(), strict)).get()) == CONDLINT_FINDINGS)
      return path;
  ADD_FAILURE() << "no example " << suffix << " is broken";
  return {};
}

TEST(CApi, VersionsAreThoseOfTheHeaderAndTheProject) {
  EXPECT_EQ(condlint_abi_version(), CONDLINT_ABI_VERSION);
  EXPECT_STREQ(condlint_version(), CONDLINT_VERSION);
}

TEST(CApi, BytesAndPathComeToTheSameFindings) {
  for (const char *suffix : {".onnx", ".pt2"}) {
    const fs::path path = broken(suffix);
    const Result ofPath(condlint_check_path(path.c_str(), R"({"config": false, "failOn": "warning"})"));
    const Result ofBytes = checkBytes(contentOf(path), nullptr, strict, path.c_str());
    EXPECT_EQ(condlint_result_status(ofPath.get()), CONDLINT_FINDINGS);
    EXPECT_EQ(condlint_result_error(ofPath.get()), nullptr);
    EXPECT_EQ(render(ofPath, "json"), render(ofBytes, "json")) << path;
    EXPECT_NE(render(ofBytes, "text").find("target: "), std::string::npos);
    EXPECT_NE(render(ofBytes, "color").find("\x1b["), std::string::npos);
    EXPECT_LT(render(ofBytes, "quiet").size(), render(ofBytes, "text").size());
  }
}

TEST(CApi, NamelessBytesHaveANameInTheReport) {
  const Json report = Json::parse(render(checkBytes(contentOf(broken(".onnx"))), "json"));
  EXPECT_EQ(report["inputs"][0]["path"], "<memory>");
  EXPECT_EQ(report["inputs"][0]["kind"], "onnx");
}

TEST(CApi, AProgramWithoutItsArchiveIsReadAsPt2) {
  // What torch serializes without weights is the JSON that lies in an archive.
  const fs::path path = fs::path(CONDLINT_SOURCE_DIR) / "tests/data/c/program.json";
  const Result result = checkBytes(contentOf(path), "pt2");
  const Json report = Json::parse(render(result, "json"));
  EXPECT_EQ(report["inputs"][0]["status"], "ok") << report["inputs"][0];
  EXPECT_EQ(report["inputs"][0]["kind"], "pt2");
  EXPECT_EQ(report["inputs"][0]["conditionals"], 1);
}

TEST(CApi, OptionsChooseTargetsRulesAndSeverities) {
  const std::string bytes = contentOf(broken(".onnx"));
  const Result many = checkBytes(bytes, "onnx", R"({"target": ["onnx", "tensorrt@10.3"]})");
  EXPECT_EQ(Json::parse(render(many, "json"))["inputs"][0]["targets"].size(), 2U);
  const Result never = checkBytes(bytes, "onnx", R"({"failOn": "never", "target": null})");
  EXPECT_EQ(condlint_result_status(checkBytes(bytes, "onnx", strict).get()), CONDLINT_FINDINGS);
  EXPECT_EQ(condlint_result_status(never.get()), CONDLINT_CLEAN);
  const Result none =
      checkBytes(bytes, "onnx", R"({"failOn": "warning", "select": "predicate-dtype", "config": {"ignore": "*"}})");
  EXPECT_EQ(condlint_result_status(none.get()), CONDLINT_CLEAN) << render(none, "text");
}

TEST(CApi, WrongOptionsAreErrorsThatNameTheNearest) {
  const std::string bytes = contentOf(broken(".onnx"));
  for (const auto &[options, said] : std::vector<std::pair<const char *, const char *>>{
           {"{", "are not valid JSON"},
           {"[]", "must be one JSON object"},
           {R"({"tarjet": "onnx"})", "did you mean 'target'?"},
           {R"({"target": "onx"})", "onnx"},
           {R"({"branch": "both"})", "unknown option 'branch'"},
           {R"({"config": 3})", "must be a path"},
           {R"({"config": {"selekt": "x"}})", "did you mean 'select'?"},
           {R"({"flags": "-I."})", "must be a list of strings"},
           {R"({"select": "output-rank", "ignore": "output-rank"})", "nothing would be checked"}}) {
    const Result result = checkBytes(bytes, "onnx", options);
    EXPECT_EQ(condlint_result_status(result.get()), CONDLINT_USAGE) << options;
    ASSERT_NE(condlint_result_error(result.get()), nullptr) << options;
    EXPECT_NE(std::string(condlint_result_error(result.get())).find(said), std::string::npos)
        << options << ": " << condlint_result_error(result.get());
    EXPECT_EQ(condlint_result_render(result.get(), "json", nullptr), nullptr);
  }
  EXPECT_EQ(condlint_result_status(checkBytes(bytes, "onxx").get()), CONDLINT_USAGE);
  EXPECT_EQ(condlint_result_status(checkBytes(bytes, "cxx").get()), CONDLINT_USAGE);
}

TEST(CApi, NothingIsAcceptedAndSaysSo) {
  EXPECT_EQ(condlint_result_status(nullptr), CONDLINT_INTERNAL);
  EXPECT_EQ(condlint_result_error(nullptr), nullptr);
  EXPECT_EQ(condlint_result_render(nullptr, "json", nullptr), nullptr);
  condlint_result_free(nullptr);
  condlint_free(nullptr);
  const Result empty(condlint_check_bytes(nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_EQ(condlint_result_status(empty.get()), CONDLINT_USAGE);
  EXPECT_EQ(condlint_result_status(Result(condlint_check_path(nullptr, nullptr)).get()), CONDLINT_USAGE);
  EXPECT_EQ(condlint_result_status(Result(condlint_explain(nullptr)).get()), CONDLINT_USAGE);
  const Result rules(condlint_rules());
  EXPECT_EQ(condlint_result_render(rules.get(), "sarf", nullptr), nullptr);
  EXPECT_EQ(condlint_result_render(rules.get(), nullptr, nullptr), nullptr);
}

TEST(CApi, WhatCannotBeReadHasAReportThatSaysWhy) {
  const Result absent(condlint_check_path("/nowhere/model.onnx", nullptr));
  EXPECT_EQ(condlint_result_status(absent.get()), CONDLINT_UNANALYSED);
  EXPECT_EQ(Json::parse(render(absent, "json"))["inputs"][0]["status"], "failed");
  const Result dump(condlint_dump_path("/nowhere/model.onnx", nullptr));
  EXPECT_EQ(condlint_result_status(dump.get()), CONDLINT_UNANALYSED);
  EXPECT_NE(condlint_result_error(dump.get()), nullptr);
  // A file of this name, not standard input.
  EXPECT_EQ(condlint_result_status(Result(condlint_check_path("-", nullptr)).get()), CONDLINT_UNANALYSED);
}

TEST(CApi, CorruptedBytesNeverEndTheProcess) {
  for (const char *suffix : {".onnx", ".pt2"}) {
    const std::string whole = contentOf(broken(suffix));
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 150);
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      for (const std::string &bytes : {whole.substr(0, at), changed}) {
        const Result checked = checkBytes(bytes, suffix + 1);
        ASSERT_NE(checked, nullptr);
        EXPECT_NE(condlint_result_status(checked.get()), CONDLINT_INTERNAL);
        const Result dumped(condlint_dump_bytes(bytes.data(), bytes.size(), suffix + 1, nullptr, nullptr));
        EXPECT_NE(condlint_result_status(dumped.get()), CONDLINT_INTERNAL);
      }
    }
  }
}

TEST(CApi, BothBranchesRunAndTheOutputsAreSaved) {
  const fs::path folder = fs::temp_directory_path() / ("condlint-c-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string bytes = contentOf(broken(".onnx"));
  const Result both(
      condlint_run_bytes(bytes.data(), bytes.size(), "onnx", "m.onnx", R"({"branch": "both", "draws": 1})"));
  EXPECT_EQ(condlint_result_error(both.get()), nullptr);
  EXPECT_FALSE(Json::parse(render(both, "json"))["conditionals"].empty());
  const std::string options = Json{{"save", (folder / "out.npz").string()}, {"seed", 3}}.dump();
  const fs::path sound = examples / "if.onnx";
  for (const auto &entry : fs::directory_iterator(examples)) {
    const Result ran(condlint_run_path(entry.path().c_str(), options.c_str()));
    if (condlint_result_status(ran.get()) != CONDLINT_CLEAN)
      continue;
    const Json report = Json::parse(render(ran, "json"));
    EXPECT_FALSE(report["run"]["outputs"].empty());
    EXPECT_TRUE(fs::exists(folder / "out.npz"));
    break;
  }
  const Result wrong(condlint_run_bytes(bytes.data(), bytes.size(), "onnx", nullptr, R"({"device": "gpu"})"));
  EXPECT_EQ(condlint_result_status(wrong.get()), CONDLINT_USAGE);
  // A library writes nothing that nobody asked for.
  for (const auto &entry : fs::directory_iterator("."))
    EXPECT_NE(entry.path().extension(), ".npz") << entry.path();
  fs::remove_all(folder);
}

TEST(CApi, DumpReadsBackAndTablesAreThere) {
  const fs::path path = broken(".onnx");
  const std::string graph = render(Result(condlint_dump_path(path.c_str(), R"({"infer": true})")), "json");
  const Result again = checkBytes(graph);
  const Result first(condlint_check_path(path.c_str(), nullptr));
  EXPECT_EQ(Json::parse(render(again, "json"))["inputs"][0]["conditionals"],
            Json::parse(render(first, "json"))["inputs"][0]["conditionals"]);
  EXPECT_NE(render(Result(condlint_dump_path(path.c_str(), nullptr)), "text"), "(none)");
  EXPECT_FALSE(Json::parse(render(Result(condlint_rules()), "json"))["rules"].empty());
  EXPECT_FALSE(Json::parse(render(Result(condlint_targets()), "json"))["targets"].empty());
  EXPECT_EQ(Json::parse(render(Result(condlint_explain("output-rank")), "json"))["id"], "output-rank");
  const Result typo(condlint_explain("output-rnk"));
  EXPECT_NE(std::string(condlint_result_error(typo.get())).find("output-rank"), std::string::npos);
}

/// The bytes that the process has in use.
std::size_t residentBytes() {
  malloc_trim(0);
  std::ifstream in("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Checks \p calls models on four threads, and some of everything else between.
void checkOnFourThreads(const std::vector<std::string> &models, std::size_t calls) {
  std::vector<std::string> wanted;
  for (const std::string &bytes : models)
    wanted.push_back(render(checkBytes(bytes), "json"));
  std::atomic<std::size_t> next{0}, wrong{0};
  auto work = [&] {
    for (std::size_t i = next++; i < calls; i = next++) {
      const std::size_t m = i % models.size();
      wrong += render(checkBytes(models[m]), "json") != wanted[m];
      if (i % 64 == 0)
        wrong +=
            condlint_result_status(checkBytes(models[m].substr(0, models[m].size() / 2)).get()) == CONDLINT_INTERNAL;
      if (i % 128 == 0)
        wrong += condlint_result_error(checkBytes(models[m], nullptr, "{").get()) == nullptr;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back(work);
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(CApi, FourThreadsGetTheSameReportsAndMemoryStaysFlat) {
  std::vector<std::string> models;
  for (const auto &entry : fs::directory_iterator(examples))
    if (const std::string suffix = entry.path().extension();
        (suffix == ".onnx" || suffix == ".pt2") && entry.file_size() < (1 << 16))
      models.push_back(contentOf(entry.path()));
  ASSERT_GT(models.size(), 3U);
  // CONDLINT_CALLS=100000 makes the long run of it.
  const char *given = std::getenv("CONDLINT_CALLS");
  const std::size_t calls = given != nullptr ? std::strtoul(given, nullptr, 10) : 4000;
  checkOnFourThreads(models, 1000);
  const std::size_t before = residentBytes();
  checkOnFourThreads(models, calls);
  const std::size_t after = residentBytes();
  RecordProperty("before", static_cast<int>(before >> 10));
  RecordProperty("after", static_cast<int>(after >> 10));
  EXPECT_LE(after, before + before / 10) << before << " bytes before, " << after << " after " << calls << " calls";
}

} // namespace
