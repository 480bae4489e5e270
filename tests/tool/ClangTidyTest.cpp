//===- ClangTidyTest.cpp - The rules as checks of clang-tidy --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules as checks of clang-tidy. That they find what the program finds is
// tested over annotated sources (tests/annotated.py).
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string_view>

#if CONDLINT_WITH_CXX
namespace condlint::test {
namespace {

constexpr const char *broken = R"(#include <torch/torch.h>
#include <condlint/cond.h>
using torch::Tensor;
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { return x.exp(); }, [](const Tensor &x) { return x.to(torch::kLong); }, {x});
}
)";

class ClangTidy : public testing::Test {
protected:
  void SetUp() override {
    if (std::string_view(CONDLINT_CLANG_TIDY).empty())
      GTEST_SKIP() << "clang-tidy-22 is not installed";
    w.program = CONDLINT_CLANG_TIDY;
  }

  Outcome run(std::vector<std::string> arguments, const std::string &checks = "-*,condlint-*") const {
    arguments.insert(arguments.begin(), {"-load", CONDLINT_TIDY_PLUGIN, "-checks=" + checks});
    return w.run(arguments);
  }
  Outcome check(const std::string &file, const std::string &config = "{}") const {
    return run({"-config=" + config, file, "--", "-std=c++17", "-I" CONDLINT_SOURCE_DIR "/tests/mocks",
                "-I" CONDLINT_SOURCE_DIR "/include"});
  }
  static std::size_t count(const std::string &text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++n;
    return n;
  }

  Workshop w;
};

TEST_F(ClangTidy, HasOneCheckForEachRuleThatIsDecidedOnSource) {
  const Outcome listed = run({"-list-checks"});
  std::istringstream lines(listed.out);
  std::vector<std::string> checks, wanted;
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find("condlint-"); at != std::string::npos)
      checks.push_back(line.substr(at));
  w.program = CONDLINT_PROGRAM;
  const nlohmann::json table = w.run({"rules", "--output", "json"}).json();
  for (const nlohmann::json &rule : table["rules"])
    if (!rule["source"].empty())
      wanted.push_back("condlint-" + rule["id"].get<std::string>());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(checks, wanted);
  EXPECT_FALSE(checks.empty());
}

TEST_F(ClangTidy, AFindingIsAWarningWithTheOtherPlacesAsNotes_R6) {
  w.write("m.cc", broken);
  const Outcome o = check("m.cc");
  EXPECT_TRUE(o.says("m.cc:5:20: warning: the branches return different dtypes")) << o.out << o.err;
  EXPECT_TRUE(o.says("[condlint-output-dtype]")) << o.out;
  EXPECT_TRUE(o.says("m.cc:5:65: note: ")) << "where the true branch's value is made: " << o.out;
  EXPECT_TRUE(o.says("m.cc:5:106: note: ")) << "and the false branch's: " << o.out;
  EXPECT_EQ(count(o.out, ": warning: "), 1u) << o.out;
}

TEST_F(ClangTidy, OnlyWhatIsAskedForIsSaid) {
  w.write("m.cc", broken);
  EXPECT_FALSE(
      run({"m.cc", "--", "-std=c++17", "-I" CONDLINT_SOURCE_DIR "/tests/mocks", "-I" CONDLINT_SOURCE_DIR "/include"},
          "-*,condlint-output-rank")
          .says("warning:"));
}

TEST_F(ClangTidy, CommentsSuppressAsOfAnyCheck) {
  const std::string text = broken;
  const std::size_t call = text.find("  return condlint");
  w.write("next.cc", std::string(text).insert(call, "  // NOLINTNEXTLINE(condlint-output-dtype)\n"));
  w.write("other.cc", std::string(text).insert(call, "  // NOLINTNEXTLINE(condlint-output-rank)\n"));
  w.write("block.cc", "// NOLINTBEGIN(condlint-*)\n" + text + "// NOLINTEND(condlint-*)\n");
  EXPECT_FALSE(check("next.cc").says("condlint-output-dtype]"));
  EXPECT_TRUE(check("other.cc").says("condlint-output-dtype]"));
  EXPECT_FALSE(check("block.cc").says("condlint-output-dtype]"));
}

TEST_F(ClangTidy, NothingIsSaidOfWhatDidNotParseWholly) {
  const std::string lambdas = "[](const Tensor &x) { return x * 2; }, {x}); }\n";
  const std::string head = "#include <torch/torch.h>\n#include <condlint/cond.h>\nusing torch::Tensor;\n";
  const std::string lost =
      "Tensor f(const Tensor &x) { return condlint::cond(x.any(), [](const Tensor &x) { Tensor y = x; y = "
      "y.clone(; return y; }, " +
      lambdas;
  const std::string whole =
      "Tensor g(const Tensor &x) { return condlint::cond(x.any(), [](const Tensor &x) { return x; }, " + lambdas;
  w.write("m.cc", head + lost + whole);
  const Outcome o = check("m.cc");
  EXPECT_TRUE(o.says("m.cc:5:")) << o.out << o.err;
  EXPECT_EQ(count(o.out, "[condlint-output-alias]"), 1u) << o.out;
  // Behind a fatal error the compiler is silent.
  w.write("fatal.cc", head + whole + "#include <nowhere.h>\n" + lost);
  const Outcome fatal = check("fatal.cc");
  EXPECT_TRUE(fatal.says("'nowhere.h' file not found")) << fatal.out;
  EXPECT_EQ(count(fatal.out, "[condlint-output-alias]"), 1u) << fatal.out;
  // A warning that is an error takes nothing away.
  w.write(
      "strict.cc",
      head + "#pragma clang diagnostic error \"-Wunused-variable\"\n" +
          "Tensor g(const Tensor &x) { int n = 0; return condlint::cond(x.any(), [](const Tensor &x) { return x; }, " +
          lambdas);
  const Outcome strict = check("strict.cc");
  EXPECT_TRUE(strict.says("unused variable 'n'")) << strict.out;
  EXPECT_EQ(count(strict.out, "[condlint-output-alias]"), 1u) << strict.out;
}

TEST_F(ClangTidy, WarningsBecomeErrorsWhereTheUserSaysSo) {
  w.write("m.cc", broken);
  const Outcome o = check("m.cc", "{WarningsAsErrors: 'condlint-*'}");
  EXPECT_NE(o.code, 0);
  EXPECT_TRUE(o.says("error: the branches return different dtypes")) << o.out;
  EXPECT_EQ(check("m.cc").code, 0);
}

TEST_F(ClangTidy, OptionsAreStoredAsTheyWereRead) {
  w.write(".clang-tidy",
          "Checks: '-*,condlint-output-dtype,condlint-nesting'\n"
          "CheckOptions:\n"
          "  condlint-*.Target: 'torch@2.6'\n"
          "  condlint-nesting.Target: 'torch@2.13, aoti'\n"
          "  condlint-nesting.CondFunctions: '{\"my::cond\": {\"predicate\": 0, \"true\": 1, \"false\": 2}}'\n");
  w.write("m.cc", "");
  const std::vector<std::string> dump{"-load", CONDLINT_TIDY_PLUGIN, "-dump-config", "m.cc", "--"};
  const Outcome first = w.run(dump);
  EXPECT_TRUE(first.says("condlint-output-dtype.Target: 'torch@2.6'")) << first.out;
  EXPECT_TRUE(first.says("condlint-nesting.Target: 'torch@2.13, aoti'")) << first.out;
  EXPECT_TRUE(first.says("condlint-nesting.CondFunctions: '{\"my::cond\"")) << first.out;
  w.write(".clang-tidy", first.out);
  const auto options = [](const Outcome &o) {
    return o.out.substr(std::min(o.out.find("CheckOptions:"), o.out.size()));
  };
  EXPECT_EQ(options(w.run(dump)), options(first));
  const Outcome verified = w.run({"-load", CONDLINT_TIDY_PLUGIN, "-verify-config", "m.cc", "--"});
  EXPECT_TRUE(verified.says("No config errors detected")) << verified.out << verified.err;
}

TEST_F(ClangTidy, OptionsSayWhatTheConfigurationOfTheProgramWouldSay) {
  std::string text = broken;
  text.replace(text.find("condlint::cond("), 15, "mine::choose(");
  text.insert(text.find("using torch"), "namespace mine { template <class P, class T, class F> torch::Tensor choose(P, "
                                        "T, F, std::initializer_list<torch::Tensor>); }\n");
  w.write("m.cc", text);
  EXPECT_FALSE(check("m.cc").says("warning:"));
  const std::string functions = R"({"mine::choose": {"predicate": 0, "true": 1, "false": 2, "operands": 3}})";
  EXPECT_TRUE(check("m.cc", "{CheckOptions: {'condlint-*.CondFunctions': '" + functions + "'}}")
                  .says("[condlint-output-dtype]"));
  w.write(".condlint.json", "{\"condFunctions\": " + functions + "}");
  EXPECT_TRUE(check("m.cc").says("[condlint-output-dtype]"));
  w.write(".condlint.json", "{\"condFunctions\": " + functions + ", \"severity\": {\"output-dtype\": \"off\"}}");
  EXPECT_FALSE(check("m.cc").says("[condlint-output-dtype]"));
}

TEST_F(ClangTidy, AWrongOptionIsToldOnce) {
  w.write("m.cc", broken);
  const Outcome o = check("m.cc", "{CheckOptions: {'condlint-*.Target': 'torhc'}}");
  EXPECT_EQ(count(o.out + o.err, "torhc"), 1u) << o.out << o.err;
  EXPECT_TRUE(o.says("clang-tidy-config]")) << o.out;
}

TEST_F(ClangTidy, AnotherVersionIsRefusedInOneLine) {
  w.program = CONDLINT_OTHER_CLANG_TIDY;
  Outcome o = w.run({CONDLINT_TIDY_PLUGIN, "Debian clang version 14.0.6"});
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err, "condlint-tidy.so: is made for clang-tidy 22.1, and this is version 14.0.6\n");
  EXPECT_EQ(o.out, "");
  o = w.run({CONDLINT_TIDY_PLUGIN, "clang version 22.1.8"});
  EXPECT_EQ(o.code, 1) << "something else of the right version";
  EXPECT_EQ(o.err.find("condlint-tidy.so: its checks cannot be loaded: "), 0u) << o.err;
  EXPECT_EQ(count(o.err, "\n"), 1u) << o.err;
}

} // namespace
} // namespace condlint::test
#endif
